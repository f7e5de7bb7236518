// Code generated from policy.yaml by "go generate ./guard/policy"; DO NOT EDIT.

package policy

var embedded = Policy{
	Programs: []Program{
		{"7z", &rule0},
		{"7za", &rule0},
		{"R", &rule1},
		{"a2query", &rule2},
		{"aa-complain", &rule3},
		{"aa-disable", &rule3},
		{"aa-enforce", &rule3},
		{"aa-exec", &rule4},
		{"aa-status", &rule5},
		{"ack", &rule1},
		{"add-apt-repository", &rule6},
		{"addgroup", &rule7},
		{"adduser", &rule7},
		{"ag", &rule1},
		{"amtool", &rule10},
		{"anacron", &rule11},
		{"angie", &rule12},
		{"ansible", &rule13},
		{"ansible-config", &rule13},
		{"ansible-connection", &rule13},
		{"ansible-console", &rule13},
		{"ansible-doc", &rule13},
		{"ansible-galaxy", &rule13},
		{"ansible-inventory", &rule13},
		{"ansible-playbook", &rule14},
		{"ansible-pull", &rule13},
		{"ansible-vault", &rule15},
		{"apache2", &rule19},
		{"apache2ctl", &rule19},
		{"apachectl", &rule19},
		{"apk", &rule22},
		{"apparmor_parser", &rule3},
		{"apparmor_status", &rule5},
		{"apprise", &rule23},
		{"apropos", &rule1},
		{"apt", &rule26},
		{"apt-cache", &rule28},
		{"apt-config", &rule6},
		{"apt-file", &rule6},
		{"apt-get", &rule6},
		{"apt-key", &rule6},
		{"apt-mark", &rule30},
		{"aptitude", &rule6},
		{"ar", &rule0},
		{"arc_summary", &rule31},
		{"arch", &rule32},
		{"arcstat", &rule31},
		{"argocd", &rule37},
		{"arp", &rule38},
		{"arping", &rule39},
		{"arptables", &rule40},
		{"at", &rule11},
		{"atop", &rule41},
		{"atq", &rule42},
		{"atrm", &rule11},
		{"auditctl", &rule3},
		{"aureport", &rule43},
		{"ausearch", &rule44},
		{"autossh", &rule45},
		{"awk", &rule46},
		{"aws", &rule47},
		{"az", &rule47},
		{"b2sum", &rule48},
		{"bacula", &rule49},
		{"badblocks", &rule50},
		{"barman", &rule52},
		{"base32", &rule53},
		{"base64", &rule53},
		{"basename", &rule54},
		{"basenc", &rule53},
		{"bash", &rule55},
		{"bat", &rule56},
		{"batcat", &rule56},
		{"batch", &rule11},
		{"bc", &rule57},
		{"bconsole", &rule49},
		{"blkdiscard", &rule50},
		{"blkid", &rule58},
		{"blkzone", &rule50},
		{"blockdev", &rule59},
		{"bmon", &rule41},
		{"bootctl", &rule61},
		{"borg", &rule64},
		{"borgmatic", &rule49},
		{"bpftrace", &rule65},
		{"brctl", &rule66},
		{"bridge", &rule68},
		{"bsdtar", &rule70},
		{"btop", &rule41},
		{"btrfs", &rule82},
		{"btrfsck", &rule50},
		{"buildah", &rule83},
		{"bundle", &rule84},
		{"bunzip2", &rule85},
		{"busctl", &rule87},
		{"busybox", &rule4},
		{"bwrap", &rule4},
		{"byobu", &rule1},
		{"bzcat", &rule88},
		{"bzgrep", &rule89},
		{"bzip2", &rule85},
		{"bzless", &rule56},
		{"caddy", &rule90},
		{"cal", &rule91},
		{"calicoctl", &rule93},
		{"capsh", &rule4},
		{"cargo", &rule84},
		{"cat", &rule94},
		{"cc", &rule84},
		{"ceph", &rule105},
		{"certbot", &rule108},
		{"cfdisk", &rule50},
		{"cgclassify", &rule4},
		{"cgcreate", &rule109},
		{"cgdisk", &rule50},
		{"cgexec", &rule109},
		{"cgset", &rule109},
		{"chage", &rule7},
		{"chattr", &rule3},
		{"chcon", &rule3},
		{"chfn", &rule7},
		{"chgrp", &rule110},
		{"chmod", &rule111},
		{"choom", &rule109},
		{"chown", &rule110},
		{"chpasswd", &rule7},
		{"chpst", &rule4},
		{"chronic", &rule112},
		{"chronyc", &rule115},
		{"chroot", &rule4},
		{"chrt", &rule116},
		{"chsh", &rule7},
		{"cilium", &rule118},
		{"cksum", &rule48},
		{"claude", &rule119},
		{"claude-hooks", &rule119},
		{"claudeops", &rule148},
		{"claudeops-hook", &rule119},
		{"clear", &rule32},
		{"cloud-init", &rule151},
		{"clusterdb", &rule152},
		{"cmake", &rule84},
		{"cmp", &rule153},
		{"codex", &rule119},
		{"colordiff", &rule154},
		{"column", &rule155},
		{"comm", &rule156},
		{"composer", &rule84},
		{"conda", &rule84},
		{"conntrack", &rule157},
		{"consul", &rule163},
		{"containerd", &rule83},
		{"coredumpctl", &rule166},
		{"cp", &rule167},
		{"cpio", &rule0},
		{"cpulimit", &rule109},
		{"crash", &rule65},
		{"createdb", &rule152},
		{"createuser", &rule152},
		{"crictl", &rule177},
		{"crm_mon", &rule178},
		{"cron", &rule11},
		{"crond", &rule11},
		{"crontab", &rule179},
		{"crun", &rule83},
		{"cryptsetup", &rule181},
		{"cset", &rule109},
		{"csplit", &rule1},
		{"ctr", &rule189},
		{"curl", &rule190},
		{"cut", &rule191},
		{"daemon", &rule4},
		{"daemonize", &rule4},
		{"dash", &rule55},
		{"date", &rule192},
		{"dbus-run-session", &rule4},
		{"dbus-send", &rule193},
		{"dc", &rule194},
		{"dd", &rule0},
		{"debsums", &rule195},
		{"debugfs", &rule65},
		{"delgroup", &rule7},
		{"deluser", &rule7},
		{"delv", &rule196},
		{"depmod", &rule197},
		{"df", &rule198},
		{"dhclient", &rule40},
		{"dhcpcd", &rule40},
		{"dialog", &rule1},
		{"diff", &rule154},
		{"dig", &rule199},
		{"dir", &rule200},
		{"dirname", &rule54},
		{"dmesg", &rule201},
		{"dmidecode", &rule202},
		{"dmraid", &rule50},
		{"dmsetup", &rule204},
		{"dnf", &rule209},
		{"dnsdomainname", &rule32},
		{"dnsmasq", &rule210},
		{"do-release-upgrade", &rule6},
		{"doas", &rule211},
		{"docker", &rule312},
		{"docker-buildx", &rule313},
		{"docker-compose", &rule311},
		{"dockerd", &rule83},
		{"doctl", &rule47},
		{"doveadm", &rule316},
		{"doveconf", &rule317},
		{"dovecot", &rule317},
		{"dpkg", &rule318},
		{"dpkg-query", &rule319},
		{"drbdadm", &rule321},
		{"drill", &rule322},
		{"dropdb", &rule323},
		{"dropuser", &rule323},
		{"dselect", &rule6},
		{"dstat", &rule324},
		{"dtrace", &rule65},
		{"du", &rule325},
		{"duf", &rule326},
		{"dumb-init", &rule4},
		{"dumpe2fs", &rule327},
		{"duplicity", &rule49},
		{"dust", &rule326},
		{"e2fsck", &rule50},
		{"e2label", &rule50},
		{"ebtables", &rule40},
		{"ed", &rule1},
		{"egrep", &rule328},
		{"eject", &rule50},
		{"emacs", &rule1},
		{"entr", &rule1},
		{"ethtool", &rule329},
		{"ex", &rule1},
		{"exim", &rule330},
		{"exim4", &rule330},
		{"exiqsumm", &rule331},
		{"expand", &rule332},
		{"expect", &rule1},
		{"exportfs", &rule333},
		{"expr", &rule54},
		{"factor", &rule91},
		{"fail2ban-client", &rule334},
		{"faillock", &rule7},
		{"fakeroot", &rule4},
		{"faketime", &rule4},
		{"fallocate", &rule0},
		{"fdisk", &rule335},
		{"fgrep", &rule328},
		{"file", &rule336},
		{"findmnt", &rule337},
		{"firejail", &rule4},
		{"firewall-cmd", &rule338},
		{"firewalld", &rule40},
		{"flatpak", &rule84},
		{"flock", &rule4},
		{"flux", &rule344},
		{"fmt", &rule345},
		{"fold", &rule345},
		{"fping", &rule346},
		{"fping6", &rule346},
		{"free", &rule347},
		{"fsck", &rule50},
		{"fsck.ext4", &rule50},
		{"fsck.xfs", &rule50},
		{"fsfreeze", &rule50},
		{"fstrim", &rule50},
		{"fuser", &rule348},
		{"fusermount", &rule50},
		{"fusermount3", &rule50},
		{"fzf", &rule1},
		{"gawk", &rule46},
		{"gcc", &rule313},
		{"gcloud", &rule47},
		{"gcore", &rule65},
		{"gdb", &rule65},
		{"gdbus", &rule193},
		{"gdisk", &rule50},
		{"gdu", &rule326},
		{"gem", &rule84},
		{"gemini", &rule119},
		{"getcap", &rule349},
		{"getconf", &rule91},
		{"getenforce", &rule5},
		{"getent", &rule352},
		{"getfacl", &rule353},
		{"getsebool", &rule354},
		{"gh", &rule376},
		{"git", &rule417},
		{"glab", &rule418},
		{"glances", &rule41},
		{"gluster", &rule422},
		{"gosu", &rule4},
		{"gpasswd", &rule7},
		{"gradle", &rule84},
		{"grep", &rule328},
		{"groupadd", &rule7},
		{"groupdel", &rule7},
		{"groupmod", &rule7},
		{"groups", &rule423},
		{"growpart", &rule50},
		{"grpck", &rule7},
		{"gsed", &rule424},
		{"gtar", &rule70},
		{"gunzip", &rule425},
		{"gzcat", &rule88},
		{"gzip", &rule425},
		{"ha-manager", &rule426},
		{"halt", &rule427},
		{"haproxy", &rule428},
		{"hcloud", &rule47},
		{"hd", &rule429},
		{"hdparm", &rule430},
		{"head", &rule431},
		{"helm", &rule448},
		{"hexdump", &rule429},
		{"host", &rule449},
		{"hostid", &rule32},
		{"hostname", &rule450},
		{"hostnamectl", &rule452},
		{"hping3", &rule39},
		{"hpssacli", &rule453},
		{"htop", &rule41},
		{"httpd", &rule19},
		{"hub", &rule418},
		{"hwclock", &rule454},
		{"i386", &rule4},
		{"iconv", &rule455},
		{"id", &rule423},
		{"ifconfig", &rule456},
		{"ifdown", &rule40},
		{"ifenslave", &rule40},
		{"iftop", &rule41},
		{"ifup", &rule40},
		{"incus", &rule459},
		{"influx", &rule460},
		{"info", &rule1},
		{"init", &rule427},
		{"initdb", &rule152},
		{"insmod", &rule197},
		{"install", &rule0},
		{"invoke-rc.d", &rule461},
		{"ionice", &rule462},
		{"iostat", &rule463},
		{"iotop", &rule464},
		{"ip", &rule472},
		{"ip6tables", &rule473},
		{"ip6tables-legacy", &rule473},
		{"ip6tables-nft", &rule473},
		{"ip6tables-nft-save", &rule474},
		{"ip6tables-restore", &rule40},
		{"ip6tables-save", &rule474},
		{"ipcs", &rule475},
		{"ipmitool", &rule480},
		{"ipsec", &rule481},
		{"ipset", &rule483},
		{"iptables", &rule473},
		{"iptables-apply", &rule40},
		{"iptables-legacy", &rule473},
		{"iptables-legacy-save", &rule474},
		{"iptables-nft", &rule473},
		{"iptables-nft-save", &rule474},
		{"iptables-restore", &rule40},
		{"iptables-save", &rule474},
		{"iptraf", &rule41},
		{"iptraf-ng", &rule41},
		{"ipvsadm", &rule484},
		{"iscsiadm", &rule485},
		{"istioctl", &rule488},
		{"java", &rule489},
		{"jcmd", &rule65},
		{"jconsole", &rule65},
		{"jdb", &rule65},
		{"jhsdb", &rule65},
		{"jinfo", &rule65},
		{"jmap", &rule65},
		{"joe", &rule1},
		{"join", &rule490},
		{"journalctl", &rule491},
		{"jps", &rule492},
		{"jq", &rule493},
		{"jstack", &rule65},
		{"jstat", &rule494},
		{"k3s", &rule531},
		{"kafka-consumer-groups", &rule532},
		{"kafka-consumer-groups.sh", &rule532},
		{"kafka-topics", &rule533},
		{"kafka-topics.sh", &rule533},
		{"kexec", &rule427},
		{"keydb-cli", &rule534},
		{"kill", &rule535},
		{"killall", &rule536},
		{"killall5", &rule537},
		{"kmod", &rule197},
		{"kpartx", &rule50},
		{"kubeadm", &rule539},
		{"kubectl", &rule530},
		{"last", &rule540},
		{"lastb", &rule7},
		{"lastlog", &rule541},
		{"ld.so", &rule4},
		{"ldconfig", &rule542},
		{"ldd", &rule543},
		{"less", &rule544},
		{"link", &rule0},
		{"linux32", &rule4},
		{"linux64", &rule4},
		{"lldb", &rule65},
		{"lldpctl", &rule545},
		{"ln", &rule0},
		{"locale", &rule91},
		{"localectl", &rule546},
		{"locate", &rule547},
		{"loginctl", &rule548},
		{"logname", &rule32},
		{"logrotate", &rule549},
		{"logsave", &rule4},
		{"losetup", &rule50},
		{"ls", &rule200},
		{"lsattr", &rule550},
		{"lsb_release", &rule551},
		{"lsblk", &rule552},
		{"lscpu", &rule553},
		{"lsfd", &rule475},
		{"lshw", &rule554},
		{"lsipc", &rule475},
		{"lsirqs", &rule555},
		{"lslocks", &rule475},
		{"lslogins", &rule556},
		{"lsmem", &rule557},
		{"lsmod", &rule16},
		{"lsns", &rule475},
		{"lsof", &rule558},
		{"lspci", &rule559},
		{"lsscsi", &rule560},
		{"lsusb", &rule561},
		{"ltrace", &rule65},
		{"lua", &rule1},
		{"lvchange", &rule562},
		{"lvconvert", &rule562},
		{"lvcreate", &rule562},
		{"lvdisplay", &rule563},
		{"lvextend", &rule562},
		{"lvm", &rule562},
		{"lvreduce", &rule562},
		{"lvremove", &rule562},
		{"lvrename", &rule562},
		{"lvresize", &rule562},
		{"lvs", &rule563},
		{"lvscan", &rule562},
		{"lxc", &rule459},
		{"lxc-attach", &rule83},
		{"lxc-exec", &rule83},
		{"lz4", &rule564},
		{"lz4cat", &rule88},
		{"lzcat", &rule88},
		{"lzma", &rule85},
		{"m4", &rule1},
		{"machinectl", &rule566},
		{"mail", &rule567},
		{"mailq", &rule568},
		{"mailx", &rule567},
		{"make", &rule313},
		{"man", &rule1},
		{"mariabackup", &rule49},
		{"mariadb", &rule569},
		{"mariadb-admin", &rule573},
		{"mariadb-check", &rule574},
		{"mariadb-dump", &rule574},
		{"mariadb-dumpslow", &rule575},
		{"mariadb-show", &rule576},
		{"mawk", &rule46},
		{"mc", &rule1},
		{"md5sum", &rule48},
		{"mdadm", &rule577},
		{"microdnf", &rule209},
		{"microk8s", &rule531},
		{"mkdir", &rule578},
		{"mke2fs", &rule50},
		{"mkfifo", &rule1},
		{"mkfs", &rule50},
		{"mkfs.btrfs", &rule50},
		{"mkfs.ext2", &rule50},
		{"mkfs.ext3", &rule50},
		{"mkfs.ext4", &rule50},
		{"mkfs.fat", &rule50},
		{"mkfs.vfat", &rule50},
		{"mkfs.xfs", &rule50},
		{"mknod", &rule1},
		{"mkswap", &rule50},
		{"mktemp", &rule579},
		{"mlocate", &rule547},
		{"mmv", &rule0},
		{"modinfo", &rule580},
		{"modprobe", &rule197},
		{"mongo", &rule581},
		{"mongosh", &rule581},
		{"mongostat", &rule582},
		{"mongotop", &rule582},
		{"more", &rule544},
		{"mosh", &rule45},
		{"most", &rule56},
		{"mount", &rule583},
		{"mount.nfs", &rule50},
		{"mountpoint", &rule584},
		{"mountstats", &rule585},
		{"mpstat", &rule586},
		{"msmtp", &rule567},
		{"mtr", &rule587},
		{"multipath", &rule588},
		{"mutt", &rule567},
		{"mv", &rule589},
		{"mvn", &rule84},
		{"mysql", &rule569},
		{"mysqladmin", &rule573},
		{"mysqlbinlog", &rule574},
		{"mysqlcheck", &rule574},
		{"mysqldump", &rule574},
		{"mysqldumpslow", &rule575},
		{"mysqlimport", &rule574},
		{"mysqlpump", &rule574},
		{"mysqlshow", &rule576},
		{"named-checkconf", &rule590},
		{"namei", &rule591},
		{"nano", &rule1},
		{"nats", &rule592},
		{"nawk", &rule46},
		{"nc", &rule593},
		{"nc.openbsd", &rule593},
		{"nc.traditional", &rule593},
		{"ncal", &rule91},
		{"ncat", &rule593},
		{"ncdu", &rule326},
		{"needrestart", &rule594},
		{"nerdctl", &rule312},
		{"netcat", &rule593},
		{"nethogs", &rule41},
		{"netplan", &rule596},
		{"netstat", &rule597},
		{"networkctl", &rule598},
		{"newgrp", &rule7},
		{"newusers", &rule7},
		{"nfsiostat", &rule585},
		{"nfsstat", &rule585},
		{"nft", &rule600},
		{"nginx", &rule12},
		{"nice", &rule601},
		{"nl", &rule602},
		{"nmap", &rule39},
		{"nmcli", &rule610},
		{"nmon", &rule41},
		{"node", &rule489},
		{"nodejs", &rule489},
		{"nodetool", &rule611},
		{"nohup", &rule112},
		{"nomad", &rule617},
		{"npm", &rule313},
		{"nproc", &rule618},
		{"npx", &rule84},
		{"nsenter", &rule619},
		{"nslookup", &rule620},
		{"nstat", &rule621},
		{"ntfsfix", &rule50},
		{"ntpq", &rule622},
		{"ntpstat", &rule16},
		{"numactl", &rule623},
		{"numastat", &rule555},
		{"numfmt", &rule54},
		{"nvidia-smi", &rule625},
		{"nvme", &rule628},
		{"oci", &rule47},
		{"od", &rule629},
		{"openresty", &rule12},
		{"openssl", &rule642},
		{"pacman", &rule643},
		{"pam_tally2", &rule7},
		{"parallel", &rule1},
		{"parted", &rule644},
		{"partprobe", &rule50},
		{"partx", &rule50},
		{"passwd", &rule7},
		{"paste", &rule645},
		{"patch", &rule0},
		{"patronictl", &rule649},
		{"pcs", &rule653},
		{"pct", &rule655},
		{"perccli", &rule656},
		{"perccli64", &rule656},
		{"perf", &rule65},
		{"perl", &rule489},
		{"pflogsumm", &rule657},
		{"pg", &rule56},
		{"pg_archivecleanup", &rule323},
		{"pg_basebackup", &rule152},
		{"pg_config", &rule658},
		{"pg_controldata", &rule659},
		{"pg_createcluster", &rule152},
		{"pg_ctl", &rule660},
		{"pg_ctlcluster", &rule661},
		{"pg_dropcluster", &rule323},
		{"pg_dump", &rule152},
		{"pg_dumpall", &rule662},
		{"pg_isready", &rule663},
		{"pg_lsclusters", &rule664},
		{"pg_receivewal", &rule152},
		{"pg_resetwal", &rule323},
		{"pg_restore", &rule665},
		{"pg_rewind", &rule323},
		{"pgbackrest", &rule667},
		{"pgrep", &rule668},
		{"php", &rule489},
		{"php-fpm", &rule669},
		{"php-fpm7.4", &rule669},
		{"php-fpm8.0", &rule669},
		{"php-fpm8.1", &rule669},
		{"php-fpm8.2", &rule669},
		{"php-fpm8.3", &rule669},
		{"php-fpm8.4", &rule669},
		{"php-fpm8.5", &rule669},
		{"php-fpm83", &rule669},
		{"php-fpm84", &rule669},
		{"pico", &rule1},
		{"pidof", &rule670},
		{"pidstat", &rule671},
		{"pigz", &rule85},
		{"pihole", &rule672},
		{"ping", &rule673},
		{"ping4", &rule673},
		{"ping6", &rule673},
		{"pinky", &rule556},
		{"pip", &rule675},
		{"pip3", &rule675},
		{"pipx", &rule84},
		{"pkexec", &rule193},
		{"pkill", &rule676},
		{"plocate", &rule547},
		{"pm-hibernate", &rule427},
		{"pm-suspend", &rule427},
		{"pm2", &rule682},
		{"pmap", &rule683},
		{"pnpm", &rule84},
		{"podman", &rule312},
		{"podman-compose", &rule311},
		{"postconf", &rule684},
		{"postfix", &rule686},
		{"postqueue", &rule687},
		{"poweroff", &rule427},
		{"powertop", &rule41},
		{"pr", &rule94},
		{"prlimit", &rule688},
		{"promtool", &rule693},
		{"proot", &rule4},
		{"ps", &rule694},
		{"psql", &rule695},
		{"pstree", &rule696},
		{"pvchange", &rule562},
		{"pvcreate", &rule562},
		{"pvdisplay", &rule563},
		{"pvecm", &rule426},
		{"pvesm", &rule426},
		{"pveversion", &rule426},
		{"pvmove", &rule562},
		{"pvremove", &rule562},
		{"pvresize", &rule562},
		{"pvs", &rule563},
		{"pvscan", &rule562},
		{"pwck", &rule7},
		{"pwconv", &rule7},
		{"pwdx", &rule697},
		{"pwunconv", &rule7},
		{"py-spy", &rule65},
		{"python", &rule698},
		{"python3", &rule698},
		{"qm", &rule655},
		{"qshape", &rule29},
		{"quota", &rule699},
		{"rabbitmq-diagnostics", &rule702},
		{"rabbitmqctl", &rule706},
		{"ranger", &rule1},
		{"rar", &rule0},
		{"rbspy", &rule65},
		{"rc-service", &rule461},
		{"rc-status", &rule707},
		{"rc-update", &rule709},
		{"rclone", &rule49},
		{"rdiff-backup", &rule49},
		{"readlink", &rule710},
		{"realpath", &rule710},
		{"reboot", &rule427},
		{"redis-cli", &rule534},
		{"reindexdb", &rule152},
		{"rename", &rule0},
		{"renice", &rule109},
		{"repquota", &rule699},
		{"reptyr", &rule65},
		{"resize2fs", &rule50},
		{"resolvectl", &rule713},
		{"restic", &rule717},
		{"restorecon", &rule3},
		{"rev", &rule94},
		{"rfkill", &rule40},
		{"rg", &rule718},
		{"rlwrap", &rule4},
		{"rm", &rule719},
		{"rmdir", &rule720},
		{"rmmod", &rule197},
		{"rndc", &rule721},
		{"route", &rule722},
		{"rpcinfo", &rule723},
		{"rpm", &rule724},
		{"rspamc", &rule725},
		{"rsync", &rule45},
		{"ruby", &rule489},
		{"run-parts", &rule726},
		{"run0", &rule193},
		{"runc", &rule83},
		{"runcon", &rule4},
		{"runlevel", &rule727},
		{"runuser", &rule728},
		{"rush", &rule1},
		{"s6-setuidgid", &rule4},
		{"s6-svstat", &rule729},
		{"sar", &rule730},
		{"scp", &rule45},
		{"screen", &rule731},
		{"script", &rule1},
		{"scriptreplay", &rule1},
		{"scrub", &rule50},
		{"sdiff", &rule732},
		{"sed", &rule424},
		{"sem", &rule4},
		{"semanage", &rule3},
		{"sendmail", &rule567},
		{"sensors", &rule733},
		{"seq", &rule54},
		{"service", &rule461},
		{"sestatus", &rule5},
		{"setarch", &rule4},
		{"setcap", &rule3},
		{"setenforce", &rule3},
		{"setfacl", &rule3},
		{"setfattr", &rule3},
		{"setpriv", &rule4},
		{"setsebool", &rule3},
		{"setsid", &rule734},
		{"setuidgid", &rule4},
		{"sfdisk", &rule50},
		{"sftp", &rule45},
		{"sg", &rule7},
		{"sg_format", &rule50},
		{"sgdisk", &rule50},
		{"sh", &rule55},
		{"sha1sum", &rule48},
		{"sha224sum", &rule48},
		{"sha256sum", &rule48},
		{"sha384sum", &rule48},
		{"sha512sum", &rule48},
		{"showmount", &rule735},
		{"shred", &rule50},
		{"shuf", &rule736},
		{"shutdown", &rule427},
		{"skill", &rule537},
		{"skopeo", &rule83},
		{"slabtop", &rule555},
		{"sleep", &rule54},
		{"smartctl", &rule737},
		{"smbstatus", &rule738},
		{"smem", &rule739},
		{"snap", &rule744},
		{"snapper", &rule745},
		{"snice", &rule537},
		{"socat", &rule746},
		{"sort", &rule747},
		{"spamc", &rule748},
		{"split", &rule1},
		{"sponge", &rule0},
		{"sqlite3", &rule749},
		{"srm", &rule50},
		{"ss", &rule750},
		{"ssacli", &rule453},
		{"ssh", &rule751},
		{"ssh-add", &rule45},
		{"ssh-agent", &rule45},
		{"ssh-copy-id", &rule45},
		{"ssh-keygen", &rule752},
		{"ssh-keyscan", &rule753},
		{"sshd", &rule754},
		{"sshpass", &rule45},
		{"stap", &rule65},
		{"start-stop-daemon", &rule4},
		{"stat", &rule755},
		{"stdbuf", &rule756},
		{"storcli", &rule656},
		{"storcli64", &rule656},
		{"strace", &rule65},
		{"strings", &rule757},
		{"stty", &rule758},
		{"su", &rule759},
		{"su-exec", &rule4},
		{"sudo", &rule760},
		{"sum", &rule48},
		{"supervisorctl", &rule767},
		{"sv", &rule770},
		{"swanctl", &rule771},
		{"swapoff", &rule50},
		{"swapon", &rule772},
		{"sysctl", &rule773},
		{"systemctl", &rule783},
		{"systemd-analyze", &rule785},
		{"systemd-ask-password", &rule193},
		{"systemd-cgls", &rule786},
		{"systemd-cgtop", &rule787},
		{"systemd-creds", &rule193},
		{"systemd-delta", &rule788},
		{"systemd-detect-virt", &rule727},
		{"systemd-escape", &rule727},
		{"systemd-firstboot", &rule193},
		{"systemd-id128", &rule727},
		{"systemd-inhibit", &rule193},
		{"systemd-mount", &rule193},
		{"systemd-notify", &rule193},
		{"systemd-nspawn", &rule83},
		{"systemd-path", &rule727},
		{"systemd-resolve", &rule789},
		{"systemd-run", &rule193},
		{"systemd-sysusers", &rule193},
		{"systemd-tmpfiles", &rule193},
		{"systemd-umount", &rule193},
		{"tac", &rule94},
		{"tail", &rule431},
		{"tailscale", &rule791},
		{"tar", &rule70},
		{"tasksel", &rule6},
		{"taskset", &rule116},
		{"tc", &rule794},
		{"tclsh", &rule1},
		{"tcpdump", &rule39},
		{"tcptraceroute", &rule795},
		{"tea", &rule418},
		{"tee", &rule796},
		{"telinit", &rule427},
		{"telnet", &rule39},
		{"terraform", &rule799},
		{"time", &rule800},
		{"timedatectl", &rule801},
		{"timeout", &rule802},
		{"tini", &rule4},
		{"tldr", &rule1},
		{"tmux", &rule803},
		{"tofu", &rule799},
		{"top", &rule804},
		{"touch", &rule805},
		{"toybox", &rule4},
		{"tput", &rule806},
		{"tr", &rule54},
		{"trace-cmd", &rule65},
		{"tracepath", &rule807},
		{"tracepath6", &rule807},
		{"traceroute", &rule795},
		{"traceroute6", &rule795},
		{"traefik", &rule809},
		{"tree", &rule810},
		{"truncate", &rule811},
		{"ts", &rule54},
		{"ts-node", &rule1},
		{"tshark", &rule39},
		{"tsort", &rule94},
		{"tty", &rule812},
		{"tune2fs", &rule813},
		{"udevadm", &rule815},
		{"udhcpc", &rule40},
		{"ufw", &rule819},
		{"umount", &rule50},
		{"uname", &rule820},
		{"unattended-upgrade", &rule6},
		{"unattended-upgrades", &rule6},
		{"unbound-control", &rule821},
		{"unbuffer", &rule112},
		{"unexpand", &rule94},
		{"uniq", &rule822},
		{"unlink", &rule823},
		{"unpigz", &rule85},
		{"unshare", &rule83},
		{"unxz", &rule85},
		{"unzip", &rule824},
		{"unzstd", &rule85},
		{"update-alternatives", &rule825},
		{"uptime", &rule826},
		{"useradd", &rule7},
		{"userdel", &rule7},
		{"usermod", &rule7},
		{"users", &rule827},
		{"uv", &rule84},
		{"vacuumdb", &rule152},
		{"valkey-cli", &rule534},
		{"varnishstat", &rule828},
		{"vault", &rule831},
		{"vconfig", &rule40},
		{"vdir", &rule200},
		{"velero", &rule834},
		{"vgchange", &rule562},
		{"vgcreate", &rule562},
		{"vgdisplay", &rule563},
		{"vgexport", &rule562},
		{"vgextend", &rule562},
		{"vgimport", &rule562},
		{"vgmerge", &rule562},
		{"vgreduce", &rule562},
		{"vgremove", &rule562},
		{"vgs", &rule563},
		{"vgscan", &rule562},
		{"vgsplit", &rule562},
		{"vi", &rule1},
		{"view", &rule1},
		{"vigr", &rule7},
		{"vim", &rule1},
		{"vipw", &rule7},
		{"virsh", &rule837},
		{"visudo", &rule7},
		{"vmstat", &rule838},
		{"vtysh", &rule839},
		{"w", &rule840},
		{"wal-g", &rule842},
		{"watch", &rule843},
		{"wc", &rule844},
		{"wg", &rule846},
		{"wg-quick", &rule40},
		{"wget", &rule847},
		{"whatis", &rule1},
		{"whereis", &rule848},
		{"which", &rule849},
		{"whiptail", &rule1},
		{"who", &rule850},
		{"whoami", &rule32},
		{"whois", &rule851},
		{"wipe", &rule50},
		{"wipefs", &rule50},
		{"wpa_cli", &rule40},
		{"wpa_supplicant", &rule40},
		{"x86_64", &rule4},
		{"xfs_admin", &rule50},
		{"xfs_db", &rule50},
		{"xfs_growfs", &rule50},
		{"xfs_info", &rule180},
		{"xfs_quota", &rule852},
		{"xfs_repair", &rule50},
		{"xkill", &rule537},
		{"xmllint", &rule853},
		{"xmlstarlet", &rule853},
		{"xsltproc", &rule853},
		{"xtrabackup", &rule49},
		{"xvfb-run", &rule4},
		{"xxd", &rule854},
		{"xz", &rule85},
		{"xzcat", &rule88},
		{"xzgrep", &rule89},
		{"xzless", &rule56},
		{"yarn", &rule84},
		{"yum", &rule209},
		{"zcat", &rule88},
		{"zdiff", &rule855},
		{"zegrep", &rule89},
		{"zellij", &rule1},
		{"zerofree", &rule50},
		{"zfgrep", &rule89},
		{"zfs", &rule858},
		{"zgrep", &rule89},
		{"zip", &rule0},
		{"zipinfo", &rule859},
		{"zless", &rule56},
		{"zmore", &rule56},
		{"zpool", &rule861},
		{"zstd", &rule85},
		{"zstdcat", &rule88},
		{"zstdgrep", &rule89},
		{"zypper", &rule643},
	},
	Secrets:     []string{"/etc/shadow", "/etc/shadow-", "/etc/shadow~", "/etc/shadow.bak", "/etc/gshadow", "/etc/gshadow-", "/var/backups/*shadow*", "/var/lib/cloud/**", "/etc/mysql/debian*", "**/*client*.cnf", "**/*galera*.cnf", "**/wsrep*.cnf", "**/rsyslog.d/*sql*", "**/nginx/passwd", "/var/lib/sss/**", "/var/lib/samba/private/**", "/var/lib/mysql/mysql/**", "/etc/sudoers", "/etc/sudoers.d/**", "/etc/ssl/private/**", "/etc/ssh/ssh_host_*_key", "/etc/claudeops/**", "/etc/kubernetes/**", "/etc/letsencrypt/accounts/**", "/var/lib/tailscale/**", "/run/user/*/keyring*/**", "/root/**", "/run/secrets/**", "/var/run/secrets/**", "/run/credentials/**", "/var/lib/docker/**", "/var/lib/containerd/**", "/var/lib/kubelet/**", "/var/lib/rancher/**", "/var/lib/etcd/**", "/var/lib/vault/**", "/proc/[0-9]*/environ", "/proc/self/environ", "/proc/thread-self/environ", "/proc/[0-9]*/cwd/**", "/proc/self/cwd/**", "/proc/thread-self/cwd/**", "/proc/[0-9]*/task/*/cwd/**", "/proc/self/task/*/cwd/**", "/proc/thread-self/task/*/cwd/**", "/proc/[0-9]*/task/*/environ", "/proc/self/task/*/environ", "/proc/thread-self/task/*/environ", "/proc/[0-9]*/mem", "/proc/self/mem", "/proc/thread-self/mem", "/proc/[0-9]*/task/*/mem", "/proc/self/task/*/mem", "/proc/thread-self/task/*/mem", "/proc/[0-9]*/fd/**", "/proc/self/fd/**", "/proc/thread-self/fd/**", "/proc/[0-9]*/task/*/fd/**", "/proc/self/task/*/fd/**", "/proc/thread-self/task/*/fd/**", "/proc/[0-9]*/map_files/**", "/proc/self/map_files/**", "/proc/thread-self/map_files/**", "/proc/kcore", "/dev/**", "/swapfile", "/run/containerd/**", "/run/containers/**", "/run/crio/**", "/run/crun/**", "/run/docker/**", "/run/runc/**", "/run/user/*/containers/**", "/run/user/*/crun/**", "/run/credstore/**", "/run/systemd/credentials/**", "/run/cloud-init/**", "/var/run/credentials/**", "/var/lib/containers/**", "/var/lib/lxc/**", "/var/lib/lxd/**", "/var/lib/incus/**", "/var/lib/libvirt/**", "/var/lib/nomad/**", "/var/lib/consul/**", "/var/snap/**/credentials/**", "/var/lib/systemd/coredump/**", "/var/lib/systemd/credential.secret", "/var/lib/apport/**", "/var/crash/**", "/var/spool/abrt/**", "/var/tmp/abrt/**", "/var/lib/NetworkManager/**", "/var/lib/rabbitmq/**", "/var/lib/snmp/**", "/var/lib/iscsi/**", "/var/lib/mysql/*/**", "/var/lib/mysql/ib*", "/var/lib/mysql/*-bin.*", "/var/lib/mysql/binlog.*", "/var/lib/postgresql/*/*/base/**", "/var/lib/postgresql/*/*/pg_wal/**", "/var/lib/postgresql/data/base/**", "/var/lib/postgresql/data/pg_wal/**", "/var/lib/pgsql/data/base/**", "/var/lib/pgsql/*/data/base/**", "/var/lib/mongodb/**", "/var/lib/elasticsearch/**", "/var/lib/redis/**", "/var/lib/bitwarden/**", "/var/lib/vaultwarden/**", "/usr/lib/credstore*/**", "/sys/firmware/qemu_fw_cfg/**", "/etc/systemd/system.control/**", "/var/lib/jenkins/**", "/var/spool/cron/**", "/var/lib/krb5kdc/**", "/var/lib/teleport/**", "/var/backups/passwd*", "/var/mail/**", "/var/spool/mail/**", "/var/spool/postfix/**", "/var/spool/exim4/**", "/run/k3s/**", "/var/run/k3s/**", "/var/snap/docker/**", "/var/snap/microk8s/**", "/var/snap/lxd/**", "/proc/vmcore", "/proc/kmsg", "**/trace_pipe", "**/supervisord*.conf", "/etc/systemd/system/**", "/run/systemd/system/**", "/run/systemd/transient/**", "/run/systemd/generator*/**", "/usr/local/lib/systemd/**", "/lib/systemd/system/**", "/lib/systemd/user/**", "/usr/lib/systemd/system/**", "/usr/lib/systemd/user/**", "/mnt/secrets*/**", "/var/lib/secrets*/**", "**/*.env.*", "**/*.env~", "**/env.prod*", "**/*.env", "**/_netrc", "**/.git/**/config*", "**/.git/**/logs/**", "**/.git/**/*_HEAD", "**/?*.git/**/config*", "**/?*.git/**/logs/**", "**/?*.git/**/*_HEAD", "**/.gitmodules", "**/sasl_passwd*", "**/passwd.client", "**/*.keytab", "**/*htpasswd*", "**/*htdigest*", "**/*.tfstate", "**/*.tfvars", "**/*.tfvars.json", "**/*.tfstate.backup", "**/rclone.conf", "**/auth.json", "**/*.rdb", "**/global/1260", "**/dovecot/*sql*", "**/postfix/*sql*", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/*.key", "**/*.key.*", "**/*.key~", "**/*.keyring", "**/private_key.json", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.kdbx", "**/*.ppk", "**/*credentials*", "**/acme*.json", "**/alertmanager*.y*ml", "**/patroni*.y*ml", "**/NuGet.Config", "**/secret", "**/secrets", "**/secrets/**", "**/secret.y*ml", "**/*secret*.y*ml", "**/vault.y*ml", "**/*password*", "**/*passwd.txt", "**/wp-config.php", "**/apprise.y*ml", "**/service-account*.json", "**/rabbitmq.conf", "**/pip.conf", "**/redis*.conf", "**/sentinel*.conf", "**/users.acl", "**/*.aof", "**/appendonlydir/**", "**/chrony.keys", "**/*.priv", "**/rsa_key.*", "**/config/master.key", "**/*.journal", "**/*.journal~", "**/core.[0-9]*", "**/*.hprof", "**/environment", "**/env", "**/app.ini", "**/homeserver.y*ml", "**/application*.y*ml", "**/application*.properties", "**/local_settings.py", "**/settings.php", "**/debian-db.php", "**/config-db.php", "**/key.txt", "**/keys.txt", "**/authkey", "**/*.keys", "**/*.creds", "**/*.secrets", "**/*_passwd", "**/config.v2.json", "**/hostconfig.json", "**/io.containerd.runtime.v2.task/**", "**/io.containerd.runtime.v1.linux/**", "**/io.containerd.grpc.v1.cri/**", "**/io.containerd.snapshotter.v1.overlayfs/**", "**/io.containerd.metadata.v1.bolt/**", "**/overlay-containers/**", "**/postgresql.auto.conf", "**/recovery.conf", "**/krb5cc_*", "**/*kubeconfig*", "**/private/*.pem", "**/private_keys/**", "**/private*.pem", "**/*.p8", "**/*.secret", "**/*.passwd", "**/tomcat-users.xml", "**/mgmt-users.properties", "**/*jaas*.conf", "**/sitemanager.xml", "**/slapd.conf", "**/slapd.d/**", "**/api-users.conf", "**/gitlab.rb", "**/airflow.cfg", "**/pgbouncer.ini", "**/*secret*.json", "**/client_secret*", "**/*firebase-adminsdk*", "**/sa-key.json", "**/secrets.*", "**/env.local", "**/env.php", "**/token", "**/*_token", "**/*-token", "**/*.token", "**/token.txt", "**/*_token.txt", "**/vault-pass*", "**/vault.txt", "**/appsettings*.json", "**/parameters.yml", "**/config.inc.php", "**/configuration.php", "**/*repl_history", "**/Maildir/**", "**/*.dump", "**/*.pem", "**/haproxy/**/*.pem", "**/*.private", "**/*secret_key*", "**/*keyfile*", "**/deploy_key*", "**/keys/**", "**/key", "**/secret/**", "**/creds/**", "**/env/**", "**/*openrc*", "**/*.sql", "**/*.sql.*", "**/*.dump.*", "**/*.mdb", "**/grafana.db", "**/gitea.db", "**/database.yml", "**/config.php", "**/LocalSettings.php", "**/web.config", "**/standalone*.xml", "**/keycloak.conf", "**/harbor.yml", "**/guacamole.properties", "**/pg_service.conf", "**/logins.json", "**/recentservers.xml", "**/wallet.dat", "**/sess_*", "**/php/sessions/**", "**/chap-secret", "**/trace_pipe_raw", "**/server.xml", "**/context.xml", "/var/lib/tor/**", "/var/lib/ldap/**", "/var/lib/k0s/**", "/var/cache/debconf/**", "/run/keys/**", "/run/agenix/**", "/run/secrets.d/**", "/sys/kernel/debug/**", "/proc/acpi/event", "**/*.pem?*", "**/privkey*", "**/auth_openidc*", "**/*.ovpn", "**/wg*.conf", "**/gitlab-runner/**", "**/accessKeys*.csv", "**/rootkey.csv", "**/*.pwd", "**/ldap.toml", "**/settings.*.php", "**/vaultwarden/**", "/var/lib/waagent/**", "**/installer/cdebconf/**", "**/installer/*user-data*", "/var/lib/mysql-keyring/**", "/var/lib/private/**", "/var/lib/unifi/**", "**/wireguard/**", "**/*-key", "**/token.json", "**/pw.txt", "**/pwd.txt", "**/pass.txt", "**/wp-config*", "**/custom.ini", "**/datasource*.properties", "**/hibernate*.xml", "**/*.php.bak", "**/settings*.pyc", "**/mysql/**/backup*.cnf", "**/mysql/**/*dump*.cnf", "**/settings*.py", "**/settings/*.py", "**/config.py", "**/database*.php", "**/db.php", "**/cloud-init-output.log", "**/prometheus/prometheus.yml", "**/redis/redis.conf", "**/netplan/*.yaml", "**/containerd/config.toml", "**/network-scripts/ifcfg-*", "**/yum.repos.d/*", "**/elasticsearch.yml"},
	Etc:         []string{"/etc/*release", "/etc/*_version", "/etc/hosts*", "/etc/hostname", "/etc/host.conf", "/etc/resolv.conf", "/etc/nsswitch.conf", "/etc/gai.conf", "/etc/mtab", "/etc/exports", "/etc/passwd", "/etc/group", "/etc/services", "/etc/networks", "/etc/protocols", "/etc/shells", "/etc/login.defs", "/etc/localtime", "/etc/timezone", "/etc/locale*", "/etc/machine-id", "/etc/motd", "/etc/issue*", "/etc/mime.types", "/etc/aliases", "/etc/inittab", "/etc/ld.so.conf*/**", "/etc/sysctl*/**", "/etc/security/limits*/**", "/etc/modprobe.d/**", "/etc/modules*/**", "/etc/tmpfiles.d/**", "/etc/udev/rules.d/*", "/etc/tuned/active_profile", "/etc/audit/auditd.conf", "/etc/ssh/*.pub", "/etc/ssl/certs/**", "/etc/ssl/openssl.cnf", "/etc/ssl/*.pem", "/etc/pki/tls/certs/**", "/etc/pki/ca-trust/**", "/etc/letsencrypt/live/**", "/etc/letsencrypt/archive/**", "/etc/letsencrypt/renewal/**", "/etc/**/*.crt", "/etc/**/*.csr", "/etc/**/*chain.pem", "/etc/apk/repositories", "/etc/selinux/config", "/etc/lvm/lvm.conf", "/etc/multipath.conf", "/etc/nginx/koi-*", "/etc/nginx/win-utf", "/etc/nginx/**/mime.types", "/etc/apache2/magic", "/etc/httpd/conf/magic"},
	Looked:      []string{"/etc/fstab", "/etc/crontab", "/etc/anacrontab", "/etc/cron.*/**", "/etc/logrotate*/**", "/etc/rsyslog*/**", "/etc/systemd/*.conf", "/etc/systemd/*.conf.d/**", "/etc/systemd/network/*.network", "/etc/systemd/network/*.link", "/etc/network/interfaces", "/etc/network/interfaces.d/*", "**/network-scripts/ifcfg-*", "/etc/pam.d/**", "/etc/ssh/ssh*_config", "/etc/ssh/ssh*_config.d/**", "/etc/apt/sources.list*/**", "/etc/apt/preferences*/**", "/etc/apt/apt.conf.d/*", "**/yum.repos.d/*", "/etc/dnf/dnf.conf", "/etc/yum.conf", "/etc/chrony*/**", "/etc/ntp.conf", "/etc/ntpsec/ntp.conf", "/etc/dnsmasq*/**", "/etc/unbound/**/*.conf", "/etc/bind/named.conf.options", "/etc/nftables.conf", "/etc/iptables/rules*", "/etc/init.d/*", "/etc/rc.local", "/etc/default/chrony", "/etc/default/cron", "/etc/default/docker", "/etc/default/grub", "/etc/default/haproxy", "/etc/default/keepalived", "/etc/default/locale", "/etc/default/memcached", "/etc/default/named", "/etc/default/networking", "/etc/default/nginx", "/etc/default/prometheus*", "/etc/default/redis*", "/etc/default/rsyslog", "/etc/default/smartmontools", "/etc/default/ssh", "/etc/default/sysstat", "/etc/default/useradd", "/etc/default/varnish", "**/netplan/*.yaml", "/etc/docker/daemon.json", "**/containerd/config.toml", "/etc/mdadm*/**", "/etc/fail2ban/jail.*", "/etc/fail2ban/jail.d/*", "/etc/nginx/**/*.conf", "/etc/nginx/sites-*/*", "/etc/nginx/**/*_params", "/etc/nginx/**/*.inc", "/etc/nginx/conf.d/*.conf.*", "/etc/nginx/upstream*/*", "/etc/apache2/**/*.conf", "/etc/apache2/**/*.load", "/etc/apache2/sites-*/*", "/etc/apache2/envvars", "/etc/httpd/**/*.conf", "/etc/lighttpd/**/*.conf", "/etc/caddy/Caddyfile", "/etc/haproxy/**/*.cfg", "/etc/varnish/*.vcl", "/etc/php.ini", "/etc/php/**/*.conf", "/etc/php/**/*.ini", "/etc/php.d/*.ini", "/etc/php[0-9]*/**/*.conf", "/etc/php[0-9]*/**/*.ini", "/etc/php-fpm*/**", "/etc/postgresql*/**/*.conf", "/etc/mysql/**/*.cnf", "/etc/my.cnf", "/etc/my.cnf.d/*.cnf", "/etc/memcached.conf", "/etc/mongod.conf", "/etc/postfix/main.cf", "/etc/postfix/master.cf", "/etc/samba/smb.conf", "/etc/dovecot/dovecot.conf", "/etc/dovecot/conf.d/10-*.conf", "/etc/vsftpd.conf", "/etc/prometheus/rules/*", "**/prometheus/prometheus.yml", "**/redis/redis.conf", "**/elasticsearch.yml", "**/cloud-init-output.log", "**/mysql/**/backup*.cnf", "**/mysql/**/*dump*.cnf", "**/settings*.py", "**/settings/*.py", "**/config.py", "**/database*.php", "**/db.php"},
	SecretHosts: []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "metadata", "metadata.google.internal", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.platformequinix.com", "metadata.packet.net", "rancher-metadata", "*.nip.io", "*.sslip.io", "*.xip.io", "*.traefik.me"},
	Logs:        []string{"/var/log"},
	Rotated:     []string{"*.gz", "*.xz", "*.bz2", "*.zst", "*.old", "*.[0-9]", "*.[0-9][0-9]", "*.log.*", "*.log-*", "*-20[0-9][0-9][0-9][0-9][0-9][0-9]*"},
	Units:       []string{"claudeops*", "rescue", "emergency", "debug-shell", "ctrl-alt-del", "modprobe@*", "ifup@*", "user@*", "user-runtime-dir@*", "wpa_supplicant*", "network-manager", "apt-daily*", "dbus-*", "networking", "network", "networkd-dispatcher", "NetworkManager*", "ifupdown*", "dhcp*", "isc-dhcp-*", "named", "bind9", "docker", "containerd", "crio", "watchdog*", "ufw", "nftables", "iptables", "ip6tables", "netfilter-persistent", "dbus", "systemd-*", "initrd-*", "plymouth*", "kexec*", "getty*", "serial-getty*", "autovt*", "fstrim", "blk-availability", "lvm2-*", "mdadm*", "mdmonitor*", "multipathd", "iscsi*", "open-iscsi", "zfs-*", "cryptsetup*", "auditd", "atd", "anacron", "cron", "crond", "cronie", "polkit", "rsyslog", "syslog", "syslog-ng", "accounts-daemon", "apparmor", "dracut-*", "grub-*", "dpkg-*", "unattended-upgrades", "packagekit", "firewall*", "shorewall*", "net.*", "netplan-*", "wicked*", "connman", "iwd", "hostapd", "pppd*", "xl2tpd", "racoon", "ferm", "csf", "lfd", "pve-*", "openvswitch*", "ovs-*", "netbird", "nebula*", "n2n", "gobgpd", "exabgp", "calico*", "cilium*", "flannel*", "kube-*", "coredns*", "kindnet*", "weave*", "canal", "ModemManager", "keepalived", "bird", "bird6", "frr", "quagga", "openvpn*", "strongswan*", "ipsec", "libreswan", "tailscaled", "zerotier-one", "cloudflared", "wg-quick*", "wireguard*", "dropbear*", "ssh*", "dnsmasq", "unbound", "named-resolvconf", "resolvconf"},
	Environment: []string{"LC_*=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "LANG=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "TZ=/[A-Za-z][A-Za-z0-9_+-]*(?:\\/[A-Za-z0-9_+-]+)*/", "TERM=/[A-Za-z0-9._+-]+/", "NO_COLOR=/[A-Za-z0-9]*/", "FORCE_COLOR=/[A-Za-z0-9]*/", "CLICOLOR=/[A-Za-z0-9]*/", "COLUMNS=/[0-9]*/", "LINES=/[0-9]*/", "SYSTEMD_COLORS=/[A-Za-z0-9]*/", "SYSTEMD_URLIFY=/[A-Za-z0-9]*/", "SYSTEMD_PAGER=|cat", "PAGER=|cat", "GIT_PAGER=|cat", "GIT_OPTIONAL_LOCKS=0|1", "GIT_TERMINAL_PROMPT=0", "PSQL_PAGER=cat", "MANPAGER=cat", "DOCKER_CLI_HINTS=/[a-z0-9]*/", "COMPOSE_ANSI=/[a-z]*/", "ANSIBLE_NOCOLOR=/[A-Za-z0-9]*/", "ANSIBLE_FORCE_COLOR=/[A-Za-z0-9]*/", "ANSIBLE_STDOUT_CALLBACK=yaml|json|default|minimal", "PGCONNECT_TIMEOUT=/[0-9]+/", "PGPORT=/[1-9][0-9]{0,4}/", "PGUSER=/[A-Za-z0-9_.@-]+/", "PGDATABASE=/[A-Za-z0-9_.-]+/", "PGAPPNAME=/[A-Za-z0-9_.-]+/", "ETCDCTL_API=3|2"},
	Reading:     []string{"about", "active", "actuator", "alarms", "alertmanager", "alertmanagers", "alerts", "aliases", "alive", "all", "allocation", "allocs", "api", "app", "artifactory", "assets", "auto", "availability", "available", "basic", "blog", "brokers", "buildinfo", "cart", "cat", "catalog", "categories", "category", "channels", "check", "checks", "client", "cluster", "clusters", "connection", "connections", "connz", "consumers", "contact", "count", "cpu", "css", "csv", "dashboard", "dbs", "debug", "details", "disk", "entrypoints", "events", "exchanges", "explain", "false", "faq", "favicon", "federation", "fonts", "format", "fpm", "fs", "full", "gif", "gitea", "goroutine", "grafana", "graph", "groups", "haproxy", "health", "healthcheck", "healthchecks", "healthy", "healthz", "heartbeat", "hikaricp", "home", "hot", "htm", "html", "http", "ico", "idle", "images", "img", "index", "indices", "info", "jobs", "jpg", "js", "json", "jsz", "jvm", "label", "labels", "lbheartbeat", "leader", "limit", "list", "live", "liveness", "livez", "local", "login", "logo", "loki", "main", "manifest", "master", "matrix", "max", "members", "membership", "memory", "metrics", "minio", "models", "mutex", "names", "news", "nextcloud", "nginx", "node", "nodes", "norefresh", "offset", "ok", "os", "overview", "page", "patroni", "peak", "peers", "pending", "php", "ping", "pipelines", "png", "pool", "pprof", "pretty", "pricing", "primary", "product", "products", "prometheus", "public", "q", "query", "queue", "queues", "range", "readiness", "ready", "readyz", "receivers", "recovery", "replica", "replicas", "rest", "ring", "robots", "routers", "routez", "rules", "runtimeinfo", "search", "segments", "series", "server", "service", "services", "shards", "silences", "sitemap", "size", "srv", "started", "startup", "static", "stats", "status", "statusz", "stub", "style", "styles", "subsz", "svg", "system", "tags", "targets", "task", "tasks", "tcp", "text", "thread", "threadcreate", "threads", "time", "total", "traefik", "true", "tsdb", "txt", "type", "udp", "ui", "up", "uptime", "usage", "used", "v", "values", "varz", "verbose", "version", "versions", "vhosts", "walreplay", "web", "webp", "woff", "workers", "wp", "www", "xml", "health|healthz|healthcheck|ping|liveness|readiness/cache|cassandra|database|db|dependencies|diskspace|elasticsearch|jms|kafka|ldap|livenessstate|mongo|mongodb|mysql|opensearch|postgres|postgresql|rabbit|rabbitmq|readinessstate|redis|solr|sql|storage", "admin|internal|manage|management|monitor|monitoring/health|healthz|healthcheck|livez|metrics|ping|readyz|status", "pprof/block|heap"},
}

var (
	rule0 = Rule{Do: "unknown", Operands: "any*", Why: "files are written below $TMPDIR with > and tee, and read with cat", Loose: true}
	rule1 = Rule{Do: "unknown", Operands: "any*", Why: "it runs other programs, or waits for somebody at the keyboard; use cat, grep, sed -n, awk, jq", Loose: true}
	rule2 = Rule{Do: "observe", Options: "-q -s -m -c -M -v -a", Operands: "lit?"}
	rule3 = Rule{Do: "unknown", Operands: "any*", Why: "say in the handoff what should be changed", Loose: true}
	rule4 = Rule{Do: "unknown", Operands: "any*", Why: "give the command itself, or with sudo -u USER, timeout, nice", Loose: true}
	rule5 = Rule{Do: "observe", Options: "-v -b --enabled --json --pretty-json --profiled --enforced --complaining"}
	rule6 = Rule{Do: "unknown", Operands: "any*", Why: "packages are for people; what is installed: apt list --installed, dpkg -l", Loose: true}
	rule7 = Rule{Do: "forbidden", Operands: "any*", Why: "accounts and passwords are for people", Loose: true}
	rule8 = Rule{Do: "observe", Options: "-o/--output=simple|extended|json -s/--silenced -a/--active -i/--inhibited -u/--unprocessed --expired -q/--quiet --alertmanager.url=/http:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):9093\\/?/", Operands: "/[A-Za-z_][^@\\r\\n]*/*", Why: "of the Alertmanager of this machine, and only shown: amtool alert query --alertmanager.url=http://localhost:9093"}
	rule9 = Rule{Commands: []Command{
		{"query", &rule8},
	},
	}
	rule10 = Rule{Do: "observe", Commands: []Command{
		{"alert", &rule9},
		{"silence", &rule9},
	},
	}
	rule11 = Rule{Do: "unknown", Operands: "any*", Why: "nothing is left behind to run later; do it now, or say it in the handoff", Loose: true}
	rule12 = Rule{Do: "observe", Options: "-t -T -v -V -q -c=/\\/etc\\/nginx\\/nginx\\.conf/ -s=reload|reopen!change -s=stop|quit!unknown -h", Why: "nginx -t, nginx -T, nginx -s reload; to restart it: systemctl restart nginx, docker restart NAME", Requires: "-t|-T|-v|-V|-s|-h"}
	rule13 = Rule{Do: "unknown", Operands: "any*", Why: "not granted to an agent; ansible-playbook FILE of the repositories is", Loose: true}
	rule14 = Rule{Do: "redeploy", Options: "-i/--inventory/--inventory-file=hosts -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -t/--tags=lit --skip-tags=lit --start-at-task=lit -C/--check!observe!change -D/--diff -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --force-handlers --list-tasks!observe --list-hosts!observe --list-tags!observe --syntax-check!observe --version!observe -h/--help!observe", Operands: "code*", Style: "gnu", Why: "only playbooks and inventory files of the repositories, without -e, --vault-password-file (a program, where it is executable), -c, -M and options of ssh: ansible-playbook FILE --limit HOST", Service: "base", Tiers: "3", Cwd: "code"}
	rule15 = Rule{Do: "forbidden", Operands: "any*", Style: "strict", Why: "secrets are neither shown nor changed"}
	rule16 = Rule{Do: "observe"}
	rule17 = Rule{Do: "change"}
	rule18 = Rule{Do: "unknown", Why: "to restart it: systemctl restart apache2"}
	rule19 = Rule{Do: "observe", Options: "-t -S -M -v -V -l -L -D=DUMP_VHOSTS|DUMP_MODULES|DUMP_RUN_CFG|DUMP_INCLUDES -k=graceful!change -k=start|stop|restart|graceful-stop!unknown", Why: "apachectl configtest, apachectl -S, apachectl graceful; to restart it: systemctl restart apache2", Requires: "-t|-S|-M|-v|-V|-l|-L|-D|-k", Commands: []Command{
		{"configtest", &rule16},
		{"graceful", &rule17},
		{"start", &rule18},
		{"stop", &rule18},
		{"restart", &rule18},
		{"graceful-stop", &rule18},
		{"status", &rule18},
		{"fullstatus", &rule18},
	},
	}
	rule20 = Rule{Do: "observe", Options: "-v/--verbose -vv -a/--all -d/--description -e/--installed -W/--who-owns -L/--contents -r/--rdepends -R/--depends -s/--size -w/--webpage -I/--installed -u/--upgradable -O/--orphaned -P/--providers -l/--limit=any -q/--quiet -x/--exact", Operands: "any*"}
	rule21 = Rule{Do: "unknown", Operands: "any*", Why: "packages are for people; say in the handoff what should be installed", Loose: true}
	rule22 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule20},
		{"list", &rule20},
		{"policy", &rule20},
		{"search", &rule20},
		{"version", &rule20},
		{"stats", &rule20},
		{"dot", &rule20},
		{"add", &rule21},
		{"del", &rule21},
		{"fix", &rule21},
		{"update", &rule21},
		{"upgrade", &rule21},
		{"cache", &rule21},
		{"fetch", &rule21},
		{"audit", &rule21},
		{"index", &rule21},
		{"verify", &rule21},
	},
	}
	rule23 = Rule{Do: "observe", Options: "-V/--version", Why: "agents send nothing by it: this program does, after the cycle; what people must know at once: claudeops notify --title TEXT --body TEXT", Requires: "-V|--version"}
	rule24 = Rule{Do: "observe", Options: "--installed --upgradable/--upgradeable --manual-installed -a/--all-versions -q/--quiet -v/--verbose", Operands: "any*"}
	rule25 = Rule{Do: "observe", Options: "-a/--all-versions -q/--quiet -n/--names-only -f/--full -v/--verbose --installed", Operands: "any*"}
	rule26 = Rule{Do: "observe", Options: "-v/--version -h/--help", Style: "gnu", Commands: []Command{
		{"list", &rule24},
		{"show", &rule25},
		{"policy", &rule25},
		{"search", &rule25},
		{"depends", &rule25},
		{"rdepends", &rule25},
		{"showsrc", &rule25},
		{"madison", &rule25},
		{"install", &rule21},
		{"remove", &rule21},
		{"purge", &rule21},
		{"upgrade", &rule21},
		{"full-upgrade", &rule21},
		{"dist-upgrade", &rule21},
		{"autoremove", &rule21},
		{"update", &rule21},
		{"reinstall", &rule21},
		{"edit-sources", &rule21},
		{"autopurge", &rule21},
		{"satisfy", &rule21},
		{"build-dep", &rule21},
		{"download", &rule21},
		{"source", &rule21},
		{"clean", &rule21},
		{"autoclean", &rule21},
	},
	}
	rule27 = Rule{Do: "observe", Options: "-a/--all-versions -n/--names-only -f/--full -q/--quiet -i/--important -r/--recurse --installed", Operands: "any*"}
	rule28 = Rule{Do: "observe", Options: "-q/--quiet", Style: "gnu", Commands: []Command{
		{"policy", &rule27},
		{"show", &rule27},
		{"search", &rule27},
		{"depends", &rule27},
		{"rdepends", &rule27},
		{"madison", &rule27},
		{"showpkg", &rule27},
		{"stats", &rule27},
		{"pkgnames", &rule27},
		{"showsrc", &rule27},
		{"unmet", &rule27},
	},
	}
	rule29 = Rule{Do: "observe", Operands: "lit*"}
	rule30 = Rule{Do: "observe", Commands: []Command{
		{"showhold", &rule29},
		{"showmanual", &rule29},
		{"showauto", &rule29},
	},
	}
	rule31 = Rule{Do: "observe", Options: "-s=any -d -a -x -r -v", Operands: "/[0-9]+/*"}
	rule32 = Rule{Do: "observe", Options: "-x -V --version --help"}
	rule33 = Rule{Do: "observe", Options: "-o/--output=wide|name -p/--project=lit -l/--selector=lit"}
	rule34 = Rule{Do: "observe", Options: "-o/--output=wide|tree|tree=detailed|id", Operands: "lit"}
	rule35 = Rule{Commands: []Command{
		{"list", &rule33},
		{"get", &rule34},
		{"history", &rule34},
	},
	}
	rule36 = Rule{Do: "observe", Options: "--client --short"}
	rule37 = Rule{Do: "observe", Commands: []Command{
		{"app", &rule35},
		{"version", &rule36},
	},
	}
	rule38 = Rule{Do: "observe", Options: "-a -n/--numeric -e -v/--verbose -i/--device=any -H/--hw-type=any -D -s/--set!forbidden -d/--delete!forbidden", Operands: "/[A-Za-z0-9_.:-]+/?"}
	rule39 = Rule{Do: "unknown", Why: "to look whether a port is open: nc -zv -w 2 HOST PORT; the way there: mtr -r -c 5 -n HOST", Loose: true}
	rule40 = Rule{Do: "forbidden", Operands: "any*", Why: "the network's configuration is for people", Loose: true}
	rule41 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: use top -b -n 1, ps aux, ss -tunap, sar", Loose: true}
	rule42 = Rule{Do: "observe", Options: "-q=any -V"}
	rule43 = Rule{Do: "observe", Options: "-a/--avc -au/--auth -l/--login -s/--syscall -k/--key -x/--executable --summary --failed --success -i/--interpret -ts/--start=any -te/--end=any", Style: "word"}
	rule44 = Rule{Do: "observe", Options: "-m/--message=any -ts/--start=any -te/--end=any -c/--comm=any -i/--interpret -k/--key=any -p/--pid=any -u/--uid=any -x/--executable=any -sv/--success=any -f/--file=any --just-one --raw -r", Style: "word"}
	rule45 = Rule{Do: "unknown", Why: "files are not copied between hosts; read one where it lies: ssh HOST 'tail -50 FILE'", Loose: true}
	rule46 = Rule{Do: "observe", Options: "-F=any -v=any --version", Operands: "awk file*", Style: "strict", Why: "the program stands in the command (no -f, -i, -l, -o, -p)"}
	rule47 = Rule{Do: "unknown", Why: "the accounts of cloud providers are not granted; write into the handoff what a person should look at", Loose: true}
	rule48 = Rule{Do: "observe", Options: "-b/--binary -c/--check=code --tag -t/--text -z/--zero --ignore-missing --quiet --status --strict -w/--warn -a/--algorithm=any -l/--length=any -r -s --help --version", Operands: "file*", Style: "gnu", Globs: true}
	rule49 = Rule{Do: "unknown", Operands: "any*", Why: "backups are for people; their logs are readable with journalctl", Loose: true}
	rule50 = Rule{Do: "forbidden", Operands: "any*", Why: "file systems hold the services' data; ask a person", Loose: true}
	rule51 = Rule{Do: "observe", Options: "--minimal --nagios", Operands: "lit*"}
	rule52 = Rule{Do: "observe", Options: "-v/--version -q/--quiet", Why: "backups are only listed: barman list-backups SERVER, barman status SERVER", Commands: []Command{
		{"list-backup", &rule51},
		{"list-backups", &rule51},
		{"list-server", &rule51},
		{"list-servers", &rule51},
		{"status", &rule51},
		{"check", &rule51},
		{"replication-status", &rule51},
	},
	}
	rule53 = Rule{Do: "observe", Options: "-d/--decode/-D -i/--ignore-garbage -w/--wrap=any --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85 --help --version", Operands: "file?"}
	rule54 = Rule{Do: "observe", Operands: "any*", Loose: true}
	rule55 = Rule{Do: "observe", Options: "-c=shell!nostdin -s!unknown -e -u -x -l!unknown -i!unknown", Operands: "none", Style: "strict", Why: "give the commands themselves, or after -c as one literal text", Stdin: "shell"}
	rule56 = Rule{Do: "unknown", Operands: "any*", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n, zcat", Loose: true}
	rule57 = Rule{Do: "observe", Options: "-l/--mathlib -q/--quiet -s/--standard -w/--warn -h/--help -v/--version"}
	rule58 = Rule{Do: "observe", Options: "-d/--no-encoding -o/--output=any -k/--list-filesystems -s/--match-tag=any -t/--match-token=any -l/--list-one -L/--label=any -U/--uuid=any -p/--probe -i/--info -u/--usages=any -n/--match-types=any -D/--no-part-details -h/--help -V/--version", Operands: "disk*"}
	rule59 = Rule{Do: "observe", Options: "--report --getsize64 --getsz --getss --getbsz --getro --getra --getpbsz", Operands: "disk*"}
	rule60 = Rule{Do: "observe", Options: "--no-pager"}
	rule61 = Rule{Do: "observe", Options: "--no-pager --version", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule60},
		{"list", &rule60},
	},
	}
	rule62 = Rule{Do: "observe", Options: "--last=any --first=any --json --short --bypass-lock -v/--verbose --info -q/--quiet", Operands: "/\\/(?:srv|mnt|media|data|backups?|var\\/backups?)(?:\\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*(?:::[A-Za-z0-9_][A-Za-z0-9_.:T-]*)?/?"}
	rule63 = Rule{Do: "observe", Options: "--last=any --first=any --json --short"}
	rule64 = Rule{Do: "observe", Options: "-V/--version -h/--help", Why: "backups are only listed: borg list /srv/REPOSITORY, borg info /srv/REPOSITORY", Commands: []Command{
		{"list", &rule62},
		{"info", &rule62},
		{"rlist", &rule63},
		{"rinfo", &rule63},
	},
	}
	rule65 = Rule{Do: "forbidden", Operands: "any*", Why: "what attaches to a process shows its memory or stops it (jstack and jcmd begin with SIGQUIT); use logs, ps, /proc/PID/status, jps -l, jstat -gcutil PID", Loose: true}
	rule66 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule29},
		{"showmacs", &rule29},
		{"showstp", &rule29},
	},
	}
	rule67 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule29},
		{"sh", &rule29},
		{"list", &rule29},
		{"ls", &rule29},
		{"lst", &rule29},
		{"add", &rule40},
		{"append", &rule40},
		{"delete", &rule40},
		{"del", &rule40},
		{"set", &rule40},
		{"replace", &rule40},
		{"flush", &rule40},
	},
	}
	rule68 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -j/-json -o/-oneline -t/-timestamp -c[=any] -color[=any] -V", Style: "word", Commands: []Command{
		{"link", &rule67},
		{"fdb", &rule67},
		{"vlan", &rule67},
		{"mdb", &rule67},
		{"vni", &rule67},
	},
	}
	rule69 = Rule{Do: "observe", Options: "--wildcards --exclude=any --full-time --numeric-owner --utc", Operands: "archive any*"}
	rule70 = Rule{Do: "observe", Options: "-t/--list -f/--file=archive -v/--verbose -z/--gzip/--gunzip/--ungzip -j/--bzip2 -J/--xz --zstd --lzma --lzip -a/--auto-compress --wildcards --no-wildcards --exclude=any --full-time --numeric-owner --show-stored-names --utc --totals --occurrence[=any] --strip-components=any --anchored --no-anchored --ignore-case --force-local --warning=any --version --help -i/--ignore-zeros", Operands: "any*", Why: "archives are only listed: tar -tzf FILE", Requires: "-t|--list|--version|--help", Commands: []Command{
		{"tf", &rule69},
		{"tvf", &rule69},
		{"tzf", &rule69},
		{"tvzf", &rule69},
		{"tzvf", &rule69},
		{"ztf", &rule69},
		{"ztvf", &rule69},
		{"tjf", &rule69},
		{"tjvf", &rule69},
		{"tvjf", &rule69},
		{"tJf", &rule69},
		{"tJvf", &rule69},
		{"tvJf", &rule69},
		{"vtf", &rule69},
		{"taf", &rule69},
		{"tavf", &rule69},
		{"ft", &rule69},
		{"fvt", &rule69},
	},
	}
	rule71 = Rule{Do: "observe", Options: "-h -H -T -b -k -m -g -t -d -s -a -p -c -u -q -o", Operands: "disk*"}
	rule72 = Rule{Commands: []Command{
		{"show", &rule71},
		{"df", &rule71},
		{"usage", &rule71},
		{"du", &rule71},
		{"resize", &rule50},
	},
	}
	rule73 = Rule{Commands: []Command{
		{"list", &rule71},
		{"show", &rule71},
		{"delete", &rule50},
	},
	}
	rule74 = Rule{Commands: []Command{
		{"list", &rule71},
		{"delete", &rule50},
	},
	}
	rule75 = Rule{Commands: []Command{
		{"status", &rule71},
	},
	}
	rule76 = Rule{Commands: []Command{
		{"status", &rule71},
		{"start", &rule50},
	},
	}
	rule77 = Rule{Do: "observe", Options: "-c/--check -T", Operands: "disk*"}
	rule78 = Rule{Commands: []Command{
		{"usage", &rule71},
		{"stats", &rule77},
		{"remove", &rule50},
		{"delete", &rule50},
		{"add", &rule50},
		{"replace", &rule50},
	},
	}
	rule79 = Rule{Commands: []Command{
		{"usage", &rule71},
		{"stats", &rule77},
	},
	}
	rule80 = Rule{Commands: []Command{
		{"show", &rule71},
	},
	}
	rule81 = Rule{Commands: []Command{
		{"start", &rule50},
	},
	}
	rule82 = Rule{Do: "observe", Commands: []Command{
		{"filesystem", &rule72},
		{"fi", &rule72},
		{"subvolume", &rule73},
		{"sub", &rule74},
		{"scrub", &rule75},
		{"balance", &rule76},
		{"device", &rule78},
		{"dev", &rule79},
		{"qgroup", &rule80},
		{"replace", &rule81},
		{"rescue", &rule50},
		{"check", &rule50},
	},
	}
	rule83 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; look inside with docker exec NAME COMMAND"}
	rule84 = Rule{Do: "unknown", Operands: "any*", Why: "building and installing are for people", Loose: true}
	rule85 = Rule{Do: "observe", Options: "-dc -cd -c/--stdout/--to-stdout -l/--list -t/--test -v/--verbose -q/--quiet -k/--keep -#", Operands: "file*", Why: "files stay as they are: xz -dc FILE, xzcat FILE, xz -l FILE (a separate -d would undo -t and -l)", Requires: "-dc|-cd|-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule86 = Rule{Do: "observe", Options: "--no-pager --no-legend --unique --acquired --show-machine"}
	rule87 = Rule{Do: "observe", Options: "--no-pager --no-legend --unique --acquired --system --user -l/--full", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule86},
	},
	}
	rule88 = Rule{Do: "observe", Options: "-f/--force -q/--quiet -v/--verbose -d -c", Operands: "file*", Globs: true}
	rule89 = Rule{Do: "observe", Options: "-E -F -i -v -w -x -c -n -l -h -H -o -q -s -a -m=/[0-9]+/!glued -A=/[0-9]+/!glued -B=/[0-9]+/!glued -C=/[0-9]+/!glued", Operands: "any file*", Why: "these are scripts, which read few options: zgrep -i PATTERN FILE, zcat FILE | grep …", Globs: true}
	rule90 = Rule{Do: "observe", Why: "to reload it: systemctl reload caddy", Commands: []Command{
		{"version", &rule16},
		{"list-modules", &rule16},
	},
	}
	rule91 = Rule{Do: "observe", Options: "-a -y/--year -m -j -3 -1 -k -c", Operands: "/[A-Za-z0-9_.-]+/*"}
	rule92 = Rule{Commands: []Command{
		{"status", &rule16},
	},
	}
	rule93 = Rule{Do: "observe", Commands: []Command{
		{"node", &rule92},
		{"version", &rule16},
	},
	}
	rule94 = Rule{Do: "observe", Operands: "file*", Loose: true}
	rule95 = Rule{Do: "observe", Options: "-f/--format=json|json-pretty|plain", Operands: "detail|tree?"}
	rule96 = Rule{Do: "observe", Options: "-f/--format=json|json-pretty|plain", Operands: "/[A-Za-z0-9_][A-Za-z0-9_.-]*/?"}
	rule97 = Rule{Commands: []Command{
		{"ls", &rule95},
		{"stats", &rule96},
	},
	}
	rule98 = Rule{Commands: []Command{
		{"tree", &rule95},
		{"df", &rule95},
		{"stat", &rule95},
		{"status", &rule95},
		{"perf", &rule95},
		{"pool", &rule97},
	},
	}
	rule99 = Rule{Commands: []Command{
		{"stat", &rule95},
		{"dump_stuck", &rule95},
	},
	}
	rule100 = Rule{Commands: []Command{
		{"stat", &rule95},
		{"dump", &rule95},
	},
	}
	rule101 = Rule{Commands: []Command{
		{"services", &rule95},
	},
	}
	rule102 = Rule{Commands: []Command{
		{"stat", &rule95},
	},
	}
	rule103 = Rule{Commands: []Command{
		{"ls", &rule95},
		{"status", &rule96},
	},
	}
	rule104 = Rule{Commands: []Command{
		{"ls", &rule95},
	},
	}
	rule105 = Rule{Do: "observe", Options: "-s/--status -f/--format=json|json-pretty|plain --connect-timeout=/[0-9]+/", Requires: "-s|--status", Cwd: "settings", Commands: []Command{
		{"status", &rule95},
		{"health", &rule95},
		{"df", &rule95},
		{"osd", &rule98},
		{"pg", &rule99},
		{"mon", &rule100},
		{"mgr", &rule101},
		{"mds", &rule102},
		{"fs", &rule103},
		{"versions", &rule95},
		{"crash", &rule104},
		{"quorum_status", &rule95},
	},
	}
	rule106 = Rule{Do: "observe", Options: "--cert-name=any -d=any"}
	rule107 = Rule{Do: "unknown", Operands: "any*", Why: "certificates are renewed by their own timer; say in the handoff what is wrong with it", Loose: true}
	rule108 = Rule{Do: "observe", Commands: []Command{
		{"certificates", &rule106},
		{"renew", &rule107},
		{"certonly", &rule107},
		{"run", &rule107},
		{"delete", &rule107},
		{"revoke", &rule107},
		{"install", &rule107},
		{"enhance", &rule107},
		{"register", &rule107},
		{"unregister", &rule107},
		{"update_account", &rule107},
		{"reconfigure", &rule107},
		{"show_account", &rule107},
	},
	}
	rule109 = Rule{Do: "unknown", Operands: "any*", Why: "restart the service, or say in the handoff what should be changed", Loose: true}
	rule110 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet -h/--no-dereference --from=any", Operands: "any any+", Why: "a literal owner, one file after the other (no -R, no --reference)", Check: "chown"}
	rule111 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet", Operands: "any any+", Why: "a literal mode, one file after the other (no -R, no --reference)", Check: "chmod"}
	rule112 = Rule{Do: "observe", Operands: "inner", Style: "strict"}
	rule113 = Rule{Do: "observe", Options: "-a -v", Operands: "host?"}
	rule114 = Rule{Do: "observe", Options: "-a -v"}
	rule115 = Rule{Options: "-4 -6 -n -N -c -h=host -p=lit", Why: "tracking, sources, sourcestats, activity and their like only show", Commands: []Command{
		{"tracking", &rule16},
		{"activity", &rule16},
		{"serverstats", &rule16},
		{"rtcdata", &rule16},
		{"smoothing", &rule16},
		{"clients", &rule16},
		{"ntpdata", &rule113},
		{"authdata", &rule113},
		{"selectdata", &rule113},
		{"sources", &rule114},
		{"sourcestats", &rule114},
	},
	}
	rule116 = Rule{Do: "observe", Options: "-p/--pid -c/--cpu-list -a/--all-tasks", Operands: "/[0-9]+/", Why: "only shown, of one process: taskset -p PID", Requires: "-p|--pid"}
	rule117 = Rule{Do: "observe", Options: "--brief --verbose --all-addresses --all-controllers --all-health --all-nodes --all-redirects -n/--namespace=lit --wait"}
	rule118 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule117},
		{"version", &rule16},
	},
	}
	rule119 = Rule{Do: "forbidden", Why: "agents neither start agents nor change the settings of their hooks", Loose: true}
	rule120 = Rule{Do: "observe", Options: "--tier=2|3 --findings=any --attempted=any --services=lit"}
	rule121 = Rule{Do: "observe", Options: "--from=1|2|3", Operands: "file?"}
	rule122 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"write", &rule120},
		{"validate", &rule121},
	},
	}
	rule123 = Rule{Do: "observe", Operands: "svc?"}
	rule124 = Rule{Do: "observe", Operands: "svc restart|redeployment"}
	rule125 = Rule{Do: "observe", Options: "--error=lit", Operands: "svc restart|redeployment success|failure", Why: "it records one attempt that Tier 2 or 3 made: claudeops cooldown record SERVICE restart success, or … failure --error 'LITERAL TEXT'", Tiers: "23"}
	rule126 = Rule{Do: "forbidden", Operands: "any*", Why: "limits are lifted by operators, never by an agent; hand off instead", Loose: true}
	rule127 = Rule{Do: "observe", Why: "agents call: claudeops cooldown show, check SERVICE restart|redeployment, record SERVICE restart|redeployment success|failure", Requires: "--help", Commands: []Command{
		{"show", &rule123},
		{"check", &rule124},
		{"record", &rule125},
		{"reset", &rule126},
	},
	}
	rule128 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --tier=lit"}
	rule129 = Rule{Do: "observe", Options: "--commands", Operands: "any"}
	rule130 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"list", &rule128},
		{"show", &rule129},
	},
	}
	rule131 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --service=any"}
	rule132 = Rule{Do: "observe", Operands: "any"}
	rule133 = Rule{Do: "forbidden", Operands: "any*", Why: "what is healthy again the checks say, never an agent", Loose: true}
	rule134 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule131},
		{"show", &rule132},
		{"close", &rule133},
	},
	}
	rule135 = Rule{Do: "observe", Options: "-n/--limit=any --level=lit --service=any --session=any"}
	rule136 = Rule{Do: "observe", Operands: "any*"}
	rule137 = Rule{Do: "forbidden", Operands: "any*", Why: "the program makes the checks of the inventory itself, before Tier 1 and after Tiers 2 and 3; look yourself with curl, docker, systemctl", Loose: true}
	rule138 = Rule{Do: "observe", Options: "--tier=1|2|3 --cwd=any", Operands: "any+"}
	rule139 = Rule{Do: "forbidden", Operands: "any*", Why: "the guard is called by the agent program alone; what it would say shows: claudeops guard explain --tier N COMMAND", Loose: true, Commands: []Command{
		{"explain", &rule138},
	},
	}
	rule140 = Rule{Do: "observe", Options: "--waiting -n/--limit=/[0-9]+/"}
	rule141 = Rule{Do: "observe", Operands: "/[0-9]+/"}
	rule142 = Rule{Do: "observe", Options: "--title=lit --body=/(?s).*/ --type=info|success|warning|failure --service=/[A-Za-z0-9_][A-Za-z0-9_.:@\\/+-]*/ --test!forbidden", Why: "a message in literal words: claudeops notify --title TEXT --body TEXT --type failure --service NAME; what stands in it goes to people, and nothing that was read goes with it", Stdin: "literal", Requires: "--title|--test", Commands: []Command{
		{"list", &rule140},
		{"show", &rule141},
	},
	}
	rule143 = Rule{Do: "observe", Options: "--all"}
	rule144 = Rule{Do: "forbidden", Operands: "any*", Why: "a silence is ended by people, or by its time", Loose: true}
	rule145 = Rule{Do: "forbidden", Operands: "any*", Why: "when hands are kept off a service, and nobody is told of it, people say; claudeops silence list shows", Loose: true, Commands: []Command{
		{"list", &rule143},
		{"end", &rule144},
	},
	}
	rule146 = Rule{Do: "forbidden", Operands: "any*", Why: "when this program pauses, people say", Loose: true}
	rule147 = Rule{Do: "forbidden", Operands: "any*", Why: "it is for operators and for the program itself, never for an agent", Loose: true}
	rule148 = Rule{Do: "observe", Options: "--version!alone -v!alone", Persistent: "--json -h/--help!alone", Style: "pflag", Why: "agents call: claudeops report, handoff write|validate, cooldown show|check|record, sessions list|show, incidents list|show, notify, notify list|show, silence list, events, metrics, env, doctor, version, guard explain; always with the database and settings of this cycle (no --db, no --env-file)", Requires: "--help|--version|-v", Commands: []Command{
		{"report", &rule16},
		{"handoff", &rule122},
		{"cooldown", &rule127},
		{"sessions", &rule130},
		{"incidents", &rule134},
		{"events", &rule135},
		{"env", &rule16},
		{"doctor", &rule16},
		{"version", &rule16},
		{"metrics", &rule16},
		{"help", &rule136},
		{"probe", &rule137},
		{"guard", &rule139},
		{"notify", &rule142},
		{"silence", &rule145},
		{"pause", &rule146},
		{"run-once", &rule147},
		{"cron", &rule147},
		{"crontab", &rule147},
		{"dashboard", &rule147},
		{"hooks", &rule147},
	},
	}
	rule149 = Rule{Do: "observe", Options: "-l/--long --wait --format=any"}
	rule150 = Rule{Do: "observe", Operands: "show|blame|boot"}
	rule151 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule149},
		{"analyze", &rule150},
	},
	}
	rule152 = Rule{Do: "unknown", Why: "databases are looked at, not copied, built or rebuilt: psql -c 'select …'", Loose: true}
	rule153 = Rule{Do: "observe", Options: "-b/--print-bytes -i/--ignore-initial=any -l/--verbose -n/--bytes=any -s/--quiet/--silent", Operands: "file file? any? any?"}
	rule154 = Rule{Do: "observe", Options: "--normal -q/--brief -s/--report-identical-files -c -C=any --context[=any] -u -U=any --unified[=any] -e/--ed -n/--rcs -y/--side-by-side -W/--width=any --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line=any --label/-L=any -t/--expand-tabs -T/--initial-tab --tabsize=any --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case -x/--exclude=any -X/--exclude-from=file -S/--starting-file=any --from-file=tree --to-file=tree -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines=any -a/--text --strip-trailing-cr -d/--minimal --speed-large-files --color[=any] --help -v/--version -#", Operands: "tree*", Style: "gnu"}
	rule155 = Rule{Do: "observe", Options: "-s/--separator=any -o/--output-separator=any -c/--output-width/--columns=any -N/--table-columns=any -R/--table-right=any -H/--table-hide=any", Operands: "file*", Loose: true}
	rule156 = Rule{Do: "observe", Options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter=any --total -z/--zero-terminated", Operands: "file file"}
	rule157 = Rule{Do: "observe", Options: "-L/--dump -C/--count -S/--stats -G/--get -p/--proto=any -s/--src/--orig-src=any -d/--dst/--orig-dst=any -r/--reply-src=any -q/--reply-dst=any --sport/--orig-port-src=any --dport/--orig-port-dst=any --state=any -f/--family=any -o/--output=any -n/--src-nat[=any] -g/--dst-nat[=any] -j/--any-nat[=any] -z/--zero!forbidden -u/--status=any -m/--mark=any -w/--zone=any -V/--version -D/--delete!forbidden -F/--flush!forbidden -I/--create!forbidden -U/--update!forbidden -A/--add!forbidden", Operands: "/[a-z]+/?", Requires: "-L|--dump|-C|--count|-S|--stats|-G|--get|-D|-F|-I|-U|-A"}
	rule158 = Rule{Do: "observe", Options: "-http-addr=/(?:https?:\\/\\/)?(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):850[01]/ -detailed -status=lit -wan -stale -format=lit -node=lit -service=lit -tags -datacenter=lit -segment=lit", Style: "flag"}
	rule159 = Rule{Commands: []Command{
		{"services", &rule158},
		{"nodes", &rule158},
		{"datacenters", &rule158},
	},
	}
	rule160 = Rule{Commands: []Command{
		{"list-peers", &rule158},
	},
	}
	rule161 = Rule{Commands: []Command{
		{"state", &rule158},
	},
	}
	rule162 = Rule{Commands: []Command{
		{"raft", &rule160},
		{"autopilot", &rule161},
	},
	}
	rule163 = Rule{Do: "observe", Why: "members, info, catalog and operator raft list-peers only show; stored values may be secrets", Commands: []Command{
		{"members", &rule158},
		{"info", &rule158},
		{"version", &rule158},
		{"catalog", &rule159},
		{"operator", &rule162},
	},
	}
	rule164 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Operands: "any*"}
	rule165 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory of a process holds secrets; use coredumpctl info", Loose: true}
	rule166 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule164},
		{"info", &rule164},
		{"dump", &rule165},
		{"debug", &rule165},
		{"gdb", &rule165},
	},
	}
	rule167 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -L/--dereference -T/--no-target-directory", Operands: "file+ out", Why: "FILE… below $TMPDIR, and links are followed (no -a, -r, -P, -l, -s)"}
	rule168 = Rule{Do: "observe", Options: "-a/--all --id=any --image=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=table -p/--pod=any -q/--quiet!names -r/--resolve-image-path -s/--state=any", Operands: "name?"}
	rule169 = Rule{Do: "observe", Options: "--id=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=table -q/--quiet!names -s/--state=any"}
	rule170 = Rule{Do: "observe", Options: "--digests --no-trunc -o/--output=any -q/--quiet -v/--verbose --filter=any", Operands: "any?"}
	rule171 = Rule{Do: "observe", Options: "-o/--output=any -q/--quiet"}
	rule172 = Rule{Do: "observe", Options: "-f/--follow --limit-bytes=any -p/--previous --since=any --tail=any -t/--timestamps", Operands: "name+"}
	rule173 = Rule{Do: "observe", Options: "-a/--all --id=any --label=any -n/--name=any -o/--output=table -p/--pod=any -s/--seconds=any", Operands: "name?"}
	rule174 = Rule{Do: "observe", Options: "-i/--interactive -t/--tty -s/--sync --timeout=any", Operands: "name inner", Style: "strict", Why: "one plain command: crictl exec CONTAINER COMMAND"}
	rule175 = Rule{Do: "unknown", Options: "-a/--all -q/--prune!forbidden", Operands: "any*", Why: "images are not removed"}
	rule176 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with crictl ps, pods, logs, stats, and restart with kubectl rollout restart"}
	rule177 = Rule{Do: "observe", Options: "-D/--debug -t/--timeout=any -c/--config=settings -v/--version -h/--help", Why: "another runtime is not granted; write the subcommand plainly: crictl ps -a", Commands: []Command{
		{"ps", &rule168},
		{"pods", &rule169},
		{"images", &rule170},
		{"image", &rule170},
		{"img", &rule170},
		{"version", &rule171},
		{"imagefsinfo", &rule171},
		{"logs", &rule172},
		{"stats", &rule173},
		{"statsp", &rule173},
		{"exec", &rule174},
		{"rmi", &rule175},
		{"info", &rule176},
		{"inspect", &rule176},
		{"inspecti", &rule176},
		{"inspectp", &rule176},
		{"rm", &rule176},
		{"rmp", &rule176},
		{"stop", &rule176},
		{"stopp", &rule176},
		{"start", &rule176},
		{"create", &rule176},
		{"run", &rule176},
		{"runp", &rule176},
		{"pull", &rule176},
		{"attach", &rule176},
		{"port-forward", &rule176},
		{"update", &rule176},
		{"checkpoint", &rule176},
		{"config", &rule176},
		{"completion", &rule176},
		{"events", &rule176},
		{"runtime-config", &rule176},
		{"update-runtime-config", &rule176},
		{"metrics", &rule176},
		{"metricsp", &rule176},
	},
	}
	rule178 = Rule{Do: "observe", Options: "-1/--one-shot -r/--inactive -n/--group-by-node -f/--failcounts -A/--show-node-attributes -t/--timing-details -V", Requires: "-1|--one-shot"}
	rule179 = Rule{Do: "observe", Options: "-l -u=any -r!forbidden -e!forbidden -i!forbidden", Why: "timetables are read only: crontab -l", Requires: "-l"}
	rule180 = Rule{Do: "observe", Operands: "disk"}
	rule181 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule180},
		{"isLuks", &rule180},
	},
	}
	rule182 = Rule{Do: "observe", Style: "flag"}
	rule183 = Rule{Do: "observe", Options: "-q!names -quiet!names", Operands: "any*", Style: "flag"}
	rule184 = Rule{Commands: []Command{
		{"ls", &rule183},
		{"list", &rule183},
	},
	}
	rule185 = Rule{Do: "observe", Options: "-format=any", Operands: "name", Style: "flag"}
	rule186 = Rule{Commands: []Command{
		{"ls", &rule183},
		{"list", &rule183},
		{"ps", &rule185},
		{"metrics", &rule185},
		{"metric", &rule185},
	},
	}
	rule187 = Rule{Commands: []Command{
		{"ls", &rule183},
		{"list", &rule183},
		{"ps", &rule185},
		{"metrics", &rule185},
	},
	}
	rule188 = Rule{Commands: []Command{
		{"ls", &rule183},
	},
	}
	rule189 = Rule{Do: "observe", Options: "-n=any -namespace=any -debug -timeout=any -connect-timeout=any -version -v -help", Style: "flag", Why: "another daemon is not granted; write the subcommand plainly: ctr -n k8s.io containers ls", Commands: []Command{
		{"version", &rule182},
		{"info", &rule182},
		{"containers", &rule184},
		{"container", &rule184},
		{"c", &rule184},
		{"images", &rule184},
		{"image", &rule184},
		{"i", &rule184},
		{"tasks", &rule186},
		{"task", &rule187},
		{"t", &rule186},
		{"namespaces", &rule184},
		{"namespace", &rule188},
		{"ns", &rule188},
		{"snapshots", &rule188},
		{"snapshot", &rule188},
		{"content", &rule188},
		{"leases", &rule188},
		{"plugins", &rule188},
	},
	}
	rule190 = Rule{Do: "observe", Options: "-0/--http1.0 --http1.1 --http2 -1/--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max=lit -4/--ipv4 -6/--ipv6 --interface=/[A-Za-z0-9_.:-]+/ --dns-interface=/[A-Za-z0-9_.:-]+/ --happy-eyeballs-timeout-ms=lit --resolve=/\\+?[A-Za-z0-9_.*-]+:[0-9]+:(?:127\\.[0-9.]+|\\[?::1\\]?)/ --connect-to=/[A-Za-z0-9_.-]*:[0-9]*:(?:127\\.[0-9.]+|localhost|\\[::1\\]):[0-9]*/ --noproxy=lit --proto=lit -m/--max-time=lit --connect-timeout=lit --expect100-timeout=lit --retry=lit --retry-delay=lit --retry-max-time=lit --retry-connrefused --retry-all-errors --max-redirs=lit --max-filesize=lit --limit-rate=lit --rate=lit -Y/--speed-limit=lit -y/--speed-time=lit --keepalive-time=lit --no-keepalive --tcp-nodelay --tcp-fastopen -f/--fail --fail-with-body --fail-early -s/--silent -S/--show-error -i/--include/--show-headers -I/--head -v/--verbose -L/--location --post301 --post302 --post303 -k/--insecure --cacert=file --capath=lit --crlfile=file --cert-status --doh-cert-status --no-alpn --no-npn --no-sessionid --false-start --pinnedpubkey=/sha256\\/\\/[A-Za-z0-9+=\\/;]+/ --ssl-reqd -N/--no-buffer --buffer --progress-bar --no-progress-meter --styled-output --no-styled-output --suppress-connect-headers --compressed --raw --tr-encoding --ignore-content-length --path-as-is -g/--globoff -q/--disable --disallow-username-in-url -r/--range=lit -Z/--parallel --parallel-immediate --parallel-max=lit --trace-time --trace-ids -o/--output=out -D/--dump-header=out --stderr=out --trace=out --trace-ascii=out -w/--write-out=/(?s)(?:(?:[^@%\\\\]|\\\\.|%[^o])(?:[^%\\\\]|\\\\.|%[^o])*)?[%\\\\]?/ -G/--get -d/--data/--data-ascii/--data-binary=/(?s)(?:[^@].*)?/ --data-raw=lit --data-urlencode=/(?s)[^@=]*=.*|[^@]*/ -H/--header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id)[:;][^\\r\\n]*/ -A/--user-agent=/[^\\r\\n]*/ -X/--request=GET|HEAD --url=url -V/--version -h/--help", Operands: "url*", Style: "gnu", Why: "GET or HEAD of a literal URL, for example: curl -sS -o /dev/null -m 10 -w '%{http_code}' http://127.0.0.1:8080/health; output goes to standard output or below $TMPDIR", Check: "http"}
	rule191 = Rule{Do: "observe", Options: "-d/--delimiter=any -f/--fields=any -b/--bytes=any -c/--characters=any --output-delimiter=any", Operands: "file*", Loose: true}
	rule192 = Rule{Do: "observe", Options: "-u/--utc/--universal -d/--date=date -I[=any] --iso-8601[=any] -R/--rfc-email/--rfc-2822 --rfc-3339=any -r/--reference=meta --debug --resolution --help --version", Operands: "/(?s)\\+.*/?", Why: "the clock is not set"}
	rule193 = Rule{Do: "unknown", Operands: "any*", Why: "it starts programs, or talks to services past what is read here; use systemctl and journalctl", Loose: true}
	rule194 = Rule{Do: "unknown", Operands: "any*", Why: "it runs programs (!); compute with $(( … )), awk or bc", Loose: true}
	rule195 = Rule{Do: "observe", Options: "-a/--all -c/--changed -s/--silent -e/--config -l/--list-missing", Operands: "lit*"}
	rule196 = Rule{Do: "observe", Options: "-4 -6 -c=/[A-Za-z]+/ -h -i -m -q=/[A-Za-z0-9_*][A-Za-z0-9._*-]*/ -t=/[A-Za-z0-9]+/ -v -x=/[0-9A-Fa-f.:]+/", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|\\+(?:no)?(?:short|cdflag|class|crypto|multiline|rrcomments|rtrace|split|tcp|ttl|trust|vtrace|dnssec|root)/*", Why: "names are written out: delv NAME TYPE"}
	rule197 = Rule{Do: "forbidden", Operands: "any*", Why: "kernel modules are for people", Loose: true}
	rule198 = Rule{Do: "observe", Options: "-B=any -t=any -x=any", Operands: "disk*", Loose: true}
	rule199 = Rule{Do: "observe", Options: "-4 -6 -c=/[A-Za-z]+/ -h -i -m -p=/53|5353|5300|8600/ -q=/[A-Za-z0-9_*][A-Za-z0-9._*-]*/ -r -t=/[A-Za-z0-9]+/ -u -v -x=/[0-9A-Fa-f.:]+/", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|\\+(?:no)?(?:short|tcp|vc|trace|all|answer|authority|additional|question|comments|stats|cmd|dnssec|do|rec|recurse|search|ttlid|ttlunits|multiline|nsid|cdflag|cd|adflag|ad|identify|class|cl|qr|ignore|nssearch|onesoa|besteffort|rrcomments|crypto|edns|expire|idnout|mapped|unknownformat|yaml|time=[0-9]+|timeout=[0-9]+|tries=[0-9]+|retry=[0-9]+|bufsize=[0-9]+|ndots=[0-9]+|split=[0-9]+|edns=[0-9])/*", Why: "one name or several, written out: dig +short NAME TYPE @SERVER"}
	rule200 = Rule{Do: "observe", Options: "-I/--ignore=any -w/--width=any -T/--tabsize=any --sort=any --time=any --time-style=any --block-size=any --hide=any", Operands: "meta*", Loose: true}
	rule201 = Rule{Do: "observe", Options: "-T/--ctime -H/--human -w/--follow -W/--follow-new -l/--level=any -f/--facility=any -x/--decode -k/--kernel -u/--userspace -t/--notime -d/--show-delta -e/--reltime -r/--raw -s/--buffer-size=any -S/--syslog --since=any --until=any --time-format=any -L/--color[=any] -P/--nopager -J/--json -p/--force-prefix --noescape -h/--help -V/--version", Why: "clearing the kernel's messages and changing the console are not granted"}
	rule202 = Rule{Do: "observe", Options: "-t/--type=any -s/--string=any -q/--quiet -u/--dump -H/--handle=any --no-sysfs --no-quirks --oem-string=any -h/--help -V/--version", Why: "it neither writes nor reads a dump here"}
	rule203 = Rule{Do: "observe", Options: "--tree -c/-C/--columns -o=any --target=any", Operands: "lit*"}
	rule204 = Rule{Do: "observe", Commands: []Command{
		{"ls", &rule203},
		{"status", &rule203},
		{"info", &rule203},
		{"deps", &rule203},
		{"version", &rule203},
		{"targets", &rule203},
	},
	}
	rule205 = Rule{Do: "observe", Options: "-i/--info -l/--list --requires --whatrequires --whatprovides=/[^:]+/ --qf=any -r/--reboothint -s/--services", Operands: "/[^:]+/*"}
	rule206 = Rule{Commands: []Command{
		{"list", &rule205},
		{"install", &rule21},
	},
	}
	rule207 = Rule{Commands: []Command{
		{"list", &rule205},
		{"info", &rule205},
		{"undo", &rule21},
		{"rollback", &rule21},
		{"redo", &rule21},
	},
	}
	rule208 = Rule{Commands: []Command{
		{"install", &rule21},
	},
	}
	rule209 = Rule{Do: "observe", Options: "--version", Persistent: "-q/--quiet -C/--cacheonly -v/--verbose --installed --available --updates --showduplicates --all --security --disablerepo=any --enablerepo=any", Style: "gnu", Commands: []Command{
		{"list", &rule205},
		{"info", &rule205},
		{"search", &rule205},
		{"repolist", &rule205},
		{"repoinfo", &rule205},
		{"check-update", &rule205},
		{"check-upgrade", &rule205},
		{"updateinfo", &rule205},
		{"provides", &rule205},
		{"whatprovides", &rule205},
		{"repoquery", &rule205},
		{"deplist", &rule205},
		{"module", &rule206},
		{"history", &rule207},
		{"needs-restarting", &rule205},
		{"install", &rule21},
		{"remove", &rule21},
		{"erase", &rule21},
		{"update", &rule21},
		{"upgrade", &rule21},
		{"downgrade", &rule21},
		{"reinstall", &rule21},
		{"localinstall", &rule21},
		{"autoremove", &rule21},
		{"distro-sync", &rule21},
		{"swap", &rule21},
		{"shell", &rule21},
		{"clean", &rule21},
		{"makecache", &rule21},
		{"config-manager", &rule21},
		{"copr", &rule21},
		{"group", &rule208},
	},
	}
	rule210 = Rule{Do: "observe", Options: "--test -v/--version", Requires: "--test|-v|--version"}
	rule211 = Rule{Do: "observe", Options: "-u=any -n", Operands: "inner", Style: "strict"}
	rule212 = Rule{Do: "observe", Options: "-a/--all -f/--filter=any --format=/\\{\\{\\s*\\.(Names|ID|Image|State)\\s*\\}\\}/!names --format=any!text -n/--last=any -l/--latest --no-trunc -q/--quiet!names -s/--size --help --noheading --ns --pod -p --sort=any --sync"}
	rule213 = Rule{Do: "observe", Options: "-f/--follow --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any --help", Operands: "name+", Why: "one container by its name, without --details (they can hold environment variables)"}
	rule214 = Rule{Do: "observe", Options: "-f/--format=template -s/--size --type=any --help", Operands: "name+", Why: "the whole output holds the environment, and that holds secrets; name the part: docker inspect --format '{{json .State}}' NAME", Requires: "-f|--format|--help", Prints: "inspect"}
	rule215 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc --help", Operands: "name*"}
	rule216 = Rule{Do: "observe", Options: "--help", Operands: "name /-?auxw*|-?axu?w*|-efw*|-eLf|-?A|-T|-?a?xo|-e?o|--sort=-?[a-z%]+|(?:(?:pid|ppid|pgid|tid|lwp|nlwp|thcount|user|uid|group|gid|euser|ruser|comm|cmd|args|command|ucmd|stat|state|s|etime|etimes|time|cputime|start|lstart|stime|start_time|pcpu|%cpu|c|pmem|%mem|rss|rsz|vsz|vsize|sz|nice|ni|pri|psr|wchan|tty|tt|cgroup|hpid|huser)=?,?)+/*", Style: "strict", Why: "columns that show the environment are not granted; for example: docker top NAME -eo pid,etime,args"}
	rule217 = Rule{Do: "observe", Options: "--help", Operands: "name any?"}
	rule218 = Rule{Do: "observe", Options: "--help", Operands: "name"}
	rule219 = Rule{Do: "observe", Options: "--help", Operands: "name+"}
	rule220 = Rule{Do: "observe", Options: "-u/--user=any -w/--workdir=any -i/--interactive -t/--tty --detach-keys=any -e/--env=any!unknown --env-file=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the container and one plain command: docker exec NAME COMMAND, without -e, -d, --privileged or a shell that waits for input"}
	rule221 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out, without further options: docker restart NAME"}
	rule222 = Rule{Do: "restart", Operands: "svc+", Why: "write the names out, without further options: docker start NAME", Part: "last"}
	rule223 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out: docker restart NAME, or docker stop NAME && docker start NAME", Part: "first"}
	rule224 = Rule{Do: "restart", Options: "-s/--signal=any", Operands: "svc+", Why: "write the names out: docker restart NAME", Part: "first"}
	rule225 = Rule{Do: "restart", Operands: "svc+"}
	rule226 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the service frozen; docker restart NAME instead"}
	rule227 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it starts what no file defines; look with docker exec NAME …, bring a service back with docker compose -f FILE up -d SERVICE"}
	rule228 = Rule{Do: "unknown", Options: "-f/--force -l/--link -a/--all -i/--ignore -t/--time=any -v/--volumes!forbidden", Operands: "any*", Why: "containers are not removed; docker compose -f FILE up -d --force-recreate SERVICE makes one anew"}
	rule229 = Rule{Do: "forbidden", Options: "-a/--all -f/--force --volumes --filter=any --external --build --help --keep-storage=any --max-used-space=any --min-free-space=any --reserved-space=any --verbose --builder=any", Operands: "any*", Why: "nothing is pruned; report what fills the disk: docker system df -v"}
	rule230 = Rule{Do: "unknown", Operands: "any*", Why: "what a container is, its repository says; change it there and redeploy"}
	rule231 = Rule{Do: "unknown", Operands: "any*", Why: "docker logs --tail 100 NAME shows the output"}
	rule232 = Rule{Do: "unknown", Operands: "any*", Why: "files are not copied; docker exec NAME cat FILE shows one"}
	rule233 = Rule{Do: "unknown", Options: "-o/--output=any -i/--input=any", Operands: "any*", Why: "images are neither brought in, renamed nor sent away"}
	rule234 = Rule{Commands: []Command{
		{"ls", &rule212},
		{"list", &rule212},
		{"ps", &rule212},
		{"logs", &rule213},
		{"inspect", &rule214},
		{"stats", &rule215},
		{"top", &rule216},
		{"port", &rule217},
		{"diff", &rule218},
		{"wait", &rule219},
		{"exec", &rule220},
		{"restart", &rule221},
		{"start", &rule222},
		{"stop", &rule223},
		{"kill", &rule224},
		{"unpause", &rule225},
		{"pause", &rule226},
		{"run", &rule227},
		{"create", &rule227},
		{"rm", &rule228},
		{"remove", &rule228},
		{"prune", &rule229},
		{"update", &rule230},
		{"rename", &rule230},
		{"commit", &rule230},
		{"attach", &rule231},
		{"cp", &rule232},
		{"export", &rule233},
	},
	}
	rule235 = Rule{Do: "observe", Options: "-a/--all --digests -f/--filter=any --format=/\\{\\{\\s*\\.ID\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --tree --help --noheading --sort=any", Operands: "any?"}
	rule236 = Rule{Do: "unknown", Operands: "any*", Why: "it shows arguments and variables of the build; docker images and docker inspect --format show the rest", Loose: true}
	rule237 = Rule{Do: "unknown", Options: "-f/--force --no-prune -a/--all -i/--ignore --platform=any", Operands: "any*", Why: "images are not removed; report a full disk with docker system df"}
	rule238 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "images come as a compose file says: docker compose -f FILE pull SERVICE, docker compose -f FILE build SERVICE"}
	rule239 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human"}
	rule240 = Rule{Commands: []Command{
		{"inspect", &rule214},
		{"ls", &rule235},
		{"list", &rule235},
		{"history", &rule236},
		{"rm", &rule237},
		{"remove", &rule237},
		{"untag", &rule237},
		{"prune", &rule229},
		{"pull", &rule238},
		{"build", &rule238},
		{"save", &rule233},
		{"load", &rule233},
		{"import", &rule233},
		{"tag", &rule233},
		{"push", &rule233},
		{"mount", &rule239},
	},
	}
	rule241 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID|Hostname)\\s*\\}\\}/!names --format=any!text -q/--quiet!names --help"}
	rule242 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-resolve --no-trunc -q/--quiet --help", Operands: "name*"}
	rule243 = Rule{Do: "observe", Options: "-f/--follow --no-resolve --no-task-ids --no-trunc --raw --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --help", Operands: "name"}
	rule244 = Rule{Do: "redeploy", Options: "--force -d --detach[=any] -q/--quiet --with-registry-auth", Operands: "svc", Why: "only docker service update --force NAME, which starts its tasks anew as they are defined", Requires: "--force"}
	rule245 = Rule{Do: "redeploy", Options: "-d --detach[=any] -q/--quiet", Operands: "svc"}
	rule246 = Rule{Do: "forbidden", Options: "-d --detach[=any]", Operands: "any*", Why: "services are not removed; docker service update --force NAME starts one anew"}
	rule247 = Rule{Do: "unknown", Options: "--availability=any --role=any -f/--force -d --detach[=any]", Operands: "any*", Why: "size and shape of the cluster are not changed; hand it to a human"}
	rule248 = Rule{Commands: []Command{
		{"inspect", &rule214},
		{"ls", &rule241},
		{"list", &rule241},
		{"ps", &rule242},
		{"logs", &rule243},
		{"update", &rule244},
		{"rollback", &rule245},
		{"create", &rule227},
		{"rm", &rule246},
		{"remove", &rule246},
		{"scale", &rule247},
	},
	}
	rule249 = Rule{Commands: []Command{
		{"inspect", &rule214},
		{"ls", &rule241},
		{"list", &rule241},
		{"ps", &rule242},
		{"update", &rule247},
		{"rm", &rule247},
		{"promote", &rule247},
		{"demote", &rule247},
	},
	}
	rule250 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --since=any --until=any --stream[=any] --no-trunc --help"}
	rule251 = Rule{Do: "observe", Options: "-f/--format=/(?:[^{}]|\\{\\{\\s*(?:json\\s+)?\\.(?:ServerVersion|Driver|Containers(?:Running|Paused|Stopped)?|Images|NCPU|MemTotal|OperatingSystem|OSType|KernelVersion|Architecture|Name|DockerRootDir|CgroupDriver|CgroupVersion|LoggingDriver|SystemTime|Warnings|LiveRestoreEnabled|DefaultRuntime|Swarm\\.LocalNodeState)\\s*\\}\\})+/ --help"}
	rule252 = Rule{Do: "observe", Options: "-v/--verbose --format=any --help"}
	rule253 = Rule{Commands: []Command{
		{"events", &rule250},
		{"info", &rule251},
		{"df", &rule252},
		{"prune", &rule229},
		{"reset", &rule229},
		{"dial-stdio", &rule239},
		{"service", &rule239},
		{"connection", &rule239},
	},
	}
	rule254 = Rule{Do: "observe", Options: "-f/--format=any --help"}
	rule255 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.Name\\s*\\}\\}/!names --format=/(?:[^{}]*\\{\\{\\s*\\.(?:Name|Driver|Mountpoint|Scope)\\s*\\}\\})+[^{}]*/!text -q/--quiet!names --cluster --help"}
	rule256 = Rule{Do: "observe", Options: "-f/--format=/\\{\\{\\s*(?:json\\s+)?\\.(?:Name|Mountpoint|Driver|CreatedAt|Scope)\\s*\\}\\}/ --help", Operands: "name+", Why: "options of a volume may hold a password; name the part: docker volume inspect --format '{{.Mountpoint}}' NAME", Requires: "-f|--format|--help"}
	rule257 = Rule{Do: "forbidden", Options: "-f/--force -a/--all -t/--time=any --help", Operands: "any*", Why: "volumes hold the services' data"}
	rule258 = Rule{Do: "unknown", Operands: "any*", Why: "volumes hold the services' data; look with docker volume ls and docker volume inspect"}
	rule259 = Rule{Commands: []Command{
		{"ls", &rule255},
		{"list", &rule255},
		{"inspect", &rule256},
		{"rm", &rule257},
		{"remove", &rule257},
		{"create", &rule258},
		{"update", &rule258},
		{"import", &rule258},
		{"export", &rule258},
		{"mount", &rule258},
		{"unmount", &rule258},
		{"reload", &rule258},
		{"prune", &rule229},
	},
	}
	rule260 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID)\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --help"}
	rule261 = Rule{Do: "observe", Options: "-f/--format=any -v/--verbose --help", Operands: "name+"}
	rule262 = Rule{Do: "forbidden", Options: "-f/--force --ip=any --alias=any --driver=any -d=any --subnet=any", Operands: "any*", Why: "network configuration is not changed; look with docker network inspect"}
	rule263 = Rule{Commands: []Command{
		{"ls", &rule260},
		{"list", &rule260},
		{"inspect", &rule261},
		{"prune", &rule229},
		{"rm", &rule262},
		{"remove", &rule262},
		{"connect", &rule262},
		{"disconnect", &rule262},
		{"create", &rule262},
		{"update", &rule262},
		{"reload", &rule262},
	},
	}
	rule264 = Rule{Do: "observe", Options: "--format=any -q/--quiet --help"}
	rule265 = Rule{Do: "observe", Options: "-f/--format=any --help", Operands: "name*"}
	rule266 = Rule{Commands: []Command{
		{"ls", &rule264},
		{"list", &rule264},
		{"show", &rule16},
		{"inspect", &rule265},
		{"use", &rule239},
		{"create", &rule239},
		{"update", &rule239},
		{"import", &rule239},
		{"export", &rule239},
		{"rm", &rule239},
	},
	}
	rule267 = Rule{Do: "observe", Options: "--format=any --no-trunc --help"}
	rule268 = Rule{Do: "observe", Options: "--filter=any --format=any --verbose --help"}
	rule269 = Rule{Commands: []Command{
		{"ls", &rule267},
		{"version", &rule267},
		{"du", &rule268},
		{"disk-usage", &rule268},
		{"prune", &rule229},
		{"build", &rule239},
		{"bake", &rule239},
		{"create", &rule239},
		{"use", &rule239},
		{"rm", &rule239},
		{"imagetools", &rule239},
	},
	}
	rule270 = Rule{Commands: []Command{
		{"ls", &rule267},
		{"du", &rule268},
		{"prune", &rule229},
	},
	}
	rule271 = Rule{Do: "redeploy", Options: "-c/--compose-file=code!once -d --detach[=any] -q/--quiet --resolve-image=always|changed|never --with-registry-auth --prune!forbidden", Operands: "svc", Why: "only a stack file of the repositories, under the name of its folder, without --prune: docker stack deploy -c FILE NAME", Requires: "-c|--compose-file", Check: "stack"}
	rule272 = Rule{Do: "unknown", Options: "-f/--format=any", Operands: "any*", Why: "the output holds environments; docker service ps NAME, docker service logs NAME show the state"}
	rule273 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"ps", &rule242},
		{"services", &rule242},
		{"deploy", &rule271},
		{"up", &rule271},
		{"rm", &rule246},
		{"remove", &rule246},
		{"down", &rule246},
		{"config", &rule272},
	},
	}
	rule274 = Rule{Do: "forbidden", Options: "-f/--format=any --pretty --showsecret -a/--all -i/--ignore -d/--driver=any -l/--label=any", Operands: "any*", Why: "secrets are neither shown nor changed"}
	rule275 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"prune", &rule229},
		{"rm", &rule274},
		{"create", &rule274},
		{"inspect", &rule274},
	},
	}
	rule276 = Rule{Do: "unknown", Operands: "any*", Why: "configurations can hold secrets; docker config ls shows the names"}
	rule277 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"inspect", &rule276},
		{"create", &rule276},
		{"rm", &rule276},
	},
	}
	rule278 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-reset", Operands: "name*"}
	rule279 = Rule{Commands: []Command{
		{"ps", &rule241},
		{"ls", &rule241},
		{"list", &rule241},
		{"stats", &rule278},
		{"top", &rule278},
		{"restart", &rule221},
		{"start", &rule222},
		{"stop", &rule223},
		{"kill", &rule224},
		{"rm", &rule228},
		{"prune", &rule229},
		{"inspect", &rule272},
	},
	}
	rule280 = Rule{Do: "unknown", Operands: "any*", Why: "where it fails, --health-on-failure may restart or kill the container; docker inspect --format '{{json .State.Health}}' NAME shows the last ones"}
	rule281 = Rule{Commands: []Command{
		{"run", &rule280},
	},
	}
	rule282 = Rule{Do: "observe", Options: "--dry-run --format=any", Why: "without --dry-run it replaces containers", Requires: "--dry-run"}
	rule283 = Rule{Commands: []Command{
		{"kube", &rule227},
	},
	}
	rule284 = Rule{Commands: []Command{
		{"play", &rule227},
	},
	}
	rule285 = Rule{Do: "forbidden", Options: "-f/--force -q/--quiet --rotate --token=any", Operands: "any*", Why: "the cluster and its keys are not touched"}
	rule286 = Rule{Commands: []Command{
		{"leave", &rule285},
		{"join", &rule285},
		{"join-token", &rule285},
		{"init", &rule285},
		{"update", &rule285},
		{"unlock", &rule285},
		{"unlock-key", &rule285},
		{"ca", &rule285},
	},
	}
	rule287 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-trunc -q/--quiet"}
	rule288 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human", Commands: []Command{
		{"ls", &rule287},
		{"list", &rule287},
	},
	}
	rule289 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=/\\{\\{\\s*\\.(Names?|ID|Service)\\s*\\}\\}/!names --format=any!text --no-trunc --orphans[=any] -q/--quiet!names --services!names --status=any", Operands: "name*"}
	rule290 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=any!text -q/--quiet!names"}
	rule291 = Rule{Do: "observe", Options: "-f/--follow --index=any --no-color --no-log-prefix --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any", Operands: "name*"}
	rule292 = Rule{Do: "observe", Options: "--format=any -q/--quiet", Operands: "name*"}
	rule293 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc", Operands: "name*"}
	rule294 = Rule{Do: "observe", Options: "--json --since=any --until=any", Operands: "name*"}
	rule295 = Rule{Do: "observe", Options: "--index=any --protocol=any", Operands: "name any"}
	rule296 = Rule{Do: "observe", Options: "-f/--format=any --short"}
	rule297 = Rule{Do: "observe", Options: "--services!names", Why: "all of it shows the environment, names of images and volumes may, and so do the faults that -q names: config --services; docker compose images, docker volume ls", Requires: "--services"}
	rule298 = Rule{Do: "observe", Options: "-T/--no-tty/--no-TTY -i/--interactive -t/--tty --index=any -u/--user=any -w/--workdir=any -e/--env=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the service and one plain command: docker compose exec -T SERVICE COMMAND"}
	rule299 = Rule{Do: "restart", Options: "-t/--timeout=any --no-deps", Operands: "svc*"}
	rule300 = Rule{Do: "restart", Options: "--wait --wait-timeout=any", Operands: "svc*", Part: "last"}
	rule301 = Rule{Do: "restart", Options: "-t/--timeout=any", Operands: "svc*", Part: "first"}
	rule302 = Rule{Do: "restart", Options: "-s/--signal=any --remove-orphans!unknown", Operands: "svc*", Part: "first"}
	rule303 = Rule{Do: "restart", Operands: "svc*"}
	rule304 = Rule{Do: "restart", Options: "-d/--detach --wait --wait-timeout=any --no-color --no-log-prefix --no-deps --no-build --no-recreate --quiet-pull --quiet-build --timestamps -t/--timeout=any -y/--yes --build!redeploy --force-recreate!redeploy --always-recreate-deps!redeploy --pull=always|missing|if_not_present|never|build|newer!redeploy -V/--renew-anon-volumes!forbidden --remove-orphans!unknown --scale=any!unknown", Operands: "svc*", Why: "with -d (else its end stops the services), without --scale, --remove-orphans and -V (anonymous volumes hold data): docker compose -f FILE up -d SERVICE", Requires: "-d|--detach|--wait", Part: "last"}
	rule305 = Rule{Do: "redeploy", Options: "-t/--timeout=any -v!forbidden --volumes[=any]!forbidden --rmi=any!unknown --remove-orphans!unknown", Operands: "svc*", Why: "volumes, images and other services' containers stay: docker compose -f FILE down, then up -d", Part: "first"}
	rule306 = Rule{Do: "redeploy", Options: "-q/--quiet --ignore-buildable --ignore-pull-failures --include-deps --policy=any --no-parallel --parallel", Operands: "svc*", Part: "first"}
	rule307 = Rule{Do: "redeploy", Options: "--no-cache --pull -q/--quiet --progress=any --with-dependencies --no-rm --force-rm --parallel -m/--memory=any", Operands: "svc*", Why: "only as the compose file says, without --build-arg, --push, --ssh or --builder", Part: "first"}
	rule308 = Rule{Do: "redeploy", Options: "--build --force-recreate --no-build --no-recreate --pull=always|missing|if_not_present|never|build --quiet-pull -y/--yes", Operands: "svc*", Part: "first"}
	rule309 = Rule{Do: "unknown", Options: "-f/--force -s/--stop -v/--volumes!forbidden -a/--all", Operands: "any*", Why: "containers are not removed; up -d --force-recreate SERVICE makes one anew"}
	rule310 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with ps, logs, top, exec, bring back with restart or up -d"}
	rule311 = Rule{Do: "observe", Options: "-f/--file=code -p/--project-name=/[a-z0-9][a-z0-9_-]*/ --profile=lit!unknown --ansi=any --progress=any --parallel=any --compatibility --all-resources --verbose --dry-run -v/--version -h/--help --no-ansi --no-color --log-level=any", Style: "pflag", Why: "compose files come from the repositories only, with the .env beside them: docker compose -f FILE SUBCOMMAND", Service: "project", Cwd: "code", Commands: []Command{
		{"help", &rule136},
		{"ps", &rule289},
		{"ls", &rule290},
		{"logs", &rule291},
		{"top", &rule292},
		{"images", &rule292},
		{"volumes", &rule292},
		{"stats", &rule293},
		{"events", &rule294},
		{"port", &rule295},
		{"version", &rule296},
		{"config", &rule297},
		{"exec", &rule298},
		{"restart", &rule299},
		{"start", &rule300},
		{"stop", &rule301},
		{"kill", &rule302},
		{"unpause", &rule303},
		{"up", &rule304},
		{"down", &rule305},
		{"pull", &rule306},
		{"build", &rule307},
		{"create", &rule308},
		{"rm", &rule309},
		{"run", &rule310},
		{"scale", &rule310},
		{"pause", &rule310},
		{"cp", &rule310},
		{"push", &rule310},
		{"publish", &rule310},
		{"export", &rule310},
		{"commit", &rule310},
		{"watch", &rule310},
		{"wait", &rule310},
		{"attach", &rule310},
		{"alpha", &rule310},
		{"bridge", &rule310},
		{"convert", &rule310},
		{"import", &rule310},
	},
	}
	rule312 = Rule{Do: "observe", Options: "-v/--version -h/--help -D/--debug -l/--log-level=any -c/--context=/default/ -n/--namespace=any", Style: "pflag", Why: "another daemon, context or configuration is not granted; write the subcommand plainly: docker ps, docker logs NAME, docker inspect --format …", Commands: []Command{
		{"help", &rule136},
		{"ps", &rule212},
		{"container", &rule234},
		{"logs", &rule213},
		{"inspect", &rule214},
		{"image", &rule240},
		{"service", &rule248},
		{"node", &rule249},
		{"stats", &rule215},
		{"top", &rule216},
		{"port", &rule217},
		{"diff", &rule218},
		{"wait", &rule219},
		{"events", &rule250},
		{"system", &rule253},
		{"images", &rule235},
		{"history", &rule236},
		{"version", &rule254},
		{"info", &rule251},
		{"volume", &rule259},
		{"network", &rule263},
		{"context", &rule266},
		{"buildx", &rule269},
		{"builder", &rule270},
		{"stack", &rule273},
		{"secret", &rule275},
		{"config", &rule277},
		{"pod", &rule279},
		{"healthcheck", &rule281},
		{"auto-update", &rule282},
		{"exec", &rule220},
		{"restart", &rule221},
		{"start", &rule222},
		{"stop", &rule223},
		{"kill", &rule224},
		{"unpause", &rule225},
		{"pause", &rule226},
		{"run", &rule227},
		{"create", &rule227},
		{"debug", &rule227},
		{"play", &rule283},
		{"kube", &rule284},
		{"rm", &rule228},
		{"rmi", &rule237},
		{"swarm", &rule286},
		{"update", &rule230},
		{"rename", &rule230},
		{"commit", &rule230},
		{"pull", &rule238},
		{"build", &rule238},
		{"attach", &rule231},
		{"cp", &rule232},
		{"save", &rule233},
		{"load", &rule233},
		{"import", &rule233},
		{"export", &rule233},
		{"tag", &rule233},
		{"push", &rule233},
		{"plugin", &rule288},
		{"login", &rule239},
		{"logout", &rule239},
		{"search", &rule239},
		{"scout", &rule239},
		{"trust", &rule239},
		{"manifest", &rule239},
		{"app", &rule239},
		{"extension", &rule239},
		{"model", &rule239},
		{"mcp", &rule239},
		{"sandbox", &rule239},
		{"init", &rule239},
		{"mount", &rule239},
		{"unmount", &rule239},
		{"unshare", &rule239},
		{"machine", &rule239},
		{"generate", &rule239},
		{"checkpoint", &rule239},
		{"namespace", &rule239},
		{"ipfs", &rule239},
		{"compose", &rule311},
	},
	}
	rule313 = Rule{Do: "observe", Options: "-v --version", Why: "building and installing are for people", Requires: "-v|--version", Cwd: "settings"}
	rule314 = Rule{Commands: []Command{
		{"status", &rule29},
	},
	}
	rule315 = Rule{Commands: []Command{
		{"dump", &rule29},
	},
	}
	rule316 = Rule{Do: "observe", Commands: []Command{
		{"who", &rule29},
		{"service", &rule314},
		{"process", &rule314},
		{"stats", &rule315},
		{"replicator", &rule314},
	},
	}
	rule317 = Rule{Do: "observe", Options: "-n -a -N --version", Requires: "-n|-a|-N|--version"}
	rule318 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -p/--print-avail -V/--verify -C/--audit --print-architecture --print-foreign-architectures --get-selections --compare-versions --no-pager --version --help --assert-multi-arch", Operands: "any*", Why: "packages are for people; what is installed: dpkg -l", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|-V|--verify|-C|--audit|--print-architecture|--print-foreign-architectures|--get-selections|--compare-versions|--version|--help"}
	rule319 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -W/--show -f/--showformat=any --no-pager --version", Operands: "any*", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-W|--show|--version"}
	rule320 = Rule{Do: "observe", Operands: "lit?"}
	rule321 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule320},
		{"cstate", &rule320},
		{"dstate", &rule320},
		{"role", &rule320},
	},
	}
	rule322 = Rule{Do: "observe", Options: "-4 -6 -a -D -h -Q -s -S -T -u -v -V=/[0-9]/ -x", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|[0-9A-Fa-f.:]+/+", Why: "names are written out: drill NAME @SERVER"}
	rule323 = Rule{Do: "forbidden", Why: "it deletes data; a person has to do that", Loose: true}
	rule324 = Rule{Do: "observe", Options: "-c -d -D=any -g -i -l -m -n -N=any -p -r -s -S=any -t -T -y -a -f -v --tcp --udp --unix --nocolor --noheaders --noupdate --version", Operands: "/[0-9]+/*"}
	rule325 = Rule{Do: "observe", Options: "-0/--null -a/--all --apparent-size -B/--block-size=any -b/--bytes -c/--total -D/--dereference-args -d/--max-depth=any -H -h/--human-readable --inodes -k -L/--dereference -l/--count-links -m -P/--no-dereference -S/--separate-dirs --si -s/--summarize -t/--threshold=any --time[=any] --time-style=any --exclude=any -x/--one-file-system --help --version", Operands: "meta*", Style: "gnu", Globs: true}
	rule326 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: du -xh --max-depth=1 DIR | sort -h", Loose: true}
	rule327 = Rule{Do: "observe", Options: "-h -b -g -x", Operands: "disk"}
	rule328 = Rule{Do: "observe", Options: "-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp=any!first -f/--file=file!first -i/-y/--ignore-case --no-ignore-case -w/--word-regexp -x/--line-regexp -z/--null-data -s/--no-messages -v/--invert-match -V/--version --help -m/--max-count=/[0-9]+/ -b/--byte-offset -n/--line-number --line-buffered -H/--with-filename -h/--no-filename --label=any -o/--only-matching -q/--quiet/--silent --binary-files=any -a/--text -I -d/--directories=skip|read -D/--devices=skip|read -r/--recursive!cwd -R/--dereference-recursive!cwd --include=any --exclude=any --exclude-from=file --exclude-dir=any -L/--files-without-match -l/--files-with-matches -c/--count -T/--initial-tab -Z/--null -B/--before-context=/[0-9]+/ -A/--after-context=/[0-9]+/ -C/--context=/[0-9]+/ -# --group-separator=any --no-group-separator --color[=any] --colour[=any] -U/--binary", Operands: "any tree*", Style: "gnu", Globs: true}
	rule329 = Rule{Do: "observe", Options: "-i/--driver -k/--show-features/--show-offload -S/--statistics -g/--show-ring -a/--show-pause -c/--show-coalesce -l/--show-channels -m/--module-info/--dump-module-eeprom -T/--show-time-stamping -n/-u/--show-nfc/--show-ntuple --show-eee --show-fec -P/--show-permaddr --show-priv-flags --phy-statistics -j/--json -I/--include-statistics --version -h/--help", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule330 = Rule{Do: "observe", Options: "-bp -bpc -bpr -bV", Requires: "-bp|-bpc|-bpr|-bV"}
	rule331 = Rule{Do: "observe", Options: "-c -s -a"}
	rule332 = Rule{Do: "observe", Options: "-t/--tabs=any", Operands: "file*", Loose: true}
	rule333 = Rule{Do: "observe", Options: "-v -s", Requires: "-v|-s"}
	rule334 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule320},
		{"ping", &rule16},
		{"version", &rule16},
		{"banned", &rule16},
	},
	}
	rule335 = Rule{Do: "observe", Options: "-l/--list --bytes -v/-V/--version", Operands: "disk*", Why: "partitions are only shown: fdisk -l", Requires: "-l|--list|-v|-V|--version"}
	rule336 = Rule{Do: "observe", Options: "-b/--brief -e/--exclude=any -F/--separator=any -i/--mime --mime-type --mime-encoding --extension -k/--keep-going -L/--dereference -h/--no-dereference -n/--no-buffer -N/--no-pad -p/--preserve-date -r/--raw -0/--print0 -v/--version --help", Operands: "meta*", Style: "gnu", Globs: true}
	rule337 = Rule{Do: "observe", Options: "-s/--fstab -m/--mtab -k/--kernel -p/--poll[=any] -w/--timeout=any -A/--all -a/--ascii -b/--bytes -C/--nocanonicalize -c/--canonicalize -D/--df -d/--direction=any -e/--evaluate -f/--first-only -i/--invert -J/--json -l/--list -n/--noheadings -O/--options=any -o/--output=any --output-all -P/--pairs --pseudo --shadowed -R/--submounts -r/--raw --real -S/--source=any -T/--target=meta --tree -M/--mountpoint=meta -t/--types=any -U/--uniq -u/--notruncate -v/--nofsroot -y/--shell -x/--verify --verbose --vfs-all -h/--help -V/--version", Operands: "meta*", Style: "gnu"}
	rule338 = Rule{Do: "observe", Options: "--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone --get-services --list-services --list-ports --list-protocols --list-rich-rules --list-interfaces --list-sources --list-forward-ports --get-log-denied --zone=any --permanent --get-zone-of-interface=any --query-service=any --query-port=any --query-masquerade -V/--version -h/--help", Why: "the packet filter is read only: firewall-cmd --list-all"}
	rule339 = Rule{Do: "observe", Options: "-A/--all-namespaces --status-selector=lit -l/--label-selector=lit --no-header", Operands: "lit*"}
	rule340 = Rule{Commands: []Command{
		{"all", &rule339},
		{"git", &rule339},
		{"helm", &rule339},
		{"oci", &rule339},
	},
	}
	rule341 = Rule{Commands: []Command{
		{"git", &rule339},
		{"helm", &rule339},
	},
	}
	rule342 = Rule{Commands: []Command{
		{"all", &rule339},
	},
	}
	rule343 = Rule{Commands: []Command{
		{"kustomizations", &rule339},
		{"kustomization", &rule339},
		{"ks", &rule339},
		{"helmreleases", &rule339},
		{"helmrelease", &rule339},
		{"hr", &rule339},
		{"sources", &rule340},
		{"source", &rule341},
		{"images", &rule342},
		{"alerts", &rule339},
	},
	}
	rule344 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Why: "only looked at: flux get kustomizations -A", Commands: []Command{
		{"get", &rule343},
		{"check", &rule16},
		{"version", &rule16},
	},
	}
	rule345 = Rule{Do: "observe", Options: "-w/--width=any", Operands: "file*", Loose: true}
	rule346 = Rule{Do: "observe", Options: "-4/--ipv4 -6/--ipv6 -A/--addr -a/--alive -b/--size=lit -B/--backoff=lit -C/--vcount=lit -c/--count=lit -D/--timestamp -d/--rdns -e/--elapsed -H/--ttl=lit -I/--iface=lit -i/--interval=lit -M/--dontfrag -m/--all -N/--netdata -n/--name -O/--tos=lit -o/--outage -p/--period=lit -q/--quiet -r/--retry=lit -S/--src=lit -s/--stats -t/--timeout=lit -u/--unreach -v/--version -x/--reachable=lit -J/--json", Operands: "host+", Why: "hosts are written out: fping -c 3 HOST…", Stdin: "none"}
	rule347 = Rule{Do: "observe", Options: "-b -k -m -g -h -l -t -v -w -s=any -c=any", Operands: "any*", Loose: true}
	rule348 = Rule{Do: "observe", Options: "-a/--all -I/--inode -l/--list-signals -m/--mount -M/--ismountpoint -n/--namespace=file|tcp|udp!apart -s/--silent -u/--user -v/--verbose -V/--version -4/--ipv4 -6/--ipv6", Operands: "meta*", Why: "ending processes (-k) is not granted; restart the service"}
	rule349 = Rule{Do: "observe", Options: "-r -n -v", Operands: "meta+"}
	rule350 = Rule{Do: "observe", Operands: "host*"}
	rule351 = Rule{Do: "forbidden", Operands: "any*", Why: "password hashes are secrets", Loose: true}
	rule352 = Rule{Do: "observe", Options: "-i/--no-idn", Why: "its own services, without -s, which names a library", Commands: []Command{
		{"passwd", &rule29},
		{"group", &rule29},
		{"services", &rule29},
		{"protocols", &rule29},
		{"rpc", &rule29},
		{"networks", &rule29},
		{"ethers", &rule29},
		{"aliases", &rule29},
		{"netgroup", &rule29},
		{"initgroups", &rule29},
		{"hosts", &rule350},
		{"ahosts", &rule350},
		{"ahostsv4", &rule350},
		{"ahostsv6", &rule350},
		{"shadow", &rule351},
		{"gshadow", &rule351},
	},
	}
	rule353 = Rule{Do: "observe", Options: "-a/--access -d/--default -c/--omit-header -e/--all-effective -n/--numeric -p/--absolute-names -t/--tabular -R/--recursive -L -P", Operands: "meta+"}
	rule354 = Rule{Do: "observe", Options: "-a", Operands: "lit?"}
	rule355 = Rule{Do: "observe", Options: "-a/--all -b/--branch=lit -c/--commit=lit --created=lit -e/--event=lit -s/--status=lit -u/--user=lit -w/--workflow=lit"}
	rule356 = Rule{Do: "observe", Options: "-v/--verbose --log --log-failed -j/--job=lit -a/--attempt=lit --exit-status", Operands: "/[0-9]+/?"}
	rule357 = Rule{Commands: []Command{
		{"list", &rule355},
		{"ls", &rule355},
		{"view", &rule356},
	},
	}
	rule358 = Rule{Do: "observe", Options: "-A/--author=lit -a/--assignee=lit -B/--base=lit -H/--head=lit -l/--label=lit -s/--state=lit -S/--search=lit -m/--milestone=lit -d/--draft"}
	rule359 = Rule{Do: "observe", Options: "-c/--comments", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule360 = Rule{Do: "observe", Options: "--color=lit --name-only --patch", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule361 = Rule{Do: "observe", Options: "--required", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule362 = Rule{Do: "observe", Options: "-t/--show-token!forbidden -h/--hostname=/github\\.com/ -a/--active -c/--conflict-status", Why: "a token is a secret; leave --show-token out"}
	rule363 = Rule{Commands: []Command{
		{"list", &rule358},
		{"ls", &rule358},
		{"view", &rule359},
		{"diff", &rule360},
		{"checks", &rule361},
		{"status", &rule362},
	},
	}
	rule364 = Rule{Commands: []Command{
		{"list", &rule358},
		{"ls", &rule358},
		{"view", &rule359},
		{"status", &rule362},
	},
	}
	rule365 = Rule{Do: "forbidden", Operands: "any*", Why: "a token is a secret", Loose: true}
	rule366 = Rule{Commands: []Command{
		{"status", &rule362},
		{"token", &rule365},
	},
	}
	rule367 = Rule{Do: "observe", Options: "--exclude-drafts --exclude-pre-releases -O/--order=lit"}
	rule368 = Rule{Do: "observe", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule369 = Rule{Commands: []Command{
		{"list", &rule367},
		{"ls", &rule367},
		{"view", &rule368},
	},
	}
	rule370 = Rule{Do: "observe", Options: "-a/--all"}
	rule371 = Rule{Do: "observe", Options: "-y/--yaml -r/--ref=lit", Operands: "lit"}
	rule372 = Rule{Commands: []Command{
		{"list", &rule370},
		{"ls", &rule370},
		{"view", &rule371},
	},
	}
	rule373 = Rule{Do: "observe", Options: "-b/--branch=lit", Operands: "/[A-Za-z0-9_.-]+(?:\\/[A-Za-z0-9_.-]+)?/?"}
	rule374 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a repository", Loose: true}
	rule375 = Rule{Commands: []Command{
		{"view", &rule373},
		{"delete", &rule374},
	},
	}
	rule376 = Rule{Do: "observe", Options: "--version", Persistent: "-R/--repo=/[A-Za-z0-9_.-]+\\/[A-Za-z0-9_.-]+/ --json=lit -q/--jq=jq --template=lit -L/--limit=lit", Style: "pflag", Why: "run, pr, issue, release, workflow and repo are looked at: list, view, diff, checks; nothing is created, run or changed", Requires: "--version", Cwd: "repository", Commands: []Command{
		{"run", &rule357},
		{"pr", &rule363},
		{"issue", &rule364},
		{"auth", &rule366},
		{"release", &rule369},
		{"workflow", &rule372},
		{"repo", &rule375},
		{"version", &rule16},
	},
	}
	rule377 = Rule{Do: "observe", Options: "-s/--short -b/--branch --show-stash --porcelain[=any] --long -u[=any] --untracked-files[=any] --ignored[=any] -z/--null --column[=any] --no-column --ahead-behind --no-ahead-behind --renames -M[=any]", Operands: "meta*", Check: "git"}
	rule378 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -i -E -F -P -q -r --format=any", Operands: "rev*", Check: "git"}
	rule379 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -q -r --format=any", Operands: "rev*", Check: "git"}
	rule380 = Rule{Do: "observe", Options: "-p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -q -0 -1 -2 -3 --cached --staged --merge-base --base --ours --theirs", Operands: "rev*", Check: "git"}
	rule381 = Rule{Do: "observe", Options: "-p -u -s -r -t -z -c -m -v -U=any -M[=any] -C[=any] -R -S=any -G=any --root --cached --no-commit-id --merge-base", Operands: "rev*", Check: "git"}
	rule382 = Rule{Do: "observe", Options: "-v -s -p --creation-factor=any", Operands: "rev*", Check: "git"}
	rule383 = Rule{Do: "observe", Options: "-a -r -v -vv/--verbose -q -l/--list -i/--ignore-case --show-current --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --column[=any] --no-column --format=/(?:[^%]|%[^(]|%\\((?:\\*?(?:refname|upstream|push)(?::(?:short|track|trackshort|nobracket|(?:l|r)?strip=-?[0-9]+))?|\\*?objectname(?::short)?|\\*?objecttype|\\*?(?:contents:)?subject|\\*?(?:author|committer|tagger)(?:name|email(?::trim)?)|\\*?(?:author|committer|tagger|creator)date(?::(?:short|iso|iso8601|iso-strict|relative|unix|local|raw|human))?|HEAD|symref|if|then|else|end|(?:align|color):[a-z0-9]+)\\))*/ --sort=/-?[A-Za-z]+|-?v(?:ersion)?:refname/", Why: "branches are only listed: git branch -a -vv"}
	rule384 = Rule{Do: "observe", Options: "-l/--list -n[=any] -i/--ignore-case --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --column[=any] --no-column --format=/(?:[^%]|%[^(]|%\\((?:\\*?(?:refname|upstream|push)(?::(?:short|track|trackshort|nobracket|(?:l|r)?strip=-?[0-9]+))?|\\*?objectname(?::short)?|\\*?objecttype|\\*?(?:contents:)?subject|\\*?(?:author|committer|tagger)(?:name|email(?::trim)?)|\\*?(?:author|committer|tagger|creator)date(?::(?:short|iso|iso8601|iso-strict|relative|unix|local|raw|human))?|HEAD|symref|if|then|else|end|(?:align|color):[a-z0-9]+)\\))*/ --sort=/-?[A-Za-z]+|-?v(?:ersion)?:refname/", Why: "tags are only listed: git tag -l --sort=-creatordate | head"}
	rule385 = Rule{Do: "observe", Why: "only the names: git remote, git branch -vv; the addresses may hold a token"}
	rule386 = Rule{Do: "observe", Options: "--short[=any] --abbrev-ref[=any] --verify -q --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --revs-only --no-revs --flags --no-flags --path-format=any --show-superproject-working-tree --show-object-format", Operands: "lit*"}
	rule387 = Rule{Do: "observe", Options: "-n=any -# -i -E -F -P --objects --disk-usage[=any] --header --timestamp --no-commit-header --left-only --format=any", Operands: "rev*", Check: "git"}
	rule388 = Rule{Do: "observe", Options: "-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage -u/--unmerged -k/--killed -t -v -f -z --directory --no-empty-directory --eol --deduplicate --exclude-standard -x=any --error-unmatch --full-name --recurse-submodules --sparse", Operands: "meta*"}
	rule389 = Rule{Do: "observe", Options: "-r -d -t -l/--long -z --full-name --full-tree --object-only", Operands: "any meta*"}
	rule390 = Rule{Do: "observe", Options: "-L=/[^:].*|:[A-Za-z0-9_.-]+/ -l -t -s -e/--show-email -w -b -c -f/--show-name -n/--show-number -p/--porcelain --line-porcelain --incremental --root --show-stats --score-debug --progress --no-progress -M[=any] -C[=any] --ignore-rev=lit --color-lines --color-by-age", Operands: "rev+", Check: "git"}
	rule391 = Rule{Do: "observe", Options: "--always --long --dirty[=any] --broken[=any] --exact-match --contains --match=any --candidates=any --debug", Operands: "lit*"}
	rule392 = Rule{Do: "observe", Options: "--refs=any --no-undefined --always", Operands: "lit*"}
	rule393 = Rule{Do: "observe", Options: "-s -n/--numbered -e/--email -c/--committer --group=any -w[=any] --format=any", Operands: "rev*", Check: "git"}
	rule394 = Rule{Do: "observe", Options: "-n=any -# -s --format=any", Check: "git"}
	rule395 = Rule{Do: "observe", Options: "--include-untracked --only-untracked", Operands: "/stash@\\{[0-9]+\\}|[0-9]+/?", Check: "git"}
	rule396 = Rule{Do: "forbidden", Operands: "any*", Why: "it changes the repository; git stash list shows", Check: "git", Loose: true, Commands: []Command{
		{"list", &rule394},
		{"show", &rule395},
	},
	}
	rule397 = Rule{Do: "unknown", Operands: "any*", Why: "an object's number says nothing of what it is; git show HEAD~2:FILE shows a file, git show --stat a commit", Loose: true}
	rule398 = Rule{Do: "observe", Options: "-e=any!first -# -A/--after-context=any -B/--before-context=any -C/--context=any -E -F -G -P -H -I -L/--files-without-match -W -a -c -h -i/--ignore-case -l/--files-with-matches -m=any -n/--line-number -o/--only-matching -p/--show-function -q -r/--recursive -v/--invert-match -w/--word-regexp -z/--null --and --or --not --break --cached --column --exclude-standard --full-name --heading --max-depth=any --no-index!unknown --threads=any --untracked!unknown --no-recursive --recurse-submodules", Operands: "any rev*", Check: "git"}
	rule399 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes history", Loose: true}
	rule400 = Rule{Do: "unknown", Operands: "any*", Why: "it says from which addresses was fetched, and they may hold a token; git log -5 --format='%h %cd %s' shows when commits came", Loose: true, Commands: []Command{
		{"expire", &rule399},
		{"delete", &rule399},
		{"drop", &rule399},
	},
	}
	rule401 = Rule{Do: "observe", Options: "--contains[=lit] --no-contains[=lit] --merged[=lit] --no-merged[=lit] --points-at=lit --ignore-case --omit-empty --count=any --format=/(?:[^%]|%[^(]|%\\((?:\\*?(?:refname|upstream|push)(?::(?:short|track|trackshort|nobracket|(?:l|r)?strip=-?[0-9]+))?|\\*?objectname(?::short)?|\\*?objecttype|\\*?(?:contents:)?subject|\\*?(?:author|committer|tagger)(?:name|email(?::trim)?)|\\*?(?:author|committer|tagger|creator)date(?::(?:short|iso|iso8601|iso-strict|relative|unix|local|raw|human))?|HEAD|symref|if|then|else|end|(?:align|color):[a-z0-9]+)\\))*/ --sort=/-?[A-Za-z]+|-?v(?:ersion)?:refname/", Operands: "any*", Why: "no remotes, whose addresses may hold a token: git for-each-ref --format='%(refname:short) %(committerdate:iso)' refs/heads"}
	rule402 = Rule{Do: "observe", Options: "--head --heads --branches -d/--dereference -s/--hash[=any] --verify -q", Operands: "any*"}
	rule403 = Rule{Do: "observe", Options: "-a --is-ancestor --octopus --independent --fork-point", Operands: "lit+"}
	rule404 = Rule{Do: "observe", Options: "-v/--verbose -q -n/--non-matching -a --no-index -z", Operands: "any*"}
	rule405 = Rule{Do: "observe", Options: "-v/--verbose -H/--human-readable"}
	rule406 = Rule{Do: "observe", Options: "-v/--verbose --porcelain -z"}
	rule407 = Rule{Do: "unknown", Why: "work trees are only listed: git worktree list", Commands: []Command{
		{"list", &rule406},
	},
	}
	rule408 = Rule{Do: "observe", Options: "--cached --recursive", Operands: "meta*"}
	rule409 = Rule{Do: "observe", Why: "submodules are only listed: git submodule status", Commands: []Command{
		{"status", &rule408},
	},
	}
	rule410 = Rule{Do: "observe", Operands: "any?"}
	rule411 = Rule{Do: "observe", Why: "notes are only shown: git notes list", Commands: []Command{
		{"list", &rule410},
		{"show", &rule410},
	},
	}
	rule412 = Rule{Do: "observe", Options: "--build-options"}
	rule413 = Rule{Do: "forbidden", Operands: "any*", Why: "repositories are not changed by agents; write into the handoff what a person should change", Loose: true}
	rule414 = Rule{Do: "forbidden", Operands: "any*", Why: "credentials are secrets", Loose: true}
	rule415 = Rule{Do: "observe", Options: "--get=/(?:branch\\.[A-Za-z0-9_\\/-]+\\.merge|user\\.(?:name|email)|core\\.bare)/", Why: "one key of these, none with an address: git config --get branch.main.merge", Requires: "--get"}
	rule416 = Rule{Do: "unknown", Operands: "any*", Why: "it can run programs, show credentials or reach out; git log, diff, show and status only look", Loose: true}
	rule417 = Rule{Do: "observe", Options: "-C=code -P/--no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch -v/--version", Persistent: "--patch --no-patch --unified=any --raw --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored=any --diff-algorithm=any --stat[=any] --stat-width=any --stat-name-width=any --stat-count=any --stat-graph-width=any --compact-summary --numstat --shortstat --dirstat[=any] --cumulative --dirstat-by-file[=any] --summary --name-only --name-status --submodule[=any] --color[=any] --no-color --color-moved[=any] --no-color-moved --color-moved-ws=any --word-diff[=any] --word-diff-regex=any --color-words[=any] --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=any --full-index --binary --abbrev[=any] --no-abbrev --break-rewrites[=any] --find-renames[=any] --find-copies[=any] --find-copies-harder --irreversible-delete --diff-filter=any --find-object=any --pickaxe-all --pickaxe-regex --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=any --inter-hunk-context=any --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=any] --src-prefix=any --dst-prefix=any --no-prefix --default-prefix --line-prefix=any --output-indicator-new=any --output-indicator-old=any --output-indicator-context=any --indent-heuristic --no-indent-heuristic --oneline --graph --no-graph --decorate[=any] --no-decorate --decorate-refs=any --decorate-refs-exclude=any --clear-decorations --all --branches[=any] --tags[=any] --remotes[=any] --glob=any --exclude=any --max-count=any --skip=any --since=any --after=any --until=any --before=any --author=any --committer=any --grep=any --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=any --max-parents=any --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --follow --reverse --date=any --relative-date --pretty[=any] --abbrev-commit --no-abbrev-commit --encoding=any --expand-tabs[=any] --no-expand-tabs --notes[=any] --no-notes --left-right --cherry-pick --cherry-mark --cherry --merge --boundary --simplify-merges --simplify-by-decoration --full-history --dense --sparse --ancestry-path[=any] --topo-order --date-order --author-date-order --parents --children --left-only --right-only --source --use-mailmap --mailmap --no-mailmap --log-size --cc --combined-all-paths --diff-merges=any --no-diff-merges --remerge-diff --no-walk[=any] --do-walk --count --show-linear-break[=any]", Style: "gnu", Why: "repositories are only looked at, where they lie: git -C FOLDER log -5 --stat; status, diff, show, blame, branch, tag and their like, without -c and without pagers", Requires: "--version|-v", Cwd: "repository", Commands: []Command{
		{"status", &rule377},
		{"log", &rule378},
		{"whatchanged", &rule378},
		{"show", &rule379},
		{"diff", &rule380},
		{"diff-tree", &rule381},
		{"diff-index", &rule381},
		{"diff-files", &rule381},
		{"range-diff", &rule382},
		{"cherry", &rule382},
		{"branch", &rule383},
		{"tag", &rule384},
		{"remote", &rule385},
		{"rev-parse", &rule386},
		{"rev-list", &rule387},
		{"ls-files", &rule388},
		{"ls-tree", &rule389},
		{"blame", &rule390},
		{"annotate", &rule390},
		{"describe", &rule391},
		{"name-rev", &rule392},
		{"shortlog", &rule393},
		{"stash", &rule396},
		{"cat-file", &rule397},
		{"grep", &rule398},
		{"reflog", &rule400},
		{"for-each-ref", &rule401},
		{"show-ref", &rule402},
		{"merge-base", &rule403},
		{"check-ignore", &rule404},
		{"check-attr", &rule404},
		{"count-objects", &rule405},
		{"worktree", &rule407},
		{"submodule", &rule409},
		{"notes", &rule411},
		{"version", &rule412},
		{"push", &rule413},
		{"fetch", &rule413},
		{"pull", &rule413},
		{"commit", &rule413},
		{"checkout", &rule413},
		{"switch", &rule413},
		{"restore", &rule413},
		{"reset", &rule413},
		{"merge", &rule413},
		{"rebase", &rule413},
		{"cherry-pick", &rule413},
		{"revert", &rule413},
		{"add", &rule413},
		{"rm", &rule413},
		{"mv", &rule413},
		{"clean", &rule413},
		{"am", &rule413},
		{"apply", &rule413},
		{"gc", &rule413},
		{"prune", &rule413},
		{"repack", &rule413},
		{"filter-branch", &rule413},
		{"filter-repo", &rule413},
		{"update-ref", &rule413},
		{"update-index", &rule413},
		{"symbolic-ref", &rule413},
		{"replace", &rule413},
		{"read-tree", &rule413},
		{"write-tree", &rule413},
		{"commit-tree", &rule413},
		{"send-email", &rule413},
		{"send-pack", &rule413},
		{"receive-pack", &rule413},
		{"svn", &rule413},
		{"p4", &rule413},
		{"credential", &rule414},
		{"credential-store", &rule414},
		{"credential-cache", &rule414},
		{"config", &rule415},
		{"clone", &rule416},
		{"init", &rule416},
		{"ls-remote", &rule416},
		{"archive", &rule416},
		{"bundle", &rule416},
		{"difftool", &rule416},
		{"mergetool", &rule416},
		{"help", &rule416},
		{"daemon", &rule416},
		{"instaweb", &rule416},
		{"web--browse", &rule416},
		{"bisect", &rule416},
		{"maintenance", &rule416},
		{"var", &rule416},
	},
	}
	rule418 = Rule{Do: "unknown", Why: "it is not granted; the repositories on this machine can be looked at: git -C FOLDER log -5 --stat", Loose: true}
	rule419 = Rule{Do: "observe", Operands: "lit info|statistics summary|split-brain|healed?"}
	rule420 = Rule{Commands: []Command{
		{"status", &rule29},
		{"info", &rule29},
		{"list", &rule29},
		{"heal", &rule419},
	},
	}
	rule421 = Rule{Commands: []Command{
		{"list", &rule29},
	},
	}
	rule422 = Rule{Do: "observe", Commands: []Command{
		{"volume", &rule420},
		{"peer", &rule314},
		{"pool", &rule421},
	},
	}
	rule423 = Rule{Do: "observe", Options: "-a -g/--group -G/--groups -n/--name -r/--real -u/--user -z/--zero -Z/--context --help --version", Operands: "any*"}
	rule424 = Rule{Do: "observe", Options: "-n/--quiet/--silent -E/-r/--regexp-extended -e/--expression=sed!first -s/--separate -u/--unbuffered -z/--null-data -l/--line-length=any -b/--binary --debug --sandbox --follow-symlinks --help --version", Operands: "sed file*", Why: "files stay as they are (no -i), and the script stands in the command (no -f)"}
	rule425 = Rule{Do: "observe", Options: "-c/--stdout/--to-stdout -d/--decompress/--uncompress -l/--list -t/--test -v/--verbose -q/--quiet -f/--force -n/--no-name -N/--name -k/--keep -# --fast --best", Operands: "file*", Why: "files stay as they are: gzip -dc FILE, zcat FILE, gzip -l FILE, or … | gzip -c > $TMPDIR/x.gz", Requires: "-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule426 = Rule{Do: "observe", Options: "-v --verbose", Operands: "status?"}
	rule427 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine stays up; ask a person", Loose: true}
	rule428 = Rule{Do: "observe", Options: "-v -vv", Why: "only its version, since it starts with every file that it takes for its own; systemctl reload haproxy checks before it reloads", Requires: "-v|-vv"}
	rule429 = Rule{Do: "observe", Options: "-b -c -C/--canonical -d -o -x -v -n/--length=any -s/--skip=any -e=any", Operands: "file*"}
	rule430 = Rule{Do: "observe", Options: "-I -i -g -C", Operands: "disk+", Why: "disks are only looked at: hdparm -I DEVICE"}
	rule431 = Rule{Do: "observe", Options: "-n/--lines=any -c/--bytes=any --pid=any --sleep-interval=any --max-unchanged-stats=any", Operands: "file*", Loose: true}
	rule432 = Rule{Do: "observe", Options: "-a/--all -A/--all-namespaces --date -r/--reverse --deployed --failed --pending --superseded --uninstalled --uninstalling -f/--filter=any -m/--max=any --no-headers --offset=any -o/--output=any -q/--short!names -l/--selector=any --time-format=any"}
	rule433 = Rule{Do: "observe", Options: "-o/--output=/table/ --revision=any --show-desc --show-resources", Operands: "name", Why: "without -o json or yaml, which show the values and with them passwords"}
	rule434 = Rule{Do: "observe", Options: "--max=any -o/--output=any", Operands: "name"}
	rule435 = Rule{Do: "observe", Options: "--revision=any", Operands: "name"}
	rule436 = Rule{Do: "observe", Options: "--revision=any -o/--output=any", Operands: "name"}
	rule437 = Rule{Do: "forbidden", Options: "-a/--all -o/--output=any --revision=any --template=any", Operands: "any*", Why: "values and manifests hold passwords; helm get notes, helm history and helm status show the state"}
	rule438 = Rule{Commands: []Command{
		{"notes", &rule435},
		{"metadata", &rule436},
		{"values", &rule437},
		{"manifest", &rule437},
		{"all", &rule437},
		{"hooks", &rule437},
	},
	}
	rule439 = Rule{Do: "observe", Options: "--devel --fail-on-no-result --max-col-width=any -o/--output=any -r/--regexp --version=any -l/--versions", Operands: "any*"}
	rule440 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; helm upgrade RELEASE FOLDER and helm rollback RELEASE are"}
	rule441 = Rule{Commands: []Command{
		{"repo", &rule439},
		{"hub", &rule440},
	},
	}
	rule442 = Rule{Do: "observe", Options: "--short --template=any -c/--client"}
	rule443 = Rule{Do: "observe", Operands: "HELM_NAMESPACE|HELM_BIN|HELM_CACHE_HOME|HELM_CONFIG_HOME|HELM_DATA_HOME|HELM_DEBUG|HELM_KUBECONTEXT|HELM_MAX_HISTORY|HELM_REPOSITORY_CONFIG|HELM_REPOSITORY_CACHE|HELM_PLUGINS", Why: "one variable by its name (helm env HELM_NAMESPACE): the whole list holds the token"}
	rule444 = Rule{Do: "redeploy", Options: "--wait --wait-for-jobs --timeout=any --history-max=any --no-hooks --recreate-pods --cleanup-on-fail!unknown --force!forbidden", Operands: "svc any?", Why: "without --force and --cleanup-on-fail, which delete: helm rollback RELEASE REVISION -n NAMESPACE"}
	rule445 = Rule{Do: "redeploy", Options: "--atomic --rollback-on-failure --wait --wait-for-jobs --timeout=any -f/--values=credential --reuse-values --reset-values --reset-then-reuse-values --version=any --description=any --history-max=any --skip-crds --no-hooks --devel --hide-notes --disable-openapi-validation --force!forbidden --cleanup-on-fail!unknown", Operands: "svc code", Why: "only charts and value files of the repositories, of a release that is there, without --install, --set, --post-renderer, --repo, --dry-run: helm upgrade RELEASE FOLDER -f FILE", Cwd: "code"}
	rule446 = Rule{Do: "forbidden", Options: "--cascade=any --description=any --dry-run --keep-history --no-hooks --timeout=any --wait --ignore-not-found", Operands: "any*", Why: "releases are not removed; helm rollback RELEASE goes back"}
	rule447 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it reads what the links of a chart lead to; cat CHART/Chart.yaml shows it"}
	rule448 = Rule{Do: "observe", Persistent: "-n/--namespace=any --kube-context=lit --kubeconfig=settings --debug --burst-limit=any --qps=any -h/--help", Style: "pflag", Why: "another server, token, registry or plugin is not granted; write the subcommand plainly: helm status RELEASE -n NAMESPACE", Commands: []Command{
		{"list", &rule432},
		{"ls", &rule432},
		{"status", &rule433},
		{"history", &rule434},
		{"hist", &rule434},
		{"get", &rule438},
		{"search", &rule441},
		{"version", &rule442},
		{"help", &rule136},
		{"env", &rule443},
		{"rollback", &rule444},
		{"upgrade", &rule445},
		{"uninstall", &rule446},
		{"un", &rule446},
		{"del", &rule446},
		{"delete", &rule446},
		{"show", &rule447},
		{"inspect", &rule447},
		{"lint", &rule447},
		{"install", &rule440},
		{"template", &rule440},
		{"test", &rule440},
		{"repo", &rule440},
		{"pull", &rule440},
		{"fetch", &rule440},
		{"push", &rule440},
		{"plugin", &rule440},
		{"registry", &rule440},
		{"dependency", &rule440},
		{"dep", &rule440},
		{"create", &rule440},
		{"package", &rule440},
		{"verify", &rule440},
	},
	}
	rule449 = Rule{Do: "observe", Options: "-4 -6 -a -A -C -c=/[A-Za-z]+/ -d -i -N=/[0-9]+/ -r -R=/[0-9]+/ -s -t=/[A-Za-z0-9]+/ -T -U -v -V -w -W=/[0-9]+/", Operands: "/[A-Za-z0-9_*:][A-Za-z0-9._*:-]*/ /[A-Za-z0-9._:-]+/?", Why: "names are written out: host NAME SERVER"}
	rule450 = Rule{Do: "observe", Options: "-f/--fqdn/--long -i/--ip-address -I/--all-ip-addresses -s/--short -d/--domain -A/--all-fqdns -a/--alias -y/--yp/--nis -V/--version -h/--help", Why: "the machine keeps its name"}
	rule451 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine keeps its name", Loose: true}
	rule452 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--static --transient --pretty --json=any -j --no-ask-password", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"hostname", &rule16},
		{"icon-name", &rule16},
		{"chassis", &rule16},
		{"deployment", &rule16},
		{"location", &rule16},
		{"set-hostname", &rule451},
		{"set-icon-name", &rule451},
		{"set-chassis", &rule451},
		{"set-deployment", &rule451},
		{"set-location", &rule451},
	},
	}
	rule453 = Rule{Do: "observe", Operands: "ctrl|controller /all|slot=[0-9]+/ show|pd|ld /status|config|detail|all/? show? status|detail?", Why: "only looked at: ssacli ctrl all show status"}
	rule454 = Rule{Do: "observe", Options: "-r/--show -u/--utc -l/--localtime -v/--verbose -V/--version", Why: "the clock is not set", Requires: "-r|--show|-V|--version"}
	rule455 = Rule{Do: "observe", Options: "-f/--from-code=any -t/--to-code=any -c -l/--list -s/--silent -o/--output=out", Operands: "file*"}
	rule456 = Rule{Do: "observe", Options: "-a -s -v", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule457 = Rule{Do: "observe", Options: "-c/--columns=/[A-Za-z0-9]+/ -f/--format=table|csv|compact --fast", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule458 = Rule{Do: "observe", Options: "--show-log --resources", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule459 = Rule{Do: "observe", Why: "only looked at: lxc list, lxc info NAME; the configuration holds environments", Commands: []Command{
		{"list", &rule457},
		{"ls", &rule457},
		{"info", &rule458},
		{"version", &rule16},
	},
	}
	rule460 = Rule{Do: "observe", Commands: []Command{
		{"ping", &rule16},
		{"version", &rule16},
	},
	}
	rule461 = Rule{Do: "observe", Options: "--status-all -l/--list -q/--quiet -C/--nocolor", Operands: "svc? status|restart|try-restart|condrestart|force-reload|start|stop|reload?", Style: "strict", Why: "the plain name of one service: service NAME status, restart, start, stop or reload", Check: "service"}
	rule462 = Rule{Do: "observe", Options: "-c/--class=any -n/--classdata=any -t/--ignore", Operands: "inner", Style: "strict"}
	rule463 = Rule{Do: "observe", Options: "-c -d -h --human -k -m -N -s -t -x -y -z -p[=any] -j=any -g=any -H -T -o=JSON --dec=any --compact --pretty -V", Operands: "any*"}
	rule464 = Rule{Do: "observe", Options: "-o/--only -b/--batch -n/--iter=any -d/--delay=any -p/--pid=any -u/--user=any -P/--processes -a/--accumulated -k/--kilobytes -t/--time -q/--quiet", Requires: "-b|--batch"}
	rule465 = Rule{Do: "observe", Options: "-br/-brief -4 -6 -s/-stats -d/-details -o/-oneline -j/-json -p/-pretty -h -c[=any] -color[=any]", Operands: "lit*", Style: "word"}
	rule466 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule465},
		{"sho", &rule465},
		{"sh", &rule465},
		{"s", &rule465},
		{"list", &rule465},
		{"lis", &rule465},
		{"li", &rule465},
		{"l", &rule465},
		{"ls", &rule465},
		{"lst", &rule465},
		{"add", &rule40},
		{"ad", &rule40},
		{"a", &rule40},
		{"change", &rule40},
		{"chang", &rule40},
		{"chg", &rule40},
		{"c", &rule40},
		{"ch", &rule40},
		{"replace", &rule40},
		{"repl", &rule40},
		{"rep", &rule40},
		{"append", &rule40},
		{"app", &rule40},
		{"prepend", &rule40},
		{"delete", &rule40},
		{"delet", &rule40},
		{"dele", &rule40},
		{"del", &rule40},
		{"de", &rule40},
		{"d", &rule40},
		{"flush", &rule40},
		{"flus", &rule40},
		{"flu", &rule40},
		{"fl", &rule40},
		{"f", &rule40},
		{"set", &rule40},
		{"se", &rule40},
		{"restore", &rule40},
		{"save", &rule40},
		{"exec", &rule40},
		{"attach", &rule40},
	},
	}
	rule467 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule465},
		{"sho", &rule465},
		{"sh", &rule465},
		{"list", &rule465},
		{"lis", &rule465},
		{"li", &rule465},
		{"l", &rule465},
		{"ls", &rule465},
		{"lst", &rule465},
		{"xstats", &rule465},
		{"afstats", &rule465},
		{"add", &rule40},
		{"ad", &rule40},
		{"a", &rule40},
		{"set", &rule40},
		{"se", &rule40},
		{"s", &rule40},
		{"change", &rule40},
		{"chang", &rule40},
		{"c", &rule40},
		{"replace", &rule40},
		{"repl", &rule40},
		{"delete", &rule40},
		{"delet", &rule40},
		{"dele", &rule40},
		{"del", &rule40},
		{"de", &rule40},
		{"d", &rule40},
		{"property", &rule40},
	},
	}
	rule468 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule465},
		{"sho", &rule465},
		{"sh", &rule465},
		{"s", &rule465},
		{"list", &rule465},
		{"lis", &rule465},
		{"li", &rule465},
		{"l", &rule465},
		{"ls", &rule465},
		{"lst", &rule465},
		{"get", &rule465},
		{"ge", &rule465},
		{"g", &rule465},
		{"add", &rule40},
		{"ad", &rule40},
		{"a", &rule40},
		{"change", &rule40},
		{"chang", &rule40},
		{"chg", &rule40},
		{"c", &rule40},
		{"ch", &rule40},
		{"replace", &rule40},
		{"repl", &rule40},
		{"rep", &rule40},
		{"append", &rule40},
		{"app", &rule40},
		{"prepend", &rule40},
		{"delete", &rule40},
		{"delet", &rule40},
		{"dele", &rule40},
		{"del", &rule40},
		{"de", &rule40},
		{"d", &rule40},
		{"flush", &rule40},
		{"flus", &rule40},
		{"flu", &rule40},
		{"fl", &rule40},
		{"f", &rule40},
		{"restore", &rule40},
		{"save", &rule40},
	},
	}
	rule469 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.-]+/ inner", Style: "strict"}
	rule470 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"list", &rule16},
		{"lis", &rule16},
		{"li", &rule16},
		{"l", &rule16},
		{"ls", &rule16},
		{"lst", &rule16},
		{"list-id", &rule16},
		{"identify", &rule320},
		{"pids", &rule320},
		{"id", &rule320},
		{"exec", &rule469},
		{"exe", &rule469},
		{"ex", &rule469},
		{"e", &rule469},
		{"add", &rule40},
		{"a", &rule40},
		{"delete", &rule40},
		{"del", &rule40},
		{"d", &rule40},
		{"set", &rule40},
		{"attach", &rule40},
		{"monitor", &rule40},
	},
	}
	rule471 = Rule{Do: "forbidden", Operands: "any*", Why: "the keys of tunnels are secrets", Loose: true}
	rule472 = Rule{Do: "observe", Options: "-4 -6 -0 -B -M -s/-st/-sta/-stat/-stats/-statistics -d/-de/-det/-detail/-details -h/-human/-human-readable -iec -j/-js/-json -p/-pretty -o/-on/-oneline -r/-resolve -br/-brief -t/-timestamp -ts/-tshort -N/-Numeric -c[=any] -color[=any] -f/-family=any -l/-loops=any -V/-Version -n/-netns=/[A-Za-z0-9_.-]+/", Style: "word", Why: "only looking is granted: ip -br addr, ip route, ip -s link show, ip neigh; the network stays as it is", Commands: []Command{
		{"address", &rule466},
		{"addr", &rule466},
		{"a", &rule466},
		{"ad", &rule466},
		{"add", &rule466},
		{"addre", &rule466},
		{"addres", &rule466},
		{"link", &rule467},
		{"lin", &rule467},
		{"li", &rule467},
		{"l", &rule467},
		{"route", &rule468},
		{"rout", &rule468},
		{"rou", &rule468},
		{"ro", &rule468},
		{"r", &rule468},
		{"neighbour", &rule466},
		{"neighbor", &rule466},
		{"neigh", &rule466},
		{"nei", &rule466},
		{"ne", &rule466},
		{"n", &rule466},
		{"rule", &rule466},
		{"rul", &rule466},
		{"ru", &rule466},
		{"maddress", &rule466},
		{"maddr", &rule466},
		{"mad", &rule466},
		{"ma", &rule466},
		{"m", &rule466},
		{"mroute", &rule466},
		{"mr", &rule466},
		{"ntable", &rule466},
		{"ntbl", &rule466},
		{"nexthop", &rule466},
		{"nex", &rule466},
		{"tunnel", &rule466},
		{"tunl", &rule466},
		{"tun", &rule466},
		{"tuntap", &rule466},
		{"token", &rule466},
		{"vrf", &rule466},
		{"addrlabel", &rule466},
		{"addrl", &rule466},
		{"netconf", &rule466},
		{"netc", &rule466},
		{"mptcp", &rule466},
		{"tcp_metrics", &rule466},
		{"tcpmetrics", &rule466},
		{"fou", &rule466},
		{"ila", &rule466},
		{"sr", &rule466},
		{"netns", &rule470},
		{"netn", &rule470},
		{"net", &rule470},
		{"xfrm", &rule471},
		{"xfr", &rule471},
		{"xf", &rule471},
		{"x", &rule471},
		{"macsec", &rule471},
		{"mac", &rule471},
		{"l2tp", &rule471},
	},
	}
	rule473 = Rule{Do: "observe", Options: "-L/--list -S/--list-rules -n/--numeric -v/--verbose -x/--exact -t/--table=filter|nat|mangle|raw|security --line-numbers -w/--wait[=any] -4/--ipv4 -6/--ipv6 -V/--version -A/--append!forbidden -I/--insert!forbidden -D/--delete!forbidden -R/--replace!forbidden -F/--flush!forbidden -X/--delete-chain!forbidden -N/--new-chain!forbidden -P/--policy!forbidden -E/--rename-chain!forbidden -Z/--zero!forbidden -p/--protocol/--proto=/[a-z0-9]+/ -j/--jump=/[A-Za-z0-9_-]+/ -s/--source=any -d/--destination=any -i/--in-interface=any -o/--out-interface=any -m/--match=/[a-z0-9]+/ --dport=any --sport=any --dports=any --state=any --ctstate=any --to-destination=any --comment=any", Operands: "/[A-Za-z0-9_.-]+/*", Style: "gnu", Why: "the packet filter is read only: iptables -L -n -v, iptables -S", Requires: "-L|--list|-S|--list-rules|-V|--version|-A|-I|-D|-R|-F|-X|-N|-P|-E|-Z"}
	rule474 = Rule{Do: "observe", Options: "-t/--table=filter|nat|mangle|raw|security -c/--counters -4 -6 -V/--version"}
	rule475 = Rule{Do: "observe", Options: "-J/--json -l/--list -n/--noheadings -o/--output=any --output-all -p/--task/--pid=any -r/--raw -u/--notruncate -t/--type=any -b/--bytes -i/--noinaccessible -W/--nowrap -T/--tree[=any] -a/--all -q/--queues -m/--shmems -s/--semaphores -c -g/--global --human", Operands: "any*"}
	rule476 = Rule{Commands: []Command{
		{"list", &rule29},
		{"elist", &rule29},
		{"info", &rule29},
	},
	}
	rule477 = Rule{Commands: []Command{
		{"list", &rule29},
		{"elist", &rule29},
		{"type", &rule29},
	},
	}
	rule478 = Rule{Commands: []Command{
		{"info", &rule29},
	},
	}
	rule479 = Rule{Commands: []Command{
		{"print", &rule29},
	},
	}
	rule480 = Rule{Do: "observe", Commands: []Command{
		{"sel", &rule476},
		{"sdr", &rule477},
		{"sensor", &rule421},
		{"chassis", &rule314},
		{"power", &rule314},
		{"mc", &rule478},
		{"fru", &rule479},
	},
	}
	rule481 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule320},
		{"statusall", &rule320},
		{"version", &rule320},
		{"listcerts", &rule320},
	},
	}
	rule482 = Rule{Do: "observe", Options: "-n/-name -t/-terse -o/-output=any -s/-sorted", Operands: "lit?"}
	rule483 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule482},
		{"-L", &rule482},
		{"--list", &rule482},
		{"save", &rule482},
		{"-S", &rule482},
	},
	}
	rule484 = Rule{Do: "observe", Options: "-L/-l/--list -n/--numeric --stats --rate --connection/-c --timeout --daemon --exact --sort", Requires: "-L|-l|--list"}
	rule485 = Rule{Do: "observe", Options: "-m/--mode=session|node|iface -P/--print=any", Requires: "-m|--mode"}
	rule486 = Rule{Do: "observe", Options: "-s/--short -o/--output=json|yaml --remote[=true|false]"}
	rule487 = Rule{Do: "observe", Options: "-A/--all-namespaces"}
	rule488 = Rule{Do: "observe", Persistent: "-n/--namespace=lit -i/--istioNamespace=lit", Commands: []Command{
		{"proxy-status", &rule320},
		{"ps", &rule320},
		{"version", &rule486},
		{"analyze", &rule487},
	},
	}
	rule489 = Rule{Do: "observe", Options: "-v -V -m --version -version", Why: "such a program cannot be read; use jq, awk, grep or sed", Stdin: "none", Requires: "-v|-V|-m|--version|-version"}
	rule490 = Rule{Do: "observe", Options: "-a=any -e=any -i/--ignore-case -j=any -o=any -t=any -v=any -1=any -2=any --check-order --nocheck-order --header -z/--zero-terminated", Operands: "file file"}
	rule491 = Rule{Do: "observe", Options: "-u/--unit=any --user-unit=any --system --user -k/--dmesg -b/--boot[=any] -I --invocation=any -S/--since=any -U/--until=any -t/--identifier=any -T/--exclude-identifier=any -p/--priority=any --facility=any -g/--grep=any --case-sensitive[=any] -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-delta|short-unix|with-unit|cat|json|json-pretty|json-sse|json-seq --output-fields=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*(?:,(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*)*/ -n/--lines[=any] -r/--reverse -x/--catalog --no-full -l/--full -a/--all -f/--follow --no-tail -q/--quiet --no-pager -e/--pager-end --no-hostname --utc --truncate-newline --show-cursor -c/--cursor=any --after-cursor=any -m/--merge --namespace=lit -D/--directory/--file=/\\/(?:var|run)\\/log\\/journal(?:\\/[A-Za-z0-9_@*-][A-Za-z0-9_.@*-]*)*/ -N/--fields -F/--field=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*/ --list-boots --list-invocations --disk-usage --header --verify --list-catalog --dump-catalog -# --version -h/--help --vacuum-size=/[1-9][0-9]*G/!change --vacuum-time=/(?:[7-9]|[1-9][0-9]+)(?:d|days)|[1-9][0-9]*(?:w|weeks?|months?)/!change --sync!change --flush!change", Operands: "any*", Style: "gnu", Why: "another machine, root or image is not granted, nor -o verbose and export, and -o json only with --output-fields=MESSAGE,_PID,…: some entries hold an environment", Check: "journal"}
	rule492 = Rule{Do: "observe", Options: "-l -q -m -v -V"}
	rule493 = Rule{Do: "observe", Options: "-c/--compact-output -r/--raw-output -j/--join-output --raw-output0 -a/--ascii-output -s/--slurp -n/--null-input -e/--exit-status -R/--raw-input -S/--sort-keys -C/--color-output -M/--monochrome-output --tab --indent=any --arg=any,any --argjson=any,any --slurpfile=any,file --rawfile=any,file --args --jsonargs --stream --stream-errors --seq --unbuffered --ascii -b/--binary -h/--help -V/--version", Operands: "jq? file*", Style: "gnu", Why: "the filter stands in the command (no -f, -L)"}
	rule494 = Rule{Do: "observe", Options: "-gc -gcutil -gccapacity -gccause -gcnew -gcold -class -compiler -t -h=any", Operands: "/[0-9]+/ /[0-9]+/? /[0-9]+/?", Style: "word"}
	rule495 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[(?:0|\\*)\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=fields --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --sort-by=/\\{?\\.?(?:metadata\\.(?:name|namespace|creationTimestamp)|status\\.[A-Za-z0-9.]+|status\\.containerStatuses\\[0\\]\\.restartCount|spec\\.(?:nodeName|replicas|capacity\\.storage)|(?:last|first|event)Time(?:stamp)?|count|type|reason)\\}?/ -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "name*"}
	rule496 = Rule{Do: "forbidden", Options: "-A --all-namespaces[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[(?:0|\\*)\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=fields --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --sort-by=/\\{?\\.?(?:metadata\\.(?:name|namespace|creationTimestamp)|status\\.[A-Za-z0-9.]+|status\\.containerStatuses\\[0\\]\\.restartCount|spec\\.(?:nodeName|replicas|capacity\\.storage)|(?:last|first|event)Time(?:stamp)?|count|type|reason)\\}?/ -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "any*", Why: "secrets are never shown; kubectl get events says which one a pod misses"}
	rule497 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[(?:0|\\*)\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=fields --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --sort-by=/\\{?\\.?(?:metadata\\.(?:name|namespace|creationTimestamp)|status\\.[A-Za-z0-9.]+|status\\.containerStatuses\\[0\\]\\.restartCount|spec\\.(?:nodeName|replicas|capacity\\.storage)|(?:last|first|event)Time(?:stamp)?|count|type|reason)\\}?/ -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/? /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\"), files, raw paths and whole objects are not granted: -o wide, -o name, or single fields", Commands: []Command{
		{"pod", &rule495},
		{"pods", &rule495},
		{"po", &rule495},
		{"deploy", &rule495},
		{"deployment", &rule495},
		{"deployments", &rule495},
		{"node", &rule495},
		{"nodes", &rule495},
		{"svc", &rule495},
		{"service", &rule495},
		{"services", &rule495},
		{"sts", &rule495},
		{"statefulset", &rule495},
		{"ds", &rule495},
		{"daemonset", &rule495},
		{"job", &rule495},
		{"jobs", &rule495},
		{"pvc", &rule495},
		{"secret", &rule496},
		{"secrets", &rule496},
	},
	}
	rule498 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "name*"}
	rule499 = Rule{Do: "unknown", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "any*", Why: "it shows environments; described are node NAME, svc NAME, pvc NAME, pv, hpa, ingress and ns. Look with kubectl get pod NAME -o jsonpath='{.status}' and kubectl get events --field-selector involvedObject.name=NAME", Commands: []Command{
		{"secret", &rule496},
		{"secrets", &rule496},
		{"node", &rule498},
		{"nodes", &rule498},
		{"no", &rule498},
		{"svc", &rule498},
		{"service", &rule498},
		{"services", &rule498},
		{"pvc", &rule498},
		{"pv", &rule498},
		{"hpa", &rule498},
		{"ing", &rule498},
		{"ingress", &rule498},
		{"ns", &rule498},
		{"namespace", &rule498},
	},
	}
	rule500 = Rule{Do: "observe", Options: "--all-containers[=any] --all-pods[=any] -c/--container=any -f --follow[=any] --ignore-errors[=any] --limit-bytes=any --max-log-requests=any --pod-running-timeout=any --prefix[=any] -p --previous[=any] -l/--selector=any --since=any --since-time=any --tail=any --timestamps[=any]", Operands: "name*"}
	rule501 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --containers[=any] --field-selector=any --no-headers[=any] -l/--selector=any --sort-by=any --sum[=any] --show-swap[=any] --use-protocol-buffers[=any]", Operands: "name?"}
	rule502 = Rule{Do: "observe", Options: "--no-headers[=any] -l/--selector=any --show-capacity[=any] --show-swap[=any] --sort-by=any --use-protocol-buffers[=any]", Operands: "name?"}
	rule503 = Rule{Commands: []Command{
		{"pod", &rule501},
		{"pods", &rule501},
		{"po", &rule501},
		{"node", &rule502},
		{"nodes", &rule502},
		{"no", &rule502},
	},
	}
	rule504 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --for=any --no-headers[=any] -o/--output=json|yaml|wide|jsonpath=* --template=any --types=any -w --watch[=any]"}
	rule505 = Rule{Do: "observe", Options: "--api-version=any -o/--output=any --recursive[=any]", Operands: "any"}
	rule506 = Rule{Do: "observe", Options: "--api-group=any --cached[=any] --categories=any --namespaced[=any] --no-headers[=any] -o/--output=wide|name|json|yaml --sort-by=any --verbs=any"}
	rule507 = Rule{Do: "observe", Options: "--client[=any] -o/--output=json|yaml --short[=any]"}
	rule508 = Rule{Do: "observe", Why: "without dump; kubectl get nodes, kubectl get events -A show the state"}
	rule509 = Rule{Do: "observe", Options: "--no-headers[=any] -o/--output=/name/", Operands: "name*"}
	rule510 = Rule{Do: "unknown", Options: "--minify[=any] --merge[=any] -o/--output=any --raw[=any]!forbidden --flatten[=any]!forbidden", Operands: "any*", Why: "it shows keys of plugins; kubectl config current-context, get-contexts and get-clusters show the rest"}
	rule511 = Rule{Do: "unknown", Operands: "any*", Why: "choose with --context NAME and -n NAMESPACE; the configuration is not changed"}
	rule512 = Rule{Commands: []Command{
		{"current-context", &rule16},
		{"get-contexts", &rule509},
		{"get-clusters", &rule16},
		{"get-users", &rule16},
		{"view", &rule510},
		{"use-context", &rule511},
		{"use", &rule511},
		{"set", &rule511},
		{"unset", &rule511},
		{"set-context", &rule511},
		{"set-cluster", &rule511},
		{"set-credentials", &rule511},
		{"delete-context", &rule511},
		{"delete-cluster", &rule511},
		{"delete-user", &rule511},
		{"rename-context", &rule511},
	},
	}
	rule513 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --list[=any] --no-headers[=any] -q --quiet[=any] --subresource=any", Operands: "any*"}
	rule514 = Rule{Do: "observe", Options: "-o/--output=json|yaml"}
	rule515 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "what runs, and how many, its repository says; hand it to a human, or go back with kubectl rollout undo"}
	rule516 = Rule{Commands: []Command{
		{"can-i", &rule513},
		{"whoami", &rule514},
		{"reconcile", &rule515},
	},
	}
	rule517 = Rule{Do: "observe", Options: "--all[=any] -A --all-namespaces[=any] --field-selector=any --for=/create|delete|condition=[A-Za-z]+(?:=[A-Za-z]+)?|jsonpath=\\{?\\.status\\.[A-Za-z.]+\\}?(?:=[A-Za-z0-9]+)?/ -l/--selector=any --timeout=any", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*"}
	rule518 = Rule{Do: "observe", Options: "--revision=any --timeout=any -w --watch[=any] -l/--selector=any", Operands: "name+"}
	rule519 = Rule{Do: "observe", Options: "-l/--selector=any", Operands: "name+"}
	rule520 = Rule{Do: "redeploy", Options: "--to-revision=any --field-manager=any", Operands: "svc+", Why: "name what is meant, without selectors or files: kubectl rollout restart deployment/NAME -n NAMESPACE", Service: "kube"}
	rule521 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the deployment frozen; kubectl rollout undo deployment/NAME goes back"}
	rule522 = Rule{Commands: []Command{
		{"status", &rule518},
		{"history", &rule519},
		{"restart", &rule520},
		{"undo", &rule520},
		{"resume", &rule520},
		{"pause", &rule521},
	},
	}
	rule523 = Rule{Do: "observe", Options: "-c/--container=any -i --stdin[=any] -t --tty[=any] -q --quiet[=any] --pod-running-timeout=any", Operands: "name inner", Why: "one plain command behind two dashes: kubectl exec POD -- COMMAND"}
	rule524 = Rule{Do: "unknown", Operands: "any*", Why: "kubectl get KIND NAME -o wide shows what is there"}
	rule525 = Rule{Do: "redeploy", Options: "-f/--filename=code -R --recursive[=any] --server-side[=any] --field-manager=any --wait[=any] --timeout=any --validate[=any] -o/--output=/name/ --dry-run[=client|server]!observe -l/--selector=any!unknown --all[=any]!unknown --prune[=any]!forbidden --force[=any]!forbidden --prune-allowlist=any!forbidden", Why: "only manifests of the repositories, without --prune and --force: kubectl apply -f FILE", Requires: "-f|--filename", Service: "base", Commands: []Command{
		{"view-last-applied", &rule524},
		{"edit-last-applied", &rule524},
		{"set-last-applied", &rule524},
	},
	}
	rule526 = Rule{Do: "forbidden", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "volumes, namespaces, secrets and definitions hold what cannot be brought back"}
	rule527 = Rule{Do: "unknown", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "nothing is deleted; kubectl rollout restart deployment/NAME makes new pods", Commands: []Command{
		{"pvc", &rule526},
		{"persistentvolumeclaim", &rule526},
		{"persistentvolumeclaims", &rule526},
		{"pv", &rule526},
		{"persistentvolume", &rule526},
		{"persistentvolumes", &rule526},
		{"ns", &rule526},
		{"namespace", &rule526},
		{"namespaces", &rule526},
		{"secret", &rule526},
		{"secrets", &rule526},
		{"crd", &rule526},
		{"customresourcedefinition", &rule526},
		{"customresourcedefinitions", &rule526},
	},
	}
	rule528 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "no door is opened and no file carried; look with kubectl logs, get and exec POD -- COMMAND"}
	rule529 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; look with kubectl get, logs and rollout history"}
	rule530 = Rule{Do: "observe", Options: "--version", Persistent: "-n/--namespace=any --context=lit --cluster=lit --user=lit --kubeconfig=settings --request-timeout=any -v/--v=/[0-6]/ -h/--help --match-server-version --warnings-as-errors[=any] --disable-compression[=any] --log-flush-frequency=any", Style: "pflag", Why: "another server, user, token, plugin or kubeconfig is not granted; write the subcommand plainly: kubectl get pods -n NAMESPACE", Commands: []Command{
		{"get", &rule497},
		{"describe", &rule499},
		{"logs", &rule500},
		{"top", &rule503},
		{"events", &rule504},
		{"explain", &rule505},
		{"api-resources", &rule506},
		{"api-versions", &rule16},
		{"version", &rule507},
		{"options", &rule16},
		{"help", &rule136},
		{"cluster-info", &rule508},
		{"config", &rule512},
		{"auth", &rule516},
		{"wait", &rule517},
		{"rollout", &rule522},
		{"exec", &rule523},
		{"apply", &rule525},
		{"delete", &rule527},
		{"scale", &rule515},
		{"autoscale", &rule515},
		{"edit", &rule515},
		{"patch", &rule515},
		{"replace", &rule515},
		{"create", &rule515},
		{"run", &rule515},
		{"expose", &rule515},
		{"set", &rule515},
		{"label", &rule515},
		{"annotate", &rule515},
		{"taint", &rule515},
		{"cordon", &rule515},
		{"uncordon", &rule515},
		{"drain", &rule515},
		{"certificate", &rule515},
		{"proxy", &rule528},
		{"port-forward", &rule528},
		{"attach", &rule528},
		{"debug", &rule528},
		{"cp", &rule528},
		{"kustomize", &rule529},
		{"plugin", &rule529},
		{"completion", &rule529},
		{"alpha", &rule529},
		{"kuberc", &rule529},
		{"convert", &rule529},
		{"diff", &rule529},
	},
	}
	rule531 = Rule{Do: "observe", Options: "-v/--version", Why: "only the kubectl and the crictl of it: k3s kubectl get pods -A", Commands: []Command{
		{"kubectl", &rule530},
		{"crictl", &rule177},
	},
	}
	rule532 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -group=/[A-Za-z0-9_.-]+/ -all-groups -members -offsets -state -verbose -version", Style: "flag", Why: "of the broker of this machine, and only shown: kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group GROUP", Requires: "-list|-describe|-version"}
	rule533 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -topic=/[A-Za-z0-9_.-]+/ -exclude-internal -under-replicated-partitions -unavailable-partitions -under-min-isr-partitions -at-min-isr-partitions -version", Style: "flag", Why: "of the broker of this machine, and only shown: kafka-topics.sh --bootstrap-server localhost:9092 --list", Requires: "-list|-describe|-version"}
	rule534 = Rule{Do: "observe", Options: "-h=dbhost -p=/63[789][0-9]|26379|700[0-9]/ -n=/[0-9]+/ -s=/(?:\\/var)?\\/run\\/(?:redis|valkey|keydb)\\/[a-z-]+\\.sock/ -t=/[0-9]+/ -r=/[0-9]+/ -i=/[0-9]+(?:\\.[0-9]+)?/ -2 -3 -c -e --raw --no-raw --csv --json --no-auth-warning --tls --cacert=file --insecure --verbose --stat!nostdin --latency!nostdin --latency-history!nostdin --latency-dist!nostdin --bigkeys!nostdin --memkeys!nostdin --hotkeys!nostdin --scan!nostdin --pattern=lit --count=lit -v/--version!nostdin", Operands: "redis*", Style: "strict", Why: "one literal command that only reads, no password, at a port or socket of redis (to others it says whatever it is given): redis-cli -h HOST info memory", Stdin: "redis"}
	rule535 = Rule{Do: "observe", Options: "-0 -l -s=0", Operands: "name*", Why: "signals are not granted, apart from kill -0 PID, which only asks; restart the service, which is counted", Requires: "-0|-l|-s"}
	rule536 = Rule{Do: "observe", Options: "-0 -l", Operands: "/[A-Za-z0-9_.:]+/*", Why: "signals are not granted, apart from killall -0 NAME, which only asks; restart the service, which is counted", Requires: "-0|-l"}
	rule537 = Rule{Do: "unknown", Operands: "any*", Why: "signals are not granted; restart the service, which is counted", Loose: true}
	rule538 = Rule{Commands: []Command{
		{"check-expiration", &rule16},
	},
	}
	rule539 = Rule{Do: "observe", Commands: []Command{
		{"certs", &rule538},
		{"version", &rule16},
	},
	}
	rule540 = Rule{Do: "observe", Options: "-# -n/--limit=any -a/--hostlast -d/--dns -f/--file=file -F/--fulltimes -i/--ip -R/--nohostname -s/--since=any -t/--until=any -p/--present=any -w/--fullnames -x/--system --time-format=any", Operands: "any*"}
	rule541 = Rule{Do: "observe", Options: "-u/--user=any -t/--time=any -b/--before=any"}
	rule542 = Rule{Do: "observe", Options: "-p/--print-cache -V/--version", Requires: "-p|--print-cache|-V|--version"}
	rule543 = Rule{Do: "observe", Options: "-v -u -d -r --version", Operands: "/\\/(?:usr\\/)?(?:local\\/)?s?bin\\/[A-Za-z0-9_+][A-Za-z0-9._+-]*/+", Why: "it runs what it looks at: only the system's own programs, /usr/sbin/nginx"}
	rule544 = Rule{Do: "observe", Options: "-R -S -F -X -N -n -i -r -e -E -f", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n"}
	rule545 = Rule{Do: "observe", Options: "-f=any", Operands: "lit*"}
	rule546 = Rule{Do: "observe", Persistent: "--no-pager -l/--full", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"list-locales", &rule16},
		{"list-keymaps", &rule16},
	},
	}
	rule547 = Rule{Do: "observe", Options: "-i/--ignore-case -c/--count -l/-n/--limit=any -r/--regexp=any --regex -b/--basename -w/--wholename -e/--existing -q/--quiet -S/--statistics -0/--null -A/--all", Operands: "any*"}
	rule548 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --no-legend -l/--full -a/--all --value -p/--property/-P=any -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --no-ask-password", Stdin: "none", Bare: true, Commands: []Command{
		{"list-sessions", &rule16},
		{"list-users", &rule16},
		{"list-seats", &rule16},
		{"session-status", &rule136},
		{"show-session", &rule136},
		{"user-status", &rule136},
		{"show-user", &rule136},
		{"seat-status", &rule136},
		{"show-seat", &rule136},
	},
	}
	rule549 = Rule{Do: "observe", Options: "-d/--debug -v/--verbose", Operands: "/\\/etc\\/logrotate(?:\\.conf|\\.d\\/[A-Za-z0-9_][A-Za-z0-9._-]*)/+", Why: "it only says what it would do (-d): each run removes the oldest log, and may restart services; rm what is rotated, truncate -s 0 what is too big", Requires: "-d|--debug"}
	rule550 = Rule{Do: "observe", Options: "-R -a -d -l -v -p -V", Operands: "meta*"}
	rule551 = Rule{Do: "observe", Options: "-a/--all -d/--description -r/--release -c/--codename -i/--id -s/--short -v/--version"}
	rule552 = Rule{Do: "observe", Options: "-A/--noempty -D/--discard -E/--dedup=any -I/--include=any -J/--json -M/--merge -O/--output-all -P/--pairs -S/--scsi -N/--nvme -v/--virtio -T/--tree[=any] -a/--all -b/--bytes -d/--nodeps -e/--exclude=any -f/--fs -i/--ascii -l/--list -m/--perms -n/--noheadings -o/--output=any -p/--paths -r/--raw -s/--inverse -t/--topology -w/--width=any -x/--sort=any -y/--shell -z/--zoned -h/--help -V/--version", Operands: "disk*", Style: "gnu"}
	rule553 = Rule{Do: "observe", Options: "-a/--all -b/--online -B/--bytes -C/--caches[=any] -c/--offline -J/--json -e/--extended[=any] -p/--parse[=any] -x/--hex -y/--physical --output-all -h/--help -V/--version"}
	rule554 = Rule{Do: "observe", Options: "-short -json -xml -html -businfo -C/-class/-c=any -quiet -sanitize -numeric -notime -version", Style: "word"}
	rule555 = Rule{Do: "observe", Options: "-c -m -n -p=any -s[=any] -v -z -o -S -J", Operands: "any*"}
	rule556 = Rule{Do: "observe", Options: "-l -s -u/--user-accs -s/--system-accs -a/--acc-expiration -L/--last[=any] -G/--supp-groups --time-format=any", Operands: "any*"}
	rule557 = Rule{Do: "observe", Options: "-J/--json -P/--pairs -a/--all -b/--bytes -n/--noheadings -o/--output=any --output-all -r/--raw -S/--split=any --summary[=any] -h/--help -V/--version"}
	rule558 = Rule{Do: "observe", Options: "-a -b -c=any -C -d=any -E -F[=any] -g[=any] -H -i[=any] -K -l -L[=any] -n -N -o -O -P -p=any -Q -R -r=any -s[=any] -S[=any] -t -T[=any] -u=any -U -v -V -w -x=any -X -z -Z -h", Operands: "meta*", Why: "lsof -i :80, lsof -p PID, lsof FILE"}
	rule559 = Rule{Do: "observe", Options: "-v -k -n -q -t -x -D -P -b -s=any -d=any -m --version", Why: "other sources of data are not granted"}
	rule560 = Rule{Do: "observe", Options: "-g/--generic -s/--size -l/--long -d/--device -t/--transport -i/--scsi_id -k/--kname -H/--hosts -v -w/--wwn -L/--list"}
	rule561 = Rule{Do: "observe", Options: "-v/--verbose -t/--tree -s=any -d=any -V/--version -h/--help"}
	rule562 = Rule{Do: "forbidden", Operands: "any*", Why: "volumes hold the services' data; ask a person", Loose: true}
	rule563 = Rule{Do: "observe", Options: "-a/--all -A -c/--colon -C/--columns -m/--maps -o/--options=any -O/--sort=any -S/--select=any -v/--verbose -P/--partial --noheadings --nosuffix --units=any --separator=any --segments --unbuffered --rows --reportformat=any --aligned --binary -s/--short -q/--quiet --version", Operands: "lit*"}
	rule564 = Rule{Do: "observe", Options: "-dc -cd -t/--test --list -v/--verbose -q/--quiet", Operands: "file?", Why: "files stay as they are, and its -l writes one: lz4 -dc FILE, lz4 --list FILE", Requires: "-dc|-cd|-t|--test|--list"}
	rule565 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any", Operands: "name*"}
	rule566 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any --version -h/--help", Why: "machinectl list and machinectl status NAME are granted", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule565},
		{"list-images", &rule565},
		{"status", &rule565},
		{"image-status", &rule565},
	},
	}
	rule567 = Rule{Do: "unknown", Why: "agents send no mail: this program notifies, after the cycle; what people must know at once: claudeops notify --title TEXT --body TEXT", Loose: true}
	rule568 = Rule{Do: "observe", Options: "-v"}
	rule569 = Rule{Do: "observe", Options: "-e/--execute=mysql!nostdin -N/--skip-column-names -B/--batch -s/--silent -r/--raw -t/--table -E/--vertical -H/--html -X/--xml -v/--verbose -h/--host=dbhost -P/--port=lit -u/--user=lit -D/--database=lit -S/--socket=/\\/(?:var\\/)?run\\/(?:[A-Za-z0-9_-]+\\/)*[A-Za-z0-9_.-]+\\.sock|\\/var\\/lib\\/mysql\\/mysql\\.sock/ --protocol=tcp|socket|TCP|SOCKET -A/--no-auto-rehash -C/--compress -n/--unbuffered -q/--quick -f/--force -w/--wait -U/--safe-updates --connect-timeout=lit --default-character-set=/utf8[a-z0-9]*|latin1/ --login-path=lit --no-defaults --defaults-file/--defaults-extra-file=/\\/etc\\/(?:mysql|my\\.cnf\\.d)\\/[A-Za-z0-9_-]+\\.cnf|\\/etc\\/my\\.cnf|\\/root\\/\\.my\\.cnf/ --column-names --ssl --skip-ssl --ssl-mode=lit --ssl-ca=file --skip-pager --binary-mode -V/--version!nostdin", Operands: "lit?", Style: "gnu", Why: "one literal statement, a host that the inventory or the policy names, no password: mysql -h HOST -e 'show processlist'", Stdin: "mysql"}
	rule570 = Rule{Do: "observe", Operands: "ping|status|processlist|extended-status|variables|version*"}
	rule571 = Rule{Do: "change", Operands: "/[0-9]+/"}
	rule572 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a database", Loose: true}
	rule573 = Rule{Do: "observe", Persistent: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=/\\/(?:var\\/)?run\\/(?:[A-Za-z0-9_-]+\\/)*[A-Za-z0-9_.-]+\\.sock|\\/var\\/lib\\/mysql\\/mysql\\.sock/ --protocol=lit -E/--vertical -v/--verbose -s/--silent -i/--sleep=lit -c/--count=lit -r/--relative -w/--wait[=lit] --connect-timeout=lit --login-path=lit --no-defaults --defaults-file/--defaults-extra-file=/\\/etc\\/(?:mysql|my\\.cnf\\.d)\\/[A-Za-z0-9_-]+\\.cnf|\\/etc\\/my\\.cnf|\\/root\\/\\.my\\.cnf/ -f/--force", Style: "gnu", Why: "ping, status, processlist, extended-status, variables and version only show", Commands: []Command{
		{"ping", &rule570},
		{"status", &rule570},
		{"processlist", &rule570},
		{"extended-status", &rule570},
		{"variables", &rule570},
		{"version", &rule570},
		{"kill", &rule571},
		{"start-replica", &rule17},
		{"start-slave", &rule17},
		{"drop", &rule572},
	},
	}
	rule574 = Rule{Do: "unknown", Why: "databases are looked at, not copied or repaired: mysql -e 'show …'", Loose: true}
	rule575 = Rule{Do: "observe", Options: "-s=t|at|l|al|r|ar|c|a -t=lit -a -r -v -l", Operands: "/\\/var\\/(?:log|lib)\\/(?:mysql|mariadb)\\/[A-Za-z0-9_][A-Za-z0-9_-]*\\.log(?:\\.[0-9]+)?/+", Why: "a log of the server by its path: mysqldumpslow -s t -t 10 /var/log/mysql/mysql-slow.log"}
	rule576 = Rule{Do: "observe", Options: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=/\\/(?:var\\/)?run\\/(?:[A-Za-z0-9_-]+\\/)*[A-Za-z0-9_.-]+\\.sock|\\/var\\/lib\\/mysql\\/mysql\\.sock/ --count -t/--show-table-type -i/--status -k/--keys -v/--verbose", Operands: "lit*"}
	rule577 = Rule{Do: "observe", Options: "-D/--detail -E/--examine -Q/--query -s/--scan -b/--brief -v/--verbose -t/--test -V/--version", Operands: "disk*", Why: "arrays are only shown: mdadm --detail /dev/md0, cat /proc/mdstat", Requires: "-D|--detail|-E|--examine|-Q|--query|-V|--version"}
	rule578 = Rule{Do: "observe", Options: "-p/--parents -v/--verbose -m/--mode=/0?[0-7]?[05][05]|[0-7]?[0-7][0-7][05]/", Operands: "out+", Check: "folder"}
	rule579 = Rule{Do: "observe", Options: "-d/--directory -u/--dry-run -q/--quiet -t=/[A-Za-z0-9._-]+/ -p=out --tmpdir[=out] --suffix=/[A-Za-z0-9._-]+/", Operands: "out?", Prints: "scratch", Check: "folder"}
	rule580 = Rule{Do: "observe", Options: "-a/--author -d/--description -l/--license -p/--parameters -n/--filename -0/--null -F/--field=/[a-z]+/", Operands: "/[A-Za-z0-9_-]+/+"}
	rule581 = Rule{Do: "observe", Options: "--quiet --norc --host=dbhost --port=/270[0-9]{2}/ --json[=lit] --serverSelectionTimeoutMS=/[0-9]+/ --tls --tlsCAFile=file -u/--username=/[A-Za-z0-9_.@-]+/ --authenticationDatabase=/[A-Za-z0-9_-]+/ --version --eval=/(?:printjson\\(|JSON\\.stringify\\()?(?:rs\\.(?:status|conf|config|hello|isMaster|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:serverStatus|stats|hello|isMaster|version|currentOp|getReplicationInfo|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:adminCommand|runCommand)\\((?:\"ping\"|'ping'|\\{\\s*\"?'?ping\"?'?\\s*:\\s*1\\s*\\})\\)|sh\\.status\\(\\)|show\\x20(?:dbs|databases|collections))(?:\\.[A-Za-z0-9_]+)*\\)?;?/", Operands: "/[A-Za-z0-9_-]+/?", Why: "one of the calls that only show: mongosh --quiet --eval 'rs.status()', db.serverStatus(), db.stats(), db.currentOp()", Stdin: "none", Requires: "--eval|--version"}
	rule582 = Rule{Do: "observe", Options: "-n/--rowcount=lit -h/--host=dbhost --port=lit --json --quiet", Operands: "/[0-9]+/?", Requires: "-n|--rowcount"}
	rule583 = Rule{Do: "observe", Options: "-l/--show-labels -t/--types=any -v/--verbose -V/--version -h/--help", Why: "file systems are neither mounted nor unmounted; the list is: mount, findmnt"}
	rule584 = Rule{Do: "observe", Options: "-q/--quiet -d/--fs-devno -x/--devno --nofollow", Operands: "meta"}
	rule585 = Rule{Do: "observe", Options: "-c -s -n -r -m -o=any -l -v -3 -4 -d -a", Operands: "any*"}
	rule586 = Rule{Do: "observe", Options: "-A -u -n -H -T -N=any -P=any -I=any -o=JSON --dec=any -V", Operands: "/[0-9]+/*"}
	rule587 = Rule{Do: "observe", Options: "-4 -6 -a/--address=lit -b/--show-ips -c/--report-cycles=lit -C/--csv -f/--first-ttl=lit -G/--gracetime=lit -i/--interval=lit -I/--interface=lit -j/--json -L/--localport=lit -m/--max-ttl=lit -n/--no-dns -o/--order=lit -P/--port=lit -Q/--tos=lit -r/--report -s/--psize=lit -S/--sctp -T/--tcp -u/--udp -U/--max-unknown=lit -v/--version -w/--report-wide -x/--xml -y/--ipinfo=lit -z/--aslookup -Z/--timeout=lit -e/--mpls", Operands: "host+", Why: "a report about hosts that are written out: mtr -r -c 5 -n HOST", Requires: "-r|-w|-j|-x|-C|-v"}
	rule588 = Rule{Do: "observe", Options: "-l -ll -v=any", Requires: "-l|-ll"}
	rule589 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -T/--no-target-directory", Operands: "any+", Check: "mv"}
	rule590 = Rule{Do: "observe", Options: "-z -x -j -c -v", Operands: "none", Why: "only of the installed configuration: named-checkconf", Stdin: "none"}
	rule591 = Rule{Do: "observe", Options: "-l/--long -m/--modes -o/--owners -v/--vertical -x/--mountpoints -n/--nosymlinks", Operands: "meta+"}
	rule592 = Rule{Do: "unknown", Why: "it is not granted; look at its log and whether its port answers: nc -zv -w 2 HOST PORT", Loose: true}
	rule593 = Rule{Do: "observe", Options: "-z -v/--verbose -w/--wait=lit -u/--udp -n/--nodns -4 -6 -i=lit -r -h/--help --version", Operands: "host /[0-9a-z][0-9a-z-]*/+", Why: "it only looks whether a port is open: nc -zv -w 2 HOST PORT", Stdin: "none", Requires: "-z|-h|--help|--version"}
	rule594 = Rule{Do: "observe", Options: "-b -k -l -w -v -q -p --version", Why: "it only lists: needrestart -b", Requires: "-b|-p|--version"}
	rule595 = Rule{Do: "observe", Options: "-a/--all -f/--format=any --diff --verbose", Operands: "lit?"}
	rule596 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule595},
		{"apply", &rule40},
		{"try", &rule40},
		{"set", &rule40},
		{"generate", &rule40},
		{"rebind", &rule40},
		{"migrate", &rule40},
		{"get", &rule40},
	},
	}
	rule597 = Rule{Do: "observe", Options: "-a/--all -l/--listening -t/--tcp -u/--udp -U/--udplite -S/--sctp -w/--raw -x/--unix -n/--numeric --numeric-hosts --numeric-ports --numeric-users -p/--programs/--program -r/--route -i/--interfaces -g/--groups -s/--statistics -e/--extend -o/--timers -c/--continuous -v/--verbose -W/--wide -N/--symbolic -Z/--context -F/--fib -C/--cache -M/--masquerade -4 -6 -A=any --inet --inet6 --protocol=any -V/--version -h/--help"}
	rule598 = Rule{Do: "observe", Persistent: "--no-pager --no-legend -a/--all -l/--full -s/--stats -n/--lines=any --json=any", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule29},
		{"status", &rule29},
		{"lldp", &rule29},
		{"label", &rule29},
		{"up", &rule40},
		{"down", &rule40},
		{"renew", &rule40},
		{"forcerenew", &rule40},
		{"reconfigure", &rule40},
		{"reload", &rule40},
		{"delete", &rule40},
		{"edit", &rule40},
		{"mask", &rule40},
	},
	}
	rule599 = Rule{Do: "observe", Options: "-n -a -s -t", Operands: "/[A-Za-z0-9_.-]+/+"}
	rule600 = Rule{Do: "observe", Options: "-n/--numeric -a/--handle -s/--stateless -j/--json -y/--numeric-priority -p/--numeric-protocol -S/--service -N/--reversedns -t/--terse -v/--version -h/--help", Commands: []Command{
		{"list", &rule599},
		{"add", &rule40},
		{"create", &rule40},
		{"insert", &rule40},
		{"replace", &rule40},
		{"delete", &rule40},
		{"destroy", &rule40},
		{"flush", &rule40},
		{"rename", &rule40},
		{"reset", &rule40},
		{"import", &rule40},
	},
	}
	rule601 = Rule{Do: "observe", Options: "-n/--adjustment=any -#", Operands: "inner", Style: "strict"}
	rule602 = Rule{Do: "observe", Options: "-b=any -w=any -s=any -v=any -n=any", Operands: "file*", Loose: true}
	rule603 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "status?"}
	rule604 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version"}
	rule605 = Rule{Commands: []Command{
		{"connectivity", &rule604},
	},
	}
	rule606 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "lit?"}
	rule607 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"status", &rule606},
		{"show", &rule606},
	},
	}
	rule608 = Rule{Do: "observe", Options: "--active -a --order=any -t/--terse -f/--fields/-g/--get-values=any -m/--mode=any -p/--pretty", Operands: "lit*"}
	rule609 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule608},
		{"up", &rule40},
		{"down", &rule40},
		{"add", &rule40},
		{"modify", &rule40},
		{"mod", &rule40},
		{"edit", &rule40},
		{"delete", &rule40},
		{"del", &rule40},
		{"reload", &rule40},
		{"load", &rule40},
		{"import", &rule40},
		{"clone", &rule40},
		{"export", &rule40},
		{"monitor", &rule40},
	},
	}
	rule610 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Stdin: "none", Bare: true, Commands: []Command{
		{"general", &rule603},
		{"g", &rule603},
		{"gen", &rule603},
		{"networking", &rule605},
		{"n", &rule605},
		{"device", &rule607},
		{"dev", &rule607},
		{"d", &rule607},
		{"connection", &rule609},
		{"con", &rule609},
		{"c", &rule609},
	},
	}
	rule611 = Rule{Do: "observe", Operands: "status|info|tpstats|compactionstats|netstats|ring|gossipinfo|describecluster|version|proxyhistograms|tablestats|cfstats|statusbinary|statusgossip|statusbackup /[A-Za-z0-9_][A-Za-z0-9_.]*/*", Style: "strict", Why: "of this machine, and only shown: nodetool status"}
	rule612 = Rule{Do: "observe", Options: "-verbose -short -stats -evals -allocs -self -namespace=lit", Operands: "lit?", Style: "flag"}
	rule613 = Rule{Commands: []Command{
		{"status", &rule612},
	},
	}
	rule614 = Rule{Commands: []Command{
		{"status", &rule612},
		{"allocs", &rule612},
	},
	}
	rule615 = Rule{Commands: []Command{
		{"members", &rule612},
	},
	}
	rule616 = Rule{Commands: []Command{
		{"status", &rule612},
		{"list", &rule612},
	},
	}
	rule617 = Rule{Do: "observe", Style: "flag", Why: "only shown, without -json: jobs hold environments", Commands: []Command{
		{"status", &rule612},
		{"node", &rule613},
		{"job", &rule614},
		{"alloc", &rule613},
		{"server", &rule615},
		{"deployment", &rule616},
		{"version", &rule612},
	},
	}
	rule618 = Rule{Do: "observe", Options: "--all --ignore=any --version --help", Prints: "names"}
	rule619 = Rule{Do: "observe", Options: "-t/--target=any -n/--net -u/--uts -i/--ipc -p/--pid", Operands: "inner", Style: "strict", Why: "into the network of another process, with this machine's programs: nsenter -t PID -n ss -tlnp; into a container: docker exec NAME COMMAND"}
	rule620 = Rule{Do: "observe", Options: "-all -class[=/[A-Za-z]+/] -d2 -nod2 -debug -nodebug -domain[=/[A-Za-z0-9._-]+/] -fail -nofail -q[=/[A-Za-z0-9]+/] -query[=/[A-Za-z0-9]+/] -querytype[=/[A-Za-z0-9]+/] -type[=/[A-Za-z0-9]+/] -recurse -norecurse -retry[=/[0-9]+/] -search -nosearch -timeout[=/[0-9]+/] -vc -novc -version", Operands: "/[A-Za-z0-9_:][A-Za-z0-9_.:-]*/ /[A-Za-z0-9._:-]+/?", Style: "word", Why: "it asks for one name that is written out, never interactively: nslookup NAME SERVER", Stdin: "none"}
	rule621 = Rule{Do: "observe", Options: "-a/--ignore -s/--noupdate -z/--zeros -j/--json -p/--pretty", Operands: "any*"}
	rule622 = Rule{Do: "observe", Options: "-4 -6 -n -p/--peers -w/--wide -c/--command=peers|pe|associations|as|rv|readvar|sysinfo|sysstats|kerninfo|lpeers|apeers|opeers|iostats|monstats --version", Operands: "host*", Why: "it only shows: ntpq -pn", Stdin: "none", Requires: "-p|-c|--version"}
	rule623 = Rule{Do: "observe", Options: "-H/--hardware -s/--show", Why: "only shown: numactl --hardware", Requires: "-H|--hardware|-s|--show"}
	rule624 = Rule{Do: "observe", Options: "-c=any -s=any -d=any -o=any -m"}
	rule625 = Rule{Do: "observe", Options: "-L/--list-gpus -q/--query -d/--display=any -i/--id=any -l/--loop=any --query-gpu[=any] --query-compute-apps[=any] --format[=any] --help", Style: "word", Stdin: "none", Bare: true, Commands: []Command{
		{"dmon", &rule624},
		{"pmon", &rule624},
		{"topo", &rule624},
	},
	}
	rule626 = Rule{Do: "observe", Options: "-v/--verbose -o/--output-format=any -H/--human-readable -n/--namespace-id=any -e/--log-entries=any", Operands: "disk?"}
	rule627 = Rule{Do: "forbidden", Operands: "any*", Why: "disks hold the services' data; ask a person", Loose: true}
	rule628 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule626},
		{"list-subsys", &rule626},
		{"list-ns", &rule626},
		{"smart-log", &rule626},
		{"error-log", &rule626},
		{"fw-log", &rule626},
		{"id-ctrl", &rule626},
		{"id-ns", &rule626},
		{"show-regs", &rule626},
		{"self-test-log", &rule626},
		{"version", &rule626},
		{"get-log", &rule626},
		{"format", &rule627},
		{"sanitize", &rule627},
		{"write", &rule627},
		{"write-zeroes", &rule627},
		{"write-uncor", &rule627},
		{"dsm", &rule627},
		{"delete-ns", &rule627},
		{"create-ns", &rule627},
		{"fw-download", &rule627},
		{"fw-commit", &rule627},
		{"reset", &rule627},
		{"subsystem-reset", &rule627},
		{"set-feature", &rule627},
		{"security-send", &rule627},
		{"admin-passthru", &rule627},
		{"io-passthru", &rule627},
		{"detach-ns", &rule627},
		{"disconnect", &rule627},
		{"disconnect-all", &rule627},
	},
	}
	rule629 = Rule{Do: "observe", Options: "-A=any -j=any -N=any -t=any", Operands: "file*", Loose: true}
	rule630 = Rule{Do: "observe", Options: "-connect=/(?:[A-Za-z0-9][A-Za-z0-9._-]*|\\[[0-9A-Fa-f:]+\\]):[0-9]+/ -servername=/[A-Za-z0-9-]+(?:\\.[A-Za-z0-9-]+)+/ -starttls=smtp|imap|pop3|ftp|ldap|postgres|mysql -showcerts -brief -status -verify_return_error -verify_hostname=/[A-Za-z0-9.-]+/ -tls1_1 -tls1_2 -tls1_3", Style: "flag", Why: "the host is written out, and nothing is sent: openssl s_client -connect HOST:443 -servername HOST -showcerts </dev/null", Stdin: "none", Requires: "-connect"}
	rule631 = Rule{Do: "observe", Options: "-in=meta -inform=PEM|DER|pem|der -outform=PEM|DER|pem|der -noout -nocert -text -dates -enddate -startdate -subject -issuer -serial -email -alias -hash -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old -fingerprint -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -ext=lit -checkend=lit -checkhost=lit -checkip=lit -checkemail=lit -purpose -pubkey -modulus -ocspid -ocsp_uri -nameopt=lit -certopt=lit -dateopt=lit -help", Style: "flag", Why: "it only shows a certificate: openssl x509 -noout -dates -subject -in FILE", Check: "certificate"}
	rule632 = Rule{Do: "observe", Options: "-verbose -nameopt=lit -trusted=file -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -untrusted=file -CRLfile=file -show_chain -purpose=lit -verify_name=lit -verify_depth=lit -verify_hostname=lit -verify_ip=lit -verify_email=lit -auth_level=lit -attime=lit -no_check_time -crl_check -crl_check_all -x509_strict -partial_chain -trusted_first -no_alt_chains -issuer_checks -policy_check -policy_print -check_ss_sig -help", Operands: "file*", Style: "flag"}
	rule633 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -issuer -lastupdate -nextupdate -fingerprint -crlnumber -hash -hash_old -nameopt=lit -dateopt=lit -sha1 -sha256 -verify -CAfile=file -CApath=lit -help", Style: "flag"}
	rule634 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -subject -pubkey -modulus -verify -nameopt=lit -reqopt=lit -help", Style: "flag", Why: "it only shows a request: openssl req -noout -text -in FILE", Requires: "-noout"}
	rule635 = Rule{Do: "observe", Options: "-in=meta -inform=PEM|DER|pem|der -certfile=meta -nocrl -help", Style: "flag", Check: "certificate"}
	rule636 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -print_certs -print -noout -text -quiet -help", Style: "flag"}
	rule637 = Rule{Do: "observe", Options: "-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -r -c -list -help", Operands: "file*", Style: "flag"}
	rule638 = Rule{Do: "observe", Options: "-a -v -p -o -f -d -b -e -m -r -c -help", Style: "flag"}
	rule639 = Rule{Do: "observe", Options: "-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -ciphersuites=lit -help", Operands: "lit?", Style: "flag"}
	rule640 = Rule{Do: "observe", Options: "-commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -disabled -help", Style: "flag"}
	rule641 = Rule{Do: "forbidden", Why: "private keys are secrets; a certificate shows with openssl x509 -noout -text -in FILE", Loose: true}
	rule642 = Rule{Do: "observe", Options: "--version", Why: "s_client, x509, verify, crl, req, version and ciphers are granted, for looking; keys and passwords are not", Requires: "--version", Commands: []Command{
		{"s_client", &rule630},
		{"x509", &rule631},
		{"verify", &rule632},
		{"crl", &rule633},
		{"req", &rule634},
		{"crl2pkcs7", &rule635},
		{"pkcs7", &rule636},
		{"dgst", &rule637},
		{"md5", &rule637},
		{"sha1", &rule637},
		{"sha256", &rule637},
		{"sha512", &rule637},
		{"version", &rule638},
		{"ciphers", &rule639},
		{"list", &rule640},
		{"rsa", &rule641},
		{"ec", &rule641},
		{"dsa", &rule641},
		{"pkey", &rule641},
		{"pkcs8", &rule641},
		{"pkcs12", &rule641},
		{"pkeyutl", &rule641},
		{"rsautl", &rule641},
		{"storeutl", &rule641},
	},
	}
	rule643 = Rule{Do: "observe", Options: "-Q -q -i -l -o -s -e -d -t -u -k --version", Operands: "any*", Why: "packages are for people; what is installed: pacman -Q", Requires: "-Q|--version"}
	rule644 = Rule{Do: "observe", Options: "-l/--list -s/--script -m/--machine -v/--version", Operands: "disk? print?", Why: "partitions are only shown: parted -l", Requires: "-l|--list|-v|--version"}
	rule645 = Rule{Do: "observe", Options: "-d/--delimiters=any", Operands: "file*", Loose: true}
	rule646 = Rule{Do: "observe", Options: "-e/--extended -t/--timestamp -f/--format=lit --group=lit", Operands: "lit*"}
	rule647 = Rule{Do: "observe", Options: "-f/--format=lit --group=lit", Operands: "lit?"}
	rule648 = Rule{Do: "forbidden", Why: "it deletes a member's data", Loose: true}
	rule649 = Rule{Do: "observe", Persistent: "-c/--config-file=/\\/etc\\/patroni(?:\\/[A-Za-z0-9_-]+)*\\.ya?ml/ -k/--insecure", Why: "it only shows here: patronictl list, patronictl history; a failover is for a person", Commands: []Command{
		{"list", &rule646},
		{"topology", &rule646},
		{"history", &rule647},
		{"version", &rule16},
		{"reinit", &rule648},
		{"remove", &rule648},
	},
	}
	rule650 = Rule{Do: "observe", Options: "--full", Operands: "/[A-Za-z0-9_.:]+/*"}
	rule651 = Rule{Commands: []Command{
		{"status", &rule650},
	},
	}
	rule652 = Rule{Do: "observe", Operands: "list|show|config?", Why: "constraints are only listed: pcs constraint"}
	rule653 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule650},
		{"cluster", &rule651},
		{"resource", &rule651},
		{"constraint", &rule652},
	},
	}
	rule654 = Rule{Do: "observe", Options: "--verbose[=any]", Operands: "/[0-9]+/"}
	rule655 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule16},
		{"status", &rule654},
	},
	}
	rule656 = Rule{Do: "observe", Operands: "/\\/c[0-9a-z\\/]+|show/ show? all?"}
	rule657 = Rule{Do: "observe", Options: "-d=today|yesterday -h=any -u=any --detail=any --problems_first --no_no_msg_size --verbose_msg_detail", Operands: "/\\/var\\/log\\/(?:mail\\/)?[A-Za-z0-9_][A-Za-z0-9_-]*(?:\\.log|\\.info|\\.err)?(?:\\.[0-9]+)?/*", Why: "a log by its path: pflogsumm -d today /var/log/mail.log"}
	rule658 = Rule{Do: "observe", Options: "--bindir --sharedir --sysconfdir --pkglibdir --libdir --version"}
	rule659 = Rule{Do: "observe", Options: "-D/--pgdata=lit -V/--version", Operands: "lit?"}
	rule660 = Rule{Do: "observe", Options: "-D/--pgdata=lit -s/--silent -V/--version", Operands: "/status/", Why: "it only shows here: pg_ctl status -D FOLDER; a restart goes by systemctl or docker restart"}
	rule661 = Rule{Do: "observe", Operands: "lit lit /status/", Why: "it only shows here: pg_ctlcluster VERSION NAME status; a restart goes by systemctl restart postgresql@VERSION-NAME"}
	rule662 = Rule{Do: "forbidden", Why: "it shows the passwords of all roles", Loose: true}
	rule663 = Rule{Do: "observe", Options: "-d/--dbname=/[A-Za-z0-9_.-]+/ -h/--host=host -p/--port=/[1-9][0-9]{0,4}/ -q/--quiet -t/--timeout=/[0-9]+/ -U/--username=/[A-Za-z0-9_.@-]+/ -V/--version"}
	rule664 = Rule{Do: "observe", Options: "-h/--no-header -j/--json -s/--start-conf", Operands: "lit*"}
	rule665 = Rule{Do: "observe", Options: "-l/--list -F/--format=c|d|t|custom|directory|tar -V/--version", Operands: "meta?", Why: "it only lists what a dump holds: pg_restore -l FILE", Requires: "-l|--list|-V|--version"}
	rule666 = Rule{Do: "observe", Options: "--output=text|json --set=lit"}
	rule667 = Rule{Do: "observe", Persistent: "--stanza=lit --repo=lit", Why: "backups are only listed here: pgbackrest info", Commands: []Command{
		{"info", &rule666},
		{"version", &rule16},
	},
	}
	rule668 = Rule{Do: "observe", Options: "-d/--delimiter=any!text -l/--list-name!text -a/--list-full!text -v/--inverse -w/--lightweight -c/--count -f/--full -g/--pgroup=any -G/--group=any -i/--ignore-case -n/--newest -o/--oldest -O/--older=any -P/--parent=any -s/--session=any -t/--terminal=any -u/--euid=any -U/--uid=any -x/--exact -F/--pidfile=file -L/--logpidfile -r/--runstates=any -A/--ignore-ancestors --cgroup=any --ns=any --nslist=any -h/--help -V/--version", Operands: "any?", Prints: "numbers"}
	rule669 = Rule{Do: "observe", Options: "-t/--test!once -v/--version -m -h", Why: "php-fpm -t; to reload it: systemctl reload php8.2-fpm", Requires: "-t|--test|-v|--version|-m|-h", Cwd: "settings"}
	rule670 = Rule{Do: "observe", Options: "-s -c -q -w -x -o=any -t -S=any", Operands: "lit+", Prints: "names"}
	rule671 = Rule{Do: "observe", Options: "-d -h -H -I -l -r -R -s -t -u -v -V -w -C=any -G=any -p=any -T=any -U[=any] --human --dec=any", Operands: "/[0-9]+/*", Why: "it does not start programs here (-e)"}
	rule672 = Rule{Do: "observe", Options: "-v/--version", Commands: []Command{
		{"status", &rule16},
		{"version", &rule16},
	},
	}
	rule673 = Rule{Do: "observe", Options: "-3 -4 -6 -a -B -C -c=lit -D -d -e=lit -F=lit -h -H -I=lit -i=/(?:0\\.[2-9]|[1-9])[0-9.]*/ -L -M=lit -m=lit -N=lit -n -O -Q=lit -q -R -r -S=lit -s=lit -T=lit -t=lit -U -V -v -W=lit -w=lit", Operands: "host", Why: "a host that is written out, without flood or payload: ping -c 3 HOST"}
	rule674 = Rule{Do: "observe", Options: "-o/--outdated -f/--files --format=any --disable-pip-version-check", Operands: "lit*"}
	rule675 = Rule{Do: "observe", Options: "-V/--version", Commands: []Command{
		{"list", &rule674},
		{"show", &rule674},
		{"check", &rule674},
	},
	}
	rule676 = Rule{Do: "observe", Options: "-0 -f -x", Operands: "lit", Why: "signals are not granted, apart from pkill -0 NAME, which only asks; restart the service, which is counted", Requires: "-0"}
	rule677 = Rule{Do: "unknown", Operands: "any*", Why: "it shows the program's environment; use pm2 list and pm2 logs NAME --nostream"}
	rule678 = Rule{Do: "observe", Options: "--lines=/[0-9]+/ --nostream --err --out --timestamp --raw", Operands: "name?", Style: "gnu"}
	rule679 = Rule{Do: "restart", Operands: "svc+", Stdin: "none", Check: "plain"}
	rule680 = Rule{Do: "restart", Operands: "svc+", Stdin: "none", Part: "first", Check: "plain"}
	rule681 = Rule{Do: "unknown", Operands: "any*", Why: "pm2 restart NAME also starts what is stopped"}
	rule682 = Rule{Do: "observe", Why: "by names of letters, digits, - and _, not by files: pm2 restart NAME", Cwd: "settings", Commands: []Command{
		{"list", &rule16},
		{"ls", &rule16},
		{"status", &rule16},
		{"l", &rule16},
		{"describe", &rule677},
		{"desc", &rule677},
		{"logs", &rule678},
		{"restart", &rule679},
		{"reload", &rule679},
		{"stop", &rule680},
		{"start", &rule681},
	},
	}
	rule683 = Rule{Do: "observe", Options: "-x/--extended -X -d/--device -q/--quiet -p/--show-path -A/--range=any", Operands: "any+"}
	rule684 = Rule{Do: "observe", Options: "-n -d -h -p -f -H -x -m -l", Operands: "/[a-z0-9_]+/*", Why: "settings are only shown, by their names: postconf -n, postconf relayhost"}
	rule685 = Rule{Do: "unknown", Operands: "any*", Why: "to restart it: systemctl restart postfix"}
	rule686 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"reload", &rule17},
		{"start", &rule685},
		{"stop", &rule685},
		{"abort", &rule685},
		{"flush", &rule685},
		{"check", &rule685},
		{"set-permissions", &rule685},
		{"upgrade-configuration", &rule685},
	},
	}
	rule687 = Rule{Do: "observe", Options: "-p -j -v -f!change", Requires: "-p|-j|-f"}
	rule688 = Rule{Do: "observe", Options: "-p/--pid=any -o/--output=any --noheadings --raw --verbose -n/--nofile -u/--nproc -c/--core -v/--as -m/--rss -l/--memlock -s/--stack -d/--data", Why: "limits are read only, of a process that runs"}
	rule689 = Rule{Do: "observe", Options: "--lint[=any] --syntax-only", Operands: "/\\/etc\\/prometheus\\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*[A-Za-z0-9_-][A-Za-z0-9_.-]*\\.ya?ml/+", Why: "promtool check config /etc/prometheus/prometheus.yml"}
	rule690 = Rule{Commands: []Command{
		{"config", &rule689},
		{"rules", &rule689},
		{"web-config", &rule689},
	},
	}
	rule691 = Rule{Do: "observe", Options: "-o/--format=promql|json", Operands: "/http:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):9090\\/?/ /[A-Za-z0-9_({\"'][^@\\r\\n]*/", Why: "of the Prometheus of this machine: promtool query instant http://localhost:9090 EXPRESSION"}
	rule692 = Rule{Commands: []Command{
		{"instant", &rule691},
	},
	}
	rule693 = Rule{Do: "observe", Options: "--version", Commands: []Command{
		{"check", &rule690},
		{"query", &rule692},
	},
	}
	rule694 = Rule{Do: "observe", Options: "-A -a -d -e -f -F -l -j -y -c -m -L -T -H -M -Z -N -w -p/-q/--pid/--quick-pid/--ppid/--sid=any -C=lit -o/--format=/(?:(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?(?:=[A-Za-z0-9_%]*)?(?:[,\\s]+|$))+/ -u/--user/-U/--User=lit -s=/[0-9]+/ --sort=/[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?:,[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending))*/ --no-headers/--no-heading/--headers/--heading --forest --cols/--columns/--width=/[0-9]+/ --rows/--lines=/[0-9]+/ --cumulative -V/--version", Operands: "/[aAcfgHhjlmnrsSTuvwxXLMZ]+o?|o|p|[0-9]+(?:,[0-9]+)*|(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?(?:[,](?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?)*/*", Style: "gnu", Why: "without letters that show environments, which hold secrets: ps aux, ps -ef, ps -eo pid,etime,rss,args --sort=-rss", Check: "ps"}
	rule695 = Rule{Do: "observe", Options: "-a/--echo-all -A/--no-align -b/--echo-errors -c/--command=psql!nostdin --csv -e/--echo-queries -E/--echo-hidden -d/--dbname=/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/ -F/--field-separator=any -h/--host=dbhost -H/--html -l/--list!nostdin -n/--no-readline -p/--port=/[1-9][0-9]{0,4}/ -P/--pset=/pager=(?:off|0)|(?:border|columns|csv_fieldsep|expanded|fieldsep|footer|format|linestyle|null|numericlocale|recordsep|title|tuples_only)(?:=.*)?/ -q/--quiet -R/--record-separator=any -t/--tuples-only -T/--table-attr=lit -U/--username=/[A-Za-z0-9_.@-]+/ -v/--set/--variable=/(?:ON_ERROR_STOP|QUIET|VERBOSITY|SHOW_CONTEXT|ECHO)=[A-Za-z0-9_]*/ -V/--version!nostdin -w/--no-password -x/--expanded -X/--no-psqlrc -z/--field-separator-zero -0/--record-separator-zero -1/--single-transaction", Operands: "/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/? lit?", Style: "gnu", Why: "one literal statement, a host by -h that the inventory or the policy names, no password: psql -X -A -t -h HOST -U USER -d DB -c 'select 1'", Stdin: "psql"}
	rule696 = Rule{Do: "observe", Options: "-a/--arguments -A/--ascii -c/--compact-not -C/--color=any -g/--show-pgids -G/--vt100 -h/--highlight-all -H/--highlight-pid=any -l/--long -n/--numeric-sort -N/--ns-sort=any -p/--show-pids -s/--show-parents -S/--ns-changes -t/--thread-names -T/--hide-threads -u/--uid-changes -U/--unicode -Z/--security-context -V/--version", Operands: "any?"}
	rule697 = Rule{Do: "observe", Operands: "any+"}
	rule698 = Rule{Do: "observe", Options: "-V/--version", Operands: "none", Style: "strict", Why: "a program in python cannot be read; use jq, awk, grep or sed", Requires: "-V|--version"}
	rule699 = Rule{Do: "observe", Options: "-a -u -g -s -v -n -p -w -q", Operands: "any*"}
	rule700 = Rule{Do: "observe", Operands: "lit"}
	rule701 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmq-diagnostics status", Loose: true}
	rule702 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --unit=lit", Why: "ping, status, check_… and listeners only show", Commands: []Command{
		{"ping", &rule16},
		{"status", &rule16},
		{"cluster_status", &rule16},
		{"alarms", &rule16},
		{"listeners", &rule16},
		{"memory_breakdown", &rule16},
		{"is_running", &rule16},
		{"is_booting", &rule16},
		{"server_version", &rule16},
		{"erlang_version", &rule16},
		{"runtime_thread_stats", &rule16},
		{"log_location", &rule16},
		{"check_running", &rule16},
		{"check_alarms", &rule16},
		{"check_local_alarms", &rule16},
		{"check_port_connectivity", &rule16},
		{"check_virtual_hosts", &rule16},
		{"check_certificate_expiration", &rule16},
		{"check_if_node_is_quorum_critical", &rule16},
		{"check_if_node_is_mirror_sync_critical", &rule16},
		{"disk_free_limit", &rule16},
		{"os_env_help", &rule16},
		{"check_port_listener", &rule700},
		{"check_protocol_listener", &rule700},
		{"environment", &rule701},
		{"report", &rule701},
	},
	}
	rule703 = Rule{Do: "observe", Options: "--online --offline --local --all --sort=lit", Operands: "lit*"}
	rule704 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes messages", Loose: true}
	rule705 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmqctl status", Loose: true}
	rule706 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --no-table-headers --print-stacktrace", Why: "status, cluster_status and the list_… commands only show", Commands: []Command{
		{"status", &rule29},
		{"cluster_status", &rule29},
		{"ping", &rule29},
		{"version", &rule29},
		{"node_health_check", &rule29},
		{"list_vhosts", &rule29},
		{"list_users", &rule29},
		{"list_permissions", &rule29},
		{"list_policies", &rule29},
		{"list_feature_flags", &rule29},
		{"list_unresponsive_queues", &rule29},
		{"list_hashes", &rule29},
		{"list_user_permissions", &rule29},
		{"list_user_limits", &rule29},
		{"list_vhost_limits", &rule29},
		{"list_operator_policies", &rule29},
		{"await_startup", &rule29},
		{"list_queues", &rule703},
		{"list_connections", &rule703},
		{"list_channels", &rule703},
		{"list_consumers", &rule703},
		{"list_exchanges", &rule703},
		{"list_bindings", &rule703},
		{"purge_queue", &rule704},
		{"delete_queue", &rule704},
		{"reset", &rule704},
		{"force_reset", &rule704},
		{"delete_vhost", &rule704},
		{"forget_cluster_node", &rule704},
		{"environment", &rule705},
		{"report", &rule705},
	},
	}
	rule707 = Rule{Do: "observe", Options: "-a/--all -l/--list -s/--servicelist -c/--crashed -r/--runlevel -u/--unused -m/--manual -S/--supervised -f/--format=any", Operands: "lit?"}
	rule708 = Rule{Do: "observe", Options: "-v -a", Operands: "lit*"}
	rule709 = Rule{Do: "observe", Options: "-v -a", Stdin: "none", Bare: true, Commands: []Command{
		{"show", &rule708},
	},
	}
	rule710 = Rule{Do: "observe", Operands: "meta*", Loose: true}
	rule711 = Rule{Do: "observe", Operands: "host+"}
	rule712 = Rule{Do: "observe", Operands: "lit?", Why: "with one interface at most: the name servers are for people"}
	rule713 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-4 -6 -i/--interface=lit -p/--protocol=lit -t/--type=lit -c/--class=lit --no-pager --legend=any --cache=any --validate=any --json=any", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule29},
		{"statistics", &rule29},
		{"show-cache", &rule29},
		{"show-server-state", &rule29},
		{"query", &rule711},
		{"dns", &rule712},
		{"domain", &rule712},
		{"dnssec", &rule712},
		{"dnsovertls", &rule712},
		{"llmnr", &rule712},
		{"mdns", &rule712},
		{"nta", &rule712},
		{"default-route", &rule712},
		{"flush-caches", &rule17},
		{"reset-server-features", &rule17},
	},
	}
	rule714 = Rule{Do: "observe", Options: "-c/--compact -g/--group-by=any -H/--host=any --last --latest=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule715 = Rule{Do: "observe", Options: "--mode=restore-size|files-by-contents|raw-data|blobs-per-file -H/--host=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule716 = Rule{Do: "observe", Operands: "locks|snapshots"}
	rule717 = Rule{Do: "observe", Options: "--version", Persistent: "-r/--repo=/\\/(?:srv|mnt|media|data|backups?|var\\/backups?)(?:\\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/ --json --no-lock --no-cache -q/--quiet -v/--verbose -h/--help", Why: "backups are only listed: restic snapshots, with a repository of this machine or the one that is set", Commands: []Command{
		{"snapshots", &rule714},
		{"stats", &rule715},
		{"list", &rule716},
		{"version", &rule16},
	},
	}
	rule718 = Rule{Do: "observe", Options: "-e/--regexp=any!first -f/--file=file!first -i/--ignore-case -S/--smart-case -s/--case-sensitive -n/--line-number -N/--no-line-number -l/--files-with-matches --files-without-match -c/--count --count-matches -v/--invert-match -w/--word-regexp -x/--line-regexp -o/--only-matching -F/--fixed-strings -P/--pcre2 -U/--multiline --multiline-dotall -u/--unrestricted -uu -uuu -./--hidden --no-ignore --no-ignore-vcs -g/--glob=any --iglob=any -t/--type=any -T/--type-not=any --type-list -A/--after-context=any -B/--before-context=any -C/--context=any -m/--max-count=any -r/--replace=any -q/--quiet --json --stats --sort=any --sortr=any --color=any --colors=any --no-heading --heading --column -p/--pretty -H/--with-filename -I/--no-filename -d/--max-depth=any -L/--follow -a/--text --trim -M/--max-columns=any --max-filesize=any -0/--null --line-buffered --no-messages --no-config --crlf --encoding=any -j/--threads=any --files!first -V/--version", Operands: "any tree*", Style: "gnu", Why: "other programs (--pre, --hostname-bin) are not granted", Cwd: "tree"}
	rule719 = Rule{Do: "change", Options: "-f/--force -v/--verbose -i -I --interactive[=any] -r/-R/--recursive -d/--dir --one-file-system", Operands: "any+", Check: "rm"}
	rule720 = Rule{Do: "observe", Options: "-v/--verbose --ignore-fail-on-non-empty", Operands: "out+"}
	rule721 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"recursing-status", &rule16},
	},
	}
	rule722 = Rule{Do: "observe", Options: "-n/--numeric -e/--extend -v/--verbose -A=any -F/--fib -C/--cache -4 -6 -V/--version", Stdin: "none", Bare: true, Commands: []Command{
		{"add", &rule40},
		{"del", &rule40},
		{"delete", &rule40},
		{"flush", &rule40},
		{"change", &rule40},
	},
	}
	rule723 = Rule{Do: "observe", Options: "-p -s -m", Operands: "host?"}
	rule724 = Rule{Do: "observe", Options: "-q/--query -a/--all -i/--info -l/--list -f/--file -c/--configfiles -d/--docfiles -R/--requires --provides --whatprovides --whatrequires --last --changelog --scripts -s/--state -V/--verify --qf/--queryformat=/(?:[^%({]|%-?[0-9]*\\{[A-Za-z_]+(?::[a-z]+)?\\})*/ --version -e!unknown -U!unknown -F!unknown", Operands: "/[^%-][^%]*/*", Why: "packages are for people; what is installed: rpm -qa", Requires: "-q|--query|-V|--verify|--version"}
	rule725 = Rule{Do: "observe", Commands: []Command{
		{"stat", &rule16},
		{"uptime", &rule16},
		{"counters", &rule16},
	},
	}
	rule726 = Rule{Do: "observe", Options: "--test --list --regex=any --lsbsysinit", Operands: "meta", Why: "it is only shown what would run: run-parts --test DIR", Requires: "--test|--list"}
	rule727 = Rule{Do: "observe", Options: "-c/--container -v/--vm -q/--quiet -p/--path -u/--unescape --suffix=any", Operands: "lit*"}
	rule728 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any", Operands: "inner", Style: "strict", Why: "runuser -u USER -- COMMAND", Requires: "-u|--user"}
	rule729 = Rule{Do: "observe", Options: "-u -w -N -r -p -t -d", Operands: "any"}
	rule730 = Rule{Do: "observe", Options: "-A -b -B -C -d -D -F -h --human -H -i=any -I=any -j=any -m=any -n=any -p -P=any -q -r -S -t -u -v -V -w -W -x -y -z -s=any -e=any -f=file --dec=any --dev=any --fs=any --iface=any --int=any --pretty", Operands: "/[0-9]+/*", Why: "recording (-o) is not granted"}
	rule731 = Rule{Do: "observe", Options: "-ls -list -v", Requires: "-ls|-list|-v"}
	rule732 = Rule{Do: "unknown", Operands: "any*", Why: "diff -y FILE FILE shows files side by side", Loose: true}
	rule733 = Rule{Do: "observe", Options: "-A/--no-adapter -f/--fahrenheit -u -j -v/--version -h/--help", Operands: "lit*"}
	rule734 = Rule{Do: "observe", Options: "-w/--wait", Operands: "inner", Style: "strict", Check: "loop"}
	rule735 = Rule{Do: "observe", Options: "-e/--exports -a/--all -d/--directories --no-headers", Operands: "host?"}
	rule736 = Rule{Do: "observe", Options: "-n/--head-count=any -e/--echo -i/--input-range=any -r/--repeat -z/--zero-terminated --random-source=file", Operands: "file*"}
	rule737 = Rule{Do: "observe", Options: "-a/--all -x/--xall -H/--health -i/--info -A/--attributes -c/--capabilities -l/--log=error|selftest|selective|directory|background|sataphy|sasphy|devstat|sct|sctstatus|scttemp|scttempsts|scttemphist|scterc|xerror|xselftest|ssd|farm|envrep -d/--device=any -j/--json[=any] -n/--nocheck=any -f/--format=any -r/--report=any -q/--quietmode=any --scan --scan-open -v/--vendorattribute=any -g/--get=any -V/--version -h/--help", Operands: "disk*", Why: "tests and settings of disks are for people: smartctl -a /dev/sda"}
	rule738 = Rule{Do: "observe", Options: "-b/--brief -p/--processes -S/--shares -L/--locks -B/--byterange -n/--numeric -v/--verbose -u/--user=any"}
	rule739 = Rule{Do: "observe", Options: "-t -k -p -u -w -m -H -n -r -s=any -c=any -P=any -U=any -M=any"}
	rule740 = Rule{Do: "observe", Options: "--all -a -l", Operands: "name*"}
	rule741 = Rule{Do: "observe", Operands: "name*"}
	rule742 = Rule{Do: "observe", Options: "-n=any -f", Operands: "name"}
	rule743 = Rule{Do: "restart", Operands: "svc+", Check: "unit"}
	rule744 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule740},
		{"services", &rule740},
		{"changes", &rule740},
		{"version", &rule740},
		{"warnings", &rule740},
		{"info", &rule741},
		{"tasks", &rule741},
		{"change", &rule741},
		{"connections", &rule741},
		{"logs", &rule742},
		{"restart", &rule743},
	},
	}
	rule745 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule16},
		{"list-configs", &rule16},
	},
	}
	rule746 = Rule{Do: "observe", Options: "-V", Why: "it connects anything with anything; to look whether a port is open: nc -zv -w 2 HOST PORT", Requires: "-V"}
	rule747 = Rule{Do: "observe", Options: "-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort -h/--human-numeric-sort -i/--ignore-nonprinting -M/--month-sort -n/--numeric-sort -R/--random-sort -r/--reverse --sort=any -V/--version-sort --batch-size=any -c/--check[=any] -C --debug -k/--key=any -m/--merge -o/--output=out -s/--stable -S/--buffer-size=any -t/--field-separator=any --parallel=any -u/--unique -z/--zero-terminated --random-source=file --help --version", Operands: "file*", Style: "gnu", Why: "another program (--compress-program) and another folder for its own files (-T) are not granted"}
	rule748 = Rule{Do: "observe", Options: "-K -V", Why: "spamc -K asks whether it answers", Requires: "-K|-V"}
	rule749 = Rule{Do: "observe", Options: "-readonly -safe -batch -bail -ascii -box -column -csv -html -json -line -list -markdown -quote -table -tabs -header -noheader -separator=lit -newline=lit -nullvalue=lit -cmd=/\\.(?:timeout\\s+[0-9]+|mode\\s+[a-z]+|headers?\\s+(?:on|off)|nullvalue\\s+[A-Za-z-]+|width[0-9\\s-]+)/ -version!nostdin", Operands: "database? sqlite*", Style: "word", Why: "a database of a service and a literal statement that only reads: sqlite3 -readonly -safe FILE 'pragma quick_check", Stdin: "sqlite"}
	rule750 = Rule{Do: "observe", Options: "-n/--numeric -r/--resolve -a/--all -l/--listening -B/--bound-inactive -o/--options -e/--extended -m/--memory -p/--processes -T/--threads -i/--info --tipcinfo -s/--summary --tos --cgroup -b/--bpf -E/--events -Z/--context -z/--contexts -4/--ipv4 -6/--ipv6 -0/--packet -t/--tcp -M/--mptcp -S/--sctp -u/--udp -d/--dccp -w/--raw -x/--unix --tipc --vsock --xdp -f/--family=any -H/--no-header -O/--oneline --inet-sockopt -A/--query/--socket=any -Q/--no-queues -h/--help -V/--version", Operands: "any*", Style: "gnu", Why: "closing connections (-K) and files (-D, -F) are not granted"}
	rule751 = Rule{Do: "observe", Options: "-4 -6 -a -C -k -n -q -T -t -v -x -l=/[A-Za-z0-9_][A-Za-z0-9_.-]*/ -p=/[0-9]+/ -i=credential -o=/(?:AddressFamily|BatchMode|CheckHostIP|Compression|ConnectTimeout|ConnectionAttempts|GSSAPIAuthentication|IdentitiesOnly|KbdInteractiveAuthentication|LogLevel|NumberOfPasswordPrompts|PasswordAuthentication|Port|PreferredAuthentications|PubkeyAuthentication|RequestTTY|ServerAliveCountMax|ServerAliveInterval|TCPKeepAlive|User|VisualHostKey)[=\\x20][A-Za-z0-9_][A-Za-z0-9_.,-]*|StrictHostKeyChecking[=\\x20](?:yes|accept-new|ask)|(?:ForwardAgent|ForwardX11|ControlMaster)[=\\x20]no|Control(?:Path|Persist)[=\\x20](?:none|no)/", Operands: "sshhost remote", Style: "strict", Why: "options, a host of the inventory or the policy, then the command, written out, without -J: ssh -o BatchMode=yes -o ConnectTimeout=5 HOST 'df -h'"}
	rule752 = Rule{Do: "observe", Options: "-l -v -E=md5|sha256 -f=file -F=lit", Why: "it only shows the fingerprint of a public key: ssh-keygen -l -f FILE.pub", Requires: "-l|-F"}
	rule753 = Rule{Do: "observe", Options: "-4 -6 -c -H -p=lit -q -T=lit -t=lit -v", Operands: "host+", Why: "hosts are written out: ssh-keyscan -t ed25519 HOST"}
	rule754 = Rule{Do: "observe", Options: "-t -T -G -C=any -V", Requires: "-t|-T|-G|-V"}
	rule755 = Rule{Do: "observe", Options: "-c/--format=any --printf=any -f -L -t", Operands: "meta*", Loose: true}
	rule756 = Rule{Do: "observe", Options: "-i/--input=any -o/--output=any -e/--error=any", Operands: "inner", Style: "strict"}
	rule757 = Rule{Do: "observe", Options: "-a/--all -f/--print-file-name -n/--bytes=/[0-9]+/ -t/--radix=d|o|x -e/--encoding=s|S|b|l|B|L -o -w/--include-all-whitespace -#", Operands: "file*", Why: "the system's own programs and libraries, or a pipe: strings /usr/sbin/nginx, head -c 1M FILE | strings"}
	rule758 = Rule{Do: "observe", Options: "-a/--all", Operands: "size|speed?"}
	rule759 = Rule{Do: "observe", Options: "-c/--command=shell", Operands: "/[a-z_][a-z0-9_-]*/?", Style: "gnu", Why: "without a login shell, which starts in another folder: su USER -c 'COMMAND', or sudo -u USER COMMAND", Requires: "-c|--command"}
	rule760 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any -n/--non-interactive -E/--preserve-env -H/--set-home -k/--reset-timestamp", Operands: "inner", Style: "strict", Why: "sudo COMMAND, sudo -n -u USER COMMAND"}
	rule761 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_][A-Za-z0-9_.:*-]*/*"}
	rule762 = Rule{Do: "observe", Options: "-#", Operands: "/[A-Za-z0-9_][A-Za-z0-9_.:-]*/ stdout|stderr?"}
	rule763 = Rule{Do: "observe", Options: "-#"}
	rule764 = Rule{Do: "restart", Operands: "svc+", Part: "last", Check: "unit"}
	rule765 = Rule{Do: "restart", Operands: "svc+", Part: "first", Check: "unit"}
	rule766 = Rule{Do: "unknown", Operands: "any*", Why: "restart the program that fails, by its name", Loose: true}
	rule767 = Rule{Do: "observe", Why: "it joins its words and splits them again: plain names only", Cwd: "settings", Commands: []Command{
		{"status", &rule761},
		{"pid", &rule761},
		{"avail", &rule761},
		{"version", &rule761},
		{"tail", &rule762},
		{"maintail", &rule763},
		{"restart", &rule743},
		{"start", &rule764},
		{"stop", &rule765},
		{"reread", &rule766},
		{"update", &rule766},
		{"reload", &rule766},
		{"shutdown", &rule766},
		{"clear", &rule766},
		{"signal", &rule766},
		{"add", &rule766},
		{"remove", &rule766},
		{"fg", &rule766},
	},
	}
	rule768 = Rule{Do: "restart", Options: "-w=any", Operands: "svc+", Check: "unit"}
	rule769 = Rule{Do: "change", Operands: "name+"}
	rule770 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule697},
		{"restart", &rule768},
		{"force-restart", &rule768},
		{"start", &rule764},
		{"up", &rule764},
		{"stop", &rule765},
		{"down", &rule765},
		{"reload", &rule769},
		{"hup", &rule769},
	},
	}
	rule771 = Rule{Do: "observe", Options: "-l/--list-sas -P/--list-pols -L/--list-conns -S/--stats", Requires: "-l|--list-sas|-P|--list-pols|-L|--list-conns|-S|--stats"}
	rule772 = Rule{Do: "observe", Options: "-s/--summary --show[=any] --noheadings --raw --bytes -V/--version -h/--help", Why: "swap space is only shown: swapon --show", Requires: "-s|--summary|--show|-V|-h"}
	rule773 = Rule{Do: "observe", Options: "-a/--all/-A/-X -n/--values -N/--names -b/--binary -e/--ignore -r/--pattern=any -d --deprecated -h/--help -V/--version -q/--quiet -w/--write!forbidden -p/--load[=any]!forbidden --system!forbidden", Operands: "/[a-z0-9]+(?:[.\\/][A-Za-z0-9_*:@-]+)*/*", Why: "kernel settings are read only: sysctl NAME"}
	rule774 = Rule{Do: "observe", Options: "-p/--property/-P=/(?:(?:Id|Names|Description|Type|User|Group|(?:Load|Active|Sub|UnitFile|Freezer)State|UnitFilePreset|Result|Status(?:Text|Errno)|(?:Fragment|Source)Path|DropInPaths|(?:Main|Control|ExecMain)PID|NRestarts|Exec(?:Main(?:Code|Status)|Start|Stop|Reload|Condition)(?:Pre|Post)?|Restart(?:Steps|Mode)?|[A-Za-z]+Timestamp(?:Monotonic)?|[A-Za-z]+U?Sec|(?:Memory|CPU|Tasks|IO|IP|Limit|OOM|StartLimit|Effective|Next|Last)[A-Za-z0-9]*|Slice|ControlGroup|(?:Working|Root)Directory|Requires|Requisite|Wants|BindsTo|PartOf|Conflicts|Before|After|(?:Required|Wanted|Bound|Triggered)By|Triggers|Unit|Timers(?:Monotonic|Calendar)|Nice|Kill(?:Mode|Signal)|(?:Condition|Assert)Result|NeedDaemonReload|Can(?:Start|Stop|Reload)|Job|InvocationID|Transient|Standard(?:Output|Error)),?)+/", Operands: "any*", Why: "all properties include the environment, and that holds secrets; name those you want, of state, times, limits and Exec…: systemctl show -p ActiveState,NRestarts,Result UNIT", Requires: "-p|--property|-P"}
	rule775 = Rule{Do: "unknown", Operands: "any*", Why: "units hold environments, and those hold secrets; systemctl show -p ExecStart,Restart,FragmentPath,LimitNOFILE UNIT", Loose: true}
	rule776 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Check: "unit"}
	rule777 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "first", Check: "unit"}
	rule778 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "last", Check: "unit"}
	rule779 = Rule{Do: "change", Operands: "lit+", Check: "unit"}
	rule780 = Rule{Do: "change", Operands: "lit*", Check: "unit"}
	rule781 = Rule{Do: "unknown", Operands: "any*", Why: "what starts at boot, and how, is for people; restart the service, or say in the handoff what should be changed", Loose: true}
	rule782 = Rule{Do: "forbidden", Operands: "any*", Why: "the environment of the services holds secrets", Loose: true}
	rule783 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-t/--type=any --state=any -a/--all --reverse --after --before -l/--full --show-types -q/--quiet --no-legend!names --legend=any --no-pager --plain --with-dependencies --system --user -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --timestamp=any --no-ask-password --failed --value --wait --no-warn", Style: "gnu", Why: "name units literally; another host, machine or root (-H, -M, --root) is not granted", Stdin: "none", Bare: true, Commands: []Command{
		{"list-units", &rule136},
		{"list-timers", &rule136},
		{"list-sockets", &rule136},
		{"list-paths", &rule136},
		{"list-automounts", &rule136},
		{"list-unit-files", &rule136},
		{"list-jobs", &rule136},
		{"list-dependencies", &rule136},
		{"status", &rule136},
		{"is-active", &rule136},
		{"is-failed", &rule136},
		{"is-enabled", &rule136},
		{"is-system-running", &rule136},
		{"get-default", &rule136},
		{"whoami", &rule136},
		{"show", &rule774},
		{"cat", &rule775},
		{"restart", &rule776},
		{"try-restart", &rule776},
		{"condrestart", &rule776},
		{"reload-or-restart", &rule776},
		{"try-reload-or-restart", &rule776},
		{"reload-or-try-restart", &rule776},
		{"force-reload", &rule776},
		{"stop", &rule777},
		{"start", &rule778},
		{"reload", &rule779},
		{"reset-failed", &rule780},
		{"daemon-reload", &rule17},
		{"enable", &rule781},
		{"disable", &rule781},
		{"reenable", &rule781},
		{"preset", &rule781},
		{"preset-all", &rule781},
		{"mask", &rule781},
		{"unmask", &rule781},
		{"link", &rule781},
		{"revert", &rule781},
		{"add-wants", &rule781},
		{"add-requires", &rule781},
		{"edit", &rule781},
		{"set-default", &rule781},
		{"set-property", &rule781},
		{"kill", &rule781},
		{"clean", &rule781},
		{"freeze", &rule781},
		{"thaw", &rule781},
		{"bind", &rule781},
		{"mount-image", &rule781},
		{"cancel", &rule781},
		{"service-log-level", &rule781},
		{"service-log-target", &rule781},
		{"log-level", &rule781},
		{"log-target", &rule781},
		{"service-watchdogs", &rule781},
		{"daemon-reexec", &rule781},
		{"soft-reboot", &rule781},
		{"isolate", &rule427},
		{"default", &rule427},
		{"rescue", &rule427},
		{"emergency", &rule427},
		{"halt", &rule427},
		{"poweroff", &rule427},
		{"reboot", &rule427},
		{"kexec", &rule427},
		{"suspend", &rule427},
		{"hibernate", &rule427},
		{"hybrid-sleep", &rule427},
		{"suspend-then-hibernate", &rule427},
		{"sleep", &rule427},
		{"exit", &rule427},
		{"switch-root", &rule427},
		{"show-environment", &rule782},
		{"set-environment", &rule782},
		{"unset-environment", &rule782},
		{"import-environment", &rule782},
	},
	}
	rule784 = Rule{Do: "unknown", Operands: "any*", Why: "it runs man with what the unit says; systemctl status UNIT and journalctl -u UNIT say why one does not start", Loose: true}
	rule785 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --system --user --order --require --from-pattern=any --to-pattern=any --fuzz=any --iterations=any --base-time=any --json=any --tldr", Stdin: "none", Bare: true, Commands: []Command{
		{"verify", &rule784},
		{"time", &rule136},
		{"blame", &rule136},
		{"unit-paths", &rule136},
		{"exit-status", &rule136},
		{"capability", &rule136},
		{"syscall-filter", &rule136},
		{"filesystems", &rule136},
		{"critical-chain", &rule136},
		{"plot", &rule136},
		{"dot", &rule136},
		{"security", &rule136},
		{"calendar", &rule136},
		{"timespan", &rule136},
		{"timestamp", &rule136},
	},
	}
	rule786 = Rule{Do: "observe", Options: "--no-pager -a/--all -l/--full -k -c -x/--xattr[=any] --cgroup-id[=any] -u/--unit=any --user-unit=any --help --version", Operands: "any*"}
	rule787 = Rule{Do: "observe", Options: "-p -t -c -m -i -b/--batch -r/--raw -n/--iterations=any -1 -d/--delay=any --cpu[=any] -P -k --recursive=any --depth=any --order=any --help --version", Operands: "any?"}
	rule788 = Rule{Do: "observe", Options: "--no-pager -t/--type=any --diff=no|false|0", Operands: "any*", Why: "with --diff=no: what units say holds environments", Requires: "--diff"}
	rule789 = Rule{Do: "observe", Options: "--status --statistics --no-pager --flush-caches!change --legend=any -4 -6", Requires: "--status|--statistics|--flush-caches"}
	rule790 = Rule{Do: "observe", Options: "--json --active --peers[=any] --self[=any] -4 -6", Operands: "lit?"}
	rule791 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule790},
		{"ip", &rule790},
		{"version", &rule790},
		{"netcheck", &rule790},
	},
	}
	rule792 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.:@-]+/*"}
	rule793 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule792},
		{"sh", &rule792},
		{"s", &rule792},
		{"list", &rule792},
		{"ls", &rule792},
		{"l", &rule792},
		{"lst", &rule792},
		{"add", &rule40},
		{"a", &rule40},
		{"change", &rule40},
		{"c", &rule40},
		{"replace", &rule40},
		{"delete", &rule40},
		{"del", &rule40},
		{"d", &rule40},
		{"link", &rule40},
		{"flush", &rule40},
		{"get", &rule40},
	},
	}
	rule794 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -g/-graph -i/-iec -r/-raw -j/-json -n/-netns=/[A-Za-z0-9_.-]+/ -c[=any] -color[=any] -nm -o/-oneline -t/-timestamp -V/-Version", Style: "word", Commands: []Command{
		{"qdisc", &rule793},
		{"q", &rule793},
		{"qd", &rule793},
		{"class", &rule793},
		{"filter", &rule793},
		{"action", &rule793},
		{"chain", &rule793},
	},
	}
	rule795 = Rule{Do: "observe", Options: "-4 -6 -A/--as-path-lookups -d/--debug -e/--extensions -F/--dont-fragment -f/--first=lit -I/--icmp -i/--interface=lit -m/--max-hops=lit -N/--sim-queries=lit -n -p/--port=lit -q/--queries=lit -r -s/--source=lit -T/--tcp -t/--tos=lit -U/--udp -V/--version -w/--wait=lit -z/--sendwait=lit --back --mtu --sport=lit", Operands: "host lit?", Why: "a host that is written out: traceroute -n HOST"}
	rule796 = Rule{Do: "observe", Options: "-a/--append -i/--ignore-interrupts -p --output-error[=any]", Operands: "out*"}
	rule797 = Rule{Do: "observe", Options: "-json", Style: "flag"}
	rule798 = Rule{Do: "forbidden", Operands: "any*", Why: "infrastructure is not changed by an agent; hand it to a human", Loose: true}
	rule799 = Rule{Do: "observe", Options: "-version -v -help", Style: "flag", Why: "only its version: states, plans and outputs hold passwords, and providers are programs", Requires: "-version|-v|-help", Commands: []Command{
		{"version", &rule797},
		{"apply", &rule798},
		{"destroy", &rule798},
		{"import", &rule798},
		{"taint", &rule798},
		{"untaint", &rule798},
		{"force-unlock", &rule798},
	},
	}
	rule800 = Rule{Do: "observe", Options: "-p/--portability -v/--verbose -f/--format=any -o/--output=out -a/--append -q/--quiet", Operands: "inner", Style: "strict"}
	rule801 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager -a/--all --value -p/--property/-P=any --no-ask-password --monitor", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"show", &rule16},
		{"timesync-status", &rule16},
		{"show-timesync", &rule16},
		{"list-timezones", &rule16},
		{"ntp-servers", &rule16},
	},
	}
	rule802 = Rule{Do: "observe", Options: "-s/--signal=any -k/--kill-after=any --foreground --preserve-status -v/--verbose --help --version", Operands: "/[0-9]*\\.?[0-9]+[smhd]?/ inner", Style: "strict"}
	rule803 = Rule{Do: "observe", Options: "-V", Commands: []Command{
		{"ls", &rule16},
		{"list-sessions", &rule16},
	},
	}
	rule804 = Rule{Do: "observe", Options: "-b/--batch-mode -c/--cmdline-toggle -d/--delay=any -E/--scale-summary-mem=any -e/--scale-task-mem=any -H/--threads-show -i/--idle-toggle -n/--iterations=any -O/--list-fields -o/--sort-override=any -p/--pid=any -S/--accum-time-toggle -s/--secure-mode -u/-U/--filter-any-user/--filter-only-euser=any -w/--width[=any] -1/--single-cpu-toggle -v/-V/--version -h/--help", Operands: "/[0-9]+/?", Why: "nobody sits at the keyboard: top -b -n 1", Requires: "-b|--batch-mode|-v|--version|-h"}
	rule805 = Rule{Do: "observe", Options: "-a -c/--no-create -m -d/--date=date -t=/[0-9.]+/ -r/--reference=meta", Operands: "out+"}
	rule806 = Rule{Do: "observe", Operands: "cols|lines|colors|sgr0|bold|longname|setaf /[0-9]+/?"}
	rule807 = Rule{Do: "observe", Options: "-4 -6 -b -l=lit -m=lit -n -p=lit -V", Operands: "host"}
	rule808 = Rule{Do: "observe", Options: "--ping"}
	rule809 = Rule{Do: "observe", Cwd: "settings", Commands: []Command{
		{"version", &rule16},
		{"healthcheck", &rule808},
	},
	}
	rule810 = Rule{Do: "observe", Options: "-a -d -f -l -x -L=/[0-9]+/!apart -P=any!apart -I=any!apart --prune --filelimit=any --du -h -s -p -u -g -D --timefmt=any -F -i -q -N -n -C --noreport --dirsfirst --sort=any -r -t -c -v -U -J -X --inodes --device --matchdirs --ignore-case --si --charset=any --version --help", Operands: "meta*", Style: "gnu"}
	rule811 = Rule{Do: "change", Options: "-s/--size=size -c/--no-create", Operands: "any+", Check: "truncate"}
	rule812 = Rule{Do: "observe", Options: "-s/--silent/--quiet"}
	rule813 = Rule{Do: "observe", Options: "-l", Operands: "disk", Why: "settings of a file system are only shown: tune2fs -l DEVICE", Requires: "-l"}
	rule814 = Rule{Do: "observe", Options: "-q/--query=any -n/--name=meta -p/--path=any -a/--attribute-walk -x/--export -r/--root -e/--export-db", Operands: "meta*"}
	rule815 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule814},
	},
	}
	rule816 = Rule{Do: "observe", Operands: "verbose|numbered?"}
	rule817 = Rule{Do: "observe", Operands: "raw|builtins|before-rules|user-rules|after-rules|logging-rules|listening|added"}
	rule818 = Rule{Commands: []Command{
		{"list", &rule16},
	},
	}
	rule819 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule816},
		{"show", &rule817},
		{"version", &rule16},
		{"app", &rule818},
		{"allow", &rule40},
		{"deny", &rule40},
		{"reject", &rule40},
		{"limit", &rule40},
		{"delete", &rule40},
		{"insert", &rule40},
		{"prepend", &rule40},
		{"route", &rule40},
		{"enable", &rule40},
		{"disable", &rule40},
		{"reload", &rule40},
		{"reset", &rule40},
		{"default", &rule40},
		{"logging", &rule40},
	},
	}
	rule820 = Rule{Do: "observe", Options: "-a -s -n -r -v -m -p -i -o", Loose: true}
	rule821 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"stats_noreset", &rule16},
		{"list_forwards", &rule16},
		{"list_stubs", &rule16},
	},
	}
	rule822 = Rule{Do: "observe", Options: "-c/--count -d/--repeated -D --all-repeated[=any] -f/--skip-fields=any --group[=any] -i/--ignore-case -s/--skip-chars=any -u/--unique -z/--zero-terminated -w/--check-chars=any --help --version", Operands: "file? out?"}
	rule823 = Rule{Do: "change", Operands: "any+", Check: "rm"}
	rule824 = Rule{Do: "observe", Options: "-l -v -t -q -z", Operands: "file /[^-].*/*", Why: "archives are only listed, by options in front of the archive: unzip -l FILE", Requires: "-l|-v|-t|-z"}
	rule825 = Rule{Do: "observe", Options: "--display --list --query --get-selections", Operands: "lit?", Requires: "--display|--list|--query|--get-selections"}
	rule826 = Rule{Do: "observe", Options: "-p/--pretty -s/--since -r/--raw -V/--version -h/--help"}
	rule827 = Rule{Do: "observe", Operands: "file*"}
	rule828 = Rule{Do: "observe", Options: "-1 -j -f=any -n=lit -l", Requires: "-1|-j|-l"}
	rule829 = Rule{Do: "observe", Options: "-format=table|json|yaml -address=/https?:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):8200/", Style: "flag"}
	rule830 = Rule{Do: "forbidden", Operands: "any*", Why: "what it keeps are secrets; only vault status is granted", Loose: true}
	rule831 = Rule{Do: "observe", Why: "only vault status is granted; what it keeps are secrets", Commands: []Command{
		{"status", &rule829},
		{"version", &rule16},
		{"read", &rule830},
		{"list", &rule830},
		{"kv", &rule830},
		{"token", &rule830},
		{"login", &rule830},
		{"print", &rule830},
		{"unwrap", &rule830},
		{"write", &rule830},
		{"secrets", &rule830},
		{"lease", &rule830},
		{"ssh", &rule830},
		{"pki", &rule830},
		{"transit", &rule830},
		{"agent", &rule830},
		{"proxy", &rule830},
		{"debug", &rule830},
		{"monitor", &rule830},
	},
	}
	rule832 = Rule{Commands: []Command{
		{"get", &rule29},
	},
	}
	rule833 = Rule{Commands: []Command{
		{"backups", &rule29},
		{"schedules", &rule29},
		{"restores", &rule29},
	},
	}
	rule834 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Commands: []Command{
		{"backup", &rule832},
		{"get", &rule833},
		{"schedule", &rule832},
		{"restore", &rule832},
		{"version", &rule29},
	},
	}
	rule835 = Rule{Do: "observe", Options: "--all --inactive --name --state-running --title --autostart"}
	rule836 = Rule{Do: "observe", Options: "--all --reason", Operands: "/[A-Za-z0-9_.:-]+/*"}
	rule837 = Rule{Do: "observe", Options: "-r/--readonly -q/--quiet", Commands: []Command{
		{"list", &rule835},
		{"dominfo", &rule836},
		{"domstate", &rule836},
		{"domstats", &rule836},
		{"domblklist", &rule836},
		{"domiflist", &rule836},
		{"domifstat", &rule836},
		{"domblkstat", &rule836},
		{"nodeinfo", &rule836},
		{"pool-list", &rule836},
		{"pool-info", &rule836},
		{"net-list", &rule836},
		{"net-info", &rule836},
		{"vcpuinfo", &rule836},
		{"version", &rule836},
		{"hostname", &rule836},
		{"uptime", &rule836},
	},
	}
	rule838 = Rule{Do: "observe", Options: "-a/--active -f/--forks -m/--slabs -n/--one-header -s/--stats -d/--disk -D/--disk-sum -p/--partition=any -S/--unit=any -w/--wide -t/--timestamp -y/--no-first -h/--help -V/--version", Operands: "/[0-9]+/*"}
	rule839 = Rule{Do: "observe", Options: "-c=/show\\x20(?:ip|ipv6|bgp|interface|version|memory|thread|zebra|daemons|bfd|isis|mpls|vrf|evpn|route-map)(?:\\x20[A-Za-z0-9.:\\/-]+)*/", Requires: "-c"}
	rule840 = Rule{Do: "observe", Options: "-h/--no-header -u/--no-current -s/--short -f/--from -o/--old-style -i/--ip-addr -p/--pids", Operands: "any?"}
	rule841 = Rule{Do: "observe", Options: "--detail --pretty --json"}
	rule842 = Rule{Do: "observe", Options: "--version", Commands: []Command{
		{"backup-list", &rule841},
	},
	}
	rule843 = Rule{Do: "observe", Options: "-b/--beep -c/--color -C/--no-color -d/--differences[=any] -e/--errexit -g/--chgexit -q/--equexit=any -n/--interval=any -p/--precise -t/--no-title -w/--no-wrap -r/--no-rerun", Operands: "remote", Style: "strict", Check: "loop"}
	rule844 = Rule{Do: "observe", Options: "-c/--bytes -m/--chars -l/--lines -w/--words -L/--max-line-length --total=any --help --version", Operands: "file*", Style: "gnu", Globs: true}
	rule845 = Rule{Do: "observe", Operands: "/[a-z0-9_-]*[0-9_-][a-z0-9_-]*|all/? latest-handshakes|transfer|endpoints|peers|listen-port|allowed-ips|persistent-keepalive?", Why: "wg show INTERFACE, or latest-handshakes, transfer, endpoints of it: the keys are secrets"}
	rule846 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule845},
		{"showconf", &rule471},
		{"genkey", &rule471},
		{"genpsk", &rule471},
		{"pubkey", &rule471},
		{"set", &rule471},
		{"setconf", &rule471},
		{"addconf", &rule471},
		{"syncconf", &rule471},
	},
	}
	rule847 = Rule{Do: "observe", Options: "-q/--quiet -v/--verbose -n=v --no-verbose -S/--server-response --spider -O/--output-document=out -T/--timeout=lit --dns-timeout=lit --connect-timeout=lit --read-timeout=lit -t/--tries=lit --waitretry=lit --retry-connrefused --retry-on-http-error=lit --max-redirect=lit --limit-rate=lit -Q/--quota=lit --content-on-error --progress=lit --show-progress --report-speed=lit --no-check-certificate --ca-certificate=file --ca-directory=lit --crl-file=file --https-only --secure-protocol=lit --ciphers=lit -4/--inet4-only -6/--inet6-only --prefer-family=lit --bind-address=lit --no-dns-cache --no-proxy --no-netrc --no-config --no-cache --no-cookies --no-hsts --no-http-keep-alive --compression=lit --ignore-length --save-headers -U/--user-agent=/[^\\r\\n]*/ --method=GET|HEAD --header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id):[^\\r\\n]*/ -V/--version", Operands: "url*", Style: "gnu", Why: "without a file in the working folder and without sending anything, for example: wget -qO- http://127.0.0.1:8080/health; for a host that is not known add --max-redirect=0, or use curl", Requires: "-O|--output-document|--spider|-V|--version", Check: "http"}
	rule848 = Rule{Do: "observe", Options: "-b -m -s -u -l", Operands: "lit*"}
	rule849 = Rule{Do: "observe", Options: "-a -s", Operands: "any*", Loose: true}
	rule850 = Rule{Do: "observe", Options: "-a/--all -b/--boot -d/--dead -H/--heading --ips -l/--login --lookup -m -p/--process -q/--count -r/--runlevel -s/--short -t/--time -T/-w/--mesg/--message/--writable -u/--users --help --version", Operands: "file*"}
	rule851 = Rule{Do: "observe", Operands: "/[A-Za-z0-9][A-Za-z0-9:.-]*/", Why: "one name or address, without any option: whois NAME", Stdin: "none"}
	rule852 = Rule{Do: "observe", Options: "-x -c=/(?:report|df|free|state|quota)(?:\\x20-[abdghinprtuU]+)*/", Operands: "disk?", Requires: "-c"}
	rule853 = Rule{Do: "unknown", Operands: "any*", Why: "it fetches what a document names; use cat, grep, sed -n", Loose: true}
	rule854 = Rule{Do: "observe", Options: "-a -b -c=/[0-9]+/ -E -e -g=/[0-9]+/ -i -l/-len=/[0-9]+/ -p/-ps -r -s=/[0-9]+/ -u -v", Operands: "none", Style: "word", Why: "from its input, since what stands behind a file is written: head -c 256 FILE | xxd", Stdin: "data"}
	rule855 = Rule{Do: "observe", Options: "-q -s -c -u -i -w -b -B -a", Operands: "file file"}
	rule856 = Rule{Do: "observe", Options: "-H -p -r -d=any -o=any -s=any -S=any -t=any -n -i -j -F", Operands: "any*"}
	rule857 = Rule{Do: "forbidden", Operands: "any*", Why: "pools hold the services' data; ask a person", Loose: true}
	rule858 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule856},
		{"get", &rule856},
		{"userspace", &rule856},
		{"groupspace", &rule856},
		{"holds", &rule856},
		{"diff", &rule856},
		{"version", &rule856},
		{"destroy", &rule857},
		{"create", &rule857},
		{"rollback", &rule857},
		{"snapshot", &rule857},
		{"snap", &rule857},
		{"clone", &rule857},
		{"promote", &rule857},
		{"rename", &rule857},
		{"set", &rule857},
		{"inherit", &rule857},
		{"mount", &rule857},
		{"unmount", &rule857},
		{"umount", &rule857},
		{"share", &rule857},
		{"unshare", &rule857},
		{"send", &rule857},
		{"receive", &rule857},
		{"recv", &rule857},
		{"release", &rule857},
		{"hold", &rule857},
		{"allow", &rule857},
		{"unallow", &rule857},
		{"upgrade", &rule857},
		{"load-key", &rule857},
		{"unload-key", &rule857},
		{"change-key", &rule857},
		{"bookmark", &rule857},
		{"program", &rule857},
	},
	}
	rule859 = Rule{Do: "observe", Options: "-1 -2 -s -m -l -v -h -t -T -z", Operands: "file /[^-].*/*"}
	rule860 = Rule{Do: "observe", Options: "-v -x -L -P -D -g -H -p -o=any -T=any -y -l -q -w -r -n -i -s -t -e -j --json", Operands: "any*"}
	rule861 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule860},
		{"list", &rule860},
		{"iostat", &rule860},
		{"get", &rule860},
		{"history", &rule860},
		{"events", &rule860},
		{"version", &rule860},
		{"destroy", &rule857},
		{"create", &rule857},
		{"add", &rule857},
		{"remove", &rule857},
		{"attach", &rule857},
		{"detach", &rule857},
		{"replace", &rule857},
		{"offline", &rule857},
		{"online", &rule857},
		{"import", &rule857},
		{"export", &rule857},
		{"clear", &rule857},
		{"scrub", &rule857},
		{"trim", &rule857},
		{"initialize", &rule857},
		{"labelclear", &rule857},
		{"upgrade", &rule857},
		{"split", &rule857},
		{"reguid", &rule857},
		{"reopen", &rule857},
		{"set", &rule857},
		{"checkpoint", &rule857},
		{"resilver", &rule857},
		{"sync", &rule857},
	},
	}
)

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
		{"ceph", &rule104},
		{"certbot", &rule107},
		{"cfdisk", &rule50},
		{"cgclassify", &rule4},
		{"cgcreate", &rule108},
		{"cgdisk", &rule50},
		{"cgexec", &rule108},
		{"cgset", &rule108},
		{"chage", &rule7},
		{"chattr", &rule3},
		{"chcon", &rule3},
		{"chfn", &rule7},
		{"chgrp", &rule109},
		{"chmod", &rule110},
		{"choom", &rule108},
		{"chown", &rule109},
		{"chpasswd", &rule7},
		{"chpst", &rule4},
		{"chronic", &rule111},
		{"chronyc", &rule114},
		{"chroot", &rule4},
		{"chrt", &rule115},
		{"chsh", &rule7},
		{"cilium", &rule117},
		{"cksum", &rule48},
		{"claude", &rule118},
		{"claude-hooks", &rule118},
		{"claudeops", &rule140},
		{"claudeops-hook", &rule118},
		{"clear", &rule32},
		{"cloud-init", &rule143},
		{"clusterdb", &rule144},
		{"cmake", &rule84},
		{"cmp", &rule145},
		{"codex", &rule118},
		{"colordiff", &rule146},
		{"column", &rule147},
		{"comm", &rule148},
		{"composer", &rule84},
		{"conda", &rule84},
		{"conntrack", &rule149},
		{"consul", &rule155},
		{"containerd", &rule83},
		{"coredumpctl", &rule158},
		{"cp", &rule159},
		{"cpio", &rule0},
		{"cpulimit", &rule108},
		{"crash", &rule65},
		{"createdb", &rule144},
		{"createuser", &rule144},
		{"crictl", &rule169},
		{"crm_mon", &rule170},
		{"cron", &rule11},
		{"crond", &rule11},
		{"crontab", &rule171},
		{"crun", &rule83},
		{"cryptsetup", &rule173},
		{"cset", &rule108},
		{"csplit", &rule1},
		{"ctr", &rule181},
		{"curl", &rule182},
		{"cut", &rule183},
		{"daemon", &rule4},
		{"daemonize", &rule4},
		{"dash", &rule55},
		{"date", &rule184},
		{"dbus-run-session", &rule4},
		{"dbus-send", &rule185},
		{"dc", &rule186},
		{"dd", &rule0},
		{"debsums", &rule187},
		{"debugfs", &rule65},
		{"delgroup", &rule7},
		{"deluser", &rule7},
		{"delv", &rule188},
		{"depmod", &rule189},
		{"df", &rule190},
		{"dhclient", &rule40},
		{"dhcpcd", &rule40},
		{"dialog", &rule1},
		{"diff", &rule146},
		{"dig", &rule191},
		{"dir", &rule192},
		{"dirname", &rule54},
		{"dmesg", &rule193},
		{"dmidecode", &rule194},
		{"dmraid", &rule50},
		{"dmsetup", &rule196},
		{"dnf", &rule201},
		{"dnsdomainname", &rule32},
		{"dnsmasq", &rule202},
		{"do-release-upgrade", &rule6},
		{"doas", &rule203},
		{"docker", &rule305},
		{"docker-buildx", &rule306},
		{"docker-compose", &rule304},
		{"dockerd", &rule83},
		{"doctl", &rule47},
		{"doveadm", &rule309},
		{"doveconf", &rule310},
		{"dovecot", &rule310},
		{"dpkg", &rule311},
		{"dpkg-query", &rule312},
		{"drbdadm", &rule314},
		{"drill", &rule315},
		{"dropdb", &rule316},
		{"dropuser", &rule316},
		{"dselect", &rule6},
		{"dstat", &rule317},
		{"dtrace", &rule65},
		{"du", &rule318},
		{"duf", &rule319},
		{"dumb-init", &rule4},
		{"dumpe2fs", &rule320},
		{"duplicity", &rule49},
		{"dust", &rule319},
		{"e2fsck", &rule50},
		{"e2label", &rule50},
		{"ebtables", &rule40},
		{"ed", &rule1},
		{"egrep", &rule321},
		{"eject", &rule50},
		{"emacs", &rule1},
		{"entr", &rule1},
		{"ethtool", &rule322},
		{"ex", &rule1},
		{"exim", &rule323},
		{"exim4", &rule323},
		{"exiqsumm", &rule324},
		{"expand", &rule325},
		{"expect", &rule1},
		{"exportfs", &rule326},
		{"expr", &rule54},
		{"factor", &rule91},
		{"fail2ban-client", &rule327},
		{"faillock", &rule7},
		{"fakeroot", &rule4},
		{"faketime", &rule4},
		{"fallocate", &rule0},
		{"fdisk", &rule328},
		{"fgrep", &rule321},
		{"file", &rule329},
		{"findmnt", &rule330},
		{"firejail", &rule4},
		{"firewall-cmd", &rule331},
		{"firewalld", &rule40},
		{"flatpak", &rule84},
		{"flock", &rule4},
		{"flux", &rule337},
		{"fmt", &rule338},
		{"fold", &rule338},
		{"fping", &rule339},
		{"fping6", &rule339},
		{"free", &rule340},
		{"fsck", &rule50},
		{"fsck.ext4", &rule50},
		{"fsck.xfs", &rule50},
		{"fsfreeze", &rule50},
		{"fstrim", &rule50},
		{"fuser", &rule341},
		{"fusermount", &rule50},
		{"fusermount3", &rule50},
		{"fzf", &rule1},
		{"gawk", &rule46},
		{"gcc", &rule306},
		{"gcloud", &rule47},
		{"gcore", &rule65},
		{"gdb", &rule65},
		{"gdbus", &rule185},
		{"gdisk", &rule50},
		{"gdu", &rule319},
		{"gem", &rule84},
		{"gemini", &rule118},
		{"getcap", &rule342},
		{"getconf", &rule91},
		{"getenforce", &rule5},
		{"getent", &rule345},
		{"getfacl", &rule346},
		{"getsebool", &rule347},
		{"gh", &rule369},
		{"git", &rule413},
		{"glab", &rule414},
		{"glances", &rule41},
		{"gluster", &rule418},
		{"gosu", &rule4},
		{"gpasswd", &rule7},
		{"gradle", &rule84},
		{"grep", &rule321},
		{"groupadd", &rule7},
		{"groupdel", &rule7},
		{"groupmod", &rule7},
		{"groups", &rule419},
		{"growpart", &rule50},
		{"grpck", &rule7},
		{"gsed", &rule420},
		{"gtar", &rule70},
		{"gunzip", &rule421},
		{"gzcat", &rule88},
		{"gzip", &rule421},
		{"ha-manager", &rule422},
		{"halt", &rule423},
		{"haproxy", &rule424},
		{"hcloud", &rule47},
		{"hd", &rule425},
		{"hdparm", &rule426},
		{"head", &rule427},
		{"helm", &rule447},
		{"hexdump", &rule425},
		{"host", &rule448},
		{"hostid", &rule32},
		{"hostname", &rule449},
		{"hostnamectl", &rule451},
		{"hping3", &rule39},
		{"hpssacli", &rule452},
		{"htop", &rule41},
		{"httpd", &rule19},
		{"hub", &rule414},
		{"hwclock", &rule453},
		{"i386", &rule4},
		{"iconv", &rule454},
		{"id", &rule419},
		{"ifconfig", &rule455},
		{"ifdown", &rule40},
		{"ifenslave", &rule40},
		{"iftop", &rule41},
		{"ifup", &rule40},
		{"incus", &rule458},
		{"influx", &rule459},
		{"info", &rule1},
		{"init", &rule423},
		{"initdb", &rule144},
		{"insmod", &rule189},
		{"install", &rule0},
		{"invoke-rc.d", &rule460},
		{"ionice", &rule461},
		{"iostat", &rule462},
		{"iotop", &rule463},
		{"ip", &rule471},
		{"ip6tables", &rule472},
		{"ip6tables-legacy", &rule472},
		{"ip6tables-nft", &rule472},
		{"ip6tables-nft-save", &rule473},
		{"ip6tables-restore", &rule40},
		{"ip6tables-save", &rule473},
		{"ipcs", &rule474},
		{"ipmitool", &rule479},
		{"ipsec", &rule480},
		{"ipset", &rule482},
		{"iptables", &rule472},
		{"iptables-apply", &rule40},
		{"iptables-legacy", &rule472},
		{"iptables-legacy-save", &rule473},
		{"iptables-nft", &rule472},
		{"iptables-nft-save", &rule473},
		{"iptables-restore", &rule40},
		{"iptables-save", &rule473},
		{"iptraf", &rule41},
		{"iptraf-ng", &rule41},
		{"ipvsadm", &rule483},
		{"iscsiadm", &rule484},
		{"istioctl", &rule487},
		{"java", &rule488},
		{"jcmd", &rule489},
		{"jdb", &rule65},
		{"jinfo", &rule65},
		{"jmap", &rule65},
		{"joe", &rule1},
		{"join", &rule490},
		{"journalctl", &rule491},
		{"jps", &rule492},
		{"jq", &rule493},
		{"jstack", &rule494},
		{"jstat", &rule495},
		{"k3s", &rule533},
		{"kafka-consumer-groups", &rule534},
		{"kafka-consumer-groups.sh", &rule534},
		{"kafka-topics", &rule535},
		{"kafka-topics.sh", &rule535},
		{"kexec", &rule423},
		{"keydb-cli", &rule536},
		{"kill", &rule537},
		{"killall", &rule538},
		{"killall5", &rule539},
		{"kmod", &rule189},
		{"kpartx", &rule50},
		{"kubeadm", &rule541},
		{"kubectl", &rule532},
		{"last", &rule542},
		{"lastb", &rule7},
		{"lastlog", &rule543},
		{"ld.so", &rule4},
		{"ldconfig", &rule544},
		{"ldd", &rule545},
		{"less", &rule546},
		{"link", &rule0},
		{"linux32", &rule4},
		{"linux64", &rule4},
		{"lldb", &rule65},
		{"lldpctl", &rule547},
		{"ln", &rule0},
		{"locale", &rule91},
		{"localectl", &rule548},
		{"locate", &rule549},
		{"loginctl", &rule550},
		{"logname", &rule32},
		{"logrotate", &rule551},
		{"logsave", &rule4},
		{"losetup", &rule50},
		{"ls", &rule192},
		{"lsattr", &rule552},
		{"lsb_release", &rule553},
		{"lsblk", &rule554},
		{"lscpu", &rule555},
		{"lsfd", &rule474},
		{"lshw", &rule556},
		{"lsipc", &rule474},
		{"lsirqs", &rule557},
		{"lslocks", &rule474},
		{"lslogins", &rule558},
		{"lsmem", &rule559},
		{"lsmod", &rule16},
		{"lsns", &rule474},
		{"lsof", &rule560},
		{"lspci", &rule561},
		{"lsscsi", &rule562},
		{"lsusb", &rule563},
		{"ltrace", &rule65},
		{"lua", &rule1},
		{"lvchange", &rule564},
		{"lvconvert", &rule564},
		{"lvcreate", &rule564},
		{"lvdisplay", &rule565},
		{"lvextend", &rule564},
		{"lvm", &rule564},
		{"lvreduce", &rule564},
		{"lvremove", &rule564},
		{"lvrename", &rule564},
		{"lvresize", &rule564},
		{"lvs", &rule565},
		{"lvscan", &rule564},
		{"lxc", &rule458},
		{"lxc-attach", &rule83},
		{"lxc-exec", &rule83},
		{"lz4", &rule566},
		{"lz4cat", &rule88},
		{"lzcat", &rule88},
		{"lzma", &rule85},
		{"m4", &rule1},
		{"machinectl", &rule568},
		{"mail", &rule569},
		{"mailq", &rule570},
		{"mailx", &rule569},
		{"make", &rule306},
		{"man", &rule1},
		{"mariabackup", &rule49},
		{"mariadb", &rule571},
		{"mariadb-admin", &rule575},
		{"mariadb-check", &rule576},
		{"mariadb-dump", &rule576},
		{"mariadb-dumpslow", &rule577},
		{"mariadb-show", &rule578},
		{"mawk", &rule46},
		{"mc", &rule1},
		{"md5sum", &rule48},
		{"mdadm", &rule579},
		{"microdnf", &rule201},
		{"microk8s", &rule533},
		{"mkdir", &rule580},
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
		{"mktemp", &rule581},
		{"mlocate", &rule549},
		{"mmv", &rule0},
		{"modinfo", &rule582},
		{"modprobe", &rule189},
		{"mongo", &rule583},
		{"mongosh", &rule583},
		{"mongostat", &rule584},
		{"mongotop", &rule584},
		{"more", &rule546},
		{"mosh", &rule45},
		{"most", &rule56},
		{"mount", &rule585},
		{"mount.nfs", &rule50},
		{"mountpoint", &rule586},
		{"mountstats", &rule587},
		{"mpstat", &rule588},
		{"msmtp", &rule569},
		{"mtr", &rule589},
		{"multipath", &rule590},
		{"mutt", &rule569},
		{"mv", &rule591},
		{"mvn", &rule84},
		{"mysql", &rule571},
		{"mysqladmin", &rule575},
		{"mysqlbinlog", &rule576},
		{"mysqlcheck", &rule576},
		{"mysqldump", &rule576},
		{"mysqldumpslow", &rule577},
		{"mysqlimport", &rule576},
		{"mysqlpump", &rule576},
		{"mysqlshow", &rule578},
		{"named-checkconf", &rule592},
		{"namei", &rule593},
		{"nano", &rule1},
		{"nats", &rule594},
		{"nawk", &rule46},
		{"nc", &rule595},
		{"nc.openbsd", &rule595},
		{"nc.traditional", &rule595},
		{"ncal", &rule91},
		{"ncat", &rule595},
		{"ncdu", &rule319},
		{"needrestart", &rule596},
		{"nerdctl", &rule305},
		{"netcat", &rule595},
		{"nethogs", &rule41},
		{"netplan", &rule598},
		{"netstat", &rule599},
		{"networkctl", &rule600},
		{"newgrp", &rule7},
		{"newusers", &rule7},
		{"nfsiostat", &rule587},
		{"nfsstat", &rule587},
		{"nft", &rule602},
		{"nginx", &rule12},
		{"nice", &rule603},
		{"nl", &rule604},
		{"nmap", &rule39},
		{"nmcli", &rule612},
		{"nmon", &rule41},
		{"node", &rule488},
		{"nodejs", &rule488},
		{"nodetool", &rule613},
		{"nohup", &rule111},
		{"nomad", &rule619},
		{"npm", &rule306},
		{"nproc", &rule620},
		{"npx", &rule84},
		{"nsenter", &rule621},
		{"nslookup", &rule622},
		{"nstat", &rule623},
		{"ntfsfix", &rule50},
		{"ntpq", &rule624},
		{"ntpstat", &rule16},
		{"numactl", &rule625},
		{"numastat", &rule557},
		{"numfmt", &rule54},
		{"nvidia-smi", &rule627},
		{"nvme", &rule630},
		{"oci", &rule47},
		{"od", &rule631},
		{"openresty", &rule12},
		{"openssl", &rule644},
		{"pacman", &rule645},
		{"pam_tally2", &rule7},
		{"parallel", &rule1},
		{"parted", &rule646},
		{"partprobe", &rule50},
		{"partx", &rule50},
		{"passwd", &rule7},
		{"paste", &rule647},
		{"patch", &rule0},
		{"patronictl", &rule651},
		{"pcs", &rule656},
		{"pct", &rule658},
		{"perccli", &rule659},
		{"perccli64", &rule659},
		{"perf", &rule65},
		{"perl", &rule488},
		{"pflogsumm", &rule660},
		{"pg", &rule56},
		{"pg_archivecleanup", &rule316},
		{"pg_basebackup", &rule144},
		{"pg_config", &rule661},
		{"pg_controldata", &rule662},
		{"pg_createcluster", &rule144},
		{"pg_ctl", &rule663},
		{"pg_ctlcluster", &rule664},
		{"pg_dropcluster", &rule316},
		{"pg_dump", &rule144},
		{"pg_dumpall", &rule665},
		{"pg_isready", &rule666},
		{"pg_lsclusters", &rule667},
		{"pg_receivewal", &rule144},
		{"pg_resetwal", &rule316},
		{"pg_restore", &rule668},
		{"pg_rewind", &rule316},
		{"pgbackrest", &rule670},
		{"pgrep", &rule671},
		{"php", &rule488},
		{"php-fpm", &rule672},
		{"php-fpm7.4", &rule672},
		{"php-fpm8.0", &rule672},
		{"php-fpm8.1", &rule672},
		{"php-fpm8.2", &rule672},
		{"php-fpm8.3", &rule672},
		{"php-fpm8.4", &rule672},
		{"php-fpm8.5", &rule672},
		{"php-fpm83", &rule672},
		{"php-fpm84", &rule672},
		{"pico", &rule1},
		{"pidof", &rule673},
		{"pidstat", &rule674},
		{"pigz", &rule85},
		{"pihole", &rule675},
		{"ping", &rule676},
		{"ping4", &rule676},
		{"ping6", &rule676},
		{"pinky", &rule558},
		{"pip", &rule678},
		{"pip3", &rule678},
		{"pipx", &rule84},
		{"pkexec", &rule185},
		{"pkill", &rule679},
		{"plocate", &rule549},
		{"pm-hibernate", &rule423},
		{"pm-suspend", &rule423},
		{"pm2", &rule685},
		{"pmap", &rule686},
		{"pnpm", &rule84},
		{"podman", &rule305},
		{"podman-compose", &rule304},
		{"postconf", &rule687},
		{"postfix", &rule689},
		{"postqueue", &rule690},
		{"poweroff", &rule423},
		{"powertop", &rule41},
		{"pr", &rule94},
		{"prlimit", &rule691},
		{"promtool", &rule696},
		{"proot", &rule4},
		{"ps", &rule697},
		{"psql", &rule698},
		{"pstree", &rule699},
		{"pvchange", &rule564},
		{"pvcreate", &rule564},
		{"pvdisplay", &rule565},
		{"pvecm", &rule422},
		{"pvesm", &rule422},
		{"pveversion", &rule422},
		{"pvmove", &rule564},
		{"pvremove", &rule564},
		{"pvresize", &rule564},
		{"pvs", &rule565},
		{"pvscan", &rule564},
		{"pwck", &rule7},
		{"pwconv", &rule7},
		{"pwdx", &rule700},
		{"pwunconv", &rule7},
		{"py-spy", &rule65},
		{"python", &rule701},
		{"python3", &rule701},
		{"qm", &rule658},
		{"qshape", &rule29},
		{"quota", &rule702},
		{"rabbitmq-diagnostics", &rule705},
		{"rabbitmqctl", &rule709},
		{"ranger", &rule1},
		{"rar", &rule0},
		{"rbspy", &rule65},
		{"rc-service", &rule460},
		{"rc-status", &rule710},
		{"rc-update", &rule712},
		{"rclone", &rule49},
		{"rdiff-backup", &rule49},
		{"readlink", &rule713},
		{"realpath", &rule713},
		{"reboot", &rule423},
		{"redis-cli", &rule536},
		{"reindexdb", &rule144},
		{"rename", &rule0},
		{"renice", &rule108},
		{"repquota", &rule702},
		{"reptyr", &rule65},
		{"resize2fs", &rule50},
		{"resolvectl", &rule716},
		{"restic", &rule720},
		{"restorecon", &rule3},
		{"rev", &rule94},
		{"rfkill", &rule40},
		{"rg", &rule721},
		{"rlwrap", &rule4},
		{"rm", &rule722},
		{"rmdir", &rule723},
		{"rmmod", &rule189},
		{"rndc", &rule724},
		{"route", &rule725},
		{"rpcinfo", &rule726},
		{"rpm", &rule727},
		{"rspamc", &rule728},
		{"rsync", &rule45},
		{"ruby", &rule488},
		{"run-parts", &rule729},
		{"run0", &rule185},
		{"runc", &rule83},
		{"runcon", &rule4},
		{"runlevel", &rule730},
		{"runuser", &rule731},
		{"rush", &rule1},
		{"s6-setuidgid", &rule4},
		{"s6-svstat", &rule732},
		{"sar", &rule733},
		{"scp", &rule45},
		{"screen", &rule734},
		{"script", &rule1},
		{"scriptreplay", &rule1},
		{"scrub", &rule50},
		{"sdiff", &rule735},
		{"sed", &rule420},
		{"sem", &rule4},
		{"semanage", &rule3},
		{"sendmail", &rule569},
		{"sensors", &rule736},
		{"seq", &rule54},
		{"service", &rule460},
		{"sestatus", &rule5},
		{"setarch", &rule4},
		{"setcap", &rule3},
		{"setenforce", &rule3},
		{"setfacl", &rule3},
		{"setfattr", &rule3},
		{"setpriv", &rule4},
		{"setsebool", &rule3},
		{"setsid", &rule737},
		{"setuidgid", &rule4},
		{"sfdisk", &rule328},
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
		{"showmount", &rule738},
		{"shred", &rule50},
		{"shuf", &rule739},
		{"shutdown", &rule423},
		{"skill", &rule539},
		{"skopeo", &rule83},
		{"slabtop", &rule557},
		{"sleep", &rule54},
		{"smartctl", &rule740},
		{"smbstatus", &rule741},
		{"smem", &rule742},
		{"snap", &rule747},
		{"snapper", &rule748},
		{"snice", &rule539},
		{"socat", &rule749},
		{"sort", &rule750},
		{"spamc", &rule751},
		{"split", &rule1},
		{"sponge", &rule0},
		{"sqlite3", &rule752},
		{"srm", &rule50},
		{"ss", &rule753},
		{"ssacli", &rule452},
		{"ssh", &rule754},
		{"ssh-add", &rule45},
		{"ssh-agent", &rule45},
		{"ssh-copy-id", &rule45},
		{"ssh-keygen", &rule755},
		{"ssh-keyscan", &rule756},
		{"sshd", &rule757},
		{"sshpass", &rule45},
		{"stap", &rule65},
		{"start-stop-daemon", &rule4},
		{"stat", &rule758},
		{"stdbuf", &rule759},
		{"storcli", &rule659},
		{"storcli64", &rule659},
		{"strace", &rule65},
		{"strings", &rule760},
		{"stty", &rule761},
		{"su", &rule762},
		{"su-exec", &rule4},
		{"sudo", &rule763},
		{"sum", &rule48},
		{"supervisorctl", &rule769},
		{"sv", &rule774},
		{"swanctl", &rule775},
		{"swapoff", &rule50},
		{"swapon", &rule776},
		{"sysctl", &rule777},
		{"systemctl", &rule786},
		{"systemd-analyze", &rule788},
		{"systemd-ask-password", &rule185},
		{"systemd-cgls", &rule789},
		{"systemd-cgtop", &rule790},
		{"systemd-creds", &rule185},
		{"systemd-delta", &rule791},
		{"systemd-detect-virt", &rule730},
		{"systemd-escape", &rule730},
		{"systemd-firstboot", &rule185},
		{"systemd-id128", &rule730},
		{"systemd-inhibit", &rule185},
		{"systemd-mount", &rule185},
		{"systemd-notify", &rule185},
		{"systemd-nspawn", &rule83},
		{"systemd-path", &rule730},
		{"systemd-resolve", &rule792},
		{"systemd-run", &rule185},
		{"systemd-sysusers", &rule185},
		{"systemd-tmpfiles", &rule185},
		{"systemd-umount", &rule185},
		{"tac", &rule94},
		{"tail", &rule427},
		{"tailscale", &rule794},
		{"tar", &rule70},
		{"tasksel", &rule6},
		{"taskset", &rule115},
		{"tc", &rule797},
		{"tclsh", &rule1},
		{"tcpdump", &rule39},
		{"tcptraceroute", &rule798},
		{"tea", &rule414},
		{"tee", &rule799},
		{"telinit", &rule423},
		{"telnet", &rule39},
		{"terraform", &rule802},
		{"time", &rule803},
		{"timedatectl", &rule804},
		{"timeout", &rule805},
		{"tini", &rule4},
		{"tldr", &rule1},
		{"tmux", &rule806},
		{"tofu", &rule802},
		{"top", &rule807},
		{"touch", &rule808},
		{"toybox", &rule4},
		{"tput", &rule809},
		{"tr", &rule54},
		{"trace-cmd", &rule65},
		{"tracepath", &rule810},
		{"tracepath6", &rule810},
		{"traceroute", &rule798},
		{"traceroute6", &rule798},
		{"traefik", &rule812},
		{"tree", &rule813},
		{"truncate", &rule814},
		{"ts", &rule54},
		{"ts-node", &rule1},
		{"tshark", &rule39},
		{"tsort", &rule94},
		{"tty", &rule815},
		{"tune2fs", &rule816},
		{"udevadm", &rule818},
		{"udhcpc", &rule40},
		{"ufw", &rule822},
		{"umount", &rule50},
		{"uname", &rule823},
		{"unattended-upgrade", &rule6},
		{"unattended-upgrades", &rule6},
		{"unbound-control", &rule824},
		{"unbuffer", &rule111},
		{"unexpand", &rule94},
		{"uniq", &rule825},
		{"unlink", &rule826},
		{"unpigz", &rule85},
		{"unshare", &rule83},
		{"unxz", &rule85},
		{"unzip", &rule827},
		{"unzstd", &rule85},
		{"update-alternatives", &rule828},
		{"uptime", &rule829},
		{"useradd", &rule7},
		{"userdel", &rule7},
		{"usermod", &rule7},
		{"users", &rule830},
		{"uv", &rule84},
		{"vacuumdb", &rule144},
		{"valkey-cli", &rule536},
		{"varnishstat", &rule831},
		{"vault", &rule834},
		{"vconfig", &rule40},
		{"vdir", &rule192},
		{"velero", &rule837},
		{"vgchange", &rule564},
		{"vgcreate", &rule564},
		{"vgdisplay", &rule565},
		{"vgexport", &rule564},
		{"vgextend", &rule564},
		{"vgimport", &rule564},
		{"vgmerge", &rule564},
		{"vgreduce", &rule564},
		{"vgremove", &rule564},
		{"vgs", &rule565},
		{"vgscan", &rule564},
		{"vgsplit", &rule564},
		{"vi", &rule1},
		{"view", &rule1},
		{"vigr", &rule7},
		{"vim", &rule1},
		{"vipw", &rule7},
		{"virsh", &rule840},
		{"visudo", &rule7},
		{"vmstat", &rule841},
		{"vtysh", &rule842},
		{"w", &rule843},
		{"wal-g", &rule845},
		{"watch", &rule846},
		{"wc", &rule847},
		{"wg", &rule849},
		{"wg-quick", &rule40},
		{"wget", &rule850},
		{"whatis", &rule1},
		{"whereis", &rule851},
		{"which", &rule852},
		{"whiptail", &rule1},
		{"who", &rule853},
		{"whoami", &rule32},
		{"whois", &rule854},
		{"wipe", &rule50},
		{"wipefs", &rule50},
		{"wpa_cli", &rule40},
		{"wpa_supplicant", &rule40},
		{"x86_64", &rule4},
		{"xfs_admin", &rule50},
		{"xfs_db", &rule50},
		{"xfs_growfs", &rule50},
		{"xfs_info", &rule172},
		{"xfs_quota", &rule855},
		{"xfs_repair", &rule50},
		{"xkill", &rule539},
		{"xmllint", &rule856},
		{"xmlstarlet", &rule856},
		{"xsltproc", &rule856},
		{"xtrabackup", &rule49},
		{"xvfb-run", &rule4},
		{"xxd", &rule857},
		{"xz", &rule85},
		{"xzcat", &rule88},
		{"xzgrep", &rule89},
		{"xzless", &rule56},
		{"yarn", &rule84},
		{"yum", &rule201},
		{"zcat", &rule88},
		{"zdiff", &rule858},
		{"zegrep", &rule89},
		{"zellij", &rule1},
		{"zerofree", &rule50},
		{"zfgrep", &rule89},
		{"zfs", &rule861},
		{"zgrep", &rule89},
		{"zip", &rule0},
		{"zipinfo", &rule862},
		{"zless", &rule56},
		{"zmore", &rule56},
		{"zpool", &rule864},
		{"zstd", &rule85},
		{"zstdcat", &rule88},
		{"zstdgrep", &rule89},
		{"zypper", &rule645},
	},
	Secrets:     []string{"/etc/shadow", "/etc/shadow-", "/etc/shadow~", "/etc/shadow.bak", "/etc/gshadow", "/etc/gshadow-", "/var/backups/*shadow*", "/etc/environment", "/var/lib/cloud/**", "/etc/mysql/debian.cnf", "/etc/msmtprc", "/etc/pve/priv/**", "/var/lib/sss/**", "/var/lib/samba/private/**", "/var/lib/mysql/mysql/**", "/etc/sudoers", "/etc/sudoers.d/**", "/etc/ssl/private/**", "/etc/ssh/ssh_host_*_key", "/etc/claudeops/**", "/etc/kubernetes/**", "/etc/rancher/**", "/etc/krb5.keytab", "/etc/security/opasswd", "/etc/NetworkManager/system-connections/**", "/etc/wireguard/**", "/etc/openvpn/**", "/etc/ipsec.secrets", "/etc/ppp/**", "/etc/docker/key.json", "/etc/letsencrypt/accounts/**", "/etc/wpa_supplicant/**", "/etc/sssd/**", "/etc/grafana/grafana.ini", "/etc/gitlab/**", "/var/lib/tailscale/**", "/run/user/*/keyring*/**", "/root/**", "/run/secrets/**", "/var/run/secrets/**", "/run/credentials/**", "/var/lib/docker/**", "/var/lib/containerd/**", "/var/lib/kubelet/**", "/var/lib/rancher/**", "/var/lib/etcd/**", "/var/lib/vault/**", "/proc/[0-9]*/environ", "/proc/self/environ", "/proc/thread-self/environ", "/proc/[0-9]*/cwd/**", "/proc/self/cwd/**", "/proc/thread-self/cwd/**", "/proc/[0-9]*/task/*/cwd/**", "/proc/self/task/*/cwd/**", "/proc/thread-self/task/*/cwd/**", "/proc/[0-9]*/task/*/environ", "/proc/self/task/*/environ", "/proc/thread-self/task/*/environ", "/proc/[0-9]*/mem", "/proc/self/mem", "/proc/thread-self/mem", "/proc/[0-9]*/task/*/mem", "/proc/self/task/*/mem", "/proc/thread-self/task/*/mem", "/proc/[0-9]*/fd/**", "/proc/self/fd/**", "/proc/thread-self/fd/**", "/proc/[0-9]*/task/*/fd/**", "/proc/self/task/*/fd/**", "/proc/thread-self/task/*/fd/**", "/proc/[0-9]*/map_files/**", "/proc/self/map_files/**", "/proc/thread-self/map_files/**", "/proc/kcore", "/dev/**", "/swapfile", "/run/containerd/**", "/run/containers/**", "/run/crio/**", "/run/crun/**", "/run/docker/**", "/run/runc/**", "/run/user/*/containers/**", "/run/user/*/crun/**", "/run/credstore/**", "/run/systemd/credentials/**", "/run/cloud-init/**", "/var/run/credentials/**", "/var/lib/containers/**", "/var/lib/lxc/**", "/var/lib/lxd/**", "/var/lib/incus/**", "/var/lib/libvirt/**", "/var/lib/nomad/**", "/var/lib/consul/**", "/var/snap/**/credentials/**", "/var/lib/systemd/coredump/**", "/var/lib/systemd/credential.secret", "/var/lib/apport/**", "/var/crash/**", "/var/spool/abrt/**", "/var/tmp/abrt/**", "/var/lib/NetworkManager/**", "/var/lib/rabbitmq/**", "/var/lib/snmp/**", "/var/lib/iscsi/**", "/var/lib/mysql/*/**", "/var/lib/mysql/ib*", "/var/lib/mysql/*-bin.*", "/var/lib/mysql/binlog.*", "/var/lib/postgresql/*/*/base/**", "/var/lib/postgresql/*/*/pg_wal/**", "/var/lib/postgresql/data/base/**", "/var/lib/postgresql/data/pg_wal/**", "/var/lib/pgsql/data/base/**", "/var/lib/pgsql/*/data/base/**", "/var/lib/mongodb/**", "/var/lib/elasticsearch/**", "/var/lib/redis/**", "/var/lib/bitwarden/**", "/var/lib/vaultwarden/**", "/etc/credstore*/**", "/usr/lib/credstore*/**", "/etc/default/*", "/etc/sysconfig/*", "/etc/conf.d/*", "/etc/pgbouncer/userlist.txt", "/etc/apt/auth.conf", "/etc/apt/auth.conf.d/**", "/etc/ntp.keys", "/etc/ntp/keys", "/etc/swanctl/**", "/etc/strongswan*/**", "/etc/ldap.secret", "/etc/pam_ldap.*", "/etc/libnss-ldap.*", "/etc/nslcd.conf", "/etc/iscsi/**", "/etc/snmp/**", "/etc/nut/upsd.users", "/etc/nut/upsmon.conf", "/etc/gitlab-runner/**", "/etc/dovecot/users", "/etc/exim4/passwd*", "/etc/bind/rndc.key", "/etc/bareos/**", "/etc/bacula/**", "/etc/zabbix/**", "/sys/firmware/qemu_fw_cfg/**", "/etc/fetchmailrc", "/etc/vsftpd/**", "/etc/npmrc", "**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**", "**/.config/gh/**", "**/.kube/**", "**/.docker/**", "**/.claude/**", "**/.password-store/**", "**/.local/share/keyrings/**", "**/.env*", "**/*.env.*", "**/*.env~", "**/env.prod*", "**/*.env", "**/.netrc", "**/_netrc", "**/.pgpass", "**/.my.cnf", "**/.mylogin.cnf", "**/.git-credentials", "**/.npmrc", "**/.pypirc", "**/.htpasswd", "**/.smbcredentials", "**/sasl_passwd*", "**/passwd.client", "**/*.keytab", "**/*secrets*.json", "**/htpasswd", "**/.vault-token", "**/.vault_pass*", "**/.terraformrc", "**/*.tfstate", "**/*.tfvars", "**/*.tfvars.json", "**/*.tfstate.backup", "**/.bash_history", "**/.zsh_history", "**/.psql_history", "**/.mysql_history", "**/.sqlite_history", "**/.node_repl_history", "**/.viminfo", "**/.lesshst", "**/.s3cfg", "**/.boto", "**/rclone.conf", "**/auth.json", "**/.m2/settings.xml", "**/.config/doctl/**", "**/.config/hub", "**/*.rdb", "**/global/1260", "**/haproxy/*.pem", "**/haproxy/*/*.pem", "**/dovecot/*sql*", "**/postfix/*sql*", "**/.python_history", "**/.rediscli_history", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/*.key", "**/*.key.*", "**/*.key~", "**/*.keyring", "**/private_key.json", "**/*-key.pem", "**/*_key.pem", "**/key.pem", "**/privkey*.pem", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.kdbx", "**/*.ppk", "**/kubeconfig*", "**/credentials", "**/credentials.*", "**/secret", "**/secrets", "**/secrets/**", "**/secret.y*ml", "**/secrets.y*ml", "**/secrets.json", "**/*secret*.y*ml", "**/vault.y*ml", "**/*password*", "**/*passwd.txt", "**/wp-config.php", "**/apprise.y*ml", "**/service-account*.json", "**/.erlang.cookie", "**/rabbitmq.conf", "**/.gitlab-runner/**", "**/.config/op/**", "**/.fly/**", "**/.fetchmailrc", "**/pip.conf", "**/redis*.conf", "**/sentinel*.conf", "**/users.acl", "**/*.aof", "**/appendonlydir/**", "**/chrony.keys", "**/*.priv", "**/rsa_key.*", "**/.dockerconfigjson", "**/.dockercfg", "**/config/database.yml", "**/config/master.key", "**/*.journal", "**/*.journal~", "**/core.[0-9]*", "**/*.hprof"},
	SecretHosts: []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "metadata", "metadata.google.internal", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.platformequinix.com", "metadata.packet.net", "rancher-metadata", "*.nip.io", "*.sslip.io", "*.xip.io", "*.traefik.me"},
	Logs:        []string{"/var/log"},
	Rotated:     []string{"*.gz", "*.xz", "*.bz2", "*.zst", "*.old", "*.[0-9]", "*.[0-9][0-9]", "*.log.*", "*.log-*", "*-20[0-9][0-9][0-9][0-9][0-9][0-9]*"},
	Units:       []string{"claudeops", "claudeops-*", "rescue", "emergency", "debug-shell", "ctrl-alt-del", "modprobe@*", "ifup@*", "user@*", "user-runtime-dir@*", "wpa_supplicant*", "network-manager", "apt-daily*", "dbus-*", "networking", "network", "NetworkManager", "dhcpcd", "ufw", "nftables", "iptables", "ip6tables", "netfilter-persistent", "dbus", "systemd-*", "initrd-*", "plymouth*", "kexec*", "getty*", "serial-getty*", "autovt*", "fstrim", "blk-availability", "lvm2-*", "mdadm*", "mdmonitor*", "multipathd", "iscsi*", "open-iscsi", "zfs-*", "cryptsetup*", "auditd", "atd", "anacron", "cron", "crond", "cronie", "polkit", "rsyslog", "syslog", "syslog-ng", "accounts-daemon", "apparmor", "dracut-*", "grub-*", "dpkg-*", "unattended-upgrades", "packagekit", "firewall*", "shorewall*", "net.*", "netplan-*", "wicked*", "connman", "iwd", "hostapd", "ModemManager", "keepalived", "bird", "bird6", "frr", "quagga", "openvpn*", "strongswan*", "ipsec", "libreswan", "tailscaled", "zerotier-one", "cloudflared", "wg-quick*", "wireguard*", "dropbear*", "ssh*", "dnsmasq", "unbound", "named-resolvconf", "resolvconf"},
	Environment: []string{"LC_*=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "LANG=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "TZ", "TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES", "SYSTEMD_COLORS", "SYSTEMD_URLIFY", "SYSTEMD_PAGER=|cat", "PAGER=|cat", "GIT_PAGER=|cat", "GIT_OPTIONAL_LOCKS=0|1", "GIT_TERMINAL_PROMPT=0", "PSQL_PAGER=cat", "MANPAGER=cat", "DOCKER_CLI_HINTS", "COMPOSE_ANSI", "ANSIBLE_NOCOLOR", "ANSIBLE_FORCE_COLOR", "ANSIBLE_STDOUT_CALLBACK=yaml|json|default|minimal", "PGCONNECT_TIMEOUT", "PGPORT", "PGUSER", "PGDATABASE", "PGAPPNAME", "PGTZ", "ETCDCTL_API=3|2"},
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
	rule8 = Rule{Do: "observe", Options: "-o/--output=simple|extended|json -s/--silenced -a/--active -i/--inhibited -u/--unprocessed --expired -q/--quiet --alertmanager.url=/http:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+\\/?/", Operands: "/[A-Za-z_][^@\\r\\n]*/*", Why: "of the Alertmanager of this machine, and only shown: amtool alert query --alertmanager.url=http://localhost:9093"}
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
	rule14 = Rule{Do: "redeploy", Options: "-i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -t/--tags=lit --skip-tags=lit --start-at-task=lit -C/--check!observe!change -D/--diff -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --force-handlers --vault-password-file/--vault-pass-file=credential --list-tasks!observe --list-hosts!observe --list-tags!observe --syntax-check!observe --version!observe -h/--help!observe", Operands: "code*", Style: "gnu", Why: "only playbooks and inventory files of the repositories, without -e, -c, -M and options of ssh: ansible-playbook FILE --limit HOST", Service: "base", Tiers: "3", Cwd: "code"}
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
	rule23 = Rule{Do: "observe", Options: "-V/--version", Why: "agents send no notifications: this program does, after the cycle; put what people must know into the report or the handoff", Requires: "-V|--version"}
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
	rule58 = Rule{Do: "observe", Options: "-d/--no-encoding -o/--output=any -k/--list-filesystems -s/--match-tag=any -t/--match-token=any -l/--list-one -L/--label=any -U/--uuid=any -p/--probe -i/--info -u/--usages=any -n/--match-types=any -D/--no-part-details -h/--help -V/--version", Operands: "meta*"}
	rule59 = Rule{Do: "observe", Options: "--report --getsize64 --getsz --getss --getbsz --getro --getra --getpbsz", Operands: "meta*"}
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
	rule65 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory and the calls of a process hold secrets; use logs, ps, /proc/PID/status, jstack PID", Loose: true}
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
	rule71 = Rule{Do: "observe", Options: "-h -H -T -b -k -m -g -t -d -s -a -p -c -u -q -o", Operands: "meta*"}
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
	rule77 = Rule{Do: "observe", Options: "-c/--check -T", Operands: "meta*"}
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
	rule95 = Rule{Do: "observe", Options: "-f/--format=any", Operands: "lit*"}
	rule96 = Rule{Commands: []Command{
		{"ls", &rule95},
		{"stats", &rule95},
	},
	}
	rule97 = Rule{Commands: []Command{
		{"tree", &rule95},
		{"df", &rule95},
		{"stat", &rule95},
		{"status", &rule95},
		{"perf", &rule95},
		{"pool", &rule96},
	},
	}
	rule98 = Rule{Commands: []Command{
		{"stat", &rule95},
		{"dump_stuck", &rule95},
	},
	}
	rule99 = Rule{Commands: []Command{
		{"stat", &rule95},
		{"dump", &rule95},
	},
	}
	rule100 = Rule{Commands: []Command{
		{"services", &rule95},
	},
	}
	rule101 = Rule{Commands: []Command{
		{"stat", &rule95},
	},
	}
	rule102 = Rule{Commands: []Command{
		{"status", &rule95},
		{"ls", &rule95},
	},
	}
	rule103 = Rule{Commands: []Command{
		{"ls", &rule95},
	},
	}
	rule104 = Rule{Do: "observe", Options: "-s/--status -f/--format=any -w/--watch --connect-timeout=any", Requires: "-s|--status|-w|--watch", Cwd: "settings", Commands: []Command{
		{"status", &rule95},
		{"health", &rule95},
		{"df", &rule95},
		{"osd", &rule97},
		{"pg", &rule98},
		{"mon", &rule99},
		{"mgr", &rule100},
		{"mds", &rule101},
		{"fs", &rule102},
		{"versions", &rule95},
		{"crash", &rule103},
		{"quorum_status", &rule95},
	},
	}
	rule105 = Rule{Do: "observe", Options: "--cert-name=any -d=any"}
	rule106 = Rule{Do: "unknown", Operands: "any*", Why: "certificates are renewed by their own timer; say in the handoff what is wrong with it", Loose: true}
	rule107 = Rule{Do: "observe", Commands: []Command{
		{"certificates", &rule105},
		{"renew", &rule106},
		{"certonly", &rule106},
		{"run", &rule106},
		{"delete", &rule106},
		{"revoke", &rule106},
		{"install", &rule106},
		{"enhance", &rule106},
		{"register", &rule106},
		{"unregister", &rule106},
		{"update_account", &rule106},
		{"reconfigure", &rule106},
		{"show_account", &rule106},
	},
	}
	rule108 = Rule{Do: "unknown", Operands: "any*", Why: "restart the service, or say in the handoff what should be changed", Loose: true}
	rule109 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet -h/--no-dereference --from=any", Operands: "any any+", Why: "a literal owner, one file after the other (no -R, no --reference)", Check: "chown"}
	rule110 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet", Operands: "any any+", Why: "a literal mode, one file after the other (no -R, no --reference)", Check: "chmod"}
	rule111 = Rule{Do: "observe", Operands: "inner", Style: "strict"}
	rule112 = Rule{Do: "observe", Options: "-a -v", Operands: "host?"}
	rule113 = Rule{Do: "observe", Options: "-a -v"}
	rule114 = Rule{Options: "-4 -6 -n -N -c -h=host -p=lit", Why: "tracking, sources, sourcestats, activity and their like only show", Commands: []Command{
		{"tracking", &rule16},
		{"activity", &rule16},
		{"serverstats", &rule16},
		{"rtcdata", &rule16},
		{"smoothing", &rule16},
		{"clients", &rule16},
		{"ntpdata", &rule112},
		{"authdata", &rule112},
		{"selectdata", &rule112},
		{"sources", &rule113},
		{"sourcestats", &rule113},
	},
	}
	rule115 = Rule{Do: "observe", Options: "-p/--pid -c/--cpu-list -a/--all-tasks", Operands: "/[0-9]+/", Why: "only shown, of one process: taskset -p PID", Requires: "-p|--pid"}
	rule116 = Rule{Do: "observe", Options: "--brief --verbose --all-addresses --all-controllers --all-health --all-nodes --all-redirects -n/--namespace=lit --wait"}
	rule117 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule116},
		{"version", &rule16},
	},
	}
	rule118 = Rule{Do: "forbidden", Why: "agents neither start agents nor change the settings of their hooks", Loose: true}
	rule119 = Rule{Do: "observe", Options: "--tier=2|3 --findings=any --attempted=any --services=lit"}
	rule120 = Rule{Do: "observe", Options: "--from=1|2|3", Operands: "file?"}
	rule121 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"write", &rule119},
		{"validate", &rule120},
	},
	}
	rule122 = Rule{Do: "observe", Operands: "name?"}
	rule123 = Rule{Do: "observe", Operands: "name restart|redeployment"}
	rule124 = Rule{Do: "observe", Options: "--error=any", Operands: "name restart|redeployment success|failure", Why: "it records one attempt that Tier 2 or 3 made: claudeops cooldown record SERVICE restart success, or … failure --error TEXT", Tiers: "23"}
	rule125 = Rule{Do: "forbidden", Operands: "any*", Why: "limits are lifted by operators, never by an agent; hand off instead", Loose: true}
	rule126 = Rule{Do: "observe", Why: "agents call: claudeops cooldown show, check SERVICE restart|redeployment, record SERVICE restart|redeployment success|failure", Requires: "--help", Commands: []Command{
		{"show", &rule122},
		{"check", &rule123},
		{"record", &rule124},
		{"reset", &rule125},
	},
	}
	rule127 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --tier=lit"}
	rule128 = Rule{Do: "observe", Options: "--commands", Operands: "any"}
	rule129 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"list", &rule127},
		{"show", &rule128},
	},
	}
	rule130 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --service=any"}
	rule131 = Rule{Do: "observe", Operands: "any"}
	rule132 = Rule{Do: "forbidden", Operands: "any*", Why: "what is healthy again the checks say, never an agent", Loose: true}
	rule133 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule130},
		{"show", &rule131},
		{"close", &rule132},
	},
	}
	rule134 = Rule{Do: "observe", Options: "-n/--limit=any --level=lit --service=any --session=any"}
	rule135 = Rule{Do: "observe", Operands: "any*"}
	rule136 = Rule{Do: "forbidden", Operands: "any*", Why: "the program makes the checks of the inventory itself, before Tier 1 and after Tiers 2 and 3; look yourself with curl, docker, systemctl", Loose: true}
	rule137 = Rule{Do: "observe", Options: "--tier=1|2|3 --cwd=any", Operands: "any+"}
	rule138 = Rule{Do: "forbidden", Operands: "any*", Why: "the guard is called by the agent program alone; what it would say shows: claudeops guard explain --tier N COMMAND", Loose: true, Commands: []Command{
		{"explain", &rule137},
	},
	}
	rule139 = Rule{Do: "forbidden", Operands: "any*", Why: "it is for operators and for the program itself, never for an agent", Loose: true}
	rule140 = Rule{Do: "observe", Options: "--version -v", Persistent: "--json -h/--help", Style: "pflag", Why: "agents call: claudeops report, handoff write|validate, cooldown show|check|record, sessions list|show, incidents list|show, events, env, doctor, version, guard explain; always with the database and settings of this cycle (no --db, no --env-file)", Requires: "--help|--version|-v", Commands: []Command{
		{"report", &rule16},
		{"handoff", &rule121},
		{"cooldown", &rule126},
		{"sessions", &rule129},
		{"incidents", &rule133},
		{"events", &rule134},
		{"env", &rule16},
		{"doctor", &rule16},
		{"version", &rule16},
		{"metrics", &rule16},
		{"help", &rule135},
		{"probe", &rule136},
		{"guard", &rule138},
		{"run-once", &rule139},
		{"cron", &rule139},
		{"crontab", &rule139},
		{"dashboard", &rule139},
		{"notify", &rule139},
		{"hooks", &rule139},
	},
	}
	rule141 = Rule{Do: "observe", Options: "-l/--long --wait --format=any"}
	rule142 = Rule{Do: "observe", Operands: "show|blame|boot"}
	rule143 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule141},
		{"analyze", &rule142},
	},
	}
	rule144 = Rule{Do: "unknown", Why: "databases are looked at, not copied, built or rebuilt: psql -c 'select …'", Loose: true}
	rule145 = Rule{Do: "observe", Options: "-b/--print-bytes -i/--ignore-initial=any -l/--verbose -n/--bytes=any -s/--quiet/--silent", Operands: "file file? any? any?"}
	rule146 = Rule{Do: "observe", Options: "--normal -q/--brief -s/--report-identical-files -c -C=any --context[=any] -u -U=any --unified[=any] -e/--ed -n/--rcs -y/--side-by-side -W/--width=any --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line=any --label/-L=any -t/--expand-tabs -T/--initial-tab --tabsize=any --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case -x/--exclude=any -X/--exclude-from=file -S/--starting-file=any --from-file=tree --to-file=tree -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines=any -a/--text --strip-trailing-cr -d/--minimal --speed-large-files --color[=any] --help -v/--version -#", Operands: "tree*", Style: "gnu"}
	rule147 = Rule{Do: "observe", Options: "-s/--separator=any -o/--output-separator=any -c/--output-width/--columns=any -N/--table-columns=any -R/--table-right=any -H/--table-hide=any", Operands: "file*", Loose: true}
	rule148 = Rule{Do: "observe", Options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter=any --total -z/--zero-terminated", Operands: "file file"}
	rule149 = Rule{Do: "observe", Options: "-L/--dump -C/--count -S/--stats -G/--get -p/--proto=any -s/--src/--orig-src=any -d/--dst/--orig-dst=any -r/--reply-src=any -q/--reply-dst=any --sport/--orig-port-src=any --dport/--orig-port-dst=any --state=any -f/--family=any -o/--output=any -n/--src-nat[=any] -g/--dst-nat[=any] -j/--any-nat[=any] -z/--zero!forbidden -u/--status=any -m/--mark=any -w/--zone=any -V/--version -D/--delete!forbidden -F/--flush!forbidden -I/--create!forbidden -U/--update!forbidden -A/--add!forbidden", Operands: "/[a-z]+/?", Requires: "-L|--dump|-C|--count|-S|--stats|-G|--get|-D|-F|-I|-U|-A"}
	rule150 = Rule{Do: "observe", Options: "-http-addr=dbhost -detailed -status=lit -wan -stale -format=lit -node=lit -service=lit -tags -datacenter=lit -segment=lit", Style: "word"}
	rule151 = Rule{Commands: []Command{
		{"services", &rule150},
		{"nodes", &rule150},
		{"datacenters", &rule150},
	},
	}
	rule152 = Rule{Commands: []Command{
		{"list-peers", &rule150},
	},
	}
	rule153 = Rule{Commands: []Command{
		{"state", &rule150},
	},
	}
	rule154 = Rule{Commands: []Command{
		{"raft", &rule152},
		{"autopilot", &rule153},
	},
	}
	rule155 = Rule{Do: "observe", Why: "members, info, catalog and operator raft list-peers only show; stored values may be secrets", Commands: []Command{
		{"members", &rule150},
		{"info", &rule150},
		{"version", &rule150},
		{"catalog", &rule151},
		{"operator", &rule154},
	},
	}
	rule156 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Operands: "any*"}
	rule157 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory of a process holds secrets; use coredumpctl info", Loose: true}
	rule158 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule156},
		{"info", &rule156},
		{"dump", &rule157},
		{"debug", &rule157},
		{"gdb", &rule157},
	},
	}
	rule159 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -L/--dereference -T/--no-target-directory", Operands: "file+ out", Why: "FILE… below $TMPDIR, and links are followed (no -a, -r, -P, -l, -s)"}
	rule160 = Rule{Do: "observe", Options: "-a/--all --id=any --image=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -p/--pod=any -q/--quiet!names -r/--resolve-image-path -s/--state=any -v/--verbose", Operands: "name?"}
	rule161 = Rule{Do: "observe", Options: "--id=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -q/--quiet!names -s/--state=any -v/--verbose"}
	rule162 = Rule{Do: "observe", Options: "--digests --no-trunc -o/--output=any -q/--quiet -v/--verbose --filter=any", Operands: "any?"}
	rule163 = Rule{Do: "observe", Options: "-o/--output=any -q/--quiet"}
	rule164 = Rule{Do: "observe", Options: "-f/--follow --limit-bytes=any -p/--previous --since=any --tail=any -t/--timestamps", Operands: "name+"}
	rule165 = Rule{Do: "observe", Options: "-a/--all --id=any --label=any -n/--name=any -o/--output=any -p/--pod=any -s/--seconds=any", Operands: "name?"}
	rule166 = Rule{Do: "observe", Options: "-i/--interactive -t/--tty -s/--sync --timeout=any", Operands: "name inner", Style: "strict", Why: "one plain command: crictl exec CONTAINER COMMAND"}
	rule167 = Rule{Do: "unknown", Options: "-a/--all -q/--prune!forbidden", Operands: "any*", Why: "images are not removed"}
	rule168 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with crictl ps, pods, logs, stats, and restart with kubectl rollout restart"}
	rule169 = Rule{Do: "observe", Options: "-D/--debug -t/--timeout=any -c/--config=settings -v/--version -h/--help", Why: "another runtime is not granted; write the subcommand plainly: crictl ps -a", Commands: []Command{
		{"ps", &rule160},
		{"pods", &rule161},
		{"images", &rule162},
		{"image", &rule162},
		{"img", &rule162},
		{"version", &rule163},
		{"imagefsinfo", &rule163},
		{"logs", &rule164},
		{"stats", &rule165},
		{"statsp", &rule165},
		{"exec", &rule166},
		{"rmi", &rule167},
		{"info", &rule168},
		{"inspect", &rule168},
		{"inspecti", &rule168},
		{"inspectp", &rule168},
		{"rm", &rule168},
		{"rmp", &rule168},
		{"stop", &rule168},
		{"stopp", &rule168},
		{"start", &rule168},
		{"create", &rule168},
		{"run", &rule168},
		{"runp", &rule168},
		{"pull", &rule168},
		{"attach", &rule168},
		{"port-forward", &rule168},
		{"update", &rule168},
		{"checkpoint", &rule168},
		{"config", &rule168},
		{"completion", &rule168},
		{"events", &rule168},
		{"runtime-config", &rule168},
		{"update-runtime-config", &rule168},
		{"metrics", &rule168},
		{"metricsp", &rule168},
	},
	}
	rule170 = Rule{Do: "observe", Options: "-1/--one-shot -r/--inactive -n/--group-by-node -f/--failcounts -A/--show-node-attributes -t/--timing-details -V", Requires: "-1|--one-shot"}
	rule171 = Rule{Do: "observe", Options: "-l -u=any -r!forbidden -e!forbidden -i!forbidden", Why: "timetables are read only: crontab -l", Requires: "-l"}
	rule172 = Rule{Do: "observe", Operands: "meta"}
	rule173 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule172},
		{"isLuks", &rule172},
	},
	}
	rule174 = Rule{Do: "observe", Style: "word"}
	rule175 = Rule{Do: "observe", Options: "-q!names -quiet!names", Operands: "any*", Style: "word"}
	rule176 = Rule{Commands: []Command{
		{"ls", &rule175},
		{"list", &rule175},
	},
	}
	rule177 = Rule{Do: "observe", Options: "-format=any", Operands: "name", Style: "word"}
	rule178 = Rule{Commands: []Command{
		{"ls", &rule175},
		{"list", &rule175},
		{"ps", &rule177},
		{"metrics", &rule177},
		{"metric", &rule177},
	},
	}
	rule179 = Rule{Commands: []Command{
		{"ls", &rule175},
		{"list", &rule175},
		{"ps", &rule177},
		{"metrics", &rule177},
	},
	}
	rule180 = Rule{Commands: []Command{
		{"ls", &rule175},
	},
	}
	rule181 = Rule{Do: "observe", Options: "-n=any -namespace=any -debug -timeout=any -connect-timeout=any -version -v -help", Style: "word", Why: "another daemon is not granted; write the subcommand plainly: ctr -n k8s.io containers ls", Commands: []Command{
		{"version", &rule174},
		{"info", &rule174},
		{"containers", &rule176},
		{"container", &rule176},
		{"c", &rule176},
		{"images", &rule176},
		{"image", &rule176},
		{"i", &rule176},
		{"tasks", &rule178},
		{"task", &rule179},
		{"t", &rule178},
		{"namespaces", &rule176},
		{"namespace", &rule180},
		{"ns", &rule180},
		{"snapshots", &rule180},
		{"snapshot", &rule180},
		{"content", &rule180},
		{"leases", &rule180},
		{"plugins", &rule180},
	},
	}
	rule182 = Rule{Do: "observe", Options: "-0/--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --http0.9 -1/--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max=lit --ciphers=lit --tls13-ciphers=lit --curves=lit -4/--ipv4 -6/--ipv6 --interface=/[A-Za-z0-9_.:-]+/ --dns-interface=/[A-Za-z0-9_.:-]+/ --happy-eyeballs-timeout-ms=lit --resolve=/\\+?[A-Za-z0-9_.*-]+:[0-9]+:(?:127\\.[0-9.]+|\\[?::1\\]?)/ --connect-to=/[A-Za-z0-9_.-]*:[0-9]*:(?:127\\.[0-9.]+|localhost|\\[::1\\]):[0-9]*/ --noproxy=lit --proto=lit -m/--max-time=lit --connect-timeout=lit --expect100-timeout=lit --retry=lit --retry-delay=lit --retry-max-time=lit --retry-connrefused --retry-all-errors --max-redirs=lit --max-filesize=lit --limit-rate=lit --rate=lit -Y/--speed-limit=lit -y/--speed-time=lit --keepalive-time=lit --no-keepalive --tcp-nodelay --tcp-fastopen -f/--fail --fail-with-body --fail-early -s/--silent -S/--show-error -i/--include/--show-headers -I/--head -v/--verbose -L/--location --post301 --post302 --post303 -k/--insecure --cacert=file --capath=lit --crlfile=file --cert-status --doh-cert-status --no-alpn --no-npn --no-sessionid --false-start --pinnedpubkey=/sha256\\/\\/[A-Za-z0-9+=\\/;]+/ --ssl-reqd -N/--no-buffer --buffer --progress-bar --no-progress-meter --styled-output --no-styled-output --suppress-connect-headers --compressed --raw --tr-encoding --ignore-content-length --path-as-is -g/--globoff -q/--disable --disallow-username-in-url -r/--range=lit -Z/--parallel --parallel-immediate --parallel-max=lit --trace-time --trace-ids -o/--output=out -D/--dump-header=out --stderr=out --trace=out --trace-ascii=out -w/--write-out=/(?s)(?:(?:[^@%\\\\]|\\\\.|%[^o])(?:[^%\\\\]|\\\\.|%[^o])*)?[%\\\\]?/ -G/--get -d/--data/--data-ascii/--data-binary=/(?s)(?:[^@].*)?/ --data-raw=lit --data-urlencode=/(?s)[^@=]*=.*|[^@]*/ -H/--header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id)[:;][^\\r\\n]*/ -A/--user-agent=/[^\\r\\n]*/ -X/--request=GET|HEAD --url=url -V/--version -h/--help", Operands: "url*", Style: "gnu", Why: "GET or HEAD of a literal URL, for example: curl -sS -o /dev/null -m 10 -w '%{http_code}' http://127.0.0.1:8080/health; output goes to standard output or below $TMPDIR", Check: "http"}
	rule183 = Rule{Do: "observe", Options: "-d/--delimiter=any -f/--fields=any -b/--bytes=any -c/--characters=any --output-delimiter=any", Operands: "file*", Loose: true}
	rule184 = Rule{Do: "observe", Options: "-u/--utc/--universal -d/--date=any -f/--file=file -I[=any] --iso-8601[=any] -R/--rfc-email/--rfc-2822 --rfc-3339=any -r/--reference=meta --debug --resolution --help --version", Operands: "/(?s)\\+.*/?", Why: "the clock is not set"}
	rule185 = Rule{Do: "unknown", Operands: "any*", Why: "it starts programs, or talks to services past what is read here; use systemctl and journalctl", Loose: true}
	rule186 = Rule{Do: "unknown", Operands: "any*", Why: "it runs programs (!); compute with $(( … )), awk or bc", Loose: true}
	rule187 = Rule{Do: "observe", Options: "-a/--all -c/--changed -s/--silent -e/--config -l/--list-missing", Operands: "lit*"}
	rule188 = Rule{Do: "observe", Options: "-4 -6 -c=/[A-Za-z]+/ -h -i -m -q=/[A-Za-z0-9_*][A-Za-z0-9._*-]*/ -t=/[A-Za-z0-9]+/ -v -x=/[0-9A-Fa-f.:]+/", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|\\+(?:no)?(?:short|cdflag|class|crypto|multiline|rrcomments|rtrace|split|tcp|ttl|trust|vtrace|dnssec|root)/*", Why: "names are written out: delv NAME TYPE"}
	rule189 = Rule{Do: "forbidden", Operands: "any*", Why: "kernel modules are for people", Loose: true}
	rule190 = Rule{Do: "observe", Options: "-B=any -t=any -x=any", Operands: "meta*", Loose: true}
	rule191 = Rule{Do: "observe", Options: "-4 -6 -c=/[A-Za-z]+/ -h -i -m -p=/53|5353|5300|8600/ -q=/[A-Za-z0-9_*][A-Za-z0-9._*-]*/ -r -t=/[A-Za-z0-9]+/ -u -v -x=/[0-9A-Fa-f.:]+/", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|\\+(?:no)?(?:short|tcp|vc|trace|all|answer|authority|additional|question|comments|stats|cmd|dnssec|do|rec|recurse|search|ttlid|ttlunits|multiline|nsid|cdflag|cd|adflag|ad|identify|class|cl|qr|ignore|nssearch|onesoa|besteffort|rrcomments|crypto|edns|expire|idnout|mapped|unknownformat|yaml|time=[0-9]+|timeout=[0-9]+|tries=[0-9]+|retry=[0-9]+|bufsize=[0-9]+|ndots=[0-9]+|split=[0-9]+|edns=[0-9])/*", Why: "one name or several, written out: dig +short NAME TYPE @SERVER"}
	rule192 = Rule{Do: "observe", Options: "-I/--ignore=any -w/--width=any -T/--tabsize=any --sort=any --time=any --time-style=any --block-size=any --hide=any", Operands: "meta*", Loose: true}
	rule193 = Rule{Do: "observe", Options: "-T/--ctime -H/--human -w/--follow -W/--follow-new -l/--level=any -f/--facility=any -x/--decode -k/--kernel -u/--userspace -t/--notime -d/--show-delta -e/--reltime -r/--raw -s/--buffer-size=any -S/--syslog --since=any --until=any --time-format=any -L/--color[=any] -P/--nopager -J/--json -p/--force-prefix --noescape -h/--help -V/--version", Why: "clearing the kernel's messages and changing the console are not granted"}
	rule194 = Rule{Do: "observe", Options: "-t/--type=any -s/--string=any -q/--quiet -u/--dump -H/--handle=any --no-sysfs --no-quirks --oem-string=any -h/--help -V/--version", Why: "it neither writes nor reads a dump here"}
	rule195 = Rule{Do: "observe", Options: "--tree -c/-C/--columns -o=any --target=any", Operands: "lit*"}
	rule196 = Rule{Do: "observe", Commands: []Command{
		{"ls", &rule195},
		{"status", &rule195},
		{"info", &rule195},
		{"deps", &rule195},
		{"version", &rule195},
		{"targets", &rule195},
	},
	}
	rule197 = Rule{Do: "observe", Options: "-i/--info -l/--list --requires --whatrequires --whatprovides=/[^:]+/ --qf=any -r/--reboothint -s/--services", Operands: "/[^:]+/*"}
	rule198 = Rule{Commands: []Command{
		{"list", &rule197},
		{"install", &rule21},
	},
	}
	rule199 = Rule{Commands: []Command{
		{"list", &rule197},
		{"info", &rule197},
		{"undo", &rule21},
		{"rollback", &rule21},
		{"redo", &rule21},
	},
	}
	rule200 = Rule{Commands: []Command{
		{"install", &rule21},
	},
	}
	rule201 = Rule{Do: "observe", Options: "--version", Persistent: "-q/--quiet -C/--cacheonly -v/--verbose --installed --available --updates --showduplicates --all --security --disablerepo=any --enablerepo=any", Style: "gnu", Commands: []Command{
		{"list", &rule197},
		{"info", &rule197},
		{"search", &rule197},
		{"repolist", &rule197},
		{"repoinfo", &rule197},
		{"check-update", &rule197},
		{"check-upgrade", &rule197},
		{"updateinfo", &rule197},
		{"provides", &rule197},
		{"whatprovides", &rule197},
		{"repoquery", &rule197},
		{"deplist", &rule197},
		{"module", &rule198},
		{"history", &rule199},
		{"needs-restarting", &rule197},
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
		{"group", &rule200},
	},
	}
	rule202 = Rule{Do: "observe", Options: "--test -v/--version", Requires: "--test|-v|--version"}
	rule203 = Rule{Do: "observe", Options: "-u=any -n", Operands: "inner", Style: "strict"}
	rule204 = Rule{Do: "observe", Options: "-a/--all -f/--filter=any --format=/\\{\\{\\s*\\.(Names|ID|Image|State)\\s*\\}\\}/!names --format=any!text -n/--last=any -l/--latest --no-trunc -q/--quiet!names -s/--size --help --noheading --ns --pod -p --sort=any --sync"}
	rule205 = Rule{Do: "observe", Options: "-f/--follow --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any --help", Operands: "name+", Why: "one container by its name, without --details (they can hold environment variables)"}
	rule206 = Rule{Do: "observe", Options: "-f/--format=template -s/--size --type=any --help", Operands: "name+", Why: "the whole output holds the environment, and that holds secrets; name the part: docker inspect --format '{{json .State}}' NAME", Requires: "-f|--format|--help", Prints: "inspect"}
	rule207 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc --help", Operands: "name*"}
	rule208 = Rule{Do: "observe", Options: "--help", Operands: "name /-?auxw*|-?axu?w*|-efw*|-eLf|-?A|-T|-?a?xo|-e?o|--sort=-?[a-z%]+|(?:(?:pid|ppid|pgid|tid|lwp|nlwp|thcount|user|uid|group|gid|euser|ruser|comm|cmd|args|command|ucmd|stat|state|s|etime|etimes|time|cputime|start|lstart|stime|start_time|pcpu|%cpu|c|pmem|%mem|rss|rsz|vsz|vsize|sz|nice|ni|pri|psr|wchan|tty|tt|cgroup|hpid|huser)=?,?)+/*", Style: "strict", Why: "columns that show the environment are not granted; for example: docker top NAME -eo pid,etime,args"}
	rule209 = Rule{Do: "observe", Options: "--help", Operands: "name any?"}
	rule210 = Rule{Do: "observe", Options: "--help", Operands: "name"}
	rule211 = Rule{Do: "observe", Options: "--help", Operands: "name+"}
	rule212 = Rule{Do: "observe", Options: "-u/--user=any -w/--workdir=any -i/--interactive -t/--tty --detach-keys=any -e/--env=any!unknown --env-file=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the container and one plain command: docker exec NAME COMMAND, without -e, -d, --privileged or a shell that waits for input"}
	rule213 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out, without further options: docker restart NAME"}
	rule214 = Rule{Do: "restart", Operands: "svc+", Why: "write the names out, without further options: docker start NAME", Part: "last"}
	rule215 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out: docker restart NAME, or docker stop NAME && docker start NAME", Part: "first"}
	rule216 = Rule{Do: "restart", Options: "-s/--signal=any", Operands: "svc+", Why: "write the names out: docker restart NAME", Part: "first"}
	rule217 = Rule{Do: "restart", Operands: "svc+"}
	rule218 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the service frozen; docker restart NAME instead"}
	rule219 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it starts what no file defines; look with docker exec NAME …, bring a service back with docker compose -f FILE up -d SERVICE"}
	rule220 = Rule{Do: "unknown", Options: "-f/--force -l/--link -a/--all -i/--ignore -t/--time=any -v/--volumes!forbidden", Operands: "any*", Why: "containers are not removed; docker compose -f FILE up -d --force-recreate SERVICE makes one anew"}
	rule221 = Rule{Do: "forbidden", Options: "-a/--all -f/--force --volumes --filter=any --external --build --help --keep-storage=any --max-used-space=any --min-free-space=any --reserved-space=any --verbose --builder=any", Operands: "any*", Why: "nothing is pruned; report what fills the disk: docker system df -v"}
	rule222 = Rule{Do: "unknown", Operands: "any*", Why: "what a container is, its repository says; change it there and redeploy"}
	rule223 = Rule{Do: "unknown", Operands: "any*", Why: "docker logs --tail 100 NAME shows the output"}
	rule224 = Rule{Do: "unknown", Operands: "any*", Why: "files are not copied; docker exec NAME cat FILE shows one"}
	rule225 = Rule{Do: "unknown", Options: "-o/--output=any -i/--input=any", Operands: "any*", Why: "images are neither brought in, renamed nor sent away"}
	rule226 = Rule{Commands: []Command{
		{"ls", &rule204},
		{"list", &rule204},
		{"ps", &rule204},
		{"logs", &rule205},
		{"inspect", &rule206},
		{"stats", &rule207},
		{"top", &rule208},
		{"port", &rule209},
		{"diff", &rule210},
		{"wait", &rule211},
		{"exec", &rule212},
		{"restart", &rule213},
		{"start", &rule214},
		{"stop", &rule215},
		{"kill", &rule216},
		{"unpause", &rule217},
		{"pause", &rule218},
		{"run", &rule219},
		{"create", &rule219},
		{"rm", &rule220},
		{"remove", &rule220},
		{"prune", &rule221},
		{"update", &rule222},
		{"rename", &rule222},
		{"commit", &rule222},
		{"attach", &rule223},
		{"cp", &rule224},
		{"export", &rule225},
	},
	}
	rule227 = Rule{Do: "observe", Options: "-a/--all --digests -f/--filter=any --format=/\\{\\{\\s*\\.ID\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --tree --help --noheading --sort=any", Operands: "any?"}
	rule228 = Rule{Do: "unknown", Operands: "any*", Why: "it shows arguments and variables of the build; docker images and docker inspect --format show the rest", Loose: true}
	rule229 = Rule{Do: "redeploy", Options: "-q/--quiet --platform=any", Operands: "svc", Why: "one image, written out; better: docker compose -f FILE pull SERVICE", Part: "first", Service: "image"}
	rule230 = Rule{Do: "redeploy", Options: "-t/--tag=svc -f/--file=code --no-cache --pull -q/--quiet --progress=any --target=any --platform=any --rm --force-rm", Operands: "code", Why: "build only from a folder of the repositories, with -t NAME, without --build-arg, --secret, --output or --network", Requires: "-t|--tag", Part: "first", Service: "image"}
	rule231 = Rule{Do: "unknown", Options: "-f/--force --no-prune -a/--all -i/--ignore --platform=any", Operands: "any*", Why: "images are not removed; report a full disk with docker system df"}
	rule232 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human"}
	rule233 = Rule{Commands: []Command{
		{"inspect", &rule206},
		{"ls", &rule227},
		{"list", &rule227},
		{"history", &rule228},
		{"pull", &rule229},
		{"build", &rule230},
		{"rm", &rule231},
		{"remove", &rule231},
		{"untag", &rule231},
		{"prune", &rule221},
		{"save", &rule225},
		{"load", &rule225},
		{"import", &rule225},
		{"tag", &rule225},
		{"push", &rule225},
		{"mount", &rule232},
	},
	}
	rule234 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID|Hostname)\\s*\\}\\}/!names --format=any!text -q/--quiet!names --help"}
	rule235 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-resolve --no-trunc -q/--quiet --help", Operands: "name*"}
	rule236 = Rule{Do: "observe", Options: "-f/--follow --no-resolve --no-task-ids --no-trunc --raw --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --help", Operands: "name"}
	rule237 = Rule{Do: "redeploy", Options: "--force -d --detach[=any] -q/--quiet --with-registry-auth", Operands: "svc", Why: "only docker service update --force NAME, which starts its tasks anew as they are defined", Requires: "--force"}
	rule238 = Rule{Do: "redeploy", Options: "-d --detach[=any] -q/--quiet", Operands: "svc"}
	rule239 = Rule{Do: "forbidden", Options: "-d --detach[=any]", Operands: "any*", Why: "services are not removed; docker service update --force NAME starts one anew"}
	rule240 = Rule{Do: "unknown", Options: "--availability=any --role=any -f/--force -d --detach[=any]", Operands: "any*", Why: "size and shape of the cluster are not changed; hand it to a human"}
	rule241 = Rule{Commands: []Command{
		{"inspect", &rule206},
		{"ls", &rule234},
		{"list", &rule234},
		{"ps", &rule235},
		{"logs", &rule236},
		{"update", &rule237},
		{"rollback", &rule238},
		{"create", &rule219},
		{"rm", &rule239},
		{"remove", &rule239},
		{"scale", &rule240},
	},
	}
	rule242 = Rule{Commands: []Command{
		{"inspect", &rule206},
		{"ls", &rule234},
		{"list", &rule234},
		{"ps", &rule235},
		{"update", &rule240},
		{"rm", &rule240},
		{"promote", &rule240},
		{"demote", &rule240},
	},
	}
	rule243 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --since=any --until=any --stream[=any] --no-trunc --help"}
	rule244 = Rule{Do: "observe", Options: "-f/--format=/(?:[^{}]|\\{\\{\\s*(?:json\\s+)?\\.(?:ServerVersion|Driver|Containers(?:Running|Paused|Stopped)?|Images|NCPU|MemTotal|OperatingSystem|OSType|KernelVersion|Architecture|Name|DockerRootDir|CgroupDriver|CgroupVersion|LoggingDriver|SystemTime|Warnings|LiveRestoreEnabled|DefaultRuntime|Swarm\\.LocalNodeState)\\s*\\}\\})+/ --help"}
	rule245 = Rule{Do: "observe", Options: "-v/--verbose --format=any --help"}
	rule246 = Rule{Commands: []Command{
		{"events", &rule243},
		{"info", &rule244},
		{"df", &rule245},
		{"prune", &rule221},
		{"reset", &rule221},
		{"dial-stdio", &rule232},
		{"service", &rule232},
		{"connection", &rule232},
	},
	}
	rule247 = Rule{Do: "observe", Options: "-f/--format=any --help"}
	rule248 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.Name\\s*\\}\\}/!names --format=any!text -q/--quiet!names --cluster --help"}
	rule249 = Rule{Do: "observe", Options: "-f/--format=/\\{\\{\\s*(?:json\\s+)?\\.(?:Name|Mountpoint|Driver|CreatedAt|Scope)\\s*\\}\\}/ --help", Operands: "name+", Why: "options of a volume may hold a password; name the part: docker volume inspect --format '{{.Mountpoint}}' NAME", Requires: "-f|--format|--help"}
	rule250 = Rule{Do: "forbidden", Options: "-f/--force -a/--all -t/--time=any --help", Operands: "any*", Why: "volumes hold the services' data"}
	rule251 = Rule{Do: "unknown", Operands: "any*", Why: "volumes hold the services' data; look with docker volume ls and docker volume inspect"}
	rule252 = Rule{Commands: []Command{
		{"ls", &rule248},
		{"list", &rule248},
		{"inspect", &rule249},
		{"rm", &rule250},
		{"remove", &rule250},
		{"create", &rule251},
		{"update", &rule251},
		{"import", &rule251},
		{"export", &rule251},
		{"mount", &rule251},
		{"unmount", &rule251},
		{"reload", &rule251},
		{"prune", &rule221},
	},
	}
	rule253 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID)\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --help"}
	rule254 = Rule{Do: "observe", Options: "-f/--format=any -v/--verbose --help", Operands: "name+"}
	rule255 = Rule{Do: "forbidden", Options: "-f/--force --ip=any --alias=any --driver=any -d=any --subnet=any", Operands: "any*", Why: "network configuration is not changed; look with docker network inspect"}
	rule256 = Rule{Commands: []Command{
		{"ls", &rule253},
		{"list", &rule253},
		{"inspect", &rule254},
		{"prune", &rule221},
		{"rm", &rule255},
		{"remove", &rule255},
		{"connect", &rule255},
		{"disconnect", &rule255},
		{"create", &rule255},
		{"update", &rule255},
		{"reload", &rule255},
	},
	}
	rule257 = Rule{Do: "observe", Options: "--format=any -q/--quiet --help"}
	rule258 = Rule{Do: "observe", Options: "-f/--format=any --help", Operands: "name*"}
	rule259 = Rule{Commands: []Command{
		{"ls", &rule257},
		{"list", &rule257},
		{"show", &rule16},
		{"inspect", &rule258},
		{"use", &rule232},
		{"create", &rule232},
		{"update", &rule232},
		{"import", &rule232},
		{"export", &rule232},
		{"rm", &rule232},
	},
	}
	rule260 = Rule{Do: "observe", Options: "--format=any --no-trunc --help"}
	rule261 = Rule{Do: "observe", Options: "--filter=any --format=any --verbose --help"}
	rule262 = Rule{Commands: []Command{
		{"ls", &rule260},
		{"version", &rule260},
		{"du", &rule261},
		{"disk-usage", &rule261},
		{"prune", &rule221},
		{"build", &rule232},
		{"bake", &rule232},
		{"create", &rule232},
		{"use", &rule232},
		{"rm", &rule232},
		{"imagetools", &rule232},
	},
	}
	rule263 = Rule{Commands: []Command{
		{"ls", &rule260},
		{"du", &rule261},
		{"prune", &rule221},
	},
	}
	rule264 = Rule{Do: "redeploy", Options: "-c/--compose-file=code -d --detach[=any] -q/--quiet --resolve-image=always|changed|never --with-registry-auth --prune!forbidden", Operands: "svc", Why: "only a stack file of the repositories, without --prune: docker stack deploy -c FILE NAME", Requires: "-c|--compose-file"}
	rule265 = Rule{Do: "unknown", Options: "-f/--format=any", Operands: "any*", Why: "the output holds environments; docker service ps NAME, docker service logs NAME show the state"}
	rule266 = Rule{Commands: []Command{
		{"ls", &rule234},
		{"list", &rule234},
		{"ps", &rule235},
		{"services", &rule235},
		{"deploy", &rule264},
		{"up", &rule264},
		{"rm", &rule239},
		{"remove", &rule239},
		{"down", &rule239},
		{"config", &rule265},
	},
	}
	rule267 = Rule{Do: "forbidden", Options: "-f/--format=any --pretty --showsecret -a/--all -i/--ignore -d/--driver=any -l/--label=any", Operands: "any*", Why: "secrets are neither shown nor changed"}
	rule268 = Rule{Commands: []Command{
		{"ls", &rule234},
		{"list", &rule234},
		{"prune", &rule221},
		{"rm", &rule267},
		{"create", &rule267},
		{"inspect", &rule267},
	},
	}
	rule269 = Rule{Do: "unknown", Operands: "any*", Why: "configurations can hold secrets; docker config ls shows the names"}
	rule270 = Rule{Commands: []Command{
		{"ls", &rule234},
		{"list", &rule234},
		{"inspect", &rule269},
		{"create", &rule269},
		{"rm", &rule269},
	},
	}
	rule271 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-reset", Operands: "name*"}
	rule272 = Rule{Commands: []Command{
		{"ps", &rule234},
		{"ls", &rule234},
		{"list", &rule234},
		{"stats", &rule271},
		{"top", &rule271},
		{"restart", &rule213},
		{"start", &rule214},
		{"stop", &rule215},
		{"kill", &rule216},
		{"rm", &rule220},
		{"prune", &rule221},
		{"inspect", &rule265},
	},
	}
	rule273 = Rule{Do: "observe", Operands: "name"}
	rule274 = Rule{Commands: []Command{
		{"run", &rule273},
	},
	}
	rule275 = Rule{Do: "observe", Options: "--dry-run --format=any", Why: "without --dry-run it replaces containers", Requires: "--dry-run"}
	rule276 = Rule{Commands: []Command{
		{"kube", &rule219},
	},
	}
	rule277 = Rule{Commands: []Command{
		{"play", &rule219},
	},
	}
	rule278 = Rule{Do: "forbidden", Options: "-f/--force -q/--quiet --rotate --token=any", Operands: "any*", Why: "the cluster and its keys are not touched"}
	rule279 = Rule{Commands: []Command{
		{"leave", &rule278},
		{"join", &rule278},
		{"join-token", &rule278},
		{"init", &rule278},
		{"update", &rule278},
		{"unlock", &rule278},
		{"unlock-key", &rule278},
		{"ca", &rule278},
	},
	}
	rule280 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-trunc -q/--quiet"}
	rule281 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human", Commands: []Command{
		{"ls", &rule280},
		{"list", &rule280},
	},
	}
	rule282 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=/\\{\\{\\s*\\.(Names?|ID|Service)\\s*\\}\\}/!names --format=any!text --no-trunc --orphans[=any] -q/--quiet!names --services!names --status=any", Operands: "name*"}
	rule283 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=any!text -q/--quiet!names"}
	rule284 = Rule{Do: "observe", Options: "-f/--follow --index=any --no-color --no-log-prefix --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any", Operands: "name*"}
	rule285 = Rule{Do: "observe", Options: "--format=any -q/--quiet", Operands: "name*"}
	rule286 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc", Operands: "name*"}
	rule287 = Rule{Do: "observe", Options: "--json --since=any --until=any", Operands: "name*"}
	rule288 = Rule{Do: "observe", Options: "--index=any --protocol=any", Operands: "name any"}
	rule289 = Rule{Do: "observe", Options: "-f/--format=any --short"}
	rule290 = Rule{Do: "observe", Options: "--services!names -q/--quiet --images --profiles --volumes --networks --models --hash=any --format=any --no-consistency --no-interpolate --no-normalize --no-path-resolution --no-env-resolution", Operands: "name*", Why: "the whole configuration shows the environment; ask for a part: config --services, --images, --volumes or -q", Requires: "--services|-q|--quiet|--images|--profiles|--volumes|--networks|--models|--hash"}
	rule291 = Rule{Do: "observe", Options: "-T/--no-tty/--no-TTY -i/--interactive -t/--tty --index=any -u/--user=any -w/--workdir=any -e/--env=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the service and one plain command: docker compose exec -T SERVICE COMMAND"}
	rule292 = Rule{Do: "restart", Options: "-t/--timeout=any --no-deps", Operands: "svc*"}
	rule293 = Rule{Do: "restart", Options: "--wait --wait-timeout=any", Operands: "svc*", Part: "last"}
	rule294 = Rule{Do: "restart", Options: "-t/--timeout=any", Operands: "svc*", Part: "first"}
	rule295 = Rule{Do: "restart", Options: "-s/--signal=any --remove-orphans!unknown", Operands: "svc*", Part: "first"}
	rule296 = Rule{Do: "restart", Operands: "svc*"}
	rule297 = Rule{Do: "restart", Options: "-d/--detach --wait --wait-timeout=any --no-color --no-log-prefix --no-deps --no-build --no-recreate --quiet-pull --quiet-build --timestamps -t/--timeout=any -y/--yes --build!redeploy --force-recreate!redeploy --always-recreate-deps!redeploy --pull=always|missing|if_not_present|never|build|newer!redeploy -V/--renew-anon-volumes!forbidden --remove-orphans!unknown --scale=any!unknown", Operands: "svc*", Why: "with -d (else its end stops the services), without --scale, --remove-orphans and -V (anonymous volumes hold data): docker compose -f FILE up -d SERVICE", Requires: "-d|--detach|--wait", Part: "last"}
	rule298 = Rule{Do: "redeploy", Options: "-t/--timeout=any -v!forbidden --volumes[=any]!forbidden --rmi=any!unknown --remove-orphans!unknown", Operands: "svc*", Why: "volumes, images and other services' containers stay: docker compose -f FILE down, then up -d", Part: "first"}
	rule299 = Rule{Do: "redeploy", Options: "-q/--quiet --ignore-buildable --ignore-pull-failures --include-deps --policy=any --no-parallel --parallel", Operands: "svc*", Part: "first"}
	rule300 = Rule{Do: "redeploy", Options: "--no-cache --pull -q/--quiet --progress=any --with-dependencies --no-rm --force-rm --parallel -m/--memory=any", Operands: "svc*", Why: "only as the compose file says, without --build-arg, --push, --ssh or --builder", Part: "first"}
	rule301 = Rule{Do: "redeploy", Options: "--build --force-recreate --no-build --no-recreate --pull=always|missing|if_not_present|never|build --quiet-pull -y/--yes", Operands: "svc*", Part: "first"}
	rule302 = Rule{Do: "unknown", Options: "-f/--force -s/--stop -v/--volumes!forbidden -a/--all", Operands: "any*", Why: "containers are not removed; up -d --force-recreate SERVICE makes one anew"}
	rule303 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with ps, logs, top, exec, bring back with restart or up -d"}
	rule304 = Rule{Do: "observe", Options: "-f/--file=code -p/--project-name=lit --project-directory=code --env-file=credential --profile=lit --ansi=any --progress=any --parallel=any --compatibility --all-resources --verbose --dry-run -v/--version -h/--help --no-ansi --no-color --log-level=any", Style: "pflag", Why: "compose files, their folder and their variables come from the repositories only: docker compose -f FILE SUBCOMMAND", Service: "project", Cwd: "code", Commands: []Command{
		{"help", &rule135},
		{"ps", &rule282},
		{"ls", &rule283},
		{"logs", &rule284},
		{"top", &rule285},
		{"images", &rule285},
		{"volumes", &rule285},
		{"stats", &rule286},
		{"events", &rule287},
		{"port", &rule288},
		{"version", &rule289},
		{"config", &rule290},
		{"exec", &rule291},
		{"restart", &rule292},
		{"start", &rule293},
		{"stop", &rule294},
		{"kill", &rule295},
		{"unpause", &rule296},
		{"up", &rule297},
		{"down", &rule298},
		{"pull", &rule299},
		{"build", &rule300},
		{"create", &rule301},
		{"rm", &rule302},
		{"run", &rule303},
		{"scale", &rule303},
		{"pause", &rule303},
		{"cp", &rule303},
		{"push", &rule303},
		{"publish", &rule303},
		{"export", &rule303},
		{"commit", &rule303},
		{"watch", &rule303},
		{"wait", &rule303},
		{"attach", &rule303},
		{"alpha", &rule303},
		{"bridge", &rule303},
		{"convert", &rule303},
		{"import", &rule303},
	},
	}
	rule305 = Rule{Do: "observe", Options: "-v/--version -h/--help -D/--debug -l/--log-level=any -c/--context=/default/ -n/--namespace=any", Style: "pflag", Why: "another daemon, context or configuration is not granted; write the subcommand plainly: docker ps, docker logs NAME, docker inspect --format …", Commands: []Command{
		{"help", &rule135},
		{"ps", &rule204},
		{"container", &rule226},
		{"logs", &rule205},
		{"inspect", &rule206},
		{"image", &rule233},
		{"service", &rule241},
		{"node", &rule242},
		{"stats", &rule207},
		{"top", &rule208},
		{"port", &rule209},
		{"diff", &rule210},
		{"wait", &rule211},
		{"events", &rule243},
		{"system", &rule246},
		{"images", &rule227},
		{"history", &rule228},
		{"version", &rule247},
		{"info", &rule244},
		{"volume", &rule252},
		{"network", &rule256},
		{"context", &rule259},
		{"buildx", &rule262},
		{"builder", &rule263},
		{"stack", &rule266},
		{"secret", &rule268},
		{"config", &rule270},
		{"pod", &rule272},
		{"healthcheck", &rule274},
		{"auto-update", &rule275},
		{"exec", &rule212},
		{"restart", &rule213},
		{"start", &rule214},
		{"stop", &rule215},
		{"kill", &rule216},
		{"unpause", &rule217},
		{"pause", &rule218},
		{"pull", &rule229},
		{"build", &rule230},
		{"run", &rule219},
		{"create", &rule219},
		{"debug", &rule219},
		{"play", &rule276},
		{"kube", &rule277},
		{"rm", &rule220},
		{"rmi", &rule231},
		{"swarm", &rule279},
		{"update", &rule222},
		{"rename", &rule222},
		{"commit", &rule222},
		{"attach", &rule223},
		{"cp", &rule224},
		{"save", &rule225},
		{"load", &rule225},
		{"import", &rule225},
		{"export", &rule225},
		{"tag", &rule225},
		{"push", &rule225},
		{"plugin", &rule281},
		{"login", &rule232},
		{"logout", &rule232},
		{"search", &rule232},
		{"scout", &rule232},
		{"trust", &rule232},
		{"manifest", &rule232},
		{"app", &rule232},
		{"extension", &rule232},
		{"model", &rule232},
		{"mcp", &rule232},
		{"sandbox", &rule232},
		{"init", &rule232},
		{"mount", &rule232},
		{"unmount", &rule232},
		{"unshare", &rule232},
		{"machine", &rule232},
		{"generate", &rule232},
		{"checkpoint", &rule232},
		{"namespace", &rule232},
		{"ipfs", &rule232},
		{"compose", &rule304},
	},
	}
	rule306 = Rule{Do: "observe", Options: "-v --version", Why: "building and installing are for people", Requires: "-v|--version", Cwd: "settings"}
	rule307 = Rule{Commands: []Command{
		{"status", &rule29},
	},
	}
	rule308 = Rule{Commands: []Command{
		{"dump", &rule29},
	},
	}
	rule309 = Rule{Do: "observe", Commands: []Command{
		{"who", &rule29},
		{"service", &rule307},
		{"process", &rule307},
		{"stats", &rule308},
		{"replicator", &rule307},
	},
	}
	rule310 = Rule{Do: "observe", Options: "-n -a -N --version", Requires: "-n|-a|-N|--version"}
	rule311 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -p/--print-avail -V/--verify -C/--audit --print-architecture --print-foreign-architectures --get-selections --compare-versions --no-pager --version --help --assert-multi-arch", Operands: "any*", Why: "packages are for people; what is installed: dpkg -l", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|-V|--verify|-C|--audit|--print-architecture|--print-foreign-architectures|--get-selections|--compare-versions|--version|--help"}
	rule312 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -W/--show -f/--showformat=any --no-pager --version", Operands: "any*", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-W|--show|--version"}
	rule313 = Rule{Do: "observe", Operands: "lit?"}
	rule314 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule313},
		{"cstate", &rule313},
		{"dstate", &rule313},
		{"role", &rule313},
	},
	}
	rule315 = Rule{Do: "observe", Options: "-4 -6 -a -D -h -Q -s -S -T -u -v -V=/[0-9]/ -x", Operands: "/[A-Za-z0-9_*][A-Za-z0-9._*-]*|@[A-Za-z0-9._:-]+|[0-9A-Fa-f.:]+/+", Why: "names are written out: drill NAME @SERVER"}
	rule316 = Rule{Do: "forbidden", Why: "it deletes data; a person has to do that", Loose: true}
	rule317 = Rule{Do: "observe", Options: "-c -d -D=any -g -i -l -m -n -N=any -p -r -s -S=any -t -T -y -a -f -v --tcp --udp --unix --nocolor --noheaders --noupdate --version", Operands: "/[0-9]+/*"}
	rule318 = Rule{Do: "observe", Options: "-0/--null -a/--all --apparent-size -B/--block-size=any -b/--bytes -c/--total -D/--dereference-args -d/--max-depth=any -H -h/--human-readable --inodes -k -L/--dereference -l/--count-links -m -P/--no-dereference -S/--separate-dirs --si -s/--summarize -t/--threshold=any --time[=any] --time-style=any --exclude=any -x/--one-file-system --help --version", Operands: "meta*", Style: "gnu", Globs: true}
	rule319 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: du -xh --max-depth=1 DIR | sort -h", Loose: true}
	rule320 = Rule{Do: "observe", Options: "-h -b -g -x", Operands: "meta"}
	rule321 = Rule{Do: "observe", Options: "-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp=any!first -f/--file=file!first -i/-y/--ignore-case --no-ignore-case -w/--word-regexp -x/--line-regexp -z/--null-data -s/--no-messages -v/--invert-match -V/--version --help -m/--max-count=/[0-9]+/ -b/--byte-offset -n/--line-number --line-buffered -H/--with-filename -h/--no-filename --label=any -o/--only-matching -q/--quiet/--silent --binary-files=any -a/--text -I -d/--directories=skip|read -D/--devices=skip|read -r/--recursive!cwd -R/--dereference-recursive!cwd --include=any --exclude=any --exclude-from=file --exclude-dir=any -L/--files-without-match -l/--files-with-matches -c/--count -T/--initial-tab -Z/--null -B/--before-context=/[0-9]+/ -A/--after-context=/[0-9]+/ -C/--context=/[0-9]+/ -# --group-separator=any --no-group-separator --color[=any] --colour[=any] -U/--binary", Operands: "any tree*", Style: "gnu", Globs: true}
	rule322 = Rule{Do: "observe", Options: "-i/--driver -k/--show-features/--show-offload -S/--statistics -g/--show-ring -a/--show-pause -c/--show-coalesce -l/--show-channels -m/--module-info/--dump-module-eeprom -T/--show-time-stamping -n/-u/--show-nfc/--show-ntuple --show-eee --show-fec -P/--show-permaddr --show-priv-flags --phy-statistics -j/--json -I/--include-statistics --version -h/--help", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule323 = Rule{Do: "observe", Options: "-bp -bpc -bpr -bV", Requires: "-bp|-bpc|-bpr|-bV"}
	rule324 = Rule{Do: "observe", Options: "-c -s -a"}
	rule325 = Rule{Do: "observe", Options: "-t/--tabs=any", Operands: "file*", Loose: true}
	rule326 = Rule{Do: "observe", Options: "-v -s", Requires: "-v|-s"}
	rule327 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule313},
		{"ping", &rule16},
		{"version", &rule16},
		{"banned", &rule16},
	},
	}
	rule328 = Rule{Do: "observe", Options: "-l/--list -o/--output=any -u/--units[=any] -x/--list-details --bytes -L/--color[=any] -v/-V/--version", Operands: "meta*", Why: "partitions are only shown: fdisk -l", Requires: "-l|--list|-x|-v|-V|--version"}
	rule329 = Rule{Do: "observe", Options: "-b/--brief -e/--exclude=any -F/--separator=any -i/--mime --mime-type --mime-encoding --extension -k/--keep-going -L/--dereference -h/--no-dereference -n/--no-buffer -N/--no-pad -p/--preserve-date -r/--raw -s/--special-files -0/--print0 -v/--version --help", Operands: "meta*", Style: "gnu", Globs: true}
	rule330 = Rule{Do: "observe", Options: "-s/--fstab -m/--mtab -k/--kernel -p/--poll[=any] -w/--timeout=any -A/--all -a/--ascii -b/--bytes -C/--nocanonicalize -c/--canonicalize -D/--df -d/--direction=any -e/--evaluate -f/--first-only -i/--invert -J/--json -l/--list -n/--noheadings -O/--options=any -o/--output=any --output-all -P/--pairs --pseudo --shadowed -R/--submounts -r/--raw --real -S/--source=any -T/--target=meta --tree -M/--mountpoint=meta -t/--types=any -U/--uniq -u/--notruncate -v/--nofsroot -y/--shell -x/--verify --verbose --vfs-all -h/--help -V/--version", Operands: "meta*", Style: "gnu"}
	rule331 = Rule{Do: "observe", Options: "--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone --get-services --list-services --list-ports --list-protocols --list-rich-rules --list-interfaces --list-sources --list-forward-ports --get-log-denied --zone=any --permanent --get-zone-of-interface=any --query-service=any --query-port=any --query-masquerade -V/--version -h/--help", Why: "the packet filter is read only: firewall-cmd --list-all"}
	rule332 = Rule{Do: "observe", Options: "-A/--all-namespaces --status-selector=lit -l/--label-selector=lit --no-header", Operands: "lit*"}
	rule333 = Rule{Commands: []Command{
		{"all", &rule332},
		{"git", &rule332},
		{"helm", &rule332},
		{"oci", &rule332},
	},
	}
	rule334 = Rule{Commands: []Command{
		{"git", &rule332},
		{"helm", &rule332},
	},
	}
	rule335 = Rule{Commands: []Command{
		{"all", &rule332},
	},
	}
	rule336 = Rule{Commands: []Command{
		{"kustomizations", &rule332},
		{"kustomization", &rule332},
		{"ks", &rule332},
		{"helmreleases", &rule332},
		{"helmrelease", &rule332},
		{"hr", &rule332},
		{"sources", &rule333},
		{"source", &rule334},
		{"images", &rule335},
		{"alerts", &rule332},
	},
	}
	rule337 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Why: "only looked at: flux get kustomizations -A", Commands: []Command{
		{"get", &rule336},
		{"check", &rule16},
		{"version", &rule16},
	},
	}
	rule338 = Rule{Do: "observe", Options: "-w/--width=any", Operands: "file*", Loose: true}
	rule339 = Rule{Do: "observe", Options: "-4/--ipv4 -6/--ipv6 -A/--addr -a/--alive -b/--size=lit -B/--backoff=lit -C/--vcount=lit -c/--count=lit -D/--timestamp -d/--rdns -e/--elapsed -H/--ttl=lit -I/--iface=lit -i/--interval=lit -M/--dontfrag -m/--all -N/--netdata -n/--name -O/--tos=lit -o/--outage -p/--period=lit -q/--quiet -r/--retry=lit -S/--src=lit -s/--stats -t/--timeout=lit -u/--unreach -v/--version -x/--reachable=lit -J/--json", Operands: "host+", Why: "hosts are written out: fping -c 3 HOST…", Stdin: "none"}
	rule340 = Rule{Do: "observe", Options: "-b -k -m -g -h -l -t -v -w -s=any -c=any", Operands: "any*", Loose: true}
	rule341 = Rule{Do: "observe", Options: "-a/--all -I/--inode -l/--list-signals -m/--mount -M/--ismountpoint -n/--namespace=file|tcp|udp!apart -s/--silent -u/--user -v/--verbose -V/--version -4/--ipv4 -6/--ipv6", Operands: "meta*", Why: "ending processes (-k) is not granted; restart the service"}
	rule342 = Rule{Do: "observe", Options: "-r -n -v", Operands: "meta+"}
	rule343 = Rule{Do: "observe", Operands: "host*"}
	rule344 = Rule{Do: "forbidden", Operands: "any*", Why: "password hashes are secrets", Loose: true}
	rule345 = Rule{Do: "observe", Options: "-i/--no-idn", Why: "its own services, without -s, which names a library", Commands: []Command{
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
		{"hosts", &rule343},
		{"ahosts", &rule343},
		{"ahostsv4", &rule343},
		{"ahostsv6", &rule343},
		{"shadow", &rule344},
		{"gshadow", &rule344},
	},
	}
	rule346 = Rule{Do: "observe", Options: "-a/--access -d/--default -c/--omit-header -e/--all-effective -n/--numeric -p/--absolute-names -t/--tabular -R/--recursive -L -P", Operands: "meta+"}
	rule347 = Rule{Do: "observe", Options: "-a", Operands: "lit?"}
	rule348 = Rule{Do: "observe", Options: "-a/--all -b/--branch=lit -c/--commit=lit --created=lit -e/--event=lit -s/--status=lit -u/--user=lit -w/--workflow=lit"}
	rule349 = Rule{Do: "observe", Options: "-v/--verbose --log --log-failed -j/--job=lit -a/--attempt=lit --exit-status", Operands: "/[0-9]+/?"}
	rule350 = Rule{Commands: []Command{
		{"list", &rule348},
		{"ls", &rule348},
		{"view", &rule349},
	},
	}
	rule351 = Rule{Do: "observe", Options: "-A/--author=lit -a/--assignee=lit -B/--base=lit -H/--head=lit -l/--label=lit -s/--state=lit -S/--search=lit -m/--milestone=lit -d/--draft"}
	rule352 = Rule{Do: "observe", Options: "-c/--comments", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule353 = Rule{Do: "observe", Options: "--color=lit --name-only --patch", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule354 = Rule{Do: "observe", Options: "--required", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule355 = Rule{Do: "observe", Options: "-t/--show-token!forbidden -h/--hostname=/github\\.com/ -a/--active -c/--conflict-status", Why: "a token is a secret; leave --show-token out"}
	rule356 = Rule{Commands: []Command{
		{"list", &rule351},
		{"ls", &rule351},
		{"view", &rule352},
		{"diff", &rule353},
		{"checks", &rule354},
		{"status", &rule355},
	},
	}
	rule357 = Rule{Commands: []Command{
		{"list", &rule351},
		{"ls", &rule351},
		{"view", &rule352},
		{"status", &rule355},
	},
	}
	rule358 = Rule{Do: "forbidden", Operands: "any*", Why: "a token is a secret", Loose: true}
	rule359 = Rule{Commands: []Command{
		{"status", &rule355},
		{"token", &rule358},
	},
	}
	rule360 = Rule{Do: "observe", Options: "--exclude-drafts --exclude-pre-releases -O/--order=lit"}
	rule361 = Rule{Do: "observe", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule362 = Rule{Commands: []Command{
		{"list", &rule360},
		{"ls", &rule360},
		{"view", &rule361},
	},
	}
	rule363 = Rule{Do: "observe", Options: "-a/--all"}
	rule364 = Rule{Do: "observe", Options: "-y/--yaml -r/--ref=lit", Operands: "lit"}
	rule365 = Rule{Commands: []Command{
		{"list", &rule363},
		{"ls", &rule363},
		{"view", &rule364},
	},
	}
	rule366 = Rule{Do: "observe", Options: "-b/--branch=lit", Operands: "/[A-Za-z0-9_.-]+(?:\\/[A-Za-z0-9_.-]+)?/?"}
	rule367 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a repository", Loose: true}
	rule368 = Rule{Commands: []Command{
		{"view", &rule366},
		{"delete", &rule367},
	},
	}
	rule369 = Rule{Do: "observe", Options: "--version", Persistent: "-R/--repo=/[A-Za-z0-9_.-]+\\/[A-Za-z0-9_.-]+/ --json=lit -q/--jq=jq --template=lit -L/--limit=lit", Style: "pflag", Why: "run, pr, issue, release, workflow and repo are looked at: list, view, diff, checks; nothing is created, run or changed", Requires: "--version", Cwd: "repository", Commands: []Command{
		{"run", &rule350},
		{"pr", &rule356},
		{"issue", &rule357},
		{"auth", &rule359},
		{"release", &rule362},
		{"workflow", &rule365},
		{"repo", &rule368},
		{"version", &rule16},
	},
	}
	rule370 = Rule{Do: "observe", Options: "-s/--short -b/--branch --show-stash --porcelain[=any] --long -u[=any] --untracked-files[=any] --ignored[=any] -z/--null --column[=any] --no-column --ahead-behind --no-ahead-behind --renames -M[=any]", Operands: "meta*", Check: "git"}
	rule371 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -g -i -E -F -P -q -r", Operands: "rev*", Check: "git"}
	rule372 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -q -r", Operands: "rev*", Check: "git"}
	rule373 = Rule{Do: "observe", Options: "-p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -q -0 -1 -2 -3 --cached --staged --merge-base --base --ours --theirs", Operands: "rev*", Check: "git"}
	rule374 = Rule{Do: "observe", Options: "-p -u -s -r -t -z -c -m -v -U=any -M[=any] -C[=any] -R -S=any -G=any --root --cached --no-commit-id --merge-base", Operands: "rev*", Check: "git"}
	rule375 = Rule{Do: "observe", Options: "-v -s -p --creation-factor=any", Operands: "rev*", Check: "git"}
	rule376 = Rule{Do: "observe", Options: "-a -r -v -vv/--verbose -q -l/--list -i/--ignore-case --show-current --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "branches are only listed: git branch -a -vv"}
	rule377 = Rule{Do: "observe", Options: "-l/--list -n[=any] -i/--ignore-case --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "tags are only listed: git tag -l --sort=-creatordate | head"}
	rule378 = Rule{Do: "observe", Options: "--push --all", Operands: "lit"}
	rule379 = Rule{Do: "observe", Options: "-n", Operands: "lit*", Requires: "-n"}
	rule380 = Rule{Do: "observe", Options: "-v/--verbose", Why: "remotes are only listed: git remote -v", Commands: []Command{
		{"get-url", &rule378},
		{"show", &rule379},
	},
	}
	rule381 = Rule{Do: "observe", Options: "--short[=any] --abbrev-ref[=any] --verify -q --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --revs-only --no-revs --flags --no-flags --path-format=any --show-superproject-working-tree --show-object-format", Operands: "any*"}
	rule382 = Rule{Do: "observe", Options: "-n=any -# -i -E -F -P -g --objects --disk-usage[=any] --header --timestamp --no-commit-header --left-only", Operands: "rev*", Check: "git"}
	rule383 = Rule{Do: "observe", Options: "-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage -u/--unmerged -k/--killed -t -v -f -z --directory --no-empty-directory --eol --deduplicate --exclude-standard -x=any --error-unmatch --full-name --recurse-submodules --sparse", Operands: "meta*"}
	rule384 = Rule{Do: "observe", Options: "-r -d -t -l/--long -z --full-name --full-tree --object-only", Operands: "any meta*"}
	rule385 = Rule{Do: "observe", Options: "-L=/[^:].*|:[A-Za-z0-9_.-]+/ -l -t -s -e/--show-email -w -b -c -f/--show-name -n/--show-number -p/--porcelain --line-porcelain --incremental --root --show-stats --score-debug --progress --no-progress -M[=any] -C[=any] --ignore-rev=lit --color-lines --color-by-age", Operands: "rev+", Check: "git"}
	rule386 = Rule{Do: "observe", Options: "--always --long --dirty[=any] --broken[=any] --exact-match --contains --match=any --candidates=any --debug", Operands: "any*"}
	rule387 = Rule{Do: "observe", Options: "--refs=any --no-undefined --always", Operands: "any*"}
	rule388 = Rule{Do: "observe", Options: "-s -n/--numbered -e/--email -c/--committer --group=any -w[=any]", Operands: "rev*", Check: "git"}
	rule389 = Rule{Do: "observe", Options: "-n=any -# -s", Check: "git"}
	rule390 = Rule{Do: "observe", Options: "--include-untracked --only-untracked", Operands: "/stash@\\{[0-9]+\\}|[0-9]+/?", Check: "git"}
	rule391 = Rule{Do: "forbidden", Operands: "any*", Why: "it changes the repository; git stash list shows", Check: "git", Loose: true, Commands: []Command{
		{"list", &rule389},
		{"show", &rule390},
	},
	}
	rule392 = Rule{Do: "observe", Options: "-t -s -e -p", Operands: "rev", Requires: "-t|-s|-e|-p", Check: "git"}
	rule393 = Rule{Do: "observe", Options: "-e=any!first -# -A/--after-context=any -B/--before-context=any -C/--context=any -E -F -G -P -H -I -L/--files-without-match -W -a -c -h -i/--ignore-case -l/--files-with-matches -m=any -n/--line-number -o/--only-matching -p/--show-function -q -r/--recursive -v/--invert-match -w/--word-regexp -z/--null --and --or --not --break --cached --column --exclude-standard --full-name --heading --max-depth=any --no-index!unknown --threads=any --untracked!unknown --no-recursive --recurse-submodules", Operands: "any rev*", Check: "git"}
	rule394 = Rule{Do: "observe", Options: "-n=any -# -i -s", Operands: "any*", Check: "git"}
	rule395 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes history", Loose: true}
	rule396 = Rule{Do: "observe", Options: "-n=any -# -i", Why: "it only shows: git reflog -5", Check: "git", Bare: true, Commands: []Command{
		{"show", &rule394},
		{"expire", &rule395},
		{"delete", &rule395},
		{"drop", &rule395},
	},
	}
	rule397 = Rule{Do: "observe", Options: "--sort=any --contains[=any] --no-contains[=any] --merged[=any] --no-merged[=any] --points-at=any --ignore-case --omit-empty --count=any", Operands: "any*"}
	rule398 = Rule{Do: "observe", Options: "--head --heads --branches -d/--dereference -s/--hash[=any] --verify -q", Operands: "any*"}
	rule399 = Rule{Do: "observe", Options: "-a --is-ancestor --octopus --independent --fork-point", Operands: "any+"}
	rule400 = Rule{Do: "observe", Options: "-v/--verbose -q -n/--non-matching -a --no-index -z", Operands: "any*"}
	rule401 = Rule{Do: "observe", Options: "-v/--verbose -H/--human-readable"}
	rule402 = Rule{Do: "observe", Options: "-v/--verbose --porcelain -z"}
	rule403 = Rule{Do: "unknown", Why: "work trees are only listed: git worktree list", Commands: []Command{
		{"list", &rule402},
	},
	}
	rule404 = Rule{Do: "observe", Options: "--cached --recursive", Operands: "meta*"}
	rule405 = Rule{Do: "observe", Why: "submodules are only listed: git submodule status", Commands: []Command{
		{"status", &rule404},
	},
	}
	rule406 = Rule{Do: "observe", Operands: "any?"}
	rule407 = Rule{Do: "observe", Why: "notes are only shown: git notes list", Commands: []Command{
		{"list", &rule406},
		{"show", &rule406},
	},
	}
	rule408 = Rule{Do: "observe", Options: "--build-options"}
	rule409 = Rule{Do: "forbidden", Operands: "any*", Why: "repositories are not changed by agents; write into the handoff what a person should change", Loose: true}
	rule410 = Rule{Do: "forbidden", Operands: "any*", Why: "credentials are secrets", Loose: true}
	rule411 = Rule{Do: "observe", Options: "--get=/(?:remote\\.[A-Za-z0-9_-]+\\.(?:url|fetch)|branch\\.[A-Za-z0-9_\\/-]+\\.(?:remote|merge)|user\\.(?:name|email)|core\\.bare)/", Why: "one key of these: git config --get remote.origin.url", Requires: "--get"}
	rule412 = Rule{Do: "unknown", Operands: "any*", Why: "it can run programs, show credentials or reach out; git log, diff, show and status only look", Loose: true}
	rule413 = Rule{Do: "observe", Options: "-C=code -P/--no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --literal-pathspecs --glob-pathspecs --icase-pathspecs -v/--version", Persistent: "--patch --no-patch --unified=any --raw --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored=any --diff-algorithm=any --stat[=any] --stat-width=any --stat-name-width=any --stat-count=any --stat-graph-width=any --compact-summary --numstat --shortstat --dirstat[=any] --cumulative --dirstat-by-file[=any] --summary --name-only --name-status --submodule[=any] --color[=any] --no-color --color-moved[=any] --no-color-moved --color-moved-ws=any --word-diff[=any] --word-diff-regex=any --color-words[=any] --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=any --full-index --binary --abbrev[=any] --no-abbrev --break-rewrites[=any] --find-renames[=any] --find-copies[=any] --find-copies-harder --irreversible-delete --diff-filter=any --find-object=any --pickaxe-all --pickaxe-regex --relative[=any] --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=any --inter-hunk-context=any --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=any] --src-prefix=any --dst-prefix=any --no-prefix --default-prefix --line-prefix=any --output-indicator-new=any --output-indicator-old=any --output-indicator-context=any --indent-heuristic --no-indent-heuristic --oneline --graph --no-graph --decorate[=any] --no-decorate --decorate-refs=any --decorate-refs-exclude=any --clear-decorations --all --branches[=any] --tags[=any] --remotes[=any] --glob=any --exclude=any --max-count=any --skip=any --since=any --after=any --until=any --before=any --author=any --committer=any --grep=any --grep-reflog=any --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=any --max-parents=any --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --follow --reverse --date=any --relative-date --format=any --pretty[=any] --abbrev-commit --no-abbrev-commit --encoding=any --expand-tabs[=any] --no-expand-tabs --notes[=any] --no-notes --left-right --cherry-pick --cherry-mark --cherry --walk-reflogs --merge --boundary --simplify-merges --simplify-by-decoration --full-history --dense --sparse --ancestry-path[=any] --topo-order --date-order --author-date-order --parents --children --left-only --right-only --source --use-mailmap --mailmap --no-mailmap --log-size --cc --combined-all-paths --diff-merges=any --no-diff-merges --remerge-diff --no-walk[=any] --do-walk --count --show-linear-break[=any]", Style: "gnu", Why: "repositories are only looked at, where they lie: git -C FOLDER log -5 --stat; status, diff, show, blame, branch, tag and their like, without -c and without pagers", Requires: "--version|-v", Cwd: "repository", Commands: []Command{
		{"status", &rule370},
		{"log", &rule371},
		{"whatchanged", &rule371},
		{"show", &rule372},
		{"diff", &rule373},
		{"diff-tree", &rule374},
		{"diff-index", &rule374},
		{"diff-files", &rule374},
		{"range-diff", &rule375},
		{"cherry", &rule375},
		{"branch", &rule376},
		{"tag", &rule377},
		{"remote", &rule380},
		{"rev-parse", &rule381},
		{"rev-list", &rule382},
		{"ls-files", &rule383},
		{"ls-tree", &rule384},
		{"blame", &rule385},
		{"annotate", &rule385},
		{"describe", &rule386},
		{"name-rev", &rule387},
		{"shortlog", &rule388},
		{"stash", &rule391},
		{"cat-file", &rule392},
		{"grep", &rule393},
		{"reflog", &rule396},
		{"for-each-ref", &rule397},
		{"show-ref", &rule398},
		{"merge-base", &rule399},
		{"check-ignore", &rule400},
		{"check-attr", &rule400},
		{"count-objects", &rule401},
		{"worktree", &rule403},
		{"submodule", &rule405},
		{"notes", &rule407},
		{"version", &rule408},
		{"push", &rule409},
		{"fetch", &rule409},
		{"pull", &rule409},
		{"commit", &rule409},
		{"checkout", &rule409},
		{"switch", &rule409},
		{"restore", &rule409},
		{"reset", &rule409},
		{"merge", &rule409},
		{"rebase", &rule409},
		{"cherry-pick", &rule409},
		{"revert", &rule409},
		{"add", &rule409},
		{"rm", &rule409},
		{"mv", &rule409},
		{"clean", &rule409},
		{"am", &rule409},
		{"apply", &rule409},
		{"gc", &rule409},
		{"prune", &rule409},
		{"repack", &rule409},
		{"filter-branch", &rule409},
		{"filter-repo", &rule409},
		{"update-ref", &rule409},
		{"update-index", &rule409},
		{"symbolic-ref", &rule409},
		{"replace", &rule409},
		{"read-tree", &rule409},
		{"write-tree", &rule409},
		{"commit-tree", &rule409},
		{"send-email", &rule409},
		{"send-pack", &rule409},
		{"receive-pack", &rule409},
		{"svn", &rule409},
		{"p4", &rule409},
		{"credential", &rule410},
		{"credential-store", &rule410},
		{"credential-cache", &rule410},
		{"config", &rule411},
		{"clone", &rule412},
		{"init", &rule412},
		{"ls-remote", &rule412},
		{"archive", &rule412},
		{"bundle", &rule412},
		{"difftool", &rule412},
		{"mergetool", &rule412},
		{"help", &rule412},
		{"daemon", &rule412},
		{"instaweb", &rule412},
		{"web--browse", &rule412},
		{"bisect", &rule412},
		{"maintenance", &rule412},
		{"var", &rule412},
	},
	}
	rule414 = Rule{Do: "unknown", Why: "it is not granted; the repositories on this machine can be looked at: git -C FOLDER log -5 --stat", Loose: true}
	rule415 = Rule{Do: "observe", Operands: "lit info|statistics summary|split-brain|healed?"}
	rule416 = Rule{Commands: []Command{
		{"status", &rule29},
		{"info", &rule29},
		{"list", &rule29},
		{"heal", &rule415},
	},
	}
	rule417 = Rule{Commands: []Command{
		{"list", &rule29},
	},
	}
	rule418 = Rule{Do: "observe", Commands: []Command{
		{"volume", &rule416},
		{"peer", &rule307},
		{"pool", &rule417},
	},
	}
	rule419 = Rule{Do: "observe", Options: "-a -g/--group -G/--groups -n/--name -r/--real -u/--user -z/--zero -Z/--context --help --version", Operands: "any*"}
	rule420 = Rule{Do: "observe", Options: "-n/--quiet/--silent -E/-r/--regexp-extended -e/--expression=sed!first -s/--separate -u/--unbuffered -z/--null-data -l/--line-length=any -b/--binary --debug --sandbox --follow-symlinks --help --version", Operands: "sed file*", Why: "files stay as they are (no -i), and the script stands in the command (no -f)"}
	rule421 = Rule{Do: "observe", Options: "-c/--stdout/--to-stdout -d/--decompress/--uncompress -l/--list -t/--test -v/--verbose -q/--quiet -f/--force -n/--no-name -N/--name -k/--keep -# --fast --best", Operands: "file*", Why: "files stay as they are: gzip -dc FILE, zcat FILE, gzip -l FILE, or … | gzip -c > $TMPDIR/x.gz", Requires: "-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule422 = Rule{Do: "observe", Options: "-v --verbose", Operands: "status?"}
	rule423 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine stays up; ask a person", Loose: true}
	rule424 = Rule{Do: "observe", Options: "-c -f=/\\/etc\\/haproxy\\/haproxy\\.cfg|\\/usr\\/local\\/etc\\/haproxy\\/haproxy\\.cfg/ -v -vv", Style: "word", Why: "only of the installed configuration: haproxy -c -f /etc/haproxy/haproxy.cfg; to reload it: systemctl reload haproxy", Requires: "-c|-v|-vv"}
	rule425 = Rule{Do: "observe", Options: "-b -c -C/--canonical -d -o -x -v -n/--length=any -s/--skip=any -e=any", Operands: "file*"}
	rule426 = Rule{Do: "observe", Options: "-I -i -g -C", Operands: "meta+", Why: "disks are only looked at: hdparm -I DEVICE"}
	rule427 = Rule{Do: "observe", Options: "-n/--lines=any -c/--bytes=any --pid=any --sleep-interval=any --max-unchanged-stats=any", Operands: "file*", Loose: true}
	rule428 = Rule{Do: "observe", Options: "-a/--all -A/--all-namespaces --date -r/--reverse --deployed --failed --pending --superseded --uninstalled --uninstalling -f/--filter=any -m/--max=any --no-headers --offset=any -o/--output=any -q/--short!names -l/--selector=any --time-format=any"}
	rule429 = Rule{Do: "observe", Options: "-o/--output=/table/ --revision=any --show-desc --show-resources", Operands: "name", Why: "without -o json or yaml, which show the values and with them passwords"}
	rule430 = Rule{Do: "observe", Options: "--max=any -o/--output=any", Operands: "name"}
	rule431 = Rule{Do: "observe", Options: "--revision=any", Operands: "name"}
	rule432 = Rule{Do: "observe", Options: "--revision=any -o/--output=any", Operands: "name"}
	rule433 = Rule{Do: "forbidden", Options: "-a/--all -o/--output=any --revision=any --template=any", Operands: "any*", Why: "values and manifests hold passwords; helm get notes, helm history and helm status show the state"}
	rule434 = Rule{Commands: []Command{
		{"notes", &rule431},
		{"metadata", &rule432},
		{"values", &rule433},
		{"manifest", &rule433},
		{"all", &rule433},
		{"hooks", &rule433},
	},
	}
	rule435 = Rule{Do: "observe", Options: "--devel --fail-on-no-result --max-col-width=any -o/--output=any -r/--regexp --version=any -l/--versions", Operands: "any*"}
	rule436 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; helm upgrade RELEASE FOLDER and helm rollback RELEASE are"}
	rule437 = Rule{Commands: []Command{
		{"repo", &rule435},
		{"hub", &rule436},
	},
	}
	rule438 = Rule{Do: "observe", Options: "--version=any --devel --jsonpath=any", Operands: "code", Why: "only charts of the repositories"}
	rule439 = Rule{Commands: []Command{
		{"chart", &rule438},
		{"readme", &rule438},
		{"values", &rule438},
		{"crds", &rule438},
		{"all", &rule438},
	},
	}
	rule440 = Rule{Commands: []Command{
		{"chart", &rule438},
		{"values", &rule438},
	},
	}
	rule441 = Rule{Do: "observe", Options: "--strict --quiet --with-subcharts -f/--values=code", Operands: "code"}
	rule442 = Rule{Do: "observe", Options: "--short --template=any -c/--client"}
	rule443 = Rule{Do: "observe", Operands: "HELM_NAMESPACE|HELM_BIN|HELM_CACHE_HOME|HELM_CONFIG_HOME|HELM_DATA_HOME|HELM_DEBUG|HELM_KUBECONTEXT|HELM_MAX_HISTORY|HELM_REPOSITORY_CONFIG|HELM_REPOSITORY_CACHE|HELM_PLUGINS", Why: "one variable by its name (helm env HELM_NAMESPACE): the whole list holds the token"}
	rule444 = Rule{Do: "redeploy", Options: "--wait --wait-for-jobs --timeout=any --history-max=any --no-hooks --recreate-pods --cleanup-on-fail!unknown --force!forbidden", Operands: "svc any?", Why: "without --force and --cleanup-on-fail, which delete: helm rollback RELEASE REVISION -n NAMESPACE"}
	rule445 = Rule{Do: "redeploy", Options: "-i/--install --atomic --rollback-on-failure --wait --wait-for-jobs --timeout=any -f/--values=credential --reuse-values --reset-values --reset-then-reuse-values --version=any --description=any --history-max=any --skip-crds --no-hooks --devel --hide-notes --disable-openapi-validation --force!forbidden --cleanup-on-fail!unknown", Operands: "svc code", Why: "only charts and value files of the repositories, without --set, --post-renderer, --repo, --dry-run: helm upgrade RELEASE FOLDER -f FILE", Cwd: "code"}
	rule446 = Rule{Do: "forbidden", Options: "--cascade=any --description=any --dry-run --keep-history --no-hooks --timeout=any --wait --ignore-not-found", Operands: "any*", Why: "releases are not removed; helm rollback RELEASE goes back"}
	rule447 = Rule{Do: "observe", Persistent: "-n/--namespace=any --kube-context=lit --kubeconfig=settings --debug --burst-limit=any --qps=any -h/--help", Style: "pflag", Why: "another server, token, registry or plugin is not granted; write the subcommand plainly: helm status RELEASE -n NAMESPACE", Commands: []Command{
		{"list", &rule428},
		{"ls", &rule428},
		{"status", &rule429},
		{"history", &rule430},
		{"hist", &rule430},
		{"get", &rule434},
		{"search", &rule437},
		{"show", &rule439},
		{"inspect", &rule440},
		{"lint", &rule441},
		{"version", &rule442},
		{"help", &rule135},
		{"env", &rule443},
		{"rollback", &rule444},
		{"upgrade", &rule445},
		{"uninstall", &rule446},
		{"un", &rule446},
		{"del", &rule446},
		{"delete", &rule446},
		{"install", &rule436},
		{"template", &rule436},
		{"test", &rule436},
		{"repo", &rule436},
		{"pull", &rule436},
		{"fetch", &rule436},
		{"push", &rule436},
		{"plugin", &rule436},
		{"registry", &rule436},
		{"dependency", &rule436},
		{"dep", &rule436},
		{"create", &rule436},
		{"package", &rule436},
		{"verify", &rule436},
	},
	}
	rule448 = Rule{Do: "observe", Options: "-4 -6 -a -A -C -c=/[A-Za-z]+/ -d -i -N=/[0-9]+/ -r -R=/[0-9]+/ -s -t=/[A-Za-z0-9]+/ -T -U -v -V -w -W=/[0-9]+/", Operands: "/[A-Za-z0-9_*:][A-Za-z0-9._*:-]*/ /[A-Za-z0-9._:-]+/?", Why: "names are written out: host NAME SERVER"}
	rule449 = Rule{Do: "observe", Options: "-f/--fqdn/--long -i/--ip-address -I/--all-ip-addresses -s/--short -d/--domain -A/--all-fqdns -a/--alias -y/--yp/--nis -V/--version -h/--help", Why: "the machine keeps its name"}
	rule450 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine keeps its name", Loose: true}
	rule451 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--static --transient --pretty --json=any -j --no-ask-password", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"hostname", &rule16},
		{"icon-name", &rule16},
		{"chassis", &rule16},
		{"deployment", &rule16},
		{"location", &rule16},
		{"set-hostname", &rule450},
		{"set-icon-name", &rule450},
		{"set-chassis", &rule450},
		{"set-deployment", &rule450},
		{"set-location", &rule450},
	},
	}
	rule452 = Rule{Do: "observe", Operands: "ctrl|controller /all|slot=[0-9]+/ show|pd|ld /status|config|detail|all/? show? status|detail?", Why: "only looked at: ssacli ctrl all show status"}
	rule453 = Rule{Do: "observe", Options: "-r/--show -u/--utc -l/--localtime -v/--verbose -V/--version", Why: "the clock is not set", Requires: "-r|--show|-V|--version"}
	rule454 = Rule{Do: "observe", Options: "-f/--from-code=any -t/--to-code=any -c -l/--list -s/--silent -o/--output=out", Operands: "file*"}
	rule455 = Rule{Do: "observe", Options: "-a -s -v", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule456 = Rule{Do: "observe", Options: "-c/--columns=/[A-Za-z0-9]+/ -f/--format=table|csv|compact --fast", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule457 = Rule{Do: "observe", Options: "--show-log --resources", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule458 = Rule{Do: "observe", Why: "only looked at: lxc list, lxc info NAME; the configuration holds environments", Commands: []Command{
		{"list", &rule456},
		{"ls", &rule456},
		{"info", &rule457},
		{"version", &rule16},
	},
	}
	rule459 = Rule{Do: "observe", Commands: []Command{
		{"ping", &rule16},
		{"version", &rule16},
	},
	}
	rule460 = Rule{Do: "observe", Options: "--status-all -l/--list -q/--quiet -C/--nocolor", Operands: "svc? status|restart|try-restart|condrestart|force-reload|start|stop|reload?", Style: "strict", Why: "service NAME status, restart, start, stop or reload", Check: "service"}
	rule461 = Rule{Do: "observe", Options: "-c/--class=any -n/--classdata=any -t/--ignore", Operands: "inner", Style: "strict"}
	rule462 = Rule{Do: "observe", Options: "-c -d -h --human -k -m -N -s -t -x -y -z -p[=any] -j=any -g=any -H -T -o=JSON --dec=any --compact --pretty -V", Operands: "any*"}
	rule463 = Rule{Do: "observe", Options: "-o/--only -b/--batch -n/--iter=any -d/--delay=any -p/--pid=any -u/--user=any -P/--processes -a/--accumulated -k/--kilobytes -t/--time -q/--quiet", Requires: "-b|--batch"}
	rule464 = Rule{Do: "observe", Options: "-br/-brief -4 -6 -s/-stats -d/-details -o/-oneline -j/-json -p/-pretty -h -c[=any] -color[=any]", Operands: "lit*", Style: "word"}
	rule465 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule464},
		{"sho", &rule464},
		{"sh", &rule464},
		{"s", &rule464},
		{"list", &rule464},
		{"lis", &rule464},
		{"li", &rule464},
		{"l", &rule464},
		{"ls", &rule464},
		{"lst", &rule464},
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
	rule466 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule464},
		{"sho", &rule464},
		{"sh", &rule464},
		{"list", &rule464},
		{"lis", &rule464},
		{"li", &rule464},
		{"l", &rule464},
		{"ls", &rule464},
		{"lst", &rule464},
		{"xstats", &rule464},
		{"afstats", &rule464},
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
	rule467 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule464},
		{"sho", &rule464},
		{"sh", &rule464},
		{"s", &rule464},
		{"list", &rule464},
		{"lis", &rule464},
		{"li", &rule464},
		{"l", &rule464},
		{"ls", &rule464},
		{"lst", &rule464},
		{"get", &rule464},
		{"ge", &rule464},
		{"g", &rule464},
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
	rule468 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.-]+/ inner", Style: "strict"}
	rule469 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"list", &rule16},
		{"lis", &rule16},
		{"li", &rule16},
		{"l", &rule16},
		{"ls", &rule16},
		{"lst", &rule16},
		{"list-id", &rule16},
		{"identify", &rule313},
		{"pids", &rule313},
		{"id", &rule313},
		{"exec", &rule468},
		{"exe", &rule468},
		{"ex", &rule468},
		{"e", &rule468},
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
	rule470 = Rule{Do: "forbidden", Operands: "any*", Why: "the keys of tunnels are secrets", Loose: true}
	rule471 = Rule{Do: "observe", Options: "-4 -6 -0 -B -M -s/-st/-sta/-stat/-stats/-statistics -d/-de/-det/-detail/-details -h/-human/-human-readable -iec -j/-js/-json -p/-pretty -o/-on/-oneline -r/-resolve -br/-brief -t/-timestamp -ts/-tshort -N/-Numeric -c[=any] -color[=any] -f/-family=any -l/-loops=any -V/-Version -n/-netns=/[A-Za-z0-9_.-]+/", Style: "word", Why: "only looking is granted: ip -br addr, ip route, ip -s link show, ip neigh; the network stays as it is", Commands: []Command{
		{"address", &rule465},
		{"addr", &rule465},
		{"a", &rule465},
		{"ad", &rule465},
		{"add", &rule465},
		{"addre", &rule465},
		{"addres", &rule465},
		{"link", &rule466},
		{"lin", &rule466},
		{"li", &rule466},
		{"l", &rule466},
		{"route", &rule467},
		{"rout", &rule467},
		{"rou", &rule467},
		{"ro", &rule467},
		{"r", &rule467},
		{"neighbour", &rule465},
		{"neighbor", &rule465},
		{"neigh", &rule465},
		{"nei", &rule465},
		{"ne", &rule465},
		{"n", &rule465},
		{"rule", &rule465},
		{"rul", &rule465},
		{"ru", &rule465},
		{"maddress", &rule465},
		{"maddr", &rule465},
		{"mad", &rule465},
		{"ma", &rule465},
		{"m", &rule465},
		{"mroute", &rule465},
		{"mr", &rule465},
		{"ntable", &rule465},
		{"ntbl", &rule465},
		{"nexthop", &rule465},
		{"nex", &rule465},
		{"tunnel", &rule465},
		{"tunl", &rule465},
		{"tun", &rule465},
		{"tuntap", &rule465},
		{"token", &rule465},
		{"vrf", &rule465},
		{"addrlabel", &rule465},
		{"addrl", &rule465},
		{"netconf", &rule465},
		{"netc", &rule465},
		{"mptcp", &rule465},
		{"tcp_metrics", &rule465},
		{"tcpmetrics", &rule465},
		{"fou", &rule465},
		{"ila", &rule465},
		{"sr", &rule465},
		{"netns", &rule469},
		{"netn", &rule469},
		{"net", &rule469},
		{"xfrm", &rule470},
		{"xfr", &rule470},
		{"xf", &rule470},
		{"x", &rule470},
		{"macsec", &rule470},
		{"mac", &rule470},
		{"l2tp", &rule470},
	},
	}
	rule472 = Rule{Do: "observe", Options: "-L/--list -S/--list-rules -n/--numeric -v/--verbose -x/--exact -t/--table=filter|nat|mangle|raw|security --line-numbers -w/--wait[=any] -4/--ipv4 -6/--ipv6 -V/--version -A/--append!forbidden -I/--insert!forbidden -D/--delete!forbidden -R/--replace!forbidden -F/--flush!forbidden -X/--delete-chain!forbidden -N/--new-chain!forbidden -P/--policy!forbidden -E/--rename-chain!forbidden -Z/--zero!forbidden -p/--protocol/--proto=/[a-z0-9]+/ -j/--jump=/[A-Za-z0-9_-]+/ -s/--source=any -d/--destination=any -i/--in-interface=any -o/--out-interface=any -m/--match=/[a-z0-9]+/ --dport=any --sport=any --dports=any --state=any --ctstate=any --to-destination=any --comment=any", Operands: "/[A-Za-z0-9_.-]+/*", Style: "gnu", Why: "the packet filter is read only: iptables -L -n -v, iptables -S", Requires: "-L|--list|-S|--list-rules|-V|--version|-A|-I|-D|-R|-F|-X|-N|-P|-E|-Z"}
	rule473 = Rule{Do: "observe", Options: "-t/--table=filter|nat|mangle|raw|security -c/--counters -4 -6 -V/--version"}
	rule474 = Rule{Do: "observe", Options: "-J/--json -l/--list -n/--noheadings -o/--output=any --output-all -p/--task/--pid=any -r/--raw -u/--notruncate -t/--type=any -b/--bytes -i/--noinaccessible -W/--nowrap -T/--tree[=any] -a/--all -q/--queues -m/--shmems -s/--semaphores -c -g/--global --human", Operands: "any*"}
	rule475 = Rule{Commands: []Command{
		{"list", &rule29},
		{"elist", &rule29},
		{"info", &rule29},
	},
	}
	rule476 = Rule{Commands: []Command{
		{"list", &rule29},
		{"elist", &rule29},
		{"type", &rule29},
	},
	}
	rule477 = Rule{Commands: []Command{
		{"info", &rule29},
	},
	}
	rule478 = Rule{Commands: []Command{
		{"print", &rule29},
	},
	}
	rule479 = Rule{Do: "observe", Commands: []Command{
		{"sel", &rule475},
		{"sdr", &rule476},
		{"sensor", &rule417},
		{"chassis", &rule307},
		{"power", &rule307},
		{"mc", &rule477},
		{"fru", &rule478},
		{"lan", &rule478},
	},
	}
	rule480 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule313},
		{"statusall", &rule313},
		{"version", &rule313},
		{"listcerts", &rule313},
	},
	}
	rule481 = Rule{Do: "observe", Options: "-n/-name -t/-terse -o/-output=any -s/-sorted", Operands: "lit?"}
	rule482 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule481},
		{"-L", &rule481},
		{"--list", &rule481},
		{"save", &rule481},
		{"-S", &rule481},
	},
	}
	rule483 = Rule{Do: "observe", Options: "-L/-l/--list -n/--numeric --stats --rate --connection/-c --timeout --daemon --exact --sort", Requires: "-L|-l|--list"}
	rule484 = Rule{Do: "observe", Options: "-m/--mode=session|node|iface -P/--print=any", Requires: "-m|--mode"}
	rule485 = Rule{Do: "observe", Options: "-s/--short -o/--output=json|yaml --remote[=true|false]"}
	rule486 = Rule{Do: "observe", Options: "-A/--all-namespaces"}
	rule487 = Rule{Do: "observe", Persistent: "-n/--namespace=lit -i/--istioNamespace=lit", Commands: []Command{
		{"proxy-status", &rule313},
		{"ps", &rule313},
		{"version", &rule485},
		{"analyze", &rule486},
	},
	}
	rule488 = Rule{Do: "observe", Options: "-v -V -m --version -version", Why: "such a program cannot be read; use jq, awk, grep or sed", Stdin: "none", Requires: "-v|-V|-m|--version|-version"}
	rule489 = Rule{Do: "observe", Options: "-l", Operands: "/[0-9]+/? Thread.print|GC.heap_info|VM.uptime|VM.version|VM.flags|VM.native_memory|GC.class_stats?", Why: "jcmd PID Thread.print, GC.heap_info, VM.uptime: other commands change the process or show what it holds"}
	rule490 = Rule{Do: "observe", Options: "-a=any -e=any -i/--ignore-case -j=any -o=any -t=any -v=any -1=any -2=any --check-order --nocheck-order --header -z/--zero-terminated", Operands: "file file"}
	rule491 = Rule{Do: "observe", Options: "-u/--unit=any --user-unit=any --system --user -k/--dmesg -b/--boot[=any] -I --invocation=any -S/--since=any -U/--until=any -t/--identifier=any -T/--exclude-identifier=any -p/--priority=any --facility=any -g/--grep=any --case-sensitive[=any] -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-delta|short-unix|with-unit|cat|json|json-pretty|json-sse|json-seq --output-fields=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*(?:,(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*)*/ -n/--lines[=any] -r/--reverse -x/--catalog --no-full -l/--full -a/--all -f/--follow --no-tail -q/--quiet --no-pager -e/--pager-end --no-hostname --utc --truncate-newline --show-cursor -c/--cursor=any --after-cursor=any -m/--merge --namespace=lit -D/--directory/--file=/\\/(?:var|run)\\/log\\/journal(?:\\/[A-Za-z0-9_@*-][A-Za-z0-9_.@*-]*)*/ -N/--fields -F/--field=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*/ --list-boots --list-invocations --disk-usage --header --verify --list-catalog --dump-catalog -# --version -h/--help --vacuum-size=/[1-9][0-9]*G|[1-9][0-9]+M/!change --vacuum-time=/[1-9][0-9]*(?:d|days|weeks?|months?)/!change --vacuum-files=/[5-9]|[1-9][0-9]+/!change --rotate!change --sync!change --flush!change", Operands: "any*", Style: "gnu", Why: "another machine, root or image is not granted, nor -o verbose and export, and -o json only with --output-fields=MESSAGE,_PID,…: some entries hold an environment", Check: "journal"}
	rule492 = Rule{Do: "observe", Options: "-l -q -m -v -V"}
	rule493 = Rule{Do: "observe", Options: "-c/--compact-output -r/--raw-output -j/--join-output --raw-output0 -a/--ascii-output -s/--slurp -n/--null-input -e/--exit-status -R/--raw-input -S/--sort-keys -C/--color-output -M/--monochrome-output --tab --indent=any --arg=any,any --argjson=any,any --slurpfile=any,file --rawfile=any,file --args --jsonargs --stream --stream-errors --seq --unbuffered --ascii -b/--binary -h/--help -V/--version", Operands: "jq? file*", Style: "gnu", Why: "the filter stands in the command (no -f, -L)"}
	rule494 = Rule{Do: "observe", Options: "-l -e", Operands: "/[0-9]+/"}
	rule495 = Rule{Do: "observe", Options: "-gc -gcutil -gccapacity -gccause -gcnew -gcold -class -compiler -t -h=any", Operands: "/[0-9]+/ /[0-9]+/? /[0-9]+/?", Style: "word"}
	rule496 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "name*"}
	rule497 = Rule{Do: "forbidden", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "any*", Why: "secrets are never shown; kubectl describe pod NAME says which one a pod wants"}
	rule498 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/? /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\"), files and raw paths are not granted", Commands: []Command{
		{"pod", &rule496},
		{"pods", &rule496},
		{"po", &rule496},
		{"deploy", &rule496},
		{"deployment", &rule496},
		{"deployments", &rule496},
		{"node", &rule496},
		{"nodes", &rule496},
		{"svc", &rule496},
		{"service", &rule496},
		{"services", &rule496},
		{"sts", &rule496},
		{"statefulset", &rule496},
		{"ds", &rule496},
		{"daemonset", &rule496},
		{"job", &rule496},
		{"jobs", &rule496},
		{"pvc", &rule496},
		{"secret", &rule497},
		{"secrets", &rule497},
	},
	}
	rule499 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "name*"}
	rule500 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\") and files are not granted", Commands: []Command{
		{"secret", &rule497},
		{"secrets", &rule497},
		{"pod", &rule499},
		{"pods", &rule499},
		{"po", &rule499},
		{"deploy", &rule499},
		{"deployment", &rule499},
		{"deployments", &rule499},
		{"node", &rule499},
		{"nodes", &rule499},
		{"svc", &rule499},
		{"service", &rule499},
		{"services", &rule499},
		{"sts", &rule499},
		{"statefulset", &rule499},
		{"ds", &rule499},
		{"daemonset", &rule499},
		{"job", &rule499},
		{"jobs", &rule499},
		{"pvc", &rule499},
	},
	}
	rule501 = Rule{Do: "observe", Options: "--all-containers[=any] --all-pods[=any] -c/--container=any -f --follow[=any] --ignore-errors[=any] --limit-bytes=any --max-log-requests=any --pod-running-timeout=any --prefix[=any] -p --previous[=any] -l/--selector=any --since=any --since-time=any --tail=any --timestamps[=any]", Operands: "name*"}
	rule502 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --containers[=any] --field-selector=any --no-headers[=any] -l/--selector=any --sort-by=any --sum[=any] --show-swap[=any] --use-protocol-buffers[=any]", Operands: "name?"}
	rule503 = Rule{Do: "observe", Options: "--no-headers[=any] -l/--selector=any --show-capacity[=any] --show-swap[=any] --sort-by=any --use-protocol-buffers[=any]", Operands: "name?"}
	rule504 = Rule{Commands: []Command{
		{"pod", &rule502},
		{"pods", &rule502},
		{"po", &rule502},
		{"node", &rule503},
		{"nodes", &rule503},
		{"no", &rule503},
	},
	}
	rule505 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --for=any --no-headers[=any] -o/--output=json|yaml|wide|jsonpath=* --template=any --types=any -w --watch[=any]"}
	rule506 = Rule{Do: "observe", Options: "--api-version=any -o/--output=any --recursive[=any]", Operands: "any"}
	rule507 = Rule{Do: "observe", Options: "--api-group=any --cached[=any] --categories=any --namespaced[=any] --no-headers[=any] -o/--output=wide|name|json|yaml --sort-by=any --verbs=any"}
	rule508 = Rule{Do: "observe", Options: "--client[=any] -o/--output=json|yaml --short[=any]"}
	rule509 = Rule{Do: "observe", Why: "without dump; kubectl get nodes, kubectl get events -A show the state"}
	rule510 = Rule{Do: "observe", Options: "--no-headers[=any] -o/--output=/name/", Operands: "name*"}
	rule511 = Rule{Do: "unknown", Options: "--minify[=any] --merge[=any] -o/--output=any --raw[=any]!forbidden --flatten[=any]!forbidden", Operands: "any*", Why: "it shows keys of plugins; kubectl config current-context, get-contexts and get-clusters show the rest"}
	rule512 = Rule{Do: "unknown", Operands: "any*", Why: "choose with --context NAME and -n NAMESPACE; the configuration is not changed"}
	rule513 = Rule{Commands: []Command{
		{"current-context", &rule16},
		{"get-contexts", &rule510},
		{"get-clusters", &rule16},
		{"get-users", &rule16},
		{"view", &rule511},
		{"use-context", &rule512},
		{"use", &rule512},
		{"set", &rule512},
		{"unset", &rule512},
		{"set-context", &rule512},
		{"set-cluster", &rule512},
		{"set-credentials", &rule512},
		{"delete-context", &rule512},
		{"delete-cluster", &rule512},
		{"delete-user", &rule512},
		{"rename-context", &rule512},
	},
	}
	rule514 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --list[=any] --no-headers[=any] -q --quiet[=any] --subresource=any", Operands: "any*"}
	rule515 = Rule{Do: "observe", Options: "-o/--output=json|yaml"}
	rule516 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "what runs, and how many, its repository says; hand it to a human, or go back with kubectl rollout undo"}
	rule517 = Rule{Commands: []Command{
		{"can-i", &rule514},
		{"whoami", &rule515},
		{"reconcile", &rule516},
	},
	}
	rule518 = Rule{Do: "observe", Options: "--all[=any] -A --all-namespaces[=any] --field-selector=any --for=any -l/--selector=any --timeout=any", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*"}
	rule519 = Rule{Do: "observe", Options: "--revision=any --timeout=any -w --watch[=any] -l/--selector=any", Operands: "name+"}
	rule520 = Rule{Do: "observe", Options: "--revision=any -l/--selector=any -o/--output=json|yaml|wide|jsonpath=*", Operands: "name+"}
	rule521 = Rule{Do: "redeploy", Options: "--to-revision=any --field-manager=any", Operands: "svc+", Why: "name what is meant, without selectors or files: kubectl rollout restart deployment/NAME -n NAMESPACE", Service: "kube"}
	rule522 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the deployment frozen; kubectl rollout undo deployment/NAME goes back"}
	rule523 = Rule{Commands: []Command{
		{"status", &rule519},
		{"history", &rule520},
		{"restart", &rule521},
		{"undo", &rule521},
		{"resume", &rule521},
		{"pause", &rule522},
	},
	}
	rule524 = Rule{Do: "observe", Options: "-f/--filename=code -R --recursive[=any] --server-side[=any] --concurrency=any --field-manager=any", Why: "only manifests of the repositories, not standard input or a URL", Requires: "-f|--filename"}
	rule525 = Rule{Do: "observe", Options: "-c/--container=any -i --stdin[=any] -t --tty[=any] -q --quiet[=any] --pod-running-timeout=any", Operands: "name inner", Why: "one plain command behind two dashes: kubectl exec POD -- COMMAND"}
	rule526 = Rule{Do: "unknown", Operands: "any*", Why: "kubectl get KIND NAME -o yaml shows what is there"}
	rule527 = Rule{Do: "redeploy", Options: "-f/--filename=code -k/--kustomize=code -R --recursive[=any] --server-side[=any] --field-manager=any --wait[=any] --timeout=any --validate[=any] -o/--output=/name/ --dry-run[=client|server]!observe -l/--selector=any!unknown --all[=any]!unknown --prune[=any]!forbidden --force[=any]!forbidden --prune-allowlist=any!forbidden", Why: "only manifests of the repositories, without --prune and --force: kubectl apply -f FILE", Requires: "-f|--filename|-k|--kustomize", Service: "base", Commands: []Command{
		{"view-last-applied", &rule526},
		{"edit-last-applied", &rule526},
		{"set-last-applied", &rule526},
	},
	}
	rule528 = Rule{Do: "forbidden", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "volumes, namespaces, secrets and definitions hold what cannot be brought back"}
	rule529 = Rule{Do: "unknown", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "nothing is deleted; kubectl rollout restart deployment/NAME makes new pods", Commands: []Command{
		{"pvc", &rule528},
		{"persistentvolumeclaim", &rule528},
		{"persistentvolumeclaims", &rule528},
		{"pv", &rule528},
		{"persistentvolume", &rule528},
		{"persistentvolumes", &rule528},
		{"ns", &rule528},
		{"namespace", &rule528},
		{"namespaces", &rule528},
		{"secret", &rule528},
		{"secrets", &rule528},
		{"crd", &rule528},
		{"customresourcedefinition", &rule528},
		{"customresourcedefinitions", &rule528},
	},
	}
	rule530 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "no door is opened and no file carried; look with kubectl logs, describe and exec POD -- COMMAND"}
	rule531 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent"}
	rule532 = Rule{Do: "observe", Options: "--version", Persistent: "-n/--namespace=any --context=lit --cluster=lit --user=lit --kubeconfig=settings --request-timeout=any -v/--v=/[0-6]/ -h/--help --match-server-version --warnings-as-errors[=any] --disable-compression[=any] --log-flush-frequency=any", Style: "pflag", Why: "another server, user, token, plugin or kubeconfig is not granted; write the subcommand plainly: kubectl get pods -n NAMESPACE", Commands: []Command{
		{"get", &rule498},
		{"describe", &rule500},
		{"logs", &rule501},
		{"top", &rule504},
		{"events", &rule505},
		{"explain", &rule506},
		{"api-resources", &rule507},
		{"api-versions", &rule16},
		{"version", &rule508},
		{"options", &rule16},
		{"help", &rule135},
		{"cluster-info", &rule509},
		{"config", &rule513},
		{"auth", &rule517},
		{"wait", &rule518},
		{"rollout", &rule523},
		{"diff", &rule524},
		{"exec", &rule525},
		{"apply", &rule527},
		{"delete", &rule529},
		{"scale", &rule516},
		{"autoscale", &rule516},
		{"edit", &rule516},
		{"patch", &rule516},
		{"replace", &rule516},
		{"create", &rule516},
		{"run", &rule516},
		{"expose", &rule516},
		{"set", &rule516},
		{"label", &rule516},
		{"annotate", &rule516},
		{"taint", &rule516},
		{"cordon", &rule516},
		{"uncordon", &rule516},
		{"drain", &rule516},
		{"certificate", &rule516},
		{"proxy", &rule530},
		{"port-forward", &rule530},
		{"attach", &rule530},
		{"debug", &rule530},
		{"cp", &rule530},
		{"kustomize", &rule531},
		{"plugin", &rule531},
		{"completion", &rule531},
		{"alpha", &rule531},
		{"kuberc", &rule531},
		{"convert", &rule531},
	},
	}
	rule533 = Rule{Do: "observe", Options: "-v/--version", Why: "only the kubectl and the crictl of it: k3s kubectl get pods -A", Commands: []Command{
		{"kubectl", &rule532},
		{"crictl", &rule169},
	},
	}
	rule534 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -group=lit -all-groups -members -offsets -state -verbose -version", Style: "word", Why: "of the broker of this machine, and only shown: kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group GROUP", Requires: "-list|-describe|-version"}
	rule535 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -topic=lit -exclude-internal -under-replicated-partitions -unavailable-partitions -under-min-isr-partitions -at-min-isr-partitions -version", Style: "word", Why: "of the broker of this machine, and only shown: kafka-topics.sh --bootstrap-server localhost:9092 --list", Requires: "-list|-describe|-version"}
	rule536 = Rule{Do: "observe", Options: "-h=dbhost -p=/63[789][0-9]|26379|700[0-9]/ -n=/[0-9]+/ -s=/(?:\\/var)?\\/run\\/(?:redis|valkey|keydb)\\/[a-z-]+\\.sock/ -t=/[0-9]+/ -r=/[0-9]+/ -i=/[0-9]+(?:\\.[0-9]+)?/ -2 -3 -c -e --raw --no-raw --csv --json --no-auth-warning --tls --cacert=file --insecure --verbose --stat!nostdin --latency!nostdin --latency-history!nostdin --latency-dist!nostdin --bigkeys!nostdin --memkeys!nostdin --hotkeys!nostdin --scan!nostdin --pattern=lit --count=lit -v/--version!nostdin", Operands: "redis*", Style: "strict", Why: "one literal command that only reads, no password, at a port or socket of redis (to others it says whatever it is given): redis-cli -h HOST info memory", Stdin: "redis"}
	rule537 = Rule{Do: "observe", Options: "-0 -l -s=0", Operands: "name*", Why: "signals are not granted, apart from kill -0 PID, which only asks; restart the service, which is counted", Requires: "-0|-l|-s"}
	rule538 = Rule{Do: "observe", Options: "-0 -l", Operands: "/[A-Za-z0-9_.:]+/*", Why: "signals are not granted, apart from killall -0 NAME, which only asks; restart the service, which is counted", Requires: "-0|-l"}
	rule539 = Rule{Do: "unknown", Operands: "any*", Why: "signals are not granted; restart the service, which is counted", Loose: true}
	rule540 = Rule{Commands: []Command{
		{"check-expiration", &rule16},
	},
	}
	rule541 = Rule{Do: "observe", Commands: []Command{
		{"certs", &rule540},
		{"version", &rule16},
	},
	}
	rule542 = Rule{Do: "observe", Options: "-# -n/--limit=any -a/--hostlast -d/--dns -f/--file=file -F/--fulltimes -i/--ip -R/--nohostname -s/--since=any -t/--until=any -p/--present=any -w/--fullnames -x/--system --time-format=any", Operands: "any*"}
	rule543 = Rule{Do: "observe", Options: "-u/--user=any -t/--time=any -b/--before=any"}
	rule544 = Rule{Do: "observe", Options: "-p/--print-cache -V/--version", Requires: "-p|--print-cache|-V|--version"}
	rule545 = Rule{Do: "observe", Options: "-v -u -d -r --version", Operands: "/\\/(?:usr\\/)?(?:local\\/)?s?bin\\/[A-Za-z0-9_+][A-Za-z0-9._+-]*/+", Why: "it runs what it looks at: only the system's own programs, /usr/sbin/nginx"}
	rule546 = Rule{Do: "observe", Options: "-R -S -F -X -N -n -i -r -e -E -f", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n"}
	rule547 = Rule{Do: "observe", Options: "-f=any", Operands: "lit*"}
	rule548 = Rule{Do: "observe", Persistent: "--no-pager -l/--full", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"list-locales", &rule16},
		{"list-keymaps", &rule16},
	},
	}
	rule549 = Rule{Do: "observe", Options: "-i/--ignore-case -c/--count -l/-n/--limit=any -r/--regexp=any --regex -b/--basename -w/--wholename -e/--existing -q/--quiet -S/--statistics -0/--null -A/--all", Operands: "any*"}
	rule550 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --no-legend -l/--full -a/--all --value -p/--property/-P=any -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --no-ask-password", Stdin: "none", Bare: true, Commands: []Command{
		{"list-sessions", &rule16},
		{"list-users", &rule16},
		{"list-seats", &rule16},
		{"session-status", &rule135},
		{"show-session", &rule135},
		{"user-status", &rule135},
		{"show-user", &rule135},
		{"seat-status", &rule135},
		{"show-seat", &rule135},
	},
	}
	rule551 = Rule{Do: "change", Options: "-d/--debug!observe -v/--verbose -f/--force", Operands: "/\\/etc\\/logrotate(?:\\.conf|\\.d\\/[A-Za-z0-9_][A-Za-z0-9._-]*)/+", Why: "with root's own files, /etc/logrotate.conf or one of /etc/logrotate.d/, and without a state file of its own"}
	rule552 = Rule{Do: "observe", Options: "-R -a -d -l -v -p -V", Operands: "meta*"}
	rule553 = Rule{Do: "observe", Options: "-a/--all -d/--description -r/--release -c/--codename -i/--id -s/--short -v/--version"}
	rule554 = Rule{Do: "observe", Options: "-A/--noempty -D/--discard -E/--dedup=any -I/--include=any -J/--json -M/--merge -O/--output-all -P/--pairs -S/--scsi -N/--nvme -v/--virtio -T/--tree[=any] -a/--all -b/--bytes -d/--nodeps -e/--exclude=any -f/--fs -i/--ascii -l/--list -m/--perms -n/--noheadings -o/--output=any -p/--paths -r/--raw -s/--inverse -t/--topology -w/--width=any -x/--sort=any -y/--shell -z/--zoned -h/--help -V/--version", Operands: "meta*", Style: "gnu"}
	rule555 = Rule{Do: "observe", Options: "-a/--all -b/--online -B/--bytes -C/--caches[=any] -c/--offline -J/--json -e/--extended[=any] -p/--parse[=any] -x/--hex -y/--physical --output-all -h/--help -V/--version"}
	rule556 = Rule{Do: "observe", Options: "-short -json -xml -html -businfo -C/-class/-c=any -quiet -sanitize -numeric -notime -version", Style: "word"}
	rule557 = Rule{Do: "observe", Options: "-c -m -n -p=any -s[=any] -v -z -o -S -J", Operands: "any*"}
	rule558 = Rule{Do: "observe", Options: "-l -s -u/--user-accs -s/--system-accs -a/--acc-expiration -L/--last[=any] -G/--supp-groups --time-format=any", Operands: "any*"}
	rule559 = Rule{Do: "observe", Options: "-J/--json -P/--pairs -a/--all -b/--bytes -n/--noheadings -o/--output=any --output-all -r/--raw -S/--split=any --summary[=any] -h/--help -V/--version"}
	rule560 = Rule{Do: "observe", Options: "-a -b -c=any -C -d=any -E -F[=any] -g[=any] -H -i[=any] -K -l -L[=any] -n -N -o -O -P -p=any -Q -R -r=any -s[=any] -S[=any] -t -T[=any] -u=any -U -v -V -w -x=any -X -z -Z -h", Operands: "meta*", Why: "lsof -i :80, lsof -p PID, lsof FILE"}
	rule561 = Rule{Do: "observe", Options: "-v -k -n -q -t -x -D -P -b -s=any -d=any -m --version", Why: "other sources of data are not granted"}
	rule562 = Rule{Do: "observe", Options: "-g/--generic -s/--size -l/--long -d/--device -t/--transport -i/--scsi_id -k/--kname -H/--hosts -v -w/--wwn -L/--list"}
	rule563 = Rule{Do: "observe", Options: "-v/--verbose -t/--tree -s=any -d=any -V/--version -h/--help"}
	rule564 = Rule{Do: "forbidden", Operands: "any*", Why: "volumes hold the services' data; ask a person", Loose: true}
	rule565 = Rule{Do: "observe", Options: "-a/--all -A -c/--colon -C/--columns -m/--maps -o/--options=any -O/--sort=any -S/--select=any -v/--verbose -P/--partial --noheadings --nosuffix --units=any --separator=any --segments --unbuffered --rows --reportformat=any --aligned --binary -s/--short -q/--quiet --version", Operands: "lit*"}
	rule566 = Rule{Do: "observe", Options: "-dc -cd -t/--test --list -v/--verbose -q/--quiet", Operands: "file?", Why: "files stay as they are, and its -l writes one: lz4 -dc FILE, lz4 --list FILE", Requires: "-dc|-cd|-t|--test|--list"}
	rule567 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any", Operands: "name*"}
	rule568 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any --version -h/--help", Why: "machinectl list and machinectl status NAME are granted", Stdin: "none", Bare: true, Commands: []Command{
		{"list", &rule567},
		{"list-images", &rule567},
		{"status", &rule567},
		{"image-status", &rule567},
	},
	}
	rule569 = Rule{Do: "unknown", Why: "agents send no mail: this program notifies, after the cycle; put what people must know into the report or the handoff", Loose: true}
	rule570 = Rule{Do: "observe", Options: "-v"}
	rule571 = Rule{Do: "observe", Options: "-e/--execute=mysql!nostdin -N/--skip-column-names -B/--batch -s/--silent -r/--raw -t/--table -E/--vertical -H/--html -X/--xml -v/--verbose -h/--host=dbhost -P/--port=lit -u/--user=lit -D/--database=lit -S/--socket=lit --protocol=tcp|socket|TCP|SOCKET -A/--no-auto-rehash -C/--compress -n/--unbuffered -q/--quick -f/--force -w/--wait -U/--safe-updates --connect-timeout=lit --default-character-set=/utf8[a-z0-9]*|latin1/ --login-path=lit --no-defaults --defaults-file/--defaults-extra-file=/\\/etc\\/(?:mysql|my\\.cnf\\.d)\\/[A-Za-z0-9_-]+\\.cnf|\\/etc\\/my\\.cnf|\\/root\\/\\.my\\.cnf/ --column-names --ssl --skip-ssl --ssl-mode=lit --ssl-ca=file --skip-pager --binary-mode -V/--version!nostdin", Operands: "lit?", Style: "gnu", Why: "one literal statement, a host that the inventory or the policy names, no password: mysql -h HOST -e 'show processlist'", Stdin: "mysql"}
	rule572 = Rule{Do: "observe", Operands: "ping|status|processlist|extended-status|variables|version*"}
	rule573 = Rule{Do: "change", Operands: "/[0-9]+/"}
	rule574 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a database", Loose: true}
	rule575 = Rule{Do: "observe", Persistent: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --protocol=lit -E/--vertical -v/--verbose -s/--silent -i/--sleep=lit -c/--count=lit -r/--relative -w/--wait[=lit] --connect-timeout=lit --login-path=lit --no-defaults --defaults-file/--defaults-extra-file=/\\/etc\\/(?:mysql|my\\.cnf\\.d)\\/[A-Za-z0-9_-]+\\.cnf|\\/etc\\/my\\.cnf|\\/root\\/\\.my\\.cnf/ -f/--force", Style: "gnu", Why: "ping, status, processlist, extended-status, variables and version only show", Commands: []Command{
		{"ping", &rule572},
		{"status", &rule572},
		{"processlist", &rule572},
		{"extended-status", &rule572},
		{"variables", &rule572},
		{"version", &rule572},
		{"kill", &rule573},
		{"start-replica", &rule17},
		{"start-slave", &rule17},
		{"drop", &rule574},
	},
	}
	rule576 = Rule{Do: "unknown", Why: "databases are looked at, not copied or repaired: mysql -e 'show …'", Loose: true}
	rule577 = Rule{Do: "observe", Options: "-s=t|at|l|al|r|ar|c|a -t=lit -a -r -v -l", Operands: "/\\/var\\/(?:log|lib)\\/(?:mysql|mariadb)\\/[A-Za-z0-9_][A-Za-z0-9_-]*\\.log(?:\\.[0-9]+)?/+", Why: "a log of the server by its path: mysqldumpslow -s t -t 10 /var/log/mysql/mysql-slow.log"}
	rule578 = Rule{Do: "observe", Options: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --count -t/--show-table-type -i/--status -k/--keys -v/--verbose", Operands: "lit*"}
	rule579 = Rule{Do: "observe", Options: "-D/--detail -E/--examine -Q/--query -s/--scan -b/--brief -v/--verbose -t/--test -V/--version", Operands: "meta*", Why: "arrays are only shown: mdadm --detail /dev/md0, cat /proc/mdstat", Requires: "-D|--detail|-E|--examine|-Q|--query|-V|--version"}
	rule580 = Rule{Do: "observe", Options: "-p/--parents -v/--verbose -m/--mode=/0?[0-7]?[05][05]|[0-7]?[0-7][0-7][05]/", Operands: "out+", Check: "folder"}
	rule581 = Rule{Do: "observe", Options: "-d/--directory -u/--dry-run -q/--quiet -t=/[A-Za-z0-9._-]+/ -p=out --tmpdir[=out] --suffix=/[A-Za-z0-9._-]+/", Operands: "out?", Prints: "scratch", Check: "folder"}
	rule582 = Rule{Do: "observe", Options: "-a/--author -d/--description -l/--license -p/--parameters -n/--filename -0/--null -F/--field=/[a-z]+/", Operands: "/[A-Za-z0-9_-]+/+"}
	rule583 = Rule{Do: "observe", Options: "--quiet --norc --host=dbhost --port=lit --json[=lit] --serverSelectionTimeoutMS=lit --tls --tlsCAFile=file -u/--username=lit --authenticationDatabase=lit --version --eval=/(?:printjson\\(|JSON\\.stringify\\()?(?:rs\\.(?:status|conf|config|hello|isMaster|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:serverStatus|stats|hello|isMaster|version|currentOp|getReplicationInfo|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:adminCommand|runCommand)\\((?:\"ping\"|'ping'|\\{\\s*\"?'?ping\"?'?\\s*:\\s*1\\s*\\})\\)|sh\\.status\\(\\)|show\\x20(?:dbs|databases|collections))(?:\\.[A-Za-z0-9_]+)*\\)?;?/", Operands: "/[A-Za-z0-9_-]+/?", Why: "one of the calls that only show: mongosh --quiet --eval 'rs.status()', db.serverStatus(), db.stats(), db.currentOp()", Stdin: "none", Requires: "--eval|--version"}
	rule584 = Rule{Do: "observe", Options: "-n/--rowcount=lit -h/--host=dbhost --port=lit --json --quiet", Operands: "lit?", Requires: "-n|--rowcount"}
	rule585 = Rule{Do: "observe", Options: "-l/--show-labels -t/--types=any -v/--verbose -V/--version -h/--help", Why: "file systems are neither mounted nor unmounted; the list is: mount, findmnt"}
	rule586 = Rule{Do: "observe", Options: "-q/--quiet -d/--fs-devno -x/--devno --nofollow", Operands: "meta"}
	rule587 = Rule{Do: "observe", Options: "-c -s -n -r -m -o=any -l -v -3 -4 -d -a", Operands: "any*"}
	rule588 = Rule{Do: "observe", Options: "-A -u -n -H -T -N=any -P=any -I=any -o=JSON --dec=any -V", Operands: "/[0-9]+/*"}
	rule589 = Rule{Do: "observe", Options: "-4 -6 -a/--address=lit -b/--show-ips -c/--report-cycles=lit -C/--csv -f/--first-ttl=lit -G/--gracetime=lit -i/--interval=lit -I/--interface=lit -j/--json -L/--localport=lit -m/--max-ttl=lit -n/--no-dns -o/--order=lit -P/--port=lit -Q/--tos=lit -r/--report -s/--psize=lit -S/--sctp -T/--tcp -u/--udp -U/--max-unknown=lit -v/--version -w/--report-wide -x/--xml -y/--ipinfo=lit -z/--aslookup -Z/--timeout=lit -e/--mpls", Operands: "host+", Why: "a report about hosts that are written out: mtr -r -c 5 -n HOST", Requires: "-r|-w|-j|-x|-C|-v"}
	rule590 = Rule{Do: "observe", Options: "-l -ll -v=any", Requires: "-l|-ll"}
	rule591 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -T/--no-target-directory", Operands: "any+", Check: "mv"}
	rule592 = Rule{Do: "observe", Options: "-z -x -j -c -v", Operands: "none", Why: "only of the installed configuration: named-checkconf", Stdin: "none"}
	rule593 = Rule{Do: "observe", Options: "-l/--long -m/--modes -o/--owners -v/--vertical -x/--mountpoints -n/--nosymlinks", Operands: "meta+"}
	rule594 = Rule{Do: "unknown", Why: "it is not granted; look at its log and whether its port answers: nc -zv -w 2 HOST PORT", Loose: true}
	rule595 = Rule{Do: "observe", Options: "-z -v/--verbose -w/--wait=lit -u/--udp -n/--nodns -4 -6 -i=lit -r -h/--help --version", Operands: "host /[0-9a-z][0-9a-z-]*/+", Why: "it only looks whether a port is open: nc -zv -w 2 HOST PORT", Stdin: "none", Requires: "-z|-h|--help|--version"}
	rule596 = Rule{Do: "observe", Options: "-b -k -l -w -v -q -p --version", Why: "it only lists: needrestart -b", Requires: "-b|-p|--version"}
	rule597 = Rule{Do: "observe", Options: "-a/--all -f/--format=any --diff --verbose", Operands: "lit?"}
	rule598 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule597},
		{"apply", &rule40},
		{"try", &rule40},
		{"set", &rule40},
		{"generate", &rule40},
		{"rebind", &rule40},
		{"migrate", &rule40},
		{"get", &rule40},
	},
	}
	rule599 = Rule{Do: "observe", Options: "-a/--all -l/--listening -t/--tcp -u/--udp -U/--udplite -S/--sctp -w/--raw -x/--unix -n/--numeric --numeric-hosts --numeric-ports --numeric-users -p/--programs/--program -r/--route -i/--interfaces -g/--groups -s/--statistics -e/--extend -o/--timers -c/--continuous -v/--verbose -W/--wide -N/--symbolic -Z/--context -F/--fib -C/--cache -M/--masquerade -4 -6 -A=any --inet --inet6 --protocol=any -V/--version -h/--help"}
	rule600 = Rule{Do: "observe", Persistent: "--no-pager --no-legend -a/--all -l/--full -s/--stats -n/--lines=any --json=any", Stdin: "none", Bare: true, Commands: []Command{
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
	rule601 = Rule{Do: "observe", Options: "-n -a -s -t", Operands: "/[A-Za-z0-9_.-]+/+"}
	rule602 = Rule{Do: "observe", Options: "-n/--numeric -a/--handle -s/--stateless -j/--json -y/--numeric-priority -p/--numeric-protocol -S/--service -N/--reversedns -t/--terse -v/--version -h/--help", Commands: []Command{
		{"list", &rule601},
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
	rule603 = Rule{Do: "observe", Options: "-n/--adjustment=any -#", Operands: "inner", Style: "strict"}
	rule604 = Rule{Do: "observe", Options: "-b=any -w=any -s=any -v=any -n=any", Operands: "file*", Loose: true}
	rule605 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "status?"}
	rule606 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version"}
	rule607 = Rule{Commands: []Command{
		{"connectivity", &rule606},
	},
	}
	rule608 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "lit?"}
	rule609 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"status", &rule608},
		{"show", &rule608},
	},
	}
	rule610 = Rule{Do: "observe", Options: "--active -a --order=any -t/--terse -f/--fields/-g/--get-values=any -m/--mode=any -p/--pretty", Operands: "lit*"}
	rule611 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule610},
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
	rule612 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Stdin: "none", Bare: true, Commands: []Command{
		{"general", &rule605},
		{"g", &rule605},
		{"gen", &rule605},
		{"networking", &rule607},
		{"n", &rule607},
		{"device", &rule609},
		{"dev", &rule609},
		{"d", &rule609},
		{"connection", &rule611},
		{"con", &rule611},
		{"c", &rule611},
	},
	}
	rule613 = Rule{Do: "observe", Operands: "status|info|tpstats|compactionstats|netstats|ring|gossipinfo|describecluster|version|proxyhistograms|tablestats|cfstats|statusbinary|statusgossip|statusbackup /[A-Za-z0-9_][A-Za-z0-9_.]*/*", Style: "strict", Why: "of this machine, and only shown: nodetool status"}
	rule614 = Rule{Do: "observe", Options: "-verbose -short -stats -evals -allocs -self -namespace=lit", Operands: "lit?", Style: "word"}
	rule615 = Rule{Commands: []Command{
		{"status", &rule614},
	},
	}
	rule616 = Rule{Commands: []Command{
		{"status", &rule614},
		{"allocs", &rule614},
	},
	}
	rule617 = Rule{Commands: []Command{
		{"members", &rule614},
	},
	}
	rule618 = Rule{Commands: []Command{
		{"status", &rule614},
		{"list", &rule614},
	},
	}
	rule619 = Rule{Do: "observe", Style: "word", Why: "only shown, without -json: jobs hold environments", Commands: []Command{
		{"status", &rule614},
		{"node", &rule615},
		{"job", &rule616},
		{"alloc", &rule615},
		{"server", &rule617},
		{"deployment", &rule618},
		{"version", &rule614},
	},
	}
	rule620 = Rule{Do: "observe", Options: "--all --ignore=any --version --help", Prints: "names"}
	rule621 = Rule{Do: "observe", Options: "-t/--target=any -n/--net -u/--uts -i/--ipc -p/--pid", Operands: "inner", Style: "strict", Why: "into the network of another process, with this machine's programs: nsenter -t PID -n ss -tlnp; into a container: docker exec NAME COMMAND"}
	rule622 = Rule{Do: "observe", Options: "-all -class=/[A-Za-z]+/ -d2 -nod2 -debug -nodebug -domain=/[A-Za-z0-9._-]+/ -fail -nofail -q=/[A-Za-z0-9]+/ -query=/[A-Za-z0-9]+/ -querytype=/[A-Za-z0-9]+/ -type=/[A-Za-z0-9]+/ -recurse -norecurse -retry=/[0-9]+/ -search -nosearch -timeout=/[0-9]+/ -vc -novc -version", Operands: "/[A-Za-z0-9_:][A-Za-z0-9_.:-]*/ /[A-Za-z0-9._:-]+/?", Style: "word", Why: "it asks for one name that is written out, never interactively: nslookup NAME SERVER", Stdin: "none"}
	rule623 = Rule{Do: "observe", Options: "-a/--ignore -s/--noupdate -z/--zeros -r/--reset -j/--json -p/--pretty", Operands: "any*"}
	rule624 = Rule{Do: "observe", Options: "-4 -6 -n -p/--peers -w/--wide -c/--command=peers|pe|associations|as|rv|readvar|sysinfo|sysstats|kerninfo|lpeers|apeers|opeers|iostats|monstats --version", Operands: "host*", Why: "it only shows: ntpq -pn", Stdin: "none", Requires: "-p|-c|--version"}
	rule625 = Rule{Do: "observe", Options: "-H/--hardware -s/--show", Why: "only shown: numactl --hardware", Requires: "-H|--hardware|-s|--show"}
	rule626 = Rule{Do: "observe", Options: "-c=any -s=any -d=any -o=any -m"}
	rule627 = Rule{Do: "observe", Options: "-L/--list-gpus -q/--query -d/--display=any -i/--id=any -l/--loop=any --query-gpu=any --query-compute-apps=any --format=any --help", Style: "word", Stdin: "none", Bare: true, Commands: []Command{
		{"dmon", &rule626},
		{"pmon", &rule626},
		{"topo", &rule626},
	},
	}
	rule628 = Rule{Do: "observe", Options: "-v/--verbose -o/--output-format=any -H/--human-readable -n/--namespace-id=any -e/--log-entries=any", Operands: "meta?"}
	rule629 = Rule{Do: "forbidden", Operands: "any*", Why: "disks hold the services' data; ask a person", Loose: true}
	rule630 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule628},
		{"list-subsys", &rule628},
		{"list-ns", &rule628},
		{"smart-log", &rule628},
		{"error-log", &rule628},
		{"fw-log", &rule628},
		{"id-ctrl", &rule628},
		{"id-ns", &rule628},
		{"show-regs", &rule628},
		{"self-test-log", &rule628},
		{"version", &rule628},
		{"get-log", &rule628},
		{"format", &rule629},
		{"sanitize", &rule629},
		{"write", &rule629},
		{"write-zeroes", &rule629},
		{"write-uncor", &rule629},
		{"dsm", &rule629},
		{"delete-ns", &rule629},
		{"create-ns", &rule629},
		{"fw-download", &rule629},
		{"fw-commit", &rule629},
		{"reset", &rule629},
		{"subsystem-reset", &rule629},
		{"set-feature", &rule629},
		{"security-send", &rule629},
		{"admin-passthru", &rule629},
		{"io-passthru", &rule629},
		{"detach-ns", &rule629},
		{"disconnect", &rule629},
		{"disconnect-all", &rule629},
	},
	}
	rule631 = Rule{Do: "observe", Options: "-A=any -j=any -N=any -t=any", Operands: "file*", Loose: true}
	rule632 = Rule{Do: "observe", Options: "-connect=/[A-Za-z0-9_.:[\\]-]+/ -host=lit -port=lit -servername=lit -noservername -bind=lit -4 -6 -name=lit -xmpphost=lit -starttls=lit -verify=lit -verify_return_error -verify_quiet -verify_hostname=lit -verify_ip=lit -verify_email=lit -verify_name=lit -verify_depth=lit -purpose=lit -auth_level=lit -attime=lit -no_check_time -partial_chain -trusted_first -no_alt_chains -x509_strict -crl_check -crl_check_all -issuer_checks -policy_check -policy_print -check_ss_sig -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -CRL=file -CRLform=PEM|DER -nameopt=lit -showcerts -brief -status -serverinfo=lit -tlsextdebug -security_debug -security_debug_verbose -debug -msg -trace -state -prexit -quiet -ign_eof -no_ign_eof -crlf -nocommands -adv -reconnect -async -nbio -nbio_test -read_buf=lit -timeout -mtu=lit -alpn=lit -nextprotoneg=lit -ct -noct -tls1 -tls1_1 -tls1_2 -tls1_3 -dtls -dtls1 -dtls1_2 -no_ssl3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -min_protocol=lit -max_protocol=lit -cipher=lit -ciphersuites=lit -sigalgs=lit -client_sigalgs=lit -groups=lit -curves=lit -named_curve=lit -no_ticket -no_comp -comp -bugs -serverpref -legacy_renegotiation -client_renegotiation -no_renegotiation -legacy_server_connect -no_legacy_server_connect -prioritize_chacha -no_middlebox -no_etm -fallback_scsv -enable_pha -maxfraglen=lit -max_send_frag=lit -split_send_frag=lit -max_pipelines=lit -ignore_unexpected_eof -help", Operands: "/[A-Za-z0-9_.:[\\]-]+/?", Style: "word", Why: "the host is written out, and nothing is sent: openssl s_client -connect HOST:443 -servername HOST </dev/null", Stdin: "none"}
	rule633 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -outform=PEM|DER|pem|der -noout -nocert -text -dates -enddate -startdate -subject -issuer -serial -email -alias -hash -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old -fingerprint -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -ext=lit -checkend=lit -checkhost=lit -checkip=lit -checkemail=lit -purpose -pubkey -modulus -ocspid -ocsp_uri -nameopt=lit -certopt=lit -dateopt=lit -help", Style: "word", Why: "it only shows a certificate: openssl x509 -noout -dates -subject -in FILE"}
	rule634 = Rule{Do: "observe", Options: "-verbose -nameopt=lit -trusted=file -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -untrusted=file -CRLfile=file -show_chain -purpose=lit -verify_name=lit -verify_depth=lit -verify_hostname=lit -verify_ip=lit -verify_email=lit -auth_level=lit -attime=lit -no_check_time -crl_check -crl_check_all -x509_strict -partial_chain -trusted_first -no_alt_chains -issuer_checks -policy_check -policy_print -check_ss_sig -help", Operands: "file*", Style: "word"}
	rule635 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -issuer -lastupdate -nextupdate -fingerprint -crlnumber -hash -hash_old -nameopt=lit -dateopt=lit -sha1 -sha256 -verify -CAfile=file -CApath=lit -help", Style: "word"}
	rule636 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -subject -pubkey -modulus -verify -nameopt=lit -reqopt=lit -help", Style: "word", Why: "it only shows a request: openssl req -noout -text -in FILE", Requires: "-noout"}
	rule637 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -certfile=file -nocrl -help", Style: "word"}
	rule638 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -print_certs -print -noout -text -quiet -help", Style: "word"}
	rule639 = Rule{Do: "observe", Options: "-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -r -c -list -help", Operands: "file*", Style: "word"}
	rule640 = Rule{Do: "observe", Options: "-a -v -p -o -f -d -b -e -m -r -c -help", Style: "word"}
	rule641 = Rule{Do: "observe", Options: "-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -ciphersuites=lit -help", Operands: "lit?", Style: "word"}
	rule642 = Rule{Do: "observe", Options: "-commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -disabled -help", Style: "word"}
	rule643 = Rule{Do: "forbidden", Why: "private keys are secrets; a certificate shows with openssl x509 -noout -text -in FILE", Loose: true}
	rule644 = Rule{Do: "observe", Options: "--version", Why: "s_client, x509, verify, crl, req, version and ciphers are granted, for looking; keys and passwords are not", Requires: "--version", Commands: []Command{
		{"s_client", &rule632},
		{"x509", &rule633},
		{"verify", &rule634},
		{"crl", &rule635},
		{"req", &rule636},
		{"crl2pkcs7", &rule637},
		{"pkcs7", &rule638},
		{"dgst", &rule639},
		{"md5", &rule639},
		{"sha1", &rule639},
		{"sha256", &rule639},
		{"sha512", &rule639},
		{"version", &rule640},
		{"ciphers", &rule641},
		{"list", &rule642},
		{"rsa", &rule643},
		{"ec", &rule643},
		{"dsa", &rule643},
		{"pkey", &rule643},
		{"pkcs8", &rule643},
		{"pkcs12", &rule643},
		{"pkeyutl", &rule643},
		{"rsautl", &rule643},
		{"storeutl", &rule643},
	},
	}
	rule645 = Rule{Do: "observe", Options: "-Q -q -i -l -o -s -e -d -t -u -k --version", Operands: "any*", Why: "packages are for people; what is installed: pacman -Q", Requires: "-Q|--version"}
	rule646 = Rule{Do: "observe", Options: "-l/--list -s/--script -m/--machine -v/--version", Operands: "meta? print?", Why: "partitions are only shown: parted -l", Requires: "-l|--list|-v|--version"}
	rule647 = Rule{Do: "observe", Options: "-d/--delimiters=any", Operands: "file*", Loose: true}
	rule648 = Rule{Do: "observe", Options: "-e/--extended -t/--timestamp -f/--format=lit --group=lit", Operands: "lit*"}
	rule649 = Rule{Do: "observe", Options: "-f/--format=lit --group=lit", Operands: "lit?"}
	rule650 = Rule{Do: "forbidden", Why: "it deletes a member's data", Loose: true}
	rule651 = Rule{Do: "observe", Persistent: "-c/--config-file=/\\/etc\\/patroni(?:\\/[A-Za-z0-9_-]+)*\\.ya?ml/ -k/--insecure", Why: "it only shows here: patronictl list, patronictl history; a failover is for a person", Commands: []Command{
		{"list", &rule648},
		{"topology", &rule648},
		{"history", &rule649},
		{"version", &rule16},
		{"reinit", &rule650},
		{"remove", &rule650},
	},
	}
	rule652 = Rule{Do: "observe", Options: "--full", Operands: "/[A-Za-z0-9_.:]+/*"}
	rule653 = Rule{Commands: []Command{
		{"status", &rule652},
	},
	}
	rule654 = Rule{Commands: []Command{
		{"status", &rule652},
		{"config", &rule652},
	},
	}
	rule655 = Rule{Do: "observe", Operands: "list|show|config?", Why: "constraints are only listed: pcs constraint"}
	rule656 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule652},
		{"cluster", &rule653},
		{"resource", &rule654},
		{"constraint", &rule655},
	},
	}
	rule657 = Rule{Do: "observe", Options: "--verbose[=any]", Operands: "/[0-9]+/"}
	rule658 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule16},
		{"status", &rule657},
	},
	}
	rule659 = Rule{Do: "observe", Operands: "/\\/c[0-9a-z\\/]+|show/ show? all?"}
	rule660 = Rule{Do: "observe", Options: "-d=today|yesterday -h=any -u=any --detail=any --problems_first --no_no_msg_size --verbose_msg_detail", Operands: "/\\/var\\/log\\/(?:mail\\/)?[A-Za-z0-9_][A-Za-z0-9_-]*(?:\\.log|\\.info|\\.err)?(?:\\.[0-9]+)?/*", Why: "a log by its path: pflogsumm -d today /var/log/mail.log"}
	rule661 = Rule{Do: "observe", Options: "--bindir --sharedir --sysconfdir --pkglibdir --libdir --version"}
	rule662 = Rule{Do: "observe", Options: "-D/--pgdata=lit -V/--version", Operands: "lit?"}
	rule663 = Rule{Do: "observe", Options: "-D/--pgdata=lit -s/--silent -V/--version", Operands: "/status/", Why: "it only shows here: pg_ctl status -D FOLDER; a restart goes by systemctl or docker restart"}
	rule664 = Rule{Do: "observe", Operands: "lit lit /status/", Why: "it only shows here: pg_ctlcluster VERSION NAME status; a restart goes by systemctl restart postgresql@VERSION-NAME"}
	rule665 = Rule{Do: "forbidden", Why: "it shows the passwords of all roles", Loose: true}
	rule666 = Rule{Do: "observe", Options: "-d/--dbname=/[A-Za-z0-9_.-]+/ -h/--host=host -p/--port=/[1-9][0-9]{0,4}/ -q/--quiet -t/--timeout=/[0-9]+/ -U/--username=/[A-Za-z0-9_.@-]+/ -V/--version"}
	rule667 = Rule{Do: "observe", Options: "-h/--no-header -j/--json -s/--start-conf", Operands: "lit*"}
	rule668 = Rule{Do: "observe", Options: "-l/--list -F/--format=c|d|t|custom|directory|tar -V/--version", Operands: "file?", Why: "it only lists what a dump holds: pg_restore -l FILE", Requires: "-l|--list|-V|--version"}
	rule669 = Rule{Do: "observe", Options: "--output=text|json --set=lit"}
	rule670 = Rule{Do: "observe", Persistent: "--stanza=lit --repo=lit", Why: "backups are only listed here: pgbackrest info", Commands: []Command{
		{"info", &rule669},
		{"version", &rule16},
	},
	}
	rule671 = Rule{Do: "observe", Options: "-d/--delimiter=any!text -l/--list-name!text -a/--list-full!text -v/--inverse -w/--lightweight -c/--count -f/--full -g/--pgroup=any -G/--group=any -i/--ignore-case -n/--newest -o/--oldest -O/--older=any -P/--parent=any -s/--session=any -t/--terminal=any -u/--euid=any -U/--uid=any -x/--exact -F/--pidfile=file -L/--logpidfile -r/--runstates=any -A/--ignore-ancestors --cgroup=any --ns=any --nslist=any -h/--help -V/--version", Operands: "any?", Prints: "numbers"}
	rule672 = Rule{Do: "observe", Options: "-t/--test!once -v/--version -m -h", Why: "php-fpm -t; to reload it: systemctl reload php8.2-fpm", Requires: "-t|--test|-v|--version|-m|-h", Cwd: "settings"}
	rule673 = Rule{Do: "observe", Options: "-s -c -q -w -x -o=any -t -S=any", Operands: "lit+", Prints: "names"}
	rule674 = Rule{Do: "observe", Options: "-d -h -H -I -l -r -R -s -t -u -v -V -w -C=any -G=any -p=any -T=any -U[=any] --human --dec=any", Operands: "/[0-9]+/*", Why: "it does not start programs here (-e)"}
	rule675 = Rule{Do: "observe", Options: "-v/--version", Commands: []Command{
		{"status", &rule16},
		{"version", &rule16},
	},
	}
	rule676 = Rule{Do: "observe", Options: "-3 -4 -6 -a -B -C -c=lit -D -d -e=lit -F=lit -h -H -I=lit -i=/(?:0\\.[2-9]|[1-9])[0-9.]*/ -L -M=lit -m=lit -N=lit -n -O -Q=lit -q -R -r -S=lit -s=lit -T=lit -t=lit -U -V -v -W=lit -w=lit", Operands: "host", Why: "a host that is written out, without flood or payload: ping -c 3 HOST"}
	rule677 = Rule{Do: "observe", Options: "-o/--outdated -f/--files --format=any --disable-pip-version-check", Operands: "lit*"}
	rule678 = Rule{Do: "observe", Options: "-V/--version", Commands: []Command{
		{"list", &rule677},
		{"show", &rule677},
		{"check", &rule677},
	},
	}
	rule679 = Rule{Do: "observe", Options: "-0 -f -x", Operands: "lit", Why: "signals are not granted, apart from pkill -0 NAME, which only asks; restart the service, which is counted", Requires: "-0"}
	rule680 = Rule{Do: "unknown", Operands: "any*", Why: "it shows the program's environment; use pm2 list and pm2 logs NAME --nostream"}
	rule681 = Rule{Do: "observe", Options: "--lines=/[0-9]+/ --nostream --err --out --timestamp --raw", Operands: "name?", Style: "gnu"}
	rule682 = Rule{Do: "restart", Operands: "svc+", Stdin: "none", Check: "plain"}
	rule683 = Rule{Do: "restart", Operands: "svc+", Stdin: "none", Part: "first", Check: "plain"}
	rule684 = Rule{Do: "unknown", Operands: "any*", Why: "pm2 restart NAME also starts what is stopped"}
	rule685 = Rule{Do: "observe", Why: "by names of letters, digits, - and _, not by files: pm2 restart NAME", Cwd: "settings", Commands: []Command{
		{"list", &rule16},
		{"ls", &rule16},
		{"status", &rule16},
		{"l", &rule16},
		{"describe", &rule680},
		{"desc", &rule680},
		{"logs", &rule681},
		{"restart", &rule682},
		{"reload", &rule682},
		{"stop", &rule683},
		{"start", &rule684},
	},
	}
	rule686 = Rule{Do: "observe", Options: "-x/--extended -X -d/--device -q/--quiet -p/--show-path -A/--range=any", Operands: "any+"}
	rule687 = Rule{Do: "observe", Options: "-n -d -h -p -f -H -x -m -l", Operands: "/[a-z0-9_]+/*", Why: "settings are only shown, by their names: postconf -n, postconf relayhost"}
	rule688 = Rule{Do: "unknown", Operands: "any*", Why: "to restart it: systemctl restart postfix"}
	rule689 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"reload", &rule17},
		{"start", &rule688},
		{"stop", &rule688},
		{"abort", &rule688},
		{"flush", &rule688},
		{"check", &rule688},
		{"set-permissions", &rule688},
		{"upgrade-configuration", &rule688},
	},
	}
	rule690 = Rule{Do: "observe", Options: "-p -j -v -f!change", Requires: "-p|-j|-f"}
	rule691 = Rule{Do: "observe", Options: "-p/--pid=any -o/--output=any --noheadings --raw --verbose -n/--nofile -u/--nproc -c/--core -v/--as -m/--rss -l/--memlock -s/--stack -d/--data", Why: "limits are read only, of a process that runs"}
	rule692 = Rule{Do: "observe", Options: "--lint[=any] --syntax-only", Operands: "/\\/(?:etc|srv|repos|opt)\\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*(?:prometheus|alerts?|rules|web|recording|[a-z0-9_-]*[._-]rules)\\.ya?ml/+", Why: "promtool check config /etc/prometheus/prometheus.yml"}
	rule693 = Rule{Commands: []Command{
		{"config", &rule692},
		{"rules", &rule692},
		{"web-config", &rule692},
	},
	}
	rule694 = Rule{Do: "observe", Options: "-o/--format=promql|json", Operands: "/http:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+\\/?/ /[A-Za-z0-9_({\"'][^@\\r\\n]*/", Why: "of the Prometheus of this machine: promtool query instant http://localhost:9090 EXPRESSION"}
	rule695 = Rule{Commands: []Command{
		{"instant", &rule694},
	},
	}
	rule696 = Rule{Do: "observe", Commands: []Command{
		{"check", &rule693},
		{"query", &rule695},
	},
	}
	rule697 = Rule{Do: "observe", Options: "-A -a -d -e -f -F -l -j -y -c -m -L -T -H -M -Z -N -w -p/-q/--pid/--quick-pid/--ppid/--sid=any -C=lit -o/--format=/(?:(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?(?:=[A-Za-z0-9_%]*)?(?:[,\\s]+|$))+/ -u/--user/-U/--User=lit -s=/[0-9]+/ --sort=/[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?:,[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending))*/ --no-headers/--no-heading/--headers/--heading --forest --cols/--columns/--width=/[0-9]+/ --rows/--lines=/[0-9]+/ --cumulative -V/--version", Operands: "/[aAcfgHhjlmnrsSTuvwxXLMZ]+o?|o|p|[0-9]+(?:,[0-9]+)*|(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?(?:[,](?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?)*/*", Style: "gnu", Why: "without letters that show environments, which hold secrets: ps aux, ps -ef, ps -eo pid,etime,rss,args --sort=-rss", Check: "ps"}
	rule698 = Rule{Do: "observe", Options: "-a/--echo-all -A/--no-align -b/--echo-errors -c/--command=psql!nostdin --csv -e/--echo-queries -E/--echo-hidden -d/--dbname=/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/ -F/--field-separator=any -h/--host=dbhost -H/--html -l/--list!nostdin -n/--no-readline -p/--port=/[1-9][0-9]{0,4}/ -P/--pset=/pager=(?:off|0)|(?:border|columns|csv_fieldsep|expanded|fieldsep|footer|format|linestyle|null|numericlocale|recordsep|title|tuples_only)(?:=.*)?/ -q/--quiet -R/--record-separator=any -t/--tuples-only -T/--table-attr=lit -U/--username=/[A-Za-z0-9_.@-]+/ -v/--set/--variable=/(?:ON_ERROR_STOP|QUIET|VERBOSITY|SHOW_CONTEXT|ECHO)=[A-Za-z0-9_]*/ -V/--version!nostdin -w/--no-password -x/--expanded -X/--no-psqlrc -z/--field-separator-zero -0/--record-separator-zero -1/--single-transaction", Operands: "/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/? lit?", Style: "gnu", Why: "one literal statement, a host by -h that the inventory or the policy names, no password: psql -X -A -t -h HOST -U USER -d DB -c 'select 1'", Stdin: "psql"}
	rule699 = Rule{Do: "observe", Options: "-a/--arguments -A/--ascii -c/--compact-not -C/--color=any -g/--show-pgids -G/--vt100 -h/--highlight-all -H/--highlight-pid=any -l/--long -n/--numeric-sort -N/--ns-sort=any -p/--show-pids -s/--show-parents -S/--ns-changes -t/--thread-names -T/--hide-threads -u/--uid-changes -U/--unicode -Z/--security-context -V/--version", Operands: "any?"}
	rule700 = Rule{Do: "observe", Operands: "any+"}
	rule701 = Rule{Do: "observe", Options: "-V/--version", Operands: "none", Style: "strict", Why: "a program in python cannot be read; use jq, awk, grep or sed", Requires: "-V|--version"}
	rule702 = Rule{Do: "observe", Options: "-a -u -g -s -v -n -p -w -q", Operands: "any*"}
	rule703 = Rule{Do: "observe", Operands: "lit"}
	rule704 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmq-diagnostics status", Loose: true}
	rule705 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --unit=lit", Why: "ping, status, check_… and listeners only show", Commands: []Command{
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
		{"check_port_listener", &rule703},
		{"check_protocol_listener", &rule703},
		{"environment", &rule704},
		{"report", &rule704},
	},
	}
	rule706 = Rule{Do: "observe", Options: "--online --offline --local --all --sort=lit", Operands: "lit*"}
	rule707 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes messages", Loose: true}
	rule708 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmqctl status", Loose: true}
	rule709 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --no-table-headers --print-stacktrace", Why: "status, cluster_status and the list_… commands only show", Commands: []Command{
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
		{"list_queues", &rule706},
		{"list_connections", &rule706},
		{"list_channels", &rule706},
		{"list_consumers", &rule706},
		{"list_exchanges", &rule706},
		{"list_bindings", &rule706},
		{"purge_queue", &rule707},
		{"delete_queue", &rule707},
		{"reset", &rule707},
		{"force_reset", &rule707},
		{"delete_vhost", &rule707},
		{"forget_cluster_node", &rule707},
		{"environment", &rule708},
		{"report", &rule708},
	},
	}
	rule710 = Rule{Do: "observe", Options: "-a/--all -l/--list -s/--servicelist -c/--crashed -r/--runlevel -u/--unused -m/--manual -S/--supervised -f/--format=any", Operands: "lit?"}
	rule711 = Rule{Do: "observe", Options: "-v -a", Operands: "lit*"}
	rule712 = Rule{Do: "observe", Options: "-v -a", Stdin: "none", Bare: true, Commands: []Command{
		{"show", &rule711},
	},
	}
	rule713 = Rule{Do: "observe", Operands: "meta*", Loose: true}
	rule714 = Rule{Do: "observe", Operands: "host+"}
	rule715 = Rule{Do: "observe", Operands: "lit?", Why: "with one interface at most: the name servers are for people"}
	rule716 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-4 -6 -i/--interface=lit -p/--protocol=lit -t/--type=lit -c/--class=lit --no-pager --legend=any --cache=any --validate=any --json=any", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule29},
		{"statistics", &rule29},
		{"show-cache", &rule29},
		{"show-server-state", &rule29},
		{"query", &rule714},
		{"dns", &rule715},
		{"domain", &rule715},
		{"dnssec", &rule715},
		{"dnsovertls", &rule715},
		{"llmnr", &rule715},
		{"mdns", &rule715},
		{"nta", &rule715},
		{"default-route", &rule715},
		{"flush-caches", &rule17},
		{"reset-server-features", &rule17},
	},
	}
	rule717 = Rule{Do: "observe", Options: "-c/--compact -g/--group-by=any -H/--host=any --last --latest=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule718 = Rule{Do: "observe", Options: "--mode=restore-size|files-by-contents|raw-data|blobs-per-file -H/--host=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule719 = Rule{Do: "observe", Operands: "locks|snapshots"}
	rule720 = Rule{Do: "observe", Options: "--version", Persistent: "-r/--repo=/\\/(?:srv|mnt|media|data|backups?|var\\/backups?)(?:\\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/ --json --no-lock --no-cache -q/--quiet -v/--verbose -h/--help", Why: "backups are only listed: restic snapshots, with a repository of this machine or the one that is set", Commands: []Command{
		{"snapshots", &rule717},
		{"stats", &rule718},
		{"list", &rule719},
		{"version", &rule16},
	},
	}
	rule721 = Rule{Do: "observe", Options: "-e/--regexp=any!first -f/--file=file!first -i/--ignore-case -S/--smart-case -s/--case-sensitive -n/--line-number -N/--no-line-number -l/--files-with-matches --files-without-match -c/--count --count-matches -v/--invert-match -w/--word-regexp -x/--line-regexp -o/--only-matching -F/--fixed-strings -P/--pcre2 -U/--multiline --multiline-dotall -u/--unrestricted -uu -uuu -./--hidden --no-ignore --no-ignore-vcs -g/--glob=any --iglob=any -t/--type=any -T/--type-not=any --type-list -A/--after-context=any -B/--before-context=any -C/--context=any -m/--max-count=any -r/--replace=any -q/--quiet --json --stats --sort=any --sortr=any --color=any --colors=any --no-heading --heading --column -p/--pretty -H/--with-filename -I/--no-filename -d/--max-depth=any -L/--follow -a/--text --trim -M/--max-columns=any --max-filesize=any -0/--null --line-buffered --no-messages --no-config --crlf --encoding=any -j/--threads=any --files!first -V/--version", Operands: "any tree*", Style: "gnu", Why: "other programs (--pre, --hostname-bin) are not granted", Cwd: "tree"}
	rule722 = Rule{Do: "change", Options: "-f/--force -v/--verbose -i -I --interactive[=any] -r/-R/--recursive -d/--dir --one-file-system", Operands: "any+", Check: "rm"}
	rule723 = Rule{Do: "observe", Options: "-v/--verbose --ignore-fail-on-non-empty", Operands: "out+"}
	rule724 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"recursing-status", &rule16},
	},
	}
	rule725 = Rule{Do: "observe", Options: "-n/--numeric -e/--extend -v/--verbose -A=any -F/--fib -C/--cache -4 -6 -V/--version", Stdin: "none", Bare: true, Commands: []Command{
		{"add", &rule40},
		{"del", &rule40},
		{"delete", &rule40},
		{"flush", &rule40},
		{"change", &rule40},
	},
	}
	rule726 = Rule{Do: "observe", Options: "-p -s -m", Operands: "host?"}
	rule727 = Rule{Do: "observe", Options: "-q/--query -a/--all -i/--info -l/--list -f/--file -c/--configfiles -d/--docfiles -R/--requires --provides --whatprovides --whatrequires --last --changelog --scripts -s/--state -V/--verify --qf/--queryformat=/(?:[^%({]|%-?[0-9]*\\{[A-Za-z_]+(?::[a-z]+)?\\})*/ --version -e!unknown -U!unknown -F!unknown", Operands: "/[^%-][^%]*/*", Why: "packages are for people; what is installed: rpm -qa", Requires: "-q|--query|-V|--verify|--version"}
	rule728 = Rule{Do: "observe", Commands: []Command{
		{"stat", &rule16},
		{"uptime", &rule16},
		{"counters", &rule16},
	},
	}
	rule729 = Rule{Do: "observe", Options: "--test --list --regex=any --lsbsysinit", Operands: "meta", Why: "it is only shown what would run: run-parts --test DIR", Requires: "--test|--list"}
	rule730 = Rule{Do: "observe", Options: "-c/--container -v/--vm -q/--quiet -p/--path -u/--unescape --suffix=any", Operands: "lit*"}
	rule731 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any", Operands: "inner", Style: "strict", Why: "runuser -u USER -- COMMAND", Requires: "-u|--user"}
	rule732 = Rule{Do: "observe", Options: "-u -w -N -r -p -t -d", Operands: "any"}
	rule733 = Rule{Do: "observe", Options: "-A -b -B -C -d -D -F -h --human -H -i=any -I=any -j=any -m=any -n=any -p -P=any -q -r -S -t -u -v -V -w -W -x -y -z -s=any -e=any -f=file --dec=any --dev=any --fs=any --iface=any --int=any --pretty", Operands: "/[0-9]+/*", Why: "recording (-o) is not granted"}
	rule734 = Rule{Do: "observe", Options: "-ls -list -v", Requires: "-ls|-list|-v"}
	rule735 = Rule{Do: "unknown", Operands: "any*", Why: "diff -y FILE FILE shows files side by side", Loose: true}
	rule736 = Rule{Do: "observe", Options: "-A/--no-adapter -f/--fahrenheit -u -j -v/--version -h/--help", Operands: "lit*"}
	rule737 = Rule{Do: "observe", Options: "-w/--wait", Operands: "inner", Style: "strict", Check: "loop"}
	rule738 = Rule{Do: "observe", Options: "-e/--exports -a/--all -d/--directories --no-headers", Operands: "host?"}
	rule739 = Rule{Do: "observe", Options: "-n/--head-count=any -e/--echo -i/--input-range=any -r/--repeat -z/--zero-terminated --random-source=file", Operands: "file*"}
	rule740 = Rule{Do: "observe", Options: "-a/--all -x/--xall -H/--health -i/--info -A/--attributes -c/--capabilities -l/--log=error|selftest|selective|directory|background|sataphy|sasphy|devstat|sct|sctstatus|scttemp|scttempsts|scttemphist|scterc|xerror|xselftest|ssd|farm|envrep -d/--device=any -j/--json[=any] -n/--nocheck=any -f/--format=any -r/--report=any -q/--quietmode=any --scan --scan-open -v/--vendorattribute=any -g/--get=any -V/--version -h/--help", Operands: "meta*", Why: "tests and settings of disks are for people: smartctl -a /dev/sda"}
	rule741 = Rule{Do: "observe", Options: "-b/--brief -p/--processes -S/--shares -L/--locks -B/--byterange -n/--numeric -v/--verbose -u/--user=any"}
	rule742 = Rule{Do: "observe", Options: "-t -k -p -u -w -m -H -n -r -s=any -c=any -P=any -U=any -M=any"}
	rule743 = Rule{Do: "observe", Options: "--all -a -l", Operands: "name*"}
	rule744 = Rule{Do: "observe", Operands: "name*"}
	rule745 = Rule{Do: "observe", Options: "-n=any -f", Operands: "name"}
	rule746 = Rule{Do: "restart", Operands: "svc+", Check: "unit"}
	rule747 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule743},
		{"services", &rule743},
		{"changes", &rule743},
		{"version", &rule743},
		{"warnings", &rule743},
		{"info", &rule744},
		{"tasks", &rule744},
		{"change", &rule744},
		{"connections", &rule744},
		{"logs", &rule745},
		{"restart", &rule746},
	},
	}
	rule748 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule16},
		{"list-configs", &rule16},
	},
	}
	rule749 = Rule{Do: "observe", Options: "-V", Why: "it connects anything with anything; to look whether a port is open: nc -zv -w 2 HOST PORT", Requires: "-V"}
	rule750 = Rule{Do: "observe", Options: "-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort -h/--human-numeric-sort -i/--ignore-nonprinting -M/--month-sort -n/--numeric-sort -R/--random-sort -r/--reverse --sort=any -V/--version-sort --batch-size=any -c/--check[=any] -C --debug -k/--key=any -m/--merge -o/--output=out -s/--stable -S/--buffer-size=any -t/--field-separator=any --parallel=any -u/--unique -z/--zero-terminated --random-source=file --help --version", Operands: "file*", Style: "gnu", Why: "another program (--compress-program) and another folder for its own files (-T) are not granted"}
	rule751 = Rule{Do: "observe", Options: "-K -V", Why: "spamc -K asks whether it answers", Requires: "-K|-V"}
	rule752 = Rule{Do: "observe", Options: "-readonly -safe -batch -bail -echo -nofollow -interactive -stats -memtrace -utf8 -ascii -box -column -csv -html -json -line -list -markdown -quote -table -tabs -header -noheader -separator=lit -newline=lit -nullvalue=lit -escape=lit -mmap=lit -maxsize=lit -lookaside=lit,lit -pagecache=lit,lit -cmd=/\\.(?:timeout\\s+[0-9]+|mode\\s+[a-z]+|headers?\\s+(?:on|off)|nullvalue\\s+[A-Za-z-]+|width[0-9\\s-]+)/ -version!nostdin -help!nostdin", Operands: "file? sqlite*", Style: "word", Why: "a file and a literal statement that only reads: sqlite3 -readonly FILE 'pragma quick_check'", Stdin: "sqlite"}
	rule753 = Rule{Do: "observe", Options: "-n/--numeric -r/--resolve -a/--all -l/--listening -B/--bound-inactive -o/--options -e/--extended -m/--memory -p/--processes -T/--threads -i/--info --tipcinfo -s/--summary --tos --cgroup -b/--bpf -E/--events -Z/--context -z/--contexts -4/--ipv4 -6/--ipv6 -0/--packet -t/--tcp -M/--mptcp -S/--sctp -u/--udp -d/--dccp -w/--raw -x/--unix --tipc --vsock --xdp -f/--family=any -H/--no-header -O/--oneline --inet-sockopt -A/--query/--socket=any -Q/--no-queues -h/--help -V/--version", Operands: "any*", Style: "gnu", Why: "closing connections (-K) and files (-D, -F) are not granted"}
	rule754 = Rule{Do: "observe", Options: "-4 -6 -a -C -k -n -q -T -t -v -x -l=/[A-Za-z0-9_.-]+/ -p=/[0-9]+/ -i=credential -J=sshhost -o=/(?:AddressFamily|BatchMode|CheckHostIP|Compression|ConnectTimeout|ConnectionAttempts|GSSAPIAuthentication|IdentitiesOnly|KbdInteractiveAuthentication|LogLevel|NumberOfPasswordPrompts|PasswordAuthentication|Port|PreferredAuthentications|PubkeyAuthentication|RequestTTY|ServerAliveCountMax|ServerAliveInterval|TCPKeepAlive|User|VisualHostKey)[=\\x20][A-Za-z0-9_.-]+|StrictHostKeyChecking[=\\x20](?:yes|accept-new|ask)|(?:ForwardAgent|ForwardX11|ControlMaster)[=\\x20]no|Control(?:Path|Persist)[=\\x20](?:none|no)/", Operands: "sshhost remote", Style: "strict", Why: "options, a host of the inventory or the policy, then the command, written out: ssh -o BatchMode=yes -o ConnectTimeout=5 HOST 'df -h'"}
	rule755 = Rule{Do: "observe", Options: "-l -v -E=md5|sha256 -f=file -F=lit", Why: "it only shows the fingerprint of a public key: ssh-keygen -l -f FILE.pub", Requires: "-l|-F"}
	rule756 = Rule{Do: "observe", Options: "-4 -6 -c -H -p=lit -q -T=lit -t=lit -v", Operands: "host+", Why: "hosts are written out: ssh-keyscan -t ed25519 HOST"}
	rule757 = Rule{Do: "observe", Options: "-t -T -G -C=any -V", Requires: "-t|-T|-G|-V"}
	rule758 = Rule{Do: "observe", Options: "-c/--format=any --printf=any -f -L -t", Operands: "meta*", Loose: true}
	rule759 = Rule{Do: "observe", Options: "-i/--input=any -o/--output=any -e/--error=any", Operands: "inner", Style: "strict"}
	rule760 = Rule{Do: "observe", Options: "-a/--all -f/--print-file-name -n/--bytes=/[0-9]+/ -t/--radix=d|o|x -e/--encoding=s|S|b|l|B|L -o -w/--include-all-whitespace -#", Operands: "file*", Why: "the system's own programs and libraries, or a pipe: strings /usr/sbin/nginx, head -c 1M FILE | strings"}
	rule761 = Rule{Do: "observe", Options: "-a/--all", Operands: "size|speed?"}
	rule762 = Rule{Do: "observe", Options: "-c/--command=shell", Operands: "/[a-z_][a-z0-9_-]*/?", Style: "gnu", Why: "without a login shell, which starts in another folder: su USER -c 'COMMAND', or sudo -u USER COMMAND", Requires: "-c|--command"}
	rule763 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any -n/--non-interactive -E/--preserve-env -H/--set-home -k/--reset-timestamp", Operands: "inner", Style: "strict", Why: "sudo COMMAND, sudo -n -u USER COMMAND"}
	rule764 = Rule{Do: "observe", Options: "-#", Operands: "name stdout|stderr?"}
	rule765 = Rule{Do: "observe", Options: "-#"}
	rule766 = Rule{Do: "restart", Operands: "svc+", Part: "last"}
	rule767 = Rule{Do: "restart", Operands: "svc+", Part: "first"}
	rule768 = Rule{Do: "unknown", Operands: "any*", Why: "restart the program that fails, by its name", Loose: true}
	rule769 = Rule{Do: "observe", Cwd: "settings", Commands: []Command{
		{"status", &rule744},
		{"pid", &rule744},
		{"avail", &rule744},
		{"version", &rule744},
		{"tail", &rule764},
		{"maintail", &rule765},
		{"restart", &rule217},
		{"start", &rule766},
		{"stop", &rule767},
		{"reread", &rule768},
		{"update", &rule768},
		{"reload", &rule768},
		{"shutdown", &rule768},
		{"clear", &rule768},
		{"signal", &rule768},
		{"add", &rule768},
		{"remove", &rule768},
		{"fg", &rule768},
	},
	}
	rule770 = Rule{Do: "restart", Options: "-w=any", Operands: "svc+", Check: "unit"}
	rule771 = Rule{Do: "restart", Operands: "svc+", Part: "last", Check: "unit"}
	rule772 = Rule{Do: "restart", Operands: "svc+", Part: "first", Check: "unit"}
	rule773 = Rule{Do: "change", Operands: "name+"}
	rule774 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule700},
		{"restart", &rule770},
		{"force-restart", &rule770},
		{"start", &rule771},
		{"up", &rule771},
		{"stop", &rule772},
		{"down", &rule772},
		{"reload", &rule773},
		{"hup", &rule773},
	},
	}
	rule775 = Rule{Do: "observe", Options: "-l/--list-sas -P/--list-pols -L/--list-conns -S/--stats", Requires: "-l|--list-sas|-P|--list-pols|-L|--list-conns|-S|--stats"}
	rule776 = Rule{Do: "observe", Options: "-s/--summary --show[=any] --noheadings --raw --bytes -V/--version -h/--help", Why: "swap space is only shown: swapon --show", Requires: "-s|--summary|--show|-V|-h"}
	rule777 = Rule{Do: "observe", Options: "-a/--all/-A/-X -n/--values -N/--names -b/--binary -e/--ignore -r/--pattern=any -d --deprecated -h/--help -V/--version -q/--quiet -w/--write!forbidden -p/--load[=any]!forbidden --system!forbidden", Operands: "/[a-z0-9]+(?:[.\\/][A-Za-z0-9_*:@-]+)*/*", Why: "kernel settings are read only: sysctl NAME"}
	rule778 = Rule{Do: "observe", Options: "-p/--property/-P=/(?:.*,)?SetCredential.*/!unknown -p/--property/-P=/(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*)(?:,(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*))*/", Operands: "any*", Why: "all properties include the environment, and that holds secrets; name those you want: systemctl show -p ActiveState,NRestarts,Result UNIT", Requires: "-p|--property|-P"}
	rule779 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Check: "unit"}
	rule780 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "first", Check: "unit"}
	rule781 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "last", Check: "unit"}
	rule782 = Rule{Do: "change", Operands: "lit+", Check: "unit"}
	rule783 = Rule{Do: "change", Operands: "any*"}
	rule784 = Rule{Do: "unknown", Operands: "any*", Why: "what starts at boot, and how, is for people; restart the service, or say in the handoff what should be changed", Loose: true}
	rule785 = Rule{Do: "forbidden", Operands: "any*", Why: "the environment of the services holds secrets", Loose: true}
	rule786 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-t/--type=any --state=any -a/--all --reverse --after --before -l/--full --show-types -q/--quiet --no-legend!names --legend=any --no-pager --plain --with-dependencies --system --user -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --timestamp=any --no-ask-password --failed --value --wait --no-warn", Style: "gnu", Why: "name units literally; another host, machine or root (-H, -M, --root) is not granted", Stdin: "none", Bare: true, Commands: []Command{
		{"list-units", &rule135},
		{"list-timers", &rule135},
		{"list-sockets", &rule135},
		{"list-paths", &rule135},
		{"list-automounts", &rule135},
		{"list-unit-files", &rule135},
		{"list-jobs", &rule135},
		{"list-dependencies", &rule135},
		{"status", &rule135},
		{"is-active", &rule135},
		{"is-failed", &rule135},
		{"is-enabled", &rule135},
		{"is-system-running", &rule135},
		{"get-default", &rule135},
		{"cat", &rule135},
		{"whoami", &rule135},
		{"show", &rule778},
		{"restart", &rule779},
		{"try-restart", &rule779},
		{"condrestart", &rule779},
		{"reload-or-restart", &rule779},
		{"try-reload-or-restart", &rule779},
		{"reload-or-try-restart", &rule779},
		{"force-reload", &rule779},
		{"stop", &rule780},
		{"start", &rule781},
		{"reload", &rule782},
		{"reset-failed", &rule783},
		{"daemon-reload", &rule17},
		{"enable", &rule784},
		{"disable", &rule784},
		{"reenable", &rule784},
		{"preset", &rule784},
		{"preset-all", &rule784},
		{"mask", &rule784},
		{"unmask", &rule784},
		{"link", &rule784},
		{"revert", &rule784},
		{"add-wants", &rule784},
		{"add-requires", &rule784},
		{"edit", &rule784},
		{"set-default", &rule784},
		{"set-property", &rule784},
		{"kill", &rule784},
		{"clean", &rule784},
		{"freeze", &rule784},
		{"thaw", &rule784},
		{"bind", &rule784},
		{"mount-image", &rule784},
		{"cancel", &rule784},
		{"service-log-level", &rule784},
		{"service-log-target", &rule784},
		{"log-level", &rule784},
		{"log-target", &rule784},
		{"service-watchdogs", &rule784},
		{"daemon-reexec", &rule784},
		{"soft-reboot", &rule784},
		{"isolate", &rule423},
		{"default", &rule423},
		{"rescue", &rule423},
		{"emergency", &rule423},
		{"halt", &rule423},
		{"poweroff", &rule423},
		{"reboot", &rule423},
		{"kexec", &rule423},
		{"suspend", &rule423},
		{"hibernate", &rule423},
		{"hybrid-sleep", &rule423},
		{"suspend-then-hibernate", &rule423},
		{"sleep", &rule423},
		{"exit", &rule423},
		{"switch-root", &rule423},
		{"show-environment", &rule785},
		{"set-environment", &rule785},
		{"unset-environment", &rule785},
		{"import-environment", &rule785},
	},
	}
	rule787 = Rule{Do: "observe", Options: "--man=no|false|0", Operands: "code+"}
	rule788 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --system --user --order --require --from-pattern=any --to-pattern=any --fuzz=any --iterations=any --base-time=any --json=any --tldr", Stdin: "none", Bare: true, Commands: []Command{
		{"verify", &rule787},
		{"time", &rule135},
		{"blame", &rule135},
		{"unit-paths", &rule135},
		{"exit-status", &rule135},
		{"capability", &rule135},
		{"syscall-filter", &rule135},
		{"filesystems", &rule135},
		{"critical-chain", &rule135},
		{"plot", &rule135},
		{"dot", &rule135},
		{"security", &rule135},
		{"calendar", &rule135},
		{"timespan", &rule135},
		{"timestamp", &rule135},
	},
	}
	rule789 = Rule{Do: "observe", Options: "--no-pager -a/--all -l/--full -k -c -x/--xattr[=any] --cgroup-id[=any] -u/--unit=any --user-unit=any --help --version", Operands: "any*"}
	rule790 = Rule{Do: "observe", Options: "-p -t -c -m -i -b/--batch -r/--raw -n/--iterations=any -1 -d/--delay=any --cpu[=any] -P -k --recursive=any --depth=any --order=any --help --version", Operands: "any?"}
	rule791 = Rule{Do: "observe", Options: "--no-pager -t/--type=any --diff=any", Operands: "any*"}
	rule792 = Rule{Do: "observe", Options: "--status --statistics --no-pager --flush-caches!change --legend=any -4 -6", Requires: "--status|--statistics|--flush-caches"}
	rule793 = Rule{Do: "observe", Options: "--json --active --peers[=any] --self[=any] -4 -6", Operands: "lit?"}
	rule794 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule793},
		{"ip", &rule793},
		{"version", &rule793},
		{"netcheck", &rule793},
	},
	}
	rule795 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.:@-]+/*"}
	rule796 = Rule{Do: "observe", Bare: true, Commands: []Command{
		{"show", &rule795},
		{"sh", &rule795},
		{"s", &rule795},
		{"list", &rule795},
		{"ls", &rule795},
		{"l", &rule795},
		{"lst", &rule795},
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
	rule797 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -g/-graph -i/-iec -r/-raw -j/-json -n/-netns=/[A-Za-z0-9_.-]+/ -c[=any] -color[=any] -nm -o/-oneline -t/-timestamp -V/-Version", Style: "word", Commands: []Command{
		{"qdisc", &rule796},
		{"q", &rule796},
		{"qd", &rule796},
		{"class", &rule796},
		{"filter", &rule796},
		{"action", &rule796},
		{"chain", &rule796},
	},
	}
	rule798 = Rule{Do: "observe", Options: "-4 -6 -A/--as-path-lookups -d/--debug -e/--extensions -F/--dont-fragment -f/--first=lit -I/--icmp -i/--interface=lit -m/--max-hops=lit -N/--sim-queries=lit -n -p/--port=lit -q/--queries=lit -r -s/--source=lit -T/--tcp -t/--tos=lit -U/--udp -V/--version -w/--wait=lit -z/--sendwait=lit --back --mtu --sport=lit", Operands: "host lit?", Why: "a host that is written out: traceroute -n HOST"}
	rule799 = Rule{Do: "observe", Options: "-a/--append -i/--ignore-interrupts -p --output-error[=any]", Operands: "out*"}
	rule800 = Rule{Do: "observe", Options: "-json", Style: "word"}
	rule801 = Rule{Do: "forbidden", Operands: "any*", Why: "infrastructure is not changed by an agent; hand it to a human", Loose: true}
	rule802 = Rule{Do: "observe", Options: "-version -v -help", Style: "word", Why: "only its version: states, plans and outputs hold passwords, and providers are programs", Requires: "-version|-v|-help", Commands: []Command{
		{"version", &rule800},
		{"apply", &rule801},
		{"destroy", &rule801},
		{"import", &rule801},
		{"taint", &rule801},
		{"untaint", &rule801},
		{"force-unlock", &rule801},
	},
	}
	rule803 = Rule{Do: "observe", Options: "-p/--portability -v/--verbose -f/--format=any -o/--output=out -a/--append -q/--quiet", Operands: "inner", Style: "strict"}
	rule804 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager -a/--all --value -p/--property/-P=any --no-ask-password --monitor", Stdin: "none", Bare: true, Commands: []Command{
		{"status", &rule16},
		{"show", &rule16},
		{"timesync-status", &rule16},
		{"show-timesync", &rule16},
		{"list-timezones", &rule16},
		{"ntp-servers", &rule16},
	},
	}
	rule805 = Rule{Do: "observe", Options: "-s/--signal=any -k/--kill-after=any --foreground --preserve-status -v/--verbose --help --version", Operands: "/[0-9]*\\.?[0-9]+[smhd]?/ inner", Style: "strict"}
	rule806 = Rule{Do: "observe", Options: "-V", Commands: []Command{
		{"ls", &rule16},
		{"list-sessions", &rule16},
	},
	}
	rule807 = Rule{Do: "observe", Options: "-b/--batch-mode -c/--cmdline-toggle -d/--delay=any -E/--scale-summary-mem=any -e/--scale-task-mem=any -H/--threads-show -i/--idle-toggle -n/--iterations=any -O/--list-fields -o/--sort-override=any -p/--pid=any -S/--accum-time-toggle -s/--secure-mode -u/-U/--filter-any-user/--filter-only-euser=any -w/--width[=any] -1/--single-cpu-toggle -v/-V/--version -h/--help", Operands: "/[0-9]+/?", Why: "nobody sits at the keyboard: top -b -n 1", Requires: "-b|--batch-mode|-v|--version|-h"}
	rule808 = Rule{Do: "observe", Options: "-a -c/--no-create -m -d/--date=any -t=any -r/--reference=meta", Operands: "out+"}
	rule809 = Rule{Do: "observe", Operands: "cols|lines|colors|sgr0|bold|longname|setaf /[0-9]+/?"}
	rule810 = Rule{Do: "observe", Options: "-4 -6 -b -l=lit -m=lit -n -p=lit -V", Operands: "host"}
	rule811 = Rule{Do: "observe", Options: "--ping"}
	rule812 = Rule{Do: "observe", Cwd: "settings", Commands: []Command{
		{"version", &rule16},
		{"healthcheck", &rule811},
	},
	}
	rule813 = Rule{Do: "observe", Options: "-a -d -f -l -x -L=/[0-9]+/!apart -P=any!apart -I=any!apart --prune --filelimit=any --du -h -s -p -u -g -D --timefmt=any -F -i -q -N -n -C --noreport --dirsfirst --sort=any -r -t -c -v -U -J -X --inodes --device --matchdirs --ignore-case --si --charset=any --version --help", Operands: "meta*", Style: "gnu"}
	rule814 = Rule{Do: "change", Options: "-s/--size=size -c/--no-create", Operands: "any+", Check: "truncate"}
	rule815 = Rule{Do: "observe", Options: "-s/--silent/--quiet"}
	rule816 = Rule{Do: "observe", Options: "-l", Operands: "meta", Why: "settings of a file system are only shown: tune2fs -l DEVICE", Requires: "-l"}
	rule817 = Rule{Do: "observe", Options: "-q/--query=any -n/--name=meta -p/--path=any -a/--attribute-walk -x/--export -r/--root -e/--export-db", Operands: "meta*"}
	rule818 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule817},
	},
	}
	rule819 = Rule{Do: "observe", Operands: "verbose|numbered?"}
	rule820 = Rule{Do: "observe", Operands: "raw|builtins|before-rules|user-rules|after-rules|logging-rules|listening|added"}
	rule821 = Rule{Commands: []Command{
		{"list", &rule16},
	},
	}
	rule822 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule819},
		{"show", &rule820},
		{"version", &rule16},
		{"app", &rule821},
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
	rule823 = Rule{Do: "observe", Options: "-a -s -n -r -v -m -p -i -o", Loose: true}
	rule824 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule16},
		{"stats_noreset", &rule16},
		{"list_forwards", &rule16},
		{"list_stubs", &rule16},
	},
	}
	rule825 = Rule{Do: "observe", Options: "-c/--count -d/--repeated -D --all-repeated[=any] -f/--skip-fields=any --group[=any] -i/--ignore-case -s/--skip-chars=any -u/--unique -z/--zero-terminated -w/--check-chars=any --help --version", Operands: "file? out?"}
	rule826 = Rule{Do: "change", Operands: "any+", Check: "rm"}
	rule827 = Rule{Do: "observe", Options: "-l -v -t -q -z", Operands: "file /[^-].*/*", Why: "archives are only listed, by options in front of the archive: unzip -l FILE", Requires: "-l|-v|-t|-z"}
	rule828 = Rule{Do: "observe", Options: "--display --list --query --get-selections", Operands: "lit?", Requires: "--display|--list|--query|--get-selections"}
	rule829 = Rule{Do: "observe", Options: "-p/--pretty -s/--since -r/--raw -V/--version -h/--help"}
	rule830 = Rule{Do: "observe", Operands: "file*"}
	rule831 = Rule{Do: "observe", Options: "-1 -j -f=any -n=lit -l", Requires: "-1|-j|-l"}
	rule832 = Rule{Do: "observe", Options: "-format=lit -address=dbhost", Style: "word"}
	rule833 = Rule{Do: "forbidden", Operands: "any*", Why: "what it keeps are secrets; only vault status is granted", Loose: true}
	rule834 = Rule{Do: "observe", Why: "only vault status is granted; what it keeps are secrets", Commands: []Command{
		{"status", &rule832},
		{"version", &rule16},
		{"read", &rule833},
		{"list", &rule833},
		{"kv", &rule833},
		{"token", &rule833},
		{"login", &rule833},
		{"print", &rule833},
		{"unwrap", &rule833},
		{"write", &rule833},
		{"secrets", &rule833},
		{"lease", &rule833},
		{"ssh", &rule833},
		{"pki", &rule833},
		{"transit", &rule833},
		{"agent", &rule833},
		{"proxy", &rule833},
		{"debug", &rule833},
		{"monitor", &rule833},
	},
	}
	rule835 = Rule{Commands: []Command{
		{"get", &rule29},
	},
	}
	rule836 = Rule{Commands: []Command{
		{"backups", &rule29},
		{"schedules", &rule29},
		{"restores", &rule29},
	},
	}
	rule837 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Commands: []Command{
		{"backup", &rule835},
		{"get", &rule836},
		{"schedule", &rule835},
		{"restore", &rule835},
		{"version", &rule29},
	},
	}
	rule838 = Rule{Do: "observe", Options: "--all --inactive --name --state-running --title --autostart"}
	rule839 = Rule{Do: "observe", Options: "--all --reason", Operands: "/[A-Za-z0-9_.:-]+/*"}
	rule840 = Rule{Do: "observe", Options: "-r/--readonly -q/--quiet", Commands: []Command{
		{"list", &rule838},
		{"dominfo", &rule839},
		{"domstate", &rule839},
		{"domstats", &rule839},
		{"domblklist", &rule839},
		{"domiflist", &rule839},
		{"domifstat", &rule839},
		{"domblkstat", &rule839},
		{"nodeinfo", &rule839},
		{"pool-list", &rule839},
		{"pool-info", &rule839},
		{"net-list", &rule839},
		{"net-info", &rule839},
		{"vcpuinfo", &rule839},
		{"version", &rule839},
		{"hostname", &rule839},
		{"uptime", &rule839},
	},
	}
	rule841 = Rule{Do: "observe", Options: "-a/--active -f/--forks -m/--slabs -n/--one-header -s/--stats -d/--disk -D/--disk-sum -p/--partition=any -S/--unit=any -w/--wide -t/--timestamp -y/--no-first -h/--help -V/--version", Operands: "/[0-9]+/*"}
	rule842 = Rule{Do: "observe", Options: "-c=/show\\x20(?:ip|ipv6|bgp|interface|version|memory|thread|zebra|daemons|bfd|isis|mpls|vrf|evpn|route-map)(?:\\x20[A-Za-z0-9.:\\/-]+)*/", Requires: "-c"}
	rule843 = Rule{Do: "observe", Options: "-h/--no-header -u/--no-current -s/--short -f/--from -o/--old-style -i/--ip-addr -p/--pids", Operands: "any?"}
	rule844 = Rule{Do: "observe", Options: "--detail --pretty --json"}
	rule845 = Rule{Do: "observe", Options: "--version", Commands: []Command{
		{"backup-list", &rule844},
	},
	}
	rule846 = Rule{Do: "observe", Options: "-b/--beep -c/--color -C/--no-color -d/--differences[=any] -e/--errexit -g/--chgexit -q/--equexit=any -n/--interval=any -p/--precise -t/--no-title -w/--no-wrap -r/--no-rerun", Operands: "remote", Style: "strict", Check: "loop"}
	rule847 = Rule{Do: "observe", Options: "-c/--bytes -m/--chars -l/--lines -w/--words -L/--max-line-length --total=any --help --version", Operands: "file*", Style: "gnu", Globs: true}
	rule848 = Rule{Do: "observe", Operands: "/[a-z0-9_-]*[0-9_-][a-z0-9_-]*|all/? latest-handshakes|transfer|endpoints|peers|listen-port|allowed-ips|persistent-keepalive?", Why: "wg show INTERFACE, or latest-handshakes, transfer, endpoints of it: the keys are secrets"}
	rule849 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule848},
		{"showconf", &rule470},
		{"genkey", &rule470},
		{"genpsk", &rule470},
		{"pubkey", &rule470},
		{"set", &rule470},
		{"setconf", &rule470},
		{"addconf", &rule470},
		{"syncconf", &rule470},
	},
	}
	rule850 = Rule{Do: "observe", Options: "-q/--quiet -v/--verbose -n=v --no-verbose -S/--server-response --spider -O/--output-document=out -T/--timeout=lit --dns-timeout=lit --connect-timeout=lit --read-timeout=lit -t/--tries=lit --waitretry=lit --retry-connrefused --retry-on-http-error=lit --max-redirect=lit --limit-rate=lit -Q/--quota=lit --content-on-error --progress=lit --show-progress --report-speed=lit --no-check-certificate --ca-certificate=file --ca-directory=lit --crl-file=file --https-only --secure-protocol=lit --ciphers=lit -4/--inet4-only -6/--inet6-only --prefer-family=lit --bind-address=lit --no-dns-cache --no-proxy --no-netrc --no-config --no-cache --no-cookies --no-hsts --no-http-keep-alive --compression=lit --ignore-length --save-headers -U/--user-agent=/[^\\r\\n]*/ --method=GET|HEAD --header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id):[^\\r\\n]*/ -V/--version", Operands: "url*", Style: "gnu", Why: "without a file in the working folder and without sending anything, for example: wget -qO- http://127.0.0.1:8080/health; for a host that is not known add --max-redirect=0, or use curl", Requires: "-O|--output-document|--spider|-V|--version", Check: "http"}
	rule851 = Rule{Do: "observe", Options: "-b -m -s -u -l", Operands: "lit*"}
	rule852 = Rule{Do: "observe", Options: "-a -s", Operands: "any*", Loose: true}
	rule853 = Rule{Do: "observe", Options: "-a/--all -b/--boot -d/--dead -H/--heading --ips -l/--login --lookup -m -p/--process -q/--count -r/--runlevel -s/--short -t/--time -T/-w/--mesg/--message/--writable -u/--users --help --version", Operands: "file*"}
	rule854 = Rule{Do: "observe", Operands: "/[A-Za-z0-9][A-Za-z0-9:.-]*/", Why: "one name or address, without any option: whois NAME", Stdin: "none"}
	rule855 = Rule{Do: "observe", Options: "-x -c=/(?:report|df|free|state|quota)(?:\\x20-[abdghinprtuU]+)*/", Operands: "meta?", Requires: "-c"}
	rule856 = Rule{Do: "unknown", Operands: "any*", Why: "it fetches what a document names; use cat, grep, sed -n", Loose: true}
	rule857 = Rule{Do: "observe", Options: "-a -b -c=/[0-9]+/ -E -e -g=/[0-9]+/ -i -l/-len=/[0-9]+/ -p/-ps -r -s=/[0-9]+/ -u -v", Operands: "none", Style: "word", Why: "from its input, since what stands behind a file is written: head -c 256 FILE | xxd", Stdin: "data"}
	rule858 = Rule{Do: "observe", Options: "-q -s -c -u -i -w -b -B -a", Operands: "file file"}
	rule859 = Rule{Do: "observe", Options: "-H -p -r -d=any -o=any -s=any -S=any -t=any -n -i -j -F", Operands: "any*"}
	rule860 = Rule{Do: "forbidden", Operands: "any*", Why: "pools hold the services' data; ask a person", Loose: true}
	rule861 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule859},
		{"get", &rule859},
		{"userspace", &rule859},
		{"groupspace", &rule859},
		{"holds", &rule859},
		{"diff", &rule859},
		{"version", &rule859},
		{"destroy", &rule860},
		{"create", &rule860},
		{"rollback", &rule860},
		{"snapshot", &rule860},
		{"snap", &rule860},
		{"clone", &rule860},
		{"promote", &rule860},
		{"rename", &rule860},
		{"set", &rule860},
		{"inherit", &rule860},
		{"mount", &rule860},
		{"unmount", &rule860},
		{"umount", &rule860},
		{"share", &rule860},
		{"unshare", &rule860},
		{"send", &rule860},
		{"receive", &rule860},
		{"recv", &rule860},
		{"release", &rule860},
		{"hold", &rule860},
		{"allow", &rule860},
		{"unallow", &rule860},
		{"upgrade", &rule860},
		{"load-key", &rule860},
		{"unload-key", &rule860},
		{"change-key", &rule860},
		{"bookmark", &rule860},
		{"program", &rule860},
	},
	}
	rule862 = Rule{Do: "observe", Options: "-1 -2 -s -m -l -v -h -t -T -z", Operands: "file /[^-].*/*"}
	rule863 = Rule{Do: "observe", Options: "-v -x -L -P -D -g -H -p -o=any -T=any -y -l -q -w -r -n -i -s -t -e -j --json", Operands: "any*"}
	rule864 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule863},
		{"list", &rule863},
		{"iostat", &rule863},
		{"get", &rule863},
		{"history", &rule863},
		{"events", &rule863},
		{"version", &rule863},
		{"destroy", &rule860},
		{"create", &rule860},
		{"add", &rule860},
		{"remove", &rule860},
		{"attach", &rule860},
		{"detach", &rule860},
		{"replace", &rule860},
		{"offline", &rule860},
		{"online", &rule860},
		{"import", &rule860},
		{"export", &rule860},
		{"clear", &rule860},
		{"scrub", &rule860},
		{"trim", &rule860},
		{"initialize", &rule860},
		{"labelclear", &rule860},
		{"upgrade", &rule860},
		{"split", &rule860},
		{"reguid", &rule860},
		{"reopen", &rule860},
		{"set", &rule860},
		{"checkpoint", &rule860},
		{"resilver", &rule860},
		{"sync", &rule860},
	},
	}
)

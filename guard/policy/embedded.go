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
		{"ansible-config", &rule14},
		{"ansible-connection", &rule14},
		{"ansible-console", &rule14},
		{"ansible-doc", &rule15},
		{"ansible-galaxy", &rule14},
		{"ansible-inventory", &rule16},
		{"ansible-playbook", &rule17},
		{"ansible-pull", &rule14},
		{"ansible-vault", &rule18},
		{"apache2", &rule22},
		{"apache2ctl", &rule22},
		{"apachectl", &rule22},
		{"apk", &rule25},
		{"apparmor_parser", &rule3},
		{"apparmor_status", &rule5},
		{"apprise", &rule26},
		{"apropos", &rule1},
		{"apt", &rule29},
		{"apt-cache", &rule31},
		{"apt-config", &rule6},
		{"apt-file", &rule6},
		{"apt-get", &rule6},
		{"apt-key", &rule6},
		{"apt-mark", &rule33},
		{"aptitude", &rule6},
		{"ar", &rule0},
		{"arc_summary", &rule34},
		{"arch", &rule35},
		{"arcstat", &rule34},
		{"argocd", &rule40},
		{"arp", &rule41},
		{"arping", &rule42},
		{"arptables", &rule43},
		{"at", &rule11},
		{"atop", &rule44},
		{"atq", &rule45},
		{"atrm", &rule11},
		{"auditctl", &rule3},
		{"aureport", &rule46},
		{"ausearch", &rule47},
		{"autossh", &rule48},
		{"awk", &rule49},
		{"aws", &rule50},
		{"az", &rule50},
		{"b2sum", &rule51},
		{"bacula", &rule52},
		{"badblocks", &rule53},
		{"barman", &rule55},
		{"base32", &rule56},
		{"base64", &rule56},
		{"basename", &rule57},
		{"basenc", &rule56},
		{"bash", &rule58},
		{"bat", &rule59},
		{"batcat", &rule59},
		{"batch", &rule11},
		{"bc", &rule60},
		{"bconsole", &rule52},
		{"birdc", &rule61},
		{"birdc6", &rule61},
		{"birdcl", &rule61},
		{"blkdiscard", &rule53},
		{"blkid", &rule62},
		{"blkzone", &rule53},
		{"blockdev", &rule63},
		{"bmon", &rule44},
		{"bootctl", &rule65},
		{"borg", &rule68},
		{"borgmatic", &rule52},
		{"bpftrace", &rule69},
		{"brctl", &rule70},
		{"bridge", &rule72},
		{"bsdtar", &rule74},
		{"btop", &rule44},
		{"btrfs", &rule86},
		{"btrfsck", &rule53},
		{"buildah", &rule87},
		{"bundle", &rule88},
		{"bunzip2", &rule89},
		{"busctl", &rule91},
		{"busybox", &rule4},
		{"bwrap", &rule4},
		{"byobu", &rule1},
		{"bzcat", &rule92},
		{"bzgrep", &rule93},
		{"bzip2", &rule89},
		{"bzless", &rule59},
		{"caddy", &rule97},
		{"cal", &rule98},
		{"calicoctl", &rule100},
		{"capsh", &rule4},
		{"cargo", &rule88},
		{"cat", &rule101},
		{"cc", &rule88},
		{"ceph", &rule111},
		{"certbot", &rule114},
		{"cfdisk", &rule53},
		{"cgclassify", &rule4},
		{"cgcreate", &rule115},
		{"cgdisk", &rule53},
		{"cgexec", &rule115},
		{"cgset", &rule115},
		{"chage", &rule7},
		{"chattr", &rule3},
		{"chcon", &rule3},
		{"chfn", &rule7},
		{"chgrp", &rule116},
		{"chmod", &rule117},
		{"choom", &rule115},
		{"chown", &rule116},
		{"chpasswd", &rule7},
		{"chpst", &rule4},
		{"chronic", &rule118},
		{"chronyc", &rule121},
		{"chroot", &rule4},
		{"chrt", &rule122},
		{"chsh", &rule7},
		{"cilium", &rule124},
		{"cksum", &rule51},
		{"claude", &rule125},
		{"claude-hooks", &rule125},
		{"claudeops", &rule146},
		{"claudeops-hook", &rule125},
		{"clear", &rule35},
		{"clickhouse-client", &rule147},
		{"cloud-init", &rule150},
		{"clusterdb", &rule151},
		{"cmake", &rule88},
		{"cmp", &rule152},
		{"codex", &rule125},
		{"colordiff", &rule153},
		{"column", &rule154},
		{"comm", &rule155},
		{"composer", &rule88},
		{"conda", &rule88},
		{"conntrack", &rule156},
		{"consul", &rule162},
		{"containerd", &rule87},
		{"coredumpctl", &rule165},
		{"cp", &rule166},
		{"cpio", &rule0},
		{"cpulimit", &rule115},
		{"crash", &rule69},
		{"createdb", &rule151},
		{"createuser", &rule151},
		{"crictl", &rule176},
		{"crm_mon", &rule177},
		{"cron", &rule11},
		{"crond", &rule11},
		{"crontab", &rule178},
		{"crun", &rule87},
		{"cryptsetup", &rule180},
		{"cset", &rule115},
		{"csplit", &rule1},
		{"ctr", &rule188},
		{"curl", &rule189},
		{"cut", &rule190},
		{"daemon", &rule4},
		{"daemonize", &rule4},
		{"dash", &rule58},
		{"date", &rule191},
		{"dbus-run-session", &rule4},
		{"dbus-send", &rule192},
		{"dc", &rule193},
		{"dd", &rule0},
		{"debsums", &rule194},
		{"debugfs", &rule69},
		{"delgroup", &rule7},
		{"deluser", &rule7},
		{"delv", &rule195},
		{"depmod", &rule196},
		{"df", &rule197},
		{"dhclient", &rule43},
		{"dhcpcd", &rule43},
		{"dialog", &rule1},
		{"diff", &rule153},
		{"dig", &rule198},
		{"dir", &rule199},
		{"dirname", &rule57},
		{"dmesg", &rule200},
		{"dmidecode", &rule201},
		{"dmraid", &rule53},
		{"dmsetup", &rule203},
		{"dnf", &rule208},
		{"dnsdomainname", &rule35},
		{"dnsmasq", &rule209},
		{"do-release-upgrade", &rule6},
		{"doas", &rule210},
		{"docker", &rule311},
		{"docker-buildx", &rule312},
		{"docker-compose", &rule310},
		{"dockerd", &rule87},
		{"doctl", &rule50},
		{"doveadm", &rule315},
		{"doveconf", &rule316},
		{"dovecot", &rule316},
		{"dpkg", &rule317},
		{"dpkg-query", &rule318},
		{"drbdadm", &rule320},
		{"drill", &rule321},
		{"dropdb", &rule322},
		{"dropuser", &rule322},
		{"dselect", &rule6},
		{"dstat", &rule323},
		{"dtrace", &rule69},
		{"du", &rule324},
		{"duf", &rule325},
		{"dumb-init", &rule4},
		{"dumpe2fs", &rule326},
		{"duplicity", &rule52},
		{"dust", &rule325},
		{"e2fsck", &rule53},
		{"e2label", &rule53},
		{"ebtables", &rule43},
		{"ed", &rule1},
		{"egrep", &rule327},
		{"eject", &rule53},
		{"emacs", &rule1},
		{"entr", &rule1},
		{"etcdctl", &rule333},
		{"ethtool", &rule334},
		{"ex", &rule1},
		{"exim", &rule335},
		{"exim4", &rule335},
		{"exiqsumm", &rule336},
		{"expand", &rule337},
		{"expect", &rule1},
		{"exportfs", &rule338},
		{"expr", &rule57},
		{"factor", &rule98},
		{"fail2ban-client", &rule339},
		{"faillock", &rule7},
		{"fakeroot", &rule4},
		{"faketime", &rule4},
		{"fallocate", &rule0},
		{"fdisk", &rule340},
		{"fgrep", &rule327},
		{"file", &rule341},
		{"findmnt", &rule342},
		{"firejail", &rule4},
		{"firewall-cmd", &rule343},
		{"firewalld", &rule43},
		{"flatpak", &rule88},
		{"flock", &rule4},
		{"flux", &rule349},
		{"fmt", &rule350},
		{"fold", &rule350},
		{"fping", &rule351},
		{"fping6", &rule351},
		{"free", &rule352},
		{"fsck", &rule53},
		{"fsck.ext4", &rule53},
		{"fsck.xfs", &rule53},
		{"fsfreeze", &rule53},
		{"fstrim", &rule53},
		{"fuser", &rule353},
		{"fusermount", &rule53},
		{"fusermount3", &rule53},
		{"fzf", &rule1},
		{"gawk", &rule49},
		{"gcc", &rule312},
		{"gcloud", &rule50},
		{"gcore", &rule69},
		{"gdb", &rule69},
		{"gdbus", &rule192},
		{"gdisk", &rule53},
		{"gdu", &rule325},
		{"gem", &rule88},
		{"gemini", &rule125},
		{"getcap", &rule354},
		{"getconf", &rule98},
		{"getenforce", &rule5},
		{"getent", &rule357},
		{"getfacl", &rule358},
		{"getsebool", &rule359},
		{"gh", &rule381},
		{"git", &rule425},
		{"glab", &rule426},
		{"glances", &rule44},
		{"gluster", &rule430},
		{"go", &rule431},
		{"gosu", &rule4},
		{"gpasswd", &rule7},
		{"gradle", &rule88},
		{"grep", &rule327},
		{"groupadd", &rule7},
		{"groupdel", &rule7},
		{"groupmod", &rule7},
		{"groups", &rule432},
		{"growpart", &rule53},
		{"grpck", &rule7},
		{"gsed", &rule433},
		{"gtar", &rule74},
		{"gunzip", &rule434},
		{"gzcat", &rule92},
		{"gzip", &rule434},
		{"ha-manager", &rule435},
		{"halt", &rule436},
		{"haproxy", &rule437},
		{"hcloud", &rule50},
		{"hd", &rule438},
		{"hdparm", &rule439},
		{"head", &rule440},
		{"helm", &rule460},
		{"hexdump", &rule438},
		{"host", &rule461},
		{"hostid", &rule35},
		{"hostname", &rule462},
		{"hostnamectl", &rule464},
		{"hping3", &rule42},
		{"hpssacli", &rule465},
		{"htop", &rule44},
		{"httpd", &rule22},
		{"hub", &rule426},
		{"hwclock", &rule466},
		{"i386", &rule4},
		{"iconv", &rule467},
		{"id", &rule432},
		{"ifconfig", &rule468},
		{"ifdown", &rule43},
		{"ifenslave", &rule43},
		{"iftop", &rule44},
		{"ifup", &rule43},
		{"incus", &rule471},
		{"influx", &rule472},
		{"info", &rule1},
		{"init", &rule436},
		{"initdb", &rule151},
		{"insmod", &rule196},
		{"install", &rule0},
		{"invoke-rc.d", &rule473},
		{"ionice", &rule474},
		{"iostat", &rule475},
		{"iotop", &rule476},
		{"ip", &rule484},
		{"ip6tables", &rule485},
		{"ip6tables-legacy", &rule485},
		{"ip6tables-nft", &rule485},
		{"ip6tables-nft-save", &rule486},
		{"ip6tables-restore", &rule43},
		{"ip6tables-save", &rule486},
		{"ipcs", &rule487},
		{"ipmitool", &rule492},
		{"ipsec", &rule493},
		{"ipset", &rule495},
		{"iptables", &rule485},
		{"iptables-apply", &rule43},
		{"iptables-legacy", &rule485},
		{"iptables-legacy-save", &rule486},
		{"iptables-nft", &rule485},
		{"iptables-nft-save", &rule486},
		{"iptables-restore", &rule43},
		{"iptables-save", &rule486},
		{"iptraf", &rule44},
		{"iptraf-ng", &rule44},
		{"ipvsadm", &rule496},
		{"iscsiadm", &rule497},
		{"istioctl", &rule500},
		{"java", &rule501},
		{"jcmd", &rule502},
		{"jdb", &rule69},
		{"jinfo", &rule69},
		{"jmap", &rule69},
		{"joe", &rule1},
		{"join", &rule503},
		{"journalctl", &rule504},
		{"jps", &rule505},
		{"jq", &rule506},
		{"jstack", &rule507},
		{"jstat", &rule508},
		{"k3s", &rule546},
		{"kafka-consumer-groups", &rule547},
		{"kafka-consumer-groups.sh", &rule547},
		{"kafka-topics", &rule548},
		{"kafka-topics.sh", &rule548},
		{"kexec", &rule436},
		{"keydb-cli", &rule549},
		{"kill", &rule550},
		{"killall", &rule551},
		{"killall5", &rule552},
		{"kmod", &rule196},
		{"kpartx", &rule53},
		{"kubeadm", &rule554},
		{"kubectl", &rule545},
		{"last", &rule555},
		{"lastb", &rule7},
		{"lastlog", &rule556},
		{"ld.so", &rule4},
		{"ldconfig", &rule557},
		{"ldd", &rule558},
		{"less", &rule559},
		{"link", &rule0},
		{"linux32", &rule4},
		{"linux64", &rule4},
		{"lldb", &rule69},
		{"lldpctl", &rule560},
		{"ln", &rule0},
		{"locale", &rule98},
		{"localectl", &rule561},
		{"locate", &rule562},
		{"loginctl", &rule563},
		{"logname", &rule35},
		{"logrotate", &rule564},
		{"logsave", &rule4},
		{"losetup", &rule53},
		{"ls", &rule199},
		{"lsattr", &rule565},
		{"lsb_release", &rule566},
		{"lsblk", &rule567},
		{"lscpu", &rule568},
		{"lsfd", &rule487},
		{"lshw", &rule569},
		{"lsipc", &rule487},
		{"lsirqs", &rule570},
		{"lslocks", &rule487},
		{"lslogins", &rule571},
		{"lsmem", &rule572},
		{"lsmod", &rule19},
		{"lsns", &rule487},
		{"lsof", &rule573},
		{"lspci", &rule574},
		{"lsscsi", &rule575},
		{"lsusb", &rule576},
		{"ltrace", &rule69},
		{"lua", &rule1},
		{"lvchange", &rule577},
		{"lvconvert", &rule577},
		{"lvcreate", &rule577},
		{"lvdisplay", &rule578},
		{"lvextend", &rule577},
		{"lvm", &rule577},
		{"lvreduce", &rule577},
		{"lvremove", &rule577},
		{"lvrename", &rule577},
		{"lvresize", &rule577},
		{"lvs", &rule578},
		{"lvscan", &rule577},
		{"lxc", &rule471},
		{"lxc-attach", &rule87},
		{"lxc-exec", &rule87},
		{"lz4", &rule579},
		{"lz4cat", &rule92},
		{"lzcat", &rule92},
		{"lzma", &rule89},
		{"m4", &rule1},
		{"machinectl", &rule581},
		{"mail", &rule582},
		{"mailq", &rule583},
		{"mailx", &rule582},
		{"make", &rule312},
		{"man", &rule1},
		{"mariabackup", &rule52},
		{"mariadb", &rule584},
		{"mariadb-admin", &rule588},
		{"mariadb-check", &rule589},
		{"mariadb-dump", &rule589},
		{"mariadb-dumpslow", &rule590},
		{"mariadb-show", &rule591},
		{"mawk", &rule49},
		{"mc", &rule1},
		{"md5sum", &rule51},
		{"mdadm", &rule592},
		{"microdnf", &rule208},
		{"microk8s", &rule546},
		{"mkdir", &rule593},
		{"mke2fs", &rule53},
		{"mkfifo", &rule1},
		{"mkfs", &rule53},
		{"mkfs.btrfs", &rule53},
		{"mkfs.ext2", &rule53},
		{"mkfs.ext3", &rule53},
		{"mkfs.ext4", &rule53},
		{"mkfs.fat", &rule53},
		{"mkfs.vfat", &rule53},
		{"mkfs.xfs", &rule53},
		{"mknod", &rule1},
		{"mkswap", &rule53},
		{"mktemp", &rule594},
		{"mlocate", &rule562},
		{"mmv", &rule0},
		{"modinfo", &rule595},
		{"modprobe", &rule196},
		{"mongo", &rule596},
		{"mongosh", &rule596},
		{"mongostat", &rule597},
		{"mongotop", &rule597},
		{"monit", &rule602},
		{"more", &rule559},
		{"mosh", &rule48},
		{"most", &rule59},
		{"mount", &rule603},
		{"mount.nfs", &rule53},
		{"mountpoint", &rule604},
		{"mountstats", &rule605},
		{"mpstat", &rule606},
		{"msmtp", &rule582},
		{"mtr", &rule607},
		{"multipath", &rule608},
		{"mutt", &rule582},
		{"mv", &rule609},
		{"mvn", &rule88},
		{"mysql", &rule584},
		{"mysqladmin", &rule588},
		{"mysqlbinlog", &rule589},
		{"mysqlcheck", &rule589},
		{"mysqldump", &rule589},
		{"mysqldumpslow", &rule590},
		{"mysqlimport", &rule589},
		{"mysqlpump", &rule589},
		{"mysqlshow", &rule591},
		{"named-checkconf", &rule610},
		{"named-checkzone", &rule611},
		{"namei", &rule612},
		{"nano", &rule1},
		{"nats", &rule613},
		{"nawk", &rule49},
		{"nc", &rule614},
		{"nc.openbsd", &rule614},
		{"nc.traditional", &rule614},
		{"ncal", &rule98},
		{"ncat", &rule614},
		{"ncdu", &rule325},
		{"needrestart", &rule615},
		{"nerdctl", &rule311},
		{"netcat", &rule614},
		{"nethogs", &rule44},
		{"netplan", &rule617},
		{"netstat", &rule618},
		{"networkctl", &rule619},
		{"newgrp", &rule7},
		{"newusers", &rule7},
		{"nfsiostat", &rule605},
		{"nfsstat", &rule605},
		{"nft", &rule621},
		{"nginx", &rule12},
		{"nice", &rule622},
		{"nl", &rule623},
		{"nmap", &rule42},
		{"nmcli", &rule631},
		{"nmon", &rule44},
		{"node", &rule501},
		{"nodejs", &rule501},
		{"nodetool", &rule632},
		{"nohup", &rule118},
		{"nomad", &rule638},
		{"npm", &rule312},
		{"nproc", &rule639},
		{"npx", &rule88},
		{"nsenter", &rule640},
		{"nslookup", &rule641},
		{"nstat", &rule642},
		{"ntfsfix", &rule53},
		{"ntpq", &rule643},
		{"ntpstat", &rule19},
		{"numactl", &rule644},
		{"numastat", &rule570},
		{"numfmt", &rule57},
		{"nvidia-smi", &rule646},
		{"nvme", &rule649},
		{"oci", &rule50},
		{"od", &rule650},
		{"openresty", &rule12},
		{"openssl", &rule663},
		{"original-awk", &rule49},
		{"pacman", &rule664},
		{"pam_tally2", &rule7},
		{"parallel", &rule1},
		{"parted", &rule665},
		{"partprobe", &rule53},
		{"partx", &rule53},
		{"passwd", &rule7},
		{"paste", &rule666},
		{"patch", &rule0},
		{"patronictl", &rule670},
		{"pcs", &rule675},
		{"pct", &rule677},
		{"perccli", &rule678},
		{"perccli64", &rule678},
		{"perf", &rule69},
		{"perl", &rule501},
		{"pflogsumm", &rule679},
		{"pg", &rule59},
		{"pg_archivecleanup", &rule322},
		{"pg_basebackup", &rule151},
		{"pg_config", &rule680},
		{"pg_controldata", &rule681},
		{"pg_createcluster", &rule151},
		{"pg_ctl", &rule682},
		{"pg_ctlcluster", &rule683},
		{"pg_dropcluster", &rule322},
		{"pg_dump", &rule151},
		{"pg_dumpall", &rule684},
		{"pg_isready", &rule685},
		{"pg_lsclusters", &rule686},
		{"pg_receivewal", &rule151},
		{"pg_resetwal", &rule322},
		{"pg_restore", &rule687},
		{"pg_rewind", &rule322},
		{"pgbackrest", &rule689},
		{"pgrep", &rule690},
		{"php", &rule501},
		{"php-fpm", &rule691},
		{"php-fpm7.4", &rule691},
		{"php-fpm8.0", &rule691},
		{"php-fpm8.1", &rule691},
		{"php-fpm8.2", &rule691},
		{"php-fpm8.3", &rule691},
		{"php-fpm8.4", &rule691},
		{"php-fpm8.5", &rule691},
		{"php-fpm83", &rule691},
		{"php-fpm84", &rule691},
		{"pico", &rule1},
		{"pidof", &rule692},
		{"pidstat", &rule693},
		{"pigz", &rule89},
		{"pihole", &rule694},
		{"ping", &rule695},
		{"ping4", &rule695},
		{"ping6", &rule695},
		{"pinky", &rule571},
		{"pip", &rule697},
		{"pip3", &rule697},
		{"pipx", &rule88},
		{"pkexec", &rule192},
		{"pkill", &rule698},
		{"plocate", &rule562},
		{"pm-hibernate", &rule436},
		{"pm-suspend", &rule436},
		{"pm2", &rule704},
		{"pmap", &rule705},
		{"pnpm", &rule88},
		{"podman", &rule311},
		{"podman-compose", &rule310},
		{"postconf", &rule706},
		{"postfix", &rule708},
		{"postqueue", &rule709},
		{"poweroff", &rule436},
		{"powertop", &rule44},
		{"pr", &rule101},
		{"prlimit", &rule710},
		{"promtool", &rule715},
		{"proot", &rule4},
		{"ps", &rule716},
		{"psql", &rule717},
		{"pstree", &rule718},
		{"pvchange", &rule577},
		{"pvcreate", &rule577},
		{"pvdisplay", &rule578},
		{"pvecm", &rule435},
		{"pvesm", &rule435},
		{"pveversion", &rule435},
		{"pvmove", &rule577},
		{"pvremove", &rule577},
		{"pvresize", &rule577},
		{"pvs", &rule578},
		{"pvscan", &rule577},
		{"pwck", &rule7},
		{"pwconv", &rule7},
		{"pwdx", &rule719},
		{"pwunconv", &rule7},
		{"py-spy", &rule69},
		{"python", &rule720},
		{"python3", &rule720},
		{"qm", &rule677},
		{"qshape", &rule32},
		{"quota", &rule721},
		{"rabbitmq-diagnostics", &rule724},
		{"rabbitmqctl", &rule728},
		{"ranger", &rule1},
		{"rar", &rule0},
		{"rbspy", &rule69},
		{"rc-service", &rule473},
		{"rc-status", &rule729},
		{"rc-update", &rule731},
		{"rclone", &rule52},
		{"rdiff-backup", &rule52},
		{"readlink", &rule732},
		{"realpath", &rule732},
		{"reboot", &rule436},
		{"redis-cli", &rule549},
		{"reindexdb", &rule151},
		{"rename", &rule0},
		{"renice", &rule115},
		{"repmgr", &rule737},
		{"repquota", &rule721},
		{"reptyr", &rule69},
		{"resize2fs", &rule53},
		{"resolvectl", &rule740},
		{"restic", &rule744},
		{"restorecon", &rule3},
		{"rev", &rule101},
		{"rfkill", &rule43},
		{"rg", &rule745},
		{"rlwrap", &rule4},
		{"rm", &rule746},
		{"rmdir", &rule747},
		{"rmmod", &rule196},
		{"rndc", &rule748},
		{"route", &rule749},
		{"rpcinfo", &rule750},
		{"rpm", &rule751},
		{"rspamc", &rule752},
		{"rsync", &rule48},
		{"ruby", &rule501},
		{"run-parts", &rule753},
		{"run0", &rule192},
		{"runc", &rule87},
		{"runcon", &rule4},
		{"runlevel", &rule754},
		{"runuser", &rule755},
		{"rush", &rule1},
		{"s6-setuidgid", &rule4},
		{"s6-svstat", &rule756},
		{"sar", &rule757},
		{"scp", &rule48},
		{"screen", &rule758},
		{"script", &rule1},
		{"scriptreplay", &rule1},
		{"scrub", &rule53},
		{"sdiff", &rule759},
		{"sed", &rule433},
		{"sem", &rule4},
		{"semanage", &rule3},
		{"sendmail", &rule582},
		{"sensors", &rule760},
		{"seq", &rule57},
		{"service", &rule473},
		{"sestatus", &rule5},
		{"setarch", &rule4},
		{"setcap", &rule3},
		{"setenforce", &rule3},
		{"setfacl", &rule3},
		{"setfattr", &rule3},
		{"setpriv", &rule4},
		{"setsebool", &rule3},
		{"setsid", &rule761},
		{"setuidgid", &rule4},
		{"sfdisk", &rule340},
		{"sftp", &rule48},
		{"sg", &rule7},
		{"sg_format", &rule53},
		{"sgdisk", &rule53},
		{"sh", &rule58},
		{"sha1sum", &rule51},
		{"sha224sum", &rule51},
		{"sha256sum", &rule51},
		{"sha384sum", &rule51},
		{"sha512sum", &rule51},
		{"showmount", &rule762},
		{"shred", &rule53},
		{"shuf", &rule763},
		{"shutdown", &rule436},
		{"skill", &rule552},
		{"skopeo", &rule87},
		{"slabtop", &rule570},
		{"sleep", &rule57},
		{"smartctl", &rule764},
		{"smbstatus", &rule765},
		{"smem", &rule766},
		{"snap", &rule769},
		{"snapper", &rule770},
		{"snice", &rule552},
		{"socat", &rule771},
		{"sort", &rule772},
		{"spamc", &rule773},
		{"split", &rule1},
		{"sponge", &rule0},
		{"sqlite3", &rule774},
		{"squid", &rule775},
		{"squid3", &rule775},
		{"srm", &rule53},
		{"ss", &rule776},
		{"ssacli", &rule465},
		{"ssh", &rule777},
		{"ssh-add", &rule48},
		{"ssh-agent", &rule48},
		{"ssh-copy-id", &rule48},
		{"ssh-keygen", &rule778},
		{"ssh-keyscan", &rule779},
		{"sshd", &rule780},
		{"sshpass", &rule48},
		{"stap", &rule69},
		{"start-stop-daemon", &rule4},
		{"stat", &rule781},
		{"stdbuf", &rule782},
		{"storcli", &rule678},
		{"storcli64", &rule678},
		{"strace", &rule69},
		{"strings", &rule783},
		{"stty", &rule784},
		{"su", &rule785},
		{"su-exec", &rule4},
		{"sudo", &rule786},
		{"sum", &rule51},
		{"supervisorctl", &rule792},
		{"sv", &rule795},
		{"swanctl", &rule796},
		{"swapoff", &rule53},
		{"swapon", &rule797},
		{"sysctl", &rule798},
		{"systemctl", &rule807},
		{"systemd-analyze", &rule809},
		{"systemd-ask-password", &rule192},
		{"systemd-cgls", &rule810},
		{"systemd-cgtop", &rule811},
		{"systemd-creds", &rule192},
		{"systemd-delta", &rule812},
		{"systemd-detect-virt", &rule754},
		{"systemd-escape", &rule754},
		{"systemd-firstboot", &rule192},
		{"systemd-id128", &rule754},
		{"systemd-inhibit", &rule192},
		{"systemd-mount", &rule192},
		{"systemd-notify", &rule192},
		{"systemd-nspawn", &rule87},
		{"systemd-path", &rule754},
		{"systemd-resolve", &rule813},
		{"systemd-run", &rule192},
		{"systemd-sysusers", &rule192},
		{"systemd-tmpfiles", &rule192},
		{"systemd-umount", &rule192},
		{"tac", &rule101},
		{"tail", &rule440},
		{"tailscale", &rule815},
		{"tar", &rule74},
		{"tasksel", &rule6},
		{"taskset", &rule122},
		{"tc", &rule818},
		{"tclsh", &rule1},
		{"tcpdump", &rule42},
		{"tcptraceroute", &rule819},
		{"tea", &rule426},
		{"tee", &rule820},
		{"telinit", &rule436},
		{"telnet", &rule42},
		{"terraform", &rule827},
		{"terragrunt", &rule827},
		{"time", &rule828},
		{"timedatectl", &rule829},
		{"timeout", &rule830},
		{"tini", &rule4},
		{"tldr", &rule1},
		{"tmux", &rule831},
		{"tofu", &rule827},
		{"top", &rule832},
		{"touch", &rule833},
		{"toybox", &rule4},
		{"tput", &rule834},
		{"tr", &rule57},
		{"trace-cmd", &rule69},
		{"tracepath", &rule835},
		{"tracepath6", &rule835},
		{"traceroute", &rule819},
		{"traceroute6", &rule819},
		{"traefik", &rule837},
		{"tree", &rule838},
		{"truncate", &rule839},
		{"ts", &rule57},
		{"ts-node", &rule1},
		{"tshark", &rule42},
		{"tsort", &rule101},
		{"tty", &rule840},
		{"tune2fs", &rule841},
		{"udevadm", &rule843},
		{"udhcpc", &rule43},
		{"ufw", &rule846},
		{"umount", &rule53},
		{"uname", &rule847},
		{"unattended-upgrade", &rule6},
		{"unattended-upgrades", &rule6},
		{"unbound-control", &rule848},
		{"unbuffer", &rule118},
		{"unexpand", &rule101},
		{"uniq", &rule849},
		{"unlink", &rule850},
		{"unpigz", &rule89},
		{"unshare", &rule87},
		{"unxz", &rule89},
		{"unzip", &rule851},
		{"unzstd", &rule89},
		{"update-alternatives", &rule852},
		{"uptime", &rule853},
		{"useradd", &rule7},
		{"userdel", &rule7},
		{"usermod", &rule7},
		{"users", &rule854},
		{"uv", &rule88},
		{"vacuumdb", &rule151},
		{"valkey-cli", &rule549},
		{"varnishadm", &rule856},
		{"varnishstat", &rule857},
		{"vault", &rule860},
		{"vconfig", &rule43},
		{"vdir", &rule199},
		{"velero", &rule863},
		{"vgchange", &rule577},
		{"vgcreate", &rule577},
		{"vgdisplay", &rule578},
		{"vgexport", &rule577},
		{"vgextend", &rule577},
		{"vgimport", &rule577},
		{"vgmerge", &rule577},
		{"vgreduce", &rule577},
		{"vgremove", &rule577},
		{"vgs", &rule578},
		{"vgscan", &rule577},
		{"vgsplit", &rule577},
		{"vi", &rule1},
		{"view", &rule1},
		{"vigr", &rule7},
		{"vim", &rule1},
		{"vipw", &rule7},
		{"virsh", &rule866},
		{"visudo", &rule7},
		{"vmstat", &rule867},
		{"vtysh", &rule868},
		{"w", &rule869},
		{"wal-g", &rule871},
		{"watch", &rule872},
		{"wc", &rule873},
		{"wg", &rule875},
		{"wg-quick", &rule43},
		{"wget", &rule876},
		{"whatis", &rule1},
		{"whereis", &rule877},
		{"which", &rule878},
		{"whiptail", &rule1},
		{"who", &rule879},
		{"whoami", &rule35},
		{"whois", &rule880},
		{"wipe", &rule53},
		{"wipefs", &rule53},
		{"wpa_cli", &rule43},
		{"wpa_supplicant", &rule43},
		{"x86_64", &rule4},
		{"xfs_admin", &rule53},
		{"xfs_db", &rule53},
		{"xfs_growfs", &rule53},
		{"xfs_info", &rule179},
		{"xfs_quota", &rule881},
		{"xfs_repair", &rule53},
		{"xkill", &rule552},
		{"xmllint", &rule882},
		{"xmlstarlet", &rule882},
		{"xsltproc", &rule882},
		{"xtrabackup", &rule52},
		{"xvfb-run", &rule4},
		{"xxd", &rule883},
		{"xz", &rule89},
		{"xzcat", &rule92},
		{"xzgrep", &rule93},
		{"xzless", &rule59},
		{"yarn", &rule88},
		{"yq", &rule885},
		{"yum", &rule208},
		{"zcat", &rule92},
		{"zdiff", &rule886},
		{"zegrep", &rule93},
		{"zellij", &rule1},
		{"zerofree", &rule53},
		{"zfgrep", &rule93},
		{"zfs", &rule889},
		{"zgrep", &rule93},
		{"zip", &rule0},
		{"zipinfo", &rule890},
		{"zless", &rule59},
		{"zmore", &rule59},
		{"zpool", &rule892},
		{"zstd", &rule89},
		{"zstdcat", &rule92},
		{"zstdgrep", &rule93},
		{"zypper", &rule664},
	},
	Secrets:     []string{"/etc/shadow", "/etc/shadow-", "/etc/shadow~", "/etc/shadow.bak", "/etc/gshadow", "/etc/gshadow-", "/var/backups/*shadow*", "/etc/environment", "/var/lib/cloud/**", "/etc/mysql/debian.cnf", "/etc/msmtprc", "/etc/pve/priv/**", "/var/lib/sss/**", "/var/lib/samba/private/**", "/var/lib/mysql/mysql/**", "/etc/sudoers", "/etc/sudoers.d/**", "/etc/ssl/private/**", "/etc/ssh/ssh_host_*_key", "/etc/claudeops/**", "/etc/kubernetes/**", "/etc/rancher/**", "/etc/krb5.keytab", "/etc/security/opasswd", "/etc/NetworkManager/system-connections/**", "/etc/wireguard/**", "/etc/openvpn/**", "/etc/ipsec.secrets", "/etc/ppp/**", "/etc/docker/key.json", "/etc/letsencrypt/accounts/**", "/etc/wpa_supplicant/**", "/etc/sssd/**", "/etc/grafana/grafana.ini", "/etc/gitlab/**", "/var/lib/tailscale/**", "/run/user/*/keyring*/**", "/root/**", "/run/secrets/**", "/var/run/secrets/**", "/run/credentials/**", "/var/lib/docker/**", "/var/lib/containerd/**", "/var/lib/kubelet/**", "/var/lib/rancher/**", "/var/lib/etcd/**", "/var/lib/vault/**", "/proc/[0-9]*/environ", "/proc/self/environ", "/proc/thread-self/environ", "/proc/[0-9]*/cwd/**", "/proc/self/cwd/**", "/proc/thread-self/cwd/**", "/proc/[0-9]*/task/*/cwd/**", "/proc/self/task/*/cwd/**", "/proc/thread-self/task/*/cwd/**", "/proc/[0-9]*/task/*/environ", "/proc/self/task/*/environ", "/proc/thread-self/task/*/environ", "/proc/[0-9]*/mem", "/proc/self/mem", "/proc/thread-self/mem", "/proc/[0-9]*/task/*/mem", "/proc/self/task/*/mem", "/proc/thread-self/task/*/mem", "/proc/[0-9]*/fd/**", "/proc/self/fd/**", "/proc/thread-self/fd/**", "/proc/[0-9]*/task/*/fd/**", "/proc/self/task/*/fd/**", "/proc/thread-self/task/*/fd/**", "/proc/[0-9]*/map_files/**", "/proc/self/map_files/**", "/proc/thread-self/map_files/**", "/proc/kcore", "/dev/**", "/swapfile", "**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**", "**/.config/gh/**", "**/.kube/**", "**/.docker/**", "**/.claude/**", "**/.password-store/**", "**/.local/share/keyrings/**", "**/.env*", "**/*.env.*", "**/*.env~", "**/env.prod*", "**/*.env", "**/.netrc", "**/_netrc", "**/.pgpass", "**/.my.cnf", "**/.mylogin.cnf", "**/.git-credentials", "**/.npmrc", "**/.pypirc", "**/.htpasswd", "**/.smbcredentials", "**/sasl_passwd*", "**/passwd.client", "**/*.keytab", "**/*secrets*.json", "**/htpasswd", "**/.vault-token", "**/.vault_pass*", "**/.terraformrc", "**/*.tfstate", "**/*.tfvars", "**/*.tfvars.json", "**/*.tfstate.backup", "**/.bash_history", "**/.zsh_history", "**/.psql_history", "**/.mysql_history", "**/.sqlite_history", "**/.node_repl_history", "**/.viminfo", "**/.lesshst", "**/.s3cfg", "**/.boto", "**/rclone.conf", "**/auth.json", "**/.m2/settings.xml", "**/.config/doctl/**", "**/.config/hub", "**/*.rdb", "**/global/1260", "**/haproxy/*.pem", "**/haproxy/*/*.pem", "**/dovecot/*sql*", "**/postfix/*sql*", "**/.python_history", "**/.rediscli_history", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/*.key", "**/*.key.*", "**/*.key~", "**/*.keyring", "**/private_key.json", "**/*-key.pem", "**/*_key.pem", "**/key.pem", "**/privkey*.pem", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.kdbx", "**/*.ppk", "**/kubeconfig*", "**/credentials", "**/credentials.*", "**/secret", "**/secrets", "**/secrets/**", "**/secret.y*ml", "**/secrets.y*ml", "**/secrets.json", "**/*secret*.y*ml", "**/vault.y*ml", "**/*password*", "**/*passwd.txt", "**/wp-config.php", "**/apprise.y*ml", "**/service-account*.json"},
	SecretHosts: []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "metadata", "metadata.google.internal", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.platformequinix.com", "metadata.packet.net", "rancher-metadata", "*.nip.io", "*.sslip.io", "*.xip.io", "*.traefik.me"},
	Logs:        []string{"/var/log"},
	Rotated:     []string{"*.gz", "*.xz", "*.bz2", "*.zst", "*.old", "*.[0-9]", "*.[0-9][0-9]", "*.log.*", "*.log-*", "*-20[0-9][0-9][0-9][0-9][0-9][0-9]*"},
	Units:       []string{"claudeops", "claudeops-*", "rescue", "emergency", "debug-shell", "ctrl-alt-del", "systemd-poweroff", "systemd-reboot", "systemd-halt", "systemd-kexec", "systemd-suspend", "systemd-hibernate", "systemd-hybrid-sleep", "systemd-suspend-then-hibernate", "systemd-soft-reboot", "systemd-fsck*", "systemd-udevd", "systemd-logind", "systemd-journald*", "modprobe@*", "ifup@*", "user@*", "user-runtime-dir@*", "wpa_supplicant*", "network-manager", "apt-daily*", "dbus-*", "networking", "network", "NetworkManager", "systemd-networkd*", "systemd-resolved", "dhcpcd", "firewalld", "ufw", "nftables", "iptables", "ip6tables", "netfilter-persistent", "wg-quick@*", "dbus", "ssh", "sshd"},
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
	rule12 = Rule{Do: "observe", Options: "-t -T -v -V -q -c=code -s=reload|reopen!change -s=stop|quit!unknown -h", Why: "nginx -t, nginx -T, nginx -s reload; to restart it: systemctl restart nginx, docker restart NAME", Requires: "-t|-T|-v|-V|-s|-h"}
	rule13 = Rule{Do: "observe", Options: "-m/--module-name=ping|ansible.builtin.ping|service_facts|ansible.builtin.service_facts|package_facts|ansible.builtin.package_facts -i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -o/--one-line -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --list-hosts --version -h/--help", Operands: "lit?", Style: "gnu", Why: "only the modules ping, service_facts and package_facts, without -a, -e and -c: ansible HOSTS -m ping", Requires: "-m|--module-name|--list-hosts|--version|-h|--help", Cwd: "code"}
	rule14 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; ansible-playbook FILE of the repositories is"}
	rule15 = Rule{Do: "observe", Options: "-l/--list -s/--snippet -t/--type=any -j/--json --version -h/--help", Operands: "/[a-z0-9_.]+/*", Cwd: "code"}
	rule16 = Rule{Do: "observe", Options: "--graph -i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ --version -h/--help", Operands: "lit?", Style: "gnu", Why: "only --graph without --vars: variables hold passwords", Requires: "--graph|--version|-h|--help", Cwd: "code"}
	rule17 = Rule{Do: "redeploy", Options: "-i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -t/--tags=lit --skip-tags=lit --start-at-task=lit -C/--check!observe!change -D/--diff -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --force-handlers --vault-password-file/--vault-pass-file=code --list-tasks!observe --list-hosts!observe --list-tags!observe --syntax-check!observe --version!observe -h/--help!observe", Operands: "code*", Style: "gnu", Why: "only playbooks and inventory files of the repositories, without -e, -c, -M and options of ssh: ansible-playbook FILE --limit HOST", Service: "base", Cwd: "code"}
	rule18 = Rule{Do: "forbidden", Operands: "any*", Style: "strict", Why: "secrets are neither shown nor changed"}
	rule19 = Rule{Do: "observe"}
	rule20 = Rule{Do: "change"}
	rule21 = Rule{Do: "unknown", Why: "to restart it: systemctl restart apache2"}
	rule22 = Rule{Do: "observe", Options: "-t -S -M -v -V -l -L -D=DUMP_VHOSTS|DUMP_MODULES|DUMP_RUN_CFG|DUMP_INCLUDES -k=graceful!change -k=start|stop|restart|graceful-stop!unknown", Why: "apachectl configtest, apachectl -S, apachectl graceful; to restart it: systemctl restart apache2", Requires: "-t|-S|-M|-v|-V|-l|-L|-D|-k", Commands: []Command{
		{"configtest", &rule19},
		{"graceful", &rule20},
		{"start", &rule21},
		{"stop", &rule21},
		{"restart", &rule21},
		{"graceful-stop", &rule21},
		{"status", &rule21},
		{"fullstatus", &rule21},
	},
	}
	rule23 = Rule{Do: "observe", Options: "-v/--verbose -vv -a/--all -d/--description -e/--installed -W/--who-owns -L/--contents -r/--rdepends -R/--depends -s/--size -w/--webpage -I/--installed -u/--upgradable -O/--orphaned -P/--providers -l/--limit=any -q/--quiet -x/--exact", Operands: "any*"}
	rule24 = Rule{Do: "unknown", Operands: "any*", Why: "packages are for people; say in the handoff what should be installed", Loose: true}
	rule25 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule23},
		{"list", &rule23},
		{"policy", &rule23},
		{"search", &rule23},
		{"version", &rule23},
		{"stats", &rule23},
		{"dot", &rule23},
		{"add", &rule24},
		{"del", &rule24},
		{"fix", &rule24},
		{"update", &rule24},
		{"upgrade", &rule24},
		{"cache", &rule24},
		{"fetch", &rule24},
		{"audit", &rule24},
		{"index", &rule24},
		{"verify", &rule24},
	},
	}
	rule26 = Rule{Do: "observe", Options: "-V/--version", Why: "agents send no notifications: this program does, after the cycle; put what people must know into the report or the handoff", Requires: "-V|--version"}
	rule27 = Rule{Do: "observe", Options: "--installed --upgradable/--upgradeable --manual-installed -a/--all-versions -q/--quiet -v/--verbose", Operands: "any*"}
	rule28 = Rule{Do: "observe", Options: "-a/--all-versions -q/--quiet -n/--names-only -f/--full -v/--verbose --installed", Operands: "any*"}
	rule29 = Rule{Do: "observe", Options: "-v/--version -h/--help", Style: "gnu", Commands: []Command{
		{"list", &rule27},
		{"show", &rule28},
		{"policy", &rule28},
		{"search", &rule28},
		{"depends", &rule28},
		{"rdepends", &rule28},
		{"showsrc", &rule28},
		{"madison", &rule28},
		{"install", &rule24},
		{"remove", &rule24},
		{"purge", &rule24},
		{"upgrade", &rule24},
		{"full-upgrade", &rule24},
		{"dist-upgrade", &rule24},
		{"autoremove", &rule24},
		{"update", &rule24},
		{"reinstall", &rule24},
		{"edit-sources", &rule24},
		{"autopurge", &rule24},
		{"satisfy", &rule24},
		{"build-dep", &rule24},
		{"download", &rule24},
		{"source", &rule24},
		{"clean", &rule24},
		{"autoclean", &rule24},
	},
	}
	rule30 = Rule{Do: "observe", Options: "-a/--all-versions -n/--names-only -f/--full -q/--quiet -i/--important -r/--recurse --installed", Operands: "any*"}
	rule31 = Rule{Do: "observe", Options: "-q/--quiet", Style: "gnu", Commands: []Command{
		{"policy", &rule30},
		{"show", &rule30},
		{"search", &rule30},
		{"depends", &rule30},
		{"rdepends", &rule30},
		{"madison", &rule30},
		{"showpkg", &rule30},
		{"stats", &rule30},
		{"pkgnames", &rule30},
		{"showsrc", &rule30},
		{"unmet", &rule30},
	},
	}
	rule32 = Rule{Do: "observe", Operands: "lit*"}
	rule33 = Rule{Do: "observe", Commands: []Command{
		{"showhold", &rule32},
		{"showmanual", &rule32},
		{"showauto", &rule32},
	},
	}
	rule34 = Rule{Do: "observe", Options: "-s=any -d -a -x -r -v", Operands: "/[0-9]+/*"}
	rule35 = Rule{Do: "observe", Options: "-x -V --version --help"}
	rule36 = Rule{Do: "observe", Options: "-o/--output=wide|name -p/--project=lit -l/--selector=lit"}
	rule37 = Rule{Do: "observe", Options: "-o/--output=wide|tree|tree=detailed|id", Operands: "lit"}
	rule38 = Rule{Commands: []Command{
		{"list", &rule36},
		{"get", &rule37},
		{"history", &rule37},
	},
	}
	rule39 = Rule{Do: "observe", Options: "--client --short"}
	rule40 = Rule{Do: "observe", Commands: []Command{
		{"app", &rule38},
		{"version", &rule39},
	},
	}
	rule41 = Rule{Do: "observe", Options: "-a -n/--numeric -e -v/--verbose -i/--device=any -H/--hw-type=any -D -s/--set!forbidden -d/--delete!forbidden", Operands: "/[A-Za-z0-9_.:-]+/?"}
	rule42 = Rule{Do: "unknown", Why: "to look whether a port is open: nc -zv -w 2 HOST PORT; the way there: mtr -r -c 5 -n HOST", Loose: true}
	rule43 = Rule{Do: "forbidden", Operands: "any*", Why: "the network's configuration is for people", Loose: true}
	rule44 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: use top -b -n 1, ps aux, ss -tunap, sar", Loose: true}
	rule45 = Rule{Do: "observe", Options: "-q=any -V"}
	rule46 = Rule{Do: "observe", Options: "-a/--avc -au/--auth -l/--login -s/--syscall -k/--key -x/--executable --summary --failed --success -i/--interpret -ts/--start=any -te/--end=any", Style: "word"}
	rule47 = Rule{Do: "observe", Options: "-m/--message=any -ts/--start=any -te/--end=any -c/--comm=any -i/--interpret -k/--key=any -p/--pid=any -u/--uid=any -x/--executable=any -sv/--success=any -f/--file=any --just-one --raw -r", Style: "word"}
	rule48 = Rule{Do: "unknown", Why: "files are not copied between hosts; read one where it lies: ssh HOST 'tail -50 FILE'", Loose: true}
	rule49 = Rule{Do: "observe", Options: "-F/--field-separator=any -v/--assign=any --posix/-P --re-interval/-r --sandbox/-S --characters-as-bytes/-b --non-decimal-data/-n --use-lc-numeric/-N -V/--version", Operands: "awk file*", Style: "strict", Why: "the program stands in the command (no -f, -i, -l, -o, -p)"}
	rule50 = Rule{Do: "unknown", Why: "the accounts of cloud providers are not granted; write into the handoff what a person should look at", Loose: true}
	rule51 = Rule{Do: "observe", Options: "-b/--binary -c/--check=code --tag -t/--text -z/--zero --ignore-missing --quiet --status --strict -w/--warn -a/--algorithm=any -l/--length=any -r -s --help --version", Operands: "file*", Style: "gnu", Globs: true}
	rule52 = Rule{Do: "unknown", Operands: "any*", Why: "backups are for people; their logs are readable with journalctl", Loose: true}
	rule53 = Rule{Do: "forbidden", Operands: "any*", Why: "file systems hold the services' data; ask a person", Loose: true}
	rule54 = Rule{Do: "observe", Options: "--minimal --nagios", Operands: "lit*"}
	rule55 = Rule{Do: "observe", Options: "-v/--version -q/--quiet", Why: "backups are only listed: barman list-backups SERVER, barman status SERVER", Commands: []Command{
		{"list-backup", &rule54},
		{"list-backups", &rule54},
		{"list-server", &rule54},
		{"list-servers", &rule54},
		{"status", &rule54},
		{"check", &rule54},
		{"replication-status", &rule54},
	},
	}
	rule56 = Rule{Do: "observe", Options: "-d/--decode/-D -i/--ignore-garbage -w/--wrap=any --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85 --help --version", Operands: "file?"}
	rule57 = Rule{Do: "observe", Operands: "any*", Loose: true}
	rule58 = Rule{Do: "observe", Options: "-c=shell!nostdin -s!unknown -e -u -x -l!unknown -i!unknown", Operands: "none", Style: "strict", Why: "give the commands themselves, or after -c as one literal text", Stdin: "shell"}
	rule59 = Rule{Do: "unknown", Operands: "any*", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n, zcat", Loose: true}
	rule60 = Rule{Do: "observe", Options: "-l/--mathlib -q/--quiet -s/--standard -w/--warn -h/--help -v/--version"}
	rule61 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule32},
	},
	}
	rule62 = Rule{Do: "observe", Options: "-d/--no-encoding -o/--output=any -k/--list-filesystems -s/--match-tag=any -t/--match-token=any -l/--list-one -L/--label=any -U/--uuid=any -p/--probe -i/--info -u/--usages=any -n/--match-types=any -D/--no-part-details -h/--help -V/--version", Operands: "meta*"}
	rule63 = Rule{Do: "observe", Options: "--report --getsize64 --getsz --getss --getbsz --getro --getra --getpbsz", Operands: "meta*"}
	rule64 = Rule{Do: "observe", Options: "--no-pager"}
	rule65 = Rule{Do: "observe", Options: "--no-pager --version", Commands: []Command{
		{"status", &rule64},
		{"list", &rule64},
	},
	}
	rule66 = Rule{Do: "observe", Options: "--last=any --first=any --json --short --bypass-lock -v/--verbose --info -q/--quiet", Operands: "/\\/(?:srv|mnt|media|data|backups?|var\\/backups?)(?:\\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*(?:::[A-Za-z0-9_][A-Za-z0-9_.:T-]*)?/?"}
	rule67 = Rule{Do: "observe", Options: "--last=any --first=any --json --short"}
	rule68 = Rule{Do: "observe", Options: "-V/--version -h/--help", Why: "backups are only listed: borg list /srv/REPOSITORY, borg info /srv/REPOSITORY", Commands: []Command{
		{"list", &rule66},
		{"info", &rule66},
		{"rlist", &rule67},
		{"rinfo", &rule67},
	},
	}
	rule69 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory and the calls of a process hold secrets; use logs, ps, /proc/PID/status, jstack PID", Loose: true}
	rule70 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule32},
		{"showmacs", &rule32},
		{"showstp", &rule32},
	},
	}
	rule71 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule32},
		{"sh", &rule32},
		{"list", &rule32},
		{"ls", &rule32},
		{"lst", &rule32},
		{"add", &rule43},
		{"append", &rule43},
		{"delete", &rule43},
		{"del", &rule43},
		{"set", &rule43},
		{"replace", &rule43},
		{"flush", &rule43},
	},
	}
	rule72 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -j/-json -o/-oneline -t/-timestamp -c[=any] -color[=any] -V", Style: "word", Commands: []Command{
		{"link", &rule71},
		{"fdb", &rule71},
		{"vlan", &rule71},
		{"mdb", &rule71},
		{"vni", &rule71},
	},
	}
	rule73 = Rule{Do: "observe", Options: "--wildcards --exclude=any --full-time --numeric-owner --utc", Operands: "archive any*"}
	rule74 = Rule{Do: "observe", Options: "-t/--list -f/--file=archive -v/--verbose -z/--gzip/--gunzip/--ungzip -j/--bzip2 -J/--xz --zstd --lzma --lzip -a/--auto-compress --wildcards --no-wildcards --exclude=any --full-time --numeric-owner --show-stored-names --utc --totals --occurrence[=any] --strip-components=any --anchored --no-anchored --ignore-case --force-local --warning=any --version --help -i/--ignore-zeros", Operands: "any*", Why: "archives are only listed: tar -tzf FILE", Requires: "-t|--list|--version|--help", Commands: []Command{
		{"tf", &rule73},
		{"tvf", &rule73},
		{"tzf", &rule73},
		{"tvzf", &rule73},
		{"tzvf", &rule73},
		{"ztf", &rule73},
		{"ztvf", &rule73},
		{"tjf", &rule73},
		{"tjvf", &rule73},
		{"tvjf", &rule73},
		{"tJf", &rule73},
		{"tJvf", &rule73},
		{"tvJf", &rule73},
		{"vtf", &rule73},
		{"taf", &rule73},
		{"tavf", &rule73},
		{"ft", &rule73},
		{"fvt", &rule73},
	},
	}
	rule75 = Rule{Do: "observe", Options: "-h -H -T -b -k -m -g -t -d -s -a -p -c -u -q -o", Operands: "meta*"}
	rule76 = Rule{Commands: []Command{
		{"show", &rule75},
		{"df", &rule75},
		{"usage", &rule75},
		{"du", &rule75},
		{"resize", &rule53},
	},
	}
	rule77 = Rule{Commands: []Command{
		{"list", &rule75},
		{"show", &rule75},
		{"delete", &rule53},
	},
	}
	rule78 = Rule{Commands: []Command{
		{"list", &rule75},
		{"delete", &rule53},
	},
	}
	rule79 = Rule{Commands: []Command{
		{"status", &rule75},
	},
	}
	rule80 = Rule{Commands: []Command{
		{"status", &rule75},
		{"start", &rule53},
	},
	}
	rule81 = Rule{Do: "observe", Options: "-c/--check -T", Operands: "meta*"}
	rule82 = Rule{Commands: []Command{
		{"usage", &rule75},
		{"stats", &rule81},
		{"remove", &rule53},
		{"delete", &rule53},
		{"add", &rule53},
		{"replace", &rule53},
	},
	}
	rule83 = Rule{Commands: []Command{
		{"usage", &rule75},
		{"stats", &rule81},
	},
	}
	rule84 = Rule{Commands: []Command{
		{"show", &rule75},
	},
	}
	rule85 = Rule{Commands: []Command{
		{"start", &rule53},
	},
	}
	rule86 = Rule{Do: "observe", Commands: []Command{
		{"filesystem", &rule76},
		{"fi", &rule76},
		{"subvolume", &rule77},
		{"sub", &rule78},
		{"scrub", &rule79},
		{"balance", &rule80},
		{"device", &rule82},
		{"dev", &rule83},
		{"qgroup", &rule84},
		{"replace", &rule85},
		{"rescue", &rule53},
		{"check", &rule53},
	},
	}
	rule87 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; look inside with docker exec NAME COMMAND"}
	rule88 = Rule{Do: "unknown", Operands: "any*", Why: "building and installing are for people", Loose: true}
	rule89 = Rule{Do: "observe", Options: "-dc -cd -c/--stdout/--to-stdout -l/--list -t/--test -v/--verbose -q/--quiet -k/--keep -#", Operands: "file*", Why: "files stay as they are: xz -dc FILE, xzcat FILE, xz -l FILE (a separate -d would undo -t and -l)", Requires: "-dc|-cd|-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule90 = Rule{Do: "observe", Options: "--no-pager --no-legend --unique --acquired --show-machine"}
	rule91 = Rule{Do: "observe", Options: "--no-pager --no-legend --unique --acquired --system --user -l/--full", Commands: []Command{
		{"list", &rule90},
	},
	}
	rule92 = Rule{Do: "observe", Options: "-f/--force -q/--quiet -v/--verbose -d -c", Operands: "file*", Globs: true}
	rule93 = Rule{Do: "observe", Options: "-E -F -i -v -w -x -c -n -l -h -H -o -q -s -a -m=/[0-9]+/!glued -A=/[0-9]+/!glued -B=/[0-9]+/!glued -C=/[0-9]+/!glued", Operands: "any file*", Why: "these are scripts, which read few options: zgrep -i PATTERN FILE, zcat FILE | grep …", Globs: true}
	rule94 = Rule{Do: "observe", Options: "-c/--config=code -a/--adapter=lit", Requires: "-c|--config", Cwd: "code"}
	rule95 = Rule{Do: "observe", Options: "-d/--diff", Operands: "file?", Requires: "-d|--diff"}
	rule96 = Rule{Do: "change", Options: "-c/--config=code -a/--adapter=lit", Requires: "-c|--config", Cwd: "code"}
	rule97 = Rule{Do: "observe", Commands: []Command{
		{"version", &rule19},
		{"list-modules", &rule19},
		{"validate", &rule94},
		{"fmt", &rule95},
		{"reload", &rule96},
	},
	}
	rule98 = Rule{Do: "observe", Options: "-a -y/--year -m -j -3 -1 -k -c", Operands: "/[A-Za-z0-9_.-]+/*"}
	rule99 = Rule{Commands: []Command{
		{"status", &rule19},
	},
	}
	rule100 = Rule{Do: "observe", Commands: []Command{
		{"node", &rule99},
		{"version", &rule19},
	},
	}
	rule101 = Rule{Do: "observe", Operands: "file*", Loose: true}
	rule102 = Rule{Do: "observe", Options: "-f/--format=any", Operands: "lit*"}
	rule103 = Rule{Commands: []Command{
		{"ls", &rule102},
		{"stats", &rule102},
	},
	}
	rule104 = Rule{Commands: []Command{
		{"tree", &rule102},
		{"df", &rule102},
		{"stat", &rule102},
		{"status", &rule102},
		{"perf", &rule102},
		{"pool", &rule103},
	},
	}
	rule105 = Rule{Commands: []Command{
		{"stat", &rule102},
		{"dump_stuck", &rule102},
	},
	}
	rule106 = Rule{Commands: []Command{
		{"stat", &rule102},
		{"dump", &rule102},
	},
	}
	rule107 = Rule{Commands: []Command{
		{"services", &rule102},
	},
	}
	rule108 = Rule{Commands: []Command{
		{"stat", &rule102},
	},
	}
	rule109 = Rule{Commands: []Command{
		{"status", &rule102},
		{"ls", &rule102},
	},
	}
	rule110 = Rule{Commands: []Command{
		{"ls", &rule102},
	},
	}
	rule111 = Rule{Do: "observe", Options: "-s/--status -f/--format=any -w/--watch --connect-timeout=any", Cwd: "code", Commands: []Command{
		{"status", &rule102},
		{"health", &rule102},
		{"df", &rule102},
		{"osd", &rule104},
		{"pg", &rule105},
		{"mon", &rule106},
		{"mgr", &rule107},
		{"mds", &rule108},
		{"fs", &rule109},
		{"versions", &rule102},
		{"crash", &rule110},
		{"quorum_status", &rule102},
	},
	}
	rule112 = Rule{Do: "observe", Options: "--cert-name=any -d=any"}
	rule113 = Rule{Do: "unknown", Operands: "any*", Why: "certificates are renewed by their own timer; say in the handoff what is wrong with it", Loose: true}
	rule114 = Rule{Do: "observe", Commands: []Command{
		{"certificates", &rule112},
		{"renew", &rule113},
		{"certonly", &rule113},
		{"run", &rule113},
		{"delete", &rule113},
		{"revoke", &rule113},
		{"install", &rule113},
		{"enhance", &rule113},
		{"register", &rule113},
		{"unregister", &rule113},
		{"update_account", &rule113},
		{"reconfigure", &rule113},
		{"show_account", &rule113},
	},
	}
	rule115 = Rule{Do: "unknown", Operands: "any*", Why: "restart the service, or say in the handoff what should be changed", Loose: true}
	rule116 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet -h/--no-dereference --from=any", Operands: "any any+", Why: "a literal owner, one file after the other (no -R, no --reference)", Check: "chown"}
	rule117 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet", Operands: "any any+", Why: "a literal mode, one file after the other (no -R, no --reference)", Check: "chmod"}
	rule118 = Rule{Do: "observe", Operands: "inner", Style: "strict"}
	rule119 = Rule{Do: "observe", Options: "-a -v", Operands: "host?"}
	rule120 = Rule{Do: "observe", Options: "-a -v"}
	rule121 = Rule{Options: "-4 -6 -n -N -c -h=host -p=lit", Why: "tracking, sources, sourcestats, activity and their like only show", Commands: []Command{
		{"tracking", &rule19},
		{"activity", &rule19},
		{"serverstats", &rule19},
		{"rtcdata", &rule19},
		{"smoothing", &rule19},
		{"clients", &rule19},
		{"ntpdata", &rule119},
		{"authdata", &rule119},
		{"selectdata", &rule119},
		{"sources", &rule120},
		{"sourcestats", &rule120},
	},
	}
	rule122 = Rule{Do: "observe", Options: "-p/--pid -c/--cpu-list -a/--all-tasks", Operands: "/[0-9]+/", Why: "only shown, of one process: taskset -p PID", Requires: "-p|--pid"}
	rule123 = Rule{Do: "observe", Options: "--brief --verbose --all-addresses --all-controllers --all-health --all-nodes --all-redirects -n/--namespace=lit --wait"}
	rule124 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule123},
		{"version", &rule19},
	},
	}
	rule125 = Rule{Do: "forbidden", Why: "agents neither start agents nor change the settings of their hooks", Loose: true}
	rule126 = Rule{Do: "observe", Options: "--tier=2|3 --findings=any --attempted=any --services=lit"}
	rule127 = Rule{Do: "observe", Options: "--from=1|2|3", Operands: "file?"}
	rule128 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"write", &rule126},
		{"validate", &rule127},
	},
	}
	rule129 = Rule{Do: "observe", Operands: "name?"}
	rule130 = Rule{Do: "observe", Operands: "name restart|redeployment"}
	rule131 = Rule{Do: "observe", Options: "--error=any", Operands: "name restart|redeployment success|failure", Why: "it records one attempt that Tier 2 or 3 made: claudeops cooldown record SERVICE restart success, or … failure --error TEXT", Tiers: "23"}
	rule132 = Rule{Do: "forbidden", Operands: "any*", Why: "limits are lifted by operators, never by an agent; hand off instead", Loose: true}
	rule133 = Rule{Do: "observe", Why: "agents call: claudeops cooldown show, check SERVICE restart|redeployment, record SERVICE restart|redeployment success|failure", Requires: "--help", Commands: []Command{
		{"show", &rule129},
		{"check", &rule130},
		{"record", &rule131},
		{"reset", &rule132},
	},
	}
	rule134 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --tier=lit"}
	rule135 = Rule{Do: "observe", Options: "--commands", Operands: "any"}
	rule136 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"list", &rule134},
		{"show", &rule135},
	},
	}
	rule137 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --service=any"}
	rule138 = Rule{Do: "observe", Operands: "any"}
	rule139 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule137},
		{"show", &rule138},
	},
	}
	rule140 = Rule{Do: "observe", Options: "-n/--limit=any --level=lit --service=any --session=any"}
	rule141 = Rule{Do: "observe", Operands: "any*"}
	rule142 = Rule{Do: "observe", Operands: "name*", Commands: []Command{
		{"validate", &rule19},
	},
	}
	rule143 = Rule{Do: "observe", Options: "--tier=1|2|3 --cwd=any", Operands: "any+"}
	rule144 = Rule{Do: "forbidden", Operands: "any*", Why: "the guard is called by the agent program alone; what it would say shows: claudeops guard explain --tier N COMMAND", Loose: true, Commands: []Command{
		{"explain", &rule143},
	},
	}
	rule145 = Rule{Do: "forbidden", Operands: "any*", Why: "it is for operators and for the program itself, never for an agent", Loose: true}
	rule146 = Rule{Do: "observe", Options: "--version -v", Persistent: "--json -h/--help", Style: "gnu", Why: "agents call: claudeops report, handoff write|validate, cooldown show|check|record, sessions list|show, incidents list|show, events, env, doctor, version, guard explain; always with the database and settings of this cycle (no --db, no --env-file)", Requires: "--help|--version|-v", Commands: []Command{
		{"report", &rule19},
		{"handoff", &rule128},
		{"cooldown", &rule133},
		{"sessions", &rule136},
		{"incidents", &rule139},
		{"events", &rule140},
		{"env", &rule19},
		{"doctor", &rule19},
		{"version", &rule19},
		{"metrics", &rule19},
		{"help", &rule141},
		{"probe", &rule142},
		{"guard", &rule144},
		{"run-once", &rule145},
		{"cron", &rule145},
		{"crontab", &rule145},
		{"dashboard", &rule145},
		{"notify", &rule145},
		{"hooks", &rule145},
	},
	}
	rule147 = Rule{Do: "observe", Options: "-q/--query=/(?i)\\s*(?:select\\s+(?:1|version\\(\\)|uptime\\(\\)|hostname\\(\\))|show\\s+(?:databases|tables|processlist|clusters))\\s*;?\\s*/ -V/--version", Why: "a short question only: clickhouse-client -q 'show processlist', 'select uptime()'", Stdin: "none", Requires: "-q|--query|-V|--version", Cwd: "code"}
	rule148 = Rule{Do: "observe", Options: "-l/--long --wait --format=any"}
	rule149 = Rule{Do: "observe", Operands: "show|blame|boot"}
	rule150 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule148},
		{"analyze", &rule149},
	},
	}
	rule151 = Rule{Do: "unknown", Why: "databases are looked at, not copied, built or rebuilt: psql -c 'select …'", Loose: true}
	rule152 = Rule{Do: "observe", Options: "-b/--print-bytes -i/--ignore-initial=any -l/--verbose -n/--bytes=any -s/--quiet/--silent", Operands: "file file? any? any?"}
	rule153 = Rule{Do: "observe", Options: "--normal -q/--brief -s/--report-identical-files -c -C=any --context[=any] -u -U=any --unified[=any] -e/--ed -n/--rcs -y/--side-by-side -W/--width=any --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line=any --label/-L=any -t/--expand-tabs -T/--initial-tab --tabsize=any --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case -x/--exclude=any -X/--exclude-from=file -S/--starting-file=any --from-file=tree --to-file=tree -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines=any -a/--text --strip-trailing-cr -d/--minimal --speed-large-files --color[=any] --help -v/--version -#", Operands: "tree*", Style: "gnu"}
	rule154 = Rule{Do: "observe", Options: "-s/--separator=any -o/--output-separator=any -c/--output-width/--columns=any -N/--table-columns=any -R/--table-right=any -H/--table-hide=any", Operands: "file*", Loose: true}
	rule155 = Rule{Do: "observe", Options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter=any --total -z/--zero-terminated", Operands: "file file"}
	rule156 = Rule{Do: "observe", Options: "-L/--dump -C/--count -S/--stats -G/--get -p/--proto=any -s/--src/--orig-src=any -d/--dst/--orig-dst=any -r/--reply-src=any -q/--reply-dst=any --sport/--orig-port-src=any --dport/--orig-port-dst=any --state=any -f/--family=any -o/--output=any -n/--src-nat[=any] -g/--dst-nat[=any] -j/--any-nat[=any] -z/--zero!forbidden -u/--status=any -m/--mark=any -w/--zone=any -V/--version -D/--delete!forbidden -F/--flush!forbidden -I/--create!forbidden -U/--update!forbidden -A/--add!forbidden", Operands: "/[a-z]+/?", Requires: "-L|--dump|-C|--count|-S|--stats|-G|--get|-D|-F|-I|-U|-A"}
	rule157 = Rule{Do: "observe", Options: "-http-addr=dbhost -detailed -status=lit -wan -stale -format=lit -node=lit -service=lit -tags -datacenter=lit -segment=lit", Style: "word"}
	rule158 = Rule{Commands: []Command{
		{"services", &rule157},
		{"nodes", &rule157},
		{"datacenters", &rule157},
	},
	}
	rule159 = Rule{Commands: []Command{
		{"list-peers", &rule157},
	},
	}
	rule160 = Rule{Commands: []Command{
		{"state", &rule157},
	},
	}
	rule161 = Rule{Commands: []Command{
		{"raft", &rule159},
		{"autopilot", &rule160},
	},
	}
	rule162 = Rule{Do: "observe", Why: "members, info, catalog and operator raft list-peers only show; stored values may be secrets", Commands: []Command{
		{"members", &rule157},
		{"info", &rule157},
		{"version", &rule157},
		{"catalog", &rule158},
		{"operator", &rule161},
	},
	}
	rule163 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Operands: "any*"}
	rule164 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory of a process holds secrets; use coredumpctl info", Loose: true}
	rule165 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Commands: []Command{
		{"list", &rule163},
		{"info", &rule163},
		{"dump", &rule164},
		{"debug", &rule164},
		{"gdb", &rule164},
	},
	}
	rule166 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -L/--dereference -T/--no-target-directory", Operands: "file+ out", Why: "FILE… below $TMPDIR, and links are followed (no -a, -r, -P, -l, -s)"}
	rule167 = Rule{Do: "observe", Options: "-a/--all --id=any --image=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -p/--pod=any -q/--quiet!names -r/--resolve-image-path -s/--state=any -v/--verbose", Operands: "name?"}
	rule168 = Rule{Do: "observe", Options: "--id=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -q/--quiet!names -s/--state=any -v/--verbose"}
	rule169 = Rule{Do: "observe", Options: "--digests --no-trunc -o/--output=any -q/--quiet -v/--verbose --filter=any", Operands: "any?"}
	rule170 = Rule{Do: "observe", Options: "-o/--output=any -q/--quiet"}
	rule171 = Rule{Do: "observe", Options: "-f/--follow --limit-bytes=any -p/--previous --since=any --tail=any -t/--timestamps", Operands: "name+"}
	rule172 = Rule{Do: "observe", Options: "-a/--all --id=any --label=any -n/--name=any -o/--output=any -p/--pod=any -s/--seconds=any", Operands: "name?"}
	rule173 = Rule{Do: "observe", Options: "-i/--interactive -t/--tty -s/--sync --timeout=any", Operands: "name inner", Style: "strict", Why: "one plain command: crictl exec CONTAINER COMMAND"}
	rule174 = Rule{Do: "unknown", Options: "-a/--all -q/--prune!forbidden", Operands: "any*", Why: "images are not removed"}
	rule175 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with crictl ps, pods, logs, stats, and restart with kubectl rollout restart"}
	rule176 = Rule{Do: "observe", Options: "-D/--debug -t/--timeout=any -c/--config=code -v/--version -h/--help", Why: "another runtime is not granted; write the subcommand plainly: crictl ps -a", Commands: []Command{
		{"ps", &rule167},
		{"pods", &rule168},
		{"images", &rule169},
		{"image", &rule169},
		{"img", &rule169},
		{"version", &rule170},
		{"imagefsinfo", &rule170},
		{"logs", &rule171},
		{"stats", &rule172},
		{"statsp", &rule172},
		{"exec", &rule173},
		{"rmi", &rule174},
		{"info", &rule175},
		{"inspect", &rule175},
		{"inspecti", &rule175},
		{"inspectp", &rule175},
		{"rm", &rule175},
		{"rmp", &rule175},
		{"stop", &rule175},
		{"stopp", &rule175},
		{"start", &rule175},
		{"create", &rule175},
		{"run", &rule175},
		{"runp", &rule175},
		{"pull", &rule175},
		{"attach", &rule175},
		{"port-forward", &rule175},
		{"update", &rule175},
		{"checkpoint", &rule175},
		{"config", &rule175},
		{"completion", &rule175},
		{"events", &rule175},
		{"runtime-config", &rule175},
		{"update-runtime-config", &rule175},
		{"metrics", &rule175},
		{"metricsp", &rule175},
	},
	}
	rule177 = Rule{Do: "observe", Options: "-1/--one-shot -r/--inactive -n/--group-by-node -f/--failcounts -A/--show-node-attributes -t/--timing-details -V", Requires: "-1|--one-shot"}
	rule178 = Rule{Do: "observe", Options: "-l -u=any -r!forbidden -e!forbidden -i!forbidden", Why: "timetables are read only: crontab -l", Requires: "-l"}
	rule179 = Rule{Do: "observe", Operands: "meta"}
	rule180 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule179},
		{"isLuks", &rule179},
	},
	}
	rule181 = Rule{Do: "observe", Style: "word"}
	rule182 = Rule{Do: "observe", Options: "-q!names -quiet!names", Operands: "any*", Style: "word"}
	rule183 = Rule{Commands: []Command{
		{"ls", &rule182},
		{"list", &rule182},
	},
	}
	rule184 = Rule{Do: "observe", Options: "-format=any", Operands: "name", Style: "word"}
	rule185 = Rule{Commands: []Command{
		{"ls", &rule182},
		{"list", &rule182},
		{"ps", &rule184},
		{"metrics", &rule184},
		{"metric", &rule184},
	},
	}
	rule186 = Rule{Commands: []Command{
		{"ls", &rule182},
		{"list", &rule182},
		{"ps", &rule184},
		{"metrics", &rule184},
	},
	}
	rule187 = Rule{Commands: []Command{
		{"ls", &rule182},
	},
	}
	rule188 = Rule{Do: "observe", Options: "-n=any -namespace=any -debug -timeout=any -connect-timeout=any -version -v -help", Style: "word", Why: "another daemon is not granted; write the subcommand plainly: ctr -n k8s.io containers ls", Commands: []Command{
		{"version", &rule181},
		{"info", &rule181},
		{"containers", &rule183},
		{"container", &rule183},
		{"c", &rule183},
		{"images", &rule183},
		{"image", &rule183},
		{"i", &rule183},
		{"tasks", &rule185},
		{"task", &rule186},
		{"t", &rule185},
		{"namespaces", &rule183},
		{"namespace", &rule187},
		{"ns", &rule187},
		{"snapshots", &rule187},
		{"snapshot", &rule187},
		{"content", &rule187},
		{"leases", &rule187},
		{"plugins", &rule187},
	},
	}
	rule189 = Rule{Do: "observe", Options: "-0/--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --http0.9 -1/--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max=lit --ciphers=lit --tls13-ciphers=lit --curves=lit -4/--ipv4 -6/--ipv6 --interface=/[A-Za-z0-9_.:-]+/ --dns-interface=/[A-Za-z0-9_.:-]+/ --happy-eyeballs-timeout-ms=lit --resolve=/\\+?[A-Za-z0-9_.*-]+:[0-9]+:(?:127\\.[0-9.]+|\\[?::1\\]?)/ --connect-to=/[A-Za-z0-9_.-]*:[0-9]*:(?:127\\.[0-9.]+|localhost|\\[::1\\]):[0-9]*/ --noproxy=lit --proto=lit -m/--max-time=lit --connect-timeout=lit --expect100-timeout=lit --retry=lit --retry-delay=lit --retry-max-time=lit --retry-connrefused --retry-all-errors --max-redirs=lit --max-filesize=lit --limit-rate=lit --rate=lit -Y/--speed-limit=lit -y/--speed-time=lit --keepalive-time=lit --no-keepalive --tcp-nodelay --tcp-fastopen -f/--fail --fail-with-body --fail-early -s/--silent -S/--show-error -i/--include/--show-headers -I/--head -v/--verbose -L/--location --post301 --post302 --post303 -k/--insecure --cacert=file --capath=lit --crlfile=file --cert-status --doh-cert-status --no-alpn --no-npn --no-sessionid --false-start --pinnedpubkey=/sha256\\/\\/[A-Za-z0-9+=\\/;]+/ --ssl-reqd -N/--no-buffer --buffer --progress-bar --no-progress-meter --styled-output --no-styled-output --suppress-connect-headers --compressed --raw --tr-encoding --ignore-content-length --path-as-is -g/--globoff -q/--disable --disallow-username-in-url -r/--range=lit -Z/--parallel --parallel-immediate --parallel-max=lit --trace-time --trace-ids -o/--output=out -D/--dump-header=out --stderr=out --trace=out --trace-ascii=out -w/--write-out=/(?s)(?:(?:[^@%\\\\]|\\\\.|%[^o])(?:[^%\\\\]|\\\\.|%[^o])*)?[%\\\\]?/ -G/--get -d/--data/--data-ascii/--data-binary=/(?s)(?:[^@].*)?/ --data-raw=lit --data-urlencode=/(?s)[^@=]*=.*|[^@]*/ -H/--header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id)[:;][^\\r\\n]*/ -A/--user-agent=/[^\\r\\n]*/ -X/--request=GET|HEAD --url=url -V/--version -h/--help", Operands: "url*", Style: "gnu", Why: "GET or HEAD of a literal URL, for example: curl -sS -o /dev/null -m 10 -w '%{http_code}' http://127.0.0.1:8080/health; output goes to standard output or below $TMPDIR", Check: "http"}
	rule190 = Rule{Do: "observe", Options: "-d/--delimiter=any -f/--fields=any -b/--bytes=any -c/--characters=any --output-delimiter=any", Operands: "file*", Loose: true}
	rule191 = Rule{Do: "observe", Options: "-u/--utc/--universal -d/--date=any -f/--file=file -I[=any] --iso-8601[=any] -R/--rfc-email/--rfc-2822 --rfc-3339=any -r/--reference=meta --debug --resolution --help --version", Operands: "/(?s)\\+.*/?", Why: "the clock is not set"}
	rule192 = Rule{Do: "unknown", Operands: "any*", Why: "it starts programs, or talks to services past what is read here; use systemctl and journalctl", Loose: true}
	rule193 = Rule{Do: "unknown", Operands: "any*", Why: "it runs programs (!); compute with $(( … )), awk or bc", Loose: true}
	rule194 = Rule{Do: "observe", Options: "-a/--all -c/--changed -s/--silent -e/--config -l/--list-missing", Operands: "lit*"}
	rule195 = Rule{Do: "observe", Options: "-4 -6 -a=file -b=lit -c=lit -d=lit -h -i -m -p=lit -q=lit -t=lit -v -x=lit", Operands: "lit*", Why: "names are written out: delv NAME TYPE"}
	rule196 = Rule{Do: "forbidden", Operands: "any*", Why: "kernel modules are for people", Loose: true}
	rule197 = Rule{Do: "observe", Options: "-B=any -t=any -x=any", Operands: "meta*", Loose: true}
	rule198 = Rule{Do: "observe", Options: "-4 -6 -b=lit -c=lit -h -i -m -p=lit -q=lit -r -t=lit -u -v -x=lit", Operands: "lit*", Why: "one name or several, written out: dig +short NAME TYPE @SERVER"}
	rule199 = Rule{Do: "observe", Options: "-I/--ignore=any -w/--width=any -T/--tabsize=any --sort=any --time=any --time-style=any --block-size=any --hide=any", Operands: "meta*", Loose: true}
	rule200 = Rule{Do: "observe", Options: "-T/--ctime -H/--human -w/--follow -W/--follow-new -l/--level=any -f/--facility=any -x/--decode -k/--kernel -u/--userspace -t/--notime -d/--show-delta -e/--reltime -r/--raw -s/--buffer-size=any -S/--syslog --since=any --until=any --time-format=any -L/--color[=any] -P/--nopager -J/--json -p/--force-prefix --noescape -h/--help -V/--version", Why: "clearing the kernel's messages and changing the console are not granted"}
	rule201 = Rule{Do: "observe", Options: "-t/--type=any -s/--string=any -q/--quiet -u/--dump -H/--handle=any --no-sysfs --no-quirks --oem-string=any -h/--help -V/--version", Why: "it neither writes nor reads a dump here"}
	rule202 = Rule{Do: "observe", Options: "--tree -c/-C/--columns -o=any --target=any", Operands: "lit*"}
	rule203 = Rule{Do: "observe", Commands: []Command{
		{"ls", &rule202},
		{"status", &rule202},
		{"info", &rule202},
		{"deps", &rule202},
		{"version", &rule202},
		{"targets", &rule202},
	},
	}
	rule204 = Rule{Do: "observe", Options: "-i/--info -l/--list --requires --whatrequires --whatprovides=any --qf=any -r/--reboothint -s/--services", Operands: "any*"}
	rule205 = Rule{Commands: []Command{
		{"list", &rule204},
		{"install", &rule24},
	},
	}
	rule206 = Rule{Commands: []Command{
		{"list", &rule204},
		{"info", &rule204},
		{"undo", &rule24},
		{"rollback", &rule24},
		{"redo", &rule24},
	},
	}
	rule207 = Rule{Commands: []Command{
		{"install", &rule24},
	},
	}
	rule208 = Rule{Do: "observe", Options: "--version", Persistent: "-q/--quiet -C/--cacheonly -v/--verbose --installed --available --updates --showduplicates --all --security --disablerepo=any --enablerepo=any", Style: "gnu", Commands: []Command{
		{"list", &rule204},
		{"info", &rule204},
		{"search", &rule204},
		{"repolist", &rule204},
		{"repoinfo", &rule204},
		{"check-update", &rule204},
		{"check-upgrade", &rule204},
		{"updateinfo", &rule204},
		{"provides", &rule204},
		{"whatprovides", &rule204},
		{"repoquery", &rule204},
		{"deplist", &rule204},
		{"module", &rule205},
		{"history", &rule206},
		{"needs-restarting", &rule204},
		{"install", &rule24},
		{"remove", &rule24},
		{"erase", &rule24},
		{"update", &rule24},
		{"upgrade", &rule24},
		{"downgrade", &rule24},
		{"reinstall", &rule24},
		{"localinstall", &rule24},
		{"autoremove", &rule24},
		{"distro-sync", &rule24},
		{"swap", &rule24},
		{"shell", &rule24},
		{"clean", &rule24},
		{"makecache", &rule24},
		{"config-manager", &rule24},
		{"copr", &rule24},
		{"group", &rule207},
	},
	}
	rule209 = Rule{Do: "observe", Options: "--test -v/--version", Requires: "--test|-v|--version"}
	rule210 = Rule{Do: "observe", Options: "-u=any -n", Operands: "inner", Style: "strict"}
	rule211 = Rule{Do: "observe", Options: "-a/--all -f/--filter=any --format=/\\{\\{\\s*\\.(Names|ID|Image|State)\\s*\\}\\}/!names --format=any!text -n/--last=any -l/--latest --no-trunc -q/--quiet!names -s/--size --help --noheading --ns --pod -p --sort=any --sync"}
	rule212 = Rule{Do: "observe", Options: "-f/--follow --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any --help", Operands: "name+", Why: "one container by its name, without --details (they can hold environment variables)"}
	rule213 = Rule{Do: "observe", Options: "-f/--format=template -s/--size --type=any --help", Operands: "name+", Why: "the whole output holds the environment, and that holds secrets; name the part: docker inspect --format '{{json .State}}' NAME", Requires: "-f|--format|--help", Prints: "inspect"}
	rule214 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc --help", Operands: "name*"}
	rule215 = Rule{Do: "observe", Options: "--help", Operands: "name /-?auxw*|-?axu?w*|-efw*|-eLf|-?A|-T|-?a?xo|-e?o|--sort=-?[a-z%]+|(?:(?:pid|ppid|pgid|tid|lwp|nlwp|thcount|user|uid|group|gid|euser|ruser|comm|cmd|args|command|ucmd|stat|state|s|etime|etimes|time|cputime|start|lstart|stime|start_time|pcpu|%cpu|c|pmem|%mem|rss|rsz|vsz|vsize|sz|nice|ni|pri|psr|wchan|tty|tt|cgroup|hpid|huser)=?,?)+/*", Style: "strict", Why: "columns that show the environment are not granted; for example: docker top NAME -eo pid,etime,args"}
	rule216 = Rule{Do: "observe", Options: "--help", Operands: "name any?"}
	rule217 = Rule{Do: "observe", Options: "--help", Operands: "name"}
	rule218 = Rule{Do: "observe", Options: "--help", Operands: "name+"}
	rule219 = Rule{Do: "observe", Options: "-u/--user=any -w/--workdir=any -i/--interactive -t/--tty --detach-keys=any -e/--env=any!unknown --env-file=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the container and one plain command: docker exec NAME COMMAND, without -e, -d, --privileged or a shell that waits for input"}
	rule220 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out, without further options: docker restart NAME"}
	rule221 = Rule{Do: "restart", Operands: "svc+", Why: "write the names out, without further options: docker start NAME", Part: "last"}
	rule222 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out: docker restart NAME, or docker stop NAME && docker start NAME", Part: "first"}
	rule223 = Rule{Do: "restart", Options: "-s/--signal=any", Operands: "svc+", Why: "write the names out: docker restart NAME", Part: "first"}
	rule224 = Rule{Do: "restart", Operands: "svc+"}
	rule225 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the service frozen; docker restart NAME instead"}
	rule226 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it starts what no file defines; look with docker exec NAME …, bring a service back with docker compose -f FILE up -d SERVICE"}
	rule227 = Rule{Do: "unknown", Options: "-f/--force -l/--link -a/--all -i/--ignore -t/--time=any -v/--volumes!forbidden", Operands: "any*", Why: "containers are not removed; docker compose -f FILE up -d --force-recreate SERVICE makes one anew"}
	rule228 = Rule{Do: "forbidden", Options: "-a/--all -f/--force --volumes --filter=any --external --build --help --keep-storage=any --max-used-space=any --min-free-space=any --reserved-space=any --verbose --builder=any", Operands: "any*", Why: "nothing is pruned; report what fills the disk: docker system df -v"}
	rule229 = Rule{Do: "unknown", Operands: "any*", Why: "what a container is, its repository says; change it there and redeploy"}
	rule230 = Rule{Do: "unknown", Operands: "any*", Why: "docker logs --tail 100 NAME shows the output"}
	rule231 = Rule{Do: "unknown", Operands: "any*", Why: "files are not copied; docker exec NAME cat FILE shows one"}
	rule232 = Rule{Do: "unknown", Options: "-o/--output=any -i/--input=any", Operands: "any*", Why: "images are neither brought in, renamed nor sent away"}
	rule233 = Rule{Commands: []Command{
		{"ls", &rule211},
		{"list", &rule211},
		{"ps", &rule211},
		{"logs", &rule212},
		{"inspect", &rule213},
		{"stats", &rule214},
		{"top", &rule215},
		{"port", &rule216},
		{"diff", &rule217},
		{"wait", &rule218},
		{"exec", &rule219},
		{"restart", &rule220},
		{"start", &rule221},
		{"stop", &rule222},
		{"kill", &rule223},
		{"unpause", &rule224},
		{"pause", &rule225},
		{"run", &rule226},
		{"create", &rule226},
		{"rm", &rule227},
		{"remove", &rule227},
		{"prune", &rule228},
		{"update", &rule229},
		{"rename", &rule229},
		{"commit", &rule229},
		{"attach", &rule230},
		{"cp", &rule231},
		{"export", &rule232},
	},
	}
	rule234 = Rule{Do: "observe", Options: "-a/--all --digests -f/--filter=any --format=/\\{\\{\\s*\\.ID\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --tree --help --noheading --sort=any", Operands: "any?"}
	rule235 = Rule{Do: "unknown", Operands: "any*", Why: "it shows arguments and variables of the build; docker images and docker inspect --format show the rest", Loose: true}
	rule236 = Rule{Do: "redeploy", Options: "-q/--quiet --platform=any", Operands: "svc", Why: "one image, written out; better: docker compose -f FILE pull SERVICE", Part: "first", Service: "image"}
	rule237 = Rule{Do: "redeploy", Options: "-t/--tag=svc -f/--file=code --no-cache --pull -q/--quiet --progress=any --target=any --platform=any --rm --force-rm", Operands: "code", Why: "build only from a folder of the repositories, with -t NAME, without --build-arg, --secret, --output or --network", Requires: "-t|--tag", Part: "first", Service: "image"}
	rule238 = Rule{Do: "unknown", Options: "-f/--force --no-prune -a/--all -i/--ignore --platform=any", Operands: "any*", Why: "images are not removed; report a full disk with docker system df"}
	rule239 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human"}
	rule240 = Rule{Commands: []Command{
		{"inspect", &rule213},
		{"ls", &rule234},
		{"list", &rule234},
		{"history", &rule235},
		{"pull", &rule236},
		{"build", &rule237},
		{"rm", &rule238},
		{"remove", &rule238},
		{"untag", &rule238},
		{"prune", &rule228},
		{"save", &rule232},
		{"load", &rule232},
		{"import", &rule232},
		{"tag", &rule232},
		{"push", &rule232},
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
		{"inspect", &rule213},
		{"ls", &rule241},
		{"list", &rule241},
		{"ps", &rule242},
		{"logs", &rule243},
		{"update", &rule244},
		{"rollback", &rule245},
		{"create", &rule226},
		{"rm", &rule246},
		{"remove", &rule246},
		{"scale", &rule247},
	},
	}
	rule249 = Rule{Commands: []Command{
		{"inspect", &rule213},
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
	rule251 = Rule{Do: "observe", Options: "-f/--format=any --help"}
	rule252 = Rule{Do: "observe", Options: "-v/--verbose --format=any --help"}
	rule253 = Rule{Commands: []Command{
		{"events", &rule250},
		{"info", &rule251},
		{"df", &rule252},
		{"prune", &rule228},
		{"reset", &rule228},
		{"dial-stdio", &rule239},
		{"service", &rule239},
		{"connection", &rule239},
	},
	}
	rule254 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.Name\\s*\\}\\}/!names --format=any!text -q/--quiet!names --cluster --help"}
	rule255 = Rule{Do: "observe", Options: "-f/--format=/\\{\\{\\s*(?:json\\s+)?\\.(?:Name|Mountpoint|Driver|CreatedAt|Scope)\\s*\\}\\}/ --help", Operands: "name+", Why: "options of a volume may hold a password; name the part: docker volume inspect --format '{{.Mountpoint}}' NAME", Requires: "-f|--format|--help"}
	rule256 = Rule{Do: "forbidden", Options: "-f/--force -a/--all -t/--time=any --help", Operands: "any*", Why: "volumes hold the services' data"}
	rule257 = Rule{Do: "unknown", Operands: "any*", Why: "volumes hold the services' data; look with docker volume ls and docker volume inspect"}
	rule258 = Rule{Commands: []Command{
		{"ls", &rule254},
		{"list", &rule254},
		{"inspect", &rule255},
		{"rm", &rule256},
		{"remove", &rule256},
		{"create", &rule257},
		{"update", &rule257},
		{"import", &rule257},
		{"export", &rule257},
		{"mount", &rule257},
		{"unmount", &rule257},
		{"reload", &rule257},
		{"prune", &rule228},
	},
	}
	rule259 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID)\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --help"}
	rule260 = Rule{Do: "observe", Options: "-f/--format=any -v/--verbose --help", Operands: "name+"}
	rule261 = Rule{Do: "forbidden", Options: "-f/--force --ip=any --alias=any --driver=any -d=any --subnet=any", Operands: "any*", Why: "network configuration is not changed; look with docker network inspect"}
	rule262 = Rule{Commands: []Command{
		{"ls", &rule259},
		{"list", &rule259},
		{"inspect", &rule260},
		{"prune", &rule228},
		{"rm", &rule261},
		{"remove", &rule261},
		{"connect", &rule261},
		{"disconnect", &rule261},
		{"create", &rule261},
		{"update", &rule261},
		{"reload", &rule261},
	},
	}
	rule263 = Rule{Do: "observe", Options: "--format=any -q/--quiet --help"}
	rule264 = Rule{Do: "observe", Options: "-f/--format=any --help", Operands: "name*"}
	rule265 = Rule{Commands: []Command{
		{"ls", &rule263},
		{"list", &rule263},
		{"show", &rule19},
		{"inspect", &rule264},
		{"use", &rule239},
		{"create", &rule239},
		{"update", &rule239},
		{"import", &rule239},
		{"export", &rule239},
		{"rm", &rule239},
	},
	}
	rule266 = Rule{Do: "observe", Options: "--format=any --no-trunc --help"}
	rule267 = Rule{Do: "observe", Options: "--filter=any --format=any --verbose --help"}
	rule268 = Rule{Commands: []Command{
		{"ls", &rule266},
		{"version", &rule266},
		{"du", &rule267},
		{"disk-usage", &rule267},
		{"prune", &rule228},
		{"build", &rule239},
		{"bake", &rule239},
		{"create", &rule239},
		{"use", &rule239},
		{"rm", &rule239},
		{"imagetools", &rule239},
	},
	}
	rule269 = Rule{Commands: []Command{
		{"ls", &rule266},
		{"du", &rule267},
		{"prune", &rule228},
	},
	}
	rule270 = Rule{Do: "redeploy", Options: "-c/--compose-file=code -d --detach[=any] -q/--quiet --resolve-image=always|changed|never --with-registry-auth --prune!forbidden", Operands: "svc", Why: "only a stack file of the repositories, without --prune: docker stack deploy -c FILE NAME", Requires: "-c|--compose-file"}
	rule271 = Rule{Do: "unknown", Options: "-f/--format=any", Operands: "any*", Why: "the output holds environments; docker service ps NAME, docker service logs NAME show the state"}
	rule272 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"ps", &rule242},
		{"services", &rule242},
		{"deploy", &rule270},
		{"up", &rule270},
		{"rm", &rule246},
		{"remove", &rule246},
		{"down", &rule246},
		{"config", &rule271},
	},
	}
	rule273 = Rule{Do: "forbidden", Options: "-f/--format=any --pretty --showsecret -a/--all -i/--ignore -d/--driver=any -l/--label=any", Operands: "any*", Why: "secrets are neither shown nor changed"}
	rule274 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"prune", &rule228},
		{"rm", &rule273},
		{"create", &rule273},
		{"inspect", &rule273},
	},
	}
	rule275 = Rule{Do: "unknown", Operands: "any*", Why: "configurations can hold secrets; docker config ls shows the names"}
	rule276 = Rule{Commands: []Command{
		{"ls", &rule241},
		{"list", &rule241},
		{"inspect", &rule275},
		{"create", &rule275},
		{"rm", &rule275},
	},
	}
	rule277 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-reset", Operands: "name*"}
	rule278 = Rule{Commands: []Command{
		{"ps", &rule241},
		{"ls", &rule241},
		{"list", &rule241},
		{"stats", &rule277},
		{"top", &rule277},
		{"restart", &rule220},
		{"start", &rule221},
		{"stop", &rule222},
		{"kill", &rule223},
		{"rm", &rule227},
		{"prune", &rule228},
		{"inspect", &rule271},
	},
	}
	rule279 = Rule{Do: "observe", Operands: "name"}
	rule280 = Rule{Commands: []Command{
		{"run", &rule279},
	},
	}
	rule281 = Rule{Do: "observe", Options: "--dry-run --format=any", Why: "without --dry-run it replaces containers", Requires: "--dry-run"}
	rule282 = Rule{Commands: []Command{
		{"kube", &rule226},
	},
	}
	rule283 = Rule{Commands: []Command{
		{"play", &rule226},
	},
	}
	rule284 = Rule{Do: "forbidden", Options: "-f/--force -q/--quiet --rotate --token=any", Operands: "any*", Why: "the cluster and its keys are not touched"}
	rule285 = Rule{Commands: []Command{
		{"leave", &rule284},
		{"join", &rule284},
		{"join-token", &rule284},
		{"init", &rule284},
		{"update", &rule284},
		{"unlock", &rule284},
		{"unlock-key", &rule284},
		{"ca", &rule284},
	},
	}
	rule286 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-trunc -q/--quiet"}
	rule287 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human", Commands: []Command{
		{"ls", &rule286},
		{"list", &rule286},
	},
	}
	rule288 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=/\\{\\{\\s*\\.(Names?|ID|Service)\\s*\\}\\}/!names --format=any!text --no-trunc --orphans[=any] -q/--quiet!names --services!names --status=any", Operands: "name*"}
	rule289 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=any!text -q/--quiet!names"}
	rule290 = Rule{Do: "observe", Options: "-f/--follow --index=any --no-color --no-log-prefix --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any", Operands: "name*"}
	rule291 = Rule{Do: "observe", Options: "--format=any -q/--quiet", Operands: "name*"}
	rule292 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc", Operands: "name*"}
	rule293 = Rule{Do: "observe", Options: "--json --since=any --until=any", Operands: "name*"}
	rule294 = Rule{Do: "observe", Options: "--index=any --protocol=any", Operands: "name any"}
	rule295 = Rule{Do: "observe", Options: "-f/--format=any --short"}
	rule296 = Rule{Do: "observe", Options: "--services!names -q/--quiet --images --profiles --volumes --networks --models --hash=any --format=any --no-consistency --no-interpolate --no-normalize --no-path-resolution --no-env-resolution", Operands: "name*", Why: "the whole configuration shows the environment; ask for a part: config --services, --images, --volumes or -q", Requires: "--services|-q|--quiet|--images|--profiles|--volumes|--networks|--models|--hash"}
	rule297 = Rule{Do: "observe", Options: "-T/--no-tty/--no-TTY -i/--interactive -t/--tty --index=any -u/--user=any -w/--workdir=any -e/--env=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the service and one plain command: docker compose exec -T SERVICE COMMAND"}
	rule298 = Rule{Do: "restart", Options: "-t/--timeout=any --no-deps", Operands: "svc*"}
	rule299 = Rule{Do: "restart", Options: "--wait --wait-timeout=any", Operands: "svc*", Part: "last"}
	rule300 = Rule{Do: "restart", Options: "-t/--timeout=any", Operands: "svc*", Part: "first"}
	rule301 = Rule{Do: "restart", Options: "-s/--signal=any --remove-orphans!unknown", Operands: "svc*", Part: "first"}
	rule302 = Rule{Do: "restart", Operands: "svc*"}
	rule303 = Rule{Do: "restart", Options: "-d/--detach --wait --wait-timeout=any --no-color --no-log-prefix --no-deps --no-build --no-recreate --quiet-pull --quiet-build --timestamps -t/--timeout=any -y/--yes --build!redeploy --force-recreate!redeploy --always-recreate-deps!redeploy --pull=always|missing|if_not_present|never|build|newer!redeploy -V/--renew-anon-volumes!forbidden --remove-orphans!unknown --scale=any!unknown", Operands: "svc*", Why: "with -d (else its end stops the services), without --scale, --remove-orphans and -V (anonymous volumes hold data): docker compose -f FILE up -d SERVICE", Requires: "-d|--detach|--wait", Part: "last"}
	rule304 = Rule{Do: "redeploy", Options: "-t/--timeout=any -v!forbidden --volumes[=any]!forbidden --rmi=any!unknown --remove-orphans!unknown", Operands: "svc*", Why: "volumes, images and other services' containers stay: docker compose -f FILE down, then up -d", Part: "first"}
	rule305 = Rule{Do: "redeploy", Options: "-q/--quiet --ignore-buildable --ignore-pull-failures --include-deps --policy=any --no-parallel --parallel", Operands: "svc*", Part: "first"}
	rule306 = Rule{Do: "redeploy", Options: "--no-cache --pull -q/--quiet --progress=any --with-dependencies --no-rm --force-rm --parallel -m/--memory=any", Operands: "svc*", Why: "only as the compose file says, without --build-arg, --push, --ssh or --builder", Part: "first"}
	rule307 = Rule{Do: "redeploy", Options: "--build --force-recreate --no-build --no-recreate --pull=always|missing|if_not_present|never|build --quiet-pull -y/--yes", Operands: "svc*", Part: "first"}
	rule308 = Rule{Do: "unknown", Options: "-f/--force -s/--stop -v/--volumes!forbidden -a/--all", Operands: "any*", Why: "containers are not removed; up -d --force-recreate SERVICE makes one anew"}
	rule309 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with ps, logs, top, exec, bring back with restart or up -d"}
	rule310 = Rule{Do: "observe", Options: "-f/--file=code -p/--project-name=lit --project-directory=code --env-file=code --profile=lit --ansi=any --progress=any --parallel=any --compatibility --all-resources --verbose --dry-run -v/--version -h/--help --no-ansi --no-color --log-level=any", Style: "gnu", Why: "compose files, their folder and their variables come from the repositories only: docker compose -f FILE SUBCOMMAND", Service: "project", Cwd: "code", Commands: []Command{
		{"help", &rule141},
		{"ps", &rule288},
		{"ls", &rule289},
		{"logs", &rule290},
		{"top", &rule291},
		{"images", &rule291},
		{"volumes", &rule291},
		{"stats", &rule292},
		{"events", &rule293},
		{"port", &rule294},
		{"version", &rule295},
		{"config", &rule296},
		{"exec", &rule297},
		{"restart", &rule298},
		{"start", &rule299},
		{"stop", &rule300},
		{"kill", &rule301},
		{"unpause", &rule302},
		{"up", &rule303},
		{"down", &rule304},
		{"pull", &rule305},
		{"build", &rule306},
		{"create", &rule307},
		{"rm", &rule308},
		{"run", &rule309},
		{"scale", &rule309},
		{"pause", &rule309},
		{"cp", &rule309},
		{"push", &rule309},
		{"publish", &rule309},
		{"export", &rule309},
		{"commit", &rule309},
		{"watch", &rule309},
		{"wait", &rule309},
		{"attach", &rule309},
		{"alpha", &rule309},
		{"bridge", &rule309},
		{"convert", &rule309},
		{"import", &rule309},
	},
	}
	rule311 = Rule{Do: "observe", Options: "-v/--version -h/--help -D/--debug -l/--log-level=any -c/--context=/default/ -n/--namespace=any", Style: "gnu", Why: "another daemon, context or configuration is not granted; write the subcommand plainly: docker ps, docker logs NAME, docker inspect --format …", Commands: []Command{
		{"help", &rule141},
		{"ps", &rule211},
		{"container", &rule233},
		{"logs", &rule212},
		{"inspect", &rule213},
		{"image", &rule240},
		{"service", &rule248},
		{"node", &rule249},
		{"stats", &rule214},
		{"top", &rule215},
		{"port", &rule216},
		{"diff", &rule217},
		{"wait", &rule218},
		{"events", &rule250},
		{"system", &rule253},
		{"images", &rule234},
		{"history", &rule235},
		{"version", &rule251},
		{"info", &rule251},
		{"volume", &rule258},
		{"network", &rule262},
		{"context", &rule265},
		{"buildx", &rule268},
		{"builder", &rule269},
		{"stack", &rule272},
		{"secret", &rule274},
		{"config", &rule276},
		{"pod", &rule278},
		{"healthcheck", &rule280},
		{"auto-update", &rule281},
		{"exec", &rule219},
		{"restart", &rule220},
		{"start", &rule221},
		{"stop", &rule222},
		{"kill", &rule223},
		{"unpause", &rule224},
		{"pause", &rule225},
		{"pull", &rule236},
		{"build", &rule237},
		{"run", &rule226},
		{"create", &rule226},
		{"debug", &rule226},
		{"play", &rule282},
		{"kube", &rule283},
		{"rm", &rule227},
		{"rmi", &rule238},
		{"swarm", &rule285},
		{"update", &rule229},
		{"rename", &rule229},
		{"commit", &rule229},
		{"attach", &rule230},
		{"cp", &rule231},
		{"save", &rule232},
		{"load", &rule232},
		{"import", &rule232},
		{"export", &rule232},
		{"tag", &rule232},
		{"push", &rule232},
		{"plugin", &rule287},
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
		{"compose", &rule310},
	},
	}
	rule312 = Rule{Do: "observe", Options: "-v --version", Why: "building and installing are for people", Requires: "-v|--version", Cwd: "code"}
	rule313 = Rule{Commands: []Command{
		{"status", &rule32},
	},
	}
	rule314 = Rule{Commands: []Command{
		{"dump", &rule32},
	},
	}
	rule315 = Rule{Do: "observe", Commands: []Command{
		{"who", &rule32},
		{"service", &rule313},
		{"process", &rule313},
		{"stats", &rule314},
		{"replicator", &rule313},
	},
	}
	rule316 = Rule{Do: "observe", Options: "-n -a -N --version", Requires: "-n|-a|-N|--version"}
	rule317 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -p/--print-avail -V/--verify -C/--audit --print-architecture --print-foreign-architectures --get-selections --compare-versions --no-pager --version --help --assert-multi-arch", Operands: "any*", Why: "packages are for people; what is installed: dpkg -l", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|-V|--verify|-C|--audit|--print-architecture|--print-foreign-architectures|--get-selections|--compare-versions|--version|--help"}
	rule318 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -W/--show -f/--showformat=any --no-pager --version", Operands: "any*", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-W|--show|--version"}
	rule319 = Rule{Do: "observe", Operands: "lit?"}
	rule320 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule319},
		{"cstate", &rule319},
		{"dstate", &rule319},
		{"role", &rule319},
	},
	}
	rule321 = Rule{Do: "observe", Options: "-4 -6 -a -b=lit -c=lit -D -h -I=lit -o=lit -p=lit -Q -s -S -t -T -u -v -V=lit -x", Operands: "lit+", Why: "names are written out: drill NAME @SERVER"}
	rule322 = Rule{Do: "forbidden", Why: "it deletes data; a person has to do that", Loose: true}
	rule323 = Rule{Do: "observe", Options: "-c -d -D=any -g -i -l -m -n -N=any -p -r -s -S=any -t -T -y -a -f -v --tcp --udp --unix --nocolor --noheaders --noupdate --version", Operands: "/[0-9]+/*"}
	rule324 = Rule{Do: "observe", Options: "-0/--null -a/--all --apparent-size -B/--block-size=any -b/--bytes -c/--total -D/--dereference-args -d/--max-depth=any -H -h/--human-readable --inodes -k -L/--dereference -l/--count-links -m -P/--no-dereference -S/--separate-dirs --si -s/--summarize -t/--threshold=any --time[=any] --time-style=any --exclude=any -x/--one-file-system --help --version", Operands: "meta*", Style: "gnu", Globs: true}
	rule325 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: du -xh --max-depth=1 DIR | sort -h", Loose: true}
	rule326 = Rule{Do: "observe", Options: "-h -b -g -x", Operands: "meta"}
	rule327 = Rule{Do: "observe", Options: "-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp=any!first -f/--file=file!first -i/-y/--ignore-case --no-ignore-case -w/--word-regexp -x/--line-regexp -z/--null-data -s/--no-messages -v/--invert-match -V/--version --help -m/--max-count=/[0-9]+/ -b/--byte-offset -n/--line-number --line-buffered -H/--with-filename -h/--no-filename --label=any -o/--only-matching -q/--quiet/--silent --binary-files=any -a/--text -I -d/--directories=skip|read -D/--devices=skip|read -r/--recursive!cwd -R/--dereference-recursive!cwd --include=any --exclude=any --exclude-from=file --exclude-dir=any -L/--files-without-match -l/--files-with-matches -c/--count -T/--initial-tab -Z/--null -B/--before-context=/[0-9]+/ -A/--after-context=/[0-9]+/ -C/--context=/[0-9]+/ -# --group-separator=any --no-group-separator --color[=any] --colour[=any] -U/--binary", Operands: "any tree*", Style: "gnu", Globs: true}
	rule328 = Rule{Commands: []Command{
		{"health", &rule19},
		{"status", &rule19},
		{"hashkv", &rule19},
	},
	}
	rule329 = Rule{Commands: []Command{
		{"list", &rule19},
	},
	}
	rule330 = Rule{Do: "observe", Operands: "file"}
	rule331 = Rule{Commands: []Command{
		{"status", &rule330},
	},
	}
	rule332 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes data", Loose: true}
	rule333 = Rule{Do: "observe", Persistent: "--endpoints=dbhost --cacert=file --cert=code --key=code --command-timeout=lit --dial-timeout=lit -w/--write-out=lit --cluster --insecure-skip-tls-verify --insecure-transport --hex", Why: "endpoint health|status, member list and alarm list only show; stored values may be secrets", Commands: []Command{
		{"endpoint", &rule328},
		{"member", &rule329},
		{"alarm", &rule329},
		{"version", &rule19},
		{"snapshot", &rule331},
		{"del", &rule332},
	},
	}
	rule334 = Rule{Do: "observe", Options: "-i/--driver -k/--show-features/--show-offload -S/--statistics -g/--show-ring -a/--show-pause -c/--show-coalesce -l/--show-channels -m/--module-info/--dump-module-eeprom -T/--show-time-stamping -n/-u/--show-nfc/--show-ntuple --show-eee --show-fec -P/--show-permaddr --show-priv-flags --phy-statistics -j/--json -I/--include-statistics --version -h/--help", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule335 = Rule{Do: "observe", Options: "-bp -bpc -bpr -bV", Requires: "-bp|-bpc|-bpr|-bV"}
	rule336 = Rule{Do: "observe", Options: "-c -s -a"}
	rule337 = Rule{Do: "observe", Options: "-t/--tabs=any", Operands: "file*", Loose: true}
	rule338 = Rule{Do: "observe", Options: "-v -s", Requires: "-v|-s"}
	rule339 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule319},
		{"ping", &rule19},
		{"version", &rule19},
		{"banned", &rule19},
	},
	}
	rule340 = Rule{Do: "observe", Options: "-l/--list -o/--output=any -u/--units[=any] -x/--list-details --bytes -L/--color[=any] -v/-V/--version", Operands: "meta*", Why: "partitions are only shown: fdisk -l", Requires: "-l|--list|-x|-v|-V|--version"}
	rule341 = Rule{Do: "observe", Options: "-b/--brief -e/--exclude=any -F/--separator=any -i/--mime --mime-type --mime-encoding --extension -k/--keep-going -L/--dereference -h/--no-dereference -n/--no-buffer -N/--no-pad -p/--preserve-date -r/--raw -s/--special-files -0/--print0 -v/--version --help", Operands: "meta*", Style: "gnu", Globs: true}
	rule342 = Rule{Do: "observe", Options: "-s/--fstab -m/--mtab -k/--kernel -p/--poll[=any] -w/--timeout=any -A/--all -a/--ascii -b/--bytes -C/--nocanonicalize -c/--canonicalize -D/--df -d/--direction=any -e/--evaluate -f/--first-only -i/--invert -J/--json -l/--list -n/--noheadings -O/--options=any -o/--output=any --output-all -P/--pairs --pseudo --shadowed -R/--submounts -r/--raw --real -S/--source=any -T/--target=meta --tree -M/--mountpoint=meta -t/--types=any -U/--uniq -u/--notruncate -v/--nofsroot -y/--shell -x/--verify --verbose --vfs-all -h/--help -V/--version", Operands: "meta*", Style: "gnu"}
	rule343 = Rule{Do: "observe", Options: "--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone --get-services --list-services --list-ports --list-protocols --list-rich-rules --list-interfaces --list-sources --list-forward-ports --get-log-denied --zone=any --permanent --get-zone-of-interface=any --query-service=any --query-port=any --query-masquerade -V/--version -h/--help", Why: "the packet filter is read only: firewall-cmd --list-all"}
	rule344 = Rule{Do: "observe", Options: "-A/--all-namespaces --status-selector=lit -l/--label-selector=lit --no-header", Operands: "lit*"}
	rule345 = Rule{Commands: []Command{
		{"all", &rule344},
		{"git", &rule344},
		{"helm", &rule344},
		{"oci", &rule344},
	},
	}
	rule346 = Rule{Commands: []Command{
		{"git", &rule344},
		{"helm", &rule344},
	},
	}
	rule347 = Rule{Commands: []Command{
		{"all", &rule344},
	},
	}
	rule348 = Rule{Commands: []Command{
		{"kustomizations", &rule344},
		{"kustomization", &rule344},
		{"ks", &rule344},
		{"helmreleases", &rule344},
		{"helmrelease", &rule344},
		{"hr", &rule344},
		{"sources", &rule345},
		{"source", &rule346},
		{"images", &rule347},
		{"alerts", &rule344},
	},
	}
	rule349 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Why: "only looked at: flux get kustomizations -A", Commands: []Command{
		{"get", &rule348},
		{"check", &rule19},
		{"version", &rule19},
	},
	}
	rule350 = Rule{Do: "observe", Options: "-w/--width=any", Operands: "file*", Loose: true}
	rule351 = Rule{Do: "observe", Options: "-4/--ipv4 -6/--ipv6 -A/--addr -a/--alive -b/--size=lit -B/--backoff=lit -C/--vcount=lit -c/--count=lit -D/--timestamp -d/--rdns -e/--elapsed -H/--ttl=lit -I/--iface=lit -i/--interval=lit -M/--dontfrag -m/--all -N/--netdata -n/--name -O/--tos=lit -o/--outage -p/--period=lit -q/--quiet -r/--retry=lit -S/--src=lit -s/--stats -t/--timeout=lit -u/--unreach -v/--version -x/--reachable=lit -J/--json", Operands: "host+", Why: "hosts are written out: fping -c 3 HOST…", Stdin: "none"}
	rule352 = Rule{Do: "observe", Options: "-b -k -m -g -h -l -t -v -w -s=any -c=any", Operands: "any*", Loose: true}
	rule353 = Rule{Do: "observe", Options: "-a/--all -I/--inode -l/--list-signals -m/--mount -M/--ismountpoint -n/--namespace=file|tcp|udp!apart -s/--silent -u/--user -v/--verbose -V/--version -4/--ipv4 -6/--ipv6", Operands: "meta*", Why: "ending processes (-k) is not granted; restart the service"}
	rule354 = Rule{Do: "observe", Options: "-r -n -v", Operands: "meta+"}
	rule355 = Rule{Do: "observe", Operands: "host*"}
	rule356 = Rule{Do: "forbidden", Operands: "any*", Why: "password hashes are secrets", Loose: true}
	rule357 = Rule{Do: "observe", Options: "-i/--no-idn", Why: "its own services, without -s, which names a library", Commands: []Command{
		{"passwd", &rule32},
		{"group", &rule32},
		{"services", &rule32},
		{"protocols", &rule32},
		{"rpc", &rule32},
		{"networks", &rule32},
		{"ethers", &rule32},
		{"aliases", &rule32},
		{"netgroup", &rule32},
		{"initgroups", &rule32},
		{"hosts", &rule355},
		{"ahosts", &rule355},
		{"ahostsv4", &rule355},
		{"ahostsv6", &rule355},
		{"shadow", &rule356},
		{"gshadow", &rule356},
	},
	}
	rule358 = Rule{Do: "observe", Options: "-a/--access -d/--default -c/--omit-header -e/--all-effective -n/--numeric -p/--absolute-names -t/--tabular -R/--recursive -L -P", Operands: "meta+"}
	rule359 = Rule{Do: "observe", Options: "-a", Operands: "lit?"}
	rule360 = Rule{Do: "observe", Options: "-a/--all -b/--branch=lit -c/--commit=lit --created=lit -e/--event=lit -s/--status=lit -u/--user=lit -w/--workflow=lit"}
	rule361 = Rule{Do: "observe", Options: "-v/--verbose --log --log-failed -j/--job=lit -a/--attempt=lit --exit-status", Operands: "/[0-9]+/?"}
	rule362 = Rule{Commands: []Command{
		{"list", &rule360},
		{"ls", &rule360},
		{"view", &rule361},
	},
	}
	rule363 = Rule{Do: "observe", Options: "-A/--author=lit -a/--assignee=lit -B/--base=lit -H/--head=lit -l/--label=lit -s/--state=lit -S/--search=lit -m/--milestone=lit -d/--draft"}
	rule364 = Rule{Do: "observe", Options: "-c/--comments", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule365 = Rule{Do: "observe", Options: "--color=lit --name-only --patch", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule366 = Rule{Do: "observe", Options: "--required", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule367 = Rule{Do: "observe", Options: "-t/--show-token!forbidden -h/--hostname=/github\\.com/ -a/--active -c/--conflict-status", Why: "a token is a secret; leave --show-token out"}
	rule368 = Rule{Commands: []Command{
		{"list", &rule363},
		{"ls", &rule363},
		{"view", &rule364},
		{"diff", &rule365},
		{"checks", &rule366},
		{"status", &rule367},
	},
	}
	rule369 = Rule{Commands: []Command{
		{"list", &rule363},
		{"ls", &rule363},
		{"view", &rule364},
		{"status", &rule367},
	},
	}
	rule370 = Rule{Do: "forbidden", Operands: "any*", Why: "a token is a secret", Loose: true}
	rule371 = Rule{Commands: []Command{
		{"status", &rule367},
		{"token", &rule370},
	},
	}
	rule372 = Rule{Do: "observe", Options: "--exclude-drafts --exclude-pre-releases -O/--order=lit"}
	rule373 = Rule{Do: "observe", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule374 = Rule{Commands: []Command{
		{"list", &rule372},
		{"ls", &rule372},
		{"view", &rule373},
	},
	}
	rule375 = Rule{Do: "observe", Options: "-a/--all"}
	rule376 = Rule{Do: "observe", Options: "-y/--yaml -r/--ref=lit", Operands: "lit"}
	rule377 = Rule{Commands: []Command{
		{"list", &rule375},
		{"ls", &rule375},
		{"view", &rule376},
	},
	}
	rule378 = Rule{Do: "observe", Options: "-b/--branch=lit", Operands: "/[A-Za-z0-9_.-]+(?:\\/[A-Za-z0-9_.-]+)?/?"}
	rule379 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a repository", Loose: true}
	rule380 = Rule{Commands: []Command{
		{"view", &rule378},
		{"delete", &rule379},
	},
	}
	rule381 = Rule{Do: "observe", Options: "--version", Persistent: "-R/--repo=/[A-Za-z0-9_.-]+\\/[A-Za-z0-9_.-]+/ --json=lit -q/--jq=jq --template=lit -L/--limit=lit", Style: "gnu", Why: "run, pr, issue, release, workflow and repo are looked at: list, view, diff, checks; nothing is created, run or changed", Requires: "--version", Cwd: "code", Commands: []Command{
		{"run", &rule362},
		{"pr", &rule368},
		{"issue", &rule369},
		{"auth", &rule371},
		{"release", &rule374},
		{"workflow", &rule377},
		{"repo", &rule380},
		{"version", &rule19},
	},
	}
	rule382 = Rule{Do: "observe", Options: "-s/--short -b/--branch --show-stash --porcelain[=any] --long -u[=any] --untracked-files[=any] --ignored[=any] -z/--null --column[=any] --no-column --ahead-behind --no-ahead-behind --renames -M[=any]", Operands: "meta*", Check: "git"}
	rule383 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -g -i -E -F -P -q -r", Operands: "rev*", Check: "git"}
	rule384 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -q -r", Operands: "rev*", Check: "git"}
	rule385 = Rule{Do: "observe", Options: "-p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -q -0 -1 -2 -3 --cached --staged --merge-base --base --ours --theirs", Operands: "rev*", Check: "git"}
	rule386 = Rule{Do: "observe", Options: "-p -u -s -r -t -z -c -m -v -U=any -M[=any] -C[=any] -R -S=any -G=any --root --cached --no-commit-id --merge-base", Operands: "rev*", Check: "git"}
	rule387 = Rule{Do: "observe", Options: "-v -s -p --creation-factor=any", Operands: "rev*", Check: "git"}
	rule388 = Rule{Do: "observe", Options: "-a -r -v -vv/--verbose -q -l/--list -i/--ignore-case --show-current --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "branches are only listed: git branch -a -vv"}
	rule389 = Rule{Do: "observe", Options: "-l/--list -n[=any] -i/--ignore-case --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "tags are only listed: git tag -l --sort=-creatordate | head"}
	rule390 = Rule{Do: "observe", Options: "--push --all", Operands: "lit"}
	rule391 = Rule{Do: "observe", Options: "-n", Operands: "lit*", Requires: "-n"}
	rule392 = Rule{Do: "observe", Options: "-v/--verbose", Why: "remotes are only listed: git remote -v", Commands: []Command{
		{"get-url", &rule390},
		{"show", &rule391},
	},
	}
	rule393 = Rule{Do: "observe", Options: "--short[=any] --abbrev-ref[=any] --verify -q --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --revs-only --no-revs --flags --no-flags --path-format=any --show-superproject-working-tree --show-object-format", Operands: "any*"}
	rule394 = Rule{Do: "observe", Options: "-n=any -# -i -E -F -P -g --objects --disk-usage[=any] --header --timestamp --no-commit-header --left-only", Operands: "rev*", Check: "git"}
	rule395 = Rule{Do: "observe", Options: "-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage -u/--unmerged -k/--killed -t -v -f -z --directory --no-empty-directory --eol --deduplicate --exclude-standard -x=any --error-unmatch --full-name --recurse-submodules --sparse", Operands: "meta*"}
	rule396 = Rule{Do: "observe", Options: "-r -d -t -l/--long -z --full-name --full-tree --object-only", Operands: "any meta*"}
	rule397 = Rule{Do: "observe", Options: "-L=/[^:].*|:[A-Za-z0-9_.-]+/ -l -t -s -e/--show-email -w -b -c -f/--show-name -n/--show-number -p/--porcelain --line-porcelain --incremental --root --show-stats --score-debug --progress --no-progress -M[=any] -C[=any] --ignore-rev=lit --color-lines --color-by-age", Operands: "rev+", Check: "git"}
	rule398 = Rule{Do: "observe", Options: "--always --long --dirty[=any] --broken[=any] --exact-match --contains --match=any --candidates=any --debug", Operands: "any*"}
	rule399 = Rule{Do: "observe", Options: "--refs=any --no-undefined --always", Operands: "any*"}
	rule400 = Rule{Do: "observe", Options: "-s -n/--numbered -e/--email -c/--committer --group=any -w[=any]", Operands: "rev*", Check: "git"}
	rule401 = Rule{Do: "observe", Options: "-n=any -# -s", Check: "git"}
	rule402 = Rule{Do: "observe", Options: "--include-untracked --only-untracked", Operands: "/stash@\\{[0-9]+\\}|[0-9]+/?", Check: "git"}
	rule403 = Rule{Do: "forbidden", Operands: "any*", Why: "it changes the repository; git stash list shows", Check: "git", Loose: true, Commands: []Command{
		{"list", &rule401},
		{"show", &rule402},
	},
	}
	rule404 = Rule{Do: "observe", Options: "-t -s -e -p", Operands: "rev", Requires: "-t|-s|-e|-p", Check: "git"}
	rule405 = Rule{Do: "observe", Options: "-e=any!first -# -A/--after-context=any -B/--before-context=any -C/--context=any -E -F -G -P -H -I -L/--files-without-match -W -a -c -h -i/--ignore-case -l/--files-with-matches -m=any -n/--line-number -o/--only-matching -p/--show-function -q -r/--recursive -v/--invert-match -w/--word-regexp -z/--null --and --or --not --break --cached --column --exclude-standard --full-name --heading --max-depth=any --no-index!unknown --threads=any --untracked!unknown --no-recursive --recurse-submodules", Operands: "any rev*", Check: "git"}
	rule406 = Rule{Do: "observe", Options: "-n=any -# -i -s", Operands: "any*", Check: "git"}
	rule407 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes history", Loose: true}
	rule408 = Rule{Do: "observe", Options: "-n=any -# -i", Why: "it only shows: git reflog -5", Check: "git", Commands: []Command{
		{"show", &rule406},
		{"expire", &rule407},
		{"delete", &rule407},
		{"drop", &rule407},
	},
	}
	rule409 = Rule{Do: "observe", Options: "--sort=any --contains[=any] --no-contains[=any] --merged[=any] --no-merged[=any] --points-at=any --ignore-case --omit-empty --count=any", Operands: "any*"}
	rule410 = Rule{Do: "observe", Options: "--head --heads --branches -d/--dereference -s/--hash[=any] --verify -q", Operands: "any*"}
	rule411 = Rule{Do: "observe", Options: "-a --is-ancestor --octopus --independent --fork-point", Operands: "any+"}
	rule412 = Rule{Do: "observe", Options: "-v/--verbose -q -n/--non-matching -a --no-index -z", Operands: "any*"}
	rule413 = Rule{Do: "observe", Options: "-v/--verbose -H/--human-readable"}
	rule414 = Rule{Do: "observe", Options: "-v/--verbose --porcelain -z"}
	rule415 = Rule{Do: "unknown", Why: "work trees are only listed: git worktree list", Commands: []Command{
		{"list", &rule414},
	},
	}
	rule416 = Rule{Do: "observe", Options: "--cached --recursive", Operands: "meta*"}
	rule417 = Rule{Do: "observe", Why: "submodules are only listed: git submodule status", Commands: []Command{
		{"status", &rule416},
	},
	}
	rule418 = Rule{Do: "observe", Operands: "any?"}
	rule419 = Rule{Do: "observe", Why: "notes are only shown: git notes list", Commands: []Command{
		{"list", &rule418},
		{"show", &rule418},
	},
	}
	rule420 = Rule{Do: "observe", Options: "--build-options"}
	rule421 = Rule{Do: "forbidden", Operands: "any*", Why: "repositories are not changed by agents; write into the handoff what a person should change", Loose: true}
	rule422 = Rule{Do: "forbidden", Operands: "any*", Why: "credentials are secrets", Loose: true}
	rule423 = Rule{Do: "observe", Options: "--get=/(?:remote\\.[A-Za-z0-9_-]+\\.(?:url|fetch)|branch\\.[A-Za-z0-9_\\/-]+\\.(?:remote|merge)|user\\.(?:name|email)|core\\.bare)/", Why: "one key of these: git config --get remote.origin.url", Requires: "--get"}
	rule424 = Rule{Do: "unknown", Operands: "any*", Why: "it can run programs, show credentials or reach out; git log, diff, show and status only look", Loose: true}
	rule425 = Rule{Do: "observe", Options: "-C=code --git-dir=code --work-tree=code -P/--no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --literal-pathspecs --glob-pathspecs --icase-pathspecs --bare -v/--version", Persistent: "--patch --no-patch --unified=any --raw --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored=any --diff-algorithm=any --stat[=any] --stat-width=any --stat-name-width=any --stat-count=any --stat-graph-width=any --compact-summary --numstat --shortstat --dirstat[=any] --cumulative --dirstat-by-file[=any] --summary --name-only --name-status --submodule[=any] --color[=any] --no-color --color-moved[=any] --no-color-moved --color-moved-ws=any --word-diff[=any] --word-diff-regex=any --color-words[=any] --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=any --full-index --binary --abbrev[=any] --no-abbrev --break-rewrites[=any] --find-renames[=any] --find-copies[=any] --find-copies-harder --irreversible-delete --diff-filter=any --find-object=any --pickaxe-all --pickaxe-regex --relative[=any] --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=any --inter-hunk-context=any --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=any] --src-prefix=any --dst-prefix=any --no-prefix --default-prefix --line-prefix=any --output-indicator-new=any --output-indicator-old=any --output-indicator-context=any --indent-heuristic --no-indent-heuristic --oneline --graph --no-graph --decorate[=any] --no-decorate --decorate-refs=any --decorate-refs-exclude=any --clear-decorations --all --branches[=any] --tags[=any] --remotes[=any] --glob=any --exclude=any --max-count=any --skip=any --since=any --after=any --until=any --before=any --author=any --committer=any --grep=any --grep-reflog=any --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=any --max-parents=any --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --follow --reverse --date=any --relative-date --format=any --pretty[=any] --abbrev-commit --no-abbrev-commit --encoding=any --expand-tabs[=any] --no-expand-tabs --notes[=any] --no-notes --left-right --cherry-pick --cherry-mark --cherry --walk-reflogs --merge --boundary --simplify-merges --simplify-by-decoration --full-history --dense --sparse --ancestry-path[=any] --topo-order --date-order --author-date-order --parents --children --left-only --right-only --source --use-mailmap --mailmap --no-mailmap --log-size --cc --combined-all-paths --diff-merges=any --no-diff-merges --remerge-diff --no-walk[=any] --do-walk --count --show-linear-break[=any]", Style: "gnu", Why: "repositories are only looked at, where they lie: git -C FOLDER log -5 --stat; status, diff, show, blame, branch, tag and their like, without -c and without pagers", Requires: "--version|-v", Cwd: "code", Commands: []Command{
		{"status", &rule382},
		{"log", &rule383},
		{"whatchanged", &rule383},
		{"show", &rule384},
		{"diff", &rule385},
		{"diff-tree", &rule386},
		{"diff-index", &rule386},
		{"diff-files", &rule386},
		{"range-diff", &rule387},
		{"cherry", &rule387},
		{"branch", &rule388},
		{"tag", &rule389},
		{"remote", &rule392},
		{"rev-parse", &rule393},
		{"rev-list", &rule394},
		{"ls-files", &rule395},
		{"ls-tree", &rule396},
		{"blame", &rule397},
		{"annotate", &rule397},
		{"describe", &rule398},
		{"name-rev", &rule399},
		{"shortlog", &rule400},
		{"stash", &rule403},
		{"cat-file", &rule404},
		{"grep", &rule405},
		{"reflog", &rule408},
		{"for-each-ref", &rule409},
		{"show-ref", &rule410},
		{"merge-base", &rule411},
		{"check-ignore", &rule412},
		{"check-attr", &rule412},
		{"count-objects", &rule413},
		{"worktree", &rule415},
		{"submodule", &rule417},
		{"notes", &rule419},
		{"version", &rule420},
		{"push", &rule421},
		{"fetch", &rule421},
		{"pull", &rule421},
		{"commit", &rule421},
		{"checkout", &rule421},
		{"switch", &rule421},
		{"restore", &rule421},
		{"reset", &rule421},
		{"merge", &rule421},
		{"rebase", &rule421},
		{"cherry-pick", &rule421},
		{"revert", &rule421},
		{"add", &rule421},
		{"rm", &rule421},
		{"mv", &rule421},
		{"clean", &rule421},
		{"am", &rule421},
		{"apply", &rule421},
		{"gc", &rule421},
		{"prune", &rule421},
		{"repack", &rule421},
		{"filter-branch", &rule421},
		{"filter-repo", &rule421},
		{"update-ref", &rule421},
		{"update-index", &rule421},
		{"symbolic-ref", &rule421},
		{"replace", &rule421},
		{"read-tree", &rule421},
		{"write-tree", &rule421},
		{"commit-tree", &rule421},
		{"send-email", &rule421},
		{"send-pack", &rule421},
		{"receive-pack", &rule421},
		{"svn", &rule421},
		{"p4", &rule421},
		{"credential", &rule422},
		{"credential-store", &rule422},
		{"credential-cache", &rule422},
		{"config", &rule423},
		{"clone", &rule424},
		{"init", &rule424},
		{"ls-remote", &rule424},
		{"archive", &rule424},
		{"bundle", &rule424},
		{"difftool", &rule424},
		{"mergetool", &rule424},
		{"help", &rule424},
		{"daemon", &rule424},
		{"instaweb", &rule424},
		{"web--browse", &rule424},
		{"bisect", &rule424},
		{"maintenance", &rule424},
		{"var", &rule424},
	},
	}
	rule426 = Rule{Do: "unknown", Why: "it is not granted; the repositories on this machine can be looked at: git -C FOLDER log -5 --stat", Loose: true}
	rule427 = Rule{Do: "observe", Operands: "lit info|statistics summary|split-brain|healed?"}
	rule428 = Rule{Commands: []Command{
		{"status", &rule32},
		{"info", &rule32},
		{"list", &rule32},
		{"heal", &rule427},
	},
	}
	rule429 = Rule{Commands: []Command{
		{"list", &rule32},
	},
	}
	rule430 = Rule{Do: "observe", Commands: []Command{
		{"volume", &rule428},
		{"peer", &rule313},
		{"pool", &rule429},
	},
	}
	rule431 = Rule{Do: "observe", Cwd: "code", Commands: []Command{
		{"version", &rule19},
	},
	}
	rule432 = Rule{Do: "observe", Options: "-a -g/--group -G/--groups -n/--name -r/--real -u/--user -z/--zero -Z/--context --help --version", Operands: "any*"}
	rule433 = Rule{Do: "observe", Options: "-n/--quiet/--silent -E/-r/--regexp-extended -e/--expression=sed!first -s/--separate -u/--unbuffered -z/--null-data -l/--line-length=any -b/--binary --debug --sandbox --follow-symlinks --help --version", Operands: "sed file*", Why: "files stay as they are (no -i), and the script stands in the command (no -f)"}
	rule434 = Rule{Do: "observe", Options: "-c/--stdout/--to-stdout -d/--decompress/--uncompress -l/--list -t/--test -v/--verbose -q/--quiet -f/--force -n/--no-name -N/--name -k/--keep -# --fast --best", Operands: "file*", Why: "files stay as they are: gzip -dc FILE, zcat FILE, gzip -l FILE, or … | gzip -c > $TMPDIR/x.gz", Requires: "-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule435 = Rule{Do: "observe", Options: "-v --verbose", Operands: "status?"}
	rule436 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine stays up; ask a person", Loose: true}
	rule437 = Rule{Do: "observe", Options: "-c -f=code -V -v -vv -q", Style: "word", Why: "haproxy -c -f FILE; to reload it: systemctl reload haproxy", Requires: "-c|-v|-vv"}
	rule438 = Rule{Do: "observe", Options: "-b -c -C/--canonical -d -o -x -v -n/--length=any -s/--skip=any -e=any", Operands: "file*"}
	rule439 = Rule{Do: "observe", Options: "-I -i -g -C", Operands: "meta+", Why: "disks are only looked at: hdparm -I DEVICE"}
	rule440 = Rule{Do: "observe", Options: "-n/--lines=any -c/--bytes=any --pid=any --sleep-interval=any --max-unchanged-stats=any", Operands: "file*", Loose: true}
	rule441 = Rule{Do: "observe", Options: "-a/--all -A/--all-namespaces --date -r/--reverse --deployed --failed --pending --superseded --uninstalled --uninstalling -f/--filter=any -m/--max=any --no-headers --offset=any -o/--output=any -q/--short!names -l/--selector=any --time-format=any"}
	rule442 = Rule{Do: "observe", Options: "-o/--output=/table/ --revision=any --show-desc --show-resources", Operands: "name", Why: "without -o json or yaml, which show the values and with them passwords"}
	rule443 = Rule{Do: "observe", Options: "--max=any -o/--output=any", Operands: "name"}
	rule444 = Rule{Do: "observe", Options: "--revision=any", Operands: "name"}
	rule445 = Rule{Do: "observe", Options: "--revision=any -o/--output=any", Operands: "name"}
	rule446 = Rule{Do: "forbidden", Options: "-a/--all -o/--output=any --revision=any --template=any", Operands: "any*", Why: "values and manifests hold passwords; helm get notes, helm history and helm status show the state"}
	rule447 = Rule{Commands: []Command{
		{"notes", &rule444},
		{"metadata", &rule445},
		{"values", &rule446},
		{"manifest", &rule446},
		{"all", &rule446},
		{"hooks", &rule446},
	},
	}
	rule448 = Rule{Do: "observe", Options: "--devel --fail-on-no-result --max-col-width=any -o/--output=any -r/--regexp --version=any -l/--versions", Operands: "any*"}
	rule449 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; helm upgrade RELEASE FOLDER and helm rollback RELEASE are"}
	rule450 = Rule{Commands: []Command{
		{"repo", &rule448},
		{"hub", &rule449},
	},
	}
	rule451 = Rule{Do: "observe", Options: "--version=any --devel --jsonpath=any", Operands: "code", Why: "only charts of the repositories"}
	rule452 = Rule{Commands: []Command{
		{"chart", &rule451},
		{"readme", &rule451},
		{"values", &rule451},
		{"crds", &rule451},
		{"all", &rule451},
	},
	}
	rule453 = Rule{Commands: []Command{
		{"chart", &rule451},
		{"values", &rule451},
	},
	}
	rule454 = Rule{Do: "observe", Options: "--strict --quiet --with-subcharts -f/--values=code", Operands: "code"}
	rule455 = Rule{Do: "observe", Options: "--short --template=any -c/--client"}
	rule456 = Rule{Do: "observe", Operands: "HELM_NAMESPACE|HELM_BIN|HELM_CACHE_HOME|HELM_CONFIG_HOME|HELM_DATA_HOME|HELM_DEBUG|HELM_KUBECONTEXT|HELM_MAX_HISTORY|HELM_REPOSITORY_CONFIG|HELM_REPOSITORY_CACHE|HELM_PLUGINS", Why: "one variable by its name (helm env HELM_NAMESPACE): the whole list holds the token"}
	rule457 = Rule{Do: "redeploy", Options: "--wait --wait-for-jobs --timeout=any --history-max=any --no-hooks --recreate-pods --cleanup-on-fail!unknown --force!forbidden", Operands: "svc any?", Why: "without --force and --cleanup-on-fail, which delete: helm rollback RELEASE REVISION -n NAMESPACE"}
	rule458 = Rule{Do: "redeploy", Options: "-i/--install --atomic --rollback-on-failure --wait --wait-for-jobs --timeout=any -f/--values=code --reuse-values --reset-values --reset-then-reuse-values --version=any --description=any --history-max=any --skip-crds --no-hooks --devel --hide-notes --disable-openapi-validation --force!forbidden --cleanup-on-fail!unknown", Operands: "svc code", Why: "only charts and value files of the repositories, without --set, --post-renderer, --repo, --dry-run: helm upgrade RELEASE FOLDER -f FILE", Cwd: "code"}
	rule459 = Rule{Do: "forbidden", Options: "--cascade=any --description=any --dry-run --keep-history --no-hooks --timeout=any --wait --ignore-not-found", Operands: "any*", Why: "releases are not removed; helm rollback RELEASE goes back"}
	rule460 = Rule{Do: "observe", Persistent: "-n/--namespace=any --kube-context=lit --kubeconfig=code --debug --burst-limit=any --qps=any -h/--help", Style: "gnu", Why: "another server, token, registry or plugin is not granted; write the subcommand plainly: helm status RELEASE -n NAMESPACE", Commands: []Command{
		{"list", &rule441},
		{"ls", &rule441},
		{"status", &rule442},
		{"history", &rule443},
		{"hist", &rule443},
		{"get", &rule447},
		{"search", &rule450},
		{"show", &rule452},
		{"inspect", &rule453},
		{"lint", &rule454},
		{"version", &rule455},
		{"help", &rule141},
		{"env", &rule456},
		{"rollback", &rule457},
		{"upgrade", &rule458},
		{"uninstall", &rule459},
		{"un", &rule459},
		{"del", &rule459},
		{"delete", &rule459},
		{"install", &rule449},
		{"template", &rule449},
		{"test", &rule449},
		{"repo", &rule449},
		{"pull", &rule449},
		{"fetch", &rule449},
		{"push", &rule449},
		{"plugin", &rule449},
		{"registry", &rule449},
		{"dependency", &rule449},
		{"dep", &rule449},
		{"create", &rule449},
		{"package", &rule449},
		{"verify", &rule449},
	},
	}
	rule461 = Rule{Do: "observe", Options: "-4 -6 -a -A -C -c=lit -d -i -l -m=lit -N=lit -p=lit -r -R=lit -s -t=lit -T -U -v -V -w -W=lit", Operands: "lit lit?", Why: "names are written out: host NAME SERVER"}
	rule462 = Rule{Do: "observe", Options: "-f/--fqdn/--long -i/--ip-address -I/--all-ip-addresses -s/--short -d/--domain -A/--all-fqdns -a/--alias -y/--yp/--nis -V/--version -h/--help", Why: "the machine keeps its name"}
	rule463 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine keeps its name", Loose: true}
	rule464 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--static --transient --pretty --json=any -j --no-ask-password", Commands: []Command{
		{"status", &rule19},
		{"hostname", &rule19},
		{"icon-name", &rule19},
		{"chassis", &rule19},
		{"deployment", &rule19},
		{"location", &rule19},
		{"set-hostname", &rule463},
		{"set-icon-name", &rule463},
		{"set-chassis", &rule463},
		{"set-deployment", &rule463},
		{"set-location", &rule463},
	},
	}
	rule465 = Rule{Do: "observe", Operands: "ctrl|controller /all|slot=[0-9]+/ show|pd|ld /status|config|detail|all/? show? status|detail?", Why: "only looked at: ssacli ctrl all show status"}
	rule466 = Rule{Do: "observe", Options: "-r/--show -u/--utc -l/--localtime -v/--verbose -V/--version", Why: "the clock is not set", Requires: "-r|--show|-V|--version"}
	rule467 = Rule{Do: "observe", Options: "-f/--from-code=any -t/--to-code=any -c -l/--list -s/--silent -o/--output=out", Operands: "file*"}
	rule468 = Rule{Do: "observe", Options: "-a -s -v", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule469 = Rule{Do: "observe", Options: "-c/--columns=/[A-Za-z0-9]+/ -f/--format=table|csv|compact --fast", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule470 = Rule{Do: "observe", Options: "--show-log --resources", Operands: "/[A-Za-z0-9][A-Za-z0-9-]*/?"}
	rule471 = Rule{Do: "observe", Why: "only looked at: lxc list, lxc info NAME; the configuration holds environments", Commands: []Command{
		{"list", &rule469},
		{"ls", &rule469},
		{"info", &rule470},
		{"version", &rule19},
	},
	}
	rule472 = Rule{Do: "observe", Commands: []Command{
		{"ping", &rule19},
		{"version", &rule19},
	},
	}
	rule473 = Rule{Do: "observe", Options: "--status-all -l/--list -q/--quiet -C/--nocolor", Operands: "svc? status|restart|try-restart|condrestart|force-reload|start|stop|reload?", Style: "strict", Why: "service NAME status, restart, start, stop or reload", Check: "service"}
	rule474 = Rule{Do: "observe", Options: "-c/--class=any -n/--classdata=any -t/--ignore", Operands: "inner", Style: "strict"}
	rule475 = Rule{Do: "observe", Options: "-c -d -h --human -k -m -N -s -t -x -y -z -p[=any] -j=any -g=any -H -T -o=JSON --dec=any --compact --pretty -V", Operands: "any*"}
	rule476 = Rule{Do: "observe", Options: "-o/--only -b/--batch -n/--iter=any -d/--delay=any -p/--pid=any -u/--user=any -P/--processes -a/--accumulated -k/--kilobytes -t/--time -q/--quiet", Requires: "-b|--batch"}
	rule477 = Rule{Do: "observe", Options: "-br/-brief -4 -6 -s/-stats -d/-details -o/-oneline -j/-json -p/-pretty -h -c[=any] -color[=any]", Operands: "lit*", Style: "word"}
	rule478 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule477},
		{"sho", &rule477},
		{"sh", &rule477},
		{"s", &rule477},
		{"list", &rule477},
		{"lis", &rule477},
		{"li", &rule477},
		{"l", &rule477},
		{"ls", &rule477},
		{"lst", &rule477},
		{"add", &rule43},
		{"ad", &rule43},
		{"a", &rule43},
		{"change", &rule43},
		{"chang", &rule43},
		{"chg", &rule43},
		{"c", &rule43},
		{"ch", &rule43},
		{"replace", &rule43},
		{"repl", &rule43},
		{"rep", &rule43},
		{"append", &rule43},
		{"app", &rule43},
		{"prepend", &rule43},
		{"delete", &rule43},
		{"delet", &rule43},
		{"dele", &rule43},
		{"del", &rule43},
		{"de", &rule43},
		{"d", &rule43},
		{"flush", &rule43},
		{"flus", &rule43},
		{"flu", &rule43},
		{"fl", &rule43},
		{"f", &rule43},
		{"set", &rule43},
		{"se", &rule43},
		{"restore", &rule43},
		{"save", &rule43},
		{"exec", &rule43},
		{"attach", &rule43},
	},
	}
	rule479 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule477},
		{"sho", &rule477},
		{"sh", &rule477},
		{"list", &rule477},
		{"lis", &rule477},
		{"li", &rule477},
		{"l", &rule477},
		{"ls", &rule477},
		{"lst", &rule477},
		{"xstats", &rule477},
		{"afstats", &rule477},
		{"add", &rule43},
		{"ad", &rule43},
		{"a", &rule43},
		{"set", &rule43},
		{"se", &rule43},
		{"s", &rule43},
		{"change", &rule43},
		{"chang", &rule43},
		{"c", &rule43},
		{"replace", &rule43},
		{"repl", &rule43},
		{"delete", &rule43},
		{"delet", &rule43},
		{"dele", &rule43},
		{"del", &rule43},
		{"de", &rule43},
		{"d", &rule43},
		{"property", &rule43},
	},
	}
	rule480 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule477},
		{"sho", &rule477},
		{"sh", &rule477},
		{"s", &rule477},
		{"list", &rule477},
		{"lis", &rule477},
		{"li", &rule477},
		{"l", &rule477},
		{"ls", &rule477},
		{"lst", &rule477},
		{"get", &rule477},
		{"ge", &rule477},
		{"g", &rule477},
		{"add", &rule43},
		{"ad", &rule43},
		{"a", &rule43},
		{"change", &rule43},
		{"chang", &rule43},
		{"chg", &rule43},
		{"c", &rule43},
		{"ch", &rule43},
		{"replace", &rule43},
		{"repl", &rule43},
		{"rep", &rule43},
		{"append", &rule43},
		{"app", &rule43},
		{"prepend", &rule43},
		{"delete", &rule43},
		{"delet", &rule43},
		{"dele", &rule43},
		{"del", &rule43},
		{"de", &rule43},
		{"d", &rule43},
		{"flush", &rule43},
		{"flus", &rule43},
		{"flu", &rule43},
		{"fl", &rule43},
		{"f", &rule43},
		{"restore", &rule43},
		{"save", &rule43},
	},
	}
	rule481 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.-]+/ inner", Style: "strict"}
	rule482 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule19},
		{"lis", &rule19},
		{"li", &rule19},
		{"l", &rule19},
		{"ls", &rule19},
		{"lst", &rule19},
		{"list-id", &rule19},
		{"identify", &rule319},
		{"pids", &rule319},
		{"id", &rule319},
		{"exec", &rule481},
		{"exe", &rule481},
		{"ex", &rule481},
		{"e", &rule481},
		{"add", &rule43},
		{"a", &rule43},
		{"delete", &rule43},
		{"del", &rule43},
		{"d", &rule43},
		{"set", &rule43},
		{"attach", &rule43},
		{"monitor", &rule43},
	},
	}
	rule483 = Rule{Do: "forbidden", Operands: "any*", Why: "the keys of tunnels are secrets", Loose: true}
	rule484 = Rule{Do: "observe", Options: "-4 -6 -0 -B -M -s/-st/-sta/-stat/-stats/-statistics -d/-de/-det/-detail/-details -h/-human/-human-readable -iec -j/-js/-json -p/-pretty -o/-on/-oneline -r/-resolve -br/-brief -t/-timestamp -ts/-tshort -N/-Numeric -c[=any] -color[=any] -f/-family=any -l/-loops=any -V/-Version -n/-netns=/[A-Za-z0-9_.-]+/", Style: "word", Why: "only looking is granted: ip -br addr, ip route, ip -s link show, ip neigh; the network stays as it is", Commands: []Command{
		{"address", &rule478},
		{"addr", &rule478},
		{"a", &rule478},
		{"ad", &rule478},
		{"add", &rule478},
		{"addre", &rule478},
		{"addres", &rule478},
		{"link", &rule479},
		{"lin", &rule479},
		{"li", &rule479},
		{"l", &rule479},
		{"route", &rule480},
		{"rout", &rule480},
		{"rou", &rule480},
		{"ro", &rule480},
		{"r", &rule480},
		{"neighbour", &rule478},
		{"neighbor", &rule478},
		{"neigh", &rule478},
		{"nei", &rule478},
		{"ne", &rule478},
		{"n", &rule478},
		{"rule", &rule478},
		{"rul", &rule478},
		{"ru", &rule478},
		{"maddress", &rule478},
		{"maddr", &rule478},
		{"mad", &rule478},
		{"ma", &rule478},
		{"m", &rule478},
		{"mroute", &rule478},
		{"mr", &rule478},
		{"ntable", &rule478},
		{"ntbl", &rule478},
		{"nexthop", &rule478},
		{"nex", &rule478},
		{"tunnel", &rule478},
		{"tunl", &rule478},
		{"tun", &rule478},
		{"tuntap", &rule478},
		{"token", &rule478},
		{"vrf", &rule478},
		{"addrlabel", &rule478},
		{"addrl", &rule478},
		{"netconf", &rule478},
		{"netc", &rule478},
		{"mptcp", &rule478},
		{"tcp_metrics", &rule478},
		{"tcpmetrics", &rule478},
		{"fou", &rule478},
		{"ila", &rule478},
		{"sr", &rule478},
		{"netns", &rule482},
		{"netn", &rule482},
		{"net", &rule482},
		{"xfrm", &rule483},
		{"xfr", &rule483},
		{"xf", &rule483},
		{"x", &rule483},
		{"macsec", &rule483},
		{"mac", &rule483},
		{"l2tp", &rule483},
	},
	}
	rule485 = Rule{Do: "observe", Options: "-L/--list -S/--list-rules -n/--numeric -v/--verbose -x/--exact -t/--table=filter|nat|mangle|raw|security --line-numbers -w/--wait[=any] -4/--ipv4 -6/--ipv6 -V/--version -A/--append!forbidden -I/--insert!forbidden -D/--delete!forbidden -R/--replace!forbidden -F/--flush!forbidden -X/--delete-chain!forbidden -N/--new-chain!forbidden -P/--policy!forbidden -E/--rename-chain!forbidden -Z/--zero!forbidden -p/--protocol/--proto=/[a-z0-9]+/ -j/--jump=/[A-Za-z0-9_-]+/ -s/--source=any -d/--destination=any -i/--in-interface=any -o/--out-interface=any -m/--match=/[a-z0-9]+/ --dport=any --sport=any --dports=any --state=any --ctstate=any --to-destination=any --comment=any", Operands: "/[A-Za-z0-9_.-]+/*", Style: "gnu", Why: "the packet filter is read only: iptables -L -n -v, iptables -S", Requires: "-L|--list|-S|--list-rules|-V|--version|-A|-I|-D|-R|-F|-X|-N|-P|-E|-Z"}
	rule486 = Rule{Do: "observe", Options: "-t/--table=filter|nat|mangle|raw|security -c/--counters -4 -6 -V/--version"}
	rule487 = Rule{Do: "observe", Options: "-J/--json -l/--list -n/--noheadings -o/--output=any --output-all -p/--task/--pid=any -r/--raw -u/--notruncate -t/--type=any -b/--bytes -i/--noinaccessible -W/--nowrap -T/--tree[=any] -a/--all -q/--queues -m/--shmems -s/--semaphores -c -g/--global --human", Operands: "any*"}
	rule488 = Rule{Commands: []Command{
		{"list", &rule32},
		{"elist", &rule32},
		{"info", &rule32},
	},
	}
	rule489 = Rule{Commands: []Command{
		{"list", &rule32},
		{"elist", &rule32},
		{"type", &rule32},
	},
	}
	rule490 = Rule{Commands: []Command{
		{"info", &rule32},
	},
	}
	rule491 = Rule{Commands: []Command{
		{"print", &rule32},
	},
	}
	rule492 = Rule{Do: "observe", Commands: []Command{
		{"sel", &rule488},
		{"sdr", &rule489},
		{"sensor", &rule429},
		{"chassis", &rule313},
		{"power", &rule313},
		{"mc", &rule490},
		{"fru", &rule491},
		{"lan", &rule491},
	},
	}
	rule493 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule319},
		{"statusall", &rule319},
		{"version", &rule319},
		{"listcerts", &rule319},
	},
	}
	rule494 = Rule{Do: "observe", Options: "-n/-name -t/-terse -o/-output=any -s/-sorted", Operands: "lit?"}
	rule495 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule494},
		{"-L", &rule494},
		{"--list", &rule494},
		{"save", &rule494},
		{"-S", &rule494},
	},
	}
	rule496 = Rule{Do: "observe", Options: "-L/-l/--list -n/--numeric --stats --rate --connection/-c --timeout --daemon --exact --sort", Requires: "-L|-l|--list"}
	rule497 = Rule{Do: "observe", Options: "-m/--mode=session|node|iface -P/--print=any", Requires: "-m|--mode"}
	rule498 = Rule{Do: "observe", Options: "-s/--short -o/--output=json|yaml --remote[=true|false]"}
	rule499 = Rule{Do: "observe", Options: "-A/--all-namespaces"}
	rule500 = Rule{Do: "observe", Persistent: "-n/--namespace=lit -i/--istioNamespace=lit", Commands: []Command{
		{"proxy-status", &rule319},
		{"ps", &rule319},
		{"version", &rule498},
		{"analyze", &rule499},
	},
	}
	rule501 = Rule{Do: "observe", Options: "-v -V -m --version -version", Why: "such a program cannot be read; use jq, awk, grep or sed", Stdin: "none", Requires: "-v|-V|-m|--version|-version"}
	rule502 = Rule{Do: "observe", Options: "-l", Operands: "/[0-9]+/? Thread.print|GC.heap_info|VM.uptime|VM.version|VM.flags|VM.native_memory|GC.class_stats?", Why: "jcmd PID Thread.print, GC.heap_info, VM.uptime: other commands change the process or show what it holds"}
	rule503 = Rule{Do: "observe", Options: "-a=any -e=any -i/--ignore-case -j=any -o=any -t=any -v=any -1=any -2=any --check-order --nocheck-order --header -z/--zero-terminated", Operands: "file file"}
	rule504 = Rule{Do: "observe", Options: "-u/--unit=any --user-unit=any --system --user -k/--dmesg -b/--boot[=any] -I --invocation=any -S/--since=any -U/--until=any -t/--identifier=any -T/--exclude-identifier=any -p/--priority=any --facility=any -g/--grep=any --case-sensitive[=any] -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-delta|short-unix|with-unit|cat|json|json-pretty|json-sse|json-seq --output-fields=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*(?:,(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*)*/ -n/--lines[=any] -r/--reverse -x/--catalog --no-full -l/--full -a/--all -f/--follow --no-tail -q/--quiet --no-pager -e/--pager-end --no-hostname --utc --truncate-newline --show-cursor -c/--cursor=any --after-cursor=any -m/--merge --namespace=lit -D/--directory/--file=/\\/(?:var|run)\\/log\\/journal(?:\\/[A-Za-z0-9_@*-][A-Za-z0-9_.@*-]*)*/ -N/--fields -F/--field=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*/ --list-boots --list-invocations --disk-usage --header --verify --list-catalog --dump-catalog -# --version -h/--help --vacuum-size=/[0-9]+[KMGT]?B?/!change --vacuum-time=lit!change --vacuum-files=/[0-9]+/!change --rotate!change --sync!change --flush!change", Operands: "any*", Style: "gnu", Why: "another machine, root or image is not granted, nor -o verbose and export, and -o json only with --output-fields=MESSAGE,_PID,…: some entries hold an environment", Check: "journal"}
	rule505 = Rule{Do: "observe", Options: "-l -q -m -v -V"}
	rule506 = Rule{Do: "observe", Options: "-c/--compact-output -r/--raw-output -j/--join-output --raw-output0 -a/--ascii-output -s/--slurp -n/--null-input -e/--exit-status -R/--raw-input -S/--sort-keys -C/--color-output -M/--monochrome-output --tab --indent=any --arg=any,any --argjson=any,any --slurpfile=any,file --rawfile=any,file --args --jsonargs --stream --stream-errors --seq --unbuffered --ascii -b/--binary -h/--help -V/--version", Operands: "jq? file*", Style: "gnu", Why: "the filter stands in the command (no -f, -L)"}
	rule507 = Rule{Do: "observe", Options: "-l -e", Operands: "/[0-9]+/"}
	rule508 = Rule{Do: "observe", Options: "-gc -gcutil -gccapacity -gccause -gcnew -gcold -class -compiler -t -h=any", Operands: "/[0-9]+/ /[0-9]+/? /[0-9]+/?", Style: "word"}
	rule509 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "name*"}
	rule510 = Rule{Do: "forbidden", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "any*", Why: "secrets are never shown; kubectl describe pod NAME says which one a pod wants"}
	rule511 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/? /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\"), files and raw paths are not granted", Commands: []Command{
		{"pod", &rule509},
		{"pods", &rule509},
		{"po", &rule509},
		{"deploy", &rule509},
		{"deployment", &rule509},
		{"deployments", &rule509},
		{"node", &rule509},
		{"nodes", &rule509},
		{"svc", &rule509},
		{"service", &rule509},
		{"services", &rule509},
		{"sts", &rule509},
		{"statefulset", &rule509},
		{"ds", &rule509},
		{"daemonset", &rule509},
		{"job", &rule509},
		{"jobs", &rule509},
		{"pvc", &rule509},
		{"secret", &rule510},
		{"secrets", &rule510},
	},
	}
	rule512 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "name*"}
	rule513 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\") and files are not granted", Commands: []Command{
		{"secret", &rule510},
		{"secrets", &rule510},
		{"pod", &rule512},
		{"pods", &rule512},
		{"po", &rule512},
		{"deploy", &rule512},
		{"deployment", &rule512},
		{"deployments", &rule512},
		{"node", &rule512},
		{"nodes", &rule512},
		{"svc", &rule512},
		{"service", &rule512},
		{"services", &rule512},
		{"sts", &rule512},
		{"statefulset", &rule512},
		{"ds", &rule512},
		{"daemonset", &rule512},
		{"job", &rule512},
		{"jobs", &rule512},
		{"pvc", &rule512},
	},
	}
	rule514 = Rule{Do: "observe", Options: "--all-containers[=any] --all-pods[=any] -c/--container=any -f --follow[=any] --ignore-errors[=any] --limit-bytes=any --max-log-requests=any --pod-running-timeout=any --prefix[=any] -p --previous[=any] -l/--selector=any --since=any --since-time=any --tail=any --timestamps[=any]", Operands: "name*"}
	rule515 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --containers[=any] --field-selector=any --no-headers[=any] -l/--selector=any --sort-by=any --sum[=any] --show-swap[=any] --use-protocol-buffers[=any]", Operands: "name?"}
	rule516 = Rule{Do: "observe", Options: "--no-headers[=any] -l/--selector=any --show-capacity[=any] --show-swap[=any] --sort-by=any --use-protocol-buffers[=any]", Operands: "name?"}
	rule517 = Rule{Commands: []Command{
		{"pod", &rule515},
		{"pods", &rule515},
		{"po", &rule515},
		{"node", &rule516},
		{"nodes", &rule516},
		{"no", &rule516},
	},
	}
	rule518 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --for=any --no-headers[=any] -o/--output=json|yaml|wide|jsonpath=* --template=any --types=any -w --watch[=any]"}
	rule519 = Rule{Do: "observe", Options: "--api-version=any -o/--output=any --recursive[=any]", Operands: "any"}
	rule520 = Rule{Do: "observe", Options: "--api-group=any --cached[=any] --categories=any --namespaced[=any] --no-headers[=any] -o/--output=wide|name|json|yaml --sort-by=any --verbs=any"}
	rule521 = Rule{Do: "observe", Options: "--client[=any] -o/--output=json|yaml --short[=any]"}
	rule522 = Rule{Do: "observe", Why: "without dump; kubectl get nodes, kubectl get events -A show the state"}
	rule523 = Rule{Do: "observe", Options: "--no-headers[=any] -o/--output=/name/", Operands: "name*"}
	rule524 = Rule{Do: "unknown", Options: "--minify[=any] --merge[=any] -o/--output=any --raw[=any]!forbidden --flatten[=any]!forbidden", Operands: "any*", Why: "it shows keys of plugins; kubectl config current-context, get-contexts and get-clusters show the rest"}
	rule525 = Rule{Do: "unknown", Operands: "any*", Why: "choose with --context NAME and -n NAMESPACE; the configuration is not changed"}
	rule526 = Rule{Commands: []Command{
		{"current-context", &rule19},
		{"get-contexts", &rule523},
		{"get-clusters", &rule19},
		{"get-users", &rule19},
		{"view", &rule524},
		{"use-context", &rule525},
		{"use", &rule525},
		{"set", &rule525},
		{"unset", &rule525},
		{"set-context", &rule525},
		{"set-cluster", &rule525},
		{"set-credentials", &rule525},
		{"delete-context", &rule525},
		{"delete-cluster", &rule525},
		{"delete-user", &rule525},
		{"rename-context", &rule525},
	},
	}
	rule527 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --list[=any] --no-headers[=any] -q --quiet[=any] --subresource=any", Operands: "any*"}
	rule528 = Rule{Do: "observe", Options: "-o/--output=json|yaml"}
	rule529 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "what runs, and how many, its repository says; hand it to a human, or go back with kubectl rollout undo"}
	rule530 = Rule{Commands: []Command{
		{"can-i", &rule527},
		{"whoami", &rule528},
		{"reconcile", &rule529},
	},
	}
	rule531 = Rule{Do: "observe", Options: "--all[=any] -A --all-namespaces[=any] --field-selector=any --for=any -l/--selector=any --timeout=any", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*"}
	rule532 = Rule{Do: "observe", Options: "--revision=any --timeout=any -w --watch[=any] -l/--selector=any", Operands: "name+"}
	rule533 = Rule{Do: "observe", Options: "--revision=any -l/--selector=any -o/--output=json|yaml|wide|jsonpath=*", Operands: "name+"}
	rule534 = Rule{Do: "redeploy", Options: "--to-revision=any --field-manager=any", Operands: "svc+", Why: "name what is meant, without selectors or files: kubectl rollout restart deployment/NAME -n NAMESPACE", Service: "kube"}
	rule535 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the deployment frozen; kubectl rollout undo deployment/NAME goes back"}
	rule536 = Rule{Commands: []Command{
		{"status", &rule532},
		{"history", &rule533},
		{"restart", &rule534},
		{"undo", &rule534},
		{"resume", &rule534},
		{"pause", &rule535},
	},
	}
	rule537 = Rule{Do: "observe", Options: "-f/--filename=code -k/--kustomize=code -R --recursive[=any] --server-side[=any] --concurrency=any --field-manager=any", Why: "only manifests of the repositories, not standard input or a URL", Requires: "-f|--filename|-k|--kustomize"}
	rule538 = Rule{Do: "observe", Options: "-c/--container=any -i --stdin[=any] -t --tty[=any] -q --quiet[=any] --pod-running-timeout=any", Operands: "name inner", Why: "one plain command behind two dashes: kubectl exec POD -- COMMAND"}
	rule539 = Rule{Do: "unknown", Operands: "any*", Why: "kubectl get KIND NAME -o yaml shows what is there"}
	rule540 = Rule{Do: "redeploy", Options: "-f/--filename=code -k/--kustomize=code -R --recursive[=any] --server-side[=any] --field-manager=any --wait[=any] --timeout=any --validate[=any] -o/--output=/name/ --dry-run[=client|server]!observe -l/--selector=any!unknown --all[=any]!unknown --prune[=any]!forbidden --force[=any]!forbidden --prune-allowlist=any!forbidden", Why: "only manifests of the repositories, without --prune and --force: kubectl apply -f FILE", Requires: "-f|--filename|-k|--kustomize", Service: "base", Commands: []Command{
		{"view-last-applied", &rule539},
		{"edit-last-applied", &rule539},
		{"set-last-applied", &rule539},
	},
	}
	rule541 = Rule{Do: "forbidden", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "volumes, namespaces, secrets and definitions hold what cannot be brought back"}
	rule542 = Rule{Do: "unknown", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "nothing is deleted; kubectl rollout restart deployment/NAME makes new pods", Commands: []Command{
		{"pvc", &rule541},
		{"persistentvolumeclaim", &rule541},
		{"persistentvolumeclaims", &rule541},
		{"pv", &rule541},
		{"persistentvolume", &rule541},
		{"persistentvolumes", &rule541},
		{"ns", &rule541},
		{"namespace", &rule541},
		{"namespaces", &rule541},
		{"secret", &rule541},
		{"secrets", &rule541},
		{"crd", &rule541},
		{"customresourcedefinition", &rule541},
		{"customresourcedefinitions", &rule541},
	},
	}
	rule543 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "no door is opened and no file carried; look with kubectl logs, describe and exec POD -- COMMAND"}
	rule544 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent"}
	rule545 = Rule{Do: "observe", Options: "--version", Persistent: "-n/--namespace=any --context=lit --cluster=lit --user=lit --kubeconfig=code --request-timeout=any -v/--v=/[0-6]/ -h/--help --match-server-version --warnings-as-errors[=any] --disable-compression[=any] --log-flush-frequency=any", Style: "gnu", Why: "another server, user, token, plugin or kubeconfig is not granted; write the subcommand plainly: kubectl get pods -n NAMESPACE", Commands: []Command{
		{"get", &rule511},
		{"describe", &rule513},
		{"logs", &rule514},
		{"top", &rule517},
		{"events", &rule518},
		{"explain", &rule519},
		{"api-resources", &rule520},
		{"api-versions", &rule19},
		{"version", &rule521},
		{"options", &rule19},
		{"help", &rule141},
		{"cluster-info", &rule522},
		{"config", &rule526},
		{"auth", &rule530},
		{"wait", &rule531},
		{"rollout", &rule536},
		{"diff", &rule537},
		{"exec", &rule538},
		{"apply", &rule540},
		{"delete", &rule542},
		{"scale", &rule529},
		{"autoscale", &rule529},
		{"edit", &rule529},
		{"patch", &rule529},
		{"replace", &rule529},
		{"create", &rule529},
		{"run", &rule529},
		{"expose", &rule529},
		{"set", &rule529},
		{"label", &rule529},
		{"annotate", &rule529},
		{"taint", &rule529},
		{"cordon", &rule529},
		{"uncordon", &rule529},
		{"drain", &rule529},
		{"certificate", &rule529},
		{"proxy", &rule543},
		{"port-forward", &rule543},
		{"attach", &rule543},
		{"debug", &rule543},
		{"cp", &rule543},
		{"kustomize", &rule544},
		{"plugin", &rule544},
		{"completion", &rule544},
		{"alpha", &rule544},
		{"kuberc", &rule544},
		{"convert", &rule544},
	},
	}
	rule546 = Rule{Do: "observe", Options: "-v/--version", Why: "only the kubectl and the crictl of it: k3s kubectl get pods -A", Commands: []Command{
		{"kubectl", &rule545},
		{"crictl", &rule176},
	},
	}
	rule547 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -group=lit -all-groups -members -offsets -state -verbose -version", Style: "word", Why: "of the broker of this machine, and only shown: kafka-consumer-groups.sh --bootstrap-server localhost:9092 --describe --group GROUP", Requires: "-list|-describe|-version"}
	rule548 = Rule{Do: "observe", Options: "-bootstrap-server=/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+/ -list -describe -topic=lit -exclude-internal -under-replicated-partitions -unavailable-partitions -under-min-isr-partitions -at-min-isr-partitions -version", Style: "word", Why: "of the broker of this machine, and only shown: kafka-topics.sh --bootstrap-server localhost:9092 --list", Requires: "-list|-describe|-version"}
	rule549 = Rule{Do: "observe", Options: "-h=dbhost -p=lit -n=lit -s=lit -t=lit -r=lit -i=code -d=lit -2 -3 -c -e --raw --no-raw --csv --json --no-auth-warning --user=lit --tls --sni=lit --cacert=file --insecure --show-pushes=lit --verbose --stat!nostdin --latency!nostdin --latency-history!nostdin --latency-dist!nostdin --bigkeys!nostdin --memkeys!nostdin --hotkeys!nostdin --scan!nostdin --pattern=lit --count=lit -v/--version!nostdin", Operands: "redis*", Style: "strict", Why: "one literal command that only reads, no password: redis-cli -h HOST info memory", Stdin: "redis"}
	rule550 = Rule{Do: "observe", Options: "-0 -l -s=0", Operands: "name*", Why: "signals are not granted, apart from kill -0 PID, which only asks; restart the service, which is counted", Requires: "-0|-l|-s"}
	rule551 = Rule{Do: "observe", Options: "-0 -l", Operands: "/[A-Za-z0-9_.:]+/*", Why: "signals are not granted, apart from killall -0 NAME, which only asks; restart the service, which is counted", Requires: "-0|-l"}
	rule552 = Rule{Do: "unknown", Operands: "any*", Why: "signals are not granted; restart the service, which is counted", Loose: true}
	rule553 = Rule{Commands: []Command{
		{"check-expiration", &rule19},
	},
	}
	rule554 = Rule{Do: "observe", Commands: []Command{
		{"certs", &rule553},
		{"version", &rule19},
	},
	}
	rule555 = Rule{Do: "observe", Options: "-# -n/--limit=any -a/--hostlast -d/--dns -f/--file=file -F/--fulltimes -i/--ip -R/--nohostname -s/--since=any -t/--until=any -p/--present=any -w/--fullnames -x/--system --time-format=any", Operands: "any*"}
	rule556 = Rule{Do: "observe", Options: "-u/--user=any -t/--time=any -b/--before=any"}
	rule557 = Rule{Do: "observe", Options: "-p/--print-cache -V/--version", Requires: "-p|--print-cache|-V|--version"}
	rule558 = Rule{Do: "observe", Options: "-v -u -d -r --version", Operands: "/\\/(?:usr\\/)?(?:local\\/)?s?bin\\/[A-Za-z0-9_+][A-Za-z0-9._+-]*/+", Why: "it runs what it looks at: only the system's own programs, /usr/sbin/nginx"}
	rule559 = Rule{Do: "observe", Options: "-R -S -F -X -N -n -i -r -e -E -f", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n"}
	rule560 = Rule{Do: "observe", Options: "-f=any", Operands: "lit*"}
	rule561 = Rule{Do: "observe", Persistent: "--no-pager -l/--full", Commands: []Command{
		{"status", &rule19},
		{"list-locales", &rule19},
		{"list-keymaps", &rule19},
	},
	}
	rule562 = Rule{Do: "observe", Options: "-i/--ignore-case -c/--count -l/-n/--limit=any -r/--regexp=any --regex -b/--basename -w/--wholename -e/--existing -q/--quiet -S/--statistics -0/--null -A/--all", Operands: "any*"}
	rule563 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --no-legend -l/--full -a/--all --value -p/--property/-P=any -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --no-ask-password", Commands: []Command{
		{"list-sessions", &rule19},
		{"list-users", &rule19},
		{"list-seats", &rule19},
		{"session-status", &rule141},
		{"show-session", &rule141},
		{"user-status", &rule141},
		{"show-user", &rule141},
		{"seat-status", &rule141},
		{"show-seat", &rule141},
	},
	}
	rule564 = Rule{Do: "change", Options: "-d/--debug!observe -v/--verbose -f/--force", Operands: "/\\/etc\\/logrotate(?:\\.conf|\\.d\\/[A-Za-z0-9_][A-Za-z0-9._-]*)/+", Why: "with root's own files, /etc/logrotate.conf or one of /etc/logrotate.d/, and without a state file of its own"}
	rule565 = Rule{Do: "observe", Options: "-R -a -d -l -v -p -V", Operands: "meta*"}
	rule566 = Rule{Do: "observe", Options: "-a/--all -d/--description -r/--release -c/--codename -i/--id -s/--short -v/--version"}
	rule567 = Rule{Do: "observe", Options: "-A/--noempty -D/--discard -E/--dedup=any -I/--include=any -J/--json -M/--merge -O/--output-all -P/--pairs -S/--scsi -N/--nvme -v/--virtio -T/--tree[=any] -a/--all -b/--bytes -d/--nodeps -e/--exclude=any -f/--fs -i/--ascii -l/--list -m/--perms -n/--noheadings -o/--output=any -p/--paths -r/--raw -s/--inverse -t/--topology -w/--width=any -x/--sort=any -y/--shell -z/--zoned -h/--help -V/--version", Operands: "meta*", Style: "gnu"}
	rule568 = Rule{Do: "observe", Options: "-a/--all -b/--online -B/--bytes -C/--caches[=any] -c/--offline -J/--json -e/--extended[=any] -p/--parse[=any] -x/--hex -y/--physical --output-all -h/--help -V/--version"}
	rule569 = Rule{Do: "observe", Options: "-short -json -xml -html -businfo -C/-class/-c=any -quiet -sanitize -numeric -notime -version", Style: "word"}
	rule570 = Rule{Do: "observe", Options: "-c -m -n -p=any -s[=any] -v -z -o -S -J", Operands: "any*"}
	rule571 = Rule{Do: "observe", Options: "-l -s -u/--user-accs -s/--system-accs -a/--acc-expiration -L/--last[=any] -G/--supp-groups --time-format=any", Operands: "any*"}
	rule572 = Rule{Do: "observe", Options: "-J/--json -P/--pairs -a/--all -b/--bytes -n/--noheadings -o/--output=any --output-all -r/--raw -S/--split=any --summary[=any] -h/--help -V/--version"}
	rule573 = Rule{Do: "observe", Options: "-a -b -c=any -C -d=any -E -F[=any] -g[=any] -H -i[=any] -K -l -L[=any] -n -N -o -O -P -p=any -Q -R -r=any -s[=any] -S[=any] -t -T[=any] -u=any -U -v -V -w -x=any -X -z -Z -h", Operands: "meta*", Why: "lsof -i :80, lsof -p PID, lsof FILE"}
	rule574 = Rule{Do: "observe", Options: "-v -k -n -q -t -x -D -P -b -s=any -d=any -m --version", Why: "other sources of data are not granted"}
	rule575 = Rule{Do: "observe", Options: "-g/--generic -s/--size -l/--long -d/--device -t/--transport -i/--scsi_id -k/--kname -H/--hosts -v -w/--wwn -L/--list"}
	rule576 = Rule{Do: "observe", Options: "-v/--verbose -t/--tree -s=any -d=any -V/--version -h/--help"}
	rule577 = Rule{Do: "forbidden", Operands: "any*", Why: "volumes hold the services' data; ask a person", Loose: true}
	rule578 = Rule{Do: "observe", Options: "-a/--all -A -c/--colon -C/--columns -m/--maps -o/--options=any -O/--sort=any -S/--select=any -v/--verbose -P/--partial --noheadings --nosuffix --units=any --separator=any --segments --unbuffered --rows --reportformat=any --aligned --binary -s/--short -q/--quiet --version", Operands: "lit*"}
	rule579 = Rule{Do: "observe", Options: "-dc -cd -t/--test --list -v/--verbose -q/--quiet", Operands: "file?", Why: "files stay as they are, and its -l writes one: lz4 -dc FILE, lz4 --list FILE", Requires: "-dc|-cd|-t|--test|--list"}
	rule580 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any", Operands: "name*"}
	rule581 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat -n/--lines=any --version -h/--help", Why: "machinectl list and machinectl status NAME are granted", Commands: []Command{
		{"list", &rule580},
		{"list-images", &rule580},
		{"status", &rule580},
		{"image-status", &rule580},
	},
	}
	rule582 = Rule{Do: "unknown", Why: "agents send no mail: this program notifies, after the cycle; put what people must know into the report or the handoff", Loose: true}
	rule583 = Rule{Do: "observe", Options: "-v"}
	rule584 = Rule{Do: "observe", Options: "-e/--execute=mysql!nostdin -N/--skip-column-names -B/--batch -s/--silent -r/--raw -t/--table -E/--vertical -H/--html -X/--xml -v/--verbose -h/--host=dbhost -P/--port=lit -u/--user=lit -D/--database=lit -S/--socket=lit --protocol=tcp|socket|TCP|SOCKET -A/--no-auto-rehash -C/--compress -n/--unbuffered -q/--quick -f/--force -w/--wait -U/--safe-updates --connect-timeout=lit --default-character-set=/utf8[a-z0-9]*|latin1/ --login-path=lit --no-defaults --defaults-file=code --defaults-extra-file=code --column-names --ssl --skip-ssl --ssl-mode=lit --ssl-ca=file --skip-pager --binary-mode -V/--version!nostdin", Operands: "lit?", Style: "gnu", Why: "one literal statement, a host that the inventory or the policy names, no password: mysql -h HOST -e 'show processlist'", Stdin: "mysql"}
	rule585 = Rule{Do: "observe", Operands: "ping|status|processlist|extended-status|variables|version*"}
	rule586 = Rule{Do: "change", Operands: "/[0-9]+/"}
	rule587 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a database", Loose: true}
	rule588 = Rule{Do: "observe", Persistent: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --protocol=lit -E/--vertical -v/--verbose -s/--silent -i/--sleep=lit -c/--count=lit -r/--relative -w/--wait[=lit] --connect-timeout=lit --login-path=lit --no-defaults --defaults-file=code --defaults-extra-file=code -f/--force", Style: "gnu", Why: "ping, status, processlist, extended-status, variables and version only show", Commands: []Command{
		{"ping", &rule585},
		{"status", &rule585},
		{"processlist", &rule585},
		{"extended-status", &rule585},
		{"variables", &rule585},
		{"version", &rule585},
		{"kill", &rule586},
		{"start-replica", &rule20},
		{"start-slave", &rule20},
		{"drop", &rule587},
	},
	}
	rule589 = Rule{Do: "unknown", Why: "databases are looked at, not copied or repaired: mysql -e 'show …'", Loose: true}
	rule590 = Rule{Do: "observe", Options: "-s=t|at|l|al|r|ar|c|a -t=lit -a -r -v -l", Operands: "/\\/var\\/(?:log|lib)\\/(?:mysql|mariadb)\\/[A-Za-z0-9_][A-Za-z0-9_-]*\\.log(?:\\.[0-9]+)?/+", Why: "a log of the server by its path: mysqldumpslow -s t -t 10 /var/log/mysql/mysql-slow.log"}
	rule591 = Rule{Do: "observe", Options: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --count -t/--show-table-type -i/--status -k/--keys -v/--verbose", Operands: "lit*"}
	rule592 = Rule{Do: "observe", Options: "-D/--detail -E/--examine -Q/--query -s/--scan -b/--brief -v/--verbose -t/--test -V/--version", Operands: "meta*", Why: "arrays are only shown: mdadm --detail /dev/md0, cat /proc/mdstat", Requires: "-D|--detail|-E|--examine|-Q|--query|-V|--version"}
	rule593 = Rule{Do: "observe", Options: "-p/--parents -v/--verbose -m/--mode=/0?[0-7]?[05][05]|[0-7]?[0-7][0-7][05]/", Operands: "out+"}
	rule594 = Rule{Do: "observe", Options: "-d/--directory -u/--dry-run -q/--quiet -t -p=out --tmpdir[=out] --suffix=/[A-Za-z0-9._-]+/", Operands: "out?", Prints: "scratch"}
	rule595 = Rule{Do: "observe", Options: "-a/--author -d/--description -l/--license -p/--parameters -n/--filename -0/--null -F/--field=/[a-z]+/", Operands: "/[A-Za-z0-9_-]+/+"}
	rule596 = Rule{Do: "observe", Options: "--quiet --norc --host=dbhost --port=lit --json[=lit] --serverSelectionTimeoutMS=lit --tls --tlsCAFile=file -u/--username=lit --authenticationDatabase=lit --version --eval=/(?:printjson\\(|JSON\\.stringify\\()?(?:rs\\.(?:status|conf|config|hello|isMaster|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:serverStatus|stats|hello|isMaster|version|currentOp|getReplicationInfo|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:adminCommand|runCommand)\\((?:\"ping\"|'ping'|\\{\\s*\"?'?ping\"?'?\\s*:\\s*1\\s*\\})\\)|sh\\.status\\(\\)|show\\x20(?:dbs|databases|collections))(?:\\.[A-Za-z0-9_]+)*\\)?;?/", Operands: "/[A-Za-z0-9_-]+/?", Why: "one of the calls that only show: mongosh --quiet --eval 'rs.status()', db.serverStatus(), db.stats(), db.currentOp()", Stdin: "none", Requires: "--eval|--version"}
	rule597 = Rule{Do: "observe", Options: "-n/--rowcount=lit -h/--host=dbhost --port=lit --json --quiet", Operands: "lit?", Requires: "-n|--rowcount"}
	rule598 = Rule{Do: "observe", Operands: "name*"}
	rule599 = Rule{Do: "restart", Operands: "svc"}
	rule600 = Rule{Do: "restart", Operands: "svc", Part: "last"}
	rule601 = Rule{Do: "restart", Operands: "svc", Part: "first"}
	rule602 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule598},
		{"summary", &rule598},
		{"report", &rule598},
		{"restart", &rule599},
		{"start", &rule600},
		{"stop", &rule601},
	},
	}
	rule603 = Rule{Do: "observe", Options: "-l/--show-labels -t/--types=any -v/--verbose -V/--version -h/--help", Why: "file systems are neither mounted nor unmounted; the list is: mount, findmnt"}
	rule604 = Rule{Do: "observe", Options: "-q/--quiet -d/--fs-devno -x/--devno --nofollow", Operands: "meta"}
	rule605 = Rule{Do: "observe", Options: "-c -s -n -r -m -o=any -l -v -3 -4 -d -a", Operands: "any*"}
	rule606 = Rule{Do: "observe", Options: "-A -u -n -H -T -N=any -P=any -I=any -o=JSON --dec=any -V", Operands: "/[0-9]+/*"}
	rule607 = Rule{Do: "observe", Options: "-4 -6 -a/--address=lit -b/--show-ips -c/--report-cycles=lit -C/--csv -f/--first-ttl=lit -G/--gracetime=lit -i/--interval=lit -I/--interface=lit -j/--json -L/--localport=lit -m/--max-ttl=lit -n/--no-dns -o/--order=lit -P/--port=lit -Q/--tos=lit -r/--report -s/--psize=lit -S/--sctp -T/--tcp -u/--udp -U/--max-unknown=lit -v/--version -w/--report-wide -x/--xml -y/--ipinfo=lit -z/--aslookup -Z/--timeout=lit -e/--mpls", Operands: "host+", Why: "a report about hosts that are written out: mtr -r -c 5 -n HOST", Requires: "-r|-w|-j|-x|-C|-v"}
	rule608 = Rule{Do: "observe", Options: "-l -ll -v=any", Requires: "-l|-ll"}
	rule609 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -T/--no-target-directory", Operands: "any+", Check: "mv"}
	rule610 = Rule{Do: "observe", Options: "-z -x -j -c -v", Operands: "code?", Stdin: "none"}
	rule611 = Rule{Do: "observe", Options: "-z -x -j -c -v", Operands: "/[A-Za-z0-9_.-]+/ code", Stdin: "none"}
	rule612 = Rule{Do: "observe", Options: "-l/--long -m/--modes -o/--owners -v/--vertical -x/--mountpoints -n/--nosymlinks", Operands: "meta+"}
	rule613 = Rule{Do: "unknown", Why: "it is not granted; look at its log and whether its port answers: nc -zv -w 2 HOST PORT", Loose: true}
	rule614 = Rule{Do: "observe", Options: "-z -v/--verbose -w/--wait=lit -u/--udp -n/--nodns -4 -6 -i=lit -r -h/--help --version", Operands: "host /[0-9a-z][0-9a-z-]*/+", Why: "it only looks whether a port is open: nc -zv -w 2 HOST PORT", Stdin: "none", Requires: "-z|-h|--help|--version"}
	rule615 = Rule{Do: "observe", Options: "-b -k -l -w -v -q -p --version", Why: "it only lists: needrestart -b", Requires: "-b|-p|--version"}
	rule616 = Rule{Do: "observe", Options: "-a/--all -f/--format=any --diff --verbose", Operands: "lit?"}
	rule617 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule616},
		{"apply", &rule43},
		{"try", &rule43},
		{"set", &rule43},
		{"generate", &rule43},
		{"rebind", &rule43},
		{"migrate", &rule43},
		{"get", &rule43},
	},
	}
	rule618 = Rule{Do: "observe", Options: "-a/--all -l/--listening -t/--tcp -u/--udp -U/--udplite -S/--sctp -w/--raw -x/--unix -n/--numeric --numeric-hosts --numeric-ports --numeric-users -p/--programs/--program -r/--route -i/--interfaces -g/--groups -s/--statistics -e/--extend -o/--timers -c/--continuous -v/--verbose -W/--wide -N/--symbolic -Z/--context -F/--fib -C/--cache -M/--masquerade -4 -6 -A=any --inet --inet6 --protocol=any -V/--version -h/--help"}
	rule619 = Rule{Do: "observe", Persistent: "--no-pager --no-legend -a/--all -l/--full -s/--stats -n/--lines=any --json=any", Commands: []Command{
		{"list", &rule32},
		{"status", &rule32},
		{"lldp", &rule32},
		{"label", &rule32},
		{"up", &rule43},
		{"down", &rule43},
		{"renew", &rule43},
		{"forcerenew", &rule43},
		{"reconfigure", &rule43},
		{"reload", &rule43},
		{"delete", &rule43},
		{"edit", &rule43},
		{"mask", &rule43},
	},
	}
	rule620 = Rule{Do: "observe", Options: "-n -a -s -t", Operands: "/[A-Za-z0-9_.-]+/+"}
	rule621 = Rule{Do: "observe", Options: "-n/--numeric -a/--handle -s/--stateless -j/--json -y/--numeric-priority -p/--numeric-protocol -S/--service -N/--reversedns -t/--terse -v/--version -h/--help", Commands: []Command{
		{"list", &rule620},
		{"add", &rule43},
		{"create", &rule43},
		{"insert", &rule43},
		{"replace", &rule43},
		{"delete", &rule43},
		{"destroy", &rule43},
		{"flush", &rule43},
		{"rename", &rule43},
		{"reset", &rule43},
		{"import", &rule43},
	},
	}
	rule622 = Rule{Do: "observe", Options: "-n/--adjustment=any -#", Operands: "inner", Style: "strict"}
	rule623 = Rule{Do: "observe", Options: "-b=any -w=any -s=any -v=any -n=any", Operands: "file*", Loose: true}
	rule624 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "status?"}
	rule625 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version"}
	rule626 = Rule{Commands: []Command{
		{"connectivity", &rule625},
	},
	}
	rule627 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "lit?"}
	rule628 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule627},
		{"show", &rule627},
	},
	}
	rule629 = Rule{Do: "observe", Options: "--active -a --order=any -t/--terse -f/--fields/-g/--get-values=any -m/--mode=any -p/--pretty", Operands: "lit*"}
	rule630 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule629},
		{"up", &rule43},
		{"down", &rule43},
		{"add", &rule43},
		{"modify", &rule43},
		{"mod", &rule43},
		{"edit", &rule43},
		{"delete", &rule43},
		{"del", &rule43},
		{"reload", &rule43},
		{"load", &rule43},
		{"import", &rule43},
		{"clone", &rule43},
		{"export", &rule43},
		{"monitor", &rule43},
	},
	}
	rule631 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Commands: []Command{
		{"general", &rule624},
		{"g", &rule624},
		{"gen", &rule624},
		{"networking", &rule626},
		{"n", &rule626},
		{"device", &rule628},
		{"dev", &rule628},
		{"d", &rule628},
		{"connection", &rule630},
		{"con", &rule630},
		{"c", &rule630},
	},
	}
	rule632 = Rule{Do: "observe", Operands: "status|info|tpstats|compactionstats|netstats|ring|gossipinfo|describecluster|version|proxyhistograms|tablestats|cfstats|statusbinary|statusgossip|statusbackup /[A-Za-z0-9_][A-Za-z0-9_.]*/*", Style: "strict", Why: "of this machine, and only shown: nodetool status"}
	rule633 = Rule{Do: "observe", Options: "-verbose -short -stats -evals -allocs -self -namespace=lit", Operands: "lit?", Style: "word"}
	rule634 = Rule{Commands: []Command{
		{"status", &rule633},
	},
	}
	rule635 = Rule{Commands: []Command{
		{"status", &rule633},
		{"allocs", &rule633},
	},
	}
	rule636 = Rule{Commands: []Command{
		{"members", &rule633},
	},
	}
	rule637 = Rule{Commands: []Command{
		{"status", &rule633},
		{"list", &rule633},
	},
	}
	rule638 = Rule{Do: "observe", Style: "word", Why: "only shown, without -json: jobs hold environments", Commands: []Command{
		{"status", &rule633},
		{"node", &rule634},
		{"job", &rule635},
		{"alloc", &rule634},
		{"server", &rule636},
		{"deployment", &rule637},
		{"version", &rule633},
	},
	}
	rule639 = Rule{Do: "observe", Options: "--all --ignore=any --version --help", Prints: "names"}
	rule640 = Rule{Do: "observe", Options: "-t/--target=any -n/--net -u/--uts -i/--ipc -p/--pid", Operands: "inner", Style: "strict", Why: "into the network of another process, with this machine's programs: nsenter -t PID -n ss -tlnp; into a container: docker exec NAME COMMAND"}
	rule641 = Rule{Do: "observe", Options: "-all -class=lit -d2 -nod2 -debug -nodebug -domain=lit -fail -nofail -port=lit -q=lit -query=lit -querytype=lit -type=lit -recurse -norecurse -retry=lit -search -nosearch -timeout=lit -vc -novc -version", Operands: "/[A-Za-z0-9_:][A-Za-z0-9_.:-]*/ lit?", Style: "word", Why: "it asks for one name that is written out, never interactively: nslookup NAME SERVER", Stdin: "none"}
	rule642 = Rule{Do: "observe", Options: "-a/--ignore -s/--noupdate -z/--zeros -r/--reset -j/--json -p/--pretty", Operands: "any*"}
	rule643 = Rule{Do: "observe", Options: "-4 -6 -n -p/--peers -w/--wide -c/--command=peers|pe|associations|as|rv|readvar|sysinfo|sysstats|kerninfo|lpeers|apeers|opeers|iostats|monstats --version", Operands: "host*", Why: "it only shows: ntpq -pn", Stdin: "none", Requires: "-p|-c|--version"}
	rule644 = Rule{Do: "observe", Options: "-H/--hardware -s/--show", Why: "only shown: numactl --hardware", Requires: "-H|--hardware|-s|--show"}
	rule645 = Rule{Do: "observe", Options: "-c=any -s=any -d=any -o=any -m"}
	rule646 = Rule{Do: "observe", Options: "-L/--list-gpus -q/--query -d/--display=any -i/--id=any -l/--loop=any --query-gpu=any --query-compute-apps=any --format=any --help", Style: "word", Commands: []Command{
		{"dmon", &rule645},
		{"pmon", &rule645},
		{"topo", &rule645},
	},
	}
	rule647 = Rule{Do: "observe", Options: "-v/--verbose -o/--output-format=any -H/--human-readable -n/--namespace-id=any -e/--log-entries=any", Operands: "meta?"}
	rule648 = Rule{Do: "forbidden", Operands: "any*", Why: "disks hold the services' data; ask a person", Loose: true}
	rule649 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule647},
		{"list-subsys", &rule647},
		{"list-ns", &rule647},
		{"smart-log", &rule647},
		{"error-log", &rule647},
		{"fw-log", &rule647},
		{"id-ctrl", &rule647},
		{"id-ns", &rule647},
		{"show-regs", &rule647},
		{"self-test-log", &rule647},
		{"version", &rule647},
		{"get-log", &rule647},
		{"format", &rule648},
		{"sanitize", &rule648},
		{"write", &rule648},
		{"write-zeroes", &rule648},
		{"write-uncor", &rule648},
		{"dsm", &rule648},
		{"delete-ns", &rule648},
		{"create-ns", &rule648},
		{"fw-download", &rule648},
		{"fw-commit", &rule648},
		{"reset", &rule648},
		{"subsystem-reset", &rule648},
		{"set-feature", &rule648},
		{"security-send", &rule648},
		{"admin-passthru", &rule648},
		{"io-passthru", &rule648},
		{"detach-ns", &rule648},
		{"disconnect", &rule648},
		{"disconnect-all", &rule648},
	},
	}
	rule650 = Rule{Do: "observe", Options: "-A=any -j=any -N=any -t=any", Operands: "file*", Loose: true}
	rule651 = Rule{Do: "observe", Options: "-connect=/[A-Za-z0-9_.:[\\]-]+/ -host=lit -port=lit -servername=lit -noservername -bind=lit -4 -6 -name=lit -xmpphost=lit -starttls=lit -verify=lit -verify_return_error -verify_quiet -verify_hostname=lit -verify_ip=lit -verify_email=lit -verify_name=lit -verify_depth=lit -purpose=lit -auth_level=lit -attime=lit -no_check_time -partial_chain -trusted_first -no_alt_chains -x509_strict -crl_check -crl_check_all -issuer_checks -policy_check -policy_print -check_ss_sig -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -CRL=file -CRLform=PEM|DER -nameopt=lit -showcerts -brief -status -serverinfo=lit -tlsextdebug -security_debug -security_debug_verbose -debug -msg -trace -state -prexit -quiet -ign_eof -no_ign_eof -crlf -nocommands -adv -reconnect -async -nbio -nbio_test -read_buf=lit -timeout -mtu=lit -alpn=lit -nextprotoneg=lit -ct -noct -tls1 -tls1_1 -tls1_2 -tls1_3 -dtls -dtls1 -dtls1_2 -no_ssl3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -min_protocol=lit -max_protocol=lit -cipher=lit -ciphersuites=lit -sigalgs=lit -client_sigalgs=lit -groups=lit -curves=lit -named_curve=lit -no_ticket -no_comp -comp -bugs -serverpref -legacy_renegotiation -client_renegotiation -no_renegotiation -legacy_server_connect -no_legacy_server_connect -prioritize_chacha -no_middlebox -no_etm -fallback_scsv -enable_pha -maxfraglen=lit -max_send_frag=lit -split_send_frag=lit -max_pipelines=lit -ignore_unexpected_eof -help", Operands: "/[A-Za-z0-9_.:[\\]-]+/?", Style: "word", Why: "the host is written out, and nothing is sent: openssl s_client -connect HOST:443 -servername HOST </dev/null", Stdin: "literal"}
	rule652 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -outform=PEM|DER|pem|der -noout -nocert -text -dates -enddate -startdate -subject -issuer -serial -email -alias -hash -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old -fingerprint -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -ext=lit -checkend=lit -checkhost=lit -checkip=lit -checkemail=lit -purpose -pubkey -modulus -ocspid -ocsp_uri -nameopt=lit -certopt=lit -dateopt=lit -help", Style: "word", Why: "it only shows a certificate: openssl x509 -noout -dates -subject -in FILE"}
	rule653 = Rule{Do: "observe", Options: "-verbose -nameopt=lit -trusted=file -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -untrusted=file -CRLfile=file -show_chain -purpose=lit -verify_name=lit -verify_depth=lit -verify_hostname=lit -verify_ip=lit -verify_email=lit -auth_level=lit -attime=lit -no_check_time -crl_check -crl_check_all -x509_strict -partial_chain -trusted_first -no_alt_chains -issuer_checks -policy_check -policy_print -check_ss_sig -help", Operands: "file*", Style: "word"}
	rule654 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -issuer -lastupdate -nextupdate -fingerprint -crlnumber -hash -hash_old -nameopt=lit -dateopt=lit -sha1 -sha256 -verify -CAfile=file -CApath=lit -help", Style: "word"}
	rule655 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -subject -pubkey -modulus -verify -nameopt=lit -reqopt=lit -help", Style: "word", Why: "it only shows a request: openssl req -noout -text -in FILE", Requires: "-noout"}
	rule656 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -certfile=file -nocrl -help", Style: "word"}
	rule657 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -print_certs -print -noout -text -quiet -help", Style: "word"}
	rule658 = Rule{Do: "observe", Options: "-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -r -c -list -help", Operands: "file*", Style: "word"}
	rule659 = Rule{Do: "observe", Options: "-a -v -p -o -f -d -b -e -m -r -c -help", Style: "word"}
	rule660 = Rule{Do: "observe", Options: "-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -ciphersuites=lit -help", Operands: "lit?", Style: "word"}
	rule661 = Rule{Do: "observe", Options: "-commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -disabled -help", Style: "word"}
	rule662 = Rule{Do: "forbidden", Why: "private keys are secrets; a certificate shows with openssl x509 -noout -text -in FILE", Loose: true}
	rule663 = Rule{Do: "observe", Options: "--version", Why: "s_client, x509, verify, crl, req, version and ciphers are granted, for looking; keys and passwords are not", Requires: "--version", Commands: []Command{
		{"s_client", &rule651},
		{"x509", &rule652},
		{"verify", &rule653},
		{"crl", &rule654},
		{"req", &rule655},
		{"crl2pkcs7", &rule656},
		{"pkcs7", &rule657},
		{"dgst", &rule658},
		{"md5", &rule658},
		{"sha1", &rule658},
		{"sha256", &rule658},
		{"sha512", &rule658},
		{"version", &rule659},
		{"ciphers", &rule660},
		{"list", &rule661},
		{"rsa", &rule662},
		{"ec", &rule662},
		{"dsa", &rule662},
		{"pkey", &rule662},
		{"pkcs8", &rule662},
		{"pkcs12", &rule662},
		{"pkeyutl", &rule662},
		{"rsautl", &rule662},
		{"storeutl", &rule662},
	},
	}
	rule664 = Rule{Do: "observe", Options: "-Q -q -i -l -o -s -e -d -t -u -k --version", Operands: "any*", Why: "packages are for people; what is installed: pacman -Q", Requires: "-Q|--version"}
	rule665 = Rule{Do: "observe", Options: "-l/--list -s/--script -m/--machine -v/--version", Operands: "meta? print?", Why: "partitions are only shown: parted -l", Requires: "-l|--list|-v|--version"}
	rule666 = Rule{Do: "observe", Options: "-d/--delimiters=any", Operands: "file*", Loose: true}
	rule667 = Rule{Do: "observe", Options: "-e/--extended -t/--timestamp -f/--format=lit --group=lit", Operands: "lit*"}
	rule668 = Rule{Do: "observe", Options: "-f/--format=lit --group=lit", Operands: "lit?"}
	rule669 = Rule{Do: "forbidden", Why: "it deletes a member's data", Loose: true}
	rule670 = Rule{Do: "observe", Persistent: "-c/--config-file=code -k/--insecure", Why: "it only shows here: patronictl list, patronictl history; a failover is for a person", Commands: []Command{
		{"list", &rule667},
		{"topology", &rule667},
		{"history", &rule668},
		{"version", &rule19},
		{"reinit", &rule669},
		{"remove", &rule669},
	},
	}
	rule671 = Rule{Do: "observe", Options: "--full", Operands: "/[A-Za-z0-9_.:]+/*"}
	rule672 = Rule{Commands: []Command{
		{"status", &rule671},
	},
	}
	rule673 = Rule{Commands: []Command{
		{"status", &rule671},
		{"config", &rule671},
	},
	}
	rule674 = Rule{Do: "observe", Operands: "list|show|config?", Why: "constraints are only listed: pcs constraint"}
	rule675 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule671},
		{"cluster", &rule672},
		{"resource", &rule673},
		{"constraint", &rule674},
	},
	}
	rule676 = Rule{Do: "observe", Options: "--verbose[=any]", Operands: "/[0-9]+/"}
	rule677 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule19},
		{"status", &rule676},
	},
	}
	rule678 = Rule{Do: "observe", Operands: "/\\/c[0-9a-z\\/]+|show/ show? all?"}
	rule679 = Rule{Do: "observe", Options: "-d=today|yesterday -h=any -u=any --detail=any --problems_first --no_no_msg_size --verbose_msg_detail", Operands: "/\\/var\\/log\\/(?:mail\\/)?[A-Za-z0-9_][A-Za-z0-9_-]*(?:\\.log|\\.info|\\.err)?(?:\\.[0-9]+)?/*", Why: "a log by its path: pflogsumm -d today /var/log/mail.log"}
	rule680 = Rule{Do: "observe", Options: "--bindir --sharedir --sysconfdir --pkglibdir --libdir --version"}
	rule681 = Rule{Do: "observe", Options: "-D/--pgdata=lit -V/--version", Operands: "lit?"}
	rule682 = Rule{Do: "observe", Options: "-D/--pgdata=lit -s/--silent -V/--version", Operands: "/status/", Why: "it only shows here: pg_ctl status -D FOLDER; a restart goes by systemctl or docker restart"}
	rule683 = Rule{Do: "observe", Operands: "lit lit /status/", Why: "it only shows here: pg_ctlcluster VERSION NAME status; a restart goes by systemctl restart postgresql@VERSION-NAME"}
	rule684 = Rule{Do: "forbidden", Why: "it shows the passwords of all roles", Loose: true}
	rule685 = Rule{Do: "observe", Options: "-d/--dbname=/[A-Za-z0-9_.-]+/ -h/--host=host -p/--port=lit -q/--quiet -t/--timeout=lit -U/--username=lit -V/--version"}
	rule686 = Rule{Do: "observe", Options: "-h/--no-header -j/--json -s/--start-conf", Operands: "lit*"}
	rule687 = Rule{Do: "observe", Options: "-l/--list -F/--format=c|d|t|custom|directory|tar -V/--version", Operands: "file?", Why: "it only lists what a dump holds: pg_restore -l FILE", Requires: "-l|--list|-V|--version"}
	rule688 = Rule{Do: "observe", Options: "--output=text|json --set=lit"}
	rule689 = Rule{Do: "observe", Persistent: "--stanza=lit --repo=lit", Why: "backups are only listed here: pgbackrest info", Commands: []Command{
		{"info", &rule688},
		{"version", &rule19},
	},
	}
	rule690 = Rule{Do: "observe", Options: "-d/--delimiter=any!text -l/--list-name!text -a/--list-full!text -v/--inverse -w/--lightweight -c/--count -f/--full -g/--pgroup=any -G/--group=any -i/--ignore-case -n/--newest -o/--oldest -O/--older=any -P/--parent=any -s/--session=any -t/--terminal=any -u/--euid=any -U/--uid=any -x/--exact -F/--pidfile=file -L/--logpidfile -r/--runstates=any -A/--ignore-ancestors --cgroup=any --ns=any --nslist=any -h/--help -V/--version", Operands: "any?", Prints: "numbers"}
	rule691 = Rule{Do: "observe", Options: "-t/--test -tt -v/--version -m -h", Why: "php-fpm -t; to reload it: systemctl reload php8.2-fpm", Requires: "-t|--test|-tt|-v|--version|-m|-h", Cwd: "code"}
	rule692 = Rule{Do: "observe", Options: "-s -c -q -w -x -o=any -t -S=any", Operands: "lit+", Prints: "names"}
	rule693 = Rule{Do: "observe", Options: "-d -h -H -I -l -r -R -s -t -u -v -V -w -C=any -G=any -p=any -T=any -U[=any] --human --dec=any", Operands: "/[0-9]+/*", Why: "it does not start programs here (-e)"}
	rule694 = Rule{Do: "observe", Options: "-v/--version", Commands: []Command{
		{"status", &rule19},
		{"version", &rule19},
	},
	}
	rule695 = Rule{Do: "observe", Options: "-3 -4 -6 -a -B -C -c=lit -D -d -e=lit -F=lit -h -H -I=lit -i=/(?:0\\.[2-9]|[1-9])[0-9.]*/ -L -M=lit -m=lit -N=lit -n -O -Q=lit -q -R -r -S=lit -s=lit -T=lit -t=lit -U -V -v -W=lit -w=lit", Operands: "host", Why: "a host that is written out, without flood or payload: ping -c 3 HOST"}
	rule696 = Rule{Do: "observe", Options: "-o/--outdated -f/--files --format=any --disable-pip-version-check", Operands: "lit*"}
	rule697 = Rule{Do: "observe", Options: "-V/--version", Commands: []Command{
		{"list", &rule696},
		{"show", &rule696},
		{"check", &rule696},
	},
	}
	rule698 = Rule{Do: "observe", Options: "-0 -f -x", Operands: "lit", Why: "signals are not granted, apart from pkill -0 NAME, which only asks; restart the service, which is counted", Requires: "-0"}
	rule699 = Rule{Do: "unknown", Operands: "any*", Why: "it shows the program's environment; use pm2 list and pm2 logs NAME --nostream"}
	rule700 = Rule{Do: "observe", Options: "--lines=/[0-9]+/ --nostream --err --out --timestamp --raw", Operands: "name?", Style: "gnu"}
	rule701 = Rule{Do: "restart", Operands: "svc+", Check: "plain"}
	rule702 = Rule{Do: "restart", Operands: "svc+", Part: "first", Check: "plain"}
	rule703 = Rule{Do: "unknown", Operands: "any*", Why: "pm2 restart NAME also starts what is stopped"}
	rule704 = Rule{Do: "observe", Why: "by names of letters, digits, - and _, not by files: pm2 restart NAME", Cwd: "code", Commands: []Command{
		{"list", &rule19},
		{"ls", &rule19},
		{"status", &rule19},
		{"l", &rule19},
		{"describe", &rule699},
		{"desc", &rule699},
		{"logs", &rule700},
		{"restart", &rule701},
		{"reload", &rule701},
		{"stop", &rule702},
		{"start", &rule703},
	},
	}
	rule705 = Rule{Do: "observe", Options: "-x/--extended -X -d/--device -q/--quiet -p/--show-path -A/--range=any", Operands: "any+"}
	rule706 = Rule{Do: "observe", Options: "-n -d -h -p -f -H -x -m -l", Operands: "/[a-z0-9_]+/*", Why: "settings are only shown, by their names: postconf -n, postconf relayhost"}
	rule707 = Rule{Do: "unknown", Operands: "any*", Why: "to restart it: systemctl restart postfix"}
	rule708 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule19},
		{"reload", &rule20},
		{"start", &rule707},
		{"stop", &rule707},
		{"abort", &rule707},
		{"flush", &rule707},
		{"check", &rule707},
		{"set-permissions", &rule707},
		{"upgrade-configuration", &rule707},
	},
	}
	rule709 = Rule{Do: "observe", Options: "-p -j -v -f!change", Requires: "-p|-j|-f"}
	rule710 = Rule{Do: "observe", Options: "-p/--pid=any -o/--output=any --noheadings --raw --verbose -n/--nofile -u/--nproc -c/--core -v/--as -m/--rss -l/--memlock -s/--stack -d/--data", Why: "limits are read only, of a process that runs"}
	rule711 = Rule{Do: "observe", Options: "--lint[=any] --syntax-only", Operands: "/\\/(?:etc|srv|repos|opt)\\/(?:[A-Za-z0-9_-][A-Za-z0-9_.-]*\\/)*(?:prometheus|alerts?|rules|web|recording|[a-z0-9_-]*[._-]rules)\\.ya?ml/+", Why: "promtool check config /etc/prometheus/prometheus.yml"}
	rule712 = Rule{Commands: []Command{
		{"config", &rule711},
		{"rules", &rule711},
		{"web-config", &rule711},
	},
	}
	rule713 = Rule{Do: "observe", Options: "-o/--format=promql|json", Operands: "/http:\\/\\/(?:localhost|127\\.0\\.0\\.1|\\[::1\\]):[0-9]+\\/?/ /[A-Za-z0-9_({\"'][^@\\r\\n]*/", Why: "of the Prometheus of this machine: promtool query instant http://localhost:9090 EXPRESSION"}
	rule714 = Rule{Commands: []Command{
		{"instant", &rule713},
	},
	}
	rule715 = Rule{Do: "observe", Commands: []Command{
		{"check", &rule712},
		{"query", &rule714},
	},
	}
	rule716 = Rule{Do: "observe", Options: "-A -a -d -e -f -F -l -j -y -c -m -L -T -H -M -Z -N -w -p/-q/--pid/--quick-pid/--ppid/--sid=any -C=lit -o/--format=/(?:(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?(?:=[A-Za-z0-9_%]*)?(?:[,\\s]+|$))+/ -u/--user/-U/--User=lit -s=/[0-9]+/ --sort=/[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?:,[+-]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending))*/ --no-headers/--no-heading/--headers/--heading --forest --cols/--columns/--width=/[0-9]+/ --rows/--lines=/[0-9]+/ --cumulative -V/--version", Operands: "/[aAcfgHhjlmnrsSTuvwxXLMZ]+o?|o|p|[0-9]+(?:,[0-9]+)*|(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?(?:[,](?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?)*/*", Style: "gnu", Why: "without letters that show environments, which hold secrets: ps aux, ps -ef, ps -eo pid,etime,rss,args --sort=-rss", Check: "ps"}
	rule717 = Rule{Do: "observe", Options: "-a/--echo-all -A/--no-align -b/--echo-errors -c/--command=psql!nostdin --csv -e/--echo-queries -E/--echo-hidden -d/--dbname=/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/ -F/--field-separator=any -h/--host=dbhost -H/--html -l/--list!nostdin -n/--no-readline -p/--port=lit -P/--pset=/pager=(?:off|0)|(?:border|columns|csv_fieldsep|expanded|fieldsep|footer|format|linestyle|null|numericlocale|recordsep|title|tuples_only)(?:=.*)?/ -q/--quiet -R/--record-separator=any -t/--tuples-only -T/--table-attr=lit -U/--username=any -v/--set/--variable=/(?:ON_ERROR_STOP|QUIET|VERBOSITY|SHOW_CONTEXT|ECHO)=[A-Za-z0-9_]*/ -V/--version!nostdin -w/--no-password -x/--expanded -X/--no-psqlrc -z/--field-separator-zero -0/--record-separator-zero -1/--single-transaction", Operands: "/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/? lit?", Style: "gnu", Why: "one literal statement, a host by -h that the inventory or the policy names, no password: psql -X -A -t -h HOST -U USER -d DB -c 'select 1'", Stdin: "psql"}
	rule718 = Rule{Do: "observe", Options: "-a/--arguments -A/--ascii -c/--compact-not -C/--color=any -g/--show-pgids -G/--vt100 -h/--highlight-all -H/--highlight-pid=any -l/--long -n/--numeric-sort -N/--ns-sort=any -p/--show-pids -s/--show-parents -S/--ns-changes -t/--thread-names -T/--hide-threads -u/--uid-changes -U/--unicode -Z/--security-context -V/--version", Operands: "any?"}
	rule719 = Rule{Do: "observe", Operands: "any+"}
	rule720 = Rule{Do: "observe", Options: "-m=json.tool -I -S -s -E -B -V/--version --sort-keys --no-ensure-ascii --json-lines --indent=any --tab --no-indent --compact", Operands: "file?", Style: "strict", Why: "a program in python cannot be read; use jq, awk, grep or sed", Requires: "-m|-V|--version", Cwd: "code"}
	rule721 = Rule{Do: "observe", Options: "-a -u -g -s -v -n -p -w -q", Operands: "any*"}
	rule722 = Rule{Do: "observe", Operands: "lit"}
	rule723 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmq-diagnostics status", Loose: true}
	rule724 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --unit=lit", Why: "ping, status, check_… and listeners only show", Commands: []Command{
		{"ping", &rule19},
		{"status", &rule19},
		{"cluster_status", &rule19},
		{"alarms", &rule19},
		{"listeners", &rule19},
		{"memory_breakdown", &rule19},
		{"is_running", &rule19},
		{"is_booting", &rule19},
		{"server_version", &rule19},
		{"erlang_version", &rule19},
		{"runtime_thread_stats", &rule19},
		{"log_location", &rule19},
		{"check_running", &rule19},
		{"check_alarms", &rule19},
		{"check_local_alarms", &rule19},
		{"check_port_connectivity", &rule19},
		{"check_virtual_hosts", &rule19},
		{"check_certificate_expiration", &rule19},
		{"check_if_node_is_quorum_critical", &rule19},
		{"check_if_node_is_mirror_sync_critical", &rule19},
		{"disk_free_limit", &rule19},
		{"os_env_help", &rule19},
		{"check_port_listener", &rule722},
		{"check_protocol_listener", &rule722},
		{"environment", &rule723},
		{"report", &rule723},
	},
	}
	rule725 = Rule{Do: "observe", Options: "--online --offline --local --all --sort=lit", Operands: "lit*"}
	rule726 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes messages", Loose: true}
	rule727 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmqctl status", Loose: true}
	rule728 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@localhost)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=json|table|pretty_table|csv|erlang -p/--vhost=lit --no-table-headers --print-stacktrace", Why: "status, cluster_status and the list_… commands only show", Commands: []Command{
		{"status", &rule32},
		{"cluster_status", &rule32},
		{"ping", &rule32},
		{"version", &rule32},
		{"node_health_check", &rule32},
		{"list_vhosts", &rule32},
		{"list_users", &rule32},
		{"list_permissions", &rule32},
		{"list_policies", &rule32},
		{"list_feature_flags", &rule32},
		{"list_unresponsive_queues", &rule32},
		{"list_hashes", &rule32},
		{"list_user_permissions", &rule32},
		{"list_user_limits", &rule32},
		{"list_vhost_limits", &rule32},
		{"list_operator_policies", &rule32},
		{"await_startup", &rule32},
		{"list_queues", &rule725},
		{"list_connections", &rule725},
		{"list_channels", &rule725},
		{"list_consumers", &rule725},
		{"list_exchanges", &rule725},
		{"list_bindings", &rule725},
		{"purge_queue", &rule726},
		{"delete_queue", &rule726},
		{"reset", &rule726},
		{"force_reset", &rule726},
		{"delete_vhost", &rule726},
		{"forget_cluster_node", &rule726},
		{"environment", &rule727},
		{"report", &rule727},
	},
	}
	rule729 = Rule{Do: "observe", Options: "-a/--all -l/--list -s/--servicelist -c/--crashed -r/--runlevel -u/--unused -m/--manual -S/--supervised -f/--format=any", Operands: "lit?"}
	rule730 = Rule{Do: "observe", Options: "-v -a", Operands: "lit*"}
	rule731 = Rule{Do: "observe", Options: "-v -a", Commands: []Command{
		{"show", &rule730},
	},
	}
	rule732 = Rule{Do: "observe", Operands: "meta*", Loose: true}
	rule733 = Rule{Do: "observe", Options: "--compact --csv --limit=lit --all --role --replication-lag --archive-ready --upstream --downstream --slots --nagios --detail"}
	rule734 = Rule{Commands: []Command{
		{"show", &rule733},
		{"matrix", &rule733},
		{"crosscheck", &rule733},
		{"event", &rule733},
	},
	}
	rule735 = Rule{Commands: []Command{
		{"status", &rule733},
		{"check", &rule733},
	},
	}
	rule736 = Rule{Commands: []Command{
		{"status", &rule733},
	},
	}
	rule737 = Rule{Do: "observe", Persistent: "-f/--config-file=code -v/--verbose -t/--terse", Why: "it only shows here: repmgr cluster show, repmgr node status, repmgr node check", Cwd: "code", Commands: []Command{
		{"cluster", &rule734},
		{"node", &rule735},
		{"service", &rule736},
		{"daemon", &rule736},
	},
	}
	rule738 = Rule{Do: "observe", Operands: "host+"}
	rule739 = Rule{Do: "observe", Operands: "lit?", Why: "with one interface at most: the name servers are for people"}
	rule740 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-4 -6 -i/--interface=lit -p/--protocol=lit -t/--type=lit -c/--class=lit --no-pager --legend=any --cache=any --validate=any --json=any", Commands: []Command{
		{"status", &rule32},
		{"statistics", &rule32},
		{"show-cache", &rule32},
		{"show-server-state", &rule32},
		{"query", &rule738},
		{"dns", &rule739},
		{"domain", &rule739},
		{"dnssec", &rule739},
		{"dnsovertls", &rule739},
		{"llmnr", &rule739},
		{"mdns", &rule739},
		{"nta", &rule739},
		{"default-route", &rule739},
		{"flush-caches", &rule20},
		{"reset-server-features", &rule20},
	},
	}
	rule741 = Rule{Do: "observe", Options: "-c/--compact -g/--group-by=any -H/--host=any --last --latest=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule742 = Rule{Do: "observe", Options: "--mode=restore-size|files-by-contents|raw-data|blobs-per-file -H/--host=any --path=any --tag=any", Operands: "/latest|[0-9a-f]{4,64}/*"}
	rule743 = Rule{Do: "observe", Operands: "locks|snapshots"}
	rule744 = Rule{Do: "observe", Options: "--version", Persistent: "-r/--repo=/\\/(?:srv|mnt|media|data|backups?|var\\/backups?)(?:\\/[A-Za-z0-9_-][A-Za-z0-9_.-]*)*/ --json --no-lock --no-cache -q/--quiet -v/--verbose -h/--help", Why: "backups are only listed: restic snapshots, with a repository of this machine or the one that is set", Commands: []Command{
		{"snapshots", &rule741},
		{"stats", &rule742},
		{"list", &rule743},
		{"version", &rule19},
	},
	}
	rule745 = Rule{Do: "observe", Options: "-e/--regexp=any!first -f/--file=file!first -i/--ignore-case -S/--smart-case -s/--case-sensitive -n/--line-number -N/--no-line-number -l/--files-with-matches --files-without-match -c/--count --count-matches -v/--invert-match -w/--word-regexp -x/--line-regexp -o/--only-matching -F/--fixed-strings -P/--pcre2 -U/--multiline --multiline-dotall -u/--unrestricted -uu -uuu -./--hidden --no-ignore --no-ignore-vcs -g/--glob=any --iglob=any -t/--type=any -T/--type-not=any --type-list -A/--after-context=any -B/--before-context=any -C/--context=any -m/--max-count=any -r/--replace=any -q/--quiet --json --stats --sort=any --sortr=any --color=any --colors=any --no-heading --heading --column -p/--pretty -H/--with-filename -I/--no-filename -d/--max-depth=any -L/--follow -a/--text --trim -M/--max-columns=any --max-filesize=any -0/--null --line-buffered --no-messages --no-config --crlf --encoding=any -j/--threads=any --files!first -V/--version", Operands: "any tree*", Style: "gnu", Why: "other programs (--pre, --hostname-bin) are not granted", Cwd: "tree"}
	rule746 = Rule{Do: "change", Options: "-f/--force -v/--verbose -i -I --interactive[=any] -r/-R/--recursive -d/--dir --one-file-system", Operands: "any+", Check: "rm"}
	rule747 = Rule{Do: "observe", Options: "-v/--verbose --ignore-fail-on-non-empty", Operands: "out+"}
	rule748 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule19},
		{"recursing-status", &rule19},
	},
	}
	rule749 = Rule{Do: "observe", Options: "-n/--numeric -e/--extend -v/--verbose -A=any -F/--fib -C/--cache -4 -6 -V/--version", Commands: []Command{
		{"add", &rule43},
		{"del", &rule43},
		{"delete", &rule43},
		{"flush", &rule43},
		{"change", &rule43},
	},
	}
	rule750 = Rule{Do: "observe", Options: "-p -s -m", Operands: "host?"}
	rule751 = Rule{Do: "observe", Options: "-q/--query -a/--all -i/--info -l/--list -f/--file -c/--configfiles -d/--docfiles -R/--requires --provides --whatprovides --whatrequires --last --changelog --scripts -s/--state -V/--verify --qf/--queryformat=/(?:[^%({]|%-?[0-9]*\\{[A-Za-z_]+(?::[a-z]+)?\\})*/ --version -e!unknown -U!unknown -F!unknown", Operands: "/[^%-][^%]*/*", Why: "packages are for people; what is installed: rpm -qa", Requires: "-q|--query|-V|--verify|--version"}
	rule752 = Rule{Do: "observe", Commands: []Command{
		{"stat", &rule19},
		{"uptime", &rule19},
		{"counters", &rule19},
	},
	}
	rule753 = Rule{Do: "observe", Options: "--test --list --regex=any --lsbsysinit", Operands: "meta", Why: "it is only shown what would run: run-parts --test DIR", Requires: "--test|--list"}
	rule754 = Rule{Do: "observe", Options: "-c/--container -v/--vm -q/--quiet -p/--path -u/--unescape --suffix=any", Operands: "lit*"}
	rule755 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any", Operands: "inner", Style: "strict", Why: "runuser -u USER -- COMMAND", Requires: "-u|--user"}
	rule756 = Rule{Do: "observe", Options: "-u -w -N -r -p -t -d", Operands: "any"}
	rule757 = Rule{Do: "observe", Options: "-A -b -B -C -d -D -F -h --human -H -i=any -I=any -j=any -m=any -n=any -p -P=any -q -r -S -t -u -v -V -w -W -x -y -z -s=any -e=any -f=file --dec=any --dev=any --fs=any --iface=any --int=any --pretty", Operands: "/[0-9]+/*", Why: "recording (-o) is not granted"}
	rule758 = Rule{Do: "observe", Options: "-ls -list -v", Requires: "-ls|-list|-v"}
	rule759 = Rule{Do: "unknown", Operands: "any*", Why: "diff -y FILE FILE shows files side by side", Loose: true}
	rule760 = Rule{Do: "observe", Options: "-A/--no-adapter -f/--fahrenheit -u -j -v/--version -h/--help", Operands: "lit*"}
	rule761 = Rule{Do: "observe", Options: "-w/--wait", Operands: "inner", Style: "strict", Check: "loop"}
	rule762 = Rule{Do: "observe", Options: "-e/--exports -a/--all -d/--directories --no-headers", Operands: "host?"}
	rule763 = Rule{Do: "observe", Options: "-n/--head-count=any -e/--echo -i/--input-range=any -r/--repeat -z/--zero-terminated --random-source=file", Operands: "file*"}
	rule764 = Rule{Do: "observe", Options: "-a/--all -x/--xall -H/--health -i/--info -A/--attributes -c/--capabilities -l/--log=error|selftest|selective|directory|background|sataphy|sasphy|devstat|sct|sctstatus|scttemp|scttempsts|scttemphist|scterc|xerror|xselftest|ssd|farm|envrep -d/--device=any -j/--json[=any] -n/--nocheck=any -f/--format=any -r/--report=any -q/--quietmode=any --scan --scan-open -v/--vendorattribute=any -g/--get=any -V/--version -h/--help", Operands: "meta*", Why: "tests and settings of disks are for people: smartctl -a /dev/sda"}
	rule765 = Rule{Do: "observe", Options: "-b/--brief -p/--processes -S/--shares -L/--locks -B/--byterange -n/--numeric -v/--verbose -u/--user=any"}
	rule766 = Rule{Do: "observe", Options: "-t -k -p -u -w -m -H -n -r -s=any -c=any -P=any -U=any -M=any"}
	rule767 = Rule{Do: "observe", Options: "--all -a -l", Operands: "name*"}
	rule768 = Rule{Do: "observe", Options: "-n=any -f", Operands: "name"}
	rule769 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule767},
		{"services", &rule767},
		{"changes", &rule767},
		{"version", &rule767},
		{"warnings", &rule767},
		{"info", &rule598},
		{"tasks", &rule598},
		{"change", &rule598},
		{"connections", &rule598},
		{"logs", &rule768},
		{"restart", &rule224},
	},
	}
	rule770 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule19},
		{"list-configs", &rule19},
	},
	}
	rule771 = Rule{Do: "observe", Options: "-V", Why: "it connects anything with anything; to look whether a port is open: nc -zv -w 2 HOST PORT", Requires: "-V"}
	rule772 = Rule{Do: "observe", Options: "-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort -h/--human-numeric-sort -i/--ignore-nonprinting -M/--month-sort -n/--numeric-sort -R/--random-sort -r/--reverse --sort=any -V/--version-sort --batch-size=any -c/--check[=any] -C --debug -k/--key=any -m/--merge -o/--output=out -s/--stable -S/--buffer-size=any -t/--field-separator=any --parallel=any -u/--unique -z/--zero-terminated --random-source=file --help --version", Operands: "file*", Style: "gnu", Why: "another program (--compress-program) and another folder for its own files (-T) are not granted"}
	rule773 = Rule{Do: "observe", Options: "-K -V", Why: "spamc -K asks whether it answers", Requires: "-K|-V"}
	rule774 = Rule{Do: "observe", Options: "-readonly -safe -batch -bail -echo -nofollow -interactive -stats -memtrace -utf8 -ascii -box -column -csv -html -json -line -list -markdown -quote -table -tabs -header -noheader -separator=lit -newline=lit -nullvalue=lit -escape=lit -mmap=lit -maxsize=lit -lookaside=lit,lit -pagecache=lit,lit -cmd=/\\.(?:timeout\\s+[0-9]+|mode\\s+[a-z]+|headers?\\s+(?:on|off)|nullvalue\\s+[A-Za-z-]+|width[0-9\\s-]+)/ -version!nostdin -help!nostdin", Operands: "file? sqlite*", Style: "word", Why: "a file and a literal statement that only reads: sqlite3 -readonly FILE 'pragma quick_check'", Stdin: "sqlite"}
	rule775 = Rule{Do: "observe", Options: "-k=check|parse -v", Why: "squid -k parse; it only looks", Requires: "-k|-v"}
	rule776 = Rule{Do: "observe", Options: "-n/--numeric -r/--resolve -a/--all -l/--listening -B/--bound-inactive -o/--options -e/--extended -m/--memory -p/--processes -T/--threads -i/--info --tipcinfo -s/--summary --tos --cgroup -b/--bpf -E/--events -Z/--context -z/--contexts -4/--ipv4 -6/--ipv6 -0/--packet -t/--tcp -M/--mptcp -S/--sctp -u/--udp -d/--dccp -w/--raw -x/--unix --tipc --vsock --xdp -f/--family=any -H/--no-header -O/--oneline --inet-sockopt -A/--query/--socket=any -Q/--no-queues -h/--help -V/--version", Operands: "any*", Style: "gnu", Why: "closing connections (-K) and files (-D, -F) are not granted"}
	rule777 = Rule{Do: "observe", Options: "-4 -6 -a -C -k -n -q -T -t -v -x -l=/[A-Za-z0-9_.-]+/ -p=/[0-9]+/ -i=code -J=sshhost -o=/(?:AddressFamily|BatchMode|CheckHostIP|Compression|ConnectTimeout|ConnectionAttempts|GSSAPIAuthentication|IdentitiesOnly|KbdInteractiveAuthentication|LogLevel|NumberOfPasswordPrompts|PasswordAuthentication|Port|PreferredAuthentications|PubkeyAuthentication|RequestTTY|ServerAliveCountMax|ServerAliveInterval|TCPKeepAlive|User|VisualHostKey)[=\\x20][A-Za-z0-9_.-]+|StrictHostKeyChecking[=\\x20](?:yes|accept-new|ask)|(?:ForwardAgent|ForwardX11|ControlMaster)[=\\x20]no|Control(?:Path|Persist)[=\\x20](?:none|no)/", Operands: "sshhost remote", Style: "strict", Why: "options, a host of the inventory or the policy, then the command, written out: ssh -o BatchMode=yes -o ConnectTimeout=5 HOST 'df -h'"}
	rule778 = Rule{Do: "observe", Options: "-l -v -E=md5|sha256 -f=file -F=lit", Why: "it only shows the fingerprint of a public key: ssh-keygen -l -f FILE.pub", Requires: "-l|-F"}
	rule779 = Rule{Do: "observe", Options: "-4 -6 -c -H -p=lit -q -T=lit -t=lit -v", Operands: "host+", Why: "hosts are written out: ssh-keyscan -t ed25519 HOST"}
	rule780 = Rule{Do: "observe", Options: "-t -T -G -C=any -V", Requires: "-t|-T|-G|-V"}
	rule781 = Rule{Do: "observe", Options: "-c/--format=any --printf=any -f -L -t", Operands: "meta*", Loose: true}
	rule782 = Rule{Do: "observe", Options: "-i/--input=any -o/--output=any -e/--error=any", Operands: "inner", Style: "strict"}
	rule783 = Rule{Do: "observe", Options: "-a/--all -f/--print-file-name -n/--bytes=any -t/--radix=any -e/--encoding=any -o -w/--include-all-whitespace -s/--output-separator=any -#", Operands: "file*", Why: "the system's own programs and libraries, or a pipe: strings /usr/sbin/nginx, head -c 1M FILE | strings"}
	rule784 = Rule{Do: "observe", Options: "-a/--all", Operands: "size|speed?"}
	rule785 = Rule{Do: "observe", Options: "-c/--command=shell", Operands: "/[a-z_][a-z0-9_-]*/?", Style: "gnu", Why: "without a login shell, which starts in another folder: su USER -c 'COMMAND', or sudo -u USER COMMAND", Requires: "-c|--command"}
	rule786 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any -n/--non-interactive -E/--preserve-env -H/--set-home -k/--reset-timestamp", Operands: "inner", Style: "strict", Why: "sudo COMMAND, sudo -n -u USER COMMAND"}
	rule787 = Rule{Do: "observe", Options: "-#", Operands: "name stdout|stderr?"}
	rule788 = Rule{Do: "observe", Options: "-#"}
	rule789 = Rule{Do: "restart", Operands: "svc+", Part: "last"}
	rule790 = Rule{Do: "restart", Operands: "svc+", Part: "first"}
	rule791 = Rule{Do: "unknown", Operands: "any*", Why: "restart the program that fails, by its name", Loose: true}
	rule792 = Rule{Do: "observe", Cwd: "code", Commands: []Command{
		{"status", &rule598},
		{"pid", &rule598},
		{"avail", &rule598},
		{"version", &rule598},
		{"tail", &rule787},
		{"maintail", &rule788},
		{"restart", &rule224},
		{"start", &rule789},
		{"stop", &rule790},
		{"reread", &rule791},
		{"update", &rule791},
		{"reload", &rule791},
		{"shutdown", &rule791},
		{"clear", &rule791},
		{"signal", &rule791},
		{"add", &rule791},
		{"remove", &rule791},
		{"fg", &rule791},
	},
	}
	rule793 = Rule{Do: "restart", Options: "-w=any", Operands: "svc+"}
	rule794 = Rule{Do: "change", Operands: "name+"}
	rule795 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule719},
		{"restart", &rule793},
		{"force-restart", &rule793},
		{"start", &rule789},
		{"up", &rule789},
		{"stop", &rule790},
		{"down", &rule790},
		{"reload", &rule794},
		{"hup", &rule794},
	},
	}
	rule796 = Rule{Do: "observe", Options: "-l/--list-sas -P/--list-pols -L/--list-conns -S/--stats", Requires: "-l|--list-sas|-P|--list-pols|-L|--list-conns|-S|--stats"}
	rule797 = Rule{Do: "observe", Options: "-s/--summary --show[=any] --noheadings --raw --bytes -V/--version -h/--help", Why: "swap space is only shown: swapon --show", Requires: "-s|--summary|--show|-V|-h"}
	rule798 = Rule{Do: "observe", Options: "-a/--all/-A/-X -n/--values -N/--names -b/--binary -e/--ignore -r/--pattern=any -d --deprecated -h/--help -V/--version -q/--quiet -w/--write!forbidden -p/--load[=any]!forbidden --system!forbidden", Operands: "/[a-z0-9]+(?:[.\\/][A-Za-z0-9_*:@-]+)*/*", Why: "kernel settings are read only: sysctl NAME"}
	rule799 = Rule{Do: "observe", Options: "-p/--property/-P=/(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*)(?:,(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*))*/", Operands: "any*", Why: "all properties include the environment, and that holds secrets; name those you want: systemctl show -p ActiveState,NRestarts,Result UNIT", Requires: "-p|--property|-P"}
	rule800 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Check: "unit"}
	rule801 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "first", Check: "unit"}
	rule802 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "last", Check: "unit"}
	rule803 = Rule{Do: "change", Operands: "lit+", Check: "unit"}
	rule804 = Rule{Do: "change", Operands: "any*"}
	rule805 = Rule{Do: "unknown", Operands: "any*", Why: "what starts at boot, and how, is for people; restart the service, or say in the handoff what should be changed", Loose: true}
	rule806 = Rule{Do: "forbidden", Operands: "any*", Why: "the environment of the services holds secrets", Loose: true}
	rule807 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-t/--type=any --state=any -a/--all --reverse --after --before -l/--full --show-types -q/--quiet --no-legend!names --legend=any --no-pager --plain --with-dependencies --system --user -n/--lines=any -o/--output=short|short-full|short-iso|short-iso-precise|short-precise|short-monotonic|short-unix|with-unit|cat --timestamp=any --no-ask-password --failed --value --wait --no-warn", Style: "gnu", Why: "name units literally; another host, machine or root (-H, -M, --root) is not granted", Commands: []Command{
		{"list-units", &rule141},
		{"list-timers", &rule141},
		{"list-sockets", &rule141},
		{"list-paths", &rule141},
		{"list-automounts", &rule141},
		{"list-unit-files", &rule141},
		{"list-jobs", &rule141},
		{"list-dependencies", &rule141},
		{"status", &rule141},
		{"is-active", &rule141},
		{"is-failed", &rule141},
		{"is-enabled", &rule141},
		{"is-system-running", &rule141},
		{"get-default", &rule141},
		{"cat", &rule141},
		{"whoami", &rule141},
		{"show", &rule799},
		{"restart", &rule800},
		{"try-restart", &rule800},
		{"condrestart", &rule800},
		{"reload-or-restart", &rule800},
		{"try-reload-or-restart", &rule800},
		{"reload-or-try-restart", &rule800},
		{"force-reload", &rule800},
		{"stop", &rule801},
		{"start", &rule802},
		{"reload", &rule803},
		{"reset-failed", &rule804},
		{"daemon-reload", &rule20},
		{"enable", &rule805},
		{"disable", &rule805},
		{"reenable", &rule805},
		{"preset", &rule805},
		{"preset-all", &rule805},
		{"mask", &rule805},
		{"unmask", &rule805},
		{"link", &rule805},
		{"revert", &rule805},
		{"add-wants", &rule805},
		{"add-requires", &rule805},
		{"edit", &rule805},
		{"set-default", &rule805},
		{"set-property", &rule805},
		{"kill", &rule805},
		{"clean", &rule805},
		{"freeze", &rule805},
		{"thaw", &rule805},
		{"bind", &rule805},
		{"mount-image", &rule805},
		{"cancel", &rule805},
		{"service-log-level", &rule805},
		{"service-log-target", &rule805},
		{"log-level", &rule805},
		{"log-target", &rule805},
		{"service-watchdogs", &rule805},
		{"daemon-reexec", &rule805},
		{"soft-reboot", &rule805},
		{"isolate", &rule436},
		{"default", &rule436},
		{"rescue", &rule436},
		{"emergency", &rule436},
		{"halt", &rule436},
		{"poweroff", &rule436},
		{"reboot", &rule436},
		{"kexec", &rule436},
		{"suspend", &rule436},
		{"hibernate", &rule436},
		{"hybrid-sleep", &rule436},
		{"suspend-then-hibernate", &rule436},
		{"sleep", &rule436},
		{"exit", &rule436},
		{"switch-root", &rule436},
		{"show-environment", &rule806},
		{"set-environment", &rule806},
		{"unset-environment", &rule806},
		{"import-environment", &rule806},
	},
	}
	rule808 = Rule{Do: "observe", Options: "--man=no|false|0", Operands: "code+"}
	rule809 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --system --user --order --require --from-pattern=any --to-pattern=any --fuzz=any --iterations=any --base-time=any --json=any --tldr", Commands: []Command{
		{"verify", &rule808},
		{"time", &rule141},
		{"blame", &rule141},
		{"unit-paths", &rule141},
		{"exit-status", &rule141},
		{"capability", &rule141},
		{"syscall-filter", &rule141},
		{"filesystems", &rule141},
		{"critical-chain", &rule141},
		{"plot", &rule141},
		{"dot", &rule141},
		{"security", &rule141},
		{"calendar", &rule141},
		{"timespan", &rule141},
		{"timestamp", &rule141},
	},
	}
	rule810 = Rule{Do: "observe", Options: "--no-pager -a/--all -l/--full -k -c -x/--xattr[=any] --cgroup-id[=any] -u/--unit=any --user-unit=any --help --version", Operands: "any*"}
	rule811 = Rule{Do: "observe", Options: "-p -t -c -m -i -b/--batch -r/--raw -n/--iterations=any -1 -d/--delay=any --cpu[=any] -P -k --recursive=any --depth=any --order=any --help --version", Operands: "any?"}
	rule812 = Rule{Do: "observe", Options: "--no-pager -t/--type=any --diff=any", Operands: "any*"}
	rule813 = Rule{Do: "observe", Options: "--status --statistics --no-pager --flush-caches!change --legend=any -4 -6", Requires: "--status|--statistics|--flush-caches"}
	rule814 = Rule{Do: "observe", Options: "--json --active --peers[=any] --self[=any] -4 -6", Operands: "lit?"}
	rule815 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule814},
		{"ip", &rule814},
		{"version", &rule814},
		{"netcheck", &rule814},
	},
	}
	rule816 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.:@-]+/*"}
	rule817 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule816},
		{"sh", &rule816},
		{"s", &rule816},
		{"list", &rule816},
		{"ls", &rule816},
		{"l", &rule816},
		{"lst", &rule816},
		{"add", &rule43},
		{"a", &rule43},
		{"change", &rule43},
		{"c", &rule43},
		{"replace", &rule43},
		{"delete", &rule43},
		{"del", &rule43},
		{"d", &rule43},
		{"link", &rule43},
		{"flush", &rule43},
		{"get", &rule43},
	},
	}
	rule818 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -g/-graph -i/-iec -r/-raw -j/-json -n/-netns=/[A-Za-z0-9_.-]+/ -c[=any] -color[=any] -nm -o/-oneline -t/-timestamp -V/-Version", Style: "word", Commands: []Command{
		{"qdisc", &rule817},
		{"q", &rule817},
		{"qd", &rule817},
		{"class", &rule817},
		{"filter", &rule817},
		{"action", &rule817},
		{"chain", &rule817},
	},
	}
	rule819 = Rule{Do: "observe", Options: "-4 -6 -A/--as-path-lookups -d/--debug -e/--extensions -F/--dont-fragment -f/--first=lit -I/--icmp -i/--interface=lit -m/--max-hops=lit -N/--sim-queries=lit -n -p/--port=lit -q/--queries=lit -r -s/--source=lit -T/--tcp -t/--tos=lit -U/--udp -V/--version -w/--wait=lit -z/--sendwait=lit --back --mtu --sport=lit", Operands: "host lit?", Why: "a host that is written out: traceroute -n HOST"}
	rule820 = Rule{Do: "observe", Options: "-a/--append -i/--ignore-interrupts -p --output-error[=any]", Operands: "out*"}
	rule821 = Rule{Do: "observe", Options: "-json", Style: "word"}
	rule822 = Rule{Do: "observe", Options: "-id=any", Operands: "lit*", Style: "word"}
	rule823 = Rule{Do: "forbidden", Options: "-auto-approve -force -target=any -var=any -var-file=any -lock=any -input=any -destroy -refresh-only", Operands: "any*", Style: "word", Why: "infrastructure is not changed by an agent; hand it to a human"}
	rule824 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it runs providers, writes, or shows values that hold passwords; terraform state list is granted"}
	rule825 = Rule{Commands: []Command{
		{"list", &rule822},
		{"rm", &rule823},
		{"mv", &rule823},
		{"push", &rule823},
		{"replace-provider", &rule823},
		{"show", &rule824},
		{"pull", &rule824},
	},
	}
	rule826 = Rule{Commands: []Command{
		{"list", &rule181},
		{"show", &rule181},
		{"delete", &rule823},
		{"new", &rule823},
		{"select", &rule824},
	},
	}
	rule827 = Rule{Do: "observe", Options: "-chdir=code -version -v -help", Style: "word", Why: "only version, state list and workspace list: providers are programs, and plans, states and outputs hold passwords", Cwd: "code", Commands: []Command{
		{"version", &rule821},
		{"state", &rule825},
		{"workspace", &rule826},
		{"apply", &rule823},
		{"destroy", &rule823},
		{"import", &rule823},
		{"taint", &rule823},
		{"untaint", &rule823},
		{"force-unlock", &rule823},
		{"init", &rule824},
		{"plan", &rule824},
		{"refresh", &rule824},
		{"show", &rule824},
		{"output", &rule824},
		{"console", &rule824},
		{"get", &rule824},
		{"graph", &rule824},
		{"validate", &rule824},
		{"fmt", &rule824},
		{"providers", &rule824},
		{"test", &rule824},
		{"login", &rule824},
		{"logout", &rule824},
		{"metadata", &rule824},
		{"run", &rule824},
		{"query", &rule824},
		{"stacks", &rule824},
		{"modules", &rule824},
		{"exec", &rule824},
	},
	}
	rule828 = Rule{Do: "observe", Options: "-p/--portability -v/--verbose -f/--format=any -o/--output=out -a/--append -q/--quiet", Operands: "inner", Style: "strict"}
	rule829 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager -a/--all --value -p/--property/-P=any --no-ask-password --monitor", Commands: []Command{
		{"status", &rule19},
		{"show", &rule19},
		{"timesync-status", &rule19},
		{"show-timesync", &rule19},
		{"list-timezones", &rule19},
		{"ntp-servers", &rule19},
	},
	}
	rule830 = Rule{Do: "observe", Options: "-s/--signal=any -k/--kill-after=any --foreground --preserve-status -v/--verbose --help --version", Operands: "/[0-9]*\\.?[0-9]+[smhd]?/ inner", Style: "strict"}
	rule831 = Rule{Do: "observe", Options: "-V", Commands: []Command{
		{"ls", &rule19},
		{"list-sessions", &rule19},
	},
	}
	rule832 = Rule{Do: "observe", Options: "-b/--batch-mode -c/--cmdline-toggle -d/--delay=any -E/--scale-summary-mem=any -e/--scale-task-mem=any -H/--threads-show -i/--idle-toggle -n/--iterations=any -O/--list-fields -o/--sort-override=any -p/--pid=any -S/--accum-time-toggle -s/--secure-mode -u/-U/--filter-any-user/--filter-only-euser=any -w/--width[=any] -1/--single-cpu-toggle -v/-V/--version -h/--help", Operands: "/[0-9]+/?", Why: "nobody sits at the keyboard: top -b -n 1", Requires: "-b|--batch-mode|-v|--version|-h"}
	rule833 = Rule{Do: "observe", Options: "-a -c/--no-create -m -d/--date=any -t=any -r/--reference=meta", Operands: "out+"}
	rule834 = Rule{Do: "observe", Operands: "cols|lines|colors|sgr0|bold|longname|setaf /[0-9]+/?"}
	rule835 = Rule{Do: "observe", Options: "-4 -6 -b -l=lit -m=lit -n -p=lit -V", Operands: "host"}
	rule836 = Rule{Do: "observe", Options: "--ping"}
	rule837 = Rule{Do: "observe", Cwd: "code", Commands: []Command{
		{"version", &rule19},
		{"healthcheck", &rule836},
	},
	}
	rule838 = Rule{Do: "observe", Options: "-a -d -f -l -x -L=/[0-9]+/!apart -P=any!apart -I=any!apart --prune --filelimit=any --du -h -s -p -u -g -D --timefmt=any -F -i -q -N -n -C --noreport --dirsfirst --sort=any -r -t -c -v -U -J -X --inodes --device --matchdirs --ignore-case --si --charset=any --version --help", Operands: "meta*", Style: "gnu"}
	rule839 = Rule{Do: "change", Options: "-s/--size=size -c/--no-create", Operands: "any+", Check: "truncate"}
	rule840 = Rule{Do: "observe", Options: "-s/--silent/--quiet"}
	rule841 = Rule{Do: "observe", Options: "-l", Operands: "meta", Why: "settings of a file system are only shown: tune2fs -l DEVICE", Requires: "-l"}
	rule842 = Rule{Do: "observe", Options: "-q/--query=any -n/--name=meta -p/--path=any -a/--attribute-walk -x/--export -r/--root -e/--export-db", Operands: "meta*"}
	rule843 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule842},
	},
	}
	rule844 = Rule{Do: "observe", Operands: "verbose|numbered?"}
	rule845 = Rule{Do: "observe", Operands: "raw|builtins|before-rules|user-rules|after-rules|logging-rules|listening|added"}
	rule846 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule844},
		{"show", &rule845},
		{"version", &rule19},
		{"app", &rule329},
		{"allow", &rule43},
		{"deny", &rule43},
		{"reject", &rule43},
		{"limit", &rule43},
		{"delete", &rule43},
		{"insert", &rule43},
		{"prepend", &rule43},
		{"route", &rule43},
		{"enable", &rule43},
		{"disable", &rule43},
		{"reload", &rule43},
		{"reset", &rule43},
		{"default", &rule43},
		{"logging", &rule43},
	},
	}
	rule847 = Rule{Do: "observe", Options: "-a -s -n -r -v -m -p -i -o", Loose: true}
	rule848 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule19},
		{"stats_noreset", &rule19},
		{"list_forwards", &rule19},
		{"list_stubs", &rule19},
	},
	}
	rule849 = Rule{Do: "observe", Options: "-c/--count -d/--repeated -D --all-repeated[=any] -f/--skip-fields=any --group[=any] -i/--ignore-case -s/--skip-chars=any -u/--unique -z/--zero-terminated -w/--check-chars=any --help --version", Operands: "file? out?"}
	rule850 = Rule{Do: "change", Operands: "any+", Check: "rm"}
	rule851 = Rule{Do: "observe", Options: "-l -v -t -q -z", Operands: "file /[^-].*/*", Why: "archives are only listed, by options in front of the archive: unzip -l FILE", Requires: "-l|-v|-t|-z"}
	rule852 = Rule{Do: "observe", Options: "--display --list --query --get-selections", Operands: "lit?", Requires: "--display|--list|--query|--get-selections"}
	rule853 = Rule{Do: "observe", Options: "-p/--pretty -s/--since -r/--raw -V/--version -h/--help"}
	rule854 = Rule{Do: "observe", Operands: "file*"}
	rule855 = Rule{Do: "observe", Options: "-p -j", Operands: "lit?"}
	rule856 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule855},
		{"ping", &rule855},
		{"backend.list", &rule855},
		{"ban.list", &rule855},
		{"storage.list", &rule855},
		{"panic.show", &rule855},
		{"vcl.list", &rule855},
	},
	}
	rule857 = Rule{Do: "observe", Options: "-1 -j -f=any -n=lit -l", Requires: "-1|-j|-l"}
	rule858 = Rule{Do: "observe", Options: "-format=lit -address=dbhost", Style: "word"}
	rule859 = Rule{Do: "forbidden", Operands: "any*", Why: "what it keeps are secrets; only vault status is granted", Loose: true}
	rule860 = Rule{Do: "observe", Why: "only vault status is granted; what it keeps are secrets", Commands: []Command{
		{"status", &rule858},
		{"version", &rule19},
		{"read", &rule859},
		{"list", &rule859},
		{"kv", &rule859},
		{"token", &rule859},
		{"login", &rule859},
		{"print", &rule859},
		{"unwrap", &rule859},
		{"write", &rule859},
		{"secrets", &rule859},
		{"lease", &rule859},
		{"ssh", &rule859},
		{"pki", &rule859},
		{"transit", &rule859},
		{"agent", &rule859},
		{"proxy", &rule859},
		{"debug", &rule859},
		{"monitor", &rule859},
	},
	}
	rule861 = Rule{Commands: []Command{
		{"get", &rule32},
	},
	}
	rule862 = Rule{Commands: []Command{
		{"backups", &rule32},
		{"schedules", &rule32},
		{"restores", &rule32},
	},
	}
	rule863 = Rule{Do: "observe", Persistent: "-n/--namespace=lit", Commands: []Command{
		{"backup", &rule861},
		{"get", &rule862},
		{"schedule", &rule861},
		{"restore", &rule861},
		{"version", &rule32},
	},
	}
	rule864 = Rule{Do: "observe", Options: "--all --inactive --name --state-running --title --autostart"}
	rule865 = Rule{Do: "observe", Options: "--all --reason", Operands: "/[A-Za-z0-9_.:-]+/*"}
	rule866 = Rule{Do: "observe", Options: "-r/--readonly -q/--quiet", Commands: []Command{
		{"list", &rule864},
		{"dominfo", &rule865},
		{"domstate", &rule865},
		{"domstats", &rule865},
		{"domblklist", &rule865},
		{"domiflist", &rule865},
		{"domifstat", &rule865},
		{"domblkstat", &rule865},
		{"nodeinfo", &rule865},
		{"pool-list", &rule865},
		{"pool-info", &rule865},
		{"net-list", &rule865},
		{"net-info", &rule865},
		{"vcpuinfo", &rule865},
		{"version", &rule865},
		{"hostname", &rule865},
		{"uptime", &rule865},
	},
	}
	rule867 = Rule{Do: "observe", Options: "-a/--active -f/--forks -m/--slabs -n/--one-header -s/--stats -d/--disk -D/--disk-sum -p/--partition=any -S/--unit=any -w/--wide -t/--timestamp -y/--no-first -h/--help -V/--version", Operands: "/[0-9]+/*"}
	rule868 = Rule{Do: "observe", Options: "-c=/show\\x20(?:ip|ipv6|bgp|interface|version|memory|thread|zebra|daemons|bfd|isis|mpls|vrf|evpn|route-map)(?:\\x20[A-Za-z0-9.:\\/-]+)*/", Requires: "-c"}
	rule869 = Rule{Do: "observe", Options: "-h/--no-header -u/--no-current -s/--short -f/--from -o/--old-style -i/--ip-addr -p/--pids", Operands: "any?"}
	rule870 = Rule{Do: "observe", Options: "--detail --pretty --json"}
	rule871 = Rule{Do: "observe", Options: "--version", Commands: []Command{
		{"backup-list", &rule870},
	},
	}
	rule872 = Rule{Do: "observe", Options: "-b/--beep -c/--color -C/--no-color -d/--differences[=any] -e/--errexit -g/--chgexit -q/--equexit=any -n/--interval=any -p/--precise -t/--no-title -w/--no-wrap -r/--no-rerun", Operands: "remote", Style: "strict", Check: "loop"}
	rule873 = Rule{Do: "observe", Options: "-c/--bytes -m/--chars -l/--lines -w/--words -L/--max-line-length --total=any --help --version", Operands: "file*", Style: "gnu", Globs: true}
	rule874 = Rule{Do: "observe", Operands: "/[a-z0-9_-]*[0-9_-][a-z0-9_-]*|all/? latest-handshakes|transfer|endpoints|peers|listen-port|allowed-ips|persistent-keepalive?", Why: "wg show INTERFACE, or latest-handshakes, transfer, endpoints of it: the keys are secrets"}
	rule875 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule874},
		{"showconf", &rule483},
		{"genkey", &rule483},
		{"genpsk", &rule483},
		{"pubkey", &rule483},
		{"set", &rule483},
		{"setconf", &rule483},
		{"addconf", &rule483},
		{"syncconf", &rule483},
	},
	}
	rule876 = Rule{Do: "observe", Options: "-q/--quiet -v/--verbose -n=v --no-verbose -S/--server-response --spider -O/--output-document=out -T/--timeout=lit --dns-timeout=lit --connect-timeout=lit --read-timeout=lit -t/--tries=lit --waitretry=lit --retry-connrefused --retry-on-http-error=lit --max-redirect=lit --limit-rate=lit -Q/--quota=lit --content-on-error --progress=lit --show-progress --report-speed=lit --no-check-certificate --ca-certificate=file --ca-directory=lit --crl-file=file --https-only --secure-protocol=lit --ciphers=lit -4/--inet4-only -6/--inet6-only --prefer-family=lit --bind-address=lit --no-dns-cache --no-proxy --no-netrc --no-config --no-cache --no-cookies --no-hsts --no-http-keep-alive --compression=lit --ignore-length --save-headers -U/--user-agent=/[^\\r\\n]*/ --method=GET|HEAD --header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id):[^\\r\\n]*/ -V/--version", Operands: "url*", Style: "gnu", Why: "without a file in the working folder and without sending anything, for example: wget -qO- http://127.0.0.1:8080/health; for a host that is not known add --max-redirect=0, or use curl", Requires: "-O|--output-document|--spider|-V|--version", Check: "http"}
	rule877 = Rule{Do: "observe", Options: "-b -m -s -u -l", Operands: "lit*"}
	rule878 = Rule{Do: "observe", Options: "-a -s", Operands: "any*", Loose: true}
	rule879 = Rule{Do: "observe", Options: "-a/--all -b/--boot -d/--dead -H/--heading --ips -l/--login --lookup -m -p/--process -q/--count -r/--runlevel -s/--short -t/--time -T/-w/--mesg/--message/--writable -u/--users --help --version", Operands: "file*"}
	rule880 = Rule{Do: "observe", Options: "-h/--host=host -p/--port=lit -H --no-recursion --verbose --version --help", Operands: "lit+"}
	rule881 = Rule{Do: "observe", Options: "-x -c=/(?:report|df|free|state|quota)(?:\\x20-[abdghinprtuU]+)*/", Operands: "meta?", Requires: "-c"}
	rule882 = Rule{Do: "unknown", Operands: "any*", Why: "it fetches what a document names; use cat, grep, sed -n", Loose: true}
	rule883 = Rule{Do: "observe", Options: "-a -b -c=/[0-9]+/ -E -e -g=/[0-9]+/ -i -l/-len=/[0-9]+/ -p/-ps -r -s=/[0-9]+/ -u -v", Operands: "none", Style: "word", Why: "from its input, since what stands behind a file is written: head -c 256 FILE | xxd", Stdin: "data"}
	rule884 = Rule{Do: "observe", Options: "-r/--unwrapScalar -o/--output-format=yaml|json|y|j|props|p|csv|tsv|xml|x -p/--input-format=yaml|json|y|j|props|p|csv|tsv|xml|x|toml -P/--prettyPrint -C/--colors -M/--no-colors -N/--no-doc -j/--tojson -e/--exit-status", Operands: "/\\.|(?:\\.?(?:[A-Za-z_][A-Za-z0-9_-]*|\"[A-Za-z0-9_.\\/-]+\")(?:\\[[0-9]*\\])?|\\.?\\[\"[A-Za-z0-9_.\\/-]+\"\\]|\\.?\\[[0-9]*\\])+(?:\\s*\\|\\s*(?:keys|length|type|to_entries|\\.\\[\\]|\\.[A-Za-z_][A-Za-z0-9_-]*))*/ file*"}
	rule885 = Rule{Do: "observe", Options: "-r/--unwrapScalar/--raw-output -o/--output-format=yaml|json|y|j|props|p|csv|tsv|xml|x -p/--input-format=yaml|json|y|j|props|p|csv|tsv|xml|x|toml -P/--prettyPrint -C/--colors -M/--no-colors -N/--no-doc -j/--tojson -e/--exit-status -c/--compact-output -y/--yaml-output -V/--version", Operands: "/\\.|(?:\\.?(?:[A-Za-z_][A-Za-z0-9_-]*|\"[A-Za-z0-9_.\\/-]+\")(?:\\[[0-9]*\\])?|\\.?\\[\"[A-Za-z0-9_.\\/-]+\"\\]|\\.?\\[[0-9]*\\])+(?:\\s*\\|\\s*(?:keys|length|type|to_entries|\\.\\[\\]|\\.[A-Za-z_][A-Za-z0-9_-]*))*/ file*", Why: "only plain paths are read: yq .services.web.image FILE", Commands: []Command{
		{"eval", &rule884},
		{"e", &rule884},
	},
	}
	rule886 = Rule{Do: "observe", Options: "-q -s -c -u -i -w -b -B -a", Operands: "file file"}
	rule887 = Rule{Do: "observe", Options: "-H -p -r -d=any -o=any -s=any -S=any -t=any -n -i -j -F", Operands: "any*"}
	rule888 = Rule{Do: "forbidden", Operands: "any*", Why: "pools hold the services' data; ask a person", Loose: true}
	rule889 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule887},
		{"get", &rule887},
		{"userspace", &rule887},
		{"groupspace", &rule887},
		{"holds", &rule887},
		{"diff", &rule887},
		{"version", &rule887},
		{"destroy", &rule888},
		{"create", &rule888},
		{"rollback", &rule888},
		{"snapshot", &rule888},
		{"snap", &rule888},
		{"clone", &rule888},
		{"promote", &rule888},
		{"rename", &rule888},
		{"set", &rule888},
		{"inherit", &rule888},
		{"mount", &rule888},
		{"unmount", &rule888},
		{"umount", &rule888},
		{"share", &rule888},
		{"unshare", &rule888},
		{"send", &rule888},
		{"receive", &rule888},
		{"recv", &rule888},
		{"release", &rule888},
		{"hold", &rule888},
		{"allow", &rule888},
		{"unallow", &rule888},
		{"upgrade", &rule888},
		{"load-key", &rule888},
		{"unload-key", &rule888},
		{"change-key", &rule888},
		{"bookmark", &rule888},
		{"program", &rule888},
	},
	}
	rule890 = Rule{Do: "observe", Options: "-1 -2 -s -m -l -v -h -t -T -z", Operands: "file /[^-].*/*"}
	rule891 = Rule{Do: "observe", Options: "-v -x -L -P -D -g -H -p -o=any -T=any -y -l -q -w -r -n -i -s -t -e -j --json", Operands: "any*"}
	rule892 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule891},
		{"list", &rule891},
		{"iostat", &rule891},
		{"get", &rule891},
		{"history", &rule891},
		{"events", &rule891},
		{"version", &rule891},
		{"destroy", &rule888},
		{"create", &rule888},
		{"add", &rule888},
		{"remove", &rule888},
		{"attach", &rule888},
		{"detach", &rule888},
		{"replace", &rule888},
		{"offline", &rule888},
		{"online", &rule888},
		{"import", &rule888},
		{"export", &rule888},
		{"clear", &rule888},
		{"scrub", &rule888},
		{"trim", &rule888},
		{"initialize", &rule888},
		{"labelclear", &rule888},
		{"upgrade", &rule888},
		{"split", &rule888},
		{"reguid", &rule888},
		{"reopen", &rule888},
		{"set", &rule888},
		{"checkpoint", &rule888},
		{"resilver", &rule888},
		{"sync", &rule888},
	},
	}
)

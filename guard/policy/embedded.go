// Code generated from policy.yaml by "go generate ./guard/policy"; DO NOT EDIT.

package policy

var embedded = Policy{
	Programs: []Program{
		{"7z", &rule0},
		{"7za", &rule0},
		{"R", &rule1},
		{"aa-complain", &rule2},
		{"aa-disable", &rule2},
		{"aa-enforce", &rule2},
		{"aa-exec", &rule3},
		{"aa-status", &rule4},
		{"ack", &rule1},
		{"add-apt-repository", &rule5},
		{"addgroup", &rule6},
		{"adduser", &rule6},
		{"ag", &rule1},
		{"anacron", &rule7},
		{"angie", &rule8},
		{"ansible", &rule9},
		{"ansible-config", &rule10},
		{"ansible-connection", &rule10},
		{"ansible-console", &rule10},
		{"ansible-doc", &rule11},
		{"ansible-galaxy", &rule10},
		{"ansible-inventory", &rule12},
		{"ansible-playbook", &rule13},
		{"ansible-pull", &rule10},
		{"ansible-vault", &rule14},
		{"apache2", &rule18},
		{"apache2ctl", &rule18},
		{"apachectl", &rule18},
		{"apk", &rule21},
		{"apparmor_parser", &rule2},
		{"apparmor_status", &rule4},
		{"apprise", &rule22},
		{"apropos", &rule1},
		{"apt", &rule25},
		{"apt-cache", &rule27},
		{"apt-config", &rule5},
		{"apt-file", &rule5},
		{"apt-get", &rule5},
		{"apt-key", &rule5},
		{"apt-mark", &rule29},
		{"aptitude", &rule5},
		{"ar", &rule0},
		{"arch", &rule30},
		{"arp", &rule31},
		{"arping", &rule32},
		{"arptables", &rule33},
		{"at", &rule7},
		{"atop", &rule34},
		{"atq", &rule35},
		{"atrm", &rule7},
		{"auditctl", &rule2},
		{"aureport", &rule36},
		{"ausearch", &rule37},
		{"autossh", &rule38},
		{"awk", &rule39},
		{"aws", &rule40},
		{"az", &rule40},
		{"b2sum", &rule41},
		{"bacula", &rule42},
		{"badblocks", &rule43},
		{"base32", &rule44},
		{"base64", &rule44},
		{"basename", &rule45},
		{"basenc", &rule44},
		{"bash", &rule46},
		{"bat", &rule47},
		{"batcat", &rule47},
		{"batch", &rule7},
		{"bc", &rule48},
		{"bconsole", &rule42},
		{"blkdiscard", &rule43},
		{"blkid", &rule49},
		{"blkzone", &rule43},
		{"blockdev", &rule50},
		{"bmon", &rule34},
		{"borg", &rule42},
		{"borgmatic", &rule42},
		{"bpftrace", &rule51},
		{"brctl", &rule33},
		{"bridge", &rule53},
		{"bsdtar", &rule55},
		{"btop", &rule34},
		{"btrfs", &rule67},
		{"btrfsck", &rule43},
		{"buildah", &rule68},
		{"bundle", &rule69},
		{"bunzip2", &rule70},
		{"busctl", &rule71},
		{"busybox", &rule3},
		{"bwrap", &rule3},
		{"byobu", &rule1},
		{"bzcat", &rule72},
		{"bzgrep", &rule73},
		{"bzip2", &rule70},
		{"bzless", &rule47},
		{"cal", &rule74},
		{"capsh", &rule3},
		{"cargo", &rule69},
		{"cat", &rule75},
		{"cc", &rule69},
		{"ceph", &rule85},
		{"certbot", &rule88},
		{"cfdisk", &rule43},
		{"cgclassify", &rule3},
		{"cgcreate", &rule89},
		{"cgdisk", &rule43},
		{"cgexec", &rule89},
		{"cgset", &rule89},
		{"chage", &rule6},
		{"chattr", &rule2},
		{"chcon", &rule2},
		{"chfn", &rule6},
		{"chgrp", &rule90},
		{"chmod", &rule91},
		{"choom", &rule89},
		{"chown", &rule90},
		{"chpasswd", &rule6},
		{"chpst", &rule3},
		{"chronic", &rule92},
		{"chronyc", &rule95},
		{"chroot", &rule3},
		{"chrt", &rule89},
		{"chsh", &rule6},
		{"cksum", &rule41},
		{"claude", &rule96},
		{"claude-hooks", &rule96},
		{"claudeops", &rule117},
		{"clear", &rule30},
		{"cloud-init", &rule120},
		{"clusterdb", &rule121},
		{"cmake", &rule69},
		{"cmp", &rule122},
		{"codex", &rule96},
		{"colordiff", &rule123},
		{"column", &rule124},
		{"comm", &rule125},
		{"composer", &rule69},
		{"conda", &rule69},
		{"conntrack", &rule126},
		{"consul", &rule132},
		{"containerd", &rule68},
		{"coredumpctl", &rule135},
		{"cp", &rule136},
		{"cpio", &rule0},
		{"cpulimit", &rule89},
		{"crash", &rule51},
		{"createdb", &rule121},
		{"createuser", &rule121},
		{"crictl", &rule146},
		{"crm_mon", &rule147},
		{"cron", &rule7},
		{"crond", &rule7},
		{"crontab", &rule148},
		{"crun", &rule68},
		{"cryptsetup", &rule150},
		{"cset", &rule89},
		{"csplit", &rule1},
		{"ctr", &rule158},
		{"curl", &rule159},
		{"cut", &rule160},
		{"daemon", &rule3},
		{"daemonize", &rule3},
		{"dash", &rule46},
		{"date", &rule161},
		{"dbus-run-session", &rule3},
		{"dbus-send", &rule71},
		{"dc", &rule162},
		{"dd", &rule0},
		{"debsums", &rule163},
		{"debugfs", &rule51},
		{"delgroup", &rule6},
		{"deluser", &rule6},
		{"delv", &rule164},
		{"depmod", &rule165},
		{"df", &rule166},
		{"dhclient", &rule33},
		{"dhcpcd", &rule33},
		{"dialog", &rule1},
		{"diff", &rule123},
		{"dig", &rule167},
		{"dir", &rule168},
		{"dirname", &rule45},
		{"dmesg", &rule169},
		{"dmidecode", &rule170},
		{"dmraid", &rule43},
		{"dmsetup", &rule172},
		{"dnf", &rule177},
		{"dnsdomainname", &rule30},
		{"do-release-upgrade", &rule5},
		{"doas", &rule178},
		{"docker", &rule277},
		{"docker-compose", &rule276},
		{"dockerd", &rule68},
		{"doctl", &rule40},
		{"dpkg", &rule278},
		{"dpkg-query", &rule279},
		{"drbdadm", &rule281},
		{"drill", &rule282},
		{"dropdb", &rule283},
		{"dropuser", &rule283},
		{"dselect", &rule5},
		{"dtrace", &rule51},
		{"du", &rule284},
		{"duf", &rule285},
		{"dumb-init", &rule3},
		{"dumpe2fs", &rule286},
		{"duplicity", &rule42},
		{"dust", &rule285},
		{"e2fsck", &rule43},
		{"e2label", &rule43},
		{"ebtables", &rule33},
		{"ed", &rule1},
		{"egrep", &rule73},
		{"eject", &rule43},
		{"emacs", &rule1},
		{"entr", &rule1},
		{"etcdctl", &rule292},
		{"ethtool", &rule293},
		{"ex", &rule1},
		{"exim", &rule294},
		{"exim4", &rule294},
		{"expand", &rule295},
		{"expect", &rule1},
		{"exportfs", &rule296},
		{"expr", &rule45},
		{"factor", &rule74},
		{"fail2ban-client", &rule297},
		{"faillock", &rule6},
		{"fakeroot", &rule3},
		{"faketime", &rule3},
		{"fallocate", &rule0},
		{"fdisk", &rule298},
		{"fgrep", &rule73},
		{"file", &rule299},
		{"findmnt", &rule300},
		{"firejail", &rule3},
		{"firewall-cmd", &rule301},
		{"firewalld", &rule33},
		{"flatpak", &rule69},
		{"flock", &rule3},
		{"fmt", &rule302},
		{"fold", &rule302},
		{"fping", &rule303},
		{"fping6", &rule303},
		{"free", &rule304},
		{"fsck", &rule43},
		{"fsck.ext4", &rule43},
		{"fsck.xfs", &rule43},
		{"fsfreeze", &rule43},
		{"fstrim", &rule43},
		{"fuser", &rule305},
		{"fusermount", &rule43},
		{"fusermount3", &rule43},
		{"fzf", &rule1},
		{"gawk", &rule39},
		{"gcc", &rule69},
		{"gcloud", &rule40},
		{"gcore", &rule51},
		{"gdb", &rule51},
		{"gdbus", &rule71},
		{"gdisk", &rule43},
		{"gdu", &rule285},
		{"gem", &rule69},
		{"gemini", &rule96},
		{"getcap", &rule306},
		{"getconf", &rule74},
		{"getenforce", &rule4},
		{"getent", &rule309},
		{"getfacl", &rule310},
		{"getsebool", &rule311},
		{"gh", &rule333},
		{"git", &rule376},
		{"glab", &rule377},
		{"glances", &rule34},
		{"go", &rule69},
		{"gosu", &rule3},
		{"gpasswd", &rule6},
		{"gradle", &rule69},
		{"grep", &rule73},
		{"groupadd", &rule6},
		{"groupdel", &rule6},
		{"groupmod", &rule6},
		{"groups", &rule378},
		{"growpart", &rule43},
		{"grpck", &rule6},
		{"gsed", &rule379},
		{"gtar", &rule55},
		{"gunzip", &rule380},
		{"gzcat", &rule72},
		{"gzip", &rule380},
		{"halt", &rule381},
		{"haproxy", &rule382},
		{"hcloud", &rule40},
		{"hd", &rule383},
		{"hdparm", &rule43},
		{"head", &rule384},
		{"helm", &rule404},
		{"hexdump", &rule383},
		{"host", &rule405},
		{"hostid", &rule30},
		{"hostname", &rule406},
		{"hostnamectl", &rule408},
		{"hping3", &rule32},
		{"htop", &rule34},
		{"httpd", &rule18},
		{"hub", &rule377},
		{"i386", &rule3},
		{"iconv", &rule409},
		{"id", &rule378},
		{"ifconfig", &rule410},
		{"ifdown", &rule33},
		{"ifenslave", &rule33},
		{"iftop", &rule34},
		{"ifup", &rule33},
		{"incus", &rule68},
		{"info", &rule1},
		{"init", &rule381},
		{"initdb", &rule121},
		{"insmod", &rule165},
		{"install", &rule0},
		{"invoke-rc.d", &rule411},
		{"ionice", &rule412},
		{"iostat", &rule413},
		{"iotop", &rule414},
		{"ip", &rule422},
		{"ip6tables", &rule423},
		{"ip6tables-legacy", &rule423},
		{"ip6tables-nft", &rule423},
		{"ip6tables-nft-save", &rule424},
		{"ip6tables-restore", &rule33},
		{"ip6tables-save", &rule424},
		{"ipcs", &rule425},
		{"ipset", &rule427},
		{"iptables", &rule423},
		{"iptables-apply", &rule33},
		{"iptables-legacy", &rule423},
		{"iptables-legacy-save", &rule424},
		{"iptables-nft", &rule423},
		{"iptables-nft-save", &rule424},
		{"iptables-restore", &rule33},
		{"iptables-save", &rule424},
		{"iptraf", &rule34},
		{"iptraf-ng", &rule34},
		{"ipvsadm", &rule428},
		{"iscsiadm", &rule429},
		{"java", &rule430},
		{"jcmd", &rule51},
		{"jdb", &rule51},
		{"jinfo", &rule51},
		{"jmap", &rule51},
		{"joe", &rule1},
		{"join", &rule431},
		{"journalctl", &rule432},
		{"jps", &rule433},
		{"jq", &rule434},
		{"jstack", &rule435},
		{"jstat", &rule436},
		{"kafka-consumer-groups", &rule437},
		{"kafka-consumer-groups.sh", &rule437},
		{"kafka-topics", &rule437},
		{"kafka-topics.sh", &rule437},
		{"kexec", &rule381},
		{"keydb-cli", &rule438},
		{"kill", &rule439},
		{"killall", &rule440},
		{"killall5", &rule440},
		{"kmod", &rule165},
		{"kpartx", &rule43},
		{"kubectl", &rule477},
		{"last", &rule478},
		{"lastb", &rule6},
		{"lastlog", &rule479},
		{"ld.so", &rule3},
		{"ldconfig", &rule480},
		{"ldd", &rule1},
		{"less", &rule481},
		{"link", &rule0},
		{"linux32", &rule3},
		{"linux64", &rule3},
		{"lldb", &rule51},
		{"ln", &rule0},
		{"locale", &rule74},
		{"localectl", &rule482},
		{"locate", &rule483},
		{"loginctl", &rule484},
		{"logname", &rule30},
		{"logrotate", &rule485},
		{"logsave", &rule3},
		{"losetup", &rule43},
		{"ls", &rule168},
		{"lsattr", &rule486},
		{"lsblk", &rule487},
		{"lscpu", &rule488},
		{"lsfd", &rule425},
		{"lshw", &rule489},
		{"lsipc", &rule425},
		{"lsirqs", &rule490},
		{"lslocks", &rule425},
		{"lslogins", &rule491},
		{"lsmem", &rule492},
		{"lsmod", &rule15},
		{"lsns", &rule425},
		{"lsof", &rule493},
		{"lspci", &rule494},
		{"lsusb", &rule495},
		{"ltrace", &rule51},
		{"lua", &rule1},
		{"lvchange", &rule496},
		{"lvconvert", &rule496},
		{"lvcreate", &rule496},
		{"lvdisplay", &rule497},
		{"lvextend", &rule496},
		{"lvm", &rule496},
		{"lvreduce", &rule496},
		{"lvremove", &rule496},
		{"lvrename", &rule496},
		{"lvresize", &rule496},
		{"lvs", &rule497},
		{"lvscan", &rule496},
		{"lxc", &rule68},
		{"lxc-attach", &rule68},
		{"lxc-exec", &rule68},
		{"lz4", &rule70},
		{"lz4cat", &rule72},
		{"lzcat", &rule72},
		{"lzma", &rule70},
		{"m4", &rule1},
		{"machinectl", &rule499},
		{"mail", &rule500},
		{"mailq", &rule501},
		{"mailx", &rule500},
		{"make", &rule69},
		{"man", &rule1},
		{"mariabackup", &rule42},
		{"mariadb", &rule502},
		{"mariadb-admin", &rule506},
		{"mariadb-check", &rule507},
		{"mariadb-dump", &rule507},
		{"mariadb-show", &rule508},
		{"mawk", &rule39},
		{"mc", &rule1},
		{"md5sum", &rule41},
		{"mdadm", &rule509},
		{"microdnf", &rule177},
		{"mkdir", &rule510},
		{"mke2fs", &rule43},
		{"mkfifo", &rule1},
		{"mkfs", &rule43},
		{"mkfs.btrfs", &rule43},
		{"mkfs.ext2", &rule43},
		{"mkfs.ext3", &rule43},
		{"mkfs.ext4", &rule43},
		{"mkfs.fat", &rule43},
		{"mkfs.vfat", &rule43},
		{"mkfs.xfs", &rule43},
		{"mknod", &rule1},
		{"mkswap", &rule43},
		{"mktemp", &rule511},
		{"mlocate", &rule483},
		{"mmv", &rule0},
		{"modinfo", &rule512},
		{"modprobe", &rule165},
		{"mongo", &rule513},
		{"mongosh", &rule513},
		{"mongostat", &rule514},
		{"mongotop", &rule514},
		{"more", &rule481},
		{"mosh", &rule38},
		{"most", &rule47},
		{"mount", &rule515},
		{"mount.nfs", &rule43},
		{"mountpoint", &rule516},
		{"mountstats", &rule517},
		{"mpstat", &rule518},
		{"msmtp", &rule500},
		{"mtr", &rule519},
		{"multipath", &rule520},
		{"mutt", &rule500},
		{"mv", &rule521},
		{"mvn", &rule69},
		{"mysql", &rule502},
		{"mysqladmin", &rule506},
		{"mysqlbinlog", &rule507},
		{"mysqlcheck", &rule507},
		{"mysqldump", &rule507},
		{"mysqlimport", &rule507},
		{"mysqlpump", &rule507},
		{"mysqlshow", &rule508},
		{"named-checkconf", &rule522},
		{"named-checkzone", &rule522},
		{"namei", &rule523},
		{"nano", &rule1},
		{"nats", &rule437},
		{"nawk", &rule39},
		{"nc", &rule524},
		{"nc.openbsd", &rule524},
		{"nc.traditional", &rule524},
		{"ncal", &rule74},
		{"ncat", &rule524},
		{"ncdu", &rule285},
		{"needrestart", &rule5},
		{"nerdctl", &rule277},
		{"netcat", &rule524},
		{"nethogs", &rule34},
		{"netplan", &rule526},
		{"netstat", &rule527},
		{"networkctl", &rule528},
		{"newgrp", &rule6},
		{"newusers", &rule6},
		{"nfsiostat", &rule517},
		{"nfsstat", &rule517},
		{"nft", &rule530},
		{"nginx", &rule8},
		{"nice", &rule531},
		{"nl", &rule532},
		{"nmap", &rule32},
		{"nmcli", &rule540},
		{"nmon", &rule34},
		{"node", &rule430},
		{"nodejs", &rule430},
		{"nohup", &rule92},
		{"npm", &rule69},
		{"nproc", &rule541},
		{"npx", &rule69},
		{"nsenter", &rule542},
		{"nslookup", &rule543},
		{"nstat", &rule544},
		{"ntfsfix", &rule43},
		{"ntpq", &rule545},
		{"ntpstat", &rule15},
		{"numactl", &rule3},
		{"numastat", &rule490},
		{"numfmt", &rule45},
		{"nvme", &rule548},
		{"oci", &rule40},
		{"od", &rule549},
		{"openresty", &rule8},
		{"openssl", &rule562},
		{"original-awk", &rule39},
		{"pacman", &rule563},
		{"pam_tally2", &rule6},
		{"parallel", &rule1},
		{"parted", &rule564},
		{"partprobe", &rule43},
		{"partx", &rule43},
		{"passwd", &rule6},
		{"paste", &rule565},
		{"patch", &rule0},
		{"patronictl", &rule569},
		{"pcs", &rule573},
		{"perf", &rule51},
		{"perl", &rule430},
		{"pg", &rule47},
		{"pg_archivecleanup", &rule283},
		{"pg_basebackup", &rule121},
		{"pg_config", &rule574},
		{"pg_controldata", &rule575},
		{"pg_createcluster", &rule121},
		{"pg_ctl", &rule576},
		{"pg_ctlcluster", &rule577},
		{"pg_dropcluster", &rule283},
		{"pg_dump", &rule121},
		{"pg_dumpall", &rule578},
		{"pg_isready", &rule579},
		{"pg_lsclusters", &rule580},
		{"pg_receivewal", &rule121},
		{"pg_resetwal", &rule283},
		{"pg_restore", &rule121},
		{"pg_rewind", &rule283},
		{"pgbackrest", &rule582},
		{"pgrep", &rule583},
		{"php", &rule430},
		{"php-fpm", &rule584},
		{"php-fpm7.4", &rule584},
		{"php-fpm8.0", &rule584},
		{"php-fpm8.1", &rule584},
		{"php-fpm8.2", &rule584},
		{"php-fpm8.3", &rule584},
		{"php-fpm8.4", &rule584},
		{"php-fpm8.5", &rule584},
		{"php-fpm83", &rule584},
		{"php-fpm84", &rule584},
		{"pico", &rule1},
		{"pidof", &rule585},
		{"pidstat", &rule586},
		{"pigz", &rule70},
		{"ping", &rule587},
		{"ping4", &rule587},
		{"ping6", &rule587},
		{"pinky", &rule491},
		{"pip", &rule589},
		{"pip3", &rule589},
		{"pipx", &rule69},
		{"pkexec", &rule71},
		{"pkill", &rule440},
		{"plocate", &rule483},
		{"pm-hibernate", &rule381},
		{"pm-suspend", &rule381},
		{"pm2", &rule594},
		{"pmap", &rule595},
		{"pnpm", &rule69},
		{"podman", &rule277},
		{"podman-compose", &rule276},
		{"postconf", &rule596},
		{"postfix", &rule598},
		{"postqueue", &rule599},
		{"poweroff", &rule381},
		{"powertop", &rule34},
		{"pr", &rule75},
		{"prlimit", &rule600},
		{"proot", &rule3},
		{"ps", &rule601},
		{"psql", &rule602},
		{"pstree", &rule603},
		{"pvchange", &rule496},
		{"pvcreate", &rule496},
		{"pvdisplay", &rule497},
		{"pvmove", &rule496},
		{"pvremove", &rule496},
		{"pvresize", &rule496},
		{"pvs", &rule497},
		{"pvscan", &rule496},
		{"pwck", &rule6},
		{"pwconv", &rule6},
		{"pwdx", &rule604},
		{"pwunconv", &rule6},
		{"py-spy", &rule51},
		{"python", &rule605},
		{"python3", &rule605},
		{"qshape", &rule28},
		{"quota", &rule606},
		{"rabbitmq-diagnostics", &rule609},
		{"rabbitmqctl", &rule613},
		{"ranger", &rule1},
		{"rar", &rule0},
		{"rbspy", &rule51},
		{"rc-service", &rule411},
		{"rc-status", &rule614},
		{"rclone", &rule42},
		{"rdiff-backup", &rule42},
		{"readlink", &rule615},
		{"realpath", &rule615},
		{"reboot", &rule381},
		{"redis-cli", &rule438},
		{"reindexdb", &rule121},
		{"rename", &rule0},
		{"renice", &rule89},
		{"repmgr", &rule620},
		{"repquota", &rule606},
		{"reptyr", &rule51},
		{"resize2fs", &rule43},
		{"resolvectl", &rule623},
		{"restic", &rule42},
		{"restorecon", &rule2},
		{"rev", &rule75},
		{"rfkill", &rule33},
		{"rg", &rule624},
		{"rlwrap", &rule3},
		{"rm", &rule625},
		{"rmdir", &rule626},
		{"rmmod", &rule165},
		{"route", &rule627},
		{"rpcinfo", &rule628},
		{"rpm", &rule629},
		{"rsync", &rule38},
		{"ruby", &rule430},
		{"run-parts", &rule3},
		{"run0", &rule71},
		{"runc", &rule68},
		{"runcon", &rule3},
		{"runlevel", &rule630},
		{"runuser", &rule631},
		{"rush", &rule1},
		{"s6-setuidgid", &rule3},
		{"sar", &rule632},
		{"scp", &rule38},
		{"screen", &rule1},
		{"script", &rule1},
		{"scriptreplay", &rule1},
		{"scrub", &rule43},
		{"sdiff", &rule123},
		{"sed", &rule379},
		{"sem", &rule3},
		{"semanage", &rule2},
		{"sendmail", &rule500},
		{"sensors", &rule633},
		{"seq", &rule45},
		{"service", &rule411},
		{"sestatus", &rule4},
		{"setarch", &rule3},
		{"setcap", &rule2},
		{"setenforce", &rule2},
		{"setfacl", &rule2},
		{"setfattr", &rule2},
		{"setpriv", &rule3},
		{"setsebool", &rule2},
		{"setsid", &rule634},
		{"setuidgid", &rule3},
		{"sfdisk", &rule298},
		{"sftp", &rule38},
		{"sg", &rule6},
		{"sg_format", &rule43},
		{"sgdisk", &rule43},
		{"sh", &rule46},
		{"sha1sum", &rule41},
		{"sha224sum", &rule41},
		{"sha256sum", &rule41},
		{"sha384sum", &rule41},
		{"sha512sum", &rule41},
		{"showmount", &rule635},
		{"shred", &rule43},
		{"shuf", &rule636},
		{"shutdown", &rule381},
		{"skill", &rule440},
		{"skopeo", &rule68},
		{"slabtop", &rule490},
		{"sleep", &rule45},
		{"smartctl", &rule637},
		{"snap", &rule641},
		{"snice", &rule440},
		{"socat", &rule642},
		{"sort", &rule643},
		{"split", &rule1},
		{"sponge", &rule0},
		{"sqlite3", &rule644},
		{"srm", &rule43},
		{"ss", &rule645},
		{"ssh", &rule646},
		{"ssh-add", &rule38},
		{"ssh-agent", &rule38},
		{"ssh-copy-id", &rule38},
		{"ssh-keygen", &rule647},
		{"ssh-keyscan", &rule648},
		{"sshd", &rule649},
		{"sshpass", &rule38},
		{"stap", &rule51},
		{"start-stop-daemon", &rule3},
		{"stat", &rule650},
		{"stdbuf", &rule651},
		{"strace", &rule51},
		{"strings", &rule652},
		{"su", &rule653},
		{"su-exec", &rule3},
		{"sudo", &rule654},
		{"sum", &rule41},
		{"supervisorctl", &rule659},
		{"sv", &rule663},
		{"swapoff", &rule43},
		{"swapon", &rule664},
		{"sysctl", &rule665},
		{"systemctl", &rule674},
		{"systemd-analyze", &rule675},
		{"systemd-ask-password", &rule71},
		{"systemd-cgls", &rule676},
		{"systemd-cgtop", &rule677},
		{"systemd-creds", &rule71},
		{"systemd-delta", &rule678},
		{"systemd-detect-virt", &rule630},
		{"systemd-escape", &rule630},
		{"systemd-firstboot", &rule71},
		{"systemd-id128", &rule630},
		{"systemd-inhibit", &rule71},
		{"systemd-mount", &rule71},
		{"systemd-notify", &rule71},
		{"systemd-nspawn", &rule68},
		{"systemd-path", &rule630},
		{"systemd-resolve", &rule679},
		{"systemd-run", &rule71},
		{"systemd-sysusers", &rule71},
		{"systemd-tmpfiles", &rule71},
		{"systemd-umount", &rule71},
		{"tac", &rule75},
		{"tail", &rule384},
		{"tar", &rule55},
		{"tasksel", &rule5},
		{"taskset", &rule89},
		{"tc", &rule681},
		{"tclsh", &rule1},
		{"tcpdump", &rule32},
		{"tcptraceroute", &rule682},
		{"tea", &rule377},
		{"tee", &rule683},
		{"telinit", &rule381},
		{"telnet", &rule32},
		{"terraform", &rule690},
		{"terragrunt", &rule690},
		{"time", &rule691},
		{"timedatectl", &rule692},
		{"timeout", &rule693},
		{"tini", &rule3},
		{"tldr", &rule1},
		{"tmux", &rule1},
		{"tofu", &rule690},
		{"top", &rule694},
		{"touch", &rule695},
		{"toybox", &rule3},
		{"tput", &rule696},
		{"tr", &rule45},
		{"trace-cmd", &rule51},
		{"tracepath", &rule697},
		{"tracepath6", &rule697},
		{"traceroute", &rule682},
		{"traceroute6", &rule682},
		{"tree", &rule698},
		{"truncate", &rule699},
		{"ts", &rule45},
		{"ts-node", &rule1},
		{"tshark", &rule32},
		{"tsort", &rule75},
		{"tty", &rule700},
		{"tune2fs", &rule701},
		{"udhcpc", &rule33},
		{"ufw", &rule704},
		{"umount", &rule43},
		{"uname", &rule705},
		{"unattended-upgrade", &rule5},
		{"unattended-upgrades", &rule5},
		{"unbuffer", &rule92},
		{"unexpand", &rule75},
		{"uniq", &rule706},
		{"unlink", &rule707},
		{"unpigz", &rule70},
		{"unshare", &rule68},
		{"unxz", &rule70},
		{"unzip", &rule708},
		{"unzstd", &rule70},
		{"update-alternatives", &rule709},
		{"uptime", &rule710},
		{"useradd", &rule6},
		{"userdel", &rule6},
		{"usermod", &rule6},
		{"users", &rule711},
		{"uv", &rule69},
		{"vacuumdb", &rule121},
		{"valkey-cli", &rule438},
		{"varlinkctl", &rule71},
		{"vault", &rule714},
		{"vconfig", &rule33},
		{"vdir", &rule168},
		{"vgchange", &rule496},
		{"vgcreate", &rule496},
		{"vgdisplay", &rule497},
		{"vgexport", &rule496},
		{"vgextend", &rule496},
		{"vgimport", &rule496},
		{"vgmerge", &rule496},
		{"vgreduce", &rule496},
		{"vgremove", &rule496},
		{"vgs", &rule497},
		{"vgscan", &rule496},
		{"vgsplit", &rule496},
		{"vi", &rule1},
		{"view", &rule1},
		{"vigr", &rule6},
		{"vim", &rule1},
		{"vipw", &rule6},
		{"virsh", &rule717},
		{"visudo", &rule6},
		{"vmstat", &rule718},
		{"w", &rule719},
		{"watch", &rule720},
		{"wc", &rule721},
		{"wg", &rule723},
		{"wg-quick", &rule33},
		{"wget", &rule724},
		{"whatis", &rule1},
		{"whereis", &rule725},
		{"which", &rule726},
		{"whiptail", &rule1},
		{"who", &rule727},
		{"whoami", &rule30},
		{"whois", &rule728},
		{"wipe", &rule43},
		{"wipefs", &rule43},
		{"wpa_cli", &rule33},
		{"wpa_supplicant", &rule33},
		{"x86_64", &rule3},
		{"xfs_admin", &rule43},
		{"xfs_db", &rule43},
		{"xfs_growfs", &rule43},
		{"xfs_info", &rule149},
		{"xfs_repair", &rule43},
		{"xkill", &rule440},
		{"xmllint", &rule729},
		{"xtrabackup", &rule42},
		{"xvfb-run", &rule3},
		{"xxd", &rule730},
		{"xz", &rule70},
		{"xzcat", &rule72},
		{"xzgrep", &rule73},
		{"xzless", &rule47},
		{"yarn", &rule69},
		{"yq", &rule732},
		{"yum", &rule177},
		{"zcat", &rule72},
		{"zdiff", &rule123},
		{"zegrep", &rule73},
		{"zellij", &rule1},
		{"zerofree", &rule43},
		{"zfgrep", &rule73},
		{"zfs", &rule735},
		{"zgrep", &rule73},
		{"zip", &rule0},
		{"zipinfo", &rule736},
		{"zless", &rule47},
		{"zmore", &rule47},
		{"zpool", &rule738},
		{"zstd", &rule70},
		{"zstdcat", &rule72},
		{"zstdgrep", &rule73},
		{"zypper", &rule563},
	},
	Secrets:     []string{"/etc/shadow", "/etc/shadow-", "/etc/gshadow", "/etc/gshadow-", "/etc/sudoers", "/etc/sudoers.d/**", "/etc/ssl/private/**", "/etc/ssh/ssh_host_*_key", "/etc/claudeops/**", "/etc/kubernetes/**", "/etc/rancher/**", "/etc/krb5.keytab", "/etc/security/opasswd", "/etc/NetworkManager/system-connections/**", "/etc/wireguard/**", "/etc/openvpn/**", "/etc/ipsec.secrets", "/etc/ppp/**", "/etc/docker/key.json", "/root/**", "/run/secrets/**", "/var/run/secrets/**", "/run/credentials/**", "/var/lib/docker/**", "/var/lib/containerd/**", "/var/lib/kubelet/**", "/var/lib/rancher/**", "/var/lib/etcd/**", "/var/lib/vault/**", "/proc/*/environ", "/proc/*/cwd/**", "/proc/*/task/*/cwd/**", "/proc/*/task/*/environ", "/proc/*/mem", "/proc/*/task/*/mem", "/proc/*/fd/**", "/proc/*/map_files/**", "/proc/kcore", "/dev/mem", "/dev/kmem", "/dev/sd*", "/dev/nvme*", "/dev/vd*", "/dev/dm-*", "/dev/mapper/*", "/swapfile", "**/.ssh/**", "**/.gnupg/**", "**/.aws/**", "**/.azure/**", "**/.config/gcloud/**", "**/.config/gh/**", "**/.kube/**", "**/.docker/**", "**/.claude/**", "**/.password-store/**", "**/.local/share/keyrings/**", "**/.env", "**/.env.*", "**/*.env", "**/.envrc", "**/.netrc", "**/_netrc", "**/.pgpass", "**/.my.cnf", "**/.mylogin.cnf", "**/.git-credentials", "**/.npmrc", "**/.pypirc", "**/.htpasswd", "**/htpasswd", "**/.vault-token", "**/.vault_pass*", "**/.terraformrc", "**/*.tfstate", "**/*.tfstate.backup", "**/.bash_history", "**/.zsh_history", "**/.psql_history", "**/.mysql_history", "**/.python_history", "**/.rediscli_history", "**/id_rsa*", "**/id_dsa*", "**/id_ecdsa*", "**/id_ed25519*", "**/*.key", "**/*-key.pem", "**/*_key.pem", "**/key.pem", "**/privkey*.pem", "**/*.p12", "**/*.pfx", "**/*.jks", "**/*.keystore", "**/*.kdbx", "**/*.ppk", "**/kubeconfig*", "**/credentials", "**/credentials.*", "**/secret", "**/secrets", "**/secrets/**", "**/secret.y*ml", "**/secrets.y*ml", "**/secrets.json", "**/*secret*.y*ml", "**/vault.y*ml", "**/*password*", "**/*passwd.txt", "**/wp-config.php", "**/apprise.y*ml", "**/service-account*.json"},
	SecretHosts: []string{"169.254.169.254", "169.254.170.2", "169.254.170.23", "169.254.0.23", "192.0.0.192", "168.63.129.16", "100.100.100.200", "fd00:ec2::254", "fd00:ec2::23", "fd20:ce::254", "metadata", "metadata.google.internal", "metadata.azure.internal", "instance-data", "instance-data.ec2.internal", "metadata.goog", "metadata.tencentyun.com", "metadata.platformequinix.com", "metadata.packet.net", "rancher-metadata", "*.nip.io", "*.sslip.io", "*.xip.io", "*.traefik.me"},
	Logs:        []string{"/var/log"},
	Rotated:     []string{"*.gz", "*.xz", "*.bz2", "*.zst", "*.old", "*.[0-9]", "*.[0-9][0-9]", "*.log.*", "*.log-*", "*-20[0-9][0-9][0-9][0-9][0-9][0-9]*"},
	Environment: []string{"LC_*=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "LANG=C|POSIX|C.UTF-8|C.utf8|en_US.UTF-8|en_US.utf8", "TZ", "TERM", "NO_COLOR", "FORCE_COLOR", "CLICOLOR", "COLUMNS", "LINES", "SYSTEMD_COLORS", "SYSTEMD_URLIFY", "SYSTEMD_PAGER=|cat", "PAGER=|cat", "GIT_PAGER=|cat", "GIT_OPTIONAL_LOCKS=0|1", "GIT_TERMINAL_PROMPT=0", "PSQL_PAGER=cat", "MANPAGER=cat", "DOCKER_CLI_HINTS", "COMPOSE_ANSI", "ANSIBLE_NOCOLOR", "ANSIBLE_FORCE_COLOR", "ANSIBLE_STDOUT_CALLBACK=yaml|json|default|minimal", "PGCONNECT_TIMEOUT", "PGPORT", "PGUSER", "PGDATABASE", "PGAPPNAME", "PGTZ", "ETCDCTL_API=3|2"},
}

var (
	rule0  = Rule{Do: "unknown", Operands: "any*", Why: "files are written below $TMPDIR with > and tee, and read with cat", Loose: true}
	rule1  = Rule{Do: "unknown", Operands: "any*", Why: "it runs other programs, or waits for somebody at the keyboard; use cat, grep, sed -n, awk, jq", Loose: true}
	rule2  = Rule{Do: "unknown", Operands: "any*", Why: "say in the handoff what should be changed", Loose: true}
	rule3  = Rule{Do: "unknown", Operands: "any*", Why: "give the command itself, or with sudo -u USER, timeout, nice", Loose: true}
	rule4  = Rule{Do: "observe", Options: "-v -b --enabled --json --pretty-json --profiled --enforced --complaining"}
	rule5  = Rule{Do: "unknown", Operands: "any*", Why: "packages are for people; what is installed: apt list --installed, dpkg -l", Loose: true}
	rule6  = Rule{Do: "forbidden", Operands: "any*", Why: "accounts and passwords are for people", Loose: true}
	rule7  = Rule{Do: "unknown", Operands: "any*", Why: "nothing is left behind to run later; do it now, or say it in the handoff", Loose: true}
	rule8  = Rule{Do: "observe", Options: "-t -T -v -V -q -c=code -s=reload|reopen!change -s=stop|quit!unknown -h", Why: "nginx -t, nginx -T, nginx -s reload; to restart it: systemctl restart nginx, docker restart NAME", Requires: "-t|-T|-v|-V|-s|-h"}
	rule9  = Rule{Do: "observe", Options: "-m/--module-name=ping|ansible.builtin.ping|service_facts|ansible.builtin.service_facts|package_facts|ansible.builtin.package_facts -i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -o/--one-line -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --list-hosts --version -h/--help", Operands: "lit?", Why: "only the modules ping, service_facts and package_facts, without -a, -e and -c: ansible HOSTS -m ping", Requires: "-m|--module-name|--list-hosts|--version|-h|--help", Cwd: "code"}
	rule10 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; ansible-playbook FILE of the repositories is"}
	rule11 = Rule{Do: "observe", Options: "-l/--list -s/--snippet -t/--type=any -j/--json --version -h/--help", Operands: "/[a-z0-9_.]+/*", Cwd: "code"}
	rule12 = Rule{Do: "observe", Options: "--graph -i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ --version -h/--help", Operands: "lit?", Why: "only --graph without --vars: variables hold passwords", Requires: "--graph|--version|-h|--help", Cwd: "code"}
	rule13 = Rule{Do: "redeploy", Options: "-i/--inventory/--inventory-file=code -l/--limit=/[A-Za-z0-9_.:*&\\x21-]+/ -t/--tags=lit --skip-tags=lit --start-at-task=lit -C/--check!observe!change -D/--diff -v/--verbose -f/--forks=any -T/--timeout=any -u/--user=lit -b/--become --force-handlers --vault-password-file/--vault-pass-file=code --list-tasks!observe --list-hosts!observe --list-tags!observe --syntax-check!observe --version!observe -h/--help!observe", Operands: "code*", Why: "only playbooks and inventory files of the repositories, without -e, -c, -M and options of ssh: ansible-playbook FILE --limit HOST", Service: "base", Cwd: "code"}
	rule14 = Rule{Do: "forbidden", Operands: "any*", Style: "strict", Why: "secrets are neither shown nor changed"}
	rule15 = Rule{Do: "observe"}
	rule16 = Rule{Do: "change"}
	rule17 = Rule{Do: "unknown", Why: "to restart it: systemctl restart apache2"}
	rule18 = Rule{Do: "observe", Options: "-t -S -M -v -V -l -L -D=DUMP_VHOSTS|DUMP_MODULES|DUMP_RUN_CFG|DUMP_INCLUDES -k=graceful!change -k=start|stop|restart|graceful-stop!unknown", Why: "apachectl configtest, apachectl -S, apachectl graceful; to restart it: systemctl restart apache2", Requires: "-t|-S|-M|-v|-V|-l|-L|-D|-k", Commands: []Command{
		{"configtest", &rule15},
		{"graceful", &rule16},
		{"start", &rule17},
		{"stop", &rule17},
		{"restart", &rule17},
		{"graceful-stop", &rule17},
		{"status", &rule17},
		{"fullstatus", &rule17},
	},
	}
	rule19 = Rule{Do: "observe", Options: "-v/--verbose -vv -a/--all -d/--description -e/--installed -W/--who-owns -L/--contents -r/--rdepends -R/--depends -s/--size -w/--webpage -I/--installed -u/--upgradable -O/--orphaned -P/--providers -l/--limit=any -q/--quiet -x/--exact", Operands: "any*"}
	rule20 = Rule{Do: "unknown", Operands: "any*", Why: "packages are for people; say in the handoff what should be installed", Loose: true}
	rule21 = Rule{Do: "observe", Commands: []Command{
		{"info", &rule19},
		{"list", &rule19},
		{"policy", &rule19},
		{"search", &rule19},
		{"version", &rule19},
		{"stats", &rule19},
		{"dot", &rule19},
		{"add", &rule20},
		{"del", &rule20},
		{"fix", &rule20},
		{"update", &rule20},
		{"upgrade", &rule20},
		{"cache", &rule20},
		{"fetch", &rule20},
		{"audit", &rule20},
		{"index", &rule20},
		{"verify", &rule20},
	},
	}
	rule22 = Rule{Do: "observe", Options: "-V/--version", Why: "agents send no notifications: this program does, after the cycle; put what people must know into the report or the handoff", Requires: "-V|--version"}
	rule23 = Rule{Do: "observe", Options: "--installed --upgradable/--upgradeable --manual-installed -a/--all-versions -q/--quiet -v/--verbose", Operands: "any*"}
	rule24 = Rule{Do: "observe", Options: "-a/--all-versions -q/--quiet -n/--names-only -f/--full -v/--verbose --installed", Operands: "any*"}
	rule25 = Rule{Do: "observe", Options: "-v/--version -h/--help", Commands: []Command{
		{"list", &rule23},
		{"show", &rule24},
		{"policy", &rule24},
		{"search", &rule24},
		{"depends", &rule24},
		{"rdepends", &rule24},
		{"showsrc", &rule24},
		{"madison", &rule24},
		{"install", &rule20},
		{"remove", &rule20},
		{"purge", &rule20},
		{"upgrade", &rule20},
		{"full-upgrade", &rule20},
		{"dist-upgrade", &rule20},
		{"autoremove", &rule20},
		{"update", &rule20},
		{"reinstall", &rule20},
		{"edit-sources", &rule20},
		{"autopurge", &rule20},
		{"satisfy", &rule20},
		{"build-dep", &rule20},
		{"download", &rule20},
		{"source", &rule20},
		{"clean", &rule20},
		{"autoclean", &rule20},
	},
	}
	rule26 = Rule{Do: "observe", Options: "-a/--all-versions -n/--names-only -f/--full -q/--quiet -i/--important -r/--recurse --installed", Operands: "any*"}
	rule27 = Rule{Do: "observe", Options: "-q/--quiet", Commands: []Command{
		{"policy", &rule26},
		{"show", &rule26},
		{"search", &rule26},
		{"depends", &rule26},
		{"rdepends", &rule26},
		{"madison", &rule26},
		{"showpkg", &rule26},
		{"stats", &rule26},
		{"pkgnames", &rule26},
		{"showsrc", &rule26},
		{"unmet", &rule26},
	},
	}
	rule28 = Rule{Do: "observe", Operands: "lit*"}
	rule29 = Rule{Do: "observe", Commands: []Command{
		{"showhold", &rule28},
		{"showmanual", &rule28},
		{"showauto", &rule28},
	},
	}
	rule30 = Rule{Do: "observe", Options: "-x -V --version --help"}
	rule31 = Rule{Do: "observe", Options: "-a -n/--numeric -e -v/--verbose -i/--device=any -H/--hw-type=any -D -s/--set!forbidden -d/--delete!forbidden", Operands: "/[A-Za-z0-9_.:-]+/?"}
	rule32 = Rule{Do: "unknown", Why: "to look whether a port is open: nc -zv -w 2 HOST PORT; the way there: mtr -r -c 5 -n HOST", Loose: true}
	rule33 = Rule{Do: "forbidden", Operands: "any*", Why: "the network's configuration is for people", Loose: true}
	rule34 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: use top -b -n 1, ps aux, ss -tunap, sar", Loose: true}
	rule35 = Rule{Do: "observe", Options: "-q=any -V"}
	rule36 = Rule{Do: "observe", Options: "-a/--avc -au/--auth -l/--login -s/--syscall -k/--key -x/--executable --summary --failed --success -i/--interpret -ts/--start=any -te/--end=any", Style: "word"}
	rule37 = Rule{Do: "observe", Options: "-m/--message=any -ts/--start=any -te/--end=any -c/--comm=any -i/--interpret -k/--key=any -p/--pid=any -u/--uid=any -x/--executable=any -sv/--success=any -f/--file=any --just-one --raw -r", Style: "word"}
	rule38 = Rule{Do: "unknown", Why: "files are not copied between hosts; read one where it lies: ssh HOST 'tail -50 FILE'", Loose: true}
	rule39 = Rule{Do: "observe", Options: "-F/--field-separator=any -v/--assign=any --posix/-P --re-interval/-r --sandbox/-S --characters-as-bytes/-b --non-decimal-data/-n --use-lc-numeric/-N -V/--version", Operands: "awk file*", Style: "strict", Why: "the program stands in the command (no -f, -i, -l, -o, -p)"}
	rule40 = Rule{Do: "unknown", Why: "the accounts of cloud providers are not granted; write into the handoff what a person should look at", Loose: true}
	rule41 = Rule{Do: "observe", Options: "-b/--binary -c/--check --tag -t/--text -z/--zero --ignore-missing --quiet --status --strict -w/--warn -a/--algorithm=any -l/--length=any -r -s --help --version", Operands: "file*", Globs: true}
	rule42 = Rule{Do: "unknown", Operands: "any*", Why: "backups are for people; their logs are readable with journalctl", Loose: true}
	rule43 = Rule{Do: "forbidden", Operands: "any*", Why: "file systems hold the services' data; ask a person", Loose: true}
	rule44 = Rule{Do: "observe", Options: "-d/--decode/-D -i/--ignore-garbage -w/--wrap=any --base64 --base64url --base32 --base32hex --base16 --base2msbf --z85 --help --version", Operands: "file?"}
	rule45 = Rule{Do: "observe", Operands: "any*", Loose: true}
	rule46 = Rule{Do: "observe", Options: "-c=shell!nostdin -e -u -x -l!unknown -i!unknown", Operands: "none", Style: "strict", Why: "give the commands themselves, or after -c as one literal text", Stdin: "shell"}
	rule47 = Rule{Do: "unknown", Operands: "any*", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n, zcat", Loose: true}
	rule48 = Rule{Do: "observe", Options: "-l/--mathlib -q/--quiet -s/--standard -w/--warn -h/--help -v/--version"}
	rule49 = Rule{Do: "observe", Options: "-d/--no-encoding -o/--output=any -k/--list-filesystems -s/--match-tag=any -t/--match-token=any -l/--list-one -L/--label=any -U/--uuid=any -p/--probe -i/--info -u/--usages=any -n/--match-types=any -D/--no-part-details -h/--help -V/--version", Operands: "meta*"}
	rule50 = Rule{Do: "observe", Options: "--report --getsize64 --getsz --getss --getbsz --getro --getra --getpbsz", Operands: "meta*"}
	rule51 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory and the calls of a process hold secrets; use logs, ps, /proc/PID/status, jstack PID", Loose: true}
	rule52 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule28},
		{"sh", &rule28},
		{"list", &rule28},
		{"ls", &rule28},
		{"lst", &rule28},
		{"add", &rule33},
		{"append", &rule33},
		{"delete", &rule33},
		{"del", &rule33},
		{"set", &rule33},
		{"replace", &rule33},
		{"flush", &rule33},
	},
	}
	rule53 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -j/-json -o/-oneline -t/-timestamp -c[=any] -color[=any] -V", Style: "word", Commands: []Command{
		{"link", &rule52},
		{"fdb", &rule52},
		{"vlan", &rule52},
		{"mdb", &rule52},
		{"vni", &rule52},
	},
	}
	rule54 = Rule{Do: "observe", Options: "--wildcards --exclude=any --full-time --numeric-owner --utc", Operands: "archive any*"}
	rule55 = Rule{Do: "observe", Options: "-t/--list -f/--file=archive -v/--verbose -z/--gzip/--gunzip/--ungzip -j/--bzip2 -J/--xz --zstd --lzma --lzip -a/--auto-compress --wildcards --no-wildcards --exclude=any --full-time --numeric-owner --show-stored-names --utc --totals --occurrence[=any] --strip-components=any --anchored --no-anchored --ignore-case --force-local --warning=any --version --help -i/--ignore-zeros", Operands: "any*", Why: "archives are only listed: tar -tzf FILE", Requires: "-t|--list|--version|--help", Commands: []Command{
		{"tf", &rule54},
		{"tvf", &rule54},
		{"tzf", &rule54},
		{"tvzf", &rule54},
		{"tzvf", &rule54},
		{"ztf", &rule54},
		{"ztvf", &rule54},
		{"tjf", &rule54},
		{"tjvf", &rule54},
		{"tvjf", &rule54},
		{"tJf", &rule54},
		{"tJvf", &rule54},
		{"tvJf", &rule54},
		{"vtf", &rule54},
		{"taf", &rule54},
		{"tavf", &rule54},
		{"ft", &rule54},
		{"fvt", &rule54},
	},
	}
	rule56 = Rule{Do: "observe", Options: "-h -H -T -b -k -m -g -t -d -s -a -p -c -u -q -o", Operands: "meta*"}
	rule57 = Rule{Commands: []Command{
		{"show", &rule56},
		{"df", &rule56},
		{"usage", &rule56},
		{"du", &rule56},
		{"resize", &rule43},
	},
	}
	rule58 = Rule{Commands: []Command{
		{"list", &rule56},
		{"show", &rule56},
		{"delete", &rule43},
	},
	}
	rule59 = Rule{Commands: []Command{
		{"list", &rule56},
		{"delete", &rule43},
	},
	}
	rule60 = Rule{Commands: []Command{
		{"status", &rule56},
	},
	}
	rule61 = Rule{Commands: []Command{
		{"status", &rule56},
		{"start", &rule43},
	},
	}
	rule62 = Rule{Do: "observe", Options: "-c/--check -T", Operands: "meta*"}
	rule63 = Rule{Commands: []Command{
		{"usage", &rule56},
		{"stats", &rule62},
		{"remove", &rule43},
		{"delete", &rule43},
		{"add", &rule43},
		{"replace", &rule43},
	},
	}
	rule64 = Rule{Commands: []Command{
		{"usage", &rule56},
		{"stats", &rule62},
	},
	}
	rule65 = Rule{Commands: []Command{
		{"show", &rule56},
	},
	}
	rule66 = Rule{Commands: []Command{
		{"start", &rule43},
	},
	}
	rule67 = Rule{Do: "observe", Commands: []Command{
		{"filesystem", &rule57},
		{"fi", &rule57},
		{"subvolume", &rule58},
		{"sub", &rule59},
		{"scrub", &rule60},
		{"balance", &rule61},
		{"device", &rule63},
		{"dev", &rule64},
		{"qgroup", &rule65},
		{"replace", &rule66},
		{"rescue", &rule43},
		{"check", &rule43},
	},
	}
	rule68 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; look inside with docker exec NAME COMMAND"}
	rule69 = Rule{Do: "unknown", Operands: "any*", Why: "building and installing are for people", Loose: true}
	rule70 = Rule{Do: "observe", Options: "-dc -cd -c/--stdout/--to-stdout -l/--list -t/--test -v/--verbose -q/--quiet -k/--keep -#", Operands: "file*", Why: "files stay as they are: xz -dc FILE, xzcat FILE, xz -l FILE (a separate -d would undo -t and -l)", Requires: "-dc|-cd|-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule71 = Rule{Do: "unknown", Operands: "any*", Why: "it starts programs, or talks to services past what is read here; use systemctl and journalctl", Loose: true}
	rule72 = Rule{Do: "observe", Options: "-f/--force -q/--quiet -v/--verbose -d -c", Operands: "file*", Globs: true}
	rule73 = Rule{Do: "observe", Options: "-E/--extended-regexp -F/--fixed-strings -G/--basic-regexp -P/--perl-regexp -e/--regexp=any!first -f/--file=file!first -i/-y/--ignore-case --no-ignore-case -w/--word-regexp -x/--line-regexp -z/--null-data -s/--no-messages -v/--invert-match -V/--version --help -m/--max-count=any -b/--byte-offset -n/--line-number --line-buffered -H/--with-filename -h/--no-filename --label=any -o/--only-matching -q/--quiet/--silent --binary-files=any -a/--text -I -d/--directories=skip|read -D/--devices=any -r/--recursive!cwd -R/--dereference-recursive!cwd --include=any --exclude=any --exclude-from=file --exclude-dir=any -L/--files-without-match -l/--files-with-matches -c/--count -T/--initial-tab -Z/--null -B/--before-context=any -A/--after-context=any -C/--context=any -# --group-separator=any --no-group-separator --color[=any] --colour[=any] -U/--binary", Operands: "any tree*", Globs: true}
	rule74 = Rule{Do: "observe", Options: "-a -y/--year -m -j -3 -1 -k -c -v=any", Operands: "/[A-Za-z0-9_.-]+/*"}
	rule75 = Rule{Do: "observe", Operands: "file*", Loose: true}
	rule76 = Rule{Do: "observe", Options: "-f/--format=any", Operands: "lit*"}
	rule77 = Rule{Commands: []Command{
		{"ls", &rule76},
		{"stats", &rule76},
	},
	}
	rule78 = Rule{Commands: []Command{
		{"tree", &rule76},
		{"df", &rule76},
		{"stat", &rule76},
		{"status", &rule76},
		{"perf", &rule76},
		{"pool", &rule77},
	},
	}
	rule79 = Rule{Commands: []Command{
		{"stat", &rule76},
		{"dump_stuck", &rule76},
	},
	}
	rule80 = Rule{Commands: []Command{
		{"stat", &rule76},
		{"dump", &rule76},
	},
	}
	rule81 = Rule{Commands: []Command{
		{"services", &rule76},
	},
	}
	rule82 = Rule{Commands: []Command{
		{"stat", &rule76},
	},
	}
	rule83 = Rule{Commands: []Command{
		{"status", &rule76},
		{"ls", &rule76},
	},
	}
	rule84 = Rule{Commands: []Command{
		{"ls", &rule76},
	},
	}
	rule85 = Rule{Do: "observe", Options: "-s/--status -f/--format=any -w/--watch --connect-timeout=any", Commands: []Command{
		{"status", &rule76},
		{"health", &rule76},
		{"df", &rule76},
		{"osd", &rule78},
		{"pg", &rule79},
		{"mon", &rule80},
		{"mgr", &rule81},
		{"mds", &rule82},
		{"fs", &rule83},
		{"versions", &rule76},
		{"crash", &rule84},
		{"quorum_status", &rule76},
	},
	}
	rule86 = Rule{Do: "observe", Options: "--cert-name=any -d=any"}
	rule87 = Rule{Do: "unknown", Operands: "any*", Why: "certificates are renewed by their own timer; say in the handoff what is wrong with it", Loose: true}
	rule88 = Rule{Do: "observe", Commands: []Command{
		{"certificates", &rule86},
		{"renew", &rule87},
		{"certonly", &rule87},
		{"run", &rule87},
		{"delete", &rule87},
		{"revoke", &rule87},
		{"install", &rule87},
		{"enhance", &rule87},
		{"register", &rule87},
		{"unregister", &rule87},
		{"update_account", &rule87},
		{"reconfigure", &rule87},
		{"show_account", &rule87},
	},
	}
	rule89 = Rule{Do: "unknown", Operands: "any*", Why: "restart the service, or say in the handoff what should be changed", Loose: true}
	rule90 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet -h/--no-dereference --from=any", Operands: "any any+", Why: "a literal owner, one file after the other (no -R, no --reference)", Check: "chown"}
	rule91 = Rule{Do: "change", Options: "-v/--verbose -c/--changes -f/--silent/--quiet", Operands: "any any+", Why: "a literal mode, one file after the other (no -R, no --reference)", Check: "chmod"}
	rule92 = Rule{Do: "observe", Operands: "inner", Style: "strict"}
	rule93 = Rule{Do: "observe", Options: "-a -v", Operands: "host?"}
	rule94 = Rule{Do: "observe", Options: "-a -v"}
	rule95 = Rule{Options: "-4 -6 -n -N -c -h=host -p=lit", Why: "tracking, sources, sourcestats, activity and their like only show", Commands: []Command{
		{"tracking", &rule15},
		{"activity", &rule15},
		{"serverstats", &rule15},
		{"rtcdata", &rule15},
		{"smoothing", &rule15},
		{"clients", &rule15},
		{"ntpdata", &rule93},
		{"authdata", &rule93},
		{"selectdata", &rule93},
		{"sources", &rule94},
		{"sourcestats", &rule94},
	},
	}
	rule96 = Rule{Do: "forbidden", Why: "agents neither start agents nor change the settings of their hooks", Loose: true}
	rule97 = Rule{Do: "observe", Options: "--tier=2|3 --findings=any --attempted=any --services=lit"}
	rule98 = Rule{Do: "observe", Options: "--from=1|2|3", Operands: "file?"}
	rule99 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"write", &rule97},
		{"validate", &rule98},
	},
	}
	rule100 = Rule{Do: "observe", Operands: "name?"}
	rule101 = Rule{Do: "observe", Operands: "name restart|redeployment"}
	rule102 = Rule{Do: "observe", Options: "--error=any", Operands: "name restart|redeployment success|failure", Why: "it records one attempt that Tier 2 or 3 made: claudeops cooldown record SERVICE restart success, or … failure --error TEXT", Tiers: "23"}
	rule103 = Rule{Do: "forbidden", Operands: "any*", Why: "limits are lifted by operators, never by an agent; hand off instead", Loose: true}
	rule104 = Rule{Do: "observe", Why: "agents call: claudeops cooldown show, check SERVICE restart|redeployment, record SERVICE restart|redeployment success|failure", Requires: "--help", Commands: []Command{
		{"show", &rule100},
		{"check", &rule101},
		{"record", &rule102},
		{"reset", &rule103},
	},
	}
	rule105 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --tier=lit"}
	rule106 = Rule{Do: "observe", Options: "--commands", Operands: "any"}
	rule107 = Rule{Do: "observe", Requires: "--help", Commands: []Command{
		{"list", &rule105},
		{"show", &rule106},
	},
	}
	rule108 = Rule{Do: "observe", Options: "-n/--limit=any --status=lit --service=any"}
	rule109 = Rule{Do: "observe", Operands: "any"}
	rule110 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule108},
		{"show", &rule109},
	},
	}
	rule111 = Rule{Do: "observe", Options: "-n/--limit=any --level=lit --service=any --session=any"}
	rule112 = Rule{Do: "observe", Operands: "any*"}
	rule113 = Rule{Do: "observe", Operands: "name*", Commands: []Command{
		{"validate", &rule15},
	},
	}
	rule114 = Rule{Do: "observe", Options: "--tier=1|2|3 --cwd=any", Operands: "any+"}
	rule115 = Rule{Do: "forbidden", Operands: "any*", Why: "the guard is called by the agent program alone; what it would say shows: claudeops guard explain --tier N COMMAND", Loose: true, Commands: []Command{
		{"explain", &rule114},
	},
	}
	rule116 = Rule{Do: "forbidden", Operands: "any*", Why: "it is for operators and for the program itself, never for an agent", Loose: true}
	rule117 = Rule{Do: "observe", Options: "--version -v", Persistent: "--json -h/--help", Why: "agents call: claudeops report, handoff write|validate, cooldown show|check|record, sessions list|show, incidents list|show, events, env, doctor, version, guard explain; always with the database and settings of this cycle (no --db, no --env-file)", Requires: "--help|--version|-v", Commands: []Command{
		{"report", &rule15},
		{"handoff", &rule99},
		{"cooldown", &rule104},
		{"sessions", &rule107},
		{"incidents", &rule110},
		{"events", &rule111},
		{"env", &rule15},
		{"doctor", &rule15},
		{"version", &rule15},
		{"metrics", &rule15},
		{"help", &rule112},
		{"probe", &rule113},
		{"guard", &rule115},
		{"run-once", &rule116},
		{"cron", &rule116},
		{"crontab", &rule116},
		{"dashboard", &rule116},
		{"notify", &rule116},
		{"hooks", &rule116},
	},
	}
	rule118 = Rule{Do: "observe", Options: "-l/--long --wait --format=any"}
	rule119 = Rule{Do: "observe", Operands: "show|blame|boot"}
	rule120 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule118},
		{"analyze", &rule119},
	},
	}
	rule121 = Rule{Do: "unknown", Why: "databases are looked at, not copied, built or rebuilt: psql -c 'select …'", Loose: true}
	rule122 = Rule{Do: "observe", Options: "-b/--print-bytes -i/--ignore-initial=any -l/--verbose -n/--bytes=any -s/--quiet/--silent", Operands: "file file? any? any?"}
	rule123 = Rule{Do: "observe", Options: "--normal -q/--brief -s/--report-identical-files -c -C=any --context[=any] -u -U=any --unified[=any] -e/--ed -n/--rcs -y/--side-by-side -W/--width=any --left-column --suppress-common-lines -p/--show-c-function -F/--show-function-line=any --label/-L=any -t/--expand-tabs -T/--initial-tab --tabsize=any --suppress-blank-empty -r/--recursive --no-dereference -N/--new-file --unidirectional-new-file --ignore-file-name-case -x/--exclude=any -X/--exclude-from=file -S/--starting-file=any --from-file=tree --to-file=tree -i/--ignore-case -E/--ignore-tab-expansion -Z/--ignore-trailing-space -b/--ignore-space-change -w/--ignore-all-space -B/--ignore-blank-lines -I/--ignore-matching-lines=any -a/--text --strip-trailing-cr -d/--minimal --speed-large-files --color[=any] --help -v/--version -#", Operands: "tree*"}
	rule124 = Rule{Do: "observe", Options: "-s/--separator=any -o/--output-separator=any -c/--output-width/--columns=any -N/--table-columns=any -R/--table-right=any -H/--table-hide=any", Operands: "file*", Loose: true}
	rule125 = Rule{Do: "observe", Options: "-1 -2 -3 --check-order --nocheck-order --output-delimiter=any --total -z/--zero-terminated", Operands: "file file"}
	rule126 = Rule{Do: "observe", Options: "-L/--dump -C/--count -S/--stats -G/--get -p/--proto=any -s/--src/--orig-src=any -d/--dst/--orig-dst=any -r/--reply-src=any -q/--reply-dst=any --sport/--orig-port-src=any --dport/--orig-port-dst=any --state=any -f/--family=any -o/--output=any -n/--src-nat[=any] -g/--dst-nat[=any] -j/--any-nat[=any] -z/--zero!forbidden -u/--status=any -m/--mark=any -w/--zone=any -V/--version -D/--delete!forbidden -F/--flush!forbidden -I/--create!forbidden -U/--update!forbidden -A/--add!forbidden", Operands: "/[a-z]+/?", Requires: "-L|--dump|-C|--count|-S|--stats|-G|--get|-D|-F|-I|-U|-A"}
	rule127 = Rule{Do: "observe", Options: "-http-addr=dbhost -detailed -status=lit -wan -stale -format=lit -node=lit -service=lit -tags -datacenter=lit -segment=lit", Style: "word"}
	rule128 = Rule{Commands: []Command{
		{"services", &rule127},
		{"nodes", &rule127},
		{"datacenters", &rule127},
	},
	}
	rule129 = Rule{Commands: []Command{
		{"list-peers", &rule127},
	},
	}
	rule130 = Rule{Commands: []Command{
		{"state", &rule127},
	},
	}
	rule131 = Rule{Commands: []Command{
		{"raft", &rule129},
		{"autopilot", &rule130},
	},
	}
	rule132 = Rule{Do: "observe", Why: "members, info, catalog and operator raft list-peers only show; stored values may be secrets", Commands: []Command{
		{"members", &rule127},
		{"info", &rule127},
		{"version", &rule127},
		{"catalog", &rule128},
		{"operator", &rule131},
	},
	}
	rule133 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Operands: "any*"}
	rule134 = Rule{Do: "forbidden", Operands: "any*", Why: "the memory of a process holds secrets; use coredumpctl info", Loose: true}
	rule135 = Rule{Do: "observe", Options: "--no-pager --no-legend -n=any -r/--reverse -S/--since=any -U/--until=any -q/--quiet -1 --json=any --debugger-arguments=any!unknown", Commands: []Command{
		{"list", &rule133},
		{"info", &rule133},
		{"dump", &rule134},
		{"debug", &rule134},
		{"gdb", &rule134},
	},
	}
	rule136 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -L/--dereference -T/--no-target-directory", Operands: "file+ out", Why: "FILE… below $TMPDIR, and links are followed (no -a, -r, -P, -l, -s)"}
	rule137 = Rule{Do: "observe", Options: "-a/--all --id=any --image=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -p/--pod=any -q/--quiet!names -r/--resolve-image-path -s/--state=any -v/--verbose", Operands: "name?"}
	rule138 = Rule{Do: "observe", Options: "--id=any --label=any -n/--last=any -l/--latest --name=any --namespace=any --no-trunc -o/--output=any -q/--quiet!names -s/--state=any -v/--verbose"}
	rule139 = Rule{Do: "observe", Options: "--digests --no-trunc -o/--output=any -q/--quiet -v/--verbose --filter=any", Operands: "any?"}
	rule140 = Rule{Do: "observe", Options: "-o/--output=any -q/--quiet"}
	rule141 = Rule{Do: "observe", Options: "-f/--follow --limit-bytes=any -p/--previous --since=any --tail=any -t/--timestamps", Operands: "name+"}
	rule142 = Rule{Do: "observe", Options: "-a/--all --id=any --label=any -n/--name=any -o/--output=any -p/--pod=any -s/--seconds=any", Operands: "name?"}
	rule143 = Rule{Do: "observe", Options: "-i/--interactive -t/--tty -s/--sync --timeout=any", Operands: "name inner", Style: "strict", Why: "one plain command: crictl exec CONTAINER COMMAND"}
	rule144 = Rule{Do: "unknown", Options: "-a/--all -q/--prune!forbidden", Operands: "any*", Why: "images are not removed"}
	rule145 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with crictl ps, pods, logs, stats, and restart with kubectl rollout restart"}
	rule146 = Rule{Do: "observe", Options: "-D/--debug -t/--timeout=any -c/--config=code -v/--version -h/--help", Why: "another runtime is not granted; write the subcommand plainly: crictl ps -a", Commands: []Command{
		{"ps", &rule137},
		{"pods", &rule138},
		{"images", &rule139},
		{"image", &rule139},
		{"img", &rule139},
		{"info", &rule140},
		{"version", &rule140},
		{"imagefsinfo", &rule140},
		{"logs", &rule141},
		{"stats", &rule142},
		{"statsp", &rule142},
		{"exec", &rule143},
		{"rmi", &rule144},
		{"inspect", &rule145},
		{"inspecti", &rule145},
		{"inspectp", &rule145},
		{"rm", &rule145},
		{"rmp", &rule145},
		{"stop", &rule145},
		{"stopp", &rule145},
		{"start", &rule145},
		{"create", &rule145},
		{"run", &rule145},
		{"runp", &rule145},
		{"pull", &rule145},
		{"attach", &rule145},
		{"port-forward", &rule145},
		{"update", &rule145},
		{"checkpoint", &rule145},
		{"config", &rule145},
		{"completion", &rule145},
		{"events", &rule145},
		{"runtime-config", &rule145},
		{"update-runtime-config", &rule145},
		{"metrics", &rule145},
		{"metricsp", &rule145},
	},
	}
	rule147 = Rule{Do: "observe", Options: "-1/--one-shot -r/--inactive -n/--group-by-node -f/--failcounts -A/--show-node-attributes -t/--timing-details -V", Requires: "-1|--one-shot"}
	rule148 = Rule{Do: "observe", Options: "-l -u=any -r!forbidden -e!forbidden -i!forbidden", Why: "timetables are read only: crontab -l", Requires: "-l"}
	rule149 = Rule{Do: "observe", Operands: "meta"}
	rule150 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule149},
		{"isLuks", &rule149},
	},
	}
	rule151 = Rule{Do: "observe", Style: "word"}
	rule152 = Rule{Do: "observe", Options: "-q!names -quiet!names", Operands: "any*", Style: "word"}
	rule153 = Rule{Commands: []Command{
		{"ls", &rule152},
		{"list", &rule152},
	},
	}
	rule154 = Rule{Do: "observe", Options: "-format=any", Operands: "name", Style: "word"}
	rule155 = Rule{Commands: []Command{
		{"ls", &rule152},
		{"list", &rule152},
		{"ps", &rule154},
		{"metrics", &rule154},
		{"metric", &rule154},
	},
	}
	rule156 = Rule{Commands: []Command{
		{"ls", &rule152},
		{"list", &rule152},
		{"ps", &rule154},
		{"metrics", &rule154},
	},
	}
	rule157 = Rule{Commands: []Command{
		{"ls", &rule152},
	},
	}
	rule158 = Rule{Do: "observe", Options: "-n=any -namespace=any -debug -timeout=any -connect-timeout=any -version -v -help", Style: "word", Why: "another daemon is not granted; write the subcommand plainly: ctr -n k8s.io containers ls", Commands: []Command{
		{"version", &rule151},
		{"info", &rule151},
		{"containers", &rule153},
		{"container", &rule153},
		{"c", &rule153},
		{"images", &rule153},
		{"image", &rule153},
		{"i", &rule153},
		{"tasks", &rule155},
		{"task", &rule156},
		{"t", &rule155},
		{"namespaces", &rule153},
		{"namespace", &rule157},
		{"ns", &rule157},
		{"snapshots", &rule157},
		{"snapshot", &rule157},
		{"content", &rule157},
		{"leases", &rule157},
		{"plugins", &rule157},
	},
	}
	rule159 = Rule{Do: "observe", Options: "-0/--http1.0 --http1.1 --http2 --http2-prior-knowledge --http3 --http3-only --http0.9 -1/--tlsv1 --tlsv1.0 --tlsv1.1 --tlsv1.2 --tlsv1.3 --tls-max=lit --ciphers=lit --tls13-ciphers=lit --curves=lit -4/--ipv4 -6/--ipv6 --interface=/[A-Za-z0-9_.:-]+/ --dns-interface=/[A-Za-z0-9_.:-]+/ --happy-eyeballs-timeout-ms=lit --resolve=/\\+?[A-Za-z0-9_.*-]+:[0-9]+:(?:127\\.[0-9.]+|\\[?::1\\]?)/ --connect-to=/[A-Za-z0-9_.-]*:[0-9]*:(?:127\\.[0-9.]+|localhost|\\[::1\\]):[0-9]*/ --noproxy=lit --proto=lit -m/--max-time=lit --connect-timeout=lit --expect100-timeout=lit --retry=lit --retry-delay=lit --retry-max-time=lit --retry-connrefused --retry-all-errors --max-redirs=lit --max-filesize=lit --limit-rate=lit --rate=lit -Y/--speed-limit=lit -y/--speed-time=lit --keepalive-time=lit --no-keepalive --tcp-nodelay --tcp-fastopen -f/--fail --fail-with-body --fail-early -s/--silent -S/--show-error -i/--include/--show-headers -I/--head -v/--verbose -L/--location --post301 --post302 --post303 -k/--insecure --cacert=file --capath=lit --crlfile=file --cert-status --doh-cert-status --no-alpn --no-npn --no-sessionid --false-start --pinnedpubkey=/sha256\\/\\/[A-Za-z0-9+=\\/;]+/ --ssl-reqd -N/--no-buffer --buffer --progress-bar --no-progress-meter --styled-output --no-styled-output --suppress-connect-headers --compressed --raw --tr-encoding --ignore-content-length --path-as-is -g/--globoff -q/--disable --disallow-username-in-url -r/--range=lit -Z/--parallel --parallel-immediate --parallel-max=lit --trace-time --trace-ids -o/--output=out -D/--dump-header=out --stderr=out --trace=out --trace-ascii=out -w/--write-out=/(?s)(?:(?:[^@%\\\\]|\\\\.|%[^o])(?:[^%\\\\]|\\\\.|%[^o])*)?[%\\\\]?/ -G/--get -d/--data/--data-ascii/--data-binary=/(?s)(?:[^@].*)?/ --data-raw=lit --data-urlencode=/(?s)[^@=]*=.*|[^@]*/ -H/--header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id)[:;][^\\r\\n]*/ -A/--user-agent=/[^\\r\\n]*/ -X/--request=GET|HEAD --url=url -V/--version -h/--help", Operands: "url*", Why: "GET or HEAD of a literal URL, for example: curl -sS -o /dev/null -m 10 -w '%{http_code}' http://127.0.0.1:8080/health; output goes to standard output or below $TMPDIR", Check: "http"}
	rule160 = Rule{Do: "observe", Options: "-d/--delimiter=any -f/--fields=any -b/--bytes=any -c/--characters=any --output-delimiter=any", Operands: "file*", Loose: true}
	rule161 = Rule{Do: "observe", Options: "-u/--utc/--universal -d/--date=any -f/--file=file -I[=any] --iso-8601[=any] -R/--rfc-email/--rfc-2822 --rfc-3339=any -r/--reference=meta --debug --resolution --help --version", Operands: "/(?s)\\+.*/?", Why: "the clock is not set"}
	rule162 = Rule{Do: "unknown", Operands: "any*", Why: "it runs programs (!); compute with $(( … )), awk or bc", Loose: true}
	rule163 = Rule{Do: "observe", Options: "-a/--all -c/--changed -s/--silent -e/--config -l/--list-missing", Operands: "lit*"}
	rule164 = Rule{Do: "observe", Options: "-4 -6 -a=file -b=lit -c=lit -d=lit -h -i -m -p=lit -q=lit -t=lit -v -x=lit", Operands: "lit*", Why: "names are written out: delv NAME TYPE"}
	rule165 = Rule{Do: "forbidden", Operands: "any*", Why: "kernel modules are for people", Loose: true}
	rule166 = Rule{Do: "observe", Options: "-B=any -t=any -x=any", Operands: "meta*", Loose: true}
	rule167 = Rule{Do: "observe", Options: "-4 -6 -b=lit -c=lit -h -i -m -p=lit -q=lit -r -t=lit -u -v -x=lit", Operands: "lit*", Why: "one name or several, written out: dig +short NAME TYPE @SERVER"}
	rule168 = Rule{Do: "observe", Options: "-I/--ignore=any -w/--width=any -T/--tabsize=any --sort=any --time=any --time-style=any --block-size=any --hide=any", Operands: "meta*", Loose: true}
	rule169 = Rule{Do: "observe", Options: "-T/--ctime -H/--human -w/--follow -W/--follow-new -l/--level=any -f/--facility=any -x/--decode -k/--kernel -u/--userspace -t/--notime -d/--show-delta -e/--reltime -r/--raw -s/--buffer-size=any -S/--syslog --since=any --until=any --time-format=any -L/--color[=any] -P/--nopager -J/--json -p/--force-prefix --noescape -h/--help -V/--version", Why: "clearing the kernel's messages and changing the console are not granted"}
	rule170 = Rule{Do: "observe", Options: "-t/--type=any -s/--string=any -q/--quiet -u/--dump -H/--handle=any --no-sysfs --no-quirks --oem-string=any -h/--help -V/--version", Why: "it neither writes nor reads a dump here"}
	rule171 = Rule{Do: "observe", Options: "--tree -c/-C/--columns -o=any --target=any", Operands: "lit*"}
	rule172 = Rule{Do: "observe", Commands: []Command{
		{"ls", &rule171},
		{"status", &rule171},
		{"info", &rule171},
		{"deps", &rule171},
		{"version", &rule171},
		{"targets", &rule171},
	},
	}
	rule173 = Rule{Do: "observe", Options: "-i/--info -l/--list --requires --whatrequires --whatprovides=any --qf=any -r/--reboothint -s/--services", Operands: "any*"}
	rule174 = Rule{Commands: []Command{
		{"list", &rule173},
		{"install", &rule20},
	},
	}
	rule175 = Rule{Commands: []Command{
		{"list", &rule173},
		{"info", &rule173},
		{"undo", &rule20},
		{"rollback", &rule20},
		{"redo", &rule20},
	},
	}
	rule176 = Rule{Commands: []Command{
		{"install", &rule20},
	},
	}
	rule177 = Rule{Do: "observe", Options: "--version", Persistent: "-q/--quiet -C/--cacheonly -v/--verbose --installed --available --updates --showduplicates --all --security --disablerepo=any --enablerepo=any", Commands: []Command{
		{"list", &rule173},
		{"info", &rule173},
		{"search", &rule173},
		{"repolist", &rule173},
		{"repoinfo", &rule173},
		{"check-update", &rule173},
		{"check-upgrade", &rule173},
		{"updateinfo", &rule173},
		{"provides", &rule173},
		{"whatprovides", &rule173},
		{"repoquery", &rule173},
		{"deplist", &rule173},
		{"module", &rule174},
		{"history", &rule175},
		{"needs-restarting", &rule173},
		{"install", &rule20},
		{"remove", &rule20},
		{"erase", &rule20},
		{"update", &rule20},
		{"upgrade", &rule20},
		{"downgrade", &rule20},
		{"reinstall", &rule20},
		{"localinstall", &rule20},
		{"autoremove", &rule20},
		{"distro-sync", &rule20},
		{"swap", &rule20},
		{"shell", &rule20},
		{"clean", &rule20},
		{"makecache", &rule20},
		{"config-manager", &rule20},
		{"copr", &rule20},
		{"group", &rule176},
	},
	}
	rule178 = Rule{Do: "observe", Options: "-u=any -n", Operands: "inner", Style: "strict"}
	rule179 = Rule{Do: "observe", Options: "-a/--all -f/--filter=any --format=/\\{\\{\\s*\\.(Names|ID|Image|State)\\s*\\}\\}/!names --format=any!text -n/--last=any -l/--latest --no-trunc -q/--quiet!names -s/--size --help --noheading --ns --pod -p --sort=any --sync"}
	rule180 = Rule{Do: "observe", Options: "-f/--follow --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any --help", Operands: "name+", Why: "one container by its name, without --details (they can hold environment variables)"}
	rule181 = Rule{Do: "observe", Options: "-f/--format=template -s/--size --type=any --help", Operands: "name+", Why: "the whole output holds the environment, and that holds secrets; name the part: docker inspect --format '{{json .State}}' NAME", Requires: "-f|--format|--help", Prints: "inspect"}
	rule182 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc --help", Operands: "name*"}
	rule183 = Rule{Do: "observe", Options: "--help", Operands: "name /-?auxw*|-?axu?w*|-efw*|-eLf|-?A|-T|-?a?xo|-e?o|--sort=-?[a-z%]+|(?:(?:pid|ppid|pgid|tid|lwp|nlwp|thcount|user|uid|group|gid|euser|ruser|comm|cmd|args|command|ucmd|stat|state|s|etime|etimes|time|cputime|start|lstart|stime|start_time|pcpu|%cpu|c|pmem|%mem|rss|rsz|vsz|vsize|sz|nice|ni|pri|psr|wchan|tty|tt|cgroup|hpid|huser)=?,?)+/*", Style: "strict", Why: "columns that show the environment are not granted; for example: docker top NAME -eo pid,etime,args"}
	rule184 = Rule{Do: "observe", Options: "--help", Operands: "name any?"}
	rule185 = Rule{Do: "observe", Options: "--help", Operands: "name"}
	rule186 = Rule{Do: "observe", Options: "--help", Operands: "name+"}
	rule187 = Rule{Do: "observe", Options: "-u/--user=any -w/--workdir=any -i/--interactive -t/--tty --detach-keys=any -e/--env=any!unknown --env-file=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the container and one plain command: docker exec NAME COMMAND, without -e, -d, --privileged or a shell that waits for input"}
	rule188 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out, without further options: docker restart NAME"}
	rule189 = Rule{Do: "restart", Operands: "svc+", Why: "write the names out, without further options: docker start NAME", Part: "last"}
	rule190 = Rule{Do: "restart", Options: "-s/--signal=any -t/--time/--timeout=any", Operands: "svc+", Why: "write the names out: docker restart NAME, or docker stop NAME && docker start NAME", Part: "first"}
	rule191 = Rule{Do: "restart", Options: "-s/--signal=any", Operands: "svc+", Why: "write the names out: docker restart NAME", Part: "first"}
	rule192 = Rule{Do: "restart", Operands: "svc+"}
	rule193 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the service frozen; docker restart NAME instead"}
	rule194 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it starts what no file defines; look with docker exec NAME …, bring a service back with docker compose -f FILE up -d SERVICE"}
	rule195 = Rule{Do: "unknown", Options: "-f/--force -l/--link -a/--all -i/--ignore -t/--time=any -v/--volumes!forbidden", Operands: "any*", Why: "containers are not removed; docker compose -f FILE up -d --force-recreate SERVICE makes one anew"}
	rule196 = Rule{Do: "forbidden", Options: "-a/--all -f/--force --volumes --filter=any --external --build --help --keep-storage=any --max-used-space=any --min-free-space=any --reserved-space=any --verbose --builder=any", Operands: "any*", Why: "nothing is pruned; report what fills the disk: docker system df -v"}
	rule197 = Rule{Do: "unknown", Operands: "any*", Why: "what a container is, its repository says; change it there and redeploy"}
	rule198 = Rule{Do: "unknown", Operands: "any*", Why: "docker logs --tail 100 NAME shows the output"}
	rule199 = Rule{Do: "unknown", Operands: "any*", Why: "files are not copied; docker exec NAME cat FILE shows one"}
	rule200 = Rule{Do: "unknown", Options: "-o/--output=any -i/--input=any", Operands: "any*", Why: "images are neither brought in, renamed nor sent away"}
	rule201 = Rule{Commands: []Command{
		{"ls", &rule179},
		{"list", &rule179},
		{"ps", &rule179},
		{"logs", &rule180},
		{"inspect", &rule181},
		{"stats", &rule182},
		{"top", &rule183},
		{"port", &rule184},
		{"diff", &rule185},
		{"wait", &rule186},
		{"exec", &rule187},
		{"restart", &rule188},
		{"start", &rule189},
		{"stop", &rule190},
		{"kill", &rule191},
		{"unpause", &rule192},
		{"pause", &rule193},
		{"run", &rule194},
		{"create", &rule194},
		{"rm", &rule195},
		{"remove", &rule195},
		{"prune", &rule196},
		{"update", &rule197},
		{"rename", &rule197},
		{"commit", &rule197},
		{"attach", &rule198},
		{"cp", &rule199},
		{"export", &rule200},
	},
	}
	rule202 = Rule{Do: "observe", Options: "-a/--all --digests -f/--filter=any --format=/\\{\\{\\s*\\.ID\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --tree --help --noheading --sort=any", Operands: "any?"}
	rule203 = Rule{Do: "observe", Options: "--format=any -H --human[=any] --no-trunc -q/--quiet --platform=any --help", Operands: "name"}
	rule204 = Rule{Do: "redeploy", Options: "-q/--quiet --platform=any", Operands: "svc", Why: "one image, written out; better: docker compose -f FILE pull SERVICE", Part: "first"}
	rule205 = Rule{Do: "redeploy", Options: "-t/--tag=svc -f/--file=code --no-cache --pull -q/--quiet --progress=any --target=any --platform=any --rm --force-rm", Operands: "code", Why: "build only from a folder of the repositories, with -t NAME, without --build-arg, --secret, --output or --network", Requires: "-t|--tag", Part: "first"}
	rule206 = Rule{Do: "unknown", Options: "-f/--force --no-prune -a/--all -i/--ignore --platform=any", Operands: "any*", Why: "images are not removed; report a full disk with docker system df"}
	rule207 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; hand it to a human"}
	rule208 = Rule{Commands: []Command{
		{"inspect", &rule181},
		{"ls", &rule202},
		{"list", &rule202},
		{"history", &rule203},
		{"pull", &rule204},
		{"build", &rule205},
		{"rm", &rule206},
		{"remove", &rule206},
		{"untag", &rule206},
		{"prune", &rule196},
		{"save", &rule200},
		{"load", &rule200},
		{"import", &rule200},
		{"tag", &rule200},
		{"push", &rule200},
		{"mount", &rule207},
	},
	}
	rule209 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID|Hostname)\\s*\\}\\}/!names --format=any!text -q/--quiet!names --help"}
	rule210 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --no-resolve --no-trunc -q/--quiet --help", Operands: "name*"}
	rule211 = Rule{Do: "observe", Options: "-f/--follow --no-resolve --no-task-ids --no-trunc --raw --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --help", Operands: "name"}
	rule212 = Rule{Do: "redeploy", Options: "--force -d --detach[=any] -q/--quiet --with-registry-auth", Operands: "svc", Why: "only docker service update --force NAME, which starts its tasks anew as they are defined", Requires: "--force"}
	rule213 = Rule{Do: "redeploy", Options: "-d --detach[=any] -q/--quiet", Operands: "svc"}
	rule214 = Rule{Do: "forbidden", Options: "-d --detach[=any]", Operands: "any*", Why: "services are not removed; docker service update --force NAME starts one anew"}
	rule215 = Rule{Do: "unknown", Options: "--availability=any --role=any -f/--force -d --detach[=any]", Operands: "any*", Why: "size and shape of the cluster are not changed; hand it to a human"}
	rule216 = Rule{Commands: []Command{
		{"inspect", &rule181},
		{"ls", &rule209},
		{"list", &rule209},
		{"ps", &rule210},
		{"logs", &rule211},
		{"update", &rule212},
		{"rollback", &rule213},
		{"create", &rule194},
		{"rm", &rule214},
		{"remove", &rule214},
		{"scale", &rule215},
	},
	}
	rule217 = Rule{Commands: []Command{
		{"inspect", &rule181},
		{"ls", &rule209},
		{"list", &rule209},
		{"ps", &rule210},
		{"update", &rule215},
		{"rm", &rule215},
		{"promote", &rule215},
		{"demote", &rule215},
	},
	}
	rule218 = Rule{Do: "observe", Options: "-f/--filter=any --format=any --since=any --until=any --stream[=any] --no-trunc --help"}
	rule219 = Rule{Do: "observe", Options: "-f/--format=any --help"}
	rule220 = Rule{Do: "observe", Options: "-v/--verbose --format=any --help"}
	rule221 = Rule{Commands: []Command{
		{"events", &rule218},
		{"info", &rule219},
		{"df", &rule220},
		{"prune", &rule196},
		{"reset", &rule196},
		{"dial-stdio", &rule207},
		{"service", &rule207},
		{"connection", &rule207},
	},
	}
	rule222 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.Name\\s*\\}\\}/!names --format=any!text -q/--quiet!names --cluster --help"}
	rule223 = Rule{Do: "observe", Options: "-f/--format=any --help", Operands: "name+"}
	rule224 = Rule{Do: "forbidden", Options: "-f/--force -a/--all -t/--time=any --help", Operands: "any*", Why: "volumes hold the services' data"}
	rule225 = Rule{Do: "unknown", Operands: "any*", Why: "volumes hold the services' data; look with docker volume ls and docker volume inspect"}
	rule226 = Rule{Commands: []Command{
		{"ls", &rule222},
		{"list", &rule222},
		{"inspect", &rule223},
		{"rm", &rule224},
		{"remove", &rule224},
		{"create", &rule225},
		{"update", &rule225},
		{"import", &rule225},
		{"export", &rule225},
		{"mount", &rule225},
		{"unmount", &rule225},
		{"reload", &rule225},
		{"prune", &rule196},
	},
	}
	rule227 = Rule{Do: "observe", Options: "-f/--filter=any --format=/\\{\\{\\s*\\.(Name|ID)\\s*\\}\\}/!names --format=any!text --no-trunc -q/--quiet!names --help"}
	rule228 = Rule{Do: "observe", Options: "-f/--format=any -v/--verbose --help", Operands: "name+"}
	rule229 = Rule{Do: "forbidden", Options: "-f/--force --ip=any --alias=any --driver=any -d=any --subnet=any", Operands: "any*", Why: "network configuration is not changed; look with docker network inspect"}
	rule230 = Rule{Commands: []Command{
		{"ls", &rule227},
		{"list", &rule227},
		{"inspect", &rule228},
		{"prune", &rule196},
		{"rm", &rule229},
		{"remove", &rule229},
		{"connect", &rule229},
		{"disconnect", &rule229},
		{"create", &rule229},
		{"update", &rule229},
		{"reload", &rule229},
	},
	}
	rule231 = Rule{Do: "observe", Options: "--format=any -q/--quiet --help"}
	rule232 = Rule{Do: "observe", Options: "-f/--format=any --help", Operands: "name*"}
	rule233 = Rule{Commands: []Command{
		{"ls", &rule231},
		{"list", &rule231},
		{"show", &rule15},
		{"inspect", &rule232},
		{"use", &rule207},
		{"create", &rule207},
		{"update", &rule207},
		{"import", &rule207},
		{"export", &rule207},
		{"rm", &rule207},
	},
	}
	rule234 = Rule{Do: "observe", Options: "--format=any --no-trunc --help"}
	rule235 = Rule{Do: "observe", Options: "--filter=any --format=any --verbose --help"}
	rule236 = Rule{Commands: []Command{
		{"ls", &rule234},
		{"version", &rule234},
		{"du", &rule235},
		{"disk-usage", &rule235},
		{"prune", &rule196},
		{"build", &rule207},
		{"bake", &rule207},
		{"create", &rule207},
		{"use", &rule207},
		{"rm", &rule207},
		{"imagetools", &rule207},
	},
	}
	rule237 = Rule{Commands: []Command{
		{"ls", &rule234},
		{"du", &rule235},
		{"prune", &rule196},
	},
	}
	rule238 = Rule{Do: "redeploy", Options: "-c/--compose-file=code -d --detach[=any] -q/--quiet --resolve-image=always|changed|never --with-registry-auth --prune!forbidden", Operands: "svc", Why: "only a stack file of the repositories, without --prune: docker stack deploy -c FILE NAME", Requires: "-c|--compose-file"}
	rule239 = Rule{Do: "unknown", Options: "-f/--format=any", Operands: "any*", Why: "the output holds environments; docker service ps NAME, docker service logs NAME show the state"}
	rule240 = Rule{Commands: []Command{
		{"ls", &rule209},
		{"list", &rule209},
		{"ps", &rule210},
		{"services", &rule210},
		{"deploy", &rule238},
		{"up", &rule238},
		{"rm", &rule214},
		{"remove", &rule214},
		{"down", &rule214},
		{"config", &rule239},
	},
	}
	rule241 = Rule{Do: "forbidden", Options: "-f/--format=any --pretty --showsecret -a/--all -i/--ignore -d/--driver=any -l/--label=any", Operands: "any*", Why: "secrets are neither shown nor changed"}
	rule242 = Rule{Commands: []Command{
		{"ls", &rule209},
		{"list", &rule209},
		{"prune", &rule196},
		{"rm", &rule241},
		{"create", &rule241},
		{"inspect", &rule241},
	},
	}
	rule243 = Rule{Do: "unknown", Operands: "any*", Why: "configurations can hold secrets; docker config ls shows the names"}
	rule244 = Rule{Commands: []Command{
		{"ls", &rule209},
		{"list", &rule209},
		{"inspect", &rule243},
		{"create", &rule243},
		{"rm", &rule243},
	},
	}
	rule245 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-reset", Operands: "name*"}
	rule246 = Rule{Commands: []Command{
		{"ps", &rule209},
		{"ls", &rule209},
		{"list", &rule209},
		{"stats", &rule245},
		{"top", &rule245},
		{"restart", &rule188},
		{"start", &rule189},
		{"stop", &rule190},
		{"kill", &rule191},
		{"rm", &rule195},
		{"prune", &rule196},
		{"inspect", &rule239},
	},
	}
	rule247 = Rule{Do: "observe", Operands: "name"}
	rule248 = Rule{Commands: []Command{
		{"run", &rule247},
	},
	}
	rule249 = Rule{Do: "observe", Options: "--dry-run --format=any", Why: "without --dry-run it replaces containers", Requires: "--dry-run"}
	rule250 = Rule{Commands: []Command{
		{"kube", &rule194},
	},
	}
	rule251 = Rule{Commands: []Command{
		{"play", &rule194},
	},
	}
	rule252 = Rule{Do: "forbidden", Options: "-f/--force -q/--quiet --rotate --token=any", Operands: "any*", Why: "the cluster and its keys are not touched"}
	rule253 = Rule{Commands: []Command{
		{"leave", &rule252},
		{"join", &rule252},
		{"join-token", &rule252},
		{"init", &rule252},
		{"update", &rule252},
		{"unlock", &rule252},
		{"unlock-key", &rule252},
		{"ca", &rule252},
	},
	}
	rule254 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=/\\{\\{\\s*\\.(Names?|ID|Service)\\s*\\}\\}/!names --format=any!text --no-trunc --orphans[=any] -q/--quiet!names --services!names --status=any", Operands: "name*"}
	rule255 = Rule{Do: "observe", Options: "-a/--all --filter=any --format=any!text -q/--quiet!names"}
	rule256 = Rule{Do: "observe", Options: "-f/--follow --index=any --no-color --no-log-prefix --since=any -n/--tail=/-?[0-9]+|all/ -t/--timestamps --until=any", Operands: "name*"}
	rule257 = Rule{Do: "observe", Options: "--format=any -q/--quiet", Operands: "name*"}
	rule258 = Rule{Do: "observe", Options: "-a/--all --format=any --no-stream --no-trunc", Operands: "name*"}
	rule259 = Rule{Do: "observe", Options: "--json --since=any --until=any", Operands: "name*"}
	rule260 = Rule{Do: "observe", Options: "--index=any --protocol=any", Operands: "name any"}
	rule261 = Rule{Do: "observe", Options: "-f/--format=any --short"}
	rule262 = Rule{Do: "observe", Options: "--services!names -q/--quiet --images --profiles --volumes --networks --models --hash=any --format=any --no-consistency --no-interpolate --no-normalize --no-path-resolution --no-env-resolution", Operands: "name*", Why: "the whole configuration shows the environment; ask for a part: config --services, --images, --volumes or -q", Requires: "--services|-q|--quiet|--images|--profiles|--volumes|--networks|--models|--hash"}
	rule263 = Rule{Do: "observe", Options: "-T/--no-tty/--no-TTY -i/--interactive -t/--tty --index=any -u/--user=any -w/--workdir=any -e/--env=any!unknown --privileged!unknown -d/--detach!unknown", Operands: "name inner", Style: "strict", Why: "name the service and one plain command: docker compose exec -T SERVICE COMMAND"}
	rule264 = Rule{Do: "restart", Options: "-t/--timeout=any --no-deps", Operands: "svc*"}
	rule265 = Rule{Do: "restart", Options: "--wait --wait-timeout=any", Operands: "svc*", Part: "last"}
	rule266 = Rule{Do: "restart", Options: "-t/--timeout=any", Operands: "svc*", Part: "first"}
	rule267 = Rule{Do: "restart", Options: "-s/--signal=any --remove-orphans!unknown", Operands: "svc*", Part: "first"}
	rule268 = Rule{Do: "restart", Operands: "svc*"}
	rule269 = Rule{Do: "restart", Options: "-d/--detach --wait --wait-timeout=any --no-color --no-log-prefix --no-deps --no-build --no-recreate --quiet-pull --quiet-build --timestamps -t/--timeout=any -y/--yes --build!redeploy --force-recreate!redeploy --always-recreate-deps!redeploy --pull=always|missing|if_not_present|never|build|newer!redeploy -V/--renew-anon-volumes!forbidden --remove-orphans!unknown --scale=any!unknown", Operands: "svc*", Why: "with -d (else its end stops the services), without --scale, --remove-orphans and -V (anonymous volumes hold data): docker compose -f FILE up -d SERVICE", Requires: "-d|--detach|--wait", Part: "last"}
	rule270 = Rule{Do: "redeploy", Options: "-t/--timeout=any -v!forbidden --volumes[=any]!forbidden --rmi=any!unknown --remove-orphans!unknown", Operands: "svc*", Why: "volumes, images and other services' containers stay: docker compose -f FILE down, then up -d", Part: "first"}
	rule271 = Rule{Do: "redeploy", Options: "-q/--quiet --ignore-buildable --ignore-pull-failures --include-deps --policy=any --no-parallel --parallel", Operands: "svc*", Part: "first"}
	rule272 = Rule{Do: "redeploy", Options: "--no-cache --pull -q/--quiet --progress=any --with-dependencies --no-rm --force-rm --parallel -m/--memory=any", Operands: "svc*", Why: "only as the compose file says, without --build-arg, --push, --ssh or --builder", Part: "first"}
	rule273 = Rule{Do: "redeploy", Options: "--build --force-recreate --no-build --no-recreate --pull=always|missing|if_not_present|never|build --quiet-pull -y/--yes", Operands: "svc*", Part: "first"}
	rule274 = Rule{Do: "unknown", Options: "-f/--force -s/--stop -v/--volumes!forbidden -a/--all", Operands: "any*", Why: "containers are not removed; up -d --force-recreate SERVICE makes one anew"}
	rule275 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted; look with ps, logs, top, exec, bring back with restart or up -d"}
	rule276 = Rule{Do: "observe", Options: "-f/--file=code -p/--project-name=lit --project-directory=code --env-file=code --profile=lit --ansi=any --progress=any --parallel=any --compatibility --all-resources --verbose --dry-run -v/--version -h/--help --no-ansi --no-color --log-level=any", Why: "compose files, their folder and their variables come from the repositories only: docker compose -f FILE SUBCOMMAND", Service: "project", Cwd: "code", Commands: []Command{
		{"help", &rule112},
		{"ps", &rule254},
		{"ls", &rule255},
		{"logs", &rule256},
		{"top", &rule257},
		{"images", &rule257},
		{"volumes", &rule257},
		{"stats", &rule258},
		{"events", &rule259},
		{"port", &rule260},
		{"version", &rule261},
		{"config", &rule262},
		{"exec", &rule263},
		{"restart", &rule264},
		{"start", &rule265},
		{"stop", &rule266},
		{"kill", &rule267},
		{"unpause", &rule268},
		{"up", &rule269},
		{"down", &rule270},
		{"pull", &rule271},
		{"build", &rule272},
		{"create", &rule273},
		{"rm", &rule274},
		{"run", &rule275},
		{"scale", &rule275},
		{"pause", &rule275},
		{"cp", &rule275},
		{"push", &rule275},
		{"publish", &rule275},
		{"export", &rule275},
		{"commit", &rule275},
		{"watch", &rule275},
		{"wait", &rule275},
		{"attach", &rule275},
		{"alpha", &rule275},
		{"bridge", &rule275},
		{"convert", &rule275},
		{"import", &rule275},
	},
	}
	rule277 = Rule{Do: "observe", Options: "-v/--version -h/--help -D/--debug -l/--log-level=any -c/--context=/default/ -n/--namespace=any", Why: "another daemon, context or configuration is not granted; write the subcommand plainly: docker ps, docker logs NAME, docker inspect --format …", Commands: []Command{
		{"help", &rule112},
		{"ps", &rule179},
		{"container", &rule201},
		{"logs", &rule180},
		{"inspect", &rule181},
		{"image", &rule208},
		{"service", &rule216},
		{"node", &rule217},
		{"stats", &rule182},
		{"top", &rule183},
		{"port", &rule184},
		{"diff", &rule185},
		{"wait", &rule186},
		{"events", &rule218},
		{"system", &rule221},
		{"images", &rule202},
		{"history", &rule203},
		{"version", &rule219},
		{"info", &rule219},
		{"volume", &rule226},
		{"network", &rule230},
		{"context", &rule233},
		{"buildx", &rule236},
		{"builder", &rule237},
		{"stack", &rule240},
		{"secret", &rule242},
		{"config", &rule244},
		{"pod", &rule246},
		{"healthcheck", &rule248},
		{"auto-update", &rule249},
		{"exec", &rule187},
		{"restart", &rule188},
		{"start", &rule189},
		{"stop", &rule190},
		{"kill", &rule191},
		{"unpause", &rule192},
		{"pause", &rule193},
		{"pull", &rule204},
		{"build", &rule205},
		{"run", &rule194},
		{"create", &rule194},
		{"debug", &rule194},
		{"play", &rule250},
		{"kube", &rule251},
		{"rm", &rule195},
		{"rmi", &rule206},
		{"swarm", &rule253},
		{"update", &rule197},
		{"rename", &rule197},
		{"commit", &rule197},
		{"attach", &rule198},
		{"cp", &rule199},
		{"save", &rule200},
		{"load", &rule200},
		{"import", &rule200},
		{"export", &rule200},
		{"tag", &rule200},
		{"push", &rule200},
		{"login", &rule207},
		{"logout", &rule207},
		{"search", &rule207},
		{"scout", &rule207},
		{"trust", &rule207},
		{"manifest", &rule207},
		{"plugin", &rule207},
		{"app", &rule207},
		{"extension", &rule207},
		{"model", &rule207},
		{"mcp", &rule207},
		{"sandbox", &rule207},
		{"init", &rule207},
		{"mount", &rule207},
		{"unmount", &rule207},
		{"unshare", &rule207},
		{"machine", &rule207},
		{"generate", &rule207},
		{"checkpoint", &rule207},
		{"namespace", &rule207},
		{"ipfs", &rule207},
		{"compose", &rule276},
	},
	}
	rule278 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -p/--print-avail -V/--verify -C/--audit --print-architecture --print-foreign-architectures --get-selections --compare-versions --no-pager --version --help --assert-multi-arch", Operands: "any*", Why: "packages are for people; what is installed: dpkg -l", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-p|--print-avail|-V|--verify|-C|--audit|--print-architecture|--print-foreign-architectures|--get-selections|--compare-versions|--version|--help"}
	rule279 = Rule{Do: "observe", Options: "-l/--list -L/--listfiles -s/--status -S/--search -W/--show -f/--showformat=any --no-pager --version", Operands: "any*", Requires: "-l|--list|-L|--listfiles|-s|--status|-S|--search|-W|--show|--version"}
	rule280 = Rule{Do: "observe", Operands: "lit?"}
	rule281 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule280},
		{"cstate", &rule280},
		{"dstate", &rule280},
		{"role", &rule280},
	},
	}
	rule282 = Rule{Do: "observe", Options: "-4 -6 -a -b=lit -c=lit -D -h -I=lit -o=lit -p=lit -Q -s -S -t -T -u -v -V=lit -x", Operands: "lit+", Why: "names are written out: drill NAME @SERVER"}
	rule283 = Rule{Do: "forbidden", Why: "it deletes data; a person has to do that", Loose: true}
	rule284 = Rule{Do: "observe", Options: "-0/--null -a/--all --apparent-size -B/--block-size=any -b/--bytes -c/--total -D/--dereference-args -d/--max-depth=any --files0-from=file -H -h/--human-readable --inodes -k -L/--dereference -l/--count-links -m -P/--no-dereference -S/--separate-dirs --si -s/--summarize -t/--threshold=any --time[=any] --time-style=any --exclude=any -x/--one-file-system --help --version", Operands: "meta*", Globs: true}
	rule285 = Rule{Do: "unknown", Operands: "any*", Why: "nobody sits at the keyboard: du -xh --max-depth=1 DIR | sort -h", Loose: true}
	rule286 = Rule{Do: "observe", Options: "-h -b -g -x", Operands: "meta"}
	rule287 = Rule{Commands: []Command{
		{"health", &rule15},
		{"status", &rule15},
		{"hashkv", &rule15},
	},
	}
	rule288 = Rule{Commands: []Command{
		{"list", &rule15},
	},
	}
	rule289 = Rule{Do: "observe", Operands: "file"}
	rule290 = Rule{Commands: []Command{
		{"status", &rule289},
	},
	}
	rule291 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes data", Loose: true}
	rule292 = Rule{Do: "observe", Persistent: "--endpoints=dbhost --cacert=file --cert=code --key=code --command-timeout=lit --dial-timeout=lit -w/--write-out=lit --cluster --insecure-skip-tls-verify --insecure-transport --hex", Why: "endpoint health|status, member list and alarm list only show; stored values may be secrets", Commands: []Command{
		{"endpoint", &rule287},
		{"member", &rule288},
		{"alarm", &rule288},
		{"version", &rule15},
		{"snapshot", &rule290},
		{"del", &rule291},
	},
	}
	rule293 = Rule{Do: "observe", Options: "-i/--driver -k/--show-features/--show-offload -S/--statistics -g/--show-ring -a/--show-pause -c/--show-coalesce -l/--show-channels -m/--module-info/--dump-module-eeprom -T/--show-time-stamping -n/-u/--show-nfc/--show-ntuple --show-eee --show-fec -P/--show-permaddr --show-priv-flags --phy-statistics -j/--json -I/--include-statistics --version -h/--help", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule294 = Rule{Do: "observe", Options: "-bp -bpc -bpr -bV", Requires: "-bp|-bpc|-bpr|-bV"}
	rule295 = Rule{Do: "observe", Options: "-t/--tabs=any", Operands: "file*", Loose: true}
	rule296 = Rule{Do: "observe", Options: "-v -s", Requires: "-v|-s"}
	rule297 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule280},
		{"ping", &rule15},
		{"version", &rule15},
		{"banned", &rule15},
	},
	}
	rule298 = Rule{Do: "observe", Options: "-l/--list -o/--output=any -u/--units[=any] -x/--list-details --bytes -L/--color[=any] -v/-V/--version", Operands: "meta*", Why: "partitions are only shown: fdisk -l", Requires: "-l|--list|-x|-v|-V|--version"}
	rule299 = Rule{Do: "observe", Options: "-b/--brief -e/--exclude=any -F/--separator=any -f/--files-from=file -i/--mime --mime-type --mime-encoding --extension -k/--keep-going -L/--dereference -h/--no-dereference -n/--no-buffer -N/--no-pad -p/--preserve-date -r/--raw -s/--special-files -0/--print0 -v/--version --help", Operands: "meta*", Globs: true}
	rule300 = Rule{Do: "observe", Options: "-s/--fstab -m/--mtab -k/--kernel -p/--poll[=any] -w/--timeout=any -A/--all -a/--ascii -b/--bytes -C/--nocanonicalize -c/--canonicalize -D/--df -d/--direction=any -e/--evaluate -f/--first-only -i/--invert -J/--json -l/--list -n/--noheadings -O/--options=any -o/--output=any --output-all -P/--pairs --pseudo --shadowed -R/--submounts -r/--raw --real -S/--source=any -T/--target=meta --tree -M/--mountpoint=meta -t/--types=any -U/--uniq -u/--notruncate -v/--nofsroot -y/--shell -x/--verify --verbose --vfs-all -h/--help -V/--version", Operands: "meta*"}
	rule301 = Rule{Do: "observe", Options: "--state --list-all --list-all-zones --get-active-zones --get-zones --get-default-zone --get-services --list-services --list-ports --list-protocols --list-rich-rules --list-interfaces --list-sources --list-forward-ports --get-log-denied --zone=any --permanent --get-zone-of-interface=any --query-service=any --query-port=any --query-masquerade -V/--version -h/--help", Why: "the packet filter is read only: firewall-cmd --list-all"}
	rule302 = Rule{Do: "observe", Options: "-w/--width=any", Operands: "file*", Loose: true}
	rule303 = Rule{Do: "observe", Options: "-4/--ipv4 -6/--ipv6 -A/--addr -a/--alive -b/--size=lit -B/--backoff=lit -C/--vcount=lit -c/--count=lit -D/--timestamp -d/--rdns -e/--elapsed -H/--ttl=lit -I/--iface=lit -i/--interval=lit -M/--dontfrag -m/--all -N/--netdata -n/--name -O/--tos=lit -o/--outage -p/--period=lit -q/--quiet -r/--retry=lit -S/--src=lit -s/--stats -t/--timeout=lit -u/--unreach -v/--version -x/--reachable=lit -J/--json", Operands: "host+", Why: "hosts are written out: fping -c 3 HOST…", Stdin: "none"}
	rule304 = Rule{Do: "observe", Options: "-b -k -m -g -h -l -t -v -w -s=any -c=any", Operands: "any*", Loose: true}
	rule305 = Rule{Do: "observe", Options: "-a/--all -I/--inode -l/--list-signals -m/--mount -M/--ismountpoint -n/--namespace=any -s/--silent -u/--user -v/--verbose -V/--version -4/--ipv4 -6/--ipv6", Operands: "meta*", Why: "ending processes (-k) is not granted; restart the service"}
	rule306 = Rule{Do: "observe", Options: "-r -n -v", Operands: "meta+"}
	rule307 = Rule{Do: "observe", Operands: "host*"}
	rule308 = Rule{Do: "forbidden", Operands: "any*", Why: "password hashes are secrets", Loose: true}
	rule309 = Rule{Do: "observe", Options: "-s/--service=any -i/--no-idn", Commands: []Command{
		{"passwd", &rule28},
		{"group", &rule28},
		{"services", &rule28},
		{"protocols", &rule28},
		{"rpc", &rule28},
		{"networks", &rule28},
		{"ethers", &rule28},
		{"aliases", &rule28},
		{"netgroup", &rule28},
		{"initgroups", &rule28},
		{"hosts", &rule307},
		{"ahosts", &rule307},
		{"ahostsv4", &rule307},
		{"ahostsv6", &rule307},
		{"shadow", &rule308},
		{"gshadow", &rule308},
	},
	}
	rule310 = Rule{Do: "observe", Options: "-a/--access -d/--default -c/--omit-header -e/--all-effective -n/--numeric -p/--absolute-names -t/--tabular -R/--recursive -L -P", Operands: "meta+"}
	rule311 = Rule{Do: "observe", Options: "-a", Operands: "lit?"}
	rule312 = Rule{Do: "observe", Options: "-a/--all -b/--branch=lit -c/--commit=lit --created=lit -e/--event=lit -s/--status=lit -u/--user=lit -w/--workflow=lit"}
	rule313 = Rule{Do: "observe", Options: "-v/--verbose --log --log-failed -j/--job=lit -a/--attempt=lit --exit-status", Operands: "/[0-9]+/?"}
	rule314 = Rule{Commands: []Command{
		{"list", &rule312},
		{"ls", &rule312},
		{"view", &rule313},
	},
	}
	rule315 = Rule{Do: "observe", Options: "-A/--author=lit -a/--assignee=lit -B/--base=lit -H/--head=lit -l/--label=lit -s/--state=lit -S/--search=lit -m/--milestone=lit -d/--draft"}
	rule316 = Rule{Do: "observe", Options: "-c/--comments", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule317 = Rule{Do: "observe", Options: "--color=lit --name-only --patch", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule318 = Rule{Do: "observe", Options: "--required", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule319 = Rule{Do: "observe", Options: "-t/--show-token!forbidden -h/--hostname=/github\\.com/ -a/--active -c/--conflict-status", Why: "a token is a secret; leave --show-token out"}
	rule320 = Rule{Commands: []Command{
		{"list", &rule315},
		{"ls", &rule315},
		{"view", &rule316},
		{"diff", &rule317},
		{"checks", &rule318},
		{"status", &rule319},
	},
	}
	rule321 = Rule{Commands: []Command{
		{"list", &rule315},
		{"ls", &rule315},
		{"view", &rule316},
		{"status", &rule319},
	},
	}
	rule322 = Rule{Do: "forbidden", Operands: "any*", Why: "a token is a secret", Loose: true}
	rule323 = Rule{Commands: []Command{
		{"status", &rule319},
		{"token", &rule322},
	},
	}
	rule324 = Rule{Do: "observe", Options: "--exclude-drafts --exclude-pre-releases -O/--order=lit"}
	rule325 = Rule{Do: "observe", Operands: "/[0-9A-Za-z_.][0-9A-Za-z_.\\/-]*/?"}
	rule326 = Rule{Commands: []Command{
		{"list", &rule324},
		{"ls", &rule324},
		{"view", &rule325},
	},
	}
	rule327 = Rule{Do: "observe", Options: "-a/--all"}
	rule328 = Rule{Do: "observe", Options: "-y/--yaml -r/--ref=lit", Operands: "lit"}
	rule329 = Rule{Commands: []Command{
		{"list", &rule327},
		{"ls", &rule327},
		{"view", &rule328},
	},
	}
	rule330 = Rule{Do: "observe", Options: "-b/--branch=lit", Operands: "/[A-Za-z0-9_.-]+(?:\\/[A-Za-z0-9_.-]+)?/?"}
	rule331 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a repository", Loose: true}
	rule332 = Rule{Commands: []Command{
		{"view", &rule330},
		{"delete", &rule331},
	},
	}
	rule333 = Rule{Do: "observe", Options: "--version", Persistent: "-R/--repo=/[A-Za-z0-9_.-]+\\/[A-Za-z0-9_.-]+/ --json=lit -q/--jq=jq --template=lit -L/--limit=lit", Why: "run, pr, issue, release, workflow and repo are looked at: list, view, diff, checks; nothing is created, run or changed", Requires: "--version", Commands: []Command{
		{"run", &rule314},
		{"pr", &rule320},
		{"issue", &rule321},
		{"auth", &rule323},
		{"release", &rule326},
		{"workflow", &rule329},
		{"repo", &rule332},
		{"version", &rule15},
	},
	}
	rule334 = Rule{Do: "observe", Options: "-s/--short -b/--branch --show-stash --porcelain[=any] --long -v/--verbose -u[=any] --untracked-files[=any] --ignored[=any] -z/--null --column[=any] --no-column --ahead-behind --no-ahead-behind --renames -M[=any]", Operands: "meta*"}
	rule335 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -g -i -E -F -P -q -r", Operands: "rev*"}
	rule336 = Rule{Do: "observe", Options: "-n=any -# -p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -m -t -q -r", Operands: "rev*"}
	rule337 = Rule{Do: "observe", Options: "-p -u -s -U=any -W -w -b -a -z -R -B[=any] -M[=any] -C[=any] -D -l=any -S=any -G=any -I=any -X[=any] -c -q -0 -1 -2 -3 --cached --staged --merge-base --base --ours --theirs", Operands: "rev*"}
	rule338 = Rule{Do: "observe", Options: "-p -u -s -r -t -z -c -m -v -U=any -M[=any] -C[=any] -R -S=any -G=any --root --cached --no-commit-id --merge-base", Operands: "rev*"}
	rule339 = Rule{Do: "observe", Options: "-v -s -p --creation-factor=any", Operands: "rev*"}
	rule340 = Rule{Do: "observe", Options: "-a -r -v -vv/--verbose -q -l/--list -i/--ignore-case --show-current --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "branches are only listed: git branch -a -vv"}
	rule341 = Rule{Do: "observe", Options: "-l/--list -n[=any] -i/--ignore-case --contains=lit --no-contains=lit --merged=lit --no-merged=lit --points-at=lit --sort=any --column[=any] --no-column", Why: "tags are only listed: git tag -l --sort=-creatordate | head"}
	rule342 = Rule{Do: "observe", Options: "--push --all", Operands: "lit"}
	rule343 = Rule{Do: "observe", Options: "-n", Operands: "lit*", Requires: "-n"}
	rule344 = Rule{Do: "observe", Options: "-v/--verbose", Why: "remotes are only listed: git remote -v", Commands: []Command{
		{"get-url", &rule342},
		{"show", &rule343},
	},
	}
	rule345 = Rule{Do: "observe", Options: "--short[=any] --abbrev-ref[=any] --verify -q --symbolic --symbolic-full-name --show-toplevel --show-prefix --show-cdup --git-dir --absolute-git-dir --git-common-dir --is-inside-work-tree --is-inside-git-dir --is-bare-repository --is-shallow-repository --revs-only --no-revs --flags --no-flags --path-format=any --show-superproject-working-tree --show-object-format", Operands: "any*"}
	rule346 = Rule{Do: "observe", Options: "-n=any -# -i -E -F -P -g --objects --disk-usage[=any] --header --timestamp --no-commit-header --left-only", Operands: "rev*"}
	rule347 = Rule{Do: "observe", Options: "-c/--cached -d/--deleted -m/--modified -o/--others -i/--ignored -s/--stage -u/--unmerged -k/--killed -t -v -f -z --directory --no-empty-directory --eol --deduplicate --exclude-standard -x=any --error-unmatch --full-name --recurse-submodules --sparse", Operands: "meta*"}
	rule348 = Rule{Do: "observe", Options: "-r -d -t -l/--long -z --full-name --full-tree --object-only", Operands: "any meta*"}
	rule349 = Rule{Do: "observe", Options: "-L=/[^:].*|:[A-Za-z0-9_.-]+/ -l -t -s -e/--show-email -w -b -c -f/--show-name -n/--show-number -p/--porcelain --line-porcelain --incremental --root --show-stats --score-debug --progress --no-progress -M[=any] -C[=any] --ignore-rev=lit --color-lines --color-by-age", Operands: "rev+"}
	rule350 = Rule{Do: "observe", Options: "--always --long --dirty[=any] --broken[=any] --exact-match --contains --match=any --candidates=any --debug", Operands: "any*"}
	rule351 = Rule{Do: "observe", Options: "--refs=any --no-undefined --always", Operands: "any*"}
	rule352 = Rule{Do: "observe", Options: "-s -n/--numbered -e/--email -c/--committer --group=any -w[=any]", Operands: "rev*"}
	rule353 = Rule{Do: "observe", Options: "-n=any -# -p -s"}
	rule354 = Rule{Do: "observe", Options: "-p -u/--include-untracked --only-untracked -U=any", Operands: "any?"}
	rule355 = Rule{Do: "forbidden", Operands: "any*", Why: "it changes the repository; git stash list shows", Loose: true, Commands: []Command{
		{"list", &rule353},
		{"show", &rule354},
	},
	}
	rule356 = Rule{Do: "observe", Options: "-t -s -e -p", Operands: "rev", Requires: "-t|-s|-e|-p"}
	rule357 = Rule{Do: "observe", Options: "-e=any!first -# -A/--after-context=any -B/--before-context=any -C/--context=any -E -F -G -P -H -I -L/--files-without-match -W -a -c -h -i/--ignore-case -l/--files-with-matches -m=any -n/--line-number -o/--only-matching -p/--show-function -q -r/--recursive -v/--invert-match -w/--word-regexp -z/--null --and --or --not --break --cached --column --exclude-standard --full-name --heading --max-depth=any --no-index!unknown --threads=any --untracked --no-recursive --recurse-submodules", Operands: "any rev*"}
	rule358 = Rule{Do: "observe", Options: "-n=any -# -i -p -s", Operands: "any*"}
	rule359 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes history", Loose: true}
	rule360 = Rule{Do: "observe", Options: "-n=any -# -i", Why: "it only shows: git reflog -5", Commands: []Command{
		{"show", &rule358},
		{"expire", &rule359},
		{"delete", &rule359},
		{"drop", &rule359},
	},
	}
	rule361 = Rule{Do: "observe", Options: "--sort=any --contains[=any] --no-contains[=any] --merged[=any] --no-merged[=any] --points-at=any --ignore-case --omit-empty --count=any", Operands: "any*"}
	rule362 = Rule{Do: "observe", Options: "--head --heads --branches -d/--dereference -s/--hash[=any] --verify -q", Operands: "any*"}
	rule363 = Rule{Do: "observe", Options: "-a --is-ancestor --octopus --independent --fork-point", Operands: "any+"}
	rule364 = Rule{Do: "observe", Options: "-v/--verbose -q -n/--non-matching -a --no-index -z", Operands: "any*"}
	rule365 = Rule{Do: "observe", Options: "-v/--verbose -H/--human-readable"}
	rule366 = Rule{Do: "observe", Options: "-v/--verbose --porcelain -z"}
	rule367 = Rule{Do: "unknown", Why: "work trees are only listed: git worktree list", Commands: []Command{
		{"list", &rule366},
	},
	}
	rule368 = Rule{Do: "observe", Options: "--cached --recursive", Operands: "meta*"}
	rule369 = Rule{Do: "observe", Why: "submodules are only listed: git submodule status", Commands: []Command{
		{"status", &rule368},
	},
	}
	rule370 = Rule{Do: "observe", Operands: "any?"}
	rule371 = Rule{Do: "observe", Why: "notes are only shown: git notes list", Commands: []Command{
		{"list", &rule370},
		{"show", &rule370},
	},
	}
	rule372 = Rule{Do: "observe", Options: "--build-options"}
	rule373 = Rule{Do: "forbidden", Operands: "any*", Why: "repositories are not changed by agents; write into the handoff what a person should change", Loose: true}
	rule374 = Rule{Do: "forbidden", Operands: "any*", Why: "credentials are secrets", Loose: true}
	rule375 = Rule{Do: "unknown", Operands: "any*", Why: "it can run programs, show credentials or reach out; git log, diff, show and status only look", Loose: true}
	rule376 = Rule{Do: "observe", Options: "-C=code --git-dir=code --work-tree=code -P/--no-pager --no-optional-locks --no-replace-objects --no-lazy-fetch --literal-pathspecs --glob-pathspecs --icase-pathspecs --bare -v/--version", Persistent: "--patch --no-patch --unified=any --raw --patch-with-raw --patch-with-stat --minimal --patience --histogram --anchored=any --diff-algorithm=any --stat[=any] --stat-width=any --stat-name-width=any --stat-count=any --stat-graph-width=any --compact-summary --numstat --shortstat --dirstat[=any] --cumulative --dirstat-by-file[=any] --summary --name-only --name-status --submodule[=any] --color[=any] --no-color --color-moved[=any] --no-color-moved --color-moved-ws=any --word-diff[=any] --word-diff-regex=any --color-words[=any] --no-renames --rename-empty --no-rename-empty --check --ws-error-highlight=any --full-index --binary --abbrev[=any] --no-abbrev --break-rewrites[=any] --find-renames[=any] --find-copies[=any] --find-copies-harder --irreversible-delete --diff-filter=any --find-object=any --pickaxe-all --pickaxe-regex --relative[=any] --no-relative --text --ignore-cr-at-eol --ignore-space-at-eol --ignore-space-change --ignore-all-space --ignore-blank-lines --ignore-matching-lines=any --inter-hunk-context=any --function-context --exit-code --quiet --no-ext-diff --no-textconv --ignore-submodules[=any] --src-prefix=any --dst-prefix=any --no-prefix --default-prefix --line-prefix=any --output-indicator-new=any --output-indicator-old=any --output-indicator-context=any --indent-heuristic --no-indent-heuristic --oneline --graph --no-graph --decorate[=any] --no-decorate --decorate-refs=any --decorate-refs-exclude=any --clear-decorations --all --branches[=any] --tags[=any] --remotes[=any] --glob=any --exclude=any --max-count=any --skip=any --since=any --after=any --until=any --before=any --author=any --committer=any --grep=any --grep-reflog=any --all-match --invert-grep --regexp-ignore-case --basic-regexp --extended-regexp --fixed-strings --perl-regexp --merges --no-merges --min-parents=any --max-parents=any --no-min-parents --no-max-parents --first-parent --exclude-first-parent-only --follow --reverse --date=any --relative-date --format=any --pretty[=any] --abbrev-commit --no-abbrev-commit --encoding=any --expand-tabs[=any] --no-expand-tabs --notes[=any] --no-notes --left-right --cherry-pick --cherry-mark --cherry --walk-reflogs --merge --boundary --simplify-merges --simplify-by-decoration --full-history --dense --sparse --ancestry-path[=any] --topo-order --date-order --author-date-order --parents --children --left-only --right-only --source --use-mailmap --mailmap --no-mailmap --log-size --cc --combined-all-paths --diff-merges=any --no-diff-merges --remerge-diff --no-walk[=any] --do-walk --count --show-linear-break[=any]", Why: "repositories are only looked at, where they lie: git -C FOLDER log -5 --stat; status, diff, show, blame, branch, tag and their like, without -c and without pagers", Requires: "--version|-v", Cwd: "code", Commands: []Command{
		{"status", &rule334},
		{"log", &rule335},
		{"whatchanged", &rule335},
		{"show", &rule336},
		{"diff", &rule337},
		{"diff-tree", &rule338},
		{"diff-index", &rule338},
		{"diff-files", &rule338},
		{"range-diff", &rule339},
		{"cherry", &rule339},
		{"branch", &rule340},
		{"tag", &rule341},
		{"remote", &rule344},
		{"rev-parse", &rule345},
		{"rev-list", &rule346},
		{"ls-files", &rule347},
		{"ls-tree", &rule348},
		{"blame", &rule349},
		{"annotate", &rule349},
		{"describe", &rule350},
		{"name-rev", &rule351},
		{"shortlog", &rule352},
		{"stash", &rule355},
		{"cat-file", &rule356},
		{"grep", &rule357},
		{"reflog", &rule360},
		{"for-each-ref", &rule361},
		{"show-ref", &rule362},
		{"merge-base", &rule363},
		{"check-ignore", &rule364},
		{"check-attr", &rule364},
		{"count-objects", &rule365},
		{"worktree", &rule367},
		{"submodule", &rule369},
		{"notes", &rule371},
		{"version", &rule372},
		{"push", &rule373},
		{"fetch", &rule373},
		{"pull", &rule373},
		{"commit", &rule373},
		{"checkout", &rule373},
		{"switch", &rule373},
		{"restore", &rule373},
		{"reset", &rule373},
		{"merge", &rule373},
		{"rebase", &rule373},
		{"cherry-pick", &rule373},
		{"revert", &rule373},
		{"add", &rule373},
		{"rm", &rule373},
		{"mv", &rule373},
		{"clean", &rule373},
		{"am", &rule373},
		{"apply", &rule373},
		{"gc", &rule373},
		{"prune", &rule373},
		{"repack", &rule373},
		{"filter-branch", &rule373},
		{"filter-repo", &rule373},
		{"update-ref", &rule373},
		{"update-index", &rule373},
		{"symbolic-ref", &rule373},
		{"replace", &rule373},
		{"read-tree", &rule373},
		{"write-tree", &rule373},
		{"commit-tree", &rule373},
		{"send-email", &rule373},
		{"send-pack", &rule373},
		{"receive-pack", &rule373},
		{"svn", &rule373},
		{"p4", &rule373},
		{"credential", &rule374},
		{"credential-store", &rule374},
		{"credential-cache", &rule374},
		{"config", &rule375},
		{"clone", &rule375},
		{"init", &rule375},
		{"ls-remote", &rule375},
		{"archive", &rule375},
		{"bundle", &rule375},
		{"difftool", &rule375},
		{"mergetool", &rule375},
		{"help", &rule375},
		{"daemon", &rule375},
		{"instaweb", &rule375},
		{"web--browse", &rule375},
		{"bisect", &rule375},
		{"maintenance", &rule375},
		{"var", &rule375},
	},
	}
	rule377 = Rule{Do: "unknown", Why: "it is not granted; the repositories on this machine can be looked at: git -C FOLDER log -5 --stat", Loose: true}
	rule378 = Rule{Do: "observe", Options: "-a -g/--group -G/--groups -n/--name -r/--real -u/--user -z/--zero -Z/--context --help --version", Operands: "any*"}
	rule379 = Rule{Do: "observe", Options: "-n/--quiet/--silent -E/-r/--regexp-extended -e/--expression=sed!first -s/--separate -u/--unbuffered -z/--null-data -l/--line-length=any -b/--binary --debug --sandbox --follow-symlinks --help --version", Operands: "sed file*", Why: "files stay as they are (no -i), and the script stands in the command (no -f)"}
	rule380 = Rule{Do: "observe", Options: "-c/--stdout/--to-stdout -d/--decompress/--uncompress -l/--list -t/--test -v/--verbose -q/--quiet -f/--force -n/--no-name -N/--name -k/--keep -# --fast --best", Operands: "file*", Why: "files stay as they are: gzip -dc FILE, zcat FILE, gzip -l FILE, or … | gzip -c > $TMPDIR/x.gz", Requires: "-c|--stdout|--to-stdout|-l|--list|-t|--test"}
	rule381 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine stays up; ask a person", Loose: true}
	rule382 = Rule{Do: "observe", Options: "-c -f=code -V -v -vv -q", Why: "haproxy -c -f FILE; to reload it: systemctl reload haproxy", Requires: "-c|-v|-vv"}
	rule383 = Rule{Do: "observe", Options: "-b -c -C/--canonical -d -o -x -v -n/--length=any -s/--skip=any -e=any", Operands: "file*"}
	rule384 = Rule{Do: "observe", Options: "-n/--lines=any -c/--bytes=any --pid=any --sleep-interval=any --max-unchanged-stats=any", Operands: "file*", Loose: true}
	rule385 = Rule{Do: "observe", Options: "-a/--all -A/--all-namespaces --date -r/--reverse --deployed --failed --pending --superseded --uninstalled --uninstalling -f/--filter=any -m/--max=any --no-headers --offset=any -o/--output=any -q/--short!names -l/--selector=any --time-format=any"}
	rule386 = Rule{Do: "observe", Options: "-o/--output=/table/ --revision=any --show-desc --show-resources", Operands: "name", Why: "without -o json or yaml, which show the values and with them passwords"}
	rule387 = Rule{Do: "observe", Options: "--max=any -o/--output=any", Operands: "name"}
	rule388 = Rule{Do: "observe", Options: "--revision=any", Operands: "name"}
	rule389 = Rule{Do: "observe", Options: "--revision=any -o/--output=any", Operands: "name"}
	rule390 = Rule{Do: "forbidden", Options: "-a/--all -o/--output=any --revision=any --template=any", Operands: "any*", Why: "values and manifests hold passwords; helm get notes, helm history and helm status show the state"}
	rule391 = Rule{Commands: []Command{
		{"notes", &rule388},
		{"metadata", &rule389},
		{"values", &rule390},
		{"manifest", &rule390},
		{"all", &rule390},
		{"hooks", &rule390},
	},
	}
	rule392 = Rule{Do: "observe", Options: "--devel --fail-on-no-result --max-col-width=any -o/--output=any -r/--regexp --version=any -l/--versions", Operands: "any*"}
	rule393 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent; helm upgrade RELEASE FOLDER and helm rollback RELEASE are"}
	rule394 = Rule{Commands: []Command{
		{"repo", &rule392},
		{"hub", &rule393},
	},
	}
	rule395 = Rule{Do: "observe", Options: "--version=any --devel --jsonpath=any", Operands: "code", Why: "only charts of the repositories"}
	rule396 = Rule{Commands: []Command{
		{"chart", &rule395},
		{"readme", &rule395},
		{"values", &rule395},
		{"crds", &rule395},
		{"all", &rule395},
	},
	}
	rule397 = Rule{Commands: []Command{
		{"chart", &rule395},
		{"values", &rule395},
	},
	}
	rule398 = Rule{Do: "observe", Options: "--strict --quiet --with-subcharts -f/--values=code", Operands: "code"}
	rule399 = Rule{Do: "observe", Options: "--short --template=any -c/--client"}
	rule400 = Rule{Do: "observe", Operands: "HELM_NAMESPACE|HELM_BIN|HELM_CACHE_HOME|HELM_CONFIG_HOME|HELM_DATA_HOME|HELM_DEBUG|HELM_KUBECONTEXT|HELM_MAX_HISTORY|HELM_REPOSITORY_CONFIG|HELM_REPOSITORY_CACHE|HELM_PLUGINS", Why: "one variable by its name (helm env HELM_NAMESPACE): the whole list holds the token"}
	rule401 = Rule{Do: "redeploy", Options: "--wait --wait-for-jobs --timeout=any --history-max=any --no-hooks --recreate-pods --cleanup-on-fail!unknown --force!forbidden", Operands: "svc any?", Why: "without --force and --cleanup-on-fail, which delete: helm rollback RELEASE REVISION -n NAMESPACE"}
	rule402 = Rule{Do: "redeploy", Options: "-i/--install --atomic --rollback-on-failure --wait --wait-for-jobs --timeout=any -f/--values=code --reuse-values --reset-values --reset-then-reuse-values --version=any --description=any --history-max=any --skip-crds --no-hooks --devel --hide-notes --disable-openapi-validation --force!forbidden --cleanup-on-fail!unknown", Operands: "svc code", Why: "only charts and value files of the repositories, without --set, --post-renderer, --repo, --dry-run: helm upgrade RELEASE FOLDER -f FILE", Cwd: "code"}
	rule403 = Rule{Do: "forbidden", Options: "--cascade=any --description=any --dry-run --keep-history --no-hooks --timeout=any --wait --ignore-not-found", Operands: "any*", Why: "releases are not removed; helm rollback RELEASE goes back"}
	rule404 = Rule{Do: "observe", Persistent: "-n/--namespace=any --kube-context=lit --kubeconfig=code --debug --burst-limit=any --qps=any -h/--help", Why: "another server, token, registry or plugin is not granted; write the subcommand plainly: helm status RELEASE -n NAMESPACE", Commands: []Command{
		{"list", &rule385},
		{"ls", &rule385},
		{"status", &rule386},
		{"history", &rule387},
		{"hist", &rule387},
		{"get", &rule391},
		{"search", &rule394},
		{"show", &rule396},
		{"inspect", &rule397},
		{"lint", &rule398},
		{"version", &rule399},
		{"help", &rule112},
		{"env", &rule400},
		{"rollback", &rule401},
		{"upgrade", &rule402},
		{"uninstall", &rule403},
		{"un", &rule403},
		{"del", &rule403},
		{"delete", &rule403},
		{"install", &rule393},
		{"template", &rule393},
		{"test", &rule393},
		{"repo", &rule393},
		{"pull", &rule393},
		{"fetch", &rule393},
		{"push", &rule393},
		{"plugin", &rule393},
		{"registry", &rule393},
		{"dependency", &rule393},
		{"dep", &rule393},
		{"create", &rule393},
		{"package", &rule393},
		{"verify", &rule393},
	},
	}
	rule405 = Rule{Do: "observe", Options: "-4 -6 -a -A -C -c=lit -d -i -l -m=lit -N=lit -p=lit -r -R=lit -s -t=lit -T -U -v -V -w -W=lit", Operands: "lit lit?", Why: "names are written out: host NAME SERVER"}
	rule406 = Rule{Do: "observe", Options: "-f/--fqdn/--long -i/--ip-address -I/--all-ip-addresses -s/--short -d/--domain -A/--all-fqdns -a/--alias -y/--yp/--nis -V/--version -h/--help", Why: "the machine keeps its name"}
	rule407 = Rule{Do: "forbidden", Operands: "any*", Why: "the machine keeps its name", Loose: true}
	rule408 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--static --transient --pretty --json=any -j --no-ask-password", Commands: []Command{
		{"status", &rule15},
		{"hostname", &rule15},
		{"icon-name", &rule15},
		{"chassis", &rule15},
		{"deployment", &rule15},
		{"location", &rule15},
		{"set-hostname", &rule407},
		{"set-icon-name", &rule407},
		{"set-chassis", &rule407},
		{"set-deployment", &rule407},
		{"set-location", &rule407},
	},
	}
	rule409 = Rule{Do: "observe", Options: "-f/--from-code=any -t/--to-code=any -c -l/--list -s/--silent -o/--output=out", Operands: "file*"}
	rule410 = Rule{Do: "observe", Options: "-a -s -v", Operands: "/[A-Za-z0-9_.@-]+/?", Why: "the network's configuration is for people"}
	rule411 = Rule{Do: "observe", Options: "--status-all -l/--list -q/--quiet -C/--nocolor", Operands: "svc? status|restart|try-restart|condrestart|force-reload|start|stop|reload?", Style: "strict", Why: "service NAME status, restart, start, stop or reload", Check: "service"}
	rule412 = Rule{Do: "observe", Options: "-c/--class=any -n/--classdata=any -t/--ignore", Operands: "inner", Style: "strict"}
	rule413 = Rule{Do: "observe", Options: "-c -d -h --human -k -m -N -s -t -x -y -z -p[=any] -j=any -g=any -H -T -o=JSON --dec=any --compact --pretty -V", Operands: "any*"}
	rule414 = Rule{Do: "observe", Options: "-o/--only -b/--batch -n/--iter=any -d/--delay=any -p/--pid=any -u/--user=any -P/--processes -a/--accumulated -k/--kilobytes -t/--time -q/--quiet", Requires: "-b|--batch"}
	rule415 = Rule{Do: "observe", Options: "-br/-brief -4 -6 -s/-stats -d/-details -o/-oneline -j/-json -p/-pretty -h -c[=any] -color[=any]", Operands: "lit*", Style: "word"}
	rule416 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule415},
		{"sho", &rule415},
		{"sh", &rule415},
		{"s", &rule415},
		{"list", &rule415},
		{"lis", &rule415},
		{"li", &rule415},
		{"l", &rule415},
		{"ls", &rule415},
		{"lst", &rule415},
		{"add", &rule33},
		{"ad", &rule33},
		{"a", &rule33},
		{"change", &rule33},
		{"chang", &rule33},
		{"chg", &rule33},
		{"c", &rule33},
		{"ch", &rule33},
		{"replace", &rule33},
		{"repl", &rule33},
		{"rep", &rule33},
		{"append", &rule33},
		{"app", &rule33},
		{"prepend", &rule33},
		{"delete", &rule33},
		{"delet", &rule33},
		{"dele", &rule33},
		{"del", &rule33},
		{"de", &rule33},
		{"d", &rule33},
		{"flush", &rule33},
		{"flus", &rule33},
		{"flu", &rule33},
		{"fl", &rule33},
		{"f", &rule33},
		{"set", &rule33},
		{"se", &rule33},
		{"restore", &rule33},
		{"save", &rule33},
		{"exec", &rule33},
		{"attach", &rule33},
	},
	}
	rule417 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule415},
		{"sho", &rule415},
		{"sh", &rule415},
		{"list", &rule415},
		{"lis", &rule415},
		{"li", &rule415},
		{"l", &rule415},
		{"ls", &rule415},
		{"lst", &rule415},
		{"xstats", &rule415},
		{"afstats", &rule415},
		{"add", &rule33},
		{"ad", &rule33},
		{"a", &rule33},
		{"set", &rule33},
		{"se", &rule33},
		{"s", &rule33},
		{"change", &rule33},
		{"chang", &rule33},
		{"c", &rule33},
		{"replace", &rule33},
		{"repl", &rule33},
		{"delete", &rule33},
		{"delet", &rule33},
		{"dele", &rule33},
		{"del", &rule33},
		{"de", &rule33},
		{"d", &rule33},
		{"property", &rule33},
	},
	}
	rule418 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule415},
		{"sho", &rule415},
		{"sh", &rule415},
		{"s", &rule415},
		{"list", &rule415},
		{"lis", &rule415},
		{"li", &rule415},
		{"l", &rule415},
		{"ls", &rule415},
		{"lst", &rule415},
		{"get", &rule415},
		{"ge", &rule415},
		{"g", &rule415},
		{"add", &rule33},
		{"ad", &rule33},
		{"a", &rule33},
		{"change", &rule33},
		{"chang", &rule33},
		{"chg", &rule33},
		{"c", &rule33},
		{"ch", &rule33},
		{"replace", &rule33},
		{"repl", &rule33},
		{"rep", &rule33},
		{"append", &rule33},
		{"app", &rule33},
		{"prepend", &rule33},
		{"delete", &rule33},
		{"delet", &rule33},
		{"dele", &rule33},
		{"del", &rule33},
		{"de", &rule33},
		{"d", &rule33},
		{"flush", &rule33},
		{"flus", &rule33},
		{"flu", &rule33},
		{"fl", &rule33},
		{"f", &rule33},
		{"restore", &rule33},
		{"save", &rule33},
	},
	}
	rule419 = Rule{Do: "observe", Operands: "/[A-Za-z0-9_.-]+/ inner", Style: "strict"}
	rule420 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule15},
		{"lis", &rule15},
		{"li", &rule15},
		{"l", &rule15},
		{"ls", &rule15},
		{"lst", &rule15},
		{"list-id", &rule15},
		{"identify", &rule280},
		{"pids", &rule280},
		{"id", &rule280},
		{"exec", &rule419},
		{"exe", &rule419},
		{"ex", &rule419},
		{"e", &rule419},
		{"add", &rule33},
		{"a", &rule33},
		{"delete", &rule33},
		{"del", &rule33},
		{"d", &rule33},
		{"set", &rule33},
		{"attach", &rule33},
		{"monitor", &rule33},
	},
	}
	rule421 = Rule{Do: "forbidden", Operands: "any*", Why: "the keys of tunnels are secrets", Loose: true}
	rule422 = Rule{Do: "observe", Options: "-4 -6 -0 -B -M -s/-st/-sta/-stat/-stats/-statistics -d/-de/-det/-detail/-details -h/-human/-human-readable -iec -j/-js/-json -p/-pretty -o/-on/-oneline -r/-resolve -br/-brief -t/-timestamp -ts/-tshort -N/-Numeric -c[=any] -color[=any] -f/-family=any -l/-loops=any -V/-Version -n/-netns=/[A-Za-z0-9_.-]+/", Style: "word", Why: "only looking is granted: ip -br addr, ip route, ip -s link show, ip neigh; the network stays as it is", Commands: []Command{
		{"address", &rule416},
		{"addr", &rule416},
		{"a", &rule416},
		{"ad", &rule416},
		{"add", &rule416},
		{"addre", &rule416},
		{"addres", &rule416},
		{"link", &rule417},
		{"lin", &rule417},
		{"li", &rule417},
		{"l", &rule417},
		{"route", &rule418},
		{"rout", &rule418},
		{"rou", &rule418},
		{"ro", &rule418},
		{"r", &rule418},
		{"neighbour", &rule416},
		{"neighbor", &rule416},
		{"neigh", &rule416},
		{"nei", &rule416},
		{"ne", &rule416},
		{"n", &rule416},
		{"rule", &rule416},
		{"rul", &rule416},
		{"ru", &rule416},
		{"maddress", &rule416},
		{"maddr", &rule416},
		{"mad", &rule416},
		{"ma", &rule416},
		{"m", &rule416},
		{"mroute", &rule416},
		{"mr", &rule416},
		{"ntable", &rule416},
		{"ntbl", &rule416},
		{"nexthop", &rule416},
		{"nex", &rule416},
		{"tunnel", &rule416},
		{"tunl", &rule416},
		{"tun", &rule416},
		{"tuntap", &rule416},
		{"token", &rule416},
		{"vrf", &rule416},
		{"addrlabel", &rule416},
		{"addrl", &rule416},
		{"netconf", &rule416},
		{"netc", &rule416},
		{"mptcp", &rule416},
		{"tcp_metrics", &rule416},
		{"tcpmetrics", &rule416},
		{"fou", &rule416},
		{"ila", &rule416},
		{"sr", &rule416},
		{"netns", &rule420},
		{"netn", &rule420},
		{"net", &rule420},
		{"xfrm", &rule421},
		{"xfr", &rule421},
		{"xf", &rule421},
		{"x", &rule421},
		{"macsec", &rule421},
		{"mac", &rule421},
		{"l2tp", &rule421},
	},
	}
	rule423 = Rule{Do: "observe", Options: "-L/--list -S/--list-rules -n/--numeric -v/--verbose -x/--exact -t/--table=any --line-numbers -w/--wait[=any] -4/--ipv4 -6/--ipv6 -V/--version -A/--append!forbidden -I/--insert!forbidden -D/--delete!forbidden -R/--replace!forbidden -F/--flush!forbidden -X/--delete-chain!forbidden -N/--new-chain!forbidden -P/--policy!forbidden -E/--rename-chain!forbidden -Z/--zero!forbidden -p/--protocol/--proto=any -j/--jump=any -s/--source=any -d/--destination=any -i/--in-interface=any -o/--out-interface=any -m/--match=any --dport=any --sport=any --dports=any --state=any --ctstate=any --to-destination=any --comment=any", Operands: "/[A-Za-z0-9_.-]+/*", Why: "the packet filter is read only: iptables -L -n -v, iptables -S", Requires: "-L|--list|-S|--list-rules|-V|--version|-A|-I|-D|-R|-F|-X|-N|-P|-E|-Z"}
	rule424 = Rule{Do: "observe", Options: "-t/--table=any -c/--counters -4 -6 -V/--version"}
	rule425 = Rule{Do: "observe", Options: "-J/--json -l/--list -n/--noheadings -o/--output=any --output-all -p/--task/--pid=any -r/--raw -u/--notruncate -t/--type=any -b/--bytes -i/--noinaccessible -W/--nowrap -T/--tree[=any] -a/--all -q/--queues -m/--shmems -s/--semaphores -c -g/--global --human", Operands: "any*"}
	rule426 = Rule{Do: "observe", Options: "-n/-name -t/-terse -o/-output=any -s/-sorted", Operands: "lit?"}
	rule427 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule426},
		{"-L", &rule426},
		{"--list", &rule426},
		{"save", &rule426},
		{"-S", &rule426},
	},
	}
	rule428 = Rule{Do: "observe", Options: "-L/-l/--list -n/--numeric --stats --rate --connection/-c --timeout --daemon --exact --sort", Requires: "-L|-l|--list"}
	rule429 = Rule{Do: "observe", Options: "-m/--mode=session|node|iface -P/--print=any", Requires: "-m|--mode"}
	rule430 = Rule{Do: "observe", Options: "-v -V --version -version", Why: "such a program cannot be read; use jq, awk, grep or sed", Stdin: "none", Requires: "-v|-V|--version|-version"}
	rule431 = Rule{Do: "observe", Options: "-a=any -e=any -i/--ignore-case -j=any -o=any -t=any -v=any -1=any -2=any --check-order --nocheck-order --header -z/--zero-terminated", Operands: "file file"}
	rule432 = Rule{Do: "observe", Options: "-u/--unit=any --user-unit=any --system --user -k/--dmesg -b/--boot[=any] -I --invocation=any -S/--since=any -U/--until=any -t/--identifier=any -T/--exclude-identifier=any -p/--priority=any --facility=any -g/--grep=any --case-sensitive[=any] -o/--output=any --output-fields=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*(?:,(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*)*/ -n/--lines[=any] -r/--reverse -x/--catalog --no-full -l/--full -a/--all -f/--follow --no-tail -q/--quiet --no-pager -e/--pager-end --no-hostname --utc --truncate-newline --show-cursor -c/--cursor=any --after-cursor=any -m/--merge --namespace=any -D/--directory=meta --file=meta -N/--fields -F/--field=/(?:[ABD-Z_]|C[A-NP-Z]|CO[ND])[A-Z0-9_]*/ --list-boots --list-invocations --disk-usage --header --verify --list-catalog --dump-catalog -# --version -h/--help --vacuum-size=/[0-9]+[KMGT]?B?/!change --vacuum-time=lit!change --vacuum-files=/[0-9]+/!change --rotate!change --sync!change --flush!change", Operands: "any*", Why: "another machine, root or image is not granted"}
	rule433 = Rule{Do: "observe", Options: "-l -q -m"}
	rule434 = Rule{Do: "observe", Options: "-c/--compact-output -r/--raw-output -j/--join-output --raw-output0 -a/--ascii-output -s/--slurp -n/--null-input -e/--exit-status -R/--raw-input -S/--sort-keys -C/--color-output -M/--monochrome-output --tab --indent=any --arg=any,any --argjson=any,any --slurpfile=any,file --rawfile=any,file --args --jsonargs --stream --stream-errors --seq --unbuffered --ascii -b/--binary -h/--help -V/--version", Operands: "jq? file*", Why: "the filter stands in the command (no -f, -L)"}
	rule435 = Rule{Do: "observe", Options: "-l -e", Operands: "/[0-9]+/"}
	rule436 = Rule{Do: "observe", Options: "-gc -gcutil -gccapacity -gccause -gcnew -gcold -class -compiler -t -h=any", Operands: "/[0-9]+/ /[0-9]+/? /[0-9]+/?", Style: "word"}
	rule437 = Rule{Do: "unknown", Why: "it is not granted; look at its log and whether its port answers: nc -zv -w 2 HOST PORT", Loose: true}
	rule438 = Rule{Do: "observe", Options: "-h=dbhost -p=lit -n=lit -s=lit -t=lit -r=lit -i=lit -d=lit -2 -3 -c -e --raw --no-raw --csv --json --no-auth-warning --user=lit --tls --sni=lit --cacert=file --insecure --show-pushes=lit --verbose --stat!nostdin --latency!nostdin --latency-history!nostdin --latency-dist!nostdin --bigkeys!nostdin --memkeys!nostdin --hotkeys!nostdin --scan!nostdin --pattern=lit --count=lit -v/--version!nostdin", Operands: "redis*", Style: "strict", Why: "one literal command that only reads, no password: redis-cli -h HOST info memory", Stdin: "redis"}
	rule439 = Rule{Do: "observe", Options: "-0 -l/--list[=any] -L/--table -s/--signal=0", Operands: "any*", Why: "signals are not granted, apart from -0, which only asks; restart the service, which is counted", Requires: "-0|-l|--list|-L|--table|-s|--signal"}
	rule440 = Rule{Do: "observe", Options: "-0 -l/--list -s/--signal=0 -f -x -u=any", Operands: "any*", Why: "signals are not granted, apart from -0, which only asks; restart the service, which is counted", Requires: "-0|-l|--list|-s|--signal"}
	rule441 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "name*"}
	rule442 = Rule{Do: "forbidden", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "any*", Why: "secrets are never shown; kubectl describe pod NAME says which one a pod wants"}
	rule443 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --allow-missing-template-keys[=any] --chunk-size=any --field-selector=any --ignore-not-found[=any] -L/--label-columns=any --no-headers[=any] -o/--output=/name|jsonpath=\\{\\.items\\[[0-9*]+\\]\\.metadata\\.name\\}|jsonpath=\\{\\.metadata\\.name\\}|custom-columns=[A-Z]*:\\.?metadata\\.name/!names -o/--output=json|yaml|kyaml|wide|jsonpath|jsonpath=*|jsonpath-as-json=*|custom-columns=*|go-template|go-template=*|template=* --output-watch-events[=any] -l/--selector=any --server-print[=any] --show-kind[=any] --show-labels[=any] --show-managed-fields[=any] --sort-by=any --subresource=any --template=any -w --watch[=any] --watch-only[=any] --raw=/\\x2f(healthz|livez|readyz|version|metrics)(\\x2f[a-z0-9-]+)*(\\?verbose)?|\\x2fapis\\x2fmetrics\\.k8s\\.io(\\x2f[a-z0-9-]+)*/ --raw=any!forbidden", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/? /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\"), files and raw paths are not granted", Commands: []Command{
		{"pod", &rule441},
		{"pods", &rule441},
		{"po", &rule441},
		{"deploy", &rule441},
		{"deployment", &rule441},
		{"deployments", &rule441},
		{"node", &rule441},
		{"nodes", &rule441},
		{"svc", &rule441},
		{"service", &rule441},
		{"services", &rule441},
		{"sts", &rule441},
		{"statefulset", &rule441},
		{"ds", &rule441},
		{"daemonset", &rule441},
		{"job", &rule441},
		{"jobs", &rule441},
		{"pvc", &rule441},
		{"secret", &rule442},
		{"secrets", &rule442},
	},
	}
	rule444 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "name*"}
	rule445 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any -l/--selector=any --show-events[=any]", Operands: "/(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:,(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*))*(?:\\x2f[a-z0-9.-]+)?/ /(?i)(?:[a-rt-z][a-z0-9.-]*|s[a-df-z][a-z0-9.-]*|se[abd-z][a-z0-9.-]*)(?:\\x2f[a-z0-9.-]+)?|[a-z0-9.-]*[0-9.-][a-z0-9.-]*/*", Why: "write the kind out; Secrets (kinds that begin with \"sec\") and files are not granted", Commands: []Command{
		{"secret", &rule442},
		{"secrets", &rule442},
		{"pod", &rule444},
		{"pods", &rule444},
		{"po", &rule444},
		{"deploy", &rule444},
		{"deployment", &rule444},
		{"deployments", &rule444},
		{"node", &rule444},
		{"nodes", &rule444},
		{"svc", &rule444},
		{"service", &rule444},
		{"services", &rule444},
		{"sts", &rule444},
		{"statefulset", &rule444},
		{"ds", &rule444},
		{"daemonset", &rule444},
		{"job", &rule444},
		{"jobs", &rule444},
		{"pvc", &rule444},
	},
	}
	rule446 = Rule{Do: "observe", Options: "--all-containers[=any] --all-pods[=any] -c/--container=any -f --follow[=any] --ignore-errors[=any] --limit-bytes=any --max-log-requests=any --pod-running-timeout=any --prefix[=any] -p --previous[=any] -l/--selector=any --since=any --since-time=any --tail=any --timestamps[=any]", Operands: "name*"}
	rule447 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --containers[=any] --field-selector=any --no-headers[=any] -l/--selector=any --sort-by=any --sum[=any] --show-swap[=any] --use-protocol-buffers[=any]", Operands: "name?"}
	rule448 = Rule{Do: "observe", Options: "--no-headers[=any] -l/--selector=any --show-capacity[=any] --show-swap[=any] --sort-by=any --use-protocol-buffers[=any]", Operands: "name?"}
	rule449 = Rule{Commands: []Command{
		{"pod", &rule447},
		{"pods", &rule447},
		{"po", &rule447},
		{"node", &rule448},
		{"nodes", &rule448},
		{"no", &rule448},
	},
	}
	rule450 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --chunk-size=any --for=any --no-headers[=any] -o/--output=json|yaml|wide|jsonpath=* --template=any --types=any -w --watch[=any]"}
	rule451 = Rule{Do: "observe", Options: "--api-version=any -o/--output=any --recursive[=any]", Operands: "any"}
	rule452 = Rule{Do: "observe", Options: "--api-group=any --cached[=any] --categories=any --namespaced[=any] --no-headers[=any] -o/--output=wide|name|json|yaml --sort-by=any --verbs=any"}
	rule453 = Rule{Do: "observe", Options: "--client[=any] -o/--output=json|yaml --short[=any]"}
	rule454 = Rule{Do: "observe", Why: "without dump; kubectl get nodes, kubectl get events -A show the state"}
	rule455 = Rule{Do: "observe", Options: "--no-headers[=any] -o/--output=/name/", Operands: "name*"}
	rule456 = Rule{Do: "observe", Options: "--minify[=any] --merge[=any] -o/--output=json|yaml|jsonpath=* --raw[=any]!forbidden --flatten[=any]!forbidden", Why: "without --raw and --flatten, which show keys and tokens"}
	rule457 = Rule{Do: "unknown", Operands: "any*", Why: "choose with --context NAME and -n NAMESPACE; the configuration is not changed"}
	rule458 = Rule{Commands: []Command{
		{"current-context", &rule15},
		{"get-contexts", &rule455},
		{"get-clusters", &rule15},
		{"get-users", &rule15},
		{"view", &rule456},
		{"use-context", &rule457},
		{"use", &rule457},
		{"set", &rule457},
		{"unset", &rule457},
		{"set-context", &rule457},
		{"set-cluster", &rule457},
		{"set-credentials", &rule457},
		{"delete-context", &rule457},
		{"delete-cluster", &rule457},
		{"delete-user", &rule457},
		{"rename-context", &rule457},
	},
	}
	rule459 = Rule{Do: "observe", Options: "-A --all-namespaces[=any] --list[=any] --no-headers[=any] -q --quiet[=any] --subresource=any", Operands: "any*"}
	rule460 = Rule{Do: "observe", Options: "-o/--output=json|yaml"}
	rule461 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "what runs, and how many, its repository says; hand it to a human, or go back with kubectl rollout undo"}
	rule462 = Rule{Commands: []Command{
		{"can-i", &rule459},
		{"whoami", &rule460},
		{"reconcile", &rule461},
	},
	}
	rule463 = Rule{Do: "observe", Options: "--all[=any] -A --all-namespaces[=any] --field-selector=any --for=any -l/--selector=any --timeout=any", Operands: "any+"}
	rule464 = Rule{Do: "observe", Options: "--revision=any --timeout=any -w --watch[=any] -l/--selector=any", Operands: "name+"}
	rule465 = Rule{Do: "observe", Options: "--revision=any -l/--selector=any -o/--output=json|yaml|wide|jsonpath=*", Operands: "name+"}
	rule466 = Rule{Do: "redeploy", Options: "--to-revision=any --field-manager=any", Operands: "svc+", Why: "name what is meant, without selectors or files: kubectl rollout restart deployment/NAME -n NAMESPACE", Service: "kube"}
	rule467 = Rule{Do: "unknown", Operands: "any*", Why: "it leaves the deployment frozen; kubectl rollout undo deployment/NAME goes back"}
	rule468 = Rule{Commands: []Command{
		{"status", &rule464},
		{"history", &rule465},
		{"restart", &rule466},
		{"undo", &rule466},
		{"resume", &rule466},
		{"pause", &rule467},
	},
	}
	rule469 = Rule{Do: "observe", Options: "-f/--filename=code -k/--kustomize=code -R --recursive[=any] --server-side[=any] --concurrency=any --field-manager=any", Why: "only manifests of the repositories, not standard input or a URL", Requires: "-f|--filename|-k|--kustomize"}
	rule470 = Rule{Do: "observe", Options: "-c/--container=any -i --stdin[=any] -t --tty[=any] -q --quiet[=any] --pod-running-timeout=any", Operands: "name inner", Why: "one plain command behind two dashes: kubectl exec POD -- COMMAND"}
	rule471 = Rule{Do: "unknown", Operands: "any*", Why: "kubectl get KIND NAME -o yaml shows what is there"}
	rule472 = Rule{Do: "redeploy", Options: "-f/--filename=code -k/--kustomize=code -R --recursive[=any] --server-side[=any] --field-manager=any --wait[=any] --timeout=any --validate[=any] -o/--output=/name/ --dry-run[=client|server]!observe -l/--selector=any!unknown --all[=any]!unknown --prune[=any]!forbidden --force[=any]!forbidden --prune-allowlist=any!forbidden", Why: "only manifests of the repositories, without --prune and --force: kubectl apply -f FILE", Requires: "-f|--filename|-k|--kustomize", Service: "base", Commands: []Command{
		{"view-last-applied", &rule471},
		{"edit-last-applied", &rule471},
		{"set-last-applied", &rule471},
	},
	}
	rule473 = Rule{Do: "forbidden", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "volumes, namespaces, secrets and definitions hold what cannot be brought back"}
	rule474 = Rule{Do: "unknown", Options: "--all[=any] -A --all-namespaces[=any] --cascade[=any] --dry-run[=any] --field-selector=any --force[=any] --grace-period=any --ignore-not-found[=any] --now[=any] -o/--output=any -l/--selector=any --timeout=any --wait[=any] -f/--filename=any -k/--kustomize=any -R --recursive[=any] --raw=any", Operands: "any*", Why: "nothing is deleted; kubectl rollout restart deployment/NAME makes new pods", Commands: []Command{
		{"pvc", &rule473},
		{"persistentvolumeclaim", &rule473},
		{"persistentvolumeclaims", &rule473},
		{"pv", &rule473},
		{"persistentvolume", &rule473},
		{"persistentvolumes", &rule473},
		{"ns", &rule473},
		{"namespace", &rule473},
		{"namespaces", &rule473},
		{"secret", &rule473},
		{"secrets", &rule473},
		{"crd", &rule473},
		{"customresourcedefinition", &rule473},
		{"customresourcedefinitions", &rule473},
	},
	}
	rule475 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "no door is opened and no file carried; look with kubectl logs, describe and exec POD -- COMMAND"}
	rule476 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "not granted to an agent"}
	rule477 = Rule{Do: "observe", Options: "--version", Persistent: "-n/--namespace=any --context=lit --cluster=lit --user=lit --kubeconfig=code --request-timeout=any -v/--v=/[0-6]/ -h/--help --match-server-version --warnings-as-errors[=any] --disable-compression[=any] --log-flush-frequency=any", Why: "another server, user, token, plugin or kubeconfig is not granted; write the subcommand plainly: kubectl get pods -n NAMESPACE", Commands: []Command{
		{"get", &rule443},
		{"describe", &rule445},
		{"logs", &rule446},
		{"top", &rule449},
		{"events", &rule450},
		{"explain", &rule451},
		{"api-resources", &rule452},
		{"api-versions", &rule15},
		{"version", &rule453},
		{"options", &rule15},
		{"help", &rule112},
		{"cluster-info", &rule454},
		{"config", &rule458},
		{"auth", &rule462},
		{"wait", &rule463},
		{"rollout", &rule468},
		{"diff", &rule469},
		{"exec", &rule470},
		{"apply", &rule472},
		{"delete", &rule474},
		{"scale", &rule461},
		{"autoscale", &rule461},
		{"edit", &rule461},
		{"patch", &rule461},
		{"replace", &rule461},
		{"create", &rule461},
		{"run", &rule461},
		{"expose", &rule461},
		{"set", &rule461},
		{"label", &rule461},
		{"annotate", &rule461},
		{"taint", &rule461},
		{"cordon", &rule461},
		{"uncordon", &rule461},
		{"drain", &rule461},
		{"certificate", &rule461},
		{"proxy", &rule475},
		{"port-forward", &rule475},
		{"attach", &rule475},
		{"debug", &rule475},
		{"cp", &rule475},
		{"kustomize", &rule476},
		{"plugin", &rule476},
		{"completion", &rule476},
		{"alpha", &rule476},
		{"kuberc", &rule476},
		{"convert", &rule476},
	},
	}
	rule478 = Rule{Do: "observe", Options: "-# -n/--limit=any -a/--hostlast -d/--dns -f/--file=file -F/--fulltimes -i/--ip -R/--nohostname -s/--since=any -t/--until=any -p/--present=any -w/--fullnames -x/--system --time-format=any", Operands: "any*"}
	rule479 = Rule{Do: "observe", Options: "-u/--user=any -t/--time=any -b/--before=any"}
	rule480 = Rule{Do: "observe", Options: "-p/--print-cache -V/--version", Requires: "-p|--print-cache|-V|--version"}
	rule481 = Rule{Do: "observe", Options: "-R -S -F -X -N -n -i -r -e -E -f", Why: "nobody turns the pages; use cat FILE, head, tail, sed -n"}
	rule482 = Rule{Do: "observe", Persistent: "--no-pager -l/--full", Commands: []Command{
		{"status", &rule15},
		{"list-locales", &rule15},
		{"list-keymaps", &rule15},
	},
	}
	rule483 = Rule{Do: "observe", Options: "-i/--ignore-case -c/--count -l/-n/--limit=any -r/--regexp=any --regex -b/--basename -w/--wholename -e/--existing -q/--quiet -S/--statistics -0/--null -A/--all", Operands: "any*"}
	rule484 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --no-legend -l/--full -a/--all --value -p/--property/-P=any -n/--lines=any -o/--output=any --no-ask-password", Commands: []Command{
		{"list-sessions", &rule15},
		{"list-users", &rule15},
		{"list-seats", &rule15},
		{"session-status", &rule112},
		{"show-session", &rule112},
		{"user-status", &rule112},
		{"show-user", &rule112},
		{"seat-status", &rule112},
		{"show-seat", &rule112},
	},
	}
	rule485 = Rule{Do: "change", Options: "-d/--debug!observe -v/--verbose -f/--force", Operands: "/\\/etc\\/logrotate(?:\\.conf|\\.d\\/[A-Za-z0-9_][A-Za-z0-9._-]*)/+", Why: "with root's own files, /etc/logrotate.conf or one of /etc/logrotate.d/, and without a state file of its own"}
	rule486 = Rule{Do: "observe", Options: "-R -a -d -l -v -p -V", Operands: "meta*"}
	rule487 = Rule{Do: "observe", Options: "-A/--noempty -D/--discard -E/--dedup=any -I/--include=any -J/--json -M/--merge -O/--output-all -P/--pairs -S/--scsi -N/--nvme -v/--virtio -T/--tree[=any] -a/--all -b/--bytes -d/--nodeps -e/--exclude=any -f/--fs -i/--ascii -l/--list -m/--perms -n/--noheadings -o/--output=any -p/--paths -r/--raw -s/--inverse -t/--topology -w/--width=any -x/--sort=any -y/--shell -z/--zoned -h/--help -V/--version", Operands: "meta*"}
	rule488 = Rule{Do: "observe", Options: "-a/--all -b/--online -B/--bytes -C/--caches[=any] -c/--offline -J/--json -e/--extended[=any] -p/--parse[=any] -x/--hex -y/--physical --output-all -h/--help -V/--version"}
	rule489 = Rule{Do: "observe", Options: "-short -json -xml -html -businfo -C/-class/-c=any -quiet -sanitize -numeric -notime -version", Style: "word"}
	rule490 = Rule{Do: "observe", Options: "-c -m -n -p=any -s[=any] -v -z -o -S -J", Operands: "any*"}
	rule491 = Rule{Do: "observe", Options: "-l -s -u/--user-accs -s/--system-accs -a/--acc-expiration -L/--last[=any] -G/--supp-groups --time-format=any", Operands: "any*"}
	rule492 = Rule{Do: "observe", Options: "-J/--json -P/--pairs -a/--all -b/--bytes -n/--noheadings -o/--output=any --output-all -r/--raw -S/--split=any --summary[=any] -h/--help -V/--version"}
	rule493 = Rule{Do: "observe", Options: "-a -b -c=any -C -d=any -E -F[=any] -g[=any] -H -i[=any] -K -l -L[=any] -n -N -o -O -P -p=any -Q -R -r=any -s[=any] -S[=any] -t -T[=any] -u=any -U -v -V -w -x=any -X -z -Z -h", Operands: "meta*", Why: "lsof -i :80, lsof -p PID, lsof FILE"}
	rule494 = Rule{Do: "observe", Options: "-v -k -n -q -t -x -D -P -b -s=any -d=any -m --version", Why: "other sources of data are not granted"}
	rule495 = Rule{Do: "observe", Options: "-v/--verbose -t/--tree -s=any -d=any -V/--version -h/--help"}
	rule496 = Rule{Do: "forbidden", Operands: "any*", Why: "volumes hold the services' data; ask a person", Loose: true}
	rule497 = Rule{Do: "observe", Options: "-a/--all -A -c/--colon -C/--columns -m/--maps -o/--options=any -O/--sort=any -S/--select=any -v/--verbose -P/--partial --noheadings --nosuffix --units=any --separator=any --segments --unbuffered --rows --reportformat=any --aligned --binary -s/--short -q/--quiet --version", Operands: "lit*"}
	rule498 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=any -n/--lines=any", Operands: "name*"}
	rule499 = Rule{Do: "observe", Options: "--no-pager -l/--full -a/--all --no-legend -o/--output=any -n/--lines=any --version -h/--help", Why: "machinectl list and machinectl status NAME are granted", Commands: []Command{
		{"list", &rule498},
		{"list-images", &rule498},
		{"status", &rule498},
		{"image-status", &rule498},
	},
	}
	rule500 = Rule{Do: "unknown", Why: "agents send no mail: this program notifies, after the cycle; put what people must know into the report or the handoff", Loose: true}
	rule501 = Rule{Do: "observe", Options: "-v"}
	rule502 = Rule{Do: "observe", Options: "-e/--execute=mysql!nostdin -N/--skip-column-names -B/--batch -s/--silent -r/--raw -t/--table -E/--vertical -H/--html -X/--xml -v/--verbose -h/--host=dbhost -P/--port=lit -u/--user=lit -D/--database=lit -S/--socket=lit --protocol=tcp|socket|TCP|SOCKET -A/--no-auto-rehash -C/--compress -n/--unbuffered -q/--quick -f/--force -w/--wait -U/--safe-updates --connect-timeout=lit --default-character-set=/utf8[a-z0-9]*|latin1/ --login-path=lit --no-defaults --defaults-file=code --defaults-extra-file=code --column-names --ssl --skip-ssl --ssl-mode=lit --ssl-ca=file --skip-pager --binary-mode -V/--version!nostdin", Operands: "lit?", Why: "one literal statement, a host that the inventory or the policy names, no password: mysql -h HOST -e 'show processlist'", Stdin: "mysql"}
	rule503 = Rule{Do: "observe", Operands: "ping|status|processlist|extended-status|variables|version*"}
	rule504 = Rule{Do: "change", Operands: "/[0-9]+/"}
	rule505 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes a database", Loose: true}
	rule506 = Rule{Do: "observe", Persistent: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --protocol=lit -E/--vertical -v/--verbose -s/--silent -i/--sleep=lit -c/--count=lit -r/--relative -w/--wait[=lit] --connect-timeout=lit --login-path=lit --no-defaults --defaults-file=code --defaults-extra-file=code -f/--force", Why: "ping, status, processlist, extended-status, variables and version only show", Commands: []Command{
		{"ping", &rule503},
		{"status", &rule503},
		{"processlist", &rule503},
		{"extended-status", &rule503},
		{"variables", &rule503},
		{"version", &rule503},
		{"kill", &rule504},
		{"start-replica", &rule16},
		{"start-slave", &rule16},
		{"drop", &rule505},
	},
	}
	rule507 = Rule{Do: "unknown", Why: "databases are looked at, not copied or repaired: mysql -e 'show …'", Loose: true}
	rule508 = Rule{Do: "observe", Options: "-h/--host=dbhost -P/--port=lit -u/--user=lit -S/--socket=lit --count -t/--show-table-type -i/--status -k/--keys -v/--verbose", Operands: "lit*"}
	rule509 = Rule{Do: "observe", Options: "-D/--detail -E/--examine -Q/--query -s/--scan -b/--brief -v/--verbose -t/--test -V/--version", Operands: "meta*", Why: "arrays are only shown: mdadm --detail /dev/md0, cat /proc/mdstat", Requires: "-D|--detail|-E|--examine|-Q|--query|-V|--version"}
	rule510 = Rule{Do: "observe", Options: "-p/--parents -v/--verbose -m/--mode=/0?[0-7]?[05][05]|[0-7]?[0-7][0-7][05]/", Operands: "out+"}
	rule511 = Rule{Do: "observe", Options: "-d/--directory -u/--dry-run -q/--quiet -t --suffix=/[A-Za-z0-9._-]+/", Operands: "out?", Prints: "scratch"}
	rule512 = Rule{Do: "observe", Options: "-a/--author -d/--description -l/--license -p/--parameters -n/--filename -0/--null -F/--field=any", Operands: "lit+"}
	rule513 = Rule{Do: "observe", Options: "--quiet --norc --host=dbhost --port=lit --json[=lit] --serverSelectionTimeoutMS=lit --tls --tlsCAFile=file -u/--username=lit --authenticationDatabase=lit --version --eval=/(?:printjson\\(|JSON\\.stringify\\()?(?:rs\\.(?:status|conf|config|hello|isMaster|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:serverStatus|stats|hello|isMaster|version|currentOp|getReplicationInfo|printReplicationInfo|printSecondaryReplicationInfo|printSlaveReplicationInfo)\\(\\)|db\\.(?:adminCommand|runCommand)\\((?:\"ping\"|'ping'|\\{\\s*\"?'?ping\"?'?\\s*:\\s*1\\s*\\})\\)|sh\\.status\\(\\)|show\\x20(?:dbs|databases|collections))(?:\\.[A-Za-z0-9_]+)*\\)?;?/", Operands: "/[A-Za-z0-9_-]+/?", Why: "one of the calls that only show: mongosh --quiet --eval 'rs.status()', db.serverStatus(), db.stats(), db.currentOp()", Stdin: "none", Requires: "--eval|--version"}
	rule514 = Rule{Do: "observe", Options: "-n/--rowcount=lit -h/--host=dbhost --port=lit --json --quiet", Operands: "lit?", Requires: "-n|--rowcount"}
	rule515 = Rule{Do: "observe", Options: "-l/--show-labels -t/--types=any -v/--verbose -V/--version -h/--help", Why: "file systems are neither mounted nor unmounted; the list is: mount, findmnt"}
	rule516 = Rule{Do: "observe", Options: "-q/--quiet -d/--fs-devno -x/--devno --nofollow", Operands: "meta"}
	rule517 = Rule{Do: "observe", Options: "-c -s -n -r -m -o=any -l -v -3 -4 -d -a", Operands: "any*"}
	rule518 = Rule{Do: "observe", Options: "-A -u -n -H -T -N=any -P=any -I=any -o=JSON --dec=any -V", Operands: "/[0-9]+/*"}
	rule519 = Rule{Do: "observe", Options: "-4 -6 -a/--address=lit -b/--show-ips -c/--report-cycles=lit -C/--csv -f/--first-ttl=lit -G/--gracetime=lit -i/--interval=lit -I/--interface=lit -j/--json -L/--localport=lit -m/--max-ttl=lit -n/--no-dns -o/--order=lit -P/--port=lit -Q/--tos=lit -r/--report -s/--psize=lit -S/--sctp -T/--tcp -u/--udp -U/--max-unknown=lit -v/--version -w/--report-wide -x/--xml -y/--ipinfo=lit -z/--aslookup -Z/--timeout=lit -e/--mpls", Operands: "host+", Why: "a report about hosts that are written out: mtr -r -c 5 -n HOST", Requires: "-r|-w|-j|-x|-C|-v"}
	rule520 = Rule{Do: "observe", Options: "-l -ll -v=any", Requires: "-l|-ll"}
	rule521 = Rule{Do: "observe", Options: "-f/--force -i/--interactive -n/--no-clobber -u/--update -v/--verbose -T/--no-target-directory", Operands: "any+", Check: "mv"}
	rule522 = Rule{Do: "observe", Options: "-z -x -j -c -v", Operands: "any* file?", Stdin: "data"}
	rule523 = Rule{Do: "observe", Options: "-l/--long -m/--modes -o/--owners -v/--vertical -x/--mountpoints -n/--nosymlinks", Operands: "meta+"}
	rule524 = Rule{Do: "observe", Options: "-z -v/--verbose -w/--wait=lit -u/--udp -n/--nodns -4 -6 -i=lit -r -h/--help --version", Operands: "host /[0-9a-z][0-9a-z-]*/+", Why: "it only looks whether a port is open: nc -zv -w 2 HOST PORT", Stdin: "none", Requires: "-z|-h|--help|--version"}
	rule525 = Rule{Do: "observe", Options: "-a/--all -f/--format=any --diff --verbose", Operands: "lit?"}
	rule526 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule525},
		{"apply", &rule33},
		{"try", &rule33},
		{"set", &rule33},
		{"generate", &rule33},
		{"rebind", &rule33},
		{"migrate", &rule33},
		{"get", &rule33},
	},
	}
	rule527 = Rule{Do: "observe", Options: "-a/--all -l/--listening -t/--tcp -u/--udp -U/--udplite -S/--sctp -w/--raw -x/--unix -n/--numeric --numeric-hosts --numeric-ports --numeric-users -p/--programs/--program -r/--route -i/--interfaces -g/--groups -s/--statistics -e/--extend -o/--timers -c/--continuous -v/--verbose -W/--wide -N/--symbolic -Z/--context -F/--fib -C/--cache -M/--masquerade -4 -6 -A=any --inet --inet6 --protocol=any -V/--version -h/--help"}
	rule528 = Rule{Do: "observe", Persistent: "--no-pager --no-legend -a/--all -l/--full -s/--stats -n/--lines=any --json=any", Commands: []Command{
		{"list", &rule28},
		{"status", &rule28},
		{"lldp", &rule28},
		{"label", &rule28},
		{"up", &rule33},
		{"down", &rule33},
		{"renew", &rule33},
		{"forcerenew", &rule33},
		{"reconfigure", &rule33},
		{"reload", &rule33},
		{"delete", &rule33},
		{"edit", &rule33},
		{"mask", &rule33},
	},
	}
	rule529 = Rule{Do: "observe", Options: "-n -a -s -t", Operands: "/[A-Za-z0-9_.-]+/+"}
	rule530 = Rule{Do: "observe", Options: "-n/--numeric -a/--handle -s/--stateless -j/--json -y/--numeric-priority -p/--numeric-protocol -S/--service -N/--reversedns -t/--terse -v/--version -h/--help", Commands: []Command{
		{"list", &rule529},
		{"add", &rule33},
		{"create", &rule33},
		{"insert", &rule33},
		{"replace", &rule33},
		{"delete", &rule33},
		{"destroy", &rule33},
		{"flush", &rule33},
		{"rename", &rule33},
		{"reset", &rule33},
		{"import", &rule33},
	},
	}
	rule531 = Rule{Do: "observe", Options: "-n/--adjustment=any -#", Operands: "inner", Style: "strict"}
	rule532 = Rule{Do: "observe", Options: "-b=any -w=any -s=any -v=any -n=any", Operands: "file*", Loose: true}
	rule533 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "status?"}
	rule534 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version"}
	rule535 = Rule{Commands: []Command{
		{"connectivity", &rule534},
	},
	}
	rule536 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "lit?"}
	rule537 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule536},
		{"show", &rule536},
	},
	}
	rule538 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Operands: "lit*"}
	rule539 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule538},
		{"up", &rule33},
		{"down", &rule33},
		{"add", &rule33},
		{"modify", &rule33},
		{"mod", &rule33},
		{"edit", &rule33},
		{"delete", &rule33},
		{"del", &rule33},
		{"reload", &rule33},
		{"load", &rule33},
		{"import", &rule33},
		{"clone", &rule33},
		{"export", &rule33},
		{"monitor", &rule33},
	},
	}
	rule540 = Rule{Do: "observe", Options: "-t/--terse -p/--pretty -m/--mode=any -c/--colors=any -f/--fields/-g/--get-values=any -e/--escape=any -w/--wait=any -v/--version", Commands: []Command{
		{"general", &rule533},
		{"g", &rule533},
		{"gen", &rule533},
		{"networking", &rule535},
		{"n", &rule535},
		{"device", &rule537},
		{"dev", &rule537},
		{"d", &rule537},
		{"connection", &rule539},
		{"con", &rule539},
		{"c", &rule539},
	},
	}
	rule541 = Rule{Do: "observe", Options: "--all --ignore=any --version --help", Prints: "names"}
	rule542 = Rule{Do: "observe", Options: "-t/--target=any -n/--net -u/--uts -i/--ipc -p/--pid", Operands: "inner", Style: "strict", Why: "into the network of another process, with this machine's programs: nsenter -t PID -n ss -tlnp; into a container: docker exec NAME COMMAND"}
	rule543 = Rule{Do: "observe", Options: "-all -class=lit -d2 -nod2 -debug -nodebug -domain=lit -fail -nofail -port=lit -q=lit -query=lit -querytype=lit -type=lit -recurse -norecurse -retry=lit -search -nosearch -timeout=lit -vc -novc -version", Operands: "/[A-Za-z0-9_:][A-Za-z0-9_.:-]*/ lit?", Style: "word", Why: "it asks for one name that is written out, never interactively: nslookup NAME SERVER", Stdin: "none"}
	rule544 = Rule{Do: "observe", Options: "-a/--ignore -s/--noupdate -z/--zeros -r/--reset -j/--json -p/--pretty", Operands: "any*"}
	rule545 = Rule{Do: "observe", Options: "-4 -6 -n -p/--peers -w/--wide -c/--command=peers|pe|associations|as|rv|readvar|sysinfo|sysstats|kerninfo|lpeers|apeers|opeers|iostats|monstats --version", Operands: "host*", Why: "it only shows: ntpq -pn", Stdin: "none", Requires: "-p|-c|--version"}
	rule546 = Rule{Do: "observe", Options: "-v/--verbose -o/--output-format=any -H/--human-readable -n/--namespace-id=any -e/--log-entries=any", Operands: "meta?"}
	rule547 = Rule{Do: "forbidden", Operands: "any*", Why: "disks hold the services' data; ask a person", Loose: true}
	rule548 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule546},
		{"list-subsys", &rule546},
		{"list-ns", &rule546},
		{"smart-log", &rule546},
		{"error-log", &rule546},
		{"fw-log", &rule546},
		{"id-ctrl", &rule546},
		{"id-ns", &rule546},
		{"show-regs", &rule546},
		{"self-test-log", &rule546},
		{"version", &rule546},
		{"get-log", &rule546},
		{"format", &rule547},
		{"sanitize", &rule547},
		{"write", &rule547},
		{"write-zeroes", &rule547},
		{"write-uncor", &rule547},
		{"dsm", &rule547},
		{"delete-ns", &rule547},
		{"create-ns", &rule547},
		{"fw-download", &rule547},
		{"fw-commit", &rule547},
		{"reset", &rule547},
		{"subsystem-reset", &rule547},
		{"set-feature", &rule547},
		{"security-send", &rule547},
		{"admin-passthru", &rule547},
		{"io-passthru", &rule547},
		{"detach-ns", &rule547},
		{"disconnect", &rule547},
		{"disconnect-all", &rule547},
	},
	}
	rule549 = Rule{Do: "observe", Options: "-A=any -j=any -N=any -t=any", Operands: "file*", Loose: true}
	rule550 = Rule{Do: "observe", Options: "-connect=/[A-Za-z0-9_.:[\\]-]+/ -host=lit -port=lit -servername=lit -noservername -bind=lit -4 -6 -name=lit -xmpphost=lit -starttls=lit -verify=lit -verify_return_error -verify_quiet -verify_hostname=lit -verify_ip=lit -verify_email=lit -verify_name=lit -verify_depth=lit -purpose=lit -auth_level=lit -attime=lit -no_check_time -partial_chain -trusted_first -no_alt_chains -x509_strict -crl_check -crl_check_all -issuer_checks -policy_check -policy_print -check_ss_sig -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -CRL=file -CRLform=PEM|DER -nameopt=lit -showcerts -brief -status -serverinfo=lit -tlsextdebug -security_debug -security_debug_verbose -debug -msg -trace -state -prexit -quiet -ign_eof -no_ign_eof -crlf -nocommands -adv -reconnect -async -nbio -nbio_test -read_buf=lit -timeout -mtu=lit -alpn=lit -nextprotoneg=lit -ct -noct -tls1 -tls1_1 -tls1_2 -tls1_3 -dtls -dtls1 -dtls1_2 -no_ssl3 -no_tls1 -no_tls1_1 -no_tls1_2 -no_tls1_3 -min_protocol=lit -max_protocol=lit -cipher=lit -ciphersuites=lit -sigalgs=lit -client_sigalgs=lit -groups=lit -curves=lit -named_curve=lit -no_ticket -no_comp -comp -bugs -serverpref -legacy_renegotiation -client_renegotiation -no_renegotiation -legacy_server_connect -no_legacy_server_connect -prioritize_chacha -no_middlebox -no_etm -fallback_scsv -enable_pha -maxfraglen=lit -max_send_frag=lit -split_send_frag=lit -max_pipelines=lit -ignore_unexpected_eof -help", Operands: "/[A-Za-z0-9_.:[\\]-]+/?", Style: "word", Why: "the host is written out, and nothing is sent: openssl s_client -connect HOST:443 -servername HOST </dev/null", Stdin: "literal"}
	rule551 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -outform=PEM|DER|pem|der -noout -nocert -text -dates -enddate -startdate -subject -issuer -serial -email -alias -hash -subject_hash -subject_hash_old -issuer_hash -issuer_hash_old -fingerprint -md5 -sha1 -sha224 -sha256 -sha384 -sha512 -ext=lit -checkend=lit -checkhost=lit -checkip=lit -checkemail=lit -purpose -pubkey -modulus -ocspid -ocsp_uri -nameopt=lit -certopt=lit -dateopt=lit -help", Style: "word", Why: "it only shows a certificate: openssl x509 -noout -dates -subject -in FILE"}
	rule552 = Rule{Do: "observe", Options: "-verbose -nameopt=lit -trusted=file -CAfile=file -CApath=lit -no-CAfile -no-CApath -no-CAstore -untrusted=file -CRLfile=file -show_chain -purpose=lit -verify_name=lit -verify_depth=lit -verify_hostname=lit -verify_ip=lit -verify_email=lit -auth_level=lit -attime=lit -no_check_time -crl_check -crl_check_all -x509_strict -partial_chain -trusted_first -no_alt_chains -issuer_checks -policy_check -policy_print -check_ss_sig -help", Operands: "file*", Style: "word"}
	rule553 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -issuer -lastupdate -nextupdate -fingerprint -crlnumber -hash -hash_old -nameopt=lit -dateopt=lit -sha1 -sha256 -verify -CAfile=file -CApath=lit -help", Style: "word"}
	rule554 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -noout -text -subject -pubkey -modulus -verify -nameopt=lit -reqopt=lit -help", Style: "word", Why: "it only shows a request: openssl req -noout -text -in FILE", Requires: "-noout"}
	rule555 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -certfile=file -nocrl -help", Style: "word"}
	rule556 = Rule{Do: "observe", Options: "-in=file -inform=PEM|DER|pem|der -print_certs -print -noout -text -quiet -help", Style: "word"}
	rule557 = Rule{Do: "observe", Options: "-md5 -sha1 -sha224 -sha256 -sha384 -sha512 -hex -r -c -list -help", Operands: "file*", Style: "word"}
	rule558 = Rule{Do: "observe", Options: "-a -v -p -o -f -d -b -e -m -r -c -help", Style: "word"}
	rule559 = Rule{Do: "observe", Options: "-v -V -s -tls1 -tls1_1 -tls1_2 -tls1_3 -stdname -ciphersuites=lit -help", Operands: "lit?", Style: "word"}
	rule560 = Rule{Do: "observe", Options: "-commands -digest-commands -digest-algorithms -cipher-commands -cipher-algorithms -disabled -help", Style: "word"}
	rule561 = Rule{Do: "forbidden", Why: "private keys are secrets; a certificate shows with openssl x509 -noout -text -in FILE", Loose: true}
	rule562 = Rule{Do: "observe", Options: "--version", Why: "s_client, x509, verify, crl, req, version and ciphers are granted, for looking; keys and passwords are not", Requires: "--version", Commands: []Command{
		{"s_client", &rule550},
		{"x509", &rule551},
		{"verify", &rule552},
		{"crl", &rule553},
		{"req", &rule554},
		{"crl2pkcs7", &rule555},
		{"pkcs7", &rule556},
		{"dgst", &rule557},
		{"md5", &rule557},
		{"sha1", &rule557},
		{"sha256", &rule557},
		{"sha512", &rule557},
		{"version", &rule558},
		{"ciphers", &rule559},
		{"list", &rule560},
		{"rsa", &rule561},
		{"ec", &rule561},
		{"dsa", &rule561},
		{"pkey", &rule561},
		{"pkcs8", &rule561},
		{"pkcs12", &rule561},
		{"pkeyutl", &rule561},
		{"rsautl", &rule561},
		{"storeutl", &rule561},
	},
	}
	rule563 = Rule{Do: "observe", Options: "-Q -q -i -l -o -s -e -d -t -u -k --version", Operands: "any*", Why: "packages are for people; what is installed: pacman -Q", Requires: "-Q|--version"}
	rule564 = Rule{Do: "observe", Options: "-l/--list -s/--script -m/--machine -v/--version", Operands: "meta? print?", Why: "partitions are only shown: parted -l", Requires: "-l|--list|-v|--version"}
	rule565 = Rule{Do: "observe", Options: "-d/--delimiters=any", Operands: "file*", Loose: true}
	rule566 = Rule{Do: "observe", Options: "-e/--extended -t/--timestamp -f/--format=lit --group=lit", Operands: "lit*"}
	rule567 = Rule{Do: "observe", Options: "-f/--format=lit --group=lit", Operands: "lit?"}
	rule568 = Rule{Do: "forbidden", Why: "it deletes a member's data", Loose: true}
	rule569 = Rule{Do: "observe", Persistent: "-c/--config-file=code -d/--dcs-url/--dcs=lit -k/--insecure", Why: "it only shows here: patronictl list, patronictl history; a failover is for a person", Commands: []Command{
		{"list", &rule566},
		{"topology", &rule566},
		{"history", &rule567},
		{"version", &rule15},
		{"reinit", &rule568},
		{"remove", &rule568},
	},
	}
	rule570 = Rule{Do: "observe", Options: "--full", Operands: "lit*"}
	rule571 = Rule{Commands: []Command{
		{"status", &rule570},
	},
	}
	rule572 = Rule{Commands: []Command{
		{"status", &rule570},
		{"config", &rule570},
	},
	}
	rule573 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule570},
		{"cluster", &rule571},
		{"resource", &rule572},
		{"constraint", &rule570},
	},
	}
	rule574 = Rule{Do: "observe", Options: "--bindir --sharedir --sysconfdir --pkglibdir --libdir --version"}
	rule575 = Rule{Do: "observe", Options: "-D/--pgdata=lit -V/--version", Operands: "lit?"}
	rule576 = Rule{Do: "observe", Options: "-D/--pgdata=lit -s/--silent -V/--version", Operands: "/status/", Why: "it only shows here: pg_ctl status -D FOLDER; a restart goes by systemctl or docker restart"}
	rule577 = Rule{Do: "observe", Operands: "lit lit /status/", Why: "it only shows here: pg_ctlcluster VERSION NAME status; a restart goes by systemctl restart postgresql@VERSION-NAME"}
	rule578 = Rule{Do: "forbidden", Why: "it shows the passwords of all roles", Loose: true}
	rule579 = Rule{Do: "observe", Options: "-d/--dbname=/[A-Za-z0-9_.-]+/ -h/--host=host -p/--port=lit -q/--quiet -t/--timeout=lit -U/--username=lit -V/--version"}
	rule580 = Rule{Do: "observe", Options: "-h/--no-header -j/--json -s/--start-conf", Operands: "lit*"}
	rule581 = Rule{Do: "observe", Options: "--output=text|json --set=lit"}
	rule582 = Rule{Do: "observe", Persistent: "--stanza=lit --repo=lit", Why: "backups are only listed here: pgbackrest info", Commands: []Command{
		{"info", &rule581},
		{"version", &rule15},
	},
	}
	rule583 = Rule{Do: "observe", Options: "-d/--delimiter=any -l/--list-name -a/--list-full -v/--inverse -w/--lightweight -c/--count -f/--full -g/--pgroup=any -G/--group=any -i/--ignore-case -n/--newest -o/--oldest -O/--older=any -P/--parent=any -s/--session=any -t/--terminal=any -u/--euid=any -U/--uid=any -x/--exact -F/--pidfile=file -L/--logpidfile -r/--runstates=any -A/--ignore-ancestors --cgroup=any --ns=any --nslist=any -h/--help -V/--version", Operands: "any?"}
	rule584 = Rule{Do: "observe", Options: "-t/--test -tt -v/--version -m -h", Why: "php-fpm -t; to reload it: systemctl reload php8.2-fpm", Requires: "-t|--test|-tt|-v|--version|-m|-h"}
	rule585 = Rule{Do: "observe", Options: "-s -c -q -w -x -o=any -t -S=any", Operands: "lit+", Prints: "names"}
	rule586 = Rule{Do: "observe", Options: "-d -h -H -I -l -r -R -s -t -u -v -V -w -C=any -G=any -p=any -T=any -U[=any] --human --dec=any", Operands: "/[0-9]+/*", Why: "it does not start programs here (-e)"}
	rule587 = Rule{Do: "observe", Options: "-3 -4 -6 -a -B -C -c=lit -D -d -e=lit -F=lit -h -H -I=lit -i=/(?:0\\.[2-9]|[1-9])[0-9.]*/ -L -M=lit -m=lit -N=lit -n -O -Q=lit -q -R -r -S=lit -s=lit -T=lit -t=lit -U -V -v -W=lit -w=lit", Operands: "host", Why: "a host that is written out, without flood or payload: ping -c 3 HOST"}
	rule588 = Rule{Do: "observe", Options: "-o/--outdated -f/--files --format=any --disable-pip-version-check", Operands: "lit*"}
	rule589 = Rule{Do: "observe", Options: "-V/--version", Commands: []Command{
		{"list", &rule588},
		{"show", &rule588},
		{"check", &rule588},
	},
	}
	rule590 = Rule{Do: "unknown", Operands: "any*", Why: "it shows the program's environment; use pm2 list and pm2 logs NAME --nostream"}
	rule591 = Rule{Do: "observe", Options: "--lines=any --nostream --err --out --timestamp --raw", Operands: "name?"}
	rule592 = Rule{Do: "restart", Operands: "svc+", Part: "first"}
	rule593 = Rule{Do: "unknown", Operands: "any*", Why: "pm2 restart NAME also starts what is stopped"}
	rule594 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule15},
		{"ls", &rule15},
		{"status", &rule15},
		{"l", &rule15},
		{"describe", &rule590},
		{"desc", &rule590},
		{"logs", &rule591},
		{"restart", &rule192},
		{"reload", &rule192},
		{"stop", &rule592},
		{"start", &rule593},
	},
	}
	rule595 = Rule{Do: "observe", Options: "-x/--extended -X -d/--device -q/--quiet -p/--show-path -A/--range=any", Operands: "any+"}
	rule596 = Rule{Do: "observe", Options: "-n -d -h -p -f -H -x -m -l -M -P -F", Operands: "lit*", Why: "settings are only shown"}
	rule597 = Rule{Do: "unknown", Operands: "any*", Why: "to restart it: systemctl restart postfix"}
	rule598 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule15},
		{"reload", &rule16},
		{"start", &rule597},
		{"stop", &rule597},
		{"abort", &rule597},
		{"flush", &rule597},
		{"check", &rule597},
		{"set-permissions", &rule597},
		{"upgrade-configuration", &rule597},
	},
	}
	rule599 = Rule{Do: "observe", Options: "-p -j -v -f!change", Requires: "-p|-j|-f"}
	rule600 = Rule{Do: "observe", Options: "-p/--pid=any -o/--output=any --noheadings --raw --verbose -n/--nofile -u/--nproc -c/--core -v/--as -m/--rss -l/--memlock -s/--stack -d/--data", Why: "limits are read only, of a process that runs"}
	rule601 = Rule{Do: "observe", Options: "-A -a -d -e -f -F -l -j -y -c -m -L -T -H -M -Z -N -w -p/-q/--pid/--quick-pid/--ppid/--sid=any -C=any -o/-O/--format=/(?:(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?(?:=[A-Za-z0-9_%]*)?(?:[,\\s]+|$))+/ -u/--user/-U/--User=/[0-9]+|[a-wyz][A-Za-z0-9_-]*|x|xf|xww?|xfww?/ -s=any --sort/-k=any --no-headers/--no-heading/--headers/--heading --forest --deselect --cols/--columns/--width=any --rows/--lines=any --cumulative --info -V/--version --help[=any]", Operands: "/[aAcfgHhjlmnrsSTuvwxXLMZ]+o?|-?[aAfHhjLlmTuwx]+o|[0-9]+(?:,[0-9]+)*|[kUp]|-?[+]?(?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?(?:[,](?:pid|ppid|pgid|pgrp|sid|sess|session|uid|user|uname|ruid|ruser|euid|euser|gid|group|egid|egroup|args|cmd|command|comm|ucmd|ucomm|stat|state|s|etime|etimes|time|times|cputime|cputimes|start|lstart|start_time|stime|bsdstart|bsdtime|rss|rssize|rsz|pss|uss|vsz|vsize|sz|size|drs|trs|pcpu|%cpu|cpu|c|cp|pmem|%mem|ni|nice|pri|priority|psr|nlwp|thcount|lwp|tid|spid|wchan|nwchan|tty|tt|tname|cgroup|cgname|unit|slice|machine|lxc|maj_flt|majflt|min_flt|minflt|cls|class|policy|rtprio|sched|f|flags|oom|oomadj|ipcns|mntns|netns|pidns|userns|utsns|numa|luid|lsession|seat|exe|supgrp|label|context|stackp|esp|eip|tgid|tpgid|blocked|caught|ignored|pending)(?::[0-9]+)?=?)*/*", Why: "e among the letters without a dash shows environments, which hold secrets: ps aux, ps -ef, ps -eo pid,etime,rss,args --sort=-rss"}
	rule602 = Rule{Do: "observe", Options: "-a/--echo-all -A/--no-align -b/--echo-errors -c/--command=psql!nostdin --csv -e/--echo-queries -E/--echo-hidden -d/--dbname=/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/ -F/--field-separator=any -h/--host=dbhost -H/--html -l/--list!nostdin -n/--no-readline -p/--port=lit -P/--pset=/pager=(?:off|0)|(?:border|columns|csv_fieldsep|expanded|fieldsep|footer|format|linestyle|null|numericlocale|recordsep|title|tuples_only)(?:=.*)?/ -q/--quiet -R/--record-separator=any -t/--tuples-only -T/--table-attr=lit -U/--username=lit -v/--set/--variable=/(?:ON_ERROR_STOP|QUIET|VERBOSITY|SHOW_CONTEXT|ECHO)=[A-Za-z0-9_]*/ -V/--version!nostdin -w/--no-password -x/--expanded -X/--no-psqlrc -z/--field-separator-zero -0/--record-separator-zero -1/--single-transaction", Operands: "/[A-Za-z0-9_.-]+|(?:(?:dbname|user|port|connect_timeout|application_name|sslmode|target_session_attrs)=[A-Za-z0-9_.-]+(?:\\s+|$)|host=(?:localhost|127\\.0\\.0\\.1|\\x2fvar\\x2frun\\x2fpostgresql)(?:\\s+|$))+|postgres(?:ql)?:\\x2f\\x2f(?:[A-Za-z0-9_.-]+@)?(?:localhost|127\\.0\\.0\\.1)?(?::[0-9]+)?(?:\\x2f[A-Za-z0-9_.-]*)?/? lit?", Why: "one literal statement, a host by -h that the inventory or the policy names, no password: psql -X -A -t -h HOST -U USER -d DB -c 'select 1'", Stdin: "psql"}
	rule603 = Rule{Do: "observe", Options: "-a/--arguments -A/--ascii -c/--compact-not -C/--color=any -g/--show-pgids -G/--vt100 -h/--highlight-all -H/--highlight-pid=any -l/--long -n/--numeric-sort -N/--ns-sort=any -p/--show-pids -s/--show-parents -S/--ns-changes -t/--thread-names -T/--hide-threads -u/--uid-changes -U/--unicode -Z/--security-context -V/--version", Operands: "any?"}
	rule604 = Rule{Do: "observe", Operands: "any+"}
	rule605 = Rule{Do: "observe", Options: "-m=json.tool -I -S -s -E -B -V/--version --sort-keys --no-ensure-ascii --json-lines --indent=any --tab --no-indent --compact", Operands: "file?", Style: "strict", Why: "a program in python cannot be read; use jq, awk, grep or sed", Requires: "-m|-V|--version", Cwd: "code"}
	rule606 = Rule{Do: "observe", Options: "-a -u -g -s -v -n -p -w -q", Operands: "any*"}
	rule607 = Rule{Do: "observe", Operands: "lit"}
	rule608 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmq-diagnostics status", Loose: true}
	rule609 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@[A-Za-z0-9_-]+)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=lit -p/--vhost=lit --unit=lit", Why: "ping, status, check_… and listeners only show", Commands: []Command{
		{"ping", &rule15},
		{"status", &rule15},
		{"cluster_status", &rule15},
		{"alarms", &rule15},
		{"listeners", &rule15},
		{"memory_breakdown", &rule15},
		{"is_running", &rule15},
		{"is_booting", &rule15},
		{"server_version", &rule15},
		{"erlang_version", &rule15},
		{"runtime_thread_stats", &rule15},
		{"log_location", &rule15},
		{"check_running", &rule15},
		{"check_alarms", &rule15},
		{"check_local_alarms", &rule15},
		{"check_port_connectivity", &rule15},
		{"check_virtual_hosts", &rule15},
		{"check_certificate_expiration", &rule15},
		{"check_if_node_is_quorum_critical", &rule15},
		{"check_if_node_is_mirror_sync_critical", &rule15},
		{"disk_free_limit", &rule15},
		{"os_env_help", &rule15},
		{"check_port_listener", &rule607},
		{"check_protocol_listener", &rule607},
		{"environment", &rule608},
		{"report", &rule608},
	},
	}
	rule610 = Rule{Do: "observe", Options: "--online --offline --local --all --sort=lit", Operands: "lit*"}
	rule611 = Rule{Do: "forbidden", Operands: "any*", Why: "it deletes messages", Loose: true}
	rule612 = Rule{Do: "forbidden", Operands: "any*", Why: "it shows passwords; use rabbitmqctl status", Loose: true}
	rule613 = Rule{Do: "observe", Persistent: "-n/--node=/[A-Za-z0-9_-]+(?:@[A-Za-z0-9_-]+)?/ -q/--quiet -s/--silent -t/--timeout=lit -l/--longnames --formatter=lit -p/--vhost=lit --no-table-headers --print-stacktrace", Why: "status, cluster_status and the list_… commands only show", Commands: []Command{
		{"status", &rule28},
		{"cluster_status", &rule28},
		{"ping", &rule28},
		{"version", &rule28},
		{"node_health_check", &rule28},
		{"list_vhosts", &rule28},
		{"list_users", &rule28},
		{"list_permissions", &rule28},
		{"list_policies", &rule28},
		{"list_feature_flags", &rule28},
		{"list_unresponsive_queues", &rule28},
		{"list_hashes", &rule28},
		{"list_user_permissions", &rule28},
		{"list_user_limits", &rule28},
		{"list_vhost_limits", &rule28},
		{"list_operator_policies", &rule28},
		{"await_startup", &rule28},
		{"list_queues", &rule610},
		{"list_connections", &rule610},
		{"list_channels", &rule610},
		{"list_consumers", &rule610},
		{"list_exchanges", &rule610},
		{"list_bindings", &rule610},
		{"purge_queue", &rule611},
		{"delete_queue", &rule611},
		{"reset", &rule611},
		{"force_reset", &rule611},
		{"delete_vhost", &rule611},
		{"forget_cluster_node", &rule611},
		{"environment", &rule612},
		{"report", &rule612},
	},
	}
	rule614 = Rule{Do: "observe", Options: "-a/--all -l/--list -s/--servicelist -c/--crashed -r/--runlevel -u/--unused -m/--manual -S/--supervised -f/--format=any", Operands: "lit?"}
	rule615 = Rule{Do: "observe", Operands: "meta*", Loose: true}
	rule616 = Rule{Do: "observe", Options: "--compact --csv --limit=lit --all --role --replication-lag --archive-ready --upstream --downstream --slots --nagios --detail"}
	rule617 = Rule{Commands: []Command{
		{"show", &rule616},
		{"matrix", &rule616},
		{"crosscheck", &rule616},
		{"event", &rule616},
	},
	}
	rule618 = Rule{Commands: []Command{
		{"status", &rule616},
		{"check", &rule616},
	},
	}
	rule619 = Rule{Commands: []Command{
		{"status", &rule616},
	},
	}
	rule620 = Rule{Do: "observe", Persistent: "-f/--config-file=code -v/--verbose -t/--terse", Why: "it only shows here: repmgr cluster show, repmgr node status, repmgr node check", Commands: []Command{
		{"cluster", &rule617},
		{"node", &rule618},
		{"service", &rule619},
		{"daemon", &rule619},
	},
	}
	rule621 = Rule{Do: "observe", Operands: "host+"}
	rule622 = Rule{Do: "observe", Operands: "lit?", Why: "with one interface at most: the name servers are for people"}
	rule623 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-4 -6 -i/--interface=lit -p/--protocol=lit -t/--type=lit -c/--class=lit --no-pager --legend=any --cache=any --validate=any --json=any", Commands: []Command{
		{"status", &rule28},
		{"statistics", &rule28},
		{"show-cache", &rule28},
		{"show-server-state", &rule28},
		{"query", &rule621},
		{"dns", &rule622},
		{"domain", &rule622},
		{"dnssec", &rule622},
		{"dnsovertls", &rule622},
		{"llmnr", &rule622},
		{"mdns", &rule622},
		{"nta", &rule622},
		{"default-route", &rule622},
		{"flush-caches", &rule16},
		{"reset-server-features", &rule16},
	},
	}
	rule624 = Rule{Do: "observe", Options: "-e/--regexp=any!first -f/--file=file!first -i/--ignore-case -S/--smart-case -s/--case-sensitive -n/--line-number -N/--no-line-number -l/--files-with-matches --files-without-match -c/--count --count-matches -v/--invert-match -w/--word-regexp -x/--line-regexp -o/--only-matching -F/--fixed-strings -P/--pcre2 -U/--multiline --multiline-dotall -u/--unrestricted -uu -uuu -./--hidden --no-ignore --no-ignore-vcs -g/--glob=any --iglob=any -t/--type=any -T/--type-not=any --type-list -A/--after-context=any -B/--before-context=any -C/--context=any -m/--max-count=any -r/--replace=any -q/--quiet --json --stats --sort=any --sortr=any --color=any --colors=any --no-heading --heading --column -p/--pretty -H/--with-filename -I/--no-filename -d/--max-depth=any -L/--follow -a/--text --trim -M/--max-columns=any --max-filesize=any -0/--null --line-buffered --no-messages --no-config --crlf --encoding=any -j/--threads=any --files!first -V/--version", Operands: "any tree*", Why: "other programs (--pre, --hostname-bin) are not granted", Cwd: "tree"}
	rule625 = Rule{Do: "change", Options: "-f/--force -v/--verbose -i -I --interactive[=any] -r/-R/--recursive -d/--dir --one-file-system", Operands: "any+", Check: "rm"}
	rule626 = Rule{Do: "observe", Options: "-v/--verbose --ignore-fail-on-non-empty", Operands: "out+"}
	rule627 = Rule{Do: "observe", Options: "-n/--numeric -e/--extend -v/--verbose -A=any -F/--fib -C/--cache -4 -6 -V/--version", Commands: []Command{
		{"add", &rule33},
		{"del", &rule33},
		{"delete", &rule33},
		{"flush", &rule33},
		{"change", &rule33},
	},
	}
	rule628 = Rule{Do: "observe", Options: "-p -s -m", Operands: "host?"}
	rule629 = Rule{Do: "observe", Options: "-q/--query -a/--all -i/--info -l/--list -f/--file -c/--configfiles -d/--docfiles -R/--requires --provides --whatprovides --whatrequires --last --changelog --scripts -s/--state -V/--verify --qf/--queryformat=/[^(]*/ --version -e!unknown -U!unknown -F!unknown", Operands: "any*", Why: "packages are for people; what is installed: rpm -qa", Requires: "-q|--query|-V|--verify|--version"}
	rule630 = Rule{Do: "observe", Options: "-c/--container -v/--vm -q/--quiet -p/--path -u/--unescape --suffix=any", Operands: "lit*"}
	rule631 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any", Operands: "inner", Style: "strict", Why: "runuser -u USER -- COMMAND", Requires: "-u|--user"}
	rule632 = Rule{Do: "observe", Options: "-A -b -B -C -d -D -F -h --human -H -i=any -I=any -j=any -m=any -n=any -p -P=any -q -r -S -t -u -v -V -w -W -x -y -z -s=any -e=any -f=file --dec=any --dev=any --fs=any --iface=any --int=any --pretty", Operands: "any*", Why: "recording (-o) is not granted"}
	rule633 = Rule{Do: "observe", Options: "-A/--no-adapter -f/--fahrenheit -u -j -v/--version -h/--help", Operands: "lit*"}
	rule634 = Rule{Do: "observe", Options: "-w/--wait", Operands: "inner", Style: "strict", Check: "loop"}
	rule635 = Rule{Do: "observe", Options: "-e/--exports -a/--all -d/--directories --no-headers", Operands: "host?"}
	rule636 = Rule{Do: "observe", Options: "-n/--head-count=any -e/--echo -i/--input-range=any -r/--repeat -z/--zero-terminated --random-source=file", Operands: "file*"}
	rule637 = Rule{Do: "observe", Options: "-a/--all -x/--xall -H/--health -i/--info -A/--attributes -c/--capabilities -l/--log=error|selftest|selective|directory|background|sataphy|sasphy|devstat|sct|sctstatus|scttemp|scttempsts|scttemphist|scterc|xerror|xselftest|ssd|farm|envrep -d/--device=any -j/--json[=any] -n/--nocheck=any -f/--format=any -r/--report=any -q/--quietmode=any --scan --scan-open -v/--vendorattribute=any -g/--get=any -V/--version -h/--help", Operands: "meta?", Why: "tests and settings of disks are for people: smartctl -a /dev/sda"}
	rule638 = Rule{Do: "observe", Options: "--all -a -l", Operands: "name*"}
	rule639 = Rule{Do: "observe", Operands: "name*"}
	rule640 = Rule{Do: "observe", Options: "-n=any -f", Operands: "name"}
	rule641 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule638},
		{"services", &rule638},
		{"changes", &rule638},
		{"version", &rule638},
		{"warnings", &rule638},
		{"info", &rule639},
		{"tasks", &rule639},
		{"change", &rule639},
		{"connections", &rule639},
		{"logs", &rule640},
		{"restart", &rule192},
	},
	}
	rule642 = Rule{Do: "observe", Options: "-V", Why: "it connects anything with anything; to look whether a port is open: nc -zv -w 2 HOST PORT", Requires: "-V"}
	rule643 = Rule{Do: "observe", Options: "-b/--ignore-leading-blanks -d/--dictionary-order -f/--ignore-case -g/--general-numeric-sort -h/--human-numeric-sort -i/--ignore-nonprinting -M/--month-sort -n/--numeric-sort -R/--random-sort -r/--reverse --sort=any -V/--version-sort --batch-size=any -c/--check[=any] -C --debug -k/--key=any -m/--merge -o/--output=out -s/--stable -S/--buffer-size=any -t/--field-separator=any --parallel=any -u/--unique -z/--zero-terminated --files0-from=file --random-source=file --help --version", Operands: "file*", Why: "another program (--compress-program) and another folder for its own files (-T) are not granted"}
	rule644 = Rule{Do: "observe", Options: "-readonly -safe -batch -bail -echo -nofollow -interactive -stats -memtrace -utf8 -ascii -box -column -csv -html -json -line -list -markdown -quote -table -tabs -header -noheader -separator=lit -newline=lit -nullvalue=lit -escape=lit -mmap=lit -maxsize=lit -lookaside=lit,lit -pagecache=lit,lit -cmd=/\\.(?:timeout\\s+[0-9]+|mode\\s+[a-z]+|headers?\\s+(?:on|off)|nullvalue\\s+[A-Za-z-]+|width[0-9\\s-]+)/ -version!nostdin -help!nostdin", Operands: "file? sqlite*", Style: "word", Why: "a file and a literal statement that only reads: sqlite3 -readonly FILE 'pragma quick_check'", Stdin: "sqlite"}
	rule645 = Rule{Do: "observe", Options: "-n/--numeric -r/--resolve -a/--all -l/--listening -B/--bound-inactive -o/--options -e/--extended -m/--memory -p/--processes -T/--threads -i/--info --tipcinfo -s/--summary --tos --cgroup -b/--bpf -E/--events -Z/--context -z/--contexts -4/--ipv4 -6/--ipv6 -0/--packet -t/--tcp -M/--mptcp -S/--sctp -u/--udp -d/--dccp -w/--raw -x/--unix --tipc --vsock --xdp -f/--family=any -H/--no-header -O/--oneline --inet-sockopt -A/--query/--socket=any -Q/--no-queues -h/--help -V/--version", Operands: "any*", Why: "closing connections (-K) and files (-D, -F) are not granted"}
	rule646 = Rule{Do: "observe", Options: "-4 -6 -a -C -k -n -q -T -t -v -x -l=/[A-Za-z0-9_.-]+/ -p=/[0-9]+/ -i=code -J=sshhost -o=/(?:AddressFamily|BatchMode|CheckHostIP|Compression|ConnectTimeout|ConnectionAttempts|GSSAPIAuthentication|IdentitiesOnly|KbdInteractiveAuthentication|LogLevel|NumberOfPasswordPrompts|PasswordAuthentication|Port|PreferredAuthentications|PubkeyAuthentication|RequestTTY|ServerAliveCountMax|ServerAliveInterval|TCPKeepAlive|User|VisualHostKey)[=\\x20][A-Za-z0-9_.-]+|StrictHostKeyChecking[=\\x20](?:yes|accept-new|ask)|(?:ForwardAgent|ForwardX11|ControlMaster)[=\\x20]no|Control(?:Path|Persist)[=\\x20](?:none|no)/", Operands: "sshhost remote", Style: "strict", Why: "options, a host of the inventory or the policy, then the command, written out: ssh -o BatchMode=yes -o ConnectTimeout=5 HOST 'df -h'"}
	rule647 = Rule{Do: "observe", Options: "-l -v -E=md5|sha256 -f=file -F=lit", Why: "it only shows the fingerprint of a public key: ssh-keygen -l -f FILE.pub", Requires: "-l|-F"}
	rule648 = Rule{Do: "observe", Options: "-4 -6 -c -H -p=lit -q -T=lit -t=lit -v", Operands: "host+", Why: "hosts are written out: ssh-keyscan -t ed25519 HOST"}
	rule649 = Rule{Do: "observe", Options: "-t -T -G -C=any -V", Requires: "-t|-T|-G|-V"}
	rule650 = Rule{Do: "observe", Options: "-c/--format=any --printf=any -f -L -t", Operands: "meta*", Loose: true}
	rule651 = Rule{Do: "observe", Options: "-i/--input=any -o/--output=any -e/--error=any", Operands: "inner", Style: "strict"}
	rule652 = Rule{Do: "observe", Options: "-a/--all -f/--print-file-name -n/--bytes=any -t/--radix=any -e/--encoding=any -o -w/--include-all-whitespace -s/--output-separator=any -#", Operands: "file*", Why: "a file of options (@FILE) is not granted"}
	rule653 = Rule{Do: "observe", Options: "-c/--command=shell", Operands: "/[a-z_][a-z0-9_-]*/?", Why: "without a login shell, which starts in another folder: su USER -c 'COMMAND', or sudo -u USER COMMAND", Requires: "-c|--command"}
	rule654 = Rule{Do: "observe", Options: "-u/--user=any -g/--group=any -n/--non-interactive -E/--preserve-env -H/--set-home -k/--reset-timestamp", Operands: "inner", Style: "strict", Why: "sudo COMMAND, sudo -n -u USER COMMAND"}
	rule655 = Rule{Do: "observe", Options: "-#", Operands: "name stdout|stderr?"}
	rule656 = Rule{Do: "observe", Options: "-#"}
	rule657 = Rule{Do: "restart", Operands: "svc+", Part: "last"}
	rule658 = Rule{Do: "unknown", Operands: "any*", Why: "restart the program that fails, by its name", Loose: true}
	rule659 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule639},
		{"pid", &rule639},
		{"avail", &rule639},
		{"version", &rule639},
		{"tail", &rule655},
		{"maintail", &rule656},
		{"restart", &rule192},
		{"start", &rule657},
		{"stop", &rule592},
		{"reread", &rule658},
		{"update", &rule658},
		{"reload", &rule658},
		{"shutdown", &rule658},
		{"clear", &rule658},
		{"signal", &rule658},
		{"add", &rule658},
		{"remove", &rule658},
		{"fg", &rule658},
	},
	}
	rule660 = Rule{Do: "observe", Operands: "name+"}
	rule661 = Rule{Do: "restart", Options: "-w=any", Operands: "svc+"}
	rule662 = Rule{Do: "change", Operands: "name+"}
	rule663 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule660},
		{"restart", &rule661},
		{"force-restart", &rule661},
		{"start", &rule657},
		{"up", &rule657},
		{"stop", &rule592},
		{"down", &rule592},
		{"reload", &rule662},
		{"hup", &rule662},
	},
	}
	rule664 = Rule{Do: "observe", Options: "-s/--summary --show[=any] --noheadings --raw --bytes -V/--version -h/--help", Why: "swap space is only shown: swapon --show", Requires: "-s|--summary|--show|-V|-h"}
	rule665 = Rule{Do: "observe", Options: "-a/--all/-A/-X -n/--values -N/--names -b/--binary -e/--ignore -r/--pattern=any -d --deprecated -h/--help -V/--version -q/--quiet -w/--write!forbidden -p/--load[=any]!forbidden --system!forbidden", Operands: "/[a-z0-9]+(?:[.\\/][A-Za-z0-9_*:@-]+)*/*", Why: "kernel settings are read only: sysctl NAME"}
	rule666 = Rule{Do: "observe", Options: "-p/--property/-P=/(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*)(?:,(?:[A-DF-Z][A-Za-z0-9]*|E(?:[a-mo-z]|n[a-uw-z])[A-Za-z0-9]*))*/", Operands: "any*", Why: "all properties include the environment, and that holds secrets; name those you want: systemctl show -p ActiveState,NRestarts,Result UNIT", Requires: "-p|--property|-P"}
	rule667 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Check: "unit"}
	rule668 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "first", Check: "unit"}
	rule669 = Rule{Do: "restart", Operands: "svc+", Why: "name services (NAME or NAME.service), not targets, mounts or patterns", Part: "last", Check: "unit"}
	rule670 = Rule{Do: "change", Operands: "lit+", Check: "unit"}
	rule671 = Rule{Do: "change", Operands: "any*"}
	rule672 = Rule{Do: "unknown", Operands: "any*", Why: "what starts at boot, and how, is for people; restart the service, or say in the handoff what should be changed", Loose: true}
	rule673 = Rule{Do: "forbidden", Operands: "any*", Why: "the environment of the services holds secrets", Loose: true}
	rule674 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "-t/--type=any --state=any -a/--all --reverse --after --before -l/--full --show-types -q/--quiet --no-legend!names --legend=any --no-pager --plain --with-dependencies --system --user -n/--lines=any -o/--output=any --timestamp=any --no-ask-password --failed --value --wait --no-warn", Why: "name units literally; another host, machine or root (-H, -M, --root) is not granted", Commands: []Command{
		{"list-units", &rule112},
		{"list-timers", &rule112},
		{"list-sockets", &rule112},
		{"list-paths", &rule112},
		{"list-automounts", &rule112},
		{"list-unit-files", &rule112},
		{"list-jobs", &rule112},
		{"list-dependencies", &rule112},
		{"status", &rule112},
		{"is-active", &rule112},
		{"is-failed", &rule112},
		{"is-enabled", &rule112},
		{"is-system-running", &rule112},
		{"get-default", &rule112},
		{"cat", &rule112},
		{"whoami", &rule112},
		{"show", &rule666},
		{"restart", &rule667},
		{"try-restart", &rule667},
		{"condrestart", &rule667},
		{"reload-or-restart", &rule667},
		{"try-reload-or-restart", &rule667},
		{"reload-or-try-restart", &rule667},
		{"force-reload", &rule667},
		{"stop", &rule668},
		{"start", &rule669},
		{"reload", &rule670},
		{"reset-failed", &rule671},
		{"daemon-reload", &rule16},
		{"enable", &rule672},
		{"disable", &rule672},
		{"reenable", &rule672},
		{"preset", &rule672},
		{"preset-all", &rule672},
		{"mask", &rule672},
		{"unmask", &rule672},
		{"link", &rule672},
		{"revert", &rule672},
		{"add-wants", &rule672},
		{"add-requires", &rule672},
		{"edit", &rule672},
		{"set-default", &rule672},
		{"set-property", &rule672},
		{"kill", &rule672},
		{"clean", &rule672},
		{"freeze", &rule672},
		{"thaw", &rule672},
		{"bind", &rule672},
		{"mount-image", &rule672},
		{"cancel", &rule672},
		{"service-log-level", &rule672},
		{"service-log-target", &rule672},
		{"log-level", &rule672},
		{"log-target", &rule672},
		{"service-watchdogs", &rule672},
		{"daemon-reexec", &rule672},
		{"soft-reboot", &rule672},
		{"isolate", &rule381},
		{"default", &rule381},
		{"rescue", &rule381},
		{"emergency", &rule381},
		{"halt", &rule381},
		{"poweroff", &rule381},
		{"reboot", &rule381},
		{"kexec", &rule381},
		{"suspend", &rule381},
		{"hibernate", &rule381},
		{"hybrid-sleep", &rule381},
		{"suspend-then-hibernate", &rule381},
		{"sleep", &rule381},
		{"exit", &rule381},
		{"switch-root", &rule381},
		{"show-environment", &rule673},
		{"set-environment", &rule673},
		{"unset-environment", &rule673},
		{"import-environment", &rule673},
	},
	}
	rule675 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager --system --user --order --require --from-pattern=any --to-pattern=any --fuzz=any --iterations=any --base-time=any --json=any --tldr", Commands: []Command{
		{"time", &rule112},
		{"blame", &rule112},
		{"unit-paths", &rule112},
		{"exit-status", &rule112},
		{"capability", &rule112},
		{"syscall-filter", &rule112},
		{"filesystems", &rule112},
		{"critical-chain", &rule112},
		{"plot", &rule112},
		{"dot", &rule112},
		{"security", &rule112},
		{"calendar", &rule112},
		{"timespan", &rule112},
		{"timestamp", &rule112},
	},
	}
	rule676 = Rule{Do: "observe", Options: "--no-pager -a/--all -l/--full -k -c -x/--xattr[=any] --cgroup-id[=any] -u/--unit=any --user-unit=any --help --version", Operands: "any*"}
	rule677 = Rule{Do: "observe", Options: "-p -t -c -m -i -b/--batch -r/--raw -n/--iterations=any -1 -d/--delay=any --cpu[=any] -P -k --recursive=any --depth=any --order=any --help --version", Operands: "any?"}
	rule678 = Rule{Do: "observe", Options: "--no-pager -t/--type=any --diff=any", Operands: "any*"}
	rule679 = Rule{Do: "observe", Options: "--status --statistics --no-pager --flush-caches!change --legend=any -4 -6", Requires: "--status|--statistics|--flush-caches"}
	rule680 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule28},
		{"sh", &rule28},
		{"s", &rule28},
		{"list", &rule28},
		{"ls", &rule28},
		{"l", &rule28},
		{"lst", &rule28},
		{"add", &rule33},
		{"a", &rule33},
		{"change", &rule33},
		{"c", &rule33},
		{"replace", &rule33},
		{"delete", &rule33},
		{"del", &rule33},
		{"d", &rule33},
		{"link", &rule33},
		{"flush", &rule33},
		{"get", &rule33},
	},
	}
	rule681 = Rule{Do: "observe", Options: "-s/-stats/-statistics -d/-details -p/-pretty -g/-graph -i/-iec -r/-raw -j/-json -n/-netns=/[A-Za-z0-9_.-]+/ -c[=any] -color[=any] -nm -o/-oneline -t/-timestamp -V/-Version", Style: "word", Commands: []Command{
		{"qdisc", &rule680},
		{"q", &rule680},
		{"qd", &rule680},
		{"class", &rule680},
		{"filter", &rule680},
		{"action", &rule680},
		{"chain", &rule680},
	},
	}
	rule682 = Rule{Do: "observe", Options: "-4 -6 -A/--as-path-lookups -d/--debug -e/--extensions -F/--dont-fragment -f/--first=lit -I/--icmp -i/--interface=lit -m/--max-hops=lit -N/--sim-queries=lit -n -p/--port=lit -q/--queries=lit -r -s/--source=lit -T/--tcp -t/--tos=lit -U/--udp -V/--version -w/--wait=lit -z/--sendwait=lit --back --mtu --sport=lit", Operands: "host lit?", Why: "a host that is written out: traceroute -n HOST"}
	rule683 = Rule{Do: "observe", Options: "-a/--append -i/--ignore-interrupts -p --output-error[=any]", Operands: "out*"}
	rule684 = Rule{Do: "observe", Options: "-json", Style: "word"}
	rule685 = Rule{Do: "observe", Options: "-id=any", Operands: "lit*", Style: "word"}
	rule686 = Rule{Do: "forbidden", Options: "-auto-approve -force -target=any -var=any -var-file=any -lock=any -input=any -destroy -refresh-only", Operands: "any*", Style: "word", Why: "infrastructure is not changed by an agent; hand it to a human"}
	rule687 = Rule{Do: "unknown", Operands: "any*", Style: "strict", Why: "it runs providers, writes, or shows values that hold passwords; terraform state list is granted"}
	rule688 = Rule{Commands: []Command{
		{"list", &rule685},
		{"rm", &rule686},
		{"mv", &rule686},
		{"push", &rule686},
		{"replace-provider", &rule686},
		{"show", &rule687},
		{"pull", &rule687},
	},
	}
	rule689 = Rule{Commands: []Command{
		{"list", &rule151},
		{"show", &rule151},
		{"delete", &rule686},
		{"new", &rule686},
		{"select", &rule687},
	},
	}
	rule690 = Rule{Do: "observe", Options: "-chdir=code -version -v -help", Style: "word", Why: "only version, state list and workspace list: providers are programs, and plans, states and outputs hold passwords", Cwd: "code", Commands: []Command{
		{"version", &rule684},
		{"state", &rule688},
		{"workspace", &rule689},
		{"apply", &rule686},
		{"destroy", &rule686},
		{"import", &rule686},
		{"taint", &rule686},
		{"untaint", &rule686},
		{"force-unlock", &rule686},
		{"init", &rule687},
		{"plan", &rule687},
		{"refresh", &rule687},
		{"show", &rule687},
		{"output", &rule687},
		{"console", &rule687},
		{"get", &rule687},
		{"graph", &rule687},
		{"validate", &rule687},
		{"fmt", &rule687},
		{"providers", &rule687},
		{"test", &rule687},
		{"login", &rule687},
		{"logout", &rule687},
		{"metadata", &rule687},
		{"run", &rule687},
		{"query", &rule687},
		{"stacks", &rule687},
		{"modules", &rule687},
		{"exec", &rule687},
	},
	}
	rule691 = Rule{Do: "observe", Options: "-p/--portability -v/--verbose -f/--format=any -o/--output=out -a/--append -q/--quiet", Operands: "inner", Style: "strict"}
	rule692 = Rule{Do: "observe", Options: "--version -h/--help", Persistent: "--no-pager -a/--all --value -p/--property/-P=any --no-ask-password --monitor", Commands: []Command{
		{"status", &rule15},
		{"show", &rule15},
		{"timesync-status", &rule15},
		{"show-timesync", &rule15},
		{"list-timezones", &rule15},
		{"ntp-servers", &rule15},
	},
	}
	rule693 = Rule{Do: "observe", Options: "-s/--signal=any -k/--kill-after=any --foreground --preserve-status -v/--verbose --help --version", Operands: "/[0-9]*\\.?[0-9]+[smhd]?/ inner", Style: "strict"}
	rule694 = Rule{Do: "observe", Options: "-b/--batch-mode -c/--cmdline-toggle -d/--delay=any -E/--scale-summary-mem=any -e/--scale-task-mem=any -H/--threads-show -i/--idle-toggle -n/--iterations=any -O/--list-fields -o/--sort-override=any -p/--pid=any -S/--accum-time-toggle -s/--secure-mode -u/-U/--filter-any-user/--filter-only-euser=any -w/--width[=any] -1/--single-cpu-toggle -v/-V/--version -h/--help", Operands: "/[0-9]+/?", Why: "nobody sits at the keyboard: top -b -n 1", Requires: "-b|--batch-mode|-v|--version|-h"}
	rule695 = Rule{Do: "observe", Options: "-a -c/--no-create -m -d/--date=any -t=any -r/--reference=meta", Operands: "out+"}
	rule696 = Rule{Do: "observe", Operands: "cols|lines|colors|sgr0|bold|longname|setaf /[0-9]+/?"}
	rule697 = Rule{Do: "observe", Options: "-4 -6 -b -l=lit -m=lit -n -p=lit -V", Operands: "host"}
	rule698 = Rule{Do: "observe", Options: "-a -d -f -l -x -L=any -P=any -I=any --prune --filelimit=any --du -h -s -p -u -g -D --timefmt=any -F -i -q -N -n -C --noreport --dirsfirst --sort=any -r -t -c -v -U -J -X --inodes --device --matchdirs --ignore-case --si --charset=any --version --help", Operands: "meta*"}
	rule699 = Rule{Do: "change", Options: "-s/--size=size -c/--no-create", Operands: "any+", Check: "truncate"}
	rule700 = Rule{Do: "observe", Options: "-s/--silent/--quiet"}
	rule701 = Rule{Do: "observe", Options: "-l", Operands: "meta", Why: "settings of a file system are only shown: tune2fs -l DEVICE", Requires: "-l"}
	rule702 = Rule{Do: "observe", Operands: "verbose|numbered?"}
	rule703 = Rule{Do: "observe", Operands: "raw|builtins|before-rules|user-rules|after-rules|logging-rules|listening|added"}
	rule704 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule702},
		{"show", &rule703},
		{"version", &rule15},
		{"app", &rule288},
		{"allow", &rule33},
		{"deny", &rule33},
		{"reject", &rule33},
		{"limit", &rule33},
		{"delete", &rule33},
		{"insert", &rule33},
		{"prepend", &rule33},
		{"route", &rule33},
		{"enable", &rule33},
		{"disable", &rule33},
		{"reload", &rule33},
		{"reset", &rule33},
		{"default", &rule33},
		{"logging", &rule33},
	},
	}
	rule705 = Rule{Do: "observe", Options: "-a -s -n -r -v -m -p -i -o", Loose: true}
	rule706 = Rule{Do: "observe", Options: "-c/--count -d/--repeated -D --all-repeated[=any] -f/--skip-fields=any --group[=any] -i/--ignore-case -s/--skip-chars=any -u/--unique -z/--zero-terminated -w/--check-chars=any --help --version", Operands: "file? out?"}
	rule707 = Rule{Do: "change", Operands: "any+", Check: "rm"}
	rule708 = Rule{Do: "observe", Options: "-l -v -Z -1 -t -q -z -C -s -m -h", Operands: "file any*", Why: "archives are only listed: unzip -l FILE", Requires: "-l|-v|-Z|-t|-z"}
	rule709 = Rule{Do: "observe", Options: "--display --list --query --get-selections", Operands: "lit?", Requires: "--display|--list|--query|--get-selections"}
	rule710 = Rule{Do: "observe", Options: "-p/--pretty -s/--since -r/--raw -V/--version -h/--help"}
	rule711 = Rule{Do: "observe", Operands: "file*"}
	rule712 = Rule{Do: "observe", Options: "-format=lit -address=dbhost", Style: "word"}
	rule713 = Rule{Do: "forbidden", Operands: "any*", Why: "what it keeps are secrets; only vault status is granted", Loose: true}
	rule714 = Rule{Do: "observe", Why: "only vault status is granted; what it keeps are secrets", Commands: []Command{
		{"status", &rule712},
		{"version", &rule15},
		{"read", &rule713},
		{"list", &rule713},
		{"kv", &rule713},
		{"token", &rule713},
		{"login", &rule713},
		{"print", &rule713},
		{"unwrap", &rule713},
		{"write", &rule713},
		{"secrets", &rule713},
		{"lease", &rule713},
		{"ssh", &rule713},
		{"pki", &rule713},
		{"transit", &rule713},
		{"agent", &rule713},
		{"proxy", &rule713},
		{"debug", &rule713},
		{"monitor", &rule713},
	},
	}
	rule715 = Rule{Do: "observe", Options: "--all --inactive --name --state-running --title --autostart"}
	rule716 = Rule{Do: "observe", Options: "--all --reason", Operands: "/[A-Za-z0-9_.:-]+/*"}
	rule717 = Rule{Do: "observe", Options: "-r/--readonly -q/--quiet", Commands: []Command{
		{"list", &rule715},
		{"dominfo", &rule716},
		{"domstate", &rule716},
		{"domstats", &rule716},
		{"domblklist", &rule716},
		{"domiflist", &rule716},
		{"domifstat", &rule716},
		{"domblkstat", &rule716},
		{"nodeinfo", &rule716},
		{"pool-list", &rule716},
		{"pool-info", &rule716},
		{"net-list", &rule716},
		{"net-info", &rule716},
		{"vcpuinfo", &rule716},
		{"version", &rule716},
		{"hostname", &rule716},
		{"uptime", &rule716},
	},
	}
	rule718 = Rule{Do: "observe", Options: "-a/--active -f/--forks -m/--slabs -n/--one-header -s/--stats -d/--disk -D/--disk-sum -p/--partition=any -S/--unit=any -w/--wide -t/--timestamp -y/--no-first -h/--help -V/--version", Operands: "/[0-9]+/*"}
	rule719 = Rule{Do: "observe", Options: "-h/--no-header -u/--no-current -s/--short -f/--from -o/--old-style -i/--ip-addr -p/--pids", Operands: "any?"}
	rule720 = Rule{Do: "observe", Options: "-b/--beep -c/--color -C/--no-color -d/--differences[=any] -e/--errexit -g/--chgexit -q/--equexit=any -n/--interval=any -p/--precise -t/--no-title -w/--no-wrap -r/--no-rerun", Operands: "remote", Style: "strict", Check: "loop"}
	rule721 = Rule{Do: "observe", Options: "-c/--bytes -m/--chars -l/--lines -w/--words -L/--max-line-length --files0-from=file --total=any --help --version", Operands: "file*", Globs: true}
	rule722 = Rule{Do: "observe", Operands: "/[a-z0-9_-]*[0-9_-][a-z0-9_-]*|all/?", Why: "wg show INTERFACE, nothing more: the keys are secrets"}
	rule723 = Rule{Do: "observe", Commands: []Command{
		{"show", &rule722},
		{"showconf", &rule421},
		{"genkey", &rule421},
		{"genpsk", &rule421},
		{"pubkey", &rule421},
		{"set", &rule421},
		{"setconf", &rule421},
		{"addconf", &rule421},
		{"syncconf", &rule421},
	},
	}
	rule724 = Rule{Do: "observe", Options: "-q/--quiet -v/--verbose -n --no-verbose -S/--server-response --spider -O/--output-document=out -T/--timeout=lit --dns-timeout=lit --connect-timeout=lit --read-timeout=lit -t/--tries=lit --waitretry=lit --retry-connrefused --retry-on-http-error=lit --max-redirect=lit --limit-rate=lit -Q/--quota=lit --content-on-error --progress=lit --show-progress --report-speed=lit --no-check-certificate --ca-certificate=file --ca-directory=lit --crl-file=file --https-only --secure-protocol=lit --ciphers=lit -4/--inet4-only -6/--inet6-only --prefer-family=lit --bind-address=lit --no-dns-cache --no-proxy --no-netrc --no-config --no-cache --no-cookies --no-hsts --no-http-keep-alive --compression=lit --ignore-length --save-headers -U/--user-agent=/[^\\r\\n]*/ --method=GET|HEAD --header=/(?i)(?:accept|accept-encoding|accept-language|cache-control|connection|host|if-modified-since|if-none-match|origin|pragma|range|user-agent|x-forwarded-for|x-forwarded-host|x-forwarded-port|x-forwarded-proto|x-real-ip|x-request-id):[^\\r\\n]*/ -V/--version", Operands: "url*", Why: "without a file in the working folder and without sending anything, for example: wget -qO- http://127.0.0.1:8080/health; for a host that is not known add --max-redirect=0, or use curl", Requires: "-O|--output-document|--spider|-V|--version", Check: "http"}
	rule725 = Rule{Do: "observe", Options: "-b -m -s -u -l", Operands: "lit*"}
	rule726 = Rule{Do: "observe", Options: "-a -s", Operands: "any*", Loose: true}
	rule727 = Rule{Do: "observe", Options: "-a/--all -b/--boot -d/--dead -H/--heading --ips -l/--login --lookup -m -p/--process -q/--count -r/--runlevel -s/--short -t/--time -T/-w/--mesg/--message/--writable -u/--users --help --version", Operands: "file*"}
	rule728 = Rule{Do: "observe", Options: "-h/--host=host -p/--port=lit -H --no-recursion --verbose --version --help", Operands: "lit+"}
	rule729 = Rule{Do: "observe", Options: "--xpath=any --format --noout --nonet --pretty=any --html --recover --huge --encode=any --version", Operands: "file*"}
	rule730 = Rule{Do: "observe", Options: "-a -b -C -c=any -E -e -g=any -i -l/-len=any -n=any -o=any -p/-ps -r -s=any -u -d -R=any -h -v", Operands: "file? out?"}
	rule731 = Rule{Do: "observe", Options: "-r/--unwrapScalar -o/--output-format=any -p/--input-format=any -P/--prettyPrint -C/--colors -M/--no-colors -N/--no-doc -j/--tojson -e/--exit-status", Operands: "/\\.|(?:\\.?(?:[A-Za-z_][A-Za-z0-9_-]*|\"[A-Za-z0-9_.\\/-]+\")(?:\\[[0-9]*\\])?|\\.?\\[\"[A-Za-z0-9_.\\/-]+\"\\]|\\.?\\[[0-9]*\\])+(?:\\s*\\|\\s*(?:keys|length|type|to_entries|\\.\\[\\]|\\.[A-Za-z_][A-Za-z0-9_-]*))*/ file*"}
	rule732 = Rule{Do: "observe", Options: "-r/--unwrapScalar/--raw-output -o/--output-format=any -p/--input-format=any -P/--prettyPrint -C/--colors -M/--no-colors -N/--no-doc -j/--tojson -e/--exit-status -c/--compact-output -y/--yaml-output -V/--version", Operands: "/\\.|(?:\\.?(?:[A-Za-z_][A-Za-z0-9_-]*|\"[A-Za-z0-9_.\\/-]+\")(?:\\[[0-9]*\\])?|\\.?\\[\"[A-Za-z0-9_.\\/-]+\"\\]|\\.?\\[[0-9]*\\])+(?:\\s*\\|\\s*(?:keys|length|type|to_entries|\\.\\[\\]|\\.[A-Za-z_][A-Za-z0-9_-]*))*/ file*", Why: "only plain paths are read: yq .services.web.image FILE", Commands: []Command{
		{"eval", &rule731},
		{"e", &rule731},
	},
	}
	rule733 = Rule{Do: "observe", Options: "-H -p -r -d=any -o=any -s=any -S=any -t=any -n -i -j -F", Operands: "any*"}
	rule734 = Rule{Do: "forbidden", Operands: "any*", Why: "pools hold the services' data; ask a person", Loose: true}
	rule735 = Rule{Do: "observe", Commands: []Command{
		{"list", &rule733},
		{"get", &rule733},
		{"userspace", &rule733},
		{"groupspace", &rule733},
		{"holds", &rule733},
		{"diff", &rule733},
		{"version", &rule733},
		{"destroy", &rule734},
		{"create", &rule734},
		{"rollback", &rule734},
		{"snapshot", &rule734},
		{"snap", &rule734},
		{"clone", &rule734},
		{"promote", &rule734},
		{"rename", &rule734},
		{"set", &rule734},
		{"inherit", &rule734},
		{"mount", &rule734},
		{"unmount", &rule734},
		{"umount", &rule734},
		{"share", &rule734},
		{"unshare", &rule734},
		{"send", &rule734},
		{"receive", &rule734},
		{"recv", &rule734},
		{"release", &rule734},
		{"hold", &rule734},
		{"allow", &rule734},
		{"unallow", &rule734},
		{"upgrade", &rule734},
		{"load-key", &rule734},
		{"unload-key", &rule734},
		{"change-key", &rule734},
		{"bookmark", &rule734},
		{"program", &rule734},
	},
	}
	rule736 = Rule{Do: "observe", Options: "-1 -2 -s -m -l -v -h -t -T -z -C", Operands: "file any*"}
	rule737 = Rule{Do: "observe", Options: "-v -x -L -P -D -g -H -p -o=any -T=any -y -l -q -w -r -n -i -s -t -e -j --json", Operands: "any*"}
	rule738 = Rule{Do: "observe", Commands: []Command{
		{"status", &rule737},
		{"list", &rule737},
		{"iostat", &rule737},
		{"get", &rule737},
		{"history", &rule737},
		{"events", &rule737},
		{"version", &rule737},
		{"destroy", &rule734},
		{"create", &rule734},
		{"add", &rule734},
		{"remove", &rule734},
		{"attach", &rule734},
		{"detach", &rule734},
		{"replace", &rule734},
		{"offline", &rule734},
		{"online", &rule734},
		{"import", &rule734},
		{"export", &rule734},
		{"clear", &rule734},
		{"scrub", &rule734},
		{"trim", &rule734},
		{"initialize", &rule734},
		{"labelclear", &rule734},
		{"upgrade", &rule734},
		{"split", &rule734},
		{"reguid", &rule734},
		{"reopen", &rule734},
		{"set", &rule734},
		{"checkpoint", &rule734},
		{"resilver", &rule734},
		{"sync", &rule734},
	},
	}
)

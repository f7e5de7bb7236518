package readable

import (
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/statefile"
)

// manner is how what lies below a place is judged.
type manner int

const (
	never    manner = iota // closed
	whole                  // open with all below it, and nobody looks
	settings               // each file is looked into, and what is no text is closed
	scripts                // names decide, and configuration and text without an ending are looked into
	stacks                 // names decide, and configuration is looked into
	repos                  // names decide, and what their names make suspicious is looked into
	logs                   // open, but for a few names
	pids                   // files of process numbers and the machine's state, two folders deep
	gitdir                 // git's own files: each is looked into
	objects                // git's store: open where the history holds nothing closed
)

// place is a folder or file of the machine, how it is judged, and why.
type place struct {
	path   string
	manner manner
	why    string
}

// Why a place is as it is.
const (
	programs   = "programs and libraries"
	configured = "configuration, without what looks like a credential"
	installed  = "installed software, without what looks like a credential"
	packages   = "what the package manager knows"
	shown      = "the kernel shows only what the user may see"
	spies      = "reading it takes events from others, or shows the memory of the kernel"
	ours       = "the records of this program"
)

// machine are the places that every machine may have. The most specific one counts, and what lies below none is closed: homes, /tmp, the data
// of databases and containers, mail, backups, cron tables, core dumps, sockets.
var machine = []place{
	{"/bin", whole, programs}, {"/sbin", whole, programs}, {"/lib", whole, programs}, {"/lib32", whole, programs}, {"/lib64", whole, programs}, {"/libx32", whole, programs},
	{"/usr", whole, programs}, {"/nix/store", whole, programs}, {"/gnu/store", whole, programs}, {"/snap", whole, programs},
	{"/usr/local/bin", scripts, "scripts of this machine, without what looks like a credential"}, {"/usr/local/sbin", scripts, "scripts of this machine, without what looks like a credential"},
	{"/usr/local/etc", settings, configured}, {"/usr/local/lib/systemd", settings, configured},
	{"/usr/lib/credstore", never, "systemd's credentials"}, {"/usr/lib/credstore.encrypted", never, "systemd's credentials"},
	{"/etc", settings, configured}, {"/etc/claudeops", never, "the configuration of this program"}, {"/etc/kubernetes", never, "the credentials of a cluster"},
	{"/boot", stacks, configured}, {"/opt", stacks, installed}, {"/srv", stacks, "what is served, without what looks like a credential"}, {"/var/www", stacks, "what is served, without what looks like a credential"},
	{"/var/log", logs, "logs; what is printed of them is masked"}, {"/run/log", logs, "logs; what is printed of them is masked"},
	{"/var/lib/dpkg", whole, packages}, {"/var/lib/apt", whole, packages}, {"/var/lib/rpm", whole, packages}, {"/var/lib/dnf", whole, packages}, {"/var/lib/pacman", whole, packages}, {"/lib/apk", whole, packages},
	{"/var/cache/apt", whole, packages}, {"/var/lib/alternatives", whole, packages}, {"/var/lib/unattended-upgrades", whole, packages}, {"/var/lib/update-notifier", whole, packages},
	{"/var/lib/systemd", whole, "systemd's timers, time and units"}, {"/var/lib/systemd/coredump", never, "memory of programs"}, {"/var/lib/systemd/pstore", never, "memory of the kernel"},
	{"/var/lib/systemd/credential.secret", never, "systemd's credentials"}, {"/var/lib/systemd/random-seed", never, "systemd's credentials"}, {"/var/lib/systemd/home", never, "homes are closed"},
	{"/var/lib/dbus/machine-id", whole, "the machine's name"}, {"/var/lib/logrotate", whole, "when logs were rotated"}, {"/var/lib/logrotate.status", whole, "when logs were rotated"},
	{"/var/lib/ntp", whole, "the clock"}, {"/var/lib/ntpsec", whole, "the clock"}, {"/var/lib/chrony", whole, "the clock"}, {"/var/lib/prometheus/node-exporter", whole, "metrics"}, {"/var/lib/node_exporter", whole, "metrics"},
	{"/var/spool/anacron", whole, "when jobs ran"},
	{"/proc", whole, shown}, {"/sys", whole, shown}, {"/sys/kernel/debug", never, spies}, {"/sys/kernel/tracing", never, spies}, {"/sys/firmware/qemu_fw_cfg", never, "what the machine's host has given it, passwords too"},
	{"/dev/null", whole, "a device that holds nothing"}, {"/dev/zero", whole, "a device that holds nothing"}, {"/dev/full", whole, "a device that holds nothing"},
	{"/dev/random", whole, "random numbers"}, {"/dev/urandom", whole, "random numbers"},
	{"/run", pids, "process numbers, and who is logged in"}, {"/run/systemd/resolve", whole, "the state of name resolution"}, {"/run/systemd/netif", whole, "the state of the network"},
	{"/run/systemd/sessions", whole, "who is logged in"}, {"/run/systemd/users", whole, "who is logged in"}, {"/run/systemd/seats", whole, "who is logged in"}, {"/run/systemd/machines", whole, "containers of systemd"},
	{"/run/systemd/timesync", whole, "the clock"}, {"/run/resolvconf", whole, "the state of name resolution"}, {"/run/NetworkManager/resolv.conf", whole, "the state of name resolution"},
	{"/run/mount", whole, "mounts"}, {"/run/udev/data", whole, "devices"}, {"/run/secrets", never, "secrets of containers and services"}, {"/run/credentials", never, "systemd's credentials"},
	{"/run/user", never, "what programs of people keep"}, {"/run/docker", never, "the state of containers"}, {"/run/containerd", never, "the state of containers"}, {"/run/keys", never, "secrets of services"}, {"/run/agenix", never, "secrets of services"},
}

// misleading are places whose names say nothing: pam.d/passwd is no list of passwords.
var misleading = []string{"/etc/passwd", "/etc/passwd-", "/etc/pam.d", "/etc/init.d", "/etc/cron.daily", "/etc/apparmor.d", "/etc/systemd", "/etc/security", "/etc/ssl/certs"}

// harmless are files of /etc that hold no credential whatever a look into them finds, those that are no text among them.
var harmless = &patterns{text: `ld.so.cache aliases.db java/cacerts apt/trusted.gpg trusted.gpg.d/*.gpg keyrings/*.gpg *.mo magic.mgc virtual.db transport.db access.db hwdb.bin public_suffix_list.dat
	etc/services etc/protocols etc/networks etc/rpc etc/ethertypes mime.types ssl/openssl.cnf etc/hosts etc/hostname etc/nsswitch.conf etc/group etc/machine-id etc/os-release etc/localtime etc/resolv.conf`}

// unmarked are credentials that neither an ending nor a text around them gives away.
var unmarked = &patterns{text: `
	etc/shadow* etc/gshadow* etc/sudoers etc/sudoers~ security/opasswd ppp/*-secrets mail/authinfo* exim4/passwd* webmin/miniserv.users lighttpd/*.user nagios/resource.cfg monit/monitrc etc/monitrc mosquitt*/pwfile
	apt/auth.conf openvpn/*/*.txt openvpn/*.txt postfix/sasl/* etc/duo/*.conf nginx/*users* apache2/*users* httpd/*users* httpd/passwords/* samba/*.tdb splunk/etc/passwd`}

// unlogged lie among logs and are none.
var unlogged = &patterns{text: `*-bin.[0-9]* binlog.* *.rdb *.aof *.dump *.sql *.sql.* core.[0-9]* *user-data* *.hprof *.key *.pem .env id_rsa* id_ed25519*`}

// within reports whether a path is a folder or lies below it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

// placesOf are the places of a world; of two for one path the first counts. A folder that an operator has chosen counts where it really is.
func placesOf(w World) []place {
	var all []place
	add := func(path string, m manner, why string) {
		if path == "" {
			return
		}
		path = filepath.Clean(path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		all = append(all, place{path, m, why})
	}
	for _, pattern := range w.Read {
		add(fixed(pattern), stacks, "the configuration names it (CLAUDEOPS_INVENTORY)")
	}
	add(w.StateDir, never, ours)
	if w.StateDir != "" {
		add(statefile.Path(w.StateDir), whole, "how often services were restarted, of which the session has a copy")
	}
	add(w.ResultsDir, never, ours)
	add(w.ReposDir, repos, "repositories, without what looks like a credential by its name")
	for _, dir := range w.Session {
		add(dir, whole, "the session's own folder")
	}
	for _, pattern := range []string{"/home/*/.pm2/logs", "/root/.pm2/logs"} {
		found, _ := filepath.Glob(filepath.Join("/", w.root, pattern)) // the pattern is well formed
		for _, dir := range found {
			all = append(all, place{dir, logs, "logs; what is printed of them is masked"})
		}
	}
	for _, p := range machine {
		all = append(all, place{filepath.Join("/", w.root, p.path), p.manner, p.why})
	}
	return all
}

// fixed is the folder before the first pattern of a path.
func fixed(pattern string) string {
	at := strings.IndexAny(pattern, `*?[\`)
	if at < 0 {
		return pattern
	}
	return filepath.Dir(pattern[:at] + "x")
}

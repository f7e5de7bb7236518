package guard

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
)

// modes are those that take nothing from who owns a file but gives to others: rights are added, or the right to write is taken back.
var modes = text.Lazy(`^(?:0?[67][0-7][0-7]|(?:[ugoa]*\+[rwxX]+|[go]+-w)(?:,(?:[ugoa]*\+[rwxX]+|[go]+-w))*)$`)

// public are modes by which everybody writes.
var public = text.Lazy(`[2367]$|(?:^|,)(?:[ug]*[oa][ugoa]*)?\+[rxX]*w`)

// marked are the bits beside those of who reads, writes and runs: a mode in digits takes them, and another owner those of a file.
const marked = os.ModeSetuid | os.ModeSetgid | os.ModeSticky

// machines reports whether a path belongs to the machine's own programs and their start, or to this program.
func machines(p string) bool {
	if base := path.Base(p); base == "claudeops" || base == "claudeops-hook" {
		return true
	}
	return path.Dir(p) == "/" || slices.ContainsFunc([]string{"/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/snap", "/sys", "/usr", "/var/run", "/var/spool"}, func(dir string) bool {
		return below(p, dir)
	})
}

// evidenced are names of logs, and of their folders, that say who did what; and of what is no log, though it lies there.
var evidenced = text.Lazy(`(?i)audit[^/]*$|auth[^/]*$|secure[^/]*$|sudo[^/]*$|snoopy[^/]*$|tlog[^/]*$|fail2ban[^/]*$|history[^/]*$|journal[^/]*$|` +
	`/(?:[wub]tmp|lastlog|faillog|tallylog|pacct|messages|syslog|cron|user\.log|dpkg|aide|rkhunter|term\.log|sshd|kern|daemon|ufw|iptables|firewall|falco|` +
	`osquery|suricata|snort|ossec|wazuh|vsftpd|openvpn|yum|dnf)[^/]*$|/(?:audit|journal|sudo-io|tlog|aide|remote|hosts|falco|osquery|suricata|snort|ossec|wazuh|unattended-upgrades)/|` +
	`(?:backup|\.tar\.|[-_]bin\.|\.deleted)[^/]*$|/wal\.`)

// evidence reports whether a log says who did what.
func evidence(p string) bool { return evidenced().MatchString(p) }

// emptied are names of logs that may be emptied: others, and those of digits alone, are databases' and brokers' own.
var emptied = text.Lazy(`[A-Za-z].*\.(?:log|err|out)$`)

// regular reports whether a plain file lies at a path.
func regular(p string) bool {
	info, err := os.Lstat(p)
	return err == nil && info.Mode().IsRegular()
}

// machineEtc is where the /etc of a machine is found.
var machineEtc = text.Lazy(`^(?:/usr/local|/host|/hostfs|/rootfs|/mnt(?:/[^/]+)?|/media/[^/]+|/proc/[^/]+(?:/task/[^/]+)?/root)+(/etc(?:/|$))`)

// certificateFile are the names of files that hold certificates.
var certificateFile = text.Lazy(`\.(?:pem|crt|cer|cert)$`)

// remove judges rm: rotated logs.
func (j *judge) remove(c *invocation) error {
	return j.eachPlace(c.operands, func(p string) error {
		if !j.rotatedLog(p) || c.has("-r", "-R", "--recursive", "-d", "--dir") {
			return forbidden("removing %s is not granted: only rotated logs are removed, each by its name", quoted(p))
		}
		j.writes = append(j.writes, path.Dir(p))
		return nil
	})
}

// removeFound judges find -delete: rotated logs by one name, in folders that hold none of those that say who did what. The action comes
// last, else it would come before what it is to depend on.
func (j *judge) removeFound(c *invocation) error {
	names := c.valuesOf("-name")
	if len(names) != 1 || c.words[len(c.words)-1] != "-delete" {
		return forbidden("find removes rotated logs by one -name, such as '*.gz', and -delete has to be its last word")
	}
	return j.eachPlace(c.operands, func(p string) error {
		if j.place != "" || !j.inLogs(p) || j.evidenceBelow(p) || !j.rotatedLog(path.Join(p, strings.NewReplacer("*", "x", "?", "0").Replace(names[0]))) {
			return forbidden("removing %s in %s is not granted: only rotated logs in folders below %s are", quoted(names[0]), quoted(p), strings.Join(j.world.Policy.Logs, ", "))
		}
		j.writes = append(j.writes, p)
		return nil
	})
}

// evidenceBelow reports whether something below a folder says who did what, or cannot be looked at.
func (j *judge) evidenceBelow(dir string) bool {
	if evidence(dir+"/x") || j.world.Resolve != nil {
		return evidence(dir + "/x")
	}
	return filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		if evidence(p) {
			return fs.ErrExist
		}
		return err
	}) != nil
}

// rotatedLog reports whether a path is a rotated log in one of the policy's folders, and none that says who did what.
func (j *judge) rotatedLog(p string) bool {
	return j.inLogs(p) && !evidence(p) && !j.secret(p) && slices.ContainsFunc(j.world.Policy.Rotated, func(pattern string) bool {
		ok, err := path.Match(pattern, path.Base(p))
		return ok && err == nil
	})
}

func (j *judge) inLogs(p string) bool {
	return !strings.ContainsAny(p, "*?[") && slices.ContainsFunc(j.world.Policy.Logs, func(dir string) bool { return below(p, dir) && p != dir })
}

// truncate empties current logs of this machine: none behind a link, because who writes into a folder of logs chooses what a link there
// leads to.
func (j *judge) truncate(c *invocation) error {
	if size := c.lastOf("-s", "--size"); size == "" || strings.Trim(size, "0") != "" {
		return unknown("`truncate` may empty a log (-s 0), and nothing else")
	}
	for _, w := range c.operands {
		places, err := j.places(w)
		if err != nil {
			return err
		}
		for _, p := range places {
			if j.place != "" || p != places[0] || !j.inLogs(p) || !emptied().MatchString(path.Base(p)) || evidence(p) || j.isSession(p) || j.world.Resolve == nil && !regular(p) {
				return unknown("only current logs of this machine below %s are emptied (NAME.log, NAME.err, NAME.out), each by its name, and none that says who did what", strings.Join(j.world.Policy.Logs, ", "))
			}
			j.writes = append(j.writes, path.Dir(p))
		}
	}
	return nil
}

// mode judges chmod: a literal mode that sets no set-id bit, gives no others the right to write, and takes none to read or run.
func (j *judge) mode(c *invocation) error {
	if len(c.operands) < 2 {
		return unknown("`chmod` takes a literal mode and literal files")
	}
	mode := c.operands[0]
	if !modes().MatchString(mode) || public().MatchString(mode) {
		return unknown("the mode %s is not granted: no set-id bits, writable for its owner and group at most, and nothing taken from its owner; write 644, 755, u+rw, g-w", quoted(mode))
	}
	return j.attributes(c.operands[1:], func(p string, here bool) string { return takesAway(mode, p, here) })
}

// attributes judges files whose mode or owner is changed. fault is what speaks against it for one file, which lies here or elsewhere.
func (j *judge) attributes(files []string, fault func(p string, here bool) string) error {
	return j.eachPlace(files, func(p string) error {
		if j.isSession(p) || j.secret(p) || j.holdsSecrets(p) || machines(p) || j.deploys(p) {
			return forbidden("%s stays as it is", quoted(p))
		}
		if reason := fault(p, j.place == "" && j.world.Resolve == nil); reason != "" {
			return unknown("%s", reason)
		}
		j.writes = append(j.writes, path.Dir(p))
		return nil
	})
}

// holdsSecrets reports whether a secret path may lie below a folder, as far as the policy's patterns say.
func (j *judge) holdsSecrets(dir string) bool {
	return dir == "/" || strings.HasSuffix(dir, "/etc") || below(j.world.StateDir, dir) || slices.ContainsFunc(j.world.Policy.Secrets, func(pattern string) bool {
		head, _, _ := strings.Cut(pattern, "*")
		return strings.HasPrefix(pattern, "/") && below(head, dir)
	})
}

// deploys reports whether a path is a file that says what runs, or a folder with one, which only people may write.
func (j *judge) deploys(p string) bool {
	if j.world.ReposDir != "" && (below(p, j.world.ReposDir) || below(j.world.ReposDir, p)) || strings.HasSuffix(p, ".sock") {
		return true
	}
	for _, pattern := range []string{"compose*.y*ml", "docker-compose*.y*ml", "Dockerfile*", "ecosystem.config.*", "*.service"} {
		if ok, err := path.Match(pattern, path.Base(p)); ok || err != nil {
			return true
		}
		if j.place == "" {
			if found, err := filepath.Glob(path.Join(escaped(p), pattern)); err != nil || len(found) > 0 {
				return true
			}
		}
	}
	return false
}

// takesAway says what a mode in digits takes from who reads and runs what lies at a path: what runs now would stop without being counted. A
// program with a set-id bit is not opened to others either. Elsewhere a file is recognised by its name, and all may read it before; a script may be run.
func takesAway(mode, p string, here bool) string {
	digits, err := strconv.ParseUint(mode, 8, 32)
	before := os.FileMode(0o755)
	if info, err := os.Stat(p); here && err == nil {
		before = info.Mode()
	} else if namesFile(p) && !scripts().MatchString(p) {
		before = 0o644
	}
	switch inDigits := err == nil; {
	case before&marked != 0 && (inDigits || !before.IsDir()):
		return quoted(p) + " has a set-id or sticky bit: digits may take it from a folder (write what is added: u+rw, g+w), and a program with one keeps its mode"
	case !inDigits || before.Perm()&^os.FileMode(digits)&^0o022 == 0:
		return ""
	}
	return "the mode " + mode + " takes from some the right to read or run " + quoted(p) + " (it has " + strconv.FormatUint(uint64(before.Perm()), 8) + "), and what needs it would stop; modes only give"
}

// keepsOwner says of a folder that it keeps its owner, without whom what runs in it would stop, and so does a file that only its owner or
// group reads, but for a log. Elsewhere a file is recognised by its name.
func keepsOwner(p string, here bool) string {
	info, err := os.Stat(p)
	switch seen := here && err == nil; {
	case seen && info.IsDir(), !seen && !namesFile(p):
		return quoted(p) + " is a folder, or may be one: only files get another owner, each by its name"
	case seen && info.Mode()&marked != 0:
		return quoted(p) + " has a set-id bit, which says as whom it runs: it keeps its owner"
	case seen && info.Mode()&0o004 == 0 && !logs().MatchString(path.Base(p)):
		return quoted(p) + " is read by its owner and group alone, and what reads it now would stop: only logs, and files that all may read, get another owner"
	}
	return ""
}

// escaped is a path as a pattern that means nothing else.
func escaped(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}

// scripts are names of files that may be programs.
var scripts = text.Lazy(`\.(?:sh|py|rb|php|[jt]s|lua|exs?)$`)

// namesFile reports whether a path has a name that no folder has.
func namesFile(p string) bool { return fileName(p) || certificateFile().MatchString(p) }

// fileName reports whether a path, or a pattern of paths, has a name that no folder has.
func fileName(p string) bool {
	name := strings.NewReplacer("*", "0", "?", "0").Replace(path.Base(p))
	return endings().MatchString(name) || logs().MatchString(name)
}

// endings are those of names that no folder has.
var endings = text.Lazy(`^(?:\.?[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:ya?ml|json|toml|ini|conf|cfg|md|txt|xml|sh|py|go|[jt]s|css|html?|sql|j2|tpl|tf|hcl|service|timer|lua|rb|php|rs|java|vue|exs?|erb|template|tmpl|cs|kt|scss|lock)|Dockerfile|Makefile|Procfile|Gemfile|Caddyfile|Jenkinsfile)$`)

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

// modes matches the modes that only add rights, or remove write access from group and others.
var modes = text.Lazy(`^(?:0?[67][0-7][0-7]|(?:[ugoa]*\+[rwxX]+|[go]+-w)(?:,(?:[ugoa]*\+[rwxX]+|[go]+-w))*)$`)

// public matches modes that make a file writable by everybody.
var public = text.Lazy(`[2367]$|(?:^|,)(?:[ug]*[oa][ugoa]*)?\+[rxX]*w`)

// marked are the mode bits besides the permissions. A numeric mode clears them on a directory, and chown clears them on a file.
const marked = os.ModeSetuid | os.ModeSetgid | os.ModeSticky

// machines reports whether a path belongs to the operating system or its boot process, or to this program.
func machines(p string) bool {
	if base := path.Base(p); base == "claudeops" || base == "claudeops-hook" {
		return true
	}
	return path.Dir(p) == "/" || slices.ContainsFunc([]string{"/bin", "/boot", "/dev", "/etc", "/home", "/lib", "/lib64", "/proc", "/root", "/run", "/sbin", "/snap", "/sys", "/usr", "/var/run", "/var/spool"}, func(dir string) bool {
		return below(p, dir)
	})
}

// evidenced matches audit logs and their directories, and files in log directories that are not logs.
var evidenced = text.Lazy(`(?i)audit[^/]*$|auth[^/]*$|secure[^/]*$|sudo[^/]*$|snoopy[^/]*$|tlog[^/]*$|fail2ban[^/]*$|history[^/]*$|journal[^/]*$|` +
	`/(?:[wub]tmp|lastlog|faillog|tallylog|pacct|messages|syslog|cron|user\.log|dpkg|aide|rkhunter|term\.log|sshd|kern|daemon|ufw|iptables|firewall|falco|` +
	`osquery|suricata|snort|ossec|wazuh|vsftpd|openvpn|yum|dnf)[^/]*$|/(?:audit|journal|sudo-io|tlog|aide|remote|hosts|falco|osquery|suricata|snort|ossec|wazuh|unattended-upgrades)/|` +
	`(?:backup|\.tar\.|[-_]bin\.|\.deleted)[^/]*$|/wal\.`)

// evidence reports whether a path is an audit log: a record of who did what.
func evidence(p string) bool { return evidenced().MatchString(p) }

// emptied matches names of logs that may be emptied. Other names, and names of digits only, belong to databases and message brokers.
var emptied = text.Lazy(`[A-Za-z].*\.(?:log|err|out)$`)

// regular reports whether a path is a regular file.
func regular(p string) bool {
	info, err := os.Lstat(p)
	return err == nil && info.Mode().IsRegular()
}

// machineEtc matches the places where a machine's /etc may be mounted.
var machineEtc = text.Lazy(`^(?:/usr/local|/host|/hostfs|/rootfs|/mnt(?:/[^/]+)?|/media/[^/]+|/proc/[^/]+(?:/task/[^/]+)?/root)+(/etc(?:/|$))`)

// certificateFile matches names of files that hold certificates.
var certificateFile = text.Lazy(`\.(?:pem|crt|cer|cert)$`)

// remove judges rm: only rotated logs.
func (j *judge) remove(c *invocation) error {
	return j.eachPlace(c.operands, func(p string) error {
		if !j.rotatedLog(p) || c.has("-r", "-R", "--recursive", "-d", "--dir") {
			return forbidden("removing %s is not granted: only rotated logs are removed, each by its name", quoted(p))
		}
		j.writes = append(j.writes, path.Dir(p))
		return nil
	})
}

// removeFound judges find -delete: rotated logs matching one -name, in directories without audit logs. -delete must come last; otherwise
// it would act before the tests that limit it.
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

// evidenceBelow reports whether a directory contains an audit log or cannot be searched completely.
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

// rotatedLog reports whether a path is a rotated log in one of the policy's log directories, and not an audit log.
func (j *judge) rotatedLog(p string) bool {
	return j.inLogs(p) && !evidence(p) && !j.secret(p) && slices.ContainsFunc(j.world.Policy.Rotated, func(pattern string) bool {
		ok, err := path.Match(pattern, path.Base(p))
		return ok && err == nil
	})
}

func (j *judge) inLogs(p string) bool {
	return !strings.ContainsAny(p, "*?[") && slices.ContainsFunc(j.world.Policy.Logs, func(dir string) bool { return below(p, dir) && p != dir })
}

// truncate judges truncate: it empties current logs of this machine. Links are refused, because whoever may write to a log directory
// chooses where a link in it leads.
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

// mode judges chmod: a literal mode that sets no set-id bit, gives others no write access, and removes no read or execute access.
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

// attributes judges files whose mode or owner is changed. fault returns the objection to one file, or ""; here is false for a file
// elsewhere.
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

// holdsSecrets reports whether a secret path may lie below a directory, according to the policy's patterns.
func (j *judge) holdsSecrets(dir string) bool {
	return dir == "/" || strings.HasSuffix(dir, "/etc") || below(j.world.StateDir, dir) || slices.ContainsFunc(j.world.Policy.Secrets, func(pattern string) bool {
		head, _, _ := strings.Cut(pattern, "*")
		return strings.HasPrefix(pattern, "/") && below(head, dir)
	})
}

// deploys reports whether a path is a deployment file, or a directory that contains one. Only people may change those.
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

// takesAway returns the objection to a numeric mode that removes read or execute access: a running program would fail without this being
// counted as an action. It also keeps set-id programs from being opened to others. Elsewhere, the file type is guessed from the name, and
// the file is assumed to be readable by all and, if it is a script, executable.
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

// keepsOwner returns the objection to a new owner for a directory, or for a file other than a log that only its owner and group can read:
// what uses it now would fail. Elsewhere, the file type is guessed from the name.
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

// escaped returns a path as a glob that matches only that path.
func escaped(p string) string {
	return strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`).Replace(p)
}

// scripts matches names of files that may be programs.
var scripts = text.Lazy(`\.(?:sh|py|rb|php|[jt]s|lua|exs?)$`)

// namesFile reports whether a path has a name that directories do not have.
func namesFile(p string) bool { return fileName(p) || certificateFile().MatchString(p) }

// fileName reports whether a path, or a glob, has a name that directories do not have.
func fileName(p string) bool {
	name := strings.NewReplacer("*", "0", "?", "0").Replace(path.Base(p))
	return endings().MatchString(name) || logs().MatchString(name)
}

// endings matches names that directories do not have.
var endings = text.Lazy(`^(?:\.?[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:ya?ml|json|toml|ini|conf|cfg|md|txt|xml|sh|py|go|[jt]s|css|html?|sql|j2|tpl|tf|hcl|service|timer|lua|rb|php|rs|java|vue|exs?|erb|template|tmpl|cs|kt|scss|lock)|Dockerfile|Makefile|Procfile|Gemfile|Caddyfile|Jenkinsfile)$`)

package guard

import (
	"cmp"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/internal/lazy"
)

// below reports whether a path is a directory or lies in it.
func below(p, dir string) bool {
	dir = strings.TrimSuffix(dir, "/")
	return dir != "" && (p == dir || strings.HasPrefix(p, dir+"/")) || dir == "" && path.IsAbs(p)
}

// fitsAny reports whether a path matches one of the policy's patterns.
func fitsAny(patterns []string, p string) bool {
	return slices.ContainsFunc(patterns, func(pattern string) bool { return policy.Matches(pattern, p) })
}

// machineRoot matches where containers that manage a machine have its root mounted.
var machineRoot = lazy.Regexp(`^/(?:host|hostfs|host_?root|rootfs|mnt/(?:host|root|rootfs))(/.+)$`)

// spellings returns a path together with the path it means inside the roots that /proc shows, inside a machine's root mounted in a
// container, and below /var/run.
func spellings(p string) []string {
	all := []string{p}
	for range 8 {
		parts := strings.Split(p, "/")
		switch rest := machineRoot().FindStringSubmatch(p); {
		case rest != nil:
			p = rest[1]
		case strings.HasPrefix(p, "/var/run/"):
			p = strings.TrimPrefix(p, "/var")
		case len(parts) > 4 && parts[1] == "proc" && parts[3] == "root":
			p = "/" + strings.Join(parts[4:], "/")
		case len(parts) > 6 && parts[1] == "proc" && parts[3] == "task" && parts[5] == "root":
			p = "/" + strings.Join(parts[6:], "/")
		default:
			return all
		}
		all = append(all, p)
	}
	return append(all, "/proc/self/environ") // more nesting than this is an attempt to hide something
}

// copied matches the suffixes of backup copies: the copy of a secret is a secret.
var copied = lazy.Regexp(`(?:~|\.(?:bak|backup|copy|old|orig|save|sw[a-p]|dpkg-[a-z]+|rpm[a-z]+|[0-9]+|new|gz|bz2|xz|zst)|-20[0-9]+|-wal)+$`)

// machineEtc matches the places where a machine's /etc may be mounted.
var machineEtc = lazy.Regexp(`^(?:/usr/local|/host|/hostfs|/rootfs|/mnt(?:/[^/]+)?|/media/[^/]+|/proc/[^/]+(?:/task/[^/]+)?/root)+(/etc(?:/|$))`)

// certificateFile matches names of files that hold certificates.
var certificateFile = lazy.Regexp(`\.(?:pem|crt|cer|cert)$`)

// fileName reports whether a path, or a glob, has a name that directories do not have.
func fileName(p string) bool {
	name := strings.NewReplacer("*", "0", "?", "0").Replace(path.Base(p))
	return endings().MatchString(name) || logs().MatchString(name)
}

// endings matches names that directories do not have.
var endings = lazy.Regexp(`^(?:\.?[A-Za-z0-9_][A-Za-z0-9_.-]*\.(?:ya?ml|json|toml|ini|conf|cfg|md|txt|xml|sh|py|go|[jt]s|css|html?|sql|j2|tpl|tf|hcl|` +
	`service|timer|lua|rb|php|rs|java|vue|exs?|erb|template|tmpl|cs|kt|scss|lock)|Dockerfile|Makefile|Procfile|Gemfile|Caddyfile|Jenkinsfile)$`)

// scheme reports whether a text may be a URL, or the name of a key store: it has a colon before its first slash.
func scheme(text string) bool {
	first, _, _ := strings.Cut(text, "/")
	return strings.Contains(first, ":")
}

// logs matches names that logs have and secrets do not. Elsewhere, where files cannot be inspected, only such names are read.
var logs = lazy.Regexp(`^[A-Za-z0-9_.*?-]*\.(?:log|err)(?:[.-][0-9?*]+)?(?:\.gz)?$`)

const (
	maxPath    = 1024 // bytes
	maxFolders = 40   // names in a path
)

// absolute returns a path relative to the working directory as an absolute one, without following links.
func (j *judge) absolute(p string) string {
	if path.IsAbs(p) {
		return path.Clean(p)
	}
	return path.Join(j.dir, p)
}

// places returns a path and, on this machine, what its links lead to. The last name need not exist.
func (j *judge) places(p string) ([]string, error) {
	if len(p) > maxPath || strings.Count(p, "/") > maxFolders {
		return nil, unknown("%s is too long for a path", quoted(p))
	}
	up := slices.Contains(strings.Split(p, "/"), "..")
	if j.place != "" {
		if up {
			return nil, unknown("where `%s` leads is not certain because of its `..`; write the whole path without it", p)
		}
		return []string{j.absolute(p)}, nil
	}
	whole := p // not cleaned: .. after a link leads elsewhere
	if !path.IsAbs(p) {
		whole = j.dir + "/" + p
	}
	real, err := j.resolve(whole)
	if i := strings.LastIndexByte(whole, '/'); err != nil && whole[i+1:] != ".." {
		var dir string
		if dir, err = j.resolve(cmp.Or(whole[:i], "/")); err == nil {
			real = path.Join(dir, whole[i+1:])
		}
	}
	switch {
	case err == nil:
		return []string{path.Clean(whole), real}, nil
	case up:
		return nil, unknown("where `%s` leads is not certain because of its `..`; write the whole path without it", p)
	}
	return []string{path.Clean(whole)}, nil
}

// eachPlace applies judge to all places of some paths.
func (j *judge) eachPlace(paths []string, judge func(p string) error) error {
	for _, p := range paths {
		places, err := j.places(p)
		if err != nil {
			return err
		}
		for _, at := range places {
			if err := judge(at); err != nil {
				return err
			}
		}
	}
	return nil
}

func (j *judge) resolve(p string) (string, error) {
	if j.world.Resolve != nil {
		return j.world.Resolve(p)
	}
	return filepath.EvalSymlinks(p)
}

// reads judges a file whose content a command shows.
func (j *judge) reads(p string) error {
	if p == "-" || p == "/dev/stdin" || p == "/dev/null" {
		return nil
	}
	if scheme(p) || strings.HasPrefix(p, "@") { // a URL, and for some programs a list of files
		return unknown("%s is no plain path", quoted(p))
	}
	return j.eachPlace([]string{p}, func(at string) error {
		switch {
		case slices.Contains([]string{"/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}, at):
			return unknown("`%s` has no end", at)
		case j.secret(at):
			return forbidden("`%s` may hold secrets; ask the program itself for its configuration and its state", at)
		}
		return nil
	})
}

// secret reports whether a path is, by its name, one that no agent may read.
func (j *judge) secret(p string) bool {
	for _, candidate := range append(spellings(p), copied().ReplaceAllString(p, "")) {
		if j.isSession(candidate) || hiddenName(candidate, j.world) || j.closed(candidate) || slices.ContainsFunc(j.world.Policy.Secrets, func(pattern string) bool {
			return policy.Matches(pattern, candidate) && !j.lifted(pattern, candidate)
		}) {
			return true
		}
	}
	return false
}

// lifted reports whether a path that matches a pattern of secrets is none: a certificate without its key, a committed file, or a
// configuration file that is judged by its content.
func (j *judge) lifted(pattern, p string) bool {
	switch pattern {
	case "**/*.pem":
		return certificate().MatchString(path.Base(p)) || below(p, "/etc/letsencrypt") && strings.HasPrefix(path.Base(p), "cert")
	case "**/*.sql":
		return j.committable(p)
	}
	return j.place == "" && slices.Contains(j.world.Policy.Looked, pattern)
}

// closed reports whether a path lies in an /etc and the policy does not open it.
func (j *judge) closed(p string) bool {
	if !strings.Contains(p, "/etc/") && !strings.HasSuffix(p, "/etc") || j.committable(p) {
		return false
	}
	name := machineEtc().ReplaceAllString(p, "$1")
	if fitsAny(j.world.Policy.Etc, p) || fitsAny(j.world.Policy.Etc, name) {
		return false
	}
	return j.place != "" && name != p && !strings.HasPrefix(p, "/usr/local/etc/") || !fitsAny(j.world.Policy.Looked, p) && !fitsAny(j.world.Policy.Looked, name)
}

// hiddenName reports whether a name in a path is hidden: such names usually hold secrets. The path above the repositories does not count.
func hiddenName(p string, w World) bool {
	if w.ReposDir != "" && below(p, w.ReposDir) {
		p = strings.TrimPrefix(p, w.ReposDir)
	}
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return strings.HasPrefix(name, ".") && name != "." && !slices.Contains([]string{".git", ".github", ".gitlab-ci.yml", ".gitignore", ".gitattributes", ".gitkeep", ".keep",
			".dockerignore", ".editorconfig", ".helmignore", ".htaccess", ".well-known", ".nvmrc", ".tool-versions"}, name) && !(name == ".pm2" && strings.Contains(p, "/.pm2/logs/"))
	})
}

var certificate = lazy.Regexp(`^(?:[a-z0-9.-]*[.-])?(?:(?:full)?chain|ca|cacert|crl|ca-bundle)[0-9]*\.pem$`)

// isSession reports whether a path belongs to this program: the session's directory, records, logs, settings.
func (j *judge) isSession(p string) bool {
	return slices.ContainsFunc([]string{j.world.StateDir, j.world.ResultsDir, j.world.Scratch, j.world.Home, "/etc/claudeops"}, func(dir string) bool { return dir != "" && below(p, dir) })
}

// agentWrites reports whether an agent, or any user, could have written a path. Such a file is never used as configuration.
func (j *judge) agentWrites(p string) bool {
	for _, dir := range []string{"/var/log", "/tmp", "/var/tmp", "/dev", "/proc", "/run/user"} { // logs hold text from requests
		trusted := below(j.world.ReposDir, dir) && below(p, j.world.ReposDir) // the operator keeps the repositories in such a directory
		if below(p, dir) && !trusted {
			return true
		}
	}
	return j.isSession(p) && !below(p, "/etc/claudeops")
}

// committable reports whether a path lies in a repository, so that anyone who may commit could have put it there.
func (j *judge) committable(p string) bool {
	if p == j.world.ReposDir {
		_, err := os.Stat(path.Join(p, ".git"))
		return j.place == "" && err == nil
	}
	return j.place == "" && j.world.ReposDir != "" && below(p, j.world.ReposDir)
}

// configures judges a file or directory that a program reads as configuration, manifest, playbook or script (code), as credentials
// (credential), or as settings by which it could run programs. Tier 1 may use such settings only if they do not come from a repository.
// An Ansible inventory (hosts) is read, but executed if it is executable.
func (j *judge) configures(c *invocation, p, typ string) error {
	const advice = "; only files that an agent cannot write are taken as configuration, by their literal path"
	if p == "-" || p == "" || strings.Contains(p, ",") || strings.Contains(p, "::") || strings.Contains(p, "@") || strings.Contains(p, "//") ||
		strings.HasSuffix(p, ".git") || strings.HasPrefix(p, "github.com/") {
		return unknown("`%s` is no file of the repositories%s", p, advice)
	}
	places, err := j.places(p)
	if err != nil {
		return err
	}
	for _, at := range places {
		switch {
		case j.place == "" && j.agentWrites(at):
			return unknown("an agent could have written `%s`%s", at, advice)
		case typ == "settings" && j.world.Tier == 1 && j.committable(at):
			return unknown("`%s` is a repository's, and by its settings `%s` could run programs, which Tier 1 does not; leave it out, or call it from another folder", at, c.name)
		case typ == "hosts" && (!j.committable(at) || j.executable(at)):
			return unknown("`%s` is no plain file of the repositories: an inventory that is executable is run", at)
		case j.machineSecret(at) || (typ == "code" || typ == "hosts") && j.place == "" && j.secret(at):
			return forbidden("`%s` may hold secrets, which a program shows where it cannot read them", at)
		}
	}
	if _, err := j.resolve(places[len(places)-1]); err != nil && j.place == "" {
		return unknown("there is no `%s`%s", places[0], advice)
	}
	return nil
}

// executable reports whether a path is a program, or is not a regular file.
func (j *judge) executable(p string) bool {
	info, err := os.Stat(p)
	return err == nil && (!info.Mode().IsRegular() || info.Mode()&0o111 != 0)
}

// machineSecret reports whether a path is a secret of the machine or the session by its location. Names do not count here, because
// programs legitimately read configuration such as .env and kubeconfig.
func (j *judge) machineSecret(p string) bool {
	return j.isSession(p) || j.closed(p) || slices.ContainsFunc(j.world.Policy.Secrets, func(pattern string) bool { return strings.HasPrefix(pattern, "/") && policy.Matches(pattern, p) })
}

// writesTo judges a file that a program would write: only the session's scratch directory is allowed.
func (j *judge) writesTo(p string) error {
	if p == "-" || p == "/dev/null" || p == "/dev/stdout" || p == "/dev/stderr" {
		return nil
	}
	places, err := j.places(p)
	if err != nil {
		return err
	}
	if j.place != "" || j.world.Scratch == "" || slices.ContainsFunc(places, func(at string) bool { return !below(at, j.world.Scratch) }) {
		return unknown("writing `%s` is not granted; write below $TMPDIR", p)
	}
	j.writes = append(j.writes, j.world.Scratch)
	return nil
}

package guard

import (
	"bytes"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/claudeops/claudeops/internal/statedir"
)

// secret reports whether a path is one that no agent reads.
func (k *walker) secret(p string) bool { return k.named(p, k.closed) || k.tells(p) }

// secretFolder reports whether a folder is one of which no agent reads anything; single files in it are judged for themselves.
func (k *walker) secretFolder(p string) bool { return k.named(p, k.shut) || k.tells(p) }

// named reports whether a path is secret by its name, or as a function says that judges those of /etc.
func (k *walker) named(p string, closed func(string) bool) bool {
	for _, candidate := range append(spellings(p), copied().ReplaceAllString(p, "")) {
		if slices.Contains([]string{"/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/fd/0", "/dev/fd/1", "/dev/fd/2", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}, candidate) {
			continue
		}
		if k.workspaceSecret(candidate) || k.hidden(candidate) || closed(candidate) || strings.HasPrefix(candidate, path.Join(k.world.StateDir, "claudeops.db")) {
			return true
		}
		if slices.ContainsFunc(k.world.Environ, func(e string) bool { return namesSecret(e, candidate) }) {
			return true
		}
		for _, pattern := range k.world.Policy.Secrets {
			if matches(pattern, candidate) && !k.lifted(pattern, candidate) {
				return true
			}
		}
	}
	return false
}

// lifted reports whether a path is no secret although it fits a pattern: one of git's own files that holds no credentials, one of
// certificates alone, what is committed, or what was looked into.
func (k *walker) lifted(pattern, p string) bool {
	switch pattern {
	case "**/*.pem":
		return certificate().MatchString(path.Base(p)) || below(p, "/etc/letsencrypt") && strings.HasPrefix(path.Base(p), "cert") || below(p, "/etc/ssl/certs") && k.certificateOnly(p)
	case "**/*.sql":
		return k.committable(p) || k.scratch(p)
	}
	if slices.Contains(k.world.Policy.Looked, pattern) {
		return k.here() && !k.tells(p)
	}
	return (strings.HasPrefix(pattern, "**/.git/") || pattern == "**/.gitmodules") && k.tellsNothing(p)
}

// certificateOnly reports whether a file is there and holds no key beside its certificates.
func (k *walker) certificateOnly(p string) bool {
	switch {
	case k.away:
		return false
	case k.world.Hypothetical:
		return true
	}
	real, err := filepath.EvalSymlinks(p)
	if err != nil {
		return false
	}
	text, err := statedir.ReadFile(real, mostCertificates)
	return err == nil && !bytes.Contains(text, []byte("PRIVATE KEY"))
}

// mostCertificates is how large a file of certificates may be that is looked into, in bytes: all that a machine trusts have a quarter of it.
const mostCertificates = 1 << 20

// closed reports whether a path, or a pattern of paths, is one of an /etc that the policy does not open.
func (k *walker) closed(p string) bool {
	if !k.ofEtc(p) || k.opened(p) {
		return false
	}
	info, err := os.Stat(p)
	return !k.here() || err != nil || !info.IsDir() || !k.opensBelow(p)
}

// shut reports whether nothing that could lie below a path, or at it, is opened by the policy. Where nobody can look, what has the name of
// a file counts as one.
func (k *walker) shut(p string) bool {
	return k.ofEtc(p) && !k.opened(p) && (!k.here() && fileName(p) || !k.opensBelow(p))
}

// ofEtc reports whether a path lies in an /etc that only people write.
func (k *walker) ofEtc(p string) bool {
	return (strings.Contains(p, "/etc/") || strings.HasSuffix(p, "/etc")) && !k.committable(p) && !k.operatorWrite(p)
}

// opened reports whether the policy opens a path of /etc: one of this machine, of a container, or of another machine's disk. What other
// programs call their etc is none. A disk that somebody else has is not looked into: of it nothing is opened that a look would open here.
func (k *walker) opened(p string) bool {
	name := machineEtc().ReplaceAllString(p, "$1")
	if fitsAny(k.world.Policy.Etc, p) || fitsAny(k.world.Policy.Etc, name) {
		return true
	}
	if k.away && name != p && !strings.HasPrefix(p, "/usr/local/etc/") {
		return false
	}
	return fitsAny(k.world.Policy.Looked, p) || fitsAny(k.world.Policy.Looked, name)
}

// opensBelow reports whether the policy opens something below a folder, beside names that it opens in any.
func (k *walker) opensBelow(p string) bool {
	dir := path.Join(machineEtc().ReplaceAllString(p, "$1"), "**")
	opens := func(pattern string) bool {
		return strings.HasPrefix(pattern, "/") && !strings.HasPrefix(pattern, "/etc/**") && overlaps(pattern, dir)
	}
	return slices.ContainsFunc(k.world.Policy.Etc, opens) || slices.ContainsFunc(k.world.Policy.Looked, opens)
}

// hidden reports whether a name in a path, or in a pattern of paths, is hidden: people keep what is secret there, and little else. What
// lies around the repositories and the program's own folders counts for nothing.
func (k *walker) hidden(p string) bool {
	for _, dir := range []string{k.world.ReposDir, k.world.StateDir, k.world.ResultsDir} {
		if dir != "" && below(p, dir) {
			p = strings.TrimPrefix(p, dir)
		}
	}
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool {
		return strings.HasPrefix(name, ".") && name != "." && !slices.Contains([]string{".git", ".github", ".gitlab-ci.yml", ".gitignore", ".gitattributes", ".gitmodules", ".gitkeep", ".keep", ".placeholder",
			".dockerignore", ".editorconfig", ".helmignore", ".htaccess", ".well-known", ".nvmrc", ".tool-versions"}, name) && !(name == ".pm2" && strings.Contains(p, "/.pm2/logs/"))
	})
}

// namesSecret reports whether an entry of the environment says that a file holds a secret: CLAUDEOPS_DASHBOARD_TOKEN_FILE=/srv/token.
func namesSecret(entry, p string) bool {
	name, file, _ := strings.Cut(entry, "=")
	of, isFile := strings.CutSuffix(name, "_FILE")
	return isFile && secretName(of) && path.IsAbs(file) && path.Clean(file) == p
}

// credentials are what stands in git's own files where an address holds a token.
var credentials = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`(?i)://[^/\s]*@|header|password|token|oauth|insteadof|\[include`)
})

// plainConfig is a configuration of git with nothing in it but where repositories lie, and who commits.
var plainConfig = sync.OnceValue(func() *regexp.Regexp {
	const (
		section = `\[(?:core|user|pull|push|fetch|init|gc|merge|rebase|remote "[A-Za-z0-9_./-]+"|branch "[^"\\\n]+"|submodule "[A-Za-z0-9_./ -]+")\]`
		key     = `(?i:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|sharedrepository|worktree|fetch|url|remote|merge|rebase|name|email|active|ff|auto|default|defaultbranch|prune|tagopt|autocrlf)`
	)
	return regexp.MustCompile(`^(?:[ \t]*(?:` + section + `|` + key + `[ \t]*=[^\n]*)?[ \t]*(?:\r?\n|$))*$`)
})

// tellsNothing reports whether one of git's own files is there and holds no credentials.
func (k *walker) tellsNothing(p string) bool {
	if k.world.Hypothetical || k.away {
		return false
	}
	text, err := os.ReadFile(p)
	return err == nil && !credentials().Match(text) && (!strings.HasPrefix(path.Base(p), "config") || plainConfig().Match(text))
}

// machineSecret reports whether a path is a secret of the machine or the session: one by its place, not by its name, as those are that
// programs take for configuration (.env, kubeconfig).
func (k *walker) machineSecret(p string) bool {
	return k.workspaceSecret(p) || k.closed(p) || slices.ContainsFunc(k.world.Policy.Secrets, func(pattern string) bool { return strings.HasPrefix(pattern, "/") && matches(pattern, p) })
}

// session is the folder of the agent's session; empty where the scratch is none of a session.
func (k *walker) session() string {
	if dir := path.Dir(k.world.Scratch); below(dir, path.Join(k.world.StateDir, "run")) {
		return dir
	}
	return ""
}

// workspaceSecret reports whether a path is one of the session's own secrets: all of its folder but the scratch.
func (k *walker) workspaceSecret(p string) bool {
	dir := k.session()
	return dir != "" && p != dir && below(p, dir) && !k.scratch(p)
}

// holdsSecrets reports whether a secret path lies below a folder, as far as the policy's patterns alone say.
func (k *walker) holdsSecrets(dir string) bool {
	if session := k.session(); session != "" && below(session, dir) || strings.HasSuffix(dir, "/etc") && !k.committable(dir) {
		return true
	}
	for _, pattern := range k.world.Policy.Secrets {
		if strings.HasPrefix(pattern, "/") && overlaps(pattern, path.Join(dir, "**")) {
			return true
		}
	}
	return dir == "/"
}

// secretPattern reports whether a pattern of file names could mean a secret path.
func (k *walker) secretPattern(pattern string) bool {
	if dir := k.session(); dir != "" && !strings.HasPrefix(pattern, k.world.Scratch+"/") && (overlaps(dir+"/*", pattern) || overlaps(dir+"/*/**", pattern)) {
		return true
	}
	if k.hidden(pattern) || k.closed(pattern) {
		return true
	}
	for _, secret := range k.world.Policy.Secrets {
		name, anywhere := strings.CutPrefix(secret, "**/")
		switch {
		case anywhere && !strings.Contains(name, "/"):
			if !k.lifted(secret, pattern) && aims(strings.ToLower(path.Base(pattern)), strings.ToLower(name)) {
				return true
			}
		case anywhere && strings.Contains(pattern, "**"): // find goes through every folder: whether one of them is secret is looked up
		case k.here() && slices.Contains(k.world.Policy.Looked, secret): // each file is looked into
		case anywhere && overlaps(secret, narrow(pattern)):
			return true
		case !anywhere && overlaps(secret, pattern):
			return true
		}
	}
	return false
}

// narrow is a pattern without those of its names that are as wide as any: whether such a folder is a secret one is looked up.
func narrow(pattern string) string {
	names := strings.Split(pattern, "/")
	for i, name := range names {
		if name == "*" {
			names[i] = "\x00"
		}
	}
	return strings.Join(names, "/")
}

// aims reports whether a pattern of names is made for a secret name that may stand in any folder. Whether a pattern as wide as * or
// *.yml means one in this folder is looked up instead.
func aims(pattern, secret string) bool {
	if tail := pattern[1:]; pattern[0] == '*' && !strings.ContainsAny(tail, "*?[@!+(\\") {
		end, wide := strings.CutPrefix(secret, "*")
		return wide && !strings.Contains(end, "*") && end != "" && strings.HasSuffix(tail, end)
	}
	return overlapNames(secret, pattern) && fits(pattern, strings.ReplaceAll(secret, "*", ""))
}

// overlaps reports whether two patterns could mean the same path. It errs on the side of yes.
func overlaps(secret, pattern string) bool {
	if strings.Count(pattern, "**") > 3 {
		return true
	}
	return overlapParts(strings.Split(strings.TrimPrefix(secret, "/"), "/"), strings.Split(strings.TrimPrefix(pattern, "/"), "/"))
}

func overlapParts(a, b []string) bool {
	switch {
	case len(a) == 0 && len(b) == 0:
		return true
	case len(a) > 0 && a[0] == "**":
		return overlapAny(a[1:], b)
	case len(b) > 0 && b[0] == "**":
		return overlapAny(b[1:], a)
	case len(a) == 0 || len(b) == 0:
		return false
	}
	return overlapNames(strings.ToLower(a[0]), strings.ToLower(b[0])) && overlapParts(a[1:], b[1:])
}

// overlapAny compares what follows ** with every end of the other pattern.
func overlapAny(rest, other []string) bool {
	for i := range len(other) + 1 {
		if overlapParts(rest, other[i:]) {
			return true
		}
	}
	return false
}

// overlapNames compares two patterns within one name, by what stands before their first and behind their last special character.
func overlapNames(a, b string) bool {
	const special = "*?[@!+(\\"
	headA, tailA, wildA := ends(a, special)
	headB, tailB, wildB := ends(b, special)
	switch {
	case !wildA && !wildB:
		return a == b
	case !wildA:
		return strings.HasPrefix(a, headB) && strings.HasSuffix(a, tailB) && (headB != "" || a == "" || a[0] != '.') && fits(b, a)
	case !wildB:
		return strings.HasPrefix(b, headA) && strings.HasSuffix(b, tailA) && fits(a, b)
	}
	return (strings.HasPrefix(headA, headB) || strings.HasPrefix(headB, headA)) && (strings.HasSuffix(tailA, tailB) || strings.HasSuffix(tailB, tailA)) &&
		(headB != "" || headA == "" || headA[0] != '.')
}

// fits reports whether a name fits a pattern; one that cannot be read fits.
func fits(pattern, name string) bool {
	if strings.ContainsAny(pattern, "(\\") {
		return true
	}
	ok, err := path.Match(strings.ReplaceAll(pattern, "[!", "[^"), name)
	return ok || err != nil
}

// ends are the literal beginning and end of a pattern.
func ends(pattern, special string) (head, tail string, wild bool) {
	first := strings.IndexAny(pattern, special)
	if first < 0 {
		return pattern, pattern, false
	}
	last := strings.LastIndexAny(pattern, special+"])")
	return pattern[:first], pattern[last+1:], true
}

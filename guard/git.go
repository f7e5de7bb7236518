package guard

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What git shows of files that were committed is judged by their paths, as what cat shows is: those behind two dashes, or behind the
// colon of REVISION:PATH. Whole commits show only which files they changed. Of what a file held once nothing is looked into: what is there
// now says nothing of it.

const gitAdvice = "committed files may hold secrets: keep to --stat, --name-only or --name-status, or name single files behind two dashes (git log -p -- FILE), or one by REVISION:FILE"

// commits are revisions that mean nothing but commits. An object's number, a tag or a tree may be, or hold, a secret file.
var commits = sync.OnceValue(func() *regexp.Regexp {
	const one = `(?:(?:HEAD|@|[A-Za-z0-9][A-Za-z0-9_./-]*(?:@\{[^}]*\})?~[0-9]+)(?:[~^][0-9]*|@\{[^}]*\})*)`
	return regexp.MustCompile(`^\^?` + one + `?(?:\.\.\.?` + one + `?)?$`)
})

// fileOf is a file in a commit: what stands before the colon is none but a commit by its very form, no time and no words of a message.
var fileOf = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(?:HEAD|@|[A-Za-z0-9][A-Za-z0-9_/-]*(?:\.[A-Za-z0-9_/-]+)*~[0-9]+)(?:~[0-9]*|\^[0-9]*)*:[^:]+$`)
})

// git judges a use of git that may show what files hold.
func (k *walker) git(u *use) {
	paths := u.operands[len(u.operands)-u.after:]
	revisions := u.operands[:len(u.operands)-len(paths)]
	for i, w := range u.operands {
		if harmless := i >= len(revisions) && !u.showsContent(); !harmless && (!w.known || strings.HasPrefix(w.text, ":(") || strings.HasPrefix(w.text, ":!") ||
			strings.HasPrefix(w.text, ":^") || strings.HasPrefix(w.text, ":/") || strings.ContainsAny(w.text, "*?[\\")) {
			k.deny(u, Unknown, "the argument "+quoted(w.String())+" is a pattern of paths; name revisions and files plainly")
			return
		}
	}
	for _, w := range u.operands {
		for _, i := range []int{strings.IndexByte(w.text, ':'), strings.LastIndexByte(w.text, ':')} {
			if i >= 0 && !k.committed(u, w.text[i+1:], true) {
				return
			}
		}
	}
	switch u.name {
	case "git blame", "git annotate":
		for _, w := range u.operands {
			if !k.committed(u, w.text, true) {
				return
			}
		}
	case "git show":
		k.shown(u, revisions, paths)
	default:
		if u.showsContent() {
			k.compared(u, revisions, paths)
		}
	}
}

// shown judges objects that are shown: files by REVISION:FILE, and otherwise what is a commit for certain, whose files stay away.
func (k *walker) shown(u *use, revisions, paths []word) {
	files := len(revisions) > 0 && len(paths) == 0 && !slices.ContainsFunc(revisions, func(w word) bool { return !fileOf().MatchString(w.text) })
	switch {
	case files:
	case u.showsContent():
		k.deny(u, Unknown, "files are shown by REVISION:FILE, where the revision is a commit by its form: HEAD:FILE, HEAD~2:FILE, NAME~0:FILE; a commit shows with --stat")
	default:
		k.onlyCommits(u, revisions)
	}
}

func (k *walker) onlyCommits(u *use, revisions []word) {
	for _, w := range revisions {
		if !commits().MatchString(w.text) {
			k.deny(u, Unknown, quoted(w.text)+" may be another object than a commit; HEAD, HEAD~2 and NAME~0 are commits for certain")
			return
		}
	}
}

// compared judges what git shows of changes, and of what it searches: single files, between commits.
func (k *walker) compared(u *use, revisions, paths []word) {
	if u.name == "git grep" && !u.effect("first") {
		revisions = revisions[min(1, len(revisions)):] // behind what it looks for
	}
	k.onlyCommits(u, revisions)
	switch {
	case u.failed:
	case u.has("--follow"):
		k.deny(u, Unknown, "a file may have been a secret one under another name; leave --follow out")
	case len(paths) == 0:
		k.deny(u, Unknown, gitAdvice)
	case u.name == "git diff" && len(revisions) == 0 && len(paths) > 1:
		k.deny(u, Unknown, "of two paths git may compare the files themselves, wherever they lie; name one")
	}
	for _, w := range paths {
		if u.failed || !k.committed(u, w.text, false) {
			return
		}
	}
}

// standing are the folders in which git may be told to look: the shell's, or where -C leads from there.
func (k *walker) standing(u *use) []string {
	dirs := slices.Clone(k.cwds)
	for _, g := range u.given {
		if !slices.Contains(g.option.names, "-C") || len(g.values) == 0 {
			continue
		}
		for i, dir := range dirs {
			if to := g.values[0].text; path.IsAbs(to) {
				dirs[i] = path.Clean(to)
			} else {
				dirs[i] = path.Join(dir, to)
			}
		}
	}
	return dirs
}

// repository judges where git finds its repository, whose configuration names programs that it runs: a .git, which nobody can commit,
// and no folder that only looks like one, which everybody can.
func (k *walker) repository(u *use) {
	if u.f.place != "" {
		k.deny(u, Unknown, "repositories are looked at on this machine only, where their folders can be seen")
		return
	}
	if slices.ContainsFunc(u.words, func(w word) bool { return strings.Contains(strings.ToLower(w.text), "@{p") }) {
		k.deny(u, Unknown, "where it is pushed to may be an address with a token, which git would tell")
		return
	}
	if k.world.Hypothetical {
		return
	}
	for _, dir := range k.resolved(k.standing(u), u.f) {
		for top := dir; ; top = path.Dir(top) {
			if _, err := os.Stat(path.Join(top, "HEAD")); err == nil && path.Base(top) != ".git" {
				k.deny(u, Unknown, quoted(top)+" looks like a repository without being a .git: its configuration could run programs")
				return
			}
			config, found, plain := repositoryAt(path.Join(top, ".git"))
			switch {
			case found && !plain:
				k.deny(u, Unknown, "the configuration of "+quoted(path.Join(top, ".git"))+" is that of other files, which could run programs")
				return
			case found && converts(config) && (u.showsContent() || u.name == "git blame" || u.name == "git annotate") && !(u.has("--no-ext-diff") && u.has("--no-textconv")):
				k.deny(u, Unknown, "its configuration names programs for differences; add --no-ext-diff --no-textconv")
				return
			}
			if found {
				break
			}
			if top == "/" || top == "." {
				if u.showsContent() { // outside of a repository git compares any two files
					k.deny(u, Unknown, quoted(dir)+" lies in no repository")
				}
				break
			}
		}
	}
}

// repositoryAt is the configuration of the repository at a path, if there is one, and whether all that configures it lies in a .git.
func repositoryAt(at string) (config string, found, plain bool) {
	info, err := os.Lstat(at)
	if err != nil {
		return "", false, false
	}
	if !info.IsDir() { // of a submodule or a further work tree
		text, err := os.ReadFile(at)
		target, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "gitdir: ")
		if err != nil || !strings.Contains("/"+target, "/.git/") {
			return "", true, false
		}
		if at = path.Join(path.Dir(at), target); path.IsAbs(target) {
			at = path.Clean(target)
		}
		if i := strings.LastIndex(at, "/.git/worktrees/"); i >= 0 { // which share one
			at = at[:i+len("/.git")]
		}
	}
	text, err := os.ReadFile(path.Join(at, "config"))
	config = strings.ToLower(string(text))
	return config, true, (err == nil || os.IsNotExist(err)) && !strings.Contains(config, "[include")
}

// converts reports whether a configuration names programs that show differences, or make text of what is compared.
func converts(config string) bool {
	return strings.Contains(config, "[diff") && (strings.Contains(config, "textconv") || strings.Contains(config, "external") || strings.Contains(config, "command"))
}

// showsContent reports whether a use of git shows what files hold or held.
func (u *use) showsContent() bool {
	content := u.has("-p", "-u", "--patch", "-U", "--unified", "-c", "--cc", "-m", "--patch-with-raw", "--patch-with-stat", "--binary", "-W", "--function-context", "--word-diff",
		"--word-diff-regex", "--color-words", "--remerge-diff", "--diff-merges", "--check", "-S", "-G", "-I", "--ignore-matching-lines", "--find-object", "--inter-hunk-context", "--full-index", "--text", "-a", "--submodule")
	switch u.name {
	case "git show", "git diff", "git range-diff":
		kept := u.has("--stat", "--numstat", "--shortstat", "--dirstat", "--summary", "--name-only", "--name-status", "--raw", "-s", "--no-patch", "--compact-summary", "--quiet", "-q")
		return content || !kept
	case "git grep":
		return true
	case "git blame", "git annotate":
		return false
	}
	return content
}

// committed judges a path within a repository. Which folder is its top is not known: any above the present one could be.
func (k *walker) committed(u *use, p string, single bool) bool {
	if len(k.cwds) == 0 {
		k.deny(u, Unknown, "in which repository this runs is only known when it runs; use git -C FOLDER")
		return false
	}
	dirs := k.standing(u)
	for _, dir := range dirs {
		for top := dir; ; top = path.Dir(top) {
			full := path.Join(top, p)
			if path.IsAbs(p) {
				full = path.Clean(p)
			}
			if k.formerlySecret(full) || k.formerlySecret(path.Join(full, "x")) {
				k.deny(u, Forbidden, quoted(p)+" may hold secrets, or may have held them in an earlier commit, into which nobody looks; read the file that is there now (cat, grep), and see with --stat when it changed")
				return false
			}
			if top == "/" || top == "." {
				break
			}
		}
		if !single && !k.plainFile(u, dir, p) {
			k.deny(u, Unknown, quoted(p)+" may be, or may have been, a folder, or leads elsewhere; "+gitAdvice)
			return false
		}
	}
	return true
}

// formerlySecret reports whether a path is a secret one where nobody can look into it, as into what a commit holds.
func (k *walker) formerlySecret(p string) bool {
	away := k.away
	k.away = true
	defer func() { k.away = away }()
	return k.secret(p) || slices.ContainsFunc(meanings(p), func(name string) bool { return fitsAny(k.world.Policy.Looked, name) })
}

// plainFile reports whether a path leads to a file within the repository, which has been none but a file: a folder's name would mean all
// that it ever held.
func (k *walker) plainFile(u *use, dir, p string) bool {
	if path.IsAbs(p) || climbs(p) || strings.Contains(p, "//") || !endings().MatchString(path.Base(p)) {
		return false
	}
	if k.world.Hypothetical || u.f.place != "" {
		return true
	}
	real, err := filepath.EvalSymlinks(dir)
	to, failed := filepath.EvalSymlinks(path.Join(dir, p))
	info, missing := os.Lstat(to)
	return err == nil && failed == nil && to == path.Join(real, p) && missing == nil && info.Mode().IsRegular()
}

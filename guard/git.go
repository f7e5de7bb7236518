package guard

import (
	"os"
	"path"
	"regexp"
	"slices"
	"strings"
	"sync"
)

// What git shows of files that were committed is judged by their paths, as what cat shows is: those behind two dashes, or behind the
// colon of REVISION:PATH. Whole commits show only which files they changed.

const gitAdvice = "committed files may hold secrets: keep to --stat, --name-only or --name-status, or name single files behind two dashes (git log -p -- FILE), or one by REVISION:FILE"

// objects are words that may mean any object, not a commit alone.
var objects = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^[0-9a-fA-F]{4,}(\^\{.*)?$|-g[0-9a-fA-F]{4,}|\^\{(blob|object)?\}`)
})

// git judges a use of git that may show what files hold.
func (k *walker) git(u *use) {
	paths := u.operands[len(u.operands)-u.after:]
	for i, w := range u.operands {
		if harmless := i >= len(u.operands)-u.after && !u.showsContent(); !harmless && (!w.known || strings.HasPrefix(w.text, ":(") || strings.HasPrefix(w.text, ":!") ||
			strings.HasPrefix(w.text, ":^") || strings.HasPrefix(w.text, ":/") || strings.ContainsAny(w.text, "*?[\\")) {
			k.deny(u, Unknown, "the argument "+quoted(w.String())+" is a pattern of paths; name revisions and files plainly")
			return
		}
	}
	revisions := u.operands[:len(u.operands)-len(paths)]
	for _, w := range u.operands {
		for _, i := range []int{strings.IndexByte(w.text, ':'), strings.LastIndexByte(w.text, ':')} {
			if i >= 0 && !k.committed(u, w.text[i+1:], true) {
				return
			}
		}
	}
	switch {
	case u.name == "git blame" || u.name == "git annotate":
		for _, w := range u.operands {
			if !k.committed(u, w.text, true) {
				return
			}
		}
		return
	case u.name == "git cat-file" && u.has("-p"), u.name == "git show", u.name == "git grep", u.name == "git diff" && u.showsContent():
		plain := slices.ContainsFunc(revisions, func(w word) bool { return !strings.Contains(w.text, ":") })
		if slices.ContainsFunc(revisions, func(w word) bool { return objects().MatchString(w.text) }) {
			k.deny(u, Unknown, "an object's number may be that of a secret file; a commit shows with git log -1 --stat NUMBER, and is NUMBER~0 elsewhere")
			return
		}
		if u.name == "git grep" || u.name == "git diff" {
			break
		}
		if !plain && len(revisions) > 0 { // REVISION:PATH was judged
			return
		}
		if u.name == "git cat-file" {
			k.deny(u, Unknown, "`-p` shows files by REVISION:FILE only")
			return
		}
	}
	if !u.showsContent() {
		return
	}
	if u.has("--follow") {
		k.deny(u, Unknown, "a file may have been a secret one under another name; leave --follow out")
		return
	}
	if len(paths) == 0 {
		k.deny(u, Unknown, gitAdvice)
		return
	}
	for _, w := range paths {
		if !k.committed(u, w.text, false) {
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
			if found || top == "/" || top == "." {
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
		"--word-diff-regex", "--color-words", "--remerge-diff", "--diff-merges", "--check", "-S", "-G", "--find-object", "--inter-hunk-context", "--full-index", "--text", "-a", "--submodule")
	switch u.name {
	case "git show", "git diff", "git range-diff":
		kept := u.has("--stat", "--numstat", "--shortstat", "--dirstat", "--summary", "--name-only", "--name-status", "--raw", "-s", "--no-patch", "--compact-summary", "--quiet", "-q")
		return content || !kept
	case "git grep":
		return true
	case "git blame", "git annotate", "git cat-file":
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
			if k.secret(full) || k.secret(path.Join(full, "x")) {
				k.deny(u, Forbidden, quoted(p)+" may hold secrets")
				return false
			}
			if top == "/" || top == "." {
				break
			}
		}
		if single {
			continue
		}
		info, err := os.Stat(path.Join(dir, p))
		looked := !k.world.Hypothetical && u.f.place == ""
		if looked && (err != nil || !info.Mode().IsRegular()) || !looked && strings.TrimPrefix(path.Ext(path.Base(p)), ".") == "" || strings.HasSuffix(p, "/") || strings.HasPrefix(path.Base(p), ".") {
			k.deny(u, Unknown, quoted(p)+" may be, or may have been, a folder; "+gitAdvice)
			return false
		}
	}
	return true
}

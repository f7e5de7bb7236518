package guard

import (
	"io/fs"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// findTests are the tests and options of find that take no word and one word.
var (
	findFlags = []string{
		"-empty", "-mount", "-xdev", "-depth", "-d", "-follow", "-daystart", "-prune", "-print", "-print0", "-ls", "-quit", "-true", "-false", "-readable",
		"-writable", "-executable", "-nouser", "-nogroup", "-warn", "-nowarn", "-noleaf", "-ignore_readdir_race", "-noignore_readdir_race",
		"!", "-not", "-a", "-and", "-o", "-or", "(", ")", ",",
	}
	findValues = []string{
		"-name", "-iname", "-path", "-ipath", "-wholename", "-iwholename", "-regex", "-iregex", "-regextype", "-type", "-xtype", "-size", "-mtime", "-mmin", "-atime",
		"-amin", "-ctime", "-cmin", "-newer", "-anewer", "-cnewer", "-perm", "-user", "-group", "-uid", "-gid", "-maxdepth", "-mindepth", "-inum", "-links",
		"-samefile", "-fstype", "-printf", "-lname", "-ilname", "-used",
	}
)

// search judges find: what it looks for is free, what it does with what it finds is judged like any command.
func (k *walker) search(words []word, f flow) output {
	u := &use{words: words, name: "find", rule: k.findRule(), f: f}
	roots, rest := k.findRoots(u, words[1:])
	names, alternatives, zero, other := []string(nil), false, false, false
	for i := 0; i < len(rest) && !u.failed; i++ {
		w := rest[i]
		switch {
		case !w.known && !(w.one && w.text != "" && !strings.HasPrefix(w.text, "-")):
			k.deny(u, Unknown, "a word of the expression is only known when it runs ("+w.why+"); write it out, or quote it")
		case w.is("-exec"):
			i += k.findExec(u, roots, names, alternatives, rest[i+1:])
			other = true // what the command prints
		case w.is("-delete"):
			k.findDelete(u, roots, names, alternatives)
		case w.is("-fprint", "-fprint0", "-fls", "-fprintf"):
			if i+1 < len(rest) {
				k.writes(rest[i+1], f, "find", show(words))
			}
			if i++; w.is("-fprintf") {
				i++
			}
			other = true
		case slices.Contains(findFlags, w.text):
			alternatives = alternatives || w.is("-o", "-or", "!", "-not", ",")
			zero, other = zero || w.is("-print0") && i == len(rest)-1, other || w.is("-print0") && i < len(rest)-1 || w.is("-print", "-ls")
		case slices.Contains(findValues, w.text) || strings.HasPrefix(w.text, "-newer") && len(w.text) == 8:
			other = other || w.is("-printf")
			if i++; i < len(rest) && w.is("-name") && rest[i].known {
				names = append(names, rest[i].text)
			}
			if strings.HasPrefix(w.text, "-newer") && len(w.text) == 8 && i < len(rest) {
				k.date(u, rest[i])
			}
			if i < len(rest) && !rest[i].known && !rest[i].one {
				k.deny(u, Unknown, "the value of `"+w.text+"` is only known when it runs; write it out, or quote it")
			}
		default:
			k.deny(u, Unknown, "`"+w.text+"` of `find` is not granted; use -exec with a command that is, or pipe the names")
		}
	}
	if u.failed {
		return output{call: words}
	}
	k.act(Act{Action: Observe, Rule: "find", Command: show(words)})
	if zero && !other && len(roots) == 1 { // nothing but what it has found
		return output{found: found(roots[0], names, alternatives), call: words}
	}
	return output{call: words}
}

// findRoots are the folders where find begins.
func (k *walker) findRoots(u *use, args []word) (roots, rest []word) {
	for len(args) > 0 && args[0].is("-H", "-L", "-P", "-O1", "-O2", "-O3") {
		args = args[1:]
	}
	for len(args) > 0 && !(args[0].known && (strings.HasPrefix(args[0].text, "-") || slices.Contains([]string{"(", "!", ","}, args[0].text))) {
		if args[0].optional() || !args[0].known && args[0].glob == "" && (args[0].under == "" || !args[0].one) {
			k.deny(u, Unknown, "where find begins is only known when it runs ("+args[0].why+"); write it out")
			return nil, nil
		}
		if at := args[0].String(); climbs(at) && len(k.places(at)) == 0 {
			k.deny(u, Unknown, unplaced(at))
			return nil, nil
		}
		roots = append(roots, args[0])
		args = args[1:]
	}
	if len(roots) == 0 {
		roots = []word{literal(".")}
	}
	return roots, args
}

// findExec judges the command that find runs, with what it knows of the paths it is given.
func (k *walker) findExec(u *use, roots []word, names []string, alternatives bool, rest []word) (used int) {
	end := -1
	for i, w := range rest {
		if w.is(";") || w.is("+") && i > 0 && rest[i-1].is("{}") {
			end = i
			break
		}
	}
	if end < 1 {
		k.deny(u, Unknown, "the command after -exec ends with `\\;` or `+`")
		return len(rest)
	}
	for _, root := range roots {
		path := found(root, names, alternatives)
		var command []word
		for _, w := range rest[:end] {
			switch {
			case w.is("{}"):
				command = append(command, path)
			case w.known && strings.Contains(w.text, "{}"):
				before, _, _ := strings.Cut(w.text, "{}")
				command = append(command, word{text: before, one: true, why: "a path that find hands on"})
			default:
				command = append(command, w)
			}
		}
		f := u.f.within("under `find -exec`")
		f.stdin = f.stdin.parted()
		k.run(command, f, false)
	}
	return end + 1
}

// found is a path that find hands on: below its root, and of the name that it looked for.
func found(root word, names []string, alternatives bool) word {
	under := root.String()
	if root.glob != "" { // what the pattern means lies below the folder in front of it
		under = path.Dir(root.glob[:strings.IndexAny(root.glob, "*?[")] + "x")
	}
	w := word{text: under, under: under, one: true, why: "a path that find hands on"}
	if len(names) > 0 && !alternatives {
		w.glob = path.Join(under, "**", names[0])
	}
	return w
}

// findDelete judges -delete: rotated logs by their name.
func (k *walker) findDelete(u *use, roots []word, names []string, alternatives bool) {
	follows := slices.ContainsFunc(u.words, func(w word) bool { return w.is("-L", "-H", "-follow") })
	ok := len(names) > 0 && !alternatives && !follows && u.f.place == ""
	for _, root := range roots {
		if !root.known || !ok {
			ok = false
			break
		}
		paths := k.resolved(k.places(root.text), u.f)
		ok = len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool {
			return !k.rotatedLog(path.Join(p, names[0])) || k.evidenceBelow(p, names[0])
		})
	}
	if !ok {
		k.deny(u, Forbidden, "-delete is granted for rotated logs of this machine only: below "+strings.Join(k.world.Policy.Logs, ", ")+", with one -name such as '*.gz' and no -o")
		return
	}
	k.act(Act{Action: Change, Rule: "find -delete", Command: show(u.words)})
}

// evidenceBelow reports whether a file of that name below a folder is a log that says who did what.
func (k *walker) evidenceBelow(dir, name string) bool {
	if k.world.Hypothetical {
		return false
	}
	found := false
	err := filepath.WalkDir(dir, func(p string, _ fs.DirEntry, err error) error {
		found = found || evidence(p) && fits(name, path.Base(p))
		return err
	})
	return err != nil || found
}

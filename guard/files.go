package guard

import (
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// checked calls the function that has the last word about a program.
func (k *walker) checked(u *use, values []typed) (out output) {
	if u.failed || !k.reaches(u, values) {
		return output{}
	}
	out.digits = u.rule.Prints == "numbers" && !u.text
	out.plain = u.plain || out.digits || u.rule.Prints == "names" && !u.text
	if slices.ContainsFunc(u.words, func(w word) bool {
		return w.is("-h", "-V") || strings.HasPrefix(w.text, "--h") || strings.HasPrefix(w.text, "--v")
	}) {
		out.digits, out.plain = false, false // it is its own text that it prints
	}
	if u.rule.Prints == "scratch" {
		out.under = k.world.Scratch
	}
	if u.rule.Stdin == "sqlite" && !u.has("-version") && !(u.has("-readonly") && u.has("-safe")) { // else it makes the file, and runs what a view says
		k.deny(u, Unknown, "`"+u.name+"` needs -readonly and -safe")
	}
	switch u.rule.Check {
	case "http":
		k.request(u, values)
	case "chmod":
		k.mode(u)
	case "chown":
		k.attributes(u, u.operands[min(1, len(u.operands)):], keepsOwner)
	case "certificate":
		k.certificates(u)
	case "rm":
		k.remove(u)
	case "truncate":
		k.truncate(u)
	case "mv":
		k.move(u)
	case "unit":
		k.unit(u, u.operands)
	case "service":
		k.serviceScript(u)
	case "git":
		k.git(u)
	case "ps":
		k.processes(u)
	case "journal":
		k.journal(u)
	case "folder":
		k.made(u)
	case "plain":
		k.plainNames(u)
	case "stack":
		k.stack(u)
	case "", "loop":
	default:
		k.deny(u, Unknown, "the policy names a check that there is not: "+u.rule.Check)
	}
	return out
}

// mode judges chmod: a literal mode that sets no set-id bit, gives nobody else the right to write, and takes none to read or run.
func (k *walker) mode(u *use) {
	if len(u.operands) < 2 || !u.operands[0].known {
		k.deny(u, Unknown, "`chmod` takes a literal mode and literal files")
		return
	}
	mode := u.operands[0].text
	if !modes().MatchString(mode) || public().MatchString(mode) {
		k.deny(u, Unknown, "the mode "+quoted(mode)+" is not granted: no set-id bits, writable for its owner and group at most, and nothing taken from its owner; write 644, 755, u+rw, g-w")
		return
	}
	k.attributes(u, u.operands[1:], func(p string, here bool) string { return takesAway(mode, p, here) })
}

// attributes judges files whose mode or owner is changed. fault is what speaks against it for one file, which lies here or elsewhere.
func (k *walker) attributes(u *use, files []word, fault func(p string, here bool) string) {
	onlyScratch := true
	for _, w := range files {
		if !k.wantKnown(u, w) {
			return
		}
		paths := k.places(w.text)
		if len(paths) == 0 {
			k.deny(u, Unknown, unplaced(w.text))
			return
		}
		if k.veiled(paths, u.f) {
			k.deny(u, Unknown, unlooked(w.text))
			return
		}
		for _, p := range k.resolved(paths, u.f) {
			if k.scratch(p) {
				continue
			}
			onlyScratch = false
			if k.ours(p) || k.secret(p) || k.holdsSecrets(p) || machines(p) || k.deploys(p, u.f) {
				k.deny(u, Forbidden, quoted(p)+" stays as it is")
				return
			}
			if reason := fault(p, k.here()); reason != "" {
				k.deny(u, Unknown, reason)
				return
			}
		}
	}
	if onlyScratch {
		u.action = Observe
	}
}

// certificates judges what openssl takes certificates from: it shows these, and never a key that stands in the same file. Which files are
// certificates their endings say; others are read like any.
func (k *walker) certificates(u *use) {
	for _, g := range u.given {
		if !slices.Contains(g.option.names, "-in") && !slices.Contains(g.option.names, "-certfile") {
			continue
		}
		w := g.values[0]
		name := w.glob
		if w.known {
			name = w.text
		} else if w.plain && name == "" {
			name = w.shape
		}
		if !certificateFile().MatchString(name) || scheme(name) || len(k.places(name)) == 0 || k.here() && slices.ContainsFunc(k.places(name), takenAway) {
			k.reads(w, u.f, u.name, show(u.words))
		}
	}
}

// deploys reports whether a path is a file that says what runs, or a folder with one, which only people may write.
func (k *walker) deploys(p string, f flow) bool {
	if k.world.ReposDir != "" && (below(p, k.world.ReposDir) || below(k.world.ReposDir, p)) || strings.HasSuffix(p, ".sock") {
		return true
	}
	for _, pattern := range []string{"compose*.y*ml", "docker-compose*.y*ml", "Dockerfile*", "ecosystem.config.*", "*.service"} {
		if ok, err := path.Match(pattern, path.Base(p)); ok || err != nil {
			return true
		}
		if !k.world.Hypothetical && f.place == "" {
			if found, err := filepath.Glob(path.Join(escaped(p), pattern)); err != nil || len(found) > 0 {
				return true
			}
		}
	}
	return false
}

// remove judges rm: its own scratch, and rotated logs.
func (k *walker) remove(u *use) {
	u.action = Observe
	for _, w := range u.operands {
		if u.f.place != "" && !w.known {
			k.deny(u, Forbidden, "elsewhere nobody sees what a pattern means: a rotated log is removed by its name")
			return
		}
		paths := k.targets(u, w)
		if u.failed {
			return
		}
		for _, p := range paths {
			switch {
			case k.ownWrite(p) && u.f.place == "" && !strings.HasPrefix(p, "/dev/"):
			case k.rotatedLog(p) && !k.meansEvidence(p) && !u.has("-r", "-R", "--recursive", "-d", "--dir"):
				u.action = Change
			case k.ours(p):
				k.deny(u, Forbidden, quoted(p)+" holds what belongs to this program")
				return
			default:
				k.deny(u, Forbidden, "removing "+quoted(p)+" is not granted: only rotated logs and files below $TMPDIR are removed")
				return
			}
		}
	}
}

// targets are the paths that a word may mean, patterns as they stand.
func (k *walker) targets(u *use, w word) []string {
	text := w.text
	switch {
	case w.known:
	case w.under != "" && k.scratch(w.under):
		text = path.Join(w.under, "x")
	case w.under != "":
		k.deny(u, Forbidden, "what a program has found is not removed; rotated logs are by find FOLDER -name '*.gz' -delete")
		return nil
	case w.glob != "":
		text = w.glob
	default:
		k.deny(u, Unknown, "which file this is about is only known when it runs ("+w.why+"); write the path out")
		return nil
	}
	paths := k.resolved(k.places(text), u.f)
	if len(paths) == 0 {
		k.deny(u, Unknown, unplaced(text))
	} else if slices.ContainsFunc(paths, func(p string) bool { return k.veiled([]string{path.Dir(p)}, u.f) }) { // where it is a link itself, it is not followed
		k.deny(u, Unknown, unlooked(text))
	}
	return paths
}

// rotatedLog reports whether a path, or a pattern of paths, is a rotated log in one of the policy's folders.
func (k *walker) rotatedLog(p string) bool {
	return k.inLogs(p) && !evidence(p) && !k.secret(p) && slices.ContainsFunc(k.world.Policy.Rotated, func(pattern string) bool {
		ok, err := path.Match(pattern, path.Base(p))
		return ok && err == nil
	})
}

// meansEvidence reports whether a pattern means a log that says who did what.
func (k *walker) meansEvidence(pattern string) bool {
	if k.world.Hypothetical {
		return false
	}
	matches, err := filepath.Glob(pattern)
	return err != nil || slices.ContainsFunc(matches, evidence)
}

func (k *walker) inLogs(p string) bool {
	return !strings.ContainsAny(path.Dir(p), "*?[") && slices.ContainsFunc(k.world.Policy.Logs, func(dir string) bool { return below(p, dir) && p != dir })
}

// currentLog reports whether a word names a log that is written to now, which may be emptied: one that is here, and behind no link, because
// who writes into a folder of logs chooses what a link there leads to.
func (k *walker) currentLog(w word, f flow) bool {
	paths := k.places(w.text)
	return w.known && f.place == "" && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool {
		real, err := filepath.EvalSymlinks(p)
		return !k.inLogs(p) || !emptied().MatchString(path.Base(p)) || evidence(p) || k.ours(p) || !k.world.Hypothetical && (err != nil || real != p || !regular(p))
	})
}

func (k *walker) truncate(u *use) {
	size := u.value("-s", "--size")
	if size == nil || strings.Trim(size.text, "0") != "" {
		k.deny(u, Unknown, "`truncate` may empty a log (-s 0), and nothing else")
		return
	}
	for _, w := range u.operands {
		if !k.currentLog(w, u.f) && !(w.known && k.ownTarget(w, u.f)) {
			k.deny(u, Unknown, "only current logs of this machine below "+strings.Join(k.world.Policy.Logs, ", ")+" are emptied (NAME.log, NAME.err, NAME.out), each by its name, and none that says who did what")
			return
		}
	}
	u.action = Change
}

// move judges mv: from what the agent has written itself to what it may write, and the copy of cooldown.json into its place.
func (k *walker) move(u *use) {
	if len(u.operands) < 2 {
		k.deny(u, Unknown, "`mv` takes a source and a target")
		return
	}
	if k.moves = true; k.makes {
		k.deny(u, Unknown, "folders are not moved, and this command makes one; do it in two steps")
		return
	}
	last := len(u.operands) - 1
	for i, w := range u.operands {
		if i < last && k.isFolder(w) {
			k.deny(u, Unknown, quoted(w.String())+" is a folder, and only files are moved")
			return
		}
		if k.ownTarget(w, u.f) || i == 1 && last == 1 && k.cooldownFile(w, u.f) {
			continue
		}
		k.deny(u, Unknown, "moving "+quoted(w.String())+" is not granted: only between files below $TMPDIR, to handoff.json, and from cooldown.json.tmp to cooldown.json")
		return
	}
	u.action = Observe
}

// isFolder reports whether a word may name what is there and is no plain file.
func (k *walker) isFolder(w word) bool {
	return !k.world.Hypothetical && slices.ContainsFunc(k.places(w.text), func(p string) bool {
		info, err := os.Lstat(p)
		return err == nil && !info.Mode().IsRegular()
	})
}

// made keeps in mind that a command makes folders, which it then may not move.
func (k *walker) made(u *use) {
	if u.name == "mktemp" && !u.has("-d") {
		return
	}
	if k.makes = true; k.moves {
		k.deny(u, Unknown, "folders are not moved, and this command moves something; do it in two steps")
	}
}

// cooldownFile reports whether a word is cooldown.json, which its copy may replace.
func (k *walker) cooldownFile(w word, f flow) bool {
	paths := k.resolved(k.places(w.text), f)
	return w.known && f.place == "" && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return p != path.Join(k.world.StateDir, "cooldown.json") })
}

// ownTarget reports whether a word is a file that every tier may write.
func (k *walker) ownTarget(w word, f flow) bool {
	if w.under != "" && k.scratch(w.under) {
		return true
	}
	paths := k.resolved(k.places(w.text), f)
	return w.known && f.place == "" && len(paths) > 0 && !slices.ContainsFunc(paths, func(p string) bool { return !k.ownWrite(p) })
}

package guard

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

const (
	maxTree = 50_000 // files that are looked at below a folder that is to be read whole
)

// places are the absolute paths that a path may mean: one for each folder in which the shell may stand. None: it cannot be known.
func (k *walker) places(p string) []string {
	if len(p) > maxPath || strings.Count(p, "/") > maxFolders {
		return nil
	}
	if climbs(p) && !k.climbable(p) {
		return nil
	}
	if path.IsAbs(p) {
		return []string{path.Clean(p)}
	}
	var all []string
	for _, dir := range k.cwds {
		all = append(all, path.Join(dir, p))
	}
	return all
}

// unplaced is what a person is told of a path that has no places.
func unplaced(p string) string {
	if len(p) > maxPath || strings.Count(p, "/") > maxFolders {
		return quoted(p) + " is too long for a path"
	}
	if climbs(p) {
		return "where `" + p + "` leads is not certain because of its `..`; write the whole path without it"
	}
	return "in which folder `" + p + "` lies is only known when it runs; write the whole path"
}

// climbs reports whether a path, or a pattern of paths, goes up a folder: to some shells .* means .. as well.
func climbs(p string) bool {
	return slices.ContainsFunc(strings.Split(p, "/"), func(name string) bool { return strings.HasPrefix(name, ".") && fits(name, "..") })
}

// climbable reports whether each .. of a path leads where it looks. Behind a name it leads elsewhere where that is a link; at the
// beginning, where the shell stands behind a link, or in a folder that an agent could move.
func (k *walker) climbable(p string) bool {
	rest := p
	for strings.HasPrefix(rest, "../") {
		rest = rest[len("../"):]
	}
	if k.away || rest != ".." && climbs(rest) {
		return false
	}
	return !slices.ContainsFunc(k.cwds, func(dir string) bool {
		real, err := filepath.EvalSymlinks(dir)
		return k.writable(dir) || below(dir, "/var/run") || below(dir, "/var/lock") || !k.world.Hypothetical && (err != nil || real != dir)
	})
}

// linked reports whether a folder is one of those where links lead to other processes: in it nobody knows what a path means.
func linked(dir string) bool { return below(dir, "/proc") || below(dir, "/dev") || below(dir, "/sys") }

// resolved adds what the links of a path lead to. Elsewhere, and for paths that need not exist, there is nothing to look up.
func (k *walker) resolved(paths []string, f flow) []string {
	if k.world.Hypothetical || f.place != "" {
		return paths
	}
	all := paths
	for _, p := range paths {
		// The file itself need not be there yet: its folder may be a link as well.
		if real, err := filepath.EvalSymlinks(p); err == nil {
			all = append(all, real)
		} else if dir, err := filepath.EvalSymlinks(path.Dir(p)); err == nil {
			all = append(all, path.Join(dir, path.Base(p)))
		}
	}
	return all
}

// veils reports whether an error hides from the guard what another user sees, as whom the command runs.
func (k *walker) veils(err error) bool { return k.other && errors.Is(err, fs.ErrPermission) }

// veiled reports whether one of the paths leads through a folder into which only another user can look, as whom the command runs.
func (k *walker) veiled(paths []string, f flow) bool {
	return !k.world.Hypothetical && f.place == "" && slices.ContainsFunc(paths, func(p string) bool {
		_, err := filepath.EvalSymlinks(p)
		return k.veils(err)
	})
}

// unlooked is what a person is told of a path that is veiled.
func unlooked(p string) string {
	return "only the other user sees whether `" + p + "` is a link, and where it leads; do it without sudo, or name a log"
}

// reads judges a file whose content a command shows.
func (k *walker) reads(w word, f flow, rule, source string) {
	if w.stdin || w.is("-", "/dev/stdin", "/dev/null", "/dev/fd/0") {
		return
	}
	switch {
	case scheme(w.text) || scheme(w.glob) || scheme(w.shape) || w.known && strings.HasPrefix(w.text, "@"): // a URL, and for some programs a list of files
		k.refuse(Unknown, rule, source, "`"+w.String()+"` is no plain path; write the file's path, or ./ before it")
	case w.known:
		k.readsPath(w.text, f, rule, source)
	case w.glob != "" && w.under == "":
		k.readsPattern(w.glob, f, rule, source)
	case w.glob != "":
		k.readsFound(w, f, rule, source)
	case w.plain && strings.HasPrefix(w.shape, "/"):
		k.readsPattern(w.shape, f, rule, source)
	case w.under != "":
		k.readsTree(w.under, f, rule, source)
	default:
		k.refuse(Unknown, rule, source, "which file is read is only known when it runs ("+w.why+"); write the path out")
	}
}

func (k *walker) readsPath(p string, f flow, rule, source string) {
	paths := k.places(p)
	if len(paths) == 0 {
		k.refuse(Unknown, rule, source, unplaced(p))
		return
	}
	for _, p := range k.resolved(paths, f) {
		if k.veiled([]string{p}, f) && !logs().MatchString(path.Base(p)) && !k.inLogs(p) {
			k.refuse(Unknown, rule, source, unlooked(p))
			return
		}
		if slices.Contains([]string{"/dev/zero", "/dev/full", "/dev/random", "/dev/urandom"}, p) {
			k.refuse(Unknown, rule, source, "`"+p+"` has no end")
			return
		}
		if below(p, "/dev/tcp") || below(p, "/dev/udp") || below(p, "/inet") || below(p, "/inet4") || below(p, "/inet6") {
			k.refuse(Unknown, rule, source, "a connection by the shell is not granted; use curl or nc -z")
			return
		}
		if k.closed(p) {
			k.refuse(Forbidden, "secrets", source, "of /etc is read what the policy lists, and `"+p+"` is not on that list; it may hold secrets")
			return
		}
		if k.tells(p) {
			k.refuse(Forbidden, "secrets", source, "a line of `"+p+"` may hold a password, a token or a key, or it is too large or no text, so that it is not read; ask the program itself for its configuration and its state (-t, status, its log)")
			return
		}
		if k.secret(p) {
			k.refuse(Forbidden, "secrets", source, "`"+p+"` may hold secrets")
			return
		}
		if !k.world.Hypothetical && f.place == "" && takenAway(p) {
			k.refuse(Unknown, rule, source, "`"+p+"` is no plain file: what is read of it others do not get")
			return
		}
	}
}

// takenAway reports whether a path is a pipe, a socket or a device, of which others lack what is read.
func takenAway(p string) bool {
	info, err := os.Stat(p)
	return err == nil && !info.Mode().IsRegular() && !info.IsDir() && !below(p, "/dev") && !below(p, "/proc")
}

// readsPattern judges files that are named by a pattern: none that it could mean may be a secret one.
func (k *walker) readsPattern(pattern string, f flow, rule, source string) {
	if strings.Contains(pattern, "[[") || strings.Contains(pattern, "[^") {
		k.refuse(Unknown, rule, source, "the pattern `"+pattern+"` cannot be looked up; name the files")
		return
	}
	patterns := k.places(pattern)
	if len(patterns) == 0 {
		k.refuse(Unknown, rule, source, unplaced(pattern))
		return
	}
	for _, p := range patterns {
		if k.secretPattern(p) || f.place != "" && !logs().MatchString(path.Base(p)) {
			k.refuse(Forbidden, "secrets", source, "the pattern `"+pattern+"` may mean files that hold secrets; name the files")
			return
		}
		if k.world.Hypothetical || f.place != "" {
			continue
		}
		matches, ok := k.matching(p)
		if !ok {
			k.refuse(Unknown, rule, source, "the pattern `"+pattern+"` cannot be looked up; name the files")
			return
		}
		for _, m := range matches {
			k.readsPath(m, f, rule, source)
		}
	}
}

// matching are the paths that a pattern means now. It reports false where they are too many, or lie where the guard cannot look.
func (k *walker) matching(pattern string) (matches []string, ok bool) {
	pattern = strings.ReplaceAll(pattern, "[!", "[^")
	matches, err := filepath.Glob(pattern)
	if err != nil || len(matches) > maxTree || k.other && !logs().MatchString(path.Base(pattern)) && unlisted(path.Dir(pattern)) {
		return nil, false
	}
	return slices.DeleteFunc(matches, func(m string) bool { // a shell's patterns do not mean hidden files
		return strings.HasPrefix(path.Base(m), ".") && !strings.HasPrefix(path.Base(pattern), ".")
	}), true
}

// unlisted reports whether one of the folders that a pattern means, or of those around them, cannot be looked into.
func unlisted(pattern string) bool {
	dirs, err := filepath.Glob(pattern)
	return err != nil || slices.ContainsFunc(dirs, func(dir string) bool {
		_, err := os.ReadDir(dir)
		return errors.Is(err, fs.ErrPermission)
	}) || pattern != "/" && unlisted(path.Dir(pattern))
}

// readsFolders judges what is read with all below it, if it is a folder, where its name is not known: of a pattern what it means, and
// all of the folder in which find has found something.
func (k *walker) readsFolders(w word, f flow, rule, source string) {
	if w.under != "" {
		k.readsTree(w.under, f, rule, source)
		return
	}
	pattern := w.glob
	if w.plain && strings.HasPrefix(w.shape, "/") {
		pattern = w.shape
	}
	k.reads(w, f, rule, source)
	if pattern == "" {
		return
	}
	for _, p := range k.places(pattern) {
		if !fileName(p) && (k.holdsSecrets(p) || k.shut(p) || overlaps(k.session(), path.Join(p, "**"))) {
			k.refuse(Forbidden, "secrets", source, "the pattern `"+pattern+"` may mean folders with secrets below them; name a folder or files that hold none")
			return
		}
		if k.world.Hypothetical {
			continue
		}
		matches, _ := k.matching(p) // reads has refused what cannot be looked up
		for _, m := range matches {
			k.readsTree(m, f, rule, source)
		}
	}
}

// readsFound judges files below a folder that have a name of a pattern.
func (k *walker) readsFound(w word, f flow, rule, source string) {
	patterns := k.places(w.glob)
	if len(patterns) == 0 {
		k.refuse(Unknown, rule, source, unplaced(w.under))
	}
	if f.place != "" && !logs().MatchString(path.Base(w.glob)) {
		k.refuse(Unknown, rule, source, unseen)
		return
	}
	for _, p := range patterns {
		if strings.Contains(p, "[[") || strings.Contains(p, "[^") {
			k.refuse(Unknown, rule, source, "the pattern `"+w.glob+"` cannot be looked up; name the files")
			return
		}
		if k.secretPattern(p) || !k.world.Hypothetical && f.place == "" && k.secretBelow(path.Dir(path.Dir(p)), path.Base(p)) != "" {
			k.refuse(Forbidden, "secrets", source, "below `"+w.under+"` may be files of this name that hold secrets; name the files")
			return
		}
	}
}

const unseen = "elsewhere nobody sees what lies in a folder, and there may be secrets: name the files, without -r"

// readsTree judges a folder that is read with everything below it.
func (k *walker) readsTree(dir string, f flow, rule, source string) {
	paths := k.places(dir)
	if len(paths) == 0 {
		k.refuse(Unknown, rule, source, unplaced(dir))
		return
	}
	for _, p := range k.resolved(paths, f) {
		if k.secretFolder(p) || k.holdsSecrets(p) {
			k.refuse(Forbidden, "secrets", source, "there are secrets below `"+p+"`; name a folder or files that hold none")
			return
		}
		if f.place != "" {
			k.refuse(Unknown, rule, source, unseen)
			return
		}
		if k.world.Hypothetical {
			continue
		}
		if found := k.secretBelow(p, "*"); found != "" {
			k.refuse(Forbidden, "secrets", source, "`"+found+"` may hold secrets; name files or folders without it")
			return
		}
	}
}

// secretBelow looks for a secret file of a name below a folder, behind links to folders as well. What cannot be looked through counts
// as one.
func (k *walker) secretBelow(root, name string) string {
	key := fmt.Sprintf("%s\x00%s\x00%t", name, root, k.other)
	found, known := k.looked[key]
	if !known {
		found = k.lookBelow(root, name, map[string]bool{})
		if k.looked == nil {
			k.looked = map[string]string{}
		}
		k.looked[key] = found
	}
	return found
}

func (k *walker) lookBelow(root, name string, seen map[string]bool) (found string) {
	real, err := filepath.EvalSymlinks(root)
	if err != nil { // it is not there, or nobody reads it
		real = root
	}
	blind := func(err error) bool { return k.veils(err) && !logs().MatchString(name) }
	var links []string
	err = filepath.WalkDir(real, func(p string, d fs.DirEntry, err error) error {
		switch {
		case blind(err):
			found = p
			return fs.SkipAll
		case os.IsNotExist(err), os.IsPermission(err): // nobody reads it
			return nil
		case err != nil:
			return err
		case seen[p]:
			return fs.SkipDir
		}
		called := d.Name()
		if p == real { // find hands it on by the name that it was given
			called = path.Base(root)
		}
		if seen[p] = true; len(seen) > maxTree || fits(name, called) && k.secret(p) {
			found = p
			return fs.SkipAll
		}
		if d.Type()&fs.ModeSymlink != 0 {
			if to, err := filepath.EvalSymlinks(p); err == nil && k.secret(to) || blind(err) {
				found = p
				return fs.SkipAll
			} else if info, err := os.Stat(p); err == nil && info.IsDir() {
				links = append(links, p)
			}
		}
		return nil
	})
	if err != nil && found == "" {
		return root
	}
	for _, p := range links {
		if found == "" {
			found = k.lookBelow(p, name, seen)
		}
	}
	return found
}

// writes judges a file that a command writes (SPEC-0007 REQ-14; issue: what may be written).
func (k *walker) writes(w word, f flow, rule, source string) {
	const advice = "; write below $TMPDIR, or use `claudeops handoff write`"
	if w.stdin || f.place != "" && w.is("/dev/null") {
		return
	}
	if (w.under != "" && k.scratch(w.under) || w.plain && k.scratch(w.shape)) && f.place == "" {
		return
	}
	if !w.known {
		k.refuse(Unknown, rule, source, "which file is written is only known when it runs ("+w.why+")"+advice)
		return
	}
	paths := k.resolved(k.places(w.text), f)
	if len(paths) == 0 || f.place != "" || strings.Contains(w.text, "..") || k.veiled(paths, f) {
		k.refuse(Unknown, rule, source, "writing `"+w.text+"` is not granted"+advice)
		return
	}
	for _, p := range paths {
		k.writesPath(p, rule, source, advice)
	}
}

func (k *walker) writesPath(p, rule, source, advice string) {
	switch {
	case k.ownWrite(p):
	case k.operatorWrite(p) && !k.ours(p) && !k.secret(p):
		k.act(Act{Action: Change, Rule: "write", Command: source})
	case k.ours(p):
		k.refuse(Forbidden, rule, source, "`"+p+"` belongs to this program"+advice)
	default:
		k.refuse(Unknown, rule, source, "writing `"+p+"` is not granted"+advice)
	}
}

// ownWrite reports whether every tier may write a file: its scratch, its handoff, and the copy of cooldown.json that replaces it.
func (k *walker) ownWrite(p string) bool {
	switch p {
	case "/dev/null", "/dev/stdout", "/dev/stderr", "/dev/fd/1", "/dev/fd/2":
		return true
	case path.Join(k.world.StateDir, "handoff.json"), path.Join(k.world.StateDir, "cooldown.json.tmp"):
		return true
	}
	return k.scratch(p)
}

func (k *walker) scratch(p string) bool { return k.world.Scratch != "" && below(p, k.world.Scratch) }

func (k *walker) operatorWrite(p string) bool {
	for _, dir := range k.world.Policy.Write {
		if below(p, dir) {
			return true
		}
	}
	return false
}

// ours reports whether a path is one of the program's own: its records, locks, logs, settings.
func (k *walker) ours(p string) bool {
	return below(p, k.world.StateDir) || below(p, k.world.ResultsDir) || below(p, "/etc/claudeops") || k.world.Home != "" && below(p, k.world.Home) || below(k.world.StateDir, p)
}

// writable reports whether an agent, or anybody, could have written what stands at a path: it is never taken as configuration.
func (k *walker) writable(p string) bool {
	for _, dir := range []string{k.world.StateDir, k.world.ResultsDir, k.world.Scratch, k.world.Home} {
		if dir != "" && below(p, dir) {
			return true
		}
	}
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev", "/proc", "/run/user"} {
		trusted := below(k.world.ReposDir, dir) && below(p, k.world.ReposDir) // the operator keeps the repositories there
		if below(p, dir) && !trusted {
			return true
		}
	}
	return k.operatorWrite(p)
}

// blanks reports whether names that fit a pattern may have blanks in them, because an agent could have written such files.
func (k *walker) blanks(pattern string) bool {
	return !path.IsAbs(pattern) || strings.Contains(pattern, "..") || !below(pattern, "/proc") && k.writable(path.Dir(pattern[:strings.IndexAny(pattern+"*", "*?[")]+"x"))
}

// committable reports whether a path lies in a repository, where whoever may commit to it has put it.
func (k *walker) committable(p string) bool {
	if p != k.world.ReposDir {
		return k.world.ReposDir != "" && below(p, k.world.ReposDir)
	}
	_, err := os.Stat(path.Join(p, ".git"))
	return err == nil && !k.world.Hypothetical
}

// inert reports whether a plain file lies at a path that is no program.
func inert(p string) bool {
	info, err := os.Stat(p)
	return err == nil && info.Mode().IsRegular() && info.Mode()&0o111 == 0
}

// configures judges a file or folder that a program takes as configuration, manifest, playbook or script (code), as what it logs in with
// (credential), or as settings by which it could run programs: those are Tier 1's only where people other than the repositories' put them. hosts are read, and run where they
// are executable.
func (k *walker) configures(w word, typ string, f flow, rule, source string) {
	const advice = "; only files in the repositories are taken as configuration, by their literal path"
	switch {
	case w.is(".") && f.place != "" && slices.Equal(k.cwds, []string{"/root"}): // where ssh begins
		return
	case !w.known:
		k.refuse(Unknown, rule, source, "which file is taken is only known when it runs ("+w.why+")"+advice)
		return
	case w.text == "-" || w.text == "" || strings.ContainsAny(w.text, ",") || strings.Contains(w.text, "://") || strings.Contains(w.text, "::") || strings.Contains(w.text, "@"),
		strings.Contains(w.text, "//"), strings.HasSuffix(w.text, ".git"), strings.HasPrefix(w.text, "github.com/"):
		k.refuse(Unknown, rule, source, "`"+w.text+"` is no file of the repositories"+advice)
		return
	}
	paths := k.places(w.text)
	if len(paths) == 0 {
		k.refuse(Unknown, rule, source, unplaced(w.text)+advice)
	}
	for _, p := range k.resolved(paths, f) {
		if k.writable(p) {
			k.refuse(Unknown, rule, source, "an agent could have written `"+p+"`"+advice)
			return
		}
		if typ == "settings" && k.world.Tier == 1 && k.committable(p) {
			k.refuse(Unknown, rule, source, "`"+p+"` is a repository's, and by its settings `"+rule+"` could run programs, which Tier 1 does not; leave it out, or call it from another folder")
			return
		}
		if typ == "hosts" && (!k.committable(p) || !k.world.Hypothetical && !inert(p)) {
			k.refuse(Unknown, rule, source, "`"+p+"` is no plain file of the repositories: an inventory that is executable is run")
			return
		}
		if k.machineSecret(p) || (typ == "code" || typ == "hosts") && k.secret(p) {
			k.refuse(Forbidden, "secrets", source, "`"+p+"` may hold secrets, which a program shows where it cannot read them")
			return
		}
		if _, err := os.Stat(p); err != nil && !k.world.Hypothetical && f.place == "" {
			k.refuse(Unknown, rule, source, "there is no `"+p+"`"+advice)
			return
		}
	}
}

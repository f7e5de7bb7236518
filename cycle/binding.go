package cycle

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/guard"
)

const (
	// maxBoundFiles limits the files of a folder that a proposal binds, and maxBoundBytes the size of each.
	maxBoundFiles = 2000
	maxBoundBytes = 512 << 20
	// bindTime limits the time for reading them.
	bindTime = 10 * time.Second
)

// bind returns the digest, by path, of a proposal's program and of the files that its argument list names, in any form; of what an agent
// has typed, of folders, too. An approved act runs only while all of that is as it was. What names, or lies, where an agent could write
// (closed) cannot be bound, and so not be proposed.
func bind(ctx context.Context, program string, o guard.Order, closed []string) (map[string]string, error) {
	slow := fmt.Errorf("to read the files that it names takes more than %s", bindTime)
	ctx, cancel := context.WithTimeoutCause(ctx, bindTime, slow)
	defer cancel()
	bound := map[string]string{}
	for n, path := range append([]string{o.Dir, program}, namedPaths(o)...) {
		real := resolved(path)
		if slices.ContainsFunc(closed, func(folder string) bool { return liesIn(resolved(folder), real) }) {
			return nil, fmt.Errorf("an agent could write %s", path)
		}
		if ofAProcess.MatchString(path + "/") {
			return nil, fmt.Errorf("it names %s, where what is run could be another thing by then", path)
		}
		is, err := os.Stat(real)
		switch {
		case n == 0 || err != nil: // its folder, or some word of it
		case liesIn("/proc", real) || liesIn("/sys", real): // where reading may block or have effects
		case is.Mode().IsRegular() || is.IsDir() && o.Action == guard.Ask: // a verb names the operator's folders
			if bound[path], err = digest(ctx, real); err != nil {
				return nil, err
			}
		}
	}
	return bound, nil
}

// ofAProcess matches paths that lead where a process is, or to what it has open.
var ofAProcess = regexp.MustCompile(`^/proc/(self|thread-self|\d+)/`)

// betweenPaths are the characters that may stand before or after a path in a word: `--opt=PATH`, `@PATH`, `type=bind,src=PATH`, shell text.
const betweenPaths = "=@:, \t\"'`;|&<>(){}$"

// maxGlued is how many letters of short options may stand before a path.
const maxGlued = 8

// namedPaths returns the paths that the words of an argument list may name: the word itself, any part of it between such characters, and
// what is glued to short options. Only the service's name is not taken for a folder.
func namedPaths(o guard.Order) (paths []string) {
	known := map[string]bool{}
	for _, word := range o.Argv[1:] {
		names := append(strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(betweenPaths, r) }), word)
		if strings.HasPrefix(word, "-") && !strings.HasPrefix(word, "--") {
			for i := 2; i < min(len(word), maxGlued); i++ {
				names = append(names, word[i:])
			}
		}
		for _, name := range names {
			path := filepath.Clean(name) // "//srv/x" of a file's URL is "/srv/x"
			if !filepath.IsAbs(name) {
				path = filepath.Join(o.Dir, name)
			}
			is, err := os.Stat(path)
			ofService := name == o.Service && err == nil && is.IsDir()
			if !ofService && !known[path] {
				paths = append(paths, path)
			}
			known[path] = true
		}
	}
	return paths
}

// resolved returns a path without links, as far as it exists.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	folder := filepath.Dir(path)
	if folder == path {
		return path
	}
	return filepath.Join(resolved(folder), filepath.Base(path))
}

// liesIn reports whether a path is a folder, or lies in it; both are without links.
func liesIn(folder, path string) bool {
	within, err := filepath.Rel(folder, path)
	return err == nil && filepath.IsLocal(within)
}

// digest returns the digest of a file, or of all files below a folder, by their names. Links in it are bound by where they lead; git's own
// files are left out, because they change with every fetch.
func digest(ctx context.Context, root string) (string, error) {
	sum, files := sha256.New(), 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case d.IsDir() && d.Name() == ".git" && file != root:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if files++; files > maxBoundFiles {
			return fmt.Errorf("%s has more than %d files, which are not compared", root, maxBoundFiles)
		}
		leads := ""
		if d.Type() == fs.ModeSymlink {
			if leads, err = os.Readlink(file); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(sum, "%q %q\n", file[len(root):], leads)
		if err == nil && d.Type().IsRegular() {
			err = addFile(sum, file)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("compare what it names: %w", err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// addFile writes a file to a sum, with its length.
func addFile(to io.Writer, file string) (err error) {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	n, err := io.Copy(to, io.LimitReader(f, maxBoundBytes+1))
	if n > maxBoundBytes {
		return fmt.Errorf("%s has more than %d MiB, which are not read", file, maxBoundBytes>>20)
	}
	_, ended := fmt.Fprintf(to, "\n%d\n", n)
	return errors.Join(err, ended)
}

// difference names what differs between what a proposal binds and what is there now, as a clause; empty if nothing does.
func difference(was, is map[string]string) string {
	for _, path := range slices.Sorted(maps.Keys(was)) {
		switch now, there := is[path]; {
		case !there:
			return path + " is gone"
		case now != was[path]:
			return path + " has changed"
		}
	}
	for _, path := range slices.Sorted(maps.Keys(is)) {
		if was[path] == "" {
			return path + " is new"
		}
	}
	return ""
}

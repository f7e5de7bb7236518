package guard

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

const (
	// maxBoundFiles limits the files that a proposal binds, and maxBoundBytes their size together.
	maxBoundFiles = 2000
	maxBoundBytes = 512 << 20
)

// Bind returns the digest, by path, of a proposal's program and of the files that its argument list names, in any form;
// of what an agent has typed, of folders, too. An approved act runs only while all of that is as it was. What names, or
// lies, where an agent could write (closed) cannot be bound, and so not be proposed.
func Bind(program string, o Order, closed []string) (map[string]string, error) {
	paths := append([]string{program}, namedPaths(o)...)
	for _, path := range append(paths, o.Dir) {
		real := resolved(path)
		if slices.ContainsFunc(closed, func(folder string) bool { return below(real, resolved(folder)) }) {
			return nil, fmt.Errorf("an agent could write %s", path)
		}
	}
	b := binding{digests: map[string]string{}}
	for _, path := range paths {
		real := resolved(path)
		is, err := os.Stat(real)
		if err != nil || below(real, "/proc") || below(real, "/sys") {
			continue // some word of it, or where reading may block or have effects
		}
		typed := o.Action == Ask // a verb names the operator's folders
		ofService := path == filepath.Join(o.Dir, o.Service)
		if is.Mode().IsRegular() || is.IsDir() && typed && !ofService {
			if err := b.add(path, real); err != nil {
				return nil, fmt.Errorf("compare what it names: %w", err)
			}
		}
	}
	return b.digests, nil
}

// betweenPaths are the characters that may stand before or after a path in a word: `--opt=PATH`, `@PATH`,
// `type=bind,src=PATH`, shell text.
const betweenPaths = "=@:, \t\"'`;|&<>(){}$"

// maxGlued is how many letters of short options may stand before a path.
const maxGlued = 8

// namedPaths returns the paths that the words of an argument list may name: the word itself, any part of it between
// such characters, and what is glued to short options.
func namedPaths(o Order) (paths []string) {
	between := func(r rune) bool { return strings.ContainsRune(betweenPaths, r) }
	for _, word := range o.Argv[1:] {
		names := append(strings.FieldsFunc(word, between), word)
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
			paths = append(paths, path)
		}
	}
	slices.Sort(paths)
	return slices.Compact(paths)
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

// binding is what a proposal binds.
type binding struct {
	digests map[string]string // by path
	files   int
	bytes   int64
}

// add adds a file, or all files below a folder, by their names. Links in it are bound by where they lead; git's own
// files are left out, because they change with every fetch.
func (b *binding) add(path, real string) error {
	sum := sha256.New()
	err := filepath.WalkDir(real, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git" && file != real:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if b.files++; b.files > maxBoundFiles {
			return fmt.Errorf("more than %d files are not compared: %s", maxBoundFiles, path)
		}
		_, _ = fmt.Fprintf(sum, "%q\n", file[len(real):])
		if d.Type().IsRegular() {
			return b.read(sum, file)
		}
		leads, _ := os.Readlink(file) // nothing, if it is no link
		_, _ = fmt.Fprintf(sum, "%q\n", leads)
		return nil
	})
	b.digests[path] = "sha256:" + hex.EncodeToString(sum.Sum(nil))
	return err
}

// read reads a file into a digest.
func (b *binding) read(sum io.Writer, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	size, err := io.Copy(sum, io.LimitReader(f, maxBoundBytes+1-b.bytes))
	if b.bytes += size; b.bytes > maxBoundBytes {
		err = fmt.Errorf("more than %d MiB are not compared: %s", maxBoundBytes>>20, file)
	}
	_, _ = fmt.Fprintf(sum, "\n%d\n", size)
	return errors.Join(err, f.Close())
}

// Difference names the first path whose digest is another now than what a proposal binds, as a clause; empty if there
// is none.
func Difference(was, is map[string]string) string {
	both := maps.Clone(is)
	maps.Copy(both, was)
	for _, path := range slices.Sorted(maps.Keys(both)) {
		if was[path] != is[path] {
			return path + " has changed"
		}
	}
	return ""
}

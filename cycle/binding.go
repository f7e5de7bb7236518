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
// has typed, of folders, too. An approved act runs only while all of that is as it was. What an agent could write (closed) cannot be bound,
// and so not be proposed.
func bind(ctx context.Context, program string, o guard.Order, closed []string) (map[string]string, error) {
	slow := fmt.Errorf("to read the files that it names takes more than %s", bindTime)
	ctx, cancel := context.WithTimeoutCause(ctx, bindTime, slow)
	defer cancel()
	if real, err := filepath.EvalSymlinks(o.Dir); err != nil || written(real, closed) {
		return nil, errors.Join(fmt.Errorf("an agent could write in its folder, %s", o.Dir), err)
	}
	if word, where := reaching(o.Argv, closed); word != "" {
		return nil, fmt.Errorf("%q names %s, where what is run could be another thing by then", word, where)
	}
	bound := map[string]string{}
	for _, path := range append(namedPaths(o), program) {
		real, err := filepath.EvalSymlinks(path)
		if errors.Is(err, fs.ErrNotExist) || err == nil && kernels(real) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("what it names cannot be compared: %w", err)
		}
		if written(real, closed) {
			return nil, fmt.Errorf("an agent could write %s", path)
		}
		is, err := os.Stat(real)
		switch {
		case err != nil:
			return nil, fmt.Errorf("what it names cannot be compared: %w", err)
		case is.Mode().IsRegular():
			bound[path], err = fileDigest(ctx, real)
		case is.IsDir() && o.Action == guard.Ask: // a verb names the operator's
			bound[path], err = folderDigest(ctx, real)
		}
		if err != nil {
			return nil, err
		}
	}
	return bound, nil
}

// written reports whether a path without links lies where an agent can write.
func written(path string, closed []string) bool {
	return slices.ContainsFunc(closed, func(folder string) bool { return liesIn(folder, path) })
}

// ofAProcess matches paths that lead where a process is, or to what it has open.
var ofAProcess = regexp.MustCompile(`/proc/(self|thread-self|\d+)/`)

// reaching returns a word that names, in whatever form, a place where an agent can write or that depends on who looks.
func reaching(argv, closed []string) (word, where string) {
	for _, word := range argv {
		if where := ofAProcess.FindString(word); where != "" {
			return word, where
		}
		for _, folder := range closed {
			real, err := filepath.EvalSymlinks(folder)
			if standsIn(word, folder) || err == nil && standsIn(word, real) {
				return word, folder
			}
		}
	}
	return "", ""
}

// standsIn reports whether a folder's path stands in a word, as a whole.
func standsIn(word, folder string) bool {
	const edge = `[/` + betweenPaths + `]`
	found, err := regexp.MatchString(`(?:^|`+edge+`)`+regexp.QuoteMeta(folder)+`(?:$|`+edge+`)`, word)
	return found || err != nil
}

// betweenPaths are the characters that may stand before or after a path in a word: `--opt=PATH`, `@PATH`, `type=bind,src=PATH`, shell text.
const betweenPaths = "=@:, \t\"'`;|&<>(){}$"

// namedPaths returns the paths that the words of an argument list may name: the word itself, any part of it between such characters, and
// what is glued to short options. Only the service's name is not taken for a folder.
func namedPaths(o guard.Order) (paths []string) {
	for _, word := range o.Argv[1:] {
		names := append(strings.FieldsFunc(word, func(r rune) bool { return strings.ContainsRune(betweenPaths, r) }), word)
		if len(word) > 2 && word[0] == '-' && word[1] != '-' {
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
			named := err == nil && (!is.IsDir() || name != o.Service)
			if named && !slices.Contains(paths, path) {
				paths = append(paths, path)
			}
		}
	}
	return paths
}

// maxGlued is how many letters of short options may stand before a path.
const maxGlued = 8

// kernels reports whether a path is one of the kernel, where reading may block or have effects.
func kernels(path string) bool {
	return slices.ContainsFunc([]string{"/proc", "/sys"}, func(folder string) bool { return liesIn(folder, path) })
}

// liesIn reports whether a path without links is a folder, or lies in it.
func liesIn(folder, path string) bool {
	real, err := filepath.EvalSymlinks(folder)
	if err != nil {
		real = folder
	}
	within, err := filepath.Rel(real, path)
	return err == nil && filepath.IsLocal(within)
}

// folderDigest returns the digest of all files below a folder, by their names. Links are bound by where they lead; git's own files are left
// out, because they change with every fetch.
func folderDigest(ctx context.Context, root string) (string, error) {
	sum, files := sha256.New(), 0
	err := filepath.WalkDir(root, func(file string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && d.Name() == ".git" && file != root:
			return fs.SkipDir
		case d.IsDir():
			return nil
		}
		if files++; files > maxBoundFiles {
			return fmt.Errorf("%s has more than %d files, which are not compared", root, maxBoundFiles)
		}
		digest, err := "", error(nil)
		switch {
		case d.Type().IsRegular():
			digest, err = fileDigest(ctx, file)
		case d.Type() == fs.ModeSymlink:
			digest, err = os.Readlink(file)
		}
		if err == nil {
			_, err = fmt.Fprintf(sum, "%q %s\n", file[len(root):], digest)
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("compare what lies in a folder: %w", err)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
}

// fileDigest returns the digest of a regular file.
func fileDigest(ctx context.Context, path string) (digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("compare a file: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	stop := context.AfterFunc(ctx, func() { _ = f.Close() })
	defer stop()
	sum := sha256.New()
	n, err := io.Copy(sum, io.LimitReader(f, maxBoundBytes+1))
	switch {
	case ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", fmt.Errorf("compare a file: %w", err)
	case n > maxBoundBytes:
		return "", fmt.Errorf("%s has more than %d MiB, which are not read", path, maxBoundBytes>>20)
	}
	return "sha256:" + hex.EncodeToString(sum.Sum(nil)), nil
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
		if _, there := was[path]; !there {
			return path + " is new"
		}
	}
	return ""
}

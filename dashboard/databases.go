package dashboard

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/store"
)

// mostDatabases limits the instances of one dashboard.
const mostDatabases = 500

// dbSuffix is the suffix of databases; backups have another.
const dbSuffix = ".db"

// FindDatabases returns the databases at the paths: files, and those in directories. A missing file counts, and its page says that it is
// missing; a directory without any is an error.
func FindDatabases(given []string) ([]Database, error) {
	var paths []string
	for _, path := range given {
		if path == "" { // an unset variable would otherwise mean the current directory
			return nil, errors.New(`"": the path is empty`)
		}
		path, err := filepath.Abs(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		found, err := databasesAt(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		for _, file := range found {
			if !slices.Contains(paths, file) {
				paths = append(paths, file)
			}
		}
		if len(paths) > mostDatabases {
			return nil, fmt.Errorf("means more than %d databases; name fewer", mostDatabases)
		}
	}
	return named(paths), nil
}

// databasesAt returns the databases at a path.
func databasesAt(path string) ([]string, error) {
	is, err := os.Stat(path)
	file := err != nil && strings.HasSuffix(path, dbSuffix) || err == nil && !is.IsDir() // the page reports if it is not a database
	switch {
	case file:
		return []string{path}, nil
	case errors.Is(err, fs.ErrNotExist):
		return nil, errors.New("there is no such file or folder")
	case err != nil:
		return nil, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, e := range entries { // sorted by name
		entry := filepath.Join(path, e.Name())
		is, err := os.Stat(entry)
		switch {
		case err != nil: // a dangling link
		case is.IsDir():
			if below, err := os.Stat(filepath.Join(entry, store.FileName)); err == nil && !below.IsDir() {
				found = append(found, filepath.Join(entry, store.FileName))
			}
		case strings.HasSuffix(e.Name(), dbSuffix):
			found = append(found, entry)
		}
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("no database: neither *%s in it, nor %s in a folder of it", dbSuffix, store.FileName)
	}
	return found, nil
}

// named gives each database a unique name: its file's or, if the file has the default name, its directory's.
func named(paths []string) []Database {
	list := make([]Database, 0, len(paths))
	taken := map[string]bool{}
	for _, path := range paths {
		base := instanceName(path)
		name := base
		for n := 2; taken[strings.ToLower(name)]; n++ {
			name = fmt.Sprintf("%s-%d", base, n)
		}
		taken[strings.ToLower(name)] = true
		list = append(list, Database{Name: name, Path: path})
	}
	return list
}

// maxInstanceName limits an instance's name, in bytes.
const maxInstanceName = 64

// instanceName derives an instance's name from a path, using only characters that need no escaping in a URL path.
func instanceName(path string) string {
	name := strings.TrimSuffix(filepath.Base(path), dbSuffix)
	if filepath.Base(path) == store.FileName {
		name = filepath.Base(filepath.Dir(path))
	}
	name = strings.Map(func(r rune) rune {
		if r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_.", r) {
			return r
		}
		return '-'
	}, name)
	name = strings.Trim(name[:min(len(name), maxInstanceName)], "-.")
	return cmp.Or(name, "claudeops")
}

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

// mostDatabases is how many instances one dashboard shows.
const mostDatabases = 500

// dbSuffix ends the name of what is taken for a database; backups end otherwise.
const dbSuffix = ".db"

// FindDatabases are the databases that the paths mean: files, and those in folders. A file that is not there yet is one too, whose page says
// so; a folder without any is an error.
func FindDatabases(given []string) ([]Database, error) {
	var paths []string
	for _, path := range given {
		if path == "" { // a variable that is not set would mean the folder that this happens to run in
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

// databasesAt are the databases that a path means.
func databasesAt(path string) ([]string, error) {
	is, err := os.Stat(path)
	file := err != nil && strings.HasSuffix(path, dbSuffix) || err == nil && !is.IsDir() // what it is not now, its pages say
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
	for _, e := range entries { // in the order of their names
		entry := filepath.Join(path, e.Name())
		is, err := os.Stat(entry)
		switch {
		case err != nil: // a link to nowhere
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

// named gives each database a name of its own, that of its file, or of its folder where the file is called as all are.
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

// maxInstanceName bounds an instance's name, in bytes.
const maxInstanceName = 64

// instanceName is what a path calls its instance, in letters, digits and marks that a URL's path takes as they are.
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

package main

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

// What was changed or deleted of a service is seen, and what the service writes itself is not taken for it.
func TestTheDigestOfAServicesFolder(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(dir string) error
		seen bool
	}{
		"nothing":              {func(string) error { return nil }, false},
		"a line in its log":    {func(dir string) error { return appendFile(filepath.Join(dir, "jobs.log"), "x\n") }, false},
		"a backup":             {func(dir string) error { return os.WriteFile(filepath.Join(dir, "data/backup"), []byte("2"), 0o600) }, false},
		"a start":              {func(dir string) error { return os.WriteFile(filepath.Join(dir, "run/ready"), nil, 0o600) }, false},
		"a lock removed":       {func(dir string) error { return os.Remove(filepath.Join(dir, "data/lock")) }, true},
		"a lock changed":       {func(dir string) error { return appendFile(filepath.Join(dir, "data/lock"), "x") }, true},
		"its data removed":     {func(dir string) error { return os.RemoveAll(filepath.Join(dir, "data")) }, true},
		"its configuration":    {func(dir string) error { return appendFile(filepath.Join(dir, "config.json"), " ") }, true},
		"a file beside it":     {func(dir string) error { return os.WriteFile(filepath.Join(dir, "new"), nil, 0o600) }, true},
		"the whole of it gone": {os.RemoveAll, true},
	} {
		dir := filepath.Join(t.TempDir(), "jobs")
		made := errors.Join(os.MkdirAll(filepath.Join(dir, "data"), 0o700), os.Mkdir(filepath.Join(dir, "run"), 0o700))
		for _, file := range []string{"jobs.log", "config.json", "data/backup", "data/lock"} {
			made = errors.Join(made, os.WriteFile(filepath.Join(dir, file), []byte("1"), 0o600))
		}
		before, err := digestOf(dir, "jobs.log", "run", "data/backup")
		if err = errors.Join(made, err, c.act(dir)); err != nil {
			t.Fatal(err)
		}
		after, err := digestOf(dir, "jobs.log", "run", "data/backup")
		if err != nil || (before != after) != c.seen {
			t.Errorf("%s: seen: %v, want %v; %v", name, before != after, c.seen, err)
		}
	}
}

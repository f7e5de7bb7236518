package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestSweepRemovesTheFolderOfADrillAlone(t *testing.T) {
	for name, swept := range map[string]bool{"claudeops-drill-12": true, "photos": false} {
		dir := filepath.Join(t.TempDir(), name)
		if err := os.Mkdir(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		err := sweep(strings.NewReader(""), dir)
		if _, gone := os.Stat(dir); (err == nil) != swept || os.IsNotExist(gone) != swept {
			t.Errorf("%s: %v, %v", name, err, gone)
		}
	}
}

// What is removed outside of a homelab has a name that begins with that of its folder, and the file that asks for it holds no command.
func TestRemovalsAreOfTheDrillsOwnNames(t *testing.T) {
	dir := t.TempDir()
	list := filepath.Join(dir, outsideFile)
	write(t, list, containers+"\n"+units+"\n")
	all, err := removals(dir)
	if err != nil || len(all) != 5 {
		t.Errorf("%q, %v", all, err)
	}
	for _, argv := range all {
		if !slices.Contains([]string{"docker", "systemctl"}, argv[0]) || !strings.HasPrefix(argv[len(argv)-1], outsideName(dir)) {
			t.Errorf("%q", argv)
		}
	}
	for _, foreign := range []string{`["rm","-rf","/srv"]`, "rm", processes} {
		write(t, list, foreign+"\n")
		if all, err := removals(dir); err == nil || len(all) > 0 {
			t.Errorf("%s: %q, %v", foreign, all, err)
		}
	}
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

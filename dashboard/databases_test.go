package dashboard

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// files creates empty files and, for names that end in a slash, directories.
func files(t *testing.T, names ...string) (root string) {
	t.Helper()
	root = t.TempDir()
	for _, name := range names {
		path := filepath.Join(root, name)
		fine(t, os.MkdirAll(filepath.Dir(path), 0o700))
		if strings.HasSuffix(name, "/") {
			fine(t, os.MkdirAll(path, 0o700))
		} else {
			fine(t, os.WriteFile(path, nil, 0o600))
		}
	}
	return root
}

func TestWhichDatabasesAreMeant(t *testing.T) {
	root := files(t, "fleet/b.db", "fleet/a.db", "fleet/a.db.v4.bak", "fleet/notes.txt", "fleet/lab/claudeops.db", "fleet/lab/other.db",
		"fleet/lab/deeper/claudeops.db", "fleet/empty/", "fleet/claudeops.db", "empty/", "two/b.db", "odd/my shop.db", "odd/..db", "odd/"+strings.Repeat("x", 100)+".db", "odd/ü.db")
	fine(t, os.Symlink(filepath.Join(root, "nowhere"), filepath.Join(root, "fleet/gone.db")))
	at := func(names ...string) (paths []string) {
		for _, name := range names {
			paths = append(paths, filepath.Join(root, name))
		}
		return paths
	}
	for _, c := range []struct {
		given []string
		want  string // NAME=PATH, below root
	}{
		{at("fleet/a.db"), "a=fleet/a.db"},
		{at("fleet/lab/claudeops.db"), "lab=fleet/lab/claudeops.db"},
		{at("fleet"), "a=fleet/a.db b=fleet/b.db fleet=fleet/claudeops.db lab=fleet/lab/claudeops.db"},
		{at("fleet", "two"), "a=fleet/a.db b=fleet/b.db fleet=fleet/claudeops.db lab=fleet/lab/claudeops.db b-2=two/b.db"},
		{at("fleet/a.db", "fleet/../fleet/a.db"), "a=fleet/a.db"},
		{at("not/yet.db"), "yet=not/yet.db"},
		{at("odd"), "claudeops=odd/..db my-shop=odd/my shop.db " + strings.Repeat("x", 64) + "=odd/" + strings.Repeat("x", 100) + ".db claudeops-2=odd/ü.db"},
	} {
		found, err := FindDatabases(c.given)
		if err != nil {
			t.Errorf("%q: %v", c.given, err)
			continue
		}
		var got []string
		for _, d := range found {
			below, err := filepath.Rel(root, d.Path)
			fine(t, err)
			got = append(got, d.Name+"="+below)
		}
		if diff := cmp.Diff(c.want, strings.Join(got, " ")); diff != "" {
			t.Errorf("%q: (-want +got)\n%s", c.given, diff)
		}
	}
	if found, err := FindDatabases([]string{""}); err == nil {
		t.Errorf("an empty path is %v", found)
	}
	for path, fault := range map[string]string{
		"empty":          "no database: neither *.db in it, nor claudeops.db in a folder of it",
		"not/there":      "there is no such file or folder",
		"fleet/a.db/x/y": "not a directory",
	} {
		if found, err := FindDatabases(at(path)); err == nil || !strings.HasSuffix(err.Error(), fault) || !strings.HasPrefix(err.Error(), root) {
			t.Errorf("%s: %v, %v; want error %q", path, found, err, fault)
		}
	}
}

func TestTooManyDatabasesAreRefused(t *testing.T) {
	var names []string
	for n := range mostDatabases + 1 {
		names = append(names, fmt.Sprintf("%d.db", n))
	}
	if _, err := FindDatabases([]string{files(t, names...)}); err == nil || !strings.Contains(err.Error(), "more than 500 databases") {
		t.Error(err)
	}
}

func TestNamesOfInstancesDifferInMoreThanCase(t *testing.T) {
	var got []string
	for _, d := range named([]string{"/a/shop.db", "/b/Shop.db", "/c/shop-2.db", "/d/shop.db"}) {
		got = append(got, d.Name)
	}
	if diff := cmp.Diff([]string{"shop", "Shop-2", "shop-2-2", "shop-3"}, got); diff != "" {
		t.Error(diff)
	}
}

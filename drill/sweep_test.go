package drill

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
)

// homelab makes a folder as a drill does, with a mark.
func homelab(t *testing.T, mark string) string {
	t.Helper()
	t.Setenv("TMPDIR", t.TempDir())
	dir, err := os.MkdirTemp("", "claudeops-drill-")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, markFile), mark)
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func TestSweepRemovesTheFolderOfItsDrill(t *testing.T) {
	dir := homelab(t, "mark")
	if err := Sweep(strings.NewReader("mark\n"), dir); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(dir); !os.IsNotExist(err) {
		t.Errorf("it is still there: %v", err)
	}
}

func TestSweepRefusesWhatNoDrillHasMade(t *testing.T) {
	for name, c := range map[string]struct {
		in   string
		make func(t *testing.T, dir string) string
	}{
		"nobody's mark":  {"", nil},
		"another's mark": {"other\n", nil},
		"another name":   {"mark\n", func(t *testing.T, dir string) string { return renamed(t, dir, filepath.Join(os.TempDir(), "photos")) }},
		"another place": {"mark\n", func(t *testing.T, dir string) string {
			return renamed(t, dir, filepath.Join(t.TempDir(), filepath.Base(dir)))
		}},
		"a link":          {"mark\n", linked},
		"open to others":  {"mark\n", func(t *testing.T, dir string) string { return must(t, dir, os.Chmod(dir, 0o755)) }},
		"no mark":         {"mark\n", func(t *testing.T, dir string) string { return must(t, dir, os.Remove(filepath.Join(dir, markFile))) }},
		"an empty mark":   {"\n", func(t *testing.T, dir string) string { write(t, filepath.Join(dir, markFile), ""); return dir }},
		"a relative path": {"mark\n", func(_ *testing.T, dir string) string { return filepath.Base(dir) }},
	} {
		t.Run(name, func(t *testing.T) {
			made := homelab(t, "mark")
			dir := made
			if c.make != nil {
				dir = c.make(t, made)
			}
			if err := Sweep(strings.NewReader(c.in), dir); err == nil {
				t.Error("it swept")
			}
			_, err := os.Stat(dir)
			if _, made := os.Stat(made); err != nil && made != nil {
				t.Errorf("it is gone: %v, %v", err, made)
			}
		})
	}
}

func must(t *testing.T, dir string, err error) string {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

func renamed(t *testing.T, from, to string) string {
	t.Helper()
	return must(t, to, os.Rename(from, to))
}

func linked(t *testing.T, dir string) string {
	t.Helper()
	link := filepath.Join(os.TempDir(), "claudeops-drill-1")
	return must(t, link, os.Symlink(dir, link))
}

// What is removed outside of a homelab has a name that begins with that of its folder, and the file that asks for it holds no command.
func TestRemovalsAreOfTheDrillsOwnNames(t *testing.T) {
	dir := homelab(t, "mark")
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

func TestControlAndServeRefuseAnotherFolder(t *testing.T) {
	if _, err := Control(os.Stderr, t.TempDir(), []string{"status"}); err == nil {
		t.Error("control")
	}
	if err := Serve(t.Context(), os.Stderr, filepath.Join(t.TempDir(), "srv", "shop")); err == nil {
		t.Error("serve")
	}
}

// A small service that the drill starts below its own TMPDIR finds that its folder is a drill's.
func TestSmallServicesAreToldWhereTheDrillIs(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if got := config.Lookup(serviceEnviron(), "TMPDIR"); got != os.TempDir() {
		t.Errorf("TMPDIR=%s, want %s", got, os.TempDir())
	}
}

package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The guard and an operator's hooks are calls of claudeops-hook where one of the same version stands beside claudeops. The agent's own
// claudeops is the whole program in any case.
func TestHooksCallTheHookProgram(t *testing.T) {
	t.Parallel()
	const other = "#!/bin/sh\necho 'claudeops-hook v0.0.1 (go1.26, linux/amd64)'\n"
	for name, test := range map[string]struct {
		lay   func(path string) error // what stands beside claudeops
		calls string
		warns string
	}{
		"of the same version":   {func(path string) error { return os.Link(hookBin, path) }, "claudeops-hook", ""},
		"missing":               {func(string) error { return nil }, "claudeops", ""},
		"of another version":    {func(path string) error { return os.WriteFile(path, []byte(other), 0o755) }, "claudeops", "claudeops-hook is of version v0.0.1, and this program of "},
		"not executable":        {func(path string) error { return os.WriteFile(path, []byte(other), 0o644) }, "claudeops", "claudeops-hook cannot be executed: permission denied"},
		"claudeops by its link": {func(path string) error { return os.Symlink("claudeops", path) }, "claudeops", "claudeops-hook is no regular file"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			must(t, os.Mkdir(w.path("opt"), 0o755))
			must(t, os.Link(claudeopsBin, w.path("opt", "claudeops")))
			must(t, test.lay(w.path("opt", "claudeops-hook")))
			// Called through a link: what counts stands beside the program itself.
			must(t, os.Symlink(w.path("opt", "claudeops"), w.path("claudeops")))
			w.bin = w.path("claudeops")
			w.withHooks(`{"hooks": {"SessionEnd": [{"hooks": [{"type": "command", "command": "true"}]}]}}`)
			w.agent(1, `sh cp "$HOME/../settings.json" "$FAKE_AGENT_DIR/settings"; claudeops version > "$FAKE_AGENT_DIR/version"`, finish)
			said := w.cycle(0).err
			settings := w.read("agent", "settings")
			program := "'" + w.path("opt", test.calls) + "' "
			if strings.Count(settings, program+"guard") != 4 || strings.Count(settings, program+"hooks run") != 1 {
				t.Errorf("the settings are %s, want calls of %s", settings, program)
			}
			if version := w.read("agent", "version"); !strings.HasPrefix(version, "claudeops ") {
				t.Errorf("the agent's claudeops is %s", version)
			}
			if test.warns == "" && strings.Contains(said, "claudeops-hook") || !strings.Contains(said, test.warns) {
				t.Errorf("the log is %s, want %q", said, test.warns)
			}
		})
	}
}

// read is a file of the world.
func (w *world) read(path ...string) string {
	w.t.Helper()
	text, err := os.ReadFile(filepath.Join(append([]string{w.dir}, path...)...))
	must(w.t, err)
	return string(text)
}

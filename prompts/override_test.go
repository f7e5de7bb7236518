package prompts

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// folder creates an operator's directory with these files.
func folder(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		full := filepath.Join(dir, name)
		must(t, os.MkdirAll(filepath.Dir(full), 0o700))
		must(t, os.WriteFile(full, []byte(text), 0o600))
	}
	return dir
}

func TestOverrideReplacesFileByFile(t *testing.T) {
	dir := folder(t, map[string]string{
		"tier2-investigate.md": "Tier {{.Tier}} of {{.MaxTier}}, as we do it.",
		"system.md":            "System of tier {{.Tier}}.",
		"checks/http.md":       "Call {{sh .StateDir}}/ours.",
		".gitkeep":             "",
	})
	set := got(Open(dir))(t)
	v := session(1)
	if text, err := set.Prompt(session(2)); err != nil || text != "Tier 2 of 3, as we do it.\n" {
		t.Errorf("prompt of Tier 2: %q, %v", text, err)
	}
	if text, err := set.System(session(3)); err != nil || text != "System of tier 3.\n" {
		t.Errorf("system prompt: %q, %v", text, err)
	}
	docs, err := set.Files(v)
	if err != nil || docs["checks/http.md"] != "Call /state/ours.\n" || !strings.Contains(docs["checks/dns.md"], "# Check: dns") {
		t.Errorf("checks: %q, %q, %v", docs["checks/http.md"], docs["checks/dns.md"], err)
	}
	for tier, want := range map[int]string{1: "tier1-observe.md", 2: filepath.Join(dir, "tier2-investigate.md"), 3: "tier3-remediate.md"} {
		if got := set.Name(tier); got != want {
			t.Errorf("name of Tier %d: %q, want %q", tier, got, want)
		}
	}
}

// A mounted ConfigMap consists of links into a directory whose name begins with two dots.
func TestOverrideFollowsTheLinksOfAConfigMap(t *testing.T) {
	dir := folder(t, map[string]string{"..2026_01_05/tier1-observe.md": "Ours.", "..2026_01_05/checks/dns.md": "Our dns."})
	for name, target := range map[string]string{"..data": "..2026_01_05", "tier1-observe.md": "..data/tier1-observe.md", "checks": "..data/checks"} {
		must(t, os.Symlink(target, filepath.Join(dir, name)))
	}
	set := got(Open(dir))(t)
	if text, err := set.Prompt(session(1)); err != nil || text != "Ours.\n" {
		t.Errorf("%q, %v", text, err)
	}
	if docs, err := set.Files(session(1)); err != nil || docs["checks/dns.md"] != "Our dns.\n" {
		t.Errorf("%q, %v", docs["checks/dns.md"], err)
	}
}

func TestOverrideThatIsWrongIsRefused(t *testing.T) {
	for _, tc := range []struct {
		name  string
		files map[string]string
		want  []string
	}{
		{"misspelt", map[string]string{"tier1_observe.md": "x"}, []string{"tier1_observe.md replaces no prompt", "tier1-observe.md", "checks/http.md"}},
		{"misspelt below", map[string]string{"checks/htpp.md": "x"}, []string{"checks/htpp.md replaces no prompt", "checks/http.md"}},
		{"unknown folder", map[string]string{"check/http.md": "x"}, []string{"/check replaces no prompt"}},
		{"folder in place of a file", map[string]string{"system.md/x": "x"}, []string{"system.md: is a directory"}},
		{"does not parse", map[string]string{"system.md": "one\ntwo {{if}}"}, []string{"/system.md:2:", "does not parse"}},
		{"unknown value", map[string]string{"system.md": "one\n\n{{.Statedir}}"}, []string{"/system.md:3:", "Statedir"}},
		{"unknown value in a branch", map[string]string{"tier3-remediate.md": "a {{if .DryRun}}{{.Nothing}}{{end}}"}, []string{"/tier3-remediate.md:1:", "Nothing"}},
		{"unknown function", map[string]string{"system.md": "{{env \"HOME\"}}"}, []string{"/system.md:1:", `"env" not defined`}},
		{"empty", map[string]string{"tier2-investigate.md": " \n"}, []string{"tier2-investigate.md renders to nothing"}},
		{"empty in one case", map[string]string{"tier2-investigate.md": "{{if .Inventory}}x{{end}}"}, []string{"renders to nothing"}},
		{"not UTF-8", map[string]string{"system.md": "a\xff"}, []string{"system.md must be UTF-8 text"}},
		{"too large", map[string]string{"system.md": string(bytes.Repeat([]byte("a"), maxOverride+1))}, []string{"system.md must be UTF-8 text of at most 262144 bytes"}},
		{"calls itself for ever", map[string]string{"system.md": `{{define "a"}}{{template "a" .}}{{end}}{{template "a" .}}`}, []string{"system.md", "exceeded maximum template depth"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := Open(folder(t, tc.files))
			if err == nil {
				t.Fatal("no error")
			}
			for _, want := range tc.want {
				if !strings.Contains(err.Error(), want) {
					t.Errorf("error %q lacks %q", err, want)
				}
			}
		})
	}
}

func TestOverrideFolderThatCannotBeRead(t *testing.T) {
	dir := folder(t, map[string]string{"file": "x"})
	links := t.TempDir()
	must(t, os.Symlink("nowhere", filepath.Join(links, "system.md")))
	for _, tc := range []struct{ name, dir, want string }{
		{"missing", filepath.Join(dir, "prompts"), "no such file or directory"},
		{"a file", filepath.Join(dir, "file"), "not a directory"},
		{"a link to nothing", links, "no such file or directory"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			if _, err := Open(tc.dir); err == nil || !strings.Contains(err.Error(), tc.want) || !strings.Contains(err.Error(), tc.dir) {
				t.Errorf("got %v, want an error with %q and the path", err, tc.want)
			}
		})
	}
}

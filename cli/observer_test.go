package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

func TestWhatObserves(t *testing.T) {
	const program, key, discover = "npm install", "ANTHROPIC_API_KEY", "claudeops probe discover"
	none, some := config.Credential{Kind: config.None}, config.Credential{Kind: config.APIKey}
	unchecked := &inventory.Inventory{Services: []inventory.Service{{Name: "shop"}}}
	checked := &inventory.Inventory{Services: []inventory.Service{{Name: "shop", Checks: []probe.Check{{}}}}}
	t.Setenv("PATH", programs(t, "sh", "claudeops-shim"))
	for name, row := range map[string]struct {
		bin        string
		agent      config.Agency
		credential config.Credential
		services   *inventory.Inventory
		want       config.Agency
		noModel    string   // part of the reason why there is none; empty if there is one
		named      []string // in the error; nil for none
		absent     []string
	}{
		"claude":                            {"sh", config.Auto, some, nil, config.Claude, "", nil, nil},
		"claude before probes":              {"sh", config.Auto, some, checked, config.Claude, "", nil, nil},
		"probes without the program":        {"/none", config.Auto, some, checked, config.Probe, "/none", nil, nil},
		"probes without a credential":       {"sh", config.Auto, none, checked, config.Probe, "no credential", nil, nil},
		"probes as chosen":                  {"sh", config.Probe, some, checked, config.Probe, "", nil, nil},
		"probes as chosen, without a model": {"/none", config.Probe, none, checked, config.Probe, "/none", nil, nil},
		"credential left to claude":         {"sh", config.Claude, none, nil, config.Claude, "", nil, nil},
		"nothing at all":                    {"/none", config.Auto, none, nil, "", "", []string{program, key, discover}, nil},
		"no program, nothing to probe":      {"/none", config.Auto, some, unchecked, "", "", []string{program, "of which they have none"}, []string{key, discover}},
		"no credential, nothing to probe":   {"sh", config.Auto, none, nil, "", "", []string{key, discover}, []string{program}},
		"claude as chosen is missing":       {"/none", config.Claude, none, checked, "", "", []string{program}, []string{discover, key}},
		"probes as chosen, alerts alone":    {"sh", config.Probe, some, unchecked, config.Probe, "", nil, nil},
		"probes as chosen, nothing to":      {"sh", config.Probe, some, nil, "", "", []string{"CLAUDEOPS_INVENTORY", discover}, []string{program, key}},
	} {
		t.Run(name, func(t *testing.T) {
			c := config.Config{ClaudeBin: row.bin, Tier1Agent: row.agent}
			got, err := observe(c, row.credential, row.services)
			if (err != nil) != (row.named != nil) {
				t.Fatalf("error %v", err)
			}
			if got.is != row.want || (got.noModel == "") != (row.noModel == "") || !strings.Contains(got.noModel, row.noModel) {
				t.Errorf("got %+v", got)
			}
			if loud := got.loudly(c); (loud != "") != (row.agent == config.Auto && row.want == config.Probe) {
				t.Errorf("says %q", loud)
			}
			for _, text := range row.named {
				if !strings.Contains(err.Error(), text) {
					t.Errorf("%q does not name %q", err, text)
				}
			}
			for _, text := range row.absent {
				if strings.Contains(err.Error(), text) {
					t.Errorf("%q names %q", err, text)
				}
			}
		})
	}
}

// Without the program that connects an agent to its tools, there is no model.
func TestWhatObservesWithoutTheShim(t *testing.T) {
	key := config.Credential{Kind: config.APIKey}
	checked := &inventory.Inventory{Services: []inventory.Service{{Name: "shop", Checks: []probe.Check{{}}}}}
	t.Setenv("PATH", programs(t, "sh"))
	got, err := observe(config.Config{ClaudeBin: "sh", Tier1Agent: config.Auto}, key, checked)
	if err != nil || got.is != config.Probe || !strings.Contains(got.noModel, "claudeops-shim") {
		t.Errorf("got %+v, %v", got, err)
	}
	if _, err := observe(config.Config{ClaudeBin: "sh", Tier1Agent: config.Claude}, key, checked); err == nil || !strings.Contains(err.Error(), "claudeops-shim") {
		t.Errorf("claude as chosen: %v", err)
	}
}

// programs returns a folder with programs of these names, which do nothing.
func programs(t *testing.T, names ...string) string {
	t.Helper()
	dir := t.TempDir()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

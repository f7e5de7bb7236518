package prompts

import (
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"
)

// maxOverride bounds an operator's file. The largest that could be meant is a fraction of the agent's context.
const maxOverride = 256 << 10

// override is an operator's file in place of an embedded one.
type override struct{ path, text string }

// readOverrides reads the operator's folder. Links are followed: that is how Kubernetes mounts a ConfigMap. Names that begin with
// a dot are not looked at, for the same reason.
func readOverrides(dir string, known map[string]string) (map[string]override, error) {
	found := map[string]override{}
	if dir == "" {
		return found, nil
	}
	if err := readFolder(dir, "", known, found); err != nil {
		return nil, fmt.Errorf("prompt overrides: %w", err)
	}
	return found, nil
}

func readFolder(dir, below string, known map[string]string, found map[string]override) error {
	entries, err := os.ReadDir(filepath.Join(dir, below))
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), ".") {
			continue
		}
		name := path.Join(below, entry.Name())
		full := filepath.Join(dir, name)
		target, err := os.Stat(full)
		switch {
		case err != nil:
			return err
		case target.IsDir() && holdsPrompts(name, known):
			err = readFolder(dir, name, known, found)
		case known[name] == "":
			return fmt.Errorf("%s replaces no prompt: the files that may stand in %s are %s", full, dir, strings.Join(sorted(known), ", "))
		default:
			found[name], err = readOverride(full, target)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func holdsPrompts(folder string, known map[string]string) bool {
	for name := range known {
		if path.Dir(name) == folder {
			return true
		}
	}
	return false
}

func readOverride(full string, target os.FileInfo) (override, error) {
	if !target.Mode().IsRegular() {
		return override{}, fmt.Errorf("%s is not a regular file", full)
	}
	if target.Size() > maxOverride {
		return override{}, fmt.Errorf("%s has %d bytes; a prompt has at most %d", full, target.Size(), maxOverride)
	}
	text, err := os.ReadFile(full)
	if err != nil {
		return override{}, err
	}
	if !utf8.Valid(text) {
		return override{}, fmt.Errorf("%s is not UTF-8 text", full)
	}
	return override{full, string(text)}, nil
}

// rehearse renders an operator's file with every kind of session, so that a wrong name in it is found when the cycle starts and not
// in the middle of an incident.
func rehearse(t *template.Template) error {
	for _, v := range rehearsals() {
		if _, err := render(t, v); err != nil {
			return err
		}
	}
	return nil
}

// rehearsals are Values of every kind that a template can tell apart.
func rehearsals() []Values {
	var all []Values
	for tier := 1; tier <= 3; tier++ {
		for maxTier := 1; maxTier <= 3; maxTier++ {
			for _, dryRun := range []bool{false, true} {
				for _, known := range [][2]string{{"", ""}, {"/etc/claudeops/inventory.yaml", ""}, {"/etc/claudeops/inventory.yaml", "1/4"}} {
					for _, perDay := range []int{0, 12} {
						all = append(all, Values{
							Tier: tier, MaxTier: maxTier, DryRun: dryRun, Inventory: known[0], Shard: known[1], MaxRemediationsPerDay: perDay,
							StateDir: "/state", ResultsDir: "/results", ReposDir: "/repos", ScratchDir: "/state/run/1/tmp", DocsDir: "/state/run/1/docs",
							MaxRestarts: 2, RestartWindow: 4 * time.Hour, MaxRedeployments: 1, RedeploymentWindow: 24 * time.Hour, Trigger: "cron",
						})
					}
				}
			}
		}
	}
	return all
}

// valueNames lists what a template may use, for the error of one that uses something else.
func valueNames() string {
	var names []string
	for _, field := range reflect.VisibleFields(reflect.TypeFor[Values]()) {
		names = append(names, "."+field.Name)
	}
	return strings.Join(names, " ")
}

func sorted(known map[string]string) []string { return slices.Sorted(maps.Keys(known)) }

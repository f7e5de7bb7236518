// Package prompts holds the agent's instructions: one prompt per tier, a short system prompt for all of them, and the skills, checks and
// playbooks that an agent reads on demand.
//
// The prompts are sent again on every turn, so they are short and refer to the rest by path. All of it is Markdown rendered by
// text/template with Values. An operator's directory may replace any file by one with the same name. Nothing is parsed before Open.
package prompts

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
)

//go:embed *.md skills/*.md checks/*.md playbooks/*.md
var embedded embed.FS

const systemFile = "system.md"

// Values are the variables of a template, as in {{.StateDir}}. In commands a directory is written {{sh .StateDir}}, which quotes it if
// necessary.
type Values struct {
	Tier    int // 1 to 3
	MaxTier int // highest tier that is started, 1 to 3

	StateDir   string
	ResultsDir string
	ReposDir   string
	ScratchDir string // the session's TMPDIR
	DocsDir    string // where the program writes the result of Files
	Inventory  string // path of the services file; empty if there is none
	Shard      string // i/n: the session's part of the services, which ShardFile lists one per line; empty for all of them
	Asked      bool   // a person asked for a cycle about the services in ShardFile only
	NoShell    bool   // there are the tools look and read in the place of bash
	Probed     bool   // its checks have been made, and the results are in the context

	DryRun  bool
	Trigger string // what started the cycle: manual, cron, systemd, kubernetes, escalation

	MaxRestarts           int // within RestartWindow, per service
	RestartWindow         time.Duration
	MaxRedeployments      int // within RedeploymentWindow, per service
	RedeploymentWindow    time.Duration
	MaxRemediationsPerDay int // of both kinds, per service; 0 for no limit
}

// ShardFile lists the names of the services of Values.Shard or Values.Asked, below Values.DocsDir.
const ShardFile = "services.md"

// Set is a complete set of prompts: the embedded ones, except those that an operator has replaced. A template's name is the path of the
// override, or else the embedded name.
type Set struct{ files map[string]*template.Template }

// promptFiles are the embedded names of the tiers' prompts (SPEC-0007 REQ-14).
var promptFiles = map[int]string{1: "tier1-observe.md", 2: "tier2-investigate.md", 3: "tier3-remediate.md"}

// source is one file of a set, with the path shown to people.
type source struct{ path, text string }

// Open parses all prompts. Each file below overrideDir replaces the embedded one with the same relative name; an empty overrideDir
// replaces nothing. It is an error if the directory does not exist, or if a file in it has no prompt's name, cannot be read, or does not
// render. Errors of templates name the file and the line.
func Open(overrideDir string) (*Set, error) {
	sources := map[string]source{}
	err := fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := embedded.ReadFile(name)
		sources[name] = source{name, string(text)}
		return err
	})
	if err == nil && overrideDir != "" {
		err = override(sources, overrideDir, "")
	}
	if err != nil {
		return nil, fmt.Errorf("read the prompts: %w", err)
	}
	set := &Set{files: map[string]*template.Template{}}
	for name, source := range sources {
		parsed, err := template.New(source.path).Option("missingkey=error").Funcs(template.FuncMap{"sh": text.ShellWord}).Parse(source.text)
		if err != nil {
			return nil, fmt.Errorf("prompt %s does not parse: %w", source.path, err)
		}
		if source.path != name {
			for _, v := range rehearsals() {
				if _, err := render(parsed, v); err != nil {
					return nil, err
				}
			}
		}
		set.files[name] = parsed
	}
	return set, nil
}

// maxOverride limits an operator's file, in bytes. It is a fraction of the agent's context.
const maxOverride = 256 << 10

// override replaces sources by the operator's files in a directory. Links are followed, and names that start with a dot
// ignored, because Kubernetes mounts a ConfigMap with both.
func override(sources map[string]source, dir, below string) error {
	entries, err := os.ReadDir(filepath.Join(dir, below))
	if err != nil {
		return err
	}
	known := slices.Sorted(maps.Keys(sources))
	for _, entry := range entries {
		name := path.Join(below, entry.Name())
		file := filepath.Join(dir, name)
		switch {
		case strings.HasPrefix(entry.Name(), "."):
		case slices.Contains(known, name):
			text, err := os.ReadFile(file)
			if err != nil {
				return err
			}
			if len(text) > maxOverride || !utf8.Valid(text) {
				return fmt.Errorf("%s must be UTF-8 text of at most %d bytes", file, maxOverride)
			}
			sources[name] = source{file, string(text)}
		case slices.ContainsFunc(known, func(k string) bool { return path.Dir(k) == name }):
			if err := override(sources, dir, name); err != nil {
				return err
			}
		default:
			return fmt.Errorf("%s replaces no prompt: the files that %s may hold are %s", file, dir, strings.Join(known, ", "))
		}
	}
	return nil
}

// rehearsals returns Values of each tier, with everything that a template may ask for and without. An operator's file
// is rendered with each, so that a mistake is found when the cycle starts and not during an incident.
func rehearsals() (all []Values) {
	for tier := 1; tier <= 3; tier++ {
		all = append(all, Values{Tier: tier, MaxTier: 3}, Values{
			Tier: tier, MaxTier: tier, DryRun: true, NoShell: true, Probed: true, Asked: true,
			Inventory: "/etc/claudeops/inventory.yaml", Shard: "1/4", MaxRemediationsPerDay: 12,
		})
	}
	return all
}

// Name is recorded for a session: the name of the tier's prompt, or the path of the operator's.
func (s *Set) Name(tier int) string { return s.files[promptFiles[tier]].Name() }

// Prompt returns the task of v.Tier.
func (s *Set) Prompt(v Values) (string, error) { return render(s.files[promptFiles[v.Tier]], v) }

// System returns the system prompt: who the agent is, that what it reads is data, and what no tier may do.
func (s *Set) System(v Values) (string, error) { return render(s.files[systemFile], v) }

// Files returns the skills, checks and playbooks by their path below v.DocsDir, with slashes.
func (s *Set) Files(v Values) (map[string]string, error) {
	docs := map[string]string{}
	for name, t := range s.files {
		if path.Dir(name) == "." {
			continue // a prompt is sent, not read from a file
		}
		text, err := render(t, v)
		if err != nil {
			return nil, err
		}
		docs[name] = text
	}
	return docs, nil
}

func render(t *template.Template, v Values) (string, error) {
	var out bytes.Buffer
	if err := t.Execute(&out, v); err != nil {
		return "", fmt.Errorf("prompt %s does not render: %w", t.Name(), err)
	}
	if rendered := strings.TrimSpace(out.String()); rendered != "" && utf8.ValidString(rendered) {
		return rendered + "\n", nil
	}
	return "", fmt.Errorf("prompt %s renders to nothing, or to something that is not UTF-8", t.Name())
}

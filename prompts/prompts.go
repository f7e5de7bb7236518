// Package prompts holds what the agent is told: one prompt a tier, a short system prompt for all of them, and the skills,
// checks and playbooks that an agent reads only when it needs them.
//
// The prompts are sent again on every turn, so they are short and point to the rest by path. All of it is Markdown rendered by
// text/template with Values; an operator's folder may replace any file by one of the same name. Nothing is parsed before Open.
package prompts

import (
	"bytes"
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"text/template"
	"time"
	"unicode/utf8"
)

//go:embed *.md skills/*.md checks/*.md playbooks/*.md
var embedded embed.FS

const systemFile = "system.md"

// Values is what a file may use, as in {{.StateDir}}. In commands a folder is written {{sh .StateDir}}, which quotes it where it
// has to be.
type Values struct {
	Tier    int // 1 to 3
	MaxTier int // the highest tier that is started, 1 to 3

	StateDir   string
	ResultsDir string
	ReposDir   string
	ScratchDir string // the session's TMPDIR
	DocsDir    string // where the program lays out what Files returns
	Inventory  string // path of the services file; empty where there is none
	Shard      string // i/n: the part of its services that this session is for, named one a line in ShardFile; empty for all of them
	Plain      bool   // there is no shell: only programs of the policy, and files
	Probed     bool   // its checks were made already, and what they found is in the context

	DryRun  bool
	Trigger string // what started the cycle: manual, cron, systemd, kubernetes, escalation

	MaxRestarts           int // within RestartWindow, for one service
	RestartWindow         time.Duration
	MaxRedeployments      int // within RedeploymentWindow, for one service
	RedeploymentWindow    time.Duration
	MaxRemediationsPerDay int // of both kinds, for one service; 0 is none
}

// ShardFile has the names of the services of Values.Shard, below Values.DocsDir.
const ShardFile = "services.md"

// Set is a complete set of prompts: the embedded ones, less those that an operator replaced. A template is named as people know it:
// by the path of the override, or else by the embedded name.
type Set struct{ files map[string]*template.Template }

// Open parses all prompts. Each file below overrideDir stands in for the embedded one of the same relative name; an empty
// overrideDir overrides nothing. A folder that does not exist, a file in it that no prompt is called like, one that cannot be
// read, and one that does not render are errors; those of templates name the file and the line.
func Open(overrideDir string) (*Set, error) {
	texts, err := embeddedTexts()
	if err != nil {
		return nil, err
	}
	overrides, err := readOverrides(overrideDir, texts)
	if err != nil {
		return nil, err
	}
	set := &Set{files: make(map[string]*template.Template, len(texts))}
	for name, text := range texts {
		shown := name
		override, replaced := overrides[name]
		if replaced {
			shown, text = override.path, override.text
		}
		parsed, err := parse(shown, text)
		if err != nil {
			return nil, err
		}
		if replaced {
			if err := rehearse(parsed); err != nil {
				return nil, err
			}
		}
		set.files[name] = parsed
	}
	return set, nil
}

// Name is how a session remembers what it was asked: the name of the tier's prompt, or the path of the operator's. It is empty where
// there is no such tier.
func (s *Set) Name(tier int) string {
	if t, known := s.files[promptFile(tier)]; known {
		return t.Name()
	}
	return ""
}

// Prompt returns what a tier is asked to do. v.Tier is set from tier.
func (s *Set) Prompt(tier int, v Values) (string, error) { return s.of(tier, promptFile(tier), v) }

// System returns the system prompt of a tier: who the agent is, that what it reads is data, and what no tier may do. v.Tier is
// set from tier.
func (s *Set) System(tier int, v Values) (string, error) { return s.of(tier, systemFile, v) }

func (s *Set) of(tier int, name string, v Values) (string, error) {
	if promptFile(tier) == "" {
		return "", fmt.Errorf("there is no prompt for tier %d, only for 1, 2 and 3", tier)
	}
	v.Tier = tier
	return render(s.files[name], v)
}

// Files returns the skills, checks and playbooks by their path below v.DocsDir, with slashes.
func (s *Set) Files(v Values) (map[string]string, error) {
	docs := map[string]string{}
	for name, t := range s.files {
		if path.Dir(name) == "." {
			continue // a prompt: it is sent, not read
		}
		text, err := render(t, v)
		if err != nil {
			return nil, err
		}
		docs[name] = text
	}
	return docs, nil
}

// promptFile is the embedded name of a tier's prompt, empty where there is no such tier (the names are those of SPEC-0007 REQ-14).
func promptFile(tier int) string {
	switch tier {
	case 1:
		return "tier1-observe.md"
	case 2:
		return "tier2-investigate.md"
	case 3:
		return "tier3-remediate.md"
	}
	return ""
}

func embeddedTexts() (map[string]string, error) {
	texts := map[string]string{}
	err := fs.WalkDir(embedded, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := embedded.ReadFile(name)
		texts[name] = string(text)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("read the embedded prompts: %w", err)
	}
	return texts, nil
}

func parse(shown, text string) (*template.Template, error) {
	parsed, err := template.New(shown).Option("missingkey=error").Funcs(template.FuncMap{"sh": shellWord}).Parse(text)
	if err != nil {
		return nil, fmt.Errorf("prompt %s does not parse: %w", shown, err)
	}
	return parsed, nil
}

func render(t *template.Template, v Values) (string, error) {
	var text bytes.Buffer
	if err := t.Execute(&text, v); err != nil {
		return "", fmt.Errorf("prompt %s does not render (it may use %s): %w", t.Name(), valueNames(), err)
	}
	if rendered := strings.TrimSpace(text.String()); rendered != "" && utf8.ValidString(rendered) {
		return rendered + "\n", nil
	}
	return "", fmt.Errorf("prompt %s renders to nothing, or to something that is not UTF-8", t.Name())
}

// shellWord writes s as one word of a shell, quoted only where that is necessary: a plain path stays readable.
func shellWord(s string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("/._-+:@%,", r)
	}
	if s != "" && strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

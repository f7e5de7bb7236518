package policy

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// actions that a rule may have, from the mildest to the gravest. Where two apply, the graver one does.
func actions() []string {
	return []string{"observe", "change", "restart", "redeploy", "ask", "unknown", "forbidden"}
}

// Graver returns the graver of two actions; an empty one is the mildest.
func Graver(a, b string) string {
	if slices.Index(actions(), b) > slices.Index(actions(), a) {
		return b
	}
	return a
}

// document is the YAML form of a Policy.
type document struct {
	Programs    yaml.Node `yaml:"programs"`
	Remote      yaml.Node `yaml:"remote"`
	Changes     yaml.Node `yaml:"changes"`
	Reachable   []string  `yaml:"reachable"`
	Secrets     []string  `yaml:"secrets"`
	Etc         []string  `yaml:"etc"`
	Looked      []string  `yaml:"looked"`
	SecretHosts []string  `yaml:"secret_hosts"`
	Logs        []string  `yaml:"logs"`
	Rotated     []string  `yaml:"rotated"`
	Units       []string  `yaml:"units"`
	Hosts       []string  `yaml:"hosts"`
	Reading     string    `yaml:"reading"`
	SSH         []string  `yaml:"ssh"`
}

// rule is the YAML form of a Rule.
type rule struct {
	Do         string    `yaml:"do"`
	Options    string    `yaml:"options"`
	Persistent string    `yaml:"persistent"`
	Operands   string    `yaml:"operands"`
	Style      string    `yaml:"style"`
	Commands   yaml.Node `yaml:"commands"`
	Why        string    `yaml:"why"`
	Loose      bool      `yaml:"loose"`
	Bare       bool      `yaml:"bare"`
	Stdin      string    `yaml:"stdin"`
	Requires   string    `yaml:"requires"`
	Part       string    `yaml:"part"`
	Service    string    `yaml:"service"`
	Check      string    `yaml:"check"`
	Tiers      string    `yaml:"tiers"`
	Cwd        string    `yaml:"cwd"`
	SetID      bool      `yaml:"setid"`
	Writes     string    `yaml:"writes"`
}

// Parse reads a policy. Its error lists every fault with its line.
func Parse(data []byte) (*Policy, error) {
	var d document
	decoder := yaml.NewDecoder(strings.NewReader(string(data)))
	decoder.KnownFields(true)
	if err := decoder.Decode(&d); err != nil && !errors.Is(err, io.EOF) { // an empty file adds nothing
		return nil, fmt.Errorf("the policy cannot be read: %w", err)
	}
	if err := decoder.Decode(&yaml.Node{}); !errors.Is(err, io.EOF) {
		return nil, errors.New("the policy cannot be read: a second document begins in it; write one")
	}
	p := &Policy{
		Secrets: d.Secrets, Etc: d.Etc, Looked: d.Looked, SecretHosts: d.SecretHosts, Logs: d.Logs, Rotated: d.Rotated, Units: d.Units,
		Hosts: d.Hosts, SSH: d.SSH, Reachable: d.Reachable, Reading: strings.Fields(d.Reading),
	}
	var faults []string
	for _, list := range []struct {
		programs *[]Program
		node     *yaml.Node
	}{{&p.Programs, &d.Programs}, {&p.Remote, &d.Remote}, {&p.Changes, &d.Changes}} {
		top := &Rule{}
		faults = append(faults, parseCommands(top, list.node, 0)...)
		*list.programs = top.Commands
		sortPrograms(*list.programs)
	}
	if len(faults) > 0 {
		return nil, errors.New(strings.Join(faults, "\n"))
	}
	return p, nil
}

func sortPrograms(list []Program) {
	slices.SortFunc(list, func(a, b Program) int { return strings.Compare(a.Name, b.Name) })
}

// maxDepth bounds subcommands of subcommands, also where an alias names what it stands in.
const maxDepth = 8

// parseCommands adds the rules of a YAML mapping, whose keys are names with commas between them, each of one word or several.
func parseCommands(parent *Rule, node *yaml.Node, depth int) (faults []string) {
	if node.Kind == 0 {
		return nil
	}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if node.Kind != yaml.MappingNode || depth > maxDepth {
		return []string{fmt.Sprintf("line %d: want names of commands with a rule each, %d levels of them at most", node.Line, maxDepth)}
	}
	for i := 0; i+1 < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		made, wrong := parseRule(value, depth+1)
		faults = append(faults, wrong...)
		for name := range strings.SplitSeq(key.Value, ",") {
			if !place(parent, strings.Fields(name), made) {
				faults = append(faults, fmt.Sprintf("line %d: %q has a rule already", key.Line, strings.TrimSpace(name)))
			}
		}
	}
	return faults
}

// place puts a rule under its words, below the rules of the words before it. It reports false where there is one already.
func place(parent *Rule, words []string, made *Rule) bool {
	at := parent
	for i, word := range words {
		if at == made { // "addr, addr show": the longer name stands below the shorter one, and not below itself
			alone := *made
			alone.Commands, made = nil, &alone
		}
		last := i == len(words)-1
		j := slices.IndexFunc(at.Commands, func(c Command) bool { return c.Name == word })
		switch {
		case j >= 0 && last:
			there := at.Commands[j].Rule
			if there.Do != "" || there.Options != "" || there.Persistent != "" {
				return false
			}
			merged := *made // a rule whose subcommands came first
			merged.Commands = append(slices.Clone(there.Commands), made.Commands...)
			*there = merged
			return true
		case j >= 0:
			at = at.Commands[j].Rule
		case last:
			at.Commands = append(at.Commands, Command{word, made})
		default:
			next := &Rule{}
			at.Commands = append(at.Commands, Command{word, next})
			at = next
		}
	}
	return len(words) > 0
}

func parseRule(node *yaml.Node, depth int) (*Rule, []string) {
	var r rule
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	if faults := unknownKeys(node); len(faults) > 0 {
		return &Rule{}, faults
	}
	if err := node.Decode(&r); err != nil {
		return &Rule{}, []string{err.Error()}
	}
	made := &Rule{
		Do: r.Do, Options: squeeze(r.Options), Persistent: squeeze(r.Persistent), Operands: squeeze(r.Operands), Style: r.Style, Why: r.Why,
		Loose: r.Loose, Bare: r.Bare, Stdin: r.Stdin, Requires: squeeze(r.Requires), Part: r.Part, Service: r.Service,
		Check: r.Check, Tiers: r.Tiers, Cwd: r.Cwd, SetID: r.SetID, Writes: squeeze(r.Writes),
	}
	faults := append(actionFault(r.Do, fmt.Sprintf("line %d", node.Line)), wordFaults(made, node.Line)...)
	if len(node.Content) == 0 {
		faults = append(faults, fmt.Sprintf("line %d: the rule is empty", node.Line))
	}
	return made, append(faults, parseCommands(made, &r.Commands, depth)...)
}

// wordFaults are misspelled words of members that take one of a few.
func wordFaults(r *Rule, line int) (faults []string) {
	for _, member := range []struct{ name, value, choice string }{
		{"style", r.Style, "find flag gnu pflag strict word"}, {"stdin", r.Stdin, "data none psql mysql sqlite redis"}, {"service", r.Service, "operands project kube base"},
		{"part", r.Part, "first last"}, {"cwd", r.Cwd, "code settings repository"},
		{"check", r.Check, "http certificate unit service chmod chown rm truncate ps journal plain stack dns endpoint rotated"}, {"tiers", strings.Trim(r.Tiers, "123"), ""},
	} {
		if member.value != "" && !slices.Contains(strings.Fields(member.choice), member.value) {
			faults = append(faults, fmt.Sprintf("line %d: %s: %q is none of %s", line, member.name, member.value, reasonable(member.choice)))
		}
	}
	return faults
}

func reasonable(choice string) string {
	if choice == "" {
		return "the tiers 1, 2 and 3"
	}
	return strings.Join(strings.Fields(choice), ", ")
}

// unknownKeys are misspelled members, which must not pass: a rule without its "requires" would grant more.
func unknownKeys(node *yaml.Node) (faults []string) {
	known := []string{"do", "options", "persistent", "operands", "style", "commands", "why", "loose", "bare", "stdin", "requires", "part", "service", "check", "tiers", "cwd", "setid", "writes"}
	if node.Kind != yaml.MappingNode {
		return []string{fmt.Sprintf("line %d: want a rule: do, options, operands, …", node.Line)}
	}
	for i := 0; i < len(node.Content); i += 2 {
		if key := node.Content[i]; !slices.Contains(known, key.Value) {
			faults = append(faults, fmt.Sprintf("line %d: %q is none of %s", key.Line, key.Value, strings.Join(known, ", ")))
		}
	}
	return faults
}

func actionFault(do, at string) []string {
	if do == "" || slices.Contains(actions(), do) {
		return nil
	}
	return []string{fmt.Sprintf("%s: %q is none of %s", at, do, strings.Join(actions(), ", "))}
}

func squeeze(s string) string { return strings.Join(strings.Fields(s), " ") }

package policy

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// actions are those of a rule, from the mildest to the gravest. If two apply, the graver one counts.
var actions = []string{"observe", "change", "restart", "redeploy", "ask", "unknown", "forbidden"}

// graver returns the graver of two actions; an empty one is the mildest.
func graver(a, b string) string {
	if slices.Index(actions, b) > slices.Index(actions, a) {
		return b
	}
	return a
}

// document is the YAML form of a Policy. Its rules and words are parsed separately.
type document struct {
	Policy   `yaml:",inline"`
	Programs yaml.Node
	Remote   yaml.Node
	Reading  string
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
	p := &d.Policy
	p.Reading = strings.Fields(d.Reading)
	var faults []string
	for _, list := range []struct {
		programs *[]Program
		node     *yaml.Node
	}{{&p.Programs, &d.Programs}, {&p.Remote, &d.Remote}} {
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

// maxDepth limits nested subcommands, including those of an alias that contains itself.
const maxDepth = 8

// parseCommands adds the rules of a YAML mapping. Each key is a comma-separated list of names, and each name is one or more words.
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

// place puts a rule under its words, below the rules of the words before it. It returns false if the words have a rule already.
func place(parent *Rule, words []string, made *Rule) bool {
	at := parent
	for i, word := range words {
		if at == made { // "addr, addr show": the longer name belongs below the shorter one, not below itself
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
	made := &Rule{}
	if node.Kind == yaml.AliasNode {
		node = node.Alias
	}
	commands, faults := membersOf(node)
	if len(faults) > 0 {
		return made, faults
	}
	if err := node.Decode(made); err != nil {
		return made, []string{err.Error()}
	}
	for _, words := range []*string{&made.Options, &made.Persistent, &made.Operands, &made.Requires, &made.Writes} {
		*words = strings.Join(strings.Fields(*words), " ")
	}
	return made, slices.Concat(wordFaults(made, node.Line), parseCommands(made, commands, depth))
}

// wordFaults returns the invalid words of members that take one word of a list.
func wordFaults(r *Rule, line int) (faults []string) {
	for _, member := range []struct{ name, value, choice string }{
		{"do", r.Do, strings.Join(actions, " ")}, {"style", r.Style, "find flag gnu pflag strict word"}, {"stdin", r.Stdin, "data none psql mysql sqlite redis"},
		{"cwd", r.Cwd, "code settings"},
		{"check", r.Check, "http certificate service ps journal dns endpoint"}, {"tiers", strings.Trim(r.Tiers, "123"), "1 2 3"},
	} {
		if member.value != "" && !slices.Contains(strings.Fields(member.choice), member.value) {
			faults = append(faults, fmt.Sprintf("line %d: %s: %q is none of %s", line, member.name, member.value, strings.Join(strings.Fields(member.choice), ", ")))
		}
	}
	return faults
}

// membersOf finds the commands of a rule, and misspelled members. Those must be faults: a rule without its "requires" would grant more.
func membersOf(rule *yaml.Node) (commands *yaml.Node, faults []string) {
	known := []string{"do", "options", "persistent", "operands", "style", "commands", "why", "loose", "bare", "stdin", "requires", "check", "tiers", "cwd", "setid", "writes"}
	if rule.Kind != yaml.MappingNode || len(rule.Content) == 0 {
		return nil, []string{fmt.Sprintf("line %d: want a rule: do, options, operands, …", rule.Line)}
	}
	commands = &yaml.Node{}
	for i := 0; i < len(rule.Content); i += 2 {
		switch key := rule.Content[i]; {
		case key.Value == "commands":
			commands = rule.Content[i+1]
		case !slices.Contains(known, key.Value):
			faults = append(faults, fmt.Sprintf("line %d: %q is none of %s", key.Line, key.Value, strings.Join(known, ", ")))
		}
	}
	return commands, faults
}

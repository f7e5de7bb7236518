package hooks

import (
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/text"
)

// Names of settings: dotted in the file, GUARDRAILS_… in the environment, and what somebody meant who misspelled one.

const variablePrefix = "GUARDRAILS_"

// base is a path's last part, empty for the empty path.
func base(path string) string {
	if path == "" {
		return ""
	}
	return filepath.Base(path)
}

// hookName is a key as it stands below a pattern.
func hookName(s setting) string { return strings.TrimPrefix(s.key, section) }

func hookKey(pattern string, s setting) string {
	return fmt.Sprintf("%s.%q.%s", hooksSection, pattern, hookName(s))
}

// keys are the names that may stand in a place of the file.
func keys(table []setting, place goes) []string {
	var names []string
	for _, s := range table {
		switch {
		case s.goes&place == 0:
		case place == forHooks:
			names = append(names, hookName(s))
		default:
			names = append(names, s.key)
		}
	}
	return names
}

// knows reports whether a key has a value, or further keys below it.
func knows(keys []string, key string) (leaf, section bool) {
	for _, known := range keys {
		leaf = leaf || known == key
		section = section || strings.HasPrefix(known, key+".")
	}
	return leaf, section
}

// withSections adds the keys that have others below them.
func withSections(keys []string) []string {
	all := slices.Clone(keys)
	for _, key := range keys {
		for i := range len(key) {
			if key[i] == '.' && !slices.Contains(all, key[:i]) {
				all = append(all, key[:i])
			}
		}
	}
	return all
}

// guardrailsVariables are those with our prefix that are not empty. As for a process, the last of a name counts.
func guardrailsVariables(environ []string) map[string]string {
	var variables map[string]string
	for _, entry := range environ {
		if !strings.HasPrefix(entry, variablePrefix) {
			continue
		}
		if variables == nil {
			variables = map[string]string{}
		}
		name, text, _ := strings.Cut(entry, "=")
		variables[name] = strings.TrimSpace(text)
	}
	return variables
}

// variableNames are the variables of a key: the whole path, and for those of the breaker itself the path without it.
func variableNames(key string) []string {
	name := func(key string) string { return variablePrefix + strings.ToUpper(strings.ReplaceAll(key, ".", "_")) }
	if short, ok := strings.CutPrefix(key, section); ok {
		return []string{name(key), name(short)}
	}
	return []string{name(key)}
}

// variable is the one that sets a key, empty where there is none. The full name counts before the short one.
func variable(variables map[string]string, key string) (name, text string) {
	if len(variables) == 0 {
		return "", ""
	}
	for _, name := range variableNames(key) {
		if text := variables[name]; text != "" {
			return name, text
		}
	}
	return "", ""
}

// fromVariable makes the text of a variable what would stand in the file: lists may be written a,b, and what has several values as
// in the file. It is nil where that is no YAML.
func (r *reading) fromVariable(s setting, name, text string) *yaml.Node {
	scalar := func(text string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text} }
	switch s.kind.(type) {
	case patterns:
		if !strings.HasPrefix(text, "[") && !strings.HasPrefix(text, "{") {
			list := &yaml.Node{Kind: yaml.SequenceNode}
			for element := range strings.SplitSeq(text, ",") {
				if element = strings.TrimSpace(element); element != "" {
					list.Content = append(list.Content, scalar(element))
				}
			}
			return list
		}
	case mapping:
	default:
		return scalar(text)
	}
	if len(text) > maxConfigFile {
		r.fault(name, "%d bytes; at most %d are read; it has no effect", len(text), maxConfigFile)
		return nil
	}
	node, _, err := parseYAML([]byte(text))
	if err != nil {
		r.fault(name, "not YAML (%v); must be %s; it has no effect", err, s.kind.want())
		return nil
	}
	return node
}

func (r *reading) unknownVariables(variables map[string]string, table []setting) {
	if len(variables) == 0 {
		return
	}
	known := []string{configFileVariable}
	for _, key := range keys(table, forAll) {
		known = append(known, variableNames(key)...)
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if !slices.Contains(known, name) {
			r.fault(name, "no such variable, it has no effect%s", r.didYouMean(name, known))
		}
	}
}

func (r *reading) didYouMean(key string, known []string) string {
	if len(r.config.Faults) > maxConfigFaults { // nobody is told
		return ""
	}
	bare := func(name string) string { return strings.TrimPrefix(name, variablePrefix) }
	near := text.Nearest(key, known, bare)
	if near == "" { // it may be of another section
		near = text.Nearest(key, known, func(name string) string { return bare(name)[strings.LastIndexByte(bare(name), '.')+1:] })
	}
	if near == "" {
		return ""
	}
	return "; did you mean " + near + "?"
}

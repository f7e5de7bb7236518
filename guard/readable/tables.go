package readable

import (
	"cmp"
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/lazy"
)

var (
	//go:embed readable.yaml
	tablesFile []byte
	//go:embed credentials.txt
	credentialsFile string
)

// tableFiles is the content of readable.yaml and credentials.txt.
type tableFiles struct {
	Names  map[string]patterns
	Places []struct {
		Manner     manner
		Why, Paths string
	}
	machine []place // the places, parents first
	marks   []mark
}

// tables parses the two files on first use.
var tables = sync.OnceValue(func() (c tableFiles) {
	if err := yaml.Unmarshal(tablesFile, &c); err != nil {
		panic("readable.yaml: " + err.Error())
	}
	for _, p := range c.Places {
		for path := range strings.FieldsSeq(p.Paths) {
			c.machine = append(c.machine, place{path, p.Manner, p.Why})
		}
	}
	slices.SortFunc(c.machine, func(a, b place) int { return cmp.Compare(a.path, b.path) })
	for line := range strings.Lines(credentialsFile) {
		hints, expression, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
		if found {
			c.marks = append(c.marks, mark{strings.Split(hints, ", "), lazy.Regexp(expression)})
		}
	}
	return c
})

// UnmarshalYAML parses the name of a manner.
func (m *manner) UnmarshalYAML(n *yaml.Node) error {
	*m = manner(slices.Index([]string{"never", "whole", "settings", "scripts", "stacks", "repos", "logs", "pids", "gitdir", "objects"}, n.Value))
	if *m < 0 {
		return fmt.Errorf("line %d: %q is no manner", n.Line, n.Value)
	}
	return nil
}

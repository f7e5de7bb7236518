package guard

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/internal/lazy"
)

// ClosedName reports whether a path is closed to agents by its name or that of a folder in it, wherever it lies:
// in the sandbox, in a repository, on another machine.
func ClosedName(file string) bool {
	file = path.Clean(file)
	closed := closedName(file, false)
	for at := file; at != "/" && at != "." && !closed; at = path.Dir(at) {
		closed = closedName(at, true)
	}
	return closed
}

// closedName reports whether the name of a file or folder closes it, or that of what it is a copy of.
func closedName(name string, folder bool) bool {
	table := filesTable()
	for name = strings.ToLower(name); name != ""; name = copyOf(name) {
		if folder {
			if table.Folders.fit(name) {
				return true
			}
			continue
		}
		for _, list := range table.Names {
			if list.Closed.fit(name) {
				return true
			}
			if list.Open.fit(name) {
				return false
			}
		}
	}
	return false
}

// ClosedNames returns the patterns of closed names, a file's and a folder's, for programs that take patterns.
func ClosedNames() (patterns []string) {
	table := filesTable()
	for _, list := range table.Names {
		for _, p := range list.Closed {
			patterns = append(patterns, p.pattern, p.pattern+".*", p.pattern+"~") // and its copies
			patterns = append(patterns, p.pattern+"-20*", p.pattern+"-old", p.pattern+"-wal")
		}
	}
	for _, p := range table.Folders {
		patterns = append(patterns, p.pattern+"/**")
	}
	return patterns
}

// datedCopy matches what marks a copy, besides the endings of the table.
var datedCopy = lazy.Regexp(`(?:[-.]20[0-9-]+|\.[0-9]+|-wal|-shm|~)$`)

// copyOf removes one mark of a copy from a name; it returns "" if there is none.
func copyOf(name string) string {
	if end := path.Ext(name); end != "" && filesTable().Copies.fit(end[1:]) {
		return strings.TrimSuffix(name, end)
	}
	if of := datedCopy().ReplaceAllString(name, ""); of != name {
		return of
	}
	return ""
}

// filesTables is the content of files.yaml.
type filesTables struct {
	Names           []struct{ Open, Closed namePatterns } // the first that fits decides
	Folders, Copies namePatterns
	Places          []struct {
		Manner     fileManner
		Why, Paths string
	}
}

//go:embed files.yaml
var filesYAML []byte

// filesTable parses the table on first use.
var filesTable = sync.OnceValue(func() *filesTables {
	t := &filesTables{}
	if err := yaml.Unmarshal(filesYAML, t); err != nil {
		panic("files.yaml: " + err.Error()) // a test parses it
	}
	return t
})

// namePatterns fit the ends of paths in lower case.
type namePatterns []namePattern

// namePattern is a pattern, how many names it has, and a text that the last of them holds: it refuses most names.
type namePattern struct {
	pattern string
	names   int
	literal string
}

var wildcards = lazy.Regexp(`\[[^]]*]|[*?\\]`)

// UnmarshalYAML parses patterns separated by blanks.
func (p *namePatterns) UnmarshalYAML(n *yaml.Node) error {
	for _, pattern := range strings.Fields(n.Value) {
		if err := p.add(pattern); err != nil {
			return fmt.Errorf("line %d: %q: %w", n.Line, pattern, err)
		}
	}
	return nil
}

func (p *namePatterns) add(pattern string) error {
	added := namePattern{pattern: strings.ToLower(pattern), names: strings.Count(pattern, "/") + 1}
	for _, text := range wildcards().Split(path.Base(added.pattern), -1) {
		if len(text) > len(added.literal) {
			added.literal = text
		}
	}
	*p = append(*p, added)
	_, err := path.Match(pattern, "")
	return err
}

// fit reports whether one of the patterns fits the end of a path.
func (p namePatterns) fit(file string) bool {
	name := path.Base(file)
	return slices.ContainsFunc(p, func(p namePattern) bool {
		if !strings.Contains(name, p.literal) {
			return false
		}
		names := strings.Split(file, "/")
		fits, err := path.Match(p.pattern, strings.Join(names[max(0, len(names)-p.names):], "/"))
		return fits && err == nil
	})
}

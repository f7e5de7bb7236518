package hooks

import (
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// reading collects the faults while the file and the environment are read into a configuration.
type reading struct {
	config *Config
	faults strict.Faults
}

func (r *reading) fault(at, format string, args ...any) {
	r.faults.Add(at, fmt.Sprintf(format, args...))
}

// origin returns the source of the values on a line: the file and the line, or a variable.
type origin func(line int32) string

// all reads every key: its default, then the file, then the environment.
func (r *reading) all(table []setting, data []byte, variables map[string]string) {
	known := []string{configFileVariable}
	for _, s := range table {
		if s.set != nil {
			s.set(s.def)
		}
		if s.place&forAll != 0 {
			known = append(known, s.variables()...)
		}
	}
	if root, ok := r.parse(data, filepath.Base(r.config.File), "every default is used"); ok && !unset(root) {
		file := func(line int32) string { return fmt.Sprintf("%s:%d", filepath.Base(r.config.File), line) }
		if root.Kind == strict.Mapping {
			maps.Copy(r.config.sources, r.fill(root, "", table, forAll, file))
		} else {
			r.fault(file(root.Line), "%s where there must be keys, such as circuit_breaker; every default is used", describe(root))
		}
	}
	for _, s := range table {
		for _, name := range s.variables() { // the full name takes precedence over the short one
			if given := variables[name]; given != "" && s.place&forAll != 0 {
				if n, ok := r.variable(s, name, given); ok && r.take(s, n, "", forAll, func(int32) string { return name }) {
					r.config.sources[s.key] = name
				}
				break
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(variables)) {
		if !slices.Contains(known, name) {
			r.fault(name, "no such variable, it has no effect%s", didYouMean(name, known))
		}
	}
}

// parse parses the YAML of a file or a variable. otherwise says what is used if it is invalid.
func (r *reading) parse(data []byte, name, otherwise string) (root *strict.Node, ok bool) {
	var faults strict.Faults
	if len(data) > maxConfigFile {
		r.fault(name, "%d bytes; at most %d are read; %s", len(data), maxConfigFile, otherwise)
		return nil, false
	}
	node, ok := strict.YAML(data, maxConfigFile, &faults)
	for _, fault := range faults.List() {
		r.fault(name, "%s; %s", fault, otherwise)
	}
	return &node, ok
}

// variable converts the text of a variable to what the file would hold. Lists may be written a,b; mappings are written as in the file.
func (r *reading) variable(s setting, name, given string) (n *strict.Node, ok bool) {
	_, isList := s.into.(*[]string)
	switch {
	case s.set != nil:
		return &strict.Node{Value: given}, true
	case !isList || strings.HasPrefix(given, "[") || strings.HasPrefix(given, "{"):
		return r.parse([]byte(given), name, "must be "+s.want+"; it has no effect")
	}
	n = &strict.Node{Kind: strict.List}
	for element := range strings.SplitSeq(given, ",") {
		if element = strings.TrimSpace(element); element != "" {
			n.Content = append(n.Content, strict.Node{Value: element})
		}
	}
	return n, true
}

// fill applies the values of a mapping to the settings of a place, and returns the sources of the valid ones, by key. If a key occurs
// twice, neither value is used, because it is unknown which was meant. Duplicate sections are merged.
func (r *reading) fill(m *strict.Node, above string, table []setting, where place, from origin) (sources map[string]string) {
	var names []string
	for _, s := range table {
		if s.place&where != 0 {
			names = append(names, s.name(where))
		}
	}
	found, seen := map[string]*strict.Node{}, map[string]int32{}
	var collect func(m *strict.Node, prefix string)
	collect = func(m *strict.Node, prefix string) {
		r.pairs(m, from, func(name, value *strict.Node) {
			key := prefix + name.Value
			line, twice := seen[key]
			seen[key] = name.Line
			isSection := slices.ContainsFunc(names, func(known string) bool { return strings.HasPrefix(known, key+".") })
			fault := func(format string, args ...any) { r.fault(from(name.Line), above+key+": "+format, args...) }
			if twice && isSection {
				fault("it is in line %d too; what both say counts", line)
			}
			switch {
			case isSection && value.Kind == strict.Mapping:
				collect(value, key+".")
			case isSection && !unset(value):
				fault("%s where there must be further keys; it has no effect", describe(value))
			case isSection:
			case !slices.Contains(names, key):
				r.fault(from(name.Line), "%s%s: no such key, it has no effect%s", above, quoteKey(key), didYouMean(key, withSections(names)))
			case twice:
				fault("it is in line %d too; neither counts, keep one", line)
				found[key] = nil
			default:
				found[key] = value
			}
		})
	}
	collect(m, "")
	sources = map[string]string{}
	for _, s := range table {
		if n := found[s.name(where)]; s.place&where != 0 && n != nil && r.take(s, n, above, where, from) {
			sources[s.key] = from(n.Line)
		}
	}
	return sources
}

// take sets a key to a value, and reports whether the value is valid.
func (r *reading) take(s setting, n *strict.Node, above string, where place, from origin) bool {
	fault := func(otherwise string) bool {
		r.fault(from(n.Line), "%s%s: %s; must be %s; %s", above, s.name(where), describe(n), s.want, otherwise)
		return false
	}
	switch into := s.into.(type) {
	case *[]string:
		return !unset(n) && r.patterns(s.key, n, from, into)
	case *[]override, *[]dependency:
		if unset(n) {
			return false
		}
		if n.Kind != strict.Mapping {
			return fault("it has no effect")
		}
		r.byPattern(s, n, from)
		return true
	}
	switch {
	case unset(n):
		return false
	case n.Kind != strict.Mapping && n.Kind != strict.List && s.set(n.Value):
		return true
	case where == forHooks:
		return fault("what holds for other hooks is used")
	}
	return fault(cmp.Or(s.show(), "none") + " is used")
}

// patterns reads a list of patterns, or a single pattern.
func (r *reading) patterns(key string, n *strict.Node, from origin, into *[]string) bool {
	elements := n.Content
	switch n.Kind {
	case strict.Mapping:
		r.fault(from(n.Line), "%s: %s; must be a list of patterns; it has no effect", key, describe(n))
		return false
	case strict.List:
	default:
		elements = []strict.Node{*n}
	}
	*into = make([]string, 0, len(elements))
	for _, e := range elements {
		if e.Kind == strict.List || e.Kind == strict.Null || !isPattern(e.Value) {
			r.fault(from(e.Line), "%s: %s; must be %s; it is left out", key, describe(&e), aPattern)
			continue
		}
		*into = append(*into, e.Value)
	}
	return true
}

// maxPattern limits a pattern, in bytes, because it is matched on every call of every hook.
const maxPattern = 1 << 10

// aPattern describes what isPattern accepts.
const aPattern = "a pattern, which is a part of a hook's command, of at most 1024 bytes"

func isPattern(given string) bool {
	return strings.Trim(given, " \t\r\n") != "" && len(given) <= maxPattern
}

// byPattern reads the settings, or the dependencies, of the hooks of each pattern. Valid values are used whatever the others are.
func (r *reading) byPattern(s setting, m *strict.Node, from origin) {
	overrides, isOverride := s.into.(*[]override)
	if isOverride {
		*overrides = nil
	} else {
		r.config.dependencies = nil
	}
	seen := map[string]int32{}
	r.pairs(m, from, func(name, value *strict.Node) {
		pattern := name.Value
		key := fmt.Sprintf("%s.%q", s.key, pattern)
		line, twice := seen[pattern]
		seen[pattern] = name.Line
		switch {
		case !isPattern(pattern):
			r.fault(from(name.Line), "%s: %s; must be %s; it has no effect", s.key, describe(name), aPattern)
			return
		case twice:
			r.fault(from(name.Line), "%s: it is in line %d too; what both say counts", key, line)
		}
		switch {
		case unset(value):
		case !isOverride:
			d := dependency{pattern: pattern, source: from(value.Line)}
			if r.patterns(key, value, from, &d.on) && len(d.on) > 0 {
				r.config.dependencies = append(r.config.dependencies, d)
			}
		case value.Kind != strict.Mapping:
			r.fault(from(value.Line), "%s: %s where there must be settings, such as failure_threshold; it has no effect", key, describe(value))
		default:
			o := override{pattern: pattern}
			table := settings(&Config{})
			sources := r.fill(value, key+".", table, forHooks, from)
			for i, s := range table {
				if source, set := sources[s.key]; set && s.place&forHooks != 0 {
					o.values = append(o.values, overriding{i, s.show(), source})
				}
			}
			*overrides = append(*overrides, o)
		}
	})
}

// pairs calls each for every key of a mapping with its value.
func (r *reading) pairs(m *strict.Node, from origin, each func(name, value *strict.Node)) {
	for i := 0; i+1 < len(m.Content); i += 2 {
		name := &m.Content[i]
		if name.Kind == strict.List || name.Kind == strict.Mapping {
			r.fault(from(name.Line), "%s where there must be a key; it has no effect", describe(name))
			continue
		}
		each(name, &m.Content[i+1])
	}
}

// unset reports whether a key has no value.
func unset(n *strict.Node) bool {
	return n.Kind == strict.Null || n.Kind != strict.List && n.Kind != strict.Mapping && n.Value == ""
}

// describe formats a value for a fault.
func describe(n *strict.Node) string {
	if n.Kind == strict.List || n.Kind == strict.Mapping {
		return n.Kind.String()
	}
	return strict.Quote(n.Value)
}

// quoteKey quotes a key unless it is unambiguous.
func quoteKey(key string) string {
	if strings.Trim(key, "abcdefghijklmnopqrstuvwxyz_.") == "" && key != "" {
		return text.Shorten(key, 60)
	}
	return strict.Quote(key)
}

// withSections returns the keys together with their sections.
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

func didYouMean(key string, known []string) string {
	bare := func(name string) string { return strings.TrimPrefix(name, variablePrefix) }
	lastPart := func(name string) string { return bare(name)[strings.LastIndexByte(bare(name), '.')+1:] } // it may belong to another section
	if near := cmp.Or(text.Nearest(key, known, bare), text.Nearest(key, known, lastPart)); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

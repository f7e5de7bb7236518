package config

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Sources of a value other than files.
const (
	FromDefault     = "default"
	FromEnvironment = "environment"
)

// Environment is the effective environment: the process's own, the environment file, over which that takes precedence, and the contents
// of files named by NAME_FILE variables. It knows the source of each value.
type Environment struct {
	// Warnings are about variables that are probably misspelled, one sentence each.
	Warnings []string

	values  map[string]value
	file    layer    // the environment file alone
	secrets []string // the paths of the environment file, if there is one, and of files named by NAME_FILE variables, from all sources
}

// value is a variable's value and its source: FromEnvironment, "path:line" of the environment file, or a secret's own file.
type value struct{ text, source string }

// Variable is one row of the table that `claudeops env` prints.
type Variable struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // masked if it is secret
	Source  string `json:"source"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
}

// Environ returns the whole environment in the form of os.Environ, sorted. A secret given as NAME_FILE is there as NAME, without the
// NAME_FILE.
func (e *Environment) Environ() []string {
	entries := make([]string, 0, len(e.values))
	for name, v := range e.values {
		entries = append(entries, name+"="+v.text)
	}
	slices.Sort(entries)
	return entries
}

// SecretFiles returns patterns of the files that no agent may read, sorted: those in CLAUDEOPS_SECRET_FILES, the environment file, and
// files named by NAME_FILE variables. A link is followed by its target.
func (e *Environment) SecretFiles() []string {
	var all Patterns
	_ = all.Decode(e.Get("CLAUDEOPS_SECRET_FILES")) // Load has reported its faults
	for _, file := range slices.Concat(all, e.secrets) {
		path, err := filepath.Abs(file)
		if err != nil || file == "" {
			continue
		}
		if slices.Contains(e.secrets, file) {
			all = append(all, Literal(path))
		}
		if target, err := filepath.EvalSymlinks(path); err == nil {
			all = append(all, Literal(target))
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// Get returns the effective value of any variable; empty if it is unset.
func (e *Environment) Get(name string) string { return e.values[name].text }

// FromFile returns the value of a variable in the environment file, even if another source overrides it.
func (e *Environment) FromFile(name string) (text string, set bool) {
	v, set := e.file[name]
	return v.text, set
}

// Lookup returns the value of a variable in an environment of the form of Environ; empty if it is unset. As for a process, the last entry
// counts.
func Lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if text, found := strings.CutPrefix(entry, name+"="); found {
			return text
		}
	}
	return ""
}

// Variables returns every CLAUDEOPS_ variable in the order of the table, followed by the agent program's credentials that are set.
func (e *Environment) Variables() []Variable {
	var rows []Variable
	for _, d := range definitions() {
		row := Variable{Name: d.name, Value: d.def, Source: FromDefault, Default: d.def, Meaning: d.meaning}
		if v, set := e.values[d.name]; set {
			row.Value, row.Source = d.mask(v.text), v.source
		}
		rows = append(rows, row)
	}
	for _, c := range credentials() {
		if v, set := e.values[c.name]; set {
			rows = append(rows, Variable{Name: c.name, Value: c.mask(v.text), Source: v.source, Meaning: c.meaning})
		}
	}
	return rows
}

// layer holds the variables of one source before merging.
type layer map[string]value

func processLayer() layer {
	l := layer{}
	for _, entry := range os.Environ() {
		if name, text, found := strings.Cut(entry, "="); found {
			l[name] = value{text, FromEnvironment}
		}
	}
	return l
}

// fileLayer reads an environment file; an empty path means none. As with systemd, a variable's last line counts.
func fileLayer(path string, read func(path string) ([]byte, error)) (layer, []string) {
	if path == "" {
		return layer{}, nil
	}
	text, err := read(path)
	if err != nil {
		return nil, []string{path + ": the environment file cannot be read (" + reason(err) + "); make it readable, or name another with --env-file"}
	}
	assignments, faults := parseEnvFile(text)
	for i, fault := range faults {
		faults[i] = path + ": " + fault
	}
	l := layer{}
	for _, a := range assignments {
		l[a.name] = value{a.value, path + ":" + strconv.Itoa(a.line)}
	}
	return l, faults
}

// settle removes empty CLAUDEOPS_ variables, and replaces NAME_FILE variables by the secrets in their files, whose paths it returns. A
// layer may hold only one form of a secret. Between layers, the upper one's form takes precedence.
func (l layer) settle() (files, faults []string) {
	for name, v := range l {
		if strings.HasPrefix(name, Prefix) && strings.TrimSpace(v.text) == "" {
			delete(l, name)
		}
	}
	for _, d := range append(definitions(), credentials()...) {
		if v, set := l[d.name]; set && v.text == "" {
			delete(l, d.name)
		}
		if !d.hasFileForm() {
			continue
		}
		if file := l[d.name+"_FILE"].text; file != "" {
			files = append(files, file)
		}
		if fault := l.settleSecret(d.name); fault != "" {
			faults = append(faults, fault)
		}
	}
	return files, faults
}

func (l layer) settleSecret(name string) (fault string) {
	form := name + "_FILE"
	named, set := l[form]
	delete(l, form)
	if !set || named.text == "" {
		return ""
	}
	if _, both := l[name]; both {
		return name + " and " + form + " are both set (" + named.source + "); keep one"
	}
	text, err := readFile(named.text)
	content := strings.TrimRight(string(text), "\r\n")
	switch {
	case err != nil:
		fault := "cannot be read (" + reason(err) + "); name a file that holds the value"
		return assigned(form, named) + ": " + cmp.Or(quotesFault(named.text), fault)
	case strings.TrimSpace(content) == "":
		return assigned(form, named) + ": the file is empty; write the value into it"
	case strings.ContainsRune(content, 0):
		return assigned(form, named) + ": the file holds a NUL byte; write the value into it as text"
	}
	l[name] = value{content, named.text}
	return ""
}

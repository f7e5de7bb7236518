package config

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// Sources of a value that are no file.
const (
	FromDefault     = "default"
	FromEnvironment = "environment"
)

// Environment is the environment in force: the process's own, below it the environment file, and the contents of the files that
// NAME_FILE variables name. It says where each value comes from.
type Environment struct {
	// Warnings are about variables that are probably misspelled, a sentence each.
	Warnings []string

	values  map[string]value
	file    layer    // what the environment file says alone
	secrets []string // the environment file, if there is one, and what NAME_FILE variables name, in whichever layer
}

// value is what a variable holds and where from: FromEnvironment, "path:line" of the environment file, or a secret's own file.
type value struct{ text, source string }

// Variable is one row of the table that `claudeops env` prints.
type Variable struct {
	Name    string `json:"name"`
	Value   string `json:"value"` // masked where it is secret
	Source  string `json:"source"`
	Default string `json:"default"`
	Meaning string `json:"meaning"`
}

// Environ is the whole environment in the form of os.Environ, sorted. A secret that a NAME_FILE variable named is there as
// NAME; its NAME_FILE does not.
func (e *Environment) Environ() []string {
	entries := make([]string, 0, len(e.values))
	for name, v := range e.values {
		entries = append(entries, name+"="+v.text)
	}
	slices.Sort(entries)
	return entries
}

// SecretFiles are patterns of the files in which the operator keeps what no agent may read: those of CLAUDEOPS_SECRET_FILES, the
// environment file, and those that NAME_FILE variables name, sorted; one that is a link is followed by what it leads to.
func (e *Environment) SecretFiles() []string {
	var all Patterns
	_ = all.Decode(e.Get("CLAUDEOPS_SECRET_FILES")) // Load has said what is wrong with it
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

// Get returns the value of any variable in force, empty where it is unset.
func (e *Environment) Get(name string) string { return e.values[name].text }

// FromFile returns the value that the environment file has for a variable, whether or not it is the one in force.
func (e *Environment) FromFile(name string) (text string, set bool) {
	v, set := e.file[name]
	return v.text, set
}

// Lookup returns the value of a variable in an environment of the form of Environ, empty where it is unset. As for a process, the
// last entry counts.
func Lookup(environ []string, name string) string {
	for _, entry := range slices.Backward(environ) {
		if text, found := strings.CutPrefix(entry, name+"="); found {
			return text
		}
	}
	return ""
}

// Variables returns every CLAUDEOPS_ variable in the order of the table, and then those of the agent program's credentials that are set.
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

// layer is one origin of variables before they are merged.
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

// fileLayer reads an environment file; an empty path is none. The last line about a variable counts, as with systemd.
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

// settle makes empty CLAUDEOPS_ variables unset ones, and secrets of NAME_FILE variables, whose files it returns. Within one layer a secret
// has one form only; between two the upper layer's form counts, whichever it is.
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
		return assigned(form, named) + ": cannot be read (" + reason(err) + "); name a file that holds the value"
	case strings.TrimSpace(content) == "":
		return assigned(form, named) + ": the file is empty; write the value into it"
	case strings.ContainsRune(content, 0):
		return assigned(form, named) + ": the file holds a NUL byte; write the value into it as text"
	}
	l[name] = value{content, named.text}
	return ""
}

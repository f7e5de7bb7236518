// Generate makes embedded.go from policy.yaml: "go generate ./guard/policy".
package main

import (
	"bytes"
	"fmt"
	"go/format"
	"log"
	"os"

	"github.com/claudeops/claudeops/guard/policy"
)

func main() {
	data, err := os.ReadFile("policy.yaml")
	if err != nil {
		log.Fatal(err)
	}
	p, err := policy.Parse(data)
	if err != nil {
		log.Fatal(err)
	}
	text, err := source(p)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile("embedded.go", text, 0o644); err != nil {
		log.Fatal(err)
	}
}

// source is p as a Go file of static data: nothing of it is computed when a program starts. A rule that stands in several places is
// written once.
func source(p *policy.Policy) ([]byte, error) {
	w := writer{names: map[string]string{}}
	programs := w.commands("Program", p.Programs)
	var b bytes.Buffer
	b.WriteString("// Code generated from policy.yaml by \"go generate ./guard/policy\"; DO NOT EDIT.\n\npackage policy\n\nvar embedded = Policy{\n")
	fmt.Fprintf(&b, "Programs: %s,\n", programs)
	for _, list := range []struct {
		name  string
		texts []string
	}{
		{"Secrets", p.Secrets}, {"Etc", p.Etc}, {"Looked", p.Looked}, {"SecretHosts", p.SecretHosts}, {"Logs", p.Logs}, {"Rotated", p.Rotated}, {"Units", p.Units}, {"Environment", p.Environment},
		{"Hosts", p.Hosts}, {"Reading", p.Reading}, {"SSH", p.SSH}, {"Write", p.Write},
	} {
		if len(list.texts) > 0 {
			fmt.Fprintf(&b, "%s: %#v,\n", list.name, list.texts)
		}
	}
	fmt.Fprintf(&b, "}\n\nvar (\n%s)\n", w.rules.String())
	return format.Source(b.Bytes())
}

// writer collects rules, each by its text.
type writer struct {
	names map[string]string // of the variable that holds a rule
	rules bytes.Buffer
}

func (w *writer) commands(typ string, list []policy.Command) string {
	var b bytes.Buffer
	fmt.Fprintf(&b, "[]%s{\n", typ)
	for _, c := range list {
		fmt.Fprintf(&b, "{%q, &%s},\n", c.Name, w.rule(c.Rule))
	}
	b.WriteString("}")
	return b.String()
}

func (w *writer) rule(r *policy.Rule) string {
	var b bytes.Buffer
	for _, text := range []struct{ name, value string }{
		{"Do", r.Do}, {"Options", r.Options}, {"Persistent", r.Persistent}, {"Operands", r.Operands}, {"Style", r.Style}, {"Why", r.Why},
		{"Stdin", r.Stdin}, {"Requires", r.Requires}, {"Part", r.Part}, {"Service", r.Service}, {"Prints", r.Prints}, {"Check", r.Check},
		{"Tiers", r.Tiers}, {"Cwd", r.Cwd},
	} {
		if text.value != "" {
			fmt.Fprintf(&b, "%s: %q, ", text.name, text.value)
		}
	}
	for _, flag := range []struct {
		name string
		set  bool
	}{{"Loose", r.Loose}, {"Globs", r.Globs}, {"Bare", r.Bare}, {"Fold", r.Fold}} {
		if flag.set {
			fmt.Fprintf(&b, "%s: true, ", flag.name)
		}
	}
	if len(r.Commands) > 0 {
		fmt.Fprintf(&b, "Commands: %s,\n", w.commands("Command", r.Commands))
	}
	name, known := w.names[b.String()]
	if !known {
		name = fmt.Sprintf("rule%d", len(w.names))
		w.names[b.String()] = name
		fmt.Fprintf(&w.rules, "%s = Rule{%s}\n", name, b.String())
	}
	return name
}

package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/text"

	"github.com/claudeops/claudeops/internal/mask"
)

// definition is a known variable, with the tags of its field.
type definition struct {
	name, def, meaning string
	secret             secrecy
	kind               string // the field's type, such as "time.Duration"; empty for another program's variable
}

type secrecy string

const (
	public      secrecy = ""
	secretValue secrecy = "true"
	secretURL   secrecy = "url"
)

// definitions returns the table of claudeops' variables, in the order of the fields.
func definitions() []definition {
	var table []definition
	for _, part := range []reflect.Type{reflect.TypeFor[Config](), reflect.TypeFor[Agent]()} {
		for field := range part.Fields() {
			if name, known := field.Tag.Lookup("envconfig"); known {
				table = append(table, definition{
					name: name, def: field.Tag.Get("default"), meaning: field.Tag.Get("desc"),
					secret: secrecy(field.Tag.Get("secret")), kind: field.Type.String(),
				})
			}
		}
	}
	return table
}

// credentials are the variables with the agent program's credentials. claudeops passes them on.
func credentials() []definition {
	return []definition{
		{name: "ANTHROPIC_API_KEY", meaning: "the agent program's API key", secret: secretValue},
		{name: "ANTHROPIC_AUTH_TOKEN", meaning: "the agent program's bearer token for a gateway", secret: secretValue},
		{name: "CLAUDE_CODE_OAUTH_TOKEN", meaning: "what claude setup-token printed", secret: secretValue},
	}
}

// mask returns a value as it may be shown.
func (d definition) mask(text string) string {
	switch {
	case d.secret == secretValue && text != "":
		return mask.Redacted
	case d.secret == secretURL:
		return maskPassword(text)
	}
	return text
}

// hasFileForm reports whether NAME_FILE is accepted. Variables that only claudeops sets have no such form.
func (d definition) hasFileForm() bool { return d.secret != public && d.name != RunTokenVariable }

// serviceLink matches variables that Kubernetes sets in every container for a Service named like claudeops (docker links look the same).
var serviceLink = regexp.MustCompile(`_SERVICE_HOST$|_SERVICE_PORT|_PORT$|_PORT(?:_.*)?_(?:TCP|UDP)`)

// unknownVariables warns about every variable with the prefix that is not in the table, sorted by name.
func unknownVariables(values map[string]value) []string {
	var names []string
	for _, d := range definitions() {
		names = append(names, d.name)
		if d.hasFileForm() {
			names = append(names, d.name+"_FILE")
		}
	}
	var warnings []string
	for name, v := range values {
		if slices.Contains(names, Prefix+name) && v.source != FromEnvironment { // only the environment file, which is for claudeops alone
			warnings = append(warnings, name+" ("+v.source+") has no effect; did you mean "+Prefix+name+"?")
			continue
		}
		if !strings.HasPrefix(name, Prefix) || slices.Contains(names, name) || serviceLink.MatchString(name) {
			continue
		}
		warning := name + " (" + v.source + ") is no variable of claudeops and has no effect; "
		if near := text.Nearest(name, names, func(s string) string { return strings.TrimPrefix(s, Prefix) }); near != "" {
			warning += "did you mean " + near + "?"
		} else {
			warning += "claudeops env lists those that have one"
		}
		warnings = append(warnings, warning)
	}
	slices.Sort(warnings)
	return warnings
}

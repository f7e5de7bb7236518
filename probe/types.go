package probe

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// Defaults and limits of a check.
const (
	DefaultTimeout  = 10 * time.Second
	DefaultAttempts = 2

	maxTimeout  = 10 * time.Minute
	maxAttempts = 10
)

// Check is one way to find out whether a service is healthy.
type Check struct {
	Name          string        // of its Type
	Type          check.Type    // recorded with its results
	Timeout       time.Duration // of one attempt
	Attempts      int           // the first success counts; at least 1
	DegradedAfter time.Duration // an answer that takes this long is degraded; 0 for never
	Options       Options
}

// Options are the options of a check, with one implementation per type.
type Options interface {
	// Fields returns the keys of the services file, which set these options.
	Fields() []strict.Field
	// Finish is called when all fields of the check n and the name of its service have been read. It reports faults that concern several
	// fields.
	Finish(r *strict.Reader, n *strict.Node, service string)
	// About describes the check.
	About() About
	// Prepare returns the attempt of the check k, which may be called several times; service is the name of its service.
	Prepare(c *Client, k *Check, service string) Try
}

// About is what is known about a check without making it.
type About struct {
	// Target is what the check asks, for a table, and Asked the same for the start of a sentence. Both may contain what Secrets returns.
	Target, Asked string
	// Host is the host for the limit on concurrent checks; empty for this machine.
	Host string
	// Needs names the permission or program that the check needs besides its type: an engine, a product, a program. Checks with the same
	// needs either all work for the current user, or none does.
	Needs string
	// Names identify the checked service, as does the value of the key NamesKey: a container, a unit.
	Names    []string
	NamesKey string
	// Variables are the environment variables with the check's secrets. Secrets returns their values and the secrets in the options.
	Variables []string
	Secrets   func(environ []string) []string
}

// About describes the check.
func (c *Check) About() About {
	if c.Options == nil {
		return About{}
	}
	return c.Options.About()
}

// Type is a check type of the services file.
type Type struct {
	Name     string     // `type: http`
	Key      string     // the key that selects it among types with the same name; empty if it is the only one
	What     string     // "an http check"
	Doc      string     // for the JSON schema; one sentence
	Recorded check.Type // the type in handoffs and the database: one of the five in SPEC-0016
	Options  func() Options

	Called  string // other words for it that people try, in lower case
	Written string // how it is written, for those who tried them
}

var (
	types     []*Type
	typeNames []string
)

// register adds a check type. It is called once, in the type's file; no other code lists the types.
func register(t Type) {
	types = append(types, &t)
	slices.SortStableFunc(types, func(a, b *Type) int {
		rank := func(t *Type) int { return slices.Index(check.Types(), t.Recorded) }
		return cmp.Compare(rank(a), rank(b))
	})
	typeNames = nil
	for _, t := range types {
		if !slices.Contains(typeNames, t.Name) {
			typeNames = append(typeNames, t.Name)
		}
	}
}

// Types returns all check types in the order in which they are listed for people.
func Types() []*Type { return types }

// CommonFields returns the fields that checks of every type may have. The type is read before all others.
func CommonFields(c *Check) []strict.Field {
	return []strict.Field{
		{Name: "type", Default: "required", Doc: "what kind of check it is", Takes: strict.Takes{Read: func(*strict.Reader, string, *strict.Node) {}}},
		{Name: "timeout", Doc: "how long one attempt may take; more than `0s`, at most `10m`", Takes: strict.Duration(&c.Timeout, 1, maxTimeout)},
		{Name: "attempts", Doc: "how many attempts there are, 1 to 10; the first that succeeds counts", Takes: strict.Whole(&c.Attempts, 1, maxAttempts)},
		{Name: "degraded_after", Default: "never", Doc: "an answer that took as long is degraded; less than `timeout`",
			Takes: strict.Duration(&c.DegradedAfter, 1, maxTimeout)},
	}
}

// ReadCheck reads a check of the services file.
func ReadCheck(r *strict.Reader, n *strict.Node) Check {
	c := Check{Timeout: DefaultTimeout, Attempts: DefaultAttempts}
	if !r.Mapping(n, "checks", "a check: `type:`, and what it asks") {
		return c
	}
	var given string
	if value := n.Member("type"); value == nil {
		r.Fault(n, "type", "missing; must be one of "+strings.Join(typeNames, ", "))
	} else if name, ok := r.Text(value, "type"); ok && !slices.Contains(typeNames, name) {
		r.Fault(value, "type", strict.Quote(name)+" is none of "+strings.Join(typeNames, ", ")+meant(name))
	} else {
		given = name
	}
	var forms []form
	fields := slices.Grow(CommonFields(&c), 16)
	for _, t := range types {
		if t.Name == given {
			f := form{Type: t, options: t.Options()}
			f.fields = f.options.Fields()
			forms, fields = append(forms, f), append(fields, f.fields...)
		}
	}
	if forms == nil {
		unknownKeys(r, n)
		return c
	}
	r.Fill(n, forms[0].What, "", fields)
	if value := n.Member("degraded_after"); value != nil && c.Timeout > 0 && c.DegradedAfter >= c.Timeout {
		r.Fault(value, "degraded_after", fmt.Sprintf("%s; must be less than the timeout, %s", strict.Brief(c.DegradedAfter), strict.Brief(c.Timeout)))
	}
	if chosen := choose(r, n, forms); chosen != nil {
		c.Name, c.Type, c.Options = chosen.Name, chosen.Recorded, chosen.options
	}
	return c
}

// form is one of the types with the same name, while a check is read.
type form struct {
	*Type
	options Options
	fields  []strict.Field
}

// choose finds the form that the keys select, and reports keys of other forms; nil if none is selected.
func choose(r *strict.Reader, n *strict.Node, forms []form) (chosen *form) {
	if len(forms) == 1 {
		return &forms[0]
	}
	var keys []string
	for _, f := range forms {
		keys = append(keys, f.Key)
	}
	last := len(keys) - 1
	expected := forms[0].What + " must have one of " + strings.Join(keys[:last], ", ") + " and " + keys[last]
	for i := range forms {
		if value := n.Member(forms[i].Key); value != nil && chosen != nil {
			r.Fault(value, forms[i].Key, "is given beside "+chosen.Key+"; "+expected)
		} else if value != nil {
			chosen = &forms[i]
		}
	}
	if chosen == nil {
		r.Fault(n, "", expected)
		return nil
	}
	for _, other := range forms {
		if n.Member(other.Key) != nil {
			continue
		}
		for _, f := range other.fields {
			if value := n.Member(f.Name); value != nil {
				r.Fault(value, f.Name, "belongs to "+other.Key+", not to "+chosen.Key+"; leave it out")
			}
		}
	}
	return chosen
}

// unknownKeys reports the keys of a check of unknown type that belong to no type.
func unknownKeys(r *strict.Reader, n *strict.Node) {
	keys := strict.Names(CommonFields(&Check{}))
	for _, t := range types {
		keys = append(keys, strict.Names(t.Options().Fields())...)
	}
	slices.Sort(keys)
	keys = slices.Compact(keys)
	for i := 0; i+1 < len(n.Content); i += 2 {
		if key := &n.Content[i]; !slices.Contains(keys, key.Value) {
			r.Fault(key, "", r.Unknown(key.Value, "a check", keys))
		}
	}
}

// meant says how a check with a common other name is written, or which type is misspelled; empty if neither applies.
func meant(name string) string {
	for _, t := range types {
		if slices.Contains(strings.Fields(t.Called), strings.ToLower(name)) {
			return "; " + t.Written
		}
	}
	if near := text.Nearest(name, typeNames, nil); near != "" {
		return "; did you mean " + near + "?"
	}
	return ""
}

// reached accepts a text with an address. judge returns the host in it, if there is one, or what is wrong with it.
func reached(to *string, schema string, judge func(text string) (host, fault string)) strict.Takes {
	return strict.Takes{Schema: `"type":"string",` + schema, Read: func(r *strict.Reader, name string, n *strict.Node) {
		strict.Judged(to, "", func(given string) string {
			host, fault := judge(given)
			if fault == "" && host != "" {
				r.Reaches(host)
			}
			return fault
		}).Read(r, name, n)
	}}
}

// reachedURL accepts a URL that judge accepts.
func reachedURL(to *string, schema string, judge func(text string) (host, fault string)) strict.Takes {
	return reached(to, schema, func(text string) (host, fault string) {
		if strings.Contains(text, "${") {
			return "", "a variable, and none is filled in here; write it out (headers_env and password_env name variables for credentials)"
		}
		return judge(text)
	})
}

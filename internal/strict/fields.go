package strict

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

// Field is a key that a YAML mapping may have: for parsing, for the JSON schema, and for the tables of the documentation.
type Field struct {
	Name     string
	Doc      string // valid values, in Markdown, without a full stop
	Default  string // in Markdown, if it differs from that of Takes
	Required string // what it must be, if it is required
	Takes
}

// Takes describes the values of a field, and how to read them.
type Takes struct {
	Schema string // members of a JSON schema
	Init   string // the default as JSON; empty for none
	Read   func(r *Reader, name string, n *Node)
}

// Names returns the names of fields.
func Names(fields []Field) []string {
	names := make([]string, len(fields))
	for i, f := range fields {
		names[i] = f.Name
	}
	return names
}

// Reader reads the values of a YAML document according to tables of fields.
type Reader struct {
	*Faults
	// Owners names the mappings that have a key, for people.
	Owners func(key string) []string
	// Reaches is called with each host that the document names as an address.
	Reaches func(host string)
}

// Fault records what is wrong with the value of the key called name; with an empty name, what is wrong with a mapping or key itself.
func (r *Reader) Fault(n *Node, name, what string) {
	at := n.place()
	if name != "" {
		at += ": " + name
	}
	r.Add(at, what)
}

// Fill reads the members of a mapping, which what describes for people, according to its fields. Duplicate and unknown keys are faults;
// hint, which may be empty, is appended to the latter.
func (r *Reader) Fill(n *Node, what, hint string, fields []Field) {
	var seen []string
	for i := 0; i+1 < len(n.Content); i += 2 {
		key := &n.Content[i]
		at := slices.IndexFunc(fields, func(f Field) bool { return f.Name == key.Value })
		switch {
		case key.Kind == List || key.Kind == Mapping:
			r.Fault(key, "", key.Kind.String()+" as a key; must be a text")
		case slices.Contains(seen, key.Value):
			r.Fault(key, "", Quote(key.Value)+" is given twice; must be given once")
		case at >= 0:
			fields[at].Read(r, key.Value, &n.Content[i+1])
		default:
			r.Fault(key, "", r.Unknown(key.Value, what, Names(fields))+hint)
		}
		seen = append(seen, key.Value)
	}
	for _, f := range fields {
		if f.Required != "" {
			r.Require(n, f.Name, f.Required)
		}
	}
}

// Unknown describes the fault of an unknown key: which mapping it belongs to, or else which key was meant.
func (r *Reader) Unknown(key, what string, keys []string) string {
	said := Quote(key) + " is no key of " + what
	if owners := r.Owners(key); owners != nil {
		said += " but of " + strings.Join(owners, " and of ")
	} else if near := text.Nearest(key, keys, nil); near != "" {
		return said + "; did you mean " + near + "?"
	}
	return said + "; must be one of " + strings.Join(keys, ", ")
}

// Require reports a mapping that lacks a member; expected says what that must be.
func (r *Reader) Require(n *Node, name, expected string) {
	if n.Member(name) == nil {
		r.Fault(n, name, "missing; must be "+expected)
	}
}

// Mapping reports whether a value is a mapping; if not, it records a fault, and expected says what the value must be.
func (r *Reader) Mapping(n *Node, name, expected string) bool {
	if n.Kind != Mapping {
		r.Fault(n, name, n.Kind.String()+"; must be "+expected)
	}
	return n.Kind == Mapping
}

// List returns the elements of a value that must be a list; expected says of what.
func (r *Reader) List(n *Node, name, expected string) []Node {
	if n.Kind != List {
		r.Fault(n, name, n.Kind.String()+"; must be "+expected)
		return nil
	}
	return n.Content
}

// Text returns a value that must be a text. Anything else is a fault: YAML reads names that look like numbers, dates and booleans as
// such, and so would other readers of the file.
func (r *Reader) Text(n *Node, name string) (string, bool) {
	switch n.Kind {
	case Text:
		return n.Value, true
	case Number, Boolean, Date:
		r.Fault(n, name, n.Kind.String()+"; must be a text, so put it in quotes")
	default:
		r.Fault(n, name, n.Kind.String()+"; must be a text")
	}
	return "", false
}

// NonEmpty returns a text that must not be empty.
func (r *Reader) NonEmpty(n *Node, name, expected string) (string, bool) {
	given, ok := r.Text(n, name)
	if ok && given == "" {
		r.Fault(n, name, "empty; must be "+expected)
		return "", false
	}
	return given, ok
}

// Judged accepts a text for which fault returns "".
func Judged(to *string, schema string, fault func(text string) string) Takes {
	takes := Takes{Schema: `"type":"string",` + schema, Read: func(r *Reader, name string, n *Node) {
		*to = ""
		if given, ok := r.Text(n, name); !ok {
			return
		} else if what := fault(given); what != "" {
			r.Fault(n, name, what)
		} else {
			*to = given
		}
	}}
	if *to != "" {
		takes.Init = strconv.Quote(*to)
	}
	return takes
}

// Matching accepts a text that matches a pattern; expected completes the fault of one that does not.
func Matching(to *string, pattern *regexp.Regexp, expected string) Takes {
	return Judged(to, `"pattern":`+strconv.Quote(pattern.String()), func(given string) string {
		if pattern.MatchString(given) {
			return ""
		}
		return Quote(given) + expected
	})
}

// Filled accepts a text that is not empty; expected says what it must be.
func Filled(to *string, expected string) Takes {
	return Takes{Schema: `"type":"string","minLength":1`, Read: func(r *Reader, name string, n *Node) { *to, _ = r.NonEmpty(n, name, expected) }}
}

// maxLine limits a text for people, in bytes.
const maxLine = 500

// Line accepts a text for people on one line.
func Line(to *string) Takes {
	return Takes{Schema: `"$ref":"#/$defs/line"`, Read: func(r *Reader, name string, n *Node) {
		given, ok := r.NonEmpty(n, name, "a line of text")
		switch {
		case !ok:
		case HasControl(given):
			r.Fault(n, name, "has a line break or another control character in it; must be one line of text")
		case len(given) > maxLine:
			r.Fault(n, name, fmt.Sprintf("%d bytes long; must be at most %d", len(given), maxLine))
		}
		*to = given
	}}
}

// Variable accepts the name of an environment variable. The fault does not quote it, because it may be the secret itself, by mistake.
func Variable(to *string) Takes {
	v := Judged(to, "", func(name string) string {
		if !variable.MatchString(name) {
			return "not the name of an environment variable; write it like SHOP_PASSWORD, and set that where the program runs"
		}
		return ""
	})
	v.Schema = `"$ref":"#/$defs/variable"`
	return v
}

var variable = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// File accepts the path of a file. It must be absolute, because programs that read the document run in different directories.
func File(to *string) Takes {
	v := Judged(to, "", func(path string) string {
		if !strings.HasPrefix(path, "/") || HasControl(path) {
			return "not the path of a file; must begin with /"
		}
		return ""
	})
	v.Schema = `"$ref":"#/$defs/file"`
	return v
}

// Duration accepts a duration in Go's format. least 1 means more than zero; most math.MaxInt64 means no limit.
func Duration(to *time.Duration, least, most time.Duration) Takes {
	v := Takes{Schema: `"$ref":"#/$defs/duration"`, Read: func(r *Reader, name string, n *Node) {
		const expected = "; must be a duration like 10s or 1m30s"
		*to = 0
		if n.Kind != Text {
			r.Fault(n, name, n.Kind.String()+expected)
			return
		}
		d, err := time.ParseDuration(n.Value)
		switch {
		case err != nil || !isDigit(n.Value[0]) || isDigit(n.Value[len(n.Value)-1]): // no signs, no bare 0
			r.Fault(n, name, Quote(n.Value)+" is no duration"+expected)
		case d >= least && d <= most:
			*to = d
		case least == 0:
			r.Fault(n, name, Quote(n.Value)+"; must be from 0s to "+Brief(most))
		case most == math.MaxInt64:
			r.Fault(n, name, Quote(n.Value)+"; must be more than 0s")
		default:
			r.Fault(n, name, Quote(n.Value)+"; must be more than 0s and at most "+Brief(most))
		}
	}}
	if *to != 0 {
		v.Init = `"` + Brief(*to) + `"`
	}
	return v
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// Brief formats a duration without zero units at its end.
func Brief(d time.Duration) string {
	text := d.String()
	for _, zero := range []string{"0s", "0m"} {
		if rest, found := strings.CutSuffix(text, zero); found && rest != "" && !isDigit(rest[len(rest)-1]) {
			text = rest
		}
	}
	return text
}

// Whole accepts a number written in digits only.
func Whole(to *int, least, most int) Takes {
	v := Takes{Schema: `"type":"integer","minimum":` + strconv.Itoa(least) + `,"maximum":` + strconv.Itoa(most)}
	if *to != 0 {
		v.Init = strconv.Itoa(*to)
	}
	v.Read = func(r *Reader, name string, n *Node) {
		*to = 0
		number, ok := Digits(n.Value)
		if ok = ok && n.Kind == Number && number >= least && number <= most; ok {
			*to = number
			return
		}
		given := n.Kind.String()
		if n.Kind == Number && len(n.Value) <= maxShown {
			given = n.Value
		}
		r.Fault(n, name, fmt.Sprintf("%s; must be a whole number from %d to %d", given, least, most))
	}
	return v
}

// Digits parses a number written in digits only. It refuses 1.0, 1e1, 0x1 and 010, which readers of YAML interpret differently.
func Digits(text string) (n int, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// Bool accepts true or false; the default is false.
func Bool(to *bool) Takes {
	return Takes{Schema: `"type":"boolean"`, Init: "false", Read: func(r *Reader, name string, n *Node) {
		if n.Kind != Boolean {
			r.Fault(n, name, n.Kind.String()+"; must be true or false")
		}
		*to = strings.EqualFold(n.Value, "true")
	}}
}

package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"strings"
)

// The agent program runs a hook of a plugin, which no settings file lists, through the program that the variable Prefix names in
// the settings' env. It must be a bare path, without room for a command of ours: so it names a script of its own, PrefixName. The
// agent program gives the script what its Bash tool runs, its MCP servers, its status line and its file suggestions too.
const (
	Prefix     = "CLAUDE_CODE_SHELL_PREFIX"
	PrefixName = "claude-hooks-prefix"
)

// SetPrefix sets the prefix in the env of the settings doc; UnsetPrefix undoes it. It is an error where another one is set already.
func SetPrefix(doc []byte, script string) ([]byte, error) {
	if !filepath.IsAbs(script) || strings.Contains(script, " -") {
		return nil, fmt.Errorf("%s cannot be %q: it must be an absolute path in which no hyphen follows a blank", Prefix, script)
	}
	d, err := parse(doc)
	if err != nil {
		return nil, err
	}
	member := func(colon string) string { return string(literalOf(Prefix)) + colon + string(literalOf(script)) }
	env := d.root.get("env")
	is := env.get(Prefix)
	var result []byte
	switch {
	case d.root == nil:
		result = append([]byte(`{"env": { `+member(": ")+` }}`), doc...)
		if len(doc) == 0 {
			result = append(result, '\n')
		}
	case env == nil:
		result = d.insert(d.root, func(colon string) string { return `"env"` + colon + `{ ` + member(colon) + ` }` })
	case env.kind != '{':
		return nil, d.fault(env.start, errors.New("env is no JSON object"))
	case is == nil:
		result = d.insert(env, member)
	case d.string(is) == script:
		return doc, nil
	case !d.ours(is):
		return nil, d.fault(is.start, fmt.Errorf("%s is set to another program: %q", Prefix, d.string(is)))
	default:
		result = apply(doc, []edit{{is.start, is.end, literalOf(script), is}})
	}
	if is == nil && d.root != nil {
		back, _, err := UnsetPrefix(result)
		if err != nil || string(back) != string(doc) {
			return nil, fmt.Errorf("the result would differ in more than %s, so nothing is changed; please report these settings", Prefix)
		}
	}
	return result, verify(nil, result, nil)
}

// UnsetPrefix takes away what SetPrefix has set, and the env that it had to make for it. The script that was named is empty where
// there was nothing to take away.
func UnsetPrefix(doc []byte) (result []byte, script string, err error) {
	d, err := parse(doc)
	if err != nil {
		return nil, "", err
	}
	env := d.root.get("env")
	is := env.get(Prefix)
	if is == nil || !d.ours(is) {
		return doc, "", nil
	}
	script = d.string(is)
	if made := len(env.members) == 1 && strings.ContainsRune(" \t\r\n", rune(doc[env.start+1])); made {
		result = d.remove(d.root, env)
	} else {
		result = d.remove(env, is)
	}
	return result, script, verify(nil, result, nil)
}

// ours reports whether a value names a script that install writes.
func (d *document) ours(n *node) bool { return filepath.Base(d.string(n)) == PrefixName }

// insert puts a member before the others of an object, with the white space that stands before the first of them. Where there is
// none, the text is written without any.
func (d *document) insert(object *node, text func(colon string) string) []byte {
	if len(object.members) == 0 {
		at := object.start + 1
		return apply(d.text, []edit{{at, at, []byte(text(": ")), object}})
	}
	first := object.members[0].start
	space := string(d.text[object.start+1 : first])
	colon := ": "
	if space == "" {
		colon = ":"
	}
	return apply(d.text, []edit{{first, first, []byte(text(colon) + "," + space), object}})
}

// remove takes the member with this value out of an object, so that what insert has put in leaves no trace.
func (d *document) remove(object, value *node) []byte {
	for i, m := range object.members {
		switch {
		case m.value != value:
			continue
		case i > 0:
			return apply(d.text, []edit{{object.members[i-1].value.end, value.end, nil, value}})
		case len(object.members) > 1:
			return apply(d.text, []edit{{m.start, object.members[1].start, nil, value}})
		}
		return apply(d.text, []edit{{object.start + 1, value.end, nil, value}})
	}
	return d.text
}

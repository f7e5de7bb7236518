package settings

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// No settings file lists the hooks of plugins. The agent program runs them through the program named by the variable Prefix in the
// settings' env. That must be a bare path without arguments, so it names a generated script, PrefixName. The agent program also runs its
// Bash tool, MCP servers, status line and file suggestions through it.
const (
	Prefix     = "CLAUDE_CODE_SHELL_PREFIX"
	PrefixName = "claude-hooks-prefix"
)

// SetPrefix sets the prefix in the env of the settings doc; UnsetPrefix undoes it. It is an error if another prefix is set already.
func SetPrefix(doc []byte, script string) ([]byte, error) {
	if !filepath.IsAbs(script) || strings.Contains(script, " -") {
		return nil, fmt.Errorf("%s cannot be %q: it must be an absolute path in which no hyphen follows a blank", Prefix, script)
	}
	d, err := parse(doc)
	if err != nil {
		return nil, err
	}
	if d.root == nil {
		d.root = &hujson.Object{}
		d.tree = hujson.Value{Value: d.root, AfterExtra: hujson.Extra(strings.TrimPrefix(d.mark, byteOrderMark))}
		d.mark = d.mark[:len(d.mark)-len(d.tree.AfterExtra)]
		if len(doc) == 0 {
			d.tree.AfterExtra = hujson.Extra("\n")
		}
	}
	env := get(d.root, "env")
	is := get(object(env), Prefix)
	switch {
	case env == nil: // with blanks, by which UnsetPrefix recognises it
		made := &hujson.Object{AfterExtra: hujson.Extra(" ")}
		insert(d.root, "env", made)
		insert(made, Prefix, hujson.String(script))
		made.Members[0].Name.BeforeExtra = hujson.Extra(" ")
		made.Members[0].Value.BeforeExtra = d.root.Members[0].Value.BeforeExtra
	case object(env) == nil:
		return nil, d.fault(env, errors.New("env is no JSON object"))
	case is == nil:
		insert(object(env), Prefix, hujson.String(script))
	case !installed(is):
		return nil, d.fault(is, fmt.Errorf("%s is set to another program: %q", Prefix, text(is)))
	case text(is) != script:
		is.Value = hujson.String(script)
	}
	return d.text(), nil
}

// UnsetPrefix removes what SetPrefix has set, and an env that SetPrefix created. script is the script that was named; empty if there was
// none.
func UnsetPrefix(doc []byte) (result []byte, script string, err error) {
	d, err := parse(doc)
	if err != nil {
		return nil, "", err
	}
	env := object(get(d.root, "env"))
	is := get(env, Prefix)
	if is == nil || !installed(is) {
		return doc, "", nil
	}
	script = text(is)
	if made := len(env.Members) == 1 && len(env.Members[0].Name.BeforeExtra) > 0; made {
		remove(d.root, "env")
	} else {
		remove(env, Prefix)
	}
	return d.text(), script, nil
}

// installed reports whether a value names a script that install writes.
func installed(v *hujson.Value) bool { return filepath.Base(text(v)) == PrefixName }

// insert puts a member first in an object, with the white space that precedes the current first member. Without white space, none is
// written.
func insert(object *hujson.Object, name string, value hujson.ValueTrimmed) {
	m := hujson.ObjectMember{Name: hujson.Value{Value: hujson.String(name)}, Value: hujson.Value{Value: value}}
	if len(object.Members) > 0 {
		m.Name.BeforeExtra = object.Members[0].Name.BeforeExtra
	}
	if len(object.Members) == 0 || len(m.Name.BeforeExtra) > 0 {
		m.Value.BeforeExtra = hujson.Extra(" ")
	}
	object.Members = slices.Insert(object.Members, 0, m)
}

// remove removes a member from an object, so that it exactly undoes insert.
func remove(object *hujson.Object, name string) {
	at := index(object, name)
	if at > 0 {
		object.Members[at-1].Value.AfterExtra = object.Members[at].Value.AfterExtra
	}
	object.Members = slices.Delete(object.Members, at, at+1)
}

package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare judges export, of variables that every command may be given. Its kin changes how a later value is read, and is refused.
func (k *walker) declare(c *syntax.DeclClause, f flow) {
	source, variant := k.source(c), c.Variant.Value
	for i, a := range c.Args {
		if a.Name == nil && (i > 0 || !strings.HasPrefix(k.text(a.Value, f).text, "-")) || a.Array != nil {
			k.refuse(Unknown, "shell "+variant, source, "write names and values plainly: export NAME=value")
			return
		}
	}
	if len(c.Args) == 0 || c.Args[0].Name == nil && (len(c.Args) == 1 || strings.ContainsAny(k.text(c.Args[0].Value, f).text, "pxfF")) {
		k.refuse(Forbidden, "secrets", source, "the whole environment holds secrets; ask for one variable by its name")
		return
	}
	if variant != "export" || c.Args[0].Name == nil {
		k.refuse(Unknown, "shell "+variant, source, "`"+variant+"` is not read; assign with NAME=value")
		return
	}
	for _, a := range c.Args {
		k.environment(a.Name.Value, k.text(a.Value, f), k.source(a))
		k.lose(a.Name.Value)
	}
	k.act(Act{Action: Observe, Rule: "shell " + variant, Command: source})
}

package guard

import (
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// declare judges declare, local and export. Whatever changes how a later value is read is refused: arrays from text, attributes.
func (k *walker) declare(c *syntax.DeclClause, f flow) {
	source, variant := k.source(c), c.Variant.Value
	named, array := false, false
	for _, a := range c.Args {
		if a.Name == nil {
			option := k.text(a.Value, f)
			array = array || strings.ContainsAny(option.text, "aA")
			if !k.declareOption(option, variant, source) {
				return
			}
			continue
		}
		named = true
		k.declared(a, variant, array, f)
	}
	switch {
	case variant == "readonly" && named:
		k.refuse(Unknown, "shell "+variant, source, "a variable that cannot be set again may keep another value than it seems; assign with NAME=value")
	case !named || variant == "nameref":
		k.refuse(Forbidden, "secrets", source, "the whole environment holds secrets; ask for one variable by its name")
	default:
		k.act(Act{Action: Observe, Rule: "shell " + variant, Command: source})
	}
}

func (k *walker) declareOption(option word, variant, source string) bool {
	if option.is("-a", "-A", "-g", "-ga", "-gA") && variant != "export" {
		return true
	}
	if !option.known || strings.ContainsAny(option.text, "pxfF") {
		k.refuse(Forbidden, "shell "+variant, source, "the whole environment holds secrets; ask for one variable by its name")
	} else {
		k.refuse(Unknown, "shell "+variant, source, "this option of `"+variant+"` is not granted; assign with NAME=value")
	}
	return false
}

// declared judges one NAME=value of a declaration.
func (k *walker) declared(a *syntax.Assign, variant string, array bool, f flow) {
	name := a.Name.Value
	if array {
		k.arrays[name] = true
	}
	if value := k.text(a.Value, f); k.arrays[name] && a.Value != nil || value.known && strings.HasPrefix(value.text, "(") {
		k.refuse(Unknown, "shell "+variant, k.source(a), "the text would be read as an array, and may run commands; assign with NAME=(…)")
		return
	}
	if variant == "export" {
		k.environment(name, k.text(a.Value, f), k.source(a))
		k.lose(name)
		return
	}
	k.assign(a, f)
	if k.locals = append(k.locals, name); variant != "local" || a.Naked || len(k.args) == 0 {
		k.lose(name)
	}
}

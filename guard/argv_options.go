package guard

import (
	"cmp"
	"errors"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// invocation is one use of a program: what the policy grants, and what was given.
type invocation struct {
	words    []string
	name     string // the program and its subcommands
	rule     *policy.Rule
	levels   []*policy.Rule // rule and its parents, which may lend it options
	options  []givenOption
	operands []string
	values   []value // operands and values of options
	graver   Action  // the gravest action that an option makes of it
	ended    bool    // "--" has ended its options
}

// givenOption is one option with its values.
type givenOption struct {
	option
	values []string
}

// explain adds the rule's advice to a refusal.
func (c *invocation) explain(err error) error {
	r := (*refusal)(nil)
	if !errors.As(err, &r) || r.explained || r.action != Unknown {
		return err
	}
	if c.rule.Why != "" && r.reason != c.rule.Why {
		r = &refusal{Unknown, r.reason + ": " + c.rule.Why, true}
	}
	r.explained = true // programs around this one must not add theirs
	return r
}

// parse reads options and operands by the rule, and descends into the rules of subcommands.
func (c *invocation) parse(args []string) error {
	for i := 0; i < len(args); i++ {
		switch a := args[i]; {
		case c.refusedByRule():
			return c.complete()
		case !c.ended && a == "--":
			c.ended = true
		case !c.ended && len(a) > 1 && a[0] == '-':
			taken, err := c.option(args[i:])
			if err != nil {
				return err
			}
			i += taken
		case len(c.rule.Commands) > 0 && len(c.operands) == 0 && c.rule.Command(a) != nil:
			if c.effect("alone") {
				return unknown("write options behind `%s`, or alone", a)
			}
			c.name, c.rule = c.name+" "+a, c.rule.Command(a)
			c.levels = append(c.levels, c.rule)
		case len(c.rule.Commands) > 0 && len(c.operands) == 0 && (c.rule.Operands == "" || c.rule.Operands == "none"):
			return unknown("`%s %s` is not in the policy", c.name, a)
		case !c.permutes():
			c.operands = append(c.operands, args[i:]...)
			return nil
		default:
			c.operands = append(c.operands, a)
		}
	}
	return nil
}

// refusedByRule reports whether the rule refuses regardless of the arguments.
func (c *invocation) refusedByRule() bool {
	return len(c.rule.Commands) == 0 && (c.rule.Do == string(Unknown) || c.rule.Do == string(Forbidden))
}

// style returns how the program parses its options, from the rule or its nearest parent that says so.
func (c *invocation) style() string {
	for _, level := range slices.Backward(c.levels) {
		if level.Style != "" {
			return level.Style
		}
	}
	return "strict"
}

// permutes reports whether the program is known to accept options after operands. Others may read such an option as an operand, for
// instance as a file to write, or ignore it and do what it should have prevented.
func (c *invocation) permutes() bool {
	return c.rule.Loose || slices.Contains([]string{"gnu", "pflag", "find"}, c.style())
}

// pflag reports whether the program reads -n=VALUE as -n VALUE. Go programs do; the Python version of docker-compose did not.
func (c *invocation) pflag() bool {
	return !strings.HasPrefix(c.name, "docker-compose") && slices.ContainsFunc(c.levels, func(level *policy.Rule) bool { return level.Style == "pflag" })
}

// option reads the option at args[0] and returns how many further words it consumes.
func (c *invocation) option(args []string) (int, error) {
	a := args[0]
	name, value, hasValue := strings.Cut(a, "=")
	switch style := c.style(); {
	case style == "word" || style == "flag" || style == "find":
		return c.wordOption(args, name, value, hasValue)
	case strings.HasPrefix(a, "--"):
		return c.take(args, name, value, hasValue)
	}
	if o, known := c.find(a, nil); known && len(a) > 2 && !o.numbered { // an option with one dash: -name
		return c.take(args, a, "", false)
	}
	if hasValue && len(name) > 2 {
		if _, known := c.find(name, nil); known {
			return c.take(args, name, value, true)
		}
	}
	if c.numeric(a) {
		return 0, nil
	}
	return c.letters(args)
}

// numeric reports whether a word is a number that the rule accepts as an option, such as -20.
func (c *invocation) numeric(a string) bool {
	_, known := c.find("-#", nil)
	return known && isNumber(a[1:])
}

// letters reads combined short options; the last may have a value.
func (c *invocation) letters(args []string) (int, error) {
	a := args[0]
	for i := 1; i < len(a); i++ {
		name, rest := "-"+a[i:i+1], a[i+1:]
		o, known := c.find(name, nil)
		switch {
		case !known: // the letter alone is named: what follows may be a password
			return 0, c.unknownOption(name)
		case len(o.types) == 0 && !o.glued:
			if err := c.grant(o, nil); err != nil {
				return 0, err
			}
			continue
		case rest == "":
			return c.take(args, name, "", false)
		case rest[0] == '=' && c.pflag():
			return c.take(args, name, rest[1:], true)
		case rest[0] == '=' && len(o.types) > 0 && o.types[0] != "any":
			return 0, unknown("a value of `%s` that begins with = is read in different ways; write it apart", name)
		}
		return c.take(args, name, rest, true)
	}
	return 0, nil
}

func (c *invocation) wordOption(args []string, name, value string, hasValue bool) (int, error) {
	o, known := c.find(name, nil)
	if !known && strings.HasPrefix(name, "--") {
		name = name[1:]
		o, known = c.find(name, nil)
	}
	if known && hasValue && !o.glued && c.style() != "flag" { // it may read the first letter only, and take the next word for the value
		return 0, unknown("the value of `%s` is a word of its own: %s %s", name, name, value)
	}
	if c.numeric(args[0]) {
		return 0, nil
	}
	return c.take(args, name, value, hasValue)
}

func (c *invocation) unknownOption(a string) error {
	switch {
	case c.rule.Loose:
		return nil
	case c.action() == Forbidden:
		return c.complete()
	}
	return unknown("the option `%s` of `%s` is not in the policy; leave it out", a, c.name)
}

// take grants an option with its values: the attached one, or the words that follow.
func (c *invocation) take(args []string, name, value string, hasValue bool) (int, error) {
	given := &value
	if !hasValue {
		given = nil
	}
	o, known := c.find(name, given)
	if known && given == nil && !o.glued && len(o.types) > 0 && len(args) > 1 {
		o, known = c.find(name, &args[1])
	}
	switch {
	case !known:
		return 0, c.unknownOption(name)
	case !hasValue && slices.Contains(o.effects, "glued"):
		return 0, unknown("the value of `%s` is written directly behind it: %s3", name, name)
	case hasValue && len(o.types) == 0:
		return 0, unknown("the option `%s` of `%s` takes no value", name, c.name)
	case len(o.types) == 0, o.glued && !hasValue:
		return 0, c.grant(o, nil)
	case hasValue:
		return 0, c.grant(o, []string{value})
	case len(args) <= len(o.types):
		return 0, unknown("the option `%s` of `%s` lacks its value", name, c.name)
	}
	values := args[1 : 1+len(o.types)]
	for i, v := range values {
		if policy.IsType(o.types[i]) && len(v) > 1 && v[0] == '-' && !strings.ContainsAny(v[1:2], "0123456789. +") && !c.rule.Loose {
			return 0, unknown("the value of `%s` looks like an option; write it behind `=`", name)
		}
	}
	return len(o.types), c.grant(o, values)
}

func (c *invocation) grant(o option, values []string) error {
	if slices.Contains(o.effects, "once") && c.has(o.names...) {
		return unknown("`%s` is given once", o.names[0])
	}
	c.options = append(c.options, givenOption{o, values})
	for _, effect := range o.effects {
		if a := Action(effect); a.gravity() > c.graver.gravity() {
			c.graver = a
		}
	}
	return nil
}

// find looks up an option in the rule, and in its parents that lend theirs. If several options share the name, the first whose type
// accepts the value wins.
func (c *invocation) find(name string, value *string) (o option, found bool) {
	for i, level := range slices.Backward(c.levels) {
		texts := level.Persistent
		if i == len(c.levels)-1 {
			texts += " " + level.Options
		}
		for token := range strings.FieldsSeq(texts) {
			if !strings.Contains(token, name) {
				continue
			}
			candidate := parseOption(token)
			if !slices.Contains(candidate.names, name) {
				continue
			}
			if value == nil || len(candidate.types) == 0 || policy.IsType(candidate.types[0]) || chosen(candidate.types[0], *value) {
				return candidate, true
			}
			if !found {
				o, found = candidate, true
			}
		}
	}
	return o, found
}

// has reports whether one of these options was given.
func (c *invocation) has(names ...string) bool {
	return slices.ContainsFunc(c.options, func(g givenOption) bool {
		return slices.ContainsFunc(names, func(n string) bool { return slices.Contains(g.names, n) })
	})
}

// value returns the last value of an option, which is the effective one.
func (c *invocation) value(names ...string) (last string, given bool) {
	for _, v := range c.valuesOf(names...) {
		last, given = v, true
	}
	return last, given
}

// valuesOf returns all values of an option.
func (c *invocation) valuesOf(names ...string) (all []string) {
	for _, g := range c.options {
		if slices.ContainsFunc(names, func(n string) bool { return slices.Contains(g.names, n) }) {
			all = append(all, g.values...)
		}
	}
	return all
}

// effect reports whether an option with this effect was given.
func (c *invocation) effect(name string) bool {
	return slices.ContainsFunc(c.options, func(g givenOption) bool { return slices.Contains(g.effects, name) })
}

// action returns what the invocation does: what its rule says, or what an option makes of it.
func (c *invocation) action() Action {
	action := Action(cmp.Or(c.rule.Do, string(Unknown)))
	if c.effect(string(Observe)) && action != Forbidden && action != Unknown {
		action = Observe
	}
	if c.graver.gravity() > action.gravity() {
		return c.graver
	}
	return action
}

// changes reports whether the invocation does more than look.
func (c *invocation) changes() bool { return c.action() != Observe }

// complete refuses what the rule does not grant, and an invocation without a required subcommand or option. Without a subcommand, many
// programs read commands from standard input, or start a server.
func (c *invocation) complete() error {
	switch action := c.action(); {
	case action == Forbidden:
		return forbidden("%s", cmp.Or(c.rule.Why, "`"+c.name+"` is not granted"))
	case action == Unknown:
		return unknown("%s", cmp.Or(c.rule.Why, "`"+c.name+"` is not granted"))
	case c.rule.Requires != "" && !c.has(strings.Split(c.rule.Requires, "|")...):
		return unknown("`%s` needs %s", c.name, strings.ReplaceAll(c.rule.Requires, "|", " or "))
	case c.rule.Requires != "" || len(c.rule.Commands) == 0 || c.rule.Bare || c.rule.Operands != "":
		return nil
	case c.has("-h", "--help", "-help", "-v", "-V", "--version", "-version", "-Version"):
		return nil
	}
	return unknown("`%s` needs a subcommand", c.name)
}

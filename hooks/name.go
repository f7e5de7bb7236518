package hooks

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"mvdan.cc/sh/v3/syntax"
)

// A hook is known by its whole command. A person calls it by a short name: the file name of its script, with as much of the path or
// of the arguments as it takes to tell it from the others. Names are one line and hold nothing that steers a terminal.

// ShortName is the short name of one hook, whatever others there are.
func ShortName(hook string) string {
	return naming(hook).base()
}

// ShortNames gives each hook the shortest name that no other of them has.
func ShortNames(hooks []string) map[string]string {
	names := make(map[string]candidates, len(hooks))
	named, whole := map[string]int{}, map[string]int{} // how many hooks could be called so; and how many with all of their arguments
	for _, hook := range hooks {
		if _, twice := names[hook]; twice {
			continue
		}
		c := naming(hook).candidates(hook)
		names[hook] = c
		seen := map[string]bool{}
		for _, name := range c.whole {
			if !seen[name] {
				seen[name] = true
				named[name]++
				whole[name]++
			}
		}
		for _, name := range c.part {
			if !seen[name] {
				seen[name] = true
				named[name]++
			}
		}
	}
	short := make(map[string]string, len(names))
	taken := map[string]bool{}
	var left []string
	for hook, c := range names {
		name := c.first(func(name string, complete bool) bool {
			return complete && whole[name] == 1 || !complete && named[name] == 1
		})
		if name == "" {
			left = append(left, hook)
			continue
		}
		short[hook], taken[name] = name, true
	}
	slices.Sort(left)
	for _, hook := range left { // they differ only in what cannot be shown
		name := unused(OneLine(hook), taken)
		short[hook], taken[name] = name, true
	}
	return short
}

// unused is name, with a number where it is taken.
func unused(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + " #" + strconv.Itoa(n)
	}
	return free
}

// Named reports whether name is one that a hook may have in ShortNames, whatever others there are.
func Named(hook, name string) bool {
	return name != "" && slices.Contains(naming(hook).candidates(hook).order, name)
}

// Resolve finds the hook that a person means by name: the command itself, its name in ShortNames, the file name of its script, or a
// part of its command that is in no other. The error says which hooks it could be.
func Resolve(hooks []string, name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("the name of a hook is empty")
	}
	short := ShortNames(hooks)
	for _, means := range []func(hook string) bool{
		func(hook string) bool { return hook == name || hook == string([]rune(name)) }, // as it comes out of the file
		func(hook string) bool { return short[hook] == name },
		func(hook string) bool { return ShortName(hook) == name },
		func(hook string) bool { return strings.Contains(hook, name) || strings.Contains(OneLine(hook), name) },
	} {
		found := slices.DeleteFunc(slices.Clone(hooks), func(hook string) bool { return !means(hook) })
		slices.Sort(found)
		switch found = slices.Compact(found); len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return "", ambiguous(name, found, short)
	}
	return "", fmt.Errorf("%w %q", ErrUnknownHook, name)
}

// CommandOf is the command of a hook that is a program with arguments: its words as a shell would read them.
func CommandOf(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		var err error
		if quoted[i], err = syntax.Quote(word, syntax.LangBash); err != nil {
			quoted[i] = word // of NUL alone, which no command line holds
		}
	}
	return strings.Join(quoted, " ")
}

// PatternFor is the shortest pattern at hand that means this command and none of the others.
func PatternFor(command string, all []string) string {
	for _, pattern := range []string{ShortName(command), ShortNames(all)[command]} {
		others := slices.ContainsFunc(all, func(other string) bool { return other != command && Matches(pattern, other) })
		if Matches(pattern, command) && !others {
			return pattern
		}
	}
	return command
}

// ErrUnknownHook is the error of Resolve where there is no such hook.
var ErrUnknownHook = errors.New("no hook is called")

// mostNamed is how many of the hooks that a name could mean an error lists.
const mostNamed = 10

func ambiguous(name string, hooks []string, short map[string]string) error {
	var list strings.Builder
	for _, hook := range hooks[:min(len(hooks), mostNamed)] {
		list.WriteString("\n  " + short[hook])
	}
	if more := len(hooks) - mostNamed; more > 0 {
		fmt.Fprintf(&list, "\n  and %d more", more)
	}
	return fmt.Errorf("%q is not the name of one hook; it could be any of%s", name, list.String())
}

// candidates are names of a hook, each kind from the shortest: those with all of its arguments, and those with some of them.
type candidates struct {
	order       []string
	whole, part []string
}

func (p parts) candidates(hook string) candidates {
	var c candidates
	add := func(name string, complete bool) {
		c.order = append(c.order, name)
		if complete {
			c.whole = append(c.whole, name)
		} else {
			c.part = append(c.part, name)
		}
	}
	// How much of the path, and how many arguments, a short name may have; with more the whole command is clearer.
	const deepest, longest = 32, 8
	script := p.path()
	depth := min(strings.Count(script, "/")+1, deepest)
	for n := 1; n <= depth; n++ {
		add(lastOf(script, n), len(p.arguments) == 0)
	}
	if len(p.arguments) <= longest {
		for n := 1; n <= depth; n++ {
			name := lastOf(script, n)
			for i, argument := range p.arguments {
				name += " " + OneLine(argument)
				add(name, i == len(p.arguments)-1)
			}
		}
	}
	add(OneLine(hook), true)
	return c
}

// first is the first candidate that is good.
func (c candidates) first(good func(name string, complete bool) bool) string {
	for _, name := range c.order {
		if name != "" && good(name, slices.Contains(c.whole, name)) {
			return name
		}
	}
	return ""
}

// lastOf is the last n parts of a path that does not end in a slash.
func lastOf(script string, n int) string {
	at := len(script)
	for ; n > 0; n-- {
		if at = strings.LastIndexByte(script[:at], '/'); at < 0 {
			return script
		}
	}
	return script[at+1:]
}

// OneLine makes one line of a text, in which a sign stands for each character that would steer a terminal or turn the direction of
// writing.
func OneLine(text string) string {
	text = strings.Map(func(r rune) rune {
		switch {
		case r == '\n', r == '\t', r == '\r':
			return ' '
		case unicode.IsControl(r), unicode.In(r, unicode.Cf, unicode.Zl, unicode.Zp):
			return unicode.ReplacementChar
		}
		return r
	}, strings.ToValidUTF8(text, string(unicode.ReplacementChar)))
	return strings.TrimSpace(text)
}

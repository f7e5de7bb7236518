package hooks

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/internal/text"
)

// A hook is identified by its whole command. For people it has a short name: the file name of its script, with as much of the path or of
// the arguments as it takes to distinguish it from the others. Names are one line without control characters.

// ShortName returns the short name of one hook, regardless of others.
func ShortName(hook string) string { return naming(hook).base() }

// ShortNames gives each hook the shortest name that no other one has.
func ShortNames(hooks []string) map[string]string {
	names := make(map[string][]candidate, len(hooks))
	named, complete := map[string]int{}, map[string]int{} // how many hooks could have this name, and how many with all of their arguments
	for _, hook := range hooks {
		if _, twice := names[hook]; twice {
			continue
		}
		names[hook] = naming(hook).candidates(hook)
		all := map[string]bool{}
		for _, c := range names[hook] {
			all[c.name] = all[c.name] || c.complete
		}
		for name, isComplete := range all {
			named[name]++
			complete[name] += int(one(isComplete))
		}
	}
	short := make(map[string]string, len(names))
	taken := map[string]bool{}
	var left []string
	for hook, candidates := range names {
		i := slices.IndexFunc(candidates, func(c candidate) bool {
			return c.name != "" && (c.complete && complete[c.name] == 1 || !c.complete && named[c.name] == 1)
		})
		if i < 0 {
			left = append(left, hook)
			continue
		}
		short[hook], taken[candidates[i].name] = candidates[i].name, true
	}
	slices.Sort(left)
	for _, hook := range left { // they differ only in characters that cannot be shown
		name := unused(OneLine(hook), taken)
		short[hook], taken[name] = name, true
	}
	return short
}

// unused returns name, with a number if it is taken.
func unused(name string, taken map[string]bool) string {
	free := name
	for n := 2; taken[free]; n++ {
		free = name + " #" + strconv.Itoa(n)
	}
	return free
}

// Named reports whether ShortNames may give a hook this name, whatever other hooks there are.
func Named(hook, name string) bool {
	return name != "" && slices.ContainsFunc(naming(hook).candidates(hook), func(c candidate) bool { return c.name == name })
}

// Resolve finds the hook that a person means by name: the command itself, its name in ShortNames, the file name of its script, or a part
// of its command that no other command contains. The error lists the hooks that it could be.
func Resolve(hooks []string, name string) (string, error) {
	if name == "" {
		return "", fmt.Errorf("the name of a hook is empty")
	}
	short := ShortNames(hooks)
	for _, means := range []func(hook string) bool{
		func(hook string) bool { return hook == name || hook == string([]rune(name)) }, // as read from the file
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

// CommandOf returns the command of a hook that is a program with arguments, quoted as for a shell.
func CommandOf(words []string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = text.ShellWord(word)
	}
	return strings.Join(quoted, " ")
}

// PatternFor returns a short pattern that matches this command and none of the others.
func PatternFor(command string, all []string) string {
	for _, pattern := range []string{ShortName(command), ShortNames(all)[command]} {
		others := slices.ContainsFunc(all, func(other string) bool { return other != command && Matches(pattern, other) })
		if Matches(pattern, command) && !others {
			return pattern
		}
	}
	return command
}

// ErrUnknownHook is the error of Resolve if there is no such hook.
var ErrUnknownHook = errors.New("no hook is called")

// mostNamed limits the hooks that an error about an ambiguous name lists.
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

// candidate is a name that a hook could have; a complete one includes all of its arguments.
type candidate struct {
	name     string
	complete bool
}

// candidates returns the possible names of a hook, the shortest first.
func (p parts) candidates(hook string) (all []candidate) {
	// Limits of the path components and arguments in a short name; beyond them, the whole command is clearer.
	const deepest, longest = 32, 8
	script := p.path()
	depth := min(strings.Count(script, "/")+1, deepest)
	for n := 1; n <= depth; n++ {
		all = append(all, candidate{lastOf(script, n), len(p.arguments) == 0})
	}
	if len(p.arguments) <= longest {
		for n := 1; n <= depth; n++ {
			name := lastOf(script, n)
			for i, argument := range p.arguments {
				name += " " + OneLine(argument)
				all = append(all, candidate{name, i == len(p.arguments)-1})
			}
		}
	}
	return append(all, candidate{OneLine(hook), true})
}

// lastOf returns the last n components of a path that does not end in a slash.
func lastOf(script string, n int) string {
	at := len(script)
	for ; n > 0; n-- {
		if at = strings.LastIndexByte(script[:at], '/'); at < 0 {
			return script
		}
	}
	return script[at+1:]
}

// OneLine returns a command as one line, without characters that would affect a terminal.
func OneLine(command string) string {
	return strings.TrimSpace(text.Printable(strings.NewReplacer("\n", " ", "\t", " ", "\r", " ").Replace(command)))
}

package hooks

import (
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode"

	"github.com/claudeops/claudeops/internal/lazy"
)

// A hook is known by its whole command. For people it has a short name: the file name of its script.

// scripts are the extensions by which a script is known.
var scripts = []string{".py", ".sh", ".bash", ".zsh", ".js", ".mjs", ".cjs", ".ts", ".rb", ".pl", ".php", ".lua"}

// ShortName returns the file name of a command's script: the first word with a script's extension, or else the program.
func ShortName(hook string) string {
	all := words(hook)
	at := slices.IndexFunc(all, func(word string) bool { return slices.Contains(scripts, path.Ext(word)) })
	if at < 0 {
		at = slices.IndexFunc(all, func(word string) bool { return !strings.Contains(word, "=") })
	}
	if at < 0 {
		return OneLine(hook)
	}
	return path.Base(all[at])
}

// words splits a command at blanks and drops quotes, which is near enough to a shell to find a script's name.
func words(hook string) (all []string) {
	for _, word := range strings.Fields(strings.NewReplacer(";", " ", "&", " ", "|", " ", "(", " ", ")", " ").Replace(hook)) {
		if word = strings.NewReplacer(`"`, "", "'", "").Replace(word); word != "" {
			all = append(all, OneLine(word))
		}
	}
	return all
}

// ShortNames gives each hook a name that no other one has: its short name, or its whole command.
func ShortNames(hooks []string) map[string]string {
	count := map[string]int{}
	for _, hook := range hooks {
		count[ShortName(hook)]++
	}
	names := make(map[string]string, len(hooks))
	for _, hook := range hooks {
		names[hook] = ShortName(hook)
		if count[names[hook]] > 1 {
			names[hook] = OneLine(hook)
		}
	}
	return names
}

// Resolve finds the hook that a person means: by its command, its short name, or a part of its command that no other one has.
func Resolve(hooks []string, name string) (string, error) {
	for _, means := range []func(hook string) bool{
		func(hook string) bool { return hook == name || OneLine(hook) == name },
		func(hook string) bool { return ShortName(hook) == name },
		func(hook string) bool { return name != "" && strings.Contains(hook, name) },
	} {
		var found []string
		for _, hook := range hooks {
			if means(hook) {
				found = append(found, hook)
			}
		}
		if len(found) == 1 {
			return found[0], nil
		}
		if len(found) > 1 {
			return "", fmt.Errorf("%q is not the name of one hook; it could be any of\n  %s", name, strings.Join(found, "\n  "))
		}
	}
	return "", fmt.Errorf("no hook is called %q; a hook is known once it has run: `claude-hooks list` names those", name)
}

// colour matches the sequences by which programs colour what they print.
var colour = lazy.Regexp(`\x1b\[[0-9;?]*[A-Za-z]`)

// OneLine returns a text as one line in which nothing affects a terminal.
func OneLine(s string) string {
	if strings.Contains(s, "\x1b") {
		s = colour().ReplaceAllString(s, "")
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) {
			return ' '
		}
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, s)
	return strings.TrimSpace(s)
}

// clip shortens a text to a number of characters.
func clip(s string, most int) string {
	runes := []rune(s)
	if len(runes) <= most {
		return s
	}
	return string(runes[:most-1]) + "…"
}

package guard

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// xargs judges the command that xargs runs, with what is known of the words that it adds.
func (k *walker) xargs(words []word, f flow) output {
	u := &use{words: words, name: "xargs", rule: &policy.Rule{Do: "observe"}, f: f}
	args, replace, zero, single, none := words[1:], "", false, false, true
	for len(args) > 0 && args[0].known && strings.HasPrefix(args[0].text, "-") && !u.failed {
		if !args[0].written || len(args) > 1 && !args[1].written {
			k.deny(u, Unknown, "the options of `xargs` and the command's name stand there literally; write them out")
			break
		}
		option := args[0].text
		switch {
		case args[0].is("--"):
		case args[0].is("-0", "--null"):
			zero = true
		case args[0].is("-t", "--verbose", "-x", "--exit"):
		case args[0].is("-r", "--no-run-if-empty"):
			none = false
		case args[0].is("-0r", "-r0"):
			zero, none = true, false
		case args[0].is("-d", "--delimiter") && len(args) > 1 && !args[1].is(`\n`, `\0`), strings.HasPrefix(option, "-d") && len(option) > 2 && option != `-d\n` && option != `-d\0`:
			f.stdin = input{unknown: true} // words are cut elsewhere
			if len(option) == 2 || option == "--delimiter" {
				args = args[1:]
			}
		case args[0].is("-n1", "-L1") || args[0].is("-n", "-L") && len(args) > 1 && args[1].is("1"):
			single = true
			if len(option) == 2 {
				args = args[1:]
			}
		case args[0].is("-a", "--arg-file") && len(args) > 1:
			k.reads(args[1], f, "xargs", show(words))
			f.stdin = input{unknown: true}
			args = args[1:]
		case args[0].is("-n", "-L", "-P", "-s", "-d", "--max-args", "--max-procs", "--max-lines", "--delimiter") && len(args) > 1 && args[1].known:
			args = args[1:]
		case len(option) > 2 && strings.IndexByte("nLPs", option[1]) >= 0 && strings.Trim(option[2:], "0123456789") == "":
		case strings.HasPrefix(option, "--max-") && strings.Contains(option, "="), strings.HasPrefix(option, "-d") && len(option) > 2:
		case args[0].is("-I") && len(args) > 1 && args[1].known && args[1].text != "":
			replace = args[1].text
			args = args[1:]
		case strings.HasPrefix(option, "-I") && len(option) > 2:
			replace = option[2:]
		default:
			k.deny(u, Unknown, "the option `"+option+"` of `xargs` is not granted; leave it out")
		}
		args = args[1:]
	}
	if u.failed {
		return output{}
	}
	if len(args) == 0 {
		k.act(Act{Action: Observe, Rule: "xargs", Command: show(words)})
		return output{plain: k.names(f.stdin)}
	}
	if f.stdin.known && len(words)-len(args) > 1 && len(strings.Fields(f.stdin.text)) > 1 { // which words come together is not followed
		f.stdin = input{unknown: true, plain: plainNames(f.stdin.text)}
	}
	inner := f.within("under `xargs`")
	inner.stdin = input{}
	f.stdin.plain = k.names(f.stdin)
	f.stdin.found.absent = none
	return k.run(added(args, f.stdin, replace, zero, single), inner, false)
}

// plainNames reports whether a text is nothing but plain names.
func plainNames(text string) bool {
	return !slices.ContainsFunc(strings.Fields(text), func(name string) bool {
		return strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._:/-") != "" || strings.ContainsAny(name[:1], "-./:_") || strings.Contains(name, "..")
	})
}

// added is the command of xargs with the words that it adds, at the end or in the place of a text.
func added(args []word, in input, replace string, zero, single bool) []word {
	more := []word{{plain: in.plain, one: single, why: "a word that xargs adds"}}
	switch {
	case in.known && !strings.ContainsAny(in.text, "\\\"'"):
		more = nil
		for _, text := range strings.FieldsFunc(in.text, func(r rune) bool { return r == ' ' || r == '\t' || r == '\n' }) {
			more = append(more, literal(text))
		}
	case in.found.under != "" && zero:
		more = []word{in.found}
	}
	if replace == "" {
		return append(append([]word{}, args...), more...)
	}
	var all []word
	for _, a := range args {
		before, after, has := strings.Cut(a.text, replace)
		switch {
		case !a.known || !has:
			all = append(all, a)
		case len(more) == 1 && before == "" && after == "":
			w := more[0]
			w.one, w.absent = true, false
			all = append(all, w)
		case len(more) == 1 && more[0].known:
			all = append(all, literal(strings.ReplaceAll(a.text, replace, more[0].text)))
		default:
			all = append(all, word{text: before, one: true, plain: in.plain && before == "", why: "a word that xargs adds"})
		}
	}
	return all
}

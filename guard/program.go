package guard

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard/policy"
)

// use is one use of a program: what the policy grants of it, and what was given.
type use struct {
	words    []word // the whole command, for people
	name     string // the program and its subcommands
	rule     *policy.Rule
	levels   []*policy.Rule // rule, and those above it that may lend it options
	f        flow
	given    []given
	operands []word
	action   Action
	part     string // first or last step of a remediation
	observes bool   // an option makes it only observe
	plain    bool   // it prints plain names
	text     bool   // an option makes it print other text
	after    int    // how many operands stand behind two dashes
	ended    bool   // two dashes have ended its options
	failed   bool   // it was refused
}

// program judges the use of a program that the policy knows.
func (k *walker) program(name string, rule *policy.Rule, words []word, f flow) output {
	u := &use{words: words, name: name, rule: rule, f: f, levels: []*policy.Rule{rule}}
	k.parse(u, words[1:])
	if u.failed {
		return output{call: words}
	}
	return k.conclude(u)
}

func (k *walker) deny(u *use, action Action, reason string) {
	u.failed = true
	if u.rule.Why != "" && action == Unknown && reason != u.rule.Why {
		reason += ": " + u.rule.Why
	}
	k.refuse(action, u.name, show(u.words), reason)
}

// parse reads options and operands by the rule, and goes down to the rule of the subcommand.
func (k *walker) parse(u *use, args []word) {
	for i := 0; i < len(args) && !u.failed; i++ {
		a := args[i]
		switch {
		case !u.ended && a.is("--"):
			u.ended = true
		case !u.ended && a.optional():
			i += k.option(u, args, i)
		case len(u.rule.Commands) > 0 && len(u.operands) == 0 && k.descend(u, a):
		case !u.permutes():
			u.operands = append(u.operands, args[i:]...)
			return
		default:
			u.operands = append(u.operands, a)
			if u.ended {
				u.after++
			}
		}
	}
}

// style is how the program reads its options, by its rule or the nearest above it that says so.
func (u *use) style() string {
	for _, level := range slices.Backward(u.levels) {
		if level.Style != "" {
			return level.Style
		}
	}
	return "strict"
}

// permutes reports whether the program is known to take options behind operands. Another may take them for operands there: for a file
// to be written, or for nothing, so that it does what the option was to keep it from.
func (u *use) permutes() bool {
	return u.rule.Loose || u.style() == "gnu" || u.style() == "pflag"
}

// pflag reports whether the program reads -n=VALUE as -n VALUE, as programs in Go do, and docker-compose in python did not.
func (u *use) pflag() bool {
	return !strings.HasPrefix(u.name, "docker-compose") && slices.ContainsFunc(u.levels, func(level *policy.Rule) bool { return level.Style == "pflag" })
}

// descend goes to the rule of a subcommand. It reports false where the word is an operand of this very rule.
func (k *walker) descend(u *use, a word) bool {
	sub := (*policy.Rule)(nil)
	if a.known {
		sub = u.rule.Command(a.text)
	}
	if sub == nil {
		if u.rule.Do != "" && u.rule.Operands != "" && u.rule.Operands != "none" {
			return false
		}
		if !a.known {
			k.deny(u, Unknown, "the subcommand is only known when it runs ("+a.why+"); write it out")
		} else {
			k.deny(u, Unknown, "`"+u.name+" "+a.text+"` is not in the policy")
		}
		return true
	}
	if u.effect("alone") {
		k.deny(u, Unknown, "options stand behind `"+a.text+"`, or alone")
		return true
	}
	u.name += " " + a.text
	u.rule = sub
	u.levels = append(u.levels, sub)
	return true
}

package cli

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

// maxQuestion limits an operator's question, in bytes: it is part of the prompt, and paid for on every turn.
const maxQuestion = 16 << 10

// asked are the flags of run-once for a request about some services.
type asked struct {
	services     []string
	prompt, file string
	tier         int
}

func (q *asked) addTo(c *cobra.Command) {
	c.Flags().StringArrayVar(&q.services, "service", nil, "look at this service alone, by `NAME` or alias, and at what it depends on; may be given several times")
	c.Flags().StringVar(&q.prompt, "prompt", "", "ask an agent the question in this `TEXT`; its answer is in the summary")
	c.Flags().StringVar(&q.file, "prompt-file", "", "the same with the text of this `FILE`; - is standard input")
	flags.Var(c.Flags(), &q.tier, "tier", "", "start Tier `N` after Tier 1, whatever that finds: 2 or 3", flags.OneOf(2, 3))
}

// wanted returns what the flags request of a cycle; the zero value if none is given. It is called before the cycle takes its lock.
func (a *app) wanted(q asked, given *pflag.FlagSet) (want cycle.Asked, err error) {
	want = cycle.Asked{Services: q.services, Question: q.prompt, Tier: q.tier}
	asks := given.Changed("prompt") || given.Changed("prompt-file")
	switch {
	case given.Changed("prompt") && given.Changed("prompt-file"):
		return want, errors.New("--prompt and --prompt-file: a cycle takes one question; give one of them")
	case q.file == "-":
		var read []byte
		read, err = a.readInput(maxQuestion)
		want.Question = string(read)
	case q.file != "":
		var read []byte
		read, err = statedir.ReadFile(q.file, maxQuestion)
		want.Question = string(read)
	}
	if err != nil {
		return want, fmt.Errorf("--prompt-file: %w", err)
	}
	want.Question = strings.TrimSpace(want.Question)
	switch {
	case asks && want.Question == "":
		return want, errors.New("the question is empty")
	case len(want.Question) > maxQuestion:
		return want, fmt.Errorf("--prompt: %d bytes; a question has at most %d", len(want.Question), maxQuestion)
	case !utf8.ValidString(want.Question) || strings.ContainsRune(want.Question, 0):
		return want, errors.New("the question is not UTF-8 text")
	case want.Services != nil && given.Changed("trigger"):
		return want, errors.New("--service is for a person: leave --trigger out")
	case want.Services == nil && (asks || want.Tier != 0):
		return want, errors.New("--prompt, --prompt-file and --tier ask about a service: name it with --service")
	}
	return want, nil
}

// narrow limits the cycle to the services that a person named and their dependencies. It returns an error if the request cannot be
// carried out.
func narrow(l *loaded, inv *inventory.Inventory, want *cycle.Asked) (*inventory.Inventory, error) {
	if inv == nil {
		return nil, errors.New("--service: no services are known; name the services file in CLAUDEOPS_INVENTORY")
	}
	named, err := chosen(inv, want.Services)
	if err != nil {
		return nil, err
	}
	want.Whole, want.Services = inv, nil
	for _, s := range named {
		if other := inv.Elsewhere(s.Name); other != "" {
			return nil, fmt.Errorf("--service %s: it is looked after by %s", s.Name, other)
		}
		want.Services = append(want.Services, s.Name)
	}
	switch {
	case want.Tier > 1 && l.config.DryRun:
		return nil, fmt.Errorf("--tier %d: CLAUDEOPS_DRY_RUN is set, and Tier 1 alone observes", want.Tier)
	case want.Tier > l.config.MaxTier:
		return nil, fmt.Errorf("--tier %d: CLAUDEOPS_MAX_TIER is %d", want.Tier, l.config.MaxTier)
	}
	if want.Question != "" || want.Tier > 1 {
		if _, fault := modelFault(l.config, l.environment.Credential()); fault != nil {
			return nil, fmt.Errorf("what you ask needs a model: %w; `claudeops doctor` shows what is missing", fault)
		}
	}
	l.config.Services = withDependencies(inv, want.Services)
	return partOf(l.config, inv), nil
}

// withDependencies returns services and all of this shard's services that they depend on, directly or not.
func withDependencies(inv *inventory.Inventory, names []string) []string {
	all := slices.Clone(names)
	for i := 0; i < len(all); i++ {
		s, _ := inv.Get(all[i])
		for _, name := range s.DependsOn {
			if inv.Elsewhere(name) == "" && !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

// answerText formats the answer to the operator's question for a person.
func (a *app) answerText(q *cycle.Answer) string {
	if q == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "asked: %s\nanswer of Tier %d (session %d):\n", a.indented(q.Question, 2), q.Tier, q.Session)
	return b.String() + "  " + a.indented(q.Text, 2) + "\n"
}

package notify

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// Routing decides which target gets which notification, by the rules of the services file. Without rules every target gets everything.
type Routing struct {
	Targets []Target
	Rules   []inventory.Rule
}

// Recipient is a target of a notification.
type Recipient struct {
	Target
	Until time.Time // end of the quiet hours that hold it back; zero if none do
}

// Urgent reports whether a notification of a kind and type ignores quiet hours, and goes to every target if no rule matches it, because
// nothing else looks after its subject, or because it waits for a person's answer. Down is not urgent: a request for a human follows if no
// agent works on the service.
func Urgent(kind store.Kind, of store.MessageType) bool {
	return kind == store.HumanAttention || kind == store.AskApproval || of == store.FailureMessage && kind != store.Down
}

// Recipients returns the targets of a notification, in the order of the configuration. A rule with only unknown targets sends to every
// target, so that a misspelt name loses nothing.
func (r Routing) Recipients(kind store.Kind, of store.MessageType, service string, now time.Time) (to []Recipient) {
	if len(r.Rules) == 0 {
		return r.everyone()
	}
	until := map[string]time.Time{}
	for _, rule := range r.Rules {
		if !rule.Matches(string(kind), service) {
			continue
		}
		end, quiet := rule.Quiet.Until(now)
		if !quiet || Urgent(kind, of) {
			end = time.Time{}
		}
		for _, target := range r.targets(rule) {
			if had, gets := until[target.Hash]; !gets || end.Before(had) {
				until[target.Hash] = end
			}
		}
	}
	for _, target := range r.Targets {
		if end, gets := until[target.Hash]; gets {
			to = append(to, Recipient{target, end})
		}
	}
	if len(to) == 0 && Urgent(kind, of) {
		return r.everyone()
	}
	return to
}

func (r Routing) everyone() (to []Recipient) {
	for _, target := range r.Targets {
		to = append(to, Recipient{Target: target})
	}
	return to
}

// targets returns the targets of a rule.
func (r Routing) targets(rule inventory.Rule) []Target {
	named := slices.DeleteFunc(slices.Clone(r.Targets), func(t Target) bool { return !slices.Contains(rule.Targets, t.Name) })
	if rule.Targets == nil || len(rule.Targets) > 0 && len(named) == 0 {
		return r.Targets
	}
	return named
}

// RulesOf returns the rules that send something to a target; without any rules, one that sends everything.
func (r Routing) RulesOf(target Target) []inventory.Rule {
	if len(r.Rules) == 0 {
		return []inventory.Rule{{}}
	}
	return slices.DeleteFunc(slices.Clone(r.Rules), func(rule inventory.Rule) bool { return !slices.Contains(r.targets(rule), target) })
}

// Warnings returns the mistakes in the rules that have no error, each with what to do.
func (r Routing) Warnings() (warnings []string) {
	if len(r.Rules) == 0 {
		return nil
	}
	names := make([]string, len(r.Targets))
	for i, t := range r.Targets {
		names[i] = t.Name
	}
	for i, rule := range r.Rules {
		for _, name := range rule.Targets {
			if len(names) == 0 || slices.Contains(names, name) {
				continue
			}
			instead := ""
			if len(r.targets(rule)) == len(r.Targets) {
				instead = ", and every target gets what the rule sends"
			}
			warnings = append(warnings, fmt.Sprintf("rule %d of notify names the target %q, and CLAUDEOPS_APPRISE_URLS has %s%s; name one of those, or that in the variable",
				i+1, name, text.Few(names, 10), instead))
		}
	}
	for _, t := range r.Targets {
		if len(r.RulesOf(t)) == 0 {
			warnings = append(warnings, fmt.Sprintf("no rule of notify sends %s anything: it gets only what is urgent and has no rule; give it a rule, or take it out", t.Name))
		}
	}
	var nowhere []string
	for _, kind := range inventory.Kinds {
		if kind == string(store.AskApproval) { // always urgent
			continue
		}
		if !slices.ContainsFunc(r.Rules, func(rule inventory.Rule) bool { return rule.Services == nil && rule.Matches(kind, "") }) {
			nowhere = append(nowhere, kind)
		}
	}
	if len(nowhere) > 0 {
		warnings = append(warnings, fmt.Sprintf("no rule of notify sends %s, but for single services at most: people do not get that, unless it is urgent: then every target does; "+
			"add a rule, with `targets: []` where that is meant", strings.Join(nowhere, ", ")))
	}
	return warnings
}

// SettingsOf returns the settings of a configuration, without an environment for programs.
func SettingsOf(c config.Config) Settings {
	return Settings{URLs: c.AppriseURLs, APIURL: c.AppriseAPIURL, Key: c.AppriseKey, Tags: c.AppriseTags}
}

// RoutingOf returns the routing of a configuration and a services file; inv may be nil.
func RoutingOf(c config.Config, inv *inventory.Inventory) (r Routing) {
	for _, route := range SettingsOf(c).Routes() {
		r.Targets = append(r.Targets, route.Target)
	}
	if inv != nil {
		r.Rules = inv.Notify
	}
	return r
}

package notify

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/store"
)

// rules parses the rules of a services file.
func rules(t *testing.T, text string) []inventory.Rule {
	t.Helper()
	inv, err := inventory.Parse([]byte("services: [{name: shop}, {name: mail}]\nnotify:\n" + text))
	ok(t, err)
	return inv.Notify
}

func TestWhoGetsWhat(t *testing.T) {
	const nightly = `
- {targets: [chat]}
- {targets: [phone], kinds: [human_attention, recovered], quiet: "22:00-07:00 UTC"}
- {targets: [phone], kinds: [down]}
- {targets: [], kinds: [remediated]}
`
	night, morning := time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC), time.Date(2026, 3, 2, 7, 0, 0, 0, time.UTC)
	phone := Recipient{Target: Target{"hash of phone", "phone"}}
	chat := Recipient{Target: Target{"hash of chat", "chat"}}
	later := Recipient{phone.Target, morning}
	for name, test := range map[string]struct {
		rules, service string
		kind           store.Kind
		of             store.MessageType
		now            time.Time
		want           []Recipient
	}{
		"without rules everybody gets everything": {"", "shop", store.DailyDigest, store.InfoMessage, night, []Recipient{phone, chat}},
		"what is urgent does not wait":            {nightly, "shop", store.HumanAttention, store.FailureMessage, night, []Recipient{phone, chat}},
		"what is not waits":                       {nightly, "shop", store.Recovered, store.SuccessMessage, night, []Recipient{later, chat}},
		"what is down waits":                      {"- {quiet: '22:00-07:00 UTC'}", "shop", store.Down, store.FailureMessage, night, []Recipient{later, {chat.Target, morning}}},
		"it does not by day":                      {nightly, "shop", store.Recovered, store.SuccessMessage, morning, []Recipient{phone, chat}},
		"a rule without quiet hours":              {nightly, "shop", "down", store.WarningMessage, night, []Recipient{phone, chat}},
		"a kind of no rule of a target":           {nightly, "", store.DailyDigest, store.InfoMessage, morning, []Recipient{chat}},
		"one service's alone":                     {"- {targets: [chat], services: [mail]}", "mail", store.Recovered, store.SuccessMessage, morning, []Recipient{chat}},
		"another's":                               {"- {targets: [chat], services: [mail]}", "shop", store.Recovered, store.SuccessMessage, morning, nil},
		"another's that is urgent":                {"- {targets: [chat], services: [mail]}", "shop", store.HumanAttention, store.FailureMessage, morning, []Recipient{phone, chat}},
		"a failure of the watch has no rule":      {"- {kinds: [recovered]}", "", store.AgentFailing, store.FailureMessage, night, []Recipient{phone, chat}},
		"a warning of the watch has no rule":      {"- {kinds: [recovered]}", "", store.AgentFailing, store.WarningMessage, night, nil},
		"an unknown target":                       {"- {targets: [fone], kinds: [recovered]}", "shop", store.Recovered, store.SuccessMessage, night, []Recipient{phone, chat}},
		"an unknown target beside a known one":    {"- {targets: [fone, chat], kinds: [recovered]}", "shop", store.Recovered, store.SuccessMessage, night, []Recipient{chat}},
		"no target, and urgent":                   {"- {targets: []}", "shop", store.HumanAttention, store.FailureMessage, night, []Recipient{phone, chat}},
		"no target":                               {"- {targets: []}", "shop", store.Recovered, store.SuccessMessage, night, nil},
	} {
		t.Run(name, func(t *testing.T) {
			r := Routing{Targets: targetsNamed("phone", "chat")}
			if test.rules != "" {
				r.Rules = rules(t, test.rules)
			}
			same(t, r.Recipients(test.kind, test.of, test.service, test.now), test.want)
		})
	}
}

func TestRulesThatDoNotDoWhatTheySay(t *testing.T) {
	const all = "- {kinds: [human_attention, down, agent_failing, remediated, recovered, message, daily_digest]}\n"
	for text, want := range map[string][]string{
		all:                              nil,
		all + "- {targets: [phone]}\n":   nil,
		all + "- {targets: [fone]}\n":    {`rule 2 of notify names the target "fone", and CLAUDEOPS_APPRISE_URLS has phone and chat, and every target gets what the rule sends; name one of those, or that in the variable`},
		all + "- {targets: [chat, x]}\n": {`rule 2 of notify names the target "x", and CLAUDEOPS_APPRISE_URLS has phone and chat; name one of those, or that in the variable`},
		"- {targets: [phone]}\n":         {"no rule of notify sends chat anything: it gets only what is urgent and has no rule; give it a rule, or take it out"},
		"- {kinds: [human_attention, down, agent_failing, remediated, message]}\n- {kinds: [daily_digest], services: [shop]}\n": {
			"no rule of notify sends recovered, daily_digest, but for single services at most: people do not get that, unless it is urgent: then every target does; add a rule, with `targets: []` where that is meant",
		},
	} {
		same(t, Routing{targetsNamed("phone", "chat"), rules(t, text)}.Warnings(), want)
	}
	same(t, Routing{Rules: rules(t, "- {targets: [fone]}")}.Warnings(), []string(nil)) // without known targets
}

// A message is delivered once all its targets have it. Messages held by quiet hours are sent when these end.
func TestQuietHoursHoldWhatIsNotUrgent(t *testing.T) {
	d := newDesk(t, "phone", "chat")
	d.Rules = rules(t, `
- {targets: [phone], quiet: "22:00-07:00 UTC"}
- {targets: [chat], services: [shop], kinds: [recovered]}
`)
	d.now = time.Date(2026, 3, 1, 23, 0, 0, 0, time.UTC)
	about := func(kind store.Kind, service string) {
		d.put(store.Notification{Kind: kind, Service: service, Title: service + " " + string(kind)})
	}
	about(store.Recovered, "shop")
	about(store.Recovered, "mail")
	about(store.Recovered, "other")
	about(store.HumanAttention, "mail")
	d.run()
	same(t, d.took, map[string][]string{"phone": {"mail human_attention"}, "chat": {"shop recovered"}})
	same(t, len(must(d.Store.Notifications(t.Context(), store.NotificationFilter{Pending: true}))), 3)
	d.now = d.now.Add(8*time.Hour - time.Millisecond)
	d.run()
	same(t, len(d.took["phone"]), 1)
	d.now = d.now.Add(time.Millisecond)
	d.run()
	same(t, d.took, map[string][]string{"phone": {"mail human_attention", "shop recovered", "mail and other recovered"}, "chat": {"shop recovered"}})
	same(t, must(d.Store.AtRest(t.Context())), true)
}

// Quiet hours that fall mostly into the hour that the clock skips hold nothing back on the day before, and lose nothing.
func TestQuietHoursThatTheClockSkips(t *testing.T) {
	d := newDesk(t, "phone")
	d.Rules = rules(t, `- {quiet: "02:15-03:10 Europe/Berlin"}`)
	for n, minutes := range []int{10, 130, 24*60 + 60, 24*60 + 75, 24*60 + 85, 48 * 60} { // minutes since 28 March in UTC; the clock is set forward 25 h later
		d.now = time.Date(2026, 3, 28, 0, minutes, 0, 0, time.UTC)
		d.put(store.Notification{Kind: store.Message, Title: fmt.Sprint(n)})
		d.run()
		same(t, len(d.took["phone"]), n+1)
	}
	d.now = time.Date(2026, 3, 30, 0, 20, 0, 0, time.UTC)
	d.put(store.Notification{Kind: store.Message, Title: "held"})
	d.run()
	same(t, len(d.took["phone"]), 6)
	d.now = d.now.Add(50 * time.Minute)
	d.run()
	same(t, len(d.took["phone"]), 7)
}

// Changed rules apply to pending messages at once. A message that no rule sends to a target any more is closed.
func TestRulesThatChange(t *testing.T) {
	d := newDesk(t, "phone", "chat")
	d.answer = func(_ context.Context, target string, _ Message) error {
		if target == "phone" {
			return errDown
		}
		return nil
	}
	d.put(store.Notification{Kind: store.Recovered, Service: "shop", Title: "shop recovered"})
	same(t, d.run().Waiting, 1)
	d.Rules = rules(t, "- {targets: [chat]}")
	d.now = d.now.Add(time.Minute)
	same(t, d.run().Waiting, 0)
}

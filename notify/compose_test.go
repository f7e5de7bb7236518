package notify

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/store"
)

// group returns notifications 7, 8, … that are sent together as message 7. Those about a service have an incident.
func group(all ...store.Notification) []store.Notification {
	first := int64(7)
	for i := range all {
		all[i].ID, all[i].MessageID = first+int64(i), &first
		if all[i].Kind == "" {
			all[i].Kind = store.HumanAttention
		}
		if all[i].Service != "" {
			all[i].IncidentID = &first
		}
	}
	return all
}

func asks(service, body string) store.Notification {
	return store.Notification{Service: service, Title: service + " needs human attention", Body: body}
}

func many(n int, body string) (all []store.Notification) {
	for i := range n {
		all = append(all, asks(fmt.Sprint("s", i+1), body))
	}
	return group(all...)
}

const footer = "\n\nclaudeops on box, message 7"

func TestTitles(t *testing.T) {
	of := func(kind store.Kind, services ...string) (all []store.Notification) {
		for _, s := range services {
			n := store.Notification{Kind: kind, Service: s, Title: s + " did"}
			if s == "" {
				n.Title = "The watch itself"
			}
			all = append(all, n)
		}
		return group(all...)
	}
	long := strings.Repeat("ä", 400)
	for _, tt := range []struct {
		group []store.Notification
		want  string
	}{
		{of(store.Remediated, "shop"), "shop did"},
		{of(store.HumanAttention, ""), "The watch itself"},
		{of(store.HumanAttention, "shop", "mail", "dns"), "shop, mail and dns need human attention"},
		{of(store.HumanAttention, "shop", "shop"), "shop needs human attention"},
		{of(store.HumanAttention, "shop", "mail", "dns", "web"), "4 services need human attention: shop, mail, dns …"},
		{of(store.AgentFailing, "shop", "mail"), "shop and mail need human attention"},
		{of(store.Recovered, "shop", "mail"), "shop and mail recovered"},
		{of(store.Recovered, "shop", "shop"), "shop recovered"},
		{of(store.Remediated, "shop", "mail", "shop"), "shop and mail remediated"},
		{of(store.Message, "", "", ""), "The watch itself and 2 more"},
		{of(store.HumanAttention, "shop", "", "mail"), "shop and mail need human attention; The watch itself"},
		{of(store.HumanAttention, "", "shop", ""), "shop needs human attention; The watch itself and 1 more"},
		{group(store.Notification{Title: " two\n lines\x1b "}), "two lines"},
		{of(store.Remediated, long), long[:2*149] + "…"},
		{of(store.Remediated, long, long), long[:2*89] + "… remediated"},
		{of(store.Remediated, long, "shop"), "2 services remediated: " + long[:2*89] + " …"},
	} {
		if got := Compose(tt.group, "box", "").Title; got != tt.want {
			t.Errorf("got %q, want %q", got, tt.want)
		}
	}
}

func TestBodies(t *testing.T) {
	for _, tt := range []struct {
		name  string
		group []store.Notification
		want  string
	}{
		{"one", group(asks("shop", "It is down.\r\n\n- restarts: 2 of 2\n")), "It is down.\n\n- restarts: 2 of 2" + footer},
		{"one without a body", group(asks("shop", "")), footer[2:]},
		{
			"two that fit", group(asks("shop", "It is down.\n\nEverything: `claudeops incidents show 1`"), asks("mail", "")),
			"(1 of 2) shop needs human attention\nIt is down.\n\nEverything: `claudeops incidents show 1`\n\n(2 of 2) mail needs human attention" + footer,
		},
		{
			"three that fit in a line each", many(3, "It is down.\n\n"+strings.Repeat("x", 900)),
			"- s1 needs human attention\n- s2 needs human attention\n- s3 needs human attention\n\n" +
				"Everything: `claudeops incidents list`" + footer,
		},
		{
			"two with a long title", group(store.Notification{Title: strings.Repeat("ä", 1000)}, store.Notification{Title: "b", Body: strings.Repeat("x", 2000)}),
			"- " + strings.Repeat("ä", 197) + "…\n- b\n\nEverything: `claudeops notify show 7`" + footer,
		},
		{
			"faults of the watch itself", group(store.Notification{Title: "Fault a", Body: strings.Repeat("x", 2000)}, store.Notification{Title: "Fault b"}),
			"- Fault a\n- Fault b\n\nEverything: `claudeops notify show 7`" + footer,
		},
	} {
		t.Run(tt.name, func(t *testing.T) { same(t, Compose(tt.group, "box", "").Body, tt.want) })
	}
}

func TestOfTenThousandAsManyAreToldAsFit(t *testing.T) {
	m := Compose(many(10_000, "It is down."), "box", "")
	same(t, m.Title, "10000 services need human attention: s1, s2, s3 …")
	lines := strings.Split(m.Body, "\n")
	told := len(lines) - 4
	same(t, lines[told:], []string{"", fmt.Sprintf("… and %d more: `claudeops incidents list`", 10_000-told), "", footer[2:]})
	same(t, lines[told-1], fmt.Sprintf("- s%d needs human attention", told))
	if free := maxBody - runes(m.Body); free < 0 || free > 50 {
		t.Errorf("%d characters are free", free)
	}
}

// request returns a request for a human as package records makes it.
func request(service, found, why string) store.Notification {
	return store.Notification{
		Service: service, Title: service + " is down and needs human attention: " + found,
		Body: fmt.Sprintf("%s is down since 2026-11-21 22:44 UTC: %s from http://127.0.0.1:1/.\n%s\n\n- %s\n\nEverything: `claudeops incidents show 1`", service, found, why, strings.Repeat("x", 300)),
	}
}

func TestThirtyOfOneReasonAreToldWithIt(t *testing.T) {
	var all []store.Notification
	want := "An agent would look into it, but CLAUDEOPS_MAX_TIER is 1. claudeops goes on watching, and does nothing else.\n"
	for i := range 30 {
		all = append(all, request(fmt.Sprint("customer-service-", i), "HTTP 502", strings.TrimSuffix(want, "\n")))
	}
	for _, n := range all {
		want += "\n- " + n.Service + " is down: HTTP 502"
	}
	m := Compose(group(all...), "box", "")
	same(t, m.Body, want+"\n\nEverything: `claudeops incidents list`"+footer)
	same(t, m.Title, "30 services need human attention: customer-service-0, customer-service-1, customer-service-2 …")

	all = append([]store.Notification{{Title: "The day's budget is spent", Body: "It is.\n\n- x"}}, all...)
	m = Compose(group(all...), "box", "")
	before, lines, _ := strings.Cut(want, "\n\n")
	same(t, m.Body, before+"\n\n- The day's budget is spent\n"+lines+"\n\nEverything: `claudeops incidents list`"+footer)
}

func TestLinesAreShorterWhereMoreOfThemFitThen(t *testing.T) {
	var all []store.Notification
	for i := range 30 {
		all = append(all, request(fmt.Sprint("customer-service-", i), "connection refused by 127.0.0.1:1: nothing listens there", "An agent would look into it, but CLAUDEOPS_MAX_TIER is 1."))
	}
	body := Compose(group(all...), "box", "").Body
	for i := range 30 {
		if want := fmt.Sprintf("\n- customer-service-%d is down: connection refused", i); !strings.Contains(body, want) {
			t.Errorf("no %q in\n%s", want, body)
		}
	}
}

func TestReasonsThatDifferAreLeftOut(t *testing.T) {
	all := []store.Notification{request("s0", "HTTP 502", "Reason 0."), request("s1", "HTTP 503", "Reason 1."), asks("s2", strings.Repeat("x", 2000))}
	same(t, Compose(group(all...), "box", "").Body,
		"- s0 is down: HTTP 502\n- s1 is down: HTTP 503\n- s2 needs human attention\n\nEverything: `claudeops incidents list`"+footer)
}

func TestALongBodyIsCut(t *testing.T) {
	for _, tail := range []string{"", "\n\nEverything: `claudeops incidents show 12`"} {
		body := Compose(group(asks("shop", strings.Repeat("ä", 5000)+tail)), "box", "").Body
		if want := "ä…\n\n(cut here: `claudeops notify show 7` shows all of it)" + tail + footer; !strings.HasSuffix(body, want) {
			t.Errorf("it ends\n%s", body[max(0, len(body)-len(want)-30):])
		}
		same(t, runes(body), maxBody)
	}
	fits := strings.Repeat("ä", maxBody-runes(footer))
	same(t, Compose(group(asks("shop", fits)), "box", "").Body, fits+footer)
}

func TestTheWorstTypeStands(t *testing.T) {
	for want, types := range map[store.MessageType][]store.MessageType{
		store.SuccessMessage: {store.SuccessMessage, store.SuccessMessage},
		store.InfoMessage:    {store.SuccessMessage, store.InfoMessage, store.SuccessMessage},
		store.WarningMessage: {store.WarningMessage, store.InfoMessage},
		store.FailureMessage: {store.InfoMessage, "", store.WarningMessage}, // empty: the default of human attention
	} {
		var all []store.Notification
		for _, is := range types {
			all = append(all, store.Notification{Type: is, Service: "s"})
		}
		same(t, Compose(group(all...), "box", "").Type, want)
	}
	same(t, Compose(nil, "box", ""), Message{})
}

// wellFormed fails unless a message has the properties that every message must have.
func wellFormed(t interface {
	Helper()
	Fatalf(string, ...any)
}, m Message, number int64) {
	t.Helper()
	switch {
	case !utf8.ValidString(m.Title) || !utf8.ValidString(m.Body):
		t.Fatalf("invalid UTF-8: %q, %q", m.Title, m.Body)
	case runes(m.Title) > MaxTitle || strings.ContainsAny(m.Title, "\r\n"):
		t.Fatalf("the title is %q", m.Title)
	case runes(m.Body) > maxBody:
		t.Fatalf("a body of %d characters", runes(m.Body))
	case !strings.HasSuffix(m.Body, fmt.Sprintf(", message %d", number)):
		t.Fatalf("the body ends %q", m.Body[max(0, len(m.Body)-100):])
	}
}

func TestEveryMessageFits(t *testing.T) {
	// Empty, short and very long texts with arbitrary characters.
	text := rapid.Custom(func(t *rapid.T) string {
		return strings.Repeat(rapid.String().Draw(t, "text"), rapid.SampledFrom([]int{0, 1, 1, 50, 500}).Draw(t, "times"))
	})
	rapid.Check(t, func(t *rapid.T) {
		var all []store.Notification
		kind := rapid.SampledFrom([]store.Kind{store.HumanAttention, store.Recovered, store.Message}).Draw(t, "kind")
		for range rapid.SampledFrom([]int{1, 1, 2, 3, 40, 600}).Draw(t, "notifications") {
			all = append(all, store.Notification{Kind: kind, Service: rapid.SampledFrom([]string{"", "shop", "mail"}).Draw(t, "service")})
		}
		for i := range min(len(all), 5) {
			all[i].Title, all[i].Body = text.Draw(t, "title"), text.Draw(t, "body")
		}
		host := text.Draw(t, "host")
		m := Compose(group(all...), host, "")
		wellFormed(t, m, 7)
		if again := Compose(group(all...), host, ""); again.Title != m.Title || again.Body != m.Body {
			t.Fatalf("the same notifications read %q and %q", m, again)
		}
	})
}

func FuzzCompose(f *testing.F) {
	f.Add("shop needs human attention", "It is down.\n\nEverything: `claudeops incidents show 1`", "box", 1)
	f.Add("\xff\n", strings.Repeat("\r\n ", 900), "\x00", 3)
	f.Add("", strings.Repeat("ä", 2000)+"\n\n", "", 5000)
	f.Fuzz(func(t *testing.T, title, body, host string, n int) {
		var all []store.Notification
		for i := range min(max(n, 1), 1000) {
			all = append(all, store.Notification{Title: title, Body: body, Service: title[:min(i, len(title))]})
		}
		wellFormed(t, Compose(group(all...), host, ""), 7)
	})
}

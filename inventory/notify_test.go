package inventory

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

var sameHours = cmp.Comparer(func(x, y Hours) bool { return x.String() == y.String() })

func TestRulesOfNotifications(t *testing.T) {
	inv := mustParse(t, `
notify:
  - {}
  - {targets: [phone], kinds: [human_attention, down], services: [web, db.service], quiet: "22:00-07:00 Europe/Berlin"}
  - {targets: [], kinds: [recovered]}
digest: "08:00 Europe/Berlin"
services:
  - {name: shop, aliases: [web]}
  - {name: db}
`)
	quiet := inv.Notify[1].Quiet
	inv.Notify[1].Quiet = Hours{}
	want := []Rule{
		{}, {Targets: []string{"phone"}, Kinds: []string{"human_attention", "down"}, Services: []string{"shop", "db"}},
		{Targets: []string{}, Kinds: []string{"recovered"}},
	}
	if diff := cmp.Diff(want, inv.Notify, sameHours); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if quiet.String() != "22:00-07:00 Europe/Berlin" || inv.Digest.String() != "CRON_TZ=Europe/Berlin 00 08 * * *" {
		t.Errorf("quiet %q, digest %q", quiet, inv.Digest)
	}
	for _, test := range []struct {
		kind, service string
		rules         [3]bool
	}{
		{"down", "shop", [3]bool{true, true, false}},
		{"down", "", [3]bool{true, false, false}},
		{"recovered", "db", [3]bool{true, false, true}},
	} {
		for i, r := range inv.Notify {
			if got := r.Matches(test.kind, test.service); got != test.rules[i] {
				t.Errorf("rule %d matches %s of %q: %v", i, test.kind, test.service, got)
			}
		}
	}
}

func TestFaultsOfRules(t *testing.T) {
	for text, want := range map[string]string{
		"notify: [{services: [shpo]}]":                  `line 2, column 22: services: "shpo" is no service here (did you mean "shop"?); must be the name or an alias of one`,
		"notify: [{kinds: [recover]}]":                  `line 2, column 19: kinds: "recover" is no kind of notification; did you mean recovered?`,
		"notify: [{quiet: 22-7}]":                       `line 2, column 18: quiet: "22-7"; must be two times of day, like "22:00-07:00 Europe/Berlin"`,
		"notify: [{quiet: '22:00-07:00 Mars/Olympus'}]": `line 2, column 18: quiet: time zone "Mars/Olympus" is not known here; must be a name of the time zone database like Europe/Berlin or UTC`,
		"notify: [{target: [phone]}]":                   `line 2, column 11: "target" is no key of a rule of notify; did you mean targets?`,
		"digest: 8 o'clock":                             `line 2, column 9: digest: "8 o'clock"; must be a time of day, like "08:00 Europe/Berlin"`,
		"notify: [{kinds: []}]":                         `line 2, column 18: kinds: empty; must be a list of kinds, or left out for all`,
	} {
		if diff := cmp.Diff([]string{want}, faultsOf(t, "services: [{name: shop}]\n"+text)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", text, diff)
		}
	}
}

// Quiet hours follow the wall clock: across midnight, and when it is set forward or back.
func TestQuietHours(t *testing.T) {
	at := func(text string) time.Time {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment
	}
	for _, test := range []struct{ hours, now, end string }{ // end: empty outside
		{"22:00-07:00 UTC", "2026-11-21T21:59:59Z", ""},
		{"22:00-07:00 UTC", "2026-11-21T22:00:00Z", "2026-11-22T07:00:00Z"},
		{"22:00-07:00 UTC", "2026-11-22T06:59:59Z", "2026-11-22T07:00:00Z"},
		{"22:00-07:00 UTC", "2026-11-22T07:00:00Z", ""},
		{"09:00-17:00 UTC", "2026-11-22T12:00:00Z", "2026-11-22T17:00:00Z"},
		{"09:00-17:00 UTC", "2026-11-22T18:00:00Z", ""},
		// The night in which the clock is set forward at 2:00 is an hour shorter, and that in which it is set back at 3:00 an hour longer.
		{"22:00-07:00 Europe/Berlin", "2026-03-28T22:00:00Z", "2026-03-29T05:00:00Z"},
		{"22:00-07:00 Europe/Berlin", "2026-10-24T21:00:00Z", "2026-10-25T06:00:00Z"},
		{"22:00-02:30 Europe/Berlin", "2026-03-29T00:59:00Z", "2026-03-29T01:30:00Z"}, // 2:30 does not exist; it is 3:30 in the new time
		{"22:00-02:30 Europe/Berlin", "2026-03-29T01:30:00Z", ""},
		{"02:30-07:00 Europe/Berlin", "2026-03-29T01:00:00Z", ""},
		{"02:30-07:00 Europe/Berlin", "2026-03-29T01:30:00Z", "2026-03-29T05:00:00Z"},
		{"02:15-03:10 Europe/Berlin", "2026-03-28T01:30:00Z", "2026-03-28T02:10:00Z"},
		{"02:15-03:10 Europe/Berlin", "2026-03-28T02:10:00Z", ""}, // as from here on: they would begin at 3:15 on the next day, and end at 3:10
		{"02:15-03:10 Europe/Berlin", "2026-03-29T00:59:59Z", ""},
		{"02:15-03:10 Europe/Berlin", "2026-03-29T01:05:00Z", ""},
		{"02:15-03:10 Europe/Berlin", "2026-03-29T01:20:00Z", ""},
		{"02:15-03:10 Europe/Berlin", "2026-03-30T00:20:00Z", "2026-03-30T01:10:00Z"},
		{"02:15-03:10 Europe/Berlin", "2026-10-25T00:20:00Z", "2026-10-25T02:10:00Z"},
		{"22:00-02:30 Europe/Berlin", "2026-10-25T00:29:00Z", "2026-10-25T00:30:00Z"},
		{"02:30-07:00 Europe/Berlin", "2026-10-25T00:30:00Z", "2026-10-25T06:00:00Z"},
	} {
		inv := mustParse(t, "services: []\nnotify: [{quiet: '"+test.hours+"'}]")
		end, open := inv.Notify[0].Quiet.Until(at(test.now))
		got := ""
		if open {
			got = end.UTC().Format(time.RFC3339)
		}
		if got != test.end {
			t.Errorf("%s at %s: until %q, want %q", test.hours, test.now, got, test.end)
		}
	}
	if _, open := (Hours{}).Until(at("2026-11-22T12:00:00Z")); open {
		t.Error("no hours are open")
	}
}

package inventory

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/schedule"
)

// Kinds are the kinds of notifications that a rule may name.
var Kinds = []string{"human_attention", "approval", "down", "agent_failing", "remediated", "recovered", "daily_digest", "message"}

// Rule selects targets for notifications. Package notify decides about notifications that match no rule.
type Rule struct {
	Targets  []string // by name; nil means every target, and an empty list means none
	Kinds    []string // nil means every kind
	Services []string // by name; nil means all, including notifications without a service
	Quiet    Hours    // when notifications that are not urgent wait; the zero value means never
}

// Matches reports whether the rule applies to a notification of a kind about a service; service is empty if it is about none.
func (r Rule) Matches(kind, service string) bool {
	return (r.Kinds == nil || slices.Contains(r.Kinds, kind)) && (r.Services == nil || slices.Contains(r.Services, service))
}

// Hours is a period of each day, in local time. The zero value means never.
type Hours struct {
	text     string
	from, to schedule.Expression
}

// String returns the hours as given.
func (h Hours) String() string { return h.text }

// Until returns when the current hours end; open is false if now is outside of them. A time skipped by the clock is later by the skipped
// amount; of a repeated one, the first counts. If so much is skipped that the hours would end before they begin, they are left out on
// that day.
func (h Hours) Until(now time.Time) (end time.Time, open bool) {
	if h.text == "" {
		return time.Time{}, false
	}
	end = h.to.Next(now)
	if !end.Before(h.from.Next(now)) {
		return end, false
	}
	const longestDay = 25 * time.Hour
	for begin := h.from.Next(now.Add(-longestDay)); !begin.After(now); begin = h.from.Next(begin) {
		open = h.to.Next(begin).Equal(end)
	}
	return end, open
}

// ruleFields returns the keys of a rule. Names of services are resolved when all are known.
func (b *builder) ruleFields(r *Rule, services *[]strict.Node) []strict.Field {
	kinds := `"` + strings.Join(Kinds, `","`) + `"`
	return []strict.Field{
		{Name: "targets", Default: "all", Doc: "a list of names of targets, as `claudeops doctor` shows them; `[]` is none",
			Takes: strict.Takes{Schema: `"type":"array","items":{"$ref":"#/$defs/line"}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				r.Targets = b.texts(n, name, "a list of names of targets")
			}}},
		{Name: "kinds", Default: "all", Doc: "a list of [kinds](notifications.md#the-outbox) of notifications",
			Takes: strict.Takes{Schema: `"type":"array","minItems":1,"items":{"enum":[` + kinds + `]}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				r.Kinds = b.kinds(n, name)
			}}},
		{Name: "services", Default: "all, and what is about none", Doc: "a list of services",
			Takes: strict.Takes{Schema: `"type":"array","minItems":1,"items":{"$ref":"#/$defs/name"}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				*services = b.someOf(n, name, "a list of services")
			}}},
		{Name: "quiet", Default: "never", Doc: "hours in which what is not urgent waits, such as `\"22:00-07:00 Europe/Berlin\"`; without a zone it is the machine's (`TZ`)",
			Takes: b.hoursOf(&r.Quiet)},
	}
}

func (b *builder) rules(_ *strict.Reader, name string, n *strict.Node) {
	const expected = "a rule: targets, kinds, services, quiet"
	rules := b.List(n, name, "a list of rules, each with targets, kinds, services or quiet")
	b.inv.Notify = make([]Rule, len(rules))
	b.ruled = make([][]strict.Node, len(rules))
	for i := range rules {
		if b.Mapping(&rules[i], name, expected) {
			b.Fill(&rules[i], "a rule of notify", "", b.ruleFields(&b.inv.Notify[i], &b.ruled[i]))
		}
	}
}

// ruledServices resolves the services of all rules to names, which may be defined later in the file.
func (b *builder) ruledServices() {
	for i, entries := range b.ruled {
		for j := range entries {
			called, ok := b.Text(&entries[j], "services")
			if !ok {
				continue
			}
			if name, known := b.inv.Lookup(called); known {
				b.inv.Notify[i].Services = append(b.inv.Notify[i].Services, name)
			} else {
				b.Fault(&entries[j], "services", strict.Quote(called)+" is no service here"+b.meant(called)+"; must be the name or an alias of one")
			}
		}
	}
}

// someOf returns the elements of a list that must not be empty.
func (b *builder) someOf(n *strict.Node, name, expected string) []strict.Node {
	list := b.List(n, name, expected)
	if n.Kind == strict.List && len(list) == 0 {
		b.Fault(n, name, "empty; must be "+expected+", or left out for all")
	}
	return list
}

// texts returns a list of texts; never nil.
func (b *builder) texts(n *strict.Node, name, expected string) []string {
	list := []string{}
	elements := b.List(n, name, expected)
	for i := range elements {
		if given, ok := b.NonEmpty(&elements[i], name, "the name of a target"); ok {
			list = append(list, given)
		}
	}
	return list
}

func (b *builder) kinds(n *strict.Node, name string) (kinds []string) {
	elements := b.someOf(n, name, "a list of kinds")
	for i := range elements {
		given, ok := b.Text(&elements[i], name)
		switch near := text.Nearest(given, Kinds, nil); {
		case !ok:
		case slices.Contains(Kinds, given):
			kinds = append(kinds, given)
		case near != "":
			b.Fault(&elements[i], name, strict.Quote(given)+" is no kind of notification; did you mean "+near+"?")
		default:
			b.Fault(&elements[i], name, strict.Quote(given)+" is no kind of notification; must be one of "+strings.Join(Kinds, ", "))
		}
	}
	return kinds
}

const (
	clock         = `([01][0-9]|2[0-3]):([0-5][0-9])`
	zone          = `( +\S+)?`
	hoursExpected = "; must be two times of day, like \"22:00-07:00 Europe/Berlin\""
	timeExpected  = "; must be a time of day, like \"08:00 Europe/Berlin\""
)

var (
	timeForm  = regexp.MustCompile("^" + clock + zone + "$")
	hoursForm = regexp.MustCompile("^" + clock + " *- *" + clock + zone + "$")
)

// hoursOf accepts a period of each day.
func (b *builder) hoursOf(to *Hours) strict.Takes {
	return strict.Takes{Schema: `"type":"string","pattern":` + strconv.Quote(hoursForm.String()), Read: func(_ *strict.Reader, name string, n *strict.Node) { *to = b.hours(name, n) }}
}

// hours parses "22:00-07:00 Europe/Berlin".
func (b *builder) hours(name string, n *strict.Node) (h Hours) {
	given, ok := b.Text(n, name)
	if !ok {
		return h
	}
	in := hoursForm.FindStringSubmatch(given)
	if in == nil {
		b.Fault(n, name, strict.Quote(given)+hoursExpected)
		return h
	}
	from, err := daily(in[1], in[2], in[5])
	if err != nil {
		b.Fault(n, name, err.Error())
		return h
	}
	to, _ := daily(in[3], in[4], in[5]) // valid if the first is
	if from.Equal(to) {
		b.Fault(n, name, strict.Quote(given)+" ends when it begins"+hoursExpected)
		return h
	}
	return Hours{text: given, from: from, to: to}
}

// digestTime parses "08:00 Europe/Berlin".
func (b *builder) digestTime(_ *strict.Reader, name string, n *strict.Node) {
	given, ok := b.Text(n, name)
	if !ok {
		return
	}
	in := timeForm.FindStringSubmatch(given)
	if in == nil {
		b.Fault(n, name, strict.Quote(given)+timeExpected)
		return
	}
	at, err := daily(in[1], in[2], in[3])
	if err != nil {
		b.Fault(n, name, err.Error())
	}
	b.inv.Digest = at
}

// daily returns the schedule for a time of day, in a zone or, if that is empty, the machine's.
func daily(hour, minute, zone string) (schedule.Expression, error) {
	expression := minute + " " + hour + " * * *"
	if zone = strings.TrimSpace(zone); zone != "" {
		expression = "CRON_TZ=" + zone + " " + expression
	}
	return schedule.Parse(expression)
}

// Package alerts reads what monitoring systems send when something is wrong: the webhooks of Prometheus Alertmanager, Grafana and Uptime
// Kuma, what Prometheus sends to Alertmanager, and two forms of our own for everything that sends a body of its operator's making.
//
// It hides whose body has which shape, and promises alerts of bounded, printable texts with a fingerprint that is the same each time the
// same trouble is told. Which service an alert is about is not decided here: Names are candidates.
package alerts

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/lazy"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// Limits of one body and of the texts of an alert.
const (
	MaxBytes = 1 << 20 // of a body
	maxTitle = 200     // characters
	maxBody  = 2000    // characters
	maxKey   = 200     // bytes of a source or a fingerprint
)

// Status says whether the trouble goes on.
type Status string

// The statuses of an alert.
const (
	Firing   Status = "firing"
	Resolved Status = "resolved"
)

// Alert is one alert. Its texts are clean: bounded, valid UTF-8 and without control characters, but foreign all the same.
type Alert struct {
	Source      string // what sent it: alertmanager, grafana, uptime-kuma, or the name that its sender gave
	Fingerprint string // identifies the trouble within the source; empty if its service does
	Status      Status
	Names       []string     // candidates for the name of its service, the best first; at least one, which names it if none is known
	Means       check.Status // how the service is while it fires: degraded or down
	Title, Body string
	StartsAt    time.Time // zero if unknown
	EndsAt      time.Time // zero if unknown, or if it fires
}

// Read reads a body. If it is invalid, the error is a *strict.InvalidError, and nothing of it counts. A test message of
// Uptime Kuma has no alert.
func Read(body []byte, now time.Time) ([]Alert, error) {
	var faults strict.Faults
	all := read(body, now, &faults)
	if err := faults.Err("the alerts cannot be read"); err != nil {
		return nil, err
	}
	return all, nil
}

func read(body []byte, now time.Time, faults *strict.Faults) (all []Alert) {
	if len(body) > MaxBytes {
		faults.Add("", fmt.Sprintf("larger than %d bytes: send it in parts", MaxBytes))
		return nil
	}
	body = bytes.TrimPrefix(body, []byte("\ufeff")) // a byte order mark
	if isText().Match(body) {
		body = textAsJSON(body, faults)
	}
	v := strict.JSON(body, "", faults)
	if v == nil {
		return nil
	}
	has := func(v *strict.Value, member string) bool { return v.Member(member, strict.Optional, "") != nil }
	const wanted = "a list of alerts"
	list, source := []*strict.Value{v}, ""
	switch {
	case v.IsArray():
		list = v.Elements(wanted)
	case !v.IsObject():
		v.MustBe("an alert or " + wanted)
		return nil
	case has(v, "alerts"):
		source = "alertmanager"
		if has(v, "orgId") {
			source = "grafana"
		}
		list = v.Member("alerts", strict.Required, wanted).Elements(wanted)
	}
	for _, v := range list {
		if !v.Object() {
			continue
		}
		var a Alert
		switch {
		case source == "" && has(v, "service"):
			a = generic(v)
		case source != "" || has(v, "labels"):
			a = labelled(v, cmp.Or(source, "alertmanager"), now)
		case has(v, "heartbeat"):
			a = heartbeat(v)
		case has(v, "msg"):
			a = notice(v)
		default:
			a = generic(v)
		}
		if a.Status != "" { // else it says nothing
			all = append(all, a)
		}
	}
	return all
}

// isText matches the start of our form for senders that cannot escape what they put into JSON.
var isText = lazy.Regexp(`(?i)^\s*(service|status|severity|source|title|fingerprint|starts_at):`)

// textAsJSON returns a body of that form as JSON: lines "member: value", an empty line, and the message as it is.
func textAsJSON(body []byte, faults *strict.Faults) []byte {
	head, message, _ := strings.Cut(strings.TrimSpace(text.Clean(string(body))), "\n\n")
	members := map[string]string{"message": message}
	for line := range strings.Lines(head) {
		name, value, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found {
			faults.Add("", strict.Quote(name)+`; must be lines "member: value", an empty line, and the message`)
		}
		members[strings.ToLower(strings.TrimSpace(name))] = strings.TrimSpace(value)
	}
	document, _ := json.Marshal(members) // strings of valid UTF-8 always have a form in JSON
	return document
}

// generic reads our own form.
func generic(v *strict.Value) Alert {
	said := func(member string) string { return v.String(member, strict.Optional, "a string", nil) }
	a := Alert{
		Names:       []string{v.String("service", strict.Required, "a string", check.ServiceNameFault)},
		Status:      statusOf(v),
		Means:       meaning(said("severity")),
		Source:      cmp.Or(keyOf(said("source")), "alert"),
		Fingerprint: keyOf(said("fingerprint")),
		StartsAt:    timeOf(v, "starts_at"),
	}
	a.say(said("title"), said("message"))
	return a
}

// serviceLabels are the labels that may name the service, the best first.
var serviceLabels = []string{
	"claudeops_service", "service", "service_name", "app", "app_kubernetes_io_name", "container", "name", "unit", "deployment", "statefulset", "daemonset",
	"exported_service", "exported_job", "job", "instance", "target", "alertname",
}

// labelled reads an alert of Alertmanager's webhook, which Grafana sends too, or of Alertmanager's own API. There, the status is missing or
// an object, and an alert fires that has not ended; one that Alertmanager suppresses says nothing, and has no Status.
func labelled(v *strict.Value, source string, now time.Time) Alert {
	a := Alert{Source: source}
	labels := v.Texts("labels", strict.Required, "an object of strings, the alert's labels")
	notes := v.Texts("annotations", strict.Optional, "an object of strings, the alert's annotations")
	ends := timeOf(v, "endsAt")
	switch status := v.Member("status", strict.Optional, ""); {
	case status != nil && !status.IsObject():
		a.Status = statusOf(v)
	case status != nil && status.String("state", strict.Optional, "a string", nil) == "suppressed":
		return Alert{}
	case !ends.IsZero() && !ends.After(now):
		a.Status = Resolved
	default:
		a.Status = Firing
	}
	for _, label := range serviceLabels {
		a.named(labels[label])
	}
	if len(a.Names) == 0 {
		a.Names = []string{"unnamed alert"}
	}
	a.Means = meaning(labels["severity"])
	a.say(cmp.Or(notes["summary"], labels["alertname"]), describe(notes, labels))
	if a.Fingerprint = keyOf(v.String("fingerprint", strict.Optional, "a string", nil)); a.Fingerprint == "" {
		set, _ := json.Marshal(labels, json.Deterministic(true)) // strings of valid UTF-8 always have a form in JSON
		a.Fingerprint = hash(string(set))
	}
	a.StartsAt = timeOf(v, "startsAt")
	if a.Status == Resolved {
		a.EndsAt = ends
	}
	return a
}

// named adds what may be the name of its service: a name, or an address and its host.
func (a *Alert) named(value string) {
	names := []string{value}
	if u, err := url.Parse(value); err == nil && u.Host != "" {
		names = append(names, u.Hostname())
	} else if host, port, found := strings.Cut(value, ":"); found && strings.Trim(port, "0123456789") == "" {
		names = append(names, host)
	}
	for _, name := range names {
		if check.ServiceNameFault(name) == "" && !slices.Contains(a.Names, name) {
			a.Names = append(a.Names, name)
		}
	}
}

// describe returns what an alert says besides its title: its description and its labels.
func describe(notes, labels map[string]string) string {
	lines := []string{cmp.Or(notes["description"], notes["message"])}
	for _, label := range slices.Sorted(maps.Keys(labels)) {
		lines = append(lines, label+"="+labels[label])
	}
	return strings.Join(lines, "\n")
}

// kumaNotice matches what Uptime Kuma says of a monitor, by name and URL, or of a domain.
var kumaNotice = lazy.Regexp(`^(?:\[(.*?)\]\[(.*?)\]|Domain name (\S+)) `)

// notice reads what Uptime Kuma says without a heartbeat: that a certificate or a domain expires in some days. Only its
// button Test says nothing.
func notice(v *strict.Value) Alert {
	said := v.String("msg", strict.Required, "a string", nil)
	if strings.HasSuffix(said, " Testing") {
		return Alert{}
	}
	a := Alert{Source: "uptime-kuma", Status: Firing, Means: check.Degraded}
	for n, name := range kumaNotice().FindStringSubmatch(said) {
		if n > 0 {
			a.named(name)
		}
	}
	if len(a.Names) == 0 {
		a.Names = []string{a.Source}
	}
	a.Fingerprint = hash(said) // with its days: each notice ends by itself
	a.say(said, "")
	return a
}

// heartbeat reads what Uptime Kuma says of a monitor.
func heartbeat(v *strict.Value) Alert {
	beat := v.ObjectMember("heartbeat", strict.Required, "an object")
	monitor := v.ObjectMember("monitor", strict.Required, "an object")
	if beat == nil || monitor == nil {
		return Alert{}
	}
	name := monitor.String("name", strict.Required, "a string", check.ServiceNameFault)
	a := Alert{Source: "uptime-kuma", Means: check.Down, Names: []string{name}, Fingerprint: hash(name)}
	for _, member := range []string{"hostname", "url", "docker_container"} {
		a.named(monitor.String(member, strict.Optional, "a string", nil))
	}
	beat.Int("status", strict.Required, "0 for down or 1 for up", func(n int64) string {
		a.Status = map[int64]Status{0: Firing, 1: Resolved}[n] // the others, pending and maintenance, say nothing
		return ""
	})
	monitor.Int("id", strict.Optional, "a whole number", func(n int64) string {
		a.Fingerprint = fmt.Sprint(n)
		return ""
	})
	a.say(beat.String("msg", strict.Optional, "a string", nil), v.String("msg", strict.Optional, "a string", nil))
	return a
}

// say sets the texts of an alert.
func (a *Alert) say(title, body string) {
	title, body = text.Clean(title), strings.TrimSpace(text.Clean(body))
	a.Title = text.Shorten(text.Line(cmp.Or(strings.TrimSpace(title), text.FirstLine(body), "alert")), maxTitle)
	a.Body = text.Shorten(body, maxBody)
}

// meaning returns how a service is, by the severity of its alert.
func meaning(severity string) check.Status {
	if slices.Contains([]string{"critical", "page"}, strings.ToLower(strings.TrimSpace(severity))) {
		return check.Down
	}
	return check.Degraded
}

func statusOf(v *strict.Value) Status {
	const want = "firing or resolved"
	known := map[string]Status{
		"firing": Firing, "triggered": Firing, "down": Firing, "resolved": Resolved, "up": Resolved,
	}
	return known[strings.ToLower(v.String("status", strict.Required, want, func(s string) string {
		if known[strings.ToLower(s)] == "" {
			return strict.Quote(s) + "; must be " + want
		}
		return ""
	}))]
}

// timeOf returns a member that must be a time; zero for Go's zero time, which Alertmanager sends where there is none.
func timeOf(v *strict.Value, name string) (at time.Time) {
	const want = "a time like 2026-02-03T04:05:06Z"
	v.String(name, strict.Optional, want, func(s string) string {
		var err error
		if at, err = time.Parse(time.RFC3339, s); err != nil && s != "" {
			return strict.Quote(s) + "; must be " + want
		}
		return ""
	})
	if at.Year() <= 1 {
		return time.Time{}
	}
	return at
}

// keyOf returns a sender's identifier as one short line; one that is too long by its hash.
func keyOf(s string) string {
	if s = strings.TrimSpace(text.Line(text.Clean(s))); len(s) > maxKey {
		return hash(s)
	}
	return s
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:8])
}

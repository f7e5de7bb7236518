package notify

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/store"
)

// Limits of a message, in characters: the smallest of the common services, minus what Markdown adds.
const (
	maxBody   = 1800 // including the footer
	maxTail   = 600  // of a last paragraph that is kept when a body is cut
	maxBrief  = 200  // of the line for one of several notifications
	maxShared = 500  // of a shared reason
	maxHost   = 64
)

// Compose makes one message of notifications that are sent together; the same input gives the same message. A single body is used as it
// is, cut in the middle if it is too long. Of several, all bodies are used if they fit, else a line each, else as many lines as fit.
// dashboard is its public URL, or empty.
func Compose(group []store.Notification, host, dashboard string) Message {
	if len(group) == 0 {
		return Message{}
	}
	number := group[0].ID
	if id := group[0].MessageID; id != nil {
		number = *id
	}
	footer := fmt.Sprintf("%s, message %d", from(host), number)
	room := maxBody - runes(footer) - len("\n\n")
	m := Message{Type: worst(group)}
	if len(group) == 1 {
		m.Title, m.Body = oneLine(group[0].Title), shorten(bodyText(group[0].Body), number, room)
	} else {
		m.Title, m.Body = titleOf(group), bodyOf(group, number, dashboard, room)
	}
	m.Title = text.Shorten(m.Title, MaxTitle)
	m.Body = strings.TrimPrefix(m.Body+"\n\n"+footer, "\n\n")
	return m
}

// from names the sender.
func from(host string) string {
	if host = oneLine(host); host != "" {
		return "claudeops on " + text.Shorten(host, maxHost)
	}
	return "claudeops"
}

// worst returns the most serious type of the notifications.
func worst(group []store.Notification) Type {
	order := []Type{Success, Info, Warning, Failure}
	most := 0
	for _, n := range group {
		most = max(most, slices.Index(order, cmp.Or(n.Type, n.Kind.Type())))
	}
	return order[most]
}

// Limits of a title that names services.
const (
	mostNamed = 3
	maxNames  = 90 // characters of all names together
)

// titleOf names the services of several notifications, or the first ones and their number, and the first fault of the monitoring itself.
func titleOf(group []store.Notification) string {
	known := map[string]bool{}
	var names, faults, parts []string
	for _, n := range group {
		if n.Service == "" {
			faults = append(faults, n.Title)
		} else if !known[n.Service] {
			known[n.Service] = true
			names = append(names, nameIn(n))
		}
	}
	fault := ""
	if len(faults) > 0 {
		fault = Clip(faults[0], MaxTitle/3)
		if more := len(faults) - 1; more > 0 {
			fault += fmt.Sprintf(" and %d more", more)
		}
		parts = []string{fault}
	}
	if len(names) > 0 {
		title := servicesTitle(names, group[0].Kind)
		if fault != "" {
			title = text.Shorten(title, MaxTitle-runes(fault)-len("; "))
		}
		parts = slices.Insert(parts, 0, title)
	}
	return strings.Join(parts, "; ")
}

// servicesTitle returns "shop and mail need human attention", or "30 services need human attention: shop, mail, blog …".
func servicesTitle(names []string, kind store.Kind) string {
	if len(names) == 1 {
		return text.Shorten(names[0], MaxTitle/2) + " " + verb(kind, true)
	}
	first := names[:min(mostNamed, len(names))]
	if list := strings.Join(first, ", "); runes(list) > maxNames || len(first) < len(names) {
		return fmt.Sprintf("%d services %s: %s", len(names), verb(kind, false), strings.TrimSuffix(text.Shorten(list, maxNames), "…")+" …")
	}
	return text.List(names) + " " + verb(kind, false)
}

// attention is in the title of every request for a human.
const attention = "needs human attention"

// verb describes what happened to one service, or to several.
func verb(k store.Kind, one bool) string {
	switch {
	case k == store.Recovered:
		return "recovered"
	case k == store.Remediated:
		return "remediated"
	case k == store.Down && one:
		return "is down"
	case k == store.Down:
		return "are down"
	case one:
		return attention
	}
	return "need human attention"
}

// bodyOf returns the body for several notifications: complete if all fit.
func bodyOf(group []store.Notification, number int64, dashboard string, room int) string {
	parts := make([]string, len(group))
	for i, n := range group {
		parts[i] = strings.TrimRight(fmt.Sprintf("(%d of %d) %s\n%s", i+1, len(group), oneLine(n.Title), bodyText(n.Body)), "\n")
	}
	if full := strings.Join(parts, "\n\n"); runes(full) <= room {
		return full
	}
	pointer := fmt.Sprintf("`claudeops notify show %d`", number)
	if slices.ContainsFunc(group, func(n store.Notification) bool { return n.IncidentID != nil }) {
		if pointer = "`claudeops incidents list`"; dashboard != "" {
			pointer = Link(dashboard, "/incidents")
		}
	}
	return inBrief(group, pointer, room)
}

// inBrief returns as many lines as fit, and a pointer to the rest. A shared reason comes once, before the lines. Different reasons are
// included if all lines still fit; otherwise lines are shortened if more of them fit then.
func inBrief(group []store.Notification, pointer string, room int) string {
	room -= runes(fmt.Sprintf("\n\n… and %d more: %s", len(group), pointer))
	shared := sharedReason(group)
	head := ""
	if shared != "" {
		head = shared + "\n\n"
	}
	lines := linesOf(group, shared == "", maxBrief, room-runes(head))
	for _, most := range []int{maxBrief, maxBrief / 2, maxBrief / 3, maxBrief / 4} {
		if len(lines) == len(group) {
			break
		}
		if shorter := linesOf(group, false, most, room-runes(head)); len(shorter) > len(lines) || shared == "" && most == maxBrief {
			lines = shorter
		}
	}
	rest := "Everything: " + pointer
	if more := len(group) - len(lines); more > 0 {
		rest = fmt.Sprintf("… and %d more: %s", more, pointer)
	}
	return head + strings.Join(lines, "\n") + "\n\n" + rest
}

// linesOf returns the lines that fit, each of at most most characters, with or without reasons.
func linesOf(group []store.Notification, reasons bool, most, room int) (lines []string) {
	for _, n := range group {
		line := text.Shorten(brief(n, reasons), most)
		if room -= runes(line) + len("\n"); room < 0 {
			break
		}
		lines = append(lines, line)
	}
	return lines
}

// sharedReason returns why a human is needed, if it is the same for all services; empty if it differs or is unknown. Faults of the
// monitoring itself have lines of their own.
func sharedReason(group []store.Notification) (shared string) {
	services := slices.DeleteFunc(slices.Clone(group), func(n store.Notification) bool { return n.Service == "" })
	for i, n := range services {
		why := reason(n)
		if i == 0 {
			shared = why
		}
		if why != shared || runes(why) > maxShared {
			return ""
		}
	}
	return shared
}

// reason returns why a human is needed: the second line of a body, after what is broken.
func reason(n store.Notification) string {
	paragraph, _, _ := strings.Cut(bodyText(n.Body), "\n\n")
	_, why, _ := strings.Cut(paragraph, "\n")
	return oneLine(why)
}

// brief returns "- shop: down, HTTP 502" for a request for a human; for anything else, the title and the first statement.
func brief(n store.Notification, withReason bool) string {
	title := oneLine(n.Title)
	if n.Service != "" && (n.Kind == store.Down || n.Kind == store.Recovered || n.Kind == store.Remediated) {
		return "- " + title
	}
	first, _, _ := strings.Cut(bodyText(n.Body), "\n")
	first = oneLine(first)
	line, asks := briefRequest(n, title)
	why := reason(n)
	switch {
	case !asks:
		line = strings.TrimSuffix(title+": "+first, ": ")
	case withReason && why != "":
		line += ". " + why
	case line == nameIn(n) && first != "":
		line += ": " + first
	}
	return "- " + line
}

// nameIn returns the name of a notification's service as its title has it: without a link, if that is not known to be a service's.
func nameIn(n store.Notification) string {
	if shown := oneLine(text.Unlinked(n.Service)); strings.Contains(oneLine(n.Title), shown) {
		return shown
	}
	return oneLine(n.Service)
}

// attentionTitle matches the title of a request for a human after the service's name.
var attentionTitle = regexp.MustCompile(`^(?:is (.+) and )?` + attention + `(?:: (.+))?$`)

// briefRequest shortens the title of a request for a human: "shop: down, HTTP 502".
func briefRequest(n store.Notification, title string) (line string, asks bool) {
	name := nameIn(n)
	rest, named := strings.CutPrefix(title, name+" ")
	found := attentionTitle.FindStringSubmatch(rest)
	if name == "" || !named || found == nil {
		return "", false
	}
	found = slices.DeleteFunc(found[1:], func(s string) bool { return s == "" })
	return strings.TrimSuffix(name+": "+strings.Join(found, ", "), ": "), true
}

// shorten cuts a body in the middle: its last paragraph, with the commands that show more, stays.
func shorten(body string, number int64, room int) string {
	if runes(body) <= room {
		return body
	}
	tail := ""
	for _, separator := range []string{"\n\n", "\n"} {
		if last := strings.TrimSpace(body[strings.LastIndex(body, separator)+1:]); runes(last) <= maxTail {
			tail = "\n\n" + last
			break
		}
	}
	mark := fmt.Sprintf("\n\n(cut here: `claudeops notify show %d` shows all of it)", number)
	return atLineEnd(body, room-runes(mark)-runes(tail)) + mark + tail
}

// atLineEnd cuts a text to at most most characters, at the end of a line if one is near.
func atLineEnd(s string, most int) string {
	kept := text.Shorten(s, most)
	if end := strings.LastIndexByte(kept, '\n'); end > len(kept)*3/4 {
		kept = strings.TrimRight(kept[:end], "\n") + "\n…"
	}
	return kept
}

// bodyText returns a body in valid UTF-8, without empty lines around it.
func bodyText(s string) string {
	return strings.Trim(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"), "\n")
}

func runes(s string) int { return utf8.RuneCountInString(s) }

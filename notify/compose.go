package notify

import (
	"cmp"
	"fmt"
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
	minBrief  = 50   // to which lines are shortened so that more of them fit
	maxShared = 500  // of a shared reason
	maxHost   = 64
)

// Compose makes one message of notifications of a kind that are sent together; the same input gives the same message. A
// single body is used as it is, or as much of it as fits. Of several, all bodies are used if they fit, else a line
// each, as many as fit. dashboard is its public URL, or empty.
func Compose(group []store.Notification, host, dashboard string) Message {
	if len(group) == 0 {
		return Message{}
	}
	number := group[0].ID
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
func worst(group []store.Notification) store.MessageType {
	order := []store.MessageType{store.SuccessMessage, store.InfoMessage, store.WarningMessage, store.FailureMessage}
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

// titleOf names the services of several notifications, or the first ones and their number, and the first fault of the
// monitoring itself.
func titleOf(group []store.Notification) string {
	var names, faults, parts []string
	for _, n := range group {
		if n.Service == "" {
			faults = append(faults, n.Title)
		} else if name := nameIn(n); !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	if len(names) > 0 {
		parts = append(parts, servicesTitle(names, group[0].Kind))
	}
	if len(faults) > 0 {
		parts = append(parts, Clip(faults[0], MaxTitle/3))
	}
	title := strings.Join(parts, "; ")
	if more := len(faults) - 1; more > 0 {
		title += fmt.Sprintf(" and %d more", more)
	}
	return title
}

// servicesTitle returns "shop and mail need human attention", or "30 services need human attention: shop, mail, blog
// …".
func servicesTitle(names []string, kind store.Kind) string {
	if len(names) == 1 {
		return text.Shorten(names[0], maxNames) + " " + verb(kind, true)
	}
	first := names[:min(mostNamed, len(names))]
	if list := strings.Join(first, ", "); runes(list) > maxNames || len(first) < len(names) {
		list = strings.TrimSuffix(text.Shorten(list, maxNames), "…")
		return fmt.Sprintf("%d services %s: %s …", len(names), verb(kind, false), list)
	}
	return text.List(names) + " " + verb(kind, false)
}

// attention is in the title of every request for a human.
const attention = "needs human attention"

// verb describes what happened to one service, or to several.
func verb(k store.Kind, one bool) string {
	switch {
	case k == store.Recovered, k == store.Remediated:
		return string(k)
	case k == store.Down && one:
		return "is down"
	case k == store.Down:
		return "are down"
	case one:
		return attention
	}
	return "need human attention"
}

// bodyOf returns the body for several notifications: complete if all fit, else a line each, and a pointer to the rest.
func bodyOf(group []store.Notification, number int64, dashboard string, room int) string {
	parts := make([]string, len(group))
	for i, n := range group {
		part := fmt.Sprintf("(%d of %d) %s\n%s", i+1, len(group), oneLine(n.Title), bodyText(n.Body))
		parts[i] = strings.TrimRight(part, "\n")
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
	head := ""
	if shared := sharedReason(group); shared != "" {
		head = shared + "\n\n"
	}
	room -= runes(head) + runes(fmt.Sprintf("\n\n… and %d more: %s", len(group), pointer))
	most := min(max(room/len(group)-1, minBrief), maxBrief)
	var lines []string
	for _, n := range group {
		line := text.Shorten(brief(n), most)
		if room -= runes(line) + len("\n"); room < 0 {
			break
		}
		lines = append(lines, line)
	}
	rest := "Everything: " + pointer
	if more := len(group) - len(lines); more > 0 {
		rest = fmt.Sprintf("… and %d more: %s", more, pointer)
	}
	return head + strings.Join(lines, "\n") + "\n\n" + rest
}

// sharedReason returns why a human is needed, if it is the same for all services; empty if it differs or is unknown.
// Faults of the monitoring itself have lines of their own.
func sharedReason(group []store.Notification) (shared string) {
	for _, n := range group {
		if n.Service == "" {
			continue
		}
		why := reason(n)
		if why == "" || runes(why) > maxShared || shared != "" && why != shared {
			return ""
		}
		shared = why
	}
	return shared
}

// reason returns why a human is needed: the second line of a body, after what is broken.
func reason(n store.Notification) string {
	paragraph, _, _ := strings.Cut(bodyText(n.Body), "\n\n")
	_, why, _ := strings.Cut(paragraph, "\n")
	return oneLine(why)
}

// brief returns the line for one of several notifications, whose title they share: "- shop is down: HTTP 502".
func brief(n store.Notification) string {
	return "- " + strings.Replace(oneLine(n.Title), " and "+attention, "", 1)
}

// nameIn returns the name of a notification's service as its title has it: without a link, if that is not known to be a
// service's.
func nameIn(n store.Notification) string {
	if shown := oneLine(text.Unlinked(n.Service)); strings.Contains(oneLine(n.Title), shown) {
		return shown
	}
	return oneLine(n.Service)
}

// shorten cuts a body that does not fit, before its last paragraph, which says where to see more.
func shorten(body string, number int64, room int) string {
	if runes(body) <= room {
		return body
	}
	tail := ""
	if at := strings.LastIndex(body, "\n\n"); at >= 0 && runes(body[at:]) <= maxTail {
		tail = body[at:]
	}
	mark := fmt.Sprintf("\n\n(cut here: `claudeops notify show %d` shows all of it)", number)
	return text.Shorten(body, room-runes(mark)-runes(tail)) + mark + tail
}

// bodyText returns a body in valid UTF-8, without empty lines around it.
func bodyText(s string) string {
	return strings.Trim(strings.ToValidUTF8(strings.ReplaceAll(s, "\r\n", "\n"), "\uFFFD"), "\n")
}

func runes(s string) int { return utf8.RuneCountInString(s) }

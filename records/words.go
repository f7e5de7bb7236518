package records

import (
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/notify"
)

// Moment is a time as a person reads it who was asleep: "2026-11-21 14:00 UTC".
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// Between is the time from one moment to another: "from 2026-11-21 14:00 to 14:31 UTC", or "at 2026-11-21 14:00 UTC" where it is short.
func Between(from, to time.Time) string {
	first, last := Moment(from), Moment(to)
	switch day := len("2006-01-02 "); {
	case first == last:
		return "at " + first
	case first[:day] == last[:day]:
		last = last[day:]
	}
	return "from " + strings.TrimSuffix(first, " UTC") + " to " + last
}

// Span is a duration to two units at most: "45 s", "31 min", "2 h 5 min", "3 days 4 h". What is shorter than a second is 0 s.
func Span(d time.Duration) string {
	d = max(d, 0)
	switch {
	case d < time.Minute:
		return fmt.Sprintf("%d s", int(d.Seconds()))
	case d < time.Hour:
		return fmt.Sprintf("%d min", int(d.Minutes()))
	case d < 24*time.Hour:
		return two(int(d.Hours()), "h", int(d.Minutes())%60, "min")
	case d < 48*time.Hour:
		return two(1, "day", int(d.Hours())%24, "h")
	}
	return two(int(d.Hours())/24, "days", int(d.Hours())%24, "h")
}

func two(many int, unit string, few int, smaller string) string {
	if few == 0 {
		return fmt.Sprintf("%d %s", many, unit)
	}
	return fmt.Sprintf("%d %s %d %s", many, unit, few, smaller)
}

// Dollars is an amount to the cent. What is less than a cent is not nothing.
func Dollars(usd float64) string {
	if usd > 0 && usd < 0.005 {
		return "less than $0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}

// Counted is a number with what it counts: "1 session", "2 sessions".
func Counted(n int, one string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %ss", n, one)
}

// Bounds of a body, in characters: what outbox sends as it is, with room for who speaks.
const (
	MaxBody = 1600
	maxWhy  = 400 // and as much of a head
	maxFact = 300
)

// Body is the body of a message about one thing, as people who are woken by it read it.
type Body struct {
	Head  string   // what is broken, on a line of its own; empty where Why says it
	Why   string   // a sentence or two, without the last full stop
	Facts []string // the important ones first
	Look  []string // commands that show more
	Quiet string   // the command for whoever works on it; may be empty
}

// String makes the body. Where it would be too long, the last facts are left out, and it says how many.
func (l Body) String() string {
	text, _ := l.fit()
	return text
}

// Fits reports whether String has all facts.
func (l Body) Fits() bool {
	_, all := l.fit()
	return all
}

func (l Body) fit() (text string, all bool) {
	head := sentence(l.Why)
	if l.Head != "" {
		head = strings.TrimSuffix(sentence(l.Head)+"\n"+head, "\n")
	}
	tail := l.tail()
	const more = "\n- … and 100 more" // at most
	room := MaxBody - runes(head) - runes(tail) - len("\n") - len(more)
	var facts strings.Builder
	all = true
	for i, fact := range l.Facts {
		line := "\n- " + Clip(fact, maxFact)
		if room -= runes(line); room < 0 {
			fmt.Fprintf(&facts, "\n- … and %d more", len(l.Facts)-i)
			all = false
			break
		}
		facts.WriteString(line)
	}
	if facts.Len() > 0 {
		head += "\n"
	}
	return head + facts.String() + tail, all
}

// tail says where everything is, and how to have peace.
func (l Body) tail() string {
	var parts []string
	if len(l.Look) > 0 {
		parts = append(parts, "Everything: `"+strings.Join(l.Look, "`, `")+"`")
	}
	if l.Quiet != "" {
		parts = append(parts, "Working on it: `"+l.Quiet+"`")
	}
	if len(parts) == 0 {
		return ""
	}
	return "\n\n" + strings.Join(parts, ". ")
}

// sentence is a text in one line that ends as a sentence does.
func sentence(text string) string {
	text = Clip(text, maxWhy)
	if text == "" || strings.HasSuffix(text, "…") || strings.HasSuffix(text, ".") {
		return text
	}
	return text + "."
}

// Clip is a text as one line of at most so many characters.
func Clip(text string, most int) string {
	return notify.Cut(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), blank), " "), most)
}

func runes(s string) int { return len([]rune(s)) }

// code is a command between backticks, where it has none itself.
func code(command string) string {
	command = Clip(command, 120)
	if strings.Contains(command, "`") {
		return command
	}
	return "`" + command + "`"
}

package books

import (
	"fmt"
	"strings"
	"time"
)

// Moment is a time as a person reads it who was asleep: "2026-11-21 14:00 UTC".
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

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
	maxWhy  = 500
	maxFact = 300
)

// Letter is the body of a message about one thing, as people who are woken by it read it.
type Letter struct {
	Why   string   // one sentence, without its full stop
	Facts []string // the important ones first
	Look  []string // commands that show more
}

// String makes the body. Where it would be too long, the last facts are left out, and it says how many.
func (l Letter) String() string {
	head := Clip(l.Why, maxWhy)
	if !strings.HasSuffix(head, "…") {
		head += "."
	}
	tail := ""
	if len(l.Look) > 0 {
		tail = "\n\nEverything: `" + strings.Join(l.Look, "`, `") + "`"
	}
	const more = "\n- … and 100 more" // at most
	room := MaxBody - runes(head) - runes(tail) - len("\n") - len(more)
	var facts strings.Builder
	for i, fact := range l.Facts {
		line := "\n- " + Clip(fact, maxFact)
		if room -= runes(line); room < 0 {
			fmt.Fprintf(&facts, "\n- … and %d more", len(l.Facts)-i)
			break
		}
		facts.WriteString(line)
	}
	if facts.Len() > 0 {
		head += "\n"
	}
	return head + facts.String() + tail
}

// Clip is a text as one line of at most so many characters.
func Clip(text string, most int) string {
	text = strings.Join(strings.FieldsFunc(strings.ToValidUTF8(text, "�"), blank), " ")
	if r := []rune(text); len(r) > most {
		return string(r[:most-1]) + "…"
	}
	return text
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

// Package text formats things uniformly for all commands, messages and pages: durations, counts, money, sizes, lists, and foreign text on
// one line. It makes unprintable characters visible or removes them.
package text

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/dustin/go-humanize"
	"github.com/dustin/go-humanize/english"
	"mvdan.cc/sh/v3/syntax"
)

// Duration formats a duration in its two largest units: "45 s", "31 min", "2 h 5 min", "3 days 4 h". Less than a second is "0 s".
func Duration(d time.Duration) string {
	seconds := int(max(d, 0) / time.Second)
	minutes, hours, days := seconds/60, seconds/3600, seconds/86400
	switch {
	case minutes == 0:
		return fmt.Sprintf("%d s", seconds)
	case hours == 0:
		return fmt.Sprintf("%d min", minutes)
	case days == 0:
		return two(fmt.Sprintf("%d h", hours), minutes%60, "min")
	}
	return two(Count(days, "day"), hours%24, "h")
}

func two(large string, few int, unit string) string {
	if few == 0 {
		return large
	}
	return fmt.Sprintf("%s %d %s", large, few, unit)
}

// Took formats how long something ran, more precisely than Duration: "0.8 s", "3 min 20 s", "2 h 5 min".
func Took(d time.Duration) string {
	switch d = max(d, 0); {
	case d < 10*time.Second:
		return fmt.Sprintf("%.1f s", d.Truncate(100*time.Millisecond).Seconds())
	case d >= time.Minute && d < time.Hour:
		return two(fmt.Sprintf("%d min", d/time.Minute), int(d%time.Minute/time.Second), "s")
	}
	return Duration(d)
}

// Ago formats a moment that was d ago, in one unit: "just now", "45 s ago", "90 min ago", "30 h ago", "3 days ago". For a negative d the
// moment is in the future: "in 5 min".
func Ago(d time.Duration) string {
	var rough string
	switch abs := d.Abs(); {
	case abs < time.Second:
		return "just now"
	case abs < time.Minute:
		rough = fmt.Sprintf("%d s", abs/time.Second)
	case abs < 2*time.Hour:
		rough = fmt.Sprintf("%d min", abs/time.Minute)
	case abs < 48*time.Hour:
		rough = fmt.Sprintf("%d h", abs/time.Hour)
	default:
		rough = fmt.Sprintf("%d days", abs/(24*time.Hour))
	}
	if d < 0 {
		return "in " + rough
	}
	return rough + " ago"
}

// Moment formats a time with its date: "2026-11-21 14:00 UTC".
func Moment(t time.Time) string { return t.UTC().Format("2006-01-02 15:04") + " UTC" }

// Clock formats a time in now's zone: "15:04", with the date unless it is the same day.
func Clock(t, now time.Time) string {
	if t = t.In(now.Location()); t.Format(time.DateOnly) == now.Format(time.DateOnly) {
		return t.Format("15:04")
	}
	return t.Format("2 Jan 15:04")
}

// Between formats a period: "from 2026-11-21 14:00 to 14:31 UTC", or "at 2026-11-21 14:00 UTC" if it is shorter than a minute.
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

// Count formats a number with what it counts: "1 session", "2 sessions", "3 entries".
func Count(n int, one string) string { return english.Plural(n, one, "") }

// Dollars formats an amount to the cent. Less than a cent is not shown as zero.
func Dollars(usd float64) string {
	if usd > 0 && usd < 0.005 {
		return "less than $0.01"
	}
	return fmt.Sprintf("$%.2f", usd)
}

// Cost formats an amount for tables and records, to a hundredth of a cent.
func Cost(usd float64) string { return fmt.Sprintf("$%.4f", usd) }

// Size formats a number of bytes: "512 B", "1.5 KiB", "83 MiB".
func Size(bytes int64) string { return humanize.IBytes(uint64(max(bytes, 0))) }

// List joins names: "db", "db and web", "db, mail and web".
func List(names []string) string { return english.WordSeries(names, "and") }

// Or joins alternatives: "cron", "cron or systemd", "cron, systemd or kubernetes".
func Or(names []string) string { return english.WordSeries(names, "or") }

// Few is List for at most most names, followed by the number of the others: "db, mail and 7 more".
func Few(names []string, most int) string {
	if len(names) <= most {
		return List(names)
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), len(names)-most)
}

// Shorten cuts a text to at most most characters, at least one; the last one is then an ellipsis.
func Shorten(s string, most int) string {
	most = max(most, 1)
	if len(s) <= most || utf8.RuneCountInString(s) <= most {
		return s
	}
	return strings.TrimRightFunc(string([]rune(s)[:most-1]), unicode.IsSpace) + "…"
}

// ShortenBytes cuts a text to at most most bytes, between two characters.
func ShortenBytes(s string, most int) string {
	if len(s) <= most {
		return s
	}
	for most > 0 && !utf8.RuneStart(s[most]) {
		most--
	}
	return s[:most]
}

// Clip cuts a text to about most bytes, between two characters, and says how much is missing.
func Clip(s string, most int) string {
	shown := ShortenBytes(s, most)
	if shown == s {
		return s
	}
	return fmt.Sprintf("%s… (%d bytes more)", shown, len(s)-len(shown))
}

// Line returns a text as one line: white space becomes one blank, and unprintable characters U+FFFD.
func Line(s string) string {
	return Printable(strings.Join(strings.FieldsFunc(strings.ToValidUTF8(s, "\uFFFD"), unicode.IsSpace), " "))
}

// FirstLine returns the first line of a text that is not blank, without surrounding white space.
func FirstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return strings.TrimSpace(line)
}

// Quote quotes a foreign text for a message, in Go's syntax and at most most characters of it.
func Quote(s string, most int) string {
	if utf8.RuneCountInString(s) > most {
		return strconv.Quote(string([]rune(s)[:most])) + "…"
	}
	return strconv.Quote(s)
}

// ShellWord quotes a text as one word of a command line.
func ShellWord(s string) string {
	word, err := syntax.Quote(s, syntax.LangBash)
	if err != nil {
		return s // only for a NUL, which no command line can contain
	}
	return word
}

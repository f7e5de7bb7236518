package text

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

func TestDurations(t *testing.T) {
	const day = 24 * time.Hour
	for _, row := range []struct {
		d                   time.Duration
		duration, took, ago string
	}{
		{0, "0 s", "0.0 s", "just now"},
		{-time.Hour, "0 s", "0.0 s", "in 60 min"},
		{820 * time.Millisecond, "0 s", "0.8 s", "just now"},
		{59*time.Second + 990*time.Millisecond, "59 s", "59 s", "59 s ago"},
		{time.Minute, "1 min", "1 min", "1 min ago"},
		{3*time.Minute + 20*time.Second, "3 min", "3 min 20 s", "3 min ago"},
		{time.Hour, "1 h", "1 h", "60 min ago"},
		{2*time.Hour + 5*time.Minute + 9*time.Second, "2 h 5 min", "2 h 5 min", "2 h ago"},
		{day - time.Second, "23 h 59 min", "23 h 59 min", "23 h ago"},
		{day, "1 day", "1 day", "24 h ago"},
		{47 * time.Hour, "1 day 23 h", "1 day 23 h", "47 h ago"},
		{3*day + 4*time.Hour, "3 days 4 h", "3 days 4 h", "3 days ago"},
		{-3*day - time.Hour, "0 s", "0.0 s", "in 3 days"},
	} {
		if got := Duration(row.d); got != row.duration {
			t.Errorf("Duration(%s) = %q, want %q", row.d, got, row.duration)
		}
		if got := Took(row.d); got != row.took {
			t.Errorf("Took(%s) = %q, want %q", row.d, got, row.took)
		}
		if got := Ago(row.d); got != row.ago {
			t.Errorf("Ago(%s) = %q, want %q", row.d, got, row.ago)
		}
	}
}

func TestNumbers(t *testing.T) {
	for _, row := range []struct{ got, want string }{
		{Count(0, "session"), "0 sessions"},
		{Count(1, "session"), "1 session"},
		{Count(2, "health check"), "2 health checks"},
		{Count(2, "entry"), "2 entries"},
		{Dollars(0), "$0.00"},
		{Dollars(0.004), "less than $0.01"},
		{Dollars(0.005), "$0.01"},
		{Dollars(12.3), "$12.30"},
		{Cost(0.01234), "$0.0123"},
		{Size(-1), "0 B"},
		{Size(1023), "1023 B"},
		{Size(1536), "1.5 KiB"},
		{Size(83 << 20), "83 MiB"},
	} {
		if row.got != row.want {
			t.Errorf("%q, want %q", row.got, row.want)
		}
	}
}

func TestLists(t *testing.T) {
	names := []string{"db", "mail", "shop", "web"}
	for n, want := range []string{"", "db", "db and mail", "db, mail and shop", "db, mail and 2 more"} {
		if got := Few(names[:n], 3); n < 4 && got != want {
			t.Errorf("%d names: %q, want %q", n, got, want)
		}
	}
	if got, want := Few(names, 2), "db, mail and 2 more"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestLine(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "",
		" a \t b\r\n\n c ":      "a b c",
		"a\u2028b":              "a b",
		"\x1b[31mred\x07":       "\uFFFD[31mred\uFFFD",
		"Zürich\xff":            "Zürich\uFFFD",
		"exe.\u202egpj":         "exe.\uFFFDgpj",
		"a\u00a0no-break\u0085": "a no-break",
	} {
		if got := Line(text); got != want {
			t.Errorf("Line(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestFirstLine(t *testing.T) {
	for text, want := range map[string]string{"": "", "\n \n": "", "one": "one", "\n  first \r\nsecond": "first"} {
		if got := FirstLine(text); got != want {
			t.Errorf("FirstLine(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestClean(t *testing.T) {
	for text, want := range map[string]string{
		"plain\nlines":                       "plain\nlines",
		"a\tb\u2028c":                        "a b c",
		"\x1b[1;31mred\x1b[0m":               "red",
		"\u009b31mred":                       "red",
		"\x1b]0;a title\x07text":             "text",
		"\x1b]8;;http://x\x1b\\link":         "link",
		"\x1b]0;a title without end":         "0;a title without end",
		"\x1b]0;a title\x1b[1mof two":        "0;a titleof two",
		"\x1b[12":                            "12",
		"\x1b(B\x1bcreset":                   "reset",
		"a\x1b":                              "a",
		"\x00\x07bell\x7f":                   "bell",
		"\u202eright\u2066to left\u200f":     "rightto left",
		"no \xff UTF-8":                      "no \uFFFD UTF-8",
		"family 👨\u200d👩":                    "family 👨\u200d👩",
		"\x1b[31" + strings.Repeat("1", 300): "31" + strings.Repeat("1", 300),
	} {
		if got := Clean(text); got != want {
			t.Errorf("Clean(%q) = %q, want %q", text, got, want)
		}
	}
}

func TestShorten(t *testing.T) {
	for _, row := range []struct {
		got, want string
	}{
		{Shorten("", 3), ""},
		{Shorten("größe", 5), "größe"},
		{Shorten("größe", 0), "…"},
		{Shorten("größer", 5), "größ…"},
		{Shorten("two words", 5), "two…"},
		{ShortenBytes("größe", 4), "grö"},
		{ShortenBytes("größe", 3), "gr"},
		{ShortenBytes("größe", 7), "größe"},
		{Quote("a \"b\"\n", 9), `"a \"b\"\n"`},
		{Quote("größer", 3), `"grö"…`},
	} {
		if row.got != row.want {
			t.Errorf("%q, want %q", row.got, row.want)
		}
	}
}

func FuzzText(f *testing.F) {
	for _, seed := range []string{"", "a\u202eb", "\xff\xfe", "\x1b[0m", "\x1b]0;x", "\u2028", "a\r\nb", "größer als fünf"} {
		f.Add(seed, 5)
	}
	f.Fuzz(func(t *testing.T, s string, most int) {
		most = max(most%100, 1)
		if short := Shorten(Line(s), most); utf8.RuneCountInString(short) > most || strings.ContainsFunc(short, Steers) {
			t.Errorf("%q is not a line of %d characters", short, most)
		}
		if short := ShortenBytes(s, most); len(short) > most || !strings.HasPrefix(s, short) {
			t.Errorf("%q is not the beginning of %q", short, s)
		}
		if clean := Clean(s); strings.ContainsFunc(clean, hidden) || !utf8.ValidString(clean) {
			t.Errorf("Clean(%q) = %q", s, clean)
		}
	})
}

func TestMoments(t *testing.T) {
	if got := Moment(time.Date(2026, 11, 21, 15, 59, 59, 0, time.FixedZone("", 3600))); got != "2026-11-21 14:59 UTC" {
		t.Errorf("a moment is %q", got)
	}
	at := time.Date(2026, 11, 21, 14, 0, 0, 0, time.UTC)
	for d, want := range map[time.Duration]string{
		59 * time.Second: "at 2026-11-21 14:00 UTC", time.Minute: "from 2026-11-21 14:00 to 14:01 UTC", 10 * time.Hour: "from 2026-11-21 14:00 to 2026-11-22 00:00 UTC",
	} {
		if got := Between(at, at.Add(d)); got != want {
			t.Errorf("%v: %q, want %q", d, got, want)
		}
	}
}

package notify

import (
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/internal/text"
)

// linkable matches what some service makes a link of: an address with its scheme, or a host's name.
var linkable = regexp.MustCompile(`(?i)://|[\pL\pM][.\x{3002}\x{ff0e}\x{ff61}\x{2024}][\pL\pN]|\pN\.\pL|(\d\.){3}`)

// An agent's text may have megabytes, and is read while the database is locked. If the time grew with the square of its length, this would
// take hours.
func TestALongTextIsReadOnce(t *testing.T) {
	const length = 4 << 20
	for _, said := range []string{"1.", ".", "1", ")", "a.", "a.)", ".\"'", "\u3002)", "://"} {
		long := strings.Repeat(said, length/len(said))
		if got := len(text.Unlinked(long)); got < len(long) || got > 3*len(long) {
			t.Errorf("%d bytes of %q became %d", len(long), said, got)
		}
	}
}

// What was made harmless before is left as it is.
func TestTwiceIsOnce(t *testing.T) {
	for _, said := range []string{"https://evil.example/yes", "10.0.0.1", "“evil.example”"} {
		once := text.Unlinked(said)
		same(t, text.Unlinked(once), once)
	}
}

// Whatever an agent writes, and whatever a message then takes away or puts around it, no service finds a link in it.
func TestAgentsWordsAreNoLinks(t *testing.T) {
	for _, said := range []string{
		"https://evil.example/yes", "HTTPS://EVIL.EXAMPLE", "evil.example/yes", "www.evil.example", "a.b.c.d", "10.0.0.1", "1.2.3.evil", "10.0.0.1:8080/x", "tg://resolve?domain=evil", "t.me/evil",
		"[approve](https://evil.example)", "[approve](evil.example)", "<https://evil.example|approve>", "<evil.example>", "![x](//evil.example/x.png)", "[a]: evil.example",
		"<a href=\"https://evil.example\">yes</a>", "https&#58;//evil&#46;example", "me@evil.example", "mailto:me@evil.example", "**evil**.**example**", "evil`.`example",
		"`evil.example`", "``https://evil.example``", "evil.`example` @x", "evil`.example`@", "*evil*.example", "evil_.example", "evil.)example", "evil'.'example",
		"https:\u200e//evil\u200e.example", "evil\u202e.example", "evil.\u200fexample", "evil\u0007.example", "evil.\u0000example", "https:\u0001//evil", "evil\u001b[0m.example",
		"evil\u200b.example", "evil.\u200dexample", "evil\u2060.example", "evile\u0301.example", "пример.рф", "例え.jp", "evil。example", "evil．example", "evil｡example", "evil․example",
		"xn--e1afmkfd.xn--p1ai", "evil\\.example", "https:\\/\\/evil\\.example", "evil.\nexample and evil\n.example",
	} {
		for form, sent := range map[string]string{
			"title": Message{Title: text.Unlinked(said)}.Plain().Title, "body": Message{Body: text.Unlinked(said)}.Plain().Body,
			"Markdown title": Message{Title: text.Unlinked(said)}.Markdown().Title, "Markdown body": Message{Body: text.Unlinked(said)}.Markdown().Body,
		} {
			for _, shown := range []string{sent, strings.NewReplacer("`", "", "*", "", "_", "", "\\", "", "\u200b", "", "\u200d", "", "\u2060", "").Replace(sent)} {
				if found := linkable.FindString(shown); found != "" {
					t.Errorf("%q, as %s: %q can be a link", said, form, shown)
				}
			}
		}
	}
	for _, said := range []string{"It has exited.", "it leaks (see the log.) and waits...", `he said "stop."`, "look at .env or ./run", "PostgreSQL 15.4.1 took 3.5 s", "完了。次", ""} {
		if got := text.Unlinked(said); got != said {
			t.Errorf("%q became %q", said, got)
		}
	}
}

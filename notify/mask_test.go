package notify

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
)

func TestMaskHidesThePiecesOfAURL(t *testing.T) {
	for _, row := range []struct{ url, text, masked string }{
		{"tgram://123456789:AAbbCCdd-ee/4455667788/", "tgram://123456789:AAbbCCdd-ee/4455667788/ failed", "[redacted] failed"},
		{"tgram://123456789:AAbbCCdd-ee/4455667788/", "bot AAbbCCdd-ee, chat 4455667788", "bot [redacted], chat [redacted]"},
		{"json://ops:p%40ssw0rd@example.com/hidden-path", "POST example.com/hidden-path as ops:p@ssw0rd", "POST example.com/[redacted] as [redacted]"},
		{"json://example.com/?+X-Token=Bearer%20sesame-open", "Bearer sesame-open; bearer sesame-open", "[redacted]; [redacted]"},
		{"mailtos://example.com?user=postmaster&pass=pa%2Bss%2Bword&format=markdown", "postmaster pa+ss+word markdown", "[redacted] [redacted] markdown"},
		{"ntfy://example.com:8080/topic-of-mine", "example.com:8080 has no topic-of-mine", "example.com:8080 has no [redacted]"},
		{"slack://T1JJ3T3L2/A1BRTD4JD/abcdefgh", "T1JJ3T3L2 A1BRTD4JD", "[redacted] [redacted]"},
		{"http://user:SecretPw77@example.com/", "Authorization: Basic dXNlcjpTZWNyZXRQdzc3", "Authorization: Basic [redacted]"},
		{"http://user:Secret%40Pw7@example.com/", "Authorization: Basic dXNlcjpTZWNyZXRAUHc3", "Authorization: Basic [redacted]"},
		{"slack://TokenABC/x", "tokenabc is wrong", "[redacted] is wrong"},
		{"json://h/short", "short is not hidden: it guards nothing", "short is not hidden: it guards nothing"},
		{"a-bare-key", "the key a-bare-key", "the key [redacted]"},
		{"", "nothing", "nothing"},
	} {
		if got := NewMask(row.url).String(row.text); got != row.masked {
			t.Errorf("%s: %q becomes %q; want %q", row.url, row.text, got, row.masked)
		}
	}
}

// FuzzMask: no part of a URL is left, in whatever form the URL and the text are written.
func FuzzMask(f *testing.F) {
	f.Add("user-name", "p@ss/w:rd", "token-one", "value&two", "said ")
	f.Add("ÄÖÜäöü", "%41%42%43", "a+b+c+d", "= = = =", "%2F")
	f.Add("aaaaaa", "aaaaaaa", "aaaaaaaa", "aaaaaaaaa", "a")
	f.Fuzz(func(t *testing.T, user, password, token, value, between string) {
		target := fmt.Sprintf("json://%s:%s@example.com/%s?+X=%s",
			url.PathEscape(user), url.QueryEscape(password), url.PathEscape(token), url.QueryEscape(value))
		mask := NewMask(target)
		for _, piece := range []string{user, password, token, value} {
			piece = strings.TrimSpace(piece)
			if len(piece) < 6 || strings.Contains("[redacted]", strings.ToLower(piece)) || piece == "example.com" {
				continue
			}
			for _, text := range []string{
				piece, between + piece + between, url.PathEscape(piece), url.QueryEscape(piece), strings.ToUpper(url.PathEscape(piece)), target,
			} {
				got := mask.String(text)
				for _, left := range strings.Split(got, "[redacted]") {
					if strings.Contains(left, piece) || strings.Contains(left, url.PathEscape(piece)) {
						t.Errorf("%s: %q becomes %q, which holds %q", target, text, got, piece)
					}
				}
			}
		}
	})
}

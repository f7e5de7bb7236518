package probe

import (
	"encoding/base64"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestSecretsOfAChecksAreHidden(t *testing.T) {
	httpCheck := &Check{Options: &HTTP{
		URL:        "https://ops:p%40ss%2Fword@example.org/?api_key=KEYKEYKEY&page=2",
		Headers:    map[string]string{"Cookie": "sid=COOKIEVALUE; theme=dark", "X-Auth-Token": "tok", "Accept": "text/html"},
		HeadersEnv: map[string]string{"Authorization": "AUTH", "X-Plain": "PLAIN"},
	}}
	basic := base64.StdEncoding.EncodeToString([]byte("admin:basic-password"))
	environ := []string{"AUTH=Basic " + basic, "PLAIN=plain-header-value", "DB=db password&more", "OTHER=otherwise"}
	address := "postgres://app:url-password@db/shop?sslpassword=keyfilepw&target_session_attrs=standby"
	database := &Check{Options: &Database{URL: address, PasswordEnv: "DB"}}
	plugin := &Check{Options: &Plugin{Command: []string{"check_x", "--password", "opt-password", "--api-token=opt-token", "-p", "8080"}}}
	for _, c := range []struct {
		name       string
		check      *Check
		text, want string
	}{
		{"password as meant", httpCheck, "login with p@ss/word failed", "login with *** failed"},
		{"password as written", httpCheck, "login with p%40ss%2Fword failed", "login with *** failed"},
		{"query value", httpCheck, "key KEYKEYKEY is unknown", "key *** is unknown"},
		{"cookie", httpCheck, "got COOKIEVALUE", "got ***"},
		{"a short one as a word", httpCheck, "tok is wrong: (tok)", "*** is wrong: (***)"},
		{"a short one within words", httpCheck, "token of Moltok", "token of Moltok"},
		{"what is no secret", httpCheck, "no text/html on page 2", "no text/html on page 2"},
		{"header's variable", httpCheck, "Basic " + basic, "***"},
		{"header's token", httpCheck, "bad credentials " + basic, "bad credentials ***"},
		{"header's password", httpCheck, "basic-password", "***"},
		{"any header that comes from a variable", httpCheck, "plain-header-value", "***"},
		{"another variable", httpCheck, "otherwise", "otherwise"},
		{"the user's name", httpCheck, "user ops is unknown", "user ops is unknown"},
		{"basic authorization of the URL", httpCheck, base64.StdEncoding.EncodeToString([]byte("ops:p@ss/word")), "***"},
		{"database", database, `password "url-password" or db password&more`, `password "***" or ***`},
		{"escaped", database, "postgres://db/?x=" + url.QueryEscape("db password&more"), "postgres://db/?x=***"},
		{"in JSON", database, `{"p":"db password\u0026more"}`, `{"p":"***"}`},
		{"database's query", database, "keyfilepw", "***"},
		{"database's option", database, "is not standby", "is not standby"},
		{"plugin", plugin, "CRITICAL - opt-password, opt-token, 8080", "CRITICAL - ***, ***, 8080"},
		{"broken by a control character", database, "url-pass\x00word", "***"},
		{"broken by a colour", database, "url-pass\x1b[1mword", "***"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got := clean(c.text, secretsOf(c.check.About(), environ)); got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestURLsInTextsLoseTheirSecrets(t *testing.T) {
	for text, want := range map[string]string{
		"at http://u:p@h/a?b=c":                       "at http://u:***@h/a?b=c",
		"at http://u:p@ss@h/":                         "at http://u:***@h/",
		"https://ghp_token@github.com/x":              "https://***@github.com/x",
		"postgres://app@db/x":                         "postgres://app@db/x",
		"redis://:pw@h":                               "redis://:***@h",
		"redirects to http://h/?access_token=1&a=2;k": "redirects to http://h/?access_token=***&a=2;k",
		"http://h/?A=1#id_token=abc":                  "http://h/?A=1#id_token=***",
		"http://h/?api%5Fkey=abc":                     "http://h/?api%5Fkey=***",
		`Get "https://u:p@h/": refused`:               `Get "https://u:***@h/": refused`,
		"é://u:p@h and é http://u:p@h":                "é://u:***@h and é http://u:***@h",
		"no URL: a:b@c":                               "no URL: a:b@c",
		"two http://a:b@c http://d:e@f":               "two http://a:***@c http://d:***@f",
		"://":                                         "://",
		"http://h/path/@x:y":                          "http://h/path/@x:y",
	} {
		if got := clean(text, secrets{}); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

func TestErrorsAreOneCleanLine(t *testing.T) {
	for text, want := range map[string]string{
		"plain":                              "plain",
		" a\n\tb\r\n\r\nc ":                  "a b c",
		"\x1b[31;1mred\x1b[0m":               "red",
		"\x1b]0;title\abell":                 "bell",
		"\x1b]8;;http://x\x1b\\link":         "link",
		"\x1b]0;never ended":                 "0;never ended",
		"\u009b31mred":                       "red",
		"nul\x00bel\a":                       "nulbel",
		"bad \xff\xfe UTF-8":                 "bad UTF-8",
		"bidi \u202eevil\u202c":              "bidi evil",
		"line\u2028separator":                "line separator",
		"é 日本 ✓":                             "é 日本 ✓",
		"esc at the end\x1b":                 "esc at the end",
		strings.Repeat("é", 300):             strings.Repeat("é", 300),
		strings.Repeat("é", 301):             strings.Repeat("é", 299) + "…",
		strings.Repeat("\x1b[0m", 1<<20):     "",
		strings.Repeat("\x1b]", 1000) + "ok": "ok",
	} {
		if got := clean(text, secrets{}); got != want {
			t.Errorf("%.80q: got %q, want %q", text, got, want)
		}
	}
}

func FuzzClean(f *testing.F) {
	f.Add("http://u:hunter2hunter2@h/ \x1b[0m hunter2hunter2 \xff", "hunter2hunter2")
	f.Fuzz(func(t *testing.T, text, password string) {
		k := &Check{Options: &Database{URL: "postgres://h/", PasswordEnv: "P"}}
		got := clean(text, secretsOf(k.About(), []string{"P=" + password}))
		if !utf8.ValidString(got) || utf8.RuneCountInString(got) > maxError || strings.ContainsAny(got, "\x1b\n\r\x00") {
			t.Errorf("%q becomes %q", text, got)
		}
		if secret := strings.TrimSpace(password); len(secret) >= 10 && strings.Contains(got, secret) && !strings.Contains(hidden, secret) {
			t.Errorf("%q becomes %q, with the password in it", text, got)
		}
	})
}

func TestLookup(t *testing.T) {
	s := Settings{Environ: []string{"A=1", "B=", "A=2=3", "AB=4"}}
	for name, want := range map[string]string{"A": "2=3", "B": "", "AB": "4"} {
		if got, found := s.Lookup(name); got != want || !found {
			t.Errorf("%s is %q (found: %t), want %q", name, got, found, want)
		}
	}
	for _, name := range []string{"C", ""} {
		if got, found := s.Lookup(name); found {
			t.Errorf("%q is %q", name, got)
		}
	}
}

func TestExcerptsAreCutOnceSecretsAreHidden(t *testing.T) {
	k := &Check{Options: &Database{URL: "postgres://u:url-password@db/", PasswordEnv: "PW"}}
	for text, want := range map[string]string{
		"a " + Excerpt("short", 10) + " b":                      "a short b",
		"a " + Excerpt("exactly 10", 10) + " b":                 "a exactly 10 b",
		"a " + Excerpt("more than ten", 10) + " b":              "a more than… b",
		"a " + Excerpt("with url-password within", 10) + " b":   "a with ***… b",
		"a " + Excerpt("ten äöüäöüäöü", 10) + " b":              "a ten äöüäö… b",
		"a " + Excerpt("a\x0e1:b\x0fc d e f g", 10) + " b":      "a a1:bc d e… b",
		"a " + Excerpt("https://u:p@ssword.example", 12) + " b": "a https://u:*… b",
		"another's mark \x0e1:of length":                        "another's mark 1:of length",
		"another's mark \x0eof length\x0f":                      "another's mark of length",
		"another's mark \x0e0:A\x0f":                            "another's mark 0:A",
		"another's mark \x0e-5:A\x0f":                           "another's mark -5:A",
	} {
		if got := clean(text, secretsOf(k.About(), []string{"PW=x"})); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// What is searched for secrets has a limit, whatever a server sends, and no secret and no character is cut in two there.
func TestLongExcerptsAreCutBehindWhatIsShown(t *testing.T) {
	for name, unit := range map[string]string{"words": "url-password ", "one word": "aäö", "blank only at the start": "x"} {
		long := Excerpt("a "+strings.Repeat(unit, 1<<20/len(unit)), 100)
		if len(long) > 17<<10 || len(long) < 8<<10 || !utf8.ValidString(long) {
			t.Errorf("%s: %d bytes, UTF-8: %v", name, len(long), utf8.ValidString(long))
		}
		if unit == "url-password " && !strings.HasSuffix(long, " url-password"+excerptEnds) {
			t.Errorf("it ends with %q", long[len(long)-20:])
		}
	}
}

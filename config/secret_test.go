package config

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestSecretName(t *testing.T) {
	secret := []string{
		"ANTHROPIC_API_KEY", "ANTHROPIC_AUTH_TOKEN", "CLAUDE_CODE_OAUTH_TOKEN", "CLAUDEOPS_RUN_TOKEN", "AWS_SECRET_ACCESS_KEY",
		"AWS_ACCESS_KEY_ID", "PGPASSWORD", "MYSQL_PWD", "DB_PASS", "SENTRY_DSN", "GOOGLE_CREDENTIALS", "github_token", "API_KEYS",
		"SLACK_WEBHOOK_URL", "APIKEY", "SSH_PASSPHRASE", "TOKEN", "SMTP_PASSWD", "CLIENT_SECRETS",
	}
	public := []string{
		"PATH", "HOME", "PWD", "OLDPWD", "CLAUDE_CODE_MAX_OUTPUT_TOKENS", "ANTHROPIC_BASE_URL", "ANTHROPIC_MODEL", "PGPASSFILE",
		"ANTHROPIC_API_KEY_FILE", "SSH_KEY_PATH", "SECRETS_DIR", "MONKEY", "KEYBOARD", "COMPASS", "BYPASS", "SSH_AUTH_SOCK", "", "_",
	}
	for want, names := range map[bool][]string{true: secret, false: public} {
		for _, name := range names {
			if SecretName(name) != want {
				t.Errorf("SecretName(%q) = %v", name, !want)
			}
		}
	}
}

func TestSecrets(t *testing.T) {
	envFile := clean(t)
	for name, text := range map[string]string{
		"CLAUDEOPS_APPRISE_URLS":  "tgram://bot-token/chat, mailto://me:mail-password@host",
		"CLAUDEOPS_HEARTBEAT_URL": "https://hc-ping.com/heartbeat-uuid",
		"DATABASE_ADDRESS":        "postgres://app:p%40ss-word@db:5432/shop?sslmode=disable",
		"SOME_PASSWORD":           "plain-password",
		"ANTHROPIC_API_KEY_FILE":  write(t, "key", "sk-ant-from-a-file\n"),
		"ORDINARY":                "ordinary-value",
		"NOT_A_PASSWORD_PATH":     "/a/path",
	} {
		t.Setenv(name, text)
	}
	_, env := load(t, envFile)
	got := env.Secrets()
	for _, want := range []string{
		"tgram://bot-token/chat", "mailto://me:mail-password@host", "mail-password", "https://hc-ping.com/heartbeat-uuid",
		"p%40ss-word", "p@ss-word", "plain-password", "sk-ant-from-a-file",
	} {
		if !slices.Contains(got, want) {
			t.Errorf("Secrets() lacks %q", want)
		}
	}
	for _, never := range []string{"ordinary-value", "/a/path", "/state", "claude"} {
		if slices.Contains(got, never) {
			t.Errorf("Secrets() has %q", never)
		}
	}
}

func TestMaskPassword(t *testing.T) {
	for text, want := range map[string]string{
		"http://h:8000/":              "http://h:8000/",
		"http://u:p@h/x":              "http://u:[redacted]@h/x",
		"http://u:p:q@r@h":            "http://u:[redacted]@h",
		"http://u@h":                  "http://u@h",
		"http://h/?q=a:b@c":           "http://h/?q=a:b@c",
		"mailto:someone:x@h":          "mailto:someone:x@h",
		"postgres://:only-password@h": "postgres://:[redacted]@h",
		"":                            "",
	} {
		if got := maskPassword(text); got != want {
			t.Errorf("maskPassword(%q) = %q; want %q", text, got, want)
		}
	}
}

func TestRedactor(t *testing.T) {
	pem := "-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQ\nend\n-----END KEY-----\n"
	r := NewRedactor([]string{"hunter22", `quo"te&<>`, "tab\tand\u00e9", "short", "claudeops", "", pem, "overlap-one", "one-and-two"})
	asJSON, err := json.Marshal(map[string]string{"k": `quo"te&<> tab` + "\tand\u00e9"})
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"nothing to hide":             "nothing to hide",
		"hunter22":                    "[redacted]",
		"a hunter22, hunter22hunter2": "a [redacted], [redacted]hunter2",
		"short claudeops":             "short claudeops",
		`say quo"te&<> now`:           "say [redacted] now",
		string(asJSON):                `{"k":"[redacted] [redacted]"}`,
		`{"k":"quo\"te&<>"}`:          `{"k":"[redacted]"}`,
		`msg="quo\"te&<>"`:            `msg="[redacted]"`,
		"x overlap-one-and-two y":     "x [redacted] y",
		"MIIEvQIBADANBgkqhkiG9w0BAQ":  "[redacted]",
		"end":                         "end",
		"":                            "",
	} {
		if got := r.String(text); got != want {
			t.Errorf("String(%q) = %q; want %q", text, got, want)
		}
		if got := string(r.Bytes([]byte(text))); got != want {
			t.Errorf("Bytes(%q) = %q; want %q", text, got, want)
		}
	}
	var none *Redactor
	if none.String("hunter22") != "hunter22" || string(none.Bytes([]byte("hunter22"))) != "hunter22" {
		t.Error("the nil Redactor changes text")
	}
}

func TestRedactorInLogLines(t *testing.T) {
	const value = "pass\"wörd\n<&\\"
	r := NewRedactor([]string{value})
	var text, object bytes.Buffer
	slog.New(slog.NewTextHandler(&text, nil)).Info("m "+value, "k", value)
	slog.New(slog.NewJSONHandler(&object, nil)).Info("m "+value, "k", value)
	for _, line := range []string{text.String(), object.String()} {
		if got := r.String(line); strings.Count(got, Redacted) != 2 || strings.Contains(got, "pass") {
			t.Errorf("%q became %q", line, got)
		}
	}
}

func TestRedactorAllocatesNothingWhereThereIsNothing(t *testing.T) {
	r := NewRedactor([]string{"hunter22", "a-much-longer-secret-that-fits-into-no-small-buffer"})
	text := bytes.Repeat([]byte("an ordinary line of a log, "), 100)
	line := string(text)
	if n := testing.AllocsPerRun(100, func() { r.Bytes(text); _ = r.String(line) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// No secret is left, wherever it stands and whatever it overlaps, and the text around is untouched.
func TestRedactorLeavesNoSecret(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		secrets := rapid.SliceOfN(rapid.StringMatching(`[abc]{6,9}`), 1, 4).Draw(t, "secrets")
		text := rapid.StringMatching(`[abcx]{0,60}`).Draw(t, "text")
		got := NewRedactor(secrets).String(text)
		for _, s := range secrets {
			if strings.Contains(got, s) {
				t.Fatalf("%q, without %q, became %q", text, secrets, got)
			}
		}
		plain := strings.Count(text, "x") // no secret holds an x
		if strings.Count(got, "x") != plain {
			t.Fatalf("%q became %q", text, got)
		}
		pieces := strings.Split(got, Redacted)
		rest := text
		for _, piece := range pieces {
			_, after, found := strings.Cut(rest, piece)
			if !found {
				t.Fatalf("%q became %q", text, got)
			}
			rest = after
		}
	})
}

func TestNearest(t *testing.T) {
	if diff := cmp.Diff("CLAUDEOPS_A_B", nearest("CLAUDEOPS_A_C", []string{"CLAUDEOPS_XYZ", "CLAUDEOPS_A_B"})); diff != "" {
		t.Error(diff)
	}
}

func BenchmarkRedactor(b *testing.B) {
	r := NewRedactor([]string{"sk-ant-api03-0123456789", "another-token-0123456789", "https://hc-ping.com/uuid", "a password"})
	line := bytes.Repeat([]byte(`{"type":"assistant","message":{"content":[{"type":"text","text":"All is well."}]}}`), 50)
	b.SetBytes(int64(len(line)))
	for b.Loop() {
		r.Bytes(line)
	}
}

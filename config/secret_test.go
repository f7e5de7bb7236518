package config

import (
	"slices"
	"testing"
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
		"CLAUDEOPS_APPRISE_URLS":  "tgram://bot-token/chat, mail=mailto://me:mail-password@host",
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

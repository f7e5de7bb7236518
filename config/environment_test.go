package config

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/internal/mask"
)

func source(env *Environment, name string) (text, from string) {
	for _, v := range env.Variables() {
		if v.Name == name {
			return v.Value, v.Source
		}
	}
	return "", ""
}

func TestRealEnvironmentCountsBeforeTheFile(t *testing.T) {
	clean(t)
	envFile := write(t, "env", "CLAUDEOPS_MAX_TIER=1\n\nCLAUDEOPS_TIER1_MODEL=first\nCLAUDEOPS_TIER1_MODEL=last\nCLAUDEOPS_TIER2_MODEL=file\nFOREIGN=file\nOTHER=file\n")
	t.Setenv("CLAUDEOPS_MAX_TIER", "2")
	t.Setenv("CLAUDEOPS_TIER2_MODEL", "") // an empty CLAUDEOPS_ variable is an unset one
	t.Setenv("FOREIGN", "")               // variables of other programs stay empty
	c, env := load(t, envFile)
	if c.MaxTier != 2 || c.Tier1Model != "last" || c.Tier2Model != "file" {
		t.Errorf("MaxTier %d, Tier1Model %q, Tier2Model %q; want 2, last, file", c.MaxTier, c.Tier1Model, c.Tier2Model)
	}
	for name, want := range map[string][2]string{
		"CLAUDEOPS_MAX_TIER":    {"2", FromEnvironment},
		"CLAUDEOPS_TIER1_MODEL": {"last", envFile + ":4"},
		"CLAUDEOPS_TIER2_MODEL": {"file", envFile + ":5"},
		"CLAUDEOPS_TIER3_MODEL": {"opus", FromDefault},
	} {
		if text, from := source(env, name); text != want[0] || from != want[1] {
			t.Errorf("%s = %q from %q; want %q from %q", name, text, from, want[0], want[1])
		}
	}
	if env.Get("FOREIGN") != "" || env.Get("OTHER") != "file" {
		t.Errorf("FOREIGN=%q OTHER=%q; want nothing and file", env.Get("FOREIGN"), env.Get("OTHER"))
	}
	if _, leaked := os.LookupEnv("OTHER"); leaked {
		t.Error("Load put a variable of the file into the process's environment")
	}
}

func TestFaultsNameTheLineOfTheFile(t *testing.T) {
	clean(t)
	envFile := write(t, "env", "# comment\nnonsense\nCLAUDEOPS_MAX_TIER=9\nCLAUDEOPS_DASHBOARD_TOKEN='never shown\n")
	want := []string{
		envFile + `: line 2: no "="; write NAME=value`,
		envFile + `: line 4: CLAUDEOPS_DASHBOARD_TOKEN: the quote is not closed on its line; close it`,
		`CLAUDEOPS_MAX_TIER="9" (` + envFile + `:3): none of 1, 2, 3`,
	}
	if diff := cmp.Diff(want, faults(t, envFile)); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestUnreadableEnvFile(t *testing.T) {
	clean(t)
	folder := t.TempDir()
	huge := write(t, "huge", strings.Repeat("#", maxFile+1))
	for path, reason := range map[string]string{
		filepath.Join(folder, "missing"): "no such file or directory", folder: "no regular file", huge: "larger than 1024 KiB",
	} {
		want := path + ": the environment file cannot be read (" + reason + "); make it readable, or name another with --env-file"
		if diff := cmp.Diff([]string{want}, faults(t, path)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestSecretsFromFiles(t *testing.T) {
	for _, d := range append(definitions(), credentials()...) {
		if !d.hasFileForm() {
			continue
		}
		t.Run(d.name, func(t *testing.T) {
			envFile := clean(t)
			switch d.name { // neither is valid alone
			case "CLAUDEOPS_APPRISE_KEY":
				t.Setenv("CLAUDEOPS_APPRISE_API_URL", "http://h")
			case "CLAUDEOPS_APPRISE_API_URL":
				t.Setenv("CLAUDEOPS_APPRISE_KEY", "ops")
			}
			path, direct := write(t, "secret", "https://h/secret\n"), "https://h/direct"
			if d.name == "CLAUDEOPS_APPRISE_KEY" {
				path, direct = write(t, "secret", "secret-key\r\n"), "direct-key"
			}
			t.Setenv(d.name+"_FILE", path)
			_, env := load(t, envFile)
			if got := env.Get(d.name); !strings.Contains(got, "secret") || strings.ContainsAny(got, "\r\n") {
				t.Errorf("%s = %q", d.name, got)
			}
			text, from := source(env, d.name)
			if shown := d.secret == secretURL; from != path || shown == (text == mask.Redacted) {
				t.Errorf("shown as %q from %q", text, from)
			}
			if got := env.Environ(); slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, d.name+"_FILE=") }) {
				t.Errorf("Environ has both forms, which a child would refuse")
			}
			if got := Lookup(env.Environ(), d.name); got != env.Get(d.name) {
				t.Errorf("Environ has %q", got)
			}

			t.Setenv(d.name, direct)
			want := []string{d.name + " and " + d.name + "_FILE are both set (environment); keep one"}
			if diff := cmp.Diff(want, faults(t, envFile)); diff != "" {
				t.Errorf("both forms (-want +got):\n%s", diff)
			}
		})
	}
}

func TestSecretOfTheRealEnvironmentReplacesEitherFormOfTheFile(t *testing.T) {
	clean(t)
	secretFile := write(t, "token", "from-file-form")
	for name, row := range map[string]struct{ file, variable, text, want string }{
		"value over file form": {"CLAUDEOPS_DASHBOARD_TOKEN_FILE=" + secretFile, "CLAUDEOPS_DASHBOARD_TOKEN", "real", "real"},
		"file form over value": {"CLAUDEOPS_DASHBOARD_TOKEN=value", "CLAUDEOPS_DASHBOARD_TOKEN_FILE", secretFile, "from-file-form"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(row.variable, row.text)
			if c, _ := load(t, write(t, "env", row.file)); c.DashboardToken != row.want {
				t.Errorf("DashboardToken = %q; want %q", c.DashboardToken, row.want)
			}
		})
	}
}

// Secret files are listed for agents in whichever way they were set, and a program that an agent calls can still list them without
// reading them.
func TestSecretFilesAreNamed(t *testing.T) {
	clean(t)
	token, key := write(t, "token,1", "sesame-sesame-sesame"), write(t, "key", "sk-ant")
	link := filepath.Join(t.TempDir(), "link")
	if err := os.Symlink(token, link); err != nil {
		t.Fatal(err)
	}
	envFile := write(t, "settings", "CLAUDEOPS_DASHBOARD_TOKEN_FILE="+link)
	t.Setenv("ANTHROPIC_API_KEY_FILE", key)
	t.Setenv("CLAUDEOPS_SECRET_FILES", "**/*.bak,"+link)
	t.Setenv("CLAUDEOPS_DASHBOARD_TOKEN", "another-token-which-counts") // the file is still secret although the variable takes precedence
	_, env := load(t, envFile)
	want := slices.Compact(slices.Sorted(slices.Values([]string{"**/*.bak", strings.Replace(token, ",", `\,`, 1), link, key, envFile})))
	if diff := cmp.Diff(want, env.SecretFiles()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}

	t.Setenv("ANTHROPIC_API_KEY_FILE", "")
	t.Setenv("CLAUDEOPS_RUN_TOKEN", "x")
	t.Setenv("CLAUDEOPS_SECRET_FILES", strings.Join(want, "\n"))
	_, env = load(t, "")
	if diff := cmp.Diff(want, env.SecretFiles()); diff != "" {
		t.Errorf("in a session (-want +got):\n%s", diff)
	}
}

func TestBadSecretFiles(t *testing.T) {
	folder := t.TempDir()
	for path, want := range map[string]string{
		filepath.Join(folder, "missing"):  "cannot be read (no such file or directory); name a file that holds the value",
		folder:                            "cannot be read (no regular file); name a file that holds the value",
		write(t, "empty", " \n"):          "the file is empty; write the value into it",
		write(t, "binary", "secret\x00x"): "the file holds a NUL byte; write the value into it as text",
	} {
		envFile := clean(t)
		t.Setenv("ANTHROPIC_API_KEY_FILE", path)
		if diff := cmp.Diff([]string{`ANTHROPIC_API_KEY_FILE="` + path + `": ` + want}, faults(t, envFile)); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
}

func TestCredential(t *testing.T) {
	home, other := t.TempDir(), t.TempDir()
	for _, dir := range []string{filepath.Join(home, ".claude"), other} {
		if err := os.MkdirAll(dir, 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(dir, ".credentials.json"), []byte("{}"), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, row := range []struct {
		name string
		set  map[string]string
		want Credential
	}{
		{"nothing", map[string]string{"HOME": t.TempDir()}, Credential{Kind: None}},
		{"no home", map[string]string{"HOME": ""}, Credential{Kind: None}},
		{"empty key", map[string]string{"HOME": "", "ANTHROPIC_API_KEY": " "}, Credential{Kind: None}},
		{"login", map[string]string{"HOME": home}, Credential{Kind: Login, ConfigDir: filepath.Join(home, ".claude")}},
		{"login elsewhere", map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": other}, Credential{Kind: Login, ConfigDir: other}},
		{"login named and missing", map[string]string{"HOME": home, "CLAUDE_CONFIG_DIR": t.TempDir()}, Credential{Kind: None}},
		{"oauth", map[string]string{"HOME": home, "CLAUDE_CODE_OAUTH_TOKEN": "o"}, Credential{Kind: OAuthToken, Value: "o"}},
		{"key", map[string]string{"CLAUDE_CODE_OAUTH_TOKEN": "o", "ANTHROPIC_API_KEY": "k"}, Credential{Kind: APIKey, Value: "k"}},
		{"token", map[string]string{"ANTHROPIC_AUTH_TOKEN": "t", "ANTHROPIC_API_KEY": "k"}, Credential{Kind: AuthToken, Value: "t"}},
		{"bedrock", map[string]string{"CLAUDE_CODE_USE_BEDROCK": "1", "ANTHROPIC_API_KEY": "k"}, Credential{Kind: Bedrock}},
		{"vertex", map[string]string{"CLAUDE_CODE_USE_VERTEX": "true"}, Credential{Kind: Vertex}},
		{"foundry", map[string]string{"CLAUDE_CODE_USE_FOUNDRY": "yes"}, Credential{Kind: Foundry}},
		{"bedrock off", map[string]string{"CLAUDE_CODE_USE_BEDROCK": "0", "ANTHROPIC_API_KEY": "k"}, Credential{Kind: APIKey, Value: "k"}},
	} {
		t.Run(row.name, func(t *testing.T) {
			envFile := clean(t)
			for name, text := range row.set {
				t.Setenv(name, text)
			}
			if _, env := load(t, envFile); env.Credential() != row.want {
				t.Errorf("Credential() = %+v; want %+v", env.Credential(), row.want)
			}
		})
	}
}

func TestLookup(t *testing.T) {
	environ := []string{"A=1", "AB=2", "A=3=4", "C="}
	for name, want := range map[string]string{"A": "3=4", "AB": "2", "C": "", "D": ""} {
		if got := Lookup(environ, name); got != want {
			t.Errorf("Lookup(%s) = %q; want %q", name, got, want)
		}
	}
}

package config

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/schedule"
)

// clean unsets all environment variables that Load reads, and returns an empty environment file, so that the machine's settings are not
// read.
func clean(t *testing.T) (envFile string) {
	t.Helper()
	names := []string{"CLAUDE_CONFIG_DIR", "CLAUDE_CODE_USE_BEDROCK", "CLAUDE_CODE_USE_VERTEX", "CLAUDE_CODE_USE_FOUNDRY"}
	for _, d := range append(definitions(), credentials()...) {
		names = append(names, d.name, d.name+"_FILE")
	}
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, Prefix) {
			names = append(names, name)
		}
	}
	for _, name := range names {
		t.Setenv(name, "") // so that the test's end restores it
		if err := os.Unsetenv(name); err != nil {
			t.Fatal(err)
		}
	}
	return write(t, "env", "")
}

func write(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

func load(t *testing.T, envFile string) (Config, *Environment) {
	t.Helper()
	c, env, err := Load(envFile)
	if err != nil {
		t.Fatal(err)
	}
	return c, env
}

// faults loads an invalid configuration and returns the lines of the error.
func faults(t *testing.T, envFile string) []string {
	t.Helper()
	c, env, err := Load(envFile)
	invalid, ok := err.(*InvalidError) //nolint:errorlint // Load promises this very type.
	if !ok || env == nil {
		t.Fatalf("Load = %v, %v; want an *InvalidError and an Environment", env, err)
	}
	if diff := cmp.Diff(Config{}, c); diff != "" {
		t.Errorf("Load returned a Config with its error:\n%s", diff)
	}
	return invalid.Lines
}

// expressions parses a Schedule.
func expressions(texts ...string) (s Schedule) {
	for _, text := range texts {
		e, err := schedule.Parse(text)
		if err != nil {
			panic(err)
		}
		s = append(s, e)
	}
	return s
}

func TestDefaults(t *testing.T) {
	c, _ := load(t, clean(t))
	want := Config{
		StateDir: "/state", ResultsDir: "/results", ReposDir: "/repos", ClaudeBin: "claude", Tier1Agent: Auto,
		Tier1Model: "haiku", Tier2Model: "sonnet", Tier3Model: "opus",
		Tier1Timeout: 10 * time.Minute, Tier2Timeout: 20 * time.Minute, Tier3Timeout: 40 * time.Minute,
		MaxTier: 3, MaxRemediationsPerDay: 12, MaxServicesPerHour: 3, Approval: ApproveNone, ApprovalExpires: 24 * time.Hour, ApprovalLink: LinkLogin,
		Schedule: expressions("0 * * * *"), NotifyTimeout: 30 * time.Second,
		Retention: 720 * time.Hour, LogMax: 1 << 30, DashboardAddr: "127.0.0.1:8080", LogFormat: Text,
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("defaults (-want +got):\n%s", diff)
	}
}

// The table in the design document and the README, which is checked in, must be that of the struct's tags.
func TestTableIsTheDocumentedOne(t *testing.T) {
	text, err := os.ReadFile("testdata/variables.txt")
	if err != nil {
		t.Fatal(err)
	}
	var documented []string
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			documented = append(documented, line)
		}
	}
	var got []string
	for _, d := range definitions() {
		row := strings.TrimPrefix(d.name, Prefix) + " | " + d.def
		if d.secret != public {
			row += " | secret"
		}
		got = append(got, strings.TrimSpace(row))
		if d.meaning == "" || len(d.meaning) > 54 { // a line of claudeops env at its defaults
			t.Errorf("%s: its meaning has %d letters; claudeops env has room for 1 to 54", d.name, len(d.meaning))
		}
	}
	slices.Sort(documented)
	slices.Sort(got)
	if diff := cmp.Diff(documented, got); diff != "" {
		t.Errorf("testdata/variables.txt (-) and the tags of Config (+) differ:\n%s", diff)
	}
}

func TestEveryVariableIsRead(t *testing.T) {
	envFile := clean(t)
	values := map[string]string{
		"STATE_DIR": "/s", "RESULTS_DIR": "/r", "REPOS_DIR": "/p", "INVENTORY": "/i", "PROMPTS_DIR": "/pr", "POLICY": "/po",
		"CLAUDE_BIN": "/usr/bin/claude", "AGENT_ENV": "DOCKER_HOST, PGPASSFILE", "TIER1_AGENT": "probe",
		"TIER1_MODEL": "a", "TIER2_MODEL": "b", "TIER3_MODEL": "c",
		"TIER1_TIMEOUT": "1m", "TIER2_TIMEOUT": "2m", "TIER3_TIMEOUT": "1h30m",
		"TIER1_BUDGET_USD": "0.1", "TIER2_BUDGET_USD": "2", "TIER3_BUDGET_USD": "3.50",
		"TIER1_MAX_TURNS": "1", "TIER2_MAX_TURNS": "2", "TIER3_MAX_TURNS": "3",
		"DAILY_BUDGET_USD": "25", "MAX_TIER": "2", "MAX_REMEDIATIONS_PER_DAY": "0", "MAX_SERVICES_PER_HOUR": "0", "DRY_RUN": "true",
		"APPROVAL": "tier3", "APPROVAL_EXPIRES": "30m", "APPROVAL_LINK": "bearer",
		"SCHEDULE": "*/5 * * * *; CRON_TZ=Europe/Berlin 0 3 * * *", "APPRISE_URLS": "json://h/a, phone=ntfy://t",
		"APPRISE_API_URL": "http://u:secret-password@h:8000", "APPRISE_TAGS": "ops",
		"NOTIFY_TIMEOUT": "5s", "HEARTBEAT_URL": "https://hc-ping.com/uuid", "METRICS_FILE": "/m.prom", "PUSHGATEWAY_URL": "http://g:9091",
		"RETENTION": "24h", "LOG_MAX": "500MB", "SHARD": "2/4",
		"DASHBOARD_ADDR": ":8080", "DASHBOARD_URL": "https://ops.example.org/claudeops", "DASHBOARD_TOKEN": "dashboard-token", "ALERT_TOKEN": "alert-token",
		"LOG_FORMAT": "json", "LOG_LEVEL": "debug",
		"TIER": "2", "SESSION_ID": "7", "RUN_TOKEN": "run-token", "SECRET_FILES": "/srv/a\\,b/**, **/*.bak\n/e",
	}
	for name, text := range values {
		t.Setenv(Prefix+name, text)
	}
	c, env := load(t, envFile)
	want := Config{
		StateDir: "/s", ResultsDir: "/r", ReposDir: "/p", Inventory: "/i", PromptsDir: "/pr", Policy: "/po",
		ClaudeBin: "/usr/bin/claude", AgentEnv: Names{"DOCKER_HOST", "PGPASSFILE"}, SecretFiles: Patterns{`/srv/a\,b/**`, "**/*.bak", "/e"}, Tier1Agent: Probe,
		Tier1Model: "a", Tier2Model: "b", Tier3Model: "c",
		Tier1Timeout: time.Minute, Tier2Timeout: 2 * time.Minute, Tier3Timeout: 90 * time.Minute,
		Tier1BudgetUSD: 0.1, Tier2BudgetUSD: 2, Tier3BudgetUSD: 3.5, Tier1MaxTurns: 1, Tier2MaxTurns: 2, Tier3MaxTurns: 3,
		DailyBudgetUSD: 25, MaxTier: 2, DryRun: true, Approval: ApproveTier3, ApprovalExpires: 30 * time.Minute, ApprovalLink: LinkBearer,
		Schedule: expressions("*/5 * * * *", "CRON_TZ=Europe/Berlin 0 3 * * *"), AppriseURLs: URLs{"json://h/a", "phone=ntfy://t"},
		AppriseAPIURL: "http://u:secret-password@h:8000", AppriseTags: "ops", NotifyTimeout: 5 * time.Second,
		HeartbeatURL: "https://hc-ping.com/uuid", MetricsFile: "/m.prom", PushgatewayURL: "http://g:9091",
		Retention: 24 * time.Hour, LogMax: 500_000_000, Shard: Shard{2, 4},
		DashboardAddr: ":8080", DashboardURL: "https://ops.example.org/claudeops", DashboardToken: "dashboard-token", AlertToken: "alert-token",
		LogFormat: JSON, LogLevel: -4,
		Agent: Agent{Tier: 2, SessionID: 7, RunToken: "run-token"},
	}
	if diff := cmp.Diff(want, c); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(env.Warnings) > 0 {
		t.Errorf("warnings: %q", env.Warnings)
	}
	values["APPRISE_KEY"] = "not together with APPRISE_URLS"
	if all := definitions(); len(all) != len(values) {
		t.Errorf("%d variables are known and %d are tried here", len(all), len(values))
	}
	for _, tier := range []int{1, 2, 3} {
		if got := c.Tier(tier); got.MaxTurns != tier || got.Model != string(rune('a'+tier-1)) {
			t.Errorf("Tier(%d) = %+v", tier, got)
		}
	}
	if got := c.Tier(4); got != (TierConfig{}) {
		t.Errorf("Tier(4) = %+v; want nothing", got)
	}
}

func TestBadValues(t *testing.T) {
	const (
		duration = `not a duration; write it like 20m or 1h30m`
		whole    = `not a whole number; write it like 12`
		number   = `not a number; write it like 2.50`
		path     = `not an absolute path; write it like `
		size     = `not a size; write it like 1GiB or 500MB`
		quotes   = "the quotes are part of the value (docker's -e and --env-file keep them); take them away"
		part     = `not a part of a whole; write it like 1/4 for the first of four, up to 4/4`
	)
	for _, row := range []struct{ name, text, want string }{
		{"STATE_DIR", "state", path + "/state"},
		{"RESULTS_DIR", "./results", path + "/results"},
		{"REPOS_DIR", "~/repos", path + "/repos"},
		{"INVENTORY", "inventory.yaml", path + "/etc/claudeops/inventory.yaml"},
		{"PROMPTS_DIR", "prompts", path + "/etc/claudeops/prompts"},
		{"POLICY", "policy.yaml", path + "/etc/claudeops/policy.yaml"},
		{"METRICS_FILE", "/var/lib/metrics.txt", "does not end in .prom, and node_exporter reads no other file; write it like /var/lib/node_exporter/claudeops.prom"},
		{"METRICS_FILE", "metrics.prom", path + "/var/lib/node_exporter/claudeops.prom"},
		{"CLAUDE_BIN", "bin/claude", "neither a name to look for in PATH nor an absolute path; write it like claude or /usr/local/bin/claude"},
		{"AGENT_ENV", "PGPASSFILE,CLAUDEOPS_DASHBOARD_TOKEN", "would show agents CLAUDEOPS_DASHBOARD_TOKEN, which this program alone needs; take it out"},
		{"SECRET_FILES", "/srv/a,b", `"b" is neither an absolute path nor a name in any folder; write it like /srv/backup/** or **/*.bak`},
		{"SECRET_FILES", "/srv/a[b", `"/srv/a[b" is no pattern (syntax error in pattern); write it like /srv/backup/** or **/*.bak`},
		{"AGENT_ENV", "DOCKER_HOST,FOO=bar", `"FOO=bar" is not a name of a variable; write names like DOCKER_HOST,PGPASSFILE`},
		{"TIER1_AGENT", "gpt", "none of claude, probe, auto"},
		{"TIER1_MODEL", "--help", "not a name of a model; write it like haiku, sonnet or opus"},
		{"TIER2_MODEL", "so nnet", "not a name of a model; write it like haiku, sonnet or opus"},
		{"TIER1_TIMEOUT", "20", duration},
		{"TIER2_TIMEOUT", "20 min", duration},
		{"TIER3_TIMEOUT", "0s", "not more than zero; write it like 20m or 1h30m"},
		{"TIER3_TIMEOUT", "-5m", "not more than zero; write it like 20m or 1h30m"},
		{"TIER1_BUDGET_USD", "$2", number},
		{"TIER2_BUDGET_USD", "NaN", number},
		{"TIER3_BUDGET_USD", "Inf", number},
		{"TIER3_BUDGET_USD", "0x1p4", number},
		{"TIER3_BUDGET_USD", "-1", "below zero; write 0 for no limit"},
		{"DAILY_BUDGET_USD", "2,50", number},
		{"DAILY_BUDGET_USD", "1.2.3", number},
		{"DAILY_BUDGET_USD", "-0.5", "below zero; write 0 for no limit"},
		{"TIER1_MAX_TURNS", "many", whole},
		{"TIER2_MAX_TURNS", "1.5", whole},
		{"TIER3_MAX_TURNS", "-1", "below zero; write 0 for no limit"},
		{"MAX_TIER", "0", "none of 1, 2, 3"},
		{"MAX_TIER", "4", "none of 1, 2, 3"},
		{"MAX_TIER", "2 # two", whole},
		{"MAX_REMEDIATIONS_PER_DAY", "010", whole},
		{"MAX_REMEDIATIONS_PER_DAY", "0x10", whole},
		{"MAX_REMEDIATIONS_PER_DAY", "1_000", whole},
		{"MAX_REMEDIATIONS_PER_DAY", "99999999999999999999", whole},
		{"MAX_REMEDIATIONS_PER_DAY", "-1", "below zero; write 0 for no limit"},
		{"DRY_RUN", "yes", "neither true nor false"},
		{"APPROVAL", "yes", "none of none, tier3, remediation"},
		{"APPROVAL_EXPIRES", "0s", "not more than zero; write it like 20m or 1h30m"},
		{"APPROVAL_LINK", "open", "none of login, bearer"},
		{"SCHEDULE", ";", "no cron expression; write it like 0 * * * *"},
		{"SCHEDULE", "* * * *", `"* * * *": 4 fields instead of five; must be minute, hour, day of month, month and day of week, like 0 * * * *`},
		{"SCHEDULE", "0 0 30 2 *", `"0 0 30 2 *": day of month "30" does not occur in month "2"; must be a date that exists`},
		{"SCHEDULE", "0 * * * *; CRON_TZ=UTC", `"CRON_TZ=UTC": a time zone without a schedule; write it like CRON_TZ=UTC 0 * * * *`},
		{"SCHEDULE", "TZ=", `"TZ=": TZ= names no time zone; write it like CRON_TZ=Europe/Berlin 0 * * * *`},
		{"APPRISE_API_URL", "apprise:8000", "not an http or https URL; write it like http://127.0.0.1:8000"},
		{"PUSHGATEWAY_URL", "http://", "not an http or https URL; write it like http://127.0.0.1:9091"},
		{"NOTIFY_TIMEOUT", "soon", duration},
		{"NOTIFY_TIMEOUT", "0", "not more than zero; write it like 20m or 1h30m"},
		{"RETENTION", "30d", duration},
		{"RETENTION", "0s", "not more than zero; write it like 20m or 1h30m"},
		{"LOG_MAX", "big", size},
		{"LOG_MAX", "1 XB", size},
		{"LOG_MAX", "1GiBB", size},
		{"LOG_MAX", "-1GB", size},
		{"LOG_MAX", "1e9", size},
		{"LOG_MAX", "0", "not a size; write it like 1GiB or 500MB"},
		{"LOG_MAX", "9999999999TiB", "not a size; write it like 1GiB or 500MB"},
		{"SHARD", "1", part},
		{"SHARD", "0/4", part},
		{"SHARD", "5/4", part},
		{"SHARD", "1/0", part},
		{"SHARD", "a/b", part},
		{"DASHBOARD_ADDR", "8080", "not an address to listen on; write it like 127.0.0.1:8080"},
		{"DASHBOARD_ADDR", "127.0.0.1:99999", "not an address to listen on; write it like 127.0.0.1:8080"},
		{"DASHBOARD_ADDR", "http://127.0.0.1:8080", "not an address to listen on; write it like 127.0.0.1:8080"},
		{"DASHBOARD_ADDR", "a b:8080", "not an address to listen on; write it like 127.0.0.1:8080"},
		{"DASHBOARD_URL", "ops.example.org", "not an http or https URL; write it like https://claudeops.example.org"},
		{"DASHBOARD_URL", "https://h/?a=b", "has a password, a query or a fragment in it, and messages show it to people; write it like https://claudeops.example.org"},
		{"LOG_FORMAT", "xml", "none of text, json"},
		{"LOG_LEVEL", "loud", "none of debug, info, warn, error"},
		{"TIER", "4", "none of 1, 2, 3; claudeops sets it for its agents, unset it"},
		{"INVENTORY", `"/etc/inventory.yaml"`, quotes},
		{"TIER2_TIMEOUT", `'20m'`, quotes},
		{"TIER3_MODEL", ` "opus" `, quotes},
		{"SCHEDULE", `"0 * * * *"`, quotes},
		{"SESSION_ID", "-1", "not a session; claudeops sets it for its agents, unset it"},
	} {
		t.Run(row.name+"="+row.text, func(t *testing.T) {
			envFile := clean(t)
			t.Setenv(Prefix+row.name, row.text)
			want := []string{Prefix + row.name + "=" + strconv.Quote(row.text) + ": " + row.want}
			if diff := cmp.Diff(want, faults(t, envFile)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if got := os.Getenv(Prefix + row.name); got != row.text {
				t.Errorf("Load left %q in the process's environment", got)
			}
		})
	}
}

func TestGoodValues(t *testing.T) {
	for _, row := range []struct{ name, text string }{
		{"DASHBOARD_ADDR", "localhost:0"}, {"DASHBOARD_ADDR", "[::1]:8080"}, {"DASHBOARD_ADDR", "127.1.2.3:80"},
		// Reachable from other machines without a token: only the dashboard rejects that.
		{"DASHBOARD_ADDR", ":8080"}, {"DASHBOARD_ADDR", "[::]:8080"}, {"DASHBOARD_ADDR", "ops.example.org:8080"},
		{"SCHEDULE", "@hourly"}, {"SCHEDULE", "@every 90s;"}, {"SCHEDULE", "0 0 29 2 *"},
		{"LOG_MAX", "1.5 GiB"}, {"LOG_MAX", "1024"}, {"LOG_MAX", "10MB"}, {"LOG_MAX", "7kib"}, {"MAX_TIER", " 2 "}, {"DRY_RUN", "1"},
		{"DRY_RUN", "  "}, {"TIER2_TIMEOUT", ""}, {"LOG_LEVEL", "WARN"}, {"RETENTION", "1h0m0.5s"},
	} {
		t.Run(row.name+"="+row.text, func(t *testing.T) {
			envFile := clean(t)
			t.Setenv(Prefix+row.name, row.text)
			load(t, envFile)
		})
	}
}

// A fault of a secret does not quote its value.
func TestBadSecretsAreNotQuoted(t *testing.T) {
	for name, text := range map[string]string{
		"APPRISE_URLS":    "json://h/secret-one secret-two",
		"HEARTBEAT_URL":   "ftp://secret-one",
		"APPRISE_API_URL": "ftp://user:secret-one@host",
		"PUSHGATEWAY_URL": "gopher://user:secret-one@host",
		"APPRISE_KEY":     "secret-one",
	} {
		t.Run(name, func(t *testing.T) {
			envFile := clean(t)
			t.Setenv(Prefix+name, text)
			lines := faults(t, envFile)
			if len(lines) != 1 || !strings.HasPrefix(lines[0], Prefix+name+"=") || strings.Contains(lines[0], "secret-") {
				t.Errorf("lines: %q", lines)
			}
		})
	}
}

// Of a secret the quotes are named, and not shown.
func TestQuotesAroundSecretsAreNamed(t *testing.T) {
	for name, text := range map[string]string{"HEARTBEAT_URL": "'https://h'", "APPRISE_URLS": `"json://h"`, "ALERT_TOKEN_FILE": `"/run/secrets/token"`} {
		t.Run(name, func(t *testing.T) {
			envFile := clean(t)
			t.Setenv(Prefix+name, text)
			if lines := faults(t, envFile); len(lines) != 1 || !strings.Contains(lines[0], "the quotes are part of the value") {
				t.Errorf("lines: %q", lines)
			}
		})
	}
}

// TZ is judged as CRON_TZ is, instead of being UTC without a word.
func TestTZNamesATimeZone(t *testing.T) {
	for text, fault := range map[string]string{
		"": "", "UTC": "", "Europe/Berlin": "", ":Europe/Berlin": "", "CET": "", "/no/zone": "no such file or directory",
		"CEST": "is not known here", "UTC+2": "is not known here", "CET-1CEST": "is not known here", " ": "is no name", "local": "differs from machine",
		`"Europe/Berlin"`: "the quotes are part of the value", "/dev/null": "malformed time zone",
	} {
		t.Run(text, func(t *testing.T) {
			envFile := clean(t)
			t.Setenv("TZ", text)
			if fault == "" {
				load(t, envFile)
				return
			}
			if lines := faults(t, envFile); len(lines) != 1 || !strings.HasPrefix(lines[0], "TZ="+strconv.Quote(text)+": ") || !strings.Contains(lines[0], fault) {
				t.Errorf("lines: %q", lines)
			}
		})
	}
}

func TestAllFaultsAtOnceInTheOrderOfTheTable(t *testing.T) {
	envFile := clean(t)
	bad := map[string]string{"LOG_LEVEL": "loud", "STATE_DIR": "state", "DRY_RUN": "yes", "TIER2_TIMEOUT": "20 min", "MAX_TIER": "9", "TIER": "x"}
	for name, text := range bad {
		t.Setenv(Prefix+name, text)
	}
	var names []string
	for _, line := range faults(t, envFile) {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, Prefix), "=")
		names = append(names, name)
	}
	want := []string{"STATE_DIR", "TIER2_TIMEOUT", "MAX_TIER", "DRY_RUN", "LOG_LEVEL", "TIER"}
	if diff := cmp.Diff(want, names); diff != "" || len(want) != len(bad) {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestURLsOfTargetsAreSeparated(t *testing.T) {
	for value, want := range map[string][]string{
		"json://h/a,phone=ntfy://t":              {"json://h/a", "phone=ntfy://t"},
		"json://h/a ntfy://t":                    {"json://h/a", "ntfy://t"},
		" json://h/a,\n\tntfy://t ,, ntfys://u,": {"json://h/a", "ntfy://t", "ntfys://u"},
		"mailtos://h?to=a@h,b@h,json://h":        {"mailtos://h?to=a@h,b@h", "json://h"},
		"json://h/a;b|c":                         {"json://h/a;b|c"},
		"json://h/a;ntfy://t":                    nil,
		"json://h/a|phone=ntfy://t":              nil,
		"json://h/a topic":                       nil,
	} {
		var urls URLs
		err := urls.Decode(value)
		if !slices.Equal(urls, want) || (err != nil) != (want == nil) {
			t.Errorf("%q: %q, %v; want %q", value, urls, err, want)
		}
	}
}

func TestNamesOfTargets(t *testing.T) {
	envFile := clean(t)
	for value, want := range map[string]string{
		"phone=json://h/a=b://secret-one,phone=ntfy://t": "two targets are called phone; give each a name of its own",
		"phone=ntfy://t,tablet=ntfy://t":                 "one URL is there as phone and as tablet; keep one of them",
		"json://h/a;ntfy://t":                            "number 1 has another URL behind a `;`; separate them by commas or blanks",
		"ntfy://t,json://h/x,phone=ntfy://t":             "one URL is there without a name and as phone; keep one of them",
	} {
		t.Setenv("CLAUDEOPS_APPRISE_URLS", value)
		if lines := faults(t, envFile); len(lines) != 1 || !strings.HasSuffix(lines[0], ": "+want) {
			t.Errorf("%s: lines: %q", value, lines)
		}
	}
	for entry, want := range map[string][2]string{
		"phone=ntfy://t":       {"phone", "ntfy://t"},
		"on-call_2=json://h/x": {"on-call_2", "json://h/x"},
		"json://h/?a=b://c":    {"", "json://h/?a=b://c"},
		"2=ntfy://t":           {"", "2=ntfy://t"},
	} {
		if name, url := CutTargetName(entry); name != want[0] || url != want[1] {
			t.Errorf("%s is %q, %q", entry, name, url)
		}
	}
}

func TestAppriseKeyStandsInsteadOfURLs(t *testing.T) {
	envFile := clean(t)
	t.Setenv("CLAUDEOPS_APPRISE_API_URL", "http://127.0.0.1:8000")
	if lines := faults(t, envFile); len(lines) != 1 || !strings.Contains(lines[0], "nothing says whom that server is to tell") {
		t.Errorf("lines: %q", lines)
	}
	t.Setenv("CLAUDEOPS_APPRISE_KEY", "ops")
	load(t, envFile)
	t.Setenv("CLAUDEOPS_APPRISE_KEY", "http://127.0.0.1:8000/notify/ops")
	if lines := faults(t, envFile); len(lines) != 1 || !strings.Contains(lines[0], "not a key of an Apprise API server") {
		t.Errorf("lines: %q", lines)
	}
	t.Setenv("CLAUDEOPS_APPRISE_KEY", "ops")
	t.Setenv("CLAUDEOPS_APPRISE_URLS", "json://h")
	if lines := faults(t, envFile); len(lines) != 1 || !strings.Contains(lines[0], "both are set; keep one") {
		t.Errorf("lines: %q", lines)
	}
}

func TestUnknownVariablesAreWarnedOf(t *testing.T) {
	envFile := clean(t)
	t.Setenv("CLAUDEOPS_TIER2_TIMOUT", "20m")
	t.Setenv("CLAUDEOPS_POLICY_FILE", "/x")
	t.Setenv("CLAUDEOPS_WEATHER", "fine")
	t.Setenv("CLAUDEOPS_SERVICE_HOST", "10.0.0.1")
	t.Setenv("CLAUDEOPS_PORT_8080_TCP_ADDR", "10.0.0.1")
	t.Setenv("CLAUDEOPS_PORT", "tcp://10.0.0.1:8080")
	_, env := load(t, envFile)
	want := []string{
		"CLAUDEOPS_POLICY_FILE (environment) is no variable of claudeops and has no effect; claudeops env lists those that have one",
		"CLAUDEOPS_TIER2_TIMOUT (environment) is no variable of claudeops and has no effect; did you mean CLAUDEOPS_TIER2_TIMEOUT?",
		"CLAUDEOPS_WEATHER (environment) is no variable of claudeops and has no effect; claudeops env lists those that have one",
	}
	if diff := cmp.Diff(want, env.Warnings); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestShardIsWrittenAsItIsRead(t *testing.T) {
	for _, text := range []string{"1/1", "3/7"} {
		var s Shard
		if err := s.Decode(text); err != nil || s.String() != text {
			t.Errorf("%s became %q, %v", text, s.String(), err)
		}
	}
	if got := (Shard{}).String(); got != "" {
		t.Errorf("the zero Shard is %q", got)
	}
}

// Variables without the prefix belong to other programs.
func TestUnprefixedVariablesAreNotRead(t *testing.T) {
	envFile := clean(t)
	t.Setenv("TIER", "3")
	t.Setenv("POLICY", "/theirs")
	t.Setenv("STATE_DIR", "/theirs")
	if c, _ := load(t, envFile); c.Agent.Tier != 0 || c.Policy != "" || c.StateDir != "/state" {
		t.Errorf("read TIER, POLICY or STATE_DIR: %+v", c)
	}
}

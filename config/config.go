// Package config reads the operator's settings: the CLAUDEOPS_ variables, with the source of each value, and the secrets among them.
//
// Load reads the process's environment and an environment file, over which the former takes precedence. A secret may also be in a file of
// its own, named by NAME_FILE. All faults are reported at once, one line per value. The package does not access the state directory.
package config

import "time"

// EnvFile is the environment file that every command reads if it exists.
const EnvFile = "/etc/claudeops/env"

// Prefix starts the name of every variable of claudeops.
const Prefix = "CLAUDEOPS_"

// Config is the effective configuration, complete and valid. `claudeops env` prints the tags as a table. A variable tagged
// `secret:"true"` is masked wherever it is shown; of one tagged `secret:"url"` only a password in the URL is masked. Both may be given as
// NAME_FILE.
//
// The tags hold full names because envconfig, given a prefix, would also read an unprefixed TIER or POLICY.
type Config struct {
	StateDir   string `envconfig:"CLAUDEOPS_STATE_DIR" default:"/state" desc:"cooldown.json, handoff.json, claudeops.db, locks"`
	ResultsDir string `envconfig:"CLAUDEOPS_RESULTS_DIR" default:"/results" desc:"raw logs of the sessions: session-<id>.ndjson"`
	ReposDir   string `envconfig:"CLAUDEOPS_REPOS_DIR" default:"/repos" desc:"infrastructure repositories the agent may read"`
	Inventory  string `envconfig:"CLAUDEOPS_INVENTORY" desc:"path of the services file for the probes"`
	PromptsDir string `envconfig:"CLAUDEOPS_PROMPTS_DIR" desc:"overrides embedded prompts, file by file"`
	Policy     string `envconfig:"CLAUDEOPS_POLICY" desc:"path of additions to what agents may look with"`
	ClaudeBin  string `envconfig:"CLAUDEOPS_CLAUDE_BIN" default:"claude" desc:"the agent program"`
	AgentEnv   Names  `envconfig:"CLAUDEOPS_AGENT_ENV" desc:"further variables that the agent may have, by name"`
	// SecretFiles are the operator's patterns; Environment.SecretFiles also has the files with claudeops' secrets.
	SecretFiles Patterns `envconfig:"CLAUDEOPS_SECRET_FILES" desc:"further files that no agent may read, as patterns"`

	Tier1Agent Agency `envconfig:"CLAUDEOPS_TIER1_AGENT" default:"auto" desc:"claude, probe, or auto: probe without claude or key"`
	Tier1Model string `envconfig:"CLAUDEOPS_TIER1_MODEL" default:"haiku" desc:"model that observes"`
	Tier2Model string `envconfig:"CLAUDEOPS_TIER2_MODEL" default:"sonnet" desc:"model that investigates"`
	Tier3Model string `envconfig:"CLAUDEOPS_TIER3_MODEL" default:"opus" desc:"model that remediates"`

	Tier1Timeout time.Duration `envconfig:"CLAUDEOPS_TIER1_TIMEOUT" default:"10m" desc:"wall time of Tier 1"`
	Tier2Timeout time.Duration `envconfig:"CLAUDEOPS_TIER2_TIMEOUT" default:"20m" desc:"wall time of Tier 2"`
	Tier3Timeout time.Duration `envconfig:"CLAUDEOPS_TIER3_TIMEOUT" default:"40m" desc:"wall time of Tier 3"`

	Tier1BudgetUSD float64 `envconfig:"CLAUDEOPS_TIER1_BUDGET_USD" default:"0" desc:"most that one Tier 1 may cost; 0 is no limit"`
	Tier2BudgetUSD float64 `envconfig:"CLAUDEOPS_TIER2_BUDGET_USD" default:"0" desc:"most that one Tier 2 may cost; 0 is no limit"`
	Tier3BudgetUSD float64 `envconfig:"CLAUDEOPS_TIER3_BUDGET_USD" default:"0" desc:"most that one Tier 3 may cost; 0 is no limit"`

	Tier1MaxTurns int `envconfig:"CLAUDEOPS_TIER1_MAX_TURNS" default:"0" desc:"most turns of a Tier 1; 0 is no limit"`
	Tier2MaxTurns int `envconfig:"CLAUDEOPS_TIER2_MAX_TURNS" default:"0" desc:"most turns of a Tier 2; 0 is no limit"`
	Tier3MaxTurns int `envconfig:"CLAUDEOPS_TIER3_MAX_TURNS" default:"0" desc:"most turns of a Tier 3; 0 is no limit"`

	// DailyBudgetUSD prevents models from starting once the last 24 h have cost this much; 0 means no limit.
	DailyBudgetUSD float64 `envconfig:"CLAUDEOPS_DAILY_BUDGET_USD" default:"0" desc:"no model starts once 24 h cost this; 0 is no limit"`
	MaxTier        int     `envconfig:"CLAUDEOPS_MAX_TIER" default:"3" desc:"highest tier that is started, 1 to 3"`
	// MaxRemediationsPerDay is per service over 24 h, and a recovery does not reset it; 0 means no limit.
	MaxRemediationsPerDay int `envconfig:"CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY" default:"12" desc:"for one service, over 24 h; 0 is no limit"`
	// MaxServicesPerHour is how many services may be remediated within an hour, or be down at once, before a human is asked instead; 0 means
	// no limit.
	MaxServicesPerHour int  `envconfig:"CLAUDEOPS_MAX_SERVICES_PER_HOUR" default:"3" desc:"services remediated within an hour; 0 is no limit"`
	DryRun             bool `envconfig:"CLAUDEOPS_DRY_RUN" default:"false" desc:"observe only: no escalation, no remediation"`

	Approval        Approval      `envconfig:"CLAUDEOPS_APPROVAL" default:"none" desc:"none, tier3, remediation: what people must permit"`
	ApprovalExpires time.Duration `envconfig:"CLAUDEOPS_APPROVAL_EXPIRES" default:"24h" desc:"how long a proposal waits for a person"`
	ApprovalLink    ApprovalLink  `envconfig:"CLAUDEOPS_APPROVAL_LINK" default:"login" desc:"login, or bearer: whoever has the link decides"`

	Schedule Schedule `envconfig:"CLAUDEOPS_SCHEDULE" default:"0 * * * *" desc:"cron expressions for claudeops cron, separated by ;"`

	AppriseURLs   URLs          `envconfig:"CLAUDEOPS_APPRISE_URLS" secret:"true" desc:"Apprise URLs, separated by commas, as URL or NAME=URL"`
	AppriseAPIURL string        `envconfig:"CLAUDEOPS_APPRISE_API_URL" secret:"url" desc:"an Apprise API server; else the apprise program"`
	AppriseKey    string        `envconfig:"CLAUDEOPS_APPRISE_KEY" secret:"true" desc:"configuration stored there, instead of URLs"`
	AppriseTags   string        `envconfig:"CLAUDEOPS_APPRISE_TAGS" desc:"tags of that configuration"`
	NotifyTimeout time.Duration `envconfig:"CLAUDEOPS_NOTIFY_TIMEOUT" default:"30s" desc:"longest that notifying may hold a cycle"`

	HeartbeatURL   string `envconfig:"CLAUDEOPS_HEARTBEAT_URL" secret:"true" desc:"healthchecks.io-style ping: /start, bare, /fail"`
	MetricsFile    string `envconfig:"CLAUDEOPS_METRICS_FILE" desc:"Prometheus textfile *.prom, written after each cycle"`
	PushgatewayURL string `envconfig:"CLAUDEOPS_PUSHGATEWAY_URL" secret:"url" desc:"Prometheus Pushgateway that gets the same"`

	Retention time.Duration `envconfig:"CLAUDEOPS_RETENTION" default:"720h" desc:"sessions, logs, notifications are kept so long"`
	LogMax    Size          `envconfig:"CLAUDEOPS_LOG_MAX" default:"1GiB" desc:"raw logs together; the oldest go first"`
	Shard     Shard         `envconfig:"CLAUDEOPS_SHARD" desc:"i/n: this instance's part of the inventory"`

	DashboardAddr  string `envconfig:"CLAUDEOPS_DASHBOARD_ADDR" default:"127.0.0.1:8080" desc:"where the dashboard listens"`
	DashboardURL   string `envconfig:"CLAUDEOPS_DASHBOARD_URL" desc:"where people reach the dashboard: messages link to it"`
	DashboardToken string `envconfig:"CLAUDEOPS_DASHBOARD_TOKEN" secret:"true" desc:"needed to listen on anything but loopback"`
	AlertToken     string `envconfig:"CLAUDEOPS_ALERT_TOKEN" secret:"true" desc:"senders of alerts show it; without it none are taken"`

	LogFormat LogFormat `envconfig:"CLAUDEOPS_LOG_FORMAT" default:"text" desc:"text or json; to standard error"`
	LogLevel  LogLevel  `envconfig:"CLAUDEOPS_LOG_LEVEL" default:"info" desc:"debug, info, warn or error"`

	Agent Agent `ignored:"true"`
	// Services are those that a cycle is about which a person asked for (run-once --service), and those they depend on; nil for all.
	Services []string `ignored:"true"`
}

// RunTokenVariable names the variable that every process of a session has, so that these processes can be found after its cycle was
// killed.
const RunTokenVariable = "CLAUDEOPS_RUN_TOKEN"

// Agent identifies the agent for which a command runs. claudeops sets it for the commands that an agent calls; an operator never does.
// The zero value means that no agent called the command.
type Agent struct {
	Tier      int    `envconfig:"CLAUDEOPS_TIER" desc:"set for an agent by claudeops: its tier"`
	SessionID int64  `envconfig:"CLAUDEOPS_SESSION_ID" desc:"set for an agent by claudeops: its session"`
	RunToken  string `envconfig:"CLAUDEOPS_RUN_TOKEN" secret:"true" desc:"set for an agent by claudeops: marks its processes"`
	// Folder is the session's state directory, with its handoff.json, for a command that the cycle runs.
	Folder string `ignored:"true"`
}

// TierConfig holds the operator's settings for one tier. A zero BudgetUSD or MaxTurns means no limit.
type TierConfig struct {
	Model     string
	Timeout   time.Duration
	BudgetUSD float64
	MaxTurns  int
}

// Tier returns the settings of tier 1, 2 or 3; the zero value for any other.
func (c Config) Tier(tier int) TierConfig {
	switch tier {
	case 1:
		return TierConfig{c.Tier1Model, c.Tier1Timeout, c.Tier1BudgetUSD, c.Tier1MaxTurns}
	case 2:
		return TierConfig{c.Tier2Model, c.Tier2Timeout, c.Tier2BudgetUSD, c.Tier2MaxTurns}
	case 3:
		return TierConfig{c.Tier3Model, c.Tier3Timeout, c.Tier3BudgetUSD, c.Tier3MaxTurns}
	}
	return TierConfig{}
}

// Notifies reports whether notifications have a target: an Apprise URL, or a configuration stored on an Apprise API server.
func (c Config) Notifies() bool {
	return len(c.AppriseURLs) > 0 || c.AppriseAPIURL != "" && c.AppriseKey != ""
}

package config

import (
	"fmt"
	"net"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/netname"
)

// crossFaults returns the faults of well-formed values, by variable.
func crossFaults(c Config) map[string]string {
	faults := map[string]string{}
	add := func(name, fault string) {
		if fault != "" && faults[Prefix+name] == "" {
			faults[Prefix+name] = fault
		}
	}
	checkPaths(c, add)
	checkTiers(c, add)
	checkNotifications(c, add)
	add("DASHBOARD_ADDR", ListenFault(c.DashboardAddr))
	add("DASHBOARD_URL", pageURL(c.DashboardURL))
	const note = "; claudeops sets it for its agents, unset it"
	if c.Agent.Tier < 0 || c.Agent.Tier > 3 {
		add("TIER", "none of 1, 2, 3"+note)
	}
	if c.Agent.SessionID < 0 {
		add("SESSION_ID", "not a session"+note)
	}
	if c.Shard.Count > 0 && c.Inventory == "" {
		add("SHARD", "a part of an inventory, and none is named; set CLAUDEOPS_INVENTORY too, or unset it")
	}
	for _, d := range definitions() {
		if d.secret != public && slices.Contains(c.AgentEnv, d.name) {
			add("AGENT_ENV", "would show agents "+d.name+", which this program alone needs; take it out")
		}
	}
	add("DAILY_BUDGET_USD", notNegative(c.DailyBudgetUSD))
	add("MAX_REMEDIATIONS_PER_DAY", notNegative(c.MaxRemediationsPerDay))
	add("MAX_SERVICES_PER_HOUR", notNegative(c.MaxServicesPerHour))
	add("RETENTION", positive(c.Retention))
	add("APPROVAL_EXPIRES", positive(c.ApprovalExpires))
	add("APPROVAL_LINK", linkFault(c))
	return faults
}

// checkPaths requires absolute paths, because cron, systemd and a shell each start in a different directory.
func checkPaths(c Config, add func(name, fault string)) {
	for _, p := range []struct{ name, path, example string }{
		{"STATE_DIR", c.StateDir, "/state"},
		{"RESULTS_DIR", c.ResultsDir, "/results"},
		{"REPOS_DIR", c.ReposDir, "/repos"},
		{"INVENTORY", c.Inventory, "/etc/claudeops/inventory.yaml"},
		{"PROMPTS_DIR", c.PromptsDir, "/etc/claudeops/prompts"},
		{"POLICY", c.Policy, "/etc/claudeops/policy.yaml"},
		{"METRICS_FILE", c.MetricsFile, "/var/lib/node_exporter/claudeops.prom"},
	} {
		if p.path != "" && !filepath.IsAbs(p.path) {
			add(p.name, "not an absolute path; write it like "+p.example)
		}
	}
	if strings.ContainsRune(c.ClaudeBin, '/') && !filepath.IsAbs(c.ClaudeBin) {
		add("CLAUDE_BIN", "neither a name to look for in PATH nor an absolute path; write it like claude or /usr/local/bin/claude")
	}
}

func checkTiers(c Config, add func(name, fault string)) {
	for n := 1; n <= 3; n++ {
		tier, name := c.Tier(n), fmt.Sprintf("TIER%d_", n)
		if strings.HasPrefix(tier.Model, "-") || strings.ContainsAny(tier.Model, " \t\n") {
			add(name+"MODEL", "not a name of a model; write it like haiku, sonnet or opus")
		}
		add(name+"TIMEOUT", positive(tier.Timeout))
		add(name+"BUDGET_USD", notNegative(tier.BudgetUSD))
		add(name+"MAX_TURNS", notNegative(tier.MaxTurns))
	}
	if c.MaxTier < 1 || c.MaxTier > 3 {
		add("MAX_TIER", "none of 1, 2, 3")
	}
}

func checkNotifications(c Config, add func(name, fault string)) {
	add("APPRISE_API_URL", webURL(c.AppriseAPIURL, "http://127.0.0.1:8000"))
	add("HEARTBEAT_URL", webURL(c.HeartbeatURL, "https://hc-ping.com/your-uuid"))
	add("PUSHGATEWAY_URL", webURL(c.PushgatewayURL, "http://127.0.0.1:9091"))
	add("NOTIFY_TIMEOUT", positive(c.NotifyTimeout))
	if c.MetricsFile != "" && filepath.Ext(c.MetricsFile) != ".prom" {
		add("METRICS_FILE", "does not end in .prom, and node_exporter reads no other file; write it like /var/lib/node_exporter/claudeops.prom")
	}
	switch {
	case c.AppriseKey != "" && c.AppriseAPIURL == "":
		add("APPRISE_KEY", "names a configuration on an Apprise API server, and none is set; set CLAUDEOPS_APPRISE_API_URL too")
	case c.AppriseKey != "" && len(c.AppriseURLs) > 0:
		add("APPRISE_KEY", "replaces CLAUDEOPS_APPRISE_URLS, but both are set; keep one")
	case c.AppriseAPIURL != "" && c.AppriseKey == "" && len(c.AppriseURLs) == 0:
		add("APPRISE_API_URL", "nothing says whom that server is to tell; set CLAUDEOPS_APPRISE_KEY or CLAUDEOPS_APPRISE_URLS too")
	case strings.ContainsAny(c.AppriseKey, "/?# \t\n"):
		add("APPRISE_KEY", "not a key of an Apprise API server; write it like claudeops, the last part of its /notify/ address")
	}
}

// ListenFault says what is wrong with an address to listen on, and how to write it; empty if nothing is. It does not check whether a
// token is required: a dashboard that cannot be served must not prevent cycles.
func ListenFault(addr string) string {
	host, port, err := net.SplitHostPort(addr)
	_, portErr := strconv.ParseUint(port, 10, 16)
	if err != nil || portErr != nil || strings.ContainsFunc(host, func(r rune) bool { return r <= ' ' || r == '/' || r == '@' }) {
		return "not an address to listen on; write it like 127.0.0.1:8080"
	}
	return ""
}

func webURL(text, example string) string {
	u, err := url.Parse(text)
	if text == "" || err == nil && u.Host != "" && (u.Scheme == "http" || u.Scheme == "https") {
		return ""
	}
	return "not an http or https URL; write it like " + example
}

// pageURL checks the URL of the dashboard. Messages show it to people, and pages are below it.
func pageURL(text string) string {
	const example = "https://claudeops.example.org"
	if fault := webURL(text, example); fault != "" {
		return fault
	}
	if u, err := url.Parse(text); err == nil && (u.User != nil || u.RawQuery != "" || u.Fragment != "") {
		return "has a password, a query or a fragment in it, and messages show it to people; write it like " + example
	}
	return ""
}

// linkFault says why links cannot let decide whoever has them; empty if they can, or need not.
func linkFault(c Config) string {
	u, err := url.Parse(c.DashboardURL)
	if c.ApprovalLink != LinkBearer || err != nil {
		return ""
	}
	if u.Scheme == "https" || netname.Loopback(u.Hostname()) {
		return ""
	}
	return "such a link is a password, and CLAUDEOPS_DASHBOARD_URL is not one of https or loopback; set that, or write login"
}

func positive(d time.Duration) string {
	if d <= 0 {
		return "not more than zero; write it like 20m or 1h30m"
	}
	return ""
}

func notNegative[N int | float64](n N) string {
	if n < 0 {
		return "below zero; write 0 for no limit"
	}
	return ""
}

package drill

import (
	"bytes"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/claudeops/claudeops/config"
)

// modelSettings are the variables of claudeops that say which model is asked, and how. No other setting of the user reaches a drill.
var modelSettings = []string{
	"CLAUDEOPS_CLAUDE_BIN", "CLAUDEOPS_TIER1_AGENT", "CLAUDEOPS_SANDBOX", "CLAUDEOPS_AGENT_ENV", "CLAUDEOPS_PROMPTS_DIR",
	"CLAUDEOPS_TIER1_MODEL", "CLAUDEOPS_TIER2_MODEL", "CLAUDEOPS_TIER3_MODEL",
	"CLAUDEOPS_TIER1_TIMEOUT", "CLAUDEOPS_TIER2_TIMEOUT", "CLAUDEOPS_TIER3_TIMEOUT",
	"CLAUDEOPS_TIER1_BUDGET_USD", "CLAUDEOPS_TIER2_BUDGET_USD", "CLAUDEOPS_TIER3_BUDGET_USD",
	"CLAUDEOPS_TIER1_MAX_TURNS", "CLAUDEOPS_TIER2_MAX_TURNS", "CLAUDEOPS_TIER3_MAX_TURNS",
}

// cycleEnviron is the environment of cycles: the user's model, the homelab's everything else.
func (lab *Lab) cycleEnviron() []string {
	var own []string
	named := strings.FieldsFunc(config.Lookup(lab.environ, "CLAUDEOPS_AGENT_ENV"), func(r rune) bool { return r == ',' || r == ' ' })
	for _, entry := range lab.environ {
		name, _, _ := strings.Cut(entry, "=")
		if !strings.HasPrefix(name, config.Prefix) || slices.Contains(modelSettings, name) || slices.Contains(named, name) {
			own = append(own, entry)
		}
	}
	if config.Lookup(lab.environ, "CLAUDEOPS_MAX_TIER") == "1" { // no agent is wanted, but first aid is to be measured
		own = append(own, "CLAUDEOPS_CLAUDE_BIN="+lab.Path("no-agent"), "CLAUDEOPS_TIER1_AGENT=probe")
	}
	return append(own,
		"PATH="+lab.Path("bin")+":"+config.Lookup(lab.environ, "PATH"),
		"CLAUDEOPS_STATE_DIR="+lab.current+"/state", "CLAUDEOPS_RESULTS_DIR="+lab.current+"/results",
		"CLAUDEOPS_REPOS_DIR="+lab.Path("srv"), "CLAUDEOPS_INVENTORY="+lab.Path("services.yaml"), "CLAUDEOPS_POLICY="+lab.Path("policy.yaml"))
}

// runBound runs a program that is told to end, by SIGTERM, where this process dies.
func runBound(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}

// tailBuffer keeps the end of what is written to it.
type tailBuffer struct{ text []byte }

const mostSaid = 4 << 10

func (b *tailBuffer) Write(p []byte) (int, error) {
	b.text = append(b.text, p...)
	b.text = bytes.Clone(b.text[max(0, len(b.text)-mostSaid):])
	return len(p), nil
}

func (b *tailBuffer) String() string { return string(b.text) }

package main

import (
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"syscall"

	"github.com/claudeops/claudeops/config"
)

// modelSettings are the variables of claudeops that say which model is asked, and how, and what it may not read. Of the user's other
// settings only CLAUDEOPS_SECRET_FILES and what a day may cost reach a drill.
var modelSettings = []string{
	"CLAUDEOPS_CLAUDE_BIN", "CLAUDEOPS_TIER1_AGENT", "CLAUDEOPS_PROMPTS_DIR",
	"CLAUDEOPS_MAX_TIER", "CLAUDEOPS_TIER1_MODEL", "CLAUDEOPS_TIER2_MODEL", "CLAUDEOPS_TIER3_MODEL",
	"CLAUDEOPS_TIER1_TIMEOUT", "CLAUDEOPS_TIER2_TIMEOUT", "CLAUDEOPS_TIER3_TIMEOUT",
	"CLAUDEOPS_TIER1_BUDGET_USD", "CLAUDEOPS_TIER2_BUDGET_USD", "CLAUDEOPS_TIER3_BUDGET_USD",
	"CLAUDEOPS_TIER1_MAX_TURNS", "CLAUDEOPS_TIER2_MAX_TURNS", "CLAUDEOPS_TIER3_MAX_TURNS",
}

// passed are the other variables of the user that cycles get: the agent program, its model and its proxy need them. HOME is not among them,
// nor is what leads to the user's clusters, databases and machines.
var passed = []string{
	"PATH", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ", "TMPDIR",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
}

// modelFamilies are prefixes of such variables: the agent program's, and those of clouds that have models.
var modelFamilies = []string{"LC_", "ANTHROPIC_", "CLAUDE_CODE_", "DISABLE_", "AWS_", "GOOGLE_", "CLOUD_ML_"}

// modelVariable reports whether a variable may be needed to ask the model.
func modelVariable(name string) bool {
	return slices.Contains(passed, name) || slices.Contains(modelSettings, name) ||
		slices.ContainsFunc(modelFamilies, func(family string) bool { return strings.HasPrefix(name, family) })
}

const (
	engine       = "DOCKER_HOST"   // names the Docker engine on which the homelab's containers run
	dockerConfig = "DOCKER_CONFIG" // names the folder in which docker finds compose
)

// outsideEnviron is the environment of what the drill itself runs outside of the homelab: docker and systemctl.
func (lab *Lab) outsideEnviron() []string {
	own := []string{"PATH=" + config.Lookup(lab.environ, "PATH"), "HOME=" + lab.Path("home")}
	if host := config.Lookup(lab.environ, engine); host != "" && (lab.uses(containers) || lab.uses(compose)) {
		own = append(own, engine+"="+host)
	}
	if lab.uses(compose) {
		own = append(own, dockerConfig+"="+lab.dockerConfig())
	}
	return own
}

// cycleEnviron is the environment of cycles: the user's model, the homelab's everything else.
func (lab *Lab) cycleEnviron() []string {
	var own []string
	for _, entry := range lab.environ {
		if name, _, _ := strings.Cut(entry, "="); modelVariable(name) {
			own = append(own, entry)
		}
	}
	if config.Lookup(lab.environ, "CLAUDEOPS_MAX_TIER") == "1" { // no agent is wanted, but first aid is to be measured
		own = append(own, "CLAUDEOPS_MAX_TIER=3", "CLAUDEOPS_CLAUDE_BIN="+lab.Path("no-agent"), "CLAUDEOPS_TIER1_AGENT=probe")
	}
	if lab.budget > 0 {
		own = append(own, fmt.Sprintf("CLAUDEOPS_DAILY_BUDGET_USD=%v", lab.budget-lab.spent)) // the records of each case are its own
	}
	if password, err := os.ReadFile(lab.Path("vault", "db")); err == nil {
		own = append(own, databasePassword+"="+string(password))
	}
	named := strings.FieldsFunc(config.Lookup(lab.environ, "CLAUDEOPS_AGENT_ENV"), func(r rune) bool { return r == ',' || r == ' ' })
	named = append(slices.DeleteFunc(named, func(name string) bool { return !modelVariable(name) }), engine, dockerConfig)
	return append(append(own, lab.outsideEnviron()...),
		"PATH="+lab.Path("bin")+":"+config.Lookup(lab.environ, "PATH"), "CLAUDEOPS_AGENT_ENV="+strings.Join(named, ","),
		"CLAUDEOPS_STATE_DIR="+lab.current+"/state", "CLAUDEOPS_RESULTS_DIR="+lab.current+"/results",
		"CLAUDEOPS_REPOS_DIR="+lab.Path("srv"), "CLAUDEOPS_INVENTORY="+lab.Path("services.yaml"), "CLAUDEOPS_POLICY="+lab.Path("policy.yaml"),
		"CLAUDEOPS_SECRET_FILES=/var/log/**\n"+config.Lookup(lab.environ, "CLAUDEOPS_SECRET_FILES"), // the user's logs are not the homelab's
		"CLAUDEOPS_SHARD=1/1") // what the services file does not name is then no service of these cycles
}

// runBound runs a program that is told to end, by SIGTERM, where this process dies.
func runBound(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true, Pdeathsig: syscall.SIGTERM}
	return cmd.Run()
}

package tiers

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/claudeops/claudeops/config"
)

// oauthToken is the only credential that the agent program reads from nowhere but its environment.
const oauthToken = "CLAUDE_CODE_OAUTH_TOKEN"

// passed are the operator's variables that an agent inherits, besides those in families and in CLAUDEOPS_AGENT_ENV (RULE "Secrets"). HOME
// is not among them.
var passed = []string{
	"PATH", "USER", "LANG", "LANGUAGE", "TZ",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
	"CLAUDEOPS_STATE_DIR", "CLAUDEOPS_RESULTS_DIR", "CLAUDEOPS_REPOS_DIR", "CLAUDEOPS_INVENTORY", "CLAUDEOPS_SHARD", "CLAUDEOPS_POLICY",
	"CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY", "CLAUDEOPS_LOG_FORMAT", "CLAUDEOPS_LOG_LEVEL", "CLAUDEOPS_DRY_RUN",
}

// families are prefixes of variables that an agent inherits unless they hold a secret.
var families = []string{"LC_", "ANTHROPIC_", "CLAUDE_CODE_", "DISABLE_"}

// shellPrefix names a program that would run each command of the agent program.
const shellPrefix = "CLAUDE_CODE_SHELL_PREFIX"

// defaults returns variables that an agent has unless the operator sets them. They keep the claude program from updating itself and from
// nonessential traffic during a cycle. They keep git, which the program calls, from running programs that a repository's
// configuration names.
func defaults() map[string]string {
	env := map[string]string{"DISABLE_AUTOUPDATER": "1", "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1"}
	settings := [][2]string{
		{"safe.bareRepository", "explicit"}, {"core.fsmonitor", "false"}, {"core.hooksPath", "/dev/null"}, {"core.pager", "cat"}, {"core.sshCommand", "false"},
		{"core.editor", "false"}, {"core.askPass", "false"}, {"core.alternateRefsCommand", "false"}, {"credential.helper", ""}, {"protocol.ext.allow", "never"},
		{"gpg.program", "false"}, {"gpg.ssh.program", "false"}, {"gpg.x509.program", "false"}, {"log.showSignature", "false"}, {"submodule.recurse", "false"},
	}
	env["GIT_CONFIG_COUNT"] = strconv.Itoa(len(settings))
	for i, setting := range settings {
		env["GIT_CONFIG_KEY_"+strconv.Itoa(i)], env["GIT_CONFIG_VALUE_"+strconv.Itoa(i)] = setting[0], setting[1]
	}
	return env
}

// Environment returns an agent's whole environment: the operator's variables that are allowed, overridden by set. The variables named in
// agentEnv (CLAUDEOPS_AGENT_ENV) are passed even if they hold a secret, because the operator has chosen them.
//
// It holds no API key; that goes through Workspace.Settings.
func Environment(operator []string, agentEnv []string, credential config.Credential, set map[string]string) []string {
	env := defaults()
	for _, entry := range operator {
		name, value, _ := strings.Cut(entry, "=")
		if allowed(name, agentEnv) {
			env[name] = value
		}
	}
	pointTo(env, operator)
	if credential.Kind == config.OAuthToken {
		env[oauthToken] = credential.Value
	}
	maps.Copy(env, set)
	list := make([]string, 0, len(env))
	for name, value := range env {
		list = append(list, name+"="+value)
	}
	slices.Sort(list)
	return list
}

func allowed(name string, agentEnv []string) bool {
	if slices.Contains(passed, name) || slices.Contains(agentEnv, name) {
		return true
	}
	for _, family := range families {
		if strings.HasPrefix(name, family) {
			return name != shellPrefix && !config.SecretName(name)
		}
	}
	return false
}

// pointTo sets the paths of the configuration of kubectl and docker in the operator's home, because the agent has another HOME.
func pointTo(env map[string]string, operator []string) {
	home := config.Lookup(operator, "HOME")
	for _, c := range []struct{ name, path string }{
		{"KUBECONFIG", filepath.Join(home, ".kube", "config")},
		{"DOCKER_CONFIG", filepath.Join(home, ".docker")},
	} {
		if own := config.Lookup(operator, c.name); own != "" {
			env[c.name] = own
		} else if _, err := os.Stat(c.path); home != "" && err == nil {
			env[c.name] = c.path
		}
	}
}

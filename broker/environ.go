package broker

import (
	"regexp"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/probe"
)

// passed are the operator's variables that brokered programs inherit, besides LC_* and those named by CLAUDEOPS_AGENT_ENV (RULE
// "Secrets"). Nothing is inherited from the caller.
var passed = []string{
	"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
}

// Environ returns the environment of brokered programs: the operator's variables that are in passed or agentEnv, and a search path.
func Environ(operator, agentEnv []string) []string {
	return environ(operator, func(name string) bool {
		return slices.Contains(passed, name) || slices.Contains(agentEnv, name) || strings.HasPrefix(name, "LC_")
	})
}

// ActEnviron returns the environment of a session's acts: all of the operator's variables but this program's own and those of the agent
// program, which hold keys and tokens; a search path; the engine that checks reach; and the session's token, by which recovery finds what a
// killed cycle leaves of them.
func ActEnviron(operator []string, runToken string) []string {
	env := environ(operator, func(name string) bool { return !ours.MatchString(name) })
	if config.Lookup(env, "DOCKER_HOST") == "" { // docker would ask that of its current context
		env = append(env, "DOCKER_HOST="+probe.EngineAddress(operator))
	}
	return append(env, config.RunTokenVariable+"="+runToken)
}

var ours = regexp.MustCompile("^(?:CLAUDEOPS_|ANTHROPIC_|CLAUDE_)")

// environ returns the operator's PATH with the system's directories, which cron's lacks, and the other variables that are kept.
func environ(operator []string, kept func(name string) bool) []string {
	path := strings.TrimPrefix(config.Lookup(operator, "PATH")+":", ":")
	env := []string{"PATH=" + path + "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin:/snap/bin"}
	for _, entry := range operator {
		if name, _, _ := strings.Cut(entry, "="); name != "PATH" && kept(name) {
			env = append(env, entry)
		}
	}
	return env
}

// with returns env with the variables that a verdict adds, one entry per name.
func with(env, added []string) []string {
	env = slices.Clone(env)
	for _, entry := range added {
		name, _, _ := strings.Cut(entry, "=")
		env = append(slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") }), entry)
	}
	return env
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

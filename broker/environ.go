package broker

import (
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
)

// passed are the variables of the operator that brokered programs have, beside LC_* and those that CLAUDEOPS_AGENT_ENV names (RULE
// "Secrets"). Nothing is of their caller's.
var passed = []string{
	"HOME", "USER", "LOGNAME", "LANG", "LANGUAGE", "TZ",
	"HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "all_proxy", "no_proxy",
}

// Environ is the environment of brokered programs: of the operator's what is listed above and agentEnv, with a PATH without the closed
// folders.
func Environ(operator, agentEnv, closed []string) []string {
	env := []string{"PATH=" + searchPath(config.Lookup(operator, "PATH"), closed)}
	for _, entry := range operator {
		name, _, _ := strings.Cut(entry, "=")
		if slices.Contains(passed, name) || slices.Contains(agentEnv, name) || strings.HasPrefix(name, "LC_") {
			env = append(env, entry)
		}
	}
	return env
}

// with is an environment with what a verdict adds, one entry a name. PostgreSQL takes several settings in one: the operator's own stay, and
// the last one counts.
func with(env, added []string) []string {
	env = slices.Clone(env)
	for _, entry := range added {
		name, value, _ := strings.Cut(entry, "=")
		if own := config.Lookup(env, name); name == "PGOPTIONS" && own != "" {
			entry = name + "=" + own + " " + value
		}
		env = append(slices.DeleteFunc(env, func(e string) bool { return strings.HasPrefix(e, name+"=") }), entry)
	}
	return env
}

// searchPath is the operator's PATH and the system's own folders, without those in which an agent may write.
func searchPath(path string, closed []string) string {
	var dirs []string
	for _, dir := range append(filepath.SplitList(path), "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", "/snap/bin") {
		real, err := filepath.EvalSymlinks(dir)
		if err == nil && filepath.IsAbs(real) && !slices.Contains(dirs, dir) && !slices.ContainsFunc(closed, func(c string) bool { return leadsInto(c, real) }) {
			dirs = append(dirs, dir)
		}
	}
	return strings.Join(dirs, string(filepath.ListSeparator))
}

// leadsInto reports whether a real path lies within a folder that may be named by a link.
func leadsInto(folder, path string) bool {
	real, err := filepath.EvalSymlinks(folder)
	return err == nil && within(real, path)
}

// within reports whether path is dir or lies below it.
func within(dir, path string) bool { return path == dir || strings.HasPrefix(path, dir+"/") }

package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/guard/script"
)

func (k *walker) findRule() *policy.Rule { return &policy.Rule{Do: "observe"} }

// printsEnvironment judges env and printenv: the whole environment holds secrets, one variable of it need not.
func (k *walker) printsEnvironment(name string, words []word, f flow) output {
	u := &use{words: words, name: name, rule: &policy.Rule{Do: "observe"}, f: f}
	args := words[1:]
	if name == "env" {
		return k.env(u, args)
	}
	for _, a := range args {
		if !k.wantKnown(u, a) {
			return output{call: words}
		}
		k.secretVariable(a.text, show(words))
		if strings.HasPrefix(a.text, "-") {
			k.deny(u, Unknown, "name the variables")
		}
	}
	if len(args) == 0 {
		return k.wholeEnvironment(u)
	}
	if !u.failed {
		k.act(Act{Action: Observe, Rule: name, Command: show(words)})
	}
	return output{call: words}
}

func (k *walker) env(u *use, args []word) output {
	for len(args) > 0 && !u.failed {
		a := args[0]
		name, value, assigns := strings.Cut(a.text, "=")
		switch {
		case a.is("-u", "--unset") && len(args) > 1 && args[1].known:
			if policy.LeadsElsewhere(args[1].text) {
				k.deny(u, Unknown, "`"+args[1].text+"` stays set")
			}
			args = args[2:]
			continue
		case a.is("-i", "-", "--ignore-environment", "--"):
		case !strings.HasPrefix(a.text, "-") && assigns && identifier(name):
			if !a.known && !a.one {
				k.deny(u, Unknown, "a value may become several words; quote it")
			}
			given := literal(value)
			given.known = a.known
			k.environment(name, given, show(u.words))
		case a.optional():
			k.deny(u, Unknown, "the option `"+a.String()+"` of `env` is not granted; leave it out")
		default:
			k.run(args, u.f, false)
			return output{}
		}
		args = args[1:]
	}
	if u.failed {
		return output{call: u.words}
	}
	return k.wholeEnvironment(u)
}

func (k *walker) wholeEnvironment(u *use) output {
	k.act(Act{
		Action: Forbidden, Rule: "secrets", Command: show(u.words), filter: "environment",
		Reason: "the whole environment holds secrets; ask for one variable by its name, or `env | grep CLAUDEOPS`",
	})
	return output{call: u.words}
}

// filtered grants what a pipe takes the secrets out of: env | grep CLAUDEOPS, docker inspect | jq '.[0].State'.
func (k *walker) filtered(at int, left, right output) {
	if len(left.call) == 0 || len(right.filter) == 0 {
		return
	}
	for i := at; i < len(k.acts); i++ {
		if a := &k.acts[i]; a.filter != "" && a.Command == show(left.call) && harmlessFilter(a.filter, right.filter) && !(a.filter == "environment" && k.holdsSettings()) {
			a.Action, a.Reason = Observe, ""
		}
	}
}

// holdsSettings reports whether one of this program's variables in the environment may hold a secret; of another host nobody knows.
func (k *walker) holdsSettings() bool {
	return k.away || slices.ContainsFunc(k.world.Environ, func(e string) bool {
		name, _, _ := strings.Cut(e, "=")
		return strings.HasPrefix(strings.ToUpper(name), "CLAUDEOPS") && secretName(name)
	})
}

// harmlessFilter reports whether a command lets nothing through that is secret.
func harmlessFilter(what string, call []word) bool {
	if slices.ContainsFunc(call, func(w word) bool { return !w.known }) {
		return false
	}
	if call[0].is("jq") {
		return what == "inspect" && harmlessPaths(call[1:])
	}
	m := regexp.MustCompile(`^(?:e?grep)((?: -[iEFwn]+)*(?: -A ?([0-9]+))?(?: -[iEFwn]+)*) (\S+)$`).FindStringSubmatch(show(call))
	switch {
	case m == nil:
		return false
	case what == "environment":
		return m[2] == "" && regexp.MustCompile(`^\^?CLAUDEOPS[A-Z_]*=?$`).MatchString(m[3])
	case m[2] != "": // the lines that follow a key: what follows the others may be the environment
		lines, ok := digits(m[2])
		return ok && lines <= 10 && !strings.Contains(m[1], "i") && slices.Contains([]string{`"State"`, `"State":`, "RestartPolicy", `"RestartPolicy"`}, m[3])
	}
	return inspectKey(m[3], strings.Contains(m[1], "i"))
}

func harmlessPaths(args []word) bool {
	filter := ""
	for _, w := range args {
		switch {
		case strings.HasPrefix(w.text, "-") && strings.Trim(w.text, "-rcMSCe") == "" && !strings.HasPrefix(w.text, "--"):
		case filter == "" && !strings.HasPrefix(w.text, "-"):
			filter = w.text
		default:
			return false
		}
	}
	return filter != "" && script.JQInspect(filter) == nil
}

// inspectKey reports whether a pattern asks for what is no secret in docker inspect's output: the beginning of such a key, or several.
func inspectKey(pattern string, folded bool) bool {
	keys := []string{ // as docker writes them; the names of variables are in capitals
		"Status", "State", "Running", "Restarting", "RestartCount", "RestartPolicy", "Health", "ExitCode", "OOMKilled", "StartedAt", "FinishedAt", "Dead", "Paused",
		"IPAddress", "Gateway", "MacAddress", "Image", "Ports", "HostPort", "HostIp", "Mounts", "Source", "Destination", "Networks", "NetworkMode", "Memory", "MemorySwap",
		"NanoCpus", "CpuShares", "LogPath", "LogConfig", "Created", "Name", "Pid", "Driver", "Binds", "Hostname", "Healthcheck", "FailingStreak", "Privileged",
	}
	if folded { // any case: only those that no variable is called like
		keys = []string{"Status", "Running", "Restarting", "RestartCount", "RestartPolicy", "ExitCode", "OOMKilled", "StartedAt", "FinishedAt", "IPAddress", "MacAddress", "Mounts", "FailingStreak", "NetworkMode"}
	}
	for part := range strings.SplitSeq(strings.ReplaceAll(pattern, `\|`, "|"), "|") {
		part = strings.Trim(part, `":()`)
		if len(part) < 3 || !slices.ContainsFunc(keys, func(key string) bool {
			return strings.HasPrefix(key, part) || folded && strings.HasPrefix(strings.ToLower(key), strings.ToLower(part))
		}) {
			return false
		}
	}
	return true
}

// keeps reports whether a filter of plain names lets whole names of its input through and nothing else.
func keeps(call []word) bool {
	if slices.ContainsFunc(call, func(w word) bool { return !w.known }) {
		return false
	}
	return keeping().MatchString(show(call))
}

var keeping = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^(grep|egrep)( -[viEFwx]+)* [^- ]\S*$|^sort( -[uVnr]+)*$|^uniq$|^(head|tail)( -n ?[0-9]+| -[0-9]+)?$|^awk '(NR>1 ?)?\{ ?print \$[0-9] ?\}'$`)
})

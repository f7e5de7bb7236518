package guard

import (
	"io"
	"path"
	"regexp"
	"strings"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/internal/sudo"
	"github.com/claudeops/claudeops/inventory"
)

// Verb is what an agent wants done to a service. It chooses verb and service alone: what runs is the services file's word.
type Verb struct {
	Action    Action // Restart, Redeploy, Named or Ask
	Kind      inventory.Kind
	Name      string // of a container, unit, compose service or object of Kubernetes; of a service where Kind is empty
	Namespace string // of a deployment, as typed; may be empty
	File      string // of a compose project, as typed: its file or folder; empty for the working folder
	Do        string // the name of an action
	Argv      []string
	Why       string
}

// Typed returns the verb that typed words mean. Only a few spellings mean one, each of one service; meant is false for any other call.
func Typed(argv []string) (v Verb, meant bool) {
	words := sudo.Drop(argv)
	if len(words) < 2 {
		return v, false
	}
	program, words := path.Base(words[0]), words[1:]
	switch {
	case program == "claudeops" && len(argv) == len(words)+1:
		return own(words)
	case program == "systemctl":
		return restarted(inventory.Unit, words)
	case program == "kubectl":
		return rolledOut(words)
	case program == "docker-compose" || program == "podman-compose":
		return composed(words)
	case program != "docker" && program != "podman":
		return v, false
	case words[0] == "compose":
		return composed(words[1:])
	case words[0] == "container":
		words = words[1:]
	}
	return restarted(inventory.Container, words)
}

// restarted reads `restart NAME` or `start NAME`.
func restarted(kind inventory.Kind, words []string) (v Verb, meant bool) {
	flags := newFlags()
	if kind == inventory.Container {
		flags.IntP("time", "t", 0, "")
		flags.Int("timeout", 0, "")
	}
	if flags.Parse(words) != nil || flags.NArg() != 2 {
		return v, false
	}
	meant = flags.Arg(0) == "restart" || flags.Arg(0) == "start"
	return Verb{Action: Restart, Kind: kind, Name: flags.Arg(1)}, meant && plain(flags.Arg(1))
}

// composed reads a call of compose: `restart SERVICE`, `up -d --no-recreate SERVICE`, and `up -d SERVICE`, which redeploys.
func composed(words []string) (v Verb, meant bool) {
	flags := newFlags()
	files := flags.StringArrayP("file", "f", nil, "")
	folder := flags.String("project-directory", "", "")
	detached := flags.BoolP("detach", "d", false, "")
	kept := flags.Bool("no-recreate", false, "")
	anew := flags.Bool("force-recreate", false, "")
	flags.IntP("timeout", "t", 0, "")
	if flags.Parse(words) != nil || flags.NArg() != 2 || !plain(flags.Arg(1)) || len(*files) > 1 || len(*files) == 1 && *folder != "" || *kept && *anew {
		return v, false
	}
	v = Verb{Kind: inventory.Compose, Name: flags.Arg(1), File: *folder}
	if len(*files) == 1 {
		v.File = (*files)[0]
	}
	switch up := flags.Arg(0) == "up" && *detached; {
	case flags.Arg(0) == "restart" && !*detached && !*kept && !*anew, up && *kept:
		v.Action = Restart
	case up:
		v.Action = Redeploy
	}
	return v, v.Action != ""
}

// rolledOut reads `kubectl rollout restart KIND/NAME`.
func rolledOut(words []string) (v Verb, meant bool) {
	flags := newFlags()
	flags.StringVarP(&v.Namespace, "namespace", "n", "", "")
	if flags.Parse(words) != nil || flags.NArg() < 3 || flags.NArg() > 4 || flags.Arg(0) != "rollout" || flags.Arg(1) != "restart" {
		return v, false
	}
	_, name, _ := strings.Cut(strings.Join(flags.Args()[2:], "/"), "/")
	v.Action, v.Kind, v.Name = Restart, inventory.Deployment, name
	return v, plain(name)
}

// own reads a verb of this program: `claudeops restart SERVICE`.
func own(words []string) (v Verb, meant bool) {
	flags := newFlags()
	flags.StringVar(&v.Why, "why", "", "")
	if flags.Parse(words) != nil || flags.NArg() < 2 {
		return v, false
	}
	v.Name = flags.Arg(1)
	switch n := flags.NArg(); flags.Arg(0) {
	case "restart":
		v.Action, meant = Restart, n == 2
	case "redeploy":
		v.Action, meant = Redeploy, n == 2
	case "action":
		v.Action, v.Do, meant = Named, flags.Arg(2), n == 3
	case "propose":
		v.Action, v.Argv, meant = Ask, flags.Args()[2:], n > 2 && flags.ArgsLenAtDash() == 2
	}
	return v, meant
}

func newFlags() *pflag.FlagSet {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// plain reports whether a word is one name: no option, pattern or path.
func plain(name string) bool { return plainName.MatchString(name) }

var plainName = regexp.MustCompile(`^[A-Za-z0-9_][A-Za-z0-9_.:@+-]*$`)

package inventory

import (
	"strconv"
	"strings"
	"time"

	"mvdan.cc/sh/v3/syntax"
)

// Kind says what a way restarts or redeploys.
type Kind string

// The kinds of ways.
const (
	Container  Kind = "container"
	Unit       Kind = "unit"
	Compose    Kind = "compose"    // a service of a compose project
	Deployment Kind = "deployment" // of Kubernetes
	Helm       Kind = "helm"       // a release
	Run        Kind = "run"        // a program of the operator's
)

// Way is how one of a service's verbs is done: which program runs, with which arguments. It is the operator's word, or follows from the
// checks. The zero value is no way.
type Way struct {
	Kind      Kind
	Name      string        // of the container, unit, compose service, deployment or release
	File      string        // of a compose project: its file, or its folder; absolute
	Namespace string        // of a deployment or release
	Chart     string        // of a release
	Engine    string        // of a container: the engine's URL; empty for DOCKER_HOST, or else the local one
	SSH       string        // HOST or USER@HOST where it is done; empty for here
	Run       []string      // a program and its arguments, which no shell reads
	Dir       string        // of Run: its folder, relative to REPOS_DIR or absolute; empty for REPOS_DIR
	Timeout   time.Duration // the longest that it may take
}

// Given reports whether there is a way.
func (w Way) Given() bool { return w.Kind != "" }

// RestartArgv returns the argument list of a restart. engine is the program of the containers' engine: docker or podman.
func (w Way) RestartArgv(engine string) []string {
	switch w.Kind {
	case Container:
		return w.There(append(w.engine(engine), "restart", w.Name)...)
	case Unit:
		return w.There("systemctl", "restart", w.Name)
	case Compose:
		return w.There(append(w.project(engine), "restart", w.Name)...)
	case Deployment:
		return []string{"kubectl", "--namespace", w.Namespace, "rollout", "restart", "deployment/" + w.Name}
	}
	return w.Run
}

// RedeployArgv returns the argument list of a redeployment, as RestartArgv does.
func (w Way) RedeployArgv(engine string) []string {
	switch w.Kind {
	case Compose:
		return w.There(append(w.project(engine), "up", "--detach", "--no-deps", "--force-recreate", w.Name)...)
	case Helm:
		return []string{"helm", "upgrade", "--namespace", w.Namespace, "--reuse-values", w.Name, w.Chart}
	}
	return w.RestartArgv(engine)
}

// UpArgv returns the argument list that makes the container of a compose service anew where it is gone.
func (w Way) UpArgv(engine string) []string {
	return w.There(append(w.project(engine), "up", "--detach", "--no-deps", "--no-build", "--pull", "never", w.Name)...)
}

// ContainersArgv returns the argument list that prints the ids of a compose service's containers.
func (w Way) ContainersArgv(engine string) []string {
	return w.There(append(w.project(engine), "ps", "--all", "--quiet", w.Name)...)
}

// LogsArgv returns the argument list that prints the last lines of the log of what the way restarts, since a time unless that is zero.
func (w Way) LogsArgv(engine string, lines int, since time.Time) []string {
	tail, from := []string{"--tail", strconv.Itoa(lines)}, since.UTC().Format(time.RFC3339)
	after := func(option, value string) []string {
		if since.IsZero() {
			return tail
		}
		return append(tail, option, value)
	}
	switch w.Kind {
	case Container:
		return w.EngineArgv(engine, append(append([]string{"logs"}, after("--since", from)...), w.Name)...)
	case Compose:
		return w.There(append(append(append(w.project(engine), "logs", "--no-color"), after("--since", from)...), w.Name)...)
	case Deployment:
		return append([]string{"kubectl", "--namespace", w.Namespace, "logs", "deployment/" + w.Name}, after("--since-time", from)...)
	}
	tail = []string{"journalctl", "--quiet", "--unit", w.Name, "--lines", tail[1], "--no-pager", "--output", "short-iso"}
	return w.There(after("--since", since.UTC().Format(time.DateTime)+" UTC")...)
}

// EngineArgv returns an argument list of the engine that the way asks.
func (w Way) EngineArgv(engine string, words ...string) []string {
	return w.There(append(w.engine(engine), words...)...)
}

func (w Way) engine(engine string) []string {
	if w.Engine != "" {
		return []string{engine, "--host", w.Engine}
	}
	return []string{engine}
}

func (w Way) project(engine string) []string {
	option := "--file"
	if !strings.HasSuffix(w.File, ".yaml") && !strings.HasSuffix(w.File, ".yml") {
		option = "--project-directory"
	}
	return append(w.engine(engine), "compose", option, w.File)
}

// There returns an argument list, called by ssh where the way is on another machine.
func (w Way) There(argv ...string) []string {
	if w.SSH == "" {
		return argv
	}
	quoted := make([]string, len(argv))
	for i, word := range argv {
		var err error
		if quoted[i], err = syntax.Quote(word, syntax.LangPOSIX); err != nil { // a control character, which no name has
			quoted[i] = "''"
		}
	}
	return []string{"ssh", "-o", "BatchMode=yes", "-o", "ControlMaster=no", w.SSH, "--", strings.Join(quoted, " ")}
}

// FirstAid says what is done about a service without asking a model. The zero value is nothing.
type FirstAid struct {
	Attempts int           // how often it is tried within an hour; 0: the service has no first aid
	Do       string        // the action that is done; empty for a restart
	Settle   time.Duration // time after it until the checks are meaningful
}

// Given reports whether the service has first aid.
func (f FirstAid) Given() bool { return f.Attempts > 0 }

// Query is the account that agents' database statements may use. The zero value is none.
type Query struct {
	Database    string // the URL, without a password
	Container   string // whose address the engine tells, in place of the URL's host
	PasswordEnv string // the variable that holds the password; empty for none
}

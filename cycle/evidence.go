package cycle

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	// shownLines is how many of the last lines of a log are kept before a restart, and logBytes how many bytes of all logs together.
	shownLines, logBytes = 30, 2500
	// mostContainers is of how many containers of a compose service the evidence is kept.
	mostContainers = 5
)

// target is what a way restarts, as it is now. What is not known is empty.
type target struct {
	parts    []part
	unread   string    // why its parts could not be read
	deployed time.Time // last
	how      string    // it was deployed: "its container was created"
	started  time.Time // the last of its containers
}

// part is a container, a unit or a deployment.
type part struct {
	name  string
	state string   // in words for people and models, or why it could not be read
	log   []string // the argument list that prints the end of its log
}

// containerForm is what an engine prints of a container. Podman writes no time as docker does, but in JSON.
const containerForm = "{{json .Created}} {{json .State.StartedAt}} container {{.Name}}: {{.State.Status}}, exit code {{.State.ExitCode}}, " +
	"out of memory {{.State.OOMKilled}}, started {{.State.StartedAt}}, ended {{.State.FinishedAt}}, image {{.Config.Image}}"

// inspect looks at what a way restarts.
func (c *Cycle) inspect(ctx context.Context, w inventory.Way) target {
	switch w.Kind {
	case inventory.Container, inventory.Compose:
		return c.inspectContainers(ctx, w)
	case inventory.Unit:
		return c.inspectUnit(ctx, w)
	case inventory.Deployment:
		p := part{name: w.Name, log: w.LogsArgv("", readLines, time.Time{})}
		out, err := c.looker().run(ctx, []string{"kubectl", "--namespace", w.Namespace, "get", "deployment/" + w.Name, "--output", "wide"})
		if p.state = out; err != nil {
			p.state = unread("state", w.Name, err)
		}
		return target{parts: []part{p}}
	}
	return target{}
}

// inspectContainers looks at the containers that a restart would reach: of a compose service those that have its labels.
func (c *Cycle) inspectContainers(ctx context.Context, w inventory.Way) target {
	look, engine := c.looker(), probe.EngineProgram(c.Environ)
	names := []string{w.Name}
	if w.Kind == inventory.Compose {
		out, err := look.run(ctx, w.ContainersArgv(engine))
		if err != nil {
			return target{unread: unread("containers", w.Name, err)}
		}
		if names = strings.Fields(out); len(names) == 0 {
			return target{}
		}
	}
	out, err := look.run(ctx, w.EngineArgv(engine, append([]string{"inspect", "--type", "container", "--format", containerForm}, names...)...))
	if err != nil {
		return target{unread: unread("state", w.Name, err)}
	}
	s := target{how: "its container was created"}
	for line := range strings.Lines(out) {
		created, rest, _ := strings.Cut(line, " ")
		started, state, _ := strings.Cut(rest, " ")
		s.deployed, s.started = later(s.deployed, created), later(s.started, started)
		name, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(state, "container "), "/"), ":") // podman's has no slash
		s.parts = append(s.parts, part{name, state, w.EngineArgv(engine, "logs", "--tail", strconv.Itoa(readLines), name)})
	}
	return s
}

// later returns the later of two times, of which one is in JSON.
func later(at time.Time, json string) time.Time {
	if moment, err := time.Parse(time.RFC3339Nano, strings.Trim(json, `"`)); err == nil && moment.After(at) {
		return moment
	}
	return at
}

// generated begins the paths of files that systemd makes anew whenever it reads its configuration. What they are made of is the unit's
// SourcePath.
const generated = "/run/systemd/generator"

// inspectUnit looks at a unit. One on this machine was deployed when one of its files was last changed.
func (c *Cycle) inspectUnit(ctx context.Context, w inventory.Way) (s target) {
	const shown = "--property=Id,ActiveState,SubState,Result,ExecMainCode,ExecMainStatus,FragmentPath,SourcePath,DropInPaths"
	p := part{name: w.Name, log: w.LogsArgv("", readLines, time.Time{})}
	out, err := c.looker().run(ctx, w.There("systemctl", "show", shown, w.Name))
	var state []string
	for property := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(property), "=")
		if !strings.HasSuffix(name, "Path") && !strings.HasSuffix(name, "Paths") {
			state = append(state, name+"="+value)
			continue
		}
		for file := range strings.FieldsSeq(value) {
			is, err := os.Stat(file)
			if err == nil && w.SSH == "" && !strings.HasPrefix(file, generated) && is.ModTime().After(s.deployed) {
				s.deployed, s.how = is.ModTime(), file+" was changed"
			}
		}
	}
	if p.state = strings.Join(state, ", "); err != nil {
		p.state = unread("state", w.Name, err)
	}
	s.parts = []part{p}
	return s
}

// evidence returns what a restart would destroy, as lines for people and models: the states of what it restarts and the ends of their
// logs. It says what could not be read: that an engine does not answer is a finding. Where there is no room for all, the states are cut,
// which are longest for a reference to an image.
func (c *Cycle) evidence(ctx context.Context, s target) string {
	parts := s.parts[:min(len(s.parts), mostContainers)]
	var states []string
	logs := ""
	for _, p := range parts {
		states = append(states, p.state)
		log, err := c.looker().log(ctx, p.log)
		if err != nil {
			states = append(states, unread("log", p.name, err))
			continue
		}
		heading := "end of the log"
		if len(s.parts) > 1 {
			heading += " of " + p.name
		}
		if end := lastLines(c.shownLog(log), shownLines, logBytes/len(parts)); end != "" { // indented: no line passes for this program's
			logs += heading + ":\n  " + strings.ReplaceAll(end, "\n", "\n  ") + "\n"
		}
	}
	if s.unread != "" {
		states = append(states, s.unread)
	}
	if more := len(s.parts) - mostContainers; more > 0 {
		states = append(states, fmt.Sprintf("and %s more", text.Count(more, "container")))
	}
	if len(states) == 0 {
		return ""
	}
	const head = "Before first aid: "
	room := (keptFindings - len(head) - utf8.RuneCountInString(logs)) / len(states)
	for i, state := range states {
		states[i] = text.Shorten(c.Redactor.String(strings.TrimSpace(state)), room-1)
	}
	return text.Printable(strings.TrimSpace(head + strings.Join(states, "\n") + "\n" + logs)) // messages show the first line
}

// shownLog returns a log without control characters, masked both before and after they are removed: either may hide a secret.
func (c *Cycle) shownLog(log string) string {
	return strings.TrimSpace(c.Redactor.String(text.Clean(c.Redactor.String(log))))
}

// lastLines returns the last lines of a text: at most some, which fit into some bytes, or the end of the last one if that alone does not.
func lastLines(s string, lines, most int) string {
	for len(s) > most || strings.Count(s, "\n") >= lines {
		_, whole, found := strings.Cut(s, "\n")
		if !found {
			return strings.ToValidUTF8(s[len(s)-most:], "")
		}
		s = whole
	}
	return s
}

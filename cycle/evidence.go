package cycle

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// shownLines is how many of the last lines of a log are kept before a restart, and logBytes how many bytes of them.
const shownLines, logBytes = 30, 2500

// target is what a way restarts, as it is now. What is not known is empty.
type target struct {
	state    string // in words for people and models, or why it could not be read (unread)
	unread   bool
	deployed time.Time // last
	how      string    // it was deployed: "its container was created"
	started  time.Time // the last of its containers
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
	}
	return target{}
}

// inspectContainers looks at the containers that a restart would reach.
func (c *Cycle) inspectContainers(ctx context.Context, w inventory.Way) (is target) {
	look, engine := c.looker(), probe.EngineProgram(c.Environ)
	names := []string{w.Name}
	if w.Kind == inventory.Compose {
		out, err := look.run(ctx, w.ContainersArgv(engine))
		if err != nil {
			return target{state: unread("containers", w.Name, err), unread: true}
		}
		if names = strings.Fields(out); len(names) == 0 {
			return target{}
		}
	}
	out, err := look.run(ctx, w.EngineArgv(engine, append([]string{"inspect", "--type", "container", "--format", containerForm}, names...)...))
	if err != nil {
		return target{state: unread("state", w.Name, err), unread: true}
	}
	is.how = "its container was created"
	for line := range strings.Lines(out) {
		created, rest, _ := strings.Cut(line, " ")
		started, state, _ := strings.Cut(rest, " ")
		is.deployed, is.started = later(is.deployed, created), later(is.started, started)
		is.state += state
	}
	return is
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
func (c *Cycle) inspectUnit(ctx context.Context, w inventory.Way) (is target) {
	const shown = "--property=Id,ActiveState,SubState,Result,ExecMainCode,ExecMainStatus,FragmentPath,SourcePath,DropInPaths"
	out, err := c.looker().run(ctx, w.There("systemctl", "show", shown, w.Name))
	if err != nil {
		return target{state: unread("state", w.Name, err), unread: true}
	}
	var state []string
	for property := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(property), "=")
		if !strings.HasSuffix(name, "Path") && !strings.HasSuffix(name, "Paths") {
			state = append(state, name+"="+value)
			continue
		}
		for file := range strings.FieldsSeq(value) {
			at, err := os.Stat(file)
			if err == nil && w.SSH == "" && !strings.HasPrefix(file, generated) && at.ModTime().After(is.deployed) {
				is.deployed, is.how = at.ModTime(), file+" was changed"
			}
		}
	}
	is.state = strings.Join(state, ", ")
	return is
}

// evidence returns what a restart would destroy, as lines for people and models: the state of what it restarts and the end of the log. It
// says what could not be read: that an engine does not answer is a finding. Where there is no room for both, the state is cut. It is never
// empty, since an attempt that a kill cuts off is known by it (aidBefore).
func (c *Cycle) evidence(ctx context.Context, w inventory.Way, is target) string {
	end := ""
	if !is.unread && w.Kind != inventory.Run && w.Kind != inventory.Helm {
		log, err := c.looker().log(ctx, w.LogsArgv(probe.EngineProgram(c.Environ), readLines, time.Time{}))
		end = lastLines(c.shownLog(log), shownLines, logBytes)
		if end != "" { // indented, so that no line of it passes for one of this program
			end = "end of the log:\n  " + strings.ReplaceAll(end, "\n", "\n  ")
		}
		if err != nil {
			end = unread("log", w.Name, err)
		}
	}
	const head = "Before first aid: "
	state := text.Shorten(c.Redactor.String(strings.TrimSpace(is.state)), keptFindings-len(head)-utf8.RuneCountInString(end)-1)
	found := cmp.Or(strings.TrimSpace(state+"\n"+end), "nothing is known of what it restarts")
	return text.Printable(head + found) // messages show the first line
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

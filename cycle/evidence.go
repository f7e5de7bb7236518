package cycle

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	// readLines is how many of the last lines of a log are read before a restart, shownLines how many of these are kept, and logBytes how
	// many of the last bytes of all logs. A secret of several lines is recognised by its first.
	readLines, shownLines, logBytes = 300, 30, 2500
	// partBytes is how much of a line docker keeps in one piece, and counts as a line.
	partBytes = 16 << 10
	// mostContainers is of how many containers of a compose service the evidence is kept.
	mostContainers = 5
)

// oneLog is the end of the log of what first aid restarts. of is the container's name if there are several.
type oneLog struct{ of, text string }

// evidence returns what a restart would destroy, as lines for people and models: the state and exit code of what first aid restarts, the
// disk and memory of this machine, and the end of the log. It says what could not be read: that an engine does not answer is a finding.
// Where there is no room for all, the states are cut, which are longest for a reference to an image.
func (c *Cycle) evidence(ctx context.Context, w inventory.Way) string {
	states, logs := c.statesAndLogs(ctx, w)
	for i := range logs {
		logs[i].text = lastOf(c.shownLog(afterCut(logs[i].text)), shownLines) // masked before the cut, which could split a secret
	}
	const head = "Before first aid: "
	rest := machineState() + logEnds(logs, logBytes)
	room := (keptFindings - len(head) - utf8.RuneCountInString(rest)) / max(len(states), 1)
	for i, state := range states {
		states[i] = text.Shorten(c.Redactor.String(strings.TrimSpace(state)), room-1) + "\n"
	}
	return text.Printable(strings.TrimSpace(head + strings.Join(states, "") + rest)) // messages show the first line
}

// statesAndLogs returns the states of what a way restarts, or why they or its logs could not be read, and the ends of its logs.
func (c *Cycle) statesAndLogs(ctx context.Context, w inventory.Way) (states []string, logs []oneLog) {
	look := c.looker()
	engine := func(words ...string) []string { return w.EngineArgv(probe.EngineProgram(c.Environ), words...) }
	note := func(what, of string, err error) {
		states = append(states, fmt.Sprintf("the %s of %s could not be read: %s", what, of, whyUnread(err)))
	}
	state := func(of string, command []string) string {
		is, err := look.said(ctx, command...)
		switch {
		case err != nil:
			note("state", of, err)
		case is != "":
			states = append(states, is)
		}
		return is
	}
	log := func(of string, command []string) {
		end, err := look.said(ctx, command...)
		if err != nil {
			note("log", of, err)
		}
		logs = append(logs, oneLog{of, end})
	}
	switch w.Kind {
	case inventory.Container, inventory.Compose:
		names, err := c.containers(ctx, look, w)
		if err != nil {
			note("containers", w.Name, err)
		}
		for _, name := range names[:min(len(names), mostContainers)] {
			if is := state(name, engine("inspect", "--type", "container", "--format", containerState, name)); is != "" {
				of, _, _ := strings.Cut(strings.TrimPrefix(strings.TrimPrefix(is, "container "), "/"), ":") // podman's has no slash
				log(of, engine("logs", "--tail", strconv.Itoa(readLines), name))
			}
		}
		if more := len(names) - mostContainers; more > 0 {
			states = append(states, fmt.Sprintf("and %s more", text.Count(more, "container")))
		}
	case inventory.Unit:
		state(w.Name, w.There("systemctl", "show", "--property=Id,ActiveState,SubState,Result,ExecMainCode,ExecMainStatus", w.Name))
		for i, properties := range states {
			states[i] = strings.ReplaceAll(properties, "\n", ", ")
		}
		log(w.Name, w.LogsArgv("", readLines, time.Time{}))
	case inventory.Deployment:
		state(w.Name, []string{"kubectl", "--namespace", w.Namespace, "get", "deployment/" + w.Name, "--output", "wide"})
		log(w.Name, w.LogsArgv("", readLines, time.Time{}))
	}
	return states, logs
}

// containerState is what an engine prints of a container.
const containerState = "container {{.Name}}: {{.State.Status}}, exit code {{.State.ExitCode}}, out of memory {{.State.OOMKilled}}, " +
	"started {{.State.StartedAt}}, ended {{.State.FinishedAt}}, image {{.Config.Image}}"

// whyUnread returns why a program did not say what was asked, without its command: the last line of what it said, if it failed.
func whyUnread(err error) string {
	var exit *child.ExitError
	switch {
	case errors.Is(err, context.DeadlineExceeded):
		return "no answer in time"
	case errors.As(err, &exit) && exit.Said != "":
		return exit.Said[strings.LastIndexByte(exit.Said, '\n')+1:]
	case errors.As(err, &exit):
		return fmt.Sprintf("exit status %d", exit.Code)
	}
	return err.Error()
}

// logEnds returns the ends of logs, each under a heading and indented, so that no line of a log passes for one of this program. Before
// they are indented they have at most some bytes together: each its share, and what others leave.
func logEnds(logs []oneLog, most int) (ends string) {
	logs = slices.Clone(logs)
	slices.SortStableFunc(logs, func(a, b oneLog) int { return len(a.text) - len(b.text) })
	for i, l := range logs {
		end := lastLines(strings.TrimSpace(l.text), most/(len(logs)-i))
		if most -= len(end); end == "" {
			continue
		}
		heading := "end of the log"
		if len(logs) > 1 {
			heading += " of " + l.of
		}
		ends += heading + ":\n  " + strings.ReplaceAll(end, "\n", "\n  ") + "\n"
	}
	return ends
}

// shownLog returns a log without control characters, masked both before and after they are removed: either may hide a secret.
func (c *Cycle) shownLog(log string) string {
	return strings.TrimSpace(c.Redactor.String(text.Clean(c.Redactor.String(log))))
}

// afterCut returns a log without its first line if that may be the rest of one: it could begin within a secret.
func afterCut(log string) string {
	if len(log) < partBytes && strings.Count(log, "\n") < readLines {
		return log
	}
	_, whole, _ := strings.Cut(log, "\n")
	return whole
}

// lastOf returns the last lines of a text, most at most.
func lastOf(s string, most int) string {
	lines := strings.Split(s, "\n")
	return strings.Join(lines[max(0, len(lines)-most):], "\n")
}

// lastLines returns the last lines of a text that fit into some bytes, or the end of the last one if that alone does not fit.
func lastLines(s string, most int) string {
	if len(s) <= most {
		return s
	}
	if _, whole, found := strings.Cut(s[len(s)-most-1:], "\n"); found {
		return whole
	}
	return strings.ToValidUTF8(s[len(s)-most:], "")
}

// wholeLines returns the end of an output without its first line if only some bytes were kept: half a secret would not be recognised.
func wholeLines(out []byte, kept int) []byte {
	if len(out) < kept {
		return out
	}
	_, whole, _ := bytes.Cut(out, []byte("\n"))
	return whole
}

// containers returns the containers that a way restarts, by name or id: of a compose service those that the restart would find.
func (c *Cycle) containers(ctx context.Context, look looker, w inventory.Way) ([]string, error) {
	if w.Kind == inventory.Container {
		return []string{w.Name}, nil
	}
	out, err := look.run(ctx, w.ContainersArgv(probe.EngineProgram(c.Environ)))
	if err != nil {
		return nil, err
	}
	return strings.Fields(out), nil
}

// restartsAnother returns, as a clause, that the first aid of a service would restart the container of another service, which is restarted
// in another way; empty if it would not, or if that is not known. Compose restarts whatever has its labels, and an image may have them.
func (c *Cycle) restartsAnother(ctx context.Context, s *inventory.Service) string {
	w := s.Aid()
	if w.Kind != inventory.Compose {
		return ""
	}
	looking, cancel := context.WithTimeout(ctx, lookTime)
	defer cancel()
	look, own := c.looker(), c.aidedBy(w)
	ids, err := c.containers(looking, look, w)
	if err != nil || len(ids) == 0 {
		return ""
	}
	inspect := append([]string{"inspect", "--type", "container", "--format", "{{.Name}}"}, ids...)
	names, err := look.run(looking, w.EngineArgv(probe.EngineProgram(c.Environ), inspect...))
	if err != nil {
		return ""
	}
	for name := range strings.FieldsSeq(names) {
		if other, known := c.Inventory.Lookup(name); known && !slices.Contains(own, other) {
			return fmt.Sprintf("compose would also restart the container %s, which is of %s", strings.TrimPrefix(name, "/"), other)
		}
	}
	return ""
}

// machineState returns how much disk and memory this machine has left, one line each.
func machineState() (lines string) {
	var fs unix.Statfs_t
	if unix.Statfs("/", &fs) == nil && fs.Blocks > 0 {
		lines = fmt.Sprintf("disk of /: %d%% free\n", fs.Bavail*100/fs.Blocks)
	}
	if left, all := memory(); all > 0 {
		lines += fmt.Sprintf("memory: %d MiB of %d MiB available\n", left>>10, all>>10)
	}
	return lines
}

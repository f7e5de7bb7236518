package cycle

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
)

const (
	// logLines is how many of the last lines of a log are kept before a restart, logBytes how many of their last bytes.
	logLines = "30"
	logBytes = 2500
)

// evidence returns what a restart would destroy, as lines for people and models: the state and exit code of what the remedy restarts, the
// disk and memory of this machine, and the end of the log. What cannot be read is left out.
func (c *Cycle) evidence(ctx context.Context, r inventory.Remedy) string {
	look := c.looker()
	argv, _ := c.remedy(r)
	var state, log string
	switch r.Restart {
	case inventory.RestartContainer, inventory.RestartCompose:
		const form = "container {{.Name}}: {{.State.Status}}, exit code {{.State.ExitCode}}, out of memory {{.State.OOMKilled}}, started {{.State.StartedAt}}, " +
			"ended {{.State.FinishedAt}}, image {{.Config.Image}}"
		for _, name := range c.containers(ctx, look, argv[0], r) {
			state += look.said(ctx, argv[0], "inspect", "--type", "container", "--format", form, name)
			log += look.said(ctx, argv[0], "logs", "--tail", logLines, name)
		}
	case inventory.RestartUnit:
		state = look.said(ctx, "systemctl", "show", "--property=Id,ActiveState,SubState,Result,ExecMainCode,ExecMainStatus", r.Name)
		state = strings.Join(strings.Fields(state), ", ") + "\n"
		log = look.said(ctx, "journalctl", "--quiet", "--unit", r.Name, "--lines", logLines, "--no-pager", "--output", "short-iso")
	case inventory.RestartDeployment:
		state = look.said(ctx, "kubectl", "--namespace", r.Namespace, "get", "deployment/"+r.Name, "--output", "wide")
		log = look.said(ctx, "kubectl", "--namespace", r.Namespace, "logs", "deployment/"+r.Name, "--tail", logLines)
	}
	kept := "Before first aid: " + strings.TrimLeft(state, "\n") + machineState() // messages show the first line
	if log = c.Redactor.String(strings.TrimSpace(log)); log != "" {               // before the cut, which could split a secret
		kept += "end of the log:\n" + lastLines(log, logBytes)
	}
	return text.Printable(strings.TrimSpace(kept))
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

// wholeLines returns output without its last line if it was cut after some bytes: half a secret would not be recognised.
func wholeLines(out []byte, cut int) []byte {
	if len(out) < cut {
		return out
	}
	return out[:bytes.LastIndexByte(out, '\n')+1]
}

// containers returns the containers that a remedy restarts, by name or id.
func (c *Cycle) containers(ctx context.Context, look looker, engine string, r inventory.Remedy) []string {
	if r.Restart == inventory.RestartContainer {
		return []string{r.Name}
	}
	folder := r.Project
	if is, err := os.Stat(folder); err == nil && !is.IsDir() {
		folder = filepath.Dir(folder)
	}
	out, err := look.run(ctx, []string{engine, "ps", "--all", "--quiet", "--filter", "label=com.docker.compose.service=" + r.Name,
		"--filter", "label=com.docker.compose.project.working_dir=" + folder})
	if err != nil {
		return nil
	}
	return strings.Fields(out)
}

// said returns what a program prints on both outputs, ending with a line break; empty if it fails or prints nothing.
func (l looker) said(ctx context.Context, argv ...string) string {
	file, err := l.find(argv[0])
	if err != nil {
		return ""
	}
	cmd := &exec.Cmd{Path: file, Args: argv, Env: l.environ, Dir: l.dir}
	const keep = 1 << 20
	result, err := child.Run(ctx, cmd, child.Limits{Within: lookTime, Keep: keep})
	out := strings.TrimSpace(string(slices.Concat(wholeLines(result.Stdout, keep), wholeLines(result.Stderr, keep))))
	if err != nil || out == "" {
		return ""
	}
	return out + "\n"
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

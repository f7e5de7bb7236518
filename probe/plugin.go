package probe

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
)

// Exit codes of a monitoring plugin (Monitoring Plugins Development Guidelines, "Plugin Return Codes").
const (
	pluginOK = iota
	pluginWarning
	pluginCritical
	pluginUnknown
)

// Exit codes of a shell that cannot run a program.
const (
	shellNotExecutable = 126
	shellNotFound      = 127
)

// Prepare returns the attempt. The plugin's own status counts only if it ended by itself with one of the first three codes.
func (p *Plugin) Prepare(c *Client, k *Check, _ string) Try {
	environ := pluginEnviron(c.settings)
	return func(ctx context.Context) check.Result {
		began := time.Now()
		end, err := run(ctx, environ, 0, p.Command...)
		if err != nil {
			return impossible("the plugin cannot be run: " + err.Error() + "; install it so that this user can run it")
		}
		f := end.plugin(filepath.Base(p.Command[0]), k.Timeout)
		if !end.late {
			f.ResponseTimeMS = milliseconds(end.Ended.Sub(began))
		}
		return f
	}
}

// plugin returns the result of a plugin that ended in this way.
func (e *ended) plugin(name string, timeout time.Duration) check.Result {
	line := pluginLine(e.Stdout)
	failed := func(how string) check.Result {
		if line == "" {
			line = pluginLine(e.Stderr)
		}
		return down("plugin " + name + " " + how + said(line))
	}
	unsure := func(how string) check.Result { return unmade(failed(how).Error) }
	switch {
	case e.late:
		return failed(fmt.Sprintf("did not end within %s and was killed", timeout))
	case e.flooded:
		return failed(fmt.Sprintf("wrote more than %d MiB and was killed", child.DefaultMax>>20))
	case e.Signal != 0:
		return failed("was ended by " + unix.SignalName(e.Signal))
	case e.Code == pluginOK:
		return check.Result{Status: check.Healthy}
	case e.Code == pluginUnknown:
		return unsure("could not tell (exit code 3, unknown)")
	case e.Code == shellNotExecutable || e.Code == shellNotFound:
		return unsure(fmt.Sprintf("or a program that it calls cannot be run (exit code %d)", e.Code))
	case e.Code != pluginWarning && e.Code != pluginCritical:
		return failed(fmt.Sprintf("exited with %d, which no plugin does", e.Code))
	}
	f := down(line)
	if e.Code == pluginWarning {
		f.Status = check.Degraded
	}
	if line == "" {
		f.Error = fmt.Sprintf("plugin %s said nothing, exit code %d", name, e.Code)
		if line = pluginLine(e.Stderr); line != "" {
			f.Error += said(line)
		}
	}
	return f
}

// said returns a line to be appended after a colon; empty if the line is.
func said(line string) string {
	if line == "" {
		return ""
	}
	return ": " + line
}

// pluginLine returns the first line of output that is not blank, up to its performance data. Invalid UTF-8 is replaced.
func pluginLine(output []byte) string {
	for line := range bytes.Lines(output) {
		text, _, _ := bytes.Cut(line, []byte("|"))
		if text = bytes.TrimSpace(text); len(text) > 0 {
			return strings.ToValidUTF8(string(text), "�")
		}
	}
	return ""
}

// pluginEnviron returns the part of the operator's environment that a plugin gets. It has no variables named like a secret, no secrets of
// other checks, and of claudeops' variables, among which are notification addresses with tokens, only the run token.
func pluginEnviron(s Settings) []string {
	var seen []string
	for _, entry := range s.Environ {
		name, _, found := strings.Cut(entry, "=")
		if found && !config.SecretName(name) && !strings.HasPrefix(name, config.Prefix) && !slices.Contains(s.Secret, name) {
			seen = append(seen, entry)
		}
	}
	if s.RunToken != "" {
		seen = append(seen, config.RunTokenVariable+"="+s.RunToken)
	}
	return seen
}

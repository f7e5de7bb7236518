package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/cycle"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/prompts"
)

// finding is one line of doctor. A failed one keeps the main job from running; a warned one does not.
type finding struct {
	Check  string `json:"check"`
	Result string `json:"result"` // ok, warn or fail
	Detail string `json:"detail"`
	Remedy string `json:"remedy,omitempty"`
}

func ok(check, detail string) finding { return finding{Check: check, Result: "ok", Detail: detail} }
func warn(check, detail, remedy string) finding {
	return finding{check, "warn", detail, remedy}
}
func fail(check, detail, remedy string) finding {
	return finding{check, "fail", detail, remedy}
}

func (a *app) doctorCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "doctor",
		Short: "Check whether run-once can do its job here: exit 1 if not",
		Args:  cobra.NoArgs,
		RunE: func(c *cobra.Command, _ []string) error {
			l, err := a.load()
			if err != nil {
				return err
			}
			findings := a.examine(c.Context(), l)
			if a.json {
				err = writeJSON(a.Out, findings)
			} else {
				err = a.writeFindings(findings)
			}
			if err == nil && slices.ContainsFunc(findings, func(f finding) bool { return f.Result == "fail" }) {
				err = &exitError{code: exitFault}
			}
			return err
		},
	}
}

func (a *app) examine(ctx context.Context, l *loaded) []finding {
	c, env := l.config, l.environment
	return []finding{
		agentProgram(ctx, c),
		credential(c, env.Credential()),
		promptSet(c),
		directory("state directory", "CLAUDEOPS_STATE_DIR", c.StateDir),
		directory("results directory", "CLAUDEOPS_RESULTS_DIR", c.ResultsDir),
		localDisk(c.StateDir),
		cycleLock(c.StateDir),
		ok("schedule", fmt.Sprintf("%s (time zone %s)", c.Schedule, a.Now().Location())),
		target(c),
		exposed(c, env),
	}
}

func (a *app) writeFindings(findings []finding) error {
	return writeTable(a.Out, []string{"", "CHECK", "FOUND"}, func(row func(...string)) {
		for _, f := range findings {
			detail := f.Detail
			if f.Remedy != "" {
				detail += ": " + f.Remedy
			}
			row(f.Result, f.Check, a.redacted(detail))
		}
	})
}

// versionTime is how long the agent program may take to tell its version.
const versionTime = 20 * time.Second

func agentProgram(ctx context.Context, c config.Config) finding {
	const name = "agent program"
	path, err := exec.LookPath(c.ClaudeBin)
	if err != nil {
		return fail(name, err.Error(), "install it with `npm install -g @anthropic-ai/claude-code`, or name it in CLAUDEOPS_CLAUDE_BIN")
	}
	ctx, cancel := context.WithTimeout(ctx, versionTime)
	defer cancel()
	cmd := exec.CommandContext(ctx, path, "--version")
	cmd.WaitDelay = time.Second
	version, err := cmd.Output()
	if err != nil {
		return fail(name, fmt.Sprintf("%s --version: %v", path, err), "is CLAUDEOPS_CLAUDE_BIN the claude program?")
	}
	line, _, _ := strings.Cut(strings.TrimSpace(string(version)), "\n")
	return ok(name, path+", "+printable(line))
}

func credential(c config.Config, found config.Credential) finding {
	const name = "credential"
	switch found.Kind {
	case config.None:
		remedy := "set ANTHROPIC_API_KEY or ANTHROPIC_API_KEY_FILE, CLAUDE_CODE_OAUTH_TOKEN, or log in with `claude`"
		if c.Tier1Agent == config.Claude {
			return warn(name, "none found", remedy)
		}
		return fail(name, "none found", remedy)
	case config.OAuthToken:
		return warn(name, "CLAUDE_CODE_OAUTH_TOKEN", "the agent program takes it from its environment only, so the agent's commands can read it; an API key is kept from them")
	case config.Login:
		return ok(name, "stored login in "+found.ConfigDir)
	}
	return ok(name, string(found.Kind))
}

func promptSet(c config.Config) finding {
	const name = "prompts"
	if _, err := prompts.Open(c.PromptsDir); err != nil {
		return fail(name, err.Error(), "mend the file or unset CLAUDEOPS_PROMPTS_DIR")
	}
	if c.PromptsDir == "" {
		return ok(name, "embedded")
	}
	return ok(name, "overridden from "+c.PromptsDir)
}

// directory says whether files can be made in a directory, without leaving any, and without making the directory.
func directory(name, variable, path string) finding {
	if _, err := os.Stat(path); err != nil {
		parent := filepath.Dir(path)
		if errors.Is(err, os.ErrNotExist) && unix.Access(parent, unix.W_OK) == nil {
			return ok(name, path+" will be made by the first cycle")
		}
		return fail(name, err.Error(), "make it, or set "+variable)
	}
	if err := usable(path); err != nil {
		return fail(name, err.Error(), "make it writable for this user, or set "+variable)
	}
	return ok(name, path)
}

// remote names the network file systems on which SQLite's log and locks are not to be trusted; empty is any other.
func remote(kind int64) string {
	switch kind {
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC:
		return "SMB"
	}
	return ""
}

func localDisk(path string) finding {
	const name = "file system"
	var st unix.Statfs_t
	at := path
	for unix.Statfs(at, &st) != nil && at != filepath.Dir(at) {
		at = filepath.Dir(at)
	}
	if kind := remote(st.Type); kind != "" {
		return fail(name, path+" is on "+kind, "locks and the database need a local file system: move CLAUDEOPS_STATE_DIR")
	}
	return ok(name, "local")
}

func cycleLock(stateDir string) finding {
	const name = "cycle lock"
	path := filepath.Join(stateDir, cycle.LockName)
	if _, err := os.Stat(path); err != nil {
		return ok(name, "free")
	}
	lock, err := statedir.TryAcquire(path)
	switch {
	case errors.Is(err, statedir.ErrLocked):
		return warn(name, "held: a cycle is running", "a run-once now would exit 75")
	case err != nil:
		return fail(name, err.Error(), "may this user open it?")
	}
	if err := lock.Release(); err != nil {
		return fail(name, err.Error(), "may this user open it?")
	}
	return ok(name, "free")
}

func target(c config.Config) finding {
	const name = "notifications"
	if !c.Notifies() {
		return warn(name, "no target", "set CLAUDEOPS_APPRISE_URLS, so that somebody hears of what needs a human")
	}
	return ok(name, "a target is configured")
}

// exposed says what of the operator's credentials an agent could read with the user's own rights. The agent's environment holds
// none of ours, but files are files.
func exposed(c config.Config, env *config.Environment) finding {
	const name = "agent can read"
	home := env.Get("HOME")
	var found []string
	for _, path := range []string{".ssh", ".kube/config", ".docker/config.json", ".aws", ".config/gcloud", ".netrc", ".git-credentials", ".claude/.credentials.json"} {
		if home == "" {
			break
		}
		if full := filepath.Join(home, path); unix.Access(full, unix.R_OK) == nil {
			found = append(found, "~/"+path)
		}
	}
	if unix.Access(config.EnvFile, unix.R_OK) == nil {
		found = append(found, config.EnvFile)
	}
	if unix.Access("/var/run/docker.sock", unix.W_OK) == nil {
		found = append(found, "/var/run/docker.sock (root's rights)")
	}
	found = append(found, c.AgentEnv...)
	if os.Geteuid() == 0 {
		found = append(found, "everything: it runs as root")
	}
	if len(found) == 0 {
		return ok(name, "none of the operator's usual credentials")
	}
	return warn(name, strings.Join(found, ", "), "run claudeops as a user of its own that holds only what the agent needs")
}

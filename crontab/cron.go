package crontab

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/pflag"
	"mvdan.cc/sh/v3/syntax"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/schedule"
)

func init() { register(func() Target { return &cronProgram{} }) }

// cronProgram is the cron program of this machine: Debian's, which is Vixie's 3.0, or one that reads its crontabs.
type cronProgram struct{}

func (*cronProgram) Name() string         { return "cron" }
func (*cronProgram) Flags(*pflag.FlagSet) {}
func (*cronProgram) System() bool         { return false }
func (*cronProgram) Sign() string         { return systemCrontab }
func (*cronProgram) Given() []string      { return nil }

func (*cronProgram) Doc() string {
	return "lines of your crontab, or with --user, as root, of another user's; with --scope system, /etc/cron.d/claudeops, whose lines name the user"
}

// Warnings are none: cron handles clock changes like `claudeops cron`; see CronFields.
func (*cronProgram) Warnings(Job) []string { return nil }

// systemCrontab is the crontab of claudeops in the system. cron ignores files there with a dot in the name.
const systemCrontab = "/etc/cron.d/claudeops"

func (*cronProgram) Paths(j Job) ([]string, error) {
	if j.System {
		return []string{systemCrontab}, nil
	}
	return []string{"crontab of " + cmp.Or(j.User, CurrentUser())}, nil
}

func (*cronProgram) Place(j Job, f File) (Place, error) {
	if j.System {
		return filePlace{File: f, program: "cron"}, nil
	}
	program, found := child.Find("crontab", os.Getenv("PATH"))
	if !found {
		return nil, errors.New("there is no crontab program in PATH: install cron (Debian: apt install cron), or see what else runs a job: `claudeops crontab print --help`")
	}
	if j.User == CurrentUser() {
		j.User = ""
	}
	return userCrontab{program, j.User, f.Path}, nil
}

func (c *cronProgram) Render(j Job) ([]File, error) {
	zone := SystemZone()
	lines, err := CronLines(j, zone)
	if err != nil {
		return nil, err
	}
	paths, err := c.Paths(j)
	mode := fs.FileMode(0o644)
	if !j.System {
		mode = 0o600 // the spool's mode
	}
	return []File{{paths[0], mode, lines, Hash}}, err
}

func (*cronProgram) Check(_ context.Context, j Job, who Account) (warnings []string, err error) {
	if warnings, err = j.checkFiles(who, who); err != nil {
		return nil, err
	}
	if at := who.obstacle(config.EnvFile, read); j.EnvFile == "" && at != "" {
		warnings = append(warnings, fmt.Sprintf("%s may not read %s (the permissions of %s), and runs without what it says: `chown %s %s` gives it the file",
			who.Name, config.EnvFile, at, text.ShellWord(who.Name), config.EnvFile))
	}
	if j.NoModel {
		warnings = append(warnings, "each cycle will warn, which cron mails, that no model observes: CLAUDEOPS_TIER1_AGENT=probe in "+j.envFile()+" says that this is meant")
	}
	for _, dir := range [][2]string{{"CLAUDEOPS_STATE_DIR", j.StateDir}, {"CLAUDEOPS_RESULTS_DIR", j.ResultsDir}} {
		at := dir[1]
		for ; at != "/" && at != "." && at != ""; at = filepath.Dir(at) {
			if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
				break
			}
		}
		if filepath.IsAbs(at) && who.obstacle(at, write|execute) != "" {
			warnings = append(warnings, fmt.Sprintf("%s may not write %s (%s): `install -d -o %s %s` makes it, or name another",
				who.Name, dir[1], dir[0], text.ShellWord(who.Name), text.ShellWord(dir[1])))
		}
	}
	if c := j.Config; (c.Tier1Agent != config.Probe || c.MaxTier > 1) && !strings.Contains(c.ClaudeBin, "/") {
		here, found := child.Find(c.ClaudeBin, os.Getenv("PATH"))
		if _, inJob := child.Find(c.ClaudeBin, SystemPath); found && !inJob {
			warnings = append(warnings, fmt.Sprintf("the agent program is %s, where a job of cron's does not look: set CLAUDEOPS_CLAUDE_BIN to that path", here))
		}
	}
	const pidFile = "/run/crond.pid"
	if !processIn(pidFile) {
		warnings = append(warnings, "no cron seems to run here ("+pidFile+" names no process): start it, or nothing happens")
	}
	return warnings, nil
}

// processIn reports whether a file contains the ID of a running process.
func processIn(pidFile string) bool {
	named, err := os.ReadFile(pidFile)
	if err != nil {
		return false
	}
	var pid int
	_, err = fmt.Sscan(string(named), &pid)
	return err != nil || pid > 0 && !errors.Is(syscall.Kill(pid, 0), syscall.ESRCH)
}

// Start does nothing: cron rereads its files once a minute.
func (*cronProgram) Start(context.Context, Job, bool, bool) (string, error) { return "", nil }

func (*cronProgram) Stop(context.Context, Job) (string, error)   { return "", nil }
func (*cronProgram) Forget(context.Context, Job) (string, error) { return "", nil }

// maxCommand is the longest command of a line that Debian's cron runs, in bytes; it ignores longer ones.
const maxCommand = 998

// SystemPath is the PATH in the system's crontab. cron's default lacks /usr/local/bin.
const SystemPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// userPath is appended to the PATH of a user's crontab.
const userPath = "/usr/local/bin:/usr/sbin"

// CronLines returns the job as lines of a crontab without the marks; for the system, of /etc/cron.d. systemZone is the time zone of the
// cron program, empty if unknown.
//
// cron mails a job's output. So the summary, which is also in the database, is discarded, and the log begins at level warn: a cycle
// without problems prints nothing.
func CronLines(j Job, systemZone string) (string, error) {
	command, err := cronCommand(j)
	if err != nil {
		return "", err
	}
	var lines strings.Builder
	lines.WriteString("# Faults and warnings alone are printed, which cron mails; `claudeops events` and `claudeops sessions list` have the rest.\n")
	user := ""
	if j.System {
		user = j.user() + " "
		if err := plainUser(j.user()); err != nil {
			return "", err
		}
		lines.WriteString("SHELL=/bin/sh\nPATH=" + SystemPath + "\nCLAUDEOPS_LOG_LEVEL=warn\n")
	} else {
		// Separate variables would also apply to the operator's lines below, so they are part of the command.
		command = "PATH=$PATH:" + userPath + " CLAUDEOPS_LOG_LEVEL=warn " + command
	}
	if len(command) > maxCommand {
		return "", fmt.Errorf("the command of the crontab line is %d bytes long, and cron ignores one of more than %d: name shorter paths", len(command), maxCommand)
	}
	if len(j.Schedule) == 0 {
		return "", errors.New("no schedule is given")
	}
	for _, e := range j.Schedule {
		fields, err := CronFields(e, systemZone)
		if err != nil {
			return "", fmt.Errorf("the schedule %q: %w", e.String(), err)
		}
		lines.WriteString(fields + " " + user + command + "\n")
	}
	return lines.String(), nil
}

// cronCommand returns the command, escaped for cron and a shell.
func cronCommand(j Job) (string, error) {
	words := []string{j.Program, "run-once", "--trigger", "cron"}
	paths := []string{j.Program}
	if j.EnvFile != "" {
		words, paths = append(words, "--env-file", j.EnvFile), append(paths, j.EnvFile)
	}
	for _, path := range paths {
		switch {
		case !filepath.IsAbs(path):
			return "", fmt.Errorf("%q is no absolute path, and cron starts its commands elsewhere: write it from / on", path)
		case strings.ContainsFunc(path, unicode.IsControl) || strings.Contains(path, `\`):
			return "", fmt.Errorf("%q has a control character or a backslash in it, which no crontab line holds safely: use another path", path)
		}
	}
	for i, word := range words {
		quoted, err := syntax.Quote(word, syntax.LangPOSIX)
		if err != nil {
			return "", fmt.Errorf("%q cannot be written in a shell's words: %w", word, err)
		}
		words[i] = strings.ReplaceAll(quoted, "%", `\%`) // a newline to cron
	}
	return strings.Join(words, " ") + " >/dev/null", nil
}

// plainUser rejects names that would not be a single field of a line.
func plainUser(name string) error {
	if name == "" || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsSpace(r) || unicode.IsControl(r) || strings.ContainsRune(`:/%#\'"`, r)
	}) || name[0] == '-' {
		return fmt.Errorf("%q is no name of a user", name)
	}
	return nil
}

// CronFields returns the five fields of an expression for a crontab line, in the form that every cron program reads the same.
//
// cron has neither zones nor intervals: an expression with a zone is rejected unless that is systemZone, the name of the machine's
// time zone; @every always is. The error does not quote the expression.
func CronFields(e schedule.Expression, systemZone string) (fields string, err error) {
	if e.Every() != 0 {
		return "", errors.New("cron knows no @every; " + byTheClock)
	}
	fields = strings.Join(e.Plain(), " ")
	if e.Zone() == "" || e.Zone() == systemZone {
		return fields, nil
	}
	return "", fmt.Errorf("cron goes by the machine's time zone, %s, and knows no CRON_TZ; write the times as this machine's clock shows them, "+
		"without a zone, or use --target systemd or `claudeops cron`, which know zones", cmp.Or(systemZone, "whichever that is"))
}

// byTheClock is what to write in the place of @every.
const byTheClock = "write it by the clock, as */15 * * * * for 15m, or use `claudeops cron`"

// SystemZone returns the name of this machine's time zone, by which its cron program reads crontabs regardless of TZ; empty if the
// machine does not specify it.
func SystemZone() string { return zoneBelow("/") }

// zoneBelow is SystemZone for a given root directory.
func zoneBelow(root string) string {
	known := func(zone string) bool {
		_, err := time.LoadLocation(zone)
		return err == nil && zone != "" && zone != "Local"
	}
	target, err := os.Readlink(filepath.Join(root, "etc/localtime"))
	if os.IsNotExist(err) {
		return "UTC" // the default of every libc
	}
	if _, name, found := strings.Cut(target, "zoneinfo/"); err == nil && found {
		if name = strings.TrimPrefix(name, "posix/"); known(name) {
			return name
		}
	}
	const longest = 1 << 10
	zone, err := statedir.ReadFile(filepath.Join(root, "etc/timezone"), longest)
	if name := strings.TrimSpace(string(zone)); err == nil && known(name) {
		return name
	}
	return ""
}

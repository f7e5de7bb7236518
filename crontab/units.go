package crontab

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/claudeops/claudeops/config"
)

// The files of the systemd target, relative to the folder of units.
const (
	ServiceUnit = "claudeops.service"
	TimerUnit   = "claudeops.timer"
)

// UnitOptions are what systemd can do beside the job. The zero value is none of it.
type UnitOptions struct {
	Credentials map[string]string // variable to the absolute path of the file with its value, which only root need be able to read
	AllowUnits  []string          // services that the user of the job may restart, stop and reload; of the system scope alone
	Jitter      time.Duration     // a run begins at random up to as much later
}

// Units renders the job as a service and its timer and, where units are allowed, a rule for polkit; none has marks. A StateDir or ResultsDir
// that is empty lies where systemd keeps the state of services: below /var/lib/claudeops, or ~/.local/state/claudeops of a user.
func Units(j Job, o UnitOptions) ([]File, error) {
	service, err := serviceUnit(j, o)
	if err != nil {
		return nil, err
	}
	timer, err := timerUnit(j, o)
	if err != nil {
		return nil, err
	}
	files := []File{{ServiceUnit, 0o644, service, Hash}, {TimerUnit, 0o644, timer, Hash}}
	if len(o.AllowUnits) == 0 {
		return files, nil
	}
	if !j.System {
		return nil, errors.New("units are allowed by the system's polkit, and this job is a user's own: leave out --allow-unit, or choose the system scope")
	}
	rule, err := PolkitRule(j.user(), o.AllowUnits)
	if err != nil {
		return nil, err
	}
	return append(files, File{PolkitPath, 0o644, rule, Slashes}), nil
}

// unit is a unit file in the making. Its first fault is kept, and what is written after it means nothing.
type unit struct {
	text  strings.Builder
	fault error
}

func (u *unit) line(format string, args ...any) { fmt.Fprintf(&u.text, format+"\n", args...) }

// path checks a path for what no unit file can hold.
func (u *unit) path(what, path string) string {
	switch {
	case u.fault != nil:
	case !filepath.IsAbs(path):
		u.fault = fmt.Errorf("%s %q is no absolute path: write it from / on", what, path)
	case !utf8.ValidString(path) || strings.ContainsFunc(path, unicode.IsControl) || strings.TrimSpace(path) != path || strings.HasSuffix(path, `\`):
		u.fault = fmt.Errorf("%s %q: a unit file cannot hold it (control characters, white space or a backslash at its end): use another path", what, path)
	}
	return path
}

// word is text as one word of a unit file. Specifiers in it stay what they are.
func word(text string) string {
	if !strings.ContainsAny(text, " \t\"'\\;") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// literal takes from % that it begins a specifier. (In the words of a command behind the first, $ begins a variable, too.)
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }

func serviceUnit(j Job, o UnitOptions) (string, error) {
	u := &unit{}
	u.line("[Unit]\nDescription=One monitoring cycle of claudeops\nDocumentation=https://github.com/claudeops/claudeops/blob/main/docs/deploy.md#systemd")
	if j.System {
		u.line("Wants=network-online.target\nAfter=network-online.target")
	}
	u.line("\n[Service]\nType=oneshot")
	u.command(j)
	u.environment(j)
	u.credentials(o.Credentials)
	u.limits(j)
	u.line("StateDirectory=claudeops claudeops/results\nStateDirectoryMode=0700")
	hardening := commonHardening
	if j.System {
		u.writable(j)
		hardening = systemHardening
	}
	u.line("# What stays open, and why, is in the documentation above.\n%s", strings.TrimSpace(hardening))
	return u.text.String(), u.fault
}

func (u *unit) command(j Job) {
	if j.System {
		user := j.user()
		if err := plainUser(user); err != nil && u.fault == nil {
			u.fault = err
		}
		u.line("User=%s", literal(user))
	}
	if strings.ContainsAny(j.Program, `"'\`) && u.fault == nil {
		u.fault = fmt.Errorf("the program %q: systemd starts none with quotes or a backslash in its path: use another path", j.Program)
	}
	words := []string{word(literal(u.path("the program", j.Program))), "run-once", "--trigger", "systemd"}
	if j.EnvFile != "" {
		words = append(words, "--env-file", strings.ReplaceAll(word(literal(u.path("the environment file", j.EnvFile))), "$", "$$"))
	}
	u.line("ExecStart=%s", strings.Join(words, " "))
}

// environment gives the folders as far as the operator's own file says nothing else: what EnvironmentFile= holds beats Environment=, and
// systemd reads it as root. (The program reads the file too, but below all of its environment.)
func (u *unit) environment(j Job) {
	u.line("# %s beats these.", j.envFile())
	for _, dir := range []struct{ name, path, def string }{
		{"CLAUDEOPS_STATE_DIR", j.StateDir, "%S/claudeops"},
		{"CLAUDEOPS_RESULTS_DIR", j.ResultsDir, "%S/claudeops/results"},
		{"CLAUDEOPS_REPOS_DIR", j.ReposDir, ""},
	} {
		switch {
		case dir.path != "":
			u.line("Environment=%s", word(dir.name+"="+literal(u.path(dir.name, dir.path))))
		case dir.def != "":
			u.line("Environment=%s", word(dir.name+"="+dir.def))
		}
	}
	// A pattern of file names may stand here, so that its signs are escaped; a file that was named has to be there.
	if j.EnvFile == "" {
		u.line("EnvironmentFile=-%s", config.EnvFile)
		return
	}
	escape := strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`)
	u.line("EnvironmentFile=%s", literal(escape.Replace(j.EnvFile)))
}

// credentials hands secrets over in files that only the service sees.
func (u *unit) credentials(files map[string]string) {
	for _, name := range slices.Sorted(maps.Keys(files)) {
		if !config.HasFileForm(name) && u.fault == nil {
			u.fault = fmt.Errorf("%s is no secret that claudeops takes from a file: name one such as ANTHROPIC_API_KEY or CLAUDEOPS_APPRISE_URLS", name)
		}
		path := u.path("the file of "+name, files[name])
		if strings.ContainsAny(path, " \"'\\") && u.fault == nil {
			u.fault = fmt.Errorf("the file of %s %q: systemd takes no blanks, quotes and backslashes in the path of a credential: use another path", name, path)
		}
		id := strings.ToLower(name)
		u.line("LoadCredential=%s:%s\nEnvironment=%s_FILE=%%d/%s", id, literal(path), name, id)
	}
}

// room is what a cycle gets beyond the longest that it may take, in which it is to end by itself.
const room = 5 * time.Minute

func (u *unit) limits(j Job) {
	if j.Longest <= 0 && u.fault == nil {
		u.fault = errors.New("how long a cycle may take is not known: the time limits of the tiers are needed")
	}
	u.line("# A cycle ends its tiers by their own time limits (%s in all); this is for one that does not.", j.Longest)
	u.line("TimeoutStartSec=%s", seconds((j.Longest + room).Round(time.Minute)))
	u.line(`# Told to stop, claudeops ends its agent and records the session; whatever is left after that is killed.
KillMode=mixed
TimeoutStopSec=2min
# Another cycle runs already (75); ended by systemctl stop (143).
SuccessExitStatus=75 143
# The agent is what grows: without it, the cycle still records and tells what happened.
OOMPolicy=continue
MemoryMax=2G
TasksMax=512`)
}

// seconds is a duration as systemd reads it.
func seconds(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%dmin", d/time.Minute)
	}
	return fmt.Sprintf("%gs", d.Seconds())
}

// writable opens what ProtectSystem= closes.
func (u *unit) writable(j Job) {
	var paths []string
	for _, path := range []string{j.StateDir, j.ResultsDir} {
		if path != "" && !slices.Contains(paths, path) {
			paths = append(paths, path)
		}
	}
	for _, path := range paths {
		u.line("ReadWritePaths=%s", word(literal("-"+path)))
	}
}

// commonHardening needs no right that a user's own systemd lacks.
const commonHardening = `
UMask=0077
NoNewPrivileges=yes
LockPersonality=yes
RestrictRealtime=yes
RestrictNamespaces=yes
RestrictSUIDSGID=yes
RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
SystemCallArchitectures=native
SystemCallFilter=@system-service landlock_create_ruleset landlock_add_rule landlock_restrict_self seccomp
SystemCallFilter=~@privileged
SystemCallErrorNumber=EPERM
`

// systemHardening is explained, and what it leaves out too, in docs/deploy.md.
const systemHardening = commonHardening + `CapabilityBoundingSet=
AmbientCapabilities=
ProtectSystem=strict
ProtectHome=yes
PrivateTmp=yes
PrivateDevices=yes
ProtectKernelTunables=yes
ProtectKernelModules=yes
ProtectKernelLogs=yes
ProtectControlGroups=yes
ProtectClock=yes
ProtectHostname=yes
RemoveIPC=yes
`

func timerUnit(j Job, o UnitOptions) (string, error) {
	if len(j.Schedule) == 0 {
		return "", errors.New("no schedule is given")
	}
	u := &unit{}
	u.line("[Unit]\nDescription=When claudeops looks after its services\nDocumentation=https://github.com/claudeops/claudeops/blob/main/docs/deploy.md#systemd\n\n[Timer]")
	onCalendar := false
	for _, e := range j.Schedule {
		calendars, every, err := Calendars(e)
		if err != nil {
			return "", err
		}
		onCalendar = onCalendar || len(calendars) > 0
		u.line("# %s", e)
		for _, calendar := range calendars {
			u.line("OnCalendar=%s", calendar)
		}
		if every > 0 {
			u.line("OnActiveSec=%s\nOnUnitActiveSec=%s", seconds(every), seconds(every))
		}
	}
	if onCalendar { // the others count from the timer's start
		u.line("# A run that was missed while the machine was off is made up for once.\nPersistent=true")
	}
	u.line("AccuracySec=1s")
	if o.Jitter < 0 {
		return "", fmt.Errorf("a jitter of %v: it is 0 or more", o.Jitter)
	}
	if o.Jitter > 0 {
		u.line("RandomizedDelaySec=%s", seconds(o.Jitter))
	}
	u.line("\n[Install]\nWantedBy=timers.target")
	return u.text.String(), nil
}

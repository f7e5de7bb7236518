package crontab

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/text"
)

func init() { register(func() Target { return &Systemd{} }) }

// Systemd is the machine's systemd, or a user's own.
type Systemd struct {
	options     UnitOptions
	credentials []string // VARIABLE=FILE, as given
}

// Name implements Target.
func (*Systemd) Name() string { return "systemd" }

// Doc implements Target.
func (*Systemd) Doc() string {
	return "claudeops.service and claudeops.timer, which install starts, and with --allow-unit a rule for polkit; with --scope user, units of your own systemd"
}

// Flags implements Target.
func (s *Systemd) Flags(set *pflag.FlagSet) {
	flags.Var(set, &s.options.Jitter, "jitter", "", "systemd: start up to so much `TIME` later, at random; 0 is none", jitter)
	set.StringArrayVar(&s.credentials, "credential", nil, "systemd: give a secret as `VARIABLE=FILE`, which root alone needs to read; may be repeated")
	set.StringArrayVar(&s.options.AllowUnits, "allow-unit", nil, "systemd: let the agent restart this unit, by `NAME`, and no other; may be repeated")
}

func jitter(text string) (time.Duration, error) {
	if d, err := time.ParseDuration(text); err == nil && d == 0 {
		return 0, nil
	}
	return flags.Time(text)
}

// System implements Local.
func (*Systemd) System() bool { return true }

// Given implements Local: a unit has a line for each of them.
func (s *Systemd) Given() []string {
	names := []string{"CLAUDEOPS_STATE_DIR", "CLAUDEOPS_RESULTS_DIR", "CLAUDEOPS_REPOS_DIR"}
	for _, given := range s.credentials {
		name, _, _ := strings.Cut(given, "=")
		names = append(names, name)
	}
	return names
}

// Paths implements Local.
func (*Systemd) Paths(j Job) ([]string, error) {
	if err := ownScope(j); err != nil {
		return nil, err
	}
	if j.System {
		const units = "/etc/systemd/system/"
		return []string{units + ServiceUnit, units + TimerUnit, PolkitPath}, nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return nil, fmt.Errorf("where the user's units are: %w", err)
	}
	return []string{filepath.Join(dir, "systemd", "user", ServiceUnit), filepath.Join(dir, "systemd", "user", TimerUnit)}, nil
}

// ownScope rejects units of another user: those of --scope user are the caller's own.
func ownScope(j Job) error {
	if !j.System && j.User != "" {
		return &FlagError{errors.New("--user: the units of --scope user run as the user whose they are")}
	}
	return nil
}

// Sign implements Local: the package has units of its own, elsewhere.
func (*Systemd) Sign() string { return "/etc/systemd/system/timers.target.wants/" + TimerUnit }

// Place implements Local. The directory of a user's units may have to be created; polkit creates that of its rules.
func (*Systemd) Place(_ Job, f File) (Place, error) {
	place := filePlace{File: f, whole: true}
	if f.Path == PolkitPath {
		place.program = "polkit"
	}
	return place, nil
}

// Render implements Target. Directories that the operator has not named are left to systemd.
func (s *Systemd) Render(j Job) ([]File, error) {
	if err := ownScope(j); err != nil {
		return nil, err
	}
	s.options.Credentials = map[string]string{}
	for _, given := range s.credentials {
		name, path, found := strings.Cut(given, "=")
		if !found || name == "" || path == "" {
			return nil, &FlagError{fmt.Errorf("--credential %q: write it like ANTHROPIC_API_KEY=/etc/claudeops/key", given)}
		}
		if _, twice := s.options.Credentials[name]; twice {
			return nil, &FlagError{fmt.Errorf("--credential %s is given twice", name)}
		}
		s.options.Credentials[name] = path
	}
	folders := map[string]*string{"CLAUDEOPS_STATE_DIR": &j.StateDir, "CLAUDEOPS_RESULTS_DIR": &j.ResultsDir, "CLAUDEOPS_REPOS_DIR": &j.ReposDir}
	for _, v := range j.Environment.Variables() {
		if path := folders[v.Name]; path != nil && v.Source == config.FromDefault {
			*path = ""
		}
	}
	files, err := Units(j, s.options)
	if err != nil {
		return nil, err
	}
	paths, err := s.Paths(j)
	for i := range files {
		files[i].Path = paths[i]
	}
	return files, err
}

// Warnings implements Target.
func (s *Systemd) Warnings(j Job) (warnings []string) {
	for _, e := range j.Schedule {
		if next := e.Next(j.Now); s.options.Jitter != 0 && s.options.Jitter >= e.Next(next).Sub(next) {
			warnings = append(warnings, fmt.Sprintf("%q: --jitter %s is as long as two runs are apart: some will not come", e, s.options.Jitter))
		}
	}
	return warnings
}

// Check implements Local. systemd reads credentials as root and follows links: whoever can replace one could make it read any file.
func (s *Systemd) Check(ctx context.Context, j Job, who Account) (warnings []string, err error) {
	root := who
	if j.System {
		root = Account{}
		if err := j.checkSeen(); err != nil {
			return nil, err
		}
	}
	for _, given := range s.credentials {
		name, path, _ := strings.Cut(given, "=")
		if is, err := os.Stat(path); errors.Is(err, fs.ErrNotExist) || err == nil && !is.Mode().IsRegular() {
			return nil, fmt.Errorf("--credential %s: there is no file %s, without which systemd starts no run: write the secret into it", name, path)
		}
		if at, by := Replaceable(path, root); at != "" {
			return nil, fmt.Errorf("--credential %s: %s can change %s, and would have systemd read any file of the machine's: keep the file in a folder of root's, such as /etc/claudeops", name, by, at)
		}
		for _, v := range j.Environment.Variables() {
			if v.Name == name && j.fromFile(v) && os.Getenv(name+"_FILE") == "" {
				return nil, fmt.Errorf("--credential %s: %s sets it too, in this or in its _FILE form, and each run would fail: take the line out there", name, j.envFile())
			}
		}
	}
	if warnings, err = j.checkFiles(who, root); err != nil {
		return nil, err
	}
	return append(warnings, s.unknownUnits(ctx)...), nil
}

// fromFile reports whether a variable comes from the environment file, or from a secret's own.
func (j Job) fromFile(v config.Variable) bool {
	return v.Source != config.FromDefault && v.Source != config.FromEnvironment
}

// checkSeen rejects a program and variables with files that a hardened system unit cannot see, or sees differently. If a drop-in of the
// operator changes what the unit sees of homes, variables are not checked.
func (j Job) checkSeen() error {
	unseen := func(path string) string {
		for _, dir := range []string{"/home", "/root", "/run/user", "/tmp", "/var/tmp"} {
			if path == dir || below(path, dir) {
				return dir
			}
		}
		return ""
	}
	for _, path := range []string{j.Program, j.EnvFile} {
		if _, err := os.Stat(path); err == nil && unseen(path) != "" {
			return fmt.Errorf("%s: a unit of the system sees neither homes nor temporary folders; install it elsewhere, the program in /usr/local/bin", path)
		}
	}
	dropIns, _ := filepath.Glob("/etc/systemd/system/" + ServiceUnit + ".d/*.conf") // the pattern is a good one
	for _, path := range dropIns {
		if set, err := os.ReadFile(path); err == nil && strings.Contains(string(set), "\nProtectHome=") {
			return nil
		}
	}
	folders := map[string]string{"CLAUDEOPS_STATE_DIR": j.StateDir, "CLAUDEOPS_RESULTS_DIR": j.ResultsDir, "CLAUDEOPS_REPOS_DIR": j.ReposDir}
	for _, v := range j.Environment.Variables() {
		path, isFolder := folders[v.Name]
		switch {
		case isFolder && v.Source == config.FromDefault:
			path = "" // below /var/lib/claudeops
		case !isFolder && j.fromFile(v):
			path = v.Value
			if os.Getenv(v.Name+"_FILE") == "" && filepath.IsAbs(v.Source) && config.HasFileForm(v.Name) {
				path = v.Source // a secret's own file
			}
		}
		if dir := unseen(path); dir != "" {
			return fmt.Errorf("%s is %s, and a unit of the system sees nothing of %s (ProtectHome=, PrivateTmp=): name another folder in %s, or take the line out, for a folder below /var/lib/claudeops; or use --scope user",
				v.Name, path, dir, j.envFile())
		}
	}
	return nil
}

// unknownUnits warns of allowed services that this machine's systemd does not know by that name.
func (s *Systemd) unknownUnits(ctx context.Context) (warnings []string) {
	program, found := child.Find("systemctl", os.Getenv("PATH"))
	if !found || !systemdBooted() {
		return nil
	}
	for _, name := range s.options.AllowUnits {
		name = text.Unit(name)
		out, err := runProgram(ctx, nil, program, "show", "--property=Id,LoadState", "--", name)
		if err != nil {
			continue // Start says what is wrong with systemctl
		}
		switch properties := strings.Split(string(out), "\n"); {
		case slices.Contains(properties, "LoadState=not-found"):
			warnings = append(warnings, fmt.Sprintf("--allow-unit %s: systemd knows no such unit here; `systemctl list-units --type=service` has their names", name))
		case !slices.Contains(properties, "Id="+name):
			warnings = append(warnings, fmt.Sprintf("--allow-unit %s is another name of a unit, by which polkit does not know it: allow the one that `systemctl show --property=Id %s` says",
				name, name))
		}
	}
	return warnings
}

// Start implements Local: systemd reads the units and starts the timer. A running timer gets its new times, regardless of start limits.
func (*Systemd) Start(ctx context.Context, j Job, changed, dryRun bool) (said string, err error) {
	calls := [][]string{{"daemon-reload"}, {"enable", "--now", TimerUnit}}
	if changed {
		calls = [][]string{{"daemon-reload"}, {"enable", TimerUnit}, {"reset-failed", TimerUnit}, {"restart", TimerUnit}}
	}
	if dryRun {
		return "and then:\n" + typed(j, calls), nil
	}
	if said, err = systemctl(ctx, j, calls...); err != nil {
		err = fmt.Errorf("the units are written, and the timer was not started: %w", err)
		if !j.System && os.Getenv("XDG_RUNTIME_DIR") == "" {
			err = fmt.Errorf("%w\n(XDG_RUNTIME_DIR is not set: a user's systemd is reached from a login of that user, by ssh or `machinectl shell`, rather than from su or sudo)", err)
		}
	}
	return said, err
}

// Stop implements Local.
func (*Systemd) Stop(ctx context.Context, j Job) (said string, err error) {
	if said, err = systemctl(ctx, j, []string{"disable", "--now", TimerUnit}); err != nil {
		err = fmt.Errorf("the timer was not stopped, and nothing was changed: %w", err)
	}
	return said, err
}

// Forget implements Local.
func (*Systemd) Forget(ctx context.Context, j Job) (said string, err error) {
	if said, err = systemctl(ctx, j, []string{"daemon-reload"}); err != nil {
		err = fmt.Errorf("the units are removed, and systemd still knows them: %w", err)
	}
	return said, err
}

// systemctl makes the calls if systemd is running, and otherwise returns the commands to type where it is.
func systemctl(ctx context.Context, j Job, calls ...[]string) (said string, err error) {
	if !systemdBooted() {
		return "systemd does not run here; where it does:\n" + typed(j, calls), nil
	}
	program, found := child.Find("systemctl", os.Getenv("PATH"))
	if !found {
		return "there is no systemctl in PATH; type with it:\n" + typed(j, calls), nil
	}
	for i, call := range calls {
		if _, err := runProgram(ctx, nil, append([]string{program}, j.systemctl(call)...)...); err != nil {
			return "", errors.Join(err, errors.New("when that is mended, type:\n"+strings.TrimRight(typed(j, calls[i:]), "\n")))
		}
	}
	return "", nil
}

// systemctl are the arguments of a call for the job's scope.
func (j Job) systemctl(call []string) []string {
	if j.System {
		return call
	}
	return append([]string{"--user"}, call...)
}

// typed are calls as people type them.
func typed(j Job, calls [][]string) string {
	var lines strings.Builder
	for _, call := range calls {
		lines.WriteString("  systemctl " + strings.Join(j.systemctl(call), " ") + "\n")
	}
	return lines.String()
}

// systemdBooted is sd_booted(3).
func systemdBooted() bool {
	_, err := os.Lstat("/run/systemd/system")
	return err == nil
}

package crontab

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"text/template"
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

//go:embed units.tmpl
var unitsText string

// UnitOptions are systemd's additional options. The zero value uses none.
type UnitOptions struct {
	Credentials map[string]string // variable to the absolute path of the file with its value, which only root need be able to read
	AllowUnits  []string          // services that the user of the job may restart, stop and reload; of the system scope alone
	Jitter      time.Duration     // a run begins at random up to as much later
}

// Units renders the job as a service and its timer and, if units are allowed, a polkit rule. An empty StateDir or ResultsDir is where
// systemd keeps the state of services: below /var/lib/claudeops, or a user's ~/.local/state/claudeops.
func Units(j Job, o UnitOptions) ([]File, error) {
	if err := j.checkUnits(o); err != nil {
		return nil, err
	}
	t, err := template.New("units").Parse(unitsText)
	if err != nil {
		return nil, fmt.Errorf("the template of the units: %w", err)
	}
	v := unitValuesOf(j, o)
	var files []File
	for _, name := range []string{ServiceUnit, TimerUnit} {
		var text strings.Builder
		if err := t.ExecuteTemplate(&text, name, v); err != nil {
			return nil, fmt.Errorf("render %s: %w", name, err)
		}
		files = append(files, File{name, 0o644, text.String(), Hash})
	}
	if len(o.AllowUnits) == 0 {
		return files, nil
	}
	rule, err := PolkitRule(j.user(), o.AllowUnits)
	return append(files, File{PolkitPath, 0o644, rule, Slashes}), err
}

// checkUnits rejects what a unit file cannot contain.
func (j Job) checkUnits(o UnitOptions) error {
	type path struct{ what, path string }
	paths := []path{
		{"the program", j.Program}, {"the environment file", j.EnvFile},
		{"CLAUDEOPS_STATE_DIR", j.StateDir}, {"CLAUDEOPS_RESULTS_DIR", j.ResultsDir}, {"CLAUDEOPS_REPOS_DIR", j.ReposDir},
	}
	for _, name := range slices.Sorted(maps.Keys(o.Credentials)) {
		if !config.HasFileForm(name) {
			return fmt.Errorf("%s is no secret that claudeops takes from a file: name one such as ANTHROPIC_API_KEY or CLAUDEOPS_APPRISE_URLS", name)
		}
		if file := o.Credentials[name]; strings.ContainsAny(file, " \"'\\") {
			return fmt.Errorf("the file of %s %q: systemd takes no blanks, quotes and backslashes in the path of a credential: use another path", name, file)
		}
		paths = append(paths, path{"the file of " + name, o.Credentials[name]})
	}
	for i, p := range paths {
		switch {
		case p.path == "" && i > 0: // it is left to systemd
		case !filepath.IsAbs(p.path):
			return fmt.Errorf("%s %q is no absolute path: write it from / on", p.what, p.path)
		case !utf8.ValidString(p.path) || strings.ContainsFunc(p.path, unicode.IsControl) || strings.TrimSpace(p.path) != p.path || strings.HasSuffix(p.path, `\`):
			return fmt.Errorf("%s %q: a unit file cannot hold it (control characters, white space or a backslash at its end): use another path", p.what, p.path)
		}
	}
	switch {
	case strings.ContainsAny(j.Program, `"'\`):
		return fmt.Errorf("the program %q: systemd starts none with quotes or a backslash in its path: use another path", j.Program)
	case j.Longest <= 0:
		return errors.New("how long a cycle may take is not known: the time limits of the tiers are needed")
	case len(j.Schedule) == 0:
		return errors.New("no schedule is given")
	case o.Jitter < 0:
		return fmt.Errorf("a jitter of %v: it is 0 or more", o.Jitter)
	case !j.System && len(o.AllowUnits) > 0:
		return errors.New("units are allowed by the system's polkit, and this job is a user's own: leave out --allow-unit, or choose the system scope")
	case j.System:
		return plainUser(j.user())
	}
	return nil
}

// unitValues is the input of the unit templates, escaped for unit files.
type unitValues struct {
	System                  bool
	User, Command, EnvFile  string
	Environment, Writable   []string
	Given                   string // the environment file, as an option of the unit
	Credentials             []unitCredential
	Longest, Timeout, Delay string
	Timers                  []unitTimer
	Persistent              bool
}

type unitCredential struct{ ID, Variable, Path string }

// unitTimer is one expression: calendars, or an interval.
type unitTimer struct {
	Expression string
	Calendars  []string
	Every      string
}

// room is the time beyond a cycle's longest duration in which it should end by itself.
const room = 5 * time.Minute

func unitValuesOf(j Job, o UnitOptions) unitValues {
	v := unitValues{
		System: j.System, User: literal(j.user()), Command: word(literal(j.Program)) + " run-once --trigger systemd", EnvFile: j.envFile(),
		Given: "-" + config.EnvFile, Longest: j.Longest.String(), Timeout: seconds((j.Longest + room).Round(time.Minute)),
	}
	if j.EnvFile != "" {
		v.Command += " --env-file " + strings.ReplaceAll(word(literal(j.EnvFile)), "$", "$$")
		// The setting takes a file name pattern, so special characters are escaped; a named file must exist.
		v.Given = literal(strings.NewReplacer(`\`, `\\`, "*", `\*`, "?", `\?`, "[", `\[`, "{", `\{`).Replace(j.EnvFile))
	}
	for _, dir := range [][3]string{
		{"CLAUDEOPS_STATE_DIR", j.StateDir, "%S/claudeops"}, {"CLAUDEOPS_RESULTS_DIR", j.ResultsDir, "%S/claudeops/results"}, {"CLAUDEOPS_REPOS_DIR", j.ReposDir, ""},
	} {
		if path := cmp.Or(literal(dir[1]), dir[2]); path != "" {
			v.Environment = append(v.Environment, word(dir[0]+"="+path))
		}
	}
	for _, path := range []string{j.StateDir, j.ResultsDir} {
		if line := word(literal("-" + path)); path != "" && !slices.Contains(v.Writable, line) {
			v.Writable = append(v.Writable, line)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(o.Credentials)) {
		v.Credentials = append(v.Credentials, unitCredential{strings.ToLower(name), name, literal(o.Credentials[name])})
	}
	for _, e := range j.Schedule {
		timer := unitTimer{Expression: e.String(), Calendars: Calendars(e)}
		if every := e.Every(); every > 0 {
			timer.Every = seconds(every)
		}
		v.Persistent = v.Persistent || len(timer.Calendars) > 0 // the others count from the timer's start
		v.Timers = append(v.Timers, timer)
	}
	if o.Jitter > 0 {
		v.Delay = seconds(o.Jitter)
	}
	return v
}

// word quotes text as one word of a unit file. Specifiers in it are kept.
func word(text string) string {
	if !strings.ContainsAny(text, " \t\"'\\;") {
		return text
	}
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(text) + `"`
}

// literal escapes % so that it does not begin a specifier. (In the arguments of a command, $ begins a variable, too.)
func literal(text string) string { return strings.ReplaceAll(text, "%", "%%") }

// seconds formats a duration for systemd.
func seconds(d time.Duration) string {
	if d%time.Minute == 0 {
		return fmt.Sprintf("%dmin", d/time.Minute)
	}
	return fmt.Sprintf("%gs", d.Seconds())
}

package cli

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/crontab"
)

// recordPrefix begins a comment in the block of ours, a flag each, by which the next install knows what this one had.
const recordPrefix = "# installed with "

// given are the flags that say what the job is, as they are typed.
func (a *app) given(f *crontabFlags) (flags []string) {
	add := func(name string, values ...string) {
		for _, value := range values {
			if value != "" {
				flags = append(flags, "--"+name+" "+shellWord(value))
			}
		}
	}
	add("program", f.program)
	if path, err := filepath.Abs(a.envFile); err == nil && a.envFile != "" {
		add("env-file", path)
	}
	add("schedule", f.schedules...)
	if f.system() {
		add("user", f.user)
	}
	if f.jitter != 0 {
		add("jitter", f.jitter.String())
	}
	add("credential", f.credentials...)
	add("allow-unit", f.allowUnits...)
	return flags
}

// record adds the flags to the first file, which has them for all.
func record(files []rendered, flags []string) {
	var text strings.Builder
	for _, flag := range flags {
		text.WriteString(recordPrefix + flag + "\n")
	}
	if len(files) > 0 && files[0].marks == crontab.Hash {
		files[0].Text = text.String() + files[0].Text
	}
}

// kept refuses to take away what an earlier install was told by flags that this one has nothing in the place of.
func (f *crontabFlags) kept(edits []crontab.Edit, flags []string) error {
	if f.reset || len(edits) == 0 {
		return nil
	}
	has := map[string]bool{}
	for _, flag := range flags {
		has[place(flag)] = true
	}
	var lost []string
	for line := range strings.Lines(edits[0].Inside(crontab.Hash)) {
		if flag, found := strings.CutPrefix(strings.TrimSpace(line), recordPrefix); found && !has[place(flag)] {
			lost = append(lost, flag)
		}
	}
	if len(lost) == 0 {
		return nil
	}
	return fmt.Errorf("the install before had %s, which this one would take away; nothing was changed. To keep it: `%s %s`. To do without: the same as now, with --reset",
		strings.Join(lost, " "), f.line("install"), strings.Join(append(lost, flags...), " "))
}

// place is what two flags have in common of which one takes the other's place: the name, with the variable of a credential, and all of an
// allowed unit.
func place(flag string) string {
	name, value, _ := strings.Cut(flag, " ")
	switch name {
	case "--allow-unit":
		return flag
	case "--credential":
		variable, _, _ := strings.Cut(value, "=")
		return name + " " + strings.TrimPrefix(variable, "'")
	}
	return name
}

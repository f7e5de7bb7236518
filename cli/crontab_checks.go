package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/text"
)

// wherePrograms warns of a program that stands where it may be gone, or another's, by the time it is run.
func wherePrograms(j crontab.Job) (warnings []string) {
	home, _ := os.UserHomeDir() // without one nothing is below it
	for _, dir := range []struct{ path, why string }{
		{os.TempDir(), "what stands there is deleted one day"}, {"/tmp", "what stands there is deleted one day"},
		{"/var/tmp", "what stands there is deleted one day"}, {"/home", "a home may not be there at boot, and its user can replace the program"},
		{home, "a home may not be there at boot, and its user can replace the program"},
	} {
		if dir.path != "" && dir.path != "/" && below(j.Program, dir.path) {
			return []string{fmt.Sprintf("the program is %s, below %s: %s. Install it in /usr/local/bin, or name another with --program", j.Program, dir.path, dir.why)}
		}
	}
	return nil
}

func below(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// unsaid warns of what is set for this command and will not be for the job.
func (f *crontabFlags) unsaid(j crontab.Job, l *loaded) (warnings []string) {
	known := []string{"CLAUDEOPS_SCHEDULE", "CLAUDEOPS_LOG_LEVEL", "CLAUDEOPS_LOG_FORMAT"}
	if f.target.word == systemdTarget { // which has a line for each of them
		known = append(known, "CLAUDEOPS_STATE_DIR", "CLAUDEOPS_RESULTS_DIR", "CLAUDEOPS_REPOS_DIR")
	}
	for _, given := range f.credentials {
		name, _, _ := strings.Cut(given, "=")
		known = append(known, name)
	}
	var missing, other []string
	for _, v := range l.environment.Variables() {
		if v.Source != config.FromEnvironment || slices.Contains(known, v.Name) {
			continue
		}
		switch text, set := l.environment.FromFile(v.Name); {
		case !set:
			missing = append(missing, v.Name)
		case text != l.environment.Get(v.Name):
			other = append(other, v.Name)
		}
	}
	if f.target.word == kubernetesTarget {
		return nil
	}
	if len(missing) > 0 {
		warnings = append(warnings, fmt.Sprintf("only this shell has %s, which the job will not see: write what it needs into %s", text.Few(missing, 10), envFileOf(j)))
	}
	if len(other) > 0 {
		warnings = append(warnings, fmt.Sprintf("this shell and %s differ in %s: the job will have what the file says", envFileOf(j), text.Few(other, 10)))
	}
	return warnings
}

// account is who runs a job, as far as it decides what may be opened. The zero value is root.
type account struct {
	name   string
	home   string
	uid    int
	gid    int // of the group that is the user's own
	groups []int
}

// accountOf is the account of a job.
func accountOf(j crontab.Job, scopeUser string) (account, error) {
	name := scopeUser
	if j.System {
		name = j.User
		if name == "" {
			name = crontab.DefaultUser
		}
	}
	u, err := user.Current()
	if name != "" {
		u, err = user.Lookup(name)
	}
	if unknown := user.UnknownUserError(""); errors.As(err, &unknown) {
		remedy := "name another with --user"
		if j.System {
			remedy = "`useradd --system --create-home --home-dir /var/lib/" + shellWord(name) + " " + shellWord(name) + "` makes it, or name another with --user"
		}
		return account{}, fmt.Errorf("there is no user %s on this machine: %s", name, remedy)
	}
	if err != nil {
		return account{}, fmt.Errorf("look up the user of the job: %w", err)
	}
	who := account{name: u.Username, home: u.HomeDir}
	if who.uid, err = strconv.Atoi(u.Uid); err != nil {
		return account{}, fmt.Errorf("the user id of %s: %w", u.Username, err)
	}
	if who.gid, err = strconv.Atoi(u.Gid); err != nil {
		return account{}, fmt.Errorf("the group id of %s: %w", u.Username, err)
	}
	ids, err := u.GroupIds()
	if err != nil {
		ids = []string{u.Gid}
	}
	for _, id := range ids {
		if gid, err := strconv.Atoi(id); err == nil {
			who.groups = append(who.groups, gid)
		}
	}
	return who, nil
}

// may reports whether the permissions let an account do what want says (4 read, 2 write, 1 execute) with a file or folder.
func (who account) may(is fs.FileInfo, want fs.FileMode) bool {
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	mode := is.Mode().Perm()
	switch {
	case who.uid == 0:
		return want != 1 || is.IsDir() || mode&0o111 != 0
	case int(owner.Uid) == who.uid:
		mode >>= 6
	case slices.Contains(who.groups, int(owner.Gid)):
		mode >>= 3
	}
	return mode&want == want
}

// reaches says what keeps an account from a file, empty where nothing does, or where it cannot be seen from here.
func (who account) reaches(path string, want fs.FileMode) (obstacle string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		if is, err := os.Stat(dir); err == nil && !who.may(is, 1) {
			obstacle = dir
		}
		if dir == "/" {
			break
		}
	}
	if is, err := os.Stat(real); obstacle == "" && err == nil && !who.may(is, want) {
		obstacle = real
	}
	return obstacle
}

// unrunnable is what would make every run fail.
func (f *crontabFlags) unrunnable(j crontab.Job, who account) error {
	is, err := os.Stat(j.Program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("there is no program %s: name the installed claudeops with --program", j.Program)
	case err != nil:
		return fmt.Errorf("the program of the job: %w", err)
	case !is.Mode().IsRegular() || is.Mode()&0o111 == 0:
		return fmt.Errorf("%s is no program that can be executed: name the installed claudeops with --program", j.Program)
	}
	if f.target.word == systemdTarget && j.System {
		for _, path := range []string{j.Program, j.EnvFile} {
			if unseen(path) != "" {
				return fmt.Errorf("%s: a unit of the system sees neither homes nor temporary folders; install it elsewhere, the program in /usr/local/bin", path)
			}
		}
	}
	if obstacle := who.reaches(j.Program, 1); obstacle != "" {
		return fmt.Errorf("%s may not run %s: the permissions of %s keep it away; install the program in /usr/local/bin", who.name, j.Program, obstacle)
	}
	if j.EnvFile != "" {
		if obstacle := who.reaches(j.EnvFile, 4); obstacle != "" {
			return fmt.Errorf("%s may not read %s: the permissions of %s keep it away; give it the file", who.name, j.EnvFile, obstacle)
		}
	}
	return nil
}

// doubtful are warnings of what may make a run fail, or somebody else's.
func (f *crontabFlags) doubtful(ctx context.Context, j crontab.Job, who account, l *loaded) (warnings []string) {
	warnings = wherePrograms(j)
	if j.EnvFile == "" && f.target.word == cronTarget { // systemd reads it as root
		if obstacle := who.reaches(config.EnvFile, 4); obstacle != "" {
			warnings = append(warnings, fmt.Sprintf("%s may not read %s (the permissions of %s), and runs without what it says: `chown %s %s` gives it the file",
				who.name, config.EnvFile, obstacle, shellWord(who.name), config.EnvFile))
		}
	}
	if found := observes(l.config, l.environment.Credential(), confined(ctx, l.config)); found.Result == "fail" {
		warnings = append(warnings, "the job has nothing to run with: "+found.Detail+"; `claudeops doctor` says more")
	} else if found.Result == "warn" && l.config.Tier1Agent != config.Probe && f.target.word == cronTarget {
		warnings = append(warnings, "each cycle will warn, which cron mails, that no model observes: CLAUDEOPS_TIER1_AGENT=probe in "+envFileOf(j)+" says that this is meant")
	}
	return warnings
}

// unkept warns of a state directory that the job cannot use.
func unkept(j crontab.Job, who account) (warnings []string) {
	for _, dir := range []struct{ name, path string }{{"CLAUDEOPS_STATE_DIR", j.StateDir}, {"CLAUDEOPS_RESULTS_DIR", j.ResultsDir}} {
		at := dir.path
		for at != "/" && at != "." && at != "" {
			if _, err := os.Stat(at); !errors.Is(err, fs.ErrNotExist) {
				break
			}
			at = filepath.Dir(at)
		}
		if at == "" || at == "." || who.reaches(at, 3) == "" {
			continue
		}
		warnings = append(warnings, fmt.Sprintf("%s may not write %s (%s): `install -d -o %s %s` makes it, or name another",
			who.name, dir.path, dir.name, shellWord(who.name), shellWord(dir.path)))
	}
	return warnings
}

// elsewhere warns of an agent program that is found here and not by a job of cron's.
func elsewhere(c config.Config) (warnings []string) {
	if c.Tier1Agent == config.Probe && c.MaxTier == 1 || strings.Contains(c.ClaudeBin, "/") {
		return nil
	}
	here, found := child.Find(c.ClaudeBin, os.Getenv("PATH"))
	if _, there := child.Find(c.ClaudeBin, crontab.SystemPath); !found || there {
		return nil
	}
	return []string{fmt.Sprintf("the agent program is %s, where a job of cron's does not look: set CLAUDEOPS_CLAUDE_BIN to that path", here)}
}

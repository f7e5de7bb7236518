package crontab

import (
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
	"github.com/claudeops/claudeops/internal/text"
)

// Account is the identity of the user that runs a job, as far as file permissions depend on it. The zero value is root.
type Account struct {
	Name   string
	Home   string
	UID    int
	GID    int // the user's own group
	Groups []int
}

// AccountOf returns the account of a user; an empty name means the caller's.
func AccountOf(name string) (Account, error) {
	u, err := user.Current()
	if name != "" {
		u, err = user.Lookup(name)
	}
	if err != nil {
		return Account{}, err
	}
	who := Account{Name: u.Username, Home: u.HomeDir}
	if who.UID, err = strconv.Atoi(u.Uid); err != nil {
		return Account{}, fmt.Errorf("the user id of %s: %w", u.Username, err)
	}
	if who.GID, err = strconv.Atoi(u.Gid); err != nil {
		return Account{}, fmt.Errorf("the group id of %s: %w", u.Username, err)
	}
	ids, err := u.GroupIds()
	if err != nil {
		ids = []string{u.Gid}
	}
	for _, id := range ids {
		if gid, err := strconv.Atoi(id); err == nil {
			who.Groups = append(who.Groups, gid)
		}
	}
	return who, nil
}

// Newcomer returns the account of a user that does not exist yet: it has only everyone's permissions.
func Newcomer(name string) Account { return Account{Name: name, UID: -1, GID: -1} }

// account returns the account that runs the job.
func (j Job) account() (Account, error) {
	if j.NewUser {
		return Newcomer(j.user()), nil
	}
	name := j.User
	if j.System {
		name = j.user()
	}
	who, err := AccountOf(name)
	if unknown := user.UnknownUserError(""); errors.As(err, &unknown) {
		remedy := "name another with --user"
		if j.System {
			word := text.ShellWord(name)
			remedy = "`useradd --system --create-home --home-dir /var/lib/" + word + " " + word + "` makes it, or name another with --user"
		}
		return Account{}, fmt.Errorf("there is no user %s on this machine: %s", name, remedy)
	}
	if err != nil {
		return Account{}, fmt.Errorf("look up the user of the job: %w", err)
	}
	return who, nil
}

// CurrentUser returns the name of the current user.
func CurrentUser() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return fmt.Sprintf("user %d", os.Geteuid()) // without an account
}

// Permissions, as in a file's mode.
const (
	execute = 1
	write   = 2
	read    = 4
)

// may reports whether an account has the permissions want on a file or directory.
func (who Account) may(is fs.FileInfo, want fs.FileMode) bool {
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return true
	}
	mode := is.Mode().Perm()
	switch {
	case who.UID == 0:
		return want != execute || is.IsDir() || mode&0o111 != 0
	case int(owner.Uid) == who.UID:
		mode >>= 6
	case slices.Contains(who.Groups, int(owner.Gid)):
		mode >>= 3
	}
	return mode&want == want
}

// obstacle returns the file or directory whose permissions keep an account from a path; empty if none does, or if that is not visible
// from here.
func (who Account) obstacle(path string, want fs.FileMode) (at string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	for dir := filepath.Dir(real); ; dir = filepath.Dir(dir) {
		if is, err := os.Stat(dir); err == nil && !who.may(is, execute) {
			at = dir
		}
		if dir == "/" {
			break
		}
	}
	if is, err := os.Stat(real); at == "" && err == nil && !who.may(is, want) {
		at = real
	}
	return at
}

// Unreadable returns the file or directory whose permissions keep an account from reading a file, or from reaching a directory; empty if
// none does.
func (who Account) Unreadable(path string) (at string) {
	if is, err := os.Stat(path); err == nil && is.IsDir() {
		return who.obstacle(path, execute)
	}
	return who.obstacle(path, read)
}

// Replaceable returns which part of a path others than root and a trusted account can change, and who: the file, its directories or the
// links on the way. Both are empty if there is none.
func Replaceable(path string, trusted Account) (at, by string) {
	const maxLinks = 40 // Linux's limit
	at, rest := "/", path
	for links := 0; links <= maxLinks; {
		is, err := os.Lstat(at)
		if err != nil {
			if dir, err := os.Stat(filepath.Dir(at)); err == nil && dir.Mode()&0o002 != 0 {
				return filepath.Dir(at), "everybody" // whoever may create it
			}
			return "", ""
		}
		if by = trusted.others(is); by != "" {
			return at, by
		}
		if is.Mode()&fs.ModeSymlink != 0 {
			target, err := os.Readlink(at)
			if err != nil {
				return "", ""
			}
			links, rest = links+1, target+"/"+rest
			if at = filepath.Dir(at); filepath.IsAbs(target) {
				at = "/"
			}
		}
		if rest = strings.TrimLeft(rest, "/"); rest == "" {
			return "", ""
		}
		name, behind, _ := strings.Cut(rest, "/")
		at, rest = filepath.Join(at, name), behind
	}
	return "", ""
}

// others returns who, besides root and this account, can change a file or a directory's entries; empty if no one can.
func (who Account) others(is fs.FileInfo) string {
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	if owner.Uid != 0 && int(owner.Uid) != who.UID {
		id := strconv.Itoa(int(owner.Uid))
		if u, err := user.LookupId(id); err == nil {
			return u.Username
		}
		return "the user " + id
	}
	open := is.Mode() & 0o022
	switch sticky := is.IsDir() && is.Mode()&fs.ModeSticky != 0; {
	case sticky || is.Mode()&fs.ModeSymlink != 0:
		return ""
	case open&0o002 != 0:
		return "everybody"
	case open&0o020 != 0 && owner.Gid != 0 && (who.UID == 0 || int(owner.Gid) != who.GID):
		id := strconv.Itoa(int(owner.Gid))
		if g, err := user.LookupGroupId(id); err == nil {
			return "the group " + g.Name
		}
		return "the group " + id
	}
	return ""
}

// checkFiles rejects a program or an environment file that the job's user cannot use, and warns if others can replace them. envReader is
// the account that reads the environment file.
func (j Job) checkFiles(who, envReader Account) (warnings []string, err error) {
	is, err := os.Stat(j.Program)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("there is no program %s: name the installed claudeops with --program", j.Program)
	case err != nil:
		return nil, fmt.Errorf("the program of the job: %w", err)
	case !is.Mode().IsRegular() || is.Mode()&0o111 == 0:
		return nil, fmt.Errorf("%s is no program that can be executed: name the installed claudeops with --program", j.Program)
	}
	if at := who.obstacle(j.Program, execute); at != "" {
		return nil, fmt.Errorf("%s may not run %s: the permissions of %s keep it away; install the program in /usr/local/bin", who.Name, j.Program, at)
	}
	if j.EnvFile != "" {
		if at := who.obstacle(j.EnvFile, read); at != "" {
			return nil, fmt.Errorf("%s may not read %s: the permissions of %s keep it away; give it the file", who.Name, j.EnvFile, at)
		}
	}
	owner := who // an agent of the system's job runs as the job's user, and must not be able to change the guard
	if j.System {
		owner = Account{}
	}
	if at, by := Replaceable(j.Program, owner); at != "" {
		warnings = append(warnings, fmt.Sprintf("%s can change %s, and so have %s run another program than %s: install it in /usr/local/bin, as root", by, at, who.Name, j.Program))
	}
	if at, by := Replaceable(j.envFile(), envReader); at != "" {
		warnings = append(warnings, fmt.Sprintf("%s can change %s, and so what %s runs by %s: make it root's", by, at, who.Name, j.envFile()))
	}
	return warnings, nil
}

// Doubts returns warnings about a program that may be missing or replaced when it runs, about variables that are set for this command but
// not for the job, and about differences of the target.
func Doubts(t Target, j Job) (warnings []string) {
	if !RunsProgram(t) {
		return t.Warnings(j)
	}
	const deleted, replaced = "what is there is deleted one day", "a home may not be there at boot, and its user can replace the program"
	home, _ := os.UserHomeDir() // without a home directory nothing is below it
	for _, dir := range [][2]string{{os.TempDir(), deleted}, {"/tmp", deleted}, {"/var/tmp", deleted}, {"/home", replaced}, {home, replaced}} {
		if dir[0] != "" && dir[0] != "/" && below(j.Program, dir[0]) {
			warnings = append(warnings, fmt.Sprintf("the program is %s, below %s: %s. Install it in /usr/local/bin, or name another with --program", j.Program, dir[0], dir[1]))
			break
		}
	}
	known := []string{"CLAUDEOPS_SCHEDULE", "CLAUDEOPS_LOG_LEVEL", "CLAUDEOPS_LOG_FORMAT"}
	if local, is := t.(Local); is {
		known = append(known, local.Given()...)
	}
	var missing, other []string
	for _, v := range j.Environment.Variables() {
		if v.Source != config.FromEnvironment || slices.Contains(known, v.Name) {
			continue
		}
		switch value, set := j.Environment.FromFile(v.Name); {
		case !set:
			missing = append(missing, v.Name)
		case value != j.Environment.Get(v.Name):
			other = append(other, v.Name)
		}
	}
	const few = 10
	if len(missing) > 0 {
		warnings = append(warnings, fmt.Sprintf("only this shell has %s, which the job will not see: write what it needs into %s", text.Few(missing, few), j.envFile()))
	}
	if len(other) > 0 {
		warnings = append(warnings, fmt.Sprintf("this shell and %s differ in %s: the job will have what the file says", j.envFile(), text.Few(other, few)))
	}
	return append(warnings, t.Warnings(j)...)
}

func below(path, dir string) bool {
	return strings.HasPrefix(path, strings.TrimSuffix(dir, "/")+"/")
}

// Package setup installs claudeops on a machine, and removes it. It decides which files are needed, with their content and owner; writes
// all of them or none; and records which ones it created.
//
// Look reads the current state, Decide is a rule without I/O, Plan.Try tries the schedule, and Plan.Apply and Plan.Install change the
// machine. Package crontab installs what runs the cycles.
package setup

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/child"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/statefile"
)

// Where is where an operator wants things to be. The zero value means the system's usual places for root, and a user's own for others.
type Where struct {
	Prefix  string // a directory in place of /, in which nothing is started and no user is created
	EnvFile string // in place of the usual one
	User    string // runs the cycles in the system scope
}

// Machine is the result of Look.
type Machine struct {
	Prefix string
	System bool   // the system scope, not a user's own
	User   string // runs the cycles
	Makes  bool   // the user does not exist yet
	Target string // of package crontab: the scheduler of the cycles; empty if none is available, or nothing is to be started

	EnvFile, Services, Record string // paths
	StateDir, ResultsDir      string // paths; results are below the state directory unless configured
	Env, Inventory            []byte // contents; nil if there is no file
	Variables                 map[string]string
	Made                      Made
	Installed                 *crontab.Installed // what runs the cycles now; nil if nothing does
	Runs                      bool               // cycles run here, or have run
	Credential                config.Kind        // of the agent program, as cycles find it
	EngineGroup               string             // that the user is to join so that it reaches the engine of containers; empty for none
	EngineReached             bool               // by the user, at the latest as a member of EngineGroup
	Reaches                   []config.Setting   // how the engine and the cluster are reached, where the caller's environment says it

	where    Where
	uid, gid int             // of the user; -1 if it does not exist yet
	envMode  fs.FileMode     // of the environment file, if it exists
	unread   bool            // the user must read the environment file, but may not
	account  crontab.Account // of the user
	sudo     string          // prefix of commands, as this one was typed
}

// Made is the record of what an earlier run of init created.
type Made struct {
	Files   map[string]string `json:"files"`            // SHA-256 of the written content, by path; only files that did not exist before
	User    string            `json:"user,omitzero"`    // created user
	Member  Member            `json:"member,omitzero"`  // created membership in an existing group
	Target  string            `json:"target,omitzero"`  // of package crontab: the scheduler, if init installed it
	Offered []string          `json:"offered,omitzero"` // discovered services: one that is not watched was left out, or removed since
}

// Member is a user's membership in a group.
type Member struct {
	User  string `json:"user"`
	Group string `json:"group"`
}

// maxFile limits the files read here, except the services file, in bytes.
const maxFile = 1 << 20

// Look reads the current state of the machine. environ has DOCKER_HOST, if set.
func Look(ctx context.Context, w Where, environ []string) (m *Machine, err error) {
	m = &Machine{Prefix: w.Prefix, System: os.Geteuid() == 0 && w.Prefix == "", where: w}
	if m.Prefix == "" {
		if m.Installed, err = crontab.FindInstalled(ctx, m.System); err != nil {
			return nil, err
		}
		m.Target = targetHere(m.System)
	}
	if m.Installed != nil {
		m.Target = m.Installed.Target.Name()
		w.User, w.EnvFile = cmp.Or(w.User, m.Installed.User), cmp.Or(w.EnvFile, m.Installed.EnvFile)
	}
	var folder, state string
	switch {
	case w.Prefix != "":
		if m.Prefix, err = filepath.Abs(w.Prefix); err != nil {
			return nil, err
		}
		folder, state = filepath.Join(m.Prefix, "etc/claudeops"), filepath.Join(m.Prefix, "var/lib/claudeops")
	case m.System:
		folder, state = filepath.Dir(config.EnvFile), "/var/lib/claudeops"
	default:
		folder, state, err = ownFolders()
	}
	if err == nil {
		err = m.lookForUser(w.User)
	}
	if err != nil {
		return nil, err
	}
	m.EnvFile = filepath.Join(folder, "env")
	if w.EnvFile != "" {
		if m.EnvFile, err = filepath.Abs(w.EnvFile); err != nil {
			return nil, err
		}
	}
	m.Record = filepath.Join(filepath.Dir(m.EnvFile), "init.json")
	if m.System { // in a directory of root
		m.Record = filepath.Join(folder, "init.json")
	}
	if err := m.read(folder, state); err != nil {
		return nil, err
	}
	if err := m.lookAtAccess(); err != nil {
		return nil, err
	}
	_, err = os.Stat(filepath.Join(m.StateDir, statefile.FileName))
	m.Runs = m.Installed != nil || err == nil || m.System && isThere((&crontab.Systemd{}).Sign())
	m.Credential = config.CredentialOf(func(name string) string {
		if name == "HOME" {
			return m.account.Home
		}
		return m.said(name)
	}).Kind
	if m.System && config.Lookup(environ, "SUDO_USER") != "" {
		m.sudo = "sudo "
	}
	m.lookAtEngine(probe.EngineAddress(environ))
	for _, name := range []string{"DOCKER_HOST", "KUBECONFIG"} {
		if value := config.Lookup(environ, name); value != "" {
			m.Reaches = append(m.Reaches, config.Setting{Name: name, Value: value})
		}
	}
	return m, nil
}

// ownFolders returns the directories of a user's own configuration and state.
func ownFolders() (folder, state string, err error) {
	folder, err = os.UserConfigDir()
	if err != nil {
		return "", "", fmt.Errorf("where your configuration is: %w; set HOME, or name a folder with --prefix", err)
	}
	state = os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(state) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", "", fmt.Errorf("where your state is: %w; set HOME, or name a folder with --prefix", err)
		}
		state = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "claudeops"), filepath.Join(state, "claudeops"), nil
}

// lookForUser determines who runs the cycles: in the system scope a user of its own, else the caller.
func (m *Machine) lookForUser(name string) (err error) {
	m.User = crontab.CurrentUser()
	if m.System {
		m.User = cmp.Or(name, crontab.DefaultUser)
	} else if name != "" && name != m.User {
		return fmt.Errorf("--user %s: only root has cycles run as another user; use sudo, or leave it out to watch as %s", name, m.User)
	}
	m.account, err = crontab.AccountOf(m.User)
	unknown := user.UnknownUserError("")
	switch {
	case err != nil && !m.System: // without an account
		m.account = crontab.Account{Name: m.User, Home: os.Getenv("HOME"), UID: os.Geteuid(), GID: os.Getegid()}
	case errors.As(err, &unknown) && m.User == crontab.DefaultUser:
		if _, found := child.Find("useradd", os.Getenv("PATH")); !found {
			return fmt.Errorf("there is no user %s, and no useradd in PATH that makes it: make it, or name another with --user", m.User)
		}
		m.Makes, m.account = true, crontab.Newcomer(m.User)
	case errors.As(err, &unknown):
		return fmt.Errorf("--user %s: there is no user of that name on this machine", m.User)
	case err != nil:
		return fmt.Errorf("look up the user %s: %w", m.User, err)
	}
	m.uid, m.gid = m.account.UID, m.account.GID
	return nil
}

func isThere(path string) bool { _, err := os.Stat(path); return err == nil }

// targetHere returns the scheduler available on this machine.
func targetHere(system bool) string {
	_, crontabFound := child.Find("crontab", os.Getenv("PATH"))
	booted := isThere("/run/systemd/system")
	switch {
	case system && booted, !system && !crontabFound && booted && os.Getenv("XDG_RUNTIME_DIR") != "":
		return "systemd"
	case system && isThere("/etc/cron.d"), !system && crontabFound:
		return "cron"
	}
	return ""
}

// lookAtAccess refuses files that the user of the cycles would not reach, and those by which another than root would have root run programs,
// read secrets and make folders.
func (m *Machine) lookAtAccess() error {
	if is, err := os.Stat(m.EnvFile); err == nil {
		m.envMode = is.Mode()
		m.unread = m.readsEnv() && m.account.Unreadable(m.EnvFile) != ""
		if at, by := crontab.Replaceable(m.EnvFile, crontab.Account{}); at != "" && os.Geteuid() == 0 {
			return fmt.Errorf("%s can change %s, and root would run programs by what %s says: make it root's (`chown root %s`, `chmod go-w %s`)",
				by, at, m.EnvFile, text.ShellWord(at), text.ShellWord(at))
		}
	}
	if !m.System {
		return nil
	}
	if m.readsEnv() && !m.Makes && os.Geteuid() == 0 && m.uid != 0 && !m.ownGroup() {
		return fmt.Errorf("--user %s: its group is not its own, and %s is to be read by that user alone and changed by root alone: give it a group called %s",
			m.User, m.EnvFile, m.User)
	}
	paths := []string{m.Services}
	if m.readsEnv() {
		paths = append(paths, filepath.Dir(m.EnvFile))
	}
	for _, path := range paths {
		there := path
		for !isThere(there) {
			there = filepath.Dir(there)
		}
		if at := m.account.Unreadable(there); at != "" {
			return fmt.Errorf("%s may not read %s: the permissions of %s keep it away; `chmod o+rX %s` lets it", m.User, path, at, text.ShellWord(at))
		}
	}
	return nil
}

// readsEnv reports whether the cycles' user reads the environment file: systemd reads it as root and passes the variables on.
func (m *Machine) readsEnv() bool { return !m.System || m.Target != "systemd" }

// read reads the existing files. The environment file may set the paths of the others.
func (m *Machine) read(folder, state string) (err error) {
	if m.Env, err = readIfThere(m.EnvFile, maxFile); err != nil {
		return err
	}
	if m.Variables, err = config.FileVariables(m.Env); err != nil {
		return fmt.Errorf("%s: %w", m.EnvFile, err)
	}
	for _, place := range []struct {
		to             *string
		name, standard string
	}{
		{&m.Services, "CLAUDEOPS_INVENTORY", filepath.Join(folder, "services.yaml")}, {&m.StateDir, "CLAUDEOPS_STATE_DIR", state},
		{&m.ResultsDir, "CLAUDEOPS_RESULTS_DIR", filepath.Join(state, "results")},
	} {
		if *place.to = m.Variables[place.name]; *place.to == "" {
			*place.to = place.standard
		}
	}
	if m.Inventory, err = readIfThere(m.Services, inventory.MaxBytes); err != nil {
		return err
	}
	if _, err := m.ServicesThere(); err != nil {
		return err
	}
	record, err := readIfThere(m.Record, maxFile)
	if err == nil && record != nil {
		err = json.Unmarshal(record, &m.Made)
	}
	if err != nil {
		return fmt.Errorf("%s, the record of what init made: %w; take the file away, and init forgets what it made", m.Record, err)
	}
	return nil
}

func readIfThere(path string, most int64) ([]byte, error) {
	content, err := statedir.ReadFile(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && content == nil {
		content = []byte{}
	}
	return content, err
}

// lookAtEngine determines whether the user reaches the engine's socket, possibly through a group.
func (m *Machine) lookAtEngine(address string) {
	socket, local := strings.CutPrefix(address, "unix://")
	is, err := os.Stat(socket)
	if !local || err != nil {
		m.EngineReached = true // elsewhere or missing: groups of this machine do not matter
		return
	}
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	mode := is.Mode().Perm()
	switch gid := int(owner.Gid); {
	case m.uid == 0, m.uid == int(owner.Uid) && mode&0o200 != 0, slices.Contains(m.account.Groups, gid) && mode&0o020 != 0, mode&0o002 != 0:
		m.EngineReached = true
	case gid != 0 && mode&0o020 != 0 && m.System:
		if group, err := user.LookupGroupId(fmt.Sprint(gid)); err == nil {
			m.EngineGroup, m.EngineReached = group.Name, true
		}
	}
}

// unchanged reports whether a file still has the content that init wrote.
func (m *Machine) unchanged(path string, text []byte) bool {
	digest, made := m.Made.Files[path]
	return made && digest == digestOf(text)
}

// Has reports whether the environment file sets a variable, or names a file with its value.
func (m *Machine) Has(name string) bool { return m.said(name) != "" }

// said returns the value of a variable for the cycles, or where it is stored.
func (m *Machine) said(name string) string {
	value := strings.TrimSpace(m.Variables[name])
	if value == "" && config.HasFileForm(name) {
		value = strings.TrimSpace(m.Variables[name+"_FILE"])
	}
	if value == "" && m.Installed != nil && config.HasFileForm(name) && slices.Contains(m.Installed.Target.Given(), name) {
		value = "a credential of " + m.Installed.Place
	}
	return value
}

// Scheduled reports whether a schedule is already set.
func (m *Machine) Scheduled() bool {
	return m.Has("CLAUDEOPS_SCHEDULE") || m.Has("CLAUDEOPS_TIER1_AGENT") || m.Armed() || m.Installed != nil && m.Installed.Schedule != ""
}

// ServicesThere returns the existing services; empty if there are none.
func (m *Machine) ServicesThere() (*inventory.Inventory, error) {
	if m.Inventory == nil {
		return &inventory.Inventory{}, nil
	}
	had, err := inventory.Parse(m.Inventory)
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed", m.Services, err)
	}
	return had, nil
}

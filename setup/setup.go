// Package setup makes a machine a watched one, and takes that back. It decides which files there are to be, whose they are and what they hold;
// writes all of them or none; and remembers which of them it made.
//
// Look sees what is there, Decide is a rule without I/O, Plan.Apply changes the machine. What runs the cycles is put in place by package crontab.
package setup

import (
	"bytes"
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
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

// Where is what an operator says of where things are to go. The zero value is the machine's usual places for root, a user's own for others.
type Where struct {
	Prefix  string // a folder in the place of /, in which nothing is started and no user is made
	EnvFile string // in the place of the usual one
	User    string // runs the cycles, of the machine's scope
}

// Machine is what Look found.
type Machine struct {
	Prefix string
	System bool   // the machine's scope, rather than a user's own
	User   string // runs the cycles
	Makes  bool   // the user is not there yet
	Target string // of package crontab: what is to run the cycles; empty where nothing here can, or nothing is to be started

	EnvFile, Services, Record string // paths
	StateDir, ResultsDir      string // paths; results are below the state where the file says nothing else
	Env, Inventory            []byte // texts; nil where there is no file
	Variables                 map[string]string
	Made                      Made
	EngineGroup               string           // that the user is to join so that it reaches the engine of containers; empty for none
	EngineReached             bool             // by the user, at the latest as a member of EngineGroup
	Reaches                   []config.Setting // how the engine and the cluster are reached, where the caller's environment says it
	uid, gid                  int              // of the user; -1 where it is not there yet
	envOwner                  bool             // the file of variables is the user's: what runs the cycles does not hand them on
}

// Made is what an earlier run of init made, as its record says.
type Made struct {
	Files   map[string]string `json:"files"`            // SHA-256 of what was written, by path; of files that were not there before
	User    string            `json:"user,omitzero"`    // that was made
	Target  string            `json:"target,omitzero"`  // of package crontab: what runs the cycles, where init installed it
	Offered []string          `json:"offered,omitzero"` // names of services found: one that is not watched was left out, or taken out since
}

// maxFile bounds a file that is read here, but the services file.
const maxFile = 1 << 20

// Look sees what is there. environ has DOCKER_HOST, where that is set.
func Look(w Where, environ []string) (m *Machine, err error) {
	m = &Machine{Prefix: w.Prefix, System: os.Geteuid() == 0, uid: os.Geteuid(), gid: os.Getegid()}
	var folder, state string
	switch {
	case w.Prefix != "":
		if m.Prefix, err = filepath.Abs(w.Prefix); err != nil {
			return nil, err
		}
		m.System, m.User = false, crontab.CurrentUser()
		folder, state = filepath.Join(m.Prefix, "etc/claudeops"), filepath.Join(m.Prefix, "var/lib/claudeops")
	case m.System:
		folder, state = filepath.Dir(config.EnvFile), "/var/lib/claudeops"
		err = m.lookForUser(w.User)
	default:
		folder, state, err = ownFolders()
		m.User = crontab.CurrentUser()
	}
	if err != nil {
		return nil, err
	}
	if w.User != "" && !m.System && w.User != m.User {
		return nil, fmt.Errorf("--user %s: only root has cycles run as another user; use sudo, or leave it out to watch as %s", w.User, m.User)
	}
	m.EnvFile = filepath.Join(folder, "env")
	if w.EnvFile != "" {
		if m.EnvFile, err = filepath.Abs(w.EnvFile); err != nil {
			return nil, err
		}
	}
	m.Record = filepath.Join(filepath.Dir(m.EnvFile), "init.json")
	if m.Prefix == "" {
		m.Target = targetHere(m.System)
	}
	m.envOwner = !m.System || m.Target != "systemd"
	if err := m.read(folder, state); err != nil {
		return nil, err
	}
	m.lookAtEngine(probe.EngineAddress(environ))
	for _, name := range []string{"DOCKER_HOST", "KUBECONFIG"} {
		if value := config.Lookup(environ, name); value != "" {
			m.Reaches = append(m.Reaches, config.Setting{Name: name, Value: value})
		}
	}
	return m, nil
}

// ownFolders are the places of a user's own configuration and state.
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

// lookForUser finds the user of the machine's scope.
func (m *Machine) lookForUser(name string) error {
	m.User = name
	if name == "" {
		m.User = crontab.DefaultUser
	}
	who, err := crontab.AccountOf(m.User)
	unknown := user.UnknownUserError("")
	switch {
	case errors.As(err, &unknown) && m.User == crontab.DefaultUser:
		if _, found := child.Find("useradd", os.Getenv("PATH")); !found {
			return fmt.Errorf("there is no user %s, and no useradd in PATH that makes it: make it, or name another with --user", m.User)
		}
		m.Makes, m.uid, m.gid = true, -1, -1
		return nil
	case errors.As(err, &unknown):
		return fmt.Errorf("--user %s: there is no user of that name on this machine", m.User)
	case err != nil:
		return fmt.Errorf("look up the user %s: %w", m.User, err)
	}
	m.uid, m.gid = who.UID, who.GID
	return nil
}

// targetHere is what can run cycles on this machine.
func targetHere(system bool) string {
	is := func(path string) bool { _, err := os.Stat(path); return err == nil }
	_, crontabFound := child.Find("crontab", os.Getenv("PATH"))
	booted := is("/run/systemd/system")
	switch {
	case system && booted, !system && !crontabFound && booted && os.Getenv("XDG_RUNTIME_DIR") != "":
		return "systemd"
	case system && is("/etc/cron.d"), !system && crontabFound:
		return "cron"
	}
	return ""
}

// read reads the files that are there. What the file of variables says of the others' places counts.
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
	text, err := statedir.ReadFile(path, most)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err == nil && text == nil {
		text = []byte{}
	}
	return text, err
}

// lookAtEngine sees whether the user reaches the engine's socket, or would by a group.
func (m *Machine) lookAtEngine(address string) {
	socket, local := strings.CutPrefix(address, "unix://")
	is, err := os.Stat(socket)
	if !local || err != nil {
		m.EngineReached = true // elsewhere, or not there: it is not for this machine's groups to say
		return
	}
	owner, ok := is.Sys().(*syscall.Stat_t)
	if !ok {
		return
	}
	var groups []int
	if who, err := crontab.AccountOf(m.User); err == nil {
		groups = who.Groups
	}
	mode := is.Mode().Perm()
	switch gid := int(owner.Gid); {
	case m.uid == 0, m.uid == int(owner.Uid) && mode&0o200 != 0, slices.Contains(groups, gid) && mode&0o020 != 0, mode&0o002 != 0:
		m.EngineReached = true
	case gid != 0 && mode&0o020 != 0 && m.System:
		if group, err := user.LookupGroupId(fmt.Sprint(gid)); err == nil {
			m.EngineGroup, m.EngineReached = group.Name, true
		}
	}
}

// unchanged reports whether a file is still what init wrote.
func (m *Machine) unchanged(path string, text []byte) bool {
	digest, made := m.Made.Files[path]
	return made && digest == digestOf(text)
}

// Has reports whether the file of variables sets one.
func (m *Machine) Has(name string) bool { return strings.TrimSpace(m.Variables[name]) != "" }

// equal reports whether a file need not be written.
func equal(had, want []byte) bool { return had != nil && bytes.Equal(had, want) }

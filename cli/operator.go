package cli

import (
	"errors"
	"os"
	"os/user"
	"strconv"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/internal/text"
)

// ofSession reports whether a session started this process, whatever its configuration is worth.
func (a *app) ofSession() bool {
	c, _, err := config.Load(a.envFile)
	if invalid := (*config.InvalidError)(nil); errors.As(err, &invalid) {
		c = invalid.Rest
	}
	return ofSession(c)
}

// ofSession reports whether a session started this process: its agent, an act, or the plugin of a check. It has the session's variables or,
// if it has cleared them to pass as a person, descends from the cycle.
func ofSession(c config.Config) bool {
	return c.Agent != (config.Agent{}) || statedir.InCycle(c.StateDir)
}

// byCommand says in words who gives a command: "command, by ann", with the user who has become root by sudo.
func byCommand() string {
	name := strconv.Itoa(os.Getuid())
	if u, err := user.Current(); err == nil {
		name = u.Username
	}
	if before := os.Getenv("SUDO_USER"); before != "" && os.Getuid() == 0 && before != name {
		name = text.Clip(text.Clean(before), mostName) + " as " + name
	}
	return "command, by " + name
}

// mostName limits a user's name, in bytes.
const mostName = 64

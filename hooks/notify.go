package hooks

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// notify sends that circuits have opened or closed, by the apprise program. It does not wait: the agent program may be about to end this
// process. What apprise complains of is in the log. The URLs are in its environment, where other users do not see them.
func (c *Config) notify(changes []Change, log *Log) error {
	for _, change := range changes {
		if len(c.Notify) == 0 || change.State == HalfOpen {
			continue
		}
		complaints, err := log.open()
		if err != nil {
			return err
		}
		title, body := change.news()
		cmd := exec.Command("apprise", "--title", title, "--body", body)
		cmd.Env = append(os.Environ(), "APPRISE_URLS="+strings.Join(c.Notify, " "))
		cmd.Stdout, cmd.Stderr = complaints, complaints
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		err = cmd.Start()
		_ = complaints.Close() // nothing was written here
		if err != nil {
			return fmt.Errorf("notify: %w", err)
		}
	}
	return nil
}

func (c Change) news() (title, body string) {
	title, body = "Hook "+ShortName(c.Hook), OneLine(c.Hook)
	if c.State == Closed {
		title += " works again"
	} else {
		title += " is switched off"
		body = fmt.Sprintf("%s.\n\n%s\n\nIt is tried again after %s. See: claude-hooks health",
			c.LastError, body, c.RetryAfter.Local().Format(time.DateTime))
	}
	if c.Session != "" {
		title += " in one session"
	}
	return title, body
}

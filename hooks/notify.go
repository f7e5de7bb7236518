package hooks

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"time"
)

// deliverWithin is how long the apprise program may take.
const deliverWithin = 30 * time.Second

// notify sends that circuits have opened or closed. It does not wait: the agent program may be about to end this process. A process of its
// own in a session of its own runs apprise, and logs where that fails.
func (c *Config) notify(changes []Change) error {
	for _, change := range changes {
		if len(c.Notify) == 0 || change.To == HalfOpen {
			continue
		}
		program, err := os.Executable()
		if err != nil {
			return fmt.Errorf("notify: %w", err)
		}
		title, body := change.news()
		cmd := exec.Command(program, "deliver", title, body)
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			return fmt.Errorf("notify: %w", err)
		}
	}
	return nil
}

func (c Change) news() (title, body string) {
	name := ShortName(c.Hook)
	where := ""
	if c.Session != "" {
		where = " for one session"
	}
	if c.To == Closed {
		return "Hook " + name + " works again" + where, "It is called again.\n\n" + OneLine(c.Hook)
	}
	body = fmt.Sprintf("%s.\n\n%s", c.Error, OneLine(c.Hook))
	if c.Until != nil {
		body += "\n\nIt is tried again after " + c.Until.Local().Format(time.DateTime) + ". See: claude-hooks health"
	}
	return "Hook " + name + " is switched off" + where, body
}

// deliver sends a message by the apprise program. The URLs are in its environment, where other users do not see them.
func (c *Config) deliver(ctx context.Context, title, body string) error {
	ctx, cancel := context.WithTimeout(ctx, deliverWithin)
	defer cancel()
	cmd := exec.CommandContext(ctx, "apprise", "--title", title, "--body", body)
	cmd.Env = append(os.Environ(), "APPRISE_URLS="+strings.Join(c.Notify, " "))
	out, err := cmd.CombinedOutput()
	if err != nil {
		return fmt.Errorf("apprise: %w: %s", err, lastLine(out))
	}
	return nil
}

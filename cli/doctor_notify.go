package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"slices"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// targets is who is told, and by what.
func (a *app) targets(l *loaded) []finding {
	const name = "notifications"
	targets := a.configuredTargets()
	if len(targets) == 0 {
		return []finding{warn(name, "no target", "nobody is told of anything; name one in CLAUDEOPS_APPRISE_URLS, like ntfy://ntfy.sh/topic")}
	}
	var names []string
	for _, target := range targets {
		names = append(names, target.Name)
	}
	by := "by the Apprise API server"
	if l.config.AppriseAPIURL == "" {
		path, err := exec.LookPath("apprise")
		if err != nil {
			return []finding{warn(name, "the apprise program is not installed", "nobody is told of anything; install it with `apt install apprise` or `pipx install apprise`, or name a server in CLAUDEOPS_APPRISE_API_URL")}
		}
		by = "by " + path
	}
	found := []finding{ok(name, text.Few(names, 10)+", "+by+"; `claudeops notify --test` tries them")}
	if l.config.AppriseTags != "" && l.config.AppriseKey == "" {
		found = append(found, warn(name, "CLAUDEOPS_APPRISE_TAGS has no effect on CLAUDEOPS_APPRISE_URLS", "unset it, or have the server keep the URLs and name them in CLAUDEOPS_APPRISE_KEY"))
	}
	return found
}

// outboxFinding is what waits for people. Before the first cycle nothing does.
func (a *app) outboxFinding(ctx context.Context, c config.Config) finding {
	const name = "outbox"
	box, err := a.outboxState(ctx, c.StateDir)
	var damage *store.DamageError
	switch {
	case errors.As(err, &damage):
		return warn(name, "it cannot be read: the database is damaged", "the next cycle carries over what can be read")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrOlder), errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrForeign):
		return ok(name, "nothing yet") // the finding on the database says more
	case err != nil:
		return fail(name, err.Error(), "mend the database")
	}
	if !c.Notifies() || box.waiting == 0 && len(box.failing) == 0 {
		return ok(name, "nothing waits")
	}
	waiting := text.Count(box.waiting, "message") + " waiting"
	switch oldest := box.oldest; {
	case len(box.failing) > 0:
		first, others := box.failing[0], ""
		if more := len(box.failing) - 1; more > 0 {
			others = fmt.Sprintf(" and %d more", more)
		}
		return warn(name, fmt.Sprintf("%s; %s%s cannot be reached since %s: %s", waiting, first.Name, others, a.local(first.FailingSince), first.LastError),
			"`claudeops notify --test` tries it now; what waits is sent when it works")
	case oldest == nil && box.paused:
		return ok(name, waiting+" for the end of the pause")
	case oldest == nil:
		return ok(name, waiting+" for the end of a silence")
	case oldest.LastError != "":
		return warn(name, fmt.Sprintf("%s, the oldest since %s, last %s", waiting, a.local(oldest.CreatedAt), oldest.LastError),
			fmt.Sprintf("later cycles try again; `claudeops notify show %d` says more", oldest.ID))
	}
	return warn(name, waiting+", the oldest since "+a.local(box.oldest.CreatedAt), "the next cycle sends it; `claudeops notify list --waiting` shows it")
}

// outboxStatus is what waits for the targets that are configured.
type outboxStatus struct {
	waiting int                   // messages
	oldest  *store.Notification   // of what no pause and no silence holds back; nil where there is none
	failing []store.FailingTarget // by name
	paused  bool
}

func (a *app) outboxState(ctx context.Context, stateDir string) (box outboxStatus, err error) {
	s, err := store.Open(ctx, filepath.Join(stateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return box, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	var faults [4]error
	box.waiting, faults[0] = s.Waiting(ctx)
	box.oldest, faults[1] = s.OldestWaiting(ctx, a.Now())
	box.paused, faults[2] = s.Paused(ctx, a.Now())
	box.failing, faults[3] = s.FailingTargets(ctx)
	targets := a.configuredTargets()
	box.failing = slices.DeleteFunc(box.failing, func(f store.FailingTarget) bool {
		return !slices.ContainsFunc(targets, func(t notify.Target) bool { return t.Hash == f.Hash })
	})
	return box, errors.Join(faults[:]...)
}

// watchers are what tells others how claudeops itself does.
func watchers(c config.Config) []finding {
	found := []finding{ok("heartbeat", "not configured; CLAUDEOPS_HEARTBEAT_URL tells a monitor of each cycle")}
	if c.HeartbeatURL != "" {
		found = []finding{ok("heartbeat", notify.WebName(c.HeartbeatURL)+"; each cycle tries it, and logs what fails")}
	}
	if c.MetricsFile != "" {
		found = append(found, metricsFile(c.MetricsFile))
	}
	if c.PushgatewayURL != "" {
		found = append(found, ok("pushgateway", notify.WebName(c.PushgatewayURL)+"; each cycle tries it, and logs what fails"))
	}
	return found
}

func metricsFile(path string) finding {
	const name = "metrics file"
	if fault, remedy, _ := unwritable(filepath.Dir(path)); fault != "" {
		return warn(name, fault, remedy+", or name a file in another directory that node_exporter reads")
	}
	return ok(name, path)
}

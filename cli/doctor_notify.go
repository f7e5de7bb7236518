package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/notify"
	"github.com/claudeops/claudeops/store"
)

// targets reports who is notified, and how.
func (a *app) targets(l *loaded) []finding {
	const check = "notifications"
	targets := a.configuredTargets()
	if len(targets) == 0 {
		return []finding{warn("no target", "no message goes out; name one in CLAUDEOPS_APPRISE_URLS, like ntfy://ntfy.sh/topic").of(check)}
	}
	var names []string
	for _, target := range targets {
		names = append(names, target.Name)
	}
	by := "the Apprise API server"
	if l.config.AppriseAPIURL == "" {
		var err error
		if by, err = exec.LookPath("apprise"); err != nil {
			return []finding{warn("the apprise program is not installed",
				"no message goes out; install it with `apt install apprise` or `pipx install apprise`, or name a server in CLAUDEOPS_APPRISE_API_URL").of(check)}
		}
	}
	found := []finding{ok(text.Few(names, 10) + ", by " + by + "; `claudeops notify --test` tries them").of(check)}
	if routing := a.routing(); len(routing.Rules) > 0 {
		found = append(found, ok(text.Count(len(routing.Rules), "rule")+" of "+l.config.Inventory).of("who gets what"))
		for _, warning := range routing.Warnings() {
			what, remedy, _ := strings.Cut(warning, "; ")
			found = append(found, warn(what, remedy).of("who gets what"))
		}
	}
	if l.config.AppriseTags != "" && l.config.AppriseKey == "" {
		found = append(found, warn("CLAUDEOPS_APPRISE_TAGS has no effect on CLAUDEOPS_APPRISE_URLS",
			"unset it, or have the server keep the URLs and name them in CLAUDEOPS_APPRISE_KEY").of(check))
	}
	return found
}

// outbox reports the pending messages. Before the first cycle there are none.
func (a *app) outbox(ctx context.Context, c config.Config) finding {
	box, err := a.outboxState(ctx, c.StateDir)
	var unusable *store.UnusableError
	switch {
	case errors.As(err, &unusable):
		return warn("it cannot be read, because the database cannot be used", "the next cycle begins a new one")
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrOlder), errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrForeign):
		return ok("nothing yet") // the finding on the database has details
	case err != nil:
		return fail(err.Error(), "mend the database")
	}
	if box.Waiting() == 0 && len(box.Failing) == 0 {
		return ok("nothing waits")
	}
	waiting := text.Count(box.Waiting(), "message") + " waiting"
	oldest := box.Late()
	switch {
	case len(box.Failing) > 0:
		first, others := box.Failing[0], ""
		if more := len(box.Failing) - 1; more > 0 {
			others = fmt.Sprintf(" and %d more", more)
		}
		return warn(fmt.Sprintf("%s; %s%s cannot be reached since %s: %s", waiting, first.Name, others, a.local(first.FailingSince), first.LastError),
			"`claudeops notify --test` tries it now; what waits is sent when it works")
	case oldest == nil:
		return ok(waiting + " for the end of quiet hours, a silence or a pause")
	case oldest.LastError != "":
		return warn(fmt.Sprintf("%s, the oldest since %s, last %s", waiting, a.local(oldest.CreatedAt), oldest.LastError),
			fmt.Sprintf("later cycles try again; `claudeops notify show %d` says more", oldest.ID))
	}
	return warn(waiting+", the oldest since "+a.local(oldest.CreatedAt),
		"the next cycle sends it; `claudeops notify list --waiting` shows it")
}

func (a *app) outboxState(ctx context.Context, stateDir string) (box notify.Outbox, err error) {
	s, err := store.Open(ctx, filepath.Join(stateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return box, err
	}
	box, err = a.routing().Outbox(ctx, s, a.Now())
	return box, errors.Join(err, s.Close())
}

// watchers reports the monitors of claudeops itself.
func watchers(c config.Config) []finding {
	const tried = "; each cycle tries it, and logs what fails"
	found := []finding{ok("not configured; CLAUDEOPS_HEARTBEAT_URL reports each cycle to a monitor").of("heartbeat")}
	if c.HeartbeatURL != "" {
		found[0].Detail = notify.WebName(c.HeartbeatURL) + tried
	}
	if c.MetricsFile != "" {
		file := ok(c.MetricsFile)
		if fault, remedy, _ := unwritable(filepath.Dir(c.MetricsFile)); fault != "" {
			file = warn(fault, remedy+", or name a file in another directory that node_exporter reads")
		}
		found = append(found, file.of("metrics file"))
	}
	if c.PushgatewayURL != "" {
		found = append(found, ok(notify.WebName(c.PushgatewayURL)+tried).of("pushgateway"))
	}
	return found
}

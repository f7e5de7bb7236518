package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/store"
)

// targets is who is told, and by what.
func (a *app) targets(l *loaded) finding {
	const name = "notifications"
	courier := a.courier(l)
	if courier == nil {
		return warn(name, "no target", "nobody is told of anything; name one in CLAUDEOPS_APPRISE_URLS, like ntfy://ntfy.sh/topic")
	}
	var names []string
	for _, target := range courier.Targets() {
		names = append(names, target.Name)
	}
	by := "by the Apprise API server"
	if l.config.AppriseAPIURL == "" {
		path, err := exec.LookPath("apprise")
		if err != nil {
			return warn(name, "the apprise program is not installed", "nobody is told of anything; install it with `apt install apprise` or `pipx install apprise`, or name a server in CLAUDEOPS_APPRISE_API_URL")
		}
		by = "by " + path
	}
	return ok(name, strings.Join(firstFew(names), ", ")+", "+by+"; `claudeops notify --test` tries them")
}

// outboxFinding is what waits for people. Before the first cycle nothing does.
func outboxFinding(ctx context.Context, c config.Config, now time.Time) finding {
	const name = "outbox"
	waiting, failing, err := outboxState(ctx, c.StateDir, now)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, store.ErrOlder), errors.Is(err, store.ErrNewer), errors.Is(err, store.ErrForeign):
		return ok(name, "nothing yet") // the finding on the database says more
	case err != nil:
		return fail(name, err.Error(), "mend the database")
	case len(failing) > 0:
		f := failing[0]
		return warn(name, fmt.Sprintf("%s cannot be reached since %s: %s", f.Name, f.FailingSince.UTC().Format(time.RFC3339), f.LastError), "`claudeops notify --test` tries it now; what waits is sent when it works")
	case waiting && c.Notifies():
		return warn(name, "something waits to be sent", "the next cycle sends it; `claudeops notify list --waiting` shows it")
	}
	return ok(name, "nothing waits")
}

func outboxState(ctx context.Context, stateDir string, now time.Time) (waiting bool, failing []store.FailingTarget, err error) {
	s, err := store.Open(ctx, filepath.Join(stateDir, store.FileName), store.ReadOnly)
	if err != nil {
		return false, nil, err
	}
	defer func() { err = errors.Join(err, s.Close()) }()
	s.Now = func() time.Time { return now }
	pending, err := s.Notifications(ctx, store.NotificationFilter{Pending: true, Limit: 1})
	if err != nil {
		return false, nil, err
	}
	failing, err = s.FailingTargets(ctx)
	return len(pending) > 0, failing, err
}

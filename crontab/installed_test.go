package crontab

import (
	"strings"
	"testing"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/schedule"
)

// A later install finds the flags that Install recorded.
func TestAnInstalledJobIsKnownByItsFlags(t *testing.T) {
	e, err := schedule.Parse("@hourly")
	if err != nil {
		t.Fatal(err)
	}
	const others = "--allow-unit nginx.service|--allow-unit 'shop@1.service'|--jitter 2m0s|--program /opt/claudeops"
	flags := append(strings.Split(others, "|"), "--schedule '0 * * * *'", "--schedule @daily", "--user watcher", "--env-file '/etc/a b/env'")
	j := Job{Program: "/opt/claudeops", Schedule: []schedule.Expression{e}, Longest: 1, System: true, StateDir: "/state", ResultsDir: "/state/results", Environment: &config.Environment{}}
	files, err := Files(&Systemd{}, j, flags)
	if err != nil {
		t.Fatal(err)
	}
	s := &Systemd{}
	i := &Installed{Target: s}
	if err := i.read(files[0].Whole()); err != nil {
		t.Fatal(err)
	}
	if got := strings.Join(i.Flags, "|"); got != others {
		t.Errorf("kept %q, want %q", got, others)
	}
	if i.Schedule != "0 * * * *; @daily" || i.User != "watcher" || i.EnvFile != "/etc/a b/env" || i.Program != "/opt/claudeops" {
		t.Errorf("%+v", i)
	}
	if got := strings.Join(s.options.AllowUnits, " "); got != "nginx.service shop@1.service" || s.options.Jitter.Minutes() != 2 {
		t.Errorf("the target's options are %+v", s.options)
	}
	if err := (&Installed{Target: &cronProgram{}}).read(files[0].Whole()); err == nil {
		t.Error("flags of another target are taken")
	}
}

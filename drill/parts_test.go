package main

import (
	"context"
	"os"
	"slices"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

// Faults in real servers that a restart of the service does not mend: what is wrong is on disk, or somewhere else.
var beyondRestart = []string{
	"certificate-expired", "certificate-name", "container-health", "container-loop", "db-lock-other", "db-password-rotated", "disk-full",
	"name-gone", "name-wrong", "proxy-misrouted", "proxy-upstream", "replication-broken",
}

// Each fault in a real server is seen by the checks; a restart of its service mends it or does not, as beyondRestart says; its cure does.
func TestFaultsOfRealServersAndTheirCures(t *testing.T) {
	need.Full(t, "PostgreSQL, Redis, nginx and a Docker engine")
	var list []Case
	for _, c := range Cases() {
		if c.Kind == Fault && len(c.Needs) > 0 && !slices.Contains(c.Needs, units) && !slices.Contains(c.Needs, compose) {
			list = append(list, c)
		}
	}
	lab, err := newLab(t.Context(), with(t, os.Environ()), neededParts(list))
	t.Cleanup(func() {
		if err := lab.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range list {
		t.Run(c.Name, func(t *testing.T) { tryCure(t, lab, c) })
	}
}

func tryCure(t *testing.T, lab *Lab, c Case) {
	t.Helper()
	ctx := t.Context()
	if reason := lab.missing[c.Needs[0]]; reason != "" {
		t.Fatal(reason)
	}
	trial, err := lab.newTrial(c, &Result{})
	if err != nil {
		t.Fatal(err)
	}
	lab.current = trial.dir
	if err := lab.healthy(ctx); err != nil {
		t.Fatalf("before: %v", err)
	}
	if err := c.Inject(ctx, lab); err != nil {
		t.Fatal(err)
	}
	began := time.Now()
	if _, err := lab.run(ctx, "", "probe"); err == nil {
		t.Error("no check sees it")
	}
	operate(ctx, t, lab, "restart", c.Services[0])
	err = lab.healthy(ctx)
	t.Logf("after a restart, %.1f s: %v", time.Since(began).Seconds(), err)
	if beyond := slices.Contains(beyondRestart, c.Name); beyond != (err != nil) {
		t.Errorf("after a restart: %v", err)
	}
	if err != nil {
		operate(ctx, t, lab, c.Cure, c.Services[0])
		if err := lab.healthy(ctx); err != nil {
			t.Errorf("after its cure: %v", err)
		}
	}
	if err := lab.reset(ctx, c); err != nil {
		t.Fatal(err)
	}
}

// operate does a verb of the services file, or an action, as an operator does.
func operate(ctx context.Context, t *testing.T, lab *Lab, cure, service string) {
	t.Helper()
	command := "claudeops " + cure + " " + service
	if cure != "restart" && cure != "redeploy" {
		command = "claudeops action " + service + " " + cure
	}
	if _, err := lab.run(ctx, "", "sandbox", "--tier", "3", "--act", command); err != nil {
		t.Log(err) // what does not start makes its command fail
	}
}

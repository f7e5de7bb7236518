package cycle

import (
	"fmt"
	"net"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/testkit/resolver"
)

func TestUncheckableChecksAreGatheredByTheirCause(t *testing.T) {
	unknown := func(source store.Source, service, why string) store.Check {
		return store.Check{Source: source, Result: check.Result{Service: service, Type: check.Container, Status: check.Unknown, Error: why}}
	}
	r := newRoom(t)
	var err error
	r.Inventory, err = inventory.Parse([]byte("services: [{name: web}, {name: mail}]"))
	must(t, err)
	_, _, err = r.Silence(t.Context(), "quiet", time.Hour, "", "command, by ann")
	must(t, err)
	now, err := r.picture(t.Context())
	must(t, err)
	found := (&planner{Round: Round{Now: now, Run: &tierRun{checks: []store.Check{
		unknown(store.Probed, "web", "no answer from the engine within 10s"), unknown(store.Probed, "db", "the variable DB_PW is not set"),
		{Source: store.Probed, Result: result("shop", check.Down)}, unknown(store.Probed, "mail", "no answer from the engine within 20s"),
		unknown(store.Reported, "told", "I could not reach docker"), unknown(store.Reported, "web", "docker: permission denied"),
		unknown(store.Reported, "mail", "no docker"), unknown(store.Reported, "another", "?"), unknown(store.Reported, "web", "no"),
		unknown(store.Probed, "quiet", "no answer from the engine within 10s"),
	}}}}).holes()
	var got [][]string
	for _, h := range found {
		names := []string{h.service}
		for _, r := range h.checks {
			names = append(names, r.Service)
		}
		got = append(got, names)
	}
	wantSame(t, got, [][]string{{"", "web", "mail"}, {"", "db"}, {"", "told", "another"}, {"web", "web", "web"}, {"mail", "mail"}})
}

// A resolver that does not answer is one cause, whatever is asked behind it and however long.
func TestADeadResolverIsToldOnce(t *testing.T) {
	silence, err := net.ListenPacket("udp", "127.0.0.1:0")
	must(t, err)
	defer func() { must(t, silence.Close()) }()
	resolver.Use(t, silence.LocalAddr().String())
	var services []probe.Service
	for i := range 30 {
		host := fmt.Sprintf("shop%d.example", i)
		options := []probe.Options{
			&probe.HTTP{URL: "http://" + host}, &probe.TCP{Address: host + ":25"},
			&probe.Database{URL: "postgres://u:p@" + host + "/db"}, &probe.DNS{Name: "www.example", Server: host},
		}[i%4]
		services = append(services, probe.Service{Name: fmt.Sprint("shop-", i), Checks: []probe.Check{
			{Type: check.HTTP, Timeout: time.Duration(200+i) * time.Millisecond, Attempts: 1, Options: options},
		}})
	}
	r := newRoom(t)
	for range 2 { // cycles
		var checks []store.Check
		for _, result := range probe.Run(t.Context(), services, probe.Settings{}, probe.Bounds{}, nil) {
			checks = append(checks, store.Check{Source: store.Probed, Result: result})
		}
		r.cannotCheck(checks)
	}
	told := r.told(store.AgentFailing)
	if len(told) != 1 || told[0].Title != "30 checks cannot be made" {
		t.Errorf("told: %+v", told)
	}
}

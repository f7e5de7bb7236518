package cycle

import (
	"fmt"
	"net"
	"slices"
	"strings"
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
	found := uncheckables([]store.Check{
		unknown(store.Probed, "web", "no answer from the engine within 10s"), unknown(store.Probed, "db", "the variable DB_PW is not set"),
		{Source: store.Probed, Result: result("shop", check.Down)}, unknown(store.Probed, "mail", "no answer from the engine within 20s"),
		unknown(store.Reported, "told", "I could not reach docker"), unknown(store.Reported, "web", "docker: permission denied"),
	})
	var got [][]string
	causes := map[string]bool{}
	for _, u := range found {
		var names []string
		for _, r := range u.checks {
			names = append(names, r.Service)
		}
		got = append(got, names)
		causes[string(u.cause)] = true
	}
	want := [][]string{{"web", "mail"}, {"db"}, {"told", "web"}}
	if !slices.EqualFunc(got, want, slices.Equal[[]string]) || len(causes) != len(want) {
		t.Errorf("%v by %d causes, want %v", got, len(causes), want)
	}
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
		for _, result := range probe.Run(t.Context(), services, probe.Settings{}, probe.Bounds{}, nil).Results {
			checks = append(checks, store.Check{Source: store.Probed, Result: result})
		}
		r.cannotCheck(checks)
	}
	told := r.told(store.AgentFailing)
	if len(told) != 1 || told[0].Title != "30 checks cannot be made" {
		t.Errorf("told: %+v", told)
	}
}

// A server that was started anew and no longer knows the check may have lost its data.
func TestAHoleSaysThatItsServiceHasStartedAnew(t *testing.T) {
	const container, unit = "restart: {container: db}", "restart: {unit: db.service}"
	const docker = `case "$*" in "inspect --type container --format "*" db") echo '- "%s" container /db: running' ;; esac`
	const systemctl = `[ "$*" = "show --timestamp=unix --property=ActiveEnterTimestamp --value db.service" ] && echo @%d`
	dockerAt := func(at time.Time) string { return fmt.Sprintf(docker, at.Format(time.RFC3339Nano)) }
	refused := check.Result{Service: "db", Type: check.Database, Status: check.Unknown, Error: "the server refuses the check's account"}
	other := check.Result{Service: "mail", Type: check.Database, Status: check.Unknown, Error: refused.Error}
	at := func(ago time.Duration, r check.Result) []store.Check {
		return []store.Check{{Result: r, CheckedAt: earlier(ago)}}
	}
	for name, tt := range map[string]struct {
		restart, program, script string
		healthy                  bool          // two hours ago
		then                     []store.Check // after that, before now
		checks                   []check.Result
		says                     bool
	}{
		"a container since":          {container, "docker", dockerAt(earlier(time.Hour)), true, nil, []check.Result{refused}, true},
		"a unit since":               {unit, "systemctl", fmt.Sprintf(systemctl, earlier(time.Hour).Unix()), true, nil, []check.Result{refused}, true},
		"long before":                {container, "docker", dockerAt(earlier(3 * time.Hour)), true, nil, []check.Result{refused}, false},
		"it was refused before":      {container, "docker", dockerAt(earlier(time.Hour)), true, at(90*time.Minute, refused), []check.Result{refused}, false},
		"it was down before":         {container, "docker", dockerAt(earlier(time.Hour)), true, at(90*time.Minute, result("db", check.Down)), []check.Result{refused}, true},
		"it was healthy since":       {container, "docker", dockerAt(earlier(time.Hour)), true, at(time.Minute, result("db", check.Healthy)), []check.Result{refused}, false},
		"it was never healthy":       {container, "docker", dockerAt(earlier(time.Hour)), false, nil, []check.Result{refused}, false},
		"the same of other services": {container, "docker", dockerAt(earlier(time.Hour)), true, nil, []check.Result{refused, other}, false},
		"the engine does not answer": {container, "docker", "exit 1", true, nil, []check.Result{refused}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRoom(t)
			r.withProgram(tt.program, tt.script)
			var err error
			r.Inventory, err = inventory.Parse([]byte("services: [{name: db, " + tt.restart + ", checks: [{type: database, url: 'redis://db1'}]}, {name: mail}]"))
			must(t, err)
			if tt.healthy {
				must(t, r.Store.AddProbed(t.Context(), 0, earlier(2*time.Hour), []check.Result{result("db", check.Healthy)}))
			}
			for _, c := range tt.then {
				must(t, r.Store.AddProbed(t.Context(), 0, c.CheckedAt, []check.Result{c.Result}))
			}
			var checks []store.Check
			for _, c := range tt.checks {
				checks = append(checks, store.Check{Source: store.Probed, Result: c})
			}
			r.cannotCheck(checks)
			told := r.told(store.AgentFailing)
			if len(told) != 1 || strings.Contains(told[0].Body, "started anew") != tt.says {
				t.Errorf("told: %+v", told)
			}
		})
	}
}

package state_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

func TestAHandoffHasWhatWasFoundUnwell(t *testing.T) {
	of := func(service string, s check.Status, text string) check.Result {
		return check.Result{Service: service, Type: check.HTTP, Status: s, Error: text}
	}
	found := []check.Result{of("mail", check.Degraded, "slow"), of("shop", check.Down, "HTTP 502"), of("wiki", check.Healthy, "")}
	left := func(services ...string) *handoff.Handoff {
		return &handoff.Handoff{
			SchemaVersion: 1, RecommendedTier: 2, ServicesAffected: services, InvestigationFindings: "the disk",
			CheckResults: []check.Result{of(services[0], check.Down, "as it says")}, CooldownState: jsontext.Value("{}"), Extra: jsontext.Value(`{"note":"kept"}`),
		}
	}
	var many []check.Result
	var names []string
	for n := range 1001 {
		names = append(names, fmt.Sprintf("s%04d", n))
		many = append(many, of(names[n], check.Down, fmt.Sprint("error ", n)), of(fmt.Sprint("healthy", n), check.Healthy, ""))
	}
	for name, tt := range map[string]struct {
		left                  *handoff.Handoff
		found                 []check.Result
		services, added, says []string // says is in its text
	}{
		"none left":                {nil, found, []string{"mail", "shop"}, []string{"mail", "shop"}, []string{"HTTP 502", `"wiki"`}},
		"one named":                {left("mail"), found, []string{"mail", "shop"}, []string{"shop"}, []string{"HTTP 502", "as it says", "the disk", "note"}},
		"all named":                {left("shop", "mail"), found, []string{"shop", "mail"}, nil, []string{"as it says"}},
		"all named, one unknown":   {left("shop", "mail"), append(found, of("web", check.Unknown, "no engine")), []string{"shop", "mail"}, nil, []string{"as it says", "unknown_checks", "no engine"}},
		"held back, none left":     {nil, append(found, of("api", check.Down, "x"), of("db", check.Down, "x")), []string{"db", "mail", "shop", "api"}, []string{"db", "mail", "shop", "api"}, nil},
		"held back, one named":     {left("mail"), append(found, of("api", check.Down, "x"), of("db", check.Down, "x")), []string{"mail", "db", "shop"}, []string{"db", "shop"}, nil},
		"of another, room for it":  {left("api"), found[:1], []string{"api", "mail"}, []string{"mail"}, nil},
		"too many":                 {nil, many, names[:200], names[:200], []string{`"services_left_out": 801`, `"error 199"`}},
		"too many beside another":  {left("api"), many, slices.Concat([]string{"api"}, names[:199]), names[:199], []string{"as it says", `"services_left_out": 802`}},
		"too many are named":       {left(names[:300]...), many, names[:300], nil, []string{"as it says", `"services_left_out": 701`}},
		"nothing found, none left": {nil, found[2:], nil, nil, nil},
	} {
		t.Run(name, func(t *testing.T) {
			d := newFixture(t)
			d.Session(1)
			d.Knows("services:\n  - name: db\n  - {name: api, depends_on: [db]}\n")
			ok(t, d.Store.AddChecks(t.Context(), store.Reported, d.Config.Agent.SessionID, d.Time, tt.found))
			results := tt.found
			if tt.left != nil { // its results are stored, too
				results = slices.Concat(results, tt.left.CheckResults)
			}
			h, added, err := d.picture().Handoff(nil, tt.left, results)
			ok(t, err)
			same(t, append([]string(nil), added...), tt.added)
			if h == nil {
				same(t, tt.services == nil, true)
				return
			}
			same(t, h.ServicesAffected, tt.services)
			if len(h.CheckResults) > check.MaxResults {
				t.Errorf("%d results", len(h.CheckResults))
			}
			text, err := h.Marshal()
			ok(t, err)
			_, err = handoff.Parse(text, 1)
			ok(t, err)
			for _, part := range tt.says {
				if !strings.Contains(string(text), part) {
					t.Errorf("no %q in %.2000s", part, text)
				}
			}
		})
	}
}

// A report asks for Tier 2 by what it and the program's own checks find, which overrule it. It writes no file.
func TestAReportSaysWhatTier2IsAskedFor(t *testing.T) {
	d := newFixture(t)
	session := d.Session(1)
	db := func(s check.Status, text string) []check.Result {
		return []check.Result{{Service: "db", Type: check.Service, Status: s, Error: text}}
	}
	ok(t, d.Probed(t.Context(), session, db(check.Down, "refused, hunter22")))
	for _, step := range []struct {
		probed check.Status // just before the report
		says   string
	}{{check.Down, "Tier 2 is asked for db"}, {check.Healthy, ""}} {
		d.Time = d.Time.Add(time.Second)
		ok(t, d.Probed(t.Context(), session, db(step.probed, "")))
		ok(t, d.Report(t.Context(), db(check.Healthy, "")))
		same(t, d.picture().Asked(session), step.says)
	}
	same(t, must(d.Store.SessionChecks(t.Context(), session))[0].Error, "refused, [redacted]")
	if _, err := os.Lstat(state.HandoffPath(d.Config)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("handoff.json: %v", err)
	}
}

// A handoff has the newest records of each service, says how many older ones there are, and what its limits leave.
func TestAHandoffHasTheCooldowns(t *testing.T) {
	d := newFixture(t)
	d.Edits(func(st *statefile.State) {
		for n := range 23 {
			st.Add("shop", statefile.Restart, statefile.Record{Timestamp: statefile.At(noon.Add(-time.Duration(23-n) * 3 * time.Hour)), Success: true})
		}
	})
	var said struct {
		Services map[string]struct {
			Restarts      []any       `json:"restarts"`
			RestartLimit  state.Limit `json:"restart_limit"`
			RedeployLimit state.Limit `json:"redeployment_limit"`
			OlderRecords  int         `json:"older_records"`
		} `json:"services"`
	}
	ok(t, json.Unmarshal(must(d.picture().Cooldowns([]string{"shop", "db"}, nil)), &said))
	shop := said.Services["shop"]
	if len(said.Services) != 2 || len(shop.Restarts) != 20 || shop.OlderRecords != 3 || shop.RestartLimit.Used != 1 || !shop.RedeployLimit.Permitted {
		t.Errorf("%+v", said.Services)
	}
}

func TestSPEC0007_REQ14_Tier1ReadsCooldownState(t *testing.T) {
	d := newFixture(t)
	d.done("nginx", statefile.Restart, 3*time.Hour, time.Hour)
	d.Session(1)
	for service, want := range map[string]string{"nginx": "restart: 2 of 2 used in 4 h, free again at 2026-03-01T13:00:00Z", "redis": "restart: 0 of 2 used in 4 h"} {
		restart, _ := d.picture().Service(service).Both()
		same(t, restart.String(), want)
	}
}

// If cooldown.json cannot be read, the next tier gets the reason, and services are as the database has them.
func TestAHandoffBesideACorruptCooldownFile(t *testing.T) {
	d := newFixture(t)
	d.Did(store.Act{Service: "shop", Action: statefile.Redeployment, Success: true})
	d.Writes("{")
	st, fault, err := state.Mended(t.Context(), d.Records)
	ok(t, err)
	text := must(st.Cooldowns([]string{"shop"}, fault))
	var said map[string]string
	if err := json.Unmarshal(text, &said); err != nil || said["unreadable"] == "" {
		t.Errorf("%s, %v", text, err)
	}
	same(t, st.Service("shop").Permission(statefile.Redeployment).Permitted(), false)
}

func TestNothingIsAskedForOfAnotherShardsService(t *testing.T) {
	d := newFixture(t)
	d.Session(1)
	d.Inventory = must(inventory.Parse([]byte("services: [{name: web}, {name: db}]"))).Part(func(service string) string {
		return map[string]string{"db": "shard 2/4"}[service]
	})
	asks := func(service string) error {
		draft := []byte(`{"services_affected": ["` + service + `"], "check_results": [
			{"service": "` + service + `", "check_type": "http", "status": "down", "error": "no answer"}]}`)
		_, err := d.picture().WriteHandoff(t.Context(), d.Records, 1, draft, nil)
		return err
	}
	if err := asks("db"); err == nil || !strings.Contains(err.Error(), "db is looked after by shard 2/4") {
		t.Errorf("a handoff for it: %v", err)
	}
	ok(t, asks("web"))
}

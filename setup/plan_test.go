package setup

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe/discover"
)

var (
	noon  = time.Date(2026, 11, 24, 12, 0, 30, 0, time.UTC)
	found = discover.Found{Services: []discover.Service{
		{Name: "nginx", Checks: []discover.Check{{Unit: "nginx.service"}}},
		{Name: "shop", DependsOn: []string{"shop-db"}, Checks: []discover.Check{{Container: "shop-1"}, {Address: "127.0.0.1:8080"}}},
		{Name: "shop-db", Checks: []discover.Check{{Container: "shop-db-1"}}},
	}}
)

// fresh is a machine on which nothing of ours is.
func fresh() *Machine {
	return &Machine{
		System: true, User: "claudeops", Makes: true, Target: "systemd", EnvFile: "/etc/claudeops/env", Services: "/etc/claudeops/services.yaml", Record: "/etc/claudeops/init.json",
		StateDir: "/var/lib/claudeops", ResultsDir: "/var/lib/claudeops/results", Variables: map[string]string{}, EngineReached: true, EngineGroup: "docker",
	}
}

func had(env string) *Machine {
	m := fresh()
	m.Env = []byte(env)
	m.Variables, _ = config.FileVariables(m.Env)
	return m
}

func decide(t *testing.T, m *Machine, w Wish) *Plan {
	t.Helper()
	p, err := Decide(m, w, found, noon)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestVariables(t *testing.T) {
	const safe = "CLAUDEOPS_TIER1_AGENT=probe CLAUDEOPS_MAX_TIER=1"
	const places = "CLAUDEOPS_STATE_DIR=/var/lib/claudeops CLAUDEOPS_RESULTS_DIR=/var/lib/claudeops/results CLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml"
	for name, c := range map[string]struct {
		machine *Machine
		wish    Wish
		want    string // what is set, in order
	}{
		"nothing said":        {fresh(), Wish{}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe},
		"a model is Tier 1":   {had("CLAUDEOPS_TIER1_AGENT=claude\n"), Wish{}, places + " CLAUDEOPS_SCHEDULE=0 * * * * CLAUDEOPS_MAX_TIER=1"},
		"agents are let work": {fresh(), Wish{Remediate: true}, places + " CLAUDEOPS_SCHEDULE=* * * * * CLAUDEOPS_TIER1_AGENT=probe CLAUDEOPS_MAX_TIER=3"},
		"who is told": {
			fresh(), Wish{Notify: []string{"ntfy://a", "json://b,json://c", "ntfy://a"}}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe + " CLAUDEOPS_APPRISE_URLS=ntfy://a,json://b,json://c",
		},
		"what is set stays": {
			had("CLAUDEOPS_SCHEDULE=0 * * * *\nCLAUDEOPS_MAX_TIER=2\nCLAUDEOPS_TIER1_AGENT=claude\nCLAUDEOPS_STATE_DIR=/a\nCLAUDEOPS_RESULTS_DIR=/b\nCLAUDEOPS_INVENTORY=/c\nCLAUDEOPS_APPRISE_URLS=ntfy://a\n"), Wish{}, "",
		},
		"unless a flag says another": {
			had("CLAUDEOPS_SCHEDULE=0 * * * *\nCLAUDEOPS_MAX_TIER=1\nCLAUDEOPS_TIER1_AGENT=probe\nCLAUDEOPS_STATE_DIR=/a\nCLAUDEOPS_RESULTS_DIR=/b\nCLAUDEOPS_INVENTORY=/c\nCLAUDEOPS_APPRISE_URLS=ntfy://a\n"),
			Wish{Remediate: true, Schedule: "@daily", Notify: []string{"ntfy://b"}}, "CLAUDEOPS_SCHEDULE=@daily CLAUDEOPS_MAX_TIER=3 CLAUDEOPS_APPRISE_URLS=ntfy://a,ntfy://b",
		},
	} {
		t.Run(name, func(t *testing.T) {
			p := decide(t, c.machine, c.wish)
			var set []string
			for _, s := range p.Settings {
				set = append(set, s.Name+"="+s.Value)
			}
			if got := strings.Join(set, " "); got != c.want {
				t.Errorf("set\n%s\nwant\n%s", got, c.want)
			}
			values, err := config.FileVariables(p.EnvText)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range p.Settings {
				if values[s.Name] != s.Value {
					t.Errorf("%s is %q in the file, want %q", s.Name, values[s.Name], s.Value)
				}
			}
		})
	}
}

func TestServices(t *testing.T) {
	unreached := fresh()
	unreached.EngineReached, unreached.EngineGroup = false, ""
	merged := fresh()
	merged.Inventory = []byte("services:\n- {name: web, aliases: [nginx]}\n")
	again := fresh()
	again.Inventory, again.Made.Offered = []byte("services:\n- {name: shop-db}\n"), []string{"nginx", "shop-db"}
	anew := fresh()
	anew.Made.Offered = []string{"nginx"}
	for name, c := range map[string]struct {
		machine   *Machine
		wish      Wish
		added     string
		watched   int
		failAfter int
		user      string // what makes the user ready
	}{
		"each minute":                   {fresh(), Wish{}, "nginx shop shop-db", 3, 2, "--groups docker claudeops"},
		"each hour":                     {fresh(), Wish{Schedule: "0 * * * *"}, "nginx shop shop-db", 3, 1, "--groups docker claudeops"},
		"each hour and twice then":      {fresh(), Wish{Schedule: "0 * * * *; 0,10 * * * *"}, "nginx shop shop-db", 3, 2, "--groups docker claudeops"},
		"one is not to be watched":      {fresh(), Wish{Leave: []string{"shop-db"}}, "nginx shop", 2, 2, "--groups docker claudeops"},
		"no container is to be watched": {fresh(), Wish{Leave: []string{"shop-db", "shop"}}, "nginx", 1, 2, "/usr/sbin/nologin claudeops"},
		"the engine is not reached":     {unreached, Wish{}, "nginx shop", 2, 2, "/usr/sbin/nologin claudeops"},
		"one was taken out since":       {again, Wish{}, "shop", 2, 2, "--groups docker claudeops"},
		"and is chosen again":           {again, Wish{Leave: []string{}}, "nginx shop", 3, 2, "--groups docker claudeops"},
		"the whole file was":            {anew, Wish{}, "nginx shop shop-db", 3, 2, "--groups docker claudeops"},
		"one is there":                  {merged, Wish{}, "shop shop-db", 3, 2, "--groups docker claudeops"},
	} {
		t.Run(name, func(t *testing.T) {
			p := decide(t, c.machine, c.wish)
			var added []string
			for _, s := range p.Added {
				added = append(added, s.Name)
			}
			if got := strings.Join(added, " "); got != c.added || p.Watched != c.watched {
				t.Errorf("added %q of %d, want %q of %d", got, p.Watched, c.added, c.watched)
			}
			at := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == p.Services })
			inv, err := inventory.Parse(p.Files[at].Text)
			if err != nil {
				t.Fatal(err)
			}
			for _, s := range p.Added {
				if one, is := inv.Get(s.Name); !is || one.FailAfter != c.failAfter {
					t.Errorf("%s: in the file %v, fail_after %d, want %d", s.Name, is, one.FailAfter, c.failAfter)
				}
			}
			if commands := p.UserCommands(); len(commands) != 1 || !strings.HasSuffix(strings.Join(commands[0], " "), c.user) {
				t.Errorf("the user is made by %q, want … %s", commands, c.user)
			}
		})
	}
}

func TestDecideRefuses(t *testing.T) {
	broken := fresh()
	broken.Inventory = []byte("services: {}\n")
	for name, c := range map[string]struct {
		machine *Machine
		wish    Wish
		want    string
	}{
		"a schedule that is none":       {fresh(), Wish{Schedule: "often"}, `the schedule "often": `},
		"a URL that is none":            {fresh(), Wish{Notify: []string{"phone"}}, "a URL to notify: number 1 is no URL"},
		"an empty URL":                  {fresh(), Wish{Notify: []string{""}}, "a URL to notify: "},
		"a services file that is wrong": {broken, Wish{}, "/etc/claudeops/services.yaml: not a valid services file"},
	} {
		if p, err := Decide(c.machine, c.wish, found, noon); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %s", name, p, err, c.want)
		}
	}
}

// What init made is known as its own as long as nobody else has changed it.
func TestRemovalKnowsWhatWasMade(t *testing.T) {
	m := fresh()
	p := decide(t, m, Wish{})
	after := func(change func(path string, text []byte) []byte) Removal {
		is := fresh()
		for _, f := range p.Files {
			text := change(f.Path, f.Text)
			switch f.Path {
			case m.EnvFile:
				is.Env = text
			case m.Services:
				is.Inventory = text
			}
		}
		is.Made = Made{Files: map[string]string{}, User: "claudeops"}
		for _, f := range p.Files {
			if f.Path != m.Record {
				is.Made.Files[f.Path] = digestOf(f.Text)
			}
		}
		return is.Removal()
	}
	if r := after(func(_ string, text []byte) []byte { return text }); len(r.Files) != 2 || len(r.Changed)+len(r.Kept) != 0 || r.User != "claudeops" {
		t.Errorf("unchanged: %+v", r)
	}
	edited := func(path string, text []byte) []byte {
		if path == m.EnvFile {
			return append(slices.Clone(text), '#')
		}
		return text
	}
	if r := after(edited); !slices.Equal(r.Files, []string{m.Services}) || !slices.Equal(r.Changed, []string{m.EnvFile}) {
		t.Errorf("one was edited: %+v", r)
	}
	mine := had("A=1\n")
	if r := mine.Removal(); len(r.Files)+len(r.Changed) != 0 || !slices.Equal(r.Kept, []string{m.EnvFile}) {
		t.Errorf("not of init: %+v", r)
	}
}

package setup

import (
	"errors"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/inventory"
)

var (
	noon  = time.Date(2026, 11, 24, 12, 0, 30, 0, time.UTC)
	found = discover.Found{Services: []discover.Service{
		{Name: "nginx", Aid: true, Checks: []discover.Check{{Unit: "nginx.service"}}},
		{Name: "shop", DependsOn: []string{"shop-db"}, Aid: true, Restart: inventory.Way{Kind: inventory.Compose, File: "/srv/shop", Name: "shop"},
			Checks: []discover.Check{{Container: "shop-1"}, {Address: "127.0.0.1:8080"}}},
		{Name: "shop-db", Checks: []discover.Check{{Container: "shop-db-1"}}},
	}}
)

// fresh returns a machine without anything of claudeops.
func fresh() *Machine {
	return &Machine{
		System: true, User: "claudeops", Makes: true, Target: "systemd", EnvFile: "/etc/claudeops/env", Services: "/etc/claudeops/services.yaml", Record: "/etc/claudeops/init.json",
		StateDir: "/var/lib/claudeops", ResultsDir: "/var/lib/claudeops/results", Variables: map[string]string{}, EngineReached: true, EngineGroup: "docker",
		Credential: config.None,
	}
}

func had(env string) *Machine {
	m := fresh()
	m.Env = []byte(env)
	m.Variables, _ = config.FileVariables(m.Env)
	return m
}

// armed returns a machine whose cycles run with an API key and default permissions.
func armed(env string) *Machine {
	m := had(env)
	m.Runs, m.Credential = true, config.APIKey
	return m
}

// installed returns a machine whose cycles were installed with `crontab install` and these flags.
func installed(env, schedule string) *Machine {
	m := had(env)
	m.Installed = &crontab.Installed{Target: &crontab.Systemd{}, Flags: []string{"--allow-unit nginx.service"}, Schedule: schedule}
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
		"nothing said":            {fresh(), Wish{}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe},
		"a model is Tier 1":       {had("CLAUDEOPS_TIER1_AGENT=claude\n"), Wish{}, places + " CLAUDEOPS_SCHEDULE=0 * * * * CLAUDEOPS_MAX_TIER=1"},
		"agents are let work":     {fresh(), Wish{Remediate: true}, places + " CLAUDEOPS_SCHEDULE=* * * * * CLAUDEOPS_TIER1_AGENT=probe CLAUDEOPS_MAX_TIER=3 CLAUDEOPS_APPROVAL=remediation"},
		"unattended":              {fresh(), Wish{Remediate: true, Unattended: true}, places + " CLAUDEOPS_SCHEDULE=* * * * * CLAUDEOPS_TIER1_AGENT=probe CLAUDEOPS_MAX_TIER=3 CLAUDEOPS_APPROVAL=none"},
		"approval is set already": {armed("CLAUDEOPS_APPROVAL=tier3\n"), Wish{Remediate: true}, places + " CLAUDEOPS_SCHEDULE=0 * * * * CLAUDEOPS_MAX_TIER=3"},
		"who is told": {
			fresh(), Wish{Notify: []string{"ntfy://a", "json://b,json://c", "ntfy://a"}}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe + " CLAUDEOPS_APPRISE_URLS=ntfy://a,json://b,json://c",
		},
		"what is set stays": {
			had("CLAUDEOPS_SCHEDULE=0 * * * *\nCLAUDEOPS_MAX_TIER=2\nCLAUDEOPS_TIER1_AGENT=claude\nCLAUDEOPS_STATE_DIR=/a\nCLAUDEOPS_RESULTS_DIR=/b\nCLAUDEOPS_INVENTORY=/c\nCLAUDEOPS_APPRISE_URLS=ntfy://a\n"), Wish{}, "",
		},
		"a key, and no cycle yet":        {had("ANTHROPIC_API_KEY=x\n"), Wish{}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe},
		"agents are let work by a key":   {armed("ANTHROPIC_API_KEY=x\n"), Wish{}, places + " CLAUDEOPS_SCHEDULE=0 * * * *"},
		"and by a flag":                  {armed("ANTHROPIC_API_KEY=x\n"), Wish{Remediate: true}, places + " CLAUDEOPS_SCHEDULE=0 * * * * CLAUDEOPS_MAX_TIER=3 CLAUDEOPS_APPROVAL=remediation"},
		"all tiers are set":              {armed("CLAUDEOPS_TIER1_AGENT=probe\nCLAUDEOPS_MAX_TIER=3\n"), Wish{}, places + " CLAUDEOPS_SCHEDULE=* * * * *"},
		"installed without a schedule":   {installed("", ""), Wish{}, places + " CLAUDEOPS_SCHEDULE=* * * * * " + safe},
		"installed with a schedule":      {installed("CLAUDEOPS_SCHEDULE=0 * * * *\n", "@daily; */5 * * * *"), Wish{}, places + " CLAUDEOPS_SCHEDULE=@daily; */5 * * * * " + safe},
		"installed, and a flag is given": {installed("", "@daily"), Wish{Schedule: "@hourly"}, places + " CLAUDEOPS_SCHEDULE=@hourly " + safe},
		"unless a flag says another": {
			had("CLAUDEOPS_SCHEDULE=0 * * * *\nCLAUDEOPS_MAX_TIER=1\nCLAUDEOPS_TIER1_AGENT=probe\nCLAUDEOPS_STATE_DIR=/a\nCLAUDEOPS_RESULTS_DIR=/b\nCLAUDEOPS_INVENTORY=/c\nCLAUDEOPS_APPRISE_URLS=ntfy://a\n"),
			Wish{Remediate: true, Schedule: "@daily", Notify: []string{"ntfy://b"}}, "CLAUDEOPS_SCHEDULE=@daily CLAUDEOPS_MAX_TIER=3 CLAUDEOPS_APPROVAL=remediation CLAUDEOPS_APPRISE_URLS=ntfy://a,ntfy://b",
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
		user      string // how the user is created or changed
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
			offered := strings.Contains(string(p.Files[at].Text), "restart: {compose: {file: /srv/shop, service: shop}}\n")
			if want := c.machine.EngineReached && strings.Contains(" "+c.added+" ", " shop "); offered != want {
				t.Errorf("the restart of shop is in the file: %v, want %v", offered, want)
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
		"a schedule that is none":        {fresh(), Wish{Schedule: "often"}, `the schedule "often": `},
		"a URL that is none":             {fresh(), Wish{Notify: []string{"phone"}}, "a URL to notify: number 1 is no URL"},
		"an empty URL":                   {fresh(), Wish{Notify: []string{""}}, "a URL to notify: "},
		"targets in a file of their own": {had("CLAUDEOPS_APPRISE_URLS_FILE=/run/urls\n"), Wish{Notify: []string{"ntfy://b"}}, "a URL to notify: CLAUDEOPS_APPRISE_URLS is taken from /run/urls; "},
		"a services file that is wrong":  {broken, Wish{}, "/etc/claudeops/services.yaml: not a valid services file"},
	} {
		if p, err := Decide(c.machine, c.wish, found, noon); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %+v, %v; want %s", name, p, err, c.want)
		}
	}
}

// Files that init made are recognized as its own until they are changed by others.
func TestRemovalKnowsWhatWasMade(t *testing.T) {
	m := fresh()
	p := decide(t, m, Wish{})
	removal := func(m *Machine) Removal {
		r, err := m.Removal(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
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
		return removal(is)
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
	if r := removal(mine); len(r.Files)+len(r.Changed) != 0 || !slices.Equal(r.Kept, []string{m.EnvFile}) {
		t.Errorf("not of init: %+v", r)
	}
}

// A secret that is set through a file counts as set.
func TestASecretInAFileOfItsOwnIsSet(t *testing.T) {
	m := had("CLAUDEOPS_APPRISE_URLS_FILE=/run/urls\nCLAUDEOPS_MAX_TIER_FILE=/run/tier\n")
	if !m.Has("CLAUDEOPS_APPRISE_URLS") || m.Has("CLAUDEOPS_MAX_TIER") || m.Has("CLAUDEOPS_APPRISE_KEY") {
		t.Error("of the forms in files, that of a secret alone is one")
	}
}

// A closed environment file keeps its mode. One with secrets that is open, or that the cycles cannot read, does not.
func TestWhenTheFileOfVariablesIsClosed(t *testing.T) {
	notify := Wish{Notify: []string{"ntfy://a"}}
	for name, c := range map[string]struct {
		env    string
		mode   fs.FileMode
		unread bool
		wish   Wish
		want   string
	}{
		"closed":                      {"A=1\n", 0o640, false, notify, ""},
		"open without a secret":       {"A=1\n", 0o644, false, Wish{}, ""},
		"open, and a secret comes":    {"A=1\n", 0o644, false, notify, "everybody could read it and its secrets (mode 0644)"},
		"open, with a secret":         {"ANTHROPIC_API_KEY=x\n", 0o604, false, Wish{}, "everybody could read it and its secrets (mode 0604)"},
		"closed to the cycles' user":  {"A=1\n", 0o600, true, Wish{}, "claudeops could not read it"},
		"nothing is new but its mode": {"CLAUDEOPS_STATE_DIR=/a\nCLAUDEOPS_RESULTS_DIR=/b\nCLAUDEOPS_INVENTORY=/c\nCLAUDEOPS_SCHEDULE=@daily\nCLAUDEOPS_MAX_TIER=1\nCLAUDEOPS_TIER1_AGENT=probe\nDASHBOARD_TOKEN=x\n", 0o644, false, Wish{}, "everybody could read it and its secrets (mode 0644)"},
	} {
		m := had(c.env)
		m.envMode, m.unread = c.mode, c.unread
		p := decide(t, m, c.wish)
		if got := p.Access(); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
		at := slices.IndexFunc(p.Files, func(f File) bool { return f.Path == p.EnvFile })
		if at < 0 || p.Files[at].Keep != (c.want == "") {
			t.Errorf("%s: the files are %+v", name, p.Files)
		}
	}
}

// The steps always say what agents may do, even if that does not change.
func TestAgentsAreSaid(t *testing.T) {
	for name, c := range map[string]struct {
		machine *Machine
		wish    Wish
		want    string
	}{
		"nothing said":            {fresh(), Wish{}, "none are started: the checks alone watch"},
		"armed":                   {armed("ANTHROPIC_API_KEY=x\n"), Wish{}, "may investigate and remediate, within the limits, as before: there is a credential for them (api_key), and /etc/claudeops/env does not say otherwise."},
		"armed, for two tiers":    {armed("ANTHROPIC_API_KEY=x\nCLAUDEOPS_MAX_TIER=2\n"), Wish{}, "may observe and investigate, as before: "},
		"armed by this":           {fresh(), Wish{Remediate: true}, "may investigate and remediate, within the limits (CLAUDEOPS_TIER1_AGENT=probe, CLAUDEOPS_MAX_TIER=3, CLAUDEOPS_APPROVAL=remediation)"},
		"a key, and no cycle yet": {func() *Machine { m := armed("ANTHROPIC_API_KEY=x\n"); m.Runs = false; return m }(), Wish{}, "none are started, although there is a credential for them (api_key): --remediate"},
		"a model that only looks": {had("CLAUDEOPS_TIER1_AGENT=claude\n"), Wish{}, "may observe (CLAUDEOPS_TIER1_AGENT=claude, CLAUDEOPS_MAX_TIER=1, CLAUDEOPS_APPROVAL=none)"},
	} {
		p := decide(t, c.machine, c.wish)
		conf, _, err := config.LoadText(p.EnvFile, p.EnvText)
		if err != nil {
			t.Fatal(err)
		}
		p.config = conf
		steps := p.Steps(nil)
		at := slices.IndexFunc(steps, func(s Step) bool { return s.What == "agents" })
		if got := steps[at].Detail; !strings.HasPrefix(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

// If init adds the user to a group, the record says so. If the user has left that group, there is nothing to undo.
func TestTheGroupIsRecorded(t *testing.T) {
	record, written, err := decide(t, fresh(), Wish{}).record()
	var made Made
	if err := errors.Join(err, json.Unmarshal(record.Text, &made)); err != nil || !written {
		t.Fatal(written, err)
	}
	if want := (Member{"claudeops", "docker"}); made.Member != want || made.User != "claudeops" {
		t.Errorf("%+v, want %+v", made, want)
	}
	m := fresh()
	m.Made.Member = Member{"nobody-of-that-name", "docker"}
	if r, err := m.Removal(t.Context()); err != nil || r.Any() {
		t.Errorf("%+v, %v", r, err)
	}
}

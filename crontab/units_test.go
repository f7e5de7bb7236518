package crontab

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/schedule"
)

var updateUnits = flag.Bool("update-units", false, "write deploy/systemd anew")

// defaultJob is the job of a package, with all defaults.
func defaultJob(t *testing.T) Job {
	t.Helper()
	for _, entry := range os.Environ() {
		if name, _, _ := strings.Cut(entry, "="); strings.HasPrefix(name, config.Prefix) {
			t.Setenv(name, "") // an empty variable counts as unset
		}
	}
	c, _, err := config.Load(os.DevNull)
	if err != nil {
		t.Fatal(err)
	}
	return Job{Program: "/usr/bin/claudeops", Schedule: c.Schedule, Longest: LongestCycle(c), System: true}
}

func unitFiles(t *testing.T, j Job, o UnitOptions) map[string]string {
	t.Helper()
	files, err := Units(j, o)
	if err != nil {
		t.Fatal(err)
	}
	texts := map[string]string{}
	for _, f := range files {
		texts[f.Path] = f.Text
	}
	return texts
}

func TestTheUnitsInDeployAreTheRenderedOnes(t *testing.T) {
	for name, text := range unitFiles(t, defaultJob(t), UnitOptions{}) {
		path := filepath.Join("../deploy/systemd", name)
		if *updateUnits {
			if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		checkedIn, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(text, string(checkedIn)); diff != "" {
			t.Errorf("%s (go test ./crontab -update-units makes it anew): rendered -, checked in +\n%s", path, diff)
		}
	}
}

func TestOptionsOfUnits(t *testing.T) {
	j := defaultJob(t)
	j.User, j.EnvFile, j.StateDir, j.ResultsDir = "ops", "/srv/my ops/env*", "/srv/my ops", "/srv/100%"
	for _, text := range []string{"0 9 1 * 1", "@every 90s"} {
		e, err := schedule.Parse(text)
		if err != nil {
			t.Fatal(err)
		}
		j.Schedule = append(j.Schedule, e)
	}
	units := unitFiles(t, j, UnitOptions{
		Credentials: map[string]string{"ANTHROPIC_API_KEY": "/etc/claudeops/api-key", "CLAUDEOPS_APPRISE_URLS": "/etc/claudeops/urls%"},
		AllowUnits:  []string{"shop.service", "db@16-main", "shop"}, Jitter: 90 * time.Second,
	})
	for name, want := range map[string][]string{
		ServiceUnit: {
			"User=ops", `ExecStart=/usr/bin/claudeops run-once --trigger systemd --env-file "/srv/my ops/env*"`,
			`EnvironmentFile=/srv/my ops/env\*`, `Environment="CLAUDEOPS_STATE_DIR=/srv/my ops"`, "Environment=CLAUDEOPS_RESULTS_DIR=/srv/100%%",
			`ReadWritePaths="-/srv/my ops"`, "ReadWritePaths=-/srv/100%%",
			"LoadCredential=anthropic_api_key:/etc/claudeops/api-key", "Environment=ANTHROPIC_API_KEY_FILE=%d/anthropic_api_key",
			"LoadCredential=claudeops_apprise_urls:/etc/claudeops/urls%%", "Environment=CLAUDEOPS_APPRISE_URLS_FILE=%d/claudeops_apprise_urls",
		},
		TimerUnit:  {"OnCalendar=*-*-* *:00:00", "OnCalendar=*-*-01 09:00:00", "OnCalendar=Mon *-*-* 09:00:00", "OnActiveSec=90s", "OnUnitActiveSec=90s", "RandomizedDelaySec=90s"},
		PolkitPath: {`        "db@16-main.service",`, `        "shop.service"`, `subject.user == "ops"`},
	} {
		for _, line := range want {
			if !strings.Contains(units[name], "\n"+line+"\n") && !strings.Contains(units[name], line+" &&") {
				t.Errorf("%s has no line %s:\n%s", name, line, units[name])
			}
		}
	}
}

func TestAUsersUnitsNeedNoRightsOfTheSystem(t *testing.T) {
	j := defaultJob(t)
	j.System = false
	units := unitFiles(t, j, UnitOptions{})
	for _, line := range []string{"User=", "ProtectSystem=", "PrivateTmp=", "CapabilityBoundingSet=", "network-online"} {
		if strings.Contains(units[ServiceUnit], line) {
			t.Errorf("a user's service says %s", line)
		}
	}
	if !strings.Contains(units[ServiceUnit], "\nEnvironment=CLAUDEOPS_STATE_DIR=%S/claudeops\n") {
		t.Errorf("a user's service keeps its state elsewhere:\n%s", units[ServiceUnit])
	}
}

func TestWhatNoUnitCanHoldIsRefused(t *testing.T) {
	good := defaultJob(t)
	for name, tt := range map[string]struct {
		change  func(*Job, *UnitOptions)
		message string
	}{
		"a relative program":      {func(j *Job, _ *UnitOptions) { j.Program = "claudeops" }, `the program "claudeops" is no absolute path`},
		"a quote in a program":    {func(j *Job, _ *UnitOptions) { j.Program = "/srv/it's/claudeops" }, "quotes or a backslash"},
		"a line break in a path":  {func(j *Job, _ *UnitOptions) { j.StateDir = "/srv/a\nExecStart=/bin/sh" }, "CLAUDEOPS_STATE_DIR"},
		"a backslash at the end":  {func(j *Job, _ *UnitOptions) { j.EnvFile = `/etc/env\` }, "the environment file"},
		"a blank at the end":      {func(j *Job, _ *UnitOptions) { j.ResultsDir = "/srv/results " }, "CLAUDEOPS_RESULTS_DIR"},
		"no schedule":             {func(j *Job, _ *UnitOptions) { j.Schedule = nil }, "no schedule"},
		"no limit":                {func(j *Job, _ *UnitOptions) { j.Longest = 0 }, "how long a cycle may take"},
		"a user of two words":     {func(j *Job, _ *UnitOptions) { j.User = "a b" }, "no name of a user"},
		"a jitter back in time":   {func(_ *Job, o *UnitOptions) { o.Jitter = -time.Second }, "jitter"},
		"no secret":               {func(_ *Job, o *UnitOptions) { o.Credentials = map[string]string{"CLAUDEOPS_SCHEDULE": "/x"} }, "CLAUDEOPS_SCHEDULE is no secret"},
		"what names a file":       {func(_ *Job, o *UnitOptions) { o.Credentials = map[string]string{"ANTHROPIC_API_KEY_FILE": "/x"} }, "no secret"},
		"a credential of a name":  {func(_ *Job, o *UnitOptions) { o.Credentials = map[string]string{"ANTHROPIC_API_KEY": "key"} }, "the file of ANTHROPIC_API_KEY"},
		"a blank in a credential": {func(_ *Job, o *UnitOptions) { o.Credentials = map[string]string{"ANTHROPIC_API_KEY": "/etc/api key"} }, "no blanks"},
		"allowed for oneself":     {func(j *Job, o *UnitOptions) { j.System = false; o.AllowUnits = []string{"shop"} }, "a user's own"},
		"a pattern":               {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"shop*"} }, "no name of a service"},
		"a target":                {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"reboot.target"} }, "no name of a service"},
		"JavaScript":              {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{`a"];polkit.x();["`} }, "no name of a service"},
		"a line of JavaScript":    {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"a\n.service"} }, "no name of a service"},
		"letters beyond ASCII":    {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"schön.service"} }, "no name of a service"},
		"nothing":                 {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{""} }, "no name of a service"},
		"a template":              {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"db@.service"} }, "is a template"},
		"this program itself":     {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{"claudeops"} }, "of this program"},
		"a name that is too long": {func(_ *Job, o *UnitOptions) { o.AllowUnits = []string{strings.Repeat("a", 248)} }, "no name of a service"},
	} {
		t.Run(name, func(t *testing.T) {
			j, o := good, UnitOptions{}
			tt.change(&j, &o)
			if files, err := Units(j, o); err == nil || !strings.Contains(err.Error(), tt.message) {
				t.Errorf("got %d files and the error %v, want one with %q", len(files), err, tt.message)
			}
		})
	}
}

func TestAServicesNameMayHaveADot(t *testing.T) {
	if rule, err := PolkitRule("claudeops", []string{"php8.2-fpm"}); err != nil || !strings.Contains(rule, `"php8.2-fpm.service"`) {
		t.Errorf("%v\n%s", err, rule)
	}
}

func TestAUnitsNameWithABackslashStaysOneStringOfJavaScript(t *testing.T) {
	rule, err := PolkitRule("claudeops", []string{`dev-disk\x2dby.service`, `end\.service`})
	if strings.Contains(rule, `"start"`) {
		t.Errorf("with start anybody is root who may make a unit of that name:\n%s", rule)
	}
	if err != nil || !strings.Contains(rule, `"dev-disk\\x2dby.service"`) || !strings.Contains(rule, `"end\\.service"`) {
		t.Errorf("%v\n%s", err, rule)
	}
}

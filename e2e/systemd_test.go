package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/schedule"
	"github.com/claudeops/claudeops/testkit/machine"
	"github.com/claudeops/claudeops/testkit/modeltest"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// host is a booted machine with claudeops installed.
type host struct {
	*machine.Machine
	t *testing.T
}

// newHost boots a machine with the programs and the units' user. bind lists further directories of this machine that it sees.
func newHost(t *testing.T, bind map[string]string) *host {
	t.Helper()
	t.Parallel()
	h := &host{machine.Boot(t, bind), t}
	h.Copy(claudeopsBin, "/usr/local/bin/claudeops", 0o755)
	h.Copy(shimBin, "/usr/local/bin/claudeops-shim", 0o755)
	h.Run("useradd --system --home-dir /var/lib/claudeops --shell /usr/sbin/nologin claudeops")
	return h
}

func parse(t *testing.T, expression string) schedule.Expression {
	t.Helper()
	e, err := schedule.Parse(expression)
	must(t, err)
	return e
}

// job returns a system job with this schedule.
func (h *host) job(expression string) crontab.Job {
	h.t.Helper()
	return crontab.Job{Program: "/usr/local/bin/claudeops", Schedule: []schedule.Expression{parse(h.t, expression)}, Longest: time.Hour, System: true}
}

// install puts the units in place.
func (h *host) install(j crontab.Job, o crontab.UnitOptions) {
	h.t.Helper()
	files, err := crontab.Units(j, o)
	must(h.t, err)
	for _, f := range files {
		path := f.Path
		if !filepath.IsAbs(path) {
			path = filepath.Join("/etc/systemd/system", path)
		}
		h.Write(path, f.Text, f.Mode)
	}
	h.Run("systemctl daemon-reload")
}

// configure writes /etc/claudeops/env, which only root may read, and the services file that it names.
func (h *host) configure(services string, lines ...string) {
	h.t.Helper()
	h.Write("/etc/claudeops/services.yaml", "services:\n"+services, 0o644)
	h.Write("/etc/claudeops/env", "CLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml\n"+strings.Join(lines, "\n")+"\n", 0o600)
}

// awaitJournal waits until the journal of a service has a line with that text.
func (h *host) awaitJournal(service, text string) {
	h.t.Helper()
	h.Run(fmt.Sprintf(`exec bash -ec 'grep -q -m1 -F "%s" < <(exec journalctl --follow --lines=all --output=cat --unit=%s)'`, text, service))
}

// show returns a property of a unit.
func (h *host) show(unit, property string) string {
	h.t.Helper()
	return strings.TrimSpace(h.Run("systemctl show --value --property=" + property + " " + unit))
}

// statuses returns "tier status trigger" for each session in the units' state directory.
func (h *host) statuses() string {
	h.t.Helper()
	return h.Run(`runuser -u claudeops -- claudeops sessions list --all --json --db /var/lib/claudeops/claudeops.db | jq -r 'reverse[] | "\(.tier) \(.status) \(.trigger)"'`)
}

// newYear is a schedule that is not due during a test.
const newYear = "0 0 1 1 *"

// fine is a service that is always well.
const fine = "  - {name: disk, checks: [{type: service, plugin: [/bin/true]}]}\n"

func TestSystemd_TheTimerStartsACycleEachMinute(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=probe")
	h.install(h.job("* * * * *"), crontab.UnitOptions{})
	h.Run("systemctl enable --now claudeops.timer")
	h.awaitJournal("claudeops.service", "1 healthy")
	h.awaitJournal("claudeops.service", "Finished claudeops.service")
	if got := h.statuses(); !strings.HasPrefix(got, "1 completed systemd\n") {
		t.Errorf("sessions:\n%s", got)
	}
	equal(t, "the state and results", h.Run("stat -c '%U %a' /var/lib/claudeops /var/lib/claudeops/results"), "claudeops 700\nclaudeops 700\n")
}

func TestSystemd_ARunThatWasMissedIsMadeUpForOnce(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=probe")
	h.install(h.job(newYear), crontab.UnitOptions{})
	h.Run("mkdir -p /var/lib/systemd/timers; touch -d '3 years ago' /var/lib/systemd/timers/stamp-claudeops.timer; systemctl enable --now claudeops.timer")
	h.awaitJournal("claudeops.service", "Finished claudeops.service")
	h.Run("systemctl restart claudeops.timer")
	equal(t, "sessions", h.statuses(), "1 completed systemd\n")
}

func TestSystemd_ASecondCycleIsNoFailure(t *testing.T) {
	h := newHost(t, nil)
	h.configure("  - {name: disk, checks: [{type: service, plugin: [/usr/local/bin/hang], timeout: 1m}]}\n", "CLAUDEOPS_TIER1_AGENT=probe",
		"CLAUDEOPS_STATE_DIR=/var/lib/claudeops", "CLAUDEOPS_RESULTS_DIR=/var/lib/claudeops/results")
	h.Write("/usr/local/bin/hang", "#!/bin/sh\necho >/run/hang/started\ncat /run/hang/go\n", 0o755)
	h.install(h.job(newYear), crontab.UnitOptions{})
	h.Run(`mkdir /run/hang; mkfifo -m 0666 /run/hang/started /run/hang/go
		systemd-run --unit=by-hand --uid=claudeops --property=StateDirectory='claudeops claudeops/results' --property=EnvironmentFile=/etc/claudeops/env claudeops run-once
		read line </run/hang/started`)
	h.Run("systemctl start claudeops.timer claudeops.service") // a unit that a timer names stays loaded, with its result
	equal(t, "the second cycle", h.show("claudeops.service", "Result")+" "+h.show("claudeops.service", "ExecMainStatus"), "success 75")
	h.Run("echo >/run/hang/go")
}

func TestSystemd_StoppedItEndsItsAgentAndRecordsTheSession(t *testing.T) {
	h := newHost(t, nil)
	h.Copy(fakeBin, "/usr/local/bin/claude", 0o755)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=claude", "ANTHROPIC_API_KEY=sk-ant-no-such-key", "CLAUDEOPS_AGENT_ENV=FAKE_AGENT_DIR", "FAKE_AGENT_DIR=/var/lib/claudeops/agent")
	h.Write("/var/lib/claudeops/agent/tier1", "sh echo >/var/lib/claudeops/agent/started; exec sleep 3600\n", 0o644)
	h.install(h.job(newYear), crontab.UnitOptions{})
	h.Run(`mkfifo /var/lib/claudeops/agent/started; chown -R claudeops: /var/lib/claudeops
		systemctl start claudeops.timer; systemctl start --no-block claudeops.service; read line </var/lib/claudeops/agent/started; systemctl stop claudeops.service`)
	equal(t, "stopped, it", h.show("claudeops.service", "Result")+" "+h.show("claudeops.service", "ExecMainStatus"), "success 143")
	equal(t, "sessions", h.statuses(), "1 interrupted systemd\n")
}

// answers returns the output of the calls of a model's agents.
func answers(srv *modeltest.Server, family string) string {
	var text strings.Builder
	for _, r := range srv.RequestsTo(family) {
		for _, result := range r.Results {
			text.WriteString(result.Text + "\n")
		}
	}
	return text.String()
}

// A whole cycle in the hardened unit: with the real agent program, and a restart that polkit permits this user for this unit only.
func TestSystemd_Tier2RestartsWhatPolkitAndTheGuardAllowAndNothingElse(t *testing.T) {
	srv := modeltest.Start(t, modeltest.Script{
		"haiku": {
			modeltest.Bash("systemctl is-active shop.service web.service", "journalctl --no-pager --unit=shop.service --lines=20"),
			modeltest.Bash(`echo '[{"service":"shop","check_type":"service","status":"down","error":"failed"}]' | claudeops report`), modeltest.Say("handed off"),
		},
		"sonnet": {
			modeltest.Bash("systemctl restart web.service"),
			modeltest.Bash("systemctl restart shop.service"),
			modeltest.Say("restarted shop"),
		},
	})
	h := newHost(t, map[string]string{modeltest.Program(t): "/usr/local/bin/claude"})
	for _, name := range []string{"shop", "web"} {
		h.Write("/etc/systemd/system/"+name+".service", "[Service]\nExecStart=/bin/sh -c 'echo the till is open; exec sleep infinity'\n", 0o644)
	}
	h.Write("/etc/systemd/system/claudeops.service.d/override.conf", "[Service]\nSupplementaryGroups=systemd-journal\n", 0o644)
	var lines []string
	for _, line := range srv.Environ() {
		if !strings.HasPrefix(line, "ANTHROPIC_API_KEY=") {
			lines = append(lines, line)
		}
	}
	h.configure("  - {name: shop, settle: 0s, checks: [{type: service, unit: shop.service}]}\n", append(lines, "CLAUDEOPS_TIER1_AGENT=claude")...)
	h.Write("/etc/claudeops/api-key", modeltest.Key+"\n", 0o600)
	h.Run("claudeops crontab install --target systemd --schedule '" + newYear + "' --credential ANTHROPIC_API_KEY=/etc/claudeops/api-key --allow-unit shop.service")
	h.Run("systemctl start shop web")
	h.awaitJournal("shop.service", "the till is open")
	h.Run("systemctl kill --wait --signal=SIGSEGV shop || systemctl is-failed shop")
	shop, web := h.show("shop", "InvocationID"), h.show("web", "InvocationID")

	h.Run("systemctl start claudeops.service")
	equal(t, "sessions", h.statuses(), "1 escalated systemd\n2 completed escalation\n")
	requests := srv.Requests()
	if len(requests) == 0 || requests[0].Key != modeltest.Key {
		t.Fatalf("the credential did not reach the API: %d requests", len(requests))
	}
	if h.show("shop", "InvocationID") == shop || h.show("shop", "ActiveState") != "active" {
		t.Error("shop was not restarted")
	}
	if h.show("web", "InvocationID") != web {
		t.Error("web was restarted")
	}
	says(t, answers(srv, "haiku"), "the till is open")
	says(t, answers(srv, "sonnet"), "the services file does not name web.service")
	says(t, h.Run("claudeops events --json --db /var/lib/claudeops/claudeops.db"), "remediated")

	// Without the guard, polkit refuses the same to this user.
	permit := []string{"restart shop.service", "try-restart shop", "reload-or-restart shop", "reset-failed shop", "stop shop", "restart shop"}
	refuse := []string{
		"start shop", "restart web.service", "stop web", "start cron", "restart claudeops.timer", "kill shop", "mask --now shop", "daemon-reload",
		"set-property shop CPUWeight=1", "reboot",
	}
	for i, command := range slices.Concat(permit, refuse) {
		permitted := i < len(permit)
		out, code := h.Try("runuser -u claudeops -- systemctl --no-ask-password " + command)
		if permitted != (code == 0) || !permitted && !strings.Contains(out, "ccess denied") && !strings.Contains(out, "nteractive authentication required") {
			t.Errorf("systemctl %s: exit %d, permitted is to be %t: %s", command, code, permitted, out)
		}
	}
}

// inShell is shell text that a service runs in place of a cycle, as an agent of Tier 1. It prints its user, reads a file that the user may
// read but an agent may not, has the broker ask systemd, and changes the mode of one of its files.
const inShell = "[Service]\nExecStart=\nExecStart=/usr/local/bin/claudeops sandbox --tier 1 " +
	`"echo in $(id -un); cat %S/claudeops/kept; systemctl is-active dbus.service; cd $TMPDIR; touch file; chmod 711 file; stat -c %%a file; systemctl restart shop.service"` + "\nSuccessExitStatus=126\n"

// wantInShell fails unless a journal has its output.
func (h *host) wantInShell(user, journal string) {
	h.t.Helper()
	says(h.t, journal, "in "+user+"\n", "/claudeops/kept: Permission denied\n", "\nactive\n", "\n711\n", "Tier 1 only observes")
}

func TestSystemd_TheHardenedUnitHasRoomForTheSandbox(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine + "  - {name: shop, checks: [{type: service, unit: shop.service}]}\n")
	h.install(h.job(newYear), crontab.UnitOptions{})
	h.Write("/var/lib/claudeops/kept", "secret\n", 0o644)
	h.Write("/etc/systemd/system/claudeops.service.d/shell.conf", inShell, 0o644)
	h.Run("systemctl daemon-reload; systemctl start claudeops.service")
	h.wantInShell("claudeops", h.Run("journalctl --sync; journalctl --output=cat --unit=claudeops.service"))
}

// A user who may start a service by its name could create a missing one of that name with any command, and have it run as root.
func TestSystemd_AnAllowedNameWithoutAUnitMakesNobodyRoot(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=probe")
	h.Run("claudeops crontab install --target systemd --schedule '" + newYear + "' --allow-unit till --allow-unit db@1")
	for _, command := range []string{
		"systemd-run --unit=till.service --property=User=root touch /root/mine", "systemd-run --unit=db@1 --wait touch /root/mine", "systemd-run --scope --unit=till touch /root/mine",
		"systemd-run --unit=till --on-active=1 touch /root/mine", "systemctl start till",
	} {
		if out, code := h.Try("runuser -u claudeops -- " + strings.Replace(command, " ", " --no-ask-password ", 1)); code == 0 || !strings.Contains(out, "ccess denied") && !strings.Contains(out, "nteractive authentication required") {
			t.Errorf("%s: exit %d: %s", command, code, out)
		}
	}
	if out, code := h.Try("test -e /root/mine"); code == 0 {
		t.Errorf("a command was run as root: %s", out)
	}
}

func TestSystemd_TheDocumentedCommandsLeadToACycle(t *testing.T) {
	t.Parallel()
	h := &host{machine.Boot(t, nil), t}
	h.Copy(claudeopsBin, "/root/claudeops", 0o755)
	h.Copy(shimBin, "/root/claudeops-shim", 0o755)
	h.Copy("../deploy/release/env", "/root/deploy/release/env", 0o644)
	for _, command := range deployCommands(t, "systemd") {
		h.Run(strings.ReplaceAll(command, "sudo ", "")) // this is root already, and sudo is not installed here
	}
	equal(t, "sessions", h.statuses(), "1 completed systemd\n")
	if got := h.Run("systemctl is-active claudeops.timer; systemctl is-enabled claudeops.timer"); got != "active\nenabled\n" {
		t.Errorf("the timer is\n%s", got)
	}
	says(t, h.Run("claudeops sessions list"), "completed")
	out, _ := h.Try("runuser -u claudeops -- claudeops sessions list")
	says(t, out, "/etc/claudeops/env may not be read by this user")
	if got := h.Run("journalctl --output=cat --unit=claudeops.service"); strings.Contains(got, "may not be read") {
		t.Errorf("the unit, for which systemd has read the file, says\n%s", got)
	}

	for i, dropIn := range dropIns(t) {
		unit := map[string]string{"[Service]": "claudeops.service", "[Timer]": "claudeops.timer"}[strings.SplitN(dropIn, "\n", 2)[0]]
		if strings.Contains(dropIn, "claudeops dashboard") {
			unit = "claudeops-dashboard.service"
		}
		h.Write(fmt.Sprintf("/etc/systemd/system/%s.d/documented-%d.conf", unit, i), dropIn, 0o644)
	}
	if said := h.Run("systemd-analyze verify claudeops.service claudeops.timer 2>&1; systemctl daemon-reload; systemctl restart claudeops.timer; systemctl start claudeops.service"); said != "" {
		t.Errorf("with the drop-ins of docs/deploy.md systemd says\n%s", said)
	}
	equal(t, "with the drop-ins of docs/deploy.md the sessions", h.statuses(), "1 completed systemd\n1 completed systemd\n")
	if got := h.show("claudeops.timer", "TimersCalendar"); !strings.Contains(got, "OnCalendar=Mon..Fri") || strings.Count(got, "OnCalendar=") != 1 {
		t.Errorf("with the documented drop-in the timer comes at %s", got)
	}
}

// dropIns returns the indented blocks of docs/deploy.md that begin with a section of a unit file.
func dropIns(t *testing.T) (texts []string) {
	t.Helper()
	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	for _, block := range regexp.MustCompile(`(?m)^    \[(?:Unit|Service|Timer)\]\n(?:    .*\n)+`).FindAllString(string(doc), -1) {
		texts = append(texts, strings.TrimPrefix(strings.ReplaceAll("\n"+block, "\n    ", "\n"), "\n"))
	}
	if len(texts) < 2 {
		t.Fatalf("docs/deploy.md has %d drop-ins, want those of the service and the timer", len(texts))
	}
	return texts
}

func TestSystemd_TheUnitsAreCleanAndAsTightAsTheDocumentationSays(t *testing.T) {
	h := newHost(t, nil)
	h.Run("ln -s /usr/local/bin/claudeops /usr/bin/claudeops") // claudeops.service belongs to the package
	for _, name := range []string{"claudeops.service", "claudeops.timer", "claudeops-failed@.service"} {
		h.Copy("../deploy/systemd/"+name, "/etc/systemd/system/"+name, 0o644)
	}
	if out, code := h.Try("systemd-analyze verify claudeops.service claudeops.timer claudeops-failed@claudeops.service"); out != "" || code != 0 {
		t.Errorf("systemd-analyze verify: exit %d: %s", code, out)
	}
	report := h.Run("systemd-analyze security --offline=true --no-pager /etc/systemd/system/claudeops.service")
	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	_, section, _ := strings.Cut(string(doc), "\n**Hardening.** ")
	section, _, _ = strings.Cut(section, "\n\nA user's own")
	level := regexp.MustCompile(`exposure level for claudeops.service: ([0-9.]+) `).FindStringSubmatch(report)
	if level == nil || !strings.Contains(section, "**"+level[1]+"**") {
		t.Errorf("docs/deploy.md does not say the level %q of\n%s", level, report)
	}
	open := regexp.MustCompile(`(?m)^✗ (\S+) `).FindAllStringSubmatch(report, -1)
	table := regexp.MustCompile("(?m)^\\| (`.*`) \\| ").FindAllStringSubmatch(section, -1)
	var want, got []string
	for _, line := range open {
		want = append(want, line[1])
	}
	for _, row := range table {
		for _, name := range strings.Split(strings.Trim(row[1], "`"), "` `") {
			got = append(got, strings.ReplaceAll(name, `\|`, "|"))
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" || len(want) == 0 {
		t.Errorf("what is open -, and explained in docs/deploy.md +:\n%s", diff)
	}
}

func TestSystemd_PathsOfAnyLettersArriveAsTheyAre(t *testing.T) {
	h := newHost(t, nil)
	const odd = "/srv/a b%n\"c'd$HOME\\e[f]{g}*;h"
	const program, secret = "/srv/a b%n$HOME[f]{g}*;h", "/srv/ab%n$HOME[f]{g}*;h" // systemd takes no quotes and backslashes there
	quoted := "'" + strings.ReplaceAll(odd, "'", `'\''`) + "'"
	h.Run("mkdir -p " + quoted + "/state '" + program + "'; cp /usr/local/bin/claudeops* '" + program + "'")
	h.configure(fine)
	h.Write(odd+"/env", "CLAUDEOPS_INVENTORY=/etc/claudeops/services.yaml\nCLAUDEOPS_TIER1_AGENT=probe\n", 0o644)
	h.Write(secret+"/key", "sk-ant-no-such-key\n", 0o600)
	h.Run("chown -R claudeops: " + quoted + "/state")
	j := h.job(newYear)
	j.Program, j.EnvFile, j.StateDir, j.ResultsDir = program+"/claudeops", odd+"/env", odd+"/state", odd+"/state/results"
	h.install(j, crontab.UnitOptions{Credentials: map[string]string{"ANTHROPIC_API_KEY": secret + "/key"}})
	if out, code := h.Try("systemd-analyze verify claudeops.service"); out != "" || code != 0 {
		t.Errorf("systemd-analyze verify: exit %d: %s", code, out)
	}
	h.Run("systemctl start claudeops.service")
	if got := h.Run("claudeops sessions list --json --db " + quoted + "/state/claudeops.db | jq length; ls " + quoted + "/state/results | head -n 1"); !strings.HasPrefix(got, "1\n") {
		t.Errorf("sessions in the folder of the job: %s", got)
	}
}

func TestSystemd_AUsersOwnUnitsRunWithoutRoot(t *testing.T) {
	h := newHost(t, nil)
	h.Write("/home/ops/services.yaml", "services:\n"+fine, 0o644)
	h.Write("/home/ops/env", "CLAUDEOPS_INVENTORY=/home/ops/services.yaml\nCLAUDEOPS_TIER1_AGENT=probe\n", 0o600)
	j := h.job(newYear)
	j.System, j.EnvFile = false, "/home/ops/env"
	files, err := crontab.Units(j, crontab.UnitOptions{Jitter: time.Second})
	must(t, err)
	for _, f := range files {
		h.Write("/home/ops/.config/systemd/user/"+f.Path, f.Text, f.Mode)
	}
	h.Run("useradd --home-dir /home/ops --no-create-home ops; chown -R ops: /home/ops; systemctl start user@$(id -u ops).service")
	const own = "runuser -u ops -- env HOME=/home/ops XDG_RUNTIME_DIR=/run/user/$(id -u ops) "
	h.Run(own + "systemctl --user enable --now claudeops.timer")
	h.Run(own + "systemctl --user start claudeops.service")
	equal(t, "sessions", h.Run(own+"claudeops sessions list --json --db /home/ops/.local/state/claudeops/claudeops.db | jq -r '.[].status'"), "completed\n")
}

func TestSystemd_AFailedRunIsTold(t *testing.T) {
	messages := receiver.New(t)
	h := newHost(t, nil)
	messages.Store("ops")
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=claude", "ANTHROPIC_API_KEY=sk-ant-no-such-key", "CLAUDEOPS_CLAUDE_BIN=/bin/false", "CLAUDEOPS_APPRISE_API_URL="+messages.URL, "CLAUDEOPS_APPRISE_KEY=ops")
	h.Copy("../deploy/systemd/claudeops-failed@.service", "/etc/systemd/system/claudeops-failed@.service", 0o644)
	h.Write("/etc/systemd/system/claudeops.service.d/override.conf", "[Unit]\nOnFailure=claudeops-failed@%n.service\n", 0o644)
	h.install(h.job(newYear), crontab.UnitOptions{})
	if out, code := h.Try("systemctl start claudeops.service"); code == 0 {
		t.Errorf("a cycle whose tier failed is a success: %s", out)
	}
	h.awaitJournal("claudeops-failed@claudeops.service.service", "Finished")
	for _, m := range messages.Delivered() {
		if strings.HasPrefix(m.Title, "claudeops.service failed on ") {
			return
		}
	}
	t.Errorf("nobody was told: %+v", messages.Messages())
}

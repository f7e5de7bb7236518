package e2e

import (
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/machine"
	"github.com/claudeops/claudeops/testkit/need"
	"github.com/claudeops/claudeops/testkit/receiver"
)

// engineFor runs an engine with one container, whose socket is of the group 4711, and returns the socket.
func engineFor(t *testing.T) (socket string) {
	t.Helper()
	socket = machine.Engine(t)
	if out, err := exec.Command("sh", "-c", `if [ "$(id -u)" = 0 ]; then chgrp 4711 "$0"; else sudo -n chgrp 4711 "$0"; fi`, socket).CombinedOutput(); err != nil {
		t.Fatalf("give the socket to a group: %v: %s", err, out)
	}
	homelabImage(t, "unix://"+socket)
	run := exec.Command("docker", "--host", "unix://"+socket, "run", "--detach", "--name", "shop-web-1", "--network", "none", "--volume", "/run/homelab:/usr:ro", "homelab", "sleep", "infinity")
	if out, err := run.CombinedOutput(); err != nil {
		t.Fatalf("docker run: %v: %s", err, out)
	}
	return socket
}

// toldWithin is the longest time from a failure to its message with a cycle each minute.
const toldWithin = 150 * time.Second

// One command makes a fresh Debian with nginx, PostgreSQL and Docker a monitored one: it finds them, and notifies people with the real
// apprise. A failure just after the timer has checked leads to one message, in time. Removal undoes all of it. Most of the test's minutes
// are spent waiting.
func TestInit_OneCommandMakesAMachineWatched(t *testing.T) {
	t.Parallel()
	need.Full(t, "apprise")
	oneHomelab(t)
	messages := receiver.New(t)
	apprise, err := exec.LookPath("apprise")
	must(t, err)
	h := &host{machine.Homelab(t, map[string]string{
		engineFor(t): "/run/docker.sock", apprise: "/usr/bin/apprise", "/usr/lib/python3/dist-packages": "/usr/lib/python3/dist-packages",
		claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim",
	}), t}
	h.Run("groupadd --gid 4711 docker; rm -rf /etc/claudeops")

	said := h.Run("claudeops init --yes --notify " + messages.JSONURL("/ops") + " 2>&1")
	says(t, said, "nginx: nginx.service and 127.0.0.1:80\n", "postgresql@17-main: postgresql@17-main.service and 127.0.0.1:5432\n", "shop-web-1: container shop-web-1\n",
		"--groups docker claudeops`, to see containers: whoever is in the group docker can have root's rights\n", `"* * * * *", by systemd, as claudeops`,
		"test message sent: json://127.0.0.1:", "doctor, as claudeops: ", "No cycle has run yet", "\nnext:\n  1. ", "\n  3. ")
	if strings.Contains(said, "\nfail ") {
		t.Errorf("doctor has found a fault:\n%s", said)
	}
	if got := messages.Delivered(); len(got) != 1 || got[0].Title != "claudeops: test message" {
		t.Fatalf("messages %+v, want one that is a test", got)
	}
	equal(t, "the files", h.Run("stat -c '%U %a %n' /etc/claudeops/env /etc/claudeops/services.yaml /var/lib/claudeops; systemctl is-active claudeops.timer; systemctl is-enabled claudeops.timer"),
		"root 600 /etc/claudeops/env\nroot 644 /etc/claudeops/services.yaml\nclaudeops 700 /var/lib/claudeops\nactive\nenabled\n")
	says(t, h.show("claudeops.timer", "TimersCalendar"), "OnCalendar=*-*-* *:*:00")
	if n := strings.Count(h.Run("cat /etc/claudeops/services.yaml"), "    fail_after: 2\n"); n < 4 {
		t.Errorf("fail_after: 2 is beside %d services, want all", n)
	}
	says(t, h.Run("cat /etc/claudeops/services.yaml"), "    # first_aid: {}\n")
	h.Run("sed 's/# first_aid:/first_aid:/' /etc/claudeops/services.yaml >/tmp/aid.yaml; claudeops probe validate /tmp/aid.yaml")

	told := make(chan time.Time, 10)
	messages.Answer(func(_ int, m receiver.Message) receiver.Answer {
		if strings.Contains(m.Title, "nginx is down") {
			told <- time.Now()
		}
		return receiver.Answer{}
	})
	h.awaitJournal("claudeops.service", "Finished") // all is well, and nobody is told so
	h.Run("systemctl kill --signal=SIGKILL nginx")
	killed := time.Now()
	select {
	case at := <-told:
		t.Logf("people heard of nginx after %.1f s", at.Sub(killed).Seconds())
	case <-time.After(toldWithin):
		t.Errorf("people have not heard of nginx within %v", toldWithin)
	}
	trouble := func() (titles []string) {
		for _, m := range messages.Delivered() {
			if m.Type != "info" { // as the test and the first digest are
				titles = append(titles, m.Title)
			}
		}
		return titles
	}
	h.Run("systemctl start claudeops.service; systemctl start claudeops.service") // the first may be the one that told; the other sees the same
	if titles := trouble(); len(titles) != 1 || !strings.Contains(titles[0], "nginx is down") {
		t.Errorf("messages %q, want one of nginx", titles)
	}

	before := h.Run("cat /etc/claudeops/* /etc/systemd/system/claudeops.*")
	says(t, h.Run("systemctl start nginx; claudeops init --yes 2>&1"), "\nnothing to change\n")
	equal(t, "after the second run the files", h.Run("cat /etc/claudeops/* /etc/systemd/system/claudeops.*"), before)

	removed := h.Run("claudeops init --remove --yes 2>&1")
	says(t, removed, "remove       claudeops from the group docker\n", "remove       /etc/systemd/system/claudeops.timer\n", "keep         /var/lib/claudeops, the records", "keep         the user claudeops", "\ndone\n")
	if out, code := h.Try("systemctl is-enabled claudeops.timer; ls /etc/claudeops /etc/systemd/system/claudeops.*"); code == 0 || strings.Contains(out, "claudeops.service") {
		t.Errorf("removed, there is still\n%s", out)
	}
	h.Run("test -s /var/lib/claudeops/claudeops.db; id claudeops; ! id claudeops | grep docker")
}

// What runs the cycles already is kept, with its flags and by whatever it is, and gets the times of the file of variables. Where init cannot be done it
// does nothing, and what it took over it leaves when it is taken back.
func TestInit_KeepsWhatWasInstalled(t *testing.T) {
	t.Parallel()
	need.Full(t, "root")
	h := &host{machine.Boot(t, map[string]string{claudeopsBin: "/usr/local/bin/claudeops", shimBin: "/usr/local/bin/claudeops-shim"}), t}
	h.Run("rm -rf /etc/claudeops; userdel claudeops 2>/dev/null || true; install -D /usr/local/bin/claudeops /opt/closed/claudeops; chmod 700 /opt/closed")
	out, code := h.Try("/opt/closed/claudeops init --yes")
	if code != 2 || !strings.Contains(out, "claudeops: claudeops may not run /opt/closed/claudeops: the permissions of /opt/closed keep it away") || !strings.Contains(out, "nothing was done") {
		t.Errorf("a program that its user cannot run: exit %d\n%s", code, out)
	}
	h.Run("test ! -e /etc/claudeops; ! id claudeops 2>/dev/null; test ! -e /etc/systemd/system/claudeops.timer")

	h.Run(`useradd --system --home-dir /var/lib/claudeops claudeops; mkdir -p /etc/claudeops
		printf 'ANTHROPIC_API_KEY=sk-a-key\n' >/etc/claudeops/env; chmod 644 /etc/claudeops/env
		claudeops crontab install --target systemd --allow-unit cron.service`)
	says(t, h.show("claudeops.timer", "TimersCalendar"), "OnCalendar=*-*-* *:00:00")
	out, _ = h.Try("claudeops init --yes --schedule '*/20 * * * *'")
	says(t, out, `"*/20 * * * *", by systemd, as claudeops, as before with --allow-unit cron.service`, "agents       may investigate and remediate, within the limits, as before: ",
		"settings     /etc/claudeops/env, which only root can read now: everybody could read it and its secrets (mode 0644)")
	says(t, h.show("claudeops.timer", "TimersCalendar"), "OnCalendar=*-*-* *:00/20:00")
	says(t, h.Run("cat /etc/claudeops/env /etc/systemd/system/claudeops.service; ls /etc/polkit-1/rules.d; stat -c '%a %U' /etc/claudeops/env"),
		"CLAUDEOPS_SCHEDULE=*/20 * * * *\n", "# installed with --allow-unit cron.service\n", "claudeops", "\n600 root\n")
	if strings.Contains(h.Run("cat /etc/claudeops/env"), "CLAUDEOPS_MAX_TIER") {
		t.Error("agents that were let work are not any more")
	}
	says(t, h.Run("claudeops init --remove --yes"), "keep         /etc/systemd/system/claudeops.service, which was there before init and runs the cycles: `claudeops crontab remove --target systemd` takes it away\n")
	h.Run("systemctl is-enabled claudeops.timer; claudeops crontab remove --target systemd")

	h.Run("claudeops crontab install --target cron --scope system --schedule '*/30 * * * *'; sed -i /SCHEDULE/d /etc/claudeops/env")
	out, _ = h.Try("claudeops init --yes")
	says(t, out, `"*/30 * * * *", by cron, as claudeops`, "settings     /etc/claudeops/env, which only root and claudeops can read now: claudeops could not read it")
	says(t, h.Run("cat /etc/cron.d/claudeops /etc/claudeops/env; stat -c '%a %U %G' /etc/claudeops/env; test ! -e /etc/systemd/system/claudeops.timer"),
		"\n*/30 * * * * claudeops ", "CLAUDEOPS_SCHEDULE=*/30 * * * *\n", "\n640 root claudeops\n")
	says(t, h.Run("runuser -u claudeops claudeops env"), "*/30 * * * *")
}

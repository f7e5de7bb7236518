package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// newCronHost boots a machine with the programs where people build them, and two users without anything: ann, who runs it for herself, and
// claudeops, who runs it for the machine.
func newCronHost(t *testing.T) *host {
	t.Helper()
	h := newHost(t, nil)
	h.Run(`useradd --create-home ann; install -d -o claudeops -m 750 /var/lib/claudeops`)
	return h
}

// awaitCron waits until cron has completed cycles, which is when each of these commands exits with 0. They are run again with each line of
// cron's journal, which has one for each job that has ended.
func (h *host) awaitCron(conditions ...string) {
	h.t.Helper()
	h.Run(`exec timeout 240 bash -ec '
		while read -r; do
			if ` + strings.Join(conditions, " && ") + `; then exit 0; fi
		done < <(exec journalctl --follow --lines=all --output=cat --unit=cron.service)
		exit 1'`)
}

// ran is the condition that a database has an ended cycle started by cron.
func ran(db string) string {
	return `[ "$(claudeops sessions list --all --json --db ` + db + ` 2>/dev/null | jq -r "[.[] | select(.trigger == \"cron\" and .status == \"completed\")] | length > 0")" = true ]`
}

const mine = "# my own\nMAILTO=ann\n\t 7 3 * * 0   /bin/true 100\\%  # keep  \n\n"

// One minute of a real cron with several installations at once: the commands of docs/deploy.md, the crontab of another user with paths that
// need quoting in a shell and in cron, and the system's.
func TestCron_AMinuteOfARealCronRunsRealCycles(t *testing.T) {
	h := newCronHost(t)
	h.Copy(claudeopsBin, "/root/claudeops/claudeops", 0o755)
	h.Copy(shimBin, "/root/claudeops/claudeops-shim", 0o755)
	h.Run("rm /usr/local/bin/claudeops*")

	commands := deployCommands(t, "Host cron")
	typed := `cd /root/claudeops; sudo() { "$@"; }; export CLAUDEOPS_SCHEDULE="* * * * *"` + "\n" // root needs no sudo, and the test cannot wait for an hour
	last := commands[len(commands)-1]
	said := h.Run(typed + strings.Join(commands[:len(commands)-1], "\n") + " 2>&1")
	says(t, said, "crontab of root: written\nnext run: ")

	h.Write("/home/ann/services.yaml", "services:\n"+fine, 0o644)
	h.Write("/home/ann/it's 100% mine.env", "CLAUDEOPS_STATE_DIR=/home/ann/state\nCLAUDEOPS_RESULTS_DIR=/home/ann/results\n"+
		"CLAUDEOPS_INVENTORY=/home/ann/services.yaml\nCLAUDEOPS_TIER1_AGENT=probe\n", 0o644)
	h.Write("/home/ann/mine", mine, 0o644)
	h.Write("/etc/claudeops/system.env", "CLAUDEOPS_STATE_DIR=/var/lib/claudeops\nCLAUDEOPS_RESULTS_DIR=/var/lib/claudeops/results\n"+
		"CLAUDEOPS_INVENTORY=/home/ann/services.yaml\nCLAUDEOPS_TIER1_AGENT=probe\n", 0o644)
	h.Run(`chmod 755 /home/ann
		crontab -u ann /home/ann/mine
		runuser -u ann -- env HOME=/home/ann claudeops crontab install --target cron --schedule "* * * * *" --env-file "/home/ann/it's 100% mine.env"
		claudeops crontab install --target cron --scope system --schedule "* * * * *" --env-file /etc/claudeops/system.env`)

	h.awaitCron(ran("/root/.local/state/claudeops/claudeops.db"), ran("/home/ann/state/claudeops.db"), ran("/var/lib/claudeops/claudeops.db"))
	for db, owner := range map[string]string{
		"/root/.local/state/claudeops/claudeops.db": "root", "/home/ann/state/claudeops.db": "ann", "/var/lib/claudeops/claudeops.db": "claudeops",
	} {
		if got := strings.TrimSpace(h.Run("stat -c %U " + db)); got != owner {
			t.Errorf("%s is %s's, want %s's", db, got, owner)
		}
	}
	says(t, h.Run(typed+last), " completed ")
	if journal := h.Run("journalctl --output=cat --unit=cron.service"); strings.Contains(journal, "MTA") || !strings.Contains(journal, "CMD (") {
		t.Errorf("a quiet cycle printed something, which cron would mail:\n%s", journal)
	}
}

func TestCron_TheOperatorsLinesStayByteForByte(t *testing.T) {
	h := newCronHost(t)
	h.Write("/home/ann/mine", mine, 0o644)
	h.Write("/etc/cron.d/claudeops", mine+"# and the last line has no newline", 0o600)
	h.Run("crontab -u ann /home/ann/mine")
	for _, c := range []struct{ command, show, before string }{
		{"runuser -u ann -- env HOME=/home/ann claudeops crontab %s --target cron", "crontab -u ann -l", mine},
		{"claudeops crontab %s --target cron --user ann", "crontab -u ann -l", mine},
		{"claudeops crontab %s --target cron --scope system", "cat /etc/cron.d/claudeops", mine + "# and the last line has no newline"},
	} {
		run := func(command string) string { return h.Run(fmt.Sprintf(c.command, command) + " 2>/dev/null") }
		if said := run("install --dry-run"); !strings.Contains(said, "\n+# BEGIN claudeops") || h.Run(c.show) != c.before {
			t.Errorf("a dry run says\n%s and leaves\n%s", said, h.Run(c.show))
		}
		said, installed := run("install"), h.Run(c.show)
		if !strings.HasPrefix(installed, c.before) || strings.Count(installed, "run-once") != 1 || !strings.Contains(said, "backup: /") {
			t.Errorf("%s\nsays\n%s\nand leaves\n%s", c.command, said, installed)
		}
		if said := run("install"); !strings.Contains(said, ": nothing to change\n") || h.Run(c.show) != installed {
			t.Errorf("the second time it says\n%s and leaves\n%s", said, h.Run(c.show))
		}
		run("install --schedule '5 4 * * *'")
		if text := h.Run(c.show); strings.Count(text, "run-once") != 1 || !strings.Contains(text, "\n5 4 * * * ") {
			t.Errorf("another schedule leaves\n%s", text)
		}
		if run("remove"); h.Run(c.show) != c.before {
			t.Errorf("removed, it leaves\n%q, want\n%q", h.Run(c.show), c.before)
		}
		says(t, run("remove"), "nothing to remove")
	}
	h.Run(`crontab -u ann -r; rm /etc/cron.d/claudeops
		for scope in user system; do
			claudeops crontab install --target cron --scope $scope
			claudeops crontab remove --target cron --scope $scope
		done`)
	if out, code := h.Try("crontab -l"); code != 1 || !strings.Contains(out, "no crontab for root") {
		t.Errorf("an empty crontab is left: %d %s", code, out)
	}
	if out, code := h.Try("ls /etc/cron.d/claudeops"); code == 0 {
		t.Errorf("an empty file is left: %s", out)
	}
}

func TestCron_FaultsChangeNothing(t *testing.T) {
	h := newCronHost(t)
	// Each test leaves the machine as it was, so that they run in any order.
	const cleared = "rm -rf /etc/cron.d/claudeops /var/backups/claudeops; crontab -u ann /home/ann/mine"
	const asAnn = "runuser -u ann -- env HOME=/home/ann PATH=$PATH claudeops crontab install --target cron"
	const spool = "/var/spool/cron/crontabs"
	const full = "mount -t tmpfs -o size=16k,mode=1730,gid=$(stat -c %g " + spool + ") none " + spool + "; " +
		"crontab -u ann /home/ann/mine 2>/dev/null; " +
		"head -c 16384 /dev/zero >" + spool + "/full 2>/dev/null || true; "
	h.Write("/home/ann/mine", mine, 0o644)
	for name, c := range map[string]struct{ prepare, command, want, after string }{
		"not root": {
			"", asAnn + " --scope system", "permission denied; nothing was changed. The system's scope is root's: use sudo, or --scope user", "",
		},
		"not root, and root has installed before": {
			"printf 'mine\n' >/etc/cron.d/claudeops; install -d /var/backups/claudeops", asAnn + " --scope system",
			"write /var/backups/claudeops: permission denied; nothing was changed. The system's scope is root's: use sudo, or --scope user", "",
		},
		"another's crontab": {"", asAnn + " --user claudeops", "must be privileged to use -u", ""},
		"not allowed":       {"echo root >/etc/cron.allow", asAnn, "not allowed to use this program (crontab)", "rm /etc/cron.allow"},
		"no crontab program": {
			"mkdir /opt/only; ln -s /usr/local/bin/claudeops /opt/only", "env PATH=/opt/only claudeops crontab install --target cron --program /usr/local/bin/claudeops",
			"there is no crontab program in PATH: install cron (Debian: apt install cron)", "rm -r /opt/only",
		},
		"a full disk of the spool": {full, asAnn, "write the crontab of ann: ", "umount " + spool},
		"nobody of that name":      {"", "claudeops crontab install --target cron --scope system --user bob", "there is no user bob on this machine", ""},
		"no such program":          {"", "claudeops crontab install --target cron --program /opt/none", "there is no program /opt/none", ""},
		"a program in a home": {
			"install -D /usr/local/bin/claudeops /root/bin/claudeops", "claudeops crontab install --target cron --scope system --program /root/bin/claudeops",
			"claudeops may not run /root/bin/claudeops: the permissions of /root keep it away", "",
		},
	} {
		h.Run(cleared + "; " + c.prepare)
		const state = "ls -A /etc/cron.d /var/spool/cron/crontabs; find /etc/cron.d /var/spool/cron/crontabs -type f -size -8k -exec tail -n +1 {} +"
		before := h.Run(state)
		out, code := h.Try(c.command)
		if code != 1 || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, want 1 and %q:\n%s", name, code, c.want, out)
		}
		if after := h.Run(state); after != before {
			t.Errorf("%s: it was\n%s\nand is\n%s", name, before, after)
		}
		h.Run(c.after)
	}
}

func TestCrontab_SystemdUnitsComeAndGo(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=probe")
	const files = "find /etc/systemd/system /etc/polkit-1/rules.d -name '*claudeops*' -type f | sort"
	const service, timer, rule = "/etc/systemd/system/claudeops.service\n", "/etc/systemd/system/claudeops.timer\n", "/etc/polkit-1/rules.d/50-claudeops.rules\n"
	run := func(args string) string { return h.Run("claudeops crontab " + args + " --target systemd") }

	if said := run("install --allow-unit cron.service"); strings.Count(said, ": written\n") != 3 || h.Run(files) != rule+service+timer {
		t.Errorf("it says\n%s and leaves\n%s", said, h.Run(files))
	}
	if got := h.Run("systemctl is-enabled claudeops.timer; systemctl is-active claudeops.timer"); got != "enabled\nactive\n" {
		t.Errorf("the timer is\n%s", got)
	}
	if said := run("install --allow-unit cron.service"); strings.Count(said, ": nothing to change\n") != 3 {
		t.Errorf("the second time it says\n%s", said)
	}
	h.Run("printf '[Timer]\nWakeSystem=no\n' >>/etc/systemd/system/claudeops.timer")
	out, code := h.Try("claudeops crontab install --target systemd --schedule '5 4 * * *'")
	if code != 1 || !strings.Contains(out, "the install before had --allow-unit cron.service, which this one would take away; nothing was changed") || h.Run(files) != rule+service+timer {
		t.Errorf("exit %d:\n%s and leaves\n%s", code, out, h.Run(files))
	}
	if said := run("install --schedule '5 4 * * *' --reset"); h.Run(files) != service+timer || !strings.Contains(said, "rules: removed\nbackup: /var/backups/claudeops/") {
		t.Errorf("without a unit to allow it says\n%s and leaves\n%s", said, h.Run(files))
	}
	if got := h.show("claudeops.timer", "TimersCalendar"); !strings.Contains(got, "04:05:00") || !strings.Contains(got, "next_elapse=") {
		t.Errorf("the running timer still goes by %s", got)
	}
	for minute := range 8 { // systemd permits five starts in ten seconds
		run(fmt.Sprintf("install --schedule '%d 4 * * *'", minute))
	}
	run("remove")
	if got := h.Run("cat /etc/systemd/system/claudeops.timer; " + files); got != "[Timer]\nWakeSystem=no\n"+timer {
		t.Errorf("removed, it leaves\n%s", got)
	}
	if got, _ := h.Try("systemctl is-enabled claudeops.timer; systemctl is-active claudeops.timer"); strings.Contains(got, "enabled") || !strings.Contains(got, "inactive") {
		t.Errorf("the timer is still\n%s", got)
	}
	h.Run("rm /etc/systemd/system/claudeops.timer; claudeops crontab install --target systemd; claudeops crontab remove --target systemd")
	equal(t, "removed, it leaves", h.Run(files), "")

	// systemd's error is passed on, with the command to run once it is fixed.
	h.Run("mount --bind /bin/false /usr/bin/systemctl")
	out, code = h.Try("claudeops crontab install --target systemd")
	if code != 1 || !strings.Contains(out, "the units are written, and the timer was not started: `systemctl daemon-reload` ended with 1") ||
		!strings.Contains(out, "claudeops:   systemctl restart claudeops.timer\n") {
		t.Errorf("exit %d:\n%s", code, out)
	}
}

func TestCrontab_WhatWouldFailOrGiveRootAwayIsRefused(t *testing.T) {
	h := newHost(t, nil)
	h.configure(fine, "CLAUDEOPS_TIER1_AGENT=probe")
	h.Run(`useradd --create-home bob; install -d -o bob /srv/bob; install -o bob /usr/local/bin/claudeops /srv/bob; install -d -o claudeops /var/lib/claudeops
		ln -s /etc/shadow /var/lib/claudeops/key; ln -s /var/lib/claudeops/key /etc/claudeops/key; echo secret >/etc/claudeops/good; chmod 600 /etc/claudeops/good
		install -o bob -m 644 /etc/claudeops/env /srv/bob/env; printf 'ANTHROPIC_API_KEY=x\n' >/etc/claudeops/twice; printf 'CLAUDEOPS_STATE_DIR=/home/ann/state\n' >/etc/claudeops/home
		printf 'CLAUDEOPS_REPOS_DIR=/root/repos\n' >/etc/claudeops/root`)
	for _, c := range []struct {
		args, want string
		code       int
	}{
		{"systemd --credential ANTHROPIC_API_KEY=/var/lib/claudeops/key", "claudeops can change /var/lib/claudeops, and would have systemd read any file", 1},
		{"systemd --credential ANTHROPIC_API_KEY=/etc/claudeops/key", "claudeops can change /var/lib/claudeops, and would have systemd read any file", 1},
		{"systemd --credential ANTHROPIC_API_KEY=/etc/claudeops/nope", "there is no file /etc/claudeops/nope, without which", 1},
		{"systemd --credential ANTHROPIC_API_KEY=/etc/claudeops/good --env-file /etc/claudeops/twice", "/etc/claudeops/twice sets it too", 1},
		{"systemd --env-file /etc/claudeops/home", "CLAUDEOPS_STATE_DIR is /home/ann/state, and a unit of the system sees nothing of /home", 1},
		{"systemd --env-file /etc/claudeops/root", "CLAUDEOPS_REPOS_DIR is /root/repos, and a unit of the system sees nothing of /root", 1},
		{"systemd --program /srv/bob/claudeops", "bob can change /srv/bob, and so have claudeops run another program", 0},
		{"systemd --env-file /srv/bob/env", "bob can change /srv/bob, and so what claudeops runs by /srv/bob/env", 0},
		{"cron --scope system --user root --program /srv/bob/claudeops", "bob can change /srv/bob, and so have root run another program", 0},
		{"systemd --credential ANTHROPIC_API_KEY=/etc/claudeops/good --allow-unit tlil", "--allow-unit tlil.service: systemd knows no such unit here", 0},
	} {
		out, code := h.Try("claudeops crontab install --dry-run --target " + c.args)
		if code != c.code || !strings.Contains(out, c.want) {
			t.Errorf("%s: exit %d, want %d and %q:\n%s", c.args, code, c.code, c.want, out)
		}
	}
	h.Run("mkdir /etc/systemd/system/claudeops.service.d; printf '[Service]\nProtectHome=read-only\n' >/etc/systemd/system/claudeops.service.d/override.conf")
	if out, code := h.Try("claudeops crontab install --dry-run --target systemd --env-file /etc/claudeops/root"); code != 0 {
		t.Errorf("with a drop-in that opens homes: exit %d:\n%s", code, out)
	}
	h.Run("echo '* * * * * root id >/root/pwned' >/etc/cron.d/claudeops; chown claudeops /etc/cron.d/claudeops")
	if out, code := h.Try("claudeops crontab install --target cron --scope system"); code != 1 || !strings.Contains(out, "/etc/cron.d/claudeops belongs to the user with the id ") {
		t.Errorf("a file of another user's: exit %d:\n%s", code, out)
	}
}

func TestCron_CarriageReturnsThatCrontabDoesNotShowAreRefused(t *testing.T) {
	h := newCronHost(t)
	const spool = "grep -v '^# (' /var/spool/cron/crontabs/root | cat -A" // without the time at which crontab wrote it
	for text, refused := range map[string]bool{`# a\r\n`: true, `# a\rb\n`: true, `# tr -d "\\r" \n`: false} {
		h.Run("printf '" + text + "' | crontab -")
		before := h.Run(spool)
		out, code := h.Try("claudeops crontab install --target cron")
		if refused && (code != 1 || !strings.Contains(out, "has carriage returns") || h.Run(spool) != before) {
			t.Errorf("%s: exit %d, and then\n%s\n%s", text, code, h.Run(spool), out)
		}
		if !refused {
			h.Run("claudeops crontab remove --target cron")
			if after := h.Run(spool); code != 0 || after != before {
				t.Errorf("%s: exit %d, installed and removed it is\n%s, want\n%s", text, code, after, before)
			}
		}
	}
}

func TestCrontab_AUsersOwnSystemdRunsCycles(t *testing.T) {
	h := newHost(t, nil)
	h.Run(`useradd --create-home ann
		install -d /etc/systemd/system/user@.service.d
		printf '[Service]\nEnvironment=XDG_RUNTIME_DIR=/run/user/%%i\n' >/etc/systemd/system/user@.service.d/runtime.conf # as pam_systemd sets it
		systemctl daemon-reload
		systemctl start user@$(id -u ann).service`)
	h.Write("/home/ann/services.yaml", "services:\n"+fine, 0o644)
	h.Write("/home/ann/env", "CLAUDEOPS_INVENTORY=/home/ann/services.yaml\nCLAUDEOPS_TIER1_AGENT=probe\n", 0o644)
	const asAnn = `runuser -u ann -- env HOME=/home/ann XDG_RUNTIME_DIR=/run/user/$(id -u ann) `
	said := h.Run(asAnn + `claudeops crontab install --target systemd --scope user --env-file /home/ann/env`)
	says(t, said, "/home/ann/.config/systemd/user/claudeops.timer: written\n")
	equal(t, "the timer", h.Run(asAnn+"systemctl --user is-active claudeops.timer"), "active\n")
	h.Run(asAnn + "systemctl --user start claudeops.service")
	equal(t, "sessions", h.Run(asAnn+`claudeops sessions list --all --json --db /home/ann/.local/state/claudeops/claudeops.db | jq -r '.[].trigger'`), "systemd\n")
	h.Run(asAnn + "claudeops crontab remove --target systemd --scope user")
	equal(t, "removed, it leaves", h.Run("find /home/ann/.config/systemd -name 'claudeops*'"), "")
}

#!/bin/sh
# Before the files are removed. $1 is "remove" from dpkg, 0 from rpm; anything else is an upgrade, which leaves timer and cycle alone: a cycle
# that runs goes on with the program it was started from.
set -e

case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac

# What `claudeops crontab install` has put in place for the machine would call a program that is gone, and the polkit rule would go on granting.
# What calls another claudeops than the package's stays, and its timer goes on.
others() { [ -e "$1" ] && ! grep -Eq '(^|[ =])(/usr)?/bin/claudeops ' "$1"; }
unit=/etc/systemd/system/claudeops.service
dashboard=/etc/systemd/system/claudeops-dashboard.service
rule=/etc/polkit-1/rules.d/50-claudeops.rules
cron=/etc/cron.d/claudeops

if ! others "$dashboard"; then
	if [ -d /run/systemd/system ]; then
		systemctl disable --now claudeops-dashboard.service || true # it may not be there to be stopped
	else
		rm -f /etc/systemd/system/multi-user.target.wants/claudeops-dashboard.service
	fi
fi
if ! others "$unit"; then
	if [ -d /run/systemd/system ]; then
		systemctl disable --now claudeops.timer || true # neither may be there to be stopped
		systemctl stop claudeops.service || true
	else
		rm -f /etc/systemd/system/timers.target.wants/claudeops.timer
	fi
	if [ -e "$unit" ] || [ -e "$rule" ]; then
		claudeops crontab remove --target systemd --scope system || # it says what stays, and why
			if grep -qs 'BEGIN claudeops' "$rule"; then rm -f "$rule"; fi
	fi
fi
if [ -e "$cron" ] && ! others "$cron"; then
	claudeops crontab remove --target cron --scope system || true
fi

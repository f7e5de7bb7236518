#!/bin/sh
# Before the files are removed. $1 is "remove" from dpkg, 0 from rpm; anything else is an upgrade, which leaves timer and cycle alone: a cycle
# that runs goes on with the program it was started from.
set -e

case "$1" in
remove | 0) ;;
*) exit 0 ;;
esac

if [ -d /run/systemd/system ]; then
	systemctl disable --now claudeops.timer || true # neither may be there to be stopped
	systemctl stop claudeops.service || true
else
	rm -f /etc/systemd/system/timers.target.wants/claudeops.timer
fi

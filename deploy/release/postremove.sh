#!/bin/sh
# After the files are removed. $1 is "remove" or "purge" from dpkg, 0 from rpm. State, logs and the user are kept; a purge, which only dpkg has,
# takes state and logs too, below /var/lib/claudeops. The user stays: files of its elsewhere would become somebody else's.
set -e

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true # a systemd that is shutting down needs no units
fi

if [ "$1" = purge ]; then
	rm -rf /var/lib/claudeops || true # a disk of its own stays, emptied
	rmdir --ignore-fail-on-non-empty /etc/claudeops 2>/dev/null || true # what an operator put there is the operator's
fi

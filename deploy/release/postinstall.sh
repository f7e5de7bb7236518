#!/bin/sh
# After the files are unpacked. $1 is "configure" from dpkg, with the version before in $2; 1 (installed) or 2 (upgraded) from rpm.
# Nothing is enabled or started: what acts on a machine is the operator's to switch on. A dashboard that runs goes on as the new version.
set -e

case "$1" in
configure | 1 | 2) ;;
*) exit 0 ;; # dpkg unwinds what failed
esac

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true # a systemd that is shutting down needs no units
	systemctl try-restart claudeops-dashboard.service || true # one that runs could not read what the next cycle makes of the database
fi

if [ "$1" = 1 ] || { [ "$1" = configure ] && [ -z "$2" ]; }; then
	cat <<-'TEXT'
		claudeops: installed; nothing is started. What there is to watch, a first cycle, and then every hour:
		    claudeops probe discover --output /etc/claudeops/services.yaml
		    systemctl start claudeops.service
		    systemctl enable --now claudeops.timer
		A dashboard: /usr/lib/systemd/system/claudeops-dashboard.service says how.
	TEXT
fi

#!/bin/sh
# Before the files are unpacked, some of which belong to the user claudeops. $1 is "install" or "upgrade" from dpkg, a number from rpm.
set -e

if ! getent group claudeops >/dev/null; then
	groupadd --system claudeops
fi
if ! getent passwd claudeops >/dev/null; then
	useradd --system --gid claudeops --home-dir /var/lib/claudeops --no-create-home --shell /usr/sbin/nologin --comment 'claudeops' claudeops
fi

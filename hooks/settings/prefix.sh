#!/bin/sh
# Written by "claude-hooks install --plugins", taken away by "claude-hooks uninstall".
#
# Claude Code runs its commands through this script ($1 is one, as a shell line). Hooks go through the circuit breaker; what the
# Bash tool runs, MCP servers, and hooks that are wrapped already run as they would without it.
[ $# -eq 1 ] || exec "$@"
case ${AI_AGENT-}/${CLAUDE_CODE_CHILD_SESSION-} in
*_harness/1) ;;
*_harness/*) exec /bin/sh -c "exec $1" ;;
*_agent/*) exec "${SHELL:-/bin/sh}" -c "$1" ;;
*)
	case $1 in
	*'pwd -P >|'*) exec "${SHELL:-/bin/sh}" -c "$1" ;;
	*) exec /bin/sh -c "$1" ;;
	esac
	;;
esac
case $1 in
SPARED) exec /bin/sh -c "$1" ;;
esac
always=ALWAYS
case $1 in
INCLUDED) always=NEVER ;;
esac
command -v PROGRAM >/dev/null 2>&1 && exec CALL ${always:+--always "$always"} -c "$1"
exec /bin/sh -c "$1"

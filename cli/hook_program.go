package cli

import (
	"context"
	"errors"
	"log/slog"

	"github.com/claudeops/claudeops/tiers"
)

// bothOfOneBuild is what to do about a claudeops-hook that is missing or cannot be used.
const bothOfOneBuild = "put claudeops and " + tiers.HookProgramName + " of one build into the same folder (`make build` makes both)"

// hookProgram is what the hooks of the tiers call; empty is this very program. Of a claudeops-hook that is there and cannot be used
// the log has a warning.
func hookProgram(ctx context.Context, log *slog.Logger) string {
	path, err := tiers.FindHookProgram(ctx, VersionName())
	if err != nil && !errors.Is(err, tiers.ErrNoHookProgram) {
		log.Warn("hooks call claudeops itself, which takes longer: " + err.Error() + "; " + bothOfOneBuild)
	}
	return path
}

// smallProgram is doctor's line about it.
func smallProgram(ctx context.Context) finding {
	const name = "hook program"
	path, err := tiers.FindHookProgram(ctx, VersionName())
	if err != nil {
		return warn(name, err.Error()+": each hook takes some ms longer", bothOfOneBuild)
	}
	return ok(name, path)
}

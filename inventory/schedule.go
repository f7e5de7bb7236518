package inventory

import (
	"errors"

	"github.com/claudeops/claudeops/schedule"
)

// parseSchedule reads a cron expression that says when windows begin.
func parseSchedule(given string) (*schedule.Expression, error) {
	expression, err := schedule.Parse(given)
	if err != nil {
		return nil, err
	}
	if expression.Every() != 0 {
		return nil, errors.New("@every begins anew with every program; must be five fields like 0 3 * * 0, or @daily and its kin")
	}
	return &expression, nil
}

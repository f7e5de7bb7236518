package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
)

// Change is a change of a circuit's state.
type Change struct {
	Hook     string
	Session  string // set if the circuit is a session's own; empty for the hook's
	From, To State
	At       time.Time
	Until    *time.Time // when an open circuit may be tried again
	Failures int64      // the consecutive failures that opened it
	Error    string     // the last of these failures
}

// String formats a change for the log.
func (c Change) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Circuit %s -> %s", strings.ToUpper(string(cmp.Or(c.From, Closed))), strings.ToUpper(string(cmp.Or(c.To, Closed))))
	if c.Session != "" {
		fmt.Fprintf(&b, " for session %s", c.Session)
	}
	if c.To == Open {
		fmt.Fprintf(&b, " after %s: %s", text.Count(int(c.Failures), "failure"), c.Error)
	}
	if c.Until != nil {
		fmt.Fprintf(&b, "; next try at %s", c.Until.UTC().Format(time.RFC3339))
	}
	return b.String()
}

// Reason says why a circuit opened, as part of a sentence: "failed 3 times in a row: Exit code 1".
func (c Change) Reason() string {
	switch {
	case c.Session != "":
		return c.Error
	case c.Failures == 1:
		return "failed: " + c.Error
	}
	return fmt.Sprintf("failed %d times in a row: %s", c.Failures, c.Error)
}

package hooks

import (
	"cmp"
	"fmt"
	"strings"
	"time"
)

// Change is a circuit's change of state.
type Change struct {
	Hook     string
	Session  string // of a session's own circuit; empty for the hook's
	From, To State
	At       time.Time
	Until    *time.Time // when an open circuit may be tried again
	Failures int64      // in a row, that opened it
	Error    string     // the last of them
}

// String is a change as the log has it.
func (c Change) String() string {
	var text strings.Builder
	fmt.Fprintf(&text, "Circuit %s -> %s", strings.ToUpper(string(cmp.Or(c.From, Closed))), strings.ToUpper(string(cmp.Or(c.To, Closed))))
	if c.Session != "" {
		fmt.Fprintf(&text, " for session %s", c.Session)
	}
	if c.To == Open {
		fmt.Fprintf(&text, " after %s: %s", failures(c.Failures), c.Error)
	}
	if c.Until != nil {
		fmt.Fprintf(&text, "; next try at %s", c.Until.UTC().Format(time.RFC3339))
	}
	return text.String()
}

// Reason says why a circuit opened, as a part of a sentence: "failed 3 times in a row: Exit code 1".
func (c Change) Reason() string {
	switch {
	case c.Session != "":
		return c.Error
	case c.Failures == 1:
		return "failed: " + c.Error
	}
	return fmt.Sprintf("failed %d times in a row: %s", c.Failures, c.Error)
}

func failures(n int64) string {
	if n == 1 {
		return "1 failure"
	}
	return fmt.Sprintf("%d failures", n)
}

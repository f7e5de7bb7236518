package breaker

import (
	"slices"
	"strings"
	"time"
)

// OffHook is a hook whose circuit is not closed.
type OffHook struct {
	Command string
	Since   *time.Time // nil where the state file does not say
	Error   string     // of the run that failed last
}

// SwitchedOff are the hooks of the state file at path whose circuits are not closed, by their commands. It waits for nobody and changes
// nothing, as CountStates, and reads the file as that does.
func SwitchedOff(path string) (off []OffHook, err error) {
	err = eachHook(path, func(command string, h Hook) {
		if h.State.known() != Closed {
			off = append(off, OffHook{command, h.DisabledAt, h.LastError})
		}
	})
	slices.SortFunc(off, func(a, b OffHook) int { return strings.Compare(a.Command, b.Command) })
	return off, err
}

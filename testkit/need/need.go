// Package need separates the tests of "make test" from those that only "make test-all" runs.
package need

import "testing"

// Full skips the test in short mode, as in "make test". what names its requirements beyond Go, a C compiler, git and a shell: "jq", "a
// Docker engine", "ten minutes". In full mode Full does nothing, and a missing requirement fails the test.
func Full(t interface {
	Helper()
	Skipf(format string, args ...any)
}, what string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("make test-all runs it: it needs %s", what)
	}
}

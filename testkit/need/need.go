// Package need keeps what "make test" runs apart from what "make test-all" runs.
package need

import "testing"

// Full leaves the test to "make test-all" where tests run in short mode, as by "make test". What it needs beyond Go, a C compiler, git and a
// shell is what: "jq", "a Docker engine", "ten minutes". In full mode it does nothing: what is missing then fails the test.
func Full(t interface {
	Helper()
	Skipf(format string, args ...any)
}, what string) {
	t.Helper()
	if testing.Short() {
		t.Skipf("make test-all runs it: it needs %s", what)
	}
}

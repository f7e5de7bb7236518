package client

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/servers"
)

// suite has the servers that the tests of this package share.
var suite servers.Suite

func TestMain(m *testing.M) {
	code := m.Run()
	suite.End()
	os.Exit(code)
}

// unmarked is an error as it would be shown were it shown whole.
func unmarked(text string) string {
	return strings.ReplaceAll(regexp.MustCompile("\x0e[0-9]+:").ReplaceAllString(text, ""), "\x0f", "")
}

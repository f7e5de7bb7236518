package client

import (
	"os"
	"testing"

	"github.com/claudeops/claudeops/internal/servers"
)

// suite has the servers that the tests of this package share.
var suite servers.Suite

func TestMain(m *testing.M) {
	code := m.Run()
	suite.End()
	os.Exit(code)
}

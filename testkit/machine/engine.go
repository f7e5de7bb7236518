package machine

import (
	_ "embed"
	"os"
	"path/filepath"
	"strconv"
	"testing"

	"github.com/claudeops/claudeops/testkit/need"
)

//go:embed engine.sh
var engineScript string

// Engine runs a Docker engine that tests may damage, until the test ends, and returns its socket. Containers have the homelab's /usr at
// /run/homelab, and no network except their own.
func Engine(t testing.TB) (socket string) {
	t.Helper()
	need.Full(t, "root, and a Docker engine")
	dir := t.TempDir()
	launch(t, filepath.Join(dir, "ready"), "sh", "-c", engineScript, "engine.sh", dir, filepath.Join(Root(t, "homelab"), "usr"), strconv.Itoa(os.Getgid()))
	return filepath.Join(dir, "docker.sock")
}

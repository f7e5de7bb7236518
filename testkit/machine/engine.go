package machine

import (
	"context"
	_ "embed"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

//go:embed engine.sh
var engineScript string

// Engine runs a Docker engine that may come to harm, until the test ends, and returns its socket. Containers find the homelab's /usr at
// /run/homelab, and have no network but their own.
func Engine(t testing.TB) (socket string) {
	t.Helper()
	need.Full(t, "root, and a Docker engine")
	dir := t.TempDir()
	ready, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: filepath.Join(dir, "ready"), Net: "unixgram"})
	if err != nil {
		t.Fatalf("listen for the engine's word: %v", err)
	}
	defer func() { _ = ready.Close() }()
	log, ended := &tail{max: 32 << 10}, make(chan struct{})
	cmd := asRoot(context.Background(), "sh", "-c", engineScript, "engine.sh", dir, filepath.Join(Root(t, "homelab"), "usr"), strconv.Itoa(os.Getgid()))
	cmd.Stdout, cmd.Stderr = log, log
	hold, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatalf("run a Docker engine: %v", err)
	}
	go func() { _ = cmd.Wait(); close(ended); _ = ready.SetReadDeadline(time.Now()) }()
	t.Cleanup(func() { _ = hold.Close(); <-ended })
	if err := ready.SetReadDeadline(time.Now().Add(bootDeadline)); err != nil {
		t.Fatal(err)
	}
	if err := readReady(ready); err != nil {
		t.Fatalf("the engine does not run: %v\n%s", err, log)
	}
	return filepath.Join(dir, "docker.sock")
}

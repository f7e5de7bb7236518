package probe

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// Nobody is advised to join the group root, because that allows much more than using a socket.
func TestRemedyOfASocketThatIsNotForThisUser(t *testing.T) {
	for name, test := range map[string]struct {
		access access
		want   string
	}{
		"a group's":                {access{"root", "docker", 0o660}, "add the user ops to the group docker, which the socket belongs to"},
		"root's alone":             {access{"root", "root", 0o600}, "the socket is root's (root:root, mode 0600): let the engine give it to a group of its own"},
		"root's and its group's":   {access{"root", "root", 0o660}, "the socket is root's (root:root, mode 0660): let the engine give it to a group of its own"},
		"a group's, not for it":    {access{"root", "docker", 0o600}, "the socket is root's (root:docker, mode 0600)"},
		"of somebody's rootless":   {access{"alice", "alice", 0o600}, "the socket is for the user alice alone: run claudeops as that user"},
		"a group may only read it": {access{"root", "docker", 0o640}, "the socket is root's (root:docker, mode 0640)"},
	} {
		if got := test.access.remedy("ops"); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s: %q, want %q", name, got, test.want)
		}
	}
}

// If an engine cannot be asked, its containers are unknown, all for the same reason.
func TestContainersOfAnEngineThatCannotBeAskedAreUnknown(t *testing.T) {
	gone := filepath.Join(t.TempDir(), "engine.sock")
	l, err := net.Listen("unix", gone)
	if err != nil {
		t.Fatal(err)
	}
	l.(*net.UnixListener).SetUnlinkOnClose(false)
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	said := map[string]bool{}
	for _, name := range []string{"shop", "mail"} {
		check1 := containerCheck(name, "unix://"+gone)
		check1.Timeout = 5 * time.Second
		f := look(t, check1, time.Time{})
		wantFinding(t, f, check.Unknown, "no answer from the Docker engine at unix://"+gone+": is it running? Start it")
		said[f.Error] = true
	}
	if len(said) != 1 {
		t.Errorf("one cause is told in several ways: %v", said)
	}
	if err := os.Remove(gone); err != nil {
		t.Fatal(err)
	}
}

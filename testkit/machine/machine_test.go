package machine

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/testkit/need"
)

func TestAMachineBootsRunsAndLeavesNothing(t *testing.T) {
	file := filepath.Join(t.TempDir(), "a b:c")
	if err := os.WriteFile(file, []byte("bound"), 0o644); err != nil {
		t.Fatal(err)
	}
	m := Boot(t, map[string]string{file: "/opt/bound"})
	if out := m.Run("cat /opt/bound; ps -p 1 -o comm="); out != "boundsystemd\n" {
		t.Errorf("got %q", out)
	}
	if out, code := m.Try("echo good; echo bad >&2; exit 7"); out != "good\nbad\n" || code != 7 {
		t.Errorf("got %q, %d", out, code)
	}
	m.Copy(file, "/usr/local/lib/new/file", 0o640)
	if out := m.Run("stat -c %a /usr/local/lib/new/file; cat /usr/local/lib/new/file"); out != "640\nbound" {
		t.Errorf("got %q", out)
	}
}

func TestTwoMachinesAtOnceKnowNothingOfEachOther(t *testing.T) {
	a, b := Boot(t, nil), Boot(t, nil)
	for _, m := range []*Machine{a, b} {
		m.Run("systemd-run --unit=same --service-type=oneshot --remain-after-exit touch /root/here")
	}
	a.Run("systemctl stop same; rm /root/here")
	b.Run("systemctl is-active same; test -e /root/here")
}

// The test starts itself again: with MACHINE_HANGS it boots a machine, reports that and waits to be killed.
func TestNothingOutlivesAKilledTest(t *testing.T) {
	need.Full(t, "root")
	if os.Getenv("MACHINE_HANGS") != "" {
		Boot(t, nil)
		fmt.Println("booted")
		select {}
	}
	cmd := exec.Command(os.Args[0], "-test.run=^TestNothingOutlivesAKilledTest$", "-test.timeout=15m")
	cmd.Env = append(os.Environ(), "MACHINE_HANGS=1")
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = cmd.Process.Kill() }()
	if line, err := bufio.NewReader(out).ReadString('\n'); line != "booted\n" {
		t.Fatalf("the test that is to be killed said %q, %v", line, err)
	}
	leader, err := initOf(cmd.Process.Pid)
	if err != nil {
		t.Fatal(err)
	}
	groups, err := groupsOf(leader)
	if err != nil || len(groups) == 0 {
		t.Fatalf("control groups %q, %v", groups, err)
	}
	gone, err := unix.PidfdOpen(leader, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = unix.Close(gone) }()
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = cmd.Wait() // it was killed
	if n, err := unix.Poll([]unix.PollFd{{Fd: int32(gone), Events: unix.POLLIN}}, 300_000); n != 1 {
		t.Fatalf("the machine is alive five minutes after its test was killed: %d, %v", n, err)
	}
	tick, late := time.NewTicker(10*time.Millisecond), time.After(5*time.Minute)
	defer tick.Stop()
	for slices.ContainsFunc(groups, exists) {
		select {
		case <-tick.C:
		case <-late:
			t.Fatalf("control groups are left: %q", groups)
		}
	}
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// groupsOf returns the control groups that boot.sh created for the machine with this process 1.
func groupsOf(leader int) ([]string, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/cgroup", leader))
	if err != nil {
		return nil, err
	}
	_, name, found := strings.Cut(string(text), "/claudeops-machine-")
	if !found {
		return nil, fmt.Errorf("process %d is in no control group of a machine: %s", leader, text)
	}
	name, _, _ = strings.Cut(name, "/")
	name = "claudeops-machine-" + strings.TrimSpace(name)
	trees, err := filepath.Glob("/sys/fs/cgroup/*/" + name)
	if single := "/sys/fs/cgroup/" + name; exists(single) {
		trees = append(trees, single)
	}
	return trees, err
}

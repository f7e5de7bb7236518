package discover

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/prometheus/procfs"
)

// process is a process in a test's /proc.
type process struct {
	exe, cgroup string
	sockets     []int
	hidden      bool // its files are not accessible
}

// procOf creates a /proc with processes by id, and with lines of net/tcp and net/tcp6: address, port, state and inode.
func procOf(t *testing.T, tcp, tcp6 []string, processes map[int]process) procfs.FS {
	t.Helper()
	dir := procDir(t, tcp, tcp6, processes)
	proc, err := procfs.NewFS(dir)
	if err != nil {
		t.Fatal(err)
	}
	return proc
}

// nothingListens returns the directory of a /proc without listeners.
func nothingListens(t *testing.T) (dir string) {
	t.Helper()
	return procDir(t, nil, nil, nil)
}

func procDir(t *testing.T, tcp, tcp6 []string, processes map[int]process) (dir string) {
	t.Helper()
	dir = t.TempDir()
	table := func(lines []string) string {
		text := "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode\n"
		for i, line := range lines {
			var address, state string
			var inode int
			if _, err := fmt.Sscan(line, &address, &state, &inode); err != nil {
				t.Fatal(err)
			}
			remote := strings.Repeat("0", strings.IndexByte(address, ':')) + ":0000"
			text += fmt.Sprintf("%4d: %s %s %s 00000000:00000000 00:00000000 00000000     0        0 %d 1 0 100 0 0 10 0\n", i, address, remote, state, inode)
		}
		return text
	}
	write(t, filepath.Join(dir, "net", "tcp"), table(tcp))
	write(t, filepath.Join(dir, "net", "tcp6"), table(tcp6))
	write(t, filepath.Join(dir, "sys/net/ipv4/ip_local_port_range"), "32768\t60999\n")
	for pid, p := range processes {
		at := filepath.Join(dir, fmt.Sprint(pid))
		write(t, filepath.Join(at, "comm"), filepath.Base(p.exe)+"\n")
		write(t, filepath.Join(at, "cgroup"), "0::"+p.cgroup+"\n")
		if p.hidden {
			continue
		}
		if err := os.Mkdir(filepath.Join(at, "fd"), 0o700); err != nil {
			t.Fatal(err)
		}
		for i, inode := range p.sockets {
			if err := os.Symlink(fmt.Sprintf("socket:[%d]", inode), filepath.Join(at, "fd", fmt.Sprint(i+3))); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink(p.exe, filepath.Join(at, "exe")); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestWhatListensIsFound(t *testing.T) {
	proc := procOf(t,
		[]string{
			"00000000:0050 0A 1", "0100007F:18EB 0A 2", "0100007F:1538 0A 3", "0100007F:1F90 0A 4", "00000000:1F40 0A 5", "00000000:0016 0A 6",
			"0100007F:177A 0A 7", "0100007F:9C40 0A 8", "0500000A:2328 0A 9", "0100007F:0050 01 10", "00000000:0035 0A 11", "00000000:0BB8 0A 12", "00000000:1F42 0A 13",
		},
		[]string{"00000000000000000000000000000000:0050 0A 21", "00000000000000000000000001000000:18EB 0A 22"},
		map[int]process{
			1:   {exe: "/usr/lib/systemd/systemd", cgroup: "/init.scope", sockets: []int{6, 12}},
			30:  {exe: "/usr/sbin/nginx", cgroup: "/user.slice/user-0.slice/session-3.scope", sockets: []int{1, 21, 10}},
			31:  {exe: "/usr/sbin/nginx", cgroup: "/user.slice/user-0.slice/session-3.scope", sockets: []int{1, 21}},
			40:  {exe: "/usr/bin/redis-server (deleted)", cgroup: "/init.scope", sockets: []int{2, 22, 8}},
			50:  {exe: "/usr/lib/postgresql/17/bin/postgres", cgroup: "/system.slice/system-postgresql.slice/postgresql@17-main.service", sockets: []int{3}},
			60:  {exe: "/usr/bin/docker-proxy", cgroup: "/system.slice/docker.service", sockets: []int{4}},
			70:  {exe: "/usr/bin/python3.13", cgroup: "/user.slice/user-1000.slice/user@1000.service/app.slice/site.service", sockets: []int{5}},
			80:  {exe: "/usr/sbin/sshd", cgroup: "/system.slice/ssh.service", sockets: []int{6}},
			81:  {exe: "/usr/sbin/sshd-session", cgroup: "/user.slice/user-0.slice/session-9.scope", sockets: []int{7}},
			90:  {exe: "/app/shop", cgroup: "/system.slice/docker-0123456789ab.scope", sockets: []int{9}},
			100: {exe: "/usr/lib/systemd/systemd-resolved", cgroup: "/system.slice/systemd-resolved.service", sockets: []int{11}},
			110: {exe: "/usr/bin/secret", cgroup: "/system.slice/secret.service", sockets: []int{13}, hidden: true},
		})
	c := collected()
	err := c.listening(t.Context(), proc)
	if err == nil || !strings.Contains(err.Error(), "port 3000 and 8002 belong") {
		t.Errorf("what is not seen: %v", err)
	}
	found, inv, text := parsed(t, settled(t, c))
	want := []string{
		"nginx  127.0.0.1:80", "postgresql@17-main postgresql@17-main.service 127.0.0.1:5432", "python3.13-8000  127.0.0.1:8000",
		"redis-server  127.0.0.1:6379", "ssh ssh.service 127.0.0.1:22",
	}
	var got []string
	for _, s := range found.Services {
		line, unit := "", ""
		for _, k := range s.Checks {
			unit += k.Unit
			if k.Address != "" {
				line += " " + k.Address
			}
		}
		got = append(got, s.Name+" "+unit+line)
	}
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if want := []string{"1 port of redis-server: among those that the kernel gives out, which are others after a restart"}; !slices.Equal(found.LeftOut, want) {
		t.Errorf("left out %q, want %q", found.LeftOut, want)
	}
	for _, want := range []string{"redis://127.0.0.1:6379", "postgres://USER@127.0.0.1:5432/NAME"} {
		if !strings.Contains(text, want) {
			t.Errorf("no hint of a database, %s, in\n%s", want, text)
		}
	}
	if inv.Service("postgresql@17-main.service") != "postgresql@17-main" {
		t.Errorf("the unit means no service:\n%s", text)
	}
}

// A published port belongs to the container, whatever listens for it here.
func TestAPublishedPortIsTheContainers(t *testing.T) {
	proc := procOf(t, []string{"00000000:1F90 0A 1"}, nil, map[int]process{30: {exe: "/usr/bin/forwarder", cgroup: "/system.slice/docker.service", sockets: []int{1}}})
	c := collected()
	c.candidate("container\x00shop", candidate{service: "shop", containers: []string{"shop"}, ports: []port{{address: "127.0.0.1:8080", private: 80}}})
	if err := c.listening(t.Context(), proc); err != nil {
		t.Fatal(err)
	}
	if _, inv, text := parsed(t, settled(t, c)); len(inv.Services) != 1 || inv.Services[0].Name != "shop" {
		t.Errorf("%s", text)
	}
}

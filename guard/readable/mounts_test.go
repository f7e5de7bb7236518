package readable

import (
	"context"
	"os"
	"os/exec"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

const mountinfo = `22 1 8:1 / / rw,relatime shared:1 - ext4 /dev/sda1 rw
23 22 0:5 / /proc rw - proc proc rw
30 22 8:1 /root/.ssh /srv/app/data rw - ext4 /dev/sda1 rw
31 22 8:1 /etc/ssl/private /opt/tls rw - ext4 /dev/sda1 rw
32 22 8:1 /home/joe/app /srv/app/code rw - ext4 /dev/sda1 rw
33 22 8:1 /var/lib/claudeops/claudeops.db /srv/x.db rw - ext4 /dev/sda1 rw
34 22 0:40 / /srv/nas rw - nfs4 nas:/x rw
35 22 8:17 / /srv/media\040files rw - ext4 /dev/sdb1 rw
36 22 0:41 / /opt/auto rw - autofs auto rw
37 22 0:42 / /var/lib/nfs/x rw - nfs4 nas:/y rw
38 22 0:43 / /repos rw - nfs4 nas:/repos rw
39 22 8:1 /etc/shadow /etc/app/users rw - ext4 /dev/sda1 rw
40 22 8:1 /home/ann/app /srv/app/ann rw - ext4 /dev/sda1 rw
broken line
`

// A second mount is judged like the original place.
func TestMounts(t *testing.T) {
	table := &mountTable{mounts: parseMounts([]byte(mountinfo))}
	got := map[string]bool{}
	for _, p := range table.closed(World{StateDir: "/var/lib/claudeops", ReposDir: "/repos", Secrets: []string{"/home/ann/**"}}) {
		got[p.path] = true
		if p.manner != never || p.why == "" {
			t.Errorf("%+v", p)
		}
	}
	for _, path := range []string{"/srv/app/data", "/opt/tls", "/srv/x.db", "/srv/app/ann", "/srv/nas", "/opt/auto", "/etc/app/users"} {
		if !got[path] {
			t.Errorf("%s is open", path)
		}
		delete(got, path)
	}
	if len(got) > 0 {
		t.Errorf("closed too: %v", got)
	}
}

// A directory of secrets that is mounted a second time is closed there too, even if it is mounted during a session. Mount notifications
// are tested in a namespace of its own, if the test may mount.
func TestBindMounts(t *testing.T) {
	if os.Getenv("READABLE_NAMESPACE") == "" {
		cmd := exec.Command("unshare", "--mount", "--propagation", "private", os.Args[0], "-test.run=^TestBindMounts$", "-test.v")
		cmd.Env = append(os.Environ(), "READABLE_NAMESPACE=1")
		out, err := cmd.CombinedOutput()
		if err != nil && !strings.Contains(string(out), "--- FAIL") {
			t.Skipf("no namespace to mount in: %v\n%s", err, out)
		}
		if err != nil {
			t.Errorf("%s", out)
		}
		return
	}
	w, root := planted(t, map[string]string{
		"/etc/ssl/private/a": "x", "/srv/one/a": "x", "/srv/two/a": "x", "/srv/open/a": "x", "/etc/shadow": "x", "/srv/file.txt": "x", "/repos/r/x": "x", "/home/joe/app/a": "x", "/srv/app/a": "x",
	})
	mount := func(from, to string) {
		t.Helper()
		if err := unix.Mount(root+from, root+to, "", unix.MS_BIND, ""); err != nil {
			t.Fatal(err)
		}
	}
	mount("/etc/ssl/private", "/srv/one")
	mount("/home/joe/app", "/srv/app")
	l := listed(t, w)
	wantOpen(t, l, root, map[string]bool{"/srv/one/a": false, "/srv/two/a": true, "/srv/app/a": true, "/srv/file.txt": true})
	mount("/etc/ssl/private", "/srv/two")
	mount("/etc/shadow", "/srv/file.txt")
	if changed, err := l.Refresh(context.Background()); !changed || err != nil {
		t.Errorf("changed is %v (%v)", changed, err)
	}
	wantOpen(t, l, root, map[string]bool{"/srv/one/a": false, "/srv/two/a": false, "/srv/open/a": true, "/srv/file.txt": false, "/repos/r/x": true})
	nothingClosedBelow(t, l)
	for _, at := range []string{"/srv/one", "/srv/two", "/srv/app", "/srv/file.txt"} {
		if err := unix.Unmount(root+at, unix.MNT_DETACH); err != nil {
			t.Error(err)
		}
	}
}

func FuzzParseMounts(f *testing.F) {
	f.Add([]byte(mountinfo))
	f.Fuzz(func(t *testing.T, content []byte) {
		for _, m := range parseMounts(content) {
			if m.device == "" || m.point == "" || m.kind == "" {
				t.Errorf("%+v", m)
			}
		}
	})
}

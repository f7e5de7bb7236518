package probe

import (
	"strings"
	"testing"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/check"
)

func TestDisk(t *testing.T) {
	const gib = 1 << 18 // in blocks of 4 KiB
	for _, c := range []struct {
		fs   unix.Statfs_t
		free string
		want string
	}{
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 6 * gib, Bavail: 4 * gib, Files: 100, Ffree: 50}, "5%", ""},
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 4 * gib, Bavail: gib * 12 / 10}, "5%", "disk / has 3% free (1.2 GiB), below 5%"}, // root has more
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 2 * gib, Bavail: 2 * gib}, "2GiB", ""},
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: gib, Bavail: gib / 2}, "1.5GiB", "disk / has 1% free (512 MiB), below 1.5GiB"},
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 0, Bavail: 0}, "1MiB", "disk / has 0% free (0 B), below 1MiB"},
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 20 * gib, Bavail: 20 * gib, Files: 1000, Ffree: 49}, "5%", "disk / has 4% of its inodes free, below 5%"},
		{unix.Statfs_t{Bsize: 4096, Blocks: 40 * gib, Bfree: 20 * gib, Bavail: 20 * gib}, "5%", ""}, // without inodes
	} {
		got := (&Disk{Path: "/", Free: c.free}).result(c.fs)
		want := check.Down
		if c.want == "" {
			want = check.Healthy
		}
		if got.Status != want || got.Error != c.want {
			t.Errorf("%s of %+v: %s %q, want %q", c.free, c.fs, got.Status, got.Error, c.want)
		}
	}
	try := func(path string) check.Result {
		return (&Disk{Path: path, Free: "1KiB"}).Prepare(nil, &Check{}, "")(t.Context())
	}
	if got := try(t.TempDir()); got.Status != check.Healthy {
		t.Errorf("a folder: %+v", got)
	}
	if got := try("/none/such"); got.Status != check.Unknown || !strings.HasPrefix(got.Error, "the disk of /none/such cannot be asked: no such file") {
		t.Errorf("no folder: %+v", got)
	}
}

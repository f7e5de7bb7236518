package cycle

import (
	"slices"
	"testing"

	"github.com/claudeops/claudeops/probe"
)

func TestWhatIsScarce(t *testing.T) {
	for _, c := range []struct {
		left, all, percent uint64
		want               bool
	}{{0, 0, 1, false}, {0, 1000, 1, true}, {9, 1000, 1, true}, {10, 1000, 1, false}, {1000, 1000, 2, false}} {
		if got := scarce(c.left, c.all, c.percent); got != c.want {
			t.Errorf("%d of %d: %v", c.left, c.all, got)
		}
	}
}

func TestWhichDisksAreLookedAt(t *testing.T) {
	const mounts = `22 27 0:21 / /proc rw,relatime - proc proc rw
27 1 254:0 / / ro,relatime shared:1 - ext4 /dev/vda1 rw,discard
30 27 254:0 /srv /srv rw,relatime shared:1 - ext4 /dev/vda1 rw,discard
31 27 254:16 / /srv/my\040data rw,nosuid shared:2 master:3 - xfs /dev/vdb rw,attr2
32 27 254:32 / /mnt/frozen rw - ext4 /dev/vdc ro
33 27 7:0 / /snap/core/1 ro - squashfs /dev/loop0 ro
34 27 7:1 / /mnt/image rw - ext4 /dev/loop1 rw
35 27 254:17 / /boot/efi rw - vfat /dev/vda15 rw
36 27 0:40 / /mnt/nas rw - nfs4 nas:/export rw
37 27 0:41 / /mnt/stick rw - fuseblk /dev/sdb1 rw
38 27 0:42 / /tank rw - zfs tank/data rw,xattr
39 27 0:43 / /run rw - tmpfs tmpfs rw
a line that is none
`
	if got, want := disksOf(mounts), []string{"/", "/srv/my data", "/tank"}; !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
}

// A service that is a disk is not held back because that disk is full; one that is something else is.
func TestAFullDiskDoesNotHoldItsOwnServiceBack(t *testing.T) {
	folder := t.TempDir()
	wantSame(t, len(without([]string{folder, folder + "/..", "/proc"}, []probe.Check{{Options: &probe.Disk{Path: folder}}})), 1)
	wantSame(t, len(without([]string{folder, "/proc"}, []probe.Check{{Options: &probe.TCP{}}})), 2)
}

package readable

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// watcher knows which folders have changed: the kernel says so (inotify), or, where it cannot (a network's file system, too many watches),
// their times are compared.
type watcher struct {
	fd    int // -1 where there is none
	nodes map[int32]*node
	swept map[*node]bool // those that the kernel does not watch
}

func newWatcher() *watcher {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		fd = -1
	}
	return &watcher{fd, map[int32]*node{}, map[*node]bool{}}
}

// Of folders whose files are judged the kernel also reports when a file is written.
const (
	names  = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW
	writes = unix.IN_MODIFY | unix.IN_ATTRIB
)

// remote are file systems that change without this kernel's doing, by their magic numbers.
var remote = map[int64]bool{
	unix.NFS_SUPER_MAGIC: true, unix.SMB_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.CIFS_SUPER_MAGIC: true, unix.FUSE_SUPER_MAGIC: true, unix.V9FS_MAGIC: true, unix.CEPH_SUPER_MAGIC: true, unix.AFS_SUPER_MAGIC: true,
}

// add begins to watch a folder; it returns -1 where the kernel does not.
func (w *watcher) add(n *node) int32 {
	mask := uint32(names)
	if n.judges() {
		mask |= writes
	}
	var where unix.Statfs_t
	if w.fd >= 0 && unix.Statfs(n.path, &where) == nil && !remote[where.Type] {
		if wd, err := unix.InotifyAddWatch(w.fd, n.path, mask); err == nil {
			if other := w.nodes[int32(wd)]; other == nil || other.path == n.path { // else the same folder, mounted elsewhere
				w.nodes[int32(wd)] = n
				return int32(wd)
			}
		}
	}
	w.swept[n] = true
	return -1
}

// judges reports whether what the folder's files hold counts.
func (n *node) judges() bool { return !slices.Contains([]manner{never, whole, logs, pids}, n.manner) }

// remove ends the watch on a folder.
func (w *watcher) remove(n *node) {
	delete(w.swept, n)
	if n.wd > 0 && w.nodes[n.wd] == n {
		delete(w.nodes, n.wd)
		_, _ = unix.InotifyRmWatch(w.fd, uint32(n.wd)) // it is gone where the folder is
	}
}

// changed are the folders in which something has changed since it was last asked.
func (w *watcher) changed() []*node {
	found := map[*node]bool{}
	lost := w.read(func(n *node) { found[n] = true })
	if lost {
		for _, n := range w.nodes {
			found[n] = true
		}
	}
	for n := range w.swept {
		if n.stale() {
			found[n] = true
		}
	}
	all := make([]*node, 0, len(found))
	for n := range found {
		all = append(all, n)
	}
	return all
}

// read reads what the kernel has told, and reports whether some of it was lost.
func (w *watcher) read(changed func(*node)) (lost bool) {
	var buffer [64 << 10]byte
	for w.fd >= 0 {
		n, err := unix.Read(w.fd, buffer[:])
		if err == unix.EINTR {
			continue
		}
		if err != nil || n <= 0 {
			return lost
		}
		for at := 0; at+unix.SizeofInotifyEvent <= n; {
			wd := int32(binary.NativeEndian.Uint32(buffer[at:]))
			mask := binary.NativeEndian.Uint32(buffer[at+4:])
			at += unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(buffer[at+12:]))
			lost = lost || mask&unix.IN_Q_OVERFLOW != 0
			if node := w.nodes[wd]; node != nil {
				changed(node)
			}
		}
	}
	return lost
}

// stale reports whether a folder, or a file in it that was judged, is another than it was.
func (n *node) stale() bool {
	info, err := os.Lstat(n.path)
	if err != nil {
		return n.shut == ""
	}
	if id, _ := inodeOf(info); id != n.id {
		return true
	}
	if !n.judges() {
		return false
	}
	for _, f := range n.files {
		var stat unix.Stat_t
		if unix.Lstat(filepath.Join(n.path, f.name), &stat) != nil || (inode{stat.Dev, stat.Ino, syscall.Timespec(stat.Ctim)}) != f.id {
			return true
		}
	}
	return false
}

func (w *watcher) close() {
	if w != nil && w.fd >= 0 {
		_ = unix.Close(w.fd)
		w.fd = -1
	}
}

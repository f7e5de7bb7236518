package readable

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"slices"
	"syscall"

	"golang.org/x/sys/unix"
)

// watcher knows which directories have changed. The kernel reports it (inotify); where it cannot (network file systems, too many
// watches), timestamps are compared.
type watcher struct {
	fd    int // -1 without inotify
	nodes map[int32]*node
	swept map[*node]bool // directories without a watch
}

func newWatcher() *watcher {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		fd = -1
	}
	return &watcher{fd, map[int32]*node{}, map[*node]bool{}}
}

// In directories whose files are judged by content, the kernel also reports writes.
const (
	names  = unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO | unix.IN_ONLYDIR | unix.IN_DONT_FOLLOW
	writes = unix.IN_MODIFY | unix.IN_ATTRIB
)

// remote are file systems that may change without a notification of this kernel, by magic number.
var remote = map[int64]bool{
	unix.NFS_SUPER_MAGIC: true, unix.SMB_SUPER_MAGIC: true, unix.SMB2_SUPER_MAGIC: true, unix.CIFS_SUPER_MAGIC: true, unix.FUSE_SUPER_MAGIC: true, unix.V9FS_MAGIC: true, unix.CEPH_SUPER_MAGIC: true, unix.AFS_SUPER_MAGIC: true,
}

// add starts to watch a directory; it returns -1 if the kernel cannot.
func (w *watcher) add(n *node) int32 {
	mask := uint32(names)
	if n.judges() {
		mask |= writes
	}
	var where unix.Statfs_t
	if w.fd >= 0 && unix.Statfs(n.path, &where) == nil && !remote[where.Type] {
		if wd, err := unix.InotifyAddWatch(w.fd, n.path, mask); err == nil {
			if other := w.nodes[int32(wd)]; other == nil || other.path == n.path { // otherwise the directory is mounted a second time
				w.nodes[int32(wd)] = n
				return int32(wd)
			}
		}
	}
	w.swept[n] = true
	return -1
}

// judges reports whether the content of the directory's files matters.
func (n *node) judges() bool { return !slices.Contains([]manner{never, whole, logs, pids}, n.manner) }

// remove ends the watch on a directory.
func (w *watcher) remove(n *node) {
	delete(w.swept, n)
	if n.wd > 0 && w.nodes[n.wd] == n {
		delete(w.nodes, n.wd)
		_, _ = unix.InotifyRmWatch(w.fd, uint32(n.wd)) // fails if the directory is gone
	}
}

// changed returns the directories that have changed since the last call.
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

// read reads the kernel's notifications, and reports whether some were lost.
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

// stale reports whether a directory, or a file in it that was judged, has changed.
func (n *node) stale() bool {
	info, err := os.Lstat(n.path)
	if err != nil {
		return n.closedReason == ""
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

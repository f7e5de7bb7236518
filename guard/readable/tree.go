package readable

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"github.com/claudeops/claudeops/guard/policy"
	"github.com/claudeops/claudeops/internal/statedir"
)

// Limits of a list: the entries examined below one place, its rules, and the bytes read of it; and the size of one examined file. What
// exceeds them is closed.
const (
	maxEntries = 100_000
	maxRules   = 4_000
	maxBytes   = 64 << 20
	maxLook    = 1 << 20
)

// bounds are the limits of one place.
type bounds struct {
	entries, rules int
	bytes          int64
}

// budget is what is left of a place's limits.
type budget struct {
	bounds
	at    string
	spent bool // something was closed because a limit was reached
}

// node is a directory that was searched.
type node struct {
	path         string
	manner       manner
	around       manner  // in a git directory: the manner of the repository
	of           verdict // the verdict on the name of a directory above
	id           inode
	closedReason string // why it could not be read, or why nothing in it may be read
	dirs         []*node
	files        []*file
	store        *store // of a directory of git objects
	budget       *budget
	wd           int32 // the inotify watch; -1 if there is none
	leaf         bool  // it is not searched
	open         bool  // everything below it may be read

	counted int // the entries it has used of the budget
}

// file is a regular file, or anything else that is closed like one.
type file struct {
	name   string
	id     inode
	links  uint64
	size   int64
	why    string  // why it is closed; empty if it is open
	linked string  // why another name of it closes it
	read   int64   // how many bytes were examined
	alone  *string // why its content closes it; set if it has a name that was not found
}

// inode identifies a file and its last change.
type inode struct {
	dev, ino uint64
	changed  syscall.Timespec
}

func (i inode) same(other inode) bool { return i.dev == other.dev && i.ino == other.ino }

func inodeOf(info fs.FileInfo) (id inode, links uint64) {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok {
		return inode{stat.Dev, stat.Ino, stat.Ctim}, uint64(stat.Nlink) //nolint:unconvert // it is shorter on arm64
	}
	return inode{}, 1
}

// build searches everything.
func (l *List) build(ctx context.Context) error {
	l.watch.close()
	l.watch = newWatcher() // before anything is read
	l.places, l.nested = map[string]place{}, map[string][]string{}
	for _, p := range slices.Concat(l.mounts.closed(l.world), placesOf(l.world)) {
		if _, known := l.places[p.path]; known {
			continue
		}
		l.places[p.path] = p
		for at := p.path; at != "/"; at = filepath.Dir(at) {
			if names := l.nested[filepath.Dir(at)]; !slices.Contains(names, filepath.Base(at)) {
				l.nested[filepath.Dir(at)] = append(names, filepath.Base(at))
			}
		}
	}
	for _, names := range l.nested {
		slices.Sort(names)
	}
	l.top = &node{path: "/", manner: l.places["/"].manner, budget: l.newBudget("/")}
	return l.walk(ctx, []*node{l.top})
}

func (l *List) newBudget(path string) *budget { return &budget{bounds: l.bounds, at: path} }

// walk reads directories and everything new below them, breadth first, so that a limit cuts off depth.
func (l *List) walk(ctx context.Context, queue []*node) error {
	l.incomplete = true
	for len(queue) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		n := queue[0]
		queue = append(queue[1:], l.scan(n)...)
	}
	if err := l.readHistories(ctx, l.top); err != nil {
		return err
	}
	l.assemble()
	l.incomplete = false
	return nil
}

// scan reads one directory and returns its subdirectories that have not been read yet.
func (l *List) scan(n *node) (unread []*node) {
	files, dirs := n.reset()
	defer func() { // directories that are gone or were replaced
		for _, d := range dirs {
			l.forget(d)
		}
	}()
	if n.wd == 0 {
		n.wd = l.watch.add(n)
	}
	entries, err := l.entries(n)
	if err != nil {
		n.closedReason = "it cannot be looked into: " + reason(err)
		return nil
	}
	known := dirs
	if n.manner != objects && n.manner != gitdir && n.manner != never && n.manner != whole && isGitDir(entries) {
		n.manner, n.around, known = gitdir, n.manner, nil // earlier results are of another manner
	}
	for _, e := range entries {
		n.counted++
		if n.budget.entries--; n.budget.entries < 0 {
			n.budget.spent, n.closedReason = true, "there is too much below "+n.budget.at+" to look through all of it"
			return unread
		}
		path := filepath.Join(n.path, e.Name())
		info, err := e.Info()
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			n.files = append(n.files, &file{name: e.Name(), why: "it cannot be looked into: " + reason(err)})
		case info.IsDir():
			d := known[path]
			if id, _ := inodeOf(info); d != nil && d.id.same(id) {
				delete(dirs, path)
			} else if d = l.child(n, path, info); d.closedReason == "" && !d.leaf {
				d.closedReason = "it has not been looked into yet"
				unread = append(unread, d)
			}
			n.dirs = append(n.dirs, d)
		default:
			if f := l.fileOf(n, path, info, files); f != nil {
				n.files = append(n.files, f)
			}
		}
	}
	return unread
}

// reset returns a directory's share to the budget, and returns the files and directories found in it before.
func (n *node) reset() (files []*file, dirs map[string]*node) {
	files, dirs = n.files, map[string]*node{}
	for _, d := range n.dirs {
		dirs[d.path] = d
	}
	for _, f := range files {
		n.budget.bytes += f.read
	}
	n.budget.entries += n.counted
	n.dirs, n.files, n.closedReason, n.counted = nil, nil, "", 0
	return files, dirs
}

// reason returns the text of an error without the path, which callers print already.
func reason(err error) string {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// entries returns the entries of a directory to examine. Of a closed one these are only the ones that lead to a place.
func (l *List) entries(n *node) ([]fs.DirEntry, error) {
	info, err := os.Lstat(n.path)
	if err == nil && !info.IsDir() {
		err = syscall.ENOTDIR
	}
	if err != nil {
		return nil, err
	}
	n.id, _ = inodeOf(info)
	if n.manner != never {
		return os.ReadDir(n.path)
	}
	var all []fs.DirEntry
	for _, name := range l.nested[n.path] {
		if info, err := os.Lstat(filepath.Join(n.path, name)); err == nil {
			all = append(all, fs.FileInfoToDirEntry(info))
		}
	}
	return all, nil
}

// child returns the node of a new directory. It has a closing reason, or is a leaf, if nothing in it may be read.
func (l *List) child(n *node, path string, info fs.FileInfo) *node {
	id, _ := inodeOf(info)
	d := &node{path: path, manner: n.manner, around: n.around, of: n.of, id: id, budget: n.budget}
	if p, placed := l.places[path]; placed {
		d.manner, d.of, d.budget, d.closedReason = p.manner, plain, l.newBudget(path), ""
		if d.manner == never {
			d.closedReason = p.why
		}
	} else {
		l.judgeFolder(d, n)
	}
	if l.secret(path) {
		d.closedReason = closedByOperator
	}
	switch {
	case len(l.nested[path]) == 0:
		d.leaf = d.manner == whole
	case d.closedReason != "": // a place may lie below it
		d.manner, d.closedReason = never, ""
	}
	return d
}

const closedByOperator = "the operator has closed it (CLAUDEOPS_SECRET_FILES, or secrets: of the policy)"

// judgeFolder determines how a directory that is not a place is judged, or why it is closed.
func (l *List) judgeFolder(d, parent *node) {
	rel := l.relative(d.path)
	switch parent.manner {
	case whole, never, objects:
	case gitdir:
		switch filepath.Base(d.path) {
		case "objects":
			d.manner, d.store = objects, &store{}
		case "lfs", "annex", "rr-cache":
			d.closedReason = "git keeps contents of files there, without their names"
		}
	case pids:
		if strings.Count(strings.TrimPrefix(rel, "/run/"), "/") > 0 {
			d.closedReason = "outside of what is readable"
		}
	default:
		switch v := folder(rel); {
		case v == closed:
			d.closedReason = "its name is that of a folder of credentials"
		case parent.manner != stacks || !strings.HasPrefix(filepath.Base(rel), ".") || inList("shared folders", rel):
			d.of = max(d.of, v)
		default:
			d.of = max(d.of, v, look)
		}
	}
}

// isGitDir reports whether a directory is a git directory: a .git, a bare repository, a submodule's.
func isGitDir(entries []fs.DirEntry) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	return has("HEAD") && has("objects") && has("refs")
}

// fileOf judges a file, unless it is unchanged. Sockets, which cannot be opened, and links are no files.
func (l *List) fileOf(n *node, path string, info fs.FileInfo, known []*file) *file {
	if info.Mode()&(fs.ModeSymlink|fs.ModeSocket) != 0 {
		return nil
	}
	id, links := inodeOf(info)
	if i, found := slices.BinarySearchFunc(known, info.Name(), func(f *file, name string) int { return strings.Compare(f.name, name) }); found && known[i].id == id && known[i].links == links {
		n.budget.bytes -= known[i].read
		return known[i]
	}
	f := &file{name: info.Name(), id: id, links: links, size: info.Size()}
	before := n.budget.bytes
	f.why = l.judge(n, path, info)
	f.read = before - n.budget.bytes
	return f
}

// judge returns why a file is closed; empty if it is open.
func (l *List) judge(n *node, path string, info fs.FileInfo) string {
	if p, placed := l.places[path]; placed {
		if p.manner == never {
			return p.why
		}
		return ""
	}
	switch {
	case n.manner == never:
		return "outside of what is readable"
	case n.manner == objects:
		return ""
	case !info.Mode().IsRegular() && n.manner != whole:
		return "a pipe or a device: reading it takes from others what they wait for"
	case l.secret(path):
		return closedByOperator
	}
	v := l.byName(n, path)
	if v == closed {
		return "its name is that of a credential"
	}
	if v == plain || v == public || slices.ContainsFunc(l.world.Read, func(pattern string) bool { return policy.Matches(pattern, path) }) {
		return ""
	}
	return l.lookInto(n, path, info.Size(), v)
}

// byName returns the verdict of place and name on a file: public if both allow reading it.
func (l *List) byName(n *node, path string) verdict {
	rel, name := l.relative(path), filepath.Base(path)
	switch n.manner {
	case whole:
		return plain
	case logs:
		if inList("no logs", rel) {
			return closed
		}
		return plain
	case pids:
		if strings.HasSuffix(name, ".pid") || slices.Contains([]string{"utmp", "motd.dynamic", "reboot-required", "reboot-required.pkgs", "initctl"}, name) {
			return plain
		}
		return closed
	case gitdir:
		if slices.Contains([]string{"HEAD", "ORIG_HEAD", "index", "packed-refs"}, name) || strings.HasSuffix(name, ".sample") || strings.Contains(rel, "/refs/") && !strings.Contains(rel, "/logs/") {
			return plain
		}
		return look
	}
	v := n.of.below(rel)
	if n.manner == repos && n.of != plain {
		switch of := named(rel); {
		case code(name):
			v = of
		case n.of == look:
			v = max(look, of)
		}
	}
	if v != closed && inList("unmarked", rel) {
		return closed
	}
	switch {
	case n.manner == settings && inList("harmless", rel):
		return plain
	case n.manner == settings && v == sealed && slices.ContainsFunc(misleading, func(dir string) bool { return within(rel, dir) }):
		return look
	case n.manner == settings && (v == plain || v == public):
		return look
	case (n.manner == stacks || n.manner == scripts) && strings.HasSuffix(strings.ToLower(name), ".sql"):
		return closed
	case v != plain:
		return v
	case n.manner != repos && configuration(name):
		return look
	case n.manner == scripts && filepath.Ext(name) == "":
		return look
	}
	return v
}

// lookInto looks for a credential in a file, and returns why it is closed; empty if it is open.
func (l *List) lookInto(n *node, path string, size int64, v verdict) string {
	if size == 0 {
		return ""
	}
	if size > maxLook {
		if n.manner == scripts {
			return "" // a program
		}
		return "it is too large to be looked into"
	}
	if n.budget.bytes -= size; n.budget.bytes < 0 {
		n.budget.spent = true
		return "there is too much below " + n.budget.at + " to look into all of it"
	}
	content, err := statedir.ReadFile(path, maxLook)
	if err != nil {
		return "it cannot be looked into: " + reason(err)
	}
	return byContent(path, content, v, n.manner == scripts)
}

// byContent returns why a file's content closes it; empty if it does not.
func byContent(path string, content []byte, v verdict, program bool) string {
	switch ext := strings.ToLower(filepath.Ext(path)); {
	case v == sealed:
		if encrypted(content) {
			return ""
		}
		if aboutCredentials(content) {
			return credentialIn(content)
		}
		return "its name is that of a file of credentials, and it is not encrypted"
	case ext == ".pem" || ext == ".crt" || ext == ".cer" || ext == ".csr":
		if bytes.Contains(content, []byte("PRIVATE KEY")) {
			return "it holds a private key"
		}
		return ""
	case program && bytes.IndexByte(content, 0) >= 0:
		return ""
	}
	found := credentialIn(content)
	if found != "" && encrypted(content) {
		return ""
	}
	return found
}

// secret reports whether the operator has closed a path.
func (l *List) secret(path string) bool {
	return slices.ContainsFunc(l.world.Secrets, func(pattern string) bool { return policy.Matches(pattern, path) })
}

// relative returns a path without the test root.
func (l *List) relative(path string) string {
	return strings.TrimPrefix(path, strings.TrimSuffix(l.world.root, "/"))
}

// forget removes the watches on a directory that is gone, and on everything below it.
func (l *List) forget(n *node) {
	l.watch.remove(n)
	for _, d := range n.dirs {
		l.forget(d)
	}
}

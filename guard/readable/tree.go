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

// Bounds of a list: of one place's entries that are looked at, its rules, and the bytes read of it; and of one file. What lies beyond is closed.
const (
	maxEntries = 100_000
	maxRules   = 4_000
	maxBytes   = 64 << 20
	maxLook    = 1 << 20
)

// bounds are those of one place.
type bounds struct {
	entries, rules int
	bytes          int64
}

// budget is what is left to a place.
type budget struct {
	bounds
	at    string
	spent bool // something was closed because it had no more
}

// node is a folder that was looked through.
type node struct {
	path   string
	manner manner
	around manner  // of one of git's own folders: the manner of the repository
	of     verdict // what the name of a folder above says
	id     inode
	shut   string // why it could not be looked into, or nothing may be read
	dirs   []*node
	files  []*file
	store  *store // of a folder of git's objects
	budget *budget
	wd     int32 // the watch on it; -1 where there is none
	leaf   bool  // it is not looked into
	open   bool  // all below it may be read

	counted int // the entries that it took of the budget
}

// file is a plain file, or what is closed like one.
type file struct {
	name   string
	id     inode
	links  uint64
	size   int64
	why    string  // why it is closed; empty where it is open
	linked string  // why another of its names closes it
	read   int64   // how much of it was looked into
	alone  *string // why it is closed for its content, where it has another name that was not found
}

// inode says which file something is, and whether it is as it was.
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

// build looks through everything.
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

// walk reads folders and all that is new below them, the upper ones first, so that a bound cuts off the depth and not the breadth.
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

// scan reads one folder and returns those below it that have not been read yet.
func (l *List) scan(n *node) (unread []*node) {
	files, dirs := n.reset()
	defer func() { // those that are gone, or are others now
		for _, d := range dirs {
			l.forget(d)
		}
	}()
	if n.wd == 0 {
		n.wd = l.watch.add(n)
	}
	entries, err := l.entries(n)
	if err != nil {
		n.shut = "it cannot be looked into: " + reason(err)
		return nil
	}
	known := dirs
	if n.manner != objects && n.manner != gitdir && n.manner != never && n.manner != whole && isGitDir(entries) {
		n.manner, n.around, known = gitdir, n.manner, nil // what was known of it was of another manner
	}
	for _, e := range entries {
		n.counted++
		if n.budget.entries--; n.budget.entries < 0 {
			n.budget.spent, n.shut = true, "there is too much below "+n.budget.at+" to look through all of it"
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
			} else if d = l.child(n, path, info); d.shut == "" && !d.leaf {
				d.shut = "it has not been looked into yet"
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

// reset gives back to the budget what a folder took of it, and returns the files and folders that were found there.
func (n *node) reset() (files []*file, dirs map[string]*node) {
	files, dirs = n.files, map[string]*node{}
	for _, d := range n.dirs {
		dirs[d.path] = d
	}
	for _, f := range files {
		n.budget.bytes += f.read
	}
	n.budget.entries += n.counted
	n.dirs, n.files, n.shut, n.counted = nil, nil, "", 0
	return files, dirs
}

// reason is what an error says without the path that everybody knows.
func reason(err error) string {
	if errno := syscall.Errno(0); errors.As(err, &errno) {
		return errno.Error()
	}
	return err.Error()
}

// entries are what is to be looked at in a folder: of one that is closed, only what leads to a place.
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

// child is the node of a folder that is not known yet. It is shut or a leaf where there is nothing to read in it.
func (l *List) child(n *node, path string, info fs.FileInfo) *node {
	id, _ := inodeOf(info)
	d := &node{path: path, manner: n.manner, around: n.around, of: n.of, id: id, budget: n.budget}
	if p, placed := l.places[path]; placed {
		d.manner, d.of, d.budget, d.shut = p.manner, plain, l.newBudget(path), ""
		if d.manner == never {
			d.shut = p.why
		}
	} else {
		l.judgeFolder(d, n)
	}
	if l.secret(path) {
		d.shut = closedByOperator
	}
	switch {
	case len(l.nested[path]) == 0:
		d.leaf = d.manner == whole
	case d.shut != "": // what lies deeper may be another place
		d.manner, d.shut = never, ""
	}
	return d
}

const closedByOperator = "the operator has closed it (CLAUDEOPS_SECRET_FILES, or secrets: of the policy)"

// judgeFolder says how a folder that is no place is to be read, or why it is closed.
func (l *List) judgeFolder(d, parent *node) {
	rel := l.relative(d.path)
	switch parent.manner {
	case whole, never, objects:
	case gitdir:
		switch filepath.Base(d.path) {
		case "objects":
			d.manner, d.store = objects, &store{}
		case "lfs", "annex", "rr-cache":
			d.shut = "git keeps contents of files there, without their names"
		}
	case pids:
		if strings.Count(strings.TrimPrefix(rel, "/run/"), "/") > 0 {
			d.shut = "outside of what is readable"
		}
	default:
		switch v := folder(rel); {
		case v == closed:
			d.shut = "its name is that of a folder of credentials"
		case parent.manner != stacks || !strings.HasPrefix(filepath.Base(rel), ".") || inList("shared folders", rel):
			d.of = max(d.of, v)
		default:
			d.of = max(d.of, v, look)
		}
	}
}

// isGitDir reports whether a folder is one of git's own: a .git, a bare repository, a submodule's.
func isGitDir(entries []fs.DirEntry) bool {
	has := func(name string) bool {
		return slices.ContainsFunc(entries, func(e fs.DirEntry) bool { return e.Name() == name })
	}
	return has("HEAD") && has("objects") && has("refs")
}

// fileOf judges a file, unless it is as it was. What cannot be opened as a file (a socket) or leads elsewhere (a link) is none.
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

// judge says why a file is closed; empty where it is open.
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

// byName is what place and name say of a file: public where both let it be read.
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

// lookInto looks for a credential in a file, and says why it is closed.
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

// byContent says why a file is closed for its content.
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

// relative is a path of the machine.
func (l *List) relative(path string) string {
	return strings.TrimPrefix(path, strings.TrimSuffix(l.world.root, "/"))
}

// forget ends the watching of a folder that is gone, and of all below it.
func (l *List) forget(n *node) {
	l.watch.remove(n)
	for _, d := range n.dirs {
		l.forget(d)
	}
}

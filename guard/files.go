package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/statefile"
)

// Places are what the list of readable files depends on. All paths are absolute; an empty one is ignored. The
// machine's own places, and the names that are closed in all of them, are in files.yaml.
type Places struct {
	ReposDir   string   // open, less closed names
	StateDir   string   // closed, but for cooldown.json
	ResultsDir string   // closed
	Session    []string // the session's folders: open with everything below, inside StateDir too
	Secrets    []string // patterns of what is closed: absolute, or the end of a path; what follows a ** is closed anywhere
	Open       []string // absolute patterns of what is open besides, less closed names

	root string // of the machine's own places, for tests
}

// Limits of a place, or of all that one pattern names: the entries looked at, and the rules, each of which is a file
// or a folder. What exceeds them is closed.
const (
	maxFileEntries = 100_000
	maxFileRules   = 4_000
)

// filesAge is how old the list may be when a command begins. In that time what is made in a folder that is listed
// as a whole is open, and what replaces a file that is listed by itself is closed.
const filesAge = time.Minute

// Files is the list of what an agent may read: places less names less what the mode closes to others. Contents are
// not looked into; links are not followed, their targets are judged where they lie. Landlock rules can only add: a
// folder with anything closed below it is listed item by item. Files is not safe for concurrent use.
type Files struct {
	places Places
	now    func() time.Time
	limit  placeLimit // of each place
	made   time.Time

	secrets namePatterns
	foreign []string              // mount points
	at      map[string]*filePlace // the places by path
	above   map[string]bool       // folders above a place
	rules   []string              // sorted
	closed  map[string]string     // what was found closed, with the reason
	full    map[string]bool       // places in which something is closed because of a limit
}

// NewFiles makes the list. The error is that of ctx, of a malformed pattern, or of mounts that cannot be read.
func NewFiles(ctx context.Context, places Places, now func() time.Time) (*Files, error) {
	f := &Files{places: places, now: now, limit: placeLimit{entries: maxFileEntries, rules: maxFileRules}}
	for _, pattern := range slices.Concat(places.Secrets, places.Open) {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("the pattern %q of files: %w", pattern, err)
		}
	}
	for _, pattern := range places.Secrets {
		pattern = strings.TrimSuffix(pattern, "/**")
		if i := strings.LastIndex(pattern, "**/"); i >= 0 {
			pattern = pattern[i+len("**/"):]
		}
		if !strings.HasPrefix(pattern, "/") {
			_ = f.secrets.add(pattern) // it is well formed
		}
	}
	_, err := f.Refresh(ctx)
	return f, err
}

// Refresh makes the list anew if it is too old, and reports whether it did. After an error nothing is readable.
func (f *Files) Refresh(ctx context.Context) (anew bool, err error) {
	now := f.now()
	if age := now.Sub(f.made); age >= 0 && age < filesAge {
		return false, nil
	}
	if err := f.make(ctx); err != nil {
		f.made, f.rules = time.Time{}, nil
		return false, err
	}
	f.made = now
	return true, nil
}

// Paths returns the files and folders that may be read, sorted. A folder includes everything below it.
func (f *Files) Paths() []string { return slices.Clone(f.rules) }

// Explain reports whether a path may be read, and why.
func (f *Files) Explain(path string) (readable bool, why string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path) // what does not exist, or cannot be seen, is explained by its place
	}
	var place *filePlace
	for at := real; ; at = filepath.Dir(at) {
		_, listed := slices.BinarySearch(f.rules, at)
		readable = readable || listed
		if place == nil {
			why, place = cmp.Or(why, f.closed[at]), f.at[at]
		}
		if at == "/" {
			break
		}
	}
	place = cmp.Or(place, &filePlace{})
	switch {
	case readable:
		why = place.why
	case place.manner == closedPlace:
		why = cmp.Or(why, place.why, "outside of what is readable: "+f.Summary())
	case why == "":
		why = "readable in part, no plain file, or made less than a minute ago"
	}
	if real != filepath.Clean(path) {
		why = "it leads to " + real + ": " + why
	}
	return readable, why
}

// Summary describes in a sentence or two, for a prompt, what may be read.
func (f *Files) Summary() string {
	text := "programs and libraries, /etc, /opt, /srv, /var/www, /var/log, /proc, /sys, the package manager's records"
	for _, place := range append([]string{f.places.ReposDir}, f.places.Open...) {
		if place != "" {
			text += ", " + place
		}
	}
	text += "; not: homes, /tmp, the data of databases and containers, files named like credentials (.env, *.key)," +
		" and in /etc, /opt, /srv and /var/www what its mode closes to others."
	if len(f.full) > 0 {
		full := strings.Join(slices.Sorted(maps.Keys(f.full)), ", ")
		text += " Too large to be looked through, and closed in part: " + full + "."
	}
	return text
}

// fileManner is how everything in a place is judged.
type fileManner string

const (
	closedPlace fileManner = ""
	wholePlace  fileManner = "whole"  // open with everything below
	namedPlace  fileManner = "named"  // open, less closed names
	openedPlace fileManner = "opened" // the same; whole on a foreign file system
	sharedPlace fileManner = "shared" // also less what the mode closes to others; closed on a foreign file system
)

// filePlace is how a path and everything below it is judged, unless a place below says otherwise, and why.
type filePlace struct {
	manner fileManner
	why    string
	limit  *placeLimit
	judged bool
}

// placeLimit is what is left of the limits of a place.
type placeLimit struct {
	of             string
	entries, rules int
}

const (
	closedByOperator = "the operator has closed it (CLAUDEOPS_SECRET_FILES)"
	closedRecords    = "the records of this program"
	closedForeign    = "a file system of another machine or program may never answer; open: of the policy opens it"
)

// findPlaces finds the places that exist. Where two have one path, the first counts.
func (f *Files) findPlaces() {
	w := f.places
	for _, pattern := range w.Secrets {
		if strings.HasPrefix(pattern, "/") {
			f.place("", pattern, closedPlace, closedByOperator)
		}
	}
	for _, dir := range w.Session {
		f.place(dir, "", wholePlace, "the session's own folder")
	}
	f.place(w.StateDir, "", closedPlace, closedRecords)
	f.place(w.ResultsDir, "", closedPlace, closedRecords)
	f.place(w.StateDir, "/"+statefile.FileName, wholePlace, "how often services were restarted")
	for _, pattern := range w.Open {
		f.place("", pattern, openedPlace, "the operator has opened it")
	}
	f.place(w.ReposDir, "", namedPlace, "repositories, less the names of credentials")
	for _, p := range filesTable().Places {
		for pattern := range strings.FieldsSeq(p.Paths) {
			f.place(w.root, pattern, p.Manner, p.Why)
		}
	}
}

// place adds what fits a pattern below a folder. Links are followed before its first wildcard alone: the operator
// chose those, and programs may have made the others.
func (f *Files) place(dir, pattern string, m fileManner, why string) {
	pattern = strings.TrimSuffix(pattern, "/**")
	rest := ""
	if i := strings.IndexAny(pattern, `*?[\`); i >= 0 {
		i = strings.LastIndexByte(pattern[:i], '/')
		pattern, rest = pattern[:i+1], pattern[i+1:]
	}
	real, err := filepath.EvalSymlinks(dir + pattern)
	if err != nil || dir+pattern == "" {
		return // it does not exist
	}
	found := []string{"."}
	if rest != "" {
		found, _ = fs.Glob(os.DirFS(real), rest) // it is well formed
	}
	limit := f.limit
	limit.of = filepath.Join(dir, pattern, rest)
	for _, name := range found {
		path := filepath.Join(real, name)
		if f.at[path] != nil {
			continue
		}
		p := &filePlace{manner: m, why: why, limit: &limit}
		foreign := slices.ContainsFunc(f.foreign, func(mount string) bool {
			return strings.HasPrefix(path+"/", mount+"/")
		})
		switch {
		case foreign && m == openedPlace:
			p.manner = wholePlace
		case foreign && m == sharedPlace:
			p.manner, p.why = closedPlace, closedForeign
		}
		f.at[path] = p
		for above := filepath.Dir(path); !f.above[above]; above = filepath.Dir(above) {
			f.above[above] = true
		}
	}
}

// foreignMounts returns where file systems of other machines and programs are mounted.
func foreignMounts(root string) (points []string, err error) {
	text, err := os.ReadFile(root + "/proc/self/mountinfo")
	if err != nil {
		return nil, fmt.Errorf("read the mount points: %w", err)
	}
	kinds := []string{"nfs", "nfs4", "cifs", "smb3", "9p", "ceph", "afs", "autofs", "glusterfs", "davfs"}
	unescape := strings.NewReplacer(`\040`, " ", `\011`, "\t", `\012`, "\n", `\134`, `\`)
	for line := range strings.Lines(string(text)) { // ID PARENT DEVICE ROOT POINT OPTIONS… - KIND SOURCE OPTIONS
		left, right, _ := strings.Cut(line, " - ")
		mount, kind := strings.Fields(left), strings.Fields(right)
		if len(mount) < 5 || len(kind) == 0 || mount[4] == "/" {
			continue
		}
		if slices.Contains(kinds, kind[0]) || strings.HasPrefix(kind[0], "fuse.") {
			points = append(points, root+unescape.Replace(mount[4]))
		}
	}
	return points, nil
}

// fileNode is a folder that is looked through, or a file or whole folder that is open.
type fileNode struct {
	path   string
	manner fileManner
	limit  *placeLimit
	parent *fileNode
	leaf   bool // it is not looked through
	open   bool // it, and everything below it, may be read
}

// make looks through the places, each breadth first, so that a limit cuts off depth.
func (f *Files) make(ctx context.Context) (err error) {
	f.at, f.above = map[string]*filePlace{}, map[string]bool{}
	f.rules, f.closed, f.full = nil, map[string]string{}, map[string]bool{}
	if f.foreign, err = foreignMounts(f.places.root); err != nil {
		return err
	}
	f.findPlaces()
	var nodes []*fileNode
	for _, path := range slices.Sorted(maps.Keys(f.at)) { // a folder comes before what lies in it
		info, err := os.Lstat(path)
		if err != nil || f.at[path].judged {
			continue
		}
		next := len(nodes)
		nodes = f.judge(nodes, &fileNode{}, path, fs.FileInfoToDirEntry(info))
		for ; next < len(nodes); next++ {
			if err := ctx.Err(); err != nil {
				return err
			}
			nodes = f.look(nodes, nodes[next])
		}
	}
	for _, n := range slices.Backward(nodes) {
		n.parent.open = n.parent.open && n.open
	}
	for _, n := range nodes {
		if !n.open || n.parent.open {
			continue
		}
		if n.limit.rules--; n.limit.rules < 0 {
			f.full[n.limit.of] = true
			f.closed[n.path] = "too much of " + n.limit.of + " lies beside what is closed"
			continue
		}
		f.rules = append(f.rules, n.path)
	}
	slices.Sort(f.rules)
	return nil
}

// look judges the entries of a folder.
func (f *Files) look(nodes []*fileNode, n *fileNode) []*fileNode {
	if n.leaf {
		return nodes
	}
	entries, err := f.entries(n)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, fs.ErrPermission) && unix.Access(n.path, unix.X_OK) != nil:
		return nodes // nothing of it can be reached
	case err != nil:
		n.open, f.closed[n.path] = false, "it cannot be looked into: "+err.Error()
	}
	for _, e := range entries {
		nodes = f.judge(nodes, n, filepath.Join(n.path, e.Name()), e)
	}
	return nodes
}

// entries returns the entries of a folder, if its place has not had too many.
func (f *Files) entries(n *fileNode) (all []fs.DirEntry, err error) {
	dir, err := os.Open(n.path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = dir.Close() }()
	all, err = dir.ReadDir(n.limit.entries + 1)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	if len(all) > n.limit.entries {
		f.full[n.limit.of] = true
		return nil, fmt.Errorf("there is too much in %s", n.limit.of)
	}
	n.limit.entries -= len(all)
	return all, nil
}

// judge adds what lies at a path to the nodes, if it may be read at least in part. Links and sockets are left out.
func (f *Files) judge(nodes []*fileNode, parent *fileNode, path string, e fs.DirEntry) []*fileNode {
	if e.Type()&(fs.ModeSymlink|fs.ModeSocket) != 0 {
		return nodes
	}
	n := &fileNode{path: path, manner: parent.manner, limit: parent.limit, parent: parent, open: true}
	place := f.at[path]
	if place != nil {
		n.manner, n.limit, place.judged = place.manner, place.limit, true
	}
	why := f.closedName(n, e, place != nil)
	switch {
	case n.manner == closedPlace:
		why = place.why
	case n.manner == wholePlace:
		why = ""
	case why == "" && !e.IsDir() && !e.Type().IsRegular():
		why = "a pipe or a device: reading it takes from others what they wait for"
	case why == "" && n.manner == sharedPlace:
		why = closedToOthers(e)
	}
	if why != "" {
		f.closed[path], parent.open = why, false
		return nodes
	}
	n.leaf = !e.IsDir() || n.manner == wholePlace && !f.above[path]
	return append(nodes, n)
}

// closedName returns why the path of an entry closes it; empty if it does not.
func (f *Files) closedName(n *fileNode, e fs.DirEntry, place bool) string {
	switch {
	case f.secrets.fit(strings.ToLower(n.path)):
		return closedByOperator
	case place && e.IsDir(): // it was named as it is
	case slices.Contains(f.foreign, n.path):
		return closedForeign
	case closedName(strings.TrimPrefix(n.path, f.places.root), e.IsDir()):
		return "its name is that of a credential"
	}
	return ""
}

// closedToOthers returns why the mode of a file or folder closes it; empty if it does not.
func closedToOthers(e fs.DirEntry) string {
	needed := fs.FileMode(0o004)
	if e.IsDir() {
		needed = 0o001
	}
	if info, err := e.Info(); err == nil && info.Mode()&needed == 0 {
		return "its mode closes it to others"
	}
	return ""
}

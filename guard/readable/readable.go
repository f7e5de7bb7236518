// Package readable says which files a confined command may read: an enumerated list of files and folders, each folder with all below it.
//
// Landlock can add and never subtract, so a folder that holds anything closed at any depth is not on the list: what is open in it is, one by
// one. What is closed is decided by place (places.go), by name (names.go), by the content of small configuration files (content.go) and, for
// git's store of objects, by what the history holds (git.go). Links are not followed: what they lead to is judged where it lies. What
// cannot be looked into is closed. A list is refreshed before each command, and only folders that have changed are read again.
package readable

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// World is what the list depends on. All paths are absolute; an empty one is none.
type World struct {
	ReposDir   string   // repositories: open but for what is a credential by its name
	StateDir   string   // closed, but for cooldown.json
	ResultsDir string   // closed
	Session    []string // folders of the session, open whole, also below StateDir
	Secrets    []string // patterns of files and folders that are closed, wherever they lie: the operator's, and files with secrets of this program
	Read       []string // patterns of files that the operator opens beside: they are not looked into, but a name that says credential still closes

	root string // where the machine's folders lie, for tests
}

// List is what may be read, and what is needed to keep it true. It is not safe for use side by side.
type List struct {
	world  World
	bounds bounds
	places map[string]place
	nested map[string][]string // folders on the way to a place, and the names that lead there
	top    *node
	rules  []string
	closed map[string]string // closed files and folders, and why, as far as they were met
	watch  *watcher
	mounts *mountTable

	incomplete bool // looking through it was broken off
}

// New looks through the machine and makes the list. The error is one of ctx, or of a machine whose mounts cannot be read.
func New(ctx context.Context, w World) (*List, error) {
	for _, pattern := range slices.Concat(w.Secrets, w.Read) {
		if _, err := filepath.Match(pattern, ""); err != nil {
			return nil, fmt.Errorf("the pattern %q of files: %w", pattern, err)
		}
	}
	l := &List{world: w, bounds: bounds{maxEntries, maxRules, maxBytes}}
	mounts, err := openMounts()
	if err != nil {
		return nil, err
	}
	l.mounts = mounts
	if err := l.build(ctx); err != nil {
		l.Close()
		return nil, err
	}
	return l, nil
}

// Paths are the files and folders that may be read, sorted; a folder includes all below it.
func (l *List) Paths() []string { return slices.Clone(l.rules) }

// Refresh brings the list up to date and says whether it, or a file that it names, is another one. Where nothing has happened on the disk it costs next to nothing.
// After an error nothing is readable until it is called again.
func (l *List) Refresh(ctx context.Context) (changed bool, err error) {
	before := l.rules
	remounted, err := l.mounts.refresh()
	if err != nil {
		return false, err
	}
	replaced := remounted
	if remounted || l.incomplete {
		err = l.build(ctx)
	} else if touched := l.watch.changed(); len(touched) > 0 {
		// What is listed by itself may be another file of the same name by now, which the kernel does not take for it.
		replaced = slices.ContainsFunc(touched, func(n *node) bool { return !l.covers(n.path) })
		err = l.walk(ctx, touched)
	}
	if err != nil {
		l.rules = nil
	}
	return replaced || !slices.Equal(before, l.rules), err
}

// Close ends the watching.
func (l *List) Close() {
	l.watch.close()
	l.mounts.close()
}

// Explain says whether a path may be read, and why.
func (l *List) Explain(path string) (readable bool, why string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path) // what is not there, or cannot be seen, is explained by its place
	}
	led := ""
	if real != filepath.Clean(path) {
		led = "it leads to " + real + ": "
	}
	if l.covers(real) {
		return true, led + l.placeOf(real).why
	}
	for at := real; ; at = filepath.Dir(at) {
		if why, known := l.closed[at]; known {
			return false, led + why
		}
		if at == "/" {
			break
		}
	}
	if i, _ := slices.BinarySearch(l.rules, real+"/"); i < len(l.rules) && within(l.rules[i], real) {
		return false, led + "a part of what lies below it may be read"
	}
	if p := l.placeOf(real); p.manner != never {
		return false, led + "not there when the list was made, or no plain file"
	} else if p.why != "" {
		return false, led + p.why
	}
	return false, led + "outside of what is readable: " + l.Summary()
}

// covers reports whether a path is on the list, or lies below a folder that is.
func (l *List) covers(path string) bool {
	for at := path; ; at = filepath.Dir(at) {
		if _, found := slices.BinarySearch(l.rules, at); found {
			return true
		}
		if at == "/" {
			return false
		}
	}
}

// placeOf is the most specific place that a path lies in.
func (l *List) placeOf(path string) place {
	for at := path; ; at = filepath.Dir(at) {
		if p, known := l.places[at]; known {
			return p
		}
		if at == "/" {
			return place{}
		}
	}
}

// Summary says in a sentence or two, for a prompt, what may be read.
func (l *List) Summary() string {
	text := "programs and libraries, /etc, /opt, /srv, /var/www, /var/log, /proc, /sys, the package manager's records"
	if l.world.ReposDir != "" {
		text += ", " + l.world.ReposDir
	}
	for _, pattern := range l.world.Read {
		text += ", " + pattern
	}
	text += "; not: homes, /tmp, the data of databases and containers, and files that look like credentials, by name (.env, *.key) or by what a configuration file says."
	if big := l.tooLarge(); len(big) > 0 {
		text += " Too large to be looked through, and closed in part: " + strings.Join(big, ", ") + "."
	}
	return text
}

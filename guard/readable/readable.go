// Package readable determines which files a confined command may read: a list of files and directories, each directory with everything
// below it.
//
// Landlock rules can only add access. A directory with anything closed below it is therefore not on the list; what is open in it is
// listed item by item. Places (places.go), names (names.go), the content of small configuration files (content.go) and, for git's object
// store, the history (git.go) decide what is closed. Links are not followed: their targets are judged where they lie. What cannot be
// examined is closed. The list is refreshed before each command, and only directories that have changed are read again.
package readable

import (
	"context"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
)

// World is what the list depends on. All paths are absolute; an empty one is ignored.
type World struct {
	ReposDir   string   // repositories: open, except for files whose names suggest credentials
	StateDir   string   // closed, except for cooldown.json
	ResultsDir string   // closed
	Session    []string // the session's directories: open with everything below, even inside StateDir
	Secrets    []string // patterns of closed files and directories anywhere: the operator's, and files with this program's secrets
	Read       []string // patterns of additional open files: they are not examined, but a name that suggests a credential still closes them

	root string // root of the machine's directories, for tests
}

// List is what may be read, with the state that keeps it up to date. It is not safe for concurrent use.
type List struct {
	world  World
	bounds bounds
	places map[string]place
	nested map[string][]string // directories above a place, with the names that lead to it
	top    *node
	rules  []string
	closed map[string]string // closed files and directories that were found, with the reason
	watch  *watcher
	mounts *mountTable

	incomplete bool // the last walk was interrupted
}

// New searches the machine and builds the list. The error is that of ctx, of an invalid pattern, or of mounts that cannot be read.
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

// Paths returns the files and directories that may be read, sorted. A directory includes everything below it.
func (l *List) Paths() []string { return slices.Clone(l.rules) }

// Refresh brings the list up to date, and reports whether it, or a file that it names, has changed. It is cheap if nothing has changed on
// disk. After an error nothing is readable until Refresh succeeds.
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
		// A listed file may have been replaced by another of the same name, to which the kernel does not apply the rule.
		replaced = slices.ContainsFunc(touched, func(n *node) bool { return !l.covers(n.path) })
		err = l.walk(ctx, touched)
	}
	if err != nil {
		l.rules = nil
	}
	return replaced || !slices.Equal(before, l.rules), err
}

// Close stops watching.
func (l *List) Close() {
	l.watch.close()
	l.mounts.close()
}

// Explain reports whether a path may be read, and why.
func (l *List) Explain(path string) (readable bool, why string) {
	real, err := filepath.EvalSymlinks(path)
	if err != nil {
		real = filepath.Clean(path) // what does not exist, or cannot be seen, is explained by its place
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

// covers reports whether a path, or a directory above it, is on the list.
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

// placeOf returns the most specific place that contains a path.
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

// Summary describes in a sentence or two, for a prompt, what may be read.
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

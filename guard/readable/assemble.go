package readable

import (
	"cmp"
	"path/filepath"
	"slices"
)

// hard identifies a file that has several names.
type hard struct{ dev, ino uint64 }

// assemble builds the list from what was found. A directory in which nothing is closed becomes one rule.
func (l *List) assemble() {
	l.rules, l.closed = nil, map[string]string{}
	l.each(l.top, func(n *node) { n.budget.rules = l.bounds.rules })
	l.closeLinked()
	l.settle(l.top)
	l.list(l.top)
	slices.Sort(l.rules)
}

// closeLinked closes files that have several names. If one name is closed, all are. If one name lies in no directory that was searched,
// the file's content decides.
func (l *List) closeLinked() {
	type link struct {
		n *node
		f *file
	}
	names := map[hard][]link{}
	each := func(do func(*node, *file, hard)) {
		l.each(l.top, func(n *node) {
			if n.manner == objects || n.manner == whole {
				return
			}
			for _, f := range n.files {
				do(n, f, hard{f.id.dev, f.id.ino})
			}
		})
	}
	each(func(_ *node, f *file, id hard) {
		if f.linked = ""; f.links > 1 {
			names[id] = nil
		}
	})
	each(func(n *node, f *file, id hard) { // the link count read for the first name may be stale if a second was made since
		if all, several := names[id]; several {
			names[id] = append(all, link{n, f})
		}
	})
	for _, all := range names {
		why := ""
		if i := slices.IndexFunc(all, func(k link) bool { return k.f.why != "" }); i >= 0 {
			why = "it is the same file as " + filepath.Join(all[i].n.path, all[i].f.name) + ", which is closed"
		} else if first := all[0]; first.n.manner != logs && slices.ContainsFunc(all, func(k link) bool { return uint64(len(all)) < k.f.links }) {
			if first.f.alone == nil {
				found := l.lookInto(first.n, filepath.Join(first.n.path, first.f.name), first.f.size, look)
				first.f.alone = &found
			}
			if *first.f.alone != "" {
				why = "it has another name elsewhere, and " + *first.f.alone
			}
		}
		for _, k := range all {
			k.f.linked = why
		}
	}
}

// each calls do for every directory that was searched.
func (l *List) each(n *node, do func(*node)) {
	do(n)
	for _, d := range n.dirs {
		l.each(d, do)
	}
}

// settle determines for each directory whether everything below it may be read.
func (l *List) settle(n *node) bool {
	n.open = n.closedReason == "" && n.manner != never && (n.store == nil || n.store.why == "")
	for _, f := range n.files {
		n.open = n.open && f.closed() == ""
	}
	for _, d := range n.dirs {
		if !l.settle(d) {
			n.open = false
		}
	}
	return n.open
}

// closed returns why a file is closed; empty if it is open.
func (f *file) closed() string { return cmp.Or(f.why, f.linked) }

// list adds the rules of a directory, and the reasons for what is closed in it.
func (l *List) list(n *node) {
	switch {
	case n.open:
		l.rule(n, n.path)
		return
	case n.closedReason != "":
		l.closed[n.path] = n.closedReason
	case n.store != nil && n.store.why != "":
		l.closed[n.path] = n.store.why
		return
	}
	for _, f := range n.files {
		path := filepath.Join(n.path, f.name)
		if why := f.closed(); why != "" {
			l.closed[path] = why
		} else {
			l.rule(n, path)
		}
	}
	for _, d := range n.dirs {
		l.list(d)
	}
}

// rule adds a rule, unless its place has too many.
func (l *List) rule(n *node, path string) {
	if n.budget.rules--; n.budget.rules < 0 {
		n.budget.spent = true
		l.closed[filepath.Dir(path)] = "too much below " + n.budget.at + " lies beside what is closed"
		return
	}
	l.rules = append(l.rules, path)
}

// tooLarge returns the places that are partly closed because they exceed a limit.
func (l *List) tooLarge() (places []string) {
	l.each(l.top, func(n *node) {
		if n.budget.spent && !slices.Contains(places, n.budget.at) {
			places = append(places, n.budget.at)
		}
	})
	return places
}

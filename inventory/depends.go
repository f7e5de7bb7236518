package inventory

import (
	"strings"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// dependency is an entry of a service's depends_on.
type dependency struct {
	on    int // the service with that index
	entry *strict.Node
}

// dependencies makes names of services of what every depends_on lists, which may stand before those services.
func (b *builder) dependencies() {
	all := make([][]dependency, len(b.wanted))
	for i, entries := range b.wanted {
		all[i] = b.resolve(i, entries)
		for _, d := range all[i] {
			b.inv.Services[i].DependsOn = append(b.inv.Services[i].DependsOn, b.inv.Services[d.on].Name)
		}
	}
	b.circles(all)
}

func (b *builder) resolve(service int, entries []strict.Node) []dependency {
	found := make([]dependency, 0, len(entries))
	seen := make(map[int]bool, len(entries))
	for i := range entries {
		entry := &entries[i]
		called, ok := b.Text(entry, "depends_on")
		if !ok {
			continue
		}
		c, known := b.inv.names[key(called)]
		switch {
		case !known:
			b.Fault(entry, "depends_on", strict.Quote(called)+" is no service here"+b.meant(called)+"; must be the name or an alias of one")
		case c.service == service:
			b.Fault(entry, "depends_on", strict.Quote(called)+" is the service itself; must be another")
		case seen[c.service]:
			b.Fault(entry, "depends_on", strict.Quote(called)+" is "+strict.Quote(b.inv.Services[c.service].Name)+", which stands here already; must be given once")
		default:
			found = append(found, dependency{on: c.service, entry: entry})
		}
		seen[c.service] = known || seen[c.service]
	}
	return found
}

// maxGuessed is in how many services a name is searched that somebody may have meant: what takes long helps nobody.
const maxGuessed = 1000

func (b *builder) meant(called string) string {
	if len(b.inv.Services) > maxGuessed {
		return ""
	}
	candidates := make([]string, len(b.inv.Services))
	for i, s := range b.inv.Services {
		candidates[i] = s.Name
	}
	if name := text.Nearest(called, candidates, nil); name != "" {
		return " (did you mean " + strict.Quote(name) + "?)"
	}
	return ""
}

// circles notes each dependency that closes a circle. It follows them depth first, by a path of its own: there may be a long one.
func (b *builder) circles(all [][]dependency) {
	type step struct{ service, next int }
	const done = -1
	at := make([]int, len(all)) // where on the path a service stands, from 1; 0 is not seen yet
	var path []step
	for first := range all {
		if at[first] != 0 {
			continue
		}
		path = append(path[:0], step{service: first})
		at[first] = 1
		for len(path) > 0 {
			last := &path[len(path)-1]
			if last.next == len(all[last.service]) {
				at[last.service] = done
				path = path[:len(path)-1]
				continue
			}
			d := all[last.service][last.next]
			last.next++
			switch at[d.on] {
			case done:
			case 0:
				path = append(path, step{service: d.on})
				at[d.on] = len(path)
			default:
				circle := make([]int, 0, len(path))
				for _, s := range path[at[d.on]-1:] {
					circle = append(circle, s.service)
				}
				b.Fault(d.entry, "depends_on", "a circle: "+b.spelled(circle)+"; must lead to no service twice")
			}
		}
	}
}

// maxSpelled is how many services of a circle are named.
const maxSpelled = 20

func (b *builder) spelled(circle []int) string {
	var names []string
	for i, service := range circle {
		if i == maxSpelled-1 && len(circle) > maxSpelled {
			names = append(names, "…")
			break
		}
		names = append(names, b.inv.Services[service].Name)
	}
	return strings.Join(append(names, b.inv.Services[circle[0]].Name), " → ")
}

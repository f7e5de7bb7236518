package inventory

import (
	"slices"
	"strings"

	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/internal/text"
)

// dependency is an entry of a service's depends_on.
type dependency struct {
	on    int // the index of that service
	entry *strict.Node
}

// dependencies resolves every depends_on to names of services, which may be defined later in the file.
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
			b.Fault(entry, "depends_on", strict.Quote(called)+" is "+strict.Quote(b.inv.Services[c.service].Name)+", which is given already; must be given once")
		default:
			found = append(found, dependency{on: c.service, entry: entry})
		}
		seen[c.service] = known || seen[c.service]
	}
	return found
}

// maxGuessed is the number of services beyond which no suggestion is made for a misspelled name.
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

// circles reports each dependency that closes a cycle.
func (b *builder) circles(all [][]dependency) {
	done := make([]bool, len(all))
	var path []int // of services, each depends on the next
	var follow func(service int)
	follow = func(service int) {
		path = append(path, service)
		for _, d := range all[service] {
			if at := slices.Index(path, d.on); at >= 0 {
				b.Fault(d.entry, "depends_on", "a circle: "+b.spelled(path[at:])+"; must lead to no service twice")
			} else if !done[d.on] {
				follow(d.on)
			}
		}
		path = path[:len(path)-1]
		done[service] = true
	}
	for service := range all {
		if !done[service] {
			follow(service)
		}
	}
}

// maxSpelled limits how many services of a cycle are named.
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

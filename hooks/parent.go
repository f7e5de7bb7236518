package hooks

import (
	"slices"
	"time"
)

// openParent returns a hook in all that keeps the named one from running: any that it depends on, directly or indirectly, and never
// itself, even in a cycle. It is empty if there is none.
func openParent(name string, all []string, parents func(hook string) []string, keeps func(hook string) bool) string {
	seen := map[string]bool{name: true}
	for patterns := parents(name); len(patterns) > 0; {
		var next []string
		for _, parent := range all {
			if seen[parent] || !slices.ContainsFunc(patterns, func(p string) bool { return Matches(p, parent) }) {
				continue
			}
			if keeps(parent) {
				return parent
			}
			seen[parent] = true
			next = append(next, parents(parent)...)
		}
		patterns = next
	}
	return ""
}

// keepsOthers reports whether a hook is skipped at now because its circuit is open. Once its delay is over it keeps no others from
// running: it may never be called again, or may depend on one of them.
func (h Hook) keepsOthers(p Policy, now time.Time) bool {
	return h.State == Open && !p.Excluded && !p.Observe && now.Before(h.retryAt(now, p.Rules))
}

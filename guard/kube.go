package guard

import (
	"slices"
	"strings"
)

// What kubectl shows of an object: its table, its name, or single fields. A whole object holds the environment of its containers, and in
// its annotations that of before. A jsonpath that fails is told together with the whole object: so there are no numbers but the first,
// lists only where every object has one, filters only of texts, and each range has its end.

// everyBuiltIn reports whether kubectl is asked for built-in kinds only.
func everyBuiltIn(u *use) bool {
	words := u.operands
	if _, kind, has := strings.Cut(u.name, " get "); has { // a subcommand of the policy
		words = append([]word{literal(kind)}, words...)
	}
	for i, w := range words {
		kinds, _, both := strings.Cut(w.text, "/")
		if i > 0 && !both {
			continue // a name
		}
		for kind := range strings.SplitSeq(kinds, ",") {
			if kind, group, _ := strings.Cut(strings.ToLower(kind), "."); !w.known || !slices.Contains(builtIn, kind) || group != "" && group != "apps" && group != "batch" {
				return false
			}
		}
	}
	return len(words) > 0
}

// kubeFields judges what kubectl is to show.
func (k *walker) kubeFields(u *use, w word) {
	if w.glob != "" && w.under == "" && single(w.glob) { // containerStatuses[0], without quotes
		w = literal(w.glob)
	}
	format, _, _ := strings.Cut(w.text, "=")
	switch {
	case !k.wantKnown(u, w) || commonFields().MatchString(w.text):
	case builtInFields().MatchString(w.text) && everyBuiltIn(u):
	case builtInFields().MatchString(w.text):
		k.deny(u, Unknown, "of kinds that a cluster may have or not, the status may hold the values of a deployment; "+
			"show single fields: .status.phase, .status.health.status, .status.sync.status, .status.conditions[*].message, .status.readyReplicas")
	default:
		k.deny(u, Unknown, "`-o "+format+"` may show the environment of containers; "+
			"show single fields: -o wide, -o name, -o jsonpath='{.status}' or '{.spec.containers[*].image}', -o custom-columns=NAME:.metadata.name,PHASE:.status.phase")
	}
}

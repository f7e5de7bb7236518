package guard

import (
	"regexp"
	"strings"
	"sync"
)

// What kubectl shows of an object: its table, its name, or single fields. A whole object holds the environment of its containers, and in
// its annotations that of before. A jsonpath that fails is told together with the whole object: so there are no numbers but the first,
// lists only where every object has one, filters only of texts, and each range has its end.

// field is one that is shown: where it stands in an object, or, behind a range, in an item, a container or a condition.
const (
	below1      = `(?:\.[A-Za-z0-9]+)*`
	list        = `(?:\[(?:0|\*)\])`
	named       = `(?:\[(?:0|\*|\?\(@\.(?:type|name)==["'][A-Za-z0-9_.-]+["']\))\])?`
	ofContainer = `(?:name|image|imagePullPolicy|resources` + below1 + `|ports` + named + `\.[A-Za-z]+|restartCount|state` + below1 + `|lastState` + below1 + `|ready)`
	field       = `(?:\.items` + list + `)?\.(?:` +
		`metadata\.(?:name|namespace|creationTimestamp|deletionTimestamp|generation|uid|labels(?:\.[A-Za-z0-9_/-]+|\\\.[A-Za-z0-9_/-]+)*)|` +
		`status\.conditions` + named + below1 + `|status\.(?:initC|c)ontainerStatuses` + named + below1 + `|status\.addresses` + named + below1 + `|status` + below1 + `|` +
		`spec\.(?:template\.spec\.)?(?:(?:initC|c)ontainers` + named + `\.` + ofContainer + `|restartPolicy|nodeName|serviceAccountName)|` +
		`spec\.(?:replicas|minReplicas|maxReplicas|schedule|suspend|type|clusterIP|externalName|storageClassName|volumeName|unschedulable|taints|ports` + named + below1 + `|` +
		`selector` + below1 + `|accessModes|capacity` + below1 + `|rules` + list + `\.host|strategy\.type|backoffLimit|completions|parallelism)|` +
		ofContainer + `|(?:last|first|event)Time(?:stamp)?|type|status|reason|message|count|involvedObject\.(?:kind|name|namespace))`
)

var shownFields = sync.OnceValue(func() *regexp.Regexp {
	const (
		text   = `[^{}]|\{ *"(?:[^"{}\\\n]|\\[nt])*" *\}`
		shown  = `\{ *` + field + ` *\}`
		each   = `\{ *range (?:\.items|\.status\.conditions|\.status\.(?:initC|c)ontainerStatuses|\.spec\.containers)\[\*\] *\}(?:` + text + `|` + shown + `)*\{ *end *\}`
		column = `[A-Za-z0-9_. -]*:(?:\{` + field + `\}|` + field + `)`
	)
	return regexp.MustCompile(`^(?:name|wide|jsonpath(?:-as-json)?=(?:` + shown + `|` + each + `)(?:` + text + `|` + shown + `|` + each + `)*|custom-columns=` + column + `(?:,` + column + `)*)$`)
})

// kubeFields judges what kubectl is to show.
func (k *walker) kubeFields(u *use, w word) {
	if w.glob != "" && w.under == "" && single(w.glob) { // containerStatuses[0], without quotes
		w = literal(w.glob)
	}
	if k.wantKnown(u, w) && !shownFields().MatchString(w.text) {
		format, _, _ := strings.Cut(w.text, "=")
		k.deny(u, Unknown, "`-o "+format+"` may show the environment of containers; "+
			"show single fields: -o wide, -o name, -o jsonpath='{.status}' or '{.spec.containers[*].image}', -o custom-columns=NAME:.metadata.name,PHASE:.status.phase")
	}
}

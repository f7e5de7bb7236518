package guard

import (
	"regexp"
	"strings"

	"github.com/claudeops/claudeops/internal/lazy"
)

// The parts of a field: after a range, in an item, a container or a condition. The status of a custom resource may hold the values with
// which it was deployed, so only the fields that every kind has are shown of it.
const (
	below1       = `(?:\.[A-Za-z0-9]+)*`
	list         = `(?:\[(?:0|\*)\])`
	named        = `(?:\[(?:0|\*|\?\(@\.(?:type|name)==["'][A-Za-z0-9_.-]+["']\))\])?`
	ofContainer  = `(?:name|image|imagePullPolicy|resources` + below1 + `|ports` + named + `\.[A-Za-z]+|restartCount|state` + below1 + `|lastState` + below1 + `|ready)`
	builtInState = `status` + below1
	commonState  = `status\.(?:phase|health\.status|sync\.(?:status|revision)|observedGeneration|(?:ready|available|updated|unavailable|current)?[rR]eplicas|ready|state|startedAt|finishedAt|reconciledAt|last(?:Applied|Attempted)Revision|operationState\.(?:phase|startedAt|finishedAt))`
)

// fields returns a pattern of the fields that may be shown, given the pattern for a status.
func fields(status, bare string) string {
	return `(?:\.items` + list + `)?\.(?:` +
		`metadata\.(?:name|namespace|creationTimestamp|deletionTimestamp|generation|uid|labels(?:\.[A-Za-z0-9_/-]+|\\\.[A-Za-z0-9_/-]+)*)|` +
		`status\.conditions` + named + below1 + `|status\.(?:initC|c)ontainerStatuses` + named + below1 + `|status\.addresses` + named + below1 + `|` + status + `|` +
		`spec\.(?:template\.spec\.)?(?:(?:initC|c)ontainers` + named + `\.` + ofContainer + `|restartPolicy|nodeName|serviceAccountName)|` +
		`spec\.(?:replicas|minReplicas|maxReplicas|schedule|suspend|type|clusterIP|externalName|storageClassName|volumeName|unschedulable|taints|ports` + named + below1 + `|` +
		`selector` + below1 + `|accessModes|capacity` + below1 + `|rules` + list + `\.host|strategy\.type|backoffLimit|completions|parallelism)|` +
		ofContainer + `|(?:last|first|event)Time(?:stamp)?|type|` + bare + `reason|message|count|involvedObject\.(?:kind|name|namespace))`
}

// fieldsOnly matches an output format of kubectl that shows nothing but such fields.
func fieldsOnly(field string) func() *regexp.Regexp {
	const literal = `[^{}]|\{ *"(?:[^"{}\\\n]|\\[nt])*" *\}`
	var (
		shown  = `\{ *` + field + ` *\}`
		each   = `\{ *range (?:\.items|\.status\.conditions|\.status\.(?:initC|c)ontainerStatuses|\.spec\.containers)\[\*\] *\}(?:` + literal + `|` + shown + `)*\{ *end *\}`
		column = `[A-Za-z0-9_. -]*:(?:\{` + field + `\}|` + field + `)`
	)
	return lazy.Regexp(`^(?:name|wide|jsonpath(?:-as-json)?=(?:` + shown + `|` + each + `)(?:` + literal + `|` + shown + `|` + each + `)*|custom-columns=` + column + `(?:,` + column + `)*)$`)
}

var (
	builtInFields = fieldsOnly(fields(builtInState, "status|"))
	commonFields  = fieldsOnly(fields(commonState, ""))
)

// builtIn are the built-in kinds. Their status holds no deployment values.
var builtIn = strings.Fields("po pod pods deploy deployment deployments rs replicaset replicasets sts statefulset statefulsets ds daemonset daemonsets no node nodes svc service services " +
	"job jobs cj cronjob cronjobs pvc persistentvolumeclaim persistentvolumeclaims pv persistentvolume persistentvolumes ns namespace namespaces ing ingress ingresses " +
	"hpa horizontalpodautoscaler horizontalpodautoscalers pdb poddisruptionbudget poddisruptionbudgets ev event events ep endpoints quota resourcequota resourcequotas rc " +
	"sc storageclass storageclasses ingressclass ingressclasses lease leases endpointslice endpointslices limits limitrange limitranges volumeattachment volumeattachments")

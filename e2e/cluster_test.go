package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/testkit/machine"
	"github.com/claudeops/claudeops/testkit/port"
)

// apiServer returns the path of the Kubernetes API server that `make kube-apiserver` installed.
func apiServer(t *testing.T) string {
	t.Helper()
	file := filepath.Join(machine.Root(t, "homelab"), "../../kube-apiserver")
	if _, err := os.Stat(file); err != nil {
		t.Fatalf("no API server of Kubernetes: %v; run `make kube-apiserver`", err)
	}
	return file
}

// clusterPorts returns loopback ports for testdata/cluster/start.sh, reserved until the test ends.
func clusterPorts(t *testing.T) string {
	t.Helper()
	var ports []string
	for range 3 {
		_, p, _ := strings.Cut(port.Keep(t), ":")
		ports = append(ports, p)
	}
	return strings.Join(ports, " ")
}

// takesManifests applies the checked-in manifests to the API server of a machine, in a namespace that enforces the restricted level.
func takesManifests(t *testing.T, m *machine.Machine) {
	t.Helper()
	// No controller runs that would create the namespace's service account, or the Pod of a Job.
	m.Run(`kubectl create serviceaccount default
		kubectl label --overwrite namespace default pod-security.kubernetes.io/enforce=restricted pod-security.kubernetes.io/warn=restricted`)
	for folder, changes := range map[string]string{"base": "no", "overlays/probes-only": "no", "overlays/remediate": "yes"} {
		m.Run("kubectl delete cronjobs,roles,rolebindings,serviceaccounts -l app.kubernetes.io/name=claudeops >/dev/null; kubectl delete pod first --force 2>/dev/null || true")
		if out := m.Run("kubectl apply --server-side -k /srv/deploy/" + folder + " 2>&1"); strings.Contains(out, "Warning") {
			t.Errorf("%s: %s", folder, out)
		}
		if out := m.Run(`kubectl create job first --from=cronjob/claudeops --dry-run=client -o json | jq '{apiVersion: "v1", kind: "Pod", metadata: {name: "first"}, spec: .spec.template.spec}' | kubectl create -f - 2>&1`); out != "pod/first created\n" {
			t.Errorf("%s: its Pod: %s", folder, out)
		}
		if out, code := m.Try("kubectl run root --image=root"); code == 0 || !strings.Contains(out, `violates PodSecurity "restricted`) {
			t.Errorf("%s: a Pod of root is taken: %s", folder, out)
		}
		asked := map[string]string{"patch deployments": changes, "patch statefulsets": changes}
		for _, never := range []string{"get secrets", "list secrets", "create pods --subresource=exec", "create pods", "delete pods", "patch deployments --subresource=scale", "create rolebindings", "impersonate users", "list pods -n kube-system", "'*' '*'"} {
			asked[never] = "no"
		}
		for _, always := range []string{"list pods", "get pods --subresource=log", "list deployments", "list events"} {
			if asked[always] = "yes"; folder == "overlays/probes-only" {
				asked[always] = "no"
			}
		}
		for what, want := range asked {
			if out, _ := m.Try("kubectl auth can-i " + what + " --as=system:serviceaccount:default:claudeops 2>/dev/null"); out != want+"\n" {
				t.Errorf("%s: may its account %s: %q, want %s", folder, what, out, want)
			}
		}
	}
}

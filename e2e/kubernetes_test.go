package e2e

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	batchv1 "k8s.io/api/batch/v1"
	corev1 "k8s.io/api/core/v1"
	networkingv1 "k8s.io/api/networking/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	"sigs.k8s.io/kustomize/api/krusty"
	"sigs.k8s.io/kustomize/kyaml/filesys"
	"sigs.k8s.io/yaml"

	"github.com/claudeops/claudeops/inventory"
)

const manifests = "../deploy/kubernetes"

// cluster holds the objects of a set of manifests, parsed strictly as the API's types.
type cluster struct {
	accounts []corev1.ServiceAccount
	roles    []rbacv1.Role
	bindings []rbacv1.RoleBinding
	configs  map[string]corev1.ConfigMap
	claims   []corev1.PersistentVolumeClaim
	policies []networkingv1.NetworkPolicy
	jobs     []batchv1.CronJob
	secrets  []corev1.Secret
}

// decoded parses a document as the type that it declares. Unknown and duplicate keys are errors.
func decoded[T any](document []byte) (T, error) {
	var object T
	err := yaml.UnmarshalStrict(document, &object, yaml.DisallowUnknownFields)
	return object, err
}

func clusterOf(t *testing.T, text []byte) cluster {
	t.Helper()
	c := cluster{configs: map[string]corev1.ConfigMap{}}
	for _, document := range strings.Split(string(text), "\n---\n") {
		if err := c.add([]byte(document)); err != nil {
			t.Fatalf("%v in\n%s", err, document)
		}
	}
	return c
}

func (c *cluster) add(document []byte) (err error) {
	var is struct{ APIVersion, Kind string }
	if err := yaml.Unmarshal(document, &is); err != nil {
		return err
	}
	switch is.APIVersion + " " + is.Kind {
	case "v1 ServiceAccount":
		err = keep(&c.accounts, document)
	case "rbac.authorization.k8s.io/v1 Role":
		err = keep(&c.roles, document)
	case "rbac.authorization.k8s.io/v1 RoleBinding":
		err = keep(&c.bindings, document)
	case "v1 PersistentVolumeClaim":
		err = keep(&c.claims, document)
	case "networking.k8s.io/v1 NetworkPolicy":
		err = keep(&c.policies, document)
	case "batch/v1 CronJob":
		err = keep(&c.jobs, document)
	case "v1 Secret":
		err = keep(&c.secrets, document)
	case "v1 ConfigMap":
		var one corev1.ConfigMap
		one, err = decoded[corev1.ConfigMap](document)
		c.configs[one.Name] = one
	default:
		err = fmt.Errorf("an object of another kind: %s %s", is.APIVersion, is.Kind)
	}
	return err
}

func keep[T any](list *[]T, document []byte) error {
	object, err := decoded[T](document)
	*list = append(*list, object)
	return err
}

// kustomized returns kustomize's output for a directory.
func kustomized(t *testing.T, files filesys.FileSystem, folder string) []byte {
	t.Helper()
	built, err := krusty.MakeKustomizer(krusty.MakeDefaultOptions()).Run(files, folder)
	must(t, err)
	text, err := built.AsYaml()
	must(t, err)
	return text
}

// printed returns the output of `claudeops crontab print --target kubernetes` for an operator with this environment.
func printed(t *testing.T, environ []string, args ...string) []byte {
	t.Helper()
	out, talk, code := printKubernetes(environ, args...)
	if code != 0 {
		t.Fatalf("exit %d: %s", code, talk)
	}
	return out
}

func printKubernetes(environ []string, args ...string) (out []byte, talk string, code int) {
	cmd := exec.Command(claudeopsBin, append([]string{"--env-file", os.DevNull, "crontab", "print", "--target", "kubernetes"}, args...)...)
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environ...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil && cmd.ProcessState == nil {
		return nil, err.Error(), -1
	}
	return out, errs.String(), cmd.ProcessState.ExitCode()
}

func TestKubernetesBaseIsWhatPrintRenders(t *testing.T) {
	want, err := os.ReadFile(manifests + "/base/claudeops.yaml")
	must(t, err)
	equal(t, "make it again: env -i claudeops crontab print --target kubernetes > deploy/kubernetes/base/claudeops.yaml", cmp.Diff(string(want), string(printed(t, nil))), "")
}

// TestKubernetesManifests builds the checked-in manifests, as `kubectl apply -k` does, and checks what must hold for all of them.
func TestKubernetesManifests(t *testing.T) {
	folders := []string{"base", "overlays/remediate", "overlays/probes-only"}
	found, err := filepath.Glob(manifests + "/overlays/*")
	must(t, err)
	if len(found) != len(folders)-1 {
		t.Fatalf("overlays that no test builds: %v", found)
	}
	for _, folder := range folders {
		t.Run(folder, func(t *testing.T) {
			c := clusterOf(t, kustomized(t, filesys.MakeFsOnDisk(), manifests+"/"+folder))
			if len(c.jobs) != 1 || len(c.claims) != 1 || len(c.policies) != 1 || len(c.accounts) != 1 {
				t.Fatalf("%d CronJobs, %d volumes, %d policies, %d accounts", len(c.jobs), len(c.claims), len(c.policies), len(c.accounts))
			}
			c.mustHold(t)
		})
	}
}

// mustHold checks what must hold for every installation.
func (c *cluster) mustHold(t *testing.T) {
	t.Helper()
	if len(c.secrets) != 0 {
		t.Error("a Secret stands among the manifests")
	}
	for _, account := range c.accounts {
		if account.AutomountServiceAccountToken == nil || *account.AutomountServiceAccountToken {
			t.Errorf("the account %s hands its token to every pod", account.Name)
		}
	}
	for _, claim := range c.claims {
		if !slices.Equal(claim.Spec.AccessModes, []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}) {
			t.Errorf("the volume %s is %v", claim.Name, claim.Spec.AccessModes)
		}
	}
	for _, config := range c.configs {
		if text, has := config.Data["inventory.yaml"]; has {
			_, err := inventory.Parse([]byte(text))
			must(t, err)
		}
	}
	for _, job := range c.jobs {
		c.jobHolds(t, job)
	}
	c.rightsHold(t)
	c.networkHolds(t)
}

func (c *cluster) jobHolds(t *testing.T, job batchv1.CronJob) {
	t.Helper()
	spec, run := job.Spec, job.Spec.JobTemplate.Spec
	is := func(what string, holds bool) {
		t.Helper()
		if !holds {
			t.Errorf("%s: %s does not hold", job.Name, what)
		}
	}
	is("Forbid", spec.ConcurrencyPolicy == batchv1.ForbidConcurrent)
	is("a time zone", spec.TimeZone != nil && *spec.TimeZone != "")
	is("starts late, and not so late that 100 are missed of a run a minute", spec.StartingDeadlineSeconds != nil && *spec.StartingDeadlineSeconds >= 10 && *spec.StartingDeadlineSeconds < 6000)
	is("history limits", spec.SuccessfulJobsHistoryLimit != nil && spec.FailedJobsHistoryLimit != nil && *spec.FailedJobsHistoryLimit > 0)
	is("a deadline above the tiers' 70 minutes", run.ActiveDeadlineSeconds != nil && *run.ActiveDeadlineSeconds > 70*60)
	is("no retry of a failed cycle", run.BackoffLimit != nil && *run.BackoffLimit == 0)
	is("two ends that are not the cycle's", run.PodFailurePolicy != nil && len(run.PodFailurePolicy.Rules) == 2)
	for _, rule := range run.PodFailurePolicy.Rules {
		is("a rule that ignores", rule.Action == batchv1.PodFailurePolicyActionIgnore)
		if codes := rule.OnExitCodes; codes != nil {
			is("75 is ignored and nothing else", codes.Operator == batchv1.PodFailurePolicyOnExitCodesOpIn && slices.Equal(codes.Values, []int32{75}))
		}
	}
	pod := run.Template.Spec
	is("never restarted in place", pod.RestartPolicy == corev1.RestartPolicyNever)
	is("an account of its own", pod.ServiceAccountName == c.accounts[0].Name)
	is("says whether it has the token", pod.AutomountServiceAccountToken != nil && *pod.AutomountServiceAccountToken == (len(c.roles) > 0))
	is("no variables of services", pod.EnableServiceLinks != nil && !*pod.EnableServiceLinks)
	is("time to end", pod.TerminationGracePeriodSeconds != nil && *pod.TerminationGracePeriodSeconds >= 90)
	is("a name that metrics keep", pod.Hostname != "" && pod.Hostname == pod.Volumes[0].PersistentVolumeClaim.ClaimName)
	is("nothing of the node's", !pod.HostNetwork && !pod.HostPID && !pod.HostIPC)
	all := pod.SecurityContext
	is("non-root", all != nil && all.RunAsNonRoot != nil && *all.RunAsNonRoot && *all.RunAsUser > 0 && *all.RunAsGroup > 0 && *all.FSGroup == *all.RunAsGroup)
	is("RuntimeDefault", all.SeccompProfile != nil && all.SeccompProfile.Type == corev1.SeccompProfileTypeRuntimeDefault)
	is("one container", len(pod.Containers) == 1 && len(pod.InitContainers) == 0)
	one := pod.Containers[0]
	is("run-once", slices.Equal(one.Command, []string{"claudeops", "run-once", "--trigger", "kubernetes"}) && one.Args == nil)
	own := one.SecurityContext
	is("a read-only root", own.ReadOnlyRootFilesystem != nil && *own.ReadOnlyRootFilesystem)
	is("no escalation", own.AllowPrivilegeEscalation != nil && !*own.AllowPrivilegeEscalation && own.Privileged == nil)
	is("no capabilities", slices.Equal(own.Capabilities.Drop, []corev1.Capability{"ALL"}) && len(own.Capabilities.Add) == 0)
	is("resources", one.Resources.Requests.Memory().Value() > 0 && one.Resources.Requests.Cpu().MilliValue() > 0 && one.Resources.Limits.Memory().Value() > 0)
	c.filesHold(t, job.Name, pod)
}

// filesHold checks that each path in the settings is in a volume, and the records in the persistent one.
func (c *cluster) filesHold(t *testing.T, job string, pod corev1.PodSpec) {
	t.Helper()
	one, volumes, at := pod.Containers[0], map[string]corev1.Volume{}, map[string]corev1.Volume{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v
	}
	for _, m := range one.VolumeMounts {
		at[m.MountPath] = volumes[m.Name]
	}
	if claim := at["/state"].PersistentVolumeClaim; claim == nil || !slices.ContainsFunc(c.claims, func(v corev1.PersistentVolumeClaim) bool { return v.Name == claim.ClaimName }) {
		t.Errorf("%s: /state is not on a volume of these", job)
	}
	if at["/tmp"].EmptyDir == nil {
		t.Errorf("%s: /tmp cannot be written", job)
	}
	if s := at["/run/secrets/claudeops"].Secret; s == nil || s.DefaultMode == nil || *s.DefaultMode&0o7 != 0 {
		t.Errorf("%s: the secrets are no files of the pod's alone", job)
	}
	env := map[string]string{}
	for _, from := range one.EnvFrom {
		if from.ConfigMapRef == nil || from.SecretRef != nil {
			t.Errorf("%s: variables come from something else than settings", job)
			continue
		}
		settings, has := c.configs[from.ConfigMapRef.Name]
		if !has {
			t.Errorf("%s: its settings %s are not there", job, from.ConfigMapRef.Name)
		}
		for name, value := range settings.Data {
			env[name] = value
		}
	}
	for _, v := range one.Env {
		env[v.Name] = v.Value
		if v.ValueFrom != nil {
			t.Errorf("%s: %s comes from elsewhere", job, v.Name)
		}
	}
	for name, want := range map[string]string{"CLAUDEOPS_STATE_DIR": "/state", "CLAUDEOPS_RESULTS_DIR": "/state/results"} {
		if env[name] != want {
			t.Errorf("%s: %s=%s, want %s", job, name, env[name], want)
		}
	}
	if at[filepath.Dir(env["CLAUDEOPS_INVENTORY"])].ConfigMap == nil {
		t.Errorf("%s: the inventory %s is in no volume", job, env["CLAUDEOPS_INVENTORY"])
	}
	for name, value := range env {
		if strings.HasSuffix(name, "_FILE") && !strings.HasPrefix(value, "/run/secrets/claudeops/") {
			t.Errorf("%s: %s=%s is no file of the Secret", job, name, value)
		}
	}
	// claudeops's own verdict on these settings, without the files of a Secret that is not here.
	cmd := exec.Command(claudeopsBin, "--env-file", os.DevNull, "env")
	for name, value := range env {
		if !strings.HasSuffix(name, "_FILE") {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	if out, err := cmd.CombinedOutput(); err != nil || strings.Contains(string(out), "no variable of claudeops") {
		t.Errorf("%s: %v: %s", job, err, out)
	}
}

// grants returns the rights of all roles, as "VERB GROUP/RESOURCE".
func (c *cluster) grants() (list []string) {
	for _, role := range c.roles {
		for _, rule := range role.Rules {
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, verb := range rule.Verbs {
						list = append(list, verb+" "+group+"/"+resource)
					}
				}
			}
		}
	}
	return list
}

func (c *cluster) rightsHold(t *testing.T) {
	t.Helper()
	for _, grant := range c.grants() {
		verb, what, _ := strings.Cut(grant, " ")
		_, resource, _ := strings.Cut(what, "/")
		if strings.Contains(grant, "*") || slices.Contains([]string{"secrets", "configmaps", "pods/exec", "pods/attach", "pods/portforward", "serviceaccounts/token"}, resource) {
			t.Errorf("a role grants %s", grant)
		}
		if !slices.Contains([]string{"get", "list", "watch", "patch"}, verb) {
			t.Errorf("a role grants %s, which the guard grants no agent", grant)
		}
	}
	for _, binding := range c.bindings {
		named := slices.ContainsFunc(c.roles, func(r rbacv1.Role) bool { return r.Name == binding.RoleRef.Name })
		if binding.RoleRef.Kind != "Role" || !named || len(binding.Subjects) != 1 || binding.Subjects[0].Kind != "ServiceAccount" || binding.Subjects[0].Name != c.accounts[0].Name {
			t.Errorf("the binding %s is of %v to %v", binding.Name, binding.RoleRef, binding.Subjects)
		}
	}
	if len(c.bindings) != len(c.roles) {
		t.Errorf("%d roles, %d bindings", len(c.roles), len(c.bindings))
	}
}

func (c *cluster) networkHolds(t *testing.T) {
	t.Helper()
	policy := c.policies[0].Spec
	if !slices.Equal(policy.PolicyTypes, []networkingv1.PolicyType{"Ingress", "Egress"}) || len(policy.Ingress) != 0 {
		t.Errorf("something reaches the pods: %v %v", policy.PolicyTypes, policy.Ingress)
	}
	var ports []string
	for _, rule := range policy.Egress {
		for _, port := range rule.Ports {
			ports = append(ports, string(*port.Protocol)+" "+port.Port.String())
		}
	}
	if want := []string{"UDP 53", "TCP 53", "TCP 443", "TCP 6443"}; !slices.Equal(ports, want) {
		t.Errorf("they reach %v, want %v", ports, want)
	}
	for _, job := range c.jobs {
		for name, value := range policy.PodSelector.MatchLabels {
			if job.Spec.JobTemplate.Spec.Template.Labels[name] != value {
				t.Errorf("the policy does not hold for the pods of %s: %s=%s", job.Name, name, job.Spec.JobTemplate.Spec.Template.Labels[name])
			}
		}
	}
}

func TestKubernetesBaseGrantsOnlyReads(t *testing.T) {
	c := clusterOf(t, kustomized(t, filesys.MakeFsOnDisk(), manifests+"/base"))
	grants := c.grants()
	if len(grants) < 20 {
		t.Errorf("only %v", grants)
	}
	for _, grant := range grants {
		if verb, _, _ := strings.Cut(grant, " "); verb == "patch" {
			t.Errorf("Tier 1 may %s", grant)
		}
	}
	equal(t, "the highest tier", c.configs["claudeops-settings"].Data["CLAUDEOPS_MAX_TIER"], "1")
}

// TestKubernetesRemediateGrantsWhatTheGuardDoes compares an overlay's rights with the kubectl calls that the guard grants an agent.
func TestKubernetesRemediateGrantsWhatTheGuardDoes(t *testing.T) {
	base := clusterOf(t, kustomized(t, filesys.MakeFsOnDisk(), manifests+"/base"))
	c := clusterOf(t, kustomized(t, filesys.MakeFsOnDisk(), manifests+"/overlays/remediate"))
	more := slices.DeleteFunc(c.grants(), func(g string) bool { return slices.Contains(base.grants(), g) })
	if want := []string{"patch apps/deployments", "patch apps/statefulsets", "patch apps/daemonsets"}; !slices.Equal(more, want) {
		t.Errorf("beyond the base it grants %v, want %v", more, want)
	}
	if got := c.configs["claudeops-settings"].Data; got["CLAUDEOPS_MAX_TIER"] != "3" || got["CLAUDEOPS_AGENT_ENV"] == "" {
		t.Errorf("its settings are %v", got)
	}
	for command, granted := range map[string]bool{
		"kubectl rollout restart deployment/shop": true, "kubectl rollout undo statefulset/shop": true, "kubectl rollout resume deployment/shop": true,
		"kubectl rollout restart daemonset/shop -n prod": true, "kubectl delete pod shop-0": false, "kubectl scale deployment/shop --replicas=0": false,
		"kubectl patch deployment shop -p x": false, "kubectl create job x --from=cronjob/y": false, "kubectl get secrets -o yaml": false,
	} {
		out, err := exec.Command(claudeopsBin, append([]string{"--env-file", os.DevNull, "guard", "explain", "--json", "--tier", "3", "--"}, strings.Fields(command)...)...).Output()
		must(t, err)
		if strings.Contains(string(out), `"decision": "allow"`) != granted {
			t.Errorf("%s: want granted to be %v:\n%s", command, granted, out)
		}
	}
}

func TestKubernetesProbesOnlyHasNoModelAndNoRights(t *testing.T) {
	c := clusterOf(t, kustomized(t, filesys.MakeFsOnDisk(), manifests+"/overlays/probes-only"))
	want := map[string]string{"CLAUDEOPS_TIER1_AGENT": "probe", "CLAUDEOPS_MAX_TIER": "1", "CLAUDEOPS_LOG_FORMAT": "json"}
	if diff := cmp.Diff(want, c.configs["claudeops-settings"].Data); diff != "" {
		t.Error(diff)
	}
	if len(c.roles)+len(c.bindings) != 0 || *c.jobs[0].Spec.JobTemplate.Spec.Template.Spec.AutomountServiceAccountToken {
		t.Errorf("%d roles, %d bindings, a token: %v", len(c.roles), len(c.bindings), *c.jobs[0].Spec.JobTemplate.Spec.Template.Spec.AutomountServiceAccountToken)
	}
}

// TestKubernetesOverlayOfAnOperator builds an overlay as in docs/deploy.md, with its own image, settings, inventory and namespace.
func TestKubernetesOverlayOfAnOperator(t *testing.T) {
	files := filesys.MakeFsInMemory()
	must(t, filepath.WalkDir(manifests, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return files.WriteFile("/kubernetes/"+strings.TrimPrefix(path, manifests+"/"), text)
	}))
	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	_, section, _ := strings.Cut(string(doc), "\n## Kubernetes\n")
	_, block, found := strings.Cut(section, "\n```yaml\n")
	block, _, closed := strings.Cut(block, "\n```")
	if !found || !closed {
		t.Fatal("docs/deploy.md, Kubernetes: no kustomization")
	}
	must(t, files.WriteFile("/kubernetes/overlays/own/kustomization.yaml", []byte(block)))
	must(t, files.WriteFile("/kubernetes/overlays/own/inventory.yaml", []byte("services: [{name: shop}]\n")))
	c := clusterOf(t, kustomized(t, files, "/kubernetes/overlays/own"))
	settings, services := "", ""
	for name, config := range c.configs {
		if config.Namespace != "claudeops" {
			t.Errorf("%s is in the namespace %q", name, config.Namespace)
		}
		settings += config.Data["CLAUDEOPS_DAILY_BUDGET_USD"]
		services += config.Data["inventory.yaml"]
	}
	if settings != "20" || services != "services: [{name: shop}]\n" || len(c.configs) != 2 {
		t.Errorf("budget %q, inventory %q, %d ConfigMaps", settings, services, len(c.configs))
	}
	pod := c.jobs[0].Spec.JobTemplate.Spec.Template.Spec
	equal(t, "the image", pod.Containers[0].Image, "registry.example.org/claudeops:1.0.0")
	c.mustHold(t)
	// With kubectl exec, which is optional.
	must(t, files.WriteFile("/kubernetes/overlays/exec/kustomization.yaml", []byte("resources: [../own]\ncomponents: [../../components/exec]\n")))
	without := c.grants()
	c = clusterOf(t, kustomized(t, files, "/kubernetes/overlays/exec"))
	more := slices.DeleteFunc(c.grants(), func(g string) bool { return slices.Contains(without, g) })
	if want := []string{"get /pods/exec", "create /pods/exec"}; !slices.Equal(more, want) {
		t.Errorf("the component grants %v beyond the overlay, want %v", more, want)
	}
}

func TestKubernetesShardsAreStrictlyTheAPIsToo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "inventory.yaml")
	must(t, os.WriteFile(path, []byte("# a fleet\nservices:\n  - name: shop\n    owner: \"Ada: the one\"\n"), 0o600))
	text := printed(t, []string{"CLAUDEOPS_INVENTORY=" + path}, "--shards", "16", "--namespace", "ops", "--image", "registry.example.org:5000/claudeops:1.0.0",
		"--name", "watch", "--storage-class", "fast", "--storage-size", "2Gi", "--schedule", "CRON_TZ=Europe/Berlin */10 * * * *")
	files := filesys.MakeFsInMemory()
	must(t, files.WriteFile("/fleet/claudeops.yaml", text))
	must(t, files.WriteFile("/fleet/kustomization.yaml", []byte("resources: [claudeops.yaml]\n")))
	c := clusterOf(t, kustomized(t, files, "/fleet"))
	if len(c.jobs) != 16 || len(c.claims) != 16 || len(c.roles) != 1 {
		t.Fatalf("%d CronJobs, %d volumes, %d roles", len(c.jobs), len(c.claims), len(c.roles))
	}
	c.mustHold(t)
	claims, shards := map[string]bool{}, map[string]bool{}
	for _, job := range c.jobs {
		pod := job.Spec.JobTemplate.Spec.Template.Spec
		claims[pod.Volumes[0].PersistentVolumeClaim.ClaimName] = true
		for _, v := range pod.Containers[0].Env {
			if v.Name == "CLAUDEOPS_SHARD" {
				shards[v.Value] = true
			}
		}
		if job.Namespace != "ops" || *job.Spec.TimeZone != "Europe/Berlin" || job.Spec.Schedule != "*/10 * * * *" {
			t.Errorf("%s in %s runs at %s in %s", job.Name, job.Namespace, job.Spec.Schedule, *job.Spec.TimeZone)
		}
	}
	if len(claims) != 16 || len(shards) != 16 || !shards["1/16"] || !shards["16/16"] {
		t.Errorf("volumes %v, shards %v", claims, shards)
	}
	says(t, c.configs["watch-inventory"].Data["inventory.yaml"], "Ada: the one")
}

func TestKubernetesManifestsHoldNothingOfAnAttackersText(t *testing.T) {
	for _, args := range [][]string{
		{"--image", "claudeops:1\n      hostNetwork: true"}, {"--image", `x" # `}, {"--image", "{{.Name}}"}, {"--image", "a b"},
		{"--namespace", "ops\n---\nkind: Secret"}, {"--namespace", "Ops"}, {"--namespace", "ops/x"},
		{"--name", "a: b"}, {"--name", "-x"}, {"--name", strings.Repeat("a", 53)}, {"--storage-class", "x\ny: z"}, {"--storage-size", "4Gi\n"},
		{"--schedule", "0 * * * *\nkind: Secret"}, {"--schedule", `0 * * * *" # `}, {"--schedule", "CRON_TZ=UTC\nx 0 * * * *"}, {"--schedule", "@every 90s"},
		{"--shards", "0"}, {"--shards", "1001"}, {"--shards", "-1"}, {"--shards", "x"},
	} {
		out, talk, code := printKubernetes(nil, args...)
		if code == 0 || len(out) != 0 || !strings.HasPrefix(talk, "claudeops: ") {
			t.Errorf("%q: exit %d, %q, %q", args, code, out, talk)
		}
	}
}

func TestKubernetesSecretIsAnExampleThatNothingApplies(t *testing.T) {
	text, err := os.ReadFile(manifests + "/secret.example.yaml")
	must(t, err)
	secret, err := decoded[corev1.Secret](text)
	must(t, err)
	if secret.Name != "claudeops" || len(secret.StringData) == 0 {
		t.Errorf("the example is %+v", secret)
	}
	must(t, filepath.WalkDir(manifests, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || entry.Name() != "kustomization.yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if strings.Contains(string(text), "secret.example") {
			t.Errorf("%s applies the example", path)
		}
		return err
	}))
}

// TestKubernetesFromNothingToTheFirstCycle runs the commands of docs/deploy.md that need no cluster, and checks the input of the others.
func TestKubernetesFromNothingToTheFirstCycle(t *testing.T) {
	const noCluster = "needs a cluster, of which there is none here"
	cannot := map[string]string{ // identified by its beginning
		"kubectl create namespace": noCluster, "kubectl -n claudeops create secret": noCluster,
		"kubectl apply --server-side": noCluster, "kubectl -n claudeops create job": noCluster,
	}
	dir, ran := t.TempDir(), 0
	for _, command := range deployCommands(t, "Kubernetes") {
		skipped := false
		for begin, why := range cannot {
			if strings.HasPrefix(command, begin) {
				t.Logf("not run: %s (%s)", command, why)
				skipped = true
			}
		}
		if skipped {
			continue
		}
		ran++
		cmd := exec.Command("sh", "-ec", command)
		cmd.Dir, cmd.Env = dir, []string{"PATH=" + filepath.Dir(claudeopsBin) + ":" + os.Getenv("PATH")}
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%s: %v: %s", command, err, out)
		}
	}
	text, err := os.ReadFile(filepath.Join(dir, "claudeops.yaml"))
	must(t, err)
	c := clusterOf(t, text)
	c.mustHold(t)
	if ran == 0 || c.jobs[0].Name != "claudeops" || c.jobs[0].Namespace != "claudeops" {
		t.Errorf("%d commands ran, and made the CronJob %s in %s", ran, c.jobs[0].Name, c.jobs[0].Namespace)
	}
}

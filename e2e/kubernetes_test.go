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

	"github.com/go-json-experiment/json"
	"github.com/google/go-cmp/cmp"
	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/testkit/machine"
)

const manifests = "../deploy/kubernetes"

// cluster holds the objects of a set of manifests.
type cluster struct {
	accounts, roles, bindings, claims, policies, jobs, secrets []object
	configs                                                    map[string]object
}

// object has what these tests look at of any object of the API, by the API's names. Whether the API takes the objects, an API server says.
type object struct {
	APIVersion, Kind             string
	Metadata                     struct{ Name, Namespace string }
	AutomountServiceAccountToken *bool
	Data, StringData             map[string]string
	Rules                        []struct{ APIGroups, Resources, Verbs []string }
	RoleRef                      struct{ Kind, Name string }
	Subjects                     []struct{ Kind, Name string }
	Spec                         struct {
		AccessModes []string // of a volume

		// Of a network policy.
		PodSelector struct{ MatchLabels map[string]string }
		PolicyTypes []string
		Ingress     []any
		Egress      []struct {
			Ports []struct {
				Protocol string
				Port     int
			}
		}

		// Of a CronJob.
		Schedule, ConcurrencyPolicy                        string
		TimeZone                                           string
		StartingDeadlineSeconds                            int
		SuccessfulJobsHistoryLimit, FailedJobsHistoryLimit *int
		JobTemplate                                        struct{ Spec jobSpec }
	}
}

type jobSpec struct {
	ActiveDeadlineSeconds int
	BackoffLimit          *int
	PodFailurePolicy      struct {
		Rules []struct {
			Action      string
			OnExitCodes *struct {
				Operator string
				Values   []int
			}
		}
	}
	Template struct {
		Metadata struct{ Labels map[string]string }
		Spec     podSpec
	}
}

type podSpec struct {
	RestartPolicy, ServiceAccountName, Hostname      string
	AutomountServiceAccountToken, EnableServiceLinks *bool
	TerminationGracePeriodSeconds                    int
	HostNetwork, HostPID, HostIPC                    bool
	SecurityContext                                  struct {
		RunAsNonRoot                   bool
		RunAsUser, RunAsGroup, FSGroup int
		SeccompProfile                 struct{ Type string }
	}
	InitContainers []any
	Containers     []struct {
		Image           string
		Command, Args   []string
		SecurityContext struct {
			ReadOnlyRootFilesystem               bool
			AllowPrivilegeEscalation, Privileged *bool
			Capabilities                         struct{ Drop, Add []string }
		}
		Resources struct{ Requests, Limits struct{ Memory, CPU string } }
		EnvFrom   []struct {
			ConfigMapRef *struct{ Name string }
			SecretRef    any
		}
		Env []struct {
			Name, Value string
			ValueFrom   any
		}
		VolumeMounts []struct{ Name, MountPath string }
	}
	Volumes []volume
}

type volume struct {
	Name                  string
	PersistentVolumeClaim struct{ ClaimName string }
	EmptyDir, ConfigMap   any
	Secret                *struct{ DefaultMode int }
}

// decoded parses a document. Duplicate keys are errors.
func decoded(document string) (o object, err error) {
	var tree any
	if err := yaml.Unmarshal([]byte(document), &tree); err != nil {
		return o, err
	}
	text, err := json.Marshal(tree)
	if err != nil {
		return o, err
	}
	return o, json.Unmarshal(text, &o, json.MatchCaseInsensitiveNames(true))
}

func clusterOf(t *testing.T, text []byte) cluster {
	t.Helper()
	c := cluster{configs: map[string]object{}}
	kinds := map[string]*[]object{
		"v1 ServiceAccount": &c.accounts, "rbac.authorization.k8s.io/v1 Role": &c.roles, "rbac.authorization.k8s.io/v1 RoleBinding": &c.bindings,
		"v1 PersistentVolumeClaim": &c.claims, "networking.k8s.io/v1 NetworkPolicy": &c.policies, "batch/v1 CronJob": &c.jobs, "v1 Secret": &c.secrets,
	}
	for document := range strings.SplitSeq(string(text), "\n---\n") {
		one, err := decoded(document)
		must(t, err)
		if list, known := kinds[one.APIVersion+" "+one.Kind]; known {
			*list = append(*list, one)
		} else if one.APIVersion+" "+one.Kind == "v1 ConfigMap" {
			c.configs[one.Metadata.Name] = one
		} else {
			t.Fatalf("an object of another kind: %s %s", one.APIVersion, one.Kind)
		}
	}
	return c
}

// kustomized returns what a folder becomes, by the kubectl of the Debian that tests boot.
func kustomized(t *testing.T, folder string) []byte {
	t.Helper()
	root := machine.Root(t, "homelab")
	loaders, err := filepath.Glob(root + "/usr/lib/*-linux-gnu/ld-linux-*.so.*")
	must(t, err)
	if len(loaders) != 1 {
		t.Fatalf("loaders of that system: %v", loaders)
	}
	kubectl := exec.Command(loaders[0], "--library-path", filepath.Dir(loaders[0]), root+"/usr/bin/kubectl", "kustomize", folder)
	var talk bytes.Buffer
	kubectl.Stderr = &talk
	text, err := kubectl.Output()
	if err != nil {
		t.Fatalf("%v: %v: %s", kubectl, err, &talk)
	}
	return text
}

// printed returns the output of `claudeops crontab print --target kubernetes`.
func printed(t *testing.T) []byte {
	t.Helper()
	cmd := exec.Command(claudeopsBin, "--env-file", os.DevNull, "crontab", "print", "--target", "kubernetes")
	cmd.Env = []string{"PATH=" + os.Getenv("PATH")}
	var talk bytes.Buffer
	cmd.Stderr = &talk
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, &talk)
	}
	return out
}

func TestKubernetesBaseIsWhatPrintRenders(t *testing.T) {
	want, err := os.ReadFile(manifests + "/base/claudeops.yaml")
	must(t, err)
	equal(t, "make it again: env -i claudeops crontab print --target kubernetes > deploy/kubernetes/base/claudeops.yaml", cmp.Diff(string(want), string(printed(t))), "")
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
			c := clusterOf(t, kustomized(t, manifests+"/"+folder))
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
			t.Errorf("the account %s hands its token to every pod", account.Metadata.Name)
		}
	}
	for _, claim := range c.claims {
		if !slices.Equal(claim.Spec.AccessModes, []string{"ReadWriteOnce"}) {
			t.Errorf("the volume %s is %v", claim.Metadata.Name, claim.Spec.AccessModes)
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

// isSome reports whether a quantity is given, and not none.
func isSome(quantity string) bool { return quantity != "" && quantity[0] != '0' }

func (c *cluster) jobHolds(t *testing.T, job object) {
	t.Helper()
	spec, run := job.Spec, job.Spec.JobTemplate.Spec
	is := func(what string, holds bool) {
		t.Helper()
		if !holds {
			t.Errorf("%s: %s does not hold", job.Metadata.Name, what)
		}
	}
	is("Forbid", spec.ConcurrencyPolicy == "Forbid")
	is("a time zone", spec.TimeZone != "")
	is("starts late, and not so late that 100 are missed of a run a minute", spec.StartingDeadlineSeconds >= 10 && spec.StartingDeadlineSeconds < 6000)
	is("history limits", spec.SuccessfulJobsHistoryLimit != nil && spec.FailedJobsHistoryLimit != nil && *spec.FailedJobsHistoryLimit > 0)
	is("a deadline above the tiers' 70 minutes", run.ActiveDeadlineSeconds > 70*60)
	is("no retry of a failed cycle", run.BackoffLimit != nil && *run.BackoffLimit == 0)
	is("two ends that are not the cycle's", len(run.PodFailurePolicy.Rules) == 2)
	for _, rule := range run.PodFailurePolicy.Rules {
		is("a rule that ignores", rule.Action == "Ignore")
		if codes := rule.OnExitCodes; codes != nil {
			is("75 is ignored and nothing else", codes.Operator == "In" && slices.Equal(codes.Values, []int{75}))
		}
	}
	pod := run.Template.Spec
	is("never restarted in place", pod.RestartPolicy == "Never")
	is("an account of its own", pod.ServiceAccountName == c.accounts[0].Metadata.Name)
	is("says whether it has the token", pod.AutomountServiceAccountToken != nil && *pod.AutomountServiceAccountToken == (len(c.roles) > 0))
	is("no variables of services", pod.EnableServiceLinks != nil && !*pod.EnableServiceLinks)
	is("time to end", pod.TerminationGracePeriodSeconds >= 90)
	is("a name that metrics keep", pod.Hostname != "" && pod.Hostname == pod.Volumes[0].PersistentVolumeClaim.ClaimName)
	is("nothing of the node's", !pod.HostNetwork && !pod.HostPID && !pod.HostIPC)
	all := pod.SecurityContext
	is("non-root", all.RunAsNonRoot && all.RunAsUser > 0 && all.RunAsGroup > 0 && all.FSGroup == all.RunAsGroup)
	is("RuntimeDefault", all.SeccompProfile.Type == "RuntimeDefault")
	is("one container", len(pod.Containers) == 1 && len(pod.InitContainers) == 0)
	one := pod.Containers[0]
	is("run-once", slices.Equal(one.Command, []string{"claudeops", "run-once", "--trigger", "kubernetes"}) && one.Args == nil)
	own := one.SecurityContext
	is("a read-only root", own.ReadOnlyRootFilesystem)
	is("no escalation", own.AllowPrivilegeEscalation != nil && !*own.AllowPrivilegeEscalation && own.Privileged == nil)
	is("no capabilities", slices.Equal(own.Capabilities.Drop, []string{"ALL"}) && len(own.Capabilities.Add) == 0)
	is("resources", isSome(one.Resources.Requests.Memory) && isSome(one.Resources.Requests.CPU) && isSome(one.Resources.Limits.Memory))
	c.filesHold(t, job.Metadata.Name, pod)
}

// filesHold checks that each path in the settings is in a volume, and the records in the persistent one.
func (c *cluster) filesHold(t *testing.T, job string, pod podSpec) {
	t.Helper()
	one, volumes, at := pod.Containers[0], map[string]volume{}, map[string]volume{}
	for _, v := range pod.Volumes {
		volumes[v.Name] = v
	}
	for _, m := range one.VolumeMounts {
		at[m.MountPath] = volumes[m.Name]
	}
	if claim := at["/state"].PersistentVolumeClaim.ClaimName; !slices.ContainsFunc(c.claims, func(v object) bool { return v.Metadata.Name == claim }) {
		t.Errorf("%s: /state is not on a volume of these", job)
	}
	if at["/tmp"].EmptyDir == nil {
		t.Errorf("%s: /tmp cannot be written", job)
	}
	if s := at["/run/secrets/claudeops"].Secret; s == nil || s.DefaultMode == 0 || s.DefaultMode&0o7 != 0 {
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
		named := slices.ContainsFunc(c.roles, func(r object) bool { return r.Metadata.Name == binding.RoleRef.Name })
		if binding.RoleRef.Kind != "Role" || !named || len(binding.Subjects) != 1 || binding.Subjects[0].Kind != "ServiceAccount" || binding.Subjects[0].Name != c.accounts[0].Metadata.Name {
			t.Errorf("the binding %s is of %v to %v", binding.Metadata.Name, binding.RoleRef, binding.Subjects)
		}
	}
	if len(c.bindings) != len(c.roles) {
		t.Errorf("%d roles, %d bindings", len(c.roles), len(c.bindings))
	}
}

func (c *cluster) networkHolds(t *testing.T) {
	t.Helper()
	policy := c.policies[0].Spec
	if !slices.Equal(policy.PolicyTypes, []string{"Ingress", "Egress"}) || len(policy.Ingress) != 0 {
		t.Errorf("something reaches the pods: %v %v", policy.PolicyTypes, policy.Ingress)
	}
	var ports []string
	for _, rule := range policy.Egress {
		for _, port := range rule.Ports {
			ports = append(ports, fmt.Sprint(port.Protocol, " ", port.Port))
		}
	}
	if want := []string{"UDP 53", "TCP 53", "TCP 443", "TCP 6443"}; !slices.Equal(ports, want) {
		t.Errorf("they reach %v, want %v", ports, want)
	}
	for _, job := range c.jobs {
		for name, value := range policy.PodSelector.MatchLabels {
			if job.Spec.JobTemplate.Spec.Template.Metadata.Labels[name] != value {
				t.Errorf("the policy does not hold for the pods of %s: %s=%s", job.Metadata.Name, name, job.Spec.JobTemplate.Spec.Template.Metadata.Labels[name])
			}
		}
	}
}

func TestKubernetesBaseGrantsOnlyReads(t *testing.T) {
	c := clusterOf(t, printed(t))
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

// TestKubernetesRemediateGrantsWhatTheGuardDoes compares an overlay's rights with what kubectl does for an agent.
func TestKubernetesRemediateGrantsWhatTheGuardDoes(t *testing.T) {
	base := clusterOf(t, kustomized(t, manifests+"/base"))
	c := clusterOf(t, kustomized(t, manifests+"/overlays/remediate"))
	more := slices.DeleteFunc(c.grants(), func(g string) bool { return slices.Contains(base.grants(), g) })
	if want := []string{"patch apps/deployments", "patch apps/statefulsets", "patch apps/daemonsets"}; !slices.Equal(more, want) {
		t.Errorf("beyond the base it grants %v, want %v", more, want)
	}
	if got := c.configs["claudeops-settings"].Data; got["CLAUDEOPS_MAX_TIER"] != "3" || got["CLAUDEOPS_AGENT_ENV"] == "" {
		t.Errorf("its settings are %v", got)
	}
	services := filepath.Join(t.TempDir(), "services.yaml")
	must(t, os.WriteFile(services, []byte("services: [{name: shop, restart: {deployment: {name: shop}}}]\n"), 0o600))
	for command, granted := range map[string]bool{
		"kubectl rollout restart deployment/shop": true, "kubectl rollout restart deployment/bank": false, "kubectl rollout undo deployment/shop": false,
		"kubectl delete pod shop-0": false, "kubectl scale deployment/shop --replicas=0": false,
		"kubectl patch deployment shop -p x": false, "kubectl create job x --from=cronjob/y": false, "kubectl get secrets -o yaml": false,
	} {
		explain := exec.Command(claudeopsBin, append([]string{"--env-file", os.DevNull, "policy", "explain", "--json", "--tier", "3", "--"}, strings.Fields(command)...)...)
		explain.Env = append(os.Environ(), "CLAUDEOPS_INVENTORY="+services)
		out, err := explain.Output()
		must(t, err)
		if strings.Contains(string(out), `"decision": "allow"`) != granted {
			t.Errorf("%s: want granted to be %v:\n%s", command, granted, out)
		}
	}
}

func TestKubernetesProbesOnlyHasNoModelAndNoRights(t *testing.T) {
	c := clusterOf(t, kustomized(t, manifests+"/overlays/probes-only"))
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
	dir := t.TempDir()
	must(t, os.CopyFS(dir, os.DirFS(manifests)))
	file := func(path, text string) {
		path = filepath.Join(dir, "overlays", path)
		must(t, os.MkdirAll(filepath.Dir(path), 0o755))
		must(t, os.WriteFile(path, []byte(text), 0o644))
	}
	doc, err := os.ReadFile("../docs/deploy.md")
	must(t, err)
	_, section, _ := strings.Cut(string(doc), "\n## Kubernetes\n")
	_, block, found := strings.Cut(section, "\n```yaml\n")
	block, _, closed := strings.Cut(block, "\n```")
	if !found || !closed {
		t.Fatal("docs/deploy.md, Kubernetes: no kustomization")
	}
	file("own/kustomization.yaml", block)
	file("own/inventory.yaml", "services: [{name: shop}]\n")
	c := clusterOf(t, kustomized(t, dir+"/overlays/own"))
	settings, services := "", ""
	for name, config := range c.configs {
		if config.Metadata.Namespace != "claudeops" {
			t.Errorf("%s is in the namespace %q", name, config.Metadata.Namespace)
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
	file("exec/kustomization.yaml", "resources: [../own]\ncomponents: [../../components/exec]\n")
	without := c.grants()
	c = clusterOf(t, kustomized(t, dir+"/overlays/exec"))
	more := slices.DeleteFunc(c.grants(), func(g string) bool { return slices.Contains(without, g) })
	if want := []string{"get /pods/exec", "create /pods/exec"}; !slices.Equal(more, want) {
		t.Errorf("the component grants %v beyond the overlay, want %v", more, want)
	}
}

func TestKubernetesSecretIsAnExampleThatNothingApplies(t *testing.T) {
	text, err := os.ReadFile(manifests + "/secret.example.yaml")
	must(t, err)
	secret, err := decoded(string(text))
	must(t, err)
	if secret.Metadata.Name != "claudeops" || len(secret.StringData) == 0 {
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
	if ran == 0 || c.jobs[0].Metadata.Name != "claudeops" || c.jobs[0].Metadata.Namespace != "claudeops" {
		t.Errorf("%d commands ran, and made the CronJob %s in %s", ran, c.jobs[0].Metadata.Name, c.jobs[0].Metadata.Namespace)
	}
}

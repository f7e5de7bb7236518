package crontab

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"go.yaml.in/yaml/v3"
	"pgregory.net/rapid"

	"github.com/claudeops/claudeops/inventory"
)

// clusterOf returns the job for these schedules.
func clusterOf(t *testing.T, schedules ...string) Job {
	t.Helper()
	j := Job{Longest: time.Hour}
	for _, text := range schedules {
		j.Schedule = append(j.Schedule, expression(t, text))
	}
	return j
}

// object is a document of the manifests, with the members that these tests check.
type object struct {
	Kind     string
	Metadata struct {
		Name, Namespace string
		Labels          map[string]string
	}
	Data map[string]string
	Spec struct {
		Schedule         string
		TimeZone         string         `yaml:"timeZone"`
		StorageClassName string         `yaml:"storageClassName"`
		Resources        map[string]any `yaml:"resources"`
		JobTemplate      struct {
			Spec struct {
				ActiveDeadlineSeconds int `yaml:"activeDeadlineSeconds"`
				Template              struct {
					Spec struct {
						Containers []struct {
							Image string
							Env   []struct{ Name, Value string }
						}
						Volumes []struct {
							Name string
							PVC  struct {
								ClaimName string `yaml:"claimName"`
							} `yaml:"persistentVolumeClaim"`
						}
					}
				}
			}
		} `yaml:"jobTemplate"`
	}
}

func (o object) shard() string {
	for _, v := range o.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Env {
		if v.Name == "CLAUDEOPS_SHARD" {
			return v.Value
		}
	}
	return ""
}

func (o object) claim() string { return o.Spec.JobTemplate.Spec.Template.Spec.Volumes[0].PVC.ClaimName }

// objects renders a job and returns the parsed documents by kind.
func objects(t interface {
	Helper()
	Fatal(...any)
}, j Job, o KubernetesOptions) map[string][]object {
	t.Helper()
	text, err := Kubernetes(j, o)
	if err != nil {
		t.Fatal(err)
	}
	byKind := map[string][]object{}
	for documents := yaml.NewDecoder(bytes.NewReader(text)); ; {
		var next object
		switch err := documents.Decode(&next); {
		case errors.Is(err, io.EOF):
			return byKind
		case err != nil:
			t.Fatal(fmt.Sprintf("%v in\n%s", err, text))
		}
		byKind[next.Kind] = append(byKind[next.Kind], next)
	}
}

func TestAClusterWithoutOptionsHasOneCronJobAndOneVolume(t *testing.T) {
	got := objects(t, clusterOf(t, "CRON_TZ=Europe/Berlin 30 6 * * 1-5"), KubernetesOptions{})
	for _, kind := range []string{"ServiceAccount", "Role", "RoleBinding", "NetworkPolicy", "PersistentVolumeClaim", "CronJob"} {
		if len(got[kind]) != 1 || got[kind][0].Metadata.Name != "claudeops" {
			t.Errorf("%s: %v, want one named claudeops", kind, got[kind])
		}
	}
	if len(got) != 7 || len(got["ConfigMap"]) != 2 || len(got["Secret"]) != 0 {
		t.Errorf("%d kinds, %d ConfigMaps, %d Secrets", len(got), len(got["ConfigMap"]), len(got["Secret"]))
	}
	job := got["CronJob"][0]
	if job.Spec.Schedule != "30 6 * * 1-5" || job.Spec.TimeZone != "Europe/Berlin" || job.shard() != "" || job.claim() != "claudeops" {
		t.Errorf("the CronJob is %+v", job.Spec)
	}
	if got := job.Spec.JobTemplate.Spec.ActiveDeadlineSeconds; got != 4200 {
		t.Errorf("its deadline is %d s, want the longest cycle's hour and ten minutes", got)
	}
	if _, err := inventory.Parse([]byte(got["ConfigMap"][1].Data["inventory.yaml"])); err != nil {
		t.Errorf("the example inventory: %v", err)
	}
}

func TestShardsHaveACronJobAndAVolumeEach(t *testing.T) {
	got := objects(t, clusterOf(t, "0 * * * *"), KubernetesOptions{Name: "ops", Shards: 12, StorageClass: "fast", StorageSize: "500Mi"})
	if len(got["CronJob"]) != 12 || len(got["PersistentVolumeClaim"]) != 12 || len(got["Role"]) != 1 || len(got["ConfigMap"]) != 2 {
		t.Fatalf("%d CronJobs, %d volumes, %d roles, %d ConfigMaps", len(got["CronJob"]), len(got["PersistentVolumeClaim"]), len(got["Role"]), len(got["ConfigMap"]))
	}
	for i, job := range got["CronJob"] {
		name, volume := fmt.Sprintf("ops-%d", i+1), got["PersistentVolumeClaim"][i]
		if job.Metadata.Name != name || volume.Metadata.Name != name || job.claim() != name || job.shard() != fmt.Sprintf("%d/12", i+1) {
			t.Errorf("number %d is the CronJob %s of %s on the volume %s", i+1, job.Metadata.Name, job.shard(), job.claim())
		}
		if volume.Spec.StorageClassName != "fast" || fmt.Sprint(volume.Spec.Resources) != "map[requests:map[storage:500Mi]]" {
			t.Errorf("the volume %s is %+v", name, volume.Spec)
		}
	}
	if one := objects(t, clusterOf(t, "0 * * * *"), KubernetesOptions{Shards: 1}); one["CronJob"][0].shard() != "1/1" || one["CronJob"][0].Metadata.Name != "claudeops-1" {
		t.Error("one shard is not called as the first of several, which would lose its volume when a second comes")
	}
}

func TestSeveralSchedulesShareTheVolume(t *testing.T) {
	jobs := objects(t, clusterOf(t, "0 * * * *", "@daily"), KubernetesOptions{Shards: 2})["CronJob"]
	var got []string
	for _, job := range jobs {
		got = append(got, strings.Join([]string{job.Metadata.Name, job.claim(), job.shard(), job.Spec.Schedule, job.Spec.TimeZone}, " | "))
	}
	want := []string{
		"claudeops-1 | claudeops-1 | 1/2 | 0 * * * * | Etc/UTC", "claudeops-1-schedule2 | claudeops-1 | 1/2 | 0 0 * * * | Etc/UTC",
		"claudeops-2 | claudeops-2 | 2/2 | 0 * * * * | Etc/UTC", "claudeops-2-schedule2 | claudeops-2 | 2/2 | 0 0 * * * | Etc/UTC",
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestAnInventoryComesOutAsItWentIn(t *testing.T) {
	job := clusterOf(t, "0 * * * *")
	for _, text := range []string{
		exampleInventory, "", "services: []", "\n\n services: []\n", "a: |\n  b\n\n\n---\n# no document\n", "tab:\t1\r\n", "  indented\nless\n", "trailing \n\u00a0\u2028x\n",
		"{{.Name}}\n", "\"quotes\": 'and' \\ backslashes\n", strings.Repeat("x: \"0123456789\"\n", 10_000),
	} {
		if got := objects(t, job, KubernetesOptions{Inventory: []byte(text)})["ConfigMap"][1].Data["inventory.yaml"]; got != text {
			t.Errorf("got %.200q, want %.200q", got, text)
		}
	}
	rapid.Check(t, func(r *rapid.T) {
		text := rapid.StringOf(rapid.RuneFrom([]rune("ab: -\n\n\n \t#|>'\"{}[]%&*!\r\u0085é\u2028"))).Draw(r, "text")
		if got := objects(r, job, KubernetesOptions{Inventory: []byte(text)})["ConfigMap"][1].Data["inventory.yaml"]; got != text {
			r.Fatalf("got %q, want %q", got, text)
		}
	})
}

func TestWhatIsNoNameIsRefused(t *testing.T) {
	job := clusterOf(t, "0 * * * *")
	for flag, bad := range map[string][]string{
		"--name":          {"Claudeops", "-a", "a-", "a.b", "a_b", "a b", "a\nkind: Secret", `a"`, "{{.Image}}", strings.Repeat("a", 64), "é"},
		"--namespace":     {"Prod", "a/b", "prod\n  finalizers: [x]", "prod # x", strings.Repeat("a", 64)},
		"--image":         {"a b", "a\n", "a: b", "a\"\n      hostNetwork: true", "-a", "a:", "@x", "*a", "${IMAGE}", strings.Repeat("a", 513), "{{1}}"},
		"--storage-class": {"Fast", "a..b", ".a", "a\nb", strings.Repeat("a", 254)},
		"--storage-size":  {"4", "0Gi", "-1Gi", "+1Gi", "1.5Gi", "4G", "04Gi", "Gi", "4Gi\n", "4 Gi", "99999999999Gi"},
	} {
		for _, value := range bad {
			var o KubernetesOptions
			*map[string]*string{"--name": &o.Name, "--namespace": &o.Namespace, "--image": &o.Image, "--storage-class": &o.StorageClass, "--storage-size": &o.StorageSize}[flag] = value
			text, err := Kubernetes(job, o)
			if err == nil || text != nil || !strings.Contains(err.Error(), flag) || !strings.Contains(err.Error(), " like ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s %.60q: %v", flag, value, err)
			}
		}
	}
}

func TestWhatIsANameIsTaken(t *testing.T) {
	o := KubernetesOptions{
		Name: "a1", Namespace: "true", Image: "registry.example.org:5000/ops/claudeops:1.0.0-rc.1@sha256:0123456789abcdef", StorageClass: "123.fast-ssd", StorageSize: "1Ti",
	}
	got := objects(t, clusterOf(t, "0 * * * *"), o)
	for kind, list := range got {
		for _, object := range list {
			if object.Metadata.Namespace != "true" || object.Metadata.Labels["app.kubernetes.io/instance"] != "a1" {
				t.Errorf("%s %s: namespace %q, labels %v", kind, object.Metadata.Name, object.Metadata.Namespace, object.Metadata.Labels)
			}
		}
	}
	if job := got["CronJob"][0]; job.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Image != o.Image {
		t.Errorf("the image is %q", job.Spec.JobTemplate.Spec.Template.Spec.Containers[0].Image)
	}
}

func TestWhatAClusterCannotDoIsRefused(t *testing.T) {
	hourly := clusterOf(t, "0 * * * *")
	for what, c := range map[string]struct {
		job  Job
		o    KubernetesOptions
		want string
	}{
		"no schedule":           {Job{Longest: time.Hour}, KubernetesOptions{}, "a CronJob needs one"},
		"no deadline":           {Job{Schedule: hourly.Schedule}, KubernetesOptions{}, "needs a deadline"},
		"an interval":           {clusterOf(t, "@every 90s"), KubernetesOptions{}, `the schedule "@every 90s": `},
		"too many shards":       {hourly, KubernetesOptions{Shards: 1001}, "--shards 1001: must be from 1 to 1000"},
		"fewer shards than one": {hourly, KubernetesOptions{Shards: -1}, "--shards -1: must be from 1 to 1000"},
		"a long name":           {hourly, KubernetesOptions{Name: strings.Repeat("a", 53)}, "must be at most 52"},
		"a long name of shards": {hourly, KubernetesOptions{Name: strings.Repeat("a", 49), Shards: 1000}, "must be at most 52"},
		"a large inventory":     {hourly, KubernetesOptions{Inventory: make([]byte, MaxConfigMap+1)}, "name it in CLAUDEOPS_INVENTORY"},
		"no UTF-8":              {hourly, KubernetesOptions{Inventory: []byte("\xff")}, "UTF-8"},
	} {
		t.Run(what, func(t *testing.T) {
			if text, err := Kubernetes(c.job, c.o); err == nil || text != nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want an error with %q", err, c.want)
			}
		})
	}
}

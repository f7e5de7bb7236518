package crontab

import (
	"bytes"
	"cmp"
	_ "embed" // the template
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/flags"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/schedule"
)

//go:embed kubernetes.yaml.tmpl
var kubernetesText string

func init() { register(func() Target { return &kubernetesCluster{} }) }

// kubernetesCluster is a Kubernetes cluster, which the operator changes with kubectl.
type kubernetesCluster struct{ options KubernetesOptions }

func (*kubernetesCluster) Name() string { return "kubernetes" }

func (*kubernetesCluster) Doc() string { return "the objects of a namespace, for kubectl" }

func (c *kubernetesCluster) Flags(set *pflag.FlagSet) {
	o := &c.options
	flags.Var(set, &o.Shards, "shards", "", "kubernetes: divide the inventory among so many CronJobs, a `NUMBER`", func(text string) (int, error) {
		n, err := strconv.Atoi(text)
		if err != nil || n < 1 || n > config.MaxShards {
			return 0, fmt.Errorf("must be a whole number from 1 to %d", config.MaxShards)
		}
		return n, nil
	})
	set.StringVar(&o.Name, "name", "", "kubernetes: the `NAME` of the objects")
	set.StringVar(&o.Namespace, "namespace", "", "kubernetes: the `NAME` of their namespace; kubectl's own by default")
	set.StringVar(&o.Image, "image", "", "kubernetes: the container `IMAGE`")
	set.StringVar(&o.StorageClass, "storage-class", "", "kubernetes: the `NAME` of the volumes' storage class; the cluster's own by default")
	set.StringVar(&o.StorageSize, "storage-size", "", "kubernetes: the `SIZE` of each volume, such as 2Gi")
}

func (*kubernetesCluster) Instead(command string) string {
	if command == "install" {
		return "claudeops changes no cluster: `claudeops crontab print --target kubernetes | kubectl apply --server-side -f -` installs it"
	}
	return "claudeops changes no cluster: `claudeops crontab print --target kubernetes | kubectl delete -f -` removes it, and the volumes with all records"
}

func (*kubernetesCluster) RunsProgram() bool { return false } // it runs an image

// Render takes the operator's inventory, if there is one.
func (c *kubernetesCluster) Render(j Job) ([]File, error) {
	if path := j.Config.Inventory; path != "" {
		_, err := inventory.Read(path)
		if err == nil {
			c.options.Inventory, err = statedir.ReadFile(path, MaxConfigMap)
		}
		if err != nil {
			return nil, fmt.Errorf("CLAUDEOPS_INVENTORY: %w", err)
		}
	}
	text, err := Kubernetes(j, c.options)
	if err != nil {
		return nil, err
	}
	return []File{{Path: "claudeops.yaml", Mode: 0o644, Text: string(text)}}, nil
}

func (c *kubernetesCluster) Warnings(j Job) (warnings []string) {
	zone := SystemZone()
	for _, e := range j.Schedule {
		if e.Zone() != "" || e.Every() != 0 || zone == "" {
			continue
		}
		here, cluster, runs := j.Now, j.Now, 100
		for ; runs > 0 && here.Equal(cluster); runs-- {
			here, cluster = inZone(e, zone).Next(here), inZone(e, "Etc/UTC").Next(cluster)
		}
		if !here.Equal(cluster) {
			warnings = append(warnings, fmt.Sprintf("%q: Kubernetes takes this for UTC, the next run is at %s; for the clock of this machine write %q",
				e, inZone(e, "Etc/UTC").Next(j.Now.UTC()).Format(shownTime), "CRON_TZ="+zone+" "+e.String()))
		}
	}
	if c.options.Image == "" {
		warnings = append(warnings, "the image is claudeops:latest, which a cluster finds only where it was put by hand: name the one that you have pushed with --image")
	}
	return warnings
}

// KubernetesOptions are the cluster's options. The zero value renders deploy/kubernetes/base.
type KubernetesOptions struct {
	Name         string // of all objects, and what names of shards begin with; empty for claudeops
	Namespace    string // empty for that of the kubectl which applies it
	Image        string // empty for claudeops:latest
	StorageClass string // of the volumes; empty for the cluster's default
	StorageSize  string // of each volume, such as 500Mi or 2Gi; empty for 4Gi
	Shards       int    // 1 to config.MaxShards: the number of CronJobs, each with its own volume; 0 means one without shards
	Inventory    []byte // the services file, at most MaxConfigMap; nil for an example
}

// MaxConfigMap limits an inventory in a ConfigMap, in bytes: the API server accepts 1 MiB for the whole object.
const MaxConfigMap = 1<<20 - 4<<10

// exampleInventory is the inventory of a cluster without its own: a check that works in every cluster.
const exampleInventory = `services:
  - name: kubernetes
    checks:
      - {type: service, address: "kubernetes.default.svc:443"}
`

// What the pod runs as, and how long it may take beyond a cycle: to find a node, attach its volume and pull the image.
const (
	podUser  = 10001
	podStart = 10 * time.Minute
)

// maxCronJobName limits a CronJob's name: names of its Jobs have 11 more characters.
const maxCronJobName = 52

// cluster is the input of the template.
type cluster struct {
	KubernetesOptions
	At       place // without a shard
	Deadline int64 // in seconds
	User     int
	Parts    []part // a shard each, or the one for everything
}

// place is what all objects of one shard have in common.
type place struct{ Instance, Namespace, Shard string }

type part struct {
	At   place
	Name string
	Jobs []clusterJob
}

type clusterJob struct {
	At                                  place
	Name, Claim, Of, Schedule, TimeZone string
}

// Kubernetes renders the job as a cluster's objects, one YAML document each: account, rights, settings, inventory, network policy, and a
// volume and a CronJob for each shard. If the job has several schedules, each has a CronJob on the same volume. Only Schedule and Longest
// of j are used; the image determines the rest.
func Kubernetes(j Job, o KubernetesOptions) ([]byte, error) {
	o.Name, o.Image, o.StorageSize = cmp.Or(o.Name, "claudeops"), cmp.Or(o.Image, "claudeops:latest"), cmp.Or(o.StorageSize, "4Gi")
	if o.Inventory == nil {
		o.Inventory = []byte(exampleInventory)
	}
	if err := o.check(); err != nil {
		return nil, err
	}
	if j.Longest <= 0 {
		return nil, errors.New("how long a cycle may take is not known, and a CronJob needs a deadline")
	}
	c := cluster{KubernetesOptions: o, At: place{Instance: o.Name, Namespace: o.Namespace}, Deadline: int64((j.Longest + podStart) / time.Second), User: podUser}
	for i := range max(o.Shards, 1) {
		s := part{At: c.At, Name: o.Name}
		if o.Shards > 0 {
			s.At.Shard, s.Name = strconv.Itoa(i+1), fmt.Sprintf("%s-%d", o.Name, i+1)
		}
		if err := s.schedule(j, o.Shards); err != nil {
			return nil, err
		}
		c.Parts = append(c.Parts, s)
	}
	// All quoted values were checked: they have no character that YAML and Go quote differently.
	t, err := template.New("kubernetes").Option("missingkey=error").Funcs(template.FuncMap{"quoted": strconv.Quote, "entry": yamlBlock}).Parse(kubernetesText)
	if err != nil {
		return nil, fmt.Errorf("the template of the manifests: %w", err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, c); err != nil {
		return nil, fmt.Errorf("render the manifests: %w", err)
	}
	return text.Bytes(), nil
}

// schedule gives a shard of as many its CronJobs.
func (s *part) schedule(j Job, shards int) error {
	if len(j.Schedule) == 0 {
		return errors.New("no schedule: a CronJob needs one")
	}
	for n, e := range j.Schedule {
		fields, zone, err := KubernetesSchedule(e)
		if err != nil {
			return fmt.Errorf("the schedule %q: %w", e.String(), err)
		}
		job := clusterJob{At: s.At, Name: s.Name, Claim: s.Name, Schedule: fields, TimeZone: zone}
		if n > 0 {
			job.Name += "-schedule" + strconv.Itoa(n+1)
		}
		if len(job.Name) > maxCronJobName {
			return fmt.Errorf("--name: the CronJob %s would have %d characters; must be at most %d", job.Name, len(job.Name), maxCronJobName)
		}
		if shards > 0 {
			job.Of = s.At.Shard + "/" + strconv.Itoa(shards)
		}
		s.Jobs = append(s.Jobs, job)
	}
	return nil
}

// check says what is wrong by the names of the command's flags.
func (o KubernetesOptions) check() error {
	const label, end = `[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?`, "lower-case letters, digits and dashes within, at most 63, like "
	for _, f := range []struct{ flag, value, pattern, expected string }{ // names as RFC 1123 has them, and images as loosely as registries do
		{"name", o.Name, label, "a name of an object; must be " + end + "claudeops"},
		{"namespace", o.Namespace, label, "a name of a namespace; must be " + end + "monitoring"},
		{"image", o.Image, `[a-zA-Z0-9]([a-zA-Z0-9._/:@-]*[a-zA-Z0-9])?`, "the name of an image; must be like registry.example.org/claudeops:1.0.0"},
		{"storage-class", o.StorageClass, label + `(\.` + label + `)*`, "a name of a storage class; must be lower-case letters, digits, dots and dashes within, like fast-ssd"},
		{"storage-size", o.StorageSize, `[1-9][0-9]{0,8}(Mi|Gi|Ti)`, "a size; must be a whole number with Mi, Gi or Ti, like 4Gi"},
	} {
		longest := map[string]int{"image": 512, "storage-class": 253}[f.flag]
		if f.value != "" && (!regexp.MustCompile("^"+f.pattern+"$").MatchString(f.value) || longest > 0 && len(f.value) > longest) {
			return fmt.Errorf("--%s %q: not %s", f.flag, f.value, f.expected)
		}
	}
	switch {
	case o.Shards < 0 || o.Shards > config.MaxShards:
		return fmt.Errorf("--shards %d: must be from 1 to %d", o.Shards, config.MaxShards)
	case len(o.Inventory) > MaxConfigMap:
		return fmt.Errorf("the inventory has %d bytes and a ConfigMap takes %d: leave it out here, mount the file from a volume, and name it in CLAUDEOPS_INVENTORY",
			len(o.Inventory), MaxConfigMap)
	}
	return nil
}

// yamlBlock is an entry of a mapping, indented by so many blanks. Its value is written as it is, in lines of its own, where YAML reads
// it back unchanged, and between double quotes otherwise.
func yamlBlock(indent int, key, text string) (string, error) {
	var err error
	for _, style := range []yaml.Style{yaml.LiteralStyle, yaml.DoubleQuotedStyle} {
		var out []byte
		if out, err = yaml.Marshal(&yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{
			{Kind: yaml.ScalarNode, Value: key}, {Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: style},
		}}); err != nil {
			return "", err
		}
		block := regexp.MustCompile(`(?m)^(.)`).ReplaceAllString(strings.TrimSuffix(string(out), "\n"), strings.Repeat(" ", indent)+"$1")
		var read map[string]map[string]string
		if err = yaml.Unmarshal([]byte("data:\n"+block+"\nnext: {}\n"), &read); err == nil && read["data"][key] == text {
			return block, nil
		}
	}
	return "", fmt.Errorf("%s cannot be written as YAML: %w", key, err)
}

// KubernetesSchedule returns a CronJob's schedule and timeZone: five fields, and Etc/UTC if the expression names no zone, because the
// default is the zone of the cluster's controller. @every is rejected: Kubernetes would count it from the creation of the CronJob, which
// no manifest contains.
func KubernetesSchedule(e schedule.Expression) (fields, timeZone string, err error) {
	if e.Every() != 0 {
		return "", "", errors.New("Kubernetes would count @every from when it made the CronJob, and count differently with each new one; " + byTheClock)
	}
	timeZone = e.Zone()
	if timeZone == "" {
		timeZone = "Etc/UTC"
	}
	return strings.Join(e.Plain(), " "), timeZone, nil
}

package crontab

import (
	"bytes"
	_ "embed" // the template
	"errors"
	"fmt"
	"strconv"
	"strings"
	"text/template"
	"time"

	"go.yaml.in/yaml/v3"

	"github.com/claudeops/claudeops/config"
)

//go:embed kubernetes.yaml.tmpl
var kubernetesText string

// KubernetesOptions are what a cluster needs to know beside the job. The zero value renders deploy/kubernetes/base.
type KubernetesOptions struct {
	Name         string // of all objects, and what names of shards begin with; empty for claudeops
	Namespace    string // empty for that of the kubectl which applies it
	Image        string // empty for claudeops:latest
	StorageClass string // of the volumes; empty for the cluster's default
	StorageSize  string // of each volume, such as 500Mi or 2Gi; empty for 4Gi
	Shards       int    // 1 to config.MaxShards: as many CronJobs, each with a volume of its own; 0 is one for everything
	Inventory    []byte // the services file, at most MaxConfigMap; nil for an example
}

// MaxConfigMap is how large an inventory in a ConfigMap may be, in bytes: the API server takes 1 MiB of the whole object.
const MaxConfigMap = 1<<20 - 4<<10

// exampleInventory is what a cluster without an inventory of its own is given: a check that every cluster can make.
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

// maxCronJobName is how long a CronJob's name may be: its Jobs' names have 11 characters more.
const maxCronJobName = 52

// cluster is what the template renders.
type cluster struct {
	At                                  place // without a shard
	Name, Namespace, Image              string
	StorageClass, StorageSize, Deadline string
	User                                int
	Inventory                           string
	Sharded                             bool
	Shards                              []clusterShard
}

// place is what all objects of one shard have in common.
type place struct{ Instance, Namespace, Shard string }

type clusterShard struct {
	At   place
	Name string
	Jobs []clusterJob
}

type clusterJob struct {
	At                                     place
	Name, Claim, Shard, Schedule, TimeZone string
}

// Kubernetes renders the job as the objects of a cluster, a YAML document each: account, rights, settings, inventory, network policy, and a
// volume and a CronJob for each shard. Where the job has several schedules, each has a CronJob on the same volume. Of j only Schedule
// and Longest play a part: everything else is the image's.
func Kubernetes(j Job, o KubernetesOptions) ([]byte, error) {
	o = o.orDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	if j.Longest <= 0 {
		return nil, errors.New("how long a cycle may take is not known, and a CronJob needs a deadline")
	}
	c := cluster{
		At: place{Instance: o.Name, Namespace: o.Namespace}, Name: o.Name, Namespace: o.Namespace, Image: o.Image,
		StorageClass: o.StorageClass, StorageSize: o.StorageSize, Deadline: strconv.FormatInt(int64((j.Longest+podStart)/time.Second), 10),
		User: podUser, Inventory: string(o.Inventory), Sharded: o.Shards > 0,
	}
	for i := range max(o.Shards, 1) {
		s := clusterShard{At: c.At, Name: o.Name}
		if o.Shards > 0 {
			s.At.Shard, s.Name = strconv.Itoa(i+1), fmt.Sprintf("%s-%d", o.Name, i+1)
		}
		if err := s.schedule(j, o.Shards); err != nil {
			return nil, err
		}
		c.Shards = append(c.Shards, s)
	}
	return c.render()
}

// schedule gives a shard of as many its CronJobs.
func (s *clusterShard) schedule(j Job, shards int) error {
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
			job.Shard = s.At.Shard + "/" + strconv.Itoa(shards)
		}
		s.Jobs = append(s.Jobs, job)
	}
	return nil
}

func (o KubernetesOptions) orDefaults() KubernetesOptions {
	for _, d := range []struct {
		value *string
		def   string
	}{{&o.Name, "claudeops"}, {&o.Image, "claudeops:latest"}, {&o.StorageSize, "4Gi"}} {
		if *d.value == "" {
			*d.value = d.def
		}
	}
	if o.Inventory == nil {
		o.Inventory = []byte(exampleInventory)
	}
	return o
}

// check says what is wrong by the names of the command's flags.
func (o KubernetesOptions) check() error {
	switch {
	case !dnsLabel(o.Name):
		return fmt.Errorf("--name %q: not a name of an object; must be lower-case letters, digits and dashes within, at most 63, like claudeops", o.Name)
	case o.Namespace != "" && !dnsLabel(o.Namespace):
		return fmt.Errorf("--namespace %q: not a name of a namespace; must be lower-case letters, digits and dashes within, at most 63, like monitoring", o.Namespace)
	case !imageName(o.Image):
		return fmt.Errorf("--image %q: not the name of an image; must be like registry.example.org/claudeops:1.0.0", o.Image)
	case o.StorageClass != "" && !dnsName(o.StorageClass):
		return fmt.Errorf("--storage-class %q: not a name of a storage class; must be lower-case letters, digits, dots and dashes within, like fast-ssd", o.StorageClass)
	case !quantity(o.StorageSize):
		return fmt.Errorf("--storage-size %q: not a size; must be a whole number with Mi, Gi or Ti, like 4Gi", o.StorageSize)
	case o.Shards < 0 || o.Shards > config.MaxShards:
		return fmt.Errorf("--shards %d: must be from 1 to %d", o.Shards, config.MaxShards)
	case len(o.Inventory) > MaxConfigMap:
		return fmt.Errorf("the inventory has %d bytes and a ConfigMap takes %d: leave it out here, mount the file from a volume, and name it in CLAUDEOPS_INVENTORY",
			len(o.Inventory), MaxConfigMap)
	}
	return nil
}

// dnsLabel is RFC 1123's.
func dnsLabel(name string) bool {
	return len(name) <= 63 && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-") == "" && !strings.HasPrefix(name, "-") && !strings.HasSuffix(name, "-") && name != ""
}

// dnsName is RFC 1123's subdomain: labels with dots between.
func dnsName(name string) bool {
	for label := range strings.SplitSeq(name, ".") {
		if !dnsLabel(label) {
			return false
		}
	}
	return len(name) <= 253
}

// imageName is as loose as registries are, and holds nothing that is not a name's.
func imageName(name string) bool {
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	return name != "" && len(name) <= 512 && strings.Trim(name, letters+"._-/:@") == "" && strings.ContainsAny(name[:1], letters) && strings.ContainsAny(name[len(name)-1:], letters)
}

func quantity(size string) bool {
	number, ok := "", false
	for _, unit := range []string{"Mi", "Gi", "Ti"} {
		if n, has := strings.CutSuffix(size, unit); has {
			number, ok = n, true
		}
	}
	n, err := strconv.ParseUint(number, 10, 32)
	return ok && err == nil && n > 0 && number[0] != '0' && number[0] != '+'
}

func (c cluster) render() ([]byte, error) {
	t, err := template.New("kubernetes").Option("missingkey=error").Funcs(template.FuncMap{"quoted": yamlText, "entry": yamlBlock, "labels": place.labels}).Parse(kubernetesText)
	if err != nil {
		return nil, fmt.Errorf("the template of the manifests: %w", err)
	}
	var text bytes.Buffer
	if err := t.Execute(&text, c); err != nil {
		return nil, fmt.Errorf("render the manifests: %w", err)
	}
	return text.Bytes(), nil
}

// labels are what all objects of an instance have in common, and all of a shard, by what they are called.
func (p place) labels(indent int) (string, error) {
	text := ""
	for _, l := range [][2]string{{"app.kubernetes.io/name", "claudeops"}, {"app.kubernetes.io/instance", p.Instance}, {"claudeops/shard", p.Shard}} {
		if l[1] == "" {
			continue
		}
		value, err := yamlText(l[1])
		if err != nil {
			return "", err
		}
		text += "\n" + strings.Repeat(" ", indent) + l[0] + ": " + value
	}
	return text, nil
}

// yamlText is a text as YAML writes it between double quotes, on one line, whatever is in it.
func yamlText(text string) (string, error) {
	out, err := yaml.Marshal(&yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text, Style: yaml.DoubleQuotedStyle})
	return strings.TrimSuffix(string(out), "\n"), err
}

// yamlBlock is an entry of a mapping, indented by so many blanks. Its value stands there as it is, in lines of its own, where YAML reads
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
		block := indented(indent, strings.TrimSuffix(string(out), "\n"))
		var read map[string]map[string]string
		if err = yaml.Unmarshal([]byte("data:\n"+block+"\nnext: {}\n"), &read); err == nil && read["data"][key] == text {
			return block, nil
		}
	}
	return "", fmt.Errorf("%s cannot be written as YAML: %w", key, err)
}

func indented(indent int, text string) string {
	var block strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			block.WriteString(strings.Repeat(" ", indent))
		}
		block.WriteString(line)
	}
	return block.String()
}

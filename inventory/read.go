package inventory

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/strict"
	"github.com/claudeops/claudeops/probe"
	"github.com/claudeops/claudeops/schedule"
)

// MaxBytes limits a services file, in bytes; enough for ten thousand services with several checks each.
const MaxBytes = 8 << 20

// SchemaURL is the URL of the JSON schema of services files, for editors.
const SchemaURL = "https://raw.githubusercontent.com/claudeops/claudeops/main/inventory/schema.json"

// Read reads the services file at path: a regular file of at most MaxBytes, or a link to one, as Kubernetes mounts them. If its content
// is invalid, the error is a *strict.InvalidError; if it cannot be read, it is the system's.
func Read(path string) (*Inventory, error) {
	data, err := readFile(path)
	if err != nil {
		return nil, fmt.Errorf("read inventory: %w", err)
	}
	inv, err := Parse(data)
	if err != nil {
		return nil, fmt.Errorf("inventory %s: %w", path, err)
	}
	return inv, nil
}

// readFile reads up to one byte more than MaxBytes, so that Parse notices a file that is too large. It never waits for a pipe.
func readFile(path string) (data []byte, err error) {
	file, err := os.OpenFile(path, os.O_RDONLY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, file.Close()) }()
	stat, err := file.Stat()
	if err != nil {
		return nil, err
	}
	if !stat.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file; name the services file", path)
	}
	content := bytes.NewBuffer(make([]byte, 0, min(stat.Size(), MaxBytes)+bytes.MinRead))
	_, err = content.ReadFrom(io.LimitReader(file, MaxBytes+1))
	return content.Bytes(), err
}

// Parse parses a services file. If it is invalid, the error is a *strict.InvalidError: faults roughly in the file's order, which start with
// line and column if they have a single position.
func Parse(data []byte) (*Inventory, error) {
	var faults strict.Faults
	if document, ok := strict.YAML(data, MaxBytes, &faults); ok {
		b := newBuilder(&faults)
		b.document(&document)
		if faults.List() == nil {
			return b.inv, nil
		}
	}
	return nil, faults.Err("not a valid services file")
}

// builder builds an inventory from a document.
type builder struct {
	*strict.Reader
	inv       *Inventory
	wanted    [][]strict.Node                 // by service, the entries of its depends_on
	ruled     [][]strict.Node                 // by rule, the entries of its services
	schedules map[string]*schedule.Expression // cache: parsing reads the time zone from a file each time
}

func newBuilder(faults *strict.Faults) *builder {
	b := &builder{Reader: &strict.Reader{Faults: faults, Owners: owners()}, schedules: map[string]*schedule.Expression{}}
	b.inv = &Inventory{names: map[string]claim{}, hosts: map[string]struct{}{}}
	b.Reaches = func(host string) { b.inv.hosts[host] = struct{}{} }
	return b
}

// owners returns a function that names the mappings that have a key, for people.
func owners() func(key string) []string {
	type owner struct {
		what string
		keys []string
	}
	b := &builder{}
	all := []owner{
		{"a service", strict.Names(b.serviceFields(&Service{}, 0))}, {"a maintenance window", strict.Names(b.windowFields(&Window{}))},
		{"a rule of notify", strict.Names(b.ruleFields(&Rule{}, nil))},
		{"restart, redeploy and actions", strict.Names(b.wayFields(&Way{}))}, {"first_aid", strict.Names(firstAidFields(&FirstAid{}))},
		{"query", strict.Names(queryFields(&Query{}))}, {"remediate", strict.Names(b.remediateFields(&Service{}))},
	}
	common := strict.Names(probe.CommonFields(&probe.Check{}))
	return func(key string) (whats []string) {
		for _, o := range all {
			if slices.Contains(o.keys, key) {
				whats = append(whats, o.what)
			}
		}
		if slices.Contains(common, key) {
			return append(whats, "a check")
		}
		for _, t := range probe.Types() {
			if slices.Contains(strict.Names(t.Options().Fields()), key) {
				whats = append(whats, t.What)
			}
		}
		return whats
	}
}

// maxFailAfter is an hour with a cycle every minute.
const maxFailAfter = 60

// extension starts top-level keys that are for the operator's anchors.
const extension = "x-"

// document reads the whole file.
func (b *builder) document(n *strict.Node) {
	if b.Mapping(n, "", "`services:`, a list of services") {
		fields := b.documentFields()
		for i := 0; i+1 < len(n.Content); i += 2 {
			if key := n.Content[i].Value; strings.HasPrefix(key, extension) {
				fields = append(fields, strict.Field{Name: key, Takes: strict.Takes{Read: func(*strict.Reader, string, *strict.Node) {}}})
			}
		}
		b.Fill(n, "the services file", ", or begin with "+extension+" if it is for anchors only", fields)
	}
	b.dependencies()
	b.ruledServices()
	slices.Sort(b.inv.sshHosts)
	b.inv.sshHosts = slices.Compact(b.inv.sshHosts)
}

func (b *builder) documentFields() []strict.Field {
	return []strict.Field{
		{Name: "services", Required: "a list of services, each with a name", Doc: "the services", Takes: strict.Takes{
			Schema: `"type":["array","null"],"items":{"$ref":"#/$defs/service"}`, Read: b.services}},
		{Name: "notify", Doc: "a list of rules: which targets get which notifications; without any, every target gets everything", Takes: strict.Takes{
			Schema: `"type":"array","items":{"$ref":"#/$defs/rule"}`, Read: b.rules}},
		{Name: "digest", Doc: "the time of day of the daily digest, such as `\"08:00 Europe/Berlin\"`", Takes: strict.Takes{
			Schema: `"type":"string","pattern":` + strconv.Quote(timeForm.String()), Read: b.digestTime}},
	}
}

func (b *builder) services(_ *strict.Reader, name string, n *strict.Node) {
	if n.Kind == strict.Null { // all services are commented out
		return
	}
	services := b.List(n, name, "a list of services, each with a name")
	for i := range services {
		s := Service{Settle: DefaultSettle, FailAfter: 1}
		b.wanted = append(b.wanted, nil)
		if b.Mapping(&services[i], name, "a service: `name:`, and what belongs to it") {
			b.Fill(&services[i], "a service", "", b.keysOf(&s, &services[i]))
			b.finishChecks(&s, &services[i])
			b.finishVerbs(&s, &services[i])
		}
		b.inv.Services = append(b.inv.Services, s)
	}
}

// keysOf returns the keys of the service that is read, and for one with a remedy, which was a key once, what to write in its place.
func (b *builder) keysOf(s *Service, n *strict.Node) []strict.Field {
	fields := b.serviceFields(s, len(b.inv.Services))
	if n.Member("remedy") != nil {
		fields = append(fields, strict.Field{Name: "remedy", Takes: strict.Takes{Read: func(_ *strict.Reader, _ string, n *strict.Node) { b.Fault(n, "", instead(n)) }}})
	}
	return fields
}

// serviceFields returns the keys of the service with that index.
func (b *builder) serviceFields(s *Service, index int) []strict.Field {
	const names = `"type":"array","items":{"$ref":"#/$defs/name"}`
	return slices.Concat([]strict.Field{
		{Name: "name", Required: "the name of the service", Doc: "at most 200 bytes, no control characters, no white space at its ends",
			Takes: strict.Takes{Schema: `"$ref":"#/$defs/name"`, Read: func(_ *strict.Reader, name string, n *strict.Node) { s.Name = b.name(n, name, index) }}},
		{Name: "aliases", Default: "none", Doc: "a list of other names that mean it: containers, units, compose services, playbooks, releases",
			Takes: strict.Takes{Schema: names, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				aliases := b.List(n, name, "a list of names")
				s.Aliases = make([]string, len(aliases))
				for i := range aliases {
					s.Aliases[i] = b.name(&aliases[i], name, index)
				}
			}}},
		{Name: "ssh", Default: "none", Doc: "`HOST` or `USER@HOST`, where its machine is reached by ssh. Port and keys belong into ssh's own configuration",
			Takes: strict.Judged(&s.SSH, `"pattern":"`+probe.SSHPattern+`"`, func(target string) string {
				host, fault := probe.SSHHost(target)
				if fault == "" {
					b.inv.sshHosts = append(b.inv.sshHosts, host)
				}
				return fault
			})},
		{Name: "owner", Default: "none", Doc: "whom to ask about it, on one line of at most 500 bytes", Takes: strict.Line(&s.Owner)},
		{Name: "depends_on", Default: "none", Doc: "a list of services without which it does not work",
			Takes: strict.Takes{Schema: names + `,"uniqueItems":true`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				b.wanted[index] = b.List(n, name, "a list of names of services")
			}}},
		{Name: "maintenance", Default: "none", Doc: "a list of [windows](#maintenance)", Takes: strict.Takes{
			Schema: `"type":"array","items":{"anyOf":[{"$ref":"#/$defs/once"},{"$ref":"#/$defs/recurring"}]}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				windows := b.List(n, name, "a list of windows, each with from and to, or with schedule and for")
				s.Maintenance = make([]Window, len(windows))
				for i := range windows {
					s.Maintenance[i] = b.readWindow(&windows[i])
				}
			}}},
		{Name: "settle", Doc: "what it needs after a restart until its checks mean something; from `0s` to `1h`", Takes: strict.Duration(&s.Settle, 0, time.Hour)},
		{Name: "fail_after", Doc: "in how many cycles it must fail before [people are told and a tier is started](#one-failure-is-none), 1 to 60",
			Takes: strict.Whole(&s.FailAfter, 1, maxFailAfter)},
		{Name: "approval", Default: "`CLAUDEOPS_APPROVAL`", Doc: "what a person must [permit](approval.md) first: `none`, `tier3` (what Tier 3 wants to restart or redeploy) or `remediation` (what any tier wants to)",
			Takes: strict.Matching(&s.Approval, approvalWord, "; must be none, tier3 or remediation")},
	}, b.verbFields(s), []strict.Field{
		{Name: "remediate", Default: "always", Doc: "`{hours: …}`: [when it may be restarted or redeployed](#hours), by anything but a person", Takes: strict.Takes{
			Schema: `"$ref":"#/$defs/remediate"`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				if b.Mapping(n, name, "hours") {
					b.Fill(n, "remediate", "", b.remediateFields(s))
				}
			}}},
		{Name: "checks", Default: "none", Doc: "a list of [checks](#checks)", Takes: strict.Takes{
			Schema: `"type":"array","items":{"$ref":"#/$defs/check"}`, Read: func(_ *strict.Reader, name string, n *strict.Node) {
				checks := b.List(n, name, "a list of checks, each with a type")
				s.Checks = make([]probe.Check, len(checks))
				for i := range checks {
					s.Checks[i] = probe.ReadCheck(b.Reader, &checks[i])
				}
			}}},
	})
}

// finishChecks passes the service's name to its checks, and makes the containers and units that they check aliases of the service.
func (b *builder) finishChecks(s *Service, n *strict.Node) {
	checks := n.Member("checks")
	if checks == nil || len(checks.Content) != len(s.Checks) { // the key is given twice
		return
	}
	for i := range s.Checks {
		k := &s.Checks[i]
		if k.Options == nil {
			continue
		}
		k.Options.Finish(b.Reader, &checks.Content[i], s.Name)
		about := k.About()
		value := checks.Content[i].Member(about.NamesKey)
		if value == nil {
			continue
		}
		for _, name := range about.Names {
			b.addAlias(s, value, about.NamesKey, name, len(b.inv.Services))
		}
	}
}

// addAlias makes the name of what is checked or restarted an alias of the service with that index.
func (b *builder) addAlias(s *Service, n *strict.Node, of, name string, index int) {
	had := key(s.Name) == key(name) || slices.ContainsFunc(s.Aliases, func(alias string) bool { return key(alias) == key(name) })
	if b.claim(n, of, name, index) && !had {
		s.Aliases = append(s.Aliases, name)
	}
}

// name reads a name or an alias and registers it for the service with that index.
func (b *builder) name(n *strict.Node, name string, index int) string {
	called, ok := b.Text(n, name)
	if !ok {
		return ""
	}
	if fault := check.ServiceNameFault(called); fault != "" {
		b.Fault(n, name, fault)
		return ""
	}
	if !b.claim(n, name, called, index) {
		return ""
	}
	return called
}

// claim registers a name for the service with that index; it reports a fault if it cannot.
func (b *builder) claim(n *strict.Node, name, called string, index int) bool {
	k := key(called)
	if k == "" {
		b.Fault(n, name, strconv.Quote(called)+" consists only of parts that are removed from names; must be a name")
		return false
	}
	if had, taken := b.inv.names[k]; taken && had.service != index {
		b.Fault(n, name, fmt.Sprintf("%q means another service already, by line %d (a leading / and .service do not distinguish names); "+
			"must be a name or alias of one service only", called, had.line))
		return false
	}
	b.inv.names[k] = claim{service: index, line: int(n.Line)}
	return true
}

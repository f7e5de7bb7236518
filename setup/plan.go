package setup

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe/discover"
)

// DefaultSchedule is when cycles run where nobody has said it: a cycle of checks costs nothing. ModelSchedule is the same where a model may be
// Tier 1, which is paid for.
const (
	DefaultSchedule = "* * * * *"
	ModelSchedule   = "0 * * * *"
)

// Wish is what an operator asks for. The zero value is what is safe: checks alone, no agent.
type Wish struct {
	Notify    []string // Apprise URLs, beside those that are set
	Schedule  string   // as CLAUDEOPS_SCHEDULE; empty for the one that is set, or DefaultSchedule
	Remediate bool     // tiers 2 and 3 may be started
	Leave     []string // services found that are not to be watched; nil for those that were offered before and are not
}

// Plan is what is to be done.
type Plan struct {
	*Machine
	Files    []File             // that are to be written
	Added    []discover.Service // to the services file
	Watched  int                // services, with those that were there
	LeftOut  []string           // what was found and is not watched, and what could not be asked
	offered  []string           // names of what was found
	Settings []config.Setting   // that the file of variables gets
	EnvText  []byte             // what is in it then
}

// File is one that is to be written.
type File struct {
	Path string
	Text []byte
	Mode fs.FileMode
	User bool   // it is the user's, rather than of whoever calls
	Had  []byte // nil where it is new
}

// Decide is what is to be done with what was found. now says how far apart runs are.
func Decide(m *Machine, w Wish, found discover.Found, now time.Time) (*Plan, error) {
	p := &Plan{Machine: m}
	settings, schedule, err := m.settings(w)
	if err != nil {
		return nil, err
	}
	env := m.Env
	if env == nil {
		env = []byte("# Variables of claudeops for every command that runs here, and for the cycles. The environment wins over this file.\n# `claudeops env` prints them all, with the values in force and what they mean.\n")
	}
	if env, err = config.EditFile(env, settings); err != nil {
		return nil, fmt.Errorf("%s: %w", m.EnvFile, err)
	}
	for _, s := range settings {
		if m.Variables[s.Name] != s.Value && (s.Override || !m.Has(s.Name)) {
			p.Settings = append(p.Settings, s)
		}
	}
	services, err := p.services(w, found, schedule, now)
	if err != nil {
		return nil, err
	}
	p.EnvText = env
	p.write(File{Path: m.EnvFile, Text: env, Mode: 0o600, User: m.envOwner, Had: m.Env})
	p.write(File{Path: m.Services, Text: services, Mode: 0o644, Had: m.Inventory})
	return p, p.record("")
}

// Schedules has the record say that what runs the cycles was put in place by init, which takes it away.
func (p *Plan) Schedules() error { return p.record(p.Target) }

// settings are what the file of variables is to have, and the schedule among them.
func (m *Machine) settings(w Wish) (settings []config.Setting, schedule config.Schedule, err error) {
	times := w.Schedule
	if times == "" {
		times = strings.TrimSpace(m.Variables["CLAUDEOPS_SCHEDULE"])
		agent := m.Variables["CLAUDEOPS_TIER1_AGENT"]
		switch {
		case times != "":
		case agent == "" || agent == string(config.Probe):
			times = DefaultSchedule
		default:
			times = ModelSchedule
		}
	}
	if err := schedule.Decode(times); err != nil {
		return nil, nil, fmt.Errorf("the schedule %w", err)
	}
	tier := "1"
	if w.Remediate {
		tier = "3"
	}
	settings = []config.Setting{
		{Name: "CLAUDEOPS_STATE_DIR", Value: m.StateDir}, {Name: "CLAUDEOPS_RESULTS_DIR", Value: m.ResultsDir}, {Name: "CLAUDEOPS_INVENTORY", Value: m.Services},
		{Name: "CLAUDEOPS_SCHEDULE", Value: times, Override: w.Schedule != ""},
		{Name: "CLAUDEOPS_TIER1_AGENT", Value: string(config.Probe)}, {Name: "CLAUDEOPS_MAX_TIER", Value: tier, Override: w.Remediate},
	}
	settings = append(settings, m.Reaches...)
	if len(w.Notify) > 0 {
		var urls config.URLs
		if err := urls.Decode(m.Variables["CLAUDEOPS_APPRISE_URLS"]); err != nil {
			return nil, nil, fmt.Errorf("%s: CLAUDEOPS_APPRISE_URLS: %w", m.EnvFile, err)
		}
		for _, url := range w.Notify {
			var given config.URLs
			if err := given.Decode(url); err != nil || len(given) == 0 {
				return nil, nil, fmt.Errorf("a URL to notify: %w", errors.Join(err, errors.New("write it like ntfy://ntfy.sh/topic")))
			}
			for _, one := range given {
				if !slices.Contains(urls, one) {
					urls = append(urls, one)
				}
			}
		}
		settings = append(settings, config.Setting{Name: "CLAUDEOPS_APPRISE_URLS", Value: strings.Join(urls, ","), Override: true})
	}
	return settings, schedule, nil
}

// services is the text of the services file.
func (p *Plan) services(w Wish, found discover.Found, schedule config.Schedule, now time.Time) (written []byte, err error) {
	p.LeftOut = slices.Concat(found.Missing, found.LeftOut)
	if !p.EngineReached {
		found.Services = p.withoutContainers(found.Services)
	}
	had := &inventory.Inventory{}
	if p.Inventory != nil {
		if had, err = inventory.Parse(p.Inventory); err != nil {
			return nil, fmt.Errorf("%s: %w; nothing was changed", p.Services, err)
		}
	}
	leave := p.leave(w, had, found)
	found.Services = slices.DeleteFunc(slices.Clone(found.Services), func(s discover.Service) bool { return slices.Contains(leave, s.Name) })
	for i := range found.Services {
		found.Services[i].FailAfter = failAfter(schedule, now)
		found.Services[i].DependsOn = slices.DeleteFunc(slices.Clone(found.Services[i].DependsOn), func(name string) bool { return slices.Contains(leave, name) })
	}
	if p.Inventory == nil {
		written, err = found.YAML()
	} else {
		written, _, err = found.Merge(p.Inventory)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w; nothing was changed", p.Services, err)
	}
	all, err := inventory.Parse(written)
	if err != nil {
		return nil, err
	}
	p.Watched = len(all.Services)
	for _, s := range found.NotIn(had) {
		if _, is := all.Get(s.Name); is {
			p.Added = append(p.Added, s)
		}
	}
	return written, nil
}

// leave are the names of services found that are not to be watched, and notes what was found.
func (p *Plan) leave(w Wish, had *inventory.Inventory, found discover.Found) (leave []string) {
	leave = w.Leave
	for _, s := range found.Services {
		_, watched := had.Get(s.Name)
		if before := slices.Contains(p.Made.Offered, s.Name); before && !watched && w.Leave == nil && p.Inventory != nil {
			leave = append(leave, s.Name)
			p.LeftOut = append(p.LeftOut, s.Name+": left out or taken out before; `claudeops probe discover --merge` adds it")
		}
		p.offered = append(p.offered, s.Name)
	}
	return leave
}

// failAfter is the fail_after of services beside a schedule: where runs are minutes apart, one failure may be a hiccup.
func failAfter(schedule config.Schedule, now time.Time) int {
	if crontab.TooOften(schedule, now) != "" {
		return 2
	}
	return 0
}

// withoutContainers are services without the checks that need the engine of containers, which the user does not reach.
func (p *Plan) withoutContainers(services []discover.Service) (kept []discover.Service) {
	var gone []string
	for _, s := range services {
		s.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(k discover.Check) bool { return k.Container != "" })
		if len(s.Checks) == 0 {
			gone = append(gone, s.Name)
			continue
		}
		kept = append(kept, s)
	}
	for i := range kept {
		kept[i].DependsOn = slices.DeleteFunc(slices.Clone(kept[i].DependsOn), func(name string) bool { return slices.Contains(gone, name) })
	}
	if len(gone) > 0 {
		p.LeftOut = append(p.LeftOut, fmt.Sprintf("%s: %s does not reach the engine of their containers, and no group of its socket is to be joined", text.Few(gone, 10), p.User))
	}
	return kept
}

// write adds a file to the plan, unless it is there already.
func (p *Plan) write(f File) {
	if !equal(f.Had, f.Text) {
		p.Files = append(p.Files, f)
	}
}

// record adds the record of what was made: files that are new, and those that an earlier run made and nobody has changed since.
func (p *Plan) record(target string) error {
	p.Files = slices.DeleteFunc(p.Files, func(f File) bool { return f.Path == p.Record })
	made := Made{Files: map[string]string{}, User: p.Made.User, Target: cmp.Or(target, p.Made.Target)}
	made.Offered = slices.Compact(slices.Sorted(slices.Values(slices.Concat(p.Made.Offered, p.offered))))
	for path, digest := range p.Made.Files {
		made.Files[path] = digest
	}
	for _, f := range p.Files {
		if f.Had == nil || p.unchanged(f.Path, f.Had) {
			made.Files[f.Path] = digestOf(f.Text)
		}
	}
	if p.Makes {
		made.User = p.User
	}
	record, err := json.Marshal(made, json.Deterministic(true), jsontext.WithIndent("  "))
	if err != nil {
		return err
	}
	var had []byte
	if p.Made.Files != nil {
		if had, err = json.Marshal(p.Made, json.Deterministic(true), jsontext.WithIndent("  ")); err != nil {
			return err
		}
		had = append(had, '\n')
	}
	if len(made.Files) > 0 || made.User != "" || made.Target != "" {
		p.write(File{Path: p.Record, Text: append(record, '\n'), Mode: 0o600, Had: had})
	}
	return nil
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

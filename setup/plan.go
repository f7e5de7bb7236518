package setup

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/discover"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
)

// DefaultSchedule is the schedule if none is set: cycles of checks cost nothing. ModelSchedule is the default if Tier 1 may be a model,
// which costs money.
const (
	DefaultSchedule = "* * * * *"
	ModelSchedule   = "0 * * * *"
)

// Wish is what an operator asks for. The zero value is safe: only checks, no agent.
type Wish struct {
	Notify    []string // Apprise URLs, in addition to configured ones
	Schedule  string   // as CLAUDEOPS_SCHEDULE; empty for the configured one, or DefaultSchedule
	Remediate bool     // tiers 2 and 3 may start
	// Unattended lets them remediate without a person's yes.
	Unattended bool
	Leave      []string // discovered services not to watch; nil for those offered before and not watched
}

// Plan is what init will do.
type Plan struct {
	*Machine
	Files    []File             // files to write
	Added    []discover.Service // new in the services file
	Watched  int                // number of services, including existing ones
	LeftOut  []string           // discovered but not watched, or not accessible
	offered  []string           // names of the discovered services
	Settings []config.Setting   // to write to the environment file
	EnvText  []byte             // the resulting content of that file
	config   config.Config      // the resulting configuration, set by Try
	schedule scheduled
}

// File is a file to write.
type File struct {
	Path string
	Text []byte
	Had  []byte  // nil if it is new
	For  readers // for a new file, or one whose mode and owner change
	Keep bool    // keep mode and owner
}

// readers is who may read a file.
type readers int

const (
	forCaller readers = iota
	forCycles
	forAll
)

// Decide returns the plan for the discovered services. now is used to compute the interval of runs.
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
	p.write(File{Path: m.EnvFile, Text: env, Had: m.Env, For: forCycles, Keep: m.Env != nil && p.Access() == ""})
	p.write(File{Path: m.Services, Text: services, Had: m.Inventory, For: forAll, Keep: m.Inventory != nil})
	return p, nil
}

// Access returns why mode and owner of the environment file must change; empty if they need not.
func (p *Plan) Access() string {
	switch {
	case p.Env == nil:
		return ""
	case p.unread:
		return p.User + " could not read it"
	case p.envMode.Perm()&0o007 != 0 && holdsSecret(p.EnvText):
		return fmt.Sprintf("everybody could read it and its secrets (mode %04o)", p.envMode.Perm())
	}
	return ""
}

// holdsSecret reports whether an environment file contains the value of a secret.
func holdsSecret(env []byte) bool {
	variables, _ := config.FileVariables(env) // Look has rejected an invalid file
	for name, value := range variables {
		if value != "" && (config.HasFileForm(name) || config.SecretName(name)) {
			return true
		}
	}
	return false
}

// Armed reports whether agents are already enabled here because the environment file does not disable them.
func (m *Machine) Armed() bool {
	return m.Runs && m.Credential != config.None && !(m.Has("CLAUDEOPS_MAX_TIER") && m.Has("CLAUDEOPS_TIER1_AGENT"))
}

// settings returns the new settings of the environment file, and the schedule among them.
func (m *Machine) settings(w Wish) (settings []config.Setting, schedule config.Schedule, err error) {
	times, installed := w.Schedule, ""
	if m.Installed != nil {
		installed = m.Installed.Schedule
	}
	if times = cmp.Or(times, installed, strings.TrimSpace(m.Variables["CLAUDEOPS_SCHEDULE"])); times == "" {
		agent := m.Variables["CLAUDEOPS_TIER1_AGENT"]
		if times = DefaultSchedule; agent == "" && m.Armed() || agent != "" && agent != string(config.Probe) {
			times = ModelSchedule
		}
	}
	if err := schedule.Decode(times); err != nil {
		return nil, nil, fmt.Errorf("the schedule %w", err)
	}
	if w.Unattended && !w.Remediate {
		return nil, nil, errors.New("--unattended goes with --remediate: alone it permits nothing")
	}
	settings = []config.Setting{
		{Name: "CLAUDEOPS_STATE_DIR", Value: m.StateDir}, {Name: "CLAUDEOPS_RESULTS_DIR", Value: m.ResultsDir}, {Name: "CLAUDEOPS_INVENTORY", Value: m.Services},
		{Name: "CLAUDEOPS_SCHEDULE", Value: times, Override: w.Schedule != "" || installed != ""},
	}
	if !m.Armed() {
		settings = append(settings, config.Setting{Name: "CLAUDEOPS_TIER1_AGENT", Value: string(config.Probe)})
	}
	switch {
	case w.Remediate:
		settings = append(settings, config.Setting{Name: "CLAUDEOPS_MAX_TIER", Value: "3", Override: true})
		asks := config.Setting{Name: "CLAUDEOPS_APPROVAL", Value: string(config.ApproveRemediation)}
		if w.Unattended {
			asks.Value, asks.Override = string(config.ApproveNone), true
		}
		settings = append(settings, asks)
	case !m.Armed():
		settings = append(settings, config.Setting{Name: "CLAUDEOPS_MAX_TIER", Value: "1"})
	}
	settings = append(settings, m.Reaches...)
	if len(w.Notify) > 0 {
		if from := m.said("CLAUDEOPS_APPRISE_URLS"); from != "" && strings.TrimSpace(m.Variables["CLAUDEOPS_APPRISE_URLS"]) == "" {
			return nil, nil, fmt.Errorf("a URL to notify: CLAUDEOPS_APPRISE_URLS is taken from %s; write it there", from)
		}
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

// services returns the text of the services file.
func (p *Plan) services(w Wish, found discover.Found, schedule config.Schedule, now time.Time) (written []byte, err error) {
	p.LeftOut = slices.Concat(found.Missing, found.LeftOut)
	if !p.EngineReached {
		found.Services = p.withoutContainers(found.Services)
	}
	had, err := p.ServicesThere()
	if err != nil {
		return nil, err
	}
	leave := p.leave(w, had, found)
	found.Services = slices.DeleteFunc(slices.Clone(found.Services), func(s discover.Service) bool { return slices.Contains(leave, s.Name) })
	failAfter := 0
	if crontab.TooOften(schedule, now) != "" { // if runs are minutes apart, one failure may be temporary
		failAfter = 2
	}
	for i := range found.Services {
		found.Services[i].FailAfter = failAfter
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

// leave returns the names of discovered services not to watch, and records what was found.
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

// withoutContainers returns the services without the checks and restarts that need the container engine, which the user cannot reach.
func (p *Plan) withoutContainers(services []discover.Service) (kept []discover.Service) {
	var gone []string
	for _, s := range services {
		s.Checks = slices.DeleteFunc(slices.Clone(s.Checks), func(k discover.Check) bool { return k.Container != "" })
		s.Restart = inventory.Way{}
		s.Aid = s.Aid && slices.ContainsFunc(s.Checks, func(k discover.Check) bool { return k.Unit != "" })
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

// write adds a file to the plan unless it already has the wanted content and access.
func (p *Plan) write(f File) {
	if !f.Keep || !bytes.Equal(f.Had, f.Text) {
		p.Files = append(p.Files, f)
	}
}

// record returns the record of new files and of earlier ones that are unchanged. written is false if nothing in it is new.
func (p *Plan) record() (f File, written bool, err error) {
	made := p.Made
	made.Files = map[string]string{}
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
	if p.joins() != "" {
		made.Member = Member{p.User, p.joins()}
	}
	if p.Installed == nil && p.schedule.target != nil { // a schedule installed before init stays when init is removed
		made.Target = p.Target
	}
	f = File{Path: p.Record}
	if f.Text, err = made.text(); err == nil && p.Made.Files != nil {
		f.Had, err = p.Made.text()
		f.Keep = true
	}
	nothing := len(made.Files) == 0 && made.User == "" && made.Target == "" && made.Member == Member{}
	return f, !nothing && !bytes.Equal(f.Had, f.Text), err
}

func (made Made) text() ([]byte, error) {
	record, err := json.Marshal(made, json.Deterministic(true), jsontext.WithIndent("  "))
	return append(record, '\n'), err
}

func digestOf(text []byte) string {
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:])
}

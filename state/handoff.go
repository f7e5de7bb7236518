package state

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/ledger"
	"github.com/claudeops/claudeops/statefile"
)

// Of reads the picture of some records.
func Of(ctx context.Context, b *ledger.Records) (*State, error) {
	file, err := b.State(ctx)
	if err != nil {
		return nil, err
	}
	return Load(ctx, b.Store, file, b.Inventory, b.Config, b.Now())
}

// Mended is Of where cooldown.json may be corrupt, which fault then says: the picture has what the next cycle makes of the database.
func Mended(ctx context.Context, b *ledger.Records) (st *State, fault, err error) {
	file, fault := b.State(ctx)
	if fault != nil {
		if file, err = b.Recorded(ctx); err != nil {
			return nil, fault, err
		}
	}
	st, err = Load(ctx, b.Store, file, b.Inventory, b.Config, b.Now())
	return st, fault, err
}

// maxHandedOver limits the services that the program itself names in a handoff. The others are stored, and the cycle decides about them too.
const maxHandedOver = 200

// Handoff returns Tier 1's handoff: own, which its agent left, with what else is unwell by the results, except what is held back; nil if
// there is neither. Without own it is of everything that is unwell. added are the services that own does not name. unreadable is as in
// Cooldowns.
func (st *State) Handoff(unreadable error, own *handoff.Handoff, results []check.Result) (h *handoff.Handoff, added []string, err error) {
	var named []string
	if own != nil {
		named = own.ServicesAffected
	}
	first, held := st.startableFirst(handoff.Without(check.Unhealthy(results), named))
	added = first
	if own == nil {
		added = slices.Concat(first, held)
	}
	added, others := firstOf(added, maxHandedOver-len(named))
	services := slices.Concat(named, added)
	if len(services) == 0 {
		return nil, nil, nil
	}
	cooldowns, err := st.Cooldowns(services, unreadable)
	if err != nil {
		return nil, nil, err
	}
	known := handoff.Handoff{ServicesAffected: services, LeftOut: others, CooldownState: cooldowns}
	made := handoff.Make(known, results, st.HandedAlerts())
	if own != nil {
		made = own.Merge(made, services)
	}
	return &made, added, nil
}

// HandedAlerts returns the alerts that fire, by service, for a handoff.
func (st *State) HandedAlerts() (all []handoff.Alert) {
	for _, s := range st.Services() {
		for _, a := range s.Alerts {
			all = append(all, handoff.Alert{Service: a.Service, Source: a.Source, Means: a.Means, Title: a.Title, Body: a.Body, Since: a.StartsAt})
		}
	}
	return all
}

// startableFirst splits services into those for which a tier may start, of which those whose incident waits or is flapping come last, and
// those that are held back.
func (st *State) startableFirst(services []string) (first, held []string) {
	var waiting []string
	for _, name := range services {
		switch is := st.Service(name); {
		case is.Held(Incidents).Given():
			held = append(held, name)
		case is.gaveUp().Given():
			waiting = append(waiting, name)
		default:
			first = append(first, name)
		}
	}
	return append(first, waiting...), held
}

// firstOf returns the first most names, and the number of the others.
func firstOf(names []string, most int) (first []string, others int) {
	n := min(len(names), max(most, 0))
	return names[:n], len(names) - n
}

// AsksFor says which services Tier 2 is asked for, and how many more are unwell; empty if there are none.
func AsksFor(services []string, leftOut int) string {
	if len(services) == 0 {
		return ""
	}
	said := "Tier 2 is asked for " + text.Few(services, 10)
	if leftOut > 0 {
		said += fmt.Sprintf("; %d more are unwell, but %d at most are handed over", leftOut, maxHandedOver)
	}
	return said
}

// Asked is AsksFor for what the session of Tier 1 has found unwell so far.
func (st *State) Asked(session int64) string {
	first, held := st.startableFirst(st.UnwellBy(session))
	return AsksFor(firstOf(slices.Concat(first, held), maxHandedOver))
}

// maxSnapshot limits the records per service and action in a handoff.
const maxSnapshot = 20

// Cooldowns returns the cooldown data of services for a handoff: their newest records, the number of older ones left out, and the use of
// their limits. unreadable is why cooldown.json cannot be read, or nil: the next tier gets that instead, and its acts are refused until the
// file can be.
func (st *State) Cooldowns(services []string, unreadable error) (jsontext.Value, error) {
	type entry struct {
		statefile.Service
		Restart      Limit `json:"restart_limit"`
		Redeployment Limit `json:"redeployment_limit"`
		Older        int   `json:"older_records,omitempty"`
	}
	if unreadable != nil {
		return json.Marshal(map[string]string{"unreadable": unreadable.Error()})
	}
	entries := map[string]entry{}
	for _, name := range services {
		restart, redeployment := st.Service(name).Both()
		e := entry{Service: *st.File.Service(name), Restart: restart.AsLimit(""), Redeployment: redeployment.AsLimit("")}
		for _, action := range statefile.Actions() {
			all := e.Records(action)
			newest := all[max(len(all)-maxSnapshot, 0):]
			e.SetRecords(action, newest)
			e.Older += len(all) - len(newest)
		}
		entries[name] = e
	}
	text, err := json.Marshal(map[string]any{"services": entries}, json.Deterministic(true))
	if err != nil {
		return nil, fmt.Errorf("encode the cooldown snapshot: %w", err)
	}
	return text, nil
}

// HandoffPath returns the path of handoff.json: in the state directory or, for a command of a session, in the session's directory.
func HandoffPath(c config.Config) string {
	return filepath.Join(cmp.Or(c.Agent.Folder, c.StateDir), handoff.FileName)
}

// WriteHandoff writes the handoff of an agent of the given tier. The program fills in schema_version, recommended_tier, the cooldown
// data of its services and, from Tier 2, Tier 1's check results. If the draft is still invalid, nothing is written, and all faults are returned
// together as a *strict.InvalidError. unreadable is as in Cooldowns.
func (st *State) WriteHandoff(
	ctx context.Context, b *ledger.Records, from int, draft []byte, unreadable error,
) (handoff.Handoff, error) {
	known := handoff.Handoff{RecommendedTier: min(from+1, handoff.LastTier)}
	var named struct {
		Services []string `json:"services_affected"`
	}
	// If not even the names can be parsed, the snapshot is empty, and Parse below reports all faults together.
	if json.Unmarshal(draft, &named) != nil {
		named.Services = nil
	}
	for i, name := range named.Services {
		named.Services[i] = b.Inventory.NameOf(name)
	}
	var err error
	if known.CooldownState, err = st.Cooldowns(named.Services, unreadable); err != nil {
		return handoff.Handoff{}, err
	}
	if from > 1 && b.InSession() {
		if known.CheckResults, err = firstResults(ctx, b); err != nil {
			return handoff.Handoff{}, err
		}
	}
	completed, err := handoff.Complete(draft, known)
	if err != nil {
		return handoff.Handoff{}, err
	}
	h, err := handoff.Parse(completed, from)
	if err == nil {
		err = b.Inventory.Foreign(h.ServicesAffected, "leave it out")
	}
	if err != nil {
		return h, err
	}
	return h, handoff.Write(HandoffPath(b.Config), h, from)
}

// firstResults returns the check results of Tier 1's handoff from the session that led to this one.
func firstResults(ctx context.Context, b *ledger.Records) ([]check.Result, error) {
	chain, err := b.Store.Chain(ctx, b.Config.Agent.SessionID)
	if err != nil {
		return nil, err
	}
	for _, s := range chain {
		if s.Tier == 1 && s.HandoffJSON != "" {
			h, err := handoff.Parse([]byte(s.HandoffJSON), 1)
			return h.CheckResults, err
		}
	}
	return nil, nil
}

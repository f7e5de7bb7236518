package state

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Permission states whether a service may be restarted or redeployed now, according to its window and the day's ceiling. A recovery does
// not clear the ceiling.
type Permission struct {
	statefile.Position
	Carried int       // of those used: done before the incident's last recovery, which removed them from cooldown.json
	Today   int       // remediations of all kinds in the last 24 h
	Ceiling int       // CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY; 0 means no ceiling
	DayFree time.Time // when the ceiling permits one more; zero if it does now
	// CountLost is set when it is not known what was done in the last 24 h, so that nothing is permitted before DayFree.
	CountLost bool
}

// Limit is the JSON form of a Permission, for scripts and agents.
type Limit struct {
	Permitted bool       `json:"permitted"`
	Used      int        `json:"used"`
	Limit     int        `json:"limit"`
	FreesAt   *time.Time `json:"frees_at"`
	Held      string     `json:"held,omitempty"` // why it is not permitted, regardless of the limits
}

// Permission returns the limit of an action on the service. Other has no window, only the day's ceiling.
func (s *Service) Permission(action statefile.Action) Permission {
	st := s.of
	p := Permission{Position: statefile.Count(s.counted(action), action, st.Now), Today: len(s.Acts), Ceiling: st.Config.MaxRemediationsPerDay}
	p.Carried = p.Used - statefile.Count(st.File.Service(s.Name).Records(action), action, st.Now).Used
	switch {
	case !st.CountLost.IsZero():
		p.CountLost, p.DayFree = true, st.CountLost.Add(24*time.Hour)
	case p.Ceiling > 0 && p.Today >= p.Ceiling:
		p.DayFree = s.Acts[p.Today-p.Ceiling].CreatedAt.Add(24 * time.Hour)
	}
	return p
}

// Both returns the limits of restarts and of redeployments.
func (s *Service) Both() (restart, redeployment Permission) {
	return s.Permission(statefile.Restart), s.Permission(statefile.Redeployment)
}

// UsedUp reports whether the service may be neither restarted nor redeployed now.
func (s *Service) UsedUp() bool {
	restart, redeployment := s.Both()
	return !restart.Permitted() && !redeployment.Permitted()
}

// Ends returns the times at which the acts that count now cease to count, soonest first; nil if none counts.
func (s *Service) Ends(action statefile.Action) []time.Time {
	return statefile.Ends(s.counted(action), action, s.of.Now.UTC())
}

// HealthyCycles returns in how many cycles in a row the service was found healthy, as cooldown.json has it.
func (s *Service) HealthyCycles() int { return s.of.File.Service(s.Name).ConsecutiveHealthy }

// counted returns the records of an action in cooldown.json, and those that count although a recovery has cleared them, oldest first. An
// act has one record, known by its id.
func (s *Service) counted(action statefile.Action) []statefile.Record {
	file, carried := s.of.File.Service(s.Name).Records(action), s.carried[action]
	if len(carried) == 0 {
		return file
	}
	all := slices.Clone(file)
	for _, k := range carried {
		if k.ID == "" || !slices.ContainsFunc(file, func(r statefile.Record) bool { return r.ID == k.ID }) {
			all = append(all, k)
		}
	}
	slices.SortStableFunc(all, func(a, b statefile.Record) int { return a.Timestamp.Compare(b.Timestamp) })
	return all
}

// within returns the records of an action that count now. One whose time cannot be read counts as of now, and has that time in the result.
func (s *Service) within(action statefile.Action) (records []statefile.Record) {
	for _, r := range s.counted(action) {
		if r.Timestamp.IsZero() {
			r.Timestamp = statefile.At(s.of.Now)
		}
		if r.InWindow(action, s.of.Now) {
			records = append(records, r)
		}
	}
	return records
}

// maxTried limits the attempts that a refusal lists.
const maxTried = 5

// tried returns what was done to the service within the window of an action, for an agent.
func (s *Service) tried(action statefile.Action) (list []string) {
	for _, r := range s.within(action) {
		what := string(action)
		if r.ActionDetail != "" {
			what = r.ActionDetail
		}
		list = append(list, fmt.Sprintf("%s at %s %s", what, r.Timestamp.UTC().Format(time.RFC3339), store.OutcomeOf(r.Success, r.Error)))
	}
	return list[max(0, len(list)-maxTried):]
}

// limitLines describes what is left of each limit, and when a used-up one frees up.
func (s *Service) limitLines() (lines []string) {
	restart, redeployment := s.Both()
	var left []string
	for _, p := range []Permission{restart, redeployment} {
		if p.Permitted() {
			left = append(left, fmt.Sprintf("%d of %s in %d h", p.Left(), text.Count(p.Limit, string(p.Action)), int(p.Action.Window().Hours())))
		} else {
			lines = append(lines, string(p.Action)+": "+p.used(text.Moment))
		}
	}
	if len(left) > 0 {
		lines = append(lines, "left: "+strings.Join(left, ", "))
	}
	return lines
}

// Permitted reports whether both limits permit one more.
func (p Permission) Permitted() bool {
	return (p.Action == statefile.Other || p.Position.Permitted()) && p.DayFree.IsZero()
}

// Left returns how many more both limits permit now.
func (p Permission) Left() int {
	if p.CountLost {
		return 0
	}
	left := p.Limit - p.Used
	if p.Ceiling > 0 {
		left = min(left, p.Ceiling-p.Today)
	}
	return max(left, 0)
}

// Frees returns when the next one is permitted; zero if one is permitted now.
func (p Permission) Frees() time.Time {
	if p.FreesAt.After(p.DayFree) {
		return p.FreesAt
	}
	return p.DayFree
}

// String describes how much of a limit is used: "restart: 1 of 2 used in 4 h".
func (p Permission) String() string { return string(p.Action) + ": " + p.used(stamp) }

// Of describes the same for a service: "restart of shop: 1 of 2 used in 4 h".
func (p Permission) Of(service string) string {
	return fmt.Sprintf("%s of %s: %s", p.Action, service, p.used(stamp))
}

func stamp(t time.Time) string { return t.UTC().Format(time.RFC3339) }

// used describes how much of each limit is used and when a used-up one frees up.
func (p Permission) used(moment func(time.Time) string) string {
	text := fmt.Sprintf("%d of %d used in %d h", p.Used, p.Limit, int(p.Action.Window().Hours()))
	if p.Action == statefile.Other {
		text = "it has no limit but the day's"
	}
	if p.Carried > 0 {
		text += fmt.Sprintf(", %d of them before the last recovery of this incident", p.Carried)
	}
	if p.CountLost {
		text += ", and it is not known what was done in the last 24 h, because the database was set aside"
	} else if !p.DayFree.IsZero() {
		text += fmt.Sprintf(", and %d of %d remediations in 24 h", p.Today, p.Ceiling)
	}
	if !p.Permitted() {
		text += ", free again at " + moment(p.Frees())
	}
	return text
}

// AsLimit converts p to its JSON form. held is why it is not permitted regardless of the limits; it may be empty.
func (p Permission) AsLimit(held string) Limit {
	l := Limit{Permitted: p.Permitted() && held == "", Used: p.Used, Limit: p.Limit, Held: held}
	if !p.Permitted() {
		at := p.Frees().UTC()
		l.FreesAt = &at
	}
	return l
}

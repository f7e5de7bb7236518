package cycle

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Books are the records in a state directory: what a cycle writes, and what the commands write that its agents call.
type Books struct {
	Config   config.Config
	Redactor *config.Redactor
	Now      func() time.Time
	Store    *store.Store // nil after OpenBooks with store.ReadOnly where there is no database yet
	Ledger   *store.Ledger
}

// OpenBooks opens the records for a command. With store.ReadOnly a database that does not exist yet is no error.
func OpenBooks(ctx context.Context, c config.Config, r *config.Redactor, now func() time.Time, mode store.Mode) (*Books, error) {
	b := &Books{Config: c, Redactor: r, Now: now}
	var err error
	b.Store, err = store.Open(ctx, filepath.Join(c.StateDir, store.FileName), mode)
	if mode == store.ReadOnly && errors.Is(err, fs.ErrNotExist) {
		err = nil
	}
	if err != nil {
		return nil, err
	}
	if b.Store != nil {
		b.Store.Now = now
	}
	b.Ledger = store.NewLedger(c.StateDir, b.Store, now)
	return b, nil
}

// Close closes the database.
func (b *Books) Close() error {
	if b.Store == nil {
		return nil
	}
	return b.Store.Close()
}

// Leave is Close for a command that ends now.
func (b *Books) Leave() error {
	if b.Store == nil {
		return nil
	}
	return b.Store.Leave()
}

// InSession reports whether an agent called the command.
func (b *Books) InSession() bool { return b.Config.Agent.SessionID != 0 }

// Permission is whether a service may be restarted or redeployed now: by its window, and by the day's ceiling, which a recovery
// does not clear.
type Permission struct {
	statefile.Position
	Today   int       // remediations of both kinds in the last 24 h
	Ceiling int       // CLAUDEOPS_MAX_REMEDIATIONS_PER_DAY; 0 is none
	DayFree time.Time // when the ceiling lets one more through; zero while it does
}

// Permitted reports whether both limits let one more through.
func (p Permission) Permitted() bool { return p.Position.Permitted() && p.DayFree.IsZero() }

// Frees is when the next one will be permitted; zero while one is.
func (p Permission) Frees() time.Time {
	if p.FreesAt.After(p.DayFree) {
		return p.FreesAt
	}
	return p.DayFree
}

// String says in words where a limit stands: "restart: 1 of 2 used in 4 h".
func (p Permission) String() string { return string(p.Action) + ": " + p.used() }

// Of is String for a service: "restart of shop: 1 of 2 used in 4 h".
func (p Permission) Of(service string) string {
	return fmt.Sprintf("%s of %s: %s", p.Action, service, p.used())
}

// used says how much of each limit is used and, where one is used up, when it frees.
func (p Permission) used() string {
	text := fmt.Sprintf("%d of %d used in %d h", p.Used, p.Limit, int(p.Action.Window().Hours()))
	if !p.DayFree.IsZero() {
		text += fmt.Sprintf(", and %d of %d remediations in 24 h", p.Today, p.Ceiling)
	}
	if !p.Permitted() {
		text += ", free again at " + p.Frees().UTC().Format(time.RFC3339)
	}
	return text
}

// Limit is a permission as scripts and agents read it.
type Limit struct {
	Permitted bool       `json:"permitted"`
	Used      int        `json:"used"`
	Limit     int        `json:"limit"`
	FreesAt   *time.Time `json:"frees_at"`
}

// AsLimit returns the fixed form of p.
func (p Permission) AsLimit() Limit {
	l := Limit{Permitted: p.Permitted(), Used: p.Used, Limit: p.Limit}
	if !l.Permitted {
		at := p.Frees().UTC()
		l.FreesAt = &at
	}
	return l
}

// Limits are all limits as they count now.
type Limits struct {
	State *statefile.State
	books *Books
}

// Limits reads the limits. In a session what the store knows counts too.
func (b *Books) Limits(ctx context.Context) (Limits, error) {
	st, err := b.Ledger.State(ctx, b.InSession())
	return Limits{st, b}, err
}

// Of looks up one limit.
func (l Limits) Of(ctx context.Context, service string, action statefile.Action) (Permission, error) {
	now := l.books.Now()
	p := Permission{Position: l.State.Position(service, action, now), Ceiling: l.books.Config.MaxRemediationsPerDay}
	if p.Ceiling == 0 || l.books.Store == nil {
		return p, nil
	}
	day, err := l.books.Store.ActTimes(ctx, service, now.Add(-24*time.Hour))
	if err != nil {
		return p, err
	}
	if p.Today = len(day); p.Today >= p.Ceiling {
		p.DayFree = day[p.Today-p.Ceiling].Add(24 * time.Hour)
	}
	return p, nil
}

// Both looks up a service's two limits.
func (l Limits) Both(ctx context.Context, service string) (restart, redeployment Permission, err error) {
	if restart, err = l.Of(ctx, service, statefile.Restart); err != nil {
		return restart, redeployment, err
	}
	redeployment, err = l.Of(ctx, service, statefile.Redeployment)
	return restart, redeployment, err
}

// Record records an act of the agent that called, or of an operator, and returns where its limit stands then.
func (b *Books) Record(ctx context.Context, told store.Told) (Permission, error) {
	agent := b.Config.Agent
	st, err := b.Ledger.Record(ctx, agent.SessionID, agent.Tier, told)
	if err != nil {
		return Permission{}, err
	}
	return Limits{st, b}.Of(ctx, told.Service, told.Action)
}

// Refused asks a human, once, because an agent wanted what a limit does not permit (SPEC-0007 REQ-4, REQ-5).
func (b *Books) Refused(ctx context.Context, service string, p Permission) error {
	reason := fmt.Sprintf("a %s of %s was refused: %s", p.Action, service, p.used())
	session := b.Config.Agent.SessionID
	err := b.Store.AddEvent(ctx, store.Event{SessionID: &session, Level: store.Warning, Service: service, Message: reason, CreatedAt: b.Now()})
	if err != nil {
		return err
	}
	open, err := b.Store.OpenIncidents(ctx)
	if err != nil {
		return err
	}
	incident, known := open[service]
	if !known {
		incident = store.Incident{Service: service}
	}
	return b.attention(ctx, incident, limitsUsedUp, reason)
}

// attention queues the request for a human about one service, with what the cooldown skill asks for: what was tried, how often,
// and when the windows free. An incident of ID 0 is none.
func (b *Books) attention(ctx context.Context, i store.Incident, why cause, reason string) error {
	limits, err := b.Limits(ctx)
	if err != nil {
		return err
	}
	restart, redeployment, err := limits.Both(ctx, i.Service)
	if err != nil {
		return err
	}
	lines := []string{reason + ".", "", "- " + restart.String(), "- " + redeployment.String()}
	n := store.Notification{Kind: store.HumanAttention, Service: i.Service, Cause: string(why), Title: i.Service + " needs human attention"}
	if i.ID != 0 {
		n.IncidentID = &i.ID
		story, err := b.story(ctx, i)
		if err != nil {
			return err
		}
		lines = append(lines, story...)
	}
	n.Body = strings.Join(lines, "\n")
	return b.notify(ctx, n)
}

// story is what a person who is asked about an incident wants to know of it.
func (b *Books) story(ctx context.Context, i store.Incident) ([]string, error) {
	lines := []string{fmt.Sprintf("- %s since %s", i.Status, i.OpenedAt.UTC().Format(time.RFC3339))}
	tried, err := b.Store.IncidentSessions(ctx, i.ID)
	if err != nil {
		return nil, err
	}
	for _, s := range tried {
		if s.Attempted != "" {
			lines = append(lines, fmt.Sprintf("- Tier %d (session %d) tried: %s", s.Session.Tier, s.Session.ID, s.Attempted))
		}
	}
	return append(lines, "", fmt.Sprintf("Everything: `claudeops incidents show %d`", i.ID)), nil
}

// notify queues a message. The store keeps one of a kind and incident in 24 h, so asking again is no harm.
func (b *Books) notify(ctx context.Context, n store.Notification) error {
	n.Title, n.Body, n.CreatedAt = b.Redactor.String(n.Title), b.Redactor.String(n.Body), b.Now()
	_, err := b.Store.QueueNotification(ctx, n)
	return err
}

package cycle

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// Summary is the result of a cycle, for a person or, with --json, a script.
type Summary struct {
	StartedAt  time.Time        `json:"started_at"`
	DurationMS int64            `json:"duration_ms"`
	Trigger    string           `json:"trigger"`
	DryRun     bool             `json:"dry_run"`
	CostUSD    float64          `json:"cost_usd"`
	Tiers      []TierSummary    `json:"tiers"`
	Services   []ServiceSummary `json:"services"`
	Recovered  []Recovered      `json:"recovered"`
	Remediated []Remediated     `json:"remediated"`
	Decisions  []string         `json:"decisions"` // on further tiers, in order
	Attention  []Attention      `json:"needs_human"`
	Messages   Messages         `json:"messages"`
	Answer     *Answer          `json:"answer,omitempty"` // to the operator's question; nil if there was none or no tier answered it
}

// Messages counts the messages that were delivered in this cycle, and those that some target has not received yet.
type Messages struct {
	Sent    int `json:"sent"`
	Waiting int `json:"waiting"`
}

// Answer is an agent's answer to the operator's question.
type Answer struct {
	Question string `json:"question"`
	Text     string `json:"text"`
	Tier     int    `json:"tier"`
	Session  int64  `json:"session"`
}

// TierSummary is one session of the cycle.
type TierSummary struct {
	Session    int64        `json:"session"`
	Tier       int          `json:"tier"`
	Agent      string       `json:"agent"`
	Model      string       `json:"model"`
	Status     store.Status `json:"status"`
	Reason     string       `json:"reason,omitempty"`
	CostUSD    float64      `json:"cost_usd"`
	NumTurns   int          `json:"num_turns"`
	DurationMS int64        `json:"duration_ms"`
}

// ServiceSummary is the cycle's finding about a service.
type ServiceSummary struct {
	Service  string       `json:"service"`
	Status   check.Status `json:"status"`
	Found    string       `json:"found,omitempty"`    // the worst check's message
	Held     string       `json:"held,omitempty"`     // why nothing is done about it and no message is sent
	Incident int64        `json:"incident,omitempty"` // the open incident
	Since    *time.Time   `json:"since,omitempty"`    // when the incident opened
	// Of a recovering incident: since when its checks are healthy, and when it will close, in words.
	State        store.IncidentState `json:"incident_state,omitempty"`
	HealthySince *time.Time          `json:"healthy_since,omitempty"`
	Closes       string              `json:"closes,omitempty"`
}

// Recovered is a service whose incident ended.
type Recovered struct {
	Service    string `json:"service"`
	Incident   int64  `json:"incident"`
	DurationMS int64  `json:"duration_ms"`
}

// Remediated is a service that a tier remediated and that was healthy in later checks.
type Remediated struct {
	Service string `json:"service"`
	Tier    int    `json:"tier"`
	Agent   string `json:"agent"`
	Session int64  `json:"session"`
}

// Attention is a request for a human. Service is empty if it is about the monitoring itself.
type Attention struct {
	Service string `json:"service,omitempty"`
	Reason  string `json:"reason"`
}

// Failed reports whether a tier failed, timed out, was interrupted or could not start.
func (s Summary) Failed() bool {
	return slices.ContainsFunc(s.Tiers, func(t TierSummary) bool {
		return t.Status == store.Failed || t.Status == store.TimedOut || t.Status == store.Interrupted
	})
}

func (s *Summary) add(done *tierRun) {
	o := done.outcome
	s.Tiers = append(s.Tiers, TierSummary{
		Session: done.session.ID, Tier: done.session.Tier, Agent: done.session.Agent, Model: done.session.Model, Status: store.Status(o.Ending),
		Reason: o.Reason, CostUSD: o.CostUSD, NumTurns: o.NumTurns, DurationMS: o.DurationMS,
	})
	s.CostUSD += o.CostUSD
	if done.session.Question != "" && o.Response != "" && o.Ending == tiers.Completed {
		s.Answer = &Answer{done.session.Question, cmp.Or(done.claim, handoff.Mark(o.Response, nil)), done.session.Tier, done.session.ID}
	}
}

func (s *Summary) addAttention(service, reason string) {
	s.Attention = append(s.Attention, Attention{service, reason})
}

// summarize adds what was found of each service to the summary, as it is now.
func (c *Cycle) summarize(ctx context.Context) error {
	now, err := c.mended(ctx)
	if err != nil {
		return err
	}
	p := c.closing(now)
	for _, s := range p.found {
		is := ServiceSummary{Service: s.Name, Status: s.Status(), Found: s.Trouble()}
		if s.Status().Unwell() {
			is.Held = p.hold(s).Reason
		}
		if i := s.Incident; i != nil {
			since := i.OpenedAt.UTC()
			is.Incident, is.Since, is.State = i.ID, &since, i.State()
			if is.State == store.IncidentRecovering { // in the checks after a tier, too
				healthy := i.HealthySince.UTC()
				is.Status, is.Found, is.HealthySince, is.Closes = check.Healthy, "", &healthy, i.Closes()
			}
		}
		c.summary.Services = append(c.summary.Services, is)
	}
	return nil
}

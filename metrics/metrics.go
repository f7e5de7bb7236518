// Package metrics converts the records' figures to Prometheus metrics: as text, and for a Pushgateway.
//
// It hides the client library. Unlike in a server, the registry holds no counters; each metric is computed from the figures on request.
// Names and labels are stable and listed in docs/metrics.md, because users' dashboards and alerts depend on them.
package metrics

import (
	"bytes"
	"fmt"
	"strings"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/common/expfmt"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
)

// Exporter writes and pushes metrics.
type Exporter struct {
	Version string // of claudeops
	Host    string // the instance label at Pushgateways; empty means this machine's name
}

// Text returns the figures in Prometheus' text format, with families and series in order.
func (e Exporter) Text(f Figures) ([]byte, error) {
	families, err := e.registry(f).Gather()
	if err != nil {
		return nil, fmt.Errorf("make metrics: %w", err)
	}
	var text bytes.Buffer
	enc := expfmt.NewEncoder(&text, expfmt.NewFormat(expfmt.TypeTextPlain))
	for _, family := range families {
		if err := enc.Encode(family); err != nil {
			return nil, fmt.Errorf("make metrics: %w", err)
		}
	}
	return text.Bytes(), nil
}

func (e Exporter) registry(f Figures) *prometheus.Registry {
	r := prometheus.NewPedanticRegistry()
	r.MustRegister(collector{e, f})
	return r
}

// collector provides the metrics of some figures to a registry.
type collector struct {
	Exporter
	figures Figures
}

// Describe sends no descriptions: the set of metrics depends on the figures.
func (collector) Describe(chan<- *prometheus.Desc) {}

// Collect sends all metrics.
func (c collector) Collect(to chan<- prometheus.Metric) {
	s := &series{to: to, seen: map[string]bool{}}
	f := c.figures
	s.gauge("claudeops_build_info", "The version of claudeops that wrote these metrics.", "version").is(1, c.Version)
	s.cycles(f)
	s.sessions(f)
	s.services(f)
	s.remediations(f)
	s.outbox(f)
	s.gauge("claudeops_silences_active", "Services that are silenced, and 1 more while everything is paused.").is(float64(len(f.Silences)))
}

func (s *series) cycles(f Figures) {
	s.counter("claudeops_cycles_total", "Cycles that ended.").is(float64(f.Cycles))
	ended := s.gauge("claudeops_last_run_timestamp_seconds", "When the last cycle ended that neither an alert nor an approval started.")
	took := s.gauge("claudeops_last_run_duration_seconds", "How long the last cycle took.")
	success := s.gauge("claudeops_last_run_success", "1 where the last cycle ran to its end and no tier failed, else 0.")
	if last := f.LastCycle; last != nil {
		ended.is(seconds(last.EndedAt()))
		took.is(float64(last.DurationMS) / 1000)
		success.is(truth(last.Outcome == store.CycleCompleted))
	}
}

func (s *series) sessions(f Figures) {
	type key struct {
		tier   int
		status store.Status
	}
	count, cost := map[key]int64{}, map[int]float64{}
	in, out := map[int]int64{}, map[int]int64{}
	for _, t := range f.Sessions {
		count[key{t.Tier, t.Status}] += t.Sessions
		cost[t.Tier] += t.CostUSD
		in[t.Tier] += t.InputTokens
		out[t.Tier] += t.OutputTokens
	}
	sessions := s.counter("claudeops_sessions_total", "Sessions of agents that ended, by tier and outcome.", "tier", "status")
	costs := s.counter("claudeops_cost_usd_total", "What sessions have cost, in US dollars.", "tier")
	tokens := s.counter("claudeops_tokens_total", "Tokens that models have read (input) and written (output).", "tier", "direction")
	for n, tier := range []string{"1", "2", "3"} {
		for _, status := range []store.Status{store.Completed, store.Escalated, store.Failed, store.Interrupted, store.TimedOut} {
			sessions.is(float64(count[key{n + 1, status}]), tier, string(status))
		}
		costs.is(cost[n+1], tier)
		tokens.is(float64(in[n+1]), tier, "input")
		tokens.is(float64(out[n+1]), tier, "output")
	}
	left := s.gauge("claudeops_budget_remaining_usd", "What is left of CLAUDEOPS_DAILY_BUDGET_USD in the last 24 hours.")
	if f.BudgetLeftUSD != nil {
		left.is(*f.BudgetLeftUSD)
	}
}

func (s *series) services(f Figures) {
	all := s.gauge("claudeops_services", "Services by how they are, by their checks and alerts.", "status")
	one := s.gauge("claudeops_service_status", "1 for the status of the service, by its checks and alerts.", "service", "status")
	count := map[check.Status]int{}
	for service, is := range f.Services {
		count[is]++
		for _, status := range check.Statuses() {
			one.is(truth(is == status), service, string(status))
		}
	}
	held := s.gauge("claudeops_service_held", "1 for each service that is unwell and held back: nothing is done about it, nobody told.", "service")
	for service := range f.Held {
		held.is(1, service)
	}
	for _, status := range check.Statuses() {
		all.is(float64(count[status]), string(status))
	}
	s.gauge("claudeops_incidents_open", "Incidents that are open.").is(float64(f.OpenIncidents))
	s.gauge("claudeops_incidents_recovering", "Open incidents whose services are healthy again, in too few cycles yet.").is(float64(f.Recovering))
	s.counter("claudeops_incidents_total", "Incidents that were opened.").is(float64(f.Incidents))
}

func (s *series) remediations(f Figures) {
	left := s.gauge("claudeops_cooldown_remaining", "How often the service may still be remediated now.", "service", "action")
	for _, l := range f.Cooldowns {
		left.is(float64(l.Restarts), l.Service, string(statefile.Restart))
		left.is(float64(l.Redeployments), l.Service, string(statefile.Redeployment))
	}
	done := s.counter("claudeops_remediations_total", "Restarts and redeployments, by outcome.", "action", "outcome")
	for _, action := range statefile.Actions() {
		var failed, succeeded int64
		for _, t := range f.Remediations {
			switch {
			case t.Action != action:
			case t.Success:
				succeeded += t.Acts
			default:
				failed += t.Acts
			}
		}
		done.is(float64(failed), string(action), "failure")
		done.is(float64(succeeded), string(action), "success")
	}
}

func (s *series) outbox(f Figures) {
	s.gauge("claudeops_proposals_waiting", "Proposals that wait for a person's answer.").is(float64(f.WaitingProposals))
	s.gauge("claudeops_notifications_pending", "Notifications that some target has yet to get.").is(float64(f.PendingNotifications))
	oldest := s.gauge("claudeops_notification_oldest_timestamp_seconds", "When the oldest pending notification was queued.")
	if f.OldestPending != nil {
		oldest.is(seconds(*f.OldestPending))
	}
	s.gauge("claudeops_notification_targets_failing", "Targets that could not be reached when they were last tried.").is(float64(f.FailingTargets))
}

// series collects metrics for a registry. A duplicate is not sent, because the registry would then reject all of them.
type series struct {
	to   chan<- prometheus.Metric
	seen map[string]bool
}

// family is one metric and its values by label.
type family struct {
	*series
	name string
	desc *prometheus.Desc
	kind prometheus.ValueType
}

func (s *series) counter(name, help string, labels ...string) family {
	return family{s, name, prometheus.NewDesc(name, help, labels, nil), prometheus.CounterValue}
}

func (s *series) gauge(name, help string, labels ...string) family {
	return family{s, name, prometheus.NewDesc(name, help, labels, nil), prometheus.GaugeValue}
}

// is sends one value. Labels are converted to UTF-8, because names of services may come from foreign files.
func (f family) is(value float64, labels ...string) {
	for i, l := range labels {
		labels[i] = text.Clean(l)
	}
	key := f.name + "\x00" + strings.Join(labels, "\x00")
	if f.seen[key] {
		return
	}
	f.seen[key] = true
	f.to <- prometheus.MustNewConstMetric(f.desc, f.kind, value, labels...)
}

func seconds(t time.Time) float64 { return float64(t.UnixMilli()) / 1000 }

func truth(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

package seeded

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/records"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

const (
	cycles    = 30 * 24 // one an hour, for 30 days
	lastCycle = 4 * time.Minute
)

// Homelab writes what a month of hourly cycles over 14 services of somebody's home leaves: past incidents that Tier 2 and 3 mended, one
// that needs a human, one that is held back by a silence, and a Tier 2 that is at work now, in the name of this process. The last cycle
// began 4 minutes before now.
func Homelab(ctx context.Context, dir string, now time.Time) (*Lab, error) {
	l, err := place(dir, now)
	if err != nil {
		return nil, err
	}
	if err := l.writeInventory(dir, inventoryText); err != nil {
		return nil, err
	}
	if err := l.writeEnv(homelabSettings(l.Now)); err != nil {
		return nil, err
	}
	m := &month{watch: watch{lab: l, dice: newDice(1), logsFrom: l.Now.Add(-9 * 24 * time.Hour)}, healthy: map[string]int{}, open: map[string]*ailment{}}
	err = l.writing(ctx, func(s *store.Store) error {
		m.s = s
		for k := cycles - 1; k > 0; k-- {
			if err := m.cycle(ctx, k); err != nil {
				return err
			}
		}
		if err := m.aside(ctx); err != nil {
			return err
		}
		return m.running(ctx)
	})
	if err != nil {
		return nil, err
	}
	if err := l.mirror(ctx, m.healthy, m.lastRun, m.digestAt); err != nil {
		return nil, err
	}
	return l, l.hooks(ctx)
}

// homelabSettings are what the homelab's operator has set.
func homelabSettings(now time.Time) string {
	return fmt.Sprintf(`CLAUDEOPS_SCHEDULE=%d * * * *
CLAUDEOPS_DAILY_BUDGET_USD=6
CLAUDEOPS_TIER3_BUDGET_USD=4
CLAUDEOPS_REPOS_DIR=/srv/stacks
CLAUDEOPS_APPRISE_URLS=ntfys://robin:correct-horse@ntfy.home.example.org/homelab,mailtos://robin:battery-staple@mail.example.org
CLAUDEOPS_HEARTBEAT_URL=https://hc-ping.example.org/3f6c9c1e-0b7d-4b6e-9f38-6a1d1f7c2a55
`, now.Add(-lastCycle).Minute())
}

// month is the cycles of the homelab.
type month struct {
	watch
	healthy  map[string]int      // cycles in a row, as in cooldown.json
	open     map[string]*ailment // incidents by service
	lastRun  time.Time
	digestAt time.Time
	fixes    int // in the last 24 h
}

// ailment is an incident that is open.
type ailment struct {
	trouble
	row store.Incident
	bad int // cycles that found it
}

// at is when the cycle began that is k before the last one.
func (m *month) at(k int) time.Time {
	return m.lab.Now.Add(-lastCycle - time.Duration(k)*time.Hour)
}

// cycle writes one: Tier 1, what it found, what followed.
func (m *month) cycle(ctx context.Context, k int) error {
	at := m.at(k)
	news, results := m.look(k, at)
	unwell := m.unwell(news)
	do := m.observation(results, unwell)
	for _, c := range unwell {
		if len(c.chains[c.bad]) > 0 {
			do.status = store.Escalated
		}
	}
	tier1, err := m.session(ctx, nil, at.Add(2*time.Second), do)
	if err != nil {
		return err
	}
	if err := m.s.AddProbed(ctx, tier1.id, at.Add(3*time.Second), results, nil); err != nil {
		return err
	}
	if err := m.say(ctx, store.Info, tier1.id, "", fmt.Sprintf("Tier 1 completed, $%.4f, %d turns", do.costs, do.turns), tier1.ended); err != nil {
		return err
	}
	end := tier1.ended
	for _, c := range unwell {
		if err := m.found(ctx, c, tier1.id, end); err != nil {
			return err
		}
		if chain := c.chains[c.bad]; len(chain) > 0 {
			if end, err = m.chain(ctx, c, tier1, chain); err != nil {
				return err
			}
		}
		c.bad++
	}
	if err := m.recoveries(ctx, tier1.id, results, end); err != nil {
		return err
	}
	if k%24 == 9 {
		if err := m.digest(ctx, end); err != nil {
			return err
		}
	}
	outcome := store.CycleCompleted
	for _, c := range unwell {
		if c.failing && c.bad == 1 {
			outcome = store.CycleFailed
		}
	}
	m.lastRun = end
	return m.s.AddCycle(ctx, store.CycleRow{Trigger: "cron", Outcome: outcome, StartedAt: at, DurationMS: end.Sub(at).Milliseconds()})
}

// look makes the checks of a cycle, and says which troubles begin with it.
func (m *month) look(k int, at time.Time) (news []trouble, results []check.Result) {
	wrong := map[string][]check.Result{}
	for _, t := range troubles() {
		if k > t.ago || k <= t.ago-t.lasts {
			continue
		}
		wrong[t.service] = t.found
		for name, found := range t.dependents {
			wrong[name] = found
		}
		if k == t.ago {
			news = append(news, t)
		}
	}
	for _, s := range tenants() {
		for _, c := range s.checks {
			r := check.Result{Service: s.name, Type: c.kind, Status: check.Healthy}
			if c.usualMS > 0 {
				took := m.dice.took(c.usualMS, at)
				r.ResponseTimeMS = &took
			}
			if i := slices.IndexFunc(wrong[s.name], func(f check.Result) bool { return f.Type == c.kind }); i >= 0 {
				r = wrong[s.name][i]
				r.Service = s.name
			}
			results = append(results, r)
		}
	}
	return news, results
}

// unwell are the cases of a cycle: those that begin, and those that go on.
func (m *month) unwell(news []trouble) (all []*ailment) {
	for _, t := range news {
		m.open[t.service] = &ailment{trouble: t}
	}
	for _, t := range troubles() { // in their order, not a map's
		if c := m.open[t.service]; c != nil && c.ago == t.ago && c.bad < c.lasts {
			all = append(all, c)
		}
	}
	return all
}

// found writes what Tier 1's cycle makes of a case.
func (m *month) found(ctx context.Context, c *ailment, session int64, at time.Time) (err error) {
	m.healthy[c.service] = 0
	worst := c.found[0]
	if c.row.ID != 0 {
		return m.foundAgain(ctx, c, session, at)
	}
	c.row = store.Incident{
		Service: c.service, Status: worst.Status, Fingerprint: fmt.Sprintf("%s %s %s", worst.Type, worst.Status, strings.TrimRight(worst.Error, "0123456789")),
		OpenedAt: at, LastSeenAt: at,
	}
	if c.row.ID, err = m.s.OpenIncident(ctx, c.row); err != nil {
		return err
	}
	if err := m.s.LinkSession(ctx, c.row.ID, session, "", ""); err != nil {
		return err
	}
	text := fmt.Sprintf("%s is %s: incident %d opened (%s)", c.service, worst.Status, c.row.ID, worst.Error)
	if err := m.say(ctx, store.Warning, session, c.service, text, at); err != nil {
		return err
	}
	for name, results := range c.dependents {
		m.healthy[name] = 0
		if err := m.s.AddDependent(ctx, c.row.ID, name, results[0].Status, at); err != nil {
			return err
		}
		text := fmt.Sprintf("%s is %s: %s, on which it depends, is %s, so nothing is done about it and nobody is told (recorded under incident %d)",
			name, results[0].Status, c.service, worst.Status, c.row.ID)
		if err := m.say(ctx, store.Info, session, name, text, at); err != nil {
			return err
		}
	}
	return nil
}

// foundAgain writes what a cycle makes of a case that is known.
func (m *month) foundAgain(ctx context.Context, c *ailment, session int64, at time.Time) error {
	text, level := "", store.Info
	switch retry := c.row.RetryAt; {
	case c.service == heldBack:
		text = fmt.Sprintf("%s is %s: silenced until %s, so nothing is done about it and nobody is told", c.service, c.row.Status, records.Moment(m.lab.silenceEnds()))
	case retry == nil || len(c.chains[c.bad]) > 0:
	case at.Before(*retry):
		text = fmt.Sprintf("Tier 2 not started: %s is as it was when a human was asked; next try after %s", c.service, records.Moment(*retry))
	default:
		text, level = fmt.Sprintf("Tier 2 not started: no restart and no redeployment of %s is permitted now", c.service), store.Critical
		c.deadEnd(at)
	}
	c.row.LastSeenAt = at
	if err := m.s.SaveIncident(ctx, c.row); err != nil {
		return err
	}
	if err := m.s.LinkSession(ctx, c.row.ID, session, "", ""); err != nil || text == "" {
		return err
	}
	return m.say(ctx, level, session, c.service, text, at)
}

// deadEnd is the end of a chain in vain: the next one waits twice as long.
func (c *ailment) deadEnd(at time.Time) {
	c.row.DeadEnds++
	retry := at.Add(time.Hour << (c.row.DeadEnds - 1))
	c.row.LastChain, c.row.RetryAt = "attention", &retry
}

// silenceEnds is when the silence of heldBack does.
func (l *Lab) silenceEnds() time.Time { return l.Now.Add(4 * time.Hour) }

// chain writes the tiers behind Tier 1, and what came of them.
func (m *month) chain(ctx context.Context, c *ailment, from done, chain []work) (end time.Time, err error) {
	ids, end := []int64{from.id}, from.ended
	for i, do := range chain {
		parent := ids[len(ids)-1]
		if err := m.say(ctx, store.Info, parent, "", fmt.Sprintf("Tier %d started for %s", do.tier, c.service), end); err != nil {
			return end, err
		}
		if i+1 < len(chain) {
			do.status = store.Escalated
		}
		next, err := m.session(ctx, &parent, end.Add(time.Second), do)
		if err != nil {
			return end, err
		}
		var findings, attempted string
		if do.asks != nil {
			findings, attempted = do.asks.findings, do.asks.attempted
		}
		if err := m.s.LinkSession(ctx, c.row.ID, next.id, findings, attempted); err != nil {
			return end, err
		}
		ids, end = append(ids, next.id), next.ended
		level, text := store.Info, fmt.Sprintf("Tier %d completed, $%.4f, %d turns", do.tier, do.costs, do.turns)
		if do.fault != "" {
			level, text = store.Warning, fmt.Sprintf("Tier %d failed: %s", do.tier, do.fault)
		}
		if err := m.say(ctx, level, next.id, "", text, end); err != nil {
			return end, err
		}
	}
	if c.service == worthALook {
		m.lab.Chain = ids
	}
	last := done{ids[len(ids)-1], end}
	if c.human != "" {
		return end, m.askHuman(ctx, c, last)
	}
	if chain[len(chain)-1].fault != "" {
		return end, nil
	}
	return m.proof(ctx, c, last, chain[len(chain)-1].tier)
}

// proof is the checks after a tier, which find the service healthy.
func (m *month) proof(ctx context.Context, c *ailment, last done, tier int) (time.Time, error) {
	at := last.ended.Add(31 * time.Second)
	var results []check.Result
	for _, s := range tenants() {
		for _, how := range s.checks {
			if s.name == c.service {
				r := check.Result{Service: s.name, Type: how.kind, Status: check.Healthy}
				if how.usualMS > 0 {
					took := m.dice.took(how.usualMS, at)
					r.ResponseTimeMS = &took
				}
				results = append(results, r)
			}
		}
	}
	if err := m.s.AddProbed(ctx, last.id, at, results, nil); err != nil {
		return at, err
	}
	c.row.LastChain = "solved"
	if err := m.s.SaveIncident(ctx, c.row); err != nil {
		return at, err
	}
	acts, err := m.s.SessionActs(ctx, last.id)
	if err != nil {
		return at, err
	}
	if len(acts) == 0 {
		text := fmt.Sprintf("%s is healthy, by its checks; Tier %d remediated nothing there", c.service, tier)
		return at, m.say(ctx, store.Info, last.id, c.service, text, at)
	}
	m.fixes++
	text := fmt.Sprintf("%s remediated by Tier %d: its checks are healthy again", c.service, tier)
	if err := m.say(ctx, store.Info, last.id, c.service, text, at); err != nil {
		return at, err
	}
	return at, m.tell(ctx, store.Notification{
		IncidentID: &c.row.ID, Kind: store.Remediated, Service: c.service, CreatedAt: at,
		Title: fmt.Sprintf("%s was down, and works again after a %s", c.service, acts[len(acts)-1].Action),
		Body: fmt.Sprintf("Tier %d did it; the checks after it find %s healthy.\n- %s\n\nclaudeops incidents show %d", tier, c.service,
			strings.Join(outcomes(acts), "\n- "), c.row.ID),
	})
}

// outcomes says what was done.
func outcomes(acts []store.Act) (lines []string) {
	for _, a := range acts {
		outcome := "succeeded"
		if !a.Success {
			outcome = "failed: " + a.Error
		}
		lines = append(lines, fmt.Sprintf("%s at %s, %s", a.Action, records.Moment(a.CreatedAt), outcome))
	}
	return lines
}

// askHuman ends a chain with a human being asked.
func (m *month) askHuman(ctx context.Context, c *ailment, last done) error {
	c.deadEnd(last.ended)
	if err := m.s.SaveIncident(ctx, c.row); err != nil {
		return err
	}
	text := fmt.Sprintf("Tier 3 handed off too: there is no further tier, and %s is not resolved", c.service)
	if err := m.say(ctx, store.Critical, last.id, "", text, last.ended); err != nil {
		return err
	}
	return m.tell(ctx, store.Notification{
		IncidentID: &c.row.ID, Kind: store.HumanAttention, Service: c.service, Cause: string(records.Unresolved), CreatedAt: last.ended,
		Title: fmt.Sprintf("%s is %s and needs human attention: %s", c.service, c.row.Status, c.found[0].Error),
		Body: fmt.Sprintf("%s is %s since %s: %s\n\nTier 3, the last, could not resolve it either. claudeops tries again after %s, or as soon as it changes.\n\n%s\n\nclaudeops incidents show %d\nclaudeops silence %s --for 2h",
			c.service, c.row.Status, records.Moment(c.row.OpenedAt), c.found[0].Error, records.Moment(*c.row.RetryAt), c.human, c.row.ID, c.service),
	})
}

// recoveries counts healthy cycles, and closes the incidents of services that had two.
func (m *month) recoveries(ctx context.Context, session int64, results []check.Result, at time.Time) error {
	worst := check.Worst(results)
	for _, s := range tenants() {
		if worst[s.name] != check.Healthy {
			continue
		}
		m.healthy[s.name]++
		if c := m.open[s.name]; c != nil && m.healthy[s.name] == 1 {
			c.row.HealthySince, c.row.HealthyCycles = &at, 1
			if err := m.s.SaveIncident(ctx, c.row); err != nil {
				return err
			}
		}
		if m.healthy[s.name] < 2 {
			continue
		}
		m.healthy[s.name] = 0
		if err := m.s.ClearActs(ctx, s.name, at); err != nil {
			return err
		}
		c := m.open[s.name]
		if c == nil {
			continue
		}
		delete(m.open, s.name)
		c.row.Status, c.row.ClosedAt, c.row.LastSeenAt, c.row.RetryAt = check.Healthy, &at, at, nil
		if err := m.s.SaveIncident(ctx, c.row); err != nil {
			return err
		}
		if len(c.chains[0]) > 1 && c.human == "" {
			m.lab.Fixed = c.row.ID
		}
		lasted := records.Span(at.Sub(c.row.OpenedAt))
		text := fmt.Sprintf("%s recovered: healthy in 2 cycles in a row, incident %d closed after %s", s.name, c.row.ID, lasted)
		if err := m.say(ctx, store.Info, session, s.name, text, at); err != nil {
			return err
		}
		err := m.tell(ctx, store.Notification{
			IncidentID: &c.row.ID, Kind: store.Recovered, Service: s.name, CreatedAt: at, Title: s.name + " recovered after " + lasted,
			Body: fmt.Sprintf("It was %s: %s\n\nclaudeops incidents show %d", c.found[0].Status, c.found[0].Error, c.row.ID),
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// digest is the daily one.
func (m *month) digest(ctx context.Context, at time.Time) error {
	cost, err := m.s.CostSince(ctx, at.Add(-24*time.Hour))
	if err != nil {
		return err
	}
	state := "all 14 services are healthy"
	var unwell []string
	for _, t := range troubles() {
		if c := m.open[t.service]; c != nil && c.ago == t.ago {
			unwell = append(unwell, fmt.Sprintf("\n- %s: %s since %s; %s", c.service, c.row.Status, records.Moment(c.row.OpenedAt), c.found[0].Error))
		}
	}
	if len(unwell) > 0 {
		state = fmt.Sprintf("%d of 14 services are unwell", len(unwell))
	}
	remediated := "Nothing was remediated in 24 h."
	if m.fixes > 0 {
		remediated = fmt.Sprintf("%d remediations in 24 h.", m.fixes)
	}
	m.fixes, m.digestAt = 0, at
	return m.tell(ctx, store.Notification{
		Kind: store.DailyDigest, CreatedAt: at, Title: fmt.Sprintf("Daily digest: %s, $%.2f", state, cost),
		Body: strings.ToUpper(state[:1]) + state[1:] + "." + strings.Join(unwell, "") + "\n\n" + remediated + fmt.Sprintf("\n\nCost in 24 h: $%.2f.", cost),
	})
}

// aside writes what is beside incidents: silences, a target that fails, messages.
func (m *month) aside(ctx context.Context) error {
	now := m.lab.Now
	over, _, err := m.s.AddSilence(ctx, store.Silence{
		Service: "nextcloud", Reason: "upgrade to Nextcloud 32", CreatedAt: now.Add(-11*24*time.Hour - 3*time.Hour), Until: now.Add(-11 * 24 * time.Hour),
	})
	if err != nil {
		return err
	}
	if err := m.s.SilenceTold(ctx, over.ID, now.Add(-11*24*time.Hour)); err != nil {
		return err
	}
	_, _, err = m.s.AddSilence(ctx, store.Silence{
		Service: "home-assistant", Reason: "Robin moves it to the new Zigbee stick", CreatedAt: now.Add(-95 * time.Minute), Until: m.lab.silenceEnds(),
	})
	if err != nil {
		return err
	}
	id, err := m.s.AddMessage(ctx, store.Notification{
		Kind: store.Message, Service: "immich", Cause: "session 400", CreatedAt: now.Add(-50 * time.Minute), Title: "Tier 2 says: the photo disk is 91 % full",
		Body: "At the present rate /srv/photos is full in about 16 days. Nothing was done about it.",
	}, 0)
	if err != nil {
		return err
	}
	if err := m.s.Group(ctx, now); err != nil {
		return err
	}
	return m.s.TargetFailed(ctx, store.FailingTarget{
		Hash: mailbox, Name: "mailtos://mail.example.org", FailingSince: now.Add(-46 * time.Minute), Attempts: 3, RetryAt: now.Add(9 * time.Minute),
		LastError: "mail.example.org:465: connection refused",
	}, id)
}

// running writes the cycle that has not ended: its Tier 2 is this process.
func (m *month) running(ctx context.Context) error {
	at := m.at(0)
	news, results := m.look(0, at)
	unwell := m.unwell(news)
	do := m.observation(results, unwell)
	do.status = store.Escalated
	tier1, err := m.session(ctx, nil, at.Add(2*time.Second), do)
	if err != nil {
		return err
	}
	if err := m.s.AddProbed(ctx, tier1.id, at.Add(3*time.Second), results, nil); err != nil {
		return err
	}
	for _, c := range unwell {
		if err := m.found(ctx, c, tier1.id, tier1.ended); err != nil {
			return err
		}
		c.bad++
	}
	if err := m.recoveries(ctx, tier1.id, results, tier1.ended); err != nil {
		return err
	}
	m.lab.Open, m.lab.Held = m.open[needsHuman].row.ID, m.open[heldBack].row.ID
	if err := m.say(ctx, store.Info, tier1.id, "", "Tier 2 started for "+atWork, tier1.ended); err != nil {
		return err
	}
	return m.atWork(ctx, tier1, m.open[atWork])
}

// atWork writes the session of Tier 2 that runs.
func (m *month) atWork(ctx context.Context, parent done, c *ailment) error {
	is, err := tiers.Identify(os.Getpid())
	if err != nil {
		return err
	}
	at := parent.ended.Add(time.Second)
	id, err := m.s.AddSession(ctx, store.Session{
		ParentID: &parent.id, Tier: 2, Model: "sonnet", Agent: "claude", PromptFile: "tier2.md", Trigger: "escalation", Status: store.Running, StartedAt: at,
		CLISessionID: m.dice.uuid(at), RunToken: m.dice.hex(32),
	})
	if err != nil {
		return err
	}
	m.lab.Running = id
	if err := m.s.SetSessionLog(ctx, id, m.lab.LogPath(id)); err != nil {
		return err
	}
	if err := m.s.SetSessionProcess(ctx, id, is.PID, is.Start, is.BootID); err != nil {
		return err
	}
	if err := m.s.LinkSession(ctx, c.row.ID, id, "", ""); err != nil {
		return err
	}
	log := &rawLog{dice: m.dice, at: at, session: m.dice.uuid(at), model: "sonnet"}
	log.begin()
	if err := m.calls(ctx, log, id, work{tier: 2, calls: runningCalls()}); err != nil {
		return err
	}
	return log.write(m.lab.LogPath(id))
}

// Finish ends the session that runs, as one that mended what it was started for.
func (l *Lab) Finish(ctx context.Context) error {
	code := 0
	return l.writing(ctx, func(s *store.Store) error {
		return s.EndSession(ctx, l.Running, store.SessionEnd{
			Status: store.Completed, ExitCode: &code, CostUSD: 0.2841, NumTurns: 11, DurationMS: 212_000, InputTokens: 148_000, OutputTokens: 3900, Response: runningReport,
		})
	})
}

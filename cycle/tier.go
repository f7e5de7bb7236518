package cycle

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/uuid"
	"golang.org/x/sys/unix"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/handoff"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/prompts"
	"github.com/claudeops/claudeops/state"
	"github.com/claudeops/claudeops/statefile"
	"github.com/claudeops/claudeops/store"
	"github.com/claudeops/claudeops/tiers"
)

// agentClaude is the sessions.agent value of the claude program.
const agentClaude = "claude"

// tier runs one tier as a session of its own and settles its records, handoff and outcome. An error of the tier is a failure of its
// session; the cycle continues.
func (c *Cycle) tier(ctx context.Context, run *tierRun) (*tierRun, error) {
	budget := c.Config.Tier(run.session.Tier).BudgetUSD                       // 0 means none
	limited := c.Config.DailyBudgetUSD > 0 && run.session.Agent != agentProbe // the probes cost nothing
	var now *state.State
	var left float64
	var err error
	if limited {
		if now, err = c.mended(ctx); err != nil {
			return nil, err
		}
		left, _ = now.BudgetLeft()
		if budget == 0 || left < budget {
			budget = left
		}
	}
	if run.session, err = c.addSession(ctx, run); err != nil {
		return nil, err
	}
	if err := c.link(ctx, run, ""); err != nil { // done first, so that pages show what is in progress
		return nil, err
	}
	if limited && left <= 0 {
		run.outcome = tiers.Outcome{Ending: tiers.Failed, ExitCode: -1, Reason: "not started: CLAUDEOPS_DAILY_BUDGET_USD is spent"}
		return run, errors.Join(c.standIn(ctx, run), c.concludeTier(ctx, run), c.apply(ctx, run.session.ID, overBudget(now, run.session.Tier)...))
	}
	if run.outcome, err = c.run(ctx, run, budget); err != nil {
		run.fails(err.Error())
	}
	return run, errors.Join(c.standIn(ctx, run), c.concludeTier(ctx, run))
}

// fails adds a failure to the description of how a tier ended.
func (run *tierRun) fails(why string) {
	o := &run.outcome
	if o.Ending != tiers.Interrupted && o.Ending != tiers.TimedOut {
		o.Ending = tiers.Failed
	}
	if o.Reason != "" && o.Reason != why {
		why = o.Reason + "; " + why
	}
	o.Reason = why
}

func (c *Cycle) addSession(ctx context.Context, run *tierRun) (store.Session, error) {
	s := run.session
	s.Trigger, s.Status, s.StartedAt, s.RunToken = c.Trigger, store.Running, c.Now(), rand.Text()
	if s.Agent == agentClaude {
		s.Model, s.PromptFile, s.CLISessionID = c.Config.Tier(s.Tier).Model, c.Prompts.Name(s.Tier), uuid.NewString()
		s.Question = c.Redactor.String(c.Asked.Question) // redacted because ps shows arguments
	}
	if s.Agent == store.Approved {
		s.Trigger = store.ByApproval
	}
	if run.parent != nil {
		s.ParentID, s.Trigger = &run.parent.session.ID, "escalation"
	}
	var err error
	if s.ID, err = c.Store.AddSession(ctx, s); err != nil {
		return s, err
	}
	c.shows(s, tiers.Progress{})
	if s.Agent == agentProbe {
		return s, nil // its results are on record, and it says nothing else
	}
	s.LogPath = c.logPath(s.ID)
	return s, c.Store.SetSessionLog(ctx, s.ID, s.LogPath)
}

// logPath returns the path of a session's raw log. It is never taken from the database, which an agent could have altered.
func (c *Cycle) logPath(session int64) string {
	return filepath.Join(c.Config.ResultsDir, "session-"+strconv.FormatInt(session, 10)+".ndjson")
}

// run runs the agent of a session to its end.
func (c *Cycle) run(ctx context.Context, run *tierRun, budget float64) (out tiers.Outcome, err error) {
	s := run.session
	if s.Agent == agentProbe {
		return c.observeAlone(ctx, run)
	}
	log, err := c.openLog(s)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, log.file.Close()) }()
	w, err := c.openWorkplace(ctx, run)
	if err != nil {
		return out, err
	}
	defer func() { err = errors.Join(err, c.closeWorkplace(ctx, w)) }()
	if w.Unconfined != "" {
		said := "the agent has no `bash`, but `look` and `read`, and what it has run is not confined: " + w.Unconfined
		if err := c.event(ctx, store.Warning, s.ID, "", said); err != nil {
			return out, err
		}
	}
	spec, err := c.spec(ctx, w)
	if err != nil {
		return out, err
	}
	spec.Log, spec.BudgetUSD = log, budget
	if spec.Context, err = c.context(ctx, run); err != nil {
		return out, err
	}
	if spec.Server, err = w.server(); err != nil {
		return out, err
	}
	spec.Timeout -= min(c.Now().Sub(s.StartedAt), spec.Timeout/2) // minus the time of the checks before it
	beside := c.watchBeside(run)
	spec.Beside = func(now context.Context) {
		var told <-chan time.Time
		if s.Tier > 1 {
			told = c.after(toldAfter)
		}
		beside.goOn(now, ctx, told)
	}
	return tiers.Run(ctx, spec)
}

func (c *Cycle) spec(ctx context.Context, w *workplace) (spec tiers.Spec, err error) {
	s, ws := w.run.session, w.ws
	values := c.values(w)
	limits := c.Config.Tier(s.Tier)
	spec = tiers.Spec{
		Tier: s.Tier, Bin: c.Config.ClaudeBin, Model: s.Model, MaxTurns: limits.MaxTurns, Timeout: limits.Timeout,
		Dir: c.workDir(), Workspace: ws, Credential: c.Credential, CLISessionID: s.CLISessionID, Redactor: c.Redactor,
		Environ:  c.agentEnvironment(s, ws),
		Started:  func(p tiers.ProcessID) error { return c.Store.SetSessionProcess(ctx, s.ID, p.PID, p.Start, p.BootID) },
		Progress: func(p tiers.Progress) { c.shows(s, p) },
	}
	if spec.Prompt, err = c.Prompts.Prompt(values); err != nil {
		return spec, err
	}
	if s.Question != "" {
		spec.Prompt += fmt.Sprintf(questionForm, some(c.Asked.Services), s.Question)
	}
	if spec.System, err = c.Prompts.System(values); err != nil {
		return spec, err
	}
	docs, err := c.Prompts.Files(values)
	if err != nil {
		return spec, err
	}
	if values.Shard != "" || values.Asked {
		docs[prompts.ShardFile] = c.ownServices()
	}
	return spec, ws.LayDocs(docs)
}

// shows reports a session's progress to whoever wants to know.
func (c *Cycle) shows(s store.Session, p tiers.Progress) {
	if c.Progress != nil {
		c.Progress(s, p)
	}
}

// ownServices returns the names of the services that this cycle checks, one per line, if these are not all services.
func (c *Cycle) ownServices() string {
	if len(c.Inventory.Services) == 0 {
		return "(this shard has no services: there is nothing to check)\n"
	}
	var text strings.Builder
	for i := range c.Inventory.Services {
		text.WriteString(c.Inventory.Services[i].Name + "\n")
	}
	return text.String()
}

// values returns the values that prompts may refer to.
func (c *Cycle) values(w *workplace) prompts.Values {
	s, ws := w.run.session, w.ws
	return prompts.Values{
		Tier: s.Tier, MaxTier: c.Config.MaxTier, StateDir: ws.State(), ResultsDir: c.Config.ResultsDir,
		ReposDir: c.Config.ReposDir, ScratchDir: ws.Scratch(), DocsDir: ws.Docs(), Inventory: c.Config.Inventory, Shard: c.Config.Shard.String(), Asked: c.asked(),
		DryRun: c.Config.DryRun, Trigger: s.Trigger, Probed: s.Tier == 1 && c.Inventory.HasChecks(), NoShell: w.Unconfined != "",
		MaxRestarts: statefile.Restart.Limit(), RestartWindow: statefile.Restart.Window(),
		MaxRedeployments: statefile.Redeployment.Limit(), RedeploymentWindow: statefile.Redeployment.Window(),
		MaxRemediationsPerDay: c.Config.MaxRemediationsPerDay,
	}
}

// context returns a tier's input besides its prompt: the latest probe results for Tier 1; for the others the handoff that asked for them,
// what earlier sessions of the same incidents found and tried, and the runbooks of their services.
func (c *Cycle) context(ctx context.Context, run *tierRun) (string, error) {
	if run.parent == nil {
		if !c.Inventory.HasChecks() {
			return "", nil
		}
		return c.prepare(ctx, run.session)
	}
	history, err := c.history(ctx, run.parent.services)
	if err != nil {
		return "", err
	}
	text, cut := run.parent.handoff.Context(history)
	text = c.Redactor.String(text) // redacted because ps shows arguments
	if cut != "" {
		err = c.event(ctx, store.Warning, run.parent.session.ID, "", "escalation context truncated: "+cut)
	}
	if err != nil {
		return "", err
	}
	runbooks, err := c.runbooks(ctx, run.session.ID, run.parent.handoff.ServicesAffected)
	return text + runbooks, err
}

// link links a session to each incident of its services, with what it found so far.
func (c *Cycle) link(ctx context.Context, run *tierRun, findings string) error {
	if len(run.services) == 0 {
		return nil
	}
	return c.apply(ctx, run.session.ID, link{run.services, findings, ""})
}

// history returns what earlier sessions of the services' open incidents found and tried, oldest first, so that
// nothing is tried twice.
func (c *Cycle) history(ctx context.Context, services []string) (past []handoff.Attempt, err error) {
	open, err := c.Store.OpenIncidents(ctx)
	if err != nil {
		return nil, err
	}
	for _, name := range services {
		i, known := open[name]
		if !known {
			continue
		}
		sessions, err := c.Store.IncidentAttempts(ctx, i.ID)
		if err != nil {
			return nil, err
		}
		for _, s := range sessions {
			past = append(past, handoff.Attempt{
				Service: name, Session: s.Session.ID, Tier: s.Session.Tier, At: s.Session.StartedAt,
				Findings: s.Findings, Attempted: s.Attempted,
			})
		}
	}
	return past, nil
}

// agentEnvironment returns the allow-listed environment plus the variables that the agent's commands need.
func (c *Cycle) agentEnvironment(s store.Session, ws *tiers.Workspace) []string {
	set := c.sessionVariables(s, ws)
	set["PATH"] = cmp.Or(config.Lookup(c.Environ, "PATH"), crontab.SystemPath)
	if dir := c.Credential.ConfigDir; dir != "" {
		set["CLAUDE_CONFIG_DIR"] = dir
	}
	return tiers.Environment(c.Environ, c.Config.AgentEnv, c.Credential, set)
}

// sessionVariables returns the variables that tell a command where it is and, of this program, which session it works for.
func (c *Cycle) sessionVariables(s store.Session, ws *tiers.Workspace) map[string]string {
	return map[string]string{
		"HOME":                  ws.Home(),
		"TMPDIR":                ws.Scratch(),
		"CLAUDEOPS_STATE_DIR":   ws.State(),
		"CLAUDEOPS_RESULTS_DIR": c.Config.ResultsDir,
		"CLAUDEOPS_REPOS_DIR":   c.Config.ReposDir,
		"CLAUDEOPS_DRY_RUN":     strconv.FormatBool(c.Config.DryRun),
		"CLAUDEOPS_TIER":        strconv.Itoa(s.Tier),
		"CLAUDEOPS_SESSION_ID":  strconv.FormatInt(s.ID, 10),
		config.RunTokenVariable: s.RunToken,
	}
}

// workDir returns REPOS_DIR if it is accessible, else the state directory: an agent needs a working directory.
func (c *Cycle) workDir() string {
	if st, err := os.Stat(c.Config.ReposDir); err == nil && st.IsDir() && unix.Access(c.Config.ReposDir, unix.R_OK|unix.X_OK) == nil {
		return c.Config.ReposDir
	}
	return c.Config.StateDir
}

// openLog creates the raw log of a session. An existing file of that name, or of its command log's, was left by an earlier agent or by a
// session of a lost database.
func (c *Cycle) openLog(s store.Session) (*sessionLog, error) {
	for _, path := range []string{guard.AuditBeside(s.LogPath), s.LogPath} {
		if err := os.RemoveAll(path); err != nil {
			return nil, fmt.Errorf("open the log of session %d: %w", s.ID, err)
		}
	}
	f, err := statedir.OpenFile(s.LogPath, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return nil, fmt.Errorf("open the log of session %d: %w", s.ID, err)
	}
	return &sessionLog{file: f, left: maxSessionLog}, nil
}

// written is what an agent left as its handoff.
type written struct {
	handoff.Handoff
	raw   []byte // as the agent wrote it
	fault error  // why it is none
}

// tierRun is one tier of the chain.
type tierRun struct {
	session  store.Session
	parent   *tierRun
	services []string        // the chain's services: all that handoffs have named so far; nil before the first
	chosen   int             // the tier that a person wants after it; 0: what it found decides
	approved *store.Proposal // that it runs; nil for none

	// Set once the tier has ended.
	differs string // how what the proposal depends on differs, so that it did not run
	seen    broker.Seen
	outcome tiers.Outcome
	claim   string           // its last message as people see it, headed if it is not verified
	written *written         // nil if its agent left nothing
	handoff *handoff.Handoff // nil if it left no valid one
	invalid bool             // its handoff was invalid
	checks  []store.Check    // what Tier 1 has found
	stoodIn bool             // the program's own checks were made in its place, because it failed
	// unproven is set if a signal came before those checks ran: it is not known whether the tier helped.
	unproven bool
	aided    map[string]bool // the services for which first aid is over in this cycle
}

// newRun returns a tier that is about to run; parent is nil for Tier 1.
func newRun(tier int, agent string, parent *tierRun) *tierRun {
	run := &tierRun{session: store.Session{Tier: tier, Agent: agent}, parent: parent, aided: map[string]bool{}}
	if parent != nil {
		run.services = parent.services
	}
	return run
}

// union returns the names in either list, each once.
func union(names, more []string) []string {
	known := map[string]bool{}
	return slices.DeleteFunc(slices.Concat(names, more), func(name string) bool {
		was := known[name]
		known[name] = true
		return was
	})
}

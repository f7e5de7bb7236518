// Package tiers runs one tier: one process of the agent program, from its command line to its verdict.
//
// It promises that whatever the agent did (exit, hang, flood, fork, close its pipes) Run returns within the tier's time
// limit and a few seconds of grace, that every byte of its output was read before it was judged, and that when Run returns
// nothing that the agent started is alive. It knows nothing of cycles, handoffs or the database.
package tiers

import (
	"context"
	"io"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

// Spec is what one run of a tier needs. Every field without a remark is required.
type Spec struct {
	Tier    int
	Bin     string   // the agent program, a name to be found in PATH or a path
	Args    []string // of an agent that is not the claude program; nil for that, whose arguments follow from the fields up to MaxTurns
	Model   string
	Prompt  string // what the tier is asked to do
	System  string // our own system prompt, in place of the program's
	Context string // escalation context; empty for Tier 1

	BudgetUSD float64       // limit passed to the agent; 0 is none
	MaxTurns  int           // limit passed to the agent; 0 is none
	Timeout   time.Duration // wall time, after which the agent is stopped
	Grace     time.Duration // between SIGINT, SIGTERM and SIGKILL; 0 is DefaultGrace

	Dir          string // working folder
	Workspace    *Workspace
	Environ      []string // the agent's whole environment, from Environment
	Credential   config.Credential
	Door         *Door  // what the agent can do; nil is nothing
	Hooks        Hooks  // the operator's own; nil for none
	HookProgram  string // what hooks call; empty is this very program
	CLISessionID string // UUID by which the agent program knows the session

	Log      io.Writer             // raw stdout, redacted, line by line
	Redactor *mask.Redactor        // nil redacts nothing
	Started  func(ProcessID) error // called once the process exists; an error stops the tier
	Progress func(Progress)        // called from the reading goroutine; nil is allowed
	// Beside goes on in this process while the agent runs, and ends soon after its context: the agent's end is waited for before, and what it
	// started itself is gone before the tier looks for what the agent has left. Nil is nothing.
	Beside func(context.Context)
}

// DefaultGrace is how long each of SIGINT and SIGTERM may take to work before the next, harder signal.
const DefaultGrace = 5 * time.Second

// Ending is how a run ended.
type Ending string

// The endings there are.
const (
	Completed   Ending = "completed"   // exit 0 with a result that is no error
	Failed      Ending = "failed"      // anything else that the agent did
	TimedOut    Ending = "timed_out"   // stopped at Spec.Timeout
	Interrupted Ending = "interrupted" // stopped because the caller's context ended
)

// Outcome is what is known of a run after it. The zero CostUSD and counts mean that the agent spent nothing.
type Outcome struct {
	Ending   Ending
	Reason   string // for people, where Ending is not Completed
	ExitCode int    // of the process; -1 where a signal ended it or it never started

	CostUSD      float64 // the agent's own figure, or an estimate from its messages where none came
	NumTurns     int
	DurationMS   int64
	InputTokens  int64 // cache reads and writes included
	OutputTokens int64

	Response  string   // the agent's last words
	Tools     []string // of the init event: what the agent could have used
	Markers   []Marker
	Survivors []int // processes that could not be ended; always empty unless the kernel holds them
}

// Progress is what a person may want to see while a tier runs.
type Progress struct {
	Tool    string // the tool being used, empty between tools
	CostUSD float64
	Waiting string    // what is waited for after the tier; empty while it runs
	Until   time.Time // when that is over; zero where it is not known
}

// ProcessID names a process beyond the reuse of its pid.
type ProcessID struct {
	PID    int
	Start  int64  // start time in clock ticks since boot
	BootID string // the kernel's boot_id
}

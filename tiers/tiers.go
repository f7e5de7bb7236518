// Package tiers runs one tier: one process of the agent program, from its command line to its outcome.
//
// Whatever the agent does (exit, hang, flood, fork, close its pipes), Run returns within the tier's time limit and a few seconds of
// grace. It has then read all of the agent's output, and nothing that the agent started is alive. The package knows nothing of cycles,
// handoffs or the database.
package tiers

import (
	"context"
	"io"
	"time"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/internal/mask"
)

// Spec is what one run of a tier needs. Every field without a comment is required.
type Spec struct {
	Tier    int
	Bin     string // the agent program: a path, or a name to find in PATH
	Model   string
	Prompt  string // the task of the tier
	System  string // system prompt, which replaces the program's
	Context string // escalation context; empty for Tier 1

	BudgetUSD float64       // limit passed to the agent; 0 for none
	MaxTurns  int           // limit passed to the agent; 0 for none
	Timeout   time.Duration // wall time after which the agent is stopped
	Grace     time.Duration // between SIGINT, SIGTERM and SIGKILL; 0 means DefaultGrace

	Dir          string // working directory
	Workspace    *Workspace
	Environ      []string // the agent's whole environment, from Environment
	Credential   config.Credential
	Server       *Server // what the agent can do; nil for nothing
	CLISessionID string  // UUID of the session in the agent program

	Log      io.Writer             // raw stdout, redacted, line by line
	Redactor *mask.Redactor        // nil redacts nothing
	Started  func(ProcessID) error // called once the process exists; an error stops the tier
	Progress func(Progress)        // called from the reading goroutine; may be nil
	// Beside runs in this process while the agent does, and must return soon after its context ends. Everything it started has then ended,
	// before the sweep for what the agent left. Nil for nothing.
	Beside func(context.Context)
}

// DefaultGrace is how long SIGINT and SIGTERM may each take before the next signal.
const DefaultGrace = 5 * time.Second

// Ending is the way a run ended.
type Ending string

// The endings.
const (
	Completed   Ending = "completed"   // exit code 0 and a result without an error
	Failed      Ending = "failed"      // any other end caused by the agent
	TimedOut    Ending = "timed_out"   // stopped at Spec.Timeout
	Interrupted Ending = "interrupted" // stopped because the caller's context ended
)

// Outcome is the result of a run. Zero costs and counts mean that the agent spent nothing.
type Outcome struct {
	Ending   Ending
	Reason   string // for people; set unless Ending is Completed
	ExitCode int    // of the process; -1 if a signal ended it or it never started

	CostUSD      float64 // the agent's own figure, or an estimate from its messages if none came
	NumTurns     int
	DurationMS   int64
	InputTokens  int64 // includes cache reads and writes
	OutputTokens int64

	Response  string   // the agent's last message
	Tools     []string // from the init event: the tools that the agent could use
	Markers   []Marker
	Survivors []int // processes that could not be ended; empty unless the kernel holds them
}

// Progress is what people may want to see while a tier runs.
type Progress struct {
	Tool    string // the tool in use; empty between tools
	CostUSD float64
	Waiting string    // what the cycle waits for after the tier; empty while the tier runs
	Until   time.Time // when the waiting ends; zero if unknown
}

// ProcessID identifies a process even if its pid is reused.
type ProcessID struct {
	PID    int
	Start  int64  // start time in clock ticks since boot
	BootID string // the kernel's boot_id
}

package broker

import (
	"context"
	"errors"
	"io"
	"path"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// The tools whose questions this program answers itself.
const (
	toolQuery = "query"
	toolLogs  = "logs"
	toolGet   = "get"
)

// Question is what an agent asks of this program: of a database, a log or a URL.
type Question struct {
	Tool      string `json:"-"`
	Service   string `json:"service"`   // of query and logs; without a services file a container or unit
	Statement string `json:"statement"` // of query
	URL       string `json:"url"`       // of get
	Lines     int    `json:"lines"`     // of logs: how many of the last; 0 means defaultLines
	Since     string `json:"since"`     // of logs: a duration or a time; empty: any
	Contains  string `json:"contains"`  // of logs: a text that each line has
}

// Typed returns the question as it is typed in a shell.
func (q Question) Typed() string { return guard.CommandLine(q.argv()) }

func (q Question) argv() []string {
	words := []string{ownName, q.Tool}
	switch q.Tool {
	case toolGet:
		return append(words, q.URL)
	case toolQuery:
		return append(words, q.Service, q.Statement)
	}
	words = append(words, q.Service)
	if q.Lines != 0 {
		words = append(words, "-n", strconv.Itoa(q.Lines))
	}
	if q.Since != "" {
		words = append(words, "--since", q.Since)
	}
	if q.Contains != "" {
		words = append(words, "--contains", q.Contains)
	}
	return words
}

// sinceOf reads a time, or a duration before now; zero if there is none.
func sinceOf(words string, now time.Time) (time.Time, error) {
	if words == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(strings.TrimPrefix(words, "-")); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, words, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, guard.Refuse(guard.RuleCall, "since is %q; expected a duration like 90m, or a time like %s", words, now.Format(time.RFC3339))
}

// Asked returns the question that typed words are; asked is false if they are none. The error says how it is typed.
func Asked(argv []string) (q Question, asked bool, err error) {
	if len(argv) < 2 || path.Base(argv[0]) != ownName || len(argv) == 3 && (argv[2] == "--help" || argv[2] == "-h") {
		return q, false, nil
	}
	q.Tool = argv[1]
	switch words := argv[2:]; q.Tool {
	case toolQuery:
		if len(words) < 2 {
			return q, true, errors.New("expected claudeops query SERVICE STATEMENT")
		}
		q.Service, q.Statement = words[0], strings.Join(words[1:], " ")
	case toolGet:
		if len(words) != 1 {
			return q, true, errors.New("expected claudeops get URL")
		}
		q.URL = words[0]
	case toolLogs:
		flags := pflag.NewFlagSet("", pflag.ContinueOnError)
		flags.SetOutput(io.Discard)
		flags.IntVarP(&q.Lines, "lines", "n", 0, "")
		flags.StringVar(&q.Since, "since", "", "")
		flags.StringVar(&q.Contains, "contains", "", "")
		if flags.Parse(words) != nil || flags.NArg() != 1 {
			return q, true, errors.New("expected claudeops logs SERVICE [-n N] [--since 1h] [--contains TEXT]")
		}
		q.Service = flags.Arg(0)
	default:
		return q, false, nil
	}
	return q, true, nil
}

// Answer answers a question, masked and recorded like a call. The exit status is 0, or 1 if there is no answer, or 126 if it was refused;
// faults then has the reason.
func (b *Broker) Answer(ctx context.Context, toolUse string, q Question, out, faults io.Writer) (exit int, err error) {
	e := b.lookOf(toolUse, q.Tool, q.argv())
	if q.Service != "" {
		e.Services = []string{b.Inventory.NameOf(q.Service)}
	}
	return b.recorded(ctx, e, faults, func(e *guard.Entry) (int, error) {
		b.OnCall(*e)
		masked := b.Mask(out)
		fault := b.respond(ctx, q, masked)
		exit := 0
		if refusal := (*guard.RefusalError)(nil); errors.As(fault, &refusal) {
			exit = shim.ExitRefused
		}
		return exit, errors.Join(fault, unlessUnread(masked.Close()))
	})
}

// respond writes the answer. The error is a *guard.RefusalError if nothing was asked.
func (b *Broker) respond(ctx context.Context, q Question, to io.Writer) error {
	switch q.Tool {
	case toolQuery:
		return b.query(ctx, q, to)
	case toolLogs:
		return b.logs(ctx, q, to)
	}
	return b.get(ctx, q.URL, to)
}

func (b *Broker) query(ctx context.Context, q Question, to io.Writer) error {
	s, known := b.Inventory.Get(q.Service)
	switch {
	case !known:
		return b.unnamed(q.Service)
	case s.Query == inventory.Query{}:
		return guard.Refuse(guard.RuleServices, "the services file has no account for questions to %s: the operator adds "+
			"`query: {database: URL, password_env: NAME}`, as `claudeops probe validate --explain` says", s.Name)
	}
	text, err := b.Asker.Ask(ctx, s.Query, q.Statement)
	if refusal := query.Refusal(""); errors.As(err, &refusal) {
		return &guard.RefusalError{Rule: toolQuery, Reason: refusal.Error()}
	}
	if err == nil {
		_, err = io.WriteString(to, text)
	}
	return err
}

// unnamed refuses what is asked of a service that the services file does not name.
func (b *Broker) unnamed(service string) error {
	return guard.Refuse(guard.RuleServices, "the services file does not name %q; ask by the name of a service", service)
}

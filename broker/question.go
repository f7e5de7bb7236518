package broker

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/query"
	"github.com/claudeops/claudeops/sandbox/shim"
)

// The tools whose questions this program answers itself: to a database, a log or a URL.
const (
	toolQuery = "query"
	toolLogs  = "logs"
	toolGet   = "get"
)

// Asked reports whether typed words are such a question.
func Asked(argv []string) bool {
	return len(argv) > 1 && path.Base(argv[0]) == ownName && slices.Contains([]string{toolQuery, toolLogs, toolGet}, argv[1])
}

// answer answers a question. The exit status is 0, or 1 if there is no answer, or 126 if it was not asked.
func (b *Broker) answer(ctx context.Context, e *guard.Entry, r shim.Request, _ string, stdout, _ io.Writer) (exit int, err error) {
	b.OnCall(*e)
	masked := b.Mask(stdout)
	switch words := r.Argv[2:]; e.Tool {
	case toolQuery:
		err = b.query(ctx, e, words, masked)
	case toolLogs:
		err = b.logs(ctx, e, words, masked)
	default:
		err = b.get(ctx, words, masked)
	}
	if refusal := (*guard.RefusalError)(nil); errors.As(err, &refusal) {
		exit = shim.ExitRefused
	}
	return exit, errors.Join(err, unlessUnread(masked.Close()))
}

// query asks a service's database.
func (b *Broker) query(ctx context.Context, e *guard.Entry, words []string, to io.Writer) error {
	statement := strings.TrimSpace(strings.Join(words[min(1, len(words)):], " "))
	if statement == "" || words[0] == "" {
		return guard.Refuse(guard.RuleCall, "expected query SERVICE STATEMENT")
	}
	s, known := b.Inventory.Get(words[0])
	switch {
	case !known:
		return b.unnamed(words[0])
	case s.Query == inventory.Query{}:
		return guard.Refuse(guard.RuleServices, "the services file has no account for questions to %s: the operator adds "+
			"`query: {database: URL, password_env: NAME}`, as `claudeops probe validate --explain` says", s.Name)
	}
	e.Services = []string{s.Name}
	text, err := b.Asker.Ask(ctx, s.Query, statement)
	if refusal := query.Refusal(""); errors.As(err, &refusal) {
		return &guard.RefusalError{Rule: toolQuery, Reason: refusal.Error()}
	}
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(to, text)
	return err
}

// unnamed refuses what is asked of a service that the services file does not name.
func (b *Broker) unnamed(service string) error {
	return guard.Refuse(guard.RuleServices, "the services file does not name %q; ask by the name of a service", service)
}

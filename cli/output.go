package cli

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// Every command answers through print, printJSON, answer or show: they alone write to standard output. Each takes secrets out and lets
// nothing through that would steer a terminal, because most of what is shown was written by a model or by a service.

// print writes an answer in one piece, so that no secret is cut in two on its way through the redactor.
func (a *app) print(answer string) error {
	_, err := io.WriteString(a.Out, text.Printable(a.redactor.String(answer)))
	return err
}

// answer prints v where JSON is wanted, and text otherwise.
func (a *app) answer(v any, text string) error {
	if a.json {
		return a.printJSON(v)
	}
	return a.print(text)
}

// show answers with a list: as JSON, as a table under a heading, or with none where it is empty.
func show[T any](a *app, list []T, none string, heading []string, row func(T) []string) error {
	if len(list) == 0 && !a.json {
		return a.print(none + "\n")
	}
	return a.answer(list, table(a, heading, list, row))
}

// table aligns the cells of rows below a heading. A cell is one line.
func table[T any](a *app, heading []string, list []T, row func(T) []string) string {
	var out bytes.Buffer
	columns := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	line := func(cells []string) {
		for i, cell := range cells {
			cells[i] = a.line(cell)
		}
		_, _ = fmt.Fprintln(columns, strings.Join(cells, "\t")) // a buffer takes everything
	}
	line(heading)
	for _, one := range list {
		line(row(one))
	}
	_ = columns.Flush()
	return out.String()
}

// printColoured prints a table, the row of each status in its colour where standard output is a terminal that shows any.
func (a *app) printColoured(table string, statuses []check.Status) error {
	if !a.colours() {
		return a.print(table)
	}
	colour := map[check.Status]string{check.Healthy: "\x1b[32m", check.Degraded: "\x1b[33m", check.Down: "\x1b[31m", check.Unknown: "\x1b[35m"}
	lines := strings.Split(text.Printable(strings.TrimSuffix(table, "\n")), "\n")
	for i, status := range statuses {
		lines[i+1] = colour[status] + lines[i+1] + "\x1b[0m"
	}
	return a.steer(strings.Join(lines, "\n") + "\n")
}

// steer writes a text with escape sequences, in which everything foreign was made printable before.
func (a *app) steer(text string) error {
	_, err := io.WriteString(a.Out, a.redactor.String(text))
	return err
}

// printJSON writes v as every command with --json does: two spaces, a final newline, <, > and & as they are. Secrets are looked for
// in its strings alone: a number that happens to be one must not become something that is no JSON.
func (a *app) printJSON(v any) error {
	document, err := json.Marshal(v, json.Deterministic(true))
	if err != nil {
		return err
	}
	var out bytes.Buffer
	from := jsontext.NewDecoder(bytes.NewReader(document))
	to := jsontext.NewEncoder(&out, jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true)) // two names may be two secrets
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
		if token.Kind() == '"' {
			token = jsontext.String(a.redactor.String(token.String()))
		}
		if err := to.WriteToken(token); err != nil {
			return err
		}
	}
	_, err = io.WriteString(a.Out, text.PrintableJSON(out.String()))
	return err
}

// line makes one line of a foreign text, without any secret.
func (a *app) line(foreign string) string {
	return text.Line(a.redactor.String(foreign))
}

// indented puts a foreign text behind so many blanks on every line but the first and those that are empty, so that none looks like one of this program.
func (a *app) indented(foreign string, blanks int) string {
	foreign = text.Printable(strings.ReplaceAll(a.redactor.String(strings.TrimSpace(foreign)), "\r\n", "\n"))
	lines := strings.Split(foreign, "\n")
	for i := 1; i < len(lines); i++ {
		if lines[i] != "" {
			lines[i] = strings.Repeat(" ", blanks) + lines[i]
		}
	}
	return strings.Join(lines, "\n")
}

// firstLines has the lines of at most ten, and one that says how many there are besides.
func firstLines[T any](all []T, line func(T) string) (lines []string) {
	const few = 10
	for _, one := range all[:min(few, len(all))] {
		lines = append(lines, line(one))
	}
	if len(all) > few {
		lines = append(lines, fmt.Sprintf("and %d more", len(all)-few))
	}
	return lines
}

// local is a time for people: of their own zone, with its name.
func (a *app) local(t time.Time) string {
	return t.In(a.Now().Location()).Format("2006-01-02 15:04:05 MST")
}

func took(ms int64) string { return text.Took(time.Duration(ms) * time.Millisecond) }

func dash(text string) string { return cmp.Or(text, "-") }

// failUnless ends a command with exit 1 that has said already why.
func failUnless(well bool) error {
	if well {
		return nil
	}
	return &exitError{code: exitFault}
}

// readInput reads standard input up to a bound.
func (a *app) readInput(bound int64) ([]byte, error) {
	text, err := io.ReadAll(io.LimitReader(a.In, bound+1))
	if err != nil {
		return nil, fmt.Errorf("read standard input: %w", err)
	}
	if int64(len(text)) > bound {
		return nil, fmt.Errorf("standard input is larger than %d bytes", bound)
	}
	return text, nil
}

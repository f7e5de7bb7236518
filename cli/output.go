package cli

import (
	"bytes"
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

// Every command answers through print, printJSON or printTable: they alone write to standard output. Each takes secrets out and lets
// nothing through that would steer a terminal, because most of what is shown was written by a model or by a service.

// print writes an answer in one piece, so that no secret is cut in two on its way through the redactor.
func (a *app) print(answer string) error {
	_, err := io.WriteString(a.Out, text.Printable(a.redactor.String(answer)))
	return err
}

// printTable writes rows in aligned columns under a heading. A cell is one line.
func (a *app) printTable(heading []string, rows func(row func(...string))) error {
	all := [][]string{heading}
	rows(func(cells ...string) { all = append(all, cells) })
	table, err := a.columns(all)
	if err != nil {
		return err
	}
	return a.print(table)
}

// printColoured is printTable of rows with their heading, each row behind that in the colour of its status where standard output is a
// terminal that has any.
func (a *app) printColoured(rows [][]string, status func(row int) check.Status) error {
	table, err := a.columns(rows)
	if err != nil {
		return err
	}
	if !a.colours() {
		return a.print(table)
	}
	colour := map[check.Status]string{check.Healthy: "\x1b[32m", check.Degraded: "\x1b[33m", check.Down: "\x1b[31m", check.Unknown: "\x1b[35m"}
	heading, rest, _ := strings.Cut(table, "\n")
	lines := []string{text.Printable(heading)}
	for i, line := range strings.Split(strings.TrimSuffix(rest, "\n"), "\n") {
		lines = append(lines, colour[status(i)]+text.Printable(line)+"\x1b[0m")
	}
	return a.steer(strings.Join(lines, "\n") + "\n")
}

// columns aligns the cells of rows.
func (a *app) columns(rows [][]string) (string, error) {
	var out bytes.Buffer
	table := tabwriter.NewWriter(&out, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		cells := make([]string, len(row))
		for i, cell := range row {
			cells[i] = a.line(cell)
		}
		if _, err := fmt.Fprintln(table, strings.Join(cells, "\t")); err != nil {
			return "", err
		}
	}
	err := table.Flush()
	return out.String(), err
}

// steer writes what steers a terminal, which must be ours alone.
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

// indented puts a foreign text behind so many blanks on every line but the first and those that are empty, so that none looks like ours.
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

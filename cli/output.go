package cli

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/term"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// Only print, printJSON, answer and show write to standard output. Each removes secrets and terminal control sequences, because most of
// the output was written by a model or a service.

// print writes an answer in one piece, so that the redactor sees every secret whole.
func (a *app) print(answer string) error {
	_, err := io.WriteString(a.Out, text.Printable(a.redactor.String(answer)))
	return err
}

// answer prints v if JSON is wanted, otherwise text.
func (a *app) answer(v any, text string) error {
	if a.json {
		return a.printJSON(v)
	}
	return a.print(text)
}

// show prints a list: as JSON, as a table with a heading, or none if it is empty.
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
		_, _ = fmt.Fprintln(columns, strings.Join(cells, "\t")) // writing to a buffer does not fail
	}
	line(heading)
	for _, one := range list {
		line(row(one))
	}
	_ = columns.Flush()
	return out.String()
}

// printColoured prints a table, with each row in the colour of its status if standard output is a terminal with colours.
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

// colours reports whether standard output is a terminal with colours that are not switched off (no-color.org).
func (a *app) colours() bool {
	return isTerminal(a.Out) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
}

// isTerminal reports whether a stream is a terminal.
func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// width returns the columns of a terminal, 80 elsewhere.
func width(w io.Writer) int {
	if f, ok := w.(*os.File); ok {
		if columns, _, err := term.GetSize(int(f.Fd())); err == nil && columns > 0 {
			return columns
		}
	}
	return 80
}

// steer writes a text with escape sequences; foreign parts must have been made printable before.
func (a *app) steer(text string) error {
	_, err := io.WriteString(a.Out, a.redactor.String(text))
	return err
}

// printJSON writes v in the format of every --json: two spaces, a final newline, and <, > and & unescaped.
func (a *app) printJSON(v any) error {
	document, err := a.redactor.JSON(v)
	if err != nil {
		return err
	}
	indented := jsontext.Value(document)
	if err := indented.Indent(jsontext.WithIndent("  "), jsontext.AllowDuplicateNames(true)); err != nil {
		return err
	}
	_, err = io.WriteString(a.Out, text.PrintableJSON(string(indented))+"\n")
	return err
}

// indentedJSON formats JSON for reading. Invalid JSON is returned unchanged.
func indentedJSON(text string) string {
	value := jsontext.Value(text)
	_ = value.Indent(jsontext.WithIndent("  "))
	return string(value)
}

// line returns a foreign text as one line without secrets.
func (a *app) line(foreign string) string {
	return text.Line(a.redactor.String(foreign))
}

// indented indents every non-empty line but the first of a foreign text, so that none looks like a line of this program.
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

// firstLines returns at most ten lines, and one that counts the rest.
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

// local formats a time in the reader's zone, with its name.
func (a *app) local(t time.Time) string {
	return t.In(a.Now().Location()).Format("2006-01-02 15:04:05 MST")
}

func took(ms int64) string { return text.Took(time.Duration(ms) * time.Millisecond) }

func dash(text string) string { return cmp.Or(text, "-") }

// failUnless ends a command with exit 1 after it has printed the reason.
func failUnless(well bool) error {
	if well {
		return nil
	}
	return &exitError{code: exitFault}
}

// readInput reads standard input up to a limit.
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

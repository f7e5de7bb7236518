package cli

import (
	"cmp"
	"context"
	"strings"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
)

func init() { addCommand((*app).envCommand) }

func (a *app) envCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "env",
		Short: "Print every variable, its value in force and where that comes from",
		Long: `env prints every variable that claudeops knows, its value in force, where that comes from, and what it means.
Secrets are masked.

A value comes from the environment, from a line of ` + config.EnvFile + ` (or of the file that --env-file names), from the
file that NAME_FILE names (secrets only), or is the default.`,
		RunE: a.configured(func(_ context.Context, l *loaded, _ []string) error {
			variables := l.environment.Variables()
			return a.answer(variables, variableTable(variables))
		}),
	}
}

// The table fits lineWidth columns. A column is as wide as its longest cell, up to a limit; a longer cell pushes the rest to a line of
// its own, and a long meaning is wrapped. Nothing is cut.
const (
	lineWidth  = 120
	valueBound = 20
	fromBound  = 24
	gap        = 2
)

func variableTable(variables []config.Variable) string {
	rows := [][4]string{{"VARIABLE", "VALUE", "FROM", "MEANING"}}
	for _, v := range variables {
		rows = append(rows, [4]string{v.Name, cmp.Or(v.Value, "-"), v.Source, v.Meaning})
	}
	widths := [3]int{}
	for i, bound := range [3]int{lineWidth, valueBound, fromBound} {
		for _, row := range rows {
			if n := utf8.RuneCountInString(row[i]); n <= bound {
				widths[i] = max(widths[i], n+gap)
			}
		}
	}
	var out strings.Builder
	for _, row := range rows {
		writeRow(&out, row, widths)
	}
	return out.String()
}

func writeRow(out *strings.Builder, row [4]string, widths [3]int) {
	column := 0
	for i, width := range widths {
		column += width
		out.WriteString(row[i])
		if room := width - utf8.RuneCountInString(row[i]); room >= gap {
			out.WriteString(strings.Repeat(" ", room))
		} else {
			out.WriteString("\n" + strings.Repeat(" ", column))
		}
	}
	at := column
	for i, word := range strings.Fields(row[3]) {
		switch n := utf8.RuneCountInString(word); {
		case i == 0:
			at += n
		case at+1+n > lineWidth:
			out.WriteString("\n" + strings.Repeat(" ", column))
			at = column + n
		default:
			out.WriteByte(' ')
			at += 1 + n
		}
		out.WriteString(word)
	}
	out.WriteByte('\n')
}

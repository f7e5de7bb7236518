// Manual writes what the packages have beside the programs: their manual pages and their completions for bash, zsh and fish.
//
//	go run ./internal/manual [-version V] [-date UNIXTIME] DIR
//
// makes DIR/man/*.1.gz and DIR/completions/. The same commands, version and date make the same bytes.
package main

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"errors"
	"flag"
	"fmt"
	"io"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/cli"
	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/sandbox/shim"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("manual: ")
	version := flag.String("version", "", "the `version` that stands at the foot of each page")
	date := flag.Int64("date", 0, "the date of the pages, in `seconds` since 1970")
	flag.Parse()
	if flag.NArg() != 1 {
		log.Fatal("want one argument: the folder to write to")
	}
	if err := write(flag.Arg(0), strings.TrimSpace("claudeops "+*version), time.Unix(*date, 0).UTC()); err != nil {
		log.Fatal(err)
	}
}

// write makes the folder anew: a page of a command that is gone would stay.
func write(dir, source string, date time.Time) error {
	commands := cli.Commands()
	whole, others := commands[0], commands[1:]
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, folder := range []string{man, completions} {
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
			return err
		}
	}
	for _, c := range commands {
		if err := writeCompletions(completions, c); err != nil {
			return fmt.Errorf("completions of %s: %w", c.Name(), err)
		}
	}
	header := doc.GenManHeader{Section: "1", Date: &date, Source: source, Manual: "User Commands"}
	if err := writePages(man, whole, header); err != nil {
		return err
	}
	for _, c := range others {
		if err := writePages(man, alone(c), header); err != nil {
			return err
		}
	}
	return writePages(man, shimProgram(), header)
}

// shimProgram is claudeops-shim, which has no commands for people.
func shimProgram() *cobra.Command {
	c := &cobra.Command{
		Use:   shim.Name,
		Short: "Stands between an agent and its cycle",
		Long: `claudeops-shim has no use by itself: claudeops starts each command of an agent in its sandbox with it, and links to it stand in the sandbox for
the programs that run outside. claudeops-sandbox(1) runs a command as an agent would.`,
		Run: func(*cobra.Command, []string) {}, // without one, cobra writes no line of usage
	}
	c.Flags().Bool("help", false, "")
	c.Flags().Lookup("help").Hidden = true // it takes none, and cobra would add one
	return c
}

// alone is a program whose commands claudeops has too: one page, which says where theirs are.
func alone(c *cobra.Command) *cobra.Command {
	var pages []string
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		switch name := sub.Name(); {
		case c.Name() == "claude-hooks" && name != "version" && name != "completion":
			pages = append(pages, "claudeops-hooks-"+name+"(1)")
		default:
			pages = append(pages, "claudeops-"+name+"(1)")
		}
	}
	c.Long += "\n\nIts commands are those of claudeops(1): " + strings.Join(pages, ", ") + "."
	c.RemoveCommand(c.Commands()...)
	c.Run = func(*cobra.Command, []string) {} // without one, cobra writes no line of usage
	c.Use += " COMMAND"
	return c
}

// writePages writes the page of a command and those of the commands below it.
func writePages(dir string, c *cobra.Command, header doc.GenManHeader) error {
	asMarkdown(c)
	for _, sub := range c.Commands() {
		if !sub.IsAvailableCommand() {
			continue
		}
		if err := writePages(dir, sub, header); err != nil {
			return err
		}
	}
	var page bytes.Buffer
	if err := doc.GenMan(c, &header, &page); err != nil {
		return fmt.Errorf("page of %s: %w", c.CommandPath(), err)
	}
	return compressed(filepath.Join(dir, pageName(c)+".1.gz"), tidy(page.Bytes(), *header.Date))
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// tidy makes lists of what cobra writes as lines with a tab in them, takes the value from flags that need none, and writes the whole date.
func tidy(page []byte, date time.Time) []byte {
	page = regexp.MustCompile(`(?m)(?:^\.PP\n)?^(\\fB.*)\n\t`).ReplaceAll(page, []byte(".TP\n$1\n"))
	page = bytes.Replace(page, []byte(`"`+date.Format("Jan 2006")+`"`), []byte(`"`+date.Format(time.DateOnly)+`"`), 1)
	return bytes.ReplaceAll(page, []byte("[=false]"), nil)
}

// asMarkdown changes the texts of a command, which are as help prints them, into the language that cobra reads them as.
func asMarkdown(c *cobra.Command) {
	c.DisableAutoGenTag = true
	c.InitDefaultHelpFlag()
	if c.HasAvailableSubCommands() {
		if c.Runnable() {
			c.Use += " [COMMAND]"
		} else {
			c.Use += " COMMAND"
		}
	}
	name, arguments, _ := strings.Cut(c.Use, " ")
	c.DisableFlagsInUseLine = strings.Contains(arguments, "[flags]")
	c.Use = strings.TrimSpace(name + " " + escape(arguments))
	c.Long = paragraphs(cmp.Or(c.Long, c.Short)) + commandList(c)
	if c.CommandPath() == "claudeops" {
		c.Long += forAll()
	}
	c.Short = escape(c.Short)
	c.Example = strings.TrimRight(c.Example, "\n")
	c.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if _, done := f.Value.(named); done {
			return
		}
		name, usage := pflag.UnquoteUsage(f)
		f.Usage = escape(usage)
		if name != "" { // a word for the value stands behind the flag, as in help, and the default in the text
			if zero := f.DefValue == "" || f.DefValue == "0" || f.DefValue == "0s" || f.DefValue == "[]"; !zero {
				f.Usage += escape(" (default " + f.DefValue + ")")
			}
			f.DefValue, f.Value = escape(name), named{f.Value}
		}
	})
}

// commandList is a section of the commands below one, of which cobra has the names alone.
func commandList(c *cobra.Command) string {
	if !c.HasAvailableSubCommands() {
		return ""
	}
	var pages [][2]string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, [2]string{pageName(sub) + "(1)", sub.Short})
		}
	}
	return section("COMMANDS", pages)
}

// forAll are sections that hold for every command.
func forAll() string {
	return section("EXIT STATUS", [][2]string{
		{"0", "It is done, or the answer is yes."},
		{"1", "It failed, or the answer is no."},
		{"2", "It was called wrongly, or the configuration is wrong: nothing was touched."},
		{"75", "A cycle runs on this state directory; try again later."},
		{"128+n", "Ended by signal n. What else a command exits with stands on its page."},
	}) + section("ENVIRONMENT", [][2]string{
		{"CLAUDEOPS_*", "The configuration; claudeops-env(1) prints every variable with its value in force. The environment beats the file."},
	}) + section("FILES", [][2]string{
		{config.EnvFile, "Variables, one a line as NAME=value; --env-file names another file."},
		{
			"/etc/cron.d/claudeops, /etc/systemd/system/claudeops.service, /etc/systemd/system/claudeops.timer, /etc/polkit-1/rules.d/50-claudeops.rules",
			"What claudeops-crontab-install(1) writes for the whole machine; copies of earlier ones are in /var/backups/claudeops.",
		},
	})
}

// section is one of words and what they mean.
func section(heading string, words [][2]string) string {
	var text strings.Builder
	text.WriteString("\n\n# " + heading + "\n")
	for _, w := range words {
		fmt.Fprintf(&text, "**%s**\n\t%s\n\n", escape(w[0]), escape(w[1]))
	}
	return strings.TrimRight(text.String(), "\n")
}

// named is the value of a flag whose default is a word for it, which is not to be quoted.
type named struct{ pflag.Value }

func (named) Type() string { return "word" }

// paragraphs escapes text; lines that are indented stay as they are, as in help.
func paragraphs(text string) string {
	var out strings.Builder
	verbatim := false
	for line := range strings.Lines(text) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, " ") || strings.HasPrefix(line, "\t")
		if indented != verbatim && line != "" {
			out.WriteString("\n```\n")
			verbatim = indented
		}
		if !verbatim {
			line = escape(line)
		}
		out.WriteString(line + "\n")
	}
	if verbatim {
		out.WriteString("```\n")
	}
	return strings.TrimRight(out.String(), "\n")
}

// escape makes text mean itself in Markdown.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "`", "\\`",
		"*", `\*`, "_", `\_`, "[", `\[`, "]", `\]`, "<", `\<`, ">", `\>`, "#", `\#`, "|", `\|`, "~", `\~`).Replace(text)
}

func writeCompletions(dir string, c *cobra.Command) error {
	for name, generate := range map[string]func(io.Writer) error{
		c.Name() + ".bash": func(w io.Writer) error { return c.GenBashCompletionV2(w, true) },
		"_" + c.Name():     c.GenZshCompletion,
		c.Name() + ".fish": func(w io.Writer) error { return c.GenFishCompletion(w, true) },
	} {
		var script bytes.Buffer
		if err := generate(&script); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(dir, name), script.Bytes(), 0o644); err != nil {
			return err
		}
	}
	return nil
}

// compressed writes a file as gzip -9n does: without name and time, which would differ from one making to the next.
func compressed(path string, text []byte) error {
	var packed bytes.Buffer
	w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
	if err != nil {
		return err
	}
	if _, err := w.Write(text); err != nil {
		return err
	}
	if err := w.Close(); err != nil {
		return err
	}
	return os.WriteFile(path, packed.Bytes(), 0o644)
}

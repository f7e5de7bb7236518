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
	version := flag.String("version", "", "the `version` at the foot of each page")
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
	man, completions := filepath.Join(dir, "man"), filepath.Join(dir, "completions")
	for _, folder := range []string{man, completions} {
		if err := errors.Join(os.RemoveAll(folder), os.MkdirAll(folder, 0o755)); err != nil {
			return err
		}
	}
	commands := cli.Commands()
	for _, c := range commands {
		err := errors.Join(
			c.GenBashCompletionFileV2(filepath.Join(completions, c.Name()+".bash"), true),
			c.GenZshCompletionFile(filepath.Join(completions, "_"+c.Name())),
			c.GenFishCompletionFile(filepath.Join(completions, c.Name()+".fish"), true))
		if err != nil {
			return fmt.Errorf("completions of %s: %w", c.Name(), err)
		}
	}
	whole, hooks := commands[0], alone(commands[1])
	for _, c := range []*cobra.Command{whole, hooks, shimProgram()} {
		asMarkdown(c)
		options := doc.GenManTreeOptions{
			Header: &doc.GenManHeader{Section: "1", Date: &date, Source: source, Manual: "User Commands"}, Path: man, CommandSeparator: "-",
		}
		if err := doc.GenManTreeFromOpts(c, options); err != nil {
			return fmt.Errorf("pages of %s: %w", c.Name(), err)
		}
	}
	pages, err := filepath.Glob(filepath.Join(man, "*.1"))
	if err != nil {
		return err
	}
	for _, page := range pages {
		if err := finish(page, date); err != nil {
			return err
		}
	}
	return nil
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

// alone is claude-hooks, whose commands claudeops has too: one page, which says where theirs are.
func alone(c *cobra.Command) *cobra.Command {
	var pages []string
	for _, sub := range c.Commands() {
		switch name := sub.Name(); {
		case !sub.IsAvailableCommand():
		case name == "version", name == "completion":
			pages = append(pages, "claudeops-"+name+"(1)")
		default:
			pages = append(pages, "claudeops-hooks-"+name+"(1)")
		}
	}
	c.Long += "\n\nIts commands are those of claudeops(1): " + strings.Join(pages, ", ") + "."
	c.RemoveCommand(c.Commands()...)
	c.Run = func(*cobra.Command, []string) {} // without one, cobra writes no line of usage
	c.Use += " COMMAND"
	return c
}

// finish tidies a page and compresses it. It makes lists of what cobra writes as lines with a tab in them, takes the value from flags that need
// none, and writes the whole date.
func finish(path string, date time.Time) error {
	page, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	page = regexp.MustCompile(`(?m)(?:^\.PP\n)?^(\\fB.*)\n\t`).ReplaceAll(page, []byte(".TP\n$1\n"))
	page = bytes.Replace(page, []byte(`"`+date.Format("Jan 2006")+`"`), []byte(`"`+date.Format(time.DateOnly)+`"`), 1)
	page = bytes.ReplaceAll(page, []byte("[=false]"), nil)
	packed, err := os.Create(path + ".gz")
	if err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(packed, gzip.BestCompression) // without name and time, which would differ from one making to the next
	if err != nil {
		return err
	}
	_, err = w.Write(page)
	return errors.Join(err, w.Close(), packed.Close(), os.Remove(path))
}

// asMarkdown changes the texts of a command and of those below it, which are as help prints them, into the language that cobra reads them as.
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
		if name != "" { // as in help: a word for the value behind the flag, and the default in the text
			if zero := f.DefValue == "" || f.DefValue == "0" || f.DefValue == "0s" || f.DefValue == "[]"; !zero {
				f.Usage += escape(" (default " + f.DefValue + ")")
			}
			f.DefValue, f.Value = escape(name), named{f.Value}
		}
	})
	for _, sub := range c.Commands() { // last: the list of commands escapes their texts itself
		asMarkdown(sub)
	}
}

// commandList is a section of the commands below one, of which cobra has the names alone.
func commandList(c *cobra.Command) string {
	if !c.HasAvailableSubCommands() {
		return ""
	}
	var pages [][2]string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, [2]string{strings.ReplaceAll(sub.CommandPath(), " ", "-") + "(1)", sub.Short})
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

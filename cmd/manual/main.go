// Manual writes the documentation in the packages: manual pages, and completions for bash, zsh and fish.
//
//	go run ./cmd/manual [-version V] [-date UNIXTIME] DIR
//
// writes DIR/man/*.1.gz and DIR/completions/. For the same commands, version and date, the output is byte for byte the same.
package main

import (
	"cmp"
	"compress/gzip"
	_ "embed"
	"errors"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"strings"
	"text/template"
	"time"

	"github.com/spf13/cobra"
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

// write recreates the directories; otherwise the page of a removed command would stay.
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
	for _, p := range append(pagesOf(commands[0]), hooksPage(commands[1]), shimPage()) {
		p.Source, p.Date, p.EnvFile = source, date.Format(time.DateOnly), config.EnvFile
		if err := p.write(man); err != nil {
			return fmt.Errorf("page of %s: %w", p.Name, err)
		}
	}
	return nil
}

// page is the data of the template.
type page struct {
	Name, Short, Usage, Long, Example string
	Above                             string // the page of the parent command
	Sections                          []section
	Source, Date, EnvFile             string
}

// section is a list of words with their meanings.
type section struct {
	Heading string
	Entries [][2]string
}

// pagesOf returns the pages of a command and of all below it.
func pagesOf(c *cobra.Command) []page {
	pages := []page{pageOf(c)}
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			pages = append(pages, pagesOf(sub)...)
		}
	}
	return pages
}

func pageOf(c *cobra.Command) page {
	c.InitDefaultHelpFlag()
	p := page{Name: pageName(c), Short: c.Short, Usage: c.UseLine(), Long: cmp.Or(c.Long, c.Short), Example: strings.TrimRight(c.Example, "\n")}
	var below [][2]string
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() {
			below = append(below, [2]string{pageName(sub) + "(1)", sub.Short})
		}
	}
	if len(below) > 0 {
		word := " COMMAND"
		if c.Runnable() {
			word = " [COMMAND]"
		}
		p.Usage = c.CommandPath() + word + strings.TrimPrefix(c.UseLine(), c.CommandPath())
	}
	p.Sections = []section{{"COMMANDS", below}, {"OPTIONS", options(c.NonInheritedFlags())}, {"OPTIONS OF ALL COMMANDS", options(c.InheritedFlags())}}
	if c.HasParent() {
		p.Above = pageName(c.Parent())
	}
	return p
}

func pageName(c *cobra.Command) string { return strings.ReplaceAll(c.CommandPath(), " ", "-") }

// options returns flags as shown by help: with a word for the value, and the default.
func options(set *pflag.FlagSet) (entries [][2]string) {
	set.VisitAll(func(f *pflag.Flag) {
		if f.Hidden {
			return
		}
		value, usage := pflag.UnquoteUsage(f)
		word := "--" + f.Name
		if f.Shorthand != "" {
			word = "-" + f.Shorthand + ", " + word
		}
		if value != "" {
			word += "=" + value
			if zero := f.DefValue == "" || f.DefValue == "0" || f.DefValue == "0s" || f.DefValue == "[]"; !zero {
				usage += " (default " + f.DefValue + ")"
			}
		}
		entries = append(entries, [2]string{word, usage})
	})
	return entries
}

// hooksPage returns the page of claude-hooks. Its commands are also commands of claudeops, so it refers to their pages.
func hooksPage(c *cobra.Command) page {
	p := pageOf(c)
	for i, entry := range p.Sections[0].Entries {
		p.Sections[0].Entries[i][0] = strings.NewReplacer("claude-hooks-version", "claudeops-version", "claude-hooks-completion", "claudeops-completion",
			"claude-hooks-", "claudeops-hooks-").Replace(entry[0])
	}
	return p
}

// shimPage returns the page of claudeops-shim, which has no commands for people.
func shimPage() page {
	return page{
		Name: shim.Name, Short: "Connects an agent with its cycle", Usage: shim.Name,
		Long: `claudeops-shim has no use by itself: claudeops starts each command of an agent in its sandbox with it, and links to it are in the sandbox
in the place of the programs that run outside. claudeops-sandbox(1) runs a command as an agent would.`,
	}
}

//go:embed page.tmpl
var pageText string

func (p page) write(dir string) error {
	t, err := template.New("page").Funcs(template.FuncMap{"roff": roff, "text": paragraphs}).Parse(pageText)
	if err != nil {
		return err
	}
	packed, err := os.Create(filepath.Join(dir, p.Name+".1.gz"))
	if err != nil {
		return err
	}
	w, err := gzip.NewWriterLevel(packed, gzip.BestCompression) // without name and time, so that the result is reproducible
	if err != nil {
		return err
	}
	return errors.Join(t.Execute(w, p), w.Close(), packed.Close())
}

// roff escapes text for roff.
func roff(text string) string {
	lines := strings.Split(strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(text), "\n")
	for i, line := range lines {
		if strings.HasPrefix(line, ".") || strings.HasPrefix(line, "'") {
			lines[i] = `\&` + line
		}
	}
	return strings.Join(lines, "\n")
}

// paragraphs formats the paragraphs of text; an indented one is kept as it is, as in help.
func paragraphs(text string) string {
	var all []string
	for part := range strings.SplitSeq(strings.TrimSpace(text), "\n\n") {
		if strings.HasPrefix(part, " ") || strings.HasPrefix(part, "\t") {
			all = append(all, ".EX\n"+roff(part)+"\n.EE")
		} else {
			all = append(all, roff(part))
		}
	}
	return strings.Join(all, "\n.PP\n")
}

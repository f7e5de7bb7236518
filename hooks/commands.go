package hooks

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/spf13/pflag"
)

// Version is the version that claude-hooks shows.
var Version = "dev"

const usage = `claude-hooks is a circuit breaker for the hooks of Claude Code: one that fails again and again is switched off for a while.

Usage:
  claude-hooks install [--include NAME]… [--settings FILE] [--dry-run]   put it in front of the hooks of your settings
  claude-hooks uninstall [--settings FILE] [--dry-run]                  take it away again
  claude-hooks health [--json | --line]      what is switched off, why, and until when
  claude-hooks list [--json]                 every hook that has run
  claude-hooks log [-n LINES] [NAME] [--json]  the end of the log
  claude-hooks reset NAME | --all            forget what is known of a hook: it runs again
  claude-hooks disable NAME                  switch a hook off until it is enabled
  claude-hooks enable NAME [--force]         undo that; --force also switches on what has failed
  claude-hooks metrics                       Prometheus text
  claude-hooks run [--quiet] -c LINE         what install writes in front of a hook
  claude-hooks run [--quiet] -- COMMAND…
  claude-hooks version

NAME is the file name of a hook's script, its command, or a part of that. Configuration: ~/.claude/guardrails.yaml.
`

// errUsage means that the command line is wrong.
type errUsage struct{ error }

// command is one call of the command line.
type command struct {
	Streams
	home   string
	config *Config
	flags  *pflag.FlagSet
	args   []string
	json   bool
}

// Main runs claude-hooks, and returns its exit code: 0, 1 with an error, 2 for a wrong command line; run has that of the hook.
func Main(args []string, std Streams) int {
	if len(args) > 0 && args[0] == "run" {
		return Run(args[1:], std)
	}
	err := dispatch(args, std)
	if err == nil {
		return 0
	}
	_, _ = fmt.Fprintf(std.Err, "claude-hooks: %v\n", err) // standard error may be closed
	if errors.As(err, new(errUsage)) {
		return 2
	}
	return 1
}

func dispatch(args []string, std Streams) error {
	if len(args) == 0 {
		args = []string{"help"}
	}
	c := &command{Streams: std, flags: pflag.NewFlagSet("claude-hooks "+args[0], pflag.ContinueOnError)}
	c.flags.SetOutput(io.Discard)
	c.flags.Usage = func() {}
	do := map[string]func() (func() error, int){
		"install": c.install, "uninstall": c.uninstall, "health": c.health, "list": c.list, "log": c.showLog, "reset": c.reset,
		"enable": c.enable, "disable": c.disable, "metrics": c.metrics, "deliver": c.deliver,
	}[args[0]]
	switch args[0] {
	case "help", "-h", "--help":
		return c.print(usage)
	case "version", "--version":
		return c.print("claude-hooks " + Version + "\n")
	}
	if do == nil {
		return errUsage{fmt.Errorf("unknown command %q; `claude-hooks help` lists them", args[0])}
	}
	run, most := do()
	err := c.flags.Parse(args[1:])
	if errors.Is(err, pflag.ErrHelp) {
		return c.print(usage)
	}
	c.args = c.flags.Args()
	if err == nil && len(c.args) > most {
		err = fmt.Errorf("unexpected %q", c.args[most])
	}
	if err != nil {
		return errUsage{fmt.Errorf("%s: %w; `claude-hooks help` shows how", args[0], err)}
	}
	if c.home, err = userHome(); err != nil {
		return err
	}
	c.config, err = LoadConfig(c.home)
	if err != nil && args[0] != "health" { // which shows it
		c.warn(err.Error())
	}
	return run()
}

func (c *command) install() (func() error, int) {
	include := c.flags.StringArray("include", nil, "")
	return c.settings("install", func(doc []byte) ([]byte, []Entry, error) {
		program, err := ownProgram()
		if err != nil {
			return nil, nil, err
		}
		return Wrap(doc, program, *include)
	}), 0
}

func (c *command) uninstall() (func() error, int) { return c.settings("uninstall", Unwrap), 0 }

func (c *command) settings(name string, change func([]byte) ([]byte, []Entry, error)) func() error {
	file := c.flags.String("settings", "", "")
	dryRun := c.flags.Bool("dry-run", false, "")
	c.jsonFlag()
	return func() error {
		files, err := settingsFiles(c.home)
		if *file != "" {
			files = []string{*file}
		}
		if err != nil {
			return err
		}
		all, err := decideAll(files, change)
		if err != nil {
			return err
		}
		for _, s := range all {
			if *dryRun {
				continue
			}
			if err := s.write(); err != nil {
				return err
			}
		}
		if name == "install" && *file == "" {
			if plugins := pluginHooks(c.home); plugins != nil && len(plugins.Hooks) > 0 {
				all = append(all, plugins)
			}
		}
		if c.json {
			return c.printJSON(all)
		}
		return c.printSettings(all, name, *dryRun)
	}
}

func (c *command) printSettings(all []*Settings, name string, dryRun bool) error {
	var b strings.Builder
	changed := false
	if len(all) == 0 {
		b.WriteString("there are no settings of Claude Code here; --settings FILE names others\n")
	}
	for _, s := range all {
		fmt.Fprintf(&b, "%s:\n", s.File)
		if len(s.Hooks) == 0 {
			b.WriteString("  no hooks\n")
		}
		for _, h := range s.Hooks {
			fmt.Fprintf(&b, "  %-15s  %-16s  %s\n", h.Action, h.Event, cmp.Or(clip(OneLine(h.Command), 80), "-"))
			if h.Why != "" && name == "install" {
				fmt.Fprintf(&b, "  %-15s  %s\n", "", h.Why)
			}
		}
		if dryRun {
			b.WriteString(s.Diff)
		}
		changed = changed || s.Diff != ""
	}
	switch {
	case dryRun:
		b.WriteString("\nNothing was changed (--dry-run).\n")
	case changed && name == "install":
		b.WriteString("\nSessions that start from now on use it. `claude-hooks health` shows what is switched off, `claude-hooks uninstall` takes it back.\n")
	case changed:
		fmt.Fprintf(&b, "\nThese stay, and may be deleted: %s, %s\n", c.config.StateFile, c.config.Logging.File)
	}
	return c.print(b.String())
}

func (c *command) health() (func() error, int) {
	c.jsonFlag()
	line := c.flags.Bool("line", false, "")
	return func() error {
		health, _ := Examine(c.home, c.Now())
		switch {
		case c.json:
			return c.printJSON(health)
		case *line:
			return c.print(health.Line() + "\n")
		}
		return c.print(health.Text())
	}, 0
}

func (c *command) list() (func() error, int) {
	c.jsonFlag()
	return func() error {
		health, _ := Examine(c.home, c.Now())
		if c.json {
			return c.printJSON(health.Hooks)
		}
		if len(health.Hooks) == 0 {
			return c.print("no hook has run behind the circuit breaker yet\n")
		}
		var b bytes.Buffer
		t := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		_, _ = fmt.Fprintln(t, "NAME\tSTATE\tFAILURES\tRUNS\tSKIPPED\tLAST CALL\tEVENT") // a buffer takes everything
		for _, h := range health.Hooks {
			last := "-"
			if h.LastCall != nil {
				last = h.LastCall.Local().Format(time.DateTime)
			}
			_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n", clip(h.Name, 60), h.word(), h.ConsecutiveFailures, h.Executions, h.Skips, last, cmp.Or(OneLine(h.Event), "-"))
		}
		return errors.Join(t.Flush(), c.print(b.String()))
	}, 0
}

// word is a hook's state for people.
func (h HookHealth) word() string {
	switch {
	case h.Excluded:
		return "excluded"
	case h.DisabledByHand != nil:
		return "disabled"
	case h.Parent != "":
		return "waits"
	case h.Loops > 0:
		return "loop"
	}
	return string(h.State)
}

func (c *command) showLog() (func() error, int) {
	c.jsonFlag()
	count := c.flags.IntP("lines", "n", 20, "")
	return func() error {
		part := ""
		if len(c.args) > 0 {
			s, err := c.config.File(c.Now).Read()
			if err != nil {
				return err
			}
			hook, err := Resolve(s.Names(), c.args[0])
			if err != nil {
				return err
			}
			part = clip(OneLine(hook), maxLogField)
		}
		lines, err := tail(c.config.Logging.File, part, *count)
		if err != nil {
			return err
		}
		if c.json {
			return c.printJSON(lines)
		}
		if len(lines) == 0 {
			return c.print("nothing is logged in " + c.config.Logging.File + "\n")
		}
		return c.print(strings.Join(lines, "\n") + "\n")
	}, 1
}

// tail returns the last lines of a log that contain part.
func tail(file, part string, count int) (lines []string, err error) {
	lines = []string{}
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return lines, nil
	}
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	scanner := bufio.NewScanner(f)
	for scanner.Scan() {
		if strings.Contains(scanner.Text(), part) {
			lines = append(lines, OneLine(scanner.Text()))
		}
		if len(lines) > max(0, count) {
			lines = lines[1:]
		}
	}
	return lines, scanner.Err()
}

func (c *command) reset() (func() error, int) {
	all := c.flags.Bool("all", false, "")
	return func() error {
		if *all != (len(c.args) == 0) {
			return errUsage{errors.New("reset: expected NAME or --all")}
		}
		if !*all {
			return c.edit("is reset", "reset by hand", func(s *Hooks, hook string) error {
				s.Delete(hook)
				return nil
			})
		}
		n := 0
		note, err := c.config.File(c.Now).Update(func(s *Hooks) {
			for _, name := range s.Names() {
				s.Delete(name)
				n++
			}
			s.Stats = Stats{Others: s.Stats.Others}
		})
		if err != nil {
			return err
		}
		c.config.Log(c.Now).Info("-", "all hooks were reset by hand")
		c.warn(note)
		return c.print(fmt.Sprintf("reset: %d\n", n))
	}, 1
}

func (c *command) disable() (func() error, int) {
	return func() error {
		return c.edit("is switched off until `claude-hooks enable` switches it on", "disabled by hand", func(s *Hooks, hook string) error {
			if c.config.Policy(hook).Excluded {
				return errors.New("guardrails.yaml excludes it from the circuit breaker, and it always runs")
			}
			s.Edit(hook, "", func(h *Hook) { h.DisabledByHand = stamp(c.Now()) })
			return nil
		})
	}, 1
}

func (c *command) enable() (func() error, int) {
	force := c.flags.Bool("force", false, "")
	return func() error {
		return c.edit("is switched on", "enabled by hand", func(s *Hooks, hook string) error {
			h := s.Hook(hook)
			if h.known() != Closed && !*force {
				return fmt.Errorf("it was switched off because it failed (%s), and is tried again by itself; --force switches it on now", h.LastError)
			}
			s.Edit(hook, "", (*Hook).Enable)
			return nil
		})
	}, 1
}

// edit changes the hook that the command names.
func (c *command) edit(said, logged string, edit func(s *Hooks, hook string) error) error {
	if len(c.args) == 0 {
		return errUsage{errors.New("expected the NAME of a hook")}
	}
	var hook, name string
	var refused error
	note, err := c.config.File(c.Now).Update(func(s *Hooks) {
		if hook, refused = Resolve(s.Names(), c.args[0]); refused != nil {
			return
		}
		name = ShortNames(s.Names())[hook]
		if refused = edit(s, hook); refused != nil {
			refused = fmt.Errorf("%s: %w", name, refused)
		}
	})
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	c.config.Log(c.Now).Info(hook, logged)
	c.warn(note)
	return c.print(name + " " + said + "\n")
}

func (c *command) metrics() (func() error, int) {
	return func() error {
		health, _ := Examine(c.home, c.Now())
		return c.print(health.Metrics())
	}, 0
}

// deliver is called by notify.
func (c *command) deliver() (func() error, int) {
	return func() error {
		if len(c.args) != 2 {
			return errUsage{errors.New("deliver: expected TITLE and BODY")}
		}
		err := c.config.deliver(context.Background(), c.args[0], c.args[1])
		if err != nil {
			c.config.Log(c.Now).Error("-", err.Error())
		}
		return err
	}, 2
}

func (c *command) jsonFlag() { c.flags.BoolVar(&c.json, "json", false, "") }

func (c *command) printJSON(value any) error {
	text, err := json.Marshal(value, writing, jsontext.EscapeForHTML(false))
	if err != nil {
		return err
	}
	return c.print(string(text) + "\n")
}

func (c *command) warn(text string) {
	if text != "" {
		_, _ = fmt.Fprintf(c.Err, "claude-hooks: %s\n", text) // standard error may be closed
	}
}

func (c *command) print(text string) error {
	_, err := io.WriteString(c.Out, text)
	return err
}

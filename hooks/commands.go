package hooks

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/spf13/pflag"
)

// Version is the version that claude-hooks shows.
var Version = "dev"

const usage = `claude-hooks is a circuit breaker for the hooks of Claude Code: one that fails again and again is switched off
for a while.

Usage:
  claude-hooks install [--include NAME]… [--settings FILE] [--dry-run] [--json]   wrap the hooks of your settings
  claude-hooks uninstall [--settings FILE] [--dry-run] [--json]                 unwrap them
  claude-hooks health [--json | --line]        what is switched off, why, and until when
  claude-hooks list [--json]                   every hook that has run
  claude-hooks log [-n LINES] [NAME] [--json]  the end of the log
  claude-hooks reset NAME | --all              forget what is known of a hook: it runs again
  claude-hooks disable NAME                    switch a hook off until it is enabled
  claude-hooks enable NAME [--force]           undo that; --force also switches on what has failed
  claude-hooks metrics                         Prometheus text
  claude-hooks run [--quiet] -c LINE           what install writes in front of a hook
  claude-hooks run [--quiet] -- COMMAND…
  claude-hooks version

NAME is the file name of a hook's script, its command, or a part of that. Configuration: ~/.claude/guardrails.yaml.
`

// usageError means that the command line is wrong.
type usageError struct{ error }

// command is one call of the command line.
type command struct {
	Streams
	*pflag.FlagSet

	home   string
	config *Config
	json   *bool
}

// Main runs claude-hooks, and returns its exit code: 0, 1 with an error, 2 for a wrong command line; run has that of the hook.
func Main(args []string, std Streams) int {
	if len(args) == 0 {
		args = []string{"help"}
	}
	if args[0] == "run" {
		return Run(args[1:], std)
	}
	c := &command{Streams: std, FlagSet: pflag.NewFlagSet(args[0], pflag.ContinueOnError)}
	c.SetOutput(io.Discard)
	c.Usage = func() {}
	err := c.do(args[0], args[1:])
	if errors.Is(err, pflag.ErrHelp) {
		err = c.print(usage)
	}
	if err == nil {
		return 0
	}
	c.warn(err.Error())
	if errors.As(err, new(usageError)) {
		return 2
	}
	return 1
}

func (c *command) do(name string, args []string) error {
	switch name {
	case "install":
		return c.install(args)
	case "uninstall":
		return c.settings(args, Unwrap)
	case "health":
		return c.health(args)
	case "list":
		return c.list(args)
	case "log":
		return c.showLog(args)
	case "reset":
		return c.reset(args)
	case "enable":
		return c.enable(args)
	case "disable":
		return c.disable(args)
	case "metrics":
		return c.metrics(args)
	case "help", "-h", "--help":
		return pflag.ErrHelp
	case "version", "--version", "-v":
		return c.print("claude-hooks " + Version + "\n")
	}
	return usageError{fmt.Errorf("unknown command %q; `claude-hooks help` lists them", name)}
}

// parse reads the rest of a command line, with at most so many names, and the configuration.
func (c *command) parse(args []string, most int) error {
	err := c.Parse(args)
	if errors.Is(err, pflag.ErrHelp) {
		return err
	}
	if err == nil && c.NArg() > most {
		err = fmt.Errorf("unexpected %q", c.Arg(most))
	}
	if err != nil {
		return usageError{fmt.Errorf("%s: %w; `claude-hooks help` shows how", c.Name(), err)}
	}
	if c.home, err = userHome(); err != nil {
		return err
	}
	c.config, err = LoadConfig(c.home)
	if err != nil && (c.Name() == "enable" || c.Name() == "disable" || c.Name() == "install") { // others show it
		c.warn(err.Error())
	}
	return nil
}

func (c *command) jsonFlag() { c.json = c.Bool("json", false, "") }

func (c *command) install(args []string) error {
	program, err := ownProgram()
	if err != nil {
		return err
	}
	if program != argsName {
		c.warn("it is not in PATH under this name: hooks will call " + program)
	}
	include := c.StringArray("include", nil, "")
	return c.settings(args, func(doc []byte) ([]byte, []Entry, error) { return Wrap(doc, program, *include) })
}

func (c *command) settings(args []string, change func([]byte) ([]byte, []Entry, error)) error {
	file := c.String("settings", "", "")
	dryRun := c.Bool("dry-run", false, "")
	c.jsonFlag()
	if err := c.parse(args, 0); err != nil {
		return err
	}
	files, err := settingsFiles(c.home)
	if *file != "" {
		files = []string{*file}
	}
	if err != nil {
		return err
	}
	all, err := changeAll(files, change)
	if err != nil {
		return err
	}
	for _, s := range all {
		if *dryRun {
			continue
		}
		if err := s.write(); err != nil {
			return fmt.Errorf("%s: %w; those named before it, of %s, are changed already", s.File, err, strings.Join(files, ", "))
		}
	}
	if c.Name() == "install" && *file == "" {
		all = append(all, pluginHooks(c.home)...)
	}
	if *c.json {
		return c.printJSON(all)
	}
	return c.printSettings(all, *dryRun)
}

func (c *command) printSettings(all []*Settings, dryRun bool) error {
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
			if h.Why != "" {
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
	case changed && c.Name() == "install":
		b.WriteString("\nSessions that start from now on use it. `claude-hooks health` shows what is switched off,\n" +
			"`claude-hooks uninstall` takes it back.\n")
	case changed:
		fmt.Fprintf(&b, "\nThese stay, and may be deleted: %s, %s\n", c.config.StateFile, c.config.Logging.File)
	}
	return c.print(b.String())
}

func (c *command) health(args []string) error {
	c.jsonFlag()
	line := c.Bool("line", false, "")
	if err := c.parse(args, 0); err != nil {
		return err
	}
	health := Examine(c.home, c.Now())
	switch {
	case *c.json:
		return c.printJSON(health)
	case *line:
		return c.print(health.Line() + "\n")
	}
	return c.print(health.Text())
}

func (c *command) list(args []string) error {
	c.jsonFlag()
	if err := c.parse(args, 0); err != nil {
		return err
	}
	health := Examine(c.home, c.Now())
	if *c.json {
		return c.printJSON(health.Hooks)
	}
	c.warn(health.Fault)
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
		_, _ = fmt.Fprintf(t, "%s\t%s\t%d\t%d\t%d\t%s\t%s\n",
			clip(h.Name, 60), h.Word(), h.ConsecutiveFailures, h.Executions, h.Skips, last, cmp.Or(OneLine(h.Event), "-"))
	}
	return errors.Join(t.Flush(), c.print(b.String()))
}

func (c *command) showLog(args []string) error {
	c.jsonFlag()
	count := c.IntP("lines", "n", 20, "")
	if err := c.parse(args, 1); err != nil {
		return err
	}
	part := ""
	if c.NArg() > 0 {
		s, err := c.config.File(c.Now).Read()
		if err != nil {
			return err
		}
		part = c.Arg(0)
		if hook, err := Resolve(s.Names(), part); err == nil { // else the log may know it still
			part = clip(OneLine(hook), maxLogField)
		}
	}
	lines, err := tail(c.config.Logging.File, part, *count)
	if err != nil {
		return err
	}
	if *c.json {
		return c.printJSON(lines)
	}
	if len(lines) == 0 {
		return c.print("nothing is logged in " + c.config.Logging.File + "\n")
	}
	return c.print(strings.Join(lines, "\n") + "\n")
}

// tail returns the last lines of a log that contain part.
func tail(file, part string, count int) (lines []string, err error) {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
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

func (c *command) reset(args []string) error {
	all := c.Bool("all", false, "")
	if err := c.parse(args, 1); err != nil {
		return err
	}
	if *all != (c.NArg() == 0) {
		return usageError{errors.New("reset: expected NAME or --all")}
	}
	if !*all {
		return c.edit("is reset", "reset by hand", func(s *Hooks, hook string) error {
			s.Delete(hook)
			return nil
		})
	}
	n := 0
	note, err := c.config.File(c.Now).Update(lockWait, func(s *Hooks) { n = s.Clear() })
	if err != nil {
		return err
	}
	c.config.Log(c.Now).Info("-", "all hooks were reset by hand")
	c.warn(note)
	return c.print(fmt.Sprintf("reset: %d\n", n))
}

func (c *command) disable(args []string) error {
	if err := c.parse(args, 1); err != nil {
		return err
	}
	return c.edit("is switched off until `claude-hooks enable`", "disabled by hand", func(s *Hooks, hook string) error {
		if c.config.Rules(hook).Excluded {
			return errors.New("guardrails.yaml excludes it from the circuit breaker, and it always runs")
		}
		s.Edit(hook, "", func(h *Hook) { h.DisabledByHand = stamp(c.Now()) })
		return nil
	})
}

func (c *command) enable(args []string) error {
	force := c.Bool("force", false, "")
	if err := c.parse(args, 1); err != nil {
		return err
	}
	return c.edit("is switched on", "enabled by hand", func(s *Hooks, hook string) error {
		h := s.Hook(hook)
		if h.DisabledByHand != nil && !*force {
			s.Edit(hook, "", func(h *Hook) { h.DisabledByHand = nil })
			return nil
		}
		if h.State != Closed && !*force {
			return fmt.Errorf("it was switched off because it failed (%s), and is tried again by itself; "+
				"--force switches it on now", h.LastError)
		}
		s.Edit(hook, "", (*Hook).Enable)
		return nil
	})
}

// edit changes the hook that the command names.
func (c *command) edit(said, logged string, edit func(s *Hooks, hook string) error) error {
	if c.NArg() == 0 {
		return usageError{fmt.Errorf("%s: expected the NAME of a hook", c.Name())}
	}
	var hook, name string
	var refused error
	note, err := c.config.File(c.Now).Update(lockWait, func(s *Hooks) {
		if hook, refused = Resolve(s.Names(), c.Arg(0)); refused != nil {
			return
		}
		name = ShortNames(s.Names())[hook]
		if refused = edit(s, hook); refused != nil {
			refused = fmt.Errorf("%s: %w", name, refused)
		}
	})
	c.warn(note)
	if err = errors.Join(err, refused); err != nil {
		return err
	}
	c.config.Log(c.Now).Info(hook, logged)
	return c.print(name + " " + said + "\n")
}

func (c *command) metrics(args []string) error {
	if err := c.parse(args, 0); err != nil {
		return err
	}
	health := Examine(c.home, c.Now())
	c.warn(health.Fault)
	return c.print(health.Metrics())
}

func (c *command) printJSON(value any) error {
	text, err := json.Marshal(value, writing)
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

// userHome returns the home folder of the user.
func userHome() (string, error) {
	home, err := os.UserHomeDir()
	if err == nil && !strings.HasPrefix(home, "/") {
		err = fmt.Errorf("HOME is %q: expected an absolute path", home)
	}
	return home, err
}

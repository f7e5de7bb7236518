// Command first-run shows what claudeops does on a machine that has nothing yet: it starts five small services, one of them broken,
// runs a real monitoring cycle over them without a model, and takes everything down again.
//
// It is called as first-run CLAUDEOPS, the program to show, in the folder of this repository.
package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"text/template"
	"time"
)

const here = "examples/first-run"

// limit is how long all of it may take.
const limit = time.Minute

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: first-run CLAUDEOPS")
		os.Exit(2)
	}
	ctx, cancel := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer cancel()
	ctx, stop := context.WithTimeout(ctx, limit)
	defer stop()
	if err := show(ctx, os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "first-run:", err)
		os.Exit(1)
	}
}

// show runs the whole show in a folder that is gone afterwards.
func show(ctx context.Context, program string) (err error) {
	dir, err := os.MkdirTemp("", "claudeops-first-run-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	fleet, err := startFleet()
	if err != nil {
		return fmt.Errorf("start the example services: %w", err)
	}
	defer func() { err = errors.Join(err, fleet.stop()) }()
	services := filepath.Join(dir, "inventory.yaml")
	if err := writeInventory(services, fleet.addresses); err != nil {
		return err
	}
	if program, err = filepath.Abs(program); err != nil {
		return err
	}
	stage := stage{program: program, dir: dir, services: services}
	fmt.Print("Five example services run on 127.0.0.1 for the next seconds; the blog is broken, and the newsletter depends on it.\n")
	for _, step := range []struct {
		say  string
		code int
		args []string
	}{
		{"Their checks, as a person runs them:", 1, []string{"probe"}},
		{"One monitoring cycle, as cron would run it. Its Tier 1 are the same checks; CLAUDEOPS_DRY_RUN=true keeps it from doing more than look:", 0, []string{"run-once"}},
		{"What it recorded of itself:", 0, []string{"sessions", "show", "1"}},
		{"The trouble that it watches from now on:", 0, []string{"incidents", "show", "1"}},
	} {
		fmt.Printf("\n%s\n\n", step.say)
		if err := stage.run(ctx, step.code, step.args...); err != nil {
			return err
		}
	}
	fmt.Print(goOn)
	return nil
}

const goOn = `
Without CLAUDEOPS_DRY_RUN=true and with a key, a model would now look for the cause. All of the above is gone again. How to go on:

  your own services:  ./claudeops probe discover --output inventory.yaml; CLAUDEOPS_INVENTORY=$PWD/inventory.yaml ./claudeops probe
  with claude:        npm install -g @anthropic-ai/claude-code; export ANTHROPIC_API_KEY=...; ./claudeops doctor
  in a browser:       ./claudeops dashboard shows what your cycles recorded
`

func writeInventory(path string, addresses any) error {
	text, err := template.ParseFiles(filepath.Join(here, "inventory.yaml"))
	if err != nil {
		return fmt.Errorf("read the example inventory (is this the folder of the repository?): %w", err)
	}
	var rendered bytes.Buffer
	if err := text.Execute(&rendered, addresses); err != nil {
		return err
	}
	return os.WriteFile(path, rendered.Bytes(), 0o600)
}

// stage is where the program is shown: a state directory and an environment of its own, whatever the user has set.
type stage struct{ program, dir, services string }

// run shows one call of the program, which must exit with code.
func (s stage) run(ctx context.Context, code int, args ...string) error {
	fmt.Printf("$ claudeops %s\n", strings.Join(args, " "))
	cmd := exec.CommandContext(ctx, s.program, append(args, "--env-file", os.DevNull)...)
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	cmd.Cancel = func() error { return cmd.Process.Signal(syscall.SIGTERM) }
	cmd.WaitDelay = 5 * time.Second
	cmd.Env = []string{
		"CLAUDEOPS_STATE_DIR=" + filepath.Join(s.dir, "state"), "CLAUDEOPS_RESULTS_DIR=" + filepath.Join(s.dir, "results"),
		"CLAUDEOPS_REPOS_DIR=" + s.dir, "CLAUDEOPS_INVENTORY=" + s.services, "CLAUDEOPS_TIER1_AGENT=probe",
		"CLAUDEOPS_DRY_RUN=true", // no model is started even where one could be
		"CLAUDEOPS_LOG_LEVEL=error",
	}
	for _, name := range []string{"PATH", "HOME", "TERM", "LANG", "TZ", "NO_COLOR"} {
		if value, set := os.LookupEnv(name); set {
			cmd.Env = append(cmd.Env, name+"="+value)
		}
	}
	err := cmd.Run()
	if ctx.Err() != nil {
		return errors.New("interrupted; the example services are gone")
	}
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) && exit.ExitCode() == code {
		return nil
	}
	if err == nil && code != 0 {
		err = errors.New("exit status 0")
	}
	if err != nil {
		return fmt.Errorf("claudeops %s: %w, expected exit status %d", strings.Join(args, " "), err, code)
	}
	return nil
}

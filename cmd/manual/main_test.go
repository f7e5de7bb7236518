package main

import (
	"bytes"
	"compress/gzip"
	"context"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/testkit/need"
)

// pages generates the manual and returns the pages by name without .1.gz.
func pages(t *testing.T, dir string) map[string]string {
	t.Helper()
	if err := write(dir, "claudeops v1.2.3", time.Date(2026, 11, 22, 0, 0, 0, 0, time.UTC)); err != nil {
		t.Fatal(err)
	}
	files, err := filepath.Glob(filepath.Join(dir, "man", "*.1.gz"))
	if err != nil {
		t.Fatal(err)
	}
	all := map[string]string{}
	for _, path := range files {
		packed, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		r, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(r)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(path), ".1.gz")] = string(text)
	}
	return all
}

// run runs a system program, which must succeed without messages.
func run(t *testing.T, stdin, name string, args ...string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Stdin = strings.NewReader(stdin)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%s %q: %v\n%s", name, args, err, out)
	}
	return string(out)
}

func TestManual_EachCommandHasAPageWithoutFault(t *testing.T) {
	need.Full(t, "mandoc")
	t.Parallel()
	all := pages(t, t.TempDir())
	for _, name := range []string{"claudeops", "claudeops-shim", "claude-hooks", "claudeops-run-once", "claudeops-hooks-run", "claudeops-sessions-show"} {
		if all[name] == "" {
			t.Errorf("no page %s", name)
		}
	}
	reference := regexp.MustCompile(`\b(claude[a-z-]+)\(1\)`)
	for name, text := range all {
		if faults := run(t, text, "mandoc", "-T", "lint", "-W", "warning"); faults != "" {
			t.Errorf("%s:\n%s", name, faults)
		}
		for _, other := range reference.FindAllStringSubmatch(text, -1) {
			if all[other[1]] == "" {
				t.Errorf("%s names the page %s, which is not there", name, other[1])
			}
		}
	}
}

// The texts of commands are not Markdown and are shown literally.
func TestManual_APageReadsLikeTheHelp(t *testing.T) {
	need.Full(t, "mandoc")
	t.Parallel()
	all := pages(t, t.TempDir())
	for name, wants := range map[string][]string{
		"claudeops": {"NAME claudeops - Watches", "claudeops COMMAND [flags]", "claudeops-run-once(1) Run one monitoring cycle and exit", "--env-file=FILE read variables from this FILE",
			"EXIT STATUS 0 It is done", "75 A cycle runs", "128+n Ended by signal n.", "ENVIRONMENT CLAUDEOPS_* The configuration", "FILES /etc/claudeops/env Variables"},
		"claudeops-cron":      {"claudeops cron [COMMAND] [flags]", "claudeops-cron-health(1)"},
		"claudeops-run-once":  {"CLAUDEOPS_TIER1_AGENT", "128+n ended by signal n", "--strict exit 3", "--trigger=NAME what started it, by NAME: manual, cron, systemd, kubernetes, alert or approval (default manual)", "claudeops v1.2.3", "2026-11-22"},
		"claudeops-hooks-run": {"claudeops hooks run [flags]"},
		"claude-hooks":        {"claude-hooks COMMAND", "claudeops-hooks-install(1)"},
	} {
		page := strings.Join(strings.Fields(run(t, all[name], "mandoc", "-T", "ascii", "-O", "width=900")), " ")
		page = regexp.MustCompile(`.\x08`).ReplaceAllString(page, "") // bold and underlined text
		for _, want := range wants {
			if !strings.Contains(page, want) {
				t.Errorf("%s does not say %q:\n%s", name, want, page)
			}
		}
		if strings.Contains(page, `\`) || strings.Contains(page, "**") {
			t.Errorf("%s has signs of Markdown or roff:\n%s", name, page)
		}
	}
}

func TestManual_CompletionsAreWholeScripts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	pages(t, dir)
	for _, name := range []string{"claudeops", "claude-hooks"} {
		run(t, "", "bash", "-n", filepath.Join(dir, "completions", name+".bash"))
		for _, file := range []string{"_" + name, name + ".fish"} {
			if text, err := os.ReadFile(filepath.Join(dir, "completions", file)); err != nil || !strings.Contains(string(text), name) {
				t.Errorf("%s: %v", file, err)
			}
		}
	}
}

func TestManual_TheSameTwiceIsTheSame(t *testing.T) {
	t.Parallel()
	one, two := t.TempDir(), t.TempDir()
	pages(t, one)
	pages(t, two)
	run(t, "", "diff", "-r", one, two)
}

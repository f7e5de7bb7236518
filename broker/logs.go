package broker

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/claudeops/claudeops/guard"
	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	defaultLines = 100
	maxLines     = 5000
	searched     = 50_000   // lines of a program's log that are searched for a text
	maxLogRead   = 16 << 20 // bytes of a log file that are read, the last
	maxLogFiles  = 4        // of a service, the newest, without rotated ones
	maxLine      = 8 << 10  // bytes of a line; a longer one is several
	logTime      = 30 * time.Second
)

// wanted is which lines of a service's logs an agent wants.
type wanted struct {
	service  string // without a services file a container or unit
	lines    int    // how many of the last
	since    time.Time
	contains string // a text that each line has; may be empty
}

func (b *Broker) wanted(words []string) (w wanted, err error) {
	flags := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.IntVarP(&w.lines, "lines", "n", defaultLines, "")
	flags.StringVar(&w.contains, "contains", "", "")
	since := flags.String("since", "", "")
	switch err := flags.Parse(words); {
	case err != nil || flags.NArg() != 1 || flags.Arg(0) == "":
		return w, guard.Refuse(guard.RuleCall, "expected logs SERVICE [--lines N] [--since 1h] [--contains TEXT]")
	case w.lines < 1 || w.lines > maxLines:
		return w, guard.Refuse(guard.RuleCall, "lines is %d; expected 1 to %d", w.lines, maxLines)
	}
	w.service = flags.Arg(0)
	w.since, err = sinceOf(*since, b.Now())
	return w, err
}

// sinceOf reads a time, or a duration before now; zero if there is none.
func sinceOf(words string, now time.Time) (time.Time, error) {
	if words == "" {
		return time.Time{}, nil
	}
	if ago, err := time.ParseDuration(strings.TrimPrefix(words, "-")); err == nil {
		return now.Add(-ago), nil
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05", time.DateTime, "2006-01-02 15:04", time.DateOnly} {
		if at, err := time.ParseInLocation(layout, words, now.Location()); err == nil {
			return at, nil
		}
	}
	return time.Time{}, guard.Refuse(guard.RuleCall, "since is %q; expected a duration like 90m, or a time like 2026-11-30T08:00:00Z", words)
}

// logs prints the last lines of a service's logs: of what its restart reaches, and of the files that the services file names.
func (b *Broker) logs(ctx context.Context, e *guard.Entry, words []string, to io.Writer) error {
	w, err := b.wanted(words)
	if err != nil {
		return err
	}
	e.Services = []string{b.Inventory.NameOf(w.service)}
	way, patterns, err := b.logged(ctx, w.service)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, logTime, fmt.Errorf("ended after %s", logTime))
	defer cancel()
	if way.Given() {
		err = b.printed(ctx, w, way, to)
	}
	for _, files := range logFiles(patterns, w.since) {
		_, unread := fmt.Fprintf(to, "==> %s <==\n", files[0])
		err = errors.Join(err, unread, b.written(ctx, w, files, to))
	}
	return err
}

// logged returns what has the logs of a service; without a services file of a container or unit.
func (b *Broker) logged(ctx context.Context, name string) (way inventory.Way, patterns []string, err error) {
	s, known := b.Inventory.Get(name)
	switch {
	case known && !s.Logged().Given() && len(s.Logs) == 0:
		return way, nil, guard.Refuse(guard.RuleServices, "the services file names no container, unit, deployment or `logs:` of %s", s.Name)
	case known:
		return s.Logged(), s.Logs, nil
	case len(b.Inventory.Everything()) > 0:
		return way, nil, b.unnamed(name)
	}
	way = inventory.Way{Kind: inventory.Unit, Name: name}
	containers, _ := probe.Identities(ctx, b.Environ, true) // without an engine it is a unit
	if slices.ContainsFunc(containers, func(c probe.Identity) bool { return c.Name == name }) {
		way.Kind = inventory.Container
	}
	return way, nil, nil
}

// printed prints the last lines of what a program says of a log.
func (b *Broker) printed(ctx context.Context, w wanted, way inventory.Way, to io.Writer) error {
	most := w.lines
	if w.contains != "" {
		most = searched
	}
	argv := way.LogsArgv(probe.EngineProgram(b.Environ), most, w.since)
	file, found := b.Find(argv[0])
	if !found {
		return errors.New(argv[0] + " is not installed on this machine")
	}
	return b.last(w, to, func(to io.Writer) error {
		exit, err := b.Run(ctx, Program{File: file, Argv: argv, Dir: "/", Stdout: to, Stderr: to})
		if exit != 0 && err == nil {
			err = fmt.Errorf("%s ended with %w", argv[0], ExitError(exit))
		}
		return err
	})
}

// logFiles returns the newest files of patterns that were written since, each before its rotated ones.
func logFiles(patterns []string, since time.Time) (files [][]string) {
	var paths []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern) // of a good pattern
		paths = append(paths, matches...)
	}
	for _, path := range newest(paths, since) {
		if len(files) == maxLogFiles || slices.ContainsFunc(paths, func(of string) bool { return rotated(path, of) }) {
			continue
		}
		beside, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")) // a folder that is a pattern has none
		beside = slices.DeleteFunc(beside, func(other string) bool { return !rotated(other, path) })
		files = append(files, append([]string{path}, newest(beside, since)...))
	}
	return files
}

// rotated reports whether a file's name is that of a log file and a number or date.
func rotated(path, of string) bool {
	rest, begins := strings.CutPrefix(path, of)
	return begins && rotatedName.MatchString(rest)
}

var rotatedName = regexp.MustCompile(`^[.-](\d|old$)`)

// newest returns the paths of files that were written since, the newest first.
func newest(paths []string, since time.Time) []string {
	written := func(path string) (at time.Time) {
		if is, err := os.Stat(path); err == nil && is.Mode().IsRegular() {
			at = is.ModTime()
		}
		return at
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return !written(path).After(since) })
	slices.SortFunc(paths, func(a, b string) int { return cmp.Or(written(b).Compare(written(a)), strings.Compare(a, b)) })
	return slices.Compact(paths)
}

// written prints the last lines of a log file, and names its rotated ones.
func (b *Broker) written(ctx context.Context, w wanted, files []string, to io.Writer) error {
	err := b.readLog(ctx, w, files[0], to)
	if len(files) > 1 {
		_, unread := fmt.Fprintf(to, "(rotated: %s)\n", text.Few(files[1:], 10))
		err = errors.Join(err, unread)
	}
	return err
}

// readLog prints the last lines of a file, if an agent may read it.
func (b *Broker) readLog(ctx context.Context, w wanted, path string, to io.Writer) error {
	f, err := b.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was read only
	return b.last(w, to, func(to io.Writer) error {
		read := bufio.NewReader(io.LimitReader(f, maxLogRead))
		is, err := f.Stat()
		if err == nil && is.Size() > maxLogRead {
			_, err = f.Seek(-maxLogRead, io.SeekEnd)
			_, _ = read.ReadString('\n') // the rest of a line could be half a secret
		}
		for err == nil && ctx.Err() == nil {
			_, err = io.CopyN(to, read, 64<<10)
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return errors.Join(err, context.Cause(ctx))
	})
}

// last prints the last lines that are wanted of what from writes, and that is masked before it is searched: a search must not tell what is
// masked.
func (b *Broker) last(w wanted, to io.Writer, from func(io.Writer) error) error {
	kept := &lastLines{most: w.lines, contains: []byte(w.contains)}
	masked := b.Mask(kept)
	err := errors.Join(from(masked), masked.Close())
	if len(kept.begun) > 0 {
		kept.add(kept.begun)
	}
	lines := kept.lines[max(0, len(kept.lines)-w.lines):]
	if len(lines) == 0 {
		if err != nil {
			return err
		}
		lines = []string{"(no such line)"}
	}
	_, unread := fmt.Fprintln(to, strings.Join(lines, "\n"))
	return errors.Join(err, unread)
}

// lastLines keeps the last lines that contain a text.
type lastLines struct {
	most     int
	contains []byte
	lines    []string
	begun    []byte // a line without its end
}

func (l *lastLines) Write(p []byte) (int, error) {
	l.begun = append(l.begun, p...)
	for {
		line, rest, whole := bytes.Cut(l.begun, []byte("\n"))
		if !whole && len(line) < maxLine {
			return len(p), nil
		}
		l.add(line)
		l.begun = rest
	}
}

func (l *lastLines) add(line []byte) {
	if !bytes.Contains(line, l.contains) {
		return
	}
	if l.lines = append(l.lines, string(bytes.TrimRight(line, "\r"))); len(l.lines) >= 2*l.most {
		l.lines = slices.Clone(l.lines[l.most:])
	}
}

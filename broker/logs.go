package broker

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

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
	logTime      = 30 * time.Second
)

// logs prints the last lines of a service's logs: of what its restart reaches, and of the files that the services file names.
func (b *Broker) logs(ctx context.Context, q Question, to io.Writer) error {
	q.Lines = cmp.Or(q.Lines, defaultLines)
	if q.Lines < 1 || q.Lines > maxLines {
		return guard.Refuse(guard.RuleCall, "lines is %d; expected 1 to %d", q.Lines, maxLines)
	}
	since, err := sinceOf(q.Since, b.Now())
	if err != nil {
		return err
	}
	way, patterns, err := b.logged(ctx, q.Service)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, logTime, fmt.Errorf("ended after %s", logTime))
	defer cancel()
	if way.Given() {
		err = b.printed(ctx, q, way, since, to)
	}
	for _, files := range logFiles(patterns, since) {
		_, unread := fmt.Fprintf(to, "==> %s <==\n", files[0])
		err = errors.Join(err, unread, b.written(ctx, q, files, to))
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
	containers, err := probe.Identities(ctx, b.Environ, true)
	if slices.ContainsFunc(containers, func(c probe.Identity) bool { return c.Name == name }) {
		way.Kind = inventory.Container
	}
	if _, installed := b.Find("journalctl"); installed { // then it may be a unit
		err = nil
	}
	return way, nil, err
}

// printed prints the last lines of what a program says of a log.
func (b *Broker) printed(ctx context.Context, q Question, way inventory.Way, since time.Time, to io.Writer) error {
	most := q.Lines
	if q.Contains != "" {
		most = searched
	}
	most += lead
	argv := way.LogsArgv(probe.EngineProgram(b.Environ), most, since)
	file, found := b.Find(argv[0])
	if !found {
		return errors.New(argv[0] + " is not installed on this machine")
	}
	last := &lastLines{most: q.Lines, contains: q.Contains}
	masked := b.Mask(last) // before it is searched: a search must not tell what is masked
	var read newlines
	both := io.MultiWriter(&read, masked)
	exit, err := b.Run(ctx, Program{File: file, Argv: argv, Dir: "/", Stdout: both, Stderr: both})
	err = errors.Join(err, masked.Close())
	err = errors.Join(err, printLines(to, last.last(int(read) >= most-1))) // the last line may lack its end
	if exit != 0 && err == nil {
		err = fmt.Errorf("%s ended with %w", argv[0], ExitError(exit))
	}
	return err
}

// logFiles returns the newest files of patterns that were written since, each before its rotated ones.
func logFiles(patterns []string, since time.Time) (files [][]string) {
	var paths []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern) // of a good pattern
		paths = append(paths, matches...)
	}
	rotated := func(path, of string) bool { return strings.HasPrefix(path, of+".") || strings.HasPrefix(path, of+"-") }
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

// written prints the last lines of a log file, and of its newest rotated one before it, and names the others.
func (b *Broker) written(ctx context.Context, q Question, files []string, to io.Writer) (err error) {
	others, before := files[1:], []string(nil)
	if len(others) > 0 && !slices.Contains([]string{".gz", ".xz", ".zst"}, filepath.Ext(others[0])) {
		before, err = b.readLog(ctx, q, others[0])
		others = others[1:]
	}
	lines, failed := b.readLog(ctx, q, files[0])
	lines = append(before, lines...)
	err = errors.Join(err, failed, printLines(to, lines[max(0, len(lines)-q.Lines):]))
	if len(others) > 0 {
		_, unread := fmt.Fprintf(to, "(rotated: %s)\n", text.Few(others, 10))
		err = errors.Join(err, unread)
	}
	return err
}

// readLog returns the last lines of a file, masked, if an agent may read it.
func (b *Broker) readLog(ctx context.Context, q Question, path string) ([]string, error) {
	f, err := b.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }() // it was read only
	is, err := f.Stat()
	cut := err == nil && is.Size() > maxLogRead
	lines := bufio.NewReader(f)
	if cut {
		if _, err := f.Seek(-maxLogRead, io.SeekEnd); err != nil {
			return nil, err
		}
		_, _ = lines.ReadString('\n') // the rest of a line could be half a secret
	}
	inTime := reader(func(p []byte) (int, error) {
		if ctx.Err() != nil {
			return 0, context.Cause(ctx)
		}
		return lines.Read(p)
	})
	last := &lastLines{most: q.Lines, contains: q.Contains}
	masked := b.Mask(last)
	_, err = io.Copy(masked, io.LimitReader(inTime, maxLogRead))
	err = errors.Join(err, masked.Close())
	return last.last(cut), err
}

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
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/text"
	"github.com/claudeops/claudeops/inventory"
	"github.com/claudeops/claudeops/probe"
)

const (
	defaultLines = 100
	maxLines     = 5000
	searched     = 50_000   // lines of a program's log that are searched for a text
	maxLine      = 8 << 10  // bytes of a line that are shown
	maxLogRead   = 16 << 20 // bytes of a log file that are read, the last
	maxLogFiles  = 4        // of a service, the newest, without rotated ones
	logTime      = 30 * time.Second
)

// logs prints the last lines of a service's logs: of what its restart reaches, and of the files that the services file names.
func (b *Broker) logs(ctx context.Context, q Question, to io.Writer) error {
	q.Lines = cmp.Or(q.Lines, defaultLines)
	if q.Lines < 1 || q.Lines > maxLines {
		return &RefusalError{RuleCall, fmt.Sprintf("lines is %d; expected 1 to %d", q.Lines, maxLines)}
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
	for _, file := range logFiles(patterns, since) {
		fmt.Fprintf(to, "==> %s <==\n", file.path)
		err = errors.Join(err, b.written(ctx, q, file, to))
	}
	return err
}

// logged returns what has the logs of a service; without a services file of a container or unit.
func (b *Broker) logged(ctx context.Context, name string) (way inventory.Way, patterns []string, err error) {
	s, known := b.Inventory.Get(name)
	switch {
	case known && !s.Logged().Given() && len(s.Logs) == 0:
		return way, nil, &RefusalError{RuleServices, "the services file names no container, unit, deployment or `logs:` of " + s.Name}
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
	argv := way.LogsArgv(Engine(b.Environ), most, since)
	file, found := b.Find(argv[0])
	if !found {
		return errors.New(argv[0] + " is not installed on this machine")
	}
	last := &lastLines{most: q.Lines, contains: q.Contains}
	masked := b.Mask(last) // before it is searched: a search must not tell what is masked
	from, end, err := os.Pipe()
	if err != nil {
		return err
	}
	copied := copying(masked, &printed{from: from}, func(error) { _ = from.Close() })
	nothing, err := os.Open(os.DevNull)
	exit := 0
	if err == nil {
		exit, err = b.Run(ctx, Program{File: file, Argv: argv, Dir: "/", Stdin: nothing, Stdout: end, Stderr: end})
		_ = nothing.Close()
	}
	_ = end.Close()
	_ = from.SetReadDeadline(time.Now().Add(outputGrace))
	err = errors.Join(err, <-copied, masked.Close(), last.print(to))
	if exit != 0 && err == nil {
		err = fmt.Errorf("%s ended with %w", argv[0], ExitError(exit))
	}
	return err
}

// logFile is a log, and the names of its rotated files, the newest first.
type logFile struct {
	path    string
	rotated []string
}

// logFiles returns the newest files of patterns that were written since, and their rotated ones.
func logFiles(patterns []string, since time.Time) (files []logFile) {
	var paths []string
	for _, pattern := range patterns {
		matches, _ := filepath.Glob(pattern) // of a good pattern
		paths = append(paths, matches...)
	}
	rotatedOf := func(path, of string) bool { return strings.HasPrefix(path, of+".") || strings.HasPrefix(path, of+"-") }
	for _, path := range newest(paths, since) {
		if len(files) == maxLogFiles {
			break
		}
		if !slices.ContainsFunc(paths, func(of string) bool { return rotatedOf(path, of) }) {
			beside, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "*")) // a folder that is a pattern has none
			files = append(files, logFile{path, newest(slices.DeleteFunc(beside, func(p string) bool { return !rotatedOf(p, path) }), since)})
		}
	}
	return files
}

// newest returns the paths of files that were written since, the newest first.
func newest(paths []string, since time.Time) []string {
	written := map[string]time.Time{}
	for _, path := range paths {
		if is, err := os.Stat(path); err == nil && is.Mode().IsRegular() && !is.ModTime().Before(since) {
			written[path] = is.ModTime()
		}
	}
	paths = slices.DeleteFunc(slices.Clone(paths), func(path string) bool { return written[path].IsZero() })
	slices.Sort(paths)
	paths = slices.Compact(paths)
	slices.SortStableFunc(paths, func(a, b string) int { return written[b].Compare(written[a]) })
	return paths
}

// written prints the last lines of a log file, and of its newest rotated one before it, and names the others.
func (b *Broker) written(ctx context.Context, q Question, file logFile, to io.Writer) (err error) {
	last := &lastLines{most: q.Lines, contains: q.Contains}
	others := file.rotated
	if len(others) > 0 && !strings.HasSuffix(others[0], ".gz") && !strings.HasSuffix(others[0], ".xz") && !strings.HasSuffix(others[0], ".zst") {
		err = b.readLog(ctx, others[0], last)
		others = others[1:]
	}
	err = errors.Join(err, b.readLog(ctx, file.path, last), last.print(to))
	if len(others) > 0 {
		_, unread := fmt.Fprintf(to, "(rotated: %s)\n", text.Few(others, 10))
		err = errors.Join(err, unread)
	}
	return err
}

// readLog reads the end of a file, masked, if an agent may read it.
func (b *Broker) readLog(ctx context.Context, path string, to io.Writer) error {
	f, err := b.Open(ctx, path)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was read only
	lines := bufio.NewReader(f)
	if is, err := f.Stat(); err == nil && is.Size() > maxLogRead {
		if _, err := f.Seek(-maxLogRead, io.SeekEnd); err != nil {
			return err
		}
		_, _ = lines.ReadString('\n') // the rest of a line could be half a secret
	}
	masked := b.Mask(to)
	_, err = io.Copy(masked, io.LimitReader(lines, maxLogRead))
	return errors.Join(err, masked.Close())
}

// lastLines keeps the last lines that contain a text.
type lastLines struct {
	most     int
	contains string
	lines    []string
	begun    []byte // a line without its end
}

func (l *lastLines) Write(p []byte) (int, error) {
	for part := range bytes.Lines(p) {
		whole := part[len(part)-1] == '\n'
		part = bytes.TrimRight(part, "\r\n")
		l.begun = append(l.begun, part[:min(len(part), maxLine-min(len(l.begun), maxLine))]...)
		if whole {
			l.end()
		}
	}
	return len(p), nil
}

// end ends a line.
func (l *lastLines) end() {
	if line := string(l.begun); strings.Contains(line, l.contains) {
		if l.lines = append(l.lines, line); len(l.lines) >= 2*l.most {
			l.lines = slices.Clone(l.lines[len(l.lines)-l.most:])
		}
	}
	l.begun = l.begun[:0]
}

// print prints them.
func (l *lastLines) print(to io.Writer) error {
	if len(l.begun) > 0 {
		l.end()
	}
	lines := l.lines[max(0, len(l.lines)-l.most):]
	if len(lines) == 0 {
		lines = []string{"(no such line)"}
	}
	_, err := io.WriteString(to, strings.Join(lines, "\n")+"\n")
	return err
}

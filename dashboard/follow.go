package dashboard

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"time"

	"github.com/claudeops/claudeops/store"
)

const (
	// followPause is how long nothing is looked at where nothing was new.
	followPause = 250 * time.Millisecond
	// statusEvery is after how many of these pauses in a row the session is looked at, too.
	statusEvery = 4
)

// What may become of a log while it is followed. The errors are for people.
var (
	errLogCut      = errors.New("the log was cut short while it was read; load the page again")
	errLogReplaced = errors.New("the log was removed or replaced while it was read; load the page again")
)

// Follow hands the lines of a session's raw log from a byte offset on to f, first those that are there and then those that come, until the
// session has ended and all was handed over (nil), ctx ends, or f returns an error. Between lines f may be called with none, so that it can
// see whether its reader is still there.
func (i *Instance) Follow(ctx context.Context, session, from int64, f func([]LogLine) error) error {
	return i.follow(ctx, session, from, f, pause)
}

// pause waits for the next look at a log.
func pause(ctx context.Context) error {
	timer := time.NewTimer(followPause)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// follower is a log that is followed.
type follower struct {
	instance *Instance
	session  store.Session
	running  bool
	hand     func([]LogLine) error
	pause    func(context.Context) error

	path    string
	file    *os.File
	reader  *logReader
	at      int64 // where the next line begins; before aligned, where its beginning is looked for
	aligned bool
}

func (i *Instance) follow(ctx context.Context, session, from int64, hand func([]LogLine) error, pause func(context.Context) error) (err error) {
	f := &follower{instance: i, session: store.Session{ID: session}, hand: hand, pause: pause}
	if err := f.look(ctx); err != nil {
		return err
	}
	if err := f.open(ctx); err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.file.Close()) }()
	if err := f.begin(ctx, from); err != nil {
		return err
	}
	return f.run(ctx)
}

// look reads the state of the session.
func (f *follower) look(ctx context.Context) (err error) {
	if f.session, err = f.instance.logOf(ctx, f.session.ID); err == nil {
		f.running = f.instance.stillRuns(f.session)
	}
	return err
}

// open opens the log, once there is one.
func (f *follower) open(ctx context.Context) (err error) {
	if f.path, err = f.instance.logPath(f.session); err != nil {
		return errors.New(f.instance.logNote(f.session, err))
	}
	for {
		f.file, err = f.instance.openLog(f.session)
		if err == nil {
			f.reader = newLogReader(f.file)
			return nil
		}
		if !errors.Is(err, fs.ErrNotExist) || !f.running {
			return errors.New(f.instance.logNote(f.session, err))
		}
		if err := f.idle(ctx, statusEvery); err != nil {
			return err
		}
	}
}

// begin finds out where the first line is to be looked for.
func (f *follower) begin(ctx context.Context, from int64) (err error) {
	if err := f.measure(); err != nil {
		return err
	}
	if from > f.reader.size {
		return errLogCut
	}
	f.at, err = f.reader.place(ctx, from)
	f.aligned = f.at == 0
	return err
}

// run hands over what is there, then what comes.
func (f *follower) run(ctx context.Context) error {
	for pauses := 0; ; {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := f.measure(); err != nil {
			return err
		}
		lines, err := f.next(ctx)
		if err != nil {
			return err
		}
		if len(lines) > 0 {
			pauses = 0
			if err := f.hand(lines); err != nil {
				return err
			}
			continue
		}
		if !f.running {
			return nil
		}
		pauses++
		if err := f.idle(ctx, pauses); err != nil {
			return err
		}
		if err := f.unchanged(); err != nil {
			return err
		}
	}
}

// next reads lines that have not been handed over; none where there is no whole one.
func (f *follower) next(ctx context.Context) ([]LogLine, error) {
	if !f.aligned {
		newline, found, err := f.reader.newlineFrom(ctx, f.at-1)
		if f.at = newline + 1; err != nil || !found {
			return nil, err
		}
		f.aligned = true
	}
	lines, next, err := f.reader.lines(ctx, f.at, f.at+logStep)
	if err != nil || len(lines) == 0 {
		return nil, err
	}
	f.at = next
	f.aligned, err = f.reader.endsLine(next) // the rest of a line that was too long to be skipped whole follows it
	return lines, err
}

// measure sees how long the log is now.
func (f *follower) measure() (err error) {
	if f.reader.size, err = sizeOf(f.file); err != nil {
		return err
	}
	f.reader.growing = f.running
	if f.aligned && f.reader.size < f.at || f.reader.size < f.at-1 {
		return errLogCut
	}
	return nil
}

// idle shows the reader that nothing is new and waits; now and then it looks whether the session has ended. What is there by then is read
// after that.
func (f *follower) idle(ctx context.Context, pauses int) error {
	if err := f.hand(nil); err != nil {
		return err
	}
	if err := f.pause(ctx); err != nil {
		return err
	}
	if pauses%statusEvery != 0 {
		return nil
	}
	return f.look(ctx)
}

// unchanged is an error where the log was replaced or removed.
func (f *follower) unchanged() error {
	open, err := f.file.Stat()
	if err != nil {
		return fmt.Errorf("look at the log: %w", err)
	}
	if there, err := os.Lstat(f.path); err != nil || !os.SameFile(open, there) {
		return errLogReplaced
	}
	return nil
}

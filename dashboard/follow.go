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
	// followPause is the interval of reading when nothing is new.
	followPause = 250 * time.Millisecond
	// statusEvery is the number of consecutive pauses after which the session's state is read too.
	statusEvery = 4
)

// What can end following a log. The errors are for people.
var (
	errLogCut      = errors.New("the log was cut short while it was read; load the page again")
	errLogReplaced = errors.New("the log was removed or replaced while it was read; load the page again")
)

// Follow passes the lines of a session's raw log from a byte offset to f, first existing and then new ones, until the session has ended
// and all were passed on (nil), ctx ends, or f returns an error. In between, f may be called without lines, to detect that its reader is
// gone.
func (i *Instance) Follow(ctx context.Context, session, from int64, f func([]LogLine) error) error {
	return i.follow(ctx, session, from, f, pause)
}

// pause waits before the next read of a log.
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

// follower follows a log.
type follower struct {
	instance *Instance
	session  store.Session
	running  bool
	hand     func([]LogLine) error
	pause    func(context.Context) error

	path    string
	file    *os.File
	reader  *logReader
	at      int64 // offset of the next line; until aligned, where its beginning is searched
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

// open opens the log once it exists.
func (f *follower) open(ctx context.Context) (err error) {
	f.path = f.instance.logPath(f.session)
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

// begin determines where to search for the first line.
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

// run passes on existing lines, then new ones.
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

// next returns new complete lines, if there are any.
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
	f.aligned, err = f.reader.endsLine(next) // the rest of an overlong line may follow
	return lines, err
}

// measure updates the size of the log.
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

// idle calls f without lines and waits. From time to time it checks whether the session has ended; lines written until then are read
// afterwards.
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

// unchanged returns an error if the log was replaced or removed.
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

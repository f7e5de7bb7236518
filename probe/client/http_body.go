package client

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/claudeops/claudeops/inventory"
)

// search looks for what a body must have in it, and reads no further than that.
type search struct {
	want *inventory.HTTP
	body []byte
	last time.Time // when something was read last

	tried   int       // how much of the body was searched
	triedAt time.Time // and when
}

// read reads the body until it has all that is wanted, at most maxBody of it.
func (s *search) read(ctx context.Context, body io.Reader, timeout time.Duration) (fault string) {
	s.last = time.Now()
	for {
		s.body = grown(s.body)
		n, err := body.Read(s.body[len(s.body):min(cap(s.body), maxBody)])
		s.body = s.body[:len(s.body)+n]
		if n > 0 {
			s.last = time.Now()
		}
		over := err != nil || len(s.body) >= maxBody
		if (over || s.worthwhile()) && s.missing() == "" {
			return ""
		}
		switch {
		case len(s.body) >= maxBody:
			return s.missing() + fmt.Sprintf(" (of which the first %s were read)", size(maxBody))
		case errors.Is(err, io.EOF):
			return s.missing() + " (" + size(len(s.body)) + ")"
		case err != nil:
			return broken(ctx, err, len(s.body), timeout)
		}
	}
}

// grown has room for more, twice as much each time.
func grown(body []byte) []byte {
	if len(body) < cap(body) {
		return body
	}
	more := make([]byte, len(body), max(4<<10, min(2*cap(body), maxBody)))
	copy(more, body)
	return more
}

// worthwhile reports whether to search what was read so far. A short body is searched whenever there is more of it, a longer one
// now and then, so that one that comes in small pieces is not searched a million times.
func (s *search) worthwhile() bool {
	const short = 4 << 10
	if len(s.body) > short && len(s.body) < s.tried+s.tried/16 && s.last.Sub(s.triedAt) < 10*time.Millisecond {
		return false
	}
	s.tried, s.triedAt = len(s.body), s.last
	return true
}

// missing says what is not in the body.
func (s *search) missing() string {
	switch {
	case s.want.Body != "" && !bytes.Contains(s.body, []byte(s.want.Body)):
		return strconv.Quote(shorten(s.want.Body, 60)) + " is not in its body"
	case s.want.BodyRegex != nil && !s.want.BodyRegex.Match(s.body):
		return "its body does not match " + shorten(s.want.BodyRegex.String(), 60)
	}
	return ""
}

// broken says why the rest of a body could not be read.
func broken(ctx context.Context, err error, after int, timeout time.Duration) string {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("its body was not complete within %s (%s came)", timeout, size(after))
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return "its body is not the gzip that it is said to be"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("its body ended too early, after %s", size(after))
	}
	return fmt.Sprintf("its body broke off after %s: %s", size(after), networkFault(err, "the server"))
}

// size writes a number of bytes for a person.
func size(n int) string {
	switch {
	case n < 1<<10:
		return fmt.Sprintf("%d B", n)
	case n < 1<<20:
		return fmt.Sprintf("%.1f KiB", float64(n)/(1<<10))
	}
	return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
}

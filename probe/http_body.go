package probe

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/net/html/charset"
	"golang.org/x/text/encoding/unicode"
	"golang.org/x/text/transform"

	"github.com/claudeops/claudeops/internal/text"
)

// maxEarly limits how much of a body is searched while more is arriving, in bytes. The rest is searched in one pass.
const maxEarly = 64 << 10

// small is the size, in bytes, up to which a body is searched again whenever more arrives: it may already be complete.
const small = 4 << 10

// readable returns a response's body as a browser shows it: unpacked, asked for or not, and in UTF-8. unread is a Content-Encoding that is
// not known.
func readable(answer *http.Response) (body io.Reader, unread string) {
	body = answer.Body
	switch coding := strings.ToLower(answer.Header.Get("Content-Encoding")); coding {
	case "", "identity":
	case "gzip", "x-gzip":
		unzipped, err := gzip.NewReader(body)
		if err != nil {
			return failing{err}, ""
		}
		body = unzipped
	default:
		unread = coding
	}
	return inUTF8(body, answer.Header.Get("Content-Type")), unread
}

// failing is a reader that could not be made.
type failing struct{ error }

func (f failing) Read([]byte) (int, error) { return 0, f.error }

// inUTF8 converts a body from the charset that its byte order mark, its Content-Type or the page itself names. Without one it is UTF-8,
// unless its start is not.
func inUTF8(body io.Reader, contentType string) io.Reader {
	in := bufio.NewReader(body)
	begin := 1 // what has come, because a stream may never send more
	if kind, named, _ := mime.ParseMediaType(contentType); kind == "text/html" && named["charset"] == "" {
		begin = 1024 // where a page has it
	}
	_, _ = in.Peek(begin) // an error comes again
	head, _ := in.Peek(in.Buffered())
	head = append([]byte("ü"), head...) // so that a start in ASCII is UTF-8
	encoding, _, _ := charset.DetermineEncoding(head, contentType)
	return transform.NewReader(in, unicode.BOMOverride(encoding.NewDecoder()))
}

// search searches a body for what it must contain. It reads no further than necessary, and at most maxBody.
type search struct {
	want *HTTP
	ctx  context.Context //nolint:containedctx // ends reading, and searching what was read
	body io.Reader
	read int
	err  error     // the error that ended the body
	last time.Time // time of the last successful read

	found bool   // want.Body was found
	tail  []byte // the end of what was read, where want.Body may begin
}

// searchBody searches a body. The fault says what is wrong with it. last is the time of the last successful read.
func searchBody(ctx context.Context, body io.Reader, want *HTTP, timeout time.Duration) (fault string, last time.Time) {
	s := &search{want: want, ctx: ctx, body: body, last: time.Now(), found: want.Body == ""}
	matched := want.BodyRegex == nil || s.match(want.BodyRegex)
	for rest := make([]byte, 4<<10); matched && !s.found && s.err == nil; {
		_, _ = s.Read(rest)
	}
	switch {
	case matched && s.found:
		return "", s.last
	case ctx.Err() != nil:
		return broken(ctx, ctx.Err(), s.read, timeout), s.last
	case s.err != nil && !errors.Is(s.err, io.EOF):
		return broken(ctx, s.err, s.read, timeout), s.last
	}
	extent := " (" + text.Size(int64(s.read)) + ")"
	if s.read >= maxBody {
		extent = fmt.Sprintf(" (of which the first %s were read)", text.Size(maxBody))
	}
	if !s.found && (matched || s.err != nil) {
		return strconv.Quote(text.Shorten(want.Body, 60)) + " is not in its body" + extent, s.last
	}
	return "its body does not match " + text.Shorten(want.BodyRegex.String(), 60) + extent, s.last
}

// Read reads more of the body, and searches it for want.Body.
func (s *search) Read(p []byte) (int, error) {
	if s.err != nil {
		return 0, s.err
	}
	n, err := s.body.Read(p[:min(len(p), maxBody-s.read)])
	if n > 0 {
		s.last = time.Now()
	}
	if s.read += n; err == nil && s.read >= maxBody {
		err = io.EOF
	}
	if !s.found {
		s.tail = append(s.tail, p[:n]...)
		s.found = bytes.Contains(s.tail, []byte(s.want.Body))
		s.tail = append(s.tail[:0], s.tail[max(0, len(s.tail)-len(s.want.Body)+1):]...)
	}
	s.err = err
	return n, err
}

// match reads until a pattern matches. The start is searched again while it is small, and then whenever it has doubled or much more time
// has passed than a search takes, because some bodies never end. Finally everything is searched in one pass, which ends with the attempt.
func (s *search) match(pattern *regexp.Regexp) bool {
	early := !endMatters.MatchString(pattern.String())
	begin := make([]byte, 0, small)
	searched, at, pause := 0, time.Time{}, time.Duration(0)
	for s.err == nil && len(begin) < maxEarly {
		begin = slices.Grow(begin, 1)
		n, _ := s.Read(begin[len(begin):min(cap(begin), maxEarly)])
		begin = begin[:len(begin)+n]
		if early && (len(begin) <= small || len(begin) >= 2*searched || s.last.Sub(at) >= pause) {
			began := time.Now()
			if pattern.Match(begin) {
				return true
			}
			searched, at = len(begin), time.Now()
			pause = max(10*time.Millisecond, 10*at.Sub(began))
		}
	}
	runes := &attemptRunes{ctx: s.ctx, in: bufio.NewReader(io.MultiReader(bytes.NewReader(begin), s))}
	return pattern.MatchReader(runes) && s.ctx.Err() == nil && (s.err == nil || errors.Is(s.err, io.EOF)) // otherwise it did not end
}

// endMatters matches the parts of a pattern that depend on what follows.
var endMatters = regexp.MustCompile(`\$|\\[zbB]`)

// attemptRunes ends with the attempt, and so ends a search of it; some searches take long.
type attemptRunes struct {
	ctx  context.Context //nolint:containedctx // a search has no other way to get it
	in   io.RuneReader
	read int
}

func (r *attemptRunes) ReadRune() (rune, int, error) {
	if r.read++; r.read%256 == 0 && r.ctx.Err() != nil {
		return 0, 0, r.ctx.Err()
	}
	return r.in.ReadRune()
}

// broken says why the rest of a body could not be read.
func broken(ctx context.Context, err error, after int, timeout time.Duration) string {
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return fmt.Sprintf("its body was not complete within %s (%s came)", timeout, text.Size(int64(after)))
	case errors.Is(err, gzip.ErrHeader), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return "its body is not compressed as its Content-Encoding says"
	case errors.Is(err, io.ErrUnexpectedEOF):
		return fmt.Sprintf("its body ended too early, after %s", text.Size(int64(after)))
	}
	return fmt.Sprintf("its body broke off after %s: %s", text.Size(int64(after)), networkFault(err, "the server"))
}

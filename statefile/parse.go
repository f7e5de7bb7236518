package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// ErrCorrupt means that a state file does not contain a state. The error that wraps it says what it contains.
var ErrCorrupt = errors.New("not a cooldown state")

// Parse parses a state written by this program, by jq or by a person. It fails with ErrCorrupt if data is not a JSON object, has a
// duplicate name, or has something of another type in place of a member; times are as RFC 3339 writes them. A null or missing member is
// an empty one.
func Parse(data []byte) (*State, error) {
	data = bytes.TrimPrefix(data, []byte("\ufeff"))
	if !bytes.HasPrefix(bytes.TrimLeft(data, " \t\r\n"), []byte("{")) {
		return nil, fmt.Errorf("%w: it does not begin with {", ErrCorrupt)
	}
	s := New()
	if err := json.Unmarshal(data, s, jsontext.AllowInvalidUTF8(true)); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCorrupt, err)
	}
	s.complete()
	return s, nil
}

// written returns a time as it can be written; zero if it cannot, which counts as now.
func written(t time.Time) time.Time {
	if t = At(t); t.Year() < 1 || t.Year() > 9999 {
		return time.Time{}
	}
	return t
}

// complete replaces null and absurd values by ones that the rest of the package can rely on, and truncates times to whole seconds of UTC.
func (s *State) complete() {
	if s.Services == nil {
		s.Services = map[string]*Service{}
	}
	for _, t := range []*time.Time{s.LastRun, s.LastDailyDigest} {
		if t != nil {
			*t = written(*t)
		}
	}
	for name, is := range s.Services {
		if is == nil {
			s.Services[name] = &Service{}
			continue
		}
		is.ConsecutiveHealthy = min(max(is.ConsecutiveHealthy, 0), math.MaxInt32)
		for _, a := range Actions() {
			for i := range is.Records(a) {
				r := &is.Records(a)[i]
				r.Timestamp = written(r.Timestamp)
			}
		}
	}
}

package statefile

import (
	"cmp"
	"math"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// Time is a moment in the file, in UTC. It is written in whole seconds, `2006-01-02T15:04:05Z`; a fraction is dropped. It is read from
// any RFC 3339 time, and from a number of Unix seconds (jq's `now`). Anything else becomes the zero Time, which is Unreadable and written
// as null.
type Time struct{ time.Time }

// At returns a moment as the file stores it: in UTC, truncated to whole seconds.
func At(t time.Time) Time { return Time{t.UTC().Truncate(time.Second)} }

// lastSecond is the end of the year 9999, the last second that RFC 3339 can represent.
const lastSecond = 253402300799

// Unreadable reports whether there is no moment: the file had none, or none that could be read.
func (t Time) Unreadable() bool { return t.IsZero() }

// String formats the time as in the file, or "null".
func (t Time) String() string {
	if t.Unreadable() {
		return "null"
	}
	return t.UTC().Format(time.RFC3339)
}

// MarshalJSONTo writes the time as in the file.
func (t Time) MarshalJSONTo(enc *jsontext.Encoder) error {
	if t.Unreadable() || t.Unix() > lastSecond || t.UTC().Year() < 1 {
		return enc.WriteToken(jsontext.Null)
	}
	return enc.WriteToken(jsontext.String(t.String()))
}

// UnmarshalJSONFrom reads any JSON value. It fails only if there is none.
func (t *Time) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	v, err := dec.ReadValue()
	if err != nil {
		return err
	}
	*t = Time{}
	switch v.Kind() {
	case jsontext.KindString:
		if at, err := time.Parse(`"`+time.RFC3339+`"`, string(v)); err == nil {
			t.Time = at.UTC()
		}
	case jsontext.KindNumber:
		if seconds, err := strconv.ParseFloat(string(v), 64); err == nil && math.Abs(seconds) <= lastSecond {
			t.Time = time.Unix(int64(math.Floor(seconds)), 0).UTC()
		}
	}
	if t.UTC().Year() < 1 || t.Unix() > lastSecond {
		*t = Time{}
	}
	return nil
}

// orNow returns the moment that the time counts as: itself, or now if it is in the future or unreadable.
func (t Time) orNow(now time.Time) time.Time {
	if t.Unreadable() || t.After(now) {
		return now
	}
	return t.Time
}

// notAfter is orNow for the file: whole seconds if it changes.
func (t Time) notAfter(now time.Time) Time {
	if t.Unreadable() || t.After(now) {
		return At(now)
	}
	return t
}

// compare orders by time; an unreadable time counts as now, and therefore comes last.
func (t Time) compare(u Time) int {
	if t.Unreadable() || u.Unreadable() {
		return cmp.Compare(u.Unix(), t.Unix())
	}
	return t.Time.Compare(u.Time)
}

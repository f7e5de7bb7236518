package statefile

import (
	"bytes"
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
	return enc.WriteValue(t.append(enc.AvailableBuffer()))
}

func (t Time) append(b []byte) []byte {
	if t.Unreadable() || t.Unix() > lastSecond || t.UTC().Year() < 1 {
		return append(b, "null"...)
	}
	b = append(b, '"')
	b = t.UTC().AppendFormat(b, time.RFC3339)
	return append(b, '"')
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
		t.readText(v)
	case jsontext.KindNumber:
		t.readNumber(v)
	}
	if t.UTC().Year() < 1 || t.Unix() > lastSecond {
		*t = Time{}
	}
	return nil
}

func (t *Time) readText(quoted jsontext.Value) {
	text := quoted[1 : len(quoted)-1]
	if bytes.IndexByte(text, '\\') >= 0 {
		var err error
		if text, err = jsontext.AppendUnquote(nil, quoted); err != nil {
			return
		}
	}
	var at time.Time
	err := at.UnmarshalText(text)
	if err != nil && len(text) > 10 { // RFC 3339 section 5.6 also allows lower case, and a space for the T
		text = bytes.ToUpper(text)
		if text[10] == ' ' {
			text[10] = 'T'
		}
		err = at.UnmarshalText(text)
	}
	if err == nil {
		t.Time = at.UTC()
	}
}

func (t *Time) readNumber(v jsontext.Value) {
	seconds, err := strconv.ParseFloat(string(v), 64)
	if err != nil || math.Abs(seconds) > lastSecond {
		return
	}
	whole, fraction := math.Modf(seconds)
	t.Time = time.Unix(int64(whole), int64(fraction*1e9)).UTC()
}

// orNow returns the moment that the time counts as: itself, or now if it is in the future or unreadable.
func (t Time) orNow(now time.Time) time.Time {
	if t.Unreadable() || t.After(now) {
		return now
	}
	return t.Time
}

// straighten replaces a time that counts as now by now, and says what was wrong with it.
func (t *Time) straighten(now time.Time) (was string, bent bool) {
	switch {
	case t.Unreadable():
		was = "could not be read"
	case t.After(now):
		was = "was " + t.String() + ", in the future"
	default:
		return "", false
	}
	*t = At(now)
	return was, true
}

// compare orders by time; an unreadable time counts as now, and therefore comes last.
func (t Time) compare(u Time) int {
	switch {
	case t.Unreadable() && u.Unreadable():
		return 0
	case t.Unreadable():
		return 1
	case u.Unreadable():
		return -1
	}
	return t.Time.Compare(u.Time)
}

package statefile

import (
	"bytes"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Marshal is the file's content: services in the order of their names, two spaces of indentation, a newline at the end. Bytes
// of texts that are no UTF-8 become U+FFFD. It fails where a service's name is no UTF-8, and where Extra is no object or holds a
// name that has a field.
//
// It writes what json.Marshal makes of the types with json.Deterministic and that indentation, in a fraction of the time: every
// remediation waits for it.
func (s *State) Marshal() ([]byte, error) {
	w := writer{b: make([]byte, 0, 256+320*len(s.Services))}
	w.open('{')
	w.member("services")
	w.services(s.Services)
	w.member("last_run")
	w.mark(s.LastRun)
	w.member("last_daily_digest")
	w.mark(s.LastDailyDigest)
	w.extra(s.Extra, "services", "last_run", "last_daily_digest")
	w.close('}')
	if w.err != nil {
		return nil, fmt.Errorf("write the cooldown state as JSON: %w", w.err)
	}
	return append(w.b, '\n'), nil
}

// writer appends pretty-printed JSON. Its first error stays.
type writer struct {
	b     []byte
	depth int
	empty bool // the object or array being written has nothing in it yet
	err   error
}

// lineOf has a line break and the indentation of the deepest member there is, one of a record.
const lineOf = "\n          "

func (w *writer) open(bracket byte) {
	w.b = append(w.b, bracket)
	w.depth++
	w.empty = true
}

func (w *writer) close(bracket byte) {
	w.depth--
	if !w.empty {
		w.line()
	}
	w.b = append(w.b, bracket)
	w.empty = false
}

func (w *writer) line() { w.b = append(w.b, lineOf[:1+2*w.depth]...) }

// next begins an element or a member on a line of its own.
func (w *writer) next() {
	if !w.empty {
		w.b = append(w.b, ',')
	}
	w.empty = false
	w.line()
}

// member begins a member whose name needs no escapes.
func (w *writer) member(name string) {
	w.next()
	w.b = append(w.b, '"')
	w.b = append(w.b, name...)
	w.b = append(w.b, `": `...)
}

func (w *writer) text(s string) {
	w.b, _ = jsontext.AppendQuote(w.b, s) // the error only says that bytes had to be replaced
}

func (w *writer) textUnlessEmpty(name, s string) {
	if s != "" {
		w.member(name)
		w.text(s)
	}
}

func (w *writer) numberUnlessZero(name string, n int64) {
	if n != 0 {
		w.member(name)
		w.b = strconv.AppendInt(w.b, n, 10)
	}
}

func (w *writer) mark(t *Time) {
	if t == nil {
		t = &Time{}
	}
	w.b = t.append(w.b)
}

func (w *writer) services(all map[string]*Service) {
	w.open('{')
	for _, name := range slices.Sorted(maps.Keys(all)) {
		if !utf8.ValidString(name) && w.err == nil {
			w.err = fmt.Errorf("the service name %q is no UTF-8", name)
		}
		w.next()
		w.text(name)
		w.b = append(w.b, ": "...)
		w.service(all[name])
	}
	w.close('}')
}

func (w *writer) service(s *Service) {
	if s == nil {
		s = &Service{}
	}
	w.open('{')
	w.member("restarts")
	w.records(s.Restarts)
	w.member("redeployments")
	w.records(s.Redeployments)
	w.member("consecutive_healthy")
	w.b = strconv.AppendInt(w.b, int64(s.ConsecutiveHealthy), 10)
	w.extra(s.Extra, "restarts", "redeployments", "consecutive_healthy")
	w.close('}')
}

func (w *writer) records(records []Record) {
	w.b = slices.Grow(w.b, 160*len(records))
	w.open('[')
	for i := range records {
		w.next()
		w.record(&records[i])
	}
	w.close(']')
}

func (w *writer) record(r *Record) {
	w.open('{')
	w.member("timestamp")
	w.b = r.Timestamp.append(w.b)
	w.member("success")
	w.b = strconv.AppendBool(w.b, r.Success)
	w.textUnlessEmpty("error", r.Error)
	w.numberUnlessZero("tier", int64(r.Tier))
	w.textUnlessEmpty("action_detail", r.ActionDetail)
	w.numberUnlessZero("duration_ms", r.DurationMS)
	w.textUnlessEmpty("id", r.ID)
	w.extra(r.Extra, "timestamp", "success", "error", "tier", "action_detail", "duration_ms", "id")
	w.close('}')
}

// extra writes the members that others added, which must have none of our names.
func (w *writer) extra(members jsontext.Value, ours ...string) {
	if len(members) == 0 || w.err != nil {
		return
	}
	if w.err = foreign(members, ours); w.err != nil {
		return
	}
	pretty := bytes.Clone(members)
	around := lineOf[1 : 1+2*(w.depth-1)]
	if w.err = (*jsontext.Value)(&pretty).Format(jsontext.WithIndentPrefix(around), jsontext.WithIndent("  "), jsontext.AllowInvalidUTF8(true)); w.err != nil {
		return
	}
	inner := bytes.TrimSuffix(pretty[1:len(pretty)-1], []byte("\n"+around))
	if len(inner) == 0 {
		return
	}
	if !w.empty {
		w.b = append(w.b, ',')
	}
	w.empty = false
	w.b = append(w.b, inner...)
}

func foreign(members jsontext.Value, ours []string) error {
	if members.Kind() != jsontext.KindBeginObject {
		return errors.New("added members are no object")
	}
	var names map[string]jsontext.Value
	if err := json.Unmarshal(members, &names, jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	for _, name := range ours {
		if _, taken := names[name]; taken {
			return fmt.Errorf("an added member has the name of a field: %s", name)
		}
	}
	return nil
}

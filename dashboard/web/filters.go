package web

import (
	"cmp"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/store"
)

// maxFilter limits a filter's text, in bytes: no name is longer.
const maxFilter = check.MaxServiceName

// maxSessionTier is the highest tier (SPEC-0016).
const maxSessionTier = 3

// Valid values of session filters, and spans.
var (
	sessionStatuses = []store.Status{store.Running, store.Completed, store.Escalated, store.Failed, store.TimedOut, store.Interrupted}
	triggers        = []string{"cron", "systemd", "kubernetes", "manual", "alert", "approval", "escalation"}
	spans           = []dashboard.Span{dashboard.Day1, dashboard.Day7, dashboard.Day30}
)

// filters parses a request: the id or name in its path, and the filters in its query. Empty filters count as unset, because forms send
// all of them. Of a repeated filter the first value counts.
type filters struct {
	request *http.Request
	values  url.Values
	zone    *time.Location // of times without a zone
	err     error          // the first invalid one
}

// wrong records an invalid filter.
func (f *filters) wrong(name, expected string) {
	if f.err == nil {
		f.err = &fault{
			Status: http.StatusBadRequest, Title: "A filter cannot be understood",
			Detail: name + "=" + quoted(f.values.Get(name)) + " is not " + expected + ".",
			Advice: "Correct it in the address, or set the filter anew.",
		}
	}
}

// text returns a text that may be a name.
func (f *filters) text(name string) string {
	value := f.values.Get(name)
	if len(value) > maxFilter || !utf8.ValidString(value) {
		f.wrong(name, "a text of at most "+strconv.Itoa(maxFilter)+" bytes")
		return ""
	}
	return value
}

// oneOf returns one of the values, or empty.
func oneOf[T ~string](f *filters, name string, values ...T) T {
	value := T(f.values.Get(name))
	if value == "" || slices.Contains(values, value) {
		return value
	}
	var words []string
	for _, v := range values {
		words = append(words, string(v))
	}
	f.wrong(name, "one of "+strings.Join(words, ", "))
	return ""
}

// number returns an integer from least to most; 0 if unset.
func (f *filters) number(name string, least, most int64) int64 {
	value := f.values.Get(name)
	if value == "" {
		return 0
	}
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil || n < least || n > most {
		expected := "a whole number from " + strconv.FormatInt(least, 10)
		if most < maxID {
			expected += " to " + strconv.FormatInt(most, 10)
		}
		f.wrong(name, expected)
		return 0
	}
	return n
}

// maxID is the maximum of ids and offsets.
const maxID = 1<<63 - 1

func (f *filters) id(name string) int64 { return f.number(name, 1, maxID) }

func (f *filters) yesNo(name string) *bool {
	switch f.values.Get(name) {
	case "":
	case "true", "1", "yes":
		return new(true)
	case "false", "0", "no":
		return new(false)
	default:
		f.wrong(name, "true or false")
	}
	return nil
}

// moment parses a time as written by forms and programs; zero if unset. If it is a date without a time and the end of a span, it includes
// the whole day.
func (f *filters) moment(name string, end bool) time.Time {
	value := f.values.Get(name)
	if value == "" {
		return time.Time{}
	}
	if len(value) <= len(time.RFC3339Nano) {
		if day, err := time.ParseInLocation(time.DateOnly, value, f.zone); err == nil && writable(day) {
			if end {
				day = day.AddDate(0, 0, 1)
			}
			return day
		}
		if at, err := time.ParseInLocation("2006-01-02T15:04", value, f.zone); err == nil && writable(at) {
			return at
		}
		if at, err := time.Parse(time.RFC3339, value); err == nil && writable(at) {
			return at
		}
	}
	f.wrong(name, "a time such as 2006-01-02, 2006-01-02T15:04 or 2006-01-02T15:04:05Z")
	return time.Time{}
}

// writable reports whether a time can be compared with recorded ones, whose year has four digits.
func writable(t time.Time) bool {
	year := t.UTC().Year()
	return year >= 1 && year < 9999 && !t.IsZero()
}

func (f *filters) limit(most int64) int { return int(f.number("limit", 1, most)) }

// sessions returns the filters of sessions.
func (f *filters) sessions() (store.SessionFilter, error) {
	quiet := f.yesNo("quiet")
	q := store.SessionFilter{
		Loud:    quiet == nil || !*quiet,
		Status:  oneOf(f, "status", sessionStatuses...),
		Tier:    int(f.number("tier", 1, maxSessionTier)),
		Trigger: oneOf(f, "trigger", triggers...),
		Service: f.text("service"),
		From:    f.moment("from", false),
		Until:   f.moment("until", true),
		Before:  f.id("before"),
		Limit:   f.limit(200),
	}
	if f.err == nil && !q.From.IsZero() && !q.Until.IsZero() && !q.From.Before(q.Until) {
		f.wrong("until", "later than from")
	}
	return q, f.err
}

// incidents returns the filters of incidents.
func (f *filters) incidents() (store.IncidentFilter, error) {
	q := store.IncidentFilter{Service: f.text("service"), Open: f.yesNo("open"), Before: f.id("before"), Limit: f.limit(200)}
	return q, f.err
}

// proposals returns the filters of proposals.
func (f *filters) proposals() (store.ProposalFilter, error) {
	q := store.ProposalFilter{
		Service: f.text("service"), Status: oneOf(f, "status", store.ProposalWaiting, store.ProposalApproved, store.ProposalRejected,
			store.ProposalExpired, store.ProposalVoid, store.ProposalDone, store.ProposalFailed),
	}
	return q, f.err
}

// services returns the filters of services.
func (f *filters) services() (dashboard.ServiceQuery, error) {
	q := dashboard.ServiceQuery{
		Text: f.text("q"), Status: oneOf(f, "status", check.Statuses()...), After: f.values.Get("after"), Limit: f.limit(500),
	}
	return q, f.err
}

// events returns the filters of events.
func (f *filters) events() (store.EventFilter, error) {
	q := store.EventFilter{
		Level: oneOf(f, "level", store.Info, store.Warning, store.Critical), Service: f.text("service"), Before: f.id("before"), Limit: f.limit(500),
	}
	if session := f.id("session"); session != 0 {
		q.SessionID = &session
	}
	return q, f.err
}

// span returns the span of a service's history.
func (f *filters) span() (dashboard.Span, error) {
	return cmp.Or(oneOf(f, "span", spans...), dashboard.Day1), f.err
}

// offset returns where a stream of a raw log begins; near its end if nothing is given.
func (f *filters) offset() (int64, error) {
	if f.values.Get("from") == "" {
		return dashboard.LogTail, nil
	}
	return f.number("from", dashboard.LogTail, maxID), f.err
}

// filters returns the parser for a request.
func (s *server) filters(r *http.Request) *filters {
	return &filters{request: r, values: r.URL.Query(), zone: s.now().Location()}
}

// pathID returns the id in the path.
func (f *filters) pathID() (int64, error) {
	value := f.request.PathValue("id")
	id, err := strconv.ParseInt(value, 10, 64)
	if err != nil || id < 1 || strconv.FormatInt(id, 10) != value {
		return 0, &fault{
			Status: http.StatusNotFound, Title: "Not found", Detail: quoted(value) + " is not the number of one.", Advice: "Choose it from the list.",
			err: store.ErrNotFound,
		}
	}
	return id, nil
}

// pathName returns the service in the path; see servicePath.
func (f *filters) pathName() string {
	if f.values.Has("name") {
		return f.values.Get("name")
	}
	return f.request.PathValue("name")
}

// further returns the URL of the next page: the same filters from another position. It is empty if there is none.
func further[T comparable](f *filters, name string, at T) string {
	var none T
	if at == none {
		return ""
	}
	query := f.request.URL.Query()
	query.Set(name, fmt.Sprint(at))
	return f.request.URL.EscapedPath() + "?" + query.Encode()
}

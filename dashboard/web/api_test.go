package web

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/store"
)

// document returns the description of the API, which must be valid.
func document(t *testing.T) *openapi3.T {
	t.Helper()
	d := must(openapi3.NewLoader().LoadFromData(openapi))(t)
	fine(t, d.Validate(t.Context()))
	return d
}

// described compares answers with the description.
type described struct {
	*site
	document *openapi3.T
	router   routers.Router
	seen     map[string]bool // schema.property with a value in some answer
}

func newDescribed(s *site) *described {
	s.t.Helper()
	d := document(s.t)
	d.Servers = openapi3.Servers{{URL: s.http.URL + apiPrefix}}
	router, err := legacy.NewRouter(d)
	if err != nil {
		s.t.Fatal(err)
	}
	return &described{s, d, router, map[string]bool{}}
}

// ask requests a path of the API and checks the answer and, if status is 200, the request, against the description.
func (d *described) ask(path string, status int, change ...func(*http.Request)) reply {
	d.t.Helper()
	got := d.get(apiPrefix+path, change...)
	if got.StatusCode != status {
		d.t.Errorf("%s: %d, want %d\n%s", path, got.StatusCode, status, got.body)
	}
	route, params, err := d.router.FindRoute(got.Request)
	if err != nil {
		d.t.Errorf("%s is not described: %v", path, err)
		return got
	}
	in := &openapi3filter.RequestValidationInput{
		Request: got.Request, PathParams: params, Route: route, Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	if err := openapi3filter.ValidateRequest(d.t.Context(), in); (err == nil) != (status != http.StatusBadRequest) && status < 401 {
		d.t.Errorf("%s is answered with %d, but the description says of the request: %v", path, status, err)
	}
	out := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: got.StatusCode, Header: got.Header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}
	out.SetBodyBytes([]byte(got.body))
	if err := openapi3filter.ValidateResponse(d.t.Context(), out); err != nil {
		d.t.Errorf("%s: %.600v", path, err)
	}
	d.note(route.Operation.Responses.Value(fmt.Sprint(status)), got)
	return got
}

func (d *described) note(response *openapi3.ResponseRef, got reply) {
	d.t.Helper()
	content := response.Value.Content.Get(strings.Split(got.Header.Get("Content-Type"), ";")[0])
	if content == nil || content.Schema.Ref == "" {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(got.body), &v); err != nil {
		d.t.Error(err)
	}
	d.noteValue(content.Schema, v)
}

// noteValue records which properties have a value.
func (d *described) noteValue(schema *openapi3.SchemaRef, v any) {
	if len(schema.Value.AllOf) == 1 {
		schema = schema.Value.AllOf[0]
	}
	switch v := v.(type) {
	case []any:
		for _, element := range v {
			d.noteValue(schema.Value.Items, element)
		}
	case map[string]any:
		name := schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
		for member, value := range v {
			property := schema.Value.Properties[member]
			if property == nil {
				if property = schema.Value.AdditionalProperties.Schema; property != nil {
					d.noteValue(property, value)
				}
				continue
			}
			if list, ok := value.([]any); value != nil && (!ok || len(list) > 0) {
				d.seen[name+"."+member] = true
			}
			d.noteValue(property, value)
		}
	}
}

func TestAPIIsAsDescribed(t *testing.T) {
	d := newDescribed(newTestServer(t))
	d.ask("/overview", 200)
	d.ask("/sessions?limit=200", 200)
	page := must(d.server.instance.Sessions(t.Context(), store.SessionFilter{Limit: 30}))(t)
	for _, chain := range page.Chains {
		for _, s := range chain.Sessions {
			d.ask(fmt.Sprintf("/sessions/%d", s.ID), 200)
		}
	}
	for _, id := range append(slices.Clone(d.lab.Chain), d.lab.Running) {
		d.ask(fmt.Sprintf("/sessions/%d", id), 200)
		d.ask(fmt.Sprintf("/sessions/%d/log", id), 200)
	}
	d.ask("/sessions?status=escalated&tier=1&trigger=cron&service=jellyfin&from=2026-01-01&until=2026-12-31&before=9999", 200)
	d.ask("/incidents", 200)
	for _, id := range []int64{d.lab.Fixed, d.lab.Open, d.lab.Held} {
		d.ask(fmt.Sprintf("/incidents/%d", id), 200)
	}
	d.ask("/incidents?open=true&service=jellyfin&before=99&limit=1", 200)
	d.ask("/proposals", 200)
	d.ask("/proposals?status=waiting&service=paperless", 200)
	for _, id := range []int64{d.lab.Asks, d.lab.Asks - 1} {
		d.ask(fmt.Sprintf("/proposals/%d", id), 200)
	}
	d.ask("/services", 200)
	services := must(d.server.instance.Services(t.Context(), dashboard.ServiceQuery{}))(t)
	for _, s := range services.Services {
		d.ask(servicePath(s.Name)+"?span=30d", 200)
	}
	d.ask("/services?q=a&status=healthy&after=b&limit=1", 200)
	d.ask("/events?limit=500", 200)
	d.ask("/events?level=info&service=jellyfin&session=1&before=9&limit=1", 200)
	for _, path := range []string{"/cooldowns", "/hooks", "/settings", "/openapi.yaml"} {
		d.ask(path, 200)
	}
	d.askOfDependentsAndHoles()
	d.wantAllSeen("Problem", "KeptAlerts", "Incident.held", "Overview.next_run_at", "Overview.last_event", "Overview.stale_since", "Overview.due_since", "Session.exit_code", "ServiceDetail.owner", "Hooks.fault", "Silence.ended_at",
		"Service.uptime_30d")
}

// askOfDependentsAndHoles asks another server about an incident with a dependent service, and about a check that cannot be made.
func (d *described) askOfDependentsAndHoles() {
	d.t.Helper()
	other := newDescribed(newTestServer(d.t, ofDatabase(newDatabase(d.t, func(ctx context.Context, s *store.Store) error {
		id, err := s.OpenIncident(ctx, store.Incident{Service: "db", Status: check.Down, Fingerprint: "x", OpenedAt: testNow, LastSeenAt: testNow})
		if err != nil {
			return err
		}
		hole := check.Result{Service: "api", Type: check.Container, Status: check.Unknown, Error: "no permission"}
		return errors.Join(s.AddDependent(ctx, id, "shop", check.Degraded, testNow), s.AddChecks(ctx, store.Reported, 0, testNow, []check.Result{hole}))
	}))))
	other.ask("/incidents/1", http.StatusOK)
	other.ask("/overview", http.StatusOK)
	maps.Copy(d.seen, other.seen)
}

// wantAllSeen reports the properties without a value in any answer, except those of a schema or single ones that cannot occur here.
func (d *described) wantAllSeen(but ...string) {
	d.t.Helper()
	for _, name := range slices.Sorted(maps.Keys(d.document.Components.Schemas)) {
		if slices.Contains(but, name) {
			continue
		}
		for _, property := range slices.Sorted(maps.Keys(d.document.Components.Schemas[name].Value.Properties)) {
			if at := name + "." + property; !d.seen[at] && !slices.Contains(but, at) {
				d.t.Errorf("no value of %s was seen", at)
			}
		}
	}
}

func TestAPIErrorsAreAsDescribed(t *testing.T) {
	d := newDescribed(newTestServer(t))
	for _, path := range []string{
		"/sessions?status=done", "/sessions?tier=9", "/sessions?trigger=me", "/sessions?before=x", "/sessions?before=0", "/sessions?limit=201",
		"/incidents?open=maybe", "/incidents?before=-1", "/services?status=fine", "/services?limit=0", "/services/jellyfin?span=1y", "/events?level=loud",
		"/events?session=x", "/events?before=99999999999999999999",
	} {
		got := d.ask(path, http.StatusBadRequest)
		name := path[strings.Index(path, "?")+1 : strings.Index(path, "=")]
		wantReply(t, got, http.StatusBadRequest, name+"=")
	}
	for _, path := range []string{"/sessions/999999", "/incidents/999999", "/services/nobody", "/sessions/999999/log", "/services/-?name=.."} {
		d.ask(path, http.StatusNotFound)
	}
	d.ask("/overview", http.StatusMisdirectedRequest, header("Host", "evil.example"))

	d = newDescribed(newTestServer(t, withToken))
	d.ask("/overview", http.StatusUnauthorized)
	d.ask("/overview", http.StatusUnauthorized, header("Authorization", "Bearer wrong"))

	d = newDescribed(newTestServer(t, unavailableInstance))
	for path, item := range d.document.Paths.Map() {
		if item.Get == nil || item.Get.Responses.Value("503") == nil {
			continue
		}
		d.ask(strings.NewReplacer("{id}", "1", "{name}", "x").Replace(path), http.StatusServiceUnavailable)
	}
}

func TestEveryRouteOfTheAPIIsDescribed(t *testing.T) {
	s := newTestServer(t)
	var served []string
	for _, r := range s.server.routes() {
		if path, found := strings.CutPrefix(r.path, apiPrefix); found {
			if r.method != http.MethodGet {
				t.Errorf("%s %s changes something", r.method, r.path)
			}
			served = append(served, path)
		}
	}
	served = append(served, "/alerts", "/openapi.yaml")
	slices.Sort(served)
	d := document(t)
	if described := slices.Sorted(maps.Keys(d.Paths.Map())); !slices.Equal(described, served) {
		t.Errorf("described are\n%q,\nbut there are\n%q", described, served)
	}
	for path, item := range d.Paths.Map() {
		method := http.MethodGet
		if path == "/alerts" { // which other programs send
			method = http.MethodPost
		}
		if operations := item.Operations(); len(operations) != 1 || operations[method] == nil {
			t.Errorf("%s has other operations than %s", path, method)
		}
	}
}

func TestEmptyListsAreNotNull(t *testing.T) {
	d := newDescribed(newTestServer(t, emptyInstance(t)))
	for _, path := range []string{"/overview", "/sessions", "/incidents", "/services", "/events", "/cooldowns"} {
		got := d.ask(path, http.StatusOK)
		wantReply(t, got, http.StatusOK, "[]")
		var members map[string]any
		fine(t, json.Unmarshal([]byte(got.body), &members))
		for name, value := range members {
			if value == nil && !slices.Contains([]string{"last_cycle", "last_event", "next_run_at", "stale_since", "due_since"}, name) {
				t.Errorf("%s: %s is null", path, name)
			}
		}
	}
}

func TestJSONHasNoSecretsAndNothingThatSteers(t *testing.T) {
	s := newTestServer(t, func(o *dashboard.Options) { o.Redactor = mask.New([]string{`pass"word<1>`, "1234567"}) })
	got := must(s.server.json(map[string]any{"a": `x pass"word<1> y`, "n": 1234567, `pass"word<1>`: "\u202e\x1b\u2028\u0085", "b": "<\xff>"}))(t)
	want := `{"[redacted]":"\u202e\u001b\u2028\u0085","a":"x [redacted] y","b":"<` + "\uFFFD" + `>","n":1234567}`
	var compact bytes.Buffer
	if err := json.Compact(&compact, got); err != nil || !sameJSON(t, compact.String(), want) {
		t.Errorf("json is\n%s (%v), want\n%s", got, err, want)
	}
	if !bytes.Contains(got, []byte(`\u202e`)) || bytes.ContainsAny(got, "\u202e\u2028\u0085") {
		t.Errorf("%s steers", got)
	}
}

func sameJSON(t *testing.T, a, b string) bool {
	t.Helper()
	var x, y any
	fine(t, json.Unmarshal([]byte(a), &x))
	fine(t, json.Unmarshal([]byte(b), &y))
	return fmt.Sprint(x) == fmt.Sprint(y)
}

func TestAPITakesNoOtherMethod(t *testing.T) {
	s := newTestServer(t)
	b := s.browser()
	for _, method := range []string{"PUT", "DELETE", "PATCH", "OPTIONS"} {
		got := b.askBy(b.client, method, apiPrefix+"/overview", "", header("Sec-Fetch-Site", "same-origin"))
		if got.StatusCode != http.StatusMethodNotAllowed && got.StatusCode != http.StatusForbidden {
			t.Errorf("%s: %d", method, got.StatusCode)
		}
	}
	got := b.submit(apiPrefix+"/overview", url.Values{})
	wantReply(t, got, http.StatusMethodNotAllowed, `"status":405`)
	if allow := got.Header.Get("Allow"); allow != "GET, HEAD" {
		t.Errorf("Allow: %q", allow)
	}
}

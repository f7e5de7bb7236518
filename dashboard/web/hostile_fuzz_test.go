package web

import (
	"context"
	"errors"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/dashboard"
	"github.com/claudeops/claudeops/hooks"
	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/store"
)

// infestedPages are the data of each page with one text in every field, derived from the types, so that later fields are included.
func infestedPages(text string) map[string]any {
	return map[string]any{
		"home":      infested[*dashboard.Overview](text),
		"sessions":  infested[*dashboard.SessionsPage](text),
		"session":   infested[*dashboard.SessionDetail](text),
		"log":       infested[*dashboard.LogPage](text),
		"incidents": infested[*dashboard.IncidentsPage](text),
		"incident":  infested[*dashboard.IncidentDetail](text),
		"proposals": infested[*dashboard.ProposalsPage](text),
		"proposal":  infested[proposalView](text),
		"services":  infested[*dashboard.ServicesPage](text),
		"service":   infested[*dashboard.ServiceDetail](text),
		"events":    infested[*dashboard.EventsPage](text),
		"cooldowns": infested[cooldownList](text),
		"hooks":     infested[hooks.Health](text),
		"settings":  infested[settingList](text),
		"login":     infested[loginView](text),
		"fault":     infested[*fault](text),
	}
}

func infested[T any](text string) T {
	var value T
	infest(reflect.ValueOf(&value).Elem(), text, 0)
	return value
}

// infest fills a value: lists and maps with one element, pointers with a value, numbers and booleans so that most of the page is shown.
func infest(v reflect.Value, text string, depth int) {
	const deepest = 12
	if depth > deepest {
		return
	}
	switch v.Interface().(type) {
	case time.Time:
		v.Set(reflect.ValueOf(hostileNow.Add(-time.Hour)))
		return
	case url.Values:
		v.Set(reflect.ValueOf(url.Values{text: {text}, "q": {text}, "service": {text}, "status": {text}}))
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		v.SetInt(2)
	case reflect.Uint8, reflect.Uint, reflect.Uint64:
		v.SetUint(2)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		infest(v.Elem(), text, depth+1)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			infest(v.Index(i), text, depth+1)
		}
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		infest(key, text, depth+1)
		infest(value, text, depth+1)
		v.SetMapIndex(key, value)
	case reflect.Interface:
		if problem := reflect.ValueOf(errors.New(text)); problem.Type().Implements(v.Type()) {
			v.Set(problem)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			field := v.Type().Field(i)
			if !field.IsExported() {
				continue
			}
			infest(v.Field(i), text, depth+1)
			if field.Type.Kind() == reflect.String && (field.Name == "Next" || field.Name == "Link") && v.Type().PkgPath() == reflect.TypeFor[view]().PkgPath() {
				v.Field(i).SetString("/sessions?before=1") // the server itself makes this URL
			}
		}
	default:
	}
}

// hostileRenderer renders pages without a server.
func hostileRenderer(t testing.TB) (*server, hostileRules) {
	t.Helper()
	r := must(readHostileRules())(t)
	o := dashboard.Options{
		Addr: "127.0.0.1:0", Redactor: mask.New(nil),
		Now: func() time.Time { return hostileNow },
	}
	s := must(newServer(o))(t)
	return s, r
}

func (s *server) infestedPage(t testing.TB, name, text string) []byte {
	t.Helper()
	page, err := s.render(context.Background(), name, view{
		Title: text, Nav: name, Path: "/x", Now: hostileNow, Hooks: true, LoggedIn: true, Version: text, Notice: text, Live: "10",
		Form: infested[url.Values](text), Query: infested[store.SessionFilter](text), Next: "/sessions?before=1", Data: infestedPages(text)[name],
	})
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return page
}

// longestFuzzed limits the texts that FuzzPages puts into hundreds of fields at once, in bytes. TestHostileContent uses longer ones.
const longestFuzzed = 1 << 10

// FuzzPages puts one text into every field of a page.
func FuzzPages(f *testing.F) {
	s, rules := hostileRenderer(f)
	pages := slices.Sorted(maps.Keys(infestedPages("")))
	frames := map[string][]string{}
	for _, name := range pages {
		_, frames[name] = rules.examine(s.infestedPage(f, name, "harmless"))
	}
	for n, text := range hostilePayloads(f) {
		if len(text) <= longestFuzzed {
			f.Add(text, uint8(n%len(pages)))
		}
	}
	f.Fuzz(func(t *testing.T, text string, n uint8) {
		if len(text) > longestFuzzed {
			return
		}
		name := pages[int(n)%len(pages)]
		page := s.infestedPage(t, name, text)
		faults, frame := rules.examine(page)
		for _, fault := range faults {
			t.Errorf("%s with %q: %s", name, text, fault)
		}
		if !slices.Equal(frame, frames[name]) {
			t.Errorf("%s with %q has the frame\n%q\nand not\n%q", name, text, frame, frames[name])
		}
	})
}

// FuzzPages covers all pages.
func TestEveryTemplateIsFilledWithHostileText(t *testing.T) {
	all := must(parsePages())(t)
	if got, want := slices.Sorted(maps.Keys(infestedPages(""))), slices.Sorted(maps.Keys(all)); !slices.Equal(got, want) {
		t.Errorf("filled are %q, and there are %q", got, want)
	}
}

// A rule that never finds anything proves nothing.
func TestHostileRulesFindWhatTheyLookFor(t *testing.T) {
	s, rules := hostileRenderer(t)
	whole := string(s.infestedPage(t, "session", "harmless"))
	faults, frame := rules.examine([]byte(whole))
	if len(faults) > 0 {
		t.Fatalf("the harmless page: %q", faults)
	}
	in := func(foreign string) string { return strings.Replace(whole, "harmless", foreign, 2) } // the first one is in the title
	for _, foreign := range []string{
		"</title><script>x</script>", "</title><script src=//evil.example/x.js></script>", "</title><p onclick=x>", "</title><p style=x>", "</title><img src=/assets/x>", "</title><iframe></iframe>",
		"</title><a href=javascript:x>", "</title><a href=//evil.example>", `</title><a href="\\evil.example">`, "</title><a href=mailto:x@evil.example>", "</title><form action=https://evil.example>",
		"</title><button formaction=/x>", "</title><div hx-get=//evil.example>", "</title><div hx-on:load=x>", "</title><div data-hx-get=/x>", "</title><!-- x -->", "</title><meta http-equiv=refresh content=0>",
		"</title><svg><use href=data:x>", "</title><link rel=stylesheet href=//evil.example/x.css>", "</title><p srcset=x>", "</title><math>", "</title><style>", "\x00", "\x1b[0m", "\u202e", "\u2028", "\xff", "\u009b", "\r",
	} {
		if faults, _ := rules.examine([]byte(in(foreign))); len(faults) == 0 {
			t.Errorf("%q is not found", foreign)
		}
	}
	for _, foreign := range []string{"</title><h1>x</h1>", "</title><main>", "</title><nav>", "</title><p id=page>", "</title><header>"} {
		if _, got := rules.examine([]byte(in(foreign))); slices.Equal(got, frame) {
			t.Errorf("%q leaves the frame as it was", foreign)
		}
	}
}

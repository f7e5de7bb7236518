package shim

import (
	"bytes"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

func TestRequestArrivesAsItWasSent(t *testing.T) {
	for _, want := range []Request{
		{[]string{"docker", "ps"}, "/srv"},
		{[]string{"docker", "", "a b", "new\nline", "\x00<&>\u2028ä"}, ""},
		{[]string{""}, "/"},
	} {
		sent, err := want.Frame()
		must(t, err)
		got, err := ReadRequest(bytes.NewReader(sent))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %q, %v; want %q", got, err, want)
		}
	}
}

func TestReplyArrivesAsItWasSent(t *testing.T) {
	for _, want := range []Reply{{}, {255, "", false}, {ExitRefused, "not granted: no", true}} {
		sent, err := want.Frame()
		must(t, err)
		if got, err := ReadReply(bytes.NewReader(sent)); err != nil || got != want {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
}

func TestFrameRefusesWhatCannotArrive(t *testing.T) {
	for _, argument := range []string{"\xff\xfe", strings.Repeat("x", MaxFrame)} {
		if _, err := (Request{Argv: []string{argument}}).Frame(); err == nil {
			t.Errorf("%.10q is sent", argument)
		}
	}
}

func TestReadRefusesWhatIsNoRequest(t *testing.T) {
	for _, text := range []string{"\x00", `[]`, `{}`, `{"Argv":[]}`, `{"Argv":"ps"}`, `{"Argv":["ps"]`, `{"Argv":["` + strings.Repeat("x", MaxFrame) + `"]}`} {
		if got, err := ReadRequest(strings.NewReader(text)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%.20s: request %q, error %v", text, got, err)
		}
	}
	if _, err := ReadRequest(strings.NewReader("")); !errors.Is(err, io.EOF) {
		t.Errorf("nobody asks: %v, want %v", err, io.EOF)
	}
}

// Whatever is accepted as a request is the same after it was sent.
func FuzzReadRequest(f *testing.F) {
	for _, r := range []Request{{[]string{"docker", "ps"}, "/"}, {[]string{"", ""}, ""}} {
		sent, err := r.Frame()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sent)
	}
	f.Add([]byte(`{"Argv":["\ud800"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadRequest(bytes.NewReader(text))
		if err != nil {
			return
		}
		sent, err := r.Frame()
		if err != nil {
			return // escaped, it is too long
		}
		if again, err := ReadRequest(bytes.NewReader(sent)); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%q was read as %q, and when sent as %q, %v", text, r, again, err)
		}
	})
}

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
		{[]string{"docker", "", "a b", "new\nline", "\xff\xfe"}, ""},
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
	for _, want := range []Reply{{}, {255, ""}, {ExitRefused, "not granted: no"}} {
		sent, err := want.Frame()
		must(t, err)
		if got, err := ReadReply(bytes.NewReader(sent)); err != nil || got != want {
			t.Errorf("got %v, %v; want %v", got, err, want)
		}
	}
}

func TestFrameRefusesWhatCannotArrive(t *testing.T) {
	if _, err := (Request{Argv: []string{"a\x00b"}}).Frame(); err == nil {
		t.Error("an argument with a NUL is sent")
	}
	fits := Request{Argv: []string{strings.Repeat("x", MaxFrame-2)}}
	if _, err := fits.Frame(); err != nil {
		t.Error(err)
	}
	fits.Dir = "/"
	if _, err := fits.Frame(); err == nil {
		t.Errorf("more than %d bytes are sent", MaxFrame)
	}
}

func TestReadRefusesWhatIsNoFrame(t *testing.T) {
	for name, text := range map[string]string{
		"half a length":       "\x00\x00",
		"a huge length":       "\xff\xff\xff\xff",
		"fewer than promised": "\x00\x00\x00\x09a\x00",
		"nothing":             "\x00\x00\x00\x00",
		"no end":              "\x00\x00\x00\x03a\x00b",
		"a folder alone":      "\x00\x00\x00\x02a\x00",
	} {
		if got, err := ReadRequest(strings.NewReader(text)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%s: request %q, error %v", name, got, err)
		}
	}
	for _, text := range []string{"\x00\x00\x00\x02a\x00", "\x00\x00\x00\x05-1\x00a\x00", "\x00\x00\x00\x04256\x00", "\x00\x00\x00\x061\x00a\x00b\x00"} {
		if got, err := ReadReply(strings.NewReader(text)); err == nil {
			t.Errorf("%q is the reply %v", text, got)
		}
	}
	if _, err := ReadRequest(strings.NewReader("")); !errors.Is(err, io.EOF) {
		t.Errorf("nobody asks: %v, want %v", err, io.EOF)
	}
}

// Whatever is accepted as a request is encoded to the same bytes.
func FuzzReadRequest(f *testing.F) {
	for _, r := range []Request{{[]string{"docker", "ps"}, "/"}, {[]string{"", ""}, ""}} {
		sent, err := r.Frame()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(sent)
	}
	f.Add([]byte("\x7f\xff\xff\xffa\x00"))
	f.Fuzz(func(t *testing.T, text []byte) {
		r, err := ReadRequest(bytes.NewReader(text))
		if err != nil {
			return
		}
		sent, err := r.Frame()
		if err != nil || !bytes.HasPrefix(text, sent) {
			t.Errorf("%q was read as %q, which is sent as %q, %v", text, r, sent, err)
		}
	})
}

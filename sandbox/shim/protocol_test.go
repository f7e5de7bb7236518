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
		{Argv: []string{"docker", "ps"}, Dir: "/srv", Both: true},
		{Argv: []string{"docker", "", "a b", "new\nline", "\x00<&>\u2028ä"}},
		{Argv: []string{"claudeops", "report"}, Dir: "/", Input: []byte("[\xff\x00]")},
	} {
		sent, err := want.Encode()
		must(t, err)
		got, err := ReadRequest(bytes.NewReader(sent))
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v; want %+v", got, err, want)
		}
	}
}

func TestAnAnswerArrivesAsItWasSent(t *testing.T) {
	for _, want := range []Reply{{}, {255, false}, {ExitRefused, true}} {
		var sent, out, errs bytes.Buffer
		for range 2 {
			must(t, WriteFrame(&sent, FrameStdout, []byte("out\n")))
			must(t, WriteFrame(&sent, FrameStderr, []byte("\xff\x00")))
			must(t, WriteFrame(&sent, FrameStdout, nil))
		}
		must(t, WriteReply(&sent, want))
		got, err := ReadReply(&sent, &out, &errs)
		if err != nil || got != want || out.String() != "out\nout\n" || errs.String() != "\xff\x00\xff\x00" {
			t.Errorf("got %v, %v, %q, %q; want %v", got, err, out.String(), errs.String(), want)
		}
	}
}

func TestAnAnswerThatEndsEarlyIsNone(t *testing.T) {
	var sent bytes.Buffer
	must(t, WriteFrame(&sent, FrameStdout, []byte("out\n")))
	for _, text := range []string{"", "o", sent.String(), sent.String()[:6]} {
		_, err := ReadReply(strings.NewReader(text), io.Discard, io.Discard)
		if !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func TestEncodeRefusesWhatCannotArrive(t *testing.T) {
	for _, argument := range []string{"\xff\xfe", strings.Repeat("x", MaxRequest)} {
		if _, err := (Request{Argv: []string{argument}}).Encode(); err == nil {
			t.Errorf("%.10q is sent", argument)
		}
	}
}

func TestReadRefusesWhatIsNoRequest(t *testing.T) {
	for _, text := range []string{"\x00", `[]`, `{}`, `{"Argv":[]}`, `{"Argv":"ps"}`, `{"Argv":["ps"]`, `{"Argv":["` + strings.Repeat("x", MaxRequest) + `"]}`} {
		if got, err := ReadRequest(strings.NewReader(text)); err == nil || errors.Is(err, io.EOF) {
			t.Errorf("%.20s: request %+v, error %v", text, got, err)
		}
	}
	if _, err := ReadRequest(strings.NewReader("")); !errors.Is(err, io.EOF) {
		t.Errorf("nobody asks: %v, want %v", err, io.EOF)
	}
}

// Whatever is accepted as a request is the same after it was sent.
func FuzzReadRequest(f *testing.F) {
	for _, r := range []Request{{Argv: []string{"docker", "ps"}, Dir: "/"}, {Argv: []string{"", ""}, Input: []byte("x")}} {
		sent, err := r.Encode()
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
		sent, err := r.Encode()
		if err != nil {
			return // escaped, it is too long
		}
		if again, err := ReadRequest(bytes.NewReader(sent)); err != nil || !reflect.DeepEqual(again, r) {
			t.Errorf("%q was read as %+v, and when sent as %+v, %v", text, r, again, err)
		}
	})
}

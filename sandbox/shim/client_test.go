package shim

import (
	"os"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

func TestMainByAnotherNameIsRefusedWhereNoBrokerIs(t *testing.T) {
	if code := Main([]string{"/session/bin/docker", "ps"}); code != ExitRefused {
		t.Errorf("exit %d, want %d", code, ExitRefused)
	}
}

// The caller learns whether the program may have run.
func TestExchangeWithABrokerThatHangsUp(t *testing.T) {
	for says, broker := range map[string]func(*os.File){
		"nothing was run": func(*os.File) {},
		"is not known": func(f *os.File) {
			if _, err := ReadRequest(f); err != nil {
				t.Error(err)
			}
		},
	} {
		pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
		must(t, err)
		theirs := os.NewFile(uintptr(pair[1]), "broker")
		request, err := Request{Argv: []string{"docker"}, Dir: "/"}.Encode()
		must(t, err)
		go func() {
			broker(theirs)
			theirs.Close()
		}()
		if reply, err := exchange(pair[0], request); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v, %v; want %q", reply, err, says)
		}
	}
}

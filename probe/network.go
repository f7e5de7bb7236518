package probe

import (
	"context"
	"errors"
	"io"
	"net"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/claudeops/claudeops/check"
)

// networkFault says for people why an address did not answer, without the wording of Go.
func networkFault(err error, address string) string {
	var op *net.OpError
	if errors.As(err, &op) && op.Op == "dial" && op.Addr != nil {
		address = op.Addr.String()
	}
	var name *net.DNSError
	switch {
	case errors.As(err, &name):
		return nameFault(name)
	case errors.Is(err, syscall.ECONNREFUSED):
		return "connection refused by " + address
	case errors.Is(err, syscall.ECONNRESET), errors.Is(err, syscall.EPIPE):
		return "connection reset by " + address
	case errors.Is(err, syscall.EHOSTUNREACH), errors.Is(err, syscall.ENETUNREACH):
		return "no route to " + address
	case errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE):
		return "no connection to " + address + ": this machine has too many open files"
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return "no connection to " + address + ": this machine has no free port left"
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return address + " closed the connection without an answer"
	case errors.Is(err, os.ErrDeadlineExceeded), errors.Is(err, context.DeadlineExceeded), errors.Is(err, syscall.ETIMEDOUT):
		return "no answer from " + address
	case errors.Is(err, context.Canceled):
		return "no answer from " + address + " until the check was stopped"
	}
	return address + ": " + plain(err)
}

// nameFault says why a name was not resolved.
func nameFault(err *net.DNSError) string {
	if !err.IsNotFound {
		return noResolver
	}
	asked := ""
	if err.Server != "" {
		asked = " (asked " + err.Server + ")"
	}
	return "there is no host " + quoted(err.Name) + asked
}

// noResolver names no host, so that it is one result for all the services that it hides.
const noResolver = "the resolver of this machine gives no answer"

// failed returns the result for a connection that failed with err; text says why. A failed look-up is said in its own words, even
// after the deadline.
// What is this machine's own trouble, or its resolver's, says nothing of the service.
func failed(err error, text string) check.Result {
	var name *net.DNSError
	if errors.As(err, &name) {
		text = nameFault(name)
	}
	switch {
	case refusesOurs(err):
		return impossible(text)
	case name != nil && !name.IsNotFound, errors.Is(err, syscall.EMFILE), errors.Is(err, syscall.ENFILE), errors.Is(err, syscall.EADDRNOTAVAIL),
		errors.Is(err, syscall.ENETUNREACH):
		return unmade(text)
	}
	return down(text)
}

// lateFault says that nothing arrived in time.
func lateFault(what string, timeout time.Duration) string {
	return what + " within " + brief(timeout)
}

// plain returns an error's text without the prefixes of Go's packages and calls.
func plain(err error) string {
	var number syscall.Errno
	if errors.As(err, &number) {
		return number.Error()
	}
	text := err.Error()
	for again := true; again; {
		again = false
		for _, prefix := range [...]string{
			"net/http: ", "http: ", "http2: ", "tls: ", "x509: ", "net: ", "dns: ", "remote error: ", "local error: ", "proxyconnect tcp: ",
		} {
			if rest, found := strings.CutPrefix(text, prefix); found {
				text, again = rest, true
			}
		}
	}
	return text
}

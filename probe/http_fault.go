package probe

import (
	"cmp"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net"
	"net/url"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// notAnswered returns the result for a request that was not answered. A proxy that does not let it through says nothing of the service.
func (w *webCheck) notAnswered(ctx context.Context, err error, stage int32, target *url.URL) check.Result {
	var op *net.OpError
	var name *net.DNSError
	switch {
	case errors.Is(ctx.Err(), context.DeadlineExceeded) && stage == lookingUp, errors.As(err, &name) && !name.IsNotFound:
		return unmade(noResolver)
	case errors.Is(ctx.Err(), context.DeadlineExceeded):
		return down(lateFault(w.waitedFor(stage, target), w.check.Timeout))
	case errors.As(err, &op) && op.Op == "proxyconnect":
		return unmade(networkFault(op.Err, "the proxy") + " (the proxy)")
	case strings.Contains(err.Error(), "the proxy "):
		return unmade(plain(err))
	}
	return failed(err, cmp.Or(tlsFault(err, target.Hostname(), w.now()), answerFault(err, addressOf(target))))
}

// answerFault says why what address sent is no answer.
func answerFault(err error, address string) string {
	said := err.Error()
	switch {
	case strings.Contains(said, `\x15\x03`): // a TLS alert, read as HTTP
		return address + " speaks TLS, not plain HTTP"
	case strings.Contains(said, "malformed"):
		return address + " answered what is not HTTP"
	case strings.Contains(said, "headers exceeded"), strings.Contains(said, "header list exceeded"):
		return address + " answered with more than " + text.Size(maxHeader) + " of headers"
	}
	return networkFault(err, address)
}

// waitedFor says what did not arrive.
func (w *webCheck) waitedFor(stage int32, target *url.URL) string {
	address := addressOf(target)
	switch stage {
	case connecting:
		return "no connection to " + address
	case securing:
		return "connected to " + address + ", but no TLS session"
	}
	return "connected to " + address + ", but no answer"
}

// tlsFault says what is wrong with the TLS of a host; empty if the error has another cause.
func tlsFault(err error, host string, now time.Time) string {
	var (
		invalid   x509.CertificateInvalidError
		unknown   x509.UnknownAuthorityError
		otherName x509.HostnameError
		noRecord  tls.RecordHeaderError
		remote    *net.OpError
		verify    *tls.CertificateVerificationError
	)
	switch {
	case errors.As(err, &invalid) && invalid.Reason == x509.Expired && invalid.Cert != nil:
		return outOfTime(invalid.Cert, host, now)
	case errors.As(err, &invalid):
		return "the certificate of " + host + " is not valid: " + plain(invalid)
	case errors.As(err, &otherName):
		return fmt.Sprintf("the certificate of %s is for another name: %s", host, namesOf(otherName.Certificate))
	case errors.As(err, &unknown):
		return fmt.Sprintf("the certificate of %s is not signed by an authority that is trusted here%s", host, issuerOf(unknown.Cert))
	case errors.As(err, &noRecord), strings.Contains(err.Error(), "server gave HTTP response to HTTPS client"):
		return host + " does not speak TLS on this port"
	case errors.As(err, &remote) && remote.Op == "remote error": // an alert
		alert := plain(remote.Err)
		if alert == "certificate required" || alert == "bad certificate" {
			alert += " (it asks for a client's certificate, which checks do not have)"
		}
		return host + " refuses TLS with us: " + alert
	case errors.As(err, &verify):
		return "the certificate of " + host + " is not believed: " + plain(verify.Err)
	case strings.Contains(err.Error(), "TLS handshake timeout"):
		return "connected to " + host + ", but no TLS session"
	case strings.HasPrefix(err.Error(), "tls: "), strings.HasPrefix(err.Error(), "x509: "):
		return "no TLS with " + host + ": " + plain(err)
	}
	return ""
}

// refusesOurs reports whether a server ended TLS because of this side's certificate, or for lack of one.
func refusesOurs(err error) bool {
	var remote *net.OpError
	return errors.As(err, &remote) && remote.Op == "remote error" && strings.Contains(remote.Err.Error(), "certificate")
}

// outOfTime says of a certificate that is not valid now when it was or will be.
func outOfTime(cert *x509.Certificate, host string, now time.Time) string {
	if now.Before(cert.NotBefore) {
		return fmt.Sprintf("the certificate of %s is not valid before %s", host, cert.NotBefore.UTC().Format("2006-01-02 15:04 UTC"))
	}
	return fmt.Sprintf("the certificate of %s ended %s (%s)", host, text.Ago(now.Sub(cert.NotAfter)), day(cert.NotAfter))
}

// namesOf lists the names that a certificate is for.
func namesOf(cert *x509.Certificate) string {
	names := cert.DNSNames
	for _, ip := range cert.IPAddresses {
		names = append(names, ip.String())
	}
	return cmp.Or(listed(names), "none")
}

func issuerOf(cert *x509.Certificate) string {
	switch {
	case cert == nil:
		return ""
	case cert.Issuer.String() == cert.Subject.String():
		return " (by itself)"
	}
	return " (" + quoted(cert.Issuer.String()) + ")"
}

// certificateFault says whether the server's certificate, or one in its chain, expires sooner than the check requires.
func (w *webCheck) certificateFault(state *tls.ConnectionState, host string) string {
	if state == nil || w.want.CertificateDays <= 0 || len(state.PeerCertificates) == 0 {
		return ""
	}
	first := firstToEnd(state)
	left := first.NotAfter.Sub(w.now())
	subject := "certificate of " + host
	if !first.Equal(state.PeerCertificates[0]) {
		subject = fmt.Sprintf("certificate of %s, with which that of %s is signed,", quoted(first.Subject.CommonName), host)
	}
	switch {
	case left >= time.Duration(w.want.CertificateDays)*24*time.Hour:
		return ""
	case left <= 0:
		return fmt.Sprintf("%s ended %s (%s)", subject, text.Ago(-left), day(first.NotAfter))
	}
	return fmt.Sprintf("%s ends %s (%s), sooner than %d days", subject, text.Ago(-left), day(first.NotAfter), w.want.CertificateDays)
}

// firstToEnd returns the certificate that ends the connection's trust: the earliest to expire, in the chain that lasts longest.
func firstToEnd(state *tls.ConnectionState) *x509.Certificate {
	last := (*x509.Certificate)(nil)
	for _, chain := range state.VerifiedChains {
		first := chain[0]
		for _, cert := range chain {
			if cert.NotAfter.Before(first.NotAfter) {
				first = cert
			}
		}
		if last == nil || first.NotAfter.After(last.NotAfter) {
			last = first
		}
	}
	if last == nil { // nothing was verified
		return state.PeerCertificates[0]
	}
	return last
}

func day(t time.Time) string { return t.UTC().Format(time.DateOnly) }

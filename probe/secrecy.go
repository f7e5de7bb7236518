package probe

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"time"
)

// secrecy is the use of TLS.
type secrecy struct {
	level      secrecyLevel
	ca         string // file with trusted certificates; empty for the system's
	cert, key  string // files of the client certificate
	serverName string
}

type secrecyLevel int

const (
	noTLS      secrecyLevel = iota // no TLS
	preferred                      // TLS if the server supports it, with any certificate
	unverified                     // TLS with any certificate
	authority                      // TLS with a certificate of a trusted authority, for any name
	verified                       // TLS with a certificate for the host
)

// proves reports whether this use of TLS authenticates the server. Without a check of the name, that requires a private authority: a
// public one certifies anybody's names.
func (s secrecy) proves() bool { return s.level == verified || s.level == authority && s.ca != "" }

// givesPassword reports whether the server may get the password itself; other login methods only prove that it is known. secured means
// that TLS is used. A server that asks for the password may be any process that has taken its port, or that intercepts the connection.
func (d *database) givesPassword(secured bool) bool {
	return d.network == "unix" || secured && d.secrecy.proves() || d.options["cleartext"] == "true" || d.password == ""
}

// keepsPassword returns the error for a server that asks for the password itself; verify is the option that would permit it.
func (d *database) keepsPassword(verify string) error {
	return &foundError{staysDown(d.is("asks for the password itself, which it is given only over TLS with a verified certificate (" + verify +
		"), by a socket, or where the URL says cleartext=true"))}
}

// config returns the TLS configuration; nil for none.
func (s secrecy) config(now func() time.Time) (*tls.Config, error) {
	if s.level == noTLS {
		return nil, nil
	}
	c, err := trust{ca: s.ca, insecure: s.level < verified}.config(now)
	if err != nil {
		return nil, &foundError{impossible(err.Error())}
	}
	c.ServerName, c.NextProtos = s.serverName, nil
	if s.level == authority {
		c.VerifyConnection = func(state tls.ConnectionState) error { return byAuthority(state, c.RootCAs, now()) }
	}
	if s.cert != "" {
		pair, err := tls.LoadX509KeyPair(s.cert, s.key)
		if err != nil {
			return nil, &foundError{impossible("the certificate of this side, " + s.cert + ", cannot be used: " + plain(err))}
		}
		c.Certificates = []tls.Certificate{pair}
	}
	return c, nil
}

// byAuthority verifies who signed a server's certificate, but not the name it is for.
func byAuthority(state tls.ConnectionState, roots *x509.CertPool, now time.Time) error {
	if len(state.PeerCertificates) == 0 {
		return errors.New("the server sent no certificate")
	}
	options := x509.VerifyOptions{Roots: roots, Intermediates: x509.NewCertPool(), CurrentTime: now}
	for _, c := range state.PeerCertificates[1:] {
		options.Intermediates.AddCert(c)
	}
	_, err := state.PeerCertificates[0].Verify(options)
	return err
}

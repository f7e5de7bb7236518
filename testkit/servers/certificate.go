package servers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// Authority signs certificates for tests. Clients only trust it if they are given its File.
type Authority struct {
	File string // its certificate, PEM

	t    T
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// NewAuthority creates an authority whose validity starts with the test.
func NewAuthority(t T) *Authority {
	t.Helper()
	a := &Authority{t: t, File: filepath.Join(folder(t, false), "ca.pem")}
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: "Test Authority"},
		NotBefore: time.Now().Add(-10 * 365 * 24 * time.Hour), NotAfter: time.Now().Add(10 * 365 * 24 * time.Hour),
		IsCA: true, BasicConstraintsValid: true, KeyUsage: x509.KeyUsageCertSign,
	}
	der, key := a.sign(template, nil)
	var err error
	a.cert, err = x509.ParseCertificate(der)
	must(t, err)
	a.key = key
	a.write(a.File, "CERTIFICATE", der)
	return a
}

// Issue signs a certificate for names and addresses that is valid between two times.
func (a *Authority) Issue(from, to time.Time, names ...string) tls.Certificate {
	a.t.Helper()
	template := &x509.Certificate{
		SerialNumber: big.NewInt(time.Now().UnixNano()), NotBefore: from, NotAfter: to,
		KeyUsage: x509.KeyUsageDigitalSignature, ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth},
	}
	for _, name := range names {
		if ip := net.ParseIP(name); ip != nil {
			template.IPAddresses = append(template.IPAddresses, ip)
		} else {
			template.DNSNames = append(template.DNSNames, name)
		}
	}
	der, key := a.sign(template, a.cert)
	return tls.Certificate{Certificate: [][]byte{der}, PrivateKey: key}
}

// sign creates a key and a certificate for it, signed by the parent or, if that is nil, self-signed.
func (a *Authority) sign(template, parent *x509.Certificate) (der []byte, key *ecdsa.PrivateKey) {
	a.t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	must(a.t, err)
	signer := a.key
	if parent == nil {
		parent, signer = template, key
	}
	der, err = x509.CreateCertificate(rand.Reader, template, parent, &key.PublicKey, signer)
	must(a.t, err)
	return der, key
}

// files writes a certificate and its key into dir, in the form that nginx needs.
func (a *Authority) files(dir string, c tls.Certificate) (cert, key string) {
	a.t.Helper()
	cert, key = filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	der, err := x509.MarshalPKCS8PrivateKey(c.PrivateKey)
	must(a.t, err)
	a.write(cert, "CERTIFICATE", c.Certificate[0])
	a.write(key, "PRIVATE KEY", der)
	return cert, key
}

// Files issues a certificate for 127.0.0.1, for a server that runs as nobody and rejects keys that others can read.
func (a *Authority) Files() (cert, key string) {
	a.t.Helper()
	now := time.Now()
	cert, key = a.files(folder(a.t, true), a.Issue(now.Add(-time.Hour), now.Add(24*time.Hour), "127.0.0.1"))
	must(a.t, errors.Join(os.Chmod(key, 0o600), give(key), give(cert)))
	return cert, key
}

func (a *Authority) write(path, kind string, der []byte) {
	a.t.Helper()
	must(a.t, os.WriteFile(path, pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}), 0o644))
}

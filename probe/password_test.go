package probe

import (
	"bytes"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha1"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/check"
)

// falseMySQL is the server side of an invented conversation.
type falseMySQL struct {
	net.Conn
	number byte // of the next packet
	heard  []string
}

const (
	okOfMySQL   = "\x00\x00\x00\x02\x00\x00\x00"
	moreOfMySQL = "\x00\x00\x00\x08\x00\x00\x00" // more results follow
)

func (f *falseMySQL) say(payload string) {
	n := len(payload)
	_, _ = io.WriteString(f.Conn, string([]byte{byte(n), byte(n >> 8), byte(n >> 16), f.number})+payload)
	f.number++
}

// hear reads a packet; "" if there is none.
func (f *falseMySQL) hear() string {
	var head [4]byte
	if _, err := io.ReadFull(f.Conn, head[:]); err != nil {
		return ""
	}
	payload := make([]byte, packetLength(head[:]))
	if _, err := io.ReadFull(f.Conn, payload); err != nil {
		return ""
	}
	f.number = head[3] + 1
	f.heard = append(f.heard, string(payload))
	return string(payload)
}

// greet sends the greeting, and makes TLS if there is a certificate.
func (f *falseMySQL) greet(method string, certificate *tls.Certificate) {
	hello := []byte(helloOfMySQL[4 : len(helloOfMySQL)-len("mysql_native_password\x00")])
	if certificate != nil {
		hello[bytes.IndexByte(hello, 0)+1+4+8+1+1] |= tlsCapability >> 8
	}
	f.number = 0
	f.say(string(hello) + method + "\x00")
	login := f.hear()
	if certificate != nil {
		f.Conn = tls.Server(f.Conn, &tls.Config{Certificates: []tls.Certificate{*certificate}})
		if again := f.hear(); !strings.HasPrefix(again, login) { // servers require it
			f.heard = append(f.heard, "another login than was announced")
		}
	}
}

// serve accepts the login, and answers each query with answers.
func (f *falseMySQL) serve(answers ...string) {
	f.say(okOfMySQL)
	for f.hear() != "" {
		for _, answer := range answers {
			f.say(answer)
		}
	}
}

func TestMySQLResultsHaveNoMoreColumnsThanThereAre(t *testing.T) {
	for name, answers := range map[string][]string{
		"at once":              {"\xfe\x00\xca\x9a\x3b\x00\x00\x00\x00"},
		"three bytes":          {"\xfd\xff\xff\xff"},
		"in the second result": {moreOfMySQL, "\xfe\x00\xca\x9a\x3b\x00\x00\x00\x00"},
		"negative":             {"\xfe\xff\xff\xff\xff\xff\xff\xff\xff"},
		"cut off":              {"\xfe\x00"},
		"one more":             {"\xfc\x01\x10"},
	} {
		for _, secured := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, TLS %v", name, secured), func(t *testing.T) {
				certificate := falseCertificate(t, secured)
				addr := fake(t, func(c net.Conn) {
					f := &falseMySQL{Conn: c}
					f.greet("mysql_native_password", certificate)
					f.serve(answers...)
				})
				var before, after runtime.MemStats
				runtime.ReadMemStats(&before)
				f := attemptDatabase(t, Database{URL: "mysql://u:p@" + addr + "/"}, long)
				runtime.ReadMemStats(&after)
				wantOfDatabase(t, f, check.Down, addr+" sent more than 4.0 MiB, or was about to")
				if grown := after.TotalAlloc - before.TotalAlloc; grown > 16<<20 {
					t.Errorf("%d MiB were allocated", grown>>20)
				}
			})
		}
	}
}

// What arrives in the clear before TLS may be from anyone, and is not taken as part of the TLS stream.
func TestMySQLSaysNothingBeforeTLSButItsGreeting(t *testing.T) {
	addr := fake(t, func(c net.Conn) {
		hello := []byte(helloOfMySQL)
		hello[packetHeader+bytes.IndexByte(hello[packetHeader:], 0)+1+4+8+1+1] |= tlsCapability >> 8
		_, _ = io.WriteString(c, string(hello)+"\x07\x00\x00\x02"+okOfMySQL)
		_, _ = io.Copy(io.Discard, c)
	})
	f := attemptDatabase(t, Database{URL: "mysql://u:p@" + addr + "/?tls=skip-verify"}, long)
	wantOfDatabase(t, f, check.Down, "what is at "+addr+" does not answer as MySQL does: it says more than a greeting")
}

func TestMySQLDriverThatReadsOnIsNoBugOfTheCheck(t *testing.T) {
	addr := fake(t, func(c net.Conn) {
		f := &falseMySQL{Conn: c}
		f.greet("mysql_native_password", nil)
		f.say("\x00")
	})
	f := attemptDatabase(t, Database{URL: "mysql://u:p@" + addr + "/"}, long)
	wantOfDatabase(t, f, check.Down, "what is at "+addr+" does not answer as MySQL does")
}

// falseCertificate returns a certificate for 127.0.0.1 that nobody trusts by default.
func falseCertificate(t *testing.T, wanted bool) *tls.Certificate {
	t.Helper()
	if !wanted {
		return nil
	}
	c := sharedAuthority(t).Issue(time.Now().Add(-time.Hour), time.Now().Add(time.Hour), "127.0.0.1")
	return &c
}

const precious = "precious-word-7"

// A password is given to a server that asks for it only if the server is authenticated, or the URL permits it.
func TestMySQLPasswordIsNotGivenToAnybody(t *testing.T) {
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		t.Fatal(err)
	}
	der, err := x509.MarshalPKIXPublicKey(&key.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	public := "\x01" + string(pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der}))
	const challenge = "abcdefghabcdefghijkl" // also in the greeting
	methods := map[string]func(f *falseMySQL){
		"clear text": func(f *falseMySQL) { f.say("\xfemysql_clear_password\x00\x00"); f.hear() },
		"full authentication": func(f *falseMySQL) {
			f.say("\xfecaching_sha2_password\x00" + challenge + "\x00")
			f.hear()
			f.say("\x01\x04")
			if f.hear() == "\x02" {
				f.say(public)
				f.hear()
			}
		},
		"SHA-256": func(f *falseMySQL) {
			f.say("\xfesha256_password\x00" + challenge + "\x00")
			if f.hear() == "\x01" {
				f.say(public)
				f.hear()
			}
		},
		"a key that nobody asked for": func(f *falseMySQL) { f.say(public); f.hear() }, // after a greeting with sha256_password
	}
	ca := sharedAuthority(t).File
	for name, ask := range methods {
		for _, c := range []struct {
			options       string
			secured, gets bool
		}{
			{"", false, false}, {"", true, false}, {"?tls=false", false, false}, {"?tls=skip-verify", true, false},
			{"?cleartext=false", true, false}, {"?ca=" + ca, true, true}, {"?cleartext=true", false, true}, {"?cleartext=true", true, true},
		} {
			t.Run(name+c.options+fmt.Sprint(c.secured), func(t *testing.T) {
				greeting := "mysql_native_password"
				if strings.HasPrefix(name, "a key") {
					greeting = "sha256_password"
				}
				certificate := falseCertificate(t, c.secured)
				given := make(chan string, 1)
				addr := fake(t, func(conn net.Conn) {
					f := &falseMySQL{Conn: conn}
					f.greet(greeting, certificate)
					ask(f)
					given <- strings.Join(opened(key, f.heard, challenge), "\n")
				})
				f := attemptDatabase(t, Database{URL: "mysql://u@" + addr + "/" + c.options, PasswordEnv: "WORD"}, long, "WORD="+precious)
				heard := <-given
				if got := strings.Contains(heard, precious); got != c.gets {
					t.Errorf("the server heard the password: %v, want %v (found %s)", got, c.gets, f.Error)
				}
				if strings.Contains(heard, "another login") {
					t.Error("the login is not what was announced before TLS")
				}
				if !c.gets {
					wantOfDatabase(t, f, check.Down, "MySQL at "+addr+" asks for the password itself, which it is given only over TLS with a verified "+
						"certificate (tls=true), by a socket, or where the URL says cleartext=true")
				}
			})
		}
	}
}

// opened returns the packets, and what the key decrypts of them.
func opened(key *rsa.PrivateKey, packets []string, challenge string) []string {
	all := packets
	for _, packet := range packets {
		text, err := rsa.DecryptOAEP(sha1.New(), nil, key, []byte(packet), nil)
		if err != nil {
			continue // not encrypted
		}
		for i := range text {
			text[i] ^= challenge[i%len(challenge)]
		}
		all = append(all, string(text))
	}
	return all
}

// falsePostgres answers a login with said, and sends what comes back to heard.
func falsePostgres(t *testing.T, certificate *tls.Certificate, said string, heard chan<- string) string {
	t.Helper()
	return fake(t, func(c net.Conn) {
		var head [8]byte
		if _, err := io.ReadFull(c, head[:]); err != nil {
			return
		}
		read := len(head)
		if head[4] == 4 && head[7] == 0x2f { // it requests TLS
			if certificate == nil {
				_, _ = io.WriteString(c, "N")
			} else {
				_, _ = io.WriteString(c, "S")
				c = tls.Server(c, &tls.Config{Certificates: []tls.Certificate{*certificate}})
			}
			if _, err := io.ReadFull(c, head[:4]); err != nil {
				return
			}
			read = 4
		}
		_, _ = io.CopyN(io.Discard, c, int64(head[3])+int64(head[2])<<8-int64(read)) // the rest of the login
		_, _ = io.WriteString(c, said)
		answer := make([]byte, 256)
		n, _ := c.Read(answer)
		heard <- string(answer[:n])
	})
}

func TestPostgresPasswordIsNotGivenToAnybody(t *testing.T) {
	ca := sharedAuthority(t).File
	for _, c := range []struct {
		options       string
		secured, gets bool
	}{
		{"", false, false}, {"", true, false}, {"?sslmode=require", true, false}, {"?cleartext=false", true, false},
		{"?sslrootcert=" + ca, true, true}, {"?sslmode=verify-ca&sslrootcert=" + ca, true, true},
		{"?cleartext=true", false, true}, {"?cleartext=true", true, true}, {"?cleartext=true&sslmode=disable", false, true},
	} {
		t.Run(c.options+fmt.Sprint(c.secured), func(t *testing.T) {
			heard := make(chan string, 9) // if TLS is preferred, there are several
			addr := falsePostgres(t, falseCertificate(t, c.secured), "R\x00\x00\x00\x08\x00\x00\x00\x03", heard)
			f := attemptDatabase(t, Database{URL: "postgres://u@" + addr + "/" + c.options, PasswordEnv: "WORD"}, long, "WORD="+precious)
			if got := strings.Contains(<-heard, precious); got != c.gets {
				t.Errorf("the server heard the password: %v, want %v (found %s)", got, c.gets, f.Error)
			}
			if !c.gets {
				wantOfDatabase(t, f, check.Down, "PostgreSQL at "+addr+" asks for the password itself, which it is given only over TLS with a verified "+
					"certificate (sslmode=verify-full), by a socket, or where the URL says cleartext=true")
			}
		})
	}
}

// A name that a public authority has certified may belong to anybody.
func TestAuthorityProvesOnlyWithItsFile(t *testing.T) {
	for s, want := range map[secrecy]bool{
		{level: verified}: true, {level: authority, ca: "/ca.pem"}: true, {level: authority}: false, {level: unverified}: false,
		{level: preferred, ca: "/ca.pem"}: false, {}: false,
	} {
		if s.proves() != want {
			t.Errorf("%+v proves who the server is: %v", s, !want)
		}
	}
}

func TestPostgresWithoutTLSIsToldAsItIs(t *testing.T) {
	notices := strings.Repeat("N\x00\x00\x00\x2dSERROR\x00VERROR\x00C00000\x00Mhello hello hello\x00\x00", maxAnswered/46+1)
	for name, c := range map[string]struct{ said, text string }{
		"silence":    {"", "connected to %s, but no answer within TIME*"},
		"notices":    {notices, "%s sent more than 4.0 MiB"},
		"GSS":        {"R\x00\x00\x00\x08\x00\x00\x00\x07", "what is at %s does not answer as PostgreSQL does"},
		"no message": {"HTTP/1.1 400 Bad Request\r\n\r\n", "%s"},
	} {
		t.Run(name, func(t *testing.T) {
			addr := falsePostgres(t, nil, c.said, make(chan string, 100)) // two of each attempt
			ask := func(timeout time.Duration) Finding {
				return attemptDatabase(t, Database{URL: "postgres://u:p@" + addr + "/"}, timeout)
			}
			var f Finding
			if text := fmt.Sprintf(c.text, addr); c.said == "" {
				f = wantLate(t, ask, text)
			} else {
				f = ask(long)
				wantOfDatabase(t, f, check.Down, text)
			}
			if f.Final || strings.Contains(f.Error, "TLS") {
				t.Errorf("told as final %v: %s", f.Final, f.Error)
			}
			t.Log(f.Error)
		})
	}
}

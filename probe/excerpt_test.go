package probe

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/claudeops/claudeops/check"
)

// Wherever a foreign text contains a secret, and wherever it is cut, no part of the secret is in a result.
func TestNoPartOfASecretIsLeftWhereATextIsCut(t *testing.T) {
	const secret = "tok_0123456789abcdefghijklmnop"
	pad := make(chan string, 1) // in the next response
	web := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Location", "ftp://x/"+<-pad+r.Header.Get("X-Shop"))
		w.WriteHeader(http.StatusFound)
	}))
	defer web.Close()
	mysqlAddr := fake(t, func(c net.Conn) {
		_, _ = io.WriteString(c, helloOfMySQL)
		_, _ = c.Read(make([]byte, 4<<10)) // the login
		body := "\xff\x51\x04#HY000" + <-pad + secret
		_, _ = io.WriteString(c, string([]byte{byte(len(body)), byte(len(body) >> 8), 0, 2})+body)
	})
	redisAddr := fake(t, func(c net.Conn) {
		_, _ = bufio.NewReader(c).ReadString('\n')
		_, _ = io.WriteString(c, "-ERR "+<-pad+secret+"\r\n")
	})
	postgresAddr := fake(t, func(c net.Conn) {
		_, _ = io.ReadFull(c, make([]byte, 8))
		body := "SFATAL\x00C58000\x00M" + <-pad + secret + "\x00\x00"
		_, _ = io.WriteString(c, string([]byte{'E', 0, 0, byte((len(body) + 4) >> 8), byte(len(body) + 4)})+body)
		_, _ = io.Copy(io.Discard, c)
	})
	database := func(url string) Check {
		return Check{Type: check.Database, Attempts: 1, Timeout: long, Options: &Database{URL: url, PasswordEnv: "TOK"}}
	}
	for name, k := range map[string]Check{
		"http": {Type: check.HTTP, Attempts: 1, Timeout: long, Options: &HTTP{
			URL: web.URL, Redirects: 1, HeadersEnv: map[string]string{"X-Shop": "TOK"}}},
		"mysql":    database("mysql://u@" + mysqlAddr + "/"),
		"redis":    database("redis://" + redisAddr + "/"),
		"postgres": database("postgres://u@" + postgresAddr + "/?sslmode=disable"),
	} {
		t.Run(name, func(t *testing.T) {
			services := []Service{{Name: "shop", Checks: []Check{k}}}
			for n := 60; n < 320; n += 3 {
				pad <- strings.Repeat("a", n)
				report := Run(t.Context(), services, Settings{Environ: []string{"TOK=" + secret}}, Bounds{}, nil)
				text := report[0].Error
				if !strings.Contains(text, strings.Repeat("a", 50)) {
					t.Fatalf("not told of what was said: %q", text)
				}
				if strings.Contains(text, secret[:6]) {
					t.Fatalf("after %d characters: %q", n, text)
				}
			}
		})
	}
}

package netname

import (
	"net/url"
	"testing"
)

func TestLoopback(t *testing.T) {
	for name, want := range map[string]bool{
		"localhost": true, "LOCALHOST.": true, "ops.localhost": true, "127.0.0.1": true, "127.9.9.9": true, "::1": true, "::ffff:127.0.0.1": true,
		"": false, "0.0.0.0": false, "::": false, "192.0.2.1": false, "localhost.example.org": false, "notlocalhost": false, "127.0.0.1.example.org": false,
	} {
		if got := Loopback(name); got != want {
			t.Errorf("Loopback(%q) = %t", name, got)
		}
	}
}

func TestPort(t *testing.T) {
	for address, want := range map[string]string{
		"http://a": "80", "https://a/x": "443", "https://[::1]": "443", "http://a:8080": "8080", "ftp://a": "", "https://a:": "443",
	} {
		u, err := url.Parse(address)
		if err != nil {
			t.Fatal(err)
		}
		if got := Port(u); got != want {
			t.Errorf("Port(%q) = %q, want %q", address, got, want)
		}
	}
}

package probe

import (
	"context"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/miekg/dns"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/testkit/servers"
)

// dnsmasq is shared by the tests that do not stop it.
var dnsmasq = servers.Share(&suite, func(t servers.T) *servers.DNSServer {
	long := make([]string, 0, 8)
	for i := range 8 {
		long = append(long, "txt-record=long.test,"+strconv.Itoa(i)+strings.Repeat("x", 200))
	}
	return servers.DNS(t, append(long,
		"host-record=www.test,10.0.0.1,fd00::1", "host-record=many.test,10.0.0.1", "host-record=many.test,10.0.0.2",
		"host-record=xn--bcher-kva.test,10.0.0.7", "host-record=xn--mller-kva.test,127.0.0.1", "txt-record=_dmarc.xn--mller-kva.test,v=DMARC1",
		"mx-host=xn--mller-kva.test,mail.xn--mller-kva.test,10",
		"cname=alias.test,www.test", "mx-host=test,mail.test,10", "srv-host=_sip._tcp.test,sip.test,5060,1,2",
		"txt-record=test,v=spf1 -all", "txt-record=parts.test,one,two", "ptr-record=1.0.0.10.in-addr.arpa,www.test",
		"caa-record=test,0,issue,letsencrypt.org", "local=/test/", "auth-server=ns.auth.test", "auth-zone=auth.test",
		"host-record=one.auth.test,10.1.0.1",
	)...)
})

// resolve makes one attempt of a dns check.
func resolve(t testing.TB, d DNS, timeout time.Duration) check.Result {
	t.Helper()
	return resolveWith(t, newClient(Settings{}), d, timeout)
}

// resolving returns a function that makes an attempt with a timeout.
func resolving(t testing.TB, d DNS) func(timeout time.Duration) check.Result {
	return func(timeout time.Duration) check.Result { return resolve(t, d, timeout) }
}

func resolveWith(t testing.TB, c *Client, d DNS, timeout time.Duration) check.Result {
	t.Helper()
	defer c.close()
	return attemptBy(t, c, &Check{Type: check.DNS, Timeout: timeout, Attempts: 1, Options: &d})
}

func TestDNSAgainstDnsmasq(t *testing.T) {
	s := dnsmasq(t)
	type d = DNS
	for _, c := range []struct {
		name   string
		check  d
		status check.Status
		want   string
	}{
		{"any answer", d{Name: "www.test", Record: "A"}, check.Healthy, ""},
		{"no record said", d{Name: "www.test"}, check.Healthy, ""},
		{"with a dot", d{Name: "www.test.", Record: "A"}, check.Healthy, ""},
		{"in capitals", d{Name: "WWW.Test", Record: "A", Answer: []string{"10.0.0.1"}}, check.Healthy, ""},
		{"two answers", d{Name: "many.test", Record: "A", Answer: []string{"10.0.0.2", "10.0.0.1"}}, check.Healthy, ""},
		{"one of two", d{Name: "many.test", Record: "A", Answer: []string{"10.0.0.2"}}, check.Healthy, ""},
		{"another answer", d{Name: "www.test", Record: "A", Answer: []string{"10.0.0.1", "10.0.0.9"}}, check.Down,
			"A of www.test is 10.0.0.1, says " + s.Addr + "; expected 10.0.0.9"},
		{"AAAA, written at length", d{Name: "www.test", Record: "AAAA", Answer: []string{"fd00:0:0::0001"}}, check.Healthy, ""},
		{"through an alias", d{Name: "alias.test", Record: "A", Answer: []string{"10.0.0.1"}}, check.Healthy, ""},
		{"the alias itself", d{Name: "alias.test", Record: "CNAME", Answer: []string{"WWW.test."}}, check.Healthy, ""},
		{"MX", d{Name: "test", Record: "MX", Answer: []string{"10 Mail.test."}}, check.Healthy, ""},
		{"MX of another preference", d{Name: "test", Record: "MX", Answer: []string{"20 mail.test"}}, check.Down,
			"MX of test is 10 mail.test, says " + s.Addr + "; expected 20 mail.test"},
		{"SRV", d{Name: "_sip._tcp.test", Record: "SRV", Answer: []string{"1 2 5060 sip.test"}}, check.Healthy, ""},
		{"TXT", d{Name: "test", Record: "TXT", Answer: []string{"v=spf1 -all"}}, check.Healthy, ""},
		{"TXT with quotes", d{Name: "test", Record: "TXT", Answer: []string{`"V=SPF1 -all"`}}, check.Healthy, ""},
		{"TXT in parts", d{Name: "parts.test", Record: "TXT", Answer: []string{"onetwo"}}, check.Healthy, ""},
		{"TXT too long for UDP", d{Name: "long.test", Record: "TXT", Answer: []string{"7" + strings.Repeat("x", 200)}}, check.Healthy, ""},
		{"TXT that differs late", d{Name: "long.test", Record: "TXT", Answer: []string{"7" + strings.Repeat("x", 190) + "y"}}, check.Down,
			"TXT of long.test is …" + strings.Repeat("x", 30) + ", says " + s.Addr + "; expected …" + strings.Repeat("x", 20) + "y"},
		{"CAA", d{Name: "test", Record: "CAA", Answer: []string{`0 issue "letsencrypt.org"`}}, check.Healthy, ""},
		{"PTR", d{Name: "1.0.0.10.in-addr.arpa", Record: "PTR", Answer: []string{"www.test"}}, check.Healthy, ""},
		{"PTR of an address", d{Name: "10.0.0.1", Record: "PTR", Answer: []string{"www.test"}}, check.Healthy, ""},
		{"beyond ASCII", d{Name: "bücher.test", Record: "A", Answer: []string{"10.0.0.7"}}, check.Healthy, ""},
		{"SOA", d{Name: "auth.test", Record: "SOA"}, check.Healthy, ""},
		{"NXDOMAIN", d{Name: "nowhere.test", Record: "A"}, check.Down, "nowhere.test does not exist, says " + s.Addr + " (NXDOMAIN)"},
		{"no such record", d{Name: "www.test", Record: "MX"}, check.Down, "www.test has no MX record, says " + s.Addr},
		{"alias without the record", d{Name: "alias.test", Record: "MX"}, check.Down, "alias.test is an alias of www.test, of which " + s.Addr + " has no MX record"},
		{"REFUSED", d{Name: "example.org", Record: "A"}, check.Down, s.Addr + " refuses to answer about example.org (REFUSED)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.check.Server = s.Addr
			found := resolve(t, c.check, time.Minute)
			found.Error = clean(found.Error, secrets{})
			wantHTTP(t, found, c.status, c.want)
		})
	}
}

func TestDNSWhenDnsmasqIsBroken(t *testing.T) {
	s := servers.DNS(t, "host-record=www.test,10.0.0.1")
	d := DNS{Name: "www.test", Record: "A", Server: s.Addr}
	wantHTTP(t, resolve(t, d, time.Minute), check.Healthy, "")
	s.Pause()
	wantLate(t, resolving(t, d), "no answer from "+s.Addr+" within TIME")
	s.Stop()
	wantHTTP(t, resolve(t, d, time.Minute), check.Down, "connection refused by "+s.Addr)
	s.Start()
	wantHTTP(t, resolve(t, d, time.Minute), check.Healthy, "")
}

// The system's servers are asked in turn until one answers, all within the check's timeout.
func TestDNSAsksTheSystemsServers(t *testing.T) {
	s := dnsmasq(t)
	silent := packets(t, func(net.PacketConn, net.Addr, []byte) {})
	refuse := func(w dns.ResponseWriter, m *dns.Msg) { _ = w.WriteMsg(new(dns.Msg).SetRcode(m, dns.RcodeRefused)) }
	knowsNothing, err := net.ListenPacket("udp", "127.0.0.4:"+strconv.Itoa(s.Port))
	if err != nil {
		t.Fatal(err)
	}
	server := &dns.Server{PacketConn: knowsNothing, Handler: dns.HandlerFunc(refuse)}
	go func() { _ = server.ActivateAndServe() }()
	t.Cleanup(func() { _ = knowsNothing.Close() })
	for _, c := range []struct {
		name, conf string
		status     check.Status
		want       string
	}{
		{"the first", "nameserver 127.0.0.1\n", check.Healthy, ""},
		{"the second", "nameserver 127.0.0.2\nnameserver 127.0.0.1\n", check.Healthy, ""},
		{"none that answers", "nameserver 127.0.0.2\nnameserver 127.0.0.3\n", check.Unknown, noResolver},
		{"one that knows nothing, then the second", "nameserver 127.0.0.4\nnameserver 127.0.0.1\n", check.Healthy, ""},
		{"none", "search test\n", check.Unknown, "the system's DNS servers are not known: * names none; give the check a server"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "resolv.conf")
			if err := os.WriteFile(path, []byte(c.conf), 0o644); err != nil {
				t.Fatal(err)
			}
			port := s.Port
			wantHTTP(t, resolveWith(t, systemClient(path, port), DNS{Name: "www.test", Record: "A"}, time.Minute), c.status, c.want)
		})
	}
	t.Run("no file", func(t *testing.T) {
		wantHTTP(t, resolveWith(t, systemClient("/nowhere/resolv.conf", 53), DNS{Name: "www.test"}, time.Minute), check.Unknown,
			"the system's DNS servers are not known: /nowhere/resolv.conf cannot be read: no such file or directory")
	})
	t.Run("a silent one leaves time for the next", func(t *testing.T) {
		ask := func(timeout time.Duration) check.Result {
			n := &nameCheck{timeout: timeout, want: &DNS{Name: "www.test"},
				question: dns.Question{Name: "www.test.", Qtype: dns.TypeA, Qclass: dns.ClassINET}}
			ctx, cancel := context.WithTimeout(t.Context(), timeout)
			defer cancel()
			return n.askAll(ctx, []string{silent, s.Addr})
		}
		found := ask(time.Second)
		for timeout := 4 * time.Second; found.Status != check.Healthy && timeout < 2*time.Minute; timeout *= 4 { // half of it may be too little
			found = ask(timeout)
		}
		wantHTTP(t, found, check.Healthy, "")
	})
}

// systemClient returns the client of a machine with this resolv.conf, whose servers listen on port.
func systemClient(path string, port int) *Client {
	c := newClient(Settings{})
	c.resolvConf, c.systemPort = path, strconv.Itoa(port)
	return c
}

// packets starts a server that calls serve for each packet.
func packets(t testing.TB, serve func(conn net.PacketConn, from net.Addr, packet []byte)) (address string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	t.Cleanup(func() { conn.Close(); <-done })
	go func() {
		defer close(done)
		buffer := make([]byte, 64<<10)
		for {
			n, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			serve(conn, from, buffer[:n])
		}
	}()
	return conn.LocalAddr().String()
}

// answering starts a server whose answers are modified by change.
func answering(t *testing.T, change func(m *dns.Msg)) string {
	t.Helper()
	return packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) {
		request := new(dns.Msg)
		if err := request.Unpack(packet); err != nil {
			t.Errorf("the request is not readable: %v", err)
			return
		}
		answer := new(dns.Msg)
		answer.SetReply(request)
		change(answer)
		if packed, err := answer.Pack(); err == nil {
			_, _ = conn.WriteTo(packed, from)
		}
	})
}

func record(text string) dns.RR {
	r, err := dns.NewRR(text)
	if err != nil {
		panic(err)
	}
	return r
}

func TestDNSFromBadServers(t *testing.T) {
	for _, c := range []struct {
		name    string
		server  string
		status  check.Status
		want    string
		expects []string
	}{
		{"never answers", packets(t, func(net.PacketConn, net.Addr, []byte) {}), check.Down, "no answer from ADDR within TIME", nil},
		{"answers garbage", packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) {
			_, _ = conn.WriteTo(append(packet[:2:2], "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff garbage"...), from)
		}), check.Down, "ADDR answered what is not DNS: *", nil},
		{"answers too little", packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) {
			_, _ = conn.WriteTo(packet[:5], from)
		}), check.Down, "ADDR answered what is not DNS: *", nil},
		{"answers another question", answering(t, func(m *dns.Msg) { m.Question[0].Name = "other.test." }), check.Down,
			"ADDR answered what is not DNS: it is the answer to another question", nil},
		{"answers another one's question", answering(t, func(m *dns.Msg) { m.Id++ }), check.Down,
			"ADDR answered what is not DNS: it is the answer to another question", nil},
		{"echoes", packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) { _, _ = conn.WriteTo(packet, from) }), check.Down,
			"ADDR answered what is not DNS: it is the answer to another question", nil},
		{"answers after garbage", packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) {
			_, _ = conn.WriteTo([]byte("garbage"), from)
			request := new(dns.Msg)
			_ = request.Unpack(packet)
			answer := new(dns.Msg).SetReply(request)
			answer.Answer = []dns.RR{record("www.test. A 10.0.0.1")}
			packed, _ := answer.Pack()
			_, _ = conn.WriteTo(packed, from)
		}), check.Healthy, "", nil},
		{"SERVFAIL", answering(t, func(m *dns.Msg) { m.Rcode = dns.RcodeServerFailure }), check.Down,
			"ADDR could not find out about www.test (SERVFAIL)", nil},
		{"SERVFAIL without the question", answering(t, func(m *dns.Msg) { m.Rcode, m.Question = dns.RcodeServerFailure, nil }), check.Down,
			"ADDR could not find out about www.test (SERVFAIL)", nil},
		{"NOTIMP", answering(t, func(m *dns.Msg) { m.Rcode = dns.RcodeNotImplemented }), check.Down, "ADDR did not answer about www.test (NOTIMP)", nil},
		{"a code that there is not", answering(t, func(m *dns.Msg) { m.Rcode = 14 }), check.Down, "ADDR did not answer about www.test (code 14)", nil},
		{"aliases in a circle", answering(t, func(m *dns.Msg) {
			m.Answer = []dns.RR{record("www.test. CNAME a.test."), record("a.test. CNAME b.test."), record("b.test. CNAME a.test.")}
		}), check.Down, "www.test is an alias of *.test, of which ADDR has no A record", nil},
		{"more aliases than anybody follows", answering(t, func(m *dns.Msg) {
			for i := range 60 {
				m.Answer = append(m.Answer, record(fmt.Sprintf("%d.test. CNAME %d.test.", i, i+1)))
			}
			m.Answer = append([]dns.RR{record("www.test. CNAME 0.test.")}, m.Answer...)
			m.Compress = true
		}), check.Down, "www.test is an alias of 31.test, of which ADDR has no A record", nil},
		{"answers to others without end", packets(t, func(conn net.PacketConn, from net.Addr, packet []byte) {
			packet[0]++
			for sent := 0; sent < 1_000_000; sent++ {
				if _, err := conn.WriteTo(packet, from); err != nil {
					return // nobody is listening any more
				}
			}
		}), check.Down, "ADDR answered what is not DNS: it is the answer to another question, and so are 1000 others", nil},
		{"an alias of itself", answering(t, func(m *dns.Msg) { m.Answer = []dns.RR{record("www.test. CNAME www.test.")} }), check.Down,
			"www.test has no A record, says ADDR", nil},
		{"records of other names", answering(t, func(m *dns.Msg) { m.Answer = []dns.RR{record("evil.test. A 10.0.0.1")} }), check.Down,
			"www.test has no A record, says ADDR", nil},
		{"aliases in any order", answering(t, func(m *dns.Msg) {
			m.Answer = []dns.RR{record("c.test. A 10.0.0.3"), record("b.test. CNAME c.test."), record("www.test. CNAME b.test.")}
		}), check.Healthy, "", []string{"10.0.0.3"}},
		{"many records", answering(t, func(m *dns.Msg) {
			for i := range 20 {
				m.Answer = append(m.Answer, record("www.test. A 10.0.0."+strconv.Itoa(i)))
			}
			m.Compress = true
		}), check.Down, "A of www.test is 10.0.0.0, 10.0.0.1, 10.0.0.2, 10.0.0.3 and 16 more, says ADDR; expected 10.9.9.9", []string{"10.9.9.9"}},
		{"cut off, and no TCP", answering(t, func(m *dns.Msg) { m.Truncated = true }), check.Down, "connection refused by ADDR", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := DNS{Name: "www.test", Record: "A", Server: c.server, Answer: c.expects}
			want := strings.ReplaceAll(c.want, "ADDR", c.server)
			if strings.Contains(want, "TIME") || strings.Contains(want, "not DNS") && !strings.Contains(want, "others") { // a valid answer may still arrive
				wantLate(t, resolving(t, d), want)
			} else {
				wantHTTP(t, resolve(t, d, time.Minute), c.status, want)
			}
		})
	}
}

// An answer over TCP is limited by DNS itself, and by the check's timeout.
func TestDNSOverTCPFromBadServers(t *testing.T) {
	for name, c := range map[string]struct {
		serve func(net.Conn)
		want  string
	}{
		"hangs up":          {func(conn net.Conn) { _, _ = io.CopyN(io.Discard, conn, 28) }, "* closed the connection without an answer"},
		"says nothing":      {untilClosed, "no answer from * within TIME"},
		"sends without end": {func(conn net.Conn) { go untilClosed(conn); _, _ = io.Copy(conn, endlessly{}) }, "* answered what is not DNS: *"},
		"promises much": {func(conn net.Conn) {
			_, _ = conn.Write([]byte{0xff, 0xff, 1})
			untilClosed(conn)
		}, "no answer from * within TIME"},
		"cuts off again": {func(conn net.Conn) {
			var length [2]byte
			_, _ = io.ReadFull(conn, length[:])
			packet := make([]byte, binary.BigEndian.Uint16(length[:]))
			_, _ = io.ReadFull(conn, packet)
			packet[2] |= 0x82 // a truncated answer
			_, _ = conn.Write(append(length[:], packet...))
		}, "the answer of * is cut off, over TCP too"},
	} {
		t.Run(name, func(t *testing.T) {
			address := raw(t, c.serve)
			conn, err := net.ListenPacket("udp", address)
			for range 100 { // another process may use that port
				if err == nil {
					break
				}
				address = raw(t, c.serve)
				conn, err = net.ListenPacket("udp", address)
			}
			if err != nil {
				t.Fatal(err)
			}
			defer conn.Close()
			go func() {
				packet := make([]byte, 512)
				for {
					n, from, err := conn.ReadFrom(packet)
					if err != nil {
						return
					}
					packet[2] |= 0x82
					_, _ = conn.WriteTo(packet[:n], from)
				}
			}()
			wantLate(t, resolving(t, DNS{Name: "www.test", Record: "A", Server: address}), c.want)
		})
	}
}

type endlessly struct{}

func (endlessly) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 0x7f
	}
	return len(p), nil
}

func TestDNSServersAreReachedOnTheirPort(t *testing.T) {
	for server, want := range map[string]string{
		"10.0.0.53": "10.0.0.53:53", "10.0.0.53:5353": "10.0.0.53:5353", "ns1.test": "ns1.test:53", "ns1.test:54": "ns1.test:54",
		"fd00::53": "[fd00::53]:53", "[fd00::53]": "[fd00::53]:53", "[fd00::53]:54": "[fd00::53]:54",
	} {
		if got, fault := (&nameCheck{want: &DNS{Server: server}}).servers(); fault != "" || got[0] != want {
			t.Errorf("%s: got %s, want %s", server, got, want)
		}
	}
}

func TestDNSComparesAnswers(t *testing.T) {
	for _, c := range []struct {
		record string
		value  string
		same   []string
		other  []string
	}{
		{"x. A 10.0.0.1", "10.0.0.1", []string{"10.0.0.1", " 10.0.0.1 "}, []string{"10.0.0.10", "", "x"}},
		{"x. AAAA FD00:0::1", "fd00::1", []string{"fd00::1", "FD00:0:0:0:0:0:0:1"}, []string{"fd00::2"}},
		{"x. NS Ns.Test.", "Ns.Test", []string{"ns.test", "NS.TEST."}, []string{"s.test", "ns.test.org"}},
		{"x. CNAME y.test.", "y.test", []string{"y.test."}, []string{"y"}},
		{"x. PTR y.test.", "y.test", []string{"y.test."}, []string{"y"}},
		{"x. MX 10 mail.test.", "10 mail.test", []string{"10  mail.test."}, []string{"mail.test", "1 0mail.test"}},
		{"x. SRV 1 2 3 sip.test.", "1 2 3 sip.test", []string{"1 2 3 sip.test."}, []string{"1 2 4 sip.test"}},
		{"x. SOA ns.test. root.test. 1 2 3 4 5", "ns.test root.test 1 2 3 4 5", []string{"ns.test. root.test. 1 2 3 4 5"}, []string{"ns.test."}},
		{`x. CAA 128 iodef "mailto:a@test"`, "128 iodef mailto:a@test", []string{`128 iodef "mailto:a@test"`}, []string{"128 iodef"}},
		{`x. TXT "a b" " c\"d"`, `a b c"d`, []string{`A B C"D`, `"a b c\"d"`}, []string{"a  b c", "a b"}},
		{"x. HINFO cpu os", `"cpu" "os"`, []string{`cpu os`}, []string{"cpu"}},
	} {
		r := record(c.record)
		value := valueOf(r)
		if value != c.value {
			t.Errorf("%s: is %q, want %q", c.record, value, c.value)
		}
		for _, want := range append(c.same, c.value) {
			if !sameValue(r.Header().Rrtype, value, want) {
				t.Errorf("%s: is not %q", c.record, want)
			}
		}
		for _, want := range c.other {
			if sameValue(r.Header().Rrtype, value, want) {
				t.Errorf("%s: is %q", c.record, want)
			}
		}
	}
}

func TestDNSUnescapes(t *testing.T) {
	for text, want := range map[string]string{
		`plain`: "plain", `a\"b`: `a"b`, `a\\b`: `a\b`, `\065B`: "AB", `\255`: "\xff", `end\`: `end\`, `\12`: "12", `a\010b`: "a\nb",
	} {
		if got := unescape(text); got != want {
			t.Errorf("%q: got %q, want %q", text, got, want)
		}
	}
}

// For any packet, judging ends with a text that can be shown.
func FuzzDNSAnswer(f *testing.F) {
	request := new(dns.Msg).SetQuestion("www.test.", dns.TypeA)
	for _, text := range []string{
		"www.test. A 10.0.0.1", "www.test. CNAME www.test.", `www.test. TXT "a\"\\\007" "b"`, "www.test. MX 10 mail.test.",
		"www.test. SOA ns.test. root.test. 1 2 3 4 5", `www.test. CAA 0 issue "x"`, "www.test. SRV 1 2 3 sip.test.", "www.test. AAAA fd00::1",
		"www.test. HTTPS 1 . alpn=h2",
	} {
		answer := new(dns.Msg).SetReply(request)
		answer.Answer = []dns.RR{record(text)}
		packet, err := answer.Pack()
		if err != nil {
			f.Fatal(err)
		}
		f.Add(packet, dns.TypeA, "10.0.0.1")
		f.Add(packet, answer.Answer[0].Header().Rrtype, `"a`)
	}
	excerpt := regexp.MustCompile("(?s)\x0e100(?:\\+[0-9]+)?:[^\x0f]*\x0f") // a text of which 100 characters are shown, once secrets have been removed
	f.Fuzz(func(t *testing.T, packet []byte, kind uint16, want string) {
		n := &nameCheck{
			want:     &DNS{Name: "www.test", Answer: []string{want}},
			question: dns.Question{Name: "www.test.", Qtype: kind, Qclass: dns.ClassINET},
		}
		asked := new(dns.Msg).SetQuestion("www.test.", kind)
		if len(packet) > 2 {
			asked.Id = binary.BigEndian.Uint16(packet)
		}
		for _, try := range []*dns.Msg{new(dns.Msg), nil} {
			answer, err := readAnswer(packet, asked)
			if try != nil { // judged even if it answers another question
				answer, err = try, try.Unpack(packet)
			}
			if err != nil {
				continue
			}
			text := excerpt.ReplaceAllString(n.judge(answer, "10.0.0.53:53"), strings.Repeat("x", 100))
			if !utf8.ValidString(want) {
				continue
			}
			if !utf8.ValidString(text) || utf8.RuneCountInString(text) > 1200 {
				t.Errorf("%d runes: %q", utf8.RuneCountInString(text), text)
			}
		}
	})
}

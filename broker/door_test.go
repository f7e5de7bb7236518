package broker_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/claudeops/claudeops/broker"
	"github.com/claudeops/claudeops/guard"
)

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// got returns the value of a call that must not fail.
func got[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

// hands is a Handler that records its calls. If bash is set, it runs in place of commands.
type hands struct {
	bash func(ctx context.Context, command string, out io.Writer) error

	mu     sync.Mutex
	called []string
}

func (h *hands) note(tool, id, what string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.called = append(h.called, strings.TrimSpace(tool+" "+id+" "+what))
}

func (h *hands) calls() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	return slices.Clone(h.called)
}

func (h *hands) Bash(ctx context.Context, id, command string, out io.Writer) error {
	h.note("bash", id, command)
	if h.bash == nil {
		_, err := io.WriteString(out, "ran "+command)
		return err
	}
	return h.bash(ctx, command, out)
}

func (h *hands) Call(_ context.Context, id string, argv []string, input []byte, _ io.Writer) error {
	h.note("call", id, guard.CommandLine(argv)+" "+string(input))
	return nil
}

func (h *hands) Read(_ context.Context, id, path string, from, lines int, _ io.Writer) error {
	h.note("read", id, fmt.Sprintf("%s %d %d", path, from, lines))
	return nil
}

func (h *hands) AskHuman(_ context.Context, id, service, text string, _ io.Writer) error {
	h.note("ask_human", id, service+" "+text)
	return nil
}

// door serves until the test ends or stop is called. stop returns the result of Serve.
type door struct {
	broker.Door
	*hands
	socket string
	stop   func() error
}

func open(t *testing.T, tier int, h *hands) *door {
	t.Helper()
	return openWith(t, tier, true, h)
}

func openWith(t *testing.T, tier int, confined bool, h *hands) *door {
	t.Helper()
	dir := t.TempDir()
	d := &door{Door: broker.Door{Tier: tier, Confined: confined, Handler: h, Scratch: dir}, hands: h, socket: filepath.Join(dir, "door.sock")}
	l := got(broker.Listen(d.socket))(t)
	ctx, cancel := context.WithCancel(context.Background())
	served := make(chan error, 1)
	go func() { served <- d.Serve(ctx, l) }()
	d.stop = sync.OnceValue(func() error { cancel(); return <-served })
	t.Cleanup(func() {
		if err := d.stop(); err != nil {
			t.Errorf("Serve: %v", err)
		}
	})
	return d
}

func dial(t *testing.T, d *door) net.Conn {
	t.Helper()
	conn := got(net.Dial("unix", d.socket))(t)
	t.Cleanup(func() { conn.Close() })
	return conn
}

// connect connects the SDK's client in place of the agent program.
func connect(t *testing.T, d *door) *mcp.ClientSession {
	t.Helper()
	conn := dial(t, d)
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session := got(client.Connect(t.Context(), &mcp.IOTransport{Reader: conn, Writer: conn}, nil))(t)
	t.Cleanup(func() { session.Close() })
	return session
}

func call(t *testing.T, s *mcp.ClientSession, tool, arguments string) (text string, failed bool) {
	t.Helper()
	result, err := s.CallTool(t.Context(), &mcp.CallToolParams{
		Meta: mcp.Meta{"claudecode/toolUseId": "toolu_1"}, Name: tool, Arguments: jsontext.Value(arguments),
	})
	must(t, err)
	return result.Content[0].(*mcp.TextContent).Text, result.IsError
}

func TestToolsByTier(t *testing.T) {
	for tier, want := range map[int][]string{
		1: {"bash", "query", "logs", "get", "report", "hand_off", "ask_human"},
		2: {"bash", "query", "logs", "get", "report", "hand_off", "restart", "action", "propose", "ask_human"},
		3: {"bash", "query", "logs", "get", "report", "restart", "redeploy", "action", "propose", "ask_human"},
	} {
		list := got(connect(t, open(t, tier, &hands{})).ListTools(t.Context(), nil))(t)
		var offered []string
		for _, tool := range list.Tools {
			offered = append(offered, tool.Name)
		}
		if slices.Sort(offered); !slices.Equal(offered, slices.Sorted(slices.Values(want))) {
			t.Errorf("Tier %d is offered %q, want %q", tier, offered, want)
		}
		if names := broker.Tools(tier, true); !slices.Equal(names, want) {
			t.Errorf("Tier %d: Tools are %q, want %q", tier, names, want)
		}
	}
}

func TestWhereTheKernelDoesNotConfineThereIsNoShell(t *testing.T) {
	h := &hands{}
	s := connect(t, openWith(t, 1, false, h))
	list := got(s.ListTools(t.Context(), nil))(t)
	var offered []string
	for _, tool := range list.Tools {
		offered = append(offered, tool.Name)
	}
	want := []string{"ask_human", "get", "hand_off", "logs", "look", "query", "read", "report"}
	if slices.Sort(offered); !slices.Equal(offered, want) || len(broker.Tools(1, false)) != len(want) {
		t.Errorf("it is offered %q, want %q", offered, want)
	}
	call(t, s, "look", `{"argv": ["docker", "ps"]}`)
	call(t, s, "read", `{"path": "/etc/hosts"}`)
	call(t, s, "read", `{"path": "/etc/hosts", "from_line": 7, "lines": 2}`)
	if want := []string{"call toolu_1 docker ps", "read toolu_1 /etc/hosts 1 0", "read toolu_1 /etc/hosts 7 2"}; !slices.Equal(h.calls(), want) {
		t.Errorf("the handler was called for %q, want %q", h.calls(), want)
	}
	for tool, arguments := range map[string]string{
		"look": `{"argv": []}`, "read": `{"path": "hosts"}`,
	} {
		if text, failed := call(t, s, tool, arguments); !failed || !strings.Contains(text, "expected") {
			t.Errorf("%s %s: %q", tool, arguments, text)
		}
	}
	if _, err := s.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: jsontext.Value(`{"command": "true"}`)}); err == nil {
		t.Error("bash can be called")
	}
}

func TestCallsReachTheHandler(t *testing.T) {
	d := open(t, 2, &hands{})
	s := connect(t, d)
	for _, c := range []struct{ tool, arguments string }{
		{"bash", `{"command": "docker ps"}`},
		{"query", `{"service": "shop-db", "statement": "SELECT 1"}`},
		{"logs", `{"service": "shop"}`},
		{"logs", `{"service": "shop", "lines": 20, "since": "1h", "contains": "a b"}`},
		{"get", `{"url": "http://127.0.0.1:8080/health"}`},
		{"report", `{"check_results": [{"service": "shop", "check_type": "http", "status": "down", "error": "502"}]}`},
		{"hand_off", `{"services_affected":["shop"]}`},
		{"restart", `{"service": "shop", "why": "502"}`},
		{"action", `{"service": "shop", "action": "reload", "why": "new certificate"}`},
		{"propose", `{"service": "shop", "argv": ["rm", "-r", "/var/cache/shop"], "why": "full"}`},
		{"ask_human", `{"text": "replace the disk"}`},
	} {
		if text, failed := call(t, s, c.tool, c.arguments); failed {
			t.Errorf("%s: %s", c.tool, text)
		}
	}
	third := open(t, 3, &hands{})
	if text, failed := call(t, connect(t, third), "redeploy", `{"service": "shop", "why": "502"}`); failed {
		t.Errorf("redeploy: %s", text)
	}
	if calls := third.calls(); !slices.Equal(calls, []string{"call toolu_1 claudeops redeploy --why 502 shop"}) {
		t.Errorf("Tier 3 called for %q", calls)
	}
	const report = `{"check_results":[{"service":"shop","check_type":"http","status":"down","error":"502"}]}`
	want := []string{
		"bash toolu_1 docker ps", "call toolu_1 claudeops query shop-db 'SELECT 1'", "call toolu_1 claudeops logs shop",
		"call toolu_1 claudeops logs shop --lines 20 --since 1h --contains 'a b'", "call toolu_1 claudeops get http://127.0.0.1:8080/health",
		"call toolu_1 claudeops report " + report, `call toolu_1 claudeops handoff write --tier 3 {"services_affected":["shop"]}`,
		"call toolu_1 claudeops restart --why 502 shop", "call toolu_1 claudeops action --why 'new certificate' shop reload",
		"call toolu_1 claudeops propose --why full shop -- rm -r /var/cache/shop", "ask_human toolu_1  replace the disk",
	}
	if calls := d.calls(); !slices.Equal(calls, want) {
		t.Errorf("called for\n%q, want\n%q", calls, want)
	}
}

func TestFaultyInputIsOneSentence(t *testing.T) {
	d := open(t, 3, &hands{})
	s := connect(t, d)
	for _, c := range []struct{ tool, arguments, want string }{
		{"bash", `{}`, `command is missing; expected {"command": text, "timeout_s": number}`},
		{"bash", `{"command": " "}`, "command is missing; expected {"},
		{"bash", `{"command": 7}`, "command is of another type; expected {"},
		{"bash", `{"command": "true", "timeout": 600}`, "timeout is unknown; expected {"},
		{"bash", `{"command": "true", "timeout_s": 1.5}`, "timeout_s is of another type; expected {"},
		{"bash", `{"command": "true", "timeout_s": 0}`, "timeout_s is 0; expected 1 to 3600"},
		{"bash", `{"command": "a\u0000b"}`, "command holds a NUL character; expected text without one"},
		{"bash", `{"command": "` + strings.Repeat("x", 122_881) + `"}`, "command has 122881 bytes; expected at most 122880"},
		{"bash", `["ls"]`, "the input is of another type; expected {"},
		{"get", `{"uri": "http://a/"}`, `uri is unknown; expected {"url": text}`},
		{"restart", `{"service": "", "why": "x"}`, "service is missing; expected {"},
		{"restart", `{"service": "shop"}`, `why is missing; expected {"service": text, "why": text}`},
		{"restart", `{"service": "shop", "why": "x", "argv": ["docker", "restart", "shop"]}`, `argv is unknown; expected {"service"`},
		{"action", `{"service": "shop", "why": "x"}`, `action is missing; expected {"service": text, "action"`},
		{"propose", `{"service": "shop", "why": "x", "argv": "rm x"}`, "argv is of another type; expected {"},
		{"propose", `{"service": "shop", "why": "x", "argv": []}`, `argv is missing; expected {"service": text, "argv": [word, …]`},
		{"ask_human", `{"service": "shop"}`, "text is missing; expected {"},
		{"ask_human", `{"text": "` + strings.Repeat("x", 8<<10+1) + `"}`, "text has 8193 bytes; expected at most 8192"},
		{"ask_human", `{"service": "a\tb", "text": "x"}`, "service: "},
	} {
		text, failed := call(t, s, c.tool, c.arguments)
		if !failed || !strings.Contains(text, c.want) {
			t.Errorf("%s %.80s: %q, failed %v, want %q", c.tool, c.arguments, text, failed, c.want)
		}
	}
	if calls := d.calls(); len(calls) > 0 {
		t.Errorf("called for %q", calls)
	}
}

func TestAFailedCommandTellsItsStatusAndWhatItSaid(t *testing.T) {
	d := open(t, 1, &hands{bash: func(_ context.Context, _ string, out io.Writer) error {
		io.WriteString(out, "no such container\n")
		return broker.ExitError(3)
	}})
	if text, failed := call(t, connect(t, d), "bash", `{"command": "docker logs x"}`); !failed || text != "Exit code 3\nno such container\n" {
		t.Errorf("%q, failed %v", text, failed)
	}
}

func TestCallsAreOneAfterTheOther(t *testing.T) {
	running := make(chan struct{}, 1)
	d := open(t, 1, &hands{bash: func(_ context.Context, command string, out io.Writer) error {
		select {
		case running <- struct{}{}:
			defer func() { <-running }()
		default:
			return errors.New("another call is running")
		}
		_, err := io.WriteString(out, command)
		return err
	}})
	s := connect(t, d)
	var all sync.WaitGroup
	for i := range 50 {
		all.Go(func() {
			if text, failed := call(t, s, "bash", fmt.Sprintf(`{"command": "echo %d"}`, i)); failed || text != fmt.Sprintf("echo %d", i) {
				t.Errorf("call %d: %q", i, text)
			}
		})
	}
	all.Wait()
}

func TestOutput(t *testing.T) {
	for name, c := range map[string]struct {
		write string
		times int
		cut   bool
	}{
		"none":             {"", 1, false},
		"at the limit":     {"x", 30_000, false},
		"one over it":      {"x", 30_001, true},
		"wide over it":     {"漢", 30_001, true},
		"far over it":      {strings.Repeat("line\n", 1000), 100, true},
		"no UTF-8":         {"\xff\xfe\n", 10, false},
		"NUL and controls": {"\x00\x1b[2J\r\n", 5, false},
	} {
		d := open(t, 1, &hands{bash: func(_ context.Context, _ string, out io.Writer) error {
			for range c.times {
				if n, err := io.WriteString(out, c.write); n != len(c.write) || err != nil {
					t.Errorf("%s: wrote %d, %v", name, n, err)
				}
			}
			return nil
		}})
		whole := strings.Repeat(c.write, c.times)
		text, failed := call(t, connect(t, d), "bash", `{"command": "x"}`)
		kept := got(filepath.Glob(filepath.Join(d.Scratch, "output-*")))(t)
		if runes := utf8.RuneCountInString(text); failed || runes > 30_000 || len(kept) > 1 || c.cut != (len(kept) == 1) {
			t.Errorf("%s: %d characters, kept in %q, failed %v", name, runes, kept, failed)
			continue
		}
		want := strings.ToValidUTF8(whole, "\uFFFD")
		if !c.cut {
			if want == "" {
				want = "(no output)"
			}
			if text != want {
				t.Errorf("%s: %.100q", name, text)
			}
			continue
		}
		shown, note, _ := strings.Cut(text, "\n[cut: ")
		if file, err := os.ReadFile(kept[0]); err != nil || string(file) != whole {
			t.Errorf("%s: %d bytes are kept, want %d; %v", name, len(file), len(whole), err)
		}
		if !strings.HasPrefix(want, shown) || !strings.Contains(note, kept[0]) || utf8.RuneCountInString(text) != 30_000 {
			t.Errorf("%s: the answer ends in %q", name, note)
		}
	}
}

// If the scratch directory is full, the command continues and the answer says what is missing.
func TestOutputThatCannotBeKept(t *testing.T) {
	h := &hands{bash: func(_ context.Context, _ string, out io.Writer) error {
		for range 70 {
			if _, err := out.Write(make([]byte, 1<<20)); err != nil {
				return err
			}
		}
		return nil
	}}
	d := open(t, 1, h)
	s := connect(t, d)
	text, failed := call(t, s, "bash", `{"command": "yes"}`)
	if kept, _ := filepath.Glob(filepath.Join(d.Scratch, "output-*")); failed || len(kept) != 1 || !strings.Contains(text, "the output has 73400320 bytes, kept in "+kept[0]+"; only the first 64 MiB are kept]") {
		t.Errorf("kept in %q: %q", kept, text[len(text)-200:])
	} else if file, err := os.Stat(kept[0]); err != nil || file.Size() != 64<<20 {
		t.Errorf("%v, %v", file, err)
	}
	must(t, os.RemoveAll(d.Scratch))
	if text, failed := call(t, s, "bash", `{"command": "yes"}`); failed || !strings.Contains(text, "[cut: the output has 73400320 bytes; open ") {
		t.Errorf("without a folder: %q", text[len(text)-200:])
	}
}

// blocked returns a command that runs until it is cancelled.
func blocked() (h *hands, started, ended chan string) {
	started, ended = make(chan string, 10), make(chan string, 10)
	return &hands{bash: func(ctx context.Context, command string, _ io.Writer) error {
		started <- command
		<-ctx.Done()
		ended <- command
		return ctx.Err()
	}}, started, ended
}

const initialize = `{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}` + "\n" +
	`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"

// request returns a call of bash as a line.
func request(id int, command string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"bash","arguments":{"command":%q}}}`+"\n", id, command)
}

func TestWhatRunsEndsWithTheConnection(t *testing.T) {
	h, started, ended := blocked()
	d := open(t, 1, h)
	for i := range 5 { // the agent program starts its server again each time
		conn := dial(t, d)
		name := fmt.Sprintf("sleep %d", i)
		io.WriteString(conn, initialize+request(1, name))
		if got := <-started; got != name {
			t.Fatalf("%s runs, want %s", got, name)
		}
		io.WriteString(conn, request(2, "never")+request(3, "never"))
		must(t, conn.Close())
		if got := <-ended; got != name {
			t.Fatalf("%s ended, want %s", got, name)
		}
	}
	if calls := d.calls(); len(calls) != 5 {
		t.Errorf("called for %q: what waited ran although its connection was gone", calls)
	}
}

func TestWhatRunsEndsWithTheSession(t *testing.T) {
	h, started, ended := blocked()
	d := open(t, 1, h)
	io.WriteString(dial(t, d), initialize+request(1, "sleep"))
	<-started
	if err := d.stop(); err != nil {
		t.Errorf("Serve: %v", err)
	}
	select {
	case <-ended:
	default:
		t.Error("Serve returned, and the command runs")
	}
	if _, err := net.Dial("unix", d.socket); err == nil {
		t.Error("the socket still answers")
	}
}

func TestACancelledCallEnds(t *testing.T) {
	h, started, ended := blocked()
	d := open(t, 1, h)
	conn := dial(t, d)
	io.WriteString(conn, initialize+request(1, "sleep"))
	<-started
	io.WriteString(conn, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`+"\n")
	<-ended
}

func TestTheNextConnectionEndsTheLast(t *testing.T) {
	h, started, ended := blocked()
	d := open(t, 1, h)
	first := dial(t, d)
	io.WriteString(first, initialize+request(1, "sleep"))
	<-started
	io.WriteString(dial(t, d), initialize+request(1, "another"))
	if got := <-ended; got != "sleep" {
		t.Errorf("%s ended, want sleep", got)
	}
	if got := <-started; got != "another" {
		t.Errorf("%s runs, want another", got)
	}
}

// The next connection waits until the command of a dead connection has ended.
func TestTheNextConnectionWaitsForWhatTheLastOneRan(t *testing.T) {
	h, started, ended := blocked()
	release, inner := make(chan struct{}), h.bash
	h.bash = func(ctx context.Context, command string, out io.Writer) error {
		if command == "slow" {
			defer func() { <-release }()
		}
		return inner(ctx, command, out)
	}
	d := open(t, 1, h)
	first := dial(t, d)
	io.WriteString(first, initialize+request(1, "slow"))
	<-started
	must(t, first.Close())
	<-ended
	second := dial(t, d)
	io.WriteString(second, initialize+request(1, "next"))
	close(release)
	if got := <-started; got != "next" {
		t.Errorf("%s runs, want next", got)
	}
}

func TestGarbageEndsTheConnectionAlone(t *testing.T) {
	h, started, ended := blocked()
	d := open(t, 1, h)
	for name, garbage := range map[string]string{
		"text":          "hello\n",
		"NUL":           "\x00\x00\x00\n",
		"half a line":   `{"jsonrpc":"2.0","id":1,"meth`,
		"another form":  `{"what": 1}` + "\n",
		"a number":      "7\n",
		"deep":          strings.Repeat("[", 20_000),
		"a long line":   `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 2<<20),
		"a long text":   strings.Repeat("x", 2<<20),
		"a flood":       flood(200),
		"a large batch": "[" + strings.Repeat(`{"jsonrpc":"2.0","id":7,"method":"ping"},`, 1000) + `{"jsonrpc":"2.0","id":8,"method":"ping"}]` + "\n",
	} {
		conn := dial(t, d)
		io.WriteString(conn, initialize+request(1, "sleep"))
		<-started
		written := make(chan struct{})
		go func() {
			defer close(written)
			io.WriteString(conn, garbage)
			if name == "half a line" {
				conn.(*net.UnixConn).CloseWrite()
			}
		}()
		<-ended // its command is cancelled
		if _, err := io.Copy(io.Discard, conn); err != nil && !strings.Contains(err.Error(), "reset") {
			t.Errorf("%s: %v", name, err)
		}
		<-written
	}
	if text, failed := call(t, connect(t, open(t, 1, &hands{})), "bash", `{"command": "true"}`); failed || text != "ran true" {
		t.Errorf("afterwards: %q", text)
	}
}

func flood(n int) string {
	var all strings.Builder
	for id := range n {
		all.WriteString(request(id+2, "x"))
	}
	return all.String()
}

func TestNothingIsAnsweredBeforeTheHandshake(t *testing.T) {
	d := open(t, 1, &hands{})
	conn := dial(t, d)
	io.WriteString(conn, request(1, "true"))
	line, err := bufio.NewReader(conn).ReadString('\n')
	if err != nil || !strings.Contains(line, `"error"`) || len(d.calls()) > 0 {
		t.Errorf("%q, %v; called for %q", line, err, d.calls())
	}
}

func TestAToolOfAnotherTierIsNone(t *testing.T) {
	d := open(t, 1, &hands{})
	result, err := connect(t, d).CallTool(t.Context(), &mcp.CallToolParams{Name: "restart", Arguments: jsontext.Value(`{"service":"shop"}`)})
	if err == nil || len(d.calls()) > 0 {
		t.Errorf("%+v, %v; called for %q", result, err, d.calls())
	}
}

// No time limit of the server, the client or the relay ends a call that is silent for 11 minutes.
func TestACallOfElevenSilentMinutes(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		server, client := net.Pipe()
		h := &hands{bash: func(ctx context.Context, _ string, out io.Writer) error {
			select {
			case <-time.After(11 * time.Minute):
				_, err := io.WriteString(out, "played")
				return err
			case <-ctx.Done():
				return context.Cause(ctx)
			}
		}}
		ctx, cancel := context.WithCancel(t.Context())
		served := make(chan struct{})
		d := broker.Door{Tier: 2, Confined: true, Handler: h, Scratch: t.TempDir()}
		go func() { defer close(served); d.ServeConn(ctx, server) }()
		s := got(mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil).Connect(ctx, &mcp.IOTransport{Reader: client, Writer: client}, nil))(t)
		if text, failed := call(t, s, "bash", `{"command": "ansible-playbook site.yml", "timeout_s": 900}`); failed || text != "played" {
			t.Errorf("with time for it: %q", text)
		}
		if text, failed := call(t, s, "bash", `{"command": "ansible-playbook site.yml"}`); !failed || text != "ended after its time limit of 120 s" {
			t.Errorf("without: %q", text)
		}
		cancel()
		<-served
	})
}

func TestListenAtALongPath(t *testing.T) {
	dir := filepath.Join(t.TempDir(), strings.Repeat("a long path ", 20))
	must(t, os.Mkdir(dir, 0o700))
	path := filepath.Join(dir, "door.sock")
	l := got(broker.Listen(path))(t)
	if is := got(os.Lstat(path))(t); is.Mode() != os.ModeSocket|0o600 {
		t.Errorf("mode %v, want a socket of 0600", is.Mode())
	}
	must(t, l.Close())
}

// The schemas are sent with every request, so they must be small.
func TestToolsAreSmall(t *testing.T) {
	for tier := 1; tier <= 3; tier++ {
		list := got(connect(t, open(t, tier, &hands{})).ListTools(t.Context(), nil))(t)
		text := got(json.Marshal(list.Tools))(t)
		if len(text) > 2500 {
			t.Errorf("Tier %d: %d bytes of tools, at most 2500: %s", tier, len(text), text)
		}
	}
}

func TestDoor_RepeatedFailureEndsTheSession(t *testing.T) {
	h := &hands{bash: func(context.Context, string, io.Writer) error { return broker.ExitError(7) }}
	d := broker.Door{Tier: 2, Confined: true, Handler: h, Scratch: t.TempDir()}
	socket := filepath.Join(t.TempDir(), "door.sock")
	l := got(broker.Listen(socket))(t)
	served := make(chan error, 1)
	go func() { served <- d.Serve(t.Context(), l) }()
	session := connect(t, &door{socket: socket})
	var warned []int
	for n := 1; n <= 10; n++ {
		result, err := session.CallTool(t.Context(), &mcp.CallToolParams{Name: "bash", Arguments: map[string]any{"command": "docker restart shop"}})
		if err == nil && strings.Contains(result.Content[0].(*mcp.TextContent).Text, "failed 3 times in the same way") {
			warned = append(warned, n)
		}
		if err != nil && n < 10 { // the tenth may have no answer
			t.Fatalf("call %d: %v", n, err)
		}
	}
	if !slices.Equal(warned, []int{3}) {
		t.Errorf("warned in the answers %d, want in the third alone", warned)
	}
	var repeated broker.RepeatError
	if err := <-served; !errors.As(err, &repeated) || !strings.Contains(err.Error(), "docker restart shop") {
		t.Errorf("Serve: %v; want a RepeatError about the command", err)
	}
	if n := len(h.calls()); n != 10 {
		t.Errorf("%d calls were made, want 10", n)
	}
}

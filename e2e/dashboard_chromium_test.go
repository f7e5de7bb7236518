package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/claudeops/claudeops/testkit/need"
)

// chromium is the browser that all tests share. It starts with the first of them and asks no host but loopback.
var chromium struct {
	sync.Mutex
	ctx  context.Context // nil before the first
	stop context.CancelFunc
}

// publicName is the name in docs/dashboard.md under which a proxy stands before the dashboard. The browser finds this machine under it.
const publicName = "ops.example.org"

// browser is the context of the one browser.
func browser() (context.Context, error) {
	chromium.Lock()
	defer chromium.Unlock()
	if chromium.ctx != nil {
		return chromium.ctx, nil
	}
	program, err := exec.LookPath("chromium")
	if err != nil {
		return nil, fmt.Errorf("the dashboard is tested in a real browser: %w; install Debian's package chromium", err)
	}
	// It gets a new data directory of its own, and that is removed with it.
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.WSURLReadTimeout(deadline), chromedp.Flag("headless", "new"), chromedp.Flag("disable-quic", true), chromedp.Flag("disable-component-update", true),
		chromedp.Flag("no-proxy-server", true), chromedp.Flag("host-resolver-rules", "MAP "+publicName+" 127.0.0.1, MAP * ~NOTFOUND , EXCLUDE 127.0.0.1, EXCLUDE localhost"))
	allocated, free := chromedp.NewExecAllocator(context.Background(), options...)
	ctx, cancel := chromedp.NewContext(allocated)
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		free()
		return nil, fmt.Errorf("start %s: %w", program, err)
	}
	chromium.ctx, chromium.stop = ctx, func() { cancel(); free() }
	return ctx, nil
}

// stopBrowser ends the browser, where a test has started it, and removes what it has written.
func stopBrowser() {
	if chromium.ctx != nil {
		chromium.stop()
	}
}

// tab is a page in a browser context of its own, which shares no cookie and no cache with another's. What goes wrong in it, without anybody
// asking, fails its test: an error on the console, an exception, a dialog, content that the policy forbids, a request that failed or that was
// for anybody but the one origin.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	origin   string // http://127.0.0.1:port
	left     string // the origin before moveTo, whose page may still fetch its icon
	faults   []string
	expected []string // parts of faults that the test brings about
}

// screen is how a page is shown.
type screen struct {
	width    int64
	dark     bool
	noScript bool
}

var (
	desktop = screen{width: 1280}
	phone   = screen{width: 390}
)

func (s screen) String() string {
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	return fmt.Sprintf("%d px %s", s.width, scheme)
}

// What is forbidden to happen in a page, told on its console where a tab hears it. While somebody looks for a place to click on, or axe-core
// looks at the page, it is still: it is not brought up to date.
const sentinels = `
	document.addEventListener('securitypolicyviolation', e => console.error('forbidden by the policy: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
	Object.defineProperty(window, '__pwned', {set() { console.error('__pwned was set') }, get() { return undefined }});
	for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => console.error(name + ' was called');
	document.addEventListener('htmx:beforeRequest', e => { if (window.still && e.target.id === 'page') e.preventDefault() });
	document.addEventListener('htmx:beforeSwap', e => { if (window.still) e.detail.shouldSwap = false });`

// newTab opens an empty page that may ask origin alone.
func newTab(t *testing.T, origin string, s screen) *tab {
	t.Helper()
	need.Full(t, "chromium")
	parent, err := browser()
	must(t, err)
	b := &tab{t: t, origin: origin, expected: []string{"status of 504", "Error Code 504"}} // of a machine with too much else to do; see open
	ctx, cancel := chromedp.NewContext(parent, chromedp.WithNewBrowserContext(), chromedp.WithListener(b.hear))
	b.ctx = ctx
	t.Cleanup(func() {
		cancel()
		b.noFaults("in the browser")
	})
	must(t, chromedp.Do(ctx))
	b.do("prepare the page", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, page.AddScriptToEvaluateOnNewDocument, page.AddScriptToEvaluateOnNewDocumentParams{Source: sentinels})
		return err
	}))
	b.show(s)
	return b
}

// show changes how the page is shown.
func (b *tab) show(s screen) {
	b.t.Helper()
	scheme := "light"
	if s.dark {
		scheme = "dark"
	}
	b.do("show it at "+s.String(), chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
		_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{Width: s.width, Height: 844, DeviceScaleFactor: 1, Mobile: s.width < 600})
		_, errMedia := cdp.Call(ctx, t, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: []*emulation.MediaFeature{
			{Name: "prefers-color-scheme", Value: scheme}, {Name: "prefers-reduced-motion", Value: "reduce"}}})
		_, errScript := cdp.Call(ctx, t, emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: s.noScript})
		return errors.Join(err, errMedia, errScript)
	}))
}

// hear records what goes wrong. It is called from where the browser's messages are read, and must not wait for any.
func (b *tab) hear(ev any) {
	switch ev := ev.(type) {
	case *runtime.EventConsoleAPICalled:
		if ev.Type == "error" || ev.Type == "warning" || ev.Type == "assert" {
			b.fault("console: " + said(ev.Args))
		}
	case *runtime.EventExceptionThrown:
		text := ev.ExceptionDetails.Text
		if e := ev.ExceptionDetails.Exception; e != nil {
			text += " " + e.Description
		}
		b.fault("exception: " + text)
	case *log.EventEntryAdded:
		if ev.Entry.Level == "error" || ev.Entry.Level == "warning" {
			b.fault(fmt.Sprintf("%s: %s %s", ev.Entry.Source, ev.Entry.Text, ev.Entry.URL))
		}
	case *network.EventRequestWillBeSent:
		if !b.own(ev.Request.URL) {
			b.fault("a request leaves: " + ev.Request.URL)
		}
	case *network.EventWebSocketCreated:
		b.fault("a web socket to " + ev.URL)
	case *network.EventLoadingFailed:
		if !ev.Canceled { // a page that is left gives up its requests
			b.fault(fmt.Sprintf("a request failed: %s %s", ev.Type, ev.ErrorText))
		}
	case *page.EventJavascriptDialogOpening:
		b.fault("a dialog opens: " + ev.Message)
		go func() { // fails where the page is gone already
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
		}()
	}
}

// own reports whether a URL is of the one origin, or of the page itself.
func (b *tab) own(url string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return strings.HasPrefix(url, b.origin+"/") || b.left != "" && strings.HasPrefix(url, b.left+"/") || strings.HasPrefix(url, "data:image/") || url == "about:blank"
}

func said(args []*runtime.RemoteObject) string {
	var words []string
	for _, arg := range args {
		if arg.Description != "" {
			words = append(words, arg.Description)
		} else {
			words = append(words, string(arg.Value))
		}
	}
	return strings.Join(words, " ")
}

func (b *tab) fault(text string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if !slices.ContainsFunc(b.expected, func(part string) bool { return strings.Contains(text, part) }) {
		b.faults = append(b.faults, text)
	}
}

// expects says that faults with one of these parts are the test's own doing.
func (b *tab) expects(parts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, parts...)
}

// do takes steps, which must come to their end.
func (b *tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.sight())
	}
}

// patience is how long a page may take for anything; only a hang comes near it.
const patience = 2 * time.Minute

// open goes to a path of the site. A dashboard that gives up, because the machine has too much else to do, is asked again.
func (b *tab) open(path string) {
	b.t.Helper()
	for end := time.Now().Add(patience); ; {
		b.do("open "+path, chromedp.Navigate(b.origin+path))
		if !eval[bool](b, "performance.getEntriesByType('navigation')[0]?.responseStatus === 504") {
			return
		}
		if time.Now().After(end) {
			b.t.Fatalf("open %s: it always takes too long\n%s", path, b.sight())
		}
	}
}

// moveTo has the page ask another site from now on: on the same host, so that it sends that one the same cookies.
func (b *tab) moveTo(s *site) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.origin = b.origin, s.url
}

// eval is the value of a JavaScript expression, which may be a promise.
func eval[T any](b *tab, expression string) T {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	value, err := chromedp.Run(ctx, chromedp.Evaluate[T](expression, chromedp.EvalAwaitPromise))
	if err != nil {
		b.t.Fatalf("evaluate %.200s: %v", expression, err)
	}
	return value
}

// until waits for an expression to be true, across the loading of other pages.
func (b *tab) until(what, expression string) {
	b.t.Helper()
	var last error
	for end := time.Now().Add(patience); ; time.Sleep(10 * time.Millisecond) {
		ctx, cancel := context.WithDeadline(b.ctx, end)
		holds, err := chromedp.Run(ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		cancel()
		if holds && err == nil {
			return
		}
		last = err // where the page was just being replaced, the next look is at the new one
		if time.Now().After(end) || b.ctx.Err() != nil {
			b.t.Fatalf("%s has not come about: %s %v\n%s", what, expression, last, b.sight())
		}
	}
}

// at waits until the page of a path is there with all that belongs to it; what an action did may be said on it.
func (b *tab) at(path string) {
	b.t.Helper()
	b.until("the page "+path, fmt.Sprintf("location.pathname + location.search.replace(/[?&]notice=[^&]*$/, '') === %s && document.readyState === 'complete'", js(path)))
}

// click clicks on the first of what a CSS selector finds that can be seen, as a mouse does.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.clickOn(selector, fmt.Sprintf("[...document.querySelectorAll(%s)].find(e => e.checkVisibility())", js(selector)))
}

// follow clicks on the link with exactly this text.
func (b *tab) follow(text string) {
	b.t.Helper()
	b.clickOn("the link "+text, fmt.Sprintf("[...document.querySelectorAll('a[href]')].find(a => a.innerText.trim() === %s)", js(text)))
}

// clickOn clicks in the middle of an element, which nothing may cover.
func (b *tab) clickOn(what, element string) {
	b.t.Helper()
	b.until(what, "document.readyState === 'complete' && "+element+" && (window.still = true)")
	at := eval[[]float64](b, `(e => {
		e.scrollIntoView({block: 'center', behavior: 'instant'});
		const box = e.getClientRects()[0], x = box.x + box.width / 2, y = box.y + box.height / 2, hit = document.elementFromPoint(x, y);
		return e.contains(hit) ? [x, y] : [];
	})(`+element+`)`)
	if len(at) != 2 {
		b.t.Fatalf("%s cannot be clicked on: something is in front of it\n%s", what, b.sight())
	}
	b.do("click on "+what, chromedp.MouseClickXY(at[0], at[1]))
	b.until("an end of the stillness", "(window.still = false) === false")
}

// press presses a key.
func (b *tab) press(keys string, options ...chromedp.KeyOption) {
	b.t.Helper()
	b.do("press a key", chromedp.KeyEvent(keys, options...))
}

// text is what people read of what a selector finds.
func (b *tab) text(selector string) string {
	b.t.Helper()
	b.has(selector)
	return eval[string](b, fmt.Sprintf("document.querySelector(%s).innerText", js(selector)))
}

// says waits until the page's main part has a text.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until("the text "+text, fmt.Sprintf("document.body?.innerText.includes(%s)", js(text)))
}

// has waits until a selector finds something.
func (b *tab) has(selector string) {
	b.t.Helper()
	b.until(selector, fmt.Sprintf("document.querySelector(%s)", js(selector)))
}

// count is how much a selector finds.
func (b *tab) count(selector string) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf("document.querySelectorAll(%s).length", js(selector)))
}

// noFaults fails at once where something went wrong up to now, and says where that was.
func (b *tab) noFaults(where string) {
	b.t.Helper()
	for _, fault := range b.heard() {
		b.t.Errorf("%s: %s", where, fault)
	}
}

// heard is what went wrong since it was last asked for.
func (b *tab) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	faults := b.faults
	b.faults = nil
	return faults
}

// fits fails where a page is wider than the screen: where one would have to scroll sideways to read it.
func (b *tab) fits(where string) {
	b.t.Helper()
	if wide := b.wide(); len(wide) > 0 {
		b.t.Errorf("%s is wider than the screen: %s", where, strings.Join(wide, "\n\t"))
	}
}

// wide is how wide a page is and what stands out, where it is wider than the screen.
func (b *tab) wide() []string {
	b.t.Helper()
	return eval[[]string](b, `(() => {
		const root = document.scrollingElement, room = document.documentElement.clientWidth;
		if (root.scrollWidth <= room) return [];
		return [root.scrollWidth + ' px of ' + room].concat([...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > room + 0.5)
			.map(e => e.outerHTML.slice(0, 120)).slice(-5));
	})()`)
}

// sight is what the page shows, for a test that fails; where DASHBOARD_SHOTS names a folder, a picture of it is left there.
func (b *tab) sight() string {
	ctx, cancel := context.WithTimeout(b.ctx, time.Minute)
	defer cancel()
	text, err := chromedp.Run(ctx, chromedp.Evaluate[string](`location.href + '\n' + document.title + '\n' + document.body?.innerText.replace(/\s+/g, ' ').slice(0, 1500)`))
	if dir := os.Getenv("DASHBOARD_SHOTS"); dir != "" {
		if picture, err := chromedp.Run(ctx, chromedp.FullScreenshot(100)); err == nil {
			_ = os.WriteFile(fmt.Sprintf("%s/%s.png", dir, strings.ReplaceAll(b.t.Name(), "/", "_")), picture, 0o644)
		}
	}
	if err != nil {
		return "the page cannot be read: " + err.Error()
	}
	return text
}

// js is a text as JavaScript writes it.
func js(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // a string is always marshalled
	}
	return string(b)
}

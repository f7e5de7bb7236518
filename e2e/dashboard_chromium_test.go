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

// chromium is the browser that all tests share. The first of them starts it. It requests nothing from hosts other than loopback.
var chromium struct {
	sync.Mutex
	ctx  context.Context // nil before the first test
	stop context.CancelFunc
}

// publicName is the name in docs/dashboard.md of a proxy in front of the dashboard. The browser resolves it to this machine.
const publicName = "ops.example.org"

// browser returns the context of the shared browser.
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
	// It creates a new data directory, which is removed with it.
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

// stopBrowser ends the browser, if a test has started it, and removes its files.
func stopBrowser() {
	if chromium.ctx != nil {
		chromium.stop()
	}
}

// tab is a page in its own browser context, without the cookies and cache of others. Unexpected faults fail its test: an error on the
// console, an exception, a dialog, content that the policy forbids, a failed request, or one to another origin.
type tab struct {
	t   *testing.T
	ctx context.Context

	mu       sync.Mutex
	origin   string // http://127.0.0.1:port
	left     string // the origin before moveTo, whose icon may still be requested
	faults   []string
	expected []string // parts of faults that the test causes
}

// screen is how a page is displayed.
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

// Reports forbidden events of a page on its console, where the tab reads them. While a place to click is searched, or axe-core examines the
// page, updates of the page are suspended.
const sentinels = `
	document.addEventListener('securitypolicyviolation', e => console.error('forbidden by the policy: ' + e.violatedDirective + ' ' + e.blockedURI + ' ' + e.sample));
	Object.defineProperty(window, '__pwned', {set() { console.error('__pwned was set') }, get() { return undefined }});
	for (const name of ['alert', 'confirm', 'prompt', 'print', 'open']) window[name] = () => console.error(name + ' was called');
	document.addEventListener('htmx:beforeRequest', e => { if (window.still && e.target.id === 'page') e.preventDefault() });
	document.addEventListener('htmx:beforeSwap', e => { if (window.still) e.detail.shouldSwap = false });`

// newTab opens an empty page that may only send requests to origin.
func newTab(t *testing.T, origin string, s screen) *tab {
	t.Helper()
	need.Full(t, "chromium")
	parent, err := browser()
	must(t, err)
	b := &tab{t: t, origin: origin, expected: []string{"status of 504", "Error Code 504"}} // on an overloaded machine; see open
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

// show changes how the page is displayed.
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

// hear records faults. It is called while the browser's messages are read, and must not wait for any of them.
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
		if !ev.Canceled { // leaving a page cancels its requests
			b.fault(fmt.Sprintf("a request failed: %s %s", ev.Type, ev.ErrorText))
		}
	case *page.EventJavascriptDialogOpening:
		b.fault("a dialog opens: " + ev.Message)
		go func() { // fails if the page is already gone
			_, _ = chromedp.Call(b.ctx, page.HandleJavaScriptDialog, page.HandleJavaScriptDialogParams{Accept: false})
		}()
	}
}

// own reports whether a URL belongs to the permitted origin or to the page itself.
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

// expects permits faults that contain one of these parts, because the test causes them.
func (b *tab) expects(parts ...string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.expected = append(b.expected, parts...)
}

// do runs steps, which must complete.
func (b *tab) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		b.t.Fatalf("%s: %v\n%s", what, err, b.sight())
	}
}

// patience limits how long anything on a page may take; only a hang reaches it.
const patience = 2 * time.Minute

// open opens a path of the site. If the dashboard gives up because the machine is overloaded, it is asked again.
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

// moveTo makes the page use another site from now on, on the same host, so that it gets the same cookies.
func (b *tab) moveTo(s *site) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.left, b.origin = b.origin, s.url
}

// eval returns the value of a JavaScript expression, which may be a promise.
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

// until waits until an expression is true, even if other pages are loaded meanwhile.
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
		last = err // the page is being replaced; try again on the new one
		if time.Now().After(end) || b.ctx.Err() != nil {
			b.t.Fatalf("%s has not come about: %s %v\n%s", what, expression, last, b.sight())
		}
	}
}

// at waits until the page of a path is completely loaded; it may show the result of an action.
func (b *tab) at(path string) {
	b.t.Helper()
	b.until("the page "+path, fmt.Sprintf("location.pathname + location.search.replace(/[?&]notice=[^&]*$/, '') === %s && document.readyState === 'complete'", js(path)))
}

// click clicks the first visible element that a CSS selector finds, like a mouse.
func (b *tab) click(selector string) {
	b.t.Helper()
	b.clickOn(selector, fmt.Sprintf("[...document.querySelectorAll(%s)].find(e => e.checkVisibility())", js(selector)))
}

// follow clicks the link with exactly this text.
func (b *tab) follow(text string) {
	b.t.Helper()
	b.clickOn("the link "+text, fmt.Sprintf("[...document.querySelectorAll('a[href]')].find(a => a.innerText.trim() === %s)", js(text)))
}

// clickOn clicks in the middle of an element, which must not be covered.
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

// text returns the visible text of what a selector finds.
func (b *tab) text(selector string) string {
	b.t.Helper()
	b.has(selector)
	return eval[string](b, fmt.Sprintf("document.querySelector(%s).innerText", js(selector)))
}

// says waits until the page's main part contains a text.
func (b *tab) says(text string) {
	b.t.Helper()
	b.until("the text "+text, fmt.Sprintf("document.body?.innerText.includes(%s)", js(text)))
}

// has waits until a selector finds something.
func (b *tab) has(selector string) {
	b.t.Helper()
	b.until(selector, fmt.Sprintf("document.querySelector(%s)", js(selector)))
}

// count returns the number of elements that a selector finds.
func (b *tab) count(selector string) int {
	b.t.Helper()
	return eval[int](b, fmt.Sprintf("document.querySelectorAll(%s).length", js(selector)))
}

// noFaults fails at once if there was a fault up to now, and says where.
func (b *tab) noFaults(where string) {
	b.t.Helper()
	for _, fault := range b.heard() {
		b.t.Errorf("%s: %s", where, fault)
	}
}

// heard returns the faults since it was last called.
func (b *tab) heard() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	faults := b.faults
	b.faults = nil
	return faults
}

// fits fails if the page is wider than the screen, so that reading it would need sideways scrolling.
func (b *tab) fits(where string) {
	b.t.Helper()
	if wide := b.wide(); len(wide) > 0 {
		b.t.Errorf("%s is wider than the screen: %s", where, strings.Join(wide, "\n\t"))
	}
}

// wide returns the width of a page that is wider than the screen, and what causes it.
func (b *tab) wide() []string {
	b.t.Helper()
	return eval[[]string](b, `(() => {
		const root = document.scrollingElement, room = document.documentElement.clientWidth;
		if (root.scrollWidth <= room) return [];
		return [root.scrollWidth + ' px of ' + room].concat([...document.querySelectorAll('body *')].filter(e => e.getBoundingClientRect().right > room + 0.5)
			.map(e => e.outerHTML.slice(0, 120)).slice(-5));
	})()`)
}

// sight returns what the page shows, for a failing test. If DASHBOARD_SHOTS names a directory, it also saves a picture there.
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

// js returns a text as a JavaScript literal.
func js(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) // marshalling a string cannot fail
	}
	return string(b)
}

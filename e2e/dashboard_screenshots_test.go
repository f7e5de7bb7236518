package e2e

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// TestDashboardScreenshots makes the pictures of docs/screenshots anew, of a homelab's records:
//
//	DASHBOARD_SCREENSHOTS=docs/screenshots go test -run '^TestDashboardScreenshots$' ./e2e
//
// The folder is named from the repository's root. Look at each picture before it is committed.
func TestDashboardScreenshots(t *testing.T) {
	dir := os.Getenv("DASHBOARD_SCREENSHOTS")
	if dir == "" {
		t.Skip("DASHBOARD_SCREENSHOTS names no folder")
	}
	if !filepath.IsAbs(dir) {
		dir = filepath.Join("..", dir)
	}
	must(t, os.MkdirAll(dir, 0o755))
	w, lab := homelab(t)
	for range 12 {
		must(t, lab.Call("docker stats --no-stream prometheus", "prometheus   97.4%   1.94GiB / 2GiB"))
	}
	s := w.serve("--env-file", lab.EnvFile)
	b := newTab(t, s.url, desktop)
	last := lab.Chain[len(lab.Chain)-1]
	for _, shot := range []struct {
		name, path    string
		width, height int64
		dark          bool
	}{
		{"home", "/", 1280, 1400, false},
		{"home-dark", "/", 1280, 1400, true},
		{"home-phone", "/", 390, 844, false},
		{"sessions", "/sessions?tier=2", 1280, 860, false},
		{"session", fmt.Sprintf("/sessions/%d", last), 1280, 1240, false},
		{"session-phone-dark", fmt.Sprintf("/sessions/%d", last), 390, 844, true},
		{"incident", fmt.Sprintf("/incidents/%d", lab.Open), 1280, 1060, false},
		{"incident-phone", fmt.Sprintf("/incidents/%d", lab.Open), 390, 1400, false},
		{"proposal", fmt.Sprintf("/proposals/%d", lab.Asks), 1280, 900, false},
		{"proposal-phone", fmt.Sprintf("/proposals/%d", lab.Asks), 390, 1300, false},
		{"service", "/services/immich?span=30d", 1280, 1100, false},
		{"service-phone", "/services/immich?span=30d", 390, 1400, false},
		{"cooldowns", "/cooldowns", 1280, 760, false},
		{"hooks", "/hooks", 1280, 1100, false},
	} {
		b.show(screen{width: shot.width, dark: shot.dark})
		b.do("make it as high as the picture", chromedp.Func(func(ctx context.Context, t *chromedp.Target) error {
			_, err := cdp.Call(ctx, t, emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
				Width: shot.width, Height: shot.height, DeviceScaleFactor: 1, Mobile: shot.width < 600})
			return err
		}))
		b.open(shot.path)
		b.at(shot.path)
		b.until("the fonts", "document.fonts.status === 'loaded'")
		ctx, cancel := context.WithTimeout(b.ctx, patience)
		picture, err := chromedp.Run(ctx, chromedp.CaptureScreenshot())
		cancel()
		must(t, err)
		if len(picture) > 250<<10 {
			t.Errorf("%s has %d bytes, want at most 250 KiB", shot.name, len(picture))
		}
		must(t, os.WriteFile(filepath.Join(dir, shot.name+".png"), picture, 0o644))
	}
}

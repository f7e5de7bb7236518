package crontab

import (
	"os"
	"path/filepath"
	"testing"
)

func TestTheZoneIsTheMachines(t *testing.T) {
	t.Setenv("TZ", "Asia/Tokyo")
	for name, c := range map[string]struct{ link, file, timezone, want string }{
		"a link":                   {link: "/usr/share/zoneinfo/Europe/Berlin", want: "Europe/Berlin"},
		"a relative link":          {link: "../usr/share/zoneinfo/Etc/UTC", want: "Etc/UTC"},
		"a posix one":              {link: "/usr/share/zoneinfo/posix/Europe/Berlin", want: "Europe/Berlin"},
		"the link, not the name":   {link: "/usr/share/zoneinfo/Europe/Berlin", timezone: "Etc/UTC\n", want: "Europe/Berlin"},
		"a copy, and its name":     {file: "TZif", timezone: "America/New_York\n", want: "America/New_York"},
		"a copy without a name":    {file: "TZif", want: ""},
		"a link to somewhere else": {link: "/opt/zone", timezone: "Local", want: ""},
		"a zone that is not known": {link: "/usr/share/zoneinfo/Mars/Phobos", want: ""},
		"none":                     {want: "UTC"},
	} {
		root := t.TempDir()
		if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
			t.Fatal(err)
		}
		if c.link != "" {
			if err := os.Symlink(c.link, filepath.Join(root, "etc/localtime")); err != nil {
				t.Fatal(err)
			}
		}
		for file, text := range map[string]string{"etc/localtime": c.file, "etc/timezone": c.timezone} {
			if text == "" {
				continue
			}
			if err := os.WriteFile(filepath.Join(root, file), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		if got := zoneBelow(root); got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

package crontab

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/statedir"
)

// SystemZone is the name of this machine's time zone, by which its cron program reads crontabs whatever our TZ says; empty where the
// machine does not tell it.
func SystemZone() string { return zoneBelow("/") }

// zoneBelow is SystemZone of the machine whose root folder is given.
func zoneBelow(root string) string {
	link := filepath.Join(root, "etc/localtime")
	target, err := os.Readlink(link)
	if os.IsNotExist(err) {
		return "UTC" // as every libc takes it
	}
	if _, name, found := strings.Cut(target, "zoneinfo/"); err == nil && found {
		name = strings.TrimPrefix(name, "posix/")
		if known(name) {
			return name
		}
	}
	const longest = 1 << 10
	text, err := statedir.ReadFile(filepath.Join(root, "etc/timezone"), longest)
	if name := strings.TrimSpace(string(text)); err == nil && known(name) {
		return name
	}
	return ""
}

func known(zone string) bool {
	_, err := time.LoadLocation(zone)
	return err == nil && zone != "" && zone != "Local"
}

package guard

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// To open a device can do something: a watchdog counts from then on, and restarts the machine when it is closed; a tape winds back. So
// programs that open what they are given are given disks, by the names that disks have.

var diskPattern = sync.OnceValue(func() *regexp.Regexp {
	return regexp.MustCompile(`^/dev/(?:[shv]d|xvd|nvme|mmcblk|md|dm-)[A-Za-z0-9*?\[\]-]*$`)
})

// disk judges a disk, or a folder that is the mount point of one.
func (k *walker) disk(u *use, w word) {
	text := w.text
	if w.glob != "" && w.under == "" {
		text = w.glob
	}
	ok := w.known
	if i := strings.IndexAny(text, "*?["); !w.known && i > 0 { // whose files are below a folder that stands there
		if diskPattern().MatchString(text) {
			return
		}
		ok = strings.Count(text[:i], "/") > 1
	}
	paths, here := k.places(text), !k.world.Hypothetical && u.f.place == ""
	if matches, err := filepath.Glob(text); !w.known && here && err == nil {
		paths = append(paths, matches...)
	}
	ok = ok && len(paths) > 0 && (u.f.place == "" || path.IsAbs(text) || text == ".")
	for _, p := range k.resolved(paths, u.f) {
		info, err := os.Stat(p)
		if device := here && err == nil && info.Mode()&os.ModeDevice != 0; linked(p) || device {
			ok = ok && disks().MatchString(p)
		}
	}
	if !ok {
		k.deny(u, Unknown, quoted(w.String())+" is not a disk or a folder whose name stands there literally; name it as it is: /dev/sda, /srv")
	}
}

// date judges a date. Some programs take a time zone at its beginning, which is the name of a file that they open: TZ="/dev/…" now.
func (k *walker) date(u *use, w word) {
	begin := strings.TrimLeftFunc(w.text, unicode.IsSpace)
	if strings.ContainsAny(w.text, `"=`) || !w.known && !w.digits && (begin == "" || begin[0] == 'T') {
		k.deny(u, Unknown, `a date that is only known when it runs could begin with a time zone, which is a file; put a remark in front of it: date -d "(from) $x"`)
	}
}

// database judges the file of a database, whose views may say what its client runs: none that an agent wrote, or that stands in a
// repository.
func (k *walker) database(u *use, w word) {
	if !k.wantKnown(u, w) {
		return
	}
	paths := k.places(w.text)
	if w.text == "" || len(paths) == 0 || strings.ContainsAny(w.text, ":?*%") {
		k.deny(u, Unknown, quoted(w.text)+" is no plain path of a database")
		return
	}
	for _, p := range k.resolved(paths, u.f) {
		switch {
		case k.secret(p):
			k.deny(u, Forbidden, quoted(p)+" may hold secrets")
		case k.writable(p) || k.committable(p):
			k.deny(u, Unknown, quoted(p)+" may say what is run, and an agent or a commit could have put it there; only databases of services are opened")
		}
	}
}

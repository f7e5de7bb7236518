package readable

import (
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/statefile"
)

// manner is the way in which the files below a place are judged.
type manner int

const (
	never    manner = iota // closed
	whole                  // open with everything below, without reading it
	settings               // each file is examined, and files that are not text are closed
	scripts                // names decide; configuration, and text without an extension, is examined
	stacks                 // names decide; configuration is examined
	repos                  // names decide; files with suspicious names are examined
	logs                   // open, except for a few names
	pids                   // PID files and the machine's state, two directories deep
	gitdir                 // git's own files: each is examined
	objects                // git's object store: open if the history holds nothing closed
)

// place is a directory or file of the machine, how it is judged, and why.
type place struct {
	path   string
	manner manner
	why    string
}

// misleading are places in which names do not count: pam.d/passwd is not a list of passwords.
var misleading = []string{"/etc/passwd", "/etc/passwd-", "/etc/pam.d", "/etc/init.d", "/etc/cron.daily", "/etc/apparmor.d", "/etc/systemd", "/etc/security", "/etc/ssl/certs"}

// within reports whether a path is a directory or lies below it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

const ownRecords = "the records of this program"

// placesOf returns the places of a world. If two have one path, the first counts. Links in an operator's directories are resolved.
func placesOf(w World) []place {
	var all []place
	add := func(path string, m manner, why string) {
		if path == "" {
			return
		}
		path = filepath.Clean(path)
		if real, err := filepath.EvalSymlinks(path); err == nil {
			path = real
		}
		all = append(all, place{path, m, why})
	}
	for _, pattern := range w.Read {
		add(fixed(pattern), stacks, "the configuration names it (CLAUDEOPS_INVENTORY)")
	}
	add(w.StateDir, never, ownRecords)
	if w.StateDir != "" {
		add(statefile.Path(w.StateDir), whole, "how often services were restarted, of which the session has a copy")
	}
	add(w.ResultsDir, never, ownRecords)
	add(w.ReposDir, repos, "repositories, without what looks like a credential by its name")
	for _, dir := range w.Session {
		add(dir, whole, "the session's own folder")
	}
	for _, pattern := range []string{"/home/*/.pm2/logs", "/root/.pm2/logs"} {
		found, _ := filepath.Glob(filepath.Join("/", w.root, pattern)) // the pattern is well formed
		for _, dir := range found {
			all = append(all, place{dir, logs, "logs; what is printed of them is masked"})
		}
	}
	for _, p := range tables().machine {
		all = append(all, place{filepath.Join("/", w.root, p.path), p.manner, p.why})
	}
	return all
}

// fixed returns the directory before the first wildcard of a path.
func fixed(pattern string) string {
	at := strings.IndexAny(pattern, `*?[\`)
	if at < 0 {
		return pattern
	}
	return filepath.Dir(pattern[:at] + "x")
}

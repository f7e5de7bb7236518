package readable

import (
	"path/filepath"
	"strings"

	"github.com/claudeops/claudeops/statefile"
)

// manner is how what lies below a place is judged.
type manner int

const (
	never    manner = iota // closed
	whole                  // open with all below it, unread
	settings               // each file is looked into, and what is no text is closed
	scripts                // names decide, and configuration and text without an ending are looked into
	stacks                 // names decide, and configuration is looked into
	repos                  // names decide, and what their names make suspicious is looked into
	logs                   // open, but for a few names
	pids                   // files of process numbers and the machine's state, two folders deep
	gitdir                 // git's own files: each is looked into
	objects                // git's store: open where the history holds nothing closed
)

// place is a folder or file of the machine, how it is judged, and why.
type place struct {
	path   string
	manner manner
	why    string
}

// misleading are places whose names say nothing: pam.d/passwd is no list of passwords.
var misleading = []string{"/etc/passwd", "/etc/passwd-", "/etc/pam.d", "/etc/init.d", "/etc/cron.daily", "/etc/apparmor.d", "/etc/systemd", "/etc/security", "/etc/ssl/certs"}

// within reports whether a path is a folder or lies below it.
func within(p, dir string) bool {
	return p == dir || dir == "/" || strings.HasPrefix(p, dir) && p[len(dir)] == '/'
}

const ownRecords = "the records of this program"

// placesOf are the places of a world; of two for one path the first counts. A folder that an operator has chosen counts where it really is.
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

// fixed is the folder before the first pattern of a path.
func fixed(pattern string) string {
	at := strings.IndexAny(pattern, `*?[\`)
	if at < 0 {
		return pattern
	}
	return filepath.Dir(pattern[:at] + "x")
}

package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
)

// unseen is the folder above a path of which a hardened unit of the system sees nothing, or a part of its own; empty for none.
func unseen(path string) string {
	for _, dir := range []string{"/home", "/root", "/run/user", "/tmp", "/var/tmp"} {
		if path == dir || below(path, dir) {
			return dir
		}
	}
	return ""
}

// hidden refuses variables of a system's unit that name files which it does not see. Where the operator has set in a drop-in what the
// unit sees of homes, that is theirs.
func (f *crontabFlags) hidden(j crontab.Job, l *loaded) error {
	if f.target.word != systemdTarget || !j.System || opened() {
		return nil
	}
	folders := map[string]string{"CLAUDEOPS_STATE_DIR": j.StateDir, "CLAUDEOPS_RESULTS_DIR": j.ResultsDir, "CLAUDEOPS_REPOS_DIR": j.ReposDir}
	for _, v := range l.environment.Variables() {
		path, isFolder := folders[v.Name]
		if !isFolder && v.Source != config.FromDefault && v.Source != config.FromEnvironment {
			path = v.Value
			if os.Getenv(v.Name+"_FILE") == "" && filepath.IsAbs(v.Source) && config.HasFileForm(v.Name) {
				path = v.Source // a secret's own file
			}
		}
		if dir := unseen(path); dir != "" {
			return fmt.Errorf("%s is %s, and a unit of the system sees nothing of %s (ProtectHome=, PrivateTmp=): name another folder in %s, or take the line out, for a folder below /var/lib/claudeops; or use --scope user",
				v.Name, path, dir, envFileOf(j))
		}
	}
	return nil
}

// opened reports whether a drop-in of the operator's says what the unit sees.
func opened() bool {
	files, _ := filepath.Glob("/etc/systemd/system/" + crontab.ServiceUnit + ".d/*.conf") // the pattern is a good one
	return slices.ContainsFunc(files, func(path string) bool {
		text, err := os.ReadFile(path)
		return err == nil && strings.Contains(string(text), "\nProtectHome=")
	})
}

func envFileOf(j crontab.Job) string {
	if j.EnvFile == "" {
		return config.EnvFile
	}
	return j.EnvFile
}

// givenTwice refuses a credential that the environment file has as well: the program takes a secret in one form, and each run would fail.
func (f *crontabFlags) givenTwice(j crontab.Job, l *loaded) error {
	for _, given := range f.credentials {
		name, _, _ := strings.Cut(given, "=")
		for _, v := range l.environment.Variables() {
			inFile := v.Source != config.FromDefault && v.Source != config.FromEnvironment && os.Getenv(name+"_FILE") == ""
			if v.Name == name && inFile {
				return fmt.Errorf("--credential %s: %s sets it too, in this or in its _FILE form, and each run would fail: take the line out there", name, envFileOf(j))
			}
		}
	}
	return nil
}

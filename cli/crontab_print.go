package cli

import (
	"cmp"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/claudeops/claudeops/config"
	"github.com/claudeops/claudeops/crontab"
	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/inventory"
)

func (a *app) crontabPrintCommand() *cobra.Command {
	var f crontabFlags
	c := &cobra.Command{
		Use:   "print --target NAME",
		Short: "Print what runs cycles by CLAUDEOPS_SCHEDULE",
		Long: `print shows what "install" would write, and writes nothing. A target of several files shows each below a comment with its path.

--target cron prints the lines of a crontab; with --scope system, those of /etc/cron.d/claudeops, which name the user.
--target systemd prints claudeops.service and claudeops.timer, and with --allow-unit a rule for polkit.
--target kubernetes prints the objects of a namespace, for kubectl.`,
		Example: `  claudeops crontab print --target cron --schedule '*/15 * * * *'
  claudeops crontab print --target kubernetes --shards 4 --image registry.example.org/claudeops:1.0.0 | kubectl apply --server-side -f -`,
		Args: takes(),
	}
	f.placeFlags(c)
	f.jobFlags(c)
	f.clusterFlags(c)
	c.RunE = func(*cobra.Command, []string) error {
		l, err := a.load()
		if err != nil {
			return err
		}
		j, err := a.job(&f, l)
		if err != nil {
			return err
		}
		files, err := f.render(j, l.config, a.Now())
		if err != nil {
			return err
		}
		record(files, a.given(&f))
		for _, warning := range f.doubts(j, l, a.Now()) {
			a.note(warning)
		}
		return a.printFiles(files)
	}
	return c
}

// doubts are the warnings of print, which may be for another machine.
func (f *crontabFlags) doubts(j crontab.Job, l *loaded, now time.Time) []string {
	if f.target.word == kubernetesTarget {
		warnings := f.clockChanges(j, now)
		if f.image == "" {
			warnings = append(warnings, "the image is claudeops:latest, which a cluster finds only where it was put by hand: name the one that you have pushed with --image")
		}
		return warnings
	}
	return slices.Concat(wherePrograms(j), f.unsaid(j, l), f.clockChanges(j, now))
}

// scheduleFile is one file of --json.
type scheduleFile struct {
	Path string `json:"path"`
	Mode string `json:"mode"`
	Text string `json:"text"`
}

func (a *app) printFiles(files []rendered) error {
	if a.json {
		list := []scheduleFile{}
		for _, r := range files {
			list = append(list, scheduleFile{r.Path, fmt.Sprintf("%04o", r.Mode), r.text()})
		}
		return a.printJSON(list)
	}
	var text strings.Builder
	for i, r := range files {
		if len(files) > 1 {
			if i > 0 {
				text.WriteString("\n")
			}
			text.WriteString(string(r.marks) + " " + r.Path + "\n")
		}
		text.WriteString(r.text())
	}
	return a.print(text.String())
}

// rendered is a file as a target wants it.
type rendered struct {
	crontab.File
	marks crontab.Marks // empty where nobody edits it
}

// text is the whole of a new file.
func (r rendered) text() string {
	if r.marks == "" {
		return r.Text
	}
	return r.marks.Around(r.Text)
}

// place is where a file is put.
func (r rendered) place(f *crontabFlags) (crontab.Place, error) {
	switch {
	case f.target.word == systemdTarget:
		return crontab.OwnFile(r.File), nil
	case f.system():
		return crontab.CronFile(r.File), nil
	}
	own, owner := f.user, userName()
	if own == owner {
		own = ""
	}
	if own != "" {
		owner = own
	}
	return crontab.UserCrontab(own, owner)
}

// userName is who runs us.
func userName() string {
	if u, err := user.Current(); err == nil {
		return u.Username
	}
	return fmt.Sprintf("user %d", os.Geteuid()) // of no account
}

// cronFile is the system's crontab of ours. cron reads no file there whose name has a dot.
const cronFile = "/etc/cron.d/claudeops"

// inPlace makes the path of a file of systemd absolute.
func (f *crontabFlags) inPlace(path string) (string, error) {
	if filepath.IsAbs(path) {
		return path, nil
	}
	if f.system() {
		return filepath.Join("/etc/systemd/system", path), nil
	}
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", fmt.Errorf("where the user's units are: %w", err)
	}
	return filepath.Join(dir, "systemd", "user", path), nil
}

// render is the job in the language of the target.
func (f *crontabFlags) render(j crontab.Job, c config.Config, now time.Time) (files []rendered, err error) {
	switch f.target.word {
	case systemdTarget:
		return f.renderUnits(j)
	case kubernetesTarget:
		files, err = f.renderCluster(j, c)
	default:
		files, err = f.renderLines(j)
	}
	return files, cmp.Or(err, f.together(j, now))
}

func (f *crontabFlags) renderLines(j crontab.Job) ([]rendered, error) {
	lines, err := crontab.CronLines(j, crontab.SystemZone())
	if err != nil {
		return nil, err
	}
	file := crontab.File{Path: cronFile, Mode: 0o644, Text: lines}
	if !j.System {
		file.Path, file.Mode = "crontab of "+cmp.Or(f.user, userName()), 0o600 // as its spool has it
	}
	return []rendered{{file, crontab.Hash}}, nil
}

func (f *crontabFlags) renderUnits(j crontab.Job) ([]rendered, error) {
	o := crontab.UnitOptions{AllowUnits: f.allowUnits, Jitter: time.Duration(f.jitter), Credentials: map[string]string{}}
	for _, given := range f.credentials {
		name, path, found := strings.Cut(given, "=")
		if !found || name == "" || path == "" {
			return nil, &exitError{exitUsage, fmt.Errorf("--credential %q: write it like ANTHROPIC_API_KEY=/etc/claudeops/key", given)}
		}
		if _, twice := o.Credentials[name]; twice {
			return nil, &exitError{exitUsage, fmt.Errorf("--credential %s is given twice", name)}
		}
		o.Credentials[name] = path
	}
	files, err := crontab.Units(j, o)
	if err != nil {
		return nil, err
	}
	var list []rendered
	for _, file := range files {
		if file.Path, err = f.inPlace(file.Path); err != nil {
			return nil, err
		}
		list = append(list, rendered{file, crontab.MarksOf(file.Path)})
	}
	return list, nil
}

func (f *crontabFlags) renderCluster(j crontab.Job, c config.Config) ([]rendered, error) {
	o := crontab.KubernetesOptions{
		Name: f.name, Namespace: f.namespace, Image: f.image, StorageClass: f.storageClass, StorageSize: f.size, Shards: int(f.shards),
	}
	if c.Inventory != "" {
		if _, err := inventory.Read(c.Inventory); err != nil {
			return nil, fmt.Errorf("CLAUDEOPS_INVENTORY: %w", err)
		}
		var err error
		if o.Inventory, err = statedir.ReadFile(c.Inventory, crontab.MaxConfigMap); err != nil {
			return nil, fmt.Errorf("CLAUDEOPS_INVENTORY: %w", err)
		}
	}
	text, err := crontab.Kubernetes(j, o)
	if err != nil {
		return nil, err
	}
	return []rendered{{File: crontab.File{Path: "claudeops.yaml", Mode: 0o644, Text: string(text)}}}, nil
}

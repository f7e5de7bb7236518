package guard

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/claudeops/claudeops/internal/mask"
	"github.com/claudeops/claudeops/internal/statedir"
)

func TestAuditIsAFileOfOurOwn(t *testing.T) {
	a := Audit{Path: AuditPath(t.TempDir(), 7)}
	if filepath.Base(a.Path) != "session-7.commands.ndjson" {
		t.Errorf("its name is %s", a.Path)
	}
	must(t, a.Append(Entry{Decision: Allowed}))
	is, err := os.Lstat(a.Path)
	must(t, err)
	if is.Mode() != 0o600 {
		t.Errorf("its mode is %v", is.Mode())
	}
	victim := filepath.Join(t.TempDir(), "victim")
	must(t, os.WriteFile(victim, []byte("mine"), 0o600))
	must(t, errors.Join(os.Remove(a.Path), os.Symlink(victim, a.Path)))
	if err := a.Append(Entry{}); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("written through a link: %v", err)
	}
	if _, err := a.Read(); !errors.Is(err, statedir.ErrNotRegular) {
		t.Errorf("read through a link: %v", err)
	}
	if text, err := os.ReadFile(victim); string(text) != "mine" {
		t.Errorf("a file outside was written: %q, %v", text, err)
	}
}

func TestAuditKeepsWholeLines(t *testing.T) {
	a := Audit{Path: filepath.Join(t.TempDir(), "audit")}
	must(t, os.WriteFile(a.Path, []byte(`{"decision":"allow"}`+"\n"+`{"decision":"de`), 0o600)) // the disk was full
	must(t, a.Append(Entry{Decision: Denied, Command: "two\nlines", Reason: "\xff"}))
	entries, err := a.Read()
	must(t, err)
	if len(entries) != 2 || entries[0].Decision != Allowed || entries[1].Command != "two\nlines" || entries[1].Reason != "\uFFFD" {
		t.Errorf("%+v", entries)
	}
}

func TestAuditOfManyAtOnce(t *testing.T) {
	const many = 50
	a := Audit{Path: filepath.Join(t.TempDir(), "audit")}
	var all sync.WaitGroup
	for range many {
		all.Go(func() {
			if err := a.Append(Entry{Decision: Allowed, Command: strings.Repeat("x", 5000)}); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	if entries, err := a.Read(); len(entries) != many || err != nil {
		t.Errorf("%d lines, %v; want %d", len(entries), err, many)
	}
}

func TestNoAuditIsAnEmptyOne(t *testing.T) {
	if entries, err := (Audit{Path: filepath.Join(t.TempDir(), "none")}).Read(); len(entries) != 0 || err != nil {
		t.Errorf("%+v, %v", entries, err)
	}
}

func TestAuditIsBoundedAndHoldsNoSecret(t *testing.T) {
	a := Audit{Path: filepath.Join(t.TempDir(), "audit"), Redactor: mask.New([]string{"hunter2hunter2"})}
	must(t, a.Append(Entry{Command: "echo hunter2hunter2; PGPASSWORD=geheim psql", Reason: strings.Repeat("ä", maxAuditText), Services: []string{"hunter2hunter2"}}))
	text, err := os.ReadFile(a.Path)
	must(t, err)
	if strings.Contains(string(text), "hunter2") || strings.Contains(string(text), "geheim") || len(text) > maxAuditText+1000 {
		t.Errorf("%d bytes: %.300s", len(text), text)
	}
	entries, err := a.Read()
	must(t, err)
	if want := "echo [redacted]; PGPASSWORD=[redacted] psql"; entries[0].Command != want {
		t.Errorf("the command is kept as %q, want %q", entries[0].Command, want)
	}
}

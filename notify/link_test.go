package notify

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/claudeops/claudeops/store"
)

func TestALinkIsOfOneProposalAndTarget(t *testing.T) {
	dir := t.TempDir()
	links, err := OpenLinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := store.Proposal{ID: 7, ExpiresAt: time.Date(2026, 3, 1, 16, 0, 0, 0, time.UTC)}
	link := links.Link("https://ops.example.org/", p, "abcd")
	to, found := strings.CutPrefix(link, "https://ops.example.org/proposals/7?to=")
	signature := strings.TrimPrefix(to, "abcd.")
	if !found || to != "abcd."+signature || len(signature) != 64 {
		t.Fatal(link)
	}
	if form := (Message{Body: "Everything: " + link}).Markdown(); form.Body != "Everything: "+link {
		t.Errorf("as markup it would be no link: %q", form.Body)
	}
	other, later := p, p
	other.ID, later.ExpiresAt = 8, p.ExpiresAt.Add(time.Second)
	for name, got := range map[string]string{
		"another proposal": links.Target(other, to), "another time": links.Target(later, to), "another target": links.Target(p, "abce."+signature),
		"altered": links.Target(p, to[:len(to)-1]+"x"), "nothing": links.Target(p, ""), "no target": links.Target(p, "."+signature),
	} {
		if got != "" {
			t.Errorf("%s: of %q", name, got)
		}
	}
	again, err := OpenLinks(dir)
	if err != nil || again.Target(p, to) != "abcd" {
		t.Errorf("after a restart: %v", err)
	}
	elsewhere, err := OpenLinks(t.TempDir())
	if err != nil || elsewhere.Target(p, to) != "" {
		t.Errorf("by another key: %v", err)
	}
	is, err := os.Stat(filepath.Join(dir, linkKeyName))
	if err != nil || is.Mode().Perm() != 0o600 {
		t.Errorf("the key: %v, %v", is.Mode(), err)
	}
	if err := os.WriteFile(filepath.Join(dir, linkKeyName), []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := OpenLinks(dir); err == nil || !strings.Contains(err.Error(), "remove it") {
		t.Errorf("a damaged key: %v", err)
	}
}

// Of several that make the key at once, all have the same one.
func TestTheKeyIsMadeOnce(t *testing.T) {
	dir := t.TempDir()
	all := make([]Links, 8)
	var group sync.WaitGroup
	for n := range all {
		group.Go(func() { all[n], _ = OpenLinks(dir) })
	}
	group.Wait()
	for _, l := range all {
		if len(l.key) != linkKeySize || string(l.key) != string(all[0].key) {
			t.Fatal("two keys")
		}
	}
}

// A service may quote a message in its error, or a part of it.
func TestNoErrorShowsASignature(t *testing.T) {
	whole := strings.Repeat("0123456789abcdef", 4)
	mask := NewMask("ntfy://h/topic-name")
	for _, said := range []string{"?to=ab." + whole, "…" + whole[30:], strings.ToUpper(whole), "%2E" + whole[:32], "topic-name " + whole} {
		if got := mask.String(said); strings.Contains(strings.ToLower(got), "0123") || strings.Contains(got, "cdef") || strings.Contains(got, "topic-name") {
			t.Errorf("%q: %q", said, got)
		}
	}
}

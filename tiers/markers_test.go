package tiers

import (
	"slices"
	"strings"
	"testing"
)

func TestMarkers(t *testing.T) {
	text := strings.Join([]string{
		"I restarted it.",
		"[COOLDOWN:restart:jellyfin] success — Restarted container, now healthy",
		"  [COOLDOWN:redeployment:adguard-home] failure - OOM kill persists  ",
		"**[COOLDOWN:restart:db_1.service] failure – still down**",
		"see [COOLDOWN:restart:shop] success — not on a line of its own",
		"[COOLDOWN:restart:] success — no service",
		"[COOLDOWN:restart:sh op] success — no such name",
		"[COOLDOWN:restart:shop",
		"[COOLDOWN:restart:shop] success — " + strings.Repeat("x", 5000),
	}, "\n")
	var got []string
	for _, m := range Markers(text, 4) {
		got = append(got, m.Service+" "+m.Text)
	}
	want := []string{
		"jellyfin [COOLDOWN:restart:jellyfin] success — Restarted container, now healthy",
		"adguard-home [COOLDOWN:redeployment:adguard-home] failure - OOM kill persists",
		"db_1.service **[COOLDOWN:restart:db_1.service] failure – still down**",
		"shop [COOLDOWN:restart:shop] success — " + strings.Repeat("x", maxMarker-35) + "…",
	}
	if !slices.Equal(got, want) || len(Markers(text, 2)) != 2 {
		t.Errorf("got  %q\nwant %q", got, want)
	}
}

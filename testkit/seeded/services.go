package seeded

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"time"

	"github.com/claudeops/claudeops/check"
)

// looked is a check of a service, and how long its answer usually takes.
type looked struct {
	kind    check.Type
	usualMS float64 // 0 where nothing is timed
}

// tenant is a service of the homelab.
type tenant struct {
	name   string
	checks []looked
}

// tenants are the homelab's services, as the inventory below has them.
func tenants() []tenant {
	return []tenant{
		{"traefik", []looked{{check.HTTP, 9}, {check.Container, 0}}},
		{"pihole", []looked{{check.DNS, 4}, {check.HTTP, 21}}},
		{"postgres", []looked{{check.Database, 7}, {check.Container, 0}}},
		{"nextcloud", []looked{{check.HTTP, 240}, {check.Container, 0}}},
		{"jellyfin", []looked{{check.HTTP, 58}, {check.Container, 0}}},
		{"immich", []looked{{check.HTTP, 95}, {check.Container, 0}}},
		{"vaultwarden", []looked{{check.HTTP, 24}}},
		{"home-assistant", []looked{{check.HTTP, 70}}},
		{"paperless", []looked{{check.HTTP, 130}, {check.Container, 0}}},
		{"gitea", []looked{{check.HTTP, 46}}},
		{"prometheus", []looked{{check.HTTP, 12}}},
		{"grafana", []looked{{check.HTTP, 33}}},
		{"wireguard", []looked{{check.Service, 0}}},
		{"restic-backup", []looked{{check.Service, 0}}},
	}
}

// inventoryText is the homelab's services file.
const inventoryText = `services:
  - name: traefik
    owner: "Robin, robin@home.example.org"
    checks:
      - {type: http, url: "https://traefik.home.example.org/ping", certificate_days: 14}
      - {type: container, container: traefik}

  - name: pihole
    aliases: [pihole-FTL.service]
    ssh: ops@pi.home.example.org
    owner: "Robin, robin@home.example.org"
    checks:
      - {type: dns, server: "10.0.20.2:53", name: home.example.org}
      - {type: http, url: "http://10.0.20.2/admin/"}

  - name: postgres
    owner: "Robin, robin@home.example.org"
    settle: 1m
    checks:
      - {type: database, url: "postgres://probe@db.home.example.org/postgres", password_env: POSTGRES_PROBE_PASSWORD}
      - {type: container, container: postgres}

  - name: nextcloud
    aliases: [nextcloud-app, nextcloud-cron]
    owner: "Sam, files and calendars"
    depends_on: [postgres]
    maintenance:
      - {schedule: "CRON_TZ=Europe/Berlin 30 3 * * 0", for: 45m, note: updates of apps}
    checks:
      - {type: http, url: "https://cloud.home.example.org/status.php", body: '"installed":true', degraded_after: 1s}
      - {type: container, container: nextcloud}

  - name: jellyfin
    owner: "Sam, the living room"
    checks:
      - {type: http, url: "https://tv.home.example.org/health"}
      - {type: container, container: jellyfin}

  - name: immich
    aliases: [immich-server, immich-machine-learning]
    owner: "Sam, photos"
    depends_on: [postgres]
    checks:
      - {type: http, url: "https://photos.home.example.org/api/server/ping"}
      - {type: container, container: immich-machine-learning}

  - name: vaultwarden
    owner: "Robin, robin@home.example.org"
    checks:
      - {type: http, url: "https://vault.home.example.org/alive"}

  - name: home-assistant
    owner: "Robin, robin@home.example.org"
    checks:
      - {type: http, url: "http://10.0.20.10:8123/manifest.json"}

  - name: paperless
    aliases: [paperless-webserver, paperless-worker]
    owner: "Sam, the tax papers"
    depends_on: [postgres]
    checks:
      - {type: http, url: "https://papers.home.example.org/api/"}
      - {type: container, container: paperless-webserver}

  - name: gitea
    depends_on: [postgres]
    checks:
      - {type: http, url: "https://git.home.example.org/api/healthz"}

  - name: prometheus
    checks:
      - {type: http, url: "http://10.0.20.5:9090/-/healthy"}

  - name: grafana
    depends_on: [prometheus]
    checks:
      - {type: http, url: "http://10.0.20.5:3000/api/health"}

  - name: wireguard
    aliases: ["wg-quick@wg0.service"]
    checks:
      - {type: service, unit: "wg-quick@wg0.service"}

  - name: restic-backup
    checks:
      - {type: service, unit: restic-backup.timer}
`

func (l *Lab) writeInventory(dir, text string) error {
	l.Inventory = filepath.Join(dir, "services.yaml")
	if err := os.WriteFile(l.Inventory, []byte(text), 0o600); err != nil {
		return fmt.Errorf("write the inventory: %w", err)
	}
	return nil
}

// took is how long an answer took: longer in the evening, and now and then much longer.
func (d dice) took(usual float64, at time.Time) int64 {
	hour := float64(at.Hour()) + float64(at.Minute())/60
	wave := 1 + 0.35*math.Cos((hour-20)/24*2*math.Pi)
	jitter := 0.85 + 0.3*d.Float64()
	if d.IntN(90) == 0 {
		jitter *= d.between(1.8, 3)
	}
	return max(1, int64(math.Round(usual*wave*jitter)))
}

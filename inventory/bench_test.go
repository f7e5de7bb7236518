package inventory

import (
	"fmt"
	"strings"
	"testing"
)

// fleet returns a services file with this number of services, each with three checks, a window and two dependencies.
func fleet(services int) string {
	var file strings.Builder
	file.WriteString("# yaml-language-server: $schema=" + SchemaURL + "\nx-patient: &patient {timeout: 20s, attempts: 3}\nservices:\n")
	for i := range services {
		fmt.Fprintf(&file, `
  - name: shop-%[1]d
    aliases: [shop-%[1]d-web-1, shop-%[1]d-worker-1]
    ssh: ops@shop-%[1]d.example.org
    owner: "the shop's people, phone 4711"
    maintenance:
      - {schedule: "CRON_TZ=Europe/Berlin 0 3 * * 0", for: 2h, note: backups}
`, i)
		if i > 2 {
			fmt.Fprintf(&file, "    depends_on: [shop-%d, shop-%d-web-1]\n", i/2, i-1)
		}
		fmt.Fprintf(&file, `    checks:
      - type: http
        url: https://shop-%[1]d.example.org:8443/health
        headers: {Accept: application/json}
        headers_env: {Authorization: SHOP_TOKEN}
        body_regex: '"status": *"(ok|fine)"'
      - {type: container, container: shop-%[1]d-app-1}
      - {<<: *patient, type: database, url: "postgres://probe@db-%[1]d.example.org:5432/shop", password_env: SHOP_PASSWORD}
`, i)
	}
	return file.String()
}

// Ten thousand services are within the limits.
func TestTenThousandServices(t *testing.T) {
	text := fleet(10_000)
	if len(text) > MaxBytes {
		t.Fatalf("%d bytes, of at most %d", len(text), MaxBytes)
	}
	inv := mustParse(t, text)
	if len(inv.Services) != 10_000 || inv.Service("shop-9999-app-1") != "shop-9999" {
		t.Errorf("%d services", len(inv.Services))
	}
}

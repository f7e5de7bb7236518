package servers

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
)

// AlertmanagerServer is a Prometheus Alertmanager.
type AlertmanagerServer struct {
	*Process
	URL string
}

// Alertmanager starts an Alertmanager that sends every alert to a webhook, with a bearer token, soon and in one group.
func Alertmanager(t T, webhook, token string) *AlertmanagerServer {
	t.Helper()
	s := &AlertmanagerServer{}
	addr, dir := Address(freePort(t)), folder(t, true)
	s.URL = "http://" + addr
	config := filepath.Join(folder(t, false), "alertmanager.yml")
	write(t, config, fmt.Sprintf(alertmanagerConfig, webhook, token))
	s.Process = start(t, program{
		path: find(t, "prometheus-alertmanager", "prometheus-alertmanager"), nobody: true, ready: s.ready,
		args: []string{"--config.file", config, "--storage.path", dir, "--web.listen-address", addr, "--cluster.listen-address", ""},
	})
	return s
}

func (s *AlertmanagerServer) ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL+"/-/ready", nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return err
	}
	defer func() { _ = answer.Body.Close() }()
	if answer.StatusCode != http.StatusOK {
		return fmt.Errorf("it answers %s", answer.Status)
	}
	return nil
}

const alertmanagerConfig = `route:
  receiver: claudeops
  group_wait: 1s
  group_interval: 1s
  repeat_interval: 4h
receivers:
  - name: claudeops
    webhook_configs:
      - url: %q
        send_resolved: true
        http_config:
          authorization:
            credentials: %q
`

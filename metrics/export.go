package metrics

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/claudeops/claudeops/internal/statedir"
	"github.com/claudeops/claudeops/ledger"
)

// Write writes the metrics to CLAUDEOPS_METRICS_FILE, for the textfile collector of Prometheus' node_exporter. The collector sees the old
// or the new file, never a partial one. If no file is configured, Write does nothing.
func (e Exporter) Write(ctx context.Context, b *ledger.Records) error {
	path := b.Config.MetricsFile
	if path == "" {
		return nil
	}
	f, err := Read(ctx, b)
	if err != nil {
		return fmt.Errorf("count for CLAUDEOPS_METRICS_FILE: %w", err)
	}
	content, err := e.Text(f)
	if err != nil {
		return fmt.Errorf("write CLAUDEOPS_METRICS_FILE: %w", err)
	}
	if is, err := os.Lstat(path); err == nil && !is.Mode().IsRegular() {
		return fmt.Errorf("CLAUDEOPS_METRICS_FILE: %s exists and is no regular file; name another one", path)
	}
	if err := statedir.Publish(path, content); err != nil {
		remedy, dir := "", filepath.Dir(path)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			remedy = "; make the directory " + dir + ", or name a file in another one that node_exporter reads"
		case errors.Is(err, fs.ErrPermission):
			remedy = fmt.Sprintf("; let this user (id %d) write in the directory %s, or name a file in another one that node_exporter reads", os.Geteuid(), dir)
		}
		return fmt.Errorf("CLAUDEOPS_METRICS_FILE: %w%s", err, remedy)
	}
	return nil
}

// Send pushes the metrics to CLAUDEOPS_PUSHGATEWAY_URL. If none is configured, it does nothing.
func (e Exporter) Send(ctx context.Context, b *ledger.Records) error {
	if b.Config.PushgatewayURL == "" {
		return nil
	}
	f, err := Read(ctx, b)
	if err != nil {
		return fmt.Errorf("count for CLAUDEOPS_PUSHGATEWAY_URL: %w", err)
	}
	if err := e.Push(ctx, b.Config.PushgatewayURL, f); err != nil {
		return fmt.Errorf("CLAUDEOPS_PUSHGATEWAY_URL: %w", err)
	}
	return nil
}

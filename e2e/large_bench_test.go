package e2e

import (
	"bytes"
	"fmt"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/claudeops/claudeops/statefile"
)

// BenchmarkLargeCycle measures a cycle with the probes as Tier 1 and very much of one thing. The time must grow linearly with it.
func BenchmarkLargeCycle(b *testing.B) {
	program := release(b, "claudeops")
	cycle := func(dir, path string) rival {
		return rival{run: func() *exec.Cmd {
			cmd := probing1000(program, path, "run-once")
			cmd.Env = append(cmd.Env, "CLAUDEOPS_TIER1_AGENT=probe", "CLAUDEOPS_STATE_DIR="+filepath.Join(dir, "state"), "CLAUDEOPS_RESULTS_DIR="+filepath.Join(dir, "results"))
			return cmd
		}}
	}
	// records: 100,000 of one service without checks, compared with jq, which reads and writes the same file.
	b.Run("records", func(b *testing.B) {
		dir, _ := stage(b)
		s := statefile.New()
		for i := range 100_000 {
			s.Add("web", statefile.Restart, statefile.Record{Timestamp: statefile.At(time.Now().Add(-time.Hour - time.Duration(i%3000)*time.Second)), Success: true, ID: fmt.Sprint("id-", i)})
		}
		text, err := s.Marshal()
		if err != nil {
			b.Fatal(err)
		}
		file := filepath.Join(dir, "state", statefile.FileName)
		put(b, file, string(text))
		path, _ := fleet(b, 1)
		versus(b, cycle(dir, path), rival{run: func() *exec.Cmd { return exec.Command("sh", "-c", `jq . "$1" > "$1.jq"`, "sh", file) }})
	})
	// chain: 10,000 services that are all down, each depending on the next, compared with the same without dependencies.
	b.Run("chain", func(b *testing.B) {
		services := func(chained bool) (path string) {
			var text bytes.Buffer
			text.WriteString("services:\n")
			for i := range 10_000 {
				on := ""
				if chained && i > 0 {
					on = fmt.Sprintf("depends_on: [s%d], ", i-1)
				}
				fmt.Fprintf(&text, "  - {name: s%d, %schecks: [{type: service, address: \"127.0.0.1:1\", attempts: 1}]}\n", i, on)
			}
			path = filepath.Join(b.TempDir(), "inventory.yaml")
			put(b, path, text.String())
			return path
		}
		chained, _ := stage(b)
		bare, _ := stage(b)
		failing := func(r rival) rival {
			return rival{run: func() *exec.Cmd {
				cmd := r.run()
				cmd.Env = append(cmd.Env, "CLAUDEOPS_MAX_TIER=1")
				return cmd
			}}
		}
		versus(b, failing(cycle(chained, services(true))), failing(cycle(bare, services(false))))
	})
}

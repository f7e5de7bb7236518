package tiers

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/claudeops/claudeops/internal/mask"
)

// BenchmarkStream decodes the output of a Tier 1, nearly all of which is tool results. The goal is at least 200 MB/s, so that reading
// never delays the agent. The comparison decodes every line with encoding/json.
func BenchmarkStream(b *testing.B) {
	output := transcript(200)
	redactor := mask.New([]string{"sk-ant-api03-0123456789abcdef", "hunter2-hunter2", "slack://T0/B0/abcdefgh"})
	plain := plainly(b, output)
	b.SetBytes(int64(len(output)))
	var own time.Duration
	passes := 0
	for b.Loop() {
		start := time.Now()
		s := &stream{log: sessionLog{to: io.Discard}, redactor: redactor}
		for chunk := range slices.Chunk(output, 32<<10) {
			_, _ = s.Write(chunk) // it never fails
		}
		s.Close()
		own += time.Since(start)
		if s.result == nil || s.notJSON != 0 {
			b.Fatalf("%d lines were not understood; the result: %v", s.notJSON, s.result)
		}
		passes++
	}
	b.ReportMetric(float64(own)/float64(passes)/float64(plain), "x-encoding/json")
}

// plainly measures how long encoding/json takes for the same output.
func plainly(b *testing.B, output []byte) time.Duration {
	const passes = 3
	start := time.Now()
	for range passes {
		for line := range bytes.Lines(output) {
			var e struct {
				Type    string
				Message any
			}
			if err := json.Unmarshal(line, &e); err != nil {
				b.Fatal(err)
			}
		}
	}
	return time.Since(start) / passes
}

// transcript returns the output of an agent that used a tool the given number of times. Most results are a few KB of a log; one in ten is
// as long as the program passes on.
func transcript(uses int) []byte {
	const entry = `10.0.0.7 - - [21/Nov/2026:09:14:02 +0000] \"GET /cart?id=%d HTTP/1.1\" 502 157 \"-\" \"probe/1.0\"\n`
	var out bytes.Buffer
	fmt.Fprintln(&out, `{"type":"system","subtype":"init","cwd":"/repos","session_id":"0190a7c2-4b5e-7d3a-9c1f-000000000000","tools":["Bash","Read","Grep","Glob"],"model":"claude-haiku-4-5","permissionMode":"dontAsk"}`)
	for i := range uses {
		length := 4 << 10
		if i%10 == 0 {
			length = 30 << 10
		}
		line := fmt.Sprintf(entry, i)
		text := strings.Repeat(line, length/len(line))
		fmt.Fprintf(&out, `{"type":"assistant","message":{"id":"msg_%d","model":"claude-haiku-4-5","role":"assistant","type":"message","content":[{"type":"text","text":"I look at the log of the shop next."}],"usage":{"input_tokens":100,"output_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":9000}},"session_id":"0190a7c2"}`+"\n", i)
		fmt.Fprintf(&out, `{"type":"assistant","message":{"id":"msg_%d","model":"claude-haiku-4-5","role":"assistant","type":"message","content":[{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"tail -n 200 /var/log/nginx/access.log","description":"Read the log"}}],"usage":{"input_tokens":100,"output_tokens":20,"cache_creation_input_tokens":0,"cache_read_input_tokens":9000}},"session_id":"0190a7c2"}`+"\n", i, i)
		fmt.Fprintf(&out, `{"type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_%d","type":"tool_result","content":"%s","is_error":false}]},"session_id":"0190a7c2","tool_use_result":{"stdout":"%s","stderr":"","interrupted":false}}`+"\n", i, text, text)
	}
	fmt.Fprintln(&out, `{"type":"result","subtype":"success","is_error":false,"result":"All services are healthy.","total_cost_usd":0.0123,"num_turns":12,"duration_ms":34567,"usage":{"input_tokens":1200,"output_tokens":240,"cache_creation_input_tokens":0,"cache_read_input_tokens":108000},"session_id":"0190a7c2"}`)
	return out.Bytes()
}

package guard

import (
	"strings"
	"unicode"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Judge decides on a call of a tool. It reserves nothing.
func (w World) Judge(tool string, input jsontext.Value) Verdict {
	switch tool {
	case "Bash":
		return w.judgeBash(input)
	case "Read", "Grep", "Glob", "Write":
		return w.judgeFiles(tool, input)
	}
	if strings.HasPrefix(tool, "mcp__") {
		for _, known := range w.Policy.MCP {
			if known.Name == tool {
				return w.judgeTool(Action(known.Do), tool)
			}
		}
		return w.refused(tool, "the policy does not list this tool")
	}
	return w.refused(tool, "this tool is not granted; use Bash, Read, Grep or Glob")
}

// judgeTool is the verdict on a tool that the policy lists. A remediation has to name its service, which no tool's input does.
func (w World) judgeTool(action Action, tool string) Verdict {
	if action == Restart || action == Redeploy {
		return w.refused(tool, "a "+string(action)+" by this tool cannot be counted; use a command")
	}
	return w.decide([]Act{{Action: action, Rule: tool, Command: tool, Reason: "the policy says so"}})
}

func (w World) refused(tool, reason string) Verdict {
	return w.decide([]Act{{Action: Unknown, Rule: tool, Command: tool, Reason: reason}})
}

func (w World) judgeBash(input jsontext.Value) Verdict {
	var call struct {
		Command    *string `json:"command"`
		Background bool    `json:"run_in_background"`
		Timeout    float64 `json:"timeout"`
	}
	if err := json.Unmarshal(input, &call); err != nil || call.Command == nil {
		return w.refused("Bash", "the command cannot be read")
	}
	acts := w.Acts(*call.Command)
	v := w.decide(acts)
	if call.Background && v.Allow && len(v.Remediations()) > 0 {
		return w.refused("Bash", "a remediation does not run in the background, where nobody sees its end; run it plainly")
	}
	if call.Timeout != 0 && call.Timeout < 30_000 && v.Allow && len(v.Remediations()) > 0 { // then it goes on in the background
		return w.refused("Bash", "a remediation gets at least 30 s (timeout: 30000), or no timeout")
	}
	return v
}

// Acts are what a shell command does.
func (w World) Acts(command string) []Act { return joinSteps(w.judgeShell(command)) }

// Shell is the verdict on a shell command.
func (w World) Shell(command string) Verdict { return w.decide(w.Acts(command)) }

// plainPath reports whether a path means the same to the guard and to every version of the agent program, some of which trim blanks and
// expand `~`.
func plainPath(p string) bool {
	blank := func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }
	return p != "" && p[0] != '~' && strings.TrimFunc(p, blank) == p && !strings.ContainsFunc(p, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || r == unicode.ReplacementChar
	})
}

// judgeFiles decides on the tools that read and write files: the same rules as for a command that does.
func (w World) judgeFiles(tool string, input jsontext.Value) Verdict {
	var call struct {
		File    *string `json:"file_path"`
		Path    *string `json:"path"`
		Pattern string  `json:"pattern"`
		Glob    string  `json:"glob"`
	}
	if err := json.Unmarshal(input, &call); err != nil {
		return w.refused(tool, "its input cannot be read")
	}
	for _, p := range []*string{call.File, call.Path} {
		if p != nil && !plainPath(*p) {
			return w.refused(tool, "`"+*p+"` is no plain path; write it whole, without ~, control characters and blanks at its ends")
		}
	}
	file, root := textOr(call.File, ""), textOr(call.Path, w.Cwd)
	if file == "" && (tool == "Read" || tool == "Write") {
		return w.refused(tool, "it has no file_path")
	}
	k := &walker{world: w, cwds: []string{w.Cwd}}
	source := tool + " " + reasonOr(file, reasonOr(textOr(call.Path, ""), call.Pattern))
	switch tool {
	case "Read":
		k.reads(literal(file), flow{}, tool, source)
	case "Write":
		k.writes(literal(file), flow{}, tool, source)
	case "Grep":
		// A pattern of names holds for what is found in a folder, not for a file that is named, and may be a list: it takes nothing away.
		k.reads(literal(root), flow{}, tool, source)
		k.readsTree(root, flow{}, tool, source)
		if strings.Contains(call.Glob, "..") {
			k.refuse(Unknown, tool, source, "`..` in a pattern cannot be read")
		}
	case "Glob": // which names there are is no secret
		if strings.Contains(call.Pattern, "..") {
			k.refuse(Unknown, tool, source, "`..` in a pattern cannot be read; write the whole path")
		}
	}
	if len(k.acts) == 0 {
		k.act(Act{Action: Observe, Rule: tool, Command: source})
	}
	return w.decide(k.acts)
}

func textOr(text *string, other string) string {
	if text != nil {
		return *text
	}
	return other
}

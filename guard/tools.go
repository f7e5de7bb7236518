package guard

import (
	"path"
	"strings"

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
	}
	if err := json.Unmarshal(input, &call); err != nil || call.Command == nil {
		return w.refused("Bash", "the command cannot be read")
	}
	acts := w.Acts(*call.Command)
	v := w.decide(acts)
	if call.Background && v.Allow && len(v.Remediations()) > 0 {
		return w.refused("Bash", "a remediation does not run in the background, where nobody sees its end; run it plainly")
	}
	return v
}

// Acts are what a shell command does.
func (w World) Acts(command string) []Act { return joinSteps(w.judgeShell(command)) }

// Shell is the verdict on a shell command.
func (w World) Shell(command string) Verdict { return w.decide(w.Acts(command)) }

// grepTool judges a folder that is searched, or the files in it that have a name.
func (k *walker) grepTool(root, name, source string) {
	if name == "" || strings.ContainsAny(name, "/{,!") {
		k.readsTree(root, flow{}, "Grep", source)
		return
	}
	k.readsFound(word{under: root, glob: path.Join(root, "**", name)}, flow{}, "Grep", source)
}

// judgeFiles decides on the tools that read and write files: the same rules as for a command that does.
func (w World) judgeFiles(tool string, input jsontext.Value) Verdict {
	var call struct {
		File    string `json:"file_path"`
		Path    string `json:"path"`
		Pattern string `json:"pattern"`
		Glob    string `json:"glob"`
	}
	if err := json.Unmarshal(input, &call); err != nil {
		return w.refused(tool, "its input cannot be read")
	}
	k := &walker{world: w, cwds: []string{w.Cwd}}
	source := tool + " " + reasonOr(call.File, reasonOr(call.Path, call.Pattern))
	root := literal(reasonOr(call.Path, w.Cwd))
	switch tool {
	case "Read":
		k.reads(literal(call.File), flow{}, tool, source)
	case "Write":
		k.writes(literal(call.File), flow{}, tool, source)
	case "Grep":
		k.grepTool(root.text, call.Glob, source)
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

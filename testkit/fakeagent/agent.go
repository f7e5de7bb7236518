package fakeagent

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// agent is one run of the program.
type agent struct {
	dir, tier string
	out       *os.File
	code      int                // exit code after the last line
	cycle     *mcp.ClientSession // nil before the first `bash` instruction

	mu    sync.Mutex // guards output, child, message and total, so that a result printed on a signal does not mix with the script's output
	child int        // process and group id of the running Bash call; 0 for none

	message int  // number of the last message
	same    bool // the next event belongs to the same message
	said    string
	usage   usage
	total   usage
}

var errArguments = errors.New("wrong arguments")

// do executes one instruction. A code of 0 or more ends the run with that exit code.
func (a *agent) do(word, rest string) (code int, err error) {
	text := strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\xff`, "\xff").Replace(rest)
	args := strings.Fields(rest)
	code = -1
	switch word {
	case "init":
		a.init(args)
	case "say":
		a.said = text
		a.assistant(object{"type": "text", "text": text})
	case "tool":
		name, input, _ := strings.Cut(text, " ")
		a.toolResult(a.toolUse(name, object{"command": input}), "ok", false)
	case "sh":
		err = a.sh(rest)
	case "bash":
		err = a.bash(rest)
	case "same":
		a.same = true
	case "usage":
		err = a.setUsage(args)
	case "garbage":
		a.raw(text + "\n")
	case "truncate":
		a.raw(`{"type":"assistant","message":{"id":"msg_cut","content":[{"type":"text","te`)
	case "flood", "longline", "stderr-flood":
		err = a.pour(word, args)
	case "stderr":
		_, err = fmt.Fprintln(os.Stderr, text)
	case "close-stdout":
		err = a.out.Close()
	case "wait-for":
		err = waitFor(rest)
	case "hang":
		for {
			time.Sleep(time.Hour)
		}
	case "exit":
		return number(args, 0)
	case "result", "error-result", "api-error", "retry":
		err = a.report(word, args, text)
	default:
		err = a.misbehave(word, args, rest)
	}
	return code, err
}

// report prints a result or retries like the real program.
func (a *agent) report(word string, args []string, text string) error {
	switch word {
	case "result":
		cost, err := amount(args, 0)
		turns, err2 := number(args, 1)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		if said := strings.SplitN(text, " ", 3); len(said) == 3 {
			a.said = said[2]
		}
		a.result(object{"subtype": "success", "is_error": false, "num_turns": turns, "result": a.said}, cost)
	case "error-result":
		cost, err := amount(args, 1)
		if err != nil {
			return err
		}
		a.code = 1
		a.result(object{"subtype": args[0], "is_error": true, "num_turns": a.message, "errors": []string{args[0]}}, cost)
	case "api-error":
		status, err := number(args, 0)
		if err != nil {
			return err
		}
		a.code = 1
		_, reason, _ := strings.Cut(text, " ")
		a.result(object{"subtype": "success", "is_error": true, "num_turns": 1, "api_error_status": status, "result": reason}, 0)
	case "retry":
		n, err := number(args, 0)
		status, err2 := number(args, 1)
		if err := errors.Join(err, err2); err != nil {
			return err
		}
		for i := range n {
			a.retry(i+1, status, strings.Join(args[2:], " "))
		}
	}
	return nil
}

// pour writes large outputs.
func (a *agent) pour(word string, args []string) error {
	n, err := number(args, 0)
	if err != nil {
		return err
	}
	switch word {
	case "longline":
		a.assistant(object{"type": "text", "text": strings.Repeat("x", n)})
	case "flood":
		line := a.encode(a.assistantEvent(object{"type": "text", "text": strings.Repeat("flood ", 700)}))
		return a.repeat(a.out, line, n)
	case "stderr-flood":
		return a.repeat(os.Stderr, strings.Repeat("E", 4095)+"\n", n)
	}
	return nil
}

// repeat writes a line until at least n bytes are written.
func (a *agent) repeat(w io.Writer, line string, n int) error {
	a.mu.Lock()
	defer a.mu.Unlock()
	for n > 0 {
		if _, err := io.WriteString(w, line); err != nil {
			return err
		}
		n -= len(line)
	}
	return nil
}

func (a *agent) setUsage(args []string) error {
	var n [4]int
	if len(args) != 2 && len(args) != 4 {
		return errArguments
	}
	for i := range args {
		var err error
		if n[i], err = number(args, i); err != nil {
			return err
		}
	}
	a.usage = usage{n[0], n[1], n[2], n[3]}
	return nil
}

func waitFor(path string) error {
	for {
		_, err := os.Stat(path)
		if !os.IsNotExist(err) {
			return err
		}
		time.Sleep(2 * time.Millisecond)
	}
}

// number returns the i-th argument, which must not be negative.
func number(args []string, i int) (int, error) {
	if i >= len(args) {
		return 0, errArguments
	}
	n, err := strconv.Atoi(args[i])
	if err == nil && n < 0 {
		err = errArguments
	}
	return n, err
}

func amount(args []string, i int) (float64, error) {
	if i >= len(args) {
		return 0, errArguments
	}
	return strconv.ParseFloat(args[i], 64)
}

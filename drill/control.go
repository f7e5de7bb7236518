package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/claudeops/claudeops/internal/child"
)

// answer is what the supervisor answers to one labctl command.
type answer struct {
	Code int    `json:"code"`
	Text string `json:"text"`
}

const (
	controlWithin = time.Minute
	mostRequest   = 64 << 10
	mostLog       = 16 << 10 // of a log, from its end
)

// controlSocket is the name of the supervisor's socket in the homelab's folder.
const controlSocket = "control"

// listen serves labctl until the homelab is closed.
func (lab *Lab) listen() (err error) {
	if lab.control, err = net.Listen("unix", lab.Path(controlSocket)); err != nil {
		return err
	}
	go func() {
		for {
			conn, err := lab.control.Accept()
			if err != nil {
				return
			}
			go lab.serve(conn)
		}
	}()
	return nil
}

func (lab *Lab) serve(conn net.Conn) {
	defer func() { _ = conn.Close() }()
	_ = conn.SetDeadline(time.Now().Add(controlWithin)) // a socket takes one
	var args []string
	a := answer{Code: 2, Text: "labctl: not understood\n"}
	if err := json.NewDecoder(io.LimitReader(conn, mostRequest)).Decode(&args); err == nil {
		ctx, stop := context.WithTimeout(context.Background(), controlWithin)
		defer stop()
		a = lab.obey(ctx, args)
	}
	_ = json.NewEncoder(conn).Encode(a) // who asked may be gone
}

// obey carries out one command of labctl.
func (lab *Lab) obey(ctx context.Context, args []string) answer {
	if len(args) == 1 && args[0] == "status" {
		var lines []string
		for _, p := range lab.supervisor.all() {
			lines = append(lines, p.status()+"\n")
		}
		slices.Sort(lines)
		return answer{0, strings.Join(lines, "")}
	}
	if len(args) == 3 && args[0] == "query" {
		text, err := lab.query(ctx, args[1], args[2])
		return answered(text, err)
	}
	if len(args) != 2 {
		return answer{2, "usage: labctl status [NAME] | log NAME | restart NAME | redeploy NAME | stop NAME | query NAME SQL\n"}
	}
	if argv := lab.outsideLog(args[1]); args[0] == "log" && argv != nil {
		cmd := exec.Command(argv[0], argv[1:]...)
		cmd.Env = lab.outsideEnviron()
		r, err := child.Run(ctx, cmd, child.Limits{Keep: mostLog})
		return answered(string(r.Stdout)+string(r.Stderr), err)
	}
	if args[0] == "redeploy" && args[1] == "box" && lab.uses(containers) {
		return answered("box: redeploy done\n", lab.deployBox(ctx))
	}
	p, err := lab.supervisor.find(args[1])
	if err == nil && p.Apart {
		err = fmt.Errorf("%s is a file system, and no service", args[1]) // nothing could put it back
	}
	if err != nil {
		return answered("", err)
	}
	switch args[0] {
	case "status":
		return answer{0, p.status() + "\n"}
	case "log":
		return answer{0, tail(p.Log)}
	}
	p.requested()
	switch args[0] {
	case "restart":
		err = p.restart(ctx, false)
	case "redeploy":
		err = p.restart(ctx, true)
	case "stop":
		p.stop()
	default:
		err = fmt.Errorf("no such command: %s", args[0])
	}
	return answered(args[1]+": "+args[0]+" done\n", err)
}

// answered is the answer to a command with this outcome.
func answered(text string, err error) answer {
	if err != nil {
		return answer{1, "labctl: " + err.Error() + "\n"}
	}
	return answer{0, text}
}

// outsideLog is the command that shows the log of a service outside of the supervisor; nil for others. Agents may not ask the engine and
// the journal themselves, which have the user's logs too.
func (lab *Lab) outsideLog(name string) []string {
	switch {
	case name == "box" && lab.uses(containers):
		return []string{"docker", "logs", "--tail", "100", lab.box()}
	case name == "unit" && lab.uses(units):
		return []string{"journalctl", "--no-pager", "--lines", "100", "--unit", lab.unit()}
	}
	return nil
}

// tail returns the end of a log.
func tail(path string) string {
	f, err := os.Open(path)
	if err != nil {
		return err.Error() + "\n"
	}
	defer func() { _ = f.Close() }()
	if info, err := f.Stat(); err == nil && info.Size() > mostLog {
		_, err = f.Seek(-mostLog, io.SeekEnd)
		if err != nil {
			return err.Error() + "\n"
		}
	}
	text, err := io.ReadAll(io.LimitReader(f, mostLog))
	if err != nil {
		return err.Error() + "\n"
	}
	return string(text)
}

// control sends a command to the supervisor of the homelab in a folder, as labctl does, and returns its exit code.
func control(out io.Writer, dir string, args []string) (code int, err error) {
	conn, err := net.DialTimeout("unix", filepath.Join(dir, controlSocket), controlWithin)
	if err != nil {
		return 1, err
	}
	defer func() { err = errors.Join(err, conn.Close()) }()
	if err := errors.Join(conn.SetDeadline(time.Now().Add(controlWithin)), json.NewEncoder(conn).Encode(args)); err != nil {
		return 1, err
	}
	var a answer
	if err := json.NewDecoder(io.LimitReader(conn, mostRequest)).Decode(&a); err != nil {
		return 1, err
	}
	_, err = io.WriteString(out, a.Text)
	return a.Code, err
}

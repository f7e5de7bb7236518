package broker

import (
	"errors"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestRepeatedCalls(t *testing.T) {
	type toolCall struct {
		tool, arguments string
		failure         error
	}
	fails := toolCall{"bash", `{"command":"docker ps"}`, ExitError(1)}
	works := toolCall{"bash", `{"command":"true"}`, nil}
	times := func(n int, calls ...toolCall) (all []toolCall) {
		for range n {
			all = append(all, calls...)
		}
		return all
	}
	for name, c := range map[string]struct {
		calls  []toolCall
		warned int
		ended  bool
	}{
		"twice":                    {times(2, fails), 0, false},
		"three times":              {times(3, fails), 1, false},
		"nine times":               {times(9, fails), 1, false},
		"ten times":                {times(10, fails), 1, true},
		"ten that work":            {times(10, works), 0, false},
		"others work in between":   {times(10, fails, works), 1, true},
		"it works in between":      {times(20, append(times(2, fails), toolCall{fails.tool, fails.arguments, nil})...), 0, false},
		"two that take turns":      {times(10, fails, toolCall{"run", `{"argv":["systemctl","stop","x"]}`, ExitError(126)}), 2, true},
		"the exit status differs":  {append(times(9, fails), toolCall{fails.tool, fails.arguments, ExitError(2)}), 1, false},
		"another command":          {append(times(9, fails), toolCall{"bash", `{"command":"docker ps -a"}`, ExitError(1)}), 1, false},
		"spelled otherwise":        {append(times(9, fails), toolCall{"bash", `{ "command": "docker ps", "timeout_s": 9 }`, ExitError(1)}), 1, true},
		"for another reason":       {append(times(9, toolCall{"restart", `{"service":"a"}`, ExitError(126)}), toolCall{"restart", `{"why":"now","service":"a"}`, ExitError(126)}), 1, true},
		"arguments that are wrong": {times(10, toolCall{"bash", `[1`, errors.New("no object")}), 1, true},
	} {
		t.Run(name, func(t *testing.T) {
			r, warned, ended := repeats{}, 0, false
			for _, c := range c.calls {
				warning, err := r.count(c.tool, jsontext.Value(c.arguments), c.failure)
				if warning != "" {
					warned++
				}
				ended = ended || err != nil
			}
			if warned != c.warned || ended != c.ended {
				t.Errorf("warned %d times, ended %t; want %d, %t", warned, ended, c.warned, c.ended)
			}
		})
	}
	r, err := repeats{}, error(nil)
	for range endAt {
		_, err = r.count("bash", jsontext.Value(`{"command":"docker ps"}`), ExitError(1))
	}
	if want := `its agent made the same failing call 10 times: bash {"command":"docker ps"}: Exit code 1`; err == nil || err.Error() != want {
		t.Errorf("%v; want %s", err, want)
	}
}

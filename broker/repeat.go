package broker

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/text"
)

const (
	// warnAt is the failure of the same call at which the agent is told.
	warnAt = 3
	// endAt is the failure of the same call at which the session ends.
	endAt = 10
)

// RepeatError ends a session whose agent makes the same failing call again and again.
type RepeatError struct {
	Call    string // the tool and its arguments, shortened
	Failure string
}

func (e *RepeatError) Error() string {
	return fmt.Sprintf("its agent made the same failing call %d times: %s: %s", endAt, e.Call, e.Failure)
}

// maxRepeated limits a repeated call, and its failure, in a RepeatError, in characters.
const maxRepeated = 200

// repeats counts failures of the same call: the same tool with the same arguments, apart from its time limit and reason, that fails with
// the same exit status or fault. Only a success of that call starts its counts again.
type repeats map[[sha256.Size]byte]map[string]int

// count counts the outcome of a call. warning is for the agent: it is set the third time. The error is a *RepeatError, the tenth time.
func (r repeats) count(tool string, arguments jsontext.Value, failure error) (warning string, err error) {
	call := tool + " " + same(arguments)
	key := sha256.Sum256([]byte(call))
	if failure == nil {
		delete(r, key)
		return "", nil
	}
	if r[key] == nil {
		r[key] = map[string]int{}
	}
	r[key][failure.Error()]++
	switch r[key][failure.Error()] {
	case warnAt:
		return fmt.Sprintf("claudeops: this has failed %d times in the same way. Do something else, hand off or end; to wait for something, wait in one command. "+
			"At %d this session is ended as failed.\n", warnAt, endAt), nil
	case endAt:
		short := func(s string) string { return text.Shorten(text.FirstLine(s), maxRepeated) }
		return "", &RepeatError{short(call), short(failure.Error())}
	}
	return "", nil
}

// same returns the part of a call's arguments that makes it the same.
func same(arguments jsontext.Value) string {
	var members map[string]jsontext.Value
	if json.Unmarshal(arguments, &members) != nil {
		return string(arguments)
	}
	delete(members, "timeout_s")
	delete(members, "why")
	kept, _ := json.Marshal(members, json.Deterministic(true)) // they were just parsed
	return string(kept)
}

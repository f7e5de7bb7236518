package broker

import (
	"crypto/sha256"
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/claudeops/claudeops/internal/text"
)

// The failures of the same call at which the agent is told, and at which the session ends.
const (
	warnAt = 3
	endAt  = 10
)

// RepeatError ends a session whose agent makes the same failing call again and again. It names the call and the failure, shortened.
type RepeatError string

func (e RepeatError) Error() string {
	return fmt.Sprintf("its agent made the same failing call %d times: %s", endAt, string(e))
}

// repeats counts failures of the same call: the same tool with the same arguments, apart from its time limit and reason. A success of that
// call, and another failure, start its count again.
type repeats map[[sha256.Size]byte]repeat

type repeat struct {
	failure string
	times   int
}

// count counts the outcome of a call. warning is for the agent: it is set the third time. The error is a RepeatError, the tenth time.
func (r repeats) count(tool string, arguments jsontext.Value, failure error) (warning string, err error) {
	call := tool + " " + same(arguments)
	key := sha256.Sum256([]byte(call))
	if failure == nil {
		delete(r, key)
		return "", nil
	}
	is := r[key]
	if is.failure != failure.Error() {
		is = repeat{failure: failure.Error()}
	}
	is.times++
	r[key] = is
	switch is.times {
	case warnAt:
		return fmt.Sprintf("claudeops: this has failed %d times in the same way. Do something else, hand off or end; to wait for something, wait in one command. "+
			"At %d this session is ended as failed.\n", warnAt, endAt), nil
	case endAt:
		const most = 200 // characters of each
		return "", RepeatError(text.Shorten(text.FirstLine(call), most) + ": " + text.Shorten(text.FirstLine(is.failure), most))
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

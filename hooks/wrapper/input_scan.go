package wrapper

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// The members of the input that the breaker uses.
const (
	memberSession = "session_id"
	memberEvent   = "hook_event_name"
	memberAgent   = "agent_id"
)

const (
	memberMax  = 512 // bytes of a value that is kept
	sessionMax = 128 // bytes of a session id; a longer one is ignored
)

// scanner scans the input in pieces of any size. It finds the end of the first JSON object, and the header in it. Input that does not
// start with an object, or has more text after it, is not a message of the agent program. JSON is validated only as far as the header is
// read.
type scanner struct {
	state   scanState
	newline bool // the object's line has ended
	nesting int  // number of open brackets
	quoted  bool // inside a string
	escaped bool // after a backslash in a string

	headed  bool              // the header is known, or is not searched any more
	decoder *jsontext.Decoder // for the header
	piece   []byte            // what the decoder has not consumed yet
	size    int               // bytes passed to the decoder
	name    string            // the top-level member whose value comes next
	header  map[string]string
}

type scanState int

const (
	inObject scanState = iota // in the object or before it
	afterObject
	noMessage
)

// whole reports whether the object has ended, with only white space after it.
func (s *scanner) whole() bool { return s.state == afterObject }

// message reports whether the object was a message of the agent program. The agent program's pipe may stay open; other input may
// continue.
func (s *scanner) message() bool { return s.whole() && s.event() != "" }

// known reports whether the header is complete or cannot become so.
func (s *scanner) known() bool {
	if s.state != inObject {
		return true
	}
	event := s.header[memberEvent]
	_, session := s.header[memberSession]
	_, agent := s.header[memberAgent]
	return event != "" && session && (agent || event != "SubagentStop")
}

func (s *scanner) event() string { return s.header[memberEvent] }

// session returns the id of what belongs together: the agent's session or, at the end of a subagent, that subagent in it.
func (s *scanner) session() string {
	id := s.header[memberSession]
	if agent := s.header[memberAgent]; id != "" && agent != "" && s.event() == "SubagentStop" {
		id += "/" + agent
	}
	if len(id) > sessionMax {
		return ""
	}
	return id
}

var errMoreToCome = errors.New("more is to come")

// Read gives the decoder the current piece. The decoder can continue after errMoreToCome.
func (s *scanner) Read(b []byte) (int, error) {
	n := copy(b, s.piece)
	s.piece = s.piece[n:]
	if n == 0 {
		return 0, errMoreToCome
	}
	return n, nil
}

func (s *scanner) feed(piece []byte) {
	if s.state == inObject && !s.headed {
		s.decode(piece)
	}
	for _, c := range piece {
		if s.state == noMessage {
			return
		}
		s.pass(c)
	}
}

// pass searches for the object's end, by counting brackets outside strings.
func (s *scanner) pass(c byte) {
	switch {
	case s.escaped:
		s.escaped = false
	case s.quoted:
		s.escaped = c == '\\'
		s.quoted = c != '"'
	case c == ' ' || c == '\t' || c == '\r':
	case c == '\n':
		s.newline = s.newline || s.whole()
	case s.whole() || s.nesting == 0 && c != '{':
		s.state = noMessage
	case c == '"':
		s.quoted = true
	case c == '{' || c == '[':
		s.nesting++
	case c == '}' || c == ']':
		if s.nesting--; s.nesting == 0 {
			s.state = afterObject
		}
	}
}

// decode reads the header in the next piece.
func (s *scanner) decode(piece []byte) {
	if s.decoder == nil {
		s.decoder = jsontext.NewDecoder(s, lenient())
		s.header = map[string]string{}
	}
	s.piece = piece
	s.size += len(piece)
	for s.state == inObject && !s.headed {
		token, err := s.decoder.ReadToken()
		if errors.Is(err, errMoreToCome) {
			s.headed = s.size > headerMax // an unfinished string is read again with each piece
			break
		}
		s.take(token, err)
		s.headed = s.headed || s.known()
	}
	if s.headed {
		s.decoder = nil
	}
}

// take handles one token of the first value.
func (s *scanner) take(token jsontext.Token, err error) {
	if err != nil {
		s.state = noMessage
		return
	}
	depth := s.decoder.StackDepth()
	kind, length := s.decoder.StackIndex(depth)
	switch {
	case depth == 0 && token.Kind() == '}':
		s.headed = true
	case depth == 0, depth == 1 && kind != '{':
		s.state = noMessage
	case depth > 1 || token.Kind() != '"':
	case length%2 == 1:
		s.name = token.String()
	case s.name == memberSession || s.name == memberEvent || s.name == memberAgent:
		value := token.String()
		if len(value) > memberMax {
			value = ""
		}
		s.header[s.name] = value
	}
}

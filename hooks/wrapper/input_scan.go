package wrapper

import (
	"errors"

	"github.com/go-json-experiment/json/jsontext"
)

// The members of the input that the breaker looks at.
const (
	memberSession = "session_id"
	memberEvent   = "hook_event_name"
	memberAgent   = "agent_id"
)

const (
	memberMax  = 512 // bytes of a value that is kept
	sessionMax = 128 // bytes of a session's name; a longer one is ignored
)

// scanner follows the input as it passes, in pieces of any size: it finds the end of the first JSON object and what it says of the
// call. Input that begins with anything but an object is no message of the agent program; neither is an object that more text follows.
// JSON is checked only as far as the header is read.
type scanner struct {
	state   scanState
	newline bool // the object's line has ended
	nesting int  // brackets that are open
	quoted  bool // within a string
	escaped bool // behind a backslash in it

	headed  bool              // the header is known, or is not looked for any more
	decoder *jsontext.Decoder // of the header
	piece   []byte            // what the decoder has not taken yet
	size    int               // of all that the decoder had
	name    string            // of the member at the top whose value comes next
	header  map[string]string
}

type scanState int

const (
	inObject scanState = iota // or before it
	afterObject
	noMessage
)

// whole reports whether the object has ended and nothing but white space followed.
func (s *scanner) whole() bool { return s.state == afterObject }

// message reports whether that was a message of the agent program. Its pipe may stay open; anybody else's input may go on.
func (s *scanner) message() bool { return s.whole() && s.event() != "" }

// known reports whether nothing more is to be learned of the call.
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

// session names what belongs together: the agent's session, and within it each subagent that is at its end.
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

// Read gives the decoder the present piece. The decoder goes on after errMoreToCome.
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

// pass looks for the object's end, by brackets outside of strings alone.
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

// take looks at one token of the first value.
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

package wrapper

import "github.com/go-json-experiment/json/jsontext"

// The members of the input that the breaker looks at.
const (
	memberSession = "session_id"
	memberEvent   = "hook_event_name"
	memberAgent   = "agent_id"
)

const (
	deepest    = 10_000 // levels of nesting; what goes deeper counts as no JSON
	memberMax  = 512    // bytes of a value that is kept
	sessionMax = 128    // bytes of a session's name; one that is longer is no name
)

// scanner follows the input as it passes, in pieces of any size: it finds the end of the first JSON object and what it says of the
// call. What begins with anything else than an object is no message of the agent program, nor is what goes on behind the object.
type scanner struct {
	state   scanState
	nesting []byte // the brackets that are open
	name    []byte // of the member at the top whose value comes
	text    []byte // the string at the top that is being read
	isName  bool   // it is a member's name
	newline bool   // the object's line has ended
	header  map[string]string
}

type scanState int

const (
	beforeObject scanState = iota
	beforeName             // or the end of an object without members
	beforeNextName
	beforeColon
	beforeValue
	beforeElement // or the end of an array without elements
	afterValue
	inString
	inEscape
	inScalar
	afterObject
	noJSON
)

// whole reports whether the object has ended and nothing but its newline followed.
func (s *scanner) whole() bool { return s.state == afterObject }

// message reports whether that was a message of the agent program. It may leave its pipe open; who else writes means what follows.
func (s *scanner) message() bool { return s.whole() && s.event() != "" }

// known reports whether the call is known as well as it will be.
func (s *scanner) known() bool {
	if s.state >= afterObject {
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

func (s *scanner) feed(b []byte) {
	for i := 0; i < len(b) && s.state != noJSON; i++ {
		switch s.state {
		case inString:
			i += s.inString(b[i:])
		case inEscape:
			s.keep(b[i])
			s.state = inString
		case inScalar:
			if !scalar(b[i]) {
				s.state = afterValue
				s.structure(b[i])
			}
		default:
			s.structure(b[i])
		}
	}
}

// inString goes on to the end of the string, or of b, and returns by how much.
func (s *scanner) inString(b []byte) int {
	for i, c := range b {
		if c >= 0x20 && c != '"' && c != '\\' {
			continue
		}
		s.keep(b[:i]...)
		switch c {
		case '"':
			s.endString()
		case '\\':
			s.keep(c)
			s.state = inEscape
		default:
			s.state = noJSON
		}
		return i
	}
	s.keep(b...)
	return len(b) - 1
}

// structure takes a character that stands in no string and no scalar.
func (s *scanner) structure(c byte) {
	if c == ' ' || c == '\t' || c == '\r' || c == '\n' {
		s.newline = s.newline || c == '\n' && s.state == afterObject
		return
	}
	switch s.state {
	case beforeObject:
		s.want(c == '{', c)
	case beforeName, beforeNextName:
		if c == '"' {
			s.beginString(true)
		} else {
			s.want(c == '}' && s.state == beforeName, c)
		}
	case beforeColon:
		s.state = beforeValue
		if c != ':' {
			s.state = noJSON
		}
	case beforeValue, beforeElement:
		s.value(c)
	case afterValue:
		s.after(c)
	default:
		s.state = noJSON
	}
}

// want opens or closes a bracket where that is what may stand here.
func (s *scanner) want(right bool, c byte) {
	switch {
	case !right || (c == '{' || c == '[') && len(s.nesting) == deepest:
		s.state = noJSON
	case c == '{':
		s.nesting = append(s.nesting, c)
		s.state = beforeName
	case c == '[':
		s.nesting = append(s.nesting, c)
		s.state = beforeElement
	default:
		s.nesting = s.nesting[:len(s.nesting)-1]
		s.state = afterValue
		if len(s.nesting) == 0 {
			s.state = afterObject
		}
	}
}

func (s *scanner) value(c byte) {
	switch {
	case c == '"':
		s.beginString(false)
	case c == '{', c == '[':
		s.want(true, c)
	case c == ']' && s.state == beforeElement:
		s.want(true, c)
	case scalar(c):
		s.state = inScalar
	default:
		s.state = noJSON
	}
}

func (s *scanner) after(c byte) {
	inObject := s.nesting[len(s.nesting)-1] == '{'
	switch {
	case c == ',' && inObject:
		s.state = beforeNextName
	case c == ',':
		s.state = beforeValue
	default:
		s.want(c == '}' && inObject || c == ']' && !inObject, c)
	}
}

// scalar reports whether c may stand in a number, true, false or null. Whether they are spelled well is the hook's business.
func scalar(c byte) bool {
	return c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c == 'E' || c == '+' || c == '-' || c == '.'
}

func (s *scanner) beginString(isName bool) {
	s.isName = isName
	s.text = append(s.text[:0], '"')
	s.state = inString
}

func (s *scanner) keep(c ...byte) {
	if len(s.nesting) == 1 && len(s.text) <= memberMax {
		s.text = append(s.text, c[:min(len(c), memberMax+1)]...)
	}
}

func (s *scanner) endString() {
	s.state = afterValue
	if s.isName {
		s.state = beforeColon
	}
	if len(s.nesting) != 1 {
		return
	}
	if s.isName {
		s.name = append(s.name[:0], memberText(append(s.text, '"'))...)
		return
	}
	switch name := string(s.name); name {
	case memberSession, memberEvent, memberAgent:
		if s.header == nil {
			s.header = map[string]string{}
		}
		s.header[name] = memberText(append(s.text, '"'))
	}
}

// memberText is what a JSON string says; nothing where it is not well spelled, or too long to have been kept.
func memberText(quoted []byte) string {
	text, err := jsontext.AppendUnquote(nil, quoted)
	if err != nil || len(quoted) > memberMax {
		return ""
	}
	return string(text)
}

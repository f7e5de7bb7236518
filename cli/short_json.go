package cli

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"
)

// shortLine is the maximum length of a JSON value on one line.
const shortLine = 130

// shortJSON formats JSON for reading: a value that fits is on one line, others are indented. Invalid JSON is returned unchanged.
func shortJSON(text string) string {
	value := jsontext.Value(text)
	if err := value.Compact(); err != nil {
		return text
	}
	var out bytes.Buffer
	lay(&out, value, "")
	return out.String()
}

// lay writes a compact value after indent.
func lay(out *bytes.Buffer, value jsontext.Value, indent string) {
	kind := value.Kind()
	if len(indent)+len(value) <= shortLine || kind != '{' && kind != '[' {
		out.Write(value)
		return
	}
	closing := map[jsontext.Kind]string{'{': "}", '[': "]"}[kind]
	in := jsontext.NewDecoder(bytes.NewReader(value), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := in.ReadToken(); err != nil { // cannot fail: the value was compacted
		out.Write(value)
		return
	}
	out.WriteByte(byte(kind))
	for n := 0; in.PeekKind() != ']' && in.PeekKind() != '}'; n++ {
		element, err := in.ReadValue()
		if err != nil {
			return
		}
		if kind == '{' && n%2 == 1 {
			out.WriteString(": ")
			lay(out, bytes.Clone(element), indent+"  ")
			continue
		}
		if n > 0 {
			out.WriteByte(',')
		}
		out.WriteString("\n" + indent + "  ")
		lay(out, bytes.Clone(element), indent+"  ")
	}
	out.WriteString("\n" + indent + closing)
}

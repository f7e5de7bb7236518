package mask

import (
	"bytes"
	"errors"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// JSON returns v as JSON on one line. Only strings are masked: a masked number would be no JSON. Invalid UTF-8
// becomes U+FFFD.
func (r *Redactor) JSON(v any) ([]byte, error) {
	lenient := jsontext.AllowDuplicateNames(true) // two names may both be masked
	document, err := json.Marshal(v, json.Deterministic(true), jsontext.AllowInvalidUTF8(true), lenient)
	if err != nil || bytes.Equal(r.Bytes(document), document) {
		return document, err
	}
	var out bytes.Buffer
	from, to := jsontext.NewDecoder(bytes.NewReader(document), lenient), jsontext.NewEncoder(&out, lenient)
	for {
		token, err := from.ReadToken()
		if errors.Is(err, io.EOF) {
			return bytes.TrimSuffix(out.Bytes(), []byte("\n")), nil
		}
		if err != nil {
			return nil, err
		}
		if token.Kind() == '"' {
			token = jsontext.String(r.String(token.String()))
		}
		if err := to.WriteToken(token); err != nil {
			return nil, err
		}
	}
}

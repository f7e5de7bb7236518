package script

import "strings"

// Sed reads a sed script: GNU sed's grammar, as far as BusyBox and older releases do not read it otherwise. Several -e
// are passed joined by newlines. Files of r and R are reads, those of w, W and s///w are writes; sed's own names of the
// standard streams are neither. The command e and the flag e of s are refused.
func Sed(script string) (Effects, error) {
	if err := checkText("sed", script); err != nil {
		return Effects{}, err
	}
	r := sedReader{text: script, label: -1}
	for r.skip(" \t\n;"); r.pos < len(r.text); r.skip(" \t\n;") {
		if err := r.command(); err != nil {
			return Effects{}, err
		}
	}
	if r.depth != 0 {
		return Effects{}, refuse("sed: a { has no }; put } after ; or on a line of its own (a, i, c, r and w take the rest of their line)")
	}
	return r.effects, nil
}

type sedReader struct {
	text    string
	pos     int
	depth   int // open braces
	label   int // where the last label, branch or version stands, -1 for none
	effects Effects
}

// command reads one command with its addresses.
func (r *sedReader) command() error {
	if err := r.addresses(); err != nil {
		return err
	}
	if r.peek() == '!' {
		r.pos++
		r.skip(" \t")
	}
	switch c := r.next(); c {
	case '#':
		r.line()
		return nil
	case '{':
		r.depth++
		return nil
	case '}':
		if r.depth--; r.depth < 0 {
			return unread("sed", r.text, r.pos-1, "a command, as no { is open")
		}
		return r.end()
	case '=', 'd', 'D', 'F', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'z':
		return r.end()
	case 'l', 'q', 'Q':
		r.skip(" \t")
		r.skip("0123456789")
		return r.end()
	case ':', 'b', 't', 'T', 'v':
		return r.branch()
	case 'a', 'i', 'c':
		return r.insertedText()
	case 'r', 'R':
		return r.file(&r.effects.Reads)
	case 'w', 'W':
		return r.file(&r.effects.Writes)
	case 's':
		return r.substitution()
	case 'y':
		return r.transliteration()
	case 'e':
		return errSedExecutes()
	default:
		return unread("sed", r.text, r.pos-1, "a sed command")
	}
}

func errSedExecutes() error {
	return refuse("sed: e runs its text as a shell command; let sed print, and run the command by itself")
}

// addresses reads what may stand before a command: nothing, one address, or two with a comma, and blanks.
func (r *sedReader) addresses() error {
	found, err := r.address(false)
	if err != nil || !found {
		return err
	}
	r.skip(" \t")
	if r.peek() != ',' {
		return nil
	}
	r.pos++
	r.skip(" \t")
	start := r.pos
	if found, err = r.address(true); err == nil && !found {
		err = unread("sed", r.text, start, "a second address after the comma")
	}
	r.skip(" \t")
	return err
}

// address reads a line number, first~step, $ or a pattern; as the second of two also +N and ~N.
func (r *sedReader) address(second bool) (found bool, err error) {
	switch c := r.peek(); {
	case isDigit(c):
		r.skip("0123456789")
		r.skip(" \t")
		if r.peek() != '~' {
			return true, nil
		}
		r.pos++
		r.skip(" \t")
		return true, r.number()
	case second && (c == '+' || c == '~'):
		r.pos++
		r.skip(" \t")
		return true, r.number()
	case c == '$':
		r.pos++
		return true, nil
	case c == '/' || c == '\\':
		r.pos++
		if c == '\\' {
			c = r.next()
		}
		if err := r.pattern(c); err != nil {
			return true, err
		}
		r.skip(" \tIM")
		return true, nil
	}
	return false, nil
}

func (r *sedReader) number() error {
	if !isDigit(r.peek()) {
		return unread("sed", r.text, r.pos, "a number")
	}
	r.skip("0123456789")
	return nil
}

// branch reads the label of : b t T or the version of v. Labels that one implementation would end earlier than another
// are refused.
func (r *sedReader) branch() error {
	r.label = r.pos
	r.skip(" \t")
	for isWord(r.peek()) || r.peek() == '.' || r.peek() == '-' {
		r.pos++
	}
	if r.peek() == '#' {
		return unread("sed", r.text, r.pos, "a blank or ; after the label")
	}
	return r.end()
}

// file reads a file name, which is the rest of the line, into names.
func (r *sedReader) file(names *[]string) error {
	r.skip(" \t")
	start := r.pos
	name := r.line()
	switch {
	case name == "":
		return unread("sed", r.text, start, "a file name")
	case strings.HasSuffix(name, `\`):
		return refuse("sed: the file name ends in a backslash, which some sed join with the next line; use another name")
	}
	switch name {
	case "/dev/stdin", "/dev/stdout", "/dev/stderr":
	default:
		*names = append(*names, name)
	}
	return nil
}

// insertedText reads the text of a, i and c: the rest of the line, and the next line after each one that ends in a backslash.
func (r *sedReader) insertedText() error {
	r.skip(" \t")
	start := r.pos
	line := r.line()
	if line == "" || len(line) > 1 && line[0] == '\\' && strings.Trim(line, " \t\\") == "" {
		return unread("sed", r.text, start, "text on the same line, or a backslash and text on the next")
	}
	for endsInBackslash(line) {
		if r.pos == len(r.text) && line == `\` {
			return nil // $a\ only ends the last line
		}
		if r.pos == len(r.text) {
			return unread("sed", r.text, start, "a line of text after the backslash")
		}
		if err := r.joined(r.pos); err != nil {
			return err
		}
		r.pos++ // the newline
		line = r.line()
	}
	return nil
}

// endsInBackslash tells whether the last character of line is a backslash that nothing escapes.
func endsInBackslash(line string) bool {
	return (len(line)-len(strings.TrimRight(line, `\`)))%2 == 1
}

// joined refuses a line, the one that pos is in, that a backslash continues after a label: some sed take the rest of such
// a line for the label, and the next one for commands.
func (r *sedReader) joined(pos int) error {
	if r.label >= 0 && !strings.Contains(r.text[r.label:pos], "\n") {
		return refuse("sed: a label or branch stands on a line that a backslash continues; put it on a line of its own")
	}
	return nil
}

func (r *sedReader) substitution() error {
	delimiter := r.next()
	if err := r.pattern(delimiter); err != nil {
		return err
	}
	if err := r.literal(delimiter); err != nil {
		return err
	}
	for {
		r.skip(" \t")
		switch c := r.peek(); {
		case isDigit(c) || c != 0 && strings.IndexByte("gpiImM", c) >= 0:
			r.pos++
		case c == 'e':
			return errSedExecutes()
		case c == 'w':
			r.pos++
			return r.file(&r.effects.Writes)
		default:
			return r.end()
		}
	}
}

func (r *sedReader) transliteration() error {
	delimiter := r.next()
	if err := r.literal(delimiter); err != nil {
		return err
	}
	if err := r.literal(delimiter); err != nil {
		return err
	}
	return r.end()
}

// literal reads up to an unescaped delimiter: a replacement, or a list of characters.
func (r *sedReader) literal(delimiter byte) error { return r.delimited(delimiter, sedPlain) }

// pattern reads a regular expression up to its delimiter.
func (r *sedReader) pattern(delimiter byte) error {
	return r.delimited(delimiter, sedBrackets, sedClasses)
}

// delimited reads up to the delimiter that all the readings agree on.
func (r *sedReader) delimited(delimiter byte, readings ...sedReading) error {
	if delimiter <= ' ' || delimiter >= 0x7f || strings.IndexByte(`\[]`, delimiter) >= 0 {
		return unread("sed", r.text, max(r.pos-1, 0), "a delimiter such as / or |")
	}
	end := sedEnd(r.text[r.pos:], delimiter, readings[0])
	for _, other := range readings[1:] {
		if sedEnd(r.text[r.pos:], delimiter, other) != end {
			return refuse("sed: not every sed ends " + excerpt(r.text, r.pos) + " at the same place; use a delimiter that does not occur in it")
		}
	}
	if end < 0 {
		return unread("sed", r.text, r.pos, "the closing delimiter "+string(rune(delimiter)))
	}
	start := r.pos
	r.pos += end + 1
	if strings.Contains(r.text[start:r.pos], "\n") {
		return r.joined(start)
	}
	return nil
}

// end reads the end of a command: blanks, then a newline, a semicolon or the end of the text, or a } or # that stays.
func (r *sedReader) end() error {
	r.skip(" \t")
	switch r.peek() {
	case 0, '}', '#':
	case ';', '\n':
		r.pos++
	default:
		return unread("sed", r.text, r.pos, "; or a new line after the command")
	}
	return nil
}

// line reads the rest of the line, without its newline.
func (r *sedReader) line() string {
	rest, _, _ := strings.Cut(r.text[r.pos:], "\n")
	r.pos += len(rest)
	return rest
}

// peek is the next byte, 0 at the end.
func (r *sedReader) peek() byte {
	if r.pos < len(r.text) {
		return r.text[r.pos]
	}
	return 0
}

func (r *sedReader) next() byte {
	c := r.peek()
	if r.pos < len(r.text) {
		r.pos++
	}
	return c
}

func (r *sedReader) skip(set string) {
	rest := r.text[r.pos:]
	r.pos += len(rest) - len(strings.TrimLeft(rest, set))
}

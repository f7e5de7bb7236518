package guard

import "strings"

// word is what is known, before it runs, of one word of a command. Where it is not known, text is how it begins.
type word struct {
	text    string
	known   bool   // text is all of it
	written bool   // it stands there as literal text: nothing was expanded
	glob    string // the pattern, where the unknown part is a matter of file names alone
	under   string // a folder below which the path lies: what find hands on
	plain   bool   // a plain name: begins with a letter or digit, and has no blank in it
	shape   string // of a word with a plain name in it: a * stands in its place
	one     bool   // exactly one word, whatever the value: quoted, or plain
	digits  bool   // nothing but digits
	signed  bool   // and a minus before them, perhaps
	solid   bool   // no option: what it begins with is a letter or digit
	job     bool   // a process that this shell has put in the background
	absent  bool   // there may be none of it: xargs was given nothing
	stdin   bool   // /dev/fd/N of a process substitution
	why     string // "$x is only known when it runs"
}

func literal(text string) word { return word{text: text, known: true, one: true} }

// opaque is a word of which nothing is known.
func opaque(why string) word { return word{why: why} }

// is reports whether the word is known to be one of these texts.
func (w word) is(texts ...string) bool {
	for _, text := range texts {
		if w.known && w.text == text {
			return true
		}
	}
	return false
}

// numeral reports whether the word can be nothing but a number.
func (w word) numeral() bool { return w.known && canonical(w.text) || w.digits }

// optional reports whether the word could turn out to be an option.
func (w word) optional() bool {
	if w.solid || w.signed {
		return w.signed
	}
	if w.known || w.plain {
		return w.known && strings.HasPrefix(w.text, "-") && w.text != "-"
	}
	return w.text == "" && w.under == "" && !w.stdin && !beginsWithLetter(w.glob) || strings.HasPrefix(w.text, "-")
}

// subscripts reports whether a word is a pattern only by its brackets, as a filter of jq without quotes is: no file has such a name.
func subscripts(w word) bool {
	return w.glob != "" && w.under == "" && strings.HasPrefix(w.glob, ".") && !strings.ContainsAny(w.glob, "*?(\\")
}

// single reports whether a pattern means one name only: its classes are of one character, as in [n]ginx or status[0].
func single(pattern string) bool {
	for {
		_, rest, has := strings.Cut(pattern, "[")
		if strings.ContainsAny(pattern[:len(pattern)-len(rest)], "*?\\(") {
			return false
		}
		if !has {
			return true
		}
		if len(rest) < 2 || rest[1] != ']' || !isIdentifier(rest[0]) {
			return false
		}
		pattern = rest[2:]
	}
}

// bracketed reports whether a pattern is a word with its first letter in brackets, by which people keep grep from finding itself.
func bracketed(pattern string) bool {
	return beginsWithLetter(pattern) && strings.IndexByte(pattern, ']') == 2 && !strings.ContainsAny(pattern[3:], "*?[(")
}

// beginsWithLetter reports whether what a pattern means begins with a letter or digit: [n]ginx.
func beginsWithLetter(pattern string) bool {
	class, _, closed := strings.Cut(strings.TrimPrefix(pattern, "["), "]")
	return closed && strings.HasPrefix(pattern, "[") && class != "" && strings.Trim(class, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") == ""
}

// from is the rest of the word behind the first n bytes of its text.
func (w word) from(n int) word {
	rest := w
	rest.text = w.text[n:]
	if rest.glob != "" {
		rest.glob = strings.TrimPrefix(w.glob, w.text[:n])
	}
	rest.plain = w.plain && n == 0
	return rest
}

// String is the word for a person.
func (w word) String() string {
	switch {
	case w.known:
		return w.text
	case w.glob != "":
		return w.glob
	}
	return w.text + "…"
}

// show is a command for a person.
func show(words []word) string {
	texts := make([]string, 0, len(words))
	for _, w := range words {
		text := w.String()
		if text == "" || strings.ContainsAny(text, " \t\n") {
			text = "'" + text + "'"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, " ")
}

// option cuts --name=value, whose value need not be known. It reports false where the name is not.
func (w word) option() (name string, value *word, ok bool) {
	name, _, has := strings.Cut(w.text, "=")
	if !has {
		return name, nil, w.known
	}
	rest := w.from(len(name) + 1)
	return name, &rest, true
}

package inventory

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/claudeops/claudeops/check"
	"github.com/claudeops/claudeops/internal/text"
)

// field is a key that a mapping may have, and how its value gets into what the mapping describes.
type field[T any] struct {
	name string
	read func(b *builder, into *T, value *node)
}

// fill reads the members of a mapping by the tables of its fields. A key that is given twice is a fault, and so is one that no
// table has, which stranger words.
func fill[T any](b *builder, n *node, into *T, stranger func(key string) string, tables ...[]field[T]) {
	repeated := repeatedKeys(n.content)
	for i := 0; i+1 < len(n.content); i += 2 {
		k := &n.content[i]
		switch read := find(tables, k.value); {
		case k.kind == list || k.kind == mapping:
			b.fault(k, "", k.kind.String()+" as a key; must be a text")
		case repeated(i):
			b.fault(k, "", shown(k.value)+" is given twice; must be given once")
		case read != nil:
			read(b, into, &n.content[i+1])
		default:
			b.fault(k, "", stranger(k.value))
		}
	}
}

// find is how the value of a key is read, nil where no table has the key.
func find[T any](tables [][]field[T], key string) func(*builder, *T, *node) {
	for _, fields := range tables {
		for i := range fields {
			if fields[i].name == key {
				return fields[i].read
			}
		}
	}
	return nil
}

func names[T any](tables ...[]field[T]) (names []string) {
	for _, fields := range tables {
		for _, f := range fields {
			names = append(names, f.name)
		}
	}
	return names
}

// grammar is what a services file may hold.
type grammar struct {
	file    []field[Inventory]
	service []field[serviceBuild]
	window  []field[Window]
	check   []field[Check] // of every type
	forms   []form         // of each type
}

func newGrammar() *grammar {
	return &grammar{
		file: fileFields(), service: serviceFields(), window: windowFields(), check: checkFields(),
		forms: []form{httpForm(), dnsForm(), containerForm(), databaseForm(), serviceForm()},
	}
}

// form is the form of a check type, nil for what is no type.
func (g *grammar) form(of check.Type) *form {
	for i := range g.forms {
		if g.forms[i].of == of {
			return &g.forms[i]
		}
	}
	return nil
}

// owners are the mappings, for a person, that have a key.
func (g *grammar) owners(key string) (whats []string) {
	if find([][]field[serviceBuild]{g.service}, key) != nil {
		whats = append(whats, "a service")
	}
	if find([][]field[Window]{g.window}, key) != nil {
		whats = append(whats, "a maintenance window")
	}
	if find([][]field[Check]{g.check}, key) != nil {
		return append(whats, "a check")
	}
	for _, form := range g.forms {
		if find([][]field[Check]{form.fields}, key) != nil {
			whats = append(whats, form.what)
		}
	}
	return whats
}

// stranger says of a key that it is none of what, which has keys: whose it is, or else which was meant.
func (g *grammar) stranger(key, what string, keys []string) string {
	owners := g.owners(key)
	said := shown(key) + " is no key of " + what
	if owners != nil {
		return said + " but of " + strings.Join(owners, " and of ") + "; must be one of " + strings.Join(keys, ", ")
	}
	if meant := text.Nearest(key, keys, nil); meant != "" {
		return said + "; did you mean " + meant + "?"
	}
	return said + "; must be one of " + strings.Join(keys, ", ")
}

// member is the value of a mapping's key, nil where it has none.
func (n *node) member(key string) *node {
	if n.kind != mapping {
		return nil
	}
	for i := 0; i+1 < len(n.content); i += 2 {
		if n.content[i].value == key {
			return &n.content[i+1]
		}
	}
	return nil
}

// require notes that a mapping lacks a member, which must be what expected says.
func (b *builder) require(n *node, name, expected string) {
	if n.member(name) == nil {
		b.fault(n, name, "missing; must be "+expected)
	}
}

// isMapping notes that a value is none, which must be what expected says.
func (b *builder) isMapping(n *node, name, expected string) bool {
	if n.kind != mapping {
		b.fault(n, name, n.kind.String()+"; must be "+expected)
	}
	return n.kind == mapping
}

// text is the value of a member that must be a text. Anything else is a fault: YAML makes numbers, dates and booleans of
// names that look like one, and other readers of the file would see those.
func (b *builder) text(value *node, name string) (string, bool) {
	switch value.kind {
	case str:
		return value.value, true
	case number, boolean, date:
		b.fault(value, name, value.kind.String()+"; must be a text, so put it in quotes")
	default:
		b.fault(value, name, value.kind.String()+"; must be a text")
	}
	return "", false
}

// filled is a text that is not empty.
func (b *builder) filled(value *node, name, expected string) (string, bool) {
	given, ok := b.text(value, name)
	if ok && given == "" {
		b.fault(value, name, "empty; must be "+expected)
		return "", false
	}
	return given, ok
}

// maxLine is how long a text for people may be, in bytes.
const maxLine = 500

// line is a text for people on one line.
func (b *builder) line(value *node, name string) string {
	given, ok := b.filled(value, name, "a line of text")
	switch {
	case !ok:
	case hasControl(given):
		b.fault(value, name, "has a line break or another control character in it; must be one line of text")
	case len(given) > maxLine:
		b.fault(value, name, fmt.Sprintf("%d bytes long; must be at most %d", len(given), maxLine))
	}
	return given
}

// duration is a text as Go writes durations.
func (b *builder) duration(value *node, name string, least, most time.Duration) time.Duration {
	expected := "; must be a duration like 10s or 1m30s"
	if value.kind != str {
		b.fault(value, name, value.kind.String()+expected)
		return 0
	}
	d, err := time.ParseDuration(value.value)
	switch {
	case err != nil || !isDigit(value.value[0]) || isDigit(value.value[len(value.value)-1]): // no signs, no bare 0
		b.fault(value, name, shown(value.value)+" is no duration"+expected)
	case d < least || d > most:
		b.fault(value, name, shown(value.value)+"; must be "+bounds(least, most))
	default:
		return d
	}
	return 0
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// bounds words what a duration must be; the least there is stands for more than nothing.
func bounds(least, most time.Duration) string {
	if least == 0 {
		return "from 0s to " + brief(most)
	}
	said := "more than 0s"
	if most < math.MaxInt64 {
		said += " and at most " + brief(most)
	}
	return said
}

// brief is a duration without the zeros at its end.
func brief(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// whole is a number written in nothing but digits.
func (b *builder) whole(value *node, name string, least, most int) int {
	n, ok := 0, value.kind == number
	if ok {
		n, ok = digits(value.value)
	}
	if ok && n >= least && n <= most {
		return n
	}
	given := value.kind.String()
	if value.kind == number && len(value.value) <= maxShown {
		given = value.value
	}
	b.fault(value, name, fmt.Sprintf("%s; must be a whole number from %d to %d", given, least, most))
	return 0
}

// digits takes no number in another form: not 1.0, 1e1, 0x1 or 010, of which readers of YAML make different things.
func digits(text string) (n int, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" || text[0] == '0' && len(text) > 1 {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

func (b *builder) boolean(value *node, name string) bool {
	if value.kind != boolean {
		b.fault(value, name, value.kind.String()+"; must be true or false")
	}
	return strings.EqualFold(value.value, "true")
}

func (b *builder) list(value *node, name, expected string) []node {
	if value.kind != list {
		b.fault(value, name, value.kind.String()+"; must be "+expected)
		return nil
	}
	return value.content
}

// variable is the name of an environment variable. The fault does not repeat it: it may be the secret that should stand there.
func (b *builder) variable(value *node, name string) string {
	given, ok := b.text(value, name)
	if ok && !isVariable(given) {
		b.fault(value, name, "not the name of an environment variable; write it like SHOP_PASSWORD, and set that where the program runs")
		return ""
	}
	return given
}

func isVariable(name string) bool {
	return name != "" && (name[0] < '0' || name[0] > '9') && !strings.ContainsFunc(name, func(r rune) bool { return r == '-' || !isLabel(r) })
}

// repeatedKeys returns what tells whether the key at i, of a mapping's content, stands there before. It is asked in order.
func repeatedKeys(content []node) func(i int) bool {
	if len(content) <= 32 {
		return func(i int) bool {
			for j := 0; j < i; j += 2 {
				if content[j].value == content[i].value {
					return true
				}
			}
			return false
		}
	}
	seen := make(map[string]bool, len(content)/2)
	return func(i int) bool {
		before := seen[content[i].value]
		seen[content[i].value] = true
		return before
	}
}

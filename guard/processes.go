package guard

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

var (
	psLetters = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^([aAcfgHhjlmnrsSTuvwxXLMZ]+o?|o)$`) })
	psPIDs    = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^[0-9]+(,[0-9]+)*$`) })
	psUser    = sync.OnceValue(func() *regexp.Regexp {
		return regexp.MustCompile(`^([0-9]+|[a-df-z_][a-df-z0-9_-]*|postgres|redis|prometheus|elasticsearch|memcache|node|jenkins)$`)
	})
	psEvery = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`^-[eAafFlwL]*$`) })
)

// processes judges ps. Letters without a dash are options of another kind, e among them, which shows environments; and where ps cannot
// read its words in one way, it reads all of them as such letters.
func (k *walker) processes(u *use) {
	deny := func(w word) { k.deny(u, Unknown, quoted(w.String())+" may show the environment of processes") }
	named := u.has("-u", "-C") // by words that could be such letters
	every := u.has("-e")
	for i, w := range u.operands {
		behind := i > 0 && strings.HasSuffix(u.operands[i-1].text, "o") && psLetters().MatchString(u.operands[i-1].text)
		number := w.known && psPIDs().MatchString(w.text)
		switch {
		case !w.known || every || named && !number:
			deny(w)
			return
		case behind: // columns
		case w.is("p") && i+1 < len(u.operands) && psPIDs().MatchString(u.operands[i+1].text), number, psLetters().MatchString(w.text):
		default:
			deny(w)
			return
		}
	}
	for _, g := range u.given {
		for _, v := range g.values {
			switch name := g.option.names[0]; {
			case name == "-u" && !(v.known && psUser().MatchString(v.text)), name == "-p" && v.known && !psPIDs().MatchString(v.text):
				deny(v)
				return
			}
		}
	}
	if !every && !named {
		return
	}
	if every && u.has("-u", "-C", "-p", "-s") {
		k.deny(u, Unknown, "with -e every process is shown; leave the choice out")
		return
	}
	for _, w := range u.words[1:] { // what could be read in the other way
		if !strings.HasPrefix(w.text, "-") || strings.HasPrefix(w.text, "--") {
			continue
		}
		letters, _, _ := strings.Cut(w.text, "o")
		if i := strings.IndexAny(letters, "puUCqs"); i > 0 && !every {
			letters = letters[:i]
		}
		if !psEvery().MatchString(letters) {
			deny(w)
			return
		}
	}
	if u.has("--forest") && u.has("-L") {
		k.deny(u, Unknown, "--forest and -L do not go together")
	}
}

// journal judges journalctl: whole entries hold environments, of services that crashed.
func (k *walker) journal(u *use) {
	if o := u.value("-o", "--output"); slices.ContainsFunc(u.given, func(g given) bool {
		return slices.Contains(g.option.names, "--output") && strings.HasPrefix(g.values[0].text, "json")
	}) && o != nil && !u.has("--output-fields") {
		k.deny(u, Unknown, "whole entries may hold the environment of a service; name the fields")
	}
}

// plainNames judges names of applications: not files, of which some managers take any.
func (k *walker) plainNames(u *use) {
	for _, w := range u.operands {
		if !w.known || w.text == "" || strings.Trim(strings.ToLower(w.text), "abcdefghijklmnopqrstuvwxyz0123456789_-") != "" ||
			slices.Contains([]string{"all", "default", "json", "js", "cjs", "mjs", "yml", "yaml"}, strings.ToLower(w.text)) || strings.ContainsAny(w.text[:1], "-_") {
			k.deny(u, Unknown, quoted(w.String())+" is no plain name of an application")
			return
		}
	}
	if u.action == Restart {
		k.unnamed(u, u.operands)
	}
}

package script

import (
	_ "embed"
	"strings"
	"sync"

	"go.yaml.in/yaml/v3"
)

//go:embed words.yaml
var wordsFile []byte

// words are the lists of words.yaml, keyed by section and name: "psql functions".
var words = sync.OnceValue(func() map[string]map[string]bool {
	var sections map[string]map[string]string
	if err := yaml.Unmarshal(wordsFile, &sections); err != nil {
		panic("words.yaml: " + err.Error())
	}
	all := map[string]map[string]bool{}
	for section, lists := range sections {
		for name, text := range lists {
			list := map[string]bool{}
			for word := range strings.FieldsSeq(text) {
				list[word] = true
			}
			all[section+" "+name] = list
		}
	}
	return all
})

// listed reports whether a word is in a list of words.yaml.
func listed(list, word string) bool {
	known, exists := words()[list]
	if !exists {
		panic("words.yaml lacks the list " + list)
	}
	return known[word]
}

// hasListedPrefix reports whether a word begins with a prefix in a list.
func hasListedPrefix(list, word string) bool {
	for prefix := range words()[list] {
		if strings.HasPrefix(word, prefix) {
			return true
		}
	}
	return false
}

package main

import (
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// docs/requirements.md and the code name the same requirements and tests.
func TestRequirements(t *testing.T) {
	doc := file(t, "docs/requirements.md")
	page := strings.ToLower(doc)
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	named := regexp.MustCompile(`SPEC-\d{4} REQ-\d+|(?:SPEC-\d{4}|ANTI-LOOP|RULE) "[^"]+"`)

	var tests []string
	for _, path := range sources(t) {
		text := file(t, path)
		for _, found := range test.FindAllStringSubmatch(text, -1) {
			tests = append(tests, found[1])
			if requirement := regexp.MustCompile(`^TestSPEC(\d{4})_REQ(\d+)`).FindStringSubmatch(found[1]); requirement != nil {
				if name := "SPEC-" + requirement[1] + " REQ-" + requirement[2]; !strings.Contains(doc, name+":") {
					t.Errorf("%s: %s is of %s, which is not in docs/requirements.md", path, found[1], name)
				}
			}
		}
		for _, name := range named.FindAllString(unwrapped(text), -1) {
			if source, title, quoted := strings.Cut(name, ` "`); !onPage(page, source, title, quoted) {
				t.Errorf("%s: %s is not in docs/requirements.md", path, name)
			}
		}
	}
	for _, found := range regexp.MustCompile("`(Test\\w+)`").FindAllStringSubmatch(doc, -1) {
		if !slices.ContainsFunc(tests, func(name string) bool { return strings.HasPrefix(name, found[1]) }) {
			t.Errorf("docs/requirements.md names %s, and there is no such test", found[1])
		}
	}
}

// onPage searches for a requirement, or a scenario of one.
func onPage(page, source, title string, quoted bool) bool {
	if !quoted {
		return strings.Contains(page, "| "+strings.ToLower(source)+":")
	}
	title = strings.ToLower(strings.TrimSuffix(title, `"`))
	return strings.Contains(page, "| "+strings.ToLower(source)+` "`+title+`" |`) || strings.Contains(page, "| "+title+" |")
}

// unwrapped joins the lines of a comment, because a name may be split over two.
func unwrapped(text string) string {
	return regexp.MustCompile(`\n\s*(//|--) ?`).ReplaceAllString(text, " ")
}

// sources are the paths of our Go and SQL.
func sources(t *testing.T) (paths []string) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		if entry.IsDir() && (entry.Name() == "dist" || len(entry.Name()) > 1 && strings.HasPrefix(entry.Name(), ".")) {
			return filepath.SkipDir
		}
		if ext := filepath.Ext(path); ext == ".go" || ext == ".sql" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return paths
}

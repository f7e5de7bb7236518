package readable

import (
	"context"
	"fmt"
	"testing"
)

// The cost of a first list and of a refresh, for a machine with a repository of 20,000 files.
func BenchmarkList(b *testing.B) {
	w, root := planted(b, nil)
	files := map[string]string{}
	for dir := range 2_000 {
		for i, ending := range []string{"yml", "go", "conf", "md", "json", "tf", "sh", "py", "txt", "js"} {
			files[fmt.Sprintf("/repos/app/d%d/e%d/f%d.%s", dir/5, dir%5, i, ending)] = fmt.Sprintf("name: x%d\n", dir)
		}
	}
	plant(b, root, files)
	w.root = "" // the rest is this machine's
	b.Run("first", func(b *testing.B) {
		for b.Loop() {
			listed(b, w).Close()
		}
	})
	b.Run("refresh", func(b *testing.B) {
		l := listed(b, w)
		for b.Loop() {
			if _, err := l.Refresh(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("refresh after a change", func(b *testing.B) {
		l := listed(b, w)
		for i := 0; b.Loop(); i++ {
			plant(b, root, map[string]string{"/repos/app/d7/e3/new.yml": fmt.Sprint(i)})
			if _, err := l.Refresh(context.Background()); err != nil {
				b.Fatal(err)
			}
		}
	})
}

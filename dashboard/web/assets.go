package web

import (
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"sync"
)

//go:embed templates/*.html
var templateFiles embed.FS

// What is below assets/vendor is other people's, unchanged, with their licences beside it.
//
//go:embed assets
var assetFiles embed.FS

// assetsVersion is a part of the hash of all assets, which cannot change while the program runs.
var assetsVersion = sync.OnceValue(func() string {
	hash := sha256.New()
	err := fs.WalkDir(assetFiles, "assets", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		content, err := assetFiles.ReadFile(name)
		_, _ = hash.Write(content)
		return err
	})
	if err != nil {
		panic("read the embedded assets: " + err.Error()) // they are part of the program
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
})

// asset is the address of an asset, which changes with the assets, so that browsers may keep it for ever.
func asset(name string) string { return "/assets/" + name + "?v=" + assetsVersion() }

// serveAsset answers GET /assets/{path...}.
func serveAsset(w http.ResponseWriter, r *http.Request) {
	name := "assets/" + r.PathValue("path")
	if is, err := fs.Stat(assetFiles, name); err != nil || is.IsDir() {
		http.NotFound(w, r)
		return
	}
	w.Header().Set("ETag", `"`+assetsVersion()+`"`)
	w.Header().Set("Cache-Control", "no-cache")
	if r.URL.Query().Get("v") == assetsVersion() {
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	http.ServeFileFS(w, r, assetFiles, name)
}

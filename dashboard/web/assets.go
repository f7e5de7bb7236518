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

// Everything below assets/vendor is third-party and unchanged, with its licences.
//
//go:embed assets
var assetFiles embed.FS

// assetsVersion is part of the hash of all assets, which cannot change while the program runs.
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
		panic("read the embedded assets: " + err.Error()) // they are embedded in the program
	}
	return hex.EncodeToString(hash.Sum(nil)[:6])
})

// asset returns the URL of an asset. It changes with the assets, so that browsers may cache it forever.
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

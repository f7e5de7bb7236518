package discover

import (
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// kubectlOf returns an environment with a kubectl that is a script.
func kubectlOf(t *testing.T, script string) []string {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "kubectl")
	write(t, path, "#!/bin/sh\n"+script)
	if err := os.Chmod(path, 0o700); err != nil {
		t.Fatal(err)
	}
	return []string{"PATH=" + dir + ":/usr/bin:/bin", "KUBECONFIG=/none", "HOME=" + dir}
}

func TestServicesOfTheNamespacesThatMayBeReadAreFound(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	_, open, _ := net.SplitHostPort(listener.Addr().String())
	shop := "shop web 127.0.0.1 TCP/" + open + " UDP/53\nshop db None TCP/5432\nshop cache 127.0.0.1 TCP/1\n"
	for name, c := range map[string]struct {
		script  string
		want    []string
		leftOut []string
		err     string
	}{
		"all namespaces": {
			script:  "cat <<'E'\n" + shop + "kube-system dns 127.0.0.1 TCP/" + open + "\ndefault kubernetes 127.0.0.1 TCP/" + open + "\nblog web 127.0.0.1 TCP/" + open + "\nE\n",
			want:    []string{"blog-web", "shop-web"},
			leftOut: []string{"1 service of Kubernetes: no port takes connections from here"},
		},
		"those that may be read": {
			script: `case "$*" in *--all-namespaces*) exit 1;; *"get namespaces"*) printf 'shop\nhidden\n';; *--namespace=shop*) printf '` + shop + `';; *) exit 1;; esac`,
			want:   []string{"web"},
			leftOut: []string{
				"1 service of Kubernetes: no port takes connections from here", "Kubernetes namespace hidden: its services may not be read",
			},
		},
		"the configured one": {
			script:  `case "$*" in *--all-namespaces*|*"get namespaces"*) exit 1;; *) printf '` + shop + `';; esac`,
			want:    []string{"web"},
			leftOut: []string{"1 service of Kubernetes: no port takes connections from here"},
		},
		"none": {script: "exit 1", err: "kubectl was not asked for services: it may not list them"},
	} {
		t.Run(name, func(t *testing.T) {
			found := collected()
			err := found.cluster(t.Context(), Options{Environ: kubectlOf(t, c.script)})
			if c.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), c.err) {
					t.Errorf("error %v, want %s", err, c.err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			f, inv, _ := parsed(t, settled(t, found))
			var names []string
			for _, s := range inv.Services {
				names = append(names, s.Name)
			}
			slices.Sort(names)
			if !slices.Equal(names, c.want) || !slices.Equal(f.LeftOut, c.leftOut) {
				t.Errorf("found %q, left out %q; want %q, %q", names, f.LeftOut, c.want, c.leftOut)
			}
		})
	}
}

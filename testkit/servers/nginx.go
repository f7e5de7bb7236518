package servers

import (
	"context"
	"fmt"
	"net/http"
	"path/filepath"
	"time"
)

// NginxServer is an nginx.
type NginxServer struct {
	*Process
	URL       string     // http://127.0.0.1:PORT
	TLSURL    string     // https://127.0.0.1:PORT, the same with TLS and HTTP/2
	Authority *Authority // signed the certificate of TLSURL, for 127.0.0.1 and localhost
	Root      string     // directory of the served files; tests may add files
}

// Nginx starts an nginx with these directives in its server block, such as locations. Its certificate expires after certified.
func Nginx(t T, certified time.Duration, directives string) *NginxServer {
	t.Helper()
	plain, secure := freePort(t), freePort(t)
	dir := folder(t, true)
	s := &NginxServer{
		URL: "http://" + Address(plain), TLSURL: "https://" + Address(secure),
		Authority: NewAuthority(t), Root: folder(t, false),
	}
	now := time.Now()
	cert, key := s.Authority.files(folder(t, false), s.Authority.Issue(now.Add(-time.Hour), now.Add(certified), "127.0.0.1", "localhost"))
	config := filepath.Join(dir, "nginx.conf")
	write(t, config, fmt.Sprintf(nginxConfig, dir, plain, secure, cert, key, s.Root, directives))
	s.Process = start(t, program{
		path: find(t, "nginx", "nginx-light"), args: []string{"-p", dir, "-e", "stderr", "-c", config}, nobody: true, ready: s.ready,
	})
	return s
}

// ready accepts any response.
func (s *NginxServer) ready(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, s.URL, nil)
	if err != nil {
		return err
	}
	answer, err := (&http.Transport{DisableKeepAlives: true}).RoundTrip(request)
	if err != nil {
		return err
	}
	return answer.Body.Close()
}

// nginxConfig keeps all files that nginx writes in its own directory.
const nginxConfig = `daemon off;
worker_processes 1;
pid %[1]s/pid;
error_log stderr;
events { worker_connections 1024; }
http {
	access_log %[1]s/access.log;
	client_body_temp_path %[1]s/body;
	proxy_temp_path %[1]s/proxy;
	fastcgi_temp_path %[1]s/fastcgi;
	uwsgi_temp_path %[1]s/uwsgi;
	scgi_temp_path %[1]s/scgi;
	default_type text/plain;
	server {
		listen 127.0.0.1:%[2]d;
		listen 127.0.0.1:%[3]d ssl http2;
		ssl_certificate %[4]s;
		ssl_certificate_key %[5]s;
		root %[6]s;
		%[7]s
	}
}
`

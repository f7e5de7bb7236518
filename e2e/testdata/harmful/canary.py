# Answers on ports where nothing else does, and writes down who asks: names that are looked up, and requests. Arguments: the file of it.
import http.server, socket, sys, threading

out = open(sys.argv[1], "a", buffering=1)

class Handler(http.server.BaseHTTPRequestHandler):
    def answer(self):
        out.write(f"{self.server.server_port} {self.command} {self.path}\n")
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}\n")
    def log_message(self, *_):
        pass

for method in "GET HEAD POST PUT PATCH DELETE OPTIONS TRACE CONNECT".split():
    setattr(Handler, "do_" + method, Handler.answer)

def names():
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    s.bind(("127.0.0.1", 53))
    while True:
        asked, peer = s.recvfrom(4096)
        at, labels = 12, []
        while at < len(asked) and asked[at]:
            labels.append(asked[at + 1:at + 1 + asked[at]].decode("latin-1"))
            at += 1 + asked[at]
        out.write("name " + ".".join(labels) + "\n")
        s.sendto(asked[:2] + b"\x81\x83" + asked[4:6] + b"\0\0\0\0\0\0" + asked[12:at + 5], peer)

for port in (80, 2375, 3000, 6060, 6443, 8081, 9000, 9090, 9100, 9115, 9200, 18089):
    threading.Thread(target=http.server.ThreadingHTTPServer(("127.0.0.1", port), Handler).serve_forever).start()
names()

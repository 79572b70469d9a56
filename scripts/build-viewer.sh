#!/bin/sh
# Builds viewer/ to one HTML file with Node.js and npm; writes an empty file, and says why, where that cannot be done: the rest of talus needs neither.
#   build-viewer.sh OUTPUT
set -eu
output=${1:?output}
cd "$(dirname "$0")/../viewer"
without() { echo "talus view will not be there: $1"; : >"$output"; exit 0; }
command -v node >/dev/null 2>&1 || without "Node.js is not installed"
[ "$(node -p 'process.versions.node.split(".")[0]')" -ge 18 ] || without "Node.js is older than 18"
if ! cmp -s package-lock.json node_modules/.talus-installed; then
    command -v npm >/dev/null 2>&1 || without "npm is not installed"
    npm ci --omit=dev --no-audit --no-fund --ignore-scripts --loglevel=error --fetch-retries=1 --fetch-timeout=30000 >/dev/null || without "its packages cannot be fetched"
    cp package-lock.json node_modules/.talus-installed
fi
node build.mjs "$output"

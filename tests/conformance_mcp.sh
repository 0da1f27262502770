#!/bin/sh
# The public conformance suite of MCP against `mnemic serve`: every scenario that does not need the
# suite's own tools, resources or prompts must pass, in the current protocol and the one before.
#
#   tests/conformance_mcp.sh [FOLDER]
#
# The suite and its Node 22 come from npm and are put into FOLDER, by default a new one that is
# removed afterwards. PYTHON is the interpreter that has Mnemic, by default that of .venv.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
python=${PYTHON:-$here/.venv/bin/python}
folder=${1:-}
server=""
if [ -z "$folder" ]; then
    folder=$(mktemp -d)
    remove=$folder
fi
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || true
    [ -z "${remove:-}" ] || rm -rf "$remove"
}
trap finish EXIT
trap 'exit 130' INT TERM

mkdir -p "$folder"
[ -x "$folder/node_modules/.bin/conformance" ] || npm install --silent --no-fund --no-audit \
    --prefix "$folder" node@22 @modelcontextprotocol/conformance@0.2.0-alpha.12
PATH=$folder/node_modules/.bin:$PATH
export PATH

rm -rf "$folder/memory.db"* "$folder/results"
MNEMIC_DATABASE=$folder/memory.db MNEMIC_EMBEDDER=none \
    "$python" -m mnemic.cli.main serve --port 0 2>"$folder/server.log" &
server=$!
until url=$(sed -n 's/^mnemic: serving on \([^,]*\),.*/\1/p' "$folder/server.log" | grep .); do
    kill -0 "$server" 2>/dev/null || { cat "$folder/server.log" >&2; exit 1; }
    sleep 0.2
done

for version in 2025-11-25 2026-07-28; do
    # It fails whenever a scenario with fixtures does; what counts is judged below.
    conformance server --url "$url/mcp" --suite all --spec-version "$version" \
        --output-dir "$folder/results/$version" >"$folder/$version.log" 2>&1 || true
done
"$python" "$here/tests/conformance_mcp.py" "$folder/results"

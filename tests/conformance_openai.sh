#!/bin/sh
# The client of OpenAI from npm against `mnemic serve` before a scripted server: stream, regenerate,
# edit, fork, and leaving in the middle.
#
#   tests/conformance_openai.sh [FOLDER]
#
# The client comes from npm and is put into FOLDER, by default a new one that is removed afterwards.
# PYTHON is the interpreter that has Mnemic, by default that of .venv.
set -eu

if ! command -v node >/dev/null || ! command -v npm >/dev/null; then
    echo "SKIPPED: it needs node and npm, and they are not here" >&2
    exit 0
fi
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
[ -d "$folder/node_modules/openai" ] || npm install --silent --no-fund --no-audit \
    --prefix "$folder" openai@7
cp "$here/tests/conformance_openai.mjs" "$folder/conformance_openai.mjs"
rm -rf "$folder/memory.db"*
# The script answers as the model, too; its port is known when it says so.
MNEMIC="$python -m mnemic.cli.main" DATABASE="$folder/memory.db" \
    node "$folder/conformance_openai.mjs"

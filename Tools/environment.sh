#!/usr/bin/env bash
# Makes a Python environment, .build/LIST/venv, with the packages of the Python registry that LIST.txt names with their
# digests. Does nothing, silently, when all are there.
#
# usage: environment.sh LIST
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
readonly list=$1.txt folder=../.build/$1/venv attempts=3
readonly done_mark=$folder/$list

if [[ -f $done_mark ]] && cmp --silent "$list" "$done_mark"; then exit 0; fi

rm -rf "$folder"
mkdir -p "$(dirname "$folder")"
python3 -m venv "$folder"
for ((attempt = 1; attempt <= attempts; attempt++)); do
    if "$folder/bin/pip" install --quiet --disable-pip-version-check --require-hashes --requirement "$list" >&2; then break; fi
    ((attempt < attempts)) || { printf 'environment: error: the packages of %s could not be installed\n' "$list" >&2; exit 1; }
    sleep $((attempt * 5))
done
cp "$list" "$done_mark"

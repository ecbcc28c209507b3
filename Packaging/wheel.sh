#!/usr/bin/env bash
# Builds the Python package with the command in it, of what `make build` compiled: .build/wheel/policy_scenario-VERSION-….whl
#
# The Swift runtime and the other libraries are linked into the command, but for the C and C++ libraries, which every Linux with
# Python has, and simdjson, which Debian has as a shared library alone. Z3, which `prove` alone needs, is larger than all of them:
# the command finds the one of the package z3-solver beside its own package, or that of the system. Needs what `make wheel` installs.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Bytes of a package that is still quick to install.
readonly limit=13200000
readonly target=.build/wheel source=.build/wheel/source http=.build/package/http static=.build/package/static python=.build/python/venv/bin/python
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
umask 022

Packaging/http.sh "$http"

# These libraries and libmicrohttpd become part of the command.
readonly libraries=(crypto lz4 pcre2-8 sqlite3 yaml z zstd)
rm -rf "$target" "$static"
mkdir -p "$source" "$static"
for library in "${libraries[@]}"; do
    ln -s "$(clang --print-file-name="lib$library.a")" "$static/"
done
ln -s "$PWD/$http/libmicrohttpd.a" "$static/"
command=$target/scenario
# shellcheck disable=SC2016
Packaging/link.sh "$command" '$ORIGIN/lib:$ORIGIN/../../z3/lib' "$static"
version=$("$command" --version)

cp -R Integrations/python/{README.md,pyproject.toml,policy_scenario,scenario_spark} "$source/"
find "$source" -name __pycache__ -prune -exec rm -rf {} +
printf '%s\n' "${version#scenario }" >"$source/policy_scenario/VERSION"

# The documents that agents may read (`scenario mcp`), where the command looks for them.
python3 Tools/install_documents.py "$target/documents"
for folder in . docs docs/guides; do
    install -D --mode=644 --target-directory="$source/policy_scenario/share/doc/scenario/$folder" "$target/documents/$folder"/*.md
done

bin=$source/policy_scenario/bin
mkdir -p "$bin/lib" "$bin/licenses"
cp LICENSE "$bin/licenses/scenario"
# Nothing unwinds the stack: nobody catches an exception of C++ but where memory ends, and then the command ends, too.
strip --strip-unneeded --remove-section=.comment --remove-section=.note --remove-section=.eh_frame \
    --remove-section=.eh_frame_hdr -o "$bin/scenario" "$command"
cp --dereference "$(ldd "$command" | awk '/libsimdjson/ { print $3 }')" "$bin/lib/"
for library in "${libraries[@]}" microhttpd simdjson; do
    package=$(dpkg --search "*/lib$library.so" | head -n 1 | cut -d: -f1)
    cp --dereference "/usr/share/doc/$package/copyright" "$bin/licenses/lib$library"
done
chmod 755 "$bin/scenario"

# The newest symbols of the C library say on which systems it runs.
glibc=$(objdump -T "$bin/scenario" "$bin"/lib/* | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
platform=manylinux_${glibc#GLIBC_}_$(uname -m)
platform=${platform/2./2_}
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$target" \
    --config-settings="--build-option=--plat-name=$platform" "$source" >&2
wheel=$(ls "$target"/*.whl)
# The same files, a twentieth smaller.
advzip --quiet --recompress --shrink-extra "$wheel"
# Its name says all that it needs, by the checks of auditwheel.
needed=$("${python%/*}/auditwheel" show "$wheel" | tr '\n' ' ' | sed -E 's/.*platform tag: *"([^"]*)".*/\1/')
printf '%s\n' "$needed" "$platform" | sort --version-sort --check=quiet ||
    { printf 'wheel: error: %s needs a system of %s\n' "$wheel" "$needed" >&2; exit 1; }
size=$(stat --format=%s "$wheel")
((size <= limit)) || { printf 'wheel: error: %s has %d bytes, more than %d\n' "$wheel" "$size" "$limit" >&2; exit 1; }
printf '%s\n' "$wheel"

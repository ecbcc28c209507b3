#!/usr/bin/env bash
# Builds the Python package with the command in it: .build/wheel/policy_scenario-VERSION-….whl
#
# usage: wheel.sh [COMMAND]     (a command that has the Swift runtime in it; by default it is built here)
#
# The Swift runtime is linked into the command; the other libraries, but for the C library's own, lie beside it, where it finds
# them by a path of its own. Needs what `make wheel` installs.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
# Bytes of a package that is still quick to install.
readonly limit=26000000
readonly scratch=.build/package target=.build/wheel source=.build/wheel/source python=.build/python/venv/bin/python
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
umask 022

if [[ ${1:-} ]]; then
    command=$(realpath "$1")
else
    swift build --configuration release --product scenario --static-swift-stdlib --scratch-path "$scratch"
    command=$(realpath "$scratch/release/scenario")
fi
version=$("$command" --version)

rm -rf "$target"
mkdir -p "$source"
cp -R Integrations/python/{README.md,pyproject.toml,policy_scenario,scenario_spark} "$source/"
find "$source" -name __pycache__ -prune -exec rm -rf {} +
printf '%s\n' "${version#scenario }" >"$source/policy_scenario/VERSION"

bin=$source/policy_scenario/bin
mkdir -p "$bin/lib" "$bin/licenses"
cp LICENSE "$bin/licenses/scenario"
cp "$command" "$bin/scenario"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$bin/scenario"
# Libraries that every Linux with Python has are not included, as the standard for such packages says (PEP 600).
for library in $(ldd "$command" | awk '$3 ~ /^\// { print $3 }' | grep -Ev '/(libc|libm|libgcc_s|libstdc\+\+)\.so'); do
    cp --dereference "$library" "$bin/lib/"
    # Debian's packages say where a file lies before /lib became a link.
    package=$( (dpkg --search "$(realpath "$library")" || dpkg --search "/usr$(realpath "$library")" ||
        dpkg --search "$(realpath "$library" | sed 's,^/usr,,')") 2>/dev/null | head -n 1 | cut -d: -f1)
    [[ -n $package ]] || { printf 'wheel: error: no package holds %s\n' "$library" >&2; exit 1; }
    cp --dereference "/usr/share/doc/$package/copyright" "$bin/licenses/$package"
done
chmod 755 "$bin/scenario"
# shellcheck disable=SC2016
patchelf --set-rpath '$ORIGIN/lib' "$bin/scenario"
# shellcheck disable=SC2016
for library in "$bin"/lib/*; do patchelf --set-rpath '$ORIGIN' "$library"; done

# The newest symbols of the C library say on which systems it runs.
glibc=$(objdump -T "$bin/scenario" "$bin"/lib/* | grep -o 'GLIBC_2\.[0-9]*' | sort -uV | tail -n 1)
platform=manylinux_${glibc#GLIBC_}_$(uname -m)
platform=${platform/2./2_}
"$python" -m pip wheel --quiet --disable-pip-version-check --no-deps --no-build-isolation --wheel-dir "$target" \
    --config-settings="--build-option=--plat-name=$platform" "$source" >&2
wheel=$(ls "$target"/*.whl)
size=$(stat --format=%s "$wheel")
((size <= limit)) || { printf 'wheel: error: %s has %d bytes, more than %d\n' "$wheel" "$size" "$limit" >&2; exit 1; }
printf '%s\n' "$wheel"

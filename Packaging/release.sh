#!/usr/bin/env bash
# Writes the text of a release's page: what is new, how to install each package that was built, and their digests.
#
# usage: release.sh ADDRESS     (of the folder of the packages, such as https://example.com/download/v1.0.0)
set -euo pipefail

readonly address=${1:?the address of the packages is missing}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
shopt -s nullglob
packages=(.build/package/scenario_*.deb .build/wheel/*.whl .build/package/scenario_*.oci.tar)
((${#packages[@]} > 0)) || { printf 'release: error: no package is built\n' >&2; exit 1; }

# The first section of the changelog, up to the way from the version before.
awk '/^## / { if (found++) exit; next } /^### / && /[Hh]ow to move/ { exit } found' CHANGELOG.md
printf '## Install\n\n'
for package in "${packages[@]}"; do
    name=$(basename "$package")
    case $name in
    *.deb) what='Debian 12 and 13, Ubuntu 24.04' how="sudo apt-get install ./$name" ;;
    *.whl) what='Python, with the command' how="pip install ./$name" ;;
    *) what='A container' how="podman load --input $name" ;;
    esac
    printf '%s:\n\n```\ncurl --fail --location --remote-name %s/%s\n%s\n```\n\n' "$what" "$address" "$name" "$how"
done
printf '## Digests\n\nSHA-256, as `sha256sum --check` reads them:\n\n```\n'
for package in "${packages[@]}"; do (cd "$(dirname "$package")" && sha256sum "$(basename "$package")"); done
printf '```\n'

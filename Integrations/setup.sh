#!/usr/bin/env bash
# Installs `scenario` in a job: from its Debian package, or from its Python package where the name ends with .whl.
#
# usage: setup.sh PACKAGE [SHA256]
# PACKAGE is a file, of which several may fit a pattern, or an address that begins with https://. With SHA256, any other content is
# refused.
set -euo pipefail

fail() {
    printf 'setup: error: %s\n' "$*" >&2
    exit 2
}
(($# >= 1 && $# <= 2)) && [[ -n $1 ]] || fail "the package is missing: a file, or an address"

folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
case $1 in
https://*)
    package=$folder/$(basename "${1%%[?#]*}")
    curl --fail --silent --show-error --location --retry 3 --output "$package" "$1" || fail "$1 cannot be fetched"
    ;;
*://*) fail "an address has to begin with https://" ;;
*)
    mapfile -t files < <(compgen -G "$1" || true)
    ((${#files[@]} == 1)) || fail "${#files[@]} files fit $1, instead of one"
    # apt and pip need their reader to see the file, and its name.
    package=$folder/$(basename "${files[0]}")
    cp "${files[0]}" "$package"
    ;;
esac
chmod 755 "$folder"
if [[ -n ${2-} ]]; then
    printf '%s  %s\n' "$2" "$package" | sha256sum --check --quiet - || fail "the package is not the one with the digest $2"
fi

as_root=()
if ((EUID != 0)); then as_root=(sudo); fi
case $package in
*.deb)
    "${as_root[@]}" apt-get update --quiet --quiet
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install --quiet --quiet --yes --no-install-recommends "$package"
    ;;
*.whl) python3 -m pip install --quiet --disable-pip-version-check "$package" ;;
*) fail "the name of the package has to end with .deb or .whl" ;;
esac
scenario --version

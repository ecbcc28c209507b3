#!/usr/bin/env bash
# Installs the Debian or Ubuntu packages that the build needs and the system lacks. Does nothing, silently, when all are there.
#
# Packages named as arguments take the place of the list below.
set -euo pipefail

readonly attempts=3
packages=(
    g++ # the C++ compiler's headers, for the shim around simdjson
    liblz4-dev
    libmicrohttpd-dev
    libpcre2-dev
    libsimdjson-dev
    libsqlite3-dev
    libssl-dev
    libyaml-dev
    libz3-dev # the solver behind `prove`
    libzstd-dev
    pkg-config
    zlib1g-dev
)
if (($# > 0)); then packages=("$@"); fi
# Ubuntu has this browser as a snap only, which a package of another name installs.
if grep -qs '^ID=ubuntu$' /etc/os-release; then
    for index in "${!packages[@]}"; do
        if [[ ${packages[index]} == chromium ]]; then packages[index]=chromium-browser; fi
    done
fi

say() { printf 'setup: %s\n' "$*" >&2; }
fail() {
    say "error: $*"
    exit 1
}

# Sets `missing` to the packages that are not installed; asks once about all of them.
find_missing() {
    local installed package
    # dpkg-query fails when it has never heard of one of them; what it prints still counts.
    installed=" $(dpkg-query --show --showformat='${Package}=${db:Status-Status} ' "${packages[@]}" 2>/dev/null || true)"
    missing=()
    for package in "${packages[@]}"; do
        [[ $installed == *" $package=installed "* ]] || missing+=("$package")
    done
}

# Runs apt-get as root, without questions and without our standard input.
apt_get() {
    local command=(env DEBIAN_FRONTEND=noninteractive apt-get --quiet --option DPkg::Lock::Timeout=120 "$@")
    if ((EUID != 0)); then command=(sudo "${command[@]}"); fi
    "${command[@]}" </dev/null >&2
}

install_missing() {
    # One source that cannot be reached must not keep the others from serving.
    apt_get update || say "the package lists could not all be updated"
    apt_get install --yes --no-install-recommends "${missing[@]}"
}

command -v swift >/dev/null || fail "Swift 6.3 is not on the PATH; see https://www.swift.org/install/"
command -v dpkg-query >/dev/null ||
    fail "only Debian and Ubuntu are supported here; install what these packages hold, then call swift build: ${packages[*]}"

find_missing
((${#missing[@]} > 0)) || exit 0

if ((EUID != 0)) && ! command -v sudo >/dev/null; then
    fail "not root, and no sudo; as root: apt-get install ${missing[*]}"
fi
say "installing ${missing[*]}"
for ((attempt = 1; attempt <= attempts; attempt++)); do
    if install_missing; then break; fi
    say "attempt $attempt of $attempts failed"
    if ((attempt < attempts)); then sleep $((attempt * 5)); fi
done
find_missing
((${#missing[@]} == 0)) || fail "could not install ${missing[*]}"

#!/usr/bin/env bash
# Makes a folder that holds a release of Debian and nothing else. As root; each release is fetched once, by debootstrap.
#
# usage: root.sh bookworm|trixie ROOT
set -euo pipefail

readonly release=$1 root=$(realpath --canonicalize-missing "$2")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly base=.build/package/$release.tar mirror=${MIRROR:-http://deb.debian.org/debian}

rm -rf --one-file-system "$root"
mkdir -p "$root" "$(dirname "$base")"
if [[ ! -f $base ]]; then
    debootstrap --variant=minbase "$release" "$base.root" "$mirror" >&2
    tar --create --file "$base.partial" --directory "$base.root" .
    rm -rf --one-file-system "$base.root"
    mv "$base.partial" "$base"
fi
tar --extract --file "$base" --directory "$root"
cp /etc/resolv.conf "$root/etc/resolv.conf"

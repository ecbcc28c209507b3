#!/usr/bin/env bash
# Builds a container image from the Debian package, without a builder of images: .build/package/scenario_VERSION.oci.tar
#
# `podman load` and `docker load` read it. As root. Containerfile makes the same with a builder.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly root=.build/package/image
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
package=$(ls .build/package/scenario_*.deb)
version=$(dpkg-deb --field "$package" Version)
version=${version%-*}

Packaging/root.sh bookworm "$root"
cp "$package" "$root/tmp/scenario.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"; }
# git reads accounts of other commits; python3 and its certificates keep a comment of a change request up to date.
inside apt-get --quiet --quiet update
inside apt-get --quiet --quiet install --yes --no-install-recommends /tmp/scenario.deb ca-certificates git python3 >&2
inside useradd --create-home scenario
inside apt-get clean
rm -rf "$root"/tmp/* "$root"/var/lib/apt/lists/* "$root"/var/log/* "$root/etc/resolv.conf"
mkdir -p "$root/work"

image=.build/package/scenario_$version.oci.tar
python3 Packaging/oci.py "$root" "$image" "scenario:$version"
printf '%s\n' "$image"

#!/usr/bin/env bash
# Builds a Debian package of what `make build` compiled: .build/package/scenario_VERSION_ARCHITECTURE.deb
#
# The Swift runtime is linked into the command, so the package needs no Swift; the other libraries are Debian's, or Ubuntu's. Only
# simdjson comes with the package, since each release has a version of it that no other one has. Equal sources make equal packages:
# times are those of the last commit.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly scratch=.build/package root=.build/package/root private=/usr/lib/scenario
export SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct 2>/dev/null || echo 0)}
umask 022

command=$PWD/$scratch/scenario
Packaging/link.sh "$command" "$private"
version=$("$command" --version)
version=${version#scenario }-1
architecture=$(dpkg --print-architecture)

rm -rf "$root" "$scratch/debian"
Tools/install.sh "$command" /usr "$root"
mkdir -p "$root$private"
cp --dereference "$(ldd "$command" | awk '/libsimdjson/ { print $3 }')" "$root$private/"
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/scenario" "$root$private"/*
# The folder in which Debian's zsh looks.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_scenario" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"

documents=$root/usr/share/doc/scenario
rm "$documents/LICENSE"
cp "$documents/CHANGELOG.md" "$documents/changelog"
cp Packaging/copyright "$documents/copyright"
printf 'scenario (%s) bookworm; urgency=medium\n\n  * changelog.gz says what is new.\n\n -- %s  %s\n' "$version" \
    "$(sed -n 's/^Maintainer: //p' Packaging/control.in)" "$(date --utc --rfc-email --date="@$SOURCE_DATE_EPOCH")" \
    >"$documents/changelog.Debian"
gzip --best --no-name "$documents/changelog" "$documents/changelog.Debian"

# dpkg-shlibdeps finds out which packages hold the libraries, and reads debian/control for it.
mkdir -p "$scratch/debian"
printf 'Source: scenario\n\nPackage: scenario\nArchitecture: any\n' >"$scratch/debian/control"
depends=$(cd "$scratch" && dpkg-shlibdeps -xlibsimdjson14 -O root/usr/bin/scenario "root$private"/* 2>/dev/null)
depends=${depends#shlibs:Depends=}

mkdir -p "$root/DEBIAN"
sed -e "s/@VERSION@/$version/" -e "s/@ARCHITECTURE@/$architecture/" -e "s/@DEPENDS@/$depends/" \
    -e "s/@SIZE@/$(du --apparent-size -sk "$root/usr" | cut -f1)/" Packaging/control.in >"$root/DEBIAN/control"
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -print0 | xargs -0 touch --no-dereference --date="@$SOURCE_DATE_EPOCH"

package=$scratch/scenario_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
printf '%s\n' "$package"

#!/usr/bin/env bash
# Builds libmicrohttpd without TLS, which the service does not use: FOLDER/libmicrohttpd.a
#
# usage: http.sh FOLDER
#
# Debian's library needs eight others for TLS, a fifth of the Python package. The source is Debian's, with its patches; the lists of
# the machine's own sources stay as they are.
set -euo pipefail

readonly folder=$(realpath --canonicalize-missing "$1")
if [[ -f $folder/libmicrohttpd.a ]]; then exit 0; fi
rm -rf "$folder"
mkdir -p "$folder/lists/partial"
cd "$folder"
printf 'deb-src %s bookworm main\n' "${MIRROR:-http://deb.debian.org/debian}" >sources.list
apt() { apt-get --quiet --quiet -o Dir::Etc::SourceList="$folder/sources.list" -o Dir::Etc::SourceParts=- \
    -o Dir::State::Lists="$folder/lists" -o APT::Sandbox::User=root "$@" >&2; }
apt update
apt source libmicrohttpd
cd libmicrohttpd-*/
./configure --quiet --disable-https --disable-curl --disable-doc --disable-examples --disable-nls --disable-shared \
    --disable-bauth --disable-dauth --disable-postprocessor CFLAGS="-Os -ffunction-sections" >&2
make --silent --directory src/microhttpd libmicrohttpd.la >&2
cp src/microhttpd/.libs/libmicrohttpd.a "$folder/"

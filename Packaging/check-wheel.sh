#!/usr/bin/env bash
# Checks the Python package for Apache Spark: installs it in a root that holds Debian 12, Java 17 and nothing else of ours, and
# runs what its README shows. As root; the root is made once, by debootstrap.
#
# usage: check-wheel.sh WHEEL
set -euo pipefail

readonly wheel=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly base=.build/package/bookworm.tar root=.build/wheel/bookworm mirror=${MIRROR:-http://deb.debian.org/debian}

if [[ ! -f $base ]]; then
    rm -rf "$root"
    mkdir -p "$(dirname "$base")"
    debootstrap --variant=minbase bookworm "$root" "$mirror" >&2
    tar --create --file "$base.partial" --directory "$root" .
    mv "$base.partial" "$base"
fi
rm -rf "$root"
mkdir -p "$root"
tar --extract --file "$base" --directory "$root"
mount --bind /proc "$root/proc"
mount --bind /dev "$root/dev"
trap 'umount "$root/proc" "$root/dev"' EXIT
cp /etc/resolv.conf "$root/etc/resolv.conf"
printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
# Certificates of this machine, by which the registry is known.
mkdir -p "$root/etc/ssl/certs"
cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
inside() {
    chroot "$root" env -i PATH=/opt/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt SPARK_LOCAL_IP=127.0.0.1 "$@"
}

inside apt-get --quiet --quiet update
inside apt-get --quiet --quiet install --yes --no-install-recommends openjdk-17-jre-headless python3-venv procps >&2
cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
inside python3 -m venv /opt/venv
cp "$wheel" "$root/tmp/"
cp Tools/spark.txt "$root/tmp/"
inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/spark.txt >&2
inside pip install --quiet --disable-pip-version-check --no-index "/tmp/$(basename "$wheel")" >&2

# The first block of Python in the README, where its files are.
mkdir -p "$root/tmp/work"
cp Scenarios/captures/new-devices-2020-07-23.txt "$root/tmp/work/day.txt"
cp Scenarios/accounts/bank.yaml "$root/tmp/work/prod.yaml"
sed -n '/^```python$/,/^```$/p' Integrations/spark/README.md | sed '/^```$/q' | sed '/^```/d' >"$root/tmp/work/first.py"
inside sh -c 'cd /tmp/work && python first.py' | tee "$root/tmp/work/report.txt"
grep --quiet 'devices (.*) would stop getting valid tokens' "$root/tmp/work/report.txt"
printf 'the package installs, and the lines of its README give a report\n'

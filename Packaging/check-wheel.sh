#!/usr/bin/env bash
# Checks the Python package: installs it in a root that holds Debian 12 and nothing else of ours, and runs what its READMEs show,
# on Spark with Java 17. As root; the root is made once, by debootstrap.
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
inside apt-get --quiet --quiet install --yes --no-install-recommends python3-venv >&2
cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
inside python3 -m venv /opt/venv
cp "$wheel" Tools/python.txt Tools/spark.txt "$root/tmp/"
inside pip install --quiet --disable-pip-version-check --no-index "/tmp/$(basename "$wheel")" >&2

# The blocks of Python in the README, where its files are: the first one with the package alone.
mkdir -p "$root/tmp/work"
cp Scenarios/captures/new-devices-2020-07-23.txt "$root/tmp/work/day.txt"
cp Scenarios/accounts/bank.yaml "$root/tmp/work/bank.yaml"
cp Scenarios/accounts/bank.yaml "$root/tmp/work/prod.yaml"
blocks() { awk -v first="$2" -v last="$3" '/^```python$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n >= first && n <= last' "$1"; }
blocks Integrations/python/README.md 1 1 >"$root/tmp/work/first.py"
inside sh -c 'cd /tmp/work && python first.py' | tee "$root/tmp/work/report.txt"
grep --quiet '^104 devices' "$root/tmp/work/report.txt"
[[ $(inside scenario --version) == "scenario $(basename "$wheel" | cut -d- -f2)" ]]
grep '^\(pyarrow\|polars\|polars-runtime-32\|pandas\|numpy\|python-dateutil\|six\|tzdata\)==' Tools/python.txt >"$root/tmp/tables.txt"
inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/tables.txt >&2
blocks Integrations/python/README.md 1 9 >"$root/tmp/work/all.py"
inside sh -c 'cd /tmp/work && python all.py' >"$root/tmp/work/all.txt"

inside apt-get --quiet --quiet install --yes --no-install-recommends openjdk-17-jre-headless procps >&2
inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/spark.txt >&2
blocks Integrations/python/spark.md 1 1 >"$root/tmp/work/spark.py"
inside sh -c 'cd /tmp/work && python spark.py' | tee "$root/tmp/work/report.txt"
grep --quiet 'devices (.*) would stop getting valid tokens' "$root/tmp/work/report.txt"
printf 'the package installs, and the lines of its READMEs give reports\n'

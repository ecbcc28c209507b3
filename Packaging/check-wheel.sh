#!/usr/bin/env bash
# Checks the Python package: installs it in roots that hold Debian 12 with Python 3.11, or Debian 13 with Python 3.13, and nothing
# else of ours, and runs what its READMEs show; on Debian 12 on Spark with Java 17, too. As root; each root is made once, by
# debootstrap.
#
# usage: check-wheel.sh WHEEL
set -euo pipefail

readonly wheel=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
trap 'umount .build/wheel/*/proc .build/wheel/*/dev 2>/dev/null' EXIT

# Makes a new root of a release of Debian.
new_root() {
    root=.build/wheel/$1
    Packaging/root.sh "$1" "$root"
    mount --bind /proc "$root/proc"
    mount --bind /dev "$root/dev"
    printf '127.0.0.1 localhost\n' >"$root/etc/hosts"
    # Certificates of this machine, by which the registry is known.
    mkdir -p "$root/etc/ssl/certs"
    cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
}
inside() {
    chroot "$root" env -i PATH=/opt/venv/bin:/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 \
        DEBIAN_FRONTEND=noninteractive PIP_CERT=/etc/ssl/certs/ca-certificates.crt SPARK_LOCAL_IP=127.0.0.1 "$@"
}

# Blocks of Python in a README, by their numbers.
blocks() { awk -v first="$2" -v last="$3" '/^```python$/ { n++; inside = 1; next } /^```$/ { inside = 0 } inside && n >= first && n <= last' "$1"; }

# Installs the package in a new root and runs the README, where its files are: the first block with the package alone.
check() {
    new_root "$1"
    inside apt-get --quiet --quiet update
    inside apt-get --quiet --quiet install --yes --no-install-recommends python3-venv >&2
    cp --dereference /etc/ssl/certs/ca-certificates.crt "$root/etc/ssl/certs/" 2>/dev/null || true
    inside python3 -m venv /opt/venv
    cp "$wheel" Tools/prove.txt Tools/spark.txt "$root/tmp/"
    inside pip install --quiet --disable-pip-version-check --no-index "/tmp/$(basename "$wheel")" >&2

    mkdir -p "$root/tmp/work"
    cp Scenarios/captures/new-devices-2020-07-23.txt "$root/tmp/work/day.txt"
    cp Scenarios/accounts/bank.yaml "$root/tmp/work/bank.yaml"
    cp Scenarios/accounts/bank.yaml "$root/tmp/work/prod.yaml"
    blocks Integrations/python/README.md 1 1 >"$root/tmp/work/first.py"
    inside sh -c 'cd /tmp/work && python first.py' | tee "$root/tmp/work/report.txt"
    grep --quiet '^104 devices' "$root/tmp/work/report.txt"
    [[ $(inside scenario --version) == "scenario $(basename "$wheel" | cut -d- -f2)" ]]
    # An agent finds the documents.
    printf '%s\n' '{"jsonrpc":"2.0","id":1,"method":"resources/list"}' | inside scenario mcp /tmp/work |
        grep --quiet '"scenario:document/docs/guides/use-an-editor.md"'
    # The one command that needs another library says so, and finds it in the package that it names.
    prove() { inside scenario prove --account /tmp/work/bank.yaml --policy default,strict,risk --newly accepted; }
    { prove 2>&1 || true; } | grep --quiet 'policy-scenario\[prove\]'
    inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/prove.txt >&2
    prove | grep --quiet 'no device would newly be accepted'
    grep '^\(pyarrow\|polars\|polars-runtime-32\|pandas\|numpy\|python-dateutil\|six\|tzdata\)==' Tools/python.txt >"$root/tmp/tables.txt"
    inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/tables.txt >&2
    blocks Integrations/python/README.md 1 9 >"$root/tmp/work/all.py"
    inside sh -c 'cd /tmp/work && python all.py' >"$root/tmp/work/all.txt"
}

check trixie
[[ $(inside python --version) == "Python 3.13"* ]]
check bookworm
[[ $(inside python --version) == "Python 3.11"* ]]
inside apt-get --quiet --quiet install --yes --no-install-recommends openjdk-17-jre-headless procps >&2
inside pip install --quiet --disable-pip-version-check --require-hashes --requirement /tmp/spark.txt >&2
blocks Integrations/python/spark.md 1 1 >"$root/tmp/work/spark.py"
inside sh -c 'cd /tmp/work && python spark.py' | tee "$root/tmp/work/report.txt"
grep --quiet 'devices (.*) would stop getting valid tokens' "$root/tmp/work/report.txt"
printf 'the package installs on Debian 12 and 13, and the lines of its READMEs give reports\n'

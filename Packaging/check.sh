#!/usr/bin/env bash
# Checks a Debian package: by lintian, and by installing, running and removing it in a root that holds Debian 12 and nothing
# else. As root; the root is made once, by debootstrap.
#
# usage: check.sh PACKAGE
set -euo pipefail

readonly package=$(realpath "$1")
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly root=.build/package/bookworm

fail() {
    printf 'check-package: error: %s\n' "$*" >&2
    exit 1
}

# The package is not one of Debian, so it closes no wish for it.
lintian --allow-root --fail-on error,warning --suppress-tags initial-upload-closes-no-bugs --tag-display-limit 0 "$package"

Packaging/root.sh bookworm "$root"
# A program finds out there how it was called.
mount --bind /proc "$root/proc"
trap 'umount "$root/proc"' EXIT
cp "$package" "$root/tmp/scenario.deb"
inside() { chroot "$root" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root LC_ALL=C.UTF-8 "$@"; }
# Lists all files, except what any package leaves in the records of dpkg and apt.
files() { (cd "$root" && find usr etc opt -not -path 'etc/ld.so.cache' | sort); }

# Its dependencies come first, so that only its own files are counted; and what the examples for code hosts need, and shells.
inside apt-get --quiet --quiet update
depends=$(dpkg-deb --field "$package" Depends | sed 's/([^)]*)//g; s/,/ /g')
inside env DEBIAN_FRONTEND=noninteractive apt-get --quiet --quiet install --yes --no-install-recommends $depends \
    fish git python3 python3-yaml zsh >&2
before=$(files)
inside apt-get --quiet --quiet install --yes --no-install-recommends /tmp/scenario.deb >&2

inside scenario --version
inside scenario run /usr/share/doc/scenario/examples/Scenarios --output /tmp/report.txt || fail "the examples do not hold"
tail -n 1 "$root/tmp/report.txt"
examples=/usr/share/doc/scenario/examples/Scenarios
inside scenario replay $examples/captures/new-devices-2020-07-23.txt --account $examples/accounts/bank.yaml \
    --output /tmp/replay.txt || fail "a capture cannot be replayed"
python3 -B Tools/install_documents.py --check "$root/usr/share/doc/scenario" || fail "the documents are not whole"

# Somebody begins: there is no scenario yet, and then the one of `init`.
mkdir "$root/tmp/begun"
begun() { inside sh -c 'cd /tmp/begun && "$@"' sh "$@"; }
{ begun scenario run 2>&1 || true; } | grep --quiet "hint: .scenario run $examples. runs the examples" ||
    fail "\`run\` does not name the examples"
for purpose in bank backend; do
    begun scenario init $purpose $purpose >/dev/null && begun scenario run $purpose --output /dev/null &&
        begun scenario lint $purpose >/dev/null || fail "what \`init $purpose\` writes does not hold"
done

# zsh and fish find the completions themselves, bash by a package of its own.
completed() { inside "$1" -c "$2" | grep --quiet '^rollout' || fail "$1 completes nothing"; }
completed bash 'source /usr/share/bash-completion/completions/scenario
    COMP_WORDS=(scenario roll) COMP_CWORD=1; _scenario; printf "%s\n" "${COMPREPLY[@]}"'
completed fish 'complete -C "scenario roll"'
completed zsh 'autoload -Uz compinit && compinit; _describe() { print -l $offers; }
    words=(scenario roll) CURRENT=2 PREFIX=roll; $_comps[scenario]'
for name in $(inside scenario manual --names); do
    [[ -f $root/usr/share/man/man1/$name.1.gz || -n $(inside dpkg -L scenario | grep "/$name.1.gz") ]] ||
        fail "there is no page $name"
done
inside scenario schema account >/dev/null
cp Tests/CommandTests/scenario/Tooling/change_requests.py Packaging/check-examples.py "$root/tmp/"
inside python3 -B /tmp/check-examples.py /tmp/change_requests.py || fail "an example for code hosts does not hold"

inside apt-get --quiet --quiet purge --yes scenario >&2
[[ $(files) == "$before" ]] || fail "files are left: $(comm -13 <(printf '%s\n' "$before") <(files) | head)"
printf 'the package installs, runs, and leaves nothing behind\n'

#!/usr/bin/env bash
# Checks that a package which depends on the library by a version builds PCRE2, libcrypto and the library alone.
#
# usage: embedding.sh [CONFIGURATION…]     (by default debug and release)
#
# A copy of this tree gets a version, and every file of its other targets an `#error`, so that none of them is compiled or
# imported. pkg-config finds nothing but PCRE2 and libcrypto. The package that depends on it is the snippet
# AnswerRequests, which is then asked for two decisions.
set -euo pipefail

cd "$(dirname "${BASH_SOURCE[0]}")/.."
configurations=("$@")
if (($# == 0)); then configurations=(debug release); fi
readonly library=(PolicyEngine CCrypto CLibrary CPCRE2 CPrefetch)

work=$(mktemp --directory)
server=
trap '[[ -z $server ]] || kill "$server"; rm -rf "$work"' EXIT
fail() {
    printf 'embedding: error: %s\n' "$*" >&2
    exit 1
}

# The library, as a repository of one version.
mkdir -p "$work/policy-engine" "$work/found" "$work/server/Sources/server"
git ls-files -z --cached --others --exclude-standard -- Package.swift Sources |
    tar --create --null --files-from=- --ignore-failed-read 2>/dev/null | tar --extract --directory "$work/policy-engine"
for folder in "$work"/policy-engine/Sources/*; do
    [[ " ${library[*]} " != *" ${folder##*/} "* ]] || continue
    find "$folder" -name '*.swift' -exec sh -c 'echo "#error(\"of no use to the library\")" | tee "$@"' sh {} + >"$work/log"
    find "$folder" -name '*.[ch]*' -exec sh -c 'echo "#error of no use to the library" | tee "$@"' sh {} + >"$work/log"
done
# A warning of the library stops nobody, and neither do the flags that another target may need.
echo '#warning("of no harm to others")' >"$work/policy-engine/Sources/PolicyEngine/Warning.swift"
sed -i 's/release.contains([^)]*)/true/' "$work/policy-engine/Package.swift"
(
    cd "$work/policy-engine"
    git init --quiet
    git add --all
    git -c user.name=check -c user.email=check@localhost commit --quiet --message 'The library'
    git tag 1.0.0
)

# The package that embeds it.
cp Snippets/AnswerRequests.swift "$work/server/Sources/server/main.swift"
cat >"$work/server/Package.swift" <<END
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "server",
    dependencies: [.package(url: "file://$work/policy-engine", from: "1.0.0")],
    targets: [
        .executableTarget(name: "server", dependencies: [.product(name: "PolicyEngine", package: "policy-engine")])
    ]
)
END
for name in libpcre2-8 libcrypto; do
    cp "$(pkg-config --variable=pcfiledir "$name")/$name.pc" "$work/found/"
done

# Sends headers to the server, and prints the last line of its answer.
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET / HTTP/1.1\r\nHost: localhost\r\nDevice: h4gubfCFzJu81j/U2BJsdg==\r\n%s\r\n\r\n' "$1" >&3
    tail -1 <&3
}

readonly port=$((20000 + RANDOM % 10000))
for configuration in "${configurations[@]}"; do
    PKG_CONFIG_LIBDIR=$work/found swift build --package-path "$work/server" --configuration "$configuration" \
        --product server >"$work/log" 2>&1 || { cat "$work/log" >&2; fail "the library does not build alone"; }
    program=$work/server/.build/$configuration/server
    "$program" "$port" &
    server=$!
    for ((attempt = 0; attempt < 100; attempt++)); do
        if (: <"/dev/tcp/127.0.0.1/$port") 2>/dev/null; then break; fi
        sleep 0.1
    done
    answers=$(ask 'Flags: rooted'; ask 'App-Version: 0.2.1')
    kill "$server"
    wait "$server" 2>/dev/null || true
    server=
    [[ $answers == $'passed ["rooted", "new-did", "risky-device"]\nrejected by ["filter:old-app"] []' ]] ||
        fail "the server answered:"$'\n'"$answers"
done
printf 'embedding: the library builds alone (%s)\n' "${configurations[*]}"

#!/usr/bin/env bash
# Builds the documentation of the library into .build/documentation, with the documentation compiler of the toolchain. A
# warning is an error: a link to a symbol that is gone, or that is not public. So is a public symbol without a comment.
set -euo pipefail

cd "$(dirname "$0")/.."
readonly graphs=.build/symbol-graphs
readonly toolchain=$(dirname "$(readlink -f "$(command -v swift)")")

# The list of public symbols, from the modules of the release that `make build` made.
rm -rf "$graphs" .build/documentation
mkdir -p "$graphs"
maps=()
for module in CCrypto CPCRE2 CPrefetch; do
    map=Sources/$module/module.modulemap
    [[ -e $map ]] || map=.build/release/$module.build/module.modulemap
    maps+=(-Xcc "-fmodule-map-file=$map")
done
target=$(swiftc -print-target-info | python3 -c 'import json, sys; print(json.load(sys.stdin)["target"]["triple"])')
swift symbolgraph-extract -module-name PolicyEngine -target "$target" -I .build/release/Modules "${maps[@]}" \
    -minimum-access-level public -output-dir "$graphs"

# Symbols without documentation, except those that the compiler adds.
python3 - "$graphs"/*.json <<'END'
import json, sys

missing = [".".join(symbol["pathComponents"]) for path in sys.argv[1:] for symbol in json.load(open(path))["symbols"]
           if "docComment" not in symbol and "::SYNTHESIZED::" not in symbol["identifier"]["precise"]
           and symbol["names"]["title"] != "init(rawValue:)"]
sys.exit("documentation: error: nothing is said of " + ", ".join(missing) if missing else 0)
END

"$toolchain/docc" convert Sources/PolicyEngine/PolicyEngine.docc \
    --additional-symbol-graph-dir "$graphs" --output-dir .build/documentation \
    --fallback-display-name PolicyEngine --fallback-bundle-identifier policy-engine \
    --warnings-as-errors

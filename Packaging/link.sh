#!/usr/bin/env bash
# Links the sources that `make build` compiled into a command that needs no Swift.
#
# usage: link.sh COMMAND SEARCH_PATH [FOLDER]
# COMMAND is the file to write. It looks for libraries in SEARCH_PATH first. Libraries of which FOLDER holds an archive become a part
# of the command. Code that nobody calls is left out. Functions
# that are alike become neighbours, which takes a fortieth off a compressed package; the linker crashes if data is ordered, too.
set -euo pipefail

readonly command=$1 path=$2 folder=${3-}
cd "$(dirname "${BASH_SOURCE[0]}")/.."
readonly libraries=(crypto lz4 microhttpd pcre2-8 simdjson sqlite3 stdc++ yaml z zstd)

mkdir -p "$(dirname "$command")"
swiftc -static-stdlib -emit-executable -o "$command" @.build/release/scenario.product/Objects.LinkFileList \
    ${folder:+-L "$folder"} "${libraries[@]/#/-l}" -use-ld=lld -Xlinker --gc-sections -Xlinker --icf=all \
    -Xlinker --bp-compression-sort=function -Xlinker --no-export-dynamic \
    -Xlinker --defsym=main=scenario_main -Xlinker -rpath -Xlinker "$path"

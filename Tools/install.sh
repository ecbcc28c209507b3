#!/usr/bin/env bash
# Installs a built command with completions, manual pages, examples and documents.
#
# usage: install.sh COMMAND PREFIX [DESTDIR]
# COMMAND is the built `scenario`; PREFIX a folder such as /usr/local; DESTDIR precedes all paths that are written.
set -euo pipefail

readonly command=$(realpath "$1") prefix=$2 root=${3-}$2
[[ $prefix == /* ]] || { printf 'install: error: PREFIX has to be a full path, not %s\n' "$prefix" >&2; exit 2; }
cd "$(dirname "${BASH_SOURCE[0]}")/.."

# The path of a file below the prefix, whose folder is made.
place() {
    mkdir -p "$root/$(dirname "$1")"
    printf '%s\n' "$root/$1"
}

install -m 755 "$command" "$(place bin/scenario)"

"$command" completion bash >"$(place share/bash-completion/completions/scenario)"
"$command" completion zsh >"$(place share/zsh/site-functions/_scenario)"
"$command" completion fish >"$(place share/fish/vendor_completions.d/scenario.fish)"

for page in $("$command" manual --names); do
    words=(${page#scenario})
    "$command" manual ${words[0]+"${words[0]#-}"} | gzip --best --no-name >"$(place "share/man/man1/$page.1.gz")"
done

for kind in account scenario keys report; do
    "$command" schema $kind >"$(place "share/scenario/schemas/$kind.schema.json")"
done

integrations=$(place share/scenario/Integrations)
mkdir -p "$integrations"
cp -R Integrations/{change-request.sh,keep_comment.py,setup.sh,github,gitlab} "$integrations/"
chmod -R u=rwX,go=rX "$integrations"

install -m 644 LICENSE "$(place share/doc/scenario/LICENSE)"
python3 Tools/install_documents.py "$root/share/doc/scenario"
chmod -R u=rwX,go=rX "$root/share/doc/scenario"

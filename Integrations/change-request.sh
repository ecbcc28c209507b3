#!/usr/bin/env bash
# Reports in a change request the effect of its account on captured devices, in one comment that is kept up to date.
#
# It reads from the environment:
#   SCENARIO_ACCOUNT             the account file, seen from the top of the repository
#   SCENARIO_CAPTURES            captures, one a line
#   SCENARIO_BASE                the commit that the change request starts from
#   SCENARIO_HEAD                optional: the commit with the change; otherwise the working tree
#   SCENARIO_MAX_NEWLY_REJECTED, SCENARIO_MAX_NEWLY_ACCEPTED, SCENARIO_MAX_ANNOTATIONS_CHANGED, SCENARIO_MAX_UNEVALUATED
#                                optional limits, such as 0.1%
#   SCENARIO_ALLOW               optional: why a limit may be exceeded this time
#   SCENARIO_BASELINE            optional: an earlier report as JSON; its devices do not count
#   SCENARIO_NAME                optional: tells several such comments of one change request apart
# and what keep_comment.py says of GitHub and GitLab. It exits as `scenario diff` does.
set -uo pipefail

readonly here=$(dirname "${BASH_SOURCE[0]}")
: "${SCENARIO_ACCOUNT:?is missing}" "${SCENARIO_CAPTURES:?is missing}" "${SCENARIO_BASE:?is missing}"
report=$(mktemp) || exit 2
trap 'rm -f "$report"' EXIT

# A clone of one commit does not have the other.
git cat-file -e "$SCENARIO_BASE^{commit}" 2>/dev/null || git fetch --quiet --depth 1 origin "$SCENARIO_BASE"

arguments=(--account="$SCENARIO_ACCOUNT" --base="$SCENARIO_BASE" --head="${SCENARIO_HEAD:-WORKTREE}")
for option in max-newly-rejected max-newly-accepted max-annotations-changed max-unevaluated max-unjudged allow baseline; do
    variable=SCENARIO_${option//-/_}
    variable=${variable^^}
    if [[ -n ${!variable:-} ]]; then arguments+=("--$option=${!variable}"); fi
done
mapfile -t captures < <(grep -v '^[[:space:]]*$' <<<"$SCENARIO_CAPTURES")

scenario diff "${arguments[@]}" --format=markdown --no-progress --output="$report" -- "${captures[@]}"
status=$?
if ((status != 0 && status != 4)); then
    # An old comment must not stand for a comparison that failed.
    printf '**The comparison failed** (exit status %s); the log of the job says why.\n' "$status" >"$report"
elif ((status == 4)); then
    printf '\n**A limit is exceeded.**\n' >>"$report"
fi
python3 "$here/keep_comment.py" "$report" || exit 2
exit "$status"

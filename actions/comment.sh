#!/usr/bin/env bash
# Put a Markdown file on a pull request as one comment, or bring the comment of an earlier run up to date.
#
# usage: comment.sh MARKER FILE, with GH_TOKEN, REPOSITORY, NUMBER and RUNNER_TEMP in the environment
#
# The comment begins with MARKER, an HTML comment that readers do not see; only a bot's comment that begins with it is
# replaced. Where the token may not write, as on pull requests from forks, it warns and succeeds.
set -euo pipefail

marker=$1
file=$2
body="$RUNNER_TEMP/gnomon-comment.md"
{
  [ "$(head -n 1 "$file")" = "$marker" ] || printf '%s\n' "$marker"
  cat "$file"
} > "$body"

write() {
  local mine id
  mine=".[] | select(.user.type == \"Bot\" and (.body | startswith(\"$marker\"))) | .id"
  id=$(gh api --paginate "repos/$REPOSITORY/issues/$NUMBER/comments" --jq "$mine" | sed -n 1p) || return
  if [ -n "$id" ]; then
    gh api --method PATCH "repos/$REPOSITORY/issues/comments/$id" --field "body=@$body" --silent
  else
    gh api --method POST "repos/$REPOSITORY/issues/$NUMBER/comments" --field "body=@$body" --silent
  fi
}

if ! write; then
  echo "::warning::not commented: the token needs pull-requests: write, which pull requests from forks and from" \
    "Dependabot do not get. The job's summary shows the same."
fi

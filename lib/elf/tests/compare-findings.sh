#!/bin/sh
# Holds what check-layout finds in a directory against the list of known findings: compare-findings.sh CHECK-LAYOUT LIST DIRECTORY
# Reports in TAP: each new finding fails; a known one that is gone, although its file is there, is said. Exit status: 0, 1 new ones, 2 bad use.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 3 ] || { echo "usage: compare-findings.sh CHECK-LAYOUT LIST DIRECTORY" >&2; exit 2; }
tool=$1 list=$2 directory=${3%/}
[ -r "$list" ] || { echo "compare-findings.sh: no list '$list'" >&2; exit 2; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
status=0
"$tool" "$directory" > "$work/output" 2>&1 || status=$?
# What could not be checked is a finding of the rule "cannot".
awk -v skip=$((${#directory} + 2)) '
  /^FAIL / { print $NF " " substr($0, 6 + skip - 1, length($0) - 6 - skip + 2 - length($NF) - 1); next }
  /^NOTE / && match($0, / [a-z0-9-]+: /) { print substr($0, RSTART + 1, RLENGTH - 3) " " substr($0, 6 + skip - 1, RSTART - 6 - skip + 1); next }
  /^CANNOT / && match($0, /: /) { print "cannot " substr($0, 8 + skip - 1, RSTART - 8 - skip + 1) }
' "$work/output" > "$work/findings"
sed -e '/^#/d' -e '/^$/d' "$list" > "$work/known"
new=0 count=0
while read -r rule path; do
  count=$((count + 1))
  reason=
  while read -r known_rule pattern known_reason; do
    if [ "$rule" = "$known_rule" ]; then
      # shellcheck disable=SC2254 # a pattern
      case $path in $pattern) reason=$known_reason; echo "$rule $pattern" >> "$work/seen" ;; esac
    fi
  done < "$work/known"
  if [ -n "$reason" ]; then
    echo "# known: $rule $path: $reason"
  else
    new=$((new + 1))
    echo "not ok - $rule $path: not in $list: look at it, then mend the rule or write down the reason"
  fi
done < "$work/findings"
while read -r rule pattern reason; do
  if ! grep -q -s -x -F -e "$rule $pattern" "$work/seen" && [ -n "$(find "$directory" -path "$directory/$pattern" -type f 2> /dev/null | head -n 1)" ]; then
    echo "# gone: $rule $pattern: $reason"
  fi
done < "$work/known"
summary=$(tail -n 1 "$work/output")
case $summary in
  0\ checked*|*"no ELF file"*) echo "not ok - nothing was checked below $directory: $summary"; exit 1 ;;
  *\ checked:*) ;;
  *) echo "not ok - check-layout ended with $status: $summary"; exit 1 ;;
esac
[ $new != 0 ] || echo "ok - $directory: $summary; $count of the findings and notes are known, none is new"
[ $new = 0 ]

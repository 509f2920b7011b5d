#!/bin/sh
# The kill matrix is seen to fail: test-matrix.sh CHECK-LAYOUT DAMAGE SPECIMENS DIRECTORY; reports in TAP, ends with "N passed, N failed".
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 4 ] || { echo "usage: test-matrix.sh CHECK-LAYOUT DAMAGE SPECIMENS DIRECTORY" >&2; exit 2; }
check=$1 damage=$2 specimens=$3 directory=$4
here=$(dirname "$0")
mkdir -p "$directory"
passed=0 failed=0

# wrapper NAME PROGRAM LISTING EDIT [OPTION]: a program whose output, when asked for LISTING, goes through sed EDIT; otherwise it has OPTION too.
wrapper() {
  # shellcheck disable=SC2016
  printf '#!/bin/sh\nif [ "$1" = %s ]; then "%s" "$@" | sed %s; else exec "%s" "$@" %s; fi\n' "$3" "$2" "'$4'" "$2" "${5:-}" > "$directory/$1"
  chmod +x "$directory/$1"
}

# expect NAME STATUS PATTERN ARGUMENT…: the matrix with these arguments must end so and print a line with the pattern.
expect() {
  name=$1 status=$2 pattern=$3 actual=0
  shift 3
  tclsh "$here/matrix.tcl" CHECK="$check" DAMAGE="$damage" SPECIMENS="$specimens" KNOWN="$here/known-findings" "$@" > "$directory/output" 2>&1 || actual=$?
  if [ "$actual" = "$status" ] && grep -q -e "$pattern" "$directory/output"; then
    passed=$((passed + 1))
    echo "ok - $name"
  else
    failed=$((failed + 1))
    echo "not ok - $name: exit status $actual, expected $status and a line with: $pattern"
    sed 's/^/#   /' "$directory/output"
  fi
}

few='ONLY=*-bfd-*pie*'
expect "every rule sees" 0 ' 0 failed$' 'ONLY=x86_64-*'
# Blind: as with its entry in the table removed. A figure has no such entry.
for rule in $("$check" --list-rules | sed -n 's/^\([a-z0-9-]*\) (\(file\|cell\|pair\|profile\),.*/\1/p'); do
  wrapper blind "$check" --list-nothing '' "--skip=$rule"
  expect "$rule is blind" 1 "the rule $rule reports no damaged copy" CHECK="$directory/blind" "RULES=$rule" 'ONLY=x86_64-*'
done
wrapper missing "$check" --list-rules '/^wx-segment /d' --skip=wx-segment
expect 'a rule is missing' 1 'check-layout has no rule wx-segment' CHECK="$directory/missing" "$few" RULES=wx-segment
wrapper unproven "$check" --list-rules '1i new-rule (file, promise)'
expect 'a rule without damage' 1 'the rule new-rule reports no damaged copy' CHECK="$directory/unproven" "$few" RULES=new-rule
wrapper unexpected "$damage" --list '/Also page-flags: they share/d'
expect 'an unexpected rule' 1 'the rule page-flags reports the copy of .*-bfd-pie-separate' DAMAGE="$directory/unexpected" "$few" RULES=load-order
expect 'an unexpected rule: which damage' 1 '^not ok - damage loads-overlap$' DAMAGE="$directory/unexpected" "$few" RULES=load-order
wrapper unseen "$damage" --list 's/^    Rule: load-nonempty$/&\n    Also tls: no reason/'
expect 'a rule that never reports' 1 'says that the rule tls reports it too, but it reports no copy' DAMAGE="$directory/unseen" RULES=load-nonempty
expect 'an unknown finding' 1 'the rule relro-protects reports it, and that is not known' KNOWN=/dev/null 'ONLY=*-lld-page-65536' RULES=load-nonempty
sed '$a bfd-* | *-bfd-pie-separate | load-order | PR ld/0 | never true' "$here/known-findings" > "$directory/known"
expect 'a known finding is gone' 1 'no specimen shows it any more: bfd-\* | \*-bfd-pie-separate' KNOWN="$directory/known" RULES=load-nonempty
echo 'bfd-* | all | load-order' > "$directory/known"
expect 'a line that is no known finding' 2 'expected .linker' KNOWN="$directory/known"
mkdir -p "$directory/unlinked"
: > "$directory/unlinked/table"
echo 'unknown option' > "$directory/unlinked/i386-gold-pie.log"
expect 'a specimen was not linked' 1 'it was not linked: unknown option' SPECIMENS="$directory/unlinked" RULES=load-order
expect 'a check-layout that is none' 2 '^matrix: ' CHECK=/bin/false
expect 'an unknown argument' 2 "unknown 'SPECIMEN=x'" SPECIMEN=x
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

#!/bin/sh
# Tests compare-findings.sh: test-compare-findings.sh CHECK-LAYOUT DIRECTORY; reports in TAP.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { echo "usage: test-compare-findings.sh CHECK-LAYOUT DIRECTORY" >&2; exit 2; }
case $1 in /*) tool=$1 ;; *) tool=$PWD/$1 ;; esac
tests=$(cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
count=0 failed=0

# expect STATUS PATTERN NAME LINE…: compares the tree with a list of these lines; the status and the output must be so.
expect() {
  status=$1 pattern=$2 name=$3 actual=0
  shift 3
  printf '%s\n' '# comment' "$@" > list
  sh "$tests/compare-findings.sh" "$tool" list tree > output 2>&1 || actual=$?
  count=$((count + 1))
  if [ "$actual" = "$status" ] && grep -q -e "$pattern" output; then
    echo "ok $count - $name"
  else
    failed=$((failed + 1))
    echo "not ok $count - $name: exit status $actual, expected $status with $pattern"
    sed 's/^/# /' output
  fi
}

mkdir -p tree/deep
expect 1 '^not ok - nothing was checked' 'an empty tree is no success'
cp "$tool" tree/good
expect 0 '^ok - tree: 1 checked' 'nothing found, nothing known'
# Two PT_LOADs that are writable and executable too: p_flags of every program header.
cp "$tool" 'tree/deep/with blank'
phnum=$(od -An -t u1 -j 56 -N 1 "$tool")
i=0
while [ $i -lt "$phnum" ]; do
  printf '\007' | dd of='tree/deep/with blank' bs=1 seek=$((64 + i * 56 + 4)) conv=notrunc 2> /dev/null
  i=$((i + 1))
done
expect 1 '^not ok - wx-segment deep/with blank: not in list' 'a new note fails, with rule and path'
expect 1 '^not ok - stack-flags deep/with blank: ' 'the note of another rule is new too' 'wx-segment deep/* reason'
expect 0 '^# known: wx-segment deep/with blank: a reason' 'known notes are none' 'wx-segment deep/* a reason' 'stack-flags *blank another'
expect 1 '^not ok - wx-segment' 'a known finding elsewhere is none' 'wx-segment other/* reason' 'stack-flags * reason'
expect 0 '^# gone: tls \*: was there' 'a known finding that is gone is said' 'wx-segment * r' 'stack-flags * r' 'tls * was there'
expect 0 '^ok' 'a known finding whose file is not there is not gone' 'wx-segment * r' 'stack-flags * r' 'tls nowhere/* reason'
if grep -q '^# gone' output; then echo "not ok $((count += 1)) - said to be gone"; failed=$((failed + 1)); fi
# Swapped table: a promise is broken.
cp "$tool" tree/broken
printf '\000\000\000\000\000\000\000\000' | dd of=tree/broken bs=1 seek=32 conv=notrunc 2> /dev/null
expect 1 '^not ok - .* broken: not in list' 'a new finding fails' 'wx-segment * r' 'stack-flags * r'
head -c 100 "$tool" > tree/broken
expect 1 '^not ok - cannot broken: not in list' 'a file that cannot be checked fails' 'wx-segment * r' 'stack-flags * r'
expect 0 '^# known: cannot broken: cut off' 'a known file that cannot be checked' 'wx-segment * r' 'stack-flags * r' 'cannot broken cut off'
echo "1..$count"
[ $failed = 0 ]

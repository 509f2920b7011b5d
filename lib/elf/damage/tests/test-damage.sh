#!/bin/sh
# The program damage on what it may be given: test-damage.sh DAMAGE DIRECTORY; reports in TAP.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { echo "usage: test-damage.sh DAMAGE DIRECTORY" >&2; exit 2; }
case $1 in /*) tool=$1 ;; *) tool=$PWD/$1 ;; esac
rm -rf "$2"
mkdir -p "$2/copies"
cd "$2"
cp "$tool" good # an ELF file that is surely there
count=0

# verdict OK NAME: one line of TAP.
verdict() {
  count=$((count + 1))
  if [ "$1" = 0 ]; then echo "ok $count - $2"; else echo "not ok $count - $2"; sed 's/^/# /' output; fi
}

# expect STATUS PATTERN NAME ARGUMENT…: runs the program; its status and output must be so, and nothing be left aside.
expect() {
  status=$1 pattern=$2 name=$3
  shift 3
  actual=0
  timeout 10 "$tool" "$@" > output 2>&1 < /dev/null || actual=$?
  bad=0
  [ "$actual" = "$status" ] || { echo "exit status $actual, expected $status" >> output; bad=1; }
  grep -q -e "$pattern" output || { echo "no line with: $pattern" >> output; bad=1; }
  ! ls ./*.?????? copies/*.?????? > /dev/null 2>&1 || { echo "files left aside" >> output; bad=1; }
  verdict "$bad" "$name"
}

# is COMMAND…: the command must succeed.
is() {
  actual=0
  "$@" > output 2>&1 || actual=1
  verdict "$actual" "$*"
}

expect 0 '^Usage:' '--help' --help
expect 0 '^damage ' '--version' --version
expect 0 '^    Rule: wx-segment$' '--list' --list
expect 2 'see damage --help' 'no argument'
expect 2 'see damage --help' 'too few' wx-code good
expect 2 'see damage --list' 'an unknown kind' wx-nothing good out
expect 2 'see damage --list' 'an unknown kind in a list' wx-code,wx-nothing good copies
expect 2 'see damage --list' 'an empty word in a list' wx-code,,wx-data good copies
expect 2 'see damage --list' 'an empty list' '' good copies
expect 0 '^wx-code: p_flags of program header [0-9]*: 0x5 becomes 0x7$' 'one kind' wx-code good out
is test -s out
is test ! good -nt out
rm -f out
expect 0 '^wx-code: ' 'one kind into a directory' wx-code good copies
is test -s copies/wx-code
expect 0 '^wx-data: ' 'two kinds' wx-code,wx-data good copies
is test -s copies/wx-data
expect 0 '^stack-missing: ' "a rule's kinds" stack-flags good copies
is test -s copies/stack-twice
expect 1 '^damage: nmagic-aligned\|^damage: exec-as-dyn does not apply: not ET_EXEC' 'all' all good copies
expect 1 'does not apply: not ET_EXEC' 'a kind that does not apply' exec-as-dyn good out
is test ! -e out
expect 2 'is no directory: make one' 'two kinds into a file' wx-code,wx-data good good2
expect 2 'is the file itself' 'over the file' wx-code good good
mkfifo pipe
expect 2 'is no regular file' 'over a pipe' wx-code good pipe
ln -s good link
expect 2 'is no regular file' 'over a link' wx-code copies/wx-data link
cp good copies/wx-code
expect 2 'is the file itself' 'over the file, in a directory' wx-code copies/wx-code copies
is cmp good copies/wx-code
expect 2 'No such file' 'no such file' wx-code nowhere out
expect 2 'No such file' 'no such directory' wx-code good nowhere/out
: > empty
expect 2 'empty: not an ELF file' 'a file of 0 bytes' wx-code empty out
head -c 30 good > short
expect 2 'short: the file ends inside its ELF header' 'a cut off header' wx-code short out
head -c 200 good > short
expect 2 'short: ' 'cut off program headers' wx-code short out
mkfifo fifo
expect 2 'fifo: not a regular file' 'a FIFO' wx-code fifo out
expect 2 'not a regular file' 'a directory' wx-code copies out
truncate -s 300M large
expect 2 'large: larger than 256 MiB' 'a large file' wx-code large out
cp good relocatable
printf '\001\000' | dd of=relocatable bs=1 seek=16 conv=notrunc 2> /dev/null
expect 1 'no kind applies to relocatable: a relocatable file' 'a relocatable file' all relocatable copies
is test ! -e out

#!/bin/sh
# The program itself on what it may be given: test-check-layout.sh CHECK-LAYOUT DIRECTORY; reports in TAP.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { echo "usage: test-check-layout.sh CHECK-LAYOUT DIRECTORY" >&2; exit 2; }
case $1 in /*) tool=$1 ;; *) tool=$PWD/$1 ;; esac
tests=$(cd -- "$(dirname -- "$0")" && pwd)
rm -rf "$2"
mkdir -p "$2"
cd "$2"
good=good
cp "$tool" "$good" # a 64-bit little-endian file that is surely there
count=0 failed=0

# verdict OK NAME: one line of TAP.
verdict() {
  count=$((count + 1))
  if [ "$1" = 0 ]; then echo "ok $count - $2"; else failed=$((failed + 1)); echo "not ok $count - $2"; sed 's/^/# /' output; fi
}

# Every run has 64 MB of address space (in KiB), but with ASan, whose shadow takes terabytes.
if grep -q __asan_init "$tool"; then limit=:; else limit="ulimit -v 65536"; fi

# expect STATUS PATTERN NAME ARGUMENT…: runs the program in that memory and 10 seconds; its status and output must be so.
expect() {
  status=$1 pattern=$2 name=$3
  shift 3
  actual=0
  ($limit; exec timeout 10 "$tool" "$@") > output 2>&1 < /dev/null || actual=$?
  bad=0
  [ "$actual" = "$status" ] || { echo "exit status $actual, expected $status" >> output; bad=1; }
  grep -q -e "$pattern" output || { echo "no line with: $pattern" >> output; bad=1; }
  verdict "$bad" "$name"
}

# patch FILE OFFSET BYTES: writes octal escapes over a file's bytes.
patch() {
  # shellcheck disable=SC2059
  printf "$3" | dd of="$1" bs=1 seek="$2" conv=notrunc 2> /dev/null
}

# number FILE OFFSET LENGTH: the little-endian number there.
number() {
  od -An -v -t u1 -j "$2" -N "$3" "$1" | awk '{ for (i = NF; i >= 1; i--) n = n * 256 + $i } END { printf "%d\n", n }'
}

expect 0 '^1 checked: 0 with findings' 'a good file' "$good"
expect 0 'Usage:' '--help' --help
expect 0 '^check-layout ' '--version' --version
expect 0 '^load-order (file, promise)$' '--list-rules' --list-rules
expect 2 'try check-layout FILE' 'no file'
expect 2 "unknown option '--nonsense'" 'unknown option' --nonsense
expect 2 '--compare wants --rule' '--compare without a rule' --compare "$good" "$good"
expect 0 '^1 checked' 'a pair' --compare "$good" --rule=deterministic "$good"
expect 2 'No such file' 'no such file' nowhere
expect 2 'No such file' 'the others are checked' nowhere "$good"

: > empty
expect 2 'CANNOT empty: not an ELF file' 'a file of 0 bytes' empty
echo text > text
expect 2 'CANNOT text: not an ELF file' 'a named file that is not ELF' text
printf '\177ELF' > magic
expect 2 'CANNOT magic: the file ends inside its ELF header' 'only the magic number' magic

# Cut off at every boundary of a header, and a byte before. (test-bad-input does it for every class, byte order and byte.)
shoff=$(number "$good" 40 8)
phnum=$(number "$good" 56 2)
shnum=$(number "$good" 60 2)
for boundary in 5 16 64 $(seq $((64 + 56)) 56 $((64 + phnum * 56))) 4096 "$shoff" $(seq $((shoff + 64)) 64 $((shoff + shnum * 64))); do
  for cut in $((boundary - 1)) "$boundary"; do
    [ "$cut" -lt $((shoff + shnum * 64)) ] || continue
    head -c "$cut" "$good" > shortened
    actual=0
    "$tool" shortened > output 2>&1 || actual=$?
    if [ $actual != 2 ] || ! grep -q '^CANNOT shortened: .' output; then verdict 1 "cut off after $cut bytes: exit status $actual"; fi
  done
done
verdict 0 'cut off at every boundary of a header'
head -c "$shoff" "$good" > shortened

cp "$good" patched
patch patched 40 '\000\000\000\000\000\000\000\000'
patch patched 60 '\000\000\000\000'
expect 0 'NOT-APPLICABLE patched section-in-segment: no section headers' 'no section headers: section rules do not apply' -v patched
expect 0 'PASS patched load-order' 'no section headers: segment rules do' -v patched
patch patched 56 '\377\377'
expect 2 'CANNOT patched: ' 'PN_XNUM without a section header' patched
cp "$good" patched
patch patched 56 '\377\377'
expect 2 'CANNOT patched: ' 'PN_XNUM with count 0' patched
patch patched $((shoff + 44)) "\\$(printf %03o "$phnum")"
expect 0 '^1 checked' 'PN_XNUM with the true count' patched
patch patched $((shoff + 44)) '\000\000\001\000'
expect 2 'CANNOT patched: .*65536' 'PN_XNUM with 65536' patched
cp "$good" patched
patch patched 60 '\000\000'
expect 0 'NOT-APPLICABLE patched section-in-segment: no section headers' 'extended section count 0' -v patched
patch patched $((shoff + 32)) "\\$(printf %03o "$(number "$good" 60 1)")"
expect 0 'PASS patched section-in-segment' 'extended section count' -v patched
patch patched $((shoff + 32)) '\100\102\017'
expect 2 'CANNOT patched: 1000000 section headers; the limit is 65536' 'a million sections claimed' patched
for many in 10000 65279 65536; do
  sh "$tests/make-many-sections.sh" "$good" $many many
  expect 0 '^1 checked' "$many sections" many
  expect 0 '^1 checked' "$many sections with figures and map" -v --figures --map many
  expect 0 '"checked":1,' "$many sections in JSON" --figures --format=json many
  expect 1 '<failure message=' "$many sections, every rule" --strict --separate-code --relro --now --max-page-size=64K \
    --common-page-size=4K --page-size=64K --huge-page=2M --linker=bfd --mode=pie --format=junit many
done
for many in 65537 1000000; do
  sh "$tests/make-many-sections.sh" "$good" $many many
  expect 2 "CANNOT many: $many section headers; the limit is 65536" "$many sections" --figures many
done
rm -f many
cp "$good" patched
patch patched 32 '\370\377\377\377\377\377\377\377'
expect 2 'CANNOT patched: the program header table' 'e_phoff near 2^64' patched
cp "$good" patched
patch patched 40 '\370\377\377\377\377\377\377\377'
expect 2 'CANNOT patched: the section header table' 'e_shoff near 2^64' patched
cp "$good" patched
patch patched 32 "\\$(printf %03o $((shoff % 256)))\\$(printf %03o $((shoff / 256 % 256)))\\$(printf %03o $((shoff / 65536 % 256)))"
expect 1 'FAIL patched' 'the program headers where the section headers are' patched
cp "$good" patched
patch patched 40 '\100\000\000\000\000\000\000\000'
expect 2 'CANNOT patched: ' 'the section headers where the program headers are' patched
cp "$good" patched
patch patched 32 '\000\000\000\000\000\000\000\000'
expect 1 'FAIL patched' 'the program headers where the ELF header is' patched

# Every field of every program header at its largest.
field=64
while [ "$field" -lt $((64 + phnum * 56)) ]; do
  cp "$good" patched
  patch patched "$field" '\377\377\377\377\377\377\377\377'
  actual=0
  timeout 10 "$tool" --strict --figures --map --separate-code --max-page-size=4K --page-size=64K patched > output 2>&1 || actual=$?
  if [ "$actual" -gt 2 ]; then verdict 1 "all bits set at $field: exit status $actual"; fi
  field=$((field + 8))
done
verdict 0 'all bits set anywhere in the program headers ends well'

cp "$good" sparse
truncate -s 64G sparse
expect 0 '^1 checked' 'a sparse file of 64 GB' --figures --map sparse
sh "$tests/make-many-sections.sh" "$good" 10000 sparse
truncate -s 64G sparse
expect 0 '^1 checked' 'a sparse file of 64 GB with 10000 sections' --figures --map sparse

mkfifo pipe
expect 2 'CANNOT pipe: neither a regular file nor a directory' 'a named FIFO' pipe
expect 2 'CANNOT /dev/null: neither a regular file nor a directory' 'a named device' /dev/null
mkdir tree tree/deep
cp "$good" tree/b
cp "$good" tree/deep/c
cp text tree/a
mkfifo tree/pipe
mkdir outside
cp "$good" outside/d
ln -s ../outside tree/link
ln -s ../outside/d tree/link-to-file
ln -s ../nowhere tree/dangling
expect 0 '^2 checked: .* 1 not ELF$' 'a tree: no links, FIFOs or text' tree
mkdir none
expect 2 'no ELF file among those named' 'an empty directory' none
ln -s tree/b named-link
expect 0 '^1 checked' 'a named link is followed' named-link
name=$(printf 'odd\nname\033[2J')
cp shortened "$name"
expect 2 'CANNOT odd\\x0aname\\x1b\[2J: ' 'a name with control characters' "$name"
if [ "$(id -u)" = 0 ]; then
  as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
else
  as_nobody=
fi
mkdir tree/closed
chmod 0 tree/closed
cp "$good" locked
chmod 0 locked
chmod 755 .
actual=0
$as_nobody "$tool" tree > output 2>&1 || actual=$?
bad=0
if [ "$actual" != 2 ] || ! grep -q 'CANNOT tree/closed: Permission denied' output || ! grep -q '^2 checked' output; then bad=1; fi
verdict $bad "a directory without permission; the rest is checked (an ordinary user must be able to enter $PWD)"
actual=0
$as_nobody "$tool" "$good" locked > output 2>&1 || actual=$?
bad=0
if [ "$actual" != 2 ] || ! grep -q 'CANNOT locked: Permission denied' output || ! grep -q '^1 checked' output; then bad=1; fi
verdict $bad 'a file without permission; the other is checked'
chmod 755 tree/closed
# Deeper than a path can be long: what is below is told, not followed for ever.
mkdir far
(
  cd far
  long=$(printf %0200d 0)
  i=0
  while [ $i -lt 25 ]; do mkdir "$long"; cd -P "$long"; i=$((i + 1)); done
)
cp "$good" far/z
expect 2 "CANNOT far/.*: File name too long" 'a tree deeper than a path is long' far
expect 2 "^1 checked" 'a tree deeper than a path is long; the rest is checked' far
rm -rf far

# The same output for any number of processes.
i=0
while [ $i -lt 100 ]; do cp tree/a "tree/deep/x$i"; i=$((i + 1)); done
cp shortened tree/deep/y
for format in text json tap junit; do
  "$tool" -j1 --format=$format --figures -v tree > alone || :
  "$tool" -j3 --format=$format --figures -v tree > shared || :
  actual=0
  cmp alone shared > output 2>&1 || actual=1
  verdict $actual "-j1 and -j3 print the same $format"
done
printf '%s\t--rule=tls\nempty\n' "$good" | "$tool" --server > output 2>&1
bad=0
if [ "$(wc -l < output)" != 2 ] || ! grep -q '"path":"empty","status":"cannot"' output; then bad=1; fi
verdict $bad 'the server answers each line'
actual=0
"$tool" "$good" > /dev/full 2> output || actual=$?
verdict $((actual != 2)) 'output that cannot be written'
echo "1..$count"
[ $failed = 0 ]

#!/bin/sh
# Makes a file with many sections out of an ELF file: make-many-sections.sh FILE COUNT OUT
# FILE is 64-bit little-endian with fewer than 65280 sections. OUT has COUNT section headers, all but FILE's own copies of one
# that lies in memory, so that every rule has to look at each of them.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 3 ] || { echo "usage: make-many-sections.sh FILE COUNT OUT" >&2; exit 2; }
file=$1 count=$2 out=$3
entry=64

# number OFFSET LENGTH: the little-endian number there in FILE.
number() {
  od -An -v -t u1 -j "$1" -N "$2" "$file" | awk '{ for (i = NF; i >= 1; i--) n = n * 256 + $i } END { printf "%d\n", n }'
}

# little NUMBER LENGTH: its bytes, as octal escapes.
little() {
  awk -v n="$1" -v l="$2" 'BEGIN { while (l-- > 0) { printf "\\%03o", n % 256; n = int(n / 256) } }'
}

# patch OFFSET ESCAPES: writes bytes over OUT's.
patch() {
  # shellcheck disable=SC2059
  printf "$2" | dd of="$out" bs=1 seek="$1" conv=notrunc 2> /dev/null
}

shoff=$(number 40 8) shnum=$(number 60 2) size=$(wc -c < "$file")
at=$(((size + entry - 1) / entry * entry))
# The last allocated section (SHF_ALLOC is bit 1 of sh_flags): .bss, or .data.
allocated=1 i=1
while [ "$i" -lt "$shnum" ]; do
  if [ $(($(number $((shoff + i * entry + 8)) 1) / 2 % 2)) = 1 ]; then allocated=$i; fi
  i=$((i + 1))
done
trap 'rm -f "$out.some" "$out.twice"' EXIT
dd if="$file" of="$out.some" bs=1 skip=$((shoff + allocated * entry)) count=$entry 2> /dev/null
many=1
while [ "$many" -lt $((count - shnum)) ]; do
  cat "$out.some" "$out.some" > "$out.twice"
  mv "$out.twice" "$out.some"
  many=$((many * 2))
done
cp "$file" "$out"
truncate -s "$at" "$out"
{ tail -c +$((shoff + 1)) "$file" | head -c $((shnum * entry)); head -c $(((count - shnum) * entry)) "$out.some"; } >> "$out"
patch 40 "$(little "$at" 8)"
# From 0xff00 on the number stands in the null section (gABI, "Sections").
if [ "$count" -lt 65280 ]; then
  patch 60 "$(little "$count" 2)"
else
  patch 60 '\000\000'
  patch $((at + 32)) "$(little "$count" 8)"
fi

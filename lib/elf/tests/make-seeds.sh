#!/bin/sh
# Links the fuzzer's seeds, a few small files of each kind, with the linkers at hand: make-seeds.sh DIRECTORY
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 1 ] || { echo "usage: make-seeds.sh DIRECTORY" >&2; exit 2; }
limit=4096
mkdir -p "$1"
cd "$1"
trap 'rm -f seed.s seed.o seed.out' EXIT
cat > seed.s <<'EOF'
.globl _start
.section .text, "ax"
_start: .long 0
.section .rodata, "a"
.long 1
.section .tdata, "awT"
.long 2
.section .tbss, "awT", %nobits
.space 4
.section .data.rel.ro, "aw"
.long 3
.section .data, "aw"
.long 4
.section .bss, "aw", %nobits
.space 64
.section .note.seed, "a", %note
.balign 4
.long 4, 4, 1
.ascii "GNU\0"
.long 5
.section .note.GNU-stack, "", %progbits
EOF
keep() {
  if [ -s seed.out ] && [ "$(wc -c < seed.out)" -le "$limit" ]; then mv seed.out "$1"; fi
  rm -f seed.out
}
for target in x86_64 i686 aarch64 loongarch64; do
  as=$target-linux-gnu-as ld=$target-linux-gnu-ld
  if ! command -v "$as" > /dev/null || ! command -v "$ld" > /dev/null; then continue; fi
  "$as" seed.s -o seed.o
  small='-z noseparate-code -z max-page-size=4096 -z norelro -s'
  # shellcheck disable=SC2086
  {
    "$ld" $small -static seed.o -o seed.out && keep "$target-static"
    "$ld" $small -shared seed.o -o seed.out && keep "$target-shared"
    "$ld" -s -z noseparate-code -z max-page-size=512 -z common-page-size=512 -shared seed.o -o seed.out && keep "$target-relro"
    "$ld" -s -N --no-warn-rwx-segments seed.o -o seed.out && keep "$target-omagic"
  }
done

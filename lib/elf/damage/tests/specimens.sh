#!/bin/sh
# Links the specimens of the kill matrix with every linker at hand: specimens.sh DIRECTORY SOURCE
# Writes them and DIRECTORY/table, one line for each: name, linker and version, the options that check-layout must be told, and for the
# second of a pair the name of the first and the rule that judges both; separated by tabs.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { echo "usage: specimens.sh DIRECTORY SOURCE" >&2; exit 2; }
project=$(cd -- "$(dirname -- "$0")/../../../.." && pwd)
# shellcheck source=lib/key-value.sh
. "$project/lib/key-value.sh"
source=$(readlink -f "$2")
mkdir -p "$1"
cd "$1"

# keep NAME OPTIONS [FIRST RULE]: an entry of the table for a file that was made.
keep() { printf '%s\t%s\t%s\t%s\t%s\n' "$1" "$version" "$2" "${3:-}" "${4:-}" >> "$target.part"; }

# link NAME OPTIONS ARGUMENT…: links a specimen. A linker that refuses is named, and the others go on: the matrix says what is then missing.
link() {
  name=$target-$linker-$1 options=$2
  shift 2
  if "$triplet-gcc" -fuse-ld="$linker" -Wl,--build-id -Wl,-z,max-page-size="$page" -Wl,-z,common-page-size=4096 "$@" -o "$name" 2> "$name.log"; then
    rm "$name.log"
    keep "$name" "$options --linker=$version --max-page-size=$page --common-page-size=4096"
  else
    echo "specimens: $name was not linked: $(tail -n 1 "$name.log")" >&2
  fi
}

# pair NAME RULE FIRST: the last linked specimen, NAME, is the second of a pair too, under a name of its own.
pair() {
  [ ! -f "$target-$linker-$1" ] || [ ! -f "$target-$linker-$3" ] || {
    cp "$target-$linker-$1" "$target-$linker-$1.$2"
    keep "$target-$linker-$1.$2" "--linker=$version" "$target-$linker-$3" "$2"
  }
}

# modes LAYOUT OPTIONS ARGUMENT…: all five link modes.
modes() {
  layout=$1 told="$2 --relro"
  shift 2
  link "exec-$layout" "$told --now --mode=exec" "$@" -Wl,-z,relro,-z,now -no-pie "$target.o"
  link "pie-$layout" "$told --now --mode=pie" "$@" -Wl,-z,relro,-z,now -pie "$target.o"
  link "shared-$layout" "$told --lazy --mode=shared" "$@" -Wl,-z,relro,-z,lazy -shared "$target.o"
  link "static-$layout" "$told --now --mode=static" "$@" -Wl,-z,relro,-z,now -static "$target.o"
  link "static-pie-$layout" "$told --now --mode=static-pie" "$@" -Wl,-z,relro,-z,now -static-pie "$target.o"
}

# version_of TOOL: bfd-2.44, lld-19.1.7 …
version_of() { "$1" --version | sed -n "1s/^[^0-9]*[^0-9.]\([0-9][0-9.]*\).*/$linker-\1/p"; }

# specimens_of: links those of $target; its first compiler's name counts.
specimens_of() {
  page=$(key_value max-page-size "$project/config/targets/$target")
  triplet=''
  for candidate in $(key_value triplets "$project/config/targets/$target"); do
    if command -v "$candidate-gcc" > /dev/null; then triplet=$candidate; break; fi
  done
  [ -n "$triplet" ] || { echo "specimens: no compiler for $target of its own name: no specimens of it" >&2; return; }
  "$triplet-gcc" -O1 -fPIC -c "$source" -o "$target.o"
  printf '.globl _start\n.text\n_start: .zero 64\n.data\n.long 1\n.section .note.GNU-stack,"",%%progbits\n' | "$triplet-gcc" -xassembler -c - -o "$target-start.o"

  linker=bfd version=$(version_of "$triplet-ld.bfd")
  modes separate '--separate-code --no-rosegment' -Wl,-z,separate-code,--no-rosegment
  modes together '--no-separate-code --no-rosegment' -Wl,-z,noseparate-code
  modes rosegment '--separate-code --rosegment' -Wl,-z,separate-code,--rosegment
  bare="-nostdlib -static"
  # shellcheck disable=SC2086
  {
    link omagic '--omagic --mode=static' $bare -Wl,-N,--no-warn-rwx-segments "$target-start.o"
    link nmagic '--nmagic --mode=static' $bare -Wl,-n "$target-start.o"
  }
  link norelro '--separate-code --no-rosegment --norelro --mode=pie' -Wl,-z,separate-code,--no-rosegment,-z,norelro -pie "$target.o"
  link together-rosegment '--no-separate-code --rosegment --relro --now --mode=pie' -Wl,-z,noseparate-code,--rosegment,-z,relro,-z,now -pie "$target.o"
  pair together-rosegment rosegment-inert pie-together
  pair pie-rosegment rosegment-smaller pie-separate
  pair pie-separate content-invariant pie-together
  link elsewhere '--separate-code --no-rosegment --relro --now --mode=pie' -Wl,-z,separate-code,--no-rosegment,-z,relro,-z,now -pie "$target.o"
  pair elsewhere deterministic pie-separate
  link last-wins '--separate-code --no-rosegment --relro --now --mode=pie' \
    -Wl,-z,noseparate-code,-z,separate-code,-z,separate-code,--rosegment,--no-rosegment,-z,norelro,-z,relro,-z,lazy,-z,now -pie "$target.o"
  pair last-wins default-explicit pie-separate
  cp "$target-bfd-pie-separate" "$target-bfd-stripped"
  "$triplet-strip" "$target-bfd-stripped"
  keep "$target-bfd-stripped" "--linker=$version" "$target-bfd-pie-separate" strip-identity
  if [ "$target" = x86_64 ]; then
    printf '.text\n.balign 4096\n.zero 0x500000\n' | "$triplet-gcc" -xassembler -c - -o "$target-large.o"
    page=0x200000
    link large-text '--separate-code --no-rosegment --relro --now --mode=exec' -Wl,-z,separate-code,--no-rosegment,-z,relro,-z,now -no-pie "$target.o" "$target-large.o"
    page=4096
  fi

  for linker in lld mold; do
    command -v "ld.$linker" > /dev/null || { echo "specimens: no ld.$linker" >&2; continue; }
    version=$(version_of "ld.$linker")
    modes separate '--separate-code --rosegment' -Wl,-z,separate-code
    modes together '--no-separate-code --rosegment' -Wl,-z,noseparate-code
    link separate-loadable '--rosegment --relro --now --mode=pie --separate-loadable-segments' -Wl,-z,separate-loadable-segments,-z,relro,-z,now -pie "$target.o"
    default=$page
    for page in 4096 65536; do
      link "page-$page" '--no-separate-code --rosegment --relro --now --mode=pie' -Wl,-z,noseparate-code,-z,relro,-z,now -pie "$target.o"
    done
    page=$default
    pair page-65536 size-independent page-4096
  done
}

rm -f ./*.part ./*.log table
for target in $(cd "$project/config/targets" && echo *); do
  specimens_of &
done
wait
sort ./*.part > table.new
mv table.new table
rm -f ./*.part ./*.o

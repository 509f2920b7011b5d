#!/bin/sh
# Writes a manual page with what the program lists: generate-manual.sh TEMPLATE PROGRAM OPTION
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 3 ] || { echo "usage: generate-manual.sh TEMPLATE PROGRAM OPTION" >&2; exit 2; }
list=$("$2" "$3")
sed '/^\.\\" LIST$/,$d' "$1"
# A line without indentation names a thing, those below it are text; backslashes and leading dots mean something to roff.
printf '%s\n' "$list" | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e 's/^[^ ].*/.TP\n.B &/' -e 's/^    \(Source\|Rule\|Options\|Figure\|Also\)/.br\n\1/' -e 's/^    \([.'\'']\)/\\\&\1/' -e 's/^    //'
sed '1,/^\.\\" LIST$/d' "$1"

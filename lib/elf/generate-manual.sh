#!/bin/sh
# Writes the manual page with the rules that the program lists: generate-manual.sh TEMPLATE CHECK-LAYOUT
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -eq 2 ] || { echo "usage: generate-manual.sh TEMPLATE CHECK-LAYOUT" >&2; exit 2; }
rules=$("$2" --list-rules)
sed '/^\.\\" RULES$/,$d' "$1"
# A line without indentation names a rule, those below it are text; backslashes and leading dots mean something to roff.
printf '%s\n' "$rules" | sed -e 's/\\/\\e/g' -e 's/-/\\-/g' -e 's/^[^ ].*/.TP\n.B &/' -e 's/^    \(Source\|Figure\)/.br\n\1/' -e 's/^    \([.'\'']\)/\\\&\1/' -e 's/^    //'
sed '1,/^\.\\" RULES$/d' "$1"

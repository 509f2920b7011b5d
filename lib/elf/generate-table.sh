#!/bin/sh
# Writes the C table of all things that a directory's files define: generate-table.sh TYPE PREFIX FILE…
# For rules/load-order.c, TYPE rule and PREFIX rule: `extern const struct rule rule_load_order;` and its entry.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu
[ $# -ge 3 ] || { echo "usage: generate-table.sh TYPE PREFIX FILE..." >&2; exit 2; }
type=$1 prefix=$2
shift 2
names=$(for file; do file=${file##*/}; echo "${file%.c}"; done | LC_ALL=C sort)
echo "// Made by generate-table.sh; do not edit."
echo "#include \"$type.h\""
for name in $names; do echo "extern const struct $type ${prefix}_$(echo "$name" | tr - _);"; done
echo "const struct $type *const ${prefix}_table[] = {"
for name in $names; do echo "    &${prefix}_$(echo "$name" | tr - _),"; done
echo "    NULL,"
echo "};"

# Reads files of `key: value` lines (config/targets, a toolchain's mode file, the output of find-tools.sh).
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh

# key_value KEY [FILE]: prints the value of each `KEY: value` line of FILE (standard input without it); nothing if there is none.
key_value() {
    sed -n "s/^$1:[[:space:]]*//p" ${2+"$2"}
}

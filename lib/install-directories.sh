# Reads the directories of an installation from words like bindir=DIR, and says where its parts lie.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# shellcheck disable=SC2034 # who sources this uses what it sets

# The directories' characters are judged, and lists sorted, the same everywhere.
export LC_ALL=C

# directory_problem VALUE: prints why it cannot be installed below VALUE; nothing if it can. (make and runtest, which read the suite
# there, cannot handle every path: see the Makefile.)
directory_problem() {
    case $1 in
        *[[:space:]]*) echo 'has white space' ;;
        *[!A-Za-z0-9_./+@=~-]*) echo 'has characters other than letters of ASCII, digits and _./+@=~-' ;;
        /*) ;;
        *) echo 'is not an absolute path' ;;
    esac
}

# read_directories NAME=VALUE...: sets the variable of each NAME; then suite, the suite's directory, and installed_files, the list of all
# that was installed: both as they are when DESTDIR has been put in its place. Calls `fail MESSAGE`, the caller's, on an unknown NAME or a
# directory that cannot be used.
read_directories() {
    DESTDIR='' bindir='' libexecdir='' datadir='' mandir=''
    for word do
        name=${word%%=*} value=${word#*=}
        case $name in
            DESTDIR) if [ -n "$value" ]; then problem=$(directory_problem "$value"); else problem=''; fi ;;
            bindir|libexecdir|datadir|mandir) problem=$(directory_problem "$value") ;;
            built|output|toolchain|targets) problem='' ;;
            *) fail "unexpected argument '$word'; see --help" ;;
        esac
        case $name in DESTDIR) way='DESTDIR=' ;; *) way="prefix= or $name=" ;; esac
        [ -z "$problem" ] || fail "$name '$value' $problem: name another directory with $way"
        eval "$name=\$value"
    done
    for name in bindir libexecdir datadir mandir; do
        eval "value=\$$name"
        [ -n "$value" ] || fail "no $name=DIR; see --help"
    done
    suite=$datadir/ldlayout
    installed_files=$suite/installed-files
}

#!/bin/sh
# Installs the built tools, their manual pages and the suite, or removes exactly what it installed.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: install.sh install built=DIR [DESTDIR=DIR] bindir=DIR libexecdir=DIR datadir=DIR mandir=DIR
       install.sh uninstall [DESTDIR=DIR] bindir=DIR libexecdir=DIR datadir=DIR mandir=DIR
(make install and make uninstall call it.) Installs from the directory `built` check-layout into bindir, damage into libexecdir/ldlayout and
the manual pages into mandir/man1, and the suite that this script belongs to into datadir/ldlayout; DESTDIR is put before each. A list of all
that was installed, and of the directories made for it, is datadir/ldlayout/installed-files: uninstall, and install before it puts
the new files there, removes what it says. INSTALL_PROGRAM and INSTALL_DATA in the environment are the commands that copy a file.
Exit status: 0; 1 a file could not be written or removed; 2 bad use, or files of others are in the way.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=lib/install-directories.sh
. "$project/lib/install-directories.sh"

# Whoever installs may have a mask that would keep others from reading it.
umask 022

# fail MESSAGE: ends with status 2.
fail() {
    echo "ldlayout: $*" >&2
    exit 2
}

# suite_files: prints the files of the suite, relative to its top; not an editor's copies and hidden files.
suite_files() {
    (cd -- "$project" && find Makefile README.md COPYING testsuite corpus lib boards config -type f ! -name '.*' ! -name '*~')
}

# plan PATHS: takes what suite_files prints; prints for each file to install "KIND SOURCE TARGET": KIND is program or data, TARGET lacks DESTDIR.
plan() {
    echo "program $built/check-layout $bindir/check-layout"
    echo "program $built/damage $libexecdir/ldlayout/damage"
    for page in "$built"/*.1; do
        echo "data $page $mandir/man1/${page##*/}"
    done
    printf '%s\n' "$1" | while IFS= read -r path; do
        if [ -x "$project/$path" ]; then kind=program; else kind=data; fi
        echo "$kind $project/$path $suite/$path"
    done
}

# missing_directories: reads paths; prints each directory above them that is not yet there, with / at its end, sorted.
missing_directories() {
    sed 's|/[^/]*$||' | sort -u | while IFS= read -r directory; do
        while [ -n "$directory" ] && [ ! -d "$DESTDIR$directory" ]; do
            echo "$directory/"
            directory=${directory%/*}
        done
    done | sort -u
}

# foreign_files: reads paths; prints those that are there already, and all files in the suite's directory, if no earlier
# installation put them there. (Whatever lies in the suite's directories is a part of it: a rule, a program, a board.)
foreign_files() {
    list=$DESTDIR$installed_files
    [ -f "$list" ] || list=/dev/null
    {
        while IFS= read -r path; do [ ! -e "$DESTDIR$path" ] || echo "$path"; done
        if [ -d "$DESTDIR$suite" ]; then (cd -- "$DESTDIR$suite" && find . ! -type d | sed "s|^\.|$suite|"); fi
    } | tr -s / | grep -vxF -f "$list" || :
}

# remove_installed: removes what the list says, and then the directories that were made for it if nothing else is in them.
remove_installed() {
    list=$DESTDIR$installed_files
    directories=$(sed -n 's|\(.\)/$|\1|p' "$list" | sort -r)
    grep -v '/$' "$list" | grep -vxF "$(echo "$installed_files" | tr -s /)" | while IFS= read -r path; do
        rm -f -- "$DESTDIR$path"
    done
    rm -f -- "$list"
    for directory in $directories; do
        rmdir -- "$DESTDIR$directory" 2>/dev/null || :
    done
}

# install_all: installs everything, in place of an earlier installation.
install_all() {
    [ -n "${built-}" ] || fail 'no built=DIR; see --help'
    [ -x "$built/check-layout" ] || fail "$built/check-layout is not there: type 'make check-layout' first"
    # Removing the earlier installation would remove what is to be installed.
    if [ "$(cd -- "$DESTDIR$suite" 2>/dev/null && pwd -P)" = "$project" ]; then fail "$suite is this suite itself: name another directory with prefix= or datadir="; fi
    paths=$(suite_files) || fail "$project lacks a part of the suite"
    files=$(plan "$paths" | tr -s /)
    targets=$(printf '%s\n' "$files" | sed 's/.* //'; echo "$installed_files" | tr -s /)
    foreign=$(printf '%s\n' "$targets" | foreign_files | sed -n 1p)
    [ -z "$foreign" ] || fail "$DESTDIR$foreign was not put there by 'make install': move it away, or name another directory"
    [ ! -f "$DESTDIR$installed_files" ] || remove_installed

    directories=$(printf '%s\n' "$targets" | missing_directories)
    # First the list: an installation that breaks off can be removed.
    mkdir -p -- "$DESTDIR$suite"
    printf '%s\n' "$directories" "$targets" | sed '/^$/d' >"$DESTDIR$installed_files"
    for directory in $directories; do
        mkdir -p -- "$DESTDIR$directory"
    done
    printf '%s\n' "$files" | while IFS=' ' read -r kind from to; do
        # shellcheck disable=SC2086 # commands are words
        case $kind in
            program) ${INSTALL_PROGRAM:-install} "$from" "$DESTDIR$to" ;;
            data) ${INSTALL_DATA:-install -m 644} "$from" "$DESTDIR$to" ;;
        esac
    done
    echo "installed: $bindir/check-layout and $(printf '%s\n' "$targets" | wc -l) files in all${DESTDIR:+, below $DESTDIR}"
    echo "the suite: make -f $suite/Makefile O=DIR TOOLCHAIN=host check"
}

# uninstall_all: removes what an installation put there.
uninstall_all() {
    if [ ! -f "$DESTDIR$installed_files" ]; then
        echo "ldlayout: nothing is installed: there is no $DESTDIR$installed_files"
        return
    fi
    remove_installed
}

case ${1-} in
    --help) usage ;;
    install|uninstall)
        action=$1
        shift
        read_directories "$@"
        "${action}_all" ;;
    *) fail "expected install or uninstall, found '${1-}'; see --help" ;;
esac

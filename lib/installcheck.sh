#!/bin/sh
# Checks an installation: the files and their modes, check-layout on a file, and the suite on a few cells.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: installcheck.sh output=DIR toolchain=NAME targets="TARGET..." [DESTDIR=DIR] bindir=DIR libexecdir=DIR datadir=DIR mandir=DIR
(make installcheck calls it.) Prints a line for each check and at last "N passed, N failed". The suite is run with the tools of
output/toolchains/NAME; when these are not set up the check is skipped, which is said. What the run wrote stays in output/installcheck.
Exit status: 0 none failed, 1 one did, 2 bad use, or nothing is installed.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=lib/install-directories.sh
. "$project/lib/install-directories.sh"
# shellcheck source=lib/shared-directories.sh
. "$project/lib/shared-directories.sh"

passed=0 failed=0

# fail MESSAGE: ends with status 2.
fail() {
    echo "ldlayout: $*" >&2
    exit 2
}

# judge WHAT PROBLEM: counts and prints a check; an empty PROBLEM is a pass.
judge() {
    if [ -z "$2" ]; then
        passed=$((passed + 1))
        echo "pass: $1"
    else
        failed=$((failed + 1))
        echo "FAIL: $1: $2"
    fi
}

# wrong_files: prints the first thing on the list of installed files that is missing, or that others could not read or could change.
wrong_files() {
    while IFS= read -r path; do
        if ! mode=$(stat -c %a -- "$DESTDIR$path" 2>/dev/null); then
            echo "$DESTDIR$path is missing"
            return
        fi
        # 644, 755, or 2755 where directories hand down their group.
        case $mode in *[45][45]) ;; *) echo "$DESTDIR$path has mode $mode"; return ;; esac
    done <"$DESTDIR$installed_files"
}

# status_of COMMAND...: runs it; prints its exit status. What it says is in $output/installcheck/log.
status_of() {
    status=0
    "$@" >"$output/installcheck/log" 2>&1 </dev/null || status=$?
    echo "$status"
}

# check_program WHAT STATUSES WORDS COMMAND...: checks that COMMAND ends with one of these exit statuses, and that its last line has the
# WORDS: a program that cannot even start has a status too.
check_program() {
    what=$1 statuses=$2 words=$3
    shift 3
    status=$(status_of "$@")
    last=$(sed -n '$p' "$output/installcheck/log")
    problem="exit status $status: $last"
    case " $statuses " in
        *" $status "*) case $last in *"$words"*) problem='' ;; esac ;;
    esac
    judge "$what" "$problem"
}

# check_suite: runs a few cells of the installed suite with the tools of the toolchain.
check_suite() {
    enter() { sh "$project/lib/enter.sh" --output "$output" --toolchain "$toolchain" -- "$@"; }
    if ! reason=$(enter true 2>&1); then
        echo "skipped: the suite's fast check: $reason"
        return
    fi
    # A private root has a /usr of its own, and the host's below /host.
    place=$DESTDIR$suite
    # shellcheck disable=SC2016 # for the shell inside
    if own_to_root "$place" && enter sh -c 'case $LDLAYOUT_TOOLCHAIN in root*) ;; *) exit 1 ;; esac'; then place=/host$place; fi
    log=$output/installcheck/check.log
    status=0
    enter env -u MAKEFLAGS make -s -f "$place/Makefile" O="$output/installcheck/suite" TOOLCHAIN=inside MATRIX=smoke 'TESTS=hello/*' \
        "TARGETS=$targets" check >"$log" 2>&1 </dev/null || status=$?
    problem=''
    if [ "$status" != 0 ] || ! grep -q '^[1-9][0-9]* passed, 0 failed$' "$log"; then
        problem="exit status $status (see $log): $(grep -v '^make' "$log" | sed -n '$p')"
    fi
    judge "the suite's fast check: $(sed -n '$p' "$log")" "$problem"
}

case ${1-} in --help) usage; exit 0 ;; esac
output='' toolchain='' targets=''
read_directories "$@"
if [ -z "$output" ] || [ -z "$toolchain" ]; then fail 'no output=DIR or no toolchain=NAME; see --help'; fi
[ -f "$DESTDIR$installed_files" ] || fail "nothing is installed: there is no $DESTDIR$installed_files: type 'make install' first, with the same directories"
umask 022
rm -rf -- "$output/installcheck"
mkdir -p -- "$output/installcheck"

judge 'every installed file is there, and others can read but not write it' "$(wrong_files)"
program=$DESTDIR$bindir/check-layout
check_program 'check-layout starts' 0 'check-layout (ldlayout)' "$program" --version
# A finding is the linker's that made it, not the installation's.
check_program 'check-layout judges itself' '0 1' '1 checked:' "$program" "$program"
check_program 'check-layout says of a text that it cannot judge it' 2 '1 could not be checked' "$program" "$DESTDIR$installed_files"
check_program 'damage starts' 0 '' "$DESTDIR$libexecdir/ldlayout/damage" --help
check_suite
echo "$passed passed, $failed failed"
[ "$failed" = 0 ]

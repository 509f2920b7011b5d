#!/bin/sh
# Finds the tools of each target: gcc, ld, readelf and an emulator, with their versions and what is missing for what.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: find-tools.sh [--harness] TARGET...
Prints for each target (a file name in config/targets) a block of `key: value` lines and an empty line:
  target gcc gcc-flags gcc-version ld ld-version ld-rosegment readelf readelf-version emulator emulator-version
  native (this kernel runs the target's programs) sysroot (for qemu -L; empty where / has the C library)
  missing: WHAT for WHAT (a line for each thing that is missing)
--harness prints first a block `target: every` with the tools that every target needs: runtest expect tclsh tcllib make cc libelf.
Looks in PATH. LDLAYOUT_CC_<target>, LDLAYOUT_LD_<target>, LDLAYOUT_LD (every target whose emulation it lists) and
LDLAYOUT_READELF name a tool instead; CC may be followed by flags.
Exit status: 0 nothing is missing, 1 something is missing, 2 a tool or target that was named cannot be used.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd)
# shellcheck source=lib/key-value.sh
. "$project/lib/key-value.sh"

# Banners and --help are read: in English.
export LC_ALL=C
# GNU ld takes its emulation from here: a wrong one would make every probe lie.
unset LDEMULATION GNUTARGET

# Older emulators hide a program's X permission and ignore p_align.
minimum_emulator=9.2

complete=0

# fail MESSAGE: ends with status 2.
fail() {
    echo "find-tools.sh: $*" >&2
    exit 2
}

# missing TEXT: prints and remembers one missing thing.
missing() {
    printf 'missing: %s\n' "$*"
    complete=1
}

# within_limit COMMAND...: runs it for 30 s at most, with both streams in $scratch/words: what it leaves running may hold a pipe open.
within_limit() {
    timeout -k 5 30 "$@" </dev/null >"$scratch/words" 2>"$scratch/warnings"
}

# first_line COMMAND...: prints the first line of the command's output.
first_line() {
    timeout -k 5 30 "$@" </dev/null >"$scratch/words" 2>&1 || :
    sed -n 1p "$scratch/words"
}

# named_tool VARIABLE VALUE: prints the path of the tool that the caller named through VARIABLE; fails if it cannot run.
named_tool() {
    path=$(command -v -- "$2") || fail "$1=$2: no such program; give the path of one, or leave $1 out"
    within_limit "$path" --version || fail "$1=$2 cannot run ('$2 --version' fails, or does not end within 30 s); give the path of one that runs"
    printf '%s\n' "$path"
}

# named_value VARIABLE: prints the value of the environment variable of that name; nothing if it is not set.
named_value() {
    eval "printf '%s' \"\${$1-}\""
}

# links_program GCC-PATH FLAGS: whether it compiles and links a program; leaves it in $scratch/program.
links_program() {
    rm -f "$scratch/program"
    # shellcheck disable=SC2086 # flags are words
    within_limit "$1" $2 -o "$scratch/program" "$scratch/program.c" && [ -s "$scratch/program" ]
}

# choose_gcc: sets gcc and gcc_flags to the first candidate that links a program, else to the first there is, else to nothing.
choose_gcc() {
    gcc='' gcc_flags=''
    named=$(named_value "LDLAYOUT_CC_$target")
    if [ -n "$named" ]; then
        if ! command -v -- "$named" >/dev/null; then
            case $named in *' '*) gcc_flags=${named#* } named=${named%% *} ;; esac
        fi
        gcc=$(named_tool "CC_$target" "$named")
        return
    fi
    machine=${native_flags%% *}
    for candidate in $triplets plain; do
        case $candidate in
            plain)
                path=$(command -v gcc) || continue
                case $(first_line "$path" -dumpmachine) in "$machine"-*linux*) ;; *) continue ;; esac
                flags=${native_flags#"$machine"} flags=${flags# } ;;
            *)
                path=$(command -v "$candidate-gcc") || continue
                flags='' ;;
        esac
        if links_program "$path" "$flags"; then
            gcc=$path gcc_flags=$flags
            return
        fi
        [ -n "$gcc" ] || gcc=$path gcc_flags=$flags
    done
}

# lists_emulation LD: whether `LD -V` lists the target's emulation; a linker that prints no list (lld) must accept an object
# of the target instead.
lists_emulation() {
    if within_limit "$1" -V; then emulations=$(cat "$scratch/words"); else emulations=''; fi
    case $emulations in
        *'Supported emulations'*) printf '%s\n' "$emulations" | grep -qx "[[:space:]]*$emulation" ;;
        *) [ -f "$scratch/program.o" ] && "$1" -m "$emulation" -r -o "$scratch/relinked.o" "$scratch/program.o" 2>/dev/null ;;
    esac
}

# knows_rosegment LD: whether its --help names --rosegment.
knows_rosegment() {
    within_limit "$1" --help && grep -q -e '--rosegment' "$scratch/words"
}

# choose_ld: sets ld to the linker that the caller named; else to the first GNU ld for the target that knows --rosegment, else to
# the first GNU ld for the target, else to nothing. Sets ld_refusal if the linker named by LDLAYOUT_LD is for other targets.
choose_ld() {
    ld='' ld_refusal=''
    named=$(named_value "LDLAYOUT_LD_$target")
    if [ -n "$named" ]; then
        ld=$(named_tool "LD_$target" "$named")
        lists_emulation "$ld" || fail "LD_$target=$named does not list the emulation $emulation in 'ld -V': it is a linker for other targets"
        return
    fi
    named=${LDLAYOUT_LD-}
    if [ -n "$named" ]; then
        path=$(named_tool LD "$named")
        if lists_emulation "$path"; then ld=$path; else ld_refusal="an emulation $emulation in $path"; fi
        return
    fi
    for candidate in $triplets compiler plain; do
        for name in ld.bfd ld; do
            case $candidate in
                compiler)
                    [ -n "$gcc" ] || continue
                    # shellcheck disable=SC2086 # flags are words
                    path=$("$gcc" $gcc_flags -print-prog-name=$name 2>/dev/null) || continue ;;
                plain) path=$name ;;
                *) path=$candidate-$name ;;
            esac
            path=$(command -v "$path") || continue
            case $(first_line "$path" --version) in 'GNU ld'*) ;; *) continue ;; esac
            lists_emulation "$path" || continue
            if knows_rosegment "$path"; then
                ld=$path
                return
            fi
            [ -n "$ld" ] || ld=$path
        done
    done
}

# choose_readelf: sets readelf to the one that the caller named, else to the target's, else to the host's, else to nothing.
choose_readelf() {
    readelf=''
    if [ -n "${LDLAYOUT_READELF-}" ]; then
        readelf=$(named_tool READELF "$LDLAYOUT_READELF")
        return
    fi
    for candidate in $triplets plain; do
        if [ "$candidate" = plain ]; then name=readelf; else name=$candidate-readelf; fi
        path=$(command -v "$name") || continue
        readelf=$path
        return
    done
}

# at_least VERSION MINIMUM: whether VERSION (digits and dots) is MINIMUM or newer.
at_least() {
    [ "$(printf '%s\n' "$1" "$2" | sort -V | sed -n 1p)" = "$2" ]
}

# program_sysroot: prints the directory below which the dynamic linker of the compiler's own C library lies under the name that
# programs ask for; nothing if that is / already, or if it is not found.
program_sysroot() {
    # shellcheck disable=SC2086 # flags are words
    directory=$("$gcc" $gcc_flags -print-file-name=libc.so.6)
    directory=$(readlink -e -- "$directory") || return 0
    in_root=$(readlink -e -- "$dynamic_linker") || in_root=''
    while [ "$directory" != / ] && [ "$directory" != . ]; do
        directory=$(dirname -- "$directory")
        found=$(readlink -e -- "${directory%/}$dynamic_linker") || continue
        if [ "$found" != "$in_root" ]; then printf '%s' "$directory"; fi
        return
    done
}

# report_gcc: prints the compiler's lines; leaves a static program in $scratch/static if it links one.
report_gcc() {
    if [ -z "$gcc" ]; then
        # shellcheck disable=SC2086 # triplets are words
        missing "gcc (looked for $(printf '%s-gcc, ' $triplets)gcc of $native_flags) for compiling and linking"
        return
    fi
    printf 'gcc: %s\ngcc-flags: %s\ngcc-version: %s\n' "$gcc" "$gcc_flags" "$(first_line "$gcc" -dumpfullversion)"
    if ! links_program "$gcc" "$gcc_flags"; then
        missing "C library of $gcc${gcc_flags:+ $gcc_flags} for linking any program"
    elif ! links_program "$gcc" "$gcc_flags -static"; then
        missing "static C library of $gcc${gcc_flags:+ $gcc_flags} for modes static and static-pie"
    else
        mv "$scratch/program" "$scratch/static"
    fi
}

# report_ld: prints the linker's lines.
report_ld() {
    if [ -n "$ld_refusal" ]; then
        missing "$ld_refusal for linking $target"
    elif [ -z "$ld" ]; then
        missing "GNU ld with the emulation $emulation for linking"
    else
        printf 'ld: %s\nld-version: %s\n' "$ld" "$(first_line "$ld" --version)"
        if knows_rosegment "$ld"; then
            echo 'ld-rosegment: yes'
        else
            echo 'ld-rosegment: no'
            missing "--rosegment in $ld for the layout option rosegment"
        fi
    fi
}

# report_running: prints whether the kernel runs the target, and the emulator's lines.
report_running() {
    native=no
    case " $host_machines " in
        *" $(uname -m) "*) if [ -x "$scratch/static" ] && "$scratch/static" 2>/dev/null; then native=yes; fi ;;
    esac
    echo "native: $native"
    if path=$(command -v "$qemu"); then
        version=$(first_line "$path" --version | sed 's/.* version \([0-9.]*\).*/\1/')
        if at_least "$version" "$minimum_emulator"; then
            printf 'emulator: %s\nemulator-version: %s\n' "$path" "$version"
        elif [ "$native" = no ]; then
            missing "$qemu $minimum_emulator or newer ($path is $version) for running programs"
        fi
    elif [ "$native" = no ]; then
        missing "$qemu for running programs"
    fi
    if [ -n "$gcc" ]; then printf 'sysroot: %s\n' "$(program_sysroot)"; fi
}

# find_target: prints the block of $target.
find_target() {
    file=$project/config/targets/$target
    triplets=$(key_value triplets "$file") native_flags=$(key_value native-flags "$file")
    emulation=$(key_value emulation "$file") qemu=$(key_value qemu "$file")
    host_machines=$(key_value host-machines "$file") dynamic_linker=$(key_value dynamic-linker "$file")
    rm -f "$scratch/program" "$scratch/program.o" "$scratch/static"
    echo "target: $target"
    choose_gcc
    # shellcheck disable=SC2086 # flags are words
    [ -z "$gcc" ] || "$gcc" $gcc_flags -c -o "$scratch/program.o" "$scratch/program.c" 2>/dev/null || :
    choose_ld
    choose_readelf
    report_gcc
    report_ld
    if [ -n "$readelf" ]; then
        printf 'readelf: %s\nreadelf-version: %s\n' "$readelf" "$(first_line "$readelf" --version)"
    else
        missing 'readelf for reading program headers'
    fi
    report_running
    echo
}

# report_tool KEY PATH VERSION PURPOSE: prints a tool that every target needs; an empty PATH is one that is missing.
report_tool() {
    if [ -n "$2" ]; then printf '%s: %s\n%s-version: %s\n' "$1" "$2" "$1" "$3"; else missing "$1 for $4"; fi
}

# find_harness: prints the block of the tools that every target needs.
find_harness() {
    echo 'target: every'
    path=$(command -v runtest) || path=''
    report_tool runtest "$path" "${path:+$(runtest --version </dev/null 2>/dev/null | sed -n 's/^DejaGnu version[[:space:]]*//p')}" 'make check'
    path=$(command -v expect) || path=''
    report_tool expect "$path" "${path:+$(first_line expect -v | sed 's/.* //')}" runtest
    path=$(command -v tclsh) || path=''
    # shellcheck disable=SC2016 # Tcl's variable
    report_tool tclsh "$path" "${path:+$(echo 'puts $tcl_patchLevel' | tclsh)}" "the library's tests"
    version=$({ echo 'puts [package require json]' | tclsh; } 2>/dev/null) || version=''
    report_tool tcllib "${version:+json}" "$version" results.jsonl
    path=$(command -v make) || path=''
    report_tool make "$path" "${path:+$(first_line make --version | sed 's/.* //')}" 'every command'
    path=$(command -v cc) && links_program "$path" '' || path=''
    report_tool cc "$path" "${path:+$(first_line cc -dumpfullversion)}" 'our own host tools'
    cat >"$scratch/libelf.c" <<'END'
#include <libelf.h>
int main(void) { return elf_version(EV_CURRENT) == EV_NONE; }
END
    library=''
    if [ -n "$path" ] && within_limit "$path" -o "$scratch/libelf" "$scratch/libelf.c" -lelf; then
        library=$(readlink -f -- "$("$path" -print-file-name=libelf.so)")
    fi
    report_tool libelf "$library" "$(printf %s "$library" | sed 's/.*libelf-\{0,1\}\([0-9.]*\)\.so\.*\([0-9.]*\)$/\1\2/')" 'check-layout, the second witness'
    echo
}

harness=no
case ${1-} in
    --help) usage; exit 0 ;;
    --harness) harness=yes; shift ;;
esac
known_targets=$(cd "$project/config/targets" && echo *)
[ $# -gt 0 ] || fail "no target; give one or more of: $known_targets"
for target do
    case $target in
        -*) fail "unknown option $target; see --help" ;;
        ''|*/*) known=no ;;
        *) if [ -f "$project/config/targets/$target" ]; then known=yes; else known=no; fi ;;
    esac
    [ "$known" = yes ] || fail "unknown target '$target'; give one or more of: $known_targets"
done

scratch=$(mktemp -d "${TMPDIR:-/tmp}/ldlayout-find-tools.XXXXXX")
# Status 1 means what is missing, never that this script broke off.
broken=yes
trap 'rm -rf -- "$scratch"; [ $broken = no ] || exit 2' EXIT
trap 'exit 2' HUP INT TERM
echo 'int main(void) { return 0; }' >"$scratch/program.c"

if [ "$harness" = yes ]; then find_harness; fi
for target do find_target; done
broken=no
exit "$complete"

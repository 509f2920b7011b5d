#!/bin/sh
# Makes a linker of the host startable inside a private root.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: linker-for-root.sh --output DIR --toolchain NAME LINKER
Prints the path by which LINKER, a linker of the host, starts inside the private root of DIR/toolchains/NAME: LINKER itself, or a link
to it through /host, or (where it cannot start with the root's libraries, or takes libbfd from the host's system directories) a script
that runs it with the host's dynamic loader and libraries. Links and scripts go below DIR/toolchains/NAME/linkers. The script drops
the compiler's -plugin: the root's LTO plugin cannot be loaded into a process with the host's C library.
Exit status: 0; 2 if LINKER cannot be made to start, with one line that says why.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=lib/shared-directories.sh
. "$project/lib/shared-directories.sh"

# fail MESSAGE: ends with status 2.
fail() {
    echo "linker-for-root.sh: $*" >&2
    exit 2
}

output='' toolchain='' linker=''
while [ $# -gt 0 ]; do
    case $1 in
        --help) usage; exit 0 ;;
        --output|--toolchain)
            [ $# -ge 2 ] || fail "$1 needs a value; see --help"
            if [ "$1" = --output ]; then output=$2; else toolchain=$2; fi
            shift 2 ;;
        -*) fail "unknown option '$1'; see --help" ;;
        *) linker=$1; shift ;;
    esac
done
if [ -z "$output" ] || [ -z "$toolchain" ] || [ -z "$linker" ]; then fail 'give --output DIR --toolchain NAME LINKER; see --help'; fi

path=$(command -v -- "$linker") || fail "LD=$linker: no such program; give the path of one"
case $path in /*) ;; *) path=$(pwd -P)/$path ;; esac
real=$(readlink -e -- "$path") || fail "LD=$linker: no such file; give the path of a program"
name=${path##*/}
[ -f "$real" ] || fail "LD=$linker: not a file; give the path of a program"

scratch=$(mktemp -d "${TMPDIR:-/tmp}/ldlayout-linker.XXXXXX")
trap 'rm -rf -- "$scratch"' EXIT
trap 'exit 2' HUP INT TERM
folder=$output/toolchains/$toolchain/linkers/$(printf '%s' "$path" | cksum | tr ' ' -)

# starts_inside FILE: whether `FILE --version` runs inside the root; its words are left in $scratch/refusal.
starts_inside() {
    # The linkers that the caller named are what is being looked at: they must not be looked at again.
    for variable in $(env | sed -n 's/^\(LDLAYOUT_[A-Za-z0-9_]*\)=.*/\1/p'); do unset "$variable"; done
    timeout -k 5 30 "$project/lib/enter.sh" --output "$output" --toolchain "$toolchain" -- "$1" --version </dev/null >"$scratch/refusal" 2>&1 || {
        [ -s "$scratch/refusal" ] || echo "it prints nothing, or does not end within 30 s" >"$scratch/refusal"
        return 1
    }
}

# place KIND FILE: puts FILE into the linker's folder for that KIND (a runner in use is never replaced by a link, even for a
# moment), under the linker's own name (lld goes by its name), and prints that path.
place() {
    mkdir -p -- "$folder/$1"
    mv -fT -- "$2" "$folder/$1/$name"
    printf '%s\n' "$folder/$1/$name"
}

# through_host PATH: prints the path of the host's absolute PATH as seen inside.
through_host() {
    if own_to_root "$1"; then printf '/host%s' "$1"; else printf '%s' "$1"; fi
}

# quoted WORD: prints it quoted for sh.
quoted() {
    printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"
}

# is_elf FILE: whether it begins with the ELF magic number.
is_elf() {
    [ "$(head -c 4 -- "$1" | od -An -c | tr -d ' ')" = '177ELF' ]
}

# trace_libraries PROGRAM: prints the libraries that the host's dynamic loader maps for it, a path a line; nothing if it is static.
trace_libraries() {
    LD_TRACE_LOADED_OBJECTS=1 "$1" --version 2>/dev/null </dev/null |
        sed -n 's/^[[:space:]]*\(.* => \)\{0,1\}\(\/[^ ].*\) (0x[0-9a-f]*)$/\2/p'
}

# watch_linker: runs the libtool wrapper on the host until the linker behind it waits for its linker script, a named pipe, and leaves
# its program and libraries in $scratch/program and $scratch/libraries.
watch_linker() {
    mkfifo "$scratch/script"
    exec 3<>"$scratch/script"
    "$path" -T "$scratch/script" </dev/null >/dev/null 2>&1 3<&- &
    wrapper=$!
    attempts=0
    process=''
    while [ -z "$process" ] && kill -0 "$wrapper" 2>/dev/null && [ $attempts -lt 100 ]; do
        sleep 0.1
        attempts=$((attempts + 1))
        process=$(exec 3<&-; find /proc/[0-9]*/fd -lname "$scratch/script" 2>/dev/null | sed 's|^/proc/\([0-9]*\)/.*|\1|' | grep -vx "$$" | sed -n 1p)
    done
    if [ -n "$process" ]; then
        readlink "/proc/$process/exe" >"$scratch/program"
        sed -n 's|^[^/]* \(/.*\.so.*\)$|\1|p' "/proc/$process/maps" | sort -u >"$scratch/libraries"
        kill "$process" 2>/dev/null || :
    fi
    kill "$wrapper" 2>/dev/null || :
    exec 3<&-
    wait "$wrapper" 2>/dev/null || :
    [ -n "$process" ] || fail "LD=$linker cannot start in the private root, and the program behind this libtool wrapper did not show itself: give the path of the installed ld, or use TOOLCHAIN=host"
}

# write_runner: leaves in $scratch/runner a script that runs $scratch/program with the host's loader and $scratch/libraries.
write_runner() {
    program=$(cat "$scratch/program")
    loader=$(grep -E '/ld(-linux[^/]*|64)?\.so[^/]*$' "$scratch/libraries" | sed -n 1p)
    [ -n "$loader" ] || fail "LD=$linker cannot start in the private root ($(sed -n 1p "$scratch/refusal")), and it is not a dynamic program that the host's loader could start: use TOOLCHAIN=host"
    search=''
    while IFS= read -r library; do
        directory=$(through_host "$(dirname -- "$(readlink -e -- "$library")")")
        case :$search: in *:"$directory":*) ;; *) search=$search${search:+:}$directory ;; esac
    done <"$scratch/libraries"
    cat >"$scratch/runner" <<END
#!/bin/sh
# Runs $program with the host's dynamic loader and libraries.
skip=no
for argument do
    shift
    if [ \$skip = yes ]; then skip=no; continue; fi
    case \$argument in
        # The root's LTO plugin is for the root's C library.
        -plugin|--plugin) skip=yes ;;
        -plugin-opt=*|--plugin-opt=*) ;;
        *) set -- "\$@" "\$argument" ;;
    esac
done
exec $(quoted "$(through_host "$(readlink -e -- "$loader")")") --inhibit-cache --library-path $(quoted "$search") \\
    --argv0 $(quoted "$name") $(quoted "$(through_host "$program")") "\$@"
END
    chmod +x "$scratch/runner"
}

# The path that names this very file inside.
if own_to_root "$path" || own_to_root "$real"; then
    ln -s "$(through_host "$real")" "$scratch/link"
    candidate=$(place link "$scratch/link")
else
    candidate=$path
fi

: >"$scratch/libraries"
if is_elf "$real"; then
    printf '%s\n' "$real" >"$scratch/program"
    trace_libraries "$path" >"$scratch/libraries"
fi
# Segments are mapped by libbfd: the root's library of the same name must not take the place of the host's.
library=$(grep '/libbfd' "$scratch/libraries" | sed -n 1p) || :
if [ -z "$library" ] || ! own_to_root "$library" || ! timeout -k 5 30 "$path" --version </dev/null >/dev/null 2>&1; then
    if (starts_inside "$candidate"); then
        outside=$("$path" --version </dev/null 2>&1 | sed -n 1p)
        # A script that calls /usr/bin/ld means another file inside.
        [ "$outside" = "$(sed -n 1p "$scratch/refusal")" ] ||
            fail "LD=$linker is '$outside' on this host but '$(sed -n 1p "$scratch/refusal")' in the private root, where what it calls is another file: give that linker itself, or use TOOLCHAIN=host"
        printf '%s\n' "$candidate"
        exit 0
    fi
fi

timeout -k 5 30 "$path" --version </dev/null >/dev/null 2>&1 ||
    fail "LD=$linker can start neither in the private root ($(sed -n 1p "$scratch/refusal")) nor on this host: give the path of a linker that runs"
if ! is_elf "$real"; then
    grep -q 'libtool' "$real" ||
        fail "LD=$linker is a script that cannot start in the private root ($(sed -n 1p "$scratch/refusal")): give the path of the linker itself, or use TOOLCHAIN=host"
    watch_linker
fi
write_runner
runner=$(place runner "$scratch/runner")
(starts_inside "$runner") ||
    fail "LD=$linker cannot start in the private root, nor with the host's libraries ($(sed -n 1p "$scratch/refusal")): use TOOLCHAIN=host"
printf '%s\n' "$runner"

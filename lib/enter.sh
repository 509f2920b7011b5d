#!/bin/sh
# Runs a command where the tools are: inside the private root that toolchains.sh made, or on the host.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: enter.sh --output DIR --toolchain NAME -- COMMAND [ARGUMENT...]
Runs COMMAND in the current directory with the tools of DIR/toolchains/NAME, which toolchains.sh has set up. In a private root the
host's directories keep their place, but for the system's own (usr, bin, lib, etc, var, ...); the whole host is at /host, read-only.
COMMAND sees LDLAYOUT_TOOLCHAIN ("host", "root trixie", ...) and LDLAYOUT_INSIDE=1. LDLAYOUT_LD and LDLAYOUT_LD_<target> mean the
host's file; where it needs help to start inside, COMMAND sees the path of a helper there and the original in LDLAYOUT_LD_ORIGINAL.
Exit status: COMMAND's; 2 if it cannot be run.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=lib/key-value.sh
. "$project/lib/key-value.sh"
# shellcheck source=lib/shared-directories.sh
. "$project/lib/shared-directories.sh"

# fail MESSAGE: ends with status 2.
fail() {
    echo "enter.sh: $*" >&2
    exit 2
}

output='' toolchain=''
while [ $# -gt 0 ]; do
    case $1 in
        --help) usage; exit 0 ;;
        --output|--toolchain)
            [ $# -ge 2 ] || fail "$1 needs a value; see --help"
            if [ "$1" = --output ]; then output=$2; else toolchain=$2; fi
            shift 2 ;;
        --) shift; break ;;
        *) fail "unexpected argument '$1'; put -- before the command" ;;
    esac
done
[ -n "$output" ] || fail 'no --output DIR; see --help'
[ -n "$toolchain" ] || fail 'no --toolchain NAME; see --help'
[ $# -gt 0 ] || fail 'no command; give one after --'

# run_here COMMAND...: becomes the command.
run_here() {
    command -v -- "$1" >/dev/null || fail "$1 is missing: 'make toolchains TOOLCHAIN=host' says what else this host lacks"
    exec "$@"
}

if [ "${LDLAYOUT_INSIDE-}" = 1 ]; then run_here "$@"; fi

mode_file=$output/toolchains/$toolchain/mode
# The host's own tools need no set-up.
if [ "$toolchain" = host ]; then
    mode=host
else
    [ -f "$mode_file" ] || fail "the tools of '$toolchain' are not set up in $output: run 'make toolchains TOOLCHAIN=$toolchain O=$output' first"
    mode=$(key_value mode "$mode_file")
fi
if [ "$mode" = host ]; then
    export LDLAYOUT_TOOLCHAIN=host LDLAYOUT_INSIDE=1
    run_here "$@"
fi

root=$(key_value root "$mode_file") suite=$(key_value suite "$mode_file")
if [ -z "$root" ] || [ -z "$suite" ]; then fail "$mode_file is cut off: run 'make toolchains' again"; fi
[ -d "$root/usr" ] || fail "the private root $root is gone: run 'make toolchains' again"
command -v bwrap >/dev/null || fail "bwrap is not installed: run 'make toolchains' again, it says how"
output=$(cd -- "$output" && pwd -P)

# A compiler or readelf of the host is more than one file and cannot be taken into the root.
for name in $(env | sed -n 's/^\(LDLAYOUT_CC_[A-Za-z0-9_]*\|LDLAYOUT_READELF\)=.*/\1/p'); do
    value=$(printenv "$name")
    if own_to_root "$value"; then
        fail "${name#LDLAYOUT_}=$value is the host's, and the private root has its own $value: use TOOLCHAIN=host"
    fi
done

# The linkers that the caller named: the host's files.
for name in $(env | sed -n 's/^\(LDLAYOUT_LD\|LDLAYOUT_LD_[A-Za-z0-9_]*\)=..*/\1/p'); do
    case $name in LDLAYOUT_LD_ORIGINAL) continue ;; esac
    value=$(printenv "$name")
    inside=$("$project/lib/linker-for-root.sh" --output "$output" --toolchain "$toolchain" "$value") || exit 2
    if [ "$inside" != "$value" ]; then
        eval "export $name=\$inside"
        export LDLAYOUT_LD_ORIGINAL="$value"
    fi
done

# From here on "$@" grows in front of the command: it is what bwrap is called with.
# LOGNAME: runtest asks for the user's name, which the root's own user list does not have.
# Signals are the command's business: bwrap must outlive it to return its status, and hands on that it ignores them.
set -- env --default-signal=HUP,INT,QUIT,TERM "$@"
set -- --setenv PATH /usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin --setenv LDLAYOUT_TOOLCHAIN "root $suite" \
    --setenv LDLAYOUT_INSIDE 1 --setenv LOGNAME "${LOGNAME:-$(id -un 2>/dev/null || id -u)}" --chdir "$(pwd -P)" -- "$@"

# Directories that are needed but lie where the root has its own.
for directory in "$project" "$output" "$(pwd -P)"; do
    own_to_root "$directory" || continue
    can_be_added "$directory" ||
        fail "$directory lies where the private root has a directory of its own: move it to another place, such as /home or /tmp"
    set -- --bind "$directory" "$directory" "$@"
done

# The root's own; then the host's at the same place.
for path in "$root"/*; do
    name=${path##*/}
    own_to_root "/$name" || continue
    case $name in
        dev|proc|sys|run|var|boot) ;;
        *) if [ -L "$path" ]; then set -- --symlink "$(readlink "$path")" "/$name" "$@"; else set -- --ro-bind "$path" "/$name" "$@"; fi ;;
    esac
done
for path in /* /.[!.]*; do
    case $path in /host|/lost+found) continue ;; esac
    if own_to_root "$path" || [ ! -d "$path" ]; then continue; fi
    if [ -L "$path" ]; then set -- --symlink "$(readlink "$path")" "$path" "$@"; else set -- --bind "$path" "$path" "$@"; fi
done
set -- --ro-bind / /host --dev /dev --ro-bind-try /sys /sys --dir /run --bind /var/tmp /var/tmp \
    --ro-bind "$root/var/lib/dpkg" /var/lib/dpkg "$@"
# Root keeps its capabilities: programs are run as an unprivileged user from inside.
if [ "$(id -u)" = 0 ]; then set -- --cap-add ALL "$@"; fi

# In a container the kernel may refuse a fresh /proc: then the host's does.
if bwrap --unshare-pid --ro-bind / / --proc /proc true 2>/dev/null; then
    set -- --unshare-pid --proc /proc "$@"
else
    set -- --bind /proc /proc "$@"
fi

# --die-with-parent: whatever ends this script ends all that runs inside. The background job keeps our standard input, and our
# process group, so that what a terminal sends reaches the command without us.
(: 3<&0) 2>/dev/null || exec </dev/null
scratch=$(mktemp "${TMPDIR:-/tmp}/ldlayout-enter.XXXXXX") || fail "TMPDIR=${TMPDIR-} cannot be written to: name another directory"
exec 3<&0 4>"$scratch"
exec 5<"$scratch"
rm -f -- "$scratch"
( trap '' HUP INT QUIT TERM; exec bwrap --die-with-parent --info-fd 4 "$@" <&3 3<&- 5<&- ) &
sandbox=$!
exec 3<&- 4>&-
first=''

# forward SIGNAL: sends it to the command, the child of the first process inside.
forward() {
    [ -n "$first" ] || first=$(sed -n 's/.*"child-pid": *\([0-9]*\).*/\1/p' <&5)
    # shellcheck disable=SC2046 # process ids are words
    [ -z "$first" ] || kill -s "$1" $(cat "/proc/$first/task/$first/children" 2>/dev/null) 2>/dev/null || :
}
for signal in HUP INT TERM; do
    # shellcheck disable=SC2064 # the name is wanted now
    trap "forward $signal" "$signal"
done
while :; do
    status=0
    wait "$sandbox" || status=$?
    kill -0 "$sandbox" 2>/dev/null || exit "$status"
done

#!/bin/sh
# Sets up the tools of the targets: the host's if PATH offers everything, else a private Debian root.
# SPDX-License-Identifier: GPL-3.0-or-later
set -eu

usage() {
    cat <<'END'
Usage: toolchains.sh --output DIR [--toolchain NAME] [--targets "TARGET..."] [--mirror URL]
Sets up DIR/toolchains/NAME, which enter.sh then enters, and prints a table of the tools and of what is missing for what.
  --toolchain trixie  (default) the host's tools if PATH offers everything, else a private root of that Debian suite
  --toolchain SUITE   a private root of the Debian suite SUITE: another file name in config/packages
  --toolchain host    the host's tools, whatever is missing; never makes a root, never uses the network
  --targets           file names in config/targets (default: all)
  --mirror            a Debian mirror instead of mmdebstrap's default
A root is made by mmdebstrap from config/packages/SUITE, in DIR and, while it is being made, in TMPDIR (default /tmp): 3 GB in each. It
is made again when that list changes; removing it is `rm -rf`.
Exit status: 0 all requested targets are complete, 1 something is missing, 2 the set-up failed.
END
}

project=$(cd -- "$(dirname -- "$0")/.." && pwd -P)
# shellcheck source=lib/key-value.sh
. "$project/lib/key-value.sh"

default_suite=trixie
# What a root and mmdebstrap's copy of it need each, in KiB: 1.8 GB and the packages.
space_needed=3145728

# say MESSAGE: tells what is happening.
say() {
    echo "toolchains: $*"
}

# fail MESSAGE: ends with status 2.
fail() {
    echo "toolchains: $*" >&2
    exit 2
}

# listed_packages FILE: prints the packages of a list, without the reasons.
listed_packages() {
    sed 's/[[:space:]]*#.*//; /^$/d' "$1"
}

# write_mode KEY VALUE...: replaces the mode file, which tells enter.sh where the tools are, by these `KEY: VALUE` lines.
write_mode() {
    printf '%s: %s\n' "$@" >"$folder/mode.$$"
    mv -f "$folder/mode.$$" "$folder/mode"
}

# print_table FILE: prints the output of find-tools.sh as a table: target, tool, version, path; then what is missing for what.
print_table() {
    awk '
        function row(target, tool, version, path) { printf "%-12s %-9s %-56s %s\n", target, tool, version, path }
        BEGIN { row("TARGET", "TOOL", "VERSION", "PATH") }
        {
            key = $0; sub(/:.*/, "", key)
            value = $0; sub(/^[^:]*: */, "", value)
        }
        key == "target" { target = value; next }
        key == "missing" { lacking[++count] = target ": missing " value; next }
        key ~ /-version$/ { sub(/-version$/, "", key); row(target, key, value, path[target, key] flags); flags = ""; next }
        key == "gcc-flags" { if (value != "") flags = " " value; next }
        key == "native" { if (value == "yes") row(target, "native", "", "this kernel"); next }
        { path[target, key] = value }
        END {
            for (i = 1; i <= count; i++) print lacking[i]
            if (!count) print "Nothing is missing."
        }' "$1"
}

# finish: finds the tools where they will run, prints the table, and ends with its status.
finish() {
    status=0
    # shellcheck disable=SC2086 # targets are words
    "$project/lib/enter.sh" --output "$output" --toolchain "$toolchain" -- "$project/lib/find-tools.sh" --harness $targets \
        >"$folder/tools.$$" || status=$?
    [ "$status" -le 1 ] || exit "$status"
    mv -f "$folder/tools.$$" "$folder/tools"
    if [ "$(key_value mode "$folder/mode")" = host ]; then say "tools of this host:"; else say "tools of the private root $folder/root:"; fi
    print_table "$folder/tools"
    if [ "$status" = 1 ] && [ "$toolchain" = host ]; then
        echo "toolchains: not every requested target is complete on this host; install what is missing, give TARGETS= the complete ones, or leave out TOOLCHAIN=host to have a private Debian root made" >&2
    fi
    exit "$status"
}

# require_host_packages: sees that the host has what config/packages/host lists: installs it as root, says what to type otherwise.
require_host_packages() {
    lacking=$(while IFS='# :' read -r package witness _; do
        case $package in ''|SPDX*) continue ;; esac
        case $witness in
            /*) [ -e "$witness" ] || echo "$package" ;;
            *) command -v "$witness" >/dev/null || echo "$package" ;;
        esac
    done <"$project/config/packages/host" | tr '\n' ' ')
    lacking=${lacking% }
    [ -n "$lacking" ] || return 0
    command -v apt-get >/dev/null ||
        fail "this host lacks $lacking (Debian's names): install them, or use TOOLCHAIN=host"
    [ "$(id -u)" = 0 ] || fail "this host lacks $lacking: type 'sudo apt-get install $lacking'"
    say "installing $lacking on this host (log: $log)"
    # shellcheck disable=SC2086 # packages are words
    { apt-get update && DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends $lacking; } >"$log" 2>&1 </dev/null ||
        fail "apt-get could not install $lacking: see $log; then type 'apt-get update && apt-get install $lacking'"
}

# require_namespaces: sees that this user can make a root with mmdebstrap and enter it with bwrap.
require_namespaces() {
    user=$(id -un 2>/dev/null || id -u)
    if [ "$(id -u)" != 0 ]; then
        for file in /etc/subuid /etc/subgid; do
            grep -q -e "^$user:" -e "^$(id -u):" "$file" 2>/dev/null && continue
            # Behind every range that is taken.
            start=$(cat /etc/subuid /etc/subgid 2>/dev/null | awk -F: 'BEGIN { next_free = 100000 } $2 + $3 > next_free { next_free = $2 + $3 } END { print next_free }')
            range=$start-$((start + 65535))
            fail "$user has no entry in $file, which mmdebstrap needs: type 'sudo usermod --add-subuids $range --add-subgids $range $user'"
        done
    fi
    if bwrap --ro-bind / / true >"$log" 2>&1; then
        if [ "$(id -u)" = 0 ] || mmdebstrap --unshare-helper true >"$log" 2>&1; then return; fi
    fi
    reason=$(sed -n '$p' "$log")
    if [ "$(cat /proc/sys/kernel/unprivileged_userns_clone 2>/dev/null)" = 0 ]; then
        cure="type 'sudo sysctl kernel.unprivileged_userns_clone=1'"
    elif [ "$(cat /proc/sys/kernel/apparmor_restrict_unprivileged_userns 2>/dev/null)" = 1 ]; then
        cure="type 'sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0'"
    elif [ "$(cat /proc/sys/user/max_user_namespaces 2>/dev/null)" = 0 ]; then
        cure="type 'sudo sysctl user.max_user_namespaces=10000'"
    else
        cure="in a container, start it with --privileged"
    fi
    fail "this machine forbids $user to make namespaces ($reason): $cure, or use TOOLCHAIN=host"
}

# require_space: sees that the root fits.
require_space() {
    for place in "$folder" "${TMPDIR:-/tmp}"; do
        available=$(df -Pk -- "$place" | awk 'END { print $4 }')
        [ "$available" -ge "$space_needed" ] ||
            fail "$place has $((available / 1024)) MiB free and a private root needs $((space_needed / 1024)): make room there, or give another place with $([ "$place" = "$folder" ] && echo O=DIR || echo TMPDIR=DIR)"
    done
}

# remove_scratch: removes what an interrupted mmdebstrap left; an ordinary user's lies in files of other user ids.
remove_scratch() {
    [ -f "$folder/scratch" ] || return 0
    leftover=$(cat "$folder/scratch")
    if [ -d "$leftover" ]; then
        rm -rf -- "$leftover" 2>/dev/null || mmdebstrap --unshare-helper rm -rf -- "$leftover" 2>/dev/null || :
        rm -rf -- "$leftover"
    fi
    rm -f -- "$folder/scratch"
}

# abandon: removes the half-made root; first ends mmdebstrap, which has a process group of its own.
# shellcheck disable=SC2317 # called by trap
abandon() {
    trap '' HUP INT TERM
    if [ -n "$maker" ]; then
        kill -s TERM -- "-$maker" 2>/dev/null || :
        wait "$maker" "$unpacker" 2>/dev/null || :
    fi
    rm -rf -- "$folder/root.new"
    remove_scratch
}

# explain_failure: prints what the log of mmdebstrap says went wrong, and what to type.
explain_failure() {
    if grep -q 'No space left on device' "$log"; then
        echo "no space left in $folder or ${TMPDIR:-/tmp}: make room, or give other places with O=DIR and TMPDIR=DIR"
    elif grep -qE "Could not (resolve|connect)|Temporary failure|Connection (refused|timed out|failed)|Unable to connect|Network is unreachable|Failed to fetch|does not have a Release file" "$log"; then
        echo "cannot fetch Debian $suite from ${mirror:-the default mirror}: check the network${mirror:+ and MIRROR=}, or give another mirror with MIRROR=URL"
    elif grep -qiE 'signatures? (couldn|were invalid)|NO_PUBKEY|is not signed' "$log"; then
        echo "this host does not know the archive's signature: type 'sudo apt-get install --only-upgrade debian-archive-keyring'"
    else
        # tar, which unpacks what mmdebstrap writes, only complains that there is nothing.
        reason=$(grep '^E: ' "$log") || reason=$(grep -v '^tar: ' "$log") || reason='it was killed, or it said nothing'
        echo "mmdebstrap failed: $(printf '%s\n' "$reason" | sed -n '$p')"
    fi
}

# lend_dynamic_linkers: gives the root the dynamic linker of each target that this kernel runs at the place where programs ask for
# it, with its libraries, so that they run without an emulator too.
lend_dynamic_linkers() {
    for file in "$project"/config/targets/*; do
        case " $(key_value host-machines "$file") " in *" $(uname -m) "*) ;; *) continue ;; esac
        linker=$(key_value dynamic-linker "$file")
        [ ! -e "$folder/root.new$linker" ] || continue
        for triplet in $(key_value triplets "$file"); do
            [ -e "$folder/root.new/usr/$triplet/lib/${linker##*/}" ] || continue
            ln -s "/usr/$triplet/lib/${linker##*/}" "$folder/root.new$linker"
            echo "/usr/$triplet/lib" >"$folder/root.new/etc/ld.so.conf.d/zz-$triplet.conf"
            break
        done
    done
    bwrap --bind "$folder/root.new" / --dev /dev /sbin/ldconfig >>"$log" 2>&1 || fail "ldconfig failed inside the new root: $(sed -n '$p' "$log") (log: $log)"
}

# make_root: makes $folder/root from the package list; needs the lock.
make_root() {
    log=$folder/log
    remove_scratch
    rm -rf -- "$folder/root.new"
    require_host_packages
    require_namespaces
    require_space

    say "making a private Debian $suite root in $folder: about a minute, 1.8 GB (log: $log)"
    maker='' unpacker=''
    trap 'abandon' EXIT
    trap 'say "interrupted: removing the half-made root" >&2; exit 2' HUP INT TERM
    mkdir "$folder/root.new"
    scratch=$(mktemp -d "${TMPDIR:-/tmp}/ldlayout-root.XXXXXX")
    echo "$scratch" >"$folder/scratch"
    chmod 755 "$scratch"
    mkdir -m 1777 "$scratch/mmdebstrap"
    mkfifo "$scratch/archive"
    : >"$log"

    if [ "$(id -u)" = 0 ]; then mode=root; else mode=unshare; fi
    # A snapshot mirror's Release file, and often that of sid, is past its Valid-Until. Nothing here is read by a person.
    # This and tar hold the lock too: should this script be killed outright, the next one waits for their end.
    TMPDIR=$scratch/mmdebstrap setsid mmdebstrap --mode="$mode" --variant=essential --format=tar \
        --include="$(listed_packages "$list" | paste -sd,)" \
        --aptopt='Acquire::Check-Valid-Until "false"' --aptopt='Acquire::http::Timeout "20"' --aptopt='Acquire::Retries "2"' \
        --dpkgopt='path-exclude=/usr/share/man/*' --dpkgopt='path-exclude=/usr/share/doc/*' \
        --dpkgopt='path-exclude=/usr/share/info/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        "$suite" - ${mirror:+"$mirror"} >"$scratch/archive" 2>>"$log" </dev/null &
    maker=$!
    # All files belong to the caller, whoever that is, and none is a device or setuid.
    tar -x -C "$folder/root.new" --no-same-owner --no-same-permissions --exclude='./dev/*' <"$scratch/archive" 2>>"$log" &
    unpacker=$!
    failed=no
    wait "$maker" || failed=yes
    wait "$unpacker" || failed=yes
    maker='' unpacker=''
    [ "$failed" = no ] || fail "$(explain_failure) (log: $log)"

    chmod -R u+rwX -- "$folder/root.new"
    lend_dynamic_linkers
    printf '%s\n' "$checksum" >"$folder/root.new/etc/ldlayout-packages"
    rm -rf -- "$folder/root"
    mv -T -- "$folder/root.new" "$folder/root"
    remove_scratch
    trap - EXIT HUP INT TERM
}

output='' toolchain=$default_suite targets='' mirror=''
known_targets=$(cd "$project/config/targets" && echo *)
known_suites=$(cd "$project/config/packages" && for suite in *; do [ "$suite" = host ] || printf '%s ' "$suite"; done)
while [ $# -gt 0 ]; do
    case $1 in
        --help) usage; exit 0 ;;
        --output|--toolchain|--targets|--mirror) [ $# -ge 2 ] || fail "$1 needs a value; see --help" ;;
        *) fail "unexpected argument '$1'; see --help" ;;
    esac
    case $1 in
        --output) output=$2 ;;
        --toolchain) toolchain=$2 ;;
        --targets) targets=$2 ;;
        --mirror) mirror=$2 ;;
    esac
    shift 2
done
[ -n "$output" ] || fail 'no --output DIR; see --help'
: "${targets:=$known_targets}"
for target in $targets; do
    case " $known_targets " in *" $target "*) ;; *) fail "unknown target '$target' in TARGETS=; known are: $known_targets" ;; esac
done
case " host $known_suites" in
    *" $toolchain "*) ;;
    *) fail "unknown TOOLCHAIN=$toolchain; known are: ${known_suites}host" ;;
esac

if ! mkdir -p -- "$output/toolchains/$toolchain" 2>/dev/null || [ ! -w "$output/toolchains/$toolchain" ]; then
    fail "cannot write to $output: give another place with O=DIR"
fi
output=$(cd -- "$output" && pwd -P)
folder=$output/toolchains/$toolchain

if [ "${LDLAYOUT_INSIDE-}" = 1 ]; then fail 'already inside: set up toolchains from outside'; fi

if [ "$toolchain" = host ]; then
    write_mode mode host
    finish
fi
# shellcheck disable=SC2086 # targets are words
if [ "$toolchain" = "$default_suite" ] && "$project/lib/find-tools.sh" --harness $targets >/dev/null; then
    write_mode mode host
    finish
fi

suite=$toolchain
list=$project/config/packages/$suite
checksum=$(listed_packages "$list" | cksum)
exec 9>"$folder/lock"
if ! flock -n 9; then
    say "another set-up of $folder is running: waiting for it"
    flock 9
fi
if [ "$(cat "$folder/root/etc/ldlayout-packages" 2>/dev/null)" != "$checksum" ]; then make_root; fi
write_mode mode root suite "$suite" root "$folder/root"
exec 9>&-
finish

# Says which of the host's directories keep their meaning inside a private root, and which the root has of its own.
# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh

# own_to_root PATH: whether the root has its own directory in place of the absolute PATH's top-level directory.
own_to_root() {
    case $1/ in
        /usr/*|/bin/*|/sbin/*|/lib/*|/lib32/*|/lib64/*|/libx32/*|/libo32/*|/etc/*|/proc/*|/sys/*|/dev/*|/run/*|/var/*|/boot/*) ;;
        *) return 1 ;;
    esac
}

# can_be_added PATH: whether a directory at PATH can be added to the root although it is own_to_root: the root's /var, /run, /dev
# and /boot are made afresh at each entry, its others are read-only.
can_be_added() {
    case $1/ in
        /dev/*|/run/*|/var/*|/boot/*) ;;
        *) return 1 ;;
    esac
}

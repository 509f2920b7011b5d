# A linker that is wrong: links with the real one, then edits program headers of the output.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# Usage: tclsh edit-program-headers.tcl EDITS LD ARGUMENT...
# EDITS is a Tcl list of TYPE INDEX FIELD VALUE: in the program header that is number INDEX (from 0) of that TYPE, FIELD becomes
# VALUE, a Tcl expression that may use $old and the other fields ($flags, $memsz …) as they were. 64-bit little-endian files.

# Elf64_Phdr: offset and format of each field (gABI, "Program Header").
set fields { flags {4 i} offset {8 w} vaddr {16 w} filesz {32 w} memsz {40 w} align {48 w} }
set types { LOAD 1 GNU_STACK 0x6474e551 GNU_RELRO 0x6474e552 }

set linker [lrange $argv 1 end]
if { [catch { exec {*}$linker >@ stdout 2>@ stderr } message] } {
    puts stderr $message
    exit 1
}
set file [open [lindex $linker [lsearch -exact $linker -o]+1] r+b]
set image [read $file]
binary scan $image @32wu@54susu table size number
foreach { type index field value } [lindex $argv 0] {
    set seen -1
    for { set i 0 } { $i < $number } { incr i } {
        set at [expr { $table + $i * $size }]
        binary scan $image @${at}iu actual
        if { $actual != [dict get $types $type] || [incr seen] != $index } {
            continue
        }
        dict for { name place } $fields {
            binary scan $image @[expr { $at + [lindex $place 0] }][lindex $place 1]u $name
        }
        set old [set $field]
        lassign [dict get $fields $field] distance format
        seek $file [expr { $at + $distance }]
        puts -nonewline $file [binary format $format [expr $value]]
    }
    if { $seen < $index } {
        puts stderr "no program header $type $index"
        exit 1
    }
}
close $file

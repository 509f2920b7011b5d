# The benchmark of check-layout: its rate against a bare reading of program headers and against readelf, its memory, its second job.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh bench-check-layout.tcl OUTPUT=dir RUN_COMMANDS=path [ROOT=dir]     (make bench calls it)
Copies the executables and shared objects of ROOT (default /usr), smallest first, 256 MB of them, to a tree of two halves, and runs on it,
turn by turn: check-layout with all file rules, a program that only reads the program headers through libelf, and readelf -lSW. Rates are
files for each second of processor time, the best of many turns; the second job is judged by the clock. Builds what it runs in
OUTPUT/host/elf, the tree is in OUTPUT/bench/check-layout and is removed at the end.
A bar is inconclusive where other processes, or a hypervisor, take more than a tenth of a processor meanwhile.
Exit status: 0 no bar is missed, 1 one is missed on an idle machine, 2 nothing could be measured.}

# bench.tcl, whose measures these are, sources this file; alone, it is the other way round.
if { [info procs ::busy_seconds] eq "" } {
    source [file join [file dirname [info script]] bench.tcl]
}

namespace eval ldlayout {
    # The bars: check-layout's rate as a part of the bare reader's and of readelf's, KiB of memory, its gain by -j2 as a part of xargs -P2's.
    variable bench_bare_bar 0.6
    variable bench_readelf_bar 1.0
    variable bench_memory_bar 65536
    variable bench_second_job_bar 0.9
    # Bytes of files that are copied, how many files there must be, and how often a command passes over them so that its start counts little.
    variable bench_tree_bytes 268435456
    variable bench_tree_files 1000
    variable bench_passes 5
    # Turns whose best counts.
    variable bench_turns 25
}

# Takes a directory; returns {bytes path} of each executable and shared object below it, links left out: the rules judge no other ELF file.
proc linked_files { directory } {
    set found {}
    foreach path [glob -nocomplain -directory $directory *] {
        if { [catch { file lstat $path status }] } {
            continue
        }
        if { $status(type) eq "directory" } {
            lappend found {*}[linked_files $path]
        } elseif { $status(type) eq "file" && ![catch { open $path rb } channel] } {
            # The magic number, then EI_DATA at 5 and e_type at 16: ET_EXEC is 2, ET_DYN 3.
            binary scan [read $channel 18] a4xcua10a2 magic order - type
            close $channel
            if { [info exists magic] && $magic eq "\x7fELF" && [info exists type] && $type in [expr {
                    $order == 2 ? [list "\0\2" "\0\3"] : [list "\2\0" "\3\0"] }] } {
                lappend found [list $status(size) $path]
            }
            unset -nocomplain magic type
        }
    }
    return $found
}

# Takes linked_files' result and a folder; copies the smallest to its halves "one" and "two", each at its own path, those of one directory to
# the half that has fewer. Returns a dict: count, of (how many there were), largest (bytes of the largest copied). Errors when there are too few.
proc make_tree { files tree } {
    set count 0
    set bytes 0
    foreach entry [lsort -integer -index 0 $files] {
        lassign $entry size path
        if { [incr bytes $size] > $::ldlayout::bench_tree_bytes } {
            break
        }
        dict lappend directories [file dirname $path] $path
        incr count
        set largest $size
    }
    if { $count < $::ldlayout::bench_tree_files } {
        error "there are $count executables and shared objects to measure with; $::ldlayout::bench_tree_files are needed: ROOT= names another directory"
    }
    set halves {one 0 two 0}
    foreach { directory paths } [lsort -stride 2 -index 1 -decreasing -command { apply {{ one other } {
        expr { [llength $one] - [llength $other] } }} } $directories] {
        set half [lindex [lsort -stride 2 -index 1 -integer $halves] 0]
        dict incr halves $half [llength $paths]
        file mkdir $tree/$half$directory
        file copy {*}$paths $tree/$half$directory
    }
    return [dict create count $count of [llength $files] largest $largest]
}

# Takes a dict from a name to a command of sh, whose output is dropped; runs them turn by turn. Returns a dict from the name to
# {processor-seconds seconds}, the least of all turns. Errors when one fails.
proc best_of_turns { commands } {
    set best [dict create]
    for { set turn 0 } { $turn <= $::ldlayout::bench_turns } { incr turn } {
        dict for { name command } $commands {
            set result [run_command bench [list sh -c "exec > /dev/null; $command"] -timeout 600]
            if { ![command_succeeded $result] } {
                error "$name ended with [command_end_words $result]: [dict get $result output]"
            }
            set costs [list [dict get $result cpu] [dict get $result seconds]]
            # The first turn brings the files to memory.
            if { $turn == 1 } {
                dict set best $name $costs
            } elseif { $turn > 1 } {
                dict set best $name [lmap one [dict get $best $name] other $costs { expr { min($one, $other) } }]
            }
        }
    }
    return $best
}

# Takes the folder of the programs and that of the files with many sections; returns a dict from what is looked at to its KiB.
proc peak_memories { programs folder } {
    set memories [dict create]
    foreach { name file } {"10,000 sections" many "10,000 sections in 64 GB" sparse "a small file" small} {
        set result [run_command bench [list $programs/peak-memory $programs/check-layout -j1 -v --figures --map $folder/$file]]
        if { ![string is integer -strict [string trim [dict get $result output]]] } {
            error "check-layout on $name: [dict get $result output]"
        }
        dict set memories $name [string trim [dict get $result output]]
    }
    return $memories
}

# Takes best_of_turns' result, how many files a command looked at, the largest of peak_memories, and the processors that others used; returns
# the exit status and the lines: the rates, then the bars.
proc judge_check_layout { best files memory others } {
    set rate [dict map { name costs } $best { expr { $files / max(1e-6, [lindex $costs 0]) } }]
    set second [expr { [lindex [dict get $best "xargs -P2"] 1] / max(1e-6, [lindex [dict get $best "check-layout -j2"] 1]) }]
    set lines {}
    foreach name {check-layout "bare reader" "readelf -lSW"} {
        lappend lines [format "%-24s %9.0f files for each second of processor time" $name [dict get $rate $name]]
    }
    set status 0
    foreach { name value bar unit how reached } [list \
        "of the bare reader" [expr { [dict get $rate check-layout] / [dict get $rate "bare reader"] }] $::ldlayout::bench_bare_bar "" \
            "at least" {$value >= $bar} \
        "of readelf -lSW" [expr { [dict get $rate check-layout] / [dict get $rate "readelf -lSW"] }] $::ldlayout::bench_readelf_bar "" \
            "more than" {$value > $bar} \
        "-j2 against xargs -P2" $second $::ldlayout::bench_second_job_bar "" "at least" {$value >= $bar}] {
        set verdict [bar_verdict [expr $reached] $others 0]
        set status [expr { $status || $verdict eq "not met" }]
        lappend lines [format "%-24s %9.2f, bar: %s %.1f: %s" $name $value $how $bar $verdict]
    }
    # Memory does not depend on what others do.
    set met [expr { $memory < $::ldlayout::bench_memory_bar }]
    lappend lines [format "%-24s %9d KiB, bar: below %d: %s" "memory" $memory $::ldlayout::bench_memory_bar [expr { $met ? "met" : "not met" }]]
    return [list [expr { $status || !$met }] $lines]
}

# Takes the output folder and the root (both paths); builds, measures and prints. run-commands is open. Returns the exit status.
proc bench_check_layout { output root } {
    puts stderr "bench: check-layout"
    set programs $output/host/elf/program
    set make [run_command bench [list make -s -f $::ldlayout::top/lib/host-tools.mk srcdir=$::ldlayout::top O=$output check-layout-bench] -timeout 600]
    if { ![command_succeeded $make] } {
        error "check-layout cannot be built: [dict get $make output]"
    }
    set tree $output/bench/check-layout
    file delete -force $tree
    file mkdir $tree
    try {
        set made [make_tree [linked_files $root] $tree]
        set many [run_command bench [list sh $::ldlayout::top/lib/elf/tests/make-many-sections.sh $programs/check-layout 10000 $tree/many]]
        if { ![command_succeeded $many] } {
            error "no file with many sections: [dict get $many output]"
        }
        file copy $tree/many $tree/sparse
        exec truncate -s 64G $tree/sparse
        file copy $programs/check-layout $tree/small
        set passes $::ldlayout::bench_passes
        set halves [lmap half {one two} { string repeat " [shell_words [list $tree/$half]]" $passes }]
        exec find $tree/one $tree/two -type f -print0 > $tree/files
        set listed [shell_words [list $tree/files]]
        set tool [shell_words [list $programs/check-layout]]
        # Status 1 is a finding in one of the files.
        set finding { || [ $? = 1 ]}
        set bare [shell_words [list $programs/read-program-headers]]
        set machine [busy_seconds]
        set own [reaped_seconds]
        set start [clock microseconds]
        set best [best_of_turns [dict create \
            check-layout "$tool -j1 [join $halves]$finding" \
            "bare reader" "$bare $passes < $listed" \
            "readelf -lSW" [join [lrepeat $passes "xargs -0 -a $listed readelf -lSW 2>&1"] ";"] \
            "check-layout -j2" "$tool -j2 [join $halves]$finding" \
            "xargs -P2" "printf '%s\\0' [shell_words [lmap half $halves { string cat "$tool -j1" $half $finding }]] | xargs -0 -n 1 -P 2 sh -c"]]
        set wall [expr { ([clock microseconds] - $start) / 1e6 }]
        set others [expr { max(0, [busy_seconds] - $machine - ([reaped_seconds] - $own)) / $wall }]
        set memories [peak_memories $programs $tree]
        set files [expr { $passes * [dict get $made count] }]
        lassign [judge_check_layout $best $files [tcl::mathfunc::max {*}[dict values $memories]] $others] status lines
        puts ""
        print_fact check-layout "[dict get $made count] executables and shared objects of the [dict get $made of] below $root, up to\
 [dict get $made largest] bytes each; best of $::ldlayout::bench_turns turns of $passes passes"
        print_fact memory [join [lmap { name kib } $memories { string cat "$name: $kib KiB" }] "; "]
        puts [join $lines \n]
    } finally {
        file delete -force $tree
    }
    return $status
}

# Sourced, it only defines its procedures.
if { [file normalize $argv0] ne [file normalize [info script]] } {
    return
}
if { [lindex $argv 0] in {"" --help} } {
    puts $usage
    exit [expr { [llength $argv] == 0 ? 2 : 0 }]
}
set root /usr
set words {}
foreach word $argv {
    if { ![regexp {^ROOT=(.+)$} $word -> root] } {
        lappend words $word
    }
}
exit [status_of bench {
    set settings [read_bench_settings $words]
    set output [file dirname [dict get $settings output]]
    scrub_environment [file join $output home]
    command_server_open [dict get $settings run-commands]
    run_command bench true
    bench_check_layout $output [file normalize $root]
}]

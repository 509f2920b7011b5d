# The benchmark: what a run costs, how much of it is the suite's own, and what a second job gains.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh bench.tcl OUTPUT=dir RUN_COMMANDS=path NAME=value…     (make bench calls it)
Runs the main job with JOBS=1 and JOBS=2, and between them replays the commands of its cells (link, readelf, run) with
xargs -P1 and -P2. Prints processor time by kind of command, and two bars: the suite's own share of the processor time,
and the gain of the second job against that of xargs. All output goes to OUTPUT/bench; the settings are those of
check.tcl, with the defaults TESTS='hello/*' and RUNTESTFLAGS=matrix.exp. The replayed programs run as the user who calls this.
Then lib/bench-check-layout.tcl measures check-layout.
A bar is inconclusive where other processes, or a hypervisor, take more than a tenth of a processor meanwhile, and the second one
where the same commands cost a tenth more processor time with one JOBS than with the other (files read anew from the disk).
Exit status: 0 no bar is missed, 1 one is missed on an idle machine, 2 nothing could be measured.}

source [file join [file dirname [info script]] ldlayout.exp]

namespace eval ldlayout {
    # The bars that a run is held against.
    variable bench_share_bar 25.0
    variable bench_ratio_bar 0.9
    # Processors that others may use on a machine that counts as idle.
    variable bench_idle 0.1
    # By how much the processor time of the same commands may differ between two runs that are compared.
    variable bench_spread 0.1
    # Seconds after which a run is given up.
    variable bench_limit 14400
    # Links timed once more, by the compiler driver and by the linker alone.
    variable bench_links 40
}

# Takes the command line; returns a dict: output, run-commands, words (settings for check.tcl). Errors when one of the
# two paths is not given; check.tcl judges the other settings.
proc read_bench_settings { words } {
    set settings [dict create OUTPUT "" RUN_COMMANDS "" TESTS hello/* RUNTESTFLAGS matrix.exp]
    foreach word $words {
        if { [regexp {^([A-Z_]+)=(.+)$} $word -> name value] } {
            dict set settings $name $value
        } elseif { ![regexp {^[A-Z_]+=$} $word] } {
            error "unexpected argument '$word': type NAME=value, see --help"
        }
    }
    foreach name {OUTPUT RUN_COMMANDS} {
        if { [dict get $settings $name] eq "" } {
            error "$name= is needed; type 'make bench', or see --help"
        }
    }
    return [dict create output [dict get $settings OUTPUT]/bench run-commands [dict get $settings RUN_COMMANDS] \
                words [lmap name [dict keys $settings] { string cat $name= [dict get $settings $name] }]]
}

# Returns the seconds for which the machine's processors were busy since it started, a hypervisor's other guests
# included (proc(5), /proc/stat: user nice system idle iowait irq softirq steal, in hundredths).
proc busy_seconds {} {
    lassign [lrange [split [read_file /proc/stat]] 1 9] - user nice system - - interrupts soft_interrupts steal
    return [expr { ($user + $nice + $system + $interrupts + $soft_interrupts + $steal) / 100.0 }]
}

# Returns the processor seconds of all that run-commands has started and that has ended. It adopts orphans, so that
# what a runtest leaves running at its end counts too. (proc(5), /proc/pid/stat, 16 and 17: cutime and cstime.)
proc reaped_seconds {} {
    set guard [pid $::ldlayout::command_channel]
    set worker [string trim [read_file /proc/$guard/task/$guard/children]]
    # The name, field 2, may have spaces: the third is what follows its bracket.
    set fields [split [regsub {^.*\) } [read_file /proc/$worker/stat] ""]]
    return [expr { ([lindex $fields 13] + [lindex $fields 14]) / 100.0 }]
}

# Takes a command; runs it to its end. Returns a dict: wall (seconds), cpu (processor seconds of it and all its
# descendants), others (how many processors the rest of the machine used meanwhile), and what run_command returns.
proc measure { command } {
    set machine [busy_seconds]
    set own [reaped_seconds]
    set start [clock microseconds]
    set result [run_command bench $command -timeout $::ldlayout::bench_limit]
    set wall [expr { ([clock microseconds] - $start) / 1e6 }]
    set cpu [expr { [reaped_seconds] - $own }]
    set others [expr { max(0, [busy_seconds] - $machine - $cpu) / $wall }]
    return [dict merge $result [dict create wall $wall cpu $cpu others $others]]
}

# Takes the settings and a number of jobs; runs the main job. Returns its measure with: check (its folder), verdicts
# (its last line), cells. Errors when it could not run, or lost tests.
proc measure_job { settings jobs } {
    puts stderr "bench: the main job, JOBS=$jobs"
    set output [dict get $settings output]/jobs-$jobs
    set measured [measure [concat [list [info nameofexecutable] $::ldlayout::top/lib/check.tcl] [dict get $settings words] \
                               [list OUTPUT=$output JOBS=$jobs TRACE=1]]]
    set text [string trim [dict get $measured output]]
    if { !([command_succeeded $measured 0] || [command_succeeded $measured 1]) || [regexp -line {^ERROR: .*} $text] } {
        error "the main job ended with [command_end_words $measured]:\n[string range $text end-2000 end]"
    }
    set cells 0
    foreach finished [glob $output/check/shards/*/*/*/finished] {
        if { ![string match */prepare/finished $finished] } {
            incr cells [regexp -all \n [read_file $finished]]
        }
    }
    return [dict merge $measured [dict create check $output/check cells $cells verdicts [lindex [split $text \n] end]]]
}

# Takes the folder of a run; returns a dict from category to {commands processor-seconds}, over all its shards.
proc category_costs { check } {
    set costs [dict create]
    foreach category {compile link readelf run} {
        dict set costs $category {0 0}
    }
    foreach path [glob $check/shards/*/*/*/commands] {
        dict for { category value } [read_key_values $path] {
            lassign [dict get $costs $category] count seconds
            dict set costs $category [list [expr { $count + [lindex $value 0] }] [expr { $seconds + [lindex $value 1] }]]
        }
    }
    return $costs
}

# Takes the folder of a run; returns a dict from each cell's work folder to its commands, in order, as {category command}.
proc traced_cells { check } {
    set cells [dict create]
    foreach trace [lsort [glob $check/shards/*/*/*/trace]] {
        set work [dict get [read_key_values [file dirname $trace]/shard] work]/
        if { [string match */prepare/trace $trace] } {
            continue
        }
        foreach entry [split [string trim [read_file $trace]] \n] {
            set at [string first $work $entry]
            if { $at >= 0 } {
                set below [string range $entry $at+[string length $work] end]
                dict lappend cells $work[lindex [split $below /] 0] $entry
            }
        }
    }
    return $cells
}

# Takes a cell's folder and its commands; returns the line of sh that repeats them there. The last one (the program, or
# a link that the linker refuses) may end as it likes, the others must succeed. Emptying the files frees their space
# without a process more.
proc replay_line { folder entries } {
    set commands [lmap entry $entries { shell_words [lindex $entry 1] }]
    return "exec </dev/null >/dev/null 2>&1; cd [shell_words [list $folder]]\
 && [join [lrange $commands 0 end-1] { && }][expr { [llength $commands] > 1 ? " && " : "" }]{ [lindex $commands end]; :; }\
 || exit 1; for file in *; do : >\"\$file\"; done"
}

# Takes the settings, the cells (traced_cells) and a number of jobs; replays them with xargs. Returns the measure.
# Errors when a command that succeeded in the main job fails here.
proc measure_replay { settings cells jobs } {
    puts stderr "bench: the same commands, xargs -P$jobs"
    set path [dict get $settings output]/replay
    set lines {}
    dict for { folder entries } $cells {
        file mkdir $folder
        lappend lines [replay_line $folder $entries]
    }
    write_file $path [join $lines \0]
    set measured [measure [list xargs -0 -a $path -n 1 -P $jobs sh -c]]
    foreach folder [dict keys $cells] {
        file delete -force $folder
    }
    if { ![command_succeeded $measured] } {
        error "xargs, which repeats commands that succeeded, ended with [command_end_words $measured]: [dict get $measured output]"
    }
    return $measured
}

# Takes the cells; links some of them, evenly chosen, once more: by the compiler driver, and by the linker that it calls
# with the very words that it calls it with. Returns {links driver-seconds linker-seconds}, processor time.
proc split_link { cells } {
    set step [expr { max(1, [dict size $cells] / $::ldlayout::bench_links) }]
    set count 0
    set driver 0
    set linker 0
    for { set i 0 } { $i < [dict size $cells] } { incr i $step } {
        set folder [lindex [dict keys $cells] $i]
        set command [lindex [dict get $cells $folder] 0 1]
        set words [collect2_words [dict get [run_command bench [concat $command -###]] output]]
        set program [string trim [dict get [run_command bench [concat $command -print-prog-name=ld]] output]]
        file mkdir $folder
        set by_driver [run_command bench $command]
        set by_linker [run_command bench [linsert $words 0 $program]]
        file delete -force $folder
        if { [command_succeeded $by_driver] && [command_succeeded $by_linker] } {
            incr count
            set driver [expr { $driver + [dict get $by_driver cpu] }]
            set linker [expr { $linker + [dict get $by_linker cpu] }]
        }
    }
    return [list $count $driver $linker]
}

# Takes the costs of two runs by category (category_costs); returns by how much more the cells' commands cost in one of them: 0.1 is a tenth.
proc cost_spread { one two } {
    lassign [lmap costs [list $one $two] {
        tcl::mathop::+ {*}[lmap category {link readelf run} { lindex [dict get $costs $category] 1 }]
    }] one two
    return [expr { min($one, $two) > 0 ? double(max($one, $two)) / min($one, $two) - 1 : 0 }]
}

# Takes whether a figure reaches its bar, the largest number of processors that others used while it was measured, and by how much the
# cost of the same commands differed (cost_spread); returns the verdict.
proc bar_verdict { reached others spread } {
    if { $others > $::ldlayout::bench_idle } {
        return [format "inconclusive (the rest of the machine used %.2f processors)" $others]
    }
    if { $spread > $::ldlayout::bench_spread } {
        return [format "inconclusive (the same commands cost %.0f %% more processor time in one run than in the other)" [expr { 100 * $spread }]]
    }
    return [expr { $reached ? "met" : "not met" }]
}

# Takes the suite's share (percent), the ratio of the gains, the processors that others used at most while each was
# measured, and the cost_spread of the two runs whose gain is compared; returns the exit status and the lines with both bars.
proc judge { share ratio share_others ratio_others spread } {
    set share_verdict [bar_verdict [expr { $share < $::ldlayout::bench_share_bar }] $share_others 0]
    set ratio_verdict [bar_verdict [expr { $ratio >= $::ldlayout::bench_ratio_bar }] $ratio_others $spread]
    return [list [expr { "not met" in [list $share_verdict $ratio_verdict] }] [list \
        [format "%-16s %.1f %%, bar: below %.0f %%: %s" "harness share" $share $::ldlayout::bench_share_bar $share_verdict] \
        [format "%-16s %.2f, bar: at least %.1f: %s" "JOBS=2 / xargs" $ratio $::ldlayout::bench_ratio_bar $ratio_verdict]]]
}

# Takes the settings and the folder of a run; prints the machine, the tools and what was run.
proc print_machine { settings check } {
    regexp -line {^(?:model name|Model Name|CPU part)\s*:\s*(.*)$} "[read_file /proc/cpuinfo]\nmodel name: unknown" -> model
    print_fact machine "$model, [exec nproc] processors, [exec uname -sr]"
    print_fact toolchain $::env(LDLAYOUT_TOOLCHAIN)
    foreach path [lsort [glob -directory [file dirname $check]/tools {*}[target_names]]] {
        set tools [read_key_values $path]
        print_fact [dict get $tools target] "gcc [dict get $tools gcc-version]; [dict get $tools ld-version];\
 [dict get $tools readelf-version]; emulator [dict get $tools emulator-version]"
    }
    print_fact settings [join [lmap word [dict get $settings words] {
        if { [regexp {^(OUTPUT|RUN_COMMANDS|CHECK_LAYOUT|JOBS|TRACE|TARGETS_GIVEN)=} $word] } { continue }
        set word
    }]]
}

# Takes a name and a text; prints them as a row.
proc print_fact { name text } {
    puts [format "%-16s %s" $name $text]
}

# Takes a dict from a run's name to its measure, and the number of cells; prints a row for each. A speed-up is against
# the run before it that has one job.
proc print_runs { runs cells } {
    puts [format "\n%-16s %9s %9s %9s %9s %9s" run "wall s" "CPU s" cells/s speed-up "others"]
    dict for { name measured } $runs {
        puts [format "%-16s %9.2f %9.2f %9s %9s %9.2f" $name [dict get $measured wall] [dict get $measured cpu] \
                  [expr { $name eq "before" ? "-" : [format %.1f [expr { $cells / [dict get $measured wall] }]] }] \
                  [expr { [dict exists $measured gain] ? [format %.2f [dict get $measured gain]] : "-" }] \
                  [dict get $measured others]]
    }
    puts "others: how many processors the rest of the machine used meanwhile (/proc/stat, less our own time)"
}

# Takes the costs by category, the processor seconds of the whole run, its cells and the split of a link; prints the
# parts of the whole. Returns the suite's own share in percent.
proc print_costs { costs whole cells split } {
    puts [format "\n%-16s %9s %9s %9s %9s" "part (JOBS=1)" commands "CPU s" "ms each" "share %"]
    set row "%-16s %9d %9.2f %9.2f %9.1f"
    set rest $whole
    dict for { category cost } $costs {
        lassign $cost count seconds
        set rest [expr { $rest - $seconds }]
        puts [format $row $category $count $seconds [expr { 1000 * $seconds / max(1, $count) }] [expr { 100 * $seconds / $whole }]]
    }
    set share [expr { 100 * $rest / $whole }]
    puts [format $row "harness (cells)" $cells $rest [expr { 1000 * $rest / $cells }] $share]
    puts [format $row "whole (cells)" $cells $whole [expr { 1000 * $whole / $cells }] 100]
    lassign $split count driver linker
    foreach { name seconds } [list "link, by gcc" $driver "link, ld alone" $linker] {
        puts [format "%-16s %9d %9.2f %9.2f         -" $name $count $seconds [expr { 1000 * $seconds / max(1, $count) }]]
    }
    return $share
}

# Takes the settings; measures and prints everything. Returns the exit status.
proc bench { settings } {
    set output [dict get $settings output]
    file delete -force $output
    file mkdir $output/home
    scrub_environment $output/home
    command_server_open [dict get $settings run-commands]
    # Answered once, it has started the process that reaped_seconds looks at.
    run_command bench true
    # A small run first, so that tools come from memory in every run; it may have no cell.
    measure [concat [list [info nameofexecutable] $::ldlayout::top/lib/check.tcl] [dict get $settings words] [list OUTPUT=$output/first MATRIX=smoke]]
    set runs [dict create before [measure {sleep 2}] JOBS=1 [measure_job $settings 1]]
    set check [dict get $runs JOBS=1 check]
    set cells [traced_cells $check]
    foreach jobs {1 2} {
        dict set runs "xargs -P$jobs" [measure_replay $settings $cells $jobs]
    }
    dict set runs JOBS=2 [measure_job $settings 2]
    foreach { one two } {JOBS=1 JOBS=2 "xargs -P1" "xargs -P2"} {
        dict set runs $two gain [expr { [dict get $runs $one wall] / [dict get $runs $two wall] }]
    }
    print_machine $settings $check
    foreach jobs {1 2} {
        print_fact "verdicts, JOBS=$jobs" [dict get $runs JOBS=$jobs verdicts]
    }
    set count [dict get $runs JOBS=1 cells]
    print_runs $runs $count
    set share [print_costs [category_costs $check] [dict get $runs JOBS=1 cpu] $count [split_link $cells]]
    set ratio [expr { [dict get $runs JOBS=2 gain] / [dict get $runs "xargs -P2" gain] }]
    lassign [judge $share $ratio [dict get $runs JOBS=1 others] \
                 [tcl::mathfunc::max {*}[lmap measured [dict values [dict remove $runs before]] { dict get $measured others }]] \
                 [cost_spread {*}[lmap jobs {1 2} { category_costs [dict get $runs JOBS=$jobs check] }]]] status lines
    puts \n[join $lines \n]
    uplevel #0 [list source $::ldlayout::top/lib/bench-check-layout.tcl]
    return [expr { max($status, [bench_check_layout [file dirname $output] /usr]) }]
}

# Sourced by a test, it only defines its procedures.
if { [file normalize $argv0] ne [file normalize [info script]] } {
    return
}
if { [lindex $argv 0] in {"" --help} } {
    puts $usage
    exit [expr { [llength $argv] == 0 ? 2 : 0 }]
}
exit [status_of bench { bench [read_bench_settings $argv] }]

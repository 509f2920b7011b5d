# The suite's own tests: the lint, the unit tests, the C tools' tests, and the real job with something broken.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh selftest.tcl OUTPUT=dir [JOBS=N]     (make selftest calls it; see README.md)
Runs lib/lint.tcl, every lib/tests/*.test and lib/negative/*.test, the tests of the C tools (plain and with the sanitizers), the kill matrix of
check-layout (which it prints), and a smoke run
of the main job on every target. Ends with the line "N passed, N failed". Exit status: 0, 1 some test failed, 2 bad use.}

set top [file dirname [file dirname [file normalize [info script]]]]

# Takes a title, the command and a file for its output; runs it and prints the title, its time and its last line. Returns {passed failed}. A
# command that ends with another status than its count says, or without a count, is a failed test.
proc part { title command log } {
    puts -nonewline [format "%-44s " $title]
    flush stdout
    set start [clock milliseconds]
    set status [catch { exec {*}$command >& $log < /dev/null }]
    set seconds [expr { ([clock milliseconds] - $start) / 1000.0 }]
    set channel [open $log]
    set text [read $channel]
    close $channel
    set last [lindex [split [string trim $text] \n] end]
    if { ![regexp {([0-9]+) passed, ([0-9]+) failed} $last -> passed failed] || ($passed == 0 && $failed == 0)
         || ($status != 0) != ($failed > 0) } {
        puts [format "%6.1f s  no count, or a status that contradicts it (see %s): %s" $seconds $log $last]
        return {0 1}
    }
    puts [format "%6.1f s  %s%s" $seconds $last [expr { $failed > 0 ? " (see $log)" : "" }]]
    return [list $passed $failed]
}

# Takes the log of the kill matrix; prints the matrix: what each rule reports.
proc print_matrix { log } {
    set channel [open $log]
    set text [read $channel]
    close $channel
    foreach line [split $text \n] {
        if { [regexp {^\S+ \((file|cell|pair|profile|figure)\): |^    \S+ +\d+ of +\d+ copies reported|^\d+ rules, |^known findings:|^ *\d+ specimens: } $line] } {
            puts "    $line"
        }
    }
}

# Takes the output folder and how many jobs; runs all parts. Returns the exit status.
proc selftest { output jobs } {
    set directory $output/selftest
    file delete -force $directory
    file mkdir $directory
    set passed 0
    set failed 0
    foreach { title command } [list \
        "lint of corpus and sources" [list tclsh $::top/lib/lint.tcl] \
        "unit tests of the Tcl libraries" [list tclsh $::top/lib/tests/run.tcl -j $jobs $::top/lib/tests] \
        "unit tests of the C tools" [list make -s -f $::top/lib/host-tools.mk srcdir=$::top O=$output test] \
        "unit tests of check-layout" [list make -s -j$jobs -f $::top/lib/host-tools.mk srcdir=$::top O=$output check-layout-test] \
        "kill matrix of check-layout" [list make -s -j$jobs -f $::top/lib/host-tools.mk srcdir=$::top O=$output check-layout-matrix] \
        "the real job with something broken" [list tclsh $::top/lib/tests/run.tcl -j $jobs $::top/lib/negative] \
        "the real job, MATRIX=smoke" [list make -s -j$jobs -f $::top/Makefile O=$directory/smoke TOOLCHAIN=none MATRIX=smoke check]] {
        set log $directory/[string map {" " - , ""} $title].log
        set counts [part $title $command $log]
        if { [string match "kill matrix*" $title] } {
            print_matrix $log
        }
        incr passed [lindex $counts 0]
        incr failed [lindex $counts 1]
    }
    puts "$passed passed, $failed failed"
    return [expr { $failed > 0 }]
}

set output ""
set jobs 1
foreach word $argv {
    switch -glob -- $word {
        OUTPUT=?* { set output [string range $word 7 end] }
        JOBS=?*   { set jobs [string range $word 5 end] }
        --help    { puts $usage; exit 0 }
        default   { puts stderr "selftest: unknown '$word'; see --help"; exit 2 }
    }
}
if { $output eq "" } {
    puts stderr "selftest: OUTPUT=dir is needed; see --help"
    exit 2
}
exit [selftest $output $jobs]

# Runs test files: every *.test file beside this one (or those and of the folders named), each in a process of its own.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh lib/tests/run.tcl [-j jobs] [file.test or folder …]
Runs the files and every .test file of the folders (default: the folder of this script), prints one line for each, what failed or was skipped in it,
and at the end the number of single tests: "N passed, N failed".
Exit status: 0 all passed, 1 a test failed, or a file died, ran no test or took longer than 15 minutes, 2 cannot run.}

# Takes a path; starts its process, whose output is collected in `output`, by path.
proc start_file { path } {
    global output
    set output($path) ""
    set channel [open |[list timeout -k 5 $::time_limit [info nameofexecutable] $path 2>@1] r]
    fconfigure $channel -blocking 0
    fileevent $channel readable [list read_output $path $channel]
}

# Takes a path and the channel of its process; called when there is output or the end. At the end notes the exit status.
proc read_output { path channel } {
    global output status event
    append output($path) [read $channel]
    if { ![eof $channel] } {
        return
    }
    fconfigure $channel -blocking 1
    set status($path) "exit status 0"
    if { [catch { close $channel } message options] } {
        lassign [dict get $options -errorcode] kind - code
        set status($path) [expr { $kind eq "CHILDSTATUS" ? "exit status $code" : $message }]
    }
    set event $path
}

# Takes a file's output and how it ended; returns {passed failed skipped lines}: a file that died, that ran no test or
# whose end does not agree with its counts has one failure more than it counted. (tcltest itself ends with 0 whatever failed.)
proc judge_file { output status } {
    set passed 0
    set failed 0
    set skipped 0
    set lines {}
    foreach line [split $output \n] {
        if { [regexp {^\S*:\s+Total\s+(\d+)\s+Passed\s+(\d+)\s+Skipped\s+(\d+)\s+Failed\s+(\d+)$} $line -> total passed skipped failed] } {
            set ended 1
        } else {
            lappend lines $line
        }
    }
    set problem ""
    if { ![info exists ended] } {
        set problem "ended before its last test: $status"
    } elseif { $passed + $failed == 0 } {
        set problem "ran no test"
    } elseif { $status ni {"exit status 0" "exit status 1"} || ($failed == 0 && $status ne "exit status 0") } {
        set problem "$failed tests failed, but it ended with $status"
    }
    if { $problem ne "" } {
        lappend lines "ERROR: $problem"
        incr failed
    }
    return [list $passed $failed $skipped [string trim [join $lines \n]]]
}

# Seconds that a file may take. A unit test takes seconds, one that runs the real job minutes.
set time_limit 900
set jobs 1
set files {}
set named 0
for { set i 0 } { $i < $argc } { incr i } {
    set word [lindex $argv $i]
    if { $word in {-h --help} } {
        puts $usage
        exit 0
    } elseif { $word eq "-j" && [regexp {^[1-9][0-9]*$} [lindex $argv $i+1]] } {
        set jobs [lindex $argv [incr i]]
    } elseif { [string match -* $word] || ![file readable $word] } {
        puts stderr "run.tcl: '$word' is neither an option nor a test file or folder: type 'tclsh $argv0 --help'"
        exit 2
    } elseif { [file isdirectory $word] } {
        incr named
        lappend files {*}[lsort [glob -nocomplain -directory [file normalize $word] *.test]]
    } else {
        incr named
        lappend files [file normalize $word]
    }
}
if { $named == 0 } {
    set files [lsort [glob -nocomplain -directory [file dirname [file normalize [info script]]] *.test]]
}
if { [llength $files] == 0 } {
    puts stderr "run.tcl: there is no .test file there: name one"
    exit 2
}
set all_passed 0
set all_failed 0
set all_skipped 0
set waiting $files
set running 0
while { $running > 0 || [llength $waiting] > 0 } {
    while { $running < $jobs && [llength $waiting] > 0 } {
        start_file [lindex $waiting 0]
        set waiting [lrange $waiting 1 end]
        incr running
    }
    vwait event
    incr running -1
    lassign [judge_file $output($event) $status($event)] passed failed skipped lines
    puts [format "%-28s %4d passed, %d failed%s" [file tail $event] $passed $failed \
              [expr { $skipped > 0 ? ", $skipped skipped" : "" }]]
    # Of a file with nothing amiss the one line says all; what else it prints shows when it is run alone.
    if { $failed > 0 || $skipped > 0 } {
        puts "  [string map [list \n "\n  "] $lines]"
    }
    incr all_passed $passed
    incr all_failed $failed
    incr all_skipped $skipped
}
if { $all_skipped > 0 } {
    puts "$all_skipped skipped"
}
puts "$all_passed passed, $all_failed failed"
exit [expr { $all_failed > 0 }]

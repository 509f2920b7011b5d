# What the negative tests share: runs the real job with something broken and reads what it reported.
# SPDX-License-Identifier: GPL-3.0-or-later
#
# A test file sources this, uses run_check and the procs that read a run, and ends with `finish`. It needs the tools of x86_64 in
# PATH, as inside a private root or with TOOLCHAIN=host.

package require Tcl 8.6
package require json
package require tcltest 2.5
namespace import ::tcltest::test ::tcltest::testConstraint

namespace eval broken {
    # The folder of this file, and the top of the source tree.
    variable here [file dirname [file normalize [info script]]]
    variable top [file dirname [file dirname $here]]
    # Programs are run as another user, who must get to them: not a directory that is only ours.
    variable scratch [exec mktemp -d [file join [expr { [info exists env(TMPDIR)] ? $env(TMPDIR) : "/tmp" }] ldlayout-negative.XXXXXX]]
    file attributes $scratch -permissions 0755
    variable count 0
    variable real_linker ""
    # A run of a few cells takes 3 s; one that takes longer than this hangs.
    variable seconds_at_most 120
}
# The run must not see the make that started the tests; it is inside already, wherever that is.
unset -nocomplain env(MAKEFLAGS) env(MAKELEVEL) env(MFLAGS)
set env(LDLAYOUT_INSIDE) 1
if { ![info exists env(LDLAYOUT_TOOLCHAIN)] } {
    set env(LDLAYOUT_TOOLCHAIN) host
}
testConstraint root [expr { [exec id -u] == 0 }]

# Takes a path and text; writes the file, with what directories it needs, executable if it begins with #!. Returns the path.
proc write_text { path text } {
    file mkdir [file dirname $path]
    set channel [open $path w]
    puts -nonewline $channel $text
    close $channel
    file attributes $path -permissions [expr { [string match "#!*" $text] ? "0755" : "0644" }]
    return $path
}

# Takes a path; returns the file's text, empty if there is no such file.
proc read_text { path } {
    if { ![file exists $path] } {
        return ""
    }
    set channel [open $path r]
    try {
        return [read $channel]
    } finally {
        close $channel
    }
}

# Takes a word; returns the path of a new, empty place with that word in its name; makes nothing.
proc new_place { word } {
    return $::broken::scratch/$word-[incr ::broken::count]
}

# Returns a fresh output directory that has our host tools already, so that a run need not compile them.
proc new_output {} {
    set host $::broken::scratch/host-tools
    if { ![file exists $host] } {
        exec make -s -f $::broken::top/lib/host-tools.mk srcdir=$::broken::top O=$host all >@ stderr 2>@1
    }
    set output [new_place output]
    file mkdir $output
    file link -symbolic $output/host $host/host
    return $output
}

# Takes words for make, such as TESTS=… or LD_x86_64=…; returns the whole command of a check of one x86_64 cell and more only if
# they say so. Besides, SOURCES=dir is the tree to run, DIRECTORY=dir where make stands, O=dir where it writes (default: a fresh one), -j=N.
proc check_command { words } {
    set settings [dict create SOURCES $::broken::top DIRECTORY / O "" TARGETS x86_64 MATRIX full TESTS hello/pie/default]
    foreach word $words {
        set at [string first = $word]
        dict set settings [string range $word 0 $at-1] [string range $word $at+1 end]
    }
    if { [dict get $settings O] eq "" } {
        dict set settings O [new_output]
    }
    set command [list make --no-print-directory -C [dict get $settings DIRECTORY] -f [dict get $settings SOURCES]/Makefile]
    if { [dict exists $settings -j] } {
        lappend command -j[dict get $settings -j]
    }
    foreach name [dict keys [dict remove $settings SOURCES DIRECTORY -j]] {
        lappend command $name=[dict get $settings $name]
    }
    return [concat $command check]
}

# Takes words as check_command does; does the run. Returns it as a dict: status (exit status), text (all that it printed), output
# (its directory), verdicts (the lines of results.jsonl as dicts), left (the processes of the run that are still there).
proc run_check { args } {
    return [finished_run [check_command $args] {}]
}

# Takes the command of a check and words to put before it (env …); runs it. Returns what run_check returns.
proc finished_run { command prefix } {
    set status 0
    if { [catch { exec {*}$prefix timeout -k 5 $::broken::seconds_at_most {*}$command < /dev/null 2>@1 } text options] } {
        set code [dict get $options -errorcode]
        set status [expr { [lindex $code 0] eq "CHILDSTATUS" ? [lindex $code 2] : $code }]
        set text [regsub {\nchild process exited abnormally$} $text ""]
    }
    set output [string range [lsearch -inline -glob $command O=*] 2 end]
    return [dict create status [status_of_recipe $status $text] text $text output $output \
                verdicts [read_verdicts $output/check/results.jsonl] left [processes_of $output]]
}

# Takes make's exit status and what it printed; returns the exit status of the command that it ran (make itself makes 2 of every one).
proc status_of_recipe { status text } {
    if { $status == 2 } {
        regexp {make: \*\*\* .* Error ([0-9]+)} $text -> status
    }
    return $status
}

# Takes the path of a results.jsonl; returns its lines as dicts.
proc read_verdicts { path } {
    return [lmap line [split [string trim [read_text $path]] \n] { ::json::json2dict $line }]
}

# Takes a directory; returns the ids of all processes that name it, or stand in it: none may outlive its run.
proc process_ids_of { directory } {
    set found {}
    foreach process [glob -nocomplain -tails -directory /proc -types d {[0-9]*}] {
        set line [process_line $process]
        if { $process == [pid] || $line eq "" } {
            continue
        }
        if { [catch { file readlink /proc/$process/cwd } place] } {
            set place ""
        }
        if { [string first $directory/ $line/] >= 0 || [string first $directory/ $place/] == 0 } {
            lappend found $process
        }
    }
    return $found
}

# Takes a process number; returns its command line (words end with NUL), empty when it has ended.
proc process_line { process } {
    if { [catch { read_text /proc/$process/cmdline } line] } {
        return ""
    }
    return $line
}

# Takes a directory; returns the command lines of the same processes.
proc processes_of { directory } {
    return [lmap process [process_ids_of $directory] {
        set line [process_line $process]
        if { $line eq "" } { continue }
        string trim [string map {\0 " "} $line]
    }]
}

# Takes a signal's name and a process id, negative for a process group; sends it. (A root need not have a program `kill`.)
proc send_signal { signal process } {
    exec sh -c {kill -s "$1" -- "$2"} sh $signal $process
}

# Takes a run and outcomes (FAIL, UNRESOLVED …); returns the names with one of these, sorted: "cell rule", each a list element.
proc names_with { run args } {
    return [lsort [lmap verdict [dict get $run verdicts] {
        if { [dict get $verdict verdict] ni $args } { continue }
        string trim "[dict get $verdict cell] [dict get $verdict rule]"
    }]]
}

# Takes a run and a cell; returns the rules that are FAIL there, sorted.
proc failed_rules { run cell } {
    return [lsort [lmap verdict [dict get $run verdicts] {
        if { [dict get $verdict cell] ne $cell || [dict get $verdict verdict] ne "FAIL" } { continue }
        dict get $verdict rule
    }]]
}

# Takes a run, a cell and a rule; returns "VERDICT reason", or "none" when the rule has no verdict there.
proc verdict_of { run cell rule } {
    foreach verdict [dict get $run verdicts] {
        if { [dict get $verdict cell] eq $cell && [dict get $verdict rule] eq $rule } {
            return [string trim "[dict get $verdict verdict] [dict get $verdict reason]"]
        }
    }
    return none
}

# Takes a run; returns the lines that begin with "ERROR: ", without this word, or the one line of an error that ended it before
# ("ldlayout: …", "enter.sh: …", "find-tools.sh: …", "Makefile: *** …").
proc errors_of { run } {
    set errors {}
    foreach line [split [dict get $run text] \n] {
        if { [regexp {^ERROR: (.*)$} $line -> error] || [regexp {^((?:ldlayout|enter\.sh|find-tools\.sh|toolchains): .*)$} $line -> error]
             || [regexp {\*\*\* (ldlayout: .*?)\.?\s+Stop\.$} $line -> error] } {
            lappend errors $error
        }
    }
    return $errors
}

# Takes a run; returns its last line, "N passed, N failed", or what stands in its place.
proc count_line { run } {
    set lines [lsearch -all -inline -not -regexp [split [string trim [dict get $run text]] \n] {^make: }]
    return [lindex $lines end]
}

# Takes a run; returns "good" when nothing at all is wrong with it, else what is: its status, failures, errors and processes left.
# A control: the same selection with nothing broken.
proc whether_good { run } {
    set bad [names_with $run FAIL KPASS XPASS UNRESOLVED]
    if { [dict get $run status] == 0 && [llength $bad] == 0 && [errors_of $run] eq "" && [dict get $run left] eq ""
         && [regexp {^[1-9][0-9]* passed, 0 failed$} [count_line $run]] } {
        return good
    }
    return "status [dict get $run status], bad: $bad, errors: [errors_of $run], left: [dict get $run left], ends: [count_line $run]"
}

# Takes a run that must not begin; returns "status: the one line it says", or what else it did, if that is not one line or if it
# left verdicts.
proc refusal_of { run } {
    set errors [errors_of $run]
    if { [llength $errors] != 1 || [llength [dict get $run verdicts]] > 0 } {
        return "status [dict get $run status], [llength [dict get $run verdicts]] verdicts, said: [dict get $run text]"
    }
    return "[dict get $run status]: [lindex $errors 0]"
}

# Returns the path of the linker that a run without LD= would test.
proc real_linker {} {
    variable ::broken::real_linker
    if { $real_linker eq "" } {
        catch { exec sh $::broken::top/lib/find-tools.sh x86_64 } text
        if { ![regexp -line {^ld: (.*)$} $text -> real_linker] } {
            error "find-tools.sh finds no linker for x86_64: $text"
        }
    }
    return $real_linker
}

# Takes a dict from cell to lines of sh; returns the path of a linker that runs the lines for that cell's output, and then becomes the
# real one. They see its path as $real. For all other outputs, and what else a linker is asked, it is the real one.
proc linker_that { lines_of_cell } {
    set script "#!/bin/sh\nreal='[real_linker]'\ncase \" \$* \" in\n"
    dict for { cell lines } $lines_of_cell {
        append script "    *' -o '*/[string map {/ .} $cell]/*)\n$lines\n    ;;\n"
    }
    return [write_text [new_place linker]/ld "${script}esac\nexec \"\$real\" \"\$@\"\n"]
}

# Takes lines of a case on " ALL ARGUMENTS " in sh; returns the path of a linker that obeys them before it becomes the real one.
proc linker_with { lines } {
    return [write_text [new_place linker]/ld "#!/bin/sh\nreal='[real_linker]'\ncase \" \$* \" in\n$lines\nesac\nexec \"\$real\" \"\$@\"\n"]
}

# Takes edits, a list (see edit-program-headers.tcl); returns the line of sh for linker_that that makes them in the output.
proc edited_program_headers { edits } {
    return "exec tclsh '$::broken::here/edit-program-headers.tcl' '$edits' \"\$real\" \"\$@\""
}

# Takes further files, a dict from path below the top to text; returns the top of a copy of this source tree with these in it.
proc source_tree_with { files } {
    set tree [new_place sources]
    file mkdir $tree
    foreach name {Makefile testsuite corpus lib boards config} {
        file copy $::broken::top/$name $tree/$name
    }
    dict for { path text } $files {
        write_text $tree/$path $text
    }
    return $tree
}

# Ends a test file: removes what it wrote, prints tcltest's line of counts. To be called last.
proc finish {} {
    file delete -force $::broken::scratch
    ::tcltest::cleanupTests
}

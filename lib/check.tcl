# The main job: plans the tests, runs them in shards, merges and counts the results.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh check.tcl OUTPUT=dir NAME=value…     (make check calls it; see README.md)
  OUTPUT=dir          where all output goes (dir/check)
  RUN_COMMANDS=path   the command runner (lib/command)
  CHECK_LAYOUT=path   check-layout, the second witness (lib/elf)
  TARGETS="…"         default: all files of config/targets/
  BOARDS="…"          default: <target>-qemu-user of every target
  MATRIX=core         smoke, core or full
  TESTS="pattern…"    only tests whose names match, such as 'tls/pie/*'
  RUNTESTFLAGS="…"    --target_board=…, driver.exp, driver.exp=pattern; all else is handed to runtest
  JOBS=1 STRICT=0 TIMEOUT_FACTOR=1 SITE=file LINKER_FACTS="fact=value…" TRACE=0 TARGETS_GIVEN=0
Exit status: 0 all planned tests were recorded and none failed, 1 otherwise, 2 nothing could be run.}

# Before anything is read that needs it.
if { [catch { package require json; package require json::write }] } {
    puts stderr "ldlayout: tcllib is missing: install it, or run 'make toolchains', which says what else is"
    exit 2
}
source [file join [file dirname [info script]] ldlayout.exp]

# Takes the command line; returns the settings as a dict. Errors on an unknown one.
proc read_settings { words } {
    set settings [dict create OUTPUT "" RUN_COMMANDS "" CHECK_LAYOUT "" TARGETS "" BOARDS "" MATRIX core TESTS "" RUNTESTFLAGS "" \
                      JOBS 1 STRICT 0 TIMEOUT_FACTOR 1 SITE "" LINKER_FACTS "" TRACE 0 TARGETS_GIVEN 0]
    foreach word $words {
        if { ![regexp {^([A-Z_]+)=(.*)$} $word -> name value] || ![dict exists $settings $name] } {
            error "unknown setting '$word' (known: [join [dict keys $settings] {, }])"
        }
        # An empty setting is one that make passed on unset.
        if { $value ne "" } {
            dict set settings $name $value
        }
    }
    if { [dict get $settings OUTPUT] eq "" } {
        error "OUTPUT=dir is needed"
    }
    foreach { name pattern wanted } {
        JOBS {^[1-9][0-9]*$} "a number from 1"
        TIMEOUT_FACTOR {^(?=.*[1-9])(0|[1-9][0-9]{0,5})?(\.[0-9]+)?$} "a number above 0 and below 1000000"
        MATRIX {^(smoke|core|full)$} "smoke, core or full"
        STRICT {^[01]$} "1, or nothing"
        TRACE {^[01]$} "0 or 1"
    } {
        if { ![regexp $pattern [dict get $settings $name]] } {
            error "$name=[dict get $settings $name]: expected $wanted"
        }
    }
    foreach name {TARGETS BOARDS TESTS LINKER_FACTS} {
        if { ![string is list [dict get $settings $name]] } {
            error "$name=[dict get $settings $name]: words with an unbalanced brace or quote"
        }
    }
    if { [dict get $settings SITE] ne "" && ![file readable [dict get $settings SITE]] } {
        error "SITE=[dict get $settings SITE]: no such file"
    }
    set facts [lmap fact $::ldlayout::facts { dict get $fact fact }]
    foreach word [dict get $settings LINKER_FACTS] {
        if { ![regexp {^([a-z_-]+)=(\S+)$} $word -> fact given] } {
            error "LINKER_FACTS: expected fact=value, found '$word'"
        } elseif { $fact ni $facts } {
            error "LINKER_FACTS: no linker has a fact '$fact' (known: [join [lsort -unique $facts] {, }])"
        }
        set values [lsort -unique [lmap known $::ldlayout::facts {
            if { [dict get $known fact] ne $fact } { continue }
            dict get $known value
        }]]
        set opposite [dict create on off yes no off on no yes]
        lappend values {*}[lmap value $values { if { ![dict exists $opposite $value] } { continue }; dict get $opposite $value }]
        if { $given ni $values } {
            error "LINKER_FACTS: $fact=$given: expected one of [join [lsort -unique $values] {, }]"
        }
    }
    return $settings
}

# Takes RUNTESTFLAGS; returns a dict: boards, drivers (dict from driver.exp to its patterns), rest (words for runtest).
proc read_runtest_flags { text } {
    set flags [dict create boards {} drivers [dict create] rest {}]
    # A shell splits them, as it does for every GNU testsuite; without expanding patterns.
    if { [catch { exec sh -fc "for word in $text; do printf '%s\\001' \"\$word\"; done" } split] } {
        error "RUNTESTFLAGS: $split"
    }
    set words [lrange [split $split \x01] 0 end-1]
    for { set i 0 } { $i < [llength $words] } { incr i } {
        set word [lindex $words $i]
        if { [regexp {^--target_board=(.*)$} $word -> boards] } {
            dict lappend flags boards {*}[split $boards " ,"]
        } elseif { $word eq "--target_board" } {
            dict lappend flags boards [lindex $words [incr i]]
        } elseif { [regexp {^([^=/-][^=/]*\.exp)(?:=(.*))?$} $word -> driver patterns] } {
            dict update flags drivers drivers {
                dict lappend drivers $driver {*}[split $patterns]
            }
        } elseif { [regexp {^--(srcdir|outdir|tool|objdir|target)(=|$)} $word] } {
            error "RUNTESTFLAGS: '$word' is what make check itself gives to runtest"
        } else {
            dict lappend flags rest $word
        }
    }
    return $flags
}

# Returns a dict from a driver's file name to its path: every .exp below testsuite/ldlayout.*.
proc known_drivers {} {
    set drivers [dict create]
    foreach path [lsort [glob $::ldlayout::top/testsuite/ldlayout.*/*.exp]] {
        dict set drivers [file tail $path] $path
    }
    return $drivers
}

# Takes settings and RUNTESTFLAGS read; returns the boards to run. Errors on one that has no file.
proc chosen_boards { settings flags } {
    set boards [concat [dict get $flags boards] [dict get $settings BOARDS]]
    if { [llength $boards] == 0 } {
        set targets [dict get $settings TARGETS]
        if { $targets eq "" } {
            set targets [target_names]
        }
        set boards [lmap target $targets { target_description $target; string cat $target-qemu-user }]
    }
    foreach board $boards {
        board_target $board
        if { [dict get $settings SITE] eq "" && ![file exists $::ldlayout::top/boards/$board.exp] } {
            set known [lsort [lmap path [glob $::ldlayout::top/boards/*.exp] { file rootname [file tail $path] }]]
            error "unknown board '$board' (known: [join $known {, }])"
        }
    }
    set targets [dict get $settings TARGETS]
    foreach board $boards {
        if { [llength $targets] > 0 && [board_target $board] ni $targets } {
            error "TARGETS='$targets' leaves out the target of $board: give one of the two, or make them agree"
        }
    }
    return [lsort -unique $boards]
}

# Takes a board, the settings and the flags; returns its plan: a list of {driver path names}. Errors on an unknown driver.
proc plan_board { board settings flags } {
    set known [known_drivers]
    set chosen [dict get $flags drivers]
    if { [dict size $chosen] == 0 } {
        dict for { driver path } $known {
            # These two come first on every board, whatever is asked for.
            if { $driver ni {control.exp compile.exp} } {
                dict set chosen $driver {}
            }
        }
    }
    set plan {}
    set owners [dict create]
    dict for { driver patterns } $chosen {
        if { ![dict exists $known $driver] } {
            error "there is no driver '$driver' (known: [join [dict keys $known] {, }])"
        }
        set context [dict create target [board_target $board] matrix [dict get $settings MATRIX]]
        set names [lmap name [make_plan [dict get $known $driver] $context] {
            if { ![name_matches $name $patterns] || ![name_matches $name [dict get $settings TESTS]] } { continue }
            set name
        }]
        foreach name $names {
            if { [dict exists $owners $name] } {
                error "two tests are called '$name', in [dict get $owners $name] and $driver"
            }
            dict set owners $name $driver
        }
        if { [llength $names] > 0 } {
            lappend plan [list [dict get $known $driver] $names]
        }
    }
    return $plan
}

# Takes a name and patterns; returns 1 when there are no patterns or one fits as runtest_file_p would say.
proc name_matches { name patterns } {
    foreach pattern $patterns {
        if { [string match $pattern $name] || [string match */$pattern $name] } {
            return 1
        }
    }
    return [expr { [llength $patterns] == 0 }]
}

# Takes a board's plan; returns the names of the compile tests that it needs.
proc compile_names { board settings plan } {
    set programs [dict create]
    foreach entry $plan {
        foreach name [lindex $entry 1] {
            dict set programs [lindex [split $name /] 0] 1
        }
    }
    set context [dict create target [board_target $board] matrix [dict get $settings MATRIX]]
    return [lmap name [make_plan [dict get [known_drivers] compile.exp] $context] {
        if { ![dict exists $programs [lindex [split $name /] 0]] } { continue }
        set name
    }]
}

# Takes a board, the tools of its target, the settings, the flags and the plan; writes the folders of its shards and returns their
# jobs. A shard is a run of tests of one driver.
proc board_jobs { board tools settings flags plan } {
    set check [dict get $settings OUTPUT]/check
    set parts [list [list prepare {control compile} [concat \
        [make_plan [dict get [known_drivers] control.exp] {target x matrix smoke}] [compile_names $board $settings $plan]]]]
    foreach entry $plan {
        lassign $entry driver names
        set driver [file rootname [file tail $driver]]
        set part 0
        set first 0
        foreach size [shard_sizes [llength $names]] {
            lappend parts [list $driver.[format %03d [incr part]] $driver [lrange $names $first $first+[expr { $size - 1 }]]]
            incr first $size
        }
    }
    set jobs {}
    foreach part $parts {
        lassign $part label drivers names
        set name $board/[dict get $tools family]/$label
        set directory $check/shards/$name
        file mkdir $directory
        write_file $directory/tests [join $names \n]\n
        write_shard $directory [dict get $settings PROGRAMS]/$name $board $settings
        lappend jobs [dict create name $name board $board directory $directory tests [llength $names] drivers $drivers \
            names $names needs [expr { $label eq "prepare" ? {} : [list $board/[dict get $tools family]/prepare] }] \
            lock [expr { $label eq "prepare" ? [board_target $board] : "" }] \
            command [runtest_command $directory $board $drivers $flags]]
    }
    return $jobs
}

# Takes a shard's folder, the folder for its programs, its board and the settings; writes the file that shard reads (lib/shard.exp).
proc write_shard { directory work board settings } {
    set check [dict get $settings OUTPUT]/check
    set target [board_target $board]
    set text ""
    foreach { key value } [list board $board target $target directory $directory work $work \
            programs [dict get $settings PROGRAMS]/$target objects $check/objects/$target \
            tools [dict get $settings OUTPUT]/tools/$target run-commands [dict get $settings RUN_COMMANDS] \
            check-layout [dict get $settings CHECK_LAYOUT] \
            matrix [dict get $settings MATRIX] tests $directory/tests timeout-factor [dict get $settings TIMEOUT_FACTOR] \
            toolchain $::env(LDLAYOUT_TOOLCHAIN) overrides [dict get $settings LINKER_FACTS] \
            reproducers $check/reproducers output [dict get $settings OUTPUT] \
            trace [expr { [dict get $settings TRACE] ? "$directory/trace" : "" }]] {
        append text "$key: $value\n"
    }
    write_file $directory/shard $text
}

# Takes a shard's folder, its board, drivers and the flags; returns the command of its runtest.
proc runtest_command { directory board drivers flags } {
    # pdeathsig: whatever ends this process ends the shards, and they their commands. Not by SIGTERM: expect heeds
    # that only when its command has ended.
    set start {cd "$1" && shift && exec setpriv --pdeathsig KILL "$@"}
    set triplet [dict get [target_description [board_target $board]] canonical-triplet]
    return [concat [list sh -c $start sh $directory runtest --tool ldlayout --srcdir $::ldlayout::top --outdir . \
                        --target_board=$board --target=$triplet SHARD=$directory/shard] \
                [dict get $flags rest] [lmap driver $drivers { string cat $driver.exp }]]
}

# Takes numbers of tests; shows progress: in place on a terminal, else a line a minute.
proc show_progress { terminal start finished all } {
    set elapsed [expr { ([clock milliseconds] - $start) / 1000.0 }]
    set left [expr { $finished > 0 ? $elapsed / $finished * ($all - $finished) : 0 }]
    set text "$finished of $all tests, [duration $elapsed] gone[expr { $finished > 0 ? ", about [duration $left] left" : "" }]"
    if { $terminal } {
        puts -nonewline "\r$text\x1b\[K"
        flush stdout
    } elseif { $elapsed >= $::last_progress + 60 } {
        set ::last_progress $elapsed
        puts $text
        flush stdout
    }
}

# Takes seconds; returns them as people say them.
proc duration { seconds } {
    set seconds [expr { int(round($seconds)) }]
    return [expr { $seconds < 60 ? "$seconds s" : "[expr { $seconds / 60 }] min [expr { $seconds % 60 }] s" }]
}

# Takes settings and targets; returns what find-tools.sh prints for them. They are looked for side by side, as many at a time
# as JOBS says. Errors with its words when a tool that was named cannot be used.
proc found_tools { settings targets } {
    set directory [dict get $settings OUTPUT]/tools/found
    file delete -force $directory
    set jobs [lmap target $targets {
        file mkdir $directory/$target
        # What a tool leaves running must not hold the pipe open by which the job shows its end.
        set command [list sh -c {sh "$1" "$2" 2> "$3" 3>&-} sh $::ldlayout::top/lib/find-tools.sh $target $directory/$target/errors]
        dict create name $target directory $directory/$target command $command tests 0 needs {} lock ""
    }]
    set ends [run_jobs $jobs [dict get $settings JOBS] list]
    set text ""
    foreach target $targets {
        # Its status 1 means that something is missing, which its block says.
        if { [dict get $ends $target] ni {done "exit 1"} } {
            set errors [string trim [read_file $directory/$target/errors]]
            error [expr { $errors ne "" ? $errors : "find-tools.sh $target: [dict get $ends $target]" }]
        }
        append text [read_file $directory/$target/output]
    }
    return $text
}

# Takes settings and targets; returns a dict from target to its tools, or errors with what is missing. A target that LD= does not link for
# is left out (and said so) unless it was asked for by name.
proc find_tools { settings targets } {
    set output [dict get $settings OUTPUT]
    set result [dict create]
    foreach tools [parse_found_tools [found_tools $settings $targets]] {
        set target [dict get $tools target]
        set missing [lsearch -all -inline -not -glob [dict get $tools missing] "--rosegment in *"]
        if { [llength $missing] > 0 } {
            if { [regexp {^an emulation (\S+) in (\S+)} [lindex $missing 0] -> emulation linker] } {
                # What the user gave, not what helps it to start in a private root.
                set given [expr { [info exists ::env(LDLAYOUT_LD_ORIGINAL)] ? $::env(LDLAYOUT_LD_ORIGINAL) : $linker }]
                if { ![dict get $settings TARGETS_GIVEN] } {
                    puts "$target is left out: LD=$given does not list the emulation $emulation"
                    continue
                }
                error "$target: LD=$given does not list the emulation $emulation in 'ld -V':\
                    leave $target out of TARGETS=, or give another linker with LD_$target="
            }
            error "$target: missing [join $missing {, }]; run 'make toolchains', or leave it out with TARGETS="
        }
        set tools [complete_tools [dict remove $tools missing] $output/linkers/$target]
        set lines ""
        dict for { key value } $tools {
            append lines "$key: $value\n"
        }
        write_file $output/tools/$target $lines
        puts "$target: [dict get $tools ld-proof]"
        dict set result $target $tools
    }
    return $result
}

# Takes the settings; does the whole run. Returns the exit status.
proc check { settings } {
    set output [dict get $settings OUTPUT]
    set flags [read_runtest_flags [dict get $settings RUNTESTFLAGS]]
    set boards [chosen_boards $settings $flags]
    if { [auto_execok runtest] eq "" } {
        error "runtest is missing: install DejaGnu, or run 'make toolchains'"
    }
    file mkdir $output/home
    scrub_environment $output/home
    set lock [lock_output $output]
    try {
        return [check_locked $settings $flags $boards]
    } finally {
        # Waits for the process that held the lock: nothing of a run outlives it.
        close $lock
    }
}

# Takes the settings, RUNTESTFLAGS read and the boards; does the run in the output folder, which no other run uses. Returns the exit status.
proc check_locked { settings flags boards } {
    set output [dict get $settings OUTPUT]
    set check $output/check
    file delete -force $output/temporary
    file mkdir $output/temporary
    # What killed tools leave behind stays in the output folder.
    set ::callers_tmpdir [expr { [info exists ::env(TMPDIR)] ? $::env(TMPDIR) : "/tmp" }]
    set ::env(TMPDIR) $output/temporary
    # On a full disk every probe of a tool would say that the tool is at fault.
    if { [catch { write_file $output/temporary/room [string repeat x 262144] } message] } {
        error "$output: $message: make room, or give another place with O="
    }
    file delete $output/temporary/room
    set plans [dict create]
    foreach board $boards {
        dict set plans $board [plan_board $board $settings $flags]
    }
    if { [llength [concat {*}[dict values $plans]]] == 0 } {
        set words {}
        foreach name {TESTS RUNTESTFLAGS BOARDS MATRIX} {
            if { [dict get $settings $name] ne "" } {
                lappend words $name='[dict get $settings $name]'
            }
        }
        error "no test matches [join $words]: names are program/mode/options, as in TESTS='hello/pie/*'"
    }
    set targets [lsort -unique [lmap board $boards { board_target $board }]]
    set tools [find_tools $settings $targets]
    foreach board $boards {
        set target [board_target $board]
        if { [string match *-qemu-user $board] && [dict exists $tools $target] && ![dict exists $tools $target emulator] } {
            error "$board: missing [dict get [target_description $target] qemu]; run 'make toolchains', or give BOARDS=$target-native"
        }
    }
    # Only now: a mistyped run must not cost the results of the last one.
    file delete -force $check.previous
    if { [file exists $check] } {
        file rename $check $check.previous
    }
    file mkdir $check
    write_site $settings
    dict set settings PROGRAMS [programs_directory $check]
    set jobs {}
    foreach board $boards {
        if { [dict exists $tools [board_target $board]] && [llength [dict get $plans $board]] > 0 } {
            lappend jobs {*}[board_jobs $board [dict get $tools [board_target $board]] $settings $flags [dict get $plans $board]]
        }
    }
    foreach pattern [dict get $settings TESTS] {
        set names [concat {*}[lmap job $jobs { dict get $job names }]]
        if { ![llength [lsearch -all -inline $names $pattern]] && ![llength [lsearch -all -inline $names */$pattern]] } {
            error "no test matches TESTS='$pattern' with RUNTESTFLAGS and MATRIX=[dict get $settings MATRIX]"
        }
    }
    print_plan $settings $jobs
    set ::last_progress 0
    set terminal [expr { ![catch { exec test -t 1 >@ stdout }] }]
    set ends [run_jobs [jobs_in_order $jobs] [dict get $settings JOBS] [list show_progress $terminal [clock milliseconds]]]
    if { $terminal } {
        puts ""
    }
    set status [conclude $check $jobs $ends [dict get $settings STRICT]]
    file delete -force $output/temporary
    # make bench repeats the traced commands, the launcher among them.
    if { ![dict get $settings TRACE] } {
        file delete -force [dict get $settings PROGRAMS]
    }
    return $status
}

# Takes the output folder; returns a channel that holds its lock for as long as this process lives. Errors when
# another run has it.
proc lock_output { output } {
    set channel [open |[list flock -n $output/lock sh -c {echo locked; exec cat}] r+]
    if { [gets $channel line] < 0 } {
        error "another make check runs in $output: wait for its end, or give another place with O="
    }
    return $channel
}

# Takes the folder of the run; returns an empty folder for linked programs. Root's programs run as another
# user: where that one cannot get to the run's folder (a clone in /root), it is a folder in TMPDIR, named
# after this one so that an interrupted run leaves at most one behind.
proc programs_directory { check } {
    set directory $check/programs
    if { [exec id -u] == 0 } {
        for { set part $check } { $part ne "/" } { set part [file dirname $part] } {
            if { !([file attributes $part -permissions] & 1) } {
                set directory $::callers_tmpdir/ldlayout-[format %08x [zlib crc32 $check]]
            }
        }
        file delete -force $directory
    }
    file mkdir $directory
    file attributes $directory -permissions 0755
    return $directory
}

# Takes the settings and jobs; prints the plan: tests per board, and the time to expect.
proc print_plan { settings jobs } {
    set counts [dict create]
    foreach job $jobs {
        dict incr counts [dict get $job board] [dict get $job tests]
    }
    set all 0
    puts "Plan (MATRIX=[dict get $settings MATRIX]; toolchain: $::env(LDLAYOUT_TOOLCHAIN)):"
    dict for { board count } $counts {
        puts [format "  %-24s %6d tests" $board $count]
        incr all $count
    }
    # 0.04 s of processor time a cell, measured on two cores at 2.5 GHz; make bench prints it.
    puts [format "  %-24s %6d tests, about %s with -j%d" "in all" $all \
              [duration [expr { 0.04 * $all / [dict get $settings JOBS] + 5 }]] [dict get $settings JOBS]]
    flush stdout
}

# Takes the settings; writes the one site file that runtest reads: our boards, then the user's own.
proc write_site { settings } {
    set text "lappend boards_dir [list $::ldlayout::top/boards]\n"
    if { [dict get $settings SITE] ne "" } {
        append text "source [list [dict get $settings SITE]]\n"
    }
    set path [dict get $settings OUTPUT]/check/site.exp
    write_file $path $text
    set ::env(DEJAGNU) $path
}

if { [lindex $argv 0] in {"" --help} } {
    puts $usage
    exit [expr { [llength $argv] == 0 ? 2 : 0 }]
}
exit [status_of ldlayout { check [read_settings $argv] }]

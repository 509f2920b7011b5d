# Checks the corpus and the sources without running any of it.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh lib/lint.tcl [check…]
Prints each finding as "file:line: what is wrong" and at the end how many checks found nothing and how many found something:
"N passed, N failed". Checks (default: all):
  corpus   heads of corpus/*.c: keys, sentence, requires, names of checks
  targets  every file of config/targets/ has the same keys
  boards   every file of boards/ is named after a target
  files    every source file begins with a sentence and has its SPDX line
  procs    every proc of lib/ and config/ has a comment directly above it
  shell    shell scripts, by shellcheck; a note says so when that is not installed
  c        C sources of the host tools, by cppcheck; likewise
Exit status: 0 no finding, 1 findings, 2 cannot run.}

source [file join [file dirname [info script]] ldlayout.exp]

namespace eval lint {
    variable findings {}
    variable skipped 0
}

# Takes a file, a line (number) and what is wrong there; keeps it as a finding.
proc report { path line message } {
    lappend ::lint::findings "[relative $path]:$line: $message"
}

# Takes a path; returns it relative to the top of the source tree.
proc relative { path } {
    return [string map [list $::ldlayout::top/ ""] $path]
}

# Takes directories below the top and patterns of names; returns the paths of such files there and below, sorted.
proc find_sources { directories patterns } {
    set found {}
    set open [lmap directory $directories { file join $::ldlayout::top $directory }]
    while { [llength $open] > 0 } {
        set open [lassign $open directory]
        lappend found {*}[glob -nocomplain -types f -directory $directory {*}$patterns]
        lappend open {*}[glob -nocomplain -types d -directory $directory *]
    }
    return [lsort -unique $found]
}

# Takes a head's path and a key; returns the number of the line that has it, 1 when none does.
proc head_line { path key } {
    set index [lsearch -glob [split [read_file $path] \n] "// $key:*"]
    return [expr { $index + 1 < 1 ? 1 : $index + 1 }]
}

# Takes an error that read_program_head raised for a path; reports it, at its line if it names one or the key that it is about.
proc report_head_error { path message } {
    set message [relative $message]
    if { [regexp {^[^:]*, line (\d+): (.*)$} $message -> line text] } {
        report $path $line $text
        return
    }
    set text [regsub {^[^:]*: } $message ""]
    set line 1
    foreach key $::ldlayout::head_keys {
        if { [regexp "\\m$key\\M" $text] || ($key eq "modes" && [string match "unknown link mode*" $text]) } {
            set line [head_line $path $key]
            break
        }
    }
    report $path $line $text
}

# The heads of the corpus' programs.
proc lint_corpus {} {
    # What every cell records beside the checks of its program (lib/test-cell.exp): a check of that name would stand twice.
    set taken [concat [witness_rule_ids] {link run program-sections self-headers self-bias self-content self-permissions}]
    foreach path [find_sources corpus *.c] {
        if { [file dirname $path] ne "$::ldlayout::top/corpus" } {
            continue
        }
        set name [file rootname [file tail $path]]
        if { ![regexp {^[a-z0-9]+(-[a-z0-9]+)*$} $name] } {
            report $path 1 "the name '$name' is not lower-case words, digits and dashes"
        }
        if { [catch { read_program_head $path } head] } {
            report_head_error $path $head
            continue
        }
        if { [regexp {[.!?] +[A-Z]} [dict get $head sentence]] } {
            report $path 1 "the first line is more than one sentence"
        }
        foreach key {requires modes checks source} {
            set words [dict get $head $key]
            foreach word [lsort -unique $words] {
                if { [llength [lsearch -all -exact $words $word]] > 1 } {
                    report $path [head_line $path $key] "$key names '$word' twice"
                }
            }
        }
        foreach word [dict get $head requires] {
            if { [info procs effective_target_$word] eq "" } {
                report $path [head_line $path requires] "requires '$word', but there is no proc effective_target_$word"
            }
        }
        foreach word [dict get $head checks] {
            if { ![regexp {^[a-z0-9]+(-[a-z0-9]+)*$} $word] } {
                report $path [head_line $path checks] "the check '$word' is not lower-case words, digits and dashes"
            } elseif { $word in $taken } {
                report $path [head_line $path checks] "the check '$word' has the name of a rule that every cell records"
            }
        }
    }
}

# The target descriptions: each key that one has the others must have.
proc lint_targets {} {
    set holders [dict create]
    set paths {}
    foreach path [find_sources config/targets *] {
        if { [catch { read_key_values $path } values] } {
            regexp {, line (\d+): (.*)$} $values -> line text
            report $path $line $text
            continue
        }
        lappend paths $path
        foreach key [dict keys $values] {
            dict lappend holders $key $path
        }
    }
    dict for { key those } $holders {
        foreach path $paths {
            if { $path ni $those } {
                report $path 1 "the key '$key', which [file tail [lindex $those 0]] has, is missing"
            }
        }
    }
}

# The boards: named <target>-<kind>.
proc lint_boards {} {
    foreach path [find_sources boards *.exp] {
        if { [catch { board_target [file rootname [file tail $path]] } message] } {
            report $path 1 $message
        }
    }
}

# Takes the lines of a file; returns the text of the comment that it begins with, one line, without a "#!" line.
proc first_comment { lines } {
    if { [string match "#!*" [lindex $lines 0]] } {
        set lines [lrange $lines 1 end]
    }
    set text ""
    set block [string match "/\\**" [lindex $lines 0]]
    foreach line $lines {
        if { [string match *SPDX-License-Identifier* $line] || (!$block && ![regexp {^(#|//)} $line]) } {
            break
        }
        append text " " [regsub {^\s*(#|//|/\*|\*/)?\s?} [regsub {\*/.*$} $line ""] ""]
        if { $block && [string match "*\\*/*" $line] } {
            break
        }
    }
    return [string trim $text]
}

# The first lines of every source file: one sentence that says what its concern is, and the licence.
proc lint_files {} {
    foreach path [find_sources {lib boards config testsuite corpus} {*.exp *.tcl *.test *.sh *.mk *.c *.h}] {
        set lines [split [read_file $path] \n]
        # A program's own sentence is lint_corpus' matter.
        if { [file dirname $path] ne "$::ldlayout::top/corpus" && ![regexp {^\S.*[.:?](\s|$)} [first_comment $lines]] } {
            report $path 1 "the file does not begin with a comment that is a sentence"
        }
        if { [lsearch -regexp [lrange $lines 0 14] {^(#|//|/\*| ?\*|).*SPDX-License-Identifier: GPL-3\.0-or-later}] < 0 } {
            report $path 1 "no line 'SPDX-License-Identifier: GPL-3.0-or-later' among the first 15"
        }
    }
}

# Every proc is explained directly above.
proc lint_procs {} {
    foreach path [find_sources {lib config} {*.exp *.tcl}] {
        set number 0
        set above ""
        foreach line [split [read_file $path] \n] {
            incr number
            if { [regexp {^\s*proc\s+(\S+)} $line -> name] && ![regexp {^\s*#\s*\S} $above] } {
                report $path $number "the proc $name has no comment directly above it"
            }
            set above $line
        }
    }
}

# Shell scripts: what shellcheck says of them.
proc lint_shell {} {
    set paths [find_sources lib *.sh]
    if { [auto_execok shellcheck] eq "" } {
        puts "note: shellcheck is not installed: [llength $paths] shell scripts were not checked"
        incr ::lint::skipped
        return
    }
    if { [catch { exec shellcheck -x -P $::ldlayout::top -f gcc {*}$paths 2>@1 } output] } {
        foreach line [split $output \n] {
            if { [regexp {^(/.*?):(\d+):\d+: (.*)$} $line -> path number message] } {
                report $path $number "shellcheck: $message"
            } elseif { $line ne "child process exited abnormally" } {
                error "shellcheck: $line"
            }
        }
    }
}

# C sources of the host tools: what cppcheck warns of.
proc lint_c {} {
    set paths [find_sources {lib/command lib/elf} *.c]
    if { [auto_execok cppcheck] eq "" } {
        puts "note: cppcheck is not installed: [llength $paths] C sources were not checked"
        incr ::lint::skipped
        return
    }
    set options [list -q --std=c11 --check-level=exhaustive --enable=warning,performance,portability --inline-suppr \
                     --suppress=missingIncludeSystem --error-exitcode=1 "--template={file}:{line}: {message} \[{id}]" --template-location= \
                     -I $::ldlayout::top/lib/elf]
    if { [catch { exec cppcheck {*}$options {*}$paths 2>@1 } output] } {
        foreach line [split $output \n] {
            if { [regexp {^(/.*?):(\d+): (.*)$} $line -> path number message] } {
                report $path $number "cppcheck: $message"
            } elseif { [string trim $line] ni {"" "child process exited abnormally"} } {
                error "cppcheck: $line"
            }
        }
    }
}

# Returns the names of all checks, sorted: each is a proc lint_<name>.
proc known_checks {} {
    return [lsort [lmap name [info procs lint_*] { string range $name 5 end }]]
}

if { "--help" in $argv } {
    puts $usage
    exit 0
}
foreach name $argv {
    if { $name ni [known_checks] } {
        puts stderr "lint.tcl: there is no check '$name': type one of [join [known_checks] {, }]"
        exit 2
    }
}
set checks [expr { [llength $argv] > 0 ? $argv : [known_checks] }]
set failed 0
try {
    foreach name $checks {
        set before [llength $lint::findings]
        lint_$name
        incr failed [expr { [llength $lint::findings] > $before }]
    }
} on error { message } {
    puts stderr "lint.tcl: $message"
    exit 2
}
foreach finding $lint::findings {
    puts $finding
}
puts "[expr { [llength $checks] - $failed - $lint::skipped }] passed, $failed failed"
exit [expr { $failed > 0 }]

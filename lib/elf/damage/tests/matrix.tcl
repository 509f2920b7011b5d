# The kill matrix: holds check-layout against real specimens and against copies of them with one thing wrong each.
# SPDX-License-Identifier: GPL-3.0-or-later

set usage {Usage: tclsh matrix.tcl CHECK=command DAMAGE=command SPECIMENS=dir KNOWN=file [ONLY=pattern] [RULES="rule…"]
CHECK is check-layout, DAMAGE damage (each perhaps with options), SPECIMENS what specimens.sh made, KNOWN the file of known findings.
Prints for every rule how many specimens satisfy it and for every kind of damage how many damaged copies it reports, and which other rules report
them too; then each finding. These fail: a rule that no specimen satisfies or whose damage it does not report; a copy that is reported under an
id that 'damage --list' does not give; an id there that reports no copy; a finding about an undamaged specimen that is not known, and a known
one that is gone; a figure that no damage changes. ONLY (specimens) and RULES make a part of the matrix: with
ONLY nothing fails for being gone or never seen, with RULES no figure. Ends with the line "N passed, N failed". Exit status: 0, 1 some failed, 2 cannot run.}

# Takes a command that lists things: lines that begin a thing, and lines with four blanks that say "Word: text", or just text. Calls `begin`
# with the first and `add` with a word ("" for just text) and the text of the others.
proc read_list { command begin add } {
    foreach line [split [exec {*}$command] \n] {
        if { ![regexp {^    (.*)$} $line -> text] } {
            {*}$begin $line
        } elseif { [regexp {^([A-Z][a-z]+(?: [a-z0-9-]+)?): (.*)$} $text -> word rest] } {
            {*}$add $word $rest
        } else {
            {*}$add "" $text
        }
    }
}

# Begins a kind of damage in ::kinds, a dict from the name to {rule options figures also}, the last a list of rules.
proc begin_kind { name } {
    dict set ::kinds $name {rule "" options "" figures "" also ""}
}

# Takes a word ("" for the sentence) and the text behind it; adds what it says to the kind begun last.
proc add_kind { word text } {
    set name [lindex [dict keys $::kinds] end]
    switch -glob -- $word {
        Rule    { dict set ::kinds $name rule $text }
        Options { dict set ::kinds $name options $text }
        Figures { dict set ::kinds $name figures $text }
        "Also *" {
            dict with ::kinds $name {
                lappend also [lindex $word 1]
            }
        }
    }
}

# Takes a line that begins a rule; adds it to ::rules, a dict from the id to its kind. ::figures is a dict from names to how often it changed.
proc begin_rule { line } {
    if { [regexp {^(\S+) \((\w+), \w+\)$} $line -> id kind] } {
        dict set ::rules $id $kind
    }
}

# Takes a word ("" for the sentence) and the text behind it; adds the figure that it names.
proc add_rule { word text } {
    if { [regexp {^Figure (\S+)$} $word -> name] } {
        dict set ::figures $name 0
    }
}

# Takes the folder; returns a list of dicts {name linker options first rule}, the last two for the second of a pair.
proc read_specimens { directory pattern } {
    set channel [open $directory/table]
    set lines [split [string trim [read $channel] \n] \n]
    close $channel
    return [lmap line $lines {
        lassign [split $line \t] name linker options first rule
        if { ![string match $pattern $name] } {
            continue
        }
        dict create name $name linker $linker options $options first $first rule $rule
    }]
}

# Takes a file of lines "linker | specimen | rule | bug | reason", the first two patterns; returns a list of dicts.
proc read_known { path } {
    set channel [open $path]
    set lines [split [read $channel] \n]
    close $channel
    set known {}
    foreach line $lines {
        if { [string trim $line] eq "" || [string index $line 0] eq "#" } {
            continue
        }
        set words [lmap word [split $line |] { string trim $word }]
        if { [llength $words] != 5 || "" in $words } {
            error "$path: expected 'linker | specimen | rule | bug | reason', found '$line'"
        }
        lappend known [dict create line $line linker [lindex $words 0] specimen [lindex $words 1] rule [lindex $words 2] bug [lindex $words 3]]
    }
    return $known
}

# Takes a path and options; asks the server. Returns a dict {passed reported figures}: ids, ids, name and number. The answer is read by
# pattern: in JSON no quote stands inside a string without a backslash, and the whole of it would take ten times as long.
proc ask { path options } {
    puts $::server "$path\t$options --figures"
    flush $::server
    if { [gets $::server answer] < 0 } {
        error "check-layout --server ended when asked: $path $options"
    }
    if { [regexp {"status":"cannot","reason":"([^"]*)"\}$} $answer -> reason] || ![regexp {"figures":\{([^\}]*)\}} $answer -> numbers] } {
        error "check-layout cannot check $path $options: $answer"
    }
    set passed {}
    set reported {}
    foreach { - id status } [regexp -all -inline {\{"rule":"([a-z0-9-]+)","status":"(pass|fail|note|cannot)"} $answer] {
        if { $status eq "pass" } {
            lappend passed $id
        } else {
            lappend reported $id
        }
    }
    return [dict create passed $passed reported $reported figures [split [string map {\" ""} $numbers] ,:]]
}

# Takes options of a kind and of a specimen. Returns the options to add when asking, or "no" when the specimen was not linked so. Options about what
# is asked can always be added; others must be among the specimen's, and those without a value stand for any.
proc added_options { wanted told } {
    set added {}
    foreach word $wanted {
        if { [regexp {^--(page-size|huge-page|rule)=} $word] } {
            lappend added $word
        } elseif { [lsearch -regexp $told "^$word\($|\[=-\])"] < 0 } {
            return no
        }
    }
    return $added
}

# Takes a specimen; returns the names of the kinds that are made of it, each with the added options.
proc kinds_for { specimen } {
    set chosen [dict create]
    dict for { name kind } $::kinds {
        set pair [expr { [dict get $::rules [dict get $kind rule]] eq "pair" }]
        if { $::only_rules ne "" && [dict get $kind rule] ni $::only_rules } {
            continue
        }
        if { $pair || [dict get $specimen rule] ne "" } {
            if { [dict get $specimen rule] eq [dict get $kind rule] } {
                dict set chosen $name [list --compare=$::directory/[dict get $specimen first] --rule=[dict get $specimen rule]]
            }
        } elseif { [set added [added_options [dict get $kind options] [dict get $specimen options]]] ne "no" } {
            dict set chosen $name $added
        }
    }
    return $chosen
}

# Takes a specimen's path and its kinds (a dict). Returns them all, or of a large file every fourth of those that want no options, beginning with
# another one each time: copies of static programs would else be most of the time.
proc in_turn { path kinds } {
    if { [file size $path] < 400000 } {
        return $kinds
    }
    set turn [incr ::large_specimens]
    return [dict filter $kinds script {name added} { expr { [dict get $::kinds $name options] ne "" || [incr turn] % 4 == 0 } }]
}

# Judges that every kind of damage belongs to a rule that check-layout has; forgets those that do not.
proc judge_names {} {
    dict for { name kind } $::kinds {
        set rule [dict get $kind rule]
        if { ![dict exists $::rules $rule] } {
            verdict 0 "damage $name" [list "check-layout has no rule $rule, which must report it"]
            dict unset ::kinds $name
        }
    }
}

# Judges that every specimen was linked: of one that was not, specimens.sh leaves what the linker said.
proc judge_links {} {
    foreach path [lsort [glob -nocomplain -directory $::directory *.log]] {
        set channel [open $path]
        verdict 0 "specimen [file rootname [file tail $path]]" [list "it was not linked: [lindex [split [string trim [read $channel]] \n] end]"]
        close $channel
    }
}

# Takes a path, the specimen's options and the added ones; returns what the rules say with and without the added ones, together.
proc ask_both { path options added } {
    set answer [ask $path $options]
    if { $added ne "" } {
        set more [ask $path "$options $added"]
        foreach key {passed reported} {
            dict set answer $key [lsort -unique [concat [dict get $answer $key] [dict get $more $key]]]
        }
        # A rule that reports with the added options passes nothing.
        dict set answer passed [lmap id [dict get $answer passed] { expr { $id in [dict get $answer reported] ? [continue] : $id } }]
    }
    return $answer
}

# Takes a specimen and the name of a kind of which there is a copy at `path`, what the rules say of the specimen and of the copy. Counts, and keeps
# what is wrong in ::problems, a dict from the kind to sentences.
proc judge_copy { specimen name before after } {
    set kind [dict get $::kinds $name]
    set rule [dict get $kind rule]
    set changed {}
    dict for { figure number } [dict get $after figures] {
        if { [dict get $before figures $figure] != $number } {
            lappend changed $figure
            dict incr ::figures $figure
            dict set ::seen "$name figure $figure" 1
        }
    }
    if { [dict get $::rules $rule] eq "figure" } {
        set expected 1
        set killed [llength [lmap figure $changed { expr { $figure in [dict get $kind figures] ? 1 : [continue] } }]]
    } else {
        set expected [expr { $rule in [dict get $before passed] }]
        set killed [expr { $rule in [dict get $after reported] }]
    }
    if { $expected } {
        dict incr ::copies $name
        if { $killed } {
            dict incr ::killed $name
        } else {
            dict lappend ::problems $name "the rule $rule does not report the copy of [dict get $specimen name]"
        }
    }
    foreach id [dict get $after reported] {
        if { $id eq $rule || $id in [dict get $before reported] } {
            continue
        }
        dict incr ::others "$name $id"
        if { $id ni [dict get $kind also] } {
            dict lappend ::problems $name "the rule $id reports the copy of [dict get $specimen name], and 'damage --list' does not say why"
        }
    }
}

# Takes a specimen; asks about it and all its damaged copies.
proc judge_specimen { specimen } {
    set path $::directory/[dict get $specimen name]
    set options [dict get $specimen options]
    set kinds [in_turn $path [kinds_for $specimen]]
    set before [dict create "" [ask_both $path $options ""]]
    foreach added [lsort -unique [dict values $kinds]] {
        dict set before $added [ask_both $path $options $added]
    }
    if { [dict get $specimen rule] ne "" } {
        # The rule of a pair is judged of the pair.
        set undamaged [ask $path [list --compare=$::directory/[dict get $specimen first] --rule=[dict get $specimen rule]]]
    } else {
        set undamaged [dict get $before ""]
    }
    judge_undamaged $specimen $undamaged
    dict for { added answer } $before {
        foreach id [dict get $answer passed] {
            dict set ::satisfied "$id [dict get $specimen name]" 1
        }
    }
    if { $kinds eq "" } {
        return
    }
    # Status 1: some do not apply.
    catch { exec {*}$::damage [join [dict keys $kinds] ,] $path $::copies_directory 2>@1 } output result
    if { [dict get $result -code] != 0 && [lindex [dict get $result -errorcode] 0] eq "CHILDSTATUS" && [lindex [dict get $result -errorcode] 2] != 1 } {
        error "damage $path: $output"
    }
    dict for { name added } $kinds {
        set copy $::copies_directory/$name
        if { [file exists $copy] } {
            judge_copy $specimen $name [dict get $before $added] [ask_both $copy $options $added]
            file delete $copy
        }
    }
}

# Takes a specimen and what the rules say of it: each finding must be known.
proc judge_undamaged { specimen answer } {
    set unknown {}
    foreach id [dict get $answer reported] {
        set found 0
        foreach entry $::known {
            if { $id eq [dict get $entry rule] && [string match [dict get $entry linker] [dict get $specimen linker]]
                 && [string match [dict get $entry specimen] [dict get $specimen name]] } {
                set found 1
                dict incr ::known_seen [dict get $entry line]
                break
            }
        }
        if { !$found } {
            lappend unknown $id
        }
    }
    verdict [expr { $unknown eq "" }] "specimen [dict get $specimen name] ([dict get $specimen linker])" \
        [lmap id $unknown { format "the rule %s reports it, and that is not known (options: %s)" $id [dict get $specimen options] }]
}

# Takes whether a test passed, its name and sentences that say what is wrong; counts it and prints it if it failed.
proc verdict { good name sentences } {
    incr ::[expr { $good ? "passed" : "failed" }]
    if { !$good } {
        puts "not ok - $name"
        foreach sentence [lrange $sentences 0 5] {
            puts "#   $sentence"
        }
        if { [llength $sentences] > 6 } {
            puts "#   and [expr { [llength $sentences] - 6 }] more"
        }
    }
}

# Takes a dict and a key; returns the value, or 0.
proc count_of { dict key } {
    return [expr { [dict exists $dict $key] ? [dict get $dict $key] : 0 }]
}

# Prints the matrix and judges every rule and every kind. Takes whether all specimens were looked at, and all rules.
proc judge_matrix { all_specimens all_rules } {
    set verdicts {}
    dict for { rule type } $::rules {
        if { $::only_rules ne "" && $rule ni $::only_rules } {
            continue
        }
        set specimens [dict size [dict filter $::satisfied key "$rule *"]]
        set all 0
        set lines {}
        dict for { name kind } $::kinds {
            if { [dict get $kind rule] ne $rule } {
                continue
            }
            set killed [count_of $::killed $name]
            incr all $killed
            set also {}
            set stale {}
            foreach id [dict get $kind also] {
                set times [count_of $::others "$name $id"]
                lappend also "$id $times"
                if { $times == 0 } {
                    lappend stale "'damage --list' says that the rule $id reports it too, but it reports no copy"
                }
            }
            foreach figure [dict get $kind figures] {
                if { ![dict exists $::seen "$name figure $figure"] } {
                    lappend stale "'damage --list' says that the figure $figure changes, but it does so in no copy"
                }
            }
            lappend lines [format "    %-28s %4d of %4d copies reported%s" $name $killed [count_of $::copies $name] \
                [expr { $also eq "" ? "" : "; also by [join $also {, }]" }]]
            set wrong [expr { [dict exists $::problems $name] ? [dict get $::problems $name] : "" }]
            if { $all_specimens } {
                lappend wrong {*}$stale
                if { ![dict exists $::copies $name] } {
                    lappend wrong "it could be made of no specimen that satisfies $rule"
                }
            }
            lappend verdicts [expr { $wrong eq "" }] "damage $name" $wrong
        }
        puts [format "%s (%s): %s" $rule $type [expr { $type eq "figure" ? "a number" : "satisfied by $specimens specimens" }]]
        puts [join $lines \n]
        set wrong {}
        if { $all == 0 } {
            lappend wrong "the rule $rule reports no damaged copy"
        }
        if { $specimens == 0 && $type ne "figure" } {
            lappend wrong "no specimen satisfies the rule $rule"
        }
        lappend verdicts [expr { $wrong eq "" }] "rule $rule" $wrong
    }
    foreach { good name wrong } $verdicts {
        verdict $good $name $wrong
    }
    if { !$all_specimens } {
        return
    }
    if { $all_rules } {
        dict for { name times } $::figures {
            verdict [expr { $times > 0 }] "figure $name" [list "no damage changes it"]
        }
    }
    foreach entry $::known {
        set line [dict get $entry line]
        if { [lsearch -glob $::linkers [dict get $entry linker]] >= 0 } {
            verdict [dict exists $::known_seen $line] "known finding" [list "no specimen shows it any more: $line"]
        }
    }
    puts "known findings:"
    dict for { line times } $::known_seen {
        puts [format "%4d specimens: %s" $times $line]
    }
}

array set argument {CHECK "" DAMAGE "" SPECIMENS "" KNOWN "" ONLY * RULES ""}
foreach word $argv {
    if { $word eq "--help" } {
        puts $usage
        exit 0
    }
    if { ![regexp {^([A-Z]+)=(.*)$} $word -> name value] || ![info exists argument($name)] } {
        puts stderr "matrix: unknown '$word'; see --help"
        exit 2
    }
    set argument($name) $value
}
foreach name {CHECK DAMAGE SPECIMENS KNOWN} {
    if { $argument($name) eq "" } {
        puts stderr "matrix: $name= is needed; see --help"
        exit 2
    }
}

set passed 0
set failed 0
set large_specimens 0
foreach name {kinds rules figures problems copies killed others seen satisfied known_seen} {
    set $name [dict create]
}
set only_rules $argument(RULES)
set directory $argument(SPECIMENS)
set damage $argument(DAMAGE)
set copies_directory $directory/copies.[pid]
if { [catch {
    read_list [concat $damage --list] begin_kind add_kind
    read_list [concat $argument(CHECK) --list-rules] begin_rule add_rule
    set known [read_known $argument(KNOWN)]
    set specimens [read_specimens $directory $argument(ONLY)]
    set linkers [lsort -unique [lmap specimen $specimens { dict get $specimen linker }]]
    file mkdir $copies_directory
    judge_names
    judge_links
    set server [open |[concat $argument(CHECK) --server] r+]
    foreach specimen $specimens {
        judge_specimen $specimen
    }
    close $server
    file delete -force $copies_directory
    judge_matrix [expr { $argument(ONLY) eq "*" }] [expr { $only_rules eq "" }]
} message options] } {
    file delete -force $copies_directory
    puts stderr "matrix: $message"
    if { [info exists env(LDLAYOUT_DEBUG)] } {
        puts stderr [dict get $options -errorinfo]
    }
    exit 2
}
puts "[dict size $rules] rules, [dict size $kinds] kinds of damage, [llength $specimens] specimens of [join $linkers {, }], [::tcl::mathop::+ {*}[dict values $copies]] damaged copies"
puts "$passed passed, $failed failed"
exit [expr { $failed > 0 }]

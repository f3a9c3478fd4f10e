# motley show lateness: reports that libmotley-balance makes of runs, kept and shown. The
# launcher is a stand-in that writes what the test wants into the report's file.

load fake

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
    [ -e "$BUILD_ROOT/preload/openmpi/libmotley-balance.so" ] ||
        skip "the preload library is not built for Open MPI"
    cat >cluster.yaml <<END
name: lab
launcher: openmpi
groups:
  - {name: old, hosts: "old-[1-3]", processes: [1, 2]}
END
    write_program ''
    mkdir bin
    cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) 4.1.4 http://www.open-mpi.org/"; exit; }
printf '%s\n' "$@" >arguments
file=$(sed -n 's/^MOTLEY_BALANCE=.*report=\([^,]*\).*/\1/p' arguments)
[ -z "$file" ] || ! [ -e report ] || cat report >>"$file"
echo "time 900 us"
END
    chmod +x bin/mpirun
    PATH=$PWD/bin:$PATH
    export MOTLEY_BALANCE=report
    write_report 0.4 >report
}

# write_report COST: the lines of a run on three nodes, of which old-3 is slow
write_report() {
    jq -nc --argjson cost "$1" '
        def rank($r; $busy; $cost): {rank: $r, node: "old-\($r + 1).site", calls: 10,
            seconds: (1 - $busy), waiting_seconds: (1 - $busy), seen: 10,
            late: (if $cost > 0 then 6 else 0 end),
            late_seconds_mean: ($cost / 12), late_seconds_max: ($cost / 10), cost_seconds: $cost};
        [rank(0; 0.5; 0), rank(1; 0.52; 0), rank(2; 0.7; $cost)] as $ranks |
        {kind: "communicator", size: 3},
        {kind: "call site", size: 3, simulated: false, call: "MPI_Barrier", object: "solver",
            function: "main", address: "0x10", line: "solver.c:12", calls: 10, seconds: 1.28,
            waiting_seconds: 0.5, ranks: $ranks},
        {kind: "call site", size: 3, simulated: false, call: "MPI_Reduce", object: "solver",
            function: "", address: "0x30", calls: 10, seconds: 0.1, waiting_seconds: 0.01, ranks: []},
        {kind: "program", size: 3, simulated: false, nodes: 3, rank_seconds: 3, seconds: 1.28,
            waiting_seconds: 0.51, verdict: "rank",
            findings: ["Rank 2 on node old-3 came late.", "It is slow."], ranks: $ranks}'
}

# measure_one SIZE: a run on three nodes
measure_one() {
    run --separate-stderr motley measure --quiet --configuration old:3x1 --sizes "$1" cluster.yaml program.yaml
    [ "$status" = 0 ]
}

@test "the page about plans has the newest report" {
    measure_one 100
    write_report 0.5 >report
    measure_one 120
    motley report --json --size 100 cluster.yaml program.yaml >page.json
    jq -e '.lateness.findings == ["Rank 2 on node old-3 came late.", "It is slow."]' page.json
    jq -e '.lateness.run | contains("old:3x1 at N = 120")' page.json
}

@test "the report of a run is kept, and shown: what was found first, then who and where" {
    measure_one 100
    [ -z "$stderr" ]
    [ -z "$(ls -d motley-run-* 2>/dev/null)" ]
    run --separate-stderr motley show lateness
    [ "$status" = 0 ]
    [[ "${lines[0]}" =~ ^"script on lab, old:3x1, N = 100, "20..-..-..\ ..:..\ UTC$ ]]
    [ "${lines[1]}" = "3 ranks on 3 nodes, 3.000 s together: 42.7 % in calls that wait, 17.0 % waiting" ]
    [ "${lines[2]}" = "Rank 2 on node old-3 came late." ]
    [ "${lines[3]}" = "It is slow." ]
    [[ "${lines[5]}" =~ ^\ +2\ +old-3.site\ +60.0\ %\ +33.33\ ms\ +40.00\ ms\ +400.0\ ms\ +300.0\ ms ]]
    [[ "$output" =~ MPI_Barrier\ +solver.c:12,\ main\ +10\ +1.280\ s\ +500.0\ ms\ +rank\ 2,\ 33.33\ ms\ late\ in\ 6\ of\ 10 ]]
    [[ "$output" =~ MPI_Reduce\ +0x30\ solver\ +10 ]]
}

@test "a report that the user has by hand is shown like one in the store" {
    measure_one 100
    motley show lateness | tail -n +2 >kept
    motley show --db none --report report lateness >shown
    cmp kept shown
    jq -c '.simulated = true' report >simulated
    [ "$(motley show --report simulated lateness | head -1)" = "(simulated)" ]
    run motley show --report none lateness
    [ "$status" = 1 ]
    [[ "$output" = "motley: cannot open 'none'"* ]]
    for options in "lateness --list" "lateness --json" runs; do
        run motley show --report report $options
        [ "$status" = 2 ]
    done
}

@test "the newest one is shown of what is asked for, and all are listed" {
    measure_one 100
    write_report 0.2 >report
    measure_one 200
    [[ "$(motley show lateness lab script)" = *", N = 200, "* ]]
    [[ "$(motley show --size 100 lateness)" = *", N = 100, "* ]]
    [ "$(motley show --list lateness | wc -l)" = 3 ]
    [ "$(motley show --list --size 200 lateness | wc -l)" = 2 ]
    run jq -c '.simulated, .reports[0].size, .reports[0].ranks, .reports[1].size' \
        <(motley show --list --json lateness)
    [ "$output" = $'false\n200\n3\n100' ]
    run jq -c '.size, .report.program.ranks[2].cost_seconds, (.report.sites | length),
        (.report.sites[0].ranks | length)' <(motley show --json lateness)
    [ "$output" = $'200\n0.2\n2\n3' ]
    run motley show --configuration old:1x1 lateness
    [ "$status" = 1 ]
    [[ "$output" = "motley: no report on late ranks in store"* ]]
}

@test "a file that the user names is the library's, and not read" {
    MOTLEY_BALANCE=bcast,report=mine,verbose measure_one 100
    [ -z "$stderr" ]
    grep -x MOTLEY_BALANCE=bcast,report=mine,verbose arguments
    [ "$(motley show --list lateness | wc -l)" = 1 ]
    MOTLEY_BALANCE=bcast,report,verbose measure_one 200
    grep -xE 'MOTLEY_BALANCE=bcast,report=/.*/motley-run-.*/lateness,verbose' arguments
    [ "$(motley show --list lateness | wc -l)" = 2 ]
    [ "$(query "SELECT launcher FROM run WHERE size = 200")" = "openmpi, bcast,report,verbose" ]
}

@test "a run is kept whatever its report is" {
    local size=100
    while read -r change; do
        write_report 0.4 | jq -c "$change" >report
        measure_one $((size += 100))
        [[ "$stderr" = "motley: the report on late ranks is not kept: "* ]]
    done <<'END'
select(.kind == "program") | .ranks[1].rank = 3
select(.kind == "program") | .ranks[1].rank = -1
select(.kind == "program") | .ranks[1].node = 7
select(.kind == "program") | .size = 1e300
select(.kind == "program") | .nodes = 0
select(.kind == "program") | .findings = [{}]
select(.kind == "program") | del(.rank_seconds)
select(.kind == "communicator")
if .kind == "call site" then .ranks = [1] else . end
END
    write_report 0.4 | head -c 900 >report
    measure_one 2000
    [[ "$stderr" = *"is not kept: not a report of libmotley-balance: "* ]]
    truncate -s 65M report
    measure_one 2100
    [[ "$stderr" = *"is not kept: more than 64 MiB: "* ]]
    printf '%100000s' '' | tr ' ' '[' >report
    measure_one 2200
    [[ "$stderr" = *"is not kept: "* ]]
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 12 ]
    [ "$(query "SELECT count(*) FROM lateness")" = 0 ]
}

@test "that a run has left no report is said once" {
    rm report
    run --separate-stderr motley measure --quiet --configuration old:3x1 --sizes 100,200 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$(grep -c "the run has left none" <<<"$stderr")" = 1 ]
}

@test "names in a report drive no terminal" {
    evil=$'\e[31m\u009b31m\a\u202e'
    write_report 0.4 | jq -c --arg evil "$evil" '
        (.ranks[]? | .node) |= $evil | .findings = [$evil] | .line = $evil | .function = $evil' >report
    measure_one 100
    run --separate-stderr motley show lateness
    [ "$status" = 0 ]
    printf '%s' "$output" >shown
    run ! env LC_ALL=C.UTF-8 grep -nP '[\x00-\x08\x0b-\x1f\x7f-\x9f\x{202e}]' shown
    [ "$(motley show --json lateness | jq -r '.report.program.findings[0]')" = "$evil" ]
}

@test "--plot draws which ranks waited when" {
    measure_one 100
    run motley show --plot term lateness
    [ "$status" = 1 ]
    [[ "$output" = *"motley: the report does not say when ranks waited" ]]
    write_report 0.4 | jq -c 'if .kind == "program" then .interval_seconds = 0.25 |
        .ranks[0].waiting_by_interval = [0.25, 0.125, 0, 0.1] |
        .ranks[2].waiting_by_interval = [0, 0, 1e300, -1] else . end' >report
    measure_one 200
    motley show --plot term lateness >plot
    [ "$(grep -E '^ *[012] .*[|]' plot | tr -d ' |+-')" = $'20090\n10000\n09504' ]
    if command -v gnuplot; then
        motley show --plot plot.svg lateness
        grep -q 'when ranks waited' plot.svg
    fi
    run motley show --plot plot.svg runs
    [ "$status" = 2 ]
    run motley show --plot plot.jpg lateness
    [ "$status" = 2 ]
}

@test "a report in the store that is broken is an error, and nothing else suffers" {
    measure_one 100
    sqlite3 motley.db "UPDATE lateness SET report = '{'"
    run motley show lateness
    [ "$status" = 2 ]
    [[ "$output" = "motley: not a report of libmotley-balance: "* ]]
    [ "$(motley show runs | wc -l)" = 2 ]
}

@test "options that say nothing about reports are refused" {
    run motley show --failed lateness
    [ "$status" = 2 ]
    run motley show --list runs
    [ "$status" = 2 ]
    [ "$output" = "motley: --list is for lateness, not runs" ]
}

@test "nodes that are known by their addresses are told apart" {
    sed -i 's/old-\[1-3\]/10.0.0.[1-3]/' cluster.yaml
    write_report 0.4 | jq -c '(.ranks[]? | .node) |= sub("old-(?<n>.).*"; "10.0.0.\(.n)")' >report
    motley measure --quiet --configuration old:1x1,old:2x1,old:3x1 cluster.yaml program.yaml
    motley plan --size 200 cluster.yaml program.yaml >plan
    grep "node 10.0.0.3 took 35 % longer between its calls" plan
}

@test "plan says which node the last report found slow" {
    local said="node old-3 took 35 % longer between its calls than the others of 'old'"
    motley measure --quiet --configuration old:1x1,old:2x1,old:3x1 cluster.yaml program.yaml
    motley plan --size 200 cluster.yaml program.yaml >plan
    grep -E "^on old:[1-3]x1 \\(20..-..-.. ..:.. UTC\\) $said: see 'motley show lateness'$" plan
    # Where cores are shared nothing can be told, nor of nodes that do as the others.
    motley measure --quiet --configuration old:3x2 cluster.yaml program.yaml
    for change in '.verdict = "cores"' '.ranks[2].seconds = 0.45' '.ranks |= map(.node = "new")'; do
        sqlite3 motley.db "DELETE FROM lateness"
        write_report 0.4 | jq -c "if .kind == \"program\" then $change else . end" >report
        measure_one 300
        [ "$(motley show --list lateness | wc -l)" = 2 ]
        sqlite3 motley.db "DELETE FROM run WHERE size = 300"
        motley plan --size 200 cluster.yaml program.yaml >plan
        run ! grep "longer between its calls" plan
    done
}

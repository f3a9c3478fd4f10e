# The report on late ranks. Times are asserted on simulated ranks; here, who is late and
# how often, with delays that are long against what a busy machine adds.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    cd "$BATS_TEST_TMPDIR" || return
    balance=report=$BATS_TEST_TMPDIR/report.jsonl
}

holds() {
    jq --slurp --exit-status "$1" report.jsonl
}

# Of the whole program, and of its two call sites.
world='map(select(.kind == "communicator" and .communicator == "MPI_COMM_WORLD"))[0]'
sites='map(select(.kind == "site" and .communicator == "MPI_COMM_WORLD"))'

@test "$FAMILY: the report names the rank that is late" {
    start 4 late 2 40 32 0
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"Rank 2 on node "*" came late in "* ]]
    holds "$world | .verdict == \"rank\" and .bytes >= 180 * 1024 and .calls == 30 and .watched == 30 and
        .ranks_heard == 4 and .size == 4 and .simulated == false"
    holds "$world.ranks | max_by(.cost_seconds) | .rank == 2 and .late >= 0.9 * .seen"
    holds "$sites | length == 2 and ([.[].calls] | sort == [7, 23])"
    holds 'map(.communicator) | index("the \"lower\" half") != null'
    holds "$world | .patient_ranks == 4 and .fullest_node_ranks == 4"
}

@test "$FAMILY: addr2line finds the call sites" {
    command -v addr2line || skip "there is no addr2line here"
    start 4 late 2 5 32 0
    [ "$status" -eq 0 ]
    for address in $(jq -r 'select(.kind == "site" and .size == 4) | .address' report.jsonl); do
        addr2line -f -e "$PROGRAMS/late-$FAMILY" "$address" >line
        echo "$address is in $(cat line)"
        grep '^broadcasts$' line
        grep '/late\.c:2[0-9]' line
    done
}

@test "$FAMILY: a late root is told from other late ranks" {
    start 4 late 1 40 16 1
    [ "$status" -eq 0 ]
    holds "$world | .verdict == \"root\" and (.ranks | max_by(.cost_seconds).rank == 1)"
    [[ "$stderr" == *"for the root of the broadcast itself"*"which came "* ]]
}

@test "$FAMILY: broadcasts alone are enough for a report on all calls" {
    start 4 late 1 20 16 1 alone
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"waiting in all calls"* ]]
    holds 'map(select(.kind == "program"))[0] | .ranks | max_by(.cost_seconds).rank == 1'
    start 4 late 1 1 2 1 alone # too few for lines on broadcasts
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"waiting in all calls"* ]]
    [[ "$stderr" != *"waiting in MPI_Bcast"* ]]
}

@test "$FAMILY: the report says what was saved where that is known" {
    balance=bcast=auto,report
    start 4 late 2 40 16 0
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"saved by this library"* ]]
    balance=bcast=paper,report
    start 4 late 2 10 4 0
    [ "$status" -eq 0 ]
    [[ "$stderr" != *"saved by this library"* ]]
}

@test "$FAMILY: where the file cannot be written the lines still are" {
    balance=report=$BATS_TEST_TMPDIR/none/report.jsonl
    start 2 late 1 1 5 0
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"waiting in MPI_Bcast on MPI_COMM_WORLD"* ]]
    [ "$(grep -c "cannot write the report to '.*': No such file" <<<"$stderr")" -eq 1 ]
}

# Without patience ranks that wait keep the core from the rank that they wait for.
@test "$FAMILY: that cores are shared is said" {
    command -v taskset || skip "there is no taskset here"
    core=$(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')
    tool="taskset -c $core"
    PRELOAD=
    start 3 late 2 5 16 0
    [ "$status" -eq 0 ]
    holds "$world | .verdict == \"cores\" and .fullest_node_ranks == 3 and
        .fullest_node_cores == 1 and .patient_ranks == 0 and .set_up_seconds > 0"
    [[ "$stderr" == *"in MPI_Bcast"*"Cores are shared: 3 ranks have 1 core on node "*"'motley patient'"* ]]
}

# What the report on all calls says of the program late_ranks.
program='map(select(.kind == "program"))[0]'
# late_at CALL RANK: seconds by which the rank came late to calls of that name, all together
late_at() {
    jq --slurp "map(select(.kind == \"call site\" and .call == \"$1\") | .ranks[] |
        select(.rank == $2) | .late * .late_seconds_mean) | add" report.jsonl
}

@test "$FAMILY: late ranks are told for all kinds of calls" {
    start 4 late_ranks 20 0.005
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"waiting in all calls"*"'motley show lateness'"* ]]
    "$MOTLEY" show --report report.jsonl lateness >page
    grep "^4 ranks on 1 node, .* in calls that wait, .* waiting$" page
    grep "^MPI_Barrier .* rank 2, .* late in " page
    holds "$program | .size == 4 and .ranks_heard == 4 and (.ranks | map(.rank) == [0, 1, 2, 3])"
    holds "$program.ranks | max_by(.cost_seconds).rank == 2"
    holds 'map(select(.kind == "call site") | .call) | unique |
        . == ["MPI_Allreduce", "MPI_Barrier", "MPI_Recv", "MPI_Send"]'
    holds 'map(select(.kind == "call site" and .call == "MPI_Recv")) | length == 1 and
        (.[0].ranks | max_by(.cost_seconds) | .rank == 0 and .late >= 5 and .seen == 20)'
    holds 'map(select(.kind == "call site" and .call == "MPI_Allreduce") | .ranks[]) |
        map(select(.rank == 1) | .calls) | add == 20'
    # 6 calls, 10 ms and 100 ms.
    echo "late: $(late_at MPI_Allreduce 1) $(late_at MPI_Barrier 2)"
    jq --null-input --exit-status "$(late_at MPI_Allreduce 1) >= 0.04 and
        $(late_at MPI_Barrier 2) >= 0.5"
}

@test "$FAMILY: the report has the lines of the source" {
    command -v addr2line || skip "there is no addr2line here"
    start 4 late_ranks 5 0.005
    [ "$status" -eq 0 ]
    "$MOTLEY" show --report report.jsonl lateness | grep "^MPI_Barrier  *late_ranks.c:3[0-9]"
    # Of a line that the compiler has made two of, there is one.
    holds 'map(select(.kind == "call site")) | length == 5 and
        all(.line | test("^late_ranks[.]c:[0-9]+$")) and all(.calls == 5) and
        (.[] | select(.call == "MPI_Allreduce") | .ranks | map(.calls) == [5, 5, 5, 5])'
}

@test "$FAMILY: calls that are watched have the MPI's results" {
    for words in report report,bcast; do
        balance=$words
        start 4 watched_collectives
        [ "$status" -eq 0 ]
        start 3 watched_messages
        [ "$status" -eq 0 ]
        [[ "$stderr" == *"waiting in all calls"* ]]
    done
}

@test "$FAMILY: calls in Fortran are watched" {
    [ -n "$FORTRAN" ] || skip "there is no gfortran here"
    for program in watched_mpif watched_f08; do
        rm -f report.jsonl
        start 3 $program
        [ "$status" -eq 0 ]
        holds 'map(.call) | index("MPI_Sendrecv") and index("MPI_Allreduce")'
    done
}

@test "$FAMILY: motley keeps the report of a run" {
    cat >here.yaml <<END
name: here
launcher: $FAMILY
groups:
  - {name: pc, hosts: localhost, processes: [4]}
END
    cat >program.yaml <<END
name: late_ranks
command: ["$PROGRAMS/late_ranks-$FAMILY", "{N}", "0.005"]
time: wall
sizes: {measure: [20]}
END
    MOTLEY_BALANCE=report run --separate-stderr "$MOTLEY" run --size 20 --configuration pc:1x4 ./here.yaml ./program.yaml
    [ "$status" -eq 0 ]
    "$MOTLEY" show --json lateness here late_ranks >report.json
    jq --exit-status '.report.program.ranks | max_by(.cost_seconds).rank == 2' report.json
    jq --exit-status '.report.sites | map(.call) | index("MPI_Barrier") and index("MPI_Recv")' report.json
}

# Times are asserted on simulated ranks.
@test "$FAMILY: who is late in calls that few wait in, and who works alone, is told" {
    start 4 late_rooted 20 0.005
    [ "$status" -eq 0 ]
    [[ "$stderr" = *"Rank 0 on node "*" works alone while the others wait, for "*" ahead of MPI_Bcast at "*"(1 call)."* ]]
    for who in 'MPI_Reduce 2' 'MPI_Gather 1'; do
        holds "map(select(.call == \"${who% *}\") | .ranks[]) | group_by(.rank) |
            max_by(map(.cost_seconds) | add)[0].rank == ${who#* }"
    done
}

# Whose lateness shows in no call of all ranks.
@test "$FAMILY: every program gets a report, and waits of single messages count" {
    start 2 halo sendrecv
    holds 'map(select(.call == "MPI_Sendrecv") | .ranks[] | select(.rank == 1)) |
        length == 1 and all(.late == 60 and .seen == 60)'
    balance=report
    [[ "$stderr" == *"Rank 1 on node "*" came late in 100 % of the calls"* ]]
    start 2 halo alltoall
    [[ "$stderr" == *"Rank 1 on node "*" came late in"* ]]
    start 2 halo waitall
    [[ "$stderr" == *"It is unknown for which rank"* ]]
    start 2 halo nothing
    [[ "$stderr" == *"waiting in all calls"*"No rank was notably late."* ]]
}

# The report on late ranks, on simulated ones, where times are exact. SMPIMAIN starts
# them; LATE is the program.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return
    cat >platform.xml <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="n" suffix=".test" radical="0-15" speed="1Gf" bw="10Gbps"
           lat="5us"/>
</platform>
END
}

# late RANKS RANKS_PER_NODE [ARGUMENT...]: JSON lines are in report.jsonl.
late() {
    local ranks=$1 each=$2
    shift 2
    for ((rank = 0; rank < ranks; rank++)); do
        echo "n$((rank / each)).test"
    done >ranks
    rm -f report.jsonl
    MOTLEY_BALANCE=${bcast:+$bcast,}report=$PWD/report.jsonl run --separate-stderr "$SMPIMAIN" "$LATE" \
        --cfg=smpi/privatization:dlopen --cfg=smpi/hostfile:ranks \
        --cfg=smpi/simulate-computation:no --cfg=smpi/bcast:mpich \
        --log=root.thres:error platform.xml "$@"
    echo "late $*: $output $stderr"
    [ "$status" -eq 0 ]
    holds 'all(.simulated) and all(.ranks_heard // .size | . == $ranks or . == $ranks / 2)' \
        --argjson ranks "$ranks"
}

holds() {
    jq --slurp --exit-status "$@" report.jsonl
}

world='map(select(.kind == "communicator" and .communicator == "MPI_COMM_WORLD"))[0]'

@test "lateness and what it cost are exact" {
    # In the MPI's own tree ranks 5 to 7 wait for rank 4, 10 ms in each of 498 calls.
    late 8 1 4 10 500 0
    holds "$world | .verdict == \"rank\" and .calls == 498 and .watched < 120"
    holds "$world.waiting_seconds / (498 * 3 * 0.010) | . > 0.95 and . < 1.05"
    holds "$world.ranks | length == 1 and (.[0] | .rank == 4 and .node == \"n4.test\" and
        .late > 0.9 * .seen and (.late_seconds_mean - 0.010 | fabs) < 0.0001)"
    [[ "$stderr" == *"(simulated)"*"Rank 4 on node n4 came late"* ]]
}

@test "a late leaf of the MPI's own tree costs nothing" {
    late 8 1 7 10 500 0
    holds "$world | .verdict == \"nobody\" and .waiting_seconds < 0.05 * 498 * 0.010"
    holds "$world.ranks | length == 1 and .[0].rank == 7"
}

@test "when nobody is late the report says so" {
    late 8 1 -1 0 500 0
    holds "$world | .verdict == \"nobody\" and .ranks == []"
    [[ "$stderr" == *"No rank was notably late."* ]]
}

@test "nodes are told apart" {
    late 16 4 6 10 100 0
    holds "$world | .nodes == 4 and .ranks[0].node == \"n1.test\""
}

# An inner rank of the MPI's own tree is late in all of 998 calls: trees of the library's
# carry them, in which it holds up nobody.
@test "with bcast=auto trees of the library are used, and help" {
    late 8 1 4 10 1000 0
    holds "$world | .tree_calls == 0 and .saved_seconds == 0"
    seconds=$(jq --slurp "$world.seconds" report.jsonl)
    bcast=bcast=auto late 8 1 4 10 1000 0
    holds "$world | .calls == 998 and .tree_calls > 0.8 * .calls"
    holds "$world | .saved_seconds > 0.5 * \$native and .seconds < 0.2 * \$native" \
        --argjson native "$seconds"
    [[ "$stderr" == *"saved by this library"* ]]
}

@test "with bcast=auto and no rank late broadcasts are no slower" {
    late 8 1 -1 0 1000 0
    seconds=$(jq --slurp "$world.seconds" report.jsonl)
    bcast=bcast=auto late 8 1 -1 0 1000 0
    holds "$world | .calls == 998 and .seconds < 1.1 * \$native" --argjson native "$seconds"
}

# late_at CALL RANK EXPECTED: seconds by which the rank came late to calls of that name, all
# together, within 5 per cent
late_at() {
    holds "map(select(.kind == \"call site\" and .call == \"$1\") | .ranks[] |
        select(.rank == $2)) | (map(.late * .late_seconds_mean) | add) / ($3) |
        . > 0.95 and . < 1.05"
}

# The time in which rank 1 is 2 ms late and rank 2 is 20, each in 30 % of the calls.
@test "who is late in any call, and by how much, is exact" {
    for calls in 200 20000; do
        LATE=$LATE_RANKS late 4 1 "$calls" 0.001
        late_at MPI_Allreduce 1 "0.3 * $calls * 0.002"
        late_at MPI_Barrier 2 "0.3 * $calls * 0.020"
        late_at MPI_Recv 0 "0.3 * $calls * 0.005"
        holds "map(select(.kind == \"program\"))[0] | .verdict == \"rank\" and
            (.ranks | max_by(.cost_seconds).rank == 2) and
            (.ranks | all(.late_seconds_mean <= .late_seconds_max)) and
            (.late_ranks_seconds / (0.3 * $calls * (3 * 0.002 + 3 * 0.020 + 0.005 + 2 * 0.005))
                | . > 0.95 and . < 1.05)"
    done
}

# Some ranks leave these calls before others come.
@test "who is late in calls that few wait in is exact, too" {
    for calls in 200 20000; do
        LATE=$LATE_ROOTED late 4 1 "$calls" 0.001
        late_at MPI_Reduce 2 "0.3 * $calls * 0.004"
        late_at MPI_Gather 1 "0.3 * $calls * 0.003"
        holds "map(select(.kind == \"call site\" and .call == \"MPI_Reduce\"))[0] |
            (.waiting_seconds / (0.3 * $calls * 0.004) | . > 0.95 and . < 1.05) and
            (.ranks[2].cost_seconds / .waiting_seconds | . > 0.95 and . < 1.05)"
    done
}

@test "that a rank works alone is told from a rank that is slow" {
    LATE=$LATE_ROOTED late 4 1 100 0.001
    found="map(select(.kind == \"program\"))[0].findings | any(test(\$words))"
    holds "$found" --arg words "Rank 0 on node n0 works alone while the others wait, for .* ahead of MPI_Bcast at .*\\(1 call\\)\\."
    LATE=$LATE_RANKS late 4 1 100 0.001
    holds "$found" --arg words "Rank 2 on node n2 works alone while the others wait"
    late 8 1 5 10 200 0
    ! holds "$found" --arg words "works alone"
}

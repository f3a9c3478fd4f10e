# The benchmark of broadcasts under a real MPI. MPIRUN starts ranks; BENCH is the program,
# CORRUPT a library with a broadcast that is wrong.

bats_require_minimum_version 1.5.0

# bench RANKS [OPTION...]: what it measures is in $json.
bench() {
    local ranks=$1
    shift
    json=$BATS_TEST_TMPDIR/bench.json
    run --separate-stderr timeout 200 $MPIRUN -np "$ranks" $PRELOAD "$BENCH" \
        --json "$json" "$@"
    echo "bench on $ranks ranks, $*: $output $stderr"
}

# holds FILTER: it is true of the array of all objects in $json.
holds() {
    jq --slurp --exit-status "$1" "$json"
}

@test "both ways are measured under every pattern, and the data is right" {
    bench 4 --sizes 1,5000 --arrival none,one:all,random:2 --delay 200us --calls 4 \
        --repetitions 2
    [ "$status" -eq 0 ]
    holds 'group_by([.bytes, .arrival, .way]) |
        length == 2 * 6 * 2 and all((map(.metric) | unique | length) == 7)'
    holds 'all(.simulated == false and .ranks == 4 and .checked)'
    holds 'map(select(.ratio)) | length > 70 and
        all((.value / .rival_value - .ratio | fabs) <= 1e-4 * .ratio)'
    holds 'map(select(.metric == "in call")) | all(.value > 0 and .p10 <= .p90)'
}

@test "all wait for a late root" {
    bench 4 --sizes 1 --arrival one:0 --ways stock --delay 200ms --calls 4 \
        --repetitions 1
    [ "$status" -eq 0 ]
    holds 'map(select(.metric == "overall")) | length == 1 and all(.value > 0.19)'
    holds 'map(select(.metric == "longest, learned")) | all(.value > 0.1)'
}

@test "wrong data is found" {
    PRELOAD="env LD_PRELOAD=$CORRUPT"
    bench 2 --sizes 1,100000 --arrival none --calls 3 --repetitions 1
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"motley-bcast-bench: wrong data in 6 receptions by balance"* ]]
    [ "$(grep -c "wrong data" <<<"$stderr")" -eq 1 ]
}

@test "wrong options are explained once, by one rank" {
    bench 2 --sizes 1,0
    [ "$status" -eq 2 ]
    [ "$(grep -c "motley-bcast-bench: --sizes must be from" <<<"$stderr")" -eq 1 ]
}

@test "a file that cannot be written ends the run" {
    run --separate-stderr timeout 200 $MPIRUN -np 2 "$BENCH" --json /nowhere/bench.json
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"motley-bcast-bench: cannot write '/nowhere/bench.json'"* ]]
}

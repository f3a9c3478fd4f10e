# The probe under a real MPI: MPIRUN starts ranks of PROBE. What it says must be whole;
# how fast this machine is, nobody knows.

bats_require_minimum_version 1.5.0

setup_file() {
    export LINES_FILE=$BATS_FILE_TMPDIR/lines
    timeout 200 $MPIRUN -np 3 "$PROBE" --pairs 0-1,2-1 --max-bytes 100000 --compute \
        --alltoall >"$LINES_FILE"
}

# holds FILTER [ARGUMENT...]: all lines together, as an array, pass jq's filter.
holds() {
    jq --slurp --exit-status "$@" "$LINES_FILE"
}

start() {
    local ranks=$1
    shift
    run --separate-stderr timeout 200 $MPIRUN -np "$ranks" "$PROBE" "$@"
    echo "$*: $output $stderr"
}

@test "each line is an object that says what it is about" {
    while read -r line; do
        jq --exit-status '.test | IN("rank", "compute", "pair", "between", "network", "alltoall")' <<<"$line"
    done <"$LINES_FILE"
}

@test "each rank tells its host, its MPI, its cores and the load" {
    declare -A names=([openmpi]="Open MPI" [mpich]="MPICH")
    holds 'map(select(.test == "rank")) | map(.rank) == [0, 1, 2] and all(
        .host == $host and (.mpi | startswith($mpi) and (contains("\n") | not)) and
        .cores >= 1 and .load >= 0)' \
        --arg host "$(uname -n)" --arg mpi "${names[$FAMILY]}"
}

@test "each rank says what its MPI tells of long messages; no interface is used here" {
    holds 'map(select(.test == "network")) | map(.rank) == [0, 1, 2] and
        all(has("interface") == false and .mtu == null and has("buffer") and
            (.eager == null or .eager > 0))'
}

@test "each rank has a speed and a bandwidth" {
    holds 'map(select(.test == "compute")) | map(.rank) == [0, 1, 2] and
        all(.flops > 0 and .bandwidth > 0)'
}

@test "each pair has all sizes in order, with times" {
    holds '([range(17) | pow(2; .) | ., . * 1.5] | map(select(. == floor and . <= 100000)) |
        sort) as $sizes | map(select(.test == "pair")) |
        all(.seconds > 0 and .median >= .seconds) and
        (map([.from, .to, .bytes]) ==
            [($sizes[] | [0, 1, .]), ($sizes[] | [2, 1, .])])'
}

@test "sizes in between are those where times may jump, with times" {
    holds 'map(select(.test == "between")) |
        all(.bytes > 128 and .bytes < 100000 and .seconds > 0 and .median >= .seconds) and
        (map([.from, .to, .bytes]) | length == (unique | length))'
}

@test "all-to-all has the powers of two in order, with times" {
    holds 'map(select(.test == "alltoall")) |
        all(.ranks == 3 and .seconds > 0 and .median >= .seconds) and
        (map(.bytes) == [range(17) | pow(2; .)])'
}

@test "a rank alone exchanges with itself, and computes only when asked to" {
    start 1 --alltoall --max-bytes 1
    [ "$status" -eq 0 ]
    jq --slurp --exit-status 'map(.test) == ["rank", "alltoall"]' <<<"$output"
}

@test "wrong options are explained once, by one rank" {
    start 2 --pairs 0-2
    [ "$status" -eq 2 ]
    [ "$(grep -c "motley-probe: " <<<"$stderr")" -eq 1 ]
    [[ "$stderr" == *"motley-probe: --pairs takes two different ranks between 0 and 1"* ]]
}

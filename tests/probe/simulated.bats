# The probe on simulated nodes, whose speeds are known: SMPIMAIN starts PROBE on hosts
# of PLATFORM. Links are 25 us and 90 MB/s, two of them between any two hosts.

bats_require_minimum_version 1.5.0

# simulate HOSTS [ARGUMENT...]: a rank on each of the hosts, on a network that does
# nothing but wait for the latency and then send at the bandwidth.
simulate() {
    printf '%s\n' $1 >"$BATS_TEST_TMPDIR/ranks"
    shift
    run --separate-stderr "$SMPIMAIN" "$PROBE" \
        --cfg=smpi/privatization:no --cfg=smpi/hostfile:"$BATS_TEST_TMPDIR/ranks" \
        --cfg=network/model:CM02 --cfg=network/crosstraffic:0 \
        --cfg=smpi/simulate-computation:no \
        --log=root.thres:error "$PLATFORM" "$@"
    echo "$*: $output $stderr"
}

refused() {
    local message=$1
    shift
    simulate "a b" "$@"
    [ "$status" -eq 2 ]
    [ "$stderr" = "motley-probe: $message" ]
}

# holds FILTER: all lines together, as an array, pass jq's filter.
holds() {
    jq --slurp --exit-status "def near(\$expected): . / \$expected - 1 | fabs < 0.005;
        $1" <<<"$output"
}

@test "a simulated rank has a host, but no load and no cores" {
    simulate "a c"
    holds 'map(.host) == ["a", "c"] and all(.mpi | startswith("SMPI")) and
        all([.cores, .load] == [null, null])'
}

@test "messages take the latency, and their size over the bandwidth" {
    simulate "a b c" --pairs 0-1,2-1
    holds 'map(select(.test == "pair")) | length == 88 and
        (map([.from, .to]) | unique) == [[0, 1], [2, 1]] and
        all(.bytes as $bytes | .seconds | near(50e-6 + $bytes / 90e6)) and
        all(.median as $median | .seconds | near($median))'
}

@test "large messages between all ranks share each node's link" {
    simulate "a b c d" --alltoall
    holds 'map(select(.test == "alltoall")) | length == 21 and
        all(.[] | select(.bytes >= 65536);
            .bytes as $bytes | .seconds | near(50e-6 + 3 * $bytes / 90e6))'
}

@test "speeds are those of the nodes, and a slower one shows" {
    # Node c is half as fast, and two processes share its core at a loss of a fifth; b
    # has slow memory, d twice that for two processes, and a no limit but its speed.
    simulate "a b c d" --compute
    holds 'map(select(.test == "compute")) |
        (.[0].flops | near(2e9)) and (.[1].flops | near(2e9)) and
        (.[2].flops | near(0.4e9)) and (.[3].flops | near(2e9)) and
        (.[0].bandwidth | near(24e9)) and (.[1].bandwidth | near(1e8)) and
        (.[3].bandwidth | near(1e8))'
}

@test "a simulation repeats itself" {
    simulate "a b c d" --compute --alltoall --pairs 0-3
    first=$output
    simulate "a b c d" --compute --alltoall --pairs 0-3
    [ "$output" = "$first" ]
}

@test "nothing is measured that was not asked for" {
    simulate "a b"
    [ "$status" -eq 0 ]
    holds 'map(.test) == ["rank", "rank"]'
}

@test "wrong options are explained" {
    refused "--pairs must be like 0-1,0-2: 'one'" --pairs one
    refused "--pairs must be like 0-1,0-2: '0-1x'" --pairs 0-1x
    refused "--pairs must be like 0-1,0-2: ' 0-1'" --pairs "0-1, 0-1"
    refused "--pairs must be like 0-1,0-2: ''" --pairs 0-1,
    refused "--pairs must be like 0-1,0-2: '0--1'" --pairs 0--1
    refused "--pairs takes two different ranks between 0 and 1: '0-2'" --pairs 0-2
    refused "--pairs takes two different ranks between 0 and 1: '4294967296-1'" \
        --pairs 4294967296-1
    refused "--pairs takes two different ranks between 0 and 1: '1-1'" --pairs 0-1,1-1
    refused "--max-bytes: '0' is not a whole number from 1 to 1073741824" --max-bytes 0
    refused "unknown option: '--pair'; did you mean '--pairs'?" --pair
    refused "no argument expected: 'more'" more
}

@test "help is printed once" {
    simulate "a b" -h
    [ "$status" -eq 0 ]
    [ "$(grep -c -- --max-bytes <<<"$output")" -eq 1 ]
}

# The benchmark of broadcasts on simulated ranks, where times are exact. SMPIMAIN starts
# them; BENCH is the program, PAGE its manual.

bats_require_minimum_version 1.5.0

setup() {
    folder=$BATS_TEST_TMPDIR json=$BATS_TEST_TMPDIR/bench.json
    cat >"$folder/platform.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="n" suffix="" radical="0-15" speed="1Gf" bw="10Gbps"
           lat="5us"/>
</platform>
END
}

# bench RANKS [OPTION...]: what it measures is in $json.
bench() {
    local ranks=$1
    shift
    printf 'n%d\n' $(seq 0 $((ranks - 1))) >"$folder/ranks"
    run --separate-stderr "$SMPIMAIN" "$BENCH" --cfg=smpi/privatization:dlopen \
        --cfg=smpi/hostfile:"$folder/ranks" --cfg=smpi/simulate-computation:no \
        --cfg=smpi/bcast:"${tree:-mpich}" --log=root.thres:error "$folder/platform.xml" \
        --json "$json" "$@"
    echo "bench on $ranks ranks, $*: $output $stderr"
    [ "$status" -eq ${expected_status:-0} ]
}

holds() {
    jq --slurp --exit-status "$1" "$json"
}

@test "who waits for a late rank is what the trees say" {
    tree=binomial_tree bench 8 --sizes 1 --arrival one:all --ways stock --delay 1s \
        --calls 4 --repetitions 1
    # Below rank 4 of the binomial tree are 3 ranks, below 2 and 6 one each.
    holds 'map(select(.metric == "in call") | .value) |
        [., [0, 1, 0, 3, 0, 1, 0]] | transpose |
        length == 7 and all((.[0] - .[1] / 8 | fabs) < 0.001)'
    holds 'map(select(.metric == "rounds")) | all(.value == 0)'
    holds 'map(select(.metric == "overall")) | all(.value >= 1 and .value < 1.001)'
    tree=flattree bench 8 --sizes 1 --arrival one:all --ways stock --delay 1s --calls 4 \
        --repetitions 1
    holds 'map(select(.metric == "in call")) | all(.value < 0.001)'
}

@test "a relative delay is a multiple of the stock broadcast's time" {
    bench 8 --sizes 1KiB,64KiB --arrival none,one:4 --ways stock --delay 10x --calls 3 \
        --repetitions 1
    holds '(map(select(.metric == "overall" and .arrival == "none")) |
            map(10 * .value)) as $expected |
        (map(select(.metric == "overall" and .arrival == "one:4")) | map(.late)) |
        length == 2 and ([., $expected] | transpose |
            all((.[0] / .[1] - 1 | fabs) < 1e-6))'
}

@test "nobody is late by no time" {
    bench 2 --sizes 1 --arrival one:1 --ways stock --delay 0ms --calls 2 --repetitions 1
    holds 'all(.late == 0)'
}

@test "random patterns have a number each, and say how long all wait for the root" {
    bench 16 --sizes 1 --arrival random:5 --ways stock --delay 1ms --calls 3 \
        --repetitions 1
    [[ "$output" == *"1 B    random#5      1 ms "* ]]
    holds 'map(.arrival) | unique | length == 5'
    holds 'map(select(.metric == "in call, learned")) | length == 5 and
        all(.wait_for_root >= 0 and .wait_for_root < 0.001 and
            .value > .wait_for_root)'
}

@test "the root's share is as it was asked for, and calls that warm up do not count" {
    bench 16 --sizes 1 --arrival random:5 --ways stock --delay 1s --root 0 --calls 3 \
        --warm-up 2 --repetitions 1
    holds 'all(.wait_for_root == 0 and .calls == 3)'
    holds 'map(select(.metric == "overall")) | all(.value > 0.5)'
    bench 16 --sizes 1 --arrival random:5 --ways stock --delay 1s --root 1 --calls 3 \
        --repetitions 1
    holds 'map(select(.metric == "in call")) | all(.value > 0.4 and .value < 0.7)'
}

@test "data that all simulated ranks share is not checked, and that is said" {
    tree=flattree bench 9 --sizes 256MiB --arrival none --ways stock --calls 2 \
        --repetitions 1
    [[ "$output" == *"256 MiB        none "*"(data too large to be checked)"* ]]
    holds 'all(.checked == false)'
}

@test "a simulation is marked as one, and repeats exactly" {
    bench 5 --sizes 100 --arrival random:1 --calls 5 --repetitions 1
    [[ "$output" == *"5 ranks (simulated)"* ]]
    holds 'all(.simulated)'
    cp "$json" "$folder/first.json"
    bench 5 --sizes 100 --arrival random:1 --calls 5 --repetitions 1
    cmp "$json" "$folder/first.json"
}

# refused MESSAGE [OPTION...]: on two ranks, said once, with exit status 2.
refused() {
    local message=$1 expected_status=2
    shift
    bench "${alone:-2}" "$@"
    [ "$(grep -cF "motley-bcast-bench: $message" <<<"$stderr")" -eq 1 ]
}

@test "wrong options are explained once" {
    refused "--sizes must be from 1 B to 1 GiB, as 64, 4KiB: '0'" --sizes 1,0
    for size in "" -1 KiB 1kb 1.0001KiB 2GiB 99999999999999999999; do
        refused "--sizes must be" --sizes "1,$size"
    done
    for arrival in one one: one:-1 one:2 "one: 1" one:1x random random:0 random:-1 late; do
        refused "--arrival knows none, one:RANK, one:all and random:COUNT, on 2 ranks: '$arrival'" \
            --arrival "$arrival"
    done
    refused "--ways knows balance and stock: 'best'" --ways best
    for delay in 10 x -1ms 1e999s 10X 1ms2 nan "inf s"; do
        refused "--delay must be like 10ms or 10x (ns us ms s x): '$delay'" --delay "$delay"
    done
    refused "--calls: '1' is not a whole number from 2 to 1000000" --calls 1
    refused "--repetitions: '0' is not a whole number from 1 to 1000000" --repetitions 0
    refused "--root: '2' is not a number from 0 to 1" --root 2
    refused "--sizes takes at most 64 words" --sizes "$(seq -s, 65)"
    refused "no argument expected: 'more'" more
    alone=1 refused "it takes at least 2 ranks"
}

@test "the manual has the options of the help" {
    bench 2 -h
    diff <(sed '1,/^# OPTIONS/d; /^# /,$d; s/[*]//g' "$PAGE" | grep '^-' |
        grep -oE -- '--[a-z-]+' | sort) \
        <(grep -oE -- '^  .*--[a-z-]+' <<<"$output" | grep -oE -- '--[a-z-]+' | sort)
}

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
        --cfg=smpi/bcast:mpich --log=root.thres:error "$folder/platform.xml" \
        --json "$json" "$@"
    echo "bench on $ranks ranks, $*: $output $stderr"
    [ "$status" -eq ${expected_status:-0} ]
}

holds() {
    jq --slurp --exit-status "$1" "$json"
}

@test "who waits for a late rank is what the trees say" {
    bench 8 --sizes 1 --arrival one:all --ways stock,binomial,flat --delay 1s --calls 4 \
        --repetitions 1
    # Below place 4 of the binomial tree are 3 ranks, below 2 and 6 one each.
    holds 'map(select(.metric == "in call" and .way == "binomial") | .value) |
        [., [0, 1, 0, 3, 0, 1, 0]] | transpose |
        length == 7 and all((.[0] - .[1] / 8 | fabs) < 0.001)'
    holds 'map(select(.metric == "in call" and .way == "flat")) | all(.value < 0.001)'
    holds 'map(select(.metric == "rounds")) | all(.value == 0)'
    holds 'map(select(.metric == "overall")) | all(.value >= 1 and .value < 1.001)'
}

@test "the stock broadcast of a few ranks is the binomial tree" {
    bench 8 --sizes 4KiB --arrival none,random --ways stock,binomial --calls 3 \
        --repetitions 1
    holds 'map(select(.way == "binomial" and .ratio)) | length > 10 and
        all((.ratio - 1 | fabs) < 1e-6)'
}

@test "a relative delay is a multiple of the stock broadcast's time" {
    bench 8 --sizes 1KiB,64KiB --arrival none,bell --ways stock --delay 10x --calls 3 \
        --repetitions 1
    holds '(map(select(.metric == "overall" and .arrival == "none")) |
            map(10 * .value)) as $expected |
        (map(select(.metric == "overall" and .arrival == "bell")) | map(.late)) |
        length == 2 and ([., $expected] | transpose |
            all((.[0] / .[1] - 1 | fabs) < 1e-6))'
}

@test "delays by work take as long as those asleep" {
    bench 4 --sizes 1 --arrival one:2 --ways binomial --delay 3s --delay-by spin \
        --calls 2 --repetitions 1
    holds 'map(select(.metric == "in call")) | all((.value - 3 / 4 | fabs) < 0.001)'
}

@test "random patterns are counted against stock" {
    bench 16 --sizes 1 --patterns 5 --ways stock,binomial,flat --delay 1ms --calls 3 \
        --repetitions 1
    [[ "$output" == *"1 B, 5 patterns of arrival"* ]]
    holds 'map(select(.bench == "bcast") | .arrival) | unique | length == 5'
    holds 'map(select(.bench == "bcast-patterns" and .metric == "better")) |
        map({(.way): .value}) | add == {binomial: 0, flat: 1}'
}

@test "data that all simulated ranks share is not checked, and that is said" {
    bench 9 --sizes 256MiB --arrival none --ways flat --calls 2 --repetitions 1
    [[ "$output" == *"256 MiB, arrival none (the data is not checked: too large)"* ]]
    holds 'all(.checked == false)'
}

@test "a simulation is marked as one, and repeats exactly" {
    bench 5 --sizes 100 --arrival random:2 --calls 5 --repetitions 1
    [[ "$output" == *"5 ranks (simulated)"* ]]
    holds 'all(.simulated)'
    cp "$json" "$folder/first.json"
    bench 5 --sizes 100 --arrival random:2 --calls 5 --repetitions 1
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
    refused "--arrival knows none, one:PLACE" --arrival one
    refused "a place must be between 0 and 1 on 2 ranks: 'one:2'" --arrival one:2
    refused "--ways knows balance, stock, binomial and flat: 'best'" --ways best
    refused "--ways names it twice: 'flat'" --ways flat,stock,flat
    refused "--delay must be like 10ms or 10x (ns us ms s x): '10'" --delay 10
    refused "--delay-by is neither sleep nor spin: 'wait'" --delay-by wait
    refused "--root: '2' is not a whole number from 0 to 1, or rotating" --root 2
    refused "--calls: '1' is not a whole number from 2 to 1000000" --calls 1
    refused "--warm-up: '50' is not below --calls, 50" --warm-up 50
    refused "--repetitions: '0' is not a whole number from 1 to 1000000" --repetitions 0
    refused "--patterns: '-1' is not a whole number from 0 to 1000000" --patterns -1
    refused "--seed: '-1' is not a whole number from 0 to 2147483647" --seed -1
    refused "no argument expected: 'more'" more
    alone=1 refused "it takes at least 2 ranks"
}

@test "the manual has the options of the help" {
    bench 2 -h
    diff <(sed '1,/^# OPTIONS/d; /^# /,$d; s/[*]//g' "$PAGE" | grep '^-' |
        grep -oE -- '--[a-z-]+' | sort) \
        <(grep -oE -- '^  .*--[a-z-]+' <<<"$output" | grep -oE -- '--[a-z-]+' | sort)
}

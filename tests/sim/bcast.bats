# The study of the adaptive broadcast. EXPERIMENT has its scripts, BUILD_ROOT is the build.

bats_require_minimum_version 1.5.0

@test "a small part of the study runs, and its results say all that a result must" {
    results=$BATS_TEST_TMPDIR/results.jsonl
    run --separate-stderr "$EXPERIMENT/run" --quick --json "$results" "$BUILD_ROOT"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    for title in 'Table 1, ' 'Table 2, ' 'Table 3, ' 'Figures 13 and 14' 'Figure 15, ' \
        'simulated again: ' 'What was wanted'; do
        [[ "$output" == *$'\n'"$title"* ]]
    done
    jq -s -e 'length > 0 and all(.experiment == "bcast" and (.case | type) == "string"
              and (.metric | type) == "string" and (.value | type) == "number"
              and has("unit") and has("paper") and has("target") and has("met")
              and (.simulated | type) == "boolean"
              and (.met | type) == (if .target then "boolean" else "null" end))' "$results"
    jq -s -e 'any(.simulated) and any(.simulated | not)' "$results"
}

@test "simulated broadcasts without load take the times of the paper" {
    "$EXPERIMENT/bench" "$BUILD_ROOT" "$BATS_TEST_TMPDIR/none" platform off \
        --sizes 1,16KiB,1MiB --calls 2 --ways stock
    jq -s -e --rawfile overall "$EXPERIMENT/paper/table-1.csv" \
        --rawfile mean "$EXPERIMENT/paper/table-2.csv" -L "$EXPERIMENT" '
        include "tables";
        def near($table; $metric; $share):
            ($table | rows | map(select(.matrix == 0)) | INDEX(.bytes)) as $theirs
            | map(select(.metric == $metric)) | length == 3
              and all(.value * 1e3 / $theirs["\(.bytes)"].original
                      | . > 1 - $share and . < 1 + $share);
        near($overall; "overall"; 0.1) and near($mean; "in call"; 0.25)' \
        "$BATS_TEST_TMPDIR/none"
}

@test "the sparse product takes the time of the paper" {
    "$EXPERIMENT/spmm" "$BUILD_ROOT" "$BATS_TEST_TMPDIR/spmm" platform off 8 14000 0.1 0.2 200
    jq -e '.mean / .rows * 1e6 / 19170 | . > 0.9 and . < 1.1' "$BATS_TEST_TMPDIR/spmm"
}

@test "the study's algorithm of the paper takes most of the time from one late rank" {
    export RANKS=32
    late="--sizes 1 --calls 40 --arrival one:16 --delay 28ms"
    "$EXPERIMENT/bench" "$BUILD_ROOT" "$BATS_TEST_TMPDIR/paper" platform paper $late --ways balance
    "$EXPERIMENT/bench" "$BUILD_ROOT" "$BATS_TEST_TMPDIR/stock" platform off $late --ways stock
    jq -s -e 'map(select(.metric == "in call, learned")) | INDEX(.way)
              | .balance.value < 0.1 * .stock.value' "$BATS_TEST_TMPDIR"/paper "$BATS_TEST_TMPDIR"/stock
}

@test "the recorded truth makes all tables and figures of the paper" {
    run --separate-stderr "$EXPERIMENT/run" --recorded "$BUILD_ROOT"
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    for name in 1 2 3 12 13 14 15; do
        [ "$(wc -l <"$BUILD_ROOT/experiments/bcast/tables/$name-2005.csv")" -gt 5 ]
    done
    for name in 8 9 10 11 12 13 14 15; do
        [ -s "$BUILD_ROOT/experiments/bcast/figures/$name-2005.svg" ]
    done
    for name in 16 17 18; do
        [ -s "$BUILD_ROOT/experiments/bcast/figures/$name.svg" ]
    done
}

@test "without results there is no table, but an error" {
    run --separate-stderr "$EXPERIMENT/report" "$BATS_TEST_TMPDIR/empty"
    [ "$status" -eq 1 ]
    [[ "$stderr" == "report: '"*"' has no results of the benchmarks" ]]
}

@test "options that the study does not know are refused" {
    run --separate-stderr "$EXPERIMENT/run" --quik "$BUILD_ROOT"
    [ "$status" -eq 2 ]
    [ "$stderr" = "run: unknown option '--quik'" ]
}

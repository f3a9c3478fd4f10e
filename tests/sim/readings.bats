# The paper's own program, as the study of its readings simulates it. What is expected is
# counted by hand, in units of a block's transfer, or from the paper's tables.

bats_require_minimum_version 1.5.0

setup_file() {
    "$SOURCE_ROOT/experiments/strassen/readings" --quick "$BUILD_ROOT" \
        >"$BATS_FILE_TMPDIR/output" 3>&-
}

setup() {
    runs=$BUILD_ROOT/experiments/strassen/quick/readings
    cd "$BATS_TEST_TMPDIR"
}

# holds CONDITION: of the runs with fitted bandwidth and the paper's own times
holds() {
    jq -e -s 'def near($wanted): (. / $wanted - 1 | fabs) < 0.001;
              def pick($way; $cut; $environment; $left_over):
                  map(select(.way == $way and .cut == $cut and .left_over == $left_over
                             and .environment == $environment))[0];
              '"$1" "$runs/grid.jsonl"
}

# bmr OPTION...: on two nodes
bmr() {
    smpirun -np 2 -platform "$runs/platform.xml" -hostfile "$runs/hosts" \
        --cfg=smpi/privatization:no --log=root.thres:error \
        "$BUILD_ROOT/tests/sim/bmr" "$@"
}

# In each of four steps a rank sends its two blocks of B to three others, and one of A to
# another; along a tree each to two others.
@test "messages of equal blocks take what the busiest link needs" {
    holds 'pick("at-once"; "equal"; 1; null) | .bandwidth | near(28 * 72 / 40.3)'
    holds 'pick("binomial"; "equal"; 1; null) | .bandwidth | near(20 * 72 / 40.3)'
    holds 'map(select(.cut == "equal").ranks[0].communication | near(40.3)) | all'
}

@test "computing, messages and waiting are all of the time" {
    holds 'map(.seconds as $all | .ranks[]
               | .computing + .communication + .waiting | near($all)) | length > 80 and all'
    holds 'pick("at-once"; "equal"; 3; null).ranks
           | [.[0], .[1], .[7]] | map(.computing) | .[0] == 172.9 and .[1] == 130
             and (.[2] | near(106.4))'
}

# Each of nine blocks goes to two others of its row and two of its column, in quarters to
# those who compute the left-over, who pass on four of these in each of two steps.
@test "blocks and pieces that ranks send and receive are counted" {
    holds 'pick("at-once"; "recursive"; 1; "quarters").ranks | map(.blocks) | max == 10'
    holds 'pick("at-once"; "recursive"; 1; "quarters").ranks
           | map(.pieces) == [0, 0, 0, 0, 12, 12, 12, 12]'
    holds 'pick("at-once"; "recursive"; 3; "whole").ranks
           | map(.pieces) == [0, 0, 0, 0, 16, 16, 16, 16]'
}

@test "the reading that comes closest is within a point of the paper's gains" {
    jq -s -e 'map(select(.way == "at-once" and .share < 1))
              | def seconds($cut; $environment): map(select(.cut == $cut
                    and .environment == $environment and .left_over != "quarters"))[0].seconds;
                [seconds("equal"; 1) / seconds("recursive"; 1) - 1.043,
                 seconds("equal"; 3) / seconds("greedy"; 3) - 1.120,
                 seconds("equal"; 3) / seconds("recursive"; 3) - 1.200]
              | map(fabs < 0.01) | all' "$runs/variants.jsonl"
    grep -F "| **the paper** |" "$BATS_FILE_TMPDIR/output"
}

@test "blocks of nobody, and numbers that are missing, are refused" {
    for wrong in "--blocks 012 --seconds 1,1" "--blocks 0012 --seconds 1,1" \
        "--blocks XX01 --seconds 1,1 --pieces 0101 --piece-seconds 1,1" \
        "--blocks 001X --seconds 1,1 --piece-seconds 1,1" "--blocks 0011 --seconds 1" \
        "--blocks 0011 --seconds 1,1 --broadcast somehow" \
        "--blocks 0011 --seconds 1,1 --sequence any" \
        "--blocks 001X --pieces 0101 --seconds 1,1 --piece-seconds 1,1 --left-over some"; do
        # shellcheck disable=SC2086
        run ! bmr $wrong
        [[ $output == *"bmr: --"* ]]
    done
    bmr --blocks 0011 --seconds 1,1 | jq -e '.seconds > 4'
}

@test "what the study has recorded is simulated again, and cut as it was" {
    run "$SOURCE_ROOT/experiments/strassen/run" --quick --json results.jsonl "$BUILD_ROOT"
    [ "$status" = 0 ]
    [[ $output == *"114 of 114 cuts are those that were recorded"* ]]
    [[ $output == *"ohtaki-3 (simulated): 119 runs, "*" off what is recorded"* ]]
    # docs/RESULTS.md names the one miss: a short product, 3.6 % off.
    jq -s -e 'map(select(.met == false) | [.cluster, .size, .cut, .metric, .value < 4]) ==
        [["ohtaki-3", 2000, "auto", "prediction off by", true]]' results.jsonl
}

# Table 1 and figures 10 and 11 of the paper.
@test "its own cost function chooses the grids that it printed" {
    tables=$BUILD_ROOT/experiments/strassen/quick/tables
    awk -F, 'NR > 1 && $2 != $3 { exit 1 }' "$tables/table-1.csv"
    awk -F, 'NR > 1 && $2 == "the paper'"'"'s" && $5 != $6 { exit 1 }' "$tables/choices.csv"
    [ "$(grep -c "^[123],the paper's" "$tables/choices.csv")" = 18 ]
}

# What is learned from a few nodes of the simulated machines predicts all of them: the
# quick form of the study, from recorded truth, a part of which it simulates again.

setup_file() {
    export RESULTS=$BATS_FILE_TMPDIR/results.jsonl
    run "$SOURCE_ROOT/experiments/surface/run" --quick --json "$RESULTS" "$BUILD_ROOT"
    [ "$status" = 0 ]
    export PRINTED=$output
}

# value MACHINE ALGORITHM LEARNED_NODES METRIC [SIZES]
value() {
    jq -r --arg machine "$1" --arg algorithm "$2" --argjson nodes "$3" --arg metric "$4" \
        --arg sizes "${5:-all sizes}" 'select(.machine == $machine and
            .algorithm == $algorithm and .learned_nodes == $nodes and .metric == $metric
            and .sizes == $sizes) | .value' "$RESULTS"
}

# at_most LIMIT NUMBER
at_most() {
    awk -v limit="$1" -v number="$2" \
        'BEGIN { exit !(number != "" && number <= limit) }' || {
        echo "$2 is more than $1"
        return 1
    }
}

@test "a 32nd of the nodes tells the efficiency of all" {
    even='sizes that the nodes divide'
    for case in 'ap1000 matmul-a 8' 'ap1000 matmul-b 16' 'cenju-3 matmul-a 8'; do
        # shellcheck disable=SC2086 # three words
        at_most 3 "$(value $case 'mean error of E')"
        # shellcheck disable=SC2086
        at_most 10 "$(value $case 'worst error of E' "$even")"
        # shellcheck disable=SC2086
        at_most 1 "$(value $case 'ridge off by')"
    done
}

@test "a quarter of the nodes tells those of a bus" {
    for algorithm in matmul-a matmul-b; do
        at_most 3 "$(value workstations $algorithm 16 'mean error of E' \
            'sizes that the nodes divide')"
        at_most 10 "$(value workstations $algorithm 16 'worst error of E' \
            'sizes that the nodes divide')"
    done
}

@test "a machine that nobody has seen is drawn, simulated, learned and predicted" {
    run "$SOURCE_ROOT/experiments/surface/blind" "$BUILD_ROOT" 4
    [ "$status" = 0 ]
    [[ "$output" = *"| 4 | matmul-b | torus | 1-9 | 16 | "*" | yes | "* ]]
    [[ "$output" = *"1 of 1 reached what was wanted"* ]]
}

@test "two nodes tell how a bus slows down, as the cluster file says that it is one" {
    at_most 3 "$(value workstations matmul-a 2 'mean error of E')"
    at_most 10 "$(value workstations matmul-a 2 'worst error of E')"
    [[ "$PRINTED" != *"messages were sent on one number of nodes only"* ]]
}

@test "who meets whom in the stages of a network is counted" {
    at_most 1 "$(value cenju-3 matmul-b 16 'mean error of E' \
        'sizes that the nodes divide')"
    at_most 3 "$(value cenju-3 matmul-b 16 'worst error of E' \
        'sizes that the nodes divide')"
    for case in 'cenju-3 matmul-a' 'cenju-3 matmul-b' 'workstations matmul-a'; do
        # shellcheck disable=SC2086 # two words
        at_most 4 "$(value $case 16 'mean error of E')"
        # shellcheck disable=SC2086
        at_most 10 "$(value $case 16 'worst error of E')"
    done
}

@test "AP1000 overtakes Cenju-3 where the paper and the simulator say" {
    [ "$(jq -r 'select(.machine == "ap1000 over cenju-3") | .met // empty' "$RESULTS" |
        sort -u)" = true ]
}

@test "parameters that few nodes tell are those of the paper's tables" {
    for table in 1 2 3; do
        awk -F, '$2 == "us" { if ($4 / $3 > 1.01 || $4 / $3 < 0.99) exit 1; n++ } END { exit n < 2 }' \
            "$BUILD_ROOT/experiments/surface/quick/tables/table-$table.csv"
    done
}

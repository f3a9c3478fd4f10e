# The choices of the models on recorded clusters (simulated): how much slower than the
# best configurations they are, against experiments/heho/expected. HEHO is the driver.

bats_require_minimum_version 1.5.0

setup() {
    cd "$SOURCE_ROOT"
    lines=$BATS_TEST_TMPDIR/lines
    export OPENBLAS_NUM_THREADS=1
}

# stays_within_bounds CLUSTER: every app's regret is at most the expected one.
stays_within_bounds() {
    compgen -G "tests/data/heho/$1-*" >/dev/null || skip "not recorded yet"
    "$HEHO" --clusters "$1" --seeds 2 --verify 8 tests/data/heho >"$lines"
    jq -s -r --arg cluster "$1" --rawfile expected experiments/heho/expected '
        (map({key: "\(.cluster),\(.app),\(.verified)", value: .}) | from_entries) as $is
        | $expected | split("\n") | map(split(",")) | .[]
        | select(.[0] == $cluster)
        | (.[:3] | join(",")) as $case
        | [$is[$case].upper_max_regret, $is[$case].max_regret] as $regrets
        | if $regrets[0] == null or $regrets[0] * 100 > (.[3] | tonumber)
              or $regrets[1] * 100 > (.[4] | tonumber)
          then "\($case): \($regrets), more than \(.[3:5]) %"
          else empty end' "$lines" >"$BATS_TEST_TMPDIR/above"
    cat "$BATS_TEST_TMPDIR/above"
    [ ! -s "$BATS_TEST_TMPDIR/above" ]
    local recorded=(tests/data/heho/"$1"-*)
    [ "$(grep -c "^$1," experiments/heho/expected)" -eq $((2 * ${#recorded[@]})) ]
}

@test "regret on toyohashi-2 is as small as stated" {
    stays_within_bounds toyohashi-2
}

@test "regret on toyohashi-3 is as small as stated" {
    stays_within_bounds toyohashi-3
}

@test "regret on attic is as small as stated" {
    stays_within_bounds attic
}

@test "regret on generations is as small as stated" {
    stays_within_bounds generations
}

@test "regret on two-switches is as small as stated" {
    stays_within_bounds two-switches
}

@test "regret on noisy is as small as stated" {
    stays_within_bounds noisy
}

@test "without noise, the study's regret of np-t is that of motley evaluate" {
    gzip -dc tests/data/heho/toyohashi-2-lu.csv.gz >"$BATS_TEST_TMPDIR/runs.csv"
    local db=$BATS_TEST_TMPDIR/motley.db
    motley import --db "$db" "$BATS_TEST_TMPDIR/runs.csv"
    motley evaluate --db "$db" --model np-t --json toyohashi-2 lu >"$lines"
    evaluated=$(jq '.models[0].all_sizes.worst_regret_percent / 100' "$lines")
    "$HEHO" --clusters toyohashi-2 --apps lu --models np-t --noise 0 --seeds 1 \
        tests/data/heho >"$lines"
    jq -e --argjson evaluated "$evaluated" \
        '.max_regret - $evaluated | fabs < 1e-5' "$lines"
}

@test "a model that the runs do not determine is reported, with the reason" {
    [ -f tests/data/heho/attic-lu.csv.gz ] || skip "not recorded yet"
    "$HEHO" --clusters attic --apps lu --models np-t tests/data/heho >"$lines"
    jq -e '.fitted == false and (.reason | test("np-t"))' "$lines"
}

@test "the same seeds give the same figures" {
    "$HEHO" --clusters toyohashi-2 --apps lu --verify 4 tests/data/heho >"$lines"
    "$HEHO" --clusters toyohashi-2 --apps lu --verify 4 tests/data/heho |
        cmp - "$lines"
}

@test "what is not recorded is said, and nothing recorded is an error" {
    run --separate-stderr "$HEHO" --clusters toyohashi-2 --apps lu,nothing tests/data/heho
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"nothing.csv.gz"* ]]
    run --separate-stderr "$HEHO" --apps nothing tests/data/heho
    [ "$status" -eq 1 ]
    run --separate-stderr "$HEHO" --noise loud tests/data/heho
    [ "$status" -eq 2 ]
}

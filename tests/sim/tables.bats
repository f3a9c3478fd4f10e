# Predictions for published tables of real machines, against experiments/targets.tsv.
# BUILD_ROOT is the build folder.

bats_require_minimum_version 1.5.0

setup_file() {
    cd "$SOURCE_ROOT"
    experiments/tables/run --json "$BATS_FILE_TMPDIR/results.jsonl" "$BUILD_ROOT" \
        >"$BATS_FILE_TMPDIR/report.md"
}

setup() {
    cd "$SOURCE_ROOT"
    results=$BATS_FILE_TMPDIR/results.jsonl
}

# What is not reached is listed in known-misses.tsv with its figure, and may not get worse;
# what is reached is not listed.
@test "the figures on published tables are what was wanted, or known misses" {
    jq -s -r --rawfile known experiments/tables/known-misses.tsv '
        ($known | split("\n") | map(select(length > 0 and (startswith("#") | not))
         | split("\t")) | map({key: "\(.[0]): \(.[1])", value: (.[2] | tonumber)})
         | from_entries) as $known
        | map(select(.target))[] | "\(.tables // "all"): \(.metric)" as $case
        | $known[$case] as $figure
        | if .value == null then "\($case): not known"
          elif .met and $figure == null then empty
          elif .met then "\($case): \(.value), no miss any more"
          elif $figure == null then "\($case): \(.value), not \(.target)"
          elif (if .target[:2] == "<=" then .value > $figure else .value < $figure end)
          then "\($case): \(.value), it was \($figure)"
          else empty end' "$results" >"$BATS_TEST_TMPDIR/above"
    cat "$BATS_TEST_TMPDIR/above"
    [ ! -s "$BATS_TEST_TMPDIR/above" ]
}

@test "every table is judged, and nothing is simulated" {
    for path in tests/data/tables/*.csv; do
        table=$(basename "$path" .csv)
        grep -q "^| $table | " "$BATS_FILE_TMPDIR/report.md"
        jq -s -e --arg table "$table" 'map(select(.table == $table)) | length == 11' "$results"
    done
    jq -s -e 'all(.simulated | not)' "$results"
}

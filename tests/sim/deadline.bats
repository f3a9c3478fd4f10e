# Plans for deadlines on recorded clusters (simulated), against experiments/targets.tsv.
# BUILD_ROOT is the build folder.

bats_require_minimum_version 1.5.0

@test "deadlines at --confidence 0.9 are kept as often as was asked for" {
    cd "$SOURCE_ROOT"
    experiments/deadline/run --quick --json "$BATS_TEST_TMPDIR/results.jsonl" "$BUILD_ROOT"
    jq -s -e 'length == 6 and all(.trials == 120)
        and (map(select(.target)) | length == 1 and .[0].met)' \
        "$BATS_TEST_TMPDIR/results.jsonl"
}

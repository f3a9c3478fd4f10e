# The study of uneven parts, a case of it.

@test "with weights jacobi is faster than by the best even plan" {
    results=$BATS_TEST_TMPDIR/results.jsonl
    "$SOURCE_ROOT/experiments/weights/run" --quick --json "$results" "$BUILD_ROOT"
    jq -e -s 'length == 6 and all(.simulated)' "$results"
    jq -e -s 'map(select(.target)) | length == 3 and all(.met)' "$results"
    jq -e -s 'map(select(.metric == "error of the predicted time"))[0].value | fabs < 0.15' "$results"
}

# A node that dies in the middle of a measurement, and comes back.

load helpers

setup_file() {
    local file=$BATS_FILE_TMPDIR/testbed.yaml
    # One process a node: four runs a size.
    sed 's/processes: .*/processes: [1]/' "$SOURCE_ROOT/clusters/testbed.yaml" >"$file"
    testbed_begin testbed-h "$file"
}

setup() {
    testbed_or_skip
    [ -x "$BUILD_ROOT/apps/openmpi/jacobi" ] || skip "no Open MPI"
    cd "$BATS_FILE_TMPDIR" || return 1
    cat >program.yaml <<END
name: jacobi
command: [jacobi, --size, "{N}", --iterations, "200"]
time: {match: '^time ([0-9.eE+-]+) s'}
sizes: {measure: [16, 24], plan: [32]}
work: 340*N^3
timeout: 60 s
END
}

teardown_file() {
    testbed_end
}

query() {
    sqlite3 motley.db "$1"
}

# busy NODE: processes of a run are on it
busy() {
    motley testbed status "$TESTBED" | awk -v node="$1" '$1 == node && $NF > 0 { found = 1 }
        END { exit !found }'
}

@test "measure: the run fails and names the node, the others are made" {
    motley measure --quiet "$TESTBED" program.yaml >measured 2>messages 3>&- &
    local pid=$! status=0
    # slow-2 is needed by runs on both slow nodes only.
    for _ in $(seq 600); do
        busy slow-2 && break
        sleep 0.1
    done
    motley testbed down "$TESTBED" --node slow-2
    wait $pid || status=$?
    cat measured messages >&2
    [ "$status" = 1 ]
    [ "$(query "SELECT count(*) FROM run WHERE outcome <> 'ok'")" = 1 ]
    [[ "$(query "SELECT configuration, reason FROM run WHERE outcome <> 'ok'")" = "slow:2x1|"*"; node 'slow-2' does not answer"* ]]
    [ "$(query 'SELECT host FROM absent')" = slow-2 ]
    # fast:1x1, fast:2x1 and slow:1x1 at both sizes; perhaps slow:2x1 before it died.
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok' AND configuration <> 'slow:2x1'")" = 6 ]
    grep 'motley: no answer from slow-2: left out from now on' messages
}

@test "the run leaves nothing behind on the nodes that are left" {
    for node in fast-1 fast-2 slow-1; do
        run ! busy $node
    done
}

@test "the plan leaves the node out, and what it proposes runs" {
    run --separate-stderr motley plan --size 32 --hostfile hosts "$TESTBED" program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = *"motley: left out, as it has not answered since "*": slow-2;"* ]]
    [[ "$output" != *slow:2x1* ]]
    run ! grep slow-2 hosts
    run --separate-stderr motley run --size 32 --configuration fast:2x1+slow:1x1 "$TESTBED" program.yaml
    [ "$status" = 0 ]
}

@test "when the node is back measure makes what was left out" {
    motley testbed up "$TESTBED" --node slow-2
    run --separate-stderr motley measure --quiet "$TESTBED" program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = *"motley: slow-2 answers again"* ]]
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok' AND configuration = 'slow:2x1'")" = 2 ]
    run --separate-stderr motley plan --size 32 --all "$TESTBED" program.yaml
    [[ "$status" = 0 && "$output" = *slow:2x1* && "$stderr" != *slow-2* ]]
}

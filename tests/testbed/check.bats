# motley check on real nodes. They may be busy: only what is certain is looked at.

load helpers

# A node of each group: nothing to be compared, so that the probe runs once.
setup_file() {
    local file=$BATS_FILE_TMPDIR/testbed.yaml
    sed 's/nodes: 2/nodes: 1/' "$SOURCE_ROOT/clusters/testbed.yaml" >"$file"
    testbed_begin testbed-check "$file"
}

setup() {
    testbed_or_skip
    [ -x "$BUILD_ROOT/apps/openmpi/motley-probe" ] || skip "no Open MPI"
    cd "$BATS_TEST_TMPDIR" || return 1
}

teardown_file() {
    testbed_end
}

@test "the nodes answer to their names, with one MPI" {
    run --separate-stderr motley check --json "$TESTBED"
    [ "$status" = 0 ] || [ "$status" = 3 ]
    [ "$(jq -r '.nodes[] | "\(.node) \(.host) \(.answers)"' <<<"$output")" = "fast-1 fast-1 true
slow-1 slow-1 true" ]
    jq -e '[.nodes[] | .mpi | startswith("Open MPI")] == [true, true]' <<<"$output"
    jq -e '.nodes | map(.flops > 0 and .bandwidth > 0) | all' <<<"$output"
    jq -e '.links | length == 1' <<<"$output"
    jq -e '[.findings[] | .kind] - ["load", "dip"] == []' <<<"$output"
}

@test "messages leave by the nodes' own interfaces, one of which has another MTU" {
    motley testbed exec "$TESTBED" motley-testbed-rsh slow-1 ip link set eth0 mtu 1400
    run --separate-stderr motley check --json "$TESTBED"
    motley testbed exec "$TESTBED" motley-testbed-rsh slow-1 ip link set eth0 mtu 1500
    [ "$status" = 3 ]
    jq -e '[.nodes[] | [.interface, .mtu]] == [["eth0", 1500], ["eth0", 1400]]' <<<"$output"
    jq -e '.nodes | map(.eager_limit > 0) | all' <<<"$output"
    jq -e '.findings | map(select(.kind == "mtu")) | .[0].nodes | index("slow-1") != null' <<<"$output"
}

@test "a node that is down is named, the other one is probed" {
    motley testbed down --node slow-1 "$TESTBED"
    run --separate-stderr motley check --json "$TESTBED"
    [ "$status" = 3 ]
    jq -e '.findings | map(select(.kind == "absent")) | .[0].nodes == ["slow-1"]' <<<"$output"
    jq -e '.nodes[0].flops > 0 and .nodes[1].flops == null' <<<"$output"
}

@test "a testbed that is not up: how to make it" {
    sed 's/^name: .*/name: testbed-nowhere/' "$TESTBED" >nowhere.yaml
    run -1 --separate-stderr motley check nowhere.yaml
    [ "$stderr" = "motley: testbed 'testbed-nowhere' is not up: motley testbed up nowhere.yaml" ]
}

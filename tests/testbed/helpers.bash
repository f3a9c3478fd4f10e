# Loaded by all tests here. Each file has a testbed of its own name:
#
#   setup_file()    { testbed_begin NAME; }     makes $TESTBED, a cluster file, and its nodes
#   setup()         { testbed_or_skip; }        skips what this machine cannot run
#   teardown_file() { testbed_end; }            takes it down; nothing may be left
#
# With MOTLEY_TESTBED=insist what cannot be run fails.

bats_require_minimum_version 1.5.0

# testbed_begin NAME [FILE]: from FILE, or the shipped clusters/testbed.yaml
testbed_begin() {
    export TESTBED=$BATS_FILE_TMPDIR/$1.yaml TESTBED_NAME=$1
    export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
    sed "s/^name: .*/name: $1/" "${2:-$SOURCE_ROOT/clusters/testbed.yaml}" >"$TESTBED"
    motley testbed down "$TESTBED" >&2 || true # what a killed test has left
    testbed_traces >"$BATS_FILE_TMPDIR/before"
    motley testbed up "$TESTBED" 2>"$BATS_FILE_TMPDIR/lacking" && return
    cat "$BATS_FILE_TMPDIR/lacking" >&2
    [ "${MOTLEY_TESTBED:-}" != insist ] &&
        grep -q 'no testbed can be made here' "$BATS_FILE_TMPDIR/lacking"
}

testbed_or_skip() {
    local reason
    reason=$(grep 'no testbed can be made here' "$BATS_FILE_TMPDIR/lacking") || return 0
    skip "${reason#motley: }"
}

testbed_end() {
    motley testbed down "$TESTBED" || ! testbed_or_skip
    diff "$BATS_FILE_TMPDIR/before" <(testbed_traces) >&2
}

# on NODE COMMAND...: on a node, or with "head" on the head
on() {
    local node=$1
    shift
    motley testbed exec --node "$node" "$TESTBED" "$@"
}

# What a testbed may leave behind on the machine, in lines. The kernel takes namespaces
# away a little later than their processes: they are seen by who still is in them.
testbed_traces() {
    echo "namespaces: $(ip netns list 2>&1)"
    ip -o link 2>&1 | sed 's/^[0-9]*: /link: /; s/[@:] .*//'
    tc qdisc show 2>&1 | sed 's/^/qdisc: /'
    sed 's/^[0-9]* [0-9]* /mount: /' /proc/self/mountinfo
    find /sys/fs/cgroup -path "*/motley-testbed/$TESTBED_NAME*" -prune -print 2>/dev/null || true
    grep -l "/motley-testbed/$TESTBED_NAME/" /proc/[0-9]*/cgroup 2>/dev/null || true
}

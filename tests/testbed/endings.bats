# Whatever happens to a testbed, nothing of it is left behind.

load helpers

setup_file() {
    testbed_begin testbed-endings
}

setup() {
    testbed_or_skip
    motley testbed down "$TESTBED"
}

teardown() {
    motley testbed down "$TESTBED"
    nothing_is_left
}

teardown_file() {
    testbed_end
}

nothing_is_left() {
    diff "$BATS_FILE_TMPDIR/before" <(testbed_traces)
}

@test "down of what is not up says so, and is fine" {
    run -0 --separate-stderr motley testbed down "$TESTBED"
    [ "$stderr" = "motley: testbed 'testbed-endings' is not up" ]
}

@test "up that is killed leaves what down removes" {
    for delay in 0.01 0.03 0.05 0.1; do
        motley testbed up "$TESTBED" 3>&- &
        sleep $delay
        kill -KILL $! || true
        wait $! || true
        motley testbed down "$TESTBED"
        nothing_is_left
    done
}

@test "up that is asked to stop undoes itself" {
    for delay in 0.01 0.03 0.05 0.1; do
        motley testbed up "$TESTBED" 3>&- &
        sleep $delay
        kill -TERM $! || true
        wait $! && motley testbed down "$TESTBED"
        nothing_is_left
    done
}

@test "up that fails undoes itself and says why" {
    mkdir -p "$BATS_TEST_TMPDIR/bin"
    cat >"$BATS_TEST_TMPDIR/bin/tc" <<'END'
#!/bin/sh
! grep -q port3 || { echo "Error: no more of these." >&2; exit 1; }
END
    chmod +x "$BATS_TEST_TMPDIR/bin/tc"
    PATH=$BATS_TEST_TMPDIR/bin:$PATH run -1 --separate-stderr motley testbed up "$TESTBED"
    [ "$stderr" = "motley: 'tc' failed: Error: no more of these." ]
    nothing_is_left
}

@test "the death of holders is seen, and down copes with it" {
    motley testbed up "$TESTBED"
    for node in head slow-1; do
        kill -KILL "$(xargs <"$(find /sys/fs/cgroup -path \
            "*/$TESTBED_NAME/$node/cgroup.procs")")"
    done
    until ! motley testbed status "$TESTBED" | grep -q '^slow-1 *up'; do sleep 0.05; done
    run -1 motley testbed exec "$TESTBED" true
    motley testbed down "$TESTBED"
    nothing_is_left
}

@test "a node that lost its holder can be taken down, and made again" {
    motley testbed up "$TESTBED"
    kill -KILL "$(xargs <"$(find /sys/fs/cgroup -path \
        "*/$TESTBED_NAME/slow-1/cgroup.procs")")"
    until ! motley testbed status "$TESTBED" | grep -q '^slow-1 *up'; do sleep 0.05; done
    run -1 --separate-stderr motley testbed up --node slow-1 "$TESTBED"
    [[ "$stderr" = *"'motley testbed down --node slow-1' ends both" ]]
    sleep 0.5 # until its link is gone
    motley testbed down --node slow-1 "$TESTBED"
    motley testbed up --node slow-1 "$TESTBED"
    [ "$(on slow-1 hostname)" = slow-1 ]
}

@test "down kills what runs, also what starts other processes all the time" {
    motley testbed up "$TESTBED"
    on fast-1 sh -c 'while :; do (sleep 9 &) ; done' 3>&- &
    on slow-1 sh -c 'trap "" TERM; while :; do :; done' 3>&- &
    on fast-2 setsid sleep 99 3>&- &
    until [ "$(motley testbed status --json "$TESTBED" |
        jq '[.nodes[].processes] | add')" -gt 5 ]; do :; done
    motley testbed down "$TESTBED"
    wait
    nothing_is_left
}

@test "two testbeds do not know of each other" {
    sed 's/^name: .*/name: testbed-endings-2/' "$TESTBED" >"$BATS_TEST_TMPDIR/2.yaml"
    motley testbed up "$TESTBED"
    motley testbed up "$BATS_TEST_TMPDIR/2.yaml"
    motley testbed exec --node slow-1 "$BATS_TEST_TMPDIR/2.yaml" touch /dev/shm/second
    [ "$(on slow-1 ls /dev/shm)" = "" ]
    motley testbed down "$BATS_TEST_TMPDIR/2.yaml"
    motley testbed status "$TESTBED"
}

@test "sixteen nodes come and go" {
    sed 's/nodes: 2/nodes: 8/; s/cores: 0.6/cores: 0.05/' "$TESTBED" \
        >"$BATS_TEST_TMPDIR/16.yaml"
    motley testbed up "$BATS_TEST_TMPDIR/16.yaml"
    [ "$(motley testbed exec --node slow-8 "$BATS_TEST_TMPDIR/16.yaml" hostname)" = slow-8 ]
    motley testbed down "$BATS_TEST_TMPDIR/16.yaml"
}

@test "names with dots, and a node called head" {
    cat >"$BATS_TEST_TMPDIR/names.yaml" <<END
name: testbed-endings
launcher: openmpi
groups:
  - name: only
    hosts: head,n1.example.org
    processes: [1]
    cores: 0.5
    testbed: {bandwidth: 100 Mbps}
END
    TESTBED=$BATS_TEST_TMPDIR/names.yaml
    motley testbed up "$TESTBED"
    [ "$(motley testbed exec "$TESTBED" hostname)" = testbed-endings-head ]
    [ "$(on head hostname)" = head ]
    [ "$(on n1.example.org motley-testbed-rsh head hostname)" = head ]
    run on head bash -c '</dev/tcp/n1.example.org/9'
    [[ "$output" = *"Connection refused"* ]]
}

@test "names that the kernel uses itself are refused" {
    sed '/name: fast/ { n; s/nodes: 2/hosts: cgroup.procs/ }' "$TESTBED" \
        >"$BATS_TEST_TMPDIR/taken.yaml"
    run -2 --separate-stderr motley testbed up "$BATS_TEST_TMPDIR/taken.yaml"
    [[ "$stderr" = *"the name 'cgroup.procs' is reserved by the kernel"* ]]
    nothing_is_left
}

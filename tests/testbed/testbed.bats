# motley testbed: a cluster's nodes on this machine.

load helpers

setup_file() {
    testbed_begin testbed-a
}

setup() {
    testbed_or_skip
}

teardown_file() {
    testbed_end
}

nodes="fast-1 fast-2 slow-1 slow-2"

@test "every node has its own host name, and the head is called head" {
    for node in head $nodes; do
        [ "$(on $node hostname)" = $node ]
    done
    [ "$(motley testbed exec "$TESTBED" hostname)" = head ]
}

@test "a node has lo and eth0, its own /dev/shm, and knows the others by name" {
    for node in $nodes; do
        [ "$(on $node ls /sys/class/net | xargs)" = "eth0 lo" ]
        [ "$(on $node getent hosts slow-2 | tr -s ' ')" = "10.77.0.5 slow-2" ]
        on $node touch /dev/shm/of-$node
    done
    [ "$(on slow-1 ls /dev/shm)" = of-slow-1 ]
    [ ! -e /dev/shm/of-slow-1 ]
}

@test "nodes reach each other, and not the machine's network" {
    # A refused connection is an answer.
    run on fast-1 bash -c '</dev/tcp/slow-2/9'
    [[ "$output" = *"Connection refused"* ]]
    run on head bash -c '</dev/tcp/fast-2/9'
    [[ "$output" = *"Connection refused"* ]]
    run on fast-1 bash -c '</dev/tcp/192.0.2.1/9'
    [[ "$output" = *"Network is unreachable"* ]]
}

@test "a node's processes get its share of a core" {
    # Of a busy loop: the processor's time in a second, in hundredths.
    read -r user _ < <(on slow-1 bash -c 'TIMEFORMAT="%2U %2S"; exec 2>&1
        time timeout 1 sh -c "while :; do :; done" || true')
    [ $((10#${user/./})) -le 40 ]
}

@test "exec becomes the command: its number, its exit status, its signals" {
    motley testbed exec "$TESTBED" bash -c 'echo $$; exec sleep 60' \
        >"$BATS_TEST_TMPDIR/pid" 3>&- &
    until [ -s "$BATS_TEST_TMPDIR/pid" ]; do sleep 0.05; done
    [ "$(cat "$BATS_TEST_TMPDIR/pid")" = $! ]
    kill -TERM $!
    run wait $!
    run -7 on fast-1 sh -c 'exit 7'
    run -130 timeout --preserve-status -s INT 0.5 \
        motley testbed exec "$TESTBED" --node slow-1 sleep 60
}

@test "exec leaves options, words, input, environment and folder as they are" {
    cd "$BATS_TEST_TMPDIR"
    run -0 motley testbed exec "$TESTBED" --node fast-1 printf '%s|' --node 'a b' -h ''
    [ "$output" = "--node|a b|-h||" ]
    [ "$(echo in | X=1 motley testbed exec --node=fast-1 "$TESTBED" -- \
        sh -c 'cat; echo $X; pwd')" = "in
1
$PWD" ]
    [ "$(on slow-1 sh -c 'command -v motley')" = "$BUILD_ROOT/cli/motley" ]
}

@test "exec says what it cannot do" {
    run -2 --separate-stderr motley testbed exec "$TESTBED"
    [[ "$stderr" = *"a command is needed"* ]]
    run -2 --separate-stderr on fast-9 true
    [ "$stderr" = "motley: testbed 'testbed-a' has no node 'fast-9'" ]
    run -1 --separate-stderr on fast-1 no-such-command
    [[ "$stderr" = "motley: cannot start 'no-such-command'"* ]]
}

@test "motley-testbed-rsh is ssh within the testbed" {
    [ "$(on head motley-testbed-rsh -x -o Key=value slow-1 'echo' '$(hostname)' 'a  b;' \
        'echo c')" = "slow-1 a b
c" ]
    [ "$(on slow-1 motley-testbed-rsh fast-2 hostname)" = fast-2 ]
    run -7 on head motley-testbed-rsh slow-1 exit 7
    run -255 on head motley-testbed-rsh fast-9 true
    [ "$output" = "motley-testbed-rsh: node 'fast-9' of testbed 'testbed-a' is not up" ]
    run -255 on head motley-testbed-rsh fast-1
    run -255 motley-testbed-rsh fast-1 true
    [[ "$output" = *"this is not a node of a testbed"* ]]
}

@test "status lists the nodes" {
    run -0 motley testbed status "$TESTBED"
    [[ "${lines[1]}" =~ ^head\ +up\ +10\.77\.0\.1\ +-\ +-\ +0$ ]]
    [[ "${lines[4]}" =~ ^slow-1\ +up\ +10\.77\.0\.4\ +0\.3\ +1000\ +0$ ]]
    motley testbed status --json "$TESTBED" | jq -e '.testbed == "testbed-a" and
        .nodes[1] == {node: "fast-1", up: true, address: "10.77.0.2", processes: 0,
                      cores: 0.6, bandwidth: 125000000}'
}

@test "what is up cannot be made again" {
    run -1 --separate-stderr motley testbed up "$TESTBED"
    [[ "$stderr" = *"testbed 'testbed-a' is up"* ]]
    run -1 --separate-stderr motley testbed up --node slow-1 "$TESTBED"
    [[ "$stderr" = *"node 'slow-1' of testbed 'testbed-a' is up"* ]]
    motley testbed status "$TESTBED"
}

@test "a node goes down with its processes and link, and comes back" {
    on slow-2 sleep 60 3>&- &
    local sleeping=$!
    until motley testbed status "$TESTBED" | grep -q '^slow-2 .* 1$'; do sleep 0.1; done
    motley testbed down --node slow-2 "$TESTBED"
    wait $sleeping || [ $? = 137 ]
    run -1 motley testbed status "$TESTBED"
    [[ "${lines[5]}" =~ ^slow-2\ +down ]]
    run -1 on slow-2 true
    run ! on head timeout 0.3 bash -c '</dev/tcp/slow-2/9'
    [[ "$output" != *refused* ]]
    motley testbed down --node slow-2 "$TESTBED"

    motley testbed up --node slow-2 "$TESTBED"
    motley testbed status "$TESTBED"
    run on head bash -c '</dev/tcp/slow-2/9'
    [[ "$output" = *"Connection refused"* ]]
}

@test "the head does not go alone, and nothing takes itself down" {
    run -2 motley testbed down --node head "$TESTBED"
    run -1 --separate-stderr on head motley testbed down "$TESTBED"
    [[ "$stderr" = *"this command runs on the node to be taken down"* ]]
    motley testbed status "$TESTBED"
}

@test "ranks of Open MPI and MPICH run on the nodes of the hostfile" {
    cd "$BATS_TEST_TMPDIR"
    printf '%s\n' 'fast-1 slots=2' 'slow-1 slots=1' 'slow-2 slots=1' >openmpi
    printf '%s\n' fast-1:2 slow-1:1 slow-2:1 >mpich
    if command -v mpirun.openmpi; then
        run -0 --separate-stderr timeout 200 motley testbed exec "$TESTBED" \
            mpirun.openmpi --mca plm_rsh_agent motley-testbed-rsh --hostfile openmpi \
            --map-by slot -np 4 hostname
        [ "$(printf '%s\n' "${lines[@]}" | sort | xargs)" = "fast-1 fast-1 slow-1 slow-2" ]
    fi
    if command -v mpiexec.mpich; then
        run -0 --separate-stderr timeout 200 motley testbed exec "$TESTBED" \
            mpiexec.mpich -launcher ssh -launcher-exec motley-testbed-rsh -f mpich \
            -n 4 hostname
        [ "$(printf '%s\n' "${lines[@]}" | sort | xargs)" = "fast-1 fast-1 slow-1 slow-2" ]
    fi
}

# The rates of a testbed's links.

load helpers

setup_file() {
    sed '/name: slow/,$ s/1 Gbps/100 Mbps/; s/cores: .*/cores: 0.4/' \
        "$SOURCE_ROOT/clusters/testbed.yaml" >"$BATS_FILE_TMPDIR/rates.yaml"
    testbed_begin testbed-links "$BATS_FILE_TMPDIR/rates.yaml"
}

setup() {
    testbed_or_skip
    probe=$BUILD_ROOT/apps/openmpi/motley-probe
    [ -x "$probe" ] || skip "not built for Open MPI"
    cd "$BATS_TEST_TMPDIR" || return
}

teardown_file() {
    testbed_end
}

# milliseconds NODE OTHER: of 256 KiB from the one to the other, by patient ranks, as motley
# starts them on such nodes
milliseconds() {
    printf '%s slots=1\n' "$1" "$2" >hosts
    timeout 200 motley testbed exec "$TESTBED" mpirun.openmpi \
        --mca plm_rsh_agent motley-testbed-rsh --hostfile hosts --map-by slot -np 2 \
        -x LD_PRELOAD="$BUILD_ROOT/preload/patient/libmotley-patient.so" "$probe" --pairs 0-1 --max-bytes 262144 |
        jq 'select(.test == "pair" and .bytes == 262144) | .seconds * 1000 | floor'
}

@test "a link is not faster than its rate, and a slower one is slower" {
    fast=$(milliseconds fast-1 fast-2)
    slow=$(milliseconds slow-1 slow-2)
    mixed=$(milliseconds fast-1 slow-2)
    echo "fast $fast ms, slow $slow ms, mixed $mixed ms"
    # At 1 Gbps and at 100 Mbps it takes 2.1 ms and 21 ms; a little goes at once. How much
    # longer it takes than that is the processor's affair.
    [ "$fast" -ge 1 ]
    [ "$slow" -ge 18 ]
    [ "$mixed" -ge 18 ]
    [ "$slow" -gt "$fast" ]
}

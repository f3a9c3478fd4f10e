# Loaded by all tests here. In the environment: MPIRUN starts ranks, PROGRAMS has the
# programs, BALANCE is the library to test, PRELOAD libmotley-patient.so, as there are more
# ranks than cores, MODE the mode of bcast.

bats_require_minimum_version 1.5.0

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    balance=bcast=$MODE
    cd "$BATS_TEST_TMPDIR" || return
}

# start RANKS PROGRAM [ARGUMENT...]: with what $balance asks of the library, under $tool
start() {
    local ranks=$1 program=$2
    shift 2
    run --separate-stderr timeout 100 $MPIRUN -np "$ranks" env \
        LD_PRELOAD="$PRELOAD:$BALANCE" MOTLEY_BALANCE="$balance" $tool \
        "$PROGRAMS/$program-$FAMILY" "$@"
    echo "$program $* on $ranks ranks, MOTLEY_BALANCE=$balance: status $status"
    printf '%s\n' "$output" "$stderr"
}

# start_native RANKS PROGRAM [ARGUMENT...]: without the library
start_native() {
    local ranks=$1 program=$2
    shift 2
    run --separate-stderr timeout 100 $MPIRUN -np "$ranks" env LD_PRELOAD="$PRELOAD" \
        "$PROGRAMS/$program-$FAMILY" "$@"
}

# passes RANKS PROGRAM [ARGUMENT...]: all that it checks holds, and nobody complains
passes() {
    start "$@"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

# Loaded by all tests here. In the environment: MPIRUN starts ranks, PROGRAMS has the
# programs, BALANCE is the library to test, PRELOAD libmotley-patient.so, as there are more
# ranks than cores, MODE the mode of bcast.

bats_require_minimum_version 1.5.0

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    balance=bcast=$MODE
    # bcast=auto gets ready for trees only where ranks have cores and gain by them, but at
    # once for a report.
    at_once=$balance,verbose
    [ "$MODE" = paper ] || at_once+=,report
    cd "$BATS_TEST_TMPDIR" || return
}

# start RANKS PROGRAM [ARGUMENT...]: with what $balance asks of the library, under $tool
start() {
    local ranks=$1 program=$2
    shift 2
    run --separate-stderr timeout 200 $MPIRUN -np "$ranks" env \
        LD_PRELOAD="$PRELOAD:$BALANCE" MOTLEY_BALANCE="$balance" $tool \
        "$PROGRAMS/$program-$FAMILY" "$@"
    echo "$program $* on $ranks ranks, MOTLEY_BALANCE=$balance: status $status"
    printf '%s\n' "$output" "$stderr"
}

# start_native RANKS PROGRAM [ARGUMENT...]: without the library
start_native() {
    local ranks=$1 program=$2
    shift 2
    run --separate-stderr timeout 200 $MPIRUN -np "$ranks" env LD_PRELOAD="$PRELOAD" \
        "$PROGRAMS/$program-$FAMILY" "$@"
}

# passes RANKS PROGRAM [ARGUMENT...]: all that it checks holds, and nobody complains
passes() {
    start "$@"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

# passes_by_tree RANKS PROGRAM [ARGUMENT...]: the same, and some of the broadcasts took
# trees.
passes_by_tree() {
    balance=$at_once
    start "$@"
    [ "$status" -eq 0 ]
    # All that the library says begins like this.
    [ -z "$(grep -v -E '^(motley-balance: |  |$)' <<<"$stderr")" ]
    [ "$1" -eq 1 ] || by_tree
}

# Whether a library that was asked to be verbose has said that it takes trees.
by_tree() {
    [[ "$stderr" == *"bcast=paper"* || "$stderr" == *"trying ours"* ]]
}

# adapts "CALLS..." RANKS PROGRAM [ARGUMENT...]: whether a verbose library says that it
# adapts all of these CALLS of the program. A machine that is busy makes getting ready look
# dear: three runs.
adapts() {
    local all=$1 calls run missing
    shift
    for run in 1 2 3; do
        start "$@"
        [ "$status" -eq 0 ] || return 1
        missing=
        for calls in $all; do
            grep -q " $calls have taken .*: they are adapted" <<<"$stderr" || missing+=" $calls"
        done
        [ -n "$missing" ] || return 0
    done
    echo "not adapted:$missing"
    return 1
}

# The library where it has nothing to do, or nothing that it can do.

load helpers

# complains_once TEXT
complains_once() {
    [ "$(wc -l <<<"$stderr")" -eq 1 ]
    [[ "$stderr" == "motley-balance: "*"$1"* ]]
}

@test "$FAMILY: programs without MPI do not notice the library" {
    LD_PRELOAD=$BALANCE MOTLEY_BALANCE=bcast,report,verbose run --separate-stderr sh -c 'echo "$0"; true' text
    [ "$status" -eq 0 ]
    [ "$output" = text ]
    [ -z "$stderr" ]
}

# What mends one MPICH's MPI_Finalize is a library of its own.
@test "$FAMILY: the library stands in for functions of MPI only" {
    command -v nm || skip "there is no nm here"
    run nm -D --defined-only --format=posix "$BALANCE"
    [ "$status" -eq 0 ]
    [[ "$output" == *"MPI_Bcast T"* ]]
    ! grep -v -i -E '^(ompi|p?mpi)_' <<<"$output"
}

@test "$FAMILY: an MPI without a profiling interface is used as it is" {
    LD_PRELOAD=$BALANCE MOTLEY_BALANCE=bcast run --separate-stderr "$PROGRAMS/serial"
    [ "$status" -eq 0 ]
    complains_once "another MPI"
    LD_PRELOAD=$BALANCE MOTLEY_BALANCE= run --separate-stderr "$PROGRAMS/serial"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "$FAMILY: the launcher may have the library, too" {
    LD_PRELOAD=$PRELOAD:$BALANCE MOTLEY_BALANCE=bcast run --separate-stderr timeout 200 \
        $MPIRUN -np 2 "$PROGRAMS/delays-$FAMILY"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "$FAMILY: without its variable the library does nothing" {
    balance=
    passes 3 communicators
}

@test "$FAMILY: bcast=off leaves broadcasts to the MPI" {
    balance=bcast=off
    passes 3 communicators
}

@test "$FAMILY: wrong words are complained of once" {
    for balance in bcst bcast=fast bcast,,report 'bcast verbose'; do
        start 3 attributes
        [ "$status" -eq 0 ]
        complains_once "$balance"
    done
}

@test "$FAMILY: ranks that ask for different things leave all calls to the MPI" {
    with="env LD_PRELOAD=$PRELOAD:$BALANCE MOTLEY_BALANCE="
    program=$PROGRAMS/delays-$FAMILY
    for words in bcast,report report bcast=off; do
        run --separate-stderr timeout 200 $MPIRUN -np 1 $with$words "$program" : \
            -np 2 ${with}bcast "$program"
        [ "$status" -eq 0 ]
        complains_once "not the same on all ranks"
    done
    program=$PROGRAMS/gather-$FAMILY
    run --separate-stderr timeout 200 $MPIRUN -np 1 ${with}gather "$program" : \
        -np 2 ${with}gather,reduce "$program"
    [ "$status" -eq 0 ]
    complains_once "not the same on all ranks"
}

@test "$FAMILY: a node without the other half of the library says so, and which it is" {
    cp "$BALANCE" "$BATS_TEST_TMPDIR/libmotley-balance.so"
    run --separate-stderr timeout 200 $MPIRUN -np 3 env \
        LD_PRELOAD="$PRELOAD:$BATS_TEST_TMPDIR/libmotley-balance.so" MOTLEY_BALANCE=bcast \
        "$PROGRAMS/delays-$FAMILY"
    [ "$status" -eq 0 ]
    complains_once "$(hostname): cannot open a part of the library"
}

@test "$FAMILY: the library of another MPI says so once" {
    [ -n "$OTHER_BALANCE" ] || skip "there is no other MPI here"
    BALANCE=$OTHER_BALANCE
    start 3 communicators
    [ "$status" -eq 0 ]
    complains_once "another MPI"
}

@test "$FAMILY: another tool that begins in MPI_Init comes behind the library" {
    balance=report
    BALANCE=$BALANCE:$TOOL start 2 halo sendrecv
    [ "$status" -eq 0 ]
    [ "$(grep -c 'a tool begins' <<<"$output")" -eq 2 ]
    [[ "$stderr" == *"waiting in all calls"* ]]
    PRELOAD=$PRELOAD:$TOOL start 2 halo sendrecv
    [ "$status" -eq 0 ]
    complains_once "MPI_Init did not reach this library"
}

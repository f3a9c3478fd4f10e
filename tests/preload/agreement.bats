# All ranks take the same way, whatever one of them was told, asked for or could not
# allocate: facts of one rank decide nothing that involves another. SHORTAGE refuses memory
# to the library (programs/shortage.h); EVERY: how many of its allocations are skipped.

load helpers

@test "$FAMILY, $MODE: ranks with different levels of threads" {
    for balance in bcast=$MODE bcast=$MODE,report report reduce; do
        start 2 levels
        [ "$status" -eq 0 ]
        ! grep "^rank" <<<"$stderr"
    done
}

@test "$FAMILY, $MODE: communicators as large as MPI_COMM_WORLD, with ranks of two worlds" {
    start_native 2 merged
    [ "$status" -eq 0 ] || skip "this MPI does not start ranks here"
    for balance in reduce bcast=$MODE,reduce,report; do
        # also in the ranks that are spawned
        export LD_PRELOAD=$PRELOAD:$BALANCE MOTLEY_BALANCE=$balance
        run --separate-stderr timeout 100 $MPIRUN -np 2 ${PASS_ON-} \
            "$PROGRAMS/merged-$FAMILY"
        unset LD_PRELOAD MOTLEY_BALANCE
        [ "$status" -eq 0 ]
        ! grep "^rank" <<<"$stderr"
    done
}

# It may hang, as the manual says, but nobody's call is taken for an answer.
@test "$FAMILY, $MODE: no sum is wrong where one rank lacks the library" {
    local balance
    for balance in bcast=$MODE ''; do
        run --separate-stderr timeout 5 $MPIRUN -np 1 env LD_PRELOAD=$PRELOAD:$BALANCE \
            MOTLEY_BALANCE=$balance "$PROGRAMS/levels-$FAMILY" : \
            -np 1 env LD_PRELOAD=$PRELOAD "$PROGRAMS/levels-$FAMILY"
        [ "$status" -ne 0 ]
        ! grep "^rank" <<<"$stderr"
    done
}

# refused WORDS RANKS PROGRAM [ARGUMENT...]
refused() {
    balance=$1
    shift
    PRELOAD=$PRELOAD:$SHORTAGE start "$@"
    [ "$status" -eq 0 ]
    ! grep "^rank" <<<"$stderr"
}

@test "$FAMILY, $MODE: a rank that is refused memory while calls go on" {
    local others=
    [ $MODE = paper ] || others=,reduce,gather,report
    refused bcast=$MODE,verbose$others 3 short_of_memory $EVERY
    by_tree
    [ "$MODE" = paper ] || [[ "$stderr" == *"gathers have taken"* ]]
}

# As one rank has not what it needs, none does anything; at the end there is no report.
@test "$FAMILY, $MODE: a rank that is refused memory from the start" {
    local rank nth
    for rank in 0 1; do
        for ((nth = 1; nth <= 10; nth += EVERY)); do
            refused_at=$rank:$nth
            tool="env SHORTAGE=$refused_at" refused bcast=$MODE,report 2 levels
            if ((nth <= 8)); then
                [ "$stderr" = "motley-balance: a rank has no memory for the library; all calls are left to the MPI" ]
            fi
        done
    done
}

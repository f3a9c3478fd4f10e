# Mistakes of the program come out as without the library.

load helpers

@test "$FAMILY, $MODE: wrong arguments raise the MPI's own error" {
    passes_by_tree 1 errors
    passes_by_tree 3 errors
}

@test "$FAMILY, $MODE: an error handler may leave by longjmp" {
    passes_by_tree 3 jump
}

@test "$FAMILY, $MODE: a message longer than a rank expects is an error" {
    passes_by_tree 3 truncated
    [ "$output" = "truncated 40 times" ]
}

@test "$FAMILY, $MODE: a killed rank ends the job" {
    balance=$at_once
    start 5 killed
    by_tree
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    for i in {1..300}; do
        pgrep -f "^$PROGRAMS/killed-$FAMILY" || return 0
        sleep 0.1
    done
    return 1 # some are left over
}

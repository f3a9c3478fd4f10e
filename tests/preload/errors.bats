# Mistakes of the program come out as without the library.

load helpers

@test "$FAMILY, $MODE: wrong arguments raise the MPI's own error" {
    passes 1 errors
    passes 3 errors
}

@test "$FAMILY, $MODE: an error handler may leave by longjmp" {
    passes 3 jump
}

@test "$FAMILY, $MODE: a message longer than a rank expects is an error" {
    start 3 truncated
    [ "$status" -ne 124 ]
    [[ "$output" == *truncated* ]]
}

@test "$FAMILY, $MODE: a killed rank ends the job" {
    start 5 killed
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    for i in {1..300}; do
        pgrep -f "^$PROGRAMS/killed-$FAMILY" || return 0
        sleep 0.1
    done
    return 1 # some are left over
}

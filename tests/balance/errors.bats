# Mistakes of the program, and its end, come out as without the library.

load helpers

# same_end WAY: of the program endings, with the library as without
same_end() {
    start_stock 3 endings "$@"
    local stock=$status output_of_stock=$output
    start 3 endings "$@"
    [ "$status" -eq "$stock" ]
    [ "$output" = "$output_of_stock" ]
}

@test "$FAMILY, $MODE: wrong arguments raise the MPI's own error" {
    passes 1 errors
    passes 3 errors
}

@test "$FAMILY, $MODE: a message longer than a rank expects is an error" {
    start 3 truncated
    [ "$status" -ne 124 ]
    [[ "$output" == *truncated* ]]
}

@test "$FAMILY, $MODE: ranks end in unusual ways" {
    for way in unused abort uninitialised thread last; do
        same_end $way
    done
}

# MPICH itself ends these one time with this status and one time with that.
@test "$FAMILY, $MODE: ranks that do not call MPI_Finalize end, too" {
    start 3 endings never
    [ "$status" -ne 124 ]
    start 3 endings early
    [ "$status" -ne 124 ]
    [ "$status" -ne 0 ]
}

@test "$FAMILY, $MODE: a killed rank ends the job" {
    start 5 killed
    [ "$status" -ne 0 ]
    [ "$status" -ne 124 ]
    for i in {1..50}; do
        pgrep -f "^$PROGRAMS/killed-$FAMILY" || return 0
        sleep 0.1
    done
    return 1 # some are left over
}

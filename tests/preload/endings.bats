# Programs begin and end as without the library.

load helpers

# same_end WAY: of the program endings, with the library as without
same_end() {
    start_native 3 endings "$@"
    local native=$status native_output=$output
    balance=bcast
    start 3 endings "$@"
    [ "$status" -eq "$native" ]
    [ "$output" = "$native_output" ]
    balance=$at_once
    start 3 endings "$@"
    [ "$status" -eq "$native" ]
    [ "$output" = "$native_output" ]
}

@test "$FAMILY: ranks end in unusual ways" {
    for way in unused uninitialised thread last; do
        same_end $way
    done
}

# Which status these have, and what is said of them, depends on which rank's end the
# launcher sees first; under MPICH it does so without the library, too.
@test "$FAMILY: ranks that do not call MPI_Finalize end, too" {
    start 3 endings never
    [ "$status" -ne 124 ]
    for way in early abort; do
        start 3 endings $way
        [ "$status" -ne 124 ]
        [ "$status" -ne 0 ]
    done
}

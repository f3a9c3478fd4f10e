# Programs begin and end as without the library.

load helpers

# same_end WAY: of the program endings, with the library as without
same_end() {
    start_stock 3 endings "$@"
    local stock=$status output_of_stock=$output
    start 3 endings "$@"
    [ "$status" -eq "$stock" ]
    [ "$output" = "$output_of_stock" ]
}

@test "$FAMILY: ranks end in unusual ways" {
    for way in unused abort uninitialised thread last; do
        same_end $way
    done
}

# MPICH itself ends these one time with this status and one time with that.
@test "$FAMILY: ranks that do not call MPI_Finalize end, too" {
    start 3 endings never
    [ "$status" -ne 124 ]
    start 3 endings early
    [ "$status" -ne 124 ]
    [ "$status" -ne 0 ]
}

# Programs in Fortran, by each of the three ways to name MPI.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    [ -n "$FORTRAN" ] || skip "there is no gfortran here"
    cd "$BATS_TEST_TMPDIR" || return
}

# counted RANKS PROGRAM: the library has seen the 60 broadcasts, all but the first two
counted() {
    balance=bcast,report=$BATS_TEST_TMPDIR/report.jsonl
    start "$@"
    [ "$status" -eq 0 ]
    jq --slurp --exit-status \
        'map(select(.kind == "communicator")) | length == 1 and .[0].calls == 58' report.jsonl
}

@test "$FAMILY: a program with mpif.h" {
    counted 3 include_mpif
}

@test "$FAMILY: a program with the module mpi" {
    counted 3 use_mpi
}

@test "$FAMILY: a program with the module mpi_f08" {
    counted 3 use_mpi_f08
}

@test "$FAMILY: reductions and gathers of programs in Fortran" {
    balance=reduce,gather,verbose
    for program in include_mpif use_mpi use_mpi_f08; do
        start 3 $program
        [ "$status" -eq 0 ]
        for calls in reductions gathers; do
            grep -q "128 $calls have taken" <<<"$stderr"
        done
    done
    adapts "reductions gathers" 3 use_mpi late
}

# Programs in Fortran, by each of the three ways to name MPI.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    balance=bcast
    [ -n "$FORTRAN" ] || skip "there is no gfortran here"
    cd "$BATS_TEST_TMPDIR" || return
}

@test "$FAMILY: a program with mpif.h" {
    passes 3 include_mpif
}

@test "$FAMILY: a program with the module mpi" {
    passes 3 use_mpi
}

@test "$FAMILY: a program with the module mpi_f08" {
    passes 3 use_mpi_f08
}

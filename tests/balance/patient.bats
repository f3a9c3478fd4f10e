# Ranks that wait patiently get what the MPI's own calls give.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    balance=patient=always
    cd "$BATS_TEST_TMPDIR" || return
}

@test "$FAMILY: collective calls of patient ranks" {
    passes 1 patient_collectives
    passes 4 patient_collectives
}

@test "$FAMILY: collective calls of patient ranks, with another broadcast" {
    balance=patient=always,bcast
    passes 3 patient_collectives
}

@test "$FAMILY: patient ranks of a program in Fortran" {
    [ -n "$FORTRAN" ] || skip "there is no gfortran here"
    passes 3 patient_mpif
    passes 3 patient_f08
}

@test "$FAMILY: errors of patient ranks" {
    passes 2 patient_errors
}

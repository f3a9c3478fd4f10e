# Ranks that wait leave their core to others: libmotley-patient.so.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    cd "$BATS_TEST_TMPDIR" || return
    balance_library=$BALANCE
    BALANCE=$PRELOAD
    PRELOAD=
}

# One core that this test may use.
one_core() {
    taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/'
}

@test "$FAMILY: patient ranks sleep in every call that waits, and others do not" {
    start_native 2 asleep
    [[ "$stderr" == *"MPI_Recv("*"does not sleep"* ]]
    tool="env MOTLEY_PATIENT=always"
    passes 2 asleep
}

@test "$FAMILY: ranks are patient where they share a core" {
    command -v taskset || skip "there is no taskset here"
    tool="taskset -c $(one_core)"
    passes 2 asleep
}

@test "$FAMILY: patient ranks in programs of all kinds" {
    tool="env MOTLEY_PATIENT=always"
    for program in attributes communicators errors jump threads types; do
        passes 3 $program
    done
    [ -z "$FORTRAN" ] || passes 2 use_mpi_f08
}

@test "$FAMILY: patient ranks whose broadcasts adapt" {
    BALANCE=$BALANCE:$balance_library
    balance=bcast
    tool="env MOTLEY_PATIENT=always"
    passes 3 delays
    passes 2 asleep
}

@test "$FAMILY: programs without MPI, and launchers, do not notice the library" {
    LD_PRELOAD=$BALANCE run --separate-stderr sh -c 'echo "$0"; true' text
    [ "$status" -eq 0 ]
    [ "$output" = text ]
    [ -z "$stderr" ]
    LD_PRELOAD=$BALANCE run --separate-stderr timeout 200 $MPIRUN -np 2 \
        "$PROGRAMS/communicators-$FAMILY"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

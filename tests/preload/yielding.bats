# Ranks that yield get what the MPI's own calls give.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    balance=yield=always
    cd "$BATS_TEST_TMPDIR" || return
}

# Without what the other tests preload under MPICH, which sleeps by itself.
@test "$FAMILY: ranks that yield sleep, and others do not" {
    PRELOAD=
    start_native 2 asleep
    [[ "$stderr" == *"does not sleep"* ]]
    passes 2 asleep
    balance=yield=always,bcast
    passes 2 asleep
    balance=yield=always
    [ -z "$FORTRAN" ] || passes 2 asleep_mpif
}

@test "$FAMILY: ranks yield where they share cores, and only there" {
    command -v taskset || skip "there is no taskset here"
    tool="taskset -c $(taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/')"
    PRELOAD=
    balance=patient,verbose
    start 2 asleep
    [ "$status" -eq 0 ]
    [[ "$stderr" == "motley-balance: yield=auto: ranks that wait sleep; the fullest node has 2 ranks on "* ]]
    start 1 yielding_collectives
    [ "$status" -eq 0 ]
    [[ "$stderr" == "motley-balance: yield=auto: every rank has a core, all is left as it is; the fullest node has 1 rank on "* ]]
}

@test "$FAMILY: collective calls of ranks that yield" {
    passes 1 yielding_collectives
    passes 4 yielding_collectives
}

@test "$FAMILY: collective calls of ranks that yield, with another broadcast" {
    balance=yield=always,bcast
    passes 3 yielding_collectives
}

@test "$FAMILY: ranks that yield of a program in Fortran" {
    [ -n "$FORTRAN" ] || skip "there is no gfortran here"
    passes 3 yielding_mpif
    passes 3 yielding_f08
}

@test "$FAMILY: errors of ranks that yield" {
    passes 2 yielding_errors
}

@test "$FAMILY: messages, waits and threads of ranks that yield" {
    passes 3 yielding_messages
}

@test "$FAMILY: broadcasts of ranks that yield, and what belongs to communicators" {
    for program in attributes communicators errors jump; do
        passes 3 $program
    done
}

@test "$FAMILY: ranks that yield that start others" {
    [ $FAMILY = openmpi ] || skip "this MPI starts none here"
    passes 2 yielding_spawn
}

@test "$FAMILY: ranks that yield that never call MPI_Init end, too" {
    for way in unused uninitialised; do
        start_native 3 endings $way
        local native=$status
        start 3 endings $way
        [ "$status" -eq "$native" ]
    done
}

# The MPI's own losses, which are many, may have our functions in their stacks, but
# happen in its own.
@test "$FAMILY: ranks that yield neither lose nor misuse memory" {
    command -v valgrind || skip "valgrind is not installed"
    tool="valgrind --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --xml=yes --xml-file=$BATS_TEST_TMPDIR/%p.xml"
    start 3 yielding_messages
    [ "$status" -eq 0 ]
    [ "$(grep -l '</valgrindoutput>' *.xml | wc -l)" -eq 3 ]
    ! awk '/<stack>/ { first = 1 }
        /<obj>/ && first && !/vgpreload/ { first = 0; print }' *.xml |
        grep libmotley-balance
}

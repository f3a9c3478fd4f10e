# Communicators of every kind, and what belongs to them.

load helpers

@test "$FAMILY, $MODE: communicators of every kind" {
    for n in 1 2 5; do
        passes_by_tree $n communicators
    done
}

# Two of them each time. MPICH has only 2048; Open MPI takes long to make them.
@test "$FAMILY, $MODE: thousands of communicators, one after another" {
    case $FAMILY in
    openmpi) passes 2 contexts 600 1 ;;
    *) passes 2 contexts 1500 1 ;;
    esac
}

@test "$FAMILY, $MODE: a report on a thousand communicators" {
    balance=bcast=$MODE,verbose,report=$BATS_TEST_TMPDIR/report.jsonl
    start 2 contexts 1000 1 >"$BATS_TEST_TMPDIR/pages"
    [ "$status" -eq 0 ]
    [ "$(grep -c '"kind":"communicator"' report.jsonl)" -ge 1000 ]
    by_tree
    ! grep "^rank" "$BATS_TEST_TMPDIR/pages"
}

# The method of 2008 talks when it ends, and so do those who bring a report together.
@test "$FAMILY, $MODE: communicators that ranks free in another order each" {
    [ $MODE = auto ] || skip "bcast=paper does not bear it"
    for n in 2 5; do
        passes $n crossed
    done
}

@test "$FAMILY, $MODE: many communicators at the same time" {
    passes 2 contexts 0 1500
}

@test "$FAMILY, $MODE: attributes of the program" {
    passes_by_tree 3 attributes
}

@test "$FAMILY, $MODE: threads, each with its communicator" {
    start 3 threads
    [[ "$output" != *"no threads"* ]] || skip "this MPI has no MPI_THREAD_MULTIPLE"
    passes_by_tree 3 threads
}

# The library would say what it sets up.
@test "$FAMILY, $MODE: nothing is set up for dozens of broadcasts where ranks lack cores" {
    [ $MODE = auto ] || skip "bcast=paper is set up at once"
    local first
    first=$(taskset -cp $$ | sed 's/.*: //; s/[-,].*//')
    balance=bcast,verbose
    PRELOAD='' tool="taskset -c $first" passes 4 crowded
}

@test "$FAMILY, $MODE: with ranks that were started later and know of no library" {
    start_native 2 spawned
    [ "$status" -eq 0 ] || skip "this MPI does not start ranks here"
    passes 2 spawned
}

@test "$FAMILY, $MODE: MPI_Pcontrol in the middle" {
    passes_by_tree 3 switched
}

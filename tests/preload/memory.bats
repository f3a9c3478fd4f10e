# Memory that the library asks for.

load helpers

# keeps_memory RANKS PROGRAM
keeps_memory() {
    tool="valgrind --leak-check=full --show-leak-kinds=definite,indirect,possible \
        --xml=yes --xml-file=$BATS_TEST_TMPDIR/$2-%p.xml"
    start "$1" "$2"
    [ "$status" -eq 0 ]
    [ "$(grep -l '</valgrindoutput>' $2-*.xml | wc -l)" -eq "$1" ]
    # The MPI's own losses, which are many, have none of our functions in their stacks,
    # but for those that only pass MPI_Init and other calls on.
    ! grep '<obj>.*libmotley-balance-core' $2-*.xml
}

@test "$FAMILY: the library neither loses nor misuses memory" {
    command -v valgrind || skip "valgrind is not installed"
    balance=$at_once
    keeps_memory 3 attributes
    by_tree
    balance=gather,verbose
    keeps_memory 2 gather
    [[ "$stderr" == *"gathers have taken"* ]]
}

@test "$FAMILY: a root that runs ahead of the others does not fill the memory" {
    passes 3 ahead
    passes_by_tree 3 ahead
}

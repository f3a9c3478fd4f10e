# What is broadcast arrives: types, sizes, roots, delays. The pairs of MPI and mode share
# the numbers of ranks, so that each MPI and each mode meets all of them.

load helpers

case $FAMILY-$MODE in
openmpi-auto | mpich-paper) ranks='1 3 8 17' ;;
*) ranks='2 5 16' ;;
esac

@test "$FAMILY, $MODE: types of all kinds" {
    for n in $ranks; do
        passes_by_tree $n types
    done
}

@test "$FAMILY, $MODE: different types with the same signature" {
    for n in $ranks; do
        passes_by_tree $n mixed 4 32 256 4096
    done
}

@test "$FAMILY, $MODE: different types with the same signature, 1 MiB on 17 ranks" {
    start_native 17 mixed 262144
    [ "$status" -eq 0 ] || skip "this MPI's own broadcast fails"
    passes_by_tree 17 mixed 262144
}

@test "$FAMILY, $MODE: all sizes while ranks are late in turn" {
    for n in $ranks; do
        passes_by_tree $n delays
    done
}

@test "$FAMILY, $MODE: all sizes, with a library that gets ready where that is worth it" {
    [ $MODE = auto ] || skip "bcast=paper gets ready at once"
    for n in 2 3 5; do
        passes $n delays
    done
}

# What is reduced is right, whoever is late: by trees where they are faster, by the MPI
# where nothing is known.

load helpers

@test "$FAMILY: reductions of all kinds" {
    for n in 1 2 5; do
        balance=reduce passes $n reduce
    done
}

@test "$FAMILY: reductions and broadcasts adapt side by side" {
    balance=bcast,reduce passes 8 reduce
    balance=bcast,reduce,reproducible passes 5 reduce
}

# Without waiting until it is worth it.
@test "$FAMILY: reductions along trees" {
    for n in 2 5 17; do
        run --separate-stderr timeout 200 $MPIRUN -np $n env LD_PRELOAD="$PRELOAD" \
            "$PROGRAMS/adapted-$FAMILY"
        echo "$output" "$stderr"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
    done
}

@test "$FAMILY: reductions in threads, between groups and after mistakes" {
    balance=reduce passes 4 apart
    balance=bcast,reduce passes 3 apart mistakes
}

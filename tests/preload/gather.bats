# What is gathered is right, whoever is late: straight where that is faster,
# by the MPI where nothing is known.

load helpers

@test "$FAMILY: gathers of all kinds" {
    for n in 1 2; do
        balance=gather passes $n gather
    done
}

@test "$FAMILY: gathers adapt beside other calls" {
    balance=bcast,reduce,gather passes 8 gather
}

@test "$FAMILY: gathers are looked at after 128 calls, and adapted" {
    balance=gather,verbose
    adapts gathers 4 gather
    grep -q '128 gathers have taken' <<<"$stderr"
    balance=reduce,verbose start 5 gather
    [ "$status" -eq 0 ]
    [[ "$stderr" != *gathers* ]]
}

# Without waiting until it is worth it.
@test "$FAMILY: gathers straight from rank to rank" {
    for n in 2 5 17; do
        run --separate-stderr timeout 200 $MPIRUN -np $n env LD_PRELOAD="$PRELOAD" \
            "$PROGRAMS/blocks-$FAMILY"
        echo "$output" "$stderr"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
    done
}

@test "$FAMILY: gathers in threads, between groups and after mistakes" {
    balance=gather passes 4 apart
    balance=bcast,reduce,gather passes 3 apart mistakes
}

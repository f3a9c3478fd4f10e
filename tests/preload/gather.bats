# What is gathered and scattered is right, whoever is late: straight where that is faster,
# by the MPI where nothing is known.

load helpers

@test "$FAMILY: gathers and scatters of all kinds" {
    for n in 1 2; do
        balance=gather,scatter passes $n gather
    done
}

@test "$FAMILY: gathers and scatters adapt beside other calls" {
    balance=bcast,reduce,gather,scatter passes 8 gather
}

@test "$FAMILY: gathers and scatters are looked at after 128 calls, and adapted" {
    balance=gather,scatter,verbose
    adapts "gathers scatters" 4 gather
    grep -q '128 gathers have taken' <<<"$stderr"
    grep -q '128 scatters have taken' <<<"$stderr"
    balance=gather,verbose start 5 gather
    [ "$status" -eq 0 ]
    [[ "$stderr" != *scatters* ]]
}

# Without waiting until it is worth it.
@test "$FAMILY: gathers and scatters straight from rank to rank" {
    for n in 2 5 17; do
        run --separate-stderr timeout 200 $MPIRUN -np $n env LD_PRELOAD="$PRELOAD" \
            "$PROGRAMS/blocks-$FAMILY"
        echo "$output" "$stderr"
        [ "$status" -eq 0 ]
        [ -z "$stderr" ]
    done
}

@test "$FAMILY: gathers and scatters in threads, between groups and after mistakes" {
    balance=gather,scatter passes 4 apart
    balance=bcast,reduce,gather,scatter passes 3 apart mistakes
}

# The preload library, linked into programs of simulated ranks. SMPIMAIN starts them.

bats_require_minimum_version 1.5.0

# simulate RANKS PROGRAM MODE [ARGUMENT...]: all that it checks holds, nobody complains
simulate() {
    local ranks=$1 program=$2 mode=$3
    shift 3
    for ((i = 0; i < ranks; i++)); do
        echo a
    done >"$BATS_TEST_TMPDIR/ranks"
    MOTLEY_BALANCE=bcast=$mode run --separate-stderr timeout 60 \
        "$SMPIMAIN" "$PROGRAMS/$program-smpi" \
        --cfg=smpi/privatization:dlopen --cfg=smpi/hostfile:"$BATS_TEST_TMPDIR/ranks" \
        --cfg=network/model:SMPI --cfg=smpi/simulate-computation:no \
        --log=root.thres:error "$PLATFORM" "$@"
    echo "$program on $ranks ranks, bcast=$mode: status $status"
    printf '%s\n' "$output" "$stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "128 simulated ranks, bcast=auto" {
    simulate 128 simulated auto
}

@test "128 simulated ranks, bcast=paper" {
    simulate 128 simulated paper
}

@test "128 simulated ranks, bcast=off" {
    simulate 128 simulated off
}

@test "types of all kinds on simulated ranks" {
    simulate 13 types auto
    simulate 13 types paper
}

@test "different types with the same signature on simulated ranks" {
    simulate 17 mixed auto 262144
    simulate 17 mixed paper 262144
}

@test "all sizes while simulated ranks are late in turn" {
    simulate 13 delays auto
    simulate 13 delays paper
}

# The preload library, linked into programs of simulated ranks. SMPIMAIN starts them.

bats_require_minimum_version 1.5.0

setup_file() {
    cat >"$BATS_FILE_TMPDIR/platform.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="n" radical="0-127" suffix="" speed="1Gf" bw="10Gbps" lat="2us"/>
</platform>
END
}

# simulate RANKS PROGRAM MODE [ARGUMENT...]: all that it checks holds, nobody complains
simulate() {
    local ranks=$1 program=$2 mode=$3
    shift 3
    for ((i = 0; i < ranks; i++)); do
        echo n$i
    done >"$BATS_TEST_TMPDIR/ranks"
    MOTLEY_BALANCE=bcast=$mode run --separate-stderr timeout 200 \
        "$SMPIMAIN" "$PROGRAMS/$program-smpi" \
        --cfg=smpi/privatization:dlopen --cfg=smpi/hostfile:"$BATS_TEST_TMPDIR/ranks" \
        --cfg=network/model:SMPI --cfg=smpi/simulate-computation:no \
        --cfg=smpi/coll-selector:mpich \
        --log=root.thres:error "$BATS_FILE_TMPDIR/platform.xml" "$@"
    echo "$program on $ranks ranks, bcast=$mode: status $status"
    printf '%s\n' "$output" "$stderr"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

@test "128 simulated ranks, bcast=auto" {
    simulate 128 simulated auto
}

@test "64 simulated ranks, bcast=paper" {
    simulate 64 simulated paper
}

@test "128 simulated ranks, bcast=off" {
    simulate 128 simulated off
}

@test "types of all kinds on simulated ranks" {
    simulate 13 types auto
    simulate 13 types paper
}

@test "different types with the same signature on simulated ranks" {
    simulate 17 mixed auto 4 256 16384
    simulate 17 mixed paper 4 256 16384
}

@test "all sizes while simulated ranks are late in turn" {
    simulate 13 delays auto
    simulate 13 delays paper
    simulate 13 delays paper-2
}

@test "reductions of simulated ranks" {
    simulate 13 reduce auto,reduce
    simulate 40 reduce off,reduce
}

# Rank 0 says which way they go.
@test "reductions to which one simulated rank comes late take trees" {
    simulate 16 late_reduce off,reduce,verbose || true
    [ "$status" -eq 0 ]
    grep -q 'reductions of up to 4096 bytes: by tree' <<<"$stderr"
    simulate 16 late_reduce off,reduce,reproducible
}

@test "simulated ranks seldom look at reductions that are not worth adapting" {
    simulate 16 late_reduce off,reduce,verbose busy || true
    [ "$status" -eq 0 ]
    [ "$(grep -c 'reductions have taken.*left to the MPI' <<<"$stderr")" -eq 3 ]
    simulate 16 late_reduce off,reduce,reproducible busy
}

@test "no more than 128 communicators of simulated ranks are made ready" {
    simulate 2 late_communicators off,reduce,verbose || true
    [ "$status" -eq 0 ]
    [ "$(grep -c 'reductions have taken.*left to the MPI' <<<"$stderr")" -eq 172 ]
    [ "$(grep -c 'reductions have taken.*they are adapted' <<<"$stderr")" -eq 128 ]
    [ "$(grep -c '2 ranks on 2 nodes' <<<"$stderr")" -eq 128 ]
}

# An int64_t holds their times in ns, but not a hundred times as much.
@test "reductions for which simulated ranks have waited a year are adapted" {
    simulate 16 late_reduce off,reduce,verbose year || true
    [ "$status" -eq 0 ]
    grep -q '128 reductions have taken.*they are adapted' <<<"$stderr"
}

@test "MPI_Pcontrol(0) leaves reductions to the MPI, also before they are adapted" {
    simulate 16 late_reduce off,reduce,verbose || true
    grep -q 'by tree' <<<"$stderr"
    simulate 16 late_reduce off,reduce,verbose off || true
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"reductions of up to 4096 bytes: the MPI's"* ]]
    [[ "$stderr" != *"by tree"* ]]
}

@test "gathers of simulated ranks" {
    simulate 13 gather auto,gather
}

# Rank 0 says which way they go, and all of them how long they took in the end.
@test "gathers to which one simulated rank comes late go straight" {
    simulate 16 late_gather off
    native=$output
    simulate 16 late_gather off,gather,verbose || true
    [ "$status" -eq 0 ]
    grep -q 'gathers of up to 65536 bytes: straight' <<<"$stderr"
    awk "BEGIN { exit !($output < 0.7 * $native) }"
}

@test "MPI_Pcontrol(0) leaves gathers to the MPI" {
    simulate 16 late_gather off,gather,verbose off || true
    [ "$status" -eq 0 ]
    [[ "$stderr" == *"gathers of up to 65536 bytes: the MPI's"* ]]
    [[ "$stderr" != *straight* ]]
}

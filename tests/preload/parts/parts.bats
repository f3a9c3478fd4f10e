# Parts of the preload library by themselves, on simulated ranks, whose times are exact.
# SMPIMAIN starts them; PROGRAMS has the programs.

bats_require_minimum_version 1.5.0

# part RANKS PROGRAM [ARGUMENT...]: all that it checks holds; stderr is for the test
part() {
    local ranks=$1 program=$2
    shift 2
    cat >"$BATS_TEST_TMPDIR/platform.xml" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <cluster id="cluster" prefix="n" radical="0-15" suffix="" speed="1Gf" bw="10Gbps" lat="2us"/>
</platform>
END
    for ((i = 0; i < ranks; i++)); do
        echo n$i
    done >"$BATS_TEST_TMPDIR/ranks"
    run --separate-stderr timeout 200 "$SMPIMAIN" "$PROGRAMS/$program-smpi" \
        --cfg=smpi/privatization:dlopen --cfg=smpi/hostfile:"$BATS_TEST_TMPDIR/ranks" \
        --cfg=smpi/simulate-computation:no --log=root.thres:error \
        "$BATS_TEST_TMPDIR/platform.xml" "$@"
    echo "$program $*: status $status"
    printf '%s\n' "$output" "$stderr"
    [ "$status" -eq 0 ]
}

@test "costs: what messages take" {
    part 8 costs
    [ -z "$stderr" ]
    part 5 costs
    [ -z "$stderr" ]
}

@test "reports: what ranks tell the leader" {
    part 5 reports
    [ -z "$stderr" ]
}

@test "adapt: the faster way, the same on all ranks" {
    part 8 adapt
    [ -z "$stderr" ]
}

@test "comm_state: set up on all ranks" {
    part 6 comm_state same
    [ -z "$stderr" ]
}

@test "comm_state: on none, where their options differ" {
    for other in mode words; do
        part 6 comm_state $other
        [ "$stderr" = "motley-balance: MOTLEY_BALANCE is not the same on all ranks; all calls are left to the MPI" ]
    done
}

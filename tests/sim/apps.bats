# The measured programs under SMPI. SMPIMAIN starts them, APPS has them.

bats_require_minimum_version 1.5.0

# simulate HOSTS PROGRAM [ARGUMENT...]: a rank on each of the hosts.
simulate() {
    printf '%s\n' $1 >"$BATS_TEST_TMPDIR/ranks"
    local program=$2
    shift 2
    OPENBLAS_NUM_THREADS=1 run --separate-stderr "$SMPIMAIN" "$program" \
        --cfg=smpi/privatization:no --cfg=smpi/hostfile:"$BATS_TEST_TMPDIR/ranks" \
        --cfg=network/model:SMPI --cfg=smpi/simulate-computation:no \
        --cfg=smpi/coll-selector:mpich --cfg=smpi/alltoall:mvapich2 \
        --log=root.thres:error "$PLATFORM" "$@"
    echo "$program $*: $output $stderr"
    seconds=$(sed -n 's/^time \([0-9.e+-]*\) s$/\1/p' <<<"$output")
}

# same A B: they differ by at most 2 %.
same() {
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < 1.02 * b && b < 1.02 * a) }'
}

# weigh NUMBER...: the file $weights gives each rank its weight.
weigh() {
    weights=$BATS_TEST_TMPDIR/weights
    printf '%s\n' "$@" >"$weights"
}

# Nodes 0 to 3 of 40 Mflop/s and 4 to 7 of 10, without memory; messages cost nothing.
unequal_nodes() {
    PLATFORM=$BATS_TEST_TMPDIR/platform.xml
    bare="--cfg=smpi/bw-factor:0:1 --cfg=smpi/lat-factor:0:1 --cfg=smpi/os:0:0:0 \
        --cfg=smpi/or:0:0:0 --cfg=network/crosstraffic:no --cfg=network/TCP-gamma:0"
    cat >"$PLATFORM" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<zone id="all" routing="Full">
<cluster id="fast" prefix="" suffix="" radical="0-3" speed="40Mf" bw="1PBps" lat="0us"/>
<cluster id="slow" prefix="" suffix="" radical="4-7" speed="10Mf" bw="1PBps" lat="0us"/>
<link id="between" bandwidth="1PBps" latency="0us"/>
<zoneRoute src="fast" dst="slow" gw_src="fast_router" gw_dst="slow_router">
<link_ctn id="between"/>
</zoneRoute>
</zone>
</platform>
END
}

@test "work is charged as its header says" {
    simulate "a b c c d d e" "$WORK"
    [ "$status" -eq 0 ]
}

@test "simulated lu solves its system, in the same time each time" {
    simulate "a b c c" "$APPS/lu" --size 300 --block 32
    [ "$status" -eq 0 ]
    [[ "$output" == *"residual 0."* ]]
    first=$seconds
    simulate "a b c c" "$APPS/lu" --size 300 --block 32
    [ "$seconds" = "$first" ]
}

@test "simulated jacobi agrees with a serial run, in the same time each time" {
    simulate "a b c c" "$APPS/jacobi" --size 20 --iterations 5 --check
    [ "$status" -eq 0 ]
    [[ "$output" =~ "difference to a serial run "(0|[0-9.]+e-(0[6-9]|[1-9][0-9])) ]]
    first=$seconds
    simulate "a b c c" "$APPS/jacobi" --size 20 --iterations 5 --check
    [ "$seconds" = "$first" ]
}

@test "simulated jacobi agrees with a serial run in parts that follow weights" {
    weigh 5 1 2 8 1 1 3 4 4
    for partition in cube slab; do
        simulate "a b c c d d e a a" "$APPS/jacobi" --size 20 --iterations 5 --check \
            --weights "$weights" --partition $partition
        [ "$status" -eq 0 ]
        [[ "$output" == *"partition by weights, "*" points a rank, at most 1."* ]]
        [[ "$output" =~ "difference to a serial run "(0|[0-9.]+e-(0[6-9]|[1-9][0-9])) ]]
        full=$seconds
        simulate "a b c c d d e a a" "$APPS/jacobi" --size 20 --iterations 5 --model-only \
            --weights "$weights" --partition $partition
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "jacobi takes as long as all nodes together when weights are their speeds" {
    unequal_nodes
    weigh 4 4 4 4 1 1 1 1
    # 34 operations a point at an efficiency of 0.4, on 200 Mflop/s in all
    ideal=$(awk 'BEGIN { print 10 * 34 * 80^3 / 0.4 / 200e6 }')
    simulate "0 1 2 3 4 5 6 7" "$APPS/jacobi" --size 80 --iterations 10 --model-only $bare \
        --weights "$weights"
    [[ "$output" == *"partition by weights, 25920 to 103680 points a rank, at most 1.01 times"* ]]
    same "$seconds" "$ideal"
    simulate "0 1 2 3 4 5 6 7" "$APPS/jacobi" --size 80 --iterations 10 --model-only $bare
    same "$seconds" "$(awk -v ideal="$ideal" 'BEGIN { print 2.5 * ideal }')"
    simulate "0 1 2 3" "$APPS/jacobi" --size 80 --iterations 10 --model-only $bare
    same "$seconds" "$(awk -v ideal="$ideal" 'BEGIN { print 1.25 * ideal }')"
}

@test "simulated fft agrees with FFTW, in the same time each time" {
    simulate "a b c c" "$APPS/fft" --size 2160 --check
    [ "$status" -eq 0 ]
    [[ "$output" == *"difference to FFTW on one rank "*e-16* ]]
    first=$seconds
    simulate "a b c c" "$APPS/fft" --size 2160 --check
    [ "$seconds" = "$first" ]
}

@test "simulated fem agrees with a direct solution, in the same time each time" {
    simulate "a b c c" "$APPS/fem" --size 8 --tolerance 1e-10 --check
    [ "$status" -eq 0 ]
    [[ "$output" == *"difference to a direct solution "*e-1* ]]
    first=$seconds
    simulate "a b c c" "$APPS/fem" --size 8 --tolerance 1e-10 --check
    [ "$seconds" = "$first" ]
}

@test "simulated fem agrees with a direct solution in parts that follow weights" {
    # one of them has next to nothing
    weigh 5 1 2 8 1 1 3 4 4 5 0.1 6 1 2 8 4 3
    for mesh in "--size 20" "--size 17 --cube"; do
        local nodes="a b c c d d e a a b b a a c c b b"
        simulate "$nodes" "$APPS/fem" $mesh --tolerance 1e-10 --check --weights "$weights"
        [ "$status" -eq 0 ]
        [[ "$output" == *"partition by weights, "*" nodes a rank, at most "* ]]
        [[ "$output" == *"difference to a direct solution "*e-1* ]]
        simulate "$nodes" "$APPS/fem" $mesh --iterations 4 --weights "$weights"
        full=$seconds
        simulate "$nodes" "$APPS/fem" $mesh --iterations 4 --weights "$weights" --model-only
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "fem takes as long as all nodes together when weights are their speeds" {
    unequal_nodes
    weigh 4 4 4 4 1 1 1 1
    simulate "0" "$APPS/fem" --size 200 --iterations 3 --model-only $bare
    one=$seconds # at 40 Mflop/s; without caches all work has the same speed
    simulate "0 1 2 3 4 5 6 7" "$APPS/fem" --size 200 --iterations 3 --model-only $bare \
        --weights "$weights"
    same "$seconds" "$(awk -v one="$one" 'BEGIN { print one / 5 }')"
    simulate "0 1 2 3 4 5 6 7" "$APPS/fem" --size 200 --iterations 3 --model-only $bare
    same "$seconds" "$(awk -v one="$one" 'BEGIN { print one / 2 }')"
}

@test "simulated spmm agrees with a dense product, in the same time each time" {
    simulate "a b c c" "$APPS/spmm" --size 300 --slope 0.2 --check
    [ "$status" -eq 0 ]
    [[ "$output" =~ difference\ to\ a\ dense\ product\ (0|[0-9.]+e-1[0-9])$ ]]
    first=$seconds
    simulate "a b c c" "$APPS/spmm" --size 300 --slope 0.2 --check
    [ "$seconds" = "$first" ]
}

@test "simulated spmm agrees with a dense product in parts that follow weights" {
    weigh 5 1 2 8 1 1 3
    simulate "a b c c d d e" "$APPS/spmm" --size 300 --slope 0.2 --check --weights "$weights"
    [ "$status" -eq 0 ]
    [[ "$output" == *"partition by weights, "*" non-zeros a rank, at most 1.0"* ]]
    [[ "$output" =~ difference\ to\ a\ dense\ product\ (0|[0-9.]+e-1[0-9])$ ]]
    full=$seconds
    simulate "a b c c d d e" "$APPS/spmm" --size 300 --slope 0.2 --model-only \
        --weights "$weights"
    [ "$status" -eq 0 ]
    same "$seconds" "$full"
}

@test "spmm's ranks multiply as long as each other when weights are their speeds" {
    unequal_nodes
    weigh 4 4 4 4 1 1 1 1
    # 2 operations a non-zero at an efficiency of 0.1, on 200 Mflop/s in all; rank 0
    # also searches 2000 columns of 200 non-zeros, in 8.6 steps at one of 0.03
    simulate "0 1 2 3 4 5 6 7" "$APPS/spmm" --size 2000 --rows 20 --model-only $bare \
        --weights "$weights"
    same "$seconds" "$(awk 'BEGIN {
        print 20 * 2000 * (2 * 200 / 20e6 + (log(200) / log(2) + 1) / 1.2e6) }')"
}

@test "simulated matmul agrees with the BLAS, in the same time each time" {
    for algorithm in A B; do
        simulate "a b c c" "$APPS/matmul" --size 50 --algorithm $algorithm --check
        [ "$status" -eq 0 ]
        [[ "$output" =~ difference\ to\ the\ BLAS\ 0\.[0-9]+\ N\ eps$ ]]
        first=$seconds
        simulate "a b c c" "$APPS/matmul" --size 50 --algorithm $algorithm --check
        [ "$seconds" = "$first" ]
    done
}

@test "fem converges in boxes that are as thin as can be" {
    simulate "a a a a b b b b a a a a b b b b" "$APPS/fem" --size 4 --tolerance 1e-8 --check
    [ "$status" -eq 0 ]
    [[ "$output" == *"partition 4 x 4 x 1"* ]]
    simulate "a a a a b b b b" "$APPS/fem" --size 2 --cube --tolerance 1e-8 --check
    [ "$status" -eq 0 ]
    [[ "$output" == *"partition 2 x 2 x 2"* ]]
}

@test "fem does not go on forever after the residual has vanished" {
    simulate "a b" "$APPS/fem" --size 2 --iterations 1000
    [ "$status" -eq 0 ]
    [[ "$output" == *"iterations 1000"* ]]
    [[ "$output" =~ residual\ [0-9.]+e-1[0-9]$ ]]
}

@test "fem tells when it has not converged" {
    simulate "a b" "$APPS/fem" --size 20 --tolerance 1e-10 --iterations 5
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"fem: no convergence in 5 iterations"* ]]
    simulate "a b" "$APPS/fem" --size 20 --iterations 5 --check
    [ "$status" -eq 1 ]
    [[ "$stderr" == *"fem: the result differs from a direct solution"* ]]
}

@test "fem refuses meshes that are too small or too large, and other wrong options" {
    refused() {
        local message=$1
        shift
        simulate "a b b" "$APPS/fem" "$@"
        [ "$status" -eq 2 ]
        [ "$(grep -c "fem: " <<<"$stderr")" -eq 1 ]
        [[ "$stderr" == *"fem: $message"* ]]
    }
    refused "--size must be between 3 and 16384 on 3 ranks: '2'" --size 2
    refused "--size must be between 3 and 1024 on 3 ranks: '1025'" --size 1025 --cube
    refused "--iterations must be at least 1: '0'" --size 8 --iterations 0
    refused "--tolerance must be between 0 and 1: '2'" --size 8 --tolerance 2
    refused "--tolerance must be between 0 and 1: 'nan'" --size 8 --tolerance nan
    refused "--check takes at most 20000 unknowns, not '60600'" --size 100 --check
}

@test "lu takes the same simulated time when only modelled" {
    for size in 64 257 600; do
        simulate "a b c c" "$APPS/lu" --size $size
        full=$seconds
        simulate "a b c c" "$APPS/lu" --size $size --model-only
        [ "$status" -eq 0 ]
        [[ "$output" == *"residual not computed (model only)"* ]]
        same "$seconds" "$full"
    done
}

@test "jacobi takes the same simulated time when only modelled" {
    for partition in cube slab; do
        simulate "a b c c" "$APPS/jacobi" --size 33 --iterations 4 --partition $partition
        full=$seconds
        simulate "a b c c" "$APPS/jacobi" --size 33 --iterations 4 \
            --partition $partition --model-only
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "fem takes the same simulated time when only modelled" {
    for mesh in "--size 30" "--size 7 --cube"; do
        simulate "a b c c d d" "$APPS/fem" $mesh --iterations 4
        [ "$status" -eq 0 ]
        full=$seconds
        simulate "a b c c d d" "$APPS/fem" $mesh --iterations 4 --model-only
        [ "$status" -eq 0 ]
        [ "$seconds" = "$full" ]
    done
}

@test "fem's iterations take as long as each other" {
    simulate "a b c c d d" "$APPS/fem" --size 90 --iterations 3 --model-only
    [[ "$output" =~ iteration\ ([0-9.e-]+)\ s ]]
    few=${BASH_REMATCH[1]}
    simulate "a b c c d d" "$APPS/fem" --size 90 --iterations 30 --model-only
    [[ "$output" =~ iteration\ ([0-9.e-]+)\ s ]]
    same "$few" "${BASH_REMATCH[1]}"
}

@test "fft takes the same simulated time when only modelled" {
    for size in 4096 30375 65536; do
        simulate "a b c c" "$APPS/fft" --size $size --iterations 2
        full=$seconds
        simulate "a b c c" "$APPS/fft" --size $size --iterations 2 --model-only
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "spmm takes the same simulated time when only modelled" {
    for matrix in "--size 400 --slope 0.2" "--size 901 --density 0.02 --rows 300"; do
        simulate "a b c c d d" "$APPS/spmm" $matrix
        [ "$status" -eq 0 ]
        full=$seconds
        simulate "a b c c d d" "$APPS/spmm" $matrix --model-only
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "spmm takes on one node what its kernels are charged" {
    # At 2 Gflop/s, without caches: each row searches 500 columns of 64 non-zeros in
    # seven steps at an efficiency of 0.03, and multiplies them at one of 0.1.
    simulate "a" "$APPS/spmm" --size 500 --density 0.128 --model-only
    same "$seconds" "$(awk 'BEGIN { print 500 * 500 * (7 / 0.06e9 + 2 * 64 / 0.2e9) }')"
}

@test "fft takes on one node what its kernels are charged" {
    # At 2 Gflop/s, without caches: 5 N log2 N operations and 12 N for the twiddle
    # factors at an efficiency of 0.3, and six passes of 2 N at 0.5.
    simulate "a" "$APPS/fft" --size 65536 --iterations 1 --model-only
    same "$seconds" "$(awk 'BEGIN { print 65536 * (92 / 0.6e9 + 12 / 1e9) }')"
}

@test "matmul takes the same simulated time when only modelled" {
    for method in "--size 64" "--size 201 --blas" "--size 151 --algorithm B"; do
        simulate "a b c c" "$APPS/matmul" $method
        [ "$status" -eq 0 ]
        full=$seconds
        simulate "a b c c" "$APPS/matmul" $method --model-only
        [ "$status" -eq 0 ]
        [ "$seconds" = "$full" ]
    done
}

@test "matmul takes on a network of known speed what its formulas say" {
    # Nodes of 10 Mflop/s at 1 MB/s, without what SMPI adds; parts of 13 and 12 rows, blocks
    # of 25 x 25 and, for B, additions at an efficiency of a quarter.
    PLATFORM=$BATS_TEST_TMPDIR/platform.xml
    cat >"$PLATFORM" <<'END'
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
<cluster id="c" prefix="" suffix="" radical="0-3" speed="10Mf" bw="1MBps" lat="0us"/>
</platform>
END
    bare="--cfg=smpi/bw-factor:0:1 --cfg=network/crosstraffic:no --cfg=network/TCP-gamma:0"
    simulate "0 1 2 3" "$APPS/matmul" --size 50 --model-only $bare
    same "$seconds" "$(awk 'BEGIN { print 2 * 13 * 50^2 / 5e6 + 3 * 8 * 13 * 50 / 1e6 }')"
    simulate "0 1 2 3" "$APPS/matmul" --size 50 --algorithm B --model-only $bare
    same "$seconds" "$(awk 'BEGIN {
        print 2 * 25^2 * 50 / 5e6 + 4 * 8 * 25^2 / 1e6 + 2 * 25^2 / 2.5e6 }')"
}

@test "fft runs on any number of ranks" {
    for ranks in 5 6 7 10 12 24; do
        for size in 4096 921600; do
            simulate "$(printf 'a %.0s' $(seq $ranks))" "$APPS/fft" --size $size \
                --model-only
            [ "$status" -eq 0 ]
        done
    done
}

@test "full sizes cost no memory when only modelled" {
    ulimit -v $((2 * 1024 * 1024))
    simulate "a b a b" "$APPS/lu" --size 40000 --block 1000 --model-only
    [ "$status" -eq 0 ]
    simulate "a b a b" "$APPS/fft" --size 33554432 --iterations 1 --model-only
    [ "$status" -eq 0 ]
    simulate "a b a b" "$APPS/fem" --size 1000 --cube --iterations 1 --model-only
    [ "$status" -eq 0 ]
    simulate "a b a b" "$APPS/spmm" --size 200000 --rows 10 --model-only
    [ "$status" -eq 0 ]
    simulate "a b a b" "$APPS/matmul" --size 8000 --model-only
    [ "$status" -eq 0 ]
    simulate "a b a b" "$APPS/matmul" --size 8000 --algorithm B --model-only
    [ "$status" -eq 0 ]
}

@test "options that do not fit together are refused" {
    simulate "a b" "$APPS/jacobi" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"jacobi: --model-only leaves nothing to --check"* ]]
    simulate "a b" "$APPS/fft" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fft: --model-only leaves nothing to --check"* ]]
    simulate "a b" "$APPS/fem" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fem: --model-only leaves nothing to --check"* ]]
    simulate "a b" "$APPS/fem" --size 8 --tolerance 0.1 --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fem: --model-only never reaches a --tolerance"* ]]
    simulate "a b" "$APPS/spmm" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"spmm: --model-only leaves nothing to --check"* ]]
    simulate "a b" "$APPS/matmul" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"matmul: --model-only leaves nothing to --check"* ]]
}

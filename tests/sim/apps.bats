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

@test "work is charged as its header says" {
    simulate "a b c c d d" "$WORK"
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
    [[ "$output" == *"difference to a serial run 0"* ]]
    first=$seconds
    simulate "a b c c" "$APPS/jacobi" --size 20 --iterations 5 --check
    [ "$seconds" = "$first" ]
}

@test "simulated fft agrees with FFTW, in the same time each time" {
    simulate "a b c c" "$APPS/fft" --size 2160 --check
    [ "$status" -eq 0 ]
    [[ "$output" == *"difference to FFTW on one rank "*e-16* ]]
    first=$seconds
    simulate "a b c c" "$APPS/fft" --size 2160 --check
    [ "$seconds" = "$first" ]
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

@test "fft takes the same simulated time when only modelled" {
    for size in 4096 30375 65536; do
        simulate "a b c c" "$APPS/fft" --size $size --iterations 2
        full=$seconds
        simulate "a b c c" "$APPS/fft" --size $size --iterations 2 --model-only
        [ "$status" -eq 0 ]
        same "$seconds" "$full"
    done
}

@test "fft takes on one node what its kernels are charged" {
    # At 2 Gflop/s, without caches: 5 N log2 N operations and 12 N for the twiddle
    # factors at an efficiency of 0.3, and six passes of 2 N at 0.5.
    simulate "a" "$APPS/fft" --size 65536 --iterations 1 --model-only
    same "$seconds" "$(awk 'BEGIN { print 65536 * (92 / 0.6e9 + 12 / 1e9) }')"
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
}

@test "options that do not fit together are refused" {
    simulate "a b" "$APPS/jacobi" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"jacobi: --model-only leaves nothing to --check"* ]]
    simulate "a b" "$APPS/fft" --size 8 --check --model-only
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fft: --model-only leaves nothing to --check"* ]]
}

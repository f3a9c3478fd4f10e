# The measured programs under a real MPI. MPIRUN starts ranks, APPS has the programs.
# What is tagged "options" is the same under every MPI, and run under one.

start() {
    local ranks=$1
    shift
    run --separate-stderr $MPIRUN -np "$ranks" "$@"
}

# start_lu RANKS SIZE [OPTION...]: the residual must be printed and small.
start_lu() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/lu" --size "$size" "$@"
    echo "lu on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ residual\ ([0-9.]+) ]]
    [ "${BASH_REMATCH[1]%.*}" -lt 16 ]
}

# start_jacobi RANKS SIZE [OPTION...]: single precision, checked in double: below 1e-5.
start_jacobi() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/jacobi" --size "$size" --iterations 5 --check "$@"
    echo "jacobi on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ difference\ to\ a\ serial\ run\ (0|[0-9.]+e-(0[6-9]|[1-9][0-9]))$ ]]
}

# weigh NUMBER...: the file $weights gives each rank its weight.
weigh() {
    weights=$BATS_TEST_TMPDIR/weights
    printf '%s\n' "$@" >"$weights"
}

# start_fft RANKS SIZE [OPTION...]: checked against FFTW and by the way back.
start_fft() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/fft" --size "$size" --iterations 2 --check "$@"
    echo "fft on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ difference\ to\ FFTW\ on\ one\ rank\ [0-9.]+(e-1[5-9])?$'\n' ]]
    [[ "$output" =~ difference\ after\ the\ round\ trip\ [0-9.]+(e-1[5-9])?$ ]]
}

# start_fem RANKS SIZE [OPTION...]: the difference to a direct solution is below 1e-8.
start_fem() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/fem" --size "$size" --check "$@"
    echo "fem on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ difference\ to\ a\ direct\ solution\ (0|[0-9.]+e-(09|[1-9][0-9]))$ ]]
}

# start_spmm RANKS SIZE [OPTION...]: checked against a dense product.
start_spmm() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/spmm" --size "$size" --check "$@"
    echo "spmm on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ mean\ time\ in\ MPI_Bcast\ [0-9.e-]+\ s ]]
    [[ "$output" =~ difference\ to\ a\ dense\ product\ (0|[0-9.]+e-1[0-9])$ ]]
}

# start_matmul RANKS SIZE [OPTION...]: each rank's part is the BLAS's, but for rounding.
start_matmul() {
    local ranks=$1 size=$2
    shift 2
    start "$ranks" "$APPS/matmul" --size "$size" --check "$@"
    echo "matmul on $ranks ranks, size $size, $*: $output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" =~ time\ [0-9.e-]+\ s ]]
    [[ "$output" =~ difference\ to\ the\ BLAS\ 0(\.[0-9]+)?\ N\ eps$ ]]
}

bats_require_minimum_version 1.5.0

@test "lu solves systems on one rank" {
    start_lu 1 1
    start_lu 1 100
    start_lu 1 128 --block 16
}

@test "lu solves systems that its blocks do not divide" {
    start_lu 2 257
    start_lu 3 100 --block 32
    start_lu 4 130 --block 7
}

@test "lu solves systems that its blocks divide" {
    start_lu 2 256
    start_lu 4 96 --block 8
}

@test "lu leaves ranks without work in peace" {
    start_lu 4 3
    start_lu 3 64 --block 64
    start_lu 2 3 --block 500000000
}

@test "lu takes other seeds" {
    start_lu 2 90 --seed 2
    first=$output
    start_lu 2 90 --seed 3
    [ "${first##*residual}" != "${output##*residual}" ]
}

@test "jacobi agrees with a serial run" {
    start_jacobi 1 12
    start_jacobi 2 17
    start_jacobi 4 16
    start_jacobi 1 1 --iterations 100
    start_jacobi 4 9 --iterations 1000
}

@test "jacobi agrees with a serial run when cut into slabs" {
    start_jacobi 3 13 --partition slab
    [[ "$output" == *"partition 3 x 1 x 1"* ]]
}

@test "jacobi agrees with a serial run in parts that follow weights" {
    weigh 7
    start_jacobi 1 12 --weights "$weights"
    [[ "$output" == *"partition by weights, 1728 to 1728 points a rank, at most 1 times its share"* ]]
    weigh "# two nodes" 3 "" 1
    start_jacobi 2 16 --weights "$weights"
    [[ "$output" == *"partition by weights, 1024 to 3072 points a rank, at most 1 times its share"* ]]
    weigh 5 1 2 8
    start_jacobi 4 16 --weights "$weights" --iterations 40
    weigh 1e-9 1 2 1e9
    start_jacobi 4 3 --weights "$weights"
    [[ "$output" == *"partition by weights, 1 to 18 points a rank"* ]]
    weigh 1 2.5 1
    start_jacobi 3 9 --weights "$weights" --partition slab
    [[ "$output" == *"partition by weights, 162 to 405 points a rank, at most 1 times its share"* ]]
}

@test "fem agrees with a direct solution in parts that follow weights" {
    weigh 2
    start_fem 1 5 --tolerance 1e-10 --weights "$weights"
    weigh 3 1
    start_fem 2 12 --tolerance 1e-10 --weights "$weights"
    [[ "$output" == *"partition by weights, 72 to 240 nodes a rank, at most 1.03 times"* ]]
    weigh 1 4 2 9
    start_fem 4 15 --tolerance 1e-10 --weights "$weights"
    start_fem 4 7 --cube --tolerance 1e-10 --weights "$weights"
    weigh 1 100 1
    start_fem 3 4 --cube --tolerance 1e-10 --weights "$weights"
}

@test "rank 0 alone reads the weights" {
    weigh 3 1
    local elsewhere='rank=${OMPI_COMM_WORLD_RANK:-$PMI_RANK}
        exec "$@" --weights "${weights/%weights/weights.$rank}"'
    mv "$weights" "$weights.0"
    export weights
    start 2 bash -c "$elsewhere" elsewhere "$APPS/jacobi" --size 16 --iterations 2 --check
    echo "$output $stderr"
    [ "$status" -eq 0 ]
    [[ "$output" == *"partition by weights, 1024 to 3072 points"* ]]
}

@test "wrong weights end all ranks, explained once" {
    wrong() {
        start 2 timeout 20 "$APPS/jacobi" --size 8 --weights "$weights"
        echo "$output $stderr"
        [ "$status" -eq 1 ]
        [ -z "$output" ]
        [ "$(grep -c "jacobi: " <<<"$stderr")" -eq 1 ]
        [[ "$stderr" == *"jacobi: $1"* ]]
    }
    weigh 1 2
    for word in 0 -1 inf nan 1e999 many "1 2"; do
        weigh 1 "$word"
        wrong "$weights, line 2: not a weight: '$word'; each line must be one positive number"
    done
    weigh 1
    wrong "$weights: 1 weights for 2 ranks; there must be one for each"
    weigh 1 2 "" 3
    wrong "$weights, line 4: more weights than the 2 ranks; there must be one for each"
    weights=$BATS_TEST_TMPDIR/none
    wrong "cannot open '$weights': No such file or directory"
    weights=$BATS_TEST_TMPDIR
    wrong "$weights, line 1: cannot read: Is a directory"
}

@test "fft agrees with FFTW on one rank" {
    start_fft 1 1
    start_fft 1 360
    start_fft 2 8192
    [[ "$output" == *"partition 64 x 128, even"* ]]
    start_fft 3 5400
    [[ "$output" == *"partition 72 x 75, even"* ]]
    start_fft 4 65536
}

@test "fft agrees with FFTW where its ranks divide nothing" {
    start_fft 2 1125
    start_fft 3 4096
    [[ "$output" == *"partition 64 x 64, uneven"* ]]
    start_fft 3 10
    [[ "$output" == *"partition 2 x 5, uneven"* ]]
    start_fft 4 30
}

# bats test_tags=options
@test "fft refuses sizes with other factors, and too many ranks" {
    start 1 "$APPS/fft" --size 4095
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fft: --size must be a product of powers of 2, 3 and 5: '4095'"* ]]
    start 3 "$APPS/fft" --size 8
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"fft: --size must be between 9 and 1073741824 on 3 ranks: '8'"* ]]
}

@test "fem agrees with a direct solution on one rank" {
    start_fem 1 1 --iterations 3
    start_fem 1 12 --tolerance 1e-10
    start_fem 1 7 --cube --iterations 60
}

@test "fem agrees with a direct solution on plates in uneven boxes" {
    start_fem 2 9 --tolerance 1e-10
    [[ "$output" == *"partition 2 x 1 x 1"* ]]
    start_fem 3 7 --iterations 50
    [[ "$output" == *"iterations 50"* ]]
    start_fem 4 7 --tolerance 1e-10
    [[ "$output" == *"partition 2 x 2 x 1"* ]]
}

@test "fem agrees with a direct solution on cubes in uneven boxes" {
    start_fem 2 5 --cube --tolerance 1e-10
    start_fem 3 4 --cube --iterations 40
    start_fem 4 5 --cube --tolerance 1e-10
}

# bats test_tags=options
@test "wrong options are explained once, by one rank" {
    start 2 "$APPS/lu" --size 0
    [ "$status" -eq 2 ]
    [ "$(grep -c "lu: --size must be between 1 and" <<<"$stderr")" -eq 1 ]
    start 2 "$APPS/lu" --sise 3
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"lu: unknown option: '--sise'; did you mean '--size'?"* ]]
    start 2 "$APPS/lu" --size ten
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"lu: invalid numeric value: '--size ten'; see 'lu --help'"* ]]
    start 2 "$APPS/lu" --size 3 --block 600000000
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"lu: --block must be between 1 and 536870911: '600000000'"* ]]
    start 2 "$APPS/lu" --size 3 --seed -1
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"lu: --seed must be between 0 and 65535: '-1'"* ]]
    start 2 "$APPS/lu" --size 3 more
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"lu: no argument expected: 'more'"* ]]
    start 2 "$APPS/jacobi" --size 4 --partition ring
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"jacobi: --partition is neither cube nor slab: 'ring'"* ]]
}

# bats test_tags=options
@test "jacobi refuses a grid that is too small for its ranks" {
    start 3 "$APPS/jacobi" --size 2 --partition slab
    [ "$status" -eq 2 ]
    [[ "$stderr" == *"jacobi: --size must be between 3 and 4096 on 3 ranks: '2'"* ]]
}

@test "a single rank that lacks memory ends the run" {
    local limit='[ "${OMPI_COMM_WORLD_RANK:-$PMI_RANK}" = 0 ] || ulimit -v 600000
        exec "$@"'
    start 2 bash -c "$limit" limit "$APPS/lu" --size 11000
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"lu: no memory for 5497 columns of 11000 rows on rank 1"* ]]
    start 2 bash -c "$limit" limit "$APPS/jacobi" --size 300
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"jacobi: no memory for "*" points on rank 1"* ]]
    start 2 bash -c "$limit" limit "$APPS/fem" --size 80 --cube
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"fem: no memory for the "*" on rank 1, which has "*" of the nodes"* ]]
    start 2 bash -c "$limit" limit "$APPS/spmm" --size 14000
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"spmm: no memory for its columns of 14000 rows on rank 1"* ]]
    start 2 bash -c "$limit" limit "$APPS/fft" --size 67108864
    [ "$status" -ne 0 ]
    [[ "$stderr" == *"fft: no memory for 67108864 numbers on rank 1"* ]]
}

@test "spmm agrees with a dense product" {
    start_spmm 1 1
    start_spmm 1 100 --slope 0.2
    start_spmm 2 157 --slope 0.6 --density 0.03
    start_spmm 3 90 --slope 0 --density 0.5 --seed 7
    start_spmm 4 120 --density 1 --rows 10
    start_spmm 4 4
}

@test "spmm agrees with a dense product in parts that follow weights" {
    weigh 5
    start_spmm 1 30 --weights "$weights"
    weigh 1 3
    start_spmm 2 100 --weights "$weights"
    [[ "$output" == *"partition by weights, 250 to 750 non-zeros a rank, at most 1 times"* ]]
    weigh 1 3 1e-9 0.6
    start_spmm 4 157 --slope 0.2 --weights "$weights"
    start_spmm 4 4 --weights "$weights"
    start_spmm 4 90 --slope 0 --density 0.5 --weights "$weights" --rows 10
}

# bats test_tags=options
@test "spmm refuses matrices that there are not, and other wrong options" {
    refused() {
        local message=$1
        shift
        start 2 "$APPS/spmm" "$@"
        [ "$status" -eq 2 ]
        [ "$(grep -c "spmm: " <<<"$stderr")" -eq 1 ]
        [[ "$stderr" == *"spmm: $message"* ]]
    }
    refused "--size must be between 2 and 16777215 on 2 ranks: '1'" --size 1
    refused "--slope must be between 0 and 1: 'nan'" --size 9 --slope nan
    refused "--density must be above 0, and at most 0.6 with a slope of 0.2: '0.7'" \
        --size 9 --slope 0.2 --density 0.7
    refused "--rows must be between 1 and 9: '10'" --size 9 --rows 10
    refused "--seed must be between 0 and 65535: '-1'" --size 9 --seed -1
    refused "--check takes at most 2000 rows, not '2001'" --size 2001 --check
}

@test "matmul by rows in a ring agrees with the BLAS" {
    start_matmul 1 1
    start_matmul 1 50 --blas
    start_matmul 3 100
    start_matmul 4 4
    start_matmul 9 53 --blas
}

@test "matmul by blocks on a grid agrees with the BLAS" {
    start_matmul 1 30 --algorithm B
    start_matmul 4 101 --algorithm B
    start_matmul 4 2 --algorithm B
    start_matmul 9 47 --algorithm B --blas
}

# bats test_tags=options
@test "matmul refuses grids and methods that there are not, and other wrong options" {
    refused() {
        local message=$1
        shift
        start 3 "$APPS/matmul" "$@"
        [ "$status" -eq 2 ]
        [ "$(grep -c "matmul: " <<<"$stderr")" -eq 1 ]
        [[ "$stderr" == *"matmul: $message"* ]]
    }
    refused "--algorithm B needs a square number of ranks: '3'" --size 9 --algorithm B
    refused "--algorithm is neither A nor B: 'C'" --size 9 --algorithm C
    refused "--size must be between 3 and 32768 on 3 ranks: '2'" --size 2
}

# bats test_tags=options
@test "only simulated builds leave the arithmetic out" {
    for app in lu jacobi fft fem spmm matmul; do
        start 1 "$APPS/$app" --size 8 --model-only
        [ "$status" -eq 2 ]
        [[ "$stderr" == *"$app: --model-only works in a simulation only"* ]]
    done
}

# bats test_tags=options
@test "help is printed once" {
    start 2 "$APPS/jacobi" --help
    [ "$status" -eq 0 ]
    [ "$(grep -c -- --iterations <<<"$output")" -eq 1 ]
}

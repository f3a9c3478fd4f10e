# Products by the program strassen under a real MPI, as apps.bats tries the others.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

start() {
    local ranks=$1
    shift
    run --separate-stderr $MPIRUN -np "$ranks" "$APPS/strassen" "$@"
    echo "strassen on $ranks ranks, $*: $status $output $stderr"
}

# exact RANKS OPTION...: a product of integers, with a line for each rank.
exact() {
    local ranks=$1
    start "$@" --integers
    [ "$status" -eq 0 ]
    [[ "$output" =~ ^time\ [0-9.e-]+\ s$'\n'speed\ [0-9.e+-]+\ Gflop/s$'\n' ]]
    [ "$(grep -c '^rank [0-9]* compute [0-9.e-]* communication [0-9.e-]* waiting [0-9.e-]* received [0-9]*$' <<<"$output")" -eq "$ranks" ]
    [[ "$output" =~ $'\n'difference\ 0$ ]]
}

# write_cut OVERLAP: for three ranks; the first has two tiles, the last one a column.
write_cut() {
    cat >cut <<END
motley-cut 1
kind auto
ranks 3
panels 3
subpanels 0
overlap $1
rolled $1
tile 0 0 1 0 0 0.3 0.6
tile 0 0 0 0.3 0 0.5 0.6
tile 1 0 2 0.5 0 1 0.6
tile 2 0 1 0 0.6 1 1
END
}

# failed MESSAGE RANKS OPTION...: one rank says why, and all end.
failed() {
    local message=$1
    shift
    start "$@"
    [ "$status" -ne 0 ]
    [ "$(grep -c "^strassen: " <<<"$stderr")" -eq 1 ]
    [[ "$stderr" == *"strassen: $message"* ]]
}

# wrong MESSAGE OPTION...: an option that is explained.
wrong() {
    local message=$1
    shift
    failed "$message" 1 "$@"
    [ "$status" -eq 2 ]
}

@test "products of integers are exact in equal blocks" {
    exact 1 --size 33
    exact 3 --size 37x11x50
    exact 4 --size 3
}

@test "products are right as a file cuts them, with and without overlap" {
    write_cut no
    exact 3 --cut cut --size 101
    write_cut yes
    exact 3 --cut cut --size 41x64x97
    start 3 --cut cut --size 200 --check --seed 7
    [ "$status" -eq 0 ]
    [[ "$output" =~ $'\n'difference\ 0(\.[0-9]+)?$ || "$output" =~ difference\ [0-9.]+e- ]]
}

@test "times of products and messages are taken" {
    start 1 --product --levels 1 --size 65 --repeat 3
    [ "$status" -eq 0 ]
    [[ "$output" =~ ^time\ [0-9.e-]+\ s$ ]]
    for task in --transfer --exchange "--overlap --repeat 2"; do
        start 2 $task --size 100
        [ "$status" -eq 0 ]
        [[ "$output" =~ ^time\ [0-9.e-]+\ s$ ]]
    done
}

# bats test_tags=options
@test "wrong options are explained once" {
    wrong "--size is missing"
    wrong "--size must be N or MxNxK, each between 1 and 16777215: '0'" --size 0
    wrong "--size must be N or MxNxK, each between 1 and 16777215: '3x4'" --size 3x4
    wrong "--repeat is for --product, --transfer, --exchange and --overlap" --size 3 --repeat 2
    wrong "--levels is for --product: the partition has the levels of each tile" --size 3 --levels 1
    wrong "--levels must be between 0 and 8: '9'" --product --size 3 --levels 9
    wrong "--transfer takes 2 ranks: '1'" --transfer --size 3
    wrong "--product times only: no partition and no checks" --product --size 3 --check
    wrong "--seed must be between 0 and 32767: '-1'" --size 3 --seed -1
    wrong "--model-only works in a simulation only" --size 3 --model-only
}

# bats test_tags=options
@test "files that are not there, broken or for others end all ranks" {
    failed "cannot read 'nowhere': No such file or directory" 2 --size 9 --cut nowhere
    write_cut no
    failed "'cut' is a partition for 3 ranks, and here are 2" 2 --size 9 --cut cut
    echo "tile 3 0 0 0 0 1 1" >>cut
    failed "cut:12: " 2 --size 9 --cut cut
    : >cut
    failed "cut:0: " 2 --size 9 --cut cut
}

# bats test_tags=options
@test "too little memory ends all ranks" {
    failed "" 2 --size 9000000
    [[ "$stderr" == *"no memory"* ]]
    failed "no memory for 3 matrices of 9000000 x 9000000" 1 --product --size 9000000
}

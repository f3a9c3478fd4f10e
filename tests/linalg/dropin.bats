# Programs under libmotley-dgemm.so, and the reference BLAS's own tests of dgemm.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export XDG_CACHE_HOME=$PWD
}

# under CUTOFF COMMAND...: where squares of that size are cut
under() {
    MOTLEY_STRASSEN_CUTOFF=$1 LD_PRELOAD=$DROPIN "${@:2}"
}

# The folder of the reference BLAS and its tests.
reference() {
    local program
    for program in /usr/lib*/*/blas/xblat3d /usr/lib*/blas/xblat3d; do
        [ -x "$program" ] && dirname "$program" && return
    done
    skip "the reference BLAS's tests (libblas-test) are not here"
}

# ask SIZES THRESHOLD <QUESTIONS: those about DGEMM alone, with these values
#
# Of each C, the tests find what is wrong by 1.5e-8 of its own row of A and column of B;
# the threshold is for rounding in the last column. That of an odd size is peeled off,
# and as exact as the BLAS's. That of 64 is not, and can be off by thousands: the tests
# leave one element in a middle row or column, and sums of Winograd's variant carry
# errors there from the rows and columns around it.
ask() {
    sed -E -e '/^(DS|DT|cblas_d[st])/d' -e "s/^[0-9]+( +NUMBER OF VALUES OF N)/$(wc -w <<<"$1")\1/" \
        -e "s/^[0-9 ]+ (VALUES OF N)/$1 \1/" -e "s/^16.0( +THRESHOLD)/$2\1/" \
        -e "s/^'.*' +NAME OF SUMMARY/'summary' NAME OF SUMMARY/"
}

# fortran FOLDER-OF-THE-BLAS CUTOFF SIZES THRESHOLD
fortran() {
    ask "$3" "$4" <"$tests/dblat3.in" >questions
    LD_LIBRARY_PATH=$1 under "$2" "$tests/xblat3d" <questions
    cat summary
    grep -q "DGEMM  PASSED THE TESTS OF ERROR-EXITS" summary
    grep -q "DGEMM  PASSED THE COMPUTATIONAL TESTS ( 10125 CALLS)" summary
}

# all_fortran FOLDER-OF-THE-BLAS
all_fortran() {
    fortran "$1" 24 "0 1 7 31 59" 16.0
    fortran "$1" 1 "0 1 7 31 59" 16.0
    fortran "$1" 24 "0 1 9 64 65" 100000.0
}

@test "the reference BLAS's tests of dgemm_, over itself" {
    tests=$(reference)
    all_fortran "$tests"
}

@test "the reference BLAS's tests of dgemm_, over OpenBLAS" {
    tests=$(reference)
    local folder
    for folder in "${tests%/blas}"/openblas*; do
        [ -e "$folder/libblas.so.3" ] || skip "OpenBLAS's libblas is not here"
        all_fortran "$folder"
    done
}

@test "the reference BLAS's tests of cblas_dgemm, by columns and by rows" {
    tests=$(reference)
    ask "1 7 31 59" 16.0 <"$tests/din3" >questions
    LD_LIBRARY_PATH=$tests under 24 "$tests/xdcblat3" <questions >summary
    cat summary
    grep -q "cblas_dgemm  PASSED THE TESTS OF ERROR-EXITS" summary
    [ "$(grep -c "cblas_dgemm  PASSED THE .*-MAJOR *COMPUTATIONAL TESTS" summary)" = 2 ]
}

# passed_on CUTOFF ARGUMENT...: what of a product of squares of 96 comes to the BLAS
passed_on() {
    run --separate-stderr env MOTLEY_STRASSEN_CUTOFF="$1" \
        LD_PRELOAD="$DROPIN:$PROGRAMS/libcount-dgemm.so" "$PROGRAMS/product" 96 "${@:2}"
    [ "$status" = 0 ]
    echo "$stderr"
}

@test "products are cut: the BLAS gets seven for one, and no call comes back" {
    [ "$(passed_on 100)" = "dgemm_ 1" ]
    [ "$(passed_on 60)" = "dgemm_ 7" ]
    [ "$(passed_on 30)" = "dgemm_ 49" ]
    [ "$(passed_on 30 c)" = "dgemm_ 49" ]
}

@test "small products are the BLAS's, bit by bit; large ones are not" {
    for call in fortran c; do
        plain=$("$PROGRAMS/product" 100 "$call")
        [ "$(under 101 "$PROGRAMS/product" 100 "$call")" = "$plain" ]
        [ "$(under 8 "$PROGRAMS/product" 100 "$call")" != "$plain" ]
    done
}

@test "a BLAS that only a module sees, as interpreters have it" {
    run --separate-stderr under 8 "$PROGRAMS/blas-opener" "$PROGRAMS/blas-user.so"
    [ "$status" = 0 ]
    [ "$output" = 256 ]
    [ -z "$stderr" ]
}

@test "programs without a BLAS do not notice it" {
    run --separate-stderr under x sh -c 'echo text'
    [ "$status" = 0 ]
    [ "$output" = text ]
    [ -z "$stderr" ]
}

@test "NaN spreads where products are cut, unless it is looked for first" {
    [ "$("$PROGRAMS/product" 96 nan)" = 96 ]
    [ "$(under 60 "$PROGRAMS/product" 96 nan)" -gt 96 ]
    export MOTLEY_STRASSEN_FINITE=yes
    [ "$(under 60 "$PROGRAMS/product" 96 nan)" = 96 ]
    [ "$(passed_on 60 nan)" = "dgemm_ 1" ]
    [ "$(passed_on 60)" = "dgemm_ 7" ]
}

@test "a wrong cut-off is said once, and ignored" {
    plain=$("$PROGRAMS/product" 100)
    run --separate-stderr under 1.5 "$PROGRAMS/product" 100
    [ "$output" = "$plain" ]
    [ "$stderr" = "motley-strassen: MOTLEY_STRASSEN_CUTOFF=1.5: not a whole number above 0; it is ignored" ]
}

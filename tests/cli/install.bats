#!/usr/bin/env bats
# What `make install` leaves behind works by itself: the library for a C program, the
# command with the files that it ships.

setup_file() {
    export INSTALLED=$BATS_FILE_TMPDIR/root
    DESTDIR=$INSTALLED meson install -C "$BUILD_ROOT" --no-rebuild --quiet >/dev/null
    PREFIX=$INSTALLED$(meson introspect "$BUILD_ROOT" --buildoptions |
        jq -r '.[] | select(.name == "prefix") | .value')
    export PREFIX
    PKG_CONFIG_PATH=$(dirname "$(find "$PREFIX" -name motley.pc)")
    export PKG_CONFIG_PATH
    LIBRARY=$(find "$PREFIX" -name libmotley.so)
    export LIBRARY
}

# compilers HEADER: what the header can be compiled with, a line each; none for that of an
# MPI that is not here
compilers() {
    case $1 in
    */pdgemm.h)
        for folder in "$(dirname "$LIBRARY")"/motley/*/; do
            command -v "mpicc.$(basename "$folder")" || command -v mpicc
        done
        ;;
    */strassen.h) echo "cc $(pkg-config --cflags openblas)" ;;
    *) echo cc ;;
    esac
}

# same_names LIBRARY COMPILER HEADER...: the library exports what the headers declare,
# and those that they include
same_names() {
    local library=$1 compiler=$2 header
    shift 2
    for header; do # the compiler has options
        $compiler -std=gnu11 -I"$PREFIX/include" -E -P "$header"
    done | tr '\n' ' ' |
        grep -oE '\bmt_[a-z_0-9]+( ?\(|\[\];)|extern const double mt_[a-z_0-9]+;' |
        sed 's/.* mt_/mt_/' | tr -d ' ([];' | sort -u >"$BATS_TEST_TMPDIR/declared"
    nm -D --defined-only "$library" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' |
        sort -u >"$BATS_TEST_TMPDIR/exported"
    diff "$BATS_TEST_TMPDIR/declared" "$BATS_TEST_TMPDIR/exported"
}

@test "the library exports what the headers declare, and nothing else" {
    mapfile -t headers < <(find "$PREFIX/include/motley" -name '*.h' ! -name pdgemm.h \
        ! -name strassen.h ! -name tuning.h)
    same_names "$LIBRARY" cc "${headers[@]}"
}

@test "libmotley-strassen exports what its header declares, and nothing else" {
    header=$PREFIX/include/motley/strassen.h
    same_names "$(dirname "$LIBRARY")/libmotley-strassen.so" "$(compilers "$header")" \
        "$header"
}

@test "libmotley-pdgemm exports what its header and those of the partitions declare" {
    header=$PREFIX/include/motley/pdgemm.h
    libraries=$(find "$PREFIX" -name libmotley-pdgemm.so)
    [ -n "$libraries" ] || skip "built without an MPI"
    compiler=$(compilers "$header" | head -n 1)
    for library in $libraries; do
        # a fit needs LAPACK, and there is time for it before the program is started
        same_names "$library" "$compiler -Dmt_strassen_speed_fit=fit" "$header"
    done
}

# example PAGE: the program between ``` in a page's EXAMPLES
example() {
    sed -n '/^# EXAMPLES$/,/^# /p' "$SOURCE_ROOT/man/$1" |
        awk '/^```/ { inside = !inside; next } inside' | sed 's/\\\\/\\/g'
}

@test "the example of motley-strassen(3) compiles and runs" {
    ! nm -D "$LIBRARY" | grep -q __asan_init || skip "the library wants ASan linked first"
    folder=$(dirname "$LIBRARY")
    example motley-strassen.3.scd >"$BATS_TEST_TMPDIR/user.c"
    # shellcheck disable=SC2046 # the flags are words
    cc -Wall -Wextra -Werror -o "$BATS_TEST_TMPDIR/user" "$BATS_TEST_TMPDIR/user.c" \
        -I"$PREFIX/include" $(pkg-config --cflags --libs motley-strassen) -L"$folder"
    run env LD_LIBRARY_PATH="$folder" "$BATS_TEST_TMPDIR/user"
    echo "$output"
    [ "$output" = "1802 1802" ]
}

@test "the example of motley-pdgemm(3) compiles and runs" {
    libraries=$(find "$PREFIX" -name libmotley-pdgemm.so)
    [ -n "$libraries" ] || skip "built without an MPI"
    example motley-pdgemm.3.scd >"$BATS_TEST_TMPDIR/user.c"
    for library in $libraries; do
        folder=$(dirname "$library")
        family=$(basename "$folder")
        compiler=$(command -v "mpicc.$family" || command -v mpicc)
        launcher=$(command -v "mpiexec.$family" || command -v mpiexec)
        # shellcheck disable=SC2046 # the flags are words
        "$compiler" -Wall -Wextra -Werror -o "$BATS_TEST_TMPDIR/user" \
            "$BATS_TEST_TMPDIR/user.c" -I"$PREFIX/include" \
            $(pkg-config --cflags --libs "motley-pdgemm-$family") -L"$folder"
        run env LD_LIBRARY_PATH="$folder" OMPI_ALLOW_RUN_AS_ROOT=1 \
            OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 "$launcher" -n 2 "$BATS_TEST_TMPDIR/user"
        echo "$output"
        [ "$output" = right ]
    done
}

@test "a C program finds the library through pkg-config" {
    ! nm -D "$LIBRARY" | grep -q __asan_init || skip "the library wants ASan linked first"
    cat >"$BATS_TEST_TMPDIR/user.c" <<'END'
#include <motley/expr.h>
#include <stdio.h>

int main(void)
{
    struct mt_expr *work = NULL;
    struct mt_error err;
    if (mt_expr_parse(&work, "2/3*N^3", &err) != MT_OK)
        return 1;
    const double values[MT_NVARIABLES] = {[MT_N] = 30};
    printf("%g\n", mt_expr_value(work, values));
    mt_expr_free(work);
    return 0;
}
END
    # shellcheck disable=SC2046 # the flags are words
    cc -o "$BATS_TEST_TMPDIR/user" "$BATS_TEST_TMPDIR/user.c" -I"$PREFIX/include" \
        $(pkg-config --define-prefix --cflags --libs motley) -L"$(dirname "$LIBRARY")"
    run env LD_LIBRARY_PATH="$(dirname "$LIBRARY")" "$BATS_TEST_TMPDIR/user"
    [ "$status" = 0 ]
    [ "$output" = 18000 ]
}

@test "a C++ program includes all headers and links with the library" {
    ! nm -D "$LIBRARY" | grep -q __asan_init || skip "the library wants ASan linked first"
    without= flags=$(pkg-config --cflags openblas)
    case $(compilers pdgemm/pdgemm.h) in
    '') without=pdgemm.h ;;
    *mpich*) flags+=" $(pkg-config --cflags mpich)" ;;
    *) flags+=" $(pkg-config --cflags ompi-c)" ;;
    esac
    cd "$BATS_TEST_TMPDIR"
    for header in "$PREFIX"/include/motley/*.h; do
        [ "${header##*/}" = "$without" ] || echo "#include <motley/${header##*/}>"
    done >user.cc
    cat >>user.cc <<'END'
#include <cstdio>

int main()
{
    struct mt_terms *terms = nullptr;
    struct mt_error err;
    const int status = mt_terms_parse(&terms, "N^3/P, 1", &err);
    std::printf("%s %d\n", mt_status_text((mt_status)status), mt_terms_count(terms));
    mt_terms_free(terms);
}
END
    # shellcheck disable=SC2086,SC2046 # the flags are words
    c++ -std=c++11 -Wall -Wextra -Werror -o user user.cc -I"$PREFIX/include" $flags \
        $(pkg-config --define-prefix --cflags --libs motley) -L"$(dirname "$LIBRARY")"
    run env LD_LIBRARY_PATH="$(dirname "$LIBRARY")" ./user
    [ "$output" = "success 2" ]
}

@test "every header can be included alone" {
    for header in "$PREFIX"/include/motley/*.h; do
        compilers "$header" | while read -r compiler; do # it has options
            $compiler -std=c11 -Wall -Wextra -Werror -pedantic -I"$PREFIX/include" \
                -fsyntax-only -x c "$header"
        done
    done
}

@test "the installed command runs and finds the shipped files" {
    cd "$BATS_TEST_TMPDIR"
    run "$PREFIX/bin/motley" --version
    [ "$status" = 0 ]
    run "$PREFIX/bin/motley" measure --dry-run toyohashi-2 lu
    echo "$output"
    [ "$status" = 0 ]
    XDG_CACHE_HOME=$BATS_TEST_TMPDIR run "$PREFIX/bin/motley" tune --show
    echo "$output"
    [ "$status" = 0 ]
    run "$PREFIX/bin/motley" testbed up local
    echo "$output"
    [ "$status" = 2 ]
    [[ "$output" = "motley: cluster 'local' is not a testbed"* ]]
}

@test "zsh and fish complete as bash does" {
    if command -v fish; then
        run fish --no-config -c "set PATH $PREFIX/bin \$PATH
            source $PREFIX/share/fish/vendor_completions.d/motley.fish
            complete -C 'motley me'; complete -C 'motley plan --obj'; complete -C 'motley plan toyohashi-3'"
        [ "$output" = "measure
--objective
toyohashi-3" ]
    fi
    command -v zsh || skip "there is no zsh"
    run zsh -f -c "path=($PREFIX/bin \$path); compadd() { print -l -- \$offered }
        complete_motley() { local words=(\"\$@\") CURRENT=\$#; . $PREFIX/share/zsh/site-functions/_motley }
        complete_motley motley me; complete_motley motley plan --objective ''"
    [ "$output" = "measure
time
price
energy" ]
}

@test "the installed drop-in answers a program's dgemm" {
    library=$(find "$PREFIX" -name libmotley-dgemm.so)
    product=$BUILD_ROOT/tests/linalg/product
    [ -x "$product" ] || skip "its program is not built"
    [ "$(MOTLEY_STRASSEN_CUTOFF=8 LD_PRELOAD=$library "$product")" != "$("$product")" ]
}

@test "the preload libraries have the names of what they wrap only, need no MPI, and find their cores" {
    libraries=$(find "$PREFIX" -name libmotley-balance.so)
    [ -n "$libraries" ] || skip "built without an MPI"
    for library in $libraries; do
        test -f "$(dirname "$library")/libmotley-balance-core.so"
        readelf -d "$library" | grep 'RUNPATH.*\[$ORIGIN\]'
        [ -z "$(readelf -d "$library" | grep 'NEEDED.*mpi')" ]
        nm -D --defined-only "$library" | grep ' MPI_Bcast$'
        names=' (mpi|ompi)_'
        case $library in # it lets UCX answer in MPI_Finalize
        */mpich/*) names+='| (read|ucp_disconnect_nb|ucp_worker_(create|destroy))$' ;;
        esac
        [ -z "$(nm -D --defined-only "$library" | grep -ivE "$names")" ]
    done
}

@test "the Python module is installed with all that it imports" {
    [ -n "$PYTHON" ] || skip "it is not built"
    place=$(find "$INSTALLED" -path '*/motley/_place.py')
    grep -qF 'SHIPPED = "'"${PREFIX#"$INSTALLED"}"'/share/motley"' "$place"
    # Not the library of PREFIX, which may be there from elsewhere.
    PYTHONPATH=$(dirname "$(dirname "$place")") MOTLEY_LIBRARY=$(dirname "$LIBRARY") \
        "$PYTHON" -B -c '
import sys
import motley, motley.pictures
print(motley.Cluster(sys.argv[1]).name)' "$PREFIX/share/motley/clusters/attic.yaml" >name
    [ "$(cat name)" = attic ]
}

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

@test "the library exports what the headers declare, and nothing else" {
    for header in "$PREFIX"/include/motley/*.h; do
        cc -std=gnu11 -I"$PREFIX/include" -E -P "$header"
    done | tr '\n' ' ' | grep -oE '\bmt_[a-z_0-9]+( ?\(|\[\];)' | tr -d ' ([];' |
        sort -u >"$BATS_TEST_TMPDIR/declared"
    nm -D --defined-only "$LIBRARY" | awk '$2 != "A" { sub("@.*", "", $3); print $3 }' |
        sort -u >"$BATS_TEST_TMPDIR/exported"
    diff "$BATS_TEST_TMPDIR/declared" "$BATS_TEST_TMPDIR/exported"
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

@test "every header can be included alone" {
    for header in "$PREFIX"/include/motley/*.h; do
        cc -std=c11 -Wall -Wextra -Werror -pedantic -I"$PREFIX/include" -fsyntax-only \
            -x c "$header"
    done
}

@test "the installed command runs and finds the shipped files" {
    cd "$BATS_TEST_TMPDIR"
    run "$PREFIX/bin/motley" --version
    [ "$status" = 0 ]
    run "$PREFIX/bin/motley" measure --dry-run toyohashi-2 lu
    echo "$output"
    [ "$status" = 0 ]
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

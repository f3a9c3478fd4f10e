# The stories of motley-tutorial(7) about programs of one's own, as they are typed: a program
# that has a late rank, and tests with more ranks than cores.

load helpers

# typed TITLE: the lines behind $ and those that they go on with, as scdoc prints them
typed() {
    sed -n "/^# $1/,/^# /p" "$SOURCE_ROOT/man/motley-tutorial.7.scd" |
        awk '/^```/ { inside = !inside; next } inside' | sed -e 's/^\$ //' -e 's/\\\(.\)/\1/g'
}

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    cd "$BATS_TEST_TMPDIR" || return
    mkdir -p bin lib/motley
    ln -s "$(dirname "$BALANCE")" "lib/motley/$FAMILY"
    printf 'Name: motley\nDescription: motley\nVersion: 0\nlibdir=%s\n' "$PWD/lib" >motley.pc
    printf '#!/bin/sh\nexec %s "$@"\n' "${MPIRUN%% *}" >bin/mpirun
    printf '#!/bin/sh\nexec "%s/late-%s" 5 20 32 0\n' "$PROGRAMS" "$FAMILY" >program
    chmod +x bin/mpirun program
    ln -s "$MOTLEY" bin/motley
    export PKG_CONFIG_PATH=$PWD PATH=$PWD/bin:$PATH
    command -v pkg-config >/dev/null || skip "no pkg-config"
    # Stands in for a machine with eight cores.
    export OMPI_MCA_rmaps_base_oversubscribe=1
}

# As the story says it is under MPICH.
for_mpich() {
    sed -E -e 's,motley/openmpi,motley/mpich,' -e 's/ --oversubscribe//' \
        -e 's/-x (LD_PRELOAD|MOTLEY_BALANCE)=([^ ]+)/-genv \1 \2/'
}

@test "$FAMILY: the commands of motley-tutorial(7) for late ranks work as they stand" {
    typed "RANKS THAT ARE LATE" >commands
    [ "$(grep -c mpirun commands)" = 3 ]
    [ "$FAMILY" = openmpi ] || { for_mpich <commands >changed && mv changed commands; }
    run --separate-stderr timeout 200 bash -eux commands
    echo "$stderr"
    [ "$status" -eq 0 ]
    # The first two report on all 8 ranks, on broadcasts and on all calls; the second also
    # what was saved.
    [ "$(grep -c '^motley-balance: waiting in MPI_Bcast on MPI_COMM_WORLD: 8 ranks on 1 node, ' <<<"$stderr")" = 2 ]
    [ "$(grep -c '^motley-balance: waiting in all calls: 8 ranks on 1 node, ' <<<"$stderr")" = 2 ]
    [ "$(grep -c 'saved by this library' <<<"$stderr")" = 1 ]
}

@test "$FAMILY: the commands of motley-tutorial(7) for tests in CI work as they stand" {
    typed "MPI TESTS WITH" >commands
    [ "$(grep -c "make check" commands)" = 3 ]
    ln -s "$SOURCE_ROOT" motley
    printf '#!/bin/sh\nexec "%s/communicators-%s"\n' "$PROGRAMS" "$FAMILY" >tests
    chmod +x tests
    printf 'check:\n\tmpirun -np 8 ./tests\n\t@echo "passed $$LD_PRELOAD"\n' >Makefile
    run --separate-stderr timeout 200 bash -eux commands
    echo "$stderr"
    [ "$status" -eq 0 ]
    [ "$(grep -c ^passed <<<"$output")" = 3 ]
    [ "$(grep -c '^passed /.*/libmotley-patient.so$' <<<"$output")" = 2 ]
    grep "^passed $PWD/motley-patient-.*/libmotley-patient.so$" <<<"$output"
}

# motley patient.

load fake

# stand_in NAME VERSION: a launcher on PATH that tells its words and what is preloaded
stand_in() {
    mkdir -p bin
    cat >"bin/$1" <<END
#!/bin/sh
[ "\$*" != --version ] || { echo "$2"; exit 0; }
echo "\$*"
echo "\${LD_PRELOAD##*/} \$OMPI_MCA_rmaps_base_oversubscribe"
exit 7
END
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

@test "patient: the command's words, output and exit status" {
    stand_in starter ""
    run --separate-stderr motley patient starter -n 8 --help 'two words'
    [ "$status" = 7 ]
    [ "$output" = "-n 8 --help two words
libmotley-patient.so 1" ]
    [[ "$stderr" = "motley: ranks that wait leave their cores to others (LD_PRELOAD="*"/libmotley-patient.so), and there may be more ranks than cores" ]]
}

@test "patient: Open MPI's launcher is told to take it to other nodes, no other" {
    stand_in mpirun "mpirun (Open MPI) 4.1.4
Report bugs to http://www.open-mpi.org/community/help/"
    run --separate-stderr motley patient mpirun -n 8 ./tests
    [ "${lines[0]}" = "-x LD_PRELOAD -n 8 ./tests" ]
    stand_in mpiexec "HYDRA build details:"
    run --separate-stderr motley patient mpiexec -n 8 ./tests
    [ "${lines[0]}" = "-n 8 ./tests" ]
}

@test "patient: a link to Open MPI's orterun is not asked for its version first" {
    stand_in orterun "asked" # an answer that would not tell of Open MPI
    ln -s orterun bin/mpirun
    run --separate-stderr motley patient mpirun -n 8 ./tests
    [ "${lines[0]}" = "-x LD_PRELOAD -n 8 ./tests" ]
}

@test "patient: what else is preloaded stays" {
    stand_in starter ""
    LD_PRELOAD=libm.so.6 run --separate-stderr motley patient sh -c 'echo "${LD_PRELOAD##*/}"'
    [ "$output" = "libmotley-patient.so:libm.so.6" ]
}

@test "patient: reports on late ranks as well, in either order" {
    stand_in mpirun "mpirun (Open MPI) 4.1.4
Report bugs to http://www.open-mpi.org/community/help/"
    both=libmotley-patient.so:libmotley-balance.so
    MOTLEY_BALANCE=report run --separate-stderr motley patient mpirun -n 8 ./tests
    [ "${lines[0]}" = "-x LD_PRELOAD -x MOTLEY_BALANCE -n 8 ./tests" ]
    [[ "$(sed -n 's/.*(LD_PRELOAD=\(.*\)),.*/\1/p' <<<"$stderr" | sed 's|[^:]*/||g')" = "$both" ]]
    # What the command's own words preload stays behind, and balance is there once.
    for list in /else/libmotley-balance.so "/else/libmotley-balance.so:libm.so.6" libm.so.6; do
        MOTLEY_BALANCE=report run --separate-stderr motley patient mpirun -x MOTLEY_BALANCE -x LD_PRELOAD=$list ./tests
        words=$(sed 's|=/[^:]*/libmotley-patient|=libmotley-patient|' <<<"${lines[0]}")
        [[ "$words" = "-x MOTLEY_BALANCE -x LD_PRELOAD=libmotley-patient.so:"*"$list ./tests" ]]
        [ "$(grep -o libmotley-balance <<<"$words" | wc -l)" = 1 ]
    done
    LD_PRELOAD=libm.so.6 run --separate-stderr motley patient mpirun -n 8 env LD_PRELOAD= ./tests
    [[ "${lines[0]}" = "-x LD_PRELOAD -n 8 env LD_PRELOAD=/"*"/libmotley-patient.so:libm.so.6 ./tests" ]]
    stand_in mpiexec "HYDRA build details:"
    run --separate-stderr motley patient mpiexec -genv LD_PRELOAD libm.so.6 ./tests
    [[ "${lines[0]}" = "-genv LD_PRELOAD /"*"/libmotley-patient.so:libm.so.6 ./tests" ]]
    stand_in srun ""
    run --separate-stderr motley patient srun --export=ALL,LD_PRELOAD=libm.so.6 ./tests
    [[ "${lines[0]}" = "--export=ALL,LD_PRELOAD=/"*"/libmotley-patient.so:libm.so.6 ./tests" ]]
    stand_in starter ""
    MOTLEY_BALANCE=report run --separate-stderr motley patient starter
    [[ "$stderr" = "motley: MOTLEY_BALANCE has no effect: which MPI the command starts is not known; "* ]]
}

@test "patient: commands that are not there, or none" {
    run --separate-stderr motley patient
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no command to run, as in 'motley patient mpiexec -n 8 ./tests'" ]
    run --separate-stderr motley patient ./nothing
    [ "$status" = 2 ]
    [ "$stderr" = "motley: cannot run './nothing': not found" ]
    run motley patient --help
    [ "$status" = 0 ]
    [[ "$output" = *"motley patient [OPTION...] COMMAND [ARGUMENT...]"* ]]
    run --separate-stderr motley patient --quiet true
    [ "$status" = 2 ]
}

# reports LAUNCHER FAMILY: patient ranks that balance reports on, asked for in three ways
reports() {
    local with balance=$BUILD_ROOT/preload/$2/libmotley-balance.so set
    for set in "" "LD_PRELOAD=$balance" "$balance"; do
        if [ "$set" = "$balance" ]; then
            set=
            with=$([ "$2" = mpich ] && echo "-genv LD_PRELOAD $balance" || echo "-x LD_PRELOAD=$balance")
        else
            with=
        fi
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run --separate-stderr \
            timeout 200 env $set MOTLEY_BALANCE=report,verbose motley patient "$1" $with -n 2 \
            sh -c '"$0" --size 60 --iterations 5 && echo "$LD_PRELOAD" >&2' "$BUILD_ROOT/apps/$2/jacobi"
        [ "$status" = 0 ]
        [[ "$stderr" = *"motley-balance: "* ]]
        grep -q '^[^ ]*libmotley-patient.so:[^ ]*libmotley-balance.so$' <<<"$stderr"
    done
}

@test "patient: ranks of Open MPI and MPICH, more than there are cores" {
    tried=
    for family in openmpi mpich; do
        [ -e "$BUILD_ROOT/apps/$family/jacobi" ] || continue
        launcher=$(command -v mpirun.$family || command -v mpiexec.$family) || continue
        OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 run --separate-stderr \
            timeout 200 motley patient "$launcher" -n 6 "$BUILD_ROOT/apps/$family/jacobi" --size 60 --iterations 5
        [ "$status" = 0 ]
        [[ "$output" = *time* ]]
        [ ! -e "$BUILD_ROOT/preload/$family/libmotley-balance.so" ] || reports "$launcher" $family
        tried=yes
    done
    [ "$tried" ] || skip "there is no MPI"
}

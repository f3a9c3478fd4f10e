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

@test "patient: what else is preloaded stays" {
    stand_in starter ""
    LD_PRELOAD=libm.so.6 run --separate-stderr motley patient sh -c 'echo "${LD_PRELOAD##*/}"'
    [ "$output" = "libmotley-patient.so:libm.so.6" ]
}

@test "patient: commands that are not there, or none" {
    run --separate-stderr motley patient
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no command to run, as in 'motley patient mpiexec -n 8 ./tests'" ]
    run --separate-stderr motley patient ./nothing
    [ "$status" = 2 ]
    [ "$stderr" = "motley: there is no './nothing' to run" ]
    run motley patient --help
    [ "$status" = 0 ]
    [[ "$output" = *"motley patient [OPTION...] COMMAND [ARGUMENT...]"* ]]
    run --separate-stderr motley patient --quiet true
    [ "$status" = 2 ]
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
        tried=yes
    done
    [ "$tried" ] || skip "there is no MPI"
}

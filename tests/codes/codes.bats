# Program files of codes of others: each code that is installed is measured on two ranks by
# the file that comes with motley, and finds its input. `scripts/deps.sh codes` installs them.

setup() {
    bats_require_minimum_version 1.5.0
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR
    export OMP_NUM_THREADS=1
    cat >here.yaml <<'END'
name: here
launcher: openmpi
groups:
  - {name: cpu, hosts: localhost, processes: [1, 2], cores: 1}
END
}

# needs COMMAND PACKAGE: skips where the code is not installed
needs() {
    command -v "$1" >/dev/null || skip "'$1' is not installed (apt-get install $2)"
}

# measured SIZE PROGRAM: one run on two ranks, which succeeds and leaves nothing
measured() {
    run --separate-stderr motley measure --quiet --configuration cpu:1x2 --sizes "$1" here.yaml "$2"
    [ "$status" = 0 ] || { echo "$output" "$stderr"; return 1; }
    [ "$(sqlite3 motley.db "SELECT count(*) FROM run WHERE outcome = 'ok' AND seconds > 0")" = 1 ]
    ! ls -d motley-run-*
}

# example NAME: its program file with what it runs, and the compiled program, in the folder
example() {
    cp "$SOURCE_ROOT/programs/examples/$1".* .
    case $1 in
    heat) mpifort.openmpi -O2 -Wall -Werror -o heat heat.f90 ;;
    is) mpicc.openmpi -O2 -Wall -Wextra -Werror -o is is.c ;;
    nbody) mpicc.openmpi -O2 -Wall -Wextra -Werror -o nbody nbody.c -lm ;;
    esac
}

@test "hpcc: Linpack on the grid that the placeholders say" {
    needs hpcc hpcc
    motley run --size 200 --configuration cpu:1x2 here.yaml hpcc
    cd motley-run-*
    grep -qx 'Success=1' hpccoutf.txt
    grep -qx 'HPL_N=200' hpccoutf.txt
    grep -qx 'HPL_nprow=1' hpccoutf.txt
    grep -qx 'HPL_npcol=2' hpccoutf.txt
}

@test "lammps: a melting crystal" {
    needs lmp lammps
    measured 5 lammps
    [[ "$(sqlite3 motley.db 'SELECT output FROM run')" = *"with 500 atoms"* ]]
}

@test "gromacs: a box of water that is made before the run" {
    needs gmx_mpi gromacs
    sed 's/nsteps = .*/nsteps = 20/' "$SOURCE_ROOT/programs/gromacs.yaml" >short.yaml
    measured 2.5 short.yaml
}

@test "cp2k: a row of molecules" {
    needs cp2k cp2k
    measured 2 cp2k
}

@test "nwchem: plane waves" {
    needs nwchem nwchem
    measured 16 nwchem
}

@test "openfoam: dictionaries, a mesh that is made and cut before the run" {
    needs icoFoam openfoam
    measured 20 openfoam
    sqlite3 motley.db 'SELECT output FROM run' | grep -q '^ExecutionTime'
}

@test "tachyon: rays" {
    needs tachyon tachyon-bin-nox
    measured 64 tachyon
}

@test "heat: a Fortran namelist" {
    needs mpifort.openmpi libopenmpi-dev
    example heat
    measured 64 heat.yaml
}

@test "is: integers sorted, by a rate" {
    needs mpicc.openmpi libopenmpi-dev
    example is
    measured 100000 is.yaml
}

@test "nbody: bodies on a ring of ranks" {
    needs mpicc.openmpi libopenmpi-dev
    example nbody
    measured 500 nbody.yaml
}

@test "power: Python with mpi4py, and JSON" {
    /usr/bin/python3 -c 'from mpi4py import rc; rc.initialize = False; from mpi4py import MPI; assert "Open MPI" in MPI.Get_library_version()' ||
        skip "mpi4py for Open MPI is not installed (apt-get install python3-mpi4py)"
    example power
    sed -i '1s|.*|#!/usr/bin/python3|' power.py # that of Debian, whatever else is on PATH
    measured 50 power.yaml
}

@test "the first useful plan of a program with an input file takes twelve lines" {
    needs mpifort.openmpi libopenmpi-dev
    example heat
    rm heat.yaml
    printf '&problem n = {N}, steps = 20 /\n&grid_of_ranks px = {dims(P,2,1)}, py = {dims(P,2,2)} /\n' >heat.tmpl
    cat >mine.yaml <<'END'
name: heat
command: [heat]
input: [{file: heat.nml, template: heat.tmpl}]
time: {match: 'elapsed: +([0-9.]+) s'}
sizes: {measure: [64, 96, 128, 192]}
END
    motley measure --quiet here.yaml mine.yaml
    run motley plan --size 256 here.yaml mine.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"cpu:1x"*"launch: "* ]]
}

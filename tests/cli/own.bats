# What lies in the current folder is not taken for what belongs to motley.

load fake

# Programs by the names of motley's own and of the tools that it starts, here and in a
# folder of PATH that is relative. Each leaves a mark.
setup() {
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR
    mkdir here
    for name in true motley motley-guard motley-probe motley-testbed motley-testbed-rsh \
        motley-tune strassen jacobi matmul mpirun mpiexec srun smpimain gnuplot sinfo ip tc sh; do
        printf '#!/bin/sh\n[ "$1" = --version ] && echo "open-mpi.org HYDRA"\n%s\n' \
            "echo \"$name \$*\" >>'$PWD/marks'; echo 'time 900 us'" >$name
        chmod +x $name
        ln $name here
    done
    cat >lab.yaml <<'END'
name: lab
launcher: openmpi
groups: [{name: all, hosts: localhost, processes: [1]}]
END
    cat >command.yaml <<'END'
name: command
launcher: command
launch: ["{program}"]
groups: [{name: all, hosts: localhost, processes: [1]}]
END
    mkdir bin
    cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) http://www.open-mpi.org/"; exit; }
while [ "$1" != -np ]; do shift; done
echo "$3 $4" >>started
END
    chmod +x bin/mpirun
    motley=$(command -v motley)
    PATH=":here:.:$PATH"
}

teardown() {
    cat marks 2>/dev/null || true
    [ ! -e marks ]
}

# started_own: the launcher was asked to start something, and only by absolute paths
started_own() {
    [ -s started ]
    run ! grep -v '^/\|^--bind-to' started
    run ! grep "$PWD" started
    rm started
}

@test "true and the probe of check" {
    PATH="$PWD/bin:$PATH" "$motley" check lab.yaml || [ $? = 1 ]
    started_own
    "$motley" check command.yaml || [ $? = 1 ]
}

@test "the app of strassen" {
    PATH="$PWD/bin:$PATH" "$motley" strassen measure --quiet --repeat 1 --sizes 500 lab.yaml ||
        [ $? = 1 ]
    started_own
    run ! "$motley" strassen measure --quiet --repeat 1 --sizes 500 ./command.yaml
    [[ "$output" = *"put the folder of the 'strassen' that comes with motley for it on PATH"* ]]
}

@test "what init, tune, plots and the testbed need" {
    "$motley" init --force 2>/dev/null || "$motley" init || true
    "$motley" tune --show >/dev/null
    PATH="$PWD/bin:$PATH" "$motley" tune --show lab.yaml || [ $? = 1 ]
    started_own
    "$motley" testbed status testbed || true
    printf '%s\n' cluster,program,configuration,size,seconds,outcome,simulated \
        lab,toy,all:1x1,{1,2,3}00,1,ok,false >runs.csv
    "$motley" surface fit --plot a.svg || true
}

@test "the folder of a motley is not the current one" {
    for name in openmpi mpich smpi; do
        mkdir -p apps/$name libexec/motley/$name
        ln -f strassen motley-probe apps/$name
        ln -f strassen motley-probe libexec/motley/$name
    done
    PATH="$PWD/bin:$PATH" "$motley" check lab.yaml || [ $? = 1 ]
    started_own
}

@test "a launcher is not taken from the current folder" {
    write_program 'echo time 900 us'
    sed 's/openmpi/slurm/' lab.yaml >slurm.yaml
    sed 's/openmpi/mpich/' lab.yaml >mpich.yaml
    for cluster in lab slurm mpich; do
        PATH=":here:." run ! "$motley" measure --sizes 100 $cluster.yaml program.yaml
        [[ "$output" = *" is not installed; on Debian: apt install "* ]]
    done
}

@test "a name of motley's means the file that comes with it, or is refused" {
    mkdir programs clusters
    printf '%s\n' 'name: jacobi' 'command: [jacobi]' 'time: {match: "time (.*) us", unit: us}' \
        'sizes: {measure: [100]}' >programs/jacobi.yaml
    run --separate-stderr "$motley" measure --dry-run ./command.yaml jacobi
    [ "$status" = 2 ]
    [ "$stderr" = "motley: 'jacobi' comes with motley, and is in the current folder, too: write './programs/jacobi.yaml' or '$SOURCE_ROOT/programs/jacobi.yaml'" ]
    mv programs/jacobi.yaml programs/mine.yaml
    "$motley" measure --dry-run ./command.yaml mine
    cd "$SOURCE_ROOT"
    "$motley" measure --db "$BATS_TEST_TMPDIR/no.db" --dry-run toyohashi-2 jacobi
}

@test "a program that the program file names is found beside it, and on PATH as it is" {
    write_program 'echo time 900 us; echo "$0" >>mine'
    "$motley" measure --quiet --sizes 100 command.yaml program.yaml
    mkdir elsewhere
    mv program.sh elsewhere
    rm motley.db
    PATH="elsewhere:$PATH" "$motley" measure --quiet --sizes 100 command.yaml program.yaml
    grep -c program.sh mine
}

# A build tree of what a copy needs: programs, libraries, and the file that marks it.
copy_build() {
    local part
    for part in cli/motley cli/process/config.h tools/testbed/motley-testbed \
        tools/guard/motley-guard preload/patient/libmotley-patient.so; do
        install -D "$BUILD_ROOT/$part" "$1/$part"
    done
}

@test "a build tree that was copied uses its own programs and libraries" {
    copy_build copy
    ./copy/cli/motley patient /bin/sh -c 'echo $LD_PRELOAD' >libraries
    grep -qx "$PWD/copy/preload/patient/libmotley-patient.so" libraries
    ./copy/cli/motley testbed --help | grep -q testbed
    # shipped files stay in the source tree
    ./copy/cli/motley plan --size 1 toyohashi-2 lu 2>stderr || true
    grep -q "no store 'motley.db'" stderr
}

@test "a part that is missing: where it was looked for" {
    copy_build copy
    rm copy/tools/testbed/motley-testbed
    run ./copy/cli/motley testbed status
    [ "$status" = 1 ]
    [ "$output" = "motley: 'motley-testbed' is missing in the build folder '$PWD/copy'; build all of motley" ]
}

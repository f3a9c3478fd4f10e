# Launchers: the commands that motley makes, checked by stand-ins on PATH, and Open MPI
# and MPICH for real.

load fake

# two_kinds LAUNCHER [LINE...]: three nodes of two groups
two_kinds() {
    printf '%s\n' "name: two-kinds" "launcher: $1" >cluster.yaml
    cat >>cluster.yaml <<END
groups:
  - name: fast
    hosts: f[01-02]
    processes: [1, 2]
  - name: slow
    hosts: s1
    processes: [1, 3]
END
    shift
    printf '%s\n' "$@" >>cluster.yaml
}

# stand_in NAME VERSION SCRIPT: an executable on PATH that says whose it is
stand_in() {
    mkdir -p bin
    cat >"bin/$1" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "$2"; exit; }
$3
echo "time 900 us"
END
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

measure_mixed() {
    write_program ''
    motley measure --configuration fast:2x2+slow:1x3 --sizes 100 \
        cluster.yaml program.yaml
}

keep_arguments='printf "%s\n" "$@" >arguments
    env >environment
    for word; do [ -f "$word" ] && case $word in */hostfile) cp "$word" .;; esac; done'

# words: the arguments that the stand-in got, paths as "FILE", "PROGRAM", and "PATIENT" and
# "BALANCE" for libraries, where that for old versions of MPICH does not count
words() {
    sed 's|^/.*/hostfile$|FILE|; s|^.*/program.sh$|PROGRAM|
        s|:/[^:]*/libmotley-closing\.so||; s|/[^:]*/libmotley-patient\.so|PATIENT|
        s|/[^:]*/libmotley-balance\.so|BALANCE|' arguments | xargs
}

# crowd: both groups say how many cores they have; 3 processes are too many for 'slow'
crowd() {
    sed -i 's/processes: .*/&\n    cores: 2/' cluster.yaml
}

# needs_library FAMILY: skips where there is no such MPI to build it for
needs_library() {
    [ -e "$BUILD_ROOT/preload/$1/libmotley-balance.so" ] ||
        skip "the preload library is not built for $1"
}

# launcher_kept: what the store says of how the runs were started
launcher_kept() {
    query "SELECT DISTINCT launcher FROM run"
}

@test "variables of the program's environment reach the ranks" {
    local launcher settings
    for launcher in openmpi mpich slurm; do
        two_kinds $launcher
        write_program '' 'env: {GRID: "{dims(P,2,1)}x1", WORDS: "a, b"}'
        rm -f motley.db
        case $launcher in
        openmpi) stand_in mpirun "mpirun (Open MPI) 4.1.4 http://www.open-mpi.org/" "$keep_arguments" ;;
        mpich) stand_in mpiexec "HYDRA build details" "$keep_arguments" ;;
        slurm) stand_in srun "slurm 22" "$keep_arguments" ;;
        esac
        motley measure --quiet --configuration fast:2x2+slow:1x3 --sizes 100 cluster.yaml program.yaml
        settings="$(words) $(grep -xE '(GRID|WORDS)=.*' environment | sort | xargs)"
        case $launcher in
        openmpi) [[ "$settings" = *" -x GRID=7x1 -x WORDS=a, b PROGRAM 100 7 " ]] ;;
        mpich) [[ "$settings" = *" -genv GRID 7x1 -genv WORDS a, b PROGRAM 100 7 " ]] ;;
        slurm) [[ "$settings" = *" --export=ALL PROGRAM 100 7 GRID=7x1 WORDS=a, b" ]] ;;
        esac
    done
}

@test "Open MPI: slots are written out, ranks go node by node" {
    two_kinds openmpi
    stand_in mpirun "mpirun (Open MPI) 4.1.4 http://www.open-mpi.org/" "$keep_arguments"
    measure_mixed
    [ "$(words)" = "--hostfile FILE --map-by slot -np 7 PROGRAM 100 7" ]
    [ "$(cat hostfile)" = "f01 slots=2
f02 slots=2
s1 slots=3" ]
    if [ "$(id -u)" = 0 ]; then
        grep -x OMPI_ALLOW_RUN_AS_ROOT=1 environment
        grep -x OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 environment
    fi
}

@test "Open MPI: more processes than this machine's processors yield to each other" {
    two_kinds openmpi
    sed -i 's/hosts: s1/hosts: localhost/; s/\[1, 3\]/[1, 4096]/' cluster.yaml
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    write_program ''
    motley measure --patient never --configuration slow:1x4096 --sizes 100 \
        cluster.yaml program.yaml
    [ "$(words)" = "--hostfile FILE --map-by slot -np 4096 --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 PROGRAM 100 4096" ]
}

@test "Open MPI: the remote shell" {
    two_kinds openmpi 'remote_shell: my-shell'
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    measure_mixed
    [[ "$(words)" = *" --mca plm ^slurm,tm,lsf,alps --mca plm_rsh_agent my-shell PROGRAM"* ]]
}

@test "Open MPI: ranks that share cores wait patiently, and only they" {
    needs_library openmpi
    two_kinds openmpi
    crowd
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    measure_mixed
    [ "$(words)" = "--hostfile FILE --map-by slot -np 7 --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -x LD_PRELOAD=PATIENT PROGRAM 100 7" ]
    run ! grep -e ^LD_PRELOAD= -e ^MOTLEY_BALANCE= environment
    [ "$(launcher_kept)" = "openmpi, patient" ]

    rm motley.db
    motley measure --configuration fast:2x2+slow:1x1 --sizes 100 cluster.yaml \
        program.yaml
    [ "$(words)" = "--hostfile FILE --map-by slot -np 5 PROGRAM 100 5" ]
    [ "$(launcher_kept)" = openmpi ]
}

@test "a share of a core is not enough for one process" {
    needs_library openmpi
    two_kinds openmpi
    sed -i 's/processes: .*/&\n    cores: 0.6/' cluster.yaml
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    write_program ''
    motley measure --configuration slow:1x1 --sizes 100 cluster.yaml program.yaml
    [[ "$(words)" = *" -x LD_PRELOAD=PATIENT "* ]]
}

@test "--patient=never: as the MPI waits; no other word" {
    two_kinds openmpi
    crowd
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    write_program ''
    motley run --size 100 --patient never --configuration slow:1x3 cluster.yaml \
        program.yaml
    [ "$(words)" = "--hostfile FILE --map-by slot -np 3 --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 PROGRAM 100 3" ]
    [ "$(launcher_kept)" = openmpi ]
    for command in "measure" "run --size 100" "plan --size 100"; do
        run --separate-stderr motley $command --patient always cluster.yaml program.yaml
        [ "$status" = 2 ]
        [ "$stderr" = "motley: --patient must be auto or never, not 'always'" ]
    done
}

@test "the user's own words for the preload library, and other libraries" {
    needs_library openmpi
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    MOTLEY_BALANCE=bcast,report measure_mixed
    [[ "$(words)" = *" -np 7 -x LD_PRELOAD=BALANCE -x MOTLEY_BALANCE=bcast,report=$PWD/motley-run-"*" PROGRAM "* ]]
    [ "$(launcher_kept)" = "openmpi, bcast,report" ]

    rm motley.db
    crowd
    LD_PRELOAD=libm.so.6 measure_mixed
    [[ "$(words)" = *" -x LD_PRELOAD=PATIENT:libm.so.6 PROGRAM "* ]]
}

@test "no preload library: one line, and the runs are made" {
    two_kinds openmpi
    crowd
    stand_in mpirun "http://www.open-mpi.org/" "$keep_arguments"
    write_program ''
    cp "$BUILD_ROOT/cli/motley" bin/motley # finds what is installed around it: its guard
    mkdir -p libexec/motley/guard
    cp "$BUILD_ROOT/tools/guard/motley-guard" libexec/motley/guard
    run --separate-stderr env LD_LIBRARY_PATH="$BUILD_ROOT/lib" bin/motley measure \
        --configuration slow:1x3 --sizes 100,200 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$stderr" = "motley: ranks wait as their MPI does: cannot find libmotley-patient.so" ]
    [[ "$(words)" != *LD_PRELOAD* ]]
    [ "$(launcher_kept)" = openmpi ]
}

@test "Open MPI: the mpirun of another MPI is not taken" {
    two_kinds openmpi
    stand_in mpirun "HYDRA build details" "exit 9"
    stand_in mpiexec "http://www.open-mpi.org/" "$keep_arguments"
    measure_mixed
    [ -s arguments ]
}

@test "Ctrl-C while a launcher is asked for its version" {
    two_kinds openmpi
    write_program ''
    stand_in mpirun "" ""
    printf '#!/bin/sh\necho $$ >pid; exec sleep 1000\n' >bin/mpirun
    env --default-signal=INT motley measure cluster.yaml program.yaml 3>&- &
    pid=$!
    await test -s pid
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 130 ]
    gone "$(cat pid)"
}

@test "MPICH: hosts with their processes" {
    two_kinds mpich 'remote_shell: my-shell'
    stand_in mpiexec "HYDRA build details" "$keep_arguments"
    measure_mixed
    [ "$(words)" = "-f FILE -n 7 -launcher ssh -launcher-exec my-shell PROGRAM 100 7" ]
    [ "$(cat hostfile)" = "f01:2
f02:2
s1:3" ]
}

@test "MPICH: ranks that share cores wait patiently" {
    needs_library mpich
    two_kinds mpich
    crowd
    stand_in mpiexec "HYDRA build details" "$keep_arguments"
    measure_mixed
    [ "$(words)" = "-f FILE -n 7 -genv LD_PRELOAD PATIENT PROGRAM 100 7" ]
    run ! grep -e ^LD_PRELOAD= -e ^MOTLEY_BALANCE= environment
    [ "$(launcher_kept)" = "mpich, patient" ]
}

# No other version, and no other MPI, gets a library that stands in for read().
@test "MPICH before 4.2: what keeps MPI_Finalize from hanging, too" {
    needs_library mpich
    two_kinds mpich
    crowd
    for version in 3.4.2:yes 4.0.2:yes 4.1.3:yes 4.2.0:no 4.10.1:no 5.0:no; do
        rm -f motley.db
        stand_in mpiexec "HYDRA build details:
    Version:                                 ${version%:*}" "$keep_arguments"
        measure_mixed
        case $version in
        *:yes) [[ "$(cat arguments)" = */libmotley-patient.so:/*/mpich/libmotley-closing.so$'\n'* ]] ;;
        *) run ! grep closing arguments ;;
        esac
    done
}

@test "Slurm: arbitrary distribution by SLURM_HOSTFILE, one line a rank" {
    two_kinds slurm
    stand_in srun "slurm 22.05.8" "$keep_arguments
        cp \"\$SLURM_HOSTFILE\" hostfile"
    measure_mixed
    [ "$(words)" = "--ntasks=7 --nodes=3 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2 PROGRAM 100 7" ]
    [ "$(xargs <hostfile)" = "f01 f01 f02 f02 s1 s1 s1" ]
}

@test "Slurm: ranks that share cores wait patiently" {
    needs_library mpich
    two_kinds slurm
    crowd
    stand_in srun "slurm 22.05.8" "$keep_arguments"
    MOTLEY_BALANCE=report SLURM_JOB_ID=7 measure_mixed
    [ "$(words)" = "--ntasks=7 --nodes=3 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2 --overcommit --export=ALL,LD_PRELOAD=PATIENT:BALANCE PROGRAM 100 7" ]
    grep -x "MOTLEY_BALANCE=report=$PWD/motley-run-.*" environment
    run ! grep ^LD_PRELOAD= environment
    [ "$(launcher_kept)" = "slurm, patient, report" ]
}

@test "Slurm: the kind of MPI that srun's own variable names" {
    two_kinds slurm
    stand_in srun "slurm 22.05.8" "$keep_arguments"
    crowd
    SLURM_MPI_TYPE=pmix measure_mixed
    [[ "$(words)" != *--mpi* ]]
    [[ "$(words)" != *--overcommit* ]] # outside of an allocation
    grep -x SLURM_MPI_TYPE=pmix environment
}

@test "Slurm: the kind of MPI that the cluster file names, and a failure" {
    two_kinds slurm 'mpi: pmix_v4'
    stand_in srun "slurm 22.05.8" "$keep_arguments"
    SLURM_MPI_TYPE=pmi2 measure_mixed
    [ "$(words)" = "--ntasks=7 --nodes=3 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmix_v4 PROGRAM 100 7" ]
    sed -i '/^mpi/d' cluster.yaml
    stand_in srun "slurm 22.05.8" 'echo "srun: error: Couldn'"\'"'t find the specified plugin name for mpi/pmi2" >&2; exit 1'
    rm motley.db
    run measure_mixed
    [[ "$output" = *"exit status 1; srun was given --mpi=pmi2: 'mpi' in the cluster file says which"* ]]
    sed -i 's/launcher: slurm/launcher: mpich\nmpi: pmix/' cluster.yaml
    run measure_mixed
    [[ "$output" = *"cluster.yaml:3: 'mpi' is for launcher slurm only" ]]
    sed -i 's/launcher: mpich/launcher: slurm/; s/^mpi: .*/mpi: "pmix -x"/' cluster.yaml
    run measure_mixed
    [[ "$output" = *"cluster.yaml:3: 'mpi' is a word that srun --mpi=list prints, not 'pmix -x'" ]]
}

@test "MPICH before 4.2 by Slurm, whether ranks share cores or not" {
    needs_library mpich
    [ -x "$BUILD_ROOT/apps/mpich/lu" ] || skip "the apps are not built for mpich"
    two_kinds slurm
    stand_in srun "slurm 22.05.8" "$keep_arguments"
    write_program ''
    sed -i "s|command: .*|command: [$BUILD_ROOT/apps/mpich/lu, '{N}']|" program.yaml
    for version in 4.0.2 unknown 4.2.0; do
        stand_in mpiexec "HYDRA build details:
    Version:                                 $version" ""
        rm -f motley.db
        motley measure --configuration fast:2x2 --sizes 100 cluster.yaml program.yaml
        if [ "$version" = 4.2.0 ]; then
            run ! grep LD_PRELOAD arguments
        else
            grep -e '--export=ALL,LD_PRELOAD=.*/mpich/libmotley-closing.so$' arguments
        fi
        [ "$(launcher_kept)" = slurm ]
    done
}

@test "command: any template" {
    two_kinds command 'launch: [starter, "-n{P}", --on, "{hosts}", --file, "{hostfile}", "{program}", last]'
    stand_in starter "" "$keep_arguments"
    measure_mixed
    [ "$(words)" = "-n7 --on f01:2,f02:2,s1:3 --file FILE PROGRAM 100 7 last" ]
    [ "$(tail -n 1 hostfile)" = "s1:3" ]
}

@test "command: what its MPI is, and so which library, is not known" {
    two_kinds command 'launch: ["{program}"]'
    crowd
    write_program 'echo "${LD_PRELOAD-none} ${MOTLEY_BALANCE-none}" >seen; echo "time 900 us"'
    motley measure --configuration slow:1x3 --sizes 100 cluster.yaml program.yaml
    [ "$(cat seen)" = "none none" ]
    [ "$(launcher_kept)" = command ]
}

@test "a launcher that is not installed: which package brings it" {
    write_program ''
    mkdir empty
    while read -r launcher executable package; do
        two_kinds "$launcher"
        motley=$(command -v motley)
        run --separate-stderr env PATH="$PWD/empty" "$motley" measure cluster.yaml \
            program.yaml
        [ "$status" = 1 ]
        [ "$stderr" = "motley: '$executable' of launcher '$launcher' is not installed; on Debian: apt install $package" ]
    done <<END
openmpi mpirun openmpi-bin
mpich mpiexec mpich
slurm srun slurm-client
END
}

@test "a template whose launcher is not installed" {
    two_kinds command 'launch: [no-such-starter, "{program}"]'
    write_program ''
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: 'no-such-starter' of launcher 'command' is not installed" ]
}

@test "nothing is left in the folder for temporary files" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/" ":"
    mkdir scratch
    TMPDIR=$PWD/scratch measure_mixed
    [ -z "$(ls -A scratch)" ]
}

# on_this_machine LAUNCHER: lu, measured for real
on_this_machine() {
    cat >cluster.yaml <<END
name: here
launcher: $1
groups: [{name: box, hosts: localhost, processes: [1, 2]}]
END
    cat >program.yaml <<END
name: lu
command: [lu, --size, "{N}"]
time: {match: '^time ([^ ]+) s'}
sizes: {measure: [60]}
timeout: 60 s
END
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "2 runs measured, 0 failed, 0 measured before" ]
}

# the_other_mpi LAUNCHER MPI: lu that is built for the other MPI
the_other_mpi() {
    needs_library "$1"
    needs_library "$2"
    [ -x "$BUILD_ROOT/apps/$2/lu" ] || skip "the apps are not built for $2"
    on_this_machine "$1"
    rm motley.db
    sed -i "s|command: .lu|command: [$BUILD_ROOT/apps/$2/lu|" program.yaml
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"program 'lu': '$BUILD_ROOT/apps/$2/lu' is built for $3 (it loads '"*"'), and launcher '$1' is $4's: each rank would run by itself; build it by $4's mpicc, or write 'launcher: $2' into the cluster file" ]]
    [ "$(query "SELECT count(*) FROM run")" = 0 ]
}

# the_ranks LAUNCHER: a program that tells its rank is started once a rank, patiently
the_ranks() {
    needs_library "$1"
    cat >cluster.yaml <<END
name: here
launcher: $1
groups: [{name: box, hosts: localhost, processes: [3], cores: 2}]
END
    write_program 'echo "${OMPI_COMM_WORLD_RANK-$PMI_RANK} ${LD_PRELOAD%%:*}" | sed "s|/.*/||" >>ranks
        [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 900 us"' 'timeout: 60 s'
    motley measure --sizes 100 cluster.yaml program.yaml
    [ "$(sort ranks)" = "0 libmotley-patient.so
1 libmotley-patient.so
2 libmotley-patient.so" ]
}

@test "Open MPI for real: lu on 1 and 2 processes" {
    on_this_machine openmpi
}

@test "MPICH for real: lu on 1 and 2 processes" {
    on_this_machine mpich
}

@test "Open MPI for real: a program that is built for MPICH" {
    the_other_mpi openmpi mpich MPICH "Open MPI"
}

@test "MPICH for real: a program that is built for Open MPI" {
    the_other_mpi mpich openmpi "Open MPI" MPICH
}

@test "a program whose processes do not know of each other, each of which prints the time" {
    stand_in mpirun "http://www.open-mpi.org/" "for i in 2 3 4; do echo 'time 900 us'; done"
    two_kinds openmpi
    write_program ''
    run --separate-stderr motley measure --configuration fast:2x2,fast:1x2 --sizes 100 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT configuration, outcome FROM run ORDER BY 1")" = "fast:1x2|ok
fast:2x2|unread" ]
    [[ "$stderr" = *"the time was printed 4 times, as often as there are processes: each seems to have run the whole program by itself, which is serial or was built for another MPI than launcher 'openmpi' starts; if one rank prints them, let 'time: match' fit one line only"* ]]
}

@test "Open MPI for real: more ranks than processors" {
    the_ranks openmpi
}

@test "MPICH for real: more ranks than processors" {
    the_ranks mpich
}

@test "Open MPI for real: a rank that fails, one that hangs" {
    the_ranks openmpi
    write_program '[ "$OMPI_COMM_WORLD_RANK" = 1 ] && exit 7
        echo $$ >>pids; sleep 1000' 'timeout: 60 s'
    run --separate-stderr motley measure --sizes 200 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT outcome, exit_code FROM run WHERE size = 200")" = "failed|7" ]
}

@test "Open MPI for real: hosts that ssh does not find" {
    command -v mpirun.openmpi mpirun ssh >/dev/null || skip "no Open MPI, or no ssh"
    two_kinds openmpi
    export OMPI_MCA_orte_tmpdir_base=$PWD # not one that another mpirun takes away
    sed -i 's/f\[01-02\]/"lab-[1-2].invalid"/' cluster.yaml
    write_program 'echo "time 900 us"' 'timeout: 60 s'
    run --separate-stderr motley measure --sizes 200 --configuration fast:2x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$(query "SELECT reason FROM run")" = *"; no node answers: ssh: Could not resolve hostname lab-"[12]*": "*[a-z] ]]
    [[ "$stderr" = *"    ssh: Could not resolve hostname lab-"* && "$stderr" != *"ORTE was unable"* ]]
}

@test "Open MPI for real: a time-out stops the ranks, too" {
    the_ranks openmpi
    write_program 'echo $$ >>pids; exec sleep 1000'
    run motley measure --sizes 200 --timeout 8s cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT outcome FROM run WHERE size = 200")" = timeout ]
    [ "$(wc -l <pids)" = 3 ]
    gone $(cat pids)
}

# ranks_on_nodes LAUNCHER: the real launcher reaches made-up nodes by a remote shell
# that stays on this machine and says in NODE which node it plays. Nodes do not share
# their temporary files.
ranks_on_nodes() {
    cat >shell.sh <<'END'
#!/bin/sh
while [ "${1#-}" != "$1" ]; do shift; done
export NODE=$1 TMPDIR=$PWD/$1
shift
mkdir -p "$TMPDIR"
exec sh -c "$*"
END
    chmod +x shell.sh
    two_kinds "$1" "remote_shell: $PWD/shell.sh"
    write_program 'echo "${OMPI_COMM_WORLD_RANK-$PMI_RANK} $NODE" >>ranks
        [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 900 us"' \
        'timeout: 60 s'
    motley measure --configuration fast:2x2+slow:1x3 --sizes 100 cluster.yaml \
        program.yaml
    [ "$(sort -n ranks | xargs)" = "0 f01 1 f01 2 f02 3 f02 4 s1 5 s1 6 s1" ]
}

@test "Open MPI for real: the right ranks on the right nodes" {
    ranks_on_nodes openmpi
}

@test "MPICH for real: the right ranks on the right nodes" {
    ranks_on_nodes mpich
}

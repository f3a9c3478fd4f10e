# motley and a real Slurm whose nodes are in two partitions, neither of them the default:
# all that runs on both is a heterogeneous job.

load helpers
load slurm

setup_file() {
    cat >"$BATS_FILE_TMPDIR/nodes.yaml" <<'END'
name: testbed-partitions
launcher: slurm
groups:
  - name: new
    hosts: 'n[1-2]'
    processes: [1, 2]
    memory: 2048 MiB
    cores: 0.6
    testbed: {bandwidth: 1 Gbps}
  - name: old
    hosts: 'd[1-2]'
    processes: [1, 2]
    memory: 1024 MiB
    cores: 0.3
    testbed: {bandwidth: 1 Gbps}
END
    export PATH="$BUILD_ROOT/tests/testbed:$PATH" SLURM_APART=yes GPU_GROUP=new
    testbed_begin testbed-partitions "$BATS_FILE_TMPDIR/nodes.yaml"
    if [ -s "$BATS_FILE_TMPDIR/lacking" ] || ! slurm_is_installed; then
        return 0 # the tests say so
    fi
    slurm_up "$TESTBED" "$BATS_FILE_TMPDIR/slurm"
    on head motley init --from slurm --cluster "$BATS_FILE_TMPDIR/cluster.yaml"
}

setup() {
    testbed_or_skip
    slurm_or_skip
    cd "$BATS_TEST_TMPDIR" || return 1
    cp "$BATS_FILE_TMPDIR/cluster.yaml" .
}

teardown() {
    [ -n "${BATS_TEST_COMPLETED:-}" ] || slurm_logs
}

teardown_file() {
    slurm_down
    testbed_end
}

mixed=new:2x2+old:2x1
mixed_ranks="d1 d2 n1 n1 n2 n2" # by the nodes' names

@test "motley init: the groups' partitions, and GPUs from gres" {
    grep -A 8 "name: 'new'" cluster.yaml | grep "gpus: 2 # gpu:2"
    [ "$(grep -c gpus: cluster.yaml)" = 1 ]
    grep -A 2 "name: 'new'" cluster.yaml | grep "partition: 'new'"
    grep -A 2 "name: 'old'" cluster.yaml | grep "partition: 'old'"
}

@test "MPICH by pmi2: one partition, and both" {
    write_program where where-mpich
    launch new:2x2 where
    [ "$(ranks)" = "n1 n1 n2 n2" ]
    launch $mixed where
    [ "$status" = 0 ]
    [ "$(ranks)" = "$mixed_ranks" ]
    launch new:1x2+old:2x2 where
    [ "$(ranks)" = "d1 d1 d2 d2 n1 n1" ]
}

@test "Open MPI by pmix: one partition, and both" {
    write_program where where-openmpi
    launch_by_pmix old:2x1 where
    [ "$(ranks)" = "d1 d2" ]
    launch_by_pmix $mixed where
    [ "$status" = 0 ]
    [ "$(ranks)" = "$mixed_ranks" ]
}

# both OPTION...: on the head, inside an allocation of all nodes
both() {
    run --separate-stderr on head salloc --quiet --partition old --nodes 2 --exclusive : \
        --partition new --nodes 2 --exclusive "$@"
    echo "$output" "$stderr"
}

# write_places: places.yaml, whose ranks print their node, threads, processors and GPUs
write_places() {
    cat >places.sh <<'END'
#!/bin/sh
echo "rank $SLURM_PROCID on $(hostname),t$OMP_NUM_THREADS,g${CUDA_VISIBLE_DEVICES:--}"
END
    chmod +x places.sh
    write_program places "$PWD/places.sh"
    printf '%s\n' 'threads: 1-2' 'gpus: [0, 1, 2]' >>places.yaml
}

# placed: the ranks of the last run, sorted
placed() {
    ranks | tr ' ' '\n' | sort | xargs
}

@test "threads and GPUs: a run, and a job" {
    write_places
    for submit in "" --submit; do
        launch new:2x1t2 places $submit
        [ "$(placed)" = "n1,t2,g- n2,t2,g-" ]
        launch new:2x2g1 places $submit
        [ "$(placed)" = "n1,t1,g0 n1,t1,g1 n2,t1,g0 n2,t1,g1" ]
        launch new:1x1g2+old:1x1t2 places $submit
        [ "$(placed)" = "d1,t2,g- n1,t1,g0,1" ]
    done
}

@test "a store below a folder whose name means something to sbatch" {
    write_program where where-mpich
    mkdir 'a\%jb'
    launch new:1x1 where --submit --db 'a\%jb/motley.db'
    [ "$status" = 0 ]
    [ "$(ranks)" = n1 ]
}

@test "inside a heterogeneous allocation: steps of its job, on any of its components" {
    write_program where where-mpich
    both motley run --configuration $mixed --size 1 cluster.yaml where.yaml
    [ "$status" = 0 ]
    [ "$(ranks)" = "$mixed_ranks" ]
    both motley run --configuration new:1x2 --size 1 cluster.yaml where.yaml
    [ "$status" = 0 ]
    [ "$(ranks)" = "n1 n1" ]
    write_program where where-openmpi
    both env SLURM_MPI_TYPE=pmix motley run --configuration $mixed --size 1 cluster.yaml \
        where.yaml
    [[ "$output" != *"Segmentation fault"* ]] || skip "Open MPI 4.1.4 died in MPI_Init"
    [ "$(ranks)" = "$mixed_ranks" ]
}

@test "an allocation that is smaller than the plan" {
    write_program where where-mpich
    run on head salloc --quiet --partition new --nodes 2 --exclusive \
        motley run --configuration $mixed --size 1 cluster.yaml where.yaml
    [ "$status" = 2 ]
    [[ "$output" = *"node 'd1' is not in Slurm's job "* ]]
    [ "$(sqlite3 motley.db 'SELECT count(*) FROM run')" = 0 ]
}

@test "what Slurm refuses is told in its words, and no node is left out" {
    write_program where where-mpich
    sed -i "s/partition: 'old'/partition: 'new'/" cluster.yaml
    run on head motley measure cluster.yaml where.yaml
    [ "$status" = 1 ]
    [[ "$output" = *"Requested node configuration is not available"* ]]
    [[ "$output" != *"left out"* ]]
    [ "$(sqlite3 motley.db 'SELECT count(*) FROM absent')" = 0 ]
    [ "$(sqlite3 motley.db "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 4 ]
    sed -i "s/partition: 'new'/partition: 'none'/" cluster.yaml
    launch new:1x1 where
    [ "$status" = 1 ]
    [[ "$stderr" = *"Unable to allocate resources: Invalid partition name specified"* ]]
    slurm_await no_jobs_now
}

@test "a partition that is closed: the run fails at once instead of waiting for ever" {
    write_program where where-mpich
    on head scontrol update partitionname=old state=down
    launch old:1x1 where
    on head scontrol update partitionname=old state=up
    [ "$status" = 1 ]
    [[ "$stderr" = *"Partition in DOWN state"* ]]
    slurm_await no_jobs_now
}

# write_waiting NAME MPI: a program that goes on when the file "go" is there
write_waiting() {
    cat >wait.sh <<SCRIPT
#!/bin/sh
while [ ! -e '$PWD/go' ]; do sleep 0.2; done
exec where-$2
SCRIPT
    chmod +x wait.sh
    write_program "$1" "$PWD/wait.sh"
}

# jobs_of FORMAT: what squeue tells of the jobs that have not ended
jobs_of() {
    on head squeue --noheader --format "$1" | xargs
}

# stopped SIGNAL STATES WORD...: these on the head, which are sent the signal when their jobs
# have these states
stopped() {
    local signal=$1 states=$2
    shift 2
    env --default-signal=INT motley testbed exec --node head "$TESTBED" "$@" 3>&- &
    slurm_await eval '[ "$(jobs_of %T)" = "$states" ]'
    kill -s "$signal" $!
    wait $! || true
}

kept() {
    sqlite3 motley.db "SELECT configuration || ' ' || outcome FROM run ORDER BY id"
}

@test "plan --sbatch: a job script over both partitions that runs" {
    for mpi in mpich:pmi2 openmpi:pmix; do
        rm -f motley.db job.sh
        write_program where where-${mpi%:*}
        {
            echo configuration,size,seconds
            for n in 1 2 3 4 5; do
                for c in new:1x1,8 new:2x1,4 new:1x2,4 new:2x2,2 old:1x1,16 old:2x1,8 old:1x2,8 old:2x2,4; do
                    echo "${c%,*},$n,$((n * ${c#*,})).1"
                done
            done
            echo new:2x2+old:2x2,5,1
        } >runs.csv
        motley import --cluster cluster --program where runs.csv
        SLURM_MPI_TYPE=${mpi#*:} motley plan --size 5 --sbatch job.sh cluster.yaml where.yaml
        grep -c '^#SBATCH hetjob$' job.sh
        hand_in job.sh
        [ "$(sed -n 's/^rank .* on //p' output | xargs)" = "d1 d1 d2 d2 n1 n1 n2 n2" ]
    done
}

@test "run --submit: the time of a job over both partitions, with both MPIs" {
    write_program where where-mpich
    launch $mixed where --submit
    [ "$status" = 0 ]
    write_program where where-openmpi
    SLURM_MPI_TYPE=pmix launch $mixed where --submit
    [ "$status" = 0 ] || SLURM_MPI_TYPE=pmix launch $mixed where --submit
    [ "$status" = 0 ]
    [ "$(kept | tail -n 1)" = "old:2x1+new:2x2 ok" ]
    [ ! -e motley.db-jobs ]
    slurm_await no_jobs_now
}

@test "measure --submit: a campaign in the queue" {
    write_program where where-mpich
    sed -i 's/^command: .*/command: [where-mpich, "{N}"]/; s/measure: .*/measure: [1, 2]}/' where.yaml
    run --separate-stderr on head motley measure --submit --jobs 3 \
        --configuration homogeneous,new:1x1+old:1x1 cluster.yaml where.yaml
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [ "$output" = "18 runs measured, 0 failed, 0 measured before" ]
    [ ! -e motley.db-jobs ]
    run on head motley measure --submit --configuration new:1x1 cluster.yaml where.yaml
    [[ "$output" = *"0 runs measured, 0 failed, 2 measured before"* ]]
}

@test "a job that motley does not wait for is kept by the next one" {
    write_waiting waits mpich
    stopped INT "RUNNING RUNNING" motley run --submit \
        --configuration new:1x1+old:1x1 --size 1 cluster.yaml waits.yaml 2>messages
    cat messages
    grep "1 job stays in Slurm's queue" messages
    [ "$(jobs_of %T)" = "RUNNING RUNNING" ]
    [ "$(sqlite3 motley.db 'SELECT count(*) FROM run')" = 0 ]
    touch go
    slurm_await no_jobs_now
    run on head motley plan --size 1 cluster.yaml waits.yaml
    [[ "$output" = *"1 run of jobs that have ended is kept"* ]]
    [ "$(kept)" = "old:1x1+new:1x1 ok" ]
    [ ! -e motley.db-jobs ]
}

@test "motley is killed: the next one waits for its jobs, and hands in none twice" {
    write_waiting waits mpich
    sed -i 's/^command: .*/command: [wait.sh, "{N}"]/' waits.yaml
    stopped KILL "RUNNING RUNNING" motley measure --submit \
        --jobs 2 --configuration new:1x1,old:1x1 cluster.yaml waits.yaml
    [ "$(jobs_of %T | wc -w)" = 2 ]
    before=$(jobs_of %i)
    (sleep 2; touch go) 3>&- &
    run --separate-stderr on head motley measure --submit --jobs 2 \
        --configuration new:1x1,old:1x1 cluster.yaml waits.yaml
    echo "$output" "$stderr"
    [ "$output" = "2 runs measured, 0 failed, 0 measured before" ]
    [ "$(sqlite3 motley.db 'SELECT count(*) FROM run')" = 2 ]
    wait
}

@test "--cancel: no job is left after Ctrl-C" {
    write_waiting waits mpich
    stopped INT "RUNNING RUNNING" motley run --submit --cancel \
        --configuration new:1x1+old:1x1 --size 1 cluster.yaml waits.yaml 2>messages
    cat messages
    grep "1 job was cancelled" messages
    slurm_await no_jobs_now
    [ ! -e motley.db-jobs ]
    [ "$(sqlite3 motley.db 'SELECT count(*) FROM run')" = 0 ]
}

@test "a job that somebody cancels, in the queue or while it runs: a failed run" {
    write_waiting waits mpich
    (
        for _ in $(seq 100); do
            [ "$(jobs_of %T)" = RUNNING ] && break
            sleep 0.2
        done
        on head scancel --me
    ) 3>&- &
    launch new:1x1 waits --submit
    wait
    [ "$status" = 1 ]
    [[ "$(sqlite3 motley.db 'SELECT reason FROM run')" = "Slurm's job "*" was cancelled"* ]]
    rm motley.db
    on head scontrol update nodename=n1 state=drain reason=test
    (
        for _ in $(seq 100); do
            [ "$(jobs_of %T)" = PENDING ] && break
            sleep 0.2
        done
        sleep 2
        on head scancel --me
    ) 3>&- &
    launch new:1x1 waits --submit
    wait
    on head scontrol update nodename=n1 state=resume
    [ "$status" = 1 ]
    [[ "$stderr" = *"waits in Slurm's queue: ReqNodeNotAvail"* ]]
    [[ "$(sqlite3 motley.db 'SELECT reason FROM run')" = "Slurm's job "*" was cancelled before it began" ]]
    slurm_await no_jobs_now
}

@test "what sbatch refuses: failed runs, in Slurm's words" {
    write_program where where-mpich
    sed -i "s/partition: 'new'/partition: 'none'/" cluster.yaml
    launch new:1x1 where --submit
    [ "$status" = 1 ]
    [[ "$(sqlite3 motley.db 'SELECT reason FROM run')" = *"Batch job submission failed: Invalid partition name specified"* ]]
    [ ! -e motley.db-jobs ]
}

@test "the commands of motley-tutorial(7) for Slurm work as they stand" {
    rm cluster.yaml
    cat >solver <<'END'
#!/bin/sh
exec sleep "$(awk -v n="${1#--size=}" -v p="$SLURM_NTASKS" 'BEGIN { print 0.05 + n / 1000 / p }')"
END
    chmod +x solver
    mkdir bin # Slurm keeps no accounts here
    cat >bin/sacct <<'END'
#!/bin/sh
echo 'JobID|JobName|State|Elapsed|NodeList|NTasks'
echo '7|solver-600|COMPLETED|00:00:02|d[1-2]|'
echo '7.0|solver|COMPLETED|00:00:01|d[1-2]|2'
END
    chmod +x bin/sacct
    sed -n '/^# AN OLD AND A NEW/,/^# MPI TESTS/s/^\$ //p' \
        "$SOURCE_ROOT/man/motley-tutorial.7.scd" >commands
    [ "$(wc -l <commands)" = 6 ]
    on head env PATH="$PWD/bin:$PATH" bash -eux commands
    grep '^#SBATCH --partition' job.sh
    [ "$(on head motley show --json runs | jq '[.runs[] | select(.size == 1200)] | length')" = 1 ]
    [ "$(on head motley show --json runs | jq '[.runs[] | select(.configuration == "old:2x1" and .seconds == 1)] | length')" = 1 ]
    [ -z "$(on head squeue --noheader)" ]
}

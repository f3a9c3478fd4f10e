# Runs by jobs that are handed in to Slurm: stand-ins for sbatch, squeue and scancel.
# tests/testbed has a real Slurm.

load fake

# A Slurm that begins each job at once, unless there is a file "hold": then the jobs wait
# until it is gone. Its srun is the program alone.
write_slurm() {
    mkdir -p bin jobs
    cat >bin/sbatch <<'END'
#!/bin/sh
job=$(($(ls jobs | grep -c '^[0-9]*$') + 100))
mkdir "jobs/$job"
echo "$*" >>sbatch.calls
for word; do case $word in --job-name=*) name=${word#--job-name=} ;; --output=*) output=${word#--output=} ;; esac; script=$word; done
case $output in # as Slurm 22.05 reads it
    *\\*) output=$(printf %s "$output" | sed 's/\\\(.\)/\1/g') ;;
    *) output=$(printf %s "$output" | sed "s/%%/\n/g; s/%j/$job/g; s/\n/%/g") ;;
esac
cp "$script" "jobs/$job/job.sh"
echo "$name" >"jobs/$job/name"
echo "PENDING|Priority" >"jobs/$job/state"
(
    while [ -e hold ]; do sleep 0.1; done
    read -r state <"jobs/$job/state"
    case $state in CANCELLED*) exit ;; esac
    echo "RUNNING|None" >"jobs/$job/state"
    bash "jobs/$job/job.sh" >"$output" 2>&1
    read -r state <"jobs/$job/state"
    case $state in RUNNING*) echo "COMPLETED|None" >"jobs/$job/state" ;; esac
) >/dev/null 2>&1 3>&- &
echo "$job;site"
END
    cat >bin/squeue <<'END'
#!/bin/sh
for word; do
    case $word in --name=*)
        for job in $(ls jobs); do [ "$(cat "jobs/$job/name")" != "${word#--name=}" ] || echo "$job"; done
        exit
        ;;
    esac
done
for job in $(ls jobs); do echo "$job|$(cat "jobs/$job/state")"; done
END
    cat >bin/scancel <<'END'
#!/bin/sh
for job; do echo "CANCELLED|None" >"jobs/$job/state"; echo "$job" >>cancelled; done
END
    cat >bin/srun <<'END'
#!/bin/sh
while case $1 in --*) true ;; *) false ;; esac; do shift; done
exec "$@"
END
    chmod +x bin/*
    PATH=$PWD/bin:$PATH
    cat >cluster.yaml <<'END'
name: site
launcher: slurm
groups:
  - {name: new, hosts: 'n[1-2]', processes: [1, 2], partition: fast}
  - {name: old, hosts: 'd1', processes: [1], partition: slow}
END
}

# outcomes: of all runs
outcomes() {
    query 'SELECT configuration, size, outcome FROM run ORDER BY configuration, size' | xargs
}

# ended STATUS: the motley in the background ends with that status
ended() {
    local status=0
    wait "$motley" || status=$?
    [ "$status" = "$1" ]
}

# noted [COUNT]: so many jobs, or one, are under way, and their records are written
noted() {
    grep -l '"job": [1-9]' motley.db-jobs/*/run.json >noted
    [ "$(wc -l <noted)" -ge "${1:-1}" ]
}

@test "run --submit: the time of the job, and what it printed" {
    write_slurm
    write_program 'echo "I am $2 ranks"; echo "time 900 us"'
    run --separate-stderr motley run --submit --configuration new:2x2 --size 100 \
        cluster.yaml program.yaml
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [[ "$output" = *"I am 4 ranks"*"measured       900.0 us"* ]]
    [[ "$stderr" = *"motley: job 100 (new:2x2, N = 100) is handed in"* ]]
    [ "$(outcomes)" = "new:2x2|100.0|ok" ]
    [ "$(query 'SELECT wall > 0 FROM run')" = 1 ]
    grep -x '#SBATCH --partition=fast' jobs/100/job.sh
    run ! grep -- --time jobs/100/job.sh # nothing is predicted
    [ ! -e motley.db-jobs ]
}

@test "run --submit: --timeout is the job's time limit" {
    write_slurm
    write_program 'echo "time 900 us"'
    motley run --submit --timeout '61 s' --configuration new:1x1 --size 100 \
        cluster.yaml program.yaml
    grep -x '#SBATCH --time=2' jobs/100/job.sh
    grep -F 'timeout --kill-after=30 61.000 ' jobs/100/job.sh # Slurm's are whole minutes
    write_program 'sleep 30; echo "time 900 us"'
    run --separate-stderr motley run --submit --timeout '1 s' --configuration new:1x1 \
        --size 200 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"reached its time limit"* ]]
}

@test "measure --submit: all runs, so many jobs at once" {
    write_slurm
    # each waits for another until two were there at once
    write_program 'mkdir -p runs; touch runs/$$; ls runs | wc -l >>busy
        for _ in $(seq 100); do [ -e two ] && break; [ "$(ls runs | wc -l)" = 2 ] && touch two; sleep 0.1; done
        rm runs/$$; echo "time 900 us"'
    run --separate-stderr motley measure --submit --jobs 2 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "10 runs measured, 0 failed, 0 measured before" ]
    [ "$(sort -n busy | tail -n 1)" = 2 ]
    [ "$(wc -l <sbatch.calls)" = 10 ]
}

@test "a job that could not note when it began, as on a full disk, took no time that is known" {
    write_slurm
    write_program 'true'
    sed -i 's/^time:.*/time: wall/' program.yaml
    sed -i 's,^cp .*,sed "/began/d" "$script" >"jobs/$job/job.sh",' bin/sbatch
    run motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(outcomes)" = "new:1x1|100.0|unread" ]
    [ "$(query 'SELECT wall, reason FROM run')" = "0.0|Slurm's job 100 did not note when it began" ]
}

@test "a job whose node set its clock back took no time that is known" {
    write_slurm
    write_program 'true'
    sed -i 's/^time:.*/time: wall/' program.yaml
    sed -i 's,^cp .*,sed "s/date .*began/echo 9999999999 >\\"\\$record\\/began/" "$script" >"jobs/$job/job.sh",' bin/sbatch
    run motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query 'SELECT outcome, wall, reason FROM run')" = "unread|0.0|Slurm's job 100 ended before it began, by its node's clock" ]
}

@test "a program that fails, and one without a time" {
    write_slurm
    write_program 'echo oh dear; [ "$1" = 100 ] && exit 3; true'
    run motley measure --submit --jobs 2 --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(outcomes)" = "new:1x1|100.0|failed new:1x1|200.0|unread" ]
    [ "$(query 'SELECT exit_code, output FROM run WHERE size = 100' | xargs)" = "3|oh dear" ]
}

@test "what sbatch refuses is a failed run, in its words" {
    write_slurm
    write_program 'echo "time 900 us"'
    printf '#!/bin/sh\necho "sbatch: error: Batch job submission failed: Invalid account" >&2; exit 1\n' >bin/sbatch
    run motley measure --submit --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$(query 'SELECT DISTINCT reason FROM run')" = *"Batch job submission failed: Invalid account" ]]
    [ ! -e motley.db-jobs ]
}

@test "Slurm does not answer any more: the jobs that are there are told" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    sed -i '2i if [ -e jobs/100 ]; then echo "sbatch: error: Unable to contact slurm controller" >&2; exit 1; fi' bin/sbatch
    run motley measure --submit --jobs 2 --configuration new:1x1 cluster.yaml program.yaml
    rm hold
    [ "$status" = 1 ]
    [[ "$output" = *"motley: 1 job stays in Slurm's queue"*"Unable to contact slurm controller"* ]]
    await grep COMPLETED jobs/100/state
    run motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"motley: 1 run of jobs that have ended is kept"* ]]
}

@test "a value that one run cannot have: it fails, and the others are handed in" {
    write_slurm
    write_program 'echo "time 900 us"' 'env: {X: "{sqrt(N - 150)}"}'
    run motley measure --submit --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(outcomes)" = "new:1x1|100.0|failed new:1x1|200.0|ok" ]
    [[ "$(query 'SELECT reason FROM run WHERE size = 100')" = *"'{sqrt(N - 150)}' has no value at N = 100, P = 1" ]]
    [ "$(wc -l <sbatch.calls)" = 1 ]
}

@test "motley is stopped, the job waits: the next one takes its time" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await grep "waits in Slurm's queue: Priority" messages
    kill -TERM $motley
    ended 143
    grep "1 job stays in Slurm's queue" messages
    [ ! -e cancelled ]
    run motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"motley: 1 job that was handed in before has not ended"* ]]
    [ "$(outcomes)" = "" ]
    rm hold
    await grep COMPLETED jobs/100/state
    run motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"motley: 1 run of jobs that have ended is kept"* ]]
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
    [ ! -e motley.db-jobs ]
}

@test "motley is killed: the same command goes on with its jobs" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    motley measure --submit --jobs 3 --configuration new:1x1,new:2x1 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await noted 3
    kill -KILL $motley
    ended 137
    (sleep 1; rm hold) 3>&- &
    run --separate-stderr motley measure --submit --jobs 3 --configuration new:1x1,new:2x1 \
        cluster.yaml program.yaml
    [ "$output" = "4 runs measured, 0 failed, 0 measured before" ]
    [ "$(wc -l <sbatch.calls)" = 4 ]
}

@test "--cancel: no job is left" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    motley measure --submit --cancel --jobs 2 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await noted 2
    kill -TERM $motley
    ended 143
    [ "$(sort cancelled | xargs)" = "100 101" ]
    grep "2 jobs were cancelled" messages
    [ ! -e motley.db-jobs ]
    rm hold
}

@test "Ctrl-C while a job is handed in: it is not lost" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    sed -i '1s/.*/#!\/bin\/bash/; 2i touch handing; sleep 1' bin/sbatch # dash unblocks signals
    setsid env --default-signal=HUP motley run --submit --configuration new:1x1 --size 100 \
        cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await test -e handing
    kill -HUP -- -$motley # as Ctrl-C, which is ignored in the background
    ended 129
    cat messages
    grep "1 job stays in Slurm's queue" messages
    noted
    rm hold
}

@test "on a terminal motley asks whether to cancel" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    for answer in n y; do
        rm -f motley.pid screen
        { await grep -q "motley: starting" screen && sleep 2 && kill -INT "$(cat motley.pid)" &&
            await grep -q "cancel it" screen && echo $answer && await gone "$(cat motley.pid)"; } |
            script -qec 'sh -c "echo \$\$ >motley.pid; exec motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml"' /dev/null >screen || true
        cat screen
        grep "in Slurm's queue: cancel it? \[y/N\]" screen
        if [ $answer = n ]; then
            [ ! -e cancelled ]
            grep "stays in Slurm's queue" screen
        else
            [ "$(cat cancelled)" = 100 ] # that of the first time, which was waited for
        fi
    done
    rm hold
}

@test "a job that is cancelled, reaches its time limit, or is forgotten" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    # ends STATE REASON: in a folder of its own
    ends() {
        cp -r . "$BATS_TEST_TMPDIR-$1" && cd "$BATS_TEST_TMPDIR-$1" && PATH=$PWD/bin:$PATH
        (await noted
            if [ "$1" = gone ]; then rm -r jobs/100; else echo "$1|None" >jobs/100/state; fi) 3>&- &
        run timeout 120 motley run --submit --configuration new:1x1 --size 100 cluster.yaml \
            program.yaml
        rm hold
        echo "$1: $output"
        [ "$status" = 1 ] && [ "$(query 'SELECT reason FROM run')" = "Slurm's job 100 $2 before it began" ]
    }
    local endings=()
    while read -r state reason; do
        ends "$state" "$reason" 3>&- &
        endings+=($!)
    done <<'END'
CANCELLED was cancelled
TIMEOUT reached its time limit
NODE_FAIL lost a node
gone has gone from the queue
END
    for ending in "${endings[@]}"; do
        wait "$ending"
    done
    rm hold
}

@test "measure --submit with a limit: one job after the other" {
    write_slurm
    write_program 'echo "time 900 us"'
    motley measure --submit --runs 2 --quiet cluster.yaml program.yaml
    [ "$(wc -l <sbatch.calls)" = 2 ]
    [ "$(query 'SELECT count(*) FROM run')" = 2 ]
}

@test "measure --submit with a limit is stopped when only an earlier job has ended" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    motley run --submit --configuration old:1x1 --size 300 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await noted
    kill -TERM $motley
    ended 143
    earlier=$(echo motley.db-jobs/*)
    motley measure --submit --runs 2 --quiet cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await grep "1 job that was handed in before has not ended" messages
    echo "time 900 us" >"$earlier/output"
    date +%s >"$earlier/began"
    echo "0 $(date +%s)" >"$earlier/ending"
    mv "$earlier/ending" "$earlier/ended"
    await test ! -e "$earlier"
    await noted
    kill -TERM $motley
    ended 143
    cat messages
    grep "1 job stays in Slurm's queue" messages
    [ "$(outcomes)" = "old:1x1|300.0|ok" ]
    rm hold # and let them write their last
    await grep COMPLETED jobs/100/state
    await grep COMPLETED jobs/101/state
}

@test "a job whose record is damaged is left alone, and said" {
    write_slurm
    write_program 'echo "time 900 us"'
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    mkdir -p motley.db-jobs/job-x motley.db-jobs/job-y
    echo '{"job": 1' >motley.db-jobs/job-x/run.json
    echo '{"job": -1, "cluster": "site", "program": "script", "configuration": "new:1x1", "size": 1, "repetition": 1}' >motley.db-jobs/job-y/run.json
    run motley measure --submit --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"job-x' is left alone: "* ]]
    [[ "$output" = *"job-y' is left alone: its numbers make no sense"* ]]
    [ -e motley.db-jobs/job-x/run.json ]
}

@test "--submit is for Slurm, --cancel for --submit" {
    write_cluster
    write_program 'echo "time 900 us"'
    run motley measure --submit cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$output" = "motley: --submit is for launcher slurm, not command: cluster 'made-up'" ]
    run motley run --cancel --configuration fast:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$output" = "motley: --cancel is for jobs of --submit" ]
}

@test "a program with an input file: the job writes it, and its folder goes but for motley run" {
    write_slurm
    write_program 'cat in.dat >copy; [ "$(cat mesh)" = "$(cat in.dat)" ] && echo "time 900 us" >>copy' \
        'input: [{file: in.dat, content: "n={N} p={P}\n"}]' 'prepare: [[cp, in.dat, mesh]]'
    sed -i "s/unit: us/unit: us, file: copy/" program.yaml
    sed -i 's/^    bash /    SLURM_JOB_ID=$job bash /' bin/sbatch
    motley measure --submit --quiet --configuration new:2x2,old:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$(outcomes)" = "new:2x2|100.0|ok old:1x1|100.0|ok" ]
    run ! ls -d motley-run-*
    motley run --submit --size 300 --configuration new:2x2 cluster.yaml program.yaml
    [ "$(head -1 motley-run-*/copy)" = "n=300 p=4" ]
}

@test "a program with an input file whose prepare fails in the job" {
    write_slurm
    write_program 'echo time 900 us' 'prepare: [[sh, -c, "echo no mesh; exit 5"]]'
    sed -i 's/^    bash /    SLURM_JOB_ID=$job bash /' bin/sbatch
    run motley measure --submit --quiet --configuration old:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(outcomes)" = "old:1x1|100.0|failed" ]
    [[ "$(query 'SELECT reason, output FROM run')" = *"exit status 5"*"no mesh"* ]]
}

@test "what a job printed is on the disk before it says that it has ended" {
    write_slurm
    write_program 'echo "time 900 us"'
    printf '#!/bin/sh\n[ -s "$1" ] && [ ! -e "${1%%/*}/ended" ] && touch synced\n' >bin/sync
    chmod +x bin/sync
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ -e synced ]
}

@test "jobs of hidden partitions are seen" {
    write_slurm
    write_program 'echo "time 900 us"'
    sed -i '2i case " $* " in *" --all "*) ;; *) exit ;; esac' bin/squeue
    touch hold
    (await noted; sleep 5; rm hold) 3>&- &
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
}

@test "the store is a symbolic link: what its jobs have done is kept" {
    write_slurm
    write_program 'echo "time 900 us"'
    mkdir elsewhere
    motley run --submit --db elsewhere/real.db --configuration new:1x1 --size 100 \
        cluster.yaml program.yaml
    ln -s elsewhere/real.db motley.db
    touch hold
    motley run --submit --configuration new:1x1 --size 200 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await grep "waits in Slurm's queue: Priority" messages
    kill -TERM $motley
    ended 143
    rm hold
    await grep COMPLETED jobs/101/state
    run motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"motley: 1 run of jobs that have ended is kept"* ]]
}

@test "a job with a folder that Slurm begins again" {
    write_slurm
    write_program 'cat ./-d/in.dat; echo time 900 us' 'input: [{file: "-d/in.dat", content: "{N}\n"}]'
    sed -i 's/^    bash \(.*\)$/    export SLURM_JOB_ID=$job; mkdir motley-run-$job; SLURM_RESTART_COUNT=1 bash \1/' bin/sbatch
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
    [ "$(cat motley-run-100/-d/in.dat)" = 100 ]
}

# killed_while_handing COMMANDS: motley, while sbatch does these first
killed_while_handing() {
    write_slurm
    write_program 'echo "time 900 us"'
    sed -i "2i touch handing; $1" bin/sbatch
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml 3>&- &
    motley=$!
    await test -e handing
    kill -KILL $motley
    ended 137
}

# handed_in_once: the same run, by the next motley
handed_in_once() {
    motley measure --submit --configuration new:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$(wc -l <sbatch.calls)" = 1 ]
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
    [ ! -e motley.db-jobs ]
}

@test "motley is killed while a job is handed in: the next one finds it by its name" {
    touch hold
    killed_while_handing 'sleep 1'
    (await test -e jobs/100/state; sleep 3; rm hold) 3>&- &
    handed_in_once
}

@test "motley is killed before a job is handed in: it is handed in later" {
    killed_while_handing 'sleep 1; exit 1'
    sed -i 2d bin/sbatch
    handed_in_once
}

@test "Slurm does not answer: no run is stored as refused, and a job that is there is found" {
    write_slurm
    write_program 'echo "time 900 us"'
    cp bin/sbatch bin/whole
    printf '#!/bin/sh\necho "sbatch: error: Batch job submission failed: Unable to contact slurm controller (connect failure)" >&2; exit 1\n' >bin/sbatch
    run motley measure --submit --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$output" = *"Unable to contact slurm controller"* ]]
    [ "$(outcomes)" = "" ]
    printf '#!/bin/sh\nwhole "$@" >/dev/null; echo "sbatch: error: Batch job submission failed: Socket timed out on send/recv operation" >&2; exit 1\n' >bin/sbatch
    motley measure --submit --configuration new:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
    [ "$(wc -l <sbatch.calls)" = 1 ]
    [ ! -e motley.db-jobs ]
}

@test "a site's sbatch that prints more than the number of the job" {
    write_slurm
    write_program 'echo "time 900 us"'
    sed -i '2i echo "3 nodes are free; welcome to the site"' bin/sbatch
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$(outcomes)" = "new:1x1|100.0|ok" ]
}

@test "the store goes while a job is waited for: motley ends, and says where the run is" {
    write_slurm
    write_program 'echo "time 900 us"'
    touch hold
    (await noted; rm motley.db; rm hold) 3>&- &
    run timeout 120 motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$output" != *"Slurm's queue is not known"* ]]
    [[ "$output" = *"motley.db"* ]]
}

@test "variables of Slurm's tools do not change what is asked for, and the others stay" {
    write_slurm
    write_program 'echo "time 900 us"'
    for tool in sbatch squeue scancel; do
        sed -i "2i env | grep -oE '^(SBATCH|SQUEUE|SCANCEL)_[A-Z]*' | sort | xargs >$tool.has" bin/$tool
    done
    export SBATCH_PARTITION=other SBATCH_TIMELIMIT=1 SBATCH_ACCOUNT=phys SBATCH_WAIT=1 \
        SBATCH_QOS=low SQUEUE_STATES=RUNNING SQUEUE_USERS=me SCANCEL_INTERACTIVE=1
    run --separate-stderr motley measure --submit --configuration new:1x1 cluster.yaml program.yaml
    [ "$(cat sbatch.has)" = "SBATCH_ACCOUNT SBATCH_QOS SCANCEL_INTERACTIVE SQUEUE_STATES SQUEUE_USERS" ]
    [ "$(cat squeue.has)" = "SBATCH_ACCOUNT SBATCH_PARTITION SBATCH_QOS SBATCH_TIMELIMIT SBATCH_WAIT SCANCEL_INTERACTIVE" ]
    [ "$(grep -c 'jobs are handed in without' <<<"$stderr")" = 1 ]
    names=$(sed -n 's/.*without \(.*\) of the environment.*/\1/p' <<<"$stderr")
    [ "$(tr -d , <<<"$names" | xargs -n 1 | sort | xargs)" = "SBATCH_PARTITION SBATCH_TIMELIMIT SBATCH_WAIT" ]
    sed -i 's/partition: slow/&, qos: high/' cluster.yaml
    motley run --submit --configuration old:1x1 --size 100 cluster.yaml program.yaml
    # nothing limits the time of a run whose end is not predicted
    [ "$(cat sbatch.has)" = "SBATCH_ACCOUNT SBATCH_TIMELIMIT SCANCEL_INTERACTIVE SQUEUE_STATES SQUEUE_USERS" ]
    unset "${!SBATCH_@}"
    touch hold
    motley run --submit --cancel --configuration new:1x1 --size 100 cluster.yaml program.yaml 2>messages 3>&- &
    motley=$!
    await noted
    kill -TERM $motley
    ended 143
    rm hold
    [ "$(cat scancel.has)" = "SQUEUE_STATES SQUEUE_USERS" ]
    run ! grep "handed in without" messages
}

@test "inside a job of Slurm: those handed in get nothing of it" {
    write_slurm
    write_program 'echo "time 900 us"'
    sed -i "2i env | grep ^SLURM_ | sort | xargs >sbatch.has" bin/sbatch
    SLURM_JOB_ID=7 SLURM_HET_SIZE=2 SLURM_NTASKS=3 SLURM_CONF=conf SLURM_MPI_TYPE=pmix \
        motley measure --submit --configuration new:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$(cat sbatch.has)" = "SLURM_CONF=conf SLURM_MPI_TYPE=pmix" ]
}

@test "a campaign of more than an hour asks for a budget" {
    write_slurm
    write_program 'echo "time 900 us"' 'work: N'
    motley measure --submit --quiet --sizes 100 --configuration old:1x1 cluster.yaml program.yaml
    query "UPDATE run SET wall = 700"
    run --separate-stderr motley measure --submit --jobs 1 cluster.yaml program.yaml </dev/null
    [ "$status" = 2 ]
    [[ "$stderr" = *"motley: all runs would take about 1 h 45 min: give --budget 10min to make those that tell most, or --budget none"* ]]
    [ "$(wc -l <sbatch.calls)" = 1 ]
    motley measure --submit --jobs 4 --sizes 100 cluster.yaml program.yaml </dev/null # not so long
    query "UPDATE run SET wall = 3000"
    motley measure --submit --jobs 4 --budget none cluster.yaml program.yaml </dev/null
    [ "$(wc -l <sbatch.calls)" = 10 ]
}

# wait_in_vain: jobs that are handed in wait for a node that is drained
wait_in_vain() {
    touch hold
    sed -i 's/PENDING|Priority/PENDING|ReqNodeNotAvail, UnavailableNodes:n1/' bin/sbatch
}

@test "a job that waits in vain: motley ends, and the same command goes on" {
    write_slurm
    write_program 'echo "time 900 us"'
    wait_in_vain
    run --separate-stderr timeout 120 motley run --submit --configuration new:1x1 --size 100 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"1 job stays in Slurm's queue"* ]]
    [[ "$stderr" = *"motley: job 100 (new:1x1, N = 100) waits in Slurm's queue: ReqNodeNotAvail, UnavailableNodes:n1, which does not pass by itself; give the same command again when it has, or with --cancel to take the job out of the queue" ]]
    [ ! -e cancelled ]
    [ "$(outcomes)" = "" ]
    rm hold
    await grep COMPLETED jobs/100/state
    run motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"motley: 1 run of jobs that have ended is kept"* ]]
}

@test "a job that waits in vain is cancelled with --cancel, and waited for with others" {
    write_slurm
    write_program 'echo "time 900 us"'
    wait_in_vain
    (await noted; await test -e jobs/101/state; echo 'PENDING|Resources' >jobs/101/state; sleep 9; touch late; rm hold) 3>&- &
    sed -i '/while .* hold/a [ "$job" != 100 ] || exit' bin/sbatch # its node stays away
    run --separate-stderr timeout 120 motley measure --submit --cancel --jobs 2 \
        --configuration new:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ -e late ]
    [ "$(cat cancelled)" = 100 ]
    [[ "$stderr" = *"motley: 1 job was cancelled"* ]]
    [[ "$stderr" = *"waits in Slurm's queue: ReqNodeNotAvail, UnavailableNodes:n1, which would not have passed by itself" ]]
    [ "$(outcomes | wc -w)" = 1 ]
    [ ! -e motley.db-jobs ]
}

@test "folders of jobs that end before their programs: named, or removed" {
    write_slurm
    write_program 'echo $$ >>../pids; exec sleep 30' 'input: [{file: in.dat, content: "{N}"}]'
    sed -i 's/^    bash /    SLURM_JOB_ID=$job bash /' bin/sbatch
    (await test -s pids; echo 'TIMEOUT|None' >jobs/100/state) 3>&- &
    run timeout 120 motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query 'SELECT reason FROM run')" = "Slurm's job 100 reached its time limit; its folder is kept: $PWD/motley-run-100" ]
    [ -e motley-run-100/in.dat ]
    motley run --submit --cancel --configuration new:1x1 --size 100 cluster.yaml program.yaml 3>&- &
    motley=$!
    await grep -c . motley-run-101/in.dat
    await noted
    kill -TERM $motley
    ended 143
    xargs kill <pids || true
    [ ! -e motley-run-101 ]
}

@test "motley was killed before it noted a job: its folder goes, and no other" {
    write_slurm
    write_program 'echo "time 900 us"'
    motley run --submit --configuration new:1x1 --size 100 cluster.yaml program.yaml
    mkdir -p motley.db-jobs/job-Ab3dEf motley.db-jobs/mine motley.db-jobs/job-ours
    touch motley.db-jobs/job-Ab3dEf/job.sh
    run motley plan --size 100 cluster.yaml program.yaml
    [ "$(ls motley.db-jobs | xargs)" = "job-ours mine" ]
}

@test "the folder of the jobs has a name that means something to sbatch" {
    write_slurm
    write_program 'echo "time 900 us"'
    for name in 'a%jb' 'a\%jb' 'a\\b'; do
        mkdir "$name"
        motley run --submit --db "$name/motley.db" --configuration new:1x1 --size 100 \
            cluster.yaml program.yaml
    done
}

@test "the story of two partitions in motley-tutorial(7), typed as it stands" {
    write_slurm
    rm cluster.yaml
    printf '#!/bin/sh\nexec sleep "0.0${1#--size=}"\n' >solver
    cat >bin/sinfo <<'END'
#!/bin/sh
echo 'd1 1 1 1 8000 slow (null) (null)'
printf 'n%s 2 1 2 64000 fast* (null) (null)\n' 1 2
echo 'n1 2 1 2 64000 own (null) (null)'
END
    cat >bin/sacct <<'END'
#!/bin/sh
[ "$*" = "-P -S now-30days -o JobID,JobName,State,Elapsed,NodeList,NTasks" ] || exit
echo 'JobID|JobName|State|Elapsed|NodeList|NTasks'
echo '7|solver-600|COMPLETED|00:00:02|d1|'
echo '7.0|solver|COMPLETED|00:00:01|d1|1'
END
    chmod +x solver bin/*
    sed -n '/^# AN OLD AND A NEW/,/^# MPI TESTS/s/^\$ //p' "$SOURCE_ROOT/man/motley-tutorial.7.scd" >commands
    [ "$(wc -l <commands)" = 6 ]
    run --separate-stderr bash -eux commands
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [ "$(grep hosts: cluster.yaml | xargs)" = "hosts: d1 hosts: n[1-2]" ]
    [ "$(query "SELECT seconds FROM run WHERE size = 600 AND configuration = 'd:1x1' AND launcher = 'slurm' AND wall = 1")" = 1.0 ]
    [ "$(query 'SELECT count(*) FROM run WHERE size = 1200 AND outcome = "ok"')" = 1 ]
    bash -n job.sh
}

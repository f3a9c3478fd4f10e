# Slurm's partitions and jobs, by stand-ins for its commands: what is asked for, and what
# becomes of its answers. tests/testbed has a real Slurm.

load fake

# A cluster of two partitions, whose program is never started.
two_partitions() {
    cat >cluster.yaml <<END
name: site
launcher: slurm
groups:
  - {name: new, hosts: 'n[1-2]', processes: [1, 2], partition: fast, account: phys}
  - {name: old, hosts: 'd[1-2]', processes: [1], partition: slow, qos: low,
     constraint: 'a&b', gres: 'gpu:2'}
END
    write_program ''
}

# stand_in NAME SCRIPT: a command on PATH that keeps its arguments in arguments.NAME
stand_in() {
    mkdir -p bin
    printf '#!/bin/sh\nprintf "%%s\\n" "$@" >arguments.%s\n%s\n' "$1" "$2" >"bin/$1"
    chmod +x "bin/$1"
    [[ $PATH = $PWD/bin:* ]] || PATH=$PWD/bin:$PATH
}

# words NAME: its last arguments
words() {
    sed 's|^.*/program.sh$|PROGRAM|' "arguments.$1" | xargs
}

# A script of srun that keeps the host of each rank; lists: these, in their order. Those of
# an arbitrary distribution become a variable, SLURM_ARBITRARY_NODELIST, as in Slurm.
keep_lists='hosts() { # NAME or NAME[FROM-TO]
    case $1 in
    *\[*) range=${1#*\[}; range=${range%\]}; seq -w "${range%-*}" "${range#*-}" | sed "s/^/${1%\[*}/" ;;
    *) echo "$1" ;;
    esac
}
for word; do case $word in
    --nodelist=*/*) cat "${word#*=}" ;;
    --nodelist=*) nodes=$word ;;
    --ntasks-per-node=*) hosts "${nodes#*=}" | while read -r host; do yes "$host" | head -n "${word#*=}"; done ;;
    --distribution=arbitrary) arbitrary=yes ;;
esac; done >lists
[ -z "$SLURM_HOSTFILE" ] || cp "$SLURM_HOSTFILE" lists
[ -z "$arbitrary" ] || export SLURM_ARBITRARY_NODELIST="$(paste -s -d , lists)"
env true || exit 0 # as srun may, of a heterogeneous job
echo "time 900 us"'
lists() {
    xargs <lists
}

# run_on CONFIGURATION: motley run, whose output and messages are in $output
run_on() {
    run motley run --configuration "$1" --size 100 cluster.yaml program.yaml
}

step="--distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2"
block=${step/arbitrary/block}

@test "one group: what it says is asked for" {
    two_partitions
    stand_in srun 'echo "time 900 us"'
    run_on new:2x2
    [ "$status" = 0 ]
    [ "$(words srun)" = "--partition=fast --account=phys --ntasks=4 --nodes=2 $step PROGRAM 100 4" ]
    run_on old:1x1
    [ "$(words srun)" = "--partition=slow --qos=low --constraint=a&b --gres=gpu:2 --ntasks=1 --nodes=1 $step PROGRAM 100 1" ]
}

@test "groups that ask for the same are started in one piece" {
    two_partitions
    sed -i 's/partition: slow, qos: low,/partition: fast, account: phys}/; /constraint/d' cluster.yaml
    stand_in srun 'cp "$SLURM_HOSTFILE" hosts; echo "time 900 us"'
    run_on new:1x2+old:1x1
    [ "$(words srun)" = "--partition=fast --account=phys --ntasks=3 --nodes=2 $step PROGRAM 100 3" ]
    [ "$(xargs <hosts)" = "n1 n1 d1" ]
}

@test "several partitions: a component each, in the order of the nodes' names" {
    two_partitions
    stand_in srun "$keep_lists; env >environment"
    run_on new:2x2+old:1x1
    [ "$status" = 0 ]
    [ "$(words srun)" = "--partition=slow --qos=low --constraint=a&b --gres=gpu:2 --nodelist=d1 --ntasks-per-node=1 --ntasks=1 --nodes=1 $block PROGRAM 100 5 : --partition=fast --account=phys --nodelist=n[1-2] --ntasks-per-node=2 --ntasks=4 --nodes=2 $block PROGRAM 100 5" ]
    [ "$(lists)" = "d1 n1 n1 n2 n2" ]
    run ! grep SLURM_HOSTFILE environment
}

@test "partitions whose nodes' names are mixed: more components" {
    two_partitions
    sed -i "s/'n\[1-2\]'/'x1,x10'/; s/'d\[1-2\]'/'x2'/" cluster.yaml
    stand_in srun "$keep_lists"
    run_on new:2x1+old:1x1
    [ "$(lists)" = "x1 x2 x10" ]
}

# In an allocation of both partitions, the old one first.
in_allocation() {
    export SLURM_JOB_ID=7 SLURM_HET_SIZE=2
    export SLURM_JOB_NODELIST_HET_GROUP_0='d[1-2]' SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0='1(x2)'
    export SLURM_JOB_NODELIST_HET_GROUP_1='n[1-2]' SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1=4,1
}

@test "inside a heterogeneous allocation: its components" {
    two_partitions
    in_allocation
    stand_in srun "$keep_lists"
    run_on new:1x2+old:1x1
    [ "$status" = 0 ]
    [ "$(words srun)" = "--het-group=0 --nodelist=d1 --ntasks-per-node=1 --ntasks=1 --nodes=1 $block PROGRAM 100 3 : --het-group=1 --nodelist=n1 --ntasks-per-node=2 --ntasks=2 --nodes=1 $block PROGRAM 100 3" ]
    [ "$(lists)" = "d1 n1 n1" ]
    run_on new:1x2
    [ "$(words srun)" = "--het-group=1 --nodelist=n1 --ntasks-per-node=2 --ntasks=2 --nodes=1 $block PROGRAM 100 2" ]
    [ "$(lists)" = "n1 n1" ]
}

@test "inside an allocation that is too small nothing is started" {
    two_partitions
    stand_in srun 'echo "time 900 us"'
    export SLURM_JOB_ID=7 SLURM_JOB_NODELIST='n[1-2]' SLURM_JOB_CPUS_PER_NODE='4,1'
    run motley measure --configuration new:1x1,old:1x1 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$output" = "motley: 'old:1x1' cannot run: node 'd1' is not in Slurm's job 7, "* ]]
    run_on new:2x2
    [ "$status" = 2 ]
    [[ "$output" = *"'new:2x2' cannot run: Slurm's job 7 has 1 processor of node 'n2', too few for 2 processes: "* ]]
    [ ! -e arguments.srun ]
    [ "$(query 'SELECT count(*) FROM run')" = 0 ]
    run_on new:1x2
    [ "$status" = 0 ]
}

@test "an allocation whose components are in another order" {
    two_partitions
    in_allocation
    stand_in srun 'echo "time 900 us"'
    export SLURM_JOB_NODELIST_HET_GROUP_0='n[1-2]' SLURM_JOB_CPUS_PER_NODE_HET_GROUP_0='4(x2)'
    export SLURM_JOB_NODELIST_HET_GROUP_1='d[1-2]' SLURM_JOB_CPUS_PER_NODE_HET_GROUP_1='4(x2)'
    run_on new:1x2+old:1x1
    [ "$status" = 2 ]
    [[ "$output" = *"has node 'n1' in an earlier component than 'd1'"* ]]
    run_on new:1x2
    [ "$status" = 0 ]
}

@test "a refusal is told in Slurm's words, and no node is asked or left out" {
    two_partitions
    stand_in srun 'echo x >>calls; echo "srun: error: Unable to allocate resources: Invalid partition name specified" >&2; exit 1'
    run motley measure --configuration old:1x1,new:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query 'SELECT DISTINCT reason FROM run')" = "srun: error: Unable to allocate resources: Invalid partition name specified" ]
    [ "$(query 'SELECT count(*) FROM absent')" = 0 ]
    [ "$(wc -l <calls)" = 2 ]
    [[ "$output" != *"no answer"* ]]
}

# srun that waits in the queue as job 12 until the test's file "go" is there
waiting_srun='for word; do case $word in */true) exit 0 ;; esac; done
    echo "srun: job 12 queued and waiting for resources" >&2
    trap "exit 1" TERM
    began=$(date +%s)
    while [ ! -e go ]; do sleep 0.1; done
    echo $(($(date +%s) - began)) >waited
    echo "srun: job 12 has been allocated resources" >&2; echo "time 900 us"'

@test "what a run waits for is told, and the time counts for nothing" {
    two_partitions
    stand_in srun "$waiting_srun"
    stand_in squeue 'echo "11|PENDING|Other"; echo "12+1|PENDING|Resources"; echo "12+0|PENDING|Priority"
        (sleep 5; touch go) >/dev/null 2>&1 3>&- &'
    run motley measure --configuration new:1x1+old:1x1 --sizes 100 --timeout "5 s" \
        cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"motley: 'new:1x1+old:1x1' waits in Slurm's queue (job 12, Resources)"* ]]
    [ "$(query "SELECT wall < $(cat waited) FROM run")" = 1 ]
}

@test "a run that would wait for ever is stopped" {
    two_partitions
    stand_in srun "$waiting_srun"
    stand_in squeue 'echo "12+1|PENDING|PartitionDown"; echo "12+0|PENDING|Priority"'
    run motley measure --configuration new:1x1+old:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query 'SELECT reason FROM run')" = "Slurm's job 12 waits in vain: PartitionDown" ]
    [ "$(query 'SELECT count(*) FROM absent')" = 0 ]
}

@test "a run that fails: nodes are asked in their own partition, and not for long" {
    two_partitions
    stand_in srun 'for word; do case $word in */true) cp arguments.srun asked; exit 0 ;; esac; done; exit 3'
    run_on old:1x1
    [ "$status" = 1 ]
    [ "$(sed 's|.*/true|TRUE|' asked | xargs)" = "--partition=slow --qos=low --constraint=a&b --gres=gpu:2 --immediate=10 --ntasks=1 --nodes=1 $step TRUE" ]
}

# Runs of both groups, made up: 1.3e-4 N seconds on one process and so on.
known_times() {
    echo "configuration,size,seconds" >runs.csv
    for n in 100 200 300 400 500; do
        for c in new:1x1 new:2x1 new:1x2 new:2x2 old:1x1 old:2x1; do
            p=$(echo "$c" | sed 's/.*:\([0-9]*\)x\([0-9]*\)/\1*\2/')
            case $c in new*) f=1 ;; *) f=3 ;; esac
            echo "$c,$n,$(awk "BEGIN { print $f * $n * 2 / ($p) + 1 }")"
        done
    done >>runs.csv
    motley import --cluster site --program script runs.csv
}

# script: the last job script without its paths
script() {
    sed "s|\./program.sh|PROGRAM|g; s|/[^ ]*/srun|SRUN|; s|$PWD|FOLDER|" job.sh
}

@test "plan --sbatch: a job script with its time limit" {
    two_partitions
    stand_in srun ''
    known_times
    run --separate-stderr motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"job script: job.sh" ]]
    high=$(motley plan --size 400 --json cluster.yaml program.yaml | jq '.choices[0].high')
    minutes=$(awk "BEGIN { m = int($high / 60); print m * 60 < $high ? m + 1 : m }")
    script | grep -x "#SBATCH --time=$minutes"
    [ "$minutes" -gt 1 ]
    bash -n job.sh
    SBATCH_PARTITION=other SBATCH_WAIT=1 run --separate-stderr motley plan --size 400 \
        --sbatch job.sh cluster.yaml program.yaml
    [[ "$stderr" = *"motley: SBATCH_PARTITION of the environment would take the place of what 'job.sh' asks sbatch for: unset that first" ]]
    [ "$(motley plan --size 400 --json --sbatch job.sh cluster.yaml program.yaml | jq -r .sbatch)" = job.sh ]
}

@test "plan --sbatch: a mixed configuration is a heterogeneous job" {
    two_partitions
    stand_in srun ''
    known_times
    echo "configuration,size,seconds
new:2x2+old:2x1,400,0.1" >mixed.csv # so that it is the best
    motley import --cluster site --program script mixed.csv
    SLURM_MPI_TYPE=pmix motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    cat job.sh
    [ "$(script)" = "#!/bin/bash
#SBATCH --job-name=motley-script
#SBATCH --partition=slow
#SBATCH --qos=low
#SBATCH --constraint=a&b
#SBATCH --gres=gpu:2
#SBATCH --nodelist=d[1-2]
#SBATCH --nodes=2
#SBATCH --exclusive
#SBATCH --time=1
#SBATCH hetjob
#SBATCH --partition=fast
#SBATCH --account=phys
#SBATCH --nodelist=n[1-2]
#SBATCH --nodes=2
#SBATCH --exclusive
#SBATCH --time=1

cd FOLDER || exit
SRUN --het-group=0 '--nodelist=d[1-2]' --ntasks-per-node=1 --ntasks=2 --nodes=2 --distribution=block --kill-on-bad-exit=1 --mpi=pmix PROGRAM 400 6 : --het-group=1 '--nodelist=n[1-2]' --ntasks-per-node=2 --ntasks=4 --nodes=2 --distribution=block --kill-on-bad-exit=1 --mpi=pmix PROGRAM 400 6" ]
    stand_in srun "$keep_lists"
    bash job.sh
    [ "$(lists)" = "d1 d2 n1 n1 n2 n2" ]
}

@test "plan --sbatch: ranks that are not the same on all nodes have a list of their hosts" {
    two_partitions
    sed -i 's/partition: slow, qos: low,/partition: fast, account: phys}/; /constraint/d' cluster.yaml
    stand_in srun "$keep_lists"
    known_times
    echo "configuration,size,seconds
new:2x2+old:2x1,400,0.1" >mixed.csv
    motley import --cluster site --program script mixed.csv
    motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    grep -A4 "^list " job.sh
    [ "$(grep -A5 '^list ' job.sh | xargs)" = 'list >$hosts/0 <<END n1 2 n2 2 d1 1 d2 1 END' ]
    mkdir scratch
    TMPDIR=$PWD/scratch bash job.sh
    [ "$(lists)" = "n1 n1 n2 n2 d1 d2" ]
    [ -z "$(ls -A scratch)" ]
}

# How many hosts have how many ranks: "100x128", smallest first.
placed() {
    sort lists | uniq -c | awk '{ print $1 }' | sort -n | uniq -c | awk '{ print $1 "x" $2 }' | xargs
}

@test "two partitions of 200 nodes and 128 ranks on each: hosts are no list of all ranks" {
    two_partitions
    sed -i "s/n\[1-2\]/new-node-[001-200]/; s/d\[1-2\]/old-node-[001-200]/; s/\[1, 2\]/[1, 128]/; s/\[1\]/[1, 128]/" cluster.yaml
    stand_in srun "$keep_lists"
    run_on new:200x128+old:200x128
    [ "$status" = 0 ]
    [ "$(placed)" = "400x128" ]
    run_on new:200x128
    [ "$status" = 0 ]
    [ "$(placed)" = "200x128" ]
    sed -i 's/partition: slow, qos: low,/partition: fast, account: phys}/; /constraint/d' cluster.yaml
    run_on new:200x128+old:200x1 # which would be one component
    [ "$status" = 0 ]
    [ "$(placed)" = "200x1 200x128" ]
}

@test "a heterogeneous job that srun cannot start is a failed run, whatever its status" {
    two_partitions
    sed -i 's/^time: .*/time: wall/' program.yaml
    for line in 'srun: error: Task launch for StepId=7.0 failed on node n1: Argument list too long' \
        'srun: error: Application launch failed: Argument list too long'; do
        rm -f motley.db
        stand_in srun "for word; do case \$word in */true) exit 0 ;; esac; done; echo '$line' >&2; exit 0"
        run_on new:2x2+old:1x1
        [ "$status" = 1 ]
        [ "$(query 'SELECT outcome, reason FROM run')" = "failed|$line" ]
    done
}

@test "plan --sbatch does not need srun where it plans" {
    two_partitions
    known_times
    mkdir bin
    ln -s /usr/bin/* bin
    rm -f bin/srun
    PATH=$(dirname "$(command -v motley)"):$PWD/bin motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    grep "^srun '--nodelist=n\[1-2\]' " job.sh
    stand_in srun "$keep_lists"
    bash job.sh
    [ "$(lists)" = "n1 n1 n2 n2" ]
}

# staged_job KEY...: job.sh of a program with input files and these keys
staged_job() {
    two_partitions
    stand_in srun 'eval "program=\${$(($# - 1))}"; exec "$program"'
    known_times
    cat >program.sh <<'END'
#!/bin/sh
cat in.dat deep/in/b.dat seen mesh
echo "time 900 us" >log
END
    sed -i 's/^command: .*/command: [program.sh, "{N}"]/' program.yaml
    printf '%s\n' 'input:' '  - {file: in.dat, content: "n={N} p={P} $HOME `x`"}' \
        "  - file: deep/in/b.dat" '    content: |' '      MOTLEY_END' '      {"b": {N}}' \
        'env: {WHAT: "a b"}' "$@" >>program.yaml
    motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    bash -n job.sh
}

@test "plan --sbatch: input files, prepare and cleanup are part of the job" {
    staged_job 'prepare: [[sh, -c, "echo $WHAT >seen"], [cp, in.dat, mesh]]' 'cleanup: [[touch, cleaned]]'
    SLURM_JOB_ID=7 bash job.sh >output
    cd motley-run-7
    [ "$(cat in.dat)" = 'n=400 p=4 $HOME `x`' ]
    [ "$(wc -l <in.dat)" = 1 ]
    [ "$(cat deep/in/b.dat)" = 'MOTLEY_END
{"b": 400}' ]
    diff in.dat mesh
    [ "$(cat seen)" = "a b" ]
    [ -e cleaned ]
    [ -e log ]
}

@test "plan --sbatch: files with and without a last line end, and such as are none" {
    staged_job
    printf 'a {N}' >one.tmpl
    printf "it's\\n {N}\t\r\n\nb \303\244\377 \$x" >two.tmpl
    printf 'MOTLEY_END\n{N}\r\n' >three.tmpl
    : >four.tmpl
    sed -i '/^input/,/^[^ ]/{/^input/d; /^ /d}' program.yaml
    printf 'input:\n' >>program.yaml
    for i in one two three four; do
        printf '  - {file: "%s", template: %s.tmpl}\n' "out $i" $i >>program.yaml
    done
    motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    SLURM_JOB_ID=7 bash job.sh >output
    for i in one two three four; do
        sed 's/{N}/400/' $i.tmpl | cmp - "motley-run-7/out $i"
    done
}

@test "plan --sbatch: a job whose prepare fails ends with its status, cleaned up" {
    staged_job 'prepare: [[sh, -c, "exit 5"]]' 'cleanup: [[touch, cleaned]]'
    run -5 env SLURM_JOB_ID=7 bash job.sh
    [ -e motley-run-7/cleaned ]
    [ ! -e motley-run-7/log ]
}

@test "plan --sbatch: workdir, and a result in a file" {
    staged_job 'workdir: cases/{N}'
    mkdir -p cases/400
    touch cases/400/seen cases/400/mesh
    SLURM_JOB_ID=7 bash job.sh
    [ -e cases/400/log ]
    [ ! -e motley-run-7 ]
    rm cases/400/in.dat
    ln -s ../../precious cases/400/in.dat # a link is not followed
    SLURM_JOB_ID=7 bash job.sh
    [ ! -e precious ]
    sed -i 's/^workdir.*/workdir: ./; s/file: in.dat/file: program.yaml/' program.yaml
    run motley plan --size 400 --sbatch job2.sh cluster.yaml program.yaml
    [[ "$output" = *"written over 'program.yaml', which it is made from"* ]]
    [ ! -e job2.sh ]
    sed -i 's/file: program.yaml/file: in.dat/' program.yaml
    sed -i "s/^workdir.*//; s/^time: .*/time: {match: 'time (.*) us', unit: us, file: log}/" program.yaml
    motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    run env SLURM_JOB_ID=8 bash job.sh
    [[ "$output" = *"time 900 us" ]]
}

@test "plan --sbatch is for Slurm, and for one size" {
    two_partitions
    known_times
    sed -i 's/launcher: slurm/launcher: openmpi/' cluster.yaml
    run motley plan --size 400 --sbatch job.sh cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$output" = *"jobs for sbatch are for launcher slurm, not openmpi: cluster 'site'" ]]
    [ ! -e job.sh ]
    run motley plan --size 400 --hostfile hosts --sbatch job.sh --verify 1 cluster.yaml program.yaml
    [ "$output" = "motley: jobs for sbatch are for launcher slurm, not openmpi: cluster 'site'" ]
    [ ! -e hosts ]
    run motley plan --size 400,800 --sbatch job.sh cluster.yaml program.yaml
    [ "$output" = "motley: --sbatch is for a plan of one size" ]
}

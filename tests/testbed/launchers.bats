# Open MPI and MPICH on real nodes: which ranks are started where, with what, and
# whether they find each other.

load helpers

setup_file() {
    testbed_begin testbed-launchers
}

setup() {
    testbed_or_skip
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
}

teardown_file() {
    testbed_end
}

# for_launcher NAME: cluster.yaml, and a program whose ranks tell where they are
for_launcher() {
    [ -e "$BUILD_ROOT/preload/$1/libmotley-balance.so" ] || skip "not built for $1"
    sed "s/^launcher: .*/launcher: $1/" "$TESTBED" >cluster.yaml
    cat >where.sh <<'END'
#!/bin/sh
echo "${OMPI_COMM_WORLD_RANK-$PMI_RANK} $(hostname) ${LD_PRELOAD:+patient}" >>ranks
[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 0.001 s"
END
    chmod +x where.sh
    cat >where.yaml <<'END'
name: where
command: [where.sh, '{N}']
time: {match: '^time ([^ ]+) s'}
sizes: {measure: [100, 200]}
work: 1e9*N
timeout: 60 s
END
}

# Runs from which it is known by hand that two processes on each fast node and one on
# each slow node are the best: with what they are, 0.6 N/P + P seconds on the fast nodes,
# (0.66, or with two processes on a node 1.4) N/P + P on the slow ones.
known_runs() {
    {
        echo cluster,program,configuration,size,seconds,outcome,simulated
        for group in fast:1:0.6 fast:2:0.6 slow:1:0.66 slow:2:1.4; do
            IFS=: read -r name processes factor <<<"$group"
            for nodes in 1 2; do
                for size in 100 200; do
                    ranks=$((nodes * processes))
                    echo "testbed-launchers,where,$name:${nodes}x$processes,$size,$(
                        jq -n "$factor * $size / $ranks + $ranks"),ok,false"
                done
            done
        done
    } >runs.csv
    motley import runs.csv
}

# ranks_are LINE...: "RANK HOST WORDS" of every rank
ranks_are() {
    diff <(printf '%s\n' "$@") <(sort -n ranks)
    rm ranks
}

planned_and_given() {
    for_launcher "$1"
    known_runs
    motley run --size 1000 cluster.yaml where.yaml
    ranks_are "0 fast-1 patient" "1 fast-1 patient" "2 fast-2 patient" \
        "3 fast-2 patient" "4 slow-1 patient" "5 slow-2 patient"
    motley run --size 1000 --patient never --configuration fast:1x1+slow:2x2 \
        cluster.yaml where.yaml
    ranks_are "0 fast-1 " "1 slow-1 " "2 slow-1 " \
        "3 slow-2 " "4 slow-2 "
    [ "$(motley show --json runs testbed-launchers where --size 1000 |
        jq -r '.runs[] | .configuration + " " + .launcher')" = \
        "fast:2x2+slow:2x1 $1, patient
fast:1x1+slow:2x2 $1" ]
}

@test "Open MPI: a planned configuration and a given one" {
    planned_and_given openmpi
}

@test "MPICH: a planned configuration and a given one" {
    planned_and_given mpich
}

# messages_pass LAUNCHER: six ranks on four nodes share a computation, and end
messages_pass() {
    for_launcher "$1"
    motley measure --configuration fast:2x2+slow:2x1 --sizes 16 cluster.yaml jacobi
}

@test "Open MPI: messages between nodes" {
    messages_pass openmpi
}

@test "MPICH: messages between nodes" {
    messages_pass mpich
}

# inputs_arrive LAUNCHER: ranks on all nodes run in the folder with the input file, and
# have the program's variables
inputs_arrive() {
    for_launcher "$1"
    cat >where.sh <<'END'
#!/bin/sh
echo "${OMPI_COMM_WORLD_RANK-$PMI_RANK} $(hostname) $(cat in.dat) $GRID" >>ranks
[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 0.001 s"
END
    cat >>where.yaml <<'END'
input: [{file: in.dat, content: "{N}/{ranks:fast}/{ranks:slow}"}]
env: {GRID: "a b,{dims(P,2,1)}x{dims(P,2,2)}"}
prepare: [[sh, -c, "pwd >here"]]
END
    motley run --size 100 --configuration fast:2x2+slow:2x1 ./cluster.yaml ./where.yaml
    cd motley-run-*
    [ "$(cat here)" = "$PWD" ]
    ranks_are "0 fast-1 100/4/2 a b,3x2" "1 fast-1 100/4/2 a b,3x2" "2 fast-2 100/4/2 a b,3x2" \
        "3 fast-2 100/4/2 a b,3x2" "4 slow-1 100/4/2 a b,3x2" "5 slow-2 100/4/2 a b,3x2"
}

@test "Open MPI: input files and variables on all nodes" {
    inputs_arrive openmpi
}

@test "MPICH: input files and variables on all nodes" {
    inputs_arrive mpich
}

@test "the launch command of a plan can be typed" {
    for_launcher openmpi
    known_runs
    motley plan --size 1000 --hostfile hosts --json cluster.yaml where.yaml >plan.json
    sh -c "$(jq -r .launch plan.json)"
    ranks_are "0 fast-1 patient" "1 fast-1 patient" "2 fast-2 patient" \
        "3 fast-2 patient" "4 slow-1 patient" "5 slow-2 patient"
    [[ "$(jq -r .launch plan.json)" = *"motley testbed exec cluster.yaml "*mpirun* ]]
    on head motley plan --size 1000 --json cluster.yaml where.yaml >plan.json
    [[ "$(jq -r .launch plan.json)" != *testbed\ exec* ]]
}

@test "a testbed that is not up: one line, and no run" {
    for_launcher openmpi
    sed -i 's/^name: .*/name: testbed-elsewhere/' cluster.yaml
    run -1 --separate-stderr motley measure --sizes 16 cluster.yaml where.yaml
    [ "$stderr" = "motley: testbed 'testbed-elsewhere' is not up: motley testbed up cluster.yaml" ]
    [ "$(motley show --json runs | jq '.runs | length')" = 0 ]
}

# placed CONFIGURATION LINE...: "RANK HOST THREADS on PROCESSORS" of every rank
placed() {
    rm -f ranks
    on head motley run --size 100 --configuration "$1" cluster.yaml where.yaml
    diff <(printf '%s\n' "${@:2}") <(sort -n ranks)
}

@test "Open MPI: threads that have cores of their own on each of several nodes" {
    [ "$(nproc)" -ge 2 ] || skip "one processor"
    for_launcher openmpi
    # as if each node had this machine's processors to itself
    cat >cluster.yaml <<'END'
name: rankfiles
launcher: openmpi
remote_shell: motley-testbed-rsh
groups:
  - {name: fast, hosts: 'fast-[1-2]', processes: [1, 2], cores: 2}
  - {name: slow, hosts: 'slow-[1-2]', processes: [1, 2], cores: 2}
END
    cat >where.sh <<'END'
#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(hostname) $OMP_NUM_THREADS on $(taskset -cp $$ | sed 's/.*: //')" >>ranks
[ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 0.001 s"
END
    echo 'threads: 1-2' >>where.yaml
    placed fast:2x2+slow:2x1t2 "0 fast-1 1 on 0" "1 fast-1 1 on 1" "2 fast-2 1 on 0" \
        "3 fast-2 1 on 1" "4 slow-1 2 on 0,1" "5 slow-2 2 on 0,1"
    placed fast:1x1t2+slow:1x1t2 "0 fast-1 2 on 0,1" "1 slow-1 2 on 0,1"
}

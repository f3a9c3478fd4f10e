# Threads, binding and hyper-threads: what launchers are asked for, by stand-ins on PATH,
# and what ranks get, by Open MPI and MPICH for real.

load fake

# two_kinds LAUNCHER: three nodes of two groups, of 8 and 4 cores
two_kinds() {
    cat >cluster.yaml <<END
name: two-kinds
launcher: $1
groups:
  - {name: fast, hosts: 'f[01-02]', processes: [1, 2], cores: 8}
  - {name: slow, hosts: s1, processes: [1, 2], cores: 4}
END
}

# here LAUNCHER [CORES]: this machine, as if it had so many cores
here() {
    cat >cluster.yaml <<END
name: here
launcher: $1
groups:
  - {name: a, hosts: localhost, processes: [1, 2], cores: ${2:-2}}
END
}

# stand_in NAME VERSION: an executable on PATH that keeps its arguments and environment
stand_in() {
    mkdir -p bin
    cat >"bin/$1" <<END
#!/bin/sh
[ "\$1" = --version ] && { echo "$2"; exit; }
printf '%s\n' "\$@" >arguments
env >environment
for word; do [ -f "\$word" ] && case \$word in */hostfile) cp "\$word" .;; esac; done
echo "time 900 us"
END
    chmod +x "bin/$1"
    PATH=$PWD/bin:$PATH
}

# launch CONFIGURATION: start the program on it
launch() {
    motley run --size 100 --configuration "$1" cluster.yaml program.yaml >/dev/null
}

# words: the arguments that the stand-in got
words() {
    sed 's|^/.*/hostfile$|FILE|; s|^.*/program.sh$|PROGRAM|' arguments | xargs
}

# The program says on which processors it may run, and its threads
say_places='echo "[$OMP_NUM_THREADS on $(taskset -cp $$ | sed "s/.*: //")]" >>places
    sleep 0.01; [ "${OMPI_COMM_WORLD_RANK-${PMI_RANK-0}}" != 0 ] || echo "time 9000 us"'

@test "Open MPI: each thread has a core" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program '' 'threads: 1-8'
    launch fast:2x2t4
    [ "$(words)" = "--hostfile FILE --map-by slot:PE=4 --bind-to core -np 4 -x OMP_NUM_THREADS=4 PROGRAM 100 4" ]
    [ "$(cat hostfile)" = "f01 slots=2
f02 slots=2" ]
    launch fast:2x2
    [ "$(words)" = "--hostfile FILE --map-by slot -np 4 -x OMP_NUM_THREADS=1 PROGRAM 100 4" ]
}

@test "Open MPI: a program whose file says nothing of threads is told nothing" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program ''
    launch fast:2x2
    [ "$(words)" = "--hostfile FILE --map-by slot -np 4 PROGRAM 100 4" ]
    launch fast:1x1t8
    [ "$(words)" = "--hostfile FILE --map-by slot:PE=8 --bind-to core -np 1 -x OMP_NUM_THREADS=8 PROGRAM 100 1" ]
}

@test "Open MPI: a rankfile where nodes differ" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program '' 'threads: 1-8'
    launch fast:2x2t4+slow:1x1t2
    [ "$(words)" = "--rankfile FILE -np 4 -x OMP_NUM_THREADS=4 PROGRAM 100 5 : -np 1 -x OMP_NUM_THREADS=2 PROGRAM 100 5" ]
    [ "$(cat hostfile)" = "rank 0=f01 slot=0-3
rank 1=f01 slot=4-7
rank 2=f02 slot=0-3
rank 3=f02 slot=4-7
rank 4=s1 slot=0-1" ]
    launch fast:2x2t4@none+slow:1x1@none
    [ "$(words)" = "--hostfile FILE --map-by slot -np 4 --bind-to none -x OMP_NUM_THREADS=4 PROGRAM 100 5 : -np 1 -x OMP_NUM_THREADS=1 PROGRAM 100 5" ]
}

@test "Open MPI: bindings, and hardware threads" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program ''
    launch fast:2x2@core
    [ "$(words)" = "--hostfile FILE --map-by slot --bind-to core -np 4 PROGRAM 100 4" ]
    launch fast:2x2@numa
    [ "$(words)" = "--hostfile FILE --map-by slot --bind-to numa -np 4 PROGRAM 100 4" ]
    launch fast:2x2@none
    [ "$(words)" = "--hostfile FILE --map-by slot -np 4 --bind-to none PROGRAM 100 4" ]
    sed -i 's/cores: 8/&, hyperthreads: yes/' cluster.yaml
    launch fast:2x2t4@core
    [ "$(words)" = "--hostfile FILE --map-by slot:PE=4 --bind-to hwthread --use-hwthread-cpus -np 4 -x OMP_NUM_THREADS=4 PROGRAM 100 4" ]
    launch slow:1x2@core
    [ "$(words)" = "--hostfile FILE --map-by slot --bind-to core -np 2 PROGRAM 100 2" ]
}

@test "threads beyond the cores share them, as processes do" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program ''
    motley run --patient never --size 100 --configuration slow:1x2t4@core cluster.yaml \
        program.yaml
    [ "$(words)" = "--hostfile FILE --map-by slot -np 2 --oversubscribe --bind-to none --mca mpi_yield_when_idle 1 -x OMP_NUM_THREADS=4 PROGRAM 100 2" ]
}

@test "groups that are used together are bound in the same way" {
    two_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program ''
    run motley run --size 100 --configuration fast:1x2@core+slow:1x1@none cluster.yaml \
        program.yaml
    [ "$status" = 2 ]
    [[ "$output" = *"--configuration: a launcher binds all ranks in the same way: give groups 'fast' and 'slow', which are used together, the same binding"* ]]
}

@test "MPICH: threads, and bindings" {
    two_kinds mpich
    stand_in mpiexec "HYDRA build details"
    write_program '' 'threads: 1-8'
    launch fast:2x2t4
    [ "$(words)" = "-f FILE -n 4 -env OMP_NUM_THREADS 4 PROGRAM 100 4" ]
    launch fast:2x2t4@core
    [ "$(words)" = "-f FILE -bind-to core:4 -n 4 -env OMP_NUM_THREADS 4 PROGRAM 100 4" ]
    launch fast:1x2@none
    [ "$(words)" = "-f FILE -bind-to none -n 2 -env OMP_NUM_THREADS 1 PROGRAM 100 2" ]
    launch fast:2x2t4@numa+slow:1x1t2@numa
    [ "$(words)" = "-f FILE -bind-to numa -n 4 -env OMP_NUM_THREADS 4 PROGRAM 100 5 : -n 1 -env OMP_NUM_THREADS 2 PROGRAM 100 5" ]
    run ! launch fast:2x2t4@core+slow:1x1t2@core
    [[ "$output" = *"--configuration: MPICH binds all ranks to equally many cores: give groups"* ]]
    run motley measure --configuration fast:2x2t4@core+slow:1x1t2@core cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$output" = *"--configuration: MPICH binds all ranks to equally many cores: give groups"* ]]
}

@test "MPICH: what it cannot bind is neither measured nor planned" {
    two_kinds mpich
    write_program '' 'threads: [1, 2]' 'bind: [core, none]'
    forbidden() { grep -oE 'fast:[^ ]*@core' | grep slow | grep t2 | grep -vE 't2@core.*t2@core' | sort -u; }
    motley measure --dry-run --all --configuration all --sizes 100 cluster.yaml program.yaml >runs
    grep 'fast:1x1t2@core+slow:1x1t2@core' runs
    grep 'fast:1x1t2@none+slow:1x1@none' runs
    [ -z "$(forbidden <runs)" ]
    { # threads pay on slow nodes only
        echo configuration,size,seconds
        for n in 100 200 400; do
            for x in 1 2; do
                echo "fast:1x1,$n,$n" | sed 's/,/@core,/'
                for nodes in 1 2; do
                    jq -nr "\"fast:${nodes}x$x@core,$n,\\($n / $nodes / $x)\", \"fast:${nodes}x${x}t2@core,$n,\\(3 * $n / $nodes / $x)\""
                done
                jq -nr "\"slow:1x$x@core,$n,\\(4 * $n / $x)\", \"slow:1x${x}t2@core,$n,\\($n / $x)\""
            done
        done
    } >runs.csv
    motley import --cluster two-kinds --program script runs.csv
    motley plan --all --size 400 cluster.yaml program.yaml >plan
    grep 'fast:[^ ]*+slow' plan
    [ -z "$(forbidden <plan)" ]
}

@test "Slurm: processors for each thread, and a component for each number of threads" {
    two_kinds slurm
    stand_in srun "slurm 22.05.8"
    write_program '' 'threads: 1-8'
    launch fast:2x2t4
    [ "$(words)" = "--ntasks=4 --nodes=2 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2 --cpus-per-task=4 --export=ALL,OMP_NUM_THREADS=4 PROGRAM 100 4" ]
    launch fast:1x2@core
    [ "$(words)" = "--ntasks=2 --nodes=1 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2 --cpu-bind=cores --export=ALL,OMP_NUM_THREADS=1 PROGRAM 100 2" ]
    launch fast:1x1t8@numa+slow:1x1t2@numa
    [ "$(words)" = "--nodelist=f01 --ntasks-per-node=1 --ntasks=1 --nodes=1 --distribution=block --kill-on-bad-exit=1 --mpi=pmi2 --cpus-per-task=8 --cpu-bind=ldoms --export=ALL,OMP_NUM_THREADS=8 PROGRAM 100 2 : --nodelist=s1 --ntasks-per-node=1 --ntasks=1 --nodes=1 --distribution=block --kill-on-bad-exit=1 --mpi=pmi2 --cpus-per-task=2 --cpu-bind=ldoms --export=ALL,OMP_NUM_THREADS=2 PROGRAM 100 2" ]
}

@test "launcher command: one number of threads for all" {
    two_kinds command
    sed -i '2a launch: [sh, -c, "echo $OMP_NUM_THREADS >told; exec \\"$@\\"", "{threads}", "{program}"]' cluster.yaml
    write_program 'echo "time 10 us"; sleep 0.01' 'threads: 1-8'
    launch fast:2x2t4
    [ "$(cat told)" = 4 ]
    run ! launch fast:2x2t4+slow:1x1t2
    [[ "$output" = *"launcher 'command' has one number of threads and of GPUs for all ranks, not 4 and 2 threads, 0 and 0 GPUs"* ]]
}

@test "Open MPI for real: ranks get their threads and cores" {
    command -v mpirun.openmpi taskset || skip "no Open MPI"
    [ "$(nproc)" -ge 2 ] || skip "one processor"
    here openmpi
    write_program "$say_places" 'threads: 1-2'
    launch a:1x1t2
    grep -Ex '\[2 on [0-9]+[,-][0-9]+\]' places
    rm places; launch a:1x2
    [ "$(grep -Ecx '\[1 on [0-9]+\]' places)" = 2 ]
    [ "$(sort -u places | wc -l)" = 2 ]
    rm places; launch a:1x2@none
    [ "$(grep -Ecx '\[1 on [0-9]+[,-][0-9]+\]' places)" = 2 ]
}

@test "MPICH for real: ranks get their threads and cores" {
    command -v mpiexec.mpich taskset || skip "no MPICH"
    [ "$(nproc)" -ge 2 ] || skip "one processor"
    here mpich
    write_program "$say_places" 'threads: 1-2'
    launch a:1x1t2@core
    grep -Ex '\[2 on [0-9]+[,-][0-9]+\]' places
    rm places; launch a:1x2@core
    [ "$(sort -u places | wc -l)" = 2 ]
}

@test "a binding that the launcher refuses is a failed run, with its reason" {
    command -v mpirun.openmpi || skip "no Open MPI"
    here openmpi 4096 # which this machine has not
    write_program "$say_places" 'threads: [2048]'
    run ! launch a:1x2t2048@core
    [ "$(query 'SELECT outcome FROM run')" = failed ]
    query 'SELECT output FROM run' | grep -i "bind"
}

@test "threads need to know the cores, and these need to be enough" {
    two_kinds openmpi
    write_program '' 'threads: [8]'
    run ! motley plan --size 100 cluster.yaml program.yaml
    [[ "$output" = *"cluster.yaml: group 'slow' has 4 cores, too few for 1 process of 8 threads, the fewest of the program"* ]]
    sed -i 's/, cores: 4//' cluster.yaml
    run ! motley measure --dry-run cluster.yaml program.yaml
    [[ "$output" = *"cluster.yaml: missing key 'cores' in group 'slow': a program with threads needs it"* ]]
}

# gpu_kinds LAUNCHER: nodes with GPUs, and without
gpu_kinds() {
    cat >cluster.yaml <<END
name: gpu-kinds
launcher: $1
groups:
  - {name: gpu, hosts: 'g[1-2]', processes: [1, 2, 4], cores: 8, gpus: 4}
  - {name: cpu, hosts: c1, processes: [1, 2], cores: 8}
END
}

# planned: the configurations that would be measured, once each
planned() {
    motley measure --dry-run --all --sizes 100 cluster.yaml program.yaml 2>/dev/null |
        grep -o '[a-z]*:1x[^ ]*' | sort -u | xargs
}

@test "GPUs limit the processes on a node, and are part of a configuration" {
    gpu_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program '' 'gpus: [0, 1, 2]'
    [ "$(planned)" = "cpu:1x1 cpu:1x2 gpu:1x1 gpu:1x1g1 gpu:1x1g2 gpu:1x2 gpu:1x2g1 gpu:1x2g2 gpu:1x4 gpu:1x4g1" ]
    run ! launch gpu:1x4g2
    [[ "$output" = *"a node of group 'gpu' has 4 GPUs, not 2 for each of 4 processes: 'gpu:1x4g2'"* ]]
    run ! launch cpu:1x1g1
    [[ "$output" = *"a node of group 'cpu' has 0 GPUs, not 1 for each of 1 process: 'cpu:1x1g1'"* ]]
    sed -i 's/gpus: .*/gpus: 1/' program.yaml
    run ! motley measure --dry-run cluster.yaml program.yaml
    [[ "$output" = *"cluster.yaml: group 'cpu' has 0 GPUs, too few for 1 process of 1 each, the fewest of the program"* ]]
}

@test "GPUs: Slurm is asked for them" {
    gpu_kinds slurm
    stand_in srun "slurm 22.05.8"
    write_program '' 'gpus: [0, 1, 2]'
    launch gpu:1x2g2
    [ "$(words)" = "--ntasks=2 --nodes=1 --distribution=arbitrary --kill-on-bad-exit=1 --mpi=pmi2 --gpus-per-task=2 PROGRAM 100 2" ]
    launch gpu:1x2g1+cpu:1x2
    [ "$(words)" = "--nodelist=c1 --ntasks-per-node=2 --ntasks=2 --nodes=1 --distribution=block --kill-on-bad-exit=1 --mpi=pmi2 PROGRAM 100 4 : --nodelist=g1 --ntasks-per-node=2 --ntasks=2 --nodes=1 --distribution=block --kill-on-bad-exit=1 --mpi=pmi2 --gpus-per-task=1 PROGRAM 100 4" ]
}

@test "GPUs: the ranks of other launchers are given theirs" {
    gpu_kinds openmpi
    stand_in mpirun "http://www.open-mpi.org/"
    write_program '' 'gpus: [0, 1, 2]'
    launch gpu:1x2g2+cpu:1x1
    helper=$(grep -m 1 motley-gpus arguments)
    [ "$(words)" = "--hostfile FILE --map-by slot -np 2 $helper 2 PROGRAM 100 3 : -np 1 $helper 0 PROGRAM 100 3" ]
    say='echo "$CUDA_VISIBLE_DEVICES;$ROCR_VISIBLE_DEVICES"'
    [ "$(OMPI_COMM_WORLD_LOCAL_RANK=1 "$helper" 2 sh -c "$say")" = "2,3;2,3" ]
    [ "$(MPI_LOCALRANKID=3 "$helper" 1 sh -c "$say")" = "3;3" ]
    [ "$(CUDA_VISIBLE_DEVICES=5 "$helper" 0 sh -c "$say")" = ";" ]
    # of those that a scheduler has given to the job
    export MPI_LOCALRANKID=1
    [ "$(CUDA_VISIBLE_DEVICES=2,5,6,GPU-7 "$helper" 2 sh -c "$say")" = "6,GPU-7;2,3" ]
    [ "$(ROCR_VISIBLE_DEVICES=4,5 "$helper" 1 sh -c "$say")" = "1;5" ]
    run -127 env CUDA_VISIBLE_DEVICES=2,5,6 "$helper" 2 true
    [ "$output" = "motley-gpus: no GPUs 3 to 4 of its node for this rank: CUDA_VISIBLE_DEVICES is '2,5,6'" ]
    # HIP counts what is left from 0 on, and heeds CUDA_VISIBLE_DEVICES where this is not set
    [ "$("$helper" 2 sh -c 'echo "$HIP_VISIBLE_DEVICES"')" = "0,1" ]
    unset MPI_LOCALRANKID
    run -127 "$helper" 1 true
    [ "$output" = "motley-gpus: the launcher does not say which rank of its node this is" ]
    run -127 "$helper" 0 ./nothing
    [[ "$output" = "motley-gpus: cannot start './nothing': "* ]]
    run -127 "$helper" x true
}

@test "GPUs for real ranks, of Open MPI and MPICH" {
    say_devices='echo "$CUDA_VISIBLE_DEVICES" >>devices
        sleep 0.01; [ "${OMPI_COMM_WORLD_RANK-$PMI_RANK}" != 0 ] || echo "time 9000 us"'
    for launcher in openmpi mpich; do
        command -v mpirun.openmpi mpiexec.mpich || skip "no MPI"
        here "$launcher" 4
        sed -i 's/cores: 4/&, gpus: 4/; s/processes: .1, 2./processes: [2]/' cluster.yaml
        write_program "$say_devices" 'gpus: 2' 'bind: [none]'
        rm -f devices motley.db
        launch a:1x2g2@none
        [ "$(sort devices | xargs)" = "0,1 2,3" ]
    done
}

@test "GPUs are not simulated" {
    cat >cluster.yaml <<END
name: simulated
launcher: smpi
groups:
  - {name: a, nodes: 1, processes: [1], gpus: 1, simulate: {flops: 1 Gf}}
network: {latency: 20 us, bandwidth: 1 GB/s}
END
    write_program '' 'gpus: 1'
    run ! launch a:1x1g1
    [[ "$output" = *"GPUs are not simulated: group 'a'"* ]]
}

@test "threads on a simulated cluster: measured, planned and run in one go" {
    [ -e "$BUILD_ROOT/apps/smpi/jacobi" ] || skip "no simulator"
    cat >cluster.yaml <<END
name: simulated
launcher: smpi
groups:
  - name: a
    nodes: 4
    processes: [1, 2, 4, 8]
    simulate: {flops: 2 Gf, cores: 8, oversubscription: 0.2}
network: {latency: 50 us, bandwidth: 125 MB/s}
END
    seconds() {
        motley run --json --size 96 --configuration "$1" cluster.yaml jacobi-threads 2>/dev/null |
            jq .seconds
    }
    one=$(seconds a:1x1) two=$(seconds a:1x1t2) shared=$(seconds a:1x8t2)
    [ "$(jq -n "$one / $two | . > 1.95 and . < 2.05")" = true ]
    [ "$(jq -n "$shared > $(seconds a:1x8)")" = true ] # 16 threads on 8 cores
    rm motley.db
    motley measure --quiet --runs 40 cluster.yaml jacobi-threads >/dev/null
    run motley plan --size 192 cluster.yaml jacobi-threads
    # all cores of all nodes are used
    [ "$(awk '$1 == 1 { split($2, part, /[:xt]/); print part[2] * part[3] * (part[4] ? part[4] : 1) }' <<<"$output")" = 32 ]
}

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
    export PATH="$BUILD_ROOT/tests/testbed:$PATH" SLURM_APART=yes
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

@test "motley init: the groups' partitions" {
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

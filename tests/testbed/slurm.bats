# motley and a real Slurm, on the nodes of a testbed.

load helpers
load slurm

setup_file() {
    cat >"$BATS_FILE_TMPDIR/nodes.yaml" <<'END'
name: testbed-slurm
launcher: slurm
groups:
  - name: fast
    hosts: 'fast-[1-2]'
    processes: [1, 2]
    memory: 2048 MiB
    cores: 0.6
    testbed: {bandwidth: 1 Gbps}
  - name: slow
    hosts: 'slow-[1-2]'
    processes: [1]
    memory: 1024 MiB
    cores: 0.3
    testbed: {bandwidth: 1 Gbps}
END
    export PATH="$BUILD_ROOT/tests/testbed:$PATH"
    testbed_begin testbed-slurm "$BATS_FILE_TMPDIR/nodes.yaml"
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

@test "motley init from Slurm: its groups, which can be told apart" {
    grep -q '^launcher: slurm$' cluster.yaml
    [ "$(grep -c 'name: ' cluster.yaml)" = 3 ] # the cluster's, too
    grep -A 5 "name: 'fast'" cluster.yaml | tee fast
    grep -q "hosts: 'fast-\[1-2\]'" fast
    grep -q "processes: \[1, 2\]" fast
    grep -q "cores: 2" fast
    grep -q "memory: 2 GiB" fast
    grep -A 5 "name: 'slow'" cluster.yaml | tee slow
    grep -q "hosts: 'slow-\[1-2\]'" slow
    grep -q "processes: \[1\]" slow
    grep -q "memory: 1 GiB" slow
}

@test "MPICH by pmi2: each rank is on its node" {
    write_program where where-mpich
    launch fast:2x2+slow:1x1 where
    [ "$status" = 0 ]
    [ "$(ranks)" = "fast-1 fast-1 fast-2 fast-2 slow-1" ]
    launch fast:1x2+slow:2x1 where
    [ "$(ranks)" = "fast-1 fast-1 slow-1 slow-2" ]
}

@test "Open MPI by pmix: each rank is on its node" {
    write_program where where-openmpi
    launch_by_pmix fast:2x2+slow:1x1 where
    [ "$status" = 0 ]
    [ "$(ranks)" = "fast-1 fast-1 fast-2 fast-2 slow-1" ]
    launch_by_pmix fast:1x1+slow:2x1 where
    [ "$(ranks)" = "fast-1 slow-1 slow-2" ]
}

@test "Open MPI by its mpirun inside an allocation: each rank is on its node" {
    write_program where where-openmpi
    sed 's/^launcher: .*/launcher: openmpi/' cluster.yaml >openmpi.yaml
    run --separate-stderr on head salloc --quiet --nodes 4 --exclusive \
        motley run --configuration fast:1x2+slow:2x1 --size 1 openmpi.yaml where.yaml
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [ "$(ranks)" = "fast-1 fast-1 slow-1 slow-2" ]
}

@test "a campaign inside an allocation is steps of its job" {
    write_program name hostname
    run --separate-stderr on head salloc --nodes 4 --exclusive \
        motley measure cluster.yaml name.yaml
    echo "$output" "$stderr"
    [ "$output" = "6 runs measured, 0 failed, 0 measured before" ]
    job=$(sed -n 's/.*Granted job allocation //p' <<<"$stderr")
    next=$(on head srun printenv SLURM_JOB_ID)
    [ "$next" = $((job + 1)) ]
}

@test "a run that fails leaves no job behind" {
    write_program fails false
    launch fast:2x1+slow:1x1 fails
    [ "$status" = 1 ]
    slurm_await no_jobs_now
}

@test "a run that takes too long leaves no job behind" {
    write_program lasts sleep 98765
    launch fast:2x1+slow:1x1 lasts --timeout "2 s"
    [ "$status" = 1 ]
    slurm_await no_jobs_now
    run -1 pgrep -f "sleep 98765"
}

@test "waiting for nodes is not running" {
    write_program short sleep 1
    on head srun --partition slow --nodes 2 --exclusive sleep 10 3>&- &
    slurm_await eval '! no_jobs_now'
    launch fast:1x1+slow:1x1 short --timeout "8 s"
    [ "$status" = 0 ]
    [[ "$output" = *"has been allocated resources"* ]]
    wait
}

@test "nodes that Slurm does not give: the run fails, and says why" {
    write_program short sleep 1
    on head scontrol update nodename=slow-1 state=drain reason=test
    launch fast:1x1+slow:1x1 short
    on head scontrol update nodename=slow-1 state=resume
    [ "$status" = 1 ]
    [[ "$output" = *"Required node not available"* ]]
    slurm_await no_jobs_now
}

@test "kill -9 of motley, or of srun, leaves no job and no rank" {
    printf '#!/bin/sh\necho $$ >>%s/ranks\nexec sleep 1000\n' "$PWD" >hang.sh
    chmod +x hang.sh
    write_program hang hang.sh
    sed -i 's/^timeout.*/timeout: 1 h/' hang.yaml
    both_run() { [ "$(wc -l <ranks)" = 2 ]; }
    for victim in motley srun; do
        rm -f ranks
        TMPDIR=$PWD motley testbed exec --node head "$TESTBED" motley run --configuration fast:2x1 --size 1 cluster.yaml hang.yaml \
            >out 2>&1 3>&- &
        local motley=$!
        for _ in $(seq 300); do
            both_run 2>/dev/null && break
            sleep 0.1
        done
        both_run
        if [ $victim = motley ]; then
            kill -KILL $motley
        else
            kill -KILL "$(pgrep -P $motley -x srun)"
        fi
        wait $motley || true
        for _ in $(seq 150); do
            left=$(for rank in $(cat ranks); do
                ! grep -sq sleep "/proc/$rank/cmdline" || echo "$rank"
            done)
            [ -z "$left" ] && [ -z "$(ls -d motley-session-* 2>/dev/null)" ] && break
            sleep 0.1
        done
        [ -z "$left" ]
        [ -z "$(ls -d motley-session-* 2>/dev/null)" ]
    done
}

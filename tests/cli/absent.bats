# Nodes that do not answer: in the middle of a measurement, a run, a plan that is being
# verified; and when they come back.

load fake

# An Open MPI whose job fails when a host of its hostfile is listed in the file `down`.
# While it makes its run number $(cat dies_at), the host in the file `dying` dies.
write_mpirun() {
    mkdir bin
    cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) http://www.open-mpi.org/"; exit; }
hosts=$(sed 's/ .*//' "$2")
while [ "$1" != -np ]; do shift; done
shift 2
if [ "${1##*/}" != true ]; then
    echo run >>runs
    [ "$(wc -l <runs)" = "$(cat dies_at)" ] && cat dying >>down
else
    echo $hosts >>asked
fi
for host in $hosts; do
    grep -qx "$host" down && { echo "lost $host"; exit 7; }
done
exec "$@"
END
    chmod +x bin/mpirun
    PATH=$PWD/bin:$PATH
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
    cat >cluster.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: fast, hosts: 'fast-[1-2]', processes: [1]}
  - {name: slow, hosts: 'slow-[1-2]', processes: [1]}
END
    # Twice as fast on both groups as on one; no group is better than the other.
    write_program 'awk "BEGIN { print \"time\", $1 / $2 + 0.01 * $2, \"us\" }"' \
        'work: N'
    sed -i 's/^sizes.*/sizes: {measure: [100, 200], plan: [1000]}/' program.yaml
    write_mpirun
    touch down
    echo 0 >dies_at
}

measure() {
    run --separate-stderr motley measure "$@" ./cluster.yaml ./program.yaml
}

plan() {
    run --separate-stderr motley plan --size 1000 "$@" ./cluster.yaml ./program.yaml
}

dies_at() {
    echo "$1" >dies_at
    echo "$2" >dying
}

failed() {
    query "SELECT reason FROM run WHERE outcome <> 'ok'"
}

@test "the path of what asks nodes is taken as it is" {
    mkdir '{N}'
    ln -s "$(command -v true)" '{N}/true'
    PATH="$PWD/{N}:$PATH"
    echo slow-2 >down
    measure --quiet
    [[ "$stderr" = *"no answer from slow-2: left out from now on"* ]] || { echo "$stderr"; return 1; }
}

@test "measure: the run fails and names the node, what can still run is run" {
    # The order of the runs is that of the seed; this one is on both slow nodes.
    dies_at 6 slow-2
    measure
    [ "$status" = 1 ]
    [ "$output" = "6 runs measured, 1 failed, 0 measured before; left out for want of nodes that answer: 1" ]
    [[ "$stderr" = "motley: no answer from slow-2: left out from now on"*"1 run failed:"* ]]
    [[ "$stderr" = *"  slow:2x1, N = 100, repetition 1: exit status 7; node 'slow-2' does not answer: lost slow-2"* ]]
    [ "$(failed)" = "exit status 7; node 'slow-2' does not answer: lost slow-2" ]
    [ "$(query 'SELECT cluster, host FROM absent')" = "lab|slow-2" ]
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 6 ]
    # Both nodes by one job, then each by its own, side by side; nobody else.
    [ "$(sort asked | xargs -d '\n')" = "slow-1 slow-1 slow-2 slow-2" ]
}

@test "plan and measure leave it out, until it answers" {
    dies_at 6 slow-2
    measure
    plan
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: left out, as it has not answered since 20"*": slow-2; 'motley check ./cluster.yaml' asks again"* ]]
    [[ "${lines[2]}" = "   1  fast:2x1+slow:1x1 "* ]]
    [[ "$output" != *slow:2x1* && "$output" = *"proven: of 5 configurations"* ]]
    plan --all --hostfile hosts
    [ "$(xargs <hosts)" = "fast-1 slots=1 fast-2 slots=1 slow-1 slots=1" ]
    run --separate-stderr motley plan --size 500,1000 ./cluster.yaml ./program.yaml
    [[ "$status" = 0 && "$output" != *slow:2x1* && "$stderr" = *"slow-2"* ]]

    measure --dry-run
    [ "${lines[-1]}" = "0 of 6 runs left" ]
    measure
    [ "$status" = 0 ]
    [ "$output" = "0 runs measured, 0 failed, 6 measured before" ]
    [[ "$stderr" = "motley: left out, as it has not answered since "* ]]
    measure --configuration slow:2x1,slow:1x1
    [ "$status" = 0 ]
    [ "$output" = "0 runs measured, 0 failed, 2 measured before; left out for want of nodes that answer: 2" ]

    : >down
    measure --dry-run
    [[ "$stderr" = *"slow-2"* ]]
    measure
    [ "$status" = 0 ]
    [ "$stderr" = "motley: slow-2 answers again" ]
    [ "$output" = "2 runs measured, 0 failed, 6 measured before" ]
    plan
    # That its run failed once does not speak against it.
    [[ "${lines[2]}" = "   1  fast:2x1+slow:2x1 "* && -z "$stderr" ]]
}

@test "run asks nodes that were left out again, as they may have been resumed" {
    dies_at 6 slow-2
    measure
    : >down
    run --separate-stderr motley run --size 1000 ./cluster.yaml ./program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: slow-2 answers again"* ]]
    [[ "$output" = *"fast:2x1+slow:2x1"* ]]
}

@test "other nodes of the group make the run, and the hostfile has them" {
    dies_at 1 fast-1
    measure --configuration fast:1x1 --sizes 100
    [ "$status" = 1 ]
    [ "$output" = "1 run measured, 1 failed, 0 measured before" ]
    [ "$(query 'SELECT outcome, absent FROM run' | xargs)" = "failed|fast-1 ok|" ]
    # A node of the run does not answer, nor is there another one in it: who does?
    [ "$(xargs -d '\n' <asked)" = "fast-1 fast-2 slow-1 slow-2" ]
    measure --configuration fast:1x1 --sizes 200
    [ "$status" = 0 ]
}

@test "a group may lose all its nodes" {
    dies_at 5 fast-1 # which is the first of the two on the fast nodes
    echo fast-2 >>dying
    measure --configuration fast:2x1,slow:1x1,slow:2x1
    [ "$status" = 1 ]
    [ "$output" = "4 runs measured, 1 failed, 0 measured before; left out for want of nodes that answer: 1" ]
    plan
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: left out, as they have not answered since "*": fast-[1-2]; "*" asks again" ]]
    [[ "$output" = *"proven: of 2 configurations"* && "$output" != *fast:* ]]
    plan --all
    [[ "$status" = 0 && "$output" != *fast:* ]]
    run --separate-stderr motley predict --size 1000 ./cluster.yaml ./program.yaml
    [ "$status" = 0 ]
}

@test "the last node that is left may die, too" {
    sed -i '/slow/d' cluster.yaml
    dies_at 1 fast-1
    measure --configuration fast:1x1 --sizes 100
    echo fast-2 >>down
    measure --configuration fast:1x1 --sizes 200
    [ "$status" = 1 ]
    [ "$(failed | tail -n 1)" = "exit status 7; no node answers: lost fast-2" ]
    [ "$(query "SELECT absent FROM run ORDER BY id DESC LIMIT 1")" = fast-2 ]
    [ "$(query 'SELECT host FROM absent')" = fast-1 ]
}

@test "when no node answers the fault may be on this side: none is left out" {
    printf '%s\n' fast-1 fast-2 slow-1 slow-2 >down
    measure
    [ "$status" = 1 ]
    [ "$output" = "0 runs measured, 8 failed, 0 measured before" ]
    [ "$(failed | sort -u)" = "exit status 7
exit status 7; no node answers: lost fast-1" ]
    [ "$(query 'SELECT count(*) FROM absent')" = 0 ]
    # It was asked only once.
    [ "$(failed | grep -c 'no node')" = 1 ]
}

@test "motley can be stopped while it asks" {
    sed -i 's/echo $hosts >>asked/echo $hosts >>asked; kill -TERM $PPID; exec sleep 100/' bin/mpirun
    dies_at 1 fast-1
    measure
    [ "$status" = 143 ]
    [[ "$output" = "0 runs measured, 1 failed, 0 measured before; interrupted" ]]
    [ "$(failed)" = "exit status 7" ]
    [ "$(grep -c . asked)" = 1 ]
    [ -z "$(ls -d motley-?????? 2>/dev/null)" ]
}

@test "a program that fails while all nodes answer: nothing else is said" {
    write_program 'exit 3'
    measure --sizes 100
    [ "$status" = 1 ]
    [ "$(failed | sort -u)" = "exit status 3" ]
    [ "$(query 'SELECT count(*) FROM absent')" = 0 ]
    [ "$(grep -c . asked)" = 4 ]
}

@test "a run that exceeds its time-out because a node died" {
    sed -i 's/ exit 7; / [ "${1##*\/}" = true ] \&\& exit 7; exec sleep 100; /' bin/mpirun
    dies_at 1 slow-2
    measure --configuration slow:2x1,fast:1x1 --timeout '3 s' --sizes 100 --seed 1
    [ "$status" = 1 ]
    [ "$output" = "1 run measured, 1 failed, 0 measured before" ]
    [ "$(failed)" = "it was stopped because it took longer than 3.000 s; node 'slow-2' does not answer: lost slow-2" ]
}

@test "run: says that a node died, and the next one leaves it out" {
    measure
    : >runs
    dies_at 1 slow-1
    run --separate-stderr motley run --size 1000 ./cluster.yaml ./program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"motley: the run on 'fast:2x1+slow:2x1' failed: no answer from slow-1; the next plan leaves out nodes that do not answer: run again" ]]
    [ "$(grep -c . runs)" = 1 ]
    run --separate-stderr motley run --size 1000 ./cluster.yaml ./program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: left out, as it has not answered since "*": slow-1; "*"starting script, N = 1000, on fast:2x1+slow:1x1; "* ]]
    [[ "$output" = *"configuration  fast:2x1+slow:1x1, P = 3"* ]]
    run --separate-stderr motley run --size 1000 --configuration slow:2x1 ./cluster.yaml ./program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"motley: the configuration needs 2 nodes of group 'slow', of which 1 answers"* ]]
    # What failed for want of a node is planned again when the node is back.
    : >down
    measure
    plan
    [[ "${lines[2]}" = "   1  fast:2x1+slow:2x1 "* ]]
}

@test "plan --verify goes on with the nodes that are left" {
    measure
    : >runs
    dies_at 1 slow-1
    plan --verify 4
    [ "$status" = 0 ]
    [[ "$output" = *"run 1: fast:2x1+slow:2x1, predicted "*", failed"* ]]
    [[ "$output" = *"run 2: fast:2x1+slow:1x1, predicted "*", measured "* ]]
    [ "$(query "SELECT count(*) FROM run WHERE outcome <> 'ok'")" = 1 ]
    [[ "${lines[-2]}" = "verified by "?" runs: fast:2x1+slow:1x1 is the best now; "* ]]
    [[ "$stderr" = *"motley: no answer from slow-1: left out from now on"* ]]
}

@test "measure --runs goes on with the nodes that are left" {
    sed -i 's/measure: .*/measure: [100, 200, 300, 400], plan: [1000]}/' program.yaml
    dies_at 3 slow-2
    measure --runs 12
    [ "$status" = 1 ]
    [[ "$output" = *" runs measured, 1 failed, 0 measured before, "* ]]
    [ "$(query "SELECT count(*) FROM run WHERE outcome <> 'ok'")" = 1 ]
    [ "$(query "SELECT count(*) FROM run WHERE configuration LIKE '%slow:2%'
        AND id > (SELECT id FROM run WHERE outcome <> 'ok')")" = 0 ]
    # the node that is left runs on, at each of the two sizes that tell all
    [ "$(query "SELECT count(*) >= 2 AND max(id) > (SELECT id FROM run WHERE outcome <> 'ok')
        FROM run WHERE configuration LIKE 'slow:1%'")" = 1 ]
    measure --runs 12
    [ "$(query "SELECT count(*) FROM run WHERE outcome <> 'ok'")" = 1 ]
}

@test "a simulated cluster is not asked" {
    run --separate-stderr motley measure --sizes 400 --configuration xeon:1x1 --timeout '1 us' toyohashi-2 lu
    [ "$status" = 1 ]
    [ "$(query 'SELECT count(*) FROM absent')" = 0 ]
    [ ! -e asked ]
}

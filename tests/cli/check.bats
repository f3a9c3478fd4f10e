# motley check with a launcher and a probe that are made up: what they say is known.

load fake

# A cluster of four nodes, an Open MPI that reaches those that are not in the file
# "dead", and a probe that finds all well but for what change.sed makes of its words.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    mkdir bin
    cat >bin/mpirun <<'END_MPIRUN'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) http://www.open-mpi.org/"; exit; }
cut -d' ' -f1 "$2" | grep -qxf dead && { echo "ssh: no route to host"; exit 1; }
cp "$2" hostfile.used
echo "$@" >mpirun.arguments
while [ "$1" != -np ]; do shift; done
shift 2
[ "$1" = --bind-to ] && shift 2
case $1 in
*/motley-probe) shift && exec ./made-up-probe "$@" ;;
*) exec "$@" ;;
esac
END_MPIRUN
    cat >made-up-probe <<'END_PROBE'
#!/bin/bash
echo "$@" >>probe.arguments
rank=0
while read -r host _; do
    echo "{\"test\":\"rank\",\"rank\":$rank,\"host\":\"$host\",\"mpi\":\"Some MPI 1\",\"cores\":4,\"load\":0.1}"
    echo "{\"test\":\"compute\",\"rank\":$rank,\"flops\":2e9,\"bandwidth\":8e9}"
    rank=$((rank + 1))
done <hostfile.used >words
while [ "$1" ] && [ "$1" != --pairs ]; do shift; done
for pair in ${2//,/ }; do
    for bytes in 1 1024 16384 32768 65536 131072 1048576; do
        echo "{\"test\":\"pair\",\"from\":${pair%-*},\"to\":${pair#*-},\"bytes\":$bytes,\"seconds\":$((bytes / 100 + 50))e-6,\"median\":$((bytes / 100 + 60))e-6}"
    done
done >>words
for ((i = 0; i < rank; i++)); do
    echo "{\"test\":\"network\",\"rank\":$i,\"interface\":\"eth0\",\"mtu\":1500,\"eager\":65536,\"buffer\":null}"
done >>words
echo "{\"test\":\"alltoall\",\"ranks\":$rank,\"bytes\":1024,\"seconds\":1e-4,\"median\":1e-4}" >>words
echo "a warning of the launcher's"
sed -f change.sed words
END_PROBE
    chmod +x bin/mpirun made-up-probe
    cat >lab.yaml <<'END_CLUSTER'
name: lab
launcher: openmpi
groups:
  - {name: a, hosts: 'a[1-3]', processes: [1]}
  - {name: b, hosts: b1, processes: [1]}
END_CLUSTER
}

setup() {
    cd "$BATS_TEST_TMPDIR"
    cp -r "$BATS_FILE_TMPDIR"/{bin,made-up-probe,lab.yaml} .
    PATH=$PWD/bin:$PATH
    touch dead change.sed
}

# check [OPTION...]: of the lab
check() {
    run --separate-stderr motley check "$@" ./lab.yaml
}

# finds KIND NODES: JSON has one finding, of that kind, about these nodes
finds() {
    check --json
    [ "$status" = 3 ]
    [ "$(jq -r '.findings[] | "\(.kind) \(.nodes | join(" "))"' <<<"$output")" = "$1 $2" ]
}

@test "nothing is wrong: exit 0, and a line for each node and pair" {
    check
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "${lines[0]}" = "lab, Some MPI 1" ]
    [[ "$output" =~ a1\ +a\ +yes\ +4\ +0.10\ +2.00\ Gf\ +8.00\ GB/s ]]
    [[ "$output" =~ a1\ +a2\ +60.00\ us\ +17.1\ MB/s\ +86.9\ MB/s\ +99.5\ MB/s ]]
    [ "${lines[-1]}" = "Nothing is wrong." ]
}

@test "the probe is asked for a ring of nodes and for all groups" {
    check
    [ "$(cat probe.arguments)" = "--compute --alltoall --max-bytes 1048576 --pairs 0-1,1-2,2-3,3-0" ]
    [ "$(cut -d' ' -f1 hostfile.used | xargs)" = "a1 a2 a3 b1" ]
}

@test "the probe is bound to no core, so that it can count them" {
    check
    [[ "$(cat mpirun.arguments)" = *" -np 4 --bind-to none "*"/motley-probe --compute "* ]]
}

@test "JSON" {
    check --json
    [ "$status" = 0 ]
    jq -e '.cluster == "lab" and .simulated == false and .findings == []' <<<"$output"
    jq -e '.nodes[3] == {node: "b1", group: "b", answers: true, host: "b1",
        mpi: "Some MPI 1", cores: 4, load: 0.1, flops: 2000000000,
        bandwidth: 8000000000, interface: "eth0", mtu: 1500, eager_limit: 65536,
        tcp_buffer: null}' <<<"$output"
    jq -e '.links[0].eager_up_to == null' <<<"$output"
    jq -e '.links | map("\(.from) \(.to)") == ["a1 a2", "a2 a3", "a3 b1", "b1 a1"]' <<<"$output"
    jq -e '.links[0].messages[0] == {bytes: 1, seconds: 0.00005}' <<<"$output"
    jq -e '.alltoall == [{bytes: 1024, seconds: 0.0001}]' <<<"$output"
}

@test "a node that does not answer is named, and left out of the rest" {
    echo a2 >dead
    check
    [ "$status" = 3 ]
    [[ "$output" == *"1. no answer from: a2 (ssh: no route to host)"* ]]
    [[ "$output" =~ a2\ +a\ +no\ +-\ +-\ +-\ +- ]]
    [ "$(cut -d' ' -f1 hostfile.used | xargs)" = "a1 a3 b1" ]
    [ "$(cat probe.arguments)" = "--compute --alltoall --max-bytes 1048576 --pairs 0-1,1-2,2-0" ]
    finds absent a2
}

@test "a group of which no node answers" {
    echo b1 >dead
    finds absent b1
    [ "$(cut -d' ' -f1 hostfile.used | xargs)" = "a1 a2 a3" ]
}

@test "other MTUs, eager limits and buffers than most nodes have" {
    echo '/network","rank":2/s/1500/9000/' >change.sed
    finds mtu a3
    [ "$(jq -r '.findings[0].text' <<<"$output")" = \
        "unequal MTUs of network interfaces: a3 (9000 B)" ]
    echo '/network","rank":0/s/65536/32768/' >change.sed
    finds eager a1
    echo '/network","rank":[01]/s/"buffer":null/"buffer":8192/; /rank":3/s/"buffer":null/"buffer":16384/' >change.sed
    finds eager b1
}

@test "no interface and no limit is known: no column" {
    echo '/network/s/:1500/:null/; /network/s/"interface":"eth0",//; /network/s/65536/null/' >change.sed
    check
    [ "$status" = 0 ]
    [[ "$output" != *MTU* && "$output" != *"eager "[^u]* ]]
}

@test "a store keeps which nodes are absent, until they answer again" {
    echo a2 >dead
    check
    [ -z "$(query "SELECT host FROM absent")" ] # there was no store yet
    printf '%s\n' cluster,program,configuration,size,seconds,outcome \
        lab,toy,a:1x1,10,5,ok >runs.csv
    motley import runs.csv
    check
    [ "$(query "SELECT cluster, host FROM absent")" = "lab|a2" ]
    rm dead
    touch dead
    check --db motley.db
    [ "$status" = 0 ]
    [ -z "$(query "SELECT host FROM absent")" ]
}

@test "figures of links are kept, for plans to start from" {
    check
    [ "$status" = 0 ]
    run motley show links
    [ "${#lines[@]}" = 3 ]
    [[ "${lines[1]}" =~ lab\ +a\ +a\ +60.00\ us\ +99.5\ MB/s\ +measured\ +20 ]]
    [[ "${lines[2]}" =~ lab\ +a\ +b ]]
    # between the groups messages take much longer now
    echo '/"to":3\|"from":3/s/e-6/e-5/g' >change.sed
    check
    run motley show --json links lab
    jq -e '.simulated == false and (.links | length) == 2' <<<"$output"
    jq -e '.links[1] | .from == "a" and .to == "b" and .latency > 5e-4 and
        .bandwidth < 1e7 and .measured > 1e9' <<<"$output"
    run --separate-stderr motley show --json links other
    [ "$status" = 1 ] && [[ "$stderr" = *"nothing of cluster 'other' in store"* ]]
}

@test "how long messages take over their length is kept, also of one group" {
    cat >one.yaml <<'END_CLUSTER'
name: one
launcher: openmpi
groups: [{name: a, hosts: 'a[1-3]', processes: [1]}]
END_CLUSTER
    run motley check ./one.yaml
    points=$(query "SELECT count(*) FROM link_point WHERE cluster = 'one'")
    [ "$points" = 7 ]
    [ "$(query "SELECT count(*) FROM link WHERE cluster = 'one'")" = 1 ]
    run motley check ./one.yaml # in place of those before
    [ "$(query "SELECT count(*) FROM link_point WHERE cluster = 'one'")" = "$points" ]
}

@test "a new figure of links changes what models say of several groups" {
    cat >toy.yaml <<'END_PROGRAM'
name: toy
command: [toy, '{N}']
time: wall
work: N^3
sizes: {measure: [100, 200, 400, 800]}
END_PROGRAM
    awk 'BEGIN {
        print "cluster,program,configuration,size,seconds,outcome"
        for (n = 100; n <= 800; n *= 2) {
            for (p = 1; p <= 3; p++)
                printf "lab,toy,a:%dx1,%d,%.9g,ok\n", p, n,
                    1e-8 * n^3 / p + 1e-3 * n * log(p) / log(2)
            printf "lab,toy,b:1x1,%d,%.9g,ok\n", n, 2e-8 * n^3
        }
    }' >runs.csv
    motley import runs.csv
    plan() {
        motley plan --json --size 800 ./lab.yaml ./toy.yaml 2>/dev/null |
            jq '.choices[] | select(.configuration == "a:3x1+b:1x1").seconds'
    }
    before=$(plan)
    check
    [ "$(plan)" = "$before" ] # as fast between the groups as inside
    sleep 1
    echo '/"to":3\|"from":3/s/e-6/e-5/g' >change.sed
    check
    jq -en "$(plan) > 1.2 * $before"
    motley fit ./lab.yaml ./toy.yaml >fit.txt
    grep -q "%  work/P.*, links as checked$" fit.txt
    motley fit --json ./lab.yaml ./toy.yaml |
        jq -e '.explanation.hypotheses | all(.hypothesis | endswith(", links as checked"))'
}

@test "a check that cannot write is a check" {
    echo nonsense >broken.db
    check --db broken.db
    [ "$status" = 0 ]
    [ "${lines[-1]}" = "Nothing is wrong." ]
    [[ "$stderr" == *"cannot store the figures of links: "* ]]
    check --db absent/motley.db
    [ "$status" = 0 ]
    [[ "$stderr" == "motley: cannot store the figures of links: "* ]]
}

@test "no node answers: exit 1" {
    printf '%s\n' a1 a2 a3 b1 >dead
    check
    [ "$status" = 1 ]
    [ "$stderr" = "motley: no node of cluster 'lab' answers: ssh: no route to host" ]
}

@test "one node alone" {
    printf '%s\n' a1 a2 b1 >dead
    check --json
    [ "$status" = 3 ]
    jq -e '.links == []' <<<"$output"
    [ "$(cat probe.arguments)" = "--compute" ]
}

@test "another MPI" {
    echo '/"rank":2,/s/Some MPI 1/Some MPI 2/' >change.sed
    finds mpi a3
    jq -e '.findings[0].text ==
        "another MPI than that of a1 (Some MPI 1): a3 (Some MPI 2)"' <<<"$output"
}

@test "load of others" {
    echo '/"rank":1,/s/"load":0.1/"load":1.3/' >change.sed
    finds load a2
    check
    [[ "$output" == *"computing for others in the last minute: a2 (load 1.30 on 4 cores)"* ]]
}

@test "two names of one computer" {
    echo 's/"host":"a2"/"host":"a1"/' >change.sed
    finds host "a1 a2"
}

@test "a slow processor, slow memory, a slow connection: asked twice" {
    echo '/"rank":0,/s/"flops":2e9/"flops":1.7e9/' >change.sed
    finds compute a1
    [ "$(wc -l <probe.arguments)" = 2 ]
    echo '/"rank":0,/s/"bandwidth":8e9/"bandwidth":5e9/' >change.sed
    finds memory a1
    # Of rank 2, which is a3: 1 MiB takes twice as long.
    echo '/"from":2\|"to":2/s/10535e-6/20000e-6/' >change.sed
    finds link a3
}

@test "bad luck in the first probe" {
    sed -i 's|^sed -f.*|[ "$(wc -l <probe.arguments)" = 1 ] \&\& sed -i "/compute.*rank.:1,/s/2e9/1e9/" words\n&|' made-up-probe
    check
    [ "$status" = 0 ]
    [ "$(wc -l <probe.arguments)" = 2 ]
}

@test "a dip is named with its sizes" {
    echo '/"bytes":\(32768\|65536\),/s/"\(seconds\|median\)":\([0-9]*\)e/"\1":\29e/g' >change.sed
    check --json
    [ "$status" = 3 ]
    jq -e '[.findings[] | {kind, bytes}] | unique ==
        [{kind: "dip", bytes: [32768, 65536]}]' <<<"$output"
    jq -e '.findings[0].text | test("messages of 32 KiB to 64 KiB .* in group .a.: a1 to a2 ")' <<<"$output"
    jq -e '.findings[1].text | test("between groups .a. and .b.: a3 to b1 .*b1 to a1 ")' <<<"$output"
}

@test "a probe that fails" {
    printf '#!/bin/sh\necho "no such device"\necho -----\nexit 7\n' >made-up-probe
    check
    [ "$status" = 1 ]
    [ -z "$output" ]
    [ "$stderr" = "motley: the probe of the nodes ended with exit status 7: no such device" ]
    printf '#!/bin/sh\nkill -SEGV $$\n' >made-up-probe
    check
    [ "$status" = 1 ]
    [ "$stderr" = "motley: the probe of the nodes was killed by signal 11" ]
}

@test "a probe whose nodes Slurm does not give" {
    sed -i 's/openmpi/slurm/' lab.yaml
    cat >bin/srun <<'END_SRUN'
#!/bin/sh
for last; do :; done
[ "${last##*/}" = true ] && exit # all nodes answer
echo "srun: Required node not available (down, drained or reserved)"
echo "srun: job 7 queued and waiting for resources"
exec sleep 1000
END_SRUN
    chmod +x bin/srun
    check
    [ "$status" = 1 ]
    [ "$stderr" = "motley: the probe of the nodes was killed by signal 15: srun: Required node not available (down, drained or reserved)" ]
}

@test "a probe whose words make no sense" {
    echo '/"rank":2,"flops"/s/2e9/fast/' >change.sed
    check
    [ "$status" = 1 ]
    [[ "$stderr" == "motley: the probe's words make no sense: '{\"test\":\"compute\",\"rank\":2,\"flops\":fast"* ]]
}

@test "a launcher that starts too few ranks" {
    echo '/"rank":3,/d' >change.sed
    check
    [ "$status" = 1 ]
    [ "$stderr" = "motley: the launcher started no probe on node 'b1', or it said nothing" ]
}

@test "Ctrl-C stops the probe" {
    printf '#!/bin/sh\necho $$ >pid; exec sleep 1000\n' >made-up-probe
    env --default-signal=INT motley check ./lab.yaml 3>&- &
    pid=$!
    await test -s pid
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 130 ]
    gone "$(cat pid)"
}

@test "wrong usage" {
    run --separate-stderr motley check
    [ "$status" = 2 ]
    [ "$stderr" = "motley: a cluster is needed" ]
    check more
    [ "$status" = 2 ]
    [[ "$stderr" == *"one argument too many: './lab.yaml'"* ]]
    run --separate-stderr motley check no-such-cluster
    [ "$status" = 1 ]
    [[ "$stderr" == *"no such name in 'clusters': 'no-such-cluster'"* ]]
    [ ! -e probe.arguments ]
}

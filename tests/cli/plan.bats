# motley plan: the best configurations of a lab where they are known by hand.

bats_require_minimum_version 1.5.0
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab
    write_program 'echo "N = $1, P = $2"'
    write_mpirun
}

# The np-t models of the lab's runs are exact.
plan() {
    run --separate-stderr motley plan --model np-t "$@" ./lab.yaml ./toy.yaml
}

# best COLUMN...: these columns of the table's rows
best() {
    awk -v columns="$*" '/^ +[0-9]+ / {
        n = split(columns, c, " ")
        for (i = 1; i <= n; i++) printf "%s%s", $c[i], i < n ? " " : "\n" }' <<<"$output"
}

# choices JQ-FILTER: of each choice of the JSON
choices() {
    jq -c "[.choices[] | $1]" <<<"$output"
}

@test "the best of each P, what it costs, and how to start it" {
    echo 'currency: EUR' >>lab.yaml
    plan --size 100 --top 4
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    cat >expected <<'END'
toy on lab, N = 100, fastest by np-t models: about 12 % less time than all nodes, the same as all of a
rank  configuration  P  nodes  predicted      90 % interval    Gflop/s  efficiency       cost
   1  a:3x1          3      3    23.00 s     LOW - HIGH     *    4.348      94.2 %  0.069 EUR
   4  a:2x1          2      2    32.00 s     LOW - HIGH     *    3.125     101.6 %  0.064 EUR
* extrapolated: N or P lies outside the runs behind the model
efficiency above 100 %: faster than these nodes were ever measured alone
left out: 2 that take longer on no fewer nodes, and cost no less; --all lists them
little is known of the first one: the ends of its interval are a factor of 2.0 apart
proven: of 15 configurations, no allowed one is predicted faster
END
    diff expected <(grep -v -e '^launch' -e '^(' <<<"$output" |
        sed -E 's/ [0-9.]+ s - [0-9.]+ s /    LOW - HIGH     /')
    [[ "$output" = *"/bin/mpirun --hostfile ./hostfile --map-by slot -np 3 ./program.sh 100 3"* ]]
    [ ! -e hostfile ]
}

@test "5 without --top; within the runs nothing is marked" {
    plan --size 18
    [ "$(best 2 | xargs)" = "a:3x1 a:2x1" ]
    [[ "$output" = *"left out: 3 that take longer on no fewer nodes, and cost no less; --all lists them"* ]]
    plan --size 18 --json
    [ "$(choices .configuration | jq -r '.[]' | xargs)" = "a:3x1 a:2x1 a:3x1+b:2x1 a:3x1+b:1x1 a:3x1+b:3x1" ]
    [ "$(jq '[.choices[] | select(.extrapolated)] | length' <<<"$output")" = 3 ]
    plan --size 18 --top 3
    [[ "$output" = *"left out: 1 that takes longer on no fewer nodes, and costs no less; --all lists them"* ]]
    plan --size 18 --top 2
    [[ "$output" != *"*"* ]]
    [[ "$output" != *"extrapolated"* ]]
}

@test "what was measured at this size stands beside what is predicted" {
    plan --size 20 --top 2
    [[ "${lines[1]}" = *"   measured  "* ]]
    [[ "${lines[2]}" = "   1  a:3x1 "*"  7.000 s  "*"  7.000 s  "* ]]
    [[ "$output" != *"little is known"* && "$output" != *ranked* ]]
    plan --size 18 --top 2
    [[ "$output" != *measured\ * ]]
}

@test "--all tries every configuration and comes to the same best ones" {
    plan --size 100 --all
    [ "$status" = 0 ]
    [ "$(best 2 3 4 5 | head -n 4)" = "a:3x1 3 3 23.00
a:3x1+b:3x1 6 6 26.00
a:3x1+b:2x1 5 5 29.00
a:2x1+b:3x1 5 5 29.00" ]
    [ "$(best 1 | tail -n 1)" = 15 ]
    [[ "$output" = *"all 15 configurations tried: 15 are allowed"* ]]
}

@test "auto models are the default; they come close to the same times and choices" {
    run --separate-stderr motley plan --size 100 --top 4 ./lab.yaml ./toy.yaml
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "toy on lab, N = 100, fastest by auto models: "*" % less time than all nodes (a guess), the same as all of a" ]]
    run --separate-stderr motley plan --size 100 --top 4 --json ./lab.yaml ./toy.yaml
    jq -e '.model == "auto" and .simulated == false
        and (.choices | map(.configuration)) ==
            ["a:3x1", "a:3x1+b:3x1", "a:3x1+b:2x1", "a:2x1"]
        and ([.choices, [23, 26, 29, 32]] | transpose | all(
            (.[0].seconds / .[1] - 1 | fabs) < 0.1
            and .[0].low < .[1] and .[1] < .[0].high))' <<<"$output"
}

@test "--objective price" {
    plan --size 100 --objective price --top 3
    [ "$(best 2)" = "b:1x1
b:2x1
b:3x1" ]
    [[ "${lines[0]}" = "toy on lab, N = 100, cheapest by np-t models: "*" % less cost than all nodes, "*" % less cost than all of a" ]]
    [[ "$output" = *"no allowed one is predicted cheaper"* ]]
    plan --size 100 --objective price --json
    [ "$(choices '.cost * 1e7 | round' | jq -c '.[:3]')" = "[121000,124000,129000]" ]
}

@test "--deadline" {
    plan --size 100 --confidence 0.5 --deadline '30 s'
    [ "$(best 2 | xargs)" = "a:3x1" ]
    plan --size 100 --confidence 0.5 --deadline '30 s' --json
    [ "$(choices .configuration | jq -r '.[]' | xargs)" = "a:3x1 a:3x1+b:3x1 a:3x1+b:2x1" ]
    plan --size 100 --confidence 0.5 --deadline 0.5min --objective price
    [ "$(best 2 | xargs)" = "a:2x1+b:3x1 a:3x1" ]
}

@test "--budget" {
    plan --size 100 --confidence 0.5 --budget 0.05
    [ "$(best 2 | xargs)" = "a:1x1+b:3x1 b:3x1 b:2x1 b:1x1" ]
}

@test "--confidence: the chance to keep a deadline or a budget" {
    plan --size 100 --json
    high=$(choices .high | jq '.[0]')
    # 95 % of the runs are below the upper end of the first one's interval
    plan --size 100 --deadline "$high s" --confidence 0.94
    [ "$(best 2 | head -n 1)" = a:3x1 ]
    [[ "${lines[1]}" = *" chance" && "${lines[2]}" = *" 95.0 %" ]]
    [[ "$output" = *"the first one keeps the deadline with a chance of 95.0 % (wanted: 94 %)"* ]]
    plan --size 100 --deadline "$high s" --confidence 0.96
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no configuration meets the deadline of "*" s with a chance of 96 %: the fastest takes 23 s, and up to "*" s with that" ]]
    plan --size 100 --deadline "$high s" --json
    [ "$(choices '.chance * 100 | round' | jq '.[0]')" = 95 ]
    # 23 s cost 0.069
    plan --size 100 --budget 0.0691 --objective price --confidence 0.5
    [[ "$output" = *"the first one keeps the budget with a chance of "*" % (wanted: 50 %)"* ]]
    plan --size 100 --budget 0.0122
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no configuration stays within the budget of 0.0122 with a chance of 90 %: the cheapest costs 0.0121, and up to "* ]]
    plan --size 100 --json
    [ "$(choices 'has("chance")' | jq '.[0]')" = false ]
}

@test "what takes longer, but keeps the deadline more surely, is not left out" {
    # Runs of a that its model does not follow; and never both groups.
    printf 'lab,toy,a:%s,ok,false\n' 1x1,10,12 1x1,20,8 2x1,10,9 2x1,20,4 >>runs.csv
    sed -i -e "s/'a\[1-3\]'/'a[1-2]'/" -e 's/price: [0-9.]*/mix: never/' lab.yaml
    motley import --db noisy.db runs.csv
    plan --db noisy.db --size 18
    [ "$(best 2 | xargs)" = "a:2x1 b:1x1" ]
    plan --db noisy.db --size 18 --deadline '30 s' --confidence 0.5
    [ "$(best 2 | xargs)" = "a:2x1 b:3x1 b:1x1" ]
}

@test "--min-efficiency: of the work, or of the times of each group alone" {
    # alone: 13 s on a node of a, 25 s on one of b, and that is their best speed
    for work in yes no; do
        [ "$work" = yes ] || sed -i '/^work/d' toy.yaml
        plan --size 20 --confidence 0.5 --all --json
        [ "$(choices 'select(.configuration == ("a:2x1", "a:3x1")) | .efficiency * 1e4 | round')" = '[6190,8125]' ]
        [ "$(choices 'select(.configuration == "a:1x1+b:1x1") | .efficiency * .seconds * 1e4 | round')" = '[85526]' ]
        plan --size 20 --confidence 0.5 --min-efficiency 80% --json
        [ "$(choices .configuration | jq -r '.[0]')" = a:2x1 ]
        [ "$(choices '.efficiency >= 0.8' | jq all)" = true ]
        [ "$(choices .chance | jq 'all(. >= 0.5)')" = true ]
        plan --size 20 --confidence 0.5 --min-efficiency 0.8
        [[ "$output" = *"the first one keeps the efficiency with a chance of "* ]]
        plan --size 20 --confidence 0.5 --min-efficiency 80% --deadline 7.5s
        [ "$status" = 1 ]
        [[ "$stderr" = "motley: no configuration "* ]]
    done
    # nothing ran at this size, and the work is not known
    plan --size 100 --json
    [ "$(choices '.efficiency == null' | jq all)" = true ]
    plan --size 100 --confidence 0.5 --min-efficiency 80%
    [ "$status" = 1 ]
    [ "$stderr" = "motley: no efficiency is known: a group of 'lab' did not run alone at this size" ]
    plan --size 20 --min-efficiency 120%
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: --min-efficiency: '120%' is "* ]]
}

@test "--max-nodes" {
    plan --size 100 --max-nodes 2
    [ "$(best 2 | xargs)" = "a:2x1 a:1x1" ]
}

@test "nodes with too little memory are left out; so is what the program excludes" {
    # 1 MB a process times N/P: 33 MB with P = 3, 25 MB with P = 4
    echo 'memory: 1e6*N/P' >>toy.yaml
    sed -i 's/name: a,/name: a, memory: 30 MB,/' lab.yaml
    plan --size 100
    [ "$(best 2 | xargs)" = "a:3x1+b:3x1 a:3x1+b:2x1 a:3x1+b:1x1 b:3x1 b:2x1" ]
    echo 'valid: P != 6' >>toy.yaml
    plan --size 100
    [ "$(best 2 | xargs)" = "a:3x1+b:2x1 a:3x1+b:1x1 b:3x1 b:2x1 b:1x1" ]
}

@test "n-t models answer for the measured configurations only" {
    plan --size 100 --model n-t
    [ "$(best 2 | xargs)" = "a:3x1 a:2x1 a:1x1" ]
    [[ "$output" = *"proven: of 6 configurations that have a model, no allowed one"* ]]
}

@test "equal times go to fewer nodes" {
    # The P term on its own: every node takes the same time, whatever P is.
    sed -i 's#np-t: .N/P, P.#np-t: "N"#' toy.yaml
    sed -E 's/,(10|20),[0-9]+,ok/,\1,\1,ok/' runs.csv >equal.csv
    rm motley.db
    motley import equal.csv
    plan --size 20
    [ "$(best 2 4 | head -n 2)" = "a:1x1 1
a:2x1 2" ]
}

@test "energy where watts are given, no cost where no prices are" {
    sed -i 's/price: 3.6/watts: 200/; s/price: 0.36/watts: 100/' lab.yaml
    plan --size 100 --top 1
    [[ "${lines[1]}" = *"  energy" && "${lines[1]}" != *cost* ]]
    [[ "${lines[2]}" = *" 13.8 kJ" ]]
    plan --size 100 --json --top 1
    [ "$(choices '.joules | round')" = "[13800]" ]
    [ "$(choices .cost)" = "[null]" ]
}

@test "--objective energy" {
    # Of a they have 61 s on one node, 32 and 23 on two and three; of b 121, 62 and 43.
    sed -i 's/price: 3.6/watts: 150/; s/price: 0.36/watts: 100/' lab.yaml
    plan --size 100 --objective energy
    [ "$(best 2 | xargs)" = "a:1x1 a:2x1 a:3x1" ]
    [[ "${lines[0]}" = "toy on lab, N = 100, least energy by np-t models: "*" % less energy than all nodes, "*" % less energy than all of a" ]]
    [[ "${lines[2]}" = *" 9.15 kJ" && "$output" = *"no allowed one is predicted to take less energy"* ]]
    plan --size 100 --objective energy --json --top 1
    jq -e '.objective == "energy" and (.bound - 9150 | fabs) < 1e-3' <<<"$output"
    plan --size 100 --objective energy --max-nodes 3 --confidence 0.5 --deadline 40s --top 1
    [ "$(best 2)" = "a:2x1" ]
}

@test "--json" {
    plan --size 100 --json --top 2
    [ "$status" = 0 ]
    jq -e '.simulated == false and .cluster == "lab" and .program == "toy" and .size == 100
        and .model == "np-t" and .objective == "time" and .exact
        and (.bound - 23 | fabs) < 1e-6 and .configurations == 15 and .hostfile == null
        and (.launch | endswith(" ./program.sh 100 3"))' <<<"$output"
    [ "$(choices '[.configuration, .ranks, .nodes, .extrapolated]')" = \
        '[["a:3x1",3,3,true],["a:3x1+b:3x1",6,6,true]]' ]
    [ "$(choices '[.seconds, .speed / 1e6, .efficiency * 1000, .cost * 1e4] | map(round)')" = \
        '[[23,4348,942,690],[26,3846,548,858]]' ]
    jq -e '.choices[1] | .low < .seconds and .seconds < .high' <<<"$output"
}

@test "--hostfile: slots are written out, and the launch command works as it is" {
    plan --size 100 --max-nodes 5 --confidence 0.5 --deadline 29.5s --objective price --hostfile my.hosts
    [ "$status" = 0 ]
    cat >expected <<'END'
a1 slots=1
a2 slots=1
b1 slots=1
b2 slots=1
b3 slots=1
END
    diff expected my.hosts
    [[ "$output" != *"--hostfile hostfile"* ]]
    launch=$(sed -n 's/^launch: //p' <<<"$output")
    [ "$(bash -c "$launch")" = "N = 100, P = 5" ]
    [[ "$(cat arguments)" = *"--hostfile my.hosts"*"-np 5"* ]]
}

@test "--hostfile that cannot be written" {
    plan --size 100 --hostfile no/hosts
    [ "$status" = 1 ]
    [ "$stderr" = "motley: cannot write 'no/hosts': No such file or directory" ]
    [ -z "$output" ]
}

@test "a plan can be made where the program is not" {
    rm program.sh
    plan --size 100 --top 1
    [ "$status" = 0 ]
    [[ "$output" = *"launch: not from here: program 'toy': 'program.sh' is not in '.', "* ]]
    plan --size 100 --json
    [ "$(jq .launch <<<"$output")" = null ]
    plan --size 100 --hostfile hosts
    [ "$status" = 1 ]
    [ ! -e hosts ]
}

# impossible REASON OPTION...: nothing can be planned
impossible() {
    reason=$1
    shift
    plan --size 100 "$@"
    [ "$status" = 1 ]
    [ -z "$output" ]
    [[ "$stderr" = "motley: $reason"* ]]
    plan --size 100 --all "$@"
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: $reason"* ]]
}

@test "what makes a plan impossible is named" {
    impossible "no configuration meets the deadline of 20 s: the fastest takes 23 s" \
        --confidence 0.5 --deadline 20s
    impossible "no configuration stays within the budget of 0.01: the cheapest costs 0.0121" \
        --confidence 0.5 --budget 0.01
    impossible "no configuration meets the deadline of 30 s: the fastest takes 61 s" \
        --confidence 0.5 --deadline 30s --max-nodes 1
    echo 'valid: P > 6' >>toy.yaml
    impossible "no number of processes up to 6 is valid at N = 100: 'P > 6'"
    sed -i 's/valid: .*/memory: 1e6*N/' toy.yaml
    sed -i 's/price:/memory: 1 MB, price:/' lab.yaml
    impossible "no node has the memory for a process at N = 100: '1e6*N'"
}

@test "limits that each could be kept, but not together" {
    # 23 s cost 0.069; within 0.05 it takes 34 s.
    impossible "no configuration meets the deadline of 25 s: the fastest takes 34 s" \
        --confidence 0.5 --deadline 25s --budget 0.05
}

@test "without models: what to measure" {
    plan --size 100 --model p-t
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no p-t model: "*"; measure more: 'motley measure ./lab.yaml ./toy.yaml'" ]]
    plan --size 100 --db none.db
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no store 'none.db'; measure first"* ]]
    [ ! -e none.db ]
    sed -i 's/name: toy/name: other/' toy.yaml
    plan --size 100
    [ "$status" = 1 ]
    [ "$stderr" = "motley: no runs of 'other' on 'lab' in 'motley.db': 'motley measure' makes them" ]
}

@test "layouts beyond the 500 configurations of a model are left out, and it is said why" {
    {
        printf 'name: wide\nlauncher: openmpi\ngroups:\n'
        for g in {1..2}; do
            echo "  - {name: g$g, hosts: 'g$g-[1-2]', processes: [$(seq -s , 260)]}"
        done
    } >wide.yaml
    {
        echo configuration,size,seconds
        for m in {1..260}; do
            printf 'g1:1x%d,100,%d\ng2:1x%d,100,%d\n' "$m" $((900 - m)) "$m" $((800 - m))
        done
    } >wide.csv
    motley import --db wide.db --cluster wide --program toy wide.csv
    run --separate-stderr motley plan --db wide.db --size 100 wide.yaml toy.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: left out, no model: g"*": it has more measurements than a model can use"* ]]
}

@test "a group that was not measured is left out, and that is said" {
    grep -v ',b:' runs.csv >few.csv
    motley import --db few.db few.csv
    plan --model auto --size 100 --db few.db
    [ "$status" = 0 ]
    [ "$(best 2 | xargs)" = "a:3x1 a:2x1 a:1x1" ]
    [ "$stderr" = "motley: left out, no model: b x1: it was not measured alone" ]
    grep -v ',b:.*,20,' runs.csv >few.csv
    motley import --db fewer.db few.csv
    plan --model auto --size 100 --db fewer.db
    [ "$status" = 0 ]
    [[ "$stderr" != *"left out"* ]] # one size is enough to be planned
}

@test "simulated is said" {
    sed -i 's/openmpi/smpi/; s/price: [0-9.]*/simulate: {flops: 1 Gf}/
        $a network: {latency: 1 us, bandwidth: 1 GB/s}' lab.yaml
    plan --size 100
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "toy on lab, N = 100, fastest by np-t models (simulated): "* ]]
    plan --size 100 --json
    [ "$(jq .simulated <<<"$output")" = true ]
}

@test "--hostfile of a simulated cluster: the platform lies beside it" {
    cat >sim.yaml <<'END'
name: sim
launcher: smpi
groups:
  - {name: a, nodes: 2, processes: [1, 2], simulate: {flops: 1 Gf}}
network: {latency: 50 us, bandwidth: 100 MB/s}
END
    motley measure --quiet --sizes 200,300,400 ./sim.yaml lu
    mkdir out
    motley plan --size 800 --hostfile out/hosts ./sim.yaml lu >plan
    [ -s out/platform.xml ]
    [ "$(sort -u out/hosts | wc -l)" -ge 1 ]
    grep -q ' out/platform.xml ' plan
    bash -c "$(sed -n 's/^launch: //p' plan)" | grep '^time '
}

@test "usage errors name what is wrong" {
    while read -r subject options; do
        # shellcheck disable=SC2086
        plan $options
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "*"$subject"* ]]
        [ -z "$output" ]
    done <<'END'
--size
'abc' --size abc
'0' --size 0
'-5' --size -5
'inf' --size inf
size --size nan
'best' --size 100 --model best
'dearest' --size 100 --objective dearest
'90' --size 100 --deadline 90
'0s' --size 100 --deadline 0s
'0' --size 100 --budget 0
'-1' --size 100 --budget -1
'0' --size 100 --max-nodes 0
'two' --size 100 --max-nodes two
-1 --size 100 --top -1
0 --size 100 --top 0
exclude --size 100 --all --top 3
argument --size 100 extra
END
    sed -i 's/, price: [0-9.]*//' lab.yaml
    plan --size 100 --objective price
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no group of cluster 'lab' has a price: nothing is known about cost" ]
    plan --size 100 --budget 1
    [ "$status" = 2 ]
    plan --size 100 --objective energy
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no group of cluster 'lab' has watts: nothing is known about energy; give the groups 'watts: 350' or so" ]
}

@test "a group that the cluster has again is planned with again" {
    sed '/name: b/d' lab.yaml >less.yaml
    run --separate-stderr motley plan --size 100 --top 1 less.yaml toy.yaml
    [[ "${lines[2]}" = "   1  a:3x1 "* ]]
    plan --size 100 --top 1
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    motley show models lab toy | grep '^b x1 '
}

# motley surface fit and evaluate: machines whose components are known.
#
# The runs are those of matrices multiplied in a ring on a machine of the papers' kind:
# a step costs 0.7 us, or 1.2 us when the working set 24 N^2/P does not fit any more,
# which happens from 256 KiB to 768 KiB; a message of 8 N^2/P bytes travels at 2 MB/s,
# after 1 ms. What evaluate says was computed by hand.

bats_require_minimum_version 1.5.0

# write_runs CLUSTER CONFIGURATION-PREFIX NODES...: such runs at many sizes, as CSV
write_runs() {
    local cluster=$1 group=$2
    shift 2
    for nodes; do
        awk -v cluster="$cluster" -v group="$group" -v P="$nodes" 'BEGIN {
            for (i = 10; i <= 20; i++) {
                N = int(2 ^ (i / 2) + 0.5)
                w = 24 * N * N / P; hit = 262144; miss = 786432
                share = w <= hit ? 0 : w >= miss ? 1 : log(w / hit) / log(miss / hit)
                compute = (0.7e-6 + 0.5e-6 * share) * N * N * N / P
                send = (P - 1) * (1e-3 + 8 * N * N / P / 2e6)
                printf "%s,ring,%s:%dx1,%d,%.9g,ok,false\n", cluster, group, P, N,
                    compute + send
            }
        }'
    done
}

setup_file() {
    cd "$BATS_FILE_TMPDIR"
    cat >lab.yaml <<'LAB'
name: lab
launcher: openmpi
groups:
  - {name: pe, hosts: 'pe[1-16]', processes: [1, 2], memory: 16 MiB}
LAB
    cat >ring.yaml <<'RING'
name: ring
command: [ring, '{N}']
time: wall
sizes: {measure: [32, 64]}
work: 2*N^3
memory: 24*N^2/P
valid: N >= P
surface: {steps: N^3/P, working_set: 24*N^2/P, messages: P - 1, bytes: 8*N^2/P}
RING
    {
        echo cluster,program,configuration,size,seconds,outcome,simulated
        write_runs lab pe 1 2 4 8 16
        echo lab,ring,pe:4x1,700,,failed,false
        echo lab,ring,pe:8x1,4,0.5,ok,false
    } >runs.csv
    motley import runs.csv
    # Another cluster, with two groups.
    sed -e 's/name: lab/name: mixed/' lab.yaml >mixed.yaml
    echo "  - {name: old, hosts: 'old[1-4]', processes: [1]}" >>mixed.yaml
    {
        sed -n 1p runs.csv
        write_runs mixed pe 1 2 4
        write_runs mixed old 1 2 4
    } >mixed.csv
    motley import mixed.csv
    motley surface fit --nodes 1:8 --size 32:1024 --output learned.yaml lab.yaml ring.yaml
}

setup() {
    cp "$BATS_FILE_TMPDIR"/* "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
}

fit() {
    run --separate-stderr motley surface fit "$@"
}

evaluate() {
    run --separate-stderr motley surface evaluate "$@"
}

# refuse STATUS WORDS COMMAND...: it fails so, and says that
refuse() {
    local expected=$1 words=$2
    shift 2
    run --separate-stderr "$@"
    [ "$status" = "$expected" ]
    [[ "$stderr" = *"$words"* ]]
    [ -z "$output" ]
}

# near NAME VALUE TOLERANCE: of a parameter in the JSON in $output
near() {
    jq -e --arg name "$1" --argjson value "$2" --argjson tolerance "$3" '.parameters |
        map(select(.name == $name))[0].value / $value - 1 | fabs <= $tolerance' \
        <<<"$output"
}

@test "fit finds what the runs were made of" {
    fit --json --nodes 1:8 --size 32:1024 lab.yaml ring.yaml
    [ "$status" = 0 ]
    near "cost 1" 0.7e-6 0.01
    near "cost 2" 1.2e-6 0.01
    near "cache 1 hit" 262144 0.1
    near "cache 1 miss" 786432 0.1
    near bandwidth 2e6 0.01
    near latency 1e-3 0.05
    jq -e '.learned | .runs == 44 and .nodes == 8 and .size_low == 32 and
        .size_high == 1024 and .error_percent < 1 and .residual_percent < 0.5' <<<"$output"
    jq -e '.machine == "lab" and .simulated == false and
        ([.trials[] | select(.chosen)] | length == 1 and .[0].cache_steps == 1)' <<<"$output"
}

@test "fit prints parameters, forms and the speed" {
    fit --nodes 1:8 --size 32:1024 lab.yaml ring.yaml
    [ "$status" = 0 ]
    [ "${lines[0]}" = "ring on lab: learned from 44 runs on 1 to 8 nodes, N 32 to 1024" ]
    [[ "$output" = *"cost 1"*" us "*"bandwidth"*"2.00 MB/s"*"The best of "*" forms: "* ]]
    [[ "$output" = *"A node at its best: 2.8"?" Mf, that of the fastest run"* ]]
    [[ "$output" != *simulated* ]]
}

@test "what is learned from simulated runs says so" {
    sed 's/openmpi/smpi/; s/hosts: [^,]*, proc/nodes: 16, simulate: {flops: 1 Gf}, proc/' \
        lab.yaml >simulated.yaml
    echo "network: {latency: 1 us, bandwidth: 1 GB/s}" >>simulated.yaml
    fit --json simulated.yaml ring.yaml
    jq -e '.simulated' <<<"$output"
    fit simulated.yaml ring.yaml
    [[ "${lines[0]}" = *"runs (simulated) on"* ]]
}

@test "which of uneven messages counts is told where it was tried" {
    fit --json lab.yaml ring.yaml
    jq -e '[.trials[].evens_out] | any | not' <<<"$output"
    sed 's|bytes: 8.N^2/P}|bytes: 8*N*ceil(N/P), mean_bytes: 8*N^2/P}|' ring.yaml >uneven.yaml
    fit --json lab.yaml uneven.yaml
    jq -e '.trials[0] | .chosen and .evens_out' <<<"$output"
}

@test "no more nodes are asked for than the group has" {
    fit --nodes 1:8 lab.yaml ring.yaml
    [[ "$output" = *"motley measure --configuration pe:16x1 "* ]]
    sed 's/pe\[1-16\]/pe[1-12]/' lab.yaml >small.yaml
    fit --nodes 1:8 small.yaml ring.yaml
    [[ "$output" = *"motley measure --configuration pe:12x1 "* ]]
    sed 's/pe\[1-16\]/pe[1-8]/' lab.yaml >smaller.yaml
    fit --nodes 1:8 smaller.yaml ring.yaml
    [[ ! "$output" =~ pe:(9|[1-9][0-9])x1 ]]
}

@test "failed runs are not used, and runs where the shape has no value are named" {
    fit lab.yaml ring.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"from 55 runs on 1 to 16 nodes"* ]]
    [[ "$stderr" = *"warning: runs that are left out: 1: 'valid' does not hold at N = 4, P = 8"* ]]
}

@test "of repetitions the fastest counts, of simulated ones the median" {
    sed 's/,\([^,]*\),ok/,9e9,ok/' runs.csv >late.csv
    for run in late late runs; do motley import --db often.db $run.csv; done
    fit --db often.db --json --size 32:1024 lab.yaml ring.yaml
    near "cost 1" 0.7e-6 0.01
    jq -e '.learned.runs == 165 and .learned.error_percent < 1' <<<"$output"
    fit --db often.db --size 32:1024 lab.yaml ring.yaml
    [[ "${lines[0]}" = *"from 165 runs at 55 points on 1 to 16 nodes"* ]]
    [[ "$stderr" != *"are off what was learned"* ]]
    sed 's/openmpi/smpi/; s/hosts: [^,]*, proc/nodes: 16, simulate: {flops: 1 Gf}, proc/' \
        lab.yaml >simulated.yaml
    echo "network: {latency: 1 us, bandwidth: 1 GB/s}" >>simulated.yaml
    for run in runs late runs; do
        sed 's/false$/true/' $run.csv >simulated.csv
        motley import --db simulated.db simulated.csv
    done
    fit --db simulated.db --json --size 32:1024 simulated.yaml ring.yaml
    near "cost 1" 0.7e-6 0.01
}

@test "runs that scatter are to be repeated" {
    awk -F, -v OFS=, 'NR > 1 && $5 > 0 { $5 *= 1 + 0.3 * (NR % 2) } 1' runs.csv >scattered.csv
    motley import --db scattered.db scattered.csv
    fit --db scattered.db lab.yaml ring.yaml
    [[ "$stderr" = *"warning: runs are off what was learned by "*"'motley measure --repeat 3'"* ]]
}

@test "what motley check measured of messages is used, and said" {
    awk 'BEGIN {
        for (b = 1; b <= 1048576; b *= 2)
            printf "INSERT INTO link_point VALUES (%s, %d, %g);\n",
                "'"'lab', 'pe', 'pe'"'", b, 1e-3 + b / 2e6 + (b >= 65536 ? 0.02 : 0)
        print "INSERT INTO link VALUES ('"'lab', 'pe', 'pe'"', 1e-3, 2e6, 0, 1);"
    }' | sqlite3 motley.db
    fit --json --nodes 1 lab.yaml ring.yaml
    near latency 1e-3 0.1
    near bandwidth 2e6 0.05
    [[ "$stderr" = *"they are assumed to cost what 'motley check' measured"* ]]
    fit --nodes 1 --output checked.yaml lab.yaml ring.yaml
    grep -q "lengths:" checked.yaml
    run motley surface predict checked.yaml --nodes 8 --size 256
    [ "$status" = 0 ]
    fit --json --nodes 1:8 --size 32:1024 lab.yaml ring.yaml
    jq -e '([.trials[].lengths] | any) and (.trials[0].lengths | not)' <<<"$output"
}

@test "runs are chosen by nodes, sizes and processes" {
    fit --json --nodes 1,4:8 --size 64,100:700 lab.yaml ring.yaml
    jq -e '.learned | .runs == 18 and .nodes == 8 and .size_low == 64 and .size_high <= 700' \
        <<<"$output"
    sed -e 's/pe:8x1/pe:8x2/; s/pe:16x1/pe:8x1/' runs.csv >two.csv
    motley import --db two.db two.csv
    refuse 1 "none of the 56 runs" motley surface fit --db two.db --processes 4 lab.yaml ring.yaml
    fit --db two.db --json --processes 1,2 --output two.yaml lab.yaml ring.yaml
    jq -e '.processes_per_node == 2 and .learned.nodes == 16' <<<"$output"
    grep -q '^nodes: 32$' two.yaml
    grep -q '^memory: 8 MiB$' two.yaml
}

@test "one group of several" {
    refuse 2 "say which by --group" motley surface fit mixed.yaml ring.yaml
    refuse 2 "has no group 'new'" motley surface fit --group new mixed.yaml ring.yaml
    fit --json --group old mixed.yaml ring.yaml
    [ "$status" = 0 ]
    jq -e '.machine == "mixed-old" and .group == "old" and .learned.runs == 33' <<<"$output"
}

@test "what the program file lacks" {
    sed "/^work:/d; /^surface:/d" ring.yaml >idle.yaml
    refuse 2 "program 'ring' does not say its 'work': add" \
        motley surface fit lab.yaml ./idle.yaml
    sed /^surface:/d ring.yaml >plain.yaml
    fit --json lab.yaml plain.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = *"warning: the program does not say its working set ('working_set', below 'surface')"* ]]
    [[ "$stderr" = *"warning: the program does not say its messages ('messages' and 'bytes', below 'surface')"* ]]
    jq -e '[.warnings[] | select(contains("messages"))] | length == 1' <<<"$output"
}

@test "a machine file: new, with a second algorithm, learned again" {
    grep -q '^name: lab$' learned.yaml
    grep -q '^nodes: 16$' learned.yaml
    sed 's/ring/again/' ring.yaml >again.yaml
    sed 's/,ring,/,again,/' runs.csv >again.csv
    motley import again.csv
    fit --speed 3Mf --output learned.yaml lab.yaml again.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"'learned.yaml' has it as algorithm 'again'"* ]]
    fit --output learned.yaml --nodes 1:4 lab.yaml ring.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"A node at its best: 3.00 Mf, as the machine file says"* ]]
    [ "$(grep -c -- '- name:' learned.yaml)" = 2 ]
    evaluate --json learned.yaml:again lab.yaml again.yaml
    jq -e '.learned_nodes == 16' <<<"$output"
    evaluate --json learned.yaml:ring lab.yaml ring.yaml
    jq -e '.learned_nodes == 4' <<<"$output"
    [ -z "$(find . -name 'learned.yaml.*')" ]
}

@test "files that are not the machine's are left as they are" {
    for file in ring.yaml lab.yaml; do
        cp $file kept
        refuse 2 "existing file is unchanged" motley surface fit --output $file lab.yaml ring.yaml
        cmp $file kept
    done
    sed 's/^name: lab/name: other/' learned.yaml >other.yaml
    cp other.yaml kept
    refuse 2 "is of machine 'other', not of 'lab'" \
        motley surface fit --output other.yaml lab.yaml ring.yaml
    cmp other.yaml kept
    refuse 1 "cannot write 'nowhere/x.yaml'" \
        motley surface fit --output nowhere/x.yaml lab.yaml ring.yaml
}

@test "a speed that runs exceed" {
    fit --json --speed 2Mf lab.yaml ring.yaml
    jq -e '.speed == 2e6 and (.warnings | map(select(contains("efficiencies above 1"))) |
        length == 1)' <<<"$output"
    refuse 2 "--speed: " motley surface fit --speed 2 lab.yaml ring.yaml
    refuse 2 "--speed: '0Mf' is not above 0" motley surface fit --speed 0Mf lab.yaml ring.yaml
}

@test "too few runs are told, and the command that makes more is one" {
    fit --json --nodes 1:2 --size 32:256 lab.yaml ring.yaml
    [ "$status" = 0 ]
    jq -e '.warnings | length > 0' <<<"$output"
    jq -e '(.wanted | length > 0) and (.wanted[0] | .nodes > 0 and .size > 0 and .why != "")' \
        <<<"$output"
    command=$(jq -r '.measure[0]' <<<"$output")
    [[ "$command" = "motley measure --configuration pe:"*" lab.yaml ring.yaml" ]]
}

@test "wrong words" {
    for range in 0 8:1 a 1: 1:2:3 1,,2 -1 1:inf ''; do
        refuse 2 "--nodes: '$range' is not a list" \
            motley surface fit --nodes "$range" lab.yaml ring.yaml
    done
    refuse 2 "--size: 'x'" motley surface fit --size x lab.yaml ring.yaml
    refuse 2 "--processes: '0'" motley surface fit --processes 0 lab.yaml ring.yaml
    refuse 2 "--base" motley surface fit --base 3 lab.yaml ring.yaml
    refuse 2 "" motley surface fit lab.yaml
    refuse 2 "one argument too many" motley surface fit lab.yaml ring.yaml more
    refuse 1 "no such" motley surface fit nothing ring.yaml
    refuse 1 "no-store.db" motley surface fit --db no-store.db lab.yaml ring.yaml
    printf '%s\n' cluster,program,configuration,size,seconds lab,other,pe:1x1,3,4 >empty.csv
    motley import --db empty.db empty.csv
    refuse 1 "no runs of 'ring' on 'lab' in 'empty.db'" \
        motley surface fit --db empty.db lab.yaml ring.yaml
    refuse 1 "none of the 56 runs of 'ring'" motley surface fit --nodes 3 lab.yaml ring.yaml
}

# A step takes 1 us, nothing else counts: T = N^3/P us, E = 1 at 2 Mf, everywhere, but
# for some 1e-10 that make the largest size the best.
write_flat() {
    cat >flat.yaml <<'FLAT'
name: flat
nodes: 8
speed: 2 Mf
memory: 16 MiB
algorithms:
  - name: A
    work: 2*N^3
    memory: 24*N^2/P
    compute: {steps: N^3/P + 1e-6*N, costs: [1 us]}
    learned: {runs: 4, nodes: 2, sizes: [100, 300], error: 0.01}
FLAT
    # Slower by 10, 0 and 25 % on 2 nodes; by 100, 60, 20 % and, where it does not fit
    # any more, faster on 4. The median of the repetitions counts.
    cat >flat.csv <<'CSV'
cluster,program,configuration,size,seconds,outcome,simulated
lab,ring,pe:2x1,100,0.55,ok,false
lab,ring,pe:2x1,200,4,ok,false
lab,ring,pe:2x1,300,16.875,ok,false
lab,ring,pe:2x1,300,16.875,ok,false
lab,ring,pe:2x1,300,99,ok,false
lab,ring,pe:4x1,100,0.5,ok,false
lab,ring,pe:4x1,200,3.2,ok,false
lab,ring,pe:4x1,400,19.2,ok,false
lab,ring,pe:4x1,2000,1000,ok,false
CSV
    motley import --db flat.db flat.csv
}

@test "evaluate: errors and ridges computed by hand" {
    write_flat
    evaluate --db flat.db --json flat.yaml lab.yaml ring.yaml
    [ "$status" = 0 ]
    expect() {
        [ "$(jq -c "$1 | map(if type == \"number\" then . * 1e6 | round / 1e6 else . end)" \
            <<<"$output")" = "$2" ]
    }
    expect '[.machine, .algorithm, .learned_nodes]' '["flat","A",2]'
    expect '.learned | [.points, .mean_error_percent, .worst_error_percent, .worst_size]' \
        '[3,11.666667,25,300]'
    expect '.beyond | [.points, .mean_error_percent, .worst_error_percent, .worst_nodes]' \
        '[4,57.5,100,4]'
    expect '.all | [.points, .mean_error_percent]' '[7,37.857143]'
    expect '.nodes[0].ridge | [.size, .predicted_size, .steps, .loss_percent]' \
        '[200,300,1,20]'
    expect '.nodes[1].ridge | [.size, .predicted_size, .steps, .loss_percent]' \
        '[400,400,0,0]'
    expect '[.points[] | .fits]' '[true,true,true,true,true,true,false]'
    expect '[.worst[] | .error_percent]' '[100,60,-50,25,20]'
    expect '.points[0] | [.seconds, .predicted_seconds, .efficiency, .predicted_efficiency]' \
        '[0.55,0.5,0.909091,1]'
    [[ "$stderr" = *"warning: points beyond the memory of a node of 'flat': 1"* ]]
    evaluate --db flat.db --json --nodes 2 --size 100:200 flat.yaml lab.yaml ring.yaml
    jq -e '.all.points == 2 and .beyond == null and .nodes[0].ridge == null' <<<"$output"
}

@test "evaluate: the table and the points" {
    write_flat
    evaluate --db flat.db flat.yaml lab.yaml ring.yaml
    [[ "$output" = *"ring on lab: efficiency predicted by A of machine flat, at 7 points"* ]]
    [[ "$output" =~ "up to 2: learned on"\ +3\ +"11.67 %"\ +"+25.00 %"\ +2\ +300 ]]
    [[ "$output" =~ "beyond 2"\ +4\ +"57.50 %"\ +"+100.00 %"\ +4\ +100 ]]
    evaluate --db flat.db --json flat.yaml lab.yaml ring.yaml
    jq -e '(.points | length) == 7 and (.points[6] | [.nodes, .size, .error_percent | round] ==
        [4, 2000, -50] and .fits == false)' <<<"$output"
}

@test "what was learned on 8 nodes holds on 16" {
    evaluate --json learned.yaml lab.yaml ring.yaml
    [ "$status" = 0 ]
    jq -e '.beyond.points == 11 and .beyond.mean_error_percent < 0.5 and
        (.beyond.worst_error_percent | fabs < 2) and all(.nodes[]; .ridge.steps == 0)' \
        <<<"$output"
}

@test "evaluate refuses" {
    write_flat
    sed 's/2\*N^3/N^3/' ring.yaml >half.yaml
    refuse 2 "count different work: '2*N^3' and 'N^3'" \
        motley surface evaluate --db flat.db flat.yaml lab.yaml half.yaml
    refuse 2 "--plot is not for" motley surface evaluate --db flat.db --plot x.svg \
        flat.yaml lab.yaml ring.yaml
    refuse 2 "" motley surface evaluate flat.yaml lab.yaml
    refuse 2 "'B'" motley surface evaluate --db flat.db flat.yaml:B lab.yaml ring.yaml
    refuse 1 "no such" motley surface evaluate nothing lab.yaml ring.yaml
    refuse 2 "--speed" motley surface evaluate --speed 1Mf flat.yaml lab.yaml ring.yaml
}

# motley weights: uneven parts in a lab where the speeds are known by hand.

bats_require_minimum_version 1.5.0
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab
}

# By auto models of the lab most of N/P is compute: a rank of a does 1/0.6, one of b 1/1.2 of the
# work in a second.
weights() {
    run --separate-stderr motley weights "$@" ./lab.yaml ./toy.yaml
}

# says JQ-CONDITION: of the JSON that was printed
says() {
    jq -e "$1" <<<"$output" >/dev/null || { jq . <<<"$output"; return 1; }
}

@test "all nodes pay, each by its speed" {
    weights --size 1000 --json
    [ "$status" = 0 ]
    says '.configuration == "a:3x1+b:3x1" and .ranks == 6 and .exact and (.simulated | not)'
    says '.weights | length == 6 and (add | . > 5.999 and . < 6.001)'
    says '.weights[0] == .weights[2] and .weights[3] == .weights[5]'
    says '.weights[0] / .weights[3] | . > 1.85 and . < 2.05'
    says '[.groups[].group_share] | add | . > 0.9999 and . < 1.0001'
    says '.groups[0] | .group == "a" and .nodes == 3 and .processes == 1 and (.full | not)'
    # on six ranks 206 s evenly, 139.3 s with weights; the models take some of it for serial work
    says '.gain > 0.35 and .gain < 0.5 and .even_there >= .even.seconds'
    says '.gain == .even.seconds / .seconds - 1 and .low < .seconds and .seconds < .high'
}

@test "people get a table" {
    weights --size 1000
    [ "$status" = 0 ]
    [ "${lines[0]}" = "toy on lab, N = 1000, with weights by auto models" ]
    [ "${lines[1]}" = "configuration   a:3x1+b:3x1, P = 6" ]
    [[ "${lines[2]}" = "predicted       1"*" s (90 %: "*" s - "*" s), a guess: nothing like it was run" ]]
    [[ "${lines[4]}" = "best even plan  2"*" s: a:3x1"*"; gain +"[34]*" %" ]]
    [[ "${lines[5]}" = "group  nodes  processes  weight of a rank  its share  the group's" ]]
    [[ "${lines[6]}" = "a "*" 3 "*" 1 "*" 1.3"*" 2"*" %"*" 6"*" %" ]]
    [[ "${lines[8]}" = "the best of 15 configurations, all of which were tried" ]]
}

@test "it says where whether weights gain anything is open" {
    weights --size 1000
    [[ "$output" != *"is open"* ]]
    rm motley.db
    awk -F, -v OFS=, 'NR > 1 { $5 *= NR % 3 ? 0.6 : 2 } 1' runs.csv >noisy.csv
    motley import noisy.csv
    weights --size 1000 --configuration a:3x1+b:3x1
    [ "$status" = 0 ]
    [[ "$output" = *"the ends of the interval are a factor of "*" apart: whether these weights gain anything is open; run the best even plan, too" ]]
    # on one rank there is nothing to weigh
    weights --size 1
    [ "$status" = 0 ]
    [[ "$output" = *"the ends of the interval are a factor of "*" apart: whether these nodes are the best is open; run other plans, too"* ]]
}

@test "a configuration that is given" {
    weights --size 1000 --configuration a:1x1+b:2x1 --json
    [ "$status" = 0 ]
    says '.configuration == "a:1x1+b:2x1" and (.weights | length == 3)'
    says '.weights[0] / .weights[1] | . > 1.85 and . < 2.05'
    says '.gain < 0 and .seconds < .even_there'
    weights --size 1000 --configuration a:2x1 --json
    says '.weights == [1, 1] and .seconds == .even_there'
}

@test "a plain list, targets for METIS, and OpenFOAM's dictionary" {
    weights --size 1000 --output list
    [ "$status" = 0 ]
    [ "${lines[-1]}" = "written: list" ]
    [ "$(grep -c '^[0-9]' list)" = 6 ]
    [ "$(grep -v '^#' list | awk '{ sum += $1 } END { printf "%.3f", sum }')" = 6.000 ]
    weights --size 1000 --output targets --format metis --json
    [ "$(jq -r .output <<<"$output")" = targets ]
    [ "$(cut -d ' ' -f 1,2 targets | xargs)" = "0 = 1 = 2 = 3 = 4 = 5 =" ]
    [ "$(awk '{ sum += $3 } END { printf "%.7f", sum }' targets)" = 1.0000000 ]
    awk 'NR == 1 { first = $3 } END { exit !(first / $3 > 1.85 && first / $3 < 2.05) }' targets
    weights --size 1000 --output decomposeParDict --format openfoam
    [ "$status" = 0 ]
    grep -q '^numberOfSubdomains 6;$' decomposeParDict
    grep -q '^method          scotch;$' decomposeParDict
    # Scotch refuses any but whole numbers
    [ "$(sed -n '/processorWeights/,/);/p' decomposeParDict | grep -c '^ *[0-9]*$')" = 6 ]
    grep '^ *[0-9]*$' decomposeParDict | awk '$1 { all[n++] = $1; sum += $1 }
        END { exit !(n == 6 && all[0] / all[3] > 1.85 && all[0] / all[3] < 2.05 && sum > 99999990 && sum < 1e8 + 10) }'
    [ "$(tr -cd '{(' <decomposeParDict | wc -c)" = "$(tr -cd '})' <decomposeParDict | wc -c)" ]
}

@test "memory limits what a rank gets" {
    sed -i 's/price: 3.6/memory: 200 B/' lab.yaml
    echo 'memory: N/P' >>toy.yaml
    weights --size 1000 --configuration a:3x1+b:3x1
    [ "$status" = 0 ]
    [[ "$output" = *" 1.2 ! "*"! no larger share fits into the memory of its nodes"* ]]
    weights --size 1000 --configuration a:3x1+b:3x1 --json
    says '.groups[0].full and (.groups[1].full | not) and .weights[0] > 1.1999 and .weights[0] <= 1.2'
    weights --size 1000 --configuration a:3x1
    [ "$status" = 1 ]
    [[ "$stderr" = *"the memory of the nodes has room for 60 % of N = 1000"* ]]
}

@test "a plan that does not fit evenly may fit with weights" {
    sed -i 's/price: 3.6/memory: 400 B/; s/price: 0.36/memory: 10 B/' lab.yaml
    echo 'memory: N/P' >>toy.yaml
    echo 'valid: P == 4' >>toy.yaml
    weights --size 1000
    [ "$status" = 0 ]
    [[ "$output" = *"a:3x1+b:1x1, P = 4"* ]]
    [[ "$output" = *"evenly divided  - (it does not fit into the memory so)"* ]]
    [[ "$output" = *"best even plan  - (none fits)"* ]]
    weights --size 1000 --json
    says '.even == null and .even_there == null and .gain == null'
}

@test "wrong input" {
    weights
    [ "$status" = 2 ]
    [[ "$stderr" = *"give --size N"* ]]
    weights --size 10,20
    [ "$status" = 2 ]
    [[ "$stderr" = *"one size here"* ]]
    weights --size 1000 --format metis
    [ "$status" = 2 ]
    [[ "$stderr" = *"--format is that of a file: name it by --output FILE"* ]]
    weights --size 1000 --output x --format scotch
    [ "$status" = 2 ]
    [[ "$stderr" = *"--format: 'scotch' is neither list, metis nor openfoam"* ]]
    [ ! -e x ]
    weights --size 1000 --configuration c:1x1
    [ "$status" = 2 ]
    [[ "$stderr" = *"--configuration: "*"'c'"* ]]
    weights --size 1000 --output no/such/folder/x
    [ "$status" = 1 ]
    [[ "$stderr" = *"no/such/folder/x"* ]]
    echo 'valid: P != 2' >>toy.yaml
    weights --size 1000 --configuration a:2x1
    [ "$status" = 2 ]
    [[ "$stderr" = *"'valid' excludes it"* ]]
    run --separate-stderr motley weights --size 1000 ./lab.yaml
    [ "$status" = 2 ]
}

@test "without runs it says how to make them" {
    rm motley.db
    weights --size 1000
    [ "$status" = 1 ]
    [[ "$stderr" = *"no store 'motley.db'; measure first"* ]]
}

# A program that says which weights it got, on an Open MPI that starts it once, here.
write_weighed() {
    rm motley.db
    write_lab us
    write_mpirun
    write_program "$1"
}

# run_toy OPTION...: on the configuration that is the best with weights
run_toy() {
    run --separate-stderr motley run --size 1000 "$@" ./lab.yaml ./toy.yaml
}

@test "run --weights: numbers in the command; models do not see the run" {
    write_weighed 'echo "weights $3"; echo "time 150 us"'
    sed -i "s/'{P}']/'{P}', '{weights}']/" toy.yaml
    run_toy --weights
    [ "$status" = 0 ]
    [[ "${lines[0]}" =~ ^weights\ 1\.[0-9]+,1\.[0-9]+,1\.[0-9]+,0\.[0-9]+,0\.[0-9]+,0\.[0-9]+$ ]]
    [ "${lines[2]}" = "configuration  a:3x1+b:3x1, P = 6" ]
    [[ "${lines[3]}" = "weights        a 1.3"*", b 0."* ]]
    [[ "$stderr" = "motley: starting toy with weights, N = 1000, on a:3x1+b:3x1; predicted: "* ]]
    [ "$(sqlite3 motley.db "SELECT count(*) FROM run WHERE program = 'toy'")" = 12 ]
    [ "$(sqlite3 motley.db "SELECT seconds FROM run WHERE program = 'toy with weights'")" = 0.00015 ]
    [ "$(motley predict --json --size 1000 --configuration a:3x1+b:3x1 ./lab.yaml ./toy.yaml | jq .predictions[0].measured)" = null ]
    run_toy --weights --json --configuration a:1x1+b:1x1
    [ "$(jq -c '[.configuration, .program, (.weights | length)]' <<<"$output")" = '["a:1x1+b:1x1","toy with weights",2]' ]
}

@test "run --weights: a file in the folder of the run; even runs get ones" {
    write_weighed 'echo "file $3:" $(cat "$3"); echo "time 150 us"'
    sed -i "s/'{P}']/'{P}', '{weights_file}']/" toy.yaml
    run_toy --configuration a:1x1+b:2x1
    [ "$status" = 0 ]
    [ "${lines[0]}" = "file motley-weights: 1 1 1" ]
    run_toy --configuration a:1x1+b:2x1 --weights --json
    [ "$status" = 0 ]
    jq '.weights[]' <<<"$output" | xargs printf '%.5f\n' >expected
    grep -h -v '^1$' motley-run-*/motley-weights | xargs printf '%.5f\n' | diff expected -
}

@test "run --weights is for programs that take weights" {
    write_weighed 'echo "time 150 us"'
    run_toy --weights
    [ "$status" = 2 ]
    [[ "$stderr" = *"--weights: program 'toy' takes none: nothing in its file stands for them"* ]]
    sed -i "s/'{P}']/'{P}', '{weights}']/" toy.yaml
    run_toy --weights --max-nodes 2
    [ "$status" = 2 ]
    [[ "$stderr" = *"does not go with --model, --objective, --deadline, --budget, --min-efficiency or --max-nodes"* ]]
    sed -i "s/'{weights}'/'{weights_file}'/" toy.yaml
    printf 'input:\n  - {file: motley-weights, content: x}\n' >>toy.yaml
    run_toy --weights
    [ "$status" = 2 ]
    [[ "$stderr" = *"'motley-weights' is in the way of what {weights_file} stands for"* ]]
}

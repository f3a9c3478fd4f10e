# motley fit and motley predict: models of runs whose times are a known formula.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat > pair.yaml <<'END'
name: pair
launcher: command
launch: ["{program}"]
groups:
  - {name: fast, nodes: 4, processes: [1, 2]}
  - {name: slow, nodes: 4, processes: [1]}
END
    cat > formula.yaml <<'END'
name: formula
command: [formula, "{N}"]
time: wall
sizes: {measure: [400, 600, 800, 1200, 1600], plan: [1600, 3200]}
work: 2/3*N^3
terms: {np-t: "N^3/P, N^2, P*N^2, 1"}
END
    runs > runs.csv
    motley import runs.csv
}

# 1e-9 N^3/P + 1e-7 N^2 + 2e-8 P N^2 + 0.01 s; slow: twice the first two.
runs() {
    echo "cluster,program,configuration,size,seconds,outcome"
    awk 'BEGIN {
        split("400 600 800 1200 1600", sizes)
        split("fast fast slow", group); split("1 2 1", processes); split("1 1 2", slow)
        for (g = 1; g <= 3; g++) for (nodes = 1; nodes <= 4; nodes++) for (s in sizes) {
            n = sizes[s]; p = nodes * processes[g]
            printf "pair,formula,%s:%dx%d,%d,%.12g,ok\n", group[g], nodes, processes[g],
                n, slow[g] * (1e-9 * n^3 / p + 1e-7 * n^2) + 2e-8 * p * n^2 + 0.01
        }
    }'
}

# close JQ-FILTER: each of the predictions in JSON on stdin is within 10 % of these
# seconds, and they are within its interval
close() {
    jq -e ".predictions | length > 0 and all(($1) as \$true |
        (.seconds / \$true - 1 | fabs) < 0.1 and .low <= \$true and \$true <= .high)"
}

@test "fit finds the formula, and says how good it is" {
    run motley fit --model np-t ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [ "${lines[0]}" = "np-t models of formula on pair" ]
    [[ "${lines[2]}" =~ ^"fast x1 "\ +15\ +400-1600\ +2-4\ +0\.0\ %\ +0\.0\ %$ ]]
    [[ "$output" == *"slow x1: seconds = 2e-09 * N^3/P + 2e-07 * N^2 + 2e-08 * P*N^2 + 0.01"* ]]
}

@test "auto's errors are small, and it says what takes the time" {
    run motley fit ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [ "${lines[0]}" = "auto models of formula on pair" ]
    [[ "${lines[2]}" =~ ^"fast x1 "\ +20\ +400-1600\ +1-4\ +[0-2]\.[0-9]\ %\ +[0-9]\.[0-9]\ %$ ]]
    [[ "$output" = *"Hypotheses of what the time is made of, by their probability"* ]]
    [[ "$output" =~ $'\n'" "+[0-9]+" %  work/P + 1"[^$'\n']*$'\n' ]]
    [[ "$output" =~ $'\n'"At N = 1600, P = 8: "[0-9]+" % compute, "[0-9]+" % serial work, "[0-9]+" % messages"$'\n' ]]
    [[ "$output" = *"The time may be off by "*" % for each doubling of P away from the runs; runs scatter by "*" %" ]]
    # Models from the store have no hypotheses.
    run motley show models
    [[ "$output" = *"fast x1 "* && "$output" != *"Hypotheses"* ]]
}

@test "auto's hypotheses have weights that add up to 1, from the heaviest on" {
    motley fit --json ./pair.yaml ./formula.yaml > models.json
    jq -e '.explanation.hypotheses | (map(.weight) | add - 1 | fabs < 1e-9)
        and map(.weight) == (map(.weight) | sort | reverse)
        and all(.hypothesis | startswith("work/P + 1"))' models.json
    jq -e '.explanation | .size == 1600 and .ranks == 8 and .noise > 0 and .discrepancy > 0
        and (.compute + .serial + .messages - 1 | fabs < 1e-9)' models.json
    jq -e '.models | length == 3 and all(has("terms") | not)' models.json
    motley predict --json --size 1600 --configuration fast:1x1,fast:2x2,fast:4x2,slow:1x1,slow:4x1 \
        ./pair.yaml ./formula.yaml | close .measured
    motley fit --model np-t --json ./pair.yaml ./formula.yaml | jq -e '.explanation == null'
}

@test "a group of one node gets a model, too, and is planned with the others" {
    grep -e cluster -e fast: -e slow:1x1 runs.csv > single.csv
    sed -i 's/name: slow, nodes: 4/name: slow, nodes: 1/' pair.yaml
    motley import --db single.db single.csv
    run motley fit --db single.db ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "$output" == *"slow x1 "* && "$output" != *"No model for"* ]]
    motley predict --db single.db --json --size 1600 --configuration slow:1x1,fast:4x1 \
        ./pair.yaml ./formula.yaml | close .measured
    run --separate-stderr motley plan --db single.db --size 3200 --all --json ./pair.yaml ./formula.yaml
    [ "$(jq -r '.choices[0].configuration' <<< "$output")" = fast:4x2 ]
    jq -e 'any(.choices[]; .configuration == "fast:4x2+slow:1x1")' <<< "$output"
}

@test "fit --json lists every coefficient" {
    motley fit --model np-t ./pair.yaml ./formula.yaml --json > models.json
    [ "$(jq -r '.simulated, .model, (.models | length), (.refused | length)' models.json |
        tr '\n' ' ')" = "false np-t 3 0 " ]
    jq -e '.models[0] | .group == "fast" and .processes == 1 and
        ((.terms[2].coefficient / 2e-8 - 1) | fabs) < 1e-6' models.json
}

@test "fit of the papers' models: p-t shows its reference" {
    run motley fit --model p-t ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "$output" == *"fast x1: seconds = "*"* T/P"*$'\n'"    with T = "*"* N^3"* ]]
}

@test "fit says which (group, M) gets no model, and why" {
    grep -e cluster -e fast:.x1 -e slow:1x1 runs.csv > few.csv
    motley import --db few.db few.csv
    run motley fit --db few.db --model np-t ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "$output" == *"No model for"*"slow x1: no runs on two nodes or more"* ]]
    run --separate-stderr motley fit --db few.db --model np-t --json ./pair.yaml ./formula.yaml
    [ "$(jq -r '.refused[0].subject' <<< "$output")" = "slow x1" ]
}

@test "fit fails when the runs determine nothing" {
    head -n 3 runs.csv > two.csv
    motley import --db two.db two.csv
    run --separate-stderr motley fit --db two.db --model np-t ./pair.yaml ./formula.yaml
    [ "$status" = 1 ]
    [[ "$stderr" == "motley: no np-t model: 'fast x1': no runs on two nodes or more"* ]]
    # To auto one run is better than none.
    head -n 2 runs.csv > one.csv
    motley import --db one.db one.csv
    run --separate-stderr motley fit --db one.db ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    run --separate-stderr motley fit --db one.db --terms N^3/P ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: auto models take no terms: 'N^3/P'; n-t, p-t and np-t do" ]
}

@test "from runs of one size, what another size takes is a guess" {
    grep -e cluster -e 'fast:.x1,400' runs.csv > size.csv
    motley import --db size.db size.csv
    motley fit --db size.db ./pair.yaml ./formula.yaml
    motley predict --db size.db --json --size 400 --configuration fast:1x1,fast:2x1,fast:4x1 \
        ./pair.yaml ./formula.yaml | close .measured
    run motley predict --db size.db --size 800 --configuration fast:1x1 ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "${lines[2]}" = "fast:1x1 "*" ? "* ]]
    motley predict --db size.db --json --size 800 --configuration fast:1x1 ./pair.yaml ./formula.yaml |
        jq -e '.predictions[0] | .unseen and .high > 4 * .low'
    run --separate-stderr motley plan --model np-t --db size.db --size 800 ./pair.yaml ./formula.yaml
    [ "$status" = 1 ]
}

@test "models that are refused now do not replace those that were there" {
    grep -e cluster -e 'fast:.x1' -e 'fast:.x2,[^1]' -e 'fast:.x2,1200' runs.csv > fast.csv
    motley import --db kept.db fast.csv
    motley fit --model n-t --db kept.db ./pair.yaml ./formula.yaml
    before=$(motley show models --json --db kept.db)
    run --separate-stderr motley fit --model n-t --training-sizes 600,800,1200,1600 \
        --db kept.db ./pair.yaml ./formula.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"the models that were there stay, as there would be none of 'fast:1x2' any more: 3 runs"* ]]
    [ "$(motley show models --json --db kept.db)" = "$before" ]
}

@test "without the program's work, hypotheses are of powers of N" {
    sed -i '/^work/d' formula.yaml
    motley fit --json ./pair.yaml ./formula.yaml > models.json
    jq -e '.explanation.hypotheses | all(.hypothesis | test("^N(\\^[0-9.]+)?/P"))
        and (.[0].hypothesis | startswith("N^3/P"))' models.json
    motley predict --json --size 3200 --configuration fast:4x1 ./pair.yaml ./formula.yaml |
        close '1e-9 * pow(3200; 3) / 4 + 1e-7 * pow(3200; 2) + 8e-8 * pow(3200; 2) + 0.01'
}

@test "what was never run in kind is marked as a guess, and its interval is wide" {
    grep -e cluster -e ':1x[12],' runs.csv > one-node.csv
    motley import --db one-node.db one-node.csv
    run motley predict --db one-node.db --size 1600 --configuration fast:1x1,fast:4x1 \
        ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    grep -v ' ? ' <<< "$output" | grep '^fast:1x1 '
    grep ' ? ' <<< "$output" | grep '^fast:4x1 '
    grep '^? a guess: nothing like it was run' <<< "$output"
    motley predict --db one-node.db --json --size 1600 --configuration fast:1x1,fast:4x1 \
        ./pair.yaml ./formula.yaml |
        jq -e '.predictions | map(.unseen) == [false, true] and (.[1].high > 1.5 * .[1].low)'
}

@test "fit leaves glitches out and lists them" {
    sed 's/^\(pair,formula,fast:4x1,1200\),.*/\1,5,ok/' runs.csv > glitch.csv
    motley import --db glitch.db glitch.csv
    run motley fit --db glitch.db --glitch-k 0.8 ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "$output" == *"Left out as glitches"*"fast:4x1, N = 1200, 5.000 s: its performance is 0."* ]]
}

@test "wrong options and arguments are usage errors" {
    run --separate-stderr motley fit --model npt ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --model: unknown kind of model: 'npt' (known: auto, n-t, p-t, np-t)" ]
    run --separate-stderr motley fit --glitch-k -1 ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    run --separate-stderr motley predict --configuration fast:9x1 ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    [[ "$stderr" == *fast* ]]
    run --separate-stderr motley predict --plot picture.bmp ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    run --separate-stderr motley predict --plot term --json ./pair.yaml ./formula.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --plot=term and --json exclude each other" ]
}

@test "predict --plot: at most six lines" {
    motley predict --plot picture.svg ./pair.yaml ./formula.yaml >/dev/null
    grep -qE '<text>formula on pair \(6 of [0-9]+ configurations; lines: auto models; points: measured\)</text>' picture.svg
    [ "$(grep -oE '<text>(fast|slow):[0-9x]*</text>' picture.svg | sort -u | wc -l)" = 6 ]
    motley predict --plot picture.svg --configuration slow:1x1 ./pair.yaml ./formula.yaml >/dev/null
    grep -q '<text>formula on pair (1 of 1 configurations; lines: auto models; points: measured)</text>' picture.svg
}

@test "without a store or runs the error says what to do" {
    run --separate-stderr motley fit --db none.db ./pair.yaml ./formula.yaml
    [ "$status" = 1 ]
    sed 's/name: formula/name: other/' formula.yaml > other.yaml
    run --separate-stderr motley predict ./pair.yaml ./other.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: no runs of 'other' on 'pair' in 'motley.db': 'motley measure' makes them" ]
}

@test "predict: mixed configurations, the slowest group decides" {
    both() { motley predict --json "$@" --size 3200 --configuration fast:4x1+slow:4x1 \
        ./pair.yaml ./formula.yaml; }
    slowest='2e-9 * pow(3200; 3) / 8 + 2e-7 * pow(3200; 2) + 1.6e-7 * pow(3200; 2) + 0.01'
    both --model np-t > both.json
    jq -e ".predictions[0] | .extrapolated and .low < .seconds and .seconds < .high and
        (.seconds / ($slowest) - 1 | fabs) < 1e-6" both.json
    both | close "$slowest"
}

@test "predict shows measured times next to predicted ones" {
    run motley predict --size 1600,3200 --configuration fast:2x2 ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [ "${lines[0]}" = "formula on pair, predicted by auto models" ]
    [[ "${lines[2]}" =~ ^fast:2x2\ +1600\ +1\.[0-9]+\ s\ .*\ 1\.495\ s\ +[-+][0-9]\.[0-9]\ %$ ]]
    [[ "${lines[3]}" =~ ^fast:2x2\ +3200\ +.*\ \*\ +-\ +-$ ]]
}

@test "predict --json tells a prediction whose interval has no end" {
    # N-T extrapolates the first two runs to 1999 s at N = 3, where 0.001 s were measured
    printf '%s\n' 'cluster,program,configuration,size,seconds,outcome' \
        'pair,formula,fast:1x1,1,1,ok' 'pair,formula,fast:1x1,2,1000,ok' \
        'pair,formula,fast:1x1,3,0.001,ok' > wild.csv
    sed 's/np-t: .*}/n-t: "N, 1"}/' formula.yaml > wild.yaml
    motley import --db wild.db wild.csv
    motley predict --db wild.db --model n-t --size 2 --configuration fast:1x1 --json \
        ./pair.yaml ./wild.yaml > wild.json
    jq -e '.predictions[0] | .seconds > 333 and .low == 0 and has("high") and
        .high == null' wild.json
}

@test "predict fits again when runs were added or the work changed" {
    one() { motley predict --json --size 800 --configuration fast:1x1 ./pair.yaml ./formula.yaml |
        jq '.predictions[0].fitted'; }
    before=$(one)
    awk -F, -v OFS=, 'NR > 1 { $5 *= 3 } 1' runs.csv > slower.csv
    motley import slower.csv
    after=$(one)
    jq -ne "$after > 1.1 * $before"
    sed -i 's/^work: .*/work: N^2/' formula.yaml
    changed=$(one)
    jq -ne "$changed != $after"
}

@test "predict fits again when the program's split changed" {
    # As many terms as a single P determines.
    sed -i 's/np-t: .*}/np-t: "N^3\/P, N^2, 1"}/' formula.yaml
    # splits SPLIT: those of the models, after a prediction
    splits() {
        sed -i '/^split:/d' formula.yaml
        [ -z "$1" ] || echo "split: $1" >> formula.yaml
        motley predict --model np-t --size 800 --configuration fast:4x1 \
            ./pair.yaml ./formula.yaml >&2
        motley show --json models |
            jq -c '[.fits[].models[] | select(.group == "fast" and .processes == 1) |
                [.split, .ranks[0], .ranks[1]]] | sort'
    }
    [ "$(splits '')" = "[[-1,2,4]]" ]
    [ "$(splits 'P > 2')" = "[[0,2,2],[1,3,4]]" ]
    [ "$(splits 'P % 2 == 0')" = "[[0,3,3],[1,2,4]]" ]
    [ "$(splits 'P % 2 != 0')" = "[[0,2,4],[1,3,3]]" ]
    [ "$(splits '')" = "[[-1,2,4]]" ]
    # auto fits all P together.
    echo "split: P > 2" >> formula.yaml
    motley fit --json ./pair.yaml ./formula.yaml | jq -e '.models | map(.split) == [-1, -1, -1]'
}

@test "predict --plot draws into a file and into the terminal" {
    motley predict --plot times.svg --configuration fast:4x1,slow:4x1 ./pair.yaml ./formula.yaml
    grep -q "fast:4x1" times.svg
    run motley predict --plot term --configuration fast:4x1 ./pair.yaml ./formula.yaml
    [ "$status" = 0 ]
    [[ "$output" == *"problem size N"* ]]
}

@test "a simulated cluster is called simulated" {
    sed -e 's/launcher: command/launcher: smpi/' -e '/^launch:/d' \
        -e 's/nodes: 4,/nodes: 4, simulate: {flops: 1 Gf, cores: 1},/' pair.yaml > simulated.yaml
    echo 'network: {latency: 50 us, bandwidth: 90 MB/s}' >> simulated.yaml
    run motley fit ./simulated.yaml ./formula.yaml
    [ "${lines[0]}" = "auto models of formula on pair (simulated)" ]
    run motley predict ./simulated.yaml ./formula.yaml
    [[ "${lines[0]}" == *"(simulated)" ]]
}

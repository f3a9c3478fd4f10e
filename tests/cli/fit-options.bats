# The options that say how models are fitted, in fit, in evaluate and in the store.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >pair.yaml <<'EOF'
name: pair
launcher: command
launch: ["{program}"]
groups:
  - {name: fast, nodes: 6, processes: [1]}
  - {name: slow, nodes: 6, processes: [1]}
EOF
    cat >toy.yaml <<'EOF'
name: toy
command: [toy, "{N}"]
time: wall
sizes: {measure: [400, 600, 800, 1200, 1600], plan: [1600, 3200]}
work: N^3
split: P % 3 == 0
terms: {n-t: "N^3, N^2", p-t: "T/P, T, 1", np-t: "N^3/P, N^2, 1"}
EOF
    runs >runs.csv
    motley import runs.csv
}

# 1e-9 N^3/P + 1e-7 N^2 seconds, twice that on slow; the truth at 3200 on both groups.
# One glitch: fast:4x1 at N = 1200.
runs() {
    echo "cluster,program,configuration,size,seconds,outcome"
    awk 'function t(n, p) { return 1e-9 * n^3 / p + 1e-7 * n^2 }
    BEGIN {
        split("400 600 800 1200 1600", sizes)
        for (nodes = 1; nodes <= 6; nodes++) for (s in sizes) {
            n = sizes[s]; glitch = nodes == 4 && n == 1200 ? 3 : 1
            printf "pair,toy,fast:%dx1,%d,%.12g,ok\n", nodes, n, glitch * t(n, nodes)
            printf "pair,toy,slow:%dx1,%d,%.12g,ok\n", nodes, n, 2 * t(n, nodes)
        }
        printf "pair,toy,fast:6x1,3200,%.12g,ok\n", t(3200, 6)
        printf "pair,toy,fast:6x1+slow:6x1,3200,%.12g,ok\n", 2 * t(3200, 12)
    }'
}

fit() {
    run --separate-stderr motley fit "$@" ./pair.yaml ./toy.yaml
}

@test "n-t: a configuration with more glitches than tolerated gets no model" {
    fit --model n-t --glitch-k 0.8
    [ "$status" = 0 ]
    [[ "$output" = *"Fitted with --glitch-k 0.8"* ]]
    [[ "$output" = *"No model for"*"  fast:4x1: 1 glitch, more than 0"* ]]
    [[ "$output" = *"Left out as glitches"*"  fast:4x1, N = 1200, "*"(limit 0.8)"* ]]
    fit --model n-t --glitch-k 0.8 --glitch-tolerance 1 --json
    jq -e '([.refused[].subject] | index("fast:4x1") == null)
        and (.dropped | length == 1)
        and .options == {terms: null, no_split: false, training_sizes: [],
            glitch_k: 0.8, glitch_tolerance: 1, refuse_negative: false}' <<<"$output"
}

@test "p-t says which n-t models it had to do without" {
    fit --model p-t --no-split --glitch-k 0.8
    [ "$status" = 0 ]
    [[ "$output" = *"No model for"*"  N-T of fast:4x1: 1 glitch, more than 0"* ]]
    [[ "$output" = *"fast x1: seconds = "* ]]
}

@test "np-t: a glitch at the same P is left out, and the formula is found" {
    fit --model np-t --no-split --json
    jq -e '.models[0].terms[0].coefficient / 1e-9 - 1 | fabs > 0.01' <<<"$output"
    fit --model np-t --no-split --glitch-k 0.8 --json
    jq -e '.models[0].terms | (.[0].coefficient / 1e-9 - 1 | fabs < 1e-6)' <<<"$output"
}

@test "--terms, --training-sizes, --no-split" {
    fit --model np-t --terms 'N^3/P,  N^2' --training-sizes 400,600,800 --no-split
    [ "$status" = 0 ]
    [ "${lines[1]}" = "Fitted with --terms 'N^3/P,  N^2' --no-split --training-sizes 400,600,800" ]
    [[ "$output" = *"fast x1 "*" 400-800 "* ]]
    [[ "$output" = *"fast x1: seconds = 1e-09 * N^3/P + 1e-07 * N^2"* ]]
    fit --model np-t
    [[ "$output" = *"fast x1 where P % 3 == 0"* ]]
    [[ "$output" != *"Fitted with"* ]]
}

@test "wrong options are usage errors" {
    fit --model n-t --terms 'N*P'
    [ "$status" = 2 ]
    [ "$stderr" = "motley: term 'N*P' of n-t models cannot depend on P" ]
    fit --model n-t --terms 'N +'
    [ "$status" = 2 ]
    fit --training-sizes 400,x
    [ "$status" = 2 ]
    fit --training-sizes 500
    [ "$status" = 1 ]
    [ "$stderr" = "motley: no runs at the training sizes" ]
    run --separate-stderr motley evaluate --terms 'N^3/P' ./pair.yaml ./toy.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --terms needs --model with one kind" ]
}

@test "a refit after new runs keeps the options" {
    motley fit --model np-t --terms 'N^3/P, N^2' --no-split --glitch-k 0.8 \
        ./pair.yaml ./toy.yaml >first
    printf '%s\n%s\n' cluster,program,configuration,size,seconds,outcome \
        pair,toy,slow:6x1,1600,1.93,ok >more.csv
    motley import more.csv
    motley predict --model np-t --size 1600 --configuration fast:4x1 ./pair.yaml ./toy.yaml
    motley show --json models >shown
    jq -e '.fits[0] | .newest_run == 63 and (.dropped | length) == 1
        and .options.terms == "N^3/P, N^2" and .options.no_split
        and .options.glitch_k == 0.8 and (.models | length) == 2' shown
    run motley show models
    [[ "${lines[1]}" = "$(sed -n 2p first)" ]]
    # Until fit says otherwise.
    motley fit --model np-t ./pair.yaml ./toy.yaml
    [ "$(motley show --json models | jq -c '.fits[0] | .options.terms, .models[0].split')" \
        = $'null\n0' ]
}

@test "evaluate takes the same options, and counts what was left out" {
    evaluate="motley evaluate --json --model np-t --sizes 3200 ./pair.yaml ./toy.yaml"
    $evaluate --no-split >with
    $evaluate --no-split --glitch-k 0.8 --terms 'N^3/P, N^2' \
        --training-sizes 400,800,1200 >without
    jq -e '.models[0] | .training_runs == 50 and .dropped_runs == 0
        and .fitted_models == 2 and .sizes[0].error_percent > 1' with
    jq -e '.models[0] | .training_runs == 30 and .dropped_runs == 1
        and .refused_models == 0 and (.sizes[0].error_percent | fabs < 0.001)
        and .training_seconds > 0 and .fit_seconds >= 0 and .choose_seconds >= 0' without
    run --separate-stderr motley evaluate --model n-t --glitch-k 0.8 --sizes 1600 \
        ./pair.yaml ./toy.yaml
    [ "${lines[0]}" = "toy on pair, models n-t, fitted from 60 runs, 1 of them left out as glitches; 1 models refused" ]
    # Nor do the options of stored models matter.
    motley fit --model np-t --training-sizes 400,600,800 ./pair.yaml ./toy.yaml
    [ "$($evaluate --no-split | jq -c .models[0].sizes)" = "$(jq -c .models[0].sizes with)" ]
}

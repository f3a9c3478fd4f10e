# motley evaluate: regret and errors against an answer computed by hand.
#
# The training runs, at N = 10 and 20, are exactly 0.6 N/P + P seconds on group a and
# 1.2 N/P + P on group b, and these are the terms of the models. The truth at the plan
# sizes is made up, so that the models choose wrongly:
#   N = 20:  a:3x1 is predicted to take 7 s (both groups: 10) and took 7; both took 5.
#   N = 60:  a:3x1 is predicted to take 15 s; it took 19, 20 and 30. Both groups are
#            predicted to take 18 s and took 15 and 17.
#   N = 100: a:3x1 would be chosen (23 s) but was not measured; a:2x1 is predicted to take
#            32 s and took 40; both groups are predicted to take 26 s and took 20.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >lab.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: a, hosts: 'a[1-3]', processes: [1]}
  - {name: b, hosts: 'b[1-3]', processes: [1]}
END
    cat >toy.yaml <<'END'
name: toy
command: [toy, '{N}']
time: wall
sizes: {measure: [10, 20], plan: [20, 60, 100]}
terms: {np-t: 'N/P, P'}
END
    cat >runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome,simulated
lab,toy,a:2x1,10,5,ok,false
lab,toy,a:2x1,20,8,ok,false
lab,toy,a:3x1,10,5,ok,false
lab,toy,a:3x1,20,7,ok,false
lab,toy,b:2x1,10,8,ok,false
lab,toy,b:2x1,20,14,ok,false
lab,toy,b:3x1,10,7,ok,false
lab,toy,b:3x1,20,11,ok,false
lab,toy,a:3x1+b:3x1,20,5,ok,false
lab,toy,a:3x1,60,30,ok,false
lab,toy,a:3x1,60,19,ok,false
lab,toy,a:3x1,60,20,ok,false
lab,toy,a:3x1+b:3x1,60,17,ok,false
lab,toy,a:3x1+b:3x1,60,15,ok,false
lab,toy,a:2x1,100,40,ok,false
lab,toy,a:3x1+b:3x1,100,20,ok,false
lab,toy,a:3x1,100,,failed,false
END
    motley import runs.csv
}

evaluate() {
    run --separate-stderr motley evaluate "$@" ./lab.yaml ./toy.yaml
}

@test "the table" {
    evaluate --model np-t
    [ "$status" = 0 ]
    cat >expected <<'END'
toy on lab, models np-t, fitted from 8 runs
size  predicted best  predicted  its time  true best    its time  regret
  20  a:3x1             7.000 s   7.000 s  a:3x1+b:3x1   5.000 s  40.0 %
  60  a:3x1             15.00 s   20.00 s  a:3x1+b:3x1   16.00 s  25.0 %
 100  a:3x1+b:3x1       26.00 s   20.00 s  a:3x1+b:3x1   20.00 s   0.0 %

model  sizes    worst regret  mean regret  worst error  mean error
np-t   all            40.0 %       21.7 %      +30.0 %      18.3 %
np-t   N >= 60        25.0 %       12.5 %      +30.0 %      27.5 %
END
    diff expected <(echo "$output")
}

@test "what is not the whole truth is said" {
    evaluate --model np-t
    cat >expected <<'END'
motley: N = 20: only 5 of 15 configurations were measured
motley: N = 60: only 2 of 15 configurations were measured
motley: N = 100: only 2 of 15 configurations were measured
motley: N = 100: np-t plans 'a:3x1', which was not measured; judged is its best choice among those that were
END
    diff expected <(echo "$stderr")
}

@test "auto, with the same terms, comes to the same choices and close to the same times" {
    evaluate --model np-t --json
    np_t=$output
    evaluate --model auto --json
    jq -e --argjson np_t "$np_t" '[$np_t.models[0].sizes, .models[0].sizes] | transpose |
        length == 3 and all(.[0].predicted_best == .[1].predicted_best and
            .[0].regret_percent == .[1].regret_percent and
            (.[0].predicted_seconds / .[1].predicted_seconds - 1 | fabs) < 0.1)' <<<"$output"
}

@test "models see no run but the training runs" {
    # A wrong truth at a plan size, on one group, must not change a prediction.
    before=$(motley evaluate --json --model np-t ./lab.yaml ./toy.yaml 2>/dev/null |
        jq '[.models[0].sizes[].predicted_seconds]')
    printf 'cluster,program,configuration,size,seconds,outcome,simulated\n%s\n%s\n' \
        lab,toy,b:2x1,60,500,ok,false lab,toy,b:2x1+a:1x1,20,900,ok,false >more.csv
    motley import more.csv
    after=$(motley evaluate --json --model np-t ./lab.yaml ./toy.yaml 2>/dev/null |
        jq '[.models[0].sizes[].predicted_seconds]')
    [ "$before" = "$after" ]
    # And evaluating keeps no models.
    [ "$(motley show --json models | jq '.fits | length')" = 0 ]
}

@test "without --model: all kinds that can be fitted; the others are named" {
    evaluate
    [ "$status" = 0 ]
    [[ "$output" = *"models auto"*"models np-t"* ]]
    [[ "$stderr" = *"motley: left out: no p-t model"* ]]
    evaluate --model auto,p-t
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no p-t model"* ]]
}

@test "--sizes" {
    evaluate --model np-t --sizes 60
    [ "$status" = 0 ]
    [ "$(grep -c ' a:3x1 ' <<<"$output")" = 1 ]
    [[ "$output" = *"np-t   all          25.0 %       25.0 %      -25.0 %      25.0 %" ]]
    [[ "$output" != *"N >="* ]]
}

@test "--json" {
    evaluate --model np-t --json
    run jq -c '.cluster, .program, .simulated, .models[0].training_runs,
        .models[0].sizes[1], .models[0].upper_half' <<<"$output"
    [ "${lines[0]}" = '"lab"' ]
    [ "${lines[1]}" = '"toy"' ]
    [ "${lines[2]}" = false ]
    [ "${lines[3]}" = 8 ]
    jq -e '.size == 60 and .predicted_best == "a:3x1" and .true_best == "a:3x1+b:3x1"
        and (.predicted_seconds - 15 | fabs) < 1e-9 and .predicted_best_seconds == 20
        and .true_best_seconds == 16 and (.regret_percent - 25 | fabs) < 1e-9
        and (.error_percent + 25 | fabs) < 1e-9 and .measured == 2 and .possible == 15
        and .unmeasured_plan == null' <<<"${lines[4]}"
    jq -e '.from_size == 60 and (.worst_regret_percent - 25 | fabs) < 1e-9' <<<"${lines[5]}"
}

@test "simulated is said wherever there is a result" {
    sed -i 's/openmpi/smpi/; s/processes: \[1\]/processes: [1], simulate: {flops: 1 Gf}/
        $a network: {latency: 1 us, bandwidth: 1 GB/s}' lab.yaml
    evaluate --model np-t --plot term
    [[ "${lines[0]}" = "toy on lab (simulated), models np-t, "* ]]
    [[ "$output" = *"toy on lab (simulated)"*"problem size N"* ]]
    [ "$(motley evaluate --json ./lab.yaml ./toy.yaml 2>/dev/null | jq .simulated)" = true ]
}

@test "nothing to evaluate: what to do" {
    evaluate --sizes 7
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no runs of 'toy' at these sizes in 'motley.db': 'motley measure --configuration all "* ]]
    sed -i 's/measure: \[10, 20\]/measure: [1, 2]/' toy.yaml
    evaluate
    [ "$status" = 1 ]
    [[ "${stderr_lines[-1]}" = "motley: no runs of 'toy' on 'lab' at its measure sizes in 'motley.db': "* ]]
    sed -i 's/, plan: .*]/ /' toy.yaml
    evaluate
    [ "$status" = 2 ]
    [ "$stderr" = "motley: program 'toy' names no plan sizes; give some by --sizes" ]
}

@test "usage errors" {
    evaluate --model best
    [ "$status" = 2 ]
    [[ "$stderr" = *"'best'"* ]]
    evaluate --sizes 60,x
    [ "$status" = 2 ]
    evaluate --plot x.pdf
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: --plot: unknown kind of picture: 'x.pdf' "* ]]
    evaluate --plot term --json
    [ "$status" = 2 ]
    evaluate --db none.db
    [ "$status" = 1 ]
}

# Fitted exactly: 2 N - 10 seconds on nodes of group a, N seconds on those of group b.
@test "a time that is not positive is skipped, or chosen as in the papers" {
    sed -e 's/^sizes: .*/sizes: {measure: [10, 20], plan: [4]}/' \
        -e "s/^terms: .*/terms: {np-t: 'N, 1'}/" toy.yaml >below.yaml
    mv below.yaml toy.yaml
    cat >below.csv <<'END2'
cluster,program,configuration,size,seconds,outcome,simulated
lab,toy,a:2x1,10,10,ok,false
lab,toy,a:2x1,20,30,ok,false
lab,toy,b:2x1,10,10,ok,false
lab,toy,b:2x1,20,20,ok,false
lab,toy,a:3x1,10,10,ok,false
lab,toy,a:3x1,20,30,ok,false
lab,toy,b:3x1,10,10,ok,false
lab,toy,b:3x1,20,20,ok,false
lab,toy,a:2x1,4,5,ok,false
lab,toy,b:2x1,4,3,ok,false
lab,toy,a:2x1+b:2x1,4,6,ok,false
lab,toy,a:2x1+b:2x1,3,6,ok,false
END2
    rm motley.db*
    motley import below.csv
    evaluate --model np-t --json
    jq -e '.models[0].sizes[0] | .predicted_best == "b:2x1" and .skipped == 2
        and (.predicted_seconds - 4 | fabs) < 1e-9' <<<"$output"
    [[ "$stderr" == *"N = 4: np-t models skip 2 of 3 configurations, whose predicted time is not positive"* ]]
    evaluate --model np-t --json --as-in-paper --sizes 3,4
    jq -e '.models[0].sizes | (.[1] | .predicted_best == "a:2x1" and .skipped == 0
            and (.predicted_seconds + 2 | fabs) < 1e-9)
        and (.[0] | .predicted_best == "a:2x1+b:2x1" and (.predicted_seconds - 3 | fabs) < 1e-9)' \
        <<<"$output"
    [[ "$stderr" != *skip* ]]
}

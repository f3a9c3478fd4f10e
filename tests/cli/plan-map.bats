# motley plan of several sizes: the decision map of a lab where it is known by hand.

bats_require_minimum_version 1.5.0
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab
}

# The models have the very terms that the runs were made of.
map() {
    run --separate-stderr motley plan --model np-t "$@" ./lab.yaml ./toy.yaml
}

# The best configurations of the sizes: N, configuration and seconds.
answers() {
    sed -n '3,/^[*p-]/s/^ *\([0-9]*\)  *\([^ ]*\)  *\([^ ]*\).*/\1 \2 \3/p' <<<"$output"
}

# The decision map, a change a line.
changes() {
    sed '1,/^from N on/d; s/^ *//; s/  */ /g' <<<"$output"
}

@test "the best of each size, and from which size on it is the best" {
    # 1, 2 and 3 nodes of a take 0.6 N + 1, 0.3 N + 2 and 0.2 N + 3 seconds: the
    # changes are at 3.3 and 10, where fewer nodes are as fast.
    map --size 100,2,20
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "${lines[0]}" = "toy on lab, 3 sizes, fastest by np-t models" ]
    [ "$(answers)" = "2 a:1x1 2.200
20 a:3x1 7.000
100 a:3x1 23.00" ]
    [[ "$output" = *"proven: of 15 configurations, no allowed one is predicted faster"* ]]
    [[ "$output" = *"decision map, up to N = 100"* ]]
    [ "$(changes)" = "2 a:1x1
4 a:2x1
11 a:3x1" ]
}

@test "limits and the objective hold for each size" {
    # The cheapest that is done in 25.05 s: 1.2 N + 1 on one node of b, 0.6 N + 2 and
    # 0.4 N + 3 on more; 0.3 N + 4 with one of a, ...
    map --size 4,120 --objective price --confidence 0.5 --deadline 25.05s
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "toy on lab, 2 sizes, cheapest by"* ]]
    [ "$(changes)" = "4 b:1x1
21 b:2x1
39 b:3x1
56 a:1x1+b:3x1
71 a:2x1
77 a:2x1+b:3x1
84 a:3x1
111 -" ]
    [[ "$output" = *"- N = 120: no configuration meets the deadline of 25.05 s: the fastest takes 27 s"* ]]
    map --size 20,100 --max-nodes 2
    [ "$(changes)" = "20 a:2x1" ]
}

@test "nothing is allowed at any of the sizes" {
    map --size 20,100 --confidence 0.5 --deadline 1s
    [ "$status" = 1 ]
    [ -z "$output" ]
    [ "$stderr" = "motley: no configuration meets the deadline of 1 s: the fastest takes 7 s" ]
}

@test "changes between sizes that have no whole number between them" {
    map --size 3.1,3.9
    [ "$(changes)" = "3.1 a:1x1
3.9 a:2x1" ]
}

@test "--all-sizes: those that the program plans for" {
    sed -i 's/^sizes:.*/sizes: {measure: [10, 20], plan: [8, 40]}/' toy.yaml
    map --all-sizes
    [ "$(answers)" = "8 a:2x1 4.400
40 a:3x1 11.00" ]
    sed -i 's/^sizes:.*/sizes: {measure: [10, 20], plan: [40]}/' toy.yaml
    map --all-sizes
    [ "$(changes)" = "40 a:3x1" ]
    sed -i 's/^sizes:.*/sizes: {measure: [10, 20]}/' toy.yaml
    map --all-sizes
    [ "$status" = 2 ]
    [ "$stderr" = "motley: program 'toy' names no sizes to plan for; give some by --size" ]
}

@test "--json" {
    map --size 2,20,300 --confidence 0.5 --deadline 59.9s --json
    [ "$status" = 0 ]
    jq -e '.simulated == false and .cluster == "lab" and .program == "toy"
        and .model == "np-t" and .objective == "time" and .configurations == 15
        and (.sizes | map(.size) == [2, 20, 300])
        and (.sizes[1] | .configuration == "a:3x1" and .ranks == 3 and .nodes == 3
            and (.seconds - 7 | fabs) < 1e-6 and .low < 7 and .high > 7 and .exact)
        and .sizes[2].configuration == null' <<<"$output"
    [ "$(jq -c '.map | map([.from, .configuration])' <<<"$output")" = \
        '[[2,"a:1x1"],[4,"a:2x1"],[11,"a:3x1"],[285,null]]' ]
}

@test "the picture: a colour for each of the best ones, and where they change" {
    map --size 2,20,100 --plot map.svg
    [ "$status" = 0 ]
    grep -q '<text>Best configurations of lab for toy (fastest by np-t models)</text>' map.svg
    for text in a:1x1 a:2x1 a:3x1 4 11 'problem size N' 'slower than best \[%\]'; do
        grep -q "<text>$text</text>" map.svg
    done
    map --size 2,20,100 --plot term
    [ "$status" = 0 ]
    [[ "$output" = *"Best configurations of lab for toy"*"a:2x1"*"problem size N"* ]]
    map --size 100,200 --plot one.svg
    [ "$status" = 0 ]
    ! grep -q 'slower than best' one.svg
}

@test "usage errors name what is wrong" {
    while read -r subject options; do
        # shellcheck disable=SC2086
        map $options
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "*"$subject"* ]]
        [ -z "$output" ]
    done <<'END'
'x' --size 10,x
twice --size 10,20,10
exclude --all-sizes --size 10
--top --size 10,20 --top 3
--all --size 10,20 --all
--hostfile --size 10,20 --hostfile hosts
--plot --size 10 --plot map.svg
'map.gif' --size 10,20 --plot map.gif
exclude --size 10,20 --plot term --json
END
    run --separate-stderr motley run --size 10,20 ./lab.yaml ./toy.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --size takes one size here, not '10,20'" ]
}

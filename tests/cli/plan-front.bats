# motley plan --pareto: the front of a lab where it is known by hand.

bats_require_minimum_version 1.5.0
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab
}

# The models have the very terms that the runs were made of.
front() {
    run --separate-stderr motley plan --model np-t --size 100 --pareto "$@" ./lab.yaml ./toy.yaml
}

# points JQ-FILTER: of each point of the JSON
points() {
    jq -c "[.front[] | $1]" <<<"$output"
}

# A node of a costs 0.001 a second, one of b a tenth of that. Of a they have 61, 32 and 23 s
# on one, two and three nodes; of b 121, 62 and 43; of both 29 s with 2 + 3, 34 with 1 + 3.
@test "the fastest, the cheapest and all between that nothing is better than" {
    echo 'currency: EUR' >>lab.yaml
    front
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    cat >expected <<'END'
toy on lab, N = 100, time against cost by np-t models
point  predicted      90 % interval     slower        cost   saves  P  nodes  configuration
    1    23.00 s     LOW - HIGH     *    0.0 %   0.069 EUR   0.0 %  3      3  a:3x1
    2    29.00 s     LOW - HIGH     *   26.1 %  0.0667 EUR   3.3 %  5      5  a:2x1+b:3x1
    3    32.00 s     LOW - HIGH     *   39.1 %   0.064 EUR   7.2 %  2      2  a:2x1
    4    34.00 s     LOW - HIGH     *   47.8 %  0.0442 EUR  35.9 %  4      4  a:1x1+b:3x1
    5    43.00 s     LOW - HIGH     *   87.0 %  0.0129 EUR  81.3 %  3      3  b:3x1
    6    62.00 s     LOW - HIGH     *  169.6 %  0.0124 EUR  82.0 %  2      2  b:2x1
    7    121.0 s     LOW - HIGH     *  426.1 %  0.0121 EUR  82.5 %  1      1  b:1x1
* extrapolated: N or P lies outside the runs behind the model
proven: of 15 configurations, each allowed one is predicted no faster than one of these with no more cost
END
    diff expected <(sed -E 's/ [0-9.]+ s - [0-9.]+ s /    LOW - HIGH     /' <<<"$output")
}

@test "limits hold; --all is the same where there are few" {
    front --all --json --confidence 0.5 --deadline 100s --budget 0.065 --max-nodes 3
    [ "$(points .configuration)" = '["a:2x1","b:3x1","b:2x1"]' ]
    front --json --deadline 100s --budget 0.065 --max-nodes 3
    # with a chance of 90 %: less is sure
    [ "$(points .configuration)" = '["b:3x1","b:2x1"]' ]
    front --deadline 10s
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no configuration meets the deadline of 10 s"*": the fastest takes 23 s"* ]]
}

@test "energy where it is asked for, or there are no prices" {
    sed -i 's/price: 3.6/watts: 150/; s/price: 0.36/watts: 100/' lab.yaml
    front
    [[ "${lines[0]}" = "toy on lab, N = 100, time against energy by np-t models" ]]
    front --json
    [ "$(points '[.configuration, (.joules | round)]')" = '[["a:3x1",10350],["a:2x1",9600],["a:1x1",9150]]' ]
    jq -e '.against == "energy" and .exact and .share == 0' <<<"$output"
    sed -i 's/watts: 1[05]0/memory: 1 GiB/' lab.yaml
    front
    [ "$status" = 2 ]
    [ "$stderr" = "motley: no group of cluster 'lab' has a price or watts to weigh against time; give the groups 'price: 0.40' or 'watts: 350'" ]
}

@test "the picture" {
    front --plot front.svg
    [ "$status" = 0 ]
    grep -q '<text>Time against cost of toy on lab, N = 100 (by np-t models)</text>' front.svg
    for text in a:3x1 a:1x1+b:3x1 b:1x1 cost 'predicted seconds'; do
        grep -q "<text>$text</text>" front.svg
    done
    front --plot term
    [[ "$output" = *"Time against cost of toy on lab"*"predicted seconds"* ]]
}

@test "what ran at the size has its measured time in it" {
    # Twice as fast as expected at this size: faster than three nodes of a, and cheaper.
    { head -n 1 runs.csv; echo lab,toy,a:2x1+b:3x1,100,14,ok,false; } >more.csv
    motley import more.csv
    run --separate-stderr motley plan --size 100 --pareto ./lab.yaml ./toy.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"  14.00 s  "*" a:2x1+b:3x1"$'\n'* && "$output" != *" a:2x1"$'\n'* ]]
    [[ "$output" = *"proven: of 15 configurations"* ]]
    [[ "$output" = *" b:2x1"$'\n'* ]]
}

@test "usage errors name what is wrong" {
    while IFS='|' read -r subject options; do
        # shellcheck disable=SC2086
        run --separate-stderr motley plan $options ./lab.yaml ./toy.yaml
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "*"$subject"* ]]
        [ -z "$output" ]
    done <<'END'
--pareto is for one size|--pareto --size 10,20
--pareto is for one size|--pareto --all-sizes
--verify and --pareto exclude each other|--pareto --size 10 --verify auto
--top and --pareto exclude each other|--pareto --size 10 --top 3
--sbatch and --pareto exclude each other|--pareto --size 10 --sbatch job
--size N|--pareto
front.gif|--pareto --size 10 --plot front.gif
--plot=term and --json|--pareto --size 10 --plot term --json
END
}

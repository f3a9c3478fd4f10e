# What nodes cost by --prices and --spot, in the lab where plans are known by hand.

bats_require_minimum_version 1.5.0
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab
}

plan() {
    run --separate-stderr motley plan --model np-t --size 100 "$@" ./lab.yaml ./toy.yaml
}

# cost CONFIGURATION of a front
cost() {
    jq --arg c "$1" '.front[] | select(.configuration == $c) | .cost * 1e9 | round / 1e9' <<<"$output"
}

@test "prices out of a file, in quotes or not, with groups that the cluster has not" {
    printf 'price,group\r\n7.2,"a"\r\n\r\n0.72,b\r\n1,other\r\n' >prices.csv
    plan --pareto --json --prices prices.csv
    [ "$status" = 0 ]
    [ "$(cost a:3x1)" = 0.138 ] # twice the file's
    [ "$(cost b:3x1)" = 0.0258 ]
    motley report --json --model np-t --size 100 --prices prices.csv lab.yaml toy.yaml >page.json
    jq -e '.sizes[0].front_points[0].cost * 1e9 | round == 138e6' page.json
}

# On three nodes that are taken away 3.6 times in an hour, 3/1000 a second, 23 s pass without
# with a chance of exp(-0.069); else it begins anew: (exp(0.069) - 1) / 0.003 s.
@test "spot prices, the chance to keep the nodes, and what to expect" {
    sed -i 's/price: 3.6}/price: 3.6, spot: {price: 1.8, interruptions: 3.6}}/' lab.yaml
    plan --pareto --json --spot
    [ "$status" = 0 ]
    [ "$(cost a:3x1)" = 0.0345 ]
    [ "$(cost b:3x1)" = 0.0129 ]
    jq -e '.front[0] | .configuration == "a:3x1" and
        (.uninterrupted - (-0.069 | exp) | fabs) < 1e-9 and
        (.expected_seconds - ((0.069 | exp) - 1) / 0.003 | fabs) < 1e-9' <<<"$output"
    jq -e '.front[-1] | .uninterrupted == 1 and .expected_seconds == .seconds' <<<"$output"
    plan --spot
    [[ "$output" = *"not interrupted  with new starts"*"93.3 %          23.81 s"* ]]
    plan --pareto --json
    [ "$(cost a:3x1)" = 0.069 ]
    jq -e '.front[0] | has("uninterrupted") | not' <<<"$output"
    printf 'group,price,spot_price,interruptions\na,3.6,0.9,7.2\nb,0.36,,\n' >prices.csv
    plan --pareto --json --spot --prices prices.csv
    [ "$(cost a:3x1)" = 0.01725 ]
    jq -e '(.front[0].uninterrupted - (-0.138 | exp) | fabs) < 1e-9' <<<"$output"
    printf '\xef\xbb\xbfgroup,price\na,3.6\nb,0.36\n' >prices.csv # takes the place of all
    plan --spot --prices prices.csv
    [ "$status" = 2 ]
    [[ "$stderr" = *"no group of cluster 'lab' has a spot price"* ]]
}

# refuses TEXT REASON: a file of prices
refuses() {
    printf "$1" >prices.csv
    plan --prices prices.csv
    [ "$status" = 2 ] || [ "$status" = 1 ]
    [ -z "$output" ]
    [[ "$stderr" = *"prices.csv$2"* ]] || { echo "$stderr"; return 1; }
}

@test "files that are wrong, with the line" {
    refuses 'group,prize\na,1' ":1: the columns are group, price, spot_price and interruptions, not 'prize'"
    refuses 'price\n1' ":1: the first line has to name the columns group and price"
    refuses 'group,price,price\n' ":1: this column comes twice: 'price'"
    refuses 'group,price,spot_price\n' ":1: the columns spot_price and interruptions need each other"
    refuses '' ": there is no price of group 'a'"
    refuses 'group,price\na,1\n' ": there is no price of group 'b'"
    refuses 'group,price\n\na,1\na,2\n' ":4: this group comes twice: 'a'"
    refuses 'group,price\na,-1\n' ":2: price has to be a number from 0 to 3.33e+07, not '-1'"
    refuses 'group,price\na,1 EUR\n' ":2: price has to be a number from 0 to 3.33e+07, not '1 EUR'"
    refuses 'group,price\na,nan\n' ":2: price has to be"
    refuses 'group,price\na,1,2\n' ":2: this line has another number of cells than the first"
    refuses 'group,price\n"a,1\n' ":2: a quote is not closed"
    refuses 'group,price\n"a"x,1\n' ":2: a quote is not closed, or text follows it"
    refuses 'group,price\na,1\0\n' ":2: a zero byte: not a text file"
    plan --prices nowhere.csv
    [[ "$stderr" = *"--prices: cannot read 'nowhere.csv'"* ]]
    plan --spot
    [[ "$stderr" = *"no group of cluster 'lab' has a spot price"* ]]
}

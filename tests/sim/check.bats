# motley check on simulated clusters: what is wrong with them is known.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR
}

# write_cluster [FLAW OF GROUP a [FLAW OF THE NETWORK]]
write_cluster() {
    cat >made-up.yaml <<END_CLUSTER
name: made-up
launcher: smpi
groups:
  - {name: a, nodes: 3, processes: [1], simulate: {flops: 2 Gf${1:+, $1}}}
  - {name: b, nodes: 2, processes: [1], simulate: {flops: 1 Gf}}
network: {latency: 50 us, bandwidth: 100 MB/s${2:+, $2}}
END_CLUSTER
}

# findings: "KIND NODE..." a line
findings() {
    run --separate-stderr motley check --json ./made-up.yaml
    jq -r '.findings[] | "\(.kind) \(.nodes | join(" "))"' <<<"$output"
}

@test "nothing is wrong with equal nodes" {
    write_cluster
    run --separate-stderr motley check ./made-up.yaml
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [[ "${lines[0]}" == "made-up (simulated), SMPI"* ]]
    [ "${lines[-1]}" = "Nothing is wrong." ]
}

@test "nothing is wrong with the clusters that are shipped" {
    for cluster in toyohashi-2 toyohashi-3 two-switches; do
        motley check $cluster >/dev/null
    done
}

@test "a node that computes more slowly" {
    write_cluster "odd: {node: 3, slowdown: 1.5}"
    [ "$(findings)" = "compute a-3
memory a-3" ]
    run motley check ./made-up.yaml
    [ "$status" = 3 ]
    [[ "$output" == *"1. unequal nodes in group 'a', which computes at 2.00 Gf (median): a-3 (1.33 Gf, -33 %)"* ]]
}

@test "a node with a slower connection" {
    write_cluster "odd: {node: 1, link_slowdown: 2}"
    [ "$(findings)" = "link a-1" ]
}

@test "a dip: between the groups and in each, with its sizes" {
    write_cluster "" "dip: {from: 32 KiB, to: 64 KiB, slowdown: 4}"
    run --separate-stderr motley check --json ./made-up.yaml
    [ "$status" = 3 ]
    [ "$(jq -c '.findings[] | [.kind, .bytes]' <<<"$output" | uniq -c | xargs)" = "3 [dip,[32768,49152]]" ]
    [[ "$(jq -r '.findings[0].text' <<<"$output")" == "messages of 32 KiB to 48 KiB are slower than smaller and larger ones in group 'a': "* ]]
    [[ "$(jq -r '.findings[1].text' <<<"$output")" == *" between groups 'a' and 'b': "* ]]
}

@test "messages outside the dip take the time that they take without it" {
    write_cluster
    motley check --json ./made-up.yaml >without
    write_cluster "" "dip: {from: 32 KiB, to: 64 KiB, slowdown: 4}"
    motley check --json ./made-up.yaml >with || [ $? = 3 ]
    outside='[.links[0].messages[] | select(.bytes < 32768 or .bytes >= 65536)]'
    [ "$(jq -c "$outside" without)" = "$(jq -c "$outside" with)" ]
    jq -se 'map(.links[0].messages | map(select(.bytes == 32768))[0].seconds)
        | .[1] > 3 * .[0]' without with
}

@test "a bad node and a dip" {
    write_cluster "odd: {node: 2, slowdown: 1.2}" "dip: {from: 8 KiB, to: 32 KiB, slowdown: 5}"
    [ "$(findings | cut -d' ' -f1 | sort | uniq -c | xargs)" = "1 compute 3 dip 1 memory" ]
}

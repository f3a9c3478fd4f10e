# Messages between the switches of a simulated cluster. HALVES sends from its first ranks
# to its last ones, which are on the nodes of the second group.

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_cluster one
    cat >halves.yaml <<END
name: halves
command: [$HALVES, '{N}']
time: {match: '^time ([0-9.eE+-]+) s'}
sizes: {measure: [8, 10000000]}
END
}

# write_cluster NAME [TRUNK]: with a trunk, its groups are on a switch each.
write_cluster() {
    local left=${2:+"switch: left,"} right=${2:+"switch: right,"}
    cat >$1.yaml <<END
name: $1
launcher: smpi
groups:
  - {name: a, $left nodes: 2, processes: [1], simulate: {flops: 1 Gf}}
  - {name: b, $right nodes: 2, processes: [1], simulate: {flops: 1 Gf}}
network: {latency: 50 us, bandwidth: 100 MB/s${2:+, trunk: $2}}
END
}

# seconds CLUSTER BYTES CONFIGURATION
seconds() {
    motley measure --quiet --sizes "$2" --configuration "$3" "$1.yaml" halves.yaml >&2
    motley show runs --json --size "$2" --configuration "$3" "$1" halves |
        jq '.runs[0].seconds'
}

# same A B: they differ by at most 2 %.
same() {
    echo "$1 $2"
    awk -v a="$1" -v b="$2" 'BEGIN { exit !(a > 0 && a < 1.02 * b && b < 1.02 * a) }'
}

@test "messages between switches share the trunk" {
    write_cluster two "{latency: 1 us, bandwidth: 100 MB/s}"
    one=$(seconds one 10000000 a:2x1+b:2x1)
    two=$(seconds two 10000000 a:2x1+b:2x1)
    alone=$(seconds two 10000000 a:1x1+b:1x1)
    within=$(seconds two 10000000 b:2x1)
    same "$two" "$(jq -n "2 * $one")"
    same "$alone" "$one"
    same "$within" "$one"
}

@test "a fast trunk costs its latency only" {
    write_cluster two "{latency: 10 ms, bandwidth: 1 GB/s}"
    same "$(seconds two 10000000 a:2x1+b:2x1)" \
        "$(jq -n "$(seconds one 10000000 a:2x1+b:2x1) + 12 * 0.01")"
    # A message of a few bytes takes twice the latency: motley-cluster(5).
    same "$(seconds two 8 a:1x1+b:1x1)" \
        "$(jq -n "$(seconds one 8 a:1x1+b:1x1) + 2 * 0.01")"
}

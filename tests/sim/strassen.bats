# Products by the simulated program strassen, on the twins of the clusters of Ohtaki,
# Takahashi, Boku and Sato (2004) without their noise. What is expected is from the
# paper's tables.

setup() {
    cd "$BATS_TEST_TMPDIR"
    for environment in 1 3; do
        sed 's/, noise: [0-9.]*//' "$SOURCE_ROOT/clusters/ohtaki-$environment.yaml" \
            >ohtaki-$environment.yaml
    done
}

# simulate CLUSTER CONFIGURATION SIZE OPTION...: what strassen prints
simulate() {
    local cluster=$1 configuration=$2 size=$3
    shift 3
    cat >made-up.yaml <<END
name: made-up
command: [strassen, --size, '{N}'$(printf ", '%s'" "$@")]
time: {match: '^time ([0-9.eE+-]+) s'}
sizes: {measure: [$size]}
END
    motley run --size "$size" --configuration "$configuration" \
        "$cluster.yaml" made-up.yaml | grep -E '^(time|speed|rank|difference) '
}

# seconds CLUSTER CONFIGURATION SIZE OPTION...
seconds() {
    simulate "$@" | awk '$1 == "time" { print $2 }'
}

# near A B PERCENT
near() {
    echo "$1, wanted $2"
    awk -v a="$1" -v b="$2" -v percent="$3" \
        'BEGIN { exit !(a - b <= b * percent / 100 && b - a <= b * percent / 100) }'
}

@test "products take what they took on the three processors" {
    xeon=$(seconds ohtaki-1 xeon-2.4:1x1 3000 --product --levels 1 --model-only)
    near "$xeon" 16.4 1
    near "$(seconds ohtaki-1 xeon-3.06:1x1 3000 --product --levels 1 --model-only)" \
        "$(jq -n "$xeon * 3.065 / 3.820")" 0.1
    near "$(seconds ohtaki-3 athlon-1.53:1x1 3000 --product --levels 1 --model-only)" \
        "$(jq -n "$xeon * 3.065 / 2.259")" 0.1
}

# An exchange and a product of a second each take a second: SimGrid's messages need no
# processor. Small ones have a latency.
@test "messages take no time of processors that multiply" {
    near "$(seconds ohtaki-3 athlon-1.53:1x1+xeon-3.06:1x1 1000 --overlap --model-only)" 1 0.1
    near "$(seconds ohtaki-3 athlon-1.53:1x1+xeon-3.06:1x1 100 --overlap)" 1 20
}

@test "a level of Strassen pays from a size of 1760 on" {
    for size in 1740 1780; do
        for levels in 0 1; do
            seconds ohtaki-1 xeon-2.4:1x1 $size --product --levels $levels --model-only
        done
    done >times
    xargs <times
    xargs <times | awk '{ exit !($1 < $2 && $3 > $4) }'
}

@test "equal blocks of a large product take what they took" {
    simulate ohtaki-1 xeon-2.4:4x1+xeon-3.06:4x1 12000 --model-only >output
    near "$(awk '$1 == "time" { print $2 }' output)" 172.7 1
    near "$(awk '/^rank 0 / { print $4 }' output)" 132.4 1
    near "$(awk '/^rank 0 / { print $6 }' output)" 40.3 1
    near "$(awk '/^rank 7 / { print $8 }' output)" 27.5 10
}

# SMPI charges 10 ns for a look at the clock, of which there are fewer without values.
@test "products are exact, and take the same time without values, each time" {
    cat >cut <<END
motley-cut 1
kind auto
ranks 3
panels 2
subpanels 0
overlap yes
rolled yes
tile 0 0 1 0 0 1 0.3
tile 1 0 2 0 0.3 0.5 1
tile 2 0 0 0.5 0.3 1 1
END
    for options in "" "--cut $PWD/cut"; do
        simulate ohtaki-3 athlon-1.53:1x1+xeon-3.06:2x1 150 --integers $options >values
        simulate ohtaki-3 athlon-1.53:1x1+xeon-3.06:2x1 150 --model-only $options >model
        simulate ohtaki-3 athlon-1.53:1x1+xeon-3.06:2x1 150 --model-only $options >again
        grep -x "difference 0" values
        cmp model again
        near "$(awk '/^time/ { print $2 }' model)" "$(awk '/^time/ { print $2 }' values)" 1e-3
    done
}

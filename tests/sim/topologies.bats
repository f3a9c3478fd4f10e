# Messages in simulated networks that are no switch, where it is known what they take.
# RING sends from each rank to the next one, all at once; HALVES from its first ranks to
# its last ones.

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# write_cluster NODES NETWORK
write_cluster() {
    cat >made-up.yaml <<END
name: made-up
launcher: smpi
groups: [{name: pe, nodes: $1, processes: [1], simulate: {flops: 1 Gf}}]
network: {protocol: none, $2}
END
}

# measure PROGRAM SIZES RANKS...: "RANKS BYTES SECONDS" a line
measure() {
    local program=$1 sizes=$2
    shift 2
    cat >made-up-program.yaml <<END
name: made-up-program
command: [$program, '{N}']
time: {match: '^time ([0-9.eE+-]+) s'}
sizes: {measure: [$sizes]}
END
    motley measure --quiet --configuration \
        "$(printf ',pe:%dx1' "$@" | cut -c2-)" made-up.yaml made-up-program.yaml >&2
    motley show runs --json made-up made-up-program >runs.json
    jq -e '.runs | length > 0 and all(.seconds > 0)' runs.json >&2
    jq -r '.runs[] | "\(.configuration | ltrimstr("pe:") | rtrimstr("x1")) \(.size) \(.seconds)"' \
        runs.json
}

# all_take FORMULA: what measure prints, by awk's formula of ranks and bytes. SMPI adds an
# envelope of 16 bytes to a message, and 10 ns to the time for looking at the clock.
all_take() {
    awk '{
        ranks = $1; bytes = $2 + 16
        wanted = '"$1"'
        wrong = ($3 - wanted) ^ 2 > (2e-8 + 1e-8 * wanted) ^ 2
        print $0, (wrong ? "wrong, not " : "right: "), wanted
        failed = failed || wrong
    } END { exit failed || NR == 0 }' measured
}

@test "a message takes its latency and its bytes over the bandwidth, whatever its size" {
    write_cluster 2 "latency: 1 ms, bandwidth: 100 MB/s"
    measure "$RING" "8, 1000, 65535, 65536, 65537, 8000000" 2 >measured
    all_take "1e-3 + bytes / 100e6"
}

@test "what a half-duplex node sends and receives shares its connection" {
    write_cluster 4 "duplex: half, latency: 1 ms, bandwidth: 100 MB/s"
    measure "$RING" "8, 8000000" 2 4 >measured
    all_take "1e-3 + 2 * bytes / 100e6"
    rm motley.db
    measure "$HALVES" 8000000 2 4 >measured
    all_take "1e-3 + bytes / 100e6"
}

@test "on a torus neighbours do not disturb each other, and the way back is the shorter one" {
    write_cluster 8 "topology: torus, latency: 1 ms, bandwidth: 2 MB/s, hop: {latency: 1 us, bandwidth: 2 MB/s}"
    measure "$RING" "8, 100000" 2 3 5 6 8 >measured
    all_take "1e-3 + 1e-6 * (ranks - 1 < 9 - ranks ? ranks - 1 : 9 - ranks) + bytes / 2e6"
}

@test "on a torus messages share what they pass together" {
    write_cluster 16 "topology: torus, latency: 1 ms, bandwidth: 2 MB/s, hop: {latency: 1 us, bandwidth: 2 MB/s}"
    measure "$HALVES" 1000000 2 6 >measured
    awk '{ n = $1 / 2; exit !($3 > 0.99 * n / 2 && $3 < 1.02 * n / 2) }' measured
}

# The most messages of a ring that pass one switch, counted over all stages of 4 x 4.
load='function load(ranks, stages,    k, i, at, count, most, tail, head) {
    most = 0
    for (k = 0; k < stages; k++)
        for (i = 0; i < ranks; i++) {
            tail = i % 4 ^ (stages - 1 - k)
            head = int((i + 1) % ranks / 4 ^ (stages - k))
            at = k " " tail " " head
            if (++count[at] > most)
                most = count[at]
        }
    return most
}'

@test "in a multistage network a message gets its share of the fullest switch" {
    write_cluster 64 "topology: multistage, latency: 1 ms, bandwidth: 1.2 MB/s, switch_ports: 4, switch_bandwidth: 3 MB/s"
    measure "$RING" 1000000 2 3 4 5 8 16 17 64 >measured
    loads=$(awk "$load"' { print $1, load($1, 3) }' measured | sort -n | xargs)
    [ "$loads" = "2 2 3 3 4 4 5 4 8 4 16 4 17 5 64 4" ]
    awk "$load"'{ print $1, $2, $3, load($1, 3) }' measured >loaded
    mv loaded measured
    all_take '1e-3 + bytes / (3e6 / $4 < 1.2e6 ? 3e6 / $4 : 1.2e6)'
}

@test "what leaves a switch of some nodes shares its trunk" {
    write_cluster 32 "latency: 1 ms, bandwidth: 4 MB/s, switch_ports: 4, trunk: {latency: 2 ms, bandwidth: 1 MB/s}"
    # Of a ring one message leaves each switch; of halves, all four of each.
    measure "$RING" "8, 1000000" 2 4 5 8 16 32 >measured
    all_take "1e-3 + (ranks > 4) * 2e-3 + bytes / (ranks > 4 ? 1e6 : 4e6)"
    rm motley.db
    measure "$HALVES" 1000000 8 16 32 >measured
    awk '{ wrong = wrong || $3 < 0.99 * 4 || $3 > 1.02 * 4 } END { exit wrong || NR != 3 }' measured
}

@test "on a bus only one message passes at a time, whatever its direction" {
    write_cluster 8 "topology: bus, latency: 1 ms, bandwidth: 5 MB/s"
    measure "$RING" "8, 100000" 2 3 8 >measured
    all_take "1e-3 + ranks * bytes / 5e6"
}

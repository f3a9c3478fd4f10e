# experiments/heho/papers/tables: the papers' tables and figures, from recorded runs.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    tables=$SOURCE_ROOT/experiments/heho/papers/tables
}

# Every configuration of toyohashi-2 at every size of jacobi: a slow node has half the
# speed, and each rank more costs a bit.
record() {
    mkdir recorded
    awk 'BEGIN {
        print "cluster,program,configuration,size,seconds,outcome,simulated"
        n = split("32 48 64 80 96 112 128 160 192 256", sizes)
        for (m1 = 1; m1 <= 2; m1++) for (p1 = 0; p1 <= 8; p1++)
            for (p2 = 0; p2 <= 8; p2++) for (s = 1; s <= n; s++) {
                if (p1 == 0 && (p2 == 0 || m1 == 2)) continue
                ranks = p1 * m1 + p2; slowest = p2 ? 2 : m1
                seconds = slowest * sizes[s]^3 * 1e-7 / ranks + 1e-3 * log(ranks)
                text = p1 ? "xeon:" p1 "x" m1 : ""
                if (p2) text = text (p1 ? "+" : "") "celeron:" p2 "x1"
                printf "toyohashi-2,jacobi,%s,%d,%.9g,ok,true\n", text, sizes[s], seconds + 1e-3
            }
    }' | gzip >recorded/toyohashi-2-jacobi.csv.gz
}

@test "tables and figures of what is recorded, beside the thesis's" {
    record
    run --separate-stderr "$tables" recorded out
    [ "$status" = 0 ]
    [[ "$stderr" = *"heho: not recorded: hpcmw on toyohashi-2; its tables are left out"* ]]
    # Our truth and the thesis's, at the largest size of its table 20.
    [ "$(cut -d, -f1,5,8,11 out/tables/20.csv | tail -n 1)" = \
        '256,"xeon:8x2+celeron:8x1","xeon:2x1+celeron:8x1","xeon:8x1+celeron:7x1"' ]
    [[ "$(tail -n 1 out/tables/20.csv)" = *,103.66* ]]
    [ ! -e out/tables/22.csv ]
    # The papers' forms describe these times exactly.
    [[ "$(grep '^20,' out/summary.csv)" = "20,toyohashi-2,jacobi,N-T,0,0,103.6"* ]]
    grep -q '^thesis,2,himeno,n-t,20,1368,.*,1296,44,0.8,0.046$' out/costs.csv
    grep -q '^Table 36: jacobi on toyohashi-2 (simulated), NP-T; glitches removed (k = 0.8)' \
        out/tables.txt
    for figure in A1 1 2 3 10 11 22 23 26 27; do
        grep -q '</svg>' "out/figures/$figure.svg"
        [ "$(head -c 4 "out/figures/$figure.png" | tail -c 3)" = PNG ]
        grep -q "figures/$figure.svg" out/README.md
    done
    grep -q 'simulated twin' out/figures/10.svg
    grep -q 'measured in 2006' out/figures/10.svg
    [ ! -e out/figures/4.svg ]
}

@test "on the recorded twin of two kinds of nodes, models hold and break as in 2006" {
    mkdir recorded
    cp "$SOURCE_ROOT"/tests/data/heho/toyohashi-2-{lu,fft}.csv.gz recorded
    "$tables" recorded out 2>/dev/null
    # Worst regret over all sizes and over the upper half, here and in the thesis.
    worst() {
        grep "^$1," out/summary.csv | cut -d, -f5- |
            awk -F, '{ printf "%.0f %.0f %.0f %.0f", $1, $2, $3, $4 }'
    }
    # HPL: P-T is off everywhere, NP-T at small sizes only.
    [ "$(worst 27)" = "0 0 132 132" ]
    [ "$(worst 28)" = "26 17 26 12" ]
    [ "$(worst 33)" = "26 0 12 0" ]
    # FFTE, where P is a power of two: N-T breaks down beyond the sizes it was fitted to, and
    # NP-T chooses all 16 nodes, whose all-to-alls lose packets.
    [ "$(worst 25)" = "83 83 200 200" ]
    [ "$(worst 26)" = "112 41 5279 451" ]
    [ "$(worst 32)" = "5577 483 5279 451" ]
    grep -q '32 models, 0 refused; 288 training runs' out/tables.txt
}

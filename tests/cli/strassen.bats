# motley strassen: measure, plan and run, on a made-up cluster whose app is a script with
# times that are known by hand, and on a simulated one.

bats_require_minimum_version 1.5.0

# A fast node multiplies at 2 Gf, a slow one at 1 Gf, whatever the size; a level of
# Strassen takes 95 % of the time. Messages take 1 s for 8 MB, both ways 2 s. With products
# that take as long they take no longer, or with TOGETHER=2 the sum.
setup_file() {
    cd "$BATS_FILE_TMPDIR"
    cat >lab.yaml <<'END'
name: lab
launcher: command
launch: [./start, "{hosts}", "{program}"]
groups:
  - {name: fast, hosts: 'f[1-2]', processes: [1]}
  - {name: slow, hosts: 's[1-2]', processes: [1]}
END
    cat >start <<'END'
#!/bin/sh
HOSTS=$1
shift
export HOSTS
exec "$@"
END
    mkdir apps
    cat >apps/strassen <<'END'
#!/bin/sh
echo "$HOSTS $*" >>calls
while [ $# -gt 0 ]; do
    case $1 in
    --product) task=product ;;
    --transfer) task=1 ;;
    --exchange) task=2 ;;
    --overlap) task=overlap ;;
    --levels) levels=$2; shift ;;
    --size) n=$2; shift ;;
    --cut) cp "$2" cut.used; shift ;;
    esac
    shift
done
case $HOSTS in f*) speed=2e9 ;; *) speed=1e9 ;; esac
case $task in
product) awk "BEGIN {print \"time\", 2 * $n^3 / $speed * ($levels ? 0.95 : 1), \"s\"}" ;;
overlap) echo "time ${TOGETHER:-1} s" ;;
[12]) awk "BEGIN {print \"time\", $task * $n^2 / 1e6, \"s\"}" ;;
*)
    [ -z "$WRONG" ] || { echo "strassen: the result is wrong"; exit 1; }
    echo "time 10 s"
    echo "speed 0.2 Gflop/s"
    for rank in ${RANKS-0 1 2 3}; do
        echo "rank $rank compute 7 communication 2 waiting 1 received 1000000"
    done
    echo "difference 0.25"
    ;;
esac
END
    chmod +x start apps/strassen
    PATH=$PWD/apps:$PATH
    motley strassen measure --quiet --repeat 1 --sizes 500,1000 ./lab.yaml
    mv motley.db measured.db
}

setup() {
    cp -r "$BATS_FILE_TMPDIR"/* "$BATS_TEST_TMPDIR"
    cd "$BATS_TEST_TMPDIR"
    PATH=$PWD/apps:$PATH
    export TMPDIR=$BATS_TEST_TMPDIR
}

strassen() {
    run --separate-stderr motley strassen "$@"
}

# Lines of a table, blanks made one each.
squeezed() {
    sed 's/^ *//; s/  */ /g; s/ *$//' <<<"$output"
}

query() {
    sqlite3 motley.db "$1"
}

@test "measure makes the runs that are left" {
    strassen measure --quiet --repeat 1 --sizes 500 ./lab.yaml
    [ "$output" = "22 runs measured, 0 failed, 0 measured before" ]
    [ "$(query 'select count(*) from run where program = "strassen-product-1"')" = 2 ]
    strassen measure --quiet --repeat 1 --sizes 500,1000 ./lab.yaml
    [ "$output" = "4 runs measured, 0 failed, 22 measured before" ]
}

@test "plan: what is known by hand" {
    mv measured.db motley.db
    strassen plan --json --as-in-paper --size 1000 ./lab.yaml
    [ "$status" = 0 ]
    # Equal blocks, one a rank: half of a row and half of a column come from others.
    jq -e '.simulated == false and .cluster == "lab" and .m == 1000 and .k == 1000 and
        .configuration == "fast:2x1+slow:2x1" and
        ([.cuts[].cut] == ["equal", "greedy", "recursive", "auto"]) and
        (.cuts[0].ranks | map(.share) == [0.25, 0.25, 0.25, 0.25]) and
        (.cuts[0].bytes == 16e6) and (.cuts[0].blocks == 4) and
        (.cuts[0].ranks[2].predicted.computing / .cuts[0].ranks[0].predicted.computing
            | . > 1.999 and . < 2.001) and
        (.ideal.heterogeneity | . > 1.499 and . < 1.501) and
        .best == "equal" and ([.cuts[].measured] | unique == [null]) and
        (.promising as $best | .cuts | min_by(.seconds).cut == $best)' <<<"$output"
}

@test "plan: no overlap is counted on where it was not measured, or was not there" {
    TOGETHER=2 strassen measure --quiet --repeat 1 --sizes 500,1000 ./lab.yaml
    mv motley.db none.db
    cp measured.db unknown.db
    sqlite3 unknown.db 'delete from run where program = "strassen-overlap"'
    for store in measured none unknown; do
        strassen plan --db $store.db --json --size 1000 --write $store.cut --cut auto ./lab.yaml
        jq .known.network.overlap <<<"$output"
        jq '.cuts[1].seconds' <<<"$output" >$store.seconds
    done >overlaps
    [ "$(xargs <overlaps)" = "1 0 null" ]
    grep -qx 'overlap yes' measured.cut
    grep -qx 'overlap no' none.cut
    cmp none.cut unknown.cut
    awk '{ exit !(NR == 1 && $1 < 4 || $1 > 4) }' measured.seconds none.seconds
    strassen plan --db measured.db --size 1000 ./lab.yaml
    [[ "$output" = *"; multiplying meanwhile hides 100 % of it"* ]]
    strassen plan --db unknown.db --size 1000 ./lab.yaml
    [[ "$output" = *"; how much multiplying meanwhile hides was not measured, and is taken as nothing"* ]]
}

@test "plan: the paper's own partitions only where they are asked for" {
    mv measured.db motley.db
    strassen plan --json --size 1000 ./lab.yaml
    jq -e '([.cuts[].cut] == ["equal", "auto"]) and .promising == "auto"' <<<"$output"
    strassen plan --size 1000 ./lab.yaml
    [[ "$output" != *greedy* && "$output" != *recursive* ]]
    strassen plan --json --size 1000 --cut greedy ./lab.yaml
    jq -e '[.cuts[].cut] == ["equal", "greedy", "auto"]' <<<"$output"
    strassen plan --size 1000 --as-in-paper ./lab.yaml
    [[ "$output" = *greedy*recursive*auto* ]]
}

@test "plan: tables, and a picture in letters" {
    mv measured.db motley.db
    strassen plan --size 1200x1000x800 --cut equal --plot term ./lab.yaml
    [ "$status" = 0 ]
    [[ "$(squeezed)" = "product 1200 x 800 by 800 x 1000
ranks 4 on fast:2x1+slow:2x1
"* ]]
    [[ "$(squeezed)" = *"
cut ranks group share computing communication waiting
equal 0-1 fast 25.0 % "*"
2-3 slow 25.0 % "* ]]
    [[ "$output" = *"
best: "*" over equal blocks; ideal: "* ]]
    [[ "$(squeezed)" = *" 0 "*" 1 "*" fast "*" fast "*" 2 "*" 3 "* ]]
    [[ "$output" = *"slow: 2 ranks, 50.0 %"* ]]
}

@test "plan writes the cut and draws it" {
    mv measured.db motley.db
    strassen plan --size 1000 --cut auto --write cut.txt --plot cut.svg ./lab.yaml
    [ "$status" = 0 ]
    grep -qx 'kind auto' cut.txt
    grep -qx 'ranks 4' cut.txt
    [ "$(grep -c ^tile cut.txt)" = 4 ]
    grep -q '</svg>' cut.svg
    strassen plan --size 1000 --write /proc/cut ./lab.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot write '/proc/cut': "* ]]
    [ -z "$output" ]
}

@test "report: the figures of the plan, and a page" {
    mv measured.db motley.db
    strassen plan --json --size 1000 ./lab.yaml
    [ "$status" = 0 ]
    jq -e 'all(.cuts[]; ([.tiles[] | (.right - .left) * (.bottom - .top)] | add |
            . > 0.999999 and . < 1.000001) and
        (. as $cut | [.tiles[] | $cut.ranks[.rank].group] | sort == ["fast", "fast", "slow", "slow"]))' \
        <<<"$output"
    jq -S 'del(.schema, .version)' <<<"$output" >plan.json
    strassen report --size 1000 --cut auto -o page.html ./lab.yaml
    [ "$status" = 0 ]
    sed -n '/<script type="application\/json">/{n;p}' page.html >report.json
    jq -n -e --slurpfile p plan.json --slurpfile r report.json '
        def rounded: walk(if type == "number" and . != 0 then fabs | log * 1e6 | round else . end);
        $r[0].plan.drawn == "auto" and ($r[0].plan | del(.drawn) | rounded) == ($p[0] | rounded)'
    strassen report --size 1000 ./lab.yaml
    [ "$status" = 2 ]
    echo mine >other.html
    strassen report --size 1000 -o other.html ./lab.yaml
    [ "$status" = 2 ]
    [ "$(<other.html)" = mine ]
}

@test "run: predicted and measured side by side, and the run is kept" {
    mv measured.db motley.db
    strassen run --size 1000 --cut greedy ./lab.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: starting strassen-greedy, N = 1000, on fast:2x1+slow:2x1; predicted: "* ]]
    [[ "$output" = *"measured   10.00 s, 0.2 Gflop/s"* ]]
    [[ "$output" = *"check      passed, difference 0.25"* ]]
    [[ "$(squeezed)" = *" 7.000 s "*" 2.000 s "*" 1.000 s"* ]]
    grep -qx 'kind greedy' cut.used
    [ "$(tail -n 1 calls | sed 's|/[^ ]*/cut|CUT|')" = \
        "f1:1,f2:1,s1:1,s2:1 --cut CUT --size 1000 --check" ]
    [ "$(query 'select program, size, seconds from run order by id desc limit 1')" = \
        "strassen-greedy|1000.0|10.0" ]
    [ -z "$(find . -name 'motley-*')" ]
    strassen run --json --no-check --configuration fast:2x1 --size 1000 ./lab.yaml
    jq -e '.ranks[1].measured.waiting == 1 and .ranks[1].group == "fast" and
        .seconds == 10 and .bytes == 2e6 and .predicted > 0 and
        (.ranks | length) == 2' <<<"$output"
    [[ "$(tail -n 1 calls)" != *--check* ]]
}

@test "plan: a cut that no product has confirmed is not taken over equal blocks" {
    mv measured.db motley.db
    strassen plan --size 1000 ./lab.yaml
    [[ "$output" = *"best: equal, "*"not taken: auto, predicted to take "* ]]
    strassen run --size 1000 ./lab.yaml # is that product
    [[ "$stderr" = "motley: starting strassen-auto, "* ]]
    strassen run --size 1000 --cut equal ./lab.yaml
    for seconds in 5 15; do # equal blocks took 10
        sqlite3 motley.db "update run set seconds = $seconds where program = 'strassen-auto'"
        strassen plan --json --size 1000 ./lab.yaml
        jq -c '[.best, .promising, (.cuts[] | .measured)]' <<<"$output"
    done >best
    [ "$(xargs <best)" = "[auto,auto,10,5] [equal,equal,10,15]" ]
    # Products of other sizes, on other nodes and in the user's own cuts tell nothing of it.
    strassen plan --json --size 1100 ./lab.yaml
    jq -e '.best == "equal" and .promising == "auto"' <<<"$output"
}

@test "run: a cut from a file" {
    mv measured.db motley.db
    motley strassen plan --size 900 --cut recursive --write mine ./lab.yaml
    strassen run --size 800x700x600 --cut-file mine ./lab.yaml
    [ "$status" = 0 ]
    diff mine cut.used
    [[ "$(tail -n 1 calls)" = *" --size 800x700x600 --check" ]]
    strassen run --size 900 --cut-file mine --configuration fast:2x1 ./lab.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: 'mine' is for 4 ranks, and 'fast:2x1' has 2" ]
    strassen run --size 900 --cut-file nowhere ./lab.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot read 'nowhere': "* ]]
    echo nonsense >mine
    strassen run --size 900 --cut-file mine ./lab.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: mine:1: "* ]]
}

@test "run: a wrong result and lost lines" {
    mv measured.db motley.db
    WRONG=yes strassen run --size 1000 ./lab.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"the result is wrong"* ]]
    [[ "$stderr" = *"motley: the run on 'fast:2x1+slow:2x1' failed" ]]
    RANKS="0 3" strassen run --size 1000 --cut equal ./lab.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = *"of 2 of 4 ranks it is not known where the time went"* ]]
    [[ "$output" = *"measured   10.00 s"* ]]
}

@test "a simulated cluster: measured, planned, computed and modelled" {
    [ -x "$BUILD_ROOT/apps/smpi/strassen" ] || skip "no SimGrid"
    cat >sim.yaml <<'END'
name: sim
launcher: smpi
groups:
  - {name: new, nodes: 1, processes: [1], simulate: {flops: 4 Gf, memory_bandwidth: 2 GB/s}}
  - {name: old, nodes: 2, processes: [1], simulate: {flops: 2 Gf, memory_bandwidth: 1 GB/s}}
network: {protocol: none, duplex: half, latency: 50 us, bandwidth: 100 MB/s}
END
    strassen measure --quiet --repeat 1 --sizes 400,800 ./sim.yaml
    [ "$output" = "20 runs measured (simulated), 0 failed, 0 measured before" ]
    strassen plan --json --size 4000 ./sim.yaml
    jq -e '.simulated and (.known.network.exchange | . > 1.9 and . <= 2) and .known.network.overlap > 0.99 and
        (.known.groups[0].flops / .known.groups[1].flops | . > 1.9 and . < 2.1) and
        (.cuts | map(.seconds) | .[1] < .[0])' <<<"$output"
    for cut in equal auto; do
        strassen run --json --size 4000 --cut $cut ./sim.yaml
        jq -e '.simulated and .difference == null and .ranks[2].group == "old" and
            (.predicted / .seconds | . > 0.97 and . < 1.03)' <<<"$output"
    done
    strassen run --size 300x200x100 --cut recursive ./sim.yaml
    [[ "$output" = *"measured   "*" (simulated), "* ]]
    [[ "$output" = *"check      passed"* ]]
}

@test "what is not known, and what is not understood" {
    strassen plan --size 1000 ./lab.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"'motley strassen measure ./lab.yaml' measures it" ]]
    mv measured.db motley.db
    query 'delete from run where configuration = "slow:1x1"'
    strassen plan --size 1000 ./lab.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: nothing is known of products on 'slow' with 1 process on a node; 'motley strassen measure ./lab.yaml' measures it" ]
    motley strassen plan --size 1000 --configuration fast:2x1 ./lab.yaml
    wrong() {
        strassen "$@" ./lab.yaml
        [ "$status" = 2 ]
    }
    wrong plan --size +3
    wrong plan --size 0
    [[ "$stderr" = "motley: --size: '0' is not a whole number from 1 to 16777215, or three, "* ]]
    wrong plan --size 10x20
    wrong plan --size 1e3
    wrong plan
    [ "$stderr" = "motley: --size is needed" ]
    wrong plan --size 10 --cut hexagons
    [[ "$stderr" = *"hexagons"* ]]
    wrong plan --size 10 --most -1
    wrong plan --size 10 --no-check
    [ "$stderr" = "motley: --no-check is not for 'strassen plan'" ]
    wrong run --size 10 --cut equal --cut-file x
    wrong measure --sizes 10.5
    wrong measure --repeat -1
    wrong measure --timeout 0
    wrong draw
    wrong plan --size 10 --plot cut.gif
    wrong plan --size 10 --plot term --json
}

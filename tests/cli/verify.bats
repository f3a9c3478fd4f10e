# motley plan --verify: runs what may be the best, and every later plan knows of it.

load fake
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
    write_lab us
    write_mpirun
    # As the models say, 1.2 N/P + P on both groups, but 40 us on the three nodes of a,
    # which are predicted to be the fastest at N = 100.
    write_program 'case $2 in
        3) echo "time 40 us" ;;
        *) awk -v n=$1 -v p=$2 "BEGIN { print \"time\", 1.2 * n / p + p, \"us\" }" ;;
    esac'
}

plan() {
    run --separate-stderr motley plan "$@" ./lab.yaml ./toy.yaml
}

# new: configuration, size, repetition and outcome of the runs beyond the training
new() {
    query "SELECT configuration, size, repetition, outcome FROM run WHERE id > 12"
}

@test "the runs are shown and kept, and the plan after them is another one" {
    plan --size 100 --top 2 --verify 4
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "toy on lab, N = 100, fastest by auto models: "*" all of a" ]]
    [[ "$output" = *", N = 100, fastest by auto models: "*"what ran last"* ]]
    [[ "${lines[2]}" = "   1  a:3x1 "* && "${lines[1]}" != *measured* ]]
    [[ "$output" = *"proven: of 15 configurations"*"run 1: a:3x1, predicted 2"*" us, measured 40.00 us: x 1."* ]]
    [[ "$output" = *"run 2: a:3x1+b:3x1, predicted "*" us, measured 26.00 us: x "* ]]
    [[ "$stderr" = "motley: up to 4 runs, which take about "* ]]
    [[ "${lines[-2]}" = "verified by "?" runs: a:3x1+b:3x1 is the best now; a:3x1 is expected to take 5"[23].?" % longer" ]]
    [ "$(new | head -n 2 | xargs)" = "a:3x1|100.0|1|ok a:3x1+b:3x1|100.0|1|ok" ]
    [ "$(new | wc -l)" -le 4 ]
    [ "$(grep -c '^launch: ' <<<"$output")" = 1 ]
    [[ "$output" = *" -np 6 ./program.sh 100 6"* ]]
}

@test "a plan without --verify knows what was run, and says so" {
    plan --size 100 --verify 3
    plan --size 100 --top 1
    [ "$status" = 0 ]
    [[ "${lines[1]}" = *"  measured  "* ]]
    [[ "${lines[2]}" = "   1  a:3x1+b:3x1 "*" 26."*" 26.00 us  "* ]]
    [[ "$output" = *"configurations that ran at this size are ranked by the median of their runs"* ]]
    [[ "$output" = *"proven: of 15 configurations"* ]]
    plan --size 90 --top 1
    [[ "${lines[2]}" = "   1  a:3x1+b:3x1 "* && "$output" != *"ranked by the median"* ]]
    # The papers' models do not rank by runs.
    plan --size 100 --top 1 --model np-t
    [[ "$output" = *"proven: "* && "$output" != *"ranked by the median"* ]]
}

@test "a limit that rules a faster one out is named in the first line" {
    write_program 'echo "time 20 us"'
    motley run --configuration a:3x1+b:3x1 --size 100 ./lab.yaml ./toy.yaml
    plan --size 100
    [[ "${lines[0]}" = *": the same as all nodes, "??" % less time than all of a, the same as what ran last" ]]
    plan --size 100 --max-nodes 2
    [[ "${lines[0]}" = *" % more time than all nodes (ruled out by the limits), "*" % more time than all of a (ruled out by the limits), "* ]]
}

@test "predict and run know it, too" {
    plan --size 100 --verify 3
    run --separate-stderr motley predict --size 100 --configuration a:3x1 ./lab.yaml ./toy.yaml
    [ "${lines[0]}" = "toy on lab, predicted by auto models" ]
    [[ "${lines[2]}" = "a:3x1 "*" "[34]?.*" us  "*" 40.00 us "* ]]
    run --separate-stderr motley run --size 100 ./lab.yaml ./toy.yaml
    [[ "$stderr" = "motley: starting toy, N = 100, on a:3x1+b:3x1; predicted: 26."* ]]
}

@test "at a size that was measured, too, the median of the runs counts" {
    # The models do not follow what three nodes of a took at N = 20.
    sed -i 's/^lab,toy,a:3x1,20,7e-6,/lab,toy,a:3x1,20,9e-6,/' runs.csv
    motley import --db again.db runs.csv
    plan --db again.db --size 20 --json
    jq -e '.choices[0] | .configuration == "a:2x1" and .seconds == 8e-6' <<<"$output"
    printf '%s\n' configuration,size,seconds a:3x1,20,9e-6 a:3x1,20,9e-6 >more.csv
    motley import --db again.db --cluster lab --program toy more.csv
    plan --db again.db --size 20 --all --json
    jq -e '.choices[] | select(.configuration == "a:3x1") |
         .measured == 9e-6 and .runs == 3 and .seconds == 9e-6' <<<"$output"
}

@test "measured is the median of the runs" {
    # Of 25, 26 and 40 us: their arithmetic mean is 30.33 us, their geometric one 29.62 us.
    sed -n 1p runs.csv >more.csv
    for seconds in 40 25 26; do
        echo "lab,toy,a:3x1+b:3x1,100,${seconds}e-6,ok,false" >>more.csv
    done
    motley import more.csv
    plan --size 100 --top 6
    [[ "$output" = *" a:3x1+b:3x1 "*"  3 x 26.00 us  "* ]]
    plan --size 100 --top 6 --json
    [ "$(jq -c '.choices[] | select(.runs > 0) | [.configuration, .runs, .measured]' <<<"$output")" = \
        '["a:3x1+b:3x1",3,2.6e-05]' ]
    run --separate-stderr motley predict --json --size 100 --configuration a:3x1+b:3x1 ./lab.yaml ./toy.yaml
    [ "$(jq '.predictions[0].measured' <<<"$output")" = 2.6e-05 ]
}

@test "a guess goes behind what ran at the size, and the table says so" {
    for _ in 1 2; do echo "b:3x1,100,29.5e-6"; done | sed '1i configuration,size,seconds' >more.csv
    motley import --cluster lab --program toy more.csv
    plan --size 100 --all
    [[ "$output" = *"   1  a:3x1 "*"   3  b:3x1 "*"  2 x 29.50 us  "*" ? "* ]]
    [[ "$output" = *"guesses rank behind configurations that ran at this size"* ]]
    plan --size 100 --all --json
    jq -e '.exact and .bound == .choices[0].seconds and
        (.choices | (map(.unseen) | . == sort) and
         (map(select(.unseen)) | length == 9 and all(.configuration | contains("+")) and
          any(.seconds < 29.5e-6)))' <<<"$output"
}

@test "a run is evidence, too" {
    motley run --size 100 --configuration a:3x1 ./lab.yaml ./toy.yaml
    plan --size 100 --top 1
    [[ "${lines[2]}" = "   1  a:3x1 "* ]] # mixes are guesses
    [[ "$output" = *"ranked by the median of their runs"* ]]
    motley run --size 100 --configuration a:1x1+b:3x1 ./lab.yaml ./toy.yaml
    plan --size 100 --top 1
    [[ "${lines[2]}" = "   1  a:3x1+b:3x1 "* ]]
}

# The nodes took what they took, in no order that a model could follow.
@test "what ran at the size ranks by its median, not by what a model makes of it" {
    printf '%s\n' 'name: line' 'launcher: openmpi' 'groups:' \
        '  - {name: n, hosts: "n[1-64]", processes: [1], price: 1}' >line.yaml
    sed -i '/^terms\|^work/d' toy.yaml
    one() { motley plan --db "$1.db" --size 20 --json "${@:2}" ./line.yaml ./toy.yaml |
        jq -r '.choices[0] | "\(.configuration) \(.seconds) \(.measured)"'; }
    printf '%s\n' configuration,size,seconds n:1x1,20,1472 n:2x1,20,1404 n:4x1,20,1461 \
        n:8x1,20,977 n:12x1,20,1408 n:16x1,20,1001 >steps.csv
    motley import --db steps.db --cluster line --program toy steps.csv
    [ "$(one steps --max-nodes 16)" = "n:8x1 977 977" ]
    # On 32 and 64 nodes alone: nothing is known of one.
    printf '%s\n' configuration,size,seconds n:32x1,20,400 n:64x1,20,300 >far.csv
    motley import --db far.db --cluster line --program toy far.csv
    [[ "$(one far --objective price)" =~ ^n:(1[6-9]|2[0-9]|3[0-2])x1\  ]]
}

@test "fronts and proofs are those of the times that --all prints" {
    plan --size 100 --verify 5
    plan --size 100 --pareto --all --json
    front=$(jq -c '[.exact, (.front[] | [.seconds, .configuration])]' <<<"$output")
    plan --size 100 --all --json
    [ "$(jq '.choices | length' <<<"$output")" = 15 ]
    [ "$(jq -c '[.choices[] | select(.unseen | not)
        | (.configuration | [scan("a:(.)")[] | tonumber * 10] + [scan("b:(.)")[] | tonumber] | add) as $price
        | {seconds, configuration, cost: ($price * .seconds)}] as $all
        | [true, ([$all[] | select(. as $one | $all | all(
            (.seconds <= $one.seconds and .cost <= $one.cost and . != $one) | not))]
            | sort_by(.seconds)[] | [.seconds, .configuration])]' <<<"$output")" = "$front" ]
    best=$(jq '[.choices[].seconds] | min' <<<"$output")
    plan --size 100 --json
    jq -e ".exact and .bound == $best and .choices[0].seconds == $best" <<<"$output"
}

@test "--json has the runs, and what is best now" {
    plan --size 100 --verify 3 --json
    [ "$status" = 0 ]
    [ "$(jq -c '.verification.runs[0]' <<<"$output" | jq -c '[.configuration, .predicted < 26e-6, .measured]')" = '["a:3x1",true,4e-05]' ]
    jq -e '.verification.first == "a:3x1" and (.verification.first_seconds * 1e6 - 40 | fabs) < 0.5
        and .choices[0].configuration == "a:3x1+b:3x1" and (.choices[0].measured * 1e12 | round) == 26000000
        and .choices[0].runs >= 1' <<<"$output"
    [[ "$stderr" = *"run 1: a:3x1, "* ]]
    plan --size 100 --json
    jq -e '.verification == null and .choices[0].measured != null' <<<"$output"
}

@test "a configuration that fails is left out; when all fail there is nothing to go by" {
    write_program 'case $2 in
        3) echo "no room" >&2; exit 3 ;;
        *) awk -v n=$1 -v p=$2 "BEGIN { print \"time\", 1.2 * n / p + p, \"us\" }" ;;
    esac'
    plan --size 100 --verify 4 --top 1
    [ "$status" = 0 ]
    [[ "$output" = *"run 1: a:3x1, predicted 2"*" us, failed"* ]]
    [[ "${lines[-2]}" = "verified by "*": a:3x1+b:3x1 is the best now"* ]]
    [[ "$stderr" = *"a:3x1, N = 100, repetition 1: exit status 3"* ]]
    [[ "$stderr" = *"motley: left out because all their runs at this size failed: 1"* ]]
    [ "$(new | head -n 1)" = "a:3x1|100.0|1|failed" ]

    query "DELETE FROM run WHERE id > 12"
    write_program 'exit 1'
    plan --size 100 --verify 3
    [ "$status" = 1 ]
    [[ "$stderr" = *"motley: no run succeeded, of 3" ]]
    [ "$(new | wc -l)" = 3 ]
}

@test "a run that failed is not made again, and no run when none promises anything" {
    write_program 'case $2 in
        3) echo "no room" >&2; exit 3 ;;
        *) awk -v n=$1 -v p=$2 "BEGIN { print \"time\", 1.2 * n / p + p, \"us\" }" ;;
    esac'
    plan --size 100 --verify 30
    plan --size 100 --verify 30
    [ "$(new | grep -c failed)" = "$(new | grep failed | cut -d '|' -f 1 | sort -u | wc -l)" ]
    runs=$(new | wc -l)
    plan --size 100 --verify 2
    [ "$status" = 0 ]
    [ "${lines[-2]}" = "not verified by a further run, as none promises more: a:3x1+b:3x1 stays the best" ]
    plan --size 100 --verify 2 --json
    jq -e '.verification.runs == [] and .verification.first == "a:3x1+b:3x1"' <<<"$output"
    [ "$(new | wc -l)" = "$runs" ]
}

@test "auto stops when the best is known, and says how well" {
    plan --size 100 --verify auto
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: up to 24 runs, until the best is known with 90 %, which take about "* ]]
    [[ "${lines[-1]}" = "with "??*" % confidence, no other configuration is over 3.6 % faster" ]]
    [ "$(new | wc -l)" -lt 12 ]
    plan --size 100 --verify auto --json
    jq -e '.choices[0].configuration == "a:3x1+b:3x1" and
        (.verification | .confidence >= 0.9 and .stopped == "known" and (.runs | length) <= 2)' <<<"$output"
    plan --size 90 --verify 1 --json
    jq -e '.verification | .stopped == "runs-used" and .gain >= 0' <<<"$output"
}

@test "auto does not run for hours unasked, a number of runs does" {
    before=$(query "SELECT count(*) FROM run")
    plan --size 1e11 --verify auto
    [ "$status" = 2 ]
    [[ "$output" = *" a:3x1+b:3x1 "* && "$output" != *"run 1:"* ]]
    [[ "$stderr" = *"motley: the runs may take about "*" d "*": say how many to make, as in --verify 3" ]]
    [ "$(query "SELECT count(*) FROM run")" = "$before" ]
    plan --size 1e11 --verify 1
    [[ "$output" = *"run 1: "* ]]
    [ "$(query "SELECT count(*) FROM run")" = $((before + 1)) ]
    command -v script >/dev/null || skip "no script(1)"
    { await grep -q "go on with" screen && echo y && await grep -q "run 1: " screen; } |
        script -qec "motley plan --size 1e11 --verify auto ./lab.yaml ./toy.yaml" /dev/null >screen
    grep -q "go on with the 24 left? \[y/N\]" screen
    grep -q "run 1: " screen
}

@test "a plan that leaves much open suggests to verify" {
    plan --size 15
    [ -z "$stderr" ]
    # One configuration is much faster than predicted: others may be, too.
    printf '%s\n' configuration,size,seconds b:3x1,100,29.5e-6 b:3x1,100,29.5e-6 >more.csv
    motley import --cluster lab --program toy more.csv
    plan --size 100
    [[ "$stderr" = *"motley: which of these is the best is open: --verify auto, "*" is expected to save "*" %" ]]
}

@test "what it runs counts at a size of the training, too" {
    plan --size 20 --verify 6
    [[ "$output" = *"run "?": a:3x1, predicted 7.000 us, measured 40.00 us: x 5."* ]]
    [[ "${lines[-2]}" = "verified by "*" is the best now; a:3x1 is expected to take "* ]]
    run --separate-stderr motley predict --size 20 --configuration a:3x1 ./lab.yaml ./toy.yaml
    [[ "${lines[2]}" = "a:3x1 "*" us  "*"23.50 us"* ]] # the median of 7 and 40
}

@test "what cannot be verified is refused before anything is run" {
    for runs in 0 -2 many 3x 99999999999; do
        plan --size 100 --verify $runs
        [ "$status" = 2 ]
        [ "$stderr" = "motley: --verify: '$runs' is not a whole number from 1 to 1000000, or 'auto'" ]
    done
    plan --size 100 --verify 3 --model np-t
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --verify needs auto models, not np-t models" ]
    plan --size 100 --verify 3 --objective price
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --verify looks for the fastest only" ]
    [ -z "$(new)" ]
}

@test "Ctrl-C ends it, and what was run is kept" {
    write_program 'case $2 in 3) echo "time 40 us" ;; *) kill -INT $(cat motley.pid); sleep 60 ;; esac'
    bash -c 'echo $$ >motley.pid; exec motley plan --size 100 --verify 4 ./lab.yaml ./toy.yaml' \
        >output 2>stderr || status=$?
    [ "$status" = 130 ]
    grep -q 'stopped; runs that are kept: 1' stderr
    [ "$(new)" = "a:3x1|100.0|1|ok" ]
}

@test "on a simulated cluster the mixed configurations that the models misjudge are found" {
    rm motley.db
    loopback='loopback: {latency: 5 us, bandwidth: 300 MB/s}'
    cat >three.yaml <<END
name: three
launcher: smpi
groups:
  - name: pentium4
    nodes: 4
    processes: [1, 2]
    simulate: {flops: 3.2 Gf, caches: [{size: 1 MiB, slowdown: 1.3}], memory_bandwidth: 1.8 GB/s, $loopback}
  - name: xeon
    nodes: 4
    processes: [1, 2]
    simulate: {flops: 2.6 Gf, caches: [{size: 512 KiB, slowdown: 1.3}], memory_bandwidth: 1.4 GB/s, $loopback}
  - name: celeron
    nodes: 4
    processes: [1]
    simulate: {flops: 1.2 Gf, caches: [{size: 1 MiB, slowdown: 1.3}], memory_bandwidth: 1.1 GB/s, $loopback}
network: {latency: 40 us, bandwidth: 60 MB/s}
END
    motley measure --quiet --sizes 800,1200,1600 --configuration \
        pentium4:1x1,pentium4:4x1,pentium4:1x2,pentium4:4x2,xeon:1x1,xeon:4x1,xeon:1x2,xeon:4x2,celeron:1x1,celeron:4x1 \
        ./three.yaml lu
    run --separate-stderr motley plan --size 6400 --top 1 --verify 8 ./three.yaml lu
    [ "$status" = 0 ]
    [[ "${lines[0]}" = *"(simulated): "* ]]
    best=$(motley plan --size 6400 --json ./three.yaml lu | jq -r '.choices[0].configuration')
    [[ "${lines[-2]}" = "verified by "*": $best "* ]]
    # The best one of all is this.
    [ "$best" = pentium4:4x1+xeon:4x1 ]
}

# motley measure --budget and --runs: which runs are chosen, and when it stops.

load fake

# A cluster of two groups, and a program that takes the same time on both of them.
write_case() {
    write_cluster
    sed -i 's/f\[1-2\]/f[1-6]/; s/s1/s[1-4]/' cluster.yaml
    write_program 'awk "BEGIN { print \"time\", $1^3 / 1e6 / $2 + $2, \"us\" }"' \
        'work: N^3'
    sed -i 's/^sizes.*/sizes: {measure: [100, 200, 300, 400, 500], plan: [1000]}/' \
        program.yaml
}

# Largest number of nodes that a group was seen on.
most_nodes() {
    query "SELECT max(CAST(substr(configuration, instr(configuration, ':') + 1) AS INT))
           FROM run WHERE configuration LIKE '$1:%x$2'"
}

@test "a run is stopped when the budget is used up" {
    write_cluster
    write_program 'sleep 1000' 'timeout: 600 s'
    run --separate-stderr motley measure --budget 2s --configuration fast:1x1,fast:2x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT outcome, reason FROM run")" = "timeout|it was stopped because it took longer than 2.000 s" ]
}

@test "--runs makes few runs, of groups and then some of both, and ends with a plan" {
    run --separate-stderr motley measure --runs 25 toyohashi-2 jacobi
    [ "$status" = 0 ]
    [[ "${lines[0]}" = *" runs measured (simulated), 0 failed, 0 measured before, "* ]]
    [[ "$stderr" = "motley: up to 25 more runs; how long they take is known after "* ]]
    [[ "$stderr" = *", those of the base in about "*" s (simulated)" ]]
    [ "$(query 'SELECT count(*) <= 25 FROM run')" = 1 ]
    # of several groups: up to the largest size of all, after the base
    [ "$(query "SELECT count(*) BETWEEN 3 AND 13
                AND max(size) = (SELECT max(size) FROM run) AND min(id) > 8
                FROM run WHERE configuration LIKE '%+%'")" = 1 ]
    [ "$(most_nodes xeon 1) $(most_nodes xeon 2) $(most_nodes celeron 1)" = "8 8 8" ]
    # large problems want the whole cluster, as the models from all 216 runs say
    [[ "${lines[-1]}" = "256  xeon:8x1+celeron:8x1 "* ]]

    # all 216 runs take 112 s: these are 12 % of them
    [ "$(query 'SELECT sum(seconds) < 112 / 8.0 FROM run')" = 1 ]

    # the plan is what `motley plan` makes of them
    best=$(motley plan --json --size 256 toyohashi-2 jacobi | jq '.choices[0].seconds')
    run motley measure --quiet --json --runs 25 toyohashi-2 jacobi
    jq -e --argjson best "$best" '.plan[-1].predicted_seconds == $best' <<<"$output"

    # the same again finds nothing to do, or goes on to the limit
    made=$(query 'SELECT count(*) FROM run')
    run --separate-stderr motley measure --runs 25 toyohashi-2 jacobi
    [ "$status" = 0 ]
    [[ "$output" = "0 runs measured (simulated), 0 failed, $made measured before, "* ]]
    [ -z "$stderr" ]
}

@test "a campaign that was cut off goes on as if it had not been" {
    motley measure --quiet --runs 20 --db whole.db toyohashi-2 jacobi
    motley measure --quiet --runs 7 --db parts.db toyohashi-2 jacobi
    run motley measure --quiet --runs 20 --db parts.db toyohashi-2 jacobi
    [[ "$output" = *", 7 measured before, "* ]]
    # the first part had fewer runs in view: it may have chosen others
    count="SELECT count(*) BETWEEN 15 AND 20 FROM run"
    [ "$(sqlite3 whole.db "$count") $(sqlite3 parts.db "$count")" = "1 1" ]
}

@test "the budget is simulated time, and holds" {
    run motley measure --quiet --json --budget '1 s' toyohashi-2 jacobi
    [ "$status" = 0 ]
    [ "$(query 'SELECT sum(seconds) BETWEEN 0.5 AND 1.02 FROM run')" = 1 ]
    jq -e '.simulated and .failed == 0 and .uncovered == 0 and .spent_seconds < 1.02
           and (.plan | length) == 10' <<<"$output"
    jq -e '.stopped == "budget-used" or .stopped == "settled"' <<<"$output"
}

@test "a budget that is too small says which groups it leaves out" {
    run --separate-stderr motley measure --budget '5 ms' toyohashi-2 jacobi
    [ "$status" = 0 ]
    [[ "${lines[0]}" = "1 run measured (simulated), "*"; the budget is used up" ]]
    [ "${lines[1]}" = "no plan yet: it takes runs of two configurations, or of two sizes" ]
    [[ "$stderr" = *"motley: 2 of 3 groups by processes per node stay without a run on all their nodes"* ]]
}

@test "on real nodes the time that passes counts, and the start of a run with it" {
    write_case
    sed -i 's/^awk/sleep 0.2; awk/' program.sh
    run motley measure --quiet --json --budget '1500 ms' cluster.yaml program.yaml
    [ "$status" = 0 ]
    jq -e '.done >= 3 and .done <= 7 and .spent_seconds > 0.2 * .done
           and .stopped == "budget-used"' <<<"$output"
}

# By the growth of the time alone the largest size would take ten seconds a run.
@test "how long it takes is told where runs take far longer than their time" {
    write_cluster
    sed -i '/slow/,$d; s/f\[1-2\]/f1/' cluster.yaml
    write_program 'sleep 0.1; awk "BEGIN { print \"time\", $1^1.1 / 1e3 / $2, \"us\" }"' \
        'work: N^1.1'
    sed -i 's/^sizes.*/sizes: {measure: [4e3, 8e3, 16e3, 32e3, 64e3, 128e3, 256e3]}/' \
        program.yaml
    run --separate-stderr motley measure --runs 12 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" =~ "in about "([0-9.e+]+)" "(m?s)$ ]]
    [ "${BASH_REMATCH[2]}" = ms ] || awk "BEGIN { exit !(${BASH_REMATCH[1]} < 12) }"
}

@test "it stops when nothing is left, and when the plan has stopped changing" {
    write_case
    run motley measure --quiet --json --runs 1000 cluster.yaml program.yaml
    [ "$(jq -r .stopped <<<"$output")" = settled ]
    [ "$(jq '.done < 60' <<<"$output")" = true ]
    [ "$(jq -r '.plan[0].size' <<<"$output")" = 1000 ]
    run motley measure --json --runs 1000 cluster.yaml program.yaml
    [ "$(jq -r '"\(.done) \(.stopped)"' <<<"$output")" = "0 settled" ]
    run motley measure --dry-run --runs 1000 cluster.yaml program.yaml
    [ "$output" = "no run promises to change the plan, or the limit is used up" ]
    run motley measure --quiet --json --runs 1000 --db all.db --sizes 100 \
        cluster.yaml program.yaml
    [[ "$(jq -r '"\(.done) \(.stopped)"' <<<"$output")" = *[0-9]" "@(settled|all-measured) ]]
}

@test "failed runs are counted, and others take their place" {
    write_case
    sed -i '2i [ "$2" = 12 ] && exit 3' program.sh
    run --separate-stderr motley measure --quiet --runs 25 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "${lines[0]}" = *" measured, "[1-9]*" failed, 0 measured before, "* ]]
    [[ "$stderr" = *"1 of 3 groups by processes per node stay without"* ]]
    # no run that failed is tried again, and others take their place
    [ "$(query "SELECT count(*) BETWEEN 15 AND 25 FROM run")" = 1 ]
    [ "$(query "SELECT count(*) = count(DISTINCT configuration || size) FROM run
                WHERE outcome <> 'ok'")" = 1 ]
    # what is made again is what surprised: a fifth of the runs at most
    [ "$(query "SELECT count(*) - count(DISTINCT configuration || size) <= 5 FROM run")" = 1 ]
}

@test "--dry-run lists the runs in order, with times once they can be known" {
    run motley measure --dry-run --json --runs 12 --db few.db toyohashi-2 jacobi
    [ "$status" = 0 ]
    [ ! -e few.db ]
    jq -e '(.runs | length) == 8 and .further == 4
           and .expected_seconds == null' <<<"$output"
    motley measure --quiet --runs 12 --db few.db toyohashi-2 jacobi
    run motley measure --dry-run --json --runs 15 --db few.db toyohashi-2 jacobi
    jq -e '.done_before == 12 and (.runs | length) + .further == 3 and .expected_seconds > 0
           and all(.runs[]; .expected_seconds > 0)' <<<"$output"
    run motley measure --dry-run --runs 15 --db few.db toyohashi-2 jacobi
    [[ "${lines[0]}" =~ ^group\ +nodes ]]
    run motley measure --dry-run --all --runs 15 --db few.db toyohashi-2 jacobi
    [[ "$output" = "group "* && "$output" =~ $'\n'configuration\ +N\ +expected$'\n' ]]
    [[ "${lines[-1]}" = "up to 3 runs (simulated)"*" in about "* ]]
    run motley measure --dry-run --runs 40 --db few.db toyohashi-2 jacobi
    [[ "${lines[-1]}" = "up to 28 runs (simulated)"*" in about "* ]]
    run motley measure --dry-run --runs 12 --db few.db toyohashi-2 jacobi
    [ "$output" = "no run promises to change the plan (simulated), or the limit is used up" ]
}

@test "a share of the planned run is the budget" {
    run motley measure --quiet --json --budget 5% toyohashi-2 lu
    # as the plan becomes known, so does the budget
    jq -e '.stopped == "budget-used" and .done >= 5 and
        .spent_seconds < 1.2 * 0.05 * .plan[-1].predicted_seconds' <<<"$output"
    run motley measure --quiet --json --budget "30 %" toyohashi-2 lu
    jq -e '.done >= 5 and .spent_seconds < 1.2 * 0.3 * .plan[-1].predicted_seconds' <<<"$output"
    for share in 0% 101% %; do
        run --separate-stderr motley measure --budget $share toyohashi-2 lu
        [ "$status" = 2 ]
    done
}

@test "wrong limits are refused" {
    for options in "--runs 0" "--runs -3" "--budget 0s" "--budget -1s" "--budget 10" \
        "--budget ten" "--runs 5 --repeat 2" "--budget 1s --jobs 2" \
        "--runs 5 --configuration all"; do
        run --separate-stderr motley measure $options toyohashi-2 jacobi
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "* ]]
    done
    [[ "$stderr" = *"configurations of a single group"* ]]
    [ ! -e motley.db ] || [ "$(query 'SELECT count(*) FROM run')" = 0 ]
}

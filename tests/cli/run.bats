# motley run: starts the best configuration, keeps the run, compares.

load fake
load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
    write_lab us
    write_program 'echo "N = $1, P = $2"; echo "time 25 us"'
    write_mpirun
}

run_toy() {
    run --separate-stderr motley run --model np-t "$@" ./lab.yaml ./toy.yaml
}

# newest: the last run in the store
newest() {
    query "SELECT configuration, size, repetition, outcome, seconds FROM run
           ORDER BY id DESC LIMIT 1"
}

@test "the best configuration is started; its output, its time and the prediction" {
    run_toy --size 100
    [ "$status" = 0 ]
    diff - <(sed -E 's/[0-9.]+ us - [0-9.]+ us/LOW - HIGH/' <<<"$output") <<END
N = 100, P = 3
time 25 us
configuration  a:3x1, P = 3
measured       25.00 us
predicted      23.00 us (90 %: LOW - HIGH), -8.0 %, extrapolated
END
    [ "$stderr" = "motley: starting toy, N = 100, on a:3x1; predicted: 23.00 us" ]
    [[ "$(cat arguments)" = "--hostfile "*" --map-by slot -np 3 ./program.sh 100 3" ]]
    [ "$(xargs <hostfile.used)" = "a1 slots=1 a2 slots=1 a3 slots=1" ]
    [ "$(newest)" = "a:3x1|100.0|1|ok|2.5e-05" ]
}

@test "it is run each time that it is asked for, and the next prediction knows of it" {
    run_toy --size 100
    run_toy --size 100
    [ "$status" = 0 ]
    [ "$(newest)" = "a:3x1|100.0|2|ok|2.5e-05" ]
    [[ "${lines[4]}" != "predicted      23.00 us "* ]]
    [[ "${lines[4]}" != *extrapolated ]]
}

@test "the limits are those of a plan" {
    run_toy --size 100 --objective price --confidence 0.5 --deadline 30us
    [ "$(newest)" = "a:2x1+b:3x1|100.0|1|ok|2.5e-05" ]
    run_toy --size 100 --confidence 0.5 --budget 0.05
    [ "$(newest)" = "a:1x1+b:3x1|100.0|1|ok|2.5e-05" ]
    run_toy --size 100 --deadline 1us
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no configuration meets the deadline of 1e-06 s with a chance of 90 %: "* ]]
    [ "$(query "SELECT count(*) FROM run")" = 14 ]
}

@test "--configuration: another one, also where no model answers" {
    run_toy --size 100 --configuration b:1x1
    [ "$status" = 0 ]
    [ "${lines[2]}" = "configuration  b:1x1, P = 1" ]
    [[ "${lines[4]}" = "predicted      121.0 us "*", +384.0 %, extrapolated" ]]
    run_toy --size 100 --db new.db --configuration a:1x1+b:2x1
    [ "$status" = 0 ]
    [ "${lines[4]}" = "predicted      -" ]
    [ "$stderr" = "motley: starting toy, N = 100, on a:1x1+b:2x1" ]
    [ "$(sqlite3 new.db "SELECT count(*) FROM run")" = 1 ]
}

@test "--json: one object on stdout, the program's output on stderr" {
    run_toy --size 100 --json
    [ "$status" = 0 ]
    jq -e '.simulated == false and .cluster == "lab" and .program == "toy" and
        .configuration == "a:3x1" and .size == 100 and .ranks == 3 and .run == 13 and
        .seconds == 25e-6 and (.predicted.seconds * 1e6 - 23 | fabs) < 1e-6 and
        .predicted.low < 23e-6 and .predicted.high > 23e-6 and .predicted.extrapolated' <<<"$output"
    [[ "$stderr" = *"N = 100, P = 3"* ]]
    run_toy --size 100 --json --db new.db --configuration a:1x1
    [ "$(jq .predicted <<<"$output")" = null ]
}

@test "a program that fails: exit 1, the reason, and the run is kept" {
    write_program 'echo "out of luck"; exit 3'
    run_toy --size 100
    [ "$status" = 1 ]
    [ "$output" = "out of luck" ]
    [ "${stderr_lines[2]}" = "  a:3x1, N = 100, repetition 1: exit status 3" ]
    [ "${stderr_lines[-1]}" = "motley: the run on 'a:3x1' failed" ]
    [ "$(newest)" = "a:3x1|100.0|1|failed|" ]
    [ "$(query "SELECT exit_code FROM run ORDER BY id DESC LIMIT 1")" = 3 ]
}

@test "a program that prints no time has failed" {
    write_program 'echo done'
    run_toy --size 100
    [ "$status" = 1 ]
    [[ "$stderr" = *": the pattern '^time ([^ ]+) us' did not match the output; it ended with: done"* ]]
    [ "$(newest)" = "a:3x1|100.0|1|unread|" ]
}

@test "--timeout stops the whole process group; the program's own does not hold here" {
    echo 'timeout: 1 s' >>toy.yaml
    write_program 'sleep 1.2; echo "time 25 us"'
    run_toy --size 100
    [ "$status" = 0 ]
    write_program 'sleep 1000 & echo $! >pids; wait'
    run_toy --size 100 --timeout '500 ms'
    [ "$status" = 1 ]
    [[ "$stderr" = *": it was stopped because it took longer than 500.0 ms"* ]]
    [ "$(newest)" = "a:3x1|100.0|2|timeout|" ]
    gone $(cat pids)
}

@test "Ctrl-C stops the whole process group" {
    write_program 'sleep 1000 & echo $! >pids; wait'
    # A shell's background jobs ignore SIGINT.
    env --default-signal=INT motley run --size 100 ./lab.yaml ./toy.yaml 2>messages 3>&- &
    pid=$!
    await test -s pids
    kill -INT $pid
    status=0
    wait $pid || status=$?
    [ "$status" = 130 ]
    [ "$(tail -n 1 messages)" = "motley: the run on 'a:3x1' was stopped and is not kept" ]
    [ "$(query "SELECT count(*) FROM run")" = 12 ]
    gone $(cat pids)
}

@test "simulated is said" {
    cat >sim.yaml <<END
name: sim
launcher: smpi
groups:
  - {name: a, nodes: 2, processes: [1], simulate: {flops: 1 Gf}}
network: {latency: 50 us, bandwidth: 100 MB/s}
END
    run --separate-stderr motley run --size 300 --configuration a:2x1 ./sim.yaml lu
    [ "$status" = 0 ]
    [[ "$output" = *"measured       "*"ms (simulated)"* ]]
    run --separate-stderr motley run --json --size 300 --configuration a:2x1 ./sim.yaml lu
    [ "$(jq .simulated <<<"$output")" = true ]
}

@test "a program that is missing: nothing is kept" {
    rm program.sh
    run_toy --size 100
    [ "$status" = 1 ]
    [[ "${stderr_lines[-1]}" = "motley: program 'toy': 'program.sh' is not in '.', "* ]]
    [ "$(query "SELECT count(*) FROM run")" = 12 ]
}

@test "without models: what to measure" {
    run_toy --size 100 --db none.db
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no store 'none.db'; measure first"* ]]
}

@test "usage errors name what is wrong, and nothing is started" {
    while read -r subject options; do
        # shellcheck disable=SC2086
        run_toy $options
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "*"$subject"* ]]
    done <<END
--size
'abc' --size abc
'0s' --size 100 --timeout 0s
'5' --size 100 --timeout 5
b:9x1 --size 100 --configuration b:9x1
--configuration --size 100 --configuration b:1x1 --deadline 30us
--configuration --size 100 --configuration b:1x1 --objective price
--configuration --size 100 --configuration b:1x1 --max-nodes 2
argument --size 100 extra
END
    echo 'valid: P != 1' >>toy.yaml
    run_toy --size 100 --configuration b:1x1
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: program 'toy' may not run at N = 100 on 'b:1x1': "* ]]
    [ ! -e arguments ]
}

# motley measure: which runs are made, and what becomes of those that go wrong.

load fake

@test "makes the homogeneous runs of every group, each repetition, and keeps them" {
    write_cluster
    write_program 'echo "time $1.5 us"' 'repeat: 2'
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "20 runs measured, 0 failed, 0 measured before" ]
    [ -z "$stderr" ]
    [ "$(query "SELECT DISTINCT configuration FROM run ORDER BY 1" | xargs)" = \
        "fast:1x1 fast:1x2 fast:2x1 fast:2x2 slow:1x1" ]
    [ "$(query "SELECT count(*) FROM run WHERE abs(1e6 * seconds - size - 0.5) < 1e-6
                AND repetition IN (1, 2) AND outcome = 'ok' AND launcher = 'command'
                AND NOT simulated")" = 20 ]
}

@test "a second call measures nothing; more repetitions only what is new" {
    write_cluster
    write_program 'echo x >>ran; echo "time 900 us"'
    motley measure cluster.yaml program.yaml
    run motley measure cluster.yaml program.yaml
    [ "$output" = "0 runs measured, 0 failed, 10 measured before" ]
    run motley measure --repeat 2 cluster.yaml program.yaml
    [ "$output" = "10 runs measured, 0 failed, 10 measured before" ]
    [ "$(wc -l <ran)" = 20 ]
}

@test "--configuration and --sizes choose" {
    write_cluster
    write_program 'echo "time 900 us"'
    motley measure --configuration slow:1x1+fast:2x1,fast:1x2 --sizes 50 \
        cluster.yaml program.yaml
    [ "$(query "SELECT configuration, size FROM run ORDER BY 1" | xargs)" = \
        "fast:1x2|50.0 fast:2x1+slow:1x1|50.0" ]
    run motley measure --configuration all --sizes 50 --dry-run --json \
        cluster.yaml program.yaml
    [ "$(jq '.runs | length' <<<"$output")" = 7 ]
}

@test "a configuration that is listed twice is measured once" {
    write_cluster
    write_program 'echo "time 900 us"'
    run motley measure --sizes 50 --configuration fast:2x1,homogeneous,all,fast:1x1 \
        cluster.yaml program.yaml
    [ "$output" = "9 runs measured, 0 failed, 0 measured before" ]
}

@test "runs that the program excludes are left out, and nothing left is an error" {
    write_cluster
    write_program 'echo "time 900 us"' 'valid: P == 2 && N >= 200'
    motley measure cluster.yaml program.yaml
    [ "$(query "SELECT configuration, size FROM run ORDER BY 1" | xargs)" = \
        "fast:1x2|200.0 fast:2x1|200.0" ]
    run --separate-stderr motley measure --sizes 10 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: program 'script' may not run at any of these sizes"* ]]
}

@test "the order is random, the same for the same seed" {
    write_cluster
    write_program 'echo "$1 $2" >>order; echo "time 900 us"'
    measure_in_order() {
        motley measure --db "$1.db" --seed "$2" cluster.yaml program.yaml
        mv order "order.$1"
    }
    measure_in_order 1 7
    measure_in_order 2 7
    measure_in_order 3 8
    cmp order.1 order.2
    run ! cmp -s order.1 order.3
    [ "$(sort order.1)" = "$(sort order.3)" ]
}

@test "--dry-run starts nothing, makes no store, and says what it does not know" {
    write_cluster
    write_program 'touch ran; echo "time 900 us"' 'timeout: 60 s'
    run motley measure --dry-run cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "${lines[0]}" = "group  nodes  processes a node          N  runs  expected" ]
    [ "${lines[1]}" = "fast   1 - 2             1 - 2  100 - 200     8         -" ]
    [ "${lines[2]}" = "slow       1                 1  100 - 200     2         -" ]
    [ "${#lines[@]}" = 4 ]
    run motley measure --dry-run --all cluster.yaml program.yaml
    [ "${lines[3]}" = "configuration    N  runs  expected" ]
    [ "${lines[4]}" = "fast:1x1       100     1         -" ]
    [ "${lines[-1]}" = "10 of 10 runs left; the time is unknown before a run has ended, at most 10 min 00 s by time-out" ]
    [ ! -e ran ]
    [ ! -e motley.db ]
}

@test "--dry-run expects what was seen, at least that for larger sizes" {
    write_cluster
    write_program 'echo "time 900 us"' 'work: N^3'
    motley measure cluster.yaml program.yaml
    run motley measure --dry-run cluster.yaml program.yaml
    [ "$output" = "0 of 10 runs left" ]
    run motley measure --dry-run --repeat 2 cluster.yaml program.yaml
    [[ "${lines[-1]}" = "10 of 20 runs left; they take about "* ]]
    run motley measure --dry-run --sizes 400 cluster.yaml program.yaml
    [[ "${lines[-1]}" = "5 of 5 runs left; they take at least "* ]]
    run motley measure --dry-run --json --sizes 400 cluster.yaml program.yaml
    jq -e '.simulated == false and .lower_bound and .expected_seconds > 0' <<<"$output"
}

@test "--groups: only configurations of what was added" {
    write_cluster
    write_program 'echo "time 900 us"'
    run --separate-stderr motley measure --groups slow cluster.yaml program.yaml
    [ "$output" = "2 runs measured, 0 failed, 0 measured before" ]
    [ "$(query "SELECT DISTINCT configuration FROM run")" = slow:1x1 ]
    run --separate-stderr motley measure --configuration all --groups fast,slow --sizes 100 cluster.yaml program.yaml
    [[ "$(query "SELECT group_concat(configuration) FROM run")" = *fast:2x1+slow:1x1* ]]
    run --separate-stderr motley measure --runs 4 --groups slow --db few.db --sizes 10,20,30,40 cluster.yaml program.yaml
    [ "$(sqlite3 few.db "SELECT DISTINCT configuration FROM run")" = slow:1x1 ]
    run --separate-stderr motley measure --groups slwo cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --groups: cluster 'made-up' has no group 'slwo'; did you mean 'slow'?" ]
    run --separate-stderr motley measure --groups slow --configuration fast:1x1 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --groups: none of the configurations uses 'slow' alone" ]
}

# A run of the program is in the store, and took so many seconds.
one_run_took() {
    write_cluster
    write_program 'echo "time 900 us"' 'work: N'
    motley measure --quiet --sizes 100 --configuration slow:1x1 cluster.yaml program.yaml
    query "UPDATE run SET wall = $1"
}

@test "a campaign of more than an hour asks for a budget, and loses nothing" {
    one_run_took 500
    run --separate-stderr motley measure --quiet cluster.yaml program.yaml </dev/null
    [ "$status" = 2 ]
    [ "$output" = "0 runs measured, 0 failed, 1 measured before" ]
    [ "$stderr" = "motley: all runs would take about 1 h 15 min: give --budget 10min to make those that tell most, or --budget none to make all; what was measured is kept" ]
    [ "$(query "SELECT count(*) FROM run")" = 1 ]
    run --separate-stderr motley measure --quiet --budget none cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "9 runs measured, 0 failed, 1 measured before" ]
}

@test "a campaign of less than an hour does not ask" {
    one_run_took 300
    run --separate-stderr motley measure --quiet cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "9 runs measured, 0 failed, 1 measured before" ]
}

@test "on a terminal one is asked whether to go on" {
    command -v script >/dev/null || skip "no script(1)"
    one_run_took 500
    # Its standard input is the terminal's.
    answer() {
        rm -f screen over
        { await grep -F "[y/N]" screen >/dev/null; echo "$1"; await test -e over; } |
            script -qfec "motley measure --quiet cluster.yaml program.yaml; touch over" screen
    }
    run answer n
    [[ "$output" = *"motley: all runs take about 1 h 15 min; go on with the 9 left? [y/N] "* ]]
    [ "$(query "SELECT count(*) FROM run")" = 1 ]
    run answer y
    [ "$(query "SELECT count(*) FROM run")" = 10 ]
}

@test "--dry-run expects nothing by imported runs that have no wall time" {
    write_cluster
    write_program ''
    printf 'configuration,size,seconds\nslow:1x1,100,1.5\n' >runs.csv
    motley import --cluster made-up --program script runs.csv
    run motley measure --dry-run cluster.yaml program.yaml
    [[ "${lines[-1]}" = "9 of 10 runs left; the time is unknown before a run has ended"* ]]
}

@test "wall time when the program says so" {
    write_cluster
    write_program 'sleep 0.1'
    sed -i 's/^time:.*/time: wall/' program.yaml
    motley measure --sizes 100 cluster.yaml program.yaml
    [ "$(query "SELECT count(*) FROM run WHERE seconds = wall AND wall >= 0.1")" = 5 ]
}

@test "a wall time that motley slept over, as after Ctrl-Z, is not taken" {
    write_cluster
    write_program 'kill -STOP $PPID
        setsid sh -c "until grep -q \") Z\" /proc/$$/stat; do sleep 0.1; done
            kill -CONT $PPID" 2>/dev/null >&2 &'
    sed -i 's/^time:.*/time: wall/' program.yaml
    run motley measure --sizes 100 --configuration slow:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT outcome, reason FROM run")" = \
        "unread|motley was stopped when it ended: when that was is not known" ]
}

@test "--json says what came of it" {
    write_cluster
    write_program '[ $1 = 100 ] && echo "time 900 us"'
    run --separate-stderr motley measure --json cluster.yaml program.yaml
    [ "$status" = 1 ]
    jq -e '.done == 5 and .failed == 5 and .skipped == 0 and .simulated == false and
           .interrupted == false' <<<"$output"
}

# A program that goes wrong at N = 200 only: the campaign goes on, the failure is kept
# and listed, the exit status is 1.
fails_with() {
    run --separate-stderr motley measure --quiet --configuration slow:1x1 "$@" \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$output" = "1 run measured, 1 failed, 0 measured before" ]
    [ "${stderr_lines[0]}" = "1 run failed:" ]
    [[ "${stderr_lines[1]}" = "  slow:1x1, N = 200, repetition 1: "* ]]
    reason=${stderr_lines[1]#*repetition 1: }
}

@test "a pattern that never matches: the end of the output is shown" {
    write_cluster
    write_program '[ $1 = 100 ] && echo "time 900 us" || { echo started; echo done; }'
    fails_with
    [ "$reason" = "the pattern '^time ([^ ]+) us' did not match the output; it ended with: done" ]
    [ "${stderr_lines[2]}" = "    started" ]
    [ "$(query "SELECT outcome FROM run WHERE size = 200")" = unread ]
}

@test "a program that prints nothing" {
    write_cluster
    write_program '[ $1 = 100 ] && echo "time 900 us"; exit 0'
    fails_with
    [ "$reason" = "the pattern '^time ([^ ]+) us' did not match: there was no output" ]
}

@test "a program that prints NaN" {
    write_cluster
    write_program '[ $1 = 100 ] && echo "time 900 us" || echo "time nan us"'
    fails_with
    [ "$reason" = "the time is not a number above 0: 'nan'" ]
    [ "$(query "SELECT outcome, seconds FROM run WHERE size = 200")" = "unread|" ]
}

@test "a time that the run cannot have taken" {
    write_cluster
    write_program 'sleep 0.1; [ $1 = 100 ] && echo "time 50000 us" || echo "time 99999999 us"'
    fails_with
    [[ "$reason" = "the time cannot be right: '99999999' us, and the run took "*" ms from start to end: see 'time' and 'rate' in motley-program(5)" ]]
    [ "$(query "SELECT outcome, seconds FROM run WHERE size = 200")" = "unread|" ]
    sed -i 's/^time:.*/time: {match: "^time ([^ ]+)"}/' program.yaml
    write_script() { printf '#!/bin/sh\n%s\n' "$1" >program.sh; }
    write_script 'sleep 0.1; [ $1 = 100 ] && echo "time 0.05" || echo "time 12.5 GFLOPS"'
    rm motley.db
    fails_with
    [[ "$reason" = *"'12.5' s, and the run took "*" from start to end: see "* ]]
    write_script 'sleep 0.1; [ $1 = 100 ] && echo "time 0.05" || echo "time 1e-9"'
    rm motley.db
    fails_with
    [[ "$reason" = "the time cannot be right: '1e-9' s, "* ]]
}

@test "a rate: the time is the work divided by it" {
    write_cluster
    write_program 'sleep 0.1; [ $1 = 100 ] && echo "2.5e-1 GFLOPS" || echo "0.0001 GFLOPS"' 'work: N^3'
    sed -i 's/^time:.*/rate: {match: "([^ ]+) GFLOPS", unit: GFLOPS}/' program.yaml
    fails_with
    [ "$(query "SELECT round(1e6 * seconds) FROM run WHERE size = 100")" = 4000.0 ]
    [[ "$reason" = "the rate cannot be right: '0.0001' GFLOPS would be 80 s, and the run took "*": check 'unit' and 'work' of 'rate'" ]]
}

@test "a program that exits non-zero, though it printed a time" {
    write_cluster
    write_program 'echo "time 900 us"; [ $1 = 100 ] || { echo "no memory" >&2; exit 3; }'
    fails_with
    [ "$reason" = "exit status 3" ]
    [ "${stderr_lines[3]}" = "    no memory" ]
    [ "$(query "SELECT outcome, exit_code FROM run WHERE size = 200")" = "failed|3" ]
}

@test "a failure shows what the program said, not the launcher's last words" {
    write_cluster
    write_program '[ $1 = 100 ] && { echo "time 900 us"; exit; }
        echo "cannot read mesh.dat: no such file"
        line=$(printf "%074d" 0 | tr 0 -)
        for say in "mpirun: Primary job  terminated normally, but 1 process returned" \
            "mpirun detected that one or more processes exited with non-zero status"; do
            printf "%s\n%s\nand more\n\n%s\n" $line "$say" $line
        done; exit 3'
    fails_with
    [ "${#stderr_lines[@]}" = 3 ]
    [ "${stderr_lines[2]}" = "    cannot read mesh.dat: no such file" ]
}

@test "of much output the first lines are kept, too" {
    write_cluster
    write_program '[ $1 = 100 ] && { echo "time 900 us"; exit; }
        echo "wrong input"; seq 10000; exit 3'
    fails_with
    [ "${stderr_lines[2]}" = "    wrong input" ]
    [ "${stderr_lines[-1]}" = "    10000" ]
    [ "$(query "SELECT output LIKE 'wrong input%bytes are left out ...%10000_' FROM run
        WHERE size = 200")" = 1 ]
}

@test "a program that is killed by a signal" {
    write_cluster
    write_program '[ $1 = 100 ] && echo "time 900 us" || kill -SEGV $$'
    fails_with
    [ "$reason" = "killed by signal 11 (Segmentation fault)" ]
    [ "$(query "SELECT outcome, signal FROM run WHERE size = 200")" = "signalled|11" ]
}

@test "a program that hangs is stopped with its whole process group" {
    write_cluster
    write_program '[ $1 = 100 ] && { echo "time 900 us"; exit; }
        sleep 1000 & echo $! >pids; (trap "" TERM; sleep 1001 & echo $! >>pids; wait) &
        wait'
    fails_with --timeout 3s
    [ "$reason" = "it was stopped because it took longer than 3.000 s" ]
    [ "$(query "SELECT outcome FROM run WHERE size = 200")" = timeout ]
    [ "$(wc -l <pids)" = 2 ]
    gone $(cat pids)
}

@test "a program that hangs when it has printed its time" {
    write_cluster
    write_program 'echo "time 900 us"; sleep 1000' 'timeout: 1 s'
    run --separate-stderr motley measure --configuration fast:1x1 --sizes 100 cluster.yaml program.yaml
    [[ "$(query 'SELECT reason FROM run')" = "it was stopped because it took longer than 1.000 s; its time had been printed: it may hang in MPI_Finalize" ]]
}

@test "a program that leaves processes behind which hold its output" {
    write_cluster
    write_program 'echo "time 900 us"; sleep 1000 & echo $! >>pids'
    run motley measure --configuration slow:1x1 cluster.yaml program.yaml
    [ "$status" = 0 ]
    gone $(cat pids)
}

@test "a program without an interpreter fails when it is started; the others go on" {
    write_cluster
    write_program ''
    printf '#!/bin/sh\r\necho\r\n' >program.sh
    run --separate-stderr motley measure --db other.db --sizes 100 --configuration slow:1x1 \
        cluster.yaml program.yaml
    [[ "$stderr" = *"program.sh' could not be started: its lines end as those of Windows (CR LF); 'dos2unix' mends it"* ]]
    echo '#!/no/such/interpreter' >program.sh
    run --separate-stderr motley measure --sizes 100 --configuration slow:1x1 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"program.sh': its interpreter '/no/such/interpreter' does not exist"* ]]
    [ "$(query "SELECT outcome, exit_code FROM run")" = "failed|127" ]
}

@test "a program that is not there ends it, and the places are named" {
    write_cluster
    write_program ''
    rm program.sh
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: program 'script': 'program.sh' is not in '.', nor on PATH" ]
    [ "$(query "SELECT count(*) FROM run")" = 0 ]
}

@test "a run that failed is tried again by the next call" {
    write_cluster
    write_program '[ -e repaired ] && echo "time 900 us"'
    run motley measure --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    touch repaired
    run motley measure --sizes 100 cluster.yaml program.yaml
    [ "$output" = "5 runs measured, 0 failed, 0 measured before" ]
    [ "$(query "SELECT count(*) FROM run")" = 10 ]
}

@test "five runs that fail for the same cause end it, unless one has succeeded" {
    write_cluster
    # each rank may say it
    write_program 'echo "a line of process $$"; for rank in $(seq $2); do
        echo "cannot open mesh.$1: no such file" >&2; done; exit 3'
    run --separate-stderr motley measure --repeat 2 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$output" = "0 runs measured, 5 failed, 0 measured before" ]
    [[ "$stderr" = "5 runs failed:"*"    cannot open mesh."[12]"00: no such file"*"
motley: stopped: 5 runs failed for the same cause and none succeeded" ]]
    run --separate-stderr motley measure --budget 1h cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$output" = *"5 failed"* ]]
    [[ "$stderr" = *"
motley: stopped: 5 runs failed for the same cause and none succeeded"* ]]
    write_program '[ -e failed ] || { touch failed; echo "time 900 us"; exit 0; }; exit 3'
    run --separate-stderr motley measure --repeat 2 cluster.yaml program.yaml
    [ "$output" = "1 run measured, 19 failed, 0 measured before" ]
}

@test "failures do not end a campaign that has succeeded before" {
    write_cluster
    write_program '[ $1 -le 200 ] && echo "time 900 us"'
    motley measure --sizes 100,200 cluster.yaml program.yaml
    run --separate-stderr motley measure --sizes 100,200,300,400 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$output" = "0 runs measured, 10 failed, 10 measured before" ]
}

@test "many failures are counted, not all listed" {
    write_cluster
    write_program 'head -c $(wc -l <said) /dev/zero | tr "\\0" x; echo >>said; exit 1'
    echo >said
    run --separate-stderr motley measure --repeat 2 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "${stderr_lines[0]}" = "20 runs failed:" ]
    [ "${stderr_lines[-1]}" = "  and 10 more" ]
    [ "${#stderr_lines[@]}" = 22 ]
}

@test "kill -9: every finished run is there, the next call repeats none" {
    write_cluster
    write_program 'echo "$1 $2 x" >>ran; sleep 0.05; echo "time 900 us"' 'repeat: 3'
    motley measure cluster.yaml program.yaml 3>&- &
    pid=$!
    six_ran() { [ "$(wc -l <ran)" -ge 6 ]; }
    await six_ran
    kill -STOP $pid
    started=$(pgrep -P $pid) # the run that is on its way, and the guard, which ends it
    kill -KILL $pid
    wait $pid || true
    finished=$(query "SELECT count(*) FROM run")
    [ "$finished" -ge 5 ]
    gone $started
    started=$(wc -l <ran)
    run motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "$((30 - finished)) runs measured, 0 failed, $finished measured before" ]
    [ "$(query "SELECT count(*) FROM run")" = 30 ]
    [ "$(query "SELECT count(DISTINCT configuration || size || repetition) FROM run")" = 30 ]
    [ "$(wc -l <ran)" = $((started + 30 - finished)) ]
}

# interrupted SIGNAL: a campaign with a finished run and one that hangs gets the signal
interrupted() {
    write_cluster
    write_program '[ -e first ] || { touch first; echo "time 900 us"; exit; }
        sleep 1000 & echo $! >pids; wait'
    # A shell's background jobs ignore SIGINT.
    env --default-signal=INT,QUIT,TERM motley measure cluster.yaml program.yaml >result 3>&- &
    pid=$!
    await test -s pids
    kill -"$1" $pid
    status=0
    wait $pid || status=$?
}

@test "Ctrl-C stops the running job's process group and keeps what is done" {
    interrupted INT
    [ "$status" = 130 ]
    [ "$(cat result)" = "1 run measured, 0 failed, 0 measured before; interrupted" ]
    [ "$(query "SELECT count(*) FROM run")" = 1 ]
    gone $(cat pids)
}

@test "so does SIGTERM" {
    interrupted TERM
    [ "$status" = 143 ]
    [ "$(query "SELECT count(*) FROM run")" = 1 ]
    gone $(cat pids)
}

@test "and SIGQUIT" {
    interrupted QUIT
    [ "$status" = 131 ]
    gone $(cat pids)
}

@test "a run that ended by itself when Ctrl-C came is kept" {
    write_cluster
    # motley sees the signal and the end of the run in the same moment
    write_program 'kill -STOP $PPID; kill -INT $PPID; echo "time 900 us"
        setsid sh -c "sleep 0.5; kill -CONT $PPID" 2>/dev/null >&2 &'
    run env --default-signal=INT motley measure cluster.yaml program.yaml
    [ "$status" = 130 ]
    [ "$output" = "1 run measured, 0 failed, 0 measured before; interrupted" ]
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 1 ]
}

@test "one campaign at a time measures into a store" {
    write_cluster
    write_program 'touch started; sleep 1000; echo "time 900 us"'
    motley measure cluster.yaml program.yaml 3>&- &
    pid=$!
    await test -e started
    run --separate-stderr motley measure cluster.yaml program.yaml
    kill $pid
    wait $pid || true
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: "*"motley.db"* ]]
}

@test "a store that is not SQLite is refused and stays as it is" {
    write_cluster
    write_program 'echo "time 900 us"'
    echo "my precious notes" >motley.db
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" != 0 ]
    [[ "$stderr" = "motley: "*"motley.db"* ]]
    [ "$(cat motley.db)" = "my precious notes" ]
}

@test "a full disk: no run is lost" {
    write_cluster
    write_program 'echo "time 250.5 us"'
    motley measure --configuration slow:1x1 cluster.yaml program.yaml
    (
        trap '' XFSZ
        ulimit -f 40
        ! motley measure --repeat 20 cluster.yaml program.yaml 2>stderr
    )
    kept=$(query "SELECT count(*) FROM run")
    grep -q "finished runs that store 'motley.db' did not take: 1, now in" stderr
    motley import motley.db.rescued.csv
    [ "$(query "SELECT count(*) FROM run")" = $((kept + 1)) ]
}

@test "several runs side by side need a simulated cluster" {
    write_cluster
    write_program 'echo "time 900 us"'
    run --separate-stderr motley measure --jobs 2 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: runs side by side would disturb each other: cluster 'made-up' is not simulated" ]
}

@test "bad options are usage errors that name them" {
    write_cluster
    write_program 'echo "time 900 us"'
    while read -r options; do
        # shellcheck disable=SC2086
        run --separate-stderr motley measure $options cluster.yaml program.yaml
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "* ]]
        [ ! -e motley.db ]
    done <<END
--sizes 100,-5
--sizes 100,,200
--sizes 100,
--sizes 100,200,1e2
--sizes nan
--repeat -1
--repeat two
--jobs -1
--jobs 0
--timeout 5
--timeout 0s
--configuration fast:3x1
--configuration fast:1x9
--configuration nosuch:1x1
--configuration fast:1x1,
extra
END
    run motley measure cluster.yaml
    [ "$status" = 2 ]
}

# simulated_cluster: 3 nodes whose speed varies from run to run
simulated_cluster() {
    cat >cluster.yaml <<END
name: noisy
launcher: smpi
groups:
  - name: node
    nodes: 3
    processes: [1]
    simulate: {flops: 1 Gf, cores: 1, noise: 0.1}
network: {latency: 50 us, bandwidth: 100 MB/s}
END
    cat >program.yaml <<END
name: lu
command: [lu, --size, "{N}", --model-only]
time: {match: '^time ([^ ]+) s'}
sizes: {measure: [200, 300]}
repeat: 2
END
}

@test "simulated runs say so, and depend on the seed, not on the order or the jobs" {
    simulated_cluster
    motley measure --db one.db --seed 5 cluster.yaml program.yaml
    run motley measure --db two.db --seed 5 --jobs 30 cluster.yaml program.yaml
    [ "$output" = "12 runs measured (simulated), 0 failed, 0 measured before" ]
    motley measure --db three.db --seed 6 cluster.yaml program.yaml
    all="SELECT configuration, size, repetition, seconds, simulated FROM run ORDER BY 1, 2, 3"
    [ "$(sqlite3 one.db "$all")" = "$(sqlite3 two.db "$all")" ]
    [ "$(sqlite3 one.db "$all")" != "$(sqlite3 three.db "$all")" ]
    [ "$(sqlite3 one.db "SELECT count(DISTINCT seconds), min(simulated) FROM run")" = "12|1" ]
    run motley measure --db one.db --dry-run --json cluster.yaml program.yaml
    jq -e .simulated <<<"$output"
}

@test "the wall time of a simulated run is refused as its time" {
    simulated_cluster
    sed -i 's/^time:.*/time: wall/' program.yaml
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: the wall time of program 'lu' means nothing on simulated cluster 'noisy'"* ]]
}

@test "a program that is a folder, or not executable, is not said to be missing" {
    write_cluster
    write_program ''
    rm program.sh
    mkdir program.sh
    run --separate-stderr motley measure ./cluster.yaml ./program.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: program 'script': './program.sh' is a folder" ]
    sed -i 's/^command.*/command: [.\/program.sh, "{N}"]/' program.yaml
    run --separate-stderr motley measure ./cluster.yaml ./program.yaml
    [ "$stderr" = "motley: program 'script': './program.sh' is a folder" ]
    rmdir program.sh
    echo text >program.sh
    run --separate-stderr motley measure ./cluster.yaml ./program.yaml
    [ "$stderr" = "motley: program 'script': './program.sh' is not executable" ]
}

@test "a store on a read-only file system" {
    write_cluster
    write_program 'echo time 900 us'
    mkdir store
    unshare -Urm bash -c 'mount -t tmpfs -o ro none store' || skip "no namespaces"
    run --separate-stderr unshare -Urm bash -c 'mount -t tmpfs -o ro none store &&
        motley measure --db store/new.db ./cluster.yaml ./program.yaml'
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot open store 'store/new.db': Read-only file system; "* ]]
}

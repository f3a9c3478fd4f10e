# Nothing of a motley that is killed stays: its guard ends what it has started, and what
# the guard's own death leaves is ended by the next motley.

load fake

# Ranks that are no part of the launcher's process group: one is its child, one has lost
# its parent. They write into the file `ranks`.
ranks='setsid sh -c "echo \$\$ >>ranks; exec sleep 1000" &
    setsid sh -c "sh -c '\''echo \$\$ >>ranks; exec sleep 1000'\'' &" &
    while [ "$(wc -l <ranks)" -lt 2 ]; do sleep 0.01; done'

setup() {
    cd "$BATS_TEST_TMPDIR"
    mkdir tmp
    export TMPDIR=$PWD/tmp
    touch ranks
    export XDG_CACHE_HOME=$PWD/cache # of motley tune
    write_cluster
    write_program "$ranks; touch started; wait; sleep 1000"
}

teardown() {
    [ ! -s ranks ] || kill -KILL $(cat ranks) 2>/dev/null || true
}

# begin_measure: in the background; its process is $pid, its guard's $guard
begin_measure() {
    motley measure --sizes 100 cluster.yaml program.yaml >measured 2>&1 3>&- &
    pid=$!
    await test -e started
    guard=$(pgrep -P $pid motley-guard)
}

# kill_9 PID...: also of those that this shell does not have to wait for
kill_9() {
    kill -KILL "$@"
    wait "$1" || true
}

@test "kill -9 of motley: what it has started ends, and its folder goes" {
    begin_measure
    [ "$(ls tmp)" != "" ]
    kill_9 "$pid"
    gone $(cat ranks) "$guard"
    [ -z "$(ls tmp)" ]
}

@test "kill -9 of motley whose folder was removed: what it has started ends" {
    begin_measure
    rm -r tmp/*
    kill_9 "$pid"
    gone $(cat ranks) "$guard"
    [ -z "$(ls tmp)" ]
}

@test "who comes sees that a session is being ended before its guard has the lock" {
    begin_measure
    session=$(echo tmp/motley-session-*)
    kill -STOP "$guard"
    kill_9 "$pid"
    exec 7<"$session"
    flock 7
    kill -CONT "$guard"
    await test -e "$session/ending"
    kill -0 $(cat ranks)
    exec 7<&-
    gone $(cat ranks) "$guard"
    [ -z "$(ls tmp)" ]
}

@test "what ignores SIGTERM, or is stopped, is killed" {
    write_program "$ranks"'; trap "" TERM; touch started; kill -STOP $(head -1 ranks); sleep 1000 & sleep 1000; wait'
    begin_measure
    program=$(pgrep -P "$pid" program.sh)
    kill_9 "$pid"
    gone $(cat ranks) "$program" "$guard"
    [ -z "$(ls tmp)" ]
}

@test "kill -9 of motley and its guard: the next motley ends what they have left" {
    begin_measure
    kill_9 "$pid" "$guard"
    for rank in $(cat ranks); do kill -0 "$rank"; done
    write_program 'echo time 1 us; for rank in $(cat ranks); do grep -q sleep /proc/$rank/cmdline && echo beside; done; true'
    run --separate-stderr motley measure --sizes 100 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: ended programs left by a killed motley: "*"sleep ($(head -1 ranks))"* ]]
    [ -z "$(query "SELECT output FROM run WHERE output LIKE '%beside%'")" ]
    gone $(cat ranks)
    [ -z "$(ls tmp)" ]
}

@test "a guard that is killed between two runs is replaced" {
    write_program '[ -e first ] || {
            touch first started
            while [ ! -e go ]; do sleep 0.01; done
            echo "time 1 us"; exit
        }
        '"$ranks; touch second; sleep 1000"
    begin_measure
    kill -KILL "$guard"
    touch go
    await test -e second
    kill_9 "$pid"
    gone $(cat ranks)
    empty() { [ -z "$(ls tmp)" ]; }
    await empty
}

@test "a motley that lives keeps what it has, whoever begins beside it" {
    begin_measure
    write_program 'echo time 1 us'
    run --separate-stderr motley measure --db other.db --sizes 100 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    for rank in $(cat ranks); do kill -0 "$rank"; done
    kill -TERM "$pid"
    wait "$pid" || true
    gone $(cat ranks) "$guard"
    [ -z "$(ls tmp)" ]
}

@test "the next motley waits until the guard of the last has ended its programs" {
    write_program "$ranks"'; trap "" TERM; touch started; sleep 1000; sleep 1000'
    begin_measure
    kill_9 "$pid"
    write_program 'echo time 1 us; for rank in $(cat ranks); do grep -q sleep /proc/$rank/cmdline && echo beside; done; true'
    motley measure --sizes 100 cluster.yaml program.yaml
    [ -z "$(query "SELECT output FROM run WHERE output LIKE '%beside%'")" ]
    gone $(cat ranks) "$guard"
    [ -z "$(ls tmp)" ]
}

@test "a launcher that is killed leaves no ranks" {
    write_program '[ -e first ] && { echo "time 1 us"; exit; }
        touch first
        '"$ranks"'; cp ranks first.ranks; touch started; kill -KILL $$'
    run motley measure --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$(query "SELECT count(*) FROM run WHERE reason LIKE 'killed by signal 9%'")" = 1 ]
    gone $(cat first.ranks)
    [ -z "$(ls tmp)" ]
}

@test "a launcher that is stopped leaves none" {
    run motley measure --timeout 1s --configuration slow:1x1 --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    gone $(cat ranks)
}

@test "what is left of killed motleys in TMPDIR is removed, and nothing else is" {
    mkdir -p tmp/motley-session-AAAAAA/files-1/0 tmp/motley-session-BBBBBB tmp/motley-other
    echo "1 1 another boot" >tmp/motley-session-AAAAAA/7
    touch tmp/motley-session-AAAAAA/files-1/0/hostfile tmp/motley-session-file
    ln -s "$PWD" tmp/motley-session-CCCCCC
    mkdir tmp/motley-session-0{1,2}
    printf 'a machine that shares the folder' >tmp/motley-session-01/host
    hostname | tr -d '\n' >tmp/motley-session-02/host
    write_program 'echo time 1 us'
    expected="motley-other motley-session-01 motley-session-CCCCCC motley-session-file"
    if [ "$(id -u)" = 0 ]; then
        mkdir tmp/motley-session-DDDDDD
        chown nobody tmp/motley-session-DDDDDD
        expected="motley-other motley-session-01 motley-session-CCCCCC motley-session-DDDDDD motley-session-file"
    fi
    run --separate-stderr motley measure --sizes 100 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$(ls tmp | xargs)" = "$expected" ]
}

@test "a measurement that has nothing left to do cleans up as well" {
    write_program 'echo time 1 us'
    motley measure --sizes 100 cluster.yaml program.yaml
    mkdir tmp/motley-session-AAAAAA
    motley measure --sizes 100 cluster.yaml program.yaml
    [ -z "$(ls tmp)" ]
}

@test "motley run and tune end what they have started as well" {
    motley run --size 100 --configuration slow:1x1 cluster.yaml program.yaml >out 2>&1 3>&- &
    pid=$!
    await test -e started
    kill_9 "$pid"
    gone $(cat ranks)

    motley tune >out 2>&1 3>&- &
    pid=$!
    await pgrep -P "$pid" motley-tune
    tune=$(pgrep -P "$pid" motley-tune)
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" = 143 ]
    gone "$tune"

    motley tune >out 2>&1 3>&- &
    pid=$!
    await pgrep -P "$pid" motley-tune
    tune=$(pgrep -P "$pid" motley-tune)
    kill_9 "$pid"
    gone "$tune"
    empty() { [ -z "$(ls tmp)" ]; }
    await empty
}

@test "without motley-guard nothing is started" {
    [ -n "${BUILD_ROOT:-}" ] || skip "not in a build tree"
    mkdir -p bin lib
    cp "$BUILD_ROOT/cli/motley" bin
    run --separate-stderr env LD_LIBRARY_PATH="$BUILD_ROOT/lib" bin/motley measure \
        --sizes 100 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: 'motley-guard' is missing in the installation that '$PWD/bin' belongs to; install all of motley" ]
    [ ! -e started ]
    [ -z "$(ls tmp)" ]
}

@test "where no record of a run can be made, no run is made, and none has failed" {
    write_program 'mkdir "${MOTLEY_RUN%/*}/2"; echo "time 900 us"'
    run --separate-stderr motley measure --sizes 50,60 --configuration fast:1x1 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"no file can be made in '$TMPDIR/"*": File exists"* ]]
    [ "$(query "SELECT group_concat(outcome) FROM run")" = ok ]
}

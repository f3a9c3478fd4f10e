# Stores that go away, or cannot be written, while motley measures into them: no finished
# run is lost, none comes twice.

load fake

setup_file() {
    mkdir "$BATS_FILE_TMPDIR/real"
    ln -s real "$BATS_FILE_TMPDIR/link" # as homes on clusters are
    export XDG_STATE_HOME=$BATS_FILE_TMPDIR/link/state
}

# measure_until COMMAND: a campaign of ten runs; the fourth one does something to the
# store
measure_until() {
    write_cluster
    write_program "echo x >>ran; [ \$(wc -l <ran) != 4 ] || { $1; }; echo 'time 100 us'"
    run --separate-stderr motley measure cluster.yaml program.yaml
}

# The next call takes in the first four runs and makes the others.
assert_goes_on() {
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$stderr" = "motley: 4 runs that store 'motley.db' did not take before are in it now" ]
    [ "$output" = "6 runs measured, 0 failed, 4 measured before" ]
    [ "$(wc -l <ran)" = 10 ]
    [ "$(query "SELECT count(*), count(DISTINCT configuration || size) FROM run")" = "10|10" ]
    [ "$(query "PRAGMA integrity_check")" = ok ]
    [ "$(find . -name '*-spill' -o -name '*-wal' -o -name '*-shm')" = "" ]
}

@test "a store that is removed: the campaign ends, and the next call takes its runs in" {
    measure_until 'rm motley.db'
    [ "$status" = 1 ]
    [ -z "$output" ]
    [[ "$stderr" = "motley: store 'motley.db' was removed while it was in use; 4 finished runs are kept in '$PWD/motley.db-spill': the next call of motley"* ]]
    [ ! -e motley.db ]
    run motley show --db motley.db-spill --json runs
    [ "$(jq '.runs | length' <<<"$output")" = 4 ]
    assert_goes_on
}

@test "a store that is removed before motley is asked to stop" {
    measure_until 'rm motley.db; kill -TERM $PPID; sleep 100'
    [ "$status" = 1 ]
    [[ "$stderr" = *"store 'motley.db' was removed while it was in use; 3 finished runs are kept in "* ]]
    run motley show --db motley.db-spill --json runs
    [ "$(jq '.runs | length' <<<"$output")" = 3 ]
}

@test "a store that another one takes the place of" {
    write_cluster
    write_program 'echo "time 100 us"'
    motley measure --db other.db --sizes 1 --configuration slow:1x1 \
        cluster.yaml program.yaml
    measure_until 'mv other.db motley.db'
    [ "$status" = 1 ]
    [[ "$stderr" = *"another file was put in place of store 'motley.db'; 4 finished runs"* ]]
    run motley show --json runs 2>/dev/null
    [ "$(query "SELECT count(*) FROM run")" = 5 ]
    query "DELETE FROM run WHERE size = 1"
    run motley measure cluster.yaml program.yaml
    [ "$output" = "6 runs measured, 0 failed, 4 measured before" ]
}

@test "a store that is truncated" {
    measure_until ': >motley.db'
    [ "$status" = 1 ]
    [[ "$stderr" = *"was overwritten while it was in use; 4 finished runs are kept"* ]]
    assert_goes_on
}

@test "where nothing can be written beside the store, runs go to the user's own folder" {
    mkdir lab
    write_cluster
    write_program 'echo x >>ran; [ $(wc -l <ran) != 4 ] || rm -rf lab; echo "time 100 us"'
    run --separate-stderr motley measure --db lab/x.db cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"4 finished runs are kept in '$XDG_STATE_HOME/motley/x.db-"*"-spill'"* ]]
    mkdir lab
    run --separate-stderr motley measure --db lab/x.db cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "6 runs measured, 0 failed, 4 measured before" ]
    [ -z "$(ls "$XDG_STATE_HOME/motley")" ]
}

@test "runs that can be kept nowhere are printed, and can be imported" {
    touch not-a-folder
    XDG_STATE_HOME=$PWD/not-a-folder measure_until 'rm motley.db; mkdir motley.db-spill'
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: runs that are kept nowhere"*"no spill file can be written"* ]]
    sed '1d; $d' <<<"$stderr" >left.csv
    rm -r motley.db-spill
    motley import left.csv
    [ "$(query "SELECT count(*), count(DISTINCT configuration || size) FROM run")" = "4|4" ]
}

@test "run keeps what it measured, too" {
    write_cluster
    write_program 'rm motley.db; echo "time 100 us"'
    run --separate-stderr motley run --configuration slow:1x1 --size 5 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"1 finished run is kept in '$PWD/motley.db-spill'"* ]]
    run --separate-stderr motley show runs
    [[ "$stderr" = "motley: 1 run that store 'motley.db' did not take before is in it now" ]]
    [[ "$output" = *"slow:1x1"* ]]
}

@test "a spill file that is none is left alone, and said" {
    write_cluster
    write_program 'echo "time 100 us"'
    echo precious >motley.db-spill
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$stderr" = "motley: the runs in '$PWD/motley.db-spill' are not taken into store 'motley.db': not a store"* ]]
    [ "$(cat motley.db-spill)" = precious ]
}

@test "what SQLite takes for a store in memory is refused before anything runs" {
    write_cluster
    write_program 'touch ran; echo "time 100 us"'
    for name in :memory: '' 'file:x?mode=memory'; do
        run motley measure --db "$name" cluster.yaml program.yaml
        [ "$status" = 2 ]
    done
    [ ! -e ran ]
}

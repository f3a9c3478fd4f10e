# Stores that go away, or cannot be written, while motley measures into them: no finished
# run is lost.

load fake

# measure_until COMMAND: a campaign of ten runs; the fourth one does something to the
# store
measure_until() {
    write_cluster
    write_program "echo x >>ran; [ \$(wc -l <ran) != 4 ] || { $1; }; echo 'time 100 us'"
    run --separate-stderr motley measure cluster.yaml program.yaml
}

# After the rescued runs are imported, the same command makes the others.
assert_goes_on() {
    run motley import motley.db.rescued.csv
    [ "$status" = 0 ]
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    [ "$output" = "6 runs measured, 0 failed, 4 measured before" ]
    [ "$(wc -l <ran)" = 10 ]
    [ "$(query "SELECT count(*), count(DISTINCT configuration || size) FROM run")" = "10|10" ]
    [ "$(query "PRAGMA integrity_check")" = ok ]
    [ "$(find . -name '*-wal' -o -name '*-shm')" = "" ]
}

@test "a store that is removed: the campaign ends, and its runs can be imported" {
    measure_until 'rm motley.db'
    [ "$status" = 1 ]
    [ -z "$output" ]
    [[ "$stderr" = "motley: finished runs that store 'motley.db' did not take: 4, now in 'motley.db.rescued.csv'; "* ]]
    [[ "$stderr" = *"motley: store 'motley.db' was removed while it was in use"* ]]
    [ ! -e motley.db ]
    sed '1d; $d' <<<"$stderr" | diff - motley.db.rescued.csv
    assert_goes_on
}

@test "a store that is removed before motley is asked to stop" {
    measure_until 'rm motley.db; kill -TERM $PPID; sleep 100'
    [ "$status" = 1 ]
    [[ "$stderr" = *"store 'motley.db' was removed while it was in use"* ]]
    [ "$(wc -l <motley.db.rescued.csv)" = 4 ]
}

@test "a store that another one takes the place of" {
    write_cluster
    write_program 'echo "time 100 us"'
    motley measure --db other.db --sizes 1 --configuration slow:1x1 \
        cluster.yaml program.yaml
    measure_until 'mv other.db motley.db'
    [ "$status" = 1 ]
    [[ "$stderr" = *"another file was put in place of store 'motley.db'"* ]]
    query "DELETE FROM run WHERE size = 1"
    assert_goes_on
}

@test "a store that is truncated" {
    measure_until ': >motley.db'
    [ "$status" = 1 ]
    [[ "$stderr" = *"was overwritten while it was in use"* ]]
    assert_goes_on
}

@test "a second rescue adds to the first one's file" {
    measure_until 'rm motley.db'
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 0 ]
    write_program 'rm motley.db; echo "time 100 us"'
    run --separate-stderr motley measure cluster.yaml program.yaml --repeat 2
    [ "$status" = 1 ]
    [ "$(grep -c ^cluster motley.db.rescued.csv)" = 1 ]
    [ "$(wc -l <motley.db.rescued.csv)" = 6 ]
}

@test "runs that no file takes are printed, and can be imported" {
    measure_until 'rm motley.db; mkdir motley.db.rescued.csv'
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot write 'motley.db.rescued.csv': Is a directory; save these lines and import them:"* ]]
    sed '1d; $d' <<<"$stderr" >left.csv
    motley import left.csv
    [ "$(query "SELECT count(*), count(DISTINCT configuration || size) FROM run")" = "4|4" ]
}

@test "a rescue does not write through a link" {
    write_cluster
    write_program 'rm motley.db; echo "time 100 us"'
    echo precious >victim
    ln -s victim motley.db.rescued.csv
    run --separate-stderr motley measure cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: cannot write 'motley.db.rescued.csv'"* ]]
    [ "$(cat victim)" = precious ]
}

@test "run keeps what it measured, too" {
    write_cluster
    write_program 'rm motley.db; echo "time 100 us"'
    run --separate-stderr motley run --configuration slow:1x1 --size 5 \
        cluster.yaml program.yaml
    [ "$status" = 1 ]
    motley import motley.db.rescued.csv
    run motley show runs
    [[ "$output" = *"slow:1x1"* ]]
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

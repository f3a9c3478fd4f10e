# The kinds of faults: fault_KIND begins a measurement, lets $delay seconds pass, and does
# what it is named after; the file `met` says that there was something to do it to.

usual_kinds="motley motley motley launcher launcher rank rank guard both later stop stop
    stopguard ask ask commit commit full full disk disk readonly clock removed replaced
    scratch second"

# victim NAME: its process
victim() {
    case $1 in
    motley) echo "$motley" ;;
    guard) pgrep -P "$motley" -x motley-guard ;;
    launcher) pgrep -P "$motley" | grep -v -x -F "$(victim guard || echo none)" | head -n 1 ;;
    rank) pgrep -f "$PWD/program.sh|\./program.sh" | while read -r pid; do
        [ "$(readlink "/proc/$pid/cwd")" = "$PWD" ] && echo "$pid"
    done | shuf -n 1 --random-source=<(yes) ;;
    esac
}

# hit SIGNAL NAME...: all of them at once. Those that are not there are looked for a
# while.
hit() {
    local number=$1 pids=() name pid tries
    shift
    for name; do
        for ((tries = 0; tries < 20; tries++)); do
            pid=$(victim "$name")
            [ -n "$pid" ] && break
            kill -0 "$motley" || break
        done
        [ -n "$pid" ] && pids+=($pid)
    done
    [ ${#pids[@]} = 0 ] && return
    echo fault >>ledger
    kill -"$number" "${pids[@]}" && touch met
}

begin() {
    begin_measure "$@"
    sleep "$delay"
}

fault_motley() {
    begin
    hit KILL motley
}

fault_launcher() {
    begin
    hit KILL launcher
}

fault_rank() {
    begin
    hit KILL rank
}

fault_guard() {
    begin
    hit KILL guard
}

fault_both() {
    begin
    hit KILL guard motley
}

# Another one guards, or nobody does yet.
fault_later() {
    begin
    hit KILL guard
    sleep 0.0$((RANDOM % 10))
    hit KILL motley
}

# As Ctrl-Z and fg do.
fault_stop() {
    local name
    begin
    name=$(one_of motley launcher rank)
    hit STOP "$name"
    sleep 0.$((RANDOM % 8))
    hit CONT "$name"
}

fault_stopguard() {
    begin
    hit STOP guard
    [ $((RANDOM % 2)) = 0 ] && hit KILL motley
    sleep 0.3
    pkill -CONT -f "motley-guard $PWD/tmp/"
}

fault_ask() {
    begin
    hit "$(one_of TERM HUP)" motley
}

# In the middle of a commit: before the so many-th write to the store.
fault_commit() {
    begin_measure FAULT_KILL=$((1 + RANDOM % 60))
    touch met
}

# disk ERROR: for a while
fault_while() {
    begin
    echo fault >>ledger
    echo "$1" >switch
    kill -0 "$motley" && touch met
    sleep 0.$((RANDOM % 9))
    rm -f switch
}

fault_full() {
    fault_while ENOSPC
}

fault_disk() {
    fault_while EIO
}

fault_readonly() {
    fault_while EROFS
}

fault_clock() {
    fault_while "$(one_of -86400 -3600 -1 1 3600 100000000)"
}

fault_removed() {
    begin
    echo fault >>ledger
    touch taken
    [ -e motley.db ] && kill -0 "$motley" && touch met
    rm -f motley.db motley.db-wal motley.db-shm
}

# By a copy that was made before.
fault_replaced() {
    begin_measure
    sleep 0.1
    sqlite3 motley.db ".backup old.db"
    sleep "$delay"
    echo fault >>ledger
    touch taken
    [ -s old.db ] && kill -0 "$motley" && touch met
    [ -s old.db ] && mv old.db motley.db
    rm -f old.db
}

# What clears up in /tmp.
fault_scratch() {
    begin
    echo fault >>ledger
    rm -r tmp/motley-session-* && touch met
    sleep 0.2
    [ $((RANDOM % 2)) = 0 ] && hit KILL motley
}

# It is back for the next measurement, which asks for it.
fault_node() {
    local node
    node=$(one_of fast-1 fast-2 slow-1 slow-2)
    begin
    sleep "$((RANDOM % 3))"
    echo fault >>ledger
    kill -0 "$motley" && motley testbed down "$testbed" --node "$node" && touch met
    while kill -0 "$motley" 2>/dev/null; do sleep 0.05; done
    motley testbed up "$testbed" --node "$node"
}

# Another motley measures into the same store, and one of them is killed.
fault_second() {
    local one
    begin
    one=$motley
    begin_measure
    sleep 0.$((RANDOM % 5))
    kill -0 "$one" && touch met
    echo fault >>ledger
    kill -KILL "$(one_of "$one" "$motley")"
    while kill -0 "$one"; do sleep 0.05; done
    wait "$one"
}

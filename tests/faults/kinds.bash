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

# strike COMMAND...: the ledger says when the fault comes, and when it has come
strike() {
    echo fault >>ledger
    "$@"
    local result=$?
    echo over >>ledger
    return $result
}

# hit SIGNAL NAME...: all of them at once, which are $struck. Those that are not there, or
# have ended when the signal comes, are looked for a while.
hit() {
    local number=$1 name tries
    shift
    for ((tries = 0; tries < 20; tries++)); do
        struck=()
        for name; do
            struck+=($(victim "$name"))
        done
        [ ${#struck[@]} = $# ] && strike kill -"$number" "${struck[@]}" && touch met && return
        kill -0 "$motley" || return
    done
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
    begin
    one_of motley launcher rank
    hit STOP "$chosen"
    sleep 0.$((RANDOM % 8))
    kill -CONT "${struck[@]}"
}

fault_stopguard() {
    local guard
    begin
    hit STOP guard
    guard=("${struck[@]}")
    [ $((RANDOM % 2)) = 0 ] && hit KILL motley
    sleep 0.3
    kill -CONT "${guard[@]}"
}

fault_ask() {
    begin
    one_of TERM HUP
    hit "$chosen" motley
}

# In the middle of a commit: before the so many-th write to the store.
fault_commit() {
    begin_measure FAULT_KILL=$((1 + RANDOM % 60))
    touch met
}

# fault_while ERROR: for a while
fault_while() {
    begin
    kill -0 "$motley" && touch met
    echo "$1" >on
    strike mv on switch
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
    one_of -86400 -3600 -1 1 3600 100000000
    fault_while "$chosen"
}

fault_removed() {
    begin
    touch taken
    [ -e motley.db ] && kill -0 "$motley" && touch met
    strike rm -f motley.db motley.db-wal motley.db-shm
}

# By a copy that was made before.
fault_replaced() {
    begin_measure
    sleep 0.1
    sqlite3 motley.db ".backup old.db"
    sleep "$delay"
    touch taken
    [ -s old.db ] && kill -0 "$motley" && touch met
    [ -s old.db ] && strike mv old.db motley.db
    rm -f old.db
}

# What clears up in /tmp.
fault_scratch() {
    begin
    strike rm -r tmp/motley-session-* && touch met
    sleep 0.2
    [ $((RANDOM % 2)) = 0 ] && hit KILL motley
}

# It is back for the next measurement, which asks for it.
fault_node() {
    one_of fast-1 fast-2 slow-1 slow-2
    begin
    sleep "$((RANDOM % 3))"
    kill -0 "$motley" && strike motley testbed down "$testbed" --node "$chosen" && touch met
    wait_for "$motley"
    motley testbed up "$testbed" --node "$chosen"
}

# Another motley measures into the same store, and one of them is killed.
fault_second() {
    local one
    begin
    one=$motley
    begin_measure
    sleep 0.$((RANDOM % 5))
    kill -0 "$one" && touch met
    one_of "$one" "$motley"
    strike kill -KILL "$chosen"
    wait_for "$one"
}

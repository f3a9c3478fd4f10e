# What has to be true when a fault is over. Each failure is a line in `wrong`.

# kept [WHERE]: how many different runs are in the store
kept() {
    sqlite3 motley.db "SELECT count(DISTINCT configuration || ' ' || size || ' ' || repetition)
        FROM run WHERE outcome = 'ok'"
}

all_kept() {
    [ "$(kept)" = "$runs" ]
}

# A store that is taken away when motley has kept its last run is none of its business.
was_taken_afterwards() {
    [ -e taken ] && awk '$1 == "over" { taken = 1; since = 0 } $1 == "begin" && taken { since = 1 }
        END { exit since }' ledger
}

# Times of the runs that motley has seen the end of: it began another one after them, or
# ended by itself. Not of those that were on their way while the fault came (between
# `fault` and `over`, which is longer where the machine is busy), nor of the next: that
# may be the one that was hit. Of a store that was taken away, only of those since.
finished() {
    awk -v taken="$([ -e taken ] && echo 1)" '
        function keep(id) { for (id in ended) if (!(id in excused)) sure[id] = 1; delete ended }
        $1 == "fault" { excused[current] = 1; comes = 1 }
        $1 == "over" {
            if (taken) { delete ended; delete sure }
            comes = 0; soon = 1
        }
        $1 == "begin" { keep(); current = $2; if (comes || soon) excused[current] = 1; soon = 0 }
        $1 == "end" { ended[$2] = 1 }
        $1 == "ended" { keep() }
        $1 == "killed" || $1 == "campaign" { delete ended }
        END { for (id in sure) print id }' ledger | sort
}

# Processes that have their current folder in this one.
left() {
    local folder=$PWD shell=$BASHPID
    (cd / && find /proc/[0-9]*/cwd -maxdepth 0 -lname "$folder" 2>/dev/null |
        cut -d/ -f3 | grep -v -x -e "$shell" -e "$self")
}

check_all() {
    local self=$BASHPID lost twice state pids folders tries
    state=$(sqlite3 motley.db "PRAGMA integrity_check")
    [ "$state" = ok ] || echo "the store is broken: $state" >>wrong
    all_kept || echo "$(kept) of $runs runs are kept in the end" >>wrong
    lost=$(comm -23 <(finished) <(sqlite3 motley.db "SELECT printf('%.11f', seconds) FROM run
        WHERE outcome = 'ok'" | sort))
    [ -z "$lost" ] || echo "lost: $lost" >>wrong
    twice=$(sqlite3 motley.db "SELECT configuration, size, repetition FROM run
        WHERE outcome = 'ok' GROUP BY 1, 2, 3 HAVING count(*) > 1")
    [ -z "$twice" ] || echo "twice: $twice" >>wrong
    grep '^beside' ledger >>wrong
    ls -d motley.db?* 2>/dev/null | sed 's/^/left: /' >>wrong
    for ((tries = 0; tries < 300; tries++)); do
        pids=$(left) folders=$(ls -d tmp/motley-session-* 2>/dev/null)
        [ -z "$pids$folders" ] && return
        sleep 0.1
    done
    for pid in $pids; do
        echo "left: $pid $(tr '\0' ' ' <"/proc/$pid/cmdline")"
    done >>wrong
    [ -z "$folders" ] || echo "left:" $folders >>wrong
}

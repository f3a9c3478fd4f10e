# Loaded by the tests: a made-up cluster and programs that are small shell scripts.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export TMPDIR=$BATS_TEST_TMPDIR # a motley that is killed leaves its files there
}

# A cluster whose launcher just starts the program on this machine.
write_cluster() {
    cat >cluster.yaml <<END
name: made-up
launcher: command
launch: ["{program}"]
groups:
  - name: fast
    hosts: f[1-2]
    processes: [1, 2]
  - name: slow
    hosts: s1
    processes: [1]
END
}

# write_program SCRIPT [LINE...]: ./program.sh and the program file for it. The script
# gets N and P.
write_program() {
    printf '#!/bin/sh\n%s\n' "$1" >program.sh
    chmod +x program.sh
    shift
    cat >program.yaml <<END
name: script
command: [program.sh, "{N}", "{P}"]
time: {match: '^time ([^ ]+) us', unit: us}
sizes: {measure: [100, 200]}
END
    printf '%s\n' "$@" >>program.yaml
}

# query SQL: ask the store
query() {
    sqlite3 motley.db "$1"
}

# gone PID...: none of them runs, in a while
gone() {
    for pid; do
        for _ in $(seq 300); do
            state=$(sed 's/.*) //; s/ .*//' "/proc/$pid/stat" 2>/dev/null) || continue 2
            [ "$state" = Z ] && continue 2
            sleep 0.1
        done
        echo "process $pid still runs" >&2
        return 1
    done
}

# await COMMAND...: until it succeeds, but not for ever
await() {
    for _ in $(seq 3000); do
        "$@" 2>/dev/null && return
        sleep 0.01
    done
    echo "waited in vain for: $*" >&2
    return 1
}

# Ranks that wait leave their core to others: libmotley-patient.so.

load helpers

setup() {
    unset LD_LIBRARY_PATH # meson sets it; the library must find its parts without
    cd "$BATS_TEST_TMPDIR" || return
    balance_library=$BALANCE
    BALANCE=$PRELOAD
    PRELOAD=
}

# One core that this test may use.
one_core() {
    taskset -cp $$ | sed 's/.*: *\([0-9]*\).*/\1/'
}

@test "$FAMILY: patient ranks sleep in every call that waits, and others do not" {
    start_native 2 asleep
    [[ "$stderr" == *"MPI_Recv("*"does not sleep"* ]]
    tool="env MOTLEY_PATIENT=always"
    passes 2 asleep
}

@test "$FAMILY: ranks that share a core get by without sleeping" {
    command -v taskset || skip "there is no taskset here"
    tool="taskset -c $(one_core)"
    passes 3 communicators
    start 2 asleep
    [[ "$stderr" == *"MPI_Recv("*"does not sleep"* ]]
}

# A control group of this test that has a tenth of a core, in periods of 10 ms; nothing
# where none can be made.
make_quota() {
    local cpu
    for cpu in /sys/fs/cgroup/cpu /sys/fs/cgroup; do
        group=$cpu/motley-patient-$$
        mkdir "$group" 2>/dev/null || continue
        if [ -e "$group/cpu.cfs_quota_us" ]; then
            echo 10000 >"$group/cpu.cfs_period_us" && echo 1000 >"$group/cpu.cfs_quota_us"
        else
            echo "1000 10000" >"$group/cpu.max"
        fi 2>/dev/null && return
        rmdir "$group"
    done
    group=
}

teardown() {
    [ -z "${group:-}" ] || rmdir "$group"
}

@test "$FAMILY: ranks whose quota is used up sleep" {
    make_quota
    [ -n "$group" ] || skip "no control group can be made here"
    cat >limited <<END
#!/bin/sh
echo \$\$ >$group/cgroup.procs
exec "\$@"
END
    chmod +x limited
    tool=$PWD/limited
    start 2 asleep
    # The waits in which it finds out apart.
    [ "$(grep -c "does not sleep" <<<"$stderr")" -le 8 ]
}

@test "$FAMILY: patient ranks in programs of all kinds" {
    tool="env MOTLEY_PATIENT=always"
    for program in attributes communicators errors jump threads types; do
        passes 3 $program
    done
    [ -z "$FORTRAN" ] || passes 2 use_mpi_f08
}

@test "$FAMILY: patient ranks whose broadcasts adapt" {
    BALANCE=$BALANCE:$balance_library
    balance=bcast
    tool="env MOTLEY_PATIENT=always"
    passes 3 delays
    passes 2 asleep
}

@test "$FAMILY: programs without MPI, and launchers, do not notice the library" {
    LD_PRELOAD=$BALANCE run --separate-stderr sh -c 'echo "$0"; true' text
    [ "$status" -eq 0 ]
    [ "$output" = text ]
    [ -z "$stderr" ]
    LD_PRELOAD=$BALANCE run --separate-stderr timeout 200 $MPIRUN -np 2 \
        "$PROGRAMS/communicators-$FAMILY"
    [ "$status" -eq 0 ]
    [ -z "$stderr" ]
}

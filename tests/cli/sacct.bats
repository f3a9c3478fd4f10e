# motley import of what Slurm's sacct -P prints, as it stands.

load fake

# import ARGUMENT...: into motley.db, as runs of lu on the site's two partitions
import() {
    cat >site.yaml <<END
name: site
launcher: slurm
groups:
  - {name: new, hosts: 'n[01-16].site.org', processes: [1, 64], partition: fast}
  - {name: old, hosts: 'd[1-4]', processes: [1, 2], partition: slow${cores:+, cores: $cores}}
END
    rm -f motley.db
    run --separate-stderr motley import --cluster site.yaml --program lu "$@"
    echo "$stderr"
}

# runs: what was imported, a line a run
runs() {
    query 'SELECT configuration, size, repetition, outcome, seconds, wall FROM run ORDER BY id'
}

# jobs: sacct -P -o JobID,JobName,State,Elapsed,NodeList,NTasks,AllocCPUS of the lines
jobs() {
    echo "JobID|JobName|State|Elapsed|NodeList|NTasks|AllocCPUS"
    cat
}

@test "each step of srun is a run, on the groups of its hosts" {
    jobs >jobs.txt <<'END'
101|lu-400|COMPLETED|00:10:05|n[01-02]||256
101.batch|batch|COMPLETED|00:10:05|n01|1|128
101.extern|extern|COMPLETED|00:10:05|n[01-02]|2|256
101.0|lu|COMPLETED|00:10:00|n[01-02]|128|256
101.1|lu|COMPLETED|00:09:59|n[01-02]|128|256
102|lu-800|COMPLETED|1-00:00:10|d[1-2]||4
102.0|lu|COMPLETED|1-00:00:01|d[1-2]|4|4
END
    import jobs.txt
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$output" = "imported 3 runs into 'motley.db'" ]
    [ "$(runs)" = "new:2x64|400.0|1|ok|600.0|600.0
new:2x64|400.0|2|ok|599.0|599.0
old:2x2|800.0|1|ok|86401.0|86401.0" ]
    [ "$(query 'SELECT DISTINCT launcher FROM run')" = slurm ]
}

@test "ElapsedRaw and full names of hosts; a job on both partitions is a mixed run" {
    cat >jobs.txt <<'END'
JobID|JobName|State|ElapsedRaw|NodeList|NTasks
7+0|lu_400|COMPLETED|20|n[01-02].site.org|
7+0.batch|batch|COMPLETED|20|n01.site.org|1
7+0.0|xlu|COMPLETED|19|n[01-02].site.org|4
7+1|lu_400|COMPLETED|20|d3.site.org|
7+1.0|xlu|COMPLETED|18|d3.site.org|1
8|lu=500|COMPLETED|5|n01,d[1-2]|
8.0|xlu|COMPLETED|4|n01,d[1-2]|6
END
    import jobs.txt
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$(runs)" = "new:2x2+old:1x1|400.0|1|ok|19.0|19.0
new:1x2+old:2x2|500.0|1|ok|4.0|4.0" ]
}

@test "what was cancelled, failed or ran out of time is a failed run" {
    jobs >jobs.txt <<'END'
1|lu-400|TIMEOUT|00:01:00|n01||2
1.batch|batch|CANCELLED|00:01:01|n01|1|2
1.0|lu|CANCELLED|00:01:00|n01|2|2
2|lu-400|FAILED|00:00:07|n01||2
2.0|lu|FAILED|00:00:06|n01|2|2
3|lu-400|CANCELLED by 1000|00:00:08|n01||2
3.0|lu|CANCELLED by 1000|00:00:08|n01|2|2
4|lu-400|OUT_OF_MEMORY|00:00:09|n01||2
4.0|lu|OUT_OF_MEMORY|00:00:09|n01|2|2
5_2|lu-400|NODE_FAIL|00:00:10|n01||2
5_2.0|lu|NODE_FAIL|00:00:10|n01|2|2
6+0|lu-400|FAILED|00:00:11|n01||2
6+0.0|lu|COMPLETED|00:00:11|n01|2|2
6+1|lu-400|FAILED|00:00:11|d1||1
6+1.0|lu|FAILED|00:00:11|d1|1|1
END
    import jobs.txt
    [ "$status" = 0 ]
    [ "$(runs)" = "new:1x2|400.0|1|timeout||60.0
new:1x2|400.0|2|failed||6.0
new:1x2|400.0|3|failed||8.0
new:1x2|400.0|4|failed||9.0
new:1x2|400.0|5|failed||10.0
new:1x2+old:1x1|400.0|1|failed||11.0" ]
    [ "$(query 'SELECT reason FROM run WHERE id = 3')" = "Slurm: CANCELLED by 1000" ]
    sed -i 's/NODE_FAIL|00:00:10|n01|2/BROKEN|00:00:10|n01|2/' jobs.txt
    import jobs.txt
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: jobs.txt:12: State: "*"'BROKEN'"* ]]
    [ ! -e motley.db ]
}

@test "what is no run is left out, counted, with its first line" {
    jobs >jobs.txt <<'END'
1|lu-400|RUNNING|00:01:00|n01||2
1.0|lu|RUNNING|00:01:00|n01|2|2
2|lu-400|PENDING|00:00:00|None assigned||2
3_[4-9]|lu-400|PENDING|00:00:00|||2
4|lu-400|COMPLETED|00:01:00|z[1-2]||4
4.0|lu|COMPLETED|00:01:00|z[1-2]|4|4
5|lu-400|COMPLETED|00:01:00|n[01-02]||4
5.0|lu|COMPLETED|00:01:00|n[01-02]|3|4
6|bash|COMPLETED|00:01:00|n01||4
6.0|lu|COMPLETED|00:01:00|n01|1|4
7|n400_p16|COMPLETED|00:01:00|n01||4
7.0|lu|COMPLETED|00:01:00|n01|1|4
8|lu-400|COMPLETED|00:01:00|n01||4
9|lu-400|COMPLETED|00:01:00|n[01-02]||4
9.0|orted|COMPLETED|00:01:00|n02|1|4
10|lu-400|COMPLETED|00:00:00|n01||4
10.0|lu|COMPLETED|00:00:00|n01|1|4
11|lu-400|COMPLETED|00:01:00|n01||4
11.0|hostname|COMPLETED|00:00:01|n01|1|4
11.1|lu|COMPLETED|00:00:59|n01|4|4
END
    import jobs.txt
    [ "$status" = 0 ]
    [ "$(runs)" = "new:1x4|400.0|1|ok|59.0|59.0" ]
    [ "$stderr" = "motley: 'jobs.txt': left out, from line 3 on: 4 not ended, never started, or over within a second
motley: 'jobs.txt': left out, from line 7 on: 1 on nodes that are in no group of the cluster file
motley: 'jobs.txt': left out, from line 14 on: 2 without NTasks, as under mpirun: give '--columns ppn=PROCESSES'
motley: 'jobs.txt': left out, from line 9 on: 1 with unequal numbers of processes on their nodes
motley: 'jobs.txt': left out, from line 11 on: 2 without one number in JobName, the size: give '--columns size=COLUMN'" ]
}

@test "Slurm fills nodes of several groups unequally when the smaller ones lack the cores" {
    jobs >jobs.txt <<'END'
1|lu-400|COMPLETED|00:01:00|n01,d1||40
1.0|lu|COMPLETED|00:01:00|n01,d1|40|40
2|lu-400|COMPLETED|00:01:00|n01,d1||16
2.0|lu|COMPLETED|00:01:00|n01,d1|16|16
3|lu-400|COMPLETED|00:01:00|d[1-2]||40
3.0|lu|COMPLETED|00:01:00|d[1-2]|40|40
END
    import jobs.txt
    [ "$(runs)" = "new:1x20+old:1x20|400.0|1|ok|60.0|60.0
new:1x8+old:1x8|400.0|1|ok|60.0|60.0
old:2x20|400.0|1|ok|60.0|60.0" ]
    cores=8 import jobs.txt
    [ "$(runs)" = "new:1x8+old:1x8|400.0|1|ok|60.0|60.0
old:2x20|400.0|1|ok|60.0|60.0" ]
    [ "$stderr" = "motley: 'jobs.txt': left out, from line 3 on: 1 with unequal numbers of processes on their nodes" ]
}

@test "the size is the only word of the name that is a number" {
    id=0
    for name in cp2k-400 400.lu2 lu-2k cp2k lu3 lu-400-3 400; do
        printf '%d|%s|COMPLETED|00:01:00|n01||2\n' $((++id)) "$name"
        printf '%d.0|lu|COMPLETED|00:01:00|n01|2|2\n' $id
    done | jobs >jobs.txt
    import jobs.txt
    [ "$(query 'SELECT count(*), min(size), max(size) FROM run')" = "3|400.0|400.0" ]
    [ "$stderr" = "motley: 'jobs.txt': left out, from line 7 on: 4 without one number in JobName, the size: give '--columns size=COLUMN'" ]
}

@test "sacct -D: a job that Slurm started anew has a run each time" {
    jobs >jobs.txt <<'END'
9|lu-400|NODE_FAIL|00:00:30|n01||2
9.batch|batch|CANCELLED|00:00:30|n01|1|2
9.0|lu|NODE_FAIL|00:00:29|n01|2|2
9|lu-400|COMPLETED|00:01:01|n02||2
9.batch|batch|COMPLETED|00:01:01|n02|1|2
9.0|lu|COMPLETED|00:01:00|n02|2|2
9.1|lu|COMPLETED|00:00:58|n02|2|2
END
    import jobs.txt
    [ "$(runs)" = "new:1x2|400.0|1|failed||29.0
new:1x2|400.0|2|ok|60.0|60.0
new:1x2|400.0|3|ok|58.0|58.0" ]
}

@test "--columns: the size, and the processes per node of mpirun" {
    jobs >jobs.txt <<'END'
8|lu-400|COMPLETED|00:01:00|n01||4
9|lu|COMPLETED|00:02:00|n[01-02]||4
9.0|orted|COMPLETED|00:01:40|n02|1|4
END
    import --columns size=100,ppn=2 jobs.txt
    [ "$status" = 0 ]
    [ "$(runs)" = "new:1x2|100.0|1|ok|60.0|60.0
new:2x2|100.0|1|ok|100.0|100.0" ]
    import --columns size=AllocCPUS,ppn=2 jobs.txt
    [ "$(query 'SELECT DISTINCT size FROM run')" = 4.0 ]
    import --columns size=100,repetition=3 jobs.txt
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: jobs.txt:1: --columns says only size and ppn "* ]]
}

@test "steps are no runs beside their job where each row is one" {
    jobs >jobs.txt <<'END'
9|lu-400|COMPLETED|00:01:00|n[01-02]||4
9.batch|batch|COMPLETED|00:01:00|n01|1|2
9.0|lu|COMPLETED|00:00:59|n[01-02]|4|4
END
    rules=size=400,seconds=Elapsed,ranks=AllocCPUS,hosts=NodeList
    import --columns $rules jobs.txt
    [ "$status" = 2 ]
    [[ "$stderr" = *"motley: jobs.txt:3: JobID: '9.batch' is a step of a job, not a run of its own: let sacct print jobs alone, by -X, or choose rows by --where" ]]
    [ ! -e motley.db ]
    sed -i /batch/d jobs.txt
    import --columns $rules jobs.txt
    [[ "$stderr" = *"motley: jobs.txt:3: JobID: '9.0' is a step "* ]]
    import --columns $rules --where JobName=lu jobs.txt
    [ "$(query 'SELECT configuration, seconds FROM run')" = "new:2x2|59.0" ]
    sed -i 's/9.0/9.server/' jobs.txt
    import --columns $rules jobs.txt
    [[ "$output" = "imported 2 runs into "* ]]
}

@test "sacct's table without the cluster's file, or that is broken" {
    jobs >jobs.txt <<<'8|lu-400|COMPLETED|00:01:00|n01||4'
    run --separate-stderr motley import --cluster site --program lu jobs.txt
    [ "$status" = 2 ]
    [ "$stderr" = "motley: jobs.txt:1: the hosts say which group ran: give the cluster's file, '--cluster FILE'" ]
    jobs >jobs.txt <<<'8|lu-400|COMPLETED|00:xx:00|n01||4'
    import jobs.txt
    [[ "$stderr" = "motley: jobs.txt:2: Elapsed: no time: '00:xx:00' (write h:mm:ss)" ]]
    sed 's/Elapsed/Timelimit/' jobs.txt >limits.txt
    import limits.txt
    [ "$stderr" = "motley: limits.txt:1: which column is the time is not said: add Elapsed to -o of sacct" ]
    for tasks in -4 x 4x; do
        jobs >jobs.txt <<<"8.0|lu-400|COMPLETED|00:01:00|n01|$tasks|4"
        import jobs.txt
        [ "$stderr" = "motley: jobs.txt:2: NTasks: no number: '$tasks'" ]
    done
    jobs >jobs.txt <<<'8|lu-400|COMPLETED|00:01:00|n[01||4'
    import --columns ppn=1 jobs.txt
    [[ "$stderr" = "motley: jobs.txt:2: NodeList: "* ]]
    jobs >jobs.txt <<<'8|lu-400|COMPLETED|00:01:00'
    import jobs.txt
    [[ "$stderr" = "motley: jobs.txt:2: 4 cells, but the first line has 7 columns" ]]
}

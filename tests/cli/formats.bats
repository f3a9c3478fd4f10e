# motley import: each kind of file that motley-import(1) lists, by the smallest of it.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# import ARGUMENT...: into new.db, as runs of lu on the lab
import() {
    rm -f new.db
    run --separate-stderr motley import --db new.db --cluster lab --program lu "$@"
}

# imported: what was imported, a run a line
imported() {
    [ "$status" = 0 ] || echo "$stderr"
    motley show --db new.db --json runs |
        jq -r '.runs[] | "\(.configuration) \(.size) \(.outcome) \(.seconds // "-")"'
}

# refused WORDS: nothing is imported, and the message is that
refused() {
    echo "$stderr"
    [ "$status" = 2 ]
    [ "${stderr_lines[-1]}" = "motley: $1" ]
    [ ! -e new.db ]
}

@test "times: hours, days, units" {
    cat >times.csv <<'END'
size,nodes,ppn,seconds
1,1,2,1:02:03
2,1,2,1-00:00:01
3,1,2,28.5s
4,1,2,12 min
5,1,2,1 h 30 min
6,1,2,00:00:01.250
7,1,2,1h30m
8,1,2,1m40.5s
9,1,2,3 m
END
    import --group xeon times.csv
    [ "$(imported)" = "xeon:1x2 1 ok 3723
xeon:1x2 2 ok 86401
xeon:1x2 3 ok 28.5
xeon:1x2 4 ok 720
xeon:1x2 5 ok 5400
xeon:1x2 6 ok 1.25
xeon:1x2 7 ok 5400
xeon:1x2 8 ok 100.5
xeon:1x2 9 ok 180" ]
    printf 'size,nodes,ppn,seconds\n1,1,2,1m2h\n' >order.csv
    import --group xeon order.csv
    refused "order.csv:2: column 'seconds': no time: '1m2h'"
    printf 'size,nodes,ppn,t\n1,1,2,12:34\n' >short.csv
    import --group xeon --columns size,nodes,ppn,seconds=t short.csv
    refused "short.csv:2: column 't': no time: '12:34' (write h:mm:ss)"
    printf 'size,nodes,ppn,seconds\n1,1,2,5 MB\n' >unit.csv
    import --group xeon unit.csv
    refused "unit.csv:2: column 'seconds': no time: '5 MB'"
}

@test "Markdown, with text around the table" {
    cat >runs.md <<'END'
# Runs

| nodes |  size | seconds |
|------:|:-----:|---------|
|     1 |   400 | 1.5     |
|     2 |   400 | 0.8     |

All by hand.
END
    import --group xeon:x2 runs.md
    [ "$(imported)" = "xeon:1x2 400 ok 1.5
xeon:2x2 400 ok 0.8" ]
}

@test "a table with bars and rules" {
    printf 'nodes | n   | time\n------+-----+-----\n 1    | 400 | 1.5\n(1 row)\n' >table.txt
    import --group xeon:x2 --columns nodes,size=n,seconds=time table.txt
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
}

@test "long form: a column of names and one of values" {
    cat >long.csv <<'END'
n,nodes,metric,value
400,1,wall_time,1.5
400,1,bandwidth,7e9
400,2,wall_time,0.8
400,2,bandwidth,8e9
END
    import --group xeon:x2 --columns size=n,nodes,seconds=value --where metric=wall_time long.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5
xeon:2x2 400 ok 0.8" ]
    [ -z "$stderr" ]
    import --group xeon:x2 --columns size=n,nodes,seconds=value --where metric=energy long.csv
    refused "long.csv: in none of 4 rows is metric=energy"
    import --group xeon:x2 --columns size=n,nodes,seconds=value --where unit=s long.csv
    refused "long.csv:1: no column 'unit'; there are: n, nodes, metric, value"
    import --group xeon:x2 --where metric long.csv
    refused "--where takes COLUMN=VALUE, at most 4 of them: 'metric'"
}

@test "rates: by the work in the file, by that of the program, and as speed" {
    printf 'n,nodes,ops,Gflops\n100,1,4e9,2\n100,2,4e9,4\n' >rates.csv
    import --group xeon:x2 --columns size=n,nodes,rate=Gflops:Gflop/s,work=ops rates.csv
    [ "$(imported)" = "xeon:1x2 100 ok 2
xeon:2x2 100 ok 1" ]
    printf '%s\n' 'name: lu' 'work: N^2 * 1e5' 'command: [lu, "{N}"]' 'time: wall' 'sizes: {measure: [100], plan: [100]}' >lu.yaml
    run --separate-stderr motley import --db work.db --cluster lab --program ./lu.yaml \
        --group xeon:x2 --columns size=n,nodes,rate=Gflops:Gf,ignore=ops rates.csv
    [ "$status" = 0 ]
    [ "$stderr" = "motley: each run's time is the program's work, in FLOP, over the rate" ]
    [ "$(sqlite3 work.db 'SELECT seconds FROM run' | xargs)" = "0.5 0.25" ]
    run --separate-stderr motley import --db speed.db --cluster lab --program mine \
        --group xeon:x2 --columns size=n,nodes,rate=Gflops,ignore=ops rates.csv
    [ "$stderr" = "motley: no work is known: each run's time is 1 / rate" ]
    [ "$(sqlite3 speed.db 'SELECT seconds FROM run' | xargs)" = "0.5 0.25" ]
    import --group xeon:x2 --columns size=n,nodes,rate=Gflops,seconds=ops rates.csv
    refused "rates.csv:1: seconds and a rate: take one"
    sed -i 's/,4$/,0/' rates.csv
    import --group xeon:x2 --columns size=n,nodes,rate=Gflops,work=ops rates.csv
    refused "rates.csv:3: rate (Gflops) is no number above 0: '0'"
}

@test "threads and GPUs of each process" {
    printf 'size,nodes,ppn,threads,gpus,seconds\n400,1,2,4,1,1.5\n400,1,2,1,,2\n' >hybrid.csv
    import --group xeon hybrid.csv
    [ "$(imported)" = "xeon:1x2t4g1 400 ok 1.5
xeon:1x2 400 ok 2" ]
    import --group xeon --columns 'size,nodes,ppn,threads,gpus=threads/ppn,seconds' hybrid.csv
    refused "hybrid.csv:3: gpus (threads/ppn) is no whole number above 0: '0.5'"
}

@test "hosts: the groups by the cluster's file" {
    mkdir clusters
    cat >clusters/lab.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: fast, hosts: "f[1-4]", processes: [1, 2]}
  - {name: slow, hosts: "s[1-4]", processes: [1, 2]}
END
    printf 'size;ranks;hosts;seconds\n400;4;f[1-2];1.5\n400;6;s1,f3,f4;1\n' >hosts.csv
    import hosts.csv
    [ "$(imported)" = "fast:2x2 400 ok 1.5
fast:2x2+slow:1x2 400 ok 1" ]
    sed -i s/s1/x1/ hosts.csv
    import hosts.csv
    refused "hosts.csv:3: column 'hosts': host 'x1' is in no group of 'lab'"
    rm -r clusters
    import hosts.csv
    refused "hosts.csv:2: to know the groups of hosts, give the cluster's file: '--cluster FILE'"
}

@test "products, and marks between thousands" {
    cat >numbers.csv <<'END'
size;ranks;seconds
64x64x32;2x2;1
2 x 3;4;1
"1,234,567";4;1
1'024;4;1
1 024.5;4;1
1.234.567;4;1
END
    import --group xeon:x2 numbers.csv
    [ "$(imported | cut -d ' ' -f 1,2)" = "xeon:2x2 131072
xeon:2x2 6
xeon:2x2 1234567
xeon:2x2 1024
xeon:2x2 1024.5
xeon:2x2 1234567" ]
    printf 'size;ranks;seconds\n1,234;4;1\n' >comma.csv
    import --group xeon:x2 comma.csv
    refused "comma.csv:2: column 'size': no number: '1,234' (a point stands before fractions, and no comma in 1234)"
    printf 'size;ranks;seconds\n64x;4;1\n' >cut.csv
    import --group xeon:x2 cut.csv
    refused "cut.csv:2: column 'size': no number: '64x'"
}

@test "an empty cell skips the run, and is counted" {
    printf 'size,nodes,seconds\n400,1,1.5\n400,2,\n,2,1\n400,-,1\n400,4,NA\n' >holes.csv
    import --group xeon:x2 holes.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
    [ "$stderr" = "motley: rows of 'holes.csv' skipped for an empty cell: 4 (first: line 3, column 'seconds')" ]
}

@test "a state that is not known is an error" {
    printf 'size,nodes,State,seconds\n400,1,COMPLETED,1.5\n400,2,CANCELLED by 7,2\n400,2,RUNNING,2\n' >states.csv
    import --group xeon:x2 --columns size,nodes,seconds states.csv
    refused "states.csv:4: column 'State': unknown outcome 'RUNNING': one of ok, failed, signalled, timeout, unread, or a word of Slurm or ReFrame; 'ignore=COLUMN' in --columns leaves the column out"
    sed -i '$d' states.csv
    import --group xeon:x2 --columns size,nodes,seconds states.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5
xeon:2x2 400 failed -" ]
    # with columns of our names, and blanks
    printf 'size,nodes,seconds,State\n400, 1, 1.5, COMPLETED \n400, 2, 9, TIMEOUT\n400,4,1,\n' >blanks.csv
    import --group xeon:x2 blanks.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5
xeon:2x2 400 timeout -" ]
    [ "$stderr" = "motley: rows of 'blanks.csv' skipped for an empty cell: 1 (line 4, column 'State')" ]
}

@test "a column of numbers is no outcome unless it is said to be" {
    printf 'size,nodes,seconds,result\n400,1,1.5,42\n' >sums.csv
    import --group xeon:x2 sums.csv
    refused "sums.csv:2: column 'result': is '42' an exit status? say 'outcome=result' in --columns, or 'ignore=result'"
    import --group xeon:x2 --columns size,nodes,seconds,ignore=result sums.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
    import --group xeon:x2 --columns size,nodes,seconds,outcome=result sums.csv
    [ "$(imported)" = "xeon:1x2 400 failed -" ]
}

@test "no GPUs are a number of GPUs; no host is an empty cell" {
    printf 'size,nodes,ppn,gpus,seconds\n400,1,2,0,1.5\n400,1,2,1,1\n' >gpus.csv
    import --group xeon gpus.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5
xeon:1x2g1 400 ok 1" ]
    printf 'name: lab\nlauncher: openmpi\ngroups:\n  - {name: xeon, hosts: "x[1-4]", processes: [2]}\n  - {name: old, hosts: "o[1-4]", processes: [2]}\n' >lab.yaml
    printf 'size,hosts,ppn,seconds\n400,x1,2,1.5\n400,,2,1\n' >hosts.csv
    rm -f new.db
    run --separate-stderr motley import --db new.db --cluster lab.yaml --program lu hosts.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
    [ "$stderr" = "motley: rows of 'hosts.csv' skipped for an empty cell: 1 (line 3, column 'hosts')" ]
}

@test "a comment about a benchmark makes no log" {
    printf '# runs of HPLinpack 2.3\nsize,nodes,seconds\n400,1,1.5\n' >comment.csv
    import --group xeon:x2 comment.csv
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
}

@test "HPL: several results in one output" {
    cat >hpl.out <<'END'
================================================================================
HPLinpack 2.3  --  High-Performance Linpack benchmark  --   December 2, 2018
================================================================================
T/V                N    NB     P     Q               Time                 Gflops
--------------------------------------------------------------------------------
WR11C2R4       10000   192     2     2              12.50             5.3346e+01
HPL_pdgesv() start time Mon Nov  2 10:00:00 2026
--------------------------------------------------------------------------------
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   2.19041172e-03 ...... PASSED
================================================================================
T/V                N    NB     P     Q               Time                 Gflops
--------------------------------------------------------------------------------
WR11C2R4       20000   192     2     4              50.25             1.06692e+02
--------------------------------------------------------------------------------
||Ax-b||_oo/(eps*(||A||_oo*||x||_oo+||b||_oo)*N)=   2.19041172e+03 ...... FAILED
END
    import --group xeon:x2 hpl.out
    [ "$(imported)" = "xeon:2x2 10000 ok 12.5
xeon:4x2 20000 failed -" ]
    import --group xeon:x2 --columns rate=Gflops:Gf,work=53.346e9,ignore=outcome hpl.out
    [ "$(imported)" = "xeon:2x2 10000 ok 1
xeon:4x2 20000 ok 0.5" ]
}

@test "NPB: the end of its output" {
    cat >lu.log <<'END'

 LU Benchmark Completed.
 Class           =                        C
 Size            =            162x 162x 162
 Iterations      =                      250
 Time in seconds =                    35.56
 Total processes =                       16
 Active processes=                       16
 Mop/s total     =                 57331.36
 Mop/s/process   =                  3583.21
 Operation type  =           floating point
 Verification    =               SUCCESSFUL
 Version         =                    3.4.2
END
    cat lu.log lu.log | sed '18,$s/35.56/35.75/' >two.log
    import --group xeon:x8 two.log
    [ "$(imported)" = "xeon:2x8 4251528 ok 35.56
xeon:2x8 4251528 ok 35.75" ]
    sed -i 's/35.56/ab.cd/' lu.log
    import --group xeon:x8 lu.log
    refused "lu.log:12: column 'Time in seconds': no time: 'ab.cd'"
}

@test "GROMACS: the end of md.log, or all of it" {
    cat >tail.log <<'END'
               Core t (s)   Wall t (s)        (%)
       Time:     1904.055      239.372      795.4
                 (ns/day)    (hour/ns)
Performance:       36.095        0.665
END
    import --group xeon:x4 --columns size=81743,ranks=8 tail.log
    [ "$(imported)" = "xeon:2x4 81743 ok 239.372" ]
    import --group xeon:x4 --columns size=81743,ranks=8,rate=ns/day:ns/day,work=0.1 tail.log
    [ "$(imported | cut -c 1-27)" = "xeon:2x4 81743 ok 239.36833" ]
    {
        printf '%s\n' '      :-) GROMACS - gmx mdrun, 2023.3 (-:' '' \
            'Running on 2 nodes with total 16 cores, 16 processing units' \
            'Using 8 MPI processes' 'Using 2 OpenMP threads per MPI process' \
            '   There are: 81743 Atoms'
        cat tail.log
    } >md.log
    import --group xeon md.log
    [ "$(imported)" = "xeon:2x4t2 81743 ok 239.372" ]
}

@test "hyperfine: JSON, a run for each time" {
    cat >hyperfine.json <<'END'
{"results": [{"command": "mpirun -np 4 lu 400", "mean": 0.3, "median": 0.3,
  "times": [0.275, 0.325], "exit_codes": [0, 3], "parameters": {"np": "4", "n": "400"}}]}
END
    import --group xeon:x2 --columns size=n,ranks=np hyperfine.json
    [ "$(imported)" = "xeon:2x2 400 ok 0.275
xeon:2x2 400 failed -" ]
    import --group xeon:x2 --columns size=n,ranks=mean hyperfine.json
    refused "hyperfine.json: run 1: ranks (mean) is no whole number above 0: '0.3'"
}

@test "ReFrame: reports, old and new" {
    cat >new.json <<'END'
{"session_info": {"data_version": "4.0"}, "runs": [{"testcases": [
 {"n": 400, "num_tasks": 4, "num_tasks_per_node": 2, "partition": "xeon", "result": "pass",
  "perfvalues": {"lab:xeon:time": [0.275, 0, null, null, "s"],
                 "lab:xeon:speed": [7.5, 0, null, null, "GB/s"]}},
 {"n": 400, "num_tasks": 4, "num_tasks_per_node": 2, "partition": "xeon", "result": "fail",
  "perfvalues": {"lab:xeon:time": [null, 0, null, null, "s"]}},
 {"n": 800, "num_tasks": 4, "num_tasks_per_node": 2, "partition": "xeon", "result": "fail",
  "perfvalues": {}}]}]}
END
    cat >old.json <<'END'
{"session_info": {"data_version": "2.0"}, "runs": [{"testcases": [
 {"check_params": {"n": 400}, "check_vars": {"num_tasks": 4, "num_tasks_per_node": 2},
  "partition": "xeon", "result": "success",
  "perfvars": [{"name": "time", "value": 275, "unit": "ms"}]}]}]}
END
    import --columns size=n,group=partition --where perf.name=time new.json
    [ "$(imported)" = "xeon:2x2 400 ok 0.275
xeon:2x2 400 failed -
xeon:2x2 800 failed -" ]
    import --columns size=n,group=partition new.json
    refused "new.json: which result is the time is not said: give '--where perf.name=NAME'"
    import --columns size=n,group=partition --where perf.name=speed new.json
    refused "new.json: run 2: column 'perf.value': no time: '7.5 GB/s'"
    import --columns size=n,group=partition,rate=perf.value,work=15e9 --where perf.name=speed new.json
    [ "$(imported)" = "xeon:2x2 400 ok 2
xeon:2x2 800 failed -" ]
    import --columns size=n,group=partition --where perf.name=time old.json
    [ "$(imported)" = "xeon:2x2 400 ok 0.275" ]
}

@test "from a pipe" {
    import --group xeon:x2 /dev/stdin <<<$'size,nodes,seconds\n400,1,1.5'
    [ "$(imported)" = "xeon:1x2 400 ok 1.5" ]
}

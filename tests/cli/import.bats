# motley import of files that were not written for motley.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

# import ARGUMENT...: into new.db, as runs of lu on the lab
import() {
    run --separate-stderr motley import --db new.db --cluster lab --program lu "$@"
}

# runs: what was imported, a line a run
runs() {
    motley show --db new.db --json runs |
        jq -r '.runs[] | "\(.configuration) \(.size) \(.repetition) \(.seconds)"'
}

# refused WORDS: nothing is imported, and the message is that
refused() {
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: "*"$1"* ]]
    [ ! -e new.db ]
}

# As hyperfine --export-csv writes it: -L np 1,2,4 -L n 400,800
hyperfine() {
    cat >hyperfine.csv <<'END'
command,mean,stddev,median,user,system,min,max,parameter_np,parameter_n
mpirun -np 1 lu 400,0.512,0.011,0.5,0.49,0.01,0.497,0.540,1,400
mpirun -np 2 lu 400,0.275,0.008,0.25,0.50,0.03,0.249,0.301,2,400
mpirun -np 4 lu 800,1.101,0.021,1.125,4.20,0.11,1.084,1.139,4,800
END
}

@test "hyperfine: columns by the names that it gives them" {
    hyperfine
    import --group xeon:x1 --columns size=parameter_n,seconds=median,ranks=parameter_np hyperfine.csv
    [ "$status" = 0 ]
    [ "$output" = "imported 3 runs into 'new.db'" ]
    [ "$stderr" = "motley: columns of 'hyperfine.csv' ignored: command, mean, stddev, user, system, min, max" ]
    [ "$(runs)" = "xeon:1x1 400 1 0.5
xeon:2x1 400 1 0.25
xeon:4x1 800 1 1.125" ]
}

@test "hyperfine: without --columns it says what is missing" {
    hyperfine
    import hyperfine.csv
    refused "hyperfine.csv:1: which column is the size is not said: give '--columns size=NAME,...'"
    import --columns size=n,seconds=median hyperfine.csv
    refused "hyperfine.csv:1: no column 'n'; there are: command, mean, stddev, median, "
    import --columns size=parameter_n,seconds=median hyperfine.csv
    refused "hyperfine.csv:1: on what the runs were made is not said: give their configuration, or two of nodes, ppn and ranks"
    import --columns size=parameter_n,seconds=median,ranks=parameter_np hyperfine.csv
    refused "hyperfine.csv:2: which group ran is not said: give '--group NAME'"
    import --columns size=parameter_n,seconds=median,ranks=parameter_np --group xeon hyperfine.csv
    refused "hyperfine.csv:2: 'xeon' does not say which group ran with how many processes per node: give '--group NAME:xM'"
    import --columns size=parameter_n,seconds=median,ranks=parameter_np --group xeon:x2 hyperfine.csv
    refused "hyperfine.csv:2: 0.5 nodes with 2 processes each are not 1 ranks"
}

# As JUBE prints a result table in the style csv.
@test "JUBE: nodes, tasks per node, milliseconds" {
    cat >jube.csv <<'END'
jube_res_analyser,nodes,taskspernode,problem size,time_ms
lu_0,1,2,400,512.5
lu_1,2,2,400,275
lu_2,2,2,400,300
END
    import --group xeon --columns 'size=problem size,seconds=time_ms:ms,nodes,ppn=taskspernode' jube.csv
    [ "$status" = 0 ]
    [ "$stderr" = "motley: columns of 'jube.csv' ignored: jube_res_analyser" ]
    [ "$(runs)" = "xeon:1x2 400 1 0.5125
xeon:2x2 400 1 0.275
xeon:2x2 400 2 0.3" ]
}

@test "JUBE: its tables as people read them, old and new" {
    printf 'result:\nnodes | ppn | n   | time\n------+-----+-----+------\n    1 |   2 | 400 |  0.5\n    2 |   2 | 400 | 0.25\n' >old.txt
    printf 'result:\n| nodes | ppn |   n | time |\n|-------|-----|-----|------|\n|     1 |   2 | 400 |  0.5 |\n|     2 |   2 | 400 | 0.25 |\n' >new.txt
    for file in old new; do
        rm -f new.db
        import --group xeon --columns size=n,seconds=time,nodes,ppn $file.txt
        [ "$status" = 0 ]
        [ -z "$stderr" ]
        [ "$(runs)" = "xeon:1x2 400 1 0.5
xeon:2x2 400 1 0.25" ]
    done
}

# outcomes: what is in the store of each run
outcomes() {
    sqlite3 new.db 'SELECT outcome, seconds FROM run ORDER BY id' | xargs
}

@test "sacct: what was cancelled or timed out is no good run" {
    cat >jobs.txt <<'END'
JobID|JobName|State|ElapsedRaw|NNodes|NTasks
1|400|COMPLETED|30|1|2
2|400|TIMEOUT|60|1|2
3|400|CANCELLED by 1000|7|1|2
4|400|NODE_FAIL|8|1|2
END
    import --group xeon --columns size=JobName,seconds=ElapsedRaw,nodes=NNodes,ranks=NTasks jobs.txt
    [ "$status" = 0 ]
    [ "$stderr" = "motley: columns of 'jobs.txt' ignored: JobID" ]
    [ "$(outcomes)" = "ok|30.0 timeout| failed| failed|" ]
    rm new.db
    sed -i 's/NODE_FAIL/RUNNING/' jobs.txt
    import --group xeon --columns size=JobName,seconds=ElapsedRaw,nodes=NNodes,ranks=NTasks jobs.txt
    refused "jobs.txt:5: "
    sed -i 's/RUNNING/COMPLETED/; s/State/Note/' jobs.txt
    import --group xeon --columns size=JobName,seconds=ElapsedRaw,nodes=NNodes,ranks=NTasks,ignore=Note jobs.txt
    [ "$(outcomes)" = "ok|30.0 ok|60.0 ok|7.0 ok|8.0" ]
}

@test "ReFrame: results, and figures that there are not" {
    cat >perf.log <<'END'
result|partition|num_tasks|num_tasks_per_node|n|perf_value|perf_unit
pass|xeon|4|2|400|0.275|s
fail|xeon|4|2|400|null|null
END
    import --columns size=n,seconds=perf_value,ranks=num_tasks,ppn=num_tasks_per_node,group=partition perf.log
    [ "$status" = 0 ]
    [ "$(outcomes)" = "ok|0.275 failed|" ]
}

@test "JSON: a value of another type than its member's is refused" {
    for member in '"cluster": 5' '"program": true' '"size": "100"' '"outcome": 1' \
        '"simulated": "true"' '"seconds": false' '"reason": []'; do
        echo "{\"runs\": [{\"configuration\": \"xeon:1x1\", $member}]}" >typed.json
        import typed.json
        key=${member%%\": *}
        refused "typed.json: run 1: ${key#\"} is of the wrong type"
    done
}

# As ReFrame's performance report has it, in the way of perflogs.
@test "ReFrame: a bar as separator, the group by its partition" {
    cat >perf.log <<'END'
job_completion_time|info|partition|num_tasks|num_tasks_per_node|n|perf_value|perf_unit
2026-11-02T10:00:01|lu %n=400|xeon|4|2|400|0.275|s
2026-11-02T10:00:09|lu %n=400|celeron|4|1|400|0.9|s
END
    import --columns size=n,seconds=perf_value,ranks=num_tasks,ppn=num_tasks_per_node,group=partition perf.log
    [ "$status" = 0 ]
    [ "$(runs)" = "xeon:2x2 400 1 0.275
celeron:4x1 400 1 0.9" ]
}

@test "other separators: semicolons, tabs and blanks are seen" {
    printf 'size;seconds;nodes;ppn\n400 ; 1.5;2; 1\n' >semicolon.csv
    printf '# by hand\nsize\tseconds\tnodes\tppn\n400\t1.5\t2\t1\n' >tab.csv
    printf '  size  seconds nodes ppn\n   400      1.5     2   1  \r\n' >blanks.csv
    for file in semicolon tab blanks; do
        rm -f new.db
        import --group xeon $file.csv
        [ "$status" = 0 ]
        [ "$(runs)" = "xeon:2x1 400 1 1.5" ]
    done
}

@test "numbers, products and units" {
    printf 'rows,cols,px,py,KiB,t\n20,20,2,3,4,1500000\n' >product.csv
    import --group xeon --columns 'size=rows*cols,seconds=t:us,ranks=px*py,ppn=3,ignore=KiB' product.csv
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "$(runs)" = "xeon:2x3 400 1 1.5" ]
    rm new.db
    import --group xeon --columns 'size=KiB:KiB,seconds=t*1e-6,nodes=px,ranks=px*py' product.csv
    [ "$(runs)" = "xeon:2x3 4096 1 1.5" ]
    rm new.db
    import --group xeon --columns 'size=rows,seconds=t,nodes=px,ranks=py' product.csv
    refused "product.csv:2: 2 nodes with 1.5 processes each are not 3 ranks"
    import --group xeon --columns 'size=rows,seconds=t,nodes=px,ppn=2,ranks=py' product.csv
    refused "product.csv:2: 2 nodes with 2 processes each are not 3 ranks"
    import --group xeon --columns 'size=rows,seconds=t,nodes=0.5*py,ppn=2' product.csv
    refused "product.csv:2: nodes (0.5*py) is no whole number above 0: '1.5'"
    import --group xeon --columns 'size=rows,seconds=t:weeks,ranks=px' product.csv
    refused "product.csv:1: no column 't:weeks'; there are: rows, cols, px, py, KiB, t"
}

@test "the only group of a cluster need not be named" {
    mkdir clusters
    printf '%s\n' 'name: lab' 'launcher: openmpi' 'groups: [{name: only, hosts: "n[1-4]", processes: [1]}]' \
        >clusters/lab.yaml
    printf 'size,seconds,nodes,ppn\n400,1.5,2,1\n' >plain.csv
    import plain.csv
    [ "$(runs)" = "only:2x1 400 1 1.5" ]
    motley import --cluster ./clusters/lab.yaml --program lu plain.csv
    [ "$(motley show --json runs | jq -r '.runs[0].cluster')" = lab ]
}

@test "what is wrong with --columns" {
    printf 'size,seconds,nodes,ppn\n400,1.5,2,1\n' >plain.csv
    import --columns sizes=size plain.csv
    refused "--columns: 'sizes' is none of size, seconds, nodes, ppn, ranks, threads, gpus, hosts, group, rate, work, ignore, or a column"
    import --columns size,size=nodes plain.csv
    refused "--columns: 'size' comes twice"
    import --columns size= plain.csv
    refused "--columns: no column stands behind 'size='"
    echo '{"runs": []}' >plain.json
    import --columns size plain.json
    refused "plain.json: --columns and --where say nothing about runs that motley exported"
    printf 'size,seconds,nodes,ppn\n400,1.5,two,1\n' >word.csv
    import --group xeon word.csv
    refused "word.csv:2: column 'nodes': no number: 'two'"
}


@test "of a long file all runs are added, or none" {
    {
        echo configuration,size,seconds
        for i in $(seq 5000); do
            echo "a:1x1,$((i % 2 + 1)),1"
        done
    } >long.csv
    { cat long.csv; echo a:1x1,1,-1; } >wrong.csv
    run motley import --db long.db --cluster lab --program toy wrong.csv
    [ "$status" -eq 2 ]
    [[ $output == *"wrong.csv:5002: seconds are not positive"* ]]
    run motley show --db long.db --json runs
    [[ $output != *'"a:1x1"'* ]]
    motley import --db long.db --cluster lab --program toy long.csv
    motley show --db long.db --json runs |
        jq -e '.runs | length == 5000 and (map(.repetition) | max) == 2500'
}

# motley show: what the store keeps, as tables and as JSON.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat > runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome,reason,simulated
lab,lu,xeon:1x1,400,0.1,ok,,true
lab,lu,xeon:1x1,400,0.2,ok,,true
lab,lu,xeon:2x1+celeron:1x1,800,,failed,exit status 3,true
hall,jacobi,old:1x1,64,12.5,ok,,false
END
    motley import runs.csv
}

@test "show runs: every run, with its source and why it failed" {
    run motley show runs
    [ "$status" = 0 ]
    [ "${#lines[@]}" = 5 ]
    [[ "${lines[0]}" =~ ^id\ +cluster\ +program\ +configuration ]]
    [[ "${lines[1]}" =~ lab.*lu.*xeon:1x1.*400\ +1\ +100.0\ ms\ +simulated\ +-\ +ok ]]
    [[ "${lines[2]}" =~ 400\ +2\ +200.0\ ms ]]
    [[ "${lines[3]}" =~ "failed: exit status 3" ]]
    [[ "${lines[4]}" =~ hall.*measured ]]
}

@test "names that the store does not know are errors, which name what is near" {
    run motley show runs lap
    [ "$status" = 1 ]
    [ "$output" = "motley: nothing of cluster 'lap' in store 'motley.db'; did you mean 'lab'?" ]
    run motley show models lab jacobi
    [ "$status" = 1 ]
    [ "$output" = "motley: nothing of program 'jacobi' in store 'motley.db'" ]
    run motley show links halls
    [ "$status" = 1 ]
    [ "$(motley show models lab lu)" = "" ]
}

@test "show runs: cluster, program, configuration, size and failure choose" {
    [ "$(motley show runs lab | wc -l)" = 4 ]
    [ "$(motley show --configuration xeon:1x1 runs | wc -l)" = 3 ]
    [ "$(motley show --size 64 runs | wc -l)" = 2 ]
    [ "$(motley show --failed runs lab lu | wc -l)" = 2 ]
}

@test "show runs --json: one object that says whether it is simulated" {
    run jq -r '.simulated, (.runs | length), .runs[2].reason, .runs[2].seconds' \
        <(motley show --json runs lab)
    [ "$output" = $'true\n3\nexit status 3\nnull' ]
    [ "$(motley show --json runs hall | jq .simulated)" = false ]
}

@test "show takes a path for the name in the file" {
    cat > mine.yaml <<'END'
name: hall
launcher: openmpi
groups:
  - {name: old, hosts: localhost, processes: [1]}
END
    [ "$(motley show runs ./mine.yaml | wc -l)" = 2 ]
    run ! motley show runs ./absent.yaml
    [[ "$output" =~ absent.yaml ]]
}

@test "show models: nothing is fitted" {
    run motley show models
    [ "$status" = 0 ]
    [ -z "$output" ]
    [ "$(motley show --json models | jq -c .fits)" = "[]" ]
}

@test "show models: what fit said, later" {
    cat > cube.yaml <<'END'
name: cube
command: [cube, "{N}"]
time: wall
sizes: {measure: [10, 20]}
terms: {n-t: "N^3, 1"}
END
    cat > box.yaml <<'END'
name: box
launcher: openmpi
groups:
  - {name: old, hosts: localhost, processes: [1]}
END
    cat > cube.csv <<'END'
cluster,program,configuration,size,seconds
box,cube,old:1x1,10,2.5
box,cube,old:1x1,20,9.5
box,cube,old:1x1,30,28.5
END
    motley import --db cube.db cube.csv
    fitted=$(motley fit --db cube.db --model n-t ./box.yaml ./cube.yaml)
    [[ "$fitted" =~ "n-t models of cube on box" ]]
    [[ "$fitted" =~ "0.001 * N^3 + 1.5" ]]
    [ "$(motley show --db cube.db models)" = "$fitted" ]
    run jq -c '.simulated, (.fits[] | [.cluster, .model, .models[0].runs, .newest_run])' \
        <(motley show --db cube.db --json models box cube)
    [ "$output" = $'false\n["box","n-t",3,3]' ]
}

@test "show: wrong words are usage errors" {
    run motley show
    [ "$status" = 2 ]
    run motley show plans
    [ "$status" = 2 ]
    [[ "$output" =~ "'plans'" ]]
    run motley show runs lab lu more
    [ "$status" = 2 ]
    run motley show --failed models
    [ "$status" = 2 ]
}

@test "show without a store says so and makes none" {
    run motley show --db other.db runs
    [ "$status" = 1 ]
    [[ "$output" = "motley: no store 'other.db'"* ]]
    [ ! -e other.db ]
}

@test "show does not touch a file that is not a store" {
    echo "somebody's notes" > notes.txt
    run motley show --db notes.txt runs
    [ "$status" = 2 ]
    [[ "$output" =~ "not a store of motley: 'notes.txt'" ]]
    [ "$(cat notes.txt)" = "somebody's notes" ]
}

@test "of very many runs the newest are shown, and that there are more is said" {
    awk 'BEGIN {print "cluster,program,configuration,size,seconds,outcome"
        for (i = 1; i <= 10001; i++) printf "lab,ring,g:1x1,%d,1,ok\n", i}' >many.csv
    motley import --db many.db many.csv
    run --separate-stderr motley show --db many.db runs
    [ "$status" = 0 ]
    [ "${#lines[@]}" = 10001 ]
    [[ "${lines[1]}" = *" 2 "* && "${lines[10000]}" = *" 10001 "* ]]
    [ "$stderr" = "motley: only the newest 10000 runs are shown; 'motley export' writes all" ]
    [ "$(motley show --db many.db --json runs | jq '.runs | length')" = 10001 ]
}

@test "of very many reports, too" {
    awk 'BEGIN {print "cluster,program,configuration,size,seconds,outcome"
        print "lab,ring,g:1x1,1,1,ok"}' >one.csv
    motley import --db many.db one.csv
    local report='{"sites":[],"program":{"kind":"program","size":1,"simulated":false,"nodes":1,"rank_seconds":1,"seconds":1,"waiting_seconds":0,"verdict":"nobody","findings":[],"ranks":[]}}'
    sqlite3 many.db "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10001)
        INSERT INTO lateness (cluster, program, configuration, size, simulated, started, report)
        SELECT 'lab', 'ring', 'g:1x1', i, 0, i, '$report' FROM n"
    run --separate-stderr motley show --db many.db --list lateness
    [ "$status" = 0 ]
    [ "${#lines[@]}" = 10001 ]
    [[ "${lines[1]}" = *" 10001 "* && "${lines[10000]}" = *" 2 "* ]]
    [ "$stderr" = "motley: only the newest 10000 reports are shown; --json writes all" ]
    [ "$(motley show --db many.db --list --json lateness | jq '.reports | length')" = 10001 ]
}

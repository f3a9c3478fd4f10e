# motley export and motley import.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    cat > runs.csv <<'END'
cluster,program,configuration,size,repetition,outcome,seconds,wall,exit_code,signal,reason,launcher,simulated,started,output
lab,lu,xeon:1x1,400,1,ok,0.1,0.5,0,0,,smpi,true,1763724000,time 0.1 s
lab,lu,xeon:2x1,400,1,ok,0.05,0.5,0,0,,smpi,true,1763724001,
lab,lu,xeon:2x1,400,2,ok,0.30000000000000004,0.5,0,0,,smpi,true,1763724002,
lab,lu,xeon:1x2,400,1,ok,0.06,0.5,0,0,,smpi,true,1763724003,
lab,lu,celeron:2x1,400,1,ok,0.9,0.5,0,0,,smpi,true,1763724004,
lab,lu,celeron:2x1,800,1,ok,6.5,0.5,0,0,,smpi,true,1763724005,
lab,lu,xeon:2x1+celeron:1x1,800,1,failed,,2,3,0,"exit status 3, ""bad""",smpi,true,1763724006,"line 1
line 2, end"
END
    motley import runs.csv
}

# import FORMAT FILE: into a store of its own; then export it again.
import_export() {
    motley import --db "$1.db" --cluster lab --program lu "$2"
    motley export --db "$1.db" --format "$1" lab lu
}

# refuse FORMAT LINE WORDS: standard input is refused with the line (if not '-') and the
# words, and nothing of it is imported.
refuse() {
    cat > bad
    run motley import --db new.db --cluster lab --program lu bad
    [ "$status" = 2 ]
    if [ "$2" = - ]; then
        [[ "$output" = "motley: bad: "*"$3"* ]]
    else
        [[ "$output" = "motley: bad:$2: "*"$3"* ]]
    fi
    [ ! -e new.db ]
}

@test "CSV: everything comes back as it was" {
    motley export lab lu | cmp - runs.csv
}

@test "CSV: a mark of UTF-8 and line ends as spreadsheets write them" {
    printf '\357\273\277cluster,program,configuration,size,seconds\r\nlab,lu,xeon:1x1,1,2\r\n' \
        > sheet.csv
    motley import --db sheet.db sheet.csv
    [ "$(motley show --db sheet.db --json runs | jq -c '.runs[0] | [.cluster, .seconds]')" = '["lab",2]' ]
}

@test "what is quoted from a file does no harm to the terminal" {
    printf 'configuration,size,seconds\na:1x1,a\033[31m\377,1' | refuse csv 2 "'a?[31m?'"
}

@test "every format: export, import, export is the same" {
    for format in csv json; do
        motley export --format "$format" lab lu > "one.$format"
        import_export "$format" "one.$format" | tail -n +2 | cmp - "one.$format"
    done
}

@test "CSV to JSON and back loses nothing" {
    motley export --format json lab lu > runs.json
    motley import --db json.db runs.json
    motley export --db json.db lab lu | cmp - runs.csv
    [ "$(jq '.simulated, (.runs | length)' runs.json)" = $'true\n7' ]
}

@test "CSV: columns in any order, what is not said from the command line" {
    printf 'seconds,size,configuration\r\n1.5,400,xeon:1x1\r\n\r\n1.25,400,xeon:1x1\r\n' \
        > short.csv
    run motley import --db s.db short.csv
    [ "$status" = 2 ]
    [[ "$output" = "motley: short.csv:2: "*"--cluster"* ]]
    motley import --db s.db --cluster lab --program lu short.csv
    [ "$(motley export --db s.db lab lu | cut -d, -f 1-7 | tail -n 2)" = \
        $'lab,lu,xeon:1x1,400,1,ok,1.5\nlab,lu,xeon:1x1,400,2,ok,1.25' ]
}

@test "CSV: a repetition that is not given follows on those above of the same point" {
    cat > points.csv <<'END'
configuration,size,repetition,seconds
xeon:1x1,400,,1
xeon:2x1,400,,2
xeon:1x1,800,,3
xeon:1x1,400,7,4
xeon:1x1,400,,5
xeon:2x1,400,,6
xeon:1x1,400,2,7
xeon:1x1,400,,8
END
    motley import --db s.db --cluster lab --program lu points.csv
    [ "$(motley export --db s.db lab lu | cut -d, -f 5,7 | tail -n +2 | sort -t, -k 2n |
        tr '\n' ' ')" = "1,1 1,2 1,3 7,4 8,5 2,6 2,7 9,8 " ]
}

@test "CSV: one program's repetitions are not another's" {
    printf '%s\n' program,configuration,size,seconds lu,xeon:1x1,400,1 hpl,xeon:1x1,400,2 \
        > both.csv
    motley import --db s.db --cluster lab both.csv
    [ "$(motley show --db s.db --json runs | jq -c '[.runs[].repetition]')" = "[1,1]" ]
}

@test "that mark before a quoted column, and before JSON" {
    printf '\xEF\xBB\xBF"cluster",program,configuration,size,seconds\r\nlab,lu,xeon:1x1,400,1\r\n' \
        > marked.csv
    [ "$(motley import --db s.db marked.csv)" = "imported 1 runs into 's.db'" ]
    motley export --db s.db --format json lab lu | sed '1s/^/\xEF\xBB\xBF/' > marked.json
    [ "$(motley import --db s.db marked.json)" = "imported 1 runs into 's.db'" ]
}

@test "CSV: a malformed line is named, and nothing is imported" {
    head='configuration,size,seconds,outcome,simulated'
    good='xeon:1x1,400,1.5,ok,false'
    printf '%s\n' "$head" "$good" 'xeon:1x1,400' | refuse csv 3 "2 cells"
    printf '%s\n' "$head" "$good" "$good,7" | refuse csv 3 "6 cells"
    printf '%s\n' "$head" 'xeon:1x1,many,1.5,ok,false' | refuse csv 2 "'many'"
    printf '%s\n' "$head" 'xeon:1x1,400,nan,ok,false' | refuse csv 2 "'nan'"
    printf '%s\n' "$head" 'xeon:1x1,-4,1.5,ok,false' | refuse csv 2 "size"
    printf '%s\n' "$head" 'xeon:1x1,400,0,ok,false' | refuse csv 2 "seconds"
    printf '%s\n' "$head" 'xeon:1x1,400,,fine,false' | refuse csv 2 "'fine'"
    printf '%s\n' "$head" 'xeon:1x1,400,1.5,ok,perhaps' | refuse csv 2 "'perhaps'"
    printf '%s\n' "$head" ',400,1.5,ok,false' | refuse csv - "no row has all cells (line 2, column 'configuration')"
    printf '%s\n' "$head" "$good" '"xeon,400' | refuse csv 3 "not closed"
    printf '%s\n' "$head" '"xeon:1x1"a,400,1.5,ok,false' | refuse csv 2 "closing quote"
    printf '%s\n' "$head,size" | refuse csv 1 "twice"
    printf '%s\nxeon\0:1x1,400,1.5,ok,false\n' "$head" | refuse csv 2 "zero byte"
    printf '%s\n"xeon\0:1x1",400,1.5,ok,false\n' "$head" | refuse csv 2 "zero byte"
}

@test "JSON: malformed text has its line, a wrong run its place" {
    printf '{"runs": [\n{"size": 4,,}]}' | refuse json 2 ""
    printf '[]' | refuse json - "runs"
    printf '{"runs": [{"configuration": "a:1x1", "size": 4, "seconds": 1},\n{"size": 4}]}' |
        refuse json - "run 2"
    printf '{"runs": [{"configuration": "a:1x1", "size": "4"}]}' | refuse json - "run 1"
    printf '{"runs": [{"configuration": "a:1x1", "size": 4, "repetition": 4294967297}]}' |
        refuse json - "repetition"
    printf '{"runs": [{"configuration": "a:1x1", "size": 4, "seconds": -1}]}' |
        refuse json - "seconds"
    printf '{"runs": [{"configuration": "a:1x1", "size": 4, "speed": 1}]}' |
        refuse json - "speed"
}

@test "files that cannot be read or written" {
    run motley import absent.csv
    [ "$status" = 1 ]
    [[ "$output" =~ "'absent.csv'" ]]
    run motley import .
    [ "$status" = 1 ]
    : > empty.csv
    run motley import empty.csv
    [ "$status" = 2 ]
    [[ "$output" =~ "no runs in 'empty.csv'" ]]
    run motley export --output absent/runs.csv lab lu
    [ "$status" = 1 ]
    run motley export --output /dev/full lab lu
    [ "$status" = 1 ]
    [[ "$output" =~ "No space left" ]]
}

@test "a failing export leaves the old file" {
    echo old > runs.txt
    run motley export --output runs.txt lab hpl
    [ "$status" = 1 ]
    [ "$(cat runs.txt)" = old ]
    motley export --output runs.txt lab lu
    cmp runs.txt runs.csv
}

@test "usage errors" {
    run motley export --format xml lab lu
    [ "$status" = 2 ]
    [[ "$output" =~ "'xml' (one of csv, json)" ]]
    run motley export lab
    [ "$status" = 2 ]
    run motley import
    [ "$status" = 2 ]
    run motley import runs.csv more.csv
    [ "$status" = 2 ]
}

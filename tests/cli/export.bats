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
    motley import --db "$1.db" --format "$1" --cluster lab --program lu "$2"
    motley export --db "$1.db" --format "$1" lab lu
}

# refuse FORMAT LINE WORDS: standard input is refused with the line (if not '-') and the
# words, and nothing of it is imported.
refuse() {
    cat > bad
    run motley import --db new.db --format "$1" --cluster lab --program lu bad
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
    printf 'a\033[31m\377' | refuse extra-p 1 "unknown word 'a?[31m?'"
}

@test "every format: export, import, export is the same" {
    for format in csv json extra-p; do
        motley export --format "$format" lab lu > "one.$format"
        import_export "$format" "one.$format" | tail -n +2 | cmp - "one.$format"
    done
}

@test "CSV to JSON and back loses nothing" {
    motley export --format json lab lu > runs.json
    motley import --db json.db --format json runs.json
    motley export --db json.db lab lu | cmp - runs.csv
    [ "$(jq '.simulated, (.runs | length)' runs.json)" = $'true\n7' ]
}

@test "Extra-P: a region for each group and M, the points they share, every repetition" {
    run --separate-stderr motley export --format extra-p lab lu
    [ "$status" = 0 ]
    [ "$output" = "PARAMETER N
PARAMETER P
POINTS (400 2)

REGION celeron:x1
METRIC simulated_time
DATA 0.9

REGION xeon:x1
METRIC simulated_time
DATA 0.05 0.30000000000000004

REGION xeon:x2
METRIC simulated_time
DATA 0.06" ]
    [[ "$stderr" = "left out 3 of 7 runs"* ]]
}

@test "Extra-P: one group has all its points" {
    motley export --format extra-p --group xeon:x1 lab lu > lines
    [ "$(grep POINTS lines)" = $'POINTS (400 1)\nPOINTS (400 2)' ]
    motley export --format extra-p --group celeron lab lu | grep -c DATA | grep -qx 2
    run motley export --format extra-p --group xeo lab lu
    [ "$status" = 1 ]
}

@test "Extra-P: a foreign file becomes runs on the group that is named" {
    cat > foreign.txt <<'END'
# made elsewhere
PARAMETER N
PARAMETER P
POINTS (1000 2) (1000 4)
POINTS ( 2000 4 )

REGION main
METRIC time
DATA 1.5 1.625
DATA 0.75
DATA 6
END
    run motley import --db f.db --format extra-p --cluster lab --program hpl foreign.txt
    [ "$status" = 2 ]
    [[ "$output" =~ "foreign.txt:9: 'main' does not say which group" ]]
    motley import --db f.db --format extra-p --cluster lab --program hpl \
        --group xeon:x2 foreign.txt
    run jq -c '.simulated, (.runs[] | [.configuration, .size, .repetition, .seconds])' \
        <(motley show --db f.db --json runs lab hpl)
    [ "$output" = 'false
["xeon:1x2",1000,1,1.5]
["xeon:1x2",1000,2,1.625]
["xeon:2x2",1000,1,0.75]
["xeon:2x2",2000,1,6]' ]
}

@test "Extra-P: M may be a parameter" {
    cat > points <<'END'
PARAMETER N P M
POINTS (2000 4 2) (2000 4 1)
REGION hpl
DATA 1.25 1.375
DATA 1.5 1.75
END
    motley import --db f.db --format extra-p --cluster lab --program hpl \
        --group xeon points
    run jq -r '.runs[] | "\(.configuration) \(.repetition) \(.seconds)"' \
        <(motley show --db f.db --json runs)
    [ "$output" = 'xeon:2x2 1 1.25
xeon:2x2 2 1.375
xeon:4x1 1 1.5
xeon:4x1 2 1.75' ]
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
    [ "$(motley import --db s.db --format json marked.json)" = "imported 1 runs into 's.db'" ]
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
    printf '%s\n' "$head" ',400,1.5,ok,false' | refuse csv 2 "configuration"
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

@test "Extra-P: malformed lines" {
    start=$'PARAMETER N P\nPOINTS (400 2)\nREGION xeon:x1\n'
    printf '%sDATA 1.5 x\n' "$start" | refuse extra-p 4 "'x'"
    printf '%sDATA 1.5\nDATA 2\n' "$start" | refuse extra-p 5 "more lines DATA"
    printf '%sMETRIC visits\nDATA 1\n' "$start" | refuse extra-p - "'visits'"
    printf '%sDATA \n' "$start" | refuse extra-p 4 "without a value"
    printf '%sDATUM 1.5\n' "$start" | refuse extra-p 4 "'DATUM'"
    printf '%sDATA -1\n' "$start" | refuse extra-p 4 "seconds"
    printf 'PARAMETER N P\nPOINTS (1 2) (2 2)\nREGION x:x1\nDATA 1\n' |
        refuse extra-p 4 "1 lines DATA for 2 points"
    printf 'PARAMETER N P\nPOINTS (400)\n' | refuse extra-p 2 "fewer"
    printf 'PARAMETER N P\nPOINTS (4 2 1)\n' | refuse extra-p 2 "more"
    printf 'PARAMETER N P\nPOINTS 4 2\n' | refuse extra-p 2 "parentheses"
    printf 'PARAMETER N Q\nPOINTS (400 2)\nREGION xeon:x1\nDATA 1\n' |
        refuse extra-p 4 "'Q'"
    printf 'PARAMETER N\nPOINTS (400)\nREGION a:x1\nDATA 1\n' |
        refuse extra-p 4 "neither nodes nor ranks"
    printf 'PARAMETER N\nPOINTS (400)\nPARAMETER P\n' | refuse extra-p 3 "behind the points"
    printf 'PARAMETER N P\nPOINTS (400 3)\nREGION x:x2\nDATA 1\n' |
        refuse extra-p 4 "no multiple"
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
    [[ "$output" =~ "'xml' (one of csv, json, extra-p)" ]]
    run motley export lab
    [ "$status" = 2 ]
    run motley import
    [ "$status" = 2 ]
    run motley import runs.csv more.csv
    [ "$status" = 2 ]
}

# Programs that read input files: what is written, where they run, what runs before and
# after them, what is left.

load fake

# write_input LINE...: a program file whose script shows what it finds in in.dat
write_input() {
    mkdir -p there
    cat >program.sh <<'END'
#!/bin/sh
cat in.dat
pwd
echo "time 900 us"
END
    chmod +x program.sh
    cat >program.yaml <<'END'
name: script
command: [program.sh]
time: {match: '^time ([^ ]+) us', unit: us}
sizes: {measure: [100, 200]}
END
    [ $# = 0 ] || printf '%s\n' "$@" >>program.yaml
}

measure() {
    run --separate-stderr motley measure --quiet --configuration fast:2x2+slow:1x1 --sizes "${1:-100}" \
        cluster.yaml program.yaml
}

# outcome: of the latest run, and what it printed
outcome() {
    query 'SELECT outcome, reason, output FROM run ORDER BY id DESC LIMIT 1'
}

@test "a template beside the program file is filled in for each run" {
    write_cluster
    mkdir case
    write_input 'input: [{file: in.dat, template: in.tmpl}]'
    mv program.* case
    printf 'n = {N}\nnp = {P}, {dims(P + 1,2,1)} x {dims(P + 1,2,2)}\nslow = {ranks:slow}\n' >case/in.tmpl
    motley measure --quiet --configuration fast:2x2+slow:1x1 cluster.yaml case/program.yaml
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 2 ]
    [[ "$(query "SELECT output FROM run WHERE size = 100")" = "n = 100
np = 5, 3 x 2
slow = 1
$PWD/motley-run-"* ]]
    [[ "$(query "SELECT output FROM run WHERE size = 200")" = "n = 200"* ]]
    ! ls -d motley-run-* # nothing is left
}

@test "inline content, in a subfolder, with braces of its own" {
    write_cluster
    write_input 'input:' '  - file: in.dat' '    content: |' '      {"n": {N}, "x": {"y": 1}}' \
        '  - {file: system/deep/grid, content: "{2*N} {{N}}"}'
    echo '[ $(wc -l <system/deep/grid) = 1 ] || exit 4; cat system/deep/grid; echo "time 900 us"' >>program.sh
    measure
    [ "$status" = 0 ]
    [[ "$(outcome)" = 'ok||{"n": 100, "x": {"y": 1}}'*'200 {N}'* ]]
}

@test "motley run keeps the folder and names it" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]'
    run --separate-stderr motley run --size 300 --configuration fast:1x1 cluster.yaml program.yaml
    [ "$status" = 0 ]
    folder=$(ls -d motley-run-*)
    [[ "$stderr" = *"the files of the run are in '$PWD/$folder'" ]]
    [ "$(cat "$folder/in.dat")" = n=300 ]
}

@test "a failed run keeps its folder, and the reason names it" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]'
    echo 'exit 3' >>program.sh
    measure
    [ "$status" = 1 ]
    folder=$(ls -d motley-run-*)
    [[ "$(outcome)" = "failed|exit status 3; its folder is kept: $PWD/$folder|"* ]]
    [[ "$stderr" = *"its folder is kept: $PWD/$folder"* ]]
}

@test "not more folders are kept than failures are listed" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]' 'repeat: 12'
    sed -i '2i [ -e ../ran ] || { touch ../ran; echo "time 900 us"; exit 0; }' program.sh
    echo 'exit 3' >>program.sh
    measure
    [ "$(query 'SELECT count(*) FROM run')" = 12 ]
    [ "$(ls -d motley-run-* | wc -l)" = 10 ]
}

@test "workdir: a folder that is there, by the size, and stays" {
    write_cluster
    write_input 'workdir: cases/n{N}'
    mkdir -p cases/n100
    echo prepared >cases/n100/in.dat
    measure
    [ "$status" = 0 ]
    [[ "$(outcome)" = "ok||prepared
$PWD/cases/n100"* ]]
    [ -e cases/n100/in.dat ]
    measure 200
    [ "$status" = 1 ]
    [[ "$stderr" = *"'workdir' of program 'script': '$PWD/cases/n200': No such file or directory" ]]
}

@test "workdir and input: the file is written there" {
    write_cluster
    write_input 'workdir: there' 'input: [{file: in.dat, content: "n={N}"}]'
    measure
    [ "$status" = 0 ]
    [ "$(cat there/in.dat)" = n=100 ]
    ! ls -d motley-run-*
}

@test "workdir and input: no template is written over, nor what a link leads to" {
    write_cluster
    write_input 'workdir: there' 'input: [{file: in.dat, template: there/in.dat}]'
    echo 'n={N}' >there/in.dat
    measure
    [ "$status" = 2 ]
    [ "$stderr" = "motley: the input file would be written over 'there/in.dat', which it is made from: \
'$PWD/there/in.dat'; give one of them another name" ]
    [ "$(cat there/in.dat)" = 'n={N}' ]
    sed -i 's/file: in.dat/file: .\/x.dat/' program.yaml
    echo precious >precious
    ln -s ../precious there/x.dat
    measure
    [ "$status" = 0 ]
    [ "$(cat there/x.dat)" = n=100 ]
    [ "$(cat precious)" = precious ]
    ln -sf in.dat there/x.dat # a template by another name
    measure 200
    [ "$status" = 0 ]
    [ "$(cat there/in.dat)" = 'n={N}' ]
    write_input 'workdir: .' 'input: [{file: program.yaml, content: "n={N}"}]'
    measure 300
    [ "$status" = 2 ]
    [[ "$stderr" = *"written over 'program.yaml', which it is made from: "* ]]
}

@test "a workdir that cannot be written" {
    [ "$(id -u)" != 0 ] || skip "root writes anywhere"
    write_cluster
    write_input 'workdir: there' 'input: [{file: in.dat, content: "n={N}"}]'
    chmod a-w there
    measure
    [ "$status" = 1 ]
    [[ "$stderr" = *"cannot write '$PWD/there/in.dat': "* ]]
}

@test "a file that stands where a folder is wanted" {
    write_cluster
    write_input 'workdir: there' 'input: [{file: in.dat/x, content: "n={N}"}]'
    echo here >there/in.dat
    measure
    [ "$status" = 1 ]
    [[ "$stderr" = *"cannot write '$PWD/there/in.dat/x': Not a directory"* ]]
    [ "$(cat there/in.dat)" = here ]
}

@test "env: variables for the ranks, with placeholders" {
    write_cluster
    write_program 'echo "$GRID,$MODE,$EMPTY"; echo time 900 us' 'env: {GRID: "{2*N}", MODE: a b, EMPTY: ""}'
    motley measure --quiet --configuration fast:1x1 --sizes 100 cluster.yaml program.yaml
    [[ "$(outcome)" = 'ok||200,a b,'* ]]
}

@test "prepare and cleanup run in the folder, with its files and variables" {
    write_cluster
    write_input 'input: [{file: start, content: "{N}"}]' 'env: {WHAT: "grid"}' \
        'prepare: [[mesh.sh, "{P}"], [sh, -c, "echo $WHAT >>in.dat"]]' \
        'cleanup: [[sh, -c, "cp in.dat {folder}/seen"]]'
    printf '#!/bin/sh\nsed "s/^/mesh $1 /" start >in.dat\n' >mesh.sh
    chmod +x mesh.sh
    measure
    [ "$status" = 0 ]
    [[ "$(outcome)" = "ok||mesh 5 100
grid"* ]]
    grep -q '^mesh 5 100$' seen
    ! ls -d motley-run-*
}

@test "prepare that fails is a failed run with its reason; cleanup runs all the same" {
    write_cluster
    write_input 'prepare: [[sh, -c, "echo no {N} here; exit 7"]]' 'cleanup: [[touch, "{folder}/cleaned"]]'
    measure
    [ "$status" = 1 ]
    folder=$(ls -d motley-run-*)
    [[ "$(outcome)" = "failed|'prepare' failed: 'sh' ended with status 7; its folder is kept: $PWD/$folder|no 100 here" ]]
    [[ "$stderr" = *"no 100 here"* ]]
    [ -e cleaned ]
}

@test "prepare that is not there, that takes too long, that is killed" {
    write_cluster
    write_input 'prepare: [[no-such-mesher, "{N}"]]'
    measure
    [ "$status" = 1 ]
    [[ "$stderr" = *"'no-such-mesher' is not in '.', nor on PATH"* ]]
    write_input 'prepare: [[sleep, "{N}"]]' 'timeout: 0.2 s'
    measure
    [[ "$(outcome)" = "failed|'prepare' failed: 'sleep' took longer than 0.2 s; "* ]]
    write_input 'prepare: [[sh, -c, "kill -KILL $$ {N}"]]'
    measure 200
    [[ "$(outcome)" = "failed|'prepare' failed: 'sh' was killed by signal 9 (Killed); "* ]]
}

@test "cleanup that fails is a warning" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]' 'cleanup: [["false"]]'
    measure
    [ "$status" = 0 ]
    [[ "$stderr" = *"motley: 'cleanup' failed: 'false' ended with status 1"* ]]
    [[ "$(outcome)" = "ok|"* ]]
}

# begin_measure: a motley in the background whose program runs
begin_measure() {
    motley measure --quiet --configuration fast:1x1 --sizes 100 cluster.yaml program.yaml >measured 2>&1 3>&- &
    pid=$!
    await test -e started
    [ -d "$(echo motley-run-*)" ]
}

@test "being asked to stop leaves no folder, in prepare and in the run" {
    write_cluster
    for key in prepare command; do
        rm -f started
        write_input 'input: [{file: in.dat, content: "n={N}"}]'
        if [ $key = prepare ]; then
            echo 'prepare: [[sh, -c, "touch {folder}/started; sleep 100"]]' >>program.yaml
        else
            printf '#!/bin/sh\ntouch ../started; sleep 100\n' >program.sh
        fi
        begin_measure
        kill -TERM "$pid"
        status=0
        wait "$pid" || status=$?
        [ "$status" = 143 ]
        run ! ls -d motley-run-*
        [ "$(query 'SELECT count(*) FROM run')" = 0 ]
    done
}

@test "being asked to stop in cleanup: the run is kept, and no other is made" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]' \
        'cleanup: [[sh, -c, "touch {folder}/started; sleep 100"]]' 'repeat: 3'
    begin_measure
    kill -TERM "$pid"
    status=0
    wait "$pid" || status=$?
    [ "$status" = 143 ]
    run ! ls -d motley-run-*
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 1 ]
}

@test "kill -9 leaves no folder" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]'
    printf '#!/bin/sh\ntouch ../started; sleep 100\n' >program.sh
    begin_measure
    kill -KILL "$pid"
    wait "$pid" || true
    none() { ! ls -d motley-run-* 2>/dev/null; }
    await none
}

@test "a simulated cluster: each of several jobs has its own folder" {
    cat >sim.yaml <<'END'
name: sim
command: [jacobi, --size, "{N}", --iterations, "1"]
simulated: [jacobi, --size, "{N}", --iterations, "1", --model-only]
time: {match: '^time ([0-9.eE+-]+) s'}
sizes: {measure: [32, 48, 64]}
input: [{file: in.dat, content: "{N}"}]
END
    motley measure --quiet --jobs 2 --configuration new:1x1,new:2x1 generations sim.yaml
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 6 ]
    ! ls -d motley-run-*
}

@test "errors of the file, with file and line" {
    write_cluster
    refused() {
        printf '%s\n' "$1" >>program.yaml
        run --separate-stderr motley measure --dry-run cluster.yaml program.yaml
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: program.yaml:$2"* ]] || { echo "$stderr"; return 1; }
    }
    write_input
    refused 'input: [{file: in.dat, template: none.tmpl}]' \
        "5: 'template': cannot read 'none.tmpl': No such file or directory"
    write_input
    refused 'input: [{file: in.dat, template: .}]' "5: 'template': cannot read '.': Is a directory"
    mkfifo pipe
    write_input
    refused 'input: [{file: in.dat, template: pipe}]' "5: 'template': cannot read 'pipe': Invalid argument"
    printf 'a\n{N}\n{2*}x {Q}\n' >in.tmpl
    write_input
    refused 'input: [{file: in.dat, template: in.tmpl}]' "5: template 'in.tmpl': line 3: unknown placeholder '{Q}'"
    printf '{N}\0' >in.tmpl
    write_input
    refused 'input: [{file: in.dat, template: in.tmpl}]' "5: 'template': 'in.tmpl' is not text: it has a zero byte; \
without placeholders it can be copied by 'prepare': [cp, '{folder}/FILE', .]"
    yes '{N}' | head -c 2000000 >in.tmpl
    write_input
    refused 'input: [{file: in.dat, template: in.tmpl}]' "5: 'template': 'in.tmpl' is longer than 1 MiB; \
without placeholders it can be copied by 'prepare': [cp, '{folder}/FILE', .]"
    for file in /tmp/x ../x a/../../x a/..; do
        write_input
        refused "input: [{file: $file, content: '{N}'}]" "5: 'file' must be a path in the run's folder, not '$file'"
    done
    write_input
    refused 'input: [{file: a, content: "{N}"}, {file: a, content: x}]' "5: input file 'a' comes twice"
    for file in ./a .//a a//./b ./a/b/c; do
        write_input
        first=a$([ "${file%/b*}" = "$file" ] || echo /b)
        word="input file '$first' comes twice"
        [ "$file" != ./a/b/c ] || word="input files 'a/b' and 'a/b/c' exclude each other"
        refused "input: [{file: $first, content: '{N}'}, {file: $file, content: x}]" "5: $word"
    done
    write_input
    refused 'input: [{file: a}]' "5: input file 'a' needs either a 'template'"
    write_input
    refused 'input: [{file: a, content: x, template: y}]' "5: input file 'a' needs either a 'template'"
    write_input
    refused 'input: [{file: a, content: "{P}"}]' \
        "2: 'command' and 'input' have no placeholder that depends on N: it would do the same"
    write_input
    refused 'env: {LD_PRELOAD: x}' "5: 'env' cannot set 'LD_PRELOAD'"
    write_input
    refused 'env: {"a-b": x}' "5: 'env' cannot set 'a-b'"
    write_input
    refused 'env: {A: "{Q}"}' "5: 'A' of 'env': unknown placeholder '{Q}'"
    write_input
    refused 'prepare: [blockMesh]' "5: entry 1 of 'prepare' must be a list, not a single value"
    write_input
    refused 'workdir: "{q}"' "5: 'workdir': unknown placeholder '{q}'"
}

@test "several executables in one job are refused" {
    write_cluster
    write_input
    sed -i 's/^command: .*/command: [program.sh, "{N}", ":", -np, 2, other.sh]/' program.yaml
    run --separate-stderr motley run --configuration fast:1x1 --size 100 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: program.yaml:2: 'command' has the word ':', which stands between the programs of a job (MPMD): motley starts one program on all ranks" ]
}

@test "a value that cannot be is an error of the run, which names file and line" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "a\n{N/(P - 5)}\n"}]'
    measure
    [ "$status" = 2 ]
    [[ "$stderr" = *"input file 'in.dat' of program 'script': line 2: '{N/(P - 5)}' has no value at N = 100, P = 5" ]]
    ! ls -d motley-run-*
}

@test "a value that some runs cannot have: these fail, and the others are made" {
    write_cluster
    for key in 'input: [{file: x, content: "{sqrt(N - 150)}"}]' 'env: {X: "{sqrt(N - 150)}"}' \
        'workdir: "there/{sqrt(N - 150) > 0}"' 'prepare: [[echo, "{sqrt(N - 150)}"]]'; do
        rm -rf motley.db there
        write_input "$key"
        mkdir -p there/1
        printf '#!/bin/sh\necho "time 900 us"\n' >program.sh
        run --separate-stderr motley measure --quiet --configuration fast:2x2 cluster.yaml program.yaml
        [ "$status" = 1 ]
        [[ "$stderr" = *"1 run failed:
  fast:2x2, N = 100, repetition 1: "*"' has no value at N = 100, P = 4"* ]] || { echo "$key: $stderr"; return 1; }
        [ "$(query 'SELECT outcome, size, reason LIKE "%has no value%" FROM run ORDER BY size')" = "failed|100.0|1
ok|200.0|" ]
        run --separate-stderr motley measure --quiet --configuration fast:2x2 cluster.yaml program.yaml
        [ "$status" = 2 ] # of what is left none can be made
        [[ "$stderr" = "motley: "*"' has no value at N = 100, P = 4"* ]]
    done
}

@test "a program and a folder that are not there for some sizes" {
    write_cluster
    write_program 'echo "time 900 us"'
    mkdir -p cases/n200
    mv program.sh solver-200
    sed -i 's/program.sh/"solver-{N}"/' program.yaml
    run --separate-stderr motley measure --quiet --configuration fast:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"N = 100, repetition 1: program 'script': 'solver-100' is not in '.', nor on PATH" ]]
    sed -i 's/solver-{N}/solver-200/' program.yaml
    echo 'workdir: cases/n{N}' >>program.yaml
    run --separate-stderr motley measure --quiet --configuration fast:2x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"N = 100, repetition 1: 'workdir' of program 'script': '$PWD/cases/n100': No such file or directory" ]]
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" = 2 ]
    sed -i 's/solver-200/solver/' program.yaml # nowhere
    run --separate-stderr motley measure --quiet --configuration slow:1x1 cluster.yaml program.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: program 'script': 'solver' is not in '.', nor on PATH" ]
    [ "$(query 'SELECT count(*) FROM run')" = 4 ]
}

@test "a value that no run can have: nothing is started" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "{N} {ranks:fats}"}]' 'prepare: [[touch, "{folder}/started"]]'
    run --separate-stderr motley measure --quiet cluster.yaml program.yaml
    [ "$status" = 2 ]
    [ "$stderr" = "motley: input file 'in.dat' of program 'script': unknown placeholder '{ranks:fats}': \
cluster 'made-up' has no such group" ]
    [ ! -e started ]
    [ "$(query 'SELECT count(*) FROM run')" = 0 ]
}

@test "a value that some runs cannot have ends no budget and no verification" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "{sqrt(N - 150)}{1/(P - 5)}"}]' 'work: N^2'
    sed -i 's/measure: .*/measure: [100, 200, 300, 400, 500, 600]}/' program.yaml
    printf '#!/bin/sh\necho "time 900 us"\n' >program.sh
    run --separate-stderr motley measure --quiet --runs 12 cluster.yaml program.yaml
    [ "$(query "SELECT count(*) FROM run WHERE outcome = 'ok'")" -ge 6 ] || { echo "$stderr"; return 1; }
    [[ "$stderr" != *"motley: input file"* ]]
    run --separate-stderr motley run --size 100 --configuration fast:1x1 cluster.yaml program.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"motley: input file 'in.dat' of program 'script': '{sqrt(N - 150)}' has no value at N = 100, P = 1" ]]
    run --separate-stderr motley plan --size 120 --verify 2 cluster.yaml program.yaml
    [[ "$stderr" = *"1 run failed:"*"'{sqrt(N - 150)}' has no value at N = 120"* ]] || { echo "$stderr"; return 1; }
}

@test "what is no template is copied or linked by prepare" {
    write_cluster
    head -c 2000000 /dev/zero >mesh.bin
    write_input 'input: [{file: in.dat, content: "{N}"}]' \
        'prepare: [[cp, "{folder}/mesh.bin", .], [ln, -s, "{folder}/mesh.bin", linked]]'
    echo 'cmp mesh.bin linked || exit 1; echo "time 900 us"' >>program.sh
    measure
    [ "$status" = 0 ]
}

@test "folders that cannot be made: what says where they are" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "{N}"}]'
    TMPDIR=$PWD/nowhere measure
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no folder '$PWD/nowhere/motley-session-"*"' can be made: No such file or directory; \
the variable TMPDIR says where" ]]
    [ "$(id -u)" != 0 ] || skip "root writes anywhere"
    mkdir -m 555 read-only
    run --separate-stderr env -C read-only motley measure --quiet --configuration fast:1x1 \
        --db "$PWD/m.db" "$PWD/cluster.yaml" "$PWD/program.yaml"
    [[ "$stderr" = *"; runs with input files have folders below the current one" ]]
}

@test "a time that the program writes into a file" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "{N}"}]'
    printf '#!/bin/sh\nmkdir -p out\necho time 7 us\nprintf "x\\ntime 900 us" >out/log\n' >program.sh
    sed -i "s/^time: .*/time: {match: '^time ([0-9]+) us', unit: us, file: out\/log}/" program.yaml
    measure
    [ "$status" = 0 ]
    [ "$(query 'SELECT seconds FROM run')" = 0.0009 ]
    printf '#!/bin/sh\necho time 7 us\n' >program.sh
    measure 200
    [[ "$(outcome)" = "unread|the pattern '^time ([0-9]+) us' did not match in the run's file 'out/log'; its folder is kept: "* ]]
    sed -i 's/^input: .*/workdir: there/' program.yaml
    measure 200
    [ "$status" = 2 ]
    [[ "$stderr" = *"program.yaml:3: 'file' of 'time' is for runs in folders of their own"* ]]
    sed -i 's/out.log/..\/x/' program.yaml
    measure 200
    [[ "$stderr" = *"program.yaml:3: 'file' of 'time' must be a path in the run's folder, not '../x'"* ]]
}

@test "plan says that the launch command wants the input files" {
    write_cluster
    write_input 'input: [{file: in.dat, content: "n={N}"}]' 'work: 1e9*N'
    for n in 1 2; do
        motley measure --quiet --repeat $n --configuration fast:1x1,fast:2x1,slow:1x1 cluster.yaml program.yaml
    done
    run --separate-stderr motley plan --size 200 cluster.yaml program.yaml
    [ "$status" = 0 ]
    [[ "$output" = *"launch: $PWD/program.sh
(in a folder with its input files filled in; 'motley run' does all of it)"* ]] || { echo "$output"; return 1; }
}

# What programs, files and stores of others may be: nothing of it drives the terminal.

load fake

# ESC, C1 in UTF-8 and as a byte, BEL, DEL, a turn of the direction, and what is no UTF-8.
evil=$'\e[31m\u009b31m\x9b\a\x7f\u202e\xff'
# And what is left of it.
shown='?[31m?31m?????'

# clean: neither of the outputs of what was run has a control character
clean() {
    printf '%s\n' "$output" "$stderr" >printed
    iconv -f UTF-8 -t UTF-8 printed >/dev/null
    ! LC_ALL=C.UTF-8 grep -nP '[\x00-\x08\x0b-\x1f\x7f-\x9f\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]' printed
}

@test "names that would be more than a line, or look like other words" {
    write_cluster
    write_program 'echo "time 900 us"'
    cp cluster.yaml good.yaml
    refused() {
        run --separate-stderr motley measure --dry-run cluster.yaml program.yaml
        [ "$status" = 2 ]
        [[ "$stderr" = "motley: "*"$1"* ]] || { echo "$stderr"; return 1; }
    }
    for name in 'a\ufeff' 'a\uff1a1x1' 'a\u200b' 'a\u00a0b' '\u2236'; do
        sed "s/name: fast/name: \"${name//\\/\\\\}\"/" good.yaml >cluster.yaml
        refused "a group's name has letters, digits, "
    done
    sed 's/name: fast/name: schnell-\xc3\xbc/' good.yaml >cluster.yaml
    motley measure --dry-run cluster.yaml program.yaml
    sed 's/^name: .*/name: "lab\\nmotley: all is well"/' good.yaml >cluster.yaml
    refused "cluster.yaml:1: 'name' has a line end or another control character"
    cp good.yaml cluster.yaml
    sed -i 's/^name: .*/name: "lu\\nmotley: all is well"/' program.yaml
    refused "program.yaml:1: 'name' has a line end or another control character"
}

@test "what programs print is clean in messages, tables and CSV, and whole in JSON" {
    write_cluster
    write_program "printf 'ü $evil\\n'; exit 3"
    run --separate-stderr motley measure --sizes 100 --configuration fast:1x1 ./cluster.yaml ./program.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"ü $shown"* ]]
    clean
    run --separate-stderr motley show runs
    clean
    run --separate-stderr motley export made-up script
    [[ "$output" = *"ü $shown"* ]]
    clean
    motley export --output runs.csv made-up script
    run --separate-stderr cat runs.csv
    clean
    run --separate-stderr motley export --format json made-up script
    clean
}

@test "what runs of others say is clean, too; JSON keeps it, but for what is no UTF-8" {
    name=$'\e]0;title\a\u009b\u202eü'
    jq -n --arg name "$name" '{runs: [{cluster: $name, program: $name, size: 1,
        configuration: "a:1x1", seconds: 1, reason: $name, output: $name}]}' >runs.json
    motley import runs.json
    for command in 'show' 'show runs' 'show --json runs' 'show --json' 'show run 1'; do
        run --separate-stderr motley $command
        clean
    done
    run --separate-stderr motley export --format json "$name" "$name"
    clean
    [ "$(jq -r '.runs[0].output' <<<"$output")" = "$name" ]
    [[ "$output" = *'\u009b\u202eü'* ]]
    run --separate-stderr motley fit "$name" "$name"
    clean
    motley export --output again.csv "$name" "$name"
    run --separate-stderr cat again.csv
    clean
}

@test "what messages quote is clean, and on their line" {
    write_program 'echo time 900 us'
    printf 'name: x\nlauncher: "\\e[31m\\nmotley: all is well"\n' >cluster.yaml
    run --separate-stderr motley plan --size 1 ./cluster.yaml ./program.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"?[31m?motley: all is well"* ]]
    printf 'name: "a\\u202e"\n%s: 1\n' "$evil" >cluster.yaml
    run --separate-stderr motley plan --size 1 ./cluster.yaml ./program.yaml
    [ "$status" = 2 ]
    clean
    printf 'size,seconds,group\nx%s,1,a\n' "$evil" >runs.csv
    run --separate-stderr motley import --cluster a --program b --columns size,seconds,ranks=1 runs.csv
    clean
    run --separate-stderr motley show "runs$evil"
    clean
    run --separate-stderr motley "$evil"
    clean
}

@test "CSV runs nothing in a spreadsheet, and comes back as it was" {
    cat >runs.csv <<'END'
cluster,program,configuration,size,repetition,outcome,seconds,wall,exit_code,signal,reason,launcher,simulated,started,output
lab,lu,a:1x1,400,1,failed,,0.5,1,0,@SUM(1),''=quoted,false,1763724000,=cmd|' /C calc'!A0
END
    motley import runs.csv
    motley export lab lu >guarded.csv
    grep -qF ",'@SUM(1),''=quoted,false,1763724000,'=cmd|' /C calc'!A0" guarded.csv
    motley import --db other.db guarded.csv
    motley export --db other.db lab lu | cmp - guarded.csv
}

@test "titles of pictures are text, whatever they are" {
    command -v gnuplot || skip 'no gnuplot'
    name="a' ; system('touch broken') #"'`touch broken`''{/:Bold b}<script>&"'
    jq -n --arg name "$name" '{runs: [range(1; 6) as $n | range(1; 4) as $p |
        {cluster: "lab", program: $name, size: $n, configuration: "a:\($p)x1", seconds: ($n / $p)}]}' >runs.json
    motley import runs.json
    cat >lab.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: a, hosts: 'a[1-3]', processes: [1]}
END
    write_program 'echo time 900 us'
    jq -na --arg name "$name" '{name: $name, command: ["./program.sh", "{N}"], time: "wall", sizes: {measure: [1, 2, 3], plan: [4, 5]}}' >program.yaml
    motley evaluate --plot picture.svg ./lab.yaml ./program.yaml
    [ ! -e broken ]
    ! command -v xmllint || xmllint --noout picture.svg
    grep -qF '&lt;script' picture.svg
    run ! grep -qF '<script' picture.svg
    run --separate-stderr cat picture.svg
    clean
}

# refused REASON COMMAND...: at once, as this is too much; nothing is written. Sanitizers
# need more memory than a motley that refuses.
refused() {
    local reason=$1 limit=1000000000
    shift
    ! grep -q __asan_init "$BUILD_ROOT/cli/motley" || limit=unlimited
    run --separate-stderr prlimit --as=$limit motley "$@"
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: "*"$reason"* ]]
}

@test "init: no more slots, nodes and lines than there can be" {
    for _ in $(seq 30); do echo 'a slots=90000'; done >hosts
    refused "hosts:2: 'a' has more than 100000 slots" init --from hostfile=hosts --cluster new.yaml
    echo '-oProxyCommand=x' >hosts
    refused "hosts:1: '-oProxyCommand=' stands where a host should" init --from hostfile=hosts --cluster new.yaml
    for host in -oProxyCommand ../a a/b ..; do
        echo "$host" >hosts
        refused "hosts:1: '$host' is not a host name" init --from hostfile=hosts --cluster new.yaml
    done
    printf '\033[31m\n' >hosts
    refused "hosts:1: '?[31m' is not a host name" init --from hostfile=hosts --cluster new.yaml
    refused "/dev/zero:1: a line is longer than 1 MiB" init --from hostfile=/dev/zero --cluster new.yaml
    [ ! -e new.yaml ]
    name="it's: a"$'\e\n'
    motley init --program "$name.yaml"
    [ "$(sed -n "s/^name: //p" "$name.yaml")" = "'it_s: a??'" ]
}

@test "files without end" {
    refused "/dev/zero:1: a line is longer than 1 MiB" import --cluster a --program b /dev/zero
    refused "a line is longer than 1 MiB" import --cluster a --program b <(printf 'size,seconds,ranks\n1,1,"'; tr '\0' x </dev/zero 2>/dev/null)
    write_cluster
    refused "file is larger than 1 MiB" plan --size 1 ./cluster.yaml /dev/zero
}

@test "campaigns of more runs, and words longer, than can be" {
    write_cluster
    write_program 'echo time 900 us' 'repeat: 2000000000'
    reason="these are more than 100000 runs: choose fewer configurations, sizes or repetitions"
    refused "$reason" measure --dry-run ./cluster.yaml ./program.yaml
    sed -i 's/nodes: .*//; s/f\[1-2\]/f[1-100000]/; s/^launch:.*/launch: ["{program}", "{hosts}"]/' cluster.yaml
    write_program 'echo time 900 us'
    refused "a word of a command becomes longer than 131071 characters: '{hosts}'" \
        run --size 100 --configuration fast:100000x1 ./cluster.yaml ./program.yaml
    cat >>cluster.yaml <<'END'
  - {name: g, nodes: 99999, processes: [1, 2, 3, 4, 5, 6, 7, 8]}
  - {name: h, nodes: 99999, processes: [1, 2, 3, 4, 5, 6, 7, 8]}
END
    echo 'valid: P < 0' >>program.yaml
    refused "'all' are more than 1000000 configurations" measure --dry-run --configuration all ./cluster.yaml ./program.yaml
}

@test "{N} is written in digits, as far as they are exact" {
    write_cluster
    write_program 'echo "$1" >>sizes; echo "time 900 us"'
    motley measure --configuration fast:1x1 --sizes 0.5,1e6,1e15,9007199254740992 ./cluster.yaml ./program.yaml
    [ "$(sort sizes | xargs)" = "0.5 1000000 1000000000000000 9007199254740992" ]
    refused "N = 10000000000000000 is more than 2^53" measure --configuration fast:1x1 --sizes 1e16 ./cluster.yaml ./program.yaml
}

# motley surface: predict and compare on machines where the answers are known by
# hand, and on the papers'.

bats_require_minimum_version 1.5.0

# toy takes N^2/P us, twice that when a node's part, 8 N^2/P bytes, is larger than
# 800 kB, and 1 ms for each of P - 1 messages; a node holds 1 MB. The computation of quick
# takes half as long, its messages four times.
setup() {
    cd "$BATS_TEST_TMPDIR"
    cat >toy.yaml <<'END'
name: toy
nodes: 64
speed: 1 Mf
memory: 1 MB
algorithms:
  - name: ring
    work: N^2
    memory: 8*N^2/P
    valid: N >= P
    compute:
      working_set: 8*N^2/P
      costs: [1 us, 2 us]
      caches: [{hit: 800 kB, miss: 800 kB}]
    communication: {messages: P - 1, bytes: 8, latency: 1 ms}
END
    cat >quick.yaml <<'END'
name: quick
nodes: 32
speed: 2 Mf
simulated: true
algorithms:
  - name: ring
    work: N*N
    compute: {costs: [0.5 us]}
    communication: {messages: P - 1, bytes: 8, latency: 4 ms}
    learned: {runs: 12, nodes: 8, sizes: [64, 512], error: 0.02}
  - name: cube
    work: N^3
    compute: {costs: [1 us]}
  - name: squares
    work: N^2
    valid: sqrt(P) == floor(sqrt(P))
    compute: {costs: [0.5 us]}
END
}

surface() {
    run --separate-stderr motley surface "$@"
}

# Lines of a table, blanks made one each.
squeezed() {
    sed 's/^ *//; s/  */ /g; s/ *$//' <<<"$output"
}

# Numbers of a CSV to twelve digits.
rounded() {
    awk -F, -v OFS=, '{
        for (i = 1; i <= NF; i++)
            if ($i ~ /^[0-9.e+-]+$/)
                $i = sprintf("%.12g", $i)
        print
    }'
}

@test "efficiency over sizes and nodes, marked where it does not fit or cannot run" {
    surface predict ./toy.yaml --size 8,300,320,400 --nodes 1,16
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [ "${lines[0]}" = "toy ring: predicted efficiency, of 1.00 Mf a node" ]
    [[ "$(squeezed)" = *"
N P = 1 16
8 100 -
300 100 27
320 50 30
400 50* 40
* does not fit into the memory of a node (976.6 KiB)
- cannot run there
"* ]]
}

@test "a single number of nodes: where the time goes" {
    surface predict ./toy.yaml --size 100,1000 --nodes 10
    [[ "$(squeezed)" = *"
on P = 10
N time computing messages speed of a node efficiency memory of a node
100 10.00 ms 1.000 ms 9.000 ms 100 kf 10.0 % 7.812 KiB
1000 109.0 ms 100.0 ms 9.000 ms 917 kf 91.7 % 781.2 KiB
"* ]]
}

@test "a single size: the same over nodes" {
    surface predict ./toy.yaml --size 1000 --nodes 1,10
    [[ "$(squeezed)" = *"
at N = 1000
P time computing messages speed of a node efficiency memory of a node
1 2.000 s 2.000 s 0 s 500 kf 50.0 %* 7.629 MiB
10 109.0 ms 100.0 ms 9.000 ms 917 kf 91.7 % 781.2 KiB
* does not fit into the memory of a node (976.6 KiB)"* ]]
    [[ "$output" != *"best size"* ]]
}

@test "the ridge is where the parts just fit into the caches, and a cliff begins there" {
    surface predict ./toy.yaml --size 100:2000 --nodes 4,16
    [[ "$(squeezed)" = *"
best size for each number of nodes
P N efficiency time speed of a node of all
4 632 97.1 % 102.9 ms 971 kf 3.88 Mf
16 1264 86.9 % 114.9 ms 869 kf 13.9 Mf
"* ]]
    [[ "$output" = *"cliffs: a size 10 % larger, or a node more, loses over 10 % of the efficiency"* ]]
    surface predict ./toy.yaml --size 100:2000 --nodes 4,16 --json
    [ "$(jq -c '[.cliffs[] | select(.along == "size" and .nodes == 4 and .after < 0.6)] | length' <<<"$output")" = 1 ]
    jq -e '.cliffs[] | select(.along == "size" and .nodes == 4 and .after < 0.6) |
        .from <= 632 and .to >= 633 and .to < 700' <<<"$output"
}

@test "speed-ups: fixed size, fixed time, memory bounded" {
    # On 10 nodes N = 100 takes 1 + 9 ms instead of 10; N^2 us/10 + 9 ms are 10 ms for
    # N = 100, too; as much memory a node has N = 316, which takes 18.99 ms.
    surface predict ./toy.yaml --size 100:400 --nodes 1,10 --base 100
    [[ "$(squeezed)" = *"
speed-up over one node at N = 100, were there memory enough
P fixed size fixed time at N memory bounded at N
1 1 1 100 1 100
10 1 1 100 5.26 316"* ]]
    surface predict ./toy.yaml --size 100:400 --nodes 1,10 --base 100 --json
    [ "$(jq -c '.speedups.rows[1].memory_bounded.size' <<<"$output")" = 316 ]
}

@test "iso-efficiency: the sizes with at least that" {
    # On 11 nodes N^2/11 us are half of it when they are 10 ms: N = 331.66; beyond
    # N = 1048 the cache is too small: N^2/11 us against 2 N^2/11 us + 10 ms, less than
    # half; on one node it is half up to what fits.
    surface predict ./toy.yaml --size 100:1100 --nodes 1,11 --efficiency 0.5
    [[ "$(squeezed)" = *"
the smallest and the largest size with an efficiency of at least 50.0 % (500 kf a node)
P from N operations to N operations
1 100 1e+04 353 1.25e+05
11 332 1.1e+05 1048 1.1e+06"* ]]
}

@test "JSON has the grid, and says what is known of the machine" {
    surface predict ./toy.yaml --json --size 100:800 --nodes 1:8
    [ "$(jq -c '[.machine, .algorithm, .simulated, .machine_nodes, .speed, .node_memory,
        .learned, .sizes, .nodes]' <<<"$output")" = \
        '["toy","ring",false,64,1000000,1000000,null,[100,200,400,800],[1,2,4,8]]' ]
    [ "$(jq '.points | length' <<<"$output")" = 16 ]
    [ "$(jq -c '.points[3] | [.size, .nodes, .efficiency * 100 | round]' <<<"$output")" = \
        '[100,8,15]' ]
    surface predict ./toy.yaml --json --size 8,1000 --nodes 10
    [ "$(jq -c '.points[0]' <<<"$output")" = '{"size":8,"nodes":10,"seconds":null,"compute":null,"communicate":null,"speed":null,"efficiency":null,"memory":null,"fits":true,"valid":false}' ]
    jq -e '.points[1] | (.seconds - 0.109 | fabs) < 1e-12 and .memory == 800000 and .valid' \
        <<<"$output"
}

@test "without --size and --nodes: what makes sense on the machine" {
    surface predict ./toy.yaml --json
    [ "$(jq -c .nodes <<<"$output")" = '[1,2,4,8,16,32,64]' ]
    [ "$(jq -c '.sizes | [.[0], .[1], .[-1]]' <<<"$output")" = '[16,24,2048]' ]
    surface predict ./quick.yaml:ring --json
    [ "$(jq -c '.sizes | [.[0], .[-1]]' <<<"$output")" = '[64,2048]' ]
    surface predict ./quick.yaml:cube
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --size is needed: the file of quick does not say by memory which sizes fit" ]
}

@test "numbers of nodes on which nothing can run are left out, unless asked for" {
    surface predict ./quick.yaml:squares --size 100,200 --json
    [ "$(jq -c .nodes <<<"$output")" = '[1,4,16]' ]
    surface predict ./quick.yaml:squares --size 100,200 --nodes 2,4 --json
    [ "$(jq -c .nodes <<<"$output")" = '[2,4]' ]
    [ "$(jq -c '.ridge[0].size' <<<"$output")" = null ]
}

@test "what is simulated, extrapolated or beyond the machine says so" {
    surface predict ./quick.yaml --size 100,200 --nodes 2,64
    [ "${lines[0]}" = "quick ring: predicted efficiency, of 2.00 Mf a node (simulated)" ]
    [ "${lines[1]}" = "quick has 32 nodes: results for more are extrapolated" ]
    [ "${lines[2]}" = "quick was learned from 12 runs of N = 64 to 512 on up to 8 nodes, cross-validated error 2.0 %; beyond that it is extrapolated" ]
    surface predict ./toy.yaml --size 100,200 --nodes 2,64
    [[ "$output" != *"(simulated)"* ]]
    [[ "$output" != *"learned"* ]]
}

@test "compare: from how many nodes on one overtakes the other" {
    # N = 1000: 1/P + (P - 1)/1000 against 0.5/P + 4 (P - 1)/1000, from 14 nodes on.
    surface compare ./toy.yaml ./quick.yaml --size 1000 --nodes 10:32
    [ "$status" = 0 ]
    [ "${lines[0]}" = "toy and quick on 10 to 32 nodes (simulated)" ]
    [[ "$(squeezed)" = *"
N from P on is faster toy fits quick fits
1000 10 quick 109.0 ms yes 86.00 ms yes
1000 14 toy 84.43 ms yes 87.71 ms yes" ]]
    surface compare ./quick.yaml ./toy.yaml --size 1000 --json --nodes 10:32
    [ "$(jq -c '.changes | map([.size, .nodes, .faster])' <<<"$output")" = \
        '[[1000,10,"a"],[1000,14,"b"]]' ]
    jq -e '.changes[1] | (.seconds_a - 0.0877142857143 | fabs) < 1e-12 and
        (.seconds_b - 0.0844285714286 | fabs) < 1e-12 and .fits_a and .fits_b' <<<"$output"
}

@test "compare: never overtaken, and algorithms of one machine" {
    surface compare ./toy.yaml ./quick.yaml --size 100 --nodes 20:32
    [[ "$(squeezed)" = *"
100 20 toy "* ]]
    [ "${#lines[@]}" = 4 ]
    surface compare ./quick.yaml:squares ./quick.yaml:ring --size 100
    [[ "${lines[0]}" = "quick squares and quick ring on 1 to 32 nodes (simulated)" ]]
}

@test "compare: two files of one machine are told apart" {
    sed 's/^speed: .*/speed: 3 Mf/' toy.yaml >again.yaml
    surface compare ./toy.yaml ./again.yaml --size 100 --nodes 2
    [ "$status" = 0 ]
    [ "${lines[0]}" = "./toy.yaml and ./again.yaml on 2 to 2 nodes" ]
}

@test "JSON has null for each number of a best size that there is not" {
    surface predict ./quick.yaml:squares --size 100,200 --nodes 2,4 --json \
        --efficiency 0.5
    jq -e '.ridge[0] == {nodes: 2, size: null, seconds: null, speed: null, speed_of_all: null,
        efficiency: null}' <<<"$output"
    jq -e '(.iso_efficiency[0] | keys) == (.iso_efficiency[1] | keys)' <<<"$output"
}

@test "compare: where rows are shared unevenly, the lead changes many times" {
    # Of 60 rows each, rows takes ceil(60/P) steps, even 1.02 times 60/P.
    cat >rows.yaml <<'END'
name: rows
nodes: 60
speed: 1 Mf
algorithms:
  - {name: rows, work: N, compute: {imbalance: P*ceil(N/P)/N, costs: [1 us]}}
  - {name: even, work: N, compute: {costs: [1.02 us]}}
END
    surface compare ./rows.yaml:rows ./rows.yaml:even --size 60 --nodes 1:59 --json
    [ "$(jq -r '.changes[] | "\(.nodes) \(.faster)"' <<<"$output")" = "$(awk 'BEGIN {
        for (p = 1; p <= 59; p++) {
            rows = int((60 + p - 1) / p)
            faster = 1.02 * 60 / p < rows ? "b" : "a"
            if (faster != last) print p, faster
            last = faster
        } }')" ]
    surface compare ./rows.yaml:rows ./rows.yaml:even --size 60 --nodes 1:59
    [[ "$(squeezed)" = *"
60 10 rows rows 6.000 us yes 6.120 us yes
"*"
60 21 rows even 3.000 us yes 2.914 us yes
"* ]]
}

@test "what counts different work is not compared" {
    surface compare ./toy.yaml ./quick.yaml:cube --size 1000
    [ "$status" = 2 ]
    [ "$stderr" = "motley: they do different work, and cannot be compared: toy ring counts 'N^2', quick cube 'N^3'" ]
}

@test "the AP1000 overtakes Cenju-3 as in the paper, at about 160 nodes for N = 2048" {
    surface compare ap1000 cenju-3 --size 2048 --json
    [ "$status" = 0 ]
    jq -e '.changes[-1] | .faster == "a" and .nodes >= 150 and
        .nodes <= 170' <<<"$output"
}

@test "pictures into files and in letters" {
    surface predict ap1000 --plot map.svg
    [ "$status" = 0 ]
    [[ "$(head -c 5 map.svg)" = "<?xml" ]]
    surface compare ap1000 cenju-3 --size 256:4096 --plot term
    [ "$status" = 0 ]
    [ "${#lines[@]}" -gt 20 ]
    surface predict ap1000 --plot map.svg --nodes 8
    [ "$status" = 2 ]
    [ "$stderr" = "motley: a picture needs more than one number in --nodes" ]
}

@test "what is not understood is a usage error" {
    surface
    [ "$status" = 2 ]
    [ "$stderr" = "motley: say what to do; 'motley surface --help' lists the actions" ]
    surface foretell ap1000
    [ "$status" = 2 ]
    [ "$stderr" = "motley: unknown action: 'foretell'; 'motley surface --help' lists them" ]
    surface predict
    [ "$stderr" = "motley: 'surface predict' wants MACHINE[:ALGORITHM]" ]
    surface predict ap1000 cenju-3
    [ "$stderr" = "motley: one argument too many: 'cenju-3'" ]
    surface report ap1000 --nodes 8 --json
    [ "$stderr" = "motley: --json is not for 'surface report'" ]
    surface predict ap1000 --db runs.db
    [ "$stderr" = "motley: --db is not for 'surface predict'" ]
    surface predict ap1000 --efficiency +0.5
    [ "$status" = 2 ]
    surface predict ap1000 --efficiency 80
    [ "$stderr" = "motley: --efficiency '80': efficiencies are above 0 and at most 1, as '0.5,0.8'" ]
    surface predict ap1000 --nodes 8:4
    [ "$stderr" = "motley: --nodes '8:4': 8 is more than 4: FROM:TO goes up" ]
    surface compare ap1000:B cenju-3:B --nodes 1:1e15
    [ "$status" = 2 ]
    [ "$stderr" = "motley: --nodes '1:1e15': a machine has 1000000 nodes at most" ]
    surface compare ap1000 ap1000:A
    [ "$status" = 2 ]
    [[ "$stderr" = "motley: 'ap1000' and 'ap1000:A' are the same: "* ]]
    surface predict ap1000 --base 8:16
    [ "$stderr" = "motley: --base '8:16': one number is needed" ]
    surface predict nosuch
    [ "$status" = 1 ]
    [[ "$stderr" = "motley: no such name in 'machines': 'nosuch'"* ]]
    surface predict ap1000:Z
    [ "$status" = 2 ]
    [[ "$stderr" = *"Z"* ]]
}

@test "the help explains the actions" {
    surface --help
    [[ "$output" = *"  predict MACHINE[:ALGORITHM]
      efficiency, speed and time over sizes and nodes"* ]]
}

@test "levels of efficiency and limits that are known by hand" {
    # At least 50 %: N^2/P >= 1000 (P - 1), and 8 N^2/P within the cache; memory: 1 MB.
    surface predict ./toy.yaml --json --size 8,300,2000 --nodes 1,2,16 --efficiency 0.5
    [ "$status" = 0 ]
    jq -e '[.iso_efficiency[] | [.nodes, .smallest, .largest]] ==
        [[1, 8, 353], [2, 45, 447], [16, 490, 1264]]' <<<"$output"
}

@test "report: its data are those of predict" {
    motley surface predict --json --base 512 --efficiency 0.2,0.5 cenju-3 >predict.json
    motley surface report --base 512 --efficiency 0.2,0.5 -o page.html cenju-3
    sed -n '/<script type="application\/json">/{n;p}' page.html >report.json
    jq -n -e --slurpfile p predict.json --slurpfile r report.json '
        def rounded: walk(if type == "number" and . != 0 then fabs | log * 1e6 | round else . end);
        ($p[0] | del(.schema, .version) | rounded) == ($r[0].prediction | rounded) and
        ($p[0].points | length) > 100'
}

@test "report: a page in a file, which is not replaced when it is another's" {
    surface report ./quick.yaml --size 8:512 -o page.html
    [ "$status" = 0 ]
    [ -z "$output" ]
    grep -q '<title>quick ring</title>' page.html
    surface report ./quick.yaml --size 8:512 -o page.html
    [ "$status" = 0 ]
    echo mine >other.html
    surface report ./quick.yaml --size 8:512 -o other.html
    [ "$status" = 2 ]
    [[ "$stderr" = *"'other.html' is not a page of motley; --force replaces it"* ]]
    [ "$(<other.html)" = mine ]
    surface report ./quick.yaml --size 8:512 --force -o other.html
    [ "$status" = 0 ]
    surface report ./quick.yaml --size 8:512
    [ "$status" = 2 ]
    [[ "$stderr" = *"give --output FILE.html"* ]]
    sed 's/^name: toy/name: "<b>"/' toy.yaml >named.yaml
    surface report ./named.yaml --size 8:512 -o page.html
    [ "$status" = 0 ]
    grep -q '<title>&lt;b&gt; ring' page.html
    ! grep -q '<b>' page.html
}

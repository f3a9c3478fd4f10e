# motley scaling: from a table of runs to how many nodes to ask for.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    answer='.points[] | select(.answer)'
    # OpenMC on a KNL partition, as in an issue of its users
    printf 'nodes,seconds\n1,3626\n2,1883\n4,979\n8,538\n' >runs.csv
}

# scaling ARGUMENT...
scaling() {
    run --separate-stderr motley scaling "$@"
}

# refused STATUS WORDS: nothing is printed, and the message is that
refused() {
    [ "$status" = "$1" ]
    [ "$output" = "" ]
    [[ "$stderr" = *"motley: $2"* ]]
}

# ask FILTER ARGUMENT...: what jq's filter finds in the JSON
ask() {
    motley scaling --json "${@:2}" 2>/dev/null | jq -c "$1"
}

@test "the table of the manual: what was measured, what is predicted, and the answer" {
    scaling --efficiency 75% runs.csv
    [ "$status" = 0 ]
    [ "$stderr" = "" ]
    [ "${lines[0]}" = "runs.csv" ]
    [[ "${lines[1]}" = "nodes "*measured*speed-up*efficiency*predicted*"90 % interval"*chance ]]
    [[ "${lines[2]}" =~ ^\ +1\ +"1 h 00 min"\ +1\ +"100.0 %"$ ]]
    [[ "${lines[5]}" =~ ^\ +8\ +"538.0 s"\ +6.74\ +"84.2 %"$ ]]
    [[ "${lines[6]}" =~ ^\ +11\ +-\ +8\.[0-9]+\ +"7"[0-9.]+\ %\ +4[0-9.]+\ s\ .*8[0-9.]+\ %$ ]]
    [[ "${lines[7]}" =~ ^\ +16\ +- ]]
    [[ "${lines[8]}" = "largest number of nodes with at least 75 % efficiency: 11 (8"[0-9]" % confident; measured up to 8)" ]]
    [ "${#lines[@]}" = 9 ]
}

@test "standard input is read, with or without a dash, and after a byte order mark" {
    expected=$(motley scaling runs.csv | tail -1)
    [ "$(motley scaling <runs.csv | tail -1)" = "$expected" ]
    [ "$(motley scaling - <runs.csv | tail -1)" = "$expected" ]
    [ "$( (printf '\xef\xbb\xbf'; cat runs.csv) | motley scaling | tail -1)" = "$expected" ]
}

@test "more confidence or more efficiency are fewer nodes" {
    nodes=
    for options in '--confidence 0.5' '' '--confidence 0.95' '--efficiency 0.8' '--efficiency 90%'; do
        nodes+="$(ask "$answer.nodes" $options runs.csv) "
    done
    read -r even usual sure high higher <<<"$nodes"
    [ "$even" -gt "$usual" ]
    [ "$usual" -gt "$sure" ]
    [ "$usual" -gt "$high" ]
    [ "$high" -gt "$higher" ]
    [ "$(ask '[.efficiency, .confidence]' runs.csv)" = '[0.7,0.8]' ]
}

@test "efficiency is relative to the fewest nodes, and 1 there" {
    printf 'nodes,seconds\n4,100\n8,60\n16,40\n' >four.csv
    scaling four.csv
    [[ "$output" = *"speed-up and efficiency are relative to 4 nodes"* ]]
    [ "$(ask '[.points[] | select(.runs > 0) | [.nodes, .speedup, .efficiency]]' four.csv |
        jq -c 'map(map(. * 1000 | round))')" = '[[4000,4000,1000],[8000,6667,833],[16000,10000,625]]' ]
}

@test "where the largest runs have the efficiency no more, the answer is between" {
    printf '16,304\n32,199.5\n' >>runs.csv
    [ "$(ask "$answer | .nodes > 16 and .nodes < 32 and (.open | not)" runs.csv)" = true ]
    # and a number that ran is known
    scaling --efficiency 74% runs.csv
    [[ "$output" = *"largest number of nodes with at least 74 % efficiency: 16 (measured)" ]]
    [ "$(ask "$answer.chance" --efficiency 74% runs.csv)" = 1 ]
}

@test "runs that scale well: never more than four times what ran" {
    printf 'nodes,seconds\n1,1600\n2,800\n4,400\n8,200\n16,100\n' >ideal.csv
    scaling --efficiency 10% ideal.csv
    [[ "$output" = *"efficiency: 64 or more ("*" % confident, a guess; measured up to 16)" ]]
    [ "$(ask "$answer.open" --efficiency 10% ideal.csv)" = true ]
}

@test "repeated runs are one point, their median" {
    printf '8,500\n8,600\n' >>runs.csv
    scaling runs.csv
    [[ "$output" = *" 8  3 x 538.0 s "* ]]
    [ "$(ask '.points[] | select(.nodes == 8) | [.runs, .measured]' runs.csv)" = '[3,538]' ]
}

@test "sizes, groups, processes and threads are series of their own" {
    cat >all.csv <<'END'
group,nodes,ppn,size,seconds
old,1,4,100,80
old,2,4,100,42
old,1,4,200,160
old,2,4,200,81
new,1,8,100,40
new,2,8,100,21
new,1,16,100,30
new,2,16,100,18
new,2,16,400,70
END
    scaling all.csv
    [ "$status" = 0 ]
    [ "$stderr" = "motley: left out because nothing like them ran on other numbers of nodes: 1 runs" ]
    [ "$(grep '^[on]' <<<"$output" | grep -v nodes)" = "new, N = 100, 8 processes a node
new, N = 100, 16 processes a node
old, N = 100, 4 processes a node
old, N = 200, 4 processes a node" ]
    printf 'configuration,size,seconds\nx:1x2t4,5,80\nx:2x2t4,5,41\nx:1x8,5,90\nx:2x8,5,46\nx:1x8+y:1x8,5,50\n' >threads.csv
    [ "$(ask '[.left_out, ([.points[] | [.processes, .threads]] | unique)]' threads.csv)" = '[1,[[2,4],[8,1]]]' ]
}

@test "weak scaling, when the size grows with the nodes" {
    printf 'nodes,size,seconds\n1,1000,100\n2,2000,104\n4,4000,109\n8,8000,118\n' >weak.csv
    scaling weak.csv
    [[ "$output" = *"weak scaling, as N grows with the nodes: "* ]]
    [[ "$output" = *" 8000      8   118.0 s      6.78      84.7 %"* ]]
    [ "$(ask '.points[] | select(.nodes == 16) | [.weak, (.size | round)]' weak.csv)" = '[true,16000]' ]
    # N as that of a matrix: N^3 grows as the nodes
    printf 'nodes,size,seconds\n1,1000,100\n8,2000,104\n27,3000,109\n' >cubes.csv
    [ "$(ask '.points[] | select(.nodes == 54) | .size | round' cubes.csv)" = 3780 ]
    # one size on two numbers of nodes is strong scaling
    printf '8,4000,60\n' >>weak.csv
    [ "$(ask '[.points[].weak] | any' weak.csv)" = false ]
}

@test "--csv has all rows, and what --json has" {
    motley scaling --csv runs.csv >rows.csv
    [ "$(head -1 rows.csv)" = group,processes,threads,gpus,weak,size,nodes,measured,runs,speedup,efficiency,seconds,low,high,extrapolated,unseen,chance,answer,open ]
    [ "$(grep -c '' rows.csv)" = 7 ]
    [ "$(grep ',true,false$' rows.csv | cut -d, -f7)" = "$(ask "$answer.nodes" runs.csv)" ]
    [ "$(ask '[.schema, .version, .simulated]' runs.csv)" = '["motley/scaling",1,false]' ]
}

@test "--plot: speed-up, efficiency, the points and the answer" {
    command -v gnuplot || skip "no gnuplot"
    motley scaling --plot proposal.svg runs.csv
    grep -q 'Scaling of runs.csv' proposal.svg
    grep -q 'speed-up' proposal.svg
    grep -q 'efficiency' proposal.svg
    scaling --plot proposal.pdf runs.csv
    refused 2 "--plot: unknown kind of picture: 'proposal.pdf'"
    scaling --plot term --json runs.csv
    refused 2 "--plot=term and --json exclude each other"
}

@test "columns of others: other names, other units, ranks alone" {
    printf 'n;t\n1;60\n2;31\n4;17\n' >others.csv
    [ "$(ask '.points[2].measured' --columns nodes=n,seconds=t:min others.csv)" = 1020 ]
    printf 'ranks,seconds\n16,2\n32,1.1\n' >ranks.csv
    [ "$(ask '[.points[] | select(.runs > 0).nodes] | max' ranks.csv)" = 32 ]
    printf 'nodes,ranks,seconds\n1,16,2\n2,32,1.1\n' >both.csv
    [ "$(ask '.points[1] | [.nodes, .processes]' both.csv)" = '[2,16]' ]
}

@test "all that import reads: Markdown, clocks, threads, --where, rates" {
    cat >notes.md <<'END'
| nodes | time      | threads | metric |
|-------|-----------|---------|--------|
| 1     | 1:00:26   | 4       | wall   |
| 2     | 0:31:23   | 4       | wall   |
| 4     | 16.3 min  | 4       | wall   |
| 8     | 538 s     | 4       | wall   |
| 8     | 38 s      | 4       | init   |
| 16    |           | 4       | wall   |
END
    scaling --columns nodes,seconds=time,threads --where metric=wall notes.md
    [ "$status" = 0 ]
    [ "${lines[0]}" = "notes.md, 4 threads each" ]
    [[ "$output" = *"efficiency: 13 (8"[0-9]" % confident; measured up to 8)" ]]
    # of a figure of which more is better, too
    printf 'nodes,figure\n1,100\n2,195\n4,370\n' >figures.csv
    [ "$(ask '.points[2].efficiency * 1000 | round' --columns nodes,rate=figure figures.csv)" = 925 ]
}

@test "runs of motley export, of several programs, some failed and some simulated" {
    cat >export.csv <<'END'
cluster,program,configuration,size,outcome,seconds,simulated
lab,lu,xeon:1x2,400,ok,100,true
lab,lu,xeon:2x2,400,ok,52,true
lab,lu,xeon:4x2,400,timeout,,true
lab,fft,xeon:1x2,400,ok,10,true
lab,fft,xeon:2x2,400,ok,8,true
END
    scaling export.csv
    [ "$stderr" = "motley: left out because they failed or used several groups: 1 runs" ]
    [[ "$output" = "fft lab xeon, N = 400, 2 processes a node (simulated)"*"lu lab xeon, N = 400, 2 processes a node (simulated)"* ]]
}

@test "what tells nothing about scaling is refused" {
    : >empty.csv
    scaling empty.csv
    refused 2 "no runs in 'empty.csv'"
    printf 'nodes,seconds\n' >header.csv
    scaling header.csv
    refused 2 "no runs in 'header.csv'"
    printf 'nodes,seconds\n4,10\n4,11\n' >one.csv
    scaling one.csv
    refused 1 "one.csv: every size ran on one number of nodes only"
    printf 'nodes,seconds\n4,-10\n8,3\n' >negative.csv
    scaling negative.csv
    refused 2 "negative.csv:2: seconds are not positive: '-10'"
    printf 'nodes,seconds\n1.5,10\n8,3\n' >half.csv
    scaling half.csv
    refused 2 "half.csv:2: nodes (nodes) is no whole number above 0: '1.5'"
    printf 'nodes,seconds\n2000000,10\n8,3\n' >huge.csv
    scaling huge.csv
    refused 2 "huge.csv: configuration '-:2000000x1': nodes are a whole number from 1 to 1000000"
    for nodes in 1048576 2.5 -3 -1e300 1e300 nan; do
        printf 'configuration,seconds\nx:%sx1,10\nx:8x1,3\n' $nodes >nodes.csv
        scaling nodes.csv
        refused 2 "nodes.csv: configuration 'x:${nodes}x1': nodes are a whole number from 1 to 1000000"
    done
    printf 'hosts,seconds\nn1,10\n"n1,n2",6\n' >hosts.csv
    scaling hosts.csv
    refused 2 "hosts.csv:2: hosts are not counted here: give '--columns nodes=NAME,...'"
    printf 'nodes,size\n1,10\n2,10\n' >times.csv
    scaling times.csv
    refused 2 "times.csv:1: which column is the time is not said: give '--columns seconds=NAME,...'"
    printf '1 3626\n2 1883\n' >names.csv
    scaling names.csv
    refused 2 "names.csv:1: which column is the number of nodes is not said"
    scaling absent.csv
    refused 1 "cannot open 'absent.csv'"
}

@test "options that are no shares are refused" {
    for share in 120% 0 0% 75 -5% x nan 0.7x; do
        scaling --efficiency "$share" runs.csv
        refused 2 "--efficiency: '$share' is "
        [[ "$stderr" = *"75% or 0.75"* ]]
    done
    scaling --confidence 0.4 runs.csv
    refused 2 "--confidence: '0.4' is not a number from 0.5 to 0.999"
    scaling --csv --plot term runs.csv
    refused 2 "--csv and --plot=term exclude each other"
    scaling --csv --json runs.csv
    refused 2 "--csv and --json exclude each other"
    scaling runs.csv runs.csv
    refused 2 "one argument too many: 'runs.csv'"
}

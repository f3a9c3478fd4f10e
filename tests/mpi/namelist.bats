# A real MPI program that reads its size from a file: from 'motley init' to measured runs.
# NAMELIST is the program, LAUNCHER the name of its MPI.

bats_require_minimum_version 1.5.0

@test "init --input finds the size, proves it, and the files can be measured" {
    cd "$BATS_TEST_TMPDIR"
    cp "$NAMELIST" solver
    printf '&grid\n  dt = 0.5, nx = 400, ny = 7\n/\n' >run.nml
    run --separate-stderr motley init --program ./solver --input run.nml --size nx
    echo "$output" "$stderr"
    [ "$status" = 0 ]
    [[ "$output" = *"program.yaml: N = 100 takes "*"N = "[24]"00 takes "* ]]
    printf '%s\n' 'name: here' "launcher: $LAUNCHER" \
        'groups: [{name: cpu, hosts: localhost, processes: [1, 2]}]' >here.yaml
    sed -i "s/^time: .*/time: {match: 'time ([0-9.eE+-]+) s'}/" program.yaml
    motley measure --quiet --sizes 100,400 here.yaml program.yaml
    motley show --json runs >runs.json
    [ "$(jq -r '.runs[] | select(.outcome == "ok") | "\(.configuration) \(.size)"' runs.json | sort | xargs)" = \
        "cpu:1x1 100 cpu:1x1 400 cpu:1x2 100 cpu:1x2 400" ]
}

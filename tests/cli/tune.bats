# motley tune on this machine, and on nodes by a launcher that is made up.

load fake

setup() {
    cd "$BATS_TEST_TMPDIR" || return 1
    export XDG_CACHE_HOME=$PWD/cache TMPDIR=$PWD OPENBLAS_NUM_THREADS=1
    unset MOTLEY_STRASSEN_CUTOFF
}

# machines FILTER: of what --show says
machines() {
    motley tune --show --json | jq -c ".machines$1"
}

# The file that is kept, whatever this machine is.
kept() {
    ls cache/motley/strassen-*-1.txt
}

write_numbers() {
    printf '%s: 100\n' {overwrite,accumulate}' '{rows,columns,depth} >"$1"
}

@test "nothing was measured: a guess, and why" {
    run --separate-stderr motley tune --show
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [[ "${lines[0]}" =~ ^node\ +processor\ +BLAS\ +threads\ +C\ +squares ]]
    [[ "${lines[1]}" =~ \ 1\ +"= A B"\ +2500\ +833\ +833\ +833\ +guessed$ ]]
    [[ "${lines[-1]}" == "guessed, as nothing was measured: $PWD/cache/motley/strassen-"*": No such file or directory" ]]
    [ ! -e cache ]
}

@test "--quick keeps what it finds, in a file of the kind of machine" {
    run --separate-stderr motley tune --quick
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    [[ "$output" == *measured* ]]
    [ "${lines[-1]}" = "kept in $PWD/$(kept)" ]
    [ "$(find cache -type f | wc -l)" = 1 ]
    [ "$(machines '[0] | [.source, .file, .threads]')" = "[\"measured\",\"$PWD/$(kept)\",1]" ]
    grep -qxF "processor: $(machines '[0].processor' | jq -r .)" "$(kept)"
    [ "$(machines '[0].overwrite.rows')" = "$(sed -n 's/^overwrite rows: //p' "$(kept)")" ]
}

@test "what is kept is shown; null is never" {
    mkdir -p cache/motley
    local file
    file=$(machines '[0].file' | jq -r .)
    write_numbers "$file"
    sed -i 's/^accumulate depth: .*/accumulate depth: never/' "$file"
    [ "$(machines '[0].overwrite')" = '{"rows":100,"columns":100,"depth":100}' ]
    [ "$(machines '[0].accumulate.depth')" = null ]
    run motley tune --show
    [[ "${lines[2]}" =~ \ 1\ +"+= A B"\ +never\ +100\ +100\ +never\ +measured$ ]]
}

@test "old kernels of OpenBLAS have files of their own, and the better ones are named" {
    grep -qw avx2 /proc/cpuinfo || skip "the processor has no AVX2"
    export OPENBLAS_CORETYPE=Prescott
    [[ "$(machines '[0].blas')" = *"OpenBLAS "*" Prescott\"" ]] || skip "no OpenBLAS with several kernels"
    [[ "$(machines '[0].file')" = *-Prescott-1.txt\" ]]
    core=$(machines '[0].better_core' | jq -r .)
    run --separate-stderr motley tune --show
    [[ "${lines[-2]}" = *": the kernels of 'OpenBLAS "*" Prescott' do not use "*": set OPENBLAS_CORETYPE=$core "* ]]
    export OPENBLAS_CORETYPE=$core
    [ "$(machines '[0].better_core')" = null ]
}

@test "a broken file is told of, and is not used" {
    mkdir -p cache/motley
    local file
    file=$(machines '[0].file' | jq -r .)
    write_numbers "$file"
    echo "blas: Another" >>"$file"
    [ "$(machines '[0].source')" = '"guessed"' ]
    run motley tune --show
    [ "$status" = 0 ]
    [ "${lines[-1]}" = "guessed, as nothing was measured: $file:7: broken, or of another kind of machine" ]
}

@test "what a motley with products of its own has found is to be found again" {
    mkdir -p cache/motley
    local file
    file=$(machines '[0].file' | jq -r .)
    write_numbers "$file"
    sed -i '1i kernel: yes' "$file"
    [ "$(machines '[0].source')" = '"guessed"' ]
    run motley tune --show
    [ "$status" = 0 ]
    [ "${lines[-1]}" = "guessed, as nothing was measured: $file:1: found by an older motley, with products of its own: run 'motley tune' again" ]
}

@test "the variable forces the cut-off" {
    export MOTLEY_STRASSEN_CUTOFF=12
    [ "$(machines '[0] | [.source, .overwrite.rows, .accumulate.depth]')" = '["forced",4,4]' ]
    run --separate-stderr motley tune --show
    [[ "${lines[-1]}" == "forced by MOTLEY_STRASSEN_CUTOFF"* ]]
    MOTLEY_STRASSEN_CUTOFF=many run --separate-stderr motley tune --show
    [ "$status" = 0 ]
    [ "$stderr" = "motley-strassen: MOTLEY_STRASSEN_CUTOFF=many: not a whole number above 0; it is ignored" ]
    [[ "${lines[1]}" == *guessed ]]
}

@test "a cache folder that cannot be written is said before anything is measured" {
    touch cache
    run --separate-stderr motley tune
    [ "$status" = 1 ]
    [[ "${stderr_lines[0]}" == "motley-tune: cannot write '$PWD/cache/motley/strassen-"*"-1.txt': Not a directory" ]]
    [[ "${stderr_lines[1]}" == "motley: "*"motley-tune' failed"* ]]
    [ -z "$output" ]
}

@test "one node of each group, through the launcher" {
    mkdir bin
    cat >bin/mpirun <<'END'
#!/bin/sh
[ "$1" = --version ] && { echo "mpirun (Open MPI) http://www.open-mpi.org/"; exit; }
cut -d' ' -f1 "$2" >hosts.used
while [ "$1" != -np ]; do shift; done
shift 2
echo "a warning of the launcher's"
while read -r host; do
    "$@" | sed "s/\"host\":\"[^\"]*\"/\"host\":\"$host\"/"
done <hosts.used
END
    chmod +x bin/mpirun
    cat >lab.yaml <<'END'
name: lab
launcher: openmpi
groups:
  - {name: a, hosts: 'a[1-3]', processes: [1]}
  - {name: b, hosts: b1, processes: [1]}
END
    PATH=$PWD/bin:$PATH run --separate-stderr motley tune --show --json ./lab.yaml
    [ "$status" = 0 ]
    [ "$(xargs <hosts.used)" = "a1 b1" ]
    jq -e '.machines | map(.host) == ["a1", "b1"]' <<<"$output"

    printf '#!/bin/sh\n[ "$1" = --version ] && echo open-mpi.org && exit\necho "no route"; exit 1\n' >bin/mpirun
    PATH=$PWD/bin:$PATH run --separate-stderr motley tune --show ./lab.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: motley-tune failed on the nodes: no route" ]
}

@test "what cannot be tuned" {
    run --separate-stderr motley tune toyohashi-2
    [ "$status" = 2 ]
    [ "$stderr" = "motley: cluster 'toyohashi-2' is simulated: it has no processors to tune for" ]
    run --separate-stderr motley tune toyohashi-2 more
    [ "$status" = 2 ]
    [[ "$stderr" == *"one argument too many: 'more'" ]]
    run --separate-stderr motley tune --show --quick
    [ "$status" = 2 ]
}

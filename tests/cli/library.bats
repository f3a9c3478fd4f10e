# A program that links libmotley alone plans as `motley plan` does.

load lab

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab us
    write_mpirun
    write_program 'case $2 in
        3) echo "time 40 us" ;;
        *) awk -v n=$1 -v p=$2 "BEGIN { print \"time\", 1.2 * n / p + p, \"us\" }" ;;
    esac'
}

# by_both SIZE: the best configuration and its seconds as the command has them; fails
# unless the library has the same, to the last digit
by_both() {
    local configuration seconds
    read -r configuration seconds <<<"$(plan-by-library lab.yaml toy.yaml motley.db "$1")"
    motley plan --json --top 1 --size "$1" ./lab.yaml ./toy.yaml |
        jq -er --arg configuration "$configuration" --argjson seconds "$seconds" '
            .choices[0] | select(.configuration == $configuration and .seconds == $seconds)
            | "\(.configuration) \(.seconds)"'
}

@test "the library plans as the command does" {
    [[ "$(by_both 100)" = "a:3x1 "* ]]
    by_both 18
    by_both 200
}

@test "also where runs correct the models, and with models that the command stored" {
    motley run --size 100 --configuration a:3x1 ./lab.yaml ./toy.yaml
    [[ "$(by_both 100)" = "a:3x1 4e-05" ]] # before a:3x1+b:3x1, which is a guess
    motley run --size 100 --configuration a:2x1+b:3x1 ./lab.yaml ./toy.yaml
    [[ "$(by_both 100)" = "a:3x1+b:3x1 "* ]]
    by_both 100
    by_both 90
}

@test "the library says why there is no plan" {
    run plan-by-library lab.yaml toy.yaml absent.db 100
    [ "$status" = 1 ]
    [[ "$output" = "no store 'absent.db'"* ]]
}

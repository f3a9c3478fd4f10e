# The command line as a whole: help, versions, usage errors.

bats_require_minimum_version 1.5.0

@test "without a command: usage on stderr, exit 2" {
    run --separate-stderr motley
    [ "$status" = 2 ]
    [ -z "$output" ]
    [[ "$stderr" = "Usage: motley COMMAND"* ]]
}

@test "help lists every command with its summary" {
    run motley help
    [ "$status" = 0 ]
    for command in $(motley --list-commands); do
        [[ "$output" =~ "  $command "+[A-Z] ]]
    done
}

@test "--version prints the version" {
    run motley --version
    [ "$status" = 0 ]
    [[ "$output" =~ ^motley\ [0-9]+\.[0-9]+\.[0-9]+$ ]]
}

@test "an unknown command is a usage error that names it" {
    run --separate-stderr motley mesure
    [ "$status" = 2 ]
    [ "$stderr" = "motley: unknown command: 'mesure'; did you mean 'measure'?" ]
    run --separate-stderr motley dance
    [ "$status" = 2 ]
    [ "$stderr" = "motley: unknown command: 'dance'; 'motley help' lists them" ]
}

@test "every command has -h, --help and 'help COMMAND', all the same" {
    for command in $(motley --list-commands); do
        short=$(motley "$command" -h)
        [ "$short" = "$(motley "$command" --help)" ]
        [ "$short" = "$(motley help "$command")" ]
        [[ "$short" = "Usage: motley $command [OPTION...]"* ]]
    done
}

@test "every command refuses an unknown option and names it" {
    for command in $(motley --list-commands); do
        run --separate-stderr motley "$command" --no-such-option
        [ "$status" = 2 ]
        [ "$stderr" = "motley: unknown option: '--no-such-option'; see 'motley $command --help'" ]
    done
}

# refuses MESSAGE ARGUMENT...
refuses() {
    local message=$1
    shift
    run --separate-stderr motley "$@"
    echo "$* -> $stderr"
    [ "$status" = 2 ]
    [ "$stderr" = "motley: $message" ]
}

@test "mistyped options and actions are guessed" {
    refuses "unknown option: '--repat'; did you mean '--repeat'?" measure --repat 3
    refuses "unknown option: '--hostfil=x'; did you mean '--hostfile'?" plan --hostfil=x
    refuses "unknown option: '--hlep'; did you mean '--help'?" show --hlep
    refuses "unknown action: 'predct'; did you mean 'predict'?" surface predct
    refuses "unknown action: 'paln'; did you mean 'plan'?" strassen paln
}

@test "every option that takes a number refuses others by one message" {
    local whole="a whole number from"
    while IFS='|' read -r words option range; do
        for value in 0.5x '' -1 nan inf 1e999 "1 2"; do
            # shellcheck disable=SC2086
            refuses "$option: '$value' is not $range" $words "$option" "$value"
        done
        [ ! -e motley.db ]
    done <<END
measure a b|--runs|$whole 1 to 1000000
measure a b|--repeat|$whole 1 to 1000000
measure a b|--seed|$whole 0 to 2147483647
measure a b|--jobs|$whole 1 to 1024
fit a b|--glitch-k|a number from 0 to 1
fit a b|--glitch-tolerance|$whole 0 to 1000000
evaluate a b|--glitch-k|a number from 0 to 1
plan a b|--top|$whole 1 to 1000000
plan a b|--budget|a number above 0
plan a b|--max-nodes|$whole 1 to 1000000
plan a b --size 9|--verify|$whole 1 to 1000000, or 'auto'
run a b|--budget|a number above 0
run a b|--max-nodes|$whole 1 to 1000000
run a b|--seed|$whole 0 to 2147483647
show runs|--size|a number above 0
strassen plan a|--most|$whole 1 to 1024
strassen measure a|--repeat|$whole 1 to 1000000
strassen measure a|--seed|$whole 0 to 2147483647
END
    refuses "--jobs: '0' is not $whole 1 to 1024" measure a b --jobs 0
    refuses "--most: '0' is not $whole 1 to 1024" strassen plan a --most 0
    refuses "--most: '1025' is not $whole 1 to 1024" strassen plan a --most=1025
}

@test "every option that takes sizes, times and speeds names itself" {
    local list="is not a number above 0, or several separated by commas"
    refuses "--size: '' $list" plan a b --size ''
    refuses "--size: '0' $list" plan a b --size 5,0
    refuses "--size: '1e999' $list" predict toyohashi-2 lu --size 1e999
    refuses "--sizes: '-5' $list" measure toyohashi-2 lu --sizes 5,-5
    refuses "--sizes: 5 comes twice" measure toyohashi-2 lu --sizes 5,5
    refuses "--sizes: 'nan' $list" strassen measure toyohashi-2 --sizes nan
    refuses "--timeout: '0 s' is not above 0" measure toyohashi-2 lu --timeout '0 s'
    refuses "--budget: a unit is missing: '5' (units: ns us ms s min h)" \
        measure toyohashi-2 lu --budget 5
}

@test "what is wrong with other options names them, too" {
    cd "$BATS_TEST_TMPDIR"
    # shellcheck source=lab.bash
    . "$BATS_TEST_DIRNAME/lab.bash"
    write_lab
    local form="not of the form group:NODESxPROCESSES[tTHREADS][gGPUS][@BINDING] at column 1"
    local kinds="(give a file that ends in .svg or .png, or 'term' for the terminal)"
    set -- ./lab.yaml ./toy.yaml
    refuses "--model: unknown kind of model: 'x' (known: auto, n-t, p-t, np-t)" fit "$@" --model x
    refuses "--model: unknown kind of model: 'x' (known: auto, n-t, p-t, np-t)" \
        evaluate "$@" --sizes 10 --model auto,x
    refuses "--objective: 'x' is not time, price or energy" plan "$@" --size 9 --objective x
    refuses "--terms: the text ends at column 1: expected a number, a name or '('" \
        fit "$@" --terms ''
    refuses "--plot: unknown kind of picture: 'x.gif' $kinds" predict "$@" --plot x.gif
    refuses "--configuration: $form: ''" predict "$@" --size 9 --configuration ''
    refuses "--configuration: $form: ''" run "$@" --size 9 --configuration ''
    refuses "--configuration: $form: ''" strassen plan ./lab.yaml --size 9 --configuration ''
    refuses "--configuration: $form: 'x'" measure "$@" --configuration a:1x1,x
    refuses "--cut: unknown kind of partition 'x': one of equal, greedy, recursive, auto" \
        strassen plan ./lab.yaml --size 9 --cut x
    refuses "--sizes: '16777216' is not a whole number from 1 to 16777215" \
        strassen measure ./lab.yaml --sizes 16777216
}

@test "the arguments are looked at first, and found in the wrong order" {
    cd "$BATS_TEST_TMPDIR"
    # shellcheck source=lab.bash
    . "$BATS_TEST_DIRNAME/lab.bash"
    write_lab
    for command in measure fit predict plan run evaluate; do
        refuses "a cluster and a program are needed" "$command"
        refuses "one argument too many: 'c'" "$command" a b c
    done
    refuses "'./toy.yaml' is a program and './lab.yaml' a cluster: the cluster comes first" \
        fit ./toy.yaml ./lab.yaml
    refuses "./toy.yaml:2: unknown key 'command'" fit ./toy.yaml ./toy.yaml
    mkdir folder
    run --separate-stderr motley init --from hostfile=folder --cluster c.yaml
    [ "$status" = 1 ]
    [ "$stderr" = "motley: cannot read 'folder': Is a directory" ]
}

@test "--list-options is what --help shows" {
    for command in $(motley --list-commands); do
        help=$(motley "$command" --help)
        for option in $(motley --list-options "$command"); do
            [[ "$help" = *"$option"* ]]
        done
    done
}

@test "output that cannot be written is a failure" {
    run --separate-stderr sh -c 'motley help >/dev/full'
    [ "$status" = 1 ]
    [ "$stderr" = "motley: the output could not be written" ]
}

# complete WORD...: what bash offers for the last word
complete_words() {
    # shellcheck source=/dev/null
    (complete() { :; }
        . "$BATS_TEST_DIRNAME/../../completions/motley.bash"
        _motley_words "$@")
}

@test "a mistyped cluster or program: what may have been meant, or what is shipped" {
    cd "$BATS_TEST_TMPDIR"
    names() {
        run --separate-stderr motley plan --size 100 "$@"
        [ "$status" = 1 ]
    }
    names toyohashi2 lu
    [ "$stderr" = "motley: no such name in 'clusters': 'toyohashi2'; did you mean 'toyohashi-2'?" ]
    names toyohashi-2 jacoby
    [ "$stderr" = "motley: no such name in 'programs': 'jacoby'; did you mean 'jacobi'?" ]
    names toyohashi-2 hydro
    shipped=$(cd "$SOURCE_ROOT/programs" && LC_ALL=C ls *.yaml | sed 's/\.yaml$//' | paste -sd, | sed 's/,/, /g')
    [ "$stderr" = "motley: no such name in 'programs': 'hydro' (the path of a file ends in .yaml or has a '/'; shipped are $shipped)" ]
    touch mine.yml
    names mine.yml lu
    [ "$stderr" = "motley: no such name in 'clusters': 'mine.yml'; the file of that name is './mine.yml'" ]
    mkdir cases
    touch hpl.yaml cases/big.yaml
    names toyohashi-2 hpl
    [ "$stderr" = "motley: no such name in 'programs': 'hpl'; did you mean 'hpl.yaml'?" ]
    names toyohashi-2 hpl.yml
    [ "$stderr" = "motley: no such name in 'programs': 'hpl.yml'; did you mean 'hpl.yaml'?" ]
    missing() {
        names "$@"
        [[ "$stderr" = "motley: cannot read "*": No such file or directory$suffix" ]] || { echo "$stderr"; return 1; }
    }
    suffix="; did you mean 'cases/big.yaml'?" missing toyohashi-2 cases/bog.yml
    suffix="; did you mean 'hpcc'?" missing toyohashi-2 programs/hplcc.yaml
    suffix="; did you mean 'toyohashi-2'?" missing clusters/toyohashi2.yaml lu
    suffix="; did you mean './hpl.yaml'?" missing toyohashi-2 ./hpll.yaml
    suffix= missing toyohashi-2 nothing/like.yaml
    suffix= missing nothing-like.yaml lu
}

@test "bash completes all commands, and all options of each" {
    diff <(complete_words motley '') <(echo help; motley --list-commands)
    for command in $(motley --list-commands); do
        diff <(complete_words motley "$command" --) <(motley --list-options "$command")
    done
}

@test "bash completes commands, options, and names of clusters and files" {
    [ "$(complete_words motley meas)" = measure ]
    [ "$(complete_words motley help meas)" = measure ]
    [ "$(complete_words motley measure --dry)" = --dry-run ]
    [ "$(complete_words motley plan --verify a)" = auto ]
    [ "$(complete_words motley plan --verify auto --obj)" = --objective ]
    [ "$(complete_words motley fit --model np)" = np-t ]
    [ "$(complete_words motley import --col)" = --columns ]
    [ "$(complete_words motley import --col)" = --columns ]
    [ "$(complete_words motley show m)" = models ]
    [ "$(complete_words motley testbed st)" = status ]
    [ "$(complete_words motley surface comp)" = compare ]
    [ "$(complete_words motley strassen pl)" = plan ]
    cd "$BATS_TEST_TMPDIR"
    mkdir clusters machines
    touch clusters/toyohashi-9.yaml machines/ap2000.yaml
    [ "$(complete_words motley surface predict ap2)" = ap2000 ]
    [ "$(complete_words motley measure toyohashi-9)" = toyohashi-9 ]
    [ "$(complete_words motley measure clust)" = clusters ]
    [ -z "$(complete_words motley nosuch --d)" ]
}

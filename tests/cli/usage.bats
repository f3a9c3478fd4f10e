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
    [ "$stderr" = "motley: unknown command: 'mesure'; 'motley help' lists them" ]
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
        COMP_WORDS=("$@") COMP_CWORD=$(($# - 1))
        _motley
        printf '%s\n' "${COMPREPLY[@]}")
}

@test "bash completes commands, options, and names of clusters and files" {
    [ "$(complete_words motley meas)" = measure ]
    [ "$(complete_words motley help meas)" = measure ]
    [ "$(complete_words motley measure --dry)" = --dry-run ]
    [ "$(complete_words motley plan --verify a)" = auto ]
    [ "$(complete_words motley plan --verify auto --obj)" = --objective ]
    [ "$(complete_words motley fit --model np)" = np-t ]
    [ "$(complete_words motley import --col)" = --columns ]
    [ "$(complete_words motley import --reg)" = --region ]
    [ "$(complete_words motley import --separator t)" = tab ]
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

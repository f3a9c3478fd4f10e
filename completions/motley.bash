# Completion of motley's command line in bash. Commands and options come from motley
# itself, so that they cannot differ from it.

# The clusters, programs or machines of the current folder and of the installation.
_motley_names() {
    local shipped
    shipped=$(dirname "$(command -v motley)")/../share/motley
    find "$1" "$shipped/$1" -maxdepth 1 -name '*.yaml' 2>/dev/null |
        sed 's|.*/||; s|\.yaml$||'
}

# The words that an option takes, of those that take one of a few.
_motley_values() {
    case $1 in
    --verify) echo auto ;;
    --model) echo auto n-t p-t np-t ;;
    --objective) echo time price energy ;;
    --patient) echo auto never ;;
    --format)
        [ "${COMP_WORDS[1]}" != weights ] || echo list metis openfoam ;;
    esac
}

_motley() {
    local word=${COMP_WORDS[COMP_CWORD]}
    local command=${COMP_WORDS[1]}
    local values
    values=$(_motley_values "${COMP_WORDS[COMP_CWORD - 1]}")
    if [ "$COMP_CWORD" = 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "help $(motley --list-commands)" -- "$word")
    elif [[ $command = help ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(motley --list-commands)" -- "$word")
    elif [[ -n $values ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$values" -- "$word")
    elif [[ $word = -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(motley --list-options "$command" \
            2>/dev/null)" -- "$word")
    elif [[ $command = show && $COMP_CWORD = 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "runs models links lateness" -- "$word")
    elif [[ $command = testbed && $COMP_CWORD = 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "up down status exec" -- "$word")
    elif [[ $command = surface && $COMP_CWORD = 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "predict report compare fit evaluate" -- \
            "$word")
    elif [[ $command = strassen && $COMP_CWORD = 2 ]]; then
        mapfile -t COMPREPLY < <(compgen -W "measure plan report run" -- "$word")
    else
        mapfile -t COMPREPLY < <(compgen -f -- "$word"
            compgen -W "$(_motley_names clusters; _motley_names programs)" -- "$word"
            [[ $command != surface ]] ||
                compgen -W "$(_motley_names machines)" -- "$word")
    fi
}

# _motley_words motley WORD...: what is offered for the last word, a line each; other shells
# call it.
_motley_words() {
    COMP_WORDS=("$@")
    COMP_CWORD=$(($# - 1))
    _motley
    printf '%s\n' "${COMPREPLY[@]}"
}

complete -o filenames -F _motley motley

# Completion of motley's command line in fish: bash's.
function __motley_words
    set --local words (commandline --tokenize --cut-at-cursor --current-process)
    set --local share (dirname (command --search motley))/../share
    bash -c 'source "$0" && _motley_words "$@"' $share/bash-completion/completions/motley \
        $words (commandline --current-token --cut-at-cursor)
end
complete --command motley --no-files --arguments '(__motley_words)'

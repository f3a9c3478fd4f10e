# The tour of README.md, typed as it stands: its commands work, and every line that it
# shows is printed (the simulated cluster is deterministic).

@test "the tour's commands print what README.md shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## A tour/,/^## /s/^    //p' "$SOURCE_ROOT/README.md" >tour
    grep '^\$ ' tour | sed 's/^\$ //' >commands
    [ "$(wc -l <commands)" -ge 4 ]
    bash -eux commands >printed
    grep -v -e '^\$ ' -e '^launch: \.\.\.$' tour >shown
    [ "$(wc -l <shown)" -ge 10 ]
    while IFS= read -r line; do
        grep -qxF -- "$line" printed || { echo "not printed: $line"; return 1; }
    done <shown
}

@test "the commands of surfaces work, and print what README.md shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## A machine that/,/^## /s/^    //p' "$SOURCE_ROOT/README.md" >section
    sed 's/^\$ //' section | grep '^motley' >commands
    [ "$(wc -l <commands)" -ge 5 ]
    bash -eux commands >printed
    grep -q '</svg>' map.svg
    sed '1,/^\$/d' section >shown
    [ "$(wc -l <shown)" -ge 6 ]
    while IFS= read -r line; do
        grep -qxF -- "$line" printed || { echo "not printed: $line"; return 1; }
    done <shown
}

@test "the commands of matrix products work, and print what README.md shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## Matrix products/,/^## /s/^    //p' "$SOURCE_ROOT/README.md" >section
    sed 's/^\$ //' section | grep '^motley strassen' >commands
    [ "$(wc -l <commands)" -ge 3 ]
    bash -eux commands >printed
    grep -q '</svg>' cut.svg
    sed '1,/^\$/d; /^motley/d; /^LD_PRELOAD/d' section >shown
    [ "$(wc -l <shown)" -ge 5 ]
    while IFS= read -r line; do
        grep -qxF -- "$line" printed || { echo "not printed: $line"; return 1; }
    done <shown
}

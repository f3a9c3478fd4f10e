# README.md and docs/TOUR.md, typed as they stand: their commands work, and every line that
# they show is printed (the simulated clusters are deterministic).

# shows_what_is_printed: every line of the file 'shown' is one of 'printed'
shows_what_is_printed() {
    while IFS= read -r line; do
        grep -qxF -- "$line" printed || { echo "not printed: $line"; return 1; }
    done <shown
}

# import_recorded CONDITION: those of the study's runs of lu on toyohashi-2 (the test
# recorded-truth simulates some again), as if they had been made here
import_recorded() {
    zcat "$SOURCE_ROOT/tests/data/heho/toyohashi-2-lu.csv.gz" |
        awk -F, "NR == 1 || $1" >recorded.csv
    motley import recorded.csv >/dev/null
}

@test "the command that README.md shows prints what it shows" {
    cd "$SOURCE_ROOT"
    grep -A 6 '^    \$ ' README.md | sed -n 's/^    //p' >"$BATS_TEST_TMPDIR/block"
    cd "$BATS_TEST_TMPDIR"
    sed -n 's/^\$ //p' block >commands
    [ "$(wc -l <commands)" -eq 1 ]
    (cd "$SOURCE_ROOT" && bash -eux "$BATS_TEST_TMPDIR/commands") >printed
    grep -v '^\$ ' block >shown
    [ "$(wc -l <shown)" -eq 5 ]
    shows_what_is_printed
}

@test "the tour's commands print what it shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## Plans/,/^## /s/^    //p' "$SOURCE_ROOT/docs/TOUR.md" >tour
    grep '^\$ ' tour | sed 's/^\$ //' >commands
    [ "$(wc -l <commands)" -ge 4 ]
    # Runs on both groups at once are known when all are asked for.
    sed '/--configuration all/Q' commands >first
    bash -eux first >printed
    import_recorded '($4 == 3200 || $4 == 9600) && $3 ~ /[+]/'
    sed -n '/--configuration all/,$p' commands >then
    [ -s then ]
    bash -eux then >>printed
    grep -v -e '^\$ ' -e '^launch: \.\.\.$' tour >shown
    [ "$(wc -l <shown)" -ge 10 ]
    shows_what_is_printed
}

@test "the commands of surfaces work, and print what the tour shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## A machine that/,/^## /s/^    //p' "$SOURCE_ROOT/docs/TOUR.md" >section
    sed 's/^\$ //' section | grep '^motley' >commands
    [ "$(wc -l <commands)" -ge 5 ]
    bash -eux commands >printed
    grep -q '</svg>' map.svg
    sed '1,/^\$/d' section >shown
    [ "$(wc -l <shown)" -ge 4 ]
    shows_what_is_printed
}

@test "the commands of matrix products work, and print what the tour shows" {
    cd "$BATS_TEST_TMPDIR"
    sed -n '/^## Matrix products/,/^## /s/^    //p' "$SOURCE_ROOT/docs/TOUR.md" >section
    sed 's/^\$ //' section | grep '^motley strassen' >commands
    [ "$(wc -l <commands)" -ge 3 ]
    bash -eux commands >printed
    grep -q '</svg>' cut.svg
    sed '1,/^\$/d; /^motley/d; /^LD_PRELOAD/d' section >shown
    [ "$(wc -l <shown)" -ge 5 ]
    shows_what_is_printed
}

# The page of the papers: its quick form, and what it does with a row that nobody explains.

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "each row has a verdict, and each figure its picture" {
    cp "$SOURCE_ROOT/docs/PAPERS.md" before
    run "$SOURCE_ROOT/experiments/papers/run" --quick "$BUILD_ROOT"
    [ "$status" = 0 ]
    page=$BUILD_ROOT/papers/index.html
    [ "$(grep -c 'class="works">works\|class="differs">differs' "$page")" -ge 15 ]
    ! grep 'class="differs">differs</td><td></td>' "$page"
    pictures=$(grep -o 'src="[^"]*"' "$page" | cut -d'"' -f2)
    [ -n "$pictures" ]
    for picture in $pictures; do
        [ -s "$BUILD_ROOT/papers/$picture" ]
    done
    [[ "$output" = *"| what | the paper | here |"* ]]
    cmp "$SOURCE_ROOT/docs/PAPERS.md" before
}

@test "a row that differs without a reason fails, and is named" {
    mkdir experiments
    cp -r "$SOURCE_ROOT/experiments"/{papers,study.py} experiments
    cat >experiments/papers/surface.py <<'END_PAPER'
from paper import Paper, Row

PAPER = Paper("surface", "A paper", "", ("true",), (), lambda build: [
    Row("figure 1", "2", "2", True, "equal"),
    Row("figure 2", "2", "3", False, "equal", "a reason"),
    Row("figure 3", "2", "4", False, "equal"),
], lambda build: [], ("figure 1",))
END_PAPER
    run experiments/papers/run --quick "$BUILD_ROOT"
    [ "$status" = 1 ]
    [[ "$output" = *"1 of 3 rows work, 2 differ."* ]]
    [[ "$output" = *"these differ, and nothing says why: figure 3"* ]]
}

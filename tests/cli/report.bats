# motley report: the page and its data. tests/pages opens pages in a browser.
bats_require_minimum_version 1.5.0
load lab.bash

setup() {
    cd "$BATS_TEST_TMPDIR"
    write_lab s
}

@test "the page has the best configuration, and is all in one file" {
    run --separate-stderr motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    [ "$status" = 0 ]
    [ -z "$output" ]
    grep -q '<title>toy on lab</title>' page.html
    grep -q 'a:3x1: 23.00 s predicted' page.html
    # nothing is fetched from anywhere
    run grep -Eo '(src|href)="[^"]*"' page.html
    [ "$output" = 'href="data:,"' ]
    ! grep -q '@import\|url(' page.html
    [ "$(wc -c <page.html)" -lt 1000000 ]
    ! grep -q 'A <note>' page.html
    sed -i '1a note: A <note>' lab.yaml
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    grep -q '"note":"A \\u003cnote>"' page.html
}

@test "the data has the times that are known by hand" {
    run --separate-stderr motley report --json --model np-t --size 100,200 lab.yaml toy.yaml
    [ "$status" = 0 ]
    jq -e '.cluster == "lab" and .program == "toy" and .simulated == false' <<<"$output"
    jq -e '.sizes | map(.size) == [100, 200]' <<<"$output"
    jq -e '.sizes[0].choices[0].configuration == "a:3x1"' <<<"$output"
    # a line for each group: the fastest on one, two and three nodes
    jq -e '.sizes[0].times.panels[0].series | INDEX(.label) |
        map_values([.x, (.y | map(. * 1e6 | round))]) |
        .a == [[1, 2, 3], [61e6, 32e6, 23e6]] and .b == [[1, 2, 3], [121e6, 62e6, 43e6]]' \
        <<<"$output"
    jq -e '.map.changes | length >= 1' <<<"$output"
    # all runs are exactly as the models have them
    jq -e '[.models.worst[].error | fabs] | length == 12 and max < 1e-6' <<<"$output"
    jq -e '.origin.runs | startswith("12 runs")' <<<"$output"
}

@test "the front is the one that is known by hand" {
    motley report --json --model np-t --size 100 lab.yaml toy.yaml >page.json
    jq -e '[.sizes[0].front_points[] | .seconds * 1e6 | round / 1e6] ==
        [23, 29, 32, 34, 43, 62, 121]' page.json
    jq -e '[.sizes[0].front_points[] | .cost * 1e7 | round / 1e7] ==
        [0.069, 0.0667, 0.064, 0.0442, 0.0129, 0.0124, 0.0121]' page.json
    sed -i 's/, price: [0-9.]*//' lab.yaml
    motley report --json --model np-t --size 100 lab.yaml toy.yaml >page.json
    jq -e '.sizes[0] | has("choices") and (has("front") | not)' page.json
}

@test "the data says what plan says" {
    motley report --json --model np-t --size 100 lab.yaml toy.yaml >report.json
    motley plan --json --model np-t --size 100 --top 10 lab.yaml toy.yaml >plan.json
    jq -n -e --slurpfile r report.json --slurpfile p plan.json '
        [$r[0].sizes[0].choices[] | {configuration, seconds, low, high}] as $shown |
        [$p[0].choices[] | {configuration, seconds, low, high}] as $all |
        ($shown | length) > 0 and all($shown[]; . as $c | any($all[]; . == $c))'
}

@test "without runs, models or runs that succeeded the page says what to do" {
    rm motley.db
    sed 's/lab,toy/other,toy/' runs.csv >other.csv
    motley import other.csv
    run --separate-stderr motley report --size 100 -o page.html lab.yaml toy.yaml
    [ "$status" = 0 ]
    grep -q 'There is nothing to plan by yet' page.html
    grep -q 'motley measure' page.html
    rm motley.db
    sed 's/,[0-9]*,ok,/,,failed,/' runs.csv >failed.csv
    motley import failed.csv
    run --separate-stderr motley report --json --size 100 lab.yaml toy.yaml
    [ "$status" = 0 ]
    jq -e '.missing.what_to_do | contains("motley measure")' <<<"$output"
    jq -e '.origin.runs | contains("12 failed")' <<<"$output"
    rm motley.db
    head -2 runs.csv >one.csv
    motley import one.csv
    run --separate-stderr motley report --json --model np-t --size 100 lab.yaml toy.yaml
    [ "$status" = 0 ]
    jq -e '.missing' <<<"$output"
}

@test "a size that nothing can solve has its reason" {
    run --separate-stderr motley report --json --model np-t --size 100 --deadline 1s \
        --confidence 0.5 lab.yaml toy.yaml
    [ "$status" = 0 ]
    jq -e '.sizes[0].why_not | contains("deadline of 1 s")' <<<"$output"
}

@test "a page replaces a page, other files only when forced" {
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    echo precious >mine.html
    run --separate-stderr motley report --model np-t --size 100 -o mine.html lab.yaml toy.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"'mine.html' is not a page of motley"*"--force"* ]]
    [ "$(cat mine.html)" = precious ]
    : >empty.html
    motley report --model np-t --size 100 -o empty.html lab.yaml toy.yaml
    grep -q 'toy on lab' empty.html
    motley report --model np-t --size 100 --force -o mine.html lab.yaml toy.yaml
    grep -q 'toy on lab' mine.html
}

@test "what cannot be written leaves the old page" {
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    cp page.html before.html
    run --separate-stderr bash -c 'ulimit -f 20; trap "" XFSZ
        motley report --model np-t --size 100,200 -o page.html lab.yaml toy.yaml'
    [ "$status" = 1 ]
    cmp page.html before.html
    [ "$(ls -A | grep -c motley-)" = 0 ]
    run --separate-stderr motley report --model np-t --size 100 -o /dev/full lab.yaml toy.yaml
    [ "$status" = 1 ]
    run --separate-stderr motley report --size 100 -o absent/page.html lab.yaml toy.yaml
    [ "$status" = 1 ]
    [[ "$stderr" = *"absent/page.html"* ]]
}

@test "names are shown, never markup or script" {
    sed -i "s/^name: lab/name: '<script>alert(1)<\/script>\"onload=x'/" lab.yaml
    sed -i "s/^name: toy/name: \"ab<\/title><img src=x onerror=alert(1)>\"/" toy.yaml
    run --separate-stderr motley report --size 100 -o page.html lab.yaml toy.yaml
    [ "$status" = 0 ]
    [ "$(grep -c '<script' page.html)" = "$(grep -c '<script>$\|<script type="application/json">' page.html)" ]
    ! grep -q '<img\|alert(1)</script' page.html
    grep -q '<title>.*&lt;script&gt;alert(1)&lt;/script&gt;' page.html
    grep -q '"cluster":"\\u003cscript>alert(1)\\u003c/script>' page.html
}

@test "a currency that is longer than its label keeps its diagram" {
    { echo "currency: '$(printf '\303\251%.0s' {1..300})'" && cat lab.yaml; } >long.yaml
    motley report --json --model np-t --size 100 long.yaml toy.yaml >page.json
    jq -e '.sizes[0].front.panels[0] | (.series | length == 2) and
        (.y_label | startswith("cost [\u00e9\u00e9"))' page.json
}

@test "a page has nothing that only a command line can do, and says how to read it" {
    motley plan --model np-t --size 100 lab.yaml toy.yaml | grep -q 'left out: .*; --all lists them'
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    grep -q '"left out: [^"]* cost no less"' page.html
    grep -q "'a:3x2' is 3 nodes of the group a with 2 processes on each" page.html
}

@test "the command, its hostfile and the job script are whole" {
    write_program 'echo time 1 s'
    write_mpirun
    motley report --json --model np-t --size 100 lab.yaml toy.yaml >page.json
    jq -e '.sizes[0] | (.launch | contains("--hostfile hostfile ")) and
        .hostfile == "a1 slots=1\na2 slots=1\na3 slots=1\n"' page.json
    motley report --model np-t --size 100 -o page.html lab.yaml toy.yaml
    grep -q '"hostfile":"a1 slots=1' page.html
}

@test "points of a front have their configurations" {
    motley report --json --model np-t --size 100 lab.yaml toy.yaml >page.json
    jq -e '.sizes[0].front.panels[0].series | map(select(.style == "points"))[0].names |
        .[0] == "a:3x1" and .[6] == "b:1x1"' page.json
}

@test "wrong usage" {
    run --separate-stderr motley report --size 100 lab.yaml toy.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"--output FILE.html"* ]]
    run --separate-stderr motley report --json -o page.html --size 100 lab.yaml toy.yaml
    [ "$status" = 2 ]
    run --separate-stderr motley report -o page.html lab.yaml toy.yaml
    [ "$status" = 2 ]
    [[ "$stderr" = *"names no sizes to plan for"* ]]
    run --separate-stderr motley report --size 100 --db absent.db -o page.html lab.yaml toy.yaml
    [ "$status" = 1 ]
    [ ! -e page.html ]
}

# Pictures of efficiency surfaces.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

draw() {
    run --separate-stderr motley surface "$@"
}

# A part of an SVG file's text, as it is written.
has_text() {
    grep -qF "<text>$2</text>" "$1"
}

is_svg() {
    [ "$status" = 0 ]
    [ -z "$stderr" ]
    grep -q '^<svg' "$1"
    if command -v xmllint >/dev/null; then xmllint --noout "$1"; fi
}

@test "contours: levels, best sizes, memory limit and cliffs" {
    draw predict ap1000 --size 64:8192 --plot map.svg
    is_svg map.svg
    has_text map.svg 'Efficiency of ap1000 A'
    has_text map.svg 'nodes P'
    has_text map.svg 'problem size N'
    for text in 'best size' 'memory limit' cliff 60 80 512 8192; do
        has_text map.svg "$text"
    done
    ! grep -q -e simulated -e learned -e overtakes map.svg
}

@test "contours of two machines: where the second overtakes the first" {
    draw compare cenju-3 ap1000 --size 256:4096 --plot map.svg
    is_svg map.svg
    has_text map.svg 'Efficiency of cenju-3'
    has_text map.svg 'ap1000 overtakes'
}

@test "contours say what was learned, and that it was simulated" {
    sed -e 's/^nodes: .*/&\nsimulated: true/' -e '/^  - name: A/a\
    learned: {runs: 40, nodes: 8, sizes: [128, 2048], error: 0.012}' \
        "$SOURCE_ROOT/machines/ap1000.yaml" >twin.yaml
    draw predict ./twin.yaml --size 64:8192 --plot map.svg
    is_svg map.svg
    has_text map.svg 'Efficiency of ap1000 A (simulated)'
    has_text map.svg learned
}

@test "numbers of nodes that are not valid do not spoil the map" {
    draw predict ap1000:B --nodes 1:512 --size 64:8192 --plot term
    [ "$status" = 0 ]
    # Rows of digits and marks without a blank.
    [ "$(grep -c '|[0-9A-D]\{50,\}' <<<"$output")" -ge 15 ]
}

@test "in the terminal: a map of digits, no wider than 80 columns" {
    draw predict ap1000 --size 64:8192 --plot term
    [ "$status" = 0 ]
    map=$(sed -n '/^ *Efficiency of/,$p' <<<"$output")
    [[ "$map" = *"nodes P"*"steps of 10 %"*"best size"* ]]
    [ -z "$(LC_ALL=C tr -d '\n\t -~' <<<"$map")" ]
    [ "$(wc -L <<<"$map")" -lt 80 ]
    # Over the ridge of one size: up while it leaves the cache, down by messages.
    [[ "$(grep '^ *512 ' <<<"$map")" = *5*6*7*7*6*5*4*3*2*1* ]]
    # Nothing runs on more nodes than there are rows.
    [ "$(grep '^ *64 ' <<<"$map" | tr -d ' |+-' | wc -L)" -lt 60 ]
}

@test "PNG" {
    draw predict workstations --plot map.png
    [ "$status" = 0 ]
    [ "$(head -c 4 map.png | tail -c 3)" = PNG ]
}

@test "what cannot be drawn is refused" {
    draw predict ap1000 --plot map.gif
    [ "$status" != 0 ]
    [[ "$stderr" = *"unknown kind of picture: 'map.gif'"* ]]
    [ ! -e map.gif ]
}

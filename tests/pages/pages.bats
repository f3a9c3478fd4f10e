# Pages in headless Chromium: page.py says what is looked at. axe-core comes from the npm
# registry; without it everything else is looked at.
bats_require_minimum_version 1.5.0

AXE_VERSION=4.10.3
AXE_SUM=880970c081707360e64f34cea25ff91892f5bc95675b0776925b9709dd8a68bb

setup_file() {
    command -v chromedriver >/dev/null || return 0
    local folder=$BUILD_ROOT/axe-core-$AXE_VERSION
    if [ ! -f "$folder/package/axe.min.js" ] && command -v npm >/dev/null; then
        mkdir -p "$folder"
        npm pack --silent --pack-destination "$folder" "axe-core@$AXE_VERSION" >/dev/null 2>&1 &&
            tar -xzf "$folder/axe-core-$AXE_VERSION.tgz" -C "$folder" package/axe.min.js
    fi
    export AXE=$folder/package/axe.min.js
    [ ! -f "$AXE" ] || echo "$AXE_SUM  $AXE" | sha256sum --check --quiet
    cd "$BATS_FILE_TMPDIR"
    zcat "$SOURCE_ROOT/tests/data/heho/toyohashi-2-lu.csv.gz" |
        awk -F, 'NR == 1 || $4 <= 1600 && $3 !~ /[+]/ ||
            $4 == 4800 && ($3 == "xeon:4x1" || $3 == "xeon:8x1+celeron:8x1")' >recorded.csv
    motley import recorded.csv
}

setup() {
    command -v chromedriver >/dev/null || skip "there is no chromedriver: scripts/deps.sh pages"
    /usr/bin/python3 -c 'import selenium' 2>/dev/null ||
        skip "there is no python3-selenium: scripts/deps.sh pages"
    cd "$BATS_FILE_TMPDIR"
}

# look NAME: at NAME.html, whose data is NAME.json
look() {
    local axe=$AXE
    [ -f "$axe" ] || axe=-
    "$SOURCE_ROOT/tests/pages/page.py" "$1.html" "$1.json" "$axe"
}

# report NAME ARGUMENT...: NAME.html and its data
report() {
    local name=$1
    shift
    motley report -o "$name.html" "$@"
    motley report --json "$@" >"$name.json"
}

@test "a page of several sizes" {
    report sizes --size 1600,4800,9600 toyohashi-2 lu
    look sizes
}

@test "a page of one size" {
    report one --size 4800 toyohashi-2 lu
    look one
}

@test "a page without runs" {
    report none toyohashi-2 fft
    look none
}

@test "a page about a surface" {
    motley surface report --base 512 -o surface.html cenju-3
    motley surface predict --base 512 --efficiency 0.05,0.1,0.2,0.5,0.8 --json cenju-3 |
        jq '{prediction: .}' >surface.json
    look surface
}

@test "a page about a product" {
    motley strassen measure --quiet --repeat 1 ohtaki-3
    motley strassen report --size 12000 -o product.html ohtaki-3
    motley strassen plan --size 12000 --json ohtaki-3 | jq '{plan: .}' >product.json
    look product
}

@test "a page without axe-core's rules is looked at, too, and defects are seen" {
    report broken --size 4800 toyohashi-2 lu
    AXE=- look broken
    sed -i 's/"ranks":8,/"ranks":4801,/g' broken.html
    sed -i 's/"use strict";/&\nmissing();/' broken.html
    run look broken
    [ "$status" = 1 ]
    [[ "$output" = *"figures that the data does not have"* ]]
    [[ "$output" = *"logged:"*"missing is not defined"* ]]
}

@test "axe-core is there" {
    [ -f "$AXE" ] || skip "axe-core could not be fetched from the npm registry"
}

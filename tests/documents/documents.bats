# The JSON Schemas: of what is printed, and of the files that users write. Whether all that
# the tests print is as they say, `validate --printed` looks at when the tests are done.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
    schemas=$BUILD_ROOT/tools/schemas/schemas
}

validate() {
    "$SOURCE_ROOT/tests/documents/validate" "$schemas" "$@"
}

# refused TEXT FILE...: with this in the reason
refused() {
    local text=$1
    shift
    run validate "$@"
    [ "$status" = 1 ] || { echo "$* was not refused"; return 1; }
    [[ "$output" = *"$text"* ]]
}

@test "each schema says what it is of" {
    for file in "$schemas"/*.schema.json; do
        name=$(basename "$file" .schema.json)
        case $name in
        cluster | program | machine) jq -e '.title | test("file of motley")' "$file" ;;
        *) jq -e --arg name "motley/$name" '.title == $name and
            .properties.schema.const == $name and .properties.version.const >= 1 and
            (["schema", "version"] - .required == [])' "$file" ;;
        esac
    done
    grep -o 'motley/[a-z-]*' "$SOURCE_ROOT/man/motley-json.5.scd" | grep -v -e '/$' -e /schemas | sort -u >told
    jq -r 'select(.title | startswith("motley/")).title' "$schemas"/*.schema.json | sort | diff told -
    jq -e '.. | objects | select(.type == "object") | has("additionalProperties")' \
        "$schemas"/*.schema.json
}

@test "a document is refused with a member too many, one too few, or one of another kind" {
    cat >runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome,simulated
lab,lu,xeon:1x1,400,0.1,ok,true
END
    motley import runs.csv
    motley show runs --json >runs.json
    jq -e '.schema == "motley/runs" and .version == 1' runs.json
    validate runs.json
    motley export --format json --output exported.json lab lu
    validate exported.json
    broken() {
        jq "$1" runs.json >broken.json
        refused "$2" broken.json
    }
    broken '.more = 1' "'more' was unexpected"
    broken '.runs[0].more = 1' "runs/0: Additional properties"
    broken 'del(.runs)' "'runs' is a required property"
    broken 'del(.version)' "'version' is a required property"
    broken '.version = 2' "1 was expected"
    broken '.runs[0].size = "400"' "runs/0/size: '400' is not of type 'number', 'null'"
    broken 'del(.schema)' "it does not say its schema"
    broken '.schema = "motley/run"' 'required property'
    broken '.schema = "motley/nothing"' "there is no schema nothing"
}

@test "the shipped files are as their schemas say" {
    for kind in cluster program machine; do
        validate --yaml "$kind" "$SOURCE_ROOT/${kind}s"/*.yaml
    done
}

# both_refuse KIND SED REASON: what sed makes of lab.yaml, lu.yaml or am.yaml is refused by
# motley, for this reason, and by the schema
both_refuse() {
    local kind=$1
    sed "$2" "$kind.yaml" >broken.yaml
    ! cmp -s "$kind.yaml" broken.yaml
    case $kind in
    cluster) run motley plan --size 1 ./broken.yaml lu ;;
    program) run motley plan --size 1 toyohashi-2 ./broken.yaml ;;
    machine) run motley surface predict ./broken.yaml ;;
    esac
    [ "$status" = 2 ]
    [[ "$output" = *"$3"* ]] || { echo "$output"; return 1; }
    refused '' --yaml "$kind" broken.yaml
}

@test "what is wrong with the structure of a file, its schema refuses, too" {
    cp "$SOURCE_ROOT/clusters/toyohashi-2.yaml" cluster.yaml
    cp "$SOURCE_ROOT/programs/lu.yaml" program.yaml
    cp "$SOURCE_ROOT/machines/cenju-3.yaml" machine.yaml
    both_refuse cluster '1s/^/wizard: 1\n/' "unknown key 'wizard'"
    both_refuse cluster 's/processes:/proceses:/' "unknown key 'proceses'"
    both_refuse cluster '/^name:/d' "missing key 'name'"
    both_refuse cluster '/processes:/d' "missing key 'processes'"
    both_refuse cluster 's/^launcher: .*/launcher: wizard/' "one of openmpi"
    both_refuse cluster 's/^name: .*/name: [a, b]/' "a single value"
    both_refuse cluster 's/processes: .*/processes: 1/' "a list"
    both_refuse cluster 's/processes: .*/processes: [one]/' "a whole number"
    both_refuse cluster 's/processes: .*/processes: [0]/' "at least 1"
    both_refuse cluster 's/memory: .*/memory: 512/' "a unit is missing"
    both_refuse program 's/^command:/comand:/' "unknown key 'comand'"
    both_refuse program '/^sizes:/,$d' "missing key 'sizes'"
    both_refuse program 's/^time: .*/time: clock/' "wall or {match: PATTERN}"
    both_refuse program 's/^command: .*/command: lu/' "a list"
    both_refuse program '$a repeat: 0' "at least 1"
    both_refuse program '$a threads: none' "a whole number from 1 to 4096"
    both_refuse machine 's/^speed:/sped:/' "unknown key 'sped'"
    both_refuse machine '/^speed:/d' "missing key 'speed'"
    both_refuse machine 's/^nodes: .*/nodes: many/' "a whole number"
}

# What programs rely on: the names of JSON documents, and the JSON Schemas of YAML files.

bats_require_minimum_version 1.5.0

setup() {
    cd "$BATS_TEST_TMPDIR"
}

@test "the manual lists the JSON documents that there are" {
    grep -o '\*motley/[a-z-]*\*\|motley/[a-z-]*' "$SOURCE_ROOT/man/motley-json.5.scd" |
        grep -v -e '/$' -e /schemas | tr -d '*' | sort -u >listed
    grep -rhoE '"motley/[a-z-]+\\?"' --include='*.c' "$SOURCE_ROOT/cli" "$SOURCE_ROOT/tools" |
        tr -d '"\\' | sort -u >printed
    diff listed printed
}

@test "a document begins with its name and version" {
    cat >runs.csv <<'END'
cluster,program,configuration,size,seconds,outcome,simulated
lab,lu,xeon:1x1,400,0.1,ok,true
END
    motley import runs.csv
    motley show runs --json | jq -e '.schema == "motley/runs" and .version == 1'
    motley export --format json lab lu | jq -e 'keys_unsorted[:2] == ["schema", "version"]'
}

# valid KIND FILE...: as the schema says
valid() {
    "$PYTHON" - "$BUILD_ROOT/tools/schemas/schemas/$1.schema.json" "${@:2}" <<'END'
import json, sys
import jsonschema
from ruamel.yaml import YAML
schema = json.load(open(sys.argv[1]))
jsonschema.Draft7Validator.check_schema(schema)
for name in sys.argv[2:]:
    jsonschema.validate(YAML(typ="safe", pure=True).load(open(name)), schema)
END
}

@test "the shipped files are as their schemas say" {
    [ -n "$PYTHON" ] || skip "built without Python"
    for kind in cluster program machine; do
        valid "$kind" "$SOURCE_ROOT/${kind}s"/*.yaml
    done
}

# both_refuse KIND SED REASON: what sed makes of the file is refused by motley, for this
# reason, and by the schema
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
    run valid "$kind" broken.yaml
    [ "$status" = 1 ] && [[ "$output" = *ValidationError* ]]
}

@test "what is wrong with the structure of a file, its schema refuses, too" {
    [ -n "$PYTHON" ] || skip "built without Python"
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

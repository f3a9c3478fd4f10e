# shellcheck shell=bash
# What all studies share. A study's 'run' sources this file with its own arguments:
#
#   experiments/NAME/run [--quick|--recorded] [--json FILE] BUILD
#
# --quick: a small part, for the tests. --recorded: from the truth that is in the
# repository, or, where a study has none, from what its last full run left in BUILD.
# Then these are set: mode (full, quick, recorded), build, here (the study's folder) and
# out, the folder for all that comes out: BUILD/experiments/NAME, for --quick its folder
# 'quick'. The current folder is the root of the source.
here=$(cd "$(dirname "$0")" && pwd)
study=${here##*/}
mode=full json=
while [[ "${1:-}" == --* ]]; do
    case $1 in
    --quick | --recorded) mode=${1#--} ;;
    --json)
        json=$(realpath "$2")
        shift
        ;;
    *)
        echo "run: unknown option '$1'" >&2
        exit 2
        ;;
    esac
    shift
done
if [ $# != 1 ]; then
    echo "usage: experiments/$study/run [--quick|--recorded] [--json FILE] BUILD" >&2
    exit 2
fi
build=$(cd "$1" && pwd)
cd "$here/../.."
out=$build/experiments/$study
[ "$mode" != quick ] || out+=/quick
mkdir -p "$out"
PATH=$build/cli:$PATH
PYTHONPATH=$build/python${PYTHONPATH:+:$PYTHONPATH}
export PYTHONPATH OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1

# Judge the results on stdin, a JSON object a line, by experiments/targets.tsv: into
# OUT/results.jsonl, and the file of --json.
keep_results() {
    experiments/judge >"$out/results.jsonl"
    [ -z "$json" ] || cp "$out/results.jsonl" "$json"
}

# compare_runs NAME RECORDED AGAIN: what `motley export --format json` wrote of runs that
# were recorded, and of some of them that were simulated again; fails beyond 0.1 %
compare_runs() {
    jq -r --arg name "$1" --slurpfile again "$3" '
        (.runs | map({key: "\(.configuration) \(.size)", value: .seconds}) | from_entries)
            as $recorded
        | [$again[0].runs[]
           | .seconds / $recorded["\(.configuration) \(.size)"] - 1 | fabs] as $off
        | "\($name) (simulated): \($off | length) runs, at most "
          + "\($off | max * 100000 | round / 1000) % off what is recorded",
          if ($off | max) > 0.001 then error("the recorded truth is not that of this "
              + "simulation: see experiments/README.md") else empty end' "$2"
}

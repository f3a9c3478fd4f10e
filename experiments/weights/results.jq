# The results of a case: what weights gained, of what could be gained. Input: the nodes that
# were run alone, as alone.jq lists them, with their seconds.

def work: pow(.size; $power);

(map(select(.role == "even") | .seconds) | max) as $even_alone
| (map(select(.role == "all")) | group_by(.configuration | split(":")[0])
   | map(map(.nodes * work / .seconds) | max) | add) as $speeds
| (pow($size; $power) / $speeds) as $ideal
| {experiment: "weights", cluster: $cluster, program: $program, size: $size, even: $even,
   weights: $weights, even_seconds: $even_seconds, seconds: $seconds, simulated: true}
  as $case
| ($case + {metric: "gain", unit: "", value: ($even_seconds / $seconds)}),
  ($case + {metric: "ideal gain", unit: "", value: ($even_alone / $ideal)}),
  ($case + {metric: "gain over the ideal gain", unit: "",
            value: ($even_seconds / $seconds / ($even_alone / $ideal))}),
  ($case + {metric: "what is gained, of what could be", unit: "",
            value: (($even_seconds / $seconds - 1) / ($even_alone / $ideal - 1))}),
  ($case + {metric: "time over the best even plan's", unit: "",
            value: ($seconds / $even_seconds)}),
  ($case + {metric: "error of the predicted time", unit: "",
            value: ($predicted / $seconds - 1)})

# Which single nodes are to be run alone, a line each: role, configuration, size, nodes.
# Input: the answer of `motley weights --json`; $even: the best even plan; $predicted: that
# of `motley predict --json`, which has all groups and layouts; $power: that of N which the
# work grows with.
#
# even: a node that the even plan uses, with its part of the work. all: a node of a group
# of the cluster with its part by the weights, or a mean part where they do not use it.

def uses: split("+") | map(capture("(?<group>[^:]+):(?<nodes>[0-9]+)x(?<processes>[0-9]+)")
    | .nodes |= tonumber | .processes |= tonumber);
def size_of(share): $size * pow(share; 1 / $power) | round;

. as $weights
| ($even | uses) as $uses
| ($uses | map(.nodes * .processes) | add) as $ranks
| ([$predicted[0].predictions[].configuration | uses | select(length == 1) | .[0]]
   | group_by(.group)
   | map({group: .[0].group, nodes: (map(.nodes) | max),
          layouts: (map(.processes) | unique)})) as $groups
| ($groups | map(.nodes) | add) as $nodes
| ($uses[] | "even \(.group):1x\(.processes) \(size_of(.processes / $ranks)) \(.nodes)"),
  ($groups[] | . as $group
   | (first($weights.groups[] | select(.group == $group.group)
            | .group_share / .nodes) // (1 / $nodes)) as $share
   | .layouts[] | "all \($group.group):1x\(.) \(size_of($share)) \($group.nodes)")

# What is multiplied where; sourced.
# shellcheck shell=bash disable=SC2034
environments="1 2 3"
kinds="equal greedy recursive auto"

# The paper's figures 12 to 14 go to 12000, its tables 3 and 4 are at 12000.
sizes="2000 4000 6000 8000 10000 12000"
table_size=12000

# Random mixes: nodes, groups, heterogeneity, seed (see mix).
mixes=(
    "4 4 2.5 1"
    "7 3 3 2"
    "12 4 1.05 3"
    "20 5 1.5 4"
    "32 6 2 5"
)
mix_size=8000

# Real runs: on so many ranks of this machine.
real_sizes="4000 8000"

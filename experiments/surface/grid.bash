# The grid of nodes and sizes of the study, and what is learned from; sourced.
# shellcheck shell=bash disable=SC2034
machines="ap1000 cenju-3 workstations"
programs="matmul-a matmul-b"

# Powers of two and those between them; sizes that do not fit into the memory of so many
# nodes are left out by motley measure. The smallest are there because messages are as
# short on a few nodes then as those of larger sizes are on hundreds. Where the nodes do
# not divide the size, which the paper's formulas do not know, the report counts points
# apart, too.
grid_sizes=16,24,32,48,64,96,128,192,256,384,512,768,1024,1536,2048,3072,4096,6144,8192,12288,16384

grid_nodes() { # MACHINE PROGRAM
    case $1-$2 in
    ap1000-matmul-a) echo 1,2,3,4,6,8,12,16,24,32,48,64,96,128,192,256,384,512 ;;
    cenju-3-matmul-a) echo 1,2,3,4,6,8,12,16,24,32,48,64,96,128,192,256 ;;
    workstations-matmul-a) echo 1,2,3,4,6,8,12,16,24,32,48,64 ;;
    ap1000-matmul-b) echo 1,4,9,16,25,36,64,100,144,196,256,324,400,484 ;;
    cenju-3-matmul-b) echo 1,4,9,16,25,36,64,100,144,196,256 ;;
    workstations-matmul-b) echo 1,4,9,16,25,36,49,64 ;;
    esac
}

# The most nodes of the runs that are learned from: the paper's, but for algorithm B, of
# which the paper has 1 to 8: of these only 1 and 4 are squares.
learned_nodes() { # MACHINE PROGRAM
    case $1-$2 in
    ap1000-matmul-a) echo 8 ;;
    *) echo 16 ;;
    esac
}

# Where the AP1000 overtakes Cenju-3 is looked for at this size, on more numbers of nodes.
# At most four messages meet in a switch then; where the nodes are no multiple of four
# the one that goes round to the first of them may be the fifth.
crossing_size=2048
crossing_nodes=112,128,144,160,176,192,208,224,240

# shellcheck shell=sh disable=SC2046 # a command is several words
# Read by mpich and mpi4py. In the environment, each with a default:
#
#   BUILD           the build folder (build)
#   MPIS            the MPIs (openmpi mpich)
#   MOTLEY_BALANCE  what is asked of the library (bcast)
#
# It leaves work, the folder for what is built and printed, in BUILD.
BUILD=$(cd "${BUILD:-build}" && pwd) || exit 2
MPIS=${MPIS:-openmpi mpich}
asked=${MOTLEY_BALANCE:-bcast}
conformance=$(cd "$(dirname "$0")" && pwd)
unset MOTLEY_BALANCE
# shellcheck disable=SC2034
work=$BUILD/conformance
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
# What an MPI says of its own accord is taken for a mistake of the program.
export OMPI_MCA_btl_base_warn_component_unused=0

# launcher MPI: the command that starts ranks
launcher() {
    case $1 in
    openmpi) echo "$(command -v mpirun.openmpi || command -v mpirun) --oversubscribe" ;;
    mpich) command -v mpiexec.mpich || command -v mpiexec.hydra ;;
    *) echo "there is no MPI '$1': openmpi and mpich are known" >&2 && return 1 ;;
    esac
}

# compiler MPI: its mpicc
compiler() {
    command -v "mpicc.$1" || command -v mpicc
}

# stock MPI, preloaded MPI: the words before a program that runs without, and with the
# libraries: ranks are always patient, and broadcasts adapt. Those of MPICH poll, which takes
# minutes where they share cores: they are patient both ways. The library for the end of its
# MPI_Finalize is added as motley adds it. A test that prints more than it should on stderr
# fails, and a report is just that.
patient=$BUILD/preload/patient/libmotley-patient.so

stock() {
    [ "$1" != mpich ] || echo "env LD_PRELOAD=$patient"
}

preloaded() {
    library=$patient:$BUILD/preload/$1/libmotley-balance.so
    [ "$1" != mpich ] || library=$library:$BUILD/preload/mpich/libmotley-closing.so
    case $asked in
    *report*) quietly=$conformance/without-stderr ;;
    *) quietly= ;;
    esac
    echo "$quietly env LD_PRELOAD=$library MOTLEY_PATIENT=always MOTLEY_BALANCE=$asked"
}

# insist_loaded MPI: ends the script where the library would not take part, as all that
# follows would then be two runs without it. Asked for a report, it takes part at the third
# broadcast, wherever the ranks are.
insist_loaded() {
    said=$($(launcher "$1") -n 2 $(asked=bcast && preloaded "$1") \
        env MOTLEY_BALANCE="$asked,report,verbose" "$BUILD/tests/preload/delays-$1" 2>&1)
    case $said in
    *motley-balance:*bcast=*) ;;
    *) echo "the library does not take part under $1: $said" >&2 && exit 2 ;;
    esac
}

# compare TITLE STOCK PRELOADED: two lists of "pass NAME" and "fail NAME"; NAMEs may come
# several times, in the same order. Fails if what passes stock does not preloaded.
compare() {
    awk -v title="$1" '
        { key = $0; sub(/^[a-z]* /, "", key); id = key " " ++times[FILENAME, key] }
        FNR == NR { stock[id] = $1; next }
        { seen[id]; both = stock[id] " " $1; count[both]++
          if (both == "pass fail") lost = lost "  only preloaded fails: " key "\n"
          if (both == "fail pass") won = won "  only stock fails: " key "\n" }
        END {
            for (id in stock)
                if (!(id in seen)) missing++
            printf "%s: %d pass both ways, %d fail both ways, %d only preloaded, %d only stock", \
                title, count["pass pass"], count["fail fail"], count["pass fail"], \
                count["fail pass"]
            if (missing) printf ", %d were not run preloaded", missing
            printf "\n%s%s", lost, won
            exit lost != "" || missing
        }' "$2" "$3"
}

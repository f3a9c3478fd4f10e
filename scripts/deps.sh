#!/bin/sh
# Finds missing packages for the build, the tests and the demo. On Debian and its relatives
# it installs them with apt if it may (as root, or with sudo); otherwise it prints the
# command to run. It does nothing when all are there.
#
#   scripts/deps.sh         what make demo and make check need
#   scripts/deps.sh command what building the command alone needs
#   scripts/deps.sh coverage and what make coverage needs
#   scripts/deps.sh lint    and what make lint needs
#   scripts/deps.sh fuzz    and what make fuzz needs
#   scripts/deps.sh strassen and the rival of make strassen
#   scripts/deps.sh pages   and the browser that looks at pages
#   scripts/deps.sh package and what make package needs
#   scripts/deps.sh abi     and what make abi needs
#   scripts/deps.sh testbed and what make check-testbed needs
#   scripts/deps.sh codes   and the codes of programs/, 1 GB, which tests/codes runs
set -u

missing=

# need_command PACKAGE COMMAND...: missing unless one of the commands is there
need_command() {
    package=$1
    shift
    for name; do
        command -v "$name" >/dev/null 2>&1 && return
    done
    missing="$missing $package"
}

# need_module PACKAGE MODULE: missing unless pkg-config knows the module
need_module() {
    pkg-config --exists "$2" 2>/dev/null || missing="$missing $1"
}

# need_file PACKAGE PATTERN: missing unless a file matches
need_file() {
    # shellcheck disable=SC2086 # the pattern is to match
    ls $2 >/dev/null 2>&1 || missing="$missing $1"
}

need_command gcc gcc cc clang
need_command meson meson
need_command ninja-build ninja
need_command pkg-config pkg-config
need_module libpopt-dev popt
need_module libyaml-dev yaml-0.1
need_module libsqlite3-dev sqlite3
need_module libjansson-dev jansson
need_module libsmartcols-dev smartcols
need_module libcminpack-dev cminpack
need_module liblapacke-dev lapacke
need_module libhwloc-dev hwloc
if [ "${1:-}" != command ]; then
    need_command clang-format clang-format
    need_command scdoc scdoc
    need_command bats bats
    need_command jq jq
    need_command sqlite3 sqlite3
    need_command valgrind valgrind
    need_command gnuplot-nox gnuplot
    need_command openmpi-bin mpirun.openmpi ompi_info
    need_command mpich mpiexec.mpich mpiexec.hydra
    need_command gfortran gfortran
    need_module libopenblas-dev openblas
    need_module libfftw3-dev fftw3
    need_module libcmocka-dev cmocka
    need_file python3-jsonschema /usr/lib/python3/dist-packages/jsonschema
    need_file python3-ruamel.yaml /usr/lib/python3/dist-packages/ruamel/yaml
    need_module libsimgrid-dev simgrid
    need_module libopenmpi-dev ompi-c
    need_module libmpich-dev mpich
    need_file libblas-test '/usr/lib*/*/blas/xblat3d'
    for module in cffi pandas matplotlib nbclient ipykernel; do
        need_file "python3-$module" "/usr/lib*/python3*/*-packages/$module/__init__.py"
    done
    need_file python3-yaml /usr/lib/python3/dist-packages/yaml
    [ -x /usr/share/lmod/lmod/libexec/lmod ] ||
        need_file environment-modules '/usr/lib/*/modulecmd.tcl'
fi
if [ "${1:-}" = coverage ]; then
    need_command bsdextrautils column
fi
if [ "${1:-}" = pages ]; then
    need_command chromium chromium
    need_command chromium-driver chromedriver
    need_command npm npm
    need_file python3-selenium /usr/lib/python3/dist-packages/selenium
fi
if [ "${1:-}" = lint ]; then
    need_command clang clang
    need_command clang-tidy clang-tidy
    need_command cppcheck cppcheck
    need_command mypy mypy
fi
if [ "${1:-}" = fuzz ]; then
    need_command clang clang
    need_command llvm llvm-cov
    # The runtimes of the fuzzer and the sanitizers.
    need_file libclang-rt-dev "$(clang --print-file-name=libclang_rt.fuzzer-x86_64.a 2>/dev/null)"
fi
if [ "${1:-}" = package ]; then
    need_command debhelper dh
    need_file dh-python /usr/share/perl5/Debian/Debhelper/Sequence/python3.pm
    need_file build-essential /usr/share/build-essential/essential-packages-list
    need_command lintian lintian
fi
if [ "${1:-}" = abi ]; then
    need_command abigail-tools abidiff
fi
if [ "${1:-}" = strassen ]; then
    need_module libscalapack-openmpi-dev scalapack-openmpi
fi
if [ "${1:-}" = testbed ]; then
    need_command iproute2 ip
    need_command iproute2 tc /usr/sbin/tc
    need_command slurm-wlm slurmctld /usr/sbin/slurmctld
    need_command munge munged /usr/sbin/munged
fi
if [ "${1:-}" = codes ]; then
    need_command hpcc hpcc
    need_command lammps lmp
    need_command gromacs gmx_mpi
    need_command cp2k cp2k
    need_command nwchem nwchem
    need_command openfoam icoFoam
    need_command tachyon-bin-nox tachyon
    need_file libtachyon-openmpi-0 '/usr/lib/*/libtachyon-openmpi.so*'
    need_file python3-mpi4py '/usr/lib/python3*/*-packages/mpi4py/__init__.py'
fi

[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null 2>&1; then
    cat >&2 <<END
motley needs these, by the names of their Debian packages; please install what your
distribution calls them (a name that ends in -dev is a library with its headers):
   $missing
Then run make again.
END
    exit 1
fi

install="apt-get install --yes --no-install-recommends$missing"
if [ "$(id -u)" = 0 ]; then
    sudo=
elif command -v sudo >/dev/null 2>&1 && sudo -n true 2>/dev/null; then
    sudo=sudo
else
    cat >&2 <<END
motley needs some packages. Please run this line, then make again:
    sudo apt-get update && sudo $install
END
    exit 1
fi

echo "installing:$missing" >&2
log=$(mktemp)
# shellcheck disable=SC2086 # $sudo may be empty and $install is several words
if $sudo apt-get update >"$log" 2>&1 &&
    $sudo env DEBIAN_FRONTEND=noninteractive $install >>"$log" 2>&1; then
    rm -f "$log"
else
    tail -n 20 "$log" >&2
    echo "apt could not install what is needed; its whole output is in $log" >&2
    exit 1
fi

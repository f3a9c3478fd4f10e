# SPDX-License-Identifier: BSD-3-Clause

from spack_repo.builtin.build_systems.meson import MesonPackage

from spack.package import *


class Motley(MesonPackage):
    """Runs unmodified MPI programs fast on clusters of unequal nodes: measures them in a
    few small runs, fits run-time models, and finds the best nodes and processes."""

    homepage = "https://motley.example.org"
    url = "https://motley.example.org/motley-0.1.0.tar.gz"

    license("BSD-3-Clause")

    version("0.1.0", sha256="0000000000000000000000000000000000000000000000000000000000000000")

    variant("linalg", default=True, description="Products of matrices, and motley tune")
    variant("preload", default=True, description="What motley balance and patient preload")
    variant(
        "apps",
        default=False,
        description="Programs that motley measures, and the probe of motley check",
    )
    variant("simulator", default=False, description="Simulated clusters, by SimGrid")
    variant("python", default=False, description="import motley in Python")
    conflicts("+apps", when="~linalg", msg="the programs multiply matrices by linalg")

    depends_on("c", type="build")
    depends_on("meson@1:", type="build")
    depends_on("pkgconfig", type="build")

    depends_on("cminpack+shared")
    depends_on("hwloc@2.4:")
    depends_on("jansson@2.13:")
    depends_on("libyaml")
    depends_on("openblas")  # with its LAPACKE
    depends_on("popt@1.18:")
    depends_on("sqlite@3.37:")
    depends_on("util-linux@2.33:")  # libsmartcols
    depends_on("gnuplot", type="run")
    depends_on("mpi", when="+preload")
    depends_on("mpi", when="+apps")
    depends_on("fftw@3:", when="+apps")
    depends_on("simgrid+smpi", when="+simulator")
    extends("python", when="+python")
    depends_on("py-cffi", type=("build", "run"), when="+python")
    depends_on("py-pandas", type=("build", "run"), when="+python")

    def meson_args(self):
        args = ["-Dauto_features=disabled"]
        for part in ("linalg", "preload", "apps", "simulator", "python"):
            if self.spec.satisfies(f"+{part}"):
                args.append(f"-D{part}=enabled")
        return args

"""Reads the recipes in packaging/ as their tools do, with a stand-in for the words that
these define, and prints what each asks for: {recipe: {options, needs}} as JSON."""

import json
import pathlib
import re
import sys
import types

import yaml

packaging = pathlib.Path(sys.argv[1])


def spack(path):
    """The package with all variants; and with none."""
    needs = {}
    module = types.ModuleType("spack.package")

    class MesonPackage:
        variants = []

        @property
        def spec(self):
            return types.SimpleNamespace(
                satisfies=lambda wanted: wanted[0] == "+" and wanted[1:] in self.variants)

    def depends_on(spec, type=("build", "link"), when=""):
        name, version = re.fullmatch(r"([a-z-]+)(?:\+[a-z]+)?(?:@([0-9.]+):)?", spec).groups()
        needs[name] = version or ""

    module.MesonPackage = MesonPackage
    module.depends_on = depends_on
    module.version = lambda version, sha256: None
    module.variant = lambda name, default, description: MesonPackage.variants.append(name)
    module.license = module.conflicts = module.extends = lambda *words, **more: None
    for name in ("spack", "spack_repo", "spack_repo.builtin", "spack_repo.builtin.build_systems"):
        sys.modules[name] = types.ModuleType(name)
    sys.modules["spack.package"] = module
    sys.modules["spack_repo.builtin.build_systems.meson"] = module

    words = {}
    exec(compile(path.read_text(), path, "exec"), words)
    all_of_it = words["Motley"]().meson_args()
    MesonPackage.variants = []
    assert words["Motley"]().meson_args() == ["-Dauto_features=disabled"]
    return {"options": all_of_it, "needs": needs}


def easybuild(path):
    words = {"SHLIB_EXT": "so", "SOURCELOWER_TAR_GZ": "motley-0.1.0.tar.gz"}
    exec(compile(path.read_text(), path, "exec"), words)
    assert path.name == f"{words['name']}-{words['version']}-foss-2024a.eb"
    return {"options": words["configopts"].split(),
            "needs": dict(words["builddependencies"] + words["dependencies"])}


def conda(path):
    recipe = yaml.safe_load(path.read_text())
    needs = [spec for part in ("build", "host") for spec in recipe["requirements"][part]]
    options = [word for line in recipe["build"]["script"] for word in line.split()]
    return {"options": [word for word in options if word.startswith("-D")],
            "needs": {name: version.lstrip(">=")
                      for name, _, version in (spec.partition(" ") for spec in needs)}}


print(json.dumps({
    "spack": spack(packaging / "spack/package.py"),
    "easybuild": easybuild(*(packaging / "easybuild").glob("motley-*.eb")),
    "conda": conda(packaging / "conda/recipe.yaml"),
}, indent=1))

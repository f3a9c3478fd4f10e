# SPDX-License-Identifier: BSD-3-Clause
"""The products of the study: which product on which cluster, how today's code cuts it,
and its simulated time, as recorded in tests/data/strassen."""

from __future__ import annotations

import csv
import gzip
import io
import json
import os
import re
import subprocess
from dataclasses import dataclass
from typing import Any, Iterable, Iterator

from algorithms import Inputs, choose, cut_text
from study import write

DATA = "tests/data/strassen"
KINDS = ("equal", "greedy", "recursive", "auto")
PROBES = ("product-0", "product-1", "transfer", "exchange", "overlap")

# The paper's figures 12 to 14 go to 12000, its tables 3 and 4 are at 12000.
SIZES = (2000, 4000, 6000, 8000, 10000, 12000)
TABLE_SIZE = 12000

# Random mixes: nodes, groups, heterogeneity, seed (see mix).
MIXES = ("4 4 2.5 1", "7 3 3 2", "12 4 1.05 3", "20 5 1.5 4", "32 6 2 5")
MIX_SIZE = 8000

# Products on the slower Xeon without noise, for figure 1, around the 1760 from which a
# level of Strassen's method pays there.
CURVE = "ohtaki-1-noiseless"
CURVE_SIZES = "250,500,1000,1250,1500,1700,1740,1780,1820,2000,2500,3000,3500,4000"

# The input of the paper's function: the times that its tables 3 and 4 predict for
# products of 2400 on each processor, and 34.3 s for a message with a matrix of 12000
# (see docs/readings.md).
PRODUCTS_2400 = {
    "athlon-1.53": 117.1 / 10,
    "xeon-2.4": 128.8 / 15,
    "xeon-3.06": 137.4 / 20,
}
MATRIX_12000 = 34.3
LEVEL_FROM = 1760
MOST = 16  # G, as of `motley strassen`

# Cuts are the same if no edge differs by more than this share of a side; products whose
# edges differ by less take the same time within 0.1 %.
SAME_EDGE = 1e-4
# Simulated again, a run takes what was recorded; it has one thread and no clock.
SAME_TIME = 1e-3


@dataclass(frozen=True)
class Product:
    cluster: str
    size: int
    cut: str  # of KINDS; of auto's rectangles without overlap or as if all nodes were
    # alike ("no-overlap", "alike"); or by the paper's cost function ("greedy-paper")

    @property
    def name(self) -> str:
        return f"{self.cluster}-{self.size}-{self.cut}"


def all_products() -> Iterator[Product]:
    variants = ("no-overlap", "alike")
    for cluster in ("ohtaki-1", "ohtaki-2", "ohtaki-3"):
        for size in SIZES:
            cuts = KINDS + (variants if size == TABLE_SIZE else ())
            # On the other clusters the paper's function chooses the equal cut.
            for cut in cuts + (("greedy-paper",) if cluster == "ohtaki-3" else ()):
                yield Product(cluster, size, cut)
    for i in range(len(MIXES)):
        for cut in KINDS + variants:
            yield Product(f"mix-{i + 1}", MIX_SIZE, cut)


def paper_inputs(processors: Iterable[str]) -> Inputs:
    size = 2400
    message = MATRIX_12000 * (size / 12000) ** 2
    return Inputs(size, [PRODUCTS_2400[each] for each in processors], message)


def processors(environment: int) -> list[str]:
    slow, fast = ["xeon-2.4"], ["xeon-3.06"]
    return {
        1: slow * 4 + fast * 4,
        2: slow * 7 + fast,
        3: ["athlon-1.53"] + slow * 3 + fast * 4,
    }[environment]


def motley(*words: str, log: Any = None) -> str:
    return subprocess.run(
        ["motley", *words], check=True, stdout=subprocess.PIPE, stderr=log, text=True
    ).stdout


def read_packed(name: str) -> str:
    with gzip.open(f"{DATA}/{name}", "rt", encoding="utf-8") as stream:
        return stream.read()


def write_packed(name: str, text: str) -> None:
    os.makedirs(DATA, exist_ok=True)
    with open(f"{DATA}/{name}", "wb") as stream:
        with gzip.GzipFile("", "wb", 9, stream, mtime=0) as packed:
            packed.write(text.encode())


def same_cut(one: list[str], other: list[str]) -> bool:
    def same(a: str, b: str) -> bool:
        return a == b or ("." in a + b and abs(float(a) - float(b)) <= SAME_EDGE)

    lines = [(a.split(), b.split()) for a, b in zip(one, other)]
    return len(one) == len(other) and all(
        len(a) == len(b) and all(map(same, a, b)) for a, b in lines
    )


class Simulation:
    """Today's simulations, kept in a folder; those that are there are not repeated."""

    def __init__(self, study: "Recorded", folder: str) -> None:
        self.study = study
        self.folder = folder
        os.makedirs(folder, exist_ok=True)

    def _run(self, *words: str) -> str:
        with open(f"{self.folder}/log", "a", encoding="utf-8") as log:
            return motley("strassen", *words, log=log)

    def measure(self, cluster: str, *words: str) -> list[list[str]]:
        """The measurements that a plan needs: rows of DATA/measured.csv.gz."""
        store = f"{self.folder}/{cluster}.db"
        self._run("measure", "--quiet", "--db", store, *words, self.study.file(cluster))
        rows = []
        for probe in PROBES:
            which = (self.study.file(cluster), f"strassen-{probe}")
            runs = motley("export", "--db", store, *which)
            for run in csv.DictReader(io.StringIO(runs)):
                rows.append([run[column] for column in Recorded.COLUMNS])
        return sorted(rows)

    def make(self, product: Product) -> dict[str, Any]:
        """A product: a line of DATA/products.jsonl.gz."""
        path = f"{self.folder}/{product.name}.json"
        if not os.path.exists(path):
            by_file = ("--cut-file", self.study.cut_path(product))
            how = ("--cut", product.cut) if product.cut in KINDS else by_file
            words = ["--json", "--db", f"{self.folder}/{product.cluster}.db"]
            words += ["--size", str(product.size), *how]
            write(path, self._run("run", *words, self.study.file(product.cluster)))
        with open(path, encoding="utf-8") as stream:
            run = json.load(stream)
        return {
            "cluster": product.cluster,
            "n": product.size,
            "cut": product.cut,
            "seconds": run["seconds"],
            "bytes": run["bytes"],
            "ranks": [rank["measured"] for rank in run["ranks"]],
        }


class Recorded:
    """The recorded truth, with the cuts and predictions of today's code, in a folder:
    NAME-SIZE-CUT.json for each product that is cut as it was when it was recorded."""

    COLUMNS = "cluster,program,configuration,size,seconds,outcome,simulated".split(",")

    def __init__(self, out: str) -> None:
        self.out = out
        self.store = f"{out}/measured.db"
        self.changed: list[Product] = []
        self._write_clusters()

    def file(self, cluster: str) -> str:
        own = f"{self.out}/{cluster}.yaml"
        return own if os.path.exists(own) else f"clusters/{cluster}.yaml"

    def _write_clusters(self) -> None:
        """The random mixes, and each cluster as if all of its nodes were alike."""
        for i, mix in enumerate(MIXES):
            words = [f"{os.path.dirname(__file__)}/mix", f"mix-{i + 1}", *mix.split()]
            text = subprocess.check_output(words, text=True)
            write(f"{self.out}/mix-{i + 1}.yaml", text)
        for cluster in {product.cluster for product in all_products()}:
            with open(self.file(cluster), encoding="utf-8") as stream:
                text = re.sub(r"flops: [^,}#\n]*", "flops: 3 Gf ", stream.read())
            bandwidth = "memory_bandwidth: 1.5 GB/s "
            text = re.sub(r"memory_bandwidth: [^,}#\n]*", bandwidth, text)
            text = re.sub(r"(?m)^name: .*", f"name: {cluster}-alike", text)
            write(f"{self.out}/{cluster}-alike.yaml", text)
        with open("clusters/ohtaki-1.yaml", encoding="utf-8") as stream:
            text = re.sub(r", noise: [0-9.]*", "", stream.read())
        text = re.sub(r"(?m)^name: .*", f"name: {CURVE}", text)
        write(f"{self.out}/{CURVE}.yaml", text)

    def cut_path(self, product: Product) -> str:
        return f"{self.out}/{product.name}.cut"

    def plan(self, product: Product) -> dict[str, Any]:
        """Cut a product as today: its plan, where `motley` makes one, and CUT_PATH."""
        path = self.cut_path(product)
        if product.cut == "no-overlap":
            auto = self.cut_path(Product(product.cluster, product.size, "auto"))
            with open(auto, encoding="utf-8") as stream:
                write(path, re.sub(r"(?m)^overlap .*", "overlap no", stream.read()))
            return {}
        if product.cut == "greedy-paper":
            inputs = paper_inputs(processors(int(product.cluster[-1])))
            chosen = choose(inputs, product.size, "to and fro", MOST)
            write(path, cut_text(chosen, int(product.size / chosen.g >= LEVEL_FROM)))
            return {}
        alike = product.cut == "alike"
        words = ["--json", "--db", self.store, "--size", str(product.size)]
        words += ["--write", path, "--cut", "auto" if alike else product.cut]
        words.append(self.file(product.cluster + ("-alike" if alike else "")))
        plan = json.loads(motley("strassen", "plan", *words))
        return {} if alike else plan

    def record(self) -> None:
        """Simulate the truth, and write it to DATA."""
        simulation = Simulation(self, f"{self.out}/simulated")
        rows = simulation.measure(CURVE, "--sizes", CURVE_SIZES, "--repeat", "1")
        for cluster in sorted({product.cluster for product in all_products()}):
            rows += simulation.measure(cluster) + simulation.measure(f"{cluster}-alike")
        table = io.StringIO()
        csv.writer(table, lineterminator="\n").writerows([self.COLUMNS, *rows])
        write_packed("measured.csv.gz", table.getvalue())
        self.take_measured()
        lines = []
        for product in all_products():
            self.plan(product)
            line = simulation.make(product)
            line["lines"] = self.read_cut(product)
            text = json.dumps(line, separators=(",", ":"))
            lines.append(re.sub(r"(\.\d{6})\d+", r"\1", text) + "\n")
        write_packed("products.jsonl.gz", "".join(lines))

    def read_cut(self, product: Product) -> list[str]:
        with open(self.cut_path(product), encoding="utf-8") as stream:
            return [line for line in stream.read().splitlines() if line[0] != "#"]

    def take_measured(self) -> None:
        if os.path.exists(self.store):
            os.remove(self.store)
        table = f"{self.out}/measured.csv"
        write(table, read_packed("measured.csv.gz"))
        motley("import", "--db", self.store, table, log=subprocess.DEVNULL)

    def take(self) -> None:
        """Cut each product as today, and keep it as JSON where the cut is the one that
        was recorded."""
        self.take_measured()
        self.runs: dict[Product, dict[str, Any]] = {}
        for line in map(json.loads, read_packed("products.jsonl.gz").splitlines()):
            self.runs[Product(line["cluster"], line["n"], line["cut"])] = line
        for product, run in self.runs.items():
            plan = self.plan(product)
            if product.cut == "auto" and product.size in (TABLE_SIZE, MIX_SIZE):
                write(f"{self.out}/{product.cluster}-plan.json", json.dumps(plan))
            path = f"{self.out}/{product.name}.json"
            if os.path.exists(path):
                os.remove(path)
            if not same_cut(self.read_cut(product), run["lines"]):
                self.changed.append(product)
                continue
            made = {key: run[key] for key in ("n", "cut", "seconds", "bytes")}
            made["flops"] = 2 * product.size**3 / run["seconds"]
            made["ranks"] = [{"measured": measured} for measured in run["ranks"]]
            for cut in plan.get("cuts", []):
                if cut["cut"] == product.cut:
                    made["predicted"] = cut["seconds"]
                    for rank, own in zip(made["ranks"], cut["ranks"]):
                        rank.update(own)
            write(path, json.dumps(made))

    def check(self, cluster: str, size: int) -> str:
        """Repeat the simulated measurements of a cluster and its products of that size,
        and return the results. Raises ValueError if they are not those that were
        recorded."""
        simulation = Simulation(self, f"{self.out}/again")
        with open(f"{self.out}/measured.csv", encoding="utf-8") as stream:
            recorded = sorted(row for row in csv.reader(stream) if row[0] == cluster)
        pairs = []
        for old, new in zip(recorded, simulation.measure(cluster), strict=True):
            if old[:4] != new[:4]:
                raise ValueError(f"{cluster}: {old[:4]} was recorded, {new[:4]} is run")
            pairs.append((float(old[4]), float(new[4])))
        for product, run in self.runs.items():
            if (product.cluster, product.size) == (cluster, size):
                pairs.append((run["seconds"], simulation.make(product)["seconds"]))
        off = max(abs(new / old - 1) for old, new in pairs)
        text = f"{cluster} (simulated): {len(pairs)} runs, at most {100 * off:.3g} % "
        text += "off what is recorded"
        if off > SAME_TIME:
            raise ValueError(text)
        return text

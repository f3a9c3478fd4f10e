# SPDX-License-Identifier: BSD-3-Clause
"""What the studies in Python are made of (experiments/)."""

import math
import os
import statistics
import sys
import tempfile
import unittest

SOURCE = os.environ["SOURCE_ROOT"]
sys.path[:0] = [
    f"{SOURCE}/experiments{study}" for study in ("", "/blind", "/tables")
]

import draw
import forms
import laws
import motley
import numpy
import pandas
import published
import rivals
import scores
from study import Noise, Random, bits_of, number, percent, six_digits

RUNS = 20000
SEEDS = range(1, 81)


class Numbers(unittest.TestCase):
    def noise(self, noise: Noise, nodes: int, repetition: int) -> float:
        """Its logarithm, in deviations."""
        uses = [nodes << 32 | 1, 0, 0]
        factor = noise.factor(noise.key(bits_of(10), uses, repetition))
        return math.log(factor) / noise.deviation

    def test_random_numbers_are_those_of_earlier_studies(self) -> None:
        random = Random(7, "cluster")
        drawn = [random.integer(0, 999) for _ in range(4)]
        self.assertEqual(drawn, [200, 193, 238, 439])

    def test_noise_has_the_deviation_asked_for(self) -> None:
        """Bounds of four standard errors."""
        noise = Noise(0.05, 7)
        values = [self.noise(noise, 2, i) for i in range(RUNS)]
        self.assertLess(abs(statistics.fmean(values)), 4 / math.sqrt(RUNS))
        squares = statistics.fmean(x * x for x in values)
        self.assertLess(abs(squares - 1), 4 * math.sqrt(2 / RUNS))

    def test_noise_differs_by_seed_point_and_repetition(self) -> None:
        """Products average to 0 where they are independent."""
        noise, other = Noise(1, 7), Noise(1, 8)
        for pair in (
            lambda i: self.noise(noise, 2, i) * self.noise(other, 2, i),
            lambda i: self.noise(noise, 2, i) * self.noise(noise, 1, i),
            lambda i: self.noise(noise, 2, i) * self.noise(noise, 2, i + 1),
        ):
            mean = statistics.fmean(pair(i) for i in range(RUNS // 4))
            self.assertLess(abs(mean), 8 / math.sqrt(RUNS))

    def test_there_is_none_without_a_deviation(self) -> None:
        noise = Noise(0, 3)
        self.assertEqual(noise.factor(noise.key(bits_of(10), [1], 9)), 1)

    def test_numbers_are_printed_as_before(self) -> None:
        self.assertEqual([number(x) for x in (3.0, 0.25, -1)], ["3", "0.25", "-1"])
        self.assertEqual(
            [percent(x) for x in (0.12345, 1, 0, None)], ["12.3 %", "100 %", "0 %", "-"]
        )
        self.assertEqual(
            [six_digits(x) for x in (1.23456789, 2.0, math.nan)], [1.23457, 2, None]
        )


class Drawn(unittest.TestCase):
    """The random clusters and programs of the study blind."""

    def setUp(self) -> None:
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)

    def draw(self, seed: int) -> str:
        folder = f"{self.folder.name}/{seed}"
        draw.draw_files(folder, seed)
        return folder

    def check_program(self, path: str) -> None:
        program = motley.Program(path)
        measured, planned = program.measure_sizes, program.plan_sizes
        self.assertIn(len(measured), range(5, 8))
        self.assertIn(len(planned), range(3, 7))
        self.assertLess(planned[0], measured[-1])
        # Equal where both are rounded to a power of two.
        self.assertTrue(measured[-1] <= planned[-1] <= 4.5 * measured[-1])

    def test_can_be_read_and_are_as_promised(self) -> None:
        for seed in SEEDS:
            folder = self.draw(seed)
            groups = motley.Cluster(f"{folder}/cluster.yaml").groups
            ranks = groups["nodes"] * groups["processes"].map(max)
            self.assertIn(len(groups), range(1, 7))
            self.assertTrue(groups["nodes"].between(1, 24).all())
            self.assertGreaterEqual(groups["nodes"].sum(), 4)
            self.assertTrue(16 <= ranks.sum() <= 256)
            for name in draw.PROGRAMS:
                self.check_program(f"{folder}/{name}.yaml")

    def test_depend_on_the_seed_alone(self) -> None:
        texts = []
        for seed in (1, 1, 2):
            cluster = draw.draw_cluster(seed)
            texts.append(
                [
                    cluster.text,
                    draw.draw_shipped("lu", seed),
                    draw.draw_random(1, seed, cluster),
                ]
            )
        self.assertEqual(texts[0], texts[1])
        for one, other in zip(texts[1], texts[2]):
            self.assertNotEqual(one, other)

    def test_give_nothing_away(self) -> None:
        """What a site would not know of its own is in what is simulated, and nowhere
        else; nor does a random program say its messages."""
        for seed in SEEDS:
            cluster = draw.draw_cluster(seed)
            for number in range(1, 5):
                text = draw.draw_random(number, seed, cluster)
                self.assertNotIn("\nmessages", text)
                self.assertNotIn("\nsurface", text)
                self.assertEqual("\nwork:" in text, number % 2 == 1)

    def test_every_kind_of_program_and_cluster_comes(self) -> None:
        clusters = [draw.draw_cluster(seed) for seed in SEEDS]
        drawn = "".join(
            draw.draw_random(k, seed, cluster)
            for seed, cluster in zip(SEEDS, clusters)
            for k in range(1, 5)
        )
        for pattern in draw.PATTERNS:
            self.assertIn(f"--pattern, {pattern},", drawn)
        texts = "".join(cluster.text for cluster in clusters)
        for key in ("trunk", "duplex", "protocol", "odd", "glitches", "caches"):
            self.assertIn(f"{key}:", texts)


class Forms(unittest.TestCase):
    """The rival of forms N^i log2(N)^j."""

    SIZES = (400, 800, 1600, 2400)

    def model(self, seconds, ranks=(2, 4, 8)):
        runs = [(n, p, seconds(n, p)) for p in ranks for n in self.SIZES]
        return forms.find_model(runs)

    def value(self, model, size: float, ranks: int) -> float:
        names = {"N": size, "P": ranks, "log2": math.log2}
        terms = model.terms.replace("^", "**").split(", ")
        return sum(c * eval(t, names) for c, t in zip(model.coefficients, terms))

    def test_the_form_of_a_product(self) -> None:
        def cubic(n: float, p: int) -> float:
            return 0.5 + 2e-9 * n**3 / p

        model = self.model(cubic)
        self.assertIn("*log2(P)^0/P^1", model.terms)
        self.assertAlmostEqual(self.value(model, 4800, 16) / cubic(4800, 16), 1, 6)

    def test_the_form_of_a_sum(self) -> None:
        def both(n: float, p: int) -> float:
            return 0.1 + 1e-6 * n**2 + 0.3 * math.log2(p)

        model = self.model(both)
        self.assertAlmostEqual(self.value(model, 4800, 16) / both(4800, 16), 1, 6)

    def test_three_sizes_are_needed(self) -> None:
        runs = [(n, p, n * 0.01 / p) for p in (2, 4, 8) for n in (400, 800)]
        self.assertIsNone(forms.find_model(runs))

    def test_a_single_p_gives_a_model_of_n(self) -> None:
        model = self.model(lambda n, p: 1 + 1e-9 * n**3, (4,))
        self.assertNotIn("P", model.terms)
        self.assertAlmostEqual(self.value(model, 3200, 4) / (1 + 1e-9 * 3200**3), 1, 3)


class Rules(unittest.TestCase):
    """How people choose without a model."""

    LARGE, SMALL = [1, 2, 4, 8, 16], [1, 2]

    def test_a_process_a_core(self) -> None:
        self.assertEqual(rivals.most_processes(self.LARGE, 8), 8)
        self.assertEqual(rivals.most_processes([4, 8], 2), 4)

    def test_processes_are_in_proportion_to_speeds(self) -> None:
        """Shares of the eight processes that the fastest have."""
        for speeds, small in (
            *(((8, 2), 2), ((80, 11), 1), ((80, 4.9), 0), ((80, 5.1), 1)),
            *(((1, 1), 2), ((3, 1.5), 2), ((1, 0), 0)),
        ):
            share = 8 * speeds[1] / speeds[0]
            self.assertEqual(rivals.proportional(self.SMALL, share), small, speeds)


class Laws(unittest.TestCase):
    """The rivals on published tables get back what made the times."""

    RANKS = (2, 4, 8, 16)

    def assert_found(self, fit, seconds) -> None:
        law = fit(self.RANKS, [seconds(p) for p in self.RANKS])
        for p in (3, 64, 1024):
            self.assertAlmostEqual(law(p) / seconds(p), 1, 6)

    def test_exact_times(self) -> None:
        self.assert_found(laws.amdahl, lambda p: 100 / p)
        self.assert_found(laws.amdahl, lambda p: 100 / p + 3)
        self.assert_found(laws.usl, lambda p: 100 / p + 3)
        self.assert_found(laws.usl, lambda p: 100 / p + 3 + 0.02 * (p - 1))
        self.assert_found(laws.line, lambda p: 50 * p**-0.7)
        self.assert_found(laws.pmnf, lambda p: 2 + 90 * p**-0.75)
        self.assert_found(laws.pmnf, lambda p: 2 + 0.3 * math.log2(p))

    def test_no_coefficient_is_negative(self) -> None:
        """Times that shrink faster than P grows are a/P; others that rise have none."""
        faster = [100 / p**1.2 for p in self.RANKS]
        law = laws.usl(self.RANKS, faster)
        self.assertAlmostEqual(law(1000) * 1000, law(1))
        self.assertGreater(laws.amdahl(self.RANKS, [1, 2, 3, 4])(1e9), 0)

    def test_relative_errors_are_least(self) -> None:
        """A constant for times of 1 and 2 s: 1.2 is off by 20 and 40 %, and no other is
        better."""
        law = laws.fit_sum([lambda p: 1], [1, 2], [1, 2])
        self.assertAlmostEqual(law(5), 1.2)

    def test_too_few_runs(self) -> None:
        self.assertEqual(laws.fit_all([4], [3]), {})
        self.assertNotIn("PMNF", laws.fit_all([4, 8], [3, 2]))
        self.assertEqual(list(laws.fit_all([2, 4, 8], [4, 3, 2])), scores.RIVALS)


class Scores(unittest.TestCase):
    def test_crps_of_a_normal(self) -> None:
        """At its median it is (sqrt 2 - 1) / sqrt pi deviations."""
        levels = [(k + 0.5) / 2000 for k in range(2000)]
        normal = statistics.NormalDist(math.log(7), 0.1)
        quantiles = [math.exp(normal.inv_cdf(level)) for level in levels]
        exact = 0.1 * (math.sqrt(2) - 1) / math.sqrt(math.pi)
        self.assertAlmostEqual(scores.crps(levels, quantiles, 7) / exact, 1, 3)

    def test_crps_of_a_point_is_its_error(self) -> None:
        for levels in ([0.05, 0.5, 0.95], published.PROBABILITIES):
            self.assertAlmostEqual(
                scores.crps(levels, [3] * len(levels), 4), math.log(4 / 3)
            )

    def test_runs_without_a_prediction(self) -> None:
        """They are outside their intervals, and no errors."""
        points = pandas.DataFrame({"predicted": [2.2, 1.8, 1.0, numpy.nan]})
        points["seconds"] = 2
        points["low"], points["high"] = points["predicted"] - 0.5, points["predicted"] + 0.5
        self.assertEqual(scores.covered(points), 0.5)
        self.assertAlmostEqual(scores.median(scores.errors(points)), 0.1)

    def test_the_best_rival_counts(self) -> None:
        """Unless it predicts fewer than half of the runs."""
        points = pandas.DataFrame({"seconds": [1.0] * 4, "predicted": [1.3] * 4})
        points[scores.RIVALS] = 1.6
        points["USL"] = [1.2, 1.2, numpy.nan, numpy.nan]
        self.assertAlmostEqual(scores.over_best(points), 1.5)
        points.loc[1, "USL"] = numpy.nan
        self.assertAlmostEqual(scores.over_best(points), 0.5)


class Tables(unittest.TestCase):
    """The published tables in tests/data/tables."""

    def setUp(self) -> None:
        self.addCleanup(os.chdir, os.getcwd())
        os.chdir(SOURCE)
        self.machines = list(published.read_tables())

    def test_say_where_they_are_from(self) -> None:
        names = {machine.table for machine in self.machines}
        self.assertLess(set(published.IN_SIGHT), names)
        for name in names:
            with open(f"{published.FOLDER}/{name}.csv", encoding="utf-8") as stream:
                self.assertRegex(stream.readline(), r"^# source: [a-z.]+/\S+")

    def test_hold_back_the_largest_counts_by_one_rule(self) -> None:
        added = [m for m in self.machines if m.table not in published.IN_SIGHT]
        for machine in added:
            for _, runs in machine.runs.groupby("size"):
                one = runs["nodes"].nunique() == 1
                counts = runs["ranks" if one else "nodes"]
                known = [
                    part * counts <= counts.max()
                    for part in (4, 2)
                    if counts[part * counts <= counts.max()].nunique() >= 3
                ]
                used = known[0] if known else counts > 0
                self.assertEqual(list(used), list(runs["used"] == 1), machine.table)

    def test_every_run_is_in_one_series(self) -> None:
        for machine in self.machines:
            rows = [row for series in machine.series() for row in series.index]
            self.assertEqual(sorted(rows), sorted(machine.runs.index), machine.table)
            self.assertTrue((machine.runs["seconds"] > 0).all())


if __name__ == "__main__":
    unittest.main()

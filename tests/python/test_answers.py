# SPDX-License-Identifier: BSD-3-Clause
"""The module answers as the command does."""

import contextlib
import io
import os
import sqlite3
import unittest

import motley
import numpy
import pandas
from lab import CLUSTER, PROGRAM, SOURCE, Lab, recorded, training

NOT_IN_PYTHON = ("schema", "version", "launch", "hostfile", "sbatch", "verification")


class Answers(Lab):
    def test_runs_are_those_that_are_exported(self) -> None:
        exported = pandas.read_csv(
            io.StringIO(self.command("export", CLUSTER, PROGRAM, "--format", "csv"))
        )
        with motley.Store() as store:
            runs = store.runs(CLUSTER, PROGRAM)
        self.assertEqual(len(runs), len(training()))
        for column in exported:
            mine = runs[column].reset_index(drop=True)
            if exported[column].isna().all():
                self.assertTrue(mine.isna().all(), column)
            else:
                pandas.testing.assert_series_equal(
                    mine, exported[column], check_dtype=False, check_exact=True
                )
        self.assertEqual(set(runs), set(exported))

    def test_runs_are_restricted(self) -> None:
        with motley.Store() as store:
            runs = store.runs(
                motley.Cluster(CLUSTER), motley.Program(PROGRAM), size=800
            )
            self.assertEqual(set(runs["size"]), {800})
            some = store.runs(configuration="xeon:3x2", newest=2)
            self.assertEqual(list(some["size"]), [4800, 6400])
            self.assertEqual(set(some["configuration"]), {"xeon:3x2"})
            by_path = store.runs(motley.Cluster(CLUSTER).path, size=800)
            self.assertEqual(list(by_path.index), list(runs.index))

    def test_scaling(self) -> None:
        frame = pandas.DataFrame(
            {
                "group": ["old"] * 4 + ["new"] * 3,
                "nodes": [1, 2, 4, 8, 1, 2, 4],
                "ppn": [4] * 4 + [16] * 3,
                "seconds": [3626, 1883, 979, 538, 900, 480, 270],
            }
        )
        frame.to_csv("table.csv", index=False)
        answer = self.answer("scaling", "--efficiency", "75%", "table.csv")
        mine = motley.scaling(frame, efficiency=0.75)
        rows = answer["points"]
        for frame_of, of in (
            (mine.points, rows),
            (mine.answers, [row for row in rows if row["answer"]]),
        ):
            self.assert_rows(
                frame_of, [{key: row[key] for key in frame_of if key in row} for row in of]
            )
        self.assertEqual(mine.left_out, answer["left_out"])
        self.assertIn("at least 75 % efficiency", repr(mine))
        with self.assertRaises(motley.Error):
            mine.nodes
        self.assertEqual(motley.scaling(frame[:4], efficiency=0.75).nodes, 11)

    def test_scaling_refuses(self) -> None:
        frame = pandas.DataFrame({"nodes": [1, 2.5], "seconds": [10, 4]})
        for wrong in (frame, frame.assign(nodes=[1, 1]), frame.drop(columns="nodes")):
            with self.assertRaises(motley.Error):
                motley.scaling(wrong)
        with self.assertRaises(motley.Error):
            motley.scaling(frame.assign(nodes=[1, 2]), efficiency=1.2)
        failed = frame.assign(nodes=[1, 2], size=1).merge(
            pandas.DataFrame({"nodes": [4], "seconds": [numpy.nan]}), how="outer"
        )
        self.assertEqual(motley.scaling(failed.fillna({"size": 1})).left_out, 1)

    def test_plan(self) -> None:
        answer = self.answer("plan", "--size", "9600", CLUSTER, PROGRAM)
        plan = motley.Predictor(CLUSTER, PROGRAM).plan(9600)
        self.assert_rows(plan.choices, answer["choices"])
        self.assert_members(plan, answer, *NOT_IN_PYTHON)
        self.assertEqual(plan.best, answer["choices"][0]["configuration"])
        self.assertIn("lu on toyohashi-3 (simulated), N = 9600", repr(plan))

    def test_plan_of_all_with_limits(self) -> None:
        answer = self.answer(
            *("plan", "--size", "6400", "--all", "--deadline", "100 s"),
            *("--confidence", "0.8", "--max-nodes", "5"),
            *("--min-efficiency", "40%", CLUSTER, PROGRAM),
        )
        plan = motley.Predictor(CLUSTER, PROGRAM).plan(
            6400,
            all=True,
            deadline=100,
            confidence=0.8,
            min_efficiency=0.4,
            max_nodes=5,
        )
        self.assert_rows(plan.choices, answer["choices"])

    def test_plan_of_what_is_predicted_to_meet_a_deadline(self) -> None:
        answer = self.answer(
            *("plan", "--size", "9600", "--deadline", "80 s", "--confidence", "0.5"),
            *(CLUSTER, PROGRAM),
        )
        plan = motley.Predictor(CLUSTER, PROGRAM).plan(
            9600, deadline=80, confidence=0.5
        )
        self.assert_rows(plan.choices, answer["choices"])
        self.assert_members(plan, answer, *NOT_IN_PYTHON)

    def test_results_can_be_compared_and_kept_in_sets(self) -> None:
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        plan = predictor.plan(9600)
        self.assertEqual(plan, plan)
        self.assertEqual(len({plan, predictor.plan(9600)}), 2)

    def test_other_models(self) -> None:
        for model in ("n-t", "np-t"):
            options = ("--size", "6400", "--model", model, CLUSTER, PROGRAM)
            answer = self.answer("plan", *options)
            plan = motley.Predictor(CLUSTER, PROGRAM, model=model).plan(6400)
            self.assert_rows(plan.choices, answer["choices"])
            self.assert_members(plan, answer, *NOT_IN_PYTHON)

    def test_predictions(self) -> None:
        answer = self.answer("predict", CLUSTER, PROGRAM)
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        predictions = predictor.predict()
        self.assert_rows(predictions.times, answer["predictions"])
        self.assert_members(predictions, answer, *NOT_IN_PYTHON)
        some = predictor.predict([1000, 2000], "xeon:4x2,pentium4:1x1+celeron:2x1")
        answer = self.answer(
            *("predict", "--size", "1000,2000", CLUSTER, PROGRAM),
            *("--configuration", "xeon:4x2,pentium4:1x1+celeron:2x1"),
        )
        self.assert_rows(some.times, answer["predictions"])

    def test_fit(self) -> None:
        models = motley.fit(CLUSTER, PROGRAM, model="np-t", terms="N^3/P, N^2, 1")
        answer = self.answer(
            *("fit", "--model", "np-t", "--terms", "N^3/P, N^2, 1", CLUSTER, PROGRAM)
        )
        self.assert_members(models, answer, "newest_run", *NOT_IN_PYTHON)
        self.assertEqual(len(models.models), len(answer["models"]))
        rows = []
        for number, model in enumerate(answer["models"]):
            row = models.models.loc[number]
            for key in ("group", "processes", "residual", "cross_validated", "runs"):
                self.assertEqual(row[key], model[key], key)
            self.assertEqual([row["size_low"], row["size_high"]], model["sizes"])
            rows += [{"model": number, **term} for term in model["terms"]]
        self.assert_rows(models.terms, rows)

    def test_what_auto_models_say(self) -> None:
        models = motley.fit(CLUSTER, PROGRAM)
        answer = self.answer("fit", CLUSTER, PROGRAM)
        explanation = models.explanation
        assert explanation is not None
        told = answer["explanation"]
        self.assert_rows(explanation["hypotheses"], told.pop("hypotheses"))
        for key, value in told.items():
            self.assertEqual(explanation[key], value, key)
        self.assertEqual(len(models.terms), 0)

    def test_quantiles_are_those_of_the_interval(self) -> None:
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        wanted = ["xeon:4x1", "pentium4:4x1+xeon:4x1"]
        times = predictor.predict([9600], ",".join(wanted)).times
        found = predictor.quantiles(wanted, 9600, [0.05, 0.5, 0.95])
        self.assertEqual(found.shape, (2, 3))
        self.assertEqual(list(found[:, 0]), list(times["low"]))
        self.assertEqual(list(found[:, 2]), list(times["high"]))
        self.assertTrue((numpy.diff(found) > 0).all())
        with self.assertRaisesRegex(motley.Error, "between 0 and 1"):
            predictor.quantiles(wanted, 9600, [1])

    def test_a_plan_uses_the_models_that_were_fitted(self) -> None:
        before = motley.Predictor(CLUSTER, PROGRAM, model="n-t").plan(8000)
        motley.fit(CLUSTER, PROGRAM, model="n-t", sizes=[400, 600, 800, 1200])
        after = motley.Predictor(CLUSTER, PROGRAM, model="n-t").plan(8000)
        answer = self.answer(
            "plan", "--model", "n-t", "--size", "8000", CLUSTER, PROGRAM
        )
        self.assert_rows(after.choices, answer["choices"])
        self.assertNotEqual(
            list(before.choices["seconds"]), list(after.choices["seconds"])
        )
        motley.fit(CLUSTER, PROGRAM, model="n-t")


class Mixed(Lab):
    """With runs of several groups."""

    def setUp(self) -> None:
        runs = recorded()
        chosen = ["pentium4:4x1+xeon:4x1", "pentium4:4x1+xeon:4x1+celeron:2x1"]
        with motley.Store(write=True) as store:
            store.add(runs[(runs["size"] == 9600) & runs["configuration"].isin(chosen)])

    def test_plan(self) -> None:
        answer = self.answer("plan", "--size", "9600", "--all", CLUSTER, PROGRAM)
        plan = motley.Predictor(CLUSTER, PROGRAM).plan(9600, all=True)
        self.assertEqual(plan.choices["runs"].max(), 1)
        self.assert_rows(plan.choices, answer["choices"])
        self.assert_members(plan, answer, *NOT_IN_PYTHON)


class Down(Lab):
    """With nodes that did not answer."""

    def test_plan(self) -> None:
        with contextlib.closing(sqlite3.connect("motley.db")) as store:
            store.executemany(
                "INSERT INTO absent (cluster, host, since) VALUES (?, ?, 1)",
                [(CLUSTER, "pentium4-1"), (CLUSTER, "xeon-4"), (CLUSTER, "other")],
            )
            store.commit()
        with self.assertWarnsRegex(UserWarning, "not answered: pentium4-1, xeon-4$"):
            predictor = motley.Predictor(CLUSTER, PROGRAM)
        self.assertEqual(list(predictor.groups["nodes"]), [7, 7, 8])
        answer = self.answer("plan", "--size", "9600", CLUSTER, PROGRAM)
        self.assert_rows(predictor.plan(9600).choices, answer["choices"])


def write_priced() -> None:
    """Into priced.yaml: the cluster, with prices."""
    with open(f"{SOURCE}/clusters/{CLUSTER}.yaml", encoding="utf-8") as file:
        lines = file.read()
    for group, price in (("pentium4", 3), ("xeon", 2), ("celeron", 0.5)):
        lines = lines.replace(
            f"- name: {group}", f"- price: {price}\n    name: {group}"
        )
    with open("priced.yaml", "w", encoding="utf-8") as file:
        file.write(lines)


class Costs(Lab):
    def setUp(self) -> None:
        write_priced()

    def test_front(self) -> None:
        answer = self.answer(
            "plan", "--pareto", "--size", "9600", "./priced.yaml", PROGRAM
        )
        front = motley.Predictor("./priced.yaml", PROGRAM).pareto(9600)
        self.assertGreater(len(front.points), 3)
        self.assertEqual(
            list(front.points.index), [p.pop("point") for p in answer["front"]]
        )
        self.assert_rows(front.points, answer["front"])
        self.assert_members(front, answer, *NOT_IN_PYTHON)

    def test_budget(self) -> None:
        answer = self.answer(
            *("plan", "--size", "9600", "--objective", "price"),
            *("--budget", "0.5", "./priced.yaml", PROGRAM),
        )
        predictor = motley.Predictor("./priced.yaml", PROGRAM)
        plan = predictor.plan(9600, objective="price", budget=0.5)
        self.assert_rows(plan.choices, answer["choices"])
        self.assert_members(plan, answer, *NOT_IN_PYTHON)
        self.assertEqual(list(predictor.groups["price"]), [3, 2, 0.5])

    def test_shipped_prices(self) -> None:
        groups = motley.Cluster("cloud").groups
        self.assertTrue((groups["price"] > 0).all())


class Surfaces(Lab):
    def test_survey(self) -> None:
        answer = self.answer(
            *("surface", "predict", "cenju-3", "--base", "500"),
            *("--efficiency", "0.1,0.2"),
        )
        surface = motley.Surface("cenju-3")
        survey = surface.survey(base=500, efficiencies=[0.1, 0.2])
        of_machine = ("machine_nodes", "speed", "node_memory", "learned")
        self.assert_members(survey, answer, *of_machine, *NOT_IN_PYTHON)
        self.assertEqual(
            [surface.nodes, surface.speed, surface.memory, surface.learned],
            [answer[key] for key in of_machine],
        )
        self.assert_rows(survey.points, answer["points"])
        for row in answer["ridge"]:
            row.pop("held_back", None)  # words
        self.assert_rows(survey.ridge, answer["ridge"])
        self.assert_rows(survey.cliffs, answer["cliffs"])
        self.assert_rows(survey.iso_efficiency, answer["iso_efficiency"])
        rows = []
        for row in answer["speedups"]["rows"]:
            flat = {"nodes": row.pop("nodes")}
            for kind, found in row.items():
                flat[kind], flat[f"{kind}_size"] = found["speedup"], found["size"]
            rows.append(flat)
        self.assert_rows(survey.speedups, rows)

    def test_axes(self) -> None:
        answer = self.answer(
            *("surface", "predict", "cenju-3:B", "--size", "64:4096:x1.5"),
            *("--nodes", "1,10,100"),
        )
        surface = motley.Surface("cenju-3", "B")
        survey = surface.survey("64:4096:x1.5", [1, 10, 100])
        self.assert_rows(survey.points, answer["points"])
        self.assertEqual(len(survey.speedups), 0)
        point = survey.points.iloc[-1]
        at = surface.at(point["size"], point["nodes"])
        self.assertEqual(at["seconds"], point["seconds"])


class Pictures(Lab):
    def test_all(self) -> None:
        try:
            import matplotlib
        except ImportError:
            self.skipTest("matplotlib is not there")
        matplotlib.use("agg")
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        axes = predictor.predict([1600, 9600]).plot()
        self.assertEqual(axes.get_title(), "lu on toyohashi-3 (simulated)")
        axes.figure.savefig("times.png")
        write_priced()
        priced = motley.Predictor("./priced.yaml", PROGRAM)
        front = priced.pareto(9600)
        axes = front.plot()
        self.assertEqual(axes.get_ylabel(), "cost")
        self.assertEqual(len(axes.lines[1].get_xdata()), len(front.points))
        survey = motley.Surface("cenju-3").survey()
        self.assertIs(survey.plot(axes), axes)
        self.assertTrue(os.path.getsize("times.png") > 0)


if __name__ == "__main__":
    unittest.main()

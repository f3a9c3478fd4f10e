# SPDX-License-Identifier: BSD-3-Clause
"""What is wrong is said as the command says it."""

import contextlib
import os
import pickle
import subprocess
import sys
import unittest
import warnings
from typing import Iterator

import motley
import pandas
from lab import CLUSTER, MOTLEY, PROGRAM, Lab, training
from motley import Status


class Errors(Lab):
    @contextlib.contextmanager
    def fails(self, status: Status, text: str) -> Iterator[None]:
        with self.assertRaises(motley.Error) as caught:
            yield
        self.assertEqual(caught.exception.status, status)
        self.assertIn(text, str(caught.exception))

    def complaint(self, *arguments: str) -> str:
        """What the command complains of."""
        done = subprocess.run([MOTLEY, *arguments], stderr=subprocess.PIPE, text=True)
        self.assertNotEqual(done.returncode, 0)
        return done.stderr.strip()

    def test_broken_files(self) -> None:
        for text, place in (
            ("name: lab\nlauncher: smpi\ngroups: [{name: a, nodes: 0}]\n", ":3: "),
            ("name: lab\nname: lab\n", ":2: "),
            ("name: [lab\n", ":2"),
            ("", ""),
        ):
            with open("broken.yaml", "w", encoding="utf-8") as file:
                file.write(text)
            with self.assertRaises(motley.Error) as caught:
                motley.Cluster("broken.yaml")
            self.assertTrue(str(caught.exception).startswith(f"broken.yaml{place}"))
            complaint = self.complaint("plan", "--size", "9", "broken.yaml", PROGRAM)
            self.assertEqual(f"motley: {caught.exception}", complaint)
        with self.fails(Status.EINVAL, "broken.yaml"):
            motley.Program("broken.yaml")
        with self.fails(Status.EINVAL, "broken.yaml"):
            motley.Surface("broken.yaml")

    def test_names(self) -> None:
        with self.fails(Status.ENOTFOUND, "did you mean 'toyohashi-2'?"):
            motley.Cluster("toyohashi-4")
        with self.fails(Status.EIO, "cannot read 'nowhere/x.yaml'"):
            motley.Program("nowhere/x.yaml")
        with self.fails(Status.EINVAL, "'lu'"):
            motley.Surface("cenju-3", "lu")
        with self.fails(Status.EINVAL, "a zero byte"):
            motley.Cluster("toyo\0hashi")

    def test_values_of_another_type(self) -> None:
        for wrong in (5, None, ["lu"]):
            with self.fails(Status.EINVAL, "a name or path has to be a text, not "):
                motley.Cluster(wrong)
        with self.fails(Status.EINVAL, "has to be a text, not 3"):
            motley.Predictor(CLUSTER, PROGRAM, model=3)
        with self.fails(Status.EINVAL, "a list of numbers is wanted, not 5"):
            motley.fit(CLUSTER, PROGRAM, sizes=5)
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        for wrong in ("big", None, [800]):
            with self.fails(Status.EINVAL, "size has to be a number above 0, not "):
                predictor.plan(wrong)
        with self.fails(Status.EINVAL, "a list of numbers is wanted, not ['big']"):
            predictor.predict(["big"])
        with self.fails(Status.EINVAL, "deadline has to be seconds, not soon"):
            predictor.plan(9600, deadline="soon")

    def test_stores(self) -> None:
        with self.fails(Status.ENOTFOUND, "no store 'nowhere.db'"):
            motley.Store("nowhere.db")
        with open("text.db", "w", encoding="utf-8") as file:
            file.write("this is no store\n" * 100)
        with self.fails(Status.EINVAL, "text.db"):
            motley.Predictor(CLUSTER, PROGRAM, "text.db")
        with motley.Store() as store:
            with self.fails(Status.ENOTFOUND, "fft"):
                store.runs(CLUSTER, "fft")
        with self.fails(Status.EINVAL, "is closed"):
            store.runs()
        store.close()

    def test_runs_that_make_no_sense(self) -> None:
        runs = training()[:3]
        with motley.Store(write=True) as store:
            before = len(store.runs())
            with self.fails(Status.EINVAL, "no column 'size'"):
                store.add(runs.drop(columns="size"))
            with self.fails(Status.EINVAL, ""):
                store.add(runs.assign(seconds=[1, 2, -3]))
            with self.fails(Status.EINVAL, "fine"):
                store.add(runs.assign(outcome="fine"))
            self.assertEqual(len(store.runs()), before)
        with motley.Store() as store, self.assertRaises(motley.Error):
            store.add(runs)

    def test_failures_have_a_reason(self) -> None:
        runs = pandas.DataFrame(
            {
                "configuration": ["xeon:1x1", "xeon:1x1"],
                "size": 400,
                "seconds": [float("nan"), 2],
                "outcome": ["failed", "ok"],
                "reason": ["exited with status 3", None],
                "exit_code": [3, 0],
            }
        )
        with motley.Store("failures.db", write=True) as store:
            store.add(runs, CLUSTER, "other")
            kept = store.runs(CLUSTER, "other")
        self.assertEqual(list(kept["outcome"]), ["failed", "ok"])
        self.assertEqual(list(kept["reason"]), ["exited with status 3", None])
        self.assertTrue(pandas.isna(kept["seconds"].iloc[0]))
        self.assertEqual(list(kept["exit_code"]), [3, 0])
        self.assertEqual(list(kept["repetition"]), [1, 2])

    def test_questions(self) -> None:
        predictor = motley.Predictor(CLUSTER, PROGRAM)
        with self.fails(
            Status.EINFEASIBLE, "no configuration meets the deadline of 1 s"
        ):
            predictor.plan(9600, deadline=1)
        with self.fails(Status.EINVAL, "no group of cluster 'toyohashi-3' has a price"):
            predictor.plan(9600, objective="price")
        with self.fails(Status.EINVAL, "'money' is not time, price or energy"):
            predictor.plan(9600, objective="money")
        with self.fails(Status.EINVAL, "has a price"):
            predictor.pareto(9600)
        with self.fails(Status.EINVAL, "unknown kind of model: 'best'"):
            motley.Predictor(CLUSTER, PROGRAM, model="best")
        with self.fails(Status.EINVAL, "xeon"):
            predictor.predict([9600], "xeon:99x1")
        for wrong in (0, -1, float("nan"), float("inf")):
            with self.fails(Status.EINVAL, "size has to be a number above 0"):
                predictor.plan(wrong)
            with self.fails(Status.EINVAL, "size has to be a number above 0"):
                predictor.predict([800, wrong])
        for option in ("deadline", "budget", "max_nodes"):
            with self.fails(Status.EINVAL, f"{option} has to be"):
                predictor.plan(9600, **{option: -1})
        for wrong in (0, 0.4, 1):
            with self.fails(Status.EINVAL, "confidence has to be"):
                predictor.plan(9600, confidence=wrong)
        with self.fails(Status.EINVAL, "top has to be"):
            predictor.plan(9600, top=-1)

    def test_fits(self) -> None:
        with self.fails(Status.EPARSE, "column"):
            motley.fit(CLUSTER, PROGRAM, model="np-t", terms="N^, 1")
        with self.fails(Status.EINVAL, "auto models take no terms"):
            motley.fit(CLUSTER, PROGRAM, terms="N, 1")
        with self.fails(Status.ENOTFOUND, "no runs at the training sizes"):
            motley.fit(CLUSTER, PROGRAM, sizes=[123])

    def test_surfaces(self) -> None:
        surface = motley.Surface("cenju-3")
        with self.fails(Status.EINVAL, "64:32"):
            surface.survey("64:32", 4)
        with self.fails(Status.EINVAL, "0"):
            surface.survey([100, 0], 4)
        with self.fails(Status.EINVAL, "nan"):
            surface.survey([float("nan")], 4)
        for wrong in (-1, 0, 1.5, float("nan")):
            with self.fails(Status.EINVAL, "a whole number from 1 on"):
                surface.survey(100, 4, base=wrong)
        for wrong in (-1, 0, 2, float("nan")):
            with self.fails(Status.EINVAL, "above 0 and at most 1"):
                surface.survey(100, 4, efficiencies=[0.5, wrong])

    def test_what_is_left_out_is_warned_of(self) -> None:
        runs = training()
        with motley.Store("few.db", write=True) as store:
            store.add(runs[~runs["configuration"].str.startswith("celeron")])
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            predictor = motley.Predictor(CLUSTER, PROGRAM, "few.db")
        self.assertEqual(len(caught), 1)
        self.assertIn("celeron", str(caught[0].message))
        self.assertEqual(caught[0].filename, __file__)
        self.assertEqual(len(predictor.missing), 1)

    def test_runs_of_what_the_cluster_has_not_are_warned_of(self) -> None:
        run = training()[:1].assign(configuration="xeon:9x1")
        with motley.Store("more.db", write=True) as store:
            store.add(training())
            store.add(run)
        for question in (motley.Predictor, motley.fit):
            with self.assertWarnsRegex(UserWarning, "^1 runs are left out: 'toyo") as w:
                question(CLUSTER, PROGRAM, "more.db")
            self.assertEqual(w.filename, __file__)

    def test_columns_that_are_not_taken_are_warned_of(self) -> None:
        with motley.Store("columns.db", write=True) as store:
            with self.assertWarnsRegex(UserWarning, "ignored: compiler, 0$") as w:
                store.add(training()[:1].assign(compiler="gcc").assign(**{"0": 1}))
            self.assertEqual(w.filename, __file__)
            self.assertEqual(len(store.runs()), 1)

    def test_errors_go_from_one_process_to_another(self) -> None:
        with self.assertRaises(motley.Error) as caught:
            motley.Cluster("toyohashi-4")
        error = pickle.loads(pickle.dumps(caught.exception))
        self.assertEqual(str(error), str(caught.exception))
        self.assertEqual(error.status, Status.ENOTFOUND)

    def test_a_library_that_is_not_there(self) -> None:
        done = subprocess.run(
            [sys.executable, "-c", "import motley"],
            env={**os.environ, "MOTLEY_LIBRARY": "/nowhere"},
            stderr=subprocess.PIPE,
            text=True,
        )
        self.assertIn("ImportError: libmotley cannot be loaded", done.stderr)
        self.assertIn("MOTLEY_LIBRARY names the folder", done.stderr)


if __name__ == "__main__":
    unittest.main()

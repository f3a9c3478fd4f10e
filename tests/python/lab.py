# SPDX-License-Identifier: BSD-3-Clause
"""What the tests of the Python module share: a store of recorded simulated runs, and
the command, whose answers are the right ones."""

import json
import math
import os
import subprocess
import tempfile
import unittest

import motley
import numpy
import pandas

SOURCE = os.environ["SOURCE_ROOT"]
MOTLEY = os.path.join(os.environ["BUILD_ROOT"], "cli", "motley")
CLUSTER, PROGRAM = "toyohashi-3", "lu"


def recorded(cluster: str = CLUSTER) -> pandas.DataFrame:
    """The simulated times of configurations, without noise."""
    return pandas.read_csv(f"{SOURCE}/tests/data/heho/{cluster}-{PROGRAM}.csv.gz")


def training(cluster: str = CLUSTER) -> pandas.DataFrame:
    """Of one group alone, at the sizes to be measured."""
    runs = recorded(cluster)
    alone = ~runs["configuration"].str.contains("+", regex=False)
    return runs[alone & runs["size"].isin(motley.Program(PROGRAM).measure_sizes)]


class Lab(unittest.TestCase):
    """Each class of tests has a folder with a store, which is the current one."""

    @classmethod
    def setUpClass(cls) -> None:
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.addClassCleanup(os.chdir, os.getcwd())
        os.chdir(folder.name)
        with motley.Store(write=True) as store:
            store.add(training())

    def command(self, *arguments: str) -> str:
        """What `motley` prints."""
        return subprocess.run(
            [MOTLEY, *arguments], check=True, stdout=subprocess.PIPE, text=True
        ).stdout

    def answer(self, *arguments: str) -> dict:
        return json.loads(self.command(*arguments, "--json"))

    def assert_rows(self, frame: pandas.DataFrame, rows: list) -> None:
        """The frame has just these rows, to the last digit; what JSON leaves out or has
        as null is NaN."""
        self.assertGreater(len(rows), 0)
        self.assertEqual(len(frame), len(rows))
        for (_, series), row in zip(frame.iterrows(), rows):
            for key, value in row.items():
                mine = series[key]
                if value is None:
                    self.assertTrue(math.isnan(mine), (key, mine))
                else:
                    self.assertEqual(mine, value, key)

    def assert_members(self, result: object, answer: dict, *left_out: str) -> None:
        """The members of an answer are attributes of the result."""
        for key, value in answer.items():
            if key not in left_out and not isinstance(value, (list, dict)):
                mine = getattr(result, key)
                if isinstance(mine, float) and not numpy.isfinite(mine):
                    mine = None
                self.assertEqual(mine, value, key)

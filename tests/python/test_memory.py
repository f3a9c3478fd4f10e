# SPDX-License-Identifier: BSD-3-Clause
"""What libmotley allocates is freed once, and not before its last use. Meson lets
freed memory be overwritten (MALLOC_PERTURB_): a use after that changes the answers."""

import ctypes
import gc
import unittest

import motley
from lab import CLUSTER, PROGRAM, Lab, training


class InUse(ctypes.Structure):
    """struct mallinfo2 of glibc."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in "arena ordblks smblks hblks "
        "hblkhd usmblks fsmblks uordblks fordblks keepcost".split()
    ]


def in_use() -> int:
    """Bytes that are allocated."""
    gc.collect()
    mallinfo = ctypes.CDLL(None).mallinfo2
    mallinfo.restype = InUse
    return mallinfo().uordblks


def use_everything() -> tuple:
    """Once through the module; the results alone are kept."""
    cluster, program = motley.Cluster(CLUSTER), motley.Program(PROGRAM)
    with motley.Store() as store:
        runs = store.runs(cluster, program)
        predictor = motley.Predictor(cluster, program, store)
    plan = predictor.plan(9600)
    front = motley.Predictor("cloud-like.yaml", program).pareto(9600)
    times = predictor.predict([9600])
    of_runs = motley.Predictor.of_runs(cluster, program, runs)
    for campaign in (of_runs.verify(9600, runs=1), motley.Design(cluster, program)):
        campaign.observe(campaign.next(), 1)
    models = motley.fit(cluster, program, model="np-t")
    survey = motley.Surface("cenju-3").survey(base=500, efficiencies=[0.2])
    for wrong in (
        lambda: predictor.plan(9600, deadline=1e-9),
        lambda: motley.Cluster("prices.csv"),
        lambda: predictor.predict([1], "nothing:1x1"),
    ):
        try:
            wrong()
        except motley.Error:
            pass
    return (
        runs,
        plan.choices,
        front.points,
        times.times,
        models.models,
        models.terms,
        survey.points,
        survey.ridge,
        survey.cliffs,
        survey.iso_efficiency,
    )


class Memory(Lab):
    def setUp(self) -> None:
        with open(motley.Cluster(CLUSTER).path, encoding="utf-8") as file:
            text = file.read()
        with open("cloud-like.yaml", "w", encoding="utf-8") as file:
            file.write(text.replace("memory: 1 GiB", "memory: 1 GiB\n    price: 1"))

    def test_nothing_is_lost(self) -> None:
        predictor = motley.Predictor(CLUSTER, PROGRAM)

        def rounds(most: int, texts: int) -> None:
            for _ in range(most):
                use_everything()
            for _ in range(texts):
                predictor.predict([9600])
            for _ in range(10 * texts):
                motley.Cluster(CLUSTER)

        rounds(3, 3)
        before = in_use()
        rounds(10, 100)
        # Python itself keeps about 10,000 bytes; a struct that is lost each time, or the
        # text of a configuration or path, is more than this.
        self.assertLess(in_use() - before, 30000)

    def test_results_outlive_what_they_are_from(self) -> None:
        first = use_everything()
        kept = [frame.to_csv() for frame in first]
        for _ in range(3):
            second = use_everything()
        gc.collect()
        self.assertEqual([frame.to_csv() for frame in first], kept)
        self.assertEqual([frame.to_csv() for frame in second], kept)

    def test_a_surface_and_a_predictor_keep_what_they_need(self) -> None:
        surface = motley.Surface("cenju-3")
        seconds = surface.at(1000, 8)["seconds"]
        predictor = motley.Predictor(motley.Cluster(CLUSTER), motley.Program(PROGRAM))
        best = predictor.plan(6400).best
        gc.collect()
        for _ in range(3):
            motley.Surface("ap1000")
        self.assertEqual(surface.at(1000, 8)["seconds"], seconds)
        self.assertEqual(predictor.plan(6400).best, best)

    def test_a_closed_store_is_free(self) -> None:
        with motley.Store("other.db", write=True) as store:
            store.add(training()[:10])
            store.close()
        with motley.Store("other.db", write=True) as store:
            store.add(training()[10:20])
            self.assertEqual(len(store.runs()), 20)


if __name__ == "__main__":
    unittest.main()

# SPDX-License-Identifier: BSD-3-Clause
"""Campaigns whose runs somebody else makes: here they are recorded ones."""

import math
import unittest

import motley
import pandas
from lab import CLUSTER, PROGRAM, Lab, recorded, training


class Campaigns(Lab):
    def setUp(self) -> None:
        runs = recorded()
        points = zip(runs["configuration"], runs["size"])
        self.truth = dict(zip(points, runs["seconds"]))

    def seconds(self, proposal: object) -> float:
        return self.truth[proposal.configuration, proposal.size]

    def test_a_design_keeps_to_its_candidates_and_its_limit(self) -> None:
        runs = training()
        points = list(zip(runs["configuration"], runs["size"]))
        design = motley.Design(CLUSTER, PROGRAM, points, runs=12, exact=True)
        made = []
        for proposal in design:
            if "+" not in proposal.configuration and proposal.phase != "probes":
                self.assertIn((proposal.configuration, proposal.size), points)
            made.append(proposal)
            design.observe(proposal, self.seconds(proposal))
        self.assertEqual(len(made), 12)
        self.assertEqual(design.end, "runs used")
        self.assertEqual(made[0].phase, "base")
        self.assertTrue(math.isnan(made[0].seconds))
        self.assertIn("probes", {proposal.phase for proposal in made})

    def test_a_design_proposes_again_what_was_not_observed(self) -> None:
        design = motley.Design(CLUSTER, PROGRAM)
        first, again = design.next(), design.next()
        self.assertEqual(first.configuration, again.configuration)
        design.observe(first, math.nan)
        self.assertNotEqual(
            (first.configuration, first.size),
            (design.next().configuration, first.size),
        )

    def test_runs_in_no_store_give_the_plan_of_those_in_one(self) -> None:
        stored = motley.Predictor(CLUSTER, PROGRAM).plan(9600)
        with motley.Store() as store:
            runs = store.runs(CLUSTER, PROGRAM)
        plan = motley.Predictor.of_runs(CLUSTER, PROGRAM, runs).plan(9600)
        pandas.testing.assert_frame_equal(plan.choices, stored.choices)
        failed = training().head(1).assign(size=9600, seconds=math.nan)
        with self.assertRaises(motley.Error) as caught:
            motley.Predictor.of_runs(CLUSTER, PROGRAM, failed)
        self.assertEqual(caught.exception.status, motley.Status.ENOTFOUND)

    def test_a_verification_finds_the_fastest_that_ran(self) -> None:
        cluster = "toyohashi-2"  # all of its configurations are recorded
        truth = recorded(cluster).set_index(["configuration", "size"])["seconds"]
        predictor = motley.Predictor.of_runs(cluster, PROGRAM, training(cluster))
        verification = predictor.verify(9600, runs=6)
        made = {}
        for proposal in verification:
            self.assertEqual((proposal.size, proposal.phase), (9600, "verification"))
            made[proposal.configuration] = truth[proposal.configuration, proposal.size]
            verification.observe(proposal, made[proposal.configuration])
        self.assertIn(verification.end, ("runs used", "settled"))
        best = verification.best()
        fastest = min(made, key=made.get)
        self.assertEqual(best["configuration"], fastest)
        self.assertAlmostEqual(best["seconds"] / made[fastest], 1, delta=0.05)
        self.assertLess(best["low"], best["seconds"])
        self.assertEqual(predictor.plan(9600).best, fastest)

    def test_a_verification_without_a_run_has_no_best(self) -> None:
        predictor = motley.Predictor.of_runs(CLUSTER, PROGRAM, training())
        verification = predictor.verify(9600, runs=2, confidence=0.9)
        for proposal in verification:
            verification.observe(proposal, math.nan)
        with self.assertRaisesRegex(motley.Error, "all runs failed at N = 9600"):
            verification.best()

    def test_limits_are_checked(self) -> None:
        for wrong in (
            lambda: motley.Design(CLUSTER, PROGRAM, runs=-1),
            lambda: motley.Design(CLUSTER, PROGRAM, [("xeon:9x9", 800)]),
            lambda: motley.Predictor(CLUSTER, PROGRAM).verify(9600, runs=0),
            lambda: motley.Predictor(CLUSTER, PROGRAM).verify(9600, confidence=1),
        ):
            with self.assertRaises(motley.Error) as caught:
                wrong()
            self.assertEqual(caught.exception.status, motley.Status.EINVAL)


if __name__ == "__main__":
    unittest.main()

#!/usr/bin/env python3
"""The largest eigenvalue of an N x N matrix by the power method, with mpi4py: rows are dealt
out to the ranks. Reads N from power.json, prints the seconds."""
import json
from array import array

from mpi4py import MPI

world = MPI.COMM_WORLD
rank, ranks = world.Get_rank(), world.Get_size()
with open("power.json", encoding="utf-8") as file:
    problem = json.load(file)
n, steps = problem["matrix"]["rows"], problem["steps"]
rows = range(rank * n // ranks, (rank + 1) * n // ranks)
counts = [(r + 1) * n // ranks - r * n // ranks for r in range(ranks)]
matrix = [array("d", [1 / (1 + abs(i - j)) for j in range(n)]) for i in rows]
vector = array("d", [1.0] * n)

world.Barrier()
begun = MPI.Wtime()
value = 0.0
for _ in range(steps):
    here = array("d", [sum(a * x for a, x in zip(row, vector)) for row in matrix])
    world.Allgatherv(here, [vector, counts])
    value = max(vector)
    vector = array("d", [x / value for x in vector])
if rank == 0:
    print(f"eigenvalue {value:.6f}")
    print(f"time {MPI.Wtime() - begun:.6f} s")

#!/bin/sh
echo "$OMPI_COMM_WORLD_RANK $(hostname) $OMP_NUM_THREADS on $(taskset -cp $$ | sed 's/.*: //')" >>ranks
echo "time 0.001 s"

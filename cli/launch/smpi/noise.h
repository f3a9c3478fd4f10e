/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * noise.h - what makes the nodes of a simulated cluster faster or slower than their
 * file says: the noise of a run, and the glitches of a program.
 */
#ifndef MT_CLI_SMPI_NOISE_H
#define MT_CLI_SMPI_NOISE_H

#include "cli/launch/launcher.h"

/*
 * The speed of the group's nodes in this run, relative to what the cluster file says.
 * The noise depends on the launch's seed, size and configuration only, and all nodes
 * share its cause, so that a run of many nodes is no steadier than one of few. Glitches
 * depend on the size, the ranks and the names of cluster and program only.
 */
double mt_noise_speed(const struct mt_launch *launch, int group);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mix.h - the time of a configuration while its groups are gone through, in the
 * cluster's order: parallel work of the slowest, serial work of all, and what the
 * network between them costs.
 */
#ifndef MT_MIX_H
#define MT_MIX_H

/* Zeroed is the time of no group. */
struct mt_mix {
    double parallel; /* of the slowest group */
    double serial;   /* of all, each by its share */
    double between;  /* networks, for the pairs of ranks that are on different ones */
};

/* Of the parallel seconds of a group, the part lambda is not waited for by the others:
   it counts by the share of the ranks, as serial seconds do. */
void mt_mix_even_out(double lambda, double *parallel, double *serial);
/* Take in a group that has that share of the ranks. */
void mt_mix_add(struct mt_mix *mix, double parallel, double serial, double share);
/* The seconds of all, which never fall when one of them rises. The serial ones are
   rounded to eleven digits: sums that differ only by the order of their terms are the
   same number, so that configurations that are equally good are known for that. */
double mt_mix_seconds(const struct mt_mix *mix);

#endif

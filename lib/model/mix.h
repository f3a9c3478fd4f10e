/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mix.h - the time of a configuration while its groups are gone through, in the
 * cluster's order: parallel work of the slowest, serial work of all.
 */
#ifndef MT_MIX_H
#define MT_MIX_H

/* Zeroed is the time of no group. */
struct mt_mix {
    double parallel; /* of the slowest group */
    double serial;   /* of all, each by its share */
};

/* Take in a group that has that share of the ranks. */
void mt_mix_add(struct mt_mix *mix, double parallel, double serial, double share);
/* The seconds of both, which never fall when one of the two rises. The serial ones are
   rounded to eleven digits: sums that differ only by the order of their terms are the
   same number, so that configurations that are equally good are known for that. */
double mt_mix_seconds(const struct mt_mix *mix);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * quantity.h - numbers with a unit, as people write them in cluster and program files.
 */
#ifndef MT_QUANTITY_H
#define MT_QUANTITY_H

#include "motley/error.h"

/* The kind of quantity, which decides its units. */
enum mt_quantity {
    MT_BYTES,    /* B, kB MB GB TB (powers of 1000), KiB MiB GiB TiB; stored in bytes */
    MT_SECONDS,  /* ns us ms s min h d; stored in seconds */
    MT_FLOPS,    /* f kf Mf Gf Tf, per second, or as GFLOPS and Gflop/s; stored in
                    operations per second */
    MT_BANDWIDTH /* bytes' units followed by "/s"; or bps kbps Mbps Gbps (bits), or as
                    Gbit/s; stored in bytes per second */
};

/*
 * Read a number followed by a unit ("1 GiB", "1.3Gf", "600 s"); a time may have
 * several, each smaller than the one before ("2 h 13 min"). A missing or unknown unit,
 * a number that is not finite or negative, or text after the unit is MT_EPARSE, and the
 * reason lists the units that are understood.
 */
MT_MUST_CHECK int mt_quantity_parse(double *value, const char *text,
                                    enum mt_quantity quantity, struct mt_error *err);

enum { MT_QUANTITY_LENGTH = 40 };
/*
 * Write a finite number above 0 with the unit that makes it shortest; ties go to the
 * larger unit. mt_quantity_parse() reads the same number from it.
 */
void mt_quantity_format(char text[MT_QUANTITY_LENGTH], double value,
                        enum mt_quantity quantity);

#endif

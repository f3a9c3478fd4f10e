/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * report_site.h - an address in the program, so that people and addr2line find it, and
 * the ranks, which may have loaded the program at different addresses, agree on it.
 */
#ifndef MT_BALANCE_REPORT_SITE_H
#define MT_BALANCE_REPORT_SITE_H

#include <stdbool.h>
#include <stdint.h>

struct site_name {
    char object[64];   /* file name of the program or library, without folders */
    char function[64]; /* "": not known */
    uint64_t address;  /* of the call, in the object */
};

/* `caller` is the address that the call returns to. In the simulator each rank has a
   copy of the program with a name of its own, which is taken back to the program's. */
struct site_name site_name_of(const void *caller, bool simulated);

#endif

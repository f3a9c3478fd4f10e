/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * blas_place.h - which BLAS makes the products of the lowest level.
 */
#ifndef MT_STRASSEN_BLAS_PLACE_H
#define MT_STRASSEN_BLAS_PLACE_H

/* The address of its dgemm, in some library. */
const void *blas_place(void);

#endif

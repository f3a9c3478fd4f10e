/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * linkage.h - around what a public header declares, so that C++ programs can use it.
 */
#ifndef MT_LINKAGE_H
#define MT_LINKAGE_H

#ifdef __cplusplus
#define MT_C_BEGIN extern "C" {
#define MT_C_END }
#else
#define MT_C_BEGIN
#define MT_C_END
#endif

#endif

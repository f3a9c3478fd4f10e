/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef MT_CLI_CHECK_TEXT_H
#define MT_CLI_CHECK_TEXT_H

#include "format.h" /* goes when nobody includes this file */

#endif

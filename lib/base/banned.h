/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * banned.h - functions that overrun buffers, hide errors or keep hidden state;
 * the build includes this file first everywhere and makes a use an error.
 */
#ifndef MT_BANNED_H
#define MT_BANNED_H

/* The headers that declare them come first: poisoned names may not even be declared. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf strtok gets
#pragma GCC poison atoi atol atof asctime ctime gmtime localtime system popen

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * old_glibc.h - included before all else in what is to run with glibc 2.28 and later,
 * wherever it is built: the versions of functions that were there then. dlsym() and its
 * like have moved from libdl to libc since (2.34), stat() into it (2.33), and numbers
 * are read by other rules (2.38).
 */
#include <features.h>

#undef __GLIBC_USE_C2X_STRTOL
#undef __GLIBC_USE_C23_STRTOL
#define __GLIBC_USE_C2X_STRTOL 0
#define __GLIBC_USE_C23_STRTOL 0
#include <sys/stat.h>

#if defined __x86_64__
#define OLDEST "GLIBC_2.2.5"
#define STAT_VERSION 1
#elif defined __aarch64__
#define OLDEST "GLIBC_2.17"
#define STAT_VERSION 0
#else
#error "which versions glibc began with on this processor is not known"
#endif

__asm__(".symver dlsym, dlsym@" OLDEST);
__asm__(".symver dlopen, dlopen@" OLDEST);
__asm__(".symver dlclose, dlclose@" OLDEST);
__asm__(".symver dladdr, dladdr@" OLDEST);
__asm__(".symver __xstat, __xstat@" OLDEST);

int __xstat(int version, const char *path, struct stat *status);
#define stat(path, status) __xstat(STAT_VERSION, path, status)

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * testbed_namespaces.h - enter namespaces of other processes.
 */
#ifndef MT_CLI_TESTBED_NAMESPACES_H
#define MT_CLI_TESTBED_NAMESPACES_H

#include "motley/error.h"

#include <sys/types.h>

/* Enter that namespace of a process, as "net". */
MT_MUST_CHECK int mt_namespace_enter(pid_t pid, const char *kind, struct mt_error *err);
/* Enter all that a node of a testbed has of its own. */
MT_MUST_CHECK int mt_namespaces_enter(pid_t pid, struct mt_error *err);

#endif

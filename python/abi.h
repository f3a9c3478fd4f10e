/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers that the Python module calls libmotley by. */
#include "motley/design.h"
#include "motley/plan.h"
#include "motley/store.h"
#include "motley/surface.h"

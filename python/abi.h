/* SPDX-License-Identifier: BSD-3-Clause */
/* The headers that the Python module calls libmotley by. */
#include "motley/chance.h"
#include "motley/design.h"
#include "motley/fit.h"
#include "motley/named.h"
#include "motley/plan.h"
#include "motley/predictor.h"
#include "motley/store.h"
#include "motley/surface.h"
#include "motley/survey.h"
#include "motley/tasks.h"
#include "motley/verify.h"

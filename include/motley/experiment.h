/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * experiment.h - the loop in which runs are chosen, made and learned from: propose,
 * run, observe. The library chooses and learns; to make a run it calls back.
 *
 *     static int make_run(void *context, const struct mt_proposal *proposal,
 *                         struct mt_observation *observation, struct mt_error *err);
 *
 *     const struct mt_experimenter me = {.run = make_run, .context = &session};
 *     mt_design_run(design, &me, &end, err)     runs to fit models to: design.h
 *     mt_verify_run(&verify, &me, &end, err)    which is the best at a size: verify.h
 *
 * Both stop for one of the reasons of enum mt_end. What was observed stays observed,
 * however the loop ended; called again, it goes on from there.
 */
#ifndef MT_EXPERIMENT_H
#define MT_EXPERIMENT_H

#include "motley/configuration.h"
#include "motley/error.h"

#include <stdbool.h>

MT_C_BEGIN

/* What a run is for. */
enum mt_phase {
    MT_PHASE_BASE,        /* the models need it */
    MT_PHASE_PROBES,      /* of what would be planned, at a large size */
    MT_PHASE_FURTHER,     /* what tells most about the plan for what it costs */
    MT_PHASE_VERIFICATION /* of what may be the best, at the size that is planned for */
};

struct mt_proposal {
    struct mt_configuration configuration;
    double size;
    double seconds; /* that the program is expected to take; NaN: nothing is known of
                       times yet */
    double spent;   /* that the run is expected to take from the limit; likewise */
    enum mt_phase phase;
    int repeat; /* so many runs of it were made before */
};

/* What came of a proposal; zeroed when a run is asked for. */
struct mt_observation {
    bool made;      /* false: it could not be made, and is not proposed again */
    double seconds; /* of the program, > 0; NaN: the run failed, and is not proposed
                       again */
    double spent;   /* seconds that count towards the limit */
    bool stop; /* make no more runs; a run that was made is observed all the same */
};

/* Who makes the runs. What `run` returns but MT_OK ends the loop, which returns it; the
   proposal is then as if it had not been made. */
struct mt_experimenter {
    int (*run)(void *context, const struct mt_proposal *proposal,
               struct mt_observation *observation, struct mt_error *err);
    void *context;
};

/* A run that may be made. */
struct mt_candidate {
    struct mt_configuration configuration;
    double size; /* > 0 */
};

/* Zeroed members do not limit. */
struct mt_limits {
    double seconds; /* spent on all runs together */
    int runs;
};

/* Why nothing more is proposed. */
enum mt_end {
    MT_END_NONE,         /* there is a proposal */
    MT_END_SETTLED,      /* no run promises to change the answer */
    MT_END_ALL_MEASURED, /* all that there is to run has been run */
    MT_END_RUNS_USED,    /* as many as the limit */
    MT_END_SECONDS_USED, /* what is left of the limit is too short for a run */
    MT_END_STOPPED       /* the experimenter asked for it */
};

/* A run that was made before. */
struct mt_past_run {
    struct mt_configuration configuration;
    double size;
    double seconds; /* of the program; NaN: it failed */
    double spent;   /* of the limit */
};

MT_C_END

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * form.h - a form of the components (which of them there are), and the time of a
 * run as a function of the form's coefficients, with its derivatives.
 *
 * Coefficients are logarithms, so that whatever the minimiser tries is positive, costs
 * grow and caches are in order: of the first cost and of what each step adds, of the
 * widths of and the gaps between the cache steps, of the seconds of a byte and so on.
 */
#ifndef MT_LEARN_FORM_H
#define MT_LEARN_FORM_H

#include "lengths.h"

#include "lib/machine/meeting.h"

#include <stdbool.h>

/* A sample: a run, or the median of repeated ones. */
struct mt_learn_sample {
    double size;
    struct mt_demand demand;
    struct mt_meeting meeting;
    double as_bytes, as_mean; /* effective length of the message, if the form has the
                                 link's lengths */
    double shared;            /* the part of that due to the longest message's bytes */
    double header;            /* bytes that it has besides */
    double seconds;
};

/* All samples, or a part of them; borrowed. */
struct mt_learn_data {
    const struct mt_learn_sample *samples;
    int count;
    struct mt_wiring wiring;
    struct mt_learn_link link;
    bool has_mean;        /* the shape says the mean length of messages */
    bool disturbed;       /* other work slows some runs down */
    const double *caches; /* bytes of the machine's caches, ascending */
    int ncaches;
};

struct mt_learn_form {
    int ncaches;
    signed char pins[MT_MAX_CACHE_STEPS]; /* [i]: 1 + the machine's cache that step i
                                             belongs to; 0: anywhere */
    bool near;                            /* some steps are not affected by caches */
    bool messages; /* messages cost something; false: all below is false */
    enum mt_contention contention;
    bool proportional; /* of power: the exponent is 1, as on a bus; of stages: the
                          strength, as two messages in a switch take twice the time */
    bool known;        /* the wiring gives the law */
    double room;       /* of limited and trunks: the strength, as the wiring says; 0: it
                          does not */
    bool latency, half, overlap;
    bool lengths;   /* times grow with the length as on the measured link */
    bool hop;       /* each node, or another switch, on the way adds to the latency */
    bool evens_out; /* the mean of the messages counts, not the longest */
};

/* Steps, their caches' three numbers, near steps, byte, latency, hop, half, strength,
 * exponent. */
enum { MT_LEARN_MAX_COEFFICIENTS = 2 + 3 * MT_MAX_CACHE_STEPS + 6 };

/* The coefficients themselves, not their logarithms. Coefficients that the form lacks
   are 0. */
struct mt_learn_values {
    double cost;                       /* seconds of a step in the first cache */
    double grows[MT_MAX_CACHE_STEPS];  /* growth beyond the cache */
    double begins[MT_MAX_CACHE_STEPS]; /* log W_h */
    double widths[MT_MAX_CACHE_STEPS]; /* log(W_m / W_h) */
    double near;                       /* seconds of a step that caches do not affect */
    double byte; /* seconds, without contention, of short messages */
    double latency;
    double hop;
    double per_byte; /* 1 / half */
    double strength; /* of saturating: at two processes, 1 - g(2) */
    double exponent;
};

int mt_learn_ncoefficients(const struct mt_learn_form *form);
/* Without the places of pinned steps, which have a prior. */
int mt_learn_nfree(const struct mt_learn_form *form);
/* The number of coefficients of the form's law of contention. */
int mt_learn_nlaw(const struct mt_learn_form *form);
void mt_learn_pack(double *coefficients, const struct mt_learn_form *form,
                   const struct mt_learn_values *values);
void mt_learn_unpack(struct mt_learn_values *values, const struct mt_learn_form *form,
                     const double *coefficients);
void mt_learn_components(struct mt_components *components,
                         const struct mt_learn_form *form,
                         const struct mt_learn_values *values);

/* Fill in the parts of the sample that follow from the wiring and the link. */
void mt_learn_meet(struct mt_learn_sample *sample, const struct mt_learn_data *data);

/* The share of the way from `hit` (0) to `miss` (1) of a cache step. */
double mt_learn_ramp(const struct mt_learn_values *values, int cache,
                     double working_set);
/* L, of messages that differ. */
double mt_learn_bytes(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_sample *sample);
/* The length that a lone message would need for the message's time: L g(K), or for
   unequal messages in a multistage network, by its switches. */
double mt_learn_reach(const struct mt_learn_form *form,
                      const struct mt_learn_values *values,
                      const struct mt_learn_sample *sample);
/* Seconds of a run. `gradient`, unless NULL, receives the derivatives by the
   coefficients. */
double mt_learn_seconds(const struct mt_learn_form *form,
                        const struct mt_learn_values *values,
                        const struct mt_learn_sample *sample, double *gradient);

#endif

/* SPDX-License-Identifier: BSD-3-Clause */
/* The loop "propose, run, observe", of a design or a verification. */
#include "internal.h"

/* One of the two; the other is NULL. */
struct proposer {
    struct mt_design *design;
    struct mt_verify *verify;
};

static int run(struct proposer of, const struct mt_experimenter *experimenter,
               enum mt_end *end, struct mt_error *err)
{
    struct mt_observation seen = {0};
    enum mt_end why = MT_END_NONE;
    while (why == MT_END_NONE) {
        struct mt_proposal next;
        int status = of.design ? mt_design_next(of.design, &next, &why, err)
                               : mt_verify_next(of.verify, &next, &why, err);
        if (status == MT_OK && why == MT_END_NONE) {
            seen = (struct mt_observation){0};
            status = experimenter->run(experimenter->context, &next, &seen, err);
            if (seen.stop)
                why = MT_END_STOPPED;
            /* A proposal declined by stopping may be made later. */
            if (status == MT_OK && (seen.made || !seen.stop))
                status = of.design ? mt_design_observe(of.design, &next, &seen, err)
                                   : mt_verify_observe(of.verify, &next, &seen, err);
        }
        if (status != MT_OK)
            return status;
    }
    *end = why;
    return MT_OK;
}

int mt_design_run(struct mt_design *design, const struct mt_experimenter *experimenter,
                  enum mt_end *end, struct mt_error *err)
{
    return run((struct proposer){.design = design}, experimenter, end, err);
}

int mt_verify_run(struct mt_verify *verify, const struct mt_experimenter *experimenter,
                  enum mt_end *end, struct mt_error *err)
{
    return run((struct proposer){.verify = verify}, experimenter, end, err);
}

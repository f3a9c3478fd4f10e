/* SPDX-License-Identifier: BSD-3-Clause */
#include "nodes.h"

#include "cli/common/format.h"

/* A dip with the place of its link: links of the same two groups often have the same.
 */
struct dip_place {
    int low_group, high_group;
    double smallest, largest; /* bytes */
};

static struct dip_place place_of_dip(const struct mt_check *check,
                                     const struct mt_checked_link *link,
                                     const struct mt_curve_dip *dip)
{
    const int a = check->nodes[link->from].group, b = check->nodes[link->to].group;
    return (struct dip_place){.low_group = a < b ? a : b,
                              .high_group = a < b ? b : a,
                              .smallest = link->curve.bytes[dip->first],
                              .largest = link->curve.bytes[dip->last]};
}

static bool is_same_place(const struct dip_place *a, const struct dip_place *b)
{
    return a->low_group == b->low_group && a->high_group == b->high_group &&
           a->smallest == b->smallest && a->largest == b->largest;
}

/* The link's dip at that place; false: it has none. */
static bool find_dip(struct mt_curve_dip *dip, const struct mt_check *check,
                     const struct mt_checked_link *link, const struct dip_place *place)
{
    for (int start = 0; mt_curve_next_dip(dip, &link->curve, start);
         start = dip->last + 1) {
        const struct dip_place here = place_of_dip(check, link, dip);
        if (is_same_place(&here, place))
            return true;
    }
    return false;
}

/* Add what the draft says of the place's links. */
static int finish_place(struct mt_draft *draft, struct mt_check *check,
                        const struct dip_place *place, struct mt_error *err)
{
    char smallest[MT_QUANTITY_TEXT], largest[MT_QUANTITY_TEXT];
    const struct mt_group *low = &check->cluster->groups[place->low_group],
                          *high = &check->cluster->groups[place->high_group];
    mt_format_bytes(smallest, place->smallest);
    mt_format_bytes(largest, place->largest);
    draft->finding.smallest = place->smallest;
    draft->finding.largest = place->largest;
    if (low == high)
        return mt_draft_finish(draft, &check->findings, err,
                               "messages of %s to %s are slower than smaller and "
                               "larger ones in group '%s'",
                               smallest, largest, low->name);
    return mt_draft_finish(draft, &check->findings, err,
                           "messages of %s to %s are slower than smaller and larger "
                           "ones between groups '%s' and '%s'",
                           smallest, largest, low->name, high->name);
}

/* Report the place at the first of its links. */
static int report_place(struct mt_check *check, const struct dip_place *place,
                        int first, struct mt_error *err)
{
    struct mt_draft draft;
    struct mt_curve_dip dip;
    for (int i = 0; i < first; i++)
        if (find_dip(&dip, check, &check->links[i], place))
            return MT_OK;
    mt_draft_begin(&draft, MT_FOUND_DIP, check->nnodes);
    for (int i = first; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        char lowest[MT_QUANTITY_TEXT], around[MT_QUANTITY_TEXT];
        if (!find_dip(&dip, check, link, place))
            continue;
        mt_draft_name(&draft, link->from, check->nodes[link->from].name,
                      " to %s (%s, around it %s)", check->nodes[link->to].name,
                      mt_format_rate(lowest, dip.lowest, "B/s"),
                      mt_format_rate(around, dip.around, "B/s"));
        mt_draft_include(&draft, link->to);
    }
    return finish_place(&draft, check, place, err);
}

int mt_check_find_dips(struct mt_check *check, struct mt_error *err)
{
    int status = MT_OK;
    for (int i = 0; i < check->nlinks; i++) {
        const struct mt_checked_link *link = &check->links[i];
        struct mt_curve_dip dip;
        for (int start = 0;
             status == MT_OK && mt_curve_next_dip(&dip, &link->curve, start);
             start = dip.last + 1) {
            const struct dip_place place = place_of_dip(check, link, &dip);
            status = report_place(check, &place, i, err);
        }
    }
    return status;
}

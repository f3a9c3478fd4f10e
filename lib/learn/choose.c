/* SPDX-License-Identifier: BSD-3-Clause */
/* Chooses the form of the components by cross-validation: the simplest among the best.
 */
#include "choose.h"

#include "fit.h"
#include "start.h"
#include "tells.h"
#include "tuning.h"

#include <math.h>
#include <string.h>

/* A law of contention to try, with its origin. */
struct law {
    enum mt_contention contention;
    bool proportional, known, hop;
    bool given; /* its strength is that of the wiring, if given */
};

/* For unknown wiring. */
static const struct law all_laws[] = {
    {.contention = MT_CONTENTION_NONE},
    {.contention = MT_CONTENTION_SATURATING},
    {.contention = MT_CONTENTION_SHARED},
    {.contention = MT_CONTENTION_LOGARITHMIC},
    {.contention = MT_CONTENTION_LIMITED},
    {.contention = MT_CONTENTION_POWER},
    {MT_CONTENTION_POWER, .proportional = true},
};
/* For a switch with a known room for messages. */
static const struct law switch_laws[] = {
    {.contention = MT_CONTENTION_NONE},
    {MT_CONTENTION_LIMITED, .known = true, .given = true},
    {.contention = MT_CONTENTION_LIMITED},
    {.contention = MT_CONTENTION_SHARED},
    {.contention = MT_CONTENTION_POWER},
};
/* On several switches. */
static const struct law trunk_laws[] = {
    {.contention = MT_CONTENTION_NONE},
    {.contention = MT_CONTENTION_NONE, .hop = true},
    {MT_CONTENTION_TRUNKS, .known = true},
    {MT_CONTENTION_TRUNKS, .known = true, .hop = true},
    {MT_CONTENTION_TRUNKS, .known = true, .given = true},
    {MT_CONTENTION_TRUNKS, .known = true, .hop = true, .given = true},
};
static const struct law bus_laws[] = {
    {MT_CONTENTION_POWER, .proportional = true, .known = true},
};
static const struct law torus_laws[] = {
    {.contention = MT_CONTENTION_NONE},
    {.contention = MT_CONTENTION_NONE, .hop = true},
    {.contention = MT_CONTENTION_LIMITED},
    {.contention = MT_CONTENTION_LIMITED, .hop = true},
};
static const struct law multistage_laws[] = {
    {.contention = MT_CONTENTION_NONE},
    {MT_CONTENTION_STAGES, .proportional = true, .known = true},
    {MT_CONTENTION_STAGES, .known = true},
    {MT_CONTENTION_STAGES, .known = true, .given = true},
};

enum { MOST_LAWS = 8 };

/* What is searched. */
struct search {
    struct law laws[MOST_LAWS];
    int nlaws;
    struct mt_learn_choice *choice;
    struct mt_learn_folds folds;
    const struct mt_learn_data *data;
};

static bool same_form(const struct mt_learn_form *a, const struct mt_learn_form *b)
{
    return a->ncaches == b->ncaches && memcmp(a->pins, b->pins, sizeof a->pins) == 0 &&
           a->messages == b->messages && a->contention == b->contention &&
           a->proportional == b->proportional && a->known == b->known &&
           a->room == b->room && a->hop == b->hop && a->latency == b->latency &&
           a->half == b->half && a->lengths == b->lengths && a->overlap == b->overlap &&
           a->evens_out == b->evens_out;
}

/* Whether a form predicts about as well as the best. */
static bool rivals(const struct mt_learn_tried *rival,
                   const struct mt_learn_tried *best)
{
    const double chance =
        mt_learn_validation_chance(&best->validation, &rival->validation);
    const double margin = fmax(chance, same_share * best->error);
    return rival->error <= best->error + margin + same_error;
}

bool mt_learn_rivals(const struct mt_learn_choice *choice, int tried)
{
    const struct mt_learn_tried *best = &choice->tried[tried];
    for (int i = 0; i < choice->count; i++) { /* NaN is passed over */
        const struct mt_learn_tried *other = &choice->tried[i];
        if (other->error < best->error &&
            (other->steps_told || !choice->tried[choice->chosen].steps_told))
            best = other;
    }
    return rivals(&choice->tried[tried], best);
}

/* Cross-validate a fit, unless its misfit alone rules it out. */
static int validate(struct search *search, struct mt_learn_tried *fit,
                    struct mt_error *err)
{
    double least = INFINITY;
    for (int i = 0; i < search->choice->count; i++)
        least = fmin(least, search->choice->tried[i].error); /* NaN is passed over */
    fit->error = fit->misfit;
    if (search->folds.count == 0 || fit->misfit > hopeless * least)
        return MT_OK;
    const int status = mt_learn_folds_validate(&fit->validation, &search->folds,
                                               &fit->form, &fit->values, err);
    if (status == MT_OK)
        fit->error = mt_learn_validation_error(&fit->validation);
    return status;
}

static struct mt_learn_tried *find_tried(struct mt_learn_choice *choice,
                                         const struct mt_learn_form *form)
{
    for (int i = 0; i < choice->count; i++) {
        if (same_form(&choice->tried[i].form, form))
            return &choice->tried[i];
    }
    return NULL;
}

/* The least misfit of all fits so far. */
static double least_misfit(const struct mt_learn_choice *choice)
{
    double least = INFINITY;
    for (int i = 0; i < choice->count; i++)
        if (choice->tried[i].determined)
            least = fmin(least, choice->tried[i].misfit);
    return least;
}

/* Move the cache steps of a bad but not hopeless fit to the places with the smallest
   residual, and fit again. */
static int settle(const struct search *search, struct mt_learn_tried *fit,
                  struct mt_error *err)
{
    if (fit->misfit <= bad || fit->misfit > hopeless * least_misfit(search->choice))
        return MT_OK;
    struct mt_learn_values values = fit->values;
    int status = mt_learn_move_caches(&values, &fit->form, search->data, err);
    if (status == MT_OK)
        status = mt_learn_refit(&values, &fit->form, search->data, err);
    if (status != MT_OK)
        return status;
    const double misfit = mt_learn_error(&fit->form, &values, search->data);
    if (misfit < fit->misfit) {
        fit->values = values;
        fit->misfit = misfit;
    }
    return MT_OK;
}

/* The start is a fit of a similar form with as many caches, or one fewer. */
static int fit_form(const struct search *search, struct mt_learn_tried *fit,
                    const struct mt_learn_tried *start, struct mt_error *err)
{
    const struct mt_learn_form *form = &fit->form;
    fit->determined = mt_learn_determined(form, search->data);
    if (!fit->determined)
        return MT_OK;
    if (start)
        fit->values = start->values;
    if (start && start->form.contention != form->contention)
        fit->values.strength = fit->values.exponent = 0;
    const bool one_more = form->ncaches > (start ? start->form.ncaches : 0);
    int status = (one_more ? mt_learn_fit_one_more : mt_learn_fit)(&fit->values, form,
                                                                   search->data, err);
    if (status != MT_OK)
        return status;
    fit->misfit = mt_learn_error(form, &fit->values, search->data);
    status = settle(search, fit, err);
    if (status != MT_OK)
        return status;
    fit->steps_told = mt_learn_tells_steps(search->data, form, &fit->values, 2);
    fit->steps_seen = mt_learn_tells_steps(search->data, form, &fit->values, 1);
    fit->law_told = mt_learn_tells_law(search->data, form, &fit->values);
    return MT_OK;
}

/* Fit and validate a form, unless it was fitted from a start as good as this one. */
static int try_form(struct search *search, const struct mt_learn_form *form,
                    const struct mt_learn_tried *start, struct mt_error *err)
{
    struct mt_learn_choice *choice = search->choice;
    struct mt_learn_tried *known = find_tried(choice, form);
    if (known &&
        (!known->determined || !start || start->form.ncaches != form->ncaches ||
         start->misfit > clearly_less * known->misfit))
        return MT_OK;
    struct mt_learn_tried fit = {.form = *form, .error = NAN};
    int status = fit_form(search, &fit, start, err);
    if (status != MT_OK || (known && fit.misfit > clearly_less * known->misfit))
        return status;
    if (!known)
        known = &choice->tried[choice->count++];
    if (fit.determined && fit.steps_seen && fit.law_told)
        status = validate(search, &fit, err);
    *known = fit;
    return status;
}

/* Whether a is simpler than b: fewer coefficients are free. The latency does not count,
   since every network has one. A given strength counts, since a learned one would stand
   for more than the switch. If two laws have equally many coefficients, the one that
   grows less is simpler. */
static bool simpler(const struct mt_learn_tried *a, const struct mt_learn_tried *b)
{
    static const int growth[MT_NCONTENTIONS] = {
        [MT_CONTENTION_NONE] = 0,    [MT_CONTENTION_SATURATING] = 1,
        [MT_CONTENTION_SHARED] = 2,  [MT_CONTENTION_LOGARITHMIC] = 3,
        [MT_CONTENTION_LIMITED] = 4, [MT_CONTENTION_POWER] = 5,
        [MT_CONTENTION_STAGES] = 6,  [MT_CONTENTION_TRUNKS] = 7,
    };
    const struct mt_learn_form *x = &a->form, *y = &b->form;
    const int nx = mt_learn_nfree(x) - x->latency + (x->room > 0);
    const int ny = mt_learn_nfree(y) - y->latency + (y->room > 0);
    if (nx != ny)
        return nx < ny;
    if (x->lengths != y->lengths)
        return x->lengths; /* it was measured */
    if (x->overlap != y->overlap)
        return y->overlap;
    if (x->evens_out != y->evens_out)
        return y->evens_out;
    if (x->contention != y->contention)
        return growth[x->contention] < growth[y->contention];
    if (x->latency != y->latency)
        return x->latency;
    return a->error < b->error;
}

/* A predicate that selects forms. */
typedef bool part_of_forms(const struct mt_learn_tried *tried);

static bool is_any(const struct mt_learn_tried *tried)
{
    (void)tried;
    return true;
}

static bool is_told(const struct mt_learn_tried *tried)
{
    return tried->steps_told;
}

/* Whether the wiring gives its law. */
static bool has_known_law(const struct mt_learn_tried *tried)
{
    return tried->steps_told && tried->form.known;
}

/* Whether all steps are at caches of the machine. */
static bool has_known_steps(const struct mt_learn_tried *tried)
{
    for (int i = 0; i < tried->form.ncaches; i++)
        if (!tried->form.pins[i])
            return false;
    return tried->steps_told;
}

/* The simplest selected form that predicts about as well as the best selected one; -1:
   none. */
static int simplest_of(const struct mt_learn_choice *choice, part_of_forms *is_part)
{
    const struct mt_learn_tried *tried = choice->tried;
    int best = -1, chosen = -1;
    for (int i = 0; i < choice->count; i++) {
        if (is_part(&tried[i]) && !isnan(tried[i].error) &&
            (best < 0 || tried[i].error < tried[best].error))
            best = i;
    }
    for (int i = 0; i < choice->count && best >= 0; i++) {
        if (is_part(&tried[i]) && rivals(&tried[i], &tried[best]) &&
            (chosen < 0 || simpler(&tried[i], &tried[chosen])))
            chosen = i;
    }
    return chosen;
}

/* Prior knowledge of the wiring, or else of the caches, is kept unless it is clearly
   worse. */
static int simplest_of_told(const struct search *search)
{
    const struct mt_learn_choice *choice = search->choice;
    const int any = simplest_of(choice, is_told);
    const bool knows_caches = search->data->ncaches > 0;
    int known = simplest_of(choice, has_known_law);
    double worse = clearly_worse;
    if (known < 0 && knows_caches) {
        known = simplest_of(choice, has_known_steps);
        worse = clearly_worse_steps;
    }
    if (any >= 0 && known >= 0 &&
        choice->tried[known].error < worse * choice->tried[any].error)
        return known;
    return any;
}

/* If all forms with well-determined steps are bad and clearly worse, forms whose first
   step begins after a single working set are accepted. */
static int simplest_of_best(const struct search *search)
{
    const struct mt_learn_tried *tried = search->choice->tried;
    const int told = simplest_of_told(search),
              any = simplest_of(search->choice, is_any);
    if (told >= 0 && (tried[told].error < bad ||
                      tried[told].error < clearly_worse * tried[any].error))
        return told;
    return any;
}

static int try_caches(struct search *search, struct mt_learn_form form,
                      struct mt_error *err)
{
    int most = 0;
    for (int i = 0; i < search->data->count; i++) {
        if (search->data->samples[i].demand.working_set > 0)
            most = MT_MAX_CACHE_STEPS;
    }
    const struct mt_learn_tried *start = NULL;
    memset(form.pins, 0, sizeof form.pins);
    for (form.ncaches = 0; form.ncaches <= most; form.ncaches++) {
        const int status = try_form(search, &form, start, err);
        if (status != MT_OK)
            return status;
        start = find_tried(search->choice, &form);
        if (!start->determined)
            break;
    }
    return MT_OK;
}

/* Try steps at other places, with the network of an earlier form. The start counts as
   better than any, so that forms that were tried are fitted again. */
static int try_places(struct search *search, int tried, struct mt_error *err)
{
    const struct mt_learn_place like = {search->choice->tried[tried].form,
                                        search->choice->tried[tried].values};
    struct mt_learn_place found[MT_LEARN_MOST_PLACES];
    int count = 0;
    int status = mt_learn_find_places(found, &count, &like, search->data, err);
    for (int i = 0; i < count && status == MT_OK; i++) {
        const struct mt_learn_tried start = {
            .form = found[i].form, .values = found[i].values, .misfit = 0};
        status = try_form(search, &start.form, &start, err);
    }
    return status;
}

/* Set the law of a form; on a bus, uneven messages even out. */
static void set_law(struct mt_learn_form *form, const struct search *search, int law)
{
    form->contention = search->laws[law].contention;
    form->proportional = search->laws[law].proportional;
    form->known = search->laws[law].known;
    form->hop = search->laws[law].hop;
    form->room = search->laws[law].given ? mt_room(&search->data->wiring) : 0;
    form->evens_out =
        search->data->wiring.topology == MT_TOPOLOGY_BUS && search->data->has_mean;
}

static int try_networks(struct search *search, int start, struct mt_error *err)
{
    const struct mt_learn_tried *tried = &search->choice->tried[start];
    struct mt_learn_form form = tried->form;
    const int ways = mt_learn_tells_lengths(search->data) ? 16 : 8;
    const int measured = search->data->link.nlengths > 0;
    for (int kind = 0; kind < ways * search->nlaws * (1 + measured); kind++) {
        set_law(&form, search, kind / ways % search->nlaws);
        form.lengths = measured && kind < ways * search->nlaws;
        if (form.lengths && kind & 2)
            continue;
        form.latency = kind & 1;
        form.half = kind & 2;
        form.overlap = kind & 4;
        if (search->data->wiring.topology != MT_TOPOLOGY_BUS)
            form.evens_out = ways > 8 && kind & 8;
        else if (kind & 8)
            continue;
        const int status = try_form(search, &form, tried, err);
        if (status != MT_OK)
            return status;
    }
    return MT_OK;
}

/* The form that the search begins with: with a latency if the runs determine it,
   without `half`; the caller sets its law. */
static struct mt_learn_form first_form(const struct search *search)
{
    struct mt_learn_form form = {0};
    for (int i = 0; i < search->data->count; i++) {
        const struct mt_demand *demand = &search->data->samples[i].demand;
        form.messages = form.messages || demand->messages * demand->bytes > 0;
        form.near = form.near || demand->near_steps > 0;
    }
    struct mt_learn_form richer = form;
    form.lengths = richer.lengths = form.messages && search->data->link.nlengths > 0;
    richer.latency = form.messages;
    return mt_learn_determined(&richer, search->data) ? richer : form;
}

/* Try every law with 0, 1, 2, ... caches. */
static int try_laws(struct search *search, struct mt_learn_form form,
                    struct mt_error *err)
{
    const int most = form.messages ? 2 * search->nlaws : 1;
    int status = MT_OK;
    for (int kind = 0; kind < most && status == MT_OK; kind++) {
        if (form.messages)
            set_law(&form, search, kind / 2);
        form.overlap = kind % 2;
        status = try_caches(search, form, err);
    }
    return status;
}

static int search_forms(struct search *search, struct mt_error *err)
{
    struct mt_learn_choice *choice = search->choice;
    const struct mt_learn_form form = first_form(search);
    int status = try_laws(search, form, err);
    if (status != MT_OK)
        return status;
    choice->chosen = simplest_of_best(search);
    if (choice->chosen < 0)
        return mt_fail(
            err, MT_ERANK,
            "%d different runs do not determine the costs of a step and a message",
            search->data->count);
    for (int round = 0; round < MT_LEARN_MOST_ROUNDS; round++) {
        const int before = choice->chosen;
        if (form.messages)
            status = try_networks(search, before, err);
        choice->chosen = simplest_of_best(search);
        if (status == MT_OK)
            status = try_caches(search, choice->tried[choice->chosen].form, err);
        choice->chosen = simplest_of_best(search);
        if (status == MT_OK && choice->chosen == before)
            status = try_places(search, before, err);
        choice->chosen = simplest_of_best(search);
        if (status != MT_OK || choice->chosen == before)
            break;
    }
    return status;
}

/* The possible laws of a network with this wiring. */
static const struct law *laws_of(const struct mt_wiring *wiring, int *count)
{
#define LAWS(laws) (*count = sizeof(laws) / sizeof *(laws), laws)
    switch (wiring->topology) {
    case MT_TOPOLOGY_BUS:
        return LAWS(bus_laws);
    case MT_TOPOLOGY_TORUS:
        return LAWS(torus_laws);
    case MT_TOPOLOGY_MULTISTAGE:
        return LAWS(multistage_laws);
    case MT_TOPOLOGY_SWITCHES:
        break;
    }
    if (mt_has_trunks(wiring))
        return LAWS(trunk_laws);
    return mt_room(wiring) > 0 ? LAWS(switch_laws) : LAWS(all_laws);
#undef LAWS
}

static void choose_laws(struct search *search)
{
    const struct mt_wiring *wiring = &search->data->wiring;
    int count = 0;
    const struct law *laws = laws_of(wiring, &count);
    for (int i = 0; i < count; i++)
        if (!laws[i].given || mt_room(wiring) > 0)
            search->laws[search->nlaws++] = laws[i];
}

int mt_learn_choose(struct mt_learn_choice *choice, const struct mt_learn_data *data,
                    struct mt_error *err)
{
    struct search search = {.choice = choice, .data = data};
    choose_laws(&search);
    int status = mt_learn_folds_make(&search.folds, data, err);
    if (status == MT_OK)
        status = search_forms(&search, err);
    mt_learn_folds_clear(&search.folds);
    return status;
}

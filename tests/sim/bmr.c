/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * bmr - simulated times of products as in Ohtaki et al. (2004): blocks of a grid, one
 * per rank, of which one may be left over for four ranks; broadcast along rows and
 * columns, step by step. The time of a product is given; details of messages that the
 * paper leaves open are options.
 */
#include "apps/common/app.h"

#include <mpi.h>
#include <simgrid/host.h>

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_SIDE = 8, MOST_RANKS = 8, PARTS = 2, PIECES = PARTS * PARTS };
enum { MOST_REQUESTS = 2 * MOST_SIDE * (MOST_RANKS + PIECES) };

/* How a block gets from its rank to the others of its row or column: by MPI_Bcast(); by
   one blocking message after the other; likewise, but with receives posted at the
   beginning; all messages of a step at once. */
enum way { BY_MPI, IN_TURN, EXPECTED, AT_ONCE, WAYS };
static const char *const way_names[WAYS] = {"mpi", "in-turn", "expected", "at-once"};

/* The left-over's ranks' parts of the blocks next to and above it, and of its own
   blocks: quarters, as for a separate product; the same, but the last rank keeps its
   own blocks; the whole blocks next to and above it. */
enum left_over { QUARTERS, ONE_KEEPER, WHOLE, LEFT_OVERS };
static const char *const left_over_names[LEFT_OVERS] = {"quarters", "one-keeper",
                                                        "whole"};

/* The order of a step's blocks: those of A, then those of B; in each row A's, then B's
   of the column; in the order of the blocks of C that need them, by rows. */
enum sequence { A_FIRST, IN_PAIRS, AS_NEEDED, SEQUENCES };
static const char *const sequence_names[SEQUENCES] = {"a-first", "in-pairs",
                                                      "as-needed"};

/* The options that are read as texts. */
enum text {
    BLOCKS,
    PIECE_RANKS,
    SECONDS,
    PIECE_SECONDS,
    BROADCAST,
    LEFT_OVER,
    SEQUENCE
};
static const struct {
    const char *name, *help, *value;
} texts[] = {
    [BLOCKS] = {"blocks", "the rank of each block, by rows, X: left over", "DIGITS"},
    [PIECE_RANKS] = {"pieces", "the ranks of the left-over's quarters", "DIGITS"},
    [SECONDS] = {"seconds", "of a product of blocks, on each rank", "S,S..."},
    [PIECE_SECONDS] = {"piece-seconds", "of a product of quarters, on each rank",
                       "S,S..."},
    [BROADCAST] = {"broadcast", "mpi (its algorithm), in-turn, expected, at-once",
                   "WAY"},
    [LEFT_OVER] = {"left-over", "quarters, one-keeper, whole", "WAY"},
    [SEQUENCE] = {"sequence", "a-first, in-pairs, as-needed", "ORDER"},
};
enum { TEXTS = sizeof texts / sizeof *texts };

struct bmr {
    int size;
    char *texts[TEXTS]; /* owned; NULL: not given */
    int rank, ranks;
    int side;
    int owners[MOST_SIDE * MOST_SIDE]; /* by rows; -1: left over */
    int left;                          /* where that is; -1: nowhere */
    int pieces[PIECES];                /* its ranks */
    int block_bytes;
    double seconds[MOST_RANKS], piece_seconds[MOST_RANKS]; /* of a product */
    enum way way;
    enum left_over left_over;
    enum sequence sequence;
    MPI_Comm comms[1 << MOST_RANKS]; /* by members; made when first needed */
    bool rehearsal;                  /* only make them */
    int pass;                        /* over the messages of a step */
    char *buffer;
    MPI_Request requests[MOST_REQUESTS];
    int nrequests;
    double computing, communication, waiting, last;
    /* Blocks that it has sent and received, pieces of the left-over that it has; not
       those by MPI_Bcast(). */
    double passed[2];
    bool is_in_left_over;
};

static const char *text_of(const struct bmr *bmr, enum text which)
{
    return bmr->texts[which] ? bmr->texts[which] : "";
}

static bool complain_about(const struct bmr *bmr, enum text which)
{
    return app_complain("bmr", "--%s: '%s'", texts[which].name, text_of(bmr, which));
}

/* The index of the given name; the first one by default. */
static bool read_name(int *number, const struct bmr *bmr, enum text which,
                      const char *const *names, int count)
{
    const char *text = bmr->texts[which] ? bmr->texts[which] : names[0];
    for (*number = 0; *number < count; ++*number)
        if (strcmp(text, names[*number]) == 0)
            return true;
    return complain_about(bmr, which);
}

/* Numbers that are separated by commas, one a rank. */
static bool read_seconds(double *seconds, const struct bmr *bmr, enum text which)
{
    const char *at = text_of(bmr, which);
    for (int rank = 0; rank < bmr->ranks; rank++) {
        char *end;
        seconds[rank] = strtod(at, &end);
        if (end == at || seconds[rank] < 0 || *end != (rank + 1 < bmr->ranks ? ',' : 0))
            return complain_about(bmr, which);
        at = end + 1;
    }
    return true;
}

/* The digit of a rank; -1: of none. */
static int read_rank(const struct bmr *bmr, char digit)
{
    const int rank = digit - '0';
    return rank >= 0 && rank < bmr->ranks ? rank : -1;
}

static bool read_blocks(struct bmr *bmr)
{
    const char *blocks = text_of(bmr, BLOCKS), *pieces = text_of(bmr, PIECE_RANKS);
    const int count = (int)strlen(blocks);
    bmr->side = (int)lround(sqrt(count));
    bmr->left = -1;
    if (count == 0 || bmr->side * bmr->side != count || bmr->side > MOST_SIDE)
        return complain_about(bmr, BLOCKS);
    for (int i = 0; i < count; i++) {
        bmr->owners[i] = read_rank(bmr, blocks[i]);
        if (bmr->owners[i] < 0 && (blocks[i] != 'X' || bmr->left >= 0))
            return complain_about(bmr, BLOCKS);
        if (bmr->owners[i] < 0)
            bmr->left = i;
    }
    if ((bmr->left >= 0) != (strlen(pieces) == PIECES))
        return complain_about(bmr, PIECE_RANKS);
    for (int i = 0; i < PIECES && bmr->left >= 0; i++) {
        bmr->pieces[i] = read_rank(bmr, pieces[i]);
        if (bmr->pieces[i] < 0)
            return complain_about(bmr, PIECE_RANKS);
    }
    return true;
}

static bool read_options(void *self)
{
    struct bmr *bmr = self;
    int way, left_over, sequence;
    MPI_Comm_rank(MPI_COMM_WORLD, &bmr->rank);
    MPI_Comm_size(MPI_COMM_WORLD, &bmr->ranks);
    if (bmr->ranks > MOST_RANKS)
        return app_complain("bmr", "more than %d ranks", MOST_RANKS);
    if (!read_blocks(bmr) || !read_seconds(bmr->seconds, bmr, SECONDS) ||
        (bmr->left >= 0 && !read_seconds(bmr->piece_seconds, bmr, PIECE_SECONDS)) ||
        !read_name(&way, bmr, BROADCAST, way_names, WAYS) ||
        !read_name(&left_over, bmr, LEFT_OVER, left_over_names, LEFT_OVERS) ||
        !read_name(&sequence, bmr, SEQUENCE, sequence_names, SEQUENCES))
        return false;
    if (bmr->size < bmr->side)
        return app_complain("bmr", "--size: '%d'", bmr->size);
    bmr->way = way;
    bmr->left_over = left_over;
    bmr->sequence = sequence;
    bmr->block_bytes = (int)(8.0 * bmr->size * bmr->size / bmr->side / bmr->side);
    return true;
}

static void lap(struct bmr *bmr, double *seconds)
{
    const double now = MPI_Wtime();
    *seconds += now - bmr->last;
    bmr->last = now;
}

static bool is_in(int members, int rank)
{
    return members >> rank & 1;
}

/* Its ranks are in order of their numbers. */
static MPI_Comm comm_of(struct bmr *bmr, int members)
{
    MPI_Comm *comm = &bmr->comms[members];
    if (*comm == MPI_COMM_NULL) {
        int ranks[MOST_RANKS], count = 0;
        MPI_Group world, group;
        for (int rank = 0; rank < bmr->ranks; rank++)
            if (is_in(members, rank))
                ranks[count++] = rank;
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_incl(world, count, ranks, &group);
        MPI_Comm_create_group(MPI_COMM_WORLD, group, 0, comm);
        MPI_Group_free(&group);
        MPI_Group_free(&world);
    }
    return *comm;
}

/* How many members have lower numbers. */
static int place_in(int members, int rank)
{
    return __builtin_popcount((unsigned)members & ((1U << rank) - 1));
}

/* Whether it is done in this pass over the messages of a step: with posted receives,
   the first pass is for receives and the second for sends; otherwise everything is. */
static bool is_due(const struct bmr *bmr, bool receives)
{
    return !bmr->rehearsal && (bmr->way != EXPECTED || receives == (bmr->pass == 0));
}

static void send(struct bmr *bmr, int from, int to, int bytes)
{
    const bool receives = bmr->rank == to;
    if (from == to || (bmr->rank != from && !receives) || !is_due(bmr, receives))
        return;
    MPI_Request *request = &bmr->requests[bmr->nrequests];
    bmr->passed[bmr->is_in_left_over] += (double)bytes / bmr->block_bytes;
    if (receives)
        MPI_Irecv(bmr->buffer, bytes, MPI_BYTE, from, 0, MPI_COMM_WORLD, request);
    else
        MPI_Issend(bmr->buffer, bytes, MPI_BYTE, to, 0, MPI_COMM_WORLD, request);
    if (bmr->way == AT_ONCE || (bmr->way == EXPECTED && receives))
        bmr->nrequests++;
    else
        MPI_Wait(request, MPI_STATUS_IGNORE);
}

static void broadcast(struct bmr *bmr, int root, int members, int bytes)
{
    members |= 1 << root;
    if (!is_in(members, bmr->rank) || members == 1 << root)
        return;
    if (bmr->way == BY_MPI) {
        const MPI_Comm comm = comm_of(bmr, members);
        if (!bmr->rehearsal)
            MPI_Bcast(bmr->buffer, bytes, MPI_BYTE, place_in(members, root), comm);
        return;
    }
    for (int rank = 0; rank < bmr->ranks; rank++)
        if (is_in(members, rank))
            send(bmr, root, rank, bytes);
}

static int all_pieces(const struct bmr *bmr)
{
    int members = 0;
    for (int i = 0; i < PIECES; i++)
        members |= 1 << bmr->pieces[i];
    return members;
}

/* Give the left-over's ranks, except those with the whole block, their initial
   parts. */
static void deal_quarters(struct bmr *bmr, int from, int others)
{
    for (int i = 0; i < PIECES; i++)
        if (!is_in(others, bmr->pieces[i]))
            send(bmr, from, bmr->pieces[i], bmr->block_bytes / PIECES);
}

/* Its own block of the left-over, to the others of the line. */
static void pass_left_over(struct bmr *bmr, int members)
{
    const int last = bmr->pieces[PIECES - 1];
    if (bmr->left_over == ONE_KEEPER) {
        broadcast(bmr, last, members, bmr->block_bytes);
        deal_quarters(bmr, last, members | 1 << last);
        return;
    }
    if (bmr->left_over == WHOLE)
        members |= all_pieces(bmr);
    for (int i = 0; i < PIECES; i++)
        broadcast(bmr, bmr->pieces[i], members, bmr->block_bytes / PIECES);
}

/* A block, along the line of blocks `first`, `first` + `apart`, ... */
static void pass_block(struct bmr *bmr, int block, int first, int apart)
{
    int members = 0;
    bool has_left_over = false;
    for (int i = 0; i < bmr->side; i++) {
        const int owner = bmr->owners[first + i * apart];
        if (owner >= 0)
            members |= 1 << owner;
        has_left_over |= owner < 0;
    }
    if (block == bmr->left) {
        pass_left_over(bmr, members);
        return;
    }
    if (has_left_over && bmr->left_over == WHOLE)
        members |= all_pieces(bmr);
    broadcast(bmr, bmr->owners[block], members, bmr->block_bytes);
    if (has_left_over && bmr->left_over != WHOLE)
        deal_quarters(bmr, bmr->owners[block], members);
}

static int count_passes(const struct bmr *bmr)
{
    return bmr->way == EXPECTED ? 2 : 1;
}

static void finish_messages(struct bmr *bmr)
{
    MPI_Waitall(bmr->nrequests, bmr->requests, MPI_STATUSES_IGNORE);
    bmr->nrequests = 0;
}

/* A's blocks of the step's column along their rows, and B's of its row along their
   columns. */
static void pass_in_sequence(struct bmr *bmr, int step)
{
    const int side = bmr->side;
    for (int row = 0, column = 0; row + column < 2 * side;) {
        const bool is_of_a = bmr->sequence == A_FIRST    ? row < side
                             : bmr->sequence == IN_PAIRS ? row == column
                                                         : row == 0 || column == side;
        if (is_of_a) {
            pass_block(bmr, row * side + step, row * side, 1);
            row++;
        } else {
            pass_block(bmr, step * side + column, column, side);
            column++;
        }
    }
}

static void pass_blocks(struct bmr *bmr, int step)
{
    for (bmr->pass = 0; bmr->pass < count_passes(bmr); bmr->pass++)
        pass_in_sequence(bmr, step);
    finish_messages(bmr);
}

static void multiply(struct bmr *bmr, double seconds)
{
    if (!bmr->rehearsal)
        smpi_execute_flops(seconds * sg_host_get_speed(sg_host_self()));
}

/* The messages between the left-over's ranks in one of their steps. */
static void pass_pieces(struct bmr *bmr, int step)
{
    const int *pieces = bmr->pieces, bytes = bmr->block_bytes / PIECES;
    for (bmr->pass = 0; bmr->pass < count_passes(bmr); bmr->pass++) {
        for (int i = 0; i < PIECES; i += PARTS)
            broadcast(bmr, pieces[i + step], 1 << pieces[i] | 1 << pieces[i + 1],
                      bytes);
        for (int i = 0; i < PARTS; i++)
            broadcast(bmr, pieces[PARTS * step + i],
                      1 << pieces[i] | 1 << pieces[PARTS + i], bytes);
    }
    finish_messages(bmr);
}

/* The left-over's part of a step, by its ranks: the same on a grid of 2 x 2. */
static void multiply_left_over(struct bmr *bmr)
{
    const int members = bmr->left >= 0 ? all_pieces(bmr) : 0;
    for (int step = 0; step < PARTS && is_in(members, bmr->rank); step++) {
        MPI_Barrier(comm_of(bmr, members));
        bmr->is_in_left_over = true;
        pass_pieces(bmr, step);
        bmr->is_in_left_over = false;
        for (int i = 0; i < PIECES; i++)
            if (bmr->pieces[i] == bmr->rank)
                multiply(bmr, bmr->piece_seconds[bmr->rank]);
    }
}

/* Messages between the left-over's ranks count as computing, as in the paper. */
static void run_step(struct bmr *bmr, int step)
{
    MPI_Barrier(MPI_COMM_WORLD);
    lap(bmr, &bmr->waiting);
    pass_blocks(bmr, step);
    MPI_Barrier(MPI_COMM_WORLD);
    lap(bmr, &bmr->communication);
    for (int i = 0; i < bmr->side * bmr->side; i++)
        if (bmr->owners[i] == bmr->rank)
            multiply(bmr, bmr->seconds[bmr->rank]);
    multiply_left_over(bmr);
    lap(bmr, &bmr->computing);
}

static void print_times(const struct bmr *bmr, double seconds)
{
    enum { NUMBERS = 5 };
    const double mine[NUMBERS] = {bmr->computing, bmr->communication, bmr->waiting,
                                  bmr->passed[0], bmr->passed[1] * PIECES};
    double all[MOST_RANKS][NUMBERS];
    MPI_Gather(mine, NUMBERS, MPI_DOUBLE, all, NUMBERS, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    if (bmr->rank > 0)
        return;
    printf("{\"seconds\": %.9g, \"ranks\": [", seconds);
    for (int i = 0; i < bmr->ranks; i++)
        printf("%s{\"computing\": %.9g, \"communication\": %.9g, \"waiting\": %.9g, "
               "\"blocks\": %.9g, \"pieces\": %.9g}",
               i > 0 ? ", " : "", all[i][0], all[i][1], all[i][2], all[i][3],
               all[i][4]);
    puts("]}");
}

static int run(void *self)
{
    struct bmr *bmr = self;
    for (int i = 0; i < 1 << MOST_RANKS; i++)
        bmr->comms[i] = MPI_COMM_NULL;
    /* SMPI does not copy between buffers that are shared. */
    bmr->buffer = SMPI_SHARED_MALLOC((size_t)bmr->block_bytes);
    bmr->rehearsal = true;
    for (int step = 0; step < bmr->side; step++)
        run_step(bmr, step);
    bmr->rehearsal = false;
    bmr->computing = bmr->communication = bmr->waiting = 0;
    const double start = app_start();
    bmr->last = MPI_Wtime();
    for (int step = 0; step < bmr->side; step++)
        run_step(bmr, step);
    MPI_Barrier(MPI_COMM_WORLD);
    lap(bmr, &bmr->waiting);
    print_times(bmr, bmr->last - start);
    SMPI_SHARED_FREE(bmr->buffer);
    return EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
    struct bmr bmr = {.size = 12000};
    struct poptOption table[TEXTS + 2] = {
        {"size", 'n', POPT_ARG_INT, &bmr.size, 0, "rows and columns", "N"},
        [TEXTS + 1] = POPT_TABLEEND,
    };
    for (int i = 0; i < TEXTS; i++)
        table[i + 1] = (struct poptOption){texts[i].name, '\0', POPT_ARG_STRING,
                                           &bmr.texts[i], 0,    texts[i].help,
                                           texts[i].value};
    const struct app app = {"bmr", table, read_options, run, &bmr};
    const int status = app_main(&app, argc, argv);
    for (int i = 0; i < TEXTS; i++)
        free(bmr.texts[i]);
    return status;
}

/* SPDX-License-Identifier: BSD-3-Clause */
/* A product of the strassen program succeeds even if its workspace is too small. On
   this rank alone. Prints TAP. */
#include "apps/strassen/work.h"

#include <stdio.h>
#include <stdlib.h>

enum { SIZE = 6 };

/* Whether C = A B, with A all 2 and B all 1, is right with one level and this much
   room. */
static bool is_right(size_t room)
{
    double a[SIZE * SIZE], b[SIZE * SIZE], c[SIZE * SIZE] = {0};
    struct strassen_worker worker = {.workspace = calloc(room, sizeof(double)),
                                     .room = room};
    bool right = worker.workspace != NULL;
    for (int i = 0; i < SIZE * SIZE; i++) {
        a[i] = 2;
        b[i] = 1;
    }
    if (right)
        strassen_work_multiply(&worker, SIZE, SIZE, SIZE, 1, a, SIZE, b, SIZE, 0, c,
                               SIZE, 1);
    for (int i = 0; i < SIZE * SIZE; i++)
        right = right && c[i] == 2 * SIZE;
    free(worker.workspace);
    return right;
}

int main(void)
{
    const bool enough = is_right(1000), too_little = is_right(1);
    printf("%sok 1 - a workspace that has room\n", enough ? "" : "not ");
    printf("%sok 2 - one that has not\n1..2\n", too_little ? "" : "not ");
    return enough && too_little ? EXIT_SUCCESS : EXIT_FAILURE;
}

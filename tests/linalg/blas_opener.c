/* SPDX-License-Identifier: BSD-3-Clause */
/* Stands for an interpreter: knows no BLAS, opens MODULE, which does. */
#include <dlfcn.h>
#include <stdio.h>

enum { SIZE = 64 };

int main(int argc, char **argv)
{
    static double a[SIZE * SIZE], c[SIZE * SIZE];
    double (*trace_of_square)(int, double *, double *) = NULL;
    void *module = argc > 1 ? dlopen(argv[1], RTLD_NOW | RTLD_LOCAL) : NULL;
    if (module)
        *(void **)&trace_of_square = dlsym(module, "trace_of_square");
    if (!trace_of_square)
        return 1;
    for (int i = 0; i < SIZE; i++)
        a[i + i * SIZE] = 2;
    printf("%g\n", trace_of_square(SIZE, a, c));
    return 0;
}

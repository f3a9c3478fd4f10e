/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * loaded_mpi.h - which MPI a program was built for, by the libraries that it loads.
 */
#ifndef MT_CLI_LOADED_MPI_H
#define MT_CLI_LOADED_MPI_H

/* An MPI that programs load. */
struct mt_loaded_mpi {
    const char *name; /* as folders.h names MPIs: "openmpi" or "mpich", also for derived
                         MPIs; NULL: unknown */
    char library[64]; /* that tells it: "libmpi.so.40" */
};

/*
 * Read it from the executable at `path` and the libraries that this loads (DT_NEEDED,
 * followed as ld.so finds them). It is unknown for scripts and interpreters, for static
 * and serial programs, for other machines' executables, and if libraries of both are
 * loaded.
 */
void mt_loaded_mpi(struct mt_loaded_mpi *mpi, const char *path);

#endif

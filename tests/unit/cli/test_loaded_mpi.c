/* SPDX-License-Identifier: BSD-3-Clause */
#include "cli/launch/loaded_mpi.h"

#include "tests/unit/test.h"

#include <elf.h>
#include <link.h>
#include <string.h>
#include <unistd.h>

/* A program that needs the library, as small as ELF allows. */
struct program {
    ElfW(Ehdr) header;
    ElfW(Phdr) segments[2];
    ElfW(Dyn) entries[3];
    char strings[32];
};

static struct program make_program(const char *library)
{
    const size_t size = sizeof(struct program);
    struct program program = {
        .header = {.e_phoff = offsetof(struct program, segments),
                   .e_phentsize = sizeof(ElfW(Phdr)),
                   .e_phnum = 2},
        .segments = {{.p_type = PT_LOAD, .p_filesz = size, .p_memsz = size},
                     {.p_type = PT_DYNAMIC,
                      .p_offset = offsetof(struct program, entries),
                      .p_filesz = sizeof program.entries}},
        .entries = {{.d_tag = DT_NEEDED, .d_un.d_val = 1},
                    {.d_tag = DT_STRTAB,
                     .d_un.d_ptr = offsetof(struct program, strings)},
                    {.d_tag = DT_NULL}},
    };
    memcpy(program.header.e_ident, ELFMAG, SELFMAG);
    program.header.e_ident[EI_CLASS] = sizeof(void *) == 8 ? ELFCLASS64 : ELFCLASS32;
    program.header.e_ident[EI_DATA] =
        __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? ELFDATA2LSB : ELFDATA2MSB;
    snprintf(program.strings + 1, sizeof program.strings - 1, "%s", library);
    return program;
}

/* The MPI of a file with these bytes. */
static struct mt_loaded_mpi mpi_of(const void *bytes, size_t size)
{
    char path[] = "/tmp/motley-test-XXXXXX";
    struct mt_loaded_mpi mpi;
    const int file = mkstemp(path);
    assert_true(file >= 0);
    assert_int_equal(write(file, bytes, size), size);
    close(file);
    mt_loaded_mpi(&mpi, path);
    unlink(path);
    return mpi;
}

static void tells_mpis_by_their_libraries(void **state)
{
    (void)state;
    static const struct {
        const char *library, *name;
    } cases[] = {
        {"libmpi.so.40", "openmpi"},   {"libmpi.so.1", "openmpi"},
        {"libmpich.so.12", "mpich"},   {"libmpi.so.12", "mpich"},
        {"libopen-pal.so", "openmpi"}, {"libmpichmp.so.1", "mpich"},
        {"libmpi_abi.so.0", NULL},     {"libno-such.so.6", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct program program = make_program(cases[i].library);
        const struct mt_loaded_mpi mpi = mpi_of(&program, sizeof program);
        if (cases[i].name) {
            assert_string_equal(mpi.name, cases[i].name);
            assert_string_equal(mpi.library, cases[i].library);
        } else {
            assert_null(mpi.name);
        }
    }
}

static void finds_nothing_in_scripts_and_missing_files(void **state)
{
    (void)state;
    struct mt_loaded_mpi mpi;
    assert_null(mpi_of("#!/bin/sh\n", 10).name);
    assert_null(mpi_of("", 0).name);
    mt_loaded_mpi(&mpi, "/no/such/file");
    assert_null(mpi.name);
    mt_loaded_mpi(&mpi, "/");
    assert_null(mpi.name);
}

/* Whatever the headers say, no byte beyond the file is read. */
static void damaged_files_do_no_harm(void **state)
{
    (void)state;
    const struct program whole = make_program("libmpi.so.40");
    for (size_t size = 0; size < sizeof whole; size += 3)
        mpi_of(&whole, size);
    for (size_t i = 0; i < sizeof whole; i++) {
        unsigned char bytes[sizeof whole];
        memcpy(bytes, &whole, sizeof whole);
        bytes[i] = 0xff;
        mpi_of(bytes, sizeof bytes);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tells_mpis_by_their_libraries),
        cmocka_unit_test(finds_nothing_in_scripts_and_missing_files),
        cmocka_unit_test(damaged_files_do_no_harm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * mpi.h - the part that motley uses of an MPI newer than the installable ones: handles
 * and MPI_Status have the types of MPI 5's standard ABI, functions removed by MPI 3 are
 * missing, and the compiler warns of those deprecated by MPI 4.1. For `compile`, which
 * only compiles with it: the numbers mean nothing.
 */
#ifndef MPI_H
#define MPI_H

#include <stdint.h>

#define MPI_VERSION 5
#define MPI_SUBVERSION 0

typedef intptr_t MPI_Aint;
typedef int64_t MPI_Offset, MPI_Count;
typedef int MPI_Fint;

typedef struct MPI_ABI_Comm *MPI_Comm;
typedef struct MPI_ABI_Datatype *MPI_Datatype;
typedef struct MPI_ABI_Errhandler *MPI_Errhandler;
typedef struct MPI_ABI_Group *MPI_Group;
typedef struct MPI_ABI_Info *MPI_Info;
typedef struct MPI_ABI_Op *MPI_Op;
typedef struct MPI_ABI_Request *MPI_Request;
typedef struct MPI_ABI_Win *MPI_Win;
typedef struct MPI_ABI_T_cvar_handle *MPI_T_cvar_handle;
typedef struct MPI_ABI_T_enum *MPI_T_enum;

typedef struct {
    int MPI_SOURCE, MPI_TAG, MPI_ERROR;
    int MPI_internal[5];
} MPI_Status;

typedef int MPI_Comm_copy_attr_function(MPI_Comm, int, void *, void *, void *, int *);
typedef int MPI_Comm_delete_attr_function(MPI_Comm, int, void *, void *);

#define MPI_COMM_NULL ((MPI_Comm)0x100)
#define MPI_COMM_WORLD ((MPI_Comm)0x101)
#define MPI_COMM_SELF ((MPI_Comm)0x102)
#define MPI_GROUP_NULL ((MPI_Group)0x108)
#define MPI_WIN_NULL ((MPI_Win)0x110)
#define MPI_INFO_NULL ((MPI_Info)0x130)
#define MPI_ERRHANDLER_NULL ((MPI_Errhandler)0x140)
#define MPI_ERRORS_RETURN ((MPI_Errhandler)0x142)
#define MPI_REQUEST_NULL ((MPI_Request)0x180)

#define MPI_SUM ((MPI_Op)0x21)
#define MPI_MIN ((MPI_Op)0x22)
#define MPI_MAX ((MPI_Op)0x23)
#define MPI_PROD ((MPI_Op)0x24)
#define MPI_BAND ((MPI_Op)0x28)
#define MPI_BOR ((MPI_Op)0x29)
#define MPI_BXOR ((MPI_Op)0x2a)
#define MPI_LAND ((MPI_Op)0x30)
#define MPI_LOR ((MPI_Op)0x31)
#define MPI_LXOR ((MPI_Op)0x32)

#define MPI_DATATYPE_NULL ((MPI_Datatype)0x200)
#define MPI_SHORT ((MPI_Datatype)0x208)
#define MPI_INT ((MPI_Datatype)0x209)
#define MPI_LONG ((MPI_Datatype)0x20a)
#define MPI_LONG_LONG ((MPI_Datatype)0x20b)
#define MPI_UNSIGNED_SHORT ((MPI_Datatype)0x20c)
#define MPI_UNSIGNED ((MPI_Datatype)0x20d)
#define MPI_UNSIGNED_LONG ((MPI_Datatype)0x20e)
#define MPI_UNSIGNED_LONG_LONG ((MPI_Datatype)0x20f)
#define MPI_FLOAT ((MPI_Datatype)0x210)
#define MPI_DOUBLE ((MPI_Datatype)0x214)
#define MPI_C_DOUBLE_COMPLEX ((MPI_Datatype)0x215)
#define MPI_INTEGER ((MPI_Datatype)0x218)
#define MPI_REAL ((MPI_Datatype)0x219)
#define MPI_DOUBLE_PRECISION ((MPI_Datatype)0x21a)
#define MPI_PACKED ((MPI_Datatype)0x227)
#define MPI_DOUBLE_INT ((MPI_Datatype)0x22b)
#define MPI_INT8_T ((MPI_Datatype)0x240)
#define MPI_UINT8_T ((MPI_Datatype)0x241)
#define MPI_CHAR ((MPI_Datatype)0x243)
#define MPI_SIGNED_CHAR ((MPI_Datatype)0x244)
#define MPI_UNSIGNED_CHAR ((MPI_Datatype)0x245)
#define MPI_BYTE ((MPI_Datatype)0x247)
#define MPI_INT16_T ((MPI_Datatype)0x248)
#define MPI_UINT16_T ((MPI_Datatype)0x249)
#define MPI_INT32_T ((MPI_Datatype)0x250)
#define MPI_UINT32_T ((MPI_Datatype)0x251)
#define MPI_INT64_T ((MPI_Datatype)0x258)
#define MPI_UINT64_T ((MPI_Datatype)0x259)

#define MPI_STATUS_IGNORE ((MPI_Status *)0)
#define MPI_STATUSES_IGNORE ((MPI_Status *)0)
#define MPI_BOTTOM ((void *)0)
#define MPI_IN_PLACE ((void *)1)

#define MPI_COMM_NULL_COPY_FN ((MPI_Comm_copy_attr_function *)0)

enum {
    MPI_SUCCESS = 0,
    MPI_ERR_TRUNCATE = 15,
    MPI_ERR_INTERN = 17,
    MPI_ERR_IN_STATUS = 18,
    MPI_ERR_NO_MEM = 39,
    MPI_ANY_SOURCE = -1,
    MPI_ANY_TAG = -2,
    MPI_PROC_NULL = -3,
    MPI_UNDEFINED = -32766,
    MPI_KEYVAL_INVALID = 0,
    MPI_UNEQUAL = 104,
    MPI_COMBINER_NAMED = 101,
    MPI_COMBINER_DUP = 102,
    MPI_COMBINER_CONTIGUOUS = 103,
    MPI_COMM_TYPE_SHARED = 1,
    MPI_THREAD_SINGLE = 0,
    MPI_THREAD_FUNNELED = 1024,
    MPI_THREAD_SERIALIZED = 2048,
    MPI_THREAD_MULTIPLE = 4096,
    MPI_MODE_NOCHECK = 1024,
    MPI_MAX_ERROR_STRING = 512,
    MPI_MAX_OBJECT_NAME = 128,
    MPI_MAX_PROCESSOR_NAME = 256,
    MPI_MAX_LIBRARY_VERSION_STRING = 8192
};

/* Each function is declared by its MPI_ and its PMPI_ name. */
#define BOTH(type, name, ...) \
    type MPI_##name(__VA_ARGS__); \
    type PMPI_##name(__VA_ARGS__)
#define DEPRECATED(type, name, ...) \
    __attribute__((deprecated)) type MPI_##name(__VA_ARGS__); \
    __attribute__((deprecated)) type PMPI_##name(__VA_ARGS__)

BOTH(int, Abort, MPI_Comm, int);
BOTH(int, Allgather, const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
     MPI_Comm);
BOTH(int, Allreduce, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
BOTH(int, Alltoall, const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
     MPI_Comm);
BOTH(int, Alltoallv, const void *, const int[], const int[], MPI_Datatype, void *,
     const int[], const int[], MPI_Datatype, MPI_Comm);
BOTH(int, Barrier, MPI_Comm);
BOTH(int, Bcast, void *, int, MPI_Datatype, int, MPI_Comm);
BOTH(int, Bcast_c, void *, MPI_Count, MPI_Datatype, int, MPI_Comm);
BOTH(int, Cancel, MPI_Request *);
BOTH(int, Cart_coords, MPI_Comm, int, int, int[]);
BOTH(int, Cart_create, MPI_Comm, int, const int[], const int[], int, MPI_Comm *);
BOTH(int, Cart_shift, MPI_Comm, int, int, int *, int *);
BOTH(int, Comm_call_errhandler, MPI_Comm, int);
BOTH(int, Comm_compare, MPI_Comm, MPI_Comm, int *);
BOTH(int, Comm_create, MPI_Comm, MPI_Group, MPI_Comm *);
BOTH(int, Comm_create_group, MPI_Comm, MPI_Group, int, MPI_Comm *);
BOTH(int, Comm_create_keyval, MPI_Comm_copy_attr_function *,
     MPI_Comm_delete_attr_function *, int *, void *);
BOTH(int, Comm_delete_attr, MPI_Comm, int);
BOTH(int, Comm_disconnect, MPI_Comm *);
BOTH(int, Comm_dup, MPI_Comm, MPI_Comm *);
BOTH(MPI_Comm, Comm_f2c, MPI_Fint);
BOTH(int, Comm_free, MPI_Comm *);
BOTH(int, Comm_free_keyval, int *);
BOTH(int, Comm_get_attr, MPI_Comm, int, void *, int *);
BOTH(int, Comm_get_errhandler, MPI_Comm, MPI_Errhandler *);
BOTH(int, Comm_get_name, MPI_Comm, char *, int *);
BOTH(int, Comm_group, MPI_Comm, MPI_Group *);
BOTH(int, Comm_rank, MPI_Comm, int *);
BOTH(int, Comm_set_attr, MPI_Comm, int, void *);
BOTH(int, Comm_set_errhandler, MPI_Comm, MPI_Errhandler);
BOTH(int, Comm_size, MPI_Comm, int *);
BOTH(int, Comm_split, MPI_Comm, int, int, MPI_Comm *);
BOTH(int, Comm_split_type, MPI_Comm, int, int, MPI_Info, MPI_Comm *);
BOTH(int, Comm_test_inter, MPI_Comm, int *);
BOTH(int, Dims_create, int, int, int[]);
BOTH(int, Errhandler_free, MPI_Errhandler *);
BOTH(int, Error_string, int, char *, int *);
BOTH(int, Finalize, void);
BOTH(int, Finalized, int *);
BOTH(int, Gather, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
     MPI_Comm);
BOTH(int, Gatherv, const void *, int, MPI_Datatype, void *, const int[], const int[],
     MPI_Datatype, int, MPI_Comm);
BOTH(int, Get_address, const void *, MPI_Aint *);
BOTH(int, Get_count, const MPI_Status *, MPI_Datatype, int *);
BOTH(int, Get_library_version, char *, int *);
BOTH(int, Get_processor_name, char *, int *);
BOTH(int, Group_free, MPI_Group *);
BOTH(int, Group_size, MPI_Group, int *);
BOTH(int, Group_translate_ranks, MPI_Group, int, const int[], MPI_Group, int[]);
BOTH(int, Iallreduce, const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm,
     MPI_Request *);
BOTH(int, Ialltoall, const void *, int, MPI_Datatype, void *, int, MPI_Datatype,
     MPI_Comm, MPI_Request *);
BOTH(int, Init, int *, char ***);
BOTH(int, Init_thread, int *, char ***, int, int *);
BOTH(int, Initialized, int *);
BOTH(int, Iprobe, int, int, MPI_Comm, int *, MPI_Status *);
BOTH(int, Irecv, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
BOTH(int, Isend, const void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
BOTH(MPI_Op, Op_f2c, MPI_Fint);
BOTH(int, Pack, const void *, int, MPI_Datatype, void *, int, int *, MPI_Comm);
BOTH(int, Pcontrol, const int, ...);
BOTH(int, Probe, int, int, MPI_Comm, MPI_Status *);
BOTH(int, Query_thread, int *);
BOTH(int, Recv, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
BOTH(int, Recv_init, void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
BOTH(int, Reduce, const void *, void *, int, MPI_Datatype, MPI_Op, int, MPI_Comm);
BOTH(int, Reduce_local, const void *, void *, int, MPI_Datatype, MPI_Op);
BOTH(int, Request_free, MPI_Request *);
BOTH(int, Rput, const void *, int, MPI_Datatype, int, MPI_Aint, int, MPI_Datatype,
     MPI_Win, MPI_Request *);
BOTH(int, Scatter, const void *, int, MPI_Datatype, void *, int, MPI_Datatype, int,
     MPI_Comm);
BOTH(int, Send, const void *, int, MPI_Datatype, int, int, MPI_Comm);
BOTH(int, Sendrecv, const void *, int, MPI_Datatype, int, int, void *, int,
     MPI_Datatype, int, int, MPI_Comm, MPI_Status *);
BOTH(int, Ssend, const void *, int, MPI_Datatype, int, int, MPI_Comm);
BOTH(int, Start, MPI_Request *);
BOTH(int, T_cvar_get_index, const char *, int *);
BOTH(int, T_cvar_get_info, int, char *, int *, int *, MPI_Datatype *, MPI_T_enum *,
     char *, int *, int *, int *);
BOTH(int, T_cvar_handle_alloc, int, void *, MPI_T_cvar_handle *, int *);
BOTH(int, T_cvar_handle_free, MPI_T_cvar_handle *);
BOTH(int, T_cvar_read, MPI_T_cvar_handle, void *);
BOTH(int, T_finalize, void);
BOTH(int, T_init_thread, int, int *);
BOTH(int, Test, MPI_Request *, int *, MPI_Status *);
BOTH(int, Testany, int, MPI_Request[], int *, int *, MPI_Status *);
BOTH(int, Type_commit, MPI_Datatype *);
BOTH(int, Type_contiguous, int, MPI_Datatype, MPI_Datatype *);
BOTH(int, Type_create_hindexed, int, const int[], const MPI_Aint[], MPI_Datatype,
     MPI_Datatype *);
BOTH(int, Type_create_struct, int, const int[], const MPI_Aint[], const MPI_Datatype[],
     MPI_Datatype *);
BOTH(MPI_Datatype, Type_f2c, MPI_Fint);
BOTH(int, Type_free, MPI_Datatype *);
BOTH(int, Type_get_contents, MPI_Datatype, int, int, int, int[], MPI_Aint[],
     MPI_Datatype[]);
BOTH(int, Type_get_envelope, MPI_Datatype, int *, int *, int *, int *);
BOTH(int, Type_get_extent, MPI_Datatype, MPI_Aint *, MPI_Aint *);
BOTH(int, Type_size, MPI_Datatype, int *);
BOTH(int, Type_size_c, MPI_Datatype, MPI_Count *);
DEPRECATED(int, Type_size_x, MPI_Datatype, MPI_Count *);
BOTH(int, Type_vector, int, int, int, MPI_Datatype, MPI_Datatype *);
BOTH(int, Unpack, const void *, int, int *, void *, int, MPI_Datatype, MPI_Comm);
BOTH(int, Wait, MPI_Request *, MPI_Status *);
BOTH(int, Waitall, int, MPI_Request[], MPI_Status *);
BOTH(int, Waitany, int, MPI_Request[], int *, MPI_Status *);
BOTH(int, Win_allocate, MPI_Aint, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
BOTH(int, Win_free, MPI_Win *);
BOTH(int, Win_lock_all, int, MPI_Win);
BOTH(int, Win_set_errhandler, MPI_Win, MPI_Errhandler);
BOTH(int, Win_unlock_all, MPI_Win);
BOTH(double, Wtime, void);

#endif

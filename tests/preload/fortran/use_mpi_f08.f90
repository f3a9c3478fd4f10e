! SPDX-License-Identifier: BSD-3-Clause
! Broadcasts of a program that uses the module mpi_f08.
program use_mpi_f08
    use mpi_f08
    implicit none
    integer, parameter :: n = 1000, calls = 60
    double precision :: addends(n), sums(n)
    type(MPI_Comm) :: comm
    type(MPI_Datatype) :: type
    integer :: rank, ranks, root, i, j, ierror, numbers(2*n)
    complex(kind=kind(1d0)) :: values(n)
    logical :: right

    right = .true.
    call MPI_Init()
    call MPI_Pcontrol(1)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm)
    call MPI_Comm_rank(comm, rank)
    call MPI_Comm_size(comm, ranks)
    do i = 1, calls / 3
        root = mod(i, ranks)
        values = merge(i, 0, rank == root)
        call MPI_Bcast(values, n, MPI_DOUBLE_COMPLEX, root, comm, ierror)
        right = right .and. all(values == i) .and. ierror == MPI_SUCCESS
    end do
    do i = 1, calls / 3 ! every other element, without a type of its own
        numbers = merge(i, 0, rank == 0)
        call MPI_Bcast(numbers(1:2*n:2), n, MPI_INTEGER, 0, comm)
        right = right .and. all(numbers(1:2*n:2) == i)
        right = right .and. (rank == 0 .or. all(numbers(2:2*n:2) == 0))
    end do
    call MPI_Type_vector(n, 1, 2, MPI_INTEGER, type)
    call MPI_Type_commit(type)
    do i = 1, calls / 3
        numbers = merge(i, 0, rank == ranks - 1)
        call MPI_Bcast(numbers, 1, type, ranks - 1, comm)
        right = right .and. all(numbers(1:2*n:2) == i)
    end do
    call MPI_Type_free(type)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN)
    call MPI_Bcast(numbers, n, MPI_INTEGER, ranks, comm, ierror)
    right = right .and. ierror /= MPI_SUCCESS
    call MPI_Comm_free(comm)
    include 'rooted.inc'
    call MPI_Finalize()
    if (.not. right) stop 1
end program

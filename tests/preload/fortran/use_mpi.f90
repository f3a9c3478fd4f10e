! SPDX-License-Identifier: BSD-3-Clause
! Broadcasts of a program that uses the module mpi.
program use_mpi
    use mpi
    implicit none
    integer, parameter :: n = 1000, calls = 60
    double precision :: addends(n), sums(n)
    integer :: rank, ranks, ierror, root, type, comm, i, j
    integer(kind=MPI_ADDRESS_KIND) :: addresses(2)
    real, volatile :: reals(n) ! changed through their addresses
    integer, volatile :: numbers(n)
    logical :: right

    right = .true.
    call MPI_Init(ierror)
    call MPI_Pcontrol(1)
    call MPI_Comm_dup(MPI_COMM_WORLD, comm, ierror)
    call MPI_Comm_rank(comm, rank, ierror)
    call MPI_Comm_size(comm, ranks, ierror)
    do i = 1, calls / 2
        root = mod(i, ranks)
        reals = merge(i, 0, rank == root)
        call MPI_Bcast(reals, n, MPI_REAL, root, comm, ierror)
        right = right .and. all(reals == i) .and. ierror == MPI_SUCCESS
    end do
    call MPI_Get_address(reals, addresses(1), ierror)
    call MPI_Get_address(numbers, addresses(2), ierror)
    call MPI_Type_create_struct(2, [n, n], addresses, [MPI_REAL, MPI_INTEGER], type, ierror)
    call MPI_Type_commit(type, ierror)
    do i = 1, calls / 2
        reals = merge(i, 0, rank == 0)
        numbers = merge(i + 1, 0, rank == 0)
        call MPI_Bcast(MPI_BOTTOM, 1, type, 0, comm, ierror)
        right = right .and. all(reals == i) .and. all(numbers == i + 1)
    end do
    call MPI_Type_free(type, ierror)
    call MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN, ierror)
    call MPI_Bcast(numbers, n, MPI_INTEGER, ranks, comm, ierror)
    right = right .and. ierror /= MPI_SUCCESS
    call MPI_Comm_free(comm, ierror)
    include 'rooted.inc'
    call MPI_Finalize(ierror)
    if (.not. right) stop 1
end program

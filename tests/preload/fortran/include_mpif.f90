! SPDX-License-Identifier: BSD-3-Clause
! Broadcasts of a program that includes mpif.h, as FORTRAN 77 programs do.
program include_mpif
    implicit none
    include 'mpif.h'
    integer, parameter :: n = 1000, calls = 60
    integer :: rank, ranks, ierror, root, type, i, j, numbers(2*n)
    double precision :: addends(n), reals(n), sums(n)
    character(len=12) :: word
    logical :: right

    right = .true.
    call MPI_INIT(ierror)
    call MPI_PCONTROL(1)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
    do i = 1, calls / 3
        root = mod(i, ranks)
        reals = merge(i, 0, rank == root)
        call MPI_BCAST(reals, n, MPI_DOUBLE_PRECISION, root, MPI_COMM_WORLD, ierror)
        right = right .and. all(reals == i) .and. ierror == MPI_SUCCESS
    end do
    do i = 1, calls / 3
        word = merge('a short word', '            ', rank == 0)
        call MPI_BCAST(word, len(word), MPI_CHARACTER, 0, MPI_COMM_WORLD, ierror)
        right = right .and. word == 'a short word'
    end do
    call MPI_TYPE_VECTOR(n, 1, 2, MPI_INTEGER, type, ierror)
    call MPI_TYPE_COMMIT(type, ierror)
    do i = 1, calls / 3
        numbers = merge(i, 0, rank == ranks - 1)
        call MPI_BCAST(numbers, 1, type, ranks - 1, MPI_COMM_WORLD, ierror)
        right = right .and. all(numbers(1:2*n:2) == i)
        right = right .and. (rank == ranks - 1 .or. all(numbers(2:2*n:2) == 0))
    end do
    call MPI_TYPE_FREE(type, ierror)
    include 'rooted.inc'
    call MPI_FINALIZE(ierror)
    if (.not. right) stop 1
end program

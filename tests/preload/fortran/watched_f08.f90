! SPDX-License-Identifier: BSD-3-Clause
! Blocking calls of a program that uses the module mpi_f08, whose statuses and requests have
! types of their own.
program watched_f08
    use mpi_f08
    implicit none
    integer, parameter :: n = 3000, tag = 7
    integer :: rank, ranks, left, right, place, counted, ierror
    double precision, asynchronous :: in(n), out(n), sum(n)
    type(MPI_Status) :: status, statuses(2)
    type(MPI_Request) :: requests(2)
    type(MPI_Message) :: message
    logical :: is_right

    is_right = .true.
    call MPI_Init()
    call MPI_Comm_rank(MPI_COMM_WORLD, rank)
    call MPI_Comm_size(MPI_COMM_WORLD, ranks)
    left = modulo(rank - 1, ranks)
    right = modulo(rank + 1, ranks)
    out = rank

    call MPI_Sendrecv(out, n, MPI_DOUBLE_PRECISION, right, tag, in, n, MPI_DOUBLE_PRECISION, left, tag, &
        MPI_COMM_WORLD, status)
    call MPI_Get_count(status, MPI_DOUBLE_PRECISION, counted)
    is_right = is_right .and. all(in == left) .and. counted == n
    is_right = is_right .and. status%MPI_SOURCE == left .and. status%MPI_TAG == tag
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, tag, MPI_COMM_WORLD, requests(1))
    call MPI_Mprobe(MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, message, status)
    in = -1
    call MPI_Mrecv(in, n, MPI_DOUBLE_PRECISION, message, status)
    is_right = is_right .and. all(in == left) .and. message == MPI_MESSAGE_NULL
    call MPI_Wait(requests(1), MPI_STATUS_IGNORE)
    in = -1
    call MPI_Irecv(in, n, MPI_DOUBLE_PRECISION, left, tag, MPI_COMM_WORLD, requests(1))
    call MPI_Isend(out, n, MPI_DOUBLE_PRECISION, right, tag, MPI_COMM_WORLD, requests(2))
    call MPI_Waitany(2, requests, place, status)
    is_right = is_right .and. any(requests == MPI_REQUEST_NULL) .and. place <= 2
    call MPI_Waitall(2, requests, statuses)
    is_right = is_right .and. all(in == left)
    call MPI_Send(out(1:n:2), n / 2, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, tag, MPI_COMM_WORLD)
    call MPI_Recv(in, n, MPI_DOUBLE_PRECISION, MPI_PROC_NULL, tag, MPI_COMM_WORLD, status)
    is_right = is_right .and. status%MPI_SOURCE == MPI_PROC_NULL

    call MPI_Barrier(MPI_COMM_WORLD)
    sum = rank
    call MPI_Allreduce(MPI_IN_PLACE, sum, n, MPI_DOUBLE_PRECISION, MPI_SUM, MPI_COMM_WORLD)
    is_right = is_right .and. all(sum == ranks * (ranks - 1) / 2)
    call MPI_Bcast(sum, n, MPI_DOUBLE_PRECISION, ranks - 1, MPI_COMM_WORLD)
    call MPI_Reduce(out, in, n, MPI_DOUBLE_PRECISION, MPI_MAX, 0, MPI_COMM_WORLD)
    is_right = is_right .and. (rank > 0 .or. all(in == ranks - 1))
    call MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN)
    call MPI_Reduce(out, in, n, MPI_DOUBLE_PRECISION, MPI_MAX, ranks, MPI_COMM_WORLD, ierror)
    is_right = is_right .and. ierror /= MPI_SUCCESS
    call MPI_Finalize()
    if (.not. is_right) stop 1
end program

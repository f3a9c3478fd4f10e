! SPDX-License-Identifier: BSD-3-Clause
! All blocking calls of a program that includes mpif.h, with results that every rank knows.
program watched_mpif
    implicit none
    include 'mpif.h'
    integer, parameter :: n = 3000, most = 8, tag = 7
    integer :: rank, ranks, ierror, left, right, failures, i, whole, here

    failures = 0
    call MPI_INIT(ierror)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    call MPI_COMM_SIZE(MPI_COMM_WORLD, ranks, ierror)
    left = mod(rank + ranks - 1, ranks)
    right = mod(rank + 1, ranks)
    whole = ranks * (ranks + 1) / 2   ! of all ranks' rank + 1
    here = (rank + 1) * (rank + 2) / 2 ! up to this one
    call messages()
    call waits()
    call to_and_from_root()
    call to_all()
    call reductions()
    call neighbours()
    call errors()
    call MPI_FINALIZE(ierror)
    if (failures > 0) stop 1

contains

    subroutine check(holds, what)
        logical, intent(in) :: holds
        character(len=*), intent(in) :: what
        if (holds .and. ierror == MPI_SUCCESS) return
        failures = failures + 1
        write (0, '(a, i0, 2a)') 'rank ', rank, ': wrong in ', what
    end subroutine

    subroutine check_status(status, source, length, what)
        integer, intent(in) :: status(MPI_STATUS_SIZE), source, length
        character(len=*), intent(in) :: what
        integer :: counted
        call MPI_GET_COUNT(status, MPI_INTEGER, counted, ierror)
        call check(status(MPI_SOURCE) == source .and. status(MPI_TAG) == tag .and. &
            counted == length, what)
    end subroutine

    subroutine messages()
        integer :: out(n), status(MPI_STATUS_SIZE), message, request, type
        integer, asynchronous :: in(n)
        integer(MPI_ADDRESS_KIND) :: address
        out = rank
        in = -1
        if (rank == 0) then
            call MPI_SSEND(out, n, MPI_INTEGER, right, tag, MPI_COMM_WORLD, ierror)
            call MPI_RECV(in, n, MPI_INTEGER, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, status, ierror)
        else
            call MPI_RECV(in, n, MPI_INTEGER, left, MPI_ANY_TAG, MPI_COMM_WORLD, status, ierror)
            call MPI_SEND(out, n, MPI_INTEGER, right, tag, MPI_COMM_WORLD, ierror)
        end if
        call check(all(in == left), 'MPI_RECV')
        call check_status(status, left, n, 'the status of MPI_RECV')

        call MPI_ISEND(out, n, MPI_INTEGER, right, tag, MPI_COMM_WORLD, request, ierror)
        call MPI_PROBE(left, tag, MPI_COMM_WORLD, status, ierror)
        call check_status(status, left, n, 'MPI_PROBE')
        in = -1
        call MPI_MPROBE(left, tag, MPI_COMM_WORLD, message, status, ierror)
        call MPI_MRECV(in, n, MPI_INTEGER, message, status, ierror)
        call check(all(in == left), 'MPI_MRECV')
        call check_status(status, left, n, 'the status of MPI_MRECV')
        call MPI_WAIT(request, MPI_STATUS_IGNORE, ierror)
        call check(request == MPI_REQUEST_NULL, 'MPI_WAIT')

        call MPI_IRECV(in, n, MPI_INTEGER, left, tag, MPI_COMM_WORLD, request, ierror)
        call MPI_BARRIER(MPI_COMM_WORLD, ierror)
        call MPI_RSEND(out, n - 1, MPI_INTEGER, right, tag, MPI_COMM_WORLD, ierror)
        call MPI_WAIT(request, status, ierror)
        call check_status(status, left, n - 1, 'MPI_RSEND')

        in = -1
        call MPI_SENDRECV(out, n, MPI_INTEGER, right, tag, in, n, MPI_INTEGER, left, tag, &
            MPI_COMM_WORLD, status, ierror)
        call check(all(in == left), 'MPI_SENDRECV')
        call check_status(status, left, n, 'the status of MPI_SENDRECV')
        in = rank
        call MPI_TYPE_VECTOR(n / 2, 1, 2, MPI_INTEGER, type, ierror)
        call MPI_TYPE_COMMIT(type, ierror)
        call MPI_SENDRECV_REPLACE(in, 1, type, right, tag, left, tag, MPI_COMM_WORLD, status, ierror)
        call check(all(in(1:n:2) == left) .and. all(in(2:n:2) == rank), 'MPI_SENDRECV_REPLACE')
        call check_status(status, left, n / 2, 'the status of MPI_SENDRECV_REPLACE')
        call MPI_TYPE_FREE(type, ierror)

        call MPI_GET_ADDRESS(in, address, ierror)
        call MPI_TYPE_CREATE_HINDEXED(1, [n], [address], MPI_INTEGER, type, ierror)
        call MPI_TYPE_COMMIT(type, ierror)
        in = rank
        call MPI_SENDRECV(out, n, MPI_INTEGER, right, tag, MPI_BOTTOM, 1, type, left, tag, &
            MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
        call check(all(in == left), 'MPI_SENDRECV to MPI_BOTTOM')
        in = merge(8, 0, rank == 0)
        call MPI_BCAST(MPI_BOTTOM, 1, type, 0, MPI_COMM_WORLD, ierror)
        call check(all(in == 8), 'MPI_BCAST at MPI_BOTTOM')
        call MPI_TYPE_FREE(type, ierror)

        call MPI_SEND(out, n, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, ierror)
        call MPI_RECV(in, n, MPI_INTEGER, MPI_PROC_NULL, tag, MPI_COMM_WORLD, status, ierror)
        call check(status(MPI_SOURCE) == MPI_PROC_NULL .and. status(MPI_TAG) == MPI_ANY_TAG, &
            'a message from nobody')
    end subroutine

    subroutine waits()
        integer :: out(2, 2), in(2, 2), requests(4), statuses(MPI_STATUS_SIZE, 4)
        integer :: status(MPI_STATUS_SIZE), indices(4), place, done, left_over
        out = rank
        call begin(out, in, requests)
        call MPI_WAITALL(4, requests, statuses, ierror)
        call check(all(requests == MPI_REQUEST_NULL) .and. all(in(:, 1:2) == left), 'MPI_WAITALL')
        call check_status(statuses(:, 2), left, 2, 'the statuses of MPI_WAITALL')
        call begin(out, in, requests)
        call MPI_WAITALL(4, requests, MPI_STATUSES_IGNORE, ierror)
        call check(all(requests == MPI_REQUEST_NULL), 'MPI_WAITALL without statuses')

        call begin(out, in, requests)
        do i = 1, 4
            call MPI_WAITANY(4, requests, place, status, ierror)
            call check(place >= 1 .and. place <= 4, 'the index of MPI_WAITANY')
            call check(requests(place) == MPI_REQUEST_NULL, 'MPI_WAITANY')
            if (place <= 2) call check_status(status, left, 2, 'the status of MPI_WAITANY')
        end do

        call begin(out, in, requests)
        left_over = 4
        do while (left_over > 0)
            call MPI_WAITSOME(4, requests, done, indices, statuses, ierror)
            call check(done >= 1 .and. done <= left_over, 'MPI_WAITSOME')
            do i = 1, done
                call check(requests(indices(i)) == MPI_REQUEST_NULL, 'the indices of MPI_WAITSOME')
                if (indices(i) <= 2) call check_status(statuses(:, i), left, 2, 'the statuses of MPI_WAITSOME')
            end do
            left_over = left_over - done
        end do
        call MPI_WAITSOME(4, requests, done, indices, statuses, ierror)
        call check(done == MPI_UNDEFINED, 'MPI_WAITSOME without requests')
    end subroutine

    ! Messages to the right and from the left: receives first.
    subroutine begin(out, in, requests)
        integer, intent(in) :: out(2, 2)
        integer, intent(out) :: in(2, 2), requests(4)
        in = -1
        do i = 1, 2
            call MPI_IRECV(in(1, i), 2, MPI_INTEGER, left, tag, MPI_COMM_WORLD, requests(i), ierror)
            call MPI_ISEND(out(1, i), 2, MPI_INTEGER, right, tag, MPI_COMM_WORLD, requests(i + 2), ierror)
        end do
    end subroutine

    subroutine to_and_from_root()
        integer :: mine(n), others(n, most), counts(most), places(most), root
        root = ranks - 1
        counts = n
        places = [(n * i, i=0, most - 1)]
        mine = merge(5, 0, rank == root)
        call MPI_BCAST(mine, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call check(all(mine == 5), 'MPI_BCAST')
        mine = rank
        others = -1
        call MPI_GATHER(mine, n, MPI_INTEGER, others, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call check(rank /= root .or. from_all(others), 'MPI_GATHER')
        others = -1
        call MPI_GATHERV(mine, n, MPI_INTEGER, others, counts, places, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call check(rank /= root .or. from_all(others), 'MPI_GATHERV')
        call MPI_SCATTER(others, n, MPI_INTEGER, mine, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call check(all(mine == rank), 'MPI_SCATTER')
        mine = -1
        call MPI_SCATTERV(others, counts, places, MPI_INTEGER, mine, n, MPI_INTEGER, root, MPI_COMM_WORLD, ierror)
        call check(all(mine == rank), 'MPI_SCATTERV')
    end subroutine

    logical function from_all(others)
        integer, intent(in) :: others(n, most)
        from_all = all([(all(others(:, i) == i - 1), i=1, ranks)])
    end function

    subroutine to_all()
        integer :: mine(n), out(n, most), in(n, most)
        integer :: counts(most), places(most), offsets(most), types(most)
        counts = n
        places = [(n * i, i=0, most - 1)]
        offsets = 4 * places
        types = MPI_INTEGER
        mine = rank
        out = rank
        in = -1
        call MPI_ALLGATHER(mine, n, MPI_INTEGER, in, n, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLGATHER')
        in = rank
        call MPI_ALLGATHER(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, n, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLGATHER in place')
        in = -1
        call MPI_ALLGATHERV(mine, n, MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLGATHERV')
        in = -1
        call MPI_ALLTOALL(out, n, MPI_INTEGER, in, n, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLTOALL')
        in = -1
        call MPI_ALLTOALLV(out, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLTOALLV')
        in = rank
        call MPI_ALLTOALLV(MPI_IN_PLACE, counts, places, MPI_INTEGER, in, counts, places, MPI_INTEGER, &
            MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLTOALLV in place')
        in = -1
        call MPI_ALLTOALLW(out, counts, offsets, types, in, counts, offsets, types, MPI_COMM_WORLD, ierror)
        call check(from_all(in), 'MPI_ALLTOALLW')
    end subroutine

    subroutine reductions()
        integer :: mine(n), result(n), parts(most)
        mine = rank + 1
        result = -1
        call MPI_REDUCE(mine, result, n, MPI_INTEGER, MPI_SUM, 0, MPI_COMM_WORLD, ierror)
        call check(all(result == merge(whole, -1, rank == 0)), 'MPI_REDUCE')
        call MPI_ALLREDUCE(mine, result, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(all(result == whole), 'MPI_ALLREDUCE')
        result = rank + 1
        call MPI_ALLREDUCE(MPI_IN_PLACE, result, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(all(result == whole), 'MPI_ALLREDUCE in place')
        call MPI_SCAN(mine, result, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(all(result == here), 'MPI_SCAN')
        call MPI_EXSCAN(mine, result, n, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(rank == 0 .or. all(result == here - rank - 1), 'MPI_EXSCAN')
        parts = 10
        result = -1
        call MPI_REDUCE_SCATTER(mine, result, parts, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(all(result(1:10) == whole) .and. result(11) == -1, 'MPI_REDUCE_SCATTER')
        result = -1
        call MPI_REDUCE_SCATTER_BLOCK(mine, result, 10, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
        call check(all(result(1:10) == whole) .and. result(11) == -1, 'MPI_REDUCE_SCATTER_BLOCK')
    end subroutine

    subroutine neighbours()
        integer :: ring, mine(2), out(2, 2), in(2, 2), counts(2), places(2)
        logical :: periodic(1)
        counts = 2
        places = [0, 2]
        periodic = .true.
        call MPI_CART_CREATE(MPI_COMM_WORLD, 1, [ranks], periodic, .false., ring, ierror)
        mine = rank
        out = rank
        in = -1
        call MPI_NEIGHBOR_ALLGATHER(mine, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, ierror)
        call check(all(in(:, 1) == left) .and. all(in(:, 2) == right), 'MPI_NEIGHBOR_ALLGATHER')
        in = -1
        call MPI_NEIGHBOR_ALLGATHERV(mine, 2, MPI_INTEGER, in, counts, places, MPI_INTEGER, ring, ierror)
        call check(all(in(:, 1) == left) .and. all(in(:, 2) == right), 'MPI_NEIGHBOR_ALLGATHERV')
        in = -1
        call MPI_NEIGHBOR_ALLTOALL(out, 2, MPI_INTEGER, in, 2, MPI_INTEGER, ring, ierror)
        call check(all(in(:, 1) == left) .and. all(in(:, 2) == right), 'MPI_NEIGHBOR_ALLTOALL')
        call MPI_COMM_FREE(ring, ierror)
    end subroutine

    subroutine errors()
        integer :: comm, value(2), code, class, message
        call MPI_COMM_DUP(MPI_COMM_WORLD, comm, ierror)
        call MPI_COMM_SET_ERRHANDLER(comm, MPI_ERRORS_RETURN, ierror)
        value = rank
        call MPI_REDUCE(value, message, 1, MPI_INTEGER, MPI_SUM, ranks, comm, code)
        call MPI_ERROR_CLASS(code, class, ierror)
        call check(class == MPI_ERR_ROOT, 'the error of a wrong root')
        call MPI_SENDRECV(value, 2, MPI_INTEGER, right, tag, message, 1, MPI_INTEGER, left, tag, comm, &
            MPI_STATUS_IGNORE, code)
        call MPI_ERROR_CLASS(code, class, ierror)
        call check(class == MPI_ERR_TRUNCATE, 'the error of a message that is too long')
        call MPI_COMM_FREE(comm, ierror)
    end subroutine
end program

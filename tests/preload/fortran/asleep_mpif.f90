! SPDX-License-Identifier: BSD-3-Clause
! The same as asleep.c for some calls that come from Fortran.
program asleep_mpif
    use, intrinsic :: iso_c_binding
    implicit none
    include 'mpif.h'
    interface
        function usleep(microseconds) bind(c)
            import c_int
            integer(c_int), value :: microseconds
            integer(c_int) :: usleep
        end function
    end interface
    integer, parameter :: late = 100000, tag = 4, sleeps = 30
    integer :: rank, value, total, request, ierror
    integer :: before
    logical :: failed

    failed = .false.
    call MPI_INIT(ierror)
    call MPI_COMM_RANK(MPI_COMM_WORLD, rank, ierror)
    value = 0

    call come()
    if (rank == 0) call MPI_SEND(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, ierror)
    if (rank == 1) call MPI_RECV(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, MPI_STATUS_IGNORE, ierror)
    call check('MPI_RECV')
    if (rank == 1) call MPI_IRECV(value, 1, MPI_INTEGER, 0, tag, MPI_COMM_WORLD, request, ierror)
    call come()
    if (rank == 0) call MPI_SEND(value, 1, MPI_INTEGER, 1, tag, MPI_COMM_WORLD, ierror)
    if (rank == 1) call MPI_WAIT(request, MPI_STATUS_IGNORE, ierror)
    call check('MPI_WAIT')
    call come()
    call MPI_BCAST(value, 1, MPI_INTEGER, 0, MPI_COMM_WORLD, ierror)
    call check('MPI_BCAST')
    call come()
    call MPI_ALLREDUCE(value, total, 1, MPI_INTEGER, MPI_SUM, MPI_COMM_WORLD, ierror)
    call check('MPI_ALLREDUCE')
    call come()
    call MPI_BARRIER(MPI_COMM_WORLD, ierror)
    call check('MPI_BARRIER')
    call MPI_FINALIZE(ierror)
    if (failed) stop 1

contains

    subroutine come()
        integer :: ignored
        call MPI_BARRIER(MPI_COMM_WORLD, ierror)
        if (rank == 0) ignored = usleep(late)
        before = count_sleeps()
    end subroutine

    ! How often this thread has given up the processor to wait for something.
    integer function count_sleeps()
        character(len=100) :: line
        integer :: unit, status
        count_sleeps = 0
        open (newunit=unit, file='/proc/thread-self/status', action='read')
        do
            read (unit, '(a)', iostat=status) line
            if (status /= 0) exit
            if (line(1:24) == 'voluntary_ctxt_switches:') read (line(25:), *) count_sleeps
        end do
        close (unit)
    end function

    subroutine check(what)
        character(len=*), intent(in) :: what
        if (rank == 0 .or. count_sleeps() - before >= sleeps) return
        failed = .true.
        write (0, '(2a)') what, ' does not sleep'
    end subroutine
end program

! Heat that spreads over a square, in pieces of a grid of ranks: reads sizes from a namelist,
! prints the time and that the heat is all there. For heat.yaml:
!   mpifort -O2 -o heat heat.f90
program heat
  use mpi
  implicit none
  integer :: n, steps, px, py, rank, ranks, error, step, nx, ny, i, j
  integer :: west, east, south, north, grid, column, coordinates(2)
  double precision :: begun, sum_here, sum_all, sum_after
  double precision, allocatable :: old(:, :), new(:, :)
  namelist /problem/ n, steps
  namelist /grid_of_ranks/ px, py

  call MPI_Init(error)
  call MPI_Comm_size(MPI_COMM_WORLD, ranks, error)
  open (10, file='heat.nml', status='old')
  read (10, nml=problem)
  read (10, nml=grid_of_ranks)
  close (10)
  if (px*py /= ranks) call MPI_Abort(MPI_COMM_WORLD, 1, error)
  call MPI_Cart_create(MPI_COMM_WORLD, 2, [px, py], [.true., .true.], .false., grid, error)
  call MPI_Comm_rank(grid, rank, error)
  call MPI_Cart_coords(grid, rank, 2, coordinates, error)
  call MPI_Cart_shift(grid, 0, 1, west, east, error)
  call MPI_Cart_shift(grid, 1, 1, south, north, error)
  nx = n/px + merge(1, 0, coordinates(1) < mod(n, px))
  ny = n/py + merge(1, 0, coordinates(2) < mod(n, py))
  allocate (old(0:nx + 1, 0:ny + 1), new(0:nx + 1, 0:ny + 1))
  old = 0
  old(1:nx, 1:ny) = rank + 1
  sum_here = sum(old(1:nx, 1:ny))
  call MPI_Allreduce(sum_here, sum_all, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid, error)
  call MPI_Type_vector(ny, 1, nx + 2, MPI_DOUBLE_PRECISION, column, error)
  call MPI_Type_commit(column, error)

  begun = MPI_Wtime()
  do step = 1, steps
    call MPI_Sendrecv(old(1, 1), 1, column, west, 0, old(nx + 1, 1), 1, column, east, 0, &
                      grid, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(old(nx, 1), 1, column, east, 1, old(0, 1), 1, column, west, 1, &
                      grid, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(old(1, 1), nx, MPI_DOUBLE_PRECISION, south, 2, old(1, ny + 1), nx, &
                      MPI_DOUBLE_PRECISION, north, 2, grid, MPI_STATUS_IGNORE, error)
    call MPI_Sendrecv(old(1, ny), nx, MPI_DOUBLE_PRECISION, north, 3, old(1, 0), nx, &
                      MPI_DOUBLE_PRECISION, south, 3, grid, MPI_STATUS_IGNORE, error)
    do j = 1, ny
      do i = 1, nx
        new(i, j) = old(i, j) + 0.2d0*(old(i - 1, j) + old(i + 1, j) + old(i, j - 1) &
                                       + old(i, j + 1) - 4*old(i, j))
      end do
    end do
    old(1:nx, 1:ny) = new(1:nx, 1:ny)
  end do
  begun = MPI_Wtime() - begun

  sum_here = sum(old(1:nx, 1:ny)) ! what flows out on one side comes in on the other
  call MPI_Allreduce(sum_here, sum_after, 1, MPI_DOUBLE_PRECISION, MPI_SUM, grid, error)
  if (abs(sum_after - sum_all) > 1d-6*sum_all) call MPI_Abort(MPI_COMM_WORLD, 2, error)
  if (rank == 0) print '(a, f12.6, a)', 'elapsed: ', begun, ' s'
  call MPI_Finalize(error)
end program heat

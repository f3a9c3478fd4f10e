;; guix build -f motley.scm, or guix install -f motley.scm

(use-modules (guix build-system meson)
             (guix download)
             (guix gexp)
             ((guix licenses)
              #:prefix license:)
             (guix packages)
             (gnu packages algebra)
             (gnu packages bash)
             (gnu packages check)
             (gnu packages libffi)
             (gnu packages linux)
             (gnu packages man)
             (gnu packages maths)
             (gnu packages mpi)
             (gnu packages pkg-config)
             (gnu packages popt)
             (gnu packages python)
             (gnu packages python-science)
             (gnu packages python-xyz)
             (gnu packages serialization)
             (gnu packages sqlite)
             (gnu packages web))

(package
  (name "motley")
  (version "0.1.0")
  (source
   (origin
     (method url-fetch)
     (uri (string-append "https://motley.example.org/motley-" version
                         ".tar.gz"))
     (sha256
      (base32 "0000000000000000000000000000000000000000000000000000"))))
  (build-system meson-build-system)
  (arguments
   (list
    #:configure-flags
    #~(list "-Dauto_features=enabled" "-Dexperiments=disabled"
            "-Dsimulator=disabled")
    #:test-options ''("--suite" "unit")))
  (native-inputs (list bats cmocka pkg-config scdoc))
  (inputs (list cminpack
                fftw
                hwloc
                jansson
                lapack
                libyaml
                openblas
                openmpi
                popt
                python
                python-cffi
                python-pandas
                sqlite
                `(,util-linux "lib"))) ;libsmartcols
  (home-page "https://motley.example.org")
  (synopsis "Run MPI programs fast on clusters of unequal nodes")
  (description
   "Motley measures an unmodified MPI program in a few small runs, fits run-time
models for each group of equal nodes, and finds the best configuration for any
problem size.")
  (license license:bsd-3))

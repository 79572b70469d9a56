"""What talus solve -o writes, to others: h5py reads it, Siconos' own error says that it is solved, its NSGS comes to the same impulses, and, where it is
installed, FCLIB reads it and agrees.   solve_siconos.py TALUS SOURCE_DIR      exit code 77: Siconos or h5py is not installed"""
import ctypes
import ctypes.util
import os
import subprocess
import sys
import tempfile

try:
    import h5py
    import numpy as np
    import siconos.numerics as numerics
    from scipy.sparse import csc_matrix
except ImportError as why:
    print("skipped:", why)
    sys.exit(77)


def write(path, W, q, mu):
    """By compressed columns."""
    W = csc_matrix(W)
    with h5py.File(path, "w") as f:
        for name, value in {"m": W.shape[0], "n": W.shape[1], "nz": -1, "nzmax": W.nnz}.items():
            f["fclib_local/W/" + name] = np.array([value], dtype=np.int32)
        f["fclib_local/W/p"], f["fclib_local/W/i"], f["fclib_local/W/x"] = W.indptr.astype(np.int32), W.indices.astype(np.int32), W.data
        f["fclib_local/spacedim"] = np.array([3], dtype=np.int32)
        f["fclib_local/vectors/q"], f["fclib_local/vectors/mu"] = q, mu


def read(path):
    with h5py.File(path) as f:
        p = f["fclib_local"]
        assert p["spacedim"][0] == 3 and p["W/nz"][0] == -1 and p["W/nzmax"][0] == len(p["W/x"])
        W = csc_matrix((p["W/x"][:], p["W/i"][:], p["W/p"][:]), shape=(p["W/m"][0], p["W/n"][0])).toarray()
        assert f["guesses/number_of_guesses"][0] == 1
        return W, p["vectors/q"][:], p["vectors/mu"][:], f["guesses/1/r"][:], f["guesses/1/u"][:]


def merit(path):
    """FCLIB's own opinion; None: it is not installed."""
    name = ctypes.util.find_library("fclib") or os.environ.get("FCLIB")
    if not name:
        return None
    fclib = ctypes.CDLL(name)
    fclib.fclib_read_local.restype = fclib.fclib_read_guesses.restype = ctypes.c_void_p
    fclib.fclib_merit_local.restype = ctypes.c_double
    count = ctypes.c_int()
    problem = fclib.fclib_read_local(path.encode())
    guess = fclib.fclib_read_guesses(path.encode(), ctypes.byref(count))
    assert problem and guess and count.value == 1
    return fclib.fclib_merit_local(ctypes.c_void_p(problem), 0, ctypes.c_void_p(guess))


talus = sys.argv[1]
random = np.random.default_rng(1)
with tempfile.TemporaryDirectory() as home:
    os.chdir(home)
    for contacts, friction in (1, 0.5), (8, 0.8), (30, 0.3):
        H = random.standard_normal((3 * contacts + 6, 3 * contacts)) * (random.random((3 * contacts + 6, 3 * contacts)) < 0.3)
        W, q, mu = H.T @ H + np.eye(3 * contacts), random.standard_normal(3 * contacts), np.full(contacts, friction)
        write("problem.hdf5", W, q, mu)
        subprocess.run([talus, "solve", "problem.hdf5", "-o", "solved.hdf5", "--tolerance", "1e-11"], check=True)
        W2, q2, mu2, r, u = read("solved.hdf5")
        assert np.allclose(W2, W, rtol=0, atol=1e-15) and (q2 == q).all() and (mu2 == mu).all()
        assert np.allclose(u, W @ r + q, atol=1e-12)

        problem = numerics.FrictionContactProblem(3, W, q, mu)
        options = numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)
        options.iparam[numerics.SICONOS_IPARAM_MAX_ITER], options.dparam[numerics.SICONOS_DPARAM_TOL] = 20000, 1e-11
        size = np.linalg.norm(q)
        _, ours = numerics.fc3d_compute_error(problem, r.copy(), u.copy(), 1e-11, options, size)
        r0, u0 = np.zeros_like(r), np.zeros_like(u)
        assert numerics.fc3d_driver(problem, r0, u0, options) == 0, "NSGS does not converge"
        _, theirs = numerics.fc3d_compute_error(problem, r0.copy(), u0.copy(), 1e-11, options, size)
        print(f"{contacts} contacts: Siconos' error of talus {ours:.1e}, of NSGS {theirs:.1e}; impulses differ by {abs(r - r0).max():.1e}")
        assert ours < 1e-9 and np.allclose(r, r0, rtol=0, atol=1e-8)
        say = merit(os.path.abspath("solved.hdf5"))
        print("FCLIB is not installed" if say is None else f"FCLIB's merit function: {say:.1e}")
        assert say is None or say < 1e-9

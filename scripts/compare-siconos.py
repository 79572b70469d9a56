"""`auto` beside Siconos' NSGS on contact problems in files of FCLIB: the time that each takes to one error, one thread.

    scripts/compare-siconos.py libtalus.so PROBLEM.hdf5...  [--tolerance E] [--time-limit T] [--json FILE]

The error is talus' (docs/solvers.md), computed here anew for both. NSGS gets W by sparse blocks and its defaults, and is timed twice: as one uses it, with
its own test of its error, whose tolerance is lowered until the error here is reached; and as nobody can, with the least number of iterations that does
(found by doubling, then halving) and no tests. Of each the median of several runs counts, without reading the file. Needs h5py, numpy, scipy and Siconos
(python3-siconos)."""
import argparse
import ctypes
import json
import os
import sys
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
import h5py
import numpy as np
import siconos.numerics as numerics
from scipy.sparse import coo_matrix, csc_matrix, csr_matrix

RUNS = 25


def read(path):
    """W by rows, q, mu; None: of another kind."""
    with h5py.File(path) as f:
        p = f["fclib_local"]
        if "V" in p or "R" in p or p["spacedim"][0] != 3:
            return None
        shape, nz = (int(p["W/m"][0]), int(p["W/n"][0])), int(p["W/nz"][0])
        P, i, x = p["W/p"][:], p["W/i"][:], p["W/x"][:]
        if nz >= 0:
            W = coo_matrix((x[:nz], (i[:nz], P[:nz])), shape=shape).tocsr()
        elif nz == -2:
            W = csr_matrix((x[: P[-1]], i[: P[-1]], P), shape=shape)
        else:
            W = csc_matrix((x[: P[-1]], i[: P[-1]], P), shape=shape).tocsr()
        W = ((W + W.T) / 2).tocsr()
        W.sort_indices()
        return W, p["vectors/q"][:], p["vectors/mu"][:]


def project(x, mu):
    """On the cones of impulses, ‖x_t‖ ≤ μ x_n."""
    n, t = x[:, 0], np.hypot(x[:, 1], x[:, 2])
    out = np.zeros_like(x)
    inside, polar = t <= mu * n, mu * t <= -n
    out[inside] = x[inside]
    side = ~inside & ~polar
    normal = (n[side] + mu[side] * t[side]) / (1 + mu[side] ** 2)
    out[side, 0] = normal
    out[side, 1:] = (mu[side] * normal / t[side])[:, None] * x[side, 1:]
    return out


def error(W, q, mu, impulses):
    I, u = impulses.reshape(-1, 3), (W @ impulses + q).reshape(-1, 3).copy()
    rho = 3 / W.diagonal().reshape(-1, 3).sum(axis=1)
    u[:, 0] += mu * np.hypot(u[:, 1], u[:, 2])
    size = np.linalg.norm(q)
    return np.linalg.norm((I - project(I - rho[:, None] * u, mu)) / rho[:, None]) / (size if size > 0 else 1)


class Nsgs:
    def __init__(self, W, q, mu):
        self.size, self.kept = len(q), (W, q, mu)
        columns = csc_matrix(W)
        columns.indices, columns.indptr = columns.indices.astype(np.int64), columns.indptr.astype(np.int64)
        _, self.blocks = numerics.SBM_from_csparse(3, columns)
        self.problem = numerics.FrictionContactProblem(3, self.blocks, q, mu)
        self.options = numerics.SolverOptions(numerics.SICONOS_FRICTION_3D_NSGS)

    def run(self, iterations, tolerance=1e-300):
        self.options.dparam[numerics.SICONOS_DPARAM_TOL] = tolerance
        self.options.iparam[numerics.SICONOS_IPARAM_MAX_ITER] = iterations
        impulses, velocities = np.zeros(self.size), np.zeros(self.size)
        begin = time.perf_counter()
        numerics.fc3d_driver(self.problem, impulses, velocities, self.options)
        return time.perf_counter() - begin, impulses

    def median(self, limit, *how):
        """Of several runs, fewer where they are long."""
        times = []
        while len(times) < RUNS and sum(times) < limit:
            times.append(self.run(*how)[0])
        return float(np.median(times))

    def time_of_use(self, tolerance, limit):
        """Seconds with its own test; None where that never is enough."""
        for exponent in range(0, 13):
            its_own = tolerance * 10 ** (-0.5 * exponent)
            took, impulses = self.run(100000, its_own)
            if error(*self.kept, impulses) <= tolerance:
                return self.median(limit, 100000, its_own)
            if took > limit:
                break
        return None

    def least_time(self, tolerance, limit):
        """Iterations and seconds; None where the limit comes first."""

        def enough(iterations):
            took, impulses = self.run(iterations)
            return took, error(*self.kept, impulses) <= tolerance

        low, high = 0, 1
        while True:
            took, there = enough(high)
            if there:
                break
            if took > limit:
                return None
            low, high = high, 2 * high
        while high - low > max(1, high // 16):
            middle = (low + high) // 2
            if enough(middle)[1]:
                high = middle
            else:
                low = middle
        return high, self.median(limit, high)


class Settings(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("solver", ctypes.c_char_p), ("tolerance", ctypes.c_double), ("max_iterations", ctypes.c_int),
                ("time_limit", ctypes.c_double)]


class Report(ctypes.Structure):
    _fields_ = [("solver", ctypes.c_char_p), ("iterations", ctypes.c_int), ("error", ctypes.c_double), ("seconds", ctypes.c_double), ("converged", ctypes.c_int),
                ("course", ctypes.c_char * 200)]


class Definition(ctypes.Structure):
    _fields_ = [("struct_size", ctypes.c_uint32), ("dimension", ctypes.c_int), ("contacts", ctypes.c_int), ("row", ctypes.c_void_p), ("column", ctypes.c_void_p),
                ("block", ctypes.c_void_p), ("q", ctypes.c_void_p), ("friction", ctypes.c_void_p), ("impulse", ctypes.c_void_p), ("convex", ctypes.c_int)]


def ours(library, case, tolerance, limit):
    """Seconds, what it did, the error found here."""
    W, q, mu = case
    blocks = W.tobsr((3, 3))
    row, column, block = blocks.indptr.astype(np.int32), blocks.indices.astype(np.int32), np.ascontiguousarray(blocks.data)
    definition, settings, report = library.talus_problem_def_default(), library.talus_problem_settings_default(), Report()
    definition.contacts, definition.row, definition.column, definition.block = len(mu), row.ctypes.data, column.ctypes.data, block.ctypes.data
    definition.q, definition.friction = q.ctypes.data, mu.ctypes.data
    settings.tolerance, settings.time_limit = tolerance, limit
    problem, why, times = ctypes.c_void_p(), ctypes.create_string_buffer(500), []
    while len(times) < RUNS and sum(times) < limit:
        if library.talus_problem_create(ctypes.byref(definition), ctypes.byref(problem), why, 500) != 0:
            sys.exit(why.value.decode())
        if library.talus_problem_solve(problem, ctypes.byref(settings), ctypes.byref(report), why, 500) != 0:
            sys.exit(why.value.decode())
        times.append(report.seconds)
        impulses = np.ctypeslib.as_array(ctypes.cast(library.talus_problem_get(problem).impulse, ctypes.POINTER(ctypes.c_double)), (len(q),)).copy()
        library.talus_problem_destroy(problem)
    return float(np.median(times)), report.course.decode(), error(*case, impulses)


def open_library(path):
    library = ctypes.CDLL(path)
    library.talus_problem_settings_default.restype = Settings
    library.talus_problem_def_default.restype = library.talus_problem_get.restype = Definition
    library.talus_problem_get.argtypes = library.talus_problem_destroy.argtypes = [ctypes.c_void_p]
    return library


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("library", type=open_library)
    parser.add_argument("problems", nargs="+")
    parser.add_argument("--tolerance", type=float, default=1e-4)
    parser.add_argument("--time-limit", type=float, default=30)
    parser.add_argument("--json")
    arguments = parser.parse_args()
    rows = []
    print(f"{'problem':50} {'contacts':>8} {'NSGS ms':>9} {'at least':>9} {'iterations':>10} {'talus ms':>9} {'ratio':>7} {'at least':>8}")
    for path in arguments.problems:
        case = read(path)
        if case is None:
            print(f"{os.path.basename(path):50} of another kind")
            continue
        nsgs = Nsgs(*case)
        least = nsgs.least_time(arguments.tolerance, arguments.time_limit)
        used = nsgs.time_of_use(arguments.tolerance, arguments.time_limit) if least else None
        seconds, course, e = ours(arguments.library, case, arguments.tolerance, arguments.time_limit)
        row = {"problem": os.path.basename(path), "contacts": len(case[2]), "iterations": least and least[0], "nsgs": used, "nsgs_least": least and least[1],
               "talus": seconds, "course": course, "error": e, "solved": bool(e <= arguments.tolerance * (1 + 1e-6))}
        rows.append(row)

        def shown(value, width, scale=1):
            return f"{value * scale:{width}.4g}" if value is not None else f"{'-':>{width}}"

        ratio, floor = (row[k] / seconds if row[k] and row["solved"] else None for k in ("nsgs", "nsgs_least"))
        print(f"{row['problem']:50} {row['contacts']:8d} {shown(used, 9, 1e3)} {shown(row['nsgs_least'], 9, 1e3)} {shown(row['iterations'], 10)} "
              f"{shown(seconds, 9, 1e3)} {shown(ratio, 7)} {shown(floor, 8)}  {course}{'' if row['solved'] else '  not solved'}", flush=True)
    print(f"{len(rows)} problems: talus solves {sum(r['solved'] for r in rows)}, NSGS {sum(r['nsgs_least'] is not None for r in rows)}")
    for key, what in ("nsgs", "as it is used"), ("nsgs_least", "with the least iterations that do, untested"):
        ratios = sorted(r[key] / r["talus"] for r in rows if r[key] and r["solved"])
        print(f"NSGS {what}: {np.median(ratios):.2f} times as long in the median of {len(ratios)}, {ratios[0]:.2f} to {ratios[-1]:.2f}")
    if arguments.json:
        with open(arguments.json, "w") as f:
            json.dump(rows, f, indent=1)
    return 0


sys.exit(main())

/* Contact problems as files of FCLIB, the open collection of friction contact problems (V. Acary, M. Brémond, T. Koziara, F. Pérignon, "FCLIB: a collection of
 * discrete 3D frictional contact problems", Inria RT-444, 2014): HDF5, which FCLIB, Siconos and others read and write. Part of libtalus_io.
 *
 *     fclib_local    spacedim, W, vectors/q, vectors/mu                  u = W r + q
 *                    and, with bilateral constraints, V, R, vectors/s    u = W r + V λ + q,  Vᵀ r + R λ + s = 0
 *     fclib_global   spacedim, M, H, vectors/f, vectors/w, vectors/mu    M v = H r + f,  u = Hᵀ v + w
 *                    and, with bilateral constraints, G, vectors/b       M v = H r + G λ + f,  Gᵀ v + b = 0
 *
 * with the law of talus/problem.h, components in its order: normal, then tangents. r: impulses; units are the file's.
 */
#ifndef TALUS_FCLIB_H
#define TALUS_FCLIB_H

#include "talus/problem.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Reads a local problem, or a global one, which is condensed by a factorization of M, block by block: W = Hᵀ M⁻¹ H, q = Hᵀ M⁻¹ f + w. Bilateral constraints are
 * eliminated: W − V R⁻¹ Vᵀ, q − V R⁻¹ s; of a global problem V = Hᵀ M⁻¹ G, R = Gᵀ M⁻¹ G. Those that depend on others are left out. Matrices by entries (i:
 * rows, p: columns), by compressed columns or rows; entries of the same place are added. The impulses of the first guess, if the file has any, are those of the
 * problem. IO: no such file, not HDF5, what cannot be read; INPUT: a dataset is missing or says something impossible, constraints contradict each other;
 * UNSUPPORTED: an R of more than 6000 rows, an M with more than 3.6e7 numbers between its diagonal and the first entries of its rows; SINGULAR: M is not
 * positive definite; MEMORY. The text, with file and dataset, is in `message`; *out is then NULL. */
TALUS_API TALUS_NODISCARD talus_status talus_fclib_load(const char *path, talus_problem **out, char *message, size_t size);

/* Writes it as a local problem, the symmetric part of W by compressed columns, with the present impulses and their velocities as its only guess. title: a line
 * about it; NULL: none. A file of that name is replaced once all is written. IO; UNSUPPORTED: more than 2³⁰ entries; MEMORY. */
TALUS_API TALUS_NODISCARD talus_status talus_fclib_save(const talus_problem *problem, const char *path, const char *title, char *message, size_t size);

/* Writes a global problem, with its impulses and velocities as its only guess. Alike. INPUT: it has no contacts. */
TALUS_API TALUS_NODISCARD talus_status talus_fclib_save_global(const talus_global_problem *problem, const char *path, const char *title, char *message,
                                                               size_t size);

#ifdef __cplusplus
}
#endif
#endif

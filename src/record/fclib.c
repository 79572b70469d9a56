/* Reading files of FCLIB (talus/fclib.h). Whatever a file says is measured against what it holds before memory is asked for. */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "record/record.h"
#include "record/fclib_matrix.h"
#include "talus/fclib.h"

/* ---- reading ----------------------------------------------------------------------------------------------------------- */

typedef struct source {
    hid_t file;
    const char *path, *group; /* of the problem */
    tl_error *error;
} source;

/* A group's or dataset's name from the root on; each group on the way may be missing. */
static bool has(hid_t file, const char *name)
{
    char part[128];
    for (const char *end = name; *end;) {
        end = strchr(end + 1, '/') ? strchr(end + 1, '/') : name + strlen(name);
        snprintf(part, sizeof part, "%.*s", (int)(end - name), name);
        if (H5Lexists(file, part, H5P_DEFAULT) <= 0) return false;
    }
    return true;
}

/* The numbers that an open dataset holds: −1 of another kind or shape; −2 more than can be in the file, however well packed. */
static int64_t numbers_of(hid_t set, bool whole)
{
    hsize_t shape[H5S_MAX_RANK] = {0};
    const hid_t type = H5Dget_type(set), space = H5Dget_space(set);
    const H5T_class_t class = H5Tget_class(type);
    const int rank = H5Sget_simple_extent_ndims(space);
    double count = H5Sget_simple_extent_type(space) == H5S_NULL ? 0 : 1;
    H5Sget_simple_extent_dims(space, shape, NULL);
    for (int i = 0; i < rank; i++) count *= (double)shape[i];
    H5Tclose(type);
    H5Sclose(space);
    if (rank < 0 || rank > 3 || (class != H5T_INTEGER && (whole || class != H5T_FLOAT))) return -1;
    return count > INT_MAX || !tl_h5_is_credible(set) ? -2 : (int64_t)count;
}

/* A dataset of least … most numbers; NULL with an error. */
static void *read_set(const source *s, const char *name, bool whole, int64_t least, int64_t most)
{
    char full[128];
    hsize_t shape[3];
    snprintf(full, sizeof full, "%s/%s", s->group, name);
    const hid_t set = H5Dopen2(s->file, full, H5P_DEFAULT);
    if (set < 0) {
        (void)tl_fail(s->error, TALUS_INPUT, "'%s' has no dataset '%s'", s->path, full);
        return NULL;
    }
    const int64_t count = numbers_of(set, whole);
    H5Dclose(set);
    if (count == -1) (void)tl_fail(s->error, TALUS_INPUT, "'%s': '%s' is not an array of %s", s->path, full, whole ? "integers" : "numbers");
    else if (count == -2) (void)tl_fail(s->error, TALUS_INPUT, "'%s': '%s' says that it is larger than the file can hold", s->path, full);
    else if (count < least || count > most)
        (void)tl_fail(s->error, TALUS_INPUT, "'%s': '%s' has %lld numbers instead of %s%lld", s->path, full, (long long)count, most > least ? "at least " : "",
                      (long long)least);
    if (count < least || count > most) return NULL;
    void *data = whole ? tl_h5_read(s->file, full, H5T_NATIVE_INT, shape) : tl_h5_read(s->file, full, H5T_NATIVE_DOUBLE, shape);
    if (!data) (void)tl_fail(s->error, TALUS_IO, "'%s': '%s' cannot be read: it is damaged, or memory ran out", s->path, full);
    for (int64_t i = 0; data && !whole && i < count; i++)
        if (!isfinite(((double *)data)[i])) {
            (void)tl_fail(s->error, TALUS_INPUT, "'%s': number %lld (from 0) of '%s' is not finite", s->path, (long long)i, full);
            free(data);
            return NULL;
        }
    return data;
}

/* After read_set came back with nothing. */
static talus_status why(const source *s) { return s->error->status != TALUS_OK ? s->error->status : TALUS_IO; }

static talus_status read_int(const source *s, const char *group, const char *name, int *out)
{
    char full[64];
    snprintf(full, sizeof full, "%s%s%s", group, *group ? "/" : "", name);
    int *data = read_set(s, full, true, 1, 1);
    if (!data) return why(s);
    *out = *data;
    free(data);
    return TALUS_OK;
}

static talus_status read_vector(const source *s, const char *name, int count, double **out)
{
    *out = read_set(s, name, false, count, count);
    return *out ? TALUS_OK : why(s);
}

/* ---- matrices ---------------------------------------------------------------------------------------------------------- */

static talus_status check_indices(const source *s, const char *matrix, const char *set, const int *index, int count, int limit)
{
    for (int i = 0; i < count; i++)
        if (index[i] < 0 || index[i] >= limit)
            return tl_fail(s->error, TALUS_INPUT, "'%s': number %d (from 0) of '%s/%s/%s' is %d, which is not in 0 ... %d", s->path, i, s->group, matrix, set,
                           index[i], limit - 1);
    return TALUS_OK;
}

static talus_status check_pointers(const source *s, const char *matrix, const int *pointer, int lines)
{
    bool fine = pointer[0] == 0;
    for (int i = 0; i < lines; i++) fine = fine && pointer[i] <= pointer[i + 1];
    if (fine) return TALUS_OK;
    return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/%s/p' does not ascend from 0", s->path, s->group, matrix);
}

/* p and i as the file has them; i, and of entries p, go into the matrix. */
static talus_status read_entries(const source *s, const char *name, int kind, tl_fclib_matrix *out)
{
    char set[3][32];
    for (int k = 0; k < 3; k++) snprintf(set[k], sizeof set[k], "%s/%c", name, "pix"[k]);
    const bool entries = kind >= 0;
    const int lines = kind == -2 ? out->rows : out->columns;
    int **const across = kind == -2 ? &out->row : &out->column, **const along = kind == -2 ? &out->column : &out->row;
    int *p = read_set(s, set[0], true, entries ? kind : (int64_t)lines + 1, entries ? INT_MAX : (int64_t)lines + 1);
    if (!p) return why(s);
    talus_status status = entries ? check_indices(s, name, "p", p, kind, lines) : check_pointers(s, name, p, lines);
    if (status == TALUS_OK) {
        out->count = entries ? kind : p[lines];
        *along = read_set(s, set[1], true, out->count, INT_MAX);
        if (*along) out->value = read_set(s, set[2], false, out->count, INT_MAX);
        if (!*along || !out->value) status = why(s);
    }
    if (status == TALUS_OK) status = check_indices(s, name, "i", *along, out->count, kind == -2 ? out->columns : out->rows);
    if (status == TALUS_OK && entries) {
        *across = p;
        return status;
    }
    if (status == TALUS_OK && !(*across = malloc(((size_t)out->count + 1) * sizeof **across))) status = tl_fclib_no_memory(s->error);
    for (int line = 0; status == TALUS_OK && line < lines; line++)
        for (int k = p[line]; k < p[line + 1]; k++) (*across)[k] = line;
    free(p);
    return status;
}

static talus_status read_matrix(const source *s, const char *name, tl_fclib_matrix *out)
{
    int kind = 0;
    *out = (tl_fclib_matrix){0};
    TL_TRY(read_int(s, name, "m", &out->rows));
    TL_TRY(read_int(s, name, "n", &out->columns));
    TL_TRY(read_int(s, name, "nz", &kind));
    if (out->rows < 1 || out->columns < 1)
        return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/%s' is a matrix of %d x %d", s->path, s->group, name, out->rows, out->columns);
    if (kind < -2)
        return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/%s/nz' is %d: neither a number of entries, nor -1 or -2 for compressed columns or rows", s->path,
                       s->group, name, kind);
    const talus_status status = read_entries(s, name, kind, out);
    if (status != TALUS_OK) tl_fclib_free(out);
    return status;
}

/* Bilateral constraints, of which `name` is a matrix with a column for each; it may be missing. */
static talus_status count_constraints(const source *s, const char *name, int *count)
{
    char full[64];
    *count = 0;
    snprintf(full, sizeof full, "%s/%s", s->group, name);
    return has(s->file, full) ? read_int(s, name, "n", count) : TALUS_OK;
}

/* ---- problems ---------------------------------------------------------------------------------------------------------- */

/* As read: W, q, friction; impulse NULL without a guess. */
typedef struct local {
    int dimension;
    tl_fclib_matrix W;
    double *q, *friction, *impulse;
} local;

static void local_free(local *p)
{
    tl_fclib_free(&p->W);
    free(p->q);
    free(p->friction);
    free(p->impulse);
}

static talus_status check_size(const source *s, const char *what, int size, int dimension)
{
    if (size % dimension == 0) return TALUS_OK;
    return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/%s' is %d, no multiple of spacedim = %d", s->path, s->group, what, size, dimension);
}

static talus_status check_square(const source *s, const char *name, const tl_fclib_matrix *A)
{
    if (A->rows == A->columns) return TALUS_OK;
    return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/%s' is not square, but %d x %d", s->path, s->group, name, A->rows, A->columns);
}

/* Each constraint may know all others. */
static talus_status check_constraints(const source *s, const char *name, const char *lines, int count)
{
    enum { MOST = 6000 };
    if (count <= MOST) return TALUS_OK;
    return tl_fail(s->error, TALUS_UNSUPPORTED, "'%s': '%s/%s' has %d %s; more than %d are not eliminated here", s->path, s->group, name, count, lines, MOST);
}

static talus_status in_file(const source *s, talus_status status, const tl_error *reason)
{
    return status == TALUS_OK ? status : tl_fail(s->error, status, "'%s': '%s': %.900s", s->path, s->group, reason->text);
}

/* q becomes [q; more]. */
static talus_status append_vector(const source *s, const char *name, int count, int more, double **q)
{
    double *vector;
    if (count > INT_MAX - more) return tl_fail(s->error, TALUS_UNSUPPORTED, "'%s': '%s' has more than 2^31 rows", s->path, s->group);
    TL_TRY(read_vector(s, name, more, &vector));
    double *longer = realloc(*q, ((size_t)count + (size_t)more) * sizeof *longer);
    if (!longer) {
        free(vector);
        return tl_fclib_no_memory(s->error);
    }
    *q = longer;
    memcpy(*q + count, vector, (size_t)more * sizeof *vector);
    free(vector);
    return TALUS_OK;
}

/* W and q without the constraints behind the first `kept`. */
static talus_status eliminate(const source *s, int kept, local *p)
{
    tl_error reason = {0};
    return in_file(s, tl_fclib_eliminate(&p->W, kept, p->q, &reason), &reason);
}

/* Vᵀ r + R λ + s = 0, u = W r + V λ + q. */
static talus_status join_constraints(const source *s, const tl_fclib_matrix *V, const tl_fclib_matrix *R, local *p)
{
    const int kept = p->W.rows;
    tl_error reason = {0};
    TL_TRY(check_square(s, "R", R));
    TL_TRY(check_constraints(s, "R", "rows", R->rows));
    if (V->rows != kept || V->columns != R->rows)
        return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/V' is %d x %d instead of %d x %d", s->path, s->group, V->rows, V->columns, kept, R->rows);
    TL_TRY(append_vector(s, "vectors/s", kept, R->rows, &p->q));
    TL_TRY(in_file(s, tl_fclib_add(&p->W, V, 0, kept, &reason), &reason));
    TL_TRY(in_file(s, tl_fclib_add(&p->W, R, kept, kept, &reason), &reason));
    p->W.rows = p->W.columns = kept + R->rows;
    return eliminate(s, kept, p);
}

static talus_status read_local(const source *s, local *p)
{
    int constraints = 0, others = 0;
    TL_TRY(count_constraints(s, "V", &constraints));
    TL_TRY(count_constraints(s, "R", &others));
    TL_TRY(read_matrix(s, "W", &p->W));
    TL_TRY(check_square(s, "W", &p->W));
    TL_TRY(check_size(s, "W/m", p->W.rows, p->dimension));
    TL_TRY(read_vector(s, "vectors/q", p->W.rows, &p->q));
    if (constraints == 0 && others == 0) return TALUS_OK;
    tl_fclib_matrix V, R;
    TL_TRY(read_matrix(s, "V", &V));
    talus_status status = read_matrix(s, "R", &R);
    if (status == TALUS_OK) {
        status = join_constraints(s, &V, &R, p);
        tl_fclib_free(&R);
    }
    tl_fclib_free(&V);
    return status;
}

static talus_status check_global(const source *s, const tl_fclib_matrix *M, const tl_fclib_matrix *H, int dimension)
{
    TL_TRY(check_square(s, "M", M));
    if (M->rows != H->rows) return tl_fail(s->error, TALUS_INPUT, "'%s': '%s': M has %d rows, H has %d", s->path, s->group, M->rows, H->rows);
    return check_size(s, "H/n", H->columns, dimension);
}

/* Gᵀ v + b = 0, M v = H r + G λ + f: G is more of H, and b of w. */
static talus_status add_constraints(const source *s, tl_fclib_matrix *H, local *p)
{
    tl_fclib_matrix G;
    tl_error reason = {0};
    TL_TRY(read_matrix(s, "G", &G));
    talus_status status = check_constraints(s, "G", "columns", G.columns);
    if (status == TALUS_OK && G.rows != H->rows)
        status = tl_fail(s->error, TALUS_INPUT, "'%s': '%s': H has %d rows, G has %d", s->path, s->group, H->rows, G.rows);
    if (status == TALUS_OK) status = append_vector(s, "vectors/b", H->columns, G.columns, &p->q);
    if (status == TALUS_OK) status = in_file(s, tl_fclib_add(H, &G, 0, H->columns, &reason), &reason);
    if (status == TALUS_OK) H->columns += G.columns;
    tl_fclib_free(&G);
    return status;
}

static talus_status condense(const source *s, const tl_fclib_matrix *M, tl_fclib_matrix *H, local *p)
{
    const int kept = H->columns;
    int constraints = 0;
    double *f;
    tl_error reason = {0};
    TL_TRY(check_global(s, M, H, p->dimension));
    TL_TRY(count_constraints(s, "G", &constraints));
    TL_TRY(read_vector(s, "vectors/w", H->columns, &p->q));
    if (constraints != 0) TL_TRY(add_constraints(s, H, p));
    TL_TRY(read_vector(s, "vectors/f", M->rows, &f));
    const talus_status status = tl_fclib_condense(M, H, f, p->q, &p->W, &reason);
    free(f);
    TL_TRY(in_file(s, status, &reason));
    return constraints != 0 ? eliminate(s, kept, p) : TALUS_OK;
}

static talus_status read_global(const source *s, local *p)
{
    tl_fclib_matrix M, H;
    TL_TRY(read_matrix(s, "M", &M));
    talus_status status = read_matrix(s, "H", &H);
    if (status == TALUS_OK) {
        status = condense(s, &M, &H, p);
        tl_fclib_free(&H);
    }
    tl_fclib_free(&M);
    return status;
}

static talus_status read_problem(source *s, local *p)
{
    const bool is_local = has(s->file, "fclib_local");
    if (!is_local && !has(s->file, "fclib_global"))
        return tl_fail(s->error, TALUS_INPUT, "'%s' has neither a group 'fclib_local' nor 'fclib_global': it is no contact problem", s->path);
    s->group = is_local ? "fclib_local" : "fclib_global";
    TL_TRY(read_int(s, "", "spacedim", &p->dimension));
    if (p->dimension != 2 && p->dimension != 3) return tl_fail(s->error, TALUS_INPUT, "'%s': '%s/spacedim' is %d, not 2 or 3", s->path, s->group, p->dimension);
    TL_TRY(is_local ? read_local(s, p) : read_global(s, p));
    TL_TRY(read_vector(s, "vectors/mu", p->W.rows / p->dimension, &p->friction));
    if (!has(s->file, "guesses/1/r")) return TALUS_OK;
    s->group = "guesses";
    return read_vector(s, "1/r", p->W.rows, &p->impulse);
}

static talus_status create(const source *s, const local *p, talus_problem **out)
{
    tl_fclib_rows blocks;
    char text[TL_ERROR_TEXT] = "";
    TL_TRY(tl_fclib_blocks(&p->W, p->dimension, &blocks, s->error));
    talus_problem_def def = talus_problem_def_default();
    def.dimension = p->dimension;
    def.contacts = p->W.rows / p->dimension;
    def.row = blocks.row, def.column = blocks.column, def.block = blocks.block;
    def.q = p->q, def.friction = p->friction, def.impulse = p->impulse;
    const talus_status status = talus_problem_create(&def, out, text, sizeof text);
    tl_fclib_rows_free(&blocks);
    return status == TALUS_OK ? status : tl_fail(s->error, status, "'%s': %.900s", s->path, text);
}

talus_status talus_fclib_load(const char *path, talus_problem **out, char *message, size_t size)
{
    tl_error error = {0};
    local p = {.dimension = 3};
    if (!path || !out) return TALUS_INPUT;
    *out = NULL;
    source s = {.path = path, .error = &error};
    talus_status status = access(path, R_OK) == 0 ? TALUS_OK : tl_fail(&error, TALUS_IO, "cannot open '%s': %s", path, strerror(errno));
    if (status == TALUS_OK) status = (s.file = tl_h5_open(path, &error)) < 0 ? TALUS_IO : TALUS_OK;
    if (status == TALUS_OK) {
        status = read_problem(&s, &p);
        H5Fclose(s.file);
    }
    if (status == TALUS_OK) status = create(&s, &p, out);
    local_free(&p);
    if (message && size > 0) snprintf(message, size, "%s", status == TALUS_OK ? "" : error.text);
    return status;
}

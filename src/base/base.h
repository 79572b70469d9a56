/* The ground floor: errors with text, memory, the step arena, threads, hashing, random numbers.
 *
 * Everything here is plain data. Nothing here knows mechanics.
 */
#ifndef TL_BASE_H
#define TL_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "talus/status.h"

/* ---- errors ------------------------------------------------------------------------------------------------------ */

enum { TL_ERROR_TEXT = 1024 };

/* Text of the last failure: names the thing (body, joint, loop, file:line:column), the time, and what to try. */
typedef struct tl_error {
    talus_status status;
    char text[TL_ERROR_TEXT];
} tl_error;

/* Record a failure (printf style) and return its status. `error` may be NULL. */
__attribute__((format(printf, 3, 4))) talus_status tl_fail(tl_error *error, talus_status status, const char *format, ...);

/* Propagate a failure. */
#define TL_TRY(call)                                                                                                                                           \
    do {                                                                                                                                                       \
        const talus_status tl_try_status_ = (call);                                                                                                            \
        if (tl_try_status_ != TALUS_OK) return tl_try_status_;                                                                                                 \
    } while (0)

/* A programmer's error: reported and fatal in every build that is tested, free in Release. */
#include <assert.h>

/* ---- memory ------------------------------------------------------------------------------------------------------ */

/* realloc-like: size 0 frees, pointer NULL allocates. Returns NULL on failure (the old block stays valid). */
typedef void *tl_realloc_fn(void *context, void *pointer, size_t size);

typedef struct tl_memory {
    tl_realloc_fn *realloc;
    void *context;
} tl_memory;

tl_memory tl_memory_default(void);

/* Zeroed block of count × size bytes, or NULL; overflow-safe. */
void *tl_alloc(tl_memory memory, size_t count, size_t size);
void tl_free(tl_memory memory, void *pointer);

/* Grow *pointer (an array of elements of `size` bytes, capacity *capacity) to hold at least `need` elements.
 * New elements are zero. Returns TALUS_MEMORY and leaves the array as it was on failure. */
TALUS_NODISCARD talus_status tl_grow(tl_memory memory, void *pointer_to_array, int *capacity, int need, size_t size);

/* The same by a sixteenth more than is asked for, of an array that is large and whose size changes little from step to step; what is new has any values. */
TALUS_NODISCARD talus_status tl_grow_little(tl_memory memory, void *pointer_to_array, int *capacity, int need, size_t size);

/* An array that will not grow any more gives back what it does not use beyond `count` elements. MEMORY: it stays as it was. */
TALUS_NODISCARD talus_status tl_fit(tl_memory memory, void *pointer_to_array, int *capacity, int count, size_t size);

/* As tl_grow_little for what need not be kept: the new array begins with a line of the cache. `block` is what is to be freed. MEMORY: there is none. */
TALUS_NODISCARD talus_status tl_grow_lines(tl_memory memory, void **block, void *pointer_to_array, int *capacity, int need, size_t size);

/* Copy of a string (NULL on failure). */
char *tl_strdup(tl_memory memory, const char *text);

enum { TL_LINE = 64 }; /* of the cache, bytes */
/* Fetches what will be read soon. */
static inline void tl_fetch(const void *from, size_t bytes)
{
    for (size_t at = 0; at < bytes; at += TL_LINE) __builtin_prefetch((const char *)from + at);
}

/* One bump allocator per step. A request that does not fit spills to the heap; the next reset grows the block, so a
 * warmed-up step does not allocate. Blocks are 64-byte aligned. */
typedef struct tl_arena tl_arena;
tl_arena *tl_arena_create(tl_memory memory, size_t bytes);
void tl_arena_destroy(tl_arena *arena);
void tl_arena_reset(tl_arena *arena);
void *tl_arena_alloc(tl_arena *arena, size_t count, size_t size); /* not cleared; NULL when memory ran out */
void *tl_arena_zero(tl_arena *arena, size_t count, size_t size);  /* cleared */
/* What is made again and again between two resets, each time instead of the last one, takes the room of the last one where that is large enough. It is made
 * a thirty-second larger than is asked for; not cleared; NULL when memory ran out. `room` is zero after a reset. */
typedef struct tl_arena_room {
    void *block;
    size_t bytes;
} tl_arena_room;
void *tl_arena_reuse(tl_arena *arena, tl_arena_room *room, size_t bytes);
size_t tl_arena_used(const tl_arena *arena);
size_t tl_arena_bytes(const tl_arena *arena);
/* Give back everything allocated after the mark. */
typedef struct tl_arena_place {
    size_t used, wanted;
    const void *spill; /* the last one */
} tl_arena_place;
tl_arena_place tl_arena_mark(const tl_arena *arena);
void tl_arena_release(tl_arena *arena, tl_arena_place mark);

/* ---- threads ----------------------------------------------------------------------------------------------------- */

/* A fixed pool, for loops over indices. What is computed cannot depend on the number of threads as long as each index writes its own slot. A function gets
 * ranges of indices, contiguous ones: a block for each thread; of an uneven loop a thread gets several, and which ones, time decides. */
typedef struct tl_threads tl_threads;
typedef void tl_range_fn(void *context, int begin, int end, int worker);

tl_threads *tl_threads_create(tl_memory memory, int count); /* count ≥ 1; NULL when memory or threads ran out */
void tl_threads_destroy(tl_threads *threads);
int tl_threads_count(const tl_threads *threads);
/* Cores that this process may use, at least one; and of these those that a run gets where nobody says how many: beyond eight nobody has measured. */
int tl_cores(void);
int tl_usual_threads(void);
/* From now on all threads, whether they pay or not: for tests of what threads may do to results. */
void tl_threads_always(tl_threads *threads);
/* Runs fn over [0, n) in blocks; serially when n < minimum_parallel, while threads do not pay (ledger.h), and of a pool that is NULL. Returns when all is
 * done. */
void tl_parallel_for(tl_threads *threads, int n, int minimum_parallel, tl_range_fn *fn, void *context);

/* The same, where numbers are of unlike work, or one function is for several kinds of it: the ledger knows the loop by its kind, any function, and takes the
 * time of one of so many pieces of work for much the same. */
typedef struct tl_loop {
    tl_range_fn *fn;
    void *context;
    int n, minimum_parallel;
    tl_range_fn *kind;
    int work;    /* pieces, of all n */
    bool uneven; /* some indices take much longer than others: a thread takes a few of them at a time, in order, until none is left */
} tl_loop;

/* The kind of a loop that does what another sort of function says, which is never called as this type. */
#define TL_KIND_OF(function) ((tl_range_fn *)(void (*)(void))(function))

void tl_parallel_loop(tl_threads *threads, const tl_loop *loop);
/* tl_parallel_for of what is uneven. */
void tl_parallel_uneven(tl_threads *threads, int n, int minimum_parallel, tl_range_fn *fn, void *context);

/* ---- words -------------------------------------------------------------------------------------------------------- */

/* The nearest of `count` words within a third of its length, or NULL. */
const char *tl_nearest(const char *word, const char *const *words, int count);
/* Words by index from 0, NULL beyond the last. */
typedef const char *tl_words_fn(int index);
/* "a, b, c"; cut where there is no room. Returns `list`. */
const char *tl_words_list(tl_words_fn *words, char *list, size_t size);
/* INPUT: there is no such thing of this name; what may have been meant, and what there is. */
talus_status tl_fail_unknown(tl_error *error, const char *what, const char *name, tl_words_fn *words);

/* ---- definitions ------------------------------------------------------------------------------------------------- */

/* A caller's definition, whose first member is its uint32_t struct_size, over `own`, which holds the defaults. A shorter one, of an older header,
 * leaves the rest at its default; a longer one must have zeros where this library knows nothing. False: neither, no size at all, or NULL. */
bool tl_take_def(void *own, size_t size, const void *given);

/* ---- hashing, random numbers ------------------------------------------------------------------------------------- */

/* Order-dependent 64-bit hash of bytes, chained through `seed`. */
uint64_t tl_hash(const void *data, size_t bytes, uint64_t seed);

/* xoshiro256++ seeded by splitmix64: the same stream on every machine. */
typedef struct tl_random {
    uint64_t s[4];
} tl_random;
tl_random tl_random_seed(uint64_t seed);
uint64_t tl_random_u64(tl_random *random);
double tl_random_uniform(tl_random *random, double low, double high); /* [low, high) */
int tl_random_int(tl_random *random, int n);                          /* 0 … n−1, unbiased */

/* A text as a JSON string, quotes included; it may stand in a page. */
void tl_json_text(FILE *, const char *text);

/* Seconds since an arbitrary origin, monotonic. */
double tl_clock(void);

#endif

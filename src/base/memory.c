/* Memory: the world's allocator, growing arrays, the step arena. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__)
#include <sys/mman.h>
#endif

#include "base/base.h"

#if defined(__SANITIZE_ADDRESS__)
#define TL_ASAN 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TL_ASAN 1
#endif
#endif
#ifdef TL_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(pointer, size)   ASAN_POISON_MEMORY_REGION(pointer, size)
#define UNPOISON(pointer, size) ASAN_UNPOISON_MEMORY_REGION(pointer, size)
#else
#define POISON(pointer, size)   ((void)(pointer), (void)(size))
#define UNPOISON(pointer, size) ((void)(pointer), (void)(size))
#endif

/* Sweeps stream through megabytes, from page to page: with the system's small pages a sixth of their time goes to looking up where these are. */
static void prefer_huge_pages(void *block, size_t size)
{
#if defined(__linux__)
    const uintptr_t huge = (uintptr_t)2 << 20, begin = ((uintptr_t)block + huge - 1) / huge * huge, end = ((uintptr_t)block + size) / huge * huge;
    if (begin < end) (void)madvise((char *)block + (begin - (uintptr_t)block), end - begin, MADV_HUGEPAGE); /* refused, nothing is lost */
#else
    (void)block, (void)size;
#endif
}

static void *heap_realloc(void *context, void *pointer, size_t size)
{
    (void)context;
    if (size == 0) {
        free(pointer);
        return NULL;
    }
    void *block = realloc(pointer, size);
    if (block) prefer_huge_pages(block, size);
    return block;
}

tl_memory tl_memory_default(void) { return (tl_memory){heap_realloc, NULL}; }

void *tl_alloc(tl_memory memory, size_t count, size_t size)
{
    if (size && count > SIZE_MAX / size) return NULL;
    const size_t bytes = count > 0 && size > 0 ? count * size : 1;
    void *block = memory.realloc(memory.context, NULL, bytes);
    if (block) memset(block, 0, bytes);
    return block;
}

void tl_free(tl_memory memory, void *pointer)
{
    if (pointer) memory.realloc(memory.context, pointer, 0);
}

static char *align_up(char *pointer) { return pointer + (TL_LINE - (uintptr_t)pointer % TL_LINE) % TL_LINE; }

/* An array of any type is told by the address of its pointer. MEMORY: it stays as it was. */
static talus_status resize(tl_memory memory, void *pointer_to_array, int *capacity, int wanted, size_t size)
{
    void *old;
    memcpy(&old, pointer_to_array, sizeof old);
    void *block = memory.realloc(memory.context, old, (size_t)wanted * size);
    if (!block) return TALUS_MEMORY;
    memcpy(pointer_to_array, &block, sizeof block);
    *capacity = wanted;
    return TALUS_OK;
}

talus_status tl_grow(tl_memory memory, void *pointer_to_array, int *capacity, int need, size_t size)
{
    if (need <= *capacity) return TALUS_OK;
    const int more = *capacity / 2;
    int wanted = *capacity < 8 ? 8 : *capacity > INT_MAX - more ? INT_MAX : *capacity + more;
    if (wanted < need) wanted = need;
    const int before = *capacity;
    TL_TRY(resize(memory, pointer_to_array, capacity, wanted, size));
    char *block;
    memcpy(&block, pointer_to_array, sizeof block);
    memset(block + (size_t)before * size, 0, (size_t)(wanted - before) * size);
    return TALUS_OK;
}

talus_status tl_fit(tl_memory memory, void *pointer_to_array, int *capacity, int count, size_t size)
{
    const int wanted = count > 0 ? count : 1;
    if (wanted >= *capacity) return TALUS_OK;
    return resize(memory, pointer_to_array, capacity, wanted, size);
}

static int little_more(int need) { return need > INT_MAX - need / 16 ? INT_MAX : need + need / 16; }

talus_status tl_grow_little(tl_memory memory, void *pointer_to_array, int *capacity, int need, size_t size)
{
    if (need <= *capacity) return TALUS_OK;
    const int wanted = little_more(need);
    return resize(memory, pointer_to_array, capacity, wanted, size);
}

/* The old array is given back first: both at once would be the most that a world ever has. */
talus_status tl_grow_lines(tl_memory memory, void **block, void *pointer_to_array, int *capacity, int need, size_t size)
{
    if (need <= *capacity) return TALUS_OK;
    const int wanted = little_more(need);
    tl_free(memory, *block);
    char *raw = memory.realloc(memory.context, NULL, (size_t)wanted * size + TL_LINE);
    char *array = raw ? align_up(raw) : NULL;
    *block = raw;
    memcpy(pointer_to_array, &array, sizeof array);
    *capacity = raw ? wanted : 0;
    return raw ? TALUS_OK : TALUS_MEMORY;
}

char *tl_strdup(tl_memory memory, const char *text)
{
    const size_t bytes = strlen(text) + 1;
    char *copy = tl_alloc(memory, bytes, 1);
    if (copy) memcpy(copy, text, bytes);
    return copy;
}

/* ---- arena ------------------------------------------------------------------------------------------------------- */

typedef struct spill {
    struct spill *next;
} spill;

struct tl_arena {
    tl_memory memory;
    char *raw, *block;                /* block = raw rounded up to TL_LINE */
    size_t bytes, used, wanted, most; /* wanted: with what has spilled; most of it since the reset */
    spill *spills;
};

/* Not zeroed: what is taken from an arena is written before it is read, and a step that asks for more than all before it must not wait for memory to be
 * cleared. */
static void *request(tl_memory memory, size_t bytes) { return memory.realloc(memory.context, NULL, bytes); }

/* The old block is given back first: both at once would be the most that a world ever has. Without the new one there is none, and all requests spill. */
static bool arena_resize(tl_arena *arena, size_t bytes)
{
    if (arena->raw) {
        UNPOISON(arena->block, arena->bytes);
        tl_free(arena->memory, arena->raw);
    }
    arena->raw = request(arena->memory, bytes + TL_LINE);
    arena->block = arena->raw ? align_up(arena->raw) : NULL;
    arena->bytes = arena->raw ? bytes : 0;
    if (!arena->raw) return false;
    POISON(arena->block, arena->bytes);
    return true;
}

tl_arena *tl_arena_create(tl_memory memory, size_t bytes)
{
    tl_arena *arena = tl_alloc(memory, 1, sizeof *arena);
    if (!arena) return NULL;
    arena->memory = memory;
    if (!arena_resize(arena, bytes)) {
        tl_free(memory, arena);
        return NULL;
    }
    return arena;
}

/* Those after `kept`; NULL: all. */
static void free_spills(tl_arena *arena, const void *kept)
{
    while (arena->spills != kept) {
        spill *next = arena->spills->next;
        tl_free(arena->memory, arena->spills);
        arena->spills = next;
    }
}

void tl_arena_destroy(tl_arena *arena)
{
    if (!arena) return;
    free_spills(arena, NULL);
    if (arena->raw) UNPOISON(arena->block, arena->bytes);
    tl_free(arena->memory, arena->raw);
    tl_free(arena->memory, arena);
}

void tl_arena_reset(tl_arena *arena)
{
    free_spills(arena, NULL);
    if (arena->raw) POISON(arena->block, arena->bytes);
    if (arena->most > arena->bytes) arena_resize(arena, arena->most + arena->most / 16);
    arena->used = arena->wanted = arena->most = 0;
}

void *tl_arena_alloc(tl_arena *arena, size_t count, size_t size)
{
    if (size && count > (SIZE_MAX - 4 * TL_LINE) / size) return NULL;
    const size_t bytes = (count * size + TL_LINE - 1) / TL_LINE * TL_LINE;
    arena->wanted += bytes;
    if (arena->wanted > arena->most) arena->most = arena->wanted;
    if (arena->raw && arena->used + bytes <= arena->bytes) {
        char *block = arena->block + arena->used;
        arena->used += bytes;
        UNPOISON(block, bytes);
        return block;
    }
    spill *extra = request(arena->memory, bytes + 2 * TL_LINE);
    if (!extra) return NULL;
    extra->next = arena->spills;
    arena->spills = extra;
    return align_up((char *)(extra + 1));
}

void *tl_arena_reuse(tl_arena *arena, tl_arena_room *room, size_t bytes)
{
    if (room->block && room->bytes >= bytes) return room->block;
    *room = (tl_arena_room){tl_arena_alloc(arena, bytes + bytes / 32, 1), bytes + bytes / 32};
    return room->block;
}

void *tl_arena_zero(tl_arena *arena, size_t count, size_t size)
{
    void *block = tl_arena_alloc(arena, count, size);
    if (block) memset(block, 0, count * size);
    return block;
}

size_t tl_arena_used(const tl_arena *arena) { return arena->most; }

size_t tl_arena_bytes(const tl_arena *arena) { return arena->bytes; }

tl_arena_place tl_arena_mark(const tl_arena *arena) { return (tl_arena_place){arena->used, arena->wanted, arena->spills}; }

void tl_arena_release(tl_arena *arena, tl_arena_place mark)
{
    if (arena->raw) POISON(arena->block + mark.used, arena->bytes - mark.used);
    free_spills(arena, mark.spill);
    arena->wanted = mark.wanted;
    arena->used = mark.used;
}

/* Hulls when memory runs out, in our own requests and in qhull's, and on several threads. */
#include <pthread.h>

#include "ledger.h"
#include "shape/shape3.h"
#include "test.h"

static tl_error error;

static tl_memory heap(void) { return tl_memory_default(); }

static void points_on_sphere(tl_random *r, tl_vec3 *p, int n)
{
    for (int i = 0; i < n; i++) {
        p[i].x = tl_random_uniform(r, -1, 1);
        p[i].y = tl_random_uniform(r, -1, 1);
        p[i].z = tl_random_uniform(r, -1, 1);
        p[i] = tl_normalize(p[i]);
    }
}

TEST(memory_runs_out)
{
    tl_random r = tl_random_seed(15);
    tl_vec3 p[100];
    points_on_sphere(&r, p, 100);
    for (int count = 1; count <= 100; count += count < 2 ? 1 : 98) {
        talus_status status = TALUS_MEMORY;
        long k = 0;
        while (status != TALUS_OK && k < 1000) {
            ledger l = {.fail = ++k};
            tl_shape3 s;
            status = tl_shape3_hull(&s, (tl_memory){counted, &l}, p, count, count > 2 ? 0 : 1, &error);
            if (status != TALUS_OK) CHECK(status == TALUS_MEMORY && strstr(error.text, "no memory") && l.live == 0);
            tl_shape3_free(&s, (tl_memory){counted, &l});
            CHECK(l.live == 0);
        }
        CHECK(status == TALUS_OK && k > (count > 2 ? 10 : 1));
    }
}

#ifndef TL_SANITIZED              /* the sanitizers have a malloc of their own */
void *__libc_malloc(size_t size); /* glibc's own, under those below */
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *pointer, size_t size);
void __libc_free(void *pointer);
static long requests, fail_request, live_blocks;

static void *count_block(void *block)
{
    live_blocks += block != NULL;
    return block;
}

#define PUBLIC __attribute__((visibility("default")))
PUBLIC void *malloc(size_t size) { return ++requests == fail_request ? NULL : count_block(__libc_malloc(size)); }
PUBLIC void *calloc(size_t count, size_t size) { return ++requests == fail_request ? NULL : count_block(__libc_calloc(count, size)); }
PUBLIC void *realloc(void *pointer, size_t size)
{
    if (++requests == fail_request) return NULL;
    void *block = __libc_realloc(pointer, size);
    if (!pointer) count_block(block);
    return block;
}
PUBLIC void free(void *pointer)
{
    live_blocks -= pointer != NULL;
    __libc_free(pointer);
}

/* Qhull's own requests fail, one after the other: a status, no exit, nothing printed. */
TEST(qhull_runs_out)
{
    tl_random r = tl_random_seed(16);
    tl_vec3 p[100];
    points_on_sphere(&r, p, 100);
    for (int i = 50; i < 100; i++) p[i].z = 0.1; /* faces of more than three corners: their order takes memory too */
    long k = 0, refused_calls = 0, lost = 0;
    FILE *out = freopen("/dev/null", "w", stdout), *told = tmpfile();
    const int keep = dup(2);
    CHECK(out && told && dup2(fileno(told), 2) == 2);
    do {
        tl_shape3 s;
        const long before = live_blocks;
        requests = 0, fail_request = ++k;
        const talus_status status = tl_shape3_hull(&s, heap(), p, 100, 0, &error);
        fail_request = 0;
        refused_calls += status == TALUS_MEMORY && strstr(error.text, "no memory");
        CHECK(status == TALUS_MEMORY || status == TALUS_OK); /* qsort of glibc can do without */
        tl_shape3_free(&s, heap());
        lost += live_blocks - before;
    } while (requests >= k);
    const long printed = lseek(fileno(told), 0, SEEK_END);
    dup2(keep, 2);
    CHECK(printed == 0);
    CHECK(lost <= 2); /* qhull's own: one block each time when the setup of its memory fails (raw3.c) */
    CHECK(refused_calls > 20 && k - refused_calls < 10);
}
#endif

static void *many(void *context)
{
    tl_random r = tl_random_seed(17);
    uint64_t *hash = context;
    for (int k = 0; k < 200; k++) {
        tl_vec3 p[40];
        points_on_sphere(&r, p, 40);
        tl_shape3 s;
        CHECK(tl_shape3_hull(&s, heap(), p, 40, 0, NULL) == TALUS_OK);
        *hash = tl_hash(s.corner, s.face_begin[s.faces], *hash);
        tl_shape3_free(&s, heap());
    }
    return NULL;
}

TEST(threads)
{
    uint64_t hash[3] = {1, 1, 1};
    pthread_t thread[2];
    many(&hash[2]);
    for (int i = 0; i < 2; i++) CHECK(pthread_create(&thread[i], NULL, many, &hash[i]) == 0);
    for (int i = 0; i < 2; i++) pthread_join(thread[i], NULL);
    CHECK(hash[0] == hash[2] && hash[1] == hash[2]);
}

int main(int argc, char **argv)
{
    RUN(memory_runs_out);
#ifndef TL_SANITIZED
    RUN(qhull_runs_out);
#endif
    RUN(threads);
    return TEST_RESULT;
}

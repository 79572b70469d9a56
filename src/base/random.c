/* Hash and random numbers: integer arithmetic only, hence the same on every machine. */
#include <string.h>
#include <time.h>

#include "base/base.h"

static uint64_t mix(uint64_t x)
{
    x ^= x >> 30;
    x *= 0xbf58476d1ce4e5b9u;
    x ^= x >> 27;
    x *= 0x94d049bb133111ebu;
    return x ^ (x >> 31);
}

uint64_t tl_hash(const void *data, size_t bytes, uint64_t seed)
{
    const unsigned char *at = data;
    uint64_t hash = mix(seed ^ (0x9e3779b97f4a7c15u + bytes));
    for (; bytes >= 8; bytes -= 8, at += 8) {
        uint64_t word;
        memcpy(&word, at, 8);
        hash = mix(hash ^ word) + 0x9e3779b97f4a7c15u;
    }
    uint64_t tail = 0;
    for (size_t i = 0; i < bytes; i++) tail |= (uint64_t)at[i] << (8 * i);
    return mix(hash ^ tail);
}

static uint64_t rotate(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

tl_random tl_random_seed(uint64_t seed)
{
    tl_random random;
    for (int i = 0; i < 4; i++) {
        seed += 0x9e3779b97f4a7c15u;
        random.s[i] = mix(seed);
    }
    return random;
}

uint64_t tl_random_u64(tl_random *random)
{
    uint64_t *s = random->s;
    const uint64_t result = rotate(s[0] + s[3], 23) + s[0];
    const uint64_t t = s[1] << 17;
    s[2] ^= s[0];
    s[3] ^= s[1];
    s[1] ^= s[2];
    s[0] ^= s[3];
    s[2] ^= t;
    s[3] = rotate(s[3], 45);
    return result;
}

double tl_random_uniform(tl_random *random, double low, double high) { return low + (high - low) * ((double)(tl_random_u64(random) >> 11) * 0x1p-53); }

int tl_random_int(tl_random *random, int n)
{
    const uint64_t range = (uint64_t)n, limit = UINT64_MAX - UINT64_MAX % range;
    uint64_t value;
    do {
        value = tl_random_u64(random);
    } while (value >= limit);
    return (int)(value % range);
}

double tl_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

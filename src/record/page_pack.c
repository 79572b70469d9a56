/* Packing of streams: byte planes and deflate. */
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "record/page.h"

void tl_pack_free(tl_pack *p)
{
    free(p->data);
    *p = (tl_pack){0};
}

/* Deflates `bytes` of raw data, which it frees, to the end of the pack. */
static void add(tl_pack *p, tl_stream stream, unsigned char *raw, size_t bytes)
{
    uLongf packed = compressBound(bytes);
    if (!raw || p->streams == TL_STREAMS) p->failed = true;
    if (!p->failed && p->bytes + packed > p->capacity) {
        const size_t capacity = 2 * p->capacity + packed;
        unsigned char *more = realloc(p->data, capacity);
        if (more) p->data = more, p->capacity = capacity;
        else p->failed = true;
    }
    if (!p->failed && compress2(p->data + p->bytes, &packed, raw, bytes, 6) != Z_OK) p->failed = true;
    free(raw);
    if (p->failed) return;
    stream.bytes = packed;
    p->bytes += packed;
    p->stream[p->streams++] = stream;
}

/* One plane after the other: all lowest bytes, then all second ones … */
static unsigned char *shuffle(const uint32_t *word, size_t count, int planes)
{
    unsigned char *raw = malloc(count * (size_t)planes + 1);
    for (int k = 0; raw && k < planes; k++)
        for (size_t i = 0; i < count; i++) raw[(size_t)k * count + i] = (unsigned char)(word[i] >> (8 * k));
    return raw;
}

void tl_pack_reals(tl_pack *p, const char *name, const double *value, int count, int bits)
{
    uint32_t *word = malloc((size_t)count * sizeof *word + 1);
    const uint32_t keep = ~(uint32_t)0 << (23 - bits), half = bits < 23 ? (uint32_t)1 << (22 - bits) : 0;
    for (int i = 0; word && i < count; i++) {
        const float f = (float)value[i];
        memcpy(&word[i], &f, sizeof f);
        word[i] = (word[i] + half) & keep; /* a carry into the exponent is the right rounding too */
    }
    add(p, (tl_stream){name, "f32", 1, count, 4, 0, 0}, word ? shuffle(word, (size_t)count, 4) : NULL, 4 * (size_t)count);
    free(word);
}

void tl_pack_bytes(tl_pack *p, const char *name, const uint8_t *value, int count)
{
    unsigned char *raw = malloc((size_t)count + 1);
    if (raw) memcpy(raw, value, (size_t)count);
    add(p, (tl_stream){name, "u8", 1, count, 1, 0, 0}, raw, (size_t)count);
}

void tl_pack_codes(tl_pack *p, const char *name, int32_t *codes, int rows, int columns, double step)
{
    const size_t count = (size_t)rows * (size_t)columns, width = (size_t)columns;
    uint32_t *word = (uint32_t *)codes, all = 0;
    for (size_t i = count; i-- > 0;) { /* backwards: each needs the one before it unchanged; differences may wrap, and wrap back */
        const uint32_t change = word[i] - (i >= width ? word[i - width] : 0);
        word[i] = (change << 1) ^ (change >> 31 ? ~(uint32_t)0 : 0);
        all |= word[i];
    }
    const int planes = all >> 24 ? 4 : all >> 16 ? 3 : all >> 8 ? 2 : 1;
    add(p, (tl_stream){name, "codes", rows, columns, planes, 0, step}, shuffle(word, count, planes), count * (size_t)planes);
}

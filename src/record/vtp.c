/* VTK's XML files of polygons, "PolyData", and of meshes, "UnstructuredGrid", with appended raw data: text that names each array and the byte where it begins,
 * then the bytes. An array is cut into blocks, each packed by zlib, after a header of 64-bit numbers: blocks, bytes of a block, bytes of the last one if it is
 * shorter (else 0), packed bytes of each. ParaView reads this form the fastest, and every version since 3.14 knows it. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "record/vtk.h"

enum { BLOCK = 1 << 20 };

static const struct {
    const char *name;
    size_t size;
} TYPES[] = {[VTP_INT8] = {"Int8", 1}, [VTP_UINT8] = {"UInt8", 1}, [VTP_INT32] = {"Int32", 4}, [VTP_FLOAT32] = {"Float32", 4}, [VTP_FLOAT64] = {"Float64", 8}};

static bool reserve(tl_vtp *v, size_t more)
{
    if (v->failed || v->size + more <= v->capacity) return !v->failed;
    const size_t capacity = v->size + more + v->capacity / 2 + 4096;
    unsigned char *data = realloc(v->data, capacity);
    if (!data) return !(v->failed = true);
    v->data = data;
    v->capacity = capacity;
    return true;
}

/* The codes of its letters, as VTK wants texts among numbers. */
static void write_note(FILE *head, const char *name, const char *text)
{
    fprintf(head, "<DataArray type='String' Name='%s' NumberOfTuples='1' format='ascii'>", name);
    for (const char *c = text; *c; c++) fprintf(head, "%d ", (int)(unsigned char)*c);
    fputs("0</DataArray>\n", head);
}

/* False: no memory. */
static bool begin(tl_vtp *v, const char *form, double time, const char *const *notes)
{
    *v = (tl_vtp){.form = form};
    v->head = open_memstream(&v->text, &v->text_size);
    v->failed = !v->head;
    if (v->failed) return false;
    fprintf(v->head,
            "<?xml version='1.0'?>\n<VTKFile type='%s' version='1.0' byte_order='%s' header_type='UInt64' compressor='vtkZLibDataCompressor'>\n"
            "<%s>\n<FieldData>\n<DataArray type='Float64' Name='TimeValue' NumberOfTuples='1' format='ascii'>%.17g</DataArray>\n",
            form, __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ ? "LittleEndian" : "BigEndian", form, time);
    for (; notes[0]; notes += 2) write_note(v->head, notes[0], notes[1]);
    fputs("</FieldData>\n", v->head);
    return true;
}

void tl_vtp_begin(tl_vtp *v, double time, const char *const *notes, tl_vtp_counts n)
{
    if (begin(v, "PolyData", time, notes))
        fprintf(v->head, "<Piece NumberOfPoints='%d' NumberOfVerts='%d' NumberOfLines='%d' NumberOfStrips='0' NumberOfPolys='%d'>\n", n.points, n.vertices,
                n.lines, n.polygons);
}

void tl_vtp_begin_mesh(tl_vtp *v, double time, const char *const *notes, int points, int cells)
{
    if (begin(v, "UnstructuredGrid", time, notes)) fprintf(v->head, "<Piece NumberOfPoints='%d' NumberOfCells='%d'>\n", points, cells);
}

void tl_vtp_open(tl_vtp *v, const char *section)
{
    if (v->head) fprintf(v->head, "<%s>\n", section);
}

void tl_vtp_close(tl_vtp *v, const char *section)
{
    if (v->head) fprintf(v->head, "</%s>\n", section);
}

void tl_vtp_array(tl_vtp *v, const char *name, tl_vtp_type type, int components, size_t tuples, const void *data)
{
    const size_t bytes = tuples * (size_t)components * TYPES[type].size, blocks = (bytes + BLOCK - 1) / BLOCK, header = (3 + blocks) * sizeof(uint64_t);
    if (v->head)
        fprintf(v->head, "<DataArray type='%s' Name='%s' NumberOfComponents='%d' format='appended' offset='%zu'/>\n", TYPES[type].name, name, components,
                v->size);
    if (!reserve(v, header)) return;
    const size_t start = v->size;
    const uint64_t first[3] = {blocks, BLOCK, bytes % BLOCK};
    memcpy(v->data + start, first, sizeof first);
    v->size += header;
    for (size_t k = 0; k < blocks; k++) {
        const size_t from = k * BLOCK, length = bytes - from < BLOCK ? bytes - from : BLOCK;
        uLongf packed = compressBound((uLong)length);
        if (!reserve(v, packed)) return;
        /* level 1: what repeats from face to face shrinks as well as with any other, and the rest hardly shrinks at all */
        if (compress2(v->data + v->size, &packed, (const Bytef *)data + from, (uLong)length, 1) != Z_OK) v->failed = true;
        const uint64_t size = packed;
        memcpy(v->data + start + (3 + k) * sizeof size, &size, sizeof size);
        v->size += packed;
    }
}

talus_status tl_vtp_write(tl_vtp *v, const char *path, tl_error *error)
{
    talus_status status = TALUS_OK;
    if (v->head) {
        fprintf(v->head, "</Piece>\n</%s>\n<AppendedData encoding='raw'>\n_", v->form);
        if (fclose(v->head) != 0) v->failed = true;
    }
    if (v->failed) status = tl_fail(error, TALUS_MEMORY, "memory ran out on '%s'", path);
    else {
        FILE *out = fopen(path, "wb");
        bool done = out && fwrite(v->text, 1, v->text_size, out) == v->text_size && (v->size == 0 || fwrite(v->data, 1, v->size, out) == v->size) &&
                    fputs("\n</AppendedData>\n</VTKFile>\n", out) >= 0;
        if (out) done = fclose(out) == 0 && done;
        if (!done) status = tl_fail(error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    }
    free(v->text);
    free(v->data);
    *v = (tl_vtp){0};
    return status;
}

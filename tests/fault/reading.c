/* Memory that runs out while texts are read: tracks written out, XML. A status and a text, no crash; and nothing is left out in silence. */
#include "import/urdf.h"
#include "scene/build.h"
#include "test.h"

/* The arena of what is read asks here for every block: those from first to last are refused. */
typedef struct ledger {
    long calls, first, last;
} ledger;

static void *counted(void *context, void *pointer, size_t size)
{
    ledger *l = context;
    if (size == 0) {
        free(pointer);
        return NULL;
    }
    l->calls++;
    return l->first > 0 && l->calls >= l->first && l->calls <= l->last ? NULL : realloc(pointer, size);
}

static tl_arena *open_arena(ledger *l)
{
    tl_arena *arena = tl_arena_create((tl_memory){counted, l}, 1); /* so small that every request is a block of its own */
    if (!arena) TEST_STOP("no arena");
    return arena;
}

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    if (!out || fputs(text, out) < 0 || fclose(out) != 0) TEST_STOP("cannot write '%s'", path);
}

/* ---- tracks ----------------------------------------------------------------------------------------------------------- */

static const char TRACK[] =
    "dimension: 3\nparameters: {shoe: {pitch: 107 mm, horn: 80 mm}, bar: 30 mm}\ninputs: {u: {}}\n"
    "mechanisms: {m: {bodies: {frame: {mass: 800 kg, inertia: 60}}, joints: {frame: {type: free, parent: ground, child: frame, position: {z: 0.3 m}}}}}\n"
    "tracks:\n  t:\n    on: frame\n    wheels:\n"
    "      a: {at: [0.57 m, 0, 0], radius: 0.3 m, width: 0.2 m, mass: 60 kg, tension: {force: 4 kN}}\n"
    "      b: {at: [-0.57 m, 0, 0], radius: 0.3 m, width: 0.2 m, mass: 60 kg}\n"
    "    shoes: {count: 40, pitch: shoe.pitch, width: 0.36 m, thickness: 30 mm, mass: 8 kg, grouser: bar, horns: shoe.horn}\n";

/* The tree as text after tracks were written out, with requests first … last refused; NULL: a mistake, whose status is MEMORY. */
static char *written_out(ledger *l, long first, long last)
{
    talus_scene s = {.arena = open_arena(l)};
    char *text = NULL;
    s.root = tl_yaml_load("reading.yaml", NULL, 0, s.arena, &s.mistakes);
    if (!s.root) TEST_STOP("the scene cannot be read");
    s.reading = (tl_reading){.arena = s.arena, .mistakes = &s.mistakes, .root = s.root};
    l->calls = 0, l->first = first, l->last = last;
    tl_schema_begin(&s.reading, TL_SCENE_KEYS);
    tl_expand_tracks(&(tl_builder){.scene = &s, .r = &s.reading});
    l->first = 0;
    if (s.mistakes.status == TALUS_OK) text = tl_yaml_text(s.root);
    else {
        bool said = false;
        for (int i = 0; i < s.mistakes.count; i++) said = said || strstr(s.mistakes.item[i].text, "memory");
        CHECK(said && s.mistakes.status == TALUS_MEMORY);
    }
    tl_mistakes_free(&s.mistakes);
    tl_arena_destroy(s.arena);
    return text;
}

static void check_tracks(bool all_after)
{
    ledger l = {0};
    put("reading.yaml", TRACK);
    char *sound = written_out(&l, 0, 0);
    const long all = l.calls;
    CHECK(sound && strstr(sound, "t_pin_40") && strstr(sound, "horns") && all > 100);
    for (long k = 1; sound && k <= all && test_failures < 20; k += k < 300 ? 1 : 7) { /* most of them are of shoes, which are alike */
        char *text = written_out(&l, k, all_after ? 1L << 40 : k);
        if (text && strcmp(text, sound) != 0) TEST_FAIL("request %ld refused, and another track without a word", k);
        free(text);
    }
    free(sound);
    remove("reading.yaml");
}

TEST(tracks) { check_tracks(false); }
TEST(tracks_and_all_after) { check_tracks(true); }

/* ---- XML -------------------------------------------------------------------------------------------------------------- */

static void check_xml(bool all_after)
{
    ledger l = {0};
    int refused = 0;
    put("reading.urdf",
        "<robot name=\"r\"><link name=\"a\"/><link/><joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"b\"/></joint></robot>\n");
    put("reading.xml", "<robot/>\n"); /* whose end is told in the same breath as its beginning */
    for (int i = 0; i < 2; i++)
        for (long k = 1, all = 100; k <= all; k++) {
            tl_error error = {0};
            tl_xml *root = NULL;
            tl_arena *arena = open_arena(&l);
            l.calls = 0, l.first = k, l.last = all_after ? 1L << 40 : k;
            const talus_status status = tl_xml_load(i ? "reading.xml" : "reading.urdf", arena, &root, &error);
            if (l.calls < k) all = 0; /* it asks no more often */
            else CHECK(status == TALUS_MEMORY && !root && strstr(error.text, "no memory"));
            if (l.calls < k) CHECK(status == TALUS_OK && root && strcmp(root->name, "robot") == 0);
            refused += status == TALUS_MEMORY;
            l.first = 0;
            tl_arena_destroy(arena);
        }
    CHECK(refused > 20);
    remove("reading.urdf"), remove("reading.xml");
}

TEST(xml) { check_xml(false); }
TEST(xml_and_all_after) { check_xml(true); }

int main(int argc, char **argv)
{
    RUN(tracks);
    RUN(tracks_and_all_after);
    RUN(xml);
    RUN(xml_and_all_after);
    return TEST_RESULT;
}

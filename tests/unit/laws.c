/* The table of laws as programs see it (talus/material.h): what a law may not be told. */
#include "physics/planar.h"

static void refuse(const talus_interaction_def *d, const char *why)
{
    const talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id none = {0, 0};
    CHECK(talus_interaction_set(w, none, none, d) == TALUS_INPUT);
    if (!strstr(talus_world_error(w), why)) TEST_FAIL("'%s' does not say '%s'", talus_world_error(w), why);
    talus_world_destroy(w);
}

TEST(table)
{
    CHECK(talus_law_at(-1) == NULL);
    CHECK(strcmp(talus_law_at(0)->name, "coulomb") == 0);
    const talus_law *law;
    for (int i = 0; (law = talus_law_at(i)); i++) {
        CHECK(*law->name && *law->text);
        for (int k = 0; k < law->keys; k++) {
            const talus_law_key *key = &law->key[k];
            CHECK(*key->name && *key->text && key->most >= 1 && key->low < key->high);
            if (isfinite(key->fallback)) CHECK(key->fallback >= key->low && key->fallback <= key->high);
        }
        for (int k = 0; k < law->fields; k++) CHECK(*law->field[k].name && *law->field[k].unit && *law->field[k].meaning);
    }
}

TEST(wrong_keys)
{
    const double one = 1;
    const talus_law_value nonsense = {.key = "nonsense", .number = &one, .numbers = 1};
    talus_interaction_def d = talus_interaction_def_default();
    d.law = "glue";
    refuse(&d, "there is no law 'glue'");
    d.law = NULL;
    d.value = &nonsense, d.values = 1;
    refuse(&d, "the law 'coulomb' has no 'nonsense'");
}

int main(int argc, char **argv)
{
    RUN(table);
    RUN(wrong_keys);
    return TEST_RESULT;
}

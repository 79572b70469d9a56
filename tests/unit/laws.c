/* The table of laws as programs see it (talus/material.h): what a law may not be told. */
#include "physics/planar.h"

static void refuse(const talus_interaction_def *d, const char *why)
{
    const talus_world_def def = lab(1e-3);
    talus_world *w = open_world(&def);
    const talus_material_id none = {0};
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
            CHECK(*key->name && *key->text && key->most >= 1 && (key->choices || key->low < key->high));
            if (isfinite(key->fallback) && !key->choices) CHECK(key->fallback >= key->low && key->fallback <= key->high);
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
    talus_law_value breaking = {.key = "breaking", .number = &one, .numbers = 1};
    d.law = "cohesion", d.value = &breaking;
    refuse(&d, "'breaking' of the law 'cohesion' wants a word, one of: never once");
    breaking.word = "nev";
    refuse(&d, "'breaking' of the law 'cohesion' cannot be 'nev'; expected one of: never once");
}

/* Springs at contacts know Coulomb's friction only: another law is refused, not passed over. */
TEST(penalty)
{
    static const double SPEED = 1;
    const talus_law_value value = {.key = "yield_speed", .number = &SPEED, .numbers = 1};
    talus_world_def def = lab(1e-5);
    def.scheme = TALUS_SCHEME_PENALTY_RK4;
    talus_world *w = open_world(&def);
    (void)material(w, "m", 1);
    const talus_material_id none = {0};
    talus_interaction_def d = talus_interaction_def_default();
    d.stiffness = 1e5, d.restitution = 0.5;
    d.law = "impact", d.value = &value, d.values = 1;
    CHECK_OK(talus_interaction_set(w, none, none, &d), talus_world_error(w));
    CHECK(talus_world_assemble(w) == TALUS_INPUT);
    CHECK(strstr(talus_world_error(w), "law: coulomb"));
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(table);
    RUN(wrong_keys);
    RUN(penalty);
    return TEST_RESULT;
}

/* Keys that other tables bring: those of the laws of contacts, the coordinates of joints between bodies, and the parameters of what solids are made of. */
#include <stdio.h>
#include <string.h>

#include "scene/schema.h"
#include "talus/joint.h"
#include "talus/material.h"
#include "talus/solid.h"

static const tl_key *law_key(int i, tl_key *room)
{
    const talus_law *law;
    for (int l = 0; (law = talus_law_at(l)); i -= law->keys, l++) {
        if (i >= law->keys) continue;
        const talus_law_key *k = &law->key[i];
        *room = (tl_key){.name = k->name,
                         .type = k->choices    ? KEY_WORD
                                 : k->most > 1 ? KEY_QUANTITIES
                                               : KEY_QUANTITY,
                         .choices = k->choices,
                         .unit = k->unit,
                         .low = k->low,
                         .high = k->high,
                         .positive = k->positive,
                         .text = k->text,
                         .dimension = k->dimension,
                         .law = law->name};
        return room;
    }
    return NULL;
}

static bool is_coordinate(int kind, const char *name)
{
    for (int k = 0; talus_body_joint_coordinate(kind, k); k++)
        if (strcmp(talus_body_joint_coordinate(kind, k), name) == 0) return true;
    return false;
}

/* The i-th name among the coordinates of all kinds of joints, each counted once. */
static const tl_key *coordinate_key(const tl_key *end, int i, tl_key *room)
{
    for (int kind = 0; talus_body_joint_kind(kind); kind++)
        for (int k = 0; talus_body_joint_coordinate(kind, k); k++) {
            const char *name = talus_body_joint_coordinate(kind, k);
            bool known = false, in_plane = false;
            for (int before = 0; before < kind; before++) known = known || is_coordinate(before, name);
            if (known || i-- > 0) continue;
            for (int any = 0; talus_body_joint_kind(any); any++) in_plane = in_plane || (talus_body_joint_in_plane(any) && is_coordinate(any, name));
            *room = (tl_key){.name = name, .type = KEY_OBJECT, .sub = end->sub, .dimension = in_plane ? 0 : 3, .text = "what acts in this coordinate"};
            return room;
        }
    return NULL;
}

static bool has_parameter(const talus_solid_material *m, const char *name)
{
    for (int i = 0; i < m->parameters; i++)
        if (strcmp(m->parameter[i].name, name) == 0) return true;
    return false;
}

/* The i-th name among the parameters of all materials of solids, each counted once. */
static const tl_key *matter_key(int i, tl_key *room)
{
    talus_solid_material m, other;
    for (int kind = 0; talus_solid_material_get(kind, &m); kind++)
        for (int p = 0; p < m.parameters; p++) {
            const talus_solid_parameter *given = &m.parameter[p];
            bool known = false, shared = false;
            for (int k = 0; talus_solid_material_get(k, &other); k++) {
                known = known || (k < kind && has_parameter(&other, given->name));
                shared = shared || (k != kind && has_parameter(&other, given->name));
            }
            if (known || i-- > 0) continue;
            *room = (tl_key){.name = given->name,
                             .type = KEY_QUANTITY,
                             .unit = given->unit[0] == '1' && !given->unit[1] ? "" : given->unit,
                             .law = shared ? NULL : m.name,
                             .text = given->meaning};
            return room;
        }
    return NULL;
}

const char *tl_key_choices(const tl_key *key, char text[TL_CHOICES])
{
    size_t used = 0;
    if (!key->words) return key->choices;
    for (int i = 0; key->words(i) && used < TL_CHOICES; i++)
        used += (size_t)snprintf(text + used, TL_CHOICES - used, "%s%s%s", i > 0 ? " " : "", key->words(i), key->in_plane && !key->in_plane(i) ? ":3" : "");
    return text;
}

const tl_key *tl_schema_key(const tl_key *keys, int i, tl_key *room)
{
    const tl_key *k = keys;
    for (; i > 0 && k->name; k++) i--;
    if (k->name) return k;
    return k->type == KEY_LAW ? law_key(i, room) : k->type == KEY_JOINT ? coordinate_key(k, i, room) : k->type == KEY_MATTER ? matter_key(i, room) : NULL;
}

const tl_key *tl_schema_find(const tl_key *keys, const char *name, tl_key *room)
{
    const tl_key *k;
    for (int i = 0; (k = tl_schema_key(keys, i, room)); i++)
        if (strcmp(k->name, name) == 0) return k;
    return NULL;
}

/* Deformable solids through the public interface (talus/solid.h). No other file of this room knows their type. */
#include "matter/solid.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

/* ---- tables ----------------------------------------------------------------------------------------------------------- */

bool talus_element_get(int number, talus_element *out)
{
    const tl_element_kind *kind = tl_element_kind_at(number);
    if (!kind || !out) return false;
    *out = (talus_element){.name = kind->name,
                           .text = kind->text,
                           .dimension = kind->dimension,
                           .nodes = kind->nodes,
                           .faces = kind->faces,
                           .gmsh = kind->gmsh,
                           .vtk = kind->vtk,
                           .mean_volume = kind->mean_volume,
                           .enhanced = kind->modes > 0};
    for (int f = 0; f < kind->faces; f++) {
        out->face_nodes[f] = kind->face[f].nodes;
        out->face_corners[f] = kind->face[f].corners;
        memcpy(out->face_node[f], kind->face[f].node, sizeof out->face_node[f]);
    }
    return true;
}

int talus_element_find(const char *name)
{
    for (int i = 0; name && i < tl_element_kinds(); i++)
        if (strcmp(tl_element_kind_at(i)->name, name) == 0) return i;
    return -1;
}

bool talus_solid_material_get(int number, talus_solid_material *out)
{
    const tl_material_kind *kind = tl_material_kind_at(number);
    if (!kind || !out) return false;
    *out = (talus_solid_material){kind->name, kind->text, kind->parameters, kind->parameter, kind->states, kind->state};
    return true;
}

int talus_solid_material_find(const char *name)
{
    for (int i = 0; name && i < tl_material_kinds(); i++)
        if (strcmp(tl_material_kind_at(i)->name, name) == 0) return i;
    return -1;
}

/* ---- definition ------------------------------------------------------------------------------------------------------- */

talus_solid_def talus_solid_def_default(void)
{
    return (talus_solid_def){.struct_size = sizeof(talus_solid_def), .thickness = 1, .stabilisation = 0.1, .stretch = 5};
}

static const tl_world_solid *solid_at(const talus_world *w, talus_solid_id solid)
{
    return !w || tl_is_none(solid.index1) || solid.index1 > (uint32_t)w->solids ? NULL : &w->solid[solid.index1 - 1];
}

tl_matter *tl_world_solid_matter(const talus_world *w, talus_solid_id solid)
{
    const tl_world_solid *s = solid_at(w, solid);
    return s ? w->system->matter[s->matter] : NULL;
}

static tl_matter *matter_of(const talus_world *w, const tl_world_solid *solid) { return w->system->matter[solid->matter]; }

static talus_status check(talus_world *w, const talus_solid_def *def)
{
    const char *name = def->name ? def->name : "";
    const double numbers[] = {def->influence,    def->stabilisation,     def->renewal,     def->stretch,     def->thickness,
                              def->damping_mass, def->damping_stiffness, def->velocity[0], def->velocity[1], def->velocity[2]};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (!isfinite(numbers[i]))
            return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its thickness, damping, velocity, influence, stabilisation, renewal or stretch is not a number",
                           name);
    if (def->nodes < 1 || def->elements < 1 || def->regions < 1 || !def->position || !def->kind || !def->node || !def->region)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s' has no nodes, elements or regions", name);
    if (!(def->thickness > 0) || def->damping_mass < 0 || def->damping_stiffness < 0)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its thickness must be positive, its damping not negative", name);
    if (def->stabilisation < 0 || def->renewal < 0) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its stabilisation or renewal is negative", name);
    if (def->site && !(def->spacing > 0 && isfinite(def->spacing)))
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its nodes have sites, and their spacing is not a positive number", name);
    if (!(def->stretch > 1)) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': its stretch is not above 1", name);
    if ((unsigned)def->rotations > TALUS_ROTATIONS_LARGE)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s': there are no rotations %d", name, (int)def->rotations);
    for (int i = 0; i < def->regions; i++)
        if (!tl_material_kind_at(def->region[i].material) || (unsigned)def->region[i].strain > TALUS_STRAIN_AUTO)
            return tl_fail(&w->error, TALUS_INPUT, "solid '%s': there is no material %d, or no strain %d", name, def->region[i].material,
                           (int)def->region[i].strain);
    for (int e = 0; e < def->elements; e++)
        if (!tl_element_kind_at(def->kind[e])) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': element %d is of no known kind", name, e + 1);
    return TALUS_OK;
}

/* Makes the matter; `kind` [elements] and `region` [regions] are room for what it is made from. */
static talus_status make_matter(talus_world *w, const talus_solid_def *def, const tl_element_kind **kind, tl_solid_region *region, tl_matter **out)
{
    for (int e = 0; e < def->elements; e++) kind[e] = tl_element_kind_at(def->kind[e]);
    for (int i = 0; i < def->regions; i++) {
        region[i] = (tl_solid_region){
            .material = {.kind = tl_material_kind_at(def->region[i].material)}, .strain = def->region[i].strain, .density = def->region[i].density};
        memcpy(region[i].material.parameter, def->region[i].parameter, sizeof region[i].material.parameter);
    }
    const tl_solid_def made = {
        .name = def->name ? def->name : "",
        .mesh = {.dimension = w->def.dimension, .nodes = def->nodes, .elements = def->elements, .x = def->position, .kind = kind, .node = def->node},
        .regions = def->regions,
        .region = region,
        .region_of = def->region_of,
        .plane_stress = def->plane_stress,
        .thickness = def->thickness,
        .damping_mass = def->damping_mass,
        .damping_stiffness = def->damping_stiffness,
        .consistent_mass = def->consistent_mass,
        .large_rotations = def->rotations == TALUS_ROTATIONS_LARGE,
        .influence = def->influence,
        .site = def->site,
        .spacing = def->spacing,
        .stabilisation = def->stabilisation,
        .renewal = def->renewal,
        .stretch = def->stretch,
        .lets_go = def->lets_go,
        .velocity = {def->velocity[0], def->velocity[1], def->velocity[2]}};
    return tl_solid_create(w->memory, &made, out, &w->error);
}

talus_status talus_solid_create(talus_world *w, const talus_solid_def *given, talus_solid_id *out)
{
    talus_solid_def def = talus_solid_def_default();
    TL_TRY(tl_world_open(w, &def, sizeof def, given, out, "solid"));
    TL_TRY(check(w, &def));
    if (tl_grow(w->memory, &w->solid, &w->solid_capacity, w->solids + 1, sizeof *w->solid) != TALUS_OK) return tl_world_out_of_memory(w);
    tl_world_solid *solid = &w->solid[w->solids];
    *solid = (tl_world_solid){.matter = w->system->matters, .kind = tl_alloc(w->memory, (size_t)def.elements, sizeof *solid->kind)};
    const tl_element_kind **kind = tl_alloc(w->memory, (size_t)def.elements, sizeof(const tl_element_kind *));
    tl_solid_region *region = tl_alloc(w->memory, (size_t)def.regions, sizeof *region);
    tl_matter *matter = NULL;
    const bool room = solid->kind && kind && region;
    if (solid->kind) memcpy(solid->kind, def.kind, (size_t)def.elements * sizeof *solid->kind);
    talus_status status = room ? make_matter(w, &def, kind, region, &matter) : tl_world_out_of_memory(w);
    tl_free(w->memory, region);
    tl_free(w->memory, kind);
    if (status == TALUS_OK) status = tl_world_add_body(w, def.name, (tl_place){solid->matter, def.nodes}, &solid->body);
    if (status == TALUS_OK) {
        status = tl_world_add_matter(w, matter);
        if (status != TALUS_OK) tl_free(w->memory, w->body[--w->bodies].name);
    }
    if (status != TALUS_OK) {
        if (matter) matter->ops->destroy(matter);
        tl_free(w->memory, solid->kind);
        return status;
    }
    *out = (talus_solid_id){(uint32_t)++w->solids};
    return TALUS_OK;
}

/* Definition calls of a solid that is there begin with this. */
talus_status tl_world_open_solid(talus_world *w, talus_solid_id solid, const char *what, tl_matter **out)
{
    const tl_world_solid *s = solid_at(w, solid);
    *out = s ? matter_of(w, s) : NULL;
    if (s && !w->assembled) return TALUS_OK;
    if (!w) return TALUS_INPUT;
    if (s) (void)tl_fail(&w->error, TALUS_UNSUPPORTED, "the world is assembled: nothing can be added to it");
    else (void)tl_fail(&w->error, TALUS_INPUT, "%s is for a solid that does not exist", what);
    return s ? TALUS_UNSUPPORTED : TALUS_INPUT;
}

talus_status talus_solid_hold(talus_world *w, talus_solid_id solid, int node, int axis, const talus_motion *motion)
{
    tl_matter *m = NULL;
    TL_TRY(tl_world_open_solid(w, solid, "what holds a node", &m));
    if (node < 0 || node >= tl_solid_mesh(m)->nodes || axis < 0 || axis >= w->def.dimension)
        return tl_fail(&w->error, TALUS_INPUT, "solid '%s' has no node %d, or this no axis %d", m->name, node + 1, axis);
    return tl_solid_hold(m, node, axis, motion, &w->error);
}

/* ---- reading ---------------------------------------------------------------------------------------------------------- */

int talus_solid_count(const talus_world *w) { return w ? w->solids : 0; }

talus_solid_id talus_solid_at(const talus_world *w, int index) { return (talus_solid_id){w && index >= 0 && index < w->solids ? (uint32_t)index + 1 : 0}; }

talus_solid_id talus_solid_find(const talus_world *w, const char *name)
{
    for (int i = 0; w && name && *name && i < w->solids; i++)
        if (strcmp(matter_of(w, &w->solid[i])->name, name) == 0) return (talus_solid_id){(uint32_t)i + 1};
    return (talus_solid_id){0};
}

const char *talus_solid_name(const talus_world *w, talus_solid_id solid)
{
    const tl_world_solid *s = solid_at(w, solid);
    return s ? matter_of(w, s)->name : "";
}

talus_body_id talus_solid_body(const talus_world *w, talus_solid_id solid)
{
    const tl_world_solid *s = solid_at(w, solid);
    return s ? s->body : (talus_body_id){0};
}

talus_solid_id talus_solid_of_body(const talus_world *w, talus_body_id body)
{
    for (int i = 0; w && !tl_is_none(body.index1) && i < w->solids; i++)
        if (w->solid[i].body.index1 == body.index1) return (talus_solid_id){(uint32_t)i + 1};
    return (talus_solid_id){0};
}

/* A solid has no axes in which such a point could stay. */
talus_status tl_world_refuse_end(talus_world *w, talus_body_id body, const char *what)
{
    const talus_solid_id solid = talus_solid_of_body(w, body);
    if (tl_is_none(solid.index1)) return tl_world_refuse_absent(w, body, what);
    return tl_fail(&w->error, TALUS_UNSUPPORTED, "%s cannot end at a deformable solid yet, here '%s'", what, talus_solid_name(w, solid));
}

bool talus_solid_get_mesh(const talus_world *w, talus_solid_id solid, talus_solid_mesh *out)
{
    const tl_world_solid *s = solid_at(w, solid);
    if (!s || !out) return false;
    const tl_element_mesh *mesh = tl_solid_mesh(matter_of(w, s));
    *out = (talus_solid_mesh){.dimension = mesh->dimension,
                              .nodes = mesh->nodes,
                              .elements = mesh->elements,
                              .faces = mesh->faces,
                              .position = (const double(*)[3])mesh->x,
                              .kind = s->kind,
                              .begin = mesh->begin,
                              .node = mesh->node,
                              .region_of = tl_solid_region_of(matter_of(w, s)),
                              .face = mesh->face};
    return true;
}

void talus_solid_motion(const talus_world *w, talus_solid_id solid, double (*displacement)[3], double (*velocity)[3])
{
    const tl_world_solid *s = solid_at(w, solid);
    if (!s) return;
    const tl_element_mesh *mesh = tl_solid_mesh(matter_of(w, s));
    const double *u = tl_solid_displacement(matter_of(w, s)), *v = tl_solid_velocity(matter_of(w, s));
    for (int i = 0; i < mesh->nodes; i++)
        for (int a = 0; a < 3; a++) {
            const bool there = a < mesh->dimension;
            if (displacement) displacement[i][a] = there ? u[mesh->dimension * i + a] : 0;
            if (velocity) velocity[i][a] = there ? v[mesh->dimension * i + a] : 0;
        }
}

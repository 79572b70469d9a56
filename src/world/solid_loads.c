/* Loads on solids through the public interface (talus/solid.h). */
#include "matter/solid.h"
#include "world/world.h"

talus_solid_load talus_solid_load_default(void) { return (talus_solid_load){.struct_size = sizeof(talus_solid_load)}; }

talus_status talus_solid_add_load(talus_world *w, talus_solid_id solid, const talus_solid_load *given)
{
    talus_solid_load load = talus_solid_load_default();
    tl_matter *m = NULL;
    TL_TRY(tl_world_open_solid(w, solid, "a load", &m));
    TL_TRY(tl_world_open(w, &load, sizeof load, given, m, "load on a solid"));
    if (load.faces < 0 || (load.faces > 0 && !load.face)) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': a load on faces that are not given", m->name);
    return tl_solid_add_load(m, &load, &w->error);
}

talus_status talus_solid_absorb(talus_world *w, talus_solid_id solid, const talus_solid_face *face, int faces)
{
    tl_matter *m = NULL;
    TL_TRY(tl_world_open_solid(w, solid, "an absorbing face", &m));
    if (faces < 1 || !face) return tl_fail(&w->error, TALUS_INPUT, "solid '%s': no faces are given that absorb", m->name);
    return tl_solid_absorb(m, face, faces, &w->error);
}

talus_status talus_solid_start_settled(talus_world *w, talus_solid_id solid)
{
    tl_matter *m = NULL;
    TL_TRY(tl_world_open_solid(w, solid, "a start at rest", &m));
    tl_solid_start_settled(m);
    return TALUS_OK;
}

talus_status tl_world_settle_solids(talus_world *w)
{
    tl_step step = {.t = 0, .planar = tl_is_planar(w), .memory = w->memory, .threads = w->threads, .error = &w->error};
    for (int a = 0; a < 3; a++) step.gravity[a] = w->def.gravity[a];
    for (int i = 0; i < w->solids; i++) TL_TRY(tl_solid_settle(w->system->matter[w->solid[i].matter], &step));
    return TALUS_OK;
}

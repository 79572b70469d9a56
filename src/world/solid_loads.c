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

/* Shafts, as links on revolute joints; tables as functions of a number (talus/driveline.h). */
#include "talus/driveline.h"

#include <math.h>
#include <string.h>

#include "world/world.h"

double talus_table_value(void *table, double x, double *slope)
{
    const talus_table *k = table;
    int low = 0, high = k->rows - 1;
    *slope = 0;
    if (x < k->x[0]) return k->y[0];
    if (x > k->x[high]) return k->ends ? 0 : k->y[high];
    while (low + 1 < high) {
        const int middle = (low + high) / 2;
        if (k->x[middle] <= x) low = middle;
        else high = middle;
    }
    if (low == high) return k->y[low];
    *slope = (k->y[high] - k->y[low]) / (k->x[high] - k->x[low]);
    return k->y[low] + *slope * (x - k->x[low]);
}

talus_shaft_def talus_shaft_def_default(void) { return (talus_shaft_def){.struct_size = sizeof(talus_shaft_def), .axis = {0, 0, 1}, .speed = (double)NAN}; }

/* J (1 + a aᵀ)/2 */
static void disc(double J, tl_vec3 a, double out[6])
{
    const double I[6] = {1 + a.x * a.x, 1 + a.y * a.y, 1 + a.z * a.z, a.x * a.y, a.x * a.z, a.y * a.z};
    for (int k = 0; k < 6; k++) out[k] = 0.5 * J * I[k];
}

talus_status talus_shaft_create(talus_world *w, talus_mechanism_id mechanism, const talus_shaft_def *def, talus_joint_id *out)
{
    talus_shaft_def own = talus_shaft_def_default();
    TL_TRY(tl_world_open(w, &own, sizeof own, def, out, "shaft"));
    def = &own;
    const tl_vec3 axis = tl_load3(def->axis);
    if (!def->name || !*def->name) return tl_fail(&w->error, TALUS_INPUT, "a shaft has no name");
    if (!(def->inertia >= 0) || !isfinite(def->inertia))
        return tl_fail(&w->error, TALUS_INPUT, "shaft '%s': its inertia is %g kg m²; it must not be negative", def->name, def->inertia);
    if (!(tl_norm(axis) > 0) || !isfinite(tl_norm(axis))) return tl_fail(&w->error, TALUS_INPUT, "shaft '%s' has no axis", def->name);
    if (tl_is_planar(w) && (axis.x != 0 || axis.y != 0))
        return tl_fail(&w->error, TALUS_INPUT, "shaft '%s': in the plane a shaft turns about z; leave its axis out", def->name);
    talus_link_def link = talus_link_def_default();
    talus_joint_def joint = talus_joint_def_default();
    link.name = joint.name = def->name;
    disc(def->inertia, tl_normalize(axis), link.inertia);
    const int m = (int)mechanism.index1 - 1;
    const bool known = m >= 0 && m < w->mechanisms; /* else that is said of the link */
    const tl_parts before = known ? tl_world_parts(w, m) : (tl_parts){0};
    TL_TRY(talus_link_create(w, mechanism, &link, &joint.child));
    joint.parent = def->on;
    memcpy(joint.parent_point, def->point, sizeof joint.parent_point);
    tl_store3(joint.axis, tl_normalize(axis));
    joint.position[0] = def->angle, joint.velocity[0] = def->speed;
    const talus_status status = talus_joint_create(w, &joint, out);
    return status == TALUS_OK ? status : tl_world_take_back(w, before, status);
}

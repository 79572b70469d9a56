/* Periodic directions, a cell that is sheared: what of a world can stand in it. */
#include "world/world.h"

static const char *const AXIS[] = {"x", "y", "z"};

talus_status tl_world_check_cell(const talus_world_def *d, tl_cell *out, tl_error *e)
{
    *out = (tl_cell){.periodic = false};
    for (int i = 0; i < 3; i++) {
        const double low = d->periodic[i][0], high = d->periodic[i][1];
        if (low == 0 && high == 0) continue;
        if (i >= d->dimension) return tl_fail(e, TALUS_INPUT, "%s is no direction of the plane: it cannot be periodic", AXIS[i]);
        if (!isfinite(low) || !isfinite(high) || !(high > low))
            return tl_fail(e, TALUS_INPUT, "the periodic cell reaches from %g m to %g m along %s; the second end must be the larger", low, high, AXIS[i]);
        out->low[i] = low, out->length[i] = high - low;
        out->periodic = true;
    }
    if (out->periodic && d->scheme == TALUS_SCHEME_PENALTY_RK4)
        return tl_fail(e, TALUS_UNSUPPORTED, "the penalty scheme knows no periodic directions; take the scheme 'moreau'");
    return TALUS_OK;
}

static talus_status check_shear(talus_world *w, int along, int across, const talus_motion *strain)
{
    const tl_cell *c = &w->system->cell;
    if (w->assembled) return tl_fail(&w->error, TALUS_UNSUPPORTED, "the world is assembled: its cell can no longer be sheared");
    if (along < 0 || along > 2 || across < 0 || across > 2)
        return tl_fail(&w->error, TALUS_INPUT, "a cell is sheared along and across directions 0 … 2: x, y, z");
    if (along == across) return tl_fail(&w->error, TALUS_INPUT, "a cell cannot be sheared along %s and across the same direction", AXIS[along]);
    for (int k = 0; k < 2; k++) {
        const int direction = k ? across : along;
        if (!(c->length[direction] > 0))
            return tl_fail(&w->error, TALUS_INPUT, "a cell that is sheared along %s across %s must be periodic along both, and along %s it is not", AXIS[along],
                           AXIS[across], AXIS[direction]);
    }
    if (!strain || !strain->value) return tl_fail(&w->error, TALUS_INPUT, "a sheared cell needs its strain as a function of time");
    if (w->def.scheme != TALUS_SCHEME_MOREAU) return tl_fail(&w->error, TALUS_UNSUPPORTED, "only the scheme 'moreau' knows a sheared cell");
    return TALUS_OK;
}

talus_status talus_world_set_shear(talus_world *w, int along, int across, const talus_motion *strain)
{
    if (!w) return TALUS_INPUT;
    TL_TRY(check_shear(w, along, across, strain));
    tl_cell *c = &w->system->cell;
    c->sheared = true, c->along = along, c->across = across;
    w->system->shear = *strain;
    return TALUS_OK;
}

bool talus_world_shear(const talus_world *w, int *along, int *across, double *offset, double *velocity)
{
    const tl_cell *c = &w->system->cell;
    double rate = 0;
    *along = c->along, *across = c->across;
    *offset = *velocity = 0;
    if (!c->sheared) return false;
    *offset = c->length[c->across] * tl_motion_at(&w->system->shear, talus_world_time(w), &rate);
    *velocity = c->length[c->across] * rate;
    return true;
}

static int body_of(const talus_world *w, int contactor) { return w->system->owner[contactor].body; }

/* May a body turn, and may it meet its own image? Of a link what it does as it stands at first counts: links of one mechanism never meet, and one that turns
 * until it is longer than the cell meets grains rightly all the same, only with worse first guesses where it meets one three times. */
static void freedom(const talus_world *w, int body, bool *turns, bool *moves)
{
    const tl_place place = w->body[body].place;
    *turns = *moves = place.matter == 0;
    if (place.matter != 0 || w->body[body].changes_kind) return;
    const tl_grains2 *flat = w->plane.grains;
    const tl_grains3 *solid = w->space.grains;
    const talus_body_kind kind = (tl_is_planar(w) ? flat->kind : solid->kind)[place.item];
    if (kind == TALUS_BODY_FREE) return;
    *moves = false;
    *turns =
        kind == TALUS_BODY_IMPOSED && (tl_is_planar(w) ? flat->motion[place.item][2].value != NULL : tl_grains3_course(solid, place.item)->turn.value != NULL);
}

/* Does a half-plane or half-space look the same in every cell? */
static talus_status check_endless(talus_world *w, int contactor)
{
    const tl_system *s = w->system;
    const int body = body_of(w, contactor);
    double normal[3] = {0, 0, 0};
    char text[128];
    bool turns = false, moves = false;
    if (tl_is_planar(w)) {
        const tl_pose2 q = tl_system2_pose(&w->plane, s->owner[contactor].place);
        const tl_vec2 n = tl_rotate2(&q, w->plane.shape[contactor].normal);
        normal[0] = n.x, normal[1] = n.y;
    } else {
        const tl_frame f = tl_system3_frame(&w->space, s->owner[contactor].place);
        tl_store3(normal, tl_mat3_apply(&f.R, w->space.shape[contactor].normal));
    }
    freedom(w, body, &turns, &moves);
    const char *name = tl_world_describe(w, body, text), *half = tl_is_planar(w) ? "half-plane" : "half-space";
    if (s->cell.sheared)
        return tl_fail(&w->error, TALUS_INPUT, "%s: a %s stands still, and the cell is sheared: it would not be the same in every cell", name, half);
    for (int i = 0; i < 3; i++) {
        if (!(s->cell.length[i] > 0)) continue;
        if (fabs(normal[i]) > 1e-9)
            return tl_fail(&w->error, TALUS_INPUT,
                           "%s: a %s whose normal is not at right angles to %s, which is periodic, would cut the cell off from its image", name, half, AXIS[i]);
        if (turns) return tl_fail(&w->error, TALUS_INPUT, "%s: its %s turns, and %s is periodic: it would not be the same in every cell", name, half, AXIS[i]);
    }
    return TALUS_OK;
}

/* Where a contactor is along a direction; ±∞ where it has no end. */
static void extent_of(const talus_world *w, int contactor, int direction, double *low, double *high)
{
    const tl_place place = w->system->owner[contactor].place;
    if (tl_is_planar(w)) {
        const tl_pose2 q = tl_system2_pose(&w->plane, place);
        const tl_box2 box = tl_shape2_box(&w->plane.shape[contactor], &q);
        *low = direction == 0 ? box.low.x : box.low.y;
        *high = direction == 0 ? box.high.x : box.high.y;
        return;
    }
    const tl_frame f = tl_system3_frame(&w->space, place);
    const tl_box3 box = tl_shape3_box(&w->space.shape[contactor], &f);
    *low = (&box.low.x)[direction];
    *high = (&box.high.x)[direction];
}

/* What moves must not meet its own image, nor what it pushes on both sides at once; what stands may be as long as the cell. */
static talus_status check_size(talus_world *w, int body)
{
    double low[3] = {0}, high[3] = {0}, reach = 0;
    char text[128];
    bool turns = false, moves = false;
    freedom(w, body, &turns, &moves);
    for (int i = 0; i < 3; i++) low[i] = (double)INFINITY, high[i] = -(double)INFINITY;
    for (int k = w->body[body].first_shape; k >= 0; k = w->next_shape[k]) {
        const double own = tl_is_planar(w) ? w->plane.shape[k].reach : w->space.shape[k].reach;
        if (!isfinite(own)) {
            TL_TRY(check_endless(w, k));
            continue;
        }
        reach = fmax(reach, own);
        for (int i = 0; i < w->def.dimension; i++) {
            double from = 0, to = 0;
            extent_of(w, k, i, &from, &to);
            low[i] = fmin(low[i], from), high[i] = fmax(high[i], to);
        }
    }
    for (int i = 0; i < 3; i++) {
        const double length = w->system->cell.length[i], size = turns ? 2 * reach : high[i] - low[i], most = moves ? 0.5 * length : length;
        if (!(length > 0) || !(size > most * (1 + 1e-9))) continue;
        return tl_fail(&w->error, TALUS_INPUT, "%s is %g m long along %s%s; with a periodic cell of %g m, what %s may have %g m: make the cell longer%s",
                       tl_world_describe(w, body, text), size, AXIS[i], turns ? " as it turns" : "", length, moves ? "is free" : "is not", most,
                       moves ? "" : ", or the body of parts, or a half-plane or half-space of it");
    }
    return TALUS_OK;
}

talus_status tl_world_settle_cell(talus_world *w)
{
    for (int i = 0; w->system->cell.periodic && i < w->bodies; i++) TL_TRY(check_size(w, i));
    return TALUS_OK;
}

bool talus_world_periodic(const talus_world *w, int direction, double *low, double *high)
{
    const tl_cell *c = &w->system->cell;
    *low = *high = 0;
    if (direction < 0 || direction > 2 || !(c->length[direction] > 0)) return false;
    *low = c->low[direction], *high = c->low[direction] + c->length[direction];
    return true;
}

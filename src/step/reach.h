/* How far ahead of a step pairs are looked at.
 *
 * A pair is looked at when its gap is below alert + h (‖v_b − v_a‖ + the speeds of both surfaces by rotation): only
 * relative motion counts, so a velocity that is common to all changes nothing. In the problem are
 *   – under `anticipated`, those that may meet, u_n ≥ −g/h: all that are looked at, but for those that are apart now and
 *     would be at the next q_m as if there were no contacts, both by more than alert and a fifth of the reach;
 *   – under e > 0, those that are closed, and those that would be closed at the next q_m, g + h V_free ≤ 0: they bounce
 *     now, less than a step early, rather than less than a step late and from inside;
 *   – under `gap`, as the papers have it, those that are closed; and, so that nothing is passed through, those that
 *     would be too deep at the next q_m.
 * All that are looked at are in it where a law acts over a gap or remembers, of what gives, and in a scheme that finds
 * them once. What goes apart is in it, too, in a search for equilibrium, and in a step whose solves have twice made some
 * meet that were left out.
 *
 * Impulses change velocities. Pairs that were not in the problem, and that its solution makes meet, join it (overtake),
 * and it is solved again. */
#ifndef TL_REACH_H
#define TL_REACH_H

#include <float.h>

#include "step/system.h"

/* Gaps up to this share of the coordinates and sizes are rounding: such bodies touch. */
#define TL_ROUNDING (64 * DBL_EPSILON)

/* Of the reach: by so much impulses are expected to shorten a way at most. Where they do more, the step is solved again. */
#define TL_EXPECTED 0.2

/* Is what may meet in the step in the problem, closed or not? */
static inline bool tl_is_anticipated(const tl_interaction *law)
{
    return law->activation == TALUS_ACTIVATION_ANTICIPATED || law->reach > 0 || law->remembers || (law->activation == TALUS_ACTIVATION_AUTO && !law->bounces);
}

/* ---- pairs, as contactors move: as if there were no contacts (found.motion), or as the solve left them -------------- */

static inline const tl_interaction *tl_law_of(const tl_system *s, const tl_near *pair)
{
    return &s->law[s->owner[pair->a].material * s->materials + s->owner[pair->b].material];
}

/* The upper bits of the key of all contacts of a pair. */
static inline uint64_t tl_pair_key(const tl_system *s, const tl_near *pair)
{
    const tl_geometry *g = s->geometry;
    return (uint64_t)pair->a << g->contactor_bits | tl_key_candidate(&s->cell, pair->b, pair->image, g->dimension);
}

/* Do they pass through each other, by their law, as nodes of two solids, or for a joint joins their bodies? */
static inline bool tl_is_free(const tl_system *s, const tl_near *pair)
{
    const tl_owner *a = &s->owner[pair->a], *b = &s->owner[pair->b];
    return !tl_law_of(s, pair)->enabled || (a->node && b->node) || (s->joints.aparts > 0 && tl_joints_part(&s->joints, a->body, b->body));
}

/* How far the copy of b is from b. */
static inline tl_vec3 tl_shift_of(const tl_system *s, const tl_near *pair) { return tl_cell_shift(&s->cell, pair->image); }

/* Origin of b's body as a sees it. */
static inline tl_vec3 tl_copy_at(const tl_system *s, const tl_near *pair)
{
    const tl_vec3 p = s->found.motion[pair->b].p;
    return tl_is_image(pair->image, 3) ? tl_add(p, tl_shift_of(s, pair)) : p;
}

/* How much faster the copy of b goes than a. */
static inline tl_vec3 tl_approach(const tl_system *s, const tl_motion *motion, const tl_near *pair)
{
    const tl_cell *c = &s->cell;
    const tl_vec3 v = tl_sub(motion[pair->b].v, motion[pair->a].v);
    if (!c->sheared) return v;
    return tl_add(v, tl_cell_slide(c, pair->image, false));
}

/* The margin of a contactor that moves like this. */
static inline double tl_margin_of(const tl_system *s, const tl_motion *m, int i)
{
    return 0.5 * (s->alert + s->reach) + s->found.extra[i] + s->step.h * m->rim;
}

/* Gap below which a pair is looked at. */
static inline double tl_reach_of(const tl_system *s, const tl_motion *motion, const tl_near *pair)
{
    return motion[pair->a].margin + motion[pair->b].margin + s->step.h * tl_norm(tl_approach(s, motion, pair));
}

static inline tl_box3 tl_sweep_box(const tl_box3 *box, double margin, tl_vec3 way)
{
    const tl_vec3 rim = tl_v3(margin, margin, margin);
    return (tl_box3){tl_add(tl_sub(box->low, rim), tl_v3(tl_smaller(way.x, 0), tl_smaller(way.y, 0), tl_smaller(way.z, 0))),
                     tl_add(tl_add(box->high, rim), tl_v3(tl_larger(way.x, 0), tl_larger(way.y, 0), tl_larger(way.z, 0)))};
}

/* Do the boxes of a pair meet in its own relative motion? The list holds every pair that does: way a − way b is reckoned in no axes. With a wall what is
 * within reach is in the problem, whichever way the two go. */
static inline bool tl_meets(const tl_system *s, const tl_motion *motion, const tl_near *pair)
{
    const tl_box3 *box = s->found.box;
    if (motion[pair->a].wall || motion[pair->b].wall) return true;
    const double rim = motion[pair->a].margin + motion[pair->b].margin;
    const tl_box3 a = tl_sweep_box(&box[pair->a], rim, tl_scale(-s->step.h, tl_approach(s, motion, pair)));
    if (!tl_is_image(pair->image, 3)) return tl_boxes3_overlap(&a, &box[pair->b]);
    const tl_vec3 shift = tl_shift_of(s, pair);
    const tl_box3 b = {tl_add(box[pair->b].low, shift), tl_add(box[pair->b].high, shift)};
    return tl_boxes3_overlap(&a, &b);
}

/* The gap at the end of the step, if both go on as they do. */
static inline double tl_gap_ahead(const tl_system *s, const tl_motion *motion, const tl_near *pair, const tl_touch *t)
{
    const tl_motion *a = &motion[pair->a], *b = &motion[pair->b];
    const tl_vec3 Va = tl_add(a->v, tl_cross(a->w, tl_sub(t->point, a->p)));
    const tl_vec3 Vb = tl_add(b->v, tl_cross(b->w, tl_sub(t->point, tl_copy_at(s, pair))));
    const tl_cell *c = &s->cell;
    const double slide = c->sheared ? tl_image_velocity(c, pair->image, c->along) * (&t->normal.x)[c->along] : 0;
    return t->gap + s->step.h * (tl_dot(t->normal, tl_sub(Vb, Va)) + slide);
}

/* The depth that may not be reached: half of where the other side would be nearer. */
static inline double tl_spare_of(const tl_system *s, const tl_near *pair) { return 0.5 * (s->found.motion[pair->a].thin + s->found.motion[pair->b].thin); }

static inline double tl_coordinates(const tl_motion *m) { return fabs(m->p.x) + fabs(m->p.y) + fabs(m->p.z) + m->reach; }

/* Rounding of coordinates: exactly touching bodies touch. */
static inline bool tl_is_closed(const tl_system *s, const tl_near *pair, double gap)
{
    const tl_motion *motion = s->found.motion;
    return gap <= 0 || gap <= TL_ROUNDING * (tl_coordinates(&motion[pair->a]) + tl_coordinates(&motion[pair->b]));
}

/* Does the impact happen in this step: is it closed, or would it be too late in the next? */
static inline bool tl_is_struck(const tl_system *s, const tl_interaction *law, const tl_near *pair, const tl_touch *t)
{
    if (s->step.still > 0) return false; /* in a search for equilibrium nothing strikes, and gaps are closed */
    const double late = law->activation == TALUS_ACTIVATION_GAP ? tl_spare_of(s, pair) : 0;
    return tl_is_closed(s, pair, t->gap) || tl_gap_ahead(s, s->found.motion, pair, t) <= -late;
}

/* Does one of the two give? Then contacts are anticipated, and its waves throw back what strikes it: no law's restitution does. */
static inline bool tl_gives(const tl_system *s, const tl_near *pair) { return s->found.motion[pair->a].gives || s->found.motion[pair->b].gives; }

/* Do they go apart, or past one another, so that no impulse is expected to make them meet in this step? `reach`: of the pair. */
static inline bool tl_go_apart(const tl_system *s, const tl_near *pair, double reach, const tl_touch *t)
{
    const double near = s->alert + TL_EXPECTED * reach;
    return t->gap > near && tl_gap_ahead(s, s->found.motion, pair, t) > near;
}

/* Is this touch, which was found within `reach`, in the problem? */
static inline bool tl_is_kept(const tl_system *s, const tl_near *pair, double reach, const tl_touch *t)
{
    const tl_interaction *law = tl_law_of(s, pair);
    if (tl_gives(s, pair) || law->reach > 0 || law->remembers || (s->found.extra[pair->a] > 0 && s->found.extra[pair->b] > 0)) return true;
    if (s->found.once) return true;
    return tl_is_anticipated(law) || s->step.still > 0 ? s->found.all || !tl_go_apart(s, pair, reach, t) : tl_is_struck(s, law, pair, t);
}

/* The touches of a pair, which were found within `reach` in order of their features: those in the problem before the others. */
static inline void tl_keep_touches(tl_system *s, int pair, double reach, int touches, tl_touch *touch)
{
    const tl_near *near = &s->found.near.pair[pair];
    tl_touch other[TL_MOST_TOUCHES];
    int kept = 0, others = 0;
    for (int i = 0; i < touches; i++) {
        if (tl_is_kept(s, near, reach, &touch[i])) touch[kept++] = touch[i];
        else other[others++] = touch[i];
    }
    for (int i = 0; i < others; i++) touch[kept + i] = other[i];
    s->found.touch[pair] = touch, s->found.touches[pair] = (uint8_t)kept, s->found.others[pair] = (uint8_t)others;
}

/* ---- what finds them ------------------------------------------------------------------------------------------------ */

/* near.c. How contactors move, and the axes of the list; then the list of near pairs and their touches. Where only some contactors are `faster` than when this
 * step's touches were found (NULL: none has been found), and the list is still the same, only their pairs are looked at again. */
TALUS_NODISCARD talus_status tl_near_begin(tl_system *);
TALUS_NODISCARD talus_status tl_near_list_pairs(tl_system *, const tl_motion *solved);
TALUS_NODISCARD talus_status tl_near_find_touches(tl_system *, const bool *faster);

/* seams.c. Touches of what passes are left out, as they are of what slides from one shape to the next. */
TALUS_NODISCARD talus_status tl_seams_pass(tl_system *);
/* Where a solid or a mesh is touched: a node, or a point of a surface; the facets about that. */
typedef struct tl_rim_touch {
    bool node;
    tl_vec3 towards, comes; /* from there to the other, unit; how fast the other goes, as that sees it [m/s] */
    int facets;
    tl_facet facet[TL_FACETS];
} tl_rim_touch;

/* What slides over a flat face sees the node ahead of it from its side; at the rim of a face that lies on another one the nearest facet of that is as well its
 * side; and what comes over the rim, from a flush table or the next solid, sees the side ahead of it. All of them would wedge. So a touch is left out where the
 * other lies in front of a facet that does not look at it, and what facets do look at it lie behind that one's plane: over that facet the two meet, or not at
 * all. Nodes at which no facet looks pass what overlaps by two slops; others what is flush to a third of one, so that slivers bear and ledges stop, and does
 * not come through the plane in this step by more than it may fall. They pass nothing that pulls over a gap. is_beyond: is all of the other at n·x ≥ least? */
typedef bool tl_is_beyond_fn(const void *other, tl_vec3 n, double least);
bool tl_is_past_rim(const tl_system *, const tl_near *, const tl_rim_touch *, tl_is_beyond_fn *, const void *other);
/* How far two may overlap where they pass [m]. */
static inline double tl_passing_of(const tl_system *s) { return 2 * s->slop; }
/* From the axes of a surface to the world's. */
static inline void tl_rim_place(tl_rim_touch *at, const tl_frame *frame)
{
    for (int i = 0; i < at->facets; i++) {
        tl_facet *f = &at->facet[i];
        f->normal = tl_mat3_apply(&frame->R, f->normal), f->at = tl_add(frame->p, tl_mat3_apply(&frame->R, f->at));
        for (int k = 0; k < f->corners; k++) f->corner[k] = tl_add(frame->p, tl_mat3_apply(&frame->R, f->corner[k]));
    }
}
/* Of all touches of a pair on its side a or b. */
static inline void tl_rim_begin(const tl_system *s, const tl_near *pair, bool of_b, tl_rim_touch *out)
{
    out->node = s->owner[of_b ? pair->b : pair->a].node;
    out->comes = tl_scale(of_b ? -1 : 1, tl_approach(s, s->found.motion, pair));
}
/* Facets at a node. */
static inline int tl_rim_of_node(const tl_system *s, int contactor, tl_facet *facet)
{
    const tl_place place = s->owner[contactor].place;
    const tl_matter *m = s->matter[place.matter];
    return m->ops->facets(m, place.item, facet);
}
/* Of half the way from node to node: what is nearer lies together; so far further in it is decided which faces a node on a rim meets. */
#define TL_NODE_TRIFLE 2e-3
/* Is one of the two a node of a solid, and the other none? */
static inline bool tl_is_of_node(const tl_system *s, const tl_near *pair) { return s->owner[pair->a].node != s->owner[pair->b].node; }

/* contacts.c. From touches to contacts, with first guesses of their impulses. */
TALUS_NODISCARD talus_status tl_contacts_collect(tl_system *, const tl_memo *guess);

/* contacts.c. Velocity of an end of a contact where the impulse acts on it, BEFORE or FREE. */
TALUS_NODISCARD talus_status tl_end_velocity(tl_system *, tl_when, const tl_contact *, int side, tl_vec3 *out);

/* shares.c. The part that each contact of a near pair has of its pull, if that were all; returns the area, or length, that those within its reach span, 0:
 * none. Then, of all, those of shapes with parts and of solids. */
double tl_share_of_part(const tl_system *, int near, tl_contact *);
TALUS_NODISCARD talus_status tl_contacts_share(tl_system *);

/* links.c. Ports at three points of each rigid body that is no grain, at q_m; then the velocity, spin and rim of a contactor, world axes, of independent
 * velocities v, with what is imposed at the end of the step. */
TALUS_NODISCARD talus_status tl_links_bind(tl_system *);
void tl_link_motion(const tl_system *, int contactor, const double *v, tl_motion *out);
/* Velocity of a point of a body that is no grain, BEFORE or FREE. */
TALUS_NODISCARD talus_status tl_point_velocity(tl_system *, tl_when, tl_place, tl_vec3 point, tl_vec3 *out);
/* Ports at three points of one body; velocity and spin from the velocities there. */
TALUS_NODISCARD talus_status tl_link_bind(tl_matter *, int item, tl_step *, tl_link *out);
void tl_link_read(const double V[TL_LINK_POINTS][3], tl_vec3 *velocity, tl_vec3 *spin);

#endif

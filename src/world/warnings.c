/* What a step could not keep, said where it is seen first. */
#include <math.h>
#include <stdio.h>

#include "law/spook.h"
#include "matter/solid.h"
#include "world/world.h"

/* Said once: the first time is what to look at. */
static void warn_crossed(talus_world *w)
{
    const tl_outcome *o = &w->system->outcome;
    char a[128], b[128], text[512];
    if (!(o->crossed > 0) || w->warned_crossed) return;
    w->warned_crossed = true;
    tl_world_describe(w, w->system->owner[o->crossed_a].body, a);
    tl_world_describe(w, w->system->owner[o->crossed_b].body, b);
    snprintf(text, sizeof text, "t = %.6g s: %s and %s are pushed %.3g m into each other within one step, and may pass through each other; try a smaller step",
             talus_world_time(w), a, b, o->crossed);
    tl_world_warn(w, text);
}

/* Said once. Schemes take back what joints are off; where they do not keep up the motion is another one. */
static void warn_apart(talus_world *w)
{
    static const double FAR = 0.1;
    const tl_joints *all = &w->system->joints;
    char text[512];
    if (w->warned_apart || !(all->off > FAR)) return;
    const tl_body_joint *j = &all->joint[all->off_joint];
    w->warned_apart = true;
    snprintf(text, sizeof text,
             "t = %.6g s: joint '%s' has come %.3g m apart. It may contradict other joints, or what holds its bodies; its compliance may give so far; or the "
             "step is too large: light bodies in a row that pulls a heavy one swing across it at √(force/(mass × length)), and time.step must follow them",
             talus_world_time(w), j->name ? j->name : "", all->off * j->arm);
    tl_world_warn(w, text);
}

static void say_rope(talus_world *w, int body_a, int body_b, double over, double length)
{
    char a[128], b[128], text[512];
    w->warned_ropes = true;
    tl_world_describe(w, body_a, a);
    tl_world_describe(w, body_b, b);
    snprintf(
        text, sizeof text,
        "t = %.6g s: the rope, rod or strut of %.4g m from %s to %s is off its length by %.3g m. What it ties may be moved whatever pulls, or be at a dead "
        "point; its stiffness may give so far; or the step is too large",
        talus_world_time(w), length, a, b, over);
    tl_world_warn(w, text);
}

/* Said once, as of joints. */
static void warn_of_ropes(talus_world *w)
{
    static const double FAR = 0.1; /* of its length */
    const tl_system *s = w->system;
    for (int i = 0; i < s->ropes && !w->warned_ropes; i++) {
        const tl_rope *rope = &s->rope[i];
        const double over = -s->contact_next[s->next_count - s->ropes + i].gap;
        if (over > FAR * rope->length) say_rope(w, rope->end[0].body, rope->end[1].body, over, rope->length);
    }
    for (int i = 0; i < s->joints.tackles && !w->warned_ropes; i++) {
        const tl_tackle *t = &s->joints.tackle[i];
        const double over = tl_tackle_length(s, t) - t->length;
        if (over > FAR * t->length) say_rope(w, t->end[0].body, t->end[t->count - 1].body, over, t->length);
    }
}

/* Said once, of what can be seen: the law is what was asked for, and right nearly always. */
static void warn_of_gain(talus_world *w)
{
    static const double SHARE = 1e-3; /* of the kinetic energy; V⁻ has not felt the step's forces: by so much an exact law adds, too (theory 5.7) */
    const tl_outcome *o = &w->system->outcome;
    double kinetic, potential;
    char a[128], b[128], text[512];
    if (w->warned_gain || !(o->gained > 0)) return;
    talus_world_energy(w, &kinetic, &potential);
    const double fall = w->def.step * tl_norm(tl_load3(w->def.gravity));
    if (!(o->gained > SHARE * kinetic + 0.125 * w->system->mass * fall * fall)) return;
    tl_world_describe(w, w->system->owner[o->gained_a].body, a);
    tl_world_describe(w, w->system->owner[o->gained_b].body, b);
    w->warned_gain = true;
    snprintf(text, sizeof text,
             "t = %.6g s: a blow of %s and %s gave %.3g J. With friction Newton's restitution may, where a blow turns the sliding round (theory 5.7): take a "
             "restitution of 0.7 or less",
             talus_world_time(w), a, b, o->gained);
    tl_world_warn(w, text);
}

static bool has_rule(const talus_world *w, int a, int b)
{
    bool some = false;
    for (int i = 0; i < w->rules; i++) {
        const tl_interaction_rule *r = &w->rule[i];
        some = some || r->a < 0 || (r->a == a && r->b == b) || (r->a == b && r->b == a);
    }
    return some;
}

/* Said once: who says how some materials meet has perhaps forgotten others. */
static void warn_of_no_rule(talus_world *w)
{
    const tl_system *s = w->system;
    if (w->warned_rule || w->rules == 0 || has_rule(w, -1, -1)) return;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        char one[128], other[128], text[640];
        const int pair = c->rope ? 0 : (int)(c->law - s->law), a = pair / s->materials, b = pair % s->materials;
        if (c->rope || !(c->I[0] > 0) || has_rule(w, a, b)) continue;
        tl_world_describe(w, s->owner[c->contactor_a].body, one);
        tl_world_describe(w, s->owner[c->contactor_b].body, other);
        w->warned_rule = true;
        snprintf(text, sizeof text,
                 "t = %.6g s: %s and %s touch, and no interaction is of their materials '%.100s' and '%.100s': there is no friction, and nothing bounces. If "
                 "that is "
                 "meant, say 'between: [%.100s, %.100s]' without more",
                 talus_world_time(w), one, other, w->material[a].name ? w->material[a].name : "", w->material[b].name ? w->material[b].name : "",
                 w->material[a].name ? w->material[a].name : "", w->material[b].name ? w->material[b].name : "");
        tl_world_warn(w, text);
        return;
    }
}

/* Said once. */
static void warn_of_wedges(talus_world *w)
{
    const tl_outcome *o = &w->system->outcome;
    char a[128], b[128], text[512];
    if (w->warned_wedge || o->lost_blows == 0) return;
    tl_world_describe(w, w->system->owner[o->lost_a].body, a);
    tl_world_describe(w, w->system->owner[o->lost_b].body, b);
    w->warned_wedge = true;
    snprintf(
        text, sizeof text,
        "t = %.6g s: no impulses return the blow of %s and %s: friction holds what Newton's restitution asks to bounce, as in a wedge (theory 5.7). Blows of "
        "that kind lose their restitution",
        talus_world_time(w), a, b);
    tl_world_warn(w, text);
}

/* Half of how thick the thinner of two shapes is that has an end [m]; 0: none has. */
static double thinner_of(const talus_world *w, const tl_contact *c)
{
    const double half[2] = {tl_world_half_width(w, c->contactor_a), tl_world_half_width(w, c->contactor_b)};
    return fmin(half[0] > 0 ? half[0] : half[1], half[1] > 0 ? half[1] : half[0]);
}

/* Said once. What comes back by Newton's law does so in the step in which it would meet, from where it is then. */
static void warn_of_early(talus_world *w)
{
    const tl_system *s = w->system;
    for (int i = 0; i < s->next_count && !w->warned_early; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!(c->gap > 0) || c->rope || !(c->I[0] > 0) || !c->struck || c->gives) continue;
        const double thin = thinner_of(w, c), gap = tl_law_gap(c->law, c->state, c->gap);
        if (!(thin > 0 && gap > thin)) continue;
        char a[128], b[128], text[512];
        w->warned_early = true;
        tl_world_describe(w, s->owner[c->contactor_a].body, a);
        tl_world_describe(w, s->owner[c->contactor_b].body, b);
        snprintf(text, sizeof text,
                 "t = %.6g s: %s and %s bounce off each other while they are %.3g m apart, for they come nearer by more than they are thick in a step of %.4g "
                 "s; take smaller steps",
                 talus_world_time(w), a, b, gap, w->def.step);
        tl_world_warn(w, text);
    }
}

void tl_world_find_fastest(talus_world *w)
{
    const int axes = tl_is_planar(w) ? 2 : 3, stride = tl_is_planar(w) ? 3 : 6;
    const tl_matter *grains = w->system->matter[0];
    const double *v = w->system->v[0], *free = grains->v_free;
    double most = 0, most_free = 0;
    if (w->warned_thrown || w->system->scheme->without_impulses || !free) return; /* of the last, springs squeeze, and nothing is solved */
    w->fastest_before = w->fastest;
    for (int i = 0; i < grains->nv; i += stride) {
        double square = 0, square_free = 0;
        for (int a = 0; a < axes; a++) square += v[i + a] * v[i + a], square_free += free[i + a] * free[i + a];
        if (square > most) most = square, w->fastest_grain = i / stride;
        most_free = fmax(most_free, square_free);
    }
    w->fastest = sqrt(most), w->fastest_free = sqrt(most_free);
}

/* The fastest of all that can touch, by the velocities that detection expects [m/s]. */
static double fastest_at_first(const tl_system *s)
{
    double most = 0;
    for (int i = 0; i < s->contactors; i++) {
        const tl_motion *m = &s->found.motion[i];
        most = fmax(most, tl_norm(m->v) + m->reach * tl_norm(m->w));
    }
    return most;
}

/* Work that bodies whose motion is imposed do by normal impulses of contacts in this step [J]; which of these bodies does most, its contactor. */
static double work_of_imposed(const tl_system *s, int *most)
{
    double sum = 0, largest = 0;
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        const tl_place end[2] = {c->a, c->b};
        const int contactor[2] = {c->contactor_a, c->contactor_b};
        for (int side = 0; side < 2 && !c->rope && c->I[0] > 0; side++) {
            if (end[side].matter != 0 || s->problem->inverse_mass[end[side].item] > 0) continue;
            const tl_motion *m = &s->found.motion[contactor[side]];
            const double along = tl_dot(c->n, tl_add(m->v, tl_cross(m->w, c->arm[side]))), work = c->I[0] * (side == 1 ? -along : along);
            sum += work;
            if (work > largest) largest = work, *most = contactor[side];
        }
    }
    return sum;
}

/* Said once. Blows hand speed on, and at most a little more. What is squeezed by what nothing can stop, near a dead point of what it forms with others, becomes
 * many times as fast as all that moved before, by the work of what squeezes it: the step is solved, and what it says is of no use. */
static void warn_of_thrown(talus_world *w)
{
    static const double MANY = 20, SHARE = 0.5; /* of the kinetic energy that is thrown */
    const tl_system *s = w->system;
    char who[128], by[128], text[640];
    if (w->warned_thrown || !(w->fastest > MANY * w->fastest_before) || !(w->fastest * w->def.step > s->alert)) return;
    const double before = fmax(fastest_at_first(s), w->fastest_free), inverse_mass = s->problem->inverse_mass[w->fastest_grain];
    int most = 0;
    if (!(w->fastest > MANY * before) || !(work_of_imposed(s, &most) * inverse_mass >= SHARE * 0.5 * w->fastest * w->fastest)) return;
    w->warned_thrown = true;
    tl_world_describe(w, tl_world_body_at(w, (tl_place){0, w->fastest_grain}), who);
    tl_world_describe(w, s->owner[most].body, by);
    snprintf(
        text, sizeof text,
        "t = %.6g s: %s, whose motion is imposed, squeezes what it meets, and contacts throw %s with %.3g m/s, where nothing moved faster than %.3g m/s. No "
        "force stops such a body: one on a drive with a 'force' gives way",
        talus_world_time(w), by, who, w->fastest, before);
    tl_world_warn(w, text);
}

static void say_turned(talus_world *w, const tl_matter *m, const tl_solid_extremes *far)
{
    double at[3];
    char text[512];
    tl_solid_middle(m, far->turned1 - 1, at);
    snprintf(text, sizeof text,
             "t = %.6g s: solid '%s' has turned by %.2g rad at (%.3g, %.3g, %.3g) m, and its strains are wrong by some %.1g: its rotations count as small; try "
             "'rotations: large'",
             talus_world_time(w), m->name, far->turned, at[0], at[1], at[2], 0.5 * far->turned * far->turned);
    tl_world_warn(w, text);
}

static void say_strained(talus_world *w, const tl_matter *m, const tl_solid_extremes *far)
{
    double at[3];
    char text[512];
    tl_solid_middle(m, far->strained1 - 1, at);
    snprintf(text, sizeof text,
             "t = %.6g s: solid '%s' is strained by %.2g at (%.3g, %.3g, %.3g) m, where strains count as small: its stresses are wrong by some such share; "
             "soil that flows is 'meshfree'",
             talus_world_time(w), m->name, far->strained, at[0], at[1], at[2]);
    tl_world_warn(w, text);
}

/* Said once of each. A solid is deformed step by step, thus it is enough to look now and then, before a step. What is turned inside out ends the run, as it
 * does in solids of large rotations and in meshfree ones: linear theory would go on for ever. */
talus_status tl_world_look_at_solids(talus_world *w)
{
    enum { NOW_AND_THEN = 16 };
    static const double TURNED = 0.1, STRAINED = 0.25; /* |ω|²/2 is what the rotation adds to a strain */
    for (int i = 0; w->steps % NOW_AND_THEN == 0 && i < w->solids; i++) {
        double at[3];
        tl_world_solid *solid = &w->solid[i];
        const tl_matter *m = w->system->matter[solid->matter];
        const tl_solid_extremes far = tl_solid_farthest(m);
        if (far.turned > TURNED && !solid->warned_turned) solid->warned_turned = true, say_turned(w, m, &far);
        if (far.strained > STRAINED && !solid->warned_strained) solid->warned_strained = true, say_strained(w, m, &far);
        if (far.inside_out1 == 0) continue;
        tl_solid_middle(m, far.inside_out1 - 1, at);
        return tl_fail(
            &w->error, TALUS_DIVERGED,
            "t = %.6g s: solid '%s': element %d, at (%.4g, %.4g, %.4g) m, is turned inside out; its strains count as small, and are not: push it less, "
            "make it stiffer, or take 'meshfree' for soil that flows",
            talus_world_time(w), m->name, far.inside_out1, at[0], at[1], at[2]);
    }
    return TALUS_OK;
}

/* Materials that have passed through each other touch since the step before: what lies in one another now is pushed apart at once. Springs and solids give. */
static void warn_deep(talus_world *w)
{
    static const double DEEP = 0.1; /* of how thick the thinner of the two is */
    const tl_system *s = w->system;
    const tl_contact *worst = NULL;
    double deepest = DEEP;
    char a[128], b[128], text[512];
    for (int i = 0; i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (c->rope || c->gives || (c->law->stiffness > 0 && w->def.scheme == TALUS_SCHEME_SPOOK)) continue;
        const double depth = -tl_law_gap(c->law, c->state, c->gap), thin = thinner_of(w, c);
        if (depth > deepest * thin) worst = c, deepest = depth / thin;
    }
    if (!worst) return;
    tl_world_describe(w, s->owner[worst->contactor_a].body, a);
    tl_world_describe(w, s->owner[worst->contactor_b].body, b);
    snprintf(text, sizeof text, "t = %.6g s: since they may touch, %s and %s overlap by %.3g m at (%.3g, %.3g, %.3g) m, and are pushed apart",
             talus_world_time(w), a, b, -tl_law_gap(worst->law, worst->state, worst->gap), worst->point.x, worst->point.y, worst->point.z);
    tl_world_warn(w, text);
}

/* The solid that an end of a contact belongs to; NULL: the end is of a rigid body. */
static tl_world_solid *solid_of(talus_world *w, tl_place place)
{
    for (int i = 0; i < w->solids; i++)
        if (w->solid[i].matter == place.matter) return &w->solid[i];
    return NULL;
}

/* Said once of each. What presses a solid is held at velocities, and its surface turns within a step: what it lets in is not taken back (theory §10.4). `anew`:
 * what overlaps in this step has not crept. */
static void warn_crept(talus_world *w, bool anew)
{
    static const double DEEP = 0.2; /* of half of how thick what lies behind the surface is */
    const tl_system *s = w->system;
    for (int i = 0; w->solids > 0 && i < s->next_count; i++) {
        const tl_contact *c = &s->contact_next[i];
        if (!c->gives) continue;
        const tl_motion *motion[2] = {&s->found.motion[c->contactor_a], &s->found.motion[c->contactor_b]};
        const double depth = -tl_law_gap(c->law, c->state, c->gap) - s->step.theta * s->step.h * c->V[0];
        for (int end = 0; end < 2; end++) {
            tl_world_solid *solid = solid_of(w, end ? c->b : c->a);
            if (!solid) continue;
            if (anew) solid->depth = fmax(solid->depth, depth);
            const double grown = depth - solid->depth;
            if (solid->warned_crept || !(c->I[0] > 0) || grown <= DEEP * motion[end]->thin) continue;
            char one[128], other[128], text[512];
            solid->warned_crept = true;
            tl_world_describe(w, s->owner[c->contactor_a].body, one);
            tl_world_describe(w, s->owner[c->contactor_b].body, other);
            snprintf(text, sizeof text,
                     "t = %.6g s: %s and %s have crept %.2g m into each other at (%.3g, %.3g, %.3g) m, and press less than they should: surfaces that turn or "
                     "ring within a step let each other in; try a smaller step, theta 0.7, or damping",
                     talus_world_time(w), one, other, grown, c->point.x, c->point.y, c->point.z);
            tl_world_warn(w, text);
        }
    }
}

/* Said of each as early as it is seen, and again when there are ten times as many. */
static void warn_torn(talus_world *w)
{
    for (int i = 0; i < w->solids; i++) {
        double at[3], mass;
        char text[256];
        const tl_matter *m = w->system->matter[w->solid[i].matter];
        int first;
        const int torn = tl_solid_torn(m, &first, &mass);
        if (torn == 0 || torn < 10 * w->solid[i].warned_torn) continue;
        tl_solid_middle(m, first, at);
        w->solid[i].warned_torn = torn;
        snprintf(text, sizeof text, "t = %.6g s: solid '%s' has torn: %d particles so far resist nothing, one of them at (%.3g, %.3g, %.3g) m",
                 talus_world_time(w), m->name, torn, at[0], at[1], at[2]);
        tl_world_warn(w, text);
    }
}

/* Said once: the first time that a valve is asked for more than it has. */
static void warn_of_openings(talus_world *w)
{
    const tl_hydraulics *all = &w->system->joints.hydraulics;
    for (int c = 0; c < all->circuits; c++)
        for (int k = 0; k < tl_fluid_elements(all->circuit[c].fluid) && !w->warned_opening; k++) {
            const tl_fluid_element *e = tl_fluid_element_at(all->circuit[c].fluid, k);
            const double x = e->wanted, low = e->side == 0 ? 0 : -1;
            char text[512];
            if (isnan(x)) continue;
            w->warned_opening = true;
            snprintf(text, sizeof text, "t = %.6g s: the opening of valve '%.100s' is %.6g, beyond %g to 1: it counts as %g",
                     talus_world_time(w) - 0.5 * w->def.step, e->name ? e->name : "", x, low, x > 1 ? 1 : low);
            tl_world_warn(w, text);
        }
}

/* The same of engines. */
static void warn_of_throttles(talus_world *w)
{
    double x;
    char text[320];
    const double t = talus_world_time(w);
    const char *name = tl_world_throttle_beyond(w, t, &x);
    if (!name) return;
    w->warned_throttle = true;
    snprintf(text, sizeof text, "t = %.6g s: the throttle of engine '%.100s' is %.6g, beyond 0 to 1: it counts as %d", t, name, x, x > 1);
    tl_world_warn(w, text);
}

/* Said once: oil that nothing lets out takes whatever a pump or a load makes of it. */
static void warn_of_pressures(talus_world *w)
{
    static const double TOO_HIGH = 1e8; /* [Pa] hoses, seals and steel of machines stand half of it */
    const tl_hydraulics *all = &w->system->joints.hydraulics;
    for (int c = 0; c < all->circuits; c++)
        for (int k = 0; k < tl_fluid_nodes(all->circuit[c].fluid) && !w->warned_pressure; k++) {
            const double pressure = tl_fluid_pressure(all->circuit[c].fluid, k);
            char text[400];
            if (!(pressure > TOO_HIGH)) continue;
            w->warned_pressure = true;
            snprintf(text, sizeof text,
                     "t = %.6g s: the pressure in '%.100s' is %.4g MPa, more than any machine stands; is a relief valve missing, or a pump's way shut?",
                     talus_world_time(w), tl_fluid_node_at(all->circuit[c].fluid, k)->name, 1e-6 * pressure);
            tl_world_warn(w, text);
        }
}

/* Said once, by the first step: joints that pull resist turning for θ = ½ (step/tension.c); a taut row of bodies gains energy beyond it. */
static void warn_of_chains(talus_world *w)
{
    const tl_joints *all = &w->system->joints;
    w->warned_chains = true;
    if (w->def.theta <= 0.5 || w->def.scheme != TALUS_SCHEME_MOREAU) return;
    const int joint = tl_joints_in_chain(w->system);
    if (joint < 0) return;
    const char *name = all->joint[joint].name;
    char text[320];
    snprintf(text, sizeof text,
             "theta is %g, and joints hold free bodies in a row, joint '%.100s' among them: where such a chain is taut it may gain energy with each step; take "
             "theta 0.5",
             w->def.theta, name ? name : "");
    tl_world_warn(w, text);
}

/* By how much the velocity along n of a contact grows for each unit of impulse, of free bodies; those of other matter count as if they did not move. Points of
 * one pair that act side by side on bodies that do not turn are as many springs: the more of the two. */
static double mobility_of(const tl_system *s, const tl_contact *c)
{
    const tl_place end[2] = {c->a, c->b};
    double one = 0, side_by_side = 0;
    for (int k = 0; k < 2; k++) {
        if (end[k].matter != 0) continue;
        one += s->problem->ops->gain(s->problem, end[k].item, c->n, tl_cross(c->arm[k], c->n));
        side_by_side += (c->points > 1 ? c->points : 1) * s->problem->inverse_mass[end[k].item];
    }
    return fmax(one, side_by_side);
}

/* Said once. */
static void warn_of_springs(talus_world *w)
{
    const tl_system *s = w->system;
    const double h = w->def.step;
    for (int i = 0; i < s->next_count && !w->warned_springs; i++) {
        const tl_contact *c = &s->contact_next[i];
        const tl_interaction *law = c->law;
        const double K = law->stiffness, damping = isnan(law->damping) ? K * tl_relaxation(s) : law->damping;
        const double enough = 0.2 * h * K; /* for any W */
        if (c->rope || c->gives || law->bounces || !(c->I[0] > 0 && K > 0) || damping >= enough) continue;
        const double W = mobility_of(s, c);
        if (!(W > 0) || damping >= tl_spook_least_damping(K, W, h)) continue;
        char a[128], b[128], text[640];
        w->warned_springs = true;
        tl_world_describe(w, s->owner[c->contactor_a].body, a);
        tl_world_describe(w, s->owner[c->contactor_b].body, b);
        snprintf(
            text, sizeof text,
            "t = %.6g s: the contact of %s and %s, a spring of %.4g N/m with a damping of %.4g N s/m, is too fast for steps of %.4g s: bodies may come back "
            "from it faster than they came; try a damping of at least %.4g N s/m, stiffness × step / 5, or steps of at most %.3g s",
            talus_world_time(w), a, b, K, damping, h, enough, 2 / sqrt(K * W));
        tl_world_warn(w, text);
    }
}

/* Said once. A bounce on a spring loses energy, by the place in the step where it begins, up to ω h = 2, and gains it in the mean from 2.2 on (theory §4.6). */
static void warn_of_penalties(talus_world *w)
{
    static const double FAST = 2;
    const tl_outcome *o = &w->system->outcome;
    char a[128], b[128], text[512];
    if (w->warned_springs || !(o->fast > FAST)) return;
    w->warned_springs = true;
    tl_world_describe(w, w->system->owner[o->fast_a].body, a);
    tl_world_describe(w, w->system->owner[o->fast_b].body, b);
    snprintf(
        text, sizeof text,
        "t = %.6g s: the spring between %s and %s is too fast for steps of %.4g s, and bodies may gain energy from it: take steps of at most %.3g s, half of "
        "that for a precise bounce",
        talus_world_time(w), a, b, w->def.step, w->def.step / o->fast);
    tl_world_warn(w, text);
}

void tl_world_warn_of_step(talus_world *w)
{
    const bool first = !w->looked;
    warn_crossed(w);
    if (w->let_touch && !first) warn_deep(w); /* of the start the scene has said it */
    warn_crept(w, first || w->let_touch);
    w->looked = true, w->let_touch = false;
    warn_torn(w);
    if (!w->warned_opening) warn_of_openings(w);
    if (!w->warned_throttle) warn_of_throttles(w);
    if (!w->warned_pressure) warn_of_pressures(w);
    if (!w->warned_chains) warn_of_chains(w);
    if (!w->warned_springs && w->def.scheme == TALUS_SCHEME_SPOOK) warn_of_springs(w);
    warn_of_penalties(w);
    warn_apart(w);
    if (!w->warned_ropes) warn_of_ropes(w);
    warn_of_gain(w);
    warn_of_wedges(w);
    warn_of_no_rule(w);
    warn_of_thrown(w);
    if (!w->warned_early) warn_of_early(w);
}

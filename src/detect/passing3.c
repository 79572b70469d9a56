/* What passes: shapes whose overlap across the way is a trifle (narrow3.h). */
#include "detect/convex3.h"

/* Over faces of a; sign: 1, or −1 where a is the second of the two. x: the point of the touch. */
static void pass_over(const tl_convex_pair3 *pair, tl_passing *p, tl_vec3 x, double within, double sign)
{
    const tl_shape3 *shape = pair->a.shape;
    const double rims = shape->radius + pair->b.shape->radius, lowest = -within - p->across * fabs(p->touch.gap);
    const tl_vec3 seen = tl_mat3_apply_t(&pair->a.R, tl_sub(x, pair->a.p));
    tl_vec3 flat[TL_FLATS3];
    const int flats = shape->faces == 0 ? tl_convex3_flats(&pair->a, flat) : 0;
    for (int f = 0; f < shape->faces + flats && p->ways < TL_WAYS; f++) {
        const tl_plane3 *face = f < shape->faces ? &shape->plane[f] : NULL;
        /* Of most faces this is enough: the point of the touch, which is one of b, is deeper, and so is b. */
        if (face && tl_dot(face->n, seen) - face->offset < lowest) continue;
        const tl_vec3 over = face ? tl_mat3_apply(&pair->a.R, face->n) : flat[f - shape->faces];
        const double apart = tl_convex_pair3_separation(pair, over) - rims;
        if (fabs(tl_dot(over, p->touch.normal)) > p->across || apart < -within) continue;
        p->apart[p->ways] = apart;
        p->over[p->ways++] = tl_scale(sign, over);
    }
}

void tl_touch3_passes(tl_placed3 a, tl_placed3 b, tl_passing *p)
{
    p->ways = 0;
    if (!tl_shape3_is_convex(a.shape) || !tl_shape3_is_convex(b.shape)) return;
    const double size = tl_shape3_size(a.shape) + tl_shape3_size(b.shape), within = tl_larger(p->within, TL_PASSING_TRIFLE * size);
    const tl_vec3 x = tl_sub(p->touch.point, a.at->p), apart = tl_sub(b.at->p, a.at->p);
    const tl_convex3 at = tl_convex3_place(a.shape, &a.at->R, tl_v3(0, 0, 0)), other = tl_convex3_place(b.shape, &b.at->R, apart);
    pass_over(&(tl_convex_pair3){at, other, size, 0}, p, x, within, 1);
    pass_over(&(tl_convex_pair3){other, at, size, 0}, p, x, within, -1);
}

bool tl_touch3_is_beyond(tl_placed3 o, tl_vec3 n, double least)
{
    const tl_vec3 up = tl_mat3_apply_t(&o.at->R, n);
    const double from = least - tl_dot(n, o.at->p); /* in the axes of the shape */
    if (tl_shape3_is_convex(o.shape)) return tl_dot(up, tl_shape3_ops_of(o.shape->kind)->support(o.shape, tl_scale(-1, up))) - o.shape->radius >= from;
    for (int i = 0; o.shape->mesh && i < o.shape->mesh->vertices; i++)
        if (tl_dot(up, o.shape->mesh->vertex[i]) < from) return false;
    return o.shape->mesh != NULL;
}

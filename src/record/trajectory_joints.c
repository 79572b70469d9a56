/* What holds bodies together, and where the mass of links is, written once into trajectory.h5 (docs/results.md). */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"
#include "talus/mechanism.h"

typedef struct joint_table {
    int32_t (*body)[2], *kind, *driven, *sprung;
    double (*point)[2][3], (*axis)[3], (*axis2)[3], *length;
} joint_table;

static bool write_table(hid_t file, const joint_table *t, hsize_t n)
{
    const hsize_t pair[2] = {n, 2}, points[3] = {n, 2, 3}, axes[2] = {n, 3};
    return tl_h5_write(file, &(tl_h5_set){"joints/body", H5T_NATIVE_INT32, 2, pair, "1", "the two bodies that are joined; -1: ground"}, t->body) &&
           tl_h5_write(file, &(tl_h5_set){"joints/point", H5T_NATIVE_DOUBLE, 3, points, "m", "its point in the axes of each"}, t->point) &&
           tl_h5_write(
               file,
               &(tl_h5_set){
                   "joints/kind", H5T_NATIVE_INT32, 1, &n, "1",
                   "joints: 0 revolute, 1 prismatic, 2 screw, 3 cylindrical, 4 universal, 5 planar, 6 spherical, 7 free, 8 fixed; loops: 16 point, "
                   "17 hinge, 18 body, 19 rod; 32 spring, 33 damper, 40 rope, 41 strut, 42 span of a rope that goes on over a pulley, 43 hydraulic cylinder; "
                   "between bodies: 64 revolute, 65 prismatic, 66 cylindrical, 67 spherical, 68 universal, 69 planar, 70 fixed, 71 distance, 72 screw, 73 "
                   "slot"},
               t->kind) &&
           tl_h5_write(file, &(tl_h5_set){"joints/driven", H5T_NATIVE_INT32, 1, &n, "1", "1 for joints with a drive, or led along a path"}, t->driven) &&
           tl_h5_write(file, &(tl_h5_set){"joints/sprung", H5T_NATIVE_INT32, 1, &n, "1", "sum of 2^k over the joint's coordinates k in which springs act"},
                       t->sprung) &&
           tl_h5_write(file, &(tl_h5_set){"joints/axis2", H5T_NATIVE_DOUBLE, 2, axes, "1", "of joints between bodies, in the axes of the second body"},
                       t->axis2) &&
           tl_h5_write(file, &(tl_h5_set){"joints/axis", H5T_NATIVE_DOUBLE, 2, axes, "1", "in the axes of the first body; zero where there is none"},
                       t->axis) &&
           tl_h5_write(
               file,
               &(tl_h5_set){"joints/length", H5T_NATIVE_DOUBLE, 1, &n, "m", "of rods, ropes, struts, of springs without tension, of cylinders that are in"},
               t->length);
}

static bool write_connections(hid_t file, const talus_world *w)
{
    const int n = talus_connection_count(w);
    const size_t room = (size_t)n + 1;
    joint_table t = {.body = calloc(room, sizeof *t.body),
                     .kind = calloc(room, sizeof *t.kind),
                     .driven = calloc(room, sizeof *t.driven),
                     .sprung = calloc(room, sizeof *t.sprung),
                     .point = calloc(room, sizeof *t.point),
                     .axis = calloc(room, sizeof *t.axis),
                     .axis2 = calloc(room, sizeof *t.axis2),
                     .length = calloc(room, sizeof *t.length)};
    bool done = t.body && t.kind && t.driven && t.sprung && t.point && t.axis && t.axis2 && t.length;
    for (int i = 0; done && i < n; i++) {
        talus_connection c = {0};
        done = talus_connection_get(w, i, &c);
        for (int k = 0; k < 2; k++) t.body[i][k] = (int32_t)c.body[k].index1 - 1;
        memcpy(t.point[i], c.point, sizeof c.point);
        memcpy(t.axis[i], c.axis, sizeof c.axis);
        memcpy(t.axis2[i], c.axis2, sizeof c.axis2);
        t.kind[i] = c.kind, t.driven[i] = c.driven, t.sprung[i] = (int32_t)c.sprung, t.length[i] = c.length;
    }
    done = done && write_table(file, &t, (hsize_t)n);
    free(t.body), free(t.kind), free(t.driven), free(t.sprung), free(t.point), free(t.axis), free(t.axis2), free(t.length);
    return done;
}

static bool write_links(hid_t file, const talus_world *w)
{
    const int most = talus_body_count(w);
    int32_t *body = calloc((size_t)most + 1, sizeof *body);
    double(*centre)[3] = calloc((size_t)most + 1, sizeof *centre), (*inertia)[6] = calloc((size_t)most + 1, sizeof *inertia);
    hsize_t n = 0;
    for (int i = 0; body && centre && inertia && i < most; i++)
        if (talus_link_inertia(w, talus_body_at(w, i), centre[n], inertia[n])) body[n++] = i;
    const hsize_t vectors[2] = {n, 3}, tensors[2] = {n, 6};
    const bool done = body && centre && inertia && tl_h5_write(file, &(tl_h5_set){"links/body", H5T_NATIVE_INT32, 1, &n, "1", "index into bodies"}, body) &&
                      tl_h5_write(file, &(tl_h5_set){"links/centre_of_mass", H5T_NATIVE_DOUBLE, 2, vectors, "m", "in the axes of the link"}, centre) &&
                      tl_h5_write(file,
                                  &(tl_h5_set){"links/inertia", H5T_NATIVE_DOUBLE, 2, tensors, "kg m^2",
                                               "xx, yy, zz, xy, xz, yz about the centre of mass, in the axes of the link"},
                                  inertia);
    free(body), free(centre), free(inertia);
    return done;
}

bool tl_trajectory_joints(hid_t file, const talus_world *w) { return write_connections(file, w) && write_links(file, w); }

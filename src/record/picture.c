/* A picture of one frame of a planar run, as SVG, from trajectory.h5 alone: shapes, the bars of mechanisms, the force network. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

typedef struct picture {
    int32_t *shape_body, *shape_kind, *first, *count, *body_kind, *link, *joint_body, *contact_body;
    double *radius, *points, *pose, *joint_point, *contact_point, *force, *normal, *time;
    hsize_t shapes, bodies, joints, contacts, contact_first;
    double low[2], high[2];
    double scale; /* pixels per metre */
    FILE *out;
} picture;

enum { WIDTH = 960 };

static void free_picture(picture *p)
{
    void *const arrays[] = {p->shape_body, p->shape_kind, p->first, p->count,       p->body_kind,     p->link,  p->joint_body, p->contact_body,
                            p->radius,     p->points,     p->pose,  p->joint_point, p->contact_point, p->force, p->normal,     p->time};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) free(arrays[i]);
}

static bool read_contacts(picture *p, hid_t file, hsize_t frame)
{
    hsize_t shape[3];
    int64_t *ends = tl_h5_read(file, "frames/contact_end", H5T_NATIVE_INT64, sizeof *ends, shape);
    if (!ends) return false;
    p->contact_first = frame > 0 ? (hsize_t)ends[frame - 1] : 0;
    p->contacts = (hsize_t)ends[frame];
    free(ends);
    p->contact_body = tl_h5_read(file, "contacts/body", H5T_NATIVE_INT32, 4, shape);
    p->force = tl_h5_read(file, "contacts/force", H5T_NATIVE_DOUBLE, 8, shape);
    p->contact_point = tl_h5_read(file, "contacts/point", H5T_NATIVE_DOUBLE, 8, shape);
    p->normal = tl_h5_read(file, "contacts/normal", H5T_NATIVE_DOUBLE, 8, shape);
    return p->contact_body && p->force && p->contact_point && p->normal;
}

static bool read_frame(picture *p, hid_t file, double time, double *at)
{
    hsize_t shape[3], frames, frame = 0;
    p->time = tl_h5_read(file, "frames/time", H5T_NATIVE_DOUBLE, 8, shape);
    frames = shape[0];
    if (!p->time || frames == 0) return false;
    if (time > p->time[frames - 1]) time = p->time[frames - 1];
    for (hsize_t i = 1; i < frames; i++)
        if (fabs(p->time[i] - time) < fabs(p->time[frame] - time)) frame = i;
    *at = p->time[frame];
    p->shape_body = tl_h5_read(file, "shapes/body", H5T_NATIVE_INT32, 4, shape);
    p->shapes = shape[0];
    p->shape_kind = tl_h5_read(file, "shapes/kind", H5T_NATIVE_INT32, 4, shape);
    p->first = tl_h5_read(file, "shapes/first_point", H5T_NATIVE_INT32, 4, shape);
    p->count = tl_h5_read(file, "shapes/point_count", H5T_NATIVE_INT32, 4, shape);
    p->radius = tl_h5_read(file, "shapes/radius", H5T_NATIVE_DOUBLE, 8, shape);
    p->points = tl_h5_read(file, "shapes/points", H5T_NATIVE_DOUBLE, 8, shape);
    p->body_kind = tl_h5_read(file, "bodies/kind", H5T_NATIVE_INT32, 4, shape);
    p->bodies = shape[0];
    p->link = tl_h5_read(file, "bodies/link", H5T_NATIVE_INT32, 4, shape);
    p->joint_body = tl_h5_read(file, "joints/body", H5T_NATIVE_INT32, 4, shape);
    p->joints = shape[0];
    p->joint_point = tl_h5_read(file, "joints/point", H5T_NATIVE_DOUBLE, 8, shape);
    p->pose = tl_h5_read_rows(file, "frames/pose", H5T_NATIVE_DOUBLE, 8, frame, 1, shape);
    return p->shape_body && p->shape_kind && p->first && p->count && p->radius && p->points && p->body_kind && p->link && p->joint_body && p->joint_point &&
           p->pose && shape[2] == 3 && read_contacts(p, file, frame);
}

static void to_world(const picture *p, int body, const double local[2], double out[2])
{
    const double *q = p->pose + 3 * body;
    if (body < 0) {
        out[0] = local[0], out[1] = local[1];
        return;
    }
    const double c = cos(q[2]), s = sin(q[2]);
    out[0] = q[0] + c * local[0] - s * local[1];
    out[1] = q[1] + s * local[0] + c * local[1];
}

static void include(picture *p, const double x[2], double rim)
{
    for (int k = 0; k < 2; k++) {
        p->low[k] = fmin(p->low[k], x[k] - rim);
        p->high[k] = fmax(p->high[k], x[k] + rim);
    }
}

/* What has an end decides the frame of the picture; half-planes only pass through their points. */
static void measure(picture *p)
{
    p->low[0] = p->low[1] = (double)INFINITY;
    p->high[0] = p->high[1] = -(double)INFINITY;
    for (hsize_t i = 0; i < p->shapes; i++)
        for (int k = 0; k < (p->shape_kind[i] == 3 ? 1 : p->count[i]); k++) {
            double x[2];
            to_world(p, p->shape_body[i], p->points + 2 * (p->first[i] + k), x);
            include(p, x, p->radius[i]);
        }
    for (hsize_t i = 0; i < p->joints; i++)
        for (int side = 0; side < 2; side++) {
            double x[2];
            to_world(p, p->joint_body[2 * i + (hsize_t)side], p->joint_point + 6 * i + 3 * side, x);
            include(p, x, 0);
        }
    const double rim = 0.04 * fmax(p->high[0] - p->low[0], p->high[1] - p->low[1]) + 1e-9;
    for (int k = 0; k < 2; k++) p->low[k] -= rim, p->high[k] += rim;
    p->scale = WIDTH / (p->high[0] - p->low[0]);
}

static double px(const picture *p, double x) { return (x - p->low[0]) * p->scale; }
static double py(const picture *p, double y) { return (p->high[1] - y) * p->scale; }

static void draw_half_plane(picture *p, hsize_t i)
{
    double x[2], n[2];
    const double *local = p->points + 2 * p->first[i], *q = p->pose + 3 * p->shape_body[i];
    const double c = cos(q[2]), s = sin(q[2]), span = p->high[0] - p->low[0] + p->high[1] - p->low[1], thick = 6 / p->scale;
    to_world(p, p->shape_body[i], local, x);
    n[0] = c * local[2] - s * local[3], n[1] = s * local[2] + c * local[3];
    const double t[2] = {-n[1] * span, n[0] * span};
    fprintf(p->out, "<path class='wall' d='M%.1f %.1fL%.1f %.1fL%.1f %.1fL%.1f %.1fZ'/>\n", px(p, x[0] - t[0]), py(p, x[1] - t[1]), px(p, x[0] + t[0]),
            py(p, x[1] + t[1]), px(p, x[0] + t[0] - thick * n[0]), py(p, x[1] + t[1] - thick * n[1]), px(p, x[0] - t[0] - thick * n[0]),
            py(p, x[1] - t[1] - thick * n[1]));
}

static void draw_shape(picture *p, hsize_t i)
{
    const int body = p->shape_body[i];
    const char *class = p->link[body] ? "tool" : p->body_kind[body] == 0 ? "grain" : "wall";
    double a[2], b[2];
    to_world(p, body, p->points + 2 * p->first[i], a);
    if (p->shape_kind[i] == 0) {
        const double angle = p->pose[3 * body + 2], r = p->radius[i];
        const double shade = r > 0 && p->body_kind[body] == 0 && !p->link[body] ? fmod(1e6 * r, 5) : 0; /* sizes in slightly different tones */
        fprintf(p->out, "<circle class='%s s%d' cx='%.1f' cy='%.1f' r='%.1f'/><path class='mark' d='M%.1f %.1fl%.1f %.1f'/>\n", class, (int)shade, px(p, a[0]),
                py(p, a[1]), r * p->scale, px(p, a[0]), py(p, a[1]), 0.8 * r * p->scale * cos(angle), -0.8 * r * p->scale * sin(angle));
    } else if (p->shape_kind[i] == 1) {
        to_world(p, body, p->points + 2 * p->first[i] + 2, b);
        fprintf(p->out, "<line class='%sline' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke-width='%.1f'/>\n", class, px(p, a[0]), py(p, a[1]), px(p, b[0]),
                py(p, b[1]), fmax(2, 2 * p->radius[i] * p->scale));
    } else {
        fprintf(p->out, "<polygon class='%s' points='", class);
        for (int k = 0; k < p->count[i]; k++) {
            to_world(p, body, p->points + 2 * (p->first[i] + k), a);
            fprintf(p->out, "%.1f,%.1f ", px(p, a[0]), py(p, a[1]));
        }
        fprintf(p->out, "'/>\n");
    }
}

/* A link is a bar between the joints that it carries, in their order. */
static void draw_links(picture *p)
{
    for (hsize_t body = 0; body < p->bodies; body++) {
        int drawn = 0;
        double before[2] = {0, 0};
        if (!p->link[body]) continue;
        for (hsize_t k = 0; k < 2 * p->joints; k++) {
            double x[2];
            if (p->joint_body[k] != (int32_t)body) continue;
            to_world(p, (int)body, p->joint_point + 3 * k, x);
            if (drawn++)
                fprintf(p->out, "<line class='bar' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f'/>\n", px(p, before[0]), py(p, before[1]), px(p, x[0]), py(p, x[1]));
            memcpy(before, x, sizeof x);
        }
    }
    for (hsize_t i = 0; i < p->joints; i++) {
        double x[2];
        to_world(p, p->joint_body[2 * i + 1], p->joint_point + 6 * i + 3, x);
        const bool ground = p->joint_body[2 * i] < 0 || p->joint_body[2 * i + 1] < 0;
        fprintf(p->out, "<circle class='%s' cx='%.1f' cy='%.1f' r='%.1f'/>\n", ground ? "pivot" : "hinge", px(p, x[0]), py(p, x[1]), ground ? 7.0 : 5.0);
    }
}

/* Normal forces from centre to centre; the widest is the largest of the frame. */
static void draw_forces(picture *p)
{
    double largest = 0;
    for (hsize_t i = p->contact_first; i < p->contacts; i++) largest = fmax(largest, p->force[3 * i]);
    for (hsize_t i = p->contact_first; i < p->contacts; i++) {
        const double f = p->force[3 * i] / largest;
        double end[2][2];
        if (!(f > 0.02)) continue;
        for (int side = 0; side < 2; side++) {
            const int body = p->contact_body[2 * i + (hsize_t)side];
            if (p->body_kind[body] == 0 && !p->link[body]) memcpy(end[side], p->pose + 3 * body, sizeof end[side]);
            else memcpy(end[side], p->contact_point + 3 * i, sizeof end[side]);
        }
        fprintf(p->out, "<line class='force' x1='%.1f' y1='%.1f' x2='%.1f' y2='%.1f' stroke-width='%.2f'/>\n", px(p, end[0][0]), py(p, end[0][1]),
                px(p, end[1][0]), py(p, end[1][1]), 0.4 + 6 * f);
    }
}

static void draw_legend(picture *p, double time)
{
    const double height = (p->high[1] - p->low[1]) * p->scale, wanted = 0.15 * (p->high[0] - p->low[0]);
    double bar = pow(10, floor(log10(wanted)));
    bar *= wanted / bar >= 5 ? 5 : wanted / bar >= 2 ? 2 : 1;
    fprintf(p->out, "<path class='scale' d='M20 %.0fv-6v6h%.1fv-6'/><text x='%.1f' y='%.0f'>%g mm</text>", height - 16, bar * p->scale, 28 + bar * p->scale,
            height - 14, 1e3 * bar);
    fprintf(p->out, "<text x='%d' y='%.0f' text-anchor='end'>t = %.3g s</text>\n", WIDTH - 20, height - 14, time);
}

static void draw(picture *p, double time)
{
    const double height = (p->high[1] - p->low[1]) * p->scale;
    fprintf(p->out, "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %.0f' width='%d' height='%.0f'>\n", WIDTH, height, WIDTH, height);
    fputs("<style>.grain{fill:#d9d2c5;stroke:#8a8172;stroke-width:.8}.s1{fill:#cfc7b8}.s2{fill:#e3ddd2}.s3{fill:#c5bcab}.s4{fill:#ece8df}.wall{fill:#6b7280}\n"
          ".wallline{stroke:#6b7280;stroke-linecap:round}.tool{fill:#2f6690;stroke:#1d4360}.toolline{stroke:#2f6690;stroke-linecap:round}.mark{stroke:#8a8172;"
          "stroke-width:.8}\n"
          ".bar{stroke:#3a7ca5;stroke-width:7;stroke-linecap:round}.hinge,.pivot{fill:#fff;stroke:#1d4360;stroke-width:2}.pivot{fill:#1d4360}\n"
          ".force{stroke:#c1432e;stroke-linecap:round;opacity:.85}.scale{fill:none;stroke:#6b7280;stroke-width:1.5}text{font:14px "
          "sans-serif;fill:#6b7280}</style>\n",
          p->out);
    fprintf(p->out, "<rect width='%d' height='%.0f' fill='#fbfaf7'/>\n", WIDTH, height);
    for (hsize_t i = 0; i < p->shapes; i++)
        if (p->shape_kind[i] == 3) draw_half_plane(p, i);
        else draw_shape(p, i);
    draw_forces(p);
    draw_links(p);
    draw_legend(p, time);
    fputs("</svg>\n", p->out);
}

talus_status talus_picture_write(const char *directory, double time, const char *path, char *message, size_t message_size)
{
    char name[4096];
    picture p = {0};
    tl_error error = {0};
    double at = 0;
    snprintf(name, sizeof name, "%s/trajectory.h5", directory);
    const hid_t file = tl_h5_open(name, &error);
    talus_status status = file < 0 ? TALUS_IO : TALUS_OK;
    if (status == TALUS_OK && !read_frame(&p, file, time, &at)) status = tl_fail(&error, TALUS_INPUT, "'%s' holds no frame of a planar run", name);
    if (file >= 0) H5Fclose(file);
    if (status == TALUS_OK) {
        p.out = fopen(path, "w");
        if (p.out) {
            measure(&p);
            draw(&p, at);
        }
        if (!p.out || fclose(p.out) != 0) status = tl_fail(&error, TALUS_IO, "cannot write '%s': %s", path, strerror(errno));
    }
    free_picture(&p);
    if (message) snprintf(message, message_size, "%s", error.text);
    return status;
}

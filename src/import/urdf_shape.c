/* <collision> and <visual>. */
#include "import/urdf.h"

#include <string.h>

static double positive(tl_notes *n, const tl_xml *e, const char *name)
{
    const int before = n->mistakes;
    const double x = tl_urdf_required(n, e, name);
    if (n->mistakes == before && !(x > 0)) tl_note_add(n, e, true, "%s of <%s> is %g; it must be positive", name, e->name, x);
    return x;
}

static void read_box(tl_notes *n, const tl_xml *e, tl_urdf_shape *s)
{
    double size[3] = {0};
    const int before = n->mistakes;
    tl_urdf_check(n, e, "", "size");
    if (!tl_xml_get(e, "size")) tl_note_add(n, e, true, "<box> has no attribute 'size'");
    tl_urdf_numbers(n, e, "size", 3, size);
    s->form = URDF_BOX, s->size = tl_load3(size);
    if (n->mistakes == before && !(fmin(size[0], fmin(size[1], size[2])) > 0))
        tl_note_add(n, e, true, "size of <box> is %g %g %g; all three must be positive", size[0], size[1], size[2]);
}

static void read_mesh(tl_notes *n, const tl_xml *e, tl_urdf_shape *s)
{
    double scale[3] = {1, 1, 1};
    tl_urdf_check(n, e, "", "filename scale");
    s->form = URDF_MESH, s->file = tl_xml_get(e, "filename");
    if (!s->file || !*s->file) tl_note_add(n, e, true, "<mesh> has no attribute 'filename'");
    tl_urdf_numbers(n, e, "scale", 3, scale);
    s->scale = tl_load3(scale);
    if (scale[0] * scale[1] * scale[2] == 0) tl_note_add(n, e, true, "scale of <mesh> is %g %g %g; none may be zero", scale[0], scale[1], scale[2]);
}

/* False: none that is known. */
static bool read_form(tl_notes *n, const tl_xml *geometry, tl_urdf_shape *s)
{
    const tl_xml *e;
    tl_urdf_check(n, geometry, "box cylinder sphere capsule mesh", "");
    if ((e = tl_xml_child(geometry, "box"))) read_box(n, e, s);
    else if ((e = tl_xml_child(geometry, "mesh"))) read_mesh(n, e, s);
    else if ((e = tl_xml_child(geometry, "sphere"))) {
        tl_urdf_check(n, e, "", "radius");
        s->form = URDF_SPHERE, s->radius = positive(n, e, "radius");
    } else if ((e = tl_xml_child(geometry, "cylinder")) || (e = tl_xml_child(geometry, "capsule"))) {
        tl_urdf_check(n, e, "", "radius length");
        s->form = e->name[1] == 'y' ? URDF_CYLINDER : URDF_CAPSULE;
        s->radius = positive(n, e, "radius"), s->length = positive(n, e, "length");
    } else {
        tl_note_add(n, geometry, false, "this <geometry> has no shape that is known: box, cylinder, sphere, capsule or mesh; nothing collides there");
        return false;
    }
    s->at = e;
    return true;
}

bool tl_urdf_read_shape(tl_urdf *r, const tl_xml *e, int link)
{
    tl_urdf_shape s = {.link = link, .visual = e->name[0] == 'v'};
    const tl_xml *geometry = tl_xml_child(e, "geometry"), *colour = tl_xml_child(e, "material");
    const int before = r->notes->mistakes;
    tl_urdf_check(r->notes, e, s.visual ? "origin geometry material" : "origin geometry", "name");
    if (s.visual && colour && !r->first_colour) r->first_colour = colour;
    if (!geometry) tl_note_add(r->notes, e, true, "<%s> of link '%.100s' has no <geometry>", e->name, r->link[link].name);
    s.place = tl_urdf_origin(r->notes, e, &s.rpy);
    if (!geometry || !read_form(r->notes, geometry, &s) || r->notes->mistakes > before) return false;
    r->shape[r->shapes] = s;
    return true;
}

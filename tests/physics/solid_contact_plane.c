/* Contact of deformable solids in the plane: their nodes press into others (theory §10.4). */
#include "planar.h"

enum { PIECES = 50, NODES = 2 * (PIECES + 1) };

/* A bar of squares along y from `low` on. */
static talus_solid_id make_bar(talus_world *w, talus_material_id m, double low, double wide, double high, const double material_[4], double fall)
{
    double x[NODES][3];
    uint8_t kind[PIECES];
    int node[4 * PIECES];
    talus_solid_region region = {.material = talus_solid_material_find("elastic"), .parameter = {material_[0], material_[1]}, .density = material_[2]};
    talus_solid_def d = talus_solid_def_default();
    talus_solid_contact c = talus_solid_contact_default();
    talus_solid_id id = {0};
    for (int i = 0; i < NODES; i++) x[i][0] = i % 2 ? wide / 2 : -wide / 2, x[i][1] = low + high * (i / 2) / PIECES, x[i][2] = 0;
    for (int e = 0; e < PIECES; e++) {
        const int corner[4] = {2 * e, 2 * e + 1, 2 * e + 3, 2 * e + 2};
        kind[e] = (uint8_t)talus_element_find("quadrilateral4");
        for (int k = 0; k < 4; k++) node[4 * e + k] = corner[k];
    }
    d.name = "bar";
    d.nodes = NODES, d.position = (const double(*)[3])x;
    d.elements = PIECES, d.kind = kind, d.node = node;
    d.regions = 1, d.region = &region;
    d.velocity[1] = -fall;
    d.damping_mass = material_[3];
    CHECK_OK(talus_solid_create(w, &d, &id), talus_world_error(w));
    c.material = m, c.nodes = true;
    CHECK(talus_solid_add_contact(w, id, &c) == TALUS_UNSUPPORTED && strstr(talus_world_error(w), "'bar': in the plane"));
    c.surface = false;
    CHECK_OK(talus_solid_add_contact(w, id, &c), talus_world_error(w));
    CHECK(talus_solid_add_contact(w, id, &c) == TALUS_INPUT && strstr(talus_world_error(w), "said twice"));
    return id;
}

/* A bar against a wall keeps touching for 2L/c and loses the energy of what strikes first (as in space). */
TEST(bar_on_wall)
{
    const double c = 1000, density = 1000, speed_ = 2, size = 1.0 / PIECES, h = 0.5 * size / c, wide = 0.1;
    talus_world_def def = lab(h);
    def.gravity[1] = 0;
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "steel", 1);
    law(w, 0, 0);
    const double of[4] = {c * c * density, 0, density, 0};
    const talus_solid_id id = make_bar(w, m, 7.5 * h * speed_, wide, 1, of, speed_);
    (void)wall(w, m, 0, 0, 0, 1);
    double lasts = 0, first = 0, last = 0, gain = 0;
    for (int k = 0; k < 270 && !test_failures; k++) {
        double kinetic, potential, push = 0;
        (void)step(w);
        talus_world_energy(w, &kinetic, &potential);
        if (k == 0) first = kinetic + potential;
        else gain = fmax(gain, kinetic + potential - last);
        last = kinetic + potential;
        for (int i = 0; i < talus_contact_count(w); i++) {
            talus_contact t;
            talus_contact_get(w, i, &t);
            push += t.impulse[0];
        }
        if (push > 0) lasts += h;
    }
    CHECK_CLOSE(first - last, 0.5 * density * wide * sqrt(size * size / 4 + 0.25 * h * h * c * c) * speed_ * speed_, 1e-5);
    CHECK(gain < 1e-9);
    CHECK_NEAR(lasts, 2 / c, 4 * size / c + 2 * h);
    CHECK(speed(w, talus_solid_body(w, id), 1) > 0.95 * speed_);
    talus_world_destroy(w);
}

/* It stands under its weight: what the wall carries, and by how much it is shorter, ρ g L²/(2 E'), with the stress along z of plane strain in E'. */
TEST(stands)
{
    const double h = 1e-3, young = 1e6, density = 1000, wide = 0.02;
    const talus_world_def def = lab(h);
    talus_world *w = open_world(&def);
    const talus_material_id m = material(w, "rubber", 1);
    law(w, 0, 0);
    const double of[4] = {young, 0, density, 30};
    const talus_solid_id id = make_bar(w, m, 0, wide, 1, of, 0);
    (void)wall(w, m, 0, 0, 0, 1);
    run(w, 2000);
    double push = 0, u[NODES][3];
    for (int i = 0; i < talus_contact_count(w); i++) {
        talus_contact t;
        talus_contact_get(w, i, &t);
        push += t.impulse[0] / h;
    }
    talus_solid_motion(w, id, u, NULL);
    CHECK_CLOSE(push, density * wide * G, 1e-6);
    for (int i = 0; i < 2; i++) CHECK_CLOSE(u[NODES - 2 + i][1], -density * G / (2 * young), 1e-6);
    talus_world_destroy(w);
}

int main(int argc, char **argv)
{
    RUN(bar_on_wall);
    RUN(stands);
    return TEST_RESULT;
}

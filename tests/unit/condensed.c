/* Large matter condensed over near ports (solve/condensed.h): once all are told of far impulses, ports move as the matter itself makes them. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "matter/solid.h"
#include "solid/element.h"
#include "solid/material.h"
#include "solve/condensed.h"
#include "step/schemes.h"
#include "random3.h"
#include "test.h"

enum { ACROSS = 24, NODES = 2 * (ACROSS + 1) * (ACROSS + 1), PORTS = 150, AXES = 3 };

/* A slab of soil, 24 x 24 elements of 1 cm and one below the other, held at the bottom; contacts are expected on top. */
static tl_matter *make_slab(void)
{
    static double x[NODES][3];
    static const tl_element_kind *kind[ACROSS * ACROSS];
    static int node[8 * ACROSS * ACROSS];
    const int row = ACROSS + 1, layer = row * row;
    for (int i = 0; i < NODES; i++) x[i][0] = 0.01 * (i % row), x[i][1] = 0.01 * (i % layer / row), x[i][2] = 0.01 * (i / layer - 1);
    for (int e = 0; e < ACROSS * ACROSS; e++) {
        const int first = e / ACROSS * row + e % ACROSS, corner[4] = {first, first + 1, first + row + 1, first + row};
        kind[e] = &TL_HEXAHEDRON8;
        for (int k = 0; k < 8; k++) node[8 * e + k] = corner[k % 4] + layer * (k / 4);
    }
    const tl_solid_region region = {.material = {&TL_ELASTIC, {20e6, 0.3}}, .strain = TALUS_STRAIN_ENHANCED, .density = 2000};
    const tl_solid_def def = {.name = "slab", .mesh = {3, NODES, ACROSS * ACROSS, (const double(*)[3])x, kind, node}, .regions = 1, .region = &region};
    tl_matter *m = NULL;
    tl_error error = {0};
    const char *warnings = NULL;
    MUST(tl_solid_create(tl_memory_default(), &def, &m, &error), error);
    for (int i = 0; i < layer; i++)
        for (int a = 0; a < 3; a++) MUST(tl_solid_hold(m, i, a, NULL, &error), error);
    for (int i = layer; i < NODES; i++) tl_solid_expect(m, i);
    MUST(m->ops->assemble(m, 0, &warnings, &error), error);
    return m;
}

/* The largest difference of a port's velocity from that of the matter, by the largest velocity. */
static double difference(const tl_stand_ins *s, const tl_port *port, const double *own)
{
    double worst = 0, size = 0;
    for (int i = 0; i < PORTS; i++) {
        double V[3], U[3];
        s->matter[1]->ops->velocity(s->matter[1], &port[i], s->v[1], false, V);
        s->of[1]->ops->velocity(s->of[1], &port[i], own, false, U);
        for (int a = 0; a < 3; a++) worst = fmax(worst, fabs(V[a] - U[a])), size = fmax(size, fabs(U[a]));
    }
    return worst / size;
}

TEST(far_ports)
{
    tl_error error = {0};

    tl_arena *arena = tl_arena_create(tl_memory_default(), 1 << 20);
    tl_threads *threads = tl_threads_create(tl_memory_default(), 2);
    tl_matter *slab = make_slab(), *of[2] = {NULL, slab};
    tl_step step = {.h = 2e-4, .theta = 0.5, .force_passes = 2, .arena = arena, .threads = threads, .error = &error};
    tl_port port[PORTS] = {{0}};
    bool first[PORTS];
    MUST(tl_moreau_predict(slab, &step), error);
    for (int i = 0; i < PORTS; i++) {
        port[i].item = NODES - 1 - tl_random_int(&rnd, NODES / 2);
        tl_store3(port[i].x, slab->ops->frame(slab, port[i].item).p);
        tl_vec3 n, t, s;
        n = random_direction();
        tl_tangents(n, &t, &s);
        tl_store3(port[i].axes[0], n), tl_store3(port[i].axes[1], t), tl_store3(port[i].axes[2], s);
        first[i] = i % 5 == 0;
    }
    MUST(slab->ops->bind(slab, &step, port, PORTS), error);
    double *own = calloc((size_t)slab->nv, sizeof *own), *given[2] = {NULL, own};
    for (int i = 0; i < slab->nv; i++) own[i] = i < slab->nv / 2 ? 0 : uniform(-1, 1);
    tl_stand_ins s = {.matters = 2, .of = of, .v_of = given};
    MUST(tl_condense(&s, 1, &(tl_port_list){port, first, PORTS, AXES}, &step), error);
    CHECK(tl_stands_in(&s, 1));
    tl_stand_ins_start(&s);
    CHECK(difference(&s, port, own) < 1e-14);
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < PORTS; i++) {
            const double I[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
            if (tl_random_int(&rnd, 3) > 0) continue;
            s.matter[1]->ops->impulse(s.matter[1], &port[i], I, s.v[1]);
            slab->ops->impulse(slab, &port[i], I, own);
        }
        CHECK(difference(&s, port, own) > 1e-6); /* far ports have not been told */
        tl_stand_ins_tell(&s, NULL);
        CHECK(difference(&s, port, own) < 1e-12);
    }
    /* A later solve of the step, from the start again: the ports are what they were, thus so is what they do to one another. */
    tl_port again[PORTS];
    memcpy(again, port, sizeof port);
    for (int i = 0; i < PORTS; i++) again[i].number = again[i].slot = -1;
    tl_stand_ins later = {.matters = 2, .of = of, .v_of = given};
    const tl_port_list list = {again, first, PORTS, AXES};
    CHECK(tl_condense_again(&later, 1, &list, &step) && tl_stands_in(&later, 1));
    tl_stand_ins_start(&later);
    for (int i = 0; i < PORTS; i++) {
        const double I[3] = {uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)};
        later.matter[1]->ops->impulse(later.matter[1], &again[i], I, later.v[1]);
        slab->ops->impulse(slab, &port[i], I, own);
    }
    tl_stand_ins_tell(&later, NULL);
    CHECK(difference(&later, again, own) < 1e-12);
    again[7].x[0] += 1e-9;
    CHECK(!tl_condense_again(&later, 1, &list, &step));
    again[7].x[0] = port[7].x[0];
    CHECK(tl_condense_again(&later, 1, &list, &step));
    MUST(tl_moreau_predict(slab, &step), error); /* M̃ may be another one now */
    CHECK(!tl_condense_again(&later, 1, &list, &step));
    free(own);
    slab->ops->destroy(slab);
    tl_threads_destroy(threads);
    tl_arena_destroy(arena);
}

int main(int argc, char **argv)
{
    rnd = tl_random_seed(7);
    RUN(far_ports);
    return TEST_RESULT;
}

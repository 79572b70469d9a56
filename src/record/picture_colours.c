/* Colours. The scale of numbers falls evenly in lightness, so that it reads the same on a grey print. */
#include <math.h>
#include <stdlib.h>

#include "record/picture.h"

const tl_colour TL_PAPER = {0.984, 0.980, 0.969}, TL_INK = {0.28, 0.31, 0.36}, TL_FORCE = {0.757, 0.263, 0.180}, TL_LINK = {0.184, 0.400, 0.565},
                TL_WALL = {0.478, 0.506, 0.553};

/* Stones are never of quite the same tone. */
static const tl_colour STONE[] = {{0.851, 0.824, 0.773}, {0.812, 0.780, 0.722}, {0.890, 0.867, 0.824}, {0.773, 0.737, 0.671}, {0.918, 0.898, 0.863}};
static const tl_colour RAMP[] = {{0.957, 0.925, 0.820}, {0.816, 0.863, 0.651}, {0.561, 0.776, 0.600}, {0.290, 0.651, 0.604},
                                 {0.165, 0.502, 0.588}, {0.169, 0.333, 0.537}, {0.180, 0.145, 0.380}};
static const tl_colour MATERIAL[] = {{0.835, 0.745, 0.604}, {0.337, 0.545, 0.678}, {0.698, 0.435, 0.353}, {0.522, 0.639, 0.412},
                                     {0.545, 0.467, 0.639}, {0.878, 0.671, 0.306}, {0.369, 0.435, 0.478}, {0.792, 0.576, 0.647}};
enum { STONES = sizeof STONE / sizeof *STONE, STOPS = sizeof RAMP / sizeof *RAMP, MATERIALS = sizeof MATERIAL / sizeof *MATERIAL };

tl_colour tl_mix(tl_colour a, tl_colour b, double t) { return (tl_colour){a.r + t * (b.r - a.r), a.g + t * (b.g - a.g), a.b + t * (b.b - a.b)}; }

void tl_ink(const tl_picture *p, tl_colour c, double opacity) { cairo_set_source_rgba(p->cr, c.r, c.g, c.b, opacity); }

tl_colour tl_ramp(double at)
{
    const double x = (at > 0 ? at < 1 ? at : 1 : 0) * (STOPS - 1); /* a value that is no number is pale */
    const int k = x < STOPS - 1 ? (int)x : STOPS - 2;
    return tl_mix(RAMP[k], RAMP[k + 1], x - k);
}

/* Beyond the table the same hues come again, darker. */
tl_colour tl_material_colour(int material)
{
    if (material < 0) return TL_WALL;
    const int turn = material / MATERIALS;
    return tl_darker(MATERIAL[material % MATERIALS], pow(0.75, turn < 4 ? turn : 4));
}

/* What belongs to no body alone is quiet: steel of pistons, brass of motors, hemp of ropes. */
tl_colour tl_picture_part_colour(const tl_picture *p, const tl_part *part)
{
    static const tl_colour STEEL = {0.80, 0.82, 0.85}, BRASS = {0.80, 0.52, 0.24}, SPRING = {0.36, 0.50, 0.42}, HEMP = {0.50, 0.42, 0.30};
    const bool material = p->def->colour == TALUS_PICTURE_MATERIAL, ground = part->owner < 0 || !p->run->body[part->owner].link;
    switch (part->kind) {
    case PART_RAM:
    case PART_PISTON: return STEEL;
    case PART_RAIL:
    case PART_THREAD:
    case PART_PLATE: return tl_darker(STEEL, 0.75);
    case PART_SPIRAL:
    case PART_SPRING: return SPRING;
    case PART_DAMPER: return tl_mix(SPRING, STEEL, 0.4);
    case PART_ROPE: return HEMP;
    case PART_MOTOR: return BRASS;
    case PART_PIN:
    case PART_FOOT:
    case PART_WELD:
    case PART_BALL: return tl_darker(TL_LINK, 0.62);
    case PART_SLEEVE: return tl_darker(TL_LINK, 0.8);
    case PART_BAR:
    case PART_WHEEL:
    case PART_STRUT:
    case PART_KINDS: break;
    }
    return material || ground ? TL_LINK : p->colour[part->owner];
}

static tl_colour role(const tl_picture *p, int body)
{
    static const tl_colour SOIL = {0.706, 0.639, 0.561};
    if (p->run->body[body].solid) return SOIL;
    if (p->run->body[tl_replay_original(p->run, body)].link) return TL_LINK;
    return tl_replay_kind_in(p->run, p->frame, body) == 0 ? STONE[((uint32_t)tl_replay_original(p->run, body) * 2654435769u >> 8) % STONES] : TL_WALL;
}

/* The number that colours a body: its speed, which in a sheared cell a copy has of its own, or the largest normal force on it. */
static void measure_bodies(const tl_picture *p, double *value)
{
    const tl_replay_frame *f = p->frame;
    if (p->def->colour == TALUS_PICTURE_VELOCITY) {
        for (int i = 0; i < p->run->bodies; i++) {
            const double *v = f->velocity[tl_replay_is_there(f, i) ? i : tl_replay_original(p->run, i)];
            value[i] = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
        }
        return;
    }
    for (int i = 0; i < f->contacts; i++)
        for (int side = 0; side < 2; side++) value[f->body[i][side]] = fmax(value[f->body[i][side]], f->force[i][0]);
    tl_replay_share(p->run, value);
}

/* Whether a scale of numbers is for it, too: what is fixed and what is not seen do not count. */
static bool counts(const tl_picture *p, int body)
{
    return tl_replay_kind_in(p->run, p->frame, body) != 1 && !p->run->body[body].solid && tl_picture_shows(p, body);
}

static bool by_number(const tl_picture *p) { return p->def->colour == TALUS_PICTURE_VELOCITY || p->def->colour == TALUS_PICTURE_FORCE; }

/* The scale ends at the largest value; among many bodies at the one that two in a hundred exceed, for one flying stone must not make all others pale. */
bool tl_picture_measure_colours(const tl_picture *p, tl_picture_range *out)
{
    int moving = 0;
    *out = (tl_picture_range){0};
    if (!by_number(p)) return tl_picture_measure_meshes(p, out);
    double *value = calloc((size_t)p->run->bodies + 1, sizeof *value), *sorted = calloc((size_t)p->run->bodies + 1, sizeof *sorted);
    if (value && sorted) {
        measure_bodies(p, value);
        for (int i = 0; i < p->run->bodies; i++)
            if (counts(p, i) && isfinite(value[i])) sorted[moving++] = value[i];
        qsort(sorted, (size_t)moving, sizeof *sorted, tl_rising);
        const int last = moving >= 50 ? moving - 1 - moving / 50 : moving - 1;
        if (moving) *out = (tl_picture_range){.end = sorted[last], .least = sorted[0], .largest = sorted[moving - 1]};
    }
    const bool done = value && sorted && tl_picture_measure_meshes(p, out);
    free(value);
    free(sorted);
    return done;
}

void tl_picture_name_colours(tl_picture *p)
{
    switch (p->def->colour) {
    case TALUS_PICTURE_VELOCITY: p->meaning = (tl_colour_scale){.caption = "speed", .unit = "m/s"}; break;
    case TALUS_PICTURE_FORCE: p->meaning = (tl_colour_scale){.caption = "largest contact force", .unit = "N"}; break;
    case TALUS_PICTURE_MATERIAL: p->meaning = (tl_colour_scale){.caption = "material"}; break;
    case TALUS_PICTURE_VON_MISES: p->meaning = (tl_colour_scale){.caption = "von Mises stress", .unit = "Pa"}; break;
    case TALUS_PICTURE_PRESSURE: p->meaning = (tl_colour_scale){.caption = "pressure", .unit = "Pa"}; break;
    case TALUS_PICTURE_DISPLACEMENT: p->meaning = (tl_colour_scale){.caption = "displacement", .unit = "m"}; break;
    case TALUS_PICTURE_PLASTIC_STRAIN: p->meaning = (tl_colour_scale){.caption = "plastic strain", .unit = ""}; break;
    case TALUS_PICTURE_CAP: p->meaning = (tl_colour_scale){.caption = "cap", .unit = "Pa"}; break;
    case TALUS_PICTURE_ROLE: p->meaning = (tl_colour_scale){0}; break;
    }
}

bool tl_picture_choose_colours(tl_picture *p)
{
    const double low = p->meaning.low, range = p->meaning.high - low;
    double *value = by_number(p) ? calloc((size_t)p->run->bodies + 1, sizeof *value) : NULL;
    if (by_number(p) && !value) return false;
    if (value) measure_bodies(p, value);
    for (int i = 0; i < p->run->bodies; i++)
        p->colour[i] = !value || p->run->body[i].solid               ? role(p, i)
                       : tl_replay_kind_in(p->run, p->frame, i) == 1 ? TL_WALL
                                                                     : tl_ramp(range > 0 ? (value[i] - low) / range : 0);
    free(value);
    tl_picture_colour_meshes(p);
    return true;
}

tl_colour tl_picture_colour(const tl_picture *p, const tl_replay_shape *s)
{
    return p->def->colour == TALUS_PICTURE_MATERIAL ? tl_material_colour(s->material) : p->colour[s->body];
}

/* The part of the scene language's table that describes probes, and regions of them and of grains. */
#include "scene/schema.h"

/* one key a line: */
/* clang-format off */
#define END {.name = NULL}

static const tl_key REGION_BOX[] = {
    {.name = "size", .type = KEY_VECTOR, .unit = "m", .required = true, .text = ""},
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = ""},
    {.name = "angle", .type = KEY_QUANTITY, .unit = "rad", .fallback = "0", .dimension = 2, .other = "orientation", .text = ""},
    {.name = "orientation", .type = KEY_OBJECT, .sub = TL_ORIENTATION_KEYS, .dimension = 3, .other = "angle", .text = ""},
    END};

static const tl_key REGION_BALL[] = {
    {.name = "centre", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = ""},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    END};

static const tl_key REGION_CYLINDER[] = {
    {.name = "from", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "centre of one end"},
    {.name = "to", .type = KEY_VECTOR, .unit = "m", .required = true, .text = "of the other"},
    {.name = "radius", .type = KEY_QUANTITY, .unit = "m", .positive = true, .required = true, .text = ""},
    END};

const tl_key TL_REGION_KEYS[] = {
    {.name = "box", .type = KEY_OBJECT, .sub = REGION_BOX, .text = "a box that may be turned"},
    {.name = "disk", .type = KEY_OBJECT, .sub = REGION_BALL, .dimension = 2, .other = "sphere", .text = ""},
    {.name = "sphere", .type = KEY_OBJECT, .sub = REGION_BALL, .dimension = 3, .other = "disk", .text = ""},
    {.name = "cylinder", .type = KEY_OBJECT, .sub = REGION_CYLINDER, .dimension = 3, .text = ""},
    END};

const tl_key TL_PROBE_KEYS[] = {
    {.name = "joint", .type = KEY_REFERENCE, .choices = "coordinate", .text = "position, velocity, force or drive of a joint coordinate. force: of all that acts in it, friction, stops, springs and drives with a limit; of a coordinate whose drive has no limit, what that needs. drive: of the drive alone, with a limit or without"},
    {.name = "rope", .type = KEY_REFERENCE, .choices = "rope", .text = "its pull, of a strut or rod that pushes negative, the mean of the step (penalty_rk4: at its end); of a chain, chain.3 is the third"},
    {.name = "body", .type = KEY_REFERENCE, .choices = "grain", .text = "x, y, z, angle, vx, vy, vz, ax, ay, az or angular_velocity of a body, a…: its acceleration, the mean of the step; ballast.17 is the 17th of the grains named ballast"},
    {.name = "coupling", .type = KEY_REFERENCE, .choices = "coupling", .text = "position, velocity or force of a coupling: x, ẋ and what acts along x"},
    {.name = "engine", .type = KEY_REFERENCE, .choices = "engine", .text = "torque on its shaft, power, rack, throttle; fuel and heat per time, total fuel since the start: as it stands after the step"},
    {.name = "converter", .type = KEY_REFERENCE, .choices = "converter", .text = "torques of pump and turbine, speed_ratio, efficiency, heat: as it stands after the step"},
    {.name = "input", .type = KEY_REFERENCE, .choices = "input", .text = "value of an input"},
    {.name = "loop", .type = KEY_REFERENCE, .choices = "loop", .text = "force, x, y, z or moment of a loop's reaction; force and, in space, moment are magnitudes. A rod, and a loop of coordinates, has a force alone, "
             "in N or N m as its first coordinate"},
    {.name = "compactness", .type = KEY_REFERENCE, .choices = "grains", .text = "area of these grains in a region, over its area; in space volumes"},
    {.name = "coordination", .type = KEY_REFERENCE, .choices = "grains",
     .text = "mean number of other bodies that press on one of these grains in the last step, however many points they touch it at; walls count. "
             "all: of all these grains; without_rattlers: of those that two or more bodies press on (Thornton 2000, Géotechnique 50(1) 43–53). 0 when there are none"},
    {.name = "grains", .type = KEY_REFERENCE, .choices = "all, or grains", .text = "x, y, z, vx, vy or vz of these grains' origins, mean by mass, along the world's axes; in a sheared cell give a region: without one a body counts with its own velocity, whichever copy of the cell it has come to"},
    {.name = "number", .type = KEY_REFERENCE, .choices = "all, or grains", .text = "how many of these grains have their origin in the region; all: of all free bodies"},
    {.name = "mass", .type = KEY_REFERENCE, .choices = "all, or grains", .text = "of these"},
    {.name = "stress", .type = KEY_REFERENCE, .choices = "all, or grains",
     .text = "mean, xx, yy, zz, xy, xz, yz, yx, zx or zy of the Love–Weber stress of a region, pressure positive: 1/V sum of f ⊗ l, xy: of f_x l_y, over the contacts that press on these grains in the last "
             "step, f the force on the grain, l the part in the region of the way from the contact to the grain's origin. It is symmetric where moments of all grains are in balance. In the plane N/m: divide by the thickness"},
    {.name = "fabric", .type = KEY_REFERENCE, .choices = "all, or grains", .text = "xx, yy, zz, xy, xz or yz of the mean of n ⊗ n over the contacts in the region that press on these grains"},
    {.name = "temperature", .type = KEY_REFERENCE, .choices = "all, or grains",
     .text = "the granular temperature of these grains, sum of m |v - mean v|^2 / (D sum of m) of their origins in D dimensions (Campbell 1990, Annu. Rev. Fluid Mech. 22, 57–92); in a sheared cell give a region, as for `grains`"},
    {.name = "flow", .type = KEY_REFERENCE, .choices = "all, or grains",
     .text = "of these grains through a plane, those along `normal` less those against it, by their origins: rate [kg/s], or number or mass since the start; with a region of those that are in it as they have passed"},
    {.name = "dissipation", .type = KEY_REFERENCE, .choices = "all, or grains",
     .text = "what contacts have taken from the motion since the start, under scheme moreau: total, or of it normal (impacts), friction, or rolling (moments against rolling and spinning); power: that of the last step. all: of all "
             "contacts; else of those that one of these grains has. Kinetic energy changes by that and by the work of forces, exactly"},
    {.name = "source", .type = KEY_REFERENCE, .choices = "source", .text = "mass or number of the grains that a source let come since the start"},
    {.name = "sink", .type = KEY_REFERENCE, .choices = "sink", .text = "mass or number of the grains that a sink took"},
    {.name = "body_joint", .type = KEY_REFERENCE, .choices = "joint between bodies",
     .text = "hinge: magnitude, x, y, z or moment of what a exerts on b there, in space a moment's magnitude, the mean of the step (generalized_alpha: at its end); hinge.angle: position or velocity of the coordinate, or force of its drive"},
    {.name = "contact_force", .type = KEY_REFERENCE, .choices = "grain", .text = "magnitude, x, y or z of the sum of contact forces on a body; ropes do not count"},
    {.name = "state", .type = KEY_REFERENCE, .choices = "state", .text = "of a mechanism"},
    {.name = "energy", .type = KEY_WORD, .choices = "kinetic potential total oil damped", .text = "of everything: the potential one is that of weights, springs, what deforms, oil and gas, not of springs in contacts; oil: what oil and gas of circuits store, which is in the potential one, too; damped: what the method has taken from them since the start"},
    {.name = "pressure", .type = KEY_TEXT, .text = "of a line, or of a chamber: CYLINDER.cap; of tank, and of the rod side of a single_acting cylinder, it is 0"},
    {.name = "oil", .type = KEY_TEXT, .text = "in a line or chamber, its volume at atmospheric pressure"},
    {.name = "valve", .type = KEY_TEXT, .text = "flow, power that is lost (of a pump what it gives, negative) and the work of it since the start; of valves and pumps, and of the leakage of cylinders and motors"},
    {.name = "cylinder", .type = KEY_TEXT, .text = "force of the pressures, position, velocity, or resistance of friction and stops"},
    {.name = "motor", .type = KEY_TEXT, .text = "moment of the pressures, flow by its rate, or velocity"},
    {.name = "displacement", .type = KEY_REFERENCE, .choices = "solid",
     .text = "x, y, z of how far a point of a finite-element solid is from where it was without strain, vx, vy, vz of its velocity; at: of that point, on: the mean of these groups' nodes"},
    {.name = "solid_stress", .type = KEY_REFERENCE, .choices = "solid",
     .text = "mean, von_mises, xx, yy, zz (in the plane, too), xy, xz or yz of the stress of a finite-element solid, pull positive, the mean of the element that the point `at` lies in"},
    {.name = "solid_yield", .type = KEY_REFERENCE, .choices = "solid",
     .text = "how a finite-element solid has yielded, the mean of the element that the point `at` lies in: plastic_strain, the root of the sum of squares of that tensor, or cap, "
             "the trace of stress, taken positive, at which it begins to compact now. 0 where its material does not yield, or has no cap"},
    {.name = "resultant", .type = KEY_REFERENCE, .choices = "solid",
     .text = "magnitude, x, y or z of what acts on nodes of a finite-element solid besides its weight and its loads, the mean of the step: of what holds or moves them, of contacts, of absorbing faces"},
    {.name = "solid_energy", .type = KEY_REFERENCE, .choices = "solid", .text = "kinetic, or elastic: what its strains store, of a finite-element solid"},
    {.name = "solid_torn", .type = KEY_REFERENCE, .choices = "solid", .text = "mass, or number, of the particles that a meshfree solid has let go of (torn: let_go)"},
    {.name = "from", .type = KEY_REFERENCE, .choices = "grain", .fallback = "all", .text = "contact_force: of the contacts with this body only"},
    {.name = "quantity", .type = KEY_WORD, .choices = "position velocity force x y z:3 angle:2 vx vy vz:3 ax ay az:3 angular_velocity:2 wx:3 wy:3 wz:3 drive moment magnitude all without_rattlers mean xx yy zz xy xz:3 yz:3 yx zx:3 zy:3 rate number mass von_mises plastic_strain cap kinetic elastic torque power rack throttle fuel heat total pump turbine speed_ratio efficiency flow work resistance normal friction rolling", .fallback = "the first of each kind",
     .text = "which one"},
    {.name = "at", .type = KEY_VECTOR, .unit = "m", .fallback = "[0, 0]", .text = "body: point in its axes; flow: point of the plane; displacement, stress and yield of a solid: a point of it, where it is without strain"},
    {.name = "on", .type = KEY_GROUPS, .fallback = "resultant: all", .text = "displacement, resultant: groups of nodes of the solid's mesh"},
    {.name = "normal", .type = KEY_VECTOR, .unit = "", .text = "flow: of the plane"},
    {.name = "over", .type = KEY_QUANTITY, .unit = "s", .positive = true, .fallback = "the last step; flow: the interval of series.csv",
     .text = "the value, of a flow its rate, is the mean over all steps of the last whole span of this length; until the first is over, of the steps so far; spans begin anew with each stage. Forces of contacts change from step to step: a row of series.csv has one sample of them, with `over` of its interval, where that is a whole number of steps, their mean since the row before"},
    {.name = "region", .type = KEY_REGION, .sub = TL_REGION_KEYS, .unit = "m", .text = "probes of grains: two corners of a box, or a shape: of the grains that have their origin in it, without it of all. compactness and stress need one, compactness a box. In a periodic cell every copy of a grain counts for what it fills and carries, and one copy in the region for a grain"},
    {.name = "cells", .type = KEY_QUANTITIES, .unit = "", .fallback = "[1, 1]", .text = "probes of grains: the box is cut into so many along its axes, and each is a probe: NAME.3, or NAME.2.3 where it is cut along two"},
    {.name = "frame", .type = KEY_REFERENCE, .choices = "body", .fallback = "ground", .text = "probes of grains: the body in whose axes are region, plane and the components of tensors"},
    END};
/* clang-format on */

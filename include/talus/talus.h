/* talus: machines at work in stones and soil. This header brings in the whole interface.
 *
 * Every definition begins as talus_..._def_default() returns it; then members are set. `struct_size` says how much of
 * it the caller knows: definitions grow at their end only, so a program that was compiled with an older header gets the
 * defaults for what is new. One with a newer header is refused (INPUT) where it asks for something that the library
 * does not know. A NULL is refused, too, unless a comment says that it may be given. */
#ifndef TALUS_H
#define TALUS_H

#include "talus/body.h"
#include "talus/control.h"
#include "talus/driveline.h"
#include "talus/hydraulics.h"
#include "talus/joint.h"
#include "talus/material.h"
#include "talus/mechanism.h"
#include "talus/problem.h"
#include "talus/rope.h"
#include "talus/solid.h"
#include "talus/solver.h"
#include "talus/status.h"
#include "talus/types.h"
#include "talus/world.h"

#endif

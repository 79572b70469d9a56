/* talus: machines at work in stones and soil. This header brings in the whole interface. */
#ifndef TALUS_H
#define TALUS_H

#include "talus/body.h"
#include "talus/material.h"
#include "talus/mechanism.h"
#include "talus/problem.h"
#include "talus/rope.h"
#include "talus/status.h"
#include "talus/types.h"
#include "talus/world.h"

#endif

/* Control from outside: what an embedding program does between steps. Inputs of scenes are in talus/scene.h. */
#ifndef TALUS_CONTROL_H
#define TALUS_CONTROL_H

#include "talus/types.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Called where each step begins, in talus_world_step() before anything moves: it may read whatever can be read of the world, and set inputs
 * (talus_scene_input_set). What it remembers itself is no part of the world's state, unless it keeps it in an array of talus_state_add(). Anything but
 * TALUS_OK fails the step, which then has not begun. */
typedef struct talus_controller {
    talus_status (*control)(void *user, talus_world *world);
    void *user;
} talus_controller;

/* In place of the one before; NULL, or one without a function: none. */
TALUS_API void talus_world_set_controller(talus_world *world, const talus_controller *controller);

/* Asked from within a step, between its stages and every few sweeps: true, which it stays, ends talus_world_step() with TALUS_INTERRUPTED, and the state is
 * that before the step, from which a later call goes on with the same bits. A controller is called again then: what it keeps itself, it keeps of both calls.
 * The search for equilibrium does not ask. It is called by the thread that steps, and must not touch the world. */
typedef struct talus_interrupt {
    bool (*asked)(void *user);
    void *user;
} talus_interrupt;

/* In place of the one before; NULL, or one without a function: none. */
TALUS_API void talus_world_set_interrupt(talus_world *world, const talus_interrupt *interrupt);

#ifdef __cplusplus
}
#endif
#endif

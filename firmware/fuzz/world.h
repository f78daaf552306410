/* What a fuzzer drives, and what must hold whatever it does. */
#ifndef WORLD_H
#define WORLD_H

#include <stddef.h>

#include "../core/pusher.h"

/* A pusher, its hands, and a watcher who believes nothing that the core says of itself but its
 * state. Anything that must not be ends the program. */
struct world {
    struct pusher pusher;
    uint8_t raw; /* what the pins read */

    /* The watcher's own view of the inputs, and what it has seen. */
    uint8_t switch_run, estop_run;
    bool switch_on, estop_closed, seen_off;
    bool away; /* a stroke was cut short, and no hand has put the arm home */
    uint8_t state;
    uint32_t armings;
    uint16_t strokes;
    uint32_t armed_ms;
    uint16_t pulse;
    char frame[64];
    uint8_t frame_length;
};

void world_init(struct world *w, bool away);
void world_reset(struct world *w);
void world_put(struct world *w, const uint8_t *bytes, size_t length);
void world_run(struct world *w, uint32_t ms);
uint16_t world_crc(const char *body, size_t length);

#endif

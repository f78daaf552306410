/* What a test on the host needs beside the core: a pusher to hold, and its fields to look at. */
#include <stdlib.h>

#include "../core/pusher.h"

struct pusher *shim_new(uint8_t cause, bool away, uint16_t boot_id) {
    struct pusher *p = malloc(sizeof *p);
    if (p != NULL) {
        pusher_init(p, cause, away, boot_id);
    }
    return p;
}

/* A second one in the very state of the first. */
struct pusher *shim_copy(const struct pusher *p) {
    struct pusher *copy = malloc(sizeof *copy);
    if (copy != NULL) {
        *copy = *p;
    }
    return copy;
}

/* A reset: what outlives it is that the arm may be away, and the number of the start. */
void shim_reset(struct pusher *p, uint8_t cause) {
    pusher_init(p, cause, pusher_away(p), (uint16_t)(p->boot_id + 1));
}

void shim_free(struct pusher *p) { free(p); }

/* Take bytes as the chip does: real-time bytes in the interrupt, the others on the main line. */
void shim_receive(struct pusher *p, const uint8_t *bytes, uint32_t length) {
    for (uint32_t i = 0; i < length; i++) {
        if (!pusher_realtime(p, bytes[i])) {
            pusher_receive(p, bytes[i]);
        }
    }
}

uint32_t shim_send(struct pusher *p, uint8_t *bytes, uint32_t room) {
    uint32_t n = 0;
    int16_t byte;
    while (n < room && (byte = pusher_next(p)) >= 0) {
        bytes[n++] = (uint8_t)byte;
    }
    return n;
}

/* Run for some milliseconds; the pulse of each goes to `pulses` unless that is null. */
void shim_run(struct pusher *p, uint32_t ms, uint8_t raw, uint16_t *pulses) {
    for (uint32_t i = 0; i < ms; i++) {
        uint16_t pulse = pusher_tick(p, raw);
        if (pulses != NULL) {
            pulses[i] = pulse;
        }
    }
}

/* How many of all random numbers at this moment, after the very token that each gives in its first
 * round, are given it again, or 0. */
uint32_t shim_tokens(uint16_t ms) {
    uint32_t wrong = 0;
    for (uint32_t random = 0; random <= 65535; random++) {
        uint16_t first = pusher_token((uint16_t)random, ms, 0);
        uint16_t second = pusher_token((uint16_t)random, ms, first);
        wrong += first == 0 || second == 0 || second == first;
    }
    return wrong;
}

uint8_t shim_state(const struct pusher *p) { return p->state; }
uint8_t shim_fault(const struct pusher *p) { return p->fault; }
uint16_t shim_strokes(const struct pusher *p) { return p->strokes; }

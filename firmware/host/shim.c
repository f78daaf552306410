/* What a test on the host needs beside the core: a pusher to hold, and its fields to look at. */
#include <stdlib.h>

#include "../core/pusher.h"

struct pusher *shim_new(uint8_t cause, bool midpush, uint16_t boot_id) {
    struct pusher *p = malloc(sizeof *p);
    if (p != NULL) {
        pusher_init(p, cause, midpush, boot_id);
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

uint8_t shim_state(const struct pusher *p) { return p->state; }
uint8_t shim_fault(const struct pusher *p) { return p->fault; }
uint16_t shim_strokes(const struct pusher *p) { return p->strokes; }

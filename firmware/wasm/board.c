/* The core as a WebAssembly module: one pusher, and a window through which bytes go in
 * and out. */
#include "../core/pusher.h"

#include <string.h>

#define EXPORT(name) __attribute__((export_name(#name))) name
#define WINDOW 1024

static struct pusher pusher;
static uint8_t window[WINDOW];

uint8_t *EXPORT(board_window)(void) { return window; }
uint32_t EXPORT(board_window_size)(void) { return WINDOW; }

void EXPORT(board_reset)(uint32_t cause, uint32_t away, uint32_t boot_id) {
    pusher_init(&pusher, (uint8_t)cause, away != 0, (uint16_t)boot_id);
}

/* Take bytes from the window as the chip does: real-time bytes at once, the others in turn. */
void EXPORT(board_receive)(uint32_t length) {
    for (uint32_t i = 0; i < length && i < WINDOW; i++) {
        if (!pusher_realtime(&pusher, window[i])) {
            pusher_receive(&pusher, window[i]);
        }
    }
}

/* Put bytes to send into the window; returns how many. */
uint32_t EXPORT(board_send)(void) {
    uint32_t n = 0;
    int16_t byte;
    while (n < WINDOW && (byte = pusher_next(&pusher)) >= 0) {
        window[n++] = (uint8_t)byte;
    }
    return n;
}

/* Run for some milliseconds; returns the longest pulse of them in half microseconds, with the top
 * bit set if there is something to send. */
uint32_t EXPORT(board_run)(uint32_t ms, uint32_t inputs) {
    uint32_t longest = 0;
    while (ms--) {
        uint16_t pulse = pusher_tick(&pusher, (uint8_t)inputs);
        longest = pulse > longest ? pulse : longest;
    }
    return longest | (pusher.tx_in != pusher.tx_out ? 1u << 31 : 0);
}

void EXPORT(board_beam)(uint32_t which, uint32_t broken, uint32_t us) {
    pusher_beam(&pusher, (uint8_t)which, broken != 0, us);
}

uint32_t EXPORT(board_state)(void) { return pusher.state; }
uint32_t EXPORT(board_strokes)(void) { return pusher.strokes; }
uint32_t EXPORT(board_away)(void) { return pusher_away(&pusher); }

void *memcpy(void *to, const void *from, size_t length) {
    uint8_t *into = to;
    const uint8_t *out_of = from;
    while (length--) {
        *into++ = *out_of++;
    }
    return to;
}

void *memset(void *to, int byte, size_t length) {
    uint8_t *into = to;
    while (length--) {
        *into++ = (uint8_t)byte;
    }
    return to;
}

int memcmp(const void *a, const void *b, size_t length) {
    const uint8_t *one = a, *other = b;
    for (; length; length--, one++, other++) {
        if (*one != *other) {
            return *one - *other;
        }
    }
    return 0;
}

size_t strlen(const char *text) {
    size_t n = 0;
    while (text[n]) {
        n++;
    }
    return n;
}

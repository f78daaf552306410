#include "world.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MUST(condition)                                                       \
    do {                                                                      \
        if (!(condition)) {                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition);   \
            abort();                                                          \
        }                                                                     \
    } while (0)

uint16_t world_crc(const char *body, size_t length) {
    uint32_t crc = 0xFFFF;
    for (size_t i = 0; i < 8 * length; i++) {
        uint32_t bit = (uint32_t)(uint8_t)body[i / 8] >> (7 - i % 8) & 1;
        crc = crc << 1 ^ (((crc >> 15 & 1) ^ bit) != 0 ? 0x1021 : 0);
    }
    return (uint16_t)crc;
}

/* Every frame that goes out is one: whole, in bounds, its checksum right. */
static void read_frames(struct world *w) {
    int16_t byte;
    while ((byte = pusher_next(&w->pusher)) >= 0) {
        MUST(w->frame_length < sizeof w->frame);
        w->frame[w->frame_length++] = (char)byte;
        if (byte == '\n') {
            size_t body = w->frame_length - 7u;
            char crc[6];
            MUST(w->frame_length >= 7 + 5 && w->frame[0] == '$');
            snprintf(crc, sizeof crc, "*%04X", world_crc(w->frame + 1, body));
            MUST(memcmp(w->frame + 1 + body, crc, 5) == 0);
            MUST(strchr("REN", w->frame[1]) != NULL);
            for (size_t i = 1; i <= body; i++) {
                MUST(w->frame[i] >= 0x20 && w->frame[i] <= 0x7E);
                MUST(strchr("$*!?", w->frame[i]) == NULL);
            }
            w->frame_length = 0;
        }
    }
}

static bool is_powered(uint8_t state) { return state >= PUSHER_ARMED && state <= PUSHER_BACK; }

static bool is_moving(uint8_t state) { return state >= PUSHER_OUT && state <= PUSHER_BACK; }

/* What must be true of every step from one state to the next. */
static void watch_states(struct world *w) {
    uint8_t now = w->pusher.state;
    if (now == w->state) {
        MUST(w->pusher.strokes == w->strokes);
        return;
    }
    if (now == PUSHER_ARMED) {
        MUST(w->state == PUSHER_SAFE && w->switch_on && w->estop_closed && w->seen_off);
        MUST(!w->away);
        w->seen_off = false;
        w->armed_ms = w->pusher.ms;
        w->armings++;
    } else if (now == PUSHER_OUT) {
        MUST(w->state == PUSHER_ARMED && w->switch_on && w->estop_closed);
        MUST(w->pusher.ms - w->armed_ms >= PUSHER_SETTLE_MS);
        MUST(w->pusher.ms - w->armed_ms <= PUSHER_TOKEN_MS);
        MUST(w->pusher.strokes == (w->strokes == 65535 ? 65535 : w->strokes + 1));
        w->strokes = w->pusher.strokes;
    } else if (now == PUSHER_HOLD) {
        MUST(w->state == PUSHER_OUT);
    } else if (now == PUSHER_BACK) {
        MUST(w->state == PUSHER_OUT || w->state == PUSHER_HOLD);
    } else if (now == PUSHER_SAFE && w->state >= PUSHER_ESTOP) {
        MUST(!w->switch_on && w->estop_closed);
        MUST(w->state == PUSHER_AWAY || !w->away);
        w->away = false; /* only HOMED leads from AWAY to SAFE, which says that a hand was there */
    } else if (now == PUSHER_FAULT) {
        MUST(w->state == PUSHER_BACK);
    } else if (now == PUSHER_AWAY) {
        MUST(is_moving(w->state) || (w->state == PUSHER_ESTOP && w->away));
    }
    if (now >= PUSHER_ESTOP) {
        w->seen_off = !w->switch_on;
    }
    if (is_moving(w->state) && (now == PUSHER_ESTOP || now == PUSHER_AWAY)) {
        w->away = true;
    }
    MUST(pusher_away(&w->pusher) == (w->away || is_moving(now)));
    MUST(w->pusher.strokes == w->strokes);
    MUST(w->strokes <= w->armings);
    w->state = now;
}

static void begin(struct world *w) {
    pusher_init(&w->pusher, CAUSE_POR, w->away, 0x3F2A);
    w->state = w->pusher.state;
    w->switch_on = true;
    w->estop_closed = w->seen_off = false;
    w->switch_run = w->estop_run = 0;
    w->strokes = 0;
    w->armings = 0;
    w->pulse = 0;
    w->frame_length = 0;
    MUST(w->state == (w->away ? PUSHER_AWAY : PUSHER_SAFE));
}

void world_init(struct world *w, bool away) {
    memset(w, 0, sizeof *w);
    w->away = away;
    begin(w);
}

/* What is kept over a reset, or a loss of power, is one bit of the core's. */
void world_reset(struct world *w) {
    MUST(pusher_away(&w->pusher) == (w->away || is_moving(w->state)));
    w->away = pusher_away(&w->pusher);
    begin(w);
}

void world_put(struct world *w, const uint8_t *bytes, size_t length) {
    for (size_t i = 0; i < length; i++) {
        if (!pusher_realtime(&w->pusher, bytes[i])) {
            pusher_receive(&w->pusher, bytes[i]);
        }
        watch_states(w);
        if (i % 32 == 31) {
            read_frames(w);
        }
    }
    read_frames(w);
}

/* Three samples in a row make an input believed. */
static bool believe(bool believed, bool sample, uint8_t *run) {
    *run = sample == believed ? 0 : (uint8_t)(*run + 1);
    if (*run == 3) {
        *run = 0;
        return sample;
    }
    return believed;
}

static void step(struct world *w) {
    bool was_closed = w->estop_closed;
    w->switch_on = believe(w->switch_on, w->raw & INPUT_SWITCH, &w->switch_run);
    w->estop_closed = believe(w->estop_closed, w->raw & INPUT_ESTOP_CLOSED, &w->estop_run);
    bool stopped = w->pusher.stop_asked != 0;
    uint16_t pulse = pusher_tick(&w->pusher, w->raw);
    if (!w->switch_on) {
        w->seen_off = true;
    }
    watch_states(w);
    if (stopped || (was_closed && !w->estop_closed)) {
        MUST(w->state == PUSHER_ESTOP);
    }
    MUST((pulse != 0) == is_powered(w->state));
    MUST(!is_powered(w->state) || (w->switch_on && w->estop_closed));
    if (pulse != 0) {
        MUST(pulse >= 2 * PUSHER_REST_US);
        MUST(pulse <= 2 * (PUSHER_REST_US + PUSHER_AMP_MAX_US));
        uint16_t before = w->pulse == 0 ? 2 * PUSHER_REST_US : w->pulse;
        MUST(pulse <= before + 2 * PUSHER_SLEW_US && before <= pulse + 2 * PUSHER_SLEW_US);
    }
    w->pulse = pulse;
    read_frames(w);
}

void world_run(struct world *w, uint32_t ms) {
    while (ms--) {
        step(w);
    }
}
